//! What a character's sheet holds.

use crate::rules::Stat;

/// The stats of a character, in the order of the sheet.
pub(super) const STATS: &[Stat] = &[
    Stat::ranks("skills", "Skills", "skill", 200)
        .help("Name and value for 1D100, as in: Athletics 44, Brawn 67."),
    Stat::ranks("traits", "Characteristics and traits", "trait", 40)
        .help("Name and value for 2D10, as in: Cautious 11, Empathetic 14."),
    Stat::ranks("quantities", "Consumables", "consumable", 20)
        .help("Name and quantity for 1D10, as in: Rope 6, Lamp oil 3."),
    Stat::text("training", "Training and tools")
        .help("What needs no check with time and without pressure."),
];
