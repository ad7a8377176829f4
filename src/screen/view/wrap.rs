//! Words in as many lines as they need.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::screen::widget::columns;

/// Breaks a line between words so that it fits; a word that is wider than a line is cut.
pub(super) fn wrap(line: &Line<'_>, width: u16) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    let mut used = 0;
    if width == 0 {
        return lines;
    }
    for span in &line.spans {
        // A blank at the end of a line may stand beyond it: nobody sees it.
        for word in span.content.split_inclusive(' ') {
            let own = columns(word.trim_end());
            if used > 0 && used + own > width {
                lines.push(Line::default());
                used = 0;
            }
            if own <= width {
                put(&mut lines, word, span.style);
                used += columns(word);
                continue;
            }
            for letter in word.graphemes(true) {
                let own = columns(letter);
                if used + own > width {
                    lines.push(Line::default());
                    used = 0;
                }
                put(&mut lines, letter, span.style);
                used += own;
            }
        }
    }
    lines
}

fn put(lines: &mut [Line<'static>], word: &str, style: Style) {
    let Some(line) = lines.last_mut() else { return };
    match line.spans.last_mut() {
        Some(span) if span.style == style => span.content.to_mut().push_str(word),
        _ => line.spans.push(Span::styled(word.to_owned(), style)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, width: u16) -> Vec<String> {
        let lines = wrap(&Line::from(text), width);
        lines.iter().map(Line::to_string).collect()
    }

    #[test]
    fn words_stay_whole_where_they_can() {
        assert_eq!(
            wrapped("a rope and a cliff", 7),
            ["a rope ", "and a ", "cliff"]
        );
        assert_eq!(wrapped("portcullis up", 6), ["portcu", "llis ", "up"]);
        assert_eq!(wrapped("", 6), [""]);
    }

    #[test]
    fn punctuation_stays_with_its_word() {
        assert_eq!(wrapped("one two, three", 7), ["one ", "two, ", "three"]);
    }

    #[test]
    fn wide_letters_count_twice() {
        assert_eq!(wrapped("美咲さん", 5), ["美咲", "さん"]);
    }
}
