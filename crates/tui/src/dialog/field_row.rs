//! The row of a check's field in dialogs that can leave the field open: a name from a sheet, a value, or no value.

use std::collections::HashSet;

use crate::dialog::check_form::FieldTexts;
use crate::dialog::form::{Form, Row, RowId, TypedValue};
use tableside_dice::Die;
use tableside_game::CharacterId;
use tableside_rules::{Field, Kind, Whose};
use tableside_table::SeatView;
use tableside_text::is_same_name;

/// The maximum length of a text, in characters.
pub(super) const MAX_TEXT_CHARS: usize = 200;

/// Returns the names on the sheets of these characters, each once.
pub(super) fn sheet_names(
    field: &'static Field,
    characters: &[CharacterId],
    view: &SeatView<'_>,
) -> Vec<String> {
    if field.whose != Whose::Own {
        return view.picks(None, field);
    }

    let mut known_names = HashSet::new();
    let mut names = Vec::new();
    for character in characters {
        for name in view.picks(Some(*character), field) {
            if known_names.insert(name.clone()) {
                names.push(name);
            }
        }
    }
    names
}

/// Returns the row of a field with the text that was given for it.
///
/// The player types numbers and texts, and selects all other values from a list. The option `open` leaves the value to
/// the sheet.
pub(super) fn field_row(
    field: &'static Field,
    names: Vec<String>,
    given: Option<&str>,
    open: &'static str,
) -> Row {
    let id = RowId::Field(field.id);
    let given = given.unwrap_or_default().trim();
    if matches!(field.kind, Kind::Text | Kind::Ranks { .. }) {
        return Row::text(id, field.label, given, MAX_TEXT_CHARS)
            .hint(open)
            .help(field.help);
    }

    let mut options = Vec::new();
    let is_only_number = matches!(field.kind, Kind::Number { .. }) && names.is_empty();
    if !is_only_number {
        options.push(open.to_owned());
        options.extend(names);
    }
    options.extend(plain_values(field.kind));

    let given_word = match field.kind {
        Kind::Word(known) if known.contains(&given) => with_spaces(given),
        _ => given.to_owned(),
    };
    let given_number: Option<i32> = given.parse().ok();
    let mut selected = 0;
    if !given_word.is_empty() {
        let matching = options
            .iter()
            .position(|option| is_same_name(option, &given_word));
        selected = matching.unwrap_or(0);

        // A text that is no option yet becomes the last option.
        if matching.is_none() && !options.is_empty() && given_number.is_none() {
            options.push(given_word);
            selected = options.len() - 1;
        }
    }

    let row = Row::choice(id, field.label, options, selected)
        .hint(open)
        .help(field.help);
    match field.kind {
        Kind::Number { min, max } => row.or_number(given_number, (min, max)),
        _ => row,
    }
}

/// Returns the values of a field that are selected from a list.
fn plain_values(kind: Kind) -> Vec<String> {
    match kind {
        Kind::Flag => vec!["yes".to_owned(), "no".to_owned()],
        Kind::Die => Die::LADDER.map(|die| die.name().to_owned()).to_vec(),
        Kind::Word(words) => words.iter().map(|word| with_spaces(word)).collect(),
        Kind::Number { .. } | Kind::Text | Kind::Ranks { .. } => Vec::new(),
    }
}

/// Returns the texts that the player gave for these fields. Open fields are left out.
pub(super) fn entered_fields(
    fields: impl Iterator<Item = &'static Field>,
    form: &Form,
    open: impl Fn(&Field) -> &'static str,
) -> FieldTexts {
    let mut texts = FieldTexts::new();
    for field in fields {
        let Some(row) = form.row(RowId::Field(field.id)) else {
            continue;
        };
        let shown = row.value();
        if shown.is_empty() || shown == open(field) {
            continue;
        }

        let is_choice = matches!(row.entry, TypedValue::Choice(_));
        let word = match field.kind {
            Kind::Word(known) if is_choice => known.iter().find(|word| with_spaces(word) == shown),
            _ => None,
        };
        let text = match word {
            Some(word) => (*word).to_owned(),
            None => shown,
        };
        texts.push((field.id.to_owned(), text));
    }
    texts
}

/// Returns a word of the rules as displayed, for example `similar power`.
pub(super) fn with_spaces(word: &str) -> String {
    word.replace('-', " ")
}
