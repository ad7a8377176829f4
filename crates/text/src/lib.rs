//! Words from outside made safe to store and show, and measured the way a terminal measures them.
//!
//! Names, notes, pastes and files are written by strangers. One sanitiser stands at each boundary, so
//! that no text can move the cursor, turn the line around, hide in it, or tower over it.

mod compare;
mod sanitise;
mod script;

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

pub use compare::{fold, fold_characters, is_same_name, normalise_number};
pub use sanitise::{
    REPLACEMENT, is_hostile, is_invisible, is_spelling_mark, sanitise, sanitise_name,
    sanitise_typed,
};

/// The text with a backslash before each of these signs.
pub fn escape(text: &str, signs: &str) -> String {
    let backslash = |letter| signs.contains(letter).then_some('\\');
    let letters = text.chars();
    letters
        .flat_map(|letter| backslash(letter).into_iter().chain([letter]))
        .collect()
}

/// JSON says the same with characters that steer a terminal spelled out.
pub fn escape_json(json: &str) -> Cow<'_, str> {
    let steers = |letter: char| letter != '\n' && (is_hostile(letter) || is_invisible(letter));
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

/// The columns that `text` takes on a terminal: those of its letters, as the screen puts each into its own cells.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.graphemes(true).map(letter_width).sum()
}

fn letter_width(letter: &str) -> usize {
    let voicing_marks = letter.matches(sanitise::is_voicing_mark).count();
    letter.width() + voicing_marks
}

/// The form of a letter that takes its columns on every terminal, if that is another form than its own.
///
/// Terminals disagree about emoji that are made of several characters: one draws them as one picture, another draws
/// each character. Here only the first picture is left, with blanks up to the width that [`width`] counts.
pub fn portable_form(letter: &str) -> Option<String> {
    let columns = letter_width(letter);
    let of_each = |letter: char| letter.width().unwrap_or(0);
    if letter.chars().map(of_each).sum::<usize>() == letter.width() {
        return None;
    }

    let mut plain = String::new();
    let mut taken = 0;
    for sign in letter.chars().filter(|sign| !is_invisible(*sign)) {
        taken += of_each(sign);
        if taken > columns {
            break;
        }
        plain.push(sign);
    }
    let missing = columns.saturating_sub(letter_width(&plain));
    plain.push_str(&" ".repeat(missing));

    Some(plain)
}

/// Cuts `text` to at most `columns`, between whole letters, with an ellipsis where something is gone.
pub fn fit(text: &str, columns: usize) -> Cow<'_, str> {
    fit_with_marker(text, columns, "…")
}

/// The same with another sign for what is gone, such as `~` where only ASCII may be shown.
pub fn fit_with_marker<'a>(text: &'a str, columns: usize, gone: &str) -> Cow<'a, str> {
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
pub fn capitalise(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Names in a row: `Mira`, `Mira and Bo`, `Mira, Bo and Wren`.
pub fn join_with_and(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        names => names.concat(),
    }
}

/// These in a row, with that between them.
pub fn join(all: impl IntoIterator<Item = impl Display>, between: &str) -> String {
    let all = all.into_iter().map(|one| one.to_string());
    all.collect::<Vec<_>>().join(between)
}

/// A number of things: `1 clock`, `3 clocks`, `2 entries`.
pub fn pluralise(count: impl Display, what: &str) -> String {
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
pub fn suggest_or_list<'a>(typed: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let near = nearest(typed, known.clone()).map(|name| format!("did you mean `{name}`?"));
    near.unwrap_or_else(|| format!("there are {}", known.collect::<Vec<_>>().join(", ")))
}

/// A word as a shell takes it: in quotation marks where it must be.
pub fn quote_for_shell(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_.+".contains(letter);
    if word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The line, from 1, of a place in a text.
pub fn line_number(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|byte| *byte == b'\n').count()
}

/// What TOML finds wrong with a text, and in which line.
pub fn describe_toml_error(text: &str, error: &toml::de::Error) -> String {
    let line = line_number(text, error.span().map_or(0, |span| span.start));
    format!(
        "line {line}: {}",
        error.message().trim().replace('\n', ", ")
    )
}

/// The name in `known` that somebody most likely meant by `typed`, for a helpful error.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = fold(typed);
    let letters = typed.chars().count();
    let allowed = letters.div_ceil(3);
    known
        .into_iter()
        .map(|name| (strsim::levenshtein(&typed, &fold(name)), name))
        // Where every letter is another it is no slip, but another word, or none.
        .filter(|(steps, _)| *steps <= allowed && *steps < letters)
        .min_by_key(|(steps, _)| *steps)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cut_never_halves_a_letter() {
        assert_eq!(fit("美咲さん", 5), "美咲…");
        assert_eq!(fit("美咲さん", 4), "美…");
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_with_marker("abcdef", 4, "~"), "abc~");
    }

    #[test]
    fn letters_take_the_same_columns_on_every_terminal() {
        for (letter, plain) in [
            ("👩\u{200D}🚀", Some("👩")),
            ("👍🏽", Some("👍")),
            ("❤\u{FE0F}", Some("❤ ")),
            ("1\u{FE0F}\u{20E3}", Some("1\u{20E3} ")),
            ("🐉", None),
            ("🇩🇪", None),
            ("क्ष", None),
            ("ی\u{200C}", None),
            ("ﾊﾟ", None),
            ("é", None),
        ] {
            assert_eq!(portable_form(letter).as_deref(), plain, "{letter}");
        }
    }

    #[test]
    fn a_slip_of_the_finger_is_understood() {
        assert_eq!(nearest("advence", ["back", "advance"]), Some("advance"));
        assert_eq!(nearest("quux", ["back", "advance"]), None);
        assert_eq!(nearest("1", ["", "x"]), None);
    }

    proptest! {
        #[test]
        fn a_fitted_text_fits(text in any::<String>(), columns in 0_usize..60) {
            let clean = sanitise(&text, 200);
            let cut = fit(&clean, columns);
            prop_assert!(width(&cut) <= columns);
            prop_assert!(clean.starts_with(cut.trim_end_matches('…')) || cut.is_empty());
        }
    }
}
