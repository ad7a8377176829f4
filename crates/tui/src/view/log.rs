//! The log, newest entry first: the last rolls on the table, and all entries on the Log tab.

mod large_roll;

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use ratatui::text::Line;
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::ListId;
use crate::app::state;
use crate::app::update::log_lines::ShownLine;
use crate::dialog::{Block, Canvas, ExplainDialog};
use crate::view::entry::{RollView, closed, entry_line};
use crate::view::full_entries::{InFull, LEAST, WIDE_PANEL, WIDE_TAB, leading};
use crate::view::layout::{self, PanelLayout};
use crate::view::log::large_roll::{draw_lead, large_roll};
use crate::view::log_item::{LogItem, text_column, touch};
use crate::view::{Painter, ViewContext, draw_empty_hint, luck};
use crate::widget::{
    Column, DiceRow, GAP, GUTTER, Grid, GridColumns, MoreRows, PanelFrame, RowMarks, after, below,
    draw_marks, draw_resting_cursor, join, left, row, top,
};
use tableside_table::Entry;

/// The minimum number of rows for the panel with the luck, below the explanation of an entry.
const LUCK_ROWS: u16 = 8;
/// The minimum width of the list at which the tab has a column for the effects.
const WITH_EFFECTS: u16 = 120;
/// The height of an explanation is rounded up to a multiple of this number.
const CARD_STEP: u16 = 4;
/// The maximum number of cached explanations, for a cursor that returns to an entry.
const MAX_CARDS: usize = 24;

/// Draws the last rolls on the table. The selected one or the latest one is shown large.
pub(super) fn draw_panel(painter: &mut Painter<'_>, layout: &PanelLayout) {
    let view = painter.view;
    let rolls = painter.state.list(state::Panel::Rolls);
    let has_focus = painter.state.panel == state::Panel::Rolls;

    let large_roll = large_roll(painter.context, layout, has_focus);
    let large_entry = large_roll.and_then(|number| view.entry(number));
    if let Some(entry) = large_entry {
        draw_lead(painter, after(layout.lead, GUTTER), &entry);
    }

    // The large roll is not repeated in the list, unless the cursor needs its line.
    let lines = rolls
        .lines()
        .iter()
        .flatten()
        .skip(rolls.top())
        .filter_map(|id| id.try_as_roll())
        .filter(|number| has_focus || large_roll != Some(*number))
        .take(layout.rows())
        .map(ShownLine::Entry)
        .collect();
    let selected = rolls.id().and_then(ListId::try_as_roll);
    let list = LogList {
        lines,
        cursor: selected.map(ShownLine::Entry),
        has_focus,
        is_panel: true,
    };
    list.draw(painter, layout.inner);
}

/// Draws the tab.
pub(super) fn draw_tab(painter: &mut Painter<'_>, body: Rect) {
    let context = painter.context;
    let log = &context.state.log;
    let panes = context.state.tab_layout(body);

    draw_list(painter, panes.list);

    let Some(detail) = panes.detail else {
        return;
    };
    let selected = match log.selected() {
        Some(number) => context.view.entry(number),
        None => None,
    };
    match selected {
        Some(entry) => draw_detail(painter, detail, &entry),
        None => painter.clear_if_changed(detail, ()),
    }
}

/// Draws the entries of the tab: in full if they fit, and otherwise in columns.
fn draw_list(painter: &mut Painter<'_>, list_area: Rect) {
    let context = painter.context;
    let log = &context.state.log;
    // The last column is reserved for the scroll signs.
    let area = left(list_area, list_area.width.saturating_sub(1));
    let visible_rows = layout::visible_rows(area);
    let lines = log.visible_lines(visible_rows);
    let more = log.more_rows(visible_rows);

    let are_all_visible = more == MoreRows::default();
    let cached_entries = if are_all_visible {
        let key = (context.view.revision(), area, &lines);
        Some(context.cached(1, key, || InFull::of(context, area, &lines)))
    } else {
        None
    };
    let in_full = cached_entries.as_deref().and_then(Option::as_ref);

    let places = in_full.map(InFull::places);
    let is_empty = log.len() == 0;
    let empty_key = if is_empty {
        Some((log.filter(), log.is_searching()))
    } else {
        None
    };
    painter.redraw_if_changed(list_area, (places, empty_key), |painter| {
        if is_empty {
            draw_empty_hint(painter, below(list_area, 1), state::Panel::Rolls);
        }
    });
    if is_empty {
        return;
    }

    if let Some(in_full) = in_full {
        in_full.draw(painter, area);
    } else {
        let list = LogList {
            lines,
            cursor: log.selected_line(),
            has_focus: true,
            is_panel: false,
        };
        list.draw(painter, area);
    }
    painter.draw_more_signs(area, more);
}

