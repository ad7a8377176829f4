//! Questions on a terminal, answered by a line.

use color_eyre::eyre::WrapErr as _;

use super::App;
use super::error::CliError;
use super::output::Ink;

/// One answer that may be given.
pub(super) struct Answer<'a> {
    /// The word that is written for it.
    pub(super) word: &'a str,
    /// What it means.
    pub(super) label: &'a str,
}

impl App<'_> {
    /// Lists the answers and asks for one of them, by its number, its word, or the beginning of its
    /// word; nothing written means the one at `default`.
    pub(super) fn choose(
        &mut self,
        question: &str,
        answers: &[Answer<'_>],
        default: usize,
    ) -> Result<usize, CliError> {
        for (index, answer) in answers.iter().enumerate() {
            let number = format!("{:>3}  ", index + 1);
            let usual = if index == default { "  (Enter)" } else { "" };
            self.out.inked(&[
                (Ink::Strong, &number),
                (Ink::Plain, answer.label),
                (Ink::Faint, usual),
            ])?;
        }
        loop {
            self.out.ask(&format!("{question} "))?;
            let mut line = String::new();
            let read = self.input.read_line(&mut line);
            let ended = read.wrap_err("cannot read the answer")? == 0;
            let written = line.trim().to_lowercase();
            if ended || written.is_empty() {
                return Ok(default);
            }
            let by_number = written.parse::<usize>().ok();
            let by_number = by_number.and_then(|number| number.checked_sub(1));
            let by_number = by_number.filter(|index| *index < answers.len());
            let same = |answer: &Answer<'_>| answer.word.to_lowercase() == written;
            let begins = |answer: &Answer<'_>| answer.word.to_lowercase().starts_with(&written);
            let found = answers
                .iter()
                .position(same)
                .or(by_number)
                .or_else(|| answers.iter().position(begins));
            if let Some(index) = found {
                return Ok(index);
            }
            self.out
                .line(&format!("Write a number from 1 to {}.", answers.len()))?;
        }
    }
}
