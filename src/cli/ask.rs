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
            let words = || answers.iter().map(|answer| answer.word.to_lowercase());
            let same = words().position(|word| word == written);
            let by_number = (1..=answers.len()).position(|number| number.to_string() == written);
            let begins = || words().position(|word| word.starts_with(&written));
            if let Some(index) = same.or(by_number).or_else(begins) {
                return Ok(index);
            }
            self.out
                .line(&format!("Write a number from 1 to {}.", answers.len()))?;
        }
    }
}
