//! The form that creates or edits a clock.

mod attached_check;
mod link_form;

pub use self::link_form::link_form;

use self::attached_check::{attached_check, check_rows, picked_check};
use crate::dialog::owner_row::{OwnerRow, owner_choices};
use crate::dialog::{Dialog, DialogAction, Form, Row, RowId, ask_over};
use tableside_game::{
    CharacterId, Clock, ClockId, ClockKind, Command, Every, LONGEST_NAME, MAX_TICKS, NewClock,
    Segments, Visibility, WhenFull,
};
use tableside_table::SeatView;

/// The number of segments of a new clock.
const DEFAULT_SEGMENTS: i32 = 6;

/// Opens the form that changes a clock, or makes one if `id` is `None`.
///
/// # Panics
/// Panics if a clock of six segments is refused, which the bounds of [`Segments`] exclude.
pub fn clock_form(id: Option<ClockId>, view: &SeatView<'_>) -> Dialog {
    let existing = id.and_then(|id| view.clock(id)).map(|view| view.clock);
    let (title, clock) = match existing {
        Some(clock) => (clock.name.clone(), clock.clone()),
        None => {
            let segments = Segments::try_from(DEFAULT_SEGMENTS).expect("six segments are allowed");
            ("New clock".to_owned(), Clock::new("", segments))
        }
    };
    let is_new = existing.is_none();
    let owners = owner_choices(view);
    let form = Form::new(title, clock_rows(&clock, clock.kind, &owners, view));

    let clock_at_start = clock.clone();
    let offered_owners = owners.clone();
    ask_over(
        form,
        view,
        move |form, view| lay_out_clock(form, &clock_at_start, &offered_owners, view),
        move |form, view| {
            // The form changes only the edited values, so changes by other seats stay.
            let present = view.clock(clock.id).map_or(&clock, |view| view.clock);
            save_clock(form, present, is_new, &owners, view)
        },
    )
}

/// Opens the form of a clock with the focus on its check, and shows why a check is needed.
pub fn clock_check_form(id: ClockId, reason: &str, view: &SeatView<'_>) -> Dialog {
    let mut dialog = clock_form(Some(id), view).with_focus("check");
    dialog.form.problem = Some(format!(
        "{reason}; set it here, then press ⟨clocks.forecast⟩"
    ));
    dialog
}

/// Lays out the rows for the selected kind and the selected check.
fn lay_out_clock(
    form: &mut Form,
    clock: &Clock,
    owners: &[Option<CharacterId>],
    view: &SeatView<'_>,
) {
    let kind = form.picked("kind", &ClockKind::ALL);
    let mut rows = clock_rows(clock, kind, owners, view);
    if let Some(spec) = picked_check(form, view) {
        rows.extend(check_rows(clock.check.as_deref(), spec, owners, view));
    }
    if !matches!(kind, ClockKind::Race | ClockKind::TugOfWar) {
        rows.push(when_full_row(clock));
    }
    rows.extend(every_rows(clock));
    if clock.id == ClockId::default() {
        rows.push(start_row());
    }
    form.lay_out(rows);
}

fn save_clock(
    form: &Form,
    before: &Clock,
    is_new: bool,
    owners: &[Option<CharacterId>],
    view: &SeatView<'_>,
) -> Result<DialogAction, String> {
    let clock = edited_clock(form, before, owners, view)?;
    if !is_new {
        return Ok(Command::edit(clock).into());
    }

    let start = form.text("start");
    if start.is_empty() {
        return Ok(Command::add(clock).into());
    }
    let new_clock = NewClock {
        clock,
        segments: None,
        filled: Some(start),
    };
    Ok(Command::AddClock(new_clock).into())
}

fn edited_clock(
    form: &Form,
    before: &Clock,
    owners: &[Option<CharacterId>],
    view: &SeatView<'_>,
) -> Result<Clock, String> {
    let mut clock = before.clone();
    for row in form.changed() {
        match row.id {
            RowId::Row("name") => clock.name = row.value(),
            RowId::Row("segments") => {
                clock.segments = Segments::try_from(form.number("segments")?)
                    .map_err(|refusal| refusal.to_string())?;
            }
            RowId::Row("kind") => clock.kind = form.picked("kind", &ClockKind::ALL),
            RowId::Row("race") => clock.race = row.value(),
            RowId::Row("left" | "right") => {
                clock.ends = Some([form.text("left"), form.text("right")]);
            }
            RowId::Row("visibility") => {
                clock.visibility = form.picked("visibility", &Visibility::ALL);
            }
            RowId::Row("owner") => clock.owner = form.picked("owner", owners),
            RowId::Row("scene") => clock.of_scene = form.is_on("scene"),
            RowId::Row("full") => clock.when_full = form.picked("full", &WhenFull::ALL),
            // Only a new clock has an initial number of filled segments. It is rolled when the clock is added.
            RowId::Row("start") => {}
            RowId::Row(id) if every_of_row(id).is_some() => {
                let ticks = form.maybe_number(id)?.unwrap_or(0);
                if let Some(every) = every_of_row(id) {
                    clock.every.insert(every, ticks);
                }
            }
            // The remaining rows belong to the check.
            _ => {
                let spec = picked_check(form, view);
                clock.check = spec.map(|spec| Box::new(attached_check(form, spec, owners)));
            }
        }
    }
    Ok(clock)
}

