//! Running figures: an event comes in, is counted, and is forgotten.

use std::collections::BTreeMap;

use super::{CheckFigures, DieFigures, Figures, Luck};
use crate::dice::{Die, Face};
use crate::rules::{OutcomeId, System, count_faces};
use crate::session::{CharacterId, Event, EventKind, Roll, Subject};

/// The running figures of a stretch of a log, kept apart by who rolled and who may not see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally(Vec<Group>);

/// Rolls of one character that are hidden from the same people.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    /// The name when it rolled last.
    who: String,
    id: Option<CharacterId>,
    hidden_from: Vec<String>,
    counts: Counts,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts {
    rolls: u64,
    /// How many of the rolls have a luck, and its sum, per mille.
    measured: u64,
    luck: u64,
    /// How often each face of each size fell, from the lowest.
    faces: BTreeMap<Die, Vec<u64>>,
    /// How often each check had each outcome.
    outcomes: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Counts {
    fn count(&mut self, die: Die, face: Face) {
        let (die, face) = size(die, face);
        let none = || vec![0; die.sides().into()];
        let counts = self.faces.entry(die).or_insert_with(none);
        if let Some(count) = counts.get_mut(usize::from(face.saturating_sub(die.lowest()))) {
            *count += 1;
        }
    }
}

impl Tally {
    /// Whether a die may have fallen in an event, as JSON: reading it costs more than finding out that none did.
    pub(in crate::table) fn may_count(event: &str) -> bool {
        let words = [
            "\"rolled\"",
            "\"incomplete\"",
            "\"rerolled\"",
            "\"amended\"",
            "\"thrown\"",
        ];
        words.into_iter().any(|word| event.contains(word))
    }

    /// Counts one event. A die is counted when it falls, once, also where its check waits for an answer
    /// then and is given up, or taken back and answered again; a check is counted when it is resolved.
    pub fn absorb(&mut self, event: &Event, system: System) {
        match &event.what {
            EventKind::Incomplete(roll) => self.count_faces(roll, event, system),
            // What is read again fell before, but for the dice that were missing.
            EventKind::Amended { roll, fresh, .. } => {
                self.count_fallen(roll, |place| fresh.contains(&place), system);
            }
            // A roll that is repeated is a roll.
            EventKind::Rolled(roll) | EventKind::Rerolled { roll, .. } => {
                self.count_faces(roll, event, system);
                let counts = self.counts_of(roll);
                counts.rolls += 1;
                if let Some(luck) = roll.luck {
                    counts.measured += 1;
                    counts.luck += u64::from(luck);
                }
                let outcomes = counts.outcomes.entry(roll.check.clone()).or_default();
                *outcomes.entry(roll.outcome.clone()).or_default() += 1;
            }
            // Dice without a check: their faces alone.
            EventKind::Thrown(thrown) => {
                let counts = self.group(&thrown.who, thrown.id, &thrown.hidden_from);
                let dice = thrown.rolled().map_or_else(Vec::new, |rolled| rolled.dice);
                for die in dice {
                    let mut ladder = Die::LADDER.into_iter();
                    let known = ladder.find(|known| u32::from(known.sides()) == die.sides);
                    // A Fate die has faces of its own.
                    if let (Some(known), Ok(face)) = (known, Face::try_from(die.face)) {
                        counts.count(known, face);
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
            | EventKind::Struck { .. }
            | EventKind::Undone { .. }
            | EventKind::Redone { .. } => {}
        }
    }

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
        let fallen = machine.outcome(&roll.trail).dice.into_iter().enumerate();
        let mut fallen = fallen.filter(|(place, _)| counts(*place)).peekable();
        if fallen.peek().is_none() {
            return;
        }
        let counted = self.counts_of(roll);
        for (_, fell) in fallen {
            counted.count(fell.die, fell.face);
        }
    }

    fn counts_of(&mut self, roll: &Roll) -> &mut Counts {
        self.group(&roll.who, roll.id, &roll.hidden_from)
    }

    /// The counts of a character's rolls that are hidden from these people, new ones if need be.
    fn group(&mut self, who: &str, id: Option<CharacterId>, hidden_from: &[String]) -> &mut Counts {
        let same = |group: &Group| {
            group.id == id && (id.is_some() || group.who == who) && group.hidden_from == hidden_from
        };
        let found = self.0.iter().position(same).unwrap_or_else(|| {
            self.0.push(Group {
                who: String::new(),
                id,
                hidden_from: hidden_from.to_vec(),
                counts: Counts::default(),
            });
            self.0.len() - 1
        });
        let group = &mut self.0[found];
        if group.who != who {
            who.clone_into(&mut group.who);
        }
        &mut group.counts
    }

    /// The figures of those rolls that `may` lets be seen, by character, in the order in which they
    /// first rolled; `may` is asked with the character and with those from whom the rolls are hidden.
    pub(in crate::table) fn figures(
        &self,
        system: System,
        may: impl Fn(Option<CharacterId>, &[String]) -> bool,
    ) -> (Figures, Vec<Figures>) {
        let mut all = Counts::default();
        let mut each: Vec<(&str, Option<CharacterId>, Counts)> = Vec::new();
        for group in &self.0 {
            if !may(group.id, &group.hidden_from) {
                continue;
            }
            all.add(&group.counts);
            let same = |(who, id, _): &&mut (&str, Option<CharacterId>, Counts)| {
                *id == group.id && (id.is_some() || *who == group.who)
            };
            match each.iter_mut().find(same) {
                Some((who, _, counts)) => {
                    *who = &group.who;
                    counts.add(&group.counts);
                }
                None => each.push((&group.who, group.id, group.counts.clone())),
            }
        }
        let each = each.into_iter();
        let each = each.map(|(who, id, counts)| counts.figures(who, id, system));
        (all.figures("", None, system), each.collect())
    }
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.rolls += other.rolls;
        self.measured += other.measured;
        self.luck += other.luck;
        for (die, more) in &other.faces {
            let counts = self.faces.entry(*die).or_default();
            counts.resize(counts.len().max(more.len()), 0);
            counts
                .iter_mut()
                .zip(more)
                .for_each(|(count, more)| *count += more);
        }
        for (check, more) in &other.outcomes {
            let outcomes = self.outcomes.entry(check.clone()).or_default();
            for (outcome, more) in more {
                *outcomes.entry(outcome.clone()).or_default() += more;
            }
        }
    }

    fn figures(&self, who: &str, id: Option<CharacterId>, system: System) -> Figures {
        let checks = system.spec().checks.iter().filter_map(|check| {
            let counted = self.outcomes.get(check.id)?;
            let outcomes = (0..).map(OutcomeId).zip(check.outcomes);
            let outcomes = outcomes.map(|(id, outcome)| {
                let count = counted.get(outcome.id).copied().unwrap_or(0);
                (id, count)
            });
            Some(CheckFigures {
                check,
                outcomes: outcomes.collect(),
            })
        });
        let dice = self.faces.iter();
        Figures {
            who: who.to_owned(),
            id,
            rolls: self.rolls,
            luck: Luck::of(self.luck, self.measured),
            dice: dice
                .map(|(die, counts)| DieFigures::of(*die, counts))
                .collect(),
            checks: checks.collect(),
        }
    }
}

/// The size of a die, and its face as that size has it: a digit's 0 is a 10.
fn size(die: Die, face: Face) -> (Die, Face) {
    match (die, face) {
        (Die::Digit, 0) => (Die::D10, 10),
        (Die::Digit, face) => (Die::D10, face),
        (Die::D4 | Die::D6 | Die::D8 | Die::D10 | Die::D12 | Die::D20, face) => (die, face),
    }
}
