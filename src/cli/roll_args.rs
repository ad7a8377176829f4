//! What `roll` and `odds` take: a system and a check as commands, the check's fields as flags, and options that
//! may stand before, between and behind the names.

use std::iter::successors;
use std::str::FromStr;
use std::sync::Arc;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};

use super::{App, CliError, unsaved};
use tableside_commands::RollRequest;
use tableside_dice::notation::ascii_form;
use tableside_game::Game;
use tableside_rules::{CheckSpec, DynCheck, Field, Fields, HouseRules, Kind, System, Value};
use tableside_table::{Seat, Table};
use tableside_text::join;

/// What is rolled or weighed.
pub(super) enum Subject {
    Check(&'static CheckSpec),
    /// Free dice, in their notation.
    Dice(String),
}

/// What `roll` or `odds` was asked.
pub(super) struct RollArgs {
    pub(super) subject: Subject,
    /// As far as it is asked of a check; without its faces.
    pub(super) request: RollRequest,
    faces: Option<String>,
    rules: Vec<String>,
    pub(super) game: Option<String>,
    pub(super) json: bool,
}

/// Options with a value: their name, what the value is called, and their help. The first two are those of `odds`.
const OPTIONS: [(&str, &str, &str); 7] = [
    ("rule", "ID=VALUE", "Decides a house rule; may be repeated"),
    (
        "choose",
        "VALUE",
        "Answers a choice that the check puts; may be repeated, in order",
    ),
    (
        "game",
        "GAME",
        "Roll in this game: log the roll and apply its effects",
    ),
    (
        "as",
        "NAME",
        "The rolling character; fields come from the sheet",
    ),
    ("faces", "FACES", "Dice rolled by hand, as in 5,7"),
    (
        "seed",
        "HEX",
        "64 hex digits: the same seed rolls the same dice",
    ),
    ("clock", "CLOCK", "The game's clock that the roll fills"),
];

/// The options that `odds` does not know.
pub(super) fn of_roll() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().skip(2).map(|(name, ..)| *name)
}

/// The command with all checks, and free dice, to be rolled or to be weighed.
pub(super) fn with_checks<const ROLLS: bool>(command: Command) -> Command {
    // One of the user's own goes first.
    let own = command.get_subcommands();
    let own: Vec<String> = own.map(|own| own.get_name().to_owned()).collect();
    let shipped = System::shipped().filter(|system| own.iter().all(|own| own != system.id()));
    // A system is compiled only if the command line names it.
    let systems = shipped.map(|system| {
        let command = Command::new(system.id()).about(system.name());
        with_options(command, ROLLS).defer(shipped_checks::<ROLLS>)
    });
    let notation = Arg::new("notation").value_name("NOTATION").required(true);
    let notation = notation.allow_hyphen_values(true);
    let notation = notation.help("The dice, in quotation marks");
    let about = if ROLLS {
        "Free dice, as in 4d6kh3+2; the word dice may be left out"
    } else {
        "Free dice, as in 4d6kh3+2: the chance of every total"
    };
    let dice = Command::new("dice").about(about).arg(notation).after_help(
        "NdS, d%, d66, dF; kh kl dh dl: keep or drop the highest or lowest; adv, dis: 2d20kh1, 2d20kl1; \
         ! or !>=5: explode; r or r<3: re-roll once; >=8: count such dice; + - * / and brackets, / rounds down; \
         6x 4d6kh3: roll six times; # begins a comment.",
    );
    with_options(command, ROLLS)
        .allow_external_subcommands(true)
        .subcommand_value_name("SYSTEM")
        .subcommand_help_heading("Systems")
        .subcommands(systems)
        .subcommand(with_options(dice, ROLLS))
}

/// The checks of the system of that name, which comes along.
fn shipped_checks<const ROLLS: bool>(command: Command) -> Command {
    let system = System::named(command.get_name(), std::iter::empty());
    let system = system.expect("the command was made of it");
    with_system(command, system, ROLLS)
}

/// A system with its checks, under that name.
pub(super) fn system_command(name: &'static str, system: System, rolls: bool) -> Command {
    with_system(with_options(Command::new(name), rolls), system, rolls)
}

fn with_system(command: Command, system: System, rolls: bool) -> Command {
    let spec = system.spec();
    let checks = spec.checks.iter().map(|check| {
        let command = Command::new(check.id).about(check.help);
        let noes = check.fields.iter().filter_map(|field| {
            let no: &'static str = no_to(check, field)?.leak();
            let help = format!("{} is no.", field.label);
            let arg = Arg::new(no).long(no).help_heading("Fields").help(help);
            Some(arg.action(ArgAction::SetTrue))
        });
        with_options(
            command.args(check.fields.iter().map(field)).args(noes),
            rolls,
        )
    });
    // What is no check takes all words behind it, and is answered by name.
    command
        .about(spec.name)
        .allow_external_subcommands(true)
        .subcommand_value_name("CHECK")
        .subcommand_help_heading("Checks")
        .subcommands(checks)
}

