//! House rules: readings that a table may decide otherwise.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::spec::leaked;
use super::{Kind, RuleError, System, Value};

/// One reading that a table may decide otherwise: one of its options, of which the first is proposed, or a number
/// within bounds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HouseRule {
    /// Its name on the command line and in the session file.
    pub id: &'static str,
    /// The question that it answers, in plain words.
    #[serde(rename = "help")]
    pub question: &'static str,
    #[serde(default, deserialize_with = "leaked")]
    options: &'static [&'static str],
    #[serde(default)]
    min: i32,
    #[serde(default)]
    max: i32,
    #[serde(default)]
    start: i32,
    /// What each word means, in plain words.
    #[serde(default)]
    readings: Vec<&'static str>,
    /// The number of the reading, or the heading on the page.
    pub from: &'static str,
    /// What the page says there, and what it leaves open.
    pub page: &'static str,
}

/// What every table decides, whichever system it plays.
pub(super) fn of_every_table() -> Result<Vec<HouseRule>, RuleError> {
    let described = toml::from_str(include_str!("house.toml"));
    let mut described: BTreeMap<String, Vec<HouseRule>> =
        described.map_err(|error: toml::de::Error| RuleError::Said(error.to_string()))?;
    Ok(described.remove("house").unwrap_or_default())
}

impl HouseRule {
    /// The reading proposed.
    pub fn default_value(&self) -> Value {
        match self.options {
            [first, ..] => Value::from(*first),
            [] => Value::Number(self.start),
        }
    }

    /// Its words, each with its reading; none where it is a number.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
        let readings = self.readings.iter().copied();
        self.options.iter().copied().zip(readings)
    }

    /// Reads a value as a person writes it.
    pub fn parse(&self, text: &str) -> Result<Value, RuleError> {
        self.kind().parse(&self.name(), text)
    }

    fn check(&self, value: &Value) -> Result<(), RuleError> {
        let value = self.kind().coerce(&self.name(), value.clone());
        value.map(|_| ())
    }

    /// What it may be: a word or a number.
    pub const fn kind(&self) -> Kind {
        match self.options {
            [] => Kind::Number {
                min: self.min,
                max: self.max,
            },
            words => Kind::Word(words),
        }
    }

    fn name(&self) -> String {
        format!("the house rule {}", self.id)
    }
}

/// The house rules of a table: what differs from the proposed readings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct House(BTreeMap<String, Value>);

impl House {
    /// Decides a rule of that system; the proposed reading is not kept as a difference.
    pub fn set(&mut self, system: System, id: &str, value: Value) -> Result<(), RuleError> {
        let rule = find(system, id)?;
        rule.check(&value)?;
        if value == rule.default_value() {
            self.0.remove(id);
        } else {
            self.0.insert(id.to_owned(), value);
        }
        Ok(())
    }

    /// Checks every difference against the rules of that system.
    pub fn check(&self, system: System) -> Result<(), RuleError> {
        self.0
            .iter()
            .try_for_each(|(id, value)| find(system, id)?.check(value))
    }

    /// Whether nothing differs from the proposed readings.
    pub fn is_plain(&self) -> bool {
        self.0.is_empty()
    }

    /// What differs from the proposed readings.
    pub fn differences(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(id, value)| (id.as_str(), value))
    }

    /// The value of a rule: the table's, else the proposed one.
    pub fn value(&self, rule: &HouseRule) -> Value {
        self.0
            .get(rule.id)
            .cloned()
            .unwrap_or_else(|| rule.default_value())
    }

    /// Whether the table takes this reading, which is not the proposed one.
    pub fn is(&self, id: &str, reading: &str) -> bool {
        self.0.get(id).and_then(Value::text) == Some(reading)
    }

    /// The table's number for a rule of that system, else the proposed one.
    pub fn number(&self, system: System, id: &str) -> i32 {
        let rule = find(system, id).map(|rule| self.value(rule));
        rule.ok().and_then(|value| value.number()).unwrap_or(0)
    }
}

fn find(system: System, id: &str) -> Result<&'static HouseRule, RuleError> {
    let spec = system.spec();
    let found = spec.house.iter().find(|rule| rule.id == id);
    found.ok_or_else(|| {
        let no = format!("{} has no house rule", spec.id);
        let known = spec.house.iter().map(|rule| rule.id);
        RuleError::unknown(&no, id, "it has", known)
    })
}
