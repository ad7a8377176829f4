//! The attribute roll of a Strategy (Gnosis, Resolution).

use super::effect_table;
use crate::dice::{Die, Group, Keep, Pool, Reading, Role, See};
use crate::rules::{
    Answer, Ask, Check, ChoiceId, Choices, Consequence, Fields, Heard, House, Outcome, OutcomeId,
    Picked, Refused, Side, Tally,
};

mod spec;
pub(super) mod themes;
mod told;

pub(super) use spec::SPEC;

const CRITICAL_SUCCESS: OutcomeId = OutcomeId(0);
const SUCCESS: OutcomeId = OutcomeId(1);
const TIE: OutcomeId = OutcomeId(2);
const FAILURE: OutcomeId = OutcomeId(3);
const CRITICAL_FAILURE: OutcomeId = OutcomeId(4);

/// "By default, if the Hero exceeds the Pain Pool by 7 or more" (Gnosis, Resolution: criticals).
pub(super) const CRITICAL_MARGIN: i32 = 7;

/// The three attributes, in the order of their dice: id, name, role.
const ATTRIBUTES: [(&str, &str, Role); 3] = [
    ("power", "Power", Role::Power),
    ("precision", "Precision", Role::Precision),
    ("possibility", "Possibility", Role::Possibility),
];

/// What the Hero rolls against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Against {
    /// So many d10, of which the highest three count.
    Pain(u8),
    /// A number.
    Difficulty(i32),
}

/// An attribute roll with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Strategy {
    dice: [Die; 3],
    tiers: [i8; 3],
    disadvantage: u8,
    against: Against,
    /// The least difference that is a critical, if there are criticals.
    critical: Option<i32>,
    /// What equal sums come to (house rule `tie`).
    equal: OutcomeId,
    scale: String,
    row: effect_table::Row,
    risk: Consequence,
    /// Of several pools that share the highest die, only the first is the theme (house rule
    /// `theme-tie`).
    first_theme: bool,
    /// Levels of disadvantage go wherever the player puts them (house rule `stacking`).
    stacks: bool,
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// So many levels of disadvantage are still to be taken, and the next one is tied.
    Levels { tiers: [i8; 3], left: u8 },
    /// The attribute of this index rolls next; `hero` is the sum of those before it, whose tiers are
    /// forgotten.
    Hero { at: u8, tiers: [i8; 3], hero: i32 },
    /// The Pain Pool rolls next.
    Pain { hero: i32 },
    /// Resolved.
    Response { hero: i32, target: i32 },
}

/// The attributes with the greatest advantage, by index.
fn greatest(tiers: [i8; 3]) -> impl Iterator<Item = usize> {
    let most = tiers.into_iter().max();
    (0..tiers.len()).filter(move |&index| Some(tiers[index]) == most)
}

/// Takes levels of disadvantage, each from the attribute with the greatest advantage, until a tie asks
/// for a decision (Gnosis, Consequences). Where they may add up on one, each is a decision.
fn settle(mut tiers: [i8; 3], mut left: u8, stacks: bool) -> State {
    if stacks && left > 0 {
        return State::Levels { tiers, left };
    }
    while left > 0 {
        let mut most = greatest(tiers);
        match (most.next(), most.next()) {
            (Some(index), None) => tiers[index] -= 1,
            _ => return State::Levels { tiers, left },
        }
        left -= 1;
    }
    State::Hero {
        at: 0,
        tiers,
        hero: 0,
    }
}

