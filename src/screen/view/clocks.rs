//! The progress clocks: faces where there is room, else a line each.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::listed::{self, Listed};
use super::painter::{Painter, Source};
use crate::screen::layout::{self, Deck};
use crate::screen::list::ListId;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::clock::{Clock, LARGE, MEDIUM};
use crate::screen::widget::grid::{Column, Columns};
use crate::screen::widget::{HIDDEN, after, below, join, left, top};
use crate::session::{CharacterId, ClockKind, Visibility};
use crate::table::{ClockView, about_clock};

/// From so many columns on, the words beside a face name the clock's kind, and say that it is hidden.
const ROOM_FOR_KIND: u16 = 18;
/// The places of the face and the bar among the columns of [`pictures`].
const FACE_AND_BAR: [usize; 2] = [0, 2];

/// Draws the tab: faces where all of them have room.
pub(super) fn tab(paint: &mut Painter<'_>, body: Rect) {
    let state = paint.state;
    let count = state.list(state.in_hand()).lines().len();
    match layout::faces(body, count, state.is_turned(state.tab)) {
        Some(deck) => listed::cells::<ClockView<'_>>(paint, &deck),
        None => listed::tab::<ClockView<'_>>(paint, body),
    }
}

impl<'a> Listed<'a> for ClockView<'a> {
    fn find(from: Source<'a>, id: ListId) -> Option<Self> {
        from.seen.clock(id.clock()?)
    }

    /// A touch of the face or the bar advances a clock.
    fn parts(&self, _: Source<'a>) -> Vec<(usize, Spot)> {
        let touched = Spot::Face(self.clock.id);
        FACE_AND_BAR.map(|column| (column, touched)).to_vec()
    }

    fn columns(from: Source<'a>, width: u16) -> Columns<'a, Self> {
        let has_owners = from.seen.clocks().any(|seen| seen.clock.owner.is_some());
        let has_column = has_owners && width > 80;
        // What a clock leads to stands behind its name, where that pushes nothing else aside.
        let has_links = from.seen.clocks().any(|seen| seen.clock.link.is_some());
        let is_roomy = has_links && width > 100;
        let name = Column::new("Clock", (12, if is_roomy { 40 } else { 29 }));
        let bar = Column::fixed("Filled", if width > 56 { 12 } else { 8 });
        let count = Column::fixed("", 7);
        let mut all = pictures(from, [name, bar.priority(2), count], move |seen| {
            full_name(seen, has_column, from)
        });
        let kind = Column::fixed("Kind", 10).priority(4);
        all.add(kind, move |seen| {
            from.say(seen.clock.kind.id(), Role::Muted)
        });
        let visibility = Column::fixed("Seen", 7).priority(3);
        all.add(visibility, move |seen| {
            let visibility = seen.clock.visibility;
            let is_seen = visibility == Visibility::Visible;
            let role = if is_seen { Role::Muted } else { Role::Hidden };
            from.say(visibility.id(), role)
        });
        if has_column {
            let column = Column::new("Whose", (5, 16)).priority(5);
            all.add(column, move |seen| {
                from.say(owner(seen, from).unwrap_or(""), Role::Muted)
            });
        }
        all
    }

    fn in_a_line(from: Source<'a>, deck: &Deck) -> Option<Columns<'a, Self>> {
        let bar = if deck.cell.0 >= 46 { 10 } else { 0 };
        let columns = [
            Column::new("", (8, 8)),
            Column::fixed("", bar).priority(1),
            Column::fixed("", 6),
        ];
        (deck.cell.1 == 1).then(|| pictures(from, columns, move |seen| name(seen, from)))
    }

    /// A face with its name beside it.
    fn card(&self, paint: &mut Painter<'a>, area: Rect) {
        let from = paint.from;
        let face = top(left(area, MEDIUM.0), MEDIUM.1);
        let picture = draw_face(self, paint, face);
        let words = after(top(area, MEDIUM.1), face.width + 1);
        let words = left(words, words.width.saturating_sub(1));
        // The name may be long, but leaves the last row to the count.
        let name_rows = top(words, words.height.saturating_sub(1).max(1));
        let rest = paint.text(name_rows, &name(self, from));
        let rest = below(words, rest.y - words.y);
        let is_wide = words.width >= ROOM_FOR_KIND;
        let owner = owner(self, from).map(|owner| from.say(owner, Role::Muted));
        let kind = is_wide.then(|| from.say(self.clock.kind.id(), Role::Muted));
        // Where a long name leaves the owner no line, the owner stands in the place of the kind.
        let (beside, beneath) = if rest.height < 2 && owner.is_some() {
            (owner, None)
        } else {
            (kind, owner)
        };
        let count = Some(from.say(picture.count(), Role::Text));
        paint.line(rest, &join([count, beside].into_iter().flatten(), "  "));
        let is_hidden = is_wide && self.clock.visibility != Visibility::Visible;
        let visibility = is_hidden.then(|| from.say(self.clock.visibility.id(), Role::Hidden));
        let last = join([beneath, visibility].into_iter().flatten(), "  ");
        paint.line(below(rest, 1), &last);
    }

    fn title(&self, from: Source<'a>) -> (&'a str, &'a str) {
        (&self.clock.name, owner(self, from).unwrap_or(""))
    }

    /// A face of at most 13 rows, which leaves seven to the words, but is no smaller than [`LARGE`].
    fn picture(&self, paint: &mut Painter<'a>, area: Rect) -> Rect {
        let rows = area.height.saturating_sub(7).min(area.width / 2).min(13);
        let face = top(below(area, 1), rows.max(LARGE.1));
        draw_face(self, paint, face);
        below(area, face.height + 2)
    }

    fn facts(&self, from: Source<'a>) -> Vec<(&'a str, Line<'a>)> {
        let clock = self.clock;
        let ends = clock.of_scene.then(|| "ends with the scene".to_owned());
        let told = about_clock(self, from.seen).into_iter().chain(ends);
        told.map(|words| ("", from.say(words, Role::Muted)))
            .collect()
    }
}

/// What every list of clocks begins with: a face, the name, a bar, and a count.
fn pictures<'a>(
    from: Source<'a>,
    [name, bar, count]: [Column<'static>; 3],
    named: impl Fn(&ClockView<'a>) -> Line<'a> + 'a,
) -> Columns<'a, ClockView<'a>> {
    let mut all = Columns::default();
    let width = bar.least();
    all.add(Column::fixed("", 1), move |seen| {
        face(seen, from).glyph().into()
    });
    all.add(name.grows(), named);
    all.add(bar, move |seen| face(seen, from).bar(width));
    all.add(count.right(), move |seen| {
        from.say(face(seen, from).count(), Role::Text)
    });
    all
}

fn draw_face<'a>(seen: &ClockView<'_>, paint: &mut Painter<'a>, area: Rect) -> Clock<'a> {
    let picture = face(seen, paint.from);
    (&picture).render(area, paint.buffer);
    paint.hits.push((area, Spot::Face(seen.clock.id)));
    picture
}

/// The clocks of a character.
pub(super) fn of(owner: CharacterId, from: Source<'_>) -> impl Iterator<Item = ClockView<'_>> {
    let clocks = from.seen.clocks();
    clocks.filter(move |seen| seen.clock.owner == Some(owner))
}

/// The name of the one whose clock it is.
fn owner<'a>(seen: &ClockView<'_>, from: Source<'a>) -> Option<&'a str> {
    let owner = seen.clock.owner;
    owner.map(|owner| from.seen.owner_name(Some(owner)))
}

/// A clock's picture.
pub(super) fn face<'a>(seen: &ClockView<'_>, from: Source<'a>) -> Clock<'a> {
    let kind = seen.clock.kind;
    Clock {
        filled: seen.filled.map(u16::from),
        segments: seen.clock.segments.count().into(),
        role: if kind == ClockKind::Countdown {
            Role::CountdownFill
        } else {
            Role::ClockFill
        },
        is_pulled: kind == ClockKind::TugOfWar,
        look: from.look,
    }
}

/// A clock's name, with a sign before a hidden one, and behind it in a word [how the clock stands](standing).
fn name<'a>(seen: &ClockView<'a>, from: Source<'_>) -> Line<'a> {
    let clock = seen.clock;
    let mut line = if clock.visibility == Visibility::Visible {
        from.say(clock.name.as_str(), Role::Text)
    } else {
        let sign = from.say(HIDDEN, Role::Hidden);
        join([sign, from.say(clock.name.as_str(), Role::Hidden)], " ")
    };
    if let Some((word, role)) = standing(seen, from) {
        line.push_span(from.span(format!(" {word}"), role));
    }
    line
}

/// What is special about how a clock stands: that it is full, lost its race, or waits for another one. A seat that
/// may not see how full it is learns nothing of that.
fn standing<'a>(seen: &ClockView<'a>, from: Source<'_>) -> Option<(&'a str, Role)> {
    seen.filled?;
    let clock = seen.clock;
    let is_pulled = clock.kind == ClockKind::TugOfWar;
    let [first_end, last_end] = clock.end_names();
    if is_pulled && clock.is_full() {
        Some((last_end, Role::Warning))
    } else if is_pulled && clock.filled == 0 {
        Some((first_end, Role::Warning))
    } else if clock.is_full() {
        let is_alone = from.seen.race(clock).is_empty();
        Some((if is_alone { "full" } else { "first" }, Role::Warning))
    } else if from.seen.winner(clock).is_some() {
        Some(("lost", Role::Muted))
    } else {
        let waits = from.seen.waits_for(clock).is_some();
        waits.then_some(("waits", Role::Muted))
    }
}

/// The name, with the owner's where there is no column for it, and what the clock leads to.
fn full_name<'a>(seen: &ClockView<'a>, has_column: bool, from: Source<'a>) -> Line<'a> {
    let owner = owner(seen, from).filter(|_| !has_column);
    let owner = owner.map(|owner| from.say(owner, Role::Muted));
    let link = seen.clock.link.and_then(|link| from.seen.clock(link.to));
    let link = link.map(|link| from.say(format!("→ {}", link.clock.name), Role::Muted));
    let parts = [Some(name(seen, from)), owner, link];
    join(parts.into_iter().flatten(), "  ")
}
