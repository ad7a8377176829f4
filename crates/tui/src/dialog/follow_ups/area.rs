//! Damage that hits several characters, such as that of a fireball: after the first target, the result offers it to others.

use crate::dialog::follow_ups::{Offer, RollHistory};
use tableside_game::{Command, Roll, opponent_of};
use tableside_rules::Party;
use tableside_table::{SeatView, read_again};

/// Returns one button for each candidate that takes the whole damage, and one for each that takes half. A candidate that
/// took damage keeps its buttons, which are done then.
///
/// Returns `None` for damage that hits a single character.
pub(super) fn offers_of_area(
    roll: &Roll,
    history: &RollHistory<'_>,
    view: &SeatView<'_>,
) -> Option<Vec<(Offer, bool)>> {
    let (spec, outcome) = read_again(roll, view.system())?;
    let whole = outcome.area_damage.filter(|damage| *damage > 0)?;
    let target = opponent_of(spec, &roll.sources);
    let blow = view.blow_of(roll);

    let mut offers = Vec::new();
    for (amount, word) in [(whole, ""), (whole / 2, "half, ")] {
        if amount == 0 {
            continue;
        }
        for candidate in view.candidates(roll, Party::Opponent) {
            if Some(candidate.id) == target {
                continue;
            }
            let command = Command::Damage {
                who: candidate.id,
                amount,
                shrug_off: false,
                blow,
            };
            let label = format!("{} takes {word}{amount}", candidate.name);
            let is_done = history.is_done(&command, view);
            if is_done || view.preview(&command).is_ok() {
                offers.push(((command, label), is_done));
            }
        }
    }
    Some(offers)
}
