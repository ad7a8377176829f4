//! A check that is being read: what its expressions may look at.

use std::cell::{Cell, RefCell};

use crate::permanent::intern;
use crate::system_file::program::expression::{Expression, Fault, Name};
use crate::system_file::program::template::Template;
use crate::system_file::program::{Bearing, Lets};
use crate::system_file::read::{Given, Table, unknown};
use crate::{
    Asked, ClockSpec, ConditionSpec, Field, HouseRule, Kind, PoolSpec, Value, ValueSource,
};
use tableside_dice::CustomDie;

/// The most steps in a check, and the most groups, readings or options in a step.
pub(crate) const MOST_LISTED: usize = 20;

/// What an expression calls what is no reading and no `let`.
pub(crate) const TAKEN: [&str; 5] = ["stat_", "sum_", "pool_", "house_", "place_"];

/// What a system has beside its checks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Around<'a> {
    pub(crate) stats: &'static [Field],
    pub(crate) pools: &'a [PoolSpec],
    /// The fields that its checks share.
    pub(crate) shared: &'a [Field],
    /// The steps that its checks share.
    pub(crate) steps: &'a [Table<'a>],
    pub(crate) clocks: &'a [ClockSpec],
    pub(crate) conditions: &'a [ConditionSpec],
    pub(crate) house: &'a [HouseRule],
    pub(crate) dice: &'a [&'static CustomDie],
    /// The checks by name, with the names of their fields.
    pub(crate) checks: &'a [(&'static str, Vec<&'static str>)],
}

impl Around<'_> {
    /// The names of the stats.
    pub(crate) fn stat_ids(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.stats.iter().map(|stat| stat.id)
    }

    /// The names of the pools.
    pub(crate) fn pool_ids(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.pools.iter().map(|pool| pool.id.as_str())
    }

    /// A fault where no check has that field.
    pub(crate) fn check_asked(&self, field: &str, fault: impl FnOnce(String)) {
        let known = self.checks.iter().flat_map(|(_, fields)| fields).copied();
        if known.clone().all(|known| known != field) {
            fault(unknown("no check has a field", field, known));
        }
    }

    /// The names of the conditions.
    pub(crate) fn condition_names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.conditions.iter().map(|condition| condition.name)
    }
}

/// A check that is being read.
pub(crate) struct CheckReader<'a> {
    pub(crate) around: &'a Around<'a>,
    /// Its fields; what expressions look up on the sheet is added to them.
    pub(crate) fields: RefCell<Vec<Field>>,
    /// The readings and `let`s, each with whether it is told, and the step from which on it is known.
    pub(crate) names: RefCell<Vec<(&'static str, bool, usize)>>,
    /// The step that is being read.
    pub(crate) step: Cell<usize>,
    /// Whether it uses fields or steps that there are not: what they would bring is not missed.
    pub(crate) is_partial: Cell<bool>,
}

/// An id as an expression writes it.
pub(crate) fn in_expressions(id: &str) -> String {
    id.replace(['-', '.'], "_")
}

/// A stat as a field of its own, for what an expression looks up on the sheet.
fn looked_up(stat: &Field) -> Field {
    Field {
        id: intern(&format!("stat.{}", stat.id)),
        label: stat.label,
        kind: stat.kind,
        start: stat.start.clone(),
        source: ValueSource::Stat(stat.id),
        help: "Off the sheet.",
        asked: Asked::Seldom,
        ..Field::default()
    }
}

/// What the word behind this is compared with, as behind `mood ==` or `switch mood {`.
fn compared_with(before: &str) -> Option<&str> {
    let in_word = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);
    let equals = before.strip_suffix("==");
    if let Some(other) = equals.or_else(|| before.strip_suffix("!=")) {
        return other.trim_end().rsplit(|letter| !in_word(letter)).next();
    }
    let begins_arm = before.ends_with(['{', ',', '|']) && !before.ends_with("||");
    let mut switches = before.rmatch_indices("switch ").filter(|_| begins_arm);
    switches.find_map(|(at, switch)| {
        let (name, arms) = before.get(at + switch.len()..)?.split_once('{')?;
        let is_open = arms.matches('{').count() == arms.matches('}').count();
        is_open.then(|| name.trim())
    })
}

impl<'a> CheckReader<'a> {
    pub(crate) fn new(around: &'a Around<'a>, fields: Vec<Field>) -> Self {
        Self {
            around,
            fields: RefCell::new(fields),
            names: RefCell::default(),
            step: Cell::new(usize::MAX),
            is_partial: Cell::new(false),
        }
    }

