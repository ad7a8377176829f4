//! The names that the expressions of a check may use.

use std::cell::{Cell, RefCell};

use super::declarations::Declarations;
use crate::permanent::intern;
use crate::system_file::program::expression::{Expression, ExpressionFault, ResolvedName};
use crate::system_file::program::template::Template;
use crate::system_file::program::{Assignment, Assignments, Bearing};
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{Asked, Field, Kind, PoolSpec, Value, ValueSource};

/// The most steps of a check, and the most groups, readings or options of a step.
pub(super) const MAX_LISTED: usize = 20;

/// The beginnings of names that expressions use for the sheet, pools and house rules. No field, reading or `let` begins
/// so.
pub(super) const RESERVED_PREFIXES: [&str; 5] = ["stat_", "sum_", "pool_", "house_", "place_"];

/// A reading or a `let` of a check.
pub(super) struct NamedValue {
    pub(super) name: &'static str,
    /// True if JSON shows the value.
    pub(super) is_shown: bool,
    /// The first step that may use the value.
    pub(super) known_from: usize,
}

/// The names of the check that is being compiled.
pub(super) struct CheckScope<'a> {
    pub(super) declared: &'a Declarations<'a>,
    /// The fields of the check, and one for each value of a sheet or pool that an expression uses.
    pub(super) fields: RefCell<Vec<Field>>,
    pub(super) values: RefCell<Vec<NamedValue>>,
    /// The step that is being compiled.
    pub(super) step: Cell<usize>,
    /// True if the check uses shared fields or steps that do not exist. Names that they might define are then no faults.
    pub(super) is_partial: Cell<bool>,
}

/// Returns an id as expressions write it.
pub(super) fn name_in_expressions(id: &str) -> String {
    id.replace(['-', '.'], "_")
}

/// Returns the field for a stat that an expression reads off the sheet.
fn sheet_field(stat: &Field) -> Field {
    Field {
        id: intern(&format!("stat.{}", stat.id)),
        label: stat.label,
        kind: stat.kind,
        start: stat.start.clone(),
        source: ValueSource::Stat(stat.id),
        help: "From the sheet.",
        asked: Asked::Seldom,
        ..Field::default()
    }
}

/// Returns the field for a pool that an expression reads.
fn pool_field(pool: &PoolSpec) -> Field {
    let kind = pool.id;
    Field {
        id: intern(&format!("pool.{kind}")),
        label: pool.name,
        kind: Kind::Number {
            min: pool.floor.unwrap_or(-9_999),
            max: pool.cap.unwrap_or(9_999),
        },
        start: Some(pool.start.into()),
        source: ValueSource::Tokens { kind, owed: false },
        help: "The tokens in the pool.",
        asked: Asked::Seldom,
        ..Field::default()
    }
}

/// Returns the name that the next word is compared with, as in `mood ==` or `switch mood {`.
fn compared_name(before: &str) -> Option<&str> {
    let is_in_name = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);

    let left_side = before
        .strip_suffix("==")
        .or_else(|| before.strip_suffix("!="));
    if let Some(left_side) = left_side {
        return left_side
            .trim_end()
            .rsplit(|letter| !is_in_name(letter))
            .next();
    }

    let begins_arm = before.ends_with(['{', ',', '|']) && !before.ends_with("||");
    if !begins_arm {
        return None;
    }
    before.rmatch_indices("switch ").find_map(|(at, switch)| {
        let (name, arms) = before.get(at + switch.len()..)?.split_once('{')?;
        let is_open = arms.matches('{').count() == arms.matches('}').count();
        is_open.then(|| name.trim())
    })
}

impl<'a> CheckScope<'a> {
    pub(super) fn new(declared: &'a Declarations<'a>, fields: Vec<Field>) -> Self {
        Self {
            declared,
            fields: RefCell::new(fields),
            values: RefCell::default(),
            step: Cell::new(usize::MAX),
            is_partial: Cell::new(false),
        }
    }

    /// Returns the scope of expressions that see a sheet alone. The place of each field is that of its stat.
    pub(super) fn of_sheet(declared: &'a Declarations<'a>) -> Self {
        Self::new(declared, declared.stats.iter().map(sheet_field).collect())
    }

    fn value_place(&self, name: &str) -> Option<usize> {
        self.values
            .borrow()
            .iter()
            .position(|value| name_in_expressions(value.name) == name)
    }

    fn field_place(&self, name: &str) -> Option<usize> {
        self.fields
            .borrow()
            .iter()
            .position(|field| name_in_expressions(field.id) == name)
    }

