//! TOML read by hand, so that every fault of a file is found at once and each is named with its place.

use std::cell::{Cell, RefCell};
use std::str::FromStr;

use strum::VariantNames;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::permanent::{intern, intern_list};
use crate::words::capitalise;
use crate::{FileFault, RuleError, Value};
use tableside_text::{did_you_mean, nearest};

/// Longer words are no words of a rule.
const LONGEST_TEXT: usize = 2_000;

/// A file that is being read, and its faults so far.
pub(crate) struct Reader<'t> {
    text: &'t str,
    pub(crate) faults: RefCell<Vec<(usize, String)>>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let faults = RefCell::default();
        Self { text, faults }
    }

    /// Notes a fault at that byte of the file.
    pub(crate) fn fault(&self, at: usize, what: impl Into<String>) {
        self.faults.borrow_mut().push((at, what.into()));
    }

    /// Every fault, from the first line down.
    pub(crate) fn into_faults(self) -> Vec<FileFault> {
        let mut faults = self.faults.into_inner();
        faults.sort();
        // Steps that checks share know other names in each.
        let said = |(at, what): &(usize, String)| (*at, what.split(';').next().map(str::to_owned));
        faults.dedup_by_key(|fault| said(fault));
        let placed = faults.into_iter().map(|(at, what)| {
            let before = self.text.get(..at).unwrap_or(self.text);
            let line = before.matches('\n').count() + 1;
            let last = before.rsplit('\n').next().unwrap_or_default();
            let column = last.chars().count() + 1;
            FileFault { line, column, what }
        });
        placed.collect()
    }
}

/// A table of a file, with the keys that were asked for. Where it is dropped, all others are faults.
pub(crate) struct Table<'t> {
    reader: &'t Reader<'t>,
    entries: &'t DeTable<'t>,
    asked: RefCell<Vec<&'static str>>,
    /// Where it begins.
    pub at: usize,
    /// What it is, for messages: `the stat hp`.
    pub what: String,
    /// What it should have and has not.
    lacks: RefCell<Vec<String>>,
    /// Whether somebody else asks for its other keys.
    is_quiet: Cell<bool>,
}

/// A value of a file.
#[derive(Clone, Copy)]
pub(crate) struct Given<'t> {
    reader: &'t Reader<'t>,
    value: &'t Spanned<DeValue<'t>>,
}

impl<'t> Table<'t> {
    pub(crate) fn new(
        reader: &'t Reader<'t>,
        entries: &'t DeTable<'t>,
        at: usize,
        what: &str,
    ) -> Self {
        Self {
            reader,
            entries,
            asked: RefCell::default(),
            lacks: RefCell::default(),
            at,
            what: what.to_owned(),
            is_quiet: Cell::new(false),
        }
    }

    pub(crate) fn fault(&self, what: impl Into<String>) {
        self.reader.fault(self.at, what);
    }

    /// A fault for what it should have, unless a misspelt key says it already.
    pub(crate) fn lacks(&self, what: impl Into<String>) {
        self.lacks.borrow_mut().push(what.into());
    }

    /// What stands under that key.
    pub(crate) fn get(&self, key: &'static str) -> Option<Given<'t>> {
        self.asked.borrow_mut().push(key);
        let (reader, found) = (self.reader, self.entries.get(key));
        found.map(|value| Given { reader, value })
    }

    /// The same; a fault where nothing does.
    pub(crate) fn must(&self, key: &'static str) -> Option<Given<'t>> {
        let given = self.get(key);
        if given.is_none() {
            self.lacks(format!("{} needs {key}", self.title()));
        }
        given
    }

    /// What it is called in a fault.
    fn title(&self) -> &str {
        match &*self.what {
            "" => "the file",
            what => what,
        }
    }

    /// Every key with its value, in the order of the file.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, Given<'t>)> + '_ {
        self.entries.iter().map(|(key, value)| {
            let key = intern(key.get_ref());
            self.asked.borrow_mut().push(key);
            let reader = self.reader;
            (key, Given { reader, value })
        })
    }

    /// Every key of the table that stands under `key`, with its value; empty where there is no such table.
    pub(crate) fn entries(&self, key: &'static str) -> Vec<(&'static str, Given<'t>)> {
        self.table(key).iter().flat_map(Self::all).collect()
    }

    /// Its name.
    pub(crate) fn id(&self) -> &'static str {
        self.must("id").and_then(Given::id).unwrap_or_default()
    }

