//! What a challenge and a combat roll read off a sheet.

use crate::rules::{Derived, House, Sheet, Standing, System, Value};
use crate::text::is_same;

/// The competence of a step, from 0 up; an ability score of −2 is step 0, and so is a skill rank of 0 (Friday Night
/// Dungeon, Challenge Rolls, table).
fn competence_of(step: usize) -> Option<&'static str> {
    let challenge = System::FRIDAY_NIGHT_DUNGEON.check("challenge").ok()?;
    challenge.words("competence").get(step).copied()
}

/// At 0 hit points down; with four wounds dead (Friday Night Dungeon, Health, Healing, Wounds).
pub(super) fn standing(sheet: &Sheet, _: &House) -> Option<Standing> {
    if sheet.number("wounds")? >= 4 {
        return Some(Standing {
            word: "dead",
            means: "four wounds: dead",
            asks: &[],
        });
    }
    (sheet.number("hit-points")? <= 0).then_some(Standing {
        word: "down",
        means: "a Constitution challenge of Easy difficulty, −1 for each wound: success is one more wound, failure is death",
        asks: &[("competence", "Constitution"), ("difficulty", "easy")],
    })
}

/// The hit points that are missing of those of somebody fresh, or as much of them as wounds stand for, of which
/// four kill (Friday Night Dungeon, Health, Healing, Wounds).
pub(super) fn harm(sheet: &Sheet) -> Option<(i32, i32)> {
    let fresh = 16 + 2 * sheet.number("constitution")?;
    let missing = fresh - sheet.number("hit-points")?;
    Some((missing.max(sheet.number("wounds")? * fresh / 4), fresh))
}

/// The stats that are ability scores.
const SCORES: &[&str] = &[
    "strength",
    "dexterity",
    "constitution",
    "mind",
    "social",
    "charm",
];

/// What is tested: an ability score or a skill, with the competence's step that it is on.
struct Tested {
    is_skill: bool,
    step: usize,
    words: String,
}

/// An ability score or skill by name.
fn tested(sheet: &Sheet, name: &str) -> Option<Tested> {
    let name = name.trim();
    let same = |other: &str| is_same(other, name);
    let skill = sheet.ranks("skills").iter().find(|(skill, _)| same(skill));
    if let Some((skill, rank)) = skill {
        return Some(Tested {
            is_skill: true,
            step: usize::try_from(*rank).ok()?,
            words: format!("{skill} rank {rank}"),
        });
    }
    let score = SCORES.iter().copied().find(|score| same(score))?;
    let value = sheet.number(score)?;
    let label = sheet.stat(score).ok()?.label;
    Some(Tested {
        is_skill: false,
        step: usize::try_from(value + 2).ok()?,
        words: format!("{label} {value:+}"),
    })
}

/// The better of those that apply; of two on one step the one named first.
fn best(of: impl Iterator<Item = Tested>) -> Option<Tested> {
    of.fold(None, |best, next| match best {
        Some(best) if best.step >= next.step => Some(best),
        Some(_) | None => Some(next),
    })
}

/// The competence: by the names given, joined by `+` or a comma, the better of them; without a name the best skill, else the best ability score.
fn competence(sheet: &Sheet, names: Option<&str>) -> Option<Tested> {
    if let Some(names) = names {
        let all = names.split(['+', ',']).map(|name| tested(sheet, name));
        return best(all.collect::<Option<Vec<Tested>>>()?.into_iter());
    }
    let skills = sheet.ranks("skills").iter().map(|(name, _)| name.as_str());
    best(skills.filter_map(|name| tested(sheet, name)))
        .or_else(|| best(SCORES.iter().filter_map(|name| tested(sheet, name))))
}

