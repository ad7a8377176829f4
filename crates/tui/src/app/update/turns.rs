//! The order of turns: the form for it, and the end of a turn.

use std::cmp::Reverse;

use crate::Action;
use crate::app::list::ListId;
use crate::app::state::{Panel, ScreenState};
use crate::dialog::{DialogAction, turn_order_form};
use tableside_game::{Character, CharacterId, Command};
use tableside_table::SeatView;

impl ScreenState {
    pub(super) fn open_turn_order(&mut self, view: &SeatView<'_>) -> DialogAction {
        if view.roster().any(Character::is_here) {
            self.open(turn_order_form(view))
        } else {
            self.refuse("there are no characters to take turns")
        }
    }

    /// Ends the current turn and moves the cursor to the next character. After the last turn a new round begins.
    pub(super) fn end_turn(&mut self, view: &SeatView<'_>) -> DialogAction {
        let turns = view.turns();
        if let [current, next, ..] = turns.as_slice() {
            self.select_character(next.id);
            let mut current = (*current).clone();
            current.acted = true;
            return Command::edit(current).into();
        }

        let has_order = view
            .roster()
            .any(|character| character.initiative.is_some());
        if turns.is_empty() && !has_order {
            let key = self.key(Action::TurnOrder);
            return self.refuse(format!("there is no turn order; {key} sets it"));
        }

        let first = view
            .roster()
            .filter(|character| character.is_combatant())
            .min_by_key(|character| Reverse(character.initiative));
        if let Some(first) = first {
            self.select_character(first.id);
        }
        Command::NextRound.into()
    }

    fn select_character(&mut self, id: CharacterId) {
        self.list_mut(Panel::Party).select(ListId::Character(id));
    }
}
