//! What a check needs to know, described as data.
//!
//! The roll dialog, the flags of the command line, `systems --json` and the help are all made from
//! these descriptions.

use super::{HouseRule, Kind, RuleError, TokenKind, Value};
use crate::dice::Die;

/// What a field is when nobody says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// It has to be given.
    Required,
    /// It may be left out (Gnosis: `pain` or `difficulty`).
    Optional,
    /// This number.
    Number(i32),
    /// This die.
    Die(Die),
    /// This word.
    Word(&'static str),
    /// Off.
    Off,
    /// No text.
    Empty,
    /// The number that this house rule has at the table.
    House(&'static HouseRule),
}

impl Preset {
    pub(super) fn value(self) -> Option<Value> {
        match self {
            Self::Required | Self::Optional => None,
            Self::Number(number) => Some(Value::Number(number)),
            Self::House(rule) => Some(rule.default_value()),
            Self::Die(die) => Some(Value::Die(die)),
            Self::Word(word) => Some(Value::from(word)),
            Self::Off => Some(Value::Flag(false)),
            Self::Empty => Some(Value::from("")),
        }
    }
}

/// Where on a sheet the value of a field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Not from a sheet.
    Table,
    /// From this stat.
    Stat(&'static str),
    /// From one of these stats, which a person picks by name; the first is offered.
    OneOf(&'static [&'static str]),
    /// From one entry of this list of named ranks; with `offer` the highest is filled in unasked,
    /// else none is.
    Ranked {
        /// The stat that holds the list.
        list: &'static str,
        /// Whether an entry is filled in before anybody picks one.
        offer: bool,
    },
    /// The system works it out from the sheet (`SystemSpec::derive`).
    Derived,
    /// The system works it out from the name that was picked for this other field
    /// (`SystemSpec::derive`).
    Follows(&'static str),
    /// From the character's condition whose name begins so: its level, 1 where it has none.
    Condition(&'static str),
    /// From the character's pool of these tokens: what it is above 0, or with `owed` what it is below 0.
    Tokens {
        /// The pool.
        kind: TokenKind,
        /// Whether it is the side of the pool that must be used.
        owed: bool,
    },
}

impl Source {
    /// One entry of that list of ranks, once a person picks it.
    pub(super) const fn ranked(list: &'static str) -> Self {
        Self::Ranked { list, offer: false }
    }

    /// One entry of that list of ranks, the highest unasked.
    pub(super) const fn offered(list: &'static str) -> Self {
        Self::Ranked { list, offer: true }
    }
}

/// On whose sheet a field's source is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// The character's who makes the check.
    Own,
    /// A helper's.
    Helper,
    /// The opponent's.
    Opponent,
}

/// One thing that a check needs to know, or that a sheet holds.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name on the command line and in JSON.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is when nobody says.
    pub preset: Preset,
    /// Where on a sheet it comes from.
    pub source: Source,
    /// Whose sheet that is.
    pub whose: Whose,
    /// One sentence of help.
    pub help: &'static str,
    /// Names for some of its values, shown beside the number: `(12, "Hard")`.
    pub names: &'static [(i32, &'static str)],
    /// The pool that its number is spent from.
    pub spends: Option<TokenKind>,
    /// The pool that its number is gained in.
    pub gains: Option<TokenKind>,
    /// The own field whose stat is meant where only somebody is named: the defender's ability is that of the
    /// attack.
    pub like: Option<&'static str>,
    /// The number that a dialog begins with where nothing says any, if it is not one in the middle.
    pub begins: Option<i32>,
    /// Asked for seldom: left out where only the usual fields are offered.
    pub quiet: bool,
    /// On a sheet: its heading where room is short, at most six columns wide; empty where lists leave it out.
    pub short: &'static str,
    /// On a sheet: the stat that bounds a die. A heart die that shrank is never larger than the whole one.
    pub at_most: Option<&'static str>,
    /// The field that may not be given beside this one. Of two that may be left out, one must be given.
    pub excludes: Option<&'static str>,
}

impl Field {
    /// A field with everything plain: required, from nowhere, without help and names.
    pub const fn new(id: &'static str, label: &'static str, kind: Kind) -> Self {
        Self {
            id,
            label,
            kind,
            preset: Preset::Required,
            source: Source::Table,
            whose: Whose::Own,
            help: "",
            names: &[],
            spends: None,
            gains: None,
            like: None,
            begins: None,
            quiet: false,
            short: "",
            at_most: None,
            excludes: None,
        }
    }

