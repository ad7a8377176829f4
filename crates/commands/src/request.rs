//! What a command line wants done in a game, and the result, in a form that one process can send to another.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ParseError, RollRequest, read};
use tableside_dice::{Dice, SystemDice};
use tableside_game::{Arrivals, Command, EventKind, Faces, RollCommand, UnfinishedId};
use tableside_rules::{ChosenBy, System};
use tableside_store::Saving;
use tableside_table::{Act, Entry, GameRequest, Problem, RequestError, Seat, SeatView, Table};
use tableside_text::join;

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// An act in plain words.
    Say {
        words: String,
        /// Whether a choice that nobody answered waits; else its default is taken.
        wait: bool,
    },
    Roll(Box<RollRequest>),
    /// A request of a game to this game, which is the host's own.
    ForGame(Box<GameRequest>),
    /// Characters who join with their clocks and pools, all or none.
    Add(Box<Arrivals>),
    /// An answer to a choice that a check waits for, by the option's name.
    Answer {
        check: UnfinishedId,
        chose: String,
    },
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
    /// Why it is not saved, where it could not be written down.
    pub unsaved: Option<String>,
}

impl Response {
    /// An error where it was done and could not be saved.
    pub fn saved(&self) -> Result<(), RequestError> {
        match &self.unsaved {
            None => Ok(()),
            Some(reason) => Err(RequestError {
                hint: Some("make room or see to the disk; the process that has the game open goes on trying".to_owned()),
                ..RequestError::failed(format!("it was done, but it is not saved: {reason}"))
            }),
        }
    }
}

impl From<ParseError> for RequestError {
    fn from(error: ParseError) -> Self {
        let misspoken = match error {
            ParseError::Refused(refusal) => return refusal.into(),
            ParseError::Open { .. }
            | ParseError::Verb(_)
            | ParseError::Form { .. }
            | ParseError::Dice { .. } => true,
            ParseError::Unknown { .. }
            | ParseError::Several { .. }
            | ParseError::SeveralWait { .. }
            | ParseError::Far(_)
            | ParseError::Table(_) => false,
        };

        let hint = match error {
            ParseError::Verb(_) => Some("`tableside do --list` lists all actions".to_owned()),
            _ => None,
        };
        Self {
            misspoken,
            what: error.to_string(),
            hint,
        }
    }
}

impl Request {
    /// Runs the request at a table, with the rights of `seat`.
    pub fn run(&self, table: &Arc<Table>, seat: &Seat) -> Result<Response, RequestError> {
        let act = self.act(table, seat)?;

        let mut seeded_dice = match self {
            Self::Roll(roll) => roll.seeded_dice()?,
            Self::Say { .. } | Self::ForGame(_) | Self::Add(_) | Self::Answer { .. } => None,
        };
        let dice = seeded_dice.as_mut().map(|dice| dice as &mut dyn Dice);

        let entry = if let Self::ForGame(request) = self {
            let author = request.actor.to_string();
            table.submit_by(seat, (&author, request.seat), &act, dice)?
        } else {
            table.submit_by(seat, (&seat.name, seat.id), &act, dice)?
        };

        Ok(table.read(seat, |view| respond(&entry, view)))
    }

    fn act(&self, table: &Table, seat: &Seat) -> Result<Act, RequestError> {
        let act = match self {
            Self::Say { words, wait } => {
                let mut act = act_in_words(table, seat, words)?;
                if let Act::Do(command) = &mut act
                    && let Command::Roll(roll) = &mut **command
                {
                    roll.wait |= wait;
                }
                act
            }
            Self::Roll(roll) => roll.act(table, seat)?,
            Self::ForGame(request) => Act::ForGame(request.clone()),
            Self::Add(arrivals) => Command::TakeIn(arrivals.clone()).into(),
            Self::Answer { check, chose } => Command::Answer {
                check: *check,
                chose: chose.clone(),
                by: ChosenBy::Command,
                faces: Faces::Rolled,
            }
            .into(),
        };
        Ok(act)
    }
}

