//! Actions on entries of the log, on its folds, and on the log as a whole.

use crate::Action;
use crate::app::offered::may_repeat;
use crate::app::state::{ScreenState, Tab};
use crate::dialog::{
    AmendDialog, DialogAction, ExplainDialog, OpenedFrom, RollDialog, export_form, note_form,
    statistics_form, strike_form,
};
use tableside_table::SeatView;

impl ScreenState {
    /// Performs an action of the log.
    pub(super) fn act_on_log(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        if self.tab == Tab::Log
            && let Some(result) = self.act_on_fold(action)
        {
            return result;
        }

        let number = self.entry();
        match action {
            Action::New | Action::NoteAbout => self.open(note_form(number, None, view)),
            Action::Statistics => self.open(statistics_form(view)),
            Action::Export => {
                let has_filter = !self.log.filter().is_empty();
                self.open(export_form(has_filter, view))
            }
            Action::Mark => self.refuse("log entries cannot be marked"),
            action => match number {
                Some(number) if view.entry(number).is_some() => {
                    self.act_on_entry(action, number, view)
                }
                _ => self.refuse("no entry is selected"),
            },
        }
    }

    /// Performs an action of the entry under the cursor.
    fn act_on_entry(&mut self, action: Action, number: u64, view: &SeatView<'_>) -> DialogAction {
        match action {
            Action::UndoEntry | Action::Delete if view.is_struck(number) => {
                self.refuse("this entry is already undone")
            }
            Action::UndoEntry | Action::Delete => {
                let tag = view.tag(number);
                self.open(strike_form(number, &tag, view))
            }
            Action::Explain | Action::Open => {
                self.open(ExplainDialog::open(number, OpenedFrom::Log, view))
            }
            Action::Repeat | Action::Duplicate => {
                let dialog = if may_repeat(number, view) {
                    RollDialog::again(number, false, view)
                } else {
                    None
                };
                let reason = "only rolls can be made again, and players can repeat only their own";
                self.open_or(dialog, reason)
            }
            Action::Amend => self.open_or_show(AmendDialog::open(number, view)),
            _ => DialogAction::Stay,
        }
    }

    /// Performs an action on the fold of the log under the cursor. `None` if the line is no fold, or if the action is
    /// about the log as a whole or about the fold's own entry.
    fn act_on_fold(&mut self, action: Action) -> Option<DialogAction> {
        self.log.selected_line()?.fold()?;
        match action {
            Action::Explain | Action::Open => {
                self.log.toggle_fold();
                Some(DialogAction::Stay)
            }
            Action::UndoEntry | Action::Delete | Action::Amend => {
                let key = self.key(Action::Explain);
                let message = format!("this row has several entries; {key} shows them");
                Some(self.refuse(message))
            }
            _ => None,
        }
    }
}