impl Strategy {
    fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        let against = match (
            fields.maybe_number("pain"),
            fields.maybe_number("difficulty"),
        ) {
            (Some(pain), None) => Against::Pain(u8::try_from(pain).unwrap_or(u8::MAX)),
            (None, Some(difficulty)) => Against::Difficulty(difficulty),
            (Some(_), Some(_)) | (None, None) => {
                return Err(Refused(
                    "a Strategy is rolled against pain or difficulty: exactly one of them"
                        .to_owned(),
                ));
            }
        };
        let margin = fields
            .maybe_number("critical-margin")
            .or_else(|| house.number("critical-margin"))
            .unwrap_or(CRITICAL_MARGIN);
        let plain =
            matches!(against, Against::Difficulty(_)) && house.is("static-criticals", "off");
        let small = |id| i8::try_from(fields.number(id)).unwrap_or_default();
        let scale = fields.text("scale");
        let strategy = Self {
            dice: ATTRIBUTES.map(|(id, ..)| fields.die(id)),
            tiers: ["power-tier", "precision-tier", "possibility-tier"].map(small),
            disadvantage: small("disadvantage").unsigned_abs(),
            against,
            critical: (!plain).then_some(margin),
            equal: if house.is("tie", "success") {
                SUCCESS
            } else if house.is("tie", "failure") {
                FAILURE
            } else {
                TIE
            },
            scale: scale.to_owned(),
            row: effect_table::row(scale),
            risk: match fields.text("risk") {
                "safe" => Consequence::None,
                "bloody" => Consequence::Blood,
                _ => Consequence::Stress,
            },
            first_theme: house.is("theme-tie", "first"),
            stacks: house.is("stacking", "any"),
        };
        // Which of equal attributes takes a level does not change how many are below 0.
        let worst = if strategy.stacks {
            strategy.tiers
        } else {
            strategy.worst_tiers()
        };
        if worst.iter().all(|&tier| tier < 0) {
            return Err(Refused(
                "all three attributes are at a disadvantage: the Hero is taken out and cannot roll"
                    .to_owned(),
            ));
        }
        Ok(strategy)
    }

    /// The tiers after all disadvantage, ties taken in order.
    fn worst_tiers(&self) -> [i8; 3] {
        let mut tiers = self.tiers;
        for _ in 0..self.disadvantage {
            if let Some(index) = greatest(tiers).next() {
                tiers[index] -= 1;
            }
        }
        tiers
    }

    /// The attributes that may take the next level: those with the greatest advantage, or any that leaves
    /// one of the three without disadvantage.
    fn open_to_a_level(&self, tiers: [i8; 3]) -> Vec<usize> {
        if !self.stacks {
            return greatest(tiers).collect();
        }
        let stands = |index: &usize| {
            let mut after = tiers;
            after[*index] -= 1;
            after.iter().any(|tier| *tier >= 0)
        };
        (0..tiers.len()).filter(stands).collect()
    }

    /// The dice of one attribute: one and its tier's, of which the highest counts; below 0 the lowest.
    fn attribute(&self, index: usize, tier: i8) -> Pool {
        Pool {
            dice: vec![Group {
                die: self.dice[index],
                count: 1 + tier.unsigned_abs(),
                role: ATTRIBUTES[index].2,
            }],
            keep: match tier.signum() {
                0 => Keep::All,
                1 => Keep::Highest(1),
                _ => Keep::Lowest(1),
            },
            see: See::Sum,
        }
    }

    fn pain(&self) -> Pool {
        let count = match self.against {
            Against::Pain(count) => count,
            Against::Difficulty(_) => 0,
        };
        Pool {
            dice: vec![Group {
                die: Die::D10,
                count,
                role: Role::Pain,
            }],
            keep: Keep::Highest(3),
            see: See::Sum,
        }
    }

    /// The outcome of a difference (Gnosis, Resolution; the tie from Challenge).
    fn judge(&self, margin: i32) -> OutcomeId {
        let critical = self.critical.is_some_and(|least| margin.abs() >= least);
        match (margin.signum(), critical) {
            (0, _) => self.equal,
            (1, true) => CRITICAL_SUCCESS,
            (1, false) => SUCCESS,
            (_, false) => FAILURE,
            (_, true) => CRITICAL_FAILURE,
        }
    }
}

impl Check for Strategy {
    type State = State;

    fn start(&self) -> State {
        settle(self.tiers, self.disadvantage, self.stacks)
    }

    fn ask(&self, state: &State) -> Ask {
        match *state {
            State::Levels { tiers, .. } => {
                let open = self.open_to_a_level(tiers);
                let first = greatest(tiers).next();
                let default = open.iter().position(|index| Some(*index) == first);
                let options = open.into_iter().map(|index| {
                    let (id, name, _) = ATTRIBUTES[index];
                    let (tier, less) = (tiers[index], tiers[index] - 1);
                    Picked {
                        id: ChoiceId(u32::try_from(index).unwrap_or_default()),
                        name: id.to_owned(),
                        label: format!("{name}: tier {} becomes {}", signed(tier), signed(less)),
                    }
                });
                Ask::Choose {
                    what: Choices {
                        choice: "disadvantage",
                        options: options.collect(),
                        default: default.unwrap_or(0),
                    },
                    by: Side::Actor,
                }
            }
            State::Hero { at, tiers, .. } => {
                let index = usize::from(at);
                Ask::Roll {
                    pool: self.attribute(index, tiers[index]),
                    by: Side::Actor,
                }
            }
            State::Pain { .. } => Ask::Roll {
                pool: self.pain(),
                by: Side::Gm,
            },
            State::Response { hero, target } => {
                let outcome = self.judge(hero - target);
                Ask::Response(
                    outcome,
                    Tally {
                        total: Some(hero),
                        levels: effect_table::cell(&self.row, outcome).levels,
                        open: None,
                    },
                )
            }
        }
    }

    fn hear(&self, state: State, heard: &Heard) -> State {
        match (state, heard) {
            (State::Levels { mut tiers, left }, Heard::Chose(ChoiceId(index))) => {
                let index = usize::try_from(*index).unwrap_or_default();
                tiers[index.min(2)] -= 1;
                settle(tiers, left - 1, self.stacks)
            }
            (
                State::Hero {
                    at,
                    mut tiers,
                    hero,
                },
                Heard::Dice(Reading::Sum(face)),
            ) => {
                tiers[usize::from(at)] = 0;
                let hero = hero + face;
                match (at, self.against) {
                    (0 | 1, _) => State::Hero {
                        at: at + 1,
                        tiers,
                        hero,
                    },
                    (_, Against::Pain(_)) => State::Pain { hero },
                    (_, Against::Difficulty(target)) => State::Response { hero, target },
                }
            }
            (State::Pain { hero }, Heard::Dice(Reading::Sum(target))) => State::Response {
                hero,
                target: *target,
            },
            (state, _) => state,
        }
    }

    fn report(&self, trail: &[Answer]) -> Outcome {
        self.tell(trail)
    }
}

/// A tier with its sign as print has it.
fn signed(tier: i8) -> String {
    if tier < 0 {
        format!("−{}", tier.unsigned_abs())
    } else {
        tier.to_string()
    }
}

#[cfg(test)]
mod tests;