fn with_options(command: Command, rolls: bool) -> Command {
    let options = OPTIONS.iter().take(if rolls { OPTIONS.len() } else { 2 });
    let options = options.map(|(name, value, help)| {
        Arg::new(*name)
            .long(*name)
            .value_name(*value)
            .help(*help)
            .action(ArgAction::Append)
            .allow_hyphen_values(["choose", "faces"].contains(name))
    });
    // Our own help, so that it stands behind a check's fields.
    let help = Arg::new("help").short('h').long("help").help("Prints this");
    let help = help.action(ArgAction::Help).display_order(901);
    let json = Arg::new("json").long("json").help("As one JSON document");
    let json = json.action(ArgAction::SetTrue).display_order(900);
    command
        .disable_help_subcommand(true)
        .disable_help_flag(true)
        .next_help_heading("Options")
        .args(options)
        .args([json, help])
}

/// A field as a flag of the command line.
fn field(field: &'static Field) -> Arg {
    let arg = Arg::new(field.id).long(field.id).help_heading("Fields");
    let arg = arg.help(describe_field(field));
    match field.kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::Die => arg.value_name("DIE"),
        Kind::Number { .. } => arg.value_name("NUMBER").allow_negative_numbers(true),
        Kind::Word(_) => arg.value_name("WORD"),
        Kind::Text | Kind::Ranks { .. } => arg.value_name("TEXT").allow_hyphen_values(true),
    }
}

/// The option that says no to a flag that is yes where nobody says.
fn no_to(check: &CheckSpec, field: &Field) -> Option<String> {
    let name = format!("no-{}", field.id);
    let is_free = check.field(&name).is_none();
    (field.start == Some(Value::Flag(true)) && is_free).then_some(name)
}

/// What a field takes, its default, what it means, and the names of its numbers.
pub(super) fn describe_field(field: &Field) -> String {
    let start = field.start.iter();
    let start = start.filter(|start| !matches!(start, Value::Flag(false)));
    let start = start.map(|start| format!(" [{start}]"));
    let start = join(start.filter(|start| start != " []"), "");
    let needed = if field.is_required() { " (needed)" } else { "" };
    let names = field.names.iter();
    let names = join(names.map(|(at, name)| format!("{at} {name}")), ", ");
    let about = format!("{}{start}{needed}: {}", field.describe(), field.help);
    let told = [about.trim_end_matches(['.', ':', ' ']), &names].into_iter();
    let told = told.filter(|told| !told.is_empty());
    join(told.map(|told| format!("{told}.")), " ")
}

impl RollArgs {
    /// Reads the names, and the options of every level.
    pub(super) fn read(app: &App<'_>, matches: &ArgMatches) -> Result<Self, CliError> {
        let levels = || successors(Some(matches), |level| Some(level.subcommand()?.1));
        let all = |name: &str| -> Vec<String> {
            let given = levels().filter_map(|level| level.try_get_many(name).ok().flatten());
            given.flatten().cloned().collect()
        };
        let one = |name: &str| match all(name).as_slice() {
            [] => Ok(None),
            [value] => Ok(Some(value.clone())),
            _ => {
                let what = format!("--{name} is given twice; leave one of them out");
                Err(CliError::usage(what))
            }
        };
        let names: Vec<&str> = levels().filter_map(ArgMatches::subcommand_name).collect();
        let last = levels().last().unwrap_or(matches);
        let subject = match names.as_slice() {
            ["dice", ..] => Subject::Dice(one("notation")?.unwrap_or_default()),
            [system, check, ..] => Subject::Check(app.system(system)?.check(check)?),
            [system] => {
                let checks = app.system(system)?.check_ids().join(", ");
                let what = format!("{system} needs a check; its checks are {checks}");
                return Err(CliError::usage(what));
            }
            [] => {
                let systems = join(System::shipped().map(System::id), ", ");
                let what = "a system and a check are needed, or dice; the systems are";
                return Err(CliError::usage(format!("{what} {systems}")));
            }
        };
        let args = Self {
            request: RollRequest {
                who: one("as")?,
                choose: all("choose"),
                clock: one("clock")?,
                seed: one("seed")?,
                ..RollRequest::default()
            },
            subject,
            faces: one("faces")?,
            rules: all("rule"),
            game: one("game")?,
            json: levels().any(|level| level.get_flag("json")),
        };
        args.check_options()?;
        args.with_fields(last)
    }

