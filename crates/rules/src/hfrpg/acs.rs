//! The ACS roll (HFRPG, Attribute + Competency + Specialisation).

use super::exploding::{Base, Explosion, read};
use super::token_allocation::{Allocation, MOST_DICE, Open, Tokens, parse};
use crate::{
    Ask, Check, CheckSpec, ChoiceId, Choices, Explanation, Fields, HouseRules, OutcomeId, Picked,
    Policy, Refused, Score, Side, Step,
};
use tableside_dice::{Die, DieRole, EqualDice, Face, Measure, Observation, Pool};
use tableside_text::join;

mod explained;
mod preplaced;
#[cfg(test)]
mod tests;

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
    /// Where the tokens go whatever falls, for odds alone; dice that get the same number stand together, for
    /// among them no odds tell one from another.
    preplaced: Option<Vec<u8>>,
    explosion: Explosion,
    /// True if tokens go where they go unanswered, for odds alone.
    takes_defaults: bool,
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Nothing rolled yet.
    #[default]
    Start,
    /// The dice fall heap by heap, for where the tokens go is known: their faces so far.
    Dealt {
        faces: [Face; MOST_DICE],
        rolled: usize,
    },
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
    pub(super) fn new(fields: &Fields, house: &HouseRules) -> Result<Self, Refused> {
        let small = |id| u8::try_from(fields.number(id)).unwrap_or_default();
        let attribute = small("attribute");
        let tokens = match (small("bonus"), small("penalty")) {
            (bonus, 0) => Tokens::Bonus(bonus),
            (0, penalty) => Tokens::Penalty(penalty),
            (_, _) => {
                let why = "bonus and penalty tokens are one pool: only one of them can be above 0";
                return Err(Refused(why.to_owned()));
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
            spec: fields.spec(),
            specialisation: fields.number("specialisation"),
            group: fields.number("group"),
            tokens,
            preplaced: None,
            explosion: Explosion::at(house),
            takes_defaults: false,
        })
    }

    #[inline]
    fn top(&self) -> Face {
        self.die.highest()
    }

    fn added(&self) -> i32 {
        self.competency + self.specialisation + self.group
    }

    fn pool(&self, count: u8) -> Pool {
        let dice = vec![EqualDice::new(self.die, count, DieRole::POOL)];
        Pool::all(dice, Measure::KeptDice(0))
    }

    /// The state in which the pool counts for this.
    #[inline]
    fn count(&self, base: Base) -> State {
        State::Chain {
            fixed: base.fixed(self.top()),
            exploding: base.exploding,
            rolled: 0,
        }
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
        let lone_one = self.attribute == 1 && (base.exploding, base.beside) == (0, 1);
        if base.exploding == 0 || outcome == CRITICAL_SUCCESS {
            Ok((outcome, lone_one))
        } else {
            Err(option.id)
        }
    }

    /// What the tokens can do, each result with the cheapest way to it where the dice are known.
    fn placings(&self, open: Open, rolled: &[Face]) -> Choices {
        let top = self.top();
        let ways = match rolled {
            [] => Vec::new(),
            _ => self.tokens.allocations(self.explosion, rolled, top),
        };
        let way_of = |rank| ways.iter().find(|way| way.rank == rank);
        let option = |rank| {
            let base = Base::of_rank(rank, top);
            let (name, label) = way_of(rank).map_or_else(
                || (name(base, top), String::new()),
                |way| (way.name(), label(base, top, way.spent())),
            );
            let id = ChoiceId(rank);
            Picked { id, name, label }
        };
        let options: Vec<Picked> = open.ranks().map(option).collect();
        // Of bonus tokens no more are spent than change what may come of it; the best stands first.
        let alike =
            |(_, option): &(usize, &Picked)| self.chances(option) == self.chances(&options[0]);
        let spent =
            |(_, option): &(usize, &Picked)| way_of(option.id.0).map_or(0, Allocation::spent);
        let default = match self.tokens {
            Tokens::Bonus(_) if ways.is_empty() => 0,
            Tokens::Bonus(_) => {
                let alike = options.iter().enumerate().filter(alike);
                alike.min_by_key(spent).map_or(0, |(at, _)| at)
            }
            Tokens::Penalty(_) => options.len() - 1,
        };
        Choices {
            choice: "placing",
            ask: String::new(),
            options,
            default,
        }
    }

    /// Asks for the pool, unless the check is not rolled.
    fn start(&self, why: &mut Explanation) -> Step<State> {
        if let Some((outcome, reason)) = self.automatic {
            why.tell(|why| why.say(reason));
            let score = Score::new(None, (outcome <= SCRAPED_BY).into());
            return Step::Done(outcome, score);
        }
        if self.attribute == 0 {
            why.tell(|why| why.say("An Attribute of 0 rolls no die."));
            return Step::Continue(self.count(Base::default()));
        }
        if self.preplaced.is_some() {
            let faces = [0; MOST_DICE];
            return Step::Continue(State::Dealt { faces, rolled: 0 });
        }
        if self.takes_defaults && self.reaches_every_maximum() {
            let faces = vec![self.top(); self.attribute.into()];
            return Step::Continue(self.count(self.read(&faces)));
        }
        let pool = self.pool(self.attribute);
        Step::Ask(State::Start, Ask::roll(pool, Side::Actor))
    }

    /// True if there are bonus tokens enough to raise every die to its maximum, whatever it shows.
    fn reaches_every_maximum(&self) -> bool {
        match self.tokens {
            Tokens::Bonus(count) => {
                i32::from(count) >= i32::from(self.attribute) * (i32::from(self.top()) - 1)
            }
            Tokens::Penalty(_) => false,
        }
    }

    /// What the pool comes to if nobody places the tokens: bonus tokens are placed best, penalty tokens worst.
    pub(super) fn default_base(&self, open: Open) -> Base {
        let mut ranks = open.ranks();
        let rank = match self.tokens {
            Tokens::Bonus(_) => ranks.next(),
            Tokens::Penalty(_) => ranks.last(),
        };
        Base::of_rank(rank.unwrap_or_default(), self.top())
    }

    /// Reads the pool. If tokens can change what it comes to, they are placed next.
    #[inline]
    fn read_pool(&self, dice: &Observation, why: &mut Explanation) -> Step<State> {
        let mut faces = [0; MOST_DICE];
        let faces = fill(&mut faces, dice);
        let base = if self.tokens == Tokens::Bonus(0) {
            read(self.explosion, faces, self.top())
        } else {
            let open = self.tokens.open(self.explosion, faces, self.top());
            match open.only() {
                Some(rank) => Base::of_rank(rank, self.top()),
                None if self.takes_defaults => self.default_base(open),
                None => return Step::Continue(State::Place { open }),
            }
        };
        why.tell(|why| self.explain_pool(why));
        Step::Continue(self.count(base))
    }

    fn end(&self, fixed: i32, open: Option<(u8, u8)>) -> Step<State> {
        let total = fixed + self.added();
        let outcome = threshold_of(total).outcome;
        let levels = i32::from(outcome <= SCRAPED_BY);
        let score = Score {
            open,
            ..Score::new(Some(total), levels)
        };
        Step::Done(outcome, score)
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

    #[inline]
    fn next(&self, state: State, why: &mut Explanation) -> Step<State> {
        match state {
            State::Start => self.start(why),
            State::Dealt { rolled, .. } => {
                let pool = self.pool(self.alike(rolled));
                Step::Ask(state, Ask::roll(pool, Side::Actor))
            }
            State::Place { open } => {
                let by = match self.tokens {
                    Tokens::Bonus(_) => Side::Actor,
                    Tokens::Penalty(_) => Side::Gm,
                };
                let choices = self.placings(open, why.first_faces());
                Step::Ask(state, Ask::choose(choices, by))
            }
            State::Chain {
                fixed,
                exploding: 0,
                ..
            } => {
                why.tell(|why| self.explain_result(fixed, why));
                self.end(fixed, None)
            }
            // The outcome cannot change any more although dice are still to fall: odds stop here, real dice
            // are rolled to the end.
            State::Chain {
                fixed, exploding, ..
            } if why.is_for_odds && fixed + self.added() >= CRITICAL => {
                self.end(fixed, Some((self.die.sides(), exploding)))
            }
            State::Chain { .. } => {
                let pool = Pool::single(self.die, DieRole::CHAIN);
                Step::Ask(state, Ask::roll(pool, Side::Actor))
            }
        }
    }

    #[inline]
    fn after_roll(&self, state: State, dice: &Observation, why: &mut Explanation) -> Step<State> {
        match state {
            State::Start => self.read_pool(dice, why),
            State::Dealt { mut faces, rolled } => {
                let rolled = rolled + fill(&mut faces[rolled..], dice).len();
                Step::Continue(self.deal(faces, rolled))
            }
            State::Place { .. } => self.next(state, why),
            State::Chain {
                fixed,
                exploding,
                rolled,
            } => {
                let goes_on = dice.sum() == i32::from(self.top());
                let rolled = rolled + 1;
                Step::Continue(State::Chain {
                    fixed: fixed + dice.sum(),
                    exploding: match (goes_on, rolled < MOST_CHAINED) {
                        (_, false) => 0,
                        (true, true) => exploding,
                        (false, true) => exploding - 1,
                    },
                    rolled,
                })
            }
        }
    }

    fn after_choice(&self, state: State, choice: ChoiceId, why: &mut Explanation) -> Step<State> {
        let State::Place { .. } = state else {
            return self.next(state, why);
        };
        why.tell(|why| self.explain_pool(why));
        let base = Base::of_rank(choice.0, self.top());
        Step::Continue(self.count(base))
    }

    fn for_policy(&self, policy: &Policy) -> Option<Self> {
        if policy.takes_defaults() {
            return Some(Self {
                takes_defaults: true,
                ..self.clone()
            });
        }
        self.with_tokens_placed(policy.beforehand()?.first()?)
    }

    fn parse_answer(&self, rolled: &[Face], what: &Choices, answer: &str) -> Option<ChoiceId> {
        let values = self.tokens.place(rolled, &parse(answer)?, self.top())?;
        let id = ChoiceId(self.read(&values).rank(self.top()));
        let is_open = what.options.iter().any(|option| option.id == id);
        is_open.then_some(id)
    }

    fn describe_answers(&self, rolled: &[Face], what: &Choices) -> String {
        let Some(allocations) = self.tokens.all_allocations(rolled, self.top()) else {
            return format!(
                "the answers are the numbers of tokens on each of the {} dice, as in {}",
                rolled.len(),
                what.fallback().name
            );
        };

        let names = allocations
            .iter()
            .map(|tokens| join(tokens, ","))
            .filter(|name| self.parse_answer(rolled, what, name).is_some());
        let separator = if rolled.len() > 1 { "; " } else { ", " };
        format!("the answers are {}", join(names, separator))
    }
}

/// Fills in the faces that fell, which are no more than there is room for, and returns them.
#[inline]
fn fill<'a>(faces: &'a mut [Face], fell: &Observation) -> &'a [Face] {
    let (dice, _) = fell.kept();
    let faces = &mut faces[..dice.len()];
    for (at, (face, _)) in dice.iter().enumerate() {
        faces[at] = *face;
    }
    faces
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
