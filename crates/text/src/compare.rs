//! Compares names and words the way a reader does.
//!
//! A text is stored exactly as its author wrote it. A comparison ignores the differences that keyboards, spreadsheets
//! and file systems introduce: letter case, composed or separate accents, typographic quotes and dashes, full-width
//! letters, kinds of space, and variants of one character. [`fold`] computes the form that is compared.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::join;

/// Folds `text` for comparison: lower case, plain quotes and dashes, one space between words, no space at the ends.
pub fn fold(text: &str) -> String {
    let folded = fold_keeping_spaces(text);
    join(folded.split_whitespace(), " ")
}

/// Folds `text` as [`fold`] does, but keeps all spaces, for searches while the query is still being typed.
pub fn fold_keeping_spaces(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }

    let plain = plain_characters(text);

    // Upper case first, because a letter can have two lower-case forms: `ß` and `ss`, `σ` and `ς`.
    let lower_case = plain.to_uppercase().to_lowercase().replace('ς', "σ");
    // The lower-case form of `İ` is `i` and a combining dot.
    lower_case.replace("i\u{307}", "i").nfc().collect()
}

/// Rewrites a number as an English keyboard types it: `−２` becomes `-2`. Letters keep their case, spaces are kept.
pub fn normalise_number(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }

    Cow::Owned(plain_characters(text).chars().map(plain_digit).collect())
}

/// True if a reader would take two names for the same.
pub fn is_same_name(first: &str, second: &str) -> bool {
    if first == second {
        return true;
    }
    if !first.is_ascii() || !second.is_ascii() {
        return fold(first) == fold(second);
    }

    // Most names are ASCII. Comparing them word by word avoids two allocations.
    let first_words = first.split_ascii_whitespace().map(AsciiWord);
    let second_words = second.split_ascii_whitespace().map(AsciiWord);
    first_words.eq(second_words)
}

/// A word that is equal to another one if both differ at most in letter case.
struct AsciiWord<'a>(&'a str);

impl PartialEq for AsciiWord<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

/// Replaces typographic and full-width characters with ordinary ones, and removes ignored characters.
fn plain_characters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match plain_character(character) {
            // The compatibility forms (NFKC) of full-width and half-width characters are the ordinary characters.
            Some(wide @ ('\u{FF00}'..='\u{FFEF}' | '\u{FE50}'..='\u{FE6F}')) => {
                plain.extend(std::iter::once(wide).nfkc());
            }
            Some(ordinary) => plain.push(ordinary),
            None => {}
        }
    }

    plain
}

/// Returns the ASCII form of a typographic quote, dash or space, and every other character unchanged.
///
/// Returns `None` for an invisible character that comparisons ignore. Joiners are not ignored: they make words differ.
fn plain_character(character: char) -> Option<char> {
    let plain = match character {
        '‘' | '’' | '‚' | '‛' | '′' | '‵' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | 'ˈ' | '‹' | '›'
        | '＇' | '\u{5F3}' | '\u{A78B}' | '\u{A78C}' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '‶' | '«' | '»' | '〝' | '〞' | '〟' | '＂' | '\u{5F4}' => {
            '"'
        }
        '\u{2010}'..='\u{2015}'
        | '−'
        | '⁃'
        | '\u{58A}'
        | '\u{5BE}'
        | '\u{2E3A}'
        | '\u{2E3B}'
        | '﹘'
        | '﹣'
        | '－' => '-',
        // Word separator, soft hyphen, grapheme joiner and variation selectors.
        '\u{200B}' | '\u{AD}' | '\u{34F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => {
            return None;
        }
        space if space.is_whitespace() => ' ',
        other => other,
    };

    Some(plain)
}

/// Returns the ASCII digit for a decimal digit of another script, and every other character unchanged.
fn plain_digit(character: char) -> char {
    /// The zeros of the scripts in use today. In each script, the digits 1 to 9 follow the zero.
    const ZEROS: [char; 14] = [
        '\u{660}', '\u{6F0}', '\u{7C0}', '\u{966}', '\u{9E6}', '\u{A66}', '\u{AE6}', '\u{B66}',
        '\u{BE6}', '\u{C66}', '\u{CE6}', '\u{D66}', '\u{E50}', '\u{1040}',
    ];

    for zero in ZEROS {
        let distance = u32::from(character).wrapping_sub(u32::from(zero));
        if let Some(digit) = char::from_digit(distance, 10) {
            return digit;
        }
    }

    character
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_read_alike_are_the_same() {
        for (first, second) in [
            ("José", "Jose\u{301}"),
            ("JOSÉ", "jose\u{301}"),
            ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
            ("O’Brien", "O'Brien"),
            ("O‘Brien", "oʼbrien"),
            ("Jean–Luc", "Jean-Luc"),
            ("Jean\u{2011}Luc", "JEAN−LUC"),
            ("Old\u{A0}Tom", "old  tom"),
            (" Old Tom ", "Old\tTom"),
            ("Ｇｏｂｌｉｎ　２", "Goblin 2"),
            ("ﾊﾟﾊﾟ", "パパ"),
            ("Straße", "STRASSE"),
            ("Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ"),
            ("İstanbul", "istanbul"),
            ("❤\u{FE0F}", "❤"),
            ("葛\u{E0100}", "葛"),
            ("“The Blade”", "\"the blade\""),
        ] {
            assert!(is_same_name(first, second), "{first} {second}");
            assert_eq!(fold(first), fold(second));
        }
    }

    #[test]
    fn names_that_differ_stay_different() {
        for (first, second) in [
            ("José", "Jose"),
            ("Goblin", "Goblin 2"),
            ("می\u{200C}خواهم", "میخواهم"),
            ("Old Tom", "OldTom"),
            ("②", "2"),
            ("美", "咲"),
        ] {
            assert!(!is_same_name(first, second), "{first} {second}");
        }
    }

    #[test]
    fn numbers_of_any_keyboard_are_numbers() {
        for (typed, plain) in [
            ("−２", "-2"),
            ("–7", "-7"),
            ("＋１５．５", "+15.5"),
            ("１５，５", "15,5"),
            ("٣", "3"),
            ("४२", "42"),
            ("﹣1", "-1"),
        ] {
            assert_eq!(normalise_number(typed), plain);
        }
    }
}
