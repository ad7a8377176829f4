//! Notes and handouts for some and not for others, players' own notes, lines and veils, pauses and sessions.
//!
//! Every text holds a mark that tells who wrote it: `Zgabq` is a note of the GM's, `Zm…` one of Mira's and `Zb…` one of
//! Bo's. `Zo…` and `Zp…` are notes that Mira and Bo keep to themselves for ever, so that not even the GM may read them.

use tableside::game::{
    Command, EditNoteCommand, EntityRef, Game, Named, Note, NoteCommand, Pin, Readers,
};
use tableside::table::{Act, Filter, LogForm, Seat, SeatView};

use super::{Evening, player};

/// The number of kinds of acts in this file.
pub(super) const KINDS: u8 = 14;

/// True if the kind of act chooses among the notes that there are, so that a secret note changes which one it chooses.
pub(super) fn changes_notes(kind: u8) -> bool {
    kind.checked_sub(super::WRITTEN)
        .is_some_and(|kind| [7, 8, 9, 11, 12].contains(&kind))
}

/// True if the act ends the session.
pub(super) fn ends_session(kind: u8, which: usize) -> bool {
    kind == super::WRITTEN + KINDS - 1 && which % 4 == 3
}

/// The notes that their authors never share.
const OWN: [char; 2] = ['o', 'p'];

/// The mark of a note: its author, and two letters that make it unlike others.
fn mark(author: char, which: usize) -> String {
    let letter = |number: usize| char::from(b'a' + u8::try_from(number % 26).unwrap());
    format!("Z{author}{}{}q", letter(which / 26), letter(which))
}

/// The marks in a text.
fn marks(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('Z').filter_map(|(start, _)| {
        let mark = text.get(start..start + 5)?;
        let mut letters = mark.bytes().skip(1);
        let is_mark = mark.ends_with('q') && letters.all(|byte| byte.is_ascii_lowercase());
        is_mark.then_some(mark)
    })
}

/// A mark in a text that the seat may not read: the seat did not write it, and is not among its readers now.
pub(super) fn leaked_note(text: &str, seat: &Seat, game: &Game) -> Option<String> {
    let leaked = marks(text).find(|mark| !may_read(mark, seat, game));
    leaked.map(|mark| format!("{} reads {mark}", seat.name))
}

fn may_read(mark: &str, seat: &Seat, game: &Game) -> bool {
    let author = mark.chars().nth(1).unwrap_or_default();
    let is_own = match author {
        'g' => seat.sees_all(),
        'm' | 'o' => seat.name == "mira",
        _ => seat.name == "bo",
    };
    if is_own {
        return true;
    }
    if OWN.contains(&author) {
        return false;
    }

    let mut notes = game.notes.iter().filter(|note| note.text.contains(mark));
    // The GM reads the log of notes that are gone; players do not.
    let is_gone = notes.clone().next().is_none();
    (is_gone && seat.sees_all()) || notes.any(|note| is_among(seat, &note.readers))
}

fn is_among(seat: &Seat, readers: &Readers) -> bool {
    match readers {
        Readers::Author => false,
        Readers::Everybody => true,
        _ if seat.sees_all() => true,
        Readers::Gm => false,
        Readers::Characters(characters) => {
            let mut own = seat.characters.iter();
            own.any(|id| characters.iter().any(|named| named.id == *id))
        }
        Readers::Seat { seat: id, .. } => seat.id == *id,
    }
}

/// All entries of the log that a search for notes finds, as lines of JSON.
pub(super) fn found_in_log(evening: &Evening, seat: &Seat) -> String {
    let table = &evening.game.table;
    let system = evening.game.system;
    let mut found = String::new();
    for words in ["", "z", "scene:gate z", "who:gm z"] {
        let render = |logged: tableside::table::Logged| logged.as_json_line(system);
        let searched = table.whole_log(seat, &Filter::parse(words), render, |line| {
            found.push_str(&line);
            found.push('\n');
            Ok::<(), tableside::store::StoreError>(())
        });
        searched.unwrap();
    }

    // An export says the same in other words.
    let game = table.read(seat, |seen| seen.game().clone());
    let time = |at: chrono::DateTime<chrono::Utc>, format: &str| at.format(format).to_string();
    for (form, _) in LogForm::ALL {
        let format = tableside::table::EntryFormat::new(form, game.clone(), &time);
        let mut writer = tableside::table::LogWriter::new(form, "t");
        let render = |logged| format.render(logged);
        let exported = table.whole_log(seat, &Filter::default(), render, |entry| {
            found.push_str(&writer.add(&entry));
            Ok::<(), tableside::store::StoreError>(())
        });
        exported.unwrap();
    }
    found
}

/// The notes of a seat, with everything that lists show of them.
pub(super) fn listed_notes(seen: &SeatView<'_>) -> String {
    let mut listed = String::new();
    for note in seen.written_notes() {
        let pin = note.pinned_to.and_then(|pin| seen.game().pin_name(pin));
        let readers = note.readers.describe("GM");
        listed += &format!("{note:?} {} {readers} {pin:?}\n", note.title());
    }
    for note in seen.unread_handouts() {
        listed += &format!("unread: {note:?}\n");
    }
    listed.push_str(&seen.lines_and_veils);
    listed
}

