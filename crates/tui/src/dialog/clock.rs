//! The form of a clock, with the check that fills it, and of what it does to another when it is full.

use crate::dialog::tokens::{owner_row, owners};
use crate::dialog::{Dialog, Form, Row, RowId, ask_over, field_row};
use tableside_game::{
    AttachedCheck, CharacterId, Clock, ClockId, ClockKind, Command, Every, LONGEST_NAME, Link,
    LinkEffect, MAX_TICKS, NewClock, Segments, Visibility, WhenFull,
};
use tableside_rules::{Asked, CheckSpec, Field, ValueSource, Whose};
use tableside_table::SeatView;

/// What a clock has that nobody said more about.
const SEGMENTS: i32 = 6;

/// Makes a clock, or changes that one.
///
/// # Panics
/// When a clock may not have six segments; it may.
pub fn clock_form(id: Option<ClockId>, view: &SeatView<'_>) -> Dialog {
    let known = id.and_then(|id| view.clock(id)).map(|view| view.clock);
    let segments = Segments::try_from(SEGMENTS).expect("six are neither too few nor too many");
    let clock = known.cloned().unwrap_or_else(|| Clock::new("", segments));
    let (is_known, owners) = (known.is_some(), owners(view));
    let title = known.map_or("New clock", |clock| &clock.name);
    let form = Form::new(title, rows(&clock, clock.kind, &owners, view));
    let before = (clock.clone(), owners.clone());
    ask_over(
        form,
        view,
        move |form, view| {
            let (clock, owners) = &before;
            let kind = form.picked("kind", &ClockKind::ALL);
            let mut rows = rows(clock, kind, owners, view);
            if let Some(spec) = check_spec(form, view) {
                rows.extend(check_rows(clock.check.as_deref(), spec, owners, view));
            }
            rows.extend(act_rows(clock, kind));
            form.lay_out(rows);
        },
        move |form, view| {
            // The clock as it stands now, with what was changed here.
            let now = view.clock(clock.id);
            let mut clock = now.map_or(&clock, |view| view.clock).clone();
            for row in form.changed() {
                match row.id {
                    RowId::Row("name") => clock.name = row.value(),
                    RowId::Row("segments") => {
                        let segments = Segments::try_from(form.number("segments")?);
                        clock.segments = segments.map_err(|refusal| refusal.to_string())?;
                    }
                    RowId::Row("kind") => clock.kind = form.picked("kind", &ClockKind::ALL),
                    RowId::Row("race") => clock.race = row.value(),
                    RowId::Row("left" | "right") => {
                        clock.ends = Some([form.text("left"), form.text("right")]);
                    }
                    RowId::Row("visibility") => {
                        clock.visibility = form.picked("visibility", &Visibility::ALL);
                    }
                    RowId::Row("owner") => clock.owner = form.picked("owner", &owners),
                    RowId::Row("scene") => clock.of_scene = form.is_on("scene"),
                    RowId::Row("full") => clock.when_full = form.picked("full", &WhenFull::ALL),
                    RowId::Row("start") => {}
                    RowId::Row(id) if every(id).is_some() => {
                        let by = form.maybe_number(id)?.unwrap_or(0);
                        clock.every.extend(every(id).map(|every| (every, by)));
                    }
                    _ => {
                        let check = check_spec(form, view);
                        let check = check.map(|spec| attached(form, spec, &owners));
                        clock.check = check.map(Box::new);
                    }
                }
            }
            if is_known {
                return Ok(Command::edit(clock).into());
            }
            let start = form.text("start");
            if start.is_empty() {
                return Ok(Command::add(clock).into());
            }
            let rolled = NewClock {
                clock,
                segments: None,
                filled: Some(start),
            };
            Ok(Command::AddClock(rolled).into())
        },
    )
}

/// The form of a clock at its check, and why one is needed.
pub fn clock_check_form(id: ClockId, why: &str, view: &SeatView<'_>) -> Dialog {
    let why = format!("{why}; say it here, and f forecasts");
    let mut dialog = clock_form(Some(id), view).with_focus("check");
    dialog.form.problem = Some(why);
    dialog
}

/// The rows of what a clock ticks by, by itself.
const EVERY: [(&str, Every); 3] = [
    ("every-round", Every::Round),
    ("every-scene", Every::Scene),
    ("every-rest", Every::Rest),
];

/// When a clock ticks by itself that has a row of that name.
fn every(id: &str) -> Option<Every> {
    let found = EVERY.iter().find(|(known, _)| *known == id);
    found.map(|(_, every)| *every)
}

