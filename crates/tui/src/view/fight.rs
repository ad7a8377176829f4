//! The table during a fight: a row for each combatant in the order of turns, and the sheet of the acting combatant.
//!
//! The rows do not move while turns pass. The row of the acting combatant is bright.

use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::app::list::ListId;
use crate::app::update::mouse::Spot;
use crate::view::card::{
    RowValue, acted_before, has_list, name, on_turn, placed_value, row_list, row_state, row_values,
    short_state,
};
use crate::view::layout::PanelLayout;
use crate::view::{Painter, ViewContext, sheets};
use crate::widget::{Column, GAP, GUTTER, Grid, GridColumns, after, columns};
use tableside_game::{Character, CharacterId};
use tableside_rules::SystemSpec;
use tableside_table::SeatView;
use tableside_text::fit;

/// The spaces between two columns.
const PANEL_GAP: u16 = GAP - 1;
/// The index of the column with the name.
const NAME: usize = 1;
/// A list that is at least this wide shows bars for hit points, and values besides the first one before the conditions.
const WITH_BARS: u16 = 60;
/// The widths of a name in a list of each kind.
const NARROW_NAME: u16 = 11;
const USUAL_NAME: u16 = 18;
const WIDE_NAME: u16 = 26;
/// A list that is at least this wide has long names.
const WITH_LONG_NAMES: u16 = 110;
/// The least columns of the conditions.
const LEAST_STATE: u16 = 10;
/// The width of the conditions. Values that the system does not put first, the dots of pools, and the list of skills get
/// only the columns beyond it.
const ROOMY_STATE: u16 = 24;
/// The maximum width of a name in the line of the scene.
const MAX_NAME_IN_WORDS: usize = 30;
/// The minimum width of the list of skills.
const MIN_LIST: u16 = 14;

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

    // The sign has its column even while no combatant has one, so that rows never move.
    let turn_width = turn_width(context);
    grid.add(
        Column::constant("", turn_width),
        move |character: &&Character| acted_before(character, on_turn, context).into(),
    );

    let name_width = name_width(width);
    let name_column = Column::constant("", name_width).ends();
    grid.add(name_column, move |character| {
        name(character, u16::MAX, context)
    });

    let taken = GUTTER + turn_width + PANEL_GAP + name_width;
    let room = width.saturating_sub(taken);
    let row = FightRow::new(context.view.system().spec(), width, room);
    for value in row.before_state {
        add_value(&mut grid, value, context);
    }
    let state_width = row.state_width;
    let is_wide = width >= WITH_BARS;
    grid.add(Column::constant("", state_width), move |character| {
        if is_wide {
            row_state(character, state_width, context)
        } else {
            short_state(character, state_width, context)
        }
    });
    for value in row.after_state {
        add_value(&mut grid, value, context);
    }
    if let Some(list_width) = row.list_width {
        grid.add(Column::constant("", list_width), move |character| {
            row_list(character, list_width, context)
        });
    }
    Some(grid)
}

/// Returns the columns of the initiative with its sign.
fn turn_width(context: ViewContext<'_>) -> u16 {
    let widest = context
        .view
        .roster()
        .filter_map(|character| character.initiative)
        .map(|initiative| columns(&initiative.to_string()))
        .max();
    widest.unwrap_or(0) + 1
}

fn name_width(list_width: u16) -> u16 {
    match list_width {
        ..WITH_BARS => NARROW_NAME,
        WITH_BARS..WITH_LONG_NAMES => USUAL_NAME,
        WITH_LONG_NAMES.. => WIDE_NAME,
    }
}

/// The columns of a row after the name. They depend on the system and the width alone, so that values keep their
/// places.
///
/// The conditions decide what a combatant can do. They come after the values that the system puts first and before all
/// other values.
struct FightRow {
    before_state: Vec<RowValue>,
    state_width: u16,
    after_state: Vec<RowValue>,
    /// The columns of the skills and of other values that have no places.
    list_width: Option<u16>,
}

impl FightRow {
    /// Divides the columns after the name. `width` is the width of the list, and `room` the number of these columns.
    fn new(spec: &SystemSpec, width: u16, room: u16) -> Self {
        let is_wide = width >= WITH_BARS;
        let values = row_values(spec, is_wide);
        let (first, others): (Vec<RowValue>, Vec<RowValue>) =
            values.into_iter().partition(|value| value.is_first);

        let mut row = Self {
            before_state: Vec::new(),
            state_width: room,
            after_state: Vec::new(),
            list_width: None,
        };
        // The first value, such as hit points, is what a fight is about. A narrow list shows no other value.
        for (place, value) in first.into_iter().enumerate() {
            let is_needed = place == 0 || (is_wide && row.leaves(value.slot.width, LEAST_STATE));
            if is_needed {
                row.take(value.slot.width);
                row.before_state.push(value);
            }
        }

        for value in others {
            if !row.leaves(value.slot.width, ROOMY_STATE) {
                break;
            }
            row.take(value.slot.width);
            row.after_state.push(value);
        }
        if is_wide && has_list(spec) && row.leaves(MIN_LIST, ROOMY_STATE) {
            let list_width = row.state_width - ROOMY_STATE - PANEL_GAP;
            row.take(list_width);
            row.list_width = Some(list_width);
        }

        for value in &mut row.before_state {
            let with_dots = value.with_dots(spec);
            let more_columns = with_dots.slot.width - value.slot.width;
            let has_room = row.state_width >= ROOMY_STATE + more_columns;
            if is_wide && more_columns > 0 && has_room {
                row.state_width -= more_columns;
                *value = with_dots;
            }
        }
        // A space separates the conditions from the name or the value before them.
        row.state_width = row.state_width.saturating_sub(PANEL_GAP);
        row
    }

    /// Returns true if a value of this width leaves these columns for the conditions.
    fn leaves(&self, width: u16, state: u16) -> bool {
        self.state_width >= width + PANEL_GAP + state
    }

    fn take(&mut self, width: u16) {
        self.state_width = self.state_width.saturating_sub(width + PANEL_GAP);
    }
}

/// Adds the column of a value.
fn add_value<'a>(
    grid: &mut GridColumns<'a, &'a Character>,
    value: RowValue,
    context: ViewContext<'a>,
) {
    let column = Column::constant("", value.slot.width);
    grid.add(column, move |character: &&Character| {
        placed_value(character, value.slot, context)
    });
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

/// Draws the sheet of the acting combatant, or for a player the sheet of the player's own character.
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

/// Returns the character whose sheet is shown beside the list of combatants.
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
        // A long name would push the round and what is due out of the line.
        Some(character) => {
            let name = fit(&character.name, MAX_NAME_IN_WORDS);
            parts.push(format!("{name}'s turn"));
        }
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
