//! Implements the ACS roll of the HFRPG rules ("Attribute + Competency + Specialisation").
//!
//! 1. The difficulty decides the die, from d12 for very easy to d4 for very hard. A roll of the difficulty `certain`
//!    succeeds, and one of the difficulty `impossible` fails, without dice. The player rolls as many dice as the
//!    Attribute.
//! 2. The player places bonus tokens on the dice, or the GM places penalty tokens ([`super::token_allocation`]).
//! 3. Dice cancel, implode and explode ([`super::exploding`]).
//! 4. Each exploding die is rolled again, one die at a time, and adds its face. It is rolled until it no longer shows its
//!    maximum.
//! 5. Competency, Specialisation and the bonus of a group are added. The total is compared with the thresholds
//!    ([`thresholds`]), which also give bonus and penalty tokens.

use super::exploding::{ExplosionRule, PoolResult};
use super::token_allocation::{Allocation, MAX_DICE, ReachableResults, Tokens};
use crate::die_roles;
use crate::{
    Ask, Check, CheckSpec, ChoiceId, Choices, Explanation, Fields, HouseRules, OutcomeId, Policy,
    Refused, Score, Side, Step,
};
use tableside_dice::{Die, DieRole, EqualDice, Face, Measure, Observation, Pool};

use self::thresholds::{CLEAN_FAILURE, CLEAN_SUCCESS, CRITICAL_TOTAL, is_success, threshold_of};

mod explained;
mod placing;
mod preplaced;
#[cfg(test)]
mod tests;
mod thresholds;

/// The largest number of times that exploding dice are rolled again in one check.
const MAX_FURTHER_ROLLS: u16 = 1_000;

/// An ACS roll before its dice are rolled.
#[derive(Clone, Debug)]
pub(super) struct Acs {
    spec: &'static CheckSpec,
    /// The outcome, if the check is not rolled.
    automatic: Option<AutomaticOutcome>,
    die: Die,
    attribute: u8,
    competency: i32,
    specialisation: i32,
    group: i32,
    tokens: Tokens,
    /// True if bonus tokens are spent unless the player decides otherwise. False if the player set no number of them
    /// before the roll.
    spends_by_default: bool,
    /// The number of tokens on each die in ascending order, if they are placed before the roll. Only the computation of
    /// odds uses it, since odds do not depend on the order of the dice.
    preplaced: Option<Vec<u8>>,
    explosion: ExplosionRule,
    /// True if tokens are placed by default, without a question. Only the computation of odds uses it.
    takes_defaults: bool,
}

/// The outcome of a check that is not rolled, and the sentence that explains it.
#[derive(Clone, Copy, Debug)]
struct AutomaticOutcome {
    outcome: OutcomeId,
    reason: &'static str,
}

/// The progress of an ACS roll.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum AcsState {
    /// Before the first roll.
    #[default]
    Start,
    /// The dice are being rolled, with tokens placed before the roll. Dice with the same number of tokens are rolled
    /// together. `faces` holds the faces of the dice that are already rolled.
    Preplaced {
        faces: [Face; MAX_DICE],
        rolled: usize,
    },
    /// Tokens are about to be placed. The state does not hold the number of tokens that each result costs, since odds
    /// do not depend on it.
    Placing { reachable: ReachableResults },
    /// The dice that still explode are rolled one by one. The check ends when none is left.
    Exploding {
        /// The sum of the dice that are already rolled.
        sum: i32,
        exploding: u8,
        further_rolls: u16,
    },
}

impl Acs {
    pub(super) fn new(fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let attribute = small_number(fields, "attribute");

        Ok(Self {
            spec: fields.spec(),
            automatic: automatic_outcome(fields.text("difficulty"), attribute, house),
            die: die_for_difficulty(fields.text("difficulty")),
            attribute,
            competency: fields.number("competency"),
            specialisation: fields.number("specialisation"),
            group: fields.number("group"),
            tokens: tokens(fields)?,
            spends_by_default: small_number(fields, "bonus") > 0,
            preplaced: None,
            explosion: ExplosionRule::new(house),
            takes_defaults: false,
        })
    }

