//! Values of fields, stats and house rules, and the kinds of values.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::RuleError;
use super::words::join;
use tableside_dice::Die;
use tableside_text::{is_same_name, normalise_number};

/// Named numbers: professions, skills, aspects with their ranks, in the player's order.
type Ranks = Vec<(String, i32)>;

/// True if a value is the default, which files leave out.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A value of a field or of a sheet.
///
/// In JSON and TOML dice and words are strings, and ranks are a table of names and numbers. A string is read as text, and
/// the kind of its field or stat turns it into a die.
#[derive(Clone, Debug, PartialEq, Eq, Hash, derive_more::From, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number, a text, true or false, or a table of names and numbers"
)]
pub enum Value {
    /// On or off.
    #[from]
    Flag(bool),
    /// A whole number.
    #[from]
    Number(i32),
    /// A die.
    #[from]
    #[serde(skip_deserializing)]
    Die(Die),
    /// A word or a free text.
    Text(String),
    /// Named numbers: professions, skills, aspects with their ranks, in the player's order.
    Ranks(#[serde(with = "tuple_vec_map")] Ranks),
}

impl Value {
    /// Returns the value as files store it: a die is stored as a text.
    pub fn recorded(&self) -> Self {
        match self {
            Self::Die(die) => Self::from(die.name()),
            value => value.clone(),
        }
    }

