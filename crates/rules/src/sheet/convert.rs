//! Converting a sheet to other rules without losing values.

use super::Sheet;
use crate::{Field, Kind, System, Value};

impl Sheet {
    /// Converts the sheet to other rules.
    ///
    /// No value is lost. A value that these rules do not have, or have to cut, is kept aside until rules come that take
    /// it whole.
    pub fn convert_to(&self, system: System) -> Self {
        let mut sheet = Self::new(system);
        sheet.kept = self.kept.clone();
        for (stat, value) in self.iter() {
            if !self.is_derived(stat.id) {
                let uncut = self.uncut_value(stat, value).clone();
                sheet.kept.insert(stat.id.to_owned(), uncut);
            }
        }

        for (index, stat) in sheet.stats().iter().enumerate() {
            let Some(kept) = sheet.kept.get(stat.id) else {
                continue;
            };
            if let Some(value) = fit_value(stat, kept) {
                if *kept == value {
                    sheet.kept.remove(stat.id);
                }
                sheet.put(index, value);
            }
        }

        while let Some((index, bound)) = sheet.die_above_bound() {
            let stat = &sheet.stats()[index];
            let larger_die = std::mem::replace(&mut sheet.values[index], Value::Die(bound));
            sheet.kept.entry(stat.id.to_owned()).or_insert(larger_die);
        }
        sheet.derive_stats();
        sheet
    }

    /// Returns the value that a stat had before the present rules cut it, unless the stat was changed since.
    fn uncut_value<'a>(&'a self, stat: &Field, value: &'a Value) -> &'a Value {
        match self.kept.get(stat.id) {
            Some(kept) if fit_value(stat, kept).as_ref() == Some(value) => kept,
            _ => value,
        }
    }

    /// Returns the values kept aside for other rules, with the ids of their stats.
    pub fn kept(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.kept.iter().map(|(id, value)| (id.as_str(), value))
    }

    /// Keeps a value aside for other rules.
    pub fn keep(&mut self, id: &str, value: Value) {
        self.kept.insert(id.to_owned(), value);
    }
}

/// Fits a value to a stat: a number is cut to the bounds. `None` if the stat does not take it.
fn fit_value(stat: &Field, value: &Value) -> Option<Value> {
    match (stat.kind, value) {
        (Kind::Number { min, max }, Value::Number(number)) => {
            Some(Value::Number(*number.clamp(&min, &max)))
        }
        (kind, value) => kind.coerce(stat.id, value.clone()).ok(),
    }
}
