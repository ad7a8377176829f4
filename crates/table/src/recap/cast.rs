//! The reader of a recap, and the characters that took part.

use std::collections::BTreeSet;

use serde::Serialize;

use super::characters::is_in_party;
use super::{RecapScope, Roller};
use crate::{SeatRole, SeatView};
use tableside_game::{Allegiance, Change, CharacterId, EntityRef};

/// The seat that a recap is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct RecapReader {
    /// The name of the player. Empty if the recap is for all players.
    pub name: String,
    /// The names of the characters that the seat plays.
    pub plays: Vec<String>,
}

/// A character of the party that took part.
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

/// The characters of the party that took part, with the names of their players.
///
/// A character took part if it rolled, or if it was there: not absent, and not added after the entries of the recap.
pub(super) fn find_cast(
    view: &SeatView<'_>,
    rollers: &[Roller],
    scope: &RecapScope,
) -> Vec<CastMember> {
    let added_later: BTreeSet<CharacterId> = view
        .log_since(scope.range.last.saturating_add(1))
        .flat_map(|entry| entry.event.changes.clone())
        .filter_map(|change| added_character(&change))
        .collect();

    let mut cast = Vec::new();
    for character in view.roster() {
        let has_rolled = rollers.iter().any(|roller| roller.who == character.name);
        let was_there = !character.absent && !added_later.contains(&character.id);
        let is_party_member = character.side == Allegiance::Party;
        if is_in_party(view, character.id) && (has_rolled || is_party_member && was_there) {
            cast.push(CastMember {
                character: character.name.clone(),
                player: character.player.clone(),
            });
        }
    }
    cast
}

/// Returns the character that a change added.
pub(super) fn added_character(change: &Change) -> Option<CharacterId> {
    match change.entity {
        EntityRef::Character(who) if change.is_addition() => Some(who),
        _ => None,
    }
}
