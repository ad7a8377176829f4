//! Something read from top to bottom: words and dice one under the other, scrolled where they are longer
//! than there is room for.

use std::cell::Cell;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::dialog::Canvas;
use crate::widget::{
    Appearance, Chance, DiceRow, DieBox, MoreRows, OddsBar, after, below, columns, join,
    large_digits, row, top, wrap, wrap_line,
};
use crate::{Action, Role};

/// Columns that what is read wants at the least, and at most, and a check that is set up on a wide screen.
const WIDTHS: [u16; 3] = [74, 100, 148];

/// The columns that a dialog wants on that screen: it widens with it.
pub(super) fn dialog_width(area: Rect, is_set_up: bool) -> u16 {
    let most = WIDTHS[1 + usize::from(is_set_up)];
    (area.width / 6 * 5).clamp(WIDTHS[0], most)
}

/// A part of a line in its role.
pub(super) type StyledText = (Role, String);

/// The chances of a check: that of success in large, beside it all of them as a bar, and what is told beneath.
#[derive(Clone, Debug)]
pub struct OddsBlock {
    /// None where a check knows no success.
    pub(super) success: Option<String>,
    pub(super) chances: Vec<Chance<'static>>,
    pub(super) beneath: Vec<StyledText>,
}

/// A bar keeps so many columns beside what stands in large.
const LEAST_BAR: u16 = 48;

impl OddsBlock {
    /// The chance of success in large, or in a line where there is no room for that, and its columns.
    fn success(&self, width: u16, look: Appearance<'_>, is_low: bool) -> (Vec<String>, u16) {
        let Some(words) = &self.success else {
            return (Vec::new(), 0);
        };
        let large = large_digits(words).to_vec();
        let wants = columns(&large[0]) + 2;
        if is_low || look.ascii || width < wants + LEAST_BAR {
            (vec![words.clone()], columns(words) + 2)
        } else {
            (large, wants)
        }
    }

    /// The rows of the bar, and what is told beneath it.
    fn parts(&self, width: u16, look: Appearance<'_>, is_low: bool) -> (u16, Vec<Line<'static>>) {
        let (_, wide) = self.success(width, look, is_low);
        // Where room is low, it stands before the bar alone.
        let wide = if is_low { 0 } else { wide };
        let (chances, width) = (&self.chances, width.saturating_sub(wide));
        let bar = OddsBar { chances, look };
        let high = if is_low { 2 } else { bar.height(width) };
        // Large figures are blocks, which nothing reads aloud; where room is low, they are words already.
        let success = self.success.iter().filter(|_| !is_low);
        let told = success.map(|chance| {
            let words = format!("{chance} to succeed");
            Line::from(Span::styled(words, look.style(Role::Muted)))
        });
        let told = join(told.chain([styled(&self.beneath, look)]), "   ");
        let is_told = !told.spans.is_empty();
        let lines = is_told.then(|| wrap_line(&told, width));
        (high, lines.unwrap_or_default())
    }

    fn height(&self, width: u16, look: Appearance<'_>, is_low: bool) -> u16 {
        let (high, lines) = self.parts(width, look, is_low);
        let (success, _) = self.success(width, look, is_low);
        u16::try_from(success.len()).map_or(0, |least| least.max(high + count(&lines)))
    }

    fn draw(&self, area: Rect, look: Appearance<'_>, is_low: bool, buffer: &mut Buffer) {
        let (success, wide) = self.success(area.width, look, is_low);
        for (line, place) in success.into_iter().zip(area.rows()) {
            let line = Line::styled(line, look.style(Role::Heading));
            look.put(&line, place, buffer);
        }
        let (high, lines) = self.parts(area.width, look, is_low);
        let (chances, beside) = (&self.chances, after(area, wide));
        let bar = OddsBar { chances, look };
        if is_low {
            (&bar).render(row(beside, 0), buffer);
            look.put(&bar.in_short(), row(area, 1), buffer);
            return put_lines(&lines, below(area, high), look, buffer);
        }
        (&bar).render(top(beside, high), buffer);
        put_lines(&lines, below(beside, high), look, buffer);
    }
}

