//! Heart Rush: a heart die that shrinks with the hero, an ability die, and aspects that cut both ways.

mod attack;
mod basic;
mod save;
mod sheet;
mod skill;
mod stratagem;

use super::system::{AtEnd, PoolSpec, Purse, SystemSpec};
use super::{HouseRule, Options, System, TokenKind};

/// Heart Rush, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::HeartRush,
    id: "heart-rush",
    name: "Heart Rush",
    gm: "GM",
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
    clocks: &[],
    house: HOUSE,
    conditions: sheet::CONDITIONS,
    standing: sheet::standing,
    derive: sheet::derive,
    means: sheet::means,
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

/// The readings that a table may decide otherwise.
const HOUSE: &[HouseRule] = &[
    HouseRule {
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
        page: "The page speaks of 1s on the dice and not of dropped ones; its own example drops a 1, and nothing comes of it.",
    },
    HouseRule {
        id: "two-ones",
        question: "Two 1s on the first roll: may one of them be rolled again?",
        options: Options::Words(&[
            ("fail", "No: it fails, with a complication."),
            (
                "choose",
                "Yes, as for one 1: fail, or roll the larger of the two dice again, with a complication.",
            ),
        ]),
        from: "H6",
        page: "The page: two 1s on the initial roll fail with a complication. It also lets any die that shows a 1 be rolled again.",
    },
    HouseRule {
        id: "kept-again",
        question: "A kept 1 is rolled again: are the dice that count chosen anew?",
        options: Options::Words(&[
            ("no", "No: the die rolled again counts, whatever it shows."),
            (
                "yes",
                "Yes: the best dropped die counts in its place if it is higher, with disadvantage if it is lower.",
            ),
        ]),
        from: "H3",
        page: "The page drops dice and rolls a 1 again, and does not say in which order; an earlier edition treats the roll as if only the kept dice had been rolled.",
    },
    HouseRule {
        id: "scene-cap",
        question: "What happens to a negative invocation beyond 5 Destiny Points in a scene?",
        options: Options::Words(&[
            (
                "truncate",
                "It gains what is left of the 5; the penalty stays full.",
            ),
            ("refuse", "It is not allowed."),
        ]),
        from: "H9",
        page: "The page: at most 5 Destiny Points per scene from negative invocations. What becomes of the rest it does not say.",
    },
    HouseRule {
        id: "stratagem-crisis",
        question: "Does a 1 on a stratagem bring a crisis?",
        options: Options::Words(&[
            ("off", "No: the rule for 1s is about skill checks."),
            ("on", "Yes, once success or failure is settled."),
        ]),
        from: "H8",
        page: "The page gives the rule for 1s to skill checks alone; the chapter on stratagems once played a crisis on a 1.",
    },
    HouseRule {
        id: "stratagem-step",
        question: "By how much does an asset or a hindrance shift a stratagem's Challenge Number?",
        options: Options::Number {
            min: 1,
            max: 10,
            default: stratagem::STEP,
        },
        from: "Stratagem CNs",
        page: "The page lets assets lower and hindrances raise the number; 3 each is what the chapter on stratagems proposes.",
    },
    HouseRule {
        id: "attack-extra",
        question: "Which dice say how large the extra dice of an attack are?",
        options: Options::Words(&[
            ("all", "All of the pool, the weapon die too."),
            ("basic", "Only the heart die and the ability die."),
        ]),
        from: "H14",
        page: "The page adds “your lowest die type”, and an attack has a weapon die in its pool, too.",
    },
    HouseRule {
        id: "defensive-half",
        question: "How is the damage to a defender in the Defensive stance halved?",
        options: Options::Words(&[("up", "Rounded up."), ("down", "Rounded down.")]),
        from: "H16",
        page: "The page halves the damage and does not say how to round; a later edition rounds up.",
    },
    HouseRule {
        id: "shrug-half",
        question: "How is the damage halved that is shrugged off?",
        options: Options::Words(&[("up", "Rounded up."), ("down", "Rounded down.")]),
        from: "H16",
        page: "The page takes half and does not say how to round; a later edition rounds up.",
    },
    HouseRule {
        id: "treated",
        question: "When does treatment remove a wound?",
        options: Options::Words(&[
            ("zero", "Once its rank is brought to 0 or less."),
            ("below", "Only once its rank is brought below 0."),
        ]),
        from: "Treating Wounds",
        page: "The page removes a wound whose rank falls below zero; a wound of rank 0 is hard to imagine.",
    },
    HouseRule {
        id: "wound-at",
        question: "How much damage leaves a wound?",
        options: Options::Number {
            min: 1,
            max: 99,
            default: attack::WOUND_AT,
        },
        from: "H15",
        page: "The page's heading says more than 10 damage, its text 10 or more.",
    },
    HouseRule {
        id: "wound-heart",
        question: "Does a wound shrink the heart die?",
        options: Options::Words(&[
            (
                "no",
                "No: it shrinks where damage is shrugged off, and as people say.",
            ),
            ("step", "Yes: each wound costs a step, down to d4."),
        ]),
        from: "Core Dice System",
        page: "The page: as you tire or take wounds, this die shrinks. By how much it does not say.",
    },
    HouseRule {
        id: "equal-dice",
        question: "Two dice show the same lowest result: which is dropped by advantage?",
        options: Options::Words(&[
            (
                "smaller",
                "The smaller die, so that a kept 1 is rolled again with the larger.",
            ),
            ("larger", "The larger die."),
        ]),
        from: "H2",
        page: "The page removes the lowest results, and of equal ones on different dice it says nothing.",
    },
    HouseRule {
        id: "save-aspects",
        question: "May Destiny Points be spent on an aspect in a saving throw?",
        options: Options::Words(&[
            (
                "yes",
                "Yes: saving throws are like skill checks in all but the 1s.",
            ),
            ("no", "No: only skill checks and stratagems take them."),
        ]),
        from: "H11",
        page: "The page calls saving throws identical to skill checks, and tells of spending points in a skill check alone.",
    },
    HouseRule {
        id: "penalty-in",
        question: "In which rolls may the rank of an aspect be taken as a penalty?",
        options: Options::Words(&[
            ("any", "In any roll that the aspect applies to."),
            ("skill", "In skill checks alone."),
        ]),
        from: "H10",
        page: "The page takes the rank as a penalty to your roll; its example is a negotiation.",
    },
    HouseRule {
        id: "group-help",
        question: "The one who rolls for a group is helped by the others: how many levels of advantage is that?",
        options: Options::Words(&[
            ("one", "One: the group's advantage is their help."),
            ("two", "Two: one for the group, one for the help."),
        ]),
        from: "H13",
        page: "The page gives advantage to the one who rolls for the group, and says of helpers that they do not add up.",
    },
    HouseRule {
        id: "long-rest",
        question: "What does a long rest give back?",
        options: Options::Words(&[
            (
                "rules",
                "By how it went: hit points up to the reduced most and a wound better, or half of what is missing.",
            ),
            (
                "full",
                "All hit points up to the reduced most, whatever the night was like.",
            ),
        ]),
        from: "H20",
        page: "One chapter brings hit points back to their most, another tells a rest that succeeds from one that fails.",
    },
];
