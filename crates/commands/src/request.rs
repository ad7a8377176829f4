//! Requests from the command line to a game, and their responses, in a form that processes can send to each other.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::parse::parse_act_with_text;
use super::{ParseError, RollRequest};
use tableside_dice::Dice;
use tableside_game::{Arrivals, Author, Command, EventKind, Faces, UnfinishedId};
use tableside_rules::{ChosenBy, System};
use tableside_store::Saving;
use tableside_table::{Act, Entry, GameRequest, Problem, RequestError, Seat, SeatView, Table};
use tableside_text::join;

/// A request to a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// A command in plain words.
    Say {
        words: String,
        /// True if a roll waits at a choice. Otherwise the choice takes its default.
        wait: bool,
        /// The text of a note or a handout, with its line breaks, if it was not typed among the words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    Roll(Box<RollRequest>),
    /// A request of a hosted game to change a host clock.
    ForGame(Box<GameRequest>),
    /// Adds characters with their clocks and pools. If one of them is refused, none is added.
    Add(Box<Arrivals>),
    /// Answers the choice of a pending roll with the name of an option.
    Answer {
        check: UnfinishedId,
        chose: String,
    },
}

/// The result of a request.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Response {
    pub system: System,
    /// The name of the scene that the entry belongs to.
    pub scene: String,
    /// The number of the session that the entry belongs to. An older version of the program does not send it.
    #[serde(default)]
    pub session: usize,
    pub entry: Entry,
    /// The result in sentences for a screen reader.
    pub aloud: Vec<String>,
    /// The reason why the entry is not saved, if saving failed.
    pub unsaved: Option<String>,
}

impl Response {
    fn new(entry: &Entry, view: &SeatView<'_>) -> Self {
        let undone = match entry.event.what {
            EventKind::Undone { event, .. } | EventKind::Redone { event, .. } => view.entry(event),
            _ => None,
        };
        let undone_event = undone.as_ref().map(|entry| &entry.event);

        let mut aloud = entry.event.aloud(view, undone_event);
        aloud.extend(describe_pending_effects(entry, view));

        Self {
            system: view.system(),
            scene: view.scene_of(entry.number).name.clone(),
            session: view.session_of(entry.number),
            entry: entry.clone(),
            aloud,
            unsaved: saving_error(view),
        }
    }

    /// Returns an error if the result could not be saved.
    pub fn saved(&self) -> Result<(), RequestError> {
        let Some(reason) = &self.unsaved else {
            return Ok(());
        };

        let hint = "free disk space or check the disk; the program that has the game open keeps trying to save";
        let message = format!("the change was made but is not saved: {reason}");
        Err(RequestError {
            hint: Some(hint.to_owned()),
            ..RequestError::failed(message)
        })
    }
}

fn saving_error(view: &SeatView<'_>) -> Option<String> {
    match view.saving() {
        Saving::Failing {
            at: Some(_),
            reason,
            ..
        } => Some(reason),
        Saving::Failing { .. } | Saving::Behind { .. } | Saving::Quiet => None,
    }
}

/// Lists the commands with which the GM applies the effects of a roll that has no target.
fn describe_pending_effects(entry: &Entry, view: &SeatView<'_>) -> Vec<String> {
    let Some(roll) = entry.event.what.resolved() else {
        return Vec::new();
    };
    if !view.seat().sees_all() {
        return Vec::new();
    }

    let mut lines = Vec::new();
    for effects in view.pending_effects(roll) {
        let candidates = view.candidates(roll, effects.missing);
        let name = match candidates.first() {
            Some(character) => character.name.as_str(),
            None => "NAME",
        };
        let commands = view.commands_in_words(&effects, name);
        if commands.is_empty() {
            continue;
        }

        let verb = if commands.len() == 1 {
            "applies"
        } else {
            "apply"
        };
        let quoted = commands.iter().map(|command| format!("`{command}`"));
        let quoted = join(quoted, " and ");
        lines.push(format!("{quoted} {verb} the effects."));
    }
    lines
}

impl Request {
    /// Runs the request at a table with the rights of `seat`.
    pub fn run(&self, table: &Arc<Table>, seat: &Seat) -> Result<Response, RequestError> {
        let act = self.act(table, seat)?;

        let mut seeded_dice = match self {
            Self::Roll(roll) => roll.seeded_dice()?,
            Self::Say { .. } | Self::ForGame(_) | Self::Add(_) | Self::Answer { .. } => None,
        };
        let dice = seeded_dice.as_mut().map(|dice| dice as &mut dyn Dice);

        let entry = if let Self::ForGame(request) = self {
            let author = Author::new(request.actor.to_string(), request.seat);
            table.submit_by(seat, &author, &act, dice)?
        } else {
            table.submit_by(seat, &seat.author(), &act, dice)?
        };

        let response = table.read(seat, |view| Response::new(&entry, view));
        Ok(response)
    }

    fn act(&self, table: &Table, seat: &Seat) -> Result<Act, RequestError> {
        let act = match self {
            Self::Say { words, wait, text } => {
                let mut act = act_with_text(table, seat, words, text.as_deref())?;
                if *wait {
                    wait_for_answers(&mut act);
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

fn wait_for_answers(act: &mut Act) {
    if let Act::Do(command) = act
        && let Command::Roll(roll) = &mut **command
    {
        roll.wait = true;
    }
}

/// Runs a request that another process sent as JSON, with the rights of the GM. Returns the response as JSON.
pub fn handle_request(table: &Arc<Table>, request: &[u8]) -> serde_json::Result<Vec<u8>> {
    let answer = match serde_json::from_slice::<Request>(request) {
        Ok(request) => request.run(table, &Seat::gm()),
        Err(error) => {
            let message = format!("the request cannot be read: {error}");
            Err(RequestError::failed(message))
        }
    };
    serde_json::to_vec(&answer)
}

/// Parses a command in plain words. Reads older entries from the journal if the command refers to one.
pub fn act_in_words(table: &Table, seat: &Seat, words: &str) -> Result<Act, RequestError> {
    act_with_text(table, seat, words, None)
}

/// Parses a command in plain words. `text` is the value of the slot TEXT if it was not typed among the words.
fn act_with_text(
    table: &Table,
    seat: &Seat,
    words: &str,
    text: Option<&str>,
) -> Result<Act, RequestError> {
    table.read_random_tables();
    table.reload_creatures();

    let mut oldest_requested = u64::MAX;
    loop {
        match table.read(seat, |view| parse_act_with_text(words, text, view)) {
            Err(ParseError::EntryNotLoaded(entry)) if entry < oldest_requested => {
                oldest_requested = entry;
                table.reach_back(entry).map_err(Problem::Store)?;
            }
            result => return Ok(result?),
        }
    }
}
