//! Statistics of a log: the rolled faces against the expected ones, everyone's luck, and the outcomes of checks.
//!
//! A [`LogTally`](super::LogTally) counts one event at a time, so that a log is read once, when a screen first shows
//! the statistics. It counts every roll, even one that was undone later. Without those rolls, the statistics
//! would not measure luck.

use tableside_dice::{ChiSquare, Die, Face, float};
use tableside_game::CharacterId;
use tableside_rules::{CheckSpec, OutcomeId};

/// The figures of all rolls that one seat may see.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The first event that is counted; 1 if the whole log is counted.
    pub from: u64,
    /// All rolls together.
    pub all: Figures,
    /// Each character that rolled, in the order of the roster, then removed characters, then rolls without a character.
    pub each: Vec<Figures>,
}

/// The figures of one character, or of all rolls.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The name of the character; empty for all rolls and for rolls without a name.
    pub who: String,
    /// The character, if there is one.
    pub id: Option<CharacterId>,
    /// The number of resolved checks.
    pub rolls: u64,
    /// The luck of the checks with dice. `None` before the first.
    pub luck: Option<Luck>,
    /// The dice, smallest first.
    pub dice: Vec<DieFigures>,
    /// The outcomes of each check, in the order of the system's checks.
    pub checks: Vec<CheckFigures>,
}

/// The luck of a number of rolls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Luck {
    /// The mean percentile of the rolls, each in its own exact distribution. 0.5 is average luck.
    pub mean: f64,
    /// The number of rolls.
    pub rolls: u64,
    /// An upper bound of the standard deviation that the mean has by chance.
    pub deviation: f64,
}

/// The faces rolled with one size of dice.
#[derive(Clone, Debug, PartialEq)]
pub struct DieFigures {
    /// The die. All ten-sided dice count as one size.
    pub die: Die,
    /// How often each face was rolled, from the lowest.
    pub faces: Vec<(Face, u64)>,
    /// The number of dice.
    pub thrown: u64,
    /// The expected count of each face.
    pub due: f64,
    /// The chi-square test of the counts. `None` while fewer than five of each face are expected.
    pub test: Option<ChiSquare>,
}

/// The outcomes of one check.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckFigures {
    pub check: &'static CheckSpec,
    /// How often each outcome occurred, in the check's order, including those that never occurred.
    pub outcomes: Vec<(OutcomeId, u64)>,
}

impl Luck {
    /// The luck of a number of rolls, from the sum of their percentiles in thousandths.
    pub(super) fn of(per_mille: u64, rolls: u64) -> Option<Self> {
        (rolls > 0).then(|| Self {
            mean: float(per_mille) / float(rolls) / 1000.0,
            rolls,
            // The variance of a percentile is at most that of an even distribution from 0 to 1, which is 1/12.
            deviation: (12.0 * float(rolls)).sqrt().recip(),
        })
    }
}

impl DieFigures {
    /// The figures of a die from the counts of its faces, the lowest first.
    pub(super) fn of(die: Die, counts: &[u64]) -> Self {
        let thrown = counts.iter().sum();
        let expected = float(thrown) / f64::from(die.sides());
        let faces = die.lowest()..=die.highest();
        let faces: Vec<(Face, u64)> = faces.zip(counts.iter().copied()).collect();
        let cells = faces.iter().map(|&(_, count)| (count, expected));
        let test = (expected >= 5.0).then(|| ChiSquare::of(cells)).flatten();
        Self {
            die,
            faces,
            thrown,
            due: expected,
            test,
        }
    }
}
