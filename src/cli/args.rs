//! What may be written on the command line, and what is said when it is not.

mod beside;
mod explain;

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

pub(super) use beside::{of_a_session, whole};

use super::CliError;
use crate::dice::notation::Notation;
use crate::rules::{CheckSpec, Field, Kind, Preset, System, SystemSpec, Value};
use crate::screen::theme::Theme;

/// The first name of a command that is for a session; completions offer the sessions there.
const SESSION: &str = "name";

/// Reads the arguments, the program's own name first.
pub(super) fn parse(args: &[OsString]) -> Result<ArgMatches, CliError> {
    let (chosen, args) = Chosen::find(&helped(args));
    let matches = tree(&chosen)
        .try_get_matches_from(args)
        .map_err(|error| chosen.explain(&error))?;
    if let (Some(session), Some((command, _))) =
        (matches.get_one::<String>("session"), matches.subcommand())
    {
        return Err(
            CliError::usage(format!("{session:?} before {command} is one word too many"))
                .hint(format!("`tableside {command} --help` says what it takes")),
        );
    }
    Ok(matches)
}

/// `help roll` is `roll --help`.
fn helped(args: &[OsString]) -> Cow<'_, [OsString]> {
    match args {
        [name, help, rest @ ..] if help == "help" => {
            let words = [name].into_iter().chain(rest).cloned();
            words.chain(["--help".into()]).collect()
        }
        args => args.into(),
    }
}

/// The word for free dice in the place of a system.
const DICE: &str = "dice";

/// The check that `roll` or `odds` is called for: only its own fields become flags, so that the start stays quick.
#[derive(Debug, Default)]
struct Chosen {
    command: Option<String>,
    system: Option<String>,
    check: Option<String>,
    /// Whether it is free dice.
    dice: bool,
    /// Whether every check has its flags.
    all: bool,
}

impl Chosen {
    /// What `roll` or `odds` is called for, and the arguments with the names of a check side by side: options
    /// that stand before them, whose values may look like names, come behind.
    fn find(args: &[OsString]) -> (Self, Vec<OsString>) {
        let mut chosen = Self::default();
        let rolls = |arg: &OsString| arg == "roll" || arg == "odds";
        if !args.iter().any(rolls) {
            return (chosen, args.to_vec());
        }
        let mut known = tree(&chosen).get_arguments().cloned().collect::<Vec<_>>();
        let (mut before, mut names, mut moved) = (Vec::new(), Vec::new(), Vec::new());
        let mut rest = args.iter().peekable();
        before.extend(rest.next().cloned());
        while let Some(arg) = rest.peek().filter(|_| chosen.is_open()) {
            let word = arg.to_string_lossy();
            if let Some(option) = word.strip_prefix("--").filter(|option| !option.is_empty()) {
                let (name, value) = option.split_once('=').unzip();
                let name = name.unwrap_or(option);
                // Nobody knows whether a value belongs to what is unknown.
                let Some(option) = known.iter().find(|arg| arg.get_long() == Some(name)) else {
                    break;
                };
                let takes = option.get_action().takes_values() && value.is_none();
                let to = if names.is_empty() {
                    &mut before
                } else {
                    &mut moved
                };
                to.extend(rest.by_ref().take(1 + usize::from(takes)).cloned());
            } else if word.starts_with('-') || !chosen.hear(&word) {
                break;
            } else {
                if names.is_empty() {
                    known.extend(roll_options());
                    known.push(json());
                }
                // Free dice need no name before them.
                if chosen.dice && chosen.system.as_deref() != Some(DICE) {
                    names.push(DICE.into());
                }
                names.extend(rest.next().cloned());
            }
        }
        let all = [before, names, moved, rest.cloned().collect()];
        (chosen, all.concat())
    }

    /// Whether a further name says more.
    fn is_open(&self) -> bool {
        !self.dice && self.check.is_none()
    }

    /// Takes the next name; answers whether it is one of a check.
    fn hear(&mut self, word: &str) -> bool {
        let slot = match (&self.command, &self.system) {
            (None, _) if word != "roll" && word != "odds" => return false,
            (None, _) => &mut self.command,
            (Some(_), None) => {
                let falls = word.chars().any(|letter| letter.eq_ignore_ascii_case(&'d'));
                self.dice = word == DICE || (falls && word.parse::<Notation>().is_ok());
                &mut self.system
            }
            (Some(_), Some(_)) => &mut self.check,
        };
        *slot = Some(word.to_owned());
        true
    }

    fn system(&self) -> Option<&'static SystemSpec> {
        let system: System = self.system.as_deref()?.parse().ok()?;
        Some(system.spec())
    }

    fn check(&self) -> Option<&'static CheckSpec> {
        let checks = self.system()?.checks;
        let id = self.check.as_deref()?;
        checks.iter().find(|check| check.id == id).copied()
    }
}

