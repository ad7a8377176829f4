//! What a character's sheet holds.

use crate::rules::{Stat, StatKind};

const fn ranks(
    id: &'static str,
    label: &'static str,
    what: &'static str,
    max: i32,
    help: &'static str,
) -> Stat {
    Stat {
        id,
        label,
        short: "",
        kind: StatKind::Ranks { what, min: 0, max },
        help,
    }
}

/// The stats of a character, in the order of the sheet.
pub(super) const STATS: &[Stat] = &[
    ranks(
        "skills",
        "Skills",
        "skill",
        200,
        "Name and value for 1D100, as in: Athletics 44, Brawn 67.",
    ),
    ranks(
        "traits",
        "Characteristics and traits",
        "trait",
        40,
        "Name and value for 2D10, as in: Cautious 11, Empathetic 14.",
    ),
    ranks(
        "quantities",
        "Consumables",
        "consumable",
        20,
        "Name and quantity for 1D10, as in: Rope 6, Lamp oil 3.",
    ),
    Stat {
        id: "training",
        label: "Training and tools",
        short: "",
        kind: StatKind::Text,
        help: "What needs no check with time and without pressure.",
    },
];
