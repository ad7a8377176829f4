//! Suggests corrections for dice expressions with an error.

use super::error::NotationError;
use super::parse::parse_plainly;

/// Longer expressions get no correction, because each attempt parses the expression again.
const LONGEST_CORRECTED: usize = 200;

const EXAMPLE: &str = "dice are written like 4d6kh3 + 2";

/// A change to an expression: the letters from `start` to `end` become `text`.
struct Edit {
    start: usize,
    end: usize,
    text: &'static str,
}

/// Adds a suggestion to an error about a misplaced letter, a missing number or a bracket.
pub(super) fn suggest_correction(text: &str, error: NotationError) -> NotationError {
    let is_about_letter =
        error.problem.ends_with("does not belong here") || error.problem.ends_with("missing here");
    let is_about_bracket = error.problem.starts_with("this bracket");
    if error.suggestion.is_some() || !(is_about_letter || is_about_bracket) {
        return error;
    }

    let letters: Vec<char> = text.chars().take(LONGEST_CORRECTED + 1).collect();
    if let Some(correction) = find_correction(&letters, &error) {
        return error.suggest(format!("did you mean {correction}?"));
    }
    if is_about_letter {
        let letter = letters.get(error.column - 1).copied();
        return error.suggest(explain_letter(letter));
    }
    error
}

/// Returns the first changed expression that has no error and rolls dice.
fn find_correction(letters: &[char], error: &NotationError) -> Option<String> {
    if letters.len() > LONGEST_CORRECTED {
        return None;
    }

    let edits = if error.problem.ends_with("never closed") {
        vec![Edit {
            start: letters.len(),
            end: letters.len(),
            text: ")",
        }]
    } else {
        edits(letters, error.column - 1)
    };
    for edit in edits {
        let candidate = apply(letters, &edit);
        if parse_plainly(&candidate).is_ok_and(|notation| notation.rolls_dice()) {
            return Some(candidate);
        }
    }
    None
}

/// Explains how to write what a misplaced letter was probably meant for.
fn explain_letter(letter: Option<char>) -> &'static str {
    match letter {
        Some('>' | '<' | '=' | '≥' | '≤') => {
            "a comparison counts the dice right before it, as in 10d10>=8"
        }
        Some('[') => "a comment goes at the end, as in 2d6+3 # fire",
        Some('{' | '}' | ']') => "brackets are ( and )",
        Some('^') => "powers are not supported",
        _ => EXAMPLE,
    }
}

fn apply(letters: &[char], edit: &Edit) -> String {
    let before = letters[..edit.start].iter();
    let after = letters[edit.end..].iter();
    let candidate: String = before
        .copied()
        .chain(edit.text.chars())
        .chain(after.copied())
        .collect();
    candidate.trim().to_owned()
}

/// The changes that may correct an error at `index`, the likeliest first.
fn edits(letters: &[char], index: usize) -> Vec<Edit> {
    let replace = |length: usize, text| Edit {
        start: index,
        end: (index + length).min(letters.len()),
        text,
    };
    let follows_blank = index > 0 && letters[index - 1].is_whitespace();

    let Some(letter) = letters.get(index) else {
        return edits_at_end(letters);
    };
    match letter.to_ascii_lowercase() {
        // The letters for dice in German (`w`, Würfel) and in the Scandinavian languages (`t`, tärning or terning).
        'w' | 't' => vec![replace(1, "d"), replace(0, "# ")],
        'h' | 'l' if !follows_blank => vec![replace(0, "k")],
        'e' if !follows_blank => vec![replace(1, "!")],
        'd' | '0'..='9' => vec![replace(0, "+")],
        '(' => vec![replace(0, "*")],
        '>' | '<' | '=' if index > 0 && matches!(letters[index - 1], 'x' | 'X') => vec![Edit {
            start: index - 1,
            end: index,
            text: "!",
        }],
        ',' | ')' => vec![replace(1, "")],
        letter if letter.is_alphabetic() && follows_blank => vec![replace(0, "# ")],
        _ => Vec::new(),
    }
}

/// The changes that may correct an expression that ends too early.
fn edits_at_end(letters: &[char]) -> Vec<Edit> {
    let end = letters.len();
    let add = |text| Edit {
        start: end,
        end,
        text,
    };
    let last = letters.iter().rposition(|letter| !letter.is_whitespace());
    match last {
        Some(last) if matches!(letters[last], 'd' | 'D') => vec![add("6")],
        // In the notation of Foundry, `x` makes dice explode. An `x` after a blank is a product without its second factor.
        Some(last)
            if last > 0
                && matches!(letters[last], 'x' | 'X')
                && !letters[last - 1].is_whitespace() =>
        {
            vec![Edit {
                start: last,
                end,
                text: "!",
            }]
        }
        Some(last) => vec![Edit {
            start: last,
            end,
            text: "",
        }],
        None => Vec::new(),
    }
}
