//! HEARTS: roll under a value, count successes, sing of it later.

mod fields;
mod opposed;
mod sheet;
mod skill;
mod target;

use super::spec::{AtEnd, PoolSpec, Purse, SystemSpec};
use super::{HouseRule, Options, System, TokenKind};

/// HEARTS, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::Hearts,
    id: "hearts",
    name: "HEARTS",
    gm: "Player-Singer",
    when: &[
        "Most actions need no check: a character with the Training, the Tools and the Time for it does it well, in the time it takes.",
        "Check if one of these is missing, or if there is pressure, threat or other duress.",
        "And only with Reason and Worth: there must be a reason why success or failure matters to what is tried.",
        "A closed check, out of view of some players, is for where the characters are played better while these players do not know.",
    ],
    checks: &[
        &skill::SKILL_CHECK,
        &skill::TRAIT_CHECK,
        &skill::QUANTITY_CHECK,
        &opposed::SKILLS,
        &opposed::TRAITS,
    ],
    stats: sheet::STATS,
    pools: &[PoolSpec {
        kind: TokenKind::WatchActions,
        name: "Watch Actions",
        purse: Purse::Table,
        floor: 0,
        cap: None,
        start: 0,
        at_session_end: AtEnd::Stay,
        gain_per_scene: None,
    }],
    house: &[
        HALF_AT_A_TIE,
        QUANTITY_ZERO,
        OPPOSED_FUMBLE,
        MAXIMUM,
        LEVELS,
    ],
    derive: fields::derive,
    inner_struggle: true,
    sample: (
        include_str!("../../sessions/hearts.toml"),
        include_str!("../../sessions/hearts.txt"),
    ),
    ..SystemSpec::PLAIN
};

pub const HALF_AT_A_TIE: HouseRule = HouseRule {
    id: "tie",
    question: "Does a tie give each side half where nobody succeeded?",
    options: Options::Words(&["always", "both-succeed"]),
    readings: &[
        "Yes: the rule for ties has no condition.",
        "No: only where both sides succeeded.",
    ],
    from: "M12",
    page: "The page gives each side half the result of a Normal Success, without a condition; its examples are ties of two successes.",
};

pub const QUANTITY_ZERO: HouseRule = HouseRule {
    id: "quantity-zero",
    question: "What is a 0 on 1D10?",
    options: Options::Words(&["ten", "zero"]),
    readings: &["A ten, as on 2D10.", "Zero: the roll is from 0 to 9."],
    from: "M4",
    page: "The page reads a 0 on value dice as 10 for 2D10, and says nothing of 1D10.",
};

pub const OPPOSED_FUMBLE: HouseRule = HouseRule {
    id: "opposed-fumble",
    question: "Does a Fumble in an opposed check give the other side a success?",
    options: Options::Words(&["counts", "zero"]),
    readings: &[
        "Yes: a Fumble is −1, and successes are subtracted.",
        "No: a Fumble counts as 0.",
    ],
    from: "M11",
    page: "The page subtracts successes, and a Fumble is −1: so a failed attack can win.",
};

pub const MAXIMUM: HouseRule = HouseRule {
    id: "maximum",
    question: "Does the highest roll there is fail whatever the target?",
    options: Options::Words(&["fails", "counts"]),
    readings: &[
        "Yes: 100 on 1D100, 20 on 2D10, 10 on 1D10 always fail.",
        "No: it is compared like any other roll.",
    ],
    from: "M1",
    page: "The page's sentence on the maximum contradicts itself; read so that the highest roll fails, it means something.",
};

pub const LEVELS: HouseRule = HouseRule {
    id: "levels",
    question: "A roll is at most half the target and a multiple of 10: how many successes?",
    options: Options::Words(&["best", "add"]),
    readings: &[
        "3: the highest level that applies.",
        "5: a Hard and a Heroic Success add up.",
    ],
    from: "M3",
    page: "The page says of each level how many successes it gains, and not what happens where two apply.",
};
