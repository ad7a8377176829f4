//! The names that the expressions of a check may use.

use std::cell::{Cell, RefCell};

use super::comparison::compared_name;
use super::declarations::Declarations;
use crate::permanent::intern;
use crate::system_file::program::expression::{Expression, ExpressionFault, ResolvedName};
use crate::system_file::program::template::Template;
use crate::system_file::program::{Assignment, Assignments, Bearing};
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{Asked, ConditionEffect, Field, Kind, PoolSpec, Value, ValueSource};

/// The most steps of a check, and the most groups, readings or options of a step.
pub(super) const MAX_LISTED: usize = 20;

/// The beginnings of the names of stats, pools and house rules in expressions. No field, reading or `let` may have such a
/// name.
const RESERVED_PREFIXES: [&str; 5] = ["stat_", "sum_", "pool_", "house_", "place_"];

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
    /// True if the check uses shared fields or steps that do not exist. Unknown names are then not reported, because the
    /// missing parts may define them.
    pub(super) is_partial: Cell<bool>,
}

/// Returns an id as expressions write it.
pub(super) fn name_in_expressions(id: &str) -> String {
    id.replace(['-', '.'], "_")
}

/// True if expressions use the beginning of this name for the sheet, pools and house rules.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED_PREFIXES
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// True for letters a to z, digits and `_`, of which the first is a letter.
fn is_identifier(name: &str) -> bool {
    let is_allowed =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.chars().all(is_allowed)
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

    /// Returns the scope of expressions that see a sheet alone. Each field has the same index as its stat.
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
            let known_from = self.values.borrow()[place].known_from;
            return if known_from <= self.step.get() {
                Some(ResolvedName::Step(place))
            } else {
                None
            };
        }
        if let Some((prefix, id)) = name.split_once('_') {
            match prefix {
                "place" => return self.resolve_place(id),
                "sum" => return self.resolve_sum(id),
                "house" => return self.resolve_house_rule(id),
                _ => {}
            }
        }

        let looked_up = self.look_up(name);
        if looked_up.is_none() && self.is_partial.get() && !is_reserved(name) {
            // The missing field or step may define the name. The file is refused anyway, so any meaning will do.
            return Some(ResolvedName::Sum(0));
        }
        looked_up
    }

    /// Resolves `place.ID`: the index of a field's word among the words that it takes.
    fn resolve_place(&self, id: &str) -> Option<ResolvedName> {
        let place = self.field_place(id)?;
        match self.kind_of_field(place) {
            Kind::Word(_) => Some(ResolvedName::Place(place)),
            _ => None,
        }
    }

    /// Resolves `sum.ID`: the sum of the numbers in a list of the sheet.
    fn resolve_sum(&self, id: &str) -> Option<ResolvedName> {
        let place = self.field_place(&format!("stat_{id}"))?;
        if self.kind_of_field(place).is_list() {
            Some(ResolvedName::Sum(place))
        } else {
            None
        }
    }

    /// Resolves `house.ID`: the value of a house rule.
    fn resolve_house_rule(&self, id: &str) -> Option<ResolvedName> {
        let mut rules = self.declared.house.iter();
        let place = rules.position(|rule| name_in_expressions(rule.id) == id)?;
        Some(ResolvedName::HouseRule(place))
    }

    /// Resolves `stat.ID` or `pool.ID`, and adds a field for the value of the stat or pool to the check.
    pub(super) fn look_up(&self, name: &str) -> Option<ResolvedName> {
        let (prefix, id) = name.split_once('_')?;
        let field = match prefix {
            "stat" => {
                let mut stats = self.declared.stats.iter();
                let stat = stats.find(|stat| name_in_expressions(stat.id) == id)?;
                if stat.kind.is_list() {
                    return None;
                }
                sheet_field(stat)
            }
            "pool" => {
                let mut pools = self.declared.pools.iter();
                let pool = pools.find(|pool| name_in_expressions(pool.id.as_str()) == id)?;
                pool_field(pool)
            }
            _ => return None,
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
        let sign = match name {
            "and" => Some("&&"),
            "or" => Some("||"),
            "not" => Some("!"),
            _ => None,
        };
        if let Some(sign) = sign {
            return format!("use {sign} instead of {name:?}");
        }

        let names = self.known_names();

        // The author may have left out the prefix of a name, or the part after a hyphen.
        let as_suffix = format!(".{name}");
        let as_beginning = format!("{name}_");
        let near = names
            .iter()
            .find(|known| known.ends_with(&as_suffix) || known.starts_with(&as_beginning));
        if let Some(near) = near {
            return format!("unknown name {name:?}; did you mean {near}?");
        }

        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        unknown_name("unknown name", name, &names)
    }

    /// Returns the names to suggest for an unknown one, as expressions write them.
    fn known_names(&self) -> Vec<String> {
        let declared = self.declared;
        let mut names: Vec<String> = Vec::new();

        for field in self.fields.borrow().iter() {
            names.push(field.id.to_owned());
        }
        for value in self.values.borrow().iter() {
            if value.known_from <= self.step.get() {
                names.push(value.name.to_owned());
            }
        }
        for stat in declared.stats {
            // The value of a list is not a number or a word, so expressions cannot use it.
            if !stat.kind.is_list() {
                names.push(format!("stat.{}", stat.id));
            }
        }
        for id in declared.pool_ids() {
            names.push(format!("pool.{id}"));
        }
        for rule in declared.house {
            names.push(format!("house.{}", rule.id));
        }

        names.iter().map(|name| name.replace('-', "_")).collect()
    }

    /// Returns the fault of the first quoted word that is compared with a field or a house rule and is not one of its words.
    fn impossible_word(&self, text: &str) -> Option<ExpressionFault> {
        let quotes: Vec<usize> = text
            .match_indices('"')
            .map(|(position, _)| position)
            .collect();

        for pair in quotes.chunks_exact(2) {
            let before = text.get(..pair[0])?;
            let word = text.get(pair[0] + 1..pair[1])?;
            if let Some(message) = self.compare_word(before, word) {
                return Some(ExpressionFault {
                    characters: before.chars().count(),
                    message,
                });
            }
        }
        None
    }

    /// Returns an error if the name that a word is compared with never has that value. `before` is the text before the word.
    fn compare_word(&self, before: &str, word: &str) -> Option<String> {
        let name = compared_name(before.trim_end())?;
        let resolved = self.resolve(&name.replacen('.', "_", 1))?;
        let kind = match resolved {
            ResolvedName::Field(place) => self.kind_of_field(place),
            ResolvedName::HouseRule(place) => self.declared.house[place].kind(),
            _ => return None,
        };

        let error = kind.coerce(name, Value::from(word)).err()?;
        Some(error.to_string())
    }

    /// Parses an expression over the names of this scope.
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
        let constant = match value.field_value() {
            Value::Number(number) => Some(i64::from(number)),
            Value::Flag(flag) => Some(i64::from(flag)),
            _ => None,
        };
        if let Some(number) = constant {
            return Some(Expression::number(number));
        }

        match self.parse(value.text()?) {
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

    /// Compiles for this check when an effect of a condition applies. An effect that names other checks, or uses fields of
    /// other checks, never does.
    pub(super) fn bearing(&self, effect: &ConditionEffect, check: &str) -> Bearing {
        if !effect.checks.is_empty() && !effect.checks.contains(&check) {
            return Bearing::Never;
        }
        if effect.when.is_empty() {
            return Bearing::Always;
        }
        match self.parse(effect.when) {
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

    /// Returns the index of a reading or `let`, and adds it if it is new. Faults are reported at the position of `at`.
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
        if !is_identifier(written) || is_reserved(written) {
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
            // Define the name even if its expression is faulty, so that later uses of the name are not reported.
            let place = self.define(value, name, false);
            if let Some(value) = expression {
                assignments.push(Assignment { place, value });
            }
        }
        Assignments::new(assignments)
    }
}