    /// The die, if it is one.
    pub fn die(&self) -> Option<Die> {
        match self {
            Self::Die(die) => Some(*die),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<i32> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The word or text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The named numbers, if it is a list of them.
    pub fn ranks(&self) -> Option<&[(String, i32)]> {
        match self {
            Self::Ranks(ranks) => Some(ranks),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(true) => formatter.pad("yes"),
            Self::Flag(false) => formatter.pad("no"),
            Self::Number(number) => fmt::Display::fmt(number, formatter),
            Self::Die(die) => fmt::Display::fmt(die, formatter),
            Self::Text(text) => formatter.pad(text),
            Self::Ranks(ranks) => {
                let entries = ranks.iter().map(|(name, rank)| format!("{name} {rank}"));
                formatter.pad(&join(entries, ", "))
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// The kind of value that a field accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// One of d4 d6 d8 d10 d12 d20.
    Die,
    /// A whole number within bounds, both included.
    Number {
        /// The smallest allowed number.
        min: i32,
        /// The largest allowed number.
        max: i32,
    },
    /// On or off. On the command line it is an option without a value.
    #[default]
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Free text.
    Text,
    /// Named numbers, each at least 0: professions with ranks, skills with values. Only sheets have them.
    Ranks {
        /// The word for an entry, such as `skill`.
        what: &'static str,
        /// The largest number.
        max: i32,
    },
}

/// The most entries of a list of ranks.
const MOST_RANKS: usize = 64;

/// The longest text and the longest name of a rank, in characters.
const LONGEST_TEXT: usize = 2_000;

impl Kind {
    /// Describes the values of this kind.
    pub(super) fn describe(self) -> String {
        match self {
            Self::Die => "one of d4, d6, d8, d10, d12, d20".to_owned(),
            Self::Number { min, max } => format!("a number from {min} to {max}"),
            Self::Flag => "a flag, without a value".to_owned(),
            Self::Word(words) => {
                let list = words.join(", ");
                format!("one of {list}")
            }
            Self::Text => format!("a text of at most {LONGEST_TEXT} characters"),
            Self::Ranks { what, max } => {
                format!("a list as in Locks 1, Ropes 2; each {what} has a number from 0 to {max}")
            }
        }
    }

    /// True for a list of names with numbers.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Self::Ranks { .. })
    }

    /// Returns the index of a word among those of the kind, or 0.
    pub(super) fn place(self, word: &str) -> i32 {
        let Self::Word(words) = self else {
            return 0;
        };
        let index = words.iter().position(|candidate| *candidate == word);
        i32::try_from(index.unwrap_or(0)).unwrap_or(0)
    }

    /// Returns all values of this kind in ascending order; empty for numbers, texts and lists, which have too many.
    pub fn all_values(self) -> Vec<Value> {
        match self {
            Self::Flag => vec![false.into(), true.into()],
            Self::Word(words) => words.iter().map(|word| Value::from(*word)).collect(),
            Self::Die => Die::LADDER.map(Value::Die).into(),
            Self::Number { .. } | Self::Text | Self::Ranks { .. } => Vec::new(),
        }
    }

    /// Returns the value that is `by` steps above a value, or below it if `by` is negative, but not beyond the first or last
    /// value. `None` for texts and lists.
    pub fn stepped(self, value: &Value, by: i32) -> Option<Value> {
        if let (Self::Number { min, max }, Value::Number(number)) = (self, value) {
            let stepped = number.saturating_add(by);
            return Some(Value::Number(stepped.clamp(min, max)));
        }

        let values = self.all_values();
        let index = values.iter().position(|other| other == value)?;
        let steps = isize::try_from(by).unwrap_or(0);
        let target = index.saturating_add_signed(steps);
        values.get(target).or_else(|| values.last()).cloned()
    }

    /// Parses a typed value, which may still be out of bounds.
    pub(super) fn read(self, text: &str) -> Option<Value> {
        let trimmed = text.trim();
        match self {
            Self::Die => {
                let die = normalise_number(trimmed).parse().ok()?;
                Some(Value::Die(die))
            }
            // Copied help texts contain a typographic minus sign, which `normalise_number` replaces.
            Self::Number { .. } => {
                let number = normalise_number(trimmed).parse().ok()?;
                Some(Value::Number(number))
            }
            Self::Flag => read_flag(trimmed),
            Self::Word(words) => {
                let word = words.iter().find(|word| is_same_name(word, trimmed));
                Some(Value::from(*word.unwrap_or(&trimmed)))
            }
            Self::Text => Some(Value::Text(text.to_owned())),
            Self::Ranks { .. } => {
                let ranks = read_ranks(text)?;
                Some(Value::Ranks(ranks))
            }
        }
    }

    /// True if this value is of the kind and within its bounds.
    pub(super) fn fits(self, value: &Value) -> bool {
        match self {
            Self::Die => value.die().is_some_and(|die| Die::LADDER.contains(&die)),
            Self::Flag => matches!(value, Value::Flag(_)),
            Self::Number { min, max } => {
                let number = value.number();
                number.is_some_and(|number| (min..=max).contains(&number))
            }
            Self::Word(words) => {
                let word = value.text();
                word.is_some_and(|word| words.contains(&word))
            }
            Self::Text => {
                let text = value.text();
                text.is_some_and(|text| text.chars().count() <= LONGEST_TEXT)
            }
            Self::Ranks { max, .. } => {
                let ranks = value.ranks();
                ranks.is_some_and(|ranks| are_valid_ranks(ranks, max))
            }
        }
    }

    /// Parses a typed value. `name` is the field's name for the error.
    ///
    /// # Errors
    /// If the value is not of this kind, or is out of bounds.
    pub fn parse(self, name: &str, text: &str) -> Result<Value, RuleError> {
        match self.read(text) {
            Some(value) => self.coerce(name, value),
            None => Err(RuleError::wrong(name, self.describe(), text)),
        }
    }

    /// Checks a value, and turns a text into a die if this kind is a die. `name` is the field's name for the error.
    ///
    /// # Errors
    /// If the value is not of this kind, or is out of bounds.
    pub fn coerce(self, name: &str, value: Value) -> Result<Value, RuleError> {
        match (self, value) {
            (Self::Die, Value::Text(text)) => self.parse(name, &text),
            (_, value) if self.fits(&value) => Ok(value),
            (_, value) => {
                let given = value.to_string();
                Err(RuleError::wrong(name, self.describe(), &given))
            }
        }
    }
}

/// True if the names are distinct and not too long, and the numbers are from 0 to `max`.
fn are_valid_ranks(ranks: &[(String, i32)], max: i32) -> bool {
    if ranks.len() > MOST_RANKS {
        return false;
    }

    let mut names = BTreeSet::new();
    for (name, rank) in ranks {
        let length = name.chars().count();
        let has_valid_name = (1..=LONGEST_TEXT).contains(&length);
        let has_valid_rank = (0..=max).contains(rank);
        let is_new = names.insert(name);
        if !has_valid_name || !has_valid_rank || !is_new {
            return false;
        }
    }
    true
}

fn read_flag(word: &str) -> Option<Value> {
    match word.to_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(Value::Flag(true)),
        "false" | "no" | "off" | "0" => Some(Value::Flag(false)),
        _ => None,
    }
}

/// Parses a list like `Sailor 3, Cook 1`.
fn read_ranks(text: &str) -> Option<Ranks> {
    let mut ranks = Vec::new();
    for entry in text.split(',').map(str::trim) {
        if entry.is_empty() {
            continue;
        }
        let (name, number) = entry.rsplit_once([' ', '='])?;
        let number = normalise_number(number.trim());
        let rank = number.parse().ok()?;
        ranks.push((name.trim().to_owned(), rank));
    }
    Some(ranks)
}