    /// What it is called on the screen: what it says of that, else its name with a capital.
    pub(crate) fn label(&self, id: &str) -> &'static str {
        let plain = || intern(&capitalise(&id.replace('-', " ")));
        self.text("label").unwrap_or_else(plain)
    }

    /// The values of the list under that key. A single value is a list of one, and a missing key an empty list.
    pub(crate) fn list(&self, key: &'static str) -> Vec<Given<'t>> {
        self.get(key).map(Given::one_or_several).unwrap_or_default()
    }

    /// The texts of that list.
    pub(crate) fn texts(&self, key: &'static str) -> &'static [&'static str] {
        let texts = self.list(key).into_iter().filter_map(Given::text);
        intern_list(texts.collect())
    }

    pub(crate) fn text(&self, key: &'static str) -> Option<&'static str> {
        self.get(key)?.text()
    }

    /// Words, or none.
    pub(crate) fn words(&self, key: &'static str) -> &'static str {
        self.text(key).unwrap_or_default()
    }

    pub(crate) fn number(&self, key: &'static str) -> Option<i32> {
        self.get(key)?.number()
    }

    /// Whether that is true; false where nothing is said.
    pub(crate) fn flag(&self, key: &'static str) -> bool {
        self.get(key).and_then(Given::flag).unwrap_or(false)
    }

    /// The variant of that name.
    pub(crate) fn variant<T: VariantNames + FromStr>(&self, key: &'static str) -> Option<T> {
        let given = self.get(key)?;
        let name = given.known("there is no", T::VARIANTS.iter().copied());
        name?.parse().ok()
    }

    /// The table under that key.
    pub(crate) fn table(&self, key: &'static str) -> Option<Self> {
        self.get(key)?.table(&format!("{key} of {}", self.title()))
    }

    /// The tables of `[[key]]`, each called by its id or by its place.
    pub(crate) fn tables(&self, key: &'static str) -> Vec<Self> {
        // Under a misspelt [[checks]] the table check comes of [[check.step]].
        let is_misspelt = self.entries.contains_key(&*format!("{key}s"));
        let given = self.get(key).filter(|_| !is_misspelt);
        let given = given.map(Given::list).unwrap_or_default();
        let mut known: Vec<String> = Vec::new();
        let tables = (1..).zip(given).filter_map(|(place, given): (usize, _)| {
            let mut table = given.table("")?;
            let mut names = ["id", "name"].into_iter();
            let named = names.find_map(|key| table.entries.get(key));
            let name = named.and_then(|name| name.get_ref().as_str());
            let name = name.map(|name| format!("the {key} {name}"));
            let what = name.unwrap_or_else(|| format!("{key} {place}"));
            table.what = match &*self.what {
                "" => what,
                whole => format!("{what} of {whole}"),
            };
            if known.contains(&table.what) {
                table.fault(format!("{} is there twice", table.what));
            }
            known.push(table.what.clone());
            Some(table)
        });
        tables.collect()
    }

    /// What is read from each of those tables.
    pub(crate) fn each<T>(
        &self,
        key: &'static str,
        read: impl FnMut(&Self) -> Option<T>,
    ) -> Vec<T> {
        self.tables(key).iter().filter_map(read).collect()
    }

    /// A fault where there are more of something than fit.
    pub(crate) fn check_count(&self, what: &str, count: usize, most: usize) {
        if count > most {
            let title = self.title();
            self.fault(format!(
                "{title} has at most {most} {what}, and this has {count}"
            ));
        }
    }

    /// The same tables once more, for what was left over when they were read.
    pub(crate) fn tables_again(&self, key: &'static str) -> Vec<Self> {
        let tables = self.tables(key);
        tables.iter().for_each(Self::leave_rest);
        tables
    }

    /// Leaves all other keys to somebody else.
    pub(crate) fn leave_rest(&self) {
        self.is_quiet.set(true);
    }

    /// Notes a fault for every key that nobody asked for.
    fn check_keys(&self) {
        let asked = self.asked.borrow();
        for (key, _) in self.entries {
            if asked.iter().any(|known| key.get_ref() == known) {
                continue;
            }
            let (key, at) = (key.get_ref(), key.span().start);
            let is_words = ["options", "values", "choices"].contains(&&**key);
            let is_words = is_words && asked.contains(&"words");
            let meant = if is_words { "words" } else { key };
            let near = nearest(meant, asked.iter().copied());
            if let Some(near) = near {
                let names_it = |lack: &String| lack.split([' ', ':', ',']).any(|word| word == near);
                self.lacks.borrow_mut().retain(|lack| !names_it(lack));
            }
            let what = format!("{} has no key {key:?}{}", self.title(), did_you_mean(near));
            self.reader.fault(at, what);
        }
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        if !self.is_quiet.get() {
            self.check_keys();
        }
        for what in self.lacks.take() {
            self.fault(what);
        }
    }
}

impl<'t> Given<'t> {
    /// Where it begins.
    pub(crate) fn at(self) -> usize {
        self.value.span().start
    }

    pub(crate) fn fault(self, what: impl Into<String>) {
        self.reader.fault(self.at(), what);
    }

    /// A fault so many characters into a text.
    pub(crate) fn fault_inside(self, characters: usize, what: String) {
        let inside = self.reader.text.get(self.at()..).unwrap_or_default();
        let is_long = inside.starts_with(r#"""""#) || inside.starts_with("'''");
        let mut letters = inside.chars();
        letters.nth(if is_long { 2 } else { 0 });
        // A line break after long quotes is no part of the text.
        if is_long && letters.as_str().starts_with('\n') {
            letters.next();
        }
        for _ in 0..characters {
            if letters.next() == Some('\\') && inside.starts_with('"') {
                letters.next();
            }
        }
        let place = self.at() + inside.len() - letters.as_str().len();
        self.reader.fault(place, what);
    }

    /// A name of 1 to 40 letters a to z, digits and hyphens.
    pub(crate) fn id(self) -> Option<&'static str> {
        let id = self.text()?;
        let is_fit =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if !(1..=40).contains(&id.len()) || !id.chars().all(is_fit) {
            self.fault(format!(
                "{id:?} is no name: it is 1 to 40 of a to z, 0 to 9 and -"
            ));
        }
        Some(id)
    }

    /// A fault that says what would be right.
    fn wanted<T>(self, wanted: &str) -> Option<T> {
        let found = match self.value.get_ref() {
            DeValue::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
            DeValue::Integer(number) => number.to_string(),
            other => format!("a value of another kind ({})", other.type_str()),
        };
        self.fault(format!("{wanted} is wanted here, and it is {found}"));
        None
    }

    /// Words, without anything that a terminal would obey.
    pub(crate) fn text(self) -> Option<&'static str> {
        let DeValue::String(text) = self.value.get_ref() else {
            return self.wanted("a text");
        };
        if text.replace('\n', "").contains(char::is_control) {
            self.fault("a text has no control characters");
            return None;
        }
        if text.chars().count() > LONGEST_TEXT {
            self.fault(format!("a text has at most {LONGEST_TEXT} characters"));
            return None;
        }
        Some(intern(text))
    }

    pub(crate) fn number(self) -> Option<i32> {
        let DeValue::Integer(number) = self.value.get_ref() else {
            return self.wanted("a whole number");
        };
        let read = i32::from_str_radix(number.as_str(), number.radix()).ok();
        // Nobody counts further, and sums of such numbers never overflow.
        let read = read.filter(|number| number.unsigned_abs() <= 1_000_000);
        read.or_else(|| self.wanted("a whole number from -1000000 to 1000000"))
    }

    pub(crate) fn flag(self) -> Option<bool> {
        let flag = self.value.get_ref().as_bool();
        flag.or_else(|| self.wanted("true or false"))
    }

    /// What a word of these means.
    pub(crate) fn one_of<T: Copy>(self, known: &[(&str, T)]) -> Option<T> {
        let word = self.known("there is no", known.iter().map(|(word, _)| *word))?;
        let found = known.iter().find(|(known, _)| *known == word);
        found.map(|(_, meant)| *meant)
    }

    /// A name; a fault that begins so where it is none of these.
    pub(crate) fn known<'k>(
        self,
        no: &str,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> Option<&'static str> {
        let name = self.text()?;
        if known.clone().all(|known| known != name) {
            self.fault(unknown(no, name, known));
        }
        Some(name)
    }

    pub(crate) fn table(self, what: &str) -> Option<Table<'t>> {
        let DeValue::Table(entries) = self.value.get_ref() else {
            return self.wanted("a table");
        };
        Some(Table::new(self.reader, entries, self.at(), what))
    }

    /// The values of a list.
    pub(crate) fn list(self) -> Vec<Self> {
        let DeValue::Array(all) = self.value.get_ref() else {
            return self.wanted("a list").unwrap_or_default();
        };
        all.iter().map(|value| Self { value, ..self }).collect()
    }

    /// A single value or those of a list.
    pub(crate) fn one_or_several(self) -> Vec<Self> {
        if self.value.get_ref().is_array() {
            self.list()
        } else {
            vec![self]
        }
    }

    /// The value as a field or a stat holds it.
    pub(crate) fn value(self) -> Value {
        match self.value.get_ref() {
            DeValue::Integer(_) => Value::Number(self.number().unwrap_or(0)),
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::Table(entries) => {
                let entries = entries.iter().filter_map(|(name, value)| {
                    let number = Self { value, ..self }.number()?;
                    Some((name.get_ref().to_string(), number))
                });
                Value::Ranks(entries.collect())
            }
            _ => Value::from(self.text().unwrap_or_default()),
        }
    }

    pub(crate) fn is_table(self) -> bool {
        self.value.get_ref().is_table()
    }
}

/// That a name is none of these: with the nearest, else with all.
pub(crate) fn unknown<'k>(no: &str, given: &str, known: impl Iterator<Item = &'k str>) -> String {
    RuleError::unknown(no, given, "there are", known).to_string()
}
