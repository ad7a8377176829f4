//! Who came, who was refused, who left: one line each, in `joins.log` beside the game.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::SecondsFormat;

use crate::store::Sidecar;
use crate::table::Table;
use crate::text::sanitise;

const NAME: &str = "joins.log";

/// So many lines of a minute are written about people with a seat, and so many about all others; the rest is
/// one line. What happened before is not pushed out by whoever knocks all night.
const LINES: [u32; 2] = [60, 20];

const MINUTE: Duration = Duration::from_mins(1);

/// Is told each line, too.
pub type Echo = Box<dyn Fn(&str) + Send + Sync>;

/// Something to be noted.
pub(in crate::server) struct Note {
    /// What happened.
    pub(in crate::server) what: &'static str,
    /// The name of who did it, or what was given as one.
    pub(in crate::server) name: String,
    /// Whether it is somebody with a seat, who has proved to be.
    pub(in crate::server) is_seated: bool,
    pub(in crate::server) address: SocketAddr,
    /// The fingerprint of the key.
    pub(in crate::server) key: Option<String>,
    pub(in crate::server) remark: String,
}

/// The audit_log of who came and left. It writes files: the worker alone has it.
pub(in crate::server) struct AuditLog {
    table: Arc<Table>,
    echo: Option<Echo>,
    /// Since when lines are counted, and how many came since, of people with a seat and of others.
    since: Instant,
    counts: [u32; 2],
}

impl AuditLog {
    /// Of that table's folder.
    pub(in crate::server) fn new(table: Arc<Table>, echo: Option<Echo>) -> Self {
        Self {
            table,
            echo,
            since: Instant::now(),
            counts: [0; 2],
        }
    }

    /// Notes what happened.
    pub(in crate::server) fn note(&mut self, note: &Note) {
        if self.since.elapsed() >= MINUTE {
            self.sum_up();
        }
        let [seated, others] = &mut self.counts;
        let (count, most) = if note.is_seated {
            (seated, LINES[0])
        } else {
            (others, LINES[1])
        };
        *count += 1;
        if *count > most {
            return;
        }
        let name = sanitise(&note.name, 80);
        let mut line = format!("{} seat={name:?} address={}", note.what, note.address);
        if let Some(key) = &note.key {
            write!(line, " key={key}").unwrap_or_default();
        }
        if !note.remark.is_empty() {
            write!(line, " ({})", sanitise(&note.remark, 200)).unwrap_or_default();
        }
        self.write(&line);
    }

    /// Says how much was left out, and counts anew.
    fn sum_up(&mut self) {
        let left_out = |place: usize, most: u32| {
            let count = self.counts.get(place).copied().unwrap_or(0);
            count.saturating_sub(most)
        };
        let (seated, others) = (left_out(0, LINES[0]), left_out(1, LINES[1]));
        if seated + others > 0 {
            self.write(&format!(
                "left out of a busy minute: {seated} lines about people with a seat, {others} about others"
            ));
        }
        self.counts = [0; 2];
        self.since = Instant::now();
    }

    /// When something is to be summed up, if nothing else comes.
    pub(in crate::server) fn due(&self) -> Option<Duration> {
        let [seated, others] = self.counts;
        let is_over = seated > LINES[0] || others > LINES[1];
        is_over.then(|| MINUTE.saturating_sub(self.since.elapsed()))
    }

    /// Sums up what is due, or all of it at the end.
    pub(in crate::server) fn close_minute(&mut self, is_end: bool) {
        if is_end || self.since.elapsed() >= MINUTE {
            self.sum_up();
        }
    }

    /// A disk that fails costs the line, and no connection.
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
            Session::new(System::HeartRush),
            Vec::new(),
            Some(data.path().to_owned()),
            chrono::DateTime::default,
            Box::new(SystemDice::from_system().unwrap()),
        );
        table.keep_now().unwrap();
        let mut audit_log = AuditLog::new(Arc::clone(&table), None);
        let mut note = |name: &str, is_seated| {
            audit_log.note(&Note {
                what: "joined",
                name: name.to_owned(),
                is_seated,
                address: ([127, 0, 0, 1], 7).into(),
                key: None,
                remark: String::new(),
            });
        };
        note("Ana", true);
        (0..500).for_each(|_| note("zoe (watching)", false));
        note("Bo", true);
        assert!(audit_log.due().is_some());
        audit_log.close_minute(true);
        let log = std::fs::read_to_string(table.folder().unwrap().join(NAME)).unwrap();
        assert_eq!(log.matches("zoe").count(), 20);
        for words in [
            "\"Ana\"",
            "\"Bo\"",
            "0 lines about people with a seat, 480 about others",
        ] {
            assert!(log.contains(words), "{log}");
        }
        assert_eq!(audit_log.due(), None);
    }
}
