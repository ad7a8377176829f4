//! Counts the rolls of a log, one event at a time.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{CheckFigures, DieFigures, Figures, Luck};
use tableside_dice::{Die, Face};
use tableside_game::{CharacterId, EntityRef, Event, EventKind, Roll, Thrown};
use tableside_rules::{OutcomeId, System, count_faces};

/// The counts of a part of a log.
///
/// The parts of a log can be counted on several threads and merged. Each roll takes 16 bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogTally {
    groups: BTreeMap<RollGroup, GroupCounts>,
    /// The rolls by entry number, ascending.
    readings: Vec<CountedRoll>,
    /// The names of outcomes that `readings` refers to.
    outcomes: Vec<String>,
    /// The amendments by entry number.
    amendments: FxHashMap<u64, CountedAmendment>,
    /// Amendments, and their undos and redos, that are not counted yet.
    corrections: Vec<Correction>,
}

/// The rolls that are counted together: those of one character, or of one name without a character, that are hidden from
/// the same players.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct RollGroup {
    id: Option<CharacterId>,
    /// The roller's name, for rolls without a character. Empty for a character, which is identified by `id`, because its
    /// name may change.
    name: String,
    hidden_from: Vec<String>,
}

/// The counts of a group.
#[derive(Clone, Debug, Default, PartialEq)]
struct GroupCounts {
    /// The roller's name at the last roll.
    name: String,
    counts: Counts,
}

/// The result of a roll. It is kept because another entry may amend the roll.
#[derive(Clone, Copy, Debug, PartialEq)]
struct CountedRoll {
    entry: u64,
    luck: Option<u16>,
    /// The index of its outcome in [`LogTally::outcomes`].
    outcome: u16,
}

/// An amendment, which interprets the dice of another entry again.
#[derive(Clone, Debug, PartialEq)]
struct CountedAmendment {
    /// The entry that the amendment replaces.
    replaced: u64,
    roll: Box<Roll>,
}

/// A change of the counts: an amendment begins or ceases to be counted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Correction {
    /// The entry of the amendment. If the entry is not an amendment, the correction has no effect.
    entry: u64,
    /// 1 if the amendment counts instead of the entry that it replaces, -1 for the reverse.
    by: i64,
}

/// The values that a resolved roll adds to the counts.
struct RollResult<'a> {
    check: &'a str,
    luck: Option<u16>,
    outcome: &'a str,
}

/// A value that is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Counted {
    Rolls,
    /// Rolls whose luck is known.
    Measured,
    /// The sum of the luck of these rolls, in thousandths.
    Luck,
    Face(Die, Face),
    Outcome {
        check: String,
        outcome: String,
    },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts(FxHashMap<Counted, i64>);

impl Counts {
    fn add(&mut self, counted: Counted, by: i64) {
        *self.0.entry(counted).or_default() += by;
    }

    /// Adds the result of a roll to the counts, or removes it if `by` is -1.
    fn add_result(&mut self, result: &RollResult<'_>, by: i64) {
        if let Some(luck) = result.luck {
            self.add(Counted::Measured, by);
            self.add(Counted::Luck, by * i64::from(luck));
        }
        let outcome = Counted::Outcome {
            check: result.check.to_owned(),
            outcome: result.outcome.to_owned(),
        };
        self.add(outcome, by);
    }

    /// Counts a die. All ten-sided dice count as d10, and a 0 on a digit die as 10.
    fn add_die(&mut self, die: Die, face: Face) {
        let (die, face) = match (die, face) {
            (Die::Digit, 0) => (Die::D10, 10),
            (Die::Digit, face) => (Die::D10, face),
            other => other,
        };
        self.add(Counted::Face(die, face), 1);
    }

    fn get(&self, counted: &Counted) -> u64 {
        match self.0.get(counted) {
            Some(count) => count.unsigned_abs(),
            None => 0,
        }
    }
}

impl LogTally {
    /// Counts an event at the end of the log.
    pub fn absorb(&mut self, number: u64, event: &Event, system: System) {
        self.count(number, event, system);
        self.apply_corrections();
    }

