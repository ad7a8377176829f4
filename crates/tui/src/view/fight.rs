//! The table during a fight: a row for each combatant in the order of turns, and the sheet of the acting one.
//!
//! The rows stand still while turns pass. The row of the acting combatant is bright.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::app::list::ListId;
use crate::app::update::mouse::Spot;
use crate::view::card::{
    RowValue, acted_before, name, on_turn, placed_value, row_values, short_state, state_parts,
};
use crate::view::layout::PanelLayout;
use crate::view::{Painter, ViewContext, sheets};
use crate::widget::{Column, GUTTER, Grid, GridColumns, after, columns, join};
use tableside_game::{Character, CharacterId};
use tableside_rules::SystemSpec;
use tableside_table::SeatView;

/// The column of the name.
const NAME: usize = 1;
/// A list that is at least this wide shows bars for hit points.
const WITH_BARS: u16 = 60;
/// The least columns of the conditions in a narrower list. They are reserved, so that values keep their places when a
/// condition arrives.
const NARROW_STATE: u16 = 10;
/// The columns of the turn and of the name in a narrower list, with the gutter and the gaps.
const TURN_AND_NAME: u16 = 19;
/// The priority of the conditions, and the first one of values that disappear before them.
const CONDITIONS: u8 = 1;
const BELOW_CONDITIONS: u8 = 10;

/// Returns the columns of the list of combatants. `None` while no fight is going on.
pub(super) fn fight_columns<'a>(
    context: ViewContext<'a>,
    panel: &PanelLayout,
) -> Option<GridColumns<'a, &'a Character>> {
    if !context.view.has_turn_order() {
        return None;
    }

    let width = panel.cell.width;
    let on_turn = on_turn(context);
    let mut grid = GridColumns::default();

    let turn = Column::new("", (4, 7));
    grid.add(turn, move |character: &&Character| {
        acted_before(character, on_turn, context).into()
    });
    let name_width = if width < WITH_BARS { 11 } else { 18 };
    let name_column = Column::new("", (8, 40)).at_first(name_width).ends();
    grid.add(name_column, move |character| {
        name(character, u16::MAX, context)
    });

    let spec = context.view.system().spec();
    let has_bars = width >= WITH_BARS;
    let (first, others): (Vec<RowValue>, Vec<RowValue>) = row_values(spec, has_bars)
        .into_iter()
        .partition(|value| value.is_first);
    let first_widths: Vec<u16> = first.iter().map(|value| value.width).collect();
    for (place, value) in (0..).zip(first) {
        // A narrow list drops all values but the first one before the conditions.
        let priority = if has_bars || place == 0 {
            place
        } else {
            place + CONDITIONS
        };
        add_value(&mut grid, value, priority, context);
    }

    let first_value = first_widths.first().map_or(0, |width| width + 1);
    let room = width.saturating_sub(TURN_AND_NAME + first_value);
    add_conditions(&mut grid, has_bars, room, context);
    for (priority, value) in (BELOW_CONDITIONS..).zip(others) {
        add_value(&mut grid, value, priority, context);
    }
    Some(grid)
}

/// Adds the conditions. They decide what a combatant can do, so they stay longer than most values. In a narrow list they take
/// the columns of `room` and are abbreviated.
fn add_conditions<'a>(
    grid: &mut GridColumns<'a, &'a Character>,
    is_wide: bool,
    room: u16,
    context: ViewContext<'a>,
) {
    let widest = widest_condition(context.view.system().spec());
    if !is_wide {
        let width = room.clamp(NARROW_STATE, widest.max(NARROW_STATE));
        let column = Column::constant("", width);
        grid.add(column, move |character| {
            short_state(character, width, context)
        });
        return;
    }

    let column = Column::new("", (0, 60))
        .at_first(widest)
        .priority(CONDITIONS)
        .grows();
    grid.add(column, move |character| {
        join(state_parts(character, context), " ")
    });
}

/// Adds the column of a value.
fn add_value<'a>(
    grid: &mut GridColumns<'a, &'a Character>,
    value: RowValue,
    priority: u8,
    context: ViewContext<'a>,
) {
    let column = Column::constant("", value.width).priority(priority);
    grid.add(column, move |character: &&Character| {
        placed_value(character, value.slot(), context)
    });
}

/// Returns the columns of the longest name of a condition of this system.
fn widest_condition(spec: &SystemSpec) -> u16 {
    let names = spec
        .conditions
        .iter()
        .map(|condition| columns(condition.name));
    names.max().unwrap_or(0)
}

/// Draws the row of the acting combatant in inverse, from its initiative to the end of its name.
pub(super) fn emphasise_turn(
    character: &Character,
    grid: &Grid,
    painter: &mut Painter<'_>,
    line: Rect,
) {
    if on_turn(painter.context) != Some(character.id) {
        return;
    }
    let Some(name) = grid.place(NAME, line) else {
        return;
    };

    let bold = Rect {
        x: name.right(),
        width: line.right().saturating_sub(name.right()),
        ..line
    };
    painter.buffer.set_style(bold, Modifier::BOLD);
    let start = after(line, GUTTER);
    let inverse = Rect {
        width: name.right().saturating_sub(start.x),
        ..start
    };
    painter
        .buffer
        .set_style(inverse, Modifier::BOLD | Modifier::REVERSED);
}

/// Draws the sheet of the character whose turn it is, and for a player that of the own character.
pub(super) fn draw_sheet(painter: &mut Painter<'_>, area: Rect) {
    let view = painter.view;
    let current = shown_sheet(painter.context);
    // The sheet also shows the last rolls of the character, and new segments of its clocks are bright.
    let filled_before = &painter.state.filled_before;
    let key = (view.revision(), filled_before, current);
    painter.redraw_if_changed(area, key, |painter| {
        let game = painter.context.view.game();
        if let Some(character) = current.and_then(|id| game.character(id)) {
            let id = ListId::Character(character.id);
            painter.hits.push((area, Spot::Listed(id)));
            sheets::draw_sheet(painter, area, &character);
        }
    });
}

/// Returns the character whose sheet stands beside the list of combatants.
fn shown_sheet(context: ViewContext<'_>) -> Option<CharacterId> {
    let seat = context.view.seat();
    if seat.sees_all() {
        return on_turn(context);
    }

    let own = context
        .view
        .roster()
        .find(|character| seat.characters.contains(&character.id));
    match own {
        Some(character) => Some(character.id),
        None => on_turn(context),
    }
}

/// Returns the words at the beginning of the line of the scene: `Bo's turn · round 2 · death save (r)`.
pub(super) fn turn_words(view: &SeatView<'_>, roll_key: &str) -> Option<String> {
    if !view.has_turn_order() {
        return None;
    }

    let mut parts = Vec::new();
    let current = view.turns().first().copied();
    match current {
        Some(character) => parts.push(format!("{}'s turn", character.name)),
        None => parts.push("no turn is left".to_owned()),
    }
    if view.round > 0 {
        parts.push(format!("round {}", view.round));
    }
    if let Some(character) = current {
        let due_check = view.due_check(character);
        for (place, due) in view.due_in_turn(character).into_iter().enumerate() {
            if place == 0 && due_check.is_some() && !roll_key.is_empty() {
                parts.push(format!("{due} ({roll_key})"));
            } else {
                parts.push(due);
            }
        }
    }
    Some(parts.join(" · "))
}
