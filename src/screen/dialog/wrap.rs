//! Sentences broken into lines between words.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::text::width;

/// The text in lines of at most so many columns; never none.
pub(in crate::screen) fn wrap(text: &str, columns: u16) -> Vec<String> {
    let room = usize::from(columns.max(1));
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width(&line) + 1 + width(word) > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        // A word longer than a line is broken between letters.
        for letter in word.graphemes(true) {
            if width(&line) + width(letter) > room && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(letter);
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sentences_break_between_words() {
        let said = "Each level adds the smallest die, and drops the lowest.";
        assert_eq!(
            wrap(said, 20),
            [
                "Each level adds the",
                "smallest die, and",
                "drops the lowest."
            ]
        );
        assert_eq!(wrap(" ", 20), [""]);
        assert_eq!(
            wrap("incomprehensibilities", 8),
            ["incompre", "hensibil", "ities"]
        );
    }

    proptest! {
        #[test]
        fn no_line_is_too_long_and_no_letter_is_lost(
            text in "[a-zé美 ,.]{0,80}",
            columns in 2_u16..40,
        ) {
            let lines = wrap(&text, columns);
            for line in &lines {
                prop_assert!(width(line) <= usize::from(columns));
            }
            let bare = |text: &str| text.chars().filter(|one| *one != ' ').collect::<String>();
            prop_assert_eq!(bare(&lines.concat()), bare(&text));
        }
    }
}
