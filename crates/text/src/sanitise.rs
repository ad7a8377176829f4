//! Makes text from outside safe to store and to show, without changing how a language is spelled.
//!
//! [`clean_once`] does the work in this order: it replaces hostile characters and removes useless invisible ones,
//! composes the text, limits the marks on each letter ([`marks`]), and cuts the text to its limit.

mod invisible;
mod marks;

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use self::invisible::{flag_tags, is_needed, is_useless_at_either_end, is_useless_at_start};
use self::marks::{is_mark, limit_marks};

pub use self::invisible::is_invisible;
pub(super) use self::marks::is_voicing_mark;

/// The character shown instead of a hostile character.
pub const REPLACEMENT: char = '\u{FFFD}';

const BLACK_FLAG: char = '\u{1F3F4}';

/// Distinguishes complete text from text that is being typed. A joiner at the end of an unfinished text must be kept,
/// because it belongs to the next letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextEnd {
    Complete,
    StillTyping,
}

/// Makes `text` safe, puts it into Unicode's composed form (NFC), and cuts it after `limit` characters.
///
/// - Each line end and each tab becomes a space.
/// - A character that controls a terminal or reverses text becomes `\u{FFFD}`, so that readers notice it.
/// - An invisible character is kept if the spelling of a word or an emoji needs it, and removed otherwise.
/// - A letter keeps as many marks as its script needs. More marks would cover the lines above.
///
/// Sanitising a safe text returns it unchanged.
pub fn sanitise(text: &str, limit: usize) -> Cow<'_, str> {
    clean(text, limit, TextEnd::Complete)
}

/// Makes an unfinished text safe, as [`sanitise`] does, but keeps a joiner at its end for the next letter.
pub fn sanitise_typed(text: &str, limit: usize) -> Cow<'_, str> {
    clean(text, limit, TextEnd::StillTyping)
}

/// Makes a name safe, as [`sanitise`] does, and removes spaces and invisible characters at its ends.
pub fn sanitise_name(name: &str, limit: usize) -> String {
    let trimmed = name.trim_matches(|character: char| {
        character.is_whitespace() || is_useless_at_either_end(character)
    });

    // Cutting at the limit can leave a space at the end.
    sanitise(trimmed, limit).trim().to_owned()
}

/// True for a character that controls a terminal or reverses text. No text from outside may contain one.
pub fn is_hostile(character: char) -> bool {
    matches!(
        character,
        '\u{00}'..='\u{1F}'
            | '\u{7F}'..='\u{9F}'
            | '\u{61C}'
            | '\u{200E}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2066}'..='\u{206F}'
            | '\u{FFF9}'..='\u{FFFB}'
    )
}

/// True for an accent, a vowel sign or a joiner: part of a word, although not a letter.
pub fn is_spelling_mark(character: char) -> bool {
    is_mark(character) && !is_hostile(character)
}

fn clean(text: &str, limit: usize, end: TextEnd) -> Cow<'_, str> {
    if text.len() <= limit && is_printable_ascii(text) {
        return Cow::Borrowed(text);
    }

    // Removing a mark, or cutting the text, can separate a joiner from its letter or tags from their flag. The next
    // pass removes such joiners and tags.
    let mut cleaned = clean_once(text, limit, end);
    loop {
        let cleaned_again = clean_once(&cleaned, limit, end);
        if cleaned_again == cleaned {
            return Cow::Owned(cleaned);
        }
        cleaned = cleaned_again;
    }
}

fn is_printable_ascii(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

fn clean_once(text: &str, limit: usize, end: TextEnd) -> String {
    let characters = compose(clean_characters(text, end));
    let mut cleaned = compose(limit_marks(&characters));
    if let Some((cut, _)) = cleaned.char_indices().nth(limit) {
        cleaned.truncate(cut);
    }

    cleaned
}

fn compose(text: String) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text,
        IsNormalized::No | IsNormalized::Maybe => text.nfc().collect(),
    }
}

/// Replaces hostile characters and line ends, and removes the invisible characters that no spelling needs.
fn clean_characters(text: &str, end: TextEnd) -> String {
    let trimmed = text
        .trim_start_matches(is_useless_at_start)
        .trim_end_matches(is_useless_at_either_end);

    let mut cleaned = String::with_capacity(trimmed.len());
    let mut characters = trimmed.chars();
    while let Some(character) = characters.next() {
        let after = characters.as_str();
        match character {
            // The line feed that follows becomes the space.
            '\r' if after.starts_with('\n') => {}
            '\n' | '\r' | '\t' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                cleaned.push(' ');
            }
            BLACK_FLAG => {
                let tags = flag_tags(after);
                cleaned.push(BLACK_FLAG);
                cleaned.push_str(tags);
                characters = after.strip_prefix(tags).unwrap_or(after).chars();
            }
            _ if is_hostile(character) => cleaned.push(REPLACEMENT),
            _ if is_invisible(character) => {
                if is_needed(character, &cleaned, after, end) {
                    cleaned.push(character);
                }
            }
            _ => cleaned.push(character),
        }
    }

    cleaned
}

#[cfg(test)]
mod tests;
