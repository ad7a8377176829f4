//! What a hero's sheet holds.

use crate::dice::Die;
use crate::rules::{Stat, StatKind};

const fn die(id: &'static str, label: &'static str, short: &'static str, preset: Die) -> Stat {
    Stat {
        id,
        label,
        short,
        kind: StatKind::Die {
            preset,
            at_most: None,
        },
        help: "",
    }
}

/// The stats of a hero, in the order of the sheet.
pub(super) const STATS: &[Stat] = &[
    Stat {
        help: "Stamina and vitality when rested; a new hero has d8.",
        ..die("heart", "Heart die", "", Die::D8)
    },
    Stat {
        id: "heart-now",
        label: "Heart die now",
        short: "Heart",
        kind: StatKind::Die {
            preset: Die::D8,
            at_most: Some("heart"),
        },
        help: "As it shrank; a short rest brings it back to the heart die.",
    },
    die("might", "Might", "Might", Die::D6),
    die("agility", "Agility", "Agil", Die::D6),
    die("cunning", "Cunning", "Cunn", Die::D4),
    die("presence", "Presence", "Pres", Die::D4),
    Stat {
        id: "paragon",
        label: "Paragon level",
        short: "",
        kind: StatKind::Number {
            min: 0,
            max: 20,
            preset: 0,
        },
        help: "Raises the ability challenge numbers by 2 each.",
    },
    Stat {
        id: "professions",
        label: "Professions",
        short: "",
        kind: StatKind::Ranks {
            what: "profession",
            min: 0,
            max: 9,
        },
        help: "Name and rank, as in: Mountain Guide 2, Sailor 3.",
    },
    Stat {
        id: "aspects",
        label: "Aspects",
        short: "",
        kind: StatKind::Ranks {
            what: "aspect",
            min: 0,
            max: 9,
        },
        help: "Name and rank, as in: Former City Guard Captain 2.",
    },
];

/// The stats that an ability die may come from.
pub(super) const ABILITIES: &[&str] = &["might", "agility", "cunning", "presence"];
