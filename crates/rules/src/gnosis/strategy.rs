//! The attribute roll of a Strategy (Gnosis, Resolution).

use super::effect_table;
use crate::words::join;
use crate::{
    Ask, Check, CheckSpec, ChoiceId, Choices, Explanation, Fields, HouseRules, Id, OutcomeId,
    Picked, PreparedCheck, Refused, Score, Side, Step, System, machine,
};
use tableside_dice::{Die, DieRole, EqualDice, Face, Keep, Measure, Observation, Pool};

mod conclusion;
pub(super) mod narration_themes;

const CRITICAL_SUCCESS: OutcomeId = OutcomeId(0);
const SUCCESS: OutcomeId = OutcomeId(1);
const TIE: OutcomeId = OutcomeId(2);
const FAILURE: OutcomeId = OutcomeId(3);
const CRITICAL_FAILURE: OutcomeId = OutcomeId(4);

/// The three attributes, in the order of their dice: id, name, role.
const ATTRIBUTES: [(&str, &str, DieRole); 3] = [
    ("power", "Power", DieRole::POWER),
    ("precision", "Precision", DieRole::PRECISION),
    ("possibility", "Possibility", DieRole::POSSIBILITY),
];

/// The Pain Pool beside them.
const PAIN: (&str, &str, DieRole) = ("pain", "Pain", DieRole::PAIN);

/// The attribute roll of these fields.
pub(super) fn prepare(fields: &Fields, house: &HouseRules) -> PreparedCheck {
    Ok(machine(fields, Strategy::new(fields, house)?))
}

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
    spec: &'static CheckSpec,
    dice: [Die; 3],
    tiers: [i8; 3],
    disadvantage: u8,
    against: Against,
    /// The least difference that is a critical.
    critical: i32,
    scale: String,
    /// The row of the effect table that is the scale's.
    row: usize,
    risk: Id,
    /// Of several pools that share the highest die, only the first is the theme, by a house rule.
    first_theme: bool,
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Nothing happened yet.
    #[default]
    Start,
    /// So many levels of disadvantage are still to be taken.
    Levels { tiers: [i8; 3], left: u8 },
    /// The attribute of this index rolls next; `hero` is the sum of those before it, whose tiers are
    /// forgotten.
    Hero { at: u8, tiers: [i8; 3], hero: i32 },
    /// The Pain Pool rolls next.
    Pain { hero: i32 },
}

/// The attributes with the greatest advantage, by index.
fn greatest(tiers: [i8; 3]) -> impl Iterator<Item = usize> {
    let most = tiers.into_iter().max();
    (0..tiers.len()).filter(move |&index| Some(tiers[index]) == most)
}