impl RollRequest {
    fn act(&self, table: &Table, seat: &Seat) -> Result<Act, RequestError> {
        let roller = table.read(seat, |view| self.who(view))?;
        if let Some(throw) = self.thrown_by(roller) {
            return Ok(throw.into());
        }

        let roll = self.command(table, seat)?;
        Ok(Command::Roll(Box::new(roll)).into())
    }

    /// The command that rolls the requested check at this table.
    pub fn command(&self, table: &Table, seat: &Seat) -> Result<RollCommand, RequestError> {
        let name = table.name();
        table.read(seat, |view| {
            let system = view.system();
            if system.spec().id != self.system {
                return Err(RequestError::misspoken(format!(
                    "{name} is a game of {system}, and {} {} is none of its checks",
                    self.system, self.check
                )));
            }

            Ok(self.check(view)?)
        })
    }

    fn seeded_dice(&self) -> Result<Option<SystemDice>, RequestError> {
        let Some(seed) = &self.seed else {
            return Ok(None);
        };
        match SystemDice::from_hex(seed) {
            Ok(dice) => Ok(Some(dice)),
            Err(error) => Err(RequestError::misspoken(error.to_string())),
        }
    }
}

/// Runs a request that another process sent as JSON, with the rights of the GM. The answer is JSON as well.
pub fn handle_request(table: &Arc<Table>, request: &[u8]) -> serde_json::Result<Vec<u8>> {
    let answer = match serde_json::from_slice::<Request>(request) {
        Ok(request) => request.run(table, &Seat::gm()),
        Err(error) => {
            let what = format!("that is no request: {error}");
            Err(RequestError::failed(what))
        }
    };
    serde_json::to_vec(&answer)
}

/// Parses a command in plain words. Reads older entries from the journal if the command refers to one.
pub fn act_in_words(table: &Table, seat: &Seat, words: &str) -> Result<Act, RequestError> {
    table.read_random_tables();

    let mut oldest_requested = u64::MAX;
    loop {
        match table.read(seat, |view| read(words, view)) {
            Err(ParseError::Far(entry)) if entry < oldest_requested => {
                oldest_requested = entry;
                table.reach_back(entry).map_err(Problem::Store)?;
            }
            parsed => return Ok(parsed?),
        }
    }
}

/// How the GM applies effects of a roll that has no recipient, in words for `do`.
fn how_to_apply(entry: &Entry, seen: &SeatView<'_>) -> Vec<String> {
    let Some(roll) = entry.event.what.resolved() else {
        return Vec::new();
    };
    if !seen.seat().sees_all() {
        return Vec::new();
    }

    let mut lines = Vec::new();
    for group in seen.pending_effects(roll) {
        let candidates = seen.candidates(roll, group.missing);
        let name = candidates.first().map_or("NAME", |one| &one.name);
        let commands = seen.commands_in_words(&group, name);
        let verb = if commands.len() == 1 {
            "applies"
        } else {
            "apply"
        };
        let commands = commands.iter().map(|command| format!("`{command}`"));
        let commands = join(commands, " and ");
        if !commands.is_empty() {
            lines.push(format!("{commands} {verb} it."));
        }
    }
    lines
}

fn respond(entry: &Entry, seen: &SeatView<'_>) -> Response {
    let other = match entry.event.what {
        EventKind::Undone { event, .. } | EventKind::Redone { event, .. } => seen.entry(event),
        _ => None,
    };
    Response {
        system: seen.system(),
        scene: seen.scene_of(entry.number).name.clone(),
        aloud: {
            let mut lines = entry
                .event
                .aloud(seen, other.as_ref().map(|other| &other.event));
            lines.extend(how_to_apply(entry, seen));
            lines
        },
        entry: entry.clone(),
        unsaved: match seen.saving() {
            Saving::Failing {
                at: Some(_),
                reason,
                ..
            } => Some(reason),
            Saving::Failing { .. } | Saving::Behind { .. } | Saving::Quiet => None,
        },
    }
}
