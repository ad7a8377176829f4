//! The form of a clock, with the check that fills it.

use super::DialogAction;
use super::field_row::{self, Owners};
use super::form::{Form, FormDialog, FormSpec, Id, Row};
use crate::rules::{CheckSpec, Field, Preset, Source, Whose};
use crate::session::{
    Attached, CharacterId, Clock, ClockId, ClockKind, Command, LONGEST_NAME, MOST_TICKS, Segments,
    Visibility,
};
use crate::table::SeatView;

#[derive(Debug)]
pub struct ClockForm {
    /// The clock as it was when the form opened.
    before: Clock,
    is_new: bool,
    owners: Owners,
    rollers: Owners,
}

/// What a clock has that nobody said more about.
const SEGMENTS: i32 = 6;

impl ClockForm {
    /// Opens it for a new clock, or for that one.
    ///
    /// # Panics
    /// When a clock may not have six segments; it may.
    pub fn open(id: Option<ClockId>, seen: &SeatView<'_>) -> FormDialog<Self> {
        let known = id.and_then(|id| seen.clock(id)).map(|seen| seen.clock);
        let segments = Segments::try_from(SEGMENTS).expect("six are neither too few nor too many");
        let spec = Self {
            before: known.cloned().unwrap_or_else(|| Clock::new("", segments)),
            is_new: known.is_none(),
            owners: Owners::of(seen, "nobody"),
            rollers: Owners::of(seen, "whoever rolls"),
        };
        let title = known.map_or("New clock", |clock| &clock.name);
        FormDialog::new(Form::new(title, Vec::new()), spec, seen)
    }

    /// Opens it at the check, and says why one is needed.
    pub fn attach(id: ClockId, why: &str, seen: &SeatView<'_>) -> FormDialog<Self> {
        let why = format!("{why}: give it one here, and f forecasts");
        Self::open(Some(id), seen).at("check").because(why)
    }

