//! The values of a check's fields, each of its kind and within its bounds.

use std::hash::{Hash, Hasher};

use super::{CheckSpec, Field, HouseRules, RuleError, Value, ValueSource, Whose};
use tableside_dice::Die;

/// The values of all fields of one check, each of its field's kind and within its bounds.
#[derive(Clone, Debug)]
pub struct Fields {
    spec: &'static CheckSpec,
    values: Vec<Option<Value>>,
    /// Which values were set. The others are presets or come from a house rule. A set value counts even if it
    /// equals the preset.
    is_set: Vec<bool>,
}

/// Two checks with equal values have the same odds, whether the values were set or are presets.
impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec && self.values == other.values
    }
}

impl Eq for Fields {}

impl Hash for Fields {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.spec.hash(state);
        self.values.hash(state);
    }
}

impl Fields {
    /// The presets of that check, with these values over them.
    pub fn new<N: AsRef<str>>(
        spec: &'static CheckSpec,
        given: impl IntoIterator<Item = (N, Value)>,
    ) -> Result<Self, RuleError> {
        let mut fields = Self::presets(spec);
        for (name, value) in given {
            fields.set(name.as_ref(), value)?;
        }
        fields.complete()?;
        Ok(fields)
    }

    /// The presets alone; required fields are still open, and those that a house rule decides.
    pub fn presets(spec: &'static CheckSpec) -> Self {
        let preset = |field: &Field| field.start.clone().filter(|_| field.house.is_none());
        Self {
            spec,
            values: spec.fields.iter().map(preset).collect(),
            is_set: vec![false; spec.fields.len()],
        }
    }

    /// Fills in what was left to the house rules, so that the fields say all that was decided. A check
    /// prepared without it reads the same rules.
    pub fn decide(&mut self, house: &HouseRules) {
        for (field, value) in self.spec.fields.iter().zip(&mut self.values) {
            if let (Some(rule), None) = (field.house, &value) {
                *value = Some(Value::Number(house.number(self.spec.system, rule)));
            }
        }
    }

    /// The check that these are the fields of.
    pub fn spec(&self) -> &'static CheckSpec {
        self.spec
    }

    /// Checks that no required field is open and that no two are given which exclude each other.
    pub fn complete(&self) -> Result<(), RuleError> {
        let open = self.iter();
        let open = open.filter(|(field, value)| field.is_required() && value.is_none());
        let open = open.map(|(field, _)| (field.id.to_owned(), field.describe()));
        let open: Vec<(String, String)> = open.collect();
        if !open.is_empty() {
            return Err(RuleError::Missing(open));
        }
        self.spec.fields.iter().try_for_each(|field| {
            let other = field.excludes.and_then(|id| self.spec.field(id));
            other.map_or(Ok(()), |other| self.check_pair(field, other))
        })
    }

    /// Checks that no two fields are given which exclude each other, also if others are still open.
    pub fn check_exclusions(&self) -> Result<(), RuleError> {
        for field in self.spec.fields {
            let Some(other) = field.excludes.and_then(|id| self.spec.field(id)) else {
                continue;
            };
            if let Err(both @ RuleError::Both(..)) = self.check_pair(field, other) {
                return Err(both);
            }
        }

        Ok(())
    }

    fn check_pair(&self, field: &'static Field, other: &'static Field) -> Result<(), RuleError> {
        let given = |field: &Field| {
            let value = self.value(field.id);
            value.is_some() && value != field.start.as_ref()
        };
        match (given(field), given(other)) {
            (true, true) => Err(RuleError::Both(field.id, other.id)),
            (false, false) if field.optional => Err(RuleError::Neither(
                field.id,
                field.describe(),
                other.id,
                other.describe(),
            )),
            _ => Ok(()),
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.spec.fields.iter().position(|field| field.id == name)
    }

    /// Gives a field a value.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), RuleError> {
        let index = self.position(name).ok_or_else(|| self.unknown(name))?;
        self.values[index] = Some(self.spec.fields[index].kind.coerce(name, value)?);
        self.is_set[index] = true;
        Ok(())
    }

    /// The error that no field has that name; it says which there are.
    pub fn unknown(&self, name: &str) -> RuleError {
        let no = format!("{} has no field", self.spec.id);
        let known = self.spec.fields.iter().map(|field| field.id);
        RuleError::unknown(&no, name, "its fields are", known)
    }

    /// True if the field's value was set, also if it was set to the preset.
    pub fn is_set(&self, name: &str) -> bool {
        let index = self.position(name);
        index.is_some_and(|index| self.is_set[index])
    }

    /// True if the field has the value that it has when nobody gives one: its preset, or the number of its house rule.
    pub fn is_preset(&self, field: &Field) -> bool {
        if field.house.is_some() {
            return !self.is_set(field.id);
        }
        self.value(field.id) == field.start.as_ref()
    }

    /// Takes a field's value away, so that it is what it is without one: its preset, left out, open, or for its house
    /// rule to decide.
    pub fn clear(&mut self, name: &str) {
        if let Some(index) = self.position(name) {
            let field = &self.spec.fields[index];
            self.values[index] = if field.house.is_some() {
                None
            } else {
                field.start.clone()
            };
            self.is_set[index] = false;
        }
    }

    /// A field's value, if it has one.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(self.position(name)?)?.as_ref()
    }

    /// Every field with its value, in the check's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Field, Option<&Value>)> + '_ {
        let values = self.values.iter().map(Option::as_ref);
        self.spec.fields.iter().zip(values)
    }

    /// The fields that JSON shows: all, but of two that exclude each other the one given.
    pub fn shown(&self) -> impl Iterator<Item = (&'static str, Option<&Value>)> + '_ {
        let shown =
            |(field, value): &(&Field, Option<_>)| field.excludes.is_none() || value.is_some();
        let shown = self.iter().filter(shown);
        shown.map(|(field, value)| (field.id, value))
    }

    /// The field that names what is rolled against, where it is given: the last that names its numbers and is not read
    /// off the sheet of the one who rolls.
    pub(super) fn naming_target(&self) -> Option<&'static Field> {
        let is_own =
            |field: &Field| field.source != ValueSource::Table && field.whose == Whose::Own;
        let naming = |(field, _): &(&Field, _)| !field.names.is_empty() && !is_own(field);
        let (field, value) = self.iter().filter(naming).last()?;
        value.map(|_| field)
    }

    /// A die; a check asks only for fields that it describes.
    ///
    /// # Panics
    /// When the check has no such field or it is no die.
    pub fn die(&self, name: &str) -> Die {
        let die = self.value(name).and_then(Value::die);
        die.expect("the check describes this field as a die")
    }

    /// A number; `None` if it was left out.
    pub fn maybe_number(&self, name: &str) -> Option<i32> {
        self.value(name)?.number()
    }

    /// A number; a check asks only for fields that it describes.
    ///
    /// # Panics
    /// When the check has no such field or it is no number.
    pub fn number(&self, name: &str) -> i32 {
        self.maybe_number(name)
            .expect("the check describes this field as a number")
    }

    /// Whether a flag is on.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Flag(true)))
    }

    /// The place of a word among those that its field takes; 0 where it was left out.
    pub fn place(&self, name: &str) -> i32 {
        let field = self.spec.field(name);
        field.map_or(0, |field| field.kind.place(self.text(name)))
    }

    /// A word or text; empty where it was left out.
    pub fn text(&self, name: &str) -> &str {
        self.value(name).and_then(Value::text).unwrap_or_default()
    }
}