/// The rows of a clock of that kind, without those of its check.
fn rows(
    clock: &Clock,
    kind: ClockKind,
    owners: &[Option<CharacterId>],
    view: &SeatView<'_>,
) -> Vec<Row> {
    let bounds = (Segments::MIN.into(), Segments::MAX.into());
    let segments = Some(clock.segments.count().into());
    let mut rows = vec![
        Row::name(&clock.name, "The alarm").help("What it counts towards."),
        Row::number("segments", "Segments", segments, bounds)
            .needed()
            .help("How many steps until it is full: 4 is soon, 8 is far."),
        Row::one_of("kind", "Kind", &ClockKind::ALL, clock.kind, |kind| {
            format!("{} ({})", kind.into_str(), kind.describe())
        })
        .help(kind.explain()),
    ];
    let race = view.race_name(clock).unwrap_or_else(|| clock.race.clone());
    let end = |at: usize| clock.ends.as_ref().map_or("", |ends| ends[at].as_str());
    match kind {
        ClockKind::Race => rows.push(
            Row::text("race", "Race", &race, LONGEST_NAME)
                .hint("the race")
                .help("Clocks with the same name here race each other."),
        ),
        ClockKind::TugOfWar => rows.extend([
            Row::text("left", "Left end", end(0), LONGEST_NAME)
                .hint("left")
                .help("Who or what wins when it is pulled to the left."),
            Row::text("right", "Right end", end(1), LONGEST_NAME)
                .hint("right")
                .help("Who or what wins when it is full."),
        ]),
        ClockKind::Effort | ClockKind::Countdown => {}
    }
    let (seen_by, now) = (&Visibility::ALL, clock.visibility);
    let checks = view.system().spec().checks;
    let attached = clock.check.as_ref();
    let at = attached.and_then(|one| checks.iter().position(|spec| spec.id == one.check));
    let labels = checks.iter().map(|check| check.label);
    let labels = ["none"].into_iter().chain(labels);
    rows.extend([
        Row::one_of("visibility", "Visibility", seen_by, now, <&str>::from)
            .help("Of a known clock players see that it is there, but not how full it is."),
        owner_row(("owner", "Belongs to"), owners, clock.owner, "nobody", view)
            .help("The character that it is about, if any."),
        Row::flag("scene", "Ends with the scene", clock.of_scene).help(
            "Whether it goes when the scene ends; a character's clock stays with the character.",
        ),
        Row::choice("check", "Filled by", labels, at.map_or(0, |at| at + 1)).help(
            "The check that fills it: r on the clock rolls it, and f forecasts when it is full.",
        ),
    ]);
    rows
}

/// The rows of what it does by itself.
fn act_rows(clock: &Clock, kind: ClockKind) -> impl Iterator<Item = Row> {
    let ends = matches!(kind, ClockKind::Race | ClockKind::TugOfWar);
    let (all, when) = (&WhenFull::ALL, clock.when_full);
    let is_new = clock.id == ClockId::default();
    let full = (!ends).then(|| {
        Row::one_of("full", "When full", all, when, WhenFull::describe)
            .help("Whether it stays full, or is empty again; what is left over counts on.")
    });
    let every = EVERY.map(|(id, every)| {
        let by = clock.every.get(&every).copied().unwrap_or(0);
        let label = format!("Every {}", every.into_str());
        Row::number(id, label, Some(by), (-MAX_TICKS, MAX_TICKS))
            .beside("0 is never")
            .help("By how much it ticks by itself, or below 0 goes back.")
    });
    let start = is_new.then(|| {
        Row::text("start", "At first", "", LONGEST_NAME)
            .hint("as usual")
            .help("How many are filled at first: 2, or dice as in d4.")
    });
    full.into_iter().chain(every).chain(start)
}

