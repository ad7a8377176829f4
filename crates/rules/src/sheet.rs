//! The values of a character's stats. The system describes the stats and the values that they take.

mod convert;
mod derived;
mod state;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::ser::{Serialize, Serializer};

use super::system_file::{ExpressionValue, ResolvedName, SheetRules};
use super::{Field, HouseRules, Kind, MissingValue, RuleError, System, Value};
use tableside_dice::Die;

/// The end of the id of a stat that is the maximum of another stat: `hit-points-most`.
const MAXIMUM: &str = "-most";

/// The values of one character's stats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    system: System,
    /// The values in the order of the system's stats. Values of derived stats are up to date.
    /// Copies of a sheet share the values until one copy changes.
    values: Arc<Vec<Value>>,
    /// The indices of derived stats whose value was typed instead of derived.
    overridden: BTreeSet<usize>,
    /// Values that the sheet had under other rules and that do not fit the present rules, by the ids of their stats.
    /// The sheet uses them again when the game returns to rules that they fit.
    kept: BTreeMap<String, Value>,
}

impl Sheet {
    /// Creates the sheet of a new character.
    pub fn new(system: System) -> Self {
        let mut sheet = Self {
            system,
            values: Arc::default(),
            overridden: BTreeSet::new(),
            kept: BTreeMap::new(),
        };
        let first_values = sheet.stats().iter().map(Field::at_first).collect();
        sheet.values = Arc::new(first_values);
        sheet.derive_stats();
        sheet
    }

    /// Creates a sheet from the values of a file. A derived stat without a value is derived.
    ///
    /// # Errors
    /// If another stat is missing, if a value is wrong, or if a die is larger than its bound.
    pub fn from_values(
        system: System,
        mut value_of: impl FnMut(&str) -> Option<Value>,
    ) -> Result<Self, RuleError> {
        let mut sheet = Self::new(system);
        let mut overrides = Vec::new();

        for (index, stat) in sheet.stats().iter().enumerate() {
            let is_derived = sheet.derive_at(index).is_some();
            let Some(value) = value_of(stat.id) else {
                // Older games lack texts that their system has since got.
                if is_derived || matches!(stat.kind, Kind::Text) {
                    continue;
                }
                let missing = MissingValue {
                    id: stat.id,
                    name: format!("the stat {}", stat.id),
                    takes: stat.describe(),
                };
                return Err(RuleError::Missing(vec![missing]));
            };

            let value = stat.kind.coerce(stat.id, value)?;
            if is_derived {
                overrides.push((index, value));
            } else {
                sheet.values_mut()[index] = value;
            }
        }

        // Whether a value differs from the derived one depends on the other stats, so set those first.
        sheet.derive_stats();
        for (index, value) in overrides {
            sheet.put(index, value);
        }
        sheet.check_bounds()?;
        Ok(sheet)
    }

    /// The system.
    pub fn system(&self) -> System {
        self.system
    }

