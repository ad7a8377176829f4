//! The rows of a character's sheet, including derived values.

use super::HIT_POINTS;
use crate::dialog::form::NumberWithMaximum;
use crate::dialog::{Form, Row, RowId, TypedValue};
use tableside_dice::Die;
use tableside_rules::{Field, Kind, RuleError, Sheet, Value};
use tableside_table::SeatView;

/// The maximum length of a line of text on a sheet, in characters.
const MAX_LINE_CHARS: usize = 2_000;

/// A stat and the value in its row.
pub(super) struct TypedStat {
    pub(super) stat: &'static Field,
    pub(super) value: Value,
}

/// Returns the row of a stat. A stat and its maximum share a row. For a new character, the maximum equals the value
/// until a maximum is typed.
pub(super) fn stat_row(field: &'static Field, value: &Value, sheet: &Sheet, is_new: bool) -> Row {
    let id = RowId::Field(field.id);
    let label = field.label;
    let word = value.to_string();

    let row = match field.kind {
        Kind::Die => choice_row(field, &Die::LADDER.map(Die::name), &word),
        Kind::Word(words) => choice_row(field, words, &word),
        Kind::Number { min, max } => {
            let most = field.most.and_then(|most| sheet.number(most));
            match (value.number(), most) {
                (Some(number), Some(most)) => {
                    let pair = NumberWithMaximum {
                        number,
                        most,
                        most_follows: is_new,
                    };
                    Row::number_with_maximum(id, label, pair, (min, max))
                }
                _ => Row::number(id, label, word.parse().ok(), (min, max)),
            }
        }
        Kind::Flag | Kind::Text | Kind::Ranks { .. } => Row::text(id, label, &word, MAX_LINE_CHARS),
    };
    row.hint("none").help(help_of(field)).under(field.group)
}

fn choice_row(field: &'static Field, words: &[&'static str], selected: &str) -> Row {
    let index = words.iter().position(|word| *word == selected);
    let words = words.iter().copied();
    Row::choice(
        RowId::Field(field.id),
        field.label,
        words,
        index.unwrap_or(0),
    )
}

fn help_of(field: &Field) -> String {
    let help = if field.help.is_empty() {
        format!("Takes {}.", field.describe())
    } else {
        field.help.to_owned()
    };
    if field.most.is_some() {
        format!("{help} For example, 26/30 changes the maximum too.")
    } else {
        help
    }
}

/// Returns the stats of a row: a single stat, or a stat and its maximum.
pub(super) fn typed_stats(
    field: &'static Field,
    row: &Row,
    sheet: &Sheet,
) -> Result<Vec<TypedStat>, String> {
    let most = match field.most {
        Some(most) => sheet.stat(most).ok(),
        None => None,
    };
    let Some(most) = most else {
        let value = parse_text(field, &row.entry.text())?;
        return Ok(vec![TypedStat { stat: field, value }]);
    };

    let Some(pair) = row.pair() else {
        return Err("must be a number and its maximum, such as 26/30".to_owned());
    };
    let value = parse_text(field, &pair.number.to_string())?;
    let most_value = parse_text(most, &pair.most.to_string())
        .map_err(|problem| format!("the maximum {problem}"))?;
    Ok(vec![
        TypedStat { stat: field, value },
        TypedStat {
            stat: most,
            value: most_value,
        },
    ])
}

fn parse_text(field: &'static Field, text: &str) -> Result<Value, String> {
    field.parse(text).map_err(|error| match error {
        RuleError::Wrong { takes, .. } => format!("must be {takes}"),
        error => error.to_string(),
    })
}

/// Returns the stat of a row.
pub(super) fn sheet_field(row: &Row, sheet: &Sheet) -> Option<&'static Field> {
    match row.id {
        RowId::Field(id) => sheet.stat(id).ok(),
        _ => None,
    }
}

