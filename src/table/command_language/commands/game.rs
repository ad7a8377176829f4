//! Scenes, house rules, notes, and what was done.

use super::super::slots::gone;
use super::super::{CommandSpec, command};
use crate::session::{Command, PrepareCommand, Subject};
use crate::table::Act;

pub(in super::super) const COMMANDS: &[CommandSpec] = &[
    command(
        "prepare THINGS… as NAME [~and away]",
        "keeps copies of characters and clocks as a scene to be brought; away takes them off the table",
        "prepare Goblin, Goblin 2 and The alarm as The ambush away",
        |slots, _| {
            let command = Command::PrepareScene(PrepareCommand {
                name: slots.name.clone(),
                notes: String::new(),
                characters: slots.characters().collect(),
                clocks: slots.clocks().collect(),
                put_away: slots.has("away"),
            });
            Ok(command.into())
        },
    ),
    command(
        "bring ~scene SCENE",
        "brings a prepared scene, hidden until it is revealed",
        "bring The ambush",
        |slots, _| Ok(Command::BringScene(slots.scene()?).into()),
    ),
    command(
        "reveal scene SCENE",
        "shows everything that a prepared scene brought",
        "reveal scene The ambush",
        |slots, _| Ok(Command::RevealScene(slots.scene()?).into()),
    ),
    command(
        "drop scene SCENE",
        "forgets a prepared scene; what it brought stays",
        "drop scene The ambush",
        |slots, _| Ok(Command::Remove(Subject::Prepared(slots.scene()?)).into()),
    ),
    command(
        "undo",
        "takes back the last change, whatever it was",
        "undo",
        |_, _| Ok(Act::Undo),
    )
    .key("undo"),
    command("redo", "does again what was taken back", "redo", |_, _| {
        Ok(Act::Redo)
    })
    .key("redo"),
    command(
        "next|new scene [NAME]",
        "ends the scene and begins the next",
        "next scene The warehouse",
        |slots, _| {
            let name = slots.name.clone();
            Ok(Command::NextScene { name }.into())
        },
    ),
    command(
        "end ~the session",
        "ends the session, and resets what the rules reset",
        "end session",
        |_, _| Ok(Command::EndSession.into()),
    )
    .key("end-session"),
    command(
        "note [about ENTRY] TEXT",
        "takes a note, about an entry of the log or by itself",
        "note about 12 the rope held",
        |slots, _| {
            let (text, about) = (slots.text.clone(), slots.entry);
            Ok(Command::Note { text, about }.into())
        },
    ),
    command(
        "strike ENTRY [WHY]",
        "strikes an entry of the log and returns what followed from it",
        "strike 12 wrong character",
        |slots, _| {
            Ok(Act::Strike {
                entry: slots.entry.ok_or(gone("entry"))?,
                reason: slots.text.clone(),
            })
        },
    ),
    command(
        "house ~rule NAME VALUE",
        "decides a house rule; `tableside systems SYSTEM` lists them",
        "house ones any",
        |slots, seen| {
            let mut known = seen.system().spec().house.iter();
            let known = known.find(|known| known.id == slots.name.to_lowercase());
            let command = Command::SetHouse {
                rule: known
                    .map_or(slots.name.as_str(), |known| known.id)
                    .to_owned(),
                value: slots.text.to_lowercase(),
            };
            Ok(command.into())
        },
    ),
];
