//! `tableside import`: a session from its file, or a party from TOML, CSV or JSON.

mod party;

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use super::args::commands;
use super::new::system_named;
use super::sessions::many;
use super::{App, CliError, open};
use crate::file::{self, Links};
use crate::rules::System;
use crate::session::Session;
use crate::store::{self, BundleError, is_bundle};
use crate::table::{Request, Seat, Table};

/// The largest file that a party is read from, in bytes.
const LARGEST_PARTY: u64 = 1 << 20;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "A party's keys or columns are name, player, side, notes and the stats of the sheet, as \
                  `tableside systems SYSTEM --json` lists them."
)]
pub(super) struct Args {
    /// An exported session, or a party: .toml, .csv or .json
    file: PathBuf,
    #[arg(
        long,
        help = "What the session is to be called [its own name, or the file's]"
    )]
    name: Option<String>,
    /// The session that the party joins; else a new one is made
    #[arg(long)]
    session: Option<String>,
    /// The party's rule system, where neither file nor session says it
    #[arg(long)]
    system: Option<String>,
}

/// Reads a file.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let path = args.file.as_path();
    let (session, system) = (args.session.as_deref(), args.system.as_deref());
    let name = args.name.as_deref();
    let refused = |error| CliError::failed(format!("{} cannot be read: {error}", path.display()));
    let mut file = BufReader::new(file::open_to_read(path, Links::Follow).map_err(refused)?);
    if is_bundle(file.fill_buf().map_err(refused)?) {
        if session.is_some() || system.is_some() {
            return Err(CliError::usage(
                "--session and --system are for a party; a whole session takes --name at most",
            ));
        }
        return whole(app, path, &mut file, name);
    }
    let mut text = String::new();
    let read = file.take(LARGEST_PARTY + 1).read_to_string(&mut text);
    let read = read.map_err(|error| {
        CliError::failed(format!(
            "{} cannot be read: {error}; a file is an exported session, or a party in TOML, CSV or JSON",
            path.display()
        ))
    })?;
    if read as u64 > LARGEST_PARTY {
        return Err(CliError::failed(format!(
            "{} is no exported session, and for a party it is too large; 1 MiB is the most",
            path.display()
        )));
    }
    match (session, name) {
        (Some(_), Some(_)) => Err(CliError::usage(
            "--session and --name do not go together: one adds to a session, the other makes one",
        )),
        (Some(session), None) => add(app, path, &text, session, system),
        (None, name) => make(app, path, &text, name, system),
    }
}

/// A whole session.
fn whole(
    app: &mut App<'_>,
    path: &Path,
    file: &mut BufReader<File>,
    name: Option<&str>,
) -> Result<(), CliError> {
    let name = name.map(open::name).transpose()?;
    let data = app.config.data()?.to_owned();
    let made = store::import(file, &data, name.as_ref(), commands());
    let name = made.map_err(|error| match error {
        BundleError::Store(error @ store::StoreError::Exists { .. }) => {
            CliError::failed(error.to_string()).hint("give it another name with --name")
        }
        BundleError::Store(error) => error.into(),
        error @ BundleError::Unfit(_) => CliError::failed(format!("{}: {error}", path.display()))
            .hint("nothing was imported; export the session again, or look for another copy"),
    })?;
    let (table, _) = app.open(name.as_str(), true)?;
    let words = table.read(&Seat::gm(), |seen| {
        let entries = match seen.log_length() {
            1 => "1 entry".to_owned(),
            entries => format!("{entries} entries"),
        };
        format!(
            "{name}: {}, {}, {entries} in the log",
            seen.system().spec().name,
            many(seen.roster().count(), "character"),
        )
    });
    app.out.line(&words)
}

/// A party for a session that there is.
fn add(
    app: &mut App<'_>,
    path: &Path,
    text: &str,
    session: &str,
    system: Option<&str>,
) -> Result<(), CliError> {
    let (table, _) = app.open(session, true)?;
    let of_session = table.read(&Seat::gm(), |seen| (seen.system(),)).0;
    drop(table);
    if let Some(system) = system
        && system_named(system)? != of_session
    {
        return Err(CliError::usage(format!(
            "{session} is a game of {of_session}, and --system says {system}"
        )));
    }
    let characters = party::read(path, text, Some(of_session))?.1;
    let count = characters.len();
    let done = app.send(session, &Request::Add { characters })?;
    app.out
        .line(&format!("{session}: {} joined", many(count, "character")))?;
    app.out.finish()?;
    Ok(done.saved()?)
}

/// A party, and a session around it.
fn make(
    app: &mut App<'_>,
    path: &Path,
    text: &str,
    name: Option<&str>,
    system: Option<&str>,
) -> Result<(), CliError> {
    let system: Option<System> = system.map(system_named).transpose()?;
    let (system, characters) = party::read(path, text, system)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = open::name(name.unwrap_or(&stem))?;
    let count = characters.len();
    let data = app.config.data()?.to_owned();
    if std::fs::symlink_metadata(name.in_folder(&data)).is_ok() {
        return Err(
            CliError::failed(format!("there is a session {name} already")).hint(format!(
                "add to it with --session {name}, or give the new one another name with --name"
            )),
        );
    }
    let session = Session::new(system);
    let table = Table::unsaved(
        name.as_str(),
        session,
        Vec::new(),
        None,
        app.clock,
        open::luck()?,
    );
    // In memory first: where a name is wrong, no session is made.
    table.run(&Seat::gm(), &Request::Add { characters })?;
    table.rename(&data, &name)?;
    open::close(&table)?;
    app.out.line(&format!(
        "{name}: {}, with {}; `{}` opens it",
        system.spec().name,
        many(count, "character"),
        super::new::call(name.as_str())
    ))
}