    /// The rows for a clock of that kind, filled by that check.
    fn rows(
        &self,
        kind: ClockKind,
        spec: Option<&'static CheckSpec>,
        seen: &SeatView<'_>,
    ) -> Vec<Row> {
        let clock = &self.before;
        let end = |at: usize| clock.ends.as_ref().map_or("", |ends| ends[at].as_str());
        let segments = (Segments::MIN.into(), Segments::MAX.into());
        let mut rows = vec![
            Row::text("name", "Name", &clock.name, LONGEST_NAME)
                .hint("The alarm")
                .help("What it counts towards."),
            Row::number(
                "segments",
                "Segments",
                Some(clock.segments.count().into()),
                segments,
            )
            .help("How many steps until it is full: 4 is soon, 8 is far."),
            Row::one_of("kind", "Kind", &ClockKind::ALL, clock.kind, |kind| {
                format!("{} ({})", kind.id(), kind.describe())
            })
            .help(kind.explain()),
        ];
        match kind {
            ClockKind::Race => rows.push(
                Row::text("race", "Race", &clock.race, LONGEST_NAME)
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
        let checks = seen.system().spec().checks;
        let attached = clock.check.as_ref();
        let at = attached.and_then(|one| checks.iter().position(|spec| spec.id == one.check));
        let labels = checks.iter().map(|check| check.label);
        rows.extend([
            Row::one_of("visibility", "Visibility", &Visibility::ALL, clock.visibility, Visibility::id)
                .help("Of a known clock players see that it is there, but not how full it is."),
            self.owners
                .row("owner", "Belongs to", clock.owner)
                .help("The character that it is about, if any."),
            Row::flag("scene", "Ends with the scene", clock.of_scene).help(
                "Whether it goes when the scene ends; a character's clock stays with the character.",
            ),
            Row::choice("check", "Filled by", ["none"].into_iter().chain(labels), at.map_or(0, |at| at + 1))
                .help("The check that fills it: r on the clock rolls it, and f forecasts when it is full."),
        ]);
        rows.extend(
            spec.into_iter()
                .flat_map(|spec| self.check_rows(spec, seen)),
        );
        rows
    }

    /// The rows of the check: who rolls it, its fields as a person writes them, and what each outcome is
    /// worth.
    fn check_rows(&self, spec: &'static CheckSpec, seen: &SeatView<'_>) -> Vec<Row> {
        let attached = self.before.check.as_deref();
        let same = attached.filter(|attached| attached.check == spec.id);
        let who = attached.and_then(|attached| attached.who);
        let who = self.rollers.row("roller", "Rolled by", who);
        let who =
            who.help("Whose sheet the fields come from; without anybody they have to be given.");
        let everybody: Vec<CharacterId> = seen.roster().map(|one| one.id).collect();
        let fields = asked(spec).map(|field| {
            let given = same.and_then(|same| same.fields.iter().find(|(id, _)| id == field.id));
            let given = given.map(|(_, given)| given.as_str());
            let names = field_row::names(field, &everybody, seen);
            field_row::row(field, names, given, open(field)).help(format!(
                "{} ({})",
                field.help,
                field.describe()
            ))
        });
        let outcomes = spec.outcomes.iter().map(|outcome| {
            let ticks = same.and_then(|same| same.ticks.iter().find(|(id, _)| id == outcome.id));
            let label = format!("{} fills", outcome.label);
            let ticks = ticks.map(|(_, ticks)| *ticks);
            Row::number(
                Id::Outcome(outcome.id),
                label,
                ticks,
                (-MOST_TICKS, MOST_TICKS),
            )
            .hint("as the rules say")
            .help(
                "How many segments this outcome fills, or below 0 empties; left out, what the \
                     rules give.",
            )
        });
        [who].into_iter().chain(fields).chain(outcomes).collect()
    }

    fn attached(&self, form: &Form, spec: &'static CheckSpec) -> Attached {
        let mut attached = Attached::new(spec.id);
        attached.who = self.rollers.chosen(form, "roller");
        attached.fields = asked(spec)
            .filter_map(|field| {
                let given = field_row::given(field, form.row(Id::Field(field.id))?, open(field));
                Some((field.id.to_owned(), given?))
            })
            .collect();
        let ticks = |id| form.row(Id::Outcome(id))?.maybe_number().ok()?;
        let outcomes = spec.outcomes.iter();
        attached.ticks = outcomes
            .filter_map(|outcome| Some((outcome.id.to_owned(), ticks(outcome.id)?)))
            .collect();
        attached
    }
}

fn check_spec(form: &Form, seen: &SeatView<'_>) -> Option<&'static CheckSpec> {
    let at = form.choice("check").checked_sub(1)?;
    seen.system().spec().checks.get(at).copied()
}

/// The fields that can be given beforehand.
fn asked(spec: &'static CheckSpec) -> impl Iterator<Item = &'static Field> {
    let fields = spec.fields.iter().filter(|field| !field.quiet);
    fields.filter(|field| !matches!(field.preset, Preset::House(..)))
}

/// What a field is while it is left open.
fn open(field: &Field) -> &'static str {
    match field.preset {
        _ if field.source != Source::Table && field.whose == Whose::Own => "from the sheet",
        Preset::Required => "needed",
        _ => "as usual",
    }
}

impl FormSpec for ClockForm {
    fn is_an_edit(&self) -> bool {
        !self.is_new
    }

    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        if form.rows.is_empty() {
            form.lay_out(self.rows(self.before.kind, None, seen));
        }
        let spec = check_spec(form, seen);
        form.lay_out(self.rows(form.picked("kind", &ClockKind::ALL), spec, seen));
        let owner = self.owners.chosen(form, "owner");
        let others = seen.clocks().map(|one| one.clock);
        let others = others.filter(|one| self.is_new || one.id != self.before.id);
        let mut others = others.filter(|one| one.owner == owner);
        let name = form.text("name");
        let is_taken = others.any(|one| one.name.to_lowercase() == name.to_lowercase());
        let who = self.rollers.chosen(form, "roller");
        let filled = spec.map(|spec| seen.fill(spec, who));
        let filled = std::cell::RefCell::new(filled);
        form.check(|_, row| match row.id {
            Id::Row("name") if name.is_empty() => Some("a clock needs a name".to_owned()),
            Id::Row("name") if is_taken => Some(format!("there is a clock named {name} already")),
            Id::Row("segments") => row.needed_number().err(),
            Id::Outcome(_) => row.maybe_number().err(),
            Id::Field(id) => {
                let field = spec?.field(id)?;
                let given = field_row::given(field, row, open(field))?;
                let put = seen.fill_in(filled.borrow_mut().as_mut()?, who, field, &given);
                put.err().map(|refusal| refusal.to_string())
            }
            _ => None,
        });
    }

    /// The clock as it stands now, with what was changed here.
    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let mut clock = self.before.clone();
        if !self.is_new {
            let now = seen
                .clock(clock.id)
                .ok_or("that clock is not there any more")?;
            clock = now.clock.clone();
        }
        for row in form.rows.iter().filter(|row| row.is_changed()) {
            match row.id {
                Id::Row("name") => clock.name = row.words(),
                Id::Row("segments") => {
                    let segments = Segments::try_from(row.needed_number()?);
                    clock.segments = segments.map_err(|refusal| refusal.to_string())?;
                    clock.filled = clock.filled.min(clock.segments.count());
                }
                Id::Row("kind") => clock.kind = form.picked("kind", &ClockKind::ALL),
                Id::Row("race") => clock.race = row.words(),
                Id::Row("left" | "right") => {
                    clock.ends = Some([form.text("left"), form.text("right")]);
                }
                Id::Row("visibility") => {
                    clock.visibility = form.picked("visibility", &Visibility::ALL);
                }
                Id::Row("owner") => clock.owner = self.owners.chosen(form, "owner"),
                Id::Row("scene") => clock.of_scene = form.is_on("scene"),
                _ => {
                    let check = check_spec(form, seen);
                    let check = check.map(|spec| self.attached(form, spec));
                    clock.check = check.map(Box::new);
                }
            }
        }
        Ok(if self.is_new {
            Command::add(clock).into()
        } else {
            Command::edit(clock).into()
        })
    }
}
