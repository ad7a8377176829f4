//! Implements the attribute roll of a Strategy (Gnosis, Resolution, Challenge and Consequences).
//!
//! 1. Each level of disadvantage lowers the tier of the attribute with the greatest advantage by 1. The player chooses
//!    among equal attributes.
//! 2. Power, Precision and Possibility roll one after the other: one die, and a further die for each tier. The highest
//!    die counts, or the lowest if the tier is below 0.
//! 3. Against pain, the GM rolls a pool of d10 (the Pain Pool), of which the highest three count. Otherwise the roll is
//!    against a fixed difficulty.
//! 4. The difference between the two sums decides the outcome ([`Strategy::judge`]). The effect table gives effect levels
//!    and consequences ([`super::effect_table`]).
//! 5. The pool with the highest counting die is the dominant narration theme ([`narration_themes`]).

use super::effect_table::effect_cell;
use crate::die_roles;
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

/// The pool of an attribute, or the Pain Pool.
#[derive(Clone, Copy, Debug)]
struct GnosisPool {
    id: &'static str,
    name: &'static str,
    role: DieRole,
}

/// The three attributes, in the order in which they roll.
const ATTRIBUTES: [GnosisPool; 3] = [
    GnosisPool {
        id: "power",
        name: "Power",
        role: die_roles::POWER,
    },
    GnosisPool {
        id: "precision",
        name: "Precision",
        role: die_roles::PRECISION,
    },
    GnosisPool {
        id: "possibility",
        name: "Possibility",
        role: die_roles::POSSIBILITY,
    },
];

const PAIN_POOL: GnosisPool = GnosisPool {
    id: "pain",
    name: "Pain",
    role: die_roles::PAIN,
};

/// The number of dice that count in the Pain Pool.
const COUNTED_PAIN_DICE: u32 = 3;

/// The tier of each attribute: above 0 for advantage, below 0 for disadvantage.
type Tiers = [i8; 3];

/// Prepares the attribute roll for these fields.
pub(super) fn prepare(fields: &Fields, house: &HouseRules) -> PreparedCheck {
    Ok(machine(fields, Strategy::new(fields, house)?))
}

/// The opposition to the Hero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opposition {
    /// A Pain Pool of this many d10.
    Pain(u8),
    /// A fixed difficulty.
    Difficulty(i32),
}

/// An attribute roll before its dice are rolled.
#[derive(Clone, Debug)]
pub(super) struct Strategy {
    spec: &'static CheckSpec,
    /// The die of each attribute.
    dice: [Die; 3],
    /// The tiers before disadvantage.
    tiers: Tiers,
    /// The number of levels of disadvantage.
    disadvantage: u8,
    opposition: Opposition,
    /// The smallest difference between the two sums that makes a success or failure critical.
    critical_margin: i32,
    scale: String,
    /// The row of the scale in the effect table.
    effect_row: usize,
    /// The clock that consequences fill.
    risk: Id,
    /// True if the first of several pools with the same highest die decides the theme (a house rule).
    first_pool_is_theme: bool,
}

/// The progress of an attribute roll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum StrategyState {
    /// Before the first step.
    #[default]
    Start,
    /// Some levels of disadvantage have not yet lowered a tier: `levels` of them.
    Disadvantage { tiers: Tiers, levels: u8 },
    /// The attribute with this index rolls next. `hero_sum` is the sum of the attributes before it. Their tiers are set
    /// to 0, so that the computation of odds can merge states.
    Attribute {
        place: u8,
        tiers: Tiers,
        hero_sum: i32,
    },
    /// The Pain Pool rolls next.
    Pain { hero_sum: i32 },
}

/// Returns the indices of the attributes with the greatest advantage.
fn greatest_advantage(tiers: Tiers) -> Vec<usize> {
    let greatest = tiers.into_iter().max();
    (0..tiers.len())
        .filter(|&place| Some(tiers[place]) == greatest)
        .collect()
}

impl Strategy {
    fn new(fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let default_margin = house.number(System::GNOSIS, "critical-margin");
        let tier = |id| i8::try_from(fields.number(id)).unwrap_or_default();

        let strategy = Self {
            spec: fields.spec(),
            dice: ATTRIBUTES.map(|attribute| fields.die(attribute.id)),
            tiers: ["power-tier", "precision-tier", "possibility-tier"].map(tier),
            disadvantage: tier("disadvantage").unsigned_abs(),
            opposition: opposition(fields)?,
            critical_margin: fields
                .maybe_number("critical-margin")
                .unwrap_or(default_margin),
            scale: fields.text("scale").to_owned(),
            effect_row: usize::try_from(fields.place("scale")).unwrap_or(0),
            risk: match fields.text("risk") {
                "safe" => Id::NONE,
                "bloody" => Id::new("blood"),
                _ => Id::new("stress"),
            },
            first_pool_is_theme: house.is("theme-tie", "first"),
        };

        // Choices among equal attributes do not change how many tiers fall below 0.
        if strategy.tiers_by_default().iter().all(|&tier| tier < 0) {
            let message =
                "all three attributes are at a disadvantage: the Hero is taken out and cannot roll";
            return Err(Refused(message.to_owned()));
        }
        Ok(strategy)
    }

