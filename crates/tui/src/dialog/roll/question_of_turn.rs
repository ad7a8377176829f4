//! The question before a player makes a roll out of turn or twice in a turn, such as a death save.

use crate::app::update::turns::passes_turn;
use crate::dialog::{DialogAction, ask_default_no};
use tableside_game::{Character, RollCommand};
use tableside_rules::CheckSpec;
use tableside_table::SeatView;

/// Returns the question before a roll that is due once in each of the character's turns: if it is another character's
/// turn, or if the roll was already made in this turn. The GM is not asked.
pub(super) fn question_of_turn(command: &RollCommand, view: &SeatView<'_>) -> Option<String> {
    if view.seat().sees_all() {
        return None;
    }
    let character = view.character(command.who?)?;
    let due = view.due_check(character)?;
    if due.id != command.filled.fields.spec().id {
        return None;
    }

    let on_turn = view.turns().first().map(|on_turn| on_turn.id)?;
    let name = &character.name;
    let check = due.label.to_lowercase();
    if on_turn != character.id {
        Some(format!("It is not {name}'s turn. Roll the {check} now?"))
    } else if has_rolled_in_turn(character, due, view) {
        Some(format!(
            "{name} has rolled the {check} of this turn. Roll again?"
        ))
    } else {
        None
    }
}

fn has_rolled_in_turn(character: &Character, check: &CheckSpec, view: &SeatView<'_>) -> bool {
    view.log()
        .take_while(|entry| !passes_turn(entry))
        .filter(|entry| !view.is_struck(entry.number))
        .any(|entry| match entry.event.what.resolved() {
            Some(roll) => roll.id == Some(character.id) && roll.check == check.id,
            None => false,
        })
}

/// Returns the action, or a dialog that asks the question first.
pub(super) fn ask_before(question: Option<String>, action: DialogAction) -> DialogAction {
    match question {
        Some(question) => DialogAction::ask_first(ask_default_no(question, action)),
        None => action,
    }
}
