//! What a check needs to know, described as data.
//!
//! The roll dialog, the flags of the command line, `systems --json` and the help are all made from
//! these descriptions.

use thiserror::Error;

use super::{CheckSpec, House, TokenKind, Value};
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
    /// Free text of at most 200 characters.
    Text,
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
    /// What the table's house rule of that name says; this number where it says nothing.
    House(&'static str, i32),
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
    /// From the character's pool of these tokens: what it is above 0, or with `owed` what it is below 0.
    Tokens {
        /// The pool.
        kind: TokenKind,
        /// Whether it is the side of the pool that must be used.
        owed: bool,
    },
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
    /// Left out of `fields` in JSON while it has its preset: what the command-line contract does not
    /// list.
    pub quiet: bool,
    /// The field that may not be given beside this one. Of two that may be left out, one must be given.
    pub excludes: Option<&'static str>,
}

/// The longest text that a field takes, in characters.
pub(super) const LONGEST_TEXT: usize = 200;

impl Field {
    /// A field with everything plain: required, from nowhere, without names.
    pub const fn new(
        id: &'static str,
        label: &'static str,
        kind: Kind,
        help: &'static str,
    ) -> Self {
        Self {
            id,
            label,
            kind,
            preset: Preset::Required,
            source: Source::Table,
            whose: Whose::Own,
            help,
            names: &[],
            spends: None,
            quiet: false,
            excludes: None,
        }
    }

    /// A number from `min` to `max` that is `preset` unless said otherwise.
    pub const fn number(
        id: &'static str,
        label: &'static str,
        (min, max): (i32, i32),
        preset: i32,
        help: &'static str,
    ) -> Self {
        Self {
            preset: Preset::Number(preset),
            ..Self::new(id, label, Kind::Number { min, max }, help)
        }
    }

