//! `tableside host`: all games of the data folder behind one door, with a lobby.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::Value as Json;

use super::hooks::{self, HookOptions};
use super::number::number_from;
use super::open_game::{bring_own_files, open_place};
use super::serve::{Heard, OverSsh, opening, read_signals, wait};
use super::{App, CliError, close};
use tableside_commands::handle_request;
use tableside_server::{HostOpening, OpenTable, Server, host_status};
use tableside_store::{GameLocation, Name};
use tableside_table::RequestError;
use tableside_text::pluralise;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    listen: OverSsh,
    /// Puts a table away so many seconds after the last has left it
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = number_from(0..=u32::MAX))]
    idle: u32,
    /// Tells how the host stands that is open: games, screens, memory, how long keys take
    #[arg(long)]
    status: bool,
    /// The same as one JSON document
    #[arg(long, requires = "status")]
    json: bool,
}

/// Opens all games to others, until a signal says otherwise.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let folder = app.config.data()?.to_owned();
    if args.status {
        let status = host_status(&folder)?;
        return if args.json {
            app.out.json(&status)
        } else {
            tell(app, &status)
        };
    }
    app.create_host_game()?;
    let (host, notices) = app.open(&Name::host_game(), false)?;
    app.out.lines(&notices)?;
    let (tell, heard) = channel();
    let hook_lines = tell.clone();
    let (hooks_alive, hooks_ended) = channel();
    let (config, clock, of_host) = (app.config.clone(), app.clock, Arc::clone(&host));
    let open = move |place: &GameLocation| -> Result<OpenTable, RequestError> {
        let failed = |error: CliError| RequestError::failed(error.words());
        let table = open_place(place, clock, false).map_err(failed)?;
        bring_own_files(&config, &table);
        table.join_host(Arc::new(Arc::clone(&of_host)))?;
        let lines = hook_lines.clone();
        let game = place.name();
        let options = HookOptions {
            clock,
            echo: Some(Arc::new(move |line| {
                let line = format!("{game}: {line}");
                // Without a reader the program has ended.
                lines.send(Heard::Line(line)).ok();
            })),
            alive: Some(hooks_alive.clone()),
        };
        let hooks = hooks::run(&table, options).map_err(failed)?;
        table.accept_requests(handle_request);
        Ok((table, Box::new(hooks)))
    };
    let opened = HostOpening {
        storage: app.storage()?,
        folder,
        table: Arc::clone(&host),
        open: Box::new(open),
        library: app.library(app.storage().ok()),
        idle: Some(Duration::from_secs(args.idle.into())),
    };
    let told = tell.clone();
    let echo = Box::new(move |line: &str| {
        told.send(Heard::Line(line.to_owned())).unwrap_or_default();
    });
    let setup = app.setup()?;
    let server = Server::host(opened, opening(&args.listen, setup, Some(echo))?)?;
    read_signals(tell)?;
    host.accept_requests(handle_request);
    let port = server.address().port();
    app.out.line(&server.describe())?;
    app.out.line(&format!(
        "Players type: ssh -p {port} GAME+NAME@HOST, or ssh -p {port} NAME@HOST for the lobby"
    ))?;
    wait(app, &heard, || {
        host.retire();
        drop(server);
        // The server has closed all games. Their hooks may still deliver pending messages.
        hooks_ended.recv_timeout(hooks::LONGEST_CLOSING).ok();
        close(&host)
    })
}

/// Prints how the host stands.
fn tell(app: &mut App<'_>, status: &Json) -> Result<(), CliError> {
    let count = |of: &Json, key: &str| of[key].as_u64().unwrap_or_default();
    let number = |key: &str| count(status, key);
    let latency = |key: &str| {
        let of = |part: &str| status[key][part].as_f64();
        match (of("p50-ms"), of("p99-ms")) {
            (Some(middle), Some(slow)) => {
                format!("{middle:.1} ms in the middle, 99 of 100 within {slow:.1} ms")
            }
            _ => "none yet".to_owned(),
        }
    };
    let within = |key: &str| {
        let millis = status[key].as_f64().unwrap_or_default();
        format!("within {millis:.1} ms")
    };
    let rows = [
        (
            "open",
            format!(
                "{}, {}, {} in the lobby",
                pluralise(number("games-open"), "game"),
                pluralise(number("screens"), "screen"),
                number("in-lobby"),
            ),
        ),
        ("memory", format!("{} MiB", number("memory-kib") / 1024)),
        ("key to frame", latency("key-to-frame")),
        ("change to frame", latency("change-to-frame")),
        ("games opened", within("longest-opening-ms")),
        ("put away", within("longest-putting-away-ms")),
    ];
    let mut rows: Vec<(String, String)> = rows.map(|(what, told)| (what.to_owned(), told)).into();
    for game in status["games"].as_array().into_iter().flatten() {
        let name = game["name"].as_str().unwrap_or_default();
        let screens = pluralise(count(game, "screens"), "screen");
        let events = pluralise(count(game, "events"), "event");
        rows.push((format!("  {name}"), format!("{screens}, {events}")));
    }
    app.out.columns(&rows)
}
