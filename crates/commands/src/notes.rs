//! Commands for notes and handouts, for the lines and veils, and for a pause.
#![expect(
    clippy::unnecessary_wraps,
    reason = "the functions of all commands have the same type"
)]

use super::readers::look_up_readers;
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec, ParseError};
use tableside_game::{Command, EditNoteCommand, EntityRef, Note, NoteCommand, Readers};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::Note,
        "note [about ENTRY] TEXT",
        "Write a private note; add about ENTRY to refer to an entry of the log",
        note,
    ),
    CommandSpec::new(
        CommandId::Note,
        "note [about ENTRY] for WHOM… [on WHAT] TEXT",
        "Write a note for certain readers: me, gm, all, party, or characters and players by name",
        note_for,
    ),
    CommandSpec::new(
        CommandId::Note,
        "note [about ENTRY] on WHAT [for WHOM…] TEXT",
        "Write a note and pin it to a character, a clock or the scene",
        note_for,
    ),
    CommandSpec::new(
        CommandId::Tell,
        "tell WHOM… TEXT",
        "Show a text to players at once, or, if a player types it, save the text as a note for the named readers, as in: tell Mira You smell smoke",
        tell,
    ),
    CommandSpec::new(
        CommandId::ShareNote,
        "share note NOTE with WHOM…",
        "Let others read a note of yours; NOTE is the beginning of its text, or last for the newest note",
        share_note,
    ),
    CommandSpec::new(
        CommandId::ShareNote,
        "unshare note NOTE",
        "Make a note private again",
        unshare_note,
    ),
    CommandSpec::new(
        CommandId::PinNote,
        "pin note NOTE to/on WHAT",
        "Pin a note to a character, a clock or the scene",
        pin_note,
    ),
    CommandSpec::new(
        CommandId::PinNote,
        "unpin note NOTE",
        "Unpin a note from its character, clock or scene",
        unpin_note,
    ),
    CommandSpec::new(
        CommandId::DeleteNote,
        "delete/remove note NOTE",
        "Delete a note or a handout; undo restores it",
        delete_note,
    ),
    CommandSpec::new(
        CommandId::AddToLinesAndVeils,
        "line TEXT",
        "Add a line, a topic that must not come up in the game; your name is not stored",
        add_line,
    ),
    CommandSpec::new(
        CommandId::AddToLinesAndVeils,
        "veil TEXT",
        "Add a veil, a topic that may only happen off screen; your name is not stored",
        add_veil,
    ),
    CommandSpec::new(
        CommandId::SetLinesAndVeils,
        "set lines ~and ~veils TEXT",
        "Replace the text of the lines and veils",
        set_lines_and_veils,
    ),
    CommandSpec::new(
        CommandId::SetLinesAndVeils,
        "clear lines ~and ~veils",
        "Remove all lines and veils",
        clear_lines_and_veils,
    ),
    CommandSpec::new(
        CommandId::Pause,
        "pause ~the ~game",
        "Ask all players to pause (the X-card); your name is neither shown nor stored",
        pause,
    ),
];

fn note(args: &Args<'_>) -> ActResult {
    refuse_unknown_reader(args)?;
    note_for(args)
}

fn note_for(args: &Args<'_>) -> ActResult {
    let readers = match &args.slots.readers {
        Some(readers) => readers.clone(),
        None => args.view.seat().default_readers(),
    };
    let command = NoteCommand {
        text: args.text().to_owned(),
        readers,
        handout: false,
        pinned_to: args.slots.pin,
        about: args.slots.entry,
    };
    Ok(Command::Note(command).into())
}

