//! What a command line wants done in a game, and the result, in a form that one process can send to another.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::command_language::{self, ParseError};
use super::house::GameRequest;
use super::roll_request::RollRequest;
use super::{Act, Entry, Problem, Seat, SeatView, Table};
use tableside_dice::notation::NotationError;
use tableside_dice::{Dice, SystemDice};
use tableside_game::{
    Arrivals, Command, CommandError, EventKind, Faces, Game, RollCommand, UnfinishedId,
};
use tableside_rules::{ChosenBy, Refused, RuleError, System};
use tableside_store::{Saving, StoreError};
use tableside_text::join;

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
    Roll(Box<RollRequest>),
    /// What a game asks of the house that this game is.
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

/// Why nothing came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RequestError {
    /// Whether it was not said rightly, as far as one can know without the game.
    pub misspoken: bool,
    /// What is wrong, and what would be right.
    pub what: String,
    /// What to do next.
    pub hint: Option<String>,
}

impl RequestError {
    /// It was not said rightly.
    pub fn misspoken(what: impl Into<String>) -> Self {
        Self {
            misspoken: true,
            ..Self::failed(what)
        }
    }

    /// It could not be done.
    pub fn failed(what: impl Into<String>) -> Self {
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
        let is_no_action = matches!(unclear, ParseError::Verb(_));
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

impl From<RuleError> for RequestError {
    fn from(error: RuleError) -> Self {
        CommandError::from(error).into()
    }
}

impl From<Refused> for RequestError {
    fn from(refusal: Refused) -> Self {
        CommandError::from(refusal).into()
    }
}

impl From<NotationError> for RequestError {
    fn from(error: NotationError) -> Self {
        CommandError::from(error).into()
    }
}

impl From<Problem> for RequestError {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Refused(refusal) => refusal.into(),
            Problem::Store(error) => error.into(),
            Problem::House(error) => error,
        }
    }
}

impl From<StoreError> for RequestError {
    fn from(error: StoreError) -> Self {
        Self {
            hint: error.hint(),
            ..Self::failed(error.to_string())
        }
    }
}

/// Whether what was said cannot be so whatever the game is: exit code 2 on the command line.
const fn is_misuse(refusal: &CommandError) -> bool {
    use CommandError::{Notation, Rule, Segments, Unknown};
    matches!(
        refusal,
        Rule(_) | Segments(_) | Unknown { .. } | Notation(_)
    )
}

impl Table {
    /// Runs a request of that seat.
    pub fn run(self: &Arc<Self>, seat: &Seat, request: &Request) -> Result<Response, RequestError> {
        let (mut seeded, mut by) = (None, (seat.name.clone(), seat.id));
        let act = match request {
            Request::Say { words, wait } => {
                let mut act = self.act_in_words(seat, words)?;
                if let Act::Do(command) = &mut act
                    && let Command::Roll(roll) = &mut **command
                {
                    roll.wait |= wait;
                }
                act
            }
            Request::Roll(roll) => {
                seeded.clone_from(&roll.seed);
                let who = self.read(seat, |seen| roll.who(seen))?;
                match roll.thrown_by(who) {
                    Some(thrown) => thrown.into(),
                    None => Command::Roll(Box::new(self.roll_command(seat, roll)?)).into(),
                }
            }
            Request::ForGame(asked) => {
                by = (asked.at.to_string(), asked.seat);
                Act::ForGame(asked.clone())
            }
            Request::Add(arrivals) => Command::TakeIn(arrivals.clone()).into(),
            Request::Answer { check, chose } => Command::Answer {
                check: *check,
                chose: chose.clone(),
                by: ChosenBy::Command,
                faces: Faces::Rolled,
            }
            .into(),
        };
        let dice = seeded.as_deref().map(SystemDice::from_hex).transpose();
        let mut dice = dice.map_err(|error| RequestError::misspoken(error.to_string()))?;
        let dice = dice.as_mut().map(|dice| dice as &mut dyn Dice);
        let entry = self.submit_by(seat, (&by.0, by.1), &act, dice)?;
        Ok(self.read(seat, |seen| respond(&entry, seen)))
    }

    /// The roll that a request comes to at this table.
    pub fn roll_command(
        &self,
        seat: &Seat,
        request: &RollRequest,
    ) -> Result<RollCommand, RequestError> {
        let name = self.name();
        self.read(seat, |seen| {
            let system = seen.system();
            if system.spec().id != request.system {
                return Err(RequestError::misspoken(format!(
                    "{name} is a game of {system}, and {} {} is none of its checks",
                    request.system, request.check
                )));
            }
            Ok(request.check(seen)?)
        })
    }

    /// A copy of the game as it is now.
    pub fn game(&self) -> Game {
        self.look().game.clone()
    }

    /// The act that words say, also of an entry that has to be read from the journal first.
    pub fn act_in_words(&self, seat: &Seat, words: &str) -> Result<Act, RequestError> {
        self.read_random_tables();
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
