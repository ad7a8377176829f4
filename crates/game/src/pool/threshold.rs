//! Thresholds: numbers of tokens at which the log shows a note. GMs write them as
//! `10: the dragon wakes; 15: it flies`.

use super::{MOST_TOKENS, TokenPool};
use crate::LONGEST_NAME;
use tableside_rules::Effect;
use tableside_text::{join, normalise_number, sanitise_name};

/// The maximum number of thresholds of one pool.
const MOST_THRESHOLDS: usize = 20;

impl TokenPool {
    /// True if a pool with `tokens` has reached a threshold. The pool falls to a threshold below its start, and rises to
    /// every other.
    pub fn reaches(&self, threshold: i32, tokens: i32) -> bool {
        if threshold < self.start {
            tokens <= threshold
        } else {
            tokens >= threshold
        }
    }

    /// Returns the notes of all thresholds that the pool reaches on its way to `tokens`, nearest first.
    pub(crate) fn notes_reached_at(&self, tokens: i32) -> String {
        let mut reached = Vec::new();
        for (at, note) in &self.thresholds {
            let was_reached = self.reaches(*at, self.tokens);
            let is_reached = self.reaches(*at, tokens);
            if is_reached && !was_reached {
                let distance = at.abs_diff(self.tokens);
                reached.push((distance, note));
            }
        }
        reached.sort_by_key(|(distance, _)| *distance);

        let notes = reached.iter().map(|(_, note)| note);
        join(notes, "; ")
    }

    /// Returns the notes of [`Self::notes_reached_at`] as an effect of a roll.
    pub(crate) fn reached_at(&self, tokens: i32) -> Option<Effect> {
        let notes = self.notes_reached_at(tokens);
        if notes.is_empty() {
            None
        } else {
            Some(self.reached_effect(tokens, notes))
        }
    }

    /// Creates the effect that shows a remark about the pool and its number of tokens.
    pub(crate) fn reached_effect(&self, tokens: i32, remark: String) -> Effect {
        Effect::Reached {
            pool: self.name.clone(),
            pool_id: Some(self.id.0),
            now: tokens,
            told: remark,
            of: self.owner.map(|owner| owner.0),
        }
    }

    /// Sorts the thresholds and makes their notes safe to show.
    ///
    /// # Errors
    /// Returns an error if the thresholds could not be read again from their text.
    pub(crate) fn clean_thresholds(&mut self) -> Result<(), String> {
        self.thresholds = read_thresholds(&write_thresholds(&self.thresholds))?;
        for (_, note) in &mut self.thresholds {
            *note = sanitise_name(note, LONGEST_NAME);
        }
        Ok(())
    }
}

/// Parses thresholds from text.
///
/// # Errors
///
/// If the text is not a list of thresholds.
pub fn read_thresholds(text: &str) -> Result<Vec<(i32, String)>, String> {
    let mut thresholds: Vec<(i32, String)> = Vec::new();
    let pieces = text
        .split(';')
        .map(str::trim)
        .filter(|piece| !piece.is_empty());
    for piece in pieces {
        if let Some((at, note)) = split_number(piece) {
            thresholds.push((at, note.to_owned()));
        } else if let Some((_, note)) = thresholds.last_mut() {
            // The note itself contains a semicolon.
            note.push_str("; ");
            note.push_str(piece);
        } else {
            return Err("a threshold begins with a number, as in `10: the dragon wakes`".into());
        }
    }

    check_thresholds(&thresholds)?;
    thresholds.sort_by_key(|(at, _)| *at);
    Ok(thresholds)
}

fn check_thresholds(thresholds: &[(i32, String)]) -> Result<(), String> {
    let mut seen = Vec::new();
    for (at, note) in thresholds {
        if note.is_empty() {
            return Err(format!(
                "the threshold {at} needs a note, as in `{at}: the dragon wakes`"
            ));
        }
        if !(-MOST_TOKENS..=MOST_TOKENS).contains(at) {
            return Err(format!(
                "the threshold {at} is out of reach: a pool holds −{MOST_TOKENS} to {MOST_TOKENS} tokens"
            ));
        }
        if seen.contains(at) {
            return Err(format!(
                "there are two thresholds at {at}; keep one of them"
            ));
        }
        seen.push(*at);
    }

    if thresholds.len() > MOST_THRESHOLDS {
        return Err(format!(
            "a pool cannot have more than {MOST_THRESHOLDS} thresholds"
        ));
    }
    Ok(())
}

/// Writes thresholds in one line, in the form that [`read_thresholds`] parses.
pub fn write_thresholds(thresholds: &[(i32, String)]) -> String {
    join(
        thresholds.iter().map(|(at, note)| format!("{at}: {note}")),
        "; ",
    )
}

/// Splits a threshold into its number and its note.
fn split_number(piece: &str) -> Option<(i32, &str)> {
    let is_separator = |letter: char| letter == ':' || letter.is_whitespace();
    let (number, note) = piece.split_once(is_separator).unwrap_or((piece, ""));
    let number = normalise_number(number).parse().ok()?;
    Some((number, note.trim_start_matches(':').trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_testing::assert_mistakes;

    #[test]
    fn thresholds_are_read_as_they_are_written() {
        let text = "3: the guards go in pairs; 9: the bell; loud";
        let thresholds = read_thresholds(text).unwrap();
        assert_eq!(thresholds.len(), 2);
        assert_eq!(write_thresholds(&thresholds), text);

        let thresholds = read_thresholds(" 9 the bell ;; −2:dark; 3 : pairs ").unwrap();
        assert_eq!(
            write_thresholds(&thresholds),
            "-2: dark; 3: pairs; 9: the bell"
        );
        assert_eq!(read_thresholds("  "), Ok(Vec::new()));
    }

    #[test]
    fn text_without_thresholds_is_refused() {
        assert_mistakes(include_str!("threshold/mistakes.txt"), |text| {
            read_thresholds(text).unwrap_err()
        });
        let many: Vec<String> = (0..21).map(|at| format!("{at}: a")).collect();
        assert!(read_thresholds(&many.join(";")).is_err());
    }
}
