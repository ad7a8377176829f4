//! Looking up the values for a field on a sheet: the default value, and the values that can be picked by name.

use super::filled::SourcedValue;
use super::{Allegiance, Character, Game, Origin};
use tableside_rules::{Field, Kind, Value, ValueSource, Whose};
use tableside_text::fold;

/// A value on a sheet, with its name there.
#[derive(Clone)]
pub(super) struct SheetValue {
    pub(super) value: Value,
    pub(super) name: String,
}

/// A value on a sheet, with the names by which players pick it.
struct SheetEntry<'a> {
    id: &'a str,
    label: &'a str,
    value: SheetValue,
}

impl SheetValue {
    /// The value with the character as its source, for the roll of another character.
    pub(super) fn on_sheet_of(self, character: &Character) -> SourcedValue {
        SourcedValue::new(self.value, Origin::of(character, self.name))
    }
}

/// The value on the roller's own sheet.
impl From<SheetValue> for SourcedValue {
    fn from(value: SheetValue) -> Self {
        Self::new(value.value, value.name)
    }
}

impl<'a> SheetEntry<'a> {
    /// The names by which players pick the entry, folded to one case.
    fn folded_names(&self) -> [String; 2] {
        [fold(self.id), fold(self.label)]
    }

    fn of_rank((name, rank): &'a (String, i32)) -> Self {
        Self {
            id: name,
            label: name,
            value: SheetValue {
                value: Value::Number(*rank),
                name: name.clone(),
            },
        }
    }

    fn of_stat(character: &Character, stat: &'static Field) -> Option<Self> {
        let value = character.sheet.value(stat.id)?;
        Some(Self {
            id: stat.id,
            label: stat.label,
            value: SheetValue {
                value: value.clone(),
                name: stat.label.to_owned(),
            },
        })
    }
}

impl Game {
    /// The value that a sheet gives a field without any input.
    pub(super) fn sheet_default(&self, character: &Character, field: &Field) -> Option<SheetValue> {
        let sheet = &character.sheet;
        match field.source {
            ValueSource::Table | ValueSource::Clock | ValueSource::Follows(_) => None,
            ValueSource::Condition(prefix) => condition_level(character, field, prefix),
            ValueSource::Stat(stat) => {
                let stat = sheet.stat(stat).ok()?;
                let entry = SheetEntry::of_stat(character, stat)?;
                Some(entry.value)
            }
            ValueSource::OneOf { stats, .. } => {
                let (first, others) = stats.split_at(1);
                let mut entries = entries_of_stats(character, field, first);
                if entries.is_empty() {
                    entries = entries_of_stats(character, field, others);
                }
                let values = entries.into_iter().map(|entry| entry.value);
                choose_default(field, values)
            }
            ValueSource::Ranked { list, offer } => {
                if !offer {
                    return None;
                }
                let ranks = sheet.ranks(list);
                let (name, rank) = ranks.iter().max_by_key(|(_, rank)| *rank)?;
                Some(SheetValue {
                    value: Value::Number(*rank),
                    name: name.clone(),
                })
            }
            ValueSource::Tokens { kind, owed } => {
                let available = self.available_tokens(kind, character.id)?;
                let number = if owed {
                    -available.tokens
                } else {
                    available.tokens
                };
                Some(SheetValue {
                    value: field.value_of(number)?,
                    name: available.pool_name,
                })
            }
            ValueSource::Derived => {
                let (value, name) = field.derive(sheet, &self.house, None)?;
                Some(SheetValue { value, name })
            }
        }
    }

