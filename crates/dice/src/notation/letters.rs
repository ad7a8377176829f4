//! The letters of dice expressions: signs of other keyboards, blanks, and text that resembles dice.

use super::Notation;

/// Maps typographic and full-width signs, which keyboards and web pages use in dice, to ASCII.
pub fn ascii_form(letter: char) -> char {
    match letter {
        // Hyphens, dashes and minus signs.
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
        // Multiplication signs, dots and asterisks.
        '×' | '✕' | '✖' | '·' | '⋅' | '∙' | '∗' | '•' => '*',
        '\u{2044}' | '\u{2215}' | '÷' => '/',
        // The full-width forms of ASCII: digits, letters, signs and brackets.
        '\u{ff01}'..='\u{ff5e}' => {
            let ascii = u32::from(letter) - 0xff01 + u32::from('!');
            char::from_u32(ascii).unwrap_or(letter)
        }
        _ => letter,
    }
}

/// True if `text` begins like a dice expression, even one with a mistake: `7d6^2`, `(d20`, `6x 4d6`, `adv+`, `3d`.
///
/// The answer only decides which error is reported for a text without a meaning, so a name such as `D4rk` may resemble
/// dice without harm.
pub fn resembles_dice(text: &str) -> bool {
    let letters: Vec<char> = text.trim().chars().collect();
    if let [digits @ .., 'x' | 'X'] = letters.as_slice() {
        return !digits.is_empty() && digits.iter().all(char::is_ascii_digit);
    }
    let start = repeat_prefix(&letters).map_or(0, |prefix| prefix.end);
    let text: String = letters[start..].iter().copied().map(ascii_form).collect();
    let text = text.trim_start_matches(['(', '+', '-', ' ']);

    let letters: Vec<char> = text.chars().collect();
    if let Some((_, length)) = advantage_word(&letters) {
        let after = letters.get(length);
        return after.is_some_and(|letter| "+-*/#".contains(*letter));
    }
    resembles_dice_term(text)
}

/// True if `text` begins like dice: a count, a `d` and a number of sides. The count or the number of sides may be
/// missing.
fn resembles_dice_term(text: &str) -> bool {
    let after_count = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let has_count = after_count.len() < text.len();
    let Some(sides) = after_count.trim_start().strip_prefix(['d', 'D']) else {
        return false;
    };
    match sides.chars().next() {
        Some(letter) if letter.is_ascii_digit() || letter == '%' => true,
        Some('f' | 'F') | None => has_count,
        Some(letter) => has_count && !letter.is_alphabetic(),
    }
}

/// Returns an expression without blanks, as logs record it. A comment keeps its blanks, and so does an expression that
/// has another meaning without them: `2dFr - 1` subtracts 1, and `2dFr-1` re-rolls −1.
pub fn compact(text: &str) -> String {
    let (expression, comment) = match text.split_once('#') {
        Some((expression, comment)) => (expression, Some(comment)),
        None => (text, None),
    };

    let mut compact = without_blanks(expression);
    if let Ok(meaning) = expression.parse::<Notation>()
        && compact.parse() != Ok(meaning)
    {
        let expression_words: Vec<&str> = expression.split_whitespace().collect();
        compact = expression_words.join(" ");
    }

    if let Some(comment) = comment {
        let comment_words: Vec<&str> = comment.split_whitespace().collect();
        compact.push_str(" # ");
        compact.push_str(&comment_words.join(" "));
    }
    compact.trim().to_owned()
}

fn without_blanks(expression: &str) -> String {
    let letters: Vec<char> = expression.chars().collect();

    let mut compact = String::new();
    let mut start = 0;
    if let Some(prefix) = repeat_prefix(&letters) {
        // With `×`, the blank distinguishes the repetition `6× 4d6` from the product `6×4d6`. With the letter x it may
        // be left out.
        compact.extend(letters[..prefix.digits_end].iter());
        compact.push_str("x ");
        start = prefix.end;
    }
    compact.extend(
        letters[start..]
            .iter()
            .filter(|letter| !letter.is_whitespace()),
    );

    compact
}

/// The number and the sign before an expression that is rolled several times: `6x`.
pub(super) struct RepeatPrefix {
    /// The index after the number.
    pub digits_end: usize,
    /// The index after the sign.
    pub end: usize,
}

/// Finds the prefix of an expression that is rolled several times, as in `6x 4d6`, `6 x 4d6` or `6× 4d6`.
///
/// `6×4d6` and `6 × 4d6` are products, because they meant products before repetitions existed. An expression without dice,
/// such as `2x3`, is a product as well.
pub(super) fn repeat_prefix(letters: &[char]) -> Option<RepeatPrefix> {
    let digits_start = count_blanks(letters);
    let digits = letters[digits_start..]
        .iter()
        .take_while(|letter| ascii_form(**letter).is_ascii_digit())
        .count();
    let digits_end = digits_start + digits;
    if digits == 0 {
        return None;
    }

    let sign = digits_end + count_blanks(&letters[digits_end..]);
    let after_sign = letters.get(sign + 1..)?;
    let repeats = match letters[sign] {
        'x' | 'X' | 'ｘ' | 'Ｘ' => true,
        '×' | '✕' | '✖' => sign == digits_end && count_blanks(after_sign) > 0,
        _ => false,
    };
    let mut expression = after_sign.iter().take_while(|letter| **letter != '#');
    let rolls_dice = expression.any(|letter| matches!(letter, 'd' | 'D' | 'ｄ' | 'Ｄ'));

    if repeats && rolls_dice {
        Some(RepeatPrefix {
            digits_end,
            end: sign + 1,
        })
    } else {
        None
    }
}

fn count_blanks(letters: &[char]) -> usize {
    letters
        .iter()
        .take_while(|letter| letter.is_whitespace())
        .count()
}

/// Which of two d20 counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advantage {
    Advantage,
    Disadvantage,
}

/// The words for advantage and disadvantage.
const ADVANTAGE_WORDS: [(&str, Advantage); 5] = [
    ("advantage", Advantage::Advantage),
    ("adv", Advantage::Advantage),
    ("disadvantage", Advantage::Disadvantage),
    ("disadv", Advantage::Disadvantage),
    ("dis", Advantage::Disadvantage),
];

/// Finds a word for advantage or disadvantage at the start, and returns its length.
pub(super) fn advantage_word(letters: &[char]) -> Option<(Advantage, usize)> {
    if !matches!(letters.first(), Some('a' | 'A' | 'd' | 'D')) {
        return None;
    }

    for (word, advantage) in ADVANTAGE_WORDS {
        let length = word.len();
        let Some(start) = letters.get(..length) else {
            continue;
        };
        let is_word = start
            .iter()
            .copied()
            .map(|letter| letter.to_ascii_lowercase())
            .eq(word.chars());
        // A product may follow without a blank, as in `advx2`.
        let ends = match letters.get(length) {
            Some('x' | 'X') | None => true,
            Some(letter) => !letter.is_alphabetic(),
        };
        if is_word && ends {
            return Some((advantage, length));
        }
    }
    None
}
