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
use crate::view::item_view::{self, ItemCell, ItemView};
use crate::view::layout::{self, OWNER, PanelLayout};
use crate::view::pinned::pinned_notes;
use crate::view::{Painter, ViewContext};
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
pub(super) fn draw_faces<'a>(painter: &mut Painter<'a>, body: Rect, places: &[Rect]) {
    let context = painter.context;
    let list = context.state.list(Panel::Clocks);
    let mut last_owner = None;
    for (id, area) in list.lines().iter().zip(places.iter().copied()) {
        let Some(id) = *id else {
            let draw = |painter: &mut Painter<'a>| {
                painter.draw_line(after(area, GUTTER), &context.line(GIVEN, Role::Heading));
            };
            painter.redraw_if_changed(area, (), draw);
            continue;
        };
        let Some(view) = ClockView::find(context, id) else {
            continue;
        };
        let is_given = view.clock.rule.is_some();
        if is_given && last_owner != view.clock.owner {
            last_owner = view.clock.owner;
            let name = owner(&view, context).unwrap_or("");
            let line = Rect::new(body.x + 1, area.y, OWNER, 1);
            let beside = left(after(line, GUTTER), OWNER - GUTTER - 1);
            painter.redraw_if_changed(beside, name, |painter| {
                let name = painter.look.fit_name(name, beside.width);
                painter.draw_line(beside, &painter.line(name, Role::Text));
            });
        }
        let cell = ItemCell {
            area,
            gutter: left(area, GUTTER),
        };
        item_view::draw_cell(painter, cell, id, view.card_key(context), |painter| {
            let contents = after(area, GUTTER);
            if is_given {
                given(&view, painter, contents);
            } else {
                view.draw_card(painter, contents);
            }
        });
    }
}

/// A clock that the rules gave, in a line: its name, a bar, a count.
fn given<'a>(view: &ClockView<'a>, painter: &mut Painter<'a>, area: Rect) {
    let context = painter.context;
    let picture = face(view, context);
    let bar = picture.bar(12);
    let count = context.line(picture.count(), Role::Text);
    let room = area.width.saturating_sub(line_columns(&bar) + 8);
    painter.draw_line(left(area, room), &name(view, context));
    let touched = left(after(area, room + 1), line_columns(&bar));
    painter.hits.push((touched, Spot::Face(view.clock.id)));
    painter.draw_line(after(area, room + 1), &join([bar, count], " "));
}