    /// Counts an event without its effect on earlier rolls, which [`Self::apply_corrections`] adds.
    ///
    /// A die counts once, when it is rolled, even if its check then waits for an answer and is abandoned later. A check counts when it is resolved. If it was amended, its newest amendment counts instead.
    pub(super) fn count(&mut self, number: u64, event: &Event, system: System) {
        match &event.what {
            EventKind::Incomplete(roll) => self.count_new_dice(roll, event, system),
            EventKind::Amended { entry, roll, fresh } => {
                // The other dice were counted with the entry that this event amends.
                self.count_dice(roll, |index| fresh.contains(&index), system);
                self.add_reading(number, roll, system);
                let amendment = CountedAmendment {
                    replaced: *entry,
                    roll: roll.clone(),
                };
                self.amendments.insert(number, amendment);
                self.correct(number, 1);
            }
            EventKind::Undone { event, .. } => self.correct(*event, -1),
            EventKind::Redone { event, .. } => self.correct(*event, 1),
            EventKind::Rolled(roll) | EventKind::Rerolled { roll, .. } => {
                self.count_new_dice(roll, event, system);
                let result = RollResult {
                    check: &roll.check,
                    luck: roll.luck,
                    outcome: roll.outcome_name(system),
                };
                let counts = self.counts_of_roll(roll);
                counts.add(Counted::Rolls, 1);
                counts.add_result(&result, 1);
                self.add_reading(number, roll, system);
            }
            EventKind::Thrown(thrown) => self.count_free_dice(thrown),
            EventKind::Initiative { rolls, .. } => {
                for rolled in rolls {
                    self.count_dice(&rolled.roll, |_| true, system);
                }
            }
            // No other event rolls dice or changes the reading of a roll.
            _ => {}
        }
    }

    /// Adds the counts of the next part of the log.
    pub(super) fn append(&mut self, next: Self) {
        for (group, counted) in next.groups {
            let group_counts = self.groups.entry(group).or_default();
            group_counts.name = counted.name;
            for (value, by) in counted.counts.0 {
                group_counts.counts.add(value, by);
            }
        }
        for reading in next.readings {
            let outcome = &next.outcomes[usize::from(reading.outcome)];
            self.push_reading(reading.entry, reading.luck, outcome);
        }
        self.amendments.extend(next.amendments);
        self.corrections.extend(next.corrections);
    }

    /// Counts amendments instead of the rolls that they replace, or the reverse.
    pub(super) fn apply_corrections(&mut self) {
        for correction in std::mem::take(&mut self.corrections) {
            self.apply_correction(correction);
        }
    }

    fn apply_correction(&mut self, correction: Correction) {
        let Some(amendment) = self.amendments.get(&correction.entry) else {
            return;
        };
        let Some(new) = self.reading_of(correction.entry) else {
            return;
        };
        let Some(old) = self.reading_of(amendment.replaced) else {
            return;
        };

        let roll = &amendment.roll;
        let new_result = RollResult {
            check: &roll.check,
            luck: new.luck,
            outcome: &self.outcomes[usize::from(new.outcome)],
        };
        let old_result = RollResult {
            check: &roll.check,
            luck: old.luck,
            outcome: &self.outcomes[usize::from(old.outcome)],
        };

        let group = self.groups.entry(RollGroup::of_roll(roll));
        let counts = &mut group.or_default().counts;
        counts.add_result(&new_result, correction.by);
        counts.add_result(&old_result, -correction.by);
    }

    fn reading_of(&self, entry: u64) -> Option<CountedRoll> {
        let index = self
            .readings
            .binary_search_by_key(&entry, |reading| reading.entry);
        self.readings.get(index.ok()?).copied()
    }

    fn correct(&mut self, entry: u64, by: i64) {
        self.corrections.push(Correction { entry, by });
    }

    /// Keeps the result of a roll, because another entry may amend the roll.
    fn add_reading(&mut self, number: u64, roll: &Roll, system: System) {
        self.push_reading(number, roll.luck, roll.outcome_name(system));
    }

    fn push_reading(&mut self, entry: u64, luck: Option<u16>, outcome: &str) {
        let index = self.index_of_outcome(outcome);
        if let Ok(outcome) = u16::try_from(index) {
            self.readings.push(CountedRoll {
                entry,
                luck,
                outcome,
            });
        }
    }

    /// Returns the index of an outcome in [`Self::outcomes`]. Adds the outcome if it is new.
    fn index_of_outcome(&mut self, outcome: &str) -> usize {
        let mut names = self.outcomes.iter();
        if let Some(index) = names.position(|name| name == outcome) {
            return index;
        }
        self.outcomes.push(outcome.to_owned());
        self.outcomes.len() - 1
    }

    /// Counts the dice of a check that were rolled in this event, and not before the check waited.
    fn count_new_dice(&mut self, roll: &Roll, event: &Event, system: System) {
        let waited = event.changes.iter().find_map(|change| match change.entity {
            EntityRef::Unfinished(_) => change.waited(),
            _ => None,
        });
        let counted = match waited {
            Some(waited) => count_faces(&waited.trail),
            None => 0,
        };
        if count_faces(&roll.trail) > counted {
            self.count_dice(roll, |index| index >= counted, system);
        }
    }

