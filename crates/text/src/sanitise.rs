//! Makes text from outside safe to store and to show, without changing how a language is spelled.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar as _;

use super::script::{
    is_cursive, is_ideograph, is_mongolian, is_virama, joins_letters, separates_words_unseen,
};

/// Shown in place of a character that may not be shown.
pub const REPLACEMENT: char = '\u{FFFD}';

const NON_JOINER: char = '\u{200C}';
const JOINER: char = '\u{200D}';
const WORD_SEPARATOR: char = '\u{200B}';
const MONGOLIAN_SEPARATOR: char = '\u{180E}';
const GRAPHEME_JOINER: char = '\u{34F}';
const BLACK_FLAG: char = '\u{1F3F4}';
const CANCEL_TAG: char = '\u{E007F}';

/// The most tags in a flag, for example `gbsct` for Scotland.
const MOST_TAGS: usize = 6;

/// The most marks on one letter, whatever its script.
const MOST_MARKS: usize = 8;

/// Whether the end of a text is the end of what is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Nothing follows: a joiner there joins nothing.
    Closed,
    /// The next letter is still to be typed: a joiner there may join it.
    Open,
}

/// Makes `text` safe, puts it into Unicode's composed form (NFC), and cuts it after `limit` characters.
///
/// - Line ends and tabs become a blank.
/// - A character that controls a terminal or reverses the text becomes `\u{FFFD}`, so that it is seen.
/// - An invisible character stays where the spelling of a word or an emoji needs it. Elsewhere it is removed.
/// - A letter keeps as many marks as its script needs. More of them would cover the lines above.
pub fn sanitise(text: &str, limit: usize) -> Cow<'_, str> {
    clean(text, limit, End::Closed)
}

/// The same for a text that is still being typed: a joiner may stand at its end.
pub fn sanitise_typed(text: &str, limit: usize) -> Cow<'_, str> {
    clean(text, limit, End::Open)
}

/// Makes a name safe: [`sanitise`], without blanks and invisible characters at its ends.
pub fn sanitise_name(name: &str, limit: usize) -> String {
    let is_lost = |letter: char| letter.is_whitespace() || is_lost_at_end(letter);
    let name = name.trim_matches(is_lost);
    // The cut may end with a blank.
    sanitise(name, limit).trim().to_owned()
}

fn clean(text: &str, limit: usize, end: End) -> Cow<'_, str> {
    if is_plain(text, limit) {
        return Cow::Borrowed(text);
    }

    let mut clean = clean_once(text, limit, end);
    loop {
        // A mark that was removed, or the cut, may have separated a joiner from its letter or a flag from its tags.
        let cleaner = clean_once(&clean, limit, end);
        if cleaner == clean {
            return Cow::Owned(clean);
        }
        clean = cleaner;
    }
}

fn clean_once(text: &str, limit: usize, end: End) -> String {
    let characters = compose(clean_characters(text, end));
    let mut clean = compose(limit_marks(&characters));
    if let Some((cut, _)) = clean.char_indices().nth(limit) {
        clean.truncate(cut);
    }
    clean
}

/// Whether a character controls a terminal or reverses the text. It may never reach a terminal from outside.
pub fn is_hostile(letter: char) -> bool {
    matches!(
        letter,
        '\u{00}'..='\u{1F}'
            | '\u{7F}'..='\u{9F}'
            | '\u{61C}'
            | '\u{200E}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2066}'..='\u{206F}'
            | '\u{FFF9}'..='\u{FFFB}'
    )
}

/// Whether a character is invisible (Unicode's `Default_Ignorable_Code_Point`) and not hostile.
pub fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
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

/// Whether a character in a text made safe belongs to the spelling of a word without being a letter: an accent, a
/// vowel sign, a joiner.
pub fn is_spelling_mark(letter: char) -> bool {
    is_mark(letter) && !is_hostile(letter)
}

/// Whether a character takes no column of its own.
pub(super) fn is_mark(letter: char) -> bool {
    letter.width() == Some(0) && !is_voicing_mark(letter)
}

/// The halfwidth voicing marks. Unicode counts them as accents, but terminals give each a column.
pub(super) fn is_voicing_mark(letter: char) -> bool {
    matches!(letter, '\u{FF9E}' | '\u{FF9F}')
}

