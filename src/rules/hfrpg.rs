//! HFRPG: dice that explode and implode, and tokens that push them.

mod acs;
mod exploding;
mod sheet;
mod token_allocation;

use super::spec::{AtEnd, GroupWords, PoolSpec, Purse, SystemSpec};
use super::{HouseRule, Options, System, TokenKind};

/// HFRPG, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::Hfrpg,
    id: "hfrpg",
    name: "HFRPG",
    when: &[
        "What is Certain succeeds and what is Impossible fails without dice, and without a token either way.",
        "The difficulty says how large the dice are; what nobody doubts needs none.",
    ],
    checks: &[&acs::SPEC],
    stats: sheet::STATS,
    pools: &[PoolSpec {
        kind: TokenKind::Tokens,
        name: "Tokens",
        purse: Purse::Player,
        // Bonuses above 0, penalties below; the rules bound neither (HFRPG, Bonuses & Penalties).
        floor: i32::MIN,
        cap: None,
        start: 0,
        at_session_end: AtEnd::Reset,
        gain_per_scene: None,
    }],
    house: &[EXPLOSION, ATTRIBUTE_ZERO, SESSION_PENALTIES],
    group: GroupWords {
        best: "the highest ACS (group)",
        highest: Some("has the highest ACS"),
        ..GroupWords::PLAIN
    },
    sample: (
        include_str!("../../sessions/hfrpg.toml"),
        include_str!("../../sessions/hfrpg.txt"),
    ),
    ..SystemSpec::PLAIN
};

pub const EXPLOSION: HouseRule = HouseRule {
    id: "explosion",
    question: "What does an exploding die add beside its further roll?",
    options: Options::Words(&["once", "apart", "twice"]),
    readings: &[
        "Each die counts at most once: a lone exploding 8 beside a 3 is 8 and the further roll.",
        "The exploding dice count on top of the best other die: 8 + 3 and the further roll.",
        "The exploding dice count on top of the highest die, itself included: 8 + 8 and the further roll.",
    ],
    from: "P1",
    page: "The page: each exploding die is added to the result, and grants one more roll. Its example fits all three readings.",
};

pub const ATTRIBUTE_ZERO: HouseRule = HouseRule {
    id: "attribute-zero",
    question: "What happens with an Attribute of 0?",
    options: Options::Words(&["zero", "failure"]),
    readings: &[
        "No die is rolled: the result is Competency and Specialisation alone.",
        "An automatic failure, without a token.",
    ],
    from: "P8",
    page: "The page lets attributes be 0, impaired, and does not say what is rolled then.",
};

pub const SESSION_PENALTIES: HouseRule = HouseRule {
    id: "session-penalties",
    question: "Do penalty tokens survive the end of the session?",
    options: Options::Words(&["reset", "stay"]),
    readings: &[
        "No: every pool starts at 0.",
        "Yes: only unused bonuses are lost.",
    ],
    from: "P13",
    page: "The page starts each session at 0, and says of bonuses alone that they are lost.",
};
