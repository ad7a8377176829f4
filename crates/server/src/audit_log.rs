//! `joins.log`: one line for each person who joined, was refused or left.

use std::time::Instant;

use chrono::SecondsFormat;

use tableside_store::{GameLocation, Sidecar};
use tableside_table::{TimeSource, TokenBucket};
use tableside_text::pluralise;

const NAME: &str = "joins.log";

/// Lines a minute about people with a seat, and about all others; the rest is summed up in one line. So nobody who
/// knocks all night can push older lines out.
const LINES: [f64; 2] = [60.0, 20.0];

/// Also gets each line.
pub type Echo = Box<dyn Fn(&str) + Send + Sync>;

/// It writes files: the worker does that, and the thread that opens or puts away a game.
pub(super) struct AuditLog {
    clock: TimeSource,
    echo: Option<Echo>,
    /// For lines about people with a seat, and about others.
    budgets: [TokenBucket; 2],
    /// Lines that were left out since the last one.
    left_out: u32,
}

impl AuditLog {
    pub(super) fn new(clock: TimeSource, echo: Option<Echo>) -> Self {
        Self {
            clock,
            echo,
            budgets: LINES.map(|most| TokenBucket::full(most, Instant::now())),
            left_out: 0,
        }
    }

    /// Adds a line about somebody with a seat or without, there.
    pub(super) fn note(&mut self, place: &GameLocation, is_seated: bool, line: &str) {
        let kind = usize::from(!is_seated);
        let bounds = (LINES[kind] / 60.0, LINES[kind]);
        if self.budgets[kind].take(1.0, bounds, Instant::now()) {
            self.sum_up(place);
            self.write(place, line);
        } else {
            self.left_out += 1;
        }
    }

    /// Says how much was left out since the last line.
    pub(super) fn sum_up(&mut self, place: &GameLocation) {
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            self.write(place, &(pluralise(left_out, "line") + " left out here"));
        }
    }

    /// If the disk fails, the line is lost, but no connection.
    fn write(&self, place: &GameLocation, line: &str) {
        let at = (self.clock)().to_rfc3339_opts(SecondsFormat::Secs, true);
        let line = format!("{at} {line}");
        Sidecar::new(place, NAME).append(&line).unwrap_or_default();
        self.echo.iter().for_each(|echo| echo(&line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_costs_a_few_lines_a_minute_and_pushes_nobody_with_a_seat_out() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let mut audit_log = AuditLog::new(chrono::DateTime::default, None);
        let mut note = |name: &str, is_seated| {
            audit_log.note(&folder.into(), is_seated, &format!("joined {name:?}"));
        };
        note("Ana", true);
        (0..500).for_each(|_| note("zoe (watching)", false));
        note("Bo", true);
        let log = std::fs::read_to_string(folder.join(NAME)).unwrap();
        assert_eq!(log.matches("zoe").count(), 20);
        for words in ["\"Ana\"", "\"Bo\"", "480 lines left out here"] {
            assert!(log.contains(words), "{log}");
        }
    }
}
