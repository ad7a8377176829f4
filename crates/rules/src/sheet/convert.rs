//! Converting a sheet to other rules without losing values.

use super::Sheet;
use crate::{Field, Kind, System, Value};

impl Sheet {
    /// Converts the sheet to other rules.
    ///
    /// No value is lost. If these rules do not have the stat, or its number is outside their bounds, the old value is
    /// kept until the sheet is converted to rules that accept it.
    pub fn convert_to(&self, system: System) -> Self {
        let mut sheet = Self::new(system);
        sheet.kept = self.kept.clone();
        for (stat, value) in self.iter() {
            if self.is_derived(stat.id) {
                continue;
            }
            let original = self.original_value(stat, value);
            sheet.keep(stat.id, original.clone());
        }

        for (index, stat) in sheet.stats().iter().enumerate() {
            let Some(kept) = sheet.kept.get(stat.id) else {
                continue;
            };
            let Some(value) = fit_value(stat, kept) else {
                continue;
            };
            if *kept == value {
                sheet.kept.remove(stat.id);
            }
            sheet.put(index, value);
        }

        while let Some((index, bound)) = sheet.die_above_bound() {
            let id = sheet.stats()[index].id.to_owned();
            let bounded_die = Value::Die(bound);
            let larger_die = std::mem::replace(&mut sheet.values_mut()[index], bounded_die);
            sheet.kept.entry(id).or_insert(larger_die);
        }
        sheet.derive_stats();
        sheet
    }

    /// Returns the value that a stat had before the present rules limited it to `value`. If the stat was changed since then,
    /// returns `value`.
    fn original_value<'a>(&'a self, stat: &Field, value: &'a Value) -> &'a Value {
        let Some(kept) = self.kept.get(stat.id) else {
            return value;
        };
        let limited = fit_value(stat, kept);
        if limited.as_ref() == Some(value) {
            kept
        } else {
            value
        }
    }

    /// Returns the values that are kept for other rules, with the ids of their stats.
    pub fn kept(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.kept.iter().map(|(id, value)| (id.as_str(), value))
    }

    /// Keeps a value for other rules that have this stat.
    pub fn keep(&mut self, id: &str, value: Value) {
        self.kept.insert(id.to_owned(), value);
    }
}

/// Fits a value to a stat. A number is limited to the bounds of the stat. `None` if the stat does not accept the value.
fn fit_value(stat: &Field, value: &Value) -> Option<Value> {
    let fitting_value = match (stat.kind, value) {
        (Kind::Number { min, max }, Value::Number(number)) => {
            let limited = *number.clamp(&min, &max);
            Value::Number(limited)
        }
        _ => value.clone(),
    };
    stat.kind.coerce(stat.id, fitting_value).ok()
}
