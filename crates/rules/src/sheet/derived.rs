//! Stats that are derived from other stats, and typed values that replace the derived ones.

use super::Sheet;
use crate::{HouseRules, Kind, Value};

impl Sheet {
    /// Returns the value derived for a stat. `None` if the stat is not derived.
    pub fn derived(&self, id: &str) -> Option<Value> {
        self.derive_at(self.position(id)?)
    }

    /// True if a stat shows its derived value, and not a typed one.
    pub fn is_derived(&self, id: &str) -> bool {
        match self.position(id) {
            Some(index) => self.derived(id).is_some() && !self.overridden.contains(&index),
            None => false,
        }
    }

    /// Updates every derived stat. A typed value stays, unless it equals the derived value.
    pub(super) fn derive_stats(&mut self) {
        for index in self.rules().derived() {
            let Some(derived) = self.derive_at(index) else {
                continue;
            };
            let is_overridden = self.overridden.contains(&index);
            if is_overridden && self.values[index] != derived {
                continue;
            }
            self.overridden.remove(&index);
            self.values_mut()[index] = derived;
        }
    }

    /// Derives the stat at an index, within the stat's bounds. `None` if it is not derived.
    pub(super) fn derive_at(&self, index: usize) -> Option<Value> {
        let default_rules = HouseRules::default();
        let lookup = self.lookup(&default_rules);
        let derived = self.rules().derive(index, lookup)?;

        match self.stats().get(index)?.kind {
            Kind::Number { min, max } => Some(Value::Number(derived.clamp(min, max))),
            _ => None,
        }
    }

    /// Sets the value at an index, updates derived stats, and returns the old value.
    ///
    /// A derived stat that is set to its start value is derived again, because older versions of the program stored the start
    /// value if no value was typed.
    pub(super) fn put(&mut self, index: usize, value: Value) -> Value {
        let is_derived = self.derive_at(index).is_some();
        let is_start = self.stats()[index].at_first() == value;
        if is_derived && !is_start {
            self.overridden.insert(index);
        } else {
            self.overridden.remove(&index);
        }

        let old_value = std::mem::replace(&mut self.values_mut()[index], value);
        self.derive_stats();
        old_value
    }
}