/// Lines of the log in columns.
struct LogList {
    lines: Vec<ShownLine>,
    /// The line under the cursor.
    cursor: Option<ShownLine>,
    /// True if keys act on that line.
    has_focus: bool,
    /// True for the panel on the table, false for the tab.
    is_panel: bool,
}

impl LogList {
    fn draw(self, painter: &mut Painter<'_>, area: Rect) {
        let context = painter.context;
        let revision = context.view.revision();
        let grid_key = FxBuildHasher.hash_one((revision, area, &self.lines));
        let grid = context.cached(1, grid_key, || self.lay_out(context, area.width));

        let head_rows = usize::from(!self.is_panel);
        if !self.is_panel {
            let head = row(area, 0);
            painter.redraw_if_changed(head, grid_key, |painter| {
                grid.draw_head(None, context.look, head, painter.buffer);
            });
        }

        let text_column = text_column(context, area.width >= WIDE_TAB);
        for (index, place) in area.rows().skip(head_rows).enumerate() {
            let line = self.lines.get(index).copied();
            let is_at_cursor = line.is_some() && self.cursor == line;
            let key = (grid_key, line, is_at_cursor, self.has_focus);
            painter.redraw_if_changed(place, key, |painter| {
                let Some(line) = line else {
                    return;
                };
                let text_area = grid.place(text_column, place).unwrap_or(place);
                touch(painter, line, place, text_area);
                self.draw_marks(painter, is_at_cursor, place);
                grid.draw_row(index, context.look, place, painter.buffer);
            });
        }
    }

    /// Draws the cursor, less bright without the focus.
    fn draw_marks(&self, painter: &mut Painter<'_>, is_at_cursor: bool, line: Rect) {
        let look = painter.look;
        let marks = RowMarks {
            is_selected: is_at_cursor && self.has_focus,
            is_marked: false,
        };
        draw_marks(marks, look, line, painter.buffer);
        if is_at_cursor && !self.has_focus {
            draw_resting_cursor(look, line, painter.buffer);
        }
    }

    fn lay_out(&self, context: ViewContext<'_>, width: u16) -> Grid {
        let columns = if self.is_panel && width >= WIDE_PANEL {
            roll_columns(context)
        } else {
            columns(context, width, self.is_panel)
        };
        let items = self.lines.iter().map(|line| LogItem::new(*line, context));
        let gap = if self.is_panel { GAP - 1 } else { GAP };
        columns.lay_out(items, width, gap)
    }
}

