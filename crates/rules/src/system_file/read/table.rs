//! A table of a rule file.

use std::cell::{Cell, RefCell};
use std::str::FromStr;

use strum::VariantNames;
use tableside_text::{did_you_mean, nearest};
use toml::de::DeTable;

use super::{FaultLog, TomlValue};
use crate::permanent::{intern, intern_list};
use crate::words::capitalise;

/// A table of a rule file.
///
/// It remembers which keys the compiler asked for. When the table is dropped, every other key is a fault.
pub(crate) struct TomlTable<'t> {
    log: &'t FaultLog<'t>,
    entries: &'t DeTable<'t>,
    known_keys: RefCell<Vec<&'static str>>,
    /// The start of the table in the file, in bytes.
    pub(crate) position: usize,
    /// The subject of messages, such as `the stat hp`. Empty for the file itself.
    pub(crate) title: String,
    /// Faults about missing keys. They are reported when the table is dropped, unless a misspelt key explains them.
    missing: RefCell<Vec<String>>,
    ignores_other_keys: Cell<bool>,
}

impl<'t> TomlTable<'t> {
    pub(super) fn new(
        log: &'t FaultLog<'t>,
        entries: &'t DeTable<'t>,
        position: usize,
        title: String,
    ) -> Self {
        Self {
            log,
            entries,
            known_keys: RefCell::default(),
            position,
            title,
            missing: RefCell::default(),
            ignores_other_keys: Cell::new(false),
        }
    }

    /// Reports a fault at the start of the table.
    pub(crate) fn fault(&self, message: impl Into<String>) {
        self.log.report(self.position, message);
    }

    /// Reports that something is missing, unless a misspelt key explains it.
    pub(crate) fn report_missing(&self, message: impl Into<String>) {
        self.missing.borrow_mut().push(message.into());
    }

    /// Returns the value of a key.
    pub(crate) fn get(&self, key: &'static str) -> Option<TomlValue<'t>> {
        self.known_keys.borrow_mut().push(key);
        let value = self.entries.get(key)?;
        Some(TomlValue::new(self.log, value))
    }

    /// Returns the value of a key that must be there.
    pub(crate) fn require(&self, key: &'static str) -> Option<TomlValue<'t>> {
        let value = self.get(key);
        if value.is_none() {
            self.report_missing(format!("{} needs {key}", self.title_in_message()));
        }
        value
    }

    /// Returns the title as the subject of a message.
    pub(crate) fn title_in_message(&self) -> &str {
        match self.title.as_str() {
            "" => "the file",
            title => title,
        }
    }

    /// Returns every key with its value, in the order of the file.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'static str, TomlValue<'t>)> + '_ {
        self.entries.iter().map(|(key, value)| {
            let key = intern(key.get_ref());
            self.known_keys.borrow_mut().push(key);
            (key, TomlValue::new(self.log, value))
        })
    }

    /// Returns the entries of the table under a key; empty if the key is missing.
    pub(crate) fn entries_of(&self, key: &'static str) -> Vec<(&'static str, TomlValue<'t>)> {
        self.table(key).iter().flat_map(Self::entries).collect()
    }

    /// Returns the required `id`; empty if it is missing.
    pub(crate) fn id(&self) -> &'static str {
        self.require("id")
            .and_then(TomlValue::id)
            .unwrap_or_default()
    }

