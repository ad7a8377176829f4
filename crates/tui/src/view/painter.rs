//! Drawing into the regions of a frame.

use std::hash::{BuildHasher as _, Hash};

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::Line;
use ratatui::widgets::Widget as _;
use rustc_hash::FxBuildHasher;

use crate::app::offered::is_offered;
use crate::app::update::mouse::HitMap;
use crate::view::context::ViewContext;
use crate::view::frame_cache::{CoveredCells, FrameCache};
use crate::view::layout;
use crate::widget::{
    MoreRows, PanelFrame, after, bar_style, below, left, line_columns, right, wrap_line,
};
use crate::{Action, Role};

/// Draws a frame, region by region.
#[derive(derive_more::Deref)]
pub(super) struct Painter<'a> {
    #[deref]
    pub(super) context: ViewContext<'a>,
    pub(super) buffer: &'a mut Buffer,
    /// The regions that the mouse can press.
    pub(super) hits: &'a mut HitMap,
    pub(super) frame_cache: &'a mut FrameCache,
    /// The cells of the last frame. `None` if the buffer itself has them.
    pub(super) previous: Option<&'a Buffer>,
    /// The regions drawn in this frame.
    pub(super) painted: Vec<Rect>,
    /// The areas of bars that this frame removed or drew, without drawing the regions behind them.
    pub(super) patched: Vec<Rect>,
}

/// The text in an empty list: the reason, and the key that helps.
pub(super) struct EmptyHint {
    pub(super) reason: &'static str,
    pub(super) action: Action,
    /// The effect of the action, a verb in the third person.
    pub(super) effect: &'static str,
}

impl<'a> Painter<'a> {
    pub(super) fn new(
        context: ViewContext<'a>,
        frame_cache: &'a mut FrameCache,
        buffer: &'a mut Buffer,
        hits: &'a mut HitMap,
    ) -> Self {
        Self {
            context,
            buffer,
            hits,
            frame_cache,
            previous: None,
            painted: Vec::new(),
            patched: Vec::new(),
        }
    }
}