    /// One for what is worked out of a sheet alone: its fields are the stats, each in its place there.
    pub(crate) fn of_sheet(around: &'a Around<'a>) -> Self {
        Self::new(around, around.stats.iter().map(looked_up).collect())
    }

    /// The place of a reading or `let`.
    fn named(&self, name: &str) -> Option<usize> {
        let names = self.names.borrow();
        let mut names = names.iter();
        names.position(|(known, ..)| in_expressions(known) == name)
    }

    /// Where the value of a name comes from.
    pub(crate) fn find(&self, name: &str) -> Option<Name> {
        let field = |name: &str| {
            let fields = self.fields.borrow();
            let mut fields = fields.iter();
            fields.position(|field| in_expressions(field.id) == name)
        };
        if let Some(at) = field(name) {
            return Some(Name::Field(at));
        }
        if let Some(at) = self.named(name) {
            let is_known = self.names.borrow()[at].2 <= self.step.get();
            return is_known.then_some(Name::Step(at));
        }
        if let Some(id) = name.strip_prefix("place_") {
            let is_word = |at: &usize| matches!(self.fields.borrow()[*at].kind, Kind::Word(_));
            return field(id).filter(is_word).map(Name::Place);
        }
        if let Some(id) = name.strip_prefix("sum_") {
            let is_list = |at: &usize| matches!(self.fields.borrow()[*at].kind, Kind::Ranks { .. });
            return field(&format!("stat_{id}")).filter(is_list).map(Name::Sum);
        }
        if let Some(id) = name.strip_prefix("house_") {
            let mut rules = self.around.house.iter();
            let rule = rules.position(|rule| in_expressions(rule.id) == id);
            return rule.map(Name::HouseRule);
        }
        let is_plain = TAKEN.iter().all(|taken| !name.starts_with(taken));
        let may_be_used = (is_plain && self.is_partial.get()).then_some(Name::Sum(0));
        self.look_up(name).or(may_be_used)
    }

    /// A field for what an expression looks up on the sheet or in a pool.
    pub(crate) fn look_up(&self, name: &str) -> Option<Name> {
        let field = if let Some(id) = name.strip_prefix("stat_") {
            let mut stats = self.around.stats.iter();
            let stat = stats.find(|stat| in_expressions(stat.id) == id);
            looked_up(stat.filter(|stat| !matches!(stat.kind, Kind::Ranks { .. }))?)
        } else {
            let id = name.strip_prefix("pool_")?;
            let mut pools = self.around.pools.iter();
            let pool = pools.find(|pool| in_expressions(pool.id.as_str()) == id)?;
            let (min, max) = (pool.floor.unwrap_or(-9_999), pool.cap.unwrap_or(9_999));
            let (kind, owed) = (pool.id, false);
            Field {
                id: intern(&format!("pool.{kind}")),
                label: pool.name,
                kind: Kind::Number { min, max },
                start: Some(pool.start.into()),
                source: ValueSource::Tokens { kind, owed },
                help: "What the pool holds.",
                asked: Asked::Seldom,
                ..Field::default()
            }
        };
        let mut fields = self.fields.borrow_mut();
        fields.push(field);
        Some(Name::Field(fields.len() - 1))
    }

    /// A fault where expressions looked up more than the so many fields that are there when they are worked out.
    pub(crate) fn check_looked_up(&self, table: &Table<'_>, there: usize, from: &str) {
        if self.fields.borrow().len() > there {
            let what = &table.what;
            table.fault(format!("{what}: this is worked out from {from} alone"));
        }
    }

    /// That nothing is called so, or nothing yet.
    fn unknown(&self, name: &str) -> String {
        if self.named(name).is_some() {
            return format!("{name} is known only after this");
        }
        let signs = [("and", "&&"), ("or", "||"), ("not", "!")];
        if let Some((word, sign)) = signs.iter().find(|(word, _)| *word == name) {
            return format!("{word:?} is written {sign}");
        }
        let (around, fields, names) = (self.around, self.fields.borrow(), self.names.borrow());
        let names = names.iter().filter(|(.., from)| *from <= self.step.get());
        let own = fields.iter().map(|field| field.id.to_owned());
        let own = own.chain(names.map(|(name, ..)| (*name).to_owned()));
        let stats = around.stat_ids().map(|id| format!("stat.{id}"));
        let pools = around.pool_ids().map(|id| format!("pool.{id}"));
        let house = around.house.iter().map(|rule| format!("house.{}", rule.id));
        let known = own.chain(stats).chain(pools).chain(house);
        let known: Vec<String> = known.map(|known| known.replace('-', "_")).collect();
        // What it is of may be missing, or what stands behind a hyphen.
        let (id, begins) = (format!(".{name}"), format!("{name}_"));
        let mut near = known.iter();
        if let Some(near) = near.find(|known| known.ends_with(&id) || known.starts_with(&begins)) {
            return format!("nothing is called {name:?}; did you mean {near}?");
        }
        unknown("nothing is called", name, known.iter().map(String::as_str))
    }

