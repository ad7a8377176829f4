//! What a command line wants done in a session, and what came of it, in a form that one process can send to
//! another.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::command_language::{self, ParseError, character_named, clock_named};
use super::{Act, Entry, Problem, Seat, SeatView, Table};
use crate::dice::{Dice, Face, SystemDice};
use crate::rules::{CheckSpec, ChosenBy, Field, Fields, Kind, System};
use crate::session::{
    Attached, Character, CharacterId, ClockId, Command, CommandError, EventKind, Faces, Filled,
    RollCommand, Session, ThrowCommand, UnfinishedId, Who,
};
use crate::store::Saving;

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// An act in [plain words](super::command_language).
    Say {
        words: String,
        /// Whether a choice that nobody answered waits; else its default is taken.
        wait: bool,
    },
    /// A check, as the command line describes it.
    Roll(Box<RollRequest>),
    /// Free dice.
    Throw {
        /// Who rolls, by name.
        who: Option<String>,
        /// What is rolled: `2d6+1`.
        notation: String,
        /// Faces of dice rolled by hand.
        faces: Option<Vec<i32>>,
        /// Dice that fall the same way again.
        seed: Option<String>,
    },
    /// Characters who join, all or none.
    Add {
        /// Who joins.
        characters: Vec<Character>,
    },
    /// An answer to a choice that a check waits for.
    Answer {
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
pub struct RollRequest {
    /// The system whose check it is.
    pub system: String,
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
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Response {
    pub system: System,
    /// The scene in which it happened.
    pub scene: String,
    pub entry: Entry,
    /// What came of it, in sentences for a voice.
    pub aloud: Vec<String>,
    /// The check that waits for an answer, where it does.
    pub waiting: Option<UnfinishedId>,
    /// Why it is not saved, where it could not be written down.
    pub unsaved: Option<String>,
}

impl Response {
    /// An error where it was done and could not be saved.
    pub fn saved(&self) -> Result<(), RequestError> {
        match &self.unsaved {
            None => Ok(()),
            Some(reason) => Err(RequestError {
                hint: Some(
                    "make room or see to the disk; whoever has the session open goes on trying"
                        .to_owned(),
                ),
                ..RequestError::failed(format!("it was done, but it is not saved: {reason}"))
            }),
        }
    }
}

/// Why nothing came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RequestError {
    /// Whether it was not said rightly, as far as one can know without the session.
    pub misspoken: bool,
    /// What is wrong, and what would be right.
    pub what: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl RequestError {
    fn misspoken(what: impl Into<String>) -> Self {
        Self {
            misspoken: true,
            ..Self::failed(what)
        }
    }

    pub(super) fn failed(what: impl Into<String>) -> Self {
        Self {
            misspoken: false,
            what: what.into(),
            hint: None,
        }
    }
}

impl From<ParseError> for RequestError {
    fn from(unclear: ParseError) -> Self {
        let misspoken = match &unclear {
            ParseError::Refused(refusal) => is_misuse(refusal),
            ParseError::Open { .. } => true,
            other => other.is_misspoken(),
        };
        let is_no_action = matches!(unclear, ParseError::Verb { .. } | ParseError::Nothing);
        let hint = is_no_action.then(|| "`tableside do --list` lists all actions".to_owned());
        Self {
            misspoken,
            what: unclear.to_string(),
            hint,
        }
    }
}

impl From<CommandError> for RequestError {
    fn from(refusal: CommandError) -> Self {
        Self {
            misspoken: is_misuse(&refusal),
            ..Self::failed(refusal.to_string())
        }
    }
}

impl From<Problem> for RequestError {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Refused(refusal) => refusal.into(),
            Problem::Store(error) => Self {
                hint: error.hint(),
                ..Self::failed(error.to_string())
            },
        }
    }
}

/// Whether what was said cannot be so whatever the session is: exit code 2 on the command line.
pub const fn is_misuse(refusal: &CommandError) -> bool {
    matches!(
        refusal,
        CommandError::Field(_)
            | CommandError::DynCheck(_)
            | CommandError::Name(_)
            | CommandError::House(_)
            | CommandError::Sheet(_)
            | CommandError::Segments(_)
            | CommandError::Unknown { .. }
            | CommandError::Notation(_)
    )
}