impl Strategy {
    fn new(fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let either = ["pain", "difficulty"].map(|id| fields.maybe_number(id));
        let against = match either.into() {
            (Some(pain), None) => Against::Pain(u8::try_from(pain).unwrap_or(u8::MAX)),
            (None, Some(difficulty)) => Against::Difficulty(difficulty),
            (Some(_), Some(_)) | (None, None) => {
                let why = "a Strategy is rolled against pain or difficulty: exactly one of them";
                return Err(Refused(why.to_owned()));
            }
        };
        let margin = fields.maybe_number("critical-margin");
        let small = |id| i8::try_from(fields.number(id)).unwrap_or_default();
        let strategy = Self {
            spec: fields.spec(),
            dice: ATTRIBUTES.map(|(id, ..)| fields.die(id)),
            tiers: ["power-tier", "precision-tier", "possibility-tier"].map(small),
            disadvantage: small("disadvantage").unsigned_abs(),
            against,
            critical: margin.unwrap_or_else(|| house.number(System::GNOSIS, "critical-margin")),
            scale: fields.text("scale").to_owned(),
            row: usize::try_from(fields.place("scale")).unwrap_or(0),
            risk: match fields.text("risk") {
                "safe" => Id::NONE,
                "bloody" => Id::new("blood"),
                _ => Id::new("stress"),
            },
            first_theme: house.is("theme-tie", "first"),
        };
        // Which of equal attributes takes a level does not change how many are below 0.
        if strategy.worst_tiers().iter().all(|&tier| tier < 0) {
            let why =
                "all three attributes are at a disadvantage: the Hero is taken out and cannot roll";
            return Err(Refused(why.to_owned()));
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

    /// The dice of one attribute: one and its tier's, of which the highest counts; below 0 the lowest.
    fn attribute(&self, index: usize, tier: i8) -> Pool {
        let (die, (_, _, role)) = (self.dice[index], ATTRIBUTES[index]);
        let keep = match tier.signum() {
            0 => Keep::All,
            1 => Keep::Highest(1),
            _ => Keep::Lowest(1),
        };
        let dice = vec![EqualDice::new(die, 1 + tier.unsigned_abs(), role)];
        Pool::new(dice, keep, Measure::Sum)
    }

    fn pain(&self) -> Pool {
        let count = match self.against {
            Against::Pain(count) => count,
            Against::Difficulty(_) => 0,
        };
        let dice = vec![EqualDice::new(Die::D10, count, PAIN.2)];
        Pool::new(dice, Keep::Highest(3), Measure::Sum)
    }

    /// The outcome of a difference (Gnosis, Resolution; the tie from Challenge).
    fn judge(&self, margin: i32) -> OutcomeId {
        match (margin.signum(), margin.abs() >= self.critical) {
            (0, _) => TIE,
            (1, true) => CRITICAL_SUCCESS,
            (1, false) => SUCCESS,
            (_, false) => FAILURE,
            (_, true) => CRITICAL_FAILURE,
        }
    }
}

/// Which of the attributes with equal advantage takes a level of disadvantage.
fn equals(tiers: [i8; 3]) -> Choices {
    let options = greatest(tiers).map(|index| {
        let (id, name, _) = ATTRIBUTES[index];
        let (tier, less) = (signed(tiers[index]), signed(tiers[index] - 1));
        Picked {
            id: ChoiceId(u32::try_from(index).unwrap_or_default()),
            name: id.to_owned(),
            label: format!("{name}: tier {tier} becomes {less}"),
        }
    });
    Choices {
        choice: "disadvantage",
        ask: String::new(),
        options: options.collect(),
        default: 0,
    }
}

impl Check for Strategy {
    type State = State;

    fn next(&self, state: State, why: &mut Explanation) -> Step<State> {
        match state {
            State::Start => Step::Continue(State::Levels {
                tiers: self.tiers,
                left: self.disadvantage,
            }),
            State::Levels { tiers, left: 0 } => Step::Continue(State::Hero {
                at: 0,
                tiers,
                hero: 0,
            }),
            // Each level is taken from the attribute with the greatest advantage (Gnosis, Consequences).
            State::Levels { tiers, left } => {
                let mut most = greatest(tiers);
                if let (Some(index), None) = (most.next(), most.next()) {
                    return take_level(tiers, left, index, "the greatest advantage", why);
                }
                Step::Ask(state, Ask::choose(equals(tiers), Side::Actor))
            }
            State::Hero { at, tiers, .. } => {
                let index = usize::from(at);
                let pool = self.attribute(index, tiers[index]);
                Step::Ask(state, Ask::roll(pool, Side::Actor))
            }
            State::Pain { .. } => Step::Ask(state, Ask::roll(self.pain(), Side::Gm)),
        }
    }

    fn after_choice(&self, state: State, choice: ChoiceId, why: &mut Explanation) -> Step<State> {
        match state {
            State::Levels {
                tiers,
                left: left @ 1..,
            } => {
                let index = usize::try_from(choice.0).unwrap_or_default();
                take_level(tiers, left, index, "as chosen among equals", why)
            }
            _ => self.next(state, why),
        }
    }

    fn after_roll(&self, state: State, dice: &Observation, why: &mut Explanation) -> Step<State> {
        match state {
            State::Hero {
                at,
                mut tiers,
                hero,
            } => {
                let index = usize::from(at);
                why.tell(|why| explain_roll(ATTRIBUTES[index].1, why));

                tiers[index] = 0;
                let (at, hero) = (at + 1, hero + dice.sum());
                match (at, self.against) {
                    (1 | 2, _) => Step::Continue(State::Hero { at, tiers, hero }),
                    (_, Against::Pain(_)) => Step::Continue(State::Pain { hero }),
                    (_, Against::Difficulty(target)) => self.end(hero, target, why),
                }
            }
            State::Pain { hero } => {
                why.tell(|why| explain_roll(PAIN.1, why));
                self.end(hero, dice.sum(), why)
            }
            State::Start | State::Levels { .. } => self.next(state, why),
        }
    }
}

/// Takes one of the levels of disadvantage that are left from an attribute.
fn take_level(
    mut tiers: [i8; 3],
    left: u8,
    index: usize,
    reason: &str,
    why: &mut Explanation,
) -> Step<State> {
    let before = tiers[index];
    tiers[index] -= 1;
    why.tell(|why| {
        why.say(format!(
            "A level of disadvantage goes to {}, {reason}: tier {} becomes {}.",
            ATTRIBUTES[index].1,
            signed(before),
            signed(before - 1)
        ));
    });
    Step::Continue(State::Levels {
        tiers,
        left: left - 1,
    })
}

impl Strategy {
    fn end(&self, hero: i32, target: i32, why: &mut Explanation) -> Step<State> {
        why.tell(|why| self.sum_up(hero, target, why));
        let outcome = self.judge(hero - target);
        let levels = effect_table::cell(self.row, outcome).levels;
        Step::Done(outcome, Score::new(Some(hero), levels))
    }
}

/// Shows the dice of one pool, and says which of them count.
fn explain_roll(name: &str, why: &mut Explanation) {
    let (pool, faces) = why.show_roll();
    let rolled = format!("{name}, {}: {}", pool.describe(), join(&faces, ", "));
    let counted = faces.iter().zip(pool.kept(&faces));
    let counted = counted.filter(|(_, kept)| *kept).map(|(&face, _)| face);
    let mut counted: Vec<Face> = counted.collect();
    counted.sort_unstable_by(|a, b| b.cmp(a));
    let sum: i32 = counted.iter().copied().map(i32::from).sum();
    let all = join(counted, " + ");
    why.say(match pool.keep {
        Keep::All => format!("{rolled}."),
        Keep::Highest(1) => format!("{rolled}; the highest counts: {all}."),
        Keep::Lowest(_) => format!("{rolled}; the lowest counts: {all}."),
        Keep::Highest(_) => format!("{rolled}; the highest three count: {all} = {sum}."),
    });
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