impl Painter<'_> {
    /// Draws a line and cuts it at the right edge of the area.
    pub(super) fn draw_line(&mut self, area: Rect, line: &Line<'_>) {
        self.context.look.put(line, area, self.buffer);
    }

    /// Draws a line that ends at the right edge. Returns its width.
    pub(super) fn draw_line_right(&mut self, area: Rect, line: &Line<'_>) -> u16 {
        let width = line_columns(line).min(area.width);
        self.draw_line(right(area, width), line);
        width
    }

    /// Wraps and draws a paragraph. Returns the area below it.
    pub(super) fn draw_paragraph(&mut self, area: Rect, text: &Line<'_>) -> Rect {
        self.draw_wrapped(area, wrap_line(text, area.width))
    }

    /// Draws the lines of a wrapped paragraph. Returns the area below them.
    ///
    /// If the area has too few rows, the last row shows the beginning of the remaining text, with the sign for cut
    /// text.
    pub(super) fn draw_wrapped(&mut self, area: Rect, lines: Vec<Line<'_>>) -> Rect {
        let mut free = area;
        let mut lines = lines.into_iter().peekable();

        while !free.is_empty() {
            let Some(mut line) = lines.next() else {
                break;
            };

            // A line that is wider than the area gets the sign for cut text.
            if free.height == 1
                && let Some(next_line) = lines.peek()
            {
                line.spans.extend(next_line.spans.iter().cloned());
            }

            self.draw_line(free, &line);
            free = below(free, 1);
        }

        free
    }

    /// Wraps and draws paragraphs below each other. Returns the area below them.
    pub(super) fn draw_paragraphs(&mut self, area: Rect, paragraphs: &[Line<'_>]) -> Rect {
        let mut free = area;
        for paragraph in paragraphs {
            free = self.draw_paragraph(free, paragraph);
        }
        free
    }

    /// Draws the frame of a panel. Returns the area inside.
    pub(super) fn draw_frame(&mut self, area: Rect, frame: &PanelFrame<'_>) -> Rect {
        frame.render(area, self.buffer);
        frame.inner(area)
    }

    /// Draws a sign at the right edge of a list with a heading for rows above the visible ones, and one for rows below.
    pub(super) fn draw_scroll_signs(&mut self, list: Rect, top: usize, count: usize) {
        let more = MoreRows {
            above: top > 0,
            below: top + layout::visible_rows(list) < count,
        };
        self.draw_more_signs(list, more);
    }

    /// Draws signs for rows out of sight at the right edge of a list with a heading.
    pub(super) fn draw_more_signs(&mut self, list: Rect, more: MoreRows) {
        let rows = below(list, 1);
        let edge = Rect::new(list.right(), rows.y, 1, rows.height);
        let look = self.look;

        self.redraw_if_changed(edge, more, |painter| {
            look.put_more(more, edge, Role::Border, painter.buffer);
        });
    }

    pub(super) fn draw_empty_hint(&mut self, area: Rect, hint: &EmptyHint) {
        let mut line = self.context.line(hint.reason, Role::Muted);

        let key = if is_offered(hint.action, self.view) {
            self.key(hint.action)
        } else {
            String::new()
        };
        if !key.is_empty() {
            line.push_span(self.span(format!(" {key}"), Role::Key));
            line.push_span(self.span(format!(" {}", hint.effect), Role::Muted));
        }

        self.draw_paragraph(after(area, 2), &line);
    }

    /// Draws a region that depends on the key and on the whole game.
    pub(super) fn redraw_with_game(
        &mut self,
        area: Rect,
        key: impl Hash,
        draw: impl FnOnce(&mut Self),
    ) {
        self.redraw_if_changed(area, (self.view.revision(), key), draw);
    }

    /// Clears a region if the key changed, and with it all regions inside it.
    pub(super) fn clear_if_changed(&mut self, area: Rect, key: impl Hash) {
        self.redraw_if_changed(area, key, |_| {});
    }

    /// Draws a region that depends only on the key.
    ///
    /// Does nothing if the last frame drew the same region from an equal key. A region may lie inside another one that
    /// is drawn before it.
    pub(super) fn redraw_if_changed(
        &mut self,
        area: Rect,
        key: impl Hash,
        draw: impl FnOnce(&mut Self),
    ) {
        let key = FxBuildHasher.hash_one(key);
        if !self.frame_cache.update_region(area, key) {
            return;
        }

        // A region that was painted in this frame is already blank.
        let is_blank = self
            .painted
            .iter()
            .any(|painted| painted.intersection(area) == area);
        if !is_blank {
            self.hits
                .retain(|(place, _)| place.intersection(area) != *place);
            self.painted.push(area);
            clear(area, self.look.base(), self.buffer);
        }

        draw(self);
    }

    /// Removes the bars of the last frame.
    pub(super) fn remove_bars(&mut self) {
        for bar in std::mem::take(&mut self.frame_cache.bars) {
            for (position, cell) in bar.area.positions().zip(bar.cells) {
                self.buffer[position] = cell;
            }
            self.patched.push(bar.area);
        }
    }

    /// Draws the bar behind a selected item, and `draw` over it. The next frame removes both without drawing the item
    /// again.
    ///
    /// Text with a background of its own keeps it.
    pub(super) fn draw_selection(&mut self, area: Rect, draw: impl FnOnce(&mut Self)) {
        let area = area.intersection(self.buffer.area);
        self.restore_previous(area);

        let cells = area
            .positions()
            .map(|position| self.buffer[position].clone())
            .collect();
        self.frame_cache.bars.push(CoveredCells { area, cells });
        self.patched.push(area);

        let ground = self.look.base().bg.unwrap_or(Color::Reset);
        let bar = bar_style(self.look);
        for position in area.positions() {
            let cell = &mut self.buffer[position];
            if cell.bg == ground {
                cell.set_style(bar);
            }
        }
        draw(self);
    }

    /// Copies the cells that this frame did not draw from the last frame.
    fn restore_previous(&mut self, area: Rect) {
        let Some(previous) = self.previous else {
            return;
        };
        for position in area.positions() {
            let mut drawn = self.painted.iter().chain(&self.patched);
            if !drawn.any(|drawn| drawn.contains(position)) {
                self.buffer[position] = previous[position].clone();
            }
        }
    }
}

/// Returns a line without its first and last column.
pub(super) fn inside(area: Rect) -> Rect {
    left(after(area, 1), area.width.saturating_sub(2))
}

/// Fills an area with spaces.
pub(super) fn clear(area: Rect, base: Style, buffer: &mut Buffer) {
    let mut blank = Cell::EMPTY;
    blank.set_style(base);

    for row in area.intersection(buffer.area).rows() {
        let start = buffer.index_of(row.x, row.y);
        let end = start + usize::from(row.width);
        buffer.content[start..end].fill(blank.clone());
    }
}
