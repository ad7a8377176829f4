//! Numbers at which a pool tells something, and how people write them: `10: the dragon wakes; 15: it flies`.

use super::{MOST_TOKENS, TokenPool};
use crate::LONGEST_NAME;
use tableside_rules::Effect;
use tableside_text::{join, normalise_number, sanitise_name};

/// The most numbers at which one pool tells something.
const MOST: usize = 20;

impl TokenPool {
    /// Whether a pool that holds `tokens` has reached the threshold `at`: it falls to one that lies below its start,
    /// and rises to every other.
    pub fn reaches(&self, at: i32, tokens: i32) -> bool {
        if at < self.start {
            tokens <= at
        } else {
            tokens >= at
        }
    }

    /// What is told when the tokens come to be so many, for each number that they come to thereby.
    pub(crate) fn told_at(&self, tokens: i32) -> String {
        let comes_to = |at| self.reaches(at, tokens) && !self.reaches(at, self.tokens);
        let all = self.thresholds.iter();
        let mut met: Vec<&(i32, String)> = all.filter(|(at, _)| comes_to(*at)).collect();
        met.sort_by_key(|(at, _)| at.abs_diff(self.tokens));
        join(met.iter().map(|(_, note)| note), "; ")
    }

    /// The same as what follows a roll; none where there is nothing to tell.
    pub(crate) fn reached_at(&self, tokens: i32) -> Option<Effect> {
        let told = self.told_at(tokens);
        (!told.is_empty()).then(|| self.tells(tokens, told))
    }

    /// What is told of the pool, with what it holds then.
    pub(crate) fn tells(&self, now: i32, told: String) -> Effect {
        Effect::Reached {
            pool: self.name.clone(),
            pool_id: Some(self.id.0),
            now,
            told,
            of: self.owner.map(|owner| owner.0),
        }
    }

    /// The thresholds as they would be read, safe to show, or what is wrong with them.
    pub(crate) fn settle_thresholds(&mut self) -> Result<(), String> {
        self.thresholds = read_thresholds(&write_thresholds(&self.thresholds))?;
        for (_, note) in &mut self.thresholds {
            *note = sanitise_name(note, LONGEST_NAME);
        }
        Ok(())
    }
}

/// Reads thresholds as a person writes them, or says what is wrong with them.
pub fn read_thresholds(text: &str) -> Result<Vec<(i32, String)>, String> {
    let mut read: Vec<(i32, String)> = Vec::new();
    for piece in text.split(';').map(str::trim) {
        if piece.is_empty() {
            continue;
        }
        match (numbered(piece), read.last_mut()) {
            (Some((at, note)), _) => read.push((at, note.to_owned())),
            (None, Some((_, note))) => {
                note.push_str("; ");
                note.push_str(piece);
            }
            (None, None) => return Err("begins with a number, as in `10: the dragon wakes`".into()),
        }
    }
    let mut seen = Vec::new();
    for (at, note) in &read {
        if note.is_empty() {
            return Err(format!(
                "says nothing for {at} yet: `{at}: the dragon wakes`"
            ));
        }
        if !(-MOST_TOKENS..=MOST_TOKENS).contains(at) {
            return Err(format!(
                "{at} is out of reach: a pool holds at most {MOST_TOKENS}"
            ));
        }
        if seen.contains(at) {
            return Err(format!("{at} stands there twice"));
        }
        seen.push(*at);
    }
    if read.len() > MOST {
        return Err(format!("at most {MOST} numbers tell something"));
    }
    read.sort_by_key(|(at, _)| *at);
    Ok(read)
}

/// The same in one line, to be read again.
pub fn write_thresholds(thresholds: &[(i32, String)]) -> String {
    let written = thresholds.iter().map(|(at, note)| format!("{at}: {note}"));
    join(written, "; ")
}

/// A number, and what is said behind it.
fn numbered(piece: &str) -> Option<(i32, &str)> {
    let end = |letter: char| letter == ':' || letter.is_whitespace();
    let (number, note) = piece.split_once(end).unwrap_or((piece, ""));
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
        let read = read_thresholds(text).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!(write_thresholds(&read), text);
        let read = read_thresholds(" 9 the bell ;; −2:dark; 3 : pairs ").unwrap();
        assert_eq!(write_thresholds(&read), "-2: dark; 3: pairs; 9: the bell");
        assert_eq!(read_thresholds("  "), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_threshold_is_told_so() {
        assert_mistakes(include_str!("threshold/mistakes.txt"), |text| {
            read_thresholds(text).unwrap_err()
        });
        let many: Vec<String> = (0..21).map(|at| format!("{at}: a")).collect();
        assert!(read_thresholds(&many.join(";")).is_err());
    }
}
