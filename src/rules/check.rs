//! The state machine that every check is, and the same machine with its state forgotten.

use std::fmt::Debug;
use std::hash::Hash;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::odds::{Policy, Weighed, weigh};
use super::{CheckSpec, Explanation, Outcome};
use crate::dice::{Die, Face, FaceError, Observation, Pool};

/// Who rolls, types the faces, or presses the button.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The character that makes the check.
    Actor,
    /// The character that resists.
    Opponent,
    /// The GM.
    Gm,
}

/// One outcome of a check: its index in [`super::CheckSpec::outcomes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutcomeId(pub u8);

/// One result open to a chooser; what the number means is the check's own affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChoiceId(pub u32);

/// One result open to a chooser, with one concrete way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The result.
    pub id: ChoiceId,
    /// The way to it, as `--choose` takes it and the log keeps it.
    pub name: String,
    /// What it means, on a button.
    pub label: String,
}

impl Picked {
    pub(super) fn new(id: ChoiceId, name: &str, label: &str) -> Self {
        Self {
            id,
            name: name.to_owned(),
            label: label.to_owned(),
        }
    }
}

/// A question that a check puts to somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Which question: `complication`, `placing`, `disadvantage`.
    pub choice: &'static str,
    /// The distinct results, never none.
    pub options: Vec<Picked>,
    /// The index of the option taken when nobody answers.
    pub default: usize,
}

impl Choices {
    /// The option taken when nobody answers.
    pub fn fallback(&self) -> &Picked {
        &self.options[self.default.min(self.options.len() - 1)]
    }
}

/// What odds need to know of a finished check beside its outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tally {
    /// The total, where the check has one.
    pub total: Option<i32>,
    /// What a progress clock would be filled by: effect levels, successes, damage for an attack, else
    /// 1 for a success. Where the check tells success from failure, it succeeded exactly when this is
    /// above 0.
    pub levels: i32,
    /// Exploding dice whose chains are still to be rolled; they add to the total's mean only.
    pub open: Option<(Die, u8)>,
}

impl Tally {
    /// Without open chains.
    pub(super) const fn new(total: Option<i32>, levels: i32) -> Self {
        Self {
            total,
            levels,
            open: None,
        }
    }
}

/// What a check needs next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Dice.
    Roll {
        /// Which.
        pool: Pool,
        /// Whose.
        by: Side,
    },
    /// A decision.
    Choose {
        /// Between what.
        what: Choices,
        /// Whose.
        by: Side,
    },
    /// Nothing: it is resolved.
    Done(OutcomeId, Tally),
}

impl Ask {
    pub(super) const fn roll(pool: Pool, by: Side) -> Self {
        Self::Roll { pool, by }
    }
}

/// An answer as a machine takes it: no more of it than the rules look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered<'a> {
    /// The dice fell so.
    Dice(&'a Observation),
    /// This was chosen.
    Chose(ChoiceId),
}

/// Who answered a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChosenBy {
    /// Nobody: the default was taken.
    #[default]
    Default,
    /// The command line.
    Command,
    /// A player.
    Player,
    /// The GM.
    Gm,
}

impl ChosenBy {
    /// Its name in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Command => "command",
            Self::Player => "player",
            Self::Gm => "gm",
        }
    }

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands the field over by reference"
    )]
    fn is_nobody(&self) -> bool {
        *self == Self::Default
    }
}

/// One answer to a check, as it is recorded: faces as a list, `[5,7]`, a choice with its names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Answer {
    /// The faces, in rolled order.
    Faces(Vec<Face>),
    /// The option taken, by its name.
    Chose {
        /// The question.
        choice: String,
        /// The option.
        chose: String,
        /// Who answered.
        #[serde(default, skip_serializing_if = "ChosenBy::is_nobody")]
        by: ChosenBy,
    },
}

/// A check of a rule system, written once; every driver walks it.
///
/// It is pure: what it does depends on its own fields and what it is answered, on nothing else. It says
/// why while it steps, to an [`Explanation`] that does not listen while odds are weighed.
pub trait Check: Sync {
    /// What later steps can still see, and nothing more: odds merge equal states.
    type State: Copy + Eq + Hash + Debug + Send + Sync;

    /// The check's description.
    fn spec(&self) -> &'static CheckSpec;

    /// The state before anything was rolled.
    fn start(&self, why: &mut Explanation) -> Self::State;

    /// What it needs next.
    fn ask(&self, state: &Self::State) -> Ask;

