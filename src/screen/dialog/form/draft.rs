//! What was typed into a form is kept when it is left, and there again when it is opened.

use super::{Form, Id, Row};

/// What was typed into a form before it was left.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) title: String,
    /// The first row of the form, which tells it from others of that title.
    first: Option<Id>,
    /// What somebody changed.
    rows: Vec<Row>,
}

impl Form {
    /// What was typed into it and would be lost; none of a form that submits nothing, and of none that is as
    /// it was.
    pub(crate) fn draft(&self) -> Option<Draft> {
        let changed = self.changed().filter(|_| self.is_foreseen);
        let rows: Vec<Row> = changed.cloned().collect();
        let (title, first) = (self.title.clone(), self.first());
        (!rows.is_empty()).then_some(Draft { title, first, rows })
    }

    fn first(&self) -> Option<Id> {
        self.rows.first().map(|row| row.id)
    }

    /// Whether that was typed into it before.
    pub(crate) fn is_draft(&self, draft: &Draft) -> bool {
        self.is_foreseen && self.title == draft.title && self.first() == draft.first
    }

    /// Goes on with what was typed before.
    pub(crate) fn take_up(&mut self, draft: Draft) {
        let first = draft.rows.first().map(|row| row.id);
        for mut row in draft.rows {
            row.entry.freshen();
            match self.row_mut(row.id) {
                Some(known) => known.entry = row.entry,
                None => self.spare.push(row),
            }
        }
        if let Some(first) = first {
            self.go_to(first);
        }
        (self.is_taken_up, self.is_reading) = (true, false);
        "draft".clone_into(&mut self.note);
    }
}