    /// Returns the highest face of the die.
    #[inline]
    fn maximum(&self) -> Face {
        self.die.highest()
    }

    /// Returns the sum of everything that is added to the dice.
    fn modifiers(&self) -> i32 {
        self.competency + self.specialisation + self.group
    }

    fn pool(&self, count: u8) -> Pool {
        let dice = vec![EqualDice::new(self.die, count, DieRole::POOL)];
        Pool::all(dice, Measure::KeptDice(0))
    }

    /// Returns the result of these faces. They may be in any order.
    fn read_unsorted(&self, faces: &[Face]) -> PoolResult {
        let mut faces = faces.to_vec();
        faces.sort_unstable_by(|a, b| b.cmp(a));
        self.explosion.read_pool(&faces, self.maximum())
    }

    /// Returns the results that the tokens can change these faces to. `faces` are in descending order.
    fn reachable_results(&self, faces: &[Face]) -> ReachableResults {
        self.tokens
            .reachable_results(self.explosion, faces, self.maximum())
    }

    /// Returns the placing with the fewest tokens for each result that the tokens can reach, the best result first.
    fn cheapest_allocations(&self, rolled: &[Face]) -> Vec<Allocation> {
        self.tokens
            .cheapest_allocations(self.explosion, rolled, self.maximum())
    }

    /// Returns the faces with these tokens placed on them; `None` if the rules forbid it.
    fn place_tokens(&self, rolled: &[Face], tokens: &[u8]) -> Option<Vec<Face>> {
        self.tokens.place(rolled, tokens, self.maximum())
    }

    /// Begins the check: asks for the pool unless the result is certain without it.
    fn start(&self, why: &mut Explanation) -> Step<AcsState> {
        if let Some(AutomaticOutcome { outcome, reason }) = self.automatic {
            why.tell(|why| why.say(reason));
            let score = Score::new(None, is_success(outcome).into());
            return Step::Done(outcome, score);
        }
        if self.attribute == 0 {
            why.tell(|why| why.say("An Attribute of 0 rolls no die."));
            return self.explode(PoolResult::default());
        }

        if self.preplaced.is_some() {
            return Step::Continue(AcsState::Preplaced {
                faces: [0; MAX_DICE],
                rolled: 0,
            });
        }
        if self.takes_defaults && self.can_raise_all_to_maximum() {
            let highest_faces = vec![self.maximum(); self.attribute.into()];
            return self.explode(self.read_unsorted(&highest_faces));
        }
        let pool = self.pool(self.attribute);
        Step::Ask(AcsState::Start, Ask::roll(pool, Side::Actor))
    }

    /// True if the bonus tokens suffice to raise every die to its maximum, whatever faces are rolled.
    fn can_raise_all_to_maximum(&self) -> bool {
        match self.tokens {
            Tokens::Bonus(count) if self.spends_by_default => {
                let needed_per_die = i32::from(self.maximum()) - 1;
                i32::from(count) >= i32::from(self.attribute) * needed_per_die
            }
            Tokens::Bonus(_) | Tokens::Penalty(_) => false,
        }
    }

    /// Reads the rolled pool. If tokens can change its result, the check next asks for their placing.
    #[inline]
    fn read_roll(&self, dice: &Observation, why: &mut Explanation) -> Step<AcsState> {
        let mut faces = [0; MAX_DICE];
        let faces = copy_faces(dice, &mut faces);

        let result = if self.tokens == Tokens::Bonus(0) {
            self.explosion.read_pool(faces, self.maximum())
        } else {
            let reachable = self
                .tokens
                .reachable_results(self.explosion, faces, self.maximum());
            match reachable.only_rank() {
                Some(rank) => PoolResult::from_rank(rank, self.maximum()),
                None if self.takes_defaults => self.default_result(reachable),
                None => return Step::Continue(AcsState::Placing { reachable }),
            }
        };

        why.tell(|why| self.explain_pool(why));
        self.explode(result)
    }

