//! The state of a character: words for the health, calls for a roll, texts such as harm, and conditions.

use ratatui::layout::Size;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::Role;
use crate::app::roll_requests;
use crate::view::ViewContext;
use crate::view::card::flow::fit_parts;
use crate::view::card::lists::text_parts;
use crate::view::card::value_width::has_own_place;
use crate::widget::{join, line_columns};
use tableside_game::{Character, Condition};
use tableside_rules::{CardEntry, Severity};
use tableside_table::SeatView;
use tableside_text::fit_with_marker;

/// The least number of letters of an abbreviated part of the state.
const LEAST_LETTERS: u16 = 3;
/// The columns of the number of parts that are left out, with the space before it.
const COUNT_COLUMNS: u16 = 3;

/// Returns the word for the health of a character. `None` if a condition says the same.
///
/// If the seat may not read the sheet, there is a word for unhurt characters too.
fn standing(character: &Character, view: &SeatView<'_>) -> Option<(&'static str, Role)> {
    let Some(health) = character.health else {
        let word = view.standing_of(character)?.word;
        if character.suffers(word) {
            return None;
        }
        return Some((word, Role::Danger));
    };

    let role = match health {
        "unhurt" => Role::Success,
        "hurt" => Role::Warning,
        _ => Role::Danger,
    };
    let is_said = health == "down" && has_condition_of_dying(character, view);
    if health.is_empty() || is_said {
        None
    } else {
        Some((health, role))
    }
}

/// Returns true if the character has a condition that the rules give to characters without hit points.
fn has_condition_of_dying(character: &Character, view: &SeatView<'_>) -> bool {
    let Some(rules) = &view.system().spec().dying else {
        return false;
    };
    let names = [rules.falls, rules.stable, rules.dead];
    names.iter().any(|name| character.suffers(name))
}

/// Returns the health, the absence, the call for a roll and the conditions of a character in full.
pub(crate) fn suffered(character: &Character, view: &SeatView<'_>) -> Vec<(String, Role)> {
    let mut words = Vec::new();
    if let Some((word, role)) = standing(character, view) {
        words.push((word.to_owned(), role));
    }
    if character.absent {
        words.push(("away".to_owned(), Role::Muted));
    }
    for condition in view.conditions_by_severity(character) {
        // A condition that is the word for the health is already in the list, unless it says more.
        let text = condition.to_string();
        if words.iter().all(|(word, _)| *word != text) {
            words.push((text, condition_role(condition, character, view)));
        }
    }
    if let Some(call) = view.calls().find(|call| call.who == character.id) {
        let call = roll_requests::describe_call(call, view);
        words.push((format!("to roll: {call}"), Role::Notice));
    }
    words
}

/// Returns the role of a condition: the gravest are as red as the word for the health.
fn condition_role(condition: &Condition, character: &Character, view: &SeatView<'_>) -> Role {
    match view.severity_of(condition, character) {
        Severity::Dead | Severity::Out => Role::Danger,
        Severity::Incapacitated | Severity::Ordinary => Role::Warning,
    }
}

/// Returns true if the first part of the state says that the character cannot act.
pub(super) fn begins_gravely(character: &Character, view: &SeatView<'_>) -> bool {
    if view.is_down(character) {
        return true;
    }
    let conditions = view.conditions_by_severity(character);
    match conditions.first() {
        Some(gravest) => view.severity_of(gravest, character) < Severity::Ordinary,
        None => false,
    }
}

/// Returns the word for the health and the absence.
fn short_notes(character: &Character, context: ViewContext<'_>) -> Vec<Line<'static>> {
    let view = context.view;
    let mut notes = Vec::new();
    if let Some((word, role)) = standing(character, view) {
        notes.push(chip(word.to_owned(), role, character, context));
    }
    if character.absent {
        notes.push(context.line("away", Role::Muted));
    }
    notes
}

/// Returns the conditions of these severities, the gravest first.
fn condition_chips(
    character: &Character,
    is_shown: impl Fn(Severity) -> bool,
    context: ViewContext<'_>,
) -> Vec<Line<'static>> {
    let view = context.view;
    let mut chips = Vec::new();
    for condition in view.conditions_by_severity(character) {
        if is_shown(view.severity_of(condition, character)) {
            let role = condition_role(condition, character, view);
            chips.push(chip(condition.short(), role, character, context));
        }
    }
    chips
}

