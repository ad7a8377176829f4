//! Escapes and quotes text for Markdown, JSON and the shell.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{is_hostile, is_invisible};

/// Puts a backslash before each character of `text` that is in `special`. A backslash itself gets one only if `special`
/// contains it.
pub fn escape(text: &str, special: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if special.contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }

    escaped
}

/// Writes hostile and invisible characters of a JSON document as `\u` escapes, except line ends.
///
/// The result means the same to a JSON parser, and a terminal can show it safely.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    // Most documents are plain ASCII. Looking up each character would take longer than writing the document.
    if json.bytes().all(is_printable_ascii) || !json.contains(needs_json_escape) {
        return Cow::Borrowed(json);
    }

    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if needs_json_escape(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a `String` never fails.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }

    Cow::Owned(escaped)
}

fn is_printable_ascii(byte: u8) -> bool {
    byte == b'\n' || matches!(byte, b' '..=b'~')
}

fn needs_json_escape(character: char) -> bool {
    character != '\n' && (is_hostile(character) || is_invisible(character))
}

/// Quotes a word for a POSIX shell, if it needs quotes.
pub fn quote_for_shell(word: &str) -> String {
    let needs_no_quotes =
        |character: char| character.is_alphanumeric() || "-_.+".contains(character);
    if !word.is_empty() && word.chars().all(needs_no_quotes) {
        return word.to_owned();
    }

    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_ascii_needs_no_escape_in_json() {
        for byte in (0..=127).filter(|byte| is_printable_ascii(*byte)) {
            assert!(!needs_json_escape(char::from(byte)), "{byte}");
        }
    }

    #[test]
    fn special_characters_get_a_backslash() {
        assert_eq!(escape("*Old* Tom_", "*_"), r"\*Old\* Tom\_");
        assert_eq!(escape("Old Tom", "*_"), "Old Tom");
    }

    #[test]
    fn json_spells_out_what_a_terminal_would_obey() {
        assert!(matches!(escape_json("{\"a\": 1}\n"), Cow::Borrowed(_)));
        assert_eq!(
            escape_json("\"a\u{9B}b\u{200B}\"\n"),
            "\"a\\u009bb\\u200b\"\n"
        );
        // A character beyond U+FFFF takes two units of UTF-16.
        assert_eq!(escape_json("\u{E0041}"), "\\udb40\\udc41");
    }

    #[test]
    fn only_words_that_need_quotes_get_them() {
        assert_eq!(quote_for_shell("friday-2.bak"), "friday-2.bak");
        assert_eq!(quote_for_shell("München"), "München");
        assert_eq!(quote_for_shell(""), "''");
        assert_eq!(quote_for_shell("game night"), "'game night'");
        assert_eq!(quote_for_shell("Tom's"), r"'Tom'\''s'");
        assert_eq!(quote_for_shell("$HOME"), "'$HOME'");
    }
}