    /// What goes together, wherever it stands.
    fn check_options(&self) -> Result<(), CliError> {
        let request = &self.request;
        let foreign = [
            ("rule", !self.rules.is_empty()),
            ("choose", !request.choose.is_empty()),
            ("clock", request.clock.is_some()),
        ];
        let foreign = foreign.iter().find(|(_, is_given)| *is_given);
        let wrong = match (&self.subject, foreign, &self.game) {
            (Subject::Dice(_), Some((name, _)), _) => format!("free dice have no option --{name}"),
            (_, _, None) if request.who.is_some() || request.clock.is_some() => {
                "--game <GAME> is missing".to_owned()
            }
            _ if request.seed.is_some() && self.faces.is_some() => {
                "--seed and --faces do not go together".to_owned()
            }
            (_, _, Some(_)) if !self.rules.is_empty() => {
                "--rule and --game do not go together: a game has its own house rules".to_owned()
            }
            _ => return Ok(()),
        };
        Err(CliError::usage(wrong))
    }

    /// The same with the fields of its check.
    fn with_fields(mut self, matches: &ArgMatches) -> Result<Self, CliError> {
        let Subject::Check(check) = self.subject else {
            return Ok(self);
        };
        let given =
            |field: &&Field| matches.value_source(field.id) == Some(ValueSource::CommandLine);
        let fields = check.fields.iter().filter(given).map(|field| {
            let written = match field.kind {
                Kind::Flag => None,
                _ => matches.get_one::<String>(field.id),
            };
            let written = written.map_or("yes", String::as_str);
            (field.id.to_owned(), written.to_owned())
        });
        let noes = check.fields.iter().filter_map(|field| {
            let is_said = matches.get_flag(&no_to(check, field)?);
            is_said.then(|| (field.id.to_owned(), "no".to_owned()))
        });
        self.request.fields = fields.chain(noes).collect();
        let fields = &self.request.fields;
        for (place, (id, _)) in fields.iter().enumerate() {
            if fields[..place].iter().any(|(earlier, _)| earlier == id) {
                let what = format!("--{id} and --no-{id} do not go together");
                return Err(CliError::usage(what));
            }
        }
        let system = check.system.spec().id;
        system.clone_into(&mut self.request.system);
        check.id.clone_into(&mut self.request.check);
        self.request.faces = self.faces()?;
        Ok(self)
    }

    /// The faces of dice rolled by hand.
    pub(super) fn faces<F: FromStr>(&self) -> Result<Option<Vec<F>>, CliError> {
        let Some(written) = &self.faces else {
            return Ok(None);
        };
        let ascii_written: String = written.chars().map(ascii_form).collect();
        let faces = ascii_written.split(',').map(str::trim).map(|face| {
            face.parse().map_err(|_no_number| {
                CliError::usage(format!(
                    "--faces takes numbers with commas between them, as in 5,7, and {face:?} is no face"
                ))
            })
        });
        faces.collect::<Result<_, _>>().map(Some)
    }

    /// A table of its own for a check without a game, under the house rules given.
    pub(super) fn table(&self, app: &App<'_>, system: System) -> Result<Arc<Table>, CliError> {
        let mut game = Game::new(system);
        game.house = self.house(system)?;
        unsaved(system.spec().id, (game, Vec::new()), None, app.clock)
    }

    /// The machine of the check as it is rolled at that table, and its fields.
    pub(super) fn prepare(&self, table: &Table) -> Result<(Box<dyn DynCheck>, Fields), CliError> {
        let roll = self.request.command(table, &Seat::gm())?;
        let mut fields = roll.filled.fields;
        let house = table.read(&Seat::gm(), |seen| seen.house.clone());
        fields.decide(&house);
        Ok((fields.spec().prepare(&fields, &house)?, fields))
    }

    fn house(&self, system: System) -> Result<HouseRules, CliError> {
        let rules = system.spec().house;
        let mut house = HouseRules::default();
        let mut given: Vec<&str> = Vec::new();
        for written in &self.rules {
            let (id, value) = written.split_once('=').ok_or_else(|| {
                let example = rules.first().map_or_else(String::new, |rule| {
                    format!("{}={}", rule.id, rule.default_value())
                });
                CliError::usage(format!(
                    "--rule takes ID=VALUE, as in --rule {example}, and {written:?} was given"
                ))
            })?;
            if given.contains(&id) {
                let what = format!("the house rule {id} is given twice; leave one of them out");
                return Err(CliError::usage(what));
            }
            given.push(id);
            let value = match rules.iter().find(|rule| rule.id == id) {
                Some(rule) => rule.parse(value)?,
                None => value.into(),
            };
            house.set(system, id, value)?;
        }
        Ok(house)
    }
}
