//! What a check needs to know, described as data.
//!
//! The roll dialog, the flags of the command line, `systems --json` and the help are all made from
//! these descriptions.

use std::collections::BTreeMap;
use std::num::ParseIntError;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::words::capital;
use super::{Id, Kind, RuleError, Value};

/// Where on a sheet the value of a field comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// Not from a sheet.
    #[default]
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
    /// The system works it out from the sheet (`Code::derive`).
    Derived,
    /// The system works it out from the name that was picked for this other field (`Code::derive`).
    Follows(&'static str),
    /// From the character's condition whose name begins so: its level, 1 where it has none.
    Condition(&'static str),
    /// From the character's pool of these tokens: what it is above 0, or with `owed` what it is below 0.
    Tokens {
        /// The pool.
        kind: Id,
        /// Whether it is the side of the pool that must be used.
        owed: bool,
    },
}

/// On whose sheet a field's source is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Whose {
    /// The character's who makes the check.
    #[default]
    Own,
    /// A helper's.
    Helper,
    /// The opponent's.
    Opponent,
}

/// How often a field of a check is changed before it is rolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    /// Nearly each time.
    Always,
    /// At times.
    #[default]
    AtTimes,
    /// Seldom: it is folded away, and left out where only the usual fields are offered.
    Seldom,
}

/// One thing that a check needs to know, or that a sheet holds.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Field {
    /// Its name on the command line and in JSON.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// What it takes.
    #[serde(skip)]
    pub kind: Kind,
    /// What it is when nobody says.
    pub start: Option<Value>,
    /// Whether it may be left out although it has no start (Gnosis: `pain` or `difficulty`).
    pub optional: bool,
    /// The house rule that says what it is when nobody says otherwise.
    pub house: Option<&'static str>,
    /// Where on a sheet it comes from.
    #[serde(skip)]
    pub source: Source,
    /// Whose sheet that is.
    pub whose: Whose,
    /// One sentence of help.
    pub help: &'static str,
    /// Names for some of its values, shown beside the number: `(12, "Hard")`.
    #[serde(deserialize_with = "numbered")]
    pub names: Vec<(i32, &'static str)>,
    /// The pool that its number is spent from.
    #[serde(deserialize_with = "pool")]
    pub spends: Option<Id>,
    /// The pool that its number is gained in.
    #[serde(deserialize_with = "pool")]
    pub gains: Option<Id>,
    /// The own field whose stat is meant where only somebody is named: the defender's ability is that of the
    /// attack.
    pub like: Option<&'static str>,
    /// The number that a dialog begins with where nothing says any, if it is not one in the middle.
    pub begins: Option<i32>,
    /// How often it is changed.
    pub asked: Asked,
    /// On a sheet: its heading where room is short, at most six columns wide; empty where lists leave it out.
    pub short: &'static str,
    /// On a sheet: whether it only tells how somebody stands. No check asks an opponent for it.
    pub state: bool,
    /// On a sheet: the stat that bounds a die. A heart die that shrank is never larger than the whole one.
    pub at_most: Option<&'static str>,
    /// The field that may not be given beside this one. Of two that may be left out, one must be given.
    pub excludes: Option<&'static str>,
    // What the file says in other words, and `settle` makes the kind and the source of.
    #[serde(rename = "use")]
    shared: Option<&'static str>,
    #[serde(rename = "kind")]
    kind_name: &'static str,
    min: i32,
    max: i32,
    words: Vec<&'static str>,
    one: &'static str,
    #[serde(deserialize_with = "one_or_several")]
    from: Vec<&'static str>,
    offer: bool,
}

/// The names of numbers, which a file writes as keys, in order.
fn numbered<'de: 'static, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<(i32, &'static str)>, D::Error> {
    let named = BTreeMap::<&'static str, &'static str>::deserialize(from)?.into_iter();
    let named = named.map(|(number, name)| Ok((number.parse()?, name)));
    let named: Result<Vec<_>, ParseIntError> = named.collect();
    let mut named = named.map_err(Error::custom)?;
    named.sort_unstable();
    Ok(named)
}

/// The pool of `{ pool = "destiny" }`.
fn pool<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Id>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Booked {
        pool: Id,
    }
    Ok(Some(Booked::deserialize(from)?.pool))
}

