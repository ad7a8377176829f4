//! What a check needs to know, described as data.
//!
//! The roll dialog, the flags of the command line, `systems --json` and the help are all made from
//! these descriptions.

use super::system_file::{Given, Table};
use super::words::capital;
use super::{Id, Kind, PoolSpec, RuleError, Value};

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
    /// From the clock that the check is made for: how many of its segments are filled.
    Clock,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Clone, Debug, Default)]
pub struct Field {
    /// Its name on the command line and in JSON.
    pub id: &'static str,
    /// Its name on the screen.
    pub label: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is when nobody says.
    pub start: Option<Value>,
    /// Whether it may be left out although it has no start (Gnosis: `pain` or `difficulty`).
    pub optional: bool,
    /// The house rule that says what it is when nobody says otherwise.
    pub house: Option<&'static str>,
    /// Where on a sheet it comes from.
    pub source: Source,
    /// Whose sheet that is.
    pub whose: Whose,
    /// One sentence of help.
    pub help: &'static str,
    /// Names for some of its values, shown beside the number: `(12, "Hard")`.
    pub names: Vec<(i32, &'static str)>,
    /// The pool that its number is spent from.
    pub spends: Option<Id>,
    /// The pool that its number is gained in.
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
    /// On a sheet: the heading that it stands under; empty for none.
    pub group: &'static str,
    /// On a sheet: whether it only tells how somebody stands. No check asks an opponent for it.
    pub state: bool,
    /// On a sheet: the stat that bounds a die. A heart die that shrank is never larger than the whole one.
    pub at_most: Option<&'static str>,
    /// The field that may not be given beside this one. Of two that may be left out, one must be given.
    pub excludes: Option<&'static str>,
    /// Whether its number is how many help.
    pub counts_helpers: bool,
}

impl Field {
    /// Reads a field or a stat, with the stats of the system, its pools and the fields that its checks share. A
    /// check's own id, label, source and owner go before those of the shared field that it uses.
    pub(super) fn read(
        table: &Table<'_>,
        stats: &[Self],
        shared: &[Self],
        pools: &[PoolSpec],
    ) -> Option<Self> {
        let asked = [
            ("always", Asked::Always),
            ("at-times", Asked::AtTimes),
            ("seldom", Asked::Seldom),
        ];
        let whose = [
            ("own", Whose::Own),
            ("helper", Whose::Helper),
            ("opponent", Whose::Opponent),
        ];
        let booked = |key| {
            let given: Table<'_> = table.table(key)?;
            let (pool, is_worked_out) = (given.must("pool")?, given.get("add").is_some());
            let _when = given.get("when");
            let id = pool.text()?;
            if !pools.iter().any(|known| known.id.as_str() == id) {
                pool.unknown(
                    "there is no pool",
                    id,
                    pools.iter().map(|pool| pool.id.as_str()),
                );
            }
            (!is_worked_out).then(|| Id::new(id))
        };
        let own = Self {
            id: table.words("id"),
            label: table.words("label"),
            optional: table.flag("optional"),
            house: table.text("house"),
            source: Self::source(table, stats, pools),
            whose: table.one_of("whose", &whose).unwrap_or_default(),
            help: table.words("help"),
            names: Self::named(table),
            spends: booked("spends"),
            gains: booked("gains"),
            like: table.text("like"),
            begins: table.number("begins"),
            asked: table.one_of("asked", &asked).unwrap_or_default(),
            short: table.words("short"),
            group: table.words("group"),
            state: table.flag("state"),
            at_most: table.text("at_most"),
            excludes: table.text("excludes"),
            ..Self::default()
        };
        if let Some(given) = table.get("use") {
            return Self::shared(&own, given, shared);
        }
        let id = table.must("id")?.id()?;
        let kind = Self::kind(table)?;
        let counts_helpers = table.text("kind") == Some("helpers");
        let start = table.get("start").and_then(|given| {
            let value = kind.coerce(id, given.value());
            value.map_err(|error| given.fault(error.to_string())).ok()
        });
        let start = start.or(match kind {
            Kind::Flag => Some(Value::Flag(false)),
            Kind::Ranks { .. } => Some(Value::Ranks(Vec::new())),
            Kind::Number { min, .. } if counts_helpers => Some(Value::Number(min)),
            _ => None,
        });
        // The row of helpers says it; the number is for who has no characters at the table.
        let asked = if counts_helpers {
            Asked::Seldom
        } else {
            own.asked
        };
        let label = match own.label {
            "" => capital(&id.replace('-', " ")).leak(),
            label => label,
        };
        let _each = table.get("each").filter(|_| counts_helpers);
        Some(Self {
            label,
            kind,
            start,
            asked,
            counts_helpers,
            ..own
        })
    }

