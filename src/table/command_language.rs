//! Acts in plain words: one grammar for the command line and for the palette.
//!
//! The list is the whole of it, as data: a form, one line of help, and what comes of it. Names are
//! found letter case aside, by their beginning, or by some of their letters in order; where several
//! could be meant, the answer names them, and an unknown one is answered with the nearest.

mod form;
mod list;
mod names;
mod reader;
mod roll;
mod said;

use thiserror::Error;

use super::{Act, SeatView};
use crate::session::{CharacterId, ClockId, CommandError, Filled};
use crate::text::nearest;
use form::Piece;
use reader::Reader;
use said::Parsed;

/// What a phrase acts on; the order of the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Checks.
    Checks,
    /// Progress clocks.
    Clocks,
    /// Characters.
    Party,
    /// Pools of tokens.
    Tokens,
    /// Scenes, rules, and what was done.
    Game,
}

impl Place {
    /// All, in order.
    pub const ALL: [Self; 5] = [
        Self::Checks,
        Self::Clocks,
        Self::Party,
        Self::Tokens,
        Self::Game,
    ];

    /// What it is called.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Checks => "Checks",
            Self::Clocks => "Clocks",
            Self::Party => "Party",
            Self::Tokens => "Tokens",
            Self::Game => "The game",
        }
    }
}

/// One way to say an act.
#[derive(Clone, Copy)]
pub struct Phrase {
    /// What it acts on.
    pub place: Place,
    /// One line of help.
    pub help: &'static str,
    /// An example.
    pub example: &'static str,
    form: &'static str,
    make: fn(&Parsed, &SeatView<'_>) -> Result<Act, ParseError>,
}

impl std::fmt::Debug for Phrase {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.form)
    }
}

impl Phrase {
    /// Its form, as a person reads it: `tick CLOCK [AMOUNT]`.
    pub fn form(&self) -> String {
        form::shown(self.form)
    }

    /// The word it begins with.
    pub fn verb(&self) -> &'static str {
        self.form.split([' ', '|']).next().unwrap_or_default()
    }
}

/// A check of which something is missing, with what is known: a dialog asks for the rest.
#[derive(Clone, Debug)]
pub struct Incomplete {
    /// Who rolls.
    pub who: Option<CharacterId>,
    /// The fields so far.
    pub filled: Filled,
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
        /// What is known.
        begun: Box<Incomplete>,
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

/// The most words of an act.
const MOST_WORDS: usize = 1_000;

/// Every phrase, in the order of the help.
pub fn phrases() -> impl Iterator<Item = &'static Phrase> {
    Place::ALL.into_iter().flat_map(|place| {
        let all = list::PHRASES.iter().copied().flatten();
        all.filter(move |phrase| phrase.place == place)
    })
}

/// The clock of that name, found as everywhere in words.
pub fn clock_named(name: &str, seen: &SeatView<'_>) -> Result<ClockId, ParseError> {
    named("clock", name, &reader::clocks(seen))
}

/// The character of that name, found as everywhere in words.
pub fn character_named(name: &str, seen: &SeatView<'_>) -> Result<CharacterId, ParseError> {
    named("character", name, &reader::characters(seen))
}

/// The one thing of that name, or of that beginning; else what was most likely meant, or all that there are.
fn named<T: Copy + PartialEq>(
    kind: &'static str,
    name: &str,
    known: &[(String, T)],
) -> Result<T, ParseError> {
    // Some of its letters in order are too little where nobody sees what was taken.
    const SURE: u32 = 3;
    let near = match reader::one(kind, name, known) {
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

/// The act that the words say.
pub fn read(words: &str, seen: &SeatView<'_>) -> Result<Act, ParseError> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let Some(verb) = words.first() else {
        return Err(ParseError::Nothing);
    };
    if words.len() > MOST_WORDS {
        return Err(ParseError::Form {
            what: format!("at most {MOST_WORDS} words make an act"),
            form: "note TEXT".to_owned(),
        });
    }
    let verb = verb.to_lowercase();
    let mut reader = Reader::new(&words, seen);
    let mut begun = false;
    for phrase in phrases() {
        let pieces = form::pieces(phrase.form);
        let known = match pieces.first() {
            Some(Piece::Word(known)) => known.split('|').any(|known| known == verb),
            _ => false,
        };
        if known {
            begun = true;
            reader.try_phrase(phrase, &pieces);
        }
    }
    if !begun {
        return Err(no_verb(&verb));
    }
    let (phrase, said) = reader.finish()?;
    (phrase.make)(&said, seen)
}

fn no_verb(verb: &str) -> ParseError {
    let known = phrases().flat_map(|phrase| {
        let first = phrase.form.split(' ').next().unwrap_or_default();
        first.split('|')
    });
    ParseError::Verb {
        given: verb.chars().take(40).collect(),
        near: match nearest(verb, known) {
            Some(near) => format!("; did you mean {near}?"),
            None => String::new(),
        },
    }
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