    /// A flag, off unless said otherwise.
    pub const fn flag(id: &'static str, label: &'static str, help: &'static str) -> Self {
        Self {
            preset: Preset::Off,
            ..Self::new(id, label, Kind::Flag, help)
        }
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
    pub const fn spends(self, kind: TokenKind) -> Self {
        Self {
            spends: Some(kind),
            ..self
        }
    }

    /// The same field, left out of JSON while it has its preset.
    #[must_use]
    pub const fn quiet(self) -> Self {
        Self {
            quiet: true,
            ..self
        }
    }

    /// The same field, not to be given beside that one.
    #[must_use]
    pub const fn excludes(self, other: &'static str) -> Self {
        Self {
            excludes: Some(other),
            ..self
        }
    }

    /// Its value when nobody says; `None` where it must be given or may be left out.
    pub fn preset_value(&self) -> Option<Value> {
        match self.preset {
            Preset::Required | Preset::Optional => None,
            Preset::Number(number) | Preset::House(_, number) => Some(Value::Number(number)),
            Preset::Die(die) => Some(Value::Die(die)),
            Preset::Word(word) => Some(Value::Text(word.to_owned())),
            Preset::Off => Some(Value::Flag(false)),
            Preset::Empty => Some(Value::Text(String::new())),
        }
    }

    /// What it takes, in words: `a number from 1 to 40`.
    pub fn describe(&self) -> String {
        match self.kind {
            Kind::Die => "one of d4, d6, d8, d10, d12, d20".to_owned(),
            Kind::Number { min, max } => format!("a number from {min} to {max}"),
            Kind::Flag => "a flag, without a value".to_owned(),
            Kind::Word(words) => format!("one of {}", words.join(", ")),
            Kind::Text => format!("a text of at most {LONGEST_TEXT} characters"),
        }
    }

    /// Reads a value as a person writes it.
    pub fn parse(&self, text: &str) -> Result<Value, FieldError> {
        let wrong = || FieldError::Wrong {
            field: self.id.to_owned(),
            takes: self.describe(),
            given: text.chars().take(40).collect(),
        };
        let value = match self.kind {
            Kind::Die => Value::Die(text.trim().parse().ok().ok_or_else(wrong)?),
            Kind::Number { .. } => {
                let number: i64 = text.trim().parse().ok().ok_or_else(wrong)?;
                Value::Number(i32::try_from(number).ok().ok_or_else(wrong)?)
            }
            Kind::Flag => match text.trim().to_lowercase().as_str() {
                "true" | "yes" | "on" => Value::Flag(true),
                "false" | "no" | "off" => Value::Flag(false),
                _ => return Err(wrong()),
            },
            Kind::Word(_) => Value::Text(text.trim().to_lowercase()),
            Kind::Text => Value::Text(text.to_owned()),
        };
        self.check(&value)?;
        Ok(value)
    }

    /// The value as this field holds it: a text that names a die becomes the die.
    pub fn coerce(&self, value: Value) -> Result<Value, FieldError> {
        let value = match (self.kind, value) {
            (Kind::Die, Value::Text(text)) => return self.parse(&text),
            (_, value) => value,
        };
        self.check(&value)?;
        Ok(value)
    }

    /// Checks that the value is one that this field takes.
    pub fn check(&self, value: &Value) -> Result<(), FieldError> {
        let fits = match (self.kind, value) {
            (Kind::Die, Value::Die(_)) | (Kind::Flag, Value::Flag(_)) => true,
            (Kind::Number { min, max }, Value::Number(number)) => (min..=max).contains(number),
            (Kind::Word(words), Value::Text(word)) => words.contains(&word.as_str()),
            (Kind::Text, Value::Text(text)) => text.chars().count() <= LONGEST_TEXT,
            _ => false,
        };
        if fits {
            return Ok(());
        }
        Err(FieldError::Wrong {
            field: self.id.to_owned(),
            takes: self.describe(),
            given: value.to_string().chars().take(40).collect(),
        })
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

/// The values of all fields of one check, each of its field's kind and within its bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fields {
    spec: &'static CheckSpec,
    values: Vec<Option<Value>>,
}

impl Fields {
    /// The presets of that check, with these values over them.
    pub fn new<N: AsRef<str>>(
        spec: &'static CheckSpec,
        given: impl IntoIterator<Item = (N, Value)>,
    ) -> Result<Self, FieldError> {
        let mut fields = Self::presets(spec);
        for (name, value) in given {
            fields.set(name.as_ref(), value)?;
        }
        fields.complete()?;
        Ok(fields)
    }

    /// The presets alone; required fields are still open, and those that a house rule decides.
    pub fn presets(spec: &'static CheckSpec) -> Self {
        let preset = |field: &Field| match field.preset {
            Preset::House(..) => None,
            Preset::Required
            | Preset::Optional
            | Preset::Number(_)
            | Preset::Die(_)
            | Preset::Word(_)
            | Preset::Off
            | Preset::Empty => field.preset_value(),
        };
        let values = spec.fields.iter().map(preset).collect();
        Self { spec, values }
    }

    /// Fills in what was left to the house rules, so that the fields say all that was decided. A check
    /// prepared without it reads the same rules.
    pub fn decide(&mut self, house: &House) {
        for (field, value) in self.spec.fields.iter().zip(&mut self.values) {
            if let (Preset::House(rule, number), None) = (field.preset, &value) {
                *value = Some(Value::Number(house.number(rule).unwrap_or(number)));
            }
        }
    }

    /// The check that these are the fields of.
    pub fn spec(&self) -> &'static CheckSpec {
        self.spec
    }

    /// Checks that no required field is open and that no two are given which exclude each other.
    pub fn complete(&self) -> Result<(), FieldError> {
        let open = self
            .spec
            .fields
            .iter()
            .zip(&self.values)
            .find(|(field, value)| field.preset == Preset::Required && value.is_none());
        match open {
            Some((field, _)) => Err(FieldError::Missing {
                field: field.id.to_owned(),
                takes: field.describe(),
            }),
            None => self.spec.fields.iter().try_for_each(|field| {
                let other = field.excludes.and_then(|id| self.spec.field(id));
                other.map_or(Ok(()), |other| self.check_pair(field, other))
            }),
        }
    }

    fn check_pair(&self, field: &'static Field, other: &'static Field) -> Result<(), FieldError> {
        let given = |field: &Field| {
            self.value(field.id)
                .is_some_and(|value| Some(value) != field.preset_value().as_ref())
        };
        match (given(field), given(other)) {
            (true, true) => Err(FieldError::Both {
                field: field.id,
                other: other.id,
            }),
            (false, false) if field.preset == Preset::Optional => Err(FieldError::Neither {
                field: field.id,
                takes: field.describe(),
                other: other.id,
                other_takes: other.describe(),
            }),
            _ => Ok(()),
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.spec.fields.iter().position(|field| field.id == name)
    }

    /// Gives a field a value.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), FieldError> {
        let Some(index) = self.position(name) else {
            let known: Vec<&str> = self.spec.fields.iter().map(|field| field.id).collect();
            return Err(FieldError::Unknown {
                check: self.spec.id,
                field: name.to_owned(),
                known: known.join(", "),
            });
        };
        self.values[index] = Some(self.spec.fields[index].coerce(value)?);
        Ok(())
    }

    /// Takes a field's value away, so that it is left out, or open again.
    pub fn clear(&mut self, name: &str) {
        if let Some(index) = self.position(name) {
            self.values[index] = None;
        }
    }

    /// A field's value, if it has one.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(self.position(name)?)?.as_ref()
    }

    /// Every field with its value, in the check's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Field, Option<&Value>)> + '_ {
        self.spec
            .fields
            .iter()
            .zip(self.values.iter().map(Option::as_ref))
    }

    /// The fields that JSON shows: all that have a value, but for quiet ones at their preset.
    pub fn shown(&self) -> impl Iterator<Item = (&'static str, &Value)> + '_ {
        self.iter().filter_map(|(field, value)| {
            let value = value?;
            let silent = field.quiet && field.preset_value().as_ref() == Some(value);
            (!silent).then_some((field.id, value))
        })
    }

    /// A die; a check asks only for fields that it describes.
    ///
    /// # Panics
    /// When the check has no such field or it is no die.
    pub fn die(&self, name: &str) -> Die {
        match self.value(name) {
            Some(Value::Die(die)) => Some(*die),
            _ => None,
        }
        .expect("the check describes this field as a die")
    }

    /// A number, or nothing where it was left out.
    pub fn maybe_number(&self, name: &str) -> Option<i32> {
        match self.value(name) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// A number; a check asks only for fields that it describes.
    ///
    /// # Panics
    /// When the check has no such field or it is no number.
    pub fn number(&self, name: &str) -> i32 {
        self.maybe_number(name)
            .expect("the check describes this field as a number")
    }

    /// Whether a flag is on.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Flag(true)))
    }

    /// A word or text; empty where it was left out.
    pub fn text(&self, name: &str) -> &str {
        match self.value(name) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }
}
