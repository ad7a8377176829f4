//! Moving the focus by letters to the next row whose label begins with them.

use tableside_text::fold_keeping_spaces;

/// The letters that moved the focus to its row.
#[derive(Clone, Debug, Default)]
pub(super) struct Jump {
    typed: String,
    /// True after a letter that led nowhere. The letters are then a word for a row that takes none, and the rest of the
    /// word must not be typed into another row.
    is_word: bool,
}

impl Jump {
    /// Forgets the typed letters, because the focus moved in another way.
    pub(super) fn forget(&mut self) {
        self.typed.clear();
        self.is_word = false;
    }

    /// Returns true if a lower-case letter continues the letters that led to the row with this label.
    pub(super) fn continues(&self, letter: char, label: &str) -> bool {
        if self.typed.is_empty() {
            return false;
        }
        let prefix = format!("{}{letter}", self.typed);
        begins_with(label, &prefix)
    }

    /// Returns the index of the row that a letter leads to from the row `current`.
    ///
    /// It is a row whose label begins with all typed letters, or else the next row whose label begins with this letter.
    pub(super) fn target<L: AsRef<str>>(
        &mut self,
        letter: char,
        current: usize,
        labels: &[L],
    ) -> Option<usize> {
        if self.is_word {
            return None;
        }
        let letter: String = letter.to_lowercase().collect();

        if !self.typed.is_empty() {
            let prefix = format!("{}{letter}", self.typed);
            if let Some(target) = next_label(&prefix, current, labels) {
                self.typed = prefix;
                return Some(target);
            }
        }

        let target = next_label(&letter, current + 1, labels);
        match target {
            Some(_) => self.typed = letter,
            None => self.is_word = true,
        }
        target
    }
}

/// Returns the index of the next label with this prefix, starting at `start`. After the last label comes the first.
fn next_label<L: AsRef<str>>(prefix: &str, start: usize, labels: &[L]) -> Option<usize> {
    (0..labels.len())
        .map(|offset| (start + offset) % labels.len())
        .find(|index| begins_with(labels[*index].as_ref(), prefix))
}

fn begins_with(label: &str, prefix: &str) -> bool {
    fold_keeping_spaces(label.trim()).starts_with(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELS: [&str; 5] = ["Name", "Against", "  Aspect", "Seen by", "Segments"];

    #[test]
    fn a_letter_leads_to_the_next_row_that_begins_with_it() {
        let mut jump = Jump::default();
        assert_eq!(jump.target('a', 0, &LABELS), Some(1));
        assert_eq!(jump.target('A', 1, &LABELS), Some(2));
        assert_eq!(jump.target('a', 2, &LABELS), Some(1));
        assert_eq!(jump.target('z', 1, &LABELS), None);
    }

    #[test]
    fn a_word_that_begins_like_no_row_leads_to_no_row() {
        let mut jump = Jump::default();
        assert_eq!(jump.target('g', 1, &LABELS), None);
        assert_eq!(jump.target('n', 1, &LABELS), None);
        jump.forget();
        assert_eq!(jump.target('n', 1, &LABELS), Some(0));
    }

    #[test]
    fn several_letters_select_one_row_and_a_letter_without_a_row_starts_again() {
        let mut jump = Jump::default();
        assert_eq!(jump.target('s', 0, &LABELS), Some(3));
        assert_eq!(jump.target('e', 3, &LABELS), Some(3));
        assert!(jump.continues('g', "Segments") && !jump.continues('G', "Segments"));
        assert_eq!(jump.target('g', 3, &LABELS), Some(4));
        assert_eq!(jump.target('n', 4, &LABELS), Some(0));
        assert_eq!(jump.target('s', 0, &LABELS), Some(3));
        jump.forget();
        assert_eq!(jump.target('e', 3, &LABELS), None);
    }
}
