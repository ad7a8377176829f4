//! What a Hero's sheet says of how the Hero rolls.

use crate::Sheet;
use crate::words::join;

/// What each Boon rolls: its tier in dice beside the attribute's own, of which the highest counts (Gnosis,
/// Resolution).
pub(super) fn means(sheet: &Sheet, stat: &'static str) -> Option<String> {
    let die = sheet.die(stat.strip_suffix("-boons")?)?;
    let boons = sheet.ranks(stat).iter();
    let told = boons.map(|(name, tier)| format!("{name} {}{die}", tier + 1));
    Some(join(told, ", ")).filter(|told| !told.is_empty())
}
