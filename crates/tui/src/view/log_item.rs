//! The text of a line of the log: an entry, a fold, or an entry of an open fold.

use std::sync::Arc;

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::Role;
use crate::app::list::ListId;
use crate::app::update::log_lines::{ShownFold, ShownLine};
use crate::app::update::mouse::Spot;
use crate::view::entry::{entry_line, line_with_waiting};
use crate::view::{Painter, ViewContext};
use crate::widget::{BELOW, join, left};
use tableside_table::{Entry, FoldKind};

/// Marks a closed fold.
const CLOSED: &str = "▸";
/// Indents the entries of an open fold as far as the text behind a fold's sign.
const INDENT: &str = "  ";
/// The columns of a fold's sign and the space behind it.
const SIGN_COLUMNS: u16 = 2;

/// A line of the log with its entry. For a fold it is the entry that keys act on.
#[derive(Clone, derive_more::Deref)]
pub(super) struct LogItem {
    #[deref]
    entry: Arc<Entry>,
    /// The newest entry of a fold, and otherwise the entry itself.
    newest: Arc<Entry>,
    shown: ShownLine,
}

impl LogItem {
    /// Returns `None` if the entry is not in memory.
    pub(super) fn new(shown: ShownLine, context: ViewContext<'_>) -> Option<Self> {
        let entry = context.view.entry(shown.number())?;
        let newest = context.view.entry(shown.newest())?;
        Some(Self {
            entry,
            newest,
            shown,
        })
    }

    /// The entry whose number, time and author the line shows.
    pub(super) fn newest(&self) -> &Entry {
        &self.newest
    }

    pub(super) fn is_fold(&self) -> bool {
        self.shown.fold().is_some()
    }

    pub(super) fn shown(&self) -> ShownLine {
        self.shown
    }

    /// Returns the text of the line.
    pub(super) fn line(&self, context: ViewContext<'_>) -> Line<'static> {
        match self.shown {
            ShownLine::Entry(_) => line_with_waiting(&self.entry, context),
            ShownLine::Member(_) => {
                let indent = Line::from(INDENT);
                let text = line_with_waiting(&self.entry, context);
                join([indent, text], "")
            }
            ShownLine::Fold(fold) => {
                let sign = if fold.is_open { BELOW } else { CLOSED };
                let text = self.fold_text(fold, context);
                join([context.line(sign, Role::Key), text], " ")
            }
        }
    }

    fn fold_text(&self, fold: ShownFold, context: ViewContext<'_>) -> Line<'static> {
        let view = context.view;
        let is_struck = view.is_struck(self.number);
        let (acts, undone) = match fold.kind {
            FoldKind::Steps => {
                let text = view.describe_steps(fold.oldest, fold.newest, fold.count);
                return context.line(text.unwrap_or_default(), Role::Text);
            }
            FoldKind::Undos { acts, undone, .. } => (acts, undone),
        };
        let note = match (acts, undone) {
            // The undone or redone entry is listed in another row.
            (0, _) if is_struck => format!("{} changes", fold.count),
            (0 | 1, 0) => "undone and redone".to_owned(),
            (0 | 1, _) => String::new(),
            (_, 0) => format!("{acts} entries undone and redone"),
            (_, undone) if undone == acts => format!("{acts} entries undone"),
            (_, undone) => format!("{undone} of {acts} entries undone"),
        };

        let line = entry_line(&self.entry, true, context);
        if note.is_empty() {
            return line;
        }
        let note = context.line(format!("· {note}"), Role::Muted);
        join([line, note], " ")
    }
}

/// Returns the index of the column for the text of an entry, on the tab.
///
/// The time comes before it. The GM also has a column of numbers, and a wide screen has one of names.
pub(super) fn text_column(context: ViewContext<'_>, is_wide: bool) -> usize {
    let has_numbers = context.view.seat().sees_all();
    1 + usize::from(has_numbers) + usize::from(is_wide)
}

/// Registers what the mouse can press on a line of the log. `words` is the area of its text.
pub(super) fn touch(painter: &mut Painter<'_>, line: ShownLine, area: Rect, words: Rect) {
    match line {
        ShownLine::Entry(number) | ShownLine::Member(number) => {
            let entry = ListId::Roll(number);
            painter.hits.push((area, Spot::Listed(entry)));
        }
        ShownLine::Fold(fold) => {
            let sign = left(words, SIGN_COLUMNS);
            painter.hits.push((area, Spot::Fold(fold.newest)));
            painter.hits.push((sign, Spot::FoldSign(fold.newest)));
        }
    }
}
