//! Dialogs, which open over the tabs and ask the player for values or decisions.
//!
//! A [`Dialog`] handles a [`DialogEvent`] and returns a [`DialogAction`]. It never changes the game itself. The screen
//! performs the action and passes the result back to the dialog. If the table refuses an act, the dialog stays open
//! and keeps all entered values.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::keymap::KeyNames;
use crate::terminal::input::Key;
use crate::widget::Appearance;
use crate::{Action, Role, Theme};
use tableside_game::NoteId;
use tableside_rules::Creature;
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
mod draft;
mod explain;
mod export;
mod field_row;
mod filter;
mod follow_ups;
mod forecast;
mod form;
mod form_dialog;
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
mod sheet_question;
mod statistics;
mod table_result;
mod text_lines;
mod themes;
mod tokens;
mod turn_order;
mod typeahead;

use dialog_spec::DialogSpec;
use form::{Form, FormResult, Row, RowFocus, RowId, TypedValue, around};
use form_dialog::{ask, ask_over};
use markdown::markdown_blocks;
pub(super) use reading::Block;
use reading::{Scroll, StyledText, blocks_height, dialog_width, draw_scroll_signs};

pub use call::CallDialog;
pub use character::character_form;
pub use clock::{clock_check_form, clock_form, link_form};
pub use conditions::conditions_form;
pub use confirm::{ask_default_no, ask_default_yes};
pub use dice::dice_form;
pub(super) use draft::Draft;
pub use explain::{ExplainDialog, OpenedFrom};
pub use export::{ExportKind, ExportRequest, RecapRequest, export_form};
pub use filter::filter_line;
pub(super) use follow_ups::{WaitingEffects, all_waiting_effects, waiting_effects};
pub use forecast::ForecastDialog;
pub use form_dialog::Dialog;
pub use health::health_form;
pub use help::help_dialog;
pub use house_rules::house_rules_form;
pub use invite::{invitation_dialog, invite_form};
pub use lines_and_veils::lines_and_veils_form;
pub use note_form::{handout_form, note_form};
pub(super) use notes::handout_dialog;
pub use notes::notes_form;
pub use palette::{Chosen, ChosenAction, Palette};
pub use prompt::{duplicate_form, game_name_form, scene_form, strike_form};
pub use random_tables::{neighbour_of_table, random_tables_form};
pub use recap::{ShownRecap, recap_dialog};
pub use roll::{AmendDialog, GainAnswer, GainQuestion, RollDialog};
pub use scenes::{MarkedEntities, PreparedScenesDialog};
pub use seats::seats_form;
pub(super) use sheet_question::{QuestionId, open_questions, question_text, sheet_question_form};
pub use statistics::statistics_form;
pub use table_result::table_result_dialog;
pub use themes::themes_form;
pub use tokens::{amount_form, award_form, pool_form, purse_form, transfer_form};
pub use turn_order::turn_order_form;

/// A change to the seats of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatRequest {
    Invite {
        name: String,
        role: tableside_table::SeatRole,
    },
    /// Removes the keys and the invitation of a seat.
    Revoke(SeatId),
    Dismiss(SeatId),
}

/// An input to a dialog.
#[derive(Clone, Debug, PartialEq, Eq, strum::EnumTryAs)]
pub enum DialogEvent {
    /// A key with a binding in one of the dialog's [contexts](Dialog::contexts).
    Action(Action),
    /// A key without a binding, or any letter while the dialog takes letters as text.
    Key(Key),
    Paste(String),
    /// A text from the player's own editor.
    Written(String),
    Click {
        at: Position,
        /// The part of the dialog at that position.
        touched: Option<Touched>,
    },
}

/// A part of a dialog that reacts to the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    Row(usize),
    /// The value of a row, and the number of steps that a click moves it.
    Value(usize, i32),
    /// The text field of a row, and its area.
    Text(usize, Rect),
    Button(usize),
}

/// The surface that a dialog is drawn on.
pub struct Canvas<'a> {
    pub look: Appearance<'a>,
    pub keys: KeyNames<'a>,
    /// The area that the dialog may cover.
    pub area: Rect,
    pub buffer: &'a mut Buffer,
    /// Registers an area for the mouse. A later area covers an earlier one.
    pub hits: &'a mut dyn FnMut(Rect, Touched),
}