/// The rows of the check: who rolls it, its fields as a person writes them, and what each outcome is worth.
fn check_rows(
    attached: Option<&AttachedCheck>,
    spec: &'static CheckSpec,
    owners: &[Option<CharacterId>],
    view: &SeatView<'_>,
) -> Vec<Row> {
    let same = attached.filter(|attached| attached.check == spec.id);
    let who = attached.and_then(|attached| attached.who);
    let roller = owner_row(("roller", "Rolled by"), owners, who, "anybody", view);
    let help = "Whose sheet the fields come from; without anybody they have to be given.";
    let everybody: Vec<CharacterId> = owners.iter().copied().flatten().collect();
    let given = |field: &Field| {
        let mut given = same.iter().flat_map(|same| &same.fields);
        given.find(|(id, _)| id == field.id)
    };
    // What is asked for seldom stands there where it was given.
    let usual = |field: &&Field| field.asked != Asked::Seldom || given(field).is_some();
    let fields = asked(spec).filter(usual).map(|field| {
        let given = given(field);
        let given = given.map(|(_, given)| given.as_str());
        let names = field_row::sheet_names(field, &everybody, view);
        let row = field_row::field_row(field, names, given, open(field));
        row.help(format!("{} ({})", field.help, field.describe()))
    });
    let outcomes = spec.outcomes.iter().map(|outcome| {
        let ticks = same.and_then(|same| same.ticks.iter().find(|(id, _)| id == outcome.id));
        let ticks = ticks.map(|(_, ticks)| *ticks);
        let (id, label) = (RowId::Outcome(outcome.id), format!("{} fills", outcome.label));
        let row = Row::number(id, label, ticks, (-MAX_TICKS, MAX_TICKS));
        row.hint("as the rules say").help(
            "How many segments this outcome fills, or below 0 empties; left out, what the rules give.",
        )
    });
    let all = same.is_some_and(|same| same.counts_all_rolls);
    let all = Row::flag("all", "Counts all rolls", all)
        .help("Whether rolls of the check count too that were made for something else.");
    let roller = std::iter::once(roller.help(help));
    roller.chain(fields).chain(outcomes).chain([all]).collect()
}

/// The check that its rows make.
fn attached(
    form: &Form,
    spec: &'static CheckSpec,
    owners: &[Option<CharacterId>],
) -> AttachedCheck {
    let ticks = spec.outcomes.iter().filter_map(|outcome| {
        let ticks = form.maybe_number(RowId::Outcome(outcome.id)).ok()??;
        Some((outcome.id.to_owned(), ticks))
    });
    AttachedCheck {
        who: form.picked("roller", owners),
        fields: field_row::entered_fields(asked(spec), form, open),
        ticks: ticks.collect(),
        counts_all_rolls: form.is_on("all"),
        ..AttachedCheck::new(spec.id)
    }
}

fn check_spec(form: &Form, view: &SeatView<'_>) -> Option<&'static CheckSpec> {
    let at = form.choice("check").checked_sub(1)?;
    view.system().spec().checks.get(at).copied()
}

/// The fields that can be given beforehand.
fn asked(spec: &'static CheckSpec) -> impl Iterator<Item = &'static Field> {
    spec.fields.iter().filter(|field| field.house.is_none())
}

/// What a field is while it is left open.
fn open(field: &Field) -> &'static str {
    if field.source != ValueSource::Table && field.whose == Whose::Own {
        "from the sheet"
    } else if field.is_required() {
        "needed"
    } else {
        "as usual"
    }
}

/// What happens to another clock when that one is full; `None` if there is no other.
pub fn link_form(id: ClockId, view: &SeatView<'_>) -> Option<Dialog> {
    let clock = view.clock(id)?.clock;
    let others = view.clocks().map(|one| one.clock);
    let others = others.filter(|one| one.id != id && one.rule.is_none());
    let others: Vec<ClockId> = others.map(|one| one.id).collect();
    let first = *others.first()?;
    let name = |id| view.clock(id).map_or("", |one| &one.clock.name);
    let words = [
        "nothing",
        "it advances",
        "it reveals",
        "it starts",
        "rolls count for both",
    ];
    let at = |link: Link| {
        LinkEffect::ALL
            .iter()
            .position(|effect| *effect == link.effect)
    };
    let at = clock.link.and_then(at).map_or(0, |at| at + 1);
    let to = clock.link.map_or(first, |link| link.to);
    let rows = vec![
        Row::choice("then", "When it is full", words, at),
        Row::one_of("to", "Which clock", &others, to, name)
            .help("The other clock. Links go on from clock to clock, and never in a circle."),
    ];
    let effect = |form: &Form| Some(LinkEffect::ALL[form.choice("then").checked_sub(1)?]);
    let form = ask_over(
        Form::new(format!("Link {}", clock.name), rows),
        view,
        move |form, _| {
            let help = effect(form).map_or("Full, it leads to nothing else.", LinkEffect::explain);
            form.rows[0].help = help.into();
        },
        move |form, view| {
            let now = view.clock(id);
            let mut clock = now.ok_or("that clock no longer exists")?.clock.clone();
            let to = form.picked("to", &others);
            clock.link = effect(form).map(|effect| Link { to, effect });
            Ok(Command::edit(clock).into())
        },
    );
    Some(form)
}
