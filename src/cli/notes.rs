//! `tableside notes`: the notes and handouts of a game.

use std::collections::HashMap;

use chrono::{DateTime, Local, SecondsFormat};
use serde_json::{Value as Json, json};

use super::reader::find_reader;
use super::{App, CliError, Ink, Output};
use tableside_game::{Note, Pin, Readers, SeatId};
use tableside_store::GameLocation;
use tableside_table::{ReadersJson, Seat, SeatView};
use tableside_text::{fold, is_same_name, join};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The game
    game: String,
    /// Only what this player, or the player of this character, may read; `players` for what all may read
    #[arg(long = "for", value_name = "NAME")]
    reader: Option<String>,
    /// Only notes that contain these words
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    /// As one JSON document
    #[arg(long)]
    json: bool,
}

/// Everything about a note that a list shows.
struct ListedNote<'a> {
    note: &'a Note,
    /// The kind and the name of the entity to which it is pinned.
    pin: Option<(&'static str, &'a str)>,
    /// The names of the seats that have read a handout.
    read_by: Vec<&'a str>,
}

/// Lists the notes and handouts that the GM may read. Notes that players keep to themselves are not among them.
pub(super) fn run(app: &mut App<'_>, args: &Args) -> Result<(), CliError> {
    let name = app.name(&args.game)?;
    let table = app.look_at(&name)?;
    let place = app.storage()?.location(&name);
    let out = &mut app.out;
    table.read(&Seat::gm(), |view| {
        let reader = match &args.reader {
            Some(name) => Some(find_reader(name, view)?),
            None => None,
        };
        let seat_names = read_seat_names(&place, view);
        let notes = view
            .written_notes()
            .filter(|note| reader.as_ref().is_none_or(|seat| may_read(note, seat)))
            .map(|note| list_note(note, view, &seat_names))
            .filter(|listed| listed.contains(args.search.as_deref().unwrap_or_default()));
        let notes: Vec<ListedNote<'_>> = notes.collect();

        if args.json {
            let documents: Vec<Json> = notes.iter().map(json_of).collect();
            return out.json(&documents);
        }
        if notes.is_empty() {
            let is_filtered = args.reader.is_some() || args.search.is_some();
            let hint = if is_filtered {
                "no note fits"
            } else {
                "no notes yet; `tableside do GAME note TEXT` writes one"
            };
            return out.line(hint);
        }
        let gm = view.system().spec().gm;
        notes
            .iter()
            .enumerate()
            .try_for_each(|(index, listed)| print_note(out, listed, index, gm))
    })
}

/// The names of the seats that may join. Empty if `access.toml` cannot be read, because the notes are readable without it.
fn read_seat_names(place: &GameLocation, view: &SeatView<'_>) -> HashMap<SeatId, String> {
    let seats = tableside_server::seats(place, view).unwrap_or_default();
    seats.into_iter().map(|seat| (seat.id, seat.name)).collect()
}

/// True if a seat reads a note, among those that the GM reads. A seat without characters is known by its name.
fn may_read(note: &Note, seat: &Seat) -> bool {
    let is_author = is_same_name(&note.author, &seat.name);
    let is_named = match &note.readers {
        Readers::Seat { name, .. } => is_same_name(name, &seat.name),
        _ => false,
    };
    is_author || is_named || seat.reads_note(note)
}

fn list_note<'a>(
    note: &'a Note,
    view: &SeatView<'a>,
    seat_names: &'a HashMap<SeatId, String>,
) -> ListedNote<'a> {
    let game = view.game();
    let pin = note.pinned_to.and_then(|pin| {
        let kind = match pin {
            Pin::Character(_) => "character",
            Pin::Clock(_) => "clock",
            Pin::Scene(_) => "scene",
        };
        Some((kind, game.pin_name(pin)?))
    });
    let readers = note.read_by.iter();
    let read_by = readers.map(|seat| seat_names.get(seat).map_or("a player", String::as_str));
    ListedNote {
        note,
        pin,
        read_by: read_by.collect(),
    }
}

impl ListedNote<'_> {
    /// True if the text, the author or the pin contain each of these words.
    fn contains(&self, words: &str) -> bool {
        let (_, pin) = self.pin.unwrap_or_default();
        let searched = fold(&join([&*self.note.text, &self.note.author, pin], " "));
        fold(words).split(' ').all(|word| searched.contains(word))
    }

    /// The day, the author, the readers and the pin, in one line.
    fn heading(&self, gm: &str) -> String {
        let note = self.note;
        let kind = if note.handout { "handout" } else { "note" };
        let readers = note.readers.describe(gm);
        let day = note.written.with_timezone(&Local).format("%Y-%m-%d");
        let mut heading = format!("{day}  {kind} by {} for {readers}", note.author);

        match self.pin {
            Some(("scene", "")) => heading += ", on a scene",
            Some((_, name)) => heading += &format!(", on {name}"),
            None => {}
        }
        if let Some(entry) = note.about {
            heading += &format!(", about #{entry}");
        }
        if !self.read_by.is_empty() {
            heading += &format!(", read by {}", join(&self.read_by, ", "));
        } else if note.handout {
            heading += ", not read yet";
        }
        heading
    }
}

fn print_note(
    out: &mut Output<'_>,
    listed: &ListedNote<'_>,
    index: usize,
    gm: &str,
) -> Result<(), CliError> {
    if index > 0 {
        out.line("")?;
    }
    out.inked(&[(Ink::Faint, &listed.heading(gm))])?;
    out.lines(listed.note.text.lines())
}

fn json_of(listed: &ListedNote<'_>) -> Json {
    let note = listed.note;
    let pin = listed
        .pin
        .map(|(kind, name)| json!({"kind": kind, "name": name}));
    json!({
        "text": note.text,
        "author": note.author,
        "written": json_of_time(note.written),
        "readers": ReadersJson(&note.readers),
        "handout": note.handout,
        "pinned": pin,
        "about": note.about,
        "read-by": listed.read_by,
    })
}

fn json_of_time(time: DateTime<chrono::Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
