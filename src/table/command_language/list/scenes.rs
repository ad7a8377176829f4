//! Scenes that are prepared, and brought.

use super::{Made, gone, phrase};
use crate::session::{CharacterId, ClockId, Command, PreparedId};
use crate::table::SeatView;
use crate::table::command_language::said::{Parsed, Thing};
use crate::table::command_language::{ParseError, Phrase, Place};

const HERE: Place = Place::Game;

pub(super) const PHRASES: &[Phrase] = &[
    phrase(
        HERE,
        "prepare THINGS… as NAME [~and away]",
        "keeps copies of characters and clocks as a scene to be brought; away takes them off the table",
        "prepare Goblin, Goblin 2 and The alarm as The ambush away",
        prepare,
    ),
    phrase(
        HERE,
        "bring ~scene SCENE",
        "brings a prepared scene, hidden until it is revealed",
        "bring The ambush",
        bring,
    ),
    phrase(
        HERE,
        "reveal scene SCENE",
        "shows everything that a prepared scene brought",
        "reveal scene The ambush",
        reveal,
    ),
    phrase(
        HERE,
        "drop scene SCENE",
        "forgets a prepared scene; what it brought stays",
        "drop scene The ambush",
        forget,
    ),
];

fn prepare(said: &Parsed, _: &SeatView<'_>) -> Made {
    let things = said.things().iter();
    let characters: Vec<CharacterId> = things
        .clone()
        .filter_map(|thing| match thing {
            Thing::Character(id) => Some(*id),
            Thing::Clock(_) | Thing::Pool(_) => None,
        })
        .collect();
    let clocks: Vec<ClockId> = things
        .filter_map(|thing| match thing {
            Thing::Clock(id) => Some(*id),
            Thing::Character(_) | Thing::Pool(_) => None,
        })
        .collect();
    if characters.is_empty() && clocks.is_empty() {
        return Err(gone("character"));
    }
    let command = Command::PrepareScene {
        name: said.text("NAME").to_owned(),
        notes: String::new(),
        characters,
        clocks,
        put_away: said.has("away"),
    };
    Ok(command.into())
}

fn scene(said: &Parsed) -> Result<PreparedId, ParseError> {
    said.scene().ok_or(gone("prepared scene"))
}

fn bring(said: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(Command::BringScene(scene(said)?).into())
}

fn reveal(said: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(Command::RevealScene(scene(said)?).into())
}

fn forget(said: &Parsed, _: &SeatView<'_>) -> Made {
    Ok(Command::RemovePrepared(scene(said)?).into())
}
