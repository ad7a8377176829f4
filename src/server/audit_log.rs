//! `joins.log`: one line for each person who joined, was refused or left.

use std::sync::Arc;
use std::time::Instant;

use chrono::SecondsFormat;

use crate::store::Sidecar;
use crate::table::{Table, TokenBucket};

const NAME: &str = "joins.log";

/// Lines a minute about people with a seat, and about all others; the rest is summed up in one line. So nobody who
/// knocks all night can push older lines out.
const LINES: [f64; 2] = [60.0, 20.0];

/// Also gets each line.
pub type Echo = Box<dyn Fn(&str) + Send + Sync>;

/// Only the worker uses it, because it writes files.
pub(super) struct AuditLog {
    table: Arc<Table>,
    echo: Option<Echo>,
    /// For lines about people with a seat, and about others.
    budgets: [TokenBucket; 2],
    /// Lines that were left out since the last one.
    left_out: u32,
}

impl AuditLog {
    pub(super) fn new(table: Arc<Table>, echo: Option<Echo>) -> Self {
        Self {
            table,
            echo,
            budgets: LINES.map(|most| TokenBucket::full(most, Instant::now())),
            left_out: 0,
        }
    }

    /// Adds a line about somebody with a seat or without.
    pub(super) fn note(&mut self, is_seated: bool, line: &str) {
        let kind = usize::from(!is_seated);
        let bounds = (LINES[kind] / 60.0, LINES[kind]);
        if self.budgets[kind].take(1.0, bounds, Instant::now()) {
            self.sum_up();
            self.write(line);
        } else {
            self.left_out += 1;
        }
    }

    /// Says how much was left out since the last line.
    pub(super) fn sum_up(&mut self) {
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            self.write(&format!("{left_out} lines were left out here"));
        }
    }

    /// If the disk fails, the line is lost, but no connection.
    fn write(&self, line: &str) {
        let at = self.table.now().to_rfc3339_opts(SecondsFormat::Secs, true);
        let line = format!("{at} {line}");
        if let Some(folder) = self.table.folder() {
            Sidecar::new(&folder, NAME)
                .append(&line)
                .unwrap_or_default();
        }
        if let Some(echo) = &self.echo {
            echo(&line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::SystemDice;
    use crate::rules::System;
    use crate::session::Session;

    #[test]
    fn a_crowd_costs_a_few_lines_a_minute_and_pushes_nobody_with_a_seat_out() {
        let data = tempfile::tempdir().unwrap();
        let table = Table::unsaved(
            "x",
            Session::new(System::HEART_RUSH),
            Vec::new(),
            Some(data.path().to_owned()),
            chrono::DateTime::default,
            Box::new(SystemDice::from_system().unwrap()),
        );
        table.keep_now().unwrap();
        let mut audit_log = AuditLog::new(Arc::clone(&table), None);
        let mut note =
            |name: &str, is_seated| audit_log.note(is_seated, &format!("joined {name:?}"));
        note("Ana", true);
        (0..500).for_each(|_| note("zoe (watching)", false));
        note("Bo", true);
        let log = std::fs::read_to_string(table.folder().unwrap().join(NAME)).unwrap();
        assert_eq!(log.matches("zoe").count(), 20);
        for words in ["\"Ana\"", "\"Bo\"", "480 lines were left out here"] {
            assert!(log.contains(words), "{log}");
        }
    }
}
