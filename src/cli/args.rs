//! What may be written on the command line. What a command takes stands in its own file.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use super::{
    CliError, act, forecast, import, invite, log, new, packaging, roll_args, serve, sessions,
    status, systems, tables, usage,
};
use crate::dice::notation::Notation;
use crate::screen::theme::Theme;

/// A session tracker for tabletop roleplaying games in the terminal
#[derive(Debug, Parser)]
#[command(
    name = "tableside",
    version,
    after_help = "Without a command it opens a session at the table; without a name it asks which, and on a \
                  fresh machine it opens a sample game.",
    disable_help_subcommand = true,
    color = clap::ColorChoice::Never,
    max_term_width = 100
)]
pub(super) struct Cli {
    /// The session to open
    pub(super) session: Option<String>,
    /// Opens to look only, also while it is open elsewhere
    #[arg(long)]
    pub(super) view: bool,
    #[command(flatten)]
    pub(super) listen: serve::LiveTable,
    #[command(flatten)]
    pub(super) everywhere: Everywhere,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Everywhere")]
pub(super) struct Everywhere {
    /// Shows ASCII only
    #[arg(long, global = true)]
    pub(super) ascii: bool,
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        help = "Where session folders lie [TABLESIDE_DATA, else the platform's data folder]"
    )]
    pub(super) data: Option<PathBuf>,
    #[arg(long, global = true, value_name = "NAME", help = themes())]
    pub(super) theme: Option<String>,
}

fn themes() -> String {
    let names: Vec<&str> = Theme::names().collect();
    format!("The colours: {}, or one of yours", names.join(", "))
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Makes a session: an empty party, or a system's sample game
    New(new::Args),
    /// Lists the known sessions
    Sessions(sessions::Args),
    /// Describes systems, their checks and house rules; or one of them
    Systems(systems::Args),
    /// Rolls a check
    Roll,
    /// Prints the exact odds of a check
    Odds,
    /// Prints the roll log
    Log(log::Args),
    /// Derives every logged outcome again and names what does not hold
    Verify(log::VerifyArgs),
    /// Opens the table to others, over SSH, without a screen here
    Serve(serve::Args),
    /// Makes an invitation to join over SSH; also while the table is open
    Invite(invite::Args),
    /// Lists your own random tables, or the rows of one
    Tables(tables::Args),
    /// Prints the whole table in plain lines
    Status(status::Args),
    /// Prints the chance that a clock is full after 1, 2, 3, … rolls of its check
    Forecast(forecast::Args),
    /// Lists the keys as they stand, your own among them
    Keys,
    /// Prints what completes commands in a shell
    Completions(packaging::CompletionArgs),
    /// Prints the manual page, or writes those of all commands
    Man(packaging::ManArgs),
    /// Writes a whole session, its log included, into one file
    Export(import::ExportArgs),
    /// Makes a session of its file again, or reads a party from TOML, CSV or JSON
    Import(import::Args),
    /// Runs a command in plain English, also while the session is open elsewhere
    Do(act::Args),
}

/// The whole command line, as clap describes it. The rule systems are read only for what needs their checks.
pub(super) static WHOLE: LazyLock<clap::Command> = LazyLock::new(|| {
    Cli::command()
        .mut_subcommand("roll", |command| {
            command.defer(|command| roll_args::with_checks(command, true))
        })
        .mut_subcommand("odds", |command| {
            command.defer(|command| roll_args::with_checks(command, false))
        })
});

/// The words that the command line takes for itself, and that no session may be named.
pub(super) static RESERVED: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let names = WHOLE.get_subcommands().map(clap::Command::get_name);
    names.chain(["help"]).collect()
});

/// Reads the arguments, the program's own name first; those of a check are read from what clap found.
pub(super) fn parse(
    args: impl IntoIterator<Item = OsString>,
) -> Result<(Cli, ArgMatches), CliError> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    // `help roll` is `roll --help`.
    if args.get(1).is_some_and(|word| word == "help") {
        args.remove(1);
        args.push("--help".into());
    }
    let read = |args: &[OsString]| {
        let matches = WHOLE.clone().try_get_matches_from(args);
        matches.map_err(|error| usage::explain(&error))
    };
    let mut matches = read(&args)?;
    if let Some(at) = unnamed_dice(&matches, args.len()) {
        args.insert(at, "dice".into());
        matches = read(&args)?;
    }
    let cli = Cli::from_arg_matches(&matches).map_err(|error| usage::explain(&error))?;
    if let (Some(session), Some(command)) = (&cli.session, matches.subcommand_name()) {
        let what = format!("{session:?} before {command} is one word too many");
        let hint = format!("`tableside {command} --help` says what it takes");
        return Err(CliError::usage(what).hint(hint));
    }
    Ok((cli, matches))
}

/// The place of the word `dice` if it was left out, as in `roll 2d6`. What is no system takes all words behind it.
fn unnamed_dice(matches: &ArgMatches, length: usize) -> Option<usize> {
    let (_, of_checks) = matches.subcommand()?;
    let (word, rest) = of_checks.subcommand()?;
    if !(word.contains(['d', 'D']) && word.parse::<Notation>().is_ok()) {
        return None;
    }
    let rest = rest.get_many::<OsString>("").unwrap_or_default();
    Some(length - 1 - rest.count())
}
