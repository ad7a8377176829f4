//! Commands in plain words: one table for the command line, the palette, and the keys that act on what is
//! in hand.
//!
//! A command is its form, one line of help, an example, and what it does. Reading, help and errors come
//! from the form. Names are found letter case aside, by their beginning, or by some of their letters in
//! order; where several could be meant, the error names them, and for an unknown one the nearest.

mod commands;
mod form;
mod matcher;
mod names;
mod roll;
mod slots;

use thiserror::Error;

use super::{Act, SeatView};
use crate::session::{CharacterId, ClockId, CommandError, RollCommand};
use crate::text::nearest;
use form::{Piece, SlotKind};
use matcher::Matcher;
use slots::Slots;
pub use slots::Thing;

/// The commands on one kind of things.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub title: &'static str,
    pub commands: &'static [CommandSpec],
}

const fn place(title: &'static str, commands: &'static [CommandSpec]) -> Place {
    Place { title, commands }
}

/// Every command, in the order of the help.
pub const PLACES: [Place; 5] = [
    place("Checks", commands::checks::COMMANDS),
    place("Clocks", commands::clocks::COMMANDS),
    place("Party", commands::party::COMMANDS),
    place("Tokens", commands::tokens::COMMANDS),
    place("The game", commands::game::COMMANDS),
];

type Made = Result<Act, ParseError>;

/// A command: how it is said, what it does, and which key does it to what is in hand.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    form: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// An example.
    pub example: &'static str,
    /// The name of the key's action; empty where no key does it.
    pub key: &'static str,
    /// Whether there is something to do to that thing.
    applies: fn(&Thing, &SeatView<'_>) -> bool,
    act: fn(&Slots, &SeatView<'_>) -> Made,
}

const fn command(
    form: &'static str,
    help: &'static str,
    example: &'static str,
    act: fn(&Slots, &SeatView<'_>) -> Made,
) -> CommandSpec {
    CommandSpec {
        form,
        help,
        example,
        key: "",
        applies: |_, _| true,
        act,
    }
}

impl PartialEq for CommandSpec {
    /// A form stands in the table once.
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form
    }
}

impl CommandSpec {
    const fn key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    const fn when(self, applies: fn(&Thing, &SeatView<'_>) -> bool) -> Self {
        Self { applies, ..self }
    }

    /// Its form, as a person reads it: `tick CLOCK [AMOUNT]`.
    pub fn form(&self) -> String {
        form::shown(self.form)
    }

    /// The words that it may begin with.
    pub fn verbs(&self) -> impl Iterator<Item = &'static str> {
        let first = self.form.split(' ').next().unwrap_or_default();
        first.split('|')
    }

    /// The words that say it of one thing, or `None` where it asks for more than that. Tokens come and go
    /// one by one.
    pub fn words_for(&self, thing: &Thing, name: &str) -> Option<String> {
        let mut words: Vec<&str> = self.verbs().take(1).collect();
        let mut is_named = false;
        for piece in form::pieces(self.form).into_iter().skip(1) {
            match piece {
                Piece::Filler(_) | Piece::Maybe(_) => {}
                Piece::Word(word) if !word.contains('|') => words.push(word),
                Piece::Slot(_, kind) if !is_named && kind.takes(thing) => {
                    words.push(name);
                    is_named = true;
                }
                Piece::Slot(_, SlotKind::Number) if !self.key.is_empty() => words.push("1"),
                Piece::Word(_) | Piece::Slot(..) => return None,
            }
        }
        is_named.then(|| words.join(" "))
    }

    /// Whether it is for anything with a name, not for things of one kind.
    pub fn is_general(&self) -> bool {
        self.form.contains("THING")
    }

    /// Whether there is something to do to that thing.
    pub fn applies(&self, thing: &Thing, seen: &SeatView<'_>) -> bool {
        (self.applies)(thing, seen)
    }

    /// Does it to these things.
    pub fn act_on(&self, things: Vec<Thing>, seen: &SeatView<'_>) -> Result<Act, ParseError> {
        let slots = Slots {
            things,
            ..Slots::default()
        };
        (self.act)(&slots, seen)
    }

    fn misspoken(&self, what: impl Into<String>) -> ParseError {
        ParseError::Form {
            what: what.into(),
            form: self.form(),
        }
    }
}

/// Every command, in the order of the help.
pub fn commands() -> impl Iterator<Item = &'static CommandSpec> + Clone {
    PLACES.into_iter().flat_map(|place| place.commands)
}

/// What a key does to these things: the first command of its action that applies to the first of them, or
/// the last, which then says why not. `None` where the key does nothing of that kind.
pub fn command_of_key(
    key: &str,
    thing: Option<&Thing>,
    seen: &SeatView<'_>,
) -> Option<&'static CommandSpec> {
    let fits = |spec: &&CommandSpec| {
        let pieces = form::pieces(spec.form);
        let mut kinds = pieces.iter().filter_map(Piece::slot);
        thing.is_none_or(|thing| kinds.any(|kind| kind.takes(thing)))
    };
    let mut fitting = commands().filter(|spec| spec.key == key && fits(spec));
    let last = fitting.clone().last();
    let applies = |spec: &&CommandSpec| thing.is_none_or(|thing| spec.applies(thing, seen));
    fitting.find(applies).or(last)
}

