//! HFRPG: dice that explode and implode, and tokens that push them.

mod acs;
mod placing;
mod reading;
mod sheet;

use super::system::{AtEnd, PoolSpec, Purse, SystemSpec};
use super::{HouseRule, Options, System, TokenKind};

/// HFRPG, described.
pub static SYSTEM: SystemSpec = SystemSpec {
    system: System::Hfrpg,
    id: "hfrpg",
    name: "HFRPG",
    gm: "GM",
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
    clocks: &[],
    house: &[
        HouseRule {
            id: "explosion",
            question: "What does an exploding die add beside its further roll?",
            options: Options::Words(&[
                (
                    "once",
                    "Each die counts at most once: a lone exploding 8 beside a 3 is 8 and the further roll.",
                ),
                (
                    "apart",
                    "The exploding dice count on top of the best other die: 8 + 3 and the further roll.",
                ),
                (
                    "twice",
                    "The exploding dice count on top of the highest die, itself included: 8 + 8 and the further roll.",
                ),
            ]),
            from: "P1",
            page: "The page: each exploding die is added to the result, and grants one more roll. Its example fits all three readings.",
        },
        HouseRule {
            id: "attribute-zero",
            question: "What happens with an Attribute of 0?",
            options: Options::Words(&[
                (
                    "zero",
                    "No die is rolled: the result is Competency and Specialisation alone.",
                ),
                ("failure", "An automatic failure, without a token."),
            ]),
            from: "P8",
            page: "The page lets attributes be 0, impaired, and does not say what is rolled then.",
        },
        HouseRule {
            id: "lone-one",
            question: "A single die shows 1, and the result is a Critical Failure: how many penalty tokens?",
            options: Options::Words(&[
                ("both", "Two: one for the die and one for the result."),
                ("one", "One: the die's is the result's."),
            ]),
            from: "P6",
            page: "The page gives a penalty token for a single die that shows 1, and another for a Critical Failure.",
        },
        HouseRule {
            id: "last-die",
            question: "As many dice implode as there are: is one left?",
            options: Options::Words(&[
                ("one", "One die is always left, a 1."),
                ("none", "No: nothing counts but what is added."),
            ]),
            from: "P3",
            page: "The page lets each imploding die remove the highest result, and of two dice counts only the 1.",
        },
        HouseRule {
            id: "removed",
            question: "Does an imploding die remove a maximum that another 1 cancelled?",
            options: Options::Words(&[
                ("highest", "Yes: it removes the highest result there is."),
                ("uncancelled", "No: what was cancelled stays and counts."),
            ]),
            from: "P4",
            page: "The page removes the highest result from the pool, and calls a cancelled maximum still the highest.",
        },
        HouseRule {
            id: "two-dice",
            question: "Two dice show the maximum and a 1: what counts?",
            options: Options::Words(&[
                ("cancel", "They cancel each other, and the maximum counts."),
                ("one", "Only the 1, as of any two dice."),
            ]),
            from: "P5",
            page: "The page cancels an exploding and an imploding die, and says that of two dice only the 1 is counted.",
        },
        HouseRule {
            id: "open-penalties",
            question: "What does a bonus token do that a roll gives beside open penalties?",
            options: Options::Words(&[
                ("cancel", "It takes one of them away."),
                (
                    "stay",
                    "It is lost: penalties go only by being used on a roll.",
                ),
            ]),
            from: "P12",
            page: "The page lets a penalty take a bonus away and says nothing of the other way round; penalties must be used on the next roll.",
        },
        HouseRule {
            id: "session-penalties",
            question: "Do penalty tokens survive the end of the session?",
            options: Options::Words(&[
                ("reset", "No: every pool starts at 0."),
                ("stay", "Yes: only unused bonuses are lost."),
            ]),
            from: "P13",
            page: "The page starts each session at 0, and says of bonuses alone that they are lost.",
        },
    ],
    conditions: &[],
    standing: |_, _| None,
    derive: |_, _, _, _| None,
    means: |_, _| None,
};