    /// The entries of a sheet that a player can pick by name for a field, in the order of the sheet.
    fn entries<'a>(&self, character: &'a Character, field: &Field) -> Vec<SheetEntry<'a>> {
        let sheet = &character.sheet;
        match field.source {
            ValueSource::Table
            | ValueSource::Clock
            | ValueSource::Stat(_)
            | ValueSource::Tokens { .. }
            | ValueSource::Condition(_)
            | ValueSource::Follows(_) => Vec::new(),
            ValueSource::OneOf { stats, .. } => entries_of_stats(character, field, stats),
            ValueSource::Ranked { list, .. } => entries_of_ranks(sheet.ranks(list)),
            ValueSource::Derived => {
                let mut entries = Vec::new();
                for (stat, _) in sheet.iter() {
                    let derived = field.derive(sheet, &self.house, Some(stat.id));
                    if let Some((value, name)) = derived {
                        entries.push(SheetEntry {
                            id: stat.id,
                            label: stat.label,
                            value: SheetValue { value, name },
                        });
                    }
                }
                entries
            }
        }
    }

    /// The names on a sheet that a player can pick for a field.
    fn entry_names(&self, character: &Character, field: &Field) -> Vec<String> {
        let entries = self.entries(character, field);
        entries
            .into_iter()
            .map(|entry| entry.label.to_owned())
            .collect()
    }

    /// Finds the value for a field that is called by this name on a sheet.
    ///
    /// A field that takes the best of several values accepts several names: `Might + Agility`.
    pub(super) fn find_on_sheet(
        &self,
        character: &Character,
        field: &Field,
        input: &str,
    ) -> Option<SheetValue> {
        let sheet = &character.sheet;
        let entries = match field.source {
            // A field for a die accepts every die of the sheet.
            ValueSource::Stat(_) if field.kind == Kind::Die => sheet
                .iter()
                .filter_map(|(stat, _)| SheetEntry::of_stat(character, stat))
                .collect(),
            ValueSource::Stat(id) => {
                let mut entries = Vec::new();
                if let Ok(stat) = sheet.stat(id) {
                    entries.extend(SheetEntry::of_stat(character, stat));
                }
                entries
            }
            _ => self.entries(character, field),
        };

        let value = find_entry(&entries, input);
        if value.is_some() || !field.takes_best() {
            return value;
        }

        let entries = self.entries(character, field);
        let mut values = Vec::new();
        for name in input.split(['+', ',']) {
            values.push(find_entry(&entries, name.trim())?);
        }
        choose_default(field, values)
    }

    /// The names that a player can type for a field, in the order of the sheet. For another character's sheet each name
    /// follows the character: `Tamsin: Brawn`.
    pub fn picks(&self, roller: Option<&Character>, field: &Field) -> Vec<String> {
        if field.whose == Whose::Own {
            return match roller {
                Some(roller) => self.entry_names(roller, field),
                None => Vec::new(),
            };
        }

        let mut picks = Vec::new();
        for other in self.other_characters(roller, field) {
            let names = self.entry_names(other, field);
            let has_default = self.sheet_default(other, field).is_some();
            if names.is_empty() && has_default {
                picks.push(other.name.clone());
            }
            for name in names {
                picks.push(format!("{}: {name}", other.name));
            }
        }

        picks
    }

    /// The characters whose sheets a field can refer to: for a helper's field those of the same side that are not
    /// dead, for an opponent's field the other side first and the dead last.
    pub fn other_characters<'a>(
        &'a self,
        roller: Option<&'a Character>,
        field: &Field,
    ) -> impl Iterator<Item = &'a Character> {
        // In an internal struggle, the roller can also be the opponent (HEARTS, Opposed Checks), and comes last.
        let has_inner_struggle = self.system.spec().inner_struggle;
        let includes_roller = field.whose == Whose::Opponent && has_inner_struggle;
        let is_for_helper = field.whose == Whose::Helper;
        let roller_id = roller.map(|roller| roller.id);
        let side = match roller {
            Some(roller) => roller.side,
            None => Allegiance::Party,
        };

        let mut characters: Vec<&Character> = self
            .roster
            .iter()
            .filter(|other| other.is_combatant())
            .filter(|other| includes_roller || Some(other.id) != roller_id)
            .filter(|other| !is_for_helper || (side.is_with(other.side) && !self.is_dead(other)))
            .collect();

        characters.sort_by_key(|other| {
            let is_roller = Some(other.id) == roller_id;
            if is_for_helper {
                return (is_roller, false, None);
            }
            let is_with_roller = side.is_with(other.side);
            let is_neutral = other.side == Allegiance::Neutral;
            let distance = (is_with_roller, is_neutral, other.side as u8);
            let is_down = self.is_down(other);
            (is_roller, self.is_dead(other), Some((distance, is_down)))
        });
        characters.into_iter()
    }

    /// Splits `Tamsin: Brawn` into the character and the text after the colon. The name may contain a colon, and the
    /// text may be missing.
    pub fn split_character_name<'a>(&self, text: &'a str) -> Option<(&Character, &'a str)> {
        if let Some(character) = self.character_named(text.trim()) {
            return Some((character, ""));
        }

        for (index, _) in text.rmatch_indices(':') {
            let (name, after_name) = text.split_at(index);
            if let Some(character) = self.character_named(name.trim()) {
                let value = after_name.strip_prefix(':').unwrap_or(after_name);
                return Some((character, value.trim()));
            }
        }

        None
    }
}

