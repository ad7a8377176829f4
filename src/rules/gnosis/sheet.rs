//! What a Hero's sheet says of how the Hero stands and rolls.

use crate::rules::{House, Sheet, Standing};

/// Taken out once Wounds and Traumas leave every attribute at disadvantage, whatever Boons are brought
/// (Gnosis, Consequences): each level takes one from the attribute that has most.
pub(super) fn standing(sheet: &Sheet, _: &House) -> Option<Standing> {
    let (harm, holds) = self::harm(sheet)?;
    (harm >= holds).then_some(Standing {
        word: "taken out",
        means: "every attribute is at disadvantage: taken out until First Aid",
        asks: &[],
    })
}

/// The Wounds and Traumas, and how many of them leave no attribute without disadvantage.
pub(super) fn harm(sheet: &Sheet) -> Option<(i32, i32)> {
    let harm = sheet.number("wounds")? + sheet.number("traumas")?;
    let lists = ["power-boons", "precision-boons", "possibility-boons"];
    let best = |list| {
        let tiers = sheet.ranks(list).iter().map(|(_, tier)| *tier);
        tiers.max().unwrap_or(0).max(0)
    };
    let holds = lists.into_iter().map(|list| best(list) + 1).sum();
    Some((harm, holds))
}

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
