//! The ACS roll (HFRPG, Attribute + Competency + Specialisation).

use super::exploding::{Base, Explosion, read};
use super::token_allocation::{Allocation, Open, Tokens, parse};
use crate::dice::{Die, Face, Group, Observation, Pool, Projection, Role};
use crate::rules::{
    Answer, Answered, Ask, Check, CheckSpec, ChoiceId, Choices, Explanation, Fields, House,
    OutcomeId, Picked, Refused, Side, Tally,
};

mod explained;
mod preplaced;
#[cfg(test)]
mod tests;

use preplaced::{Dealt, Placed};

const CRITICAL_SUCCESS: OutcomeId = OutcomeId(0);
const CLEAN_SUCCESS: OutcomeId = OutcomeId(1);
const SCRAPED_BY: OutcomeId = OutcomeId(2);
const ALMOST_THERE: OutcomeId = OutcomeId(3);
const CLEAN_FAILURE: OutcomeId = OutcomeId(4);
const CRITICAL_FAILURE: OutcomeId = OutcomeId(5);

/// The result at which success is critical.
const CRITICAL: i32 = 16;

/// The most further rolls of one check.
const MOST_CHAINED: u16 = 1_000;

/// One row of the thresholds (HFRPG, Success/Failure Threshold).
struct Threshold {
    from: i32,
    outcome: OutcomeId,
    /// The result in words.
    words: &'static str,
    /// The token given: 1 a bonus, −1 a penalty.
    token: i32,
}

const fn threshold(from: i32, outcome: OutcomeId, words: &'static str, token: i32) -> Threshold {
    Threshold {
        from,
        outcome,
        words,
        token,
    }
}

const THRESHOLDS: [Threshold; 5] = [
    threshold(CRITICAL, CRITICAL_SUCCESS, "16 or more", 1),
    threshold(13, CLEAN_SUCCESS, "13 to 15", 0),
    threshold(10, SCRAPED_BY, "10 to 12", -1),
    threshold(7, ALMOST_THERE, "7 to 9", 1),
    threshold(4, CLEAN_FAILURE, "4 to 6", 0),
];

const LOWEST: Threshold = threshold(i32::MIN, CRITICAL_FAILURE, "3 or less", -1);

/// The row of the thresholds that a result falls into.
fn threshold_of(total: i32) -> &'static Threshold {
    let found = THRESHOLDS.iter().find(|row| total >= row.from);
    found.unwrap_or(&LOWEST)
}

/// An ACS roll with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Acs {
    spec: &'static CheckSpec,
    /// The outcome of a check that is not rolled, with the reason.
    automatic: Option<(OutcomeId, &'static str)>,
    die: Die,
    attribute: u8,
    competency: i32,
    specialisation: i32,
    group: i32,
    tokens: Tokens,
    /// Where the tokens go whatever falls, for odds alone.
    preplaced: Option<Placed>,
    explosion: Explosion,
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Not rolled at all.
    Automatic,
    /// Nothing rolled yet.
    Start,
    /// The dice fall heap by heap, for where the tokens go is known.
    Dealt(Dealt),
    /// Tokens are to be placed; this is what the pool can be brought to. How many tokens that takes is
    /// seen by nobody but the one who placed them.
    Place { open: Open },
    /// So many dice are still to be rolled further; resolved when there are none.
    Chain {
        fixed: i32,
        exploding: u8,
        rolled: u16,
    },
}