/// Returns the row for the ticks of a clock without a roll.
struct EveryRow {
    id: &'static str,
    every: Every,
}

const EVERY_ROWS: [EveryRow; 3] = [
    EveryRow {
        id: "every-round",
        every: Every::Round,
    },
    EveryRow {
        id: "every-scene",
        every: Every::Scene,
    },
    EveryRow {
        id: "every-rest",
        every: Every::Rest,
    },
];

fn every_of_row(id: &str) -> Option<Every> {
    let row = EVERY_ROWS.iter().find(|row| row.id == id)?;
    Some(row.every)
}

fn every_rows(clock: &Clock) -> Vec<Row> {
    let mut rows = Vec::new();
    for EveryRow { id, every } in EVERY_ROWS {
        let ticks = clock.every.get(&every).copied().unwrap_or(0);
        let label = format!("Every {}", every.into_str());
        let row = Row::number(id, label, Some(ticks), (-MAX_TICKS, MAX_TICKS))
            .beside("0 = never")
            .help("Segments it fills automatically. A number below 0 empties segments.");
        rows.push(row);
    }
    rows
}

fn when_full_row(clock: &Clock) -> Row {
    let when_full = clock.when_full;
    let row = Row::one_of(
        "full",
        "When full",
        &WhenFull::ALL,
        when_full,
        WhenFull::describe,
    );
    row.help("A full clock stays full or restarts empty. A restart keeps the overflow.")
}

/// Returns the row for the initially filled segments of a new clock.
fn start_row() -> Row {
    Row::text("start", "At first", "", LONGEST_NAME)
        .hint("default")
        .help("Segments filled at the start: a number, or dice such as d4.")
}

/// Returns the rows of a clock of this kind, up to the choice of its check.
fn clock_rows(
    clock: &Clock,
    kind: ClockKind,
    owners: &[Option<CharacterId>],
    view: &SeatView<'_>,
) -> Vec<Row> {
    let mut rows = vec![
        Row::name(&clock.name, "The alarm").help("The clock's name."),
        segments_row(clock),
        kind_row(clock, kind),
    ];
    match kind {
        ClockKind::Race => rows.push(race_row(clock, view)),
        ClockKind::TugOfWar => rows.extend(end_rows(clock)),
        ClockKind::Effort | ClockKind::Countdown => {}
    }

    let owner = OwnerRow {
        id: "owner",
        label: "Belongs to",
        owners,
        without_owner: "nobody",
    };
    rows.extend([
        visibility_row(clock),
        owner
            .row(clock.owner, view)
            .help("The character it belongs to, if any."),
        Row::flag("scene", "Ends with the scene", clock.of_scene)
            .help("The clock is removed when the scene ends. A character's clock stays."),
        check_row(clock, view),
    ]);
    rows
}

fn segments_row(clock: &Clock) -> Row {
    let count = clock.segments.count().into();
    let bounds = (Segments::MIN.into(), Segments::MAX.into());
    Row::number("segments", "Segments", Some(count), bounds)
        .needed()
        .help("Segments until it is full: 4 for a short clock, 8 for a long one.")
}

/// Returns the row of kinds. `kind` is the selected kind, which may differ from the kind of the clock.
fn kind_row(clock: &Clock, kind: ClockKind) -> Row {
    let describe = |kind: ClockKind| format!("{} ({})", kind.into_str(), kind.describe());
    let row = Row::one_of("kind", "Kind", &ClockKind::ALL, clock.kind, describe);
    row.help(kind.explain())
}

fn race_row(clock: &Clock, view: &SeatView<'_>) -> Row {
    let race = match view.race_name(clock) {
        Some(race) => race,
        None => clock.race.clone(),
    };
    Row::text("race", "Race", &race, LONGEST_NAME)
        .hint("the race")
        .help("Clocks with the same name here race each other.")
}

fn end_rows(clock: &Clock) -> [Row; 2] {
    let (left, right) = match &clock.ends {
        Some([left, right]) => (left.as_str(), right.as_str()),
        None => ("", ""),
    };
    [
        Row::text("left", "Left end", left, LONGEST_NAME)
            .hint("left")
            .help("The side that wins at the left end."),
        Row::text("right", "Right end", right, LONGEST_NAME)
            .hint("right")
            .help("The side that wins at the right end."),
    ]
}

fn visibility_row(clock: &Clock) -> Row {
    let visibility = clock.visibility;
    let row = Row::one_of(
        "visibility",
        "Visibility",
        &Visibility::ALL,
        visibility,
        <&str>::from,
    );
    row.help("Players see a known clock but not its progress.")
}

/// Returns the row of checks that can fill the clock. The first option is no check.
fn check_row(clock: &Clock, view: &SeatView<'_>) -> Row {
    let mut labels = vec!["none"];
    let mut selected = 0;
    for spec in view.system().spec().checks {
        if let Some(check) = &clock.check
            && check.check == spec.id
        {
            selected = labels.len();
        }
        labels.push(spec.label);
    }

    Row::choice("check", "Filled by", labels, selected)
        .help("The roll that fills it. ⟨everywhere.roll⟩ on the clock rolls; ⟨clocks.forecast⟩ shows when it will be full.")
}
