//! The progress clocks: faces where there is room, else a line each.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::painter::Painter;
use crate::screen::action::Action;
use crate::screen::layout::{self, Deck};
use crate::screen::state::{self, Tab};
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::clock::{Clock, LARGE, MEDIUM};
use crate::screen::widget::grid::{Column, Row, Width};
use crate::screen::widget::panel::Panel;
use crate::screen::widget::{after, below, join, left, top};
use crate::session::{ClockId, ClockKind, Visibility};
use crate::table::ClockView;

/// From so many columns on the words beside a face say of what kind it is.
const KIND: u16 = 18;

/// Draws the clocks in sight on the table.
pub(super) fn panel(paint: &mut Painter<'_>, deck: &Deck) {
    if deck.rows() == 0 {
        return;
    }
    let list = &paint.state.clocks;
    if list.lines().is_empty() {
        let why = "No clock is running.";
        return paint.empty(deck.inner, why, Action::New, "starts one.");
    }
    if deck.cell.1 > 1 {
        return faces(paint, deck, paint.state.panel == state::Panel::Clocks);
    }
    let bar = if deck.cell.0 >= 46 { 10 } else { 0 };
    let columns = [
        Column::new("", Width::Fixed(1)),
        Column::new("", Width::Grow(8, 8)),
        Column::new("", Width::Fixed(bar)).priority(1),
        Column::new("", Width::Fixed(6)).right(),
    ];
    let rows = rows(paint, |paint, seen| {
        let face = face(seen, paint);
        vec![
            face.glyph().into(),
            name(seen, paint),
            face.bar(bar),
            paint.span(face.count(), Role::Text).into(),
        ]
    });
    paint.panel_list(deck, (&columns, &rows), list, spot);
}

/// Draws the tab.
pub(super) fn tab(paint: &mut Painter<'_>, body: Rect) {
    let state = paint.state;
    let panes = layout::panes(Tab::Clocks, body, state.details);
    let count = state.clocks.lines().len();
    if let Some(deck) = layout::faces(body, count, state.details) {
        return faces(paint, &deck, true);
    }
    if count == 0 {
        let why = "No clock is running.";
        paint.empty_list(panes.list, why, "starts one.");
    } else {
        list(paint, panes.list);
    }
    let selected = state.clocks.id().and_then(|id| paint.seen.clock(id));
    if let (Some(area), Some(clock)) = (panes.detail, selected) {
        detail(paint, area, &clock);
    }
}

fn list(paint: &mut Painter<'_>, area: Rect) {
    let bar = if area.width > 56 { 12 } else { 8 };
    let has_owners = paint.seen.clocks().any(|seen| seen.clock.owner.is_some());
    let has_column = has_owners && area.width > 80;
    // What a clock leads to stands behind its name, where that pushes nothing else aside.
    let has_links = paint.seen.clocks().any(|seen| seen.clock.link.is_some());
    let widest = if has_links && area.width > 100 {
        40
    } else {
        29
    };
    let columns = [
        Column::new("", Width::Fixed(1)),
        Column::new("Clock", Width::Grow(12, widest)),
        Column::new("Filled", Width::Fixed(bar)).priority(2),
        Column::new("", Width::Fixed(7)).right(),
        Column::new("Kind", Width::Fixed(10)).priority(4),
        Column::new("Seen", Width::Fixed(7)).priority(3),
        Column::new("Whose", Width::Fit(5, 16)).priority(5),
    ];
    let columns = &columns[..columns.len() - usize::from(!has_column)];
    let rows = rows(paint, |paint, seen| {
        let face = face(seen, paint);
        let visibility = seen.clock.visibility;
        let is_seen = visibility == Visibility::Visible;
        let role = if is_seen { Role::Muted } else { Role::Hidden };
        let whose = seen.clock.owner.map(|id| paint.seen.owner_name(Some(id)));
        vec![
            face.glyph().into(),
            full_name(paint, seen, has_column),
            face.bar(bar),
            paint.span(face.count(), Role::Text).into(),
            paint.span(seen.clock.kind.id(), Role::Muted).into(),
            paint.span(visibility.id(), role).into(),
            paint.span(whose.unwrap_or(""), Role::Muted).into(),
        ]
    });
    let list = (&paint.state.clocks, None);
    paint.list(area, (columns, &rows), list, spot);
}

