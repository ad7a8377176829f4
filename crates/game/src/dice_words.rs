//! Dice in words, for the eye and for a voice.

use super::Thrown;
use tableside_dice::notation::{DieStatus, RolledDie, RolledNotation, ascii_form};
use tableside_dice::{DieRole, Face};
use tableside_rules::{Outcome, ShownDie};
use tableside_text::join;

/// Dice told in a line; of more, only how many.
const MOST_TOLD: usize = 200;

/// The dice for a voice: those that count, then those that do not.
pub(super) fn dice_aloud(outcome: &Outcome) -> String {
    let words = |kept: bool| {
        let dice = outcome.dice.iter().filter(|die| die.kept == kept);
        join(dice.map(|die| die_words(die, true)), ", ")
    };
    match (words(true).as_str(), words(false).as_str()) {
        ("", "") => "No dice were rolled.".to_owned(),
        (kept, "") => format!("Dice: {kept}."),
        ("", dropped) => format!("Dice that do not count: {dropped}."),
        (kept, dropped) => format!("Dice: {kept}. Not counted: {dropped}."),
    }
}

/// The dice in a line; in brackets those that do not count.
pub fn dice_in_words(dice: &[ShownDie]) -> String {
    join(dice.iter().map(die_in_words), ", ")
}

/// A die in words; in brackets one that does not count.
pub fn die_in_words(die: &ShownDie) -> String {
    let words = die_words(die, false);
    if die.kept {
        words
    } else {
        format!("({words})")
    }
}

fn die_words(die: &ShownDie, aloud: bool) -> String {
    let (size, face) = (die.die, die.die.face_label(die.face));
    let role = die.role.label().unwrap_or_default();
    if [DieRole::TENS, DieRole::ONES].contains(&die.role) {
        // The digits of 1D100 are read together: which die is which matters, not its size.
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

/// Free dice as they fell, in a line.
pub fn thrown_in_words(thrown: &Thrown) -> String {
    let rolls = thrown.all().filter_map(Thrown::rolled);
    join(rolls.map(|rolled| free_dice_in_words(&rolled)), "; ")
}

/// Describes free dice in a line. Dice that do not count are in brackets; repetitions are separated by semicolons.
pub fn free_dice_in_words(rolled: &RolledNotation) -> String {
    if rolled.dice.is_empty() {
        return "no dice".to_owned();
    }

    let mut words = String::new();
    for (index, die) in rolled.dice.iter().take(MOST_TOLD).enumerate() {
        let separator = if index == 0 {
            ""
        } else if die.chain {
            " then "
        } else if rolled.starts_later_repetition(index) {
            "; "
        } else {
            ", "
        };
        words.push_str(separator);
        words.push_str(&free_die_in_words(die));
    }
    if rolled.dice.len() > MOST_TOLD {
        let others = rolled.dice.len() - MOST_TOLD;
        return format!("{words} and {others} more");
    }
    words
}

fn free_die_in_words(die: &RolledDie) -> String {
    let (sides, face) = (die.sides, die.face);
    match die.status {
        DieStatus::Kept => format!("d{sides} {face}"),
        DieStatus::Dropped => format!("(d{sides} {face})"),
        DieStatus::Rerolled => format!("(d{sides} {face}, again)"),
    }
}

/// Faces as they are typed, with blanks or signs between them.
pub fn read_faces(typed: &str) -> Result<Vec<Face>, String> {
    let ascii_typed: String = typed.chars().map(ascii_form).collect();
    let words = ascii_typed.split([' ', ',', ';', '+']);
    let face = |word: &str| {
        let shown: String = word.chars().take(60).collect();
        word.parse()
            .map_err(|_no_face| format!("{shown:?} is no face of a die"))
    };
    words.filter(|word| !word.is_empty()).map(face).collect()
}
