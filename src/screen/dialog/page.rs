//! How dialogs look that are rows of values: a list that scrolls, a line of help, and whatever the
//! dialog draws beneath.

mod draw;

use std::borrow::Cow;

use ratatui::layout::{Position, Rect};

use super::wrap::{spell, wrap};
use crate::screen::color_depth::Depth;
use crate::screen::theme::{Role, Theme};
use crate::screen::widget::dialog::DialogFrame;
use crate::screen::widget::field::Field;
use crate::screen::widget::{Look, columns};

/// What stands in a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell<'a> {
    /// A value that is stepped through.
    Value(&'a str),
    /// A value that is being typed over.
    Typed(&'a Field),
    /// A line of text, with what it is for while it is empty.
    Text(&'a Field, &'a str),
}

/// A row of a page.
#[derive(Clone, Debug)]
pub(super) struct Row<'a> {
    /// What it is called.
    pub(super) label: Cow<'a, str>,
    /// What it is.
    pub(super) cell: Cell<'a>,
    /// Where that comes from, or what it is called.
    pub(super) beside: Cow<'a, str>,
    /// What is wrong with it.
    pub(super) problem: Option<&'a str>,
    /// Whether it is as it always is, and stands back.
    pub(super) quiet: bool,
}

impl<'a> Row<'a> {
    /// A row with nothing beside it.
    pub(super) fn new(label: impl Into<Cow<'a, str>>, cell: Cell<'a>) -> Self {
        Self {
            label: label.into(),
            cell,
            beside: Cow::Borrowed(""),
            problem: None,
            quiet: false,
        }
    }
}

/// A dialog of rows.
#[derive(Clone, Debug)]
pub(super) struct Page<'a> {
    /// What it is about.
    pub(super) title: &'a str,
    /// What stands at the right of the title.
    pub(super) note: &'a str,
    /// The rows.
    pub(super) rows: &'a [Row<'a>],
    /// The row that keys act on.
    pub(super) focus: usize,
    /// A sentence about that row.
    pub(super) help: &'a str,
    /// The longest sentence about any row: the dialog keeps room for it, and stays as it stands.
    pub(super) longest: &'a str,
    /// What is wrong with the whole.
    pub(super) problem: Option<&'a str>,
    /// Rows that are wanted beneath: at the least, and for all of it.
    pub(super) tail: (u16, u16),
    /// Columns that are wanted.
    pub(super) width: u16,
    /// How the screen looks.
    pub(super) look: Look<'a>,
}

/// Where the parts of a page are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parts {
    /// The rows in sight.
    pub(super) list: Rect,
    /// The first row in sight.
    pub(super) first: usize,
    /// The help, or what is wrong.
    pub(super) help: Rect,
    /// What the dialog draws itself.
    pub(super) tail: Rect,
}

/// So many rows are shown before anything else is, and so many before all that is wanted beneath.
const LEAST_ROWS: u16 = 4;
const SOME_ROWS: u16 = 8;
/// What is wrong may take so many lines.
const MOST_HELP: usize = 5;
/// From so many columns on a label may take half of them.
const ROOMY: u16 = 60;
/// In fewer columns what is beside a value follows it at once.
const NARROW: u16 = 24;
/// Between two columns.
const GAP: u16 = 2;
/// Before the label: the marker and a blank.
const GUTTER: u16 = 2;

/// Where things are does not depend on how the screen looks: what finds the mouse needs no look.
pub(super) fn bare<T>(find: impl FnOnce(Look<'_>) -> T) -> T {
    let theme = Theme::default();
    find(Look::new(&theme, Depth::Mono))
}

/// The longest of these sentences.
pub(super) fn longest<'a>(helps: impl Iterator<Item = &'a str>) -> &'a str {
    helps.max_by_key(|help| columns(help)).unwrap_or_default()
}

fn count(rows: usize) -> u16 {
    u16::try_from(rows).unwrap_or(u16::MAX)
}

/// A text keeps at least so many columns from what stands beside it.
const LEAST_TEXT: u16 = 20;

/// Where a text is typed, in line with the values; what stands beside it gives way where it is narrow.
pub(super) fn text_area(value: Rect, beside: &str) -> Rect {
    let indent = 1.min(value.width);
    let whole = value.width - indent;
    let taken = match columns(beside) {
        0 => 0,
        columns => columns + GAP,
    };
    let width = whole.saturating_sub(taken);
    Rect {
        x: value.x + indent,
        width: if width < LEAST_TEXT { whole } else { width },
        ..value
    }
}