fn tree(chosen: &Chosen) -> Command {
    Command::new("tableside")
        .version(env!("CARGO_PKG_VERSION"))
        .about("A session tracker for tabletop roleplaying games in the terminal")
        .after_help(
            "Without a command it opens a session at the table; without a name it asks which, and on a \
             fresh machine it opens a sample game.",
        )
        .disable_help_subcommand(true)
        .color(clap::ColorChoice::Never)
        .max_term_width(100)
        .arg(
            Arg::new("session")
                .value_name("SESSION")
                .help("The session to open"),
        )
        .arg(flag(
            "view",
            "Looks only: nothing is changed, also while it is open elsewhere",
        ))
        .args(listen())
        .arg(flag("ascii", "Shows ASCII only").global(true).help_heading("Everywhere"))
        .arg(
            option(
                "data",
                "DIR",
                "Where session folders lie [TABLESIDE_DATA, else the platform's data folder]",
            )
            .value_parser(value_parser!(PathBuf))
            .global(true).help_heading("Everywhere"),
        )
        .arg(theme().global(true).help_heading("Everywhere"))
        .subcommands([
            Command::new("new")
                .about("Makes a session: an empty party, or a system's sample game")
                .arg(needed("called", "NAME", "What it is called"))
                .arg(
                    option(
                        "system",
                        "SYSTEM",
                        "The rule system; `tableside systems` lists them",
                    )
                    .required(true),
                )
                .arg(flag("sample", "With that system's sample game")),
            Command::new("sessions")
                .about("Lists the known sessions")
                .arg(flag("names", "Their names alone, the last played first").conflicts_with("json"))
                .arg(json()),
            Command::new("systems")
                .about("Describes systems, their checks and house rules; or one of them")
                .arg(Arg::new("system").value_name("SYSTEM"))
                .arg(Arg::new("check").value_name("CHECK"))
                .arg(json()),
            roll(chosen),
            odds(chosen),
            Command::new("log")
                .about("Prints the roll log")
                .arg(session())
                .arg(json())
                .arg(
                    flag("csv", "As comma-separated values")
                        .conflicts_with_all(["json", "markdown"]),
                )
                .arg(flag("markdown", "As Markdown").conflicts_with("json"))
                .arg(
                    option("explain", "NUMBER", "One entry step by step")
                        .value_parser(value_parser!(u64))
                        .conflicts_with_all(["json", "csv", "markdown"]),
                ),
            Command::new("verify")
                .about("Derives every logged outcome again and names what does not hold")
                .arg(session()),
            Command::new("serve")
                .about("Opens the table to others, over SSH, without a screen here")
                .arg(session())
                .args(listen()),
            Command::new("invite")
                .about("Makes an invitation to join over SSH; also while the table is open")
                .arg(session())
                .arg(needed("seat", "NAME", "Who is invited: what the person types before the @"))
                .arg(option("role", "ROLE", "gm, player or watcher [player]")),
            Command::new("status")
                .about("Says how the whole table stands, in plain lines")
                .arg(session())
                .arg(json()),
            Command::new("forecast")
                .about("Says when a clock will be full: the chance after 1, 2, 3, … rolls of its check")
                .arg(session())
                .arg(needed("clock", "CLOCK", "The clock"))
                .arg(json()),
        ])
        .subcommands(beside::all())
}

fn theme() -> Arg {
    let names = Theme::names().collect::<Vec<_>>().join(", ");
    let theme = Arg::new("theme").long("theme").value_name("NAME");
    theme.help(format!("The colours: {names}, or one of yours"))
}

/// How the table is opened to others.
fn listen() -> [Arg; 3] {
    [
        option(
            "listen",
            "ADDR:PORT",
            "Opens the table to others over SSH, there; without an address, on this machine alone",
        ),
        flag(
            "open-watchers",
            "Lets anybody watch, without a key or a code",
        ),
        flag(
            "pq-only",
            "Speaks only key exchanges that a quantum computer could not open (OpenSSH 9.9 on)",
        ),
    ]
    .map(|arg| arg.help_heading("Live table"))
}

