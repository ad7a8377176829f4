//! The list of random tables, and changes of their files.

use crate::Screen;
use crate::dialog::random_tables_form;

impl Screen {
    /// Reads the files of random tables and opens the list of tables.
    pub(super) fn show_tables(&mut self) {
        self.table.read_random_tables();
        let list = self.with_view(|_, view| random_tables_form(view));
        self.state.open(list);
    }

    pub(super) fn save_table(&mut self, name: &str, text: &str) {
        let result = match &self.setup.memory {
            Some(memory) => memory.save_table(name, text, true),
            None => Err("random tables can only be saved at the host".to_owned()),
        };
        self.after_table_change(result);
    }

    pub(super) fn delete_table(&mut self, name: &str) {
        let result = match &self.setup.memory {
            Some(memory) => memory.delete_table(name),
            None => Err("random tables can only be deleted at the host".to_owned()),
        };
        self.after_table_change(result);
    }

    /// Replaces the topmost dialog by the updated list of tables, or shows why the change failed.
    fn after_table_change(&mut self, result: Result<(), String>) {
        match result {
            Ok(()) => {
                self.state.layers.pop();
                self.show_tables();
            }
            Err(reason) => self.refuse(&reason),
        }
    }
}