impl<'a> Page<'a> {
    /// A page of rows with nothing else.
    pub(super) const fn new(title: &'a str, rows: &'a [Row<'a>], look: Look<'a>) -> Self {
        Self {
            title,
            note: "",
            rows,
            focus: 0,
            help: "",
            longest: "",
            problem: None,
            tail: (0, 0),
            width: 68,
            look,
        }
    }

    /// What is said beneath the rows: what is wrong, else the help.
    fn said(&self) -> (Role, String) {
        let wrong = self.rows.get(self.focus).and_then(|row| row.problem);
        match wrong.or(self.problem) {
            Some(problem) => (Role::Danger, format!("! {}", spell(problem, &self.look))),
            None => (Role::Muted, spell(self.help, &self.look).into_owned()),
        }
    }

    fn frame(&self, area: Rect) -> DialogFrame<'a> {
        let width = self.width.min(area.width.saturating_sub(4));
        let tail = self.tail.1 + u16::from(self.tail.1 > 0);
        let longest = wrap(&spell(self.longest, &self.look), width).len();
        let said = self.said_height(width).max(count(longest.min(MOST_HELP)));
        let height = count(self.rows.len()) + 1 + said + tail;
        DialogFrame {
            note: self.note,
            ..DialogFrame::new(
                self.title,
                self.width,
                height.min(area.height.saturating_sub(2)),
                self.look,
            )
        }
    }

    fn said_height(&self, width: u16) -> u16 {
        count(wrap(&self.said().1, width).len().clamp(1, MOST_HELP))
    }

    /// Where everything is, drawn over that area.
    pub(super) fn parts(&self, area: Rect) -> Parts {
        let mut inner = self.frame(area).inner(area);
        let rows = count(self.rows.len());
        let said = self.said_height(inner.width);
        let mut left = inner.height;
        let mut grow = |part: &mut u16, wanted: u16| {
            let more = wanted.saturating_sub(*part).min(left);
            *part += more;
            left -= more;
        };
        let (mut list, mut tail, mut help, mut gap, mut tail_gap) = (0, 0, 0, 0, 0);
        // What is wrong is told first of all; help stands back behind what the dialog draws itself.
        if self.said().0 == Role::Danger {
            grow(&mut help, said.min(2));
        }
        grow(&mut list, rows.min(LEAST_ROWS));
        grow(&mut tail, self.tail.0);
        grow(&mut help, 1);
        grow(&mut list, rows.min(SOME_ROWS));
        grow(&mut tail, self.tail.1);
        grow(&mut help, said);
        grow(&mut list, rows);
        grow(&mut gap, 1);
        grow(&mut tail_gap, u16::from(tail > 0));
        // What is drawn beneath stays where it is, however much is said above it.
        grow(&mut help, u16::MAX);
        let mut cut = |height: u16| {
            let part = Rect { height, ..inner };
            inner.y += height;
            part
        };
        let list = cut(list);
        cut(gap);
        let help = cut(help);
        cut(tail_gap);
        let tail = cut(tail);
        // The focus stands in the middle of what is in sight: it needs no memory of where it was.
        let shown = usize::from(list.height);
        let furthest = self.rows.len().saturating_sub(shown);
        let first = self.focus.saturating_sub(shown / 2).min(furthest);
        Parts {
            list,
            first,
            help,
            tail,
        }
    }

    /// The row at a place of the screen.
    pub(super) fn row_at(&self, area: Rect, at: Position) -> Option<usize> {
        let parts = self.parts(area);
        let down = usize::from(at.y.checked_sub(parts.list.y)?);
        let index = parts.first + down;
        (parts.list.contains(at) && index < self.rows.len()).then_some(index)
    }

    /// Where the value of the row in that line is drawn.
    pub(super) fn value_area(&self, line: Rect) -> Rect {
        let before = GUTTER + self.label_width(line.width) + GAP;
        Rect {
            x: line.x + before.min(line.width),
            width: line.width.saturating_sub(before),
            ..line
        }
    }

    fn label_width(&self, width: u16) -> u16 {
        let widest = self.rows.iter().map(|row| columns(&row.label)).max();
        let most = if width < ROOMY {
            width * 2 / 5
        } else {
            width / 2
        };
        widest.unwrap_or(0).min(most)
    }

    /// What is beside the values begins after the widest of those that are stepped through.
    fn value_width(&self, width: u16) -> u16 {
        let own = |row: &Row<'_>| match row.cell {
            Cell::Value(value) => columns(value),
            Cell::Typed(field) => columns(field.value()) + 1,
            Cell::Text(..) => 0,
        };
        let widest = self.rows.iter().map(own).max().unwrap_or(0);
        let beside = self.rows.iter().map(|row| columns(&row.beside)).max();
        let left = width.saturating_sub(beside.unwrap_or(0) + GAP);
        (widest + 2).clamp(6, (width * 3 / 5).max(left).max(6))
    }
}
