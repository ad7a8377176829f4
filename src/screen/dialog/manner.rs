//! How a dialog is spoken with: what reaches it, and what it answers.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::Dialog;
use crate::screen::action::{Action, Context};
use crate::screen::input::Key;
use crate::screen::widget::Look;
use crate::table::{Act, Entry, Role, SeatId, SeatView};

/// Letting somebody in or out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DoorAct {
    /// Makes an invitation.
    Invite {
        /// For whom.
        name: String,
        /// As what.
        role: Role,
    },
    /// Takes the keys and the invitation of that seat away.
    Revoke(SeatId),
    /// Takes that seat away.
    Dismiss(SeatId),
}

/// What reaches a dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A key that is bound in one of the dialog's [contexts](Dialog::contexts), as what it means.
    Action(Action),
    /// A key that is bound to nothing there, or any letter while the dialog
    /// [takes letters](Dialog::takes_letters).
    Key(Key),
    /// A pasted text, as the terminal gave it.
    Paste(String),
    /// The mouse pressed here, while the dialog was drawn with this area.
    Click {
        /// The cell.
        at: Position,
        /// The area given to [`Dialog::view`].
        area: Rect,
    },
}

/// What a dialog wants after it heard something.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Nothing but to be drawn again.
    Stay,
    /// To be closed.
    Close,
    /// That this is submitted; what came of it is told to the dialog, which stays.
    Submit(Act),
    /// That this is submitted, and then to be closed. Where the table refuses, the dialog stays and is
    /// told why.
    SubmitAndClose(Act),
    /// That the game gets this name, and then to be closed; where that fails, it stays and is told why.
    Rename(String),
    /// That the log is written into this file, and then to be closed; where that fails, it stays and is told
    /// why.
    Export {
        /// The file, as it was typed.
        path: String,
        /// Whether it replaces what is there.
        replace: bool,
    },
    /// That this is put before the GM, and then to be closed.
    Suggest(Act),
    /// That somebody is let in or out; what came of it is told to the dialog.
    Door(DoorAct),
    /// That this dialog takes its place.
    Replace(Box<Dialog>),
    /// That this screen leaves the table.
    Quit,
}

/// What every dialog does.
pub(super) trait Manner {
    fn contexts(&self) -> &'static [Context];

    fn hints(&self) -> &'static [Action];

    fn takes_letters(&self) -> bool {
        false
    }

    fn hear(&mut self, heard: &Heard, seen: &SeatView<'_>) -> Reply;

    fn told(&mut self, _told: Result<&Entry, &str>, _seen: &SeatView<'_>) {}

    fn changed(&mut self, _seen: &SeatView<'_>) {}

    fn view(
        &self,
        seen: &SeatView<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position>;
}
