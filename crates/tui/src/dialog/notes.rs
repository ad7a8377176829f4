//! The list of notes and handouts that a seat may read, newest first, and the dialogs that show a single note.

use crate::dialog::button_row::{Button, ButtonRow};
use crate::dialog::note_form::{edit_note_form, note_form, share_form};
use crate::dialog::note_readers::describe_pin;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row, RowId, filter_line,
    lines_and_veils_form, markdown_blocks,
};
use crate::{Action, Context, Zone};
use tableside_game::{Command, EntityRef, Note, NoteId, Readers, SeatId};
use tableside_table::{Act, ListedSeat, Seat, SeatRole, SeatView};
use tableside_text::{fold, is_same_name, join_with_and};

/// The list of notes, with the text of the note under the cursor.
struct NotesDialog {
    zone: Zone,
}

/// Opens the list of the notes that the seat may read.
pub fn notes_form(zone: Zone, view: &SeatView<'_>) -> Dialog {
    let form = Form::empty("Notes and handouts")
        .wide()
        .with_context(Context::Notes, &[]);
    Dialog::new(form, NotesDialog { zone }, view)
}

fn id_of(note: &Note) -> RowId {
    RowId::Nth("written note", note.id.0)
}

/// Returns the note under the cursor.
fn focused<'a>(form: &Form, view: &SeatView<'a>) -> Option<&'a Note> {
    let focused = form.focused()?;
    view.written_notes().find(|note| id_of(note) == focused)
}

/// Returns true if the seat wrote the note. On a covered screen, no note is the seat's own.
fn is_own(note: &Note, view: &SeatView<'_>) -> bool {
    note.seat == view.seat().id && note.seat != SeatId::NOBODY
}

fn remove_act(note: &Note) -> Act {
    Command::Remove(EntityRef::Note(note.id)).into()
}

fn may_change(note: &Note, view: &SeatView<'_>) -> bool {
    view.may(&remove_act(note))
}

/// Describes the readers of a note from the point of view of the seat.
fn describe_readers(note: &Note, view: &SeatView<'_>) -> String {
    let is_own = is_own(note, view);
    let is_gm = view.seat().sees_all();
    match &note.readers {
        Readers::Author if is_own => "only you".to_owned(),
        Readers::Gm if is_own && is_gm => "only you".to_owned(),
        readers => readers.describe(view.system().spec().gm),
    }
}

/// Describes a note in one line: `handout for Mira`, `by Bo, for everybody`.
fn describe(note: &Note, view: &SeatView<'_>) -> String {
    let readers = describe_readers(note, view);
    let kind = if note.handout { "handout " } else { "" };
    if is_own(note, view) {
        format!("{kind}for {readers}")
    } else {
        format!("{kind}by {}, for {readers}", note.author)
    }
}

/// Returns true if the text of a note or its description contains the search text.
fn matches(note: &Note, search: &str, view: &SeatView<'_>) -> bool {
    let mut text = format!("{} {} ", note.text, describe(note, view));
    if let Some(pin) = note.pinned_to {
        text.push_str(&describe_pin(pin, view));
    }
    fold(&text).contains(search)
}

/// Returns the rows of the notes that match the search text, newest first.
fn note_rows(search: &str, view: &SeatView<'_>) -> Vec<Row> {
    let folded_search = fold(search);
    let mut rows = Vec::new();
    for note in view.written_notes().rev() {
        if matches(note, &folded_search, view) {
            rows.push(note_row(note, view));
        }
    }
    rows
}

fn note_row(note: &Note, view: &SeatView<'_>) -> Row {
    let title = note.title().into_owned();
    let row = Row::item(id_of(note), title, describe(note, view));
    match note.pinned_to {
        Some(pin) => row.beside(format!("on {}", describe_pin(pin, view))),
        None => row,
    }
}

