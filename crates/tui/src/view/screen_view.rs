//! A frame: the tab, the tab below a dialog, or the request to pause.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};

use crate::app::update::mouse::HitMap;
use crate::view::context::ViewContext;
use crate::view::layout::{ScreenLayout, TableLayout};
use crate::view::painter::{self, Painter};
use crate::view::{FrameCache, bottom, draw_dialogs, draw_size_warning, draw_tab, pause};

/// The layout of a frame, and the data from which it is drawn.
pub(super) struct ScreenView<'a> {
    pub(super) context: ViewContext<'a>,
    /// `None` if the screen is too small.
    pub(super) parts: Option<ScreenLayout>,
    pub(super) table_layout: Option<TableLayout>,
    pub(super) clock_places: Option<&'a [Rect]>,
}

impl ScreenView<'_> {
    /// Draws the request to pause, which covers the screen. The next frame draws everything.
    pub(super) fn draw_pause(
        &self,
        frame_cache: &mut FrameCache,
        buffer: &mut Buffer,
        hits: &mut HitMap,
    ) -> (Option<Position>, Vec<Rect>) {
        let screen = buffer.area;
        frame_cache.redraw_all();
        frame_cache.tab_below = None;
        painter::clear(screen, self.context.look.base(), buffer);
        hits.clear();

        let mut painter = Painter::new(self.context, frame_cache, buffer, hits);
        pause::draw(&mut painter, screen);
        painter.frame_cache.redraw_all();
        (None, vec![screen])
    }

    /// Draws the changed regions of the tab. If a dialog covered it, the whole tab is restored. `previous` has the
    /// cells of the last frame.
    pub(super) fn draw_tab(
        &self,
        frame_cache: &mut FrameCache,
        buffer: &mut Buffer,
        previous: &Buffer,
        hits: &mut HitMap,
    ) -> Vec<Rect> {
        let screen = buffer.area;
        match frame_cache.tab_below.take() {
            Some(tab_below) => {
                buffer.content.clone_from_slice(&tab_below.content);
                let painter = Painter::new(self.context, frame_cache, buffer, hits);
                self.draw_regions(painter);
                vec![screen]
            }
            None => {
                let mut painter = Painter::new(self.context, frame_cache, buffer, hits);
                painter.previous = Some(previous);
                self.draw_regions(painter)
            }
        }
    }

    /// Draws the tab below the dialogs, and then the dialogs. Returns the position of the terminal's cursor.
    pub(super) fn draw_dialogs(
        &self,
        frame_cache: &mut FrameCache,
        buffer: &mut Buffer,
        hits: &mut HitMap,
    ) -> Option<Position> {
        let screen = buffer.area;
        let mut tab_below = match frame_cache.tab_below.take() {
            Some(tab_below) => tab_below,
            None => {
                frame_cache.redraw_all();
                Box::new(Buffer::empty(screen))
            }
        };
        let painter = Painter::new(self.context, frame_cache, &mut tab_below, hits);
        self.draw_regions(painter);
        buffer.content.clone_from_slice(&tab_below.content);
        frame_cache.tab_below = Some(tab_below);

        let parts = self.parts?;
        let mut painter = Painter::new(self.context, frame_cache, buffer, hits);
        bottom::draw_under_dialog(&mut painter, parts);
        let message = cells_in(painter.buffer, parts.notice);
        let cursor = draw_dialogs(&mut painter);
        let is_message_covered = cells_in(painter.buffer, parts.notice) != message;
        bottom::draw_over_dialog(&mut painter, parts, screen, is_message_covered);
        cursor
    }

    /// Draws the changed regions of the tab and of the bottom lines. Returns these regions.
    fn draw_regions(&self, mut painter: Painter<'_>) -> Vec<Rect> {
        let screen = painter.buffer.area;
        painter.remove_bars();
        let is_first_frame = painter.frame_cache.is_empty();
        if is_first_frame {
            painter::clear(screen, self.context.look.base(), painter.buffer);
            painter.hits.clear();
            painter.painted.push(screen);
        }

        let state = self.context.state;
        match (self.parts, &self.table_layout) {
            (Some(parts), Some(table_layout)) => {
                if !state.is_picking {
                    draw_tab(&mut painter, parts, table_layout, self.clock_places);
                }
                // The bottom lines of a dialog are drawn with the dialog.
                if state.is_browsing() {
                    bottom::draw(&mut painter, parts);
                }
            }
            _ => draw_size_warning(&mut painter, screen),
        }
        painter.painted.extend(painter.patched);
        painter.painted
    }
}

/// Copies the cells of an area.
fn cells_in(buffer: &Buffer, area: Rect) -> Vec<Cell> {
    let positions = area.intersection(buffer.area).positions();
    positions.map(|position| buffer[position].clone()).collect()
}