    fn kind_of_field(&self, place: usize) -> Kind {
        self.fields.borrow()[place].kind
    }

    /// Returns what a name in an expression refers to.
    pub(super) fn resolve(&self, name: &str) -> Option<ResolvedName> {
        if let Some(place) = self.field_place(name) {
            return Some(ResolvedName::Field(place));
        }
        if let Some(place) = self.value_place(name) {
            let is_known = self.values.borrow()[place].known_from <= self.step.get();
            return is_known.then_some(ResolvedName::Step(place));
        }

        if let Some(id) = name.strip_prefix("place_") {
            let place = self.field_place(id)?;
            let is_word = matches!(self.kind_of_field(place), Kind::Word(_));
            return is_word.then_some(ResolvedName::Place(place));
        }
        if let Some(id) = name.strip_prefix("sum_") {
            let place = self.field_place(&format!("stat_{id}"))?;
            let is_list = matches!(self.kind_of_field(place), Kind::Ranks { .. });
            return is_list.then_some(ResolvedName::Sum(place));
        }
        if let Some(id) = name.strip_prefix("house_") {
            let mut rules = self.declared.house.iter();
            let place = rules.position(|rule| name_in_expressions(rule.id) == id);
            return place.map(ResolvedName::HouseRule);
        }

        let is_reserved = RESERVED_PREFIXES
            .iter()
            .any(|prefix| name.starts_with(prefix));
        let looked_up = self.look_up(name);
        if looked_up.is_none() && !is_reserved && self.is_partial.get() {
            // The missing field or step may define the name. The file is refused anyway, so any name will do here.
            return Some(ResolvedName::Sum(0));
        }
        looked_up
    }

    /// Adds a field for a stat or a pool, if the name is `stat_…` or `pool_…`.
    pub(super) fn look_up(&self, name: &str) -> Option<ResolvedName> {
        let field = if let Some(id) = name.strip_prefix("stat_") {
            let mut stats = self.declared.stats.iter();
            let stat = stats.find(|stat| name_in_expressions(stat.id) == id)?;
            if matches!(stat.kind, Kind::Ranks { .. }) {
                return None;
            }
            sheet_field(stat)
        } else {
            let id = name.strip_prefix("pool_")?;
            let mut pools = self.declared.pools.iter();
            pool_field(pools.find(|pool| name_in_expressions(pool.id.as_str()) == id)?)
        };

        let mut fields = self.fields.borrow_mut();
        fields.push(field);
        Some(ResolvedName::Field(fields.len() - 1))
    }

    /// Reports a fault if an expression looked up a stat or a pool, which adds a field to the scope.
    ///
    /// `own_fields` is the number of fields that the scope began with. `allowed` describes the names that may be used.
    pub(super) fn forbid_lookups(&self, table: &TomlTable<'_>, own_fields: usize, allowed: &str) {
        if self.fields.borrow().len() > own_fields {
            let title = table.title_in_message();
            table.fault(format!("expressions of {title} can only use {allowed}"));
        }
    }

    /// Returns the message for a name that does not resolve.
    fn unresolved(&self, name: &str) -> String {
        if self.value_place(name).is_some() {
            return format!("{name} is used before it is set");
        }
        for (word, sign) in [("and", "&&"), ("or", "||"), ("not", "!")] {
            if name == word {
                return format!("use {sign} instead of {word:?}");
            }
        }

        let names = self.known_names();

        // The prefix may be missing, or the part behind a hyphen.
        let as_suffix = format!(".{name}");
        let as_beginning = format!("{name}_");
        let near = names
            .iter()
            .find(|known| known.ends_with(&as_suffix) || known.starts_with(&as_beginning));
        match near {
            Some(near) => format!("unknown name {name:?}; did you mean {near}?"),
            None => unknown_name("unknown name", name, names.iter().map(String::as_str)),
        }
    }

    /// Returns every name that resolves in this step, as expressions write it.
    fn known_names(&self) -> Vec<String> {
        let declared = self.declared;
        let mut names: Vec<String> = Vec::new();

        names.extend(self.fields.borrow().iter().map(|field| field.id.to_owned()));
        for value in self.values.borrow().iter() {
            if value.known_from <= self.step.get() {
                names.push(value.name.to_owned());
            }
        }
        names.extend(declared.stat_ids().map(|id| format!("stat.{id}")));
        names.extend(declared.pool_ids().map(|id| format!("pool.{id}")));
        names.extend(
            declared
                .house
                .iter()
                .map(|rule| format!("house.{}", rule.id)),
        );

        names.iter().map(|name| name.replace('-', "_")).collect()
    }