    /// What is wrong with a word that something is compared with.
    fn wrong_word(&self, text: &str) -> Option<Fault> {
        let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
        quotes.chunks_exact(2).find_map(|pair| {
            let (before, word) = (text.get(..pair[0])?, text.get(pair[0] + 1..pair[1])?);
            let name = compared_with(before.trim_end())?;
            let kind = match self.find(&name.replacen('.', "_", 1))? {
                Name::Field(at) => self.fields.borrow()[at].kind,
                Name::HouseRule(at) => self.around.house[at].kind(),
                _ => return None,
            };
            let what = kind.coerce(name, Value::from(word)).err()?.to_string();
            let at = before.chars().count();
            Some(Fault { at, what })
        })
    }

    pub(crate) fn read(&self, text: &str) -> Result<Expression, Fault> {
        let read = Expression::read(text, |name| self.find(name), |name| self.unknown(name))?;
        self.wrong_word(text).map_or(Ok(read), Err)
    }

    /// A number, true or false, or an expression.
    pub(crate) fn expression(&self, given: Given<'_>) -> Option<Expression> {
        let text = match given.value() {
            Value::Number(number) => return Some(Expression::number(number.into())),
            Value::Flag(flag) => return Some(Expression::number(flag.into())),
            _ => given.text()?,
        };
        let read = self.read(text);
        let read = read.map_err(|fault| given.fault_inside(fault.at, fault.what));
        read.ok()
    }

    /// The same, of what stands under that key.
    pub(crate) fn worked(&self, table: &Table<'_>, key: &'static str) -> Option<Expression> {
        table.get(key).and_then(|given| self.expression(given))
    }

    /// Whether a condition whose `when` this is bears on the check: always, or where its fields say so; never where
    /// the check does not have them.
    pub(crate) fn bearing(&self, when: &'static str) -> Bearing {
        match when {
            "" => Bearing::Always,
            when => self.read(when).map_or(Bearing::Never, Bearing::Where),
        }
    }

    /// Words with values in them, where some stand under that key.
    pub(crate) fn template(&self, table: &Table<'_>, key: &'static str) -> Option<Template> {
        let given = table.get(key)?;
        let read = Template::read(given.text()?, |inside| self.read(inside));
        let read = read.map_err(|fault| given.fault_inside(fault.at, fault.what));
        Some(read.unwrap_or_default())
    }

    /// The place of a new name, or of an old one that gets a new value.
    pub(crate) fn name(&self, given: Given<'_>, name: &'static str, is_told: bool) -> usize {
        let plain = in_expressions(name);
        let fits = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        let is_plain = plain.starts_with(|letter: char| letter.is_ascii_lowercase())
            && plain.chars().all(|letter| fits(letter) || letter == '_');
        if !is_plain || TAKEN.iter().any(|taken| plain.starts_with(taken)) {
            let taken = TAKEN.join(", ");
            given.fault(format!(
                "{name:?} is no name: it is letters a to z, digits and _, and does not begin with any of {taken}"
            ));
        }
        let fields = self.fields.borrow();
        let mut fields = fields.iter();
        if fields.any(|field| in_expressions(field.id) == plain) {
            given.fault(format!("{name} is a field already; choose another name"));
        }
        let (at, step) = (self.named(&plain), self.step.get());
        let mut names = self.names.borrow_mut();
        if let Some(at) = at {
            names[at].1 |= is_told;
            names[at].2 = names[at].2.min(step);
            return at;
        }
        names.push((name, is_told, step));
        names.len() - 1
    }

    pub(crate) fn lets(&self, table: &Table<'_>) -> Lets {
        let lets = table.entries("let").into_iter();
        let lets = lets.filter_map(|(name, given)| {
            let value = self.expression(given);
            // One with a fault is known below all the same.
            let at = self.name(given, name, false);
            Some((at, value?))
        });
        Lets::new(lets.collect())
    }
}
