//! The damage of a roll that no character took yet.

use crate::dialog::follow_ups::RollHistory;
use crate::dialog::follow_ups::commands::hit;
use tableside_game::{Blow, PendingEffects, Roll, hit_points};
use tableside_rules::{Effect, Party};
use tableside_table::{Entry, SeatView};

/// The number of latest entries among which damage waits. Older damage was settled without the program.
const MOST_ENTRIES: u64 = 50;

/// The damage of an entry that waits for the GM.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WaitingDamage {
    /// The number of the entry.
    pub(crate) entry: u64,
    /// The damage in words: `Mira takes 4 damage`.
    pub(crate) text: String,
}

/// Returns the damage of this scene that waits for this seat, the oldest first.
pub(crate) fn all_waiting_damage(view: &SeatView<'_>) -> Vec<WaitingDamage> {
    if !view.seat().sees_all() {
        return Vec::new();
    }
    let first = newest_number(view).saturating_sub(MOST_ENTRIES);
    let mut waiting = Vec::new();
    for entry in view.log_since(first).rev() {
        if entry.event.what.ends_a_scene() && !view.is_struck(entry.number) {
            break;
        }
        waiting.extend(waiting_damage(&entry, view));
    }
    waiting.reverse();
    waiting
}

/// Returns the damage of an entry if it waits for this seat.
pub(crate) fn waiting_damage(entry: &Entry, view: &SeatView<'_>) -> Option<WaitingDamage> {
    let roll = entry.event.what.resolved()?;
    let is_recent = entry.number + MOST_ENTRIES >= newest_number(view);
    let is_replaced = view.replaced_by(entry.number).is_some();
    if !view.seat().sees_all() || !is_recent || is_replaced || view.is_struck(entry.number) {
        return None;
    }

    let groups = damage_groups(roll, view);
    if groups.is_empty() {
        return None;
    }
    let history = RollHistory::of(entry.number, roll, view);
    if history.is_declined() {
        return None;
    }
    let (_, text) = groups
        .into_iter()
        .find(|(group, _)| !history.is_applied(group, view))?;
    Some(WaitingDamage {
        entry: entry.number,
        text,
    })
}

/// Returns the damage of a roll that the program did not apply, with its description.
fn damage_groups(roll: &Roll, view: &SeatView<'_>) -> Vec<(PendingEffects, String)> {
    let mut groups = Vec::new();
    if let Some(hit) = hit(roll, view) {
        let is_damage = |effect: &&Effect| matches!(effect, Effect::Damage { .. });
        let group = PendingEffects {
            missing: Party::Opponent,
            effects: roll.effects.iter().filter(is_damage).cloned().collect(),
            blow: Blow::Ordinary,
        };
        groups.push((
            group,
            format!("{} takes {} damage", hit.target.name, hit.amount),
        ));
    }
    for group in view.pending_effects(roll) {
        let damage = group.effects.iter().find_map(hit_points);
        if let Some(damage @ ..0) = damage {
            let text = format!("{} damage without a target", damage.unsigned_abs());
            groups.push((group, text));
        }
    }
    groups
}

fn newest_number(view: &SeatView<'_>) -> u64 {
    view.log().next().map_or(0, |entry| entry.number)
}
