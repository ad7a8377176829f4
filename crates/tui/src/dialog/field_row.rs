//! The row of a field of a check, given by a name from a sheet, by its value, or left open.

use std::collections::HashSet;

use crate::dialog::check_form::FieldTexts;
use crate::dialog::form::{Form, Row, RowId, TypedValue};
use tableside_dice::Die;
use tableside_game::CharacterId;
use tableside_rules::{Field, Kind, Whose};
use tableside_table::SeatView;
use tableside_text::is_same_name;

pub(super) const LONGEST_TEXT: usize = 200;

/// The names on the sheets of all who are asked, each once.
pub(super) fn sheet_names(
    field: &'static Field,
    asked: &[CharacterId],
    view: &SeatView<'_>,
) -> Vec<String> {
    if field.whose != Whose::Own {
        return view.picks(None, field);
    }
    let mut known = HashSet::new();
    let names = asked.iter().flat_map(|who| view.picks(Some(*who), field));
    names.filter(|name| known.insert(name.clone())).collect()
}

/// The row of a field. A number or a text is typed; anything else is one of the names and the values, or
/// `open`, which leaves it to the sheet. A number may be a name instead.
pub(super) fn field_row(
    field: &'static Field,
    names: Vec<String>,
    given: Option<&str>,
    open: &'static str,
) -> Row {
    let (id, given) = (RowId::Field(field.id), given.map(str::trim));
    let plain: Vec<String> = match field.kind {
        Kind::Text | Kind::Ranks { .. } => {
            let text = Row::text(id, field.label, given.unwrap_or_default(), LONGEST_TEXT);
            return text.hint(open).help(field.help);
        }
        Kind::Number { .. } => Vec::new(),
        Kind::Flag => ["yes", "no"].map(str::to_owned).to_vec(),
        Kind::Die => Die::LADDER.map(|die| die.name().to_owned()).to_vec(),
        Kind::Word(words) => words.iter().map(|word| with_spaces(word)).collect(),
    };
    let number = given.and_then(|given| given.parse().ok());
    let mut words: Vec<String> = match field.kind {
        Kind::Number { .. } if names.is_empty() => Vec::new(),
        _ => [open.to_owned()].into_iter().chain(names).collect(),
    };
    words.extend(plain);
    let given = given.filter(|given| !given.is_empty());
    let given = given.map(|given| match field.kind {
        Kind::Word(known) if known.contains(&given) => with_spaces(given),
        _ => given.to_owned(),
    });
    let same = |word: &String| {
        given
            .as_ref()
            .is_some_and(|given| is_same_name(word, given))
    };
    let at = match (words.iter().position(same), &given) {
        (Some(at), _) => at,
        // What was given otherwise stays to be picked.
        (None, Some(given)) if !words.is_empty() && number.is_none() => {
            words.push(given.clone());
            words.len() - 1
        }
        (None, _) => 0,
    };
    let row = Row::choice(id, field.label, words, at);
    let row = match field.kind {
        Kind::Number { min, max } => row.or_number(number, (min, max)),
        _ => row,
    };
    row.hint(open).help(field.help)
}

/// What was given for these fields, as a person writes it; what is left open is left out.
pub(super) fn entered_fields(
    fields: impl Iterator<Item = &'static Field>,
    form: &Form,
    open: impl Fn(&Field) -> &'static str,
) -> FieldTexts {
    let given = fields.filter_map(|field| {
        let row = form.row(RowId::Field(field.id))?;
        let words = row.value();
        let is_open = words.is_empty() || words == open(field);
        let written = match (&row.entry, field.kind) {
            (TypedValue::Choice(_), Kind::Word(known)) => {
                known.iter().find(|word| with_spaces(word) == words)
            }
            _ => None,
        };
        let words = written.map_or(words, |word| (*word).to_owned());
        (!is_open).then(|| (field.id.to_owned(), words))
    });
    given.collect()
}

/// A word as it is shown: `similar power`.
pub(super) fn with_spaces(word: &str) -> String {
    word.replace('-', " ")
}
