//! Jobs that take too long to run while a key is handled.

use std::sync::Arc;
use std::time::Duration;

use crate::dialog::{GainAnswer, GainQuestion};
use tableside_dice::notation::{Notation, NotationOdds, OddsTooLarge};
use tableside_table::{Filter, LogChunk, Seat, Table};

/// How long the log is searched before the matches so far are shown.
const SEARCH_TIME: Duration = Duration::from_millis(20);

/// A job for the background thread.
pub enum Job {
    /// Compute how much each change of a roll would improve its odds.
    Worth(GainQuestion),
    /// Compute the exact odds of a dice expression.
    DiceOdds(Notation),
    /// Read or search older entries of the log.
    Log {
        table: Arc<Table>,
        seat: Seat,
        question: LogQuestion,
    },
}

/// A request for older entries of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogQuestion {
    pub(crate) filter: Filter,
    /// Identifies the state of the log on the screen. An answer with an older ticket is dropped.
    pub(crate) ticket: u64,
    /// The oldest known event. Only events before it are requested.
    pub(crate) below: u64,
}

/// The exact odds of a dice expression.
#[derive(Clone, Debug)]
pub struct DiceOdds {
    pub(crate) dice: Notation,
    pub(crate) odds: Result<NotationOdds, OddsTooLarge>,
}

/// The result of a [`Job`].
#[derive(Clone, Debug)]
pub enum JobResult {
    /// The result of [`Job::Worth`].
    Worth(GainAnswer),
    /// The result of [`Job::DiceOdds`].
    DiceOdds(Box<DiceOdds>),
    /// The result of [`Job::Log`], with its request.
    Log(LogQuestion, LogChunk),
}

impl Job {
    /// Runs the job.
    pub fn answer(self) -> JobResult {
        match self {
            Self::Worth(question) => JobResult::Worth(question.answer()),
            Self::DiceOdds(dice) => {
                let odds = dice.odds();
                JobResult::DiceOdds(Box::new(DiceOdds { dice, odds }))
            }
            Self::Log {
                table,
                seat,
                question,
            } => {
                let chunk = table.search(&seat, &question.filter, question.below, SEARCH_TIME);
                JobResult::Log(question, chunk)
            }
        }
    }

    /// Returns the newest of the waiting jobs of each kind, and drops the others.
    pub fn newest_of_each_kind(waiting: impl Iterator<Item = Self>) -> impl Iterator<Item = Self> {
        let mut worth = None;
        let mut dice_odds = None;
        let mut log = None;
        for job in waiting {
            match job {
                Self::Worth(_) => worth = Some(job),
                Self::DiceOdds(_) => dice_odds = Some(job),
                Self::Log { .. } => log = Some(job),
            }
        }
        worth.into_iter().chain(dice_odds).chain(log)
    }
}
