//! The fields of a check with their values, each with the sheet that it comes from.

use std::collections::BTreeMap;

use super::{Origin, Result};
use tableside_rules::{Field, Fields, HouseRules, Value};

/// The fields of a check, as far as they have been filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Required fields may still be empty.
    pub fields: Fields,
    /// The fields whose values come from a sheet: `ability` from `Agility`.
    pub sources: BTreeMap<String, Origin>,
}

/// A value for a field, and the sheet that it comes from.
pub(super) struct SourcedValue {
    pub(super) value: Value,
    /// Empty for a value that does not come from a sheet.
    pub(super) source: Origin,
}

/// The fields that a roll records.
pub struct RecordedFields {
    pub values: BTreeMap<String, Value>,
    pub sources: BTreeMap<String, Origin>,
}

impl SourcedValue {
    pub(super) fn new(value: Value, source: impl Into<Origin>) -> Self {
        Self {
            value,
            source: source.into(),
        }
    }
}

impl Filled {
    /// The field with this id. The error lists the fields that the check has.
    pub fn field(&self, id: &str) -> Result<&'static Field> {
        match self.fields.spec().field(id) {
            Some(field) => Ok(field),
            None => Err(self.fields.unknown(id).into()),
        }
    }

    /// The sheet that a field's value comes from. `None` for a typed value or a preset.
    pub fn source(&self, id: &str) -> Option<&Origin> {
        self.sources.get(id)
    }

    /// The name of a field's value on the roller's own sheet.
    pub fn name_of(&self, id: &str) -> Option<&str> {
        self.source(id)?.name()
    }

    /// True if a player typed the field's value, so that neither the sheet nor a condition nor a helper changes it.
    pub fn is_given(&self, field: &Field) -> bool {
        self.fields.is_set(field.id) && self.source(field.id).is_none()
    }

    /// Fills the fields that name a locked attempt with the name of the tested skill, if they are empty.
    pub(super) fn name_attempts(&mut self, house_rules: &HouseRules) -> Result<()> {
        let spec = self.fields.spec();
        let tested = spec
            .fields
            .iter()
            .filter(|field| field.is_tested())
            .find_map(|field| self.name_of(field.id));
        let Some(tested) = tested.map(str::to_owned) else {
            return Ok(());
        };

        for lock in spec.may_lock(&self.fields, house_rules) {
            let is_unnamed = lock.about.trim().is_empty();
            if let Some(field) = lock.field
                && is_unnamed
            {
                self.fields.set(field.id, tested.as_str().into())?;
            }
        }
        Ok(())
    }

    /// Removes the value of a field and its source.
    pub(super) fn clear(&mut self, field: &Field) {
        self.fields.clear(field.id);
        self.sources.remove(field.id);
    }

    /// Sets a field. Of two optional fields that exclude each other, the one set last counts.
    pub(super) fn put(&mut self, field: &Field, sourced: SourcedValue) -> Result<()> {
        self.fields.set(field.id, sourced.value)?;

        if let Some(excluded) = field.excludes
            && let Some(excluded) = self.fields.spec().field(excluded)
            && excluded.optional
        {
            self.clear(excluded);
        }

        if sourced.source.is_empty() {
            self.sources.remove(field.id);
        } else {
            self.sources.insert(field.id.to_owned(), sourced.source);
        }
        Ok(())
    }

    /// The values that a roll records: those that were typed or come from a sheet.
    ///
    /// A typed value is recorded even if it equals the preset. Otherwise a house rule or a condition would fill the
    /// field when the roll is read again.
    pub fn recorded(self) -> RecordedFields {
        let mut values = BTreeMap::new();
        for (field, value) in self.fields.iter() {
            let is_recorded = self.fields.is_set(field.id)
                || !self.fields.is_preset(field)
                || self.sources.contains_key(field.id);
            if let Some(value) = value
                && is_recorded
            {
                values.insert(field.id.to_owned(), value.recorded());
            }
        }

        RecordedFields {
            values,
            sources: self.sources,
        }
    }
}
