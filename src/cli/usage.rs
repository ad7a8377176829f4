//! Usage errors: clap's errors in our words.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::error::{CliError, check_named, checks, system_named};
use super::roll_args::of_roll;
use crate::rules::{CheckSpec, System};
use crate::text::nearest;

/// What clap found wrong, in our words.
pub(super) fn explain(error: &clap::Error) -> CliError {
    let arg = text(error, ContextKind::InvalidArg);
    let name = arg.split([' ', '=']).next().unwrap_or_default();
    let value = text(error, ContextKind::InvalidValue);
    let usage = text(error, ContextKind::Usage);
    let path = usage
        .split_whitespace()
        .skip_while(|word| *word != "tableside")
        .take_while(|word| !word.starts_with(['[', '<', '-']));
    let path: Vec<&str> = path.collect();
    let what = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            return CliError::Shown(error.to_string());
        }
        ErrorKind::MissingSubcommand => match *path {
            [_, _, system] => system_named(system).map_or_else(
                |error| error.words(),
                |of| {
                    format!(
                        "{system} needs a check; its checks are {}",
                        checks(of).join(", ")
                    )
                },
            ),
            _ => format!(
                "{} needs a system and a check, or dice; the systems are {}",
                path.last().unwrap_or(&"that"),
                System::ALL.map(|system| system.spec().id).join(", ")
            ),
        },
        ErrorKind::UnknownArgument => unknown(name, &path, error),
        ErrorKind::InvalidValue if value.is_empty() => format!("{name} needs a value: {arg}"),
        ErrorKind::InvalidValue => format!(
            "{} must be one of {}, and {value:?} was given",
            name.trim_matches(['<', '>']),
            text(error, ContextKind::ValidValue)
        ),
        ErrorKind::TooManyValues => format!("{name} is a flag and takes no value"),
        ErrorKind::ArgumentConflict => {
            let other = text(error, ContextKind::PriorArg);
            match other.split(' ').next().unwrap_or_default() {
                other if other.is_empty() || other == name => {
                    format!("{name} is given twice; once is enough")
                }
                other => format!("{name} and {other} do not go together"),
            }
        }
        ErrorKind::MissingRequiredArgument => match arg.rsplit_once(", ") {
            Some((first, last)) => format!("{first} and {last} are missing"),
            None => format!("{arg} is missing"),
        },
        _ => {
            let whole = error.to_string();
            let first = whole.lines().next().unwrap_or_default();
            first.trim_start_matches("error: ").to_owned()
        }
    };
    let path = if path.is_empty() {
        "tableside".to_owned()
    } else {
        path.join(" ")
    };
    CliError::usage(what).hint(format!("`{path} --help` says what it takes"))
}

fn unknown(name: &str, path: &[&str], error: &clap::Error) -> String {
    let Some(field) = name.strip_prefix("--") else {
        return format!("{name:?} is one word too many");
    };
    match path {
        ["tableside", "roll" | "odds", "dice", ..] => format!("free dice have no option {name}"),
        ["tableside", command @ ("roll" | "odds"), system, check, ..] => {
            let check = system_named(system).and_then(|system| check_named(system, check));
            check.map_or_else(
                |error| error.words(),
                |check| unknown_field(field, check, *command == "roll"),
            )
        }
        ["tableside", command @ ("roll" | "odds"), ..] => format!(
            "{name} stands before the check; the fields of a check stand behind it, as in `tableside \
             {command} SYSTEM CHECK {name}`"
        ),
        _ => match text(error, ContextKind::SuggestedArg).as_str() {
            "" => format!("there is no option {name}"),
            near => format!("there is no option {name}; did you mean {near}?"),
        },
    }
}

fn unknown_field(field: &str, check: &CheckSpec, rolls: bool) -> String {
    if !rolls && of_roll().any(|option| option == field) {
        return format!(
            "--{field} is for roll alone; odds takes the fields, --rule, --choose and --json"
        );
    }
    let (id, ids) = (check.id, check.fields.iter().map(|field| field.id));
    let options = ["rule", "choose", "json"].into_iter();
    let options = options.chain(of_roll().filter(|_| rolls));
    match nearest(field, ids.clone().chain(options)) {
        Some(near) => format!("{id} has no field {field:?}; did you mean --{near}?"),
        None => {
            let ids = ids.collect::<Vec<_>>().join(", ");
            format!("{id} has no field {field:?}; its fields are {ids}")
        }
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        Some(ContextValue::StyledStr(text)) => text.to_string(),
        _ => String::new(),
    }
}
