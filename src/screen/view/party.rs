//! Everybody in the game, in aligned columns.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use super::{Paint, below, thing, within};
use crate::rules;
use crate::screen::layout;
use crate::screen::rows::{self, Value};
use crate::screen::state::Tab;
use crate::screen::theme::Role;
use crate::screen::update::mouse::Spot;
use crate::screen::widget::columns;
use crate::screen::widget::grid::{Column, Grid, Row, Width};
use crate::screen::widget::panel::Panel;
use crate::session::{Allegiance, Character, CharacterId};

/// The columns of a stat's name in the detail, with the blanks behind it: at the least, and at most.
const NAMES: (u16, u16) = (18, 30);

/// Draws the tab.
pub(super) fn draw(paint: &mut Paint<'_>, body: Rect) {
    let panes = layout::panes(Tab::Party, body, paint.state.details);
    let lines = paint.state.party_lines(paint.seen);
    if lines.is_empty() {
        paint.empty_list(panes.list, "Nobody is here yet.", "makes a character.");
    } else {
        list(paint, within(panes.list), &lines);
    }
    let selected = paint
        .state
        .party
        .id()
        .and_then(|id| paint.seen.character(id));
    if let (Some(area), Some(character)) = (panes.detail, selected) {
        detail(paint, area, character);
    }
}

fn list(paint: &mut Paint<'_>, area: Rect, lines: &[Option<CharacterId>]) {
    let values = rows::values(paint.seen.system());
    let grid_columns = grid_columns(paint, &values, area.width);
    let has_ranks = grid_columns.iter().any(|column| column.title == "Can do");
    let (top, room) = (paint.state.party.top(), layout::room(area));
    let in_sight: Vec<(usize, Option<CharacterId>)> = lines
        .iter()
        .copied()
        .enumerate()
        .skip(top)
        .take(room)
        .collect();
    let rows: Vec<Row<'_>> = in_sight
        .iter()
        .map(
            |(line, id)| match id.and_then(|id| paint.seen.character(id)) {
                Some(character) => row(paint, character, &values, has_ranks),
                None => heading(paint, lines.get(line + 1).copied().flatten()),
            },
        )
        .collect();
    let selected = paint.state.party.at().checked_sub(top);
    let grid = Grid {
        columns: &grid_columns,
        rows: &rows,
        selected,
        cursor: (!values.is_empty()).then_some(2 + paint.state.stat),
        look: paint.look,
    };
    (&grid).render(area, paint.buffer);
    paint.more(area, top, lines.len());
    let places = grid.places(area.width);
    for ((_, id), down) in in_sight.iter().zip(1..) {
        let Some(id) = id else { continue };
        let line = crate::screen::widget::row(area, down);
        paint.spots.put(line, Spot::Character(*id, None));
        for place in &places {
            let value = place
                .column
                .checked_sub(2)
                .filter(|value| *value < values.len());
            let cell = Rect {
                x: area.x + place.x,
                width: place.width,
                ..line
            };
            if value.is_some() {
                paint.spots.put(cell, Spot::Character(*id, value));
            }
        }
    }
}

