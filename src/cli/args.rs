//! What may be written on the command line. What a command takes stands in its own file.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use super::open_game::storage;
use super::{
    CliError, act, creatures, forecast, games, host, import, invite, log, new, notes, packaging,
    recap, roll_args, serve, status, systems, tables, usage_errors,
};
use crate::config::{Config, Lookup};
use tableside_dice::notation::{Notation, resembles_dice};
use tableside_rules::System;
use tableside_table::load_kept_rules;
use tableside_text::join;
use tableside_tui::theme::Theme;

/// A session tracker for tabletop roleplaying games in the terminal
#[derive(Debug, Parser)]
#[command(
    name = "tableside",
    version,
    after_help = "Without a command it opens a game at the table; without a name it asks which, and on a \
                  fresh machine it opens a sample game.",
    disable_help_subcommand = true,
    color = clap::ColorChoice::Never,
    max_term_width = 100
)]
pub(super) struct Cli {
    /// The game to open
    pub(super) game: Option<String>,
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
        help = "Directory of saved games [default: $TABLESIDE_DATA or the platform's data directory]"
    )]
    pub(super) data: Option<PathBuf>,
    #[arg(
        long,
        global = true,
        value_name = "URL",
        help = "Save games in this PostgreSQL database instead [TABLESIDE_DATABASE]"
    )]
    pub(super) database: Option<String>,
    #[arg(long, global = true, value_name = "NAME", help = themes())]
    pub(super) theme: Option<String>,
}

fn themes() -> String {
    let names = join(Theme::names(), ", ");
    format!("The colours: {names}, or one of yours")
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create a game, empty or with the system's sample game
    New(new::Args),
    /// Lists the known games
    Games(games::Args),
    /// Describes systems, their checks and house rules; or one of them
    Systems(systems::Args),
    /// Rolls a check
    Roll,
    /// Prints the exact odds of a check
    Odds,
    /// Prints the roll log
    Log(log::Args),
    /// Prints what happened in a session, for the GM or for the players
    Recap(recap::Args),
    /// Prints notes and handouts
    Notes(notes::Args),
    /// Derives every logged outcome again and names what does not hold
    Verify(log::VerifyArgs),
    /// Opens the table to others, over SSH, without a screen here
    Serve(serve::Args),
    /// Hosts all games over SSH on one port, with a lobby
    Host(host::Args),
    /// Makes an invitation to join over SSH; also while the table is open
    Invite(invite::Args),
    /// Lists random tables, prints the rows of one, imports one, or rolls on one
    Tables(tables::Args),
    /// Lists the templates of creatures, prints one, or saves a character as one
    Creatures(creatures::Args),
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
    /// Writes a whole game, its log included, into one file
    Export(import::ExportArgs),
    /// Makes a game of its file again, or reads a party from TOML, CSV or JSON
    Import(import::Args),
    /// Runs a command in plain English, also while the game is open elsewhere
    Do(act::Args),
}

/// The whole command line, as clap describes it. The rule systems are read only for what needs their checks.
pub(super) static WHOLE: LazyLock<clap::Command> = LazyLock::new(|| {
    let whole = Cli::command()
        .mut_subcommand("roll", |it| it.defer(roll_args::with_checks::<true>))
        .mut_subcommand("odds", |it| it.defer(roll_args::with_checks::<false>));
    let examples = include_str!("examples.txt").split("\n\n");
    examples.fold(whole, |whole, examples| {
        let (command, lines) = match examples.split_once('\n') {
            Some((command, lines)) if !command.starts_with("tableside") => (command, lines),
            _ => ("", examples),
        };
        with_examples(whole, command.split_whitespace(), lines)
    })
});

/// Ends the help of the command of these words with two examples.
fn with_examples<'a>(
    of: clap::Command,
    mut words: impl Iterator<Item = &'a str>,
    lines: &str,
) -> clap::Command {
    if let Some(word) = words.next() {
        return of.mut_subcommand(word, |command| with_examples(command, words, lines));
    }
    let before = of.get_after_help().map(|help| format!("{help}\n\n"));
    let lines = lines.trim_end().replace('\n', "\n  ");
    of.after_help(format!(
        "{}Examples:\n  {lines}",
        before.unwrap_or_default()
    ))
}

/// The words that the command line takes for itself, and that no game may be named.
pub(super) static RESERVED: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let names = WHOLE.get_subcommands().map(clap::Command::get_name);
    names.chain(["help"]).collect()
});

