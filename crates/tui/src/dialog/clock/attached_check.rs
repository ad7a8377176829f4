//! The rows of the check that fills a clock.

use crate::dialog::owner_row::OwnerRow;
use crate::dialog::{Form, Row, RowId, field_row};
use tableside_game::{AttachedCheck, CharacterId, MAX_TICKS};
use tableside_rules::{Asked, CheckSpec, Field, OutcomeSpec, ValueSource, Whose};
use tableside_table::SeatView;

/// Returns the check that is selected in the form of a clock. `None` if no check fills the clock.
pub(super) fn picked_check(form: &Form, view: &SeatView<'_>) -> Option<&'static CheckSpec> {
    // The first option is no check.
    let index = form.choice("check").checked_sub(1)?;
    view.system().spec().checks.get(index).copied()
}

/// Returns the rows of a check: the roller, the fields that are known before the roll, and the ticks of each outcome.
///
/// `attached` is the clock's check when the form opened, which may differ from `spec`.
pub(super) fn check_rows(
    attached: Option<&AttachedCheck>,
    spec: &'static CheckSpec,
    owners: &[Option<CharacterId>],
    view: &SeatView<'_>,
) -> Vec<Row> {
    let roller = attached.and_then(|attached| attached.who);
    let same_check = attached.filter(|attached| attached.check == spec.id);
    let characters: Vec<CharacterId> = owners.iter().copied().flatten().collect();

    let mut rows = vec![roller_row(roller, owners, view)];
    for field in fields_before_roll(spec) {
        let value = same_check.and_then(|attached| field_value(attached, field));
        // A field that seldom changes has a row only if it has a value.
        if field.asked == Asked::Seldom && value.is_none() {
            continue;
        }

        let names = field_row::sheet_names(field, &characters, view);
        let help = format!("{} ({})", field.help, field.describe());
        let row = field_row::field_row(field, names, value, word_for_open(field)).help(help);
        rows.push(row);
    }
    for outcome in spec.outcomes {
        rows.push(outcome_row(outcome, same_check));
    }

    let counts_all = same_check.is_some_and(|attached| attached.counts_all_rolls);
    let row = Row::flag("all", "Counts all rolls", counts_all)
        .help("Count every roll of this kind, even if it was made for something else.");
    rows.push(row);
    rows
}

fn roller_row(
    roller: Option<CharacterId>,
    owners: &[Option<CharacterId>],
    view: &SeatView<'_>,
) -> Row {
    let owner_row = OwnerRow {
        id: "roller",
        label: "Rolled by",
        owners,
        without_owner: "anybody",
    };
    owner_row
        .row(roller, view)
        .help("The character whose sheet supplies the values.")
}

fn field_value<'a>(attached: &'a AttachedCheck, field: &Field) -> Option<&'a str> {
    let (_, value) = attached.fields.iter().find(|(id, _)| id == field.id)?;
    Some(value)
}

fn outcome_row(outcome: &'static OutcomeSpec, attached: Option<&AttachedCheck>) -> Row {
    let ticks = attached.and_then(|attached| outcome_ticks(attached, outcome));
    let id = RowId::Outcome(outcome.id);
    let label = format!("{} fills", outcome.label);
    Row::number(id, label, ticks, (-MAX_TICKS, MAX_TICKS))
        .hint("default")
        .help("Segments this outcome fills. A number below 0 empties segments.")
}

fn outcome_ticks(attached: &AttachedCheck, outcome: &OutcomeSpec) -> Option<i32> {
    let (_, ticks) = attached.ticks.iter().find(|(id, _)| id == outcome.id)?;
    Some(*ticks)
}

/// Returns the check with the values of the rows.
pub(super) fn attached_check(
    form: &Form,
    spec: &'static CheckSpec,
    owners: &[Option<CharacterId>],
) -> AttachedCheck {
    let mut check = AttachedCheck::new(spec.id);
    check.who = form.picked("roller", owners);
    check.fields = field_row::entered_fields(fields_before_roll(spec), form, word_for_open);
    check.counts_all_rolls = form.is_on("all");

    for outcome in spec.outcomes {
        // A number out of bounds is an error in its row, so the form is not submitted.
        if let Ok(Some(number)) = form.maybe_number(RowId::Outcome(outcome.id)) {
            check.ticks.push((outcome.id.to_owned(), number));
        }
    }
    check
}

/// Returns the fields of a check that can have a value before the roll.
fn fields_before_roll(spec: &'static CheckSpec) -> impl Iterator<Item = &'static Field> {
    spec.fields.iter().filter(|field| field.house.is_none())
}

/// Returns the option for a field without a value.
fn word_for_open(field: &Field) -> &'static str {
    if field.source != ValueSource::Table && field.whose == Whose::Own {
        "from the sheet"
    } else if field.is_required() {
        "needed"
    } else {
        "default"
    }
}
