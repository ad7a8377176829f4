//! The fields of a check while a player fills them in: the texts that the player gave, and the rows that show their
//! values.

use crate::dialog::field_row::{MAX_TEXT_CHARS, with_spaces};
use crate::dialog::form::{Form, FormResult, Row, RowId, around};
use tableside_game::{Character, CharacterId, Filled};
use tableside_rules::ValueSource::{Derived, OneOf, Ranked};
use tableside_rules::{Asked, CheckSpec, Field, Kind, Value};
use tableside_table::SeatView;

mod initial;

use initial::middle_number;
pub(super) use initial::{highest_texts, initial_texts, last_roll};

/// The values of fields as a player writes them: the id of a field, and a value or a name from a sheet.
pub(super) type FieldTexts = Vec<(String, String)>;

/// The fields of a check, which are some of the rows of a form.
#[derive(Debug)]
pub(super) struct CheckFields {
    pub(super) check: &'static CheckSpec,
    /// The character whose sheet provides values.
    pub(super) who: Option<CharacterId>,
    /// The texts that the player gave, the latest at the end. They stay while the player looks at other checks.
    pub(super) given: FieldTexts,
    /// The resulting values.
    pub(super) filled: Filled,
    /// The reason why the rules refuse these values.
    pub(super) refusal: Option<String>,
}

impl CheckFields {
    pub(super) fn new(check: &'static CheckSpec, who: Option<CharacterId>, filled: Filled) -> Self {
        Self {
            check,
            who,
            given: Vec::new(),
            filled,
            refusal: None,
        }
    }

    /// Fills in the values, each source over the one before: `base`, the presets, and the texts that the player gave.
    ///
    /// Texts that this check or this sheet does not accept have no effect.
    pub(super) fn fill(&mut self, base: Filled, presets: &[(String, String)], view: &SeatView<'_>) {
        self.filled = base;
        for (id, text) in presets {
            if let Some(field) = self.check.field(id) {
                self.fill_in(field, text, view);
            }
        }

        for (id, text) in std::mem::take(&mut self.given) {
            let Some(field) = self.check.field(&id) else {
                self.given.push((id, text));
                continue;
            };
            let before = self.filled.clone();
            self.fill_in(field, &text, view);

            // A value that equals the sheet's value is shown as the sheet's value.
            if is_same_value(field, &before, &self.filled) {
                self.filled = before;
            } else {
                self.given.push((id, text));
            }
        }
    }

    /// Fills in a text, if the field accepts it.
    fn fill_in(&mut self, field: &'static Field, text: &str, view: &SeatView<'_>) {
        // A refused text has no effect.
        view.fill_in(&mut self.filled, self.who, field, text).ok();
    }

    /// Stores the value of the field in focus, if the player stepped or typed it.
    pub(super) fn on_input(&mut self, result: FormResult, form: &mut Form, view: &SeatView<'_>) {
        let Some(RowId::Field(id)) = form.focused() else {
            return;
        };
        let Some(field) = self.check.field(id) else {
            return;
        };
        let text = match result {
            FormResult::Stepped(steps) => self.stepped(field, steps, view),
            FormResult::Changed => typed_text(field, form),
            _ => None,
        };
        if let Some(text) = text {
            self.give(field, text, form);
        }
    }

    /// Gives a field a value or a name. A field that excludes it loses its value.
    pub(super) fn give(&mut self, field: &Field, text: String, form: &mut Form) {
        self.given.retain(|(id, _)| {
            let is_excluded = Some(id.as_str()) == field.excludes;
            id != field.id && !is_excluded
        });
        if let Some(excluded) = field.excludes {
            form.discard_typed_digits(|row| row == RowId::Field(excluded));
        }
        self.given.push((field.id.to_owned(), text));
    }