fn chip(
    words: String,
    role: Role,
    character: &Character,
    context: ViewContext<'_>,
) -> Line<'static> {
    let role = if character.absent { Role::Muted } else { role };
    let style = context.look.style(role).add_modifier(Modifier::REVERSED);
    Line::from(Span::styled(words, style))
}

/// Returns the state as a card shows it: first the conditions in which the character cannot act, then the texts and
/// lists of `first` and the other conditions in their order, and the call for a roll.
pub(crate) fn state_parts(character: &Character, context: ViewContext<'_>) -> Vec<Line<'static>> {
    let card = &context.view.system().spec().card;
    let is_grave = |severity| severity < Severity::Ordinary;
    let is_ordinary = |severity| severity == Severity::Ordinary;
    let mut parts = short_notes(character, context);
    parts.extend(condition_chips(character, is_grave, context));

    let mut has_conditions = false;
    for entry in card.first.iter().copied() {
        if matches!(entry, CardEntry::Conditions) {
            parts.extend(condition_chips(character, is_ordinary, context));
            has_conditions = true;
        } else if !has_own_place(entry) {
            parts.extend(text_parts(character, entry, false, context));
        }
    }
    if !has_conditions {
        parts.extend(condition_chips(character, is_ordinary, context));
    }

    let is_called = context.view.calls().any(|call| call.who == character.id);
    if is_called {
        parts.push(context.line("to roll", Role::Notice));
    }
    parts
}

/// Returns the state for a narrow place. If its parts do not fit, only their first letters are shown, and a number such
/// as `+2` stands for the parts that still do not fit. A condition in which the character cannot act is shown whole.
pub(crate) fn short_state(
    character: &Character,
    width: u16,
    context: ViewContext<'_>,
) -> Line<'static> {
    let parts = state_parts(character, context);
    let whole = join(parts.clone(), " ");
    if parts.len() < 2 || line_columns(&whole) <= width {
        return whole;
    }
    if begins_gravely(character, context.view) {
        return state_in_row(&parts, true, width);
    }

    for shown in (1..=parts.len()).rev() {
        let hidden = parts.len() - shown;
        let count_columns = if hidden > 0 { COUNT_COLUMNS } else { 0 };
        let shown_columns = u16::try_from(shown).unwrap_or(u16::MAX);
        let letters = width.saturating_sub(count_columns + shown_columns - 1) / shown_columns;
        if letters >= LEAST_LETTERS || shown == 1 {
            let mut words: Vec<Line<'static>> = parts.into_iter().take(shown).collect();
            for word in &mut words {
                abbreviate(word, letters);
            }
            if hidden > 0 {
                words.push(Line::raw(format!("+{hidden}")));
            }
            return join(words, " ");
        }
    }
    whole
}

/// Returns the state in a row of a list, in whole words. A number such as `+2` stands for the parts that do not fit.
pub(crate) fn row_state(
    character: &Character,
    width: u16,
    context: ViewContext<'_>,
) -> Line<'static> {
    let parts = state_parts(character, context);
    let is_grave = begins_gravely(character, context.view);
    state_in_row(&parts, is_grave, width)
}

/// Fits the parts of the state into a row. If the first one is grave, it is not cut for the number of the others.
fn state_in_row(parts: &[Line<'static>], is_grave: bool, width: u16) -> Line<'static> {
    let lines = fit_state(parts, is_grave, Size::new(width, 1));
    lines.into_iter().next().unwrap_or_default()
}

/// Distributes the parts of the state over rows. If the first one is grave, it is not cut for the number of the others.
pub(super) fn fit_state(parts: &[Line<'static>], is_grave: bool, area: Size) -> Vec<Line<'static>> {
    let Some(first) = parts.first() else {
        return Vec::new();
    };

    let has_room_for_count = line_columns(first) + COUNT_COLUMNS <= area.width;
    let would_be_cut = is_grave && area.height == 1 && !has_room_for_count;
    let shown_parts = if would_be_cut { &parts[..1] } else { parts };
    fit_parts(shown_parts, area.width, area.height)
}

/// Cuts a part of the state to this number of letters.
fn abbreviate(part: &mut Line<'static>, letters: u16) {
    for span in &mut part.spans {
        let text = fit_with_marker(&span.content, letters.into(), "");
        span.content = text.trim_end().to_owned().into();
    }
}
