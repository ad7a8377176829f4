//! A text of several lines in a form, with a row for each line.

use crate::Action;
use crate::dialog::{DialogAction, DialogEvent, Form, Row, RowId};
use crate::widget::Field;
use tableside_text::join;

/// The id of the rows of lines, which are numbered from 0.
const LINE: &str = "line";

/// A text of several lines. Its rows come before all other rows of the form.
pub(super) struct TextLines {
    /// The label of the first line.
    pub(super) label: &'static str,
    /// The hint while the first line is empty.
    pub(super) hint: &'static str,
    pub(super) help: &'static str,
    /// The maximum length of a line, in characters.
    pub(super) longest: usize,
    /// True if the text may not stay empty.
    pub(super) is_needed: bool,
}

fn is_line(row: &Row) -> bool {
    matches!(row.id, RowId::Nth(LINE, _))
}

fn line_number(row: &Row) -> Option<u32> {
    match row.id {
        RowId::Nth(LINE, number) => Some(number),
        _ => None,
    }
}

/// Returns the text in the lines of a form.
pub(super) fn text_of(form: &Form) -> String {
    let lines = form
        .rows
        .iter()
        .filter(|row| is_line(row))
        .map(|row| row.entry.text().trim_end().to_owned());
    join(lines, "\n").trim_end().to_owned()
}

/// Removes all line rows from the form and returns them.
fn take_lines(form: &mut Form) -> Vec<Row> {
    let (lines, others) = std::mem::take(&mut form.rows)
        .into_iter()
        .partition(is_line);
    form.rows = others;
    lines
}

impl TextLines {
    /// Returns the rows of a text, for a new form.
    pub(super) fn rows(&self, text: &str) -> Vec<Row> {
        let mut rows: Vec<Row> = (0..)
            .zip(text.lines())
            .map(|(number, line)| self.row(number, line))
            .collect();
        if rows.is_empty() {
            rows.push(self.row(0, ""));
        }
        rows
    }

    /// Returns the current rows of the lines, to be laid out again. Lines of a restored draft come from the hidden
    /// rows.
    pub(super) fn rows_again(&self, form: &Form) -> Vec<Row> {
        let rows = form.rows.iter().chain(&form.hidden_rows);
        let last_line = rows.filter_map(line_number).max().unwrap_or(0);
        (0..=last_line).map(|number| self.row(number, "")).collect()
    }

    fn row(&self, number: u32, line: &str) -> Row {
        let label = if number == 0 { self.label } else { "" };
        let row = Row::text(RowId::Nth(LINE, number), label, line, self.longest).help(self.help);
        match number {
            0 if self.is_needed => row.needed().hint(self.hint),
            0 => row.hint(self.hint),
            _ => row,
        }
    }

    /// Inserts the lines before the other rows, renumbers them, and moves the focus to the line with this index.
    ///
    /// All lines count as changed then, so that a draft holds the whole text.
    fn put_back(&self, form: &mut Form, lines: Vec<Row>, focus: usize) {
        let others = std::mem::take(&mut form.rows);
        for (number, line) in (0..).zip(lines) {
            let mut row = self.row(number, "");
            row.entry = line.entry;
            row.mark_as_changed();
            form.rows.push(row);
        }
        form.rows.extend(others);
        form.hidden_rows.retain(|row| !is_line(row));
        form.focus_index(focus);
    }

    /// Handles an event that changes the number of lines. Returns `None` for other events.
    pub(super) fn handle(&self, event: &DialogEvent, form: &mut Form) -> Option<DialogAction> {
        let is_line_focused = form.rows.get(form.focus).is_some_and(is_line);
        let focused_line = is_line_focused.then_some(form.focus);

        match (event, focused_line) {
            (DialogEvent::Action(Action::NewLine), line) => self.begin_line(form, line),
            (DialogEvent::Action(Action::DeleteBack), Some(line)) if line > 0 => {
                if !is_at_start(&form.rows[line]) {
                    return None;
                }
                self.join_with_line_before(form, line);
            }
            (DialogEvent::Paste(text), Some(line)) if text.trim_end().contains('\n') => {
                self.paste_lines(form, line, text);
            }
            (DialogEvent::Action(Action::Editor), _) => {
                return Some(DialogAction::Write(text_of(form)));
            }
            (DialogEvent::Written(text), _) => {
                take_lines(form);
                let rows = self.rows(text.trim_end());
                let last = rows.len() - 1;
                self.put_back(form, rows, last);
            }
            _ => return None,
        }
        form.problem = None;
        Some(DialogAction::Stay)
    }

    /// Splits a line at the cursor. Without a focused line, adds one at the end.
    fn begin_line(&self, form: &mut Form, focused_line: Option<usize>) {
        let mut lines = take_lines(form);
        let new_line = match focused_line {
            Some(line) => line + 1,
            None => lines.len(),
        };

        let mut moved_text = String::new();
        if let Some(line) = focused_line
            && let Some(row) = lines.get_mut(line)
            && let Some(field) = row.entry.try_as_text_mut()
        {
            moved_text = field.split_off_at_cursor();
        }

        let mut row = self.row(0, &moved_text);
        if let Some(field) = row.entry.try_as_text_mut() {
            field.apply(Action::LineStart);
        }
        lines.insert(new_line, row);
        self.put_back(form, lines, new_line);
    }

    fn join_with_line_before(&self, form: &mut Form, line: usize) {
        let mut lines = take_lines(form);
        let removed = lines.remove(line);
        if let Some(field) = lines[line - 1].entry.try_as_text_mut() {
            field.append(&removed.entry.text());
        }
        self.put_back(form, lines, line - 1);
    }

    fn paste_lines(&self, form: &mut Form, line: usize, text: &str) {
        let mut lines = take_lines(form);
        let mut pasted = text.trim_end().lines();
        if let Some(field) = lines[line].entry.try_as_text_mut() {
            field.paste(pasted.next().unwrap_or_default());
        }

        let mut last = line;
        for words in pasted {
            last += 1;
            lines.insert(last, self.row(0, words));
        }
        self.put_back(form, lines, last);
    }
}

fn is_at_start(row: &Row) -> bool {
    let field = row.entry.try_as_text_ref();
    field.is_some_and(Field::is_at_start)
}
