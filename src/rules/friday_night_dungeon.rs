//! Friday Night Dungeon: two six-sided dice, and never more than one step above yourself.

mod challenge;
mod combat;
mod sheet;

use super::spec::{FirstAid, SystemSpec};
use super::{HouseRule, Options, System};

/// Friday Night Dungeon, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::FridayNightDungeon,
    id: "friday-night-dungeon",
    name: "Friday Night Dungeon",
    gm: "Dungeon Master",
    when: &[
        "What is up to two steps below the competence succeeds nearly by itself; what is more than one step above it may not be tried at all.",
        "A physical challenge may be repeated while tools and stamina last; a mental one after inspiration, a clue or rest; charm when the Dungeon Master allows it.",
    ],
    checks: &[&challenge::SPEC, &combat::SPEC],
    stats: sheet::STATS,
    house: &[FAR_BELOW, TRIPLE, DOUBLE_SIX],
    conditions: sheet::CONDITIONS,
    standing: sheet::standing,
    derive: sheet::derive,
    means: sheet::means,
    first_aid: FirstAid::EndsDying,
    sample: (
        include_str!("../../sessions/friday-night-dungeon.toml"),
        include_str!("../../sessions/friday-night-dungeon.txt"),
    ),
    ..SystemSpec::PLAIN
};

pub const FAR_BELOW: HouseRule = HouseRule {
    id: "far-below",
    question: "What is the target number where the difficulty is two or more steps below the competence?",
    options: Options::Words(&["extrapolate", "one-step"]),
    readings: &[
        "Each step lowers it by 3: 1, −2, …",
        "4, as for one step below.",
    ],
    from: "F2",
    page: "The page changes the target number by 3 for one step, and of more steps below it says nothing: 7 would be harder than 4.",
};

pub const TRIPLE: HouseRule = HouseRule {
    id: "triple",
    question: "Are three of the same value on combat dice three symbols or three faces?",
    options: Options::Words(&["symbol", "face"]),
    readings: &[
        "Three of the same symbol: sword, talent or shield.",
        "Three dice with the same face.",
    ],
    from: "F15",
    page: "The page: three of the same value, after it named the values sword, talent and shield.",
};

pub const DOUBLE_SIX: HouseRule = HouseRule {
    id: "double-six",
    question: "Are double sixes a critical success where the total does not reach the target number?",
    options: Options::Words(&["always", "reaching"]),
    readings: &[
        "Yes: they are read off the dice.",
        "No: the total must reach the target number too.",
    ],
    from: "F11",
    page: "The page: double sixes are a critical success, without a condition.",
};
