//! What somebody beside the screen wants done, and what came of it: in words that can be handed from one
//! process to another.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::phrase::{self, Unclear};
use super::{Act, Entry, Problem, Seat, SeatId, Seen, Table};
use crate::dice::{Dice, Face, Luck};
use crate::rules::{ChosenBy, System};
use crate::session::{
    Character, CharacterId, ClockId, Command, Event, Faces, Refusal, RollCommand, UnfinishedId,
    What, Who,
};
use crate::store::Saving;
use crate::text::{is_same, nearest};

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Errand {
    /// An act in [plain words](phrase).
    Say {
        /// The words.
        words: String,
        /// Whether a choice that nobody answered waits; else its default is taken.
        wait: bool,
    },
    /// A check, as the command line describes it.
    Roll(Box<RollErrand>),
    /// Characters who join, all or none.
    Add {
        /// Who joins.
        characters: Vec<Character>,
    },
    /// An answer to a choice that a check waits for.
    Answer {
        /// The check.
        check: UnfinishedId,
        /// The option's name.
        chose: String,
        /// Dice that fall the same way again.
        seed: Option<String>,
    },
}

/// A check, as the command line describes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RollErrand {
    /// The system whose check it is.
    pub system: String,
    /// The check's name.
    pub check: String,
    /// Who rolls, by name.
    pub who: Option<String>,
    /// Fields as they were written.
    pub fields: Vec<(String, String)>,
    /// Faces of dice rolled by hand.
    pub faces: Option<Vec<Face>>,
    /// Answers, in the order in which choices come up.
    pub choose: Vec<String>,
    /// The clock that it fills, by name.
    pub clock: Option<String>,
    /// Dice that fall the same way again.
    pub seed: Option<String>,
    /// Whether a choice that nobody answered waits; else its default is taken.
    pub wait: bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Done {
    /// The rule system.
    pub system: System,
    /// The scene in which it happened.
    pub scene: String,
    /// The entry.
    pub entry: Entry,
    /// The check that waits for an answer, where it does.
    pub waiting: Option<UnfinishedId>,
    /// Why it is not saved, where it could not be written down.
    pub unsaved: Option<String>,
}

impl Done {
    /// An error where it was done and could not be saved.
    pub fn saved(&self) -> Result<(), Undone> {
        match &self.unsaved {
            None => Ok(()),
            Some(reason) => Err(Undone {
                hint: Some(
                    "make room or see to the disk; whoever has the session open goes on trying"
                        .to_owned(),
                ),
                ..Undone::failed(format!("it was done, but it is not saved: {reason}"))
            }),
        }
    }
}

/// Why nothing came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Undone {
    /// Whether it was not said rightly, as far as one can know without the session.
    pub misspoken: bool,
    /// What is wrong, and what would be right.
    pub what: String,
    /// What to do next.
    pub hint: Option<String>,
}

/// [`Done`] or [`Undone`] as one process tells the other.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answered {
    Done {
        system: System,
        scene: String,
        number: u64,
        at: DateTime<Utc>,
        by: String,
        seat: SeatId,
        event: Box<RawValue>,
        waiting: Option<UnfinishedId>,
        unsaved: Option<String>,
    },
    Undone(Undone),
}

impl Answered {
    pub(super) fn new(result: Result<Done, Undone>) -> Self {
        let told = result.and_then(|done| {
            let event = serde_json::value::to_raw_value(&done.entry.event);
            Ok(Self::Done {
                system: done.system,
                scene: done.scene,
                number: done.entry.number,
                at: done.entry.at,
                by: done.entry.by,
                seat: done.entry.seat,
                event: event.map_err(|error| Undone::failed(error.to_string()))?,
                waiting: done.waiting,
                unsaved: done.unsaved,
            })
        });
        told.unwrap_or_else(Self::Undone)
    }

