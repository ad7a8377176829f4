//! What `roll` and `odds` take: a system and a check as commands, the check's fields as flags, and options that
//! may stand before, between and behind the names.

use std::str::FromStr;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use super::new::system_named;
use super::usage::explain;
use super::{CliError, open};
use crate::dice::{Dice, SystemDice};
use crate::rules::{CheckSpec, DynCheck, Field, Fields, House, Kind, Preset, System, Value};
use crate::table::RollRequest;

/// `roll` or `odds` as clap read it.
#[derive(Debug)]
pub(super) struct OfCheck<const ROLLS: bool>(ArgMatches);

/// What is asked for.
#[derive(Debug)]
pub(super) enum Asked {
    Check(CheckArgs),
    Dice(DiceArgs),
}

/// A check, as the command line says it.
#[derive(Debug)]
pub(super) struct CheckArgs {
    pub(super) check: &'static CheckSpec,
    pub(super) request: RollRequest,
    pub(super) rules: Vec<String>,
    pub(super) session: Option<String>,
    pub(super) json: bool,
}

/// Free dice, as the command line says them.
#[derive(Debug)]
pub(super) struct DiceArgs {
    pub(super) notation: String,
    pub(super) who: Option<String>,
    pub(super) faces: Option<Vec<i32>>,
    pub(super) seed: Option<String>,
    pub(super) session: Option<String>,
    pub(super) json: bool,
}

#[derive(Debug, Default, Args)]
struct Options {
    /// Decides a house rule; may be repeated
    #[arg(long, value_name = "ID=VALUE")]
    rule: Vec<String>,
    /// Answers a choice that the check puts; may be repeated, in order
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    choose: Vec<String>,
    /// As one JSON document
    #[arg(long, display_order = 900)]
    json: bool,
}

// What `roll` alone takes. (A doc comment would become the help of the command.)
#[derive(Debug, Default, Args)]
struct RollOptions {
    /// Rolls in this session: the roll is logged and what follows is booked
    #[arg(long)]
    session: Option<String>,
    /// The character who rolls; fields come from the sheet
    #[arg(long = "as", value_name = "NAME")]
    who: Option<String>,
    /// Dice rolled by hand, as in 5,7
    #[arg(long, allow_hyphen_values = true)]
    faces: Option<String>,
    /// 64 hex digits: the same seed rolls the same dice
    #[arg(long, value_name = "HEX")]
    seed: Option<String>,
    /// The session's clock that the roll fills
    #[arg(long)]
    clock: Option<String>,
}