fn is_plain(text: &str, limit: usize) -> bool {
    let is_printable = |byte: u8| (b' '..=b'~').contains(&byte);
    text.len() <= limit && text.bytes().all(is_printable)
}

fn compose(text: String) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text,
        _ => text.nfc().collect(),
    }
}

/// Replaces hostile characters and line ends, and removes invisible characters that do nothing where they stand.
fn clean_characters(text: &str, end: End) -> String {
    let text = text.trim_start_matches(is_lost_at_start);
    let text = text.trim_end_matches(is_lost_at_end);

    let mut clean = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        let after = rest.as_str();
        match letter {
            '\r' if after.starts_with('\n') => {}
            '\n' | '\r' | '\t' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                clean.push(' ');
            }
            _ if is_hostile(letter) => clean.push(REPLACEMENT),
            BLACK_FLAG => {
                clean.push(letter);
                if let Some(tags) = flag_tags(after) {
                    clean.push_str(tags);
                    rest = after.strip_prefix(tags).unwrap_or(after).chars();
                }
            }
            _ if is_invisible(letter) => {
                if is_needed(letter, &clean, after, end) {
                    clean.push(letter);
                }
            }
            _ => clean.push(letter),
        }
    }

    clean
}

/// Whether a character does nothing at the beginning of a text.
fn is_lost_at_start(letter: char) -> bool {
    // A Korean syllable may begin with a filler.
    is_direction_mark(letter) || is_invisible(letter) && letter != '\u{115F}'
}

/// Whether a character does nothing at the end of a text, whatever stands before it.
fn is_lost_at_end(letter: char) -> bool {
    let is_blank = matches!(
        letter,
        '\u{AD}' | WORD_SEPARATOR | '\u{2060}'..='\u{2065}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}'
    );
    is_blank || is_direction_mark(letter)
}

/// The marks that only set the direction of the text around them.
fn is_direction_mark(letter: char) -> bool {
    matches!(letter, '\u{61C}' | '\u{200E}' | '\u{200F}')
}

