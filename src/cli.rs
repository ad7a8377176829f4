//! The command line: one file per command, and what they share.
//!
//! Nothing here knows a rule: flags, help and answers are made from the descriptions in [`tableside_rules`],
//! and every change goes through [`Table::submit`](tableside_table::Table::submit).

mod act;
mod args;
mod ask;
mod creature_import;
mod creatures;
mod error;
mod file_text;
mod find_system;
mod forecast;
mod game_list;
mod games;
mod hooks;
mod host;
mod host_game;
mod import;
mod invite;
mod library;
mod log;
mod log_statistics;
mod new;
mod notes;
mod number;
mod odds;
mod open;
mod open_game;
mod output;
mod packaging;
mod party;
mod reader;
mod recap;
mod roll;
mod roll_args;
mod sample;
mod serve;
mod status;
mod systems;
mod tables;
mod usage_errors;

use std::cell::OnceCell;
use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, IsTerminal as _, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use chrono::{DateTime, Utc};
use clap::ArgMatches;

use crate::config::Config;
use args::{Cli, Command};
use error::CliError;
use open_game::{Opened, close, system_dice, unsaved};
use output::{Ink, Output, object};
use tableside_rules::System;
use tableside_store::{Storage, date_of};
use tableside_table::TimeSource;
use tableside_text::{pluralise, sanitise};
use tableside_tui::terminal::color_depth::Depth;

pub use error::Exit;
pub use sample::{Sample, sample};

/// The outside of the program; tests bring their own.
pub struct Io<'a> {
    /// The environment.
    pub env: &'a dyn Fn(&str) -> Option<String>,
    /// Where answers are read from.
    pub input: &'a mut dyn BufRead,
    /// Where results go.
    pub out: &'a mut dyn Write,
    /// Where errors go.
    pub err: &'a mut dyn Write,
    /// Whether results go to a terminal.
    pub to_terminal: bool,
    /// Whether questions can be asked: both ends are a terminal.
    pub can_ask: bool,
    /// Reads the time.
    pub clock: TimeSource,
}

/// What a command works with.
struct App<'a> {
    config: Config,
    /// Where games are kept, once somebody asked.
    storage: OnceCell<Storage>,
    /// How many colours the terminal shows.
    depth: Depth,
    out: Output<'a>,
    input: &'a mut dyn BufRead,
    can_ask: bool,
    clock: TimeSource,
    /// The whole command line, as clap describes it.
    command_line: &'static clap::Command,
    /// The words of it that no game may be named.
    reserved: &'static [&'static str],
    /// True if the command line names a command, so that a wrong name of a game is no misspelled command.
    has_command: bool,
    /// Systems in files that words of the command line name.
    named: Vec<(&'static str, System)>,
    /// What the user is to be told beside the answer.
    notices: Vec<String>,
    /// Why games that were read could not be shown whole; the command fails with them in the end.
    incomplete: Vec<String>,
}

/// Runs the program in the real world.
pub fn main() -> ExitCode {
    install_reports();
    // A file that may not grow any more is an error like a full disk, not the end of the program.
    let heeded = Arc::new(AtomicBool::new(false));
    // Where it cannot be heeded, it ends the program as ever.
    let _registered = signal_hook::flag::register(libc::SIGXFSZ, heeded);
    let terminal = io::stdout().is_terminal();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut io = Io {
        env: &|name| std::env::var(name).ok(),
        input: &mut io::stdin().lock(),
        out: &mut out,
        // Not locked: a panic on another thread has something to say, too.
        err: &mut io::stderr(),
        to_terminal: terminal,
        can_ask: terminal && io::stdin().is_terminal(),
        clock: now,
    };
    run(std::env::args_os(), &mut io).into()
}

/// A panic tells where; the screen's own hook, which comes later, gives the terminal back before.
fn install_reports() {
    let hooks = color_eyre::config::HookBuilder::default()
        .display_env_section(false)
        .theme(color_eyre::config::Theme::new());
    // It can be installed once only, and nothing is lost where that was done before.
    hooks.install().unwrap_or_default();
}

/// The time, for everything that does not get it as an argument.
fn now() -> DateTime<Utc> {
    date_of(SystemTime::now())
}

/// Runs the program with these arguments, its own name first.
pub fn run(args: impl IntoIterator<Item = OsString>, io: &mut Io<'_>) -> Exit {
    let result = match args::parse(args, io.env) {
        Ok((cli, matches, named)) => {
            let everywhere = &cli.everywhere;
            let (data, theme) = (everywhere.data.clone(), everywhere.theme.clone());
            let mut config = Config::new((data, theme, everywhere.ascii), io.env);
            if everywhere.database.is_some() {
                config.database.clone_from(&everywhere.database);
            }
            let colour = io.to_terminal && !config.no_colour;
            let mut app = App {
                out: Output::new(io.out, colour),
                config,
                storage: OnceCell::new(),
                depth: Depth::from_env(io.env),
                input: io.input,
                can_ask: io.can_ask,
                clock: io.clock,
                command_line: &args::WHOLE,
                reserved: &args::RESERVED,
                has_command: cli.command.is_some(),
                named,
                notices: Vec::new(),
                incomplete: Vec::new(),
            };
            let done = app.run(&cli, &matches).and_then(|()| app.out.finish());
            let incomplete = std::mem::take(&mut app.incomplete).join("\n");
            let done = match done {
                Ok(()) if !incomplete.is_empty() => Err(CliError::failed(incomplete)),
                done => done,
            };
            for notice in &app.notices {
                writeln!(io.err, "{}", sanitise(notice, 2_000)).unwrap_or_default();
            }
            done
        }
        Err(CliError::Shown(text)) => {
            let mut out = Output::new(io.out, false);
            out.lines(text.lines()).and_then(|()| out.finish())
        }
        Err(error) => Err(error),
    };
    match result {
        Ok(()) => Exit::Success,
        Err(error) => error.report(io.err),
    }
}

impl App<'_> {
    fn run(&mut self, cli: &Cli, matches: &ArgMatches) -> Result<(), CliError> {
        let Some(command) = &cli.command else {
            return open::run(self, cli.game.as_deref(), cli.view, &cli.listen);
        };
        let of_command = matches.subcommand().map_or(matches, |(_, matches)| matches);
        match command {
            Command::New(args) => new::run(self, args),
            Command::Games(args) => games::run(self, args),
            Command::Systems(args) => systems::run(self, args),
            Command::Tables(args) => tables::run(self, args),
            Command::Creatures(args) => creatures::run(self, args),
            Command::Roll => roll::run(self, of_command),
            Command::Odds => odds::run(self, of_command),
            Command::Verify(args) => log::verify(self, args),
            Command::Log(args) => log::run(self, args),
            Command::Notes(args) => notes::run(self, args),
            Command::Recap(args) => recap::run(self, args),
            Command::Status(args) => status::run(self, args),
            Command::Serve(args) => serve::run(self, args),
            Command::Host(args) => host::run(self, args),
            Command::Invite(args) => invite::run(self, args),
            Command::Do(args) => act::run(self, args),
            Command::Export(args) => import::export(self, args),
            Command::Import(args) => import::run(self, args),
            Command::Keys => packaging::keys(self),
            Command::Completions(args) => packaging::completions(self, args),
            Command::Man(args) => packaging::man(self, args),
            Command::Forecast(args) => forecast::run(self, args),
        }
    }
}