impl<const ROLLS: bool> FromArgMatches for OfCheck<ROLLS> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl<const ROLLS: bool> Args for OfCheck<ROLLS> {
    fn augment_args(command: Command) -> Command {
        let systems = System::ALL.map(|system| {
            let spec = system.spec();
            let checks = spec.checks.iter().map(|check| {
                let command = Command::new(check.id).about(check.help);
                with_options::<ROLLS>(command.args(check.fields.iter().map(field)))
            });
            // What is no check takes all words behind it, and is answered by name.
            with_options::<ROLLS>(Command::new(spec.id).about(spec.name))
                .allow_external_subcommands(true)
                .subcommand_required(true)
                .subcommand_value_name("CHECK")
                .subcommand_help_heading("Checks")
                .subcommands(checks)
        });
        let notation = Arg::new("notation")
            .value_name("NOTATION")
            .required(true)
            .allow_hyphen_values(true)
            .help("The dice, in quotation marks");
        let dice = Command::new("dice")
            .about(if ROLLS {
                "Free dice, as in 4d6kh3+2; the word dice may be left out"
            } else {
                "Free dice, as in 4d6kh3+2: the chance of every total"
            })
            .after_help(
                "NdS, d%, dF; kh kl dh dl: keep or drop the highest or lowest; ! explodes; r re-rolls once; \
                 + - * and brackets.",
            )
            .arg(notation);
        with_options::<ROLLS>(command)
            .allow_external_subcommands(true)
            .subcommand_required(true)
            .subcommand_value_name("SYSTEM")
            .subcommand_help_heading("Systems")
            .subcommands(systems)
            .subcommand(with_options::<ROLLS>(dice))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn with_options<const ROLLS: bool>(command: Command) -> Command {
    let command = command
        .disable_help_subcommand(true)
        .disable_help_flag(true)
        .next_help_heading("Options");
    let command = Options::augment_args(command);
    let command = if ROLLS {
        RollOptions::augment_args(command)
    } else {
        command
    };
    // Our own, so that it stands behind a check's fields.
    command.arg(
        Arg::new("help")
            .short('h')
            .long("help")
            .action(ArgAction::Help)
            .display_order(901)
            .help("Prints this"),
    )
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
        Kind::Text | Kind::Ranks { .. } => arg.value_name("TEXT").allow_hyphen_values(true),
    }
}

/// What a field means, the values it takes, and its default.
fn describe(field: &Field) -> String {
    let takes = match field.kind {
        Kind::Flag => return field.help.to_owned(),
        Kind::Number { min, max } => format!("{min} to {max}").replace('-', "−"),
        Kind::Die => "d4, d6, d8, d10, d12 or d20".to_owned(),
        Kind::Word(words) => words.join(", "),
        Kind::Text | Kind::Ranks { .. } => "text".to_owned(),
    };
    let default = match (field.preset, field.preset_value()) {
        (Preset::Required, _) => "; needed".to_owned(),
        (_, None) => String::new(),
        (_, Some(Value::Text(word))) if word.is_empty() => String::new(),
        (_, Some(value)) => format!("; default {value}"),
    };
    format!("{} [{takes}{default}]", field.help)
}

impl<const ROLLS: bool> OfCheck<ROLLS> {
    /// Reads the names, and the options of every level.
    pub(super) fn read(&self) -> Result<Asked, CliError> {
        let (mut options, mut of_roll) = (Options::default(), RollOptions::default());
        let mut take = |matches: &ArgMatches| -> Result<(), CliError> {
            let more = Options::from_arg_matches(matches).map_err(|error| explain(&error))?;
            options.rule.extend(more.rule);
            options.choose.extend(more.choose);
            options.json |= more.json;
            if !ROLLS {
                return Ok(());
            }
            let more = RollOptions::from_arg_matches(matches).map_err(|error| explain(&error))?;
            for (name, before, more) in [
                ("session", &mut of_roll.session, more.session),
                ("as", &mut of_roll.who, more.who),
                ("faces", &mut of_roll.faces, more.faces),
                ("seed", &mut of_roll.seed, more.seed),
                ("clock", &mut of_roll.clock, more.clock),
            ] {
                if before.is_some() && more.is_some() {
                    let what = format!("--{name} is given twice; once is enough");
                    return Err(CliError::usage(what));
                }
                *before = before.take().or(more);
            }
            Ok(())
        };
        take(&self.0)?;
        let (system, matches) = self.0.subcommand().expect("clap requires one");
        if system == "dice" {
            take(matches)?;
            return dice_args(matches, &options, of_roll).map(Asked::Dice);
        }
        let system = system_named(system)?;
        take(matches)?;
        let (check, matches) = matches.subcommand().expect("clap requires one");
        let check = check_named(system, check)?;
        take(matches)?;
        check_args(check, matches, options, of_roll).map(Asked::Check)
    }
}

pub(super) fn checks(system: System) -> Vec<&'static str> {
    system.spec().checks.iter().map(|check| check.id).collect()
}

/// The check of that name.
pub(super) fn check_named(system: System, given: &str) -> Result<&'static CheckSpec, CliError> {
    system.check(given).map_err(|_unknown| {
        let (id, ids) = (system.spec().id, checks(system));
        let all = format!("its checks are {}", ids.join(", "));
        CliError::unknown(&format!("{id} has no check {given:?}"), given, ids, &all)
    })
}

fn dice_args(
    matches: &ArgMatches,
    options: &Options,
    of_roll: RollOptions,
) -> Result<DiceArgs, CliError> {
    of_roll.check()?;
    let foreign = [
        ("rule", !options.rule.is_empty()),
        ("choose", !options.choose.is_empty()),
        ("clock", of_roll.clock.is_some()),
    ];
    if let Some((name, _)) = foreign.iter().find(|(_, given)| *given) {
        return Err(CliError::usage(format!(
            "free dice have no option --{name}"
        )));
    }
    let notation = matches.get_one::<String>("notation");
    Ok(DiceArgs {
        notation: notation.cloned().unwrap_or_default(),
        who: of_roll.who,
        faces: of_roll.faces.as_deref().map(read_faces).transpose()?,
        seed: of_roll.seed,
        session: of_roll.session,
        json: options.json,
    })
}

