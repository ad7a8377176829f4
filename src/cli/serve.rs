//! `tableside serve`: the table open to others, without a screen here. And `--listen` and `--web`, beside one.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use super::hooks::{self, HookOptions, RunningHooks};
use super::number::number_from;
use super::{App, CliError, close};
use tableside_commands::handle_request;
use tableside_server::{Echo, Server, ServerOpening};
use tableside_table::Table;
use tableside_text::quote_for_shell;
use tableside_tui::{ExitReason, Setup};
use tableside_web::{self, Bounds, MOST_VIEWERS, Page};

/// Where people join by default.
const USUAL: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 2222);

/// What `serve` waits for.
pub(super) enum Heard {
    Line(String),
    Signal(i32),
}

/// How tables are opened to others over SSH.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Live table")]
pub(super) struct OverSsh {
    /// Opens the table to others over SSH at this address; a port alone is on this machine only
    #[arg(long, value_name = "ADDR:PORT")]
    pub(super) listen: Option<String>,
    /// Lets anybody watch, without a key or a code
    #[arg(long)]
    open_watchers: bool,
    /// Speaks only key exchanges that a quantum computer could not open (OpenSSH 9.9 on)
    #[arg(long)]
    pq_only: bool,
}

/// How one table is opened to others.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Live table")]
pub(super) struct LiveTable {
    #[command(flatten)]
    pub(super) ssh: OverSsh,
    /// Shows the table to browsers, there, as a watcher sees it; with serve and without --listen, to them alone
    #[arg(long, value_name = "ADDR:PORT")]
    web: Option<String>,
    /// Puts a long random part into the path of the page also on this machine, for a tunnel that leads to it
    #[arg(long, requires = "web")]
    web_key: bool,
    /// At most so many browsers at once
    #[arg(long, value_name = "N", requires = "web", default_value_t = Bounds::default().connections, value_parser = number_from(1..=MOST_VIEWERS))]
    web_viewers: usize,
}

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game
    game: String,
    #[command(flatten)]
    listen: LiveTable,
}

/// Opens a table to others, until a signal says otherwise.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let given = args.game.as_str();
    let (table, notices) = app.open(&app.name(given)?, false)?;
    app.out.lines(&notices)?;
    let (tell, heard) = channel();
    let told = tell.clone();
    let echo: Echo =
        Box::new(move |line| told.send(Heard::Line(line.to_owned())).unwrap_or_default());
    let setup = app.setup()?;
    let page = open_page(&table, &args.listen, &setup)?;
    // Hooks hear of whatever somebody does who comes in.
    let hook_lines = tell.clone();
    let hooks = hooks::run(
        &table,
        HookOptions {
            clock: app.clock,
            echo: Some(Arc::new(move |line| {
                // Without a reader the program has ended.
                hook_lines.send(Heard::Line(line.to_owned())).ok();
            })),
            alive: None,
        },
    )?;
    // Who asks for the page gets no other door.
    let mut server = None;
    if page.is_none() || args.listen.ssh.listen.is_some() {
        let opening = opening(&args.listen.ssh, setup, Some(echo))?;
        server = Some(Server::start(&table, opening)?);
    }
    // From the first line on, signals and requests of other commands are heard.
    read_signals(tell)?;
    table.accept_requests(handle_request);
    let _following = app.follow_host(&table)?;
    if let Some(page) = &page {
        app.out.line(&page.describe())?;
    }
    if let Some(server) = &server {
        app.out.line(&server.describe())?;
        let port = server.address().port();
        app.out.line(&if server.has_no_seats() {
            format!(
                "There are no seats yet: `tableside invite {} NAME` makes an invitation (`--role gm` for yourself).",
                quote_for_shell(given)
            )
        } else {
            format!("Players type: ssh -p {port} NAME@HOST")
        })?;
    }
    wait(app, &heard, || {
        table.retire();
        drop((server, page));
        // Its reports are already among the lines to print.
        hooks.map(RunningHooks::finish);
        close(&table)
    })
}