/// The tags behind a black flag that make it the flag of a region, for example of Wales.
fn flag_tags(after: &str) -> Option<&str> {
    let is_tag =
        |letter: char| matches!(letter, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let length = after.find(|letter| !is_tag(letter))?;
    let (tags, behind) = after.split_at(length);
    if !(3..=MOST_TAGS).contains(&tags.chars().count()) || !behind.starts_with(CANCEL_TAG) {
        return None;
    }
    after.get(..length + CANCEL_TAG.len_utf8())
}

/// Whether an invisible character changes how the text around it is read: `before` is clean already.
fn is_needed(unseen: char, before: &str, after: &str, end: End) -> bool {
    let Some(previous) = before.chars().next_back() else {
        return false;
    };
    let next = after
        .chars()
        .find(|letter| !is_invisible(*letter) && !is_direction_mark(*letter));

    let is_next = |is: fn(char) -> bool| match (next, end) {
        (Some(next), _) => is(next),
        (None, End::Open) => true,
        (None, End::Closed) => false,
    };

    match unseen {
        // Old Malayalam and Sinhala end words with a virama and a joiner, which is seen.
        JOINER if is_virama(previous) => true,
        // `ه‍.` is written with the letter's initial form.
        JOINER if is_cursive(previous) => next.is_some() || end == End::Open,
        JOINER | NON_JOINER if joins_letters(previous) => is_next(joins_letters),
        JOINER => match next {
            Some(next) => joins_emoji(before, next),
            None => end == End::Open && joins_emoji(before, previous_base(before)),
        },
        WORD_SEPARATOR => separates_words_unseen(previous) && is_next(separates_words_unseen),
        MONGOLIAN_SEPARATOR => is_mongolian(previous) && is_next(is_mongolian),
        '\u{180B}'..='\u{180D}' | '\u{180F}' => is_mongolian(previous),
        // Between two marks it keeps them in their order, as biblical Hebrew needs it.
        GRAPHEME_JOINER => is_mark(previous) && !is_invisible(previous) && is_next(is_mark),
        '\u{FE0E}' | '\u{FE0F}' => {
            is_emoji(previous)
                || is_ideograph(previous)
                || matches!(previous, '0'..='9' | '#' | '*') && after.starts_with('\u{20E3}')
        }
        '\u{FE00}'..='\u{FE0D}' => has_variants(previous),
        '\u{E0100}'..='\u{E01EF}' => is_ideograph(previous),
        // Fillers stand for the missing part of an old Korean syllable.
        '\u{115F}' => matches!(
            next,
            Some('\u{1161}'..='\u{11A7}' | '\u{D7B0}'..='\u{D7C6}')
        ),
        '\u{1160}' => matches!(previous, '\u{1100}'..='\u{115E}' | '\u{A960}'..='\u{A97C}'),
        _ => false,
    }
}

/// Whether a joiner between the end of `before` and `next` makes one emoji of the two.
fn joins_emoji(before: &str, next: char) -> bool {
    let Some(emoji) = before.graphemes(true).next_back() else {
        return false;
    };
    // Only pictures are one unit with what follows a joiner.
    let joined = format!("{emoji}{JOINER}{next}");
    !emoji.ends_with(JOINER) && joined.graphemes(true).count() == 1 && is_emoji(next)
}

/// The first character of the last unit of a text.
fn previous_base(before: &str) -> char {
    let unit = before.graphemes(true).next_back().unwrap_or_default();
    unit.chars().next().unwrap_or(REPLACEMENT)
}

/// Whether a character is a picture: two of them with a joiner between them are one unit.
fn is_emoji(letter: char) -> bool {
    if letter.is_ascii() || joins_letters(letter) || is_mark(letter) {
        return false;
    }
    format!("{letter}{JOINER}{letter}").graphemes(true).count() == 1
}

/// Whether Unicode's list of standardised variants has other forms of a character than those of emoji.
fn has_variants(letter: char) -> bool {
    is_ideograph(letter)
        || matches!(letter,
            '0' | '\u{1000}'..='\u{109F}' | '\u{2018}'..='\u{201F}' | '\u{2200}'..='\u{22FF}'
            | '\u{2A00}'..='\u{2AFF}' | '\u{3000}'..='\u{30FF}' | '\u{A840}'..='\u{A877}'
            | '\u{AA60}'..='\u{AA7F}' | '\u{FF01}'..='\u{FF60}' | '\u{10AC0}'..='\u{10AFF}'
            | '\u{13000}'..='\u{1345F}')
}

/// Removes marks beyond those that a letter of their script carries.
fn limit_marks(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    // A text may not begin with a mark, which would sit on whatever stands before the text.
    let mut marks = MOST_MARKS;
    let mut previous = None;
    let mut is_repeated = false;

    for letter in text.chars() {
        if is_invisible(letter) || !is_mark(letter) {
            if !is_mark(letter) {
                marks = 0;
            }
            clean.push(letter);
            previous = None;
            continue;
        }

        is_repeated = previous == Some(letter) && (is_repeated || marks > 1);
        if marks < most_marks(letter) && !is_repeated {
            clean.push(letter);
            marks += 1;
            previous = Some(letter);
        } else if clean.is_empty() {
            clean.push(REPLACEMENT);
            marks = 0;
        }
    }

    clean
}

/// The most marks of this mark's script that one letter carries in writing.
fn most_marks(mark: char) -> usize {
    match mark {
        // Accents of any script. Those that a language needs are part of a composed letter, but for two.
        '\u{300}'..='\u{36F}'
        | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{FE20}'..='\u{FE2F}'
        | '\u{483}'..='\u{489}'
        // The vowel and the end of a Korean syllable.
        | '\u{1160}'..='\u{11FF}'
        | '\u{D7B0}'..='\u{D7FF}' => 2,
        // Thai and Lao write a vowel and a tone, Hebrew and Arabic a point, a vowel and a sign of chant.
        '\u{E00}'..='\u{EFF}' => 3,
        '\u{590}'..='\u{8FF}' => 4,
        // Tibetan and the scripts of India stack letters.
        _ => MOST_MARKS,
    }
}

#[cfg(test)]
mod tests;
