//! Something read from top to bottom: words and dice one under the other, scrolled where they are longer
//! than there is room for.

use std::cell::Cell;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::Canvas;
use crate::screen::action::Action;
use crate::screen::theme::Role;
use crate::screen::widget::die::{DiceRow, DieBox};
use crate::screen::widget::odds::{Chance, OddsBar};
use crate::screen::widget::wrap::wrap;
use crate::screen::widget::{Look, after, columns, row};

/// Columns that a check wants, and on a wide screen, where what one more would be worth has room.
const WIDTHS: [u16; 2] = [74, 100];
/// From so many columns on a screen is wide.
const WIDE: u16 = 110;

/// The columns that what is told of a check wants on that screen.
pub(super) const fn wanted(area: Rect) -> u16 {
    WIDTHS[(area.width >= WIDE) as usize]
}

/// A part of a line in its role.
pub(super) type Part = (Role, String);

/// One thing under another.
#[derive(Clone, Debug)]
pub(crate) enum Block {
    /// Dice as they lie on the table.
    Dice(Vec<DieBox>),
    /// Chances as a bar, and their shares in a line for where there is no room for their names.
    Odds(Vec<Chance<'static>>, Vec<Part>),
    /// A line of several parts; it is cut where there is no room.
    Parts(Vec<Part>),
    /// A sentence; it wraps, indented behind its lead.
    Words {
        role: Role,
        /// What stands before it: a number, a dash.
        lead: String,
        words: String,
    },
    /// Nothing, for the eye.
    Gap,
}

impl Block {
    pub(super) fn words(role: Role, words: impl Into<String>) -> Self {
        Self::led(role, "", words)
    }

    pub(super) fn led(role: Role, lead: impl Into<String>, words: impl Into<String>) -> Self {
        Self::Words {
            role,
            lead: lead.into(),
            words: words.into(),
        }
    }

    /// The rows that it takes; where room is low, dice lie in a line and odds stand over their shares.
    fn height(&self, width: u16, look: Look<'_>, is_low: bool) -> u16 {
        match self {
            Self::Dice(dice) if !is_low => DiceRow { dice, look }.height(width),
            Self::Odds(chances, _) if !is_low => OddsBar { chances, look }.height(width),
            Self::Odds(..) => 2,
            Self::Dice(_) | Self::Parts(_) | Self::Gap => 1,
            Self::Words { lead, words, .. } => {
                let lines = wrap(words, width.saturating_sub(columns(lead))).len();
                u16::try_from(lines).unwrap_or(u16::MAX)
            }
        }
    }

    fn draw(&self, area: Rect, look: Look<'_>, is_low: bool, buffer: &mut Buffer) {
        let span = |(role, words): &Part| Span::styled(words.clone(), look.style(*role));
        match self {
            Self::Dice(dice) if is_low => look.put(&DiceRow { dice, look }.line(), area, buffer),
            Self::Dice(dice) => (&DiceRow { dice, look }).render(area, buffer),
            Self::Odds(chances, shares) => {
                let bar = if is_low { row(area, 0) } else { area };
                (&OddsBar { chances, look }).render(bar, buffer);
                if is_low {
                    look.put(&shares.iter().map(span).collect(), row(area, 1), buffer);
                }
            }
            Self::Parts(parts) => look.put(&parts.iter().map(span).collect(), area, buffer),
            Self::Words { role, lead, words } => {
                let styled = Line::styled(lead.as_str(), look.style(Role::Muted));
                look.put(&styled, area, buffer);
                let area = after(area, columns(lead).min(area.width));
                for (words, down) in wrap(words, area.width).iter().zip(0..area.height) {
                    let line = Line::styled(words.as_str(), look.style(*role));
                    look.put(&line, row(area, down), buffer);
                }
            }
            Self::Gap => {}
        }
    }
}

/// In fewer rows room is low.
const LOW: u16 = 8;

/// The rows that all of it takes.
pub(super) fn height(blocks: &[Block], width: u16, look: Look<'_>) -> u16 {
    rows(blocks, width, look, false)
}

fn rows(blocks: &[Block], width: u16, look: Look<'_>, is_low: bool) -> u16 {
    let heights = blocks.iter().map(|block| block.height(width, look, is_low));
    heights.fold(0, u16::saturating_add)
}

/// Signs on the frame around an area that there is more above and below.
pub(super) fn sign(more: (bool, bool), area: Rect, canvas: &mut Canvas<'_>) {
    let edge = Rect {
        x: area.right() + 1,
        width: 1,
        ..area
    };
    let edge = edge.intersection(canvas.buffer.area);
    let look = canvas.look;
    look.put_more(more, edge, Role::BorderFocus, canvas.buffer);
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
    /// Scrolls; returns whether the action is one that does.
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

    /// Whether there was more than had room when it was drawn.
    pub(super) fn has_more(&self) -> bool {
        self.most.get() > 0
    }

    /// Draws as much as there is room for, with signs that there is more above and below.
    pub(super) fn draw(&self, blocks: &[Block], area: Rect, canvas: &mut Canvas<'_>) {
        if area.is_empty() {
            return;
        }
        let look = canvas.look;
        // In so little room dice are read, not looked at: the words are what one decides by.
        let is_low = area.height < LOW && height(blocks, area.width, look) > area.height;
        let rows = rows(blocks, area.width, look, is_low);
        self.most.set(rows.saturating_sub(area.height));
        self.page.set(area.height);
        let first = self.offset.min(self.most.get());
        let whole = Rect::new(0, 0, area.width, rows);
        let ground = canvas.buffer[(area.x, area.y)].clone();
        let mut paper = Buffer::filled(whole, ground);
        let mut y = 0;
        for block in blocks {
            let height = block.height(area.width, look, is_low);
            block.draw(Rect { y, height, ..whole }, look, is_low, &mut paper);
            y += height;
        }
        let above = usize::from(first) * usize::from(area.width);
        let seen = paper.content.iter().skip(above);
        let places = area.rows().flat_map(Rect::columns);
        for (place, cell) in places.zip(seen) {
            canvas.buffer[(place.x, place.y)] = cell.clone();
        }
        sign((first > 0, first + area.height < rows), area, canvas);
    }
}
