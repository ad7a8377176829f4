//! The questions before a roll: of a character that cannot act, and of a player who rolls at another time what the rules ask
//! for once in each turn, such as a death save.

use crate::app::update::turns::passes_turn;
use crate::dialog::roll::setup::rolls_itself;
use crate::dialog::{DialogAction, ask_default_no};
use tableside_game::{Character, RollCommand};
use tableside_rules::{CheckSpec, Severity};
use tableside_table::SeatView;

/// Returns the question before a roll, if there is one.
pub(super) fn question_before(command: &RollCommand, view: &SeatView<'_>) -> Option<String> {
    question_of_side(command, view)
        .or_else(|| question_of_state(command, view))
        .or_else(|| question_of_turn(command, view))
}

/// Returns the question before an opponent rolls in a system in which only heroes do.
fn question_of_side(command: &RollCommand, view: &SeatView<'_>) -> Option<String> {
    let character = view.character(command.who?)?;
    if rolls_itself(character, view) {
        return None;
    }
    let reason = view.system().spec().only_heroes_roll;
    Some(format!("{reason} Roll for {} anyway?", character.name))
}

/// Returns the question before a dead character rolls, or before one that cannot act rolls against an opponent. Others who
/// cannot act still make saving throws.
fn question_of_state(command: &RollCommand, view: &SeatView<'_>) -> Option<String> {
    let character = view.character(command.who?)?;
    let check = command.filled.fields.spec();
    let is_due = view
        .due_check(character)
        .is_some_and(|due| due.id == check.id);
    let is_against = check.affects_opponent() && !is_due;
    if view.gravest_severity(character) != Severity::Dead && !is_against {
        return None;
    }

    let name = &character.name;
    let word = view.grave_word(character)?;
    let label = check.label.to_lowercase();
    Some(format!("{name} is {word}. Roll the {label} anyway?"))
}

/// Returns the question before a roll that is due in the character's turn, if it is another character's turn, or if the
/// roll was already made in this turn. The GM is not asked.
fn question_of_turn(command: &RollCommand, view: &SeatView<'_>) -> Option<String> {
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

/// Returns the action, behind a question if there is one.
pub(super) fn ask_before(question: Option<String>, action: DialogAction) -> DialogAction {
    match question {
        Some(question) => DialogAction::interpose(ask_default_no(question, action)),
        None => action,
    }
}
