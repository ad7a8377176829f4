//! The command line: one file per command, and what they share.
//!
//! Nothing here knows a rule: flags, help and answers are made from the descriptions in [`crate::rules`],
//! and every change goes through [`Table::submit`](crate::table::Table::submit).

mod act;
mod args;
mod ask;
mod dice;
mod error;
mod export;
mod forecast;
mod import;
mod invite;
mod ipc;
mod keys;
mod library;
mod log;
mod new;
mod odds;
mod open;
mod order;
mod output;
mod packaging;
mod roll;
mod sample;
mod serve;
mod sessions;
mod status;
mod systems;
mod theme_config;
mod verify;

use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, IsTerminal as _, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chrono::{DateTime, Utc};
use clap::ArgMatches;

use crate::config::{Config, Given};
use crate::screen::color_depth::Depth;
use crate::table::Clock;
use error::CliError;
use output::Output;

pub use sample::{Sample, SampleError, sample};

/// The words that the command line takes for itself, and that no session may be named; those that are
/// to come, too.
pub const COMMANDS: &[&str] = &[
    "new",
    "sessions",
    "systems",
    "roll",
    "odds",
    "status",
    "do",
    "log",
    "forecast",
    "verify",
    "serve",
    "invite",
    "export",
    "import",
    "keys",
    "completions",
    "man",
    "help",
];

/// How a run of the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// As it should.
    Response,
    /// With an error.
    Failed,
    /// It was not called rightly.
    Misused,
    /// By a signal; 128 and its number.
    Ended(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Response => Self::SUCCESS,
            Exit::Failed => Self::FAILURE,
            Exit::Misused => Self::from(2),
            Exit::Ended(code) => Self::from(code),
        }
    }
}

/// The world outside, as far as the command line may know it; tests bring their own.
pub struct World<'a> {
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
    /// Whether somebody sits there to be asked.
    pub can_ask: bool,
    /// Reads the time.
    pub clock: Clock,
}

/// What a command works with.
struct Desk<'a> {
    config: Config,
    /// How many colours the terminal shows.
    depth: Depth,
    out: Output<'a>,
    input: &'a mut dyn BufRead,
    can_ask: bool,
    clock: Clock,
    /// What the user is to be told beside the answer.
    notices: Vec<String>,
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
    let mut world = World {
        env: &|name| std::env::var(name).ok(),
        input: &mut io::stdin().lock(),
        out: &mut out,
        // Not locked: a panic on another thread has something to say, too.
        err: &mut io::stderr(),
        to_terminal: terminal,
        can_ask: terminal && io::stdin().is_terminal(),
        clock: now,
    };
    run(std::env::args_os(), &mut world).into()
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
#[expect(
    clippy::disallowed_methods,
    reason = "somebody has to look at the clock"
)]
fn now() -> DateTime<Utc> {
    Utc::now()
}

/// Runs the program with these arguments, its own name first.
pub fn run(args: impl IntoIterator<Item = OsString>, world: &mut World<'_>) -> Exit {
    let args: Vec<OsString> = args.into_iter().collect();
    let result = match args::parse(&args) {
        Ok(matches) => {
            let given = Given {
                data: matches.get_one("data").cloned(),
                theme: matches.get_one("theme").cloned(),
                ascii: matches.get_flag("ascii"),
            };
            let config = Config::new(given, world.env);
            let colour = world.to_terminal && !config.no_colour();
            let mut desk = Desk {
                out: Output::new(world.out, colour),
                config,
                depth: Depth::from_env(world.env),
                input: world.input,
                can_ask: world.can_ask,
                clock: world.clock,
                notices: Vec::new(),
            };
            let result = desk.run(&matches);
            result.and_then(|()| desk.out.finish())
        }
        Err(CliError::Shown(text)) => {
            let mut out = Output::new(world.out, false);
            out.block(&text).and_then(|()| out.finish())
        }
        Err(trouble) => Err(trouble),
    };
    match result {
        Ok(()) => Exit::Response,
        Err(trouble) => trouble.report(world.err),
    }
}

impl Desk<'_> {
    fn run(&mut self, matches: &ArgMatches) -> Result<(), CliError> {
        match matches.subcommand() {
            None => open::run(self, matches),
            Some(("new", matches)) => new::run(self, matches),
            Some(("sessions", matches)) => sessions::run(self, matches),
            Some(("systems", matches)) => systems::run(self, matches),
            Some(("roll", matches)) => roll::run(self, matches),
            Some(("odds", matches)) => odds::run(self, matches),
            Some(("verify", matches)) => verify::run(self, matches),
            Some(("log", matches)) => log::run(self, matches),
            Some(("status", matches)) => status::run(self, matches),
            Some(("serve", matches)) => serve::run(self, matches),
            Some(("invite", matches)) => invite::run(self, matches),
            Some(("do", matches)) => act::run(self, matches),
            Some(("export", matches)) => export::run(self, matches),
            Some(("import", matches)) => import::run(self, matches),
            Some(("keys", matches)) => keys::run(self, matches),
            Some(("completions", matches)) => packaging::completions(self, matches),
            Some(("man", matches)) => packaging::man(self, matches),
            Some(("forecast", matches)) => forecast::run(self, matches),
            Some((other, _)) => Err(CliError::usage(format!("there is no command {other}"))),
        }
    }
}
