//! Markdown as blocks to read: headings stand out, list items get a bullet, and signs for emphasis are left out.

use crate::Role;
use crate::dialog::Block;

/// The indentation of a list item per level, in columns of the source.
const INDENT: usize = 2;

/// Renders a Markdown text. Consecutive lines stay lines, because people write verse and lists of names.
pub(super) fn markdown_blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for line in text.lines() {
        blocks.push(block_of(line));
    }
    blocks
}

fn block_of(line: &str) -> Block {
    let content = line.trim();
    let indent = " ".repeat((line.len() - line.trim_start().len()) / INDENT * INDENT);

    if content.is_empty() || is_rule(content) {
        return Block::Gap;
    }
    if let Some(heading) = heading_of(content) {
        return Block::words(Role::Heading, without_marks(heading));
    }
    for bullet in ["- ", "* ", "+ "] {
        if let Some(item) = content.strip_prefix(bullet) {
            return Block::led(Role::Text, format!("{indent}• "), without_marks(item));
        }
    }
    if let Some(quoted) = content.strip_prefix('>') {
        return Block::led(Role::Text, "│ ", without_marks(quoted.trim_start()));
    }
    if let Some((number, item)) = numbered_item(content) {
        return Block::led(
            Role::Text,
            format!("{indent}{number}. "),
            without_marks(item),
        );
    }
    Block::led(Role::Text, indent, without_marks(content))
}

/// True for a horizontal rule: three or more of the same sign.
fn is_rule(content: &str) -> bool {
    let is_of = |sign: char| content.chars().all(|letter| letter == sign);
    content.len() >= 3 && ['-', '*', '_'].into_iter().any(is_of)
}

fn heading_of(content: &str) -> Option<&str> {
    let heading = content.trim_start_matches('#');
    if heading.len() == content.len() {
        return None;
    }
    heading
        .strip_prefix(' ')
        .map(|words| words.trim_end_matches([' ', '#']))
}

/// Splits `2. The well` into its number and its text.
fn numbered_item(content: &str) -> Option<(&str, &str)> {
    let (number, item) = content.split_once(". ")?;
    let is_number = !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit());
    is_number.then_some((number, item))
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

    fn words_of(text: &str) -> Vec<String> {
        let blocks = markdown_blocks(text).into_iter();
        let words = blocks.map(|block| match block {
            Block::Words { lead, words, .. } => format!("{lead}{words}"),
            _ => String::new(),
        });
        words.collect()
    }

    #[test]
    fn markdown_is_read_without_its_signs() {
        let text = "# The letter #\n\nCome **alone**.\n- `bring` gold\n  - and a rope\n2. burn it\n> so be it\n---";
        assert_eq!(
            words_of(text),
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
            assert_eq!(words_of(text), [text]);
        }
    }
}
