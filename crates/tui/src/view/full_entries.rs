//! Entries of the log with all of their words.

use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget as _;

use crate::Role;
use crate::app::update::log_lines::ShownLine;
use crate::view::entry::RollView;
use crate::view::log_item::{LogItem, text_column, touch};
use crate::view::{Painter, ViewContext};
use crate::widget::{
    Appearance, Column, DiceRow, DieBox, GAP, Grid, GridColumns, RowMarks, below, draw_marks, join,
    row, top, wrap_line,
};

/// The least width of the tab at which the dice and the effects have columns after the text.
pub(super) const WIDE_TAB: u16 = 90;
/// The same for the panel on the table.
pub(super) const WIDE_PANEL: u16 = 100;
/// The least columns of the text on a wide screen.
pub(super) const LEAST: u16 = 56;

/// Entries with all their words, and below them the dice and the effects.
pub(super) struct InFull {
    /// The columns before the text.
    leading: Grid,
    entries: Vec<InFullEntry>,
    /// True if dice are drawn as boxes, false if they are drawn as text.
    is_boxed: bool,
}

struct InFullEntry {
    line: ShownLine,
    area: Rect,
    /// The text of the entry and its effects, wrapped.
    lines: Vec<Line<'static>>,
    dice: Vec<DieBox>,
}

impl InFull {
    /// Lays out the entries, or returns `None` if they do not fit.
    pub(super) fn of(context: ViewContext<'_>, area: Rect, lines: &[ShownLine]) -> Option<Self> {
        if area.width < WIDE_TAB {
            return None;
        }

        let mut items = Vec::new();
        for line in lines {
            items.push(LogItem::new(*line, context)?);
        }

        let mut columns = leading(context, false, true);
        let text_column = Column::new("Event", (LEAST, LEAST)).grows();
        columns.add(text_column, |_| Line::default());
        let leading = columns.lay_out(items.iter().cloned().map(Some), area.width, GAP);

        let text_width = text_area(&leading, area, context).width;
        let entries = items
            .iter()
            .map(|item| InFullEntry::new(item, text_width, context))
            .collect();
        let mut in_full = Self {
            leading,
            entries,
            is_boxed: true,
        };
        if in_full.place(area, text_width, context) {
            return Some(in_full);
        }

        in_full.is_boxed = false;
        if in_full.place(area, text_width, context) {
            Some(in_full)
        } else {
            None
        }
    }

    /// Returns the place of each entry.
    pub(super) fn places(&self) -> Vec<Rect> {
        self.entries.iter().map(|entry| entry.area).collect()
    }

    /// Places the entries below each other. Returns false if they do not fit.
    fn place(&mut self, area: Rect, text_width: u16, context: ViewContext<'_>) -> bool {
        let mut free = below(area, 1);
        for entry in &mut self.entries {
            let Ok(line_count) = u16::try_from(entry.lines.len()) else {
                return false;
            };
            let height = line_count + entry.dice_rows(text_width, self.is_boxed, context.look);
            if height > free.height {
                return false;
            }
            entry.area = top(free, height);
            free = below(free, height);
        }
        true
    }

    pub(super) fn draw(&self, painter: &mut Painter<'_>, area: Rect) {
        let context = painter.context;
        let key = (context.view.revision(), area);
        let head = row(area, 0);
        painter.redraw_if_changed(head, key, |painter| {
            let look = context.look;
            self.leading.draw_head(None, look, head, painter.buffer);
        });

        for (index, entry) in self.entries.iter().enumerate() {
            let is_selected = context.state.log.selected_line() == Some(entry.line);
            let entry_key = (key, entry.line, is_selected);
            painter.redraw_if_changed(entry.area, entry_key, |painter| {
                self.draw_entry(index, is_selected, painter);
            });
        }
    }

    fn draw_entry(&self, index: usize, is_selected: bool, painter: &mut Painter<'_>) {
        let context = painter.context;
        let look = context.look;
        let entry = &self.entries[index];
        let first_row = row(entry.area, 0);

        let first_line = text_area(&self.leading, first_row, context);
        touch(painter, entry.line, entry.area, first_line);

        let marks = RowMarks {
            is_selected,
            is_marked: false,
        };
        draw_marks(marks, look, first_row, painter.buffer);
        self.leading
            .draw_row(index, look, first_row, painter.buffer);

        let text_area = text_area(&self.leading, entry.area, context);
        entry.draw(painter, text_area, self.is_boxed);
    }
}

/// Returns the place of the text in an area.
fn text_area(leading: &Grid, area: Rect, context: ViewContext<'_>) -> Rect {
    let column = text_column(context, true);
    leading.place(column, area).unwrap_or(area)
}

impl InFullEntry {
    fn new(item: &LogItem, text_width: u16, context: ViewContext<'_>) -> Self {
        let mut lines = wrap_line(&item.line(context), text_width);
        let mut dice = Vec::new();

        if let Some(roll) = RollView::of(item, context.view)
            && !item.is_fold()
        {
            dice = roll.dice();
            if !context.view.is_struck(item.number) {
                let effects = join(roll.effects(context), "  ");
                lines.extend(wrap_line(&effects, text_width));
            }
        }

        lines.retain(|line| !line.spans.is_empty());
        Self {
            line: item.shown(),
            area: Rect::default(),
            lines,
            dice,
        }
    }

    fn dice_rows(&self, width: u16, is_boxed: bool, look: Appearance<'_>) -> u16 {
        let dice = &self.dice;
        if dice.is_empty() {
            0
        } else if is_boxed {
            DiceRow { dice, look }.height(width)
        } else {
            1
        }
    }

    fn draw(&self, painter: &mut Painter<'_>, area: Rect, is_boxed: bool) {
        let mut free = area;
        for (index, line) in self.lines.iter().enumerate() {
            painter.draw_line(free, line);
            free = below(free, 1);

            // The dice are between the text of the roll and its effects.
            if index == 0 {
                free = self.draw_dice(painter, free, is_boxed);
            }
        }
    }

    /// Draws the dice. Returns the area below them.
    fn draw_dice(&self, painter: &mut Painter<'_>, area: Rect, is_boxed: bool) -> Rect {
        let look = painter.look;
        let rows = self.dice_rows(area.width, is_boxed, look);
        let dice = DiceRow {
            dice: &self.dice,
            look,
        };
        if is_boxed {
            (&dice).render(top(area, rows), painter.buffer);
        } else {
            painter.draw_line(area, &dice.line());
        }
        below(area, rows)
    }
}

/// Returns the columns before the text: the number, the time and the player.
pub(super) fn leading(
    context: ViewContext<'_>,
    is_panel: bool,
    is_wide: bool,
) -> GridColumns<'_, LogItem> {
    let muted = move |text: String| context.line(text, Role::Muted);
    let mut columns = GridColumns::default();

    // Players do not see the numbers, because a gap would reveal a hidden entry.
    if !is_panel && context.view.seat().sees_all() {
        let last_number = context.view.last_event().to_string();
        let digits = u16::try_from(last_number.len()).unwrap_or(20);
        let number_column = Column::fixed("#", digits.max(2)).right();
        columns.add(number_column, move |entry: &LogItem| {
            muted(entry.newest().number.to_string())
        });
    }

    let time_column = Column::fixed("Time", 5).priority(1);
    columns.add(time_column, move |entry| {
        muted(context.setup.zone.time(entry.newest().at))
    });
    if is_wide {
        let author_column = Column::new("By", (2, 8)).priority(3);
        columns.add(author_column, move |entry| muted(entry.newest().by.clone()));
    }
    columns
}
