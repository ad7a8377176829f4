//! The progress clocks: faces where there is room, else a line each.

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::ListId;
use crate::app::state::{Panel, Tab};
use crate::app::update::mouse::Spot;
use crate::view::layout::{self, OWNER, PanelLayout};
use crate::view::listed::{self, ItemView};
use crate::view::pinned::pinned_notes;
use crate::view::{Painter, Source};
use crate::widget::clock::{Clock, LARGEST};
use crate::widget::{
    Column, GUTTER, GridColumns, HIDDEN, after, below, join, left, line_columns, top, wrap_line,
};
use tableside_game::{ClockKind, EntityKind, Link, Pin, Visibility};
use tableside_table::{ClockView, SeatView, about_clock};

/// The places of the face and the bar among the columns of [`pictures`].
const FACE_AND_BAR: [usize; 2] = [0, 2];
/// As many clocks as have room with their faces on a large screen.
const MOST_OUTLOOKS: usize = 64;
/// What stands above the clocks that the rules gave to characters.
const GIVEN: &str = "Characters' own";

/// Draws the tab where all clocks have room as pictures, in these places.
pub(super) fn faces<'a>(paint: &mut Painter<'a>, body: Rect, places: &[Rect]) {
    let from = paint.from;
    let list = from.state.list(Panel::Clocks);
    let mut last_owner = None;
    for (id, area) in list.lines().iter().zip(places.iter().copied()) {
        let Some(id) = *id else {
            let draw = |paint: &mut Painter<'a>| {
                paint.line(after(area, GUTTER), &from.say(GIVEN, Role::Heading));
            };
            paint.tile_from(area, (), draw);
            continue;
        };
        let Some(view) = ClockView::find(from, id) else {
            continue;
        };
        let is_given = view.clock.rule.is_some();
        if is_given && last_owner != view.clock.owner {
            last_owner = view.clock.owner;
            let name = owner(&view, from).unwrap_or("");
            let line = Rect::new(body.x + 1, area.y, OWNER, 1);
            let beside = left(after(line, GUTTER), OWNER - GUTTER - 1);
            paint.tile_from(beside, name, |paint| {
                let name = paint.look.fit_name(name, beside.width);
                paint.line(beside, &paint.say(name, Role::Text));
            });
        }
        let drawn_from = (id, view.card_from(from));
        listed::cell(paint, (area, left(area, GUTTER)), drawn_from, |paint| {
            let area = after(area, GUTTER);
            if is_given {
                given(&view, paint, area);
            } else {
                view.card(paint, area);
            }
        });
    }
}

/// A clock that the rules gave, in a line: its name, a bar, a count.
fn given<'a>(view: &ClockView<'a>, paint: &mut Painter<'a>, area: Rect) {
    let from = paint.from;
    let picture = face(view, from);
    let bar = picture.bar(12);
    let count = from.say(picture.count(), Role::Text);
    let room = area.width.saturating_sub(line_columns(&bar) + 8);
    paint.line(left(area, room), &name(view, from));
    let touched = left(after(area, room + 1), line_columns(&bar));
    paint.hits.push((touched, Spot::Face(view.clock.id)));
    paint.line(after(area, room + 1), &join([bar, count], " "));
}

