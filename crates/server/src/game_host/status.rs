//! The figures that `tableside host --status` prints.

use std::fs;
use std::time::Duration;

use serde_json::{Value as Json, json};

use super::GameHost;
use crate::game::HostedGame;
use crate::latency::Latency;

/// The longest times since the server started.
#[derive(Default)]
pub(super) struct SlowestTimes {
    opening: Duration,
    closing: Duration,
}

impl GameHost {
    /// Logs that a game was opened, and remembers the time if it is the longest.
    pub(super) fn record_opening(&self, game: &str, time: Duration) {
        let mut slowest = self.slowest.lock();
        slowest.opening = slowest.opening.max(time);
        drop(slowest);

        self.log_time(&format!("opened game={game:?}"), time);
    }

    /// Logs that a game was closed, and remembers the time if it is the longest.
    pub(super) fn record_closing(&self, game: &str, time: Duration) {
        let mut slowest = self.slowest.lock();
        slowest.closing = slowest.closing.max(time);
        drop(slowest);

        self.log_time(&format!("put away game={game:?}"), time);
    }

    fn log_time(&self, event: &str, time: Duration) {
        let line = format!("{event} in {:.1} ms", milliseconds(time));
        let mut audit_log = self.shared.audit_log.lock();
        audit_log.note(&self.place(), true, &line);
        drop(audit_log);
        self.shared.tell_lobby();
    }

    /// Returns the status as `tableside host --status --json` prints it.
    pub(crate) fn status(&self) -> Json {
        let games = self.requested_games();
        let open_games: Vec<Json> = games.iter().filter_map(|game| game_status(game)).collect();
        let screens: usize = games.iter().map(|game| count_screens(game)).sum();
        let [from_key, from_change] = &self.shared.latency;
        let slowest = self.slowest.lock();
        json!({
            "address": self.shared.address.to_string(),
            "games-open": open_games.len(),
            "screens": screens,
            "in-lobby": self.table.sitting(),
            "memory-kib": resident_memory(),
            "key-to-frame": latency_status(from_key),
            "change-to-frame": latency_status(from_change),
            "longest-opening-ms": milliseconds(slowest.opening),
            "longest-putting-away-ms": milliseconds(slowest.closing),
            "games": open_games,
        })
    }
}

/// Returns the status of a game, or `None` if it is closed.
fn game_status(game: &HostedGame) -> Option<Json> {
    let table = game.table()?;
    Some(json!({
        "name": game.name,
        "screens": count_screens(game),
        "events": table.last_event(),
    }))
}

fn count_screens(game: &HostedGame) -> usize {
    game.screens.lock().open.len()
}

fn latency_status(latency: &Latency) -> Json {
    json!({
        "count": latency.total(),
        "p50-ms": latency.within(500),
        "p99-ms": latency.within(990),
    })
}

/// Converts to milliseconds, rounded to one decimal place.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

/// The memory of this process in KiB, or `None` if the system does not report it.
fn resident_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