impl<'a> ItemView<'a> for ClockView<'a> {
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self> {
        context.view.clock(id.try_as_clock()?)
    }

    /// A touch of the face or the bar advances a clock.
    fn parts(&self, _: ViewContext<'a>) -> Vec<(usize, Spot)> {
        let touched = Spot::Face(self.clock.id);
        FACE_AND_BAR.map(|column| (column, touched)).to_vec()
    }

    fn heading(&self, _: ViewContext<'a>) -> &'a str {
        GIVEN
    }

    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self> {
        let has_owners = context
            .view
            .clocks()
            .any(|view| owner(&view, context).is_some());
        let has_column = has_owners && width > 80;
        // What a clock leads to stands behind its name, where that pushes nothing else aside.
        let has_links = context
            .view
            .clocks()
            .any(|view| link(&view, context).is_some());
        let is_roomy = has_links && width > 100;
        let name = Column::new("Clock", (12, if is_roomy { 40 } else { 29 })).ends();
        let bar = Column::fixed("Filled", if width > 56 { 12 } else { 8 });
        let count = Column::fixed("", 7);
        let mut all = pictures(context, [name, bar.priority(2), count], move |view| {
            full_name(view, has_column, context)
        });
        let kind = Column::fixed("Kind", 10).priority(4);
        all.add(kind, move |view| {
            context.line(view.clock.kind.into_str(), Role::Muted)
        });
        let visibility = Column::fixed("Seen", 7).priority(3);
        all.add(visibility, move |view| {
            let visibility = view.clock.visibility;
            let is_seen = visibility == Visibility::Visible;
            let role = if is_seen { Role::Muted } else { Role::Hidden };
            context.line(visibility.into_str(), role)
        });
        if has_column {
            let column = Column::new("Whose", (5, 16)).priority(5);
            all.add(column.ends(), move |view| {
                context.line(owner(view, context).unwrap_or(""), Role::Muted)
            });
        }
        all
    }

    fn panel_columns(
        context: ViewContext<'a>,
        deck: &PanelLayout,
    ) -> Option<GridColumns<'a, Self>> {
        let bar = if deck.cell.width >= 46 { 10 } else { 0 };
        let columns = [
            Column::new("", (8, 8)).ends(),
            Column::fixed("", bar).priority(1),
            Column::fixed("", 6),
        ];
        (deck.cell.height == 1).then(|| pictures(context, columns, move |view| name(view, context)))
    }

    /// All that it shows, so that one that ticks leaves the others as they are.
    fn card_key(&self, context: ViewContext<'a>) -> Option<u64> {
        let (face, clock) = (face(self, context), self.clock);
        let counts = (face.filled, face.fresh, face.segments);
        let names = (&clock.name, owner(self, context));
        let words = (names, link(self, context), outlook(self, context));
        let looks = (clock.kind, clock.visibility, standing(self, context.view));
        Some(FxBuildHasher.hash_one((counts, words, looks)))
    }

    /// A face with words beside it or beneath: its name, and what else has room.
    fn draw_card(&self, painter: &mut Painter<'a>, area: Rect) {
        let context = painter.context;
        let (face, words) = layout::face_and_words(area);
        let picture = draw_face(self, painter, face);
        let name = name(self, context).into_iter();
        let name: Line<'_> = name.map(|span| span.patch_style(Modifier::BOLD)).collect();
        // The name may be long, but leaves the last row to the count.
        let name = wrap_line(&name, words.width);
        let name_rows = u16::try_from(name.len()).unwrap_or(1);
        let name_rows = name_rows.min(words.height.max(2) - 1);
        let room = words.height.saturating_sub(name_rows);
        let owner = owner(self, context).map(|owner| context.line(owner, Role::Muted));
        let kind = context.line(self.clock.kind.into_str(), Role::Muted);
        let visibility = self.clock.visibility;
        let is_hidden = visibility != Visibility::Visible;
        let hidden = is_hidden.then(|| context.line(visibility.into_str(), Role::Hidden));
        let count = context.line(picture.count(), Role::Text);
        let (beside, beneath) = match owner {
            // Where a long name leaves the owner no line, the owner stands in the place of the kind.
            Some(owner) if room < 2 => (owner, None),
            owner => (kind, owner),
        };
        let facts = [Some(count), hidden, Some(beside)];
        let facts = join(facts.into_iter().flatten(), "  ");
        let link = link(self, context).map(|words| context.line(words, Role::Muted));
        let outlook = outlook(self, context).map(|words| context.line(words, Role::Info));
        let told = [Some(facts), beneath, link, outlook].into_iter().flatten();
        let told = told.map(|line| wrap_line(&line, words.width));
        let told: Vec<Vec<Line<'_>>> = told.collect();
        let high = told.iter().map(Vec::len);
        let high = u16::try_from(high.sum::<usize>()).map_or(room, |high| high.min(room));
        let is_beside = words.x > face.x;
        let words = below(words, if is_beside { (room - high) / 2 } else { 0 });
        painter.draw_wrapped(top(words, name_rows), name);
        let facts = told.into_iter();
        facts.fold(below(words, name_rows), |rest, fact| {
            painter.draw_wrapped(rest, fact)
        });
    }

    fn title(&self, context: ViewContext<'a>) -> (&'a str, &'a str) {
        (&self.clock.name, owner(self, context).unwrap_or(""))
    }

    /// A face of the rows that leave seven to the words, and no smaller than five.
    fn draw_picture(&self, painter: &mut Painter<'a>, area: Rect) -> Rect {
        let high = area.height.saturating_sub(7);
        let rows = high.min(area.width / 2).min(LARGEST);
        let face = top(below(area, 1), (rows.max(6) - 1) | 1);
        draw_face(self, painter, face);
        below(area, face.height + 2)
    }

    fn facts(&self, context: ViewContext<'a>) -> Vec<(&'a str, Line<'a>)> {
        let clock = self.clock;
        let ends = clock.of_scene.then(|| "ends with the scene".to_owned());
        let told = about_clock(self, context.view).into_iter().chain(ends);
        let told = told.map(|words| context.line(words, Role::Muted));
        let notes = pinned_notes(Pin::Clock(clock.id), context);
        told.chain(notes).map(|line| ("", line)).collect()
    }
}