    /// A die that must be given.
    pub const fn die(id: &'static str, label: &'static str) -> Self {
        Self::new(id, label, Kind::Die)
    }

    /// A word that must be given.
    pub const fn word(
        id: &'static str,
        label: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        Self::new(id, label, Kind::Word(words))
    }

    /// A number from `min` to `max` that is `preset` unless said otherwise.
    pub const fn number(
        id: &'static str,
        label: &'static str,
        (min, max): (i32, i32),
        preset: i32,
    ) -> Self {
        Self::new(id, label, Kind::Number { min, max }).preset(Preset::Number(preset))
    }

    /// A flag, off unless said otherwise.
    pub const fn flag(id: &'static str, label: &'static str) -> Self {
        Self::new(id, label, Kind::Flag).preset(Preset::Off)
    }

    /// A list of `what`s, each with a number from 0 to `max`; a new character has none.
    pub(super) const fn ranks(
        id: &'static str,
        label: &'static str,
        what: &'static str,
        max: i32,
    ) -> Self {
        Self::new(id, label, Kind::Ranks { what, max }).preset(Preset::Optional)
    }

    /// The same stat with a heading for where room is short.
    #[must_use]
    pub const fn short(self, short: &'static str) -> Self {
        Self { short, ..self }
    }

    /// The same die, never larger than that other one.
    #[must_use]
    pub const fn at_most(mut self, bound: &'static str) -> Self {
        self.at_most = Some(bound);
        self
    }

    /// The same field with a sentence of help.
    #[must_use]
    pub const fn help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// The same field, read from there.
    #[must_use]
    pub const fn from(self, source: Source) -> Self {
        Self { source, ..self }
    }

    /// The same field, read from somebody else's sheet.
    #[must_use]
    pub const fn of(self, whose: Whose) -> Self {
        Self { whose, ..self }
    }

    /// The same field with that preset.
    #[must_use]
    pub const fn preset(self, preset: Preset) -> Self {
        Self { preset, ..self }
    }

    /// The same field with names for some of its numbers.
    #[must_use]
    pub const fn named(self, names: &'static [(i32, &'static str)]) -> Self {
        Self { names, ..self }
    }

    /// The same field, its number spent from that pool.
    #[must_use]
    pub const fn spends(mut self, kind: TokenKind) -> Self {
        self.spends = Some(kind);
        self
    }

    /// The same field, its number gained in that pool.
    #[must_use]
    pub const fn gains(mut self, kind: TokenKind) -> Self {
        self.gains = Some(kind);
        self
    }

    /// The same field, of the stat that this own field comes from.
    #[must_use]
    pub const fn like(mut self, other: &'static str) -> Self {
        self.like = Some(other);
        self
    }

    /// The same field, left out of JSON while it has its preset.
    #[must_use]
    pub const fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// The same field, not to be given beside that one.
    #[must_use]
    pub const fn excludes(mut self, other: &'static str) -> Self {
        self.excludes = Some(other);
        self
    }

    /// Its value when nobody says; `None` where it must be given or may be left out.
    pub fn preset_value(&self) -> Option<Value> {
        self.preset.value()
    }

    /// What a new character has.
    pub fn start(&self) -> Value {
        let preset = self.preset.value();
        preset.unwrap_or_else(|| Value::Ranks(Vec::new()))
    }

    /// What it takes, in words: `a number from 1 to 40`.
    pub fn describe(&self) -> String {
        let plain = self.kind.describe();
        match self.at_most {
            Some(bound) => format!("{plain}, and no larger than {bound}"),
            None => plain,
        }
    }

    /// Reads a value as a person writes it: `d8`, `3`, `Sailor 3, Cook 1`.
    pub fn parse(&self, text: &str) -> Result<Value, RuleError> {
        self.kind.parse(self.id, text)
    }

    /// The name of that number, if it has one: 12 is `Hard`. Between two named numbers there is none.
    pub fn name_of(&self, number: i32) -> Option<&'static str> {
        let named = self.names.iter().find(|(named, _)| *named == number);
        named.map(|(_, name)| *name)
    }
}
