//! Luck and statistics of a log: the faces rolled against what was due, how lucky everybody was, and
//! what came of it.
//!
//! A [`Tally`] takes one event at a time and forgets it, so that a log is read once, when somebody asks. It
//! counts what happened, struck and taken back or not: the dice fell, and a log in which only the rolls that
//! somebody liked count would say nothing of luck.

use crate::dice::{ChiSquare, Die, Face, float};
use crate::rules::{CheckSpec, OutcomeId};
use crate::session::CharacterId;

mod tally;

pub use tally::Tally;

/// The figures of a log, as far as one seat may see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The event from which on everything is counted; 1 where the whole log is.
    pub from: u64,
    /// Everybody together.
    pub all: Figures,
    /// Each character that rolled, in the order of the roster, then who is gone, then nobody's rolls.
    pub each: Vec<Figures>,
}

/// The figures of one character, or of all.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Whose; the name of nobody is empty.
    pub who: String,
    /// The character, if it is one.
    pub id: Option<CharacterId>,
    /// How many checks were resolved.
    pub rolls: u64,
    /// The luck of those in which dice fell; none before the first.
    pub luck: Option<Luck>,
    /// The dice, smallest first.
    pub dice: Vec<DieFigures>,
    /// What came of each check, in the order of the system's checks.
    pub checks: Vec<CheckFigures>,
}

/// How lucky somebody was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// The mean percentile of the rolls, each in its own exact distribution: 0.5 is neither lucky nor
    /// unlucky.
    pub mean: f64,
    /// How many rolls that is the mean of.
    pub rolls: u64,
    /// What chance alone moves the mean by: one standard deviation, at most.
    pub deviation: f64,
}

/// How one size of dice fell.
#[derive(Clone, Debug, PartialEq)]
pub struct DieFigures {
    /// The die; all ten-sided ones are one size, whatever is printed on them.
    pub die: Die,
    /// How often each face fell, from the lowest.
    pub faces: Vec<(Face, u64)>,
    /// How many dice fell.
    pub thrown: u64,
    /// How often each face was due.
    pub due: f64,
    /// How far off they are; none while fewer than five of each face are due, which says nothing yet.
    pub test: Option<ChiSquare>,
}

/// What came of one check.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckFigures {
    pub check: &'static CheckSpec,
    /// How often each outcome came, in the check's own order, those that never came too.
    pub outcomes: Vec<(OutcomeId, u64)>,
}

impl Luck {
    /// The luck of so many rolls whose percentiles, per mille, add up to that.
    fn of(per_mille: u64, rolls: u64) -> Option<Self> {
        (rolls > 0).then(|| Self {
            mean: float(per_mille) / float(rolls) / 1000.0,
            rolls,
            // A percentile is spread no wider than evenly from 0 to 1, whose variance is 1/12.
            deviation: (12.0 * float(rolls)).sqrt().recip(),
        })
    }
}

impl DieFigures {
    /// How dice of that size fell: the counts of its faces from the lowest.
    fn of(die: Die, counts: &[u64]) -> Self {
        let thrown = counts.iter().sum();
        let due = float(thrown) / f64::from(die.sides());
        let faces = die.lowest()..=die.highest();
        let faces: Vec<(Face, u64)> = faces.zip(counts.iter().copied()).collect();
        let cells = faces.iter().map(|&(_, count)| (count, due));
        let test = (due >= 5.0).then(|| ChiSquare::of(cells)).flatten();
        Self {
            die,
            faces,
            thrown,
            due,
            test,
        }
    }
}

#[cfg(test)]
mod tests;