impl DialogSpec for NotesDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        use Action::{DeleteNote, Edit, Filter, LinesAndVeils, Note, Read, Share};

        form.lay_out(note_rows(&form.caption.filter, view));
        form.empty_text = if form.caption.filter.is_empty() {
            "There are no notes yet. ⟨note⟩ writes one; ⟨lines-and-veils⟩ shows the lines and veils."
        } else {
            "No note matches."
        };
        form.keys.hinted_actions = match focused(form, view) {
            None => &[Note, Filter, LinesAndVeils],
            Some(note) if may_change(note, view) => {
                &[Read, Edit, Share, DeleteNote, Note, Filter, LinesAndVeils]
            }
            Some(_) => &[Read, Note, Filter, LinesAndVeils],
        };
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let action = event.try_as_action_ref()?;
        form.problem = None;
        let done = match action {
            Action::Filter => {
                let line = filter_line(
                    &form.caption.filter,
                    "words of a note, its author or its readers",
                );
                DialogAction::open(line)
            }
            Action::Close if !form.caption.filter.is_empty() => {
                form.caption.filter.clear();
                DialogAction::Stay
            }
            Action::Note => write_note(form, view),
            Action::LinesAndVeils => {
                let dialog = lines_and_veils_form(view);
                DialogAction::open(dialog)
            }
            Action::Read => {
                let note = focused(form, view)?;
                open_note(note, self.zone, view)
            }
            Action::Edit | Action::Share | Action::DeleteNote => {
                let note = focused(form, view)?;
                change(*action, note, form, view)
            }
            _ => return None,
        };
        Some(done)
    }

    /// A click on the row in focus opens its note.
    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let Some(note) = focused(form, view) else {
            return Ok(DialogAction::Stay);
        };
        Ok(open_note(note, self.zone, view))
    }

    fn blocks(&self, form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        match focused(form, view) {
            Some(note) => note_blocks(note, self.zone, view),
            None => Vec::new(),
        }
    }
}

/// Opens the form of a new note, if the seat may write notes.
fn write_note(form: &mut Form, view: &SeatView<'_>) -> DialogAction {
    if view.is_view() || view.role() == SeatRole::Watcher {
        form.problem = Some("watchers cannot write notes".to_owned());
        return DialogAction::Stay;
    }
    let dialog = note_form(None, None, view);
    DialogAction::open(dialog)
}

/// Edits, shares or deletes a note, if the seat may.
fn change(action: Action, note: &Note, form: &mut Form, view: &SeatView<'_>) -> DialogAction {
    if !may_change(note, view) {
        let gm = view.system().spec().gm;
        let author = &note.author;
        form.problem = Some(format!("only {author} and the {gm} can change this note"));
        return DialogAction::Stay;
    }

    let dialog = match action {
        Action::Edit => edit_note_form(note, view),
        Action::Share => share_form(note, view),
        _ => return DialogAction::Submit(remove_act(note)),
    };
    DialogAction::open(dialog)
}

/// Returns a note as blocks: a line about it, its text, and for the GM the seats that have read a handout.
fn note_blocks(note: &Note, zone: Zone, view: &SeatView<'_>) -> Vec<Block> {
    let kind = if note.handout { "Handout" } else { "Note" };
    let author = if is_own(note, view) {
        "you"
    } else {
        &note.author
    };
    let written = zone.day_and_time(note.written);
    let readers = describe_readers(note, view);
    let mut about = format!("{kind} by {author}, {written}, for {readers}");
    if let Some(pin) = note.pinned_to {
        let pinned_to = describe_pin(pin, view);
        about.push_str(&format!(", pinned to {pinned_to}"));
    }

    let mut blocks = vec![Block::muted(about)];
    if note.handout && view.seat().sees_all() {
        blocks.push(Block::muted(describe_reading(note, view)));
    }
    blocks.push(Block::Gap);
    blocks.extend(markdown_blocks(&note.text));
    blocks
}