    /// Counts the dice of a check whose indices `is_new` accepts.
    fn count_dice(&mut self, roll: &Roll, is_new: impl Fn(usize) -> bool, system: System) {
        let Ok(machine) = roll.machine(system) else {
            return;
        };
        let dice = machine.rolled_dice(&roll.trail);
        let counts = self.counts_of_roll(roll);
        for (index, (die, face)) in dice.into_iter().enumerate() {
            if is_new(index) {
                counts.add_die(die, face);
            }
        }
    }

    /// Counts the faces of dice that belong to no check. Fate dice are left out, because no system has a die with their
    /// faces.
    fn count_free_dice(&mut self, thrown: &Thrown) {
        let group = RollGroup::new(&thrown.who, thrown.id, &thrown.hidden_from);
        let counts = self.counts_of(group, &thrown.who);
        let rolls = thrown.all().filter_map(Thrown::rolled);
        for rolled in rolls.flat_map(|rolled| rolled.dice) {
            let mut ladder = Die::LADDER.into_iter();
            let die = ladder.find(|die| u32::from(die.sides()) == rolled.sides);
            let face = Face::try_from(rolled.face);
            if let Some(die) = die
                && let Ok(face) = face
            {
                counts.add_die(die, face);
            }
        }
    }

    fn counts_of_roll(&mut self, roll: &Roll) -> &mut Counts {
        self.counts_of(RollGroup::of_roll(roll), &roll.who)
    }

    fn counts_of(&mut self, group: RollGroup, name: &str) -> &mut Counts {
        let group_counts = self.groups.entry(group).or_default();
        name.clone_into(&mut group_counts.name);
        &mut group_counts.counts
    }

    /// The figures of all rolls together and of each character, from the rolls that `may_see` accepts. `may_see` is
    /// called with the character and the players from whom the rolls are hidden.
    pub(super) fn figures(
        &self,
        system: System,
        may_see: impl Fn(Option<CharacterId>, &[String]) -> bool,
    ) -> (Figures, Vec<Figures>) {
        let mut all = Counts::default();
        let mut by_roller: BTreeMap<RollGroup, GroupCounts> = BTreeMap::new();
        for (group, counted) in &self.groups {
            if !may_see(group.id, &group.hidden_from) {
                continue;
            }
            let roller = RollGroup::new(&counted.name, group.id, &[]);
            let roller_counts = by_roller.entry(roller).or_default();
            roller_counts.name.clone_from(&counted.name);
            for (value, by) in &counted.counts.0 {
                all.add(value.clone(), *by);
                roller_counts.counts.add(value.clone(), *by);
            }
        }

        let mut each = Vec::new();
        for (roller, counted) in &by_roller {
            let counts = &counted.counts;
            each.push(counts.figures(&counted.name, roller.id, system));
        }
        (all.figures("", None, system), each)
    }
}

impl RollGroup {
    fn of_roll(roll: &Roll) -> Self {
        Self::new(&roll.who, roll.id, &roll.hidden_from)
    }

    fn new(name: &str, id: Option<CharacterId>, hidden_from: &[String]) -> Self {
        let name = if id.is_some() { "" } else { name };
        Self {
            id,
            name: name.to_owned(),
            hidden_from: hidden_from.to_vec(),
        }
    }
}

impl Counts {
    fn figures(&self, who: &str, id: Option<CharacterId>, system: System) -> Figures {
        let mut checks = Vec::new();
        for check in system.spec().checks {
            let outcomes: Vec<(OutcomeId, u64)> = (0..)
                .map(OutcomeId)
                .zip(check.outcomes)
                .map(|(id, outcome)| {
                    let counted = Counted::Outcome {
                        check: check.id.to_owned(),
                        outcome: outcome.id.to_owned(),
                    };
                    (id, self.get(&counted))
                })
                .collect();
            let was_rolled = outcomes.iter().any(|(_, count)| *count > 0);
            if was_rolled {
                checks.push(CheckFigures { check, outcomes });
            }
        }

        let mut dice = Vec::new();
        for die in Die::LADDER {
            let faces = die.lowest()..=die.highest();
            let counts: Vec<u64> = faces
                .map(|face| Counted::Face(die, face))
                .map(|counted| self.get(&counted))
                .collect();
            let was_rolled = counts.iter().any(|count| *count > 0);
            if was_rolled {
                dice.push(DieFigures::of(die, &counts));
            }
        }

        let luck_sum = self.get(&Counted::Luck);
        let measured_rolls = self.get(&Counted::Measured);
        Figures {
            who: who.to_owned(),
            id,
            rolls: self.get(&Counted::Rolls),
            luck: Luck::of(luck_sum, measured_rolls),
            dice,
            checks,
        }
    }
}

#[cfg(test)]
mod tests;
