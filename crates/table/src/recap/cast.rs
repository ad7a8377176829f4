//! The reader of a recap, and the characters that took part.

use serde::Serialize;

use super::Roller;
use super::characters::is_in_party;
use crate::{SeatRole, SeatView};

/// The seat that a recap is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RecapReader {
    /// The name of the player. Empty if the recap is for all players.
    pub name: String,
    /// The names of the characters that the seat plays.
    pub plays: Vec<String>,
}

/// A character of the party that rolled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct CastMember {
    pub character: String,
    /// The name of the player. Empty if it is unknown.
    pub player: String,
}

/// Returns the reader of a recap. `None` if the reader is the GM.
pub(super) fn find_reader(view: &SeatView<'_>) -> Option<RecapReader> {
    let seat = view.seat();
    if seat.sees_all() {
        return None;
    }
    let is_player = seat.role == SeatRole::Player;
    let own = view
        .roster()
        .filter(|character| seat.characters.contains(&character.id));
    Some(RecapReader {
        name: if is_player {
            seat.name.clone()
        } else {
            String::new()
        },
        plays: own.map(|character| character.name.clone()).collect(),
    })
}

/// The characters of the party that rolled, with the names of their players.
pub(super) fn find_cast(view: &SeatView<'_>, rollers: &[Roller]) -> Vec<CastMember> {
    view.roster()
        .filter(|character| is_in_party(view, character.id))
        .filter(|character| rollers.iter().any(|roller| roller.who == character.name))
        .map(|character| CastMember {
            character: character.name.clone(),
            player: character.player.clone(),
        })
        .collect()
}
