//! Damage that hits several characters, such as a fireball: the result offers the damage to characters besides the
//! first target.

use crate::dialog::follow_ups::{LabelledFollowUp, OfferedCommand, RollHistory};
use tableside_game::{Command, opponent_of};
use tableside_rules::Party;
use tableside_table::{SeatView, read_again};

/// Returns the whole damage for each candidate, and then half of the damage for each candidate. A candidate that took
/// the damage keeps its follow-ups, but they are no longer open.
///
/// Returns `None` for damage that hits a single character.
pub(super) fn follow_ups_of_area(
    history: &RollHistory<'_>,
    view: &SeatView<'_>,
) -> Option<Vec<LabelledFollowUp>> {
    let roll = history.roll;
    let (spec, outcome) = read_again(roll, view.system())?;
    let whole = outcome.area_damage.filter(|damage| *damage > 0)?;
    let target = opponent_of(spec, &roll.sources);
    let blow = view.blow_of(roll);

    let mut follow_ups = Vec::new();
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
            let is_possible = view.preview(&command).is_ok();
            let label = format!("{} takes {word}{amount}", candidate.name);
            let follow_up = history.labelled(OfferedCommand { command, label }, view);
            if is_possible || follow_up.open.is_none() {
                follow_ups.push(follow_up);
            }
        }
    }
    Some(follow_ups)
}
