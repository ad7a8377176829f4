//! Decides which invisible characters a text needs: joiners, variation selectors, separators, flag tags.

use unicode_segmentation::UnicodeSegmentation as _;

use super::marks::is_mark;
use super::{REPLACEMENT, TextEnd};
use crate::script::{
    has_variants, is_cursive, is_ideograph, is_mongolian, is_virama, uses_joiners,
    uses_zero_width_spaces,
};

const NON_JOINER: char = '\u{200C}';
const JOINER: char = '\u{200D}';
const ZERO_WIDTH_SPACE: char = '\u{200B}';
const MONGOLIAN_SEPARATOR: char = '\u{180E}';
const GRAPHEME_JOINER: char = '\u{34F}';
const HANGUL_INITIAL_FILLER: char = '\u{115F}';
const HANGUL_VOWEL_FILLER: char = '\u{1160}';
const KEYCAP: char = '\u{20E3}';
const CANCEL_TAG: char = '\u{E007F}';

/// True for an invisible character (Unicode's `Default_Ignorable_Code_Point`) that is not hostile.
pub fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{AD}'
            | '\u{34F}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200D}'
            | '\u{2060}'..='\u{2065}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFF8}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// True for an invisible character that has no effect at the start of a text.
pub(super) fn is_useless_at_start(character: char) -> bool {
    // An old Korean syllable can begin with a filler.
    is_direction_mark(character) || is_invisible(character) && character != HANGUL_INITIAL_FILLER
}

/// True for an invisible character that has no effect at the end of a text, whatever precedes it.
///
/// Joiners and variation selectors can change the character before them, so [`is_needed`] decides about those.
pub(super) fn is_useless_at_either_end(character: char) -> bool {
    let is_separator_or_filler = matches!(
        character,
        '\u{AD}' | ZERO_WIDTH_SPACE | '\u{2060}'
            ..='\u{2065}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
    );

    is_separator_or_filler || is_direction_mark(character)
}

/// True for a mark that only sets the direction of the text around it.
fn is_direction_mark(character: char) -> bool {
    matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}')
}

/// Returns the tags at the start of `after_flag` that turn a black flag into a region's flag, for example `gbwls` for
/// Wales, with the tag that ends them. Returns an empty text if the tags are not complete.
pub(super) fn flag_tags(after_flag: &str) -> &str {
    let Some(tags_end) = after_flag.find(|character| !is_flag_tag(character)) else {
        return "";
    };

    let (tags, after_tags) = after_flag.split_at(tags_end);
    let tag_count = tags.chars().count();
    let is_region = (3..=6).contains(&tag_count);
    if !is_region || !after_tags.starts_with(CANCEL_TAG) {
        return "";
    }

    after_flag
        .get(..tags_end + CANCEL_TAG.len_utf8())
        .unwrap_or_default()
}

/// True for an invisible digit or letter in the name of a region.
fn is_flag_tag(character: char) -> bool {
    matches!(character, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}')
}

/// True if the invisible character between `before` and `after` changes how the text is read.
///
/// `before` is sanitised already, and `after` is not.
pub(super) fn is_needed(invisible: char, before: &str, after: &str, end: TextEnd) -> bool {
    let Some(previous) = before.chars().next_back() else {
        return false;
    };
    let next_visible = after
        .chars()
        .find(|character| !is_invisible(*character) && !is_direction_mark(*character));

    // At the end of a text that is being typed, the next character is not known yet and may be a suitable one.
    let next_is = |is_suitable: fn(char) -> bool| match next_visible {
        Some(character) => is_suitable(character),
        None => end == TextEnd::StillTyping,
    };

    match invisible {
        // Malayalam text from before Unicode 5.1, and Sinhala, can end a word with a virama and a joiner, which change
        // the shape of the letter.
        JOINER if is_virama(previous) => true,
        // A cursive letter takes its initial form before a joiner, as in the Persian abbreviation `ه‍.ش`.
        JOINER if is_cursive(previous) => next_is(|_| true),
        JOINER | NON_JOINER if uses_joiners(previous) => next_is(uses_joiners),
        JOINER => match next_visible {
            Some(character) => joins_emoji(before, character),
            // The next emoji is not known yet. The joiner is kept if the previous emoji could be joined to itself.
            None => {
                end == TextEnd::StillTyping && joins_emoji(before, start_of_last_cluster(before))
            }
        },
        ZERO_WIDTH_SPACE => uses_zero_width_spaces(previous) && next_is(uses_zero_width_spaces),
        MONGOLIAN_SEPARATOR => is_mongolian(previous) && next_is(is_mongolian),
        '\u{180B}'..='\u{180D}' | '\u{180F}' => is_mongolian(previous),
        // Biblical Hebrew uses the grapheme joiner between two marks to keep their order.
        GRAPHEME_JOINER => is_mark(previous) && !is_invisible(previous) && next_is(is_mark),
        // The text and emoji variation selectors.
        '\u{FE0E}' | '\u{FE0F}' => {
            let is_keycap_base = matches!(previous, '0'..='9' | '#' | '*');
            is_emoji(previous)
                || is_ideograph(previous)
                || is_keycap_base && after.starts_with(KEYCAP)
        }
        '\u{FE00}'..='\u{FE0D}' => has_variants(previous),
        '\u{E0100}'..='\u{E01EF}' => is_ideograph(previous),
        // A filler replaces the missing part of an old Korean syllable.
        HANGUL_INITIAL_FILLER => {
            matches!(
                next_visible,
                Some('\u{1161}'..='\u{11A7}' | '\u{D7B0}'..='\u{D7C6}')
            )
        }
        HANGUL_VOWEL_FILLER => {
            matches!(previous, '\u{1100}'..='\u{115E}' | '\u{A960}'..='\u{A97C}')
        }
        _ => false,
    }
}

/// True if a joiner between `before` and `next` combines two emoji into one.
fn joins_emoji(before: &str, next: char) -> bool {
    let Some(last_cluster) = before.graphemes(true).next_back() else {
        return false;
    };
    if last_cluster.ends_with(JOINER) || !is_emoji(next) {
        return false;
    }

    is_one_cluster(&format!("{last_cluster}{JOINER}{next}"))
}

fn start_of_last_cluster(text: &str) -> char {
    let last_cluster = text.graphemes(true).next_back().unwrap_or_default();
    last_cluster.chars().next().unwrap_or(REPLACEMENT)
}

/// True for an emoji. A joiner between two emoji makes them one grapheme cluster. Apart from marks and letters of scripts
/// with joiners, no other character behaves like this.
fn is_emoji(character: char) -> bool {
    if character.is_ascii() || uses_joiners(character) || is_mark(character) {
        return false;
    }

    is_one_cluster(&format!("{character}{JOINER}{character}"))
}

fn is_one_cluster(text: &str) -> bool {
    text.graphemes(true).count() == 1
}