impl Evening {
    /// One thing that happens to what is written, by number.
    pub(super) fn writes(&self, kind: u8, which: usize) {
        let (mira, bo) = (&self.mira, &self.bo);
        match kind {
            0 => self.gm_writes(which, false),
            1 | 2 => self.gm_writes(which, true),
            3 => self.player_writes(mira, 'o', which, Readers::Author),
            4 => self.player_writes(bo, 'p', which, Readers::Author),
            5 => self.player_writes(mira, 'm', which, self.readers(which)),
            6 => self.player_writes(bo, 'b', which, self.readers(which)),
            7 => self.change_note(&Seat::gm(), which),
            8 => self.change_note([mira, bo][which % 2], which),
            9 => self.delete_note([&Seat::gm(), mira, bo][which % 3], which),
            10 => self.read_handout([mira, bo][which % 2]),
            11 => drop(self.game.act(bo, &[Act::Undo, Act::Redo][which % 2])),
            12 => self.strike_note(which),
            _ => self.talks([&Seat::gm(), mira, bo][which % 3], which),
        }
    }

    /// Readers of all kinds, also hidden characters.
    fn readers(&self, which: usize) -> Readers {
        let named = |id| {
            let character = self.game.look(|seen| seen.character(id).cloned());
            character.map(|character| Named::from(&character))
        };
        let mira = named(self.mira.characters[0]);
        let bo = named(self.bo.characters[0]);
        let hidden = self.hidden(which).map(|hulk| Named::from(&hulk));
        let nobody = player("nobody", &[]);
        match which % 7 {
            0 => Readers::Gm,
            1 => Readers::Everybody,
            2 => Readers::Characters(mira.into_iter().collect()),
            3 => Readers::Characters(bo.into_iter().collect()),
            4 => Readers::Characters(mira.into_iter().chain(hidden).collect()),
            5 => Readers::Characters(hidden.into_iter().chain(bo).collect()),
            _ => Readers::Seat {
                seat: nobody.id,
                name: nobody.name,
            },
        }
    }

    /// A pin to something that players know of, or do not, or to nothing.
    fn pin(&self, which: usize) -> Option<Pin> {
        match which % 4 {
            0 => self.hidden(which).map(|hulk| Pin::Character(hulk.id)),
            1 => self.game.look(|seen| {
                let last = seen.clocks().last();
                last.map(|clock| Pin::Clock(clock.clock.id))
            }),
            2 => Some(Pin::Scene(0)),
            _ => None,
        }
    }

    fn gm_writes(&self, which: usize, handout: bool) {
        self.gm(Command::Note(NoteCommand {
            text: format!("{}\nand more", mark('g', which)),
            readers: self.readers(which / 3),
            handout,
            pinned_to: self.pin(which),
            about: which.is_multiple_of(5).then_some(1),
        }));
    }

    fn player_writes(&self, seat: &Seat, author: char, which: usize, readers: Readers) {
        let note = NoteCommand {
            text: mark(author, which),
            readers,
            ..NoteCommand::default()
        };
        self.game.act(seat, &Command::Note(note).into()).ok();
    }

    fn some_note(&self, seat: &Seat, which: usize) -> Option<Note> {
        self.game.table.read(seat, |seen| {
            let notes: Vec<&Note> = seen.written_notes().collect();
            notes.get(which % notes.len().max(1)).copied().cloned()
        })
    }

    /// More or fewer may read a note, with the same text or another one. A note that is secret
    /// for ever keeps its readers.
    fn change_note(&self, seat: &Seat, which: usize) {
        let Some(note) = self.some_note(seat, which) else {
            return;
        };
        let is_kept =
            note.text.contains("Xnote") || marks(&note.text).any(|mark| mark.contains(OWN));
        let readers = if is_kept {
            note.readers
        } else {
            self.readers(which / 2)
        };
        let text = if which.is_multiple_of(3) {
            format!("{} once more", note.text)
        } else {
            note.text
        };
        let edit = Command::EditNote(EditNoteCommand {
            note: note.id,
            text,
            readers,
            pinned_to: self.pin(which / 5),
        });
        self.game.act(seat, &edit.into()).ok();
    }

    fn delete_note(&self, seat: &Seat, which: usize) {
        if let Some(note) = self.some_note(seat, which) {
            let remove = Command::Remove(EntityRef::Note(note.id));
            self.game.act(seat, &remove.into()).ok();
        }
    }

    fn read_handout(&self, seat: &Seat) {
        let unread = |seen: &SeatView<'_>| seen.unread_handouts().next().map(|note| note.id);
        if let Some(id) = self.game.table.read(seat, unread) {
            self.game.act(seat, &Command::ReadHandout(id).into()).ok();
        }
    }

    fn strike_note(&self, which: usize) {
        let entry = self.game.look(|seen| {
            let mut log = seen.log();
            log.find(|entry| entry.event.what.kind() == "note")
                .map(|entry| entry.number)
        });
        if let Some(entry) = entry {
            let reason = if which.is_multiple_of(2) {
                "Xwrong"
            } else {
                ""
            };
            let strike = Act::Strike {
                entry,
                reason: reason.to_owned(),
            };
            self.game.act(&Seat::gm(), &strike).ok();
        }
    }

    /// Lines and veils, a pause, and the end of a session.
    fn talks(&self, seat: &Seat, which: usize) {
        let command = match which % 4 {
            0 | 1 => Command::SetLinesAndVeils {
                was: None,
                text: format!("Line: spiders {which}"),
            },
            2 => Command::Pause,
            _ => Command::EndSession,
        };
        self.game.act(seat, &command.into()).ok();
    }
}
