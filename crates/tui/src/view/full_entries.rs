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
    owned, row, top, wrap_line,
};

/// The least widths at which the text has the dice and the effects in columns after it: on the tab, and on the table.
pub(super) const WIDE: (u16, u16) = (90, 100);
/// The least columns of the text on a wide screen.
pub(super) const LEAST: u16 = 56;

/// Entries in full: all words, and beneath them the dice as they lie and what followed.
pub(super) struct InFull {
    /// The columns before the text.
    leading: Grid,
    blocks: Vec<InFullEntry>,
    /// Whether dice are drawn as boxes.
    is_boxed: bool,
}

struct InFullEntry {
    line: ShownLine,
    area: Rect,
    /// The text of each entry, its dice, and its effects.
    lines: Vec<Line<'static>>,
    dice: Vec<DieBox>,
}

impl InFull {
    /// Of entries that all have room for that.
    pub(super) fn of(context: ViewContext<'_>, area: Rect, lines: &[ShownLine]) -> Option<Self> {
        if area.width < WIDE.0 {
            return None;
        }
        let items = lines.iter().map(|line| LogItem::new(*line, context));
        let items = items.collect::<Option<Vec<_>>>()?;
        let mut columns = leading(context, false, true);
        let all = Column::new("Event", (LEAST, LEAST)).grows();
        columns.add(all, |_| Line::default());
        let leading = columns.lay_out(items.iter().cloned().map(Some), area.width, GAP);
        let wide = Self::words(&leading, area, context).width;
        let blocks = items.iter().map(|entry| {
            let roll = RollView::of(entry, context.view).filter(|_| !entry.is_fold());
            let followed = roll.as_ref().map(|roll| join(roll.effects(context), "  "));
            let followed = followed.filter(|_| !context.view.is_struck(entry.number));
            let words = [Some(entry.line(context)), followed];
            let words = words.into_iter().flatten();
            let lines = words.flat_map(|line| wrap_line(&line, wide));
            let lines = lines.filter(|line| !line.spans.is_empty());
            InFullEntry {
                line: entry.shown(),
                area: Rect::default(),
                lines: lines.map(owned).collect(),
                dice: roll.map(|roll| roll.dice()).unwrap_or_default(),
            }
        });
        let mut all = Self {
            leading,
            blocks: blocks.collect(),
            is_boxed: true,
        };
        all.place(area, wide, context).or_else(|| {
            all.is_boxed = false;
            all.place(area, wide, context)
        })?;
        Some(all)
    }

    /// Returns the place of each entry.
    pub(super) fn places(&self) -> Vec<Rect> {
        self.blocks.iter().map(|one| one.area).collect()
    }

    /// Returns the place of the text in an area.
    fn words(leading: &Grid, area: Rect, context: ViewContext<'_>) -> Rect {
        leading
            .place(text_column(context, true), area)
            .unwrap_or(area)
    }

    /// Draws the entries below each other.
    fn place(&mut self, area: Rect, wide: u16, context: ViewContext<'_>) -> Option<()> {
        let mut rest = below(area, 1);
        for one in &mut self.blocks {
            let lines = u16::try_from(one.lines.len()).ok()?;
            let high = lines + one.dice_rows(wide, self.is_boxed, context.look);
            rest.height.checked_sub(high)?;
            one.area = top(rest, high);
            rest = below(rest, high);
        }
        Some(())
    }

    pub(super) fn draw(&self, painter: &mut Painter<'_>, area: Rect) {
        let context = painter.context;
        let told = (context.view.revision(), area);
        let head = row(area, 0);
        painter.redraw_if_changed(head, told, |painter| {
            self.leading
                .draw_head(None, context.look, head, painter.buffer);
        });
        for (nth, one) in self.blocks.iter().enumerate() {
            let is_here = context.state.log.selected_line() == Some(one.line);
            painter.redraw_if_changed(one.area, (told, one.line, is_here), |painter| {
                let words = Self::words(&self.leading, row(one.area, 0), context);
                touch(painter, one.line, one.area, words);
                let first = row(one.area, 0);
                draw_marks(
                    RowMarks {
                        is_selected: is_here,
                        is_marked: false,
                    },
                    context.look,
                    first,
                    painter.buffer,
                );
                let (look, leading) = (context.look, &self.leading);
                leading.draw_row(nth, None, look, first, painter.buffer);
                one.draw(
                    painter,
                    Self::words(leading, one.area, context),
                    self.is_boxed,
                );
            });
        }
    }
}

impl InFullEntry {
    fn dice_rows(&self, wide: u16, is_boxed: bool, look: Appearance<'_>) -> u16 {
        match (self.dice.as_slice(), is_boxed) {
            ([], _) => 0,
            (_, false) => 1,
            (dice, true) => DiceRow { dice, look }.height(wide),
        }
    }

    fn draw(&self, painter: &mut Painter<'_>, mut words: Rect, is_boxed: bool) {
        let look = painter.look;
        for (nth, line) in self.lines.iter().enumerate() {
            painter.draw_line(words, line);
            words = below(words, 1);
            // The dice lie between what was rolled and what followed.
            if nth == 0 {
                let high = self.dice_rows(words.width, is_boxed, look);
                let dice = &self.dice;
                let dice = DiceRow { dice, look };
                if is_boxed {
                    (&dice).render(top(words, high), painter.buffer);
                } else {
                    painter.draw_line(words, &dice.line());
                }
                words = below(words, high);
            }
        }
    }
}

/// Returns the columns before the text: the number, the time and the player.
pub(super) fn leading(
    context: ViewContext<'_>,
    is_panel: bool,
    is_wide: bool,
) -> GridColumns<'_, LogItem> {
    let muted = move |words: String| context.line(words, Role::Muted);
    let mut all = GridColumns::default();
    // Players do not see the numbers, because a gap would reveal a hidden entry.
    if !is_panel && context.view.seat().sees_all() {
        let digits = u16::try_from(context.view.last_event().to_string().len()).unwrap_or(20);
        all.add(
            Column::fixed("#", digits.max(2)).right(),
            move |entry: &LogItem| muted(entry.number.to_string()),
        );
    }
    let time = Column::fixed("Time", 5).priority(1);
    all.add(time, move |entry| muted(context.setup.zone.time(entry.at)));
    if is_wide {
        let by = Column::new("By", (2, 8)).priority(3);
        all.add(by, move |entry| muted(entry.by.clone()));
    }
    all
}
