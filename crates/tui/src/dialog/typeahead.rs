//! Letters that lead to a row: to the next one whose label begins with what is typed, as it is read.

use tableside_text::fold_keeping_spaces;

/// The letters that led to where the focus is.
#[derive(Clone, Debug, Default)]
pub(super) struct Jump {
    typed: String,
}

impl Jump {
    /// Forgets what was typed: the focus went elsewhere.
    pub(super) fn forget(&mut self) {
        self.typed.clear();
    }

    /// Whether a small letter goes on with what led to the row of that label.
    pub(super) fn goes_on(&self, letter: char, label: &str) -> bool {
        let longer = format!("{}{letter}", self.typed);
        !self.typed.is_empty() && fold_keeping_spaces(label.trim()).starts_with(&longer)
    }

    /// Where a letter leads to from row `at`: to a row that begins with all that was typed so far, else to
    /// the next one that begins with the letter alone. Nowhere if no row does.
    pub(super) fn to<L: AsRef<str>>(
        &mut self,
        letter: char,
        at: usize,
        labels: &[L],
    ) -> Option<usize> {
        let find = |typed: &str, from: usize| {
            let mut order = (0..labels.len()).map(|by| (at + from + by) % labels.len());
            order.find(|index| {
                let label = fold_keeping_spaces(labels[*index].as_ref().trim());
                label.starts_with(typed)
            })
        };
        let one: String = letter.to_lowercase().collect();
        let longer = format!("{}{one}", self.typed);
        let further = find(&longer, 0).filter(|_| !self.typed.is_empty());
        let (found, typed) = match further {
            Some(found) => (found, longer),
            None => (find(&one, 1)?, one),
        };
        self.typed = typed;
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: [&str; 5] = ["Name", "Against", "  Aspect", "Seen by", "Segments"];

    #[test]
    fn a_letter_leads_to_the_next_row_that_begins_with_it_and_round() {
        let mut jump = Jump::default();
        assert_eq!(jump.to('a', 0, &LABELS), Some(1));
        assert_eq!(jump.to('A', 1, &LABELS), Some(2));
        assert_eq!(jump.to('a', 2, &LABELS), Some(1));
        assert_eq!(jump.to('z', 1, &LABELS), None);
    }

    #[test]
    fn more_letters_tell_rows_apart_and_one_that_fits_no_row_begins_anew() {
        let mut jump = Jump::default();
        assert_eq!(jump.to('s', 0, &LABELS), Some(3));
        assert_eq!(jump.to('e', 3, &LABELS), Some(3));
        assert!(jump.goes_on('g', "Segments") && !jump.goes_on('G', "Segments"));
        assert_eq!(jump.to('g', 3, &LABELS), Some(4));
        assert_eq!(jump.to('n', 4, &LABELS), Some(0));
        assert_eq!(jump.to('s', 0, &LABELS), Some(3));
        jump.forget();
        assert_eq!(jump.to('e', 3, &LABELS), None);
    }
}