impl Canvas<'_> {
    /// Registers an area for the mouse.
    fn touch(&mut self, area: Rect, touched: Touched) {
        (self.hits)(area, touched);
    }

    /// Writes a text into a line, and cuts it off at the end of the line.
    fn put(&mut self, line: Rect, text: &str, role: Role) {
        if line.is_empty() {
            return;
        }
        let style = self.look.style(role);
        let width = line.width.into();
        self.buffer.set_stringn(line.x, line.y, text, width, style);
    }
}

/// The action that a dialog or a key on a tab requests.
///
/// The first group changes the open dialogs. The screen performs the other actions, whether or not a dialog is open.
pub enum DialogAction {
    /// Only redraws the dialog.
    Stay,
    /// Returns to the dialog or the tab beneath.
    Close,
    /// Opens another dialog on top of the current one, which stays open beneath it.
    Open(Box<Dialog>),
    /// Opens another dialog in place of the current one.
    Replace(Box<Dialog>),
    /// Opens another dialog in the place of this one. When it closes, or when its act is accepted, this one returns. Its
    /// typed values are not kept as a draft.
    Interpose(Box<Dialog>),
    /// Filters the dialog or the tab beneath. If `is_done` is true, the filter line closes.
    Filter {
        text: String,
        is_done: bool,
    },
    /// Closes the palette and performs the chosen entry.
    Choose(Chosen),

    /// Submits an act. The dialog stays open and receives the result.
    Submit(Act),
    /// Submits an act and closes all dialogs, or only this one if it was opened by [`Self::Interpose`]. If the table
    /// refuses the act, they stay open.
    SubmitAndClose(Act),
    /// Submits an act and returns to the dialog beneath. If the table refuses the act, the dialog stays open.
    SubmitAndReturn(Act),
    /// Suggests an act to the GM and closes all dialogs.
    Suggest(Act),
    /// Accepts or declines the oldest suggestion.
    Answer(bool),
    /// Asks all players to pause.
    Pause,
    /// Invites or removes a player. The dialog receives the result.
    ChangeSeat(SeatRequest),
    /// Replaces the address of the web page.
    RenewPage,
    /// Marks the handout in the topmost dialog as read, and closes the dialog.
    ReadHandout(NoteId),
    /// Renames the game and closes all dialogs. On an error, the dialog stays open and shows the error.
    Rename(String),
    /// Writes a file and closes all dialogs. On an error, the dialog stays open and shows the error.
    Export(ExportRequest),
    /// Writes the file of a random table and returns to the list.
    SaveTable {
        name: String,
        text: String,
    },
    /// Writes a template of a creature into the user's own file for the system.
    SaveCreature(Box<Creature>),
    /// Deletes the file of the random table with this name.
    DeleteTable(String),

    /// Opens the list of notes.
    ShowNotes,
    /// Opens a recap.
    ShowRecap(RecapRequest),
    /// Shows another recap in the dialog of the recap.
    ChangeRecap(RecapRequest),
    /// Opens the list of themes.
    ShowThemes,
    /// Reads the random tables again and opens the palette, which lists them.
    ShowPalette,
    /// Reads the random tables again and opens their list.
    ShowTables,
    /// Uses a theme from now on, and saves it for later sessions.
    UseTheme(Theme),
    /// Copies a text to the player's clipboard.
    Copy(String),
    /// Redraws the whole screen.
    Redraw,
    /// Opens a text in the player's own editor. The dialog receives the edited text.
    Write(String),

    /// Leaves the list of games and opens the game with this name.
    OpenGame(String),
    /// Suspends the program and returns to the shell.
    Suspend,
    Quit,
    /// Leaves the game and shows the list of games.
    Games,
}

impl DialogAction {
    fn open(dialog: Dialog) -> Self {
        Self::Open(Box::new(dialog))
    }

    fn replace(dialog: Dialog) -> Self {
        Self::Replace(Box::new(dialog))
    }

    fn interpose(dialog: Dialog) -> Self {
        Self::Interpose(Box::new(dialog))
    }
}

impl<T: Into<Act>> From<T> for DialogAction {
    fn from(act: T) -> Self {
        Self::SubmitAndClose(act.into())
    }
}
