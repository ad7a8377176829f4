//! What is said when the command line is not understood: our words for what clap found wrong.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::Chosen;
use crate::cli::CliError;
use crate::rules::System;
use crate::text::nearest;

impl Chosen {
    /// What clap found wrong, in our words.
    pub(super) fn explain(&self, error: &clap::Error) -> CliError {
        if matches!(
            error.kind(),
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
        ) {
            return CliError::Shown(error.to_string());
        }
        let arg = text(error, ContextKind::InvalidArg);
        let name = arg.split([' ', '=']).next().unwrap_or_default();
        let value = text(error, ContextKind::InvalidValue);
        match error.kind() {
            ErrorKind::InvalidSubcommand
            | ErrorKind::MissingSubcommand
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => self.explain_names(),
            ErrorKind::UnknownArgument => self.explain_unknown(name, error),
            ErrorKind::InvalidValue if value.is_empty() => {
                CliError::usage(format!("{name} needs a value: {arg}"))
            }
            ErrorKind::InvalidValue => CliError::usage(format!(
                "{} must be one of {}, and {value:?} was given",
                name.trim_matches(['<', '>']),
                text(error, ContextKind::ValidValue)
            )),
            ErrorKind::TooManyValues => {
                CliError::usage(format!("{name} is a flag and takes no value"))
            }
            ErrorKind::ArgumentConflict => {
                let other = text(error, ContextKind::PriorArg);
                let other = other.split(' ').next().unwrap_or_default();
                if other.is_empty() || other == name {
                    CliError::usage(format!("{name} is given twice; once is enough"))
                } else {
                    CliError::usage(format!("{name} and {other} do not go together"))
                }
            }
            ErrorKind::MissingRequiredArgument => CliError::usage(match arg.rsplit_once(", ") {
                Some((first, last)) => format!("{first} and {last} are missing"),
                None => format!("{arg} is missing"),
            }),
            _ => {
                let whole = error.to_string();
                let first = whole.lines().next().unwrap_or_default();
                CliError::usage(first.trim_start_matches("error: ").to_owned())
            }
        }
        .hint_if_none(|| format!("`{} --help` says what it takes", self.path(error)))
    }

    /// The command that was meant, as far as it is known.
    fn path(&self, error: &clap::Error) -> String {
        let mut words = vec!["tableside"];
        if let Some(command) = &self.command {
            words.push(command);
            words.extend(self.system().map(|system| system.id));
            words.extend(self.check().map(|check| check.id));
            return words.join(" ");
        }
        let usage = text(error, ContextKind::Usage);
        let named = usage
            .split_whitespace()
            .skip_while(|word| *word != "tableside");
        let named = named.take_while(|word| !word.starts_with(['[', '<', '-']));
        let named: Vec<&str> = named.collect();
        if named.is_empty() {
            "tableside".to_owned()
        } else {
            named.join(" ")
        }
    }

    /// A system or a check that is not there, or was not named.
    fn explain_names(&self) -> CliError {
        let ids = || System::ALL.into_iter().map(|system| system.spec().id);
        let all = |ids: Vec<&str>| ids.join(", ");
        let Some(given) = &self.system else {
            return CliError::usage(format!(
                "{} needs a system and a check, or dice; the systems are {}",
                self.command.as_deref().unwrap_or("that"),
                all(ids().collect())
            ));
        };
        let Some(system) = self.system() else {
            return CliError::usage(match nearest(given, ids()) {
                Some(near) => format!("there is no system {given:?}; did you mean {near}?"),
                None => format!(
                    "there is no system {given:?}; the systems are {}",
                    all(ids().collect())
                ),
            });
        };
        let checks = || system.checks.iter().map(|check| check.id);
        CliError::usage(match &self.check {
            None => format!(
                "{} needs a check; its checks are {}",
                system.id,
                all(checks().collect())
            ),
            Some(given) => match nearest(given, checks()) {
                Some(near) => {
                    format!("{} has no check {given:?}; did you mean {near}?", system.id)
                }
                None => format!(
                    "{} has no check {given:?}; its checks are {}",
                    system.id,
                    all(checks().collect())
                ),
            },
        })
    }

    fn explain_unknown(&self, name: &str, error: &clap::Error) -> CliError {
        let Some(field) = name.strip_prefix("--") else {
            return CliError::usage(format!("{name:?} is one word too many"));
        };
        if self.dice {
            return CliError::usage(format!("free dice have no option {name}"));
        }
        let Some(check) = self.check() else {
            if let Some(command) = &self.command {
                return CliError::usage(format!(
                    "{name} stands before the check; the fields of a check stand behind it, as in `tableside \
                     {command} SYSTEM CHECK {name}`"
                ));
            }
            let near = text(error, ContextKind::SuggestedArg);
            return CliError::usage(if near.is_empty() {
                format!("there is no option {name}")
            } else {
                format!("there is no option {name}; did you mean {near}?")
            });
        };
        let ids = || check.fields.iter().map(|field| field.id);
        let of_both = ["rule", "choose", "json"];
        let of_roll = ["session", "as", "faces", "seed", "clock"];
        let rolls = self.command.as_deref() == Some("roll");
        if !rolls && of_roll.contains(&field) {
            return CliError::usage(format!(
                "{name} is for roll alone; odds takes the fields, --rule, --choose and --json"
            ));
        }
        let of_roll = if rolls { &of_roll[..] } else { &[] };
        let options = of_both.iter().chain(of_roll).copied();
        CliError::usage(match nearest(field, ids().chain(options)) {
            Some(near) => format!(
                "{} has no field {field:?}; did you mean --{near}?",
                check.id
            ),
            None => format!(
                "{} has no field {field:?}; its fields are {}",
                check.id,
                ids().collect::<Vec<_>>().join(", ")
            ),
        })
    }
}

impl CliError {
    fn hint_if_none(self, hint: impl FnOnce() -> String) -> Self {
        match self {
            Self::Usage { hint: None, .. } => self.hint(hint()),
            other => other,
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