impl<'a> ItemView<'a> for ClockView<'a> {
    fn find(from: Source<'a>, id: ListId) -> Option<Self> {
        from.view.clock(id.try_as_clock()?)
    }

    /// A touch of the face or the bar advances a clock.
    fn parts(&self, _: Source<'a>) -> Vec<(usize, Spot)> {
        let touched = Spot::Face(self.clock.id);
        FACE_AND_BAR.map(|column| (column, touched)).to_vec()
    }

    fn heading(&self, _: Source<'a>) -> &'a str {
        GIVEN
    }

    fn columns(from: Source<'a>, width: u16) -> GridColumns<'a, Self> {
        let has_owners = from.view.clocks().any(|view| owner(&view, from).is_some());
        let has_column = has_owners && width > 80;
        // What a clock leads to stands behind its name, where that pushes nothing else aside.
        let has_links = from.view.clocks().any(|view| link(&view, from).is_some());
        let is_roomy = has_links && width > 100;
        let name = Column::new("Clock", (12, if is_roomy { 40 } else { 29 })).ends();
        let bar = Column::fixed("Filled", if width > 56 { 12 } else { 8 });
        let count = Column::fixed("", 7);
        let mut all = pictures(from, [name, bar.priority(2), count], move |view| {
            full_name(view, has_column, from)
        });
        let kind = Column::fixed("Kind", 10).priority(4);
        all.add(kind, move |view| {
            from.say(view.clock.kind.into_str(), Role::Muted)
        });
        let visibility = Column::fixed("Seen", 7).priority(3);
        all.add(visibility, move |view| {
            let visibility = view.clock.visibility;
            let is_seen = visibility == Visibility::Visible;
            let role = if is_seen { Role::Muted } else { Role::Hidden };
            from.say(visibility.into_str(), role)
        });
        if has_column {
            let column = Column::new("Whose", (5, 16)).priority(5);
            all.add(column.ends(), move |view| {
                from.say(owner(view, from).unwrap_or(""), Role::Muted)
            });
        }
        all
    }

    fn in_a_line(from: Source<'a>, deck: &PanelLayout) -> Option<GridColumns<'a, Self>> {
        let bar = if deck.cell.0 >= 46 { 10 } else { 0 };
        let columns = [
            Column::new("", (8, 8)).ends(),
            Column::fixed("", bar).priority(1),
            Column::fixed("", 6),
        ];
        (deck.cell.1 == 1).then(|| pictures(from, columns, move |view| name(view, from)))
    }

    /// All that it shows, so that one that ticks leaves the others as they are.
    fn card_from(&self, from: Source<'a>) -> Option<u64> {
        let (face, clock) = (face(self, from), self.clock);
        let counts = (face.filled, face.fresh, face.segments);
        let names = (&clock.name, owner(self, from));
        let words = (names, link(self, from), outlook(self, from));
        let looks = (clock.kind, clock.visibility, standing(self, from.view));
        Some(FxBuildHasher.hash_one((counts, words, looks)))
    }

    /// A face with words beside it or beneath: its name, and what else has room.
    fn card(&self, paint: &mut Painter<'a>, area: Rect) {
        let from = paint.from;
        let (face, words) = layout::face_and_words(area);
        let picture = draw_face(self, paint, face);
        let name = name(self, from).into_iter();
        let name: Line<'_> = name.map(|span| span.patch_style(Modifier::BOLD)).collect();
        // The name may be long, but leaves the last row to the count.
        let name = wrap_line(&name, words.width);
        let name_rows = u16::try_from(name.len()).unwrap_or(1);
        let name_rows = name_rows.min(words.height.max(2) - 1);
        let room = words.height.saturating_sub(name_rows);
        let owner = owner(self, from).map(|owner| from.say(owner, Role::Muted));
        let kind = from.say(self.clock.kind.into_str(), Role::Muted);
        let visibility = self.clock.visibility;
        let is_hidden = visibility != Visibility::Visible;
        let hidden = is_hidden.then(|| from.say(visibility.into_str(), Role::Hidden));
        let count = from.say(picture.count(), Role::Text);
        let (beside, beneath) = match owner {
            // Where a long name leaves the owner no line, the owner stands in the place of the kind.
            Some(owner) if room < 2 => (owner, None),
            owner => (kind, owner),
        };
        let facts = [Some(count), hidden, Some(beside)];
        let facts = join(facts.into_iter().flatten(), "  ");
        let link = link(self, from).map(|words| from.say(words, Role::Muted));
        let outlook = outlook(self, from).map(|words| from.say(words, Role::Info));
        let told = [Some(facts), beneath, link, outlook].into_iter().flatten();
        let told = told.map(|line| wrap_line(&line, words.width));
        let told: Vec<Vec<Line<'_>>> = told.collect();
        let high = told.iter().map(Vec::len);
        let high = u16::try_from(high.sum::<usize>()).map_or(room, |high| high.min(room));
        let is_beside = words.x > face.x;
        let words = below(words, if is_beside { (room - high) / 2 } else { 0 });
        paint.wrapped(top(words, name_rows), name);
        let facts = told.into_iter();
        facts.fold(below(words, name_rows), |rest, fact| {
            paint.wrapped(rest, fact)
        });
    }

    fn title(&self, from: Source<'a>) -> (&'a str, &'a str) {
        (&self.clock.name, owner(self, from).unwrap_or(""))
    }

    /// A face of the rows that leave seven to the words, and no smaller than five.
    fn picture(&self, paint: &mut Painter<'a>, area: Rect) -> Rect {
        let high = area.height.saturating_sub(7);
        let rows = high.min(area.width / 2).min(LARGEST);
        let face = top(below(area, 1), (rows.max(6) - 1) | 1);
        draw_face(self, paint, face);
        below(area, face.height + 2)
    }

    fn facts(&self, from: Source<'a>) -> Vec<(&'a str, Line<'a>)> {
        let clock = self.clock;
        let ends = clock.of_scene.then(|| "ends with the scene".to_owned());
        let told = about_clock(self, from.view).into_iter().chain(ends);
        let told = told.map(|words| from.say(words, Role::Muted));
        let notes = pinned_notes(Pin::Clock(clock.id), from);
        told.chain(notes).map(|line| ("", line)).collect()
    }
}

/// What every list of clocks begins with: a face, the name, a bar, and a count.
fn pictures<'a>(
    from: Source<'a>,
    [name, bar, count]: [Column; 3],
    named: impl Fn(&ClockView<'a>) -> Line<'a> + 'a,
) -> GridColumns<'a, ClockView<'a>> {
    let mut all = GridColumns::default();
    let width = bar.least();
    all.add(Column::fixed("", 1), move |view| {
        face(view, from).glyph().into()
    });
    all.add(name.grows(), named);
    all.add(bar, move |view| face(view, from).bar(width));
    all.add(count.right(), move |view| {
        from.say(face(view, from).count(), Role::Text)
    });
    all
}

fn draw_face<'a>(view: &ClockView<'_>, paint: &mut Painter<'a>, area: Rect) -> Clock<'a> {
    let picture = face(view, paint.from);
    (&picture).render(area, paint.buffer);
    paint.hits.push((area, Spot::Face(view.clock.id)));
    picture
}

/// The name of the one whose clock it is.
fn owner<'a>(view: &ClockView<'_>, from: Source<'a>) -> Option<&'a str> {
    let owner = view.clock.owner;
    let host = view.clock.host_clock.map(|_| "the host");
    host.or_else(|| owner.map(|owner| from.view.owner_name(Some(owner))))
}

/// A clock's picture.
pub(super) fn face<'a>(view: &ClockView<'_>, from: Source<'a>) -> Clock<'a> {
    let kind = view.clock.kind;
    Clock {
        filled: view.filled.map(u16::from),
        fresh: from.state.newly_filled(view).into(),
        segments: view.clock.segments.count().into(),
        role: filled_role(kind),
        is_pulled: kind == ClockKind::TugOfWar,
        look: from.look,
    }
}

/// How the filled part of a clock looks.
pub(super) fn filled_role(kind: ClockKind) -> Role {
    match kind {
        ClockKind::Countdown => Role::CountdownFill,
        ClockKind::Effort | ClockKind::Race | ClockKind::TugOfWar => Role::ClockFill,
    }
}

/// A clock's name, with a sign before a hidden one, and behind it in a word [how the clock stands](standing).
fn name<'a>(view: &ClockView<'a>, from: Source<'_>) -> Line<'a> {
    let clock = view.clock;
    let mut line = if clock.visibility == Visibility::Visible {
        from.say(clock.name.as_str(), Role::Text)
    } else {
        let sign = from.say(HIDDEN, Role::Hidden);
        join([sign, from.say(clock.name.as_str(), Role::Hidden)], " ")
    };
    if let Some((word, role)) = standing(view, from.view) {
        line.push_span(from.span(format!(" {word}"), role));
    }
    line
}

/// What is special about how a clock stands: that it is full, lost its race, or waits for another one. A seat that
/// may not see how full it is learns nothing of that.
pub(super) fn standing<'a>(one: &ClockView<'a>, view: &SeatView<'_>) -> Option<(&'a str, Role)> {
    one.filled?;
    let clock = one.clock;
    let is_pulled = clock.kind == ClockKind::TugOfWar;
    let [first_end, last_end] = clock.end_names();
    if is_pulled && clock.is_full() {
        Some((last_end, Role::Warning))
    } else if is_pulled && clock.filled == 0 {
        Some((first_end, Role::Warning))
    } else if clock.is_full() {
        let is_alone = view.race(clock).is_empty();
        Some((if is_alone { "full" } else { "first" }, Role::Warning))
    } else if view.winner(clock).is_some() {
        Some(("lost", Role::Muted))
    } else {
        let waits = view.waits_for(clock).is_some();
        waits.then_some(("waits", Role::Muted))
    }
}

/// How soon it is full, on its own tab. Weighed when its check may come to something else or when it ticks: not with each
/// key, nor with ticks of others.
fn outlook(view: &ClockView<'_>, from: Source<'_>) -> Option<String> {
    let (clock, is_own_tab) = (view.clock, from.state.tab == Tab::Clocks);
    let fills = clock.check.is_some() || clock.every.values().any(|by| *by > 0);
    let by = (&clock.check, &clock.every);
    if !(is_own_tab && fills) {
        return None;
    }
    let others = from.view.revision_of(EntityKind::Pool);
    let stands = (clock.id, clock.kind, view.filled, clock.segments);
    let words = from.keep(MOST_OUTLOOKS, (stands, by, others), || {
        from.view.forecast(clock.id)?.ok()?.in_short()
    });
    (*words).clone()
}

/// What it does by itself, and, full, to which clock.
fn link(view: &ClockView<'_>, from: Source<'_>) -> Option<String> {
    let other = |link: &Link| Some((link.effect, from.view.clock(link.to)?));
    let link = view.clock.link.as_ref().and_then(other);
    let link = link.map(|(then, other)| format!("→ {} {}", then.into_str(), other.clock.name));
    let mut parts = view.clock.describe_automation();
    parts.extend(link);
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The name, with the owner's where there is no column for it, and what the clock leads to.
fn full_name<'a>(view: &ClockView<'a>, has_column: bool, from: Source<'a>) -> Line<'a> {
    let owner = owner(view, from).filter(|_| !has_column);
    let owner = owner.map(|owner| from.say(owner, Role::Muted));
    let link = link(view, from).map(|words| from.say(words, Role::Muted));
    let parts = [Some(name(view, from)), owner, link];
    join(parts.into_iter().flatten(), "  ")
}
