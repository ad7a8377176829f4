//! The list of random tables, and changes of their files.

use crate::Screen;
use crate::dialog::{neighbour_of_table, random_tables_form, table_result_dialog};
use tableside_table::Entry;

impl Screen {
    /// Reads the files of random tables and opens the list, with the cursor on the first of these tables that exists.
    pub(super) fn show_tables(&mut self, names: &[String]) {
        self.table.read_random_tables();
        let list = self.read_view(|view| random_tables_form(names, &view));
        self.state.open(list);
    }

    pub(super) fn save_table(&mut self, name: String, text: &str) {
        let result = match &self.setup.memory {
            Some(memory) => memory.save_table(&name, text, true),
            None => Err("random tables can only be saved at the host".to_owned()),
        };
        self.after_table_change(result, &[name]);
    }

    pub(super) fn delete_table(&mut self, name: String) {
        let result = match &self.setup.memory {
            Some(memory) => memory.delete_table(&name),
            None => Err("random tables can only be deleted at the host".to_owned()),
        };

        let neighbour = self.with_view(|_, view| neighbour_of_table(&name, view));
        // A deleted copy of an included table leaves the included one.
        let names: Vec<String> = std::iter::once(name).chain(neighbour).collect();
        self.after_table_change(result, &names);
    }

    /// Replaces the topmost dialog by the updated list of tables, or shows why the change failed.
    fn after_table_change(&mut self, result: Result<(), String>, names: &[String]) {
        match result {
            Ok(()) => {
                self.state.layers.pop();
                self.show_tables(names);
            }
            Err(reason) => self.refuse(&reason),
        }
    }

    /// Opens the result of a roll on a random table on top of the other dialogs, in place of the message about it.
    pub(super) fn show_table_result(&mut self, entry: &Entry) {
        let result = self.with_view(|_, view| table_result_dialog(entry, view));
        if let Some(dialog) = result {
            self.state.notice = None;
            self.state.open(dialog);
        }
    }
}
