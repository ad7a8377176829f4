//! Words from outside made safe to store and show, and measured the way a terminal measures them.
//!
//! Names, notes, pastes and files are written by strangers. One sanitiser stands at each boundary, so
//! that no text can move the cursor, turn the line around, hide in it, or tower over it.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Stands where a character was that may not be shown.
pub const REPLACEMENT: char = '\u{FFFD}';

/// Accents that one letter may carry; more of them climb over the lines above.
const MARKS_PER_LETTER: usize = 2;

/// Makes `text` safe, and cuts it after `limit` characters.
///
/// Line ends and tabs become a blank; whatever steers, hides or reorders becomes `\u{FFFD}`, so that
/// it is seen. The choice between emoji and text form (U+FE00–FE0F) is dropped: terminals disagree
/// about its width, and a table of names must stay straight.
pub fn sanitise(text: &str, limit: usize) -> Cow<'_, str> {
    if is_plain(text, limit) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len().min(limit.saturating_mul(4)));
    let mut left = limit;
    let mut marks = MARKS_PER_LETTER; // a text may not begin with a mark: it has no letter to sit on
    let mut letters = text.chars().peekable();
    while left > 0
        && let Some(letter) = letters.next()
    {
        let shown = match letter {
            '\r' if letters.peek() == Some(&'\n') => continue,
            '\n' | '\r' | '\t' => ' ',
            '\u{FE00}'..='\u{FE0F}' => continue,
            hostile if is_hostile(hostile) => REPLACEMENT,
            mark if is_mark(mark) => {
                marks += 1;
                if marks > MARKS_PER_LETTER {
                    if clean.is_empty() {
                        REPLACEMENT
                    } else {
                        continue;
                    }
                } else {
                    mark
                }
            }
            plain => plain,
        };
        if !is_mark(shown) {
            marks = 0;
        }
        clean.push(shown);
        left -= 1;
    }
    Cow::Owned(clean)
}

/// The text with a backslash before each of these signs.
pub fn escaped(text: &str, signs: &str) -> String {
    let backslash = |letter| signs.contains(letter).then_some('\\');
    let letters = text.chars();
    letters
        .flat_map(|letter| backslash(letter).into_iter().chain([letter]))
        .collect()
}

/// JSON says the same with characters that steer a terminal spelled out.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let steers = |letter: char| letter != '\n' && is_hostile(letter);
    if !json.contains(steers) {
        return Cow::Borrowed(json);
    }
    let mut safe = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if steers(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(safe, "\\u{unit:04x}").unwrap_or_default();
            }
        } else {
            safe.push(letter);
        }
    }
    Cow::Owned(safe)
}

/// Whether a character steers, hides or reorders, and may never reach a terminal from outside.
pub fn is_hostile(letter: char) -> bool {
    matches!(
        letter,
        '\u{00}'..='\u{1F}'
            | '\u{7F}'..='\u{9F}'
            | '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// The columns that `text` takes on a terminal.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    // Unicode counts the halfwidth voicing marks as accents; terminals give each a column.
    text.width() + text.matches(['\u{FF9E}', '\u{FF9F}']).count()
}

/// Cuts `text` to at most `columns`, between whole letters, with an ellipsis where something is gone.
pub fn fit(text: &str, columns: usize) -> Cow<'_, str> {
    fit_with(text, columns, "…")
}

/// The same with another sign for what is gone, such as `~` where only ASCII may be shown.
pub fn fit_with<'a>(text: &'a str, columns: usize, gone: &str) -> Cow<'a, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let sign = width(gone);
    if columns < sign {
        return Cow::Borrowed("");
    }
    let mut room = columns - sign;
    let kept = text.graphemes(true).map_while(|letter| {
        room = room.checked_sub(width(letter))?;
        Some(letter)
    });
    Cow::Owned(kept.chain([gone]).collect())
}

/// The text with a capital letter.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Names in a row: `Mira`, `Mira and Bo`, `Mira, Bo and Wren`.
pub fn in_a_row(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        names => names.concat(),
    }
}

/// These in a row, with that between them.
pub fn joined(all: impl IntoIterator<Item = impl Display>, between: &str) -> String {
    let all = all.into_iter().map(|one| one.to_string());
    all.collect::<Vec<_>>().join(between)
}

/// A number of things: `1 clock`, `3 clocks`, `2 entries`.
pub fn many(count: impl Display, what: &str) -> String {
    let count = count.to_string();
    match what.strip_suffix("ry") {
        _ if count == "1" => format!("{count} {what}"),
        Some(stem) => format!("{count} {stem}ries"),
        None => format!("{count} {what}s"),
    }
}

/// `; did you mean The alarm?`, where something is near.
pub fn did_you_mean(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("; did you mean {near}?"))
}

/// What an error says after a name that is not known: the one that is near, or all there are.
pub fn hint<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let near = nearest(typed, known.clone()).map(|name| format!("did you mean `{name}`?"));
    near.unwrap_or_else(|| format!("there are {}", known.collect::<Vec<_>>().join(", ")))
}

