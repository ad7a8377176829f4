//! What views draw with.

use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;
use std::hash::{BuildHasher as _, Hash};
use std::sync::Arc;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;
use rustc_hash::FxBuildHasher;

use crate::app::setup::Setup;
use crate::app::state::ScreenState;
use crate::app::update::mouse::HitMap;
use crate::terminal::input::KeyCode;
use crate::view::layout;
use crate::widget::{
    Appearance, MoreRows, PanelFrame, after, below, left, line_columns, right, wrap_line,
};
use crate::{Action, Context, Role};
use tableside_game::EntityKind;
use tableside_table::{Entry, SeatView};

/// How many of the last rolls luck is measured by, and somebody's own are looked for among.
const RECENT: usize = 200;

/// What a view is drawn from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// The table, as this seat sees it.
    pub(super) view: &'a SeatView<'a>,
    /// What the screen remembers.
    pub(super) state: &'a ScreenState,
    /// Keys, time zone.
    pub(super) setup: &'a Setup,
    /// How it looks.
    pub(super) look: Appearance<'a>,
    /// What need not be worked out with each frame.
    pub(super) kept: &'a Kept,
}

impl Source<'_> {
    /// What is worked out once for all frames in which it is worked out from the same; as many things of that type as
    /// were worked out last.
    pub(super) fn keep<T: Any + Send + Sync>(
        &self,
        most: usize,
        from: impl Hash,
        work_out: impl FnOnce() -> T,
    ) -> Arc<T> {
        let from = FxBuildHasher.hash_one(from);
        let of_type = |(known, one): &(u64, Arc<dyn Any + Send + Sync>)| {
            let one = (*known == from).then(|| Arc::clone(one))?;
            one.downcast::<T>().ok()
        };
        let known = self.kept.0.borrow().iter().find_map(of_type);
        known.unwrap_or_else(|| {
            let new = Arc::new(work_out());
            let mut kept = self.kept.0.borrow_mut();
            let mut room = most;
            kept.retain(|(_, one)| {
                let is_older = (**one).is::<T>();
                room -= usize::from(is_older);
                !is_older || room > 0
            });
            kept.insert(0, (from, new.clone()));
            new
        })
    }

    /// The last rolls that this seat reads, the newest first.
    pub(super) fn recent_rolls(&self) -> Arc<Vec<Arc<Entry>>> {
        let revision = self.view.revision_of(EntityKind::Game);
        self.keep(1, revision, || {
            let numbers = self.view.rolled().take(RECENT);
            numbers.filter_map(|one| self.view.entry(one)).collect()
        })
    }

    /// A piece of text in a role.
    pub(super) fn span<'t>(&self, text: impl Into<Cow<'t, str>>, role: Role) -> Span<'t> {
        Span::styled(text, self.look.style(role))
    }

    /// A line of text in a role.
    pub(super) fn say<'t>(&self, text: impl Into<Cow<'t, str>>, role: Role) -> Line<'t> {
        Line::from(self.span(text, role))
    }

    /// The key of an action in the open tab; empty when it has none.
    pub(super) fn key(&self, action: Action) -> String {
        self.key_in(self.state.tab_contexts(), action)
    }

    /// The key of an action there; empty when it has none.
    pub(super) fn key_in(&self, contexts: &[Context], action: Action) -> String {
        let keys = self.setup.keymap.keys_for(action, contexts);
        // Of several keys that close, everybody knows this one.
        let escape = keys.iter().find(|key| key.code == KeyCode::Esc);
        let key = escape.or_else(|| keys.first());
        key.map_or_else(String::new, |key| key.label(self.look.ascii))
    }
}

/// What was worked out from the game for many frames, and what from, the newest first.
#[derive(Debug, Default)]
pub(super) struct Kept(RefCell<Vec<(u64, Arc<dyn Any + Send + Sync>)>>);

/// What each part of the last frame was painted from. A part is painted anew only when something about it changed: most
/// keys change a row or two, and a line.
#[derive(Debug, Default)]
pub(crate) struct FrameCache {
    ground: u64,
    known: Vec<(Rect, u64)>,
    /// What else was worked out on the same ground.
    pub(super) kept: Kept,
}

impl FrameCache {
    /// Everything is to be painted, and worked out anew.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Everything is to be painted, from what is worked out already.
    pub(super) fn repaint(&mut self) {
        self.known.clear();
    }

    /// What they all stand on; where it is another, nothing holds any longer.
    pub(super) fn stand_on(&mut self, ground: impl Hash) {
        let ground = FxBuildHasher.hash_one(ground);
        if self.ground != ground {
            self.forget();
        }
        self.ground = ground;
    }

    /// Notes what a part is painted from. Returns whether that is news: then all parts inside it are to be painted, too.
    pub(super) fn replace(&mut self, area: Rect, from: u64) -> bool {
        if self.known.contains(&(area, from)) {
            return false;
        }
        self.known
            .retain(|(known, _)| known.intersection(area) != *known);
        self.known.push((area, from));
        true
    }

