//! `tableside export`: a whole game as one file; and `tableside import`: a game from its file, or a party
//! from TOML, CSV or JSON.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;

use super::creature_import::{CreatureFile, import_creatures};
use super::file_text::{FileText, decode};
use super::new::tell_made;
use super::{App, CliError};
use super::{close, party, pluralise, unsaved};
use tableside_commands::Request;
use tableside_game::Game;
use tableside_store::file::{self, Links};
use tableside_store::{
    self, ExportOptions, ImportOptions, Imported, StoreError, is_bundle, write_file,
};
use tableside_table::{Seat, write_clock_line};

/// The largest file that a party is read from, in bytes.
const LARGEST_PARTY: u64 = 1 << 20;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "A party's keys or columns are name, player, side, notes and the stats of the sheet, as \
                  `tableside systems SYSTEM --json` lists them."
)]
pub(super) struct Args {
    /// An exported game, or a party: .toml, .csv or .json
    file: PathBuf,
    #[arg(
        long,
        help = "The name of the game [default: its own name, or the file's]"
    )]
    name: Option<String>,
    /// The game that the party joins; else a new one is made
    #[arg(long)]
    game: Option<String>,
    /// The party's rule system, where neither file nor game says it
    #[arg(long)]
    system: Option<String>,
    /// Reads templates of creatures: JSON of Open5e or Improved Initiative, or a party's file
    #[arg(long, conflicts_with_all = ["game", "seats"])]
    creatures: bool,
    /// Takes over who may join, too, from a game that was exported with its seats
    #[arg(long, conflicts_with_all = ["game", "system"])]
    seats: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct ExportArgs {
    /// The game
    game: String,
    /// The file to write; what is there already is not replaced
    #[arg(required_unless_present = "clocks")]
    file: Option<PathBuf>,
    /// Prints the clocks instead, a line each as in `The alarm: 3/6`; `do GAME add clocks` takes such lines
    #[arg(long, conflicts_with_all = ["file", "force", "seats"])]
    clocks: bool,
    /// Writes who may join into it, too: names, public keys, and invitations without their codes
    #[arg(long)]
    seats: bool,
    /// Replaces the file where there is one
    #[arg(long)]
    force: bool,
}

/// Writes a game into a file.
pub(super) fn export(app: &mut App<'_>, args: &ExportArgs) -> Result<(), CliError> {
    let Some(file) = args.file.as_deref() else {
        let table = app.look_at(&app.name(&args.game)?)?;
        return table.read(&Seat::gm(), |seen| {
            let clocks = || seen.clocks().map(|one| one.clock);
            app.out
                .lines(clocks().map(|clock| write_clock_line(clock, seen)))?;
            let filled: Vec<&str> = clocks()
                .filter(|clock| clock.check.is_some())
                .map(|clock| clock.name.as_str())
                .collect();
            if !filled.is_empty() {
                let names = filled.join(", ");
                app.notices.push(format!(
                    "These clocks are filled by a roll that a line cannot show: {names}. `tableside status --json` shows it."
                ));
            }
            Ok(())
        });
    };
    let name = app.name(&args.game)?;
    let place = app.storage()?.location(&name);
    let options = ExportOptions {
        name: name.as_str(),
        with_seats: args.seats,
        at: (app.clock)(),
    };
    let written = write_file(file, args.force, |file| {
        tableside_store::export(&place, &options, file)
    });
    match written {
        Err(StoreError::Missing { .. }) => return Err(app.missing(&name)),
        Err(error @ StoreError::Exists { .. }) => {
            return Err(CliError::failed(error.to_string())
                .hint("choose another name, or replace it with --force"));
        }
        written => written?,
    }
    app.out.line(&format!(
        "{name} is in {}; `tableside import` makes the game of it again",
        file.display()
    ))
}

/// Reads a file.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let path = args.file.as_path();
    let shown = path.display();
    let refused = |error| CliError::failed(format!("{shown} cannot be read: {error}"));
    let mut file = BufReader::new(file::open_to_read(path, Links::Follow).map_err(refused)?);
    if is_bundle(file.fill_buf().map_err(refused)?) {
        if args.game.is_some() || args.system.is_some() {
            return Err(CliError::usage(
                "--game and --system are for a party; a whole game takes --name at most",
            ));
        }
        return whole(app, args, &mut file);
    }
    if args.seats {
        return Err(CliError::usage("--seats is for a whole game"));
    }
    let mut bytes = Vec::new();
    let read = file.take(LARGEST_PARTY + 1).read_to_end(&mut bytes);
    let read = read.map_err(refused)?;
    if read as u64 > LARGEST_PARTY {
        return Err(CliError::failed(format!(
            "{shown} is no exported game, and for a party it is too large; 1 MiB is the most"
        )));
    }
    let lossy = String::from_utf8_lossy(&bytes);
    let is_table = party::is_table(path, &lossy);
    let FileText { text, is_guessed } = decode(&bytes, is_table).map_err(|what| {
        let file_and = if what.starts_with("line") { ", " } else { ": " };
        CliError::failed(format!("{shown}{file_and}{what}")).hint("the import failed")
    })?;
    if is_guessed {
        app.notices.push(format!(
            "{shown} is not UTF-8; it was read as Windows-1252. If a name looks wrong, save the file as CSV UTF-8."
        ));
    }
    if args.creatures {
        let request = CreatureFile {
            path,
            text: &text,
            name: args.name.as_deref(),
            system: args.system.as_deref(),
        };
        return import_creatures(app, &request);
    }
    match &args.game {
        Some(_) if args.name.is_some() => Err(CliError::usage(
            "--game and --name do not go together: one adds to a game, the other makes one",
        )),
        Some(game) => add(app, args, &text, game),
        None => make(app, args, &text),
    }
}