    /// Returns the `label`, by default the id with a capital and spaces.
    pub(crate) fn label(&self, id: &str) -> &'static str {
        if let Some(label) = self.text("label") {
            return label;
        }
        let words = id.replace('-', " ");
        intern(&capitalise(&words))
    }

    /// Returns the values of a list. A single value is a list of one, and a missing key an empty list.
    pub(crate) fn list(&self, key: &'static str) -> Vec<TomlValue<'t>> {
        self.get(key).map(TomlValue::as_list).unwrap_or_default()
    }

    /// Returns the texts of a list, read like [`Self::list`].
    pub(crate) fn texts(&self, key: &'static str) -> &'static [&'static str] {
        let texts = self.list(key).into_iter().filter_map(TomlValue::text);
        intern_list(texts.collect())
    }

    pub(crate) fn text(&self, key: &'static str) -> Option<&'static str> {
        self.get(key)?.text()
    }

    pub(crate) fn text_or_empty(&self, key: &'static str) -> &'static str {
        self.text(key).unwrap_or_default()
    }

    pub(crate) fn number(&self, key: &'static str) -> Option<i32> {
        self.get(key)?.number()
    }

    /// Returns a flag; false if the key is missing.
    pub(crate) fn flag(&self, key: &'static str) -> bool {
        self.get(key).and_then(TomlValue::flag).unwrap_or(false)
    }

    /// Returns the variant of an enum that a key names.
    pub(crate) fn variant<T: VariantNames + FromStr>(&self, key: &'static str) -> Option<T> {
        let value = self.get(key)?;
        let name = value.name_among("unknown value", T::VARIANTS)?;
        name.parse().ok()
    }

    /// Returns the text of a key that must be there, and that should be one of the known names.
    ///
    /// `problem` begins the fault for another name, such as `unknown stat`.
    pub(crate) fn required_name(
        &self,
        key: &'static str,
        problem: &str,
        known: &[&str],
    ) -> Option<&'static str> {
        self.require(key)?.name_among(problem, known)
    }

    /// Returns the text of a key, like [`Self::required_name`]; `None` if the key is missing.
    pub(crate) fn optional_name(
        &self,
        key: &'static str,
        problem: &str,
        known: &[&str],
    ) -> Option<&'static str> {
        self.get(key)?.name_among(problem, known)
    }

    pub(crate) fn table(&self, key: &'static str) -> Option<Self> {
        let title = format!("{key} of {}", self.title_in_message());
        self.get(key)?.table(&title)
    }

    /// Returns the tables of `[[key]]`. The title of each contains its id or name, or else its number from 1.
    pub(crate) fn tables(&self, key: &'static str) -> Vec<Self> {
        // A misspelt [[checks]] is reported as such, and its [[check.step]] makes a table `check`.
        let plural = format!("{key}s");
        let has_misspelt_plural = self.entries.contains_key(plural.as_str());
        let values = match self.get(key) {
            Some(value) if !has_misspelt_plural => value.list(),
            _ => Vec::new(),
        };

        let mut tables: Vec<Self> = Vec::new();
        for (number, value) in (1..).zip(values) {
            let Some(mut table) = value.table("") else {
                continue;
            };
            table.title = table.title_among(key, number, &self.title);

            let is_repeated = tables.iter().any(|other| other.title == table.title);
            if is_repeated {
                table.fault(format!("{} is defined twice", table.title));
            }
            tables.push(table);
        }
        tables
    }

    /// Returns the title of a table of a list: `the stat hp`, or `step 3 of the check save`.
    fn title_among(&self, key: &str, number: usize, parent: &str) -> String {
        let name = ["id", "name"]
            .into_iter()
            .find_map(|key| self.entries.get(key))
            .and_then(|name| name.get_ref().as_str());
        let own_title = match name {
            Some(name) => format!("the {key} {name}"),
            None => format!("{key} {number}"),
        };

        if parent.is_empty() {
            own_title
        } else {
            format!("{own_title} of {parent}")
        }
    }

    /// Reads each table of `[[key]]` and returns the results.
    pub(crate) fn read_each<T>(
        &self,
        key: &'static str,
        read: impl FnMut(&Self) -> Option<T>,
    ) -> Vec<T> {
        self.tables(key).iter().filter_map(read).collect()
    }

    /// Reports a fault if there are more than `max` entries. `what` names them, such as `steps`.
    pub(crate) fn check_count(&self, what: &str, count: usize, max: usize) {
        if count > max {
            let title = self.title_in_message();
            self.fault(format!(
                "{title} has {count} {what}; at most {max} are allowed"
            ));
        }
    }

    /// Returns the tables of `[[key]]` for a second pass, in which unknown keys are no faults.
    pub(crate) fn tables_again(&self, key: &'static str) -> Vec<Self> {
        let tables = self.tables(key);
        tables.iter().for_each(Self::ignore_other_keys);
        tables
    }

    /// Allows keys that are not asked for here, because another pass reads them.
    pub(crate) fn ignore_other_keys(&self) {
        self.ignores_other_keys.set(true);
    }

    /// Reports every key that was not asked for.
    fn report_unknown_keys(&self) {
        let known_keys = self.known_keys.borrow();

        for (key, _) in self.entries {
            let position = key.span().start;
            let key = key.get_ref().as_ref();
            if known_keys.contains(&key) {
                continue;
            }

            let suggestion = suggest_key(key, &known_keys);
            if let Some(suggestion) = suggestion {
                self.forget_missing(suggestion);
            }

            let title = self.title_in_message();
            let hint = did_you_mean(suggestion);
            self.log
                .report(position, format!("{title} has no key {key:?}{hint}"));
        }
    }

    /// Removes the faults about a missing key, because a misspelt key explains them.
    fn forget_missing(&self, key: &str) {
        let names_key = |message: &str| {
            let mut words = message.split([' ', ':', ',']);
            words.any(|word| word == key)
        };
        let mut missing = self.missing.borrow_mut();
        missing.retain(|message| !names_key(message));
    }
}

/// Returns the known key that an unknown key was probably meant to be.
fn suggest_key(unknown_key: &str, known_keys: &[&'static str]) -> Option<&'static str> {
    // Other programs call the words of a field options, values or choices.
    let is_synonym = ["options", "values", "choices"].contains(&unknown_key);
    if is_synonym && known_keys.contains(&"words") {
        return Some("words");
    }
    nearest(unknown_key, known_keys.iter().copied())
}

impl Drop for TomlTable<'_> {
    fn drop(&mut self) {
        if !self.ignores_other_keys.get() {
            self.report_unknown_keys();
        }
        for message in self.missing.take() {
            self.fault(message);
        }
    }
}
