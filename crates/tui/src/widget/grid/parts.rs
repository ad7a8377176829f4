//! Cells of parts, such as conditions.

use ratatui::text::{Line, Span};

use crate::widget::{CUT, columns, join, line_columns};
use tableside_text::fit_with_marker;

/// Leaves out the last parts of a line, which are spans with blanks between them, so that it fits. A number such as `+2`
/// stands for them. At least the beginning of the first part stays.
pub(super) fn fit_parts<'a>(line: &Line<'a>, width: u16) -> Line<'a> {
    if line_columns(line) <= width {
        return line.clone();
    }

    let mut parts: Vec<Span<'a>> = line.spans.clone();
    parts.retain(|part| !part.content.trim().is_empty());
    for shown in (1..parts.len()).rev() {
        let fitting = with_count(&parts[..shown], parts.len() - shown);
        if line_columns(&fitting) <= width {
            return fitting;
        }
    }

    let Some((first, hidden)) = parts.split_first() else {
        return line.clone();
    };
    let count_columns = if hidden.is_empty() {
        0
    } else {
        columns(&format!(" +{}", hidden.len()))
    };
    let room = width.saturating_sub(count_columns);
    let text = fit_with_marker(&first.content, room.into(), CUT).into_owned();
    let beginning = Span::styled(text, first.style);
    with_count(&[beginning], hidden.len())
}

/// Joins parts, and adds the number of hidden parts.
fn with_count<'a>(parts: &[Span<'a>], hidden: usize) -> Line<'a> {
    let mut lines: Vec<Line<'a>> = parts.iter().cloned().map(Line::from).collect();
    if hidden > 0 {
        lines.push(Line::raw(format!("+{hidden}")));
    }
    join(lines, " ")
}
