//! `tableside recap`: what happened in a session, as notes for the GM or for the players.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Local, NaiveDate, NaiveTime, TimeZone as _, Utc};

use super::{App, CliError, pluralise};
use tableside_store::{Name, StoreError, write_file};
use tableside_table::{Recap, RecapRange, RecapScope, Seat, SeatId, SeatRole, SeatView, Table};
use tableside_text::{is_same_name, suggest_or_list};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game
    game: String,
    /// The number of the session [the running one, or the last one if nothing has happened since]
    #[arg(long, value_name = "NUMBER", conflicts_with = "since")]
    session: Option<usize>,
    /// Everything since the last session ended (`last`), or since a date such as 2026-11-28
    #[arg(long, value_name = "last|DATE")]
    since: Option<String>,
    /// Tells only what these readers saw: players, or the name of a seat, a player or a character [gm]
    #[arg(long = "for", value_name = "NAME")]
    reader: Option<String>,
    /// As one JSON document
    #[arg(long)]
    json: bool,
    /// Writes the recap to this file; an existing file is not replaced
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replaces the file if it exists
    #[arg(long, requires = "output")]
    force: bool,
}

/// Prints a recap, or writes it to a file.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let name = app.name(&args.game)?;
    let table = app.look_at(&name)?;
    let seat = find_reader(app, &name, &table, args.reader.as_deref())?;
    let evening = find_evening(&table, &seat, args)?;
    let recap = table.recap(&seat, &evening)?;

    let text = render(&recap, args.json);
    match &args.output {
        None => app.out.verbatim(&text),
        Some(path) => {
            write_text(path, &text, args.force)?;
            app.out
                .line(&format!("The recap is in {}.", path.display()))
        }
    }
}

fn render(recap: &Recap, as_json: bool) -> String {
    if as_json {
        recap.json() + "\n"
    } else {
        recap.markdown(&local_time)
    }
}

/// A time in the time zone of this computer.
pub(super) fn local_time(at: DateTime<Utc>, format: &str) -> String {
    at.with_timezone(&Local).format(format).to_string()
}

fn write_text(path: &Path, text: &str, replace: bool) -> Result<(), CliError> {
    let written = write_file(path, replace, |file| {
        file.write_all(text.as_bytes())
            .map_err(|error| StoreError::io("write", path, error))
    });
    match written {
        Err(error @ StoreError::Exists { .. }) => Err(CliError::failed(error.to_string())
            .hint("choose another name, or replace it with --force")),
        written => Ok(written?),
    }
}

/// The entries that the options select.
fn find_evening(table: &Table, seat: &Seat, args: &Args) -> Result<RecapScope, CliError> {
    if let Some(date) = args.since.as_deref().filter(|since| *since != "last") {
        let evening = RecapScope::since(table, midnight(date)?)?;
        return Ok(evening.unwrap_or_else(|| nothing_since(table)));
    }

    let game = table.game();
    match args.session {
        Some(number) => RecapScope::session(&game, number)
            .ok_or_else(|| no_session(number, game.session_number())),
        None if args.since.is_some() => Ok(RecapScope::since_last_session(&game)),
        None => Ok(table.read(seat, RecapScope::newest_session)),
    }
}

fn no_session(number: usize, count: usize) -> CliError {
    let sessions = pluralise(count, "session");
    CliError::failed(format!(
        "there is no session {number}; the game has {sessions}"
    ))
}

/// An evening without entries, after the last one.
fn nothing_since(table: &Table) -> RecapScope {
    let last = table.last_event();
    RecapScope {
        session: None,
        range: RecapRange {
            first: last + 1,
            last,
        },
    }
}

/// The first moment of a day on this computer.
fn midnight(date: &str) -> Result<DateTime<Utc>, CliError> {
    let wrong = || {
        CliError::usage(format!(
            "--since takes last or a date such as 2026-11-28, not {date:?}"
        ))
    };
    let day: NaiveDate = date.parse().map_err(|_error| wrong())?;
    let midnight = day.and_time(NaiveTime::MIN);
    // Where summer time begins at midnight, the day begins an hour later.
    let local = Local.from_local_datetime(&midnight).earliest();
    Ok(local.map_or_else(|| midnight.and_utc(), |local| local.with_timezone(&Utc)))
}

/// The seat that reads the recap.
fn find_reader(
    app: &App<'_>,
    game: &Name,
    table: &Table,
    reader: Option<&str>,
) -> Result<Seat, CliError> {
    let Some(reader) = reader else {
        return Ok(Seat::gm());
    };
    if reader.eq_ignore_ascii_case("gm") {
        return Ok(Seat::gm());
    }
    if reader.eq_ignore_ascii_case("players") {
        return Ok(Seat::onlooker());
    }

    let place = app.storage()?.location(game);
    table.read(&Seat::gm(), |view| {
        let seats = tableside_server::seats(&place, view)?;
        let found = seats.iter().find(|seat| is_same_name(&seat.name, reader));
        let found = found
            .cloned()
            .or_else(|| seat_of_name(view, &seats, reader));
        found.ok_or_else(|| unknown_reader(view, &seats, reader))
    })
}

/// The seat of the player of that name, or of the player of a character.
fn seat_of_name(view: &SeatView<'_>, seats: &[Seat], reader: &str) -> Option<Seat> {
    let plays = |player: &str| {
        let seat = seats.iter().find(|seat| is_same_name(&seat.name, player));
        seat.cloned().unwrap_or_else(|| player_seat(view, player))
    };
    let is_player = view
        .roster()
        .any(|character| is_same_name(&character.player, reader));
    if is_player {
        return Some(plays(reader));
    }

    let character = view.character_named(reader)?;
    if !character.player.is_empty() {
        return Some(plays(&character.player));
    }
    let seat_of_character = seats
        .iter()
        .find(|seat| seat.characters.contains(&character.id));
    let seat = seat_of_character.cloned().unwrap_or_else(|| Seat {
        characters: vec![character.id],
        ..Seat::new(SeatId::NOBODY, &character.name, SeatRole::Player)
    });
    Some(seat)
}

/// A seat for a player who never joined from another computer.
fn player_seat(view: &SeatView<'_>, player: &str) -> Seat {
    let own = view
        .roster()
        .filter(|character| is_same_name(&character.player, player));
    Seat {
        characters: own.map(|character| character.id).collect(),
        ..Seat::new(SeatId::NOBODY, player, SeatRole::Player)
    }
}

fn unknown_reader(view: &SeatView<'_>, seats: &[Seat], reader: &str) -> CliError {
    let mut names: Vec<&str> = vec!["players"];
    names.extend(seats.iter().map(|seat| seat.name.as_str()));
    for character in view.roster() {
        names.extend([character.player.as_str(), character.name.as_str()]);
    }
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names.dedup();

    let suggestion = suggest_or_list(reader, names.iter().copied());
    CliError::failed(format!(
        "there is no seat, player or character \"{reader}\"; {suggestion}"
    ))
}
