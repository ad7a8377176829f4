//! Gnosis: three attributes with Boons against a Pain Pool, and two clocks that fill with consequences.

mod effect_table;
mod sheet;
mod strategy;

pub use strategy::themes::{Theme, themes};

use super::system::{AtEnd, ClockSpec, PoolSpec, Purse, SystemSpec};
use super::{HouseRule, Options, System, TokenKind};

/// Gnosis, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::Gnosis,
    id: "gnosis",
    name: "Gnosis",
    gm: "GM",
    when: &[
        "Most challenges need a single effect level to be overcome: one roll settles them.",
        "A challenge with a progress clock takes as many effect levels as it has wedges; give it one when a single roll should not settle it.",
    ],
    checks: &[&strategy::SPEC],
    stats: sheet::STATS,
    pools: &[
        pool(TokenKind::Favor, "Favor"),
        pool(TokenKind::Logos, "Logos"),
    ],
    clocks: &[
        ClockSpec {
            id: "stress",
            name: "Stress",
            segments: 3,
            overflow: "traumas",
        },
        ClockSpec {
            id: "blood",
            name: "Blood",
            segments: 3,
            overflow: "wounds",
        },
    ],
    house: &[
        HouseRule {
            id: "critical-margin",
            question: "By how much must the Hero exceed the Pain Pool, or fall below it, for a critical?",
            options: Options::Number {
                min: 1,
                max: 20,
                default: strategy::CRITICAL_MARGIN,
            },
            from: "S:28",
            page: "The page calls the 7 a setting of the group.",
        },
        HouseRule {
            id: "tie",
            question: "The Hero and the Pain Pool come to the same: what is that?",
            options: Options::Words(&[
                ("tie", "A Tie, which the effect table has a column for."),
                ("success", "A Success: only who is below fails."),
                ("failure", "A Failure: the Pain Pool must be exceeded."),
            ]),
            from: "G1",
            page: "The page tells who exceeds and who is below, and of equals it says nothing; the effect table of another chapter has a tie.",
        },
        HouseRule {
            id: "theme-tie",
            question: "Several pools share the highest die: which is the dominant theme?",
            options: Options::Words(&[
                ("all", "All of them; the table picks one."),
                (
                    "first",
                    "The first in the order Power, Precision, Possibility, Pain.",
                ),
            ]),
            from: "G6",
            page: "The page gives the theme to the pool with the highest die, and of equals it says nothing.",
        },
        HouseRule {
            id: "static-criticals",
            question: "Are there criticals against a static difficulty?",
            options: Options::Words(&[
                ("on", "Yes, by the same margin as against a Pain Pool."),
                (
                    "off",
                    "No: criticals are only between the Hero and the Pain Pool.",
                ),
            ]),
            from: "G4",
            page: "The page names criticals against the Pain Pool; First Aid against a difficulty asks for effect levels all the same.",
        },
        HouseRule {
            id: "stacking",
            question: "Which attribute takes a level of disadvantage?",
            options: Options::Words(&[
                (
                    "greatest",
                    "The one with the greatest advantage; the player's choice at a tie.",
                ),
                (
                    "any",
                    "Any that the player picks: levels may add up on one, as long as not all three are below 0.",
                ),
            ]),
            from: "G11",
            page: "The page takes a level from the greatest advantage, and also lets each further level add another die.",
        },
        HouseRule {
            id: "surplus",
            question: "What happens to effect levels beyond a clock's last segment?",
            options: Options::Words(&[
                ("carry", "They roll on into the clock that it is linked to."),
                ("lost", "They are lost."),
            ]),
            from: "G12",
            page: "The page lets full clocks roll over to the next, and does not say what of a surplus does.",
        },
        HouseRule {
            id: "last-segment",
            question: "Does the consequence that fills the last segment of Stress or Blood already wound?",
            options: Options::Words(&[
                ("no", "No: only each further one is a Trauma or a Wound."),
                (
                    "yes",
                    "Yes: it fills the clock and is a Trauma or a Wound as well.",
                ),
            ]),
            from: "G7",
            page: "The page: once the clock is filled, any additional consequences are Traumas or Wounds.",
        },
        HouseRule {
            id: "full-clock",
            question: "Is a full clock of Stress or Blood emptied once it wounds?",
            options: Options::Words(&[
                ("stays", "No: it stays full until the scene ends."),
                (
                    "empties",
                    "Yes: the Trauma or Wound clears it, and it fills anew.",
                ),
            ]),
            from: "G8",
            page: "The page clears the clocks at the end of a scene, and names no other time.",
        },
    ],
    conditions: &[],
    standing: sheet::standing,
    derive: sheet::derive,
    means: sheet::means,
};

/// Favor and Logos: at most 3 of each (Gnosis, Tools).
const fn pool(kind: TokenKind, name: &'static str) -> PoolSpec {
    PoolSpec {
        kind,
        name,
        purse: Purse::Character,
        floor: 0,
        cap: Some(3),
        start: 0,
        at_session_end: AtEnd::Stay,
        gain_per_scene: None,
    }
}

/// The Pain Pools by name (Gnosis, Challenge).
const PAIN: &[(i32, &str)] = &[
    (3, "Unskilled"),
    (4, "Apprentice"),
    (5, "Journeyman"),
    (6, "Master"),
    (7, "Heroic"),
    (8, "Artist"),
    (9, "Inconceivable"),
    (10, "Epic"),
    (11, "Legendary"),
    (12, "Mythic"),
];

/// The static difficulties by name (Gnosis, Challenge).
const DIFFICULTIES: &[(i32, &str)] = &[
    (16, "Unskilled"),
    (20, "Apprentice"),
    (22, "Journeyman"),
    (23, "Master"),
    (24, "Heroic"),
    (25, "Artist"),
    (26, "Inconceivable to Legendary"),
    (27, "Mythic"),
];
