//! A value of a rule file.

use toml::Spanned;
use toml::de::DeValue;

use super::{FaultLog, TomlTable, unknown_name};
use crate::Value;
use crate::permanent::intern;

/// The longest text, in characters.
const MAX_TEXT: usize = 2_000;

/// The largest distance of a number from 0. Sums of such numbers never overflow.
const MAX_NUMBER: u32 = 1_000_000;

/// A value of a rule file, with its position.
#[derive(Clone, Copy)]
pub(crate) struct TomlValue<'t> {
    log: &'t FaultLog<'t>,
    value: &'t Spanned<DeValue<'t>>,
}

impl<'t> TomlValue<'t> {
    pub(super) fn new(log: &'t FaultLog<'t>, value: &'t Spanned<DeValue<'t>>) -> Self {
        Self { log, value }
    }

    /// The start of the value in the file, in bytes.
    fn position(self) -> usize {
        self.value.span().start
    }

    /// Reports a fault at the start of the value.
    pub(crate) fn fault(self, message: impl Into<String>) {
        self.log.report(self.position(), message);
    }

    /// Reports a fault inside a text, at this number of characters from its start.
    pub(crate) fn fault_inside(self, characters: usize, message: String) {
        let source = self.log.text.get(self.position()..).unwrap_or_default();
        let has_long_quotes = source.starts_with(r#"""""#) || source.starts_with("'''");
        let quotes = if has_long_quotes { 3 } else { 1 };

        let mut letters = source.chars();
        for _ in 0..quotes {
            letters.next();
        }
        // A line break after long quotes is not part of the text.
        if has_long_quotes && letters.as_str().starts_with('\n') {
            letters.next();
        }
        for _ in 0..characters {
            if letters.next() == Some('\\') && source.starts_with('"') {
                letters.next();
            }
        }

        let offset = source.len() - letters.as_str().len();
        self.log.report(self.position() + offset, message);
    }

    /// Returns a name of 1 to 40 letters a to z, digits and hyphens.
    pub(crate) fn id(self) -> Option<&'static str> {
        let id = self.text()?;
        let is_plain =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if !(1..=40).contains(&id.len()) || !id.chars().all(is_plain) {
            self.fault(format!(
                "invalid id {id:?}: use 1 to 40 of a to z, 0 to 9 and -"
            ));
        }
        Some(id)
    }

    /// Reports that the value is of the wrong kind, and returns `None`.
    fn wrong_kind<T>(self, wanted: &str) -> Option<T> {
        let actual = match self.value.get_ref() {
            DeValue::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
            DeValue::Integer(number) => number.to_string(),
            other => format!("a value of the type {}", other.type_str()),
        };
        self.fault(format!("expected {wanted}, got {actual}"));
        None
    }

    /// Returns a text. Line breaks are its only control characters, so a terminal shows it safely.
    pub(crate) fn text(self) -> Option<&'static str> {
        let DeValue::String(text) = self.value.get_ref() else {
            return self.wrong_kind("a text");
        };

        if text.replace('\n', "").contains(char::is_control) {
            self.fault("a text must not contain control characters");
            return None;
        }
        if text.chars().count() > MAX_TEXT {
            self.fault(format!(
                "a text must not be longer than {MAX_TEXT} characters"
            ));
            return None;
        }
        Some(intern(text))
    }

    /// Returns a whole number from −1,000,000 to 1,000,000.
    pub(crate) fn number(self) -> Option<i32> {
        let DeValue::Integer(number) = self.value.get_ref() else {
            return self.wrong_kind("a whole number");
        };

        match i32::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) if number.unsigned_abs() <= MAX_NUMBER => Some(number),
            _ => self.wrong_kind("a whole number from -1000000 to 1000000"),
        }
    }

    pub(crate) fn flag(self) -> Option<bool> {
        match self.value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => self.wrong_kind("true or false"),
        }
    }

    /// Returns the meaning of one of these words.
    pub(crate) fn meaning<T: Copy>(self, meanings: &[(&str, T)]) -> Option<T> {
        let names = meanings.iter().map(|(word, _)| *word);
        let name = self.name_among("unknown value", names)?;
        meanings
            .iter()
            .find(|(word, _)| *word == name)
            .map(|(_, meaning)| *meaning)
    }

    /// Returns a text that must be one of the known names. Any other text is returned as well, after a fault that
    /// begins with `problem`, such as `there is no stat`.
    pub(crate) fn name_among<'k>(
        self,
        problem: &str,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> Option<&'static str> {
        let name = self.text()?;
        if known.clone().all(|known| known != name) {
            self.fault(unknown_name(problem, name, known));
        }
        Some(name)
    }

    pub(crate) fn table(self, title: &str) -> Option<TomlTable<'t>> {
        let DeValue::Table(entries) = self.value.get_ref() else {
            return self.wrong_kind("a table");
        };
        Some(TomlTable::new(
            self.log,
            entries,
            self.position(),
            title.to_owned(),
        ))
    }

    /// Returns the values of a list.
    pub(crate) fn list(self) -> Vec<Self> {
        let DeValue::Array(values) = self.value.get_ref() else {
            return self.wrong_kind("a list").unwrap_or_default();
        };
        values
            .iter()
            .map(|value| Self::new(self.log, value))
            .collect()
    }

    /// Returns the values of a list, or a single value as a list of one.
    pub(crate) fn as_list(self) -> Vec<Self> {
        if self.value.get_ref().is_array() {
            self.list()
        } else {
            vec![self]
        }
    }

    /// Returns the value as a field or a stat holds it. Dice are texts.
    pub(crate) fn field_value(self) -> Value {
        match self.value.get_ref() {
            DeValue::Integer(_) => Value::Number(self.number().unwrap_or(0)),
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Table(entries) => {
                let mut ranks = Vec::new();
                for (name, value) in entries {
                    if let Some(rank) = Self::new(self.log, value).number() {
                        ranks.push((name.get_ref().to_string(), rank));
                    }
                }
                Value::Ranks(ranks)
            }
            _ => Value::from(self.text().unwrap_or_default()),
        }
    }

    pub(crate) fn is_table(self) -> bool {
        self.value.get_ref().is_table()
    }
}