/// A row for each clock.
fn rows<'a>(
    paint: &Painter<'a>,
    cells: impl Fn(&Painter<'a>, &ClockView<'a>) -> Vec<Line<'a>>,
) -> Vec<Row<'a>> {
    let lines = paint.state.clocks.lines();
    let clocks = lines
        .iter()
        .map(|id| id.and_then(|id| paint.seen.clock(id)));
    let row = |seen: ClockView<'a>| Row {
        cells: cells(paint, &seen),
        marked: paint.state.clocks.marked().contains(&seen.clock.id),
    };
    clocks
        .map(|seen| seen.map_or_else(Row::default, row))
        .collect()
}

/// A touch of the face or the bar advances a clock.
fn spot(id: ClockId, column: Option<usize>) -> Option<Spot> {
    match column {
        None => Some(Spot::Clock(id)),
        Some(0 | 2) => Some(Spot::Face(id)),
        Some(_) => None,
    }
}

/// Clocks as faces, each with all that there is to say of it.
fn faces(paint: &mut Painter<'_>, deck: &Deck, is_here: bool) {
    let list = (&paint.state.clocks, is_here);
    paint.cells(deck, list, Spot::Clock, |paint, area, id| {
        if let Some(seen) = paint.seen.clock(id) {
            large(paint, area, &seen);
        }
    });
}

/// A face with its name beside it.
fn large(paint: &mut Painter<'_>, area: Rect, seen: &ClockView<'_>) {
    let picture = face(seen, paint);
    let face = top(left(area, MEDIUM.0), MEDIUM.1);
    (&picture).render(face, paint.buffer);
    paint.hits.put(face, Spot::Face(seen.clock.id));
    let words = after(top(area, MEDIUM.1), face.width + 1);
    let words = left(words, words.width.saturating_sub(1));
    // The count comes beneath.
    let name_rows = top(words, words.height.saturating_sub(1).max(1));
    let rest = paint.text(name_rows, &name(seen, paint));
    let rest = below(words, rest.y - words.y);
    let is_wide = words.width >= KIND;
    let count = Line::from(paint.span(picture.count(), Role::Text));
    let owner = seen
        .clock
        .owner
        .map(|owner| paint.seen.owner_name(Some(owner)));
    let owner = owner.map(|owner| Line::from(paint.span(owner, Role::Muted)));
    let kind = is_wide.then(|| paint.span(seen.clock.kind.id(), Role::Muted).into());
    // A long name leaves the owner no line of its own.
    let (beside, beneath) = if rest.height < 2 && owner.is_some() {
        (owner, None)
    } else {
        (kind, owner)
    };
    paint.line(rest, &join([count].into_iter().chain(beside), "  "));
    let is_hidden = is_wide && seen.clock.visibility != Visibility::Visible;
    let how = is_hidden.then(|| paint.span(seen.clock.visibility.id(), Role::Hidden).into());
    paint.line(below(rest, 1), &join(beneath.into_iter().chain(how), "  "));
}

/// The clock under the cursor, large.
fn detail(paint: &mut Painter<'_>, area: Rect, seen: &ClockView<'_>) {
    let (picture, clock) = (face(seen, paint), seen.clock);
    let count = picture.count();
    let panel = Panel {
        note: &count,
        ..Panel::new(&clock.name, paint.look)
    };
    (&panel).render(area, paint.buffer);
    let inner = panel.inner(area);
    // The largest face for which words still have room.
    let rows = inner.height.saturating_sub(7).min(inner.width / 2).min(13);
    let face = top(below(inner, 1), rows.max(LARGE.1));
    (&picture).render(face, paint.buffer);
    paint.hits.put(face, Spot::Face(clock.id));
    let who = match clock.visibility {
        Visibility::Visible => "players see it",
        Visibility::Known => "players know of it, not how full it is",
        Visibility::Hidden => "players do not know of it",
    };
    let whose = clock.owner.map(|owner| paint.seen.owner_name(Some(owner)));
    let mut told = vec![
        (clock.kind.id().to_owned(), Role::Text),
        (does(paint, seen), Role::Muted),
    ];
    told.extend(foretold(paint, seen));
    told.push((who.to_owned(), Role::Muted));
    told.extend(whose.map(|whose| (format!("belongs to {whose}"), Role::Muted)));
    if clock.of_scene {
        told.push(("ends with the scene".to_owned(), Role::Muted));
    }
    let lines = told
        .into_iter()
        .map(|(words, role)| paint.span(words, role).into());
    let lines: Vec<Line<'_>> = lines.collect();
    paint.lines(below(inner, face.height + 2), &lines);
}

