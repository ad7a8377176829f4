//! Luck and statistics of a log: the faces rolled against what was due, how lucky everybody was, and
//! what came of it.
//!
//! A [`LogTally`] takes one event at a time and forgets it, so that a log is read once, when somebody asks. It
//! counts what happened, struck and taken back or not: the dice fell, and a log in which only the rolls that
//! somebody liked count would say nothing of luck.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use tableside_dice::{ChiSquare, Die, Face, float};
use tableside_game::{CharacterId, Event, EventKind, Roll, Subject, Thrown};
use tableside_rules::{CheckSpec, OutcomeId, System, count_faces};

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

/// The running figures of a stretch of a log, with the name that each had when it rolled last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogTally {
    counts: BTreeMap<Rolls, (String, Counts)>,
    /// What each entry read a roll as, in their order: its luck, and the place of its outcome among `outcomes`. A log
    /// may have a million of them, so they are 16 bytes each.
    readings: Vec<(u64, Option<u16>, u16)>,
    outcomes: Vec<String>,
    /// The entries that read another one again, and which.
    amended: FxHashMap<u64, (u64, Box<Roll>)>,
}

/// Which rolls are counted together: those of one character, or of one name that is no character's, which are
/// hidden from the same people.
type Rolls = (Option<CharacterId>, String, Vec<String>);