    /// Returns the result of the default placing: penalty tokens give the worst result, and bonus tokens the best if
    /// they are spent. Without bonus tokens the result is the lowest of those that they can reach.
    fn default_result(&self, reachable: ReachableResults) -> PoolResult {
        let mut ranks = reachable.ranks();
        let rank = match self.tokens {
            Tokens::Bonus(_) if self.spends_by_default => ranks.next(),
            Tokens::Bonus(_) | Tokens::Penalty(_) => ranks.last(),
        };
        PoolResult::from_rank(rank.unwrap_or_default(), self.maximum())
    }

    /// Continues with the rolls of the exploding dice.
    #[inline]
    fn explode(&self, result: PoolResult) -> Step<AcsState> {
        Step::Continue(AcsState::Exploding {
            sum: result.sum(self.maximum()),
            exploding: result.exploding,
            further_rolls: 0,
        })
    }

    /// Ends the check with this sum of all dice.
    fn end(&self, sum: i32) -> Step<AcsState> {
        let total = sum + self.modifiers();
        let outcome = threshold_of(total).outcome;
        let score = Score::new(Some(total), is_success(outcome).into());
        Step::Done(outcome, score)
    }

    /// Ends the check while odds are computed, because its outcome is certain although `exploding` dice still have to
    /// be rolled again.
    fn end_early(&self, sum: i32, exploding: u8) -> Step<AcsState> {
        match self.end(sum) {
            Step::Done(outcome, score) => {
                let open = Some((self.die.sides(), exploding));
                Step::Done(outcome, Score { open, ..score })
            }
            step => step,
        }
    }
}

/// Returns the number of a field. The bounds of the field keep the number small.
fn small_number(fields: &Fields, id: &str) -> u8 {
    u8::try_from(fields.number(id)).unwrap_or_default()
}

/// Returns the tokens that may be placed on the dice: the penalty tokens, the bonus tokens that were set before the
/// roll, or else all bonus tokens in the pool.
fn tokens(fields: &Fields) -> Result<Tokens, Refused> {
    let bonus = small_number(fields, "bonus");
    let penalty = small_number(fields, "penalty");

    if penalty == 0 {
        Ok(Tokens::Bonus(match bonus {
            0 => small_number(fields, "tokens"),
            _ => bonus,
        }))
    } else if bonus == 0 {
        Ok(Tokens::Penalty(penalty))
    } else {
        let message = "bonus and penalty tokens are one pool: only one of them can be above 0";
        Err(Refused(message.to_owned()))
    }
}

fn die_for_difficulty(difficulty: &str) -> Die {
    match difficulty {
        "very-easy" => Die::D12,
        "easy" => Die::D10,
        "hard" => Die::D6,
        "very-hard" => Die::D4,
        _ => Die::D8,
    }
}

/// Returns the outcome of a check that is not rolled.
fn automatic_outcome(
    difficulty: &str,
    attribute: u8,
    house: &HouseRules,
) -> Option<AutomaticOutcome> {
    match difficulty {
        "certain" => Some(AutomaticOutcome {
            outcome: CLEAN_SUCCESS,
            reason: "Certain: an automatic success, not rolled.",
        }),
        "impossible" => Some(AutomaticOutcome {
            outcome: CLEAN_FAILURE,
            reason: "Impossible: an automatic failure, not rolled.",
        }),
        _ if attribute == 0 && house.is("attribute-zero", "failure") => Some(AutomaticOutcome {
            outcome: CLEAN_FAILURE,
            reason: "An Attribute of 0 is an automatic failure at this table.",
        }),
        _ => None,
    }
}

impl Check for Acs {
    type State = AcsState;