fn check_args(
    check: &'static CheckSpec,
    matches: &ArgMatches,
    options: Options,
    of_roll: RollOptions,
) -> Result<CheckArgs, CliError> {
    of_roll.check()?;
    if of_roll.session.is_some() && !options.rule.is_empty() {
        return Err(CliError::usage(
            "--rule and --session do not go together: a session has its own house rules",
        ));
    }
    let given = check
        .fields
        .iter()
        .filter(|field| matches.value_source(field.id) == Some(ValueSource::CommandLine));
    let fields = given.map(|field| {
        let written = match field.kind {
            Kind::Flag => None,
            _ => matches.get_one::<String>(field.id),
        };
        let written = written.map_or("yes", String::as_str);
        (field.id.to_owned(), written.to_owned())
    });
    Ok(CheckArgs {
        check,
        request: RollRequest {
            system: check.system.spec().id.to_owned(),
            check: check.id.to_owned(),
            who: of_roll.who,
            fields: fields.collect(),
            faces: of_roll.faces.as_deref().map(read_faces).transpose()?,
            choose: options.choose,
            clock: of_roll.clock,
            seed: of_roll.seed,
            ..RollRequest::default()
        },
        rules: options.rule,
        session: of_roll.session,
        json: options.json,
    })
}

impl RollOptions {
    /// What goes together, wherever it stands.
    fn check(&self) -> Result<(), CliError> {
        if self.session.is_none() && (self.who.is_some() || self.clock.is_some()) {
            Err(CliError::usage("--session <SESSION> is missing"))
        } else if self.seed.is_some() && self.faces.is_some() {
            Err(CliError::usage("--seed and --faces do not go together"))
        } else {
            Ok(())
        }
    }
}

impl CheckArgs {
    /// The check's machine and its fields as they were written, the presets beneath them; without a session.
    pub(super) fn prepare(&self) -> Result<(Box<dyn DynCheck>, Fields), CliError> {
        let mut fields = Fields::presets(self.check);
        for (name, written) in &self.request.fields {
            if let Some(field) = self.check.field(name) {
                fields.set(name, field.parse(written)?)?;
            }
        }
        fields.complete()?;
        let house = self.house()?;
        fields.decide(&house);
        Ok(((self.check.prepare)(&fields, &house)?, fields))
    }

    fn house(&self) -> Result<House, CliError> {
        let system = self.check.system;
        let rules = system.spec().house;
        let mut house = House::default();
        for written in &self.rules {
            let (id, value) = written.split_once('=').ok_or_else(|| {
                let example = rules.first().map_or_else(String::new, |rule| {
                    format!("{}={}", rule.id, rule.default_value())
                });
                CliError::usage(format!(
                    "--rule takes ID=VALUE, as in --rule {example}, and {written:?} was given"
                ))
            })?;
            let value = match rules.iter().find(|rule| rule.id == id) {
                Some(rule) => rule.parse(value)?,
                None => value.into(),
            };
            house.set(system, id, value)?;
        }
        Ok(house)
    }
}

/// Faces with commas between them.
fn read_faces<F: FromStr>(written: &str) -> Result<Vec<F>, CliError> {
    if written.trim().is_empty() {
        return Ok(Vec::new());
    }
    let faces = written.split(',').map(|face| {
        let face = face.trim();
        face.parse().map_err(|_no_number| {
            CliError::usage(format!(
                "--faces takes numbers with commas between them, as in 5,7, and {face:?} is no face"
            ))
        })
    });
    faces.collect()
}

/// The dice of a seed, or else the system's.
pub(super) fn seeded(seed: Option<&str>) -> Result<Box<dyn Dice + Send>, CliError> {
    match seed.map(SystemDice::from_hex) {
        Some(Ok(luck)) => Ok(Box::new(luck)),
        Some(Err(error)) => Err(CliError::usage(error.to_string())),
        None => open::luck(),
    }
}
