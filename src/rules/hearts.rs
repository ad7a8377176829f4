//! HEARTS: roll under a value, count successes, sing of it later.

mod opposed;
mod sheet;
mod skill;
mod target;

use super::system::{AtEnd, PoolSpec, SystemSpec};
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
        shared: true,
        floor: 0,
        cap: None,
        start: 0,
        at_session_end: AtEnd::Stay,
        gain_per_scene: None,
    }],
    clocks: &[],
    house: HOUSE,
    derive: |_, _, _| None,
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
    },
    HouseRule {
        id: "quantity-zero",
        question: "What is a 0 on 1D10?",
        options: Options::Words(&[
            ("ten", "A ten, as on 2D10."),
            ("zero", "Zero: the roll is from 0 to 9."),
        ]),
        from: "M4",
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
    },
    HouseRule {
        id: "hard",
        question: "A Hard Success is at most half of what?",
        options: Options::Words(&[
            ("target", "Of the final target, rounded up."),
            ("value", "Of the value on the sheet, rounded up."),
        ]),
        from: "M8",
    },
    HouseRule {
        id: "assist",
        question: "What does a helper's skill of 100 or more give?",
        options: Options::Words(&[
            ("tens", "All its tens: 100 gives 10."),
            ("digit", "The digit in its tens place: 100 gives 0."),
        ]),
        from: "M5",
    },
];
