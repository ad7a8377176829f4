//! The loose ends of a game: unfinished rolls, clocks that are nearly full, conditions.

use super::characters::is_in_party;
use super::{CharacterNews, LockedAttempt, LooseEnds, NearlyFull, WaitingRoll};
use crate::{ClockView, SeatView};
use tableside_game::ClockKind;

/// The loose ends of the game in its present state.
pub(super) fn loose_ends(view: &SeatView<'_>) -> LooseEnds {
    let system = view.system();
    let rolls = view.unfinished().map(|waiting| WaitingRoll {
        who: waiting.roll.who.clone(),
        check: match waiting.roll.tested(system) {
            Some(tested) => tested.words,
            None => waiting.roll.check.clone(),
        },
    });
    let calls = view.calls().map(|call| WaitingRoll {
        who: view.owner_name(Some(call.who)).to_owned(),
        check: match system.check(&call.check) {
            Ok(spec) => spec.label.to_owned(),
            Err(_) => call.check.clone(),
        },
    });
    let locks = view.locks().map(|(who, about)| LockedAttempt {
        who: who.name.clone(),
        about: about.to_owned(),
    });

    LooseEnds {
        rolls: rolls.collect(),
        calls: calls.collect(),
        clocks: view
            .clocks()
            .filter_map(|clock| nearly_full(&clock, view))
            .collect(),
        characters: states(view),
        locks: locks.collect(),
    }
}

/// A clock that has begun, is not full, and lacks at most a third of its segments, of which there are few.
fn nearly_full(clock_view: &ClockView<'_>, view: &SeatView<'_>) -> Option<NearlyFull> {
    let clock = clock_view.clock;
    let filled = clock_view.filled?;
    let segments = clock.segments.count();
    let missing = segments.saturating_sub(filled);
    let share = |parts: u32| u32::from(missing) * parts <= u32::from(segments);
    let lacks_few = share(3) && (missing <= 2 || share(10));
    let is_near = missing > 0 && filled > 0 && lacks_few;
    if !is_near || clock.kind == ClockKind::TugOfWar {
        return None;
    }
    Some(NearlyFull {
        clock: clock.name.clone(),
        owner: clock.owner.map(|_| view.owner_name(clock.owner).to_owned()),
        filled,
        segments,
    })
}

/// The conditions of the party, and states such as `down`.
fn states(view: &SeatView<'_>) -> Vec<CharacterNews> {
    let mut news = Vec::new();
    for character in view.roster() {
        if !is_in_party(view, character.id) {
            continue;
        }
        let mut changes: Vec<String> = character
            .conditions
            .iter()
            .map(ToString::to_string)
            .collect();
        if let Some(standing) = view.standing_of(character)
            && !changes.iter().any(|change| change == standing.word)
        {
            changes.insert(0, standing.word.to_owned());
        }
        if !changes.is_empty() {
            news.push(CharacterNews {
                name: character.name.clone(),
                is_in_party: true,
                changes,
            });
        }
    }
    news
}
