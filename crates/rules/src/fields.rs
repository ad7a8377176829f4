//! The values of a check's fields.

use std::hash::{Hash, Hasher};

use super::{CheckSpec, Field, HouseRules, MissingValue, RuleError, Value, ValueSource, Whose};
use tableside_dice::Die;

/// The values of the fields of one check. Each value is of its field's kind and within its bounds.
#[derive(Clone, Debug)]
pub struct Fields {
    spec: &'static CheckSpec,
    values: Vec<Option<Value>>,
    /// For each value, true if it was set, even if it was set to the preset. The other values are presets or come from
    /// a house rule.
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
    /// Creates the fields of a check from its presets and these values.
    ///
    /// # Errors
    /// If a name or a value is wrong, or as for [`Self::complete`].
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

    /// Creates the fields of a check from its presets. Required fields have no value yet, nor have fields whose default
    /// is a house rule.
    pub fn presets(spec: &'static CheckSpec) -> Self {
        Self {
            spec,
            values: spec.fields.iter().map(preset).collect(),
            is_set: vec![false; spec.fields.len()],
        }
    }

    /// Gives each field whose default is a house rule the number of that rule, if it has no value yet. The log then
    /// shows the number. A check that is prepared without this call uses the same numbers.
    pub fn decide(&mut self, house: &HouseRules) {
        let fields = self.spec.fields.iter();
        for (field, value) in fields.zip(&mut self.values) {
            if let Some(rule) = field.house
                && value.is_none()
            {
                let number = house.number(self.spec.system, rule);
                *value = Some(Value::Number(number));
            }
        }
    }

