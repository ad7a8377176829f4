//! A character's sheet: the system's own stats, described as data and checked against it.

use serde::ser::{Serialize, SerializeMap, Serializer};
use thiserror::Error;

use super::{Kind, System, Value};
use crate::dice::Die;

/// What kind of value a stat takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatKind {
    /// A die; with `at_most` never larger than the die of that stat (a heart die that shrank).
    Die {
        /// What a new character has.
        preset: Die,
        /// The stat that bounds it.
        at_most: Option<&'static str>,
    },
    /// A whole number within bounds, both included.
    Number {
        /// The smallest.
        min: i32,
        /// The largest.
        max: i32,
        /// What a new character has.
        preset: i32,
    },
    /// One of these words; a new character has the first.
    Word(&'static [&'static str]),
    /// Free text.
    Text,
    /// Named numbers within bounds: professions with ranks, skills with values.
    Ranks {
        /// What one of them is called.
        what: &'static str,
        /// The smallest number.
        min: i32,
        /// The largest number.
        max: i32,
    },
}

/// One thing that a sheet holds.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// Its name in files and in fields.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// Its heading where room is short, at most six columns wide; empty where lists leave it out.
    pub short: &'static str,
    /// What it takes.
    pub kind: StatKind,
    /// One sentence of help for the form.
    pub help: &'static str,
}

/// A sheet holds at most this many entries in a list of ranks.
pub(super) const MOST_RANKS: usize = 64;

/// The longest text and the longest name of a rank on a sheet, in characters.
pub(super) const LONGEST_TEXT: usize = 2_000;

impl Stat {
    const fn new(id: &'static str, label: &'static str, kind: StatKind) -> Self {
        Self {
            id,
            label,
            short: "",
            kind,
            help: "",
        }
    }

    pub(super) const fn die(id: &'static str, label: &'static str, preset: Die) -> Self {
        let at_most = None;
        Self::new(id, label, StatKind::Die { preset, at_most })
    }

    /// A number from `min` to `max`.
    pub(super) const fn number(
        id: &'static str,
        label: &'static str,
        (min, max): (i32, i32),
        preset: i32,
    ) -> Self {
        Self::new(id, label, StatKind::Number { min, max, preset })
    }

    pub(super) const fn word(
        id: &'static str,
        label: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Self::new(id, label, StatKind::Word(words))
    }

    pub(super) const fn text(id: &'static str, label: &'static str) -> Self {
        Self::new(id, label, StatKind::Text)
    }

    /// A list of `what`s, each with a number from 0 to `max`.
    pub(super) const fn ranks(
        id: &'static str,
        label: &'static str,
        what: &'static str,
        max: i32,
    ) -> Self {
        Self::new(id, label, StatKind::Ranks { what, min: 0, max })
    }

    /// The same stat with a heading for where room is short.
    pub(super) const fn short(self, short: &'static str) -> Self {
        Self { short, ..self }
    }

    pub(super) const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// What a new character has.
    pub fn preset(&self) -> Value {
        match self.kind {
            StatKind::Die { preset, .. } => Value::Die(preset),
            StatKind::Number { preset, .. } => Value::Number(preset),
            StatKind::Word(words) => Value::from(words.first().copied().unwrap_or_default()),
            StatKind::Text => Value::Text(String::new()),
            StatKind::Ranks { .. } => Value::Ranks(Vec::new()),
        }
    }

    /// What it takes, in words.
    pub fn describe(&self) -> String {
        let plain = self.plain_kind().map(|kind| kind.describe(LONGEST_TEXT));
        match (self.kind, plain) {
            (StatKind::Ranks { what, min, max }, _) => {
                format!("a list of {what}s, each a name and a number from {min} to {max}")
            }
            (
                StatKind::Die {
                    at_most: Some(bound),
                    ..
                },
                Some(plain),
            ) => format!("{plain}, and no larger than {bound}"),
            (_, plain) => plain.unwrap_or_default(),
        }
    }

