//! The rolls of each roller over the evening, and their luck.

use serde::Serialize;

use super::Recap;
use crate::{Entry, Luck, SeatView};
use tableside_rules::System;

/// Luck this many standard deviations from the average is remarkable.
const REMARKABLE: f64 = 2.0;

/// The minimum number of rolls for remarkable luck.
const FEWEST_ROLLS: u64 = 5;

/// The rolls of one roller over the evening.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Roller {
    /// The name of the roller. Empty for the GM's rolls that belong to no character.
    pub who: String,
    pub count: usize,
    /// The number of rolls that succeeded or failed. Other rolls have neither result.
    pub decided: usize,
    pub succeeded: usize,
    /// The mean percentile of the rolls, rounded to hundredths. 0.5 is average luck.
    pub luck: Option<f64>,
    /// `None` if the luck is near the average, or if there are too few rolls.
    pub remarkable: Option<RemarkableLuck>,
}

/// Luck that lies more than two standard deviations from the average.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RemarkableLuck {
    Lucky,
    Unlucky,
}

/// The rolls of one roller in the entries that were added so far.
#[derive(Debug)]
struct RollerSum {
    who: String,
    count: usize,
    decided: usize,
    succeeded: usize,
    /// The number of rolls whose luck is known.
    measured: u64,
    /// The sum of the luck of these rolls, in thousandths.
    luck: u64,
}

/// Adds up the rolls of all rollers.
#[derive(Debug, Default)]
pub(super) struct RollerSums(Vec<RollerSum>);

impl RollerSums {
    /// Adds a roll that was not undone or replaced.
    pub(super) fn add(&mut self, entry: &Entry, system: System) {
        let Some(roll) = entry.event.what.resolved() else {
            return;
        };
        let success = entry.outcome(system).and_then(|outcome| outcome.success);
        let sum = self.sum_of(&roll.who);
        sum.count += 1;
        if let Some(success) = success {
            sum.decided += 1;
            sum.succeeded += usize::from(success);
        }
        if let Some(luck) = roll.luck {
            sum.measured += 1;
            sum.luck += u64::from(luck);
        }
    }

    fn sum_of(&mut self, who: &str) -> &mut RollerSum {
        let index = self.0.iter().position(|sum| sum.who == who);
        let index = index.unwrap_or_else(|| {
            self.0.push(RollerSum {
                who: who.to_owned(),
                count: 0,
                decided: 0,
                succeeded: 0,
                measured: 0,
                luck: 0,
            });
            self.0.len() - 1
        });
        &mut self.0[index]
    }

    /// The rollers in the order of the roster, then all others.
    pub(super) fn finish(mut self, view: &SeatView<'_>) -> Vec<Roller> {
        self.0.sort_by_key(|sum| {
            let mut roster = view.roster();
            let place = roster.position(|character| character.name == sum.who);
            place.unwrap_or(usize::MAX)
        });
        self.0.into_iter().map(RollerSum::finish).collect()
    }
}

impl RollerSum {
    fn finish(self) -> Roller {
        let luck = Luck::of(self.luck, self.measured);
        Roller {
            who: self.who,
            count: self.count,
            decided: self.decided,
            succeeded: self.succeeded,
            luck: luck.map(|luck| (luck.mean * 100.0).round() / 100.0),
            remarkable: luck.and_then(RemarkableLuck::of),
        }
    }
}

impl RemarkableLuck {
    fn of(luck: Luck) -> Option<Self> {
        let distance = (luck.mean - 0.5) / luck.deviation;
        if luck.rolls < FEWEST_ROLLS || distance.abs() < REMARKABLE {
            None
        } else if distance > 0.0 {
            Some(Self::Lucky)
        } else {
            Some(Self::Unlucky)
        }
    }
}

impl Recap {
    /// The number of rolls of all rollers.
    pub(super) fn roll_count(&self) -> usize {
        self.rollers.iter().map(|roller| roller.count).sum()
    }
}