/// Name, player, the system's values, conditions, whether it has acted. Their widths are those of the
/// whole roster, so that nothing jumps while one scrolls.
fn grid_columns(paint: &Paint<'_>, values: &[Value], room: u16) -> Vec<Column<'static>> {
    let widest = |width: &dyn Fn(&Character) -> u16, least: u16, most: u16| {
        let widest = paint.seen.roster().map(width).max().unwrap_or(0);
        widest.clamp(least, most)
    };
    let name = |one: &Character| columns(&one.name) + if one.hidden { 2 } else { 0 };
    let player = widest(&|one| columns(&one.player), 0, 14);
    let mut grid = vec![
        Column::new("Name", Width::Fixed(widest(&name, 11, 24))),
        Column::new("Player", Width::Fixed(player.max(6))).priority(if player == 0 {
            99
        } else {
            9
        }),
    ];
    for (index, value) in values.iter().enumerate() {
        let cell = |one: &Character| {
            let width = thing::value(one, *value, paint).width();
            u16::try_from(width).unwrap_or(u16::MAX)
        };
        let width = widest(&cell, columns(value.heading()), 8);
        let is_vital = match value {
            Value::Stat(stat) => rows::vitals(paint.seen.system()).any(|vital| vital.id == stat.id),
            Value::Clock(_) | Value::Pool(_) => true,
        };
        // What the cursor is on stays, then what changes most.
        let priority = match (index == paint.state.stat, is_vital) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 4,
        };
        let column = Column::new(value.heading(), Width::Fixed(width));
        grid.push(column.right().priority(priority));
    }
    grid.push(Column::new("Acted", Width::Fixed(5)).priority(2));
    let conditions = |one: &Character| {
        let width = thing::conditions(one, true, paint).width();
        u16::try_from(width).unwrap_or(u16::MAX)
    };
    let ranks = widest(&|one| columns(&rows::ranks(one)), 0, 90);
    if values.iter().any(|value| matches!(value, Value::Stat(_))) {
        // They are cut before a value gives way to them; the player does first.
        let taken = grid.iter().enumerate().filter(|(place, _)| *place != 1);
        let taken: u16 = taken.map(|(_, column)| width(column) + 2).sum();
        let left = room.saturating_sub(taken + 2);
        let least = widest(&conditions, 10, 18).min(left.max(10));
        let conditions = Width::UpTo(least, widest(&conditions, 18, 40));
        grid.push(Column::new("Conditions", conditions).priority(3));
        // On a wide screen there is room for what else one asks of a sheet.
        if ranks > 0 {
            let ranks = Width::UpTo(ranks.clamp(6, 20), ranks);
            grid.push(Column::new("Can do", ranks).priority(10));
        }
    } else {
        let conditions = Width::UpTo(10, widest(&conditions, 10, 40));
        grid.push(Column::new("Conditions", conditions).priority(3));
        grid.push(Column::new("Can do", Width::UpTo(10, ranks)).priority(5));
    }
    let notes = widest(&|one| columns(paint.seen.notes(one).unwrap_or("")), 0, 48);
    if notes > 0 {
        let notes = Width::UpTo(notes.clamp(5, 24), notes);
        grid.push(Column::new("Notes", notes).priority(11));
    }
    grid
}

fn width(column: &Column<'_>) -> u16 {
    match column.width {
        Width::Fixed(width) | Width::Grow(width) | Width::UpTo(width, _) => width,
        Width::Fit => columns(column.title),
    }
}

fn row<'a>(
    paint: &Paint<'_>,
    character: &'a Character,
    values: &[Value],
    has_ranks: bool,
) -> Row<'a> {
    let mut cells = vec![
        thing::name(character, paint),
        Line::from(paint.span(character.player.as_str(), Role::Muted)),
    ];
    let value = |value: &Value| Line::from(thing::value(character, *value, paint));
    cells.extend(values.iter().map(value));
    cells.push(Line::from(thing::acted(character, paint)));
    cells.push(thing::conditions(character, true, paint));
    let ranks = rows::ranks(character);
    if has_ranks || !ranks.is_empty() {
        cells.push(Line::from(paint.span(ranks, Role::Muted)));
    }
    let notes = paint.seen.notes(character).unwrap_or_default();
    cells.push(Line::from(
        paint.span(notes.replace('\n', " "), Role::Muted),
    ));
    Row {
        cells,
        marked: paint.state.party.marked().contains(&character.id),
    }
}

