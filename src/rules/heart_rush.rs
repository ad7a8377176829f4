//! Heart Rush: a heart die that shrinks with the hero, an ability die, and aspects that cut both ways.

mod attack;
mod basic;
mod save;
mod sheet;
mod skill;
mod stratagem;

use super::spec::{AtEnd, FirstAid, GroupWords, PoolSpec, Purse, SystemSpec};
use super::{HouseRule, Options, System, TokenKind};

/// Heart Rush, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::HeartRush,
    id: "heart-rush",
    name: "Heart Rush",
    when: &[
        "Roll when the action has a realistic chance of failure, when failing would be interesting, and when roleplay alone cannot settle it. Otherwise it simply succeeds or fails.",
        "A master thief picks a simple lock in the own workshop without a roll; the same lock at night, with guards on the way, is a roll.",
    ],
    checks: &[&skill::SPEC, &save::SPEC, &attack::SPEC, &stratagem::SPEC],
    stats: sheet::STATS,
    pools: &[PoolSpec {
        kind: TokenKind::Destiny,
        name: "Destiny Points",
        purse: Purse::Character,
        floor: 0,
        cap: Some(10),
        start: 3,
        at_session_end: AtEnd::AtLeastStart,
        gain_per_scene: Some(5),
    }],
    house: &[ONES, SCENE_CAP, STRATAGEM_CRISIS, WOUND_AT, LONG_REST],
    conditions: sheet::CONDITIONS,
    standing: sheet::standing,
    derive: sheet::derive,
    means: sheet::means,
    first_aid: FirstAid::TreatsWounds,
    group: GroupWords {
        worst: "the worst (weakest link)",
        best: "the best (collaborative)",
        ..GroupWords::PLAIN
    },
    sample: (
        include_str!("../../sessions/heart-rush.toml"),
        include_str!("../../sessions/heart-rush.txt"),
    ),
    ..SystemSpec::PLAIN
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

pub const ONES: HouseRule = HouseRule {
    id: "ones",
    question: "Does a dropped 1 bring a complication?",
    options: Options::Words(&["kept", "any"]),
    readings: &[
        "Only a 1 among the kept dice does, as if only they had been rolled.",
        "Any 1 does, also one that advantage or disadvantage drops.",
    ],
    from: "H1",
    page: "The page speaks of 1s on the dice and not of dropped ones; its own example drops a 1, and nothing comes of it.",
};

pub const SCENE_CAP: HouseRule = HouseRule {
    id: "scene-cap",
    question: "What happens to a negative invocation beyond 5 Destiny Points in a scene?",
    options: Options::Words(&["truncate", "refuse"]),
    readings: &[
        "It gains what is left of the 5; the penalty stays full.",
        "It is not allowed.",
    ],
    from: "H9",
    page: "The page: at most 5 Destiny Points per scene from negative invocations. What becomes of the rest it does not say.",
};

pub const STRATAGEM_CRISIS: HouseRule = HouseRule {
    id: "stratagem-crisis",
    question: "Does a 1 on a stratagem bring a crisis?",
    options: Options::Words(&["off", "on"]),
    readings: &[
        "No: the rule for 1s is about skill checks.",
        "Yes, once success or failure is settled.",
    ],
    from: "H8",
    page: "The page gives the rule for 1s to skill checks alone; the chapter on stratagems once played a crisis on a 1.",
};

pub const WOUND_AT: HouseRule = HouseRule {
    id: "wound-at",
    question: "How much damage leaves a wound?",
    options: Options::Number {
        min: 1,
        max: 99,
        default: 10,
    },
    readings: &[],
    from: "H15",
    page: "The page's heading says more than 10 damage, its text 10 or more.",
};

pub const LONG_REST: HouseRule = HouseRule {
    id: "long-rest",
    question: "What does a long rest give back?",
    options: Options::Words(&["rules", "full"]),
    readings: &[
        "By how it went: hit points up to the reduced most and a wound better, or half of what is missing.",
        "All hit points up to the reduced most, whatever the night was like.",
    ],
    from: "H20",
    page: "One chapter brings hit points back to their most, another tells a rest that succeeds from one that fails.",
};