    /// Returns the tiers after all levels of disadvantage. Among equal attributes each level lowers the first.
    fn tiers_by_default(&self) -> Tiers {
        let mut tiers = self.tiers;
        for _ in 0..self.disadvantage {
            let places = greatest_advantage(tiers);
            tiers[places[0]] -= 1;
        }
        tiers
    }

    /// Returns the dice of the attribute with this index.
    fn attribute_pool(&self, place: usize, tier: i8) -> Pool {
        let keep = match tier {
            0 => Keep::All,
            1.. => Keep::Highest(1),
            _ => Keep::Lowest(1),
        };
        let count = 1 + tier.unsigned_abs();
        let dice = EqualDice::new(self.dice[place], count, ATTRIBUTES[place].role);
        Pool::new(vec![dice], keep, Measure::Sum)
    }

    fn pain_pool(&self) -> Pool {
        let count = match self.opposition {
            Opposition::Pain(count) => count,
            Opposition::Difficulty(_) => 0,
        };
        let dice = EqualDice::new(Die::D10, count, PAIN_POOL.role);
        Pool::new(vec![dice], Keep::Highest(COUNTED_PAIN_DICE), Measure::Sum)
    }

    /// Returns the outcome. `margin` is the Hero's sum minus that of the opposition (Gnosis, Resolution; for ties,
    /// Challenge).
    fn judge(&self, margin: i32) -> OutcomeId {
        let is_critical = margin.abs() >= self.critical_margin;
        match margin {
            0 => TIE,
            1.. if is_critical => CRITICAL_SUCCESS,
            1.. => SUCCESS,
            _ if is_critical => CRITICAL_FAILURE,
            _ => FAILURE,
        }
    }

    /// Continues after the roll of the last attribute: with the Pain Pool, or with the outcome.
    fn oppose(&self, hero_sum: i32, why: &mut Explanation) -> Step<StrategyState> {
        match self.opposition {
            Opposition::Pain(_) => Step::Continue(StrategyState::Pain { hero_sum }),
            Opposition::Difficulty(difficulty) => self.end(hero_sum, difficulty, why),
        }
    }

    fn end(&self, hero_sum: i32, target: i32, why: &mut Explanation) -> Step<StrategyState> {
        why.tell(|why| self.explain_outcome(hero_sum, target, why));

        let outcome = self.judge(hero_sum - target);
        let levels = effect_cell(self.effect_row, outcome).levels;
        Step::Done(outcome, Score::new(Some(hero_sum), levels))
    }
}

fn opposition(fields: &Fields) -> Result<Opposition, Refused> {
    let pain = fields.maybe_number("pain");
    let difficulty = fields.maybe_number("difficulty");

    match (pain, difficulty) {
        (Some(pain), None) => {
            let dice = u8::try_from(pain).unwrap_or(u8::MAX);
            Ok(Opposition::Pain(dice))
        }
        (None, Some(difficulty)) => Ok(Opposition::Difficulty(difficulty)),
        (Some(_), Some(_)) | (None, None) => {
            let message = "a Strategy is rolled against pain or difficulty: exactly one of them";
            Err(Refused(message.to_owned()))
        }
    }
}