fn styled(parts: &[StyledText], look: Appearance<'_>) -> Line<'static> {
    let spans = parts.iter();
    let spans = spans.map(|(role, words)| Span::styled(words.clone(), look.style(*role)));
    spans.collect()
}

fn put_lines(lines: &[Line<'_>], area: Rect, look: Appearance<'_>, buffer: &mut Buffer) {
    for (line, place) in lines.iter().zip(area.rows()) {
        look.put(line, place, buffer);
    }
}

fn count(lines: &[Line<'_>]) -> u16 {
    u16::try_from(lines.len()).unwrap_or(u16::MAX)
}

/// One thing under another.
#[derive(Clone, Debug)]
pub enum Block {
    /// Dice as they lie on the table.
    Dice(Vec<DieBox>),
    Odds(OddsBlock),
    /// A line of several parts; it wraps.
    Parts(Vec<StyledText>),
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
        let (lead, words) = (lead.into(), words.into());
        Self::Words { role, lead, words }
    }

    /// The rows that it takes; where room is low, dice lie in a line and odds stand over their shares.
    fn height(&self, width: u16, look: Appearance<'_>, is_low: bool) -> u16 {
        match self {
            Self::Dice(dice) if !is_low => DiceRow { dice, look }.height(width),
            Self::Odds(odds) => odds.height(width, look, is_low),
            Self::Parts(parts) => count(&wrap_line(&styled(parts, look), width)),
            Self::Dice(_) | Self::Gap => 1,
            Self::Words { lead, words, .. } => {
                let lines = wrap(words, width.saturating_sub(columns(lead))).len();
                u16::try_from(lines).unwrap_or(u16::MAX)
            }
        }
    }

    fn draw(&self, area: Rect, look: Appearance<'_>, is_low: bool, buffer: &mut Buffer) {
        match self {
            Self::Dice(dice) if is_low => look.put(&DiceRow { dice, look }.line(), area, buffer),
            Self::Dice(dice) => (&DiceRow { dice, look }).render(area, buffer),
            Self::Odds(odds) => odds.draw(area, look, is_low, buffer),
            Self::Parts(parts) => {
                let lines = wrap_line(&styled(parts, look), area.width);
                put_lines(&lines, area, look, buffer);
            }
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
pub(super) fn blocks_height(blocks: &[Block], width: u16, look: Appearance<'_>) -> u16 {
    rows(blocks, width, look, false)
}

fn rows(blocks: &[Block], width: u16, look: Appearance<'_>, is_low: bool) -> u16 {
    let heights = blocks.iter().map(|block| block.height(width, look, is_low));
    heights.fold(0, u16::saturating_add)
}

/// Signs on the frame around an area that there is more above and below.
pub(super) fn draw_scroll_signs(more: (bool, bool), area: Rect, canvas: &mut Canvas<'_>) {
    let edge = Rect::new(area.right() + 1, area.y, 1, area.height);
    let edge = edge.intersection(canvas.buffer.area);
    let look = canvas.look;
    let more = MoreRows {
        above: more.0,
        below: more.1,
    };
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
        let fills = |block: &Block| block.height(area.width, look, false) >= area.height;
        let has_rows = |block: &Block| !matches!(block, Block::Dice(_)) || !fills(block);
        let is_low = (area.height < LOW || !blocks.iter().all(has_rows))
            && blocks_height(blocks, area.width, look) > area.height;
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
        let view = paper.content.iter().skip(above);
        let places = area.rows().flat_map(Rect::columns);
        for (place, cell) in places.zip(view) {
            canvas.buffer[(place.x, place.y)] = cell.clone();
        }
        draw_scroll_signs((first > 0, first + area.height < rows), area, canvas);
    }
}
