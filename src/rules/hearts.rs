//! HEARTS: roll under a value, count successes, sing of it later.

mod opposed;
mod sheet;
mod skill;
mod target;

use super::system::{AtEnd, PoolSpec, Purse, SystemSpec};
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
    clocks: &[],
    house: HOUSE,
    conditions: &[],
    standing: |_, _| None,
    derive: target::derive,
    means: |_, _| None,
};

/// The readings that a table may decide otherwise.
const HOUSE: &[HouseRule] = &[
    HouseRule {
        id: "tie",
        question: "Does a tie give each side half where nobody succeeded?",
        options: Options::Words(&[
            ("always", "Yes: the rule for ties has no condition."),
            ("both-succeed", "No: only where both sides succeeded."),
        ]),
        from: "M12",
        page: "The page gives each side half the result of a Normal Success, without a condition; its examples are ties of two successes.",
    },
    HouseRule {
        id: "quantity-zero",
        question: "What is a 0 on 1D10?",
        options: Options::Words(&[
            ("ten", "A ten, as on 2D10."),
            ("zero", "Zero: the roll is from 0 to 9."),
        ]),
        from: "M4",
        page: "The page reads a 0 on value dice as 10 for 2D10, and says nothing of 1D10.",
    },
    HouseRule {
        id: "opposed-fumble",
        question: "Does a Fumble in an opposed check give the other side a success?",
        options: Options::Words(&[
            (
                "counts",
                "Yes: a Fumble is −1, and successes are subtracted.",
            ),
            ("zero", "No: a Fumble counts as 0."),
        ]),
        from: "M11",
        page: "The page subtracts successes, and a Fumble is −1: so a failed attack can win.",
    },
    HouseRule {
        id: "maximum",
        question: "Does the highest roll there is fail whatever the target?",
        options: Options::Words(&[
            (
                "fails",
                "Yes: 100 on 1D100, 20 on 2D10, 10 on 1D10 always fail.",
            ),
            ("counts", "No: it is compared like any other roll."),
        ]),
        from: "M1",
        page: "The page's sentence on the maximum contradicts itself; read so that the highest roll fails, it means something.",
    },
    HouseRule {
        id: "maximum-fumble",
        question: "A 100 that fails against a target of 100 or more: is it a Fumble?",
        options: Options::Words(&[
            ("fumble", "Yes: it is a Failure, and a multiple of 10."),
            ("failure", "No: an ordinary Failure."),
        ]),
        from: "M2",
        page: "The page makes a Failure that is a multiple of 10 a Fumble, and lets the highest roll gain at most 0 successes.",
    },
    HouseRule {
        id: "times-fumble",
        question: "Does a modifier that multiplies successes multiply a Fumble, too?",
        options: Options::Words(&[
            (
                "positive",
                "No: only successes are multiplied; a Fumble stays −1.",
            ),
            ("all", "Yes: −1 times 2 is −2."),
        ]),
        from: "M9",
        page: "The page: each success they roll is doubled. A Fumble is −1, and no success.",
    },
    HouseRule {
        id: "static",
        question: "Are static modifiers added before the challenge multiplies?",
        options: Options::Words(&[
            (
                "before",
                "Yes: the challenge multiplies the effective value.",
            ),
            (
                "after",
                "No: they are added to what the challenge makes of the value.",
            ),
        ]),
        from: "M7",
        page: "The page calls the assisted skill the effective one, and multiplies “the Normal Value”.",
    },
    HouseRule {
        id: "hard",
        question: "A Hard Success is at most half of what?",
        options: Options::Words(&[
            ("target", "Of the final target, rounded up."),
            ("value", "Of the value on the sheet, rounded up."),
        ]),
        from: "M8",
        page: "The page says half the Skill value and not whether before or after modifiers.",
    },
    HouseRule {
        id: "watch",
        question: "Which successes of a Watch Lead give a Watch Action?",
        options: Options::Words(&[
            ("all", "Each: as many Watch Actions as successes."),
            ("beyond", "Only those beyond the first."),
        ]),
        from: "M10",
        page: "The page speaks of successes beyond the first, and its example counts each success of the Watch Lead.",
    },
    HouseRule {
        id: "levels",
        question: "A roll is at most half the target and a multiple of 10: how many successes?",
        options: Options::Words(&[
            ("best", "3: the highest level that applies."),
            ("add", "5: a Hard and a Heroic Success add up."),
        ]),
        from: "M3",
        page: "The page says of each level how many successes it gains, and not what happens where two apply.",
    },
    HouseRule {
        id: "assist",
        question: "What does a helper's skill of 100 or more give?",
        options: Options::Words(&[
            ("tens", "All its tens: 100 gives 10."),
            ("digit", "The digit in its tens place: 100 gives 0."),
        ]),
        from: "M5",
        page: "The page adds the tens place of the helper's skill; of skills of 100 and more it says nothing.",
    },
];
