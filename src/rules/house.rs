//! House rules: readings that a table may decide otherwise.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Kind, RuleError, System, Value};

/// What a house rule may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Options {
    /// One of these words; the first is the default.
    Words(&'static [&'static str]),
    /// A number within bounds, both included.
    Number {
        /// The smallest.
        min: i32,
        /// The largest.
        max: i32,
        /// The one proposed.
        default: i32,
    },
}

/// One reading that a table may decide otherwise; each is a constant of its system, by which the rules ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HouseRule {
    /// Its name on the command line and in the session file.
    pub id: &'static str,
    /// The question that it answers, in plain words.
    pub question: &'static str,
    /// Its values.
    pub options: Options,
    /// What each word means, in plain words.
    pub readings: &'static [&'static str],
    /// The number of the reading, or the heading on the page.
    pub from: &'static str,
    /// What the page says there, and what it leaves open.
    pub page: &'static str,
}

impl HouseRule {
    /// The reading proposed.
    pub fn default_value(&self) -> Value {
        match self.options {
            Options::Words(words) => Value::from(words[0]),
            Options::Number { default, .. } => Value::Number(default),
        }
    }

    /// Its words, each with its reading.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let words = match self.options {
            Options::Words(words) => words,
            Options::Number { .. } => &[],
        };
        words.iter().copied().zip(self.readings.iter().copied())
    }

    /// Reads a value as a person writes it.
    pub fn parse(&self, text: &str) -> Result<Value, RuleError> {
        self.kind().parse(&self.name(), text)
    }

    fn check(&self, value: &Value) -> Result<(), RuleError> {
        let value = self.kind().coerce(&self.name(), value.clone());
        value.map(|_| ())
    }

    const fn kind(&self) -> Kind {
        match self.options {
            Options::Words(words) => Kind::Word(words),
            Options::Number { min, max, .. } => Kind::Number { min, max },
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

    /// Whether the table decided that rule otherwise than proposed.
    pub fn departs(&self, rule: &HouseRule) -> bool {
        self.0.contains_key(rule.id)
    }

    /// Which of the rule's words the table takes, by its place among them; the first is the proposed one.
    pub fn reading(&self, rule: &HouseRule) -> usize {
        let value = self.0.get(rule.id).and_then(Value::text);
        let found = rule.words().position(|(word, _)| Some(word) == value);
        found.unwrap_or(0)
    }

    /// The table's number for a rule, else the proposed one.
    pub fn number(&self, rule: &HouseRule) -> i32 {
        self.value(rule).number().unwrap_or(0)
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
