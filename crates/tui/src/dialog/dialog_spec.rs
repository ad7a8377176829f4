//! The behaviour of one kind of dialog.

use ratatui::layout::Position;

use crate::Theme;
use crate::app::background::DiceOdds;
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogEvent, Form, FormResult};
use crate::dialog::{GainAnswer, GainQuestion};
use tableside_dice::notation::Notation;
use tableside_game::{CallId, NoteId, UnfinishedId};
use tableside_table::{Entry, SeatView};

/// The behaviour of one kind of dialog.
pub trait DialogSpec: Send {
    /// Updates the rows, their errors and the texts next to them. Runs after the dialog opened, after each input, and
    /// after each change of the game.
    fn refresh(&mut self, _form: &mut Form, _view: &SeatView<'_>) {}

    /// Handles an event with a special meaning in this dialog. Returns `None` for all other events.
    fn handle_event(
        &mut self,
        _event: &DialogEvent,
        _form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        None
    }

    /// Receives the result of an event that the form handled, before the rows are refreshed.
    fn on_input(&mut self, _result: FormResult, _form: &mut Form, _view: &SeatView<'_>) {}

    /// Returns the action of the submitted form, or the error that prevents it.
    fn submit(&mut self, _form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        Ok(DialogAction::Stay)
    }

    /// Returns the action of the button with this index.
    fn press(&mut self, _button: usize, _form: &mut Form, _view: &SeatView<'_>) -> DialogAction {
        DialogAction::Close
    }

    /// Receives the entry of an act that the dialog submitted. May return a replacement for the dialog.
    fn after_submit(&mut self, _: &Entry, _: &mut Form, _: &SeatView<'_>) -> Option<Dialog> {
        None
    }

    /// Runs after each change of the game. May return a replacement for the dialog.
    fn on_change(&mut self, _form: &mut Form, _view: &SeatView<'_>) -> Option<Dialog> {
        None
    }

    /// Returns a question for a background thread, once for each question. [`DialogSpec::on_gains`] receives the
    /// answer.
    fn take_gain_question(&mut self) -> Option<GainQuestion> {
        None
    }

    /// Receives an answer from a background thread. An answer to an old question is ignored.
    fn on_gains(&mut self, _answer: GainAnswer) {}

    /// Returns dice whose odds take too long to compute on a key press, once for each expression.
    fn take_dice_question(&mut self, _form: &Form) -> Option<Notation> {
        None
    }

    /// Receives the odds of dice that [`DialogSpec::take_dice_question`] returned.
    fn on_dice_odds(&mut self, _odds: &DiceOdds) {}

    /// Returns the blocks above or beneath the rows, which the paging keys scroll.
    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        Vec::new()
    }

    /// Draws the dialog, and returns the position of the terminal's cursor.
    fn draw(&self, form: &Form, blocks: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        form.draw(blocks, canvas)
    }

    /// Returns the call for a roll that the dialog answers. The dialog closes when another player answers the call.
    fn answered_call(&self) -> Option<CallId> {
        None
    }

    /// Returns the unfinished roll that waits in this dialog for a choice.
    fn unfinished_roll(&self) -> Option<UnfinishedId> {
        None
    }

    /// Returns true if the player types the faces of real dice.
    fn rolls_by_hand(&self) -> bool {
        false
    }

    /// Selects between real dice, whose faces the player types, and dice that the program rolls.
    fn set_by_hand(&mut self, _by_hand: bool, _form: &mut Form) {}

    /// Returns the unread handout that the dialog shows.
    fn unread_handout(&self) -> Option<NoteId> {
        None
    }

    /// Returns the theme that the screen uses while the dialog is open.
    fn tried_theme(&self) -> Option<&Theme> {
        None
    }

    /// Returns true if the dialog beneath stays visible, because this dialog is a question about it or a filter of it.
    fn shows_dialog_beneath(&self) -> bool {
        false
    }

    /// Returns true if the dialog is the help.
    fn is_help(&self) -> bool {
        false
    }

    /// Returns true if the dialog shows statistics of the whole log, so that older entries must be counted too.
    fn needs_whole_log(&self) -> bool {
        false
    }

    /// Returns the advice of the rules on whether a roll is needed at all. The help shows it.
    fn advice(&self) -> &'static [&'static str] {
        &[]
    }
}

/// A dialog that consists of two functions: one refreshes the form, the other returns the action to submit.
impl<R, S> DialogSpec for (R, S)
where
    R: Fn(&mut Form, &SeatView<'_>) + Send,
    S: Fn(&Form, &SeatView<'_>) -> Result<DialogAction, String> + Send,
{
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let (refresh, _) = self;
        refresh(form, view);
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let (_, submit) = self;
        submit(form, view)
    }
}
