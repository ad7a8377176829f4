//! What a hero's sheet says of how the hero resists.

use crate::{Derived, Field, HouseRules, Sheet, Value};

/// The stats that an ability die may come from.
const ABILITIES: &[&str] = &["might", "agility", "cunning", "presence"];

/// The ability challenge number of that stat, which others must reach to resist: the largest face of
/// the die and 2 for each paragon level. For magic it is the heart die, undiminished (Heart Rush,
/// Ability Challenge Numbers).
fn challenge_number(sheet: &Sheet, stat: &str) -> Option<i32> {
    Some(i32::from(sheet.die(stat)?.highest()) + 2 * sheet.number("paragon")?)
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
    _: &HouseRules,
    field: &'static str,
    name: Option<&str>,
) -> Derived {
    match (field, name) {
        ("cn", Some(name)) => {
            let name = name.trim().to_lowercase();
            let meant = |stat: &&Field| stat.id == name || stat.label.to_lowercase() == name;
            let stats = ABILITIES.iter().copied().chain(["heart"]);
            let mut stats = stats.filter_map(|id| sheet.stat(id).ok());
            let stat = stats.find(meant)?;
            let number = challenge_number(sheet, stat.id)?;
            let words = stat.label.trim_end_matches(" die");
            Some((Value::Number(number), format!("{words} Challenge Number")))
        }
        _ => None,
    }
}