/// What was read: the commands, what clap found, and the systems that words name which do not come along.
pub(super) type Parsed = (Cli, ArgMatches, Vec<(&'static str, System)>);

/// Reads the arguments, the program's own name first; those of a check are read from what clap found.
pub(super) fn parse(
    args: impl IntoIterator<Item = OsString>,
    lookup: Lookup<'_>,
) -> Result<Parsed, CliError> {
    let mut args: Vec<OsString> = args.into_iter().collect();
    // `help roll` is `roll --help`.
    if args.get(1).is_some_and(|word| word == "help") {
        args.remove(1);
        args.push("--help".into());
    }
    let mut args = act::part_words_from_options(&args, &WHOLE);
    let named = own_systems(&args, lookup);
    let read = |args: &[OsString]| {
        let mut whole = WHOLE.clone();
        for command in ["roll", "odds"] {
            whole = whole.mut_subcommand(command, |into| {
                into.subcommands(named.iter().map(|(name, system)| {
                    roll_args::system_command(name, *system, command == "roll")
                }))
            });
        }
        let matches = whole.try_get_matches_from(args);
        matches.map_err(|error| usage_errors::explain(&error))
    };
    let mut matches = read(&args)?;
    // What stands behind it clap reads as no option, and the words of a check are options.
    if matches!(matches.subcommand_name(), Some("roll" | "odds"))
        && args.iter().any(|word| word == "--")
    {
        args.retain(|word| word != "--");
        matches = read(&args)?;
    }
    if let Some(at) = unnamed_dice(&matches, args.len(), lookup) {
        args.insert(at, "dice".into());
        matches = read(&args)?;
    }
    let cli = Cli::from_arg_matches(&matches).map_err(|error| usage_errors::explain(&error))?;
    let mut before = WHOLE.get_arguments().filter(|one| !one.is_global_set());
    let is_given = |one: &&clap::Arg| {
        matches.value_source(one.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    if let Some(command) = matches.subcommand_name()
        && let Some(given) = before.find(is_given)
    {
        let game = || format!("{:?}", cli.game.as_deref().unwrap_or_default());
        let word = given.get_long().map_or_else(game, |it| format!("--{it}"));
        let what = format!("{word} before {command} is one word too many");
        let hint = format!("`tableside {command} --help` lists its arguments");
        return Err(CliError::usage(what).hint(hint));
    }
    Ok((cli, matches, named))
}

/// The systems of the user's own that `roll` and `odds` are asked for, by the words that name them; those of the
/// game that is rolled in go first. Help lists them all.
fn own_systems(args: &[OsString], lookup: Lookup<'_>) -> Vec<(&'static str, System)> {
    let words: Vec<&str> = args.iter().filter_map(|word| word.to_str()).collect();
    let Some(at) = words
        .iter()
        .position(|word| ["roll", "odds"].contains(word))
    else {
        return Vec::new();
    };
    let option = |name: &str| {
        let mut places = words.iter().enumerate();
        places.find_map(|(at, word)| match word.strip_prefix(name)? {
            "" => words.get(at + 1).copied(),
            value => value.strip_prefix('='),
        })
    };
    let data = option("--data").map(PathBuf::from);
    let mut config = Config::new((data, None, false), lookup);
    if let Some(url) = option("--database") {
        config.database = Some(url.to_owned());
    }
    let of_game = option("--game").and_then(|game| {
        let storage = storage(&config).ok()?;
        let name = storage.find(game, &RESERVED).ok()?;
        load_kept_rules(&storage.location(&name))
    });
    let mut named: Vec<(&'static str, System)> = Vec::new();
    let mut add = |name: &str, system| {
        if named.iter().all(|(known, _)| *known != name) {
            named.push((name.to_owned().leak(), system));
        }
    };
    let behind = words.get(at + 1..).unwrap_or_default();
    for word in behind {
        let of_game = of_game.filter(|system| system.id() == *word);
        if let Some(system) = of_game.or_else(|| config.system_file(word)?.read().ok()) {
            add(word, system);
        }
    }
    if behind.iter().any(|word| ["--help", "-h"].contains(word)) {
        for own in config.own_systems() {
            own.read().map(|system| add(&own.id, system)).ok();
        }
    }
    named
}

/// The place of the word `dice` if it was left out, as in `roll 2d6`. What is no system takes all words behind it.
///
/// A word that resembles dice counts as well, unless a system has that name, so that a mistake in it is reported as one.
fn unnamed_dice(matches: &ArgMatches, length: usize, lookup: Lookup<'_>) -> Option<usize> {
    let (_, of_checks) = matches.subcommand()?;
    let (word, rest) = of_checks.subcommand()?;

    let is_valid_dice = word
        .parse::<Notation>()
        .is_ok_and(|notation| notation.rolls_dice());
    let names_system = || {
        let config = Config::new((None, None, false), lookup);
        config.system_file(word).is_some() || System::named(word, std::iter::empty()).is_ok()
    };
    if !is_valid_dice && (!resembles_dice(word) || names_system()) {
        return None;
    }

    let words_behind = rest.get_many::<OsString>("").unwrap_or_default().count();
    Some(length - 1 - words_behind)
}
