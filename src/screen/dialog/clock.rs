//! The form of a clock.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::entry::Entry;
use super::form::{Form, Item, Went};
use super::owner::Owners;
use super::{Heard, Manner, Reply};
use crate::screen::action::{Action, Context};
use crate::screen::widget::Look;
use crate::session::{Clock, ClockId, ClockKind, Command, LONGEST_NAME, Segments, Visibility};
use crate::table::{Entry as Told, Seen};

/// The form of a clock.
#[derive(Clone, Debug)]
pub struct ClockForm {
    /// Which, where it runs already.
    id: Option<ClockId>,
    title: String,
    owners: Owners,
    form: Form,
}

/// What a clock has that nobody said more about.
const SEGMENTS: i32 = 6;

impl ClockForm {
    /// Opens it for a new clock, or for that one.
    pub fn open(id: Option<ClockId>, seen: &Seen<'_>) -> Self {
        let known = id.and_then(|id| seen.clock(id)).map(|seen| seen.clock);
        let owners = Owners::of(seen, "nobody");
        let segments = known.map_or(SEGMENTS, |clock| clock.segments.count().into());
        let kind = known.map(|clock| clock.kind).unwrap_or_default();
        let visibility = known.map(|clock| clock.visibility).unwrap_or_default();
        let kinds = ClockKind::ALL.map(|kind| format!("{} ({})", kind.id(), kind.describe()));
        let items = vec![
            Item::new(
                "name",
                "Name",
                Entry::text(known.map_or("", |clock| clock.name.as_str()), LONGEST_NAME),
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
                "Effort fills on success, a countdown on trouble; of a race the first full wins.",
            ),
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
        ];
        Self {
            id: known.map(|clock| clock.id),
            title: known.map_or("New clock", |clock| &clock.name).to_owned(),
            owners,
            form: Form::new(items),
        }
    }

    fn check(&mut self) {
        self.form.check(|form, item| match item.id {
            "name" if form.text("name").is_empty() => Some("a clock needs a name".to_owned()),
            "segments" => item.number().err(),
            _ => None,
        });
    }

    /// The clock as it stands now, with what was changed here.
    fn build(&self, seen: &Seen<'_>) -> Result<Command, String> {
        let form = &self.form;
        let segments = form.item("segments").map_or(Ok(SEGMENTS), Item::number)?;
        let segments = u8::try_from(segments).unwrap_or(u8::MAX);
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
            clock.kind = picked(&ClockKind::ALL, form.choice("kind"));
        }
        if form.is_changed("visibility") {
            clock.visibility = picked(&Visibility::ALL, form.choice("visibility"));
        }
        if form.is_changed("owner") {
            clock.owner = self.owners.at(form.choice("owner"));
        }
        let clock = Box::new(clock);
        Ok(match self.id {
            Some(_) => Command::EditClock(clock),
            None => Command::AddClock(clock),
        })
    }
}

/// Where one stands among all.
pub(super) fn place<T: Copy + PartialEq>(all: &[T], one: T) -> usize {
    all.iter().position(|known| *known == one).unwrap_or(0)
}

/// The one in that place.
pub(super) fn picked<T: Copy + Default>(all: &[T], place: usize) -> T {
    all.get(place).copied().unwrap_or_default()
}

impl Manner for ClockForm {
    fn contexts(&self) -> &'static [Context] {
        self.form.contexts()
    }

    fn hints(&self) -> &'static [Action] {
        self.form.hints()
    }

    fn takes_letters(&self) -> bool {
        self.form.takes_letters()
    }

    fn hear(&mut self, heard: &Heard, seen: &Seen<'_>) -> Reply {
        match self.form.hear(heard) {
            Went::On => Reply::Stay,
            Went::Left => Reply::Close,
            Went::Changed => {
                self.check();
                Reply::Stay
            }
            Went::Submitted if self.id.is_some() && self.form.is_untouched() => Reply::Close,
            Went::Submitted => {
                self.check();
                let built = self.build(seen);
                self.form.finish(built)
            }
        }
    }

    fn told(&mut self, told: Result<&Told, &str>, _seen: &Seen<'_>) {
        self.form.problem = told.err().map(str::to_owned);
    }

    fn view(
        &self,
        _seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        self.form.draw(&self.title, look, area, buffer)
    }
}