pub(super) struct SheetRows {
    is_new: bool,
    /// The ids of the stats that could be derived but have a typed value.
    overridden: Vec<&'static str>,
}

impl SheetRows {
    pub(super) fn new(sheet: &Sheet, is_new: bool) -> Self {
        let mut overridden = Vec::new();
        for (field, _) in sheet.iter() {
            if sheet.derived(field.id).is_some() && !sheet.is_derived(field.id) {
                overridden.push(field.id);
            }
        }
        Self { is_new, overridden }
    }

    /// Checks the values, fills in derived values, and shows the meaning of each value in a check.
    pub(super) fn refresh(&self, form: &mut Form, view: &SeatView<'_>) {
        let sheet = self.read_sheet(form, view);
        if self.is_new {
            fill_in_hit_points(form, &sheet);
        }
        explain_values(form, &sheet, view);
        self.show_derived(form, &sheet);
    }

    /// Returns the sheet with the values of the rows. A value that cannot be parsed is left out.
    fn read_sheet(&self, form: &mut Form, view: &SeatView<'_>) -> Sheet {
        let mut sheet = Sheet::new(view.system());
        for row in &mut form.rows {
            let Some(field) = sheet_field(row, &sheet) else {
                continue;
            };
            if !row.is_changed() && self.is_derived(field, &sheet) {
                continue;
            }

            match typed_stats(field, row, &sheet) {
                Ok(stats) => {
                    row.problem = None;
                    for typed in stats {
                        if let Err(error) = sheet.record(typed.stat.id, typed.value) {
                            row.problem = Some(error.to_string());
                        }
                    }
                }
                // A missing value is not an error before the form is submitted.
                Err(_) if !row.is_changed() => {}
                Err(problem) => row.problem = Some(problem),
            }
        }
        sheet
    }

    fn is_derived(&self, field: &Field, sheet: &Sheet) -> bool {
        sheet.derived(field.id).is_some() && !self.overridden.contains(&field.id)
    }

    /// Fills in derived values. A row whose typed value overrides the derived value shows the derived value next to it.
    fn show_derived(&self, form: &mut Form, sheet: &Sheet) {
        for row in &mut form.rows {
            let Some(field) = sheet_field(row, sheet) else {
                continue;
            };
            let Some(derived) = sheet.derived(field.id) else {
                continue;
            };

            if row.is_changed() || self.overridden.contains(&field.id) {
                row.beside = format!("derived: {derived}");
            } else {
                set_number(row, derived.number());
                "derived".clone_into(&mut row.beside);
            }
        }
    }
}

/// Sets the number of a row, without counting the row as changed.
fn set_number(row: &mut Row, number: Option<i32>) {
    *row = row.clone().or_number(number, row.bounds);
}

/// Sets the hit points of a new character to their maximum until a number is typed. If the maximum is a stat, that stat
/// is set to the hit points instead.
fn fill_in_hit_points(form: &mut Form, sheet: &Sheet) {
    let Some(most) = sheet.most_hit_points() else {
        return;
    };
    if let Some(row) = form.shown_row_mut(HIT_POINTS)
        && row.pair().is_none()
        && !row.is_changed()
    {
        set_number(row, Some(most));
    }
}

/// Shows the meaning of each value in a check: next to the value, or in the help of a line of text, which has no room
/// beside it.
fn explain_values(form: &mut Form, sheet: &Sheet, view: &SeatView<'_>) {
    let means = view.system().code().means;
    for row in &mut form.rows {
        let Some(field) = sheet_field(row, sheet) else {
            continue;
        };
        let meaning = if row.problem.is_none() {
            means(sheet, field.id)
        } else {
            None
        };

        if !matches!(row.entry, TypedValue::Text(_)) {
            row.beside = meaning.unwrap_or_default();
            continue;
        }
        row.help = match meaning {
            Some(meaning) => format!("{} Now: {meaning}.", help_of(field)).into(),
            None => help_of(field).into(),
        };
    }
}