/// What every list of clocks begins with: a face, the name, a bar, and a count.
fn pictures<'a>(
    context: ViewContext<'a>,
    [name, bar, count]: [Column; 3],
    named: impl Fn(&ClockView<'a>) -> Line<'a> + 'a,
) -> GridColumns<'a, ClockView<'a>> {
    let mut all = GridColumns::default();
    let width = bar.least();
    all.add(Column::fixed("", 1), move |view| {
        face(view, context).glyph().into()
    });
    all.add(name.grows(), named);
    all.add(bar, move |view| face(view, context).bar(width));
    all.add(count.right(), move |view| {
        context.line(face(view, context).count(), Role::Text)
    });
    all
}

fn draw_face<'a>(view: &ClockView<'_>, painter: &mut Painter<'a>, area: Rect) -> Clock<'a> {
    let picture = face(view, painter.context);
    (&picture).render(area, painter.buffer);
    painter.hits.push((area, Spot::Face(view.clock.id)));
    picture
}

/// The name of the one whose clock it is.
fn owner<'a>(view: &ClockView<'_>, context: ViewContext<'a>) -> Option<&'a str> {
    let owner = view.clock.owner;
    let host = view.clock.host_clock.map(|_| "the host");
    host.or_else(|| owner.map(|owner| context.view.owner_name(Some(owner))))
}

/// A clock's picture.
pub(super) fn face<'a>(view: &ClockView<'_>, context: ViewContext<'a>) -> Clock<'a> {
    let kind = view.clock.kind;
    Clock {
        filled: view.filled.map(u16::from),
        fresh: context.state.newly_filled(view).into(),
        segments: view.clock.segments.count().into(),
        role: filled_role(kind),
        is_pulled: kind == ClockKind::TugOfWar,
        look: context.look,
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
fn name<'a>(view: &ClockView<'a>, context: ViewContext<'_>) -> Line<'a> {
    let clock = view.clock;
    let mut line = if clock.visibility == Visibility::Visible {
        context.line(clock.name.as_str(), Role::Text)
    } else {
        let sign = context.line(HIDDEN, Role::Hidden);
        join([sign, context.line(clock.name.as_str(), Role::Hidden)], " ")
    };
    if let Some((word, role)) = standing(view, context.view) {
        line.push_span(context.span(format!(" {word}"), role));
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
fn outlook(view: &ClockView<'_>, context: ViewContext<'_>) -> Option<String> {
    let (clock, is_own_tab) = (view.clock, context.state.tab == Tab::Clocks);
    let fills = clock.check.is_some() || clock.every.values().any(|by| *by > 0);
    let by = (&clock.check, &clock.every);
    if !(is_own_tab && fills) {
        return None;
    }
    let others = context.view.revision_of(EntityKind::Pool);
    let stands = (clock.id, clock.kind, view.filled, clock.segments);
    let words = context.cached(MOST_OUTLOOKS, (stands, by, others), || {
        context.view.forecast(clock.id)?.ok()?.in_short()
    });
    (*words).clone()
}

/// What it does by itself, and, full, to which clock.
fn link(view: &ClockView<'_>, context: ViewContext<'_>) -> Option<String> {
    let other = |link: &Link| Some((link.effect, context.view.clock(link.to)?));
    let link = view.clock.link.as_ref().and_then(other);
    let link = link.map(|(then, other)| format!("→ {} {}", then.into_str(), other.clock.name));
    let mut parts = view.clock.describe_automation();
    parts.extend(link);
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The name, with the owner's where there is no column for it, and what the clock leads to.
fn full_name<'a>(view: &ClockView<'a>, has_column: bool, context: ViewContext<'a>) -> Line<'a> {
    let owner = owner(view, context).filter(|_| !has_column);
    let owner = owner.map(|owner| context.line(owner, Role::Muted));
    let link = link(view, context).map(|words| context.line(words, Role::Muted));
    let parts = [Some(name(view, context)), owner, link];
    join(parts.into_iter().flatten(), "  ")
}
