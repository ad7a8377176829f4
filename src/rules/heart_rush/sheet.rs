//! What a hero's sheet says of how the hero resists.

use crate::rules::{Derived, Field, House, Sheet, Value};

/// The stats that an ability die may come from.
const ABILITIES: &[&str] = &["might", "agility", "cunning", "presence"];

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
pub(super) fn derive(sheet: &Sheet, _: &House, field: &'static str, name: Option<&str>) -> Derived {
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
    use crate::dice::Die;
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
        let mut sheet = Sheet::new(System::HEART_RUSH);
        sheet.set("might", Value::Die(Die::D10)).unwrap();
        sheet.set("paragon", Value::Number(2)).unwrap();
        sheet.set("heart-now", Value::Die(Die::D4)).unwrap();
        let derived = derive(&sheet, &House::default(), "cn", Some(name));
        assert_eq!(derived, Some((Value::Number(number), words.to_owned())));
    }
}
