//! The list of random tables, in which tables are searched, rolled on, created, edited and deleted.

use crate::dialog::random_table_form::{edit_table_form, new_table_form};
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId,
    ask_default_yes, filter_line,
};
use crate::{Action, Context, Role};
use std::sync::Arc;
use tableside_commands::roll_on_table;
use tableside_game::{RandomTable, RandomTables, TableRow, TableSource};
use tableside_table::SeatView;
use tableside_text::{fold, pluralise};

/// With fewer rows than this, the list shows more rows of a table instead of the help about keys.
const LOW: u16 = 16;

/// The list of random tables, with the rows of the table under the cursor.
struct RandomTablesDialog {
    tables: Arc<RandomTables>,
}

/// Opens the list of the tables that a seat can roll on. The cursor is on the first existing table among these names.
pub fn random_tables_form(names: &[String], view: &SeatView<'_>) -> Dialog {
    let form = Form::empty("Random tables").wide();
    let form = form.with_context(Context::RandomTables, &[]);
    let spec = RandomTablesDialog {
        tables: view.random_tables(),
    };
    let focus = names.iter().find_map(|name| spec.row_of(name));

    let mut dialog = Dialog::new(form, spec, view);
    if let Some(focus) = focus {
        dialog.form.focus_row(focus);
    }
    dialog
}

/// Returns the name of the next table in the list, or of the previous table if this is the last.
pub fn neighbour_of_table(name: &str, view: &SeatView<'_>) -> Option<String> {
    let tables = view.random_tables();
    let mut sorted: Vec<&RandomTable> = tables.tables.iter().collect();
    sorted.sort_by_key(|table| fold(&table.title));

    let place = sorted.iter().position(|table| table.name == name)?;
    let neighbour = sorted
        .get(place + 1)
        .or_else(|| sorted.get(place.checked_sub(1)?))?;
    Some(neighbour.name.clone())
}

impl RandomTablesDialog {
    /// Returns the table under the cursor.
    fn focused(&self, form: &Form) -> Option<&RandomTable> {
        let focused = form.focused()?;
        let mut tables = (0_u32..).zip(&self.tables.tables);
        let (_, table) = tables.find(|(index, _)| id_of(*index) == focused)?;
        Some(table)
    }

    fn row_of(&self, name: &str) -> Option<RowId> {
        let mut tables = (0_u32..).zip(&self.tables.tables);
        let (index, _) = tables.find(|(_, table)| table.name == name)?;
        Some(id_of(index))
    }

    fn rows(&self, search: &str) -> Vec<Row> {
        let search = fold(search);
        let mut rows = Vec::new();
        for (index, table) in (0_u32..).zip(&self.tables.tables) {
            let text = format!("{} {}", table.title, table.name);
            if fold(&text).contains(&search) {
                let count = pluralise(table.rows.len(), "row");
                let about = format!("{}, {count}", table.dice);
                let row = Row::item(id_of(index), table.title.clone(), about);
                rows.push(row.beside(describe_source(table).to_owned()));
            }
        }
        rows.sort_by_key(|row| fold(&row.label));
        rows
    }
}

/// Rolls on a table. The list stays open under the result.
fn roll_on(table: &RandomTable, is_hidden: bool, view: &SeatView<'_>) -> DialogAction {
    DialogAction::Submit(roll_on_table(table, is_hidden, view))
}

fn ask_to_delete(table: &RandomTable, form: &mut Form) -> DialogAction {
    if table.is_included() {
        let problem = "this table comes with Tableside; ⟨open⟩ makes your own copy of it";
        form.problem = Some(problem.to_owned());
        return DialogAction::Stay;
    }

    let question = format!(
        "Delete the table {}? Undo does not restore it.",
        table.title
    );
    let delete = DialogAction::DeleteTable(table.name.clone());
    DialogAction::interpose(ask_default_yes(question, delete))
}

fn id_of(index: u32) -> RowId {
    RowId::Nth("random table", index)
}

fn describe_source(table: &RandomTable) -> &'static str {
    match table.source {
        TableSource::Own => "yours",
        TableSource::Included(_) => "included",
    }
}

/// Returns a row of a table as a block: its totals, its text and the tables that it rolls on.
fn row_block(row: &TableRow) -> Block {
    let mut text = row.text.clone();
    for table in &row.roll {
        text.push_str(" → ");
        text.push_str(table);
    }
    let totals = format!("{:<7}", row.totals());
    Block::led(Role::Text, totals, text)
}

impl DialogSpec for RandomTablesDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        use Action::{Delete, Filter, New, Open, RollNow, Visibility};

        self.tables = view.random_tables();
        form.lay_out(self.rows(&form.caption.filter));
        form.empty_text = if form.caption.filter.is_empty() {
            "There are no random tables. ⟨new⟩ makes one."
        } else {
            "No table matches."
        };
        form.keys.hinted_actions = if form.rows.is_empty() {
            &[New, Filter]
        } else {
            &[RollNow, Visibility, New, Open, Delete, Filter]
        };
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let action = event.try_as_action_ref()?;
        form.problem = None;
        let focused = self.focused(form).cloned();
        match (action, focused) {
            (Action::Filter, _) => {
                let line = filter_line(&form.caption.filter, "part of a name");
                Some(DialogAction::open(line))
            }
            (Action::Close, _) if !form.caption.filter.is_empty() => {
                form.caption.filter.clear();
                Some(DialogAction::Stay)
            }
            (Action::New, _) => Some(DialogAction::interpose(new_table_form(view))),
            (Action::RollNow, Some(table)) => {
                Some(roll_on(&table, self.tables.is_hidden(&table), view))
            }
            (Action::Visibility, Some(table)) => {
                Some(roll_on(&table, !self.tables.is_hidden(&table), view))
            }
            (Action::Open, Some(table)) => {
                let dialog = edit_table_form(&table, view);
                Some(DialogAction::interpose(dialog))
            }
            (Action::Delete, Some(table)) => Some(ask_to_delete(&table, form)),
            _ => None,
        }
    }

    fn blocks(&self, form: &Form, _view: &SeatView<'_>, canvas: &Canvas<'_>) -> Vec<Block> {
        let mut blocks = Vec::new();
        if let Some(table) = self.focused(form) {
            let key_help = if self.tables.is_hidden(table) {
                "⟨roll-now⟩ rolls for you alone; ⟨visibility⟩ rolls for everyone to see."
            } else {
                "⟨roll-now⟩ rolls for everyone to see; ⟨visibility⟩ rolls for you alone."
            };
            // On a low screen, only the line of keys names the keys.
            if canvas.area.height >= LOW {
                blocks.push(Block::muted(canvas.keys.fill_in(key_help)));
            }
            blocks.extend(table.rows.iter().map(row_block));
        }
        for broken in &self.tables.broken {
            blocks.push(Block::words(Role::Warning, broken.to_string()));
        }
        blocks
    }
}
