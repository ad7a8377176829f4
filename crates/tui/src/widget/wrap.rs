//! Wrapping text into lines.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::widget::columns;

/// A blank at which lines do not break.
pub const HARD_BLANK: &str = "\u{a0}";

/// Wraps a text into lines of at most `width` columns. Returns at least one line.
pub fn wrap(text: &str, width: u16) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let lines = wrap_line(&Line::from(words.join(" ")), width).into_iter();
    let trimmed = lines.map(|line| line.to_string().trim_end().to_owned());
    trimmed.collect()
}

/// Wraps a line between words. A word that is wider than a line is split.
pub fn wrap_line(line: &Line<'_>, width: u16) -> Vec<Line<'static>> {
    let width = width.max(1);
    let mut lines = vec![Line::default()];
    let mut used = 0;
    let words = line.spans.iter().flat_map(|span| {
        let words = span.content.split_inclusive(' ');
        words.map(|word| (word, span.style))
    });
    let words: Vec<(&str, Style)> = words.collect();
    // Spans without a blank between them form one word.
    for whole in words.chunk_by(|(before, _), _| !before.ends_with(' ')) {
        let wide: u16 = whole.iter().map(|(word, _)| columns(word.trim_end())).sum();
        for (nth, (word, style)) in whole.iter().enumerate() {
            let own = columns(word.trim_end());
            let needed = if nth == 0 && wide <= width { wide } else { own };
            if used > 0 && used + needed > width {
                lines.push(Line::default());
                used = 0;
            }
            if own <= width {
                // A blank beyond the end would make the line too wide, and drawing would mark it as cut.
                let has_room = used + columns(word) <= width;
                let word = if has_room { word } else { word.trim_end() };
                put(&mut lines, word, *style);
                used += columns(word);
                continue;
            }
            for letter in word.graphemes(true) {
                let own = columns(letter);
                if used + own > width {
                    lines.push(Line::default());
                    used = 0;
                }
                put(&mut lines, letter, *style);
                used += own;
            }
        }
    }
    lines
}

fn put(lines: &mut [Line<'static>], word: &str, style: Style) {
    let Some(line) = lines.last_mut() else { return };
    let word = word.replace(HARD_BLANK, " ");
    match line.spans.last_mut() {
        Some(span) if span.style == style => span.content.to_mut().push_str(&word),
        _ => line.spans.push(Span::styled(word, style)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widget::columns as columns_of;
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
        assert_eq!(wrap("one two, three", 7), ["one", "two,", "three"]);
        assert_eq!(wrap("美咲さん", 5), ["美咲", "さん"]);
        let told = Line::from(vec![Span::raw("Tie: Clean Success"), Span::raw(", 27")]);
        let told = wrap_line(&told, 18);
        assert_eq!(told[1].to_string(), "Success, 27");
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
                prop_assert!(columns_of(line) <= columns);
            }
            let bare = |text: &str| text.chars().filter(|one| *one != ' ').collect::<String>();
            prop_assert_eq!(bare(&lines.concat()), bare(&text));
        }
    }
}
