//! The sheet of a Hero: the dice that Boons add (Gnosis, Resolution).

use crate::Sheet;
use crate::words::join;

/// Describes the dice that are rolled with each Boon in the list `stat`: the attribute's own die, and one more for each
/// tier of the Boon.
pub(super) fn means(sheet: &Sheet, stat: &'static str) -> Option<String> {
    let attribute = stat.strip_suffix("-boons")?;
    let die = sheet.die(attribute)?;

    let boons = sheet.ranks(stat);
    if boons.is_empty() {
        return None;
    }
    let descriptions = boons
        .iter()
        .map(|(name, tier)| format!("{name} {}{die}", tier + 1));
    Some(join(descriptions, ", "))
}