/// Returns the columns of the log. Their widths do not depend on the visible entries, so they stay while the log
/// scrolls.
fn columns(context: ViewContext<'_>, width: u16, is_panel: bool) -> GridColumns<'_, LogItem> {
    let is_wide = !is_panel && width >= WIDE_TAB;
    let mut columns = leading(context, is_panel, is_wide);

    let text_width = if is_wide {
        (width / 2).saturating_sub(4).min(LEAST)
    } else {
        40
    };
    let text_column = Column::new("Event", (text_width, text_width))
        .grows()
        .ends();
    columns.add(text_column, move |entry| {
        let text = entry.line(context);
        if is_panel && !context.view.is_struck(entry.number) {
            let effects = effects_line(entry, context);
            join([text, effects], "  ")
        } else {
            text
        }
    });

    // On a narrow screen, Enter and the details show the dice and the effects.
    if is_wide {
        let dice_width = (width / 4).min(36);
        let dice_column = Column::fixed("Dice", dice_width).priority(4);
        columns.add(dice_column, move |entry| {
            match RollView::of(entry, context.view) {
                Some(roll) if !entry.is_fold() => dice_line(&roll, context),
                _ => Line::default(),
            }
        });
    }
    // Where they would cut the text, the details show the effects.
    if is_wide && width >= WITH_EFFECTS {
        let effects_width = width.saturating_sub(102).clamp(17, 44);
        let effects_column = Column::fixed("Effects", effects_width).priority(5);
        columns.add(effects_column, move |entry| effects_line(entry, context));
    }
    columns
}

/// Returns the effects of a roll. A line that stands for several entries has none.
fn effects_line(entry: &LogItem, context: ViewContext<'_>) -> Line<'static> {
    match RollView::of(entry, context.view) {
        Some(roll) if !entry.is_fold() => join(roll.effects(context), "  "),
        _ => Line::default(),
    }
}

fn dice_line(roll: &RollView<'_>, context: ViewContext<'_>) -> Line<'static> {
    let row = DiceRow {
        dice: &roll.dice(),
        look: context.look,
    };
    row.line()
}

/// Returns the columns of the last rolls on a wide screen.
fn roll_columns(context: ViewContext<'_>) -> GridColumns<'_, LogItem> {
    let mut columns = GridColumns::default();
    let time_column = Column::fixed("", 6).priority(2);
    columns.add(time_column, move |entry: &LogItem| {
        let time = context.setup.zone.time(entry.at);
        context.line(time, Role::Muted)
    });

    let name_column = Column::new("", (4, 24)).at_first(16).spills().ends();
    columns.add(name_column, move |entry| roller_name(entry, context));

    let mut add = |column: Column, cell: fn(&RollView<'_>, ViewContext<'_>) -> Line<'static>| {
        columns.add(column, move |entry: &LogItem| {
            match RollView::of(entry, context.view) {
                Some(roll) => cell(&roll, context),
                None => Line::default(),
            }
        });
    };
    let value_column = Column::new("", (8, 48)).at_first(20);
    add(value_column, tested_value);
    // At first it is narrow, so that one long outcome does not drop the dice of all rows.
    let outcome_column = Column::new("", (6, 29)).at_first(20);
    add(outcome_column, |roll, context| {
        roll.outcome_span(context.look).into()
    });
    let numbers_column = Column::new("", (0, 32)).at_first(16).priority(3);
    add(numbers_column, |roll, context| {
        context.line(roll.numbers(), roll.role(Role::Text))
    });
    let dice_column = Column::new("", (0, 40)).at_first(14).priority(5);
    add(dice_column, dice_line);

    let effects_column = Column::new("", (0, 120)).at_first(24).priority(4);
    columns.add(effects_column, move |entry| {
        match RollView::of(entry, context.view) {
            Some(roll) => roll.followed(entry, context),
            None => Line::default(),
        }
    });
    columns
}

/// Returns the name of the rolling character. Rolls of free dice have only a text, which spills into the other columns.
fn roller_name(entry: &LogItem, context: ViewContext<'_>) -> Line<'static> {
    let Some(roll) = RollView::of(entry, context.view) else {
        return entry_line(entry, true, context);
    };

    let role = roll.role(Role::Text);
    let name = context.line(roll.roll.who.clone(), role);
    match closed(entry, context) {
        Some(hidden_sign) => join([hidden_sign, name], " "),
        None => name,
    }
}

/// Returns the tested value, and a remark if the roll has one.
fn tested_value(roll: &RollView<'_>, context: ViewContext<'_>) -> Line<'static> {
    let role = roll.role(Role::Text);
    let value = context.line(roll.tested.words.clone(), role);
    let remark = context.line(roll.about(), Role::Muted);
    join([value, remark], " ")
}

/// Draws the explanation of the selected entry, and below it the luck of all characters if there is room.
fn draw_detail(painter: &mut Painter<'_>, area: Rect, entry: &Entry) {
    let context = painter.context;
    let number = entry.number;
    let width = PanelFrame::new("", context.look).inner(area).width;
    let card_key = (context.view.revision(), number, width);
    let card = context.cached(MAX_CARDS, card_key, || {
        ExplainDialog::beside(number, context.view, width, context.look)
    });
    let (blocks, block_rows) = &*card;

    // Rounded heights keep the luck in its place while the cursor moves.
    let card_rows = block_rows.saturating_add(2).next_multiple_of(CARD_STEP);
    let has_room_for_luck = card_rows.saturating_add(LUCK_ROWS) <= area.height;
    let has_luck = has_room_for_luck && !context.recent_rolls().is_empty();
    let rows = if has_luck { card_rows } else { area.height };

    // Frames of different heights overlap, so a change of the height redraws the whole area.
    painter.clear_if_changed(area, rows);
    let frame = top(area, rows);
    painter.redraw_if_changed(frame, card_key, |painter| {
        draw_card(painter, frame, entry, blocks);
    });
    if has_luck {
        luck::draw(painter, below(area, rows), entry);
    }
}

/// Draws the frame of an explanation with the time, the author and the scene, and the explanation in it.
fn draw_card(painter: &mut Painter<'_>, frame: Rect, entry: &Entry, blocks: &[Block]) {
    let context = painter.context;
    let scene = &context.view.scene_of(entry.number).name;
    let foot = if scene.is_empty() {
        format!("by {}", entry.by)
    } else {
        format!("by {} · {scene}", entry.by)
    };
    let tag = context.view.tag(entry.number);
    let panel = PanelFrame {
        note: &context.setup.zone.day_and_time(entry.at),
        foot: &foot,
        ..PanelFrame::new(&tag, context.look)
    };

    let inner = painter.draw_frame(frame, &panel);
    let mut canvas = Canvas {
        look: context.look,
        keys: context.state.key_names(),
        area: inner,
        buffer: painter.buffer,
        hits: &mut |_, _| {},
    };
    ExplainDialog::draw_beside(blocks, &mut canvas);
}
