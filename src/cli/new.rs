//! `tableside new`: makes a session.

use clap::ArgMatches;

use super::{CliError, Desk, open, sample};
use crate::rules::System;
use crate::session::Session;
use crate::store::Name;
use crate::table::Table;
use crate::text::nearest;

/// Makes a session folder with an empty party, or with a sample game.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let given = matches
        .get_one::<String>("called")
        .map_or("", String::as_str);
    let name = open::name(given)?;
    let system = matches
        .get_one::<String>("system")
        .map_or("", String::as_str);
    let system = system_named(system)?;
    make(desk, &name, system, matches.get_flag("sample"))?;
    let what = if matches.get_flag("sample") {
        "the sample game"
    } else {
        "an empty party"
    };
    desk.out.line(&format!(
        "{name}: {}, with {what}; `{}` opens it",
        system.spec().name,
        call(given)
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
    desk: &mut Desk<'_>,
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
    let data = desk.config.data()?.to_owned();
    let luck = open::luck()?;
    let table = Table::unsaved(name.as_str(), session, entries, None, desk.clock, luck);
    table.rename(&data, name)?;
    open::close(&table)
}

/// The system of that name.
pub(super) fn system_named(given: &str) -> Result<System, CliError> {
    given.parse().map_err(|unknown| {
        let ids = System::ALL.into_iter().map(|system| system.spec().id);
        match nearest(given, ids) {
            Some(near) => CliError::usage(format!(
                "there is no system {given:?}; did you mean {near}?"
            )),
            None => CliError::from(unknown),
        }
    })
}
