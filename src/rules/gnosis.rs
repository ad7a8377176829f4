//! Gnosis: three attributes with Boons against a Pain Pool, and two clocks that fill with consequences.

mod effect_table;
mod sheet;
mod strategy;

use super::spec::{AtEnd, ClockSpec, FirstAid, GroupWords, PoolSpec, Purse, SystemSpec};
use super::{HouseRule, Options, System, TokenKind};

/// Gnosis, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::Gnosis,
    id: "gnosis",
    name: "Gnosis",
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
    house: &[CRITICAL_MARGIN, THEME_TIE, SURPLUS, FULL_CLOCK],
    standing: sheet::standing,
    derive: sheet::derive,
    means: sheet::means,
    first_aid: FirstAid::RemovesHarm,
    taken_out: true,
    group: GroupWords {
        best: "the best (together)",
        ..GroupWords::PLAIN
    },
    themes: strategy::themes::themes,
    sample: (
        include_str!("../../sessions/gnosis.toml"),
        include_str!("../../sessions/gnosis.txt"),
    ),
    ..SystemSpec::PLAIN
};

pub const CRITICAL_MARGIN: HouseRule = HouseRule {
    id: "critical-margin",
    question: "By how much must the Hero exceed the Pain Pool, or fall below it, for a critical?",
    options: Options::Number {
        min: 1,
        max: 20,
        default: 7,
    },
    readings: &[],
    from: "S:28",
    page: "The page calls the 7 a setting of the group.",
};

pub const THEME_TIE: HouseRule = HouseRule {
    id: "theme-tie",
    question: "Several pools share the highest die: which is the dominant theme?",
    options: Options::Words(&["all", "first"]),
    readings: &[
        "All of them; the table picks one.",
        "The first in the order Power, Precision, Possibility, Pain.",
    ],
    from: "G6",
    page: "The page gives the theme to the pool with the highest die, and of equals it says nothing.",
};

pub const SURPLUS: HouseRule = HouseRule {
    id: "surplus",
    question: "What happens to effect levels beyond a clock's last segment?",
    options: Options::Words(&["carry", "lost"]),
    readings: &[
        "They roll on into the clock that it is linked to.",
        "They are lost.",
    ],
    from: "G12",
    page: "The page lets full clocks roll over to the next, and does not say what of a surplus does.",
};

pub const FULL_CLOCK: HouseRule = HouseRule {
    id: "full-clock",
    question: "Is a full clock of Stress or Blood emptied once it wounds?",
    options: Options::Words(&["stays", "empties"]),
    readings: &[
        "No: it stays full until the scene ends.",
        "Yes: the Trauma or Wound clears it, and it fills anew.",
    ],
    from: "G8",
    page: "The page clears the clocks at the end of a scene, and names no other time.",
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
