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
        let index = self.0.iter().position(|fate| fate.who == who);
        let index = index.unwrap_or_else(|| {
            self.0.push(Fate {
                who,
                stats: Vec::new(),
                conditions: Vec::new(),
                messages: Vec::new(),
            });
            self.0.len() - 1
        });
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
        match self.stats.iter_mut().find(|known| known.stat == stat) {
            Some(known) => {
                known.to = change.to.clone();
                known.lowest = match (known.lowest, number) {
                    (Some(lowest), Some(number)) => Some(lowest.min(number)),
                    (lowest, number) => lowest.or(number),
                };
            }
            None => self.stats.push(StatChange {
                stat: stat.to_owned(),
                from: change.from.clone(),
                to: change.to.clone(),
                lowest: number,
            }),
        }
    }

    fn add_conditions(&mut self, change: &Change) {
        let old: Vec<Condition> = change.before().unwrap_or_default();
        let new: Vec<Condition> = change.after().unwrap_or_default();
        for condition in &new {
            let had_before = has_condition(&old, &condition.name);
            let known = self.condition(condition, had_before);
            known.has_now = true;
            known.condition = condition.clone();
        }
        for condition in &old {
            if !has_condition(&new, &condition.name) {
                self.condition(condition, true).has_now = false;
            }
        }
    }

    fn condition(&mut self, condition: &Condition, had_before: bool) -> &mut ConditionChange {
        let name = &condition.name;
        let index = self
            .conditions
            .iter()
            .position(|known| is_same_name(&known.condition.name, name));
        let index = index.unwrap_or_else(|| {
            self.conditions.push(ConditionChange {
                condition: condition.clone(),
                had_before,
                has_now: had_before,
            });
            self.conditions.len() - 1
        });
        &mut self.conditions[index]
    }

    fn describe(&self, view: &SeatView<'_>) -> Vec<String> {
        let stats = view.system().spec().stats;
        let mut changes = Vec::new();
        for field in stats {
            let changed = self.stats.iter().find(|change| change.stat == field.id);
            changes.extend(changed.and_then(|change| change.describe(field)));
        }
        changes.extend(self.messages.iter().cloned());
        changes.extend(self.conditions.iter().filter_map(ConditionChange::describe));
        changes
    }
}

impl StatChange {
    /// Describes the change: `hit points 24 → 5 (0 at the lowest)`. `None` if the stat is as before, or no number.
    fn describe(&self, field: &Field) -> Option<String> {
        let is_counted = matches!(field.kind, Kind::Number { .. } | Kind::Die);
        if self.from == self.to && self.lowest == self.to.as_i64() {
            return None;
        }
        if !field.state && !is_counted {
            return None;
        }

        let label = super::markdown::in_sentence(field.label);
        // Heart Rush has a "Heart die now".
        let label = label.strip_suffix(" now").unwrap_or(&label);
        let from = describe_value(&self.from);
        let to = describe_value(&self.to);
        let lowest = match (self.lowest, self.from.as_i64(), self.to.as_i64()) {
            (Some(lowest), Some(from), Some(to)) if lowest < from.min(to) => {
                format!(" ({lowest} at the lowest)")
            }
            _ => String::new(),
        };
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
        Ok(Value::Number(number @ ..0)) => format!("−{}", number.unsigned_abs()),
        Ok(value) => value.to_string(),
        Err(_) => String::new(),
    }
}
