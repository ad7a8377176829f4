//! Shortens text to a number of terminal columns.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation as _;

use super::width::{cluster_width, width};

/// Shortens `text` to at most `columns`, and marks the cut with an ellipsis.
///
/// The cut never divides a grapheme cluster, so a wide character may leave one column unused.
pub fn fit(text: &str, columns: usize) -> Cow<'_, str> {
    fit_with_marker(text, columns, "…")
}

/// Shortens `text` like [`fit`], and marks the cut with `marker`, for example `~` where only ASCII is allowed.
///
/// The result is empty if not even the marker fits.
pub fn fit_with_marker<'a>(text: &'a str, columns: usize, marker: &str) -> Cow<'a, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let Some(mut columns_left) = columns.checked_sub(width(marker)) else {
        return Cow::Borrowed("");
    };

    let mut shortened = String::new();
    for cluster in text.graphemes(true) {
        let Some(remaining) = columns_left.checked_sub(cluster_width(cluster)) else {
            break;
        };
        shortened.push_str(cluster);
        columns_left = remaining;
    }
    shortened.push_str(marker);

    Cow::Owned(shortened)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sanitise;

    #[test]
    fn a_cut_never_divides_a_character() {
        assert_eq!(fit("美咲さん", 5), "美咲…");
        assert_eq!(fit("美咲さん", 4), "美…");
        assert_eq!(fit("abc", 3), "abc");
        assert_eq!(fit("abc", 0), "");
        assert_eq!(fit_with_marker("abcdef", 4, "~"), "abc~");
    }

    proptest! {
        #[test]
        fn a_shortened_text_fits_its_columns(text in any::<String>(), columns in 0_usize..60) {
            let clean = sanitise(&text, 200);
            let shortened = fit(&clean, columns);
            prop_assert!(width(&shortened) <= columns);
            prop_assert!(clean.starts_with(shortened.trim_end_matches('…')) || shortened.is_empty());
        }
    }
}
