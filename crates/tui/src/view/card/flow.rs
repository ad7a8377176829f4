//! Distributing words over the rows of a card.

use ratatui::text::Line;

use crate::widget::{CUT, columns, join, line_columns};
use tableside_text::fit_with_marker;

/// The spaces between two parts of the state.
pub(super) const STATE_GAP: u16 = 2;
/// The least columns in which a word is cut. In fewer columns, only the number of hidden words is shown.
const LEAST_CUT_WORD: u16 = 4;

/// Distributes parts over rows. If not all of them fit, the last row ends with a sign.
pub(super) fn flow(parts: &[Line<'static>], width: u16, rows: u16) -> Vec<Line<'static>> {
    let sign_columns = columns(CUT) + 1;
    let mut lines: Vec<Line<'static>> = Vec::new();

    for (index, part) in parts.iter().enumerate() {
        let is_last_row = lines.len() == usize::from(rows);
        let is_last_part = index + 1 == parts.len();

        if let Some(line) = lines.last_mut() {
            let used = line_columns(line) + STATE_GAP + line_columns(part);
            let reserved = if is_last_row && !is_last_part {
                sign_columns
            } else {
                0
            };
            if used + reserved <= width {
                append(line, part.clone(), "  ");
                continue;
            }
            if is_last_row {
                if line_columns(line) + sign_columns <= width {
                    append(line, CUT.into(), " ");
                }
                break;
            }
        }
        if !is_last_row {
            lines.push(part.clone());
        }
    }
    lines
}

/// Adds a part to a line, with a separator.
fn append(line: &mut Line<'static>, part: Line<'static>, between: &'static str) {
    let start = std::mem::take(line);
    *line = join([start, part], between);
}

/// Distributes the parts of the state over rows. A number such as `+2` stands for parts that do not fit.
pub(super) fn fit_parts(parts: &[Line<'static>], width: u16, rows: u16) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut placed = 0;

    for (index, part) in parts.iter().enumerate() {
        let left_over = parts.len() - index - 1;
        let is_last_row = lines.len() == usize::from(rows);
        let count_width = if left_over > 0 { 4 } else { 0 };

        if let Some(line) = lines.last_mut() {
            let used = line_columns(line) + STATE_GAP + line_columns(part);
            let reserved = if is_last_row { count_width } else { 0 };
            if used + reserved <= width {
                append(line, part.clone(), "  ");
                placed += 1;
                continue;
            }
        }
        if is_last_row {
            break;
        }
        lines.push(part.clone());
        placed += 1;
    }

    let hidden = parts.len() - placed;
    if hidden > 0
        && let Some(last_line) = lines.last_mut()
    {
        append_count(last_line, hidden, width);
    }
    lines
}

/// Adds the number of hidden parts to a line. The last visible word is cut if the number needs its columns.
fn append_count(line: &mut Line<'static>, hidden: usize, width: u16) {
    let count = format!("+{hidden}");
    let room = width.saturating_sub(columns(&count) + 1);

    if line_columns(line) > room
        && let Some(span) = line.spans.last_mut()
    {
        let word_columns = columns(&span.content);
        let excess = word_columns.saturating_sub(room).max(1);
        let kept = word_columns.saturating_sub(excess);
        let text = if kept >= LEAST_CUT_WORD {
            fit_with_marker(&span.content, kept.into(), CUT).into_owned()
        } else {
            String::new()
        };
        span.content = text.into();
    }

    append(line, Line::raw(count), " ");
}
