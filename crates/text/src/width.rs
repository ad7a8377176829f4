//! Measures text in terminal columns.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::is_invisible;
use super::sanitise::is_voicing_mark;

/// Returns the number of terminal columns that `text` takes.
///
/// The screen puts each grapheme cluster into separate cells, so the width is the sum over the clusters.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    // Finding the clusters takes most of the time.
    if text.chars().all(is_always_one_column) {
        return text.chars().count();
    }

    text.graphemes(true).map(cluster_width).sum()
}

/// True for letters and symbols that take one column and never form a cluster with a neighbour that is also one of these:
/// ASCII, Latin letters, dashes and quotes, arrows, lines, blocks and shapes.
const fn is_always_one_column(character: char) -> bool {
    matches!(
        character,
        ' '..='~'
            | '\u{A1}'..='\u{AC}'
            | '\u{AE}'..='\u{2FF}'
            | '\u{2010}'..='\u{2027}'
            | '\u{2190}'..='\u{21FF}'
            | '\u{2500}'..='\u{25FC}'
    )
}

/// Returns the number of terminal columns of one grapheme cluster.
pub(super) fn cluster_width(cluster: &str) -> usize {
    // ratatui adds a cell for each halfwidth voicing mark to the width that `unicode-width` computes.
    let voicing_marks = cluster.matches(is_voicing_mark).count();
    cluster.width() + voicing_marks
}

/// Returns a form of a grapheme cluster that has the same width on every terminal. `None` if every terminal draws the
/// cluster itself in the same width.
///
/// Terminals disagree about emoji made of several characters: some draw one picture, others draw each character. The
/// portable form keeps the first picture and adds spaces up to the width that [`width`] counts.
pub fn portable_form(cluster: &str) -> Option<String> {
    let width_of_parts: usize = cluster.chars().map(character_width).sum();
    if width_of_parts == cluster.width() {
        return None;
    }

    let columns = cluster_width(cluster);
    let mut portable = String::new();
    let mut used_columns = 0;
    for character in cluster.chars() {
        if is_invisible(character) {
            continue;
        }
        used_columns += character_width(character);
        if used_columns > columns {
            break;
        }
        portable.push(character);
    }

    let missing_columns = columns.saturating_sub(cluster_width(&portable));
    portable.push_str(&" ".repeat(missing_columns));

    Some(portable)
}

fn character_width(character: char) -> usize {
    character.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_count_twice_and_marks_do_not_count() {
        for (text, columns) in [
            ("Mira", 4),
            ("Zoë", 3),
            ("Zoe\u{308}", 3),
            ("美咲", 4),
            ("👩\u{200D}🚀", 2),
            ("", 0),
        ] {
            assert_eq!(width(text), columns, "{text}");
        }
    }

    #[test]
    fn characters_of_one_column_form_no_clusters() {
        let characters: Vec<char> = (' '..'\u{3000}')
            .filter(|character| is_always_one_column(*character))
            .collect();
        // Each character stands beside itself and beside its neighbours.
        let text: String = characters
            .iter()
            .flat_map(|character| [*character; 2])
            .collect();
        let clusters: Vec<&str> = text.graphemes(true).collect();
        assert_eq!(clusters.len(), characters.len() * 2);
        for cluster in clusters {
            assert_eq!(cluster_width(cluster), 1, "{cluster}");
        }
    }

    #[test]
    fn emoji_of_several_characters_get_a_form_of_certain_width() {
        for (cluster, portable) in [
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
            assert_eq!(portable_form(cluster).as_deref(), portable, "{cluster}");
        }
    }
}
