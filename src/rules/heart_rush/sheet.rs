//! What a hero's sheet holds.

use crate::dice::Die;
use crate::rules::{ConditionSpec, Field, House, Preset, Sheet, Standing, Value, Weighs};

/// What armor there is, in words.
pub(super) const ARMOR: &[&str] = &["none", "light", "medium", "heavy"];

/// What shields there are, in words.
pub(super) const SHIELD: &[&str] = &["none", "light", "heavy"];

/// What the armor adds to the defense (Heart Rush, Combat, Armor).
pub(super) fn armor(word: &str) -> i32 {
    match word {
        "light" => 2,
        "medium" => 4,
        "heavy" => 6,
        _ => 0,
    }
}

/// What the shield adds to the defense (Heart Rush, Combat, Shields).
pub(super) fn shield(word: &str) -> i32 {
    match word {
        "light" => 1,
        "heavy" => 2,
        _ => 0,
    }
}

/// The stats of a hero, in the order of the sheet.
pub(super) const STATS: &[Field] = &[
    Field::die("heart", "Heart die")
        .preset(Preset::Die(Die::D8))
        .help("Stamina and vitality when rested; a new hero has d8."),
    Field::die("heart-now", "Heart die now")
        .preset(Preset::Die(Die::D8))
        .at_most("heart")
        .short("Heart")
        .help("As it shrank; a short rest brings it back to the heart die."),
    Field::die("might", "Might")
        .preset(Preset::Die(Die::D6))
        .short("Might"),
    Field::die("agility", "Agility")
        .preset(Preset::Die(Die::D6))
        .short("Agil"),
    Field::die("cunning", "Cunning")
        .preset(Preset::Die(Die::D4))
        .short("Cunn"),
    Field::die("presence", "Presence")
        .preset(Preset::Die(Die::D4))
        .short("Pres"),
    Field::number("hit-points", "Hit points", (-999, 999), 40)
        .short("HP")
        .help("May fall below 0; at −(most) a hero is dead."),
    Field::number("hit-points-most", "Most hit points", (1, 999), 40)
        .help("When rested and without wounds; each wound lowers it by its rank."),
    Field::number("paragon", "Paragon level", (0, 20), 0)
        .help("Raises the ability challenge numbers by 2 each."),
    Field::die("weapon", "Weapon die")
        .preset(Preset::Die(Die::D4))
        .help("d12 heavy, d8 light, d4 ultralight or improvised."),
    Field::word("armor", "Armor", ARMOR)
        .preset(Preset::Word("none"))
        .help("Light 2, medium 4, heavy 6 to the defense."),
    Field::word("shield", "Shield", SHIELD)
        .preset(Preset::Word("none"))
        .help("Light 1, heavy 2 to the defense."),
    Field::ranks("professions", "Professions", "profession", 9)
        .help("Name and rank, as in: Mountain Guide 2, Sailor 3."),
    Field::ranks("aspects", "Aspects", "aspect", 9)
        .help("Name and rank, as in: Former City Guard Captain 2."),
    Field::ranks("wounds", "Wounds", "wound", 99)
        .help("Name and rank, as in: Gash across the ribs 12. Wounds are aspects too."),
];

/// The stats that an ability die may come from.
pub(super) const ABILITIES: &[&str] = &["might", "agility", "cunning", "presence"];

const fn weighs(name: &'static str, ability: &'static str, help: &'static str) -> ConditionSpec {
    ConditionSpec {
        name,
        help,
        weighs: Weighs::On {
            field: "disadvantage",
            ability,
        },
    }
}

/// The conditions that weigh on checks (Heart Rush, Conditions).
pub(super) const CONDITIONS: &[ConditionSpec] = &[
    weighs(
        "dazed",
        "Cunning",
        "Each level is a disadvantage on Cunning.",
    ),
    weighs(
        "weakened",
        "Might",
        "Each level is a disadvantage on Might.",
    ),
    weighs(
        "off-balanced",
        "Agility",
        "Each level is a disadvantage on Agility.",
    ),
    weighs(
        "shaken",
        "Presence",
        "Each level is a disadvantage on Presence.",
    ),
    ConditionSpec {
        name: "vulnerable",
        help: "Faces of one more for each level count like a 1 on skill checks.",
        weighs: Weighs::Always {
            field: "vulnerability",
        },
    },
];

/// At 0 hit points down, and dead at the most of them below 0 (Heart Rush, Combat).
pub(super) fn standing(sheet: &Sheet, _: &House) -> Option<Standing> {
    let (now, most) = (sheet.number("hit-points")?, sheet.most_hit_points()?);
    if now <= -most {
        return Some(Standing {
            word: "dead",
            means: "dead",
        });
    }
    (now <= 0).then_some(Standing {
        word: "down",
        means: "may fall unconscious, and must after ten minutes",
    })
}

/// The ability challenge number of that stat, which others must reach to resist: the largest face of
/// the die and 2 for each paragon level. For magic it is the heart die, undiminished (Heart Rush,
/// Ability Challenge Numbers).
fn challenge_number(sheet: &Sheet, stat: &str) -> Option<i32> {
    let die = sheet.die(stat)?;
    Some(i32::from(die.highest()) + 2 * sheet.number("paragon")?)
}

/// What others must reach to resist an ability: its challenge number (Heart Rush, Ability Challenge
/// Numbers).
pub(super) fn means(sheet: &Sheet, stat: &'static str) -> Option<String> {
    let is_one = stat == "heart" || ABILITIES.contains(&stat);
    let number = challenge_number(sheet, stat).filter(|_| is_one)?;
    Some(format!("CN {number}"))
}

/// Works out the Challenge Number of a save from the sheet of the creature that it is made against; the
/// name is that of an ability, or `heart`.
pub(super) fn derive(
    sheet: &Sheet,
    _: &House,
    field: &'static str,
    name: Option<&str>,
) -> Option<(Value, String)> {
    match (field, name) {
        ("cn", Some(name)) => {
            let name = name.trim().to_lowercase();
            let meant = |stat: &&Field| stat.id == name || stat.label.to_lowercase() == name;
            let stats = ABILITIES.iter().copied().chain(["heart"]);
            let stat = stats
                .filter_map(|id| sheet.stat(id).ok())
                .find(|stat| meant(stat))?;
            let number = challenge_number(sheet, stat.id)?;
            let words = stat.label.trim_end_matches(" die");
            Some((Value::Number(number), format!("{words} Challenge Number")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::rules::System;

    #[rstest]
    #[case::a_veteran_warrior("might", 14, "Might Challenge Number")]
    #[case::with_a_capital_letter("Cunning", 8, "Cunning Challenge Number")]
    #[case::magic_uses_the_undiminished_heart_die("heart", 12, "Heart Challenge Number")]
    #[case::by_the_name_on_the_screen("Heart die", 12, "Heart Challenge Number")]
    fn an_ability_challenge_number_is_the_largest_face_and_two_for_each_paragon_level(
        #[case] name: &str,
        #[case] number: i32,
        #[case] words: &str,
    ) {
        let mut sheet = Sheet::new(System::HeartRush);
        sheet.set("might", Value::Die(Die::D10)).unwrap();
        sheet.set("paragon", Value::Number(2)).unwrap();
        sheet.set("heart-now", Value::Die(Die::D4)).unwrap();
        let derived = derive(&sheet, &House::default(), "cn", Some(name));
        assert_eq!(derived, Some((Value::Number(number), words.to_owned())));
    }
}