    /// The description of the check.
    pub fn spec(&self) -> &'static CheckSpec {
        self.spec
    }

    /// Checks that each required field has a value, and that fields do not exclude each other.
    ///
    /// # Errors
    /// If a required value is missing, or two fields exclude each other.
    pub fn complete(&self) -> Result<(), RuleError> {
        let mut missing = Vec::new();
        for (field, value) in self.iter() {
            if field.is_required() && value.is_none() {
                missing.push(MissingValue {
                    id: field.id,
                    name: field.name_with_id(),
                    takes: field.describe(),
                });
            }
        }
        if !missing.is_empty() {
            return Err(RuleError::Missing(missing));
        }

        for (field, excluded) in self.exclusions() {
            self.check_pair(field, excluded)?;
        }
        Ok(())
    }

    /// Checks that fields do not exclude each other. Values may be missing.
    ///
    /// # Errors
    /// If two fields exclude each other.
    pub fn check_exclusions(&self) -> Result<(), RuleError> {
        for (field, excluded) in self.exclusions() {
            let checked = self.check_pair(field, excluded);
            if matches!(checked, Err(RuleError::Both(..))) {
                return checked;
            }
        }
        Ok(())
    }

    /// Returns the pairs of fields that exclude each other.
    fn exclusions(&self) -> impl Iterator<Item = (&'static Field, &'static Field)> + '_ {
        self.spec.fields.iter().filter_map(|field| {
            let excluded = self.spec.field(field.excludes?)?;
            Some((field, excluded))
        })
    }

    /// Checks that at most one of two fields is given, and at least one if both may be left out.
    fn check_pair(&self, field: &'static Field, excluded: &'static Field) -> Result<(), RuleError> {
        match (self.is_given(field), self.is_given(excluded)) {
            (true, true) => Err(RuleError::Both(field.id, excluded.id)),
            (false, false) if field.optional => Err(RuleError::Neither(
                field.name_with_id(),
                field.describe(),
                excluded.name_with_id(),
                excluded.describe(),
            )),
            _ => Ok(()),
        }
    }

    /// True if a field has a value that is not its default.
    fn is_given(&self, field: &Field) -> bool {
        let value = self.value(field.id);
        value.is_some() && value != field.start.as_ref()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.spec.fields.iter().position(|field| field.id == name)
    }

    /// Sets a field.
    ///
    /// # Errors
    /// If the check has no such field, or if the field does not accept the value.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), RuleError> {
        let Some(index) = self.position(name) else {
            return Err(self.unknown(name));
        };
        let field = &self.spec.fields[index];
        let value = field.kind.coerce(&field.name_with_id(), value)?;
        self.values[index] = Some(value);
        self.is_set[index] = true;
        Ok(())
    }

    /// Returns the error that the check has no field of this name.
    pub fn unknown(&self, name: &str) -> RuleError {
        let problem = format!("{} has no field", self.spec.id);
        let ids = self.spec.fields.iter().map(|field| field.id);
        RuleError::unknown(&problem, name, "its fields are", ids)
    }

    /// True if the field's value was set, even to the preset.
    pub fn is_set(&self, name: &str) -> bool {
        match self.position(name) {
            Some(index) => self.is_set[index],
            None => false,
        }
    }

    /// True if the field has its preset or the number of its house rule.
    pub fn is_preset(&self, field: &Field) -> bool {
        if field.house.is_some() {
            return !self.is_set(field.id);
        }
        self.value(field.id) == field.start.as_ref()
    }

    /// Resets a field to its preset. Fields without a preset lose their value.
    pub fn clear(&mut self, name: &str) {
        if let Some(index) = self.position(name) {
            self.values[index] = preset(&self.spec.fields[index]);
            self.is_set[index] = false;
        }
    }

    /// Returns the value of a field.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(self.position(name)?)?.as_ref()
    }

    /// False for a field whose needed number ([`Field::needs`]) is 0.
    pub fn has_effect(&self, field: &Field) -> bool {
        let needed_number = field.needs.and_then(|needed| self.maybe_number(needed));
        needed_number != Some(0)
    }

    /// Returns every field with its value, in the check's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Field, Option<&Value>)> + '_ {
        let values = self.values.iter().map(Option::as_ref);
        self.spec.fields.iter().zip(values)
    }

    /// Returns the ids and values that JSON shows. It shows all fields, except those that exclude another field and
    /// have no value.
    pub fn shown(&self) -> impl Iterator<Item = (&'static str, Option<&Value>)> + '_ {
        self.iter()
            .filter(|(field, value)| field.excludes.is_none() || value.is_some())
            .map(|(field, value)| (field.id, value))
    }

    /// Returns the field whose names describe the target number. `None` if the field has no value.
    ///
    /// It is the last field with named numbers that is not read from the roller's sheet.
    pub(super) fn naming_target(&self) -> Option<&'static Field> {
        let (field, value) = self
            .iter()
            .filter(|(field, _)| !field.names.is_empty())
            .filter(|(field, _)| !is_from_own_sheet(field))
            .last()?;

        if value.is_some() { Some(field) } else { None }
    }

    /// Returns the die of a field.
    ///
    /// # Panics
    /// If the check has no such field, or the field is not a die.
    pub fn die(&self, name: &str) -> Die {
        self.value(name)
            .and_then(Value::die)
            .expect("the check describes this field as a die")
    }

    /// Returns the number of a field. `None` if it has no value.
    pub fn maybe_number(&self, name: &str) -> Option<i32> {
        self.value(name)?.number()
    }

    /// Returns the number of a field.
    ///
    /// # Panics
    /// If the check has no such field, or the field is not a number.
    pub fn number(&self, name: &str) -> i32 {
        self.maybe_number(name)
            .expect("the check describes this field as a number")
    }

    /// True if a flag is on.
    pub fn flag(&self, name: &str) -> bool {
        matches!(self.value(name), Some(Value::Flag(true)))
    }

    /// Returns the index of the field's word in the list of its words; 0 if the field has no value.
    pub fn place(&self, name: &str) -> i32 {
        match self.spec.field(name) {
            Some(field) => field.kind.place(self.text(name)),
            None => 0,
        }
    }

    /// Returns a word or text, empty if the field has no value.
    pub fn text(&self, name: &str) -> &str {
        self.value(name).and_then(Value::text).unwrap_or_default()
    }
}

/// True if the field is read from the sheet of the rolling character.
fn is_from_own_sheet(field: &Field) -> bool {
    field.source != ValueSource::Table && field.whose == Whose::Own
}

/// Returns the preset of a field. A field whose default is a house rule has none.
fn preset(field: &Field) -> Option<Value> {
    if field.house.is_some() {
        None
    } else {
        field.start.clone()
    }
}
