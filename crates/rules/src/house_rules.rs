//! House rules: decisions about the rules that each table makes for itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::system_file::{ExpressionValue, TomlTable, with_tables};
use super::{Kind, RuleError, System, Value};

/// A decision about the rules that each table makes for itself: one of several options, or a number within bounds.
#[derive(Debug)]
pub struct HouseRule {
    /// The id on the command line and in files.
    pub id: &'static str,
    /// The name on the screen.
    pub label: &'static str,
    /// The question that the rule answers.
    pub question: &'static str,
    /// The options, the default first; empty if the rule is a number.
    options: &'static [&'static str],
    /// The smallest number.
    min: i32,
    /// The largest number.
    max: i32,
    /// The default number.
    start: i32,
    /// The description of each option.
    option_help: Vec<&'static str>,
    /// The part of the rules that leaves the decision open: the number of a question, or a heading.
    pub from: &'static str,
    /// A summary of that part of the rules, and the question that it leaves open.
    pub page: &'static str,
}

/// The prefix of stored ids whose rule the current system does not have, or whose value it does not accept. They are
/// kept for systems that accept them.
const KEPT_PREFIX: &str = "was:";

/// Returns the house rules that every system has.
pub(super) fn of_every_table() -> Vec<HouseRule> {
    let text = include_str!("house_rules.toml");
    let rules = with_tables(text, |file| {
        let tables = file.tables("house");
        tables.iter().map(HouseRule::compile).collect()
    });
    rules.expect("a test compiles every file that comes with the program")
}

impl HouseRule {
    /// Compiles `[[house]]` of a rule file.
    pub(super) fn compile(table: &TomlTable<'_>) -> Self {
        let options = table.texts("options");
        let mut option_help = table.texts("readings").to_vec();
        option_help.resize(options.len(), "");

        let id = table.id();
        let rule = Self {
            id,
            label: table.label(id),
            question: table.text_or_empty("help"),
            options,
            min: table.number("min").unwrap_or(0),
            max: table.number("max").unwrap_or(0),
            start: table.number("start").unwrap_or(0),
            option_help,
            from: table.text_or_empty("from"),
            page: table.text_or_empty("page"),
        };

        if rule.options.is_empty() && rule.min >= rule.max {
            table.fault(format!("{} needs options, or min and max", table.title));
        }
        rule
    }

    /// Returns the default: the first option, or the start number.
    pub fn default_value(&self) -> Value {
        match self.options {
            [first, ..] => Value::from(*first),
            [] => Value::Number(self.start),
        }
    }

    /// Returns the options, each with its description; empty if the rule is a number.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &'static str)> + Clone {
        let option_help = self.option_help.iter().copied();
        self.options.iter().copied().zip(option_help)
    }

    /// Parses typed input.
    ///
    /// # Errors
    ///
    /// If the rule does not accept the value. The message describes the accepted values.
    pub fn parse(&self, text: &str) -> Result<Value, RuleError> {
        self.kind().parse(&self.name_in_messages(), text)
    }

    fn check(&self, value: &Value) -> Result<(), RuleError> {
        let name = self.name_in_messages();
        self.kind().coerce(&name, value.clone())?;
        Ok(())
    }

    /// Returns the kind of the rule's values: words, or numbers within bounds.
    pub const fn kind(&self) -> Kind {
        match self.options {
            [] => Kind::Number {
                min: self.min,
                max: self.max,
            },
            words => Kind::Word(words),
        }
    }

    fn name_in_messages(&self) -> String {
        format!("the house rule {}", self.id)
    }
}

/// The house rules of a table. Only values that differ from the defaults are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HouseRules(BTreeMap<String, Value>);

impl HouseRules {
    /// Sets a rule of that system.
    ///
    /// # Errors
    ///
    /// If the system has no such rule, or if the rule does not accept the value.
    pub fn set(&mut self, system: System, id: &str, value: Value) -> Result<(), RuleError> {
        let rule = find_rule(system, id)?;
        rule.check(&value)?;

        if value == rule.default_value() {
            self.0.remove(id);
        } else {
            self.0.insert(id.to_owned(), value);
        }
        Ok(())
    }

    /// Checks every value against the rules of that system.
    ///
    /// # Errors
    ///
    /// If the system does not have a rule, or does not accept its value. The error is about the first such rule.
    pub fn check(&self, system: System) -> Result<(), RuleError> {
        for (id, value) in &self.0 {
            if !id.starts_with(KEPT_PREFIX) {
                find_rule(system, id)?.check(value)?;
            }
        }
        Ok(())
    }

    /// Returns these house rules for another system. A value that it does not accept is kept, with `was:`
    /// before the id of its rule.
    pub fn under(&self, system: System) -> Self {
        let mut house_rules = Self::default();
        for (stored_id, value) in &self.0 {
            let id = stored_id.strip_prefix(KEPT_PREFIX).unwrap_or(stored_id);
            let is_refused = house_rules.set(system, id, value.clone()).is_err();
            if is_refused {
                let kept_id = format!("{KEPT_PREFIX}{id}");
                house_rules.0.insert(kept_id, value.clone());
            }
        }
        house_rules
    }

    /// Returns the value of a rule.
    pub fn value(&self, rule: &HouseRule) -> Value {
        match self.0.get(rule.id) {
            Some(value) => value.clone(),
            None => rule.default_value(),
        }
    }

    /// Returns the value of the system's house rule with this index, in the form that expressions use.
    pub(super) fn expression_value(&self, system: System, place: usize) -> Option<ExpressionValue> {
        let rule = system.spec().house.get(place)?;
        Some(ExpressionValue::from(&self.value(rule)))
    }

    /// True if the table chose this option, and the option is not the default.
    pub fn is(&self, id: &str, option: &str) -> bool {
        let value = self.0.get(id);
        value.and_then(Value::text) == Some(option)
    }

    /// Returns the number of a rule; 0 if the system has no such rule, or it is no number.
    pub fn number(&self, system: System, id: &str) -> i32 {
        match find_rule(system, id) {
            Ok(rule) => {
                let value = self.value(rule);
                value.number().unwrap_or(0)
            }
            Err(_) => 0,
        }
    }
}

fn find_rule(system: System, id: &str) -> Result<&'static HouseRule, RuleError> {
    let spec = system.spec();
    let rule = spec.house.iter().find(|rule| rule.id == id);

    rule.ok_or_else(|| {
        let problem = format!("{} has no house rule", spec.id);
        let ids = spec.house.iter().map(|rule| rule.id);
        RuleError::unknown(&problem, id, "it has", ids)
    })
}
