//! What was typed into a form is kept when it is left, and there again when it is opened.

use crate::dialog::form::{Form, Row, RowId};

/// What was typed into a form before it was left.
#[derive(Debug)]
pub struct Draft {
    pub title: String,
    /// The first row of the form, which tells it from others of that title.
    first: Option<RowId>,
    /// What somebody changed.
    rows: Vec<Row>,
}

impl Form {
    /// What was typed into it and would be lost; none where nothing was changed, or where the form submits nothing.
    pub fn draft(&self) -> Option<Draft> {
        let rows: Vec<Row> = self.changed().cloned().collect();
        let (title, first) = (self.title.clone(), self.first_id());
        (self.has_preview && !rows.is_empty()).then_some(Draft { title, first, rows })
    }

    /// Whether the draft is of this form.
    pub fn is_source_of(&self, draft: &Draft) -> bool {
        self.has_preview && self.title == draft.title && self.first_id() == draft.first
    }

    /// Goes on with what was typed before.
    pub fn restore(&mut self, draft: Draft) {
        let first_changed = draft.rows.first().map(|row| row.id);
        for mut row in draft.rows {
            row.entry.freshen();
            match self.row_mut(row.id) {
                Some(known) => row.entry.carry_into(&mut known.entry),
                None => self.spare.push(row),
            }
        }
        if let Some(first_changed) = first_changed {
            self.focus_row(first_changed);
        }
        self.is_taken_up = true;
        self.is_reading = false;
        "draft".clone_into(&mut self.note);
    }

    fn first_id(&self) -> Option<RowId> {
        self.rows.first().map(|row| row.id)
    }
}