    #[inline]
    fn next(&self, state: AcsState, why: &mut Explanation) -> Step<AcsState> {
        match state {
            AcsState::Start => self.start(why),
            AcsState::Preplaced { rolled, .. } => {
                let pool = self.pool(self.count_equal_placings(rolled));
                Step::Ask(state, Ask::roll(pool, Side::Actor))
            }
            AcsState::Placing { reachable } => {
                let side = match self.tokens {
                    Tokens::Bonus(_) => Side::Actor,
                    Tokens::Penalty(_) => Side::Gm,
                };
                let choices = self.placings(reachable, why.first_faces());
                Step::Ask(state, Ask::choose(choices, side))
            }
            AcsState::Exploding {
                sum, exploding: 0, ..
            } => {
                why.tell(|why| self.explain_result(sum, why));
                self.end(sum)
            }
            // Further dice cannot change a critical success. Odds stop here, a real roll continues.
            AcsState::Exploding { sum, exploding, .. }
                if why.is_for_odds && sum + self.modifiers() >= CRITICAL_TOTAL =>
            {
                self.end_early(sum, exploding)
            }
            AcsState::Exploding { .. } => {
                let pool = Pool::single(self.die, die_roles::CHAIN);
                Step::Ask(state, Ask::roll(pool, Side::Actor))
            }
        }
    }

    #[inline]
    fn after_roll(
        &self,
        state: AcsState,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<AcsState> {
        match state {
            AcsState::Start => self.read_roll(dice, why),
            AcsState::Preplaced { mut faces, rolled } => {
                let new_faces = copy_faces(dice, &mut faces[rolled..]);
                let rolled = rolled + new_faces.len();
                self.read_preplaced(faces, rolled)
            }
            AcsState::Placing { .. } => self.next(state, why),
            AcsState::Exploding {
                sum,
                mut exploding,
                further_rolls,
            } => {
                let further_rolls = further_rolls + 1;
                if further_rolls >= MAX_FURTHER_ROLLS {
                    exploding = 0;
                } else if dice.sum() != i32::from(self.maximum()) {
                    exploding -= 1;
                }
                Step::Continue(AcsState::Exploding {
                    sum: sum + dice.sum(),
                    exploding,
                    further_rolls,
                })
            }
        }
    }

    fn after_choice(
        &self,
        state: AcsState,
        choice: ChoiceId,
        why: &mut Explanation,
    ) -> Step<AcsState> {
        let AcsState::Placing { .. } = state else {
            return self.next(state, why);
        };
        why.tell(|why| self.explain_pool(why));
        self.explode(PoolResult::from_rank(choice.0, self.maximum()))
    }

    fn for_policy(&self, policy: &Policy) -> Option<Self> {
        if policy.takes_defaults() {
            let tokens = match self.tokens {
                // Without bonus tokens no roll needs a search for the results that they can reach.
                Tokens::Bonus(_) if !self.spends_by_default => Tokens::Bonus(0),
                tokens => tokens,
            };
            return Some(Self {
                tokens,
                takes_defaults: true,
                ..self.clone()
            });
        }
        self.with_tokens_placed(policy.strict_answers()?.first()?)
    }

    fn parse_answer(&self, rolled: &[Face], choices: &Choices, answer: &str) -> Option<ChoiceId> {
        self.parse_placing(rolled, choices, answer)
    }

    fn describe_answers(&self, rolled: &[Face], choices: &Choices) -> String {
        self.describe_placings(rolled, choices)
    }
}

/// Copies the faces of a roll to the start of `faces`, and returns them.
#[inline]
fn copy_faces<'a>(roll: &Observation, faces: &'a mut [Face]) -> &'a [Face] {
    let (dice, _) = roll.kept();
    let faces = &mut faces[..dice.len()];
    for (place, (face, _)) in dice.iter().enumerate() {
        faces[place] = *face;
    }
    faces
}