impl Acs {
    pub(super) fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        let small = |id| u8::try_from(fields.number(id)).unwrap_or_default();
        let attribute = small("attribute");
        let tokens = match (small("bonus"), small("penalty")) {
            (0, 0) => Tokens::None,
            (bonus, 0) => Tokens::Bonus(bonus),
            (0, penalty) => Tokens::Penalty(penalty),
            (_, _) => {
                return Err(Refused(
                    "bonus and penalty tokens are one pool: only one of them can be above 0"
                        .to_owned(),
                ));
            }
        };
        let impaired = attribute == 0 && house.is("attribute-zero", "failure");
        let automatic = match fields.text("difficulty") {
            "certain" => Some((CLEAN_SUCCESS, "Certain: an automatic success, not rolled.")),
            "impossible" => Some((
                CLEAN_FAILURE,
                "Impossible: an automatic failure, not rolled.",
            )),
            _ if impaired => Some((
                CLEAN_FAILURE,
                "An Attribute of 0 is an automatic failure at this table.",
            )),
            _ => None,
        };
        Ok(Self {
            spec: fields.spec(),
            automatic,
            die: match fields.text("difficulty") {
                "very-easy" => Die::D12,
                "easy" => Die::D10,
                "hard" => Die::D6,
                "very-hard" => Die::D4,
                _ => Die::D8,
            },
            attribute,
            competency: fields.number("competency"),
            specialisation: fields.number("specialisation"),
            group: fields.number("group"),
            tokens,
            preplaced: None,
            explosion: Explosion::at(house),
        })
    }

    fn top(&self) -> Face {
        self.die.highest()
    }

    fn added(&self) -> i32 {
        self.competency + self.specialisation + self.group
    }

    fn pool(&self) -> Pool {
        let dice = vec![Group::new(self.die, self.attribute, Role::POOL)];
        Pool::all(dice, Projection::Counts)
    }

    /// The state in which the pool counts for this.
    fn count(&self, base: Base) -> State {
        State::Chain {
            fixed: base.fixed(self.top()),
            exploding: base.exploding,
            rolled: 0,
        }
    }

    /// The rolled pool of a trail, in rolled order.
    fn rolled(trail: &[Answer]) -> Option<&[Face]> {
        trail.iter().find_map(|answer| match answer {
            Answer::Faces(faces) => Some(faces.as_slice()),
            Answer::Chose { .. } => None,
        })
    }

    /// What these faces, in rolled order, come to.
    fn read(&self, faces: &[Face]) -> Base {
        let mut faces = faces.to_vec();
        faces.sort_unstable_by(|a, b| b.cmp(a));
        read(self.explosion, &faces, self.top())
    }

    /// What tells the outcomes that may follow a result from those of another: its outcome where no chain can
    /// change it, else the result itself. A single die that shows 1 costs a token more.
    fn chances(&self, option: &Picked) -> Result<(OutcomeId, bool), ChoiceId> {
        let base = Base::of_rank(option.id.0, self.top());
        let outcome = threshold_of(base.fixed(self.top()) + self.added()).outcome;
        let lone_one = self.attribute == 1
            && base
                == Base {
                    exploding: 0,
                    beside: 1,
                };
        if base.exploding == 0 || outcome == CRITICAL_SUCCESS {
            Ok((outcome, lone_one))
        } else {
            Err(option.id)
        }
    }

    fn end(&self, fixed: i32, open: Option<(Die, u8)>) -> (OutcomeId, Tally) {
        let total = fixed + self.added();
        let outcome = threshold_of(total).outcome;
        let tally = Tally {
            total: Some(total),
            levels: i32::from(outcome <= SCRAPED_BY),
            open,
        };
        (outcome, tally)
    }
}

/// A result as a button has it, before anybody knows which die is which: `16+1` is 16 and one chain.
fn name(base: Base, top: Face) -> String {
    match base.exploding {
        0 => base.beside.to_string(),
        chains => format!("{}+{chains}", base.fixed(top)),
    }
}

impl Check for Acs {
    type State = State;

    fn start(&self, why: &mut Explanation) -> State {
        match (self.automatic, self.attribute) {
            (Some((_, reason)), _) => {
                why.tell(|why| why.say(reason));
                State::Automatic
            }
            (None, 0) => {
                why.tell(|why| why.say("An Attribute of 0 rolls no die."));
                self.count(Base {
                    exploding: 0,
                    beside: 0,
                })
            }
            (None, _) if self.preplaced.is_some() => State::Dealt(Dealt::default()),
            (None, _) => State::Start,
        }
    }

    fn ask(&self, state: &State) -> Ask {
        match *state {
            State::Automatic => {
                let outcome = self.automatic.map_or(CLEAN_FAILURE, |(outcome, _)| outcome);
                Ask::Done(outcome, Tally::new(None, i32::from(outcome <= SCRAPED_BY)))
            }
            State::Start => Ask::roll(self.pool(), Side::Actor),
            State::Dealt(dealt) => Ask::roll(self.next_alike(dealt), Side::Actor),
            State::Place { open } => {
                let top = self.top();
                let option = |rank| Picked {
                    id: ChoiceId(rank),
                    name: name(Base::of_rank(rank, top), top),
                    label: String::new(),
                };
                let options: Vec<Picked> = open.ranks().map(option).collect();
                let (default, by) = match self.tokens {
                    Tokens::None | Tokens::Bonus(_) => (0, Side::Actor),
                    Tokens::Penalty(_) => (options.len() - 1, Side::Gm),
                };
                let what = Choices {
                    choice: "placing",
                    options,
                    default,
                };
                Ask::Choose { what, by }
            }
            State::Chain {
                fixed,
                exploding: 0,
                ..
            } => {
                let (outcome, tally) = self.end(fixed, None);
                Ask::Done(outcome, tally)
            }
            State::Chain { .. } => Ask::roll(Pool::one(self.die, Role::CHAIN), Side::Actor),
        }
    }

