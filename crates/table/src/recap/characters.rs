//! The changes of the characters in a scene: their numbers, wounds and conditions.

use serde::Deserialize as _;
use serde_json::Value as Json;

use super::CharacterNews;
use crate::SeatView;
use tableside_game::{Allegiance, Change, CharacterId, Condition, EntityRef, Part};
use tableside_rules::{Field, Kind, Value};
use tableside_text::{fold, is_same_name};

/// The changes of one stat.
#[derive(Debug)]
struct StatChange {
    stat: String,
    from: Json,
    to: Json,
    /// The smallest number in between.
    lowest: Option<i64>,
}

/// A condition that began or ended.
#[derive(Debug)]
struct ConditionChange {
    condition: Condition,
    had_before: bool,
    has_now: bool,
}

/// The changes of one character.
#[derive(Debug)]
struct Fate {
    who: CharacterId,
    stats: Vec<StatChange>,
    conditions: Vec<ConditionChange>,
    /// Messages of pools that reached a number.
    messages: Vec<String>,
}

/// Adds up the changes of characters.
#[derive(Debug, Default)]
pub(super) struct Fates(Vec<Fate>);

impl Fates {
    /// Adds a change of an entry that holds.
    pub(super) fn add(&mut self, change: &Change) {
        let EntityRef::Character(who) = change.entity else {
            return;
        };
        match &change.part {
            Part::Stat(stat) => self.fate(who).add_stat(stat, change),
            Part::Conditions => self.fate(who).add_conditions(change),
            _ => {}
        }
    }

    /// Adds the message of a pool of the character.
    pub(super) fn add_message(&mut self, who: CharacterId, message: String) {
        self.fate(who).messages.push(message);
    }

    fn fate(&mut self, who: CharacterId) -> &mut Fate {
        let mut characters = self.0.iter().map(|fate| fate.who);
        let index = match characters.position(|character| character == who) {
            Some(index) => index,
            None => {
                self.0.push(Fate {
                    who,
                    stats: Vec::new(),
                    conditions: Vec::new(),
                    messages: Vec::new(),
                });
                self.0.len() - 1
            }
        };
        &mut self.0[index]
    }

    /// The news of the visible characters, the party first.
    pub(super) fn finish(self, view: &SeatView<'_>) -> Vec<CharacterNews> {
        let mut news = Vec::new();
        for fate in self.0 {
            let Some(name) = view.redactor().name(fate.who) else {
                continue;
            };
            let changes = fate.describe(view);
            if changes.is_empty() {
                continue;
            }
            news.push(CharacterNews {
                name: name.to_owned(),
                is_in_party: is_in_party(view, fate.who),
                changes,
            });
        }
        news.sort_by_key(|character| !character.is_in_party);
        news
    }
}

impl Fate {
    fn add_stat(&mut self, stat: &str, change: &Change) {
        let number = change.to.as_i64();
        let mut stats = self.stats.iter_mut();
        if let Some(earlier) = stats.find(|earlier| earlier.stat == stat) {
            earlier.to = change.to.clone();
            earlier.lowest = match (earlier.lowest, number) {
                (Some(lowest), Some(number)) => Some(lowest.min(number)),
                (lowest, number) => lowest.or(number),
            };
            return;
        }

        self.stats.push(StatChange {
            stat: stat.to_owned(),
            from: change.from.clone(),
            to: change.to.clone(),
            lowest: number,
        });
    }

    fn add_conditions(&mut self, change: &Change) {
        let old: Vec<Condition> = change.before().unwrap_or_default();
        let new: Vec<Condition> = change.after().unwrap_or_default();
        for condition in &new {
            let had_before = has_condition(&old, &condition.name);
            let recorded = self.condition(condition, had_before);
            recorded.has_now = true;
            recorded.condition = condition.clone();
        }
        for condition in &old {
            if !has_condition(&new, &condition.name) {
                self.condition(condition, true).has_now = false;
            }
        }
    }

    fn condition(&mut self, condition: &Condition, had_before: bool) -> &mut ConditionChange {
        let mut names = self.conditions.iter().map(|change| &change.condition.name);
        let index = match names.position(|name| is_same_name(name, &condition.name)) {
            Some(index) => index,
            None => {
                self.conditions.push(ConditionChange {
                    condition: condition.clone(),
                    had_before,
                    has_now: had_before,
                });
                self.conditions.len() - 1
            }
        };
        &mut self.conditions[index]
    }

    fn describe(&self, view: &SeatView<'_>) -> Vec<String> {
        let stats = view.system().spec().stats;
        let mut changes = Vec::new();
        for field in stats {
            let mut changed_stats = self.stats.iter();
            if let Some(change) = changed_stats.find(|change| change.stat == field.id) {
                changes.extend(change.describe(field));
            }
        }
        changes.extend_from_slice(&self.messages);
        for condition in &self.conditions {
            changes.extend(condition.describe());
        }
        changes
    }
}

impl StatChange {
    /// Describes the smallest number in between, if it is below the numbers before and after.
    fn describe_lowest(&self) -> Option<String> {
        let lowest = self.lowest?;
        let from = self.from.as_i64()?;
        let to = self.to.as_i64()?;
        if lowest < from.min(to) {
            Some(format!(" ({lowest} at the lowest)"))
        } else {
            None
        }
    }

    /// Describes the change: `hit points 24 → 5 (0 at the lowest)`. `None` if the stat is as before, or no number.
    fn describe(&self, field: &Field) -> Option<String> {
        let is_unchanged = self.from == self.to && self.lowest == self.to.as_i64();
        if is_unchanged {
            return None;
        }
        let is_counted = matches!(field.kind, Kind::Number { .. } | Kind::Die);
        if !field.state && !is_counted {
            return None;
        }

        let full_label = super::markdown::in_sentence(field.label);
        // Heart Rush has a "Heart die now".
        let label = full_label.strip_suffix(" now").unwrap_or(&full_label);
        let from = describe_value(&self.from);
        let to = describe_value(&self.to);
        let lowest = self.describe_lowest().unwrap_or_default();
        Some(match (from.as_str(), to.as_str()) {
            (_, "") if !is_counted => format!("{label} gone"),
            (_, "") => return None,
            (_, to) if !is_counted => format!("{label} ({to})"),
            ("", to) => format!("{label} now {to}{lowest}"),
            (from, to) => format!("{label} {from} → {to}{lowest}"),
        })
    }
}

impl ConditionChange {
    fn describe(&self) -> Option<String> {
        let name = &self.condition.name;
        match (self.had_before, self.has_now) {
            (false, true) => Some(match self.condition.value {
                Some(value) => format!("{name} {value}"),
                None => name.clone(),
            }),
            (false, false) => Some(format!("{name} for a while")),
            (true, false) => Some(format!("no longer {name}")),
            (true, true) => None,
        }
    }
}

/// True for characters on the players' side.
pub(super) fn is_in_party(view: &SeatView<'_>, who: CharacterId) -> bool {
    view.character(who)
        .is_some_and(|character| character.side.is_with(Allegiance::Party))
}

fn has_condition(conditions: &[Condition], name: &str) -> bool {
    let folded = fold(name);
    conditions
        .iter()
        .any(|condition| fold(&condition.name) == folded)
}

/// A value of a sheet as text. Empty for a missing value.
fn describe_value(value: &Json) -> String {
    match Value::deserialize(value) {
        Ok(Value::Number(number @ ..0)) => {
            let amount = number.unsigned_abs();
            format!("−{amount}")
        }
        Ok(value) => value.to_string(),
        Err(_) => String::new(),
    }
}
