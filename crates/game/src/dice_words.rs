//! The words for dice, for the log and for screen readers.

use super::Thrown;
use tableside_dice::notation::{DieStatus, RolledDie, RolledNotation, ascii_form};
use tableside_dice::{DieRole, Face};
use tableside_rules::{Outcome, ShownDie};
use tableside_text::join;

/// The maximum number of dice that one line describes. Further dice are only counted.
const MOST_DESCRIBED: usize = 200;

/// Describes dice for a screen reader: the dice that count, then the others.
pub(super) fn dice_aloud(outcome: &Outcome) -> String {
    let mut kept_dice = Vec::new();
    let mut dropped_dice = Vec::new();
    for die in &outcome.dice {
        let description = describe_die(die, true);
        if die.kept {
            kept_dice.push(description);
        } else {
            dropped_dice.push(description);
        }
    }

    let kept = kept_dice.join(", ");
    let dropped = dropped_dice.join(", ");
    match (kept.as_str(), dropped.as_str()) {
        ("", "") => "No dice were rolled.".to_owned(),
        (kept, "") => format!("Dice: {kept}."),
        ("", dropped) => format!("Dice that do not count: {dropped}."),
        (kept, dropped) => format!("Dice: {kept}. Not counted: {dropped}."),
    }
}

/// Describes dice in a line. Dice that do not count are in brackets.
pub fn dice_in_words(dice: &[ShownDie]) -> String {
    join(dice.iter().map(die_in_words), ", ")
}

/// Describes a die. A die that does not count is in brackets.
pub fn die_in_words(die: &ShownDie) -> String {
    let description = describe_die(die, false);
    if die.kept {
        description
    } else {
        format!("({description})")
    }
}

fn describe_die(die: &ShownDie, aloud: bool) -> String {
    let size = die.die;
    let face = size.face_label(die.face);
    let role = die.role.label().unwrap_or_default();
    if [DieRole::TENS, DieRole::ONES].contains(&die.role) {
        // The two digits of a d100 are read together, so their roles matter and not their sizes.
        return format!("{role} {face}");
    }

    let gap = if role.is_empty() { "" } else { " " };
    let again = if die.replaces.is_some() { "again " } else { "" };
    let shows = if aloud { " shows" } else { "" };
    let value = match die.value {
        Some(value) if aloud => format!(", counted as {value}"),
        Some(value) => format!(" → {value}"),
        None => String::new(),
    };
    format!("{again}{role}{gap}{size}{shows} {face}{value}")
}

/// Describes the faces of free dice, or of rolls on random tables, in a line.
pub fn thrown_in_words(thrown: &Thrown) -> String {
    let mut lines = Vec::new();
    for rolled in thrown.all().filter_map(Thrown::rolled) {
        lines.push(free_dice_in_words(&rolled));
    }
    lines.join("; ")
}

/// Describes free dice in a line. Dice that do not count are in brackets; repetitions are separated by semicolons.
pub fn free_dice_in_words(rolled: &RolledNotation) -> String {
    if rolled.dice.is_empty() {
        return "no dice".to_owned();
    }

    let mut line = String::new();
    for (index, die) in rolled.dice.iter().take(MOST_DESCRIBED).enumerate() {
        let separator = if index == 0 {
            ""
        } else if die.chain {
            " then "
        } else if rolled.starts_later_repetition(index) {
            "; "
        } else {
            ", "
        };
        line.push_str(separator);
        line.push_str(&free_die_in_words(die));
    }
    if rolled.dice.len() > MOST_DESCRIBED {
        let omitted = rolled.dice.len() - MOST_DESCRIBED;
        return format!("{line} and {omitted} more");
    }
    line
}

fn free_die_in_words(die: &RolledDie) -> String {
    let RolledDie { sides, face, .. } = die;
    match die.status {
        DieStatus::Kept => format!("d{sides} {face}"),
        DieStatus::Dropped => format!("(d{sides} {face})"),
        DieStatus::Rerolled => format!("(d{sides} {face}, again)"),
    }
}

/// Parses typed faces, separated by blanks, commas, semicolons or plus signs.
///
/// # Errors
///
/// If a word is not a face of a die.
pub fn read_faces(typed: &str) -> Result<Vec<Face>, String> {
    let ascii_typed: String = typed.chars().map(ascii_form).collect();
    let typed_faces = ascii_typed.split([' ', ',', ';', '+']);
    typed_faces
        .filter(|face| !face.is_empty())
        .map(read_face)
        .collect()
}

fn read_face(word: &str) -> Result<Face, String> {
    word.parse().map_err(|_error| {
        let start: String = word.chars().take(60).collect();
        format!("{start:?} is not a face of a die")
    })
}