/// Asks which of the attributes with equal advantage loses a tier to a level of disadvantage.
fn equal_attributes(tiers: Tiers, places: &[usize]) -> Choices {
    let options = places.iter().map(|&place| {
        let attribute = ATTRIBUTES[place];
        let tier = signed(tiers[place]);
        let new_tier = signed(tiers[place] - 1);
        Picked {
            id: ChoiceId(u32::try_from(place).unwrap_or_default()),
            name: attribute.id.to_owned(),
            label: format!("{}: tier {tier} becomes {new_tier}", attribute.name),
            cost: String::new(),
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
    type State = StrategyState;

    fn next(&self, state: StrategyState, why: &mut Explanation) -> Step<StrategyState> {
        match state {
            StrategyState::Start => Step::Continue(StrategyState::Disadvantage {
                tiers: self.tiers,
                levels: self.disadvantage,
            }),
            StrategyState::Disadvantage { tiers, levels: 0 } => {
                Step::Continue(StrategyState::Attribute {
                    place: 0,
                    tiers,
                    hero_sum: 0,
                })
            }
            StrategyState::Disadvantage { tiers, levels } => {
                next_disadvantage(state, tiers, levels, why)
            }
            StrategyState::Attribute { place, tiers, .. } => {
                let place = usize::from(place);
                let pool = self.attribute_pool(place, tiers[place]);
                Step::Ask(state, Ask::roll(pool, Side::Actor))
            }
            StrategyState::Pain { .. } => {
                let pool = self.pain_pool();
                Step::Ask(state, Ask::roll(pool, Side::Gm))
            }
        }
    }

    fn after_choice(
        &self,
        state: StrategyState,
        choice: ChoiceId,
        why: &mut Explanation,
    ) -> Step<StrategyState> {
        match state {
            StrategyState::Disadvantage {
                tiers,
                levels: levels @ 1..,
            } => {
                let place = usize::try_from(choice.0).unwrap_or_default();
                explain_disadvantage(tiers, place, "as chosen among equals", why);
                take_disadvantage(tiers, levels, place)
            }
            _ => self.next(state, why),
        }
    }

    fn after_roll(
        &self,
        state: StrategyState,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<StrategyState> {
        match state {
            StrategyState::Attribute {
                place,
                mut tiers,
                hero_sum,
            } => {
                let rolled = usize::from(place);
                why.tell(|why| explain_roll(ATTRIBUTES[rolled].name, why));

                tiers[rolled] = 0;
                let hero_sum = hero_sum + dice.sum();
                if rolled + 1 == ATTRIBUTES.len() {
                    return self.oppose(hero_sum, why);
                }
                Step::Continue(StrategyState::Attribute {
                    place: place + 1,
                    tiers,
                    hero_sum,
                })
            }
            StrategyState::Pain { hero_sum } => {
                why.tell(|why| explain_roll(PAIN_POOL.name, why));
                self.end(hero_sum, dice.sum(), why)
            }
            StrategyState::Start | StrategyState::Disadvantage { .. } => self.next(state, why),
        }
    }
}

/// Applies the next level of disadvantage to the attribute with the greatest advantage. If several attributes share it,
/// asks for one of them (Gnosis, Consequences).
fn next_disadvantage(
    state: StrategyState,
    tiers: Tiers,
    levels: u8,
    why: &mut Explanation,
) -> Step<StrategyState> {
    match greatest_advantage(tiers).as_slice() {
        [place] => {
            explain_disadvantage(tiers, *place, "the greatest advantage", why);
            take_disadvantage(tiers, levels, *place)
        }
        places => {
            let choices = equal_attributes(tiers, places);
            Step::Ask(state, Ask::choose(choices, Side::Actor))
        }
    }
}

/// Lowers the tier of the attribute with this index by 1, for one of the levels of disadvantage.
fn take_disadvantage(mut tiers: Tiers, levels: u8, place: usize) -> Step<StrategyState> {
    tiers[place] -= 1;
    Step::Continue(StrategyState::Disadvantage {
        tiers,
        levels: levels - 1,
    })
}

fn explain_disadvantage(tiers: Tiers, place: usize, reason: &str, why: &mut Explanation) {
    why.tell(|why| {
        why.say(format!(
            "A level of disadvantage goes to {}, {reason}: tier {} becomes {}.",
            ATTRIBUTES[place].name,
            signed(tiers[place]),
            signed(tiers[place] - 1)
        ));
    });
}

/// Adds the dice of the last roll to the explanation, with a sentence about the dice that count.
fn explain_roll(pool_name: &str, why: &mut Explanation) {
    let (pool, faces) = why.show_roll();
    let rolled = format!("{pool_name}, {}: {}", pool.describe(), join(&faces, ", "));

    let mut counted: Vec<Face> = faces
        .iter()
        .zip(pool.kept(&faces))
        .filter(|(_, is_kept)| *is_kept)
        .map(|(&face, _)| face)
        .collect();
    counted.sort_unstable_by(|a, b| b.cmp(a));
    let sum: i32 = counted.iter().copied().map(i32::from).sum();
    let terms = join(counted, " + ");

    why.say(match pool.keep {
        Keep::All => format!("{rolled}."),
        Keep::Highest(1) => format!("{rolled}; the highest counts: {terms}."),
        Keep::Lowest(_) => format!("{rolled}; the lowest counts: {terms}."),
        Keep::Highest(_) => format!("{rolled}; the highest three count: {terms} = {sum}."),
    });
}

/// Formats a tier with a typographic minus sign.
fn signed(tier: i8) -> String {
    if tier < 0 {
        format!("−{}", tier.unsigned_abs())
    } else {
        tier.to_string()
    }
}

#[cfg(test)]
mod tests;
