//! Wrapping text into lines.

use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::widget::{columns, line_columns};

/// A blank at which lines do not break.
pub const HARD_BLANK: &str = "\u{a0}";

/// Wraps a text into lines of at most `width` columns. Returns at least one line.
pub fn wrap(text: &str, width: u16) -> Vec<String> {
    let mut lines = Vec::new();
    for wrapped in wrap_line(&to_line(text), width) {
        lines.push(wrapped.to_string().trim_end().to_owned());
    }
    lines
}

/// Returns the number of lines that [`wrap`] returns.
pub fn wrap_height(text: &str, width: u16) -> usize {
    wrap_line_height(&to_line(text), width)
}

/// Returns the text with single blanks between its words.
fn to_line(text: &str) -> Line<'static> {
    let words: Vec<&str> = text.split_whitespace().collect();
    Line::from(words.join(" "))
}

/// Wraps a line between words. A word that is wider than a line is split.
pub fn wrap_line(line: &Line<'_>, width: u16) -> Vec<Line<'static>> {
    if line_columns(line) <= width {
        let mut soft_line = Line::default();
        for span in &line.spans {
            soft_line.push_span(Span::styled(soften(&span.content), span.style));
        }
        return vec![soft_line];
    }

    let mut parts = Vec::new();
    for span in &line.spans {
        for text in span.content.split_inclusive(' ') {
            let style = span.style;
            parts.push(WordPart { text, style });
        }
    }

    let mut wrapper = Wrapper::new(width.max(1));
    // Spans without a blank between them form one word.
    for word in parts.chunk_by(|part, _| !part.text.ends_with(' ')) {
        wrapper.push_word(word);
    }
    wrapper.lines
}

/// Returns the number of lines that [`wrap_line`] returns.
pub fn wrap_line_height(line: &Line<'_>, width: u16) -> usize {
    if line_columns(line) <= width {
        1
    } else {
        wrap_line(line, width).len()
    }
}

/// Replaces hard blanks by ordinary ones, after lines were broken.
fn soften(text: &str) -> String {
    if text.contains(HARD_BLANK) {
        text.replace(HARD_BLANK, " ")
    } else {
        text.to_owned()
    }
}

/// A part of a word that has one style. A blank may follow it.
struct WordPart<'a> {
    text: &'a str,
    style: Style,
}

impl WordPart<'_> {
    /// Returns the number of columns without the blank.
    fn columns(&self) -> u16 {
        columns(self.text.trim_end())
    }
}

/// Breaks words into lines.
struct Wrapper {
    width: u16,
    lines: Vec<Line<'static>>,
    /// The used columns of the last line.
    used: u16,
}

impl Wrapper {
    fn new(width: u16) -> Self {
        Self {
            width,
            lines: vec![Line::default()],
            used: 0,
        }
    }

    /// Adds a word. It stays in one line if it is not wider than a line.
    fn push_word(&mut self, word: &[WordPart<'_>]) {
        let word_columns: u16 = word.iter().map(WordPart::columns).sum();
        for (index, part) in word.iter().enumerate() {
            let is_start_of_word = index == 0 && word_columns <= self.width;
            let needed = if is_start_of_word {
                word_columns
            } else {
                part.columns()
            };
            if self.used > 0 && self.used + needed > self.width {
                self.start_line();
            }

            if part.columns() <= self.width {
                self.push_part(part);
            } else {
                self.push_letters(part);
            }
        }
    }

    fn start_line(&mut self) {
        self.lines.push(Line::default());
        self.used = 0;
    }

    fn push_part(&mut self, part: &WordPart<'_>) {
        // A blank beyond the end would make the line too wide, and drawing would mark it as cut.
        let has_room_for_blank = self.used + columns(part.text) <= self.width;
        let text = if has_room_for_blank {
            part.text
        } else {
            part.text.trim_end()
        };
        self.push_text(text, part.style);
    }

    /// Splits a part that is wider than a line.
    fn push_letters(&mut self, part: &WordPart<'_>) {
        for letter in part.text.graphemes(true) {
            if self.used + columns(letter) > self.width {
                self.start_line();
            }
            self.push_text(letter, part.style);
        }
    }

    fn push_text(&mut self, text: &str, style: Style) {
        self.used += columns(text);
        let Some(line) = self.lines.last_mut() else {
            return;
        };

        let soft_text = soften(text);
        match line.spans.last_mut() {
            Some(span) if span.style == style => span.content.to_mut().push_str(&soft_text),
            _ => line.spans.push(Span::styled(soft_text, style)),
        }
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
            prop_assert_eq!(wrap_height(&text, columns), lines.len());
            let bare = |text: &str| text.chars().filter(|one| *one != ' ').collect::<String>();
            prop_assert_eq!(bare(&lines.concat()), bare(&text));
        }
    }
}
