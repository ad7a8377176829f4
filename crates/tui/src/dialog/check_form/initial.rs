//! The values that a check starts with.

use std::sync::Arc;

use crate::dialog::check_form::FieldTexts;
use tableside_dice::Die;
use tableside_game::{CharacterId, Filled, Origin, Roll};
use tableside_rules::ValueSource::{self, OneOf, Ranked};
use tableside_rules::{Asked, Beginning, CheckSpec, Field, Kind, Sheet, Value, Whose};
use tableside_table::{Entry, SeatView};

/// The number of log entries that are searched for an earlier roll.
const MAX_SEARCHED_ENTRIES: usize = 200;

/// The values of the last roll of a check.
struct LastRoll<'a> {
    check: &'static CheckSpec,
    roll: Option<&'a Roll>,
    /// True if the same character made the roll.
    is_own: bool,
    has_character: bool,
    /// The current values of the sheet.
    from_sheet: Filled,
}

/// Returns the initial texts of the fields of a check, with which the player can roll at once.
///
/// A name that the character picked for the last roll is picked again. A field that no sheet provides starts with the
/// value of the last roll, or else with a medium value. A field of the character's own sheet never starts with the
/// value of another character or with a medium value. While the character is down, the rules may set further values.
pub(in crate::dialog) fn initial_texts(
    check: &'static CheckSpec,
    character: Option<CharacterId>,
    view: &SeatView<'_>,
) -> FieldTexts {
    let last_entry = last_roll(check, character, view);
    let roll = last_entry.as_ref().and_then(|entry| entry.roll());
    let last = LastRoll {
        check,
        roll,
        has_character: character.is_some(),
        is_own: character.is_some() && roll.is_some_and(|roll| roll.id == character),
        from_sheet: view.fill(check, character),
    };

    let mut texts = FieldTexts::new();
    let mut picked_names = FieldTexts::new();
    for field in check.fields {
        if let Some(name) = last.picked_name(field) {
            picked_names.push((field.id.to_owned(), name));
        }
        if let Some(text) = last.initial_text(field, &texts) {
            texts.push((field.id.to_owned(), text));
        }
    }
    texts.append(&mut picked_names);

    let standing = character.and_then(|id| view.standing_of(view.character(id)?));
    if let Some(standing) = standing {
        for (id, text) in standing.asks {
            texts.push(((*id).to_owned(), (*text).to_owned()));
        }
    }
    texts
}

/// Returns the names of the character's highest values, for the tested fields that start without a name.
///
/// Only a required field and the single tested field of a check start with a name. An optional value next to other
/// tested fields may not fit, such as a skill that has to match an ability.
pub(in crate::dialog) fn highest_texts(
    check: &'static CheckSpec,
    character: CharacterId,
    texts: &FieldTexts,
    view: &SeatView<'_>,
) -> FieldTexts {
    let from_sheet = view.fill(check, Some(character));
    let mut highest_texts = FieldTexts::new();
    let tested_fields: Vec<&'static Field> = check
        .fields
        .iter()
        .filter(|field| field.is_tested())
        .collect();
    let has_one_field = tested_fields.len() == 1;

    for field in tested_fields {
        let is_named_by_default = match field.source {
            OneOf { stats, .. } => stats.first().is_none_or(|id| sheet_chooses(id, view)),
            _ => from_sheet.source(field.id).is_some(),
        };
        let may_not_fit = !has_one_field && !field.is_required();
        if has_text(field, texts) || is_named_by_default || may_not_fit {
            continue;
        }
        if let Some(name) = highest_name(field, character, &from_sheet, view) {
            highest_texts.push((field.id.to_owned(), name));
        }
    }
    highest_texts
}

/// Returns true if the texts have a text for a field.
fn has_text(field: &Field, texts: &FieldTexts) -> bool {
    texts.iter().any(|(id, _)| id == field.id)
}

/// Returns true if the sheet determines the value of a stat: the best entry of a list, or a derived value.
fn sheet_chooses(id: &str, view: &SeatView<'_>) -> bool {
    let spec = view.system().spec();
    match spec.stats.iter().find(|stat| stat.id == id) {
        Some(stat) => matches!(stat.kind, Kind::Ranks { .. }) || spec.is_derived(stat.label),
        None => true,
    }
}

/// Returns the name of the highest value that a character can pick for a field. Of equal values it is the first.
fn highest_name(
    field: &'static Field,
    character: CharacterId,
    from_sheet: &Filled,
    view: &SeatView<'_>,
) -> Option<String> {
    let mut highest: Option<(i32, String)> = None;
    for name in view.picks(Some(character), field) {
        let mut filled = from_sheet.clone();
        let is_accepted = view
            .fill_in(&mut filled, Some(character), field, &name)
            .is_ok();
        let Some(value) = filled.fields.value(field.id) else {
            continue;
        };

        let height = field.height(value);
        let is_higher = match &highest {
            Some((highest_height, _)) => height > *highest_height,
            None => true,
        };
        if is_accepted && is_higher {
            highest = Some((height, name));
        }
    }
    highest.map(|(_, name)| name)
}

/// Returns true if the rolling character's sheet provides the value of a field.
fn is_on_own_sheet(field: &Field) -> bool {
    let is_on_sheet = matches!(
        field.source,
        OneOf { .. } | Ranked { .. } | ValueSource::Stat(_) | ValueSource::Derived
    );
    is_on_sheet && field.whose == Whose::Own
}

