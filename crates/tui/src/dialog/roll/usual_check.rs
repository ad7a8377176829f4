//! The most likely next check of a character in a fight.

use tableside_game::{CharacterId, EntityRef};
use tableside_rules::CheckSpec;
use tableside_table::{Entry, SeatView};

/// The number of log entries that are searched for a roll of this fight.
const MAX_SEARCHED_ENTRIES: usize = 200;

/// The verb of an attack in system files.
const ATTACKS: &str = "attacks";

/// Returns the kind of check that the character rolled last in this fight, or else the attack of the system. `None` if
/// no fight is going on, or if the system has no attack.
pub(super) fn check_in_fight(
    character: CharacterId,
    view: &SeatView<'_>,
) -> Option<&'static CheckSpec> {
    if !view.has_turn_order() {
        return None;
    }
    last_check_in_fight(character, view).or_else(|| attack(view))
}

/// Returns the kind of check that the character rolled last in this fight. Rolls that the rules require of a fallen
/// character do not count.
fn last_check_in_fight(character: CharacterId, view: &SeatView<'_>) -> Option<&'static CheckSpec> {
    let spec = view.system().spec();
    let save = spec.dying.map(|rules| rules.save);

    for entry in view.log().take(MAX_SEARCHED_ENTRIES) {
        if begins_fight(&entry) {
            return None;
        }
        let Some(roll) = entry.roll() else {
            continue;
        };
        let is_usual = save != Some(roll.check.as_str()) && !view.is_struck(entry.number);
        if roll.id == Some(character) && is_usual {
            return view.system().check(&roll.check).ok();
        }
    }
    None
}

/// Returns true if the first round began with this entry.
fn begins_fight(entry: &Entry) -> bool {
    entry
        .event
        .changes
        .iter()
        .any(|change| change.entity == EntityRef::Round && change.from == 0)
}

/// Returns the first check of the system that attacks an opponent.
fn attack(view: &SeatView<'_>) -> Option<&'static CheckSpec> {
    let checks = view.system().spec().checks;
    let is_attack = |check: &&&'static CheckSpec| check.deed == ATTACKS;
    checks.iter().find(is_attack).copied()
}