/// One name, or a list of them.
fn one_or_several<'de: 'static, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<&'static str>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a name or a list of names")]
    enum Names {
        One(&'static str),
        Several(Vec<&'static str>),
    }
    Ok(match Names::deserialize(from)? {
        Names::One(name) => vec![name],
        Names::Several(names) => names,
    })
}

impl Field {
    /// Works out what the field takes and where it comes from, of what the file says, with the stats of the
    /// system and the fields that its checks share. A check's own id, label, source and owner go before those
    /// of the shared field that it uses.
    pub(super) fn settle(&mut self, stats: &[Self], shared: &[Self]) -> Result<(), RuleError> {
        if let Some(id) = self.shared {
            let found = shared.iter().find(|field| field.id == id);
            let known = shared.iter().map(|field| field.id);
            let found = found.ok_or_else(|| {
                RuleError::unknown("there is no shared field", id, "there are", known)
            })?;
            let mut own = std::mem::replace(self, found.clone());
            own.settle_source(stats);
            let or = |own: &'static str, shared| if own.is_empty() { shared } else { own };
            self.id = or(own.id, self.id);
            self.label = or(own.label, self.label);
            if own.asked != Asked::AtTimes {
                self.asked = own.asked;
            }
            if own.whose != Whose::Own {
                self.whose = own.whose;
            }
            if own.source != Source::Table {
                self.source = own.source;
            }
            return Ok(());
        }
        if self.label.is_empty() {
            self.label = capital(&self.id.replace('-', " ")).leak();
        }
        let (min, max) = (self.min, self.max);
        self.kind = match self.kind_name {
            "die" => Kind::Die,
            "number" => Kind::Number { min, max },
            "flag" => Kind::Flag,
            "word" => Kind::Word(std::mem::take(&mut self.words).leak()),
            "text" => Kind::Text,
            "ranks" => Kind::Ranks {
                what: self.one,
                max,
            },
            other => {
                let known = ["die", "number", "flag", "word", "text", "ranks"].into_iter();
                let no = format!("{}: there is no kind", self.id);
                return Err(RuleError::unknown(&no, other, "there are", known));
            }
        };
        let start = self.start.take().or(match self.kind {
            Kind::Flag => Some(Value::Flag(false)),
            Kind::Ranks { .. } => Some(Value::Ranks(Vec::new())),
            _ => None,
        });
        let start = start.map(|start| self.kind.coerce(self.id, start));
        self.start = start.transpose()?;
        self.settle_source(stats);
        Ok(())
    }

    fn settle_source(&mut self, stats: &[Self]) {
        let is_list = |id: &str| {
            let mut stats = stats.iter();
            stats.any(|stat| stat.id == id && matches!(stat.kind, Kind::Ranks { .. }))
        };
        self.source = match *std::mem::take(&mut self.from).leak() {
            [] => Source::Table,
            ["derived"] => Source::Derived,
            [one] => match one.split_once(':') {
                Some(("field", other)) => Source::Follows(other),
                Some(("condition", name)) => Source::Condition(name),
                Some((side @ ("pool" | "owed"), id)) => Source::Tokens {
                    kind: Id::new(id),
                    owed: side == "owed",
                },
                None if is_list(one) => Source::Ranked {
                    list: one,
                    offer: self.offer,
                },
                _ => Source::Stat(one),
            },
            ref several => Source::OneOf(several),
        };
    }

    /// What a new character has.
    pub fn at_first(&self) -> Value {
        let start = self.start.clone();
        start.expect("a stat without a start is refused when its file is read")
    }

    /// Whether it is picked from a sheet by name.
    pub fn is_picked(&self) -> bool {
        matches!(self.source, Source::OneOf(_) | Source::Ranked { .. }) && self.like.is_none()
    }

    /// Whether its name says what is tested: an own value picked by name that no token is booked for, or one
    /// worked out of a name.
    pub fn is_tested(&self) -> bool {
        let is_booked = self.spends.is_some() || self.gains.is_some();
        let is_worked_out = self.source == Source::Derived && self.is_required();
        self.whose == Whose::Own && !is_booked && (self.is_picked() || is_worked_out)
    }

    /// Whether it has to be given.
    pub fn is_required(&self) -> bool {
        self.start.is_none() && !self.optional
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
