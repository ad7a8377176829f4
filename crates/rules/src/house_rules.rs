//! House rules: readings that a table may decide otherwise.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::de::DeTable;

use super::system_file::{Known, Reader, Table};
use super::{Kind, RuleError, System, Value};

/// One reading that a table may decide otherwise: one of its options, of which the first is proposed, or a number
/// within bounds.
#[derive(Debug)]
pub struct HouseRule {
    /// Its name on the command line and in the session file.
    pub id: &'static str,
    /// What it is called on the screen.
    pub label: &'static str,
    /// The question that it answers, in plain words.
    pub question: &'static str,
    options: &'static [&'static str],
    min: i32,
    max: i32,
    start: i32,
    /// What each word means, in plain words.
    readings: Vec<&'static str>,
    /// The number of the reading, or the heading on the page.
    pub from: &'static str,
    /// What the page says there, and what it leaves open.
    pub page: &'static str,
}

/// What stands before the name of a rule that only other rules of the game know.
const KEPT: &str = "was:";

/// What every table decides, whichever system it plays.
pub(super) fn of_every_table() -> Vec<HouseRule> {
    let text = include_str!("house_rules.toml");
    let file = DeTable::parse(text).expect("a test reads every file that comes with the program");
    let reader = Reader::new(text);
    let file = Table::new(&reader, file.get_ref(), 0, "");
    file.tables("house").iter().map(HouseRule::read).collect()
}

impl HouseRule {
    /// Reads one.
    pub(super) fn read(table: &Table<'_>) -> Self {
        let options = table.texts("options");
        let number = |key| table.number(key).unwrap_or(0);
        let mut readings = table.texts("readings").to_vec();
        readings.resize(options.len(), "");
        let id = table.id();
        let rule = Self {
            id,
            label: table.label(id),
            question: table.words("help"),
            options,
            min: number("min"),
            max: number("max"),
            start: number("start"),
            readings,
            from: table.words("from"),
            page: table.words("page"),
        };
        if rule.options.is_empty() && rule.min >= rule.max {
            table.fault(format!("{} needs options, or min and max", table.what));
        }
        rule
    }

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
        self.kind().coerce(&self.name(), value.clone())?;
        Ok(())
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
pub struct HouseRules(BTreeMap<String, Value>);

impl HouseRules {
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
        let mut own = self.0.iter().filter(|(id, _)| !id.starts_with(KEPT));
        own.try_for_each(|(id, value)| find(system, id)?.check(value))
    }

    /// The same under other rules; what these do not know is kept aside until rules come that do.
    pub fn under(&self, system: System) -> Self {
        let mut house = Self::default();
        for (id, value) in &self.0 {
            let id = id.strip_prefix(KEPT).unwrap_or(id);
            if house.set(system, id, value.clone()).is_err() {
                house.0.insert(format!("{KEPT}{id}"), value.clone());
            }
        }
        house
    }

    /// The value of a rule: the table's, else the proposed one.
    pub fn value(&self, rule: &HouseRule) -> Value {
        let decided = self.0.get(rule.id).cloned();
        decided.unwrap_or_else(|| rule.default_value())
    }

    /// The value of the system's rule at that place, as an expression knows it.
    pub(super) fn known(&self, system: System, at: usize) -> Option<Known> {
        let rule = system.spec().house.get(at)?;
        Some((&self.value(rule)).into())
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
