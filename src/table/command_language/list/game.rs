//! Scenes, house rules, notes, and what was done.

use super::{Made, gone, phrase};
use crate::session::Command;
use crate::table::command_language::said::Parsed;
use crate::table::command_language::{Phrase, Place};
use crate::table::{Act, SeatView};

const HERE: Place = Place::Game;

pub(super) const PHRASES: &[Phrase] = &[
    phrase(
        HERE,
        "undo",
        "takes back the last change, whatever it was",
        "undo",
        undo,
    ),
    phrase(HERE, "redo", "does again what was taken back", "redo", redo),
    phrase(
        HERE,
        "next|new scene [NAME]",
        "ends the scene and begins the next",
        "next scene The warehouse",
        next_scene,
    ),
    phrase(
        HERE,
        "end ~the session",
        "ends the session, and resets what the rules reset",
        "end session",
        end_session,
    ),
    phrase(
        HERE,
        "note about ENTRY TEXT",
        "takes a note about an entry of the log",
        "note about 12 the rope held",
        note_about,
    ),
    phrase(
        HERE,
        "note TEXT",
        "takes a note",
        "note The rope held",
        note,
    ),
    phrase(
        HERE,
        "strike ENTRY [WHY]",
        "strikes an entry of the log and returns what followed from it",
        "strike 12 wrong character",
        strike,
    ),
    phrase(
        HERE,
        "house ~rule NAME VALUE",
        "decides a house rule; `tableside systems SYSTEM` lists them",
        "house ones any",
        house,
    ),
];

fn undo(_: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(Act::Undo)
}

fn redo(_: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(Act::Redo)
}

fn next_scene(said: &Parsed, _: &SeatView<'_>) -> Made {
    let name = said.text("NAME").to_owned();
    Ok(Command::NextScene { name }.into())
}

fn end_session(_: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(Command::EndSession.into())
}

fn note(said: &Parsed, _: &SeatView<'_>) -> Made {
    let text = said.text("TEXT").to_owned();
    Ok(Command::Note { text, about: None }.into())
}

fn note_about(said: &Parsed, _: &SeatView<'_>) -> Made {
    let command = Command::Note {
        text: said.text("TEXT").to_owned(),
        about: said.entry(),
    };
    Ok(command.into())
}

fn strike(said: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(Act::Strike {
        entry: said.entry().ok_or(gone("entry"))?,
        reason: said.text("WHY").to_owned(),
    })
}

fn house(said: &Parsed, seen: &SeatView<'_>) -> Made {
    let rule = said.text("NAME");
    let known = seen.system().spec().house.iter();
    let known = known.clone().find(|known| known.id == rule.to_lowercase());
    let command = Command::SetHouse {
        rule: known.map_or(rule, |known| known.id).to_owned(),
        value: said.text("VALUE").to_lowercase(),
    };
    Ok(command.into())
}