/// A whole game.
fn whole(app: &mut App<'_>, args: &Args, file: &mut BufReader<File>) -> Result<(), CliError> {
    let name = args.name.as_deref().map(|name| app.new_name(name));
    let name = name.transpose()?;
    let options = ImportOptions {
        name: name.as_ref(),
        with_seats: args.seats,
        reserved: app.reserved,
    };
    let imported = app.storage()?.import(file, &options);
    let Imported { name, has_seats } = imported.map_err(|error| match error {
        StoreError::Exists(_) => {
            CliError::failed(error.to_string()).hint("give it another name with --name")
        }
        StoreError::Unfit(what) => CliError::failed(format!("{}: {what}", args.file.display()))
            .hint("the import failed; export the game again, or use another copy"),
        error => error.into(),
    })?;
    let table = app.look_at(&name)?;
    let words = table.read(&Seat::gm(), |seen| {
        let entries = pluralise(seen.log_length(), "entry");
        let characters = pluralise(seen.roster().count(), "character");
        let system = seen.system().spec().name;
        format!("{name}: {system}, {characters}, {entries} in the log")
    });
    app.out.line(&words)?;
    if has_seats && !args.seats {
        let left = "The file also contains seats, which were not imported. `--seats` imports them.";
        app.out.line(left)?;
    }
    Ok(())
}

/// A party for a game that there is.
fn add(app: &mut App<'_>, args: &Args, text: &str, game: &str) -> Result<(), CliError> {
    let name = app.name(game)?;
    let (table, _) = app.open(&name, true)?;
    let of_game = table.game().system;
    let taken: Vec<String> = table
        .game()
        .roster
        .iter()
        .map(|one| one.name.clone())
        .collect();
    drop(table);
    let system = args.system.as_deref();
    let system = system.map(|named| app.system(named)).transpose()?;
    if let Some(system) = system.filter(|system| system.id() != of_game.id()) {
        return Err(CliError::usage(format!(
            "{game} is a game of {of_game}, but --system is {system}"
        )));
    }
    let read = party::read(app, &args.file, text, Some(of_game), &taken)?;
    let count = pluralise(read.arrivals.characters.len(), "character");
    let done = app.send(&name, &Request::Add(Box::new(read.arrivals)))?;
    app.out.line(&format!("{game}: {count} joined"))?;
    app.out.lines(read.remarks)?;
    tell_left_behind(app, &read.left_behind)?;
    app.out.finish()?;
    Ok(done.saved()?)
}

/// A party, and a game around it.
fn make(app: &mut App<'_>, args: &Args, text: &str) -> Result<(), CliError> {
    let system = args.system.as_deref();
    let system = system.map(|named| app.system(named)).transpose()?;
    let read = party::read(app, &args.file, text, system, &[])?;
    let system = read.system;
    let stem = args.file.file_stem().unwrap_or_default().to_string_lossy();
    let name = app.new_name(args.name.as_deref().unwrap_or(&stem))?;
    let count = pluralise(read.arrivals.characters.len(), "character");
    let storage = app.storage()?;
    if storage.has(&name) {
        let hint =
            format!("add to it with --game {name}, or give the new one another name with --name");
        return Err(CliError::failed(format!("there is a game {name} already")).hint(hint));
    }
    let game = (Game::new(system), Vec::new());
    let table = unsaved(name.as_str(), game, None, app.clock)?;
    // In memory first: where a name is wrong, no game is made.
    Request::Add(Box::new(read.arrivals)).run(&table, &Seat::gm())?;
    table.rename(&storage, &name)?;
    close(&table)?;
    tell_made(app, &name, system, &count)?;
    app.out.lines(read.remarks)?;
    tell_left_behind(app, &read.left_behind)
}

/// Says what the document has and a party does not carry.
fn tell_left_behind(app: &mut App<'_>, left_behind: &[&str]) -> Result<(), CliError> {
    if left_behind.is_empty() {
        return Ok(());
    }
    app.out.line(&format!(
        "Left behind: {}. `tableside export` and `import` carry a whole game.",
        left_behind.join(", ")
    ))
}