/// The level of the first condition whose name begins with the prefix.
fn condition_level(character: &Character, field: &Field, prefix: &str) -> Option<SheetValue> {
    let condition = character.conditions.iter().find(|condition| {
        let name = fold(&condition.name);
        name.starts_with(prefix)
    })?;
    let level = condition.value.unwrap_or(1);
    Some(SheetValue {
        value: field.value_of(level)?,
        name: condition.name.clone(),
    })
}

/// Returns the best of several values if the field takes the best one, otherwise the first.
fn choose_default(
    field: &Field,
    values: impl IntoIterator<Item = SheetValue>,
) -> Option<SheetValue> {
    let mut candidates = values.into_iter();
    let mut chosen = candidates.next()?;
    if field.takes_best() {
        for candidate in candidates {
            let height = field.height(&candidate.value);
            if height > field.height(&chosen.value) {
                chosen = candidate;
            }
        }
    }
    Some(chosen)
}

/// The values of these stats, as far as the field accepts them. For a stat that is a list, each entry is a value.
fn entries_of_stats<'a>(
    character: &'a Character,
    field: &Field,
    ids: &[&str],
) -> Vec<SheetEntry<'a>> {
    let sheet = &character.sheet;
    let mut entries = Vec::new();

    for id in ids {
        let Ok(stat) = sheet.stat(id) else {
            continue;
        };
        let stat_entries = match sheet.value(stat.id) {
            Some(Value::Ranks(ranks)) => entries_of_ranks(ranks),
            _ => Vec::from_iter(SheetEntry::of_stat(character, stat)),
        };
        for mut entry in stat_entries {
            if let Some(value) = field.value_from(stat, &entry.value.value) {
                entry.value.value = value;
                entries.push(entry);
            }
        }
    }

    entries
}

fn entries_of_ranks(ranks: &[(String, i32)]) -> Vec<SheetEntry<'_>> {
    ranks.iter().map(SheetEntry::of_rank).collect()
}

/// Finds the rank in a list that is called by this name.
pub(super) fn find_rank(ranks: &[(String, i32)], input: &str) -> Option<SheetValue> {
    let entries = entries_of_ranks(ranks);
    find_entry(&entries, input)
}

/// Finds the entry with this name, ignoring case, or the only entry whose name begins with it.
fn find_entry(entries: &[SheetEntry<'_>], input: &str) -> Option<SheetValue> {
    let input = fold(input);
    if input.is_empty() {
        return None;
    }

    for entry in entries {
        if entry.folded_names().contains(&input) {
            return Some(entry.value.clone());
        }
    }

    let mut matches = entries.iter().filter(|entry| {
        let names = entry.folded_names();
        names.iter().any(|name| name.starts_with(&input))
    });
    let only_match = matches.next()?;
    if matches.next().is_some() {
        return None;
    }
    Some(only_match.value.clone())
}
