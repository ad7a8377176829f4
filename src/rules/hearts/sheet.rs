//! What a character's sheet holds.

use crate::rules::{Field, Kind, Preset};

/// The stats of a character, in the order of the sheet.
pub(super) const STATS: &[Field] = &[
    Field::ranks("skills", "Skills", "skill", 200)
        .help("Name and value for 1D100, as in: Athletics 44, Brawn 67."),
    Field::ranks("traits", "Characteristics and traits", "trait", 40)
        .help("Name and value for 2D10, as in: Cautious 11, Empathetic 14."),
    Field::ranks("quantities", "Consumables", "consumable", 20)
        .help("Name and quantity for 1D10, as in: Rope 6, Lamp oil 3."),
    Field::new("training", "Training and tools", Kind::Text)
        .preset(Preset::Empty)
        .help("What needs no check with time and without pressure."),
];