/// Describes which seats have read a handout, and which have not.
fn describe_reading(note: &Note, view: &SeatView<'_>) -> String {
    let mut readers: Vec<&str> = Vec::new();
    let mut non_readers: Vec<&str> = Vec::new();
    for seat in view.listed().unwrap_or_default() {
        if !is_reader(seat, note, view) {
            continue;
        }
        if note.read_by.contains(&seat.id) {
            readers.push(&seat.name);
        } else {
            non_readers.push(&seat.name);
        }
    }

    let read_count = note.read_by.len();
    let read_names = join_with_and(&readers);
    let unread_names = join_with_and(&non_readers);
    match (readers.is_empty(), non_readers.is_empty()) {
        (true, true) if read_count == 0 => "Not read yet.".to_owned(),
        (true, true) => format!("Read by {read_count} of its readers."),
        (false, true) => format!("Read by {read_names}."),
        (true, false) => format!("Not read yet by {unread_names}."),
        (false, false) => format!("Read by {read_names}, not yet by {unread_names}."),
    }
}

/// Returns true if a handout is for this seat.
fn is_reader(listed: &ListedSeat, note: &Note, view: &SeatView<'_>) -> bool {
    let mut seat = Seat::new(listed.id, &listed.name, listed.role);
    for character in view.roster() {
        let is_played = listed
            .characters
            .iter()
            .any(|played| is_same_name(played, &character.name));
        if is_played {
            seat.characters.push(character.id);
        }
    }
    !seat.sees_all() && seat.reads_note(note)
}

/// Shows the whole text of a note.
struct NoteText {
    note: NoteId,
    zone: Zone,
}

impl NoteText {
    fn find<'a>(&self, view: &SeatView<'a>) -> Option<&'a Note> {
        view.written_notes().find(|note| note.id == self.note)
    }
}

fn open_note(note: &Note, zone: Zone, view: &SeatView<'_>) -> DialogAction {
    let mut form = Form::empty(note.title().into_owned()).wide();
    form.copyable_text = Some(note.text.clone());
    let spec = NoteText {
        note: note.id,
        zone,
    };
    DialogAction::open(Dialog::new(form, spec, view))
}

impl DialogSpec for NoteText {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        // The title and the copied text must not outlive the right to read the note.
        let note = self.find(view);
        form.title = match note {
            Some(note) => note.title().into_owned(),
            None => "Note".to_owned(),
        };
        form.copyable_text = note.map(|note| note.text.clone());
    }

    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        match self.find(view) {
            Some(note) => note_blocks(note, self.zone, view),
            None => vec![Block::muted("This note was deleted.")],
        }
    }
}

/// Shows a handout on a reader's screen until it is marked as read.
struct Handout(NoteText);

/// Returns the dialog of an unread handout. `waiting` is the number of all unread handouts.
pub(crate) fn handout_dialog(
    note: &Note,
    waiting: usize,
    zone: Zone,
    view: &SeatView<'_>,
) -> Dialog {
    let mut form = Form::empty("A handout for you").wide();
    if waiting > 1 {
        form.caption.note = format!("1 of {waiting}");
    }
    form.copyable_text = Some(note.text.clone());
    form.buttons = ButtonRow::new(vec![Button::new("I have read it", None)]);
    let text = NoteText {
        note: note.id,
        zone,
    };
    Dialog::new(form, Handout(text), view)
}

impl DialogSpec for Handout {
    fn unread_handout(&self) -> Option<NoteId> {
        Some(self.0.note)
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        _form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        if *event == DialogEvent::Action(Action::Close) {
            Some(DialogAction::ReadHandout(self.0.note))
        } else {
            None
        }
    }

    fn press(&mut self, _button: usize, _form: &mut Form, _view: &SeatView<'_>) -> DialogAction {
        DialogAction::ReadHandout(self.0.note)
    }

    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        match self.0.find(view) {
            Some(note) => markdown_blocks(&note.text),
            None => vec![Block::muted("This handout was removed.")],
        }
    }
}
