//! The form that writes a random table. Each line is a row of the table.

use crate::dialog::{Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId};
use crate::{Action, Context};
use tableside_game::{LONGEST_NAME, RandomTable, table_file_name};
use tableside_table::SeatView;

/// The maximum length of a line, in characters.
const MAX_LINE_CHARS: usize = 500;

/// The rows above the lines: the name, and whether players see rolls.
const HEADER_ROWS: usize = 2;

struct TableForm {
    /// The name of the table's file. `None` for a new table.
    file_name: Option<String>,
}

/// The contents of the form when it opens.
#[derive(Default)]
struct TableText {
    title: String,
    is_shown: bool,
    lines: Vec<String>,
}

/// Returns the form for a new table.
pub(super) fn new_table_form(view: &SeatView<'_>) -> Dialog {
    let text = TableText {
        lines: vec![String::new()],
        ..TableText::default()
    };
    open("New random table", &text, None, view)
}

/// Returns the form with the rows of a table.
pub(super) fn edit_table_form(table: &RandomTable, view: &SeatView<'_>) -> Dialog {
    let mut lines = Vec::new();
    for line in table.to_lines().lines() {
        // The title and the visibility have rows of their own.
        if !line.starts_with('#') && line != "hidden: no" {
            lines.push(line.to_owned());
        }
    }
    let text = TableText {
        title: table.title.clone(),
        is_shown: table.hidden == Some(false),
        lines,
    };
    let form_title = format!("Edit {}", table.title);
    open(&form_title, &text, Some(table.name.clone()), view)
}

fn open(
    form_title: &str,
    text: &TableText,
    file_name: Option<String>,
    view: &SeatView<'_>,
) -> Dialog {
    let rows = vec![
        Row::text("title", "Name", &text.title, LONGEST_NAME)
            .needed()
            .hint("On the road"),
        Row::flag("shown", "Players see rolls", text.is_shown)
            .help("If not, only you see them. ⟨random-tables.visibility⟩ in the list shows a single roll."),
    ];
    let hints = &[Action::Submit, Action::NewLine, Action::Editor];
    let form = Form::new(form_title, rows).wide();
    let mut form = form.with_context(Context::TableRows, hints);
    lay_out_lines(&mut form, &text.lines, 0);
    form.focus_index(0);
    Dialog::new(form, TableForm { file_name }, view)
}

/// Replaces the lines of the form, and moves the focus to the line with this index.
fn lay_out_lines(form: &mut Form, lines: &[String], focus: usize) {
    form.rows.truncate(HEADER_ROWS);
    for (index, line) in (0_u32..).zip(lines) {
        let label = format!("Line {}", index + 1);
        let row = Row::text(RowId::Nth("line", index), label, line, MAX_LINE_CHARS)
            .hint("2-8 An empty road   or   2d6 goblins [[weather]]")
            .help("Begin the line with its totals (2-8, 01-50, 12+), with 3x to make it three times as likely, or with neither. [[weather]] rolls on that table.");
        form.rows.push(row);
    }
    form.focus_index(HEADER_ROWS + focus);
}

fn lines_of(form: &Form) -> Vec<String> {
    form.rows.iter().skip(HEADER_ROWS).map(Row::value).collect()
}

/// Returns the index of the line in focus. `None` while the focus is above the lines.
fn focused_line(form: &Form) -> Option<usize> {
    form.focus.checked_sub(HEADER_ROWS)
}

/// Inserts pasted lines after a line. They replace the line if it is empty.
fn paste_lines(form: &mut Form, mut lines: Vec<String>, line: usize, text: &str) {
    let lines_below = lines.split_off(line + 1);
    if lines[line].is_empty() {
        lines.pop();
    }
    lines.extend(text.lines().map(str::to_owned));
    let last_pasted = lines.len() - 1;
    lines.extend(lines_below);
    lay_out_lines(form, &lines, last_pasted);
}

/// Replaces all lines by a text that was written in $EDITOR.
fn replace_lines(form: &mut Form, text: &str) {
    let lines: Vec<String> = text.trim_end().split('\n').map(str::to_owned).collect();
    lay_out_lines(form, &lines, lines.len() - 1);
}

impl DialogSpec for TableForm {
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        form.rows.append(&mut form.hidden_rows);
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let mut lines = lines_of(form);
        match (event, focused_line(form)) {
            (DialogEvent::Action(Action::NewLine), None) => {
                form.focus_index(form.focus + 1);
            }
            (DialogEvent::Action(Action::NewLine), Some(line)) => {
                lines.insert(line + 1, String::new());
                lay_out_lines(form, &lines, line + 1);
            }
            (DialogEvent::Action(Action::DeleteBack), Some(line))
                if lines[line].is_empty() && lines.len() > 1 =>
            {
                lines.remove(line);
                lay_out_lines(form, &lines, line.saturating_sub(1));
            }
            (DialogEvent::Paste(text), Some(line)) if text.trim_end().contains('\n') => {
                paste_lines(form, lines, line, text);
            }
            (DialogEvent::Action(Action::Editor), _) => {
                return Some(DialogAction::Write(lines.join("\n")));
            }
            (DialogEvent::Written(text), _) => replace_lines(form, text),
            _ => return None,
        }
        form.problem = None;
        Some(DialogAction::Stay)
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let title = form.text("title");
        let name = match &self.file_name {
            Some(name) => name.clone(),
            None => table_file_name(&title),
        };

        let mut table = RandomTable::from_lines(&name, &lines_of(form).join("\n"))?;
        table.title = title;
        if form.is_on("shown") {
            table.hidden = Some(false);
        }

        let tables = view.random_tables();
        tables.check_links(&table)?;
        let is_name_taken = tables.tables.iter().any(|other| other.name == name);
        if self.file_name.is_none() && is_name_taken {
            return Err(format!(
                "there is already a table {name}; choose another name"
            ));
        }
        Ok(DialogAction::SaveTable {
            name,
            text: table.to_toml(),
        })
    }
}