    /// Returns the value that is this number of steps from the current value. Returns `None` if the field has no
    /// options.
    fn stepped(&self, field: &'static Field, steps: i32, view: &SeatView<'_>) -> Option<String> {
        if let Kind::Number { min, max } = field.kind
            && view.picks(self.who, field).is_empty()
        {
            // A number stops at its bounds.
            let number = match self.filled.fields.value(field.id) {
                Some(Value::Number(number)) => number.saturating_add(steps).clamp(min, max),
                _ => middle_number(field),
            };
            return Some(number.to_string());
        }

        let (options, selected) = self.options(field, view);
        let index = match selected {
            Some(selected) => around(selected, steps, options.len()),
            None => first_step(field, &options, steps),
        };
        options.into_iter().nth(index)
    }

    /// Returns the options of a field as a player writes them, and the index of the selected option.
    pub(super) fn options(
        &self,
        field: &'static Field,
        view: &SeatView<'_>,
    ) -> (Vec<String>, Option<usize>) {
        let names = view.picks(self.who, field);
        let values = option_values(field, !names.is_empty());
        if names.is_empty() {
            let current = self.filled.fields.value(field.id);
            let selected = values.iter().position(|value| Some(value) == current);
            return (values.iter().map(ToString::to_string).collect(), selected);
        }

        // A number has only its preset as a value, because other numbers are typed. The preset comes first.
        let value_texts = values.iter().map(ToString::to_string);
        let options: Vec<String> = match field.kind {
            Kind::Number { .. } => value_texts.chain(names).collect(),
            _ => names.into_iter().chain(value_texts).collect(),
        };
        let selected = self.selected_option(field, &options, view);
        (options, selected)
    }

    /// Returns the option with the current value and source, unless the value is only a preset.
    fn selected_option(
        &self,
        field: &'static Field,
        options: &[String],
        view: &SeatView<'_>,
    ) -> Option<usize> {
        let current = self.filled.fields.value(field.id);
        let source = self.filled.source(field.id);
        if source.is_none() && !self.is_given(field.id) {
            return None;
        }

        options.iter().position(|text| {
            let mut filled = self.filled.clone();
            let is_accepted = view.fill_in(&mut filled, self.who, field, text).is_ok();
            let has_same_source = filled.source(field.id) == source;
            let has_same_value = filled.fields.value(field.id) == current;
            is_accepted && has_same_source && has_same_value
        })
    }

    /// Returns true if a field that seldom changes has its usual value: its preset, or the value on the sheet without
    /// the effect of a condition.
    pub(super) fn is_usual(&self, field: &Field) -> bool {
        if field.asked != Asked::Seldom || self.is_given(field.id) {
            return false;
        }
        if self.filled.fields.is_preset(field) {
            return true;
        }

        let is_from_sheet = self.filled.source(field.id).is_some() && !field.is_lent();
        let conditions = self.check.system.spec().conditions;
        let is_affected_by_condition = conditions
            .iter()
            .flat_map(|condition| condition.effects)
            .any(|effect| effect.field == field.id);
        is_from_sheet && !is_affected_by_condition
    }

    /// Returns true if the player gave a value for a field.
    pub(super) fn is_given(&self, id: &str) -> bool {
        self.given.iter().any(|(given_id, _)| given_id == id)
    }

    /// Returns the row of a field with its value.
    pub(super) fn row(&self, field: &'static Field, form: &Form, view: &SeatView<'_>) -> Row {
        let id = RowId::Field(field.id);
        let value = self.filled.fields.value(field.id);

        if field.kind == Kind::Text {
            let text = value.map_or_else(String::new, ToString::to_string);
            return Row::text(id, field.label, &text, MAX_TEXT_CHARS)
                .hint("nothing")
                .help(field.help);
        }

        let text = match value {
            None => "none".to_owned(),
            Some(Value::Text(word)) => with_spaces(word),
            Some(value) => value.to_string(),
        };
        let is_preset = value.is_none() || self.filled.fields.is_preset(field);
        let row = Row::managed(id, field.label, text)
            .beside(self.text_beside(field, value, view))
            .quiet(is_preset && self.filled.source(field.id).is_none())
            .wrong(typing_problem(field, form))
            .help(field.help);
        match field.kind {
            Kind::Number { min, .. } => row.or_number(None, (min.min(0), i32::MAX)),
            Kind::Die => row.or_number(None, (0, i32::MAX)),
            Kind::Flag | Kind::Word(_) | Kind::Text | Kind::Ranks { .. } => row,
        }
    }

