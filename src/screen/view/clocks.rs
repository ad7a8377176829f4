//! The progress clocks.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::{Paint, below, thing, within};
use crate::screen::layout;
use crate::screen::state::Tab;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::clock::LARGE;
use crate::screen::widget::columns;
use crate::screen::widget::grid::{Column, Grid, Row, Width};
use crate::screen::widget::panel::Panel;
use crate::session::{ClockId, ClockKind, Visibility};
use crate::table::ClockView;

/// The columns of a bar in the list.
const BAR: u16 = 12;

/// Draws the tab.
pub(super) fn draw(paint: &mut Paint<'_>, body: Rect) {
    let panes = layout::panes(Tab::Clocks, body, paint.state.details);
    let lines = paint.state.clock_lines(paint.seen);
    let faces = layout::faces(body, lines.len(), paint.state.details);
    if let Some(deck) = faces {
        return super::table::faces(paint, &deck, &lines);
    }
    if lines.is_empty() {
        paint.empty_list(panes.list, "No clock is running.", "starts one.");
    } else {
        list(paint, within(panes.list), &lines);
    }
    let selected = paint.state.clocks.id().and_then(|id| paint.seen.clock(id));
    if let (Some(area), Some(clock)) = (panes.detail, selected) {
        detail(paint, area, &clock);
    }
}

fn list(paint: &mut Paint<'_>, area: Rect, lines: &[Option<ClockId>]) {
    let bar = if area.width >= 56 { BAR } else { 8 };
    let owners = paint
        .seen
        .clocks()
        .filter(|seen| seen.clock.owner.is_some());
    let owner = owners
        .map(|seen| columns(paint.seen.owner_name(seen.clock.owner)))
        .max();
    let has_owners = area.width >= 80;
    let name = |seen: ClockView<'_>| {
        let width = name(paint, &seen, has_owners).width();
        u16::try_from(width).unwrap_or(u16::MAX)
    };
    let names = paint.seen.clocks().map(name).max();
    // What a clock leads to stands behind its name, where that pushes nothing else aside.
    let has_links = paint.seen.clocks().any(|seen| seen.clock.link.is_some());
    let widest = if has_links && area.width >= 100 {
        40
    } else {
        29
    };
    let grid_columns = [
        Column::new("", Width::Fixed(1)),
        Column::new("Clock", Width::Grow(names.unwrap_or(0).clamp(12, widest))),
        Column::new("Filled", Width::Fixed(bar)).priority(2),
        Column::new("", Width::Fixed(7)).right(),
        Column::new("Kind", Width::Fixed(10)).priority(4),
        Column::new("Seen", Width::Fixed(7)).priority(3),
        Column::new("Whose", Width::Fixed(owner.unwrap_or(0).clamp(5, 16))).priority(5),
    ];
    let shown = grid_columns.len() - usize::from(owner.is_none() || !has_owners);

    let (top, room) = (paint.state.clocks.top(), layout::room(area));
    let in_sight: Vec<ClockView<'_>> = lines
        .iter()
        .skip(top)
        .take(room)
        .filter_map(|id| paint.seen.clock((*id)?))
        .collect();
    let rows: Vec<Row<'_>> = in_sight
        .iter()
        .map(|seen| row(paint, seen, bar, has_owners))
        .collect();
    let grid = Grid {
        columns: &grid_columns[..shown],
        rows: &rows,
        selected: paint.state.clocks.at().checked_sub(top),
        cursor: None,
        look: paint.look,
    };
    (&grid).render(area, paint.buffer);
    paint.more(area, top, lines.len());
    let places = grid.places(area.width);
    for (seen, down) in in_sight.iter().zip(1..) {
        let line = crate::screen::widget::row(area, down);
        let id = seen.clock.id;
        paint.spots.put(line, Spot::Clock(id));
        for place in places.iter().filter(|place| matches!(place.column, 0 | 2)) {
            let face = Rect {
                x: area.x + place.x,
                width: place.width,
                ..line
            };
            paint.spots.put(face, Spot::Face(id));
        }
    }
}

