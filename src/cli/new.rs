//! `tableside new`: makes a session.

use super::{App, CliError, open, sample};
use crate::config::Config;
use crate::rules::System;
use crate::session::Session;
use crate::store::Name;
use crate::table::{Clock, Table};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What it is called
    name: String,
    /// The rule system; `tableside systems` lists them
    #[arg(long)]
    system: String,
    /// With that system's sample game
    #[arg(long)]
    sample: bool,
}

/// Makes a session folder with an empty party, or with a sample game.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let name = open::name(&args.name)?;
    let system = system_named(&args.system)?;
    make((&app.config, app.clock), &name, system, args.sample)?;
    let what = if args.sample {
        "the sample game"
    } else {
        "an empty party"
    };
    app.out.line(&format!(
        "{name}: {}, with {what}; `{}` opens it",
        system.spec().name,
        call(&args.name)
    ))
}

/// How a session of that name is opened from a shell.
pub(super) fn call(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    if name.chars().all(plain) {
        format!("tableside {name}")
    } else {
        format!("tableside '{}'", name.replace('\'', r"'\''"))
    }
}

/// Makes it.
pub(super) fn make(
    (config, clock): (&Config, Clock),
    name: &Name,
    system: System,
    with_sample: bool,
) -> Result<(), CliError> {
    let (session, entries) = if with_sample {
        let sample = sample(system)?;
        (sample.session, sample.entries)
    } else {
        (Session::new(system), Vec::new())
    };
    let data = config.data()?.to_owned();
    let luck = open::luck()?;
    let table = Table::unsaved(name.as_str(), session, entries, None, clock, luck);
    table.rename(&data, name)?;
    open::close(&table)
}

/// The system of that name.
pub(super) fn system_named(given: &str) -> Result<System, CliError> {
    given.parse().map_err(|_unknown| {
        let ids = System::ALL.map(|system| system.spec().id);
        let all = format!("the systems are {}", ids.join(", "));
        CliError::unknown(&format!("there is no system {given:?}"), given, ids, &all)
    })
}
