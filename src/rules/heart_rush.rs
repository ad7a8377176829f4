//! Heart Rush: a heart die that shrinks with the hero, an ability die, and aspects that cut both ways.

mod sheet;
mod skill;

use super::system::{AtEnd, PoolSpec, SystemSpec};
use super::{HouseRule, Options, System, TokenKind};

/// Heart Rush, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::HeartRush,
    id: "heart-rush",
    name: "Heart Rush",
    gm: "GM",
    checks: &[&skill::SPEC],
    stats: sheet::STATS,
    pools: &[PoolSpec {
        kind: TokenKind::Destiny,
        name: "Destiny Points",
        shared: false,
        floor: 0,
        cap: Some(10),
        start: 3,
        at_session_end: AtEnd::AtLeastStart,
        gain_per_scene: Some(5),
    }],
    clocks: &[],
    house: &[HouseRule {
        id: "ones",
        question: "Does a dropped 1 bring a complication?",
        options: Options::Words(&[
            (
                "kept",
                "Only a 1 among the kept dice does, as if only they had been rolled.",
            ),
            (
                "any",
                "Any 1 does, also one that advantage or disadvantage drops.",
            ),
        ]),
        from: "H1",
    }],
    derive: |_, _, _| None,
};

/// The names of the Challenge Numbers (Heart Rush, Standard Difficulties).
pub(super) const CHALLENGE_NUMBERS: &[(i32, &str)] = &[
    (6, "Fairly Easy"),
    (9, "Average"),
    (12, "Hard"),
    (15, "Very Hard"),
    (18, "Nearly Impossible"),
    (21, "Heroic"),
];
