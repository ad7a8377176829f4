//! The form of a clock.

mod check;

use super::DialogAction;
use super::entry::Entry;
use super::filled::{Filled, its_form};
use super::form::{Form, Item};
use super::owner::Owners;
use crate::rules::CheckSpec;
use crate::session::{Clock, ClockId, ClockKind, Command, LONGEST_NAME, Segments, Visibility};
use crate::table::SeatView;
use check::CheckRows;

/// The form of a clock.
#[derive(Clone, Debug)]
pub struct ClockForm {
    /// Which, where it runs already.
    id: Option<ClockId>,
    owners: Owners,
    /// The kind and the check that the rows are for.
    rows_for: (ClockKind, Option<&'static CheckSpec>),
    is_laid_out: bool,
    /// Rows that are not wanted now, with what was entered in them.
    spare: Vec<Item>,
    /// The check's own rows, which come last.
    check: CheckRows,
    form: Form,
}

/// What a clock has that nobody said more about.
const SEGMENTS: i32 = 6;

impl ClockForm {
    /// Opens it for a new clock, or for that one.
    pub fn open(id: Option<ClockId>, seen: &SeatView<'_>) -> Self {
        let known = id.and_then(|id| seen.clock(id)).map(|seen| seen.clock);
        let owners = Owners::of(seen, "nobody");
        let rollers = Owners::of(seen, "whoever rolls");
        let items = base_items(known, &owners, seen);
        let mut opened = Self {
            id: known.map(|clock| clock.id),
            owners,
            rows_for: (ClockKind::default(), None),
            is_laid_out: false,
            spare: Vec::new(),
            check: CheckRows::new(known.and_then(|clock| clock.check.as_deref()), rollers),
            form: Form::new(items).titled(known.map_or("New clock", |clock| &clock.name)),
        };
        opened.lay_out(seen);
        opened
    }

    /// Opens it where a check is attached, and says why one is needed.
    pub fn attach(id: ClockId, why: &str, seen: &SeatView<'_>) -> Self {
        let mut opened = Self::open(Some(id), seen);
        let at = opened.form.items.iter().position(|item| item.id == "check");
        opened.form.focus_on(at.unwrap_or(0));
        opened.form.problem = Some(format!("{why}: give it one here, and f forecasts"));
        opened
    }

    fn kind(&self) -> ClockKind {
        picked(&ClockKind::ALL, self.form.choice("kind"))
    }

