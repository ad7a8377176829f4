//! A dialog: a form together with a [`DialogSpec`], which implements the behaviour of one kind of dialog.

use ratatui::layout::Position;

use crate::app::action::Context;
use crate::dialog::form::Preview;
use crate::dialog::{Canvas, DialogAction, DialogEvent, DialogSpec, Form, FormResult, Row, RowId};
use tableside_game::{Command, CommandError};
use tableside_table::{Act, Entry, SeatView};

/// A form and its behaviour. It is drawn over the tabs.
pub struct Dialog {
    pub form: Form,
    pub spec: Box<dyn DialogSpec>,
    /// The dialog in whose place this one was opened. It returns when this one closes.
    previous: Option<Box<Self>>,
    /// True after a draft was restored, until the dialog is refreshed.
    pub has_restored_draft: bool,
}

/// The minimum and the maximum number of lines of a preview.
const PREVIEW_LINES: (u16, u16) = (1, 3);

/// The maximum number of commands that a preview evaluates.
const MAX_PREVIEWED_COMMANDS: usize = 20;

/// Returns a dialog with fixed rows.
pub(super) fn ask(
    title: impl Into<String>,
    rows: Vec<Row>,
    view: &SeatView<'_>,
    submit: impl Fn(&Form, &SeatView<'_>) -> Result<DialogAction, String> + Send + 'static,
) -> Dialog {
    ask_over(Form::new(title, rows), view, |_, _| {}, submit)
}

/// Returns a dialog whose form is refreshed after each input.
pub(super) fn ask_over(
    mut form: Form,
    view: &SeatView<'_>,
    refresh: impl Fn(&mut Form, &SeatView<'_>) + Send + 'static,
    submit: impl Fn(&Form, &SeatView<'_>) -> Result<DialogAction, String> + Send + 'static,
) -> Dialog {
    form.has_preview = true;
    Dialog::new(form, (refresh, submit), view)
}

impl Dialog {
    pub(super) fn new(form: Form, spec: impl DialogSpec + 'static, view: &SeatView<'_>) -> Self {
        let mut dialog = Self::without_view(form, spec);
        dialog.refresh(view);
        dialog
    }

    /// Returns a dialog that does not need the game to lay out its rows.
    pub(super) fn without_view(form: Form, spec: impl DialogSpec + 'static) -> Self {
        Self {
            form,
            spec: Box::new(spec),
            previous: None,
            has_restored_draft: false,
        }
    }

    /// Reserves lines beneath the rows for the preview.
    pub(super) fn with_preview_lines(mut self) -> Self {
        self.form.layout.lines_below = PREVIEW_LINES;
        self
    }

    /// Names the effect of Enter in the line of keys.
    pub(super) fn with_submit_label(mut self, label: &'static str) -> Self {
        self.form.enter.label = Some(label);
        self
    }

    /// Moves the focus to a row.
    pub(super) fn with_focus(mut self, id: impl Into<RowId>) -> Self {
        self.form.focus_row(id);
        self
    }

    /// Moves the focus to the row with this index.
    pub(super) fn with_focus_index(mut self, index: usize) -> Self {
        self.form.focus_index(index);
        self
    }

    /// Returns the contexts whose keys apply now, the most specific first.
    pub fn contexts(&self) -> &'static [Context] {
        let context = self.form.context();
        if self.form.takes_letters() {
            context.chain_of_text()
        } else {
            context.chain()
        }
    }

    /// Handles an event and returns the action for the screen.
    ///
    /// If the dialog was opened in the place of another dialog, `Close` returns to the other dialog.
    pub fn handle(&mut self, event: &DialogEvent, view: &SeatView<'_>) -> DialogAction {
        let action = self.handle_alone(event, view);

        match action {
            DialogAction::Close => {
                let Some(previous) = self.previous.take() else {
                    return DialogAction::Close;
                };
                *self = *previous;
                self.on_change(view);
                DialogAction::Stay
            }
            // Once the table has accepted the act, only this dialog closes.
            DialogAction::SubmitAndClose(act) | DialogAction::SubmitAndReturn(act)
                if self.previous.is_some() =>
            {
                DialogAction::Submit(act)
            }
            DialogAction::Replace(next) => {
                *self = *next;
                DialogAction::Stay
            }
            DialogAction::Interpose(next) => {
                let mut previous = std::mem::replace(self, *next);
                // Only one previous dialog is kept.
                previous.previous = None;
                self.previous = Some(Box::new(previous));
                DialogAction::Stay
            }
            action => action,
        }
    }

    /// Handles an event without regard to the previous dialog.
    fn handle_alone(&mut self, event: &DialogEvent, view: &SeatView<'_>) -> DialogAction {
        let form = &mut self.form;
        if form.intercept_while_reading(event) {
            return DialogAction::Stay;
        }

        let action = match self.spec.handle_event(event, form, view) {
            Some(action) => action,
            None => match form.handle(event) {
                FormResult::Cancelled => DialogAction::Close,
                FormResult::Submitted => self.submit(view),
                FormResult::Pressed(button) => self.spec.press(button, form, view),
                // A form without rows changes only with the game.
                FormResult::Unchanged if form.rows.is_empty() => return DialogAction::Stay,
                result => {
                    self.spec.on_input(result, form, view);
                    DialogAction::Stay
                }
            },
        };

        if matches!(action, DialogAction::Stay) {
            self.refresh(view);
        }
        action
    }

    fn refresh(&mut self, view: &SeatView<'_>) {
        let form = &mut self.form;
        form.preview = Preview::default();
        for row in &mut form.rows {
            row.problem = None;
        }

        self.spec.refresh(form, view);
        for row in &mut form.rows {
            if row.problem.is_none() {
                row.problem = row.number_problem();
            }
        }
        self.update_preview(view);

        let form = &mut self.form;
        if form.was_submitted {
            for row in &mut form.rows {
                if row.is_missing() {
                    row.problem = Some(format!("{} is missing", row.label));
                }
            }
        }
    }

    /// Computes the preview, if no row has an error.
    fn update_preview(&mut self, view: &SeatView<'_>) {
        let form = &mut self.form;
        let is_complete = form
            .rows
            .iter()
            .all(|row| row.problem.is_none() && !row.is_missing());
        if !form.has_preview || !is_complete {
            return;
        }

        let submitted = self.spec.submit(form, view);
        match submitted.and_then(|action| preview(&action, view)) {
            Ok(ActionEffect::Described(text)) => form.preview.text = text,
            Ok(ActionEffect::None | ActionEffect::Unknown) => {}
            Err(refusal) => form.preview.refusal = Some(refusal),
        }
    }

    fn submit(&mut self, view: &SeatView<'_>) -> DialogAction {
        self.form.was_submitted = true;
        self.refresh(view);

        let form = &mut self.form;
        let first_problem = form
            .rows
            .iter()
            .position(|row| row.problem.is_some() && !row.is_item());
        if let Some(first_problem) = first_problem {
            form.focus_index(first_problem);
            return DialogAction::Stay;
        }

        form.was_submitted = false;
        match self.checked_action(view) {
            Ok(action) => action,
            Err(problem) => {
                self.form.problem = Some(problem);
                DialogAction::Stay
            }
        }
    }

    /// Returns the action of the form, or `Close` if the action would have no effect.
    fn checked_action(&mut self, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let action = self.spec.submit(&mut self.form, view)?;
        match preview(&action, view)? {
            ActionEffect::None => Ok(DialogAction::Close),
            ActionEffect::Described(_) | ActionEffect::Unknown => Ok(action),
        }
    }

    /// Receives the result of an act that the dialog submitted: its entry, or the reason why the table refused it.
    pub fn on_result(&mut self, result: Result<&Entry, &str>, view: &SeatView<'_>) {
        let entry = match result {
            Ok(entry) => entry,
            Err(refusal) => {
                self.form.problem = Some(refusal.to_owned());
                self.refresh(view);
                return;
            }
        };

        self.form.problem = None;
        if let Some(next) = self.spec.after_submit(entry, &mut self.form, view) {
            *self = next;
        } else if let Some(previous) = self.previous.take() {
            *self = *previous;
            self.on_result(result, view);
        } else {
            self.refresh(view);
        }
    }

    /// Filters the rows by a text.
    pub fn filter(&mut self, text: String, view: &SeatView<'_>) {
        self.form.caption.filter = text;
        self.refresh(view);
    }

    /// Runs after each change of the game.
    pub fn on_change(&mut self, view: &SeatView<'_>) {
        match self.spec.on_change(&mut self.form, view) {
            Some(next) => *self = next,
            None => self.refresh(view),
        }
    }

    /// Returns true if the dialog answers a call for a roll that was answered or cancelled in the meantime.
    pub fn is_answered(&self, view: &SeatView<'_>) -> bool {
        let call = self.spec.answered_call();
        let is_gone = call.is_some_and(|call| view.call(call).is_none());
        let previous = self.previous.as_ref();
        is_gone || previous.is_some_and(|previous| previous.is_answered(view))
    }

    /// Draws the dialog, and returns the position of the terminal's cursor.
    pub fn draw(&self, view: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let blocks = self.spec.blocks(&self.form, view, canvas);
        self.spec.draw(&self.form, blocks, canvas)
    }
}

/// The effect of an action on the game.
enum ActionEffect {
    /// The action has no effect.
    None,
    /// A description of the changes.
    Described(String),
    /// The effect is not known before the action is performed.
    Unknown,
}

/// Returns the effect of an action, or the reason why the table would refuse it.
///
/// A command that this seat may not perform has an unknown effect, because the player may still suggest it.
fn preview(action: &DialogAction, view: &SeatView<'_>) -> Result<ActionEffect, String> {
    let (DialogAction::SubmitAndClose(Act::Do(command))
    | DialogAction::SubmitAndReturn(Act::Do(command))) = action
    else {
        return Ok(ActionEffect::Unknown);
    };
    if matches!(&**command, Command::All(commands) if commands.len() > MAX_PREVIEWED_COMMANDS) {
        return Ok(ActionEffect::Unknown);
    }

    match view.preview(command) {
        Ok(description) => Ok(ActionEffect::Described(description)),
        Err(CommandError::Unchanged) => Ok(ActionEffect::None),
        Err(CommandError::NotAllowed(_)) => Ok(ActionEffect::Unknown),
        Err(refusal) => Err(refusal.to_string()),
    }
}
