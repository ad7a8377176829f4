//! What a Hero's sheet says of how the Hero rolls.

use crate::rules::Sheet;

/// What each Boon rolls: its tier in dice beside the attribute's own, of which the highest counts (Gnosis,
/// Resolution).
pub(super) fn means(sheet: &Sheet, stat: &'static str) -> Option<String> {
    let die = sheet.die(stat.strip_suffix("-boons")?)?;
    let boons = sheet.ranks(stat).iter();
    let told: Vec<String> = boons
        .map(|(name, tier)| format!("{name} {}{die}", tier + 1))
        .collect();
    (!told.is_empty()).then(|| told.join(", "))
}
