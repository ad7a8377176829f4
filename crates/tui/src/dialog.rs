//! Dialogs: what opens over the table to ask for something, each with its own state.
//!
//! A [`Dialog`] handles a [`DialogEvent`] and returns a [`DialogAction`]; it never changes the table
//! itself. What came of its action reaches it as a result; while the table refuses, it stays open with
//! everything that was entered.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::terminal::input::Key;
use crate::widget::Appearance;
use crate::{Action, Role, Theme};
use tableside_game::NoteId;
use tableside_table::{self, Act, SeatId};

mod button_row;
mod call;
mod character;
mod check_form;
mod clock;
mod conditions;
mod confirm;
mod dialog_spec;
mod dice;
mod explain;
mod export;
mod field_row;
mod filter;
mod follow_ups;
mod forecast;
mod form;
pub(super) mod games;
mod health;
mod help;
mod house_rules;
mod invite;
mod lines_and_veils;
mod markdown;
mod note_form;
pub(super) mod note_readers;
mod notes;
mod owner_row;
mod palette;
mod prompt;
mod random_table_form;
mod random_tables;
mod reading;
mod recap;
mod roll;
pub(super) mod roll_summary;
mod scenes;
mod seats;
mod statistics;
mod text_lines;
mod themes;
mod tokens;
mod typeahead;

use dialog_spec::{DialogSpec, ask, ask_over};
use form::{Form, FormResult, Row, RowId, TypedValue, around};
use markdown::markdown_blocks;
use reading::{Block, Scroll, StyledText, blocks_height, dialog_width, draw_scroll_signs};

pub use call::CallDialog;
pub use character::character_form;
pub use clock::{clock_check_form, clock_form, link_form};
pub use conditions::conditions_form;
pub use confirm::{ask_default_no, ask_default_yes};
pub use dialog_spec::Dialog;
pub use dice::dice_form;
pub use explain::ExplainDialog;
pub use export::{ExportKind, ExportRequest, export_form};
pub use filter::filter_line;
pub use forecast::ForecastDialog;
pub(super) use form::Draft;
pub use health::health_form;
pub use help::help_dialog;
pub use house_rules::house_rules_form;
pub use invite::{invitation_dialog, invite_form};
pub use lines_and_veils::lines_and_veils_form;
pub use note_form::note_form;
pub(super) use notes::handout_dialog;
pub use notes::notes_form;
pub use palette::{Chosen, ChosenAction, Palette};
pub use prompt::{duplicate_form, game_name_form, scene_form, strike_form, turn_order_form};
pub use random_tables::random_tables_form;
pub use recap::recap_dialog;
pub use roll::{AmendDialog, GainAnswer, GainQuestion, RollDialog};
pub use scenes::{MarkedEntities, PreparedScenesDialog};
pub use seats::seats_form;
pub use statistics::statistics_form;
pub use themes::themes_form;
pub use tokens::{amount_form, award_form, pool_form, purse_form, transfer_form};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatRequest {
    Invite {
        name: String,
        role: tableside_table::SeatRole,
    },
    /// Takes the keys and the invitation of that seat away.
    Revoke(SeatId),
    Dismiss(SeatId),
}

/// What reaches a dialog.
#[derive(Clone, Debug, PartialEq, Eq, strum::EnumTryAs)]
pub enum DialogEvent {
    /// A key that is bound in one of the dialog's [contexts](Dialog::contexts), as what it means.
    Action(Action),
    /// A key that is bound to nothing there, or any letter while the dialog takes letters.
    Key(Key),
    Paste(String),
    /// What was written in the person's own editor.
    Written(String),
    /// The mouse pressed here.
    Click {
        at: Position,
        /// What the dialog had drawn there.
        touched: Option<Touched>,
    },
}

/// Something that a dialog drew, for the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    Row(usize),
    /// The value of a row, and which way a press steps it.
    Value(usize, i32),
    /// The text of a row, typed in this area.
    Text(usize, Rect),
    /// A button, or a name that is pressed like one.
    Button(usize),
}

/// What a dialog draws on.
pub struct Canvas<'a> {
    pub look: Appearance<'a>,
    /// All that the dialog may cover.
    pub area: Rect,
    pub buffer: &'a mut Buffer,
    /// Notes what the mouse will find where, the topmost last.
    pub hits: &'a mut dyn FnMut(Rect, Touched),
}

impl Canvas<'_> {
    /// Notes what the mouse finds there.
    fn touch(&mut self, area: Rect, touched: Touched) {
        (self.hits)(area, touched);
    }

    /// Writes as much as there is room for on a line.
    fn put(&mut self, line: Rect, words: &str, role: Role) {
        let style = self.look.style(role);
        if !line.is_empty() {
            let width = line.width.into();
            self.buffer.set_stringn(line.x, line.y, words, width, style);
        }
    }
}

/// What a dialog, or a key on a tab, asks to be done.
pub enum DialogAction {
    /// Nothing but to be drawn again.
    Stay,
    /// Goes back to what lies beneath.
    Close,
    /// Opens another dialog over this one.
    Open(Box<Dialog>),
    /// Opens another dialog in place of this one.
    Replace(Box<Dialog>),
    /// Opens another dialog on top; closing it leads back to this one.
    AskFirst(Box<Dialog>),
    /// Submits this; the dialog stays, and gets the result.
    Submit(Act),
    /// Submits this and goes back to the table. If the table refuses, the dialog stays and gets the reason.
    SubmitAndClose(Act),
    /// Submits this and goes back to what lies beneath. If the table refuses, the dialog stays and gets the reason.
    SubmitAndReturn(Act),
    /// Asks everybody to pause.
    Pause,
    /// Opens the list of notes.
    ShowNotes,
    /// Marks the handout of the topmost dialog as read and closes the dialog.
    ReadHandout(NoteId),
    /// Names the game and goes back to the table; if that fails, the dialog stays and gets the reason.
    Rename(String),
    /// Writes a file and goes back to the table. If that fails, the dialog stays and gets the reason.
    Export(ExportRequest),
    /// Opens the recap of the session.
    ShowRecap,
    /// Puts this before the GM and goes back to the table.
    Suggest(Act),
    /// Answers the suggestion that waits longest: yes or no.
    Answer(bool),
    /// Lets somebody in or out; the dialog gets the result.
    ChangeSeat(SeatRequest),
    /// Gives the page in browsers another address.
    RenewPage,
    /// Filters what lies beneath; once done, the line that is typed in closes.
    Filter {
        text: String,
        is_done: bool,
    },
    /// Closes the palette and does what was found in it.
    Choose(Chosen),
    /// Opens the list of themes.
    ShowThemes,
    /// Reads the random tables again, and opens the palette, which lists them.
    ShowPalette,
    /// Reads the random tables again, and opens their list.
    ShowTables,
    /// Writes the file of a random table, and goes back to the list.
    SaveTable {
        name: String,
        text: String,
    },
    /// Deletes the file of the random table of this name.
    DeleteTable(String),
    /// Uses these colours, from now on and the next time.
    UseTheme(Theme),
    /// Opens the game of this name, and leaves the list of games.
    OpenGame(String),
    /// Puts this on the person's clipboard.
    Copy(String),
    /// Draws everything anew.
    Redraw,
    /// Opens this text in the person's own editor; the dialog gets what was written.
    Write(String),
    /// Steps out to the shell.
    Suspend,
    Quit,
    /// Leaves the screen for the list of games.
    Games,
}

impl<T: Into<Act>> From<T> for DialogAction {
    fn from(act: T) -> Self {
        Self::SubmitAndClose(act.into())
    }
}