/// Prints what is told until a signal comes, and then closes.
pub(super) fn wait(
    app: &mut App<'_>,
    heard: &Receiver<Heard>,
    close: impl FnOnce() -> Result<(), CliError>,
) -> Result<(), CliError> {
    app.out.finish()?;
    let ended = loop {
        match heard.recv() {
            Ok(Heard::Line(line)) => {
                let written = app.out.line(&line).and_then(|()| app.out.finish());
                if written.is_err() {
                    close()?;
                    return written;
                }
            }
            Ok(Heard::Signal(signal)) => break Some(signal),
            Err(_) => break None,
        }
    };
    close()?;
    // Print the lines that arrived while the table was closed.
    for heard in heard.try_iter() {
        if let Heard::Line(line) = heard {
            app.out.line(&line)?;
        }
    }
    app.out.finish()?;
    match ended {
        // It was asked to end, and it did.
        None | Some(SIGINT | SIGTERM) => Ok(()),
        Some(signal) => Err(CliError::Ended(ExitReason::Signal(signal).exit_code())),
    }
}

/// Passes signals on until the program ends.
pub(super) fn read_signals(tell: Sender<Heard>) -> Result<(), CliError> {
    let failed = |error: std::io::Error| CliError::failed(format!("cannot hear signals: {error}"));
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP, SIGQUIT]).map_err(failed)?;
    let hear = move || {
        for signal in signals.forever() {
            tell.send(Heard::Signal(signal)).unwrap_or_default();
        }
    };
    let thread = thread::Builder::new().name("signals".into());
    thread.spawn(hear).map(drop).map_err(failed)
}

/// How a door is opened as the command line says.
pub(super) fn opening(
    listen: &OverSsh,
    setup: Setup,
    echo: Option<Echo>,
) -> Result<ServerOpening, CliError> {
    let address = match &listen.listen {
        Some(given) => address("--listen", given)?,
        None => USUAL,
    };
    Ok(ServerOpening {
        address,
        open_watchers: listen.open_watchers,
        pq_only: listen.pq_only,
        setup,
        echo,
        #[cfg(debug_assertions)]
        panic_seat: panic_seat(),
    })
}

/// Opens the page as the command line says, if it does.
pub(super) fn open_page(
    table: &Arc<Table>,
    live: &LiveTable,
    setup: &Setup,
) -> Result<Option<Page>, CliError> {
    let Some(given) = &live.web else {
        return Ok(None);
    };
    let own = setup.memory.as_ref().map(|memory| memory.themes());
    let own = own.into_iter().flatten();
    let address = address("--web", given)?;
    let opening = tableside_web::PageOpening {
        address,
        has_key: live.web_key || !address.ip().to_canonical().is_loopback(),
        limits: Bounds {
            connections: live.web_viewers,
            ..Bounds::default()
        },
        theme: setup.theme.clone(),
        // One that cannot be read is told of where themes are chosen.
        themes: own.filter_map(|(_, theme)| theme.ok()).collect(),
    };
    Ok(Some(Page::open(table, &opening)?))
}

/// The seat whose screens a test wants to see panic: `TABLESIDE_PANIC='seat mira'`.
#[cfg(debug_assertions)]
fn panic_seat() -> Option<String> {
    let told = std::env::var("TABLESIDE_PANIC").ok()?;
    told.strip_prefix("seat ").map(str::to_owned)
}

/// Reads the `ADDR:PORT` of an option; a port alone is one of this machine's own.
fn address(option: &str, given: &str) -> Result<SocketAddr, CliError> {
    let port = given.strip_prefix(':').unwrap_or(given);
    if let Ok(port) = port.parse() {
        return Ok(SocketAddr::new(USUAL.ip(), port));
    }
    let local = given.replace("localhost:", "127.0.0.1:");
    local.parse().map_err(|_not_an_address| {
        CliError::usage(format!(
            "{option} {given:?} is no address; it should be like 127.0.0.1:2222, 0.0.0.0:2222 or [::1]:2222"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &str) -> String {
        address("--listen", given).map_or_else(|_| "no".to_owned(), |address| address.to_string())
    }

    #[test]
    fn an_address_is_this_machine_unless_it_says_otherwise() {
        assert_eq!(read("2222"), "127.0.0.1:2222");
        assert_eq!(read(":2223"), "127.0.0.1:2223");
        assert_eq!(read("localhost:2222"), "127.0.0.1:2222");
        assert_eq!(read("0.0.0.0:22"), "0.0.0.0:22");
        assert_eq!(read("[::1]:0"), "[::1]:0");
        assert_eq!(read("example.org:22"), "no");
        assert_eq!(read("70000"), "no");
    }
}
