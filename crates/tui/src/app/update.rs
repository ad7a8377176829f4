//! Keys, pasted text and the mouse: they change the screen's state, or become a [`DialogAction`] for the screen.

mod calls;
pub(crate) mod cursor;
mod dialogs;
mod game_actions;
mod handouts;
pub(crate) mod log;
mod log_actions;
pub(crate) mod log_lines;
pub(crate) mod mouse;
mod palette;
mod permissions;
mod quit;
mod screen_actions;
mod sheet_questions;
mod step_values;
mod target_dialogs;
mod targets;
pub(crate) mod turns;
mod under_cursor;

use std::sync::Arc;

use crate::app::state::{ScreenState, Tab};
use crate::dialog::{DialogAction, DialogEvent, help_dialog};
use crate::terminal::input::{Key, KeyCode};
use crate::{Action, Context};
use tableside_table::SeatView;
use tableside_text::join_with_and;

impl ScreenState {
    /// Handles a key. In a text field a letter is text, and elsewhere it may be bound to an action.
    pub(crate) fn handle_key(&mut self, key: Key, view: &SeatView<'_>) -> DialogAction {
        self.notice = None;
        if self.is_paused {
            return self.handle_key_in_pause(key);
        }

        let keymap = Arc::clone(&self.keymap);
        let contexts = self.contexts();
        // Scripts send a line feed for Enter.
        let is_bound = keymap.action(contexts, key).is_some();
        let key = if key == Key::ctrl('j') && !is_bound {
            Key::plain(KeyCode::Enter)
        } else {
            key
        };

        let (escape, key) = keymap.unfold(contexts, key);
        let escape_result = match escape {
            Some(escape) => self.handle_single_key(escape, view),
            None => DialogAction::Stay,
        };
        let result = match escape_result {
            DialogAction::Stay => self.handle_single_key(key, view),
            action => action,
        };

        self.refresh_restored_draft(view);
        result
    }

    fn handle_single_key(&mut self, key: Key, view: &SeatView<'_>) -> DialogAction {
        if self.is_typed_text(key) {
            return self.send_to_dialog(&DialogEvent::Key(key), view);
        }

        let action = match self.fight_action(key) {
            Some(action) => Some(action),
            None => self.keymap.action(self.contexts(), key),
        };
        match action {
            Some(action) => self.act(action, view),
            None if self.is_browsing() => self.refuse(self.explain_unbound(key)),
            None => self.send_to_dialog(&DialogEvent::Key(key), view),
        }
    }

    /// Returns the action of a key that controls the fight. During a fight it works in every panel of the table.
    fn fight_action(&self, key: Key) -> Option<Action> {
        if !self.is_browsing() || self.tab != Tab::Table || !self.table.is_fight {
            return None;
        }
        let action = self.keymap.action(&[Context::Party], key)?;
        let is_free_here = self.keymap.action(self.contexts(), key).is_none();
        match action {
            Action::EndTurn | Action::EndFight => Some(action),
            Action::NextRound | Action::TurnOrder if is_free_here => Some(action),
            _ => None,
        }
    }

    /// Explains that a key has no action here, and names the lists where it has one.
    fn explain_unbound(&self, key: Key) -> String {
        let here = self.contexts();
        let elsewhere = [
            Context::Party,
            Context::Clocks,
            Context::Tokens,
            Context::Log,
        ];
        let action_in = |context: Context| self.keymap.action(&[context], key);
        let places: Vec<Context> = elsewhere
            .into_iter()
            .filter(|context| !here.contains(context))
            .filter(|context| action_in(*context).is_some())
            .collect();
        let first_action = places.first().and_then(|context| action_in(*context));
        let Some(action) = first_action else {
            return "this key does nothing here".to_owned();
        };

        let names: Vec<&str> = places
            .into_iter()
            .filter(|context| action_in(*context) == Some(action))
            .map(place_name)
            .collect();
        let key = key.label(true);
        let names = join_with_and(&names);
        format!("{key} ({}) works on {names}", action.label())
    }

    /// True if the topmost dialog takes the key as text.
    fn is_typed_text(&self, key: Key) -> bool {
        let Some(letter) = key.letter() else {
            return false;
        };
        let Some(dialog) = self.layers.last() else {
            return false;
        };

        // Letters and digits press buttons, but other characters do not.
        let is_choice = self.contexts().first() == Some(&Context::Choice);
        if is_choice && !letter.is_alphanumeric() {
            return false;
        }
        dialog.form.takes_letter(letter)
    }

    /// Handles pasted text.
    pub(crate) fn handle_paste(&mut self, text: String, view: &SeatView<'_>) -> DialogAction {
        self.notice = None;
        if self.is_paused {
            return DialogAction::Stay;
        }
        self.send_to_dialog(&DialogEvent::Paste(text), view)
    }

    /// Performs an action on the tab, or passes it to the topmost dialog.
    pub(crate) fn act(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        match action {
            Action::QuitNow => DialogAction::Quit,
            Action::Suspend => DialogAction::Suspend,
            Action::Redraw => DialogAction::Redraw,
            Action::Pause if self.is_picking => self.refuse("no game is open yet"),
            Action::Pause => DialogAction::Pause,
            Action::Help if self.is_help_open() => {
                self.send_to_dialog(&DialogEvent::Action(Action::Close), view)
            }
            Action::Help => {
                let help = help_dialog(self.contexts(), self.layers.last(), &self.keymap);
                self.open(help)
            }
            Action::Copy => match self.text_under_cursor(view) {
                Some(text) => DialogAction::Copy(text),
                None => self.refuse("there is no text to copy here"),
            },
            Action::Discard if !self.is_browsing() => {
                self.layers.pop();
                DialogAction::Stay
            }
            action if self.is_browsing() => self.act_on_tab(action, view),
            action => self.send_to_dialog(&DialogEvent::Action(action), view),
        }
    }

    /// True if the topmost dialog is the list of keys.
    pub(crate) fn is_help_open(&self) -> bool {
        let dialog = self.layers.last();
        dialog.is_some_and(|dialog| dialog.spec.is_help())
    }

    /// Performs an action on the open tab, where no dialog is open.
    fn act_on_tab(&mut self, action: Action, view: &SeatView<'_>) -> DialogAction {
        let only_suggests = self.only_suggests(action, view);

        let opened_tab = Tab::ALL.into_iter().find(|tab| tab.action() == action);
        let result = if let Some(tab) = opened_tab {
            self.go_to_tab(tab);
            self.filter_origin = None;
            if tab == Tab::Table && !view.seat().characters.is_empty() {
                self.select_acting(view);
            }
            DialogAction::Stay
        } else if let Some(result) = self.act_on_screen(action, view) {
            result
        } else if self.is_refused(action, view) {
            self.refuse_seat(action, view)
        } else if let Some(result) = self.act_on_game(action, view) {
            result
        } else if self.move_cursor(action, view) {
            DialogAction::Stay
        } else {
            self.act_on_targets(action, view)
        };

        if let Some(opened) = self.layers.last_mut() {
            let gm = view.system().spec().gm;
            opened.form.suggest_to(only_suggests.then_some(gm));
        }
        result
    }
}

/// Names the items that the keys of a context act on.
const fn place_name(context: Context) -> &'static str {
    match context {
        Context::Party => "characters",
        Context::Clocks => "clocks",
        Context::Tokens => "token pools",
        _ => "log entries",
    }
}
