//! The order of turns: the form for it, the end of a turn, and the end of the fight.

use crate::Action;
use crate::app::state::ScreenState;
use crate::app::update::cursor::on_turn;
use crate::dialog::{DialogAction, ask_default_no, turn_order_form};
use tableside_commands::{CommandId, Target};
use tableside_game::{Character, Command, EventKind, Part};
use tableside_table::{Entry, SeatView};
use tableside_text::join_with_and;

impl ScreenState {
    pub(super) fn open_turn_order(&mut self, view: &SeatView<'_>) -> DialogAction {
        if view.roster().any(Character::is_combatant) {
            self.open(turn_order_form(view))
        } else {
            self.refuse("there are no characters to take turns")
        }
    }

    /// Ends the current turn. After the last turn a new round begins.
    pub(super) fn end_turn(&mut self, view: &SeatView<'_>) -> DialogAction {
        if view.has_turn_order() {
            return Command::EndTurn.into();
        }
        let key = self.key(Action::TurnOrder);
        self.refuse(format!("there is no turn order; {key} sets it"))
    }

    /// Begins the next round. Asks first if combatants would lose their turn.
    pub(super) fn begin_round(&mut self, view: &SeatView<'_>) -> DialogAction {
        let waiting = view.turns();
        let names: Vec<&str> = waiting
            .iter()
            .skip(1)
            .map(|character| character.name.as_str())
            .collect();
        let may_change = view.seat().sees_all();
        if !view.has_turn_order() || !may_change || names.is_empty() {
            return self.run_command(CommandId::NextRound, view);
        }

        let has_not = if names.len() == 1 { "has" } else { "have" };
        let question = format!(
            "{} {has_not} not acted in this round. Begin round {}?",
            join_with_and(&names),
            view.round + 1
        );
        self.open(ask_default_no(question, Command::NextRound.into()))
    }

    /// Ends the fight, which clears the order of turns.
    pub(super) fn end_fight(&mut self, view: &SeatView<'_>) -> DialogAction {
        if view.has_turn_order() || view.round > 0 {
            Command::EndFight.into()
        } else {
            self.refuse("no fight is going on")
        }
    }

    /// Asks before characters in the fight are deleted. Returns `None` if no target is in the fight.
    pub(super) fn ask_to_delete(
        &mut self,
        targets: &[Target],
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let names: Vec<&str> = targets
            .iter()
            .filter_map(|target| target.character(view))
            .filter(|character| character.is_in_turn_order())
            .map(|character| character.name.as_str())
            .collect();
        let question = match names.as_slice() {
            [] => return None,
            [name] => format!("{name} is in the fight. Delete {name}? Undo brings it back."),
            names => format!(
                "{} of them are in the fight. Delete them? Undo brings them back.",
                names.len()
            ),
        };
        let act = CommandId::Delete.act_on(targets.to_vec(), view).ok()?;
        Some(self.open(ask_default_no(question, act.into())))
    }

    /// Moves the cursor of the party after an act that passed the turn.
    pub(crate) fn follow_turn(&mut self, entry: &Entry, view: &SeatView<'_>) {
        if passes_turn(entry) {
            self.select_acting(view);
        }
    }

    /// Moves the cursor of the party after another seat passed the turn. A player's cursor goes back to the own character
    /// in any case, because keys act on the character under it.
    pub(crate) fn notice_turn(&mut self, view: &SeatView<'_>) {
        let on_turn = on_turn(view);
        if on_turn == self.noticed.turn {
            return;
        }

        self.noticed.turn = on_turn;
        let plays_character = !view.seat().characters.is_empty();
        let newest = view.log().next();
        if plays_character || newest.is_some_and(|entry| passes_turn(&entry)) {
            self.select_acting(view);
        }
    }
}

/// True if the act of this entry passed the turn. Marking a character as having acted may change the turn too, but the
/// same key takes the mark away again, so the cursor stays.
pub(crate) fn passes_turn(entry: &Entry) -> bool {
    match &entry.event.what {
        EventKind::Initiative { .. } | EventKind::Turn { .. } | EventKind::Round { .. } => true,
        EventKind::Undone { .. } | EventKind::Redone { .. } | EventKind::Struck { .. } => {
            let mut parts = entry.event.changes.iter().map(|change| &change.part);
            parts.any(|part| matches!(part, Part::Acted | Part::Initiative))
        }
        _ => false,
    }
}
