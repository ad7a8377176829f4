//! Notes, handouts, and the lines and veils of the table.

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{
    Author, CharacterId, CommandContext, CommandError, EntityKind, EntityRef, Event, EventKind,
    Game, Named, NoteId, Result, SeatId, refused,
};
use tableside_text::{fit, join, join_with_and, sanitise};

/// The longest note or handout, in characters.
pub const LONGEST_HANDOUT: usize = 20_000;

/// The most notes in a game.
pub const MOST_NOTES: usize = 10_000;

/// The text of the log entry by which the GM declines further effects of a roll.
pub const NOTHING_FOLLOWS: &str = "Nothing more follows";

/// A note of a player or the GM, or a handout of the GM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Note {
    pub id: NoteId,
    pub text: String,
    /// The name of the author's seat when the note was written.
    #[serde(rename = "by")]
    pub author: String,
    /// The author's seat, which may read and change the note.
    pub seat: SeatId,
    pub written: DateTime<Utc>,
    pub readers: Readers,
    /// True if the note appears at once on the screens of its readers.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub handout: bool,
    /// The seats that have read the handout.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub read_by: Vec<SeatId>,
    #[serde(default, rename = "pinned", skip_serializing_if = "Option::is_none")]
    pub pinned_to: Option<Pin>,
    /// The log entry that the note is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<u64>,
}

/// The seats that may read a note, besides its author.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Readers {
    /// Only the author, not even the GM.
    Author,
    #[default]
    Gm,
    Everybody,
    /// The GM and the players of these characters.
    Characters(Vec<Named>),
    /// The GM and one seat.
    Seat {
        seat: SeatId,
        /// The name of the seat when the note was written.
        name: String,
    },
}

/// The entity to which a note is pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pin {
    Character(CharacterId),
    Clock(super::ClockId),
    /// A scene, by its index in [`Game::scenes`].
    Scene(usize),
}

/// Writes a note or a handout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteCommand {
    pub text: String,
    pub readers: Readers,
    pub handout: bool,
    pub pinned_to: Option<Pin>,
    /// The log entry that the note is about.
    pub about: Option<u64>,
}

/// Changes a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditNoteCommand {
    pub note: NoteId,
    pub text: String,
    pub readers: Readers,
    pub pinned_to: Option<Pin>,
}

impl Note {
    /// The first line, shortened to fit a list.
    pub fn title(&self) -> Cow<'_, str> {
        const WIDEST_TITLE: usize = 60;

        let first_line = self.text.lines().next().unwrap_or_default();
        fit(first_line.trim_start_matches(['#', ' ']), WIDEST_TITLE)
    }
}

impl Readers {
    /// Names the readers within a sentence: `the GM`, `everybody`, `Mira and Rook`.
    pub fn describe(&self, gm: &str) -> String {
        match self {
            Self::Author => "the author alone".to_owned(),
            Self::Gm => format!("the {gm}"),
            Self::Everybody => "everybody".to_owned(),
            Self::Characters(characters) => {
                let names: Vec<&str> = characters.iter().map(|named| &*named.name).collect();
                join_with_and(&names)
            }
            Self::Seat { name, .. } => name.clone(),
        }
    }

    /// Names the readers if the author chose players. `None` for notes of the author or the GM, and if all names are hidden.
    pub(super) fn chosen_names(&self) -> Option<String> {
        match self {
            Self::Author | Self::Gm => None,
            Self::Characters(characters) if characters.is_empty() => None,
            Self::Everybody | Self::Characters(_) | Self::Seat { .. } => Some(self.describe("GM")),
        }
    }
}

/// Describes a note or a handout in one line of the log.
pub(super) fn describe_note(text: &str, readers: Option<&str>, is_handout: bool) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let text = join(lines, " / ");
    match (is_handout, readers) {
        (true, Some(readers)) => format!("Handout for {readers}: {text}"),
        (true, None) => format!("Handout: {text}"),
        (false, Some(readers)) => format!("Note for {readers}: {text}"),
        (false, None) => text,
    }
}

/// Describes a note or a handout for a screen reader. A long text is shortened.
pub(super) fn describe_note_aloud(text: &str, readers: Option<&str>, is_handout: bool) -> String {
    const LONGEST: usize = 240;

    let lines = text.lines().filter(|line| !line.is_empty());
    let text = join(lines, ". ");
    let text = fit(&text, LONGEST);
    match (is_handout, readers) {
        (true, Some(readers)) => format!("Handed out to {readers}: {text}"),
        (true, None) => format!("Handed out: {text}"),
        (false, Some(readers)) => format!("Noted for {readers}: {text}"),
        (false, None) => format!("Noted: {text}"),
    }
}

impl From<Pin> for EntityRef {
    fn from(pin: Pin) -> Self {
        match pin {
            Pin::Character(id) => Self::Character(id),
            Pin::Clock(id) => Self::Clock(id),
            Pin::Scene(index) => Self::Scene(index),
        }
    }
}

impl Game {
    pub fn note(&self, id: NoteId) -> Option<&Note> {
        self.notes.find(&id, |note| note.id)
    }

    /// The name of the character, clock or scene that a pin refers to. `None` if it was removed.
    pub fn pin_name(&self, pin: Pin) -> Option<&str> {
        match pin {
            Pin::Character(id) => self.character(id).map(|character| &*character.name),
            Pin::Clock(id) => self.clock(id).map(|clock| &*clock.name),
            Pin::Scene(index) => self.scenes.get(index).map(|scene| &*scene.name),
        }
    }

