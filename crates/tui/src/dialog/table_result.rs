//! The result of a roll on a random table, with buttons to roll again and to write it down.

use crate::dialog::button_row::{Button, ButtonRow};
use crate::dialog::explain::undo_entry;
use crate::dialog::note_form::{handout_form, note_form};
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form};
use crate::{Action, Context, Role};
use tableside_commands::roll_on_table;
use tableside_game::{EventKind, Thrown};
use tableside_table::{Entry, SeatView};
use tableside_text::join;

const HINTS: &[Action] = {
    use Action::{NextButton, Press, PreviousButton, Roll, Undo};
    &[Press, Roll, Undo, PreviousButton, NextButton]
};

struct TableResultDialog {
    /// The number of the log entry.
    number: u64,
    thrown: Thrown,
    /// The action of each button.
    choices: Vec<ResultChoice>,
    /// The texts of the notes and handouts that were created with the buttons.
    follow_ups: Vec<String>,
}

#[derive(Clone, Copy)]
enum ResultChoice {
    RollAgain,
    HandOut,
    Note,
    Close,
}

/// Opens the result of a roll on a random table. `None` if the entry is not such a roll, or if this seat may not read
/// it.
pub fn table_result_dialog(entry: &Entry, view: &SeatView<'_>) -> Option<Dialog> {
    let entry = view.entry(entry.number)?;
    let EventKind::Thrown(thrown) = &entry.event.what else {
        return None;
    };
    if thrown.table.is_empty() {
        return None;
    }

    let mut choices = vec![ResultChoice::RollAgain];
    let mut buttons = vec![Button::new("Roll again", 'r')];
    if view.seat().sees_all() {
        choices.push(ResultChoice::HandOut);
        buttons.push(Button::new("Hand out", 'p'));
    }
    choices.extend([ResultChoice::Note, ResultChoice::Close]);
    buttons.extend([Button::new("Note", 'n'), Button::new("Close", 'c')]);

    let mut form = Form::empty(&thrown.table).with_context(Context::Result, HINTS);
    form.buttons = ButtonRow::new(buttons);
    if !thrown.hidden_from.is_empty() {
        "hidden from players".clone_into(&mut form.caption.note);
    }
    let spec = TableResultDialog {
        number: entry.number,
        thrown: (**thrown).clone(),
        choices,
        follow_ups: Vec::new(),
    };
    form.copyable_text = Some(spec.text());
    Some(Dialog::new(form, spec, view))
}

impl TableResultDialog {
    /// Returns the text of the result, for a handout: the row, then the results that it caused.
    fn text(&self) -> String {
        let lines = self.thrown.all().map(|roll| {
            if roll.text.is_empty() {
                format!("{}: {}", roll.notation, roll.total)
            } else {
                roll.text.clone()
            }
        });
        join(lines, "\n")
    }

    /// Rolls on the same table again, for the same readers. The new result replaces this result in the dialog.
    fn roll_again(&self, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let tables = view.random_tables();
        let same_table = tables
            .tables
            .iter()
            .find(|table| table.title == self.thrown.table);
        match same_table {
            Some(table) => {
                let is_hidden = !self.thrown.hidden_from.is_empty();
                let act = roll_on_table(table, is_hidden, view);
                Ok(DialogAction::SubmitAndReturn(act))
            }
            None => Err(format!("there is no table {} any more", self.thrown.table)),
        }
    }

    fn perform(&self, choice: ResultChoice, form: &mut Form, view: &SeatView<'_>) -> DialogAction {
        let action = match choice {
            ResultChoice::RollAgain => self.roll_again(view),
            ResultChoice::HandOut => {
                let dialog = handout_form(&self.text(), None, view);
                Ok(DialogAction::interpose(dialog))
            }
            ResultChoice::Note => {
                let dialog = note_form(Some(self.number), None, view);
                Ok(DialogAction::interpose(dialog))
            }
            ResultChoice::Close => Ok(DialogAction::Close),
        };
        take_or_explain(action, form)
    }
}

/// Returns the action, or shows the reason why there is none.
fn take_or_explain(action: Result<DialogAction, String>, form: &mut Form) -> DialogAction {
    match action {
        Ok(action) => action,
        Err(reason) => {
            form.problem = Some(reason);
            DialogAction::Stay
        }
    }
}

impl DialogSpec for TableResultDialog {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        match event.try_as_action_ref()? {
            Action::Roll | Action::Repeat => {
                Some(self.perform(ResultChoice::RollAgain, form, view))
            }
            Action::Undo => {
                let undo = undo_entry(self.number, view).map(DialogAction::SubmitAndReturn);
                Some(take_or_explain(undo.map_err(str::to_owned), form))
            }
            _ => None,
        }
    }

    fn press(&mut self, button: usize, form: &mut Form, view: &SeatView<'_>) -> DialogAction {
        let choice = self.choices.get(button).copied();
        self.perform(choice.unwrap_or(ResultChoice::Close), form, view)
    }

    fn after_submit(
        &mut self,
        entry: &Entry,
        _form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        self.follow_ups.push(entry.event.text(view.system()));
        None
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (index, roll) in self.thrown.all().enumerate() {
            if index > 0 && !roll.table.is_empty() {
                blocks.push(Block::Gap);
                blocks.push(Block::heading(&roll.table));
            }
            let lead = format!("{}: {}  ", roll.notation, roll.total);
            blocks.push(Block::led(Role::Text, lead, &roll.text));
        }

        if !self.follow_ups.is_empty() {
            blocks.push(Block::Gap);
        }
        for follow_up in &self.follow_ups {
            blocks.push(Block::led(Role::Info, "✓ ", follow_up));
        }
        blocks
    }
}