    /// Its kind of value, if it is not a list of ranks.
    fn plain_kind(&self) -> Option<Kind> {
        match self.kind {
            StatKind::Die { .. } => Some(Kind::Die),
            StatKind::Number { min, max, .. } => Some(Kind::Number { min, max }),
            StatKind::Word(words) => Some(Kind::Word(words)),
            StatKind::Text => Some(Kind::Text),
            StatKind::Ranks { .. } => None,
        }
    }

    /// Reads a value as a person types it: `d8`, `3`, `Sailor 3, Cook 1`.
    pub fn parse(&self, text: &str) -> Result<Value, SheetError> {
        let value = match self.plain_kind() {
            Some(kind) => kind.read(text),
            None => read_ranks(text).map(Value::Ranks),
        };
        let value = value.ok_or_else(|| self.wrong(text))?;
        self.check(&value)?;
        Ok(value)
    }

    /// The value as this stat holds it: a text that names a die becomes the die.
    pub fn coerce(&self, value: Value) -> Result<Value, SheetError> {
        match (self.kind, value) {
            (StatKind::Die { .. }, Value::Text(text)) => self.parse(&text),
            (_, value) => {
                self.check(&value)?;
                Ok(value)
            }
        }
    }

    fn check(&self, value: &Value) -> Result<(), SheetError> {
        let fits = match (self.plain_kind(), self.kind, value) {
            (Some(kind), ..) => kind.fits(value, LONGEST_TEXT),
            (None, StatKind::Ranks { min, max, .. }, Value::Ranks(ranks)) => {
                ranks.len() <= MOST_RANKS
                    && ranks.iter().enumerate().all(|(index, (name, rank))| {
                        let known = ranks.iter().take(index).any(|(other, _)| other == name);
                        let short = name.chars().count() <= LONGEST_TEXT;
                        (min..=max).contains(rank) && !name.is_empty() && short && !known
                    })
            }
            _ => false,
        };
        if fits {
            Ok(())
        } else {
            Err(self.wrong(&value.to_string()))
        }
    }

    fn wrong(&self, given: &str) -> SheetError {
        SheetError::Wrong {
            stat: self.id,
            takes: self.describe(),
            given: given.chars().take(40).collect(),
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

/// A sheet that is not as the system describes it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SheetError {
    /// A stat is not there.
    #[error("the stat {stat} is missing; it must be {takes}")]
    Missing {
        /// The stat.
        stat: &'static str,
        /// What it takes, in words.
        takes: String,
    },
    /// A stat's value is not one that it takes.
    #[error("{stat} must be {takes}, and {given:?} was given")]
    Wrong {
        /// The stat.
        stat: &'static str,
        /// What it takes, in words.
        takes: String,
        /// What was given, cut short.
        given: String,
    },
    /// The system's sheets have no such stat.
    #[error("a sheet of {system} has no stat {given:?}; it has {known}")]
    Unknown {
        /// The system.
        system: &'static str,
        /// The name given.
        given: String,
        /// The stats it has.
        known: String,
    },
}

/// The stats of one character, each as its system describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    system: System,
    values: Vec<Value>,
}

impl Sheet {
    /// The sheet of a new character.
    pub fn new(system: System) -> Self {
        let values = system.spec().stats.iter().map(Stat::preset).collect();
        Self { system, values }
    }

    /// The sheet with these values; every stat must be there, and what the system does not know is
    /// left alone.
    pub fn from_values(
        system: System,
        mut value_of: impl FnMut(&str) -> Option<Value>,
    ) -> Result<Self, SheetError> {
        let mut sheet = Self::new(system);
        for (stat, slot) in system.spec().stats.iter().zip(&mut sheet.values) {
            let value = value_of(stat.id).ok_or_else(|| SheetError::Missing {
                stat: stat.id,
                takes: stat.describe(),
            })?;
            *slot = stat.coerce(value)?;
        }
        sheet.check_bounds()?;
        Ok(sheet)
    }