    /// The shared field of that name, with what is said of it here.
    fn shared(own: &Self, given: Given<'_>, shared: &[Self]) -> Option<Self> {
        let id = given.text()?;
        let Some(found) = shared.iter().find(|field| field.id == id) else {
            given.unknown(
                "there is no shared field",
                id,
                shared.iter().map(|field| field.id),
            );
            return None;
        };
        let or = |own: &'static str, shared| if own.is_empty() { shared } else { own };
        let mut field = found.clone();
        field.id = or(own.id, field.id);
        field.label = or(own.label, field.label);
        if own.asked != Asked::AtTimes {
            field.asked = own.asked;
        }
        if own.whose != Whose::Own {
            field.whose = own.whose;
        }
        if own.source != Source::Table {
            field.source = own.source;
        }
        Some(field)
    }

    fn kind(table: &Table<'_>) -> Option<Kind> {
        let bound = |key| table.number(key).unwrap_or(0);
        let (min, max) = (bound("min"), bound("max"));
        let given = table.must("kind")?;
        let words = table.get("words").map(Given::list).unwrap_or_default();
        let words: Vec<&'static str> = words.into_iter().filter_map(Given::text).collect();
        let kind = given.one_of(&[
            ("die", Kind::Die),
            ("number", Kind::Number { min, max }),
            ("helpers", Kind::Number { min, max }),
            ("flag", Kind::Flag),
            ("word", Kind::Word(&[])),
            ("text", Kind::Text),
            (
                "ranks",
                Kind::Ranks {
                    what: table.text("one").unwrap_or("entry"),
                    max,
                },
            ),
        ])?;
        match kind {
            Kind::Number { min, max } if min > max => {
                table.fault(format!("{}: min is above max", table.what));
            }
            Kind::Word(_) if words.is_empty() => table.fault(format!("{} needs words", table.what)),
            Kind::Word(_) => return Some(Kind::Word(words.leak())),
            _ => {}
        }
        Some(kind)
    }

    /// The names of numbers, which a file writes as keys, in order.
    fn named(table: &Table<'_>) -> Vec<(i32, &'static str)> {
        let names = table.table("names");
        let named = names
            .iter()
            .flat_map(Table::all)
            .filter_map(|(number, name)| {
                let Ok(number) = number.parse() else {
                    name.fault(format!(
                        "names are given to numbers, and {number:?} is none"
                    ));
                    return None;
                };
                Some((number, name.text()?))
            });
        let mut named: Vec<(i32, &'static str)> = named.collect();
        named.sort_unstable();
        named
    }

    fn source(table: &Table<'_>, stats: &[Self], pools: &[PoolSpec]) -> Source {
        let given = table
            .get("from")
            .map(Given::one_or_several)
            .unwrap_or_default();
        let offer = table.flag("offer");
        let names: Vec<&'static str> = given.iter().filter_map(|given| given.text()).collect();
        let is_stat = |given: Given<'_>, name: &str| {
            if !stats.iter().any(|stat| stat.id == name) {
                given.unknown("there is no stat", name, stats.iter().map(|stat| stat.id));
            }
        };
        let (&[given], &[name]) = (&given[..], &names[..]) else {
            given
                .iter()
                .zip(&names)
                .for_each(|(given, name)| is_stat(*given, name));
            return if names.is_empty() {
                Source::Table
            } else {
                Source::OneOf(names.leak())
            };
        };
        match name.split_once(':') {
            Some(("field", other)) => Source::Follows(other),
            Some(("condition", name)) => Source::Condition(name),
            Some((side @ ("pool" | "owed"), id)) => {
                if !pools.iter().any(|pool| pool.id.as_str() == id) {
                    given.unknown(
                        "there is no pool",
                        id,
                        pools.iter().map(|pool| pool.id.as_str()),
                    );
                }
                Source::Tokens {
                    kind: Id::new(id),
                    owed: side == "owed",
                }
            }
            Some((other, _)) => {
                let known = ["field", "condition", "pool", "owed"].into_iter();
                given.unknown("nothing comes from", other, known);
                Source::Table
            }
            None if name == "derived" => Source::Derived,
            None if name == "clock" => Source::Clock,
            None => {
                is_stat(given, name);
                let list = |stat: &Self| stat.id == name && matches!(stat.kind, Kind::Ranks { .. });
                if stats.iter().any(list) {
                    Source::Ranked { list: name, offer }
                } else {
                    Source::Stat(name)
                }
            }
        }
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