    /// The state after the answer to what it asked for.
    fn step(&self, state: Self::State, answer: Answered<'_>, why: &mut Explanation) -> Self::State;

    /// Tells what follows once it is resolved: the last sentences, effects, keys and the target.
    fn conclude(&self, state: &Self::State, why: &mut Explanation);

    /// The outcome, where it cannot change any more although dice are still to fall. Odds stop here;
    /// real dice are rolled to the end.
    fn early_outcome(&self, _state: &Self::State) -> Option<(OutcomeId, Tally)> {
        None
    }

    /// The dice asked for as people who saw these dice roll them. The odds do without: where a die's
    /// face no longer matters, `ask` may name any die, and only the trail tells which one it is.
    fn actual_dice(&self, _trail: &[Answer], pool: Pool) -> Pool {
        pool
    }

    /// The question as people who saw these dice read it: concrete ways named in rolled order.
    fn present(&self, _trail: &[Answer], what: Choices) -> Choices {
        what
    }

    /// The result that a person's answer leads to; `None` if it is no option.
    fn parse_answer(&self, _trail: &[Answer], what: &Choices, answer: &str) -> Option<ChoiceId> {
        let found = what.options.iter().find(|option| option.name == answer);
        found.map(|option| option.id)
    }

    /// The check with these answers given beforehand, where they tell dice apart that odds otherwise need
    /// not; `None` where they do not.
    fn preplaced(&self, _answers: &[String]) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// An answer that does not fit what the check asked for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WalkError {
    /// Faces that do not belong to the dice.
    #[error(transparent)]
    Faces(#[from] FaceError),
    /// An answer that is no option.
    #[error("{given:?} is no answer to {choice}; the answers are {known}")]
    NoOption {
        /// The question.
        choice: &'static str,
        /// The answer given.
        given: String,
        /// The options.
        known: String,
    },
    /// A choice where dice were asked for, or dice where a choice was, or more after the end.
    #[error("the record does not fit the check: step {step} is not what was asked for")]
    OutOfStep {
        /// Which step, counted from 1.
        step: usize,
    },
}

impl WalkError {
    pub(super) fn no_option(what: &Choices, given: &str) -> Self {
        let known: Vec<&str> = what
            .options
            .iter()
            .map(|option| option.name.as_str())
            .collect();
        Self::NoOption {
            choice: what.choice,
            given: given.to_owned(),
            known: known.join(", "),
        }
    }
}

/// A check with its state forgotten: what everything outside the odds works with.
pub trait DynCheck: Debug + Send + Sync {
    /// What the check needs after these answers; every answer is checked against what was asked for.
    fn after(&self, trail: &[Answer]) -> Result<Ask, WalkError>;

    /// What a whole trail means. Of an unfinished one it has the dice and sentences so far.
    fn outcome(&self, trail: &[Answer]) -> Outcome;

    /// Every die of a trail with its face, in rolled order; cheaper than the whole explanation.
    fn fallen(&self, trail: &[Answer]) -> Result<Vec<(Die, Face)>, WalkError>;

    /// Every way in which the check can go on after these answers; [`super::Odds`] reads it.
    fn weigh(&self, trail: &[Answer], policy: &Policy) -> Result<Weighed, WalkError>;
}

/// The state after these answers; every answer is checked against what was asked for.
fn follow<C: Check>(
    check: &C,
    trail: &[Answer],
    why: &mut Explanation,
) -> Result<C::State, WalkError> {
    let mut state = check.start(why);
    let mut faces_before = 0;
    for (index, answer) in trail.iter().enumerate() {
        let before = &trail[..index];
        let seen;
        let answered = match (check.ask(&state), answer) {
            (Ask::Roll { pool, .. }, Answer::Faces(faces)) => {
                let pool = check.actual_dice(before, pool);
                pool.check(faces, faces_before)?;
                faces_before += faces.len();
                seen = pool.read(faces);
                why.rolls.push((pool, faces.clone()));
                Answered::Dice(&seen)
            }
            (Ask::Choose { what, .. }, Answer::Chose { choice, chose, by })
                if what.choice == choice =>
            {
                let Some(id) = check.parse_answer(before, &what, chose) else {
                    let what = check.present(before, what);
                    return Err(WalkError::no_option(&what, chose));
                };
                why.chosen = Some((chose.clone(), *by));
                Answered::Chose(id)
            }
            (Ask::Roll { .. } | Ask::Choose { .. } | Ask::Done(..), _) => {
                return Err(WalkError::OutOfStep { step: index + 1 });
            }
        };
        state = check.step(state, answered, why);
    }
    Ok(state)
}

impl<C: Check + Debug + Send + Sync> DynCheck for C {
    fn after(&self, trail: &[Answer]) -> Result<Ask, WalkError> {
        let state = follow(self, trail, &mut Explanation::silent())?;
        Ok(match self.ask(&state) {
            Ask::Choose { what, by } => Ask::Choose {
                what: self.present(trail, what),
                by,
            },
            Ask::Roll { pool, by } => Ask::roll(self.actual_dice(trail, pool), by),
            ask @ Ask::Done(..) => ask,
        })
    }

    fn outcome(&self, trail: &[Answer]) -> Outcome {
        let mut why = Explanation::listening();
        let state = follow(self, trail, &mut why).ok();
        let end = state.and_then(|state| match self.ask(&state) {
            Ask::Done(outcome, tally) => {
                self.conclude(&state, &mut why);
                Some((outcome, tally))
            }
            Ask::Roll { .. } | Ask::Choose { .. } => None,
        });
        let (outcome, tally) = end.unwrap_or_else(|| (OutcomeId(0), Tally::default()));
        Outcome {
            outcome,
            success: self.spec().has_success.then_some(tally.levels > 0),
            total: tally.total,
            target: why.target,
            dice: why.dice,
            keys: why.keys,
            effects: why.effects,
            steps: why.steps,
        }
    }

    fn fallen(&self, trail: &[Answer]) -> Result<Vec<(Die, Face)>, WalkError> {
        let mut why = Explanation::silent();
        follow(self, trail, &mut why)?;
        let rolls = why.rolls.iter();
        let fallen = rolls.flat_map(|(pool, faces)| {
            let dice = pool.order().map(|(die, _)| die);
            dice.zip(faces.iter().copied())
        });
        Ok(fallen.collect())
    }

    fn weigh(&self, trail: &[Answer], policy: &Policy) -> Result<Weighed, WalkError> {
        let answers = policy.beforehand().filter(|_| trail.is_empty());
        if let Some(check) = answers.and_then(|answers| self.preplaced(answers)) {
            return weigh(&check, check.start(&mut Explanation::silent()), policy);
        }
        weigh(
            self,
            follow(self, trail, &mut Explanation::silent())?,
            policy,
        )
    }
}