    fn known_note(&self, id: NoteId) -> Result<&Note> {
        self.note(id).ok_or(CommandError::Gone("note"))
    }

    pub(super) fn decide_note(
        &self,
        command: &NoteCommand,
        context: &CommandContext,
    ) -> Result<Event> {
        let text = clean_text(&command.text)?;
        self.check_pin(command.pinned_to)?;
        if self.notes.len() >= MOST_NOTES {
            return Err(refused(format!(
                "this game has {MOST_NOTES} notes, which is the limit; delete one first"
            )));
        }

        let Author { name, seat } = &context.author;
        let mut after = self.clone();
        let note = Note {
            id: NoteId(after.take_id()),
            text: text.clone(),
            author: name.clone(),
            seat: *seat,
            written: context.at,
            readers: command.readers.clone(),
            handout: command.handout,
            read_by: Vec::new(),
            pinned_to: command.pinned_to,
            about: command.about,
        };
        after.notes.push(note);

        let act = EventKind::Noted {
            text,
            about: command.about,
            readers: Some(command.readers.clone()),
            handout: command.handout,
        };
        Ok(self.event(act, &after))
    }

    pub(super) fn decide_edit_note(&self, command: &EditNoteCommand) -> Result<Event> {
        let text = clean_text(&command.text)?;
        self.check_pin(command.pinned_to)?;
        let before = self.known_note(command.note)?;

        let mut edits = Vec::new();
        if text != before.text {
            edits.push("new text".to_owned());
        }
        if command.readers != before.readers {
            let gm = self.system.spec().gm;
            edits.push(format!("for {}", command.readers.describe(gm)));
        }
        if command.pinned_to != before.pinned_to {
            edits.push(match command.pinned_to.and_then(|pin| self.pin_name(pin)) {
                Some(name) => format!("pinned to {name}"),
                None => "no longer pinned".to_owned(),
            });
        }

        let mut after = self.clone();
        let note = after.note_mut(command.note)?;
        note.text = text;
        note.readers = command.readers.clone();
        note.pinned_to = command.pinned_to;
        let title = format!("Note {}", before.title());
        self.edit_event(EntityKind::Note, &title, edits.join(", "), &after)
    }

    /// Marks a handout as read by the seat that acts.
    pub(super) fn decide_read_note(&self, id: NoteId, context: &CommandContext) -> Result<Event> {
        let seat = context.author.seat;
        if self.known_note(id)?.read_by.contains(&seat) {
            return Err(CommandError::Unchanged);
        }

        let mut after = self.clone();
        after.note_mut(id)?.read_by.push(seat);
        Ok(self.event(EventKind::HandoutRead, &after))
    }

    pub(super) fn decide_remove_note(&self, id: NoteId) -> Result<Event> {
        let name = self.known_note(id)?.title().into_owned();
        let mut after = self.clone();
        after.notes.retain(|note| note.id != id);
        let kind = EntityKind::Note;
        Ok(self.event(EventKind::Removed { kind, name }, &after))
    }

    /// Replaces the lines and veils, if they have not changed since `was` was read.
    pub(super) fn decide_lines_and_veils(&self, was: Option<&str>, text: &str) -> Result<Event> {
        if was.is_some_and(|was| was != self.lines_and_veils) {
            return Err(refused(
                "another seat changed the lines and veils while you wrote; read them again, then add yours",
            ));
        }

        let text = if text.trim().is_empty() {
            String::new()
        } else {
            clean_text(text)?
        };
        let mut after = self.clone();
        after.lines_and_veils = text;
        if after.lines_and_veils == self.lines_and_veils {
            return Err(CommandError::Unchanged);
        }
        Ok(self.event(EventKind::LinesAndVeils, &after))
    }

    fn check_pin(&self, pin: Option<Pin>) -> Result<()> {
        match pin {
            Some(pin) if self.pin_name(pin).is_none() => {
                Err(CommandError::Gone(EntityRef::from(pin).word()))
            }
            _ => Ok(()),
        }
    }

    fn note_mut(&mut self, id: NoteId) -> Result<&mut Note> {
        let note = self.notes.find_mut(&id, |note| note.id);
        note.ok_or(CommandError::Gone("note"))
    }
}

/// Returns the event that notes that a log entry has no further effects. The list of notes does not show it.
pub(super) fn decline_follow_ups(entry: u64) -> Event {
    let note = EventKind::Noted {
        text: NOTHING_FOLLOWS.to_owned(),
        about: Some(entry),
        readers: None,
        handout: false,
    };
    Event::new(note, Vec::new())
}

/// Replaces unsafe characters of a text and removes blank lines around it. Refuses an empty text, or one that is too long.
fn clean_text(text: &str) -> Result<String> {
    let trimmed = text.trim();
    let length = trimmed.chars().count();
    if length > LONGEST_HANDOUT {
        return Err(refused(format!(
            "the text has {length} characters; a note has at most {LONGEST_HANDOUT}, so split it into several notes"
        )));
    }

    let safe_lines = trimmed
        .lines()
        .map(|line| sanitise(line.trim_end(), LONGEST_HANDOUT));
    let safe_text = join(safe_lines, "\n");
    if safe_text.is_empty() {
        return Err(CommandError::Unchanged);
    }
    Ok(safe_text)
}