    /// Finds a word that the field or house rule it is compared with does not take.
    fn impossible_word(&self, text: &str) -> Option<ExpressionFault> {
        let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();

        quotes.chunks_exact(2).find_map(|pair| {
            let before = text.get(..pair[0])?;
            let word = text.get(pair[0] + 1..pair[1])?;

            let name = compared_name(before.trim_end())?;
            let kind = match self.resolve(&name.replacen('.', "_", 1))? {
                ResolvedName::Field(place) => self.kind_of_field(place),
                ResolvedName::HouseRule(place) => self.declared.house[place].kind(),
                _ => return None,
            };

            let error = kind.coerce(name, Value::from(word)).err()?;
            Some(ExpressionFault {
                characters: before.chars().count(),
                message: error.to_string(),
            })
        })
    }

    pub(super) fn parse(&self, text: &str) -> Result<Expression, ExpressionFault> {
        let expression = Expression::parse(
            text,
            |name| self.resolve(name),
            |name| self.unresolved(name),
        )?;
        match self.impossible_word(text) {
            Some(fault) => Err(fault),
            None => Ok(expression),
        }
    }

    /// Compiles a number, true or false, or the text of an expression.
    pub(super) fn expression(&self, value: TomlValue<'_>) -> Option<Expression> {
        let text = match value.field_value() {
            Value::Number(number) => return Some(Expression::number(number.into())),
            Value::Flag(flag) => return Some(Expression::number(flag.into())),
            _ => value.text()?,
        };
        match self.parse(text) {
            Ok(expression) => Some(expression),
            Err(fault) => {
                value.fault_inside(fault.characters, fault.message);
                None
            }
        }
    }

    /// Compiles the expression under a key.
    pub(super) fn expression_at(
        &self,
        table: &TomlTable<'_>,
        key: &'static str,
    ) -> Option<Expression> {
        self.expression(table.get(key)?)
    }

    /// Compiles the `when` of a condition for this check. A condition that uses fields of other checks has no effect on
    /// this check.
    pub(super) fn bearing(&self, when: &'static str) -> Bearing {
        if when.is_empty() {
            return Bearing::Always;
        }
        match self.parse(when) {
            Ok(expression) => Bearing::Where(expression),
            Err(_) => Bearing::Never,
        }
    }

    /// Compiles the template under a key.
    pub(super) fn template_at(&self, table: &TomlTable<'_>, key: &'static str) -> Option<Template> {
        let value = table.get(key)?;
        match Template::parse(value.text()?, |inside| self.parse(inside)) {
            Ok(template) => Some(template),
            Err(fault) => {
                value.fault_inside(fault.characters, fault.message);
                Some(Template::default())
            }
        }
    }

    /// Returns the place of a reading or `let`, which is added if it is new.
    pub(super) fn define(&self, at: TomlValue<'_>, name: &'static str, is_shown: bool) -> usize {
        let written = name_in_expressions(name);
        self.check_new_name(at, name, &written);

        let step = self.step.get();
        let place = self.value_place(&written);
        let mut values = self.values.borrow_mut();

        if let Some(place) = place {
            let value = &mut values[place];
            value.is_shown |= is_shown;
            value.known_from = value.known_from.min(step);
            return place;
        }

        values.push(NamedValue {
            name,
            is_shown,
            known_from: step,
        });
        values.len() - 1
    }

    fn check_new_name(&self, at: TomlValue<'_>, name: &str, written: &str) {
        let begins_with_letter = written.starts_with(|letter: char| letter.is_ascii_lowercase());
        let is_plain = written
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
        let is_reserved = RESERVED_PREFIXES
            .iter()
            .any(|prefix| written.starts_with(prefix));

        if !begins_with_letter || !is_plain || is_reserved {
            let reserved = RESERVED_PREFIXES.join(", ");
            at.fault(format!(
                "invalid name {name:?}: use a to z, 0 to 9 and _, and begin with a letter, but not with {reserved}"
            ));
        }
        if self.field_place(written).is_some() {
            at.fault(format!(
                "{name} is already the id of a field; choose another name"
            ));
        }
    }

    /// Compiles the `let` of a table.
    pub(super) fn assignments(&self, table: &TomlTable<'_>) -> Assignments {
        let mut assignments = Vec::new();
        for (name, value) in table.entries_of("let") {
            let expression = self.expression(value);
            // Define the name even if its expression is faulty, so that later uses are no faults.
            let place = self.define(value, name, false);
            if let Some(value) = expression {
                assignments.push(Assignment { place, value });
            }
        }
        Assignments::new(assignments)
    }
}
