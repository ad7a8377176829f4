//! The state machine that every check is, and the same machine with its state forgotten.

use std::fmt::Debug;
use std::hash::Hash;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Outcome;
use super::odds::{Policy, Weighed, weigh};
use crate::dice::{Die, Face, FaceError, Pool, Reading};

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
    Response(OutcomeId, Tally),
}

/// What a check is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The dice fell so.
    Dice(Reading),
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
/// It is pure: what it does depends on its own fields and what it heard, on nothing else.
pub trait Check: Sync {
    /// What later steps can still see, and nothing more: odds merge equal states.
    type State: Copy + Eq + Hash + Debug + Send + Sync;

    /// The state before anything was rolled.
    fn start(&self) -> Self::State;

    /// What it needs next.
    fn ask(&self, state: &Self::State) -> Ask;

    /// The state after hearing the answer to what it asked for.
    fn hear(&self, state: Self::State, heard: &Heard) -> Self::State;

    /// The outcome, where it cannot change any more although dice are still to fall. Odds stop here;
    /// real dice are rolled to the end.
    fn settled(&self, _state: &Self::State) -> Option<(OutcomeId, Tally)> {
        None
    }

    /// What a whole trail means: total, kept dice, effects, and the story. It tells the same outcome
    /// as the machine.
    fn report(&self, trail: &[Answer]) -> Outcome;

    /// The dice asked for as people who saw these dice roll them. The odds do without: where a die's
    /// face no longer matters, `ask` may name any die, and only the trail tells which one it is.
    fn deal(&self, _trail: &[Answer], pool: Pool) -> Pool {
        pool
    }

    /// The question as people who saw these dice read it: concrete ways named in rolled order.
    fn put(&self, _trail: &[Answer], what: Choices) -> Choices {
        what
    }

    /// The check with these answers given beforehand, where they tell dice apart that odds otherwise need
    /// not; `None` where they do not.
    fn foreseen(&self, _answers: &[String]) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// The result that a person's answer leads to; `None` if it is no option.
    fn understand(&self, _trail: &[Answer], what: &Choices, answer: &str) -> Option<ChoiceId> {
        let found = what.options.iter().find(|option| option.name == answer);
        found.map(|option| option.id)
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

    /// What a whole trail means.
    fn outcome(&self, trail: &[Answer]) -> Outcome;

    /// Every die of a trail with its face, in rolled order; cheaper than the whole story.
    fn fallen(&self, trail: &[Answer]) -> Result<Vec<(Die, Face)>, WalkError>;

    /// Every way in which the check can go on after these answers; [`super::Odds`] reads it.
    fn weigh(&self, trail: &[Answer], policy: &Policy) -> Result<Weighed, WalkError>;
}

/// The state after these answers; every answer is checked against what was asked for.
fn stand<C: Check>(check: &C, trail: &[Answer]) -> Result<C::State, WalkError> {
    follow(check, trail, |_, _| {})
}

/// The same, showing each pool with its faces on the way.
fn follow<C: Check>(
    check: &C,
    trail: &[Answer],
    mut show: impl FnMut(&Pool, &[Face]),
) -> Result<C::State, WalkError> {
    let mut state = check.start();
    let mut faces_before = 0;
    for (index, answer) in trail.iter().enumerate() {
        let heard = match (check.ask(&state), answer) {
            (Ask::Roll { pool, .. }, Answer::Faces(faces)) => {
                let pool = check.deal(&trail[..index], pool);
                pool.check(faces, faces_before)?;
                faces_before += faces.len();
                show(&pool, faces);
                Heard::Dice(pool.read(faces))
            }
            (Ask::Choose { what, .. }, Answer::Chose { choice, chose, .. })
                if what.choice == choice =>
            {
                let before = &trail[..index];
                let what = check.put(before, what);
                let id = check
                    .understand(before, &what, chose)
                    .ok_or_else(|| WalkError::no_option(&what, chose))?;
                Heard::Chose(id)
            }
            (Ask::Roll { .. } | Ask::Choose { .. } | Ask::Response(..), _) => {
                return Err(WalkError::OutOfStep { step: index + 1 });
            }
        };
        state = check.hear(state, &heard);
    }
    Ok(state)
}

impl<C: Check + Debug + Send + Sync> DynCheck for C {
    fn after(&self, trail: &[Answer]) -> Result<Ask, WalkError> {
        let state = stand(self, trail)?;
        Ok(match self.ask(&state) {
            Ask::Choose { what, by } => Ask::Choose {
                what: self.put(trail, what),
                by,
            },
            Ask::Roll { pool, by } => Ask::Roll {
                pool: self.deal(trail, pool),
                by,
            },
            ask @ Ask::Response(..) => ask,
        })
    }

    fn outcome(&self, trail: &[Answer]) -> Outcome {
        self.report(trail)
    }

    fn fallen(&self, trail: &[Answer]) -> Result<Vec<(Die, Face)>, WalkError> {
        let mut fallen = Vec::new();
        follow(self, trail, |pool, faces| {
            let dice = pool.order().map(|(die, _)| die);
            fallen.extend(dice.zip(faces.iter().copied()));
        })?;
        Ok(fallen)
    }

    fn weigh(&self, trail: &[Answer], policy: &Policy) -> Result<Weighed, WalkError> {
        let foreseen = policy.beforehand().filter(|_| trail.is_empty());
        if let Some(check) = foreseen.and_then(|answers| self.foreseen(answers)) {
            return weigh(&check, check.start(), policy);
        }
        weigh(self, stand(self, trail)?, policy)
    }
}
