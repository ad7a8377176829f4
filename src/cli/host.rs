//! `tableside host`: all games of the data folder on one port, with a lobby.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use serde_json::Value as Json;

use super::hooks::{self, HookOptions};
use super::number::number_from;
use super::open_game::{bring_own_files, open_place};
use super::serve::{Heard, OverSsh, opening, read_signals, wait};
use super::{App, CliError, close};
use tableside_commands::handle_request;
use tableside_server::{Echo, HostOpening, OpenGame, OpenTable, Server, host_status};
use tableside_store::{GameLocation, Name};
use tableside_table::{RequestError, Table};
use tableside_text::pluralise;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    listen: OverSsh,
    /// Close a game this many seconds after the last player has left
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number_from(0..=u32::MAX))]
    idle: u32,
    /// Shows the status of the running host: games, screens, memory, latency of keys
    #[arg(long)]
    status: bool,
    /// Prints the status as a JSON document
    #[arg(long, requires = "status")]
    json: bool,
}

/// Hosts all games until a signal ends the program, or prints the status of a running host.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let folder = app.config.data()?.to_owned();
    if args.status {
        let status = host_status(&folder)?;
        return if args.json {
            app.out.json(&status)
        } else {
            print_status(app, &status)
        };
    }

    app.create_host_game()?;
    let (host, notices) = app.open(&Name::host_game(), false)?;
    app.out.lines(&notices)?;

    let (sender, receiver) = channel();
    let (hooks_alive, hooks_ended) = channel();
    let host_opening = HostOpening {
        storage: app.storage()?,
        folder,
        table: Arc::clone(&host),
        open: open_games_of(app, &host, sender.clone(), hooks_alive),
        library: app.library(app.storage().ok()),
        idle: Some(Duration::from_secs(args.idle.into())),
    };
    let setup = app.setup()?;
    let server_opening = opening(&args.listen, setup, Some(print_by(sender.clone())))?;
    let server = Server::host(host_opening, server_opening)?;

    read_signals(sender)?;
    host.accept_requests(handle_request);
    let port = server.address().port();
    app.out.line(&server.describe())?;
    app.out.line(&format!(
        "Players type: ssh -p {port} GAME+NAME@HOST, or ssh -p {port} NAME@HOST for the lobby"
    ))?;

    wait(app, &receiver, || {
        host.retire();
        drop(server);
        // The server has closed all games. Their hooks may still deliver pending messages.
        hooks_ended.recv_timeout(hooks::LONGEST_CLOSING).ok();
        close(&host)
    })
}

/// Returns an echo that prints lines in the main thread.
fn print_by(sender: Sender<Heard>) -> Echo {
    Box::new(move |line: &str| {
        // Without a reader the program has ended.
        sender.send(Heard::Line(line.to_owned())).ok();
    })
}

/// Returns the function that opens a game of the host with its hooks. A hook holds `hooks_alive` until it has ended.
fn open_games_of(
    app: &App<'_>,
    host: &Arc<Table>,
    lines: Sender<Heard>,
    hooks_alive: Sender<()>,
) -> OpenGame {
    let config = app.config.clone();
    let clock = app.clock;
    let host = Arc::clone(host);
    Box::new(
        move |place: &GameLocation| -> Result<OpenTable, RequestError> {
            let failed = |error: CliError| RequestError::failed(error.words());
            let table = open_place(place, clock, false).map_err(failed)?;
            bring_own_files(&config, &table);
            table.join_host(Arc::new(Arc::clone(&host)))?;

            let game = place.name();
            let lines = lines.clone();
            let echo_hook = move |line: &str| {
                // Without a reader the program has ended.
                lines.send(Heard::Line(format!("{game}: {line}"))).ok();
            };
            let options = HookOptions {
                clock,
                echo: Some(Arc::new(echo_hook)),
                alive: Some(hooks_alive.clone()),
            };
            let hooks = hooks::run(&table, options).map_err(failed)?;
            table.accept_requests(handle_request);
            Ok((table, Box::new(hooks)))
        },
    )
}

fn print_status(app: &mut App<'_>, status: &Json) -> Result<(), CliError> {
    let open = format!(
        "{}, {}, {} in the lobby",
        pluralise(count(status, "games-open"), "game"),
        pluralise(count(status, "screens"), "screen"),
        count(status, "in-lobby"),
    );
    let memory = format!("{} MiB", count(status, "memory-kib") / 1024);
    let mut rows = vec![
        ("open".to_owned(), open),
        ("memory".to_owned(), memory),
        ("key to frame".to_owned(), latency(status, "key-to-frame")),
        (
            "change to frame".to_owned(),
            latency(status, "change-to-frame"),
        ),
        (
            "games opened".to_owned(),
            longest(status, "longest-opening-ms"),
        ),
        (
            "put away".to_owned(),
            longest(status, "longest-putting-away-ms"),
        ),
    ];

    for game in status["games"].as_array().into_iter().flatten() {
        let name = game["name"].as_str().unwrap_or_default();
        let screens = pluralise(count(game, "screens"), "screen");
        let events = pluralise(count(game, "events"), "event");
        rows.push((format!("  {name}"), format!("{screens}, {events}")));
    }
    app.out.columns(&rows)
}

fn count(status: &Json, key: &str) -> u64 {
    status[key].as_u64().unwrap_or_default()
}

fn latency(status: &Json, key: &str) -> String {
    let median = status[key]["p50-ms"].as_f64();
    let slowest = status[key]["p99-ms"].as_f64();
    match (median, slowest) {
        (Some(median), Some(slowest)) => {
            format!("{median:.1} ms in the middle, 99 of 100 within {slowest:.1} ms")
        }
        _ => "none yet".to_owned(),
    }
}

fn longest(status: &Json, key: &str) -> String {
    let milliseconds = status[key].as_f64().unwrap_or_default();
    format!("within {milliseconds:.1} ms")
}
