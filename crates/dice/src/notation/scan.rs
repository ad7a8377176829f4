//! Reads single letters, numbers and blanks of a dice expression.

use super::error::NotationError;
use super::letters::{Advantage, advantage_word};
use super::parse::NotationParser;

const MISSING: &str = "a number or dice are missing here";

impl NotationParser<'_> {
    /// Parses a number, if one is next. A number that does not fit in 32 bits becomes the largest that does.
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut number: Option<u32> = None;
        while let Some(letter) = self.peek()
            && let Some(digit) = letter.to_digit(10)
        {
            self.position += 1;
            let higher_digits = number.unwrap_or(0).saturating_mul(10);
            number = Some(higher_digits.saturating_add(digit));
        }
        number
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, offset: usize) -> Option<char> {
        self.letters.get(self.position + offset).copied()
    }

    pub(super) fn skip(&mut self, letters: usize) {
        self.position += letters;
    }

    /// Skips this letter if it is next, and returns whether it was.
    pub(super) fn take(&mut self, letter: char) -> bool {
        let is_next = self.peek() == Some(letter);
        if is_next {
            self.position += 1;
        }
        is_next
    }

    /// Counts the blanks at the position.
    pub(super) fn blanks(&self) -> usize {
        self.letters[self.position..]
            .iter()
            .take_while(|letter| letter.is_whitespace())
            .count()
    }

    pub(super) fn skip_blanks(&mut self) {
        self.position += self.blanks();
    }

    pub(super) fn position_after_blanks(&mut self) -> usize {
        self.skip_blanks();
        self.position
    }

    /// Finds a word for advantage after the next blanks. Returns the word and the number of characters to skip: those
    /// of the blanks and of the word.
    pub(super) fn peek_advantage(&self) -> Option<(Advantage, usize)> {
        let blanks = self.blanks();
        let word_start = self.position + blanks;
        let (advantage, length) = advantage_word(&self.letters[word_start..])?;
        Some((advantage, blanks + length))
    }

    /// Returns the error for an unexpected letter.
    pub(super) fn misplaced(&self) -> NotationError {
        match self.peek() {
            Some(letter) => {
                let problem = format!("{letter:?} does not belong here");
                NotationError::new(self.position, problem)
            }
            None => NotationError::new(self.position, MISSING),
        }
    }

    /// Returns the error for a letter where a number or dice must stand.
    pub(super) fn missing_or_misplaced(&self) -> NotationError {
        match self.peek() {
            Some(')') => NotationError::new(self.position, MISSING),
            _ => self.misplaced(),
        }
    }
}
