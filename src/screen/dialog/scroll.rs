//! Something read from top to bottom: words and dice one under the other, scrolled where they are
//! longer than there is room for.

use std::cell::Cell;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Span;
use ratatui::widgets::Widget;

use super::wrap::{spell, wrap};
use super::{DialogAction, DialogEvent};
use crate::screen::action::Action;
use crate::screen::theme::Role;
use crate::screen::widget::dialog::DialogFrame;
use crate::screen::widget::die::{Dice, Die};
use crate::screen::widget::{Look, columns};

/// One thing under another.
#[derive(Clone, Debug)]
pub(super) enum Block {
    /// Dice as they lie on the table.
    Dice(Vec<Die<'static>>),
    /// A line of several parts; it is cut where there is no room.
    Parts(Vec<(Role, String)>),
    /// A sentence; it wraps, indented behind its lead.
    Words {
        /// What it is.
        role: Role,
        /// What stands before it: a number, a dash.
        lead: String,
        /// The words.
        words: String,
    },
    /// Nothing, for the eye.
    Gap,
}

impl Block {
    /// A sentence without a lead.
    pub(super) fn words(role: Role, words: impl Into<String>) -> Self {
        Self::Words {
            role,
            lead: String::new(),
            words: words.into(),
        }
    }

    fn height(&self, width: u16, look: Look<'_>) -> u16 {
        match self {
            Self::Dice(dice) => Dice { dice, look }.height(width),
            Self::Parts(_) | Self::Gap => 1,
            Self::Words { lead, words, .. } => {
                let words = spell(words, &look);
                let lines = wrap(&words, width.saturating_sub(columns(lead))).len();
                u16::try_from(lines).unwrap_or(u16::MAX)
            }
        }
    }

    fn draw(&self, area: Rect, look: Look<'_>, buffer: &mut Buffer) {
        let style = |role| look.style(role);
        match self {
            Self::Dice(dice) => (&Dice { dice, look }).render(area, buffer),
            Self::Parts(parts) => {
                let spans = parts
                    .iter()
                    .map(|(role, words)| Span::styled(spell(words, &look), style(*role)));
                let line = look.fit_line(&spans.collect(), area.width);
                buffer.set_line(area.x, area.y, &line, area.width);
            }
            Self::Words { role, lead, words } => {
                let before = columns(lead).min(area.width);
                buffer.set_stringn(
                    area.x,
                    area.y,
                    lead,
                    area.width.into(),
                    look.style(Role::Muted),
                );
                let lines = wrap(&spell(words, &look), area.width - before);
                for (line, y) in lines.iter().zip(area.y..area.bottom()) {
                    let room = (area.width - before).into();
                    buffer.set_stringn(area.x + before, y, line, room, style(*role));
                }
            }
            Self::Gap => {}
        }
    }
}

/// In fewer rows dice that do not fit with the words lie in a line.
const LOW: u16 = 8;

/// The rows that all of it takes.
pub(super) fn height(blocks: &[Block], width: u16, look: Look<'_>) -> u16 {
    let heights = blocks.iter().map(|block| block.height(width, look));
    heights.fold(0, u16::saturating_add)
}

/// A dialog that is only read: a title, what stands beside it, and what there is to read.
pub(super) struct Page<'a> {
    pub(super) title: &'a str,
    pub(super) note: &'a str,
    pub(super) blocks: &'a [Block],
    /// Columns that it wants.
    pub(super) width: u16,
}

impl Page<'_> {
    /// Its frame, and the rows that all of it takes.
    fn frame<'a>(&'a self, look: Look<'a>, area: Rect) -> (DialogFrame<'a>, u16) {
        let width = self.width.min(area.width.saturating_sub(4));
        let rows = height(self.blocks, width, look);
        let frame = DialogFrame {
            note: self.note,
            ..DialogFrame::new(self.title, width, rows, look)
        };
        (frame, rows)
    }
}

/// Signs on the frame that there is more above and below.
pub(super) fn sign((above, below): (bool, bool), look: Look<'_>, area: Rect, buffer: &mut Buffer) {
    let glyphs = look.glyphs();
    let edge = area.right() + 1;
    for (shown, y, sign) in [
        (above, area.y, glyphs.above),
        (below, area.bottom().saturating_sub(1), glyphs.below),
    ] {
        if shown && edge < buffer.area.right() {
            buffer.set_string(edge, y, sign, look.style(Role::BorderFocus));
        }
    }
}

/// How far something is scrolled.
#[derive(Clone, Debug, Default)]
pub(super) struct Scroll {
    offset: u16,
    /// How far it can be; known only when it is drawn, for only then is the room known.
    most: Cell<u16>,
    /// The rows in sight when it was drawn.
    page: Cell<u16>,
}

