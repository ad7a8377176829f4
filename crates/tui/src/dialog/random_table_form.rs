//! The form in which a random table is written, a row on each line.

use crate::dialog::{Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId};
use crate::{Action, Context};
use tableside_game::{LONGEST_NAME, RandomTable, table_file_name};
use tableside_table::SeatView;

/// The longest line, in characters.
const LONGEST_LINE: usize = 500;

/// The rows above the lines: the name, and whether players see rolls.
const HEADER_ROWS: usize = 2;

/// The form of a table. `file_name` is `None` for a new one.
struct TableForm {
    file_name: Option<String>,
}

/// What the form shows when it opens.
#[derive(Default)]
struct TableText {
    title: String,
    is_shown: bool,
    lines: Vec<String>,
}

/// A form for a new table.
pub(super) fn new_table_form(view: &SeatView<'_>) -> Dialog {
    let text = TableText {
        lines: vec![String::new()],
        ..TableText::default()
    };
    open("New random table", &text, None, view)
}

/// A form with the rows of a table.
pub(super) fn edit_table_form(table: &RandomTable, view: &SeatView<'_>) -> Dialog {
    let is_own_field = |line: &str| line.starts_with('#') || line == "hidden: no";
    let written = table.to_lines();
    let lines = written.lines().filter(|line| !is_own_field(line));
    let text = TableText {
        title: table.title.clone(),
        is_shown: table.hidden == Some(false),
        lines: lines.map(str::to_owned).collect(),
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
            .help("Otherwise only you see them, and v in the list shows a single roll."),
    ];
    let named = &[Action::Submit, Action::NewLine, Action::Editor];
    let form = Form::new(form_title, rows).wide();
    let mut form = form.with_context(Context::TableRows, named);
    lay_out_lines(&mut form, &text.lines, 0);
    form.focus_index(0);
    Dialog::new(form, TableForm { file_name }, view)
}

/// Replaces the lines of the form and moves the focus to one of them.
fn lay_out_lines(form: &mut Form, lines: &[String], focus: usize) {
    form.rows.truncate(HEADER_ROWS);
    for (index, line) in (0_u32..).zip(lines) {
        let label = format!("Line {}", index + 1);
        let row = Row::text(RowId::Nth("line", index), label, line, LONGEST_LINE)
            .hint("2-8 An empty road   or   2d6 goblins [[weather]]")
            .help("With totals (2-8, 01-50, 12+) or none; 3x gives weight 3; [[weather]] rolls on that table.");
        form.rows.push(row);
    }
    form.focus_index(HEADER_ROWS + focus);
}

fn lines_of(form: &Form) -> Vec<String> {
    form.rows.iter().skip(HEADER_ROWS).map(Row::value).collect()
}

/// The index of the line in focus. `None` while the focus is above the lines.
fn focused_line(form: &Form) -> Option<usize> {
    form.focus.checked_sub(HEADER_ROWS)
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
                let after = lines.split_off(line + 1);
                if lines[line].is_empty() {
                    lines.pop();
                }
                lines.extend(text.lines().map(str::to_owned));
                let last = lines.len() - 1;
                lines.extend(after);
                lay_out_lines(form, &lines, last);
            }
            (DialogEvent::Action(Action::Editor), _) => {
                return Some(DialogAction::Write(lines.join("\n")));
            }
            (DialogEvent::Written(text), _) => {
                let text = text.trim_end();
                let written: Vec<String> = text.split('\n').map(str::to_owned).collect();
                lay_out_lines(form, &written, written.len() - 1);
            }
            _ => return None,
        }
        form.problem = None;
        Some(DialogAction::Stay)
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let title = form.text("title");
        let file_name = self.file_name.clone();
        let name = file_name.unwrap_or_else(|| table_file_name(&title));

        let mut table = RandomTable::from_lines(&name, &lines_of(form).join("\n"))?;
        table.title = title;
        table.hidden = if form.is_on("shown") {
            Some(false)
        } else {
            table.hidden
        };
        let tables = view.random_tables();
        tables.check_links(&table)?;

        if self.file_name.is_none() && tables.tables.iter().any(|known| known.name == name) {
            return Err(format!(
                "there is a table {name} already; give this one another name"
            ));
        }
        Ok(DialogAction::SaveTable {
            name,
            text: table.to_toml(),
        })
    }
}
