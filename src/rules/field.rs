//! What a check needs to know, described as data.
//!
//! The roll dialog, the flags of the command line, `systems --json` and the help are all made from
//! these descriptions.

use thiserror::Error;

use super::{HouseRule, TokenKind, Value};
use crate::dice::Die;

/// What kind of value a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of d4 d6 d8 d10 d12 d20.
    Die,
    /// A whole number within bounds, both included.
    Number {
        /// The smallest.
        min: i32,
        /// The largest.
        max: i32,
    },
    /// On or off; on the command line a flag that takes no value.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Free text.
    Text,
    /// Named numbers from 0 up, on sheets alone: professions with ranks, skills with values.
    Ranks {
        /// What one of them is called.
        what: &'static str,
        /// The largest number.
        max: i32,
    },
}

/// A list of ranks has at most this many entries.
const MOST_RANKS: usize = 64;

impl Kind {
    /// What it takes, in words, where a text has at most so many characters.
    pub(super) fn describe(self, longest_text: usize) -> String {
        match self {
            Self::Die => "one of d4, d6, d8, d10, d12, d20".to_owned(),
            Self::Number { min, max } => format!("a number from {min} to {max}"),
            Self::Flag => "a flag, without a value".to_owned(),
            Self::Word(words) => format!("one of {}", words.join(", ")),
            Self::Text => format!("a text of at most {longest_text} characters"),
            Self::Ranks { what, max } => {
                format!("a list of {what}s, each a name and a number from 0 to {max}")
            }
        }
    }

    /// Reads a value as a person writes it; it may still be out of bounds.
    pub(super) fn read(self, text: &str) -> Option<Value> {
        let word = text.trim();
        match self {
            Self::Die => word.parse().ok().map(Value::Die),
            // Help writes a real minus sign, and people write it after it.
            Self::Number { .. } => word.replace('−', "-").parse().ok().map(Value::Number),
            Self::Flag => match word.to_lowercase().as_str() {
                "true" | "yes" | "on" => Some(Value::Flag(true)),
                "false" | "no" | "off" => Some(Value::Flag(false)),
                _ => None,
            },
            Self::Word(_) => Some(Value::Text(word.to_lowercase())),
            Self::Text => Some(Value::Text(text.to_owned())),
            Self::Ranks { .. } => read_ranks(text).map(Value::Ranks),
        }
    }

    /// Whether it takes this value.
    pub(super) fn fits(self, value: &Value, longest_text: usize) -> bool {
        match (self, value) {
            (Self::Die, Value::Die(die)) => Die::LADDER.contains(die),
            (Self::Flag, Value::Flag(_)) => true,
            (Self::Number { min, max }, Value::Number(number)) => (min..=max).contains(number),
            (Self::Word(words), Value::Text(word)) => words.contains(&word.as_str()),
            (Self::Text, Value::Text(text)) => text.chars().count() <= longest_text,
            (Self::Ranks { max, .. }, Value::Ranks(ranks)) => {
                ranks.len() <= MOST_RANKS
                    && ranks.iter().enumerate().all(|(index, (name, rank))| {
                        let known = ranks[..index].iter().any(|(other, _)| other == name);
                        let short = name.chars().count() <= longest_text;
                        (0..=max).contains(rank) && !name.is_empty() && short && !known
                    })
            }
            _ => false,
        }
    }

    /// The value that a person wrote; what was given where it takes no such value.
    pub(super) fn parse(self, text: &str, longest_text: usize) -> Result<Value, String> {
        let value = self.read(text).ok_or_else(|| text.to_owned())?;
        self.coerce(value, longest_text)
    }

    /// The value as it is held: a text that names a die becomes the die.
    pub(super) fn coerce(self, value: Value, longest_text: usize) -> Result<Value, String> {
        match (self, value) {
            (Self::Die, Value::Text(text)) => self.parse(&text, longest_text),
            (_, value) if self.fits(&value, longest_text) => Ok(value),
            (_, value) => Err(value.to_string()),
        }
    }
}

/// The entries of a list like `Sailor 3, Cook 1`.
fn read_ranks(text: &str) -> Option<Vec<(String, i32)>> {
    let entries = text.split(',').map(str::trim);
    let entries = entries.filter(|entry| !entry.is_empty());
    let ranks = entries.map(|entry| {
        let (name, number) = entry.rsplit_once([' ', '='])?;
        Some((name.trim().to_owned(), number.trim().parse().ok()?))
    });
    ranks.collect()
}