/// Why words are no act.
#[derive(Debug, Error)]
pub enum ParseError {
    /// Nothing was said.
    #[error("say what is to be done, as in: tick The alarm")]
    Nothing,
    /// No phrase begins so.
    #[error("no action begins with {given:?}{near}")]
    Verb {
        /// The word.
        given: String,
        /// `; did you mean tick?`
        near: String,
    },
    /// The words do not have the form.
    #[error("{what}; say it as in: {form}")]
    Form {
        /// What is wrong.
        what: String,
        /// The form that was begun.
        form: String,
    },
    /// There is nothing of that name.
    #[error("there is no {kind} {given:?}{near}")]
    Unknown {
        /// What was looked for.
        kind: &'static str,
        /// The name given.
        given: String,
        /// `; did you mean The alarm?`
        near: String,
    },
    /// Several could be meant.
    #[error("{given:?} could be {}; say which", one_of(names))]
    Several {
        /// The name given.
        given: String,
        /// Those that it could be.
        names: Vec<String>,
    },
    /// An entry that has to be read from the journal first; from that number on is enough.
    #[error("entry {0} lies further back than what was read so far; go to it in the log first")]
    Far(u64),
    /// A check that is not complete yet.
    #[error("{source}")]
    Open {
        /// What is missing.
        source: CommandError,
        /// What is known: a dialog asks for the rest.
        begun: Box<RollCommand>,
    },
    /// It is clear, and cannot be.
    #[error(transparent)]
    Refused(#[from] CommandError),
}

impl ParseError {
    /// Whether it was the words themselves, and not what they name.
    pub const fn is_misspoken(&self) -> bool {
        matches!(self, Self::Nothing | Self::Verb { .. } | Self::Form { .. })
    }
}

/// The most words of a command.
const MOST_WORDS: usize = 1_000;

/// The clock of that name, found as everywhere in words.
pub fn clock_named(name: &str, seen: &SeatView<'_>) -> Result<ClockId, ParseError> {
    named("clock", name, &names::clocks(seen))
}

/// The character of that name, found as everywhere in words.
pub fn character_named(name: &str, seen: &SeatView<'_>) -> Result<CharacterId, ParseError> {
    named("character", name, &names::characters(seen))
}

/// The one thing of that name, or of that beginning; else what was most likely meant, or all that there are.
fn named<T: Copy + PartialEq>(
    kind: &'static str,
    name: &str,
    known: &[(String, T)],
) -> Result<T, ParseError> {
    // Some of its letters in order are too little where nobody sees what was taken.
    const SURE: u32 = 3;
    let near = match names::one(kind, name, known) {
        Ok((thing, 0..=SURE)) => return Ok(thing),
        Ok((thing, _)) => {
            let mut names = known.iter().filter(|(_, one)| *one == thing);
            names
                .next()
                .map(|(name, _)| format!("; did you mean {name}?"))
        }
        Err(ParseError::Unknown { near, .. }) => Some(near).filter(|near| !near.is_empty()),
        Err(other) => return Err(other),
    };
    let names: Vec<String> = known.iter().map(|(name, _)| name.clone()).collect();
    let all = || match names.as_slice() {
        [] => String::new(),
        names => format!("; there is {}", one_of(names)),
    };
    Err(ParseError::Unknown {
        kind,
        given: name.chars().take(60).collect(),
        near: near.unwrap_or_else(all),
    })
}

/// A command that words say, and what they fill its form with.
#[derive(Debug)]
pub struct Parsed {
    spec: &'static CommandSpec,
    slots: Slots,
}

impl Parsed {
    /// The act that it is.
    pub fn act(&self, seen: &SeatView<'_>) -> Result<Act, ParseError> {
        (self.spec.act)(&self.slots, seen)
    }

    /// The command and its thing, where the words name one thing and say no more.
    pub fn of_thing(&self) -> Option<(&'static CommandSpec, Thing)> {
        let [thing] = self.slots.things.as_slice() else {
            return None;
        };
        let bare = Slots {
            things: vec![*thing],
            words: self.slots.words.clone(),
            ..Slots::default()
        };
        (self.slots == bare).then_some((self.spec, *thing))
    }
}

/// The command that the words say.
pub fn parse(words: &str, seen: &SeatView<'_>) -> Result<Parsed, ParseError> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let Some(verb) = words.first().map(|verb| verb.to_lowercase()) else {
        return Err(ParseError::Nothing);
    };
    if words.len() > MOST_WORDS {
        return Err(ParseError::Form {
            what: format!("at most {MOST_WORDS} words make an act"),
            form: "note TEXT".to_owned(),
        });
    }
    let begun = commands().filter(|spec| spec.verbs().any(|known| known == verb));
    if begun.clone().next().is_none() {
        let near = nearest(&verb, commands().flat_map(CommandSpec::verbs));
        return Err(ParseError::Verb {
            given: verb.chars().take(40).collect(),
            near: near.map_or(String::new(), |near| format!("; did you mean {near}?")),
        });
    }
    let mut matcher = Matcher::new(&words, seen);
    begun.for_each(|spec| matcher.try_spec(spec));
    let (spec, slots) = matcher.finish()?;
    Ok(Parsed { spec, slots })
}

/// The act that the words say.
pub fn read(words: &str, seen: &SeatView<'_>) -> Result<Act, ParseError> {
    parse(words, seen)?.act(seen)
}

/// Several names as a choice: `Goblin, Goblin 2 or Goblin 3`, cut after the first dozen.
fn one_of(names: &[String]) -> String {
    const MOST: usize = 12;
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [.., _] if names.len() > MOST => {
            let first: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
            format!("{} or {} others", first.join(", "), names.len() - MOST)
        }
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests;