/// Refuses a note that begins with `for` and a misspelled name, because the name would become a part of the text.
fn refuse_unknown_reader(args: &Args<'_>) -> Result<(), ParseError> {
    /// The maximum number of words in a reader's name.
    const MAX_WORDS: usize = 8;

    let text_words: Vec<&str> = args.text().split(' ').collect();
    let [first, name_words @ ..] = text_words.as_slice() else {
        return Ok(());
    };
    if !first.eq_ignore_ascii_case("for") {
        return Ok(());
    }

    let mut misspelled = None;
    for length in 1..=name_words.len().min(MAX_WORDS) {
        let name = name_words[..length].join(" ");
        match look_up_readers(&name, args.view) {
            Ok(_) if length == name_words.len() => {
                return Err(ParseError::WrongForm {
                    mistake: "TEXT is missing".to_owned(),
                    form: "note for WHOM… TEXT".to_owned(),
                });
            }
            Err(ParseError::UnknownName {
                kind,
                typed,
                suggestion,
            }) if !suggestion.is_empty() => {
                misspelled = Some(ParseError::UnknownName {
                    kind,
                    typed,
                    suggestion,
                });
            }
            Ok(_) | Err(_) => {}
        }
    }
    match misspelled {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Shows a text to its readers as a handout. A player's text, and a text for the GM or the author alone, becomes a note
/// instead.
fn tell(args: &Args<'_>) -> ActResult {
    let readers = args.slots.readers.clone().unwrap_or_default();
    let is_for_players = !matches!(readers, Readers::Author | Readers::Gm);
    let command = NoteCommand {
        text: args.text().to_owned(),
        handout: args.view.seat().sees_all() && is_for_players,
        readers,
        ..NoteCommand::default()
    };
    Ok(Command::Note(command).into())
}

fn share_note(args: &Args<'_>) -> ActResult {
    let note = args.note()?;
    let readers = match &args.slots.readers {
        Some(readers) => readers.clone(),
        None => note.readers.clone(),
    };
    Ok(edit(EditNoteCommand {
        readers,
        ..unchanged(note)
    }))
}

fn unshare_note(args: &Args<'_>) -> ActResult {
    let note = args.note()?;
    let seat = args.view.seat();
    let readers = if note.seat == seat.id {
        seat.default_readers()
    } else {
        Readers::Gm
    };
    Ok(edit(EditNoteCommand {
        readers,
        ..unchanged(note)
    }))
}

fn pin_note(args: &Args<'_>) -> ActResult {
    Ok(edit(EditNoteCommand {
        pinned_to: args.slots.pin,
        ..unchanged(args.note()?)
    }))
}

fn unpin_note(args: &Args<'_>) -> ActResult {
    Ok(edit(EditNoteCommand {
        pinned_to: None,
        ..unchanged(args.note()?)
    }))
}

fn unchanged(note: &Note) -> EditNoteCommand {
    EditNoteCommand {
        note: note.id,
        text: note.text.clone(),
        readers: note.readers.clone(),
        pinned_to: note.pinned_to,
    }
}

fn edit(command: EditNoteCommand) -> tableside_table::Act {
    Command::EditNote(command).into()
}

fn delete_note(args: &Args<'_>) -> ActResult {
    let note = args.note()?.id;
    Ok(Command::Remove(EntityRef::Note(note)).into())
}

fn add_line(args: &Args<'_>) -> ActResult {
    Ok(add_to_lines_and_veils("Line", args))
}

fn add_veil(args: &Args<'_>) -> ActResult {
    Ok(add_to_lines_and_veils("Veil", args))
}

fn add_to_lines_and_veils(label: &str, args: &Args<'_>) -> tableside_table::Act {
    let present = &args.view.lines_and_veils;
    let added = format!("{label}: {}", args.text());
    let text = if present.is_empty() {
        added
    } else {
        format!("{present}\n{added}")
    };
    replace_lines_and_veils(text, args)
}

fn set_lines_and_veils(args: &Args<'_>) -> ActResult {
    Ok(replace_lines_and_veils(args.text().to_owned(), args))
}

fn clear_lines_and_veils(args: &Args<'_>) -> ActResult {
    Ok(replace_lines_and_veils(String::new(), args))
}

fn replace_lines_and_veils(text: String, args: &Args<'_>) -> tableside_table::Act {
    let was = Some(args.view.lines_and_veils.clone());
    Command::SetLinesAndVeils { was, text }.into()
}

fn pause(_: &Args<'_>) -> ActResult {
    Ok(Command::Pause.into())
}
