//! What is done beside the table: acts in words, a session's life as files, and what packagers need.

use std::path::PathBuf;

use clap::{Arg, Command, value_parser};

use super::{Chosen, SESSION, flag, json, needed, option, session, tree};

/// The whole command line, for completions and manual pages.
pub(in crate::cli) fn whole() -> Command {
    tree(&Chosen {
        all: true,
        ..Chosen::default()
    })
}

/// The commands whose first word is a session that there is.
pub(in crate::cli) fn of_a_session() -> Vec<String> {
    let whole = whole();
    let asks = |command: &&Command| {
        let first = command.get_positionals().next();
        first.is_some_and(|arg| arg.get_id() == SESSION)
    };
    let commands = whole.get_subcommands().filter(asks);
    commands
        .map(|command| command.get_name().to_owned())
        .collect()
}

/// These commands.
pub(super) fn all() -> Vec<Command> {
    vec![
            Command::new("keys")
                .about("Lists the keys as they stand, your own among them")
                .arg(json()),
            Command::new("completions")
                .about("Prints what completes commands in a shell")
                .arg(
                    needed("shell", "SHELL", "The shell")
                        .value_parser(value_parser!(clap_complete::Shell)),
                ),
            Command::new("man")
                .about("Prints the manual page, or writes those of all commands")
                .arg(
                    Arg::new("dir")
                        .value_name("DIR")
                        .help("The folder to write a page for each command into")
                        .value_parser(value_parser!(PathBuf)),
                ),
            Command::new("export")
                .about("Writes a whole session, its log included, into one file")
                .arg(session())
                .arg(file("The file to write; what is there already is not replaced"))
                .arg(flag("force", "Replaces the file where there is one")),
            Command::new("import")
                .about("Makes a session of its file again, or reads a party from TOML, CSV or JSON")
                .after_help(
                    "A party's keys or columns are name, player, side, notes and the stats of the sheet, as \
                     `tableside systems SYSTEM --json` lists them.",
                )
                .arg(file("An exported session, or a party: .toml, .csv or .json"))
                .arg(option("name", "NAME", "What the session is to be called [its own name, or the file's]"))
                .arg(option("session", "SESSION", "The session that the party joins; else a new one is made"))
                .arg(option("system", "SYSTEM", "The party's rule system, where neither file nor session says it")),
            Command::new("do")
                .about("Does what a few plain words say, also while the session is open elsewhere")
                .after_help(
                    "As in `tableside do friday tick the alarm 2`, `… roll Mira agility cn=12`, `… next scene The \
                     warehouse`, `… undo`.",
                )
                .arg(session().required(false))
                .arg(
                    Arg::new("action")
                        .value_name("ACTION")
                        .num_args(0..)
                        .allow_negative_numbers(true)
                        .help("What is to be done; `tableside do --list` lists all that can be"),
                )
                .arg(flag("list", "Lists every action with its form"))
                .arg(json()),
    ]
}

fn file(help: &'static str) -> Arg {
    needed("file", "FILE", help).value_parser(value_parser!(PathBuf))
}