/// What is counted of rolls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Counted {
    Rolls,
    /// Rolls that have a luck.
    Measured,
    /// The luck of those, per mille, added up.
    Luck,
    Face(Die, Face),
    /// A check and its outcome.
    Outcome(String, String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts(FxHashMap<Counted, i64>);

impl Counts {
    fn add(&mut self, counted: Counted, by: i64) {
        *self.0.entry(counted).or_default() += by;
    }

    /// Counts what so many rolls of a check were read as.
    fn add_reading(&mut self, check: &str, luck: Option<u16>, outcome: &str, by: i64) {
        if let Some(luck) = luck {
            self.add(Counted::Measured, by);
            self.add(Counted::Luck, by * i64::from(luck));
        }
        self.add(Counted::Outcome(check.to_owned(), outcome.to_owned()), by);
    }

    /// Counts a die that fell; all ten-sided ones are one size, and a digit's 0 is a 10.
    fn fell(&mut self, die: Die, face: Face) {
        let (die, face) = match (die, face) {
            (Die::Digit, 0) => (Die::D10, 10),
            (Die::Digit, face) => (Die::D10, face),
            other => other,
        };
        self.add(Counted::Face(die, face), 1);
    }

    fn of(&self, counted: &Counted) -> u64 {
        self.0.get(counted).copied().map_or(0, i64::unsigned_abs)
    }
}

impl LogTally {
    /// Counts one event. A die is counted when it falls, once, also where its check waits for an answer
    /// then and is given up, or taken back and answered again; a check is counted when it is resolved, as it was read
    /// last.
    pub fn absorb(&mut self, number: u64, event: &Event, system: System) {
        match &event.what {
            EventKind::Incomplete(roll) => self.count_faces(roll, event, system),
            // What is read again fell before, but for the dice that were missing.
            EventKind::Amended { entry, roll, fresh } => {
                self.count_fallen(roll, |place| fresh.contains(&place), system);
                self.remember(number, roll, system);
                self.amended.insert(number, (*entry, roll.clone()));
                self.read_as(number, 1);
            }
            EventKind::Undone { event, .. } => self.read_as(*event, -1),
            EventKind::Redone { event, .. } => self.read_as(*event, 1),
            // A roll that is repeated is a roll.
            EventKind::Rolled(roll) | EventKind::Rerolled { roll, .. } => {
                self.count_faces(roll, event, system);
                let counts = self.counts_of(&roll.who, roll.id, &roll.hidden_from);
                counts.add(Counted::Rolls, 1);
                counts.add_reading(&roll.check, roll.luck, roll.outcome_name(system), 1);
                self.remember(number, roll, system);
            }
            // Dice without a check: their faces alone.
            EventKind::Thrown(thrown) => {
                let counts = self.counts_of(&thrown.who, thrown.id, &thrown.hidden_from);
                let rolls = thrown.all().filter_map(Thrown::rolled);
                for die in rolls.flat_map(|rolled| rolled.dice) {
                    let mut ladder = Die::LADDER.into_iter();
                    let known = ladder.find(|known| u32::from(known.sides()) == die.sides);
                    // A Fate die has faces of its own.
                    if let (Some(known), Ok(face)) = (known, Face::try_from(die.face)) {
                        counts.fell(known, face);
                    }
                }
            }
            EventKind::Abandoned(_)
            | EventKind::Ticked { .. }
            | EventKind::Tokens { .. }
            | EventKind::Added { .. }
            | EventKind::Removed { .. }
            | EventKind::Edited { .. }
            | EventKind::Round { .. }
            | EventKind::Scene { .. }
            | EventKind::Ended
            | EventKind::Noted { .. }
            | EventKind::Struck { .. } => {}
        }
    }

    /// Keeps what an entry read a roll as, for when another reads it again.
    fn remember(&mut self, number: u64, roll: &Roll, system: System) {
        let outcome = roll.outcome_name(system);
        let known = self.outcomes.iter().position(|one| one == outcome);
        let place = known.unwrap_or(self.outcomes.len());
        self.outcomes
            .extend(known.is_none().then(|| outcome.to_owned()));
        if let Ok(place) = u16::try_from(place) {
            self.readings.push((number, roll.luck, place));
        }
    }

    /// Counts an entry that read another again in the place of that one, or the other way round.
    fn read_as(&mut self, number: u64, by: i64) {
        let Some((before, roll)) = self.amended.get(&number).cloned() else {
            return;
        };
        let read = |entry: u64| {
            let at = self.readings.binary_search_by_key(&entry, |one| one.0);
            let (_, luck, place) = self.readings[at.ok()?];
            Some((luck, self.outcomes[usize::from(place)].clone()))
        };
        if let Some((now, before)) = read(number).zip(read(before)) {
            let counts = self.counts_of(&roll.who, roll.id, &roll.hidden_from);
            counts.add_reading(&roll.check, now.0, &now.1, by);
            counts.add_reading(&roll.check, before.0, &before.1, -by);
        }
    }

    /// Counts the dice of a check that fell in this event, and not before it waited.
    fn count_faces(&mut self, roll: &Roll, event: &Event, system: System) {
        let waited = event.changes.iter().find_map(|change| match change.of {
            Subject::Unfinished(_) => change.waited(),
            _ => None,
        });
        let counted = waited.map_or(0, |waited| count_faces(&waited.trail));
        if count_faces(&roll.trail) > counted {
            self.count_fallen(roll, |place| place >= counted, system);
        }
    }

    /// Counts those dice of a check whose places among all `counts` names.
    fn count_fallen(&mut self, roll: &Roll, counts: impl Fn(usize) -> bool, system: System) {
        let Ok(machine) = roll.machine(system) else {
            return;
        };
        let fell = machine.rolled_dice(&roll.trail).into_iter().enumerate();
        let counted = self.counts_of(&roll.who, roll.id, &roll.hidden_from);
        for (_, (die, face)) in fell.filter(|(at, _)| counts(*at)) {
            counted.fell(die, face);
        }
    }

    /// The counts of a character's rolls that are hidden from these people.
    fn counts_of(
        &mut self,
        who: &str,
        id: Option<CharacterId>,
        hidden_from: &[String],
    ) -> &mut Counts {
        let name = if id.is_some() { "" } else { who };
        let rolls = (id, name.to_owned(), hidden_from.to_vec());
        let (last, counts) = self.counts.entry(rolls).or_default();
        who.clone_into(last);
        counts
    }

    /// The figures of those rolls that `may` lets be seen, of all together and by character; `may` is asked
    /// with the character and with those from whom the rolls are hidden.
    pub(super) fn figures(
        &self,
        system: System,
        may: impl Fn(Option<CharacterId>, &[String]) -> bool,
    ) -> (Figures, Vec<Figures>) {
        let (mut all, mut each) = (Counts::default(), Self::default());
        for ((id, _, hidden_from), (who, counts)) in &self.counts {
            if may(*id, hidden_from) {
                for (counted, by) in &counts.0 {
                    all.add(counted.clone(), *by);
                    each.counts_of(who, *id, &[]).add(counted.clone(), *by);
                }
            }
        }
        let each = each.counts.iter();
        let each = each.map(|((id, ..), (who, counts))| counts.figures(who, *id, system));
        (all.figures("", None, system), each.collect())
    }
}

impl Counts {
    fn figures(&self, who: &str, id: Option<CharacterId>, system: System) -> Figures {
        let checks = system.spec().checks.iter().filter_map(|check| {
            let outcomes = (0..).map(OutcomeId).zip(check.outcomes);
            let outcomes = outcomes.map(|(id, outcome)| {
                let counted = Counted::Outcome(check.id.to_owned(), outcome.id.to_owned());
                (id, self.of(&counted))
            });
            let outcomes: Vec<(OutcomeId, u64)> = outcomes.collect();
            let has_come = outcomes.iter().any(|(_, count)| *count > 0);
            has_come.then_some(CheckFigures { check, outcomes })
        });
        let dice = Die::LADDER.into_iter().filter_map(|die| {
            let faces = die.lowest()..=die.highest();
            let counts = faces.map(|face| self.of(&Counted::Face(die, face)));
            let counts: Vec<u64> = counts.collect();
            let has_fallen = counts.iter().any(|count| *count > 0);
            has_fallen.then(|| DieFigures::of(die, &counts))
        });
        Figures {
            who: who.to_owned(),
            id,
            rolls: self.of(&Counted::Rolls),
            luck: Luck::of(self.of(&Counted::Luck), self.of(&Counted::Measured)),
            dice: dice.collect(),
            checks: checks.collect(),
        }
    }
}

#[cfg(test)]
mod tests;
