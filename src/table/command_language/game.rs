//! Scenes, house rules, notes, and what was done.

use super::spec::{CommandSpec, command};
use crate::session::{Command, CommandError, PrepareCommand, Subject};
use crate::table::{Act, SeatId};

/// So many changes are taken back at once.
const MOST_UNDONE: i32 = 100;

pub(super) const COMMANDS: &[CommandSpec] = &[
    command(
        "prepare THINGS… as NAME [~and away] — keeps copies of characters and clocks as a scene to be brought; away takes them off the table",
        |it| {
            let command = Command::PrepareScene(PrepareCommand {
                name: it.name.clone(),
                notes: String::new(),
                characters: it.characters().collect(),
                clocks: it.clocks().map(|clock| clock.id).collect(),
                put_away: it.has("away"),
            });
            Ok(command.into())
        },
    ),
    command(
        "bring ~scene SCENE — brings a prepared scene, hidden until it is revealed",
        |it| it.scene(Command::BringScene),
    ),
    command(
        "reveal scene SCENE — shows everything that a prepared scene brought",
        |it| it.scene(Command::RevealScene),
    ),
    command(
        "drop scene SCENE — forgets a prepared scene; what it brought stays",
        |it| it.scene(|id| Command::Remove(Subject::Prepared(id))),
    ),
    command(
        "undo — takes back the last change, whatever it was",
        |_| Ok(Act::Undo),
    )
    .key("undo"),
    command(
        "undo AMOUNT — takes back so many changes, the newest first",
        |it| {
            let count = it.amount().clamp(1, MOST_UNDONE).unsigned_abs();
            Ok(Act::UndoSeveral(count))
        },
    ),
    command("redo — does again what was taken back", |_| Ok(Act::Redo)).key("redo"),
    command(
        "next|new scene [NAME] — ends the scene and begins the next",
        |it| {
            let name = it.name.clone();
            Ok(Command::NextScene { name }.into())
        },
    ),
    command(
        "scene ~is NAME — ends the scene and begins the next, of that name",
        |it| {
            let name = it.name.clone();
            Ok(Command::NextScene { name }.into())
        },
    ),
    command(
        "end ~the session — ends the session, and resets what the rules reset",
        |_| Ok(Command::EndSession.into()),
    )
    .key("end-session"),
    command(
        "take ~the new rules [from NAME] — plays on by a rule system's changed file, or by that of this name or path; values that it does not know are kept",
        |it| {
            let seat = it.seen.seat();
            let refused = match (
                seat.sees_all(),
                seat.id == SeatId::HOST || it.name.is_empty(),
            ) {
                (true, true) => None,
                (true, false) => {
                    Some("a file of rules is named at the machine that has it".to_owned())
                }
                (false, _) => Some(format!(
                    "only the {} takes new rules",
                    it.seen.system().spec().gm
                )),
            };
            if let Some(what) = refused {
                return Err(CommandError::NotAllowed(what).into());
            }
            let system = it.seen.rules_to_take(&it.name)?;
            let from = it.name.clone();
            Ok(Command::TakeRules { system, from }.into())
        },
    ),
    command(
        "note [about ENTRY] TEXT — takes a note, about an entry of the log or by itself",
        |it| {
            let (text, about) = (it.text.clone(), it.entry);
            Ok(Command::Note { text, about }.into())
        },
    ),
    command(
        "strike ENTRY [WHY] — strikes an entry of the log and returns what followed from it",
        |it| {
            let (entry, reason) = (it.entry()?, it.text.clone());
            Ok(Act::Strike { entry, reason })
        },
    ),
    command(
        "house ~rule NAME VALUE — decides a house rule; `tableside systems SYSTEM` lists them",
        |it| {
            let (rule, value) = (it.name.to_lowercase(), it.text.to_lowercase());
            Ok(Command::SetHouse { rule, value }.into())
        },
    ),
];
