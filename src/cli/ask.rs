//! Questions on a terminal, answered by a line.

use super::{App, CliError, Ink};

impl App<'_> {
    /// Lists what the answers mean, each of which is a word, and asks for one of them: by its number, its word, or a
    /// beginning that no other word has. Nothing written means the one at `default`.
    pub(super) fn choose(
        &mut self,
        question: &str,
        answers: &[(&str, &str)],
        default: usize,
    ) -> Result<usize, CliError> {
        for (index, (_, label)) in answers.iter().enumerate() {
            let number = format!("{:>3}  ", index + 1);
            let usual = if index == default { "  (Enter)" } else { "" };
            self.out.inked(&[
                (Ink::Strong, &number),
                (Ink::Plain, label),
                (Ink::Faint, usual),
            ])?;
        }
        loop {
            self.out.ask(&format!("{question} "))?;
            let mut line = String::new();
            let read = self.input.read_line(&mut line);
            let read =
                read.map_err(|error| CliError::failed(format!("cannot read the answer: {error}")))?;
            let written = line.trim().to_lowercase();
            if read == 0 || written.is_empty() {
                return Ok(default);
            }
            let words = || answers.iter().map(|(word, _)| word.to_lowercase());
            let same = words().position(|word| word == written);
            let by_number = (1..=answers.len()).position(|number| number.to_string() == written);
            let begins = |word: &String| word.starts_with(&written);
            let is_clear = words().filter(begins).count() == 1;
            let begun = words().position(|word| is_clear && begins(&word));
            if let Some(index) = same.or(by_number).or(begun) {
                return Ok(index);
            }
            self.out
                .line(&format!("Write a number from 1 to {}.", answers.len()))?;
        }
    }
}