    pub(super) fn read(self) -> Result<Done, Undone> {
        match self {
            Self::Undone(undone) => Err(undone),
            Self::Done {
                system,
                scene,
                number,
                at,
                by,
                seat,
                event,
                waiting,
                unsaved,
            } => {
                let event: Event = serde_json::from_str(event.get())
                    .map_err(|error| Undone::failed(error.to_string()))?;
                Ok(Done {
                    system,
                    scene,
                    entry: Entry::new(number, at, (by, seat), event),
                    waiting,
                    unsaved,
                })
            }
        }
    }
}

impl Undone {
    pub(super) fn failed(what: impl Into<String>) -> Self {
        Self {
            misspoken: false,
            what: what.into(),
            hint: None,
        }
    }
}

impl From<Unclear> for Undone {
    fn from(unclear: Unclear) -> Self {
        let misspoken = match &unclear {
            Unclear::Refused(refusal) => is_misuse(refusal),
            Unclear::Open { .. } => true,
            other => other.is_misspoken(),
        };
        let hint = match &unclear {
            Unclear::Verb { .. } | Unclear::Nothing => {
                Some("`tableside do --list` lists all actions".to_owned())
            }
            _ => None,
        };
        Self {
            misspoken,
            what: unclear.to_string(),
            hint,
        }
    }
}

impl From<Refusal> for Undone {
    fn from(refusal: Refusal) -> Self {
        Self {
            misspoken: is_misuse(&refusal),
            what: refusal.to_string(),
            hint: None,
        }
    }
}

impl From<Problem> for Undone {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Refused(refusal) => refusal.into(),
            Problem::Store(error) => Self {
                misspoken: false,
                hint: error.hint(),
                what: error.to_string(),
            },
        }
    }
}

/// Whether what was said cannot be so whatever the session is: exit code 2 on the command line.
pub const fn is_misuse(refusal: &Refusal) -> bool {
    matches!(
        refusal,
        Refusal::Field(_)
            | Refusal::Walk(_)
            | Refusal::Name(_)
            | Refusal::House(_)
            | Refusal::Sheet(_)
            | Refusal::Segments(_)
            | Refusal::Unknown { .. }
    )
}

impl Table {
    /// Runs an errand for that seat.
    pub fn run(self: &Arc<Self>, seat: &Seat, errand: &Errand) -> Result<Done, Undone> {
        let (act, seed) = match errand {
            Errand::Say { words, wait } => {
                let mut act = self.read(seat, |seen| phrase::read(words, seen))?;
                if let Act::Do(command) = &mut act
                    && let Command::Roll(roll) = &mut **command
                {
                    roll.wait |= wait;
                }
                (act, None)
            }
            Errand::Roll(roll) => {
                let name = self.name();
                let command = self.read(seat, |seen| roll.plan(seen, &name))?;
                (
                    Command::Roll(Box::new(command)).into(),
                    roll.seed.as_deref(),
                )
            }
            Errand::Add { characters } => {
                let each = characters.iter().cloned();
                let each = each.map(|one| Command::AddCharacter(Box::new(one)));
                (Command::All(each.collect()).into(), None)
            }
            Errand::Answer { check, chose, seed } => {
                let command = Command::Answer {
                    check: *check,
                    chose: chose.clone(),
                    by: ChosenBy::Command,
                    faces: Faces::Rolled,
                };
                (command.into(), seed.as_deref())
            }
        };
        let dice: Option<Box<dyn Dice + Send>> = match seed.map(Luck::from_hex) {
            Some(Ok(luck)) => Some(Box::new(luck)),
            Some(Err(error)) => {
                return Err(Undone {
                    misspoken: true,
                    ..Undone::failed(error.to_string())
                });
            }
            None => None,
        };
        let entry = self.submit_with(seat, &act, dice)?;
        let (system, scene, waiting, unsaved) = self.read(seat, |seen| {
            let waiting = match &entry.event.what {
                What::Begun(roll) => seen.unfinished().find(|waiting| waiting.roll == **roll),
                _ => None,
            };
            let scene = seen.scene_of(entry.number).name.clone();
            let unsaved = match seen.saving() {
                Saving::Failing {
                    at: Some(_),
                    reason,
                    ..
                } => Some(reason.clone()),
                Saving::Failing { .. } | Saving::Behind { .. } | Saving::Quiet => None,
            };
            let waiting = waiting.map(|waiting| waiting.id);
            (seen.system(), scene, waiting, unsaved)
        });
        Ok(Done {
            system,
            scene,
            entry: Entry::clone(&entry),
            waiting,
            unsaved,
        })
    }
}

