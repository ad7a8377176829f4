//! Things to draw: dice, clock faces, odds, fields, buttons, panels. None knows a session.
//!
//! Each takes a [`Look`], which says how this screen looks, and draws itself by `&Thing: Widget`.
//! Whatever a colour says, a shape or a word says too.

pub mod buttons;
pub mod clock;
pub mod curve;
pub mod dialog;
pub mod die;
pub mod field;
pub mod grid;
pub mod hints;
pub mod odds;
pub mod panel;
pub mod tokens;
mod undo_stack;

use std::borrow::Cow;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::color_depth::Depth;
use super::theme::{Role, Theme};
use crate::text;

/// How a screen looks: its colours, how many its terminal shows, and whether it shows only ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// The colours by role.
    pub theme: &'a Theme,
    /// How many colours the terminal shows.
    pub depth: Depth,
    /// Whether only ASCII may be drawn.
    pub ascii: bool,
}

/// Signs that many views share.
#[derive(Debug)]
pub struct Glyphs {
    /// Stands before the selected row.
    pub marker: &'static str,
    /// Stands before a row marked to be acted on with others.
    pub marked: &'static str,
    /// Stands where text was cut.
    pub cut: &'static str,
    /// Leads from one value to another.
    pub arrow: &'static str,
    /// Parts words in a line.
    pub dot: &'static str,
    /// Says that something was done.
    pub done: &'static str,
    /// Says that something is hidden from players.
    pub hidden: &'static str,
    /// Says that there is more above.
    pub above: &'static str,
    /// Says that there is more below.
    pub below: &'static str,
    /// A level line, to be repeated.
    pub rule: &'static str,
    /// An upright line.
    pub wall: &'static str,
}

const UNICODE: Glyphs = Glyphs {
    marker: "›",
    marked: "✓",
    cut: "…",
    arrow: "→",
    dot: "·",
    done: "✓",
    hidden: "◌",
    above: "▴",
    below: "▾",
    rule: "─",
    wall: "│",
};

const ASCII: Glyphs = Glyphs {
    marker: ">",
    marked: "*",
    cut: "~",
    arrow: "->",
    dot: "-",
    done: "x",
    hidden: "?",
    above: "^",
    below: "v",
    rule: "-",
    wall: "|",
};

impl<'a> Look<'a> {
    /// The look of a terminal that shows every letter.
    pub const fn new(theme: &'a Theme, depth: Depth) -> Self {
        Self {
            theme,
            depth,
            ascii: false,
        }
    }

    /// How a role looks here.
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role, self.depth)
    }

    /// What lies under everything.
    pub fn base(&self) -> Style {
        self.theme.base(self.depth)
    }

    /// The signs that this screen may show.
    pub const fn glyphs(&self) -> &'static Glyphs {
        if self.ascii { &ASCII } else { &UNICODE }
    }

    /// One of two forms of a sign.
    pub const fn pick<T: Copy>(&self, unicode: T, ascii: T) -> T {
        if self.ascii { ascii } else { unicode }
    }

    /// Cuts text to so many columns, with this screen's sign for what is gone.
    pub fn fit<'t>(&self, text: &'t str, columns: u16) -> Cow<'t, str> {
        text::fit_with(text, columns.into(), self.glyphs().cut)
    }

    /// Text with this screen's sign behind it that there is more of it, in so many columns.
    pub fn fit_more<'t>(&self, text: &'t str, columns: u16) -> Cow<'t, str> {
        let sign = self.glyphs().cut;
        let room = columns.saturating_sub(self::columns(sign));
        let kept = text::fit_with(text, room.into(), "");
        Cow::Owned(format!("{}{sign}", kept.trim_end()))
    }

    /// The same for a line of several styles.
    pub fn fit_line<'t>(&self, line: &Line<'t>, width: u16) -> Line<'t> {
        if line.width() <= width.into() {
            return line.clone();
        }
        let mut cut = Line {
            spans: Vec::new(),
            ..*line
        };
        let mut left = width;
        for span in &line.spans {
            let own = columns(&span.content);
            // A span that only just fits would leave no room for the sign that more is gone.
            if own < left {
                cut.push_span(span.clone());
                left -= own;
            } else {
                let sign = columns(self.glyphs().cut);
                let room = left.saturating_sub(sign);
                let kept = text::fit_with(&span.content, room.into(), "").into_owned();
                cut.push_span(Span::styled(kept + self.glyphs().cut, span.style));
                break;
            }
        }
        cut
    }
}

/// The columns that a text takes, as the layout counts them.
pub fn columns(text: &str) -> u16 {
    u16::try_from(text::width(text)).unwrap_or(u16::MAX)
}

/// A line of an area, counted from its top; empty below its end.
pub fn row(area: Rect, down: u16) -> Rect {
    let inside = down < area.height;
    Rect {
        y: area.y.saturating_add(down),
        height: u16::from(inside),
        ..area
    }
}

#[cfg(test)]
mod tests;