    /// Returns the source of a value, its name, or the tokens that are available for it.
    fn text_beside(&self, field: &Field, value: Option<&Value>, view: &SeatView<'_>) -> String {
        if let Some(source) = self.filled.source(field.id) {
            return source.to_string();
        }
        if let Some(Value::Number(number)) = value
            && let Some(name) = field.name_of(*number)
        {
            return name.to_owned();
        }
        if let Some(pool_kind) = field.spends
            && let Some(character) = self.who
            && let Some(pool) = view.pool_of(pool_kind, Some(character))
        {
            return format!("of {} {}", pool.tokens.max(0), pool.name);
        }

        let takes_name = matches!(field.source, Ranked { .. } | OneOf { .. } | Derived);
        let has_names = !view.picks(self.who, field).is_empty();
        if takes_name && has_names && !self.is_given(field.id) {
            return "none chosen".to_owned();
        }
        String::new()
    }
}

/// Returns the option after the first step if no option is selected: a name from a sheet if the sheet has one.
fn first_step(field: &Field, options: &[String], steps: i32) -> usize {
    let first_name = options.iter().position(|text| field.parse(text).is_err());
    match first_name {
        Some(name) if steps < 0 => around(name, -1, options.len()),
        Some(name) => name,
        None => 0,
    }
}

/// Returns true if a field has the value that the sheet provided before.
fn is_same_value(field: &Field, before: &Filled, now: &Filled) -> bool {
    let Some(source_before) = before.source(field.id) else {
        return false;
    };
    let has_same_source = match now.source(field.id) {
        Some(source) => source == source_before,
        None => true,
    };
    has_same_source && before.fields.value(field.id) == now.fields.value(field.id)
}

/// Returns the values that a field can be stepped to, besides names from a sheet.
fn option_values(field: &Field, has_names: bool) -> Vec<Value> {
    match field.kind {
        Kind::Number { .. } if !has_names => field
            .names
            .iter()
            .map(|(number, _)| Value::Number(*number))
            .collect(),
        // Without a helper's skill, the field would take the skill of the best helper again.
        Kind::Number { .. } if field.is_lent() => Vec::new(),
        Kind::Number { .. } => field.start.clone().into_iter().collect(),
        // The player types a die that is not on a sheet.
        Kind::Die if has_names => Vec::new(),
        kind => kind.all_values(),
    }
}

/// Returns the typed text of a field, if it is a valid value. For a die, the number of faces is enough.
fn typed_text(field: &Field, form: &Form) -> Option<String> {
    let id = RowId::Field(field.id);
    let text = match (field.kind, form.typed_digits(id)) {
        (Kind::Die, Some(digits)) => format!("d{}", digits.trim_start_matches('d')),
        (_, Some(digits)) => digits.to_owned(),
        (_, None) => form.text(id),
    };
    if field.parse(&text).is_ok() {
        Some(text)
    } else {
        None
    }
}

/// Returns the error of the digits that are being typed for a field.
fn typing_problem(field: &Field, form: &Form) -> Option<String> {
    form.typed_digits(RowId::Field(field.id))?;
    if typed_text(field, form).is_some() {
        return None;
    }
    Some(format!("must be {}", field.describe()))
}

/// Returns the characters that take part in checks.
pub(super) fn characters_in_scene<'a>(
    view: &'a SeatView<'_>,
) -> impl Iterator<Item = &'a Character> {
    view.roster().filter(|character| character.is_here())
}