/// What a field is when nobody says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// It has to be given.
    Required,
    /// It may be left out (Gnosis: `pain` or `difficulty`).
    Optional,
    /// This number.
    Number(i32),
    /// This die.
    Die(Die),
    /// This word.
    Word(&'static str),
    /// Off.
    Off,
    /// No text.
    Empty,
    /// The number that this house rule has at the table.
    House(&'static HouseRule),
}

impl Preset {
    pub(super) fn value(self) -> Option<Value> {
        match self {
            Self::Required | Self::Optional => None,
            Self::Number(number) => Some(Value::Number(number)),
            Self::House(rule) => Some(rule.default_value()),
            Self::Die(die) => Some(Value::Die(die)),
            Self::Word(word) => Some(Value::from(word)),
            Self::Off => Some(Value::Flag(false)),
            Self::Empty => Some(Value::from("")),
        }
    }
}

/// Where on a sheet the value of a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Not from a sheet.
    Table,
    /// From this stat.
    Stat(&'static str),
    /// From one of these stats, which a person picks by name; the first is offered.
    OneOf(&'static [&'static str]),
    /// From one entry of this list of named ranks; with `offer` the highest is filled in unasked,
    /// else none is.
    Ranked {
        /// The stat that holds the list.
        list: &'static str,
        /// Whether an entry is filled in before anybody picks one.
        offer: bool,
    },
    /// The system works it out from the sheet (`SystemSpec::derive`).
    Derived,
    /// The system works it out from the name that was picked for this other field
    /// (`SystemSpec::derive`).
    Follows(&'static str),
    /// From the character's condition whose name begins so: its level, 1 where it has none.
    Condition(&'static str),
    /// From the character's pool of these tokens: what it is above 0, or with `owed` what it is below 0.
    Tokens {
        /// The pool.
        kind: TokenKind,
        /// Whether it is the side of the pool that must be used.
        owed: bool,
    },
}

impl Source {
    /// One entry of that list of ranks, once a person picks it.
    pub(super) const fn ranked(list: &'static str) -> Self {
        Self::Ranked { list, offer: false }
    }

    /// One entry of that list of ranks, the highest unasked.
    pub(super) const fn offered(list: &'static str) -> Self {
        Self::Ranked { list, offer: true }
    }
}

/// On whose sheet a field's source is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The character's who makes the check.
    Own,
    /// A helper's.
    Helper,
    /// The opponent's.
    Opponent,
}

/// One thing that a check needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name on the command line and in JSON.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is when nobody says.
    pub preset: Preset,
    /// Where on a sheet it comes from.
    pub source: Source,
    /// Whose sheet that is.
    pub whose: Whose,
    /// One sentence of help.
    pub help: &'static str,
    /// Names for some of its values, shown beside the number: `(12, "Hard")`.
    pub names: &'static [(i32, &'static str)],
    /// The pool that its number is spent from.
    pub spends: Option<TokenKind>,
    /// The pool that its number is gained in.
    pub gains: Option<TokenKind>,
    /// The own field whose stat is meant where only somebody is named: the defender's ability is that of the
    /// attack.
    pub like: Option<&'static str>,
    /// The number that a dialog begins with where nothing says any, if it is not one in the middle.
    pub begins: Option<i32>,
    /// Asked for seldom: left out where only the usual fields are offered.
    pub quiet: bool,
    /// The field that may not be given beside this one. Of two that may be left out, one must be given.
    pub excludes: Option<&'static str>,
}

/// The longest text that a field takes, in characters.
const LONGEST_TEXT: usize = 200;

impl Field {
    /// A field with everything plain: required, from nowhere, without help and names.
    pub const fn new(id: &'static str, label: &'static str, kind: Kind) -> Self {
        Self {
            id,
            label,
            kind,
            preset: Preset::Required,
            source: Source::Table,
            whose: Whose::Own,
            help: "",
            names: &[],
            spends: None,
            gains: None,
            like: None,
            begins: None,
            quiet: false,
            excludes: None,
        }
    }

    /// A die that must be given.
    pub const fn die(id: &'static str, label: &'static str) -> Self {
        Self::new(id, label, Kind::Die)
    }

    /// A word that must be given.
    pub const fn word(
        id: &'static str,
        label: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Self::new(id, label, Kind::Word(words))
    }

    /// A number from `min` to `max` that is `preset` unless said otherwise.
    pub const fn number(
        id: &'static str,
        label: &'static str,
        (min, max): (i32, i32),
        preset: i32,
    ) -> Self {
        Self::new(id, label, Kind::Number { min, max }).preset(Preset::Number(preset))
    }

