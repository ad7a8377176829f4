//! The form in which names, words and searches are compared.
//!
//! A text is stored as it was written. Two texts are compared without what keyboards, spreadsheets and file
//! systems change by themselves: letter case, composed or separate accents, typographic quotes and dashes,
//! full-width letters, kinds of blanks, and variants of one sign.

use std::borrow::Cow;
use std::iter::zip;

use unicode_normalization::UnicodeNormalization as _;

/// The form in which a text is compared: small letters, plain signs, single blanks between words.
pub fn fold(text: &str) -> String {
    let signs = fold_characters(text);
    let words: Vec<&str> = signs.split_whitespace().collect();
    words.join(" ")
}

/// The same with blanks as they stand, for texts that are searched and typed.
pub fn fold_characters(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }

    let plain: String = text.chars().filter_map(plain_sign).nfkc_of_wide().collect();
    // Twice, as one letter may have two small forms: `ß` and `SS`, `σ` and `ς`.
    let small = plain.to_uppercase().to_lowercase();
    // `İ` becomes `i` with a dot of its own.
    let small = small.replace("i\u{307}", "i").replace('ς', "σ");
    small.nfc().collect()
}

/// Numbers and signs as a keyboard types them: `−２` becomes `-2`. Letters and blanks stay as they are.
pub fn normalise_number(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }

    let plain = text.chars().filter_map(plain_sign).map(plain_digit);
    Cow::Owned(plain.nfkc_of_wide().collect())
}

/// Whether two names are the same to a person who reads them.
pub fn is_same_name(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    if !one.is_ascii() || !other.is_ascii() {
        return fold(one) == fold(other);
    }

    let words = one.split_ascii_whitespace();
    let other_words = other.split_ascii_whitespace();
    words.clone().count() == other_words.clone().count()
        && zip(words, other_words).all(|(word, other)| word.eq_ignore_ascii_case(other))
}

/// The plain form of a typographic sign; `None` if the character is ignored in comparisons.
fn plain_sign(letter: char) -> Option<char> {
    let plain = match letter {
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
        '…' => return Some('…'),
        '\u{200B}' | '\u{AD}' | '\u{34F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}' => {
            return None;
        }
        blank if blank.is_whitespace() => ' ',
        other => other,
    };
    Some(plain)
}

/// A decimal digit of another script as one of ours.
fn plain_digit(letter: char) -> char {
    // The digits 0 to 9 of a script follow each other; here are the zeros that people type today.
    const ZEROS: [char; 14] = [
        '\u{660}', '\u{6F0}', '\u{7C0}', '\u{966}', '\u{9E6}', '\u{A66}', '\u{AE6}', '\u{B66}',
        '\u{BE6}', '\u{C66}', '\u{CE6}', '\u{D66}', '\u{E50}', '\u{1040}',
    ];
    for zero in ZEROS {
        let digit = u32::from(letter).wrapping_sub(u32::from(zero));
        if digit < 10 {
            return char::from_digit(digit, 10).unwrap_or(letter);
        }
    }
    letter
}

/// Characters with their full-width and half-width forms made ordinary.
trait OrdinaryWidth: Iterator<Item = char> + Sized {
    fn nfkc_of_wide(self) -> impl Iterator<Item = char> {
        self.flat_map(|letter| {
            let is_wide = matches!(letter, '\u{FF00}'..='\u{FFEF}' | '\u{FE50}'..='\u{FE6F}');
            let ordinary: Vec<char> = if is_wide {
                std::iter::once(letter).nfkc().collect()
            } else {
                vec![letter]
            };
            ordinary
        })
    }
}

impl<I: Iterator<Item = char>> OrdinaryWidth for I {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_read_alike_are_the_same() {
        for (one, other) in [
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
            assert!(is_same_name(one, other), "{one} {other}");
            assert_eq!(fold(one), fold(other));
        }
    }

    #[test]
    fn names_that_differ_stay_different() {
        for (one, other) in [
            ("José", "Jose"),
            ("Goblin", "Goblin 2"),
            ("می\u{200C}خواهم", "میخواهم"),
            ("Old Tom", "OldTom"),
            ("②", "2"),
            ("美", "咲"),
        ] {
            assert!(!is_same_name(one, other), "{one} {other}");
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
