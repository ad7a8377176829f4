//! A character's sheet: the system's own stats, described as data and checked against it.

use serde::ser::{Serialize, SerializeMap, Serializer};
use thiserror::Error;

use super::system::names;
use super::{Kind, Preset, System, Value};
use crate::dice::Die;

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
    pub kind: Kind,
    /// What a new character has; of ranks none.
    new: Preset,
    /// The stat that bounds a die: a heart die that shrank is never larger than the whole one.
    pub at_most: Option<&'static str>,
    /// One sentence of help for the form.
    pub help: &'static str,
}

/// The longest text and the longest name of a rank on a sheet, in characters.
const LONGEST_TEXT: usize = 2_000;

impl Stat {
    const fn new(id: &'static str, label: &'static str, kind: Kind, new: Preset) -> Self {
        Self {
            id,
            label,
            short: "",
            kind,
            new,
            at_most: None,
            help: "",
        }
    }

    pub(super) const fn die(id: &'static str, label: &'static str, preset: Die) -> Self {
        Self::new(id, label, Kind::Die, Preset::Die(preset))
    }

    /// A number from `min` to `max`.
    pub(super) const fn number(
        id: &'static str,
        label: &'static str,
        (min, max): (i32, i32),
        preset: i32,
    ) -> Self {
        Self::new(id, label, Kind::Number { min, max }, Preset::Number(preset))
    }

    /// One of these words; a new character has the first.
    pub(super) const fn word(
        id: &'static str,
        label: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Self::new(id, label, Kind::Word(words), Preset::Word(words[0]))
    }

    pub(super) const fn text(id: &'static str, label: &'static str) -> Self {
        Self::new(id, label, Kind::Text, Preset::Empty)
    }

    /// A list of `what`s, each with a number from 0 to `max`.
    pub(super) const fn ranks(
        id: &'static str,
        label: &'static str,
        what: &'static str,
        max: i32,
    ) -> Self {
        Self::new(id, label, Kind::Ranks { what, max }, Preset::Optional)
    }

    /// The same stat with a heading for where room is short.
    pub(super) const fn short(self, short: &'static str) -> Self {
        Self { short, ..self }
    }

    pub(super) const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// The same die, never larger than that other one.
    pub(super) const fn at_most(mut self, bound: &'static str) -> Self {
        self.at_most = Some(bound);
        self
    }

    /// What a new character has.
    pub fn preset(&self) -> Value {
        let preset = self.new.value();
        preset.unwrap_or_else(|| Value::Ranks(Vec::new()))
    }

    /// What it takes, in words.
    pub fn describe(&self) -> String {
        let plain = self.kind.describe(LONGEST_TEXT);
        match self.at_most {
            Some(bound) => format!("{plain}, and no larger than {bound}"),
            None => plain,
        }
    }

    /// Reads a value as a person types it: `d8`, `3`, `Sailor 3, Cook 1`.
    pub fn parse(&self, text: &str) -> Result<Value, SheetError> {
        let value = self.kind.parse(text, LONGEST_TEXT);
        value.map_err(|given| self.wrong(&given))
    }

    /// The value as this stat holds it: a text that names a die becomes the die.
    pub fn coerce(&self, value: Value) -> Result<Value, SheetError> {
        let value = self.kind.coerce(value, LONGEST_TEXT);
        value.map_err(|given| self.wrong(&given))
    }

    fn wrong(&self, given: &str) -> SheetError {
        SheetError::Wrong {
            stat: self.id,
            takes: self.describe(),
            given: given.chars().take(40).collect(),
        }
    }
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
            let bound = stat.at_most.and_then(|bound| self.die(bound));
            if let (Some(bound), Value::Die(die)) = (bound, value)
                && *die > bound
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
        let found = spec.stats.iter().find(|stat| stat.id == id);
        found.ok_or_else(|| SheetError::Unknown {
            system: spec.id,
            given: id.to_owned(),
            known: names(spec.stats.iter().map(|stat| stat.id)),
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
        if stat.at_most.is_some() {
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
            let bound = stat.at_most.and_then(|bound| self.die(bound));
            if let (Some(bound), Value::Die(die)) = (bound, &self.values[index])
                && *die > bound
            {
                self.values[index] = Value::Die(bound);
            }
        }
    }

    fn position(&self, id: &str) -> Option<usize> {
        let stats = self.system.spec().stats;
        stats.iter().position(|stat| stat.id == id)
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
