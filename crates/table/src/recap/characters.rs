//! The changes of the characters in a scene: their numbers, wounds and conditions.

use serde::Deserialize as _;
use serde_json::Value as Json;

use super::markdown::in_sentence;
use super::{ChangedCharacter, CharacterChange, ClockMove, ConditionCourse, ListEntry};
use crate::SeatView;
use tableside_game::{Allegiance, Change, Character, CharacterId, Condition, EntityRef, Part};
use tableside_rules::{Field, HIT_POINTS, Kind, Value};
use tableside_text::{fold, is_same_name};

/// The changes of one stat.
#[derive(Debug)]
struct StatChange {
    stat: String,
    from: Json,
    to: Json,
    /// The smallest value during the scene.
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
struct CharacterSum {
    who: CharacterId,
    stats: Vec<StatChange>,
    conditions: Vec<ConditionChange>,
    /// The messages of thresholds that pools reached.
    messages: Vec<String>,
    /// The movements of clocks that the rules give to the character, such as healing.
    clocks: Vec<ClockMove>,
}

/// Adds up the changes of characters.
#[derive(Debug, Default)]
pub(super) struct CharacterSums(Vec<CharacterSum>);

impl CharacterSums {
    /// Adds a change of an entry that was not undone or replaced.
    pub(super) fn add(&mut self, change: &Change) {
        let EntityRef::Character(who) = change.entity else {
            return;
        };
        match &change.part {
            Part::Stat(stat) => self.sum_of(who).add_stat(stat, change),
            Part::Conditions => self.sum_of(who).add_conditions(change),
            _ => {}
        }
    }

    /// Adds the message of a threshold that a pool of the character reached.
    pub(super) fn add_message(&mut self, who: CharacterId, message: String) {
        self.sum_of(who).messages.push(message);
    }

    /// Adds the movement of a clock that the rules give to the character.
    pub(super) fn add_clock(&mut self, who: CharacterId, clock: ClockMove) {
        self.sum_of(who).clocks.push(clock);
    }

    fn sum_of(&mut self, who: CharacterId) -> &mut CharacterSum {
        let index = self.0.iter().position(|sum| sum.who == who);
        let index = index.unwrap_or_else(|| {
            self.0.push(CharacterSum {
                who,
                stats: Vec::new(),
                conditions: Vec::new(),
                messages: Vec::new(),
                clocks: Vec::new(),
            });
            self.0.len() - 1
        });
        &mut self.0[index]
    }

    /// Describes the changes of the visible characters, the party first.
    pub(super) fn finish(self, view: &SeatView<'_>) -> Vec<ChangedCharacter> {
        let mut changed = Vec::new();
        for sum in self.0 {
            let Some(name) = view.redactor().name(sum.who) else {
                continue;
            };
            let who = sum.who;
            let changes = sum.describe(view);
            if changes.is_empty() {
                continue;
            }
            changed.push(ChangedCharacter {
                name: name.to_owned(),
                is_in_party: is_in_party(view, who),
                changes,
            });
        }
        changed.sort_by_key(|character| !character.is_in_party);
        changed
    }
}

impl CharacterSum {
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

    fn describe(self, view: &SeatView<'_>) -> Vec<CharacterChange> {
        let stats = view.system().spec().stats;
        let character = view.character(self.who);
        let mut changes = Vec::new();
        for field in stats {
            let changed = self.stats.iter().find(|change| change.stat == field.id);
            changes.extend(changed.and_then(|change| change.describe(field, character)));
        }
        for text in self.messages {
            changes.push(CharacterChange::Message { text });
        }
        changes.extend(self.conditions.iter().filter_map(ConditionChange::describe));
        changes.extend(self.clocks.into_iter().map(CharacterChange::Clock));
        changes
    }
}

impl StatChange {
    /// Describes the change. `None` if the stat is unchanged, or if it is neither a number or die nor part of the character's state.
    fn describe(&self, field: &Field, character: Option<&Character>) -> Option<CharacterChange> {
        if self.from == self.to && self.lowest == self.to.as_i64() {
            return None;
        }
        let label = in_sentence(field.label);
        // Heart Rush has a stat "Heart die now", which the recap calls "heart die".
        let label = label.strip_suffix(" now").unwrap_or(&label).to_owned();

        let is_counted = matches!(field.kind, Kind::Number { .. } | Kind::Die);
        if is_counted {
            self.describe_number(field, label, character)
        } else if field.state {
            self.describe_entries(field, label)
        } else {
            None
        }
    }

    fn describe_number(
        &self,
        field: &Field,
        label: String,
        character: Option<&Character>,
    ) -> Option<CharacterChange> {
        let (Some(from), Some(to)) = (self.from.as_i64(), self.to.as_i64()) else {
            let to = describe_value(&self.to);
            let from = describe_value(&self.from);
            return if to.is_empty() || from == to {
                None
            } else {
                Some(CharacterChange::Value { label, from, to })
            };
        };

        let most = if field.id == HIT_POINTS {
            character.and_then(most_without_wounds)
        } else {
            None
        };
        Some(CharacterChange::Number {
            stat: field.id.to_owned(),
            label,
            from,
            to,
            lowest: self.lowest.unwrap_or(to).min(from),
            most: most.map(|most| from.max(to).max(most)),
        })
    }

    /// Describes a list or a text by the entries that it gained and lost.
    fn describe_entries(&self, field: &Field, label: String) -> Option<CharacterChange> {
        let before = Value::deserialize(&self.from);
        let after = Value::deserialize(&self.to);
        let before = before.map(|value| entries_of(&value)).unwrap_or_default();
        let after = after.map(|value| entries_of(&value)).unwrap_or_default();

        let missing_in = |entries: &[ListEntry], others: &[ListEntry]| -> Vec<ListEntry> {
            let missing = entries.iter().filter(|entry| !others.contains(entry));
            missing.cloned().collect()
        };
        let gained = missing_in(&after, &before);
        let lost = missing_in(&before, &after);
        if gained.is_empty() && lost.is_empty() {
            return None;
        }
        Some(CharacterChange::Entries {
            stat: field.id.to_owned(),
            label,
            gained,
            lost,
        })
    }
}

impl ConditionChange {
    fn describe(&self) -> Option<CharacterChange> {
        let course = match (self.had_before, self.has_now) {
            (false, true) => ConditionCourse::Began,
            (false, false) => ConditionCourse::Passed,
            (true, false) => ConditionCourse::Ended,
            (true, true) => return None,
        };
        Some(CharacterChange::Condition {
            name: self.condition.name.clone(),
            level: self.condition.value,
            course,
        })
    }
}

/// The maximum hit points that a character would have without wounds. The present wounds may be newer than the scene,
/// so they are not subtracted.
fn most_without_wounds(character: &Character) -> Option<i64> {
    let sheet = &character.sheet;
    let wounds: i64 = sheet
        .ranks("wounds")
        .iter()
        .map(|(_, rank)| i64::from(*rank))
        .sum();
    Some(i64::from(sheet.most_hit_points()?) + wounds)
}

/// The entries of a list, or the parts of a text between commas. Empty for other values.
pub(super) fn entries_of(value: &Value) -> Vec<ListEntry> {
    match value {
        Value::Ranks(ranks) => ranks
            .iter()
            .map(|(name, rank)| ListEntry {
                name: name.clone(),
                rank: Some(*rank),
            })
            .collect(),
        Value::Text(text) => text
            .split([',', ';', '\n'])
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| ListEntry {
                name: part.to_owned(),
                rank: None,
            })
            .collect(),
        Value::Flag(_) | Value::Number(_) | Value::Die(_) => Vec::new(),
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