/// `roll` or `odds`, with every system and check as a command; only the chosen check has its flags.
fn of_checks(
    name: &'static str,
    about: &'static str,
    chosen: &Chosen,
    options: fn() -> Vec<Arg>,
    dice: Command,
) -> Command {
    let is_chosen = chosen.command.as_deref() == Some(name);
    let systems = System::ALL.into_iter().map(|system| {
        let spec = system.spec();
        let checks = spec.checks.iter().map(|check| {
            let command = Command::new(check.id).about(check.help);
            if chosen.all || (is_chosen && chosen.check() == Some(*check)) {
                let options = options().into_iter().chain([json(), help()]);
                command
                    .disable_help_flag(true)
                    .args(check.fields.iter().map(field))
                    .args(options.map(|option| option.help_heading("Options")))
            } else {
                command
            }
        });
        Command::new(spec.id)
            .about(spec.name)
            .subcommand_value_name("CHECK")
            .subcommand_help_heading("Checks")
            .subcommand_required(true)
            .disable_help_subcommand(true)
            .subcommands(checks)
    });
    Command::new(name)
        .about(about)
        .subcommand_value_name("SYSTEM")
        .subcommand_help_heading("Systems")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands(systems)
        .subcommand(dice)
}

fn roll(chosen: &Chosen) -> Command {
    let dice = dice("Free dice, as in 4d6kh3+2; the word dice may be left out");
    let dice = dice
        .args([faces(), seed()])
        .args(at_table("What is rolled is logged in this session"));
    of_checks("roll", "Rolls a check", chosen, roll_options, dice)
}

fn odds(chosen: &Chosen) -> Command {
    let about = "Prints the exact odds of a check";
    let dice = dice("Free dice, as in 4d6kh3+2: the chance of every total");
    of_checks("odds", about, chosen, odds_options, dice)
}

fn dice(about: &'static str) -> Command {
    let notation = needed("notation", "NOTATION", "The dice, in quotation marks");
    Command::new("dice")
        .about(about)
        .after_help(
            "NdS, d%, dF; kh kl dh dl: keep or drop the highest or lowest; ! explodes; r re-rolls once; \
             + - * and brackets.",
        )
        .arg(notation.allow_hyphen_values(true))
        .arg(json())
}

fn odds_options() -> Vec<Arg> {
    vec![
        option("rule", "ID=VALUE", "Decides a house rule; may be repeated")
            .action(ArgAction::Append),
        option(
            "choose",
            "VALUE",
            "Answers a choice that the check puts; may be repeated, in order",
        )
        .action(ArgAction::Append)
        .allow_hyphen_values(true),
    ]
}

/// In which session, and who.
fn at_table(session: &'static str) -> [Arg; 2] {
    let who = "The character who rolls; fields come from the sheet";
    [
        option("session", "SESSION", session),
        option("as", "NAME", who).requires("session"),
    ]
}

fn faces() -> Arg {
    option("faces", "FACES", "Dice rolled by hand, as in 5,7").allow_hyphen_values(true)
}

fn seed() -> Arg {
    option(
        "seed",
        "HEX",
        "64 hex digits: the same seed rolls the same dice",
    )
    .conflicts_with("faces")
}

fn roll_options() -> Vec<Arg> {
    let mut options = odds_options();
    options.extend(at_table(
        "Rolls in this session: the roll is logged and what follows is booked",
    ));
    options.extend([
        faces(),
        seed(),
        option("clock", "CLOCK", "The session's clock that the roll fills").requires("session"),
    ]);
    options
}

/// Our own, so that it stands behind the fields.
fn help() -> Arg {
    Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help("Prints this")
}

/// A field as a flag of the command line.
fn field(field: &'static Field) -> Arg {
    let arg = Arg::new(field.id)
        .long(field.id)
        .help_heading("Fields")
        .help(describe(field));
    match field.kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::Die => arg.value_name("DIE"),
        Kind::Number { .. } => arg.value_name("NUMBER").allow_negative_numbers(true),
        Kind::Word(_) => arg.value_name("WORD"),
        Kind::Text => arg.value_name("TEXT").allow_hyphen_values(true),
    }
}

/// What a field means, takes, and is when nobody says.
fn describe(field: &Field) -> String {
    let takes = match field.kind {
        Kind::Flag => return field.help.to_owned(),
        Kind::Number { min, max } => format!("{min} to {max}").replace('-', "−"),
        Kind::Die => "d4, d6, d8, d10, d12 or d20".to_owned(),
        Kind::Word(words) => words.join(", "),
        Kind::Text => "text".to_owned(),
    };
    let default = match (field.preset, field.preset_value()) {
        (Preset::Required, _) => "; needed".to_owned(),
        (_, None) => String::new(),
        (_, Some(Value::Text(word))) if word.is_empty() => String::new(),
        (_, Some(value)) => format!("; default {value}"),
    };
    format!("{} [{takes}{default}]", field.help)
}

fn flag(id: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).action(ArgAction::SetTrue).help(help)
}

/// The session that a command is for.
fn session() -> Arg {
    needed(SESSION, "SESSION", "The session")
}

fn json() -> Arg {
    flag("json", "As one JSON document")
}

fn option(id: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).value_name(value).help(help)
}

fn needed(id: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(id).value_name(value).required(true).help(help)
}