impl Table {
    /// Runs a request of that seat.
    pub fn run(self: &Arc<Self>, seat: &Seat, request: &Request) -> Result<Response, RequestError> {
        let (act, seed) = match request {
            Request::Say { words, wait } => {
                let mut act = self.act_in_words(seat, words)?;
                if let Act::Do(command) = &mut act
                    && let Command::Roll(roll) = &mut **command
                {
                    roll.wait |= wait;
                }
                (act, None)
            }
            Request::Roll(roll) => {
                let name = self.name();
                let command =
                    self.read(seat, |seen| roll.command(seen, &name, ChosenBy::Command))?;
                (
                    Command::Roll(Box::new(command)).into(),
                    roll.seed.as_deref(),
                )
            }
            Request::Throw {
                who,
                notation,
                faces,
                seed,
            } => {
                let who = who.as_deref();
                let who = who.map(|name| self.read(seat, |seen| character_named(name, seen)));
                let command = ThrowCommand {
                    who: who.transpose()?.map_or(Who::Nobody, Who::Character),
                    notation: notation.clone(),
                    faces: faces.clone(),
                    hidden_from: Vec::new(),
                    noticed: false,
                };
                (Command::Throw(Box::new(command)).into(), seed.as_deref())
            }
            Request::Add { characters } => {
                let each = characters.iter().cloned();
                let each = each.map(|one| Command::AddCharacter(Box::new(one)));
                (Command::All(each.collect()).into(), None)
            }
            Request::Answer { check, chose, seed } => {
                let command = Command::Answer {
                    check: *check,
                    chose: chose.clone(),
                    by: ChosenBy::Command,
                    faces: Faces::Rolled,
                };
                (command.into(), seed.as_deref())
            }
        };
        let seeded = seed.map(SystemDice::from_hex).transpose();
        let seeded = seeded.map_err(|error| RequestError::misspoken(error.to_string()))?;
        let dice = seeded.map(|luck| Box::new(luck) as Box<dyn Dice + Send>);
        let entry = self.submit_by(seat, (&seat.name, seat.id), &act, dice)?;
        Ok(self.read(seat, |seen| {
            let waiting = match &entry.event.what {
                EventKind::Incomplete(roll) => {
                    seen.unfinished().find(|waiting| waiting.roll == **roll)
                }
                _ => None,
            };
            let other = match entry.event.what {
                EventKind::Undone { event, .. } | EventKind::Redone { event, .. } => {
                    seen.entry(event)
                }
                _ => None,
            };
            let other = other.as_ref().map(|other| &other.event);
            Response {
                system: seen.system(),
                scene: seen.scene_of(entry.number).name.clone(),
                aloud: entry.event.aloud(seen, other),
                entry: Entry::clone(&entry),
                waiting: waiting.map(|waiting| waiting.id),
                unsaved: match seen.saving() {
                    Saving::Failing {
                        at: Some(_),
                        reason,
                        ..
                    } => Some(reason.clone()),
                    Saving::Failing { .. } | Saving::Behind { .. } | Saving::Quiet => None,
                },
            }
        }))
    }
}

impl Table {
    /// A copy of the session as it is now.
    pub fn session(&self) -> Session {
        self.look().session.clone()
    }

    /// The act that words say, also of an entry that has to be read from the journal first.
    pub fn act_in_words(&self, seat: &Seat, words: &str) -> Result<Act, RequestError> {
        let mut asked = u64::MAX;
        loop {
            match self.read(seat, |seen| command_language::read(words, seen)) {
                Err(ParseError::Far(number)) if number < asked => {
                    asked = number;
                    self.reach_back(number).map_err(Problem::Store)?;
                }
                read => return Ok(read?),
            }
        }
    }
}

/// A check's fields as they are filled for a roll, and who helps.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) filled: Filled,
    pub(super) helpers: Vec<CharacterId>,
}