/// The name, with the owner's where there is no column for it.
fn name<'a>(paint: &Paint<'a>, seen: &ClockView<'a>, has_owners: bool) -> Line<'a> {
    let mut name = thing::clock_name(seen, paint);
    if let Some(owner) = seen.clock.owner.filter(|_| !has_owners) {
        let owner = format!("  {}", paint.seen.owner_name(Some(owner)));
        name.push_span(paint.span(owner, Role::Muted));
    }
    if let Some(link) = seen.clock.link.and_then(|link| paint.seen.clock(link.to)) {
        let arrow = paint.look.glyphs().arrow.trim();
        let link = format!("  {arrow} {}", link.clock.name);
        name.push_span(paint.span(link, Role::Muted));
    }
    name
}

fn row<'a>(paint: &Paint<'a>, seen: &ClockView<'a>, bar: u16, has_owners: bool) -> Row<'a> {
    let face = thing::face(seen, paint);
    let whose = seen
        .clock
        .owner
        .map_or("", |id| paint.seen.owner_name(Some(id)));
    let muted = |words: &str| Line::from(paint.span(words.to_owned(), Role::Muted));
    Row {
        cells: vec![
            Line::from(face.glyph()),
            name(paint, seen, has_owners),
            thing::bar(seen, bar, paint),
            Line::from(paint.span(face.count(), Role::Text)),
            muted(kind_word(seen)),
            visibility(paint, seen.clock.visibility),
            muted(whose),
        ],
        marked: paint.state.clocks.marked().contains(&seen.clock.id),
    }
}

const fn kind_word(seen: &ClockView<'_>) -> &'static str {
    seen.clock.kind.id()
}

fn visibility(paint: &Paint<'_>, visibility: Visibility) -> Line<'static> {
    let role = match visibility {
        Visibility::Visible => Role::Muted,
        Visibility::Known | Visibility::Hidden => Role::Hidden,
    };
    Line::from(paint.span(visibility.id(), role))
}

/// The clock under the cursor, large.
fn detail(paint: &mut Paint<'_>, area: Rect, seen: &ClockView<'_>) {
    let count = thing::face(seen, paint).count();
    let panel = Panel {
        note: &count,
        ..Panel::new(&seen.clock.name, paint.look)
    };
    (&panel).render(area, paint.buffer);
    let inner = panel.inner(area);
    // The largest face for which words still have room.
    let rows = inner.height.saturating_sub(7).min(inner.width / 2).min(13);
    let face = Rect {
        y: inner.y + 1.min(inner.height),
        height: rows.max(LARGE.1).min(inner.height.saturating_sub(1)),
        ..inner
    };
    (&thing::face(seen, paint)).render(face, paint.buffer);
    paint.spots.put(face, Spot::Face(seen.clock.id));
    let mut rest = below(inner, face.height + 2);
    rest = paint.text(rest, &Line::from(paint.span(kind_word(seen), Role::Text)));
    rest = paint.text(
        rest,
        &Line::from(paint.span(does(paint, seen), Role::Muted)),
    );
    for (words, role) in foretold(paint, seen) {
        rest = paint.text(rest, &Line::from(paint.span(words, role)));
    }
    let who = match seen.clock.visibility {
        Visibility::Visible => "players see it",
        Visibility::Known => "players know of it, not how full it is",
        Visibility::Hidden => "players do not know of it",
    };
    rest = paint.text(rest, &Line::from(paint.span(who, Role::Muted)));
    if let Some(owner) = seen.clock.owner {
        let whose = format!("belongs to {}", paint.seen.owner_name(Some(owner)));
        paint.text(rest, &Line::from(paint.span(whose, Role::Muted)));
    }
    if seen.clock.of_scene {
        paint.text(
            rest,
            &Line::from(paint.span("ends with the scene", Role::Muted)),
        );
    }
}

/// What the clock does, with the names of those it stands between or races.
fn does(paint: &Paint<'_>, seen: &ClockView<'_>) -> String {
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
fn foretold(paint: &Paint<'_>, seen: &ClockView<'_>) -> Vec<(String, Role)> {
    let mut told = Vec::new();
    told.extend(thing::leads_to(seen, paint).map(|words| (words, Role::Info)));
    if let Some(before) = paint.seen.waits_for(seen.clock) {
        told.push((
            format!("waits until {} is full", before.name),
            Role::Warning,
        ));
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