impl RollErrand {
    /// The roll as it is to be made: the sheet's values, what was written over them.
    pub fn plan(&self, seen: &Seen<'_>, session: &str) -> Result<RollCommand, Undone> {
        let system = seen.system();
        if system.spec().id != self.system {
            return Err(Undone {
                misspoken: true,
                ..Undone::failed(format!(
                    "{session} is a game of {system}, and {} {} is none of its checks",
                    self.system, self.check
                ))
            });
        }
        let check = system.check(&self.check).map_err(Refusal::from)?;
        let who = self.who.as_deref();
        let who = who.map(|name| character(seen, name)).transpose()?;
        let clock = self.clock.as_deref();
        let clock = clock.map(|name| clock_named(seen, name)).transpose()?;
        let attached = clock.and_then(|id| seen.clock(id)?.clock.check.as_ref());
        let attached = attached.filter(|attached| attached.check == check.id);
        let who = who.or_else(|| attached?.who);
        let mut filled = seen.fill(check, who);
        // A clock's own check brings its fields; what is written counts more.
        for (name, given) in attached.iter().flat_map(|attached| &attached.fields) {
            if let Some(field) = check.field(name) {
                seen.fill_in(&mut filled, who, field, given)?;
            }
        }
        for (name, written) in &self.fields {
            match check.field(name) {
                Some(field) => seen.fill_in(&mut filled, who, field, written)?,
                // Says which fields there are.
                None => filled
                    .fields
                    .set(name, written.as_str().into())
                    .map_err(Refusal::from)?,
            }
        }
        filled.fields.complete().map_err(Refusal::from)?;
        Ok(RollCommand {
            who: who.map_or(Who::Nobody, Who::Character),
            fields: filled.fields,
            sources: filled.sources,
            faces: self.faces.clone().map_or(Faces::Rolled, Faces::Typed),
            choose: self.choose.clone(),
            by: ChosenBy::Command,
            wait: self.wait,
            hidden_from: Vec::new(),
            noticed: false,
            clock,
            helpers: Vec::new(),
        })
    }
}

fn character(seen: &Seen<'_>, name: &str) -> Result<CharacterId, Undone> {
    let found = seen.character_named(name).map(|character| character.id);
    found.ok_or_else(|| {
        let names = seen.roster().map(|one| one.name.as_str());
        unknown("character", name, &names.collect::<Vec<_>>())
    })
}

fn clock_named(seen: &Seen<'_>, name: &str) -> Result<ClockId, Undone> {
    let same = |known: &str| is_same(known, name);
    let found = seen.clocks().find(|one| same(&one.clock.name));
    found.map(|one| one.clock.id).ok_or_else(|| {
        let names = seen.clocks().map(|one| one.clock.name.as_str());
        unknown("clock", name, &names.collect::<Vec<_>>())
    })
}

/// Something of that name is not in the session.
fn unknown(kind: &'static str, given: &str, known: &[&str]) -> Undone {
    let known = match (nearest(given, known.iter().copied()), known) {
        (Some(near), _) => format!("; did you mean {near}?"),
        (None, []) => String::new(),
        (None, known) => format!("; there are {}", known.join(", ")),
    };
    let refusal = Refusal::Unknown {
        kind,
        given: given.to_owned(),
        known,
    };
    Undone::failed(refusal.to_string())
}
