//! Renders Markdown as blocks: headings are highlighted, list items get a bullet, and signs for emphasis are removed.

use crate::Role;
use crate::dialog::Block;

/// The indentation of a list item for each level, in columns of the source.
const INDENT: usize = 2;

/// Renders a Markdown text. Consecutive lines are not joined, because notes often contain verse and lists of names.
pub(super) fn markdown_blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for line in text.lines() {
        blocks.push(block_of(line));
    }
    blocks
}

fn block_of(line: &str) -> Block {
    let content = line.trim();
    let leading_blanks = line.len() - line.trim_start().len();
    let indent = " ".repeat(leading_blanks / INDENT * INDENT);

    if content.is_empty() || is_rule(content) {
        return Block::Gap;
    }
    if let Some(heading) = heading_of(content) {
        return Block::heading(without_marks(heading));
    }
    if let Some(item) = bullet_item(content) {
        let lead = format!("{indent}• ");
        return Block::led(Role::Text, lead, without_marks(item));
    }
    if let Some(quote) = content.strip_prefix('>') {
        let text = without_marks(quote.trim_start());
        return Block::led(Role::Text, "│ ", text);
    }
    if let Some(item) = numbered_item(content) {
        let lead = format!("{indent}{}. ", item.number);
        return Block::led(Role::Text, lead, without_marks(item.text));
    }
    Block::led(Role::Text, indent, without_marks(content))
}

/// Returns true for a horizontal rule: three or more of the same sign.
fn is_rule(content: &str) -> bool {
    let consists_of = |sign: char| content.chars().all(|letter| letter == sign);
    content.len() >= 3 && ['-', '*', '_'].into_iter().any(consists_of)
}

fn heading_of(content: &str) -> Option<&str> {
    let heading = content.trim_start_matches('#');
    if heading.len() == content.len() {
        return None;
    }
    let text = heading.strip_prefix(' ')?;
    Some(text.trim_end_matches([' ', '#']))
}

fn bullet_item(content: &str) -> Option<&str> {
    for bullet in ["- ", "* ", "+ "] {
        if let Some(item) = content.strip_prefix(bullet) {
            return Some(item);
        }
    }
    None
}

/// An item of a numbered list: `2. The well`.
struct NumberedItem<'a> {
    number: &'a str,
    text: &'a str,
}

fn numbered_item(content: &str) -> Option<NumberedItem<'_>> {
    let (number, text) = content.split_once(". ")?;
    let has_only_digits = number.chars().all(|letter| letter.is_ascii_digit());
    if number.is_empty() || !has_only_digits {
        return None;
    }
    Some(NumberedItem { number, text })
}

/// Removes the signs for bold text and code.
///
/// Single asterisks and underscores stay: they also occur in ordinary text, such as `snake_case` and `2 * 3`.
fn without_marks(text: &str) -> String {
    text.replace("**", "").replace("__", "").replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders a text, and returns the lines as the screen shows them.
    fn rendered(text: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for block in markdown_blocks(text) {
            lines.push(match block {
                Block::Words { lead, words, .. } => format!("{lead}{words}"),
                _ => String::new(),
            });
        }
        lines
    }

    #[test]
    fn markdown_is_shown_without_its_signs() {
        let text = "# The letter #\n\nCome **alone**.\n- `bring` gold\n  - and a rope\n2. burn it\n> so be it\n---";
        assert_eq!(
            rendered(text),
            [
                "The letter",
                "",
                "Come alone.",
                "• bring gold",
                "  • and a rope",
                "2. burn it",
                "│ so be it",
                ""
            ]
        );
    }

    #[test]
    fn text_that_only_looks_like_markdown_stays() {
        for text in [
            "#hashtag",
            "2 * 3 = 6",
            "snake_case",
            "-5 degrees",
            "3.5 miles",
        ] {
            assert_eq!(rendered(text), [text]);
        }
    }
}
