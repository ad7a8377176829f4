//! Drafts: values that were typed into a dialog before it was closed. They are restored when the dialog opens again.

use crate::dialog::Dialog;
use crate::dialog::form::{Form, Row, RowId};

/// Values that were typed into a dialog and not submitted.
#[derive(Debug)]
pub struct Draft {
    pub title: String,
    /// The id of the first row, which distinguishes forms with the same title.
    first_row: Option<RowId>,
    changed_rows: Vec<Row>,
}

impl Dialog {
    /// Returns the values that would be lost if the dialog closed. `None` if there are no such values.
    pub fn draft(&self) -> Option<Draft> {
        let changed_rows: Vec<Row> = self.form.changed().cloned().collect();
        if !self.form.has_preview || changed_rows.is_empty() {
            return None;
        }

        Some(Draft {
            title: self.form.title.clone(),
            first_row: first_row(&self.form),
            changed_rows,
        })
    }

    /// Returns true if the draft was typed into a dialog of this kind.
    pub fn is_source_of(&self, draft: &Draft) -> bool {
        self.form.has_preview
            && self.form.title == draft.title
            && first_row(&self.form) == draft.first_row
    }

    /// Restores the values of a draft, and moves the focus to the first changed row.
    pub fn restore(&mut self, draft: Draft) {
        let form = &mut self.form;
        let first_changed = draft.changed_rows.first().map(|row| row.id);

        for mut draft_row in draft.changed_rows {
            draft_row.entry.expect_new_digits();
            match form.shown_row_mut(draft_row.id) {
                Some(row) => draft_row.entry.carry_into(&mut row.entry),
                None => form.hidden_rows.push(draft_row),
            }
        }
        if let Some(first_changed) = first_changed {
            form.focus_row(first_changed);
        }

        form.is_reading = false;
        form.caption.note.clear();
        form.caption.is_draft = true;
        self.has_restored_draft = true;
    }
}

fn first_row(form: &Form) -> Option<RowId> {
    form.rows.first().map(|row| row.id)
}