fn heading(paint: &Paint<'_>, next: Option<CharacterId>) -> Row<'static> {
    let next = next.and_then(|id| paint.seen.character(id));
    let words = match next.map(|one| one.side) {
        Some(Allegiance::Ally) => "Allies",
        Some(Allegiance::Adversary) => "Adversaries",
        Some(Allegiance::Apathetic) => "Others",
        Some(Allegiance::Party) | None => "Party",
    };
    Row {
        cells: vec![Line::from(paint.span(words, Role::Heading))],
        marked: false,
    }
}

/// The whole sheet of the character under the cursor.
fn detail(paint: &mut Paint<'_>, area: Rect, character: &Character) {
    let panel = Panel {
        note: &character.player,
        ..Panel::new(&character.name, paint.look)
    };
    (&panel).render(area, paint.buffer);
    let mut rest = panel.inner(area);
    let mut remarks = vec![character.side.id()];
    if character.hidden {
        remarks.push("hidden from players");
    }
    if character.absent {
        remarks.push("away");
    }
    if character.acted {
        remarks.push("has acted");
    }
    let remarks = Line::from(paint.span(remarks.join(", "), Role::Muted));
    rest = paint.text(rest, &remarks);
    let conditions = thing::conditions(character, false, paint);
    if !conditions.spans.is_empty() {
        rest = paint.text(rest, &conditions);
    }
    if let Some(standing) = character.sheet.standing(paint.seen.house()) {
        let means = Line::from(paint.span(standing.means, Role::Danger));
        rest = paint.text(rest, &means);
    }
    let locks = paint
        .seen
        .locks()
        .filter(|(one, _)| one.id == character.id)
        .map(|(_, about)| if about.is_empty() { "it" } else { about });
    let locks: Vec<&str> = locks.collect();
    if !locks.is_empty() {
        let words = format!("may not try again: {}", locks.join(", "));
        rest = paint.text(rest, &Line::from(paint.span(words, Role::Warning)));
    }
    rest = below(rest, 1);
    let labels = character
        .sheet
        .iter()
        .map(|(stat, _)| columns(stat.label) + 2);
    let names = labels.max().unwrap_or(0).clamp(NAMES.0, NAMES.1);
    // A list beside its name says more than the end of a long name.
    let names = names.min((rest.width / 4).max(NAMES.0)).min(rest.width / 2);
    for (stat, value) in character.sheet.iter() {
        rest = stat_line(paint, (rest, names), stat, value);
    }
    rest = below(rest, 1);
    let holdings = holdings(paint, character);
    for line in holdings {
        rest = paint.text(rest, &line);
    }
    let notes = paint
        .seen
        .notes(character)
        .filter(|notes| !notes.is_empty());
    if let Some(notes) = notes {
        rest = below(rest, 1);
        rest = paint.text(rest, &Line::from(paint.span("Notes", Role::Heading)));
        let notes = Line::from(paint.span(notes.to_owned(), Role::Text));
        paint.text(rest, &notes);
    }
}

/// A number beside its name, which has so many columns; a list that is too long for that under it.
fn stat_line(
    paint: &mut Paint<'_>,
    (area, names): (Rect, u16),
    stat: &rules::Stat,
    value: &rules::Value,
) -> Rect {
    let shown = value.to_string();
    if shown.is_empty() {
        return area;
    }
    let label = paint.span(stat.label.to_owned(), Role::Muted);
    let beside = area.width.saturating_sub(names);
    match value {
        rules::Value::Text(_) | rules::Value::Ranks(_) if columns(&shown) > beside => {
            let rest = paint.text(below(area, 1), &Line::from(label));
            paint.text(rest, &Line::from(paint.span(shown, Role::Text)))
        }
        _ => {
            let left = Rect {
                width: names.saturating_sub(1),
                ..area
            };
            paint.line(left, &Line::from(label));
            let value = Line::from(paint.span(shown, Role::Text));
            let right = Rect {
                x: area.x + names,
                width: beside,
                height: area.height.min(1),
                ..area
            };
            paint.line(right, &value);
            below(area, 1)
        }
    }
}

/// A line for each pool and clock of the character.
fn holdings(paint: &Paint<'_>, character: &Character) -> Vec<Line<'static>> {
    let pools = paint.seen.pools_of(Some(character.id)).map(|pool| {
        let mut line = Line::from(paint.span(format!("{}  ", pool.name), Role::Muted));
        line.spans.extend(thing::pips(pool, 10, paint).spans);
        line.push_span("  ");
        line.spans.extend(thing::amount(pool, paint).spans);
        line
    });
    let own = |seen: &crate::table::ClockView<'_>| seen.clock.owner == Some(character.id);
    let clocks = paint.seen.clocks().filter(own).map(|seen| {
        let mut line = Line::from(paint.span(format!("{}  ", seen.clock.name), Role::Muted));
        line.spans.extend(thing::bar(&seen, 12, paint).spans);
        let count = thing::face(&seen, paint).count();
        line.push_span(paint.span(format!("  {count}"), Role::Text));
        line
    });
    pools.chain(clocks).collect()
}