    /// Returns every stat with its value, in the system's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Field, &Value)> + '_ {
        self.stats().iter().zip(self.values.iter())
    }

    /// Returns the description of a stat.
    ///
    /// # Errors
    /// If the system has no such stat. The message suggests the nearest one.
    pub fn stat(&self, id: &str) -> Result<&'static Field, RuleError> {
        if let Some(index) = self.position(id) {
            return Ok(&self.stats()[index]);
        }

        let problem = format!("a sheet of {} has no stat", self.system);
        let ids = self.stats().iter().map(|stat| stat.id);
        Err(RuleError::unknown(&problem, id, "it has", ids))
    }

    /// Returns the value of a stat.
    pub fn value(&self, id: &str) -> Option<&Value> {
        self.values.get(self.position(id)?)
    }

    /// Returns the die of a stat.
    pub fn die(&self, id: &str) -> Option<Die> {
        self.value(id)?.die()
    }

    /// Returns the number of a stat.
    pub fn number(&self, id: &str) -> Option<i32> {
        self.value(id)?.number()
    }

    /// Returns the entries of a list, empty if the sheet has no such list.
    pub fn ranks(&self, id: &str) -> &[(String, i32)] {
        self.value(id).and_then(Value::ranks).unwrap_or_default()
    }

    /// Sets a stat. If the stat is the upper bound of another die, that die is lowered to the bound: a reduced heart die is
    /// never larger than the heart die.
    ///
    /// # Errors
    /// If the value does not fit the stat, or is a die larger than its bound. The sheet then keeps its old value.
    pub fn set(&mut self, id: &str, value: Value) -> Result<(), RuleError> {
        let stat = self.stat(id)?;
        let value = stat.kind.coerce(stat.label, value)?;
        let Some(index) = self.position(id) else {
            return Ok(());
        };

        let old_value = self.put(index, value);
        if stat.at_most.is_some() {
            let checked = self.check_bounds();
            if checked.is_err() {
                self.values_mut()[index] = old_value;
                self.derive_stats();
            }
            return checked;
        }

        while let Some((index, bound)) = self.die_above_bound() {
            self.values_mut()[index] = Value::Die(bound);
        }
        self.derive_stats();
        Ok(())
    }

    /// Fills in values that were left out: a present value from its maximum, a shrunken die from the whole one. `given`
    /// lists the stats that were not left out.
    pub fn follow_maximums(&mut self, given: &[&str]) {
        let mut followers = Vec::new();
        for (stat, _) in self.iter() {
            let maximum = match (stat.at_most, stat.kind) {
                (Some(bound), _) => bound.to_owned(),
                (None, Kind::Number { .. }) => format!("{}{MAXIMUM}", stat.id),
                _ => continue,
            };
            if given.contains(&stat.id) || !given.contains(&maximum.as_str()) {
                continue;
            }
            if let Some(value) = self.value(&maximum) {
                followers.push((stat.id, value.clone()));
            }
        }

        for (id, value) in followers {
            // A value that does not fit leaves the stat at its start.
            self.set(id, value).ok();
        }
    }

    /// Fills in maximums that were left out, from the present values: a creature with 7 hit points has at most 7.
    pub fn raise_maximums(&mut self, given: &[&str]) {
        for id in given {
            let maximum = format!("{id}{MAXIMUM}");
            let is_given = given.contains(&maximum.as_str());
            let Some(value) = self.value(id).cloned() else {
                continue;
            };
            if !is_given && self.position(&maximum).is_some() {
                // A value that does not fit leaves the maximum at its start.
                self.set(&maximum, value).ok();
            }
        }
    }

    /// Sets a stat to the value of a logged event. Other dice are not lowered to their bounds, because the event lists every
    /// change.
    ///
    /// # Errors
    /// If the value does not fit the stat.
    pub fn record(&mut self, id: &str, value: Value) -> Result<(), RuleError> {
        let stat = self.stat(id)?;
        let value = stat.kind.coerce(id, value)?;
        if let Some(index) = self.position(id) {
            self.put(index, value);
        }
        Ok(())
    }

    /// Checks that no die is larger than its bound.
    ///
    /// # Errors
    /// If a die is larger.
    pub fn check_bounds(&self) -> Result<(), RuleError> {
        let Some((index, _)) = self.die_above_bound() else {
            return Ok(());
        };

        let stat = &self.stats()[index];
        let die = self.values[index].to_string();
        Err(RuleError::wrong(stat.id, stat.describe(), &die))
    }

    /// Returns the index of the first die that is larger than its bound, and the bound.
    fn die_above_bound(&self) -> Option<(usize, Die)> {
        for (index, (stat, value)) in self.iter().enumerate() {
            let Some(bound) = stat.at_most.and_then(|id| self.die(id)) else {
                continue;
            };
            if value.die() > Some(bound) {
                return Some((index, bound));
            }
        }
        None
    }

    fn values_mut(&mut self) -> &mut Vec<Value> {
        Arc::make_mut(&mut self.values)
    }

    fn position(&self, id: &str) -> Option<usize> {
        self.stats().iter().position(|stat| stat.id == id)
    }

    /// The descriptions of the system's stats.
    fn stats(&self) -> &'static [Field] {
        self.system.spec().stats
    }

    /// The system's rules for sheets.
    fn rules(&self) -> &'static SheetRules {
        &self.system.spec().sheet_rules
    }

    /// Returns a function that looks up the names in an expression about sheets.
    pub(super) fn lookup<'a>(
        &'a self,
        house: &'a HouseRules,
    ) -> impl Fn(ResolvedName) -> ExpressionValue + Copy + 'a {
        move |name| {
            let value = match name {
                ResolvedName::Field(index) => self.values.get(index).map(ExpressionValue::from),
                ResolvedName::HouseRule(index) => house.expression_value(self.system, index),
                ResolvedName::Sum(index) => {
                    let ranks = self.values.get(index).and_then(Value::ranks);
                    ranks.map(|ranks| {
                        let sum = i64::from(sum_ranks(ranks));
                        ExpressionValue::Number(sum)
                    })
                }
                ResolvedName::Place(_) | ResolvedName::Step(_) => None,
            };
            value.unwrap_or_default()
        }
    }
}

fn sum_ranks(ranks: &[(String, i32)]) -> i32 {
    ranks.iter().map(|(_, rank)| rank).sum()
}

impl Serialize for Sheet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(stat, value)| (stat.id, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_derived_from_a_bounded_die_follows_it() {
        let stat = r#"[[stat]]
id = "vigor"
label = "Vigor"
kind = "number"
min = 0
max = 99
start = 0
derived = "stat.heart_now"

[[stat]]
"#;
        let text = System::HEART_RUSH.text().replacen("[[stat]]\n", stat, 1);
        let system = System::of_file(&text, false).unwrap();
        let mut sheet = Sheet::new(system);
        let d10 = Value::Die(Die::D10);
        sheet.set("heart", d10.clone()).unwrap();
        sheet.set("heart-now", d10).unwrap();
        assert_eq!(sheet.value("vigor"), Some(&Value::Number(10)));

        sheet.set("heart", Value::Die(Die::D6)).unwrap();
        assert_eq!(sheet.value("vigor"), Some(&Value::Number(6)));

        sheet.set("heart-now", Value::Die(Die::D12)).unwrap_err();
        assert_eq!(sheet.value("vigor"), Some(&Value::Number(6)));
    }
}
