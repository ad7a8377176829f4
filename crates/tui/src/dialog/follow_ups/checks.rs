//! The further checks that a roll offers.

use crate::dialog::follow_ups::OfferedCheck;
use tableside_game::Roll;
use tableside_rules::Effect;
use tableside_table::SeatView;

pub(super) fn check_label(offer: &OfferedCheck, roll: &Roll, view: &SeatView<'_>) -> String {
    let other_character = if offer.who == roll.id {
        None
    } else {
        offer.who.and_then(|id| view.character(id))
    };
    match other_character {
        Some(character) => format!("{}: {}", offer.check.label, character.name),
        None => offer.check.label.to_owned(),
    }
}

/// Returns the checks that a roll offers to characters for whom this seat rolls.
pub(super) fn offered_checks(roll: &Roll, view: &SeatView<'_>) -> Vec<OfferedCheck> {
    let seat = view.seat();
    let mut checks = Vec::new();

    for effect in &roll.effects {
        let Effect::Offer { check, of, with } = effect else {
            continue;
        };
        let Ok(check) = view.system().check(check) else {
            continue;
        };
        for who in view.party_members(roll, *of).unwrap_or_default() {
            let is_own = who.is_some_and(|id| seat.characters.contains(&id));
            if seat.sees_all() || is_own {
                checks.push(OfferedCheck {
                    check,
                    who,
                    role: *of,
                    texts: with.clone(),
                });
            }
        }
    }
    checks
}

/// Returns the checks that a roll offers to a character that it does not name: a check for each candidate.
pub(super) fn checks_of_candidates(roll: &Roll, view: &SeatView<'_>) -> Vec<OfferedCheck> {
    let mut checks = Vec::new();

    for effect in &roll.effects {
        if let Effect::Offer { check, of, with } = effect
            && view.lacks(*of, roll)
            && let Ok(check) = view.system().check(check)
        {
            for candidate in view.candidates(roll, *of) {
                checks.push(OfferedCheck {
                    check,
                    who: Some(candidate.id),
                    role: *of,
                    texts: with.clone(),
                });
            }
        }
    }

    checks
}
