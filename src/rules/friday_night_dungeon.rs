//! Friday Night Dungeon: two six-sided dice, and never more than one step above yourself.

mod challenge;
mod combat;
mod sheet;

use super::system::SystemSpec;
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
    pools: &[],
    clocks: &[],
    house: HOUSE,
    conditions: sheet::CONDITIONS,
    standing: sheet::standing,
    derive: sheet::derive,
    means: sheet::means,
};

/// The readings that a table may decide otherwise.
const HOUSE: &[HouseRule] = &[
    HouseRule {
        id: "far-below",
        question: "What is the target number where the difficulty is two or more steps below the competence?",
        options: Options::Words(&[
            ("extrapolate", "Each step lowers it by 3: 1, −2, …"),
            ("one-step", "4, as for one step below."),
        ]),
        from: "F2",
        page: "The page changes the target number by 3 for one step, and of more steps below it says nothing: 7 would be harder than 4.",
    },
    HouseRule {
        id: "triple",
        question: "Are three of the same value on combat dice three symbols or three faces?",
        options: Options::Words(&[
            (
                "symbol",
                "Three of the same symbol: sword, talent or shield.",
            ),
            ("face", "Three dice with the same face."),
        ]),
        from: "F15",
        page: "The page: three of the same value, after it named the values sword, talent and shield.",
    },
    HouseRule {
        id: "exact",
        question: "Exactly the target number has a consequence: before or after aid, hindrance and wounds?",
        options: Options::Words(&[
            ("total", "After: the modified total is compared."),
            (
                "dice",
                "Before: the dice alone must show the target number; a total that only reaches it is a plain success.",
            ),
        ]),
        from: "F13",
        page: "The page compares the roll, and adds the modifier to your roll.",
    },
    HouseRule {
        id: "aid-and-hindrance",
        question: "Aid and hindrance together: what do they cancel?",
        options: Options::Words(&[
            (
                "each-other",
                "Each other; wounds and exhaustion still count.",
            ),
            (
                "all",
                "All that is added to the dice, wounds and exhaustion too.",
            ),
        ]),
        from: "F6",
        page: "The page: any amount of aid and hindrance will negate all modifications to the dice result.",
    },
    HouseRule {
        id: "no-bonuses",
        question: "Two wounds allow no bonuses: what is a bonus?",
        options: Options::Words(&[
            ("aid", "What aid adds to the dice."),
            ("advantage", "Aid, and the further die of advantage."),
        ]),
        from: "Health, Healing, Wounds",
        page: "The chapter on wounds: −1 on all challenge rolls and no bonuses. Advantage adds no number.",
    },
    HouseRule {
        id: "double-six",
        question: "Are double sixes a critical success where the total does not reach the target number?",
        options: Options::Words(&[
            ("always", "Yes: they are read off the dice."),
            (
                "reaching",
                "No: the total must reach the target number too.",
            ),
        ]),
        from: "F11",
        page: "The page: double sixes are a critical success, without a condition.",
    },
    HouseRule {
        id: "sixes-of",
        question: "With disadvantage, which dice must show the double sixes?",
        options: Options::Words(&[
            ("kept", "The two that are kept."),
            (
                "rolled",
                "Any two of the three rolled, though one of them be dropped.",
            ),
        ]),
        from: "F10",
        page: "The page rolls one extra die and keeps the two lowest, and does not say whether a dropped 6 makes double sixes.",
    },
    HouseRule {
        id: "competence",
        question: "A skill and an ability score both apply: which one counts?",
        options: Options::Words(&[
            ("better", "The better of the two; they are not added up."),
            ("skill", "The skill, even if the ability score is better."),
        ]),
        from: "F4",
        page: "The page has ability scores and skill ranks side by side on one ladder, and does not say which counts where both apply.",
    },
];