impl SeatView<'_> {
    /// Fills a check's fields: from the sheet, then as the clock's own check has them, then as the call has
    /// them that the roll answers, then as they are written. Written names come before written values: what a
    /// name brings along, a value overrules.
    pub(super) fn plan(
        &self,
        check: &'static CheckSpec,
        who: Option<CharacterId>,
        clock: Option<ClockId>,
        written: &[(&'static Field, String)],
    ) -> Result<Plan, CommandError> {
        let mut filled = self.fill(check, who);
        for (name, value) in self.brought(check, who, clock) {
            let is_written = written.iter().any(|(field, _)| field.id == *name);
            if let Some(field) = check.field(name).filter(|_| !is_written) {
                self.fill_in(&mut filled, who, field, value)?;
            }
        }
        let is_value = |(field, value): &&(&'static Field, String)| field.parse(value).is_ok();
        let (values, names): (Vec<_>, Vec<_>) = written.iter().partition(is_value);
        for (field, value) in names.into_iter().chain(values) {
            let flag = field.kind == Kind::Flag && value.is_empty();
            self.fill_in(&mut filled, who, field, if flag { "yes" } else { value })?;
        }
        let here = |id: &&CharacterId| self.character(**id).is_some_and(Character::is_here);
        let call = who.and_then(|who| self.call_for(who, check.id));
        let helpers = call.iter().flat_map(|call| &call.helpers).filter(here);
        Ok(Plan {
            helpers: helpers.copied().collect(),
            filled,
        })
    }

    /// The fields of a check that the clock's own check brings, and then the call that the roll answers.
    pub fn brought(
        &self,
        check: &CheckSpec,
        who: Option<CharacterId>,
        clock: Option<ClockId>,
    ) -> impl Iterator<Item = &(String, String)> {
        let attached = self.attached(check, clock).map(|attached| &attached.fields);
        let call = who.and_then(|who| self.call_for(who, check.id));
        let called = call.map(|call| &call.fields);
        attached.into_iter().chain(called).flatten()
    }

    /// The check that fills the clock, if it is this one.
    fn attached(&self, check: &CheckSpec, clock: Option<ClockId>) -> Option<&Attached> {
        let attached = self.clock(clock?)?.clock.check.as_deref()?;
        (attached.check == check.id).then_some(attached)
    }
}

impl RollRequest {
    /// The roll as it is to be made in that session.
    pub fn command(
        &self,
        seen: &SeatView<'_>,
        session: &str,
        by: ChosenBy,
    ) -> Result<RollCommand, RequestError> {
        let system = seen.system();
        if system.spec().id != self.system {
            return Err(RequestError::misspoken(format!(
                "{session} is a game of {system}, and {} {} is none of its checks",
                self.system, self.check
            )));
        }
        let check = system.check(&self.check).map_err(CommandError::from)?;
        let who = self.who.as_deref();
        let who = who.map(|name| character_named(name, seen)).transpose()?;
        let clock = self.clock.as_deref();
        let clock = clock.map(|name| clock_named(name, seen)).transpose()?;
        let who = who.or_else(|| seen.attached(check, clock)?.who);
        let mut written = Vec::new();
        for (name, value) in &self.fields {
            match check.field(name) {
                Some(field) => written.push((field, value.clone())),
                // Says which fields there are.
                None => Fields::presets(check)
                    .set(name, value.as_str().into())
                    .map_err(CommandError::from)?,
            }
        }
        let Plan { filled, helpers } = seen.plan(check, who, clock, &written)?;
        filled.fields.complete().map_err(CommandError::from)?;
        Ok(RollCommand {
            who: who.map_or(Who::Nobody, Who::Character),
            fields: filled.fields,
            sources: filled.sources,
            faces: self.faces.clone().map_or(Faces::Rolled, Faces::Typed),
            choose: self.choose.clone(),
            by,
            wait: self.wait,
            hidden_from: Vec::new(),
            noticed: false,
            clock,
            helpers,
            group: false,
        })
    }
}
