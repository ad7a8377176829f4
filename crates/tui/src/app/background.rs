//! What takes too long for a key, and is worked out beside the screen.

use std::sync::Arc;
use std::time::Duration;

use crate::dialog::{GainAnswer, GainQuestion};
use tableside_dice::notation::{Notation, NotationOdds, OddsTooLarge};
use tableside_table::{Filter, LogChunk, Seat, Table};

/// A stretch of the log is gone through for so long before what was found is shown.
const STRETCH: Duration = Duration::from_millis(20);

/// A question whose answer may take longer than a key.
pub enum Job {
    /// What one more of something would be worth.
    Worth(GainQuestion),
    /// The exact odds of free dice.
    DiceOdds(Notation),
    /// What else the log has before what is known of it.
    Log {
        table: Arc<Table>,
        seat: Seat,
        question: LogQuestion,
    },
}

/// What is asked of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogQuestion {
    /// What is looked for.
    pub(crate) filter: Filter,
    /// Counts how often the log was looked at anew, so that a late answer is known as late.
    pub(crate) ticket: u64,
    /// Everything from this event on is known.
    pub(crate) below: u64,
}

/// The exact odds of free dice.
#[derive(Clone, Debug)]
pub struct DiceOdds {
    pub(crate) dice: Notation,
    pub(crate) odds: Result<NotationOdds, OddsTooLarge>,
}

/// The answer to a [`Job`].
#[derive(Clone, Debug)]
pub enum JobResult {
    /// To the one about worth.
    Worth(GainAnswer),
    /// The odds of free dice, or that they are too much to compute.
    DiceOdds(Box<DiceOdds>),
    /// To the one about the log.
    Log(LogQuestion, LogChunk),
}

impl Job {
    /// Works it out.
    pub fn answer(self) -> JobResult {
        match self {
            Self::Worth(worth) => JobResult::Worth(worth.answer()),
            Self::DiceOdds(notation) => {
                let odds = notation.odds();
                JobResult::DiceOdds(Box::new(DiceOdds {
                    dice: notation,
                    odds,
                }))
            }
            Self::Log {
                table,
                seat,
                question,
            } => {
                let LogQuestion { filter, below, .. } = &question;
                let found = table.search(&seat, filter, *below, STRETCH);
                JobResult::Log(question, found)
            }
        }
    }

    /// Of questions that wait, those that still count: the last about each matter.
    pub fn newest_of_each_kind(waiting: impl Iterator<Item = Self>) -> impl Iterator<Item = Self> {
        let (mut worth, mut dice_odds, mut log) = (None, None, None);
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