impl LastRoll<'_> {
    /// Returns the source of a field in the last roll.
    fn origin(&self, field: &Field) -> Option<&Origin> {
        self.roll?.sources.get(field.id)
    }

    /// Returns the value of a field in the last roll, unless it came from a sheet.
    fn used_value(&self, field: &Field) -> Option<String> {
        let value = self.roll?.fields.get(field.id)?;
        if self.origin(field).is_some() {
            return None;
        }
        Some(value.to_string())
    }

    /// Returns the name that the same character picked from the sheet for the last roll.
    fn picked_name(&self, field: &Field) -> Option<String> {
        let is_ranked = matches!(field.source, Ranked { .. });
        let is_own_pick = field.whose == Whose::Own
            && matches!(field.source, OneOf { .. } | Ranked { offer: true, .. });
        let is_pick = is_own_pick || field.is_required() && is_ranked;
        if !self.is_own || !is_pick {
            return None;
        }
        Some(self.origin(field)?.name()?.to_owned())
    }

    /// Returns the initial text of a field. `texts` are the texts of the fields before it.
    fn initial_text(&self, field: &Field, texts: &FieldTexts) -> Option<String> {
        let excluded_field = field.excludes.and_then(|id| self.check.field(id));
        let excluded_is_filled = excluded_field.is_some_and(|other| has_text(other, texts));
        if excluded_is_filled {
            return None;
        }

        // The risk and the scale usually stay the same from roll to roll.
        let is_word = matches!(field.kind, Kind::Word(_));
        let stays_as_before =
            is_word && field.asked == Asked::AtTimes && field.source == ValueSource::Table;
        let is_repeated = field.begins == Beginning::Last && self.is_own;
        let is_on_sheet = self.from_sheet.fields.value(field.id).is_some();
        if is_on_sheet && !stays_as_before && !is_repeated {
            return None;
        }

        let is_of_character = self.has_character && is_on_own_sheet(field);
        if (self.is_own || !is_of_character)
            && let Some(value) = self.used_value(field)
        {
            return Some(value);
        }
        if is_of_character {
            return None;
        }
        if field.is_required() {
            return Some(medium_value(field));
        }

        // Of two fields that exclude each other, one must have a value: the field used last, or else the first field.
        let is_first_of_two = excluded_field.is_some_and(|other| self.used_value(other).is_none());
        if field.optional && is_first_of_two {
            return Some(medium_value(field));
        }
        None
    }
}

/// Returns the last roll of a check: by this character, or else by any character.
///
/// Rolls that the rules asked of a fallen character are ignored, because their values are special.
pub(in crate::dialog) fn last_roll(
    check: &CheckSpec,
    character: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Option<Arc<Entry>> {
    let values_while_down = values_while_down(view);
    let mut any_roll = None;

    for entry in view.log().take(MAX_SEARCHED_ENTRIES) {
        let Some(roll) = entry.roll() else {
            continue;
        };
        if roll.check != check.id || has_values(roll, values_while_down) {
            continue;
        }
        if roll.id == character {
            return Some(entry);
        }
        if any_roll.is_none() {
            any_roll = Some(entry.clone());
        }
    }
    any_roll
}

/// Returns the values that the rules set for a character without hit points.
fn values_while_down(view: &SeatView<'_>) -> &'static [(&'static str, &'static str)] {
    let mut sheet = Sheet::new(view.system());
    // A system without hit points has no such values.
    sheet.set("hit-points", Value::Number(0)).ok();
    match sheet.standing(&view.house) {
        Some(standing) => standing.asks,
        None => &[],
    }
}

/// Returns true if a roll has all of these values, and there is at least one value.
fn has_values(roll: &Roll, values: &[(&str, &str)]) -> bool {
    if values.is_empty() {
        return false;
    }
    values.iter().all(|(id, text)| {
        let picked_name = roll.sources.get(*id).and_then(Origin::name);
        match picked_name {
            Some(name) => name == *text,
            None => match roll.fields.get(*id) {
                Some(value) => value.to_string() == *text,
                None => false,
            },
        }
    })
}

/// Returns the medium value of a field.
fn medium_value(field: &Field) -> String {
    match field.kind {
        Kind::Die => Die::D8.to_string(),
        Kind::Number { .. } => middle_number(field).to_string(),
        Kind::Flag => Value::Flag(false).to_string(),
        Kind::Word(words) => {
            let middle = words.len().saturating_sub(1) / 2;
            words.get(middle).copied().unwrap_or_default().to_owned()
        }
        Kind::Text | Kind::Ranks { .. } => String::new(),
    }
}

/// Returns the number that the field declares as its beginning, or else the middle of its named numbers, or else a low
/// number.
pub(super) fn middle_number(field: &Field) -> i32 {
    let Kind::Number { min, max } = field.kind else {
        return 0;
    };
    if let Beginning::Number(begin) = field.begins {
        return begin;
    }
    let middle = field.names.len().saturating_sub(1) / 2;
    match field.names.get(middle) {
        Some((number, _)) => *number,
        // Usual values are low, for example a skill of 50 or a trait of 10.
        None => min + (max - min) / 4,
    }
}