    fn check_spec(&self, seen: &SeatView<'_>) -> Option<&'static CheckSpec> {
        let at = self.form.choice("check").checked_sub(1)?;
        seen.system().spec().checks.get(at).copied()
    }

    /// Shows the rows that this kind and this check have.
    fn lay_out(&mut self, seen: &SeatView<'_>) {
        let wanted = (self.kind(), self.check_spec(seen));
        if let Some(item) = self.form.items.iter_mut().find(|item| item.id == "kind") {
            wanted.0.explain().clone_into(&mut item.help);
        }
        if wanted == self.rows_for && self.is_laid_out {
            return;
        }
        let mut items = std::mem::take(&mut self.form.items);
        self.check.put_away(&mut items);
        items.append(&mut self.spare);
        let is_wanted = |item: &Item| match item.id {
            "race" => wanted.0 == ClockKind::Race,
            "left" | "right" => wanted.0 == ClockKind::TugOfWar,
            _ => true,
        };
        let (mut shown, spare): (Vec<Item>, Vec<Item>) = items.into_iter().partition(is_wanted);
        shown.sort_by_key(|item| ORDER.iter().position(|id| *id == item.id));
        self.check.lay_out(wanted.1, &mut shown, seen);
        self.form.items = shown;
        self.spare = spare;
        self.rows_for = wanted;
        self.is_laid_out = true;
    }

    fn check(&mut self, seen: &SeatView<'_>) {
        let names: Vec<String> = seen
            .clocks()
            .filter(|one| Some(one.clock.id) != self.id)
            .filter(|one| one.clock.owner == self.owners.at(self.form.choice("owner")))
            .map(|one| one.clock.name.to_lowercase())
            .collect();
        self.form.check(|form, item| match item.id {
            "name" => {
                let name = form.text("name");
                if name.is_empty() {
                    Some("a clock needs a name".to_owned())
                } else if names.contains(&name.to_lowercase()) {
                    Some(format!("there is a clock named {name} already"))
                } else {
                    None
                }
            }
            "segments" => item.number().err(),
            _ => None,
        });
        self.check.check(&mut self.form, self.rows_for.1, seen);
    }

    /// The clock as it stands now, with what was changed here.
    fn build(&self, seen: &SeatView<'_>) -> Result<Command, String> {
        let form = &self.form;
        let segments = form.item("segments").map_or(Ok(SEGMENTS), Item::number)?;
        let segments = Segments::try_from(segments).map_err(|refusal| refusal.to_string())?;
        let mut clock = match self.id {
            None => Clock::new("", segments),
            Some(id) => {
                let now = seen.clock(id);
                now.ok_or("that clock is not there any more")?.clock.clone()
            }
        };
        if form.is_changed("name") {
            clock.name = form.text("name");
        }
        if form.is_changed("segments") {
            clock.segments = segments;
            clock.filled = clock.filled.min(segments.count());
        }
        if form.is_changed("kind") {
            clock.kind = self.kind();
        }
        if form.is_changed("race") {
            clock.race = form.text("race");
        }
        if form.is_changed("left") || form.is_changed("right") {
            clock.ends = Some([form.text("left"), form.text("right")]);
        }
        if form.is_changed("visibility") {
            clock.visibility = picked(&Visibility::ALL, form.choice("visibility"));
        }
        if form.is_changed("owner") {
            clock.owner = self.owners.at(form.choice("owner"));
        }
        if form.is_changed("scene") {
            clock.of_scene = form.flag("scene");
        }
        if form.is_changed("check") || self.check.is_changed(form) {
            let check = self.check.build(form, self.rows_for.1);
            clock.check = check.map(Box::new);
        }
        let clock = Box::new(clock);
        Ok(match self.id {
            Some(_) => Command::EditClock(clock),
            None => Command::AddClock(clock),
        })
    }
}

/// The rows that every clock may have, in order; those of the check come after.
const ORDER: [&str; 10] = [
    "name",
    "segments",
    "kind",
    "race",
    "left",
    "right",
    "visibility",
    "owner",
    "scene",
    "check",
];

fn base_items(known: Option<&Clock>, owners: &Owners, seen: &SeatView<'_>) -> Vec<Item> {
    let text = |of: &dyn Fn(&Clock) -> &str| Entry::text(known.map_or("", of), LONGEST_NAME);
    let segments = known.map_or(SEGMENTS, |clock| clock.segments.count().into());
    let kind = known.map(|clock| clock.kind).unwrap_or_default();
    let visibility = known.map(|clock| clock.visibility).unwrap_or_default();
    let kinds = ClockKind::ALL.map(|kind| format!("{} ({})", kind.id(), kind.describe()));
    let end = |index: usize| {
        let ends = known.and_then(|clock| clock.ends.as_ref());
        let name = ends.map_or("", |ends| ends[index].as_str());
        Entry::text(name, LONGEST_NAME)
    };
    let checks = seen.system().spec().checks;
    let attached = known.and_then(|clock| clock.check.as_ref());
    let attached = attached.and_then(|one| checks.iter().position(|spec| spec.id == one.check));
    let checks = ["none"]
        .into_iter()
        .chain(checks.iter().map(|check| check.label));
    vec![
        Item::new(
            "name",
            "Name",
            text(&|clock| &clock.name),
            "What it counts towards.",
        )
        .hint("The alarm"),
        Item::new(
            "segments",
            "Segments",
            Entry::number(Some(segments)),
            "How many steps until it is full: 4 is soon, 8 is far.",
        )
        .within(Segments::MIN.into(), Segments::MAX.into()),
        Item::new(
            "kind",
            "Kind",
            Entry::word(kinds, place(&ClockKind::ALL, kind)),
            "",
        ),
        Item::new(
            "race",
            "Race",
            text(&|clock| &clock.race),
            "Clocks with the same name here race each other.",
        )
        .hint("the race"),
        Item::new(
            "left",
            "Left end",
            end(0),
            "Who or what wins when it is pulled to the left.",
        )
        .hint("left"),
        Item::new(
            "right",
            "Right end",
            end(1),
            "Who or what wins when it is full.",
        )
        .hint("right"),
        Item::new(
            "visibility",
            "Visibility",
            Entry::word(
                Visibility::ALL.map(Visibility::id),
                place(&Visibility::ALL, visibility),
            ),
            "Of a known clock players see that it is there, but not how full it is.",
        ),
        Item::new(
            "owner",
            "Belongs to",
            owners.entry(known.and_then(|clock| clock.owner)),
            "The character that it is about, if any.",
        ),
        Item::new(
            "scene",
            "Ends with the scene",
            Entry::Flag(known.is_some_and(|clock| clock.of_scene)),
            "Whether it goes when the scene ends; a character's clock stays with the character.",
        ),
        Item::new(
            "check",
            "Filled by",
            Entry::word(checks, attached.map_or(0, |at| at + 1)),
            "The check that fills it: r on the clock rolls it, and f forecasts when it is full.",
        ),
    ]
}

/// Where one stands among all.
pub(super) fn place<T: Copy + PartialEq>(all: &[T], one: T) -> usize {
    all.iter().position(|known| *known == one).unwrap_or(0)
}

/// The one in that place.
pub(super) fn picked<T: Copy + Default>(all: &[T], place: usize) -> T {
    all.get(place).copied().unwrap_or_default()
}

impl Filled for ClockForm {
    its_form!();

    fn is_an_edit(&self) -> bool {
        self.id.is_some()
    }

    fn entered(&mut self, seen: &SeatView<'_>) {
        self.lay_out(seen);
        self.check(seen);
    }

    fn submit(&mut self, seen: &SeatView<'_>) -> DialogAction {
        self.check(seen);
        let built = self.build(seen);
        self.form.finish(built)
    }
}