/// Works out what a challenge or a combat roll reads off a sheet (Friday Night Dungeon, Challenge
/// Rolls; Health, Healing, Wounds; Tags).
pub(super) fn derive(sheet: &Sheet, _: &House, field: &'static str, name: Option<&str>) -> Derived {
    let wounds = sheet.number("wounds").unwrap_or(0);
    let exhausted = sheet.number("exhausted").unwrap_or(0) > 0;
    let tired = exhausted.then(|| "exhausted".to_owned());
    let and =
        |words: [Option<String>; 2]| words.into_iter().flatten().collect::<Vec<_>>().join(", ");
    match field {
        "competence" => {
            let tested = competence(sheet, name)?;
            Some((Value::from(competence_of(tested.step)?), tested.words))
        }
        // What else is physical or mental, the table knows.
        "kind" => {
            let tested = competence(sheet, name)?;
            let kinds = [("Mind ", "mental"), ("Charm ", "charm")];
            let kind = kinds
                .into_iter()
                .find(|(stat, _)| tested.words.starts_with(stat));
            kind.filter(|_| !tested.is_skill)
                .map(|(_, kind)| (Value::from(kind), tested.words))
        }
        "penalty" => {
            // One who is down is tested against death, with 1 less for each wound.
            let is_down = sheet.number("hit-points") == Some(0);
            let pain = if is_down {
                wounds
            } else {
                i32::from(wounds >= 2)
            };
            let penalty = pain + 2 * i32::from(exhausted);
            let wounded = (pain > 0).then(|| format!("{wounds} wounds"));
            (penalty > 0).then(|| (Value::Number(penalty), and([wounded, tired])))
        }
        "harder" => (wounds >= 3).then(|| (Value::Number(1), format!("{wounds} wounds"))),
        "no-bonuses" => (wounds >= 2).then(|| (Value::Flag(true), format!("{wounds} wounds"))),
        "dice" => tired.map(|tired| (Value::Number(2), tired)),
        _ => None,
    }
}

/// The competence that an ability score or a skill's rank is (Friday Night Dungeon, Challenge Rolls,
/// table).
pub(super) fn means(sheet: &Sheet, stat: &'static str) -> Option<String> {
    let competence = |step: i32| competence_of(usize::try_from(step).ok()?);
    if SCORES.contains(&stat) {
        return competence(sheet.number(stat)? + 2).map(str::to_owned);
    }
    let skills = sheet.ranks(stat).iter().filter(|_| stat == "skills");
    let told: Vec<String> = skills
        .filter_map(|(name, rank)| Some(format!("{name} {}", competence(*rank)?)))
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn derived(sheet: &Sheet, field: &'static str, name: Option<&str>) -> Derived {
        derive(sheet, &House::default(), field, name)
    }

    fn sheet() -> Sheet {
        let mut sheet = Sheet::new(System::FRIDAY_NIGHT_DUNGEON);
        sheet.set("strength", Value::Number(1)).unwrap();
        sheet.set("mind", Value::Number(-1)).unwrap();
        let skills = vec![("Climbing".to_owned(), 2), ("Lore".to_owned(), 4)];
        sheet.set("skills", Value::Ranks(skills)).unwrap();
        sheet
    }

    #[rstest]
    #[case::a_skill_rank(Some("climbing"), "trained", "Climbing rank 2")]
    #[case::an_ability_score(Some("Mind"), "novice", "Mind -1")]
    #[case::the_better_of_both(Some("climbing+strength"), "expert", "Strength +1")]
    #[case::the_better_of_both_in_any_order(Some("mind, lore"), "master", "Lore rank 4")]
    #[case::the_best_skill_unasked(None, "master", "Lore rank 4")]
    fn competence_is_read_from_what_is_tested(
        #[case] name: Option<&str>,
        #[case] competence: &str,
        #[case] words: &str,
    ) {
        let derived = derived(&sheet(), "competence", name);
        assert_eq!(derived, Some((Value::from(competence), words.to_owned())));
    }

    #[test]
    fn wounds_and_exhaustion_add_up_to_a_penalty() {
        let mut sheet = sheet();
        assert_eq!(derived(&sheet, "penalty", None), None);
        sheet.set("wounds", Value::Number(3)).unwrap();
        sheet.set("exhausted", Value::Number(1)).unwrap();
        let penalty = (Value::Number(3), "3 wounds, exhausted".to_owned());
        assert_eq!(derived(&sheet, "penalty", None), Some(penalty));
        let harder = (Value::Number(1), "3 wounds".to_owned());
        assert_eq!(derived(&sheet, "harder", None), Some(harder));
        let bare = (Value::Flag(true), "3 wounds".to_owned());
        assert_eq!(derived(&sheet, "no-bonuses", None), Some(bare));
        sheet.set("wounds", Value::Number(1)).unwrap();
        assert_eq!(derived(&sheet, "no-bonuses", None), None);
    }
}
