//! The stack of dialogs: opening and closing them, their drafts, and the filter.

use crate::app::notice::Notice;
use crate::app::state::{FilterOrigin, Panel, ScreenState, Tab};
use crate::dialog::{Dialog, DialogAction, DialogEvent, filter_line};
use tableside_commands::ParseError;
use tableside_table::{Act, SeatView};

/// The maximum number of drafts. The oldest one is dropped first.
const MAX_DRAFTS: usize = 50;

impl ScreenState {
    /// Passes an event to the topmost dialog.
    pub(crate) fn send_to_dialog(
        &mut self,
        event: &DialogEvent,
        view: &SeatView<'_>,
    ) -> DialogAction {
        let Some(dialog) = self.layers.last_mut() else {
            return DialogAction::Stay;
        };

        if let Some(roll) = dialog.spec.unfinished_roll() {
            self.by_hand.insert(roll, dialog.spec.rolls_by_hand());
        }
        match dialog.handle(event, view) {
            DialogAction::Close => {
                self.close_keeping_draft(view);
                DialogAction::Stay
            }
            DialogAction::Open(dialog) => self.open(*dialog),
            DialogAction::Filter { text, is_done } => {
                self.take_filter(text, is_done, view);
                DialogAction::Stay
            }
            DialogAction::Choose(chosen) => {
                self.layers.pop();
                self.choose(chosen, view)
            }
            action => action,
        }
    }

    /// Opens a dialog on top of the others. A draft of the same form fills its rows.
    pub(crate) fn open(&mut self, mut dialog: Dialog) -> DialogAction {
        let draft = self
            .drafts
            .iter()
            .position(|draft| dialog.is_source_of(draft));
        if let Some(place) = draft {
            dialog.restore(self.drafts.remove(place));
        }

        if let Some(roll) = dialog.spec.unfinished_roll()
            && let Some(by_hand) = self.by_hand.get(&roll)
        {
            dialog.spec.set_by_hand(*by_hand, &mut dialog.form);
        }
        self.layers.push(dialog);
        DialogAction::Stay
    }

    /// Opens the dialog, or shows the reason if the dialog is `None`.
    pub(crate) fn open_or(&mut self, dialog: Option<Dialog>, reason: &str) -> DialogAction {
        self.open_or_show(dialog.ok_or(reason))
    }

    /// Opens the dialog, or shows why it could not be made.
    pub(crate) fn open_or_show(&mut self, dialog: Result<Dialog, impl ToString>) -> DialogAction {
        match dialog {
            Ok(dialog) => self.open(dialog),
            Err(reason) => self.refuse(reason.to_string()),
        }
    }

    /// Submits the act, or shows why it could not be built.
    pub(super) fn submit_or_show(&mut self, act: Result<Act, ParseError>) -> DialogAction {
        match act {
            Ok(act) => act.into(),
            Err(error) => self.refuse(error.to_string()),
        }
    }

    /// Shows why an action was refused.
    pub(crate) fn refuse(&mut self, reason: impl Into<String>) -> DialogAction {
        let reason = reason.into();
        let reason = self.key_names().fill_in(reason).into_owned();
        self.warn(reason);
        DialogAction::Stay
    }

    /// Shows a message on the bottom line.
    pub(crate) fn inform(&mut self, message: impl Into<String>) {
        self.notice = Some(Notice::plain(message));
    }

    /// Shows a warning on the bottom line.
    pub(crate) fn warn(&mut self, message: impl Into<String>) {
        self.notice = Some(Notice::warning(message));
    }

    /// Closes the topmost dialog. The dialog beneath reads the table again.
    pub(crate) fn close_dialog(&mut self, view: &SeatView<'_>) {
        self.layers.pop();
        if let Some(beneath) = self.layers.last_mut() {
            beneath.on_change(view);
        }
    }

    /// Closes the topmost dialog and keeps its typed values as a draft.
    fn close_keeping_draft(&mut self, view: &SeatView<'_>) {
        let draft = self.layers.last().and_then(Dialog::draft);
        self.close_dialog(view);

        let Some(draft) = draft else { return };
        self.inform(format!("draft saved: {}", draft.title));
        self.drafts.push(draft);
        let excess = self.drafts.len().saturating_sub(MAX_DRAFTS);
        self.drafts.drain(..excess);
    }

    /// Updates a form whose draft was just restored.
    pub(super) fn refresh_restored_draft(&mut self, view: &SeatView<'_>) {
        if let Some(dialog) = self.layers.last_mut()
            && dialog.has_restored_draft
        {
            dialog.has_restored_draft = false;
            dialog.on_change(view);
        }
    }

    /// Opens the filter line. On the table it switches to the log and filters that.
    pub(super) fn open_filter(&mut self) -> DialogAction {
        if self.tab == Tab::Table {
            self.filter_origin = Some(FilterOrigin {
                tab: self.tab,
                log_filter: self.log.filter().to_owned(),
            });
            self.tab = Tab::Log;
        }

        let placeholder = match self.tab {
            Tab::Log => "words, or who:mira check:skill outcome:fail die:d6 scene:well",
            _ => "part of a name",
        };
        self.open(filter_line(self.filter(), placeholder))
    }

    /// Filters the dialog beneath the filter line, or else the tab. `is_done` closes the filter line.
    fn take_filter(&mut self, text: String, is_done: bool, view: &SeatView<'_>) {
        let is_log_filter_unchanged = match &self.filter_origin {
            Some(origin) => origin.log_filter == text,
            None => false,
        };
        let leads_back = is_done && (text.is_empty() || is_log_filter_unchanged);

        match self.layers.iter_mut().rev().nth(1) {
            Some(beneath) => beneath.filter(text, view),
            None => self.set_filter(text),
        }
        if is_done {
            self.layers.pop();
        }
        if leads_back && self.is_browsing() {
            self.return_from_filter();
        }
    }

    /// Goes back to the tab that was open before a filter led to the log.
    pub(super) fn return_from_filter(&mut self) {
        let origin = self.filter_origin.take();
        if let Some(origin) = origin
            && self.tab == Tab::Log
        {
            self.tab = origin.tab;
        }
    }

    /// Goes to a tab. On the table the party panel becomes active.
    pub(crate) fn go_to_tab(&mut self, tab: Tab) {
        if tab == Tab::Table {
            self.panel = Panel::Party;
        }
        self.tab = tab;
    }
}