    /// A flag, off unless said otherwise.
    pub const fn flag(id: &'static str, label: &'static str) -> Self {
        Self::new(id, label, Kind::Flag).preset(Preset::Off)
    }

    /// The same field with a sentence of help.
    #[must_use]
    pub const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// The same field, read from there.
    #[must_use]
    pub const fn from(self, source: Source) -> Self {
        Self { source, ..self }
    }

    /// The same field, read from somebody else's sheet.
    #[must_use]
    pub const fn of(self, whose: Whose) -> Self {
        Self { whose, ..self }
    }

    /// The same field with that preset.
    #[must_use]
    pub const fn preset(self, preset: Preset) -> Self {
        Self { preset, ..self }
    }

    /// The same field with names for some of its numbers.
    #[must_use]
    pub const fn named(self, names: &'static [(i32, &'static str)]) -> Self {
        Self { names, ..self }
    }

    /// The same field, its number spent from that pool.
    #[must_use]
    pub const fn spends(mut self, kind: TokenKind) -> Self {
        self.spends = Some(kind);
        self
    }

    /// The same field, its number gained in that pool.
    #[must_use]
    pub const fn gains(mut self, kind: TokenKind) -> Self {
        self.gains = Some(kind);
        self
    }

    /// The same field, of the stat that this own field comes from.
    #[must_use]
    pub const fn like(mut self, other: &'static str) -> Self {
        self.like = Some(other);
        self
    }

    /// The same field, left out of JSON while it has its preset.
    #[must_use]
    pub const fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// The same field, not to be given beside that one.
    #[must_use]
    pub const fn excludes(mut self, other: &'static str) -> Self {
        self.excludes = Some(other);
        self
    }

    /// Its value when nobody says; `None` where it must be given or may be left out.
    pub fn preset_value(&self) -> Option<Value> {
        self.preset.value()
    }

    /// What it takes, in words: `a number from 1 to 40`.
    pub fn describe(&self) -> String {
        self.kind.describe(LONGEST_TEXT)
    }

    /// Reads a value as a person writes it.
    pub fn parse(&self, text: &str) -> Result<Value, FieldError> {
        let value = self.kind.parse(text, LONGEST_TEXT);
        value.map_err(|given| self.wrong(&given))
    }

    /// The value as this field holds it: a text that names a die becomes the die.
    pub fn coerce(&self, value: Value) -> Result<Value, FieldError> {
        let value = self.kind.coerce(value, LONGEST_TEXT);
        value.map_err(|given| self.wrong(&given))
    }

    fn wrong(&self, given: &str) -> FieldError {
        FieldError::Wrong {
            field: self.id.to_owned(),
            takes: self.describe(),
            given: given.chars().take(40).collect(),
        }
    }

    /// The name of that number, if it has one: 12 is `Hard`. Between two named numbers there is none.
    pub fn name_of(&self, number: i32) -> Option<&'static str> {
        let named = self.names.iter().find(|(named, _)| *named == number);
        named.map(|(_, name)| *name)
    }
}

/// A field that cannot be as it was given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FieldError {
    /// The value is not one that the field takes.
    #[error("{field} must be {takes}, and {given:?} was given")]
    Wrong {
        /// The field.
        field: String,
        /// What it takes, in words.
        takes: String,
        /// What was given, cut short.
        given: String,
    },
    /// A required field was not given.
    #[error("{field} is missing; it must be {takes}")]
    Missing {
        /// The field.
        field: String,
        /// What it takes, in words.
        takes: String,
    },
    /// Several required fields were not given: each with what it takes.
    #[error("these fields are missing: {}", .0.iter().map(|(field, takes)| format!("{field}, {takes}")).collect::<Vec<_>>().join("; "))]
    AllMissing(Vec<(String, String)>),
    /// Two fields of which only one may be given.
    #[error("{field} and {other} exclude each other; give only one of them")]
    Both {
        /// The one.
        field: &'static str,
        /// The other.
        other: &'static str,
    },
    /// Two fields of which one must be given.
    #[error(
        "{field} or {other} is missing; give one of them: {field} {takes}, {other} {other_takes}"
    )]
    Neither {
        /// The one.
        field: &'static str,
        /// What it takes, in words.
        takes: String,
        /// The other.
        other: &'static str,
        /// What the other takes, in words.
        other_takes: String,
    },
    /// The check has no such field.
    #[error("{check} has no field {field:?}; its fields are {known}")]
    Unknown {
        /// The check.
        check: &'static str,
        /// The name given.
        field: String,
        /// The fields it has.
        known: String,
    },
}