/// A word as a shell takes it: in quotation marks where it must be.
pub fn shell_word(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
    if word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The line, from 1, of a place in a text.
pub fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

/// What TOML finds wrong with a text, and in which line.
pub fn toml_fault(text: &str, error: &toml::de::Error) -> String {
    let line = line_of(text, error.span().map_or(0, |span| span.start));
    format!(
        "line {line}: {}",
        error.message().trim().replace('\n', ", ")
    )
}

/// Whether two words are the same but for large and small letters.
pub fn is_same(one: &str, other: &str) -> bool {
    let small = |letter: char| letter.to_lowercase();
    one == other
        || one
            .chars()
            .flat_map(small)
            .eq(other.chars().flat_map(small))
}

/// The name in `known` that somebody most likely meant by `typed`, for a helpful error.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = typed.chars().count();
    let allowed = letters.div_ceil(3);
    known
        .into_iter()
        .map(|name| (strsim::levenshtein(typed, name), name))
        // Where every letter is another it is no slip, but another word, or none.
        .filter(|(steps, _)| *steps <= allowed && *steps < letters)
        .min_by_key(|(steps, _)| *steps)
        .map(|(_, name)| name)
}

fn is_plain(text: &str, limit: usize) -> bool {
    let printable = |byte: u8| (b' '..=b'~').contains(&byte);
    text.len() <= limit && text.bytes().all(printable)
}

fn is_mark(letter: char) -> bool {
    letter.width() == Some(0) && !matches!(letter, '\u{FF9E}' | '\u{FF9F}')
}

/// Has each text of a table refused: behind `=> ` stands what is said of the lines above it.
#[cfg(test)]
#[track_caller]
pub(crate) fn mistakes(table: &str, refused: impl Fn(&str) -> String) {
    let mut text = Vec::new();
    for line in table.lines() {
        if let Some(due) = line.strip_prefix("=> ") {
            let text = std::mem::take(&mut text).join("\n");
            let said = refused(&text);
            assert!(said.contains(due), "{text}: {said}");
        } else {
            text.push(line);
        }
    }
    assert_eq!(text, Vec::<&str>::new());
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_words_are_not_copied() {
        assert!(matches!(sanitise("Mira the Bold", 40), Cow::Borrowed(_)));
    }

    #[test]
    fn letters_of_every_script_stay() {
        for name in ["Zoë", "Łukasz", "美咲", "Ὀδυσσεύς", "דוד", "ﾊﾟﾊﾟ", "🐉"]
        {
            assert_eq!(sanitise(name, 40), name);
        }
    }

    #[test]
    fn escapes_and_tricks_are_shown_as_replaced() {
        assert_eq!(sanitise("a\u{1b}[31mb", 40), "a\u{FFFD}[31mb");
        assert_eq!(sanitise("evil\u{202E}txt", 40), "evil\u{FFFD}txt");
        assert_eq!(sanitise("a\u{200B}b\u{E0041}", 40), "a\u{FFFD}b\u{FFFD}");
    }

    #[test]
    fn line_ends_and_tabs_become_one_blank() {
        assert_eq!(sanitise("a\r\nb\tc\rd\n", 40), "a b c d ");
    }

    #[test]
    fn towers_of_accents_are_cut_to_two() {
        assert_eq!(
            sanitise("o\u{300}\u{301}\u{302}\u{303}k", 40),
            "o\u{300}\u{301}k"
        );
        assert_eq!(sanitise("\u{300}k", 40), "\u{FFFD}k");
    }

    #[test]
    fn the_limit_counts_characters() {
        assert_eq!(sanitise("éééé", 2), "éé");
        assert_eq!(sanitise("abcd", 0), "");
    }

    #[test]
    fn a_cut_never_halves_a_letter() {
        assert_eq!(fit("美咲さん", 5), "美咲…");
        assert_eq!(fit("美咲さん", 4), "美…");
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_with("abcdef", 4, "~"), "abc~");
    }

    #[test]
    fn a_slip_of_the_finger_is_understood() {
        assert_eq!(nearest("advence", ["back", "advance"]), Some("advance"));
        assert_eq!(nearest("quux", ["back", "advance"]), None);
        assert_eq!(nearest("1", ["", "x"]), None);
    }

    proptest! {
        #[test]
        fn no_text_keeps_its_tricks(text in any::<String>(), limit in 0_usize..80) {
            let clean = sanitise(&text, limit);
            prop_assert!(!clean.chars().any(is_hostile));
            prop_assert!(clean.chars().count() <= limit);
            let mut marks = 0;
            for letter in clean.chars() {
                marks = if is_mark(letter) { marks + 1 } else { 0 };
                prop_assert!(marks <= MARKS_PER_LETTER);
            }
            prop_assert_eq!(sanitise(&clean, limit), clean.as_ref());
        }

        #[test]
        fn a_fitted_text_fits(text in any::<String>(), columns in 0_usize..60) {
            let clean = sanitise(&text, 200);
            let cut = fit(&clean, columns);
            prop_assert!(width(&cut) <= columns);
            prop_assert!(clean.starts_with(cut.trim_end_matches('…')) || cut.is_empty());
        }
    }
}