impl Scroll {
    /// Scrolls; whether the action was one for it.
    pub(super) fn apply(&mut self, action: Action) -> bool {
        let page = self.page.get().saturating_sub(1).max(1);
        let most = self.most.get();
        let now = self.offset.min(most);
        self.offset = match action {
            Action::Up | Action::PreviousField => now.saturating_sub(1),
            Action::Down | Action::NextField => (now + 1).min(most),
            Action::PageUp => now.saturating_sub(page),
            Action::PageDown => now.saturating_add(page).min(most),
            Action::First => 0,
            Action::Last => most,
            _ => return false,
        };
        true
    }

    /// Hears what one does in a dialog that is only read.
    pub(super) fn handle(&mut self, event: &DialogEvent) -> DialogAction {
        match event {
            DialogEvent::Action(Action::Close | Action::Open | Action::Press) => {
                DialogAction::Close
            }
            DialogEvent::Action(action) => {
                self.apply(*action);
                DialogAction::Stay
            }
            DialogEvent::Key(_) | DialogEvent::Paste(_) | DialogEvent::Click { .. } => {
                DialogAction::Stay
            }
        }
    }

    /// Whether there was more than had room when it was drawn.
    pub(super) fn has_more(&self) -> bool {
        self.most.get() > 0
    }

    /// Scrolls as little as brings that row into sight.
    pub(super) fn keep_in_sight(&mut self, row: u16) {
        let page = self.page.get().max(1);
        let least = (row + 1).saturating_sub(page);
        self.offset = self.offset.clamp(least, row.max(least));
    }

    /// What is drawn at a place of the screen: which block, and how far from its left end.
    pub(super) fn block_at(
        &self,
        page: &Page<'_>,
        look: Look<'_>,
        area: Rect,
        at: Position,
    ) -> Option<(usize, u16)> {
        let (frame, rows) = page.frame(look, area);
        let inner = frame.inner(area);
        if !inner.contains(at) {
            return None;
        }
        let row = self.first(rows, inner.height) + (at.y - inner.y);
        let mut below = 0;
        let found = page.blocks.iter().position(|block| {
            below += block.height(inner.width, look);
            row < below
        });
        found.map(|block| (block, at.x - inner.x))
    }

    /// Draws a dialog that is only read.
    pub(super) fn show(&self, page: &Page<'_>, look: Look<'_>, area: Rect, buffer: &mut Buffer) {
        let (mut frame, rows) = page.frame(look, area);
        let inner = frame.inner(area);
        frame.offset = self.first(rows, inner.height);
        (&frame).render(area, buffer);
        self.draw(page.blocks, look, inner, buffer);
    }

    /// The first row in sight, of so many, in so much room.
    pub(super) fn first(&self, rows: u16, room: u16) -> u16 {
        let most = rows.saturating_sub(room);
        self.most.set(most);
        self.page.set(room);
        self.offset.min(most)
    }

    /// Draws as much as there is room for; whether there is more above and below.
    pub(super) fn draw(
        &self,
        blocks: &[Block],
        look: Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> (bool, bool) {
        if area.is_empty() {
            return (false, false);
        }
        // In so little room dice are read, not looked at: the words are what one decides by.
        let is_low = area.height < LOW && height(blocks, area.width, look) > area.height;
        let own = |block: &Block| match block {
            Block::Dice(_) if is_low => 1,
            block => block.height(area.width, look),
        };
        let rows = blocks.iter().map(own).fold(0, u16::saturating_add);
        let first = self.first(rows, area.height);
        let whole = Rect::new(0, 0, area.width, rows);
        let mut paper = Buffer::filled(whole, buffer[(area.x, area.y)].clone());
        let mut y = 0;
        for block in blocks {
            let own = own(block);
            let spot = Rect {
                y,
                height: own,
                ..whole
            };
            match block {
                Block::Dice(dice) if is_low => {
                    let line = Dice { dice, look }.line();
                    let line = look.fit_line(&line, area.width);
                    paper.set_line(0, y, &line, area.width);
                }
                block => block.draw(spot, look, &mut paper),
            }
            y += own;
        }
        for (down, line) in (area.y..area.bottom()).enumerate() {
            let from = usize::from(first) + down;
            for (across, column) in (area.x..area.right()).enumerate() {
                let at = from * usize::from(area.width) + across;
                if let Some(cell) = paper.content.get(at) {
                    buffer[(column, line)] = cell.clone();
                }
            }
        }
        (first > 0, first + area.height < rows)
    }
}