    /// Whether everything is to be painted.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

/// What a view draws with and what it draws.
#[derive(derive_more::Deref)]
pub(super) struct Painter<'a> {
    /// What it draws.
    #[deref]
    pub(super) from: Source<'a>,
    /// The frame.
    pub(super) buffer: &'a mut Buffer,
    /// What the mouse will find where.
    pub(super) hits: &'a mut HitMap,
    /// What each part of the last frame was painted from.
    pub(super) frame_cache: &'a mut FrameCache,
    /// What was painted so far.
    pub(super) painted: Vec<Rect>,
}

impl Painter<'_> {
    /// Draws a line, cut where there is no more room.
    pub(super) fn line(&mut self, area: Rect, line: &Line<'_>) {
        self.from.look.put(line, area, self.buffer);
    }

    /// Draws a line that ends at the right edge. Returns the columns that it takes.
    pub(super) fn line_right(&mut self, area: Rect, line: &Line<'_>) -> u16 {
        let width = line_columns(line).min(area.width);
        self.line(right(area, width), line);
        width
    }

    /// Draws a paragraph, wrapped, and cut where there is no more room. Returns the rows left beneath it.
    pub(super) fn text(&mut self, area: Rect, text: &Line<'_>) -> Rect {
        self.wrapped(area, wrap_line(text, area.width))
    }

    /// The same of one that is wrapped already.
    pub(super) fn wrapped(&mut self, area: Rect, lines: Vec<Line<'_>>) -> Rect {
        let mut rest = area;
        let mut lines = lines.into_iter().peekable();
        while let Some(mut line) = lines.next().filter(|_| !rest.is_empty()) {
            if rest.height == 1
                && let Some(more) = lines.peek()
            {
                line.spans.extend(more.spans.iter().cloned());
            }
            self.line(rest, &line);
            rest = below(rest, 1);
        }
        rest
    }

    /// Draws paragraphs beneath each other.
    pub(super) fn lines(&mut self, area: Rect, lines: &[Line<'_>]) -> Rect {
        lines.iter().fold(area, |rest, line| self.text(rest, line))
    }

    /// Draws a frame. Returns what is left inside.
    pub(super) fn frame(&mut self, area: Rect, panel: &PanelFrame<'_>) -> Rect {
        panel.render(area, self.buffer);
        panel.inner(area)
    }

    /// Says beside a list, beneath its head, that it goes on above or below what is in sight.
    pub(super) fn more(&mut self, list: Rect, top: usize, count: usize) {
        let more = MoreRows {
            above: top > 0,
            below: top + layout::visible_rows(list) < count,
        };
        self.more_signs(list, more);
    }

    /// Draws the signs beside a list that lines are above and below the visible ones.
    pub(super) fn more_signs(&mut self, list: Rect, more: MoreRows) {
        let beneath = below(list, 1);
        let edge = Rect::new(list.right(), beneath.y, 1, beneath.height);
        let look = self.look;
        self.tile_from(edge, more, |paint| {
            look.put_more(more, edge, Role::Border, paint.buffer);
        });
    }

    /// Says why a place is empty, and what to press there.
    pub(super) fn empty(&mut self, area: Rect, (why, action, does): (&str, Action, &str)) {
        let mut line = self.say(why, Role::Muted);
        let key = self.key(action);
        if !key.is_empty() {
            line.push_span(self.span(format!(" {key}"), Role::Key));
            line.push_span(self.span(format!(" {does}"), Role::Muted));
        }
        self.text(after(area, 2), &line);
    }

    /// Draws a part of the screen unless it was drawn from the same game before. One part may lie inside another
    /// that is drawn before it.
    pub(super) fn tile(&mut self, area: Rect, from: impl Hash, draw: impl FnOnce(&mut Self)) {
        self.tile_from(area, (self.view.revision(), from), draw);
    }

    /// The same for what does not change with everything in the game.
    pub(super) fn tile_from(&mut self, area: Rect, from: impl Hash, draw: impl FnOnce(&mut Self)) {
        let from = FxBuildHasher.hash_one(from);
        if !self.frame_cache.replace(area, from) {
            return;
        }
        // Within what was painted already, everything is blank.
        let mut painted = self.painted.iter();
        if !painted.any(|painted| painted.intersection(area) == area) {
            self.hits
                .retain(|(place, _)| place.intersection(area) != *place);
            self.painted.push(area);
            clear(area, self.look.base(), self.buffer);
        }
        draw(self);
    }
}

/// A line without its first and last column.
pub(super) fn inside(area: Rect) -> Rect {
    left(after(area, 1), area.width.saturating_sub(2))
}

/// Makes an area blank.
pub(super) fn clear(area: Rect, base: Style, buffer: &mut Buffer) {
    let mut blank = Cell::EMPTY;
    blank.set_style(base);
    for row in area.intersection(buffer.area).rows() {
        let from = buffer.index_of(row.x, row.y);
        buffer.content[from..][..row.width.into()].fill(blank.clone());
    }
}
