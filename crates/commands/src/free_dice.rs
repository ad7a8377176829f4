//! Rolls of free dice, which belong to no check: `roll 2d6+1 hidden`.

use super::error::{refused, shorten};
use super::roll_options::{RollOptions, are_options};
use super::roll_request::FREE_DICE;
use super::{ParseError, RollRequest, parse_act};
use tableside_dice::notation::{Notation, ascii_form, compact, resembles_dice};
use tableside_game::{Command, FreeRoll};
use tableside_table::{Act, SeatView};

/// A typed roll of free dice: the act that rolls them, and the dice expression alone.
#[derive(Clone, Debug)]
pub struct FreeDice {
    pub act: Act,
    pub expression: String,
}

/// Parses the words of a roll of free dice: `2d6+1 hidden`, or `Mira 2d6`. Returns `None` for a roll of a check.
pub fn parse_free_dice(words: &str, view: &SeatView<'_>) -> Result<Option<FreeDice>, ParseError> {
    let act = parse_act(&format!("roll {words}"), view)?;

    let expression = match &act {
        Act::Do(command) => match &**command {
            Command::FreeRoll(throw) => match &throw.what {
                FreeRoll::Dice { notation, .. } => notation.clone(),
                FreeRoll::Table { .. } => return Ok(None),
            },
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(FreeDice { act, expression }))
}

/// Reads a request for free dice. Returns `None` if the words contain no dice. Refuses faces that are given twice, and
/// options that only a check has.
pub(super) fn request_free_dice(
    words: &str,
    view: &SeatView<'_>,
) -> Result<Option<RollRequest>, ParseError> {
    let typed_words: Vec<&str> = words.split_whitespace().collect();
    let mut request = RollRequest::default();
    let mut expression = String::new();
    let mut times_faces_given = 0;

    let mut remaining = typed_words.as_slice();
    while let [word, after @ ..] = remaining {
        let taken = take_option(&mut request.options, remaining, &expression, view);
        if taken > 0 {
            remaining = &remaining[taken..];
            continue;
        }
        remaining = after;

        let lower_case = word.to_lowercase();
        if let Some(typed) = lower_case.strip_prefix("faces=") {
            let Some(faces) = parse_free_faces(typed) else {
                return Ok(None);
            };
            request.free_faces = Some(faces);
            times_faces_given += 1;
        } else if lower_case == "dice" && expression.is_empty() {
            // The word `dice` before an expression is skipped, as in `roll dice 2d6`.
        } else {
            if !expression.is_empty() {
                expression.push(' ');
            }
            expression.push_str(word);
        }
    }

    // A number without dice belongs to a check.
    let rolls_dice = match expression.parse::<Notation>() {
        Ok(notation) => notation.rolls_dice(),
        Err(_) => false,
    };
    if !rolls_dice {
        return Ok(None);
    }
    if times_faces_given > 1 {
        return Err(given_twice("faces"));
    }
    request.allow_only(FREE_DICE, &["hidden"])?;

    request.dice = Some(compact(&expression));
    Ok(Some(request))
}

/// Takes an option from the start of `words`, and returns the number of words taken. In a comment after `#`, words such
/// as `hidden` count as options only at the very end of the comment.
fn take_option(
    options: &mut RollOptions,
    words: &[&str],
    expression: &str,
    view: &SeatView<'_>,
) -> usize {
    let is_in_comment = expression.contains('#');
    if is_in_comment && !are_options_or_faces(words, view) {
        return 0;
    }
    options.take(words, view)
}

/// True if each of these words belongs to an option of a roll or to typed faces.
fn are_options_or_faces(words: &[&str], view: &SeatView<'_>) -> bool {
    let mut options = words.to_vec();
    options.retain(|word| !word.to_lowercase().starts_with("faces="));
    are_options(&options, view)
}

fn parse_free_faces(typed: &str) -> Option<Vec<i32>> {
    let typed: String = typed.chars().map(ascii_form).collect();

    let mut faces = Vec::new();
    for face in typed.split(',') {
        faces.push(face.parse().ok()?);
    }
    Some(faces)
}

/// Finds the mistake in the dice of a roll: `roll Ana 7d6/2`, or `7d6/2` alone.
///
/// The first word that resembles dice begins the expression.
pub(super) fn find_dice_mistake(words: &str, view: &SeatView<'_>) -> Option<ParseError> {
    let typed_words: Vec<&str> = words.split_whitespace().collect();
    let is_roll = typed_words.first()?.eq_ignore_ascii_case("roll");
    let first = typed_words.iter().position(|word| resembles_dice(word))?;
    if !is_roll && first > 0 {
        return None;
    }

    let mut dice_words = Vec::new();
    let mut remaining = typed_words.get(first..)?;
    while let [word, after @ ..] = remaining {
        let taken = RollOptions::default().take(remaining, view);
        if taken > 0 {
            remaining = remaining.get(taken..)?;
            continue;
        }
        if !word.to_lowercase().starts_with("faces=") {
            dice_words.push(*word);
        }
        remaining = after;
    }

    let expression = dice_words.join(" ");
    let mistake = expression.parse::<Notation>().err()?;
    Some(ParseError::Dice {
        expression: shorten(&expression),
        mistake,
    })
}

/// Returns the error for a value that is given twice, because it is unclear which one counts.
pub(super) fn given_twice(name: &str) -> ParseError {
    let reason = format!("{name} is given twice; leave one of them out");
    refused(reason)
}
