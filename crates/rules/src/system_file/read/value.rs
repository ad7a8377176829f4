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
        let file = self.log.text;
        let source = file.get(self.position()..).unwrap_or_default();
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

    /// Returns an id: 1 to 40 letters a to z, digits and hyphens. A wrong id is returned as well, after a fault.
    pub(crate) fn id(self) -> Option<&'static str> {
        let id = self.text()?;
        let has_valid_length = (1..=40).contains(&id.len());
        let has_valid_letters = id.chars().all(is_id_letter);
        if !has_valid_length || !has_valid_letters {
            self.fault(format!(
                "invalid id {id:?}: use 1 to 40 of a to z, 0 to 9 and -"
            ));
        }
        Some(id)
    }

    /// Reports that the value is not of the wanted kind, and returns `None`.
    fn wrong_kind<T>(self, wanted: &str) -> Option<T> {
        let actual = match self.value.get_ref() {
            DeValue::String(text) => {
                let start: String = text.chars().take(40).collect();
                format!("{start:?}")
            }
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

    /// Returns the meaning of the value, which must be one of these words.
    pub(crate) fn meaning<T: Copy>(self, meanings: &[(&str, T)]) -> Option<T> {
        let words: Vec<&str> = meanings.iter().map(|(word, _)| *word).collect();
        let name = self.name_among("unknown value", &words)?;

        for (word, meaning) in meanings {
            if *word == name {
                return Some(*meaning);
            }
        }
        None
    }

    /// Returns a text that should be one of the known names. Any other text is returned as well, after a fault that
    /// begins with `problem`, such as `unknown stat`.
    pub(crate) fn name_among(self, problem: &str, known: &[&str]) -> Option<&'static str> {
        let name = self.text()?;
        if !known.contains(&name) {
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

    /// Returns the value as a field or a stat holds it. A die is returned as a text.
    pub(crate) fn field_value(self) -> Value {
        match self.value.get_ref() {
            DeValue::Integer(_) => {
                let number = self.number().unwrap_or(0);
                Value::Number(number)
            }
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Table(entries) => {
                let mut ranks = Vec::new();
                for (name, value) in entries {
                    let rank = Self::new(self.log, value);
                    if let Some(number) = rank.number() {
                        ranks.push((name.get_ref().to_string(), number));
                    }
                }
                Value::Ranks(ranks)
            }
            _ => {
                let text = self.text().unwrap_or_default();
                Value::from(text)
            }
        }
    }

    pub(crate) fn is_table(self) -> bool {
        self.value.get_ref().is_table()
    }
}

fn is_id_letter(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-'
}
