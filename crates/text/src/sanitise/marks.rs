//! Limits the marks (accents, vowel signs, tones) on each letter to those that its script needs.

use unicode_width::UnicodeWidthChar as _;

use super::REPLACEMENT;
use super::invisible::is_invisible;

/// The most marks on one letter in any script.
pub(super) const MOST_MARKS: usize = 8;

/// True for a character that is drawn on the letter before it and takes no column.
pub(super) fn is_mark(character: char) -> bool {
    character.width() == Some(0) && !is_voicing_mark(character)
}

/// True for a halfwidth voicing mark. Unicode classes it as an accent, but terminals draw it in a column.
pub(crate) fn is_voicing_mark(character: char) -> bool {
    matches!(character, '\u{FF9E}' | '\u{FF9F}')
}

/// Removes the marks of each letter beyond the number that its script allows. Also removes a mark that equals the one
/// before it, except for the second mark of a letter, which may equal the first.
pub(super) fn limit_marks(text: &str) -> String {
    let mut limited = String::with_capacity(text.len());
    // The mark at the start of a text would be drawn on whatever precedes the text, so none is allowed there.
    let mut mark_count = MOST_MARKS;
    let mut previous_mark = None;

    for character in text.chars() {
        if !is_mark(character) {
            limited.push(character);
            mark_count = 0;
            previous_mark = None;
            continue;
        }
        // An invisible mark covers no line, so it is not counted.
        if is_invisible(character) {
            limited.push(character);
            previous_mark = None;
            continue;
        }

        let is_repeated = previous_mark == Some(character) && mark_count > 1;
        if mark_count < most_marks(character) && !is_repeated {
            limited.push(character);
            mark_count += 1;
            previous_mark = Some(character);
        } else if limited.is_empty() {
            limited.push(REPLACEMENT);
            mark_count = 0;
        }
    }

    limited
}

/// Returns the largest number of marks that one letter may carry in the script of `mark`.
fn most_marks(mark: char) -> usize {
    match mark {
        // Accents for all scripts. A composed letter contains most of its accents, and at most two are left over.
        '\u{300}'..='\u{36F}'
        | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{FE20}'..='\u{FE2F}'
        | '\u{483}'..='\u{489}'
        // The vowel and the final consonant of a Korean syllable.
        | '\u{1160}'..='\u{11FF}'
        | '\u{D7B0}'..='\u{D7FF}' => 2,
        // Thai and Lao: a vowel and a tone, and one to spare.
        '\u{E00}'..='\u{EFF}' => 3,
        // Hebrew and Arabic: a point, a vowel and a cantillation mark, and one to spare.
        '\u{590}'..='\u{8FF}' => 4,
        // Tibetan and the scripts of India stack letters.
        _ => MOST_MARKS,
    }
}