    fn step(&self, state: State, answer: Answered<'_>, why: &mut Explanation) -> State {
        let top = self.top();
        match (state, answer) {
            (State::Start, Answered::Dice(Observation::Counts(faces))) => {
                if self.tokens == Tokens::None {
                    why.tell(|why| self.explain_pool(why));
                    return self.count(read(self.explosion, faces, top));
                }
                let open = self.tokens.open(self.explosion, faces, top);
                let Some(rank) = open.only() else {
                    return State::Place { open };
                };
                why.tell(|why| self.explain_pool(why));
                self.count(Base::of_rank(rank, top))
            }
            (State::Dealt(dealt), Answered::Dice(Observation::Counts(fell))) => {
                self.deal(dealt, fell)
            }
            (State::Place { .. }, Answered::Chose(ChoiceId(rank))) => {
                why.tell(|why| self.explain_pool(why));
                self.count(Base::of_rank(rank, top))
            }
            (
                State::Chain {
                    fixed,
                    exploding,
                    rolled,
                },
                Answered::Dice(Observation::Sum(face)),
            ) => {
                let rolled = rolled + 1;
                let goes_on = *face == i32::from(top);
                State::Chain {
                    fixed: fixed + face,
                    exploding: match (goes_on, rolled < MOST_CHAINED) {
                        (_, false) => 0,
                        (true, true) => exploding,
                        (false, true) => exploding - 1,
                    },
                    rolled,
                }
            }
            (state, _) => state,
        }
    }

    fn early_outcome(&self, state: &State) -> Option<(OutcomeId, Tally)> {
        match *state {
            State::Chain {
                fixed, exploding, ..
            } if exploding > 0 && fixed + self.added() >= CRITICAL => {
                Some(self.end(fixed, Some((self.die, exploding))))
            }
            State::Automatic
            | State::Start
            | State::Dealt(_)
            | State::Place { .. }
            | State::Chain { .. } => None,
        }
    }

    fn conclude(&self, state: &State, why: &mut Explanation) {
        if let State::Chain { fixed, .. } = *state {
            self.explain_result(fixed, why);
        }
    }

    fn present(&self, trail: &[Answer], what: Choices) -> Choices {
        let Some(rolled) = Self::rolled(trail) else {
            return what;
        };
        let top = self.top();
        let ways = self.tokens.allocations(self.explosion, rolled, top);
        let spent = |option: &Picked| {
            let way = ways.iter().find(|way| way.rank == option.id.0);
            way.map_or(0, Allocation::spent)
        };
        // Of bonus tokens no more are spent than change what may come of it; the best stands first.
        let default = match (self.tokens, what.options.first()) {
            (Tokens::Bonus(_), Some(best)) => {
                let alike = |option: &Picked| self.chances(option) == self.chances(best);
                let options = what.options.iter().enumerate();
                let alike = options.filter(|(_, option)| alike(option));
                alike
                    .min_by_key(|(_, option)| spent(option))
                    .map(|(at, _)| at)
            }
            _ => None,
        };
        let default = default.unwrap_or(what.default);
        let options = what.options.into_iter().map(|option| {
            match ways.iter().find(|way| way.rank == option.id.0) {
                Some(way) => Picked {
                    name: way.name(),
                    label: label(Base::of_rank(way.rank, top), top, way.spent()),
                    ..option
                },
                None => option,
            }
        });
        Choices {
            options: options.collect(),
            default,
            ..what
        }
    }

    fn preplaced(&self, answers: &[String]) -> Option<Self> {
        self.with_tokens_placed(answers.first()?)
    }

    fn parse_answer(&self, trail: &[Answer], what: &Choices, answer: &str) -> Option<ChoiceId> {
        let id = match Self::rolled(trail) {
            Some(rolled) => {
                let values = self.tokens.place(rolled, &parse(answer)?, self.top())?;
                ChoiceId(self.read(&values).rank(self.top()))
            }
            None => what.options.iter().find(|option| option.name == answer)?.id,
        };
        let known = what.options.iter().any(|option| option.id == id);
        known.then_some(id)
    }
}

/// A result on a button.
fn label(base: Base, top: Face, spent: i32) -> String {
    let counts = match base.exploding {
        0 => format!("{} counts", base.beside),
        1 => format!("{} and 1 explosion", base.fixed(top)),
        chains => format!("{} and {chains} explosions", base.fixed(top)),
    };
    match spent {
        0 => format!("{counts}, no token"),
        1 => format!("{counts}, 1 token"),
        _ => format!("{counts}, {spent} tokens"),
    }
}
