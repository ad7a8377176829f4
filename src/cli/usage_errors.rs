//! Usage errors: clap's errors in our words.

use clap::error::{ContextKind, ErrorKind};

use super::error::CliError;
use super::roll_args::of_roll;

/// What clap found wrong, in our words.
pub(super) fn explain(error: &clap::Error) -> CliError {
    let arg = text(error, ContextKind::InvalidArg);
    let name = arg.split([' ', '=']).next().unwrap_or_default();
    let value = text(error, ContextKind::InvalidValue);
    let usage = text(error, ContextKind::Usage);
    let words = usage.split_whitespace();
    let path = words.skip_while(|word| *word != "tableside");
    let path = path.take_while(|word| !word.starts_with(['[', '<', '-']));
    let path: Vec<&str> = path.collect();
    let what = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            return CliError::Shown(error.to_string());
        }
        ErrorKind::UnknownArgument if !name.starts_with('-') => {
            let before = ["", "; the word before it is no command"][usize::from(path.len() < 2)];
            format!("{name:?} is one word too many{before}")
        }
        ErrorKind::UnknownArgument => {
            let what = match path.as_slice() {
                [_, "odds", ..] if of_roll().any(|option| name == format!("--{option}")) => {
                    format!("{name} is for roll alone")
                }
                [_, "roll" | "odds", _, check] => {
                    format!("{check} has no field {:?}", name.trim_start_matches('-'))
                }
                _ => format!("there is no option {name}"),
            };
            match text(error, ContextKind::SuggestedArg).as_str() {
                "" => what,
                near => format!("{what}; did you mean {near}?"),
            }
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("{name} needs a value: {arg}"),
        ErrorKind::InvalidValue => format!(
            "{} must be one of {}, and {value:?} was given",
            name.trim_matches(['<', '>']),
            text(error, ContextKind::ValidValue)
        ),
        ErrorKind::TooManyValues => format!("{name} is a flag and takes no value"),
        ErrorKind::ArgumentConflict => {
            let other = text(error, ContextKind::PriorArg);
            match other.split([' ', ',']).next().unwrap_or_default() {
                other if other.is_empty() || other == name => {
                    format!("{name} is given twice; leave one of them out")
                }
                other => format!("{name} and {other} do not go together"),
            }
        }
        ErrorKind::InvalidSubcommand => {
            let given = text(error, ContextKind::InvalidSubcommand);
            let near = text(error, ContextKind::SuggestedSubcommand);
            format!("there is no command {given:?}, nor the word before it; did you mean {near}?")
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
    CliError::usage(what).hint(format!("`{path} --help` lists its arguments"))
}

fn text(error: &clap::Error, kind: ContextKind) -> String {
    error
        .get(kind)
        .map_or_else(String::new, ToString::to_string)
}