    /// Checks that no die is larger than the one that bounds it.
    pub fn check_bounds(&self) -> Result<(), SheetError> {
        for (stat, value) in self.iter() {
            if let (
                StatKind::Die {
                    at_most: Some(bound),
                    ..
                },
                Value::Die(die),
            ) = (stat.kind, value)
                && self.die(bound).is_some_and(|bound| *die > bound)
            {
                return Err(stat.wrong(die.name()));
            }
        }
        Ok(())
    }

    /// The system.
    pub fn system(&self) -> System {
        self.system
    }

    /// Every stat with its value, in the system's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Stat, &Value)> + '_ {
        self.system.spec().stats.iter().zip(&self.values)
    }

    /// The description of a stat.
    pub fn stat(&self, id: &str) -> Result<&'static Stat, SheetError> {
        let spec = self.system.spec();
        spec.stats
            .iter()
            .find(|stat| stat.id == id)
            .ok_or_else(|| SheetError::Unknown {
                system: spec.id,
                given: id.to_owned(),
                known: spec
                    .stats
                    .iter()
                    .map(|stat| stat.id)
                    .collect::<Vec<_>>()
                    .join(", "),
            })
    }

    /// The value of a stat.
    pub fn value(&self, id: &str) -> Option<&Value> {
        self.values.get(self.position(id)?)
    }

    /// Gives a stat a value. A die that bounds another pulls it along: a smaller heart die leaves no
    /// larger one in use.
    pub fn set(&mut self, id: &str, value: Value) -> Result<(), SheetError> {
        let stat = self.stat(id)?;
        let value = stat.coerce(value)?;
        let Some(index) = self.position(id) else {
            return Ok(());
        };
        let before = std::mem::replace(&mut self.values[index], value);
        if matches!(
            stat.kind,
            StatKind::Die {
                at_most: Some(_),
                ..
            }
        ) {
            let checked = self.check_bounds();
            if checked.is_err() {
                self.values[index] = before;
            }
            return checked;
        }
        self.pull_down();
        Ok(())
    }

    /// Puts a value down as a fact, without pulling anything along: every difference of an event says
    /// itself what it does.
    pub fn record(&mut self, id: &str, value: Value) -> Result<(), SheetError> {
        let value = self.stat(id)?.coerce(value)?;
        if let Some(index) = self.position(id) {
            self.values[index] = value;
        }
        Ok(())
    }

    fn pull_down(&mut self) {
        for (index, stat) in self.system.spec().stats.iter().enumerate() {
            if let StatKind::Die {
                at_most: Some(bound),
                ..
            } = stat.kind
                && let (Some(bound), Value::Die(die)) = (self.die(bound), &self.values[index])
                && *die > bound
            {
                self.values[index] = Value::Die(bound);
            }
        }
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.system
            .spec()
            .stats
            .iter()
            .position(|stat| stat.id == id)
    }

    /// A die of the sheet.
    pub fn die(&self, id: &str) -> Option<Die> {
        match self.value(id) {
            Some(Value::Die(die)) => Some(*die),
            _ => None,
        }
    }

    /// A number of the sheet.
    pub fn number(&self, id: &str) -> Option<i32> {
        match self.value(id) {
            Some(Value::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// A word or text of the sheet; empty where there is none.
    pub fn text(&self, id: &str) -> &str {
        match self.value(id) {
            Some(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// A list of the sheet; empty where there is none.
    pub fn ranks(&self, id: &str) -> &[(String, i32)] {
        match self.value(id) {
            Some(Value::Ranks(ranks)) => ranks,
            _ => &[],
        }
    }
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len()))?;
        for (stat, value) in self.iter() {
            map.serialize_entry(stat.id, value)?;
        }
        map.end()
    }
}
