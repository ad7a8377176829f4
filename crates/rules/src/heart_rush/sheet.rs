//! The Challenge Numbers of a sheet. Other creatures must reach them to resist an ability (Heart Rush, Ability
//! Challenge Numbers).

use crate::{Derived, Field, HouseRules, Sheet, Value};

/// The stats that are ability dice.
const ABILITIES: &[&str] = &["might", "agility", "cunning", "presence"];

/// The stat of the heart die, which resists magic.
const HEART: &str = "heart";

/// Returns the Challenge Number of a stat: the highest face of its die, plus 2 for each paragon level.
///
/// For magic it uses the full heart die, even if the creature is hurt.
fn challenge_number(sheet: &Sheet, stat: &str) -> Option<i32> {
    let highest_face = i32::from(sheet.die(stat)?.highest());
    Some(highest_face + 2 * sheet.number("paragon")?)
}

/// Describes a stat by its Challenge Number if it has one.
pub(super) fn means(sheet: &Sheet, stat: &'static str) -> Option<String> {
    if stat != HEART && !ABILITIES.contains(&stat) {
        return None;
    }
    let number = challenge_number(sheet, stat)?;
    Some(format!("CN {number}"))
}

/// Derives the Challenge Number of a save from the sheet of the creature that causes it. `name` is the id or the label of
/// an ability or of the heart die.
pub(super) fn derive(
    sheet: &Sheet,
    _: &HouseRules,
    field: &'static str,
    name: Option<&str>,
) -> Derived {
    if field != "cn" {
        return None;
    }

    let stat = find_stat(sheet, name?)?;
    let number = challenge_number(sheet, stat.id)?;
    let stat_name = stat.label.trim_end_matches(" die");
    Some((
        Value::Number(number),
        format!("{stat_name} Challenge Number"),
    ))
}

fn find_stat(sheet: &Sheet, name: &str) -> Option<&'static Field> {
    let name = name.trim().to_lowercase();
    ABILITIES
        .iter()
        .copied()
        .chain([HEART])
        .filter_map(|id| sheet.stat(id).ok())
        .find(|stat| stat.id == name || stat.label.to_lowercase() == name)
}
