//! The opponent of a check: the character whose sheet provides the other side's values.

use crate::dialog::check_form::last_roll;
use tableside_game::{Allegiance, Character, CharacterId, opponent_of};
use tableside_rules::{CheckSpec, Field, ValueSource, Whose};
use tableside_table::SeatView;

/// The number of log entries that are searched for the last opponent.
const MAX_SEARCHED_ENTRIES: usize = 200;

/// Returns the fields whose values come from the opponent's sheet.
pub(super) fn opponents_fields(check: &'static CheckSpec) -> impl Iterator<Item = &'static Field> {
    check
        .fields
        .iter()
        .filter(|field| field.whose == Whose::Opponent && !is_given_at_table(field))
}

/// Returns the possible opponents, those of the other side first. The list is empty if no field comes from an
/// opponent's sheet.
pub(super) fn opponents<'a>(
    check: &'static CheckSpec,
    actor: Option<CharacterId>,
    view: &'a SeatView<'_>,
) -> Vec<&'a Character> {
    let Some(field) = opponents_fields(check).next() else {
        return Vec::new();
    };
    let actor = actor.and_then(|id| view.character(id));
    view.other_characters(actor, field).collect()
}

/// Returns the word for a state in which a character cannot act, such as `dead`, or else the name of its player.
pub(super) fn state_or_player(character: Option<&Character>, view: &SeatView<'_>) -> String {
    let Some(character) = character else {
        return String::new();
    };
    let word = view.grave_word(character);
    word.unwrap_or(&character.player).to_owned()
}

/// Returns the id and the text of the field that names an opponent.
///
/// The text is the opponent's name if their sheet has only one value for the field, and otherwise the highest value.
pub(super) fn opponent_entry(
    opponent: &Character,
    check: &'static CheckSpec,
    actor: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Option<(String, String)> {
    let field = opponents_fields(check).next()?;
    let filled = view.fill(check, actor);

    let mut with_name = filled.clone();
    if view
        .fill_in(&mut with_name, actor, field, &opponent.name)
        .is_ok()
    {
        return Some((field.id.to_owned(), opponent.name.clone()));
    }

    let prefix = format!("{}: ", opponent.name);
    let mut picks = view.picks(actor, field);
    picks.retain(|pick| pick.starts_with(&prefix));
    picks.sort_by_cached_key(|pick| {
        let mut with_pick = filled.clone();
        view.fill_in(&mut with_pick, actor, field, pick).ok()?;
        with_pick.fields.maybe_number(field.id)
    });
    Some((field.id.to_owned(), picks.pop()?))
}

/// Returns the opponent that a new check starts with.
///
/// It is the actor's last opponent that is not down, or else the first character of the other side that is not down.
/// While there are enemies, a check that needs an opponent always has an initial opponent.
pub(super) fn default_opponent(
    check: &'static CheckSpec,
    actor: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Option<CharacterId> {
    let candidates = opponents(check, actor, view);
    let is_down = |character: &Character| view.is_down(character);

    let actor_character = actor.and_then(|id| view.character(id));
    let own_side = actor_character.map_or(Allegiance::Party, |character| character.side);
    let enemies: Vec<&Character> = candidates
        .iter()
        .copied()
        .filter(|candidate| !own_side.is_with(candidate.side))
        .collect();
    let standing_enemy = enemies.iter().find(|enemy| !is_down(enemy));

    // A check with a single value of an opponent, such as a saving throw, often has no opponent.
    let needs_opponent = opponents_fields(check).nth(1).is_some() || check.affects_opponent();
    let first_enemy = if needs_opponent {
        let enemy = standing_enemy.or_else(|| enemies.first());
        enemy.map(|enemy| enemy.id)
    } else {
        None
    };

    let is_candidate = |id: &CharacterId| candidates.iter().any(|known| known.id == *id);
    let is_enemy = |id: &CharacterId| enemies.iter().any(|enemy| enemy.id == *id);
    let mut last_opponent = opponent_of_last_roll(check, actor, view).filter(is_candidate);
    if last_opponent.is_none() && needs_opponent {
        last_opponent = enemy_of_last_roll(actor, view).filter(is_enemy);
    }
    let last_is_down = last_opponent
        .and_then(|id| view.character(id))
        .is_some_and(is_down);
    if last_is_down && standing_enemy.is_some() && needs_opponent {
        return first_enemy;
    }
    last_opponent.or(first_enemy)
}

/// Returns the opponent of the last roll of this check, if the same character made it.
fn opponent_of_last_roll(
    check: &'static CheckSpec,
    actor: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Option<CharacterId> {
    let entry = last_roll(check, actor, view)?;
    let roll = entry.roll()?;
    if roll.id != actor {
        return None;
    }
    opponent_of(check, &roll.sources)
}

/// Returns the opponent of the newest roll, of any check, that this character made against another character.
fn enemy_of_last_roll(actor: Option<CharacterId>, view: &SeatView<'_>) -> Option<CharacterId> {
    for entry in view.log().take(MAX_SEARCHED_ENTRIES) {
        let Some(roll) = entry.roll() else {
            continue;
        };
        if roll.id != actor || view.is_struck(entry.number) {
            continue;
        }
        if let Ok(check) = roll.spec(view.system())
            && let Some(opponent) = opponent_of(check, &roll.sources)
        {
            return Some(opponent);
        }
    }
    None
}

/// Returns true if the value of a field is decided at the table instead of by a sheet.
pub(super) fn is_given_at_table(field: &Field) -> bool {
    matches!(field.source, ValueSource::Table)
}