/// What the clock does, with the names of those it stands between or races.
fn does(paint: &Painter<'_>, seen: &ClockView<'_>) -> String {
    let clock = seen.clock;
    match clock.kind {
        ClockKind::TugOfWar => format!("between {}", clock.end_names().join(" and ")),
        ClockKind::Race => {
            let race = paint.seen.race(clock);
            let others = race.iter().filter(|other| other.id != clock.id);
            let others: Vec<&str> = others.map(|other| other.name.as_str()).collect();
            match others.as_slice() {
                [] => "first full wins; nobody races it yet".to_owned(),
                others => format!("against {}", others.join(", ")),
            }
        }
        ClockKind::Effort | ClockKind::Countdown => clock.kind.describe().to_owned(),
    }
}

/// What is to come: the check's forecast in a line, and where a full clock leads.
fn foretold(paint: &Painter<'_>, seen: &ClockView<'_>) -> Vec<(String, Role)> {
    let mut told = Vec::new();
    let link = seen.clock.link;
    if let Some((link, to)) = link.and_then(|link| Some((link, paint.seen.clock(link.to)?))) {
        let arrow = paint.look.glyphs().arrow;
        let words = format!("{arrow} {} {}", link.then.id(), to.clock.name);
        told.push((words, Role::Info));
    }
    if let Some(before) = paint.seen.waits_for(seen.clock) {
        let words = format!("waits until {} is full", before.name);
        told.push((words, Role::Warning));
    }
    let ended = seen.clock.is_full() || paint.seen.winner(seen.clock).is_some();
    let Some(Ok(prospect)) = paint.seen.forecast(seen.clock.id).filter(|_| !ended) else {
        return told;
    };
    told.push((format!("filled by {}", prospect.check.label), Role::Muted));
    let rolls = &prospect.forecast.rolls;
    let after = [1_usize, 2, 4, 8].into_iter().filter_map(|roll| {
        let chance = rolls.get(roll - 1)?.to_f64() * 100.0;
        Some(format!("{roll}: {chance:.0} %"))
    });
    let end = match seen.clock.kind {
        ClockKind::TugOfWar => "right end after",
        ClockKind::Effort | ClockKind::Countdown | ClockKind::Race => "full after",
    };
    let words = after.collect::<Vec<_>>().join(", ");
    told.push((format!("{end} {words}"), Role::Info));
    told
}

/// A clock's picture.
pub(super) fn face<'a>(seen: &ClockView<'_>, paint: &Painter<'a>) -> Clock<'a> {
    let filled = seen.filled.map(u16::from);
    let face = Clock::new(filled, seen.clock.segments.count().into(), paint.look);
    match seen.clock.kind {
        ClockKind::Countdown => face.countdown(),
        ClockKind::TugOfWar => face.pulled(),
        ClockKind::Effort | ClockKind::Race => face,
    }
}

/// A clock's name; a full one stands out, a hidden one too.
fn name<'a>(seen: &ClockView<'a>, paint: &Painter<'_>) -> Line<'a> {
    let clock = seen.clock;
    let mut line = Line::default();
    if clock.visibility == Visibility::Visible {
        line.push_span(paint.span(clock.name.as_str(), Role::Text));
    } else {
        let sign = paint.look.glyphs().hidden;
        line.push_span(paint.span(format!("{sign} "), Role::Hidden));
        line.push_span(paint.span(clock.name.as_str(), Role::Hidden));
    }
    if seen.filled.is_none() {
        return line;
    }
    let is_pulled = clock.kind == ClockKind::TugOfWar;
    let (state, role) = match clock.is_full() {
        true if is_pulled => (clock.end_names()[1], Role::Warning),
        true if paint.seen.race(clock).is_empty() => ("full", Role::Warning),
        true => ("first", Role::Warning),
        false if is_pulled && clock.filled == 0 => (clock.end_names()[0], Role::Warning),
        false if paint.seen.winner(clock).is_some() => ("lost", Role::Muted),
        false if paint.seen.waits_for(clock).is_some() => ("waits", Role::Muted),
        false => return line,
    };
    line.push_span(paint.span(format!(" {state}"), role));
    line
}

/// The name, with the owner's where there is no column for it, and what the clock leads to.
fn full_name<'a>(paint: &Painter<'a>, seen: &ClockView<'a>, has_column: bool) -> Line<'a> {
    let mut name = name(seen, paint);
    if let Some(owner) = seen.clock.owner.filter(|_| !has_column) {
        let owner = format!("  {}", paint.seen.owner_name(Some(owner)));
        name.push_span(paint.span(owner, Role::Muted));
    }
    if let Some(link) = seen.clock.link.and_then(|link| paint.seen.clock(link.to)) {
        let arrow = paint.look.glyphs().arrow;
        let link = format!("  {arrow} {}", link.clock.name);
        name.push_span(paint.span(link, Role::Muted));
    }
    name
}
