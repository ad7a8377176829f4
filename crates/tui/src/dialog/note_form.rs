//! The form that writes, edits or shares a note or a handout.

use crate::app::action::{Action, Context};
use crate::dialog::note_readers::{PinRow, READERS, ReaderRows};
use crate::dialog::text_lines::{TextLines, text_of};
use crate::dialog::{Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row};
use tableside_game::{
    Command, EditNoteCommand, LONGEST_HANDOUT, Note, NoteCommand, NoteId, Pin, Readers,
};
use tableside_table::SeatView;

/// The id of the row that makes a note a handout.
const HANDOUT: &str = "handout";

const LINES: TextLines = TextLines {
    label: "Note",
    hint: "the text of the note",
    help: "You can use Markdown headings (# …), lists (- …) and **bold**. ⟨new-line⟩ starts a new line.",
    longest: LONGEST_HANDOUT,
    is_needed: true,
};

/// The note that the form writes.
enum NoteTarget {
    /// A new note about a log entry, if `about` is an entry.
    New {
        about: Option<u64>,
    },
    NewHandout,
    Existing(NoteId),
}

struct NoteForm {
    target: NoteTarget,
    readers: ReaderRows,
    pin: PinRow,
}

/// Returns the form for a new note. `about` is the log entry that the note is about.
///
/// `under_cursor` is the first entity that the note can be pinned to.
pub fn note_form(about: Option<u64>, under_cursor: Option<Pin>, view: &SeatView<'_>) -> Dialog {
    let tag = about.map(|entry| view.tag(entry));
    let title = match tag.as_deref() {
        None => "Note".to_owned(),
        Some("") => "Note on this entry".to_owned(),
        Some(tag) => format!("Note on {tag}"),
    };

    let spec = NoteForm {
        target: NoteTarget::New { about },
        readers: ReaderRows::new(view.seat().default_readers(), view),
        pin: PinRow::new(None, under_cursor, view),
    };
    open(title, "", spec, view)
}

/// Returns the form for a new handout with this text. All players read it unless other readers are chosen.
pub fn handout_form(text: &str, under_cursor: Option<Pin>, view: &SeatView<'_>) -> Dialog {
    let spec = NoteForm {
        target: NoteTarget::NewHandout,
        readers: ReaderRows::new(Readers::Everybody, view),
        pin: PinRow::new(None, under_cursor, view),
    };
    open("Handout".to_owned(), text, spec, view).with_submit_label("hand out")
}

/// Returns the form that edits a note.
pub(super) fn edit_note_form(note: &Note, view: &SeatView<'_>) -> Dialog {
    let kind = if note.handout { "handout" } else { "note" };
    let title = format!("Edit {kind}: {}", note.title());
    let spec = NoteForm {
        target: NoteTarget::Existing(note.id),
        readers: ReaderRows::new(note.readers.clone(), view),
        pin: PinRow::new(note.pinned_to, None, view),
    };
    open(title, &note.text, spec, view)
}

fn open(title: String, text: &str, spec: NoteForm, view: &SeatView<'_>) -> Dialog {
    let hints = &[
        Action::Submit,
        Action::NewLine,
        Action::NextField,
        Action::Editor,
    ];
    let form = Form::new(title, LINES.rows(text)).wide();
    let mut form = form.with_context(Context::Note, hints);
    form.has_preview = true;
    Dialog::new(form, spec, view)
}

impl DialogSpec for NoteForm {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        let mut rows = LINES.rows_again(form);
        rows.extend(self.readers.rows(form, view));
        rows.push(self.pin.row(view));

        let is_handout = self.is_handout(form);
        let is_new = matches!(self.target, NoteTarget::New { .. });
        if is_new && view.seat().sees_all() {
            let row = Row::flag(HANDOUT, "Handout", false);
            rows.push(row.help("A handout appears at once on the screens of its readers."));
        }
        form.lay_out(rows);

        let has_no_players = is_handout && self.readers.is_private(form);
        let problem = if has_no_players {
            Some("choose the players for the handout".to_owned())
        } else {
            self.readers.chosen(form, view).err()
        };
        set_reader_problem(form, problem);
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        LINES.handle(event, form)
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let text = text_of(form);
        let readers = self.readers.chosen(form, view)?;
        let pinned_to = self.pin.chosen(form);

        let command = match self.target {
            NoteTarget::New { .. } | NoteTarget::NewHandout => Command::Note(NoteCommand {
                text,
                readers,
                handout: self.is_handout(form),
                pinned_to,
                about: self.about(),
            }),
            NoteTarget::Existing(note) => Command::EditNote(EditNoteCommand {
                note,
                text,
                readers,
                pinned_to,
            }),
        };
        Ok(DialogAction::SubmitAndReturn(command.into()))
    }
}

impl NoteForm {
    fn is_handout(&self, form: &Form) -> bool {
        matches!(self.target, NoteTarget::NewHandout) || form.is_on(HANDOUT)
    }

    /// Returns the log entry that a new note is about.
    fn about(&self) -> Option<u64> {
        match self.target {
            NoteTarget::New { about } => about,
            NoteTarget::NewHandout | NoteTarget::Existing(_) => None,
        }
    }
}

fn set_reader_problem(form: &mut Form, problem: Option<String>) {
    if let Some(row) = form.shown_row_mut(READERS) {
        row.problem = problem;
    }
}

/// Returns the form that changes only the readers of a note.
pub(super) fn share_form(note: &Note, view: &SeatView<'_>) -> Dialog {
    let readers = ReaderRows::new(note.readers.clone(), view);
    let rows = readers.rows(&Form::default(), view);
    let title = format!("Readers of {}", note.title());
    let spec = ShareForm {
        note: note.id,
        readers,
    };
    let form = Form::new(title, rows).with_submit_label("share");
    Dialog::new(form, spec, view)
}

struct ShareForm {
    note: NoteId,
    readers: ReaderRows,
}

impl DialogSpec for ShareForm {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        form.lay_out(self.readers.rows(form, view));
        let problem = self.readers.chosen(form, view).err();
        set_reader_problem(form, problem);
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        let mut notes = view.written_notes();
        let note = notes
            .find(|note| note.id == self.note)
            .ok_or("the note was deleted")?;

        let command = Command::EditNote(EditNoteCommand {
            note: note.id,
            text: note.text.clone(),
            readers: self.readers.chosen(form, view)?,
            pinned_to: note.pinned_to,
        });
        Ok(DialogAction::SubmitAndReturn(command.into()))
    }
}
