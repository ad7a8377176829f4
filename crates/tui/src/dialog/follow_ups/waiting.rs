//! The effects that the rules demand of a roll and that were not applied yet: damage, other effects on a target, and
//! the result of a roll against death.

use crate::dialog::follow_ups::RollHistory;
use crate::dialog::follow_ups::commands::{fallen_offers, hit};
use tableside_game::{Blow, PendingEffects, Roll, hit_points};
use tableside_rules::{Effect, Party};
use tableside_table::{Entry, SeatView};

/// The number of entries in which unapplied effects are searched. Older effects were settled without the program.
pub(super) const MAX_SEARCHED_ENTRIES: u64 = 50;

/// The unapplied effects of an entry, which wait for the GM.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct WaitingEffects {
    /// The number of the entry.
    pub(crate) entry: u64,
    /// The first of the effects in words: `Mira takes 4 damage`.
    pub(crate) text: String,
}

/// Returns the effects of this scene that wait for this seat, the oldest first.
pub(crate) fn all_waiting_effects(view: &SeatView<'_>) -> Vec<WaitingEffects> {
    if !view.seat().sees_all() {
        return Vec::new();
    }
    let first = newest_number(view).saturating_sub(MAX_SEARCHED_ENTRIES);
    let mut waiting = Vec::new();
    for entry in view.log_since(first).rev() {
        if entry.event.what.ends_a_scene() && !view.is_struck(entry.number) {
            break;
        }
        waiting.extend(waiting_effects(&entry, view));
    }
    waiting.reverse();
    waiting
}

/// Returns the effects of an entry if they wait for this seat.
pub(crate) fn waiting_effects(entry: &Entry, view: &SeatView<'_>) -> Option<WaitingEffects> {
    let roll = entry.event.what.resolved()?;
    let is_recent = entry.number + MAX_SEARCHED_ENTRIES >= newest_number(view);
    let is_replaced = view.replaced_by(entry.number).is_some();
    let is_in_force = !is_replaced && !view.is_struck(entry.number);
    if !view.seat().sees_all() || !is_recent || !is_in_force {
        return None;
    }

    let groups = effect_groups(roll, view);
    let results_of_fall = fallen_offers(roll, view).unwrap_or_default();
    if groups.is_empty() && results_of_fall.is_empty() {
        return None;
    }
    let history = RollHistory::of(entry.number, roll, view);
    if history.is_declined() {
        return None;
    }

    let open_group = groups
        .into_iter()
        .find(|(group, _)| !history.is_applied(group, view));
    let open_result = results_of_fall
        .into_iter()
        .find(|offer| !history.is_done(&offer.command, view));
    let text = open_group
        .map(|(_, text)| text)
        .or_else(|| open_result.map(|offer| offer.label))?;
    Some(WaitingEffects {
        entry: entry.number,
        text,
    })
}

/// Returns the effects that were not applied together with the roll, in groups, each with a description. Some may have
/// been applied since.
fn effect_groups(roll: &Roll, view: &SeatView<'_>) -> Vec<(PendingEffects, String)> {
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
        // Offers of further checks have buttons of their own.
        let has_effect = group
            .effects
            .iter()
            .any(|effect| !matches!(effect, Effect::Offer { .. }));
        let damage = group.effects.iter().find_map(hit_points);
        let text = match damage {
            Some(damage @ ..0) => format!("{} damage without a target", damage.unsigned_abs()),
            _ if group.missing == Party::Opponent && has_effect => {
                group.label("no target", view.system())
            }
            _ => continue,
        };
        groups.push((group, text));
    }
    groups
}

pub(super) fn newest_number(view: &SeatView<'_>) -> u64 {
    view.log().next().map_or(0, |entry| entry.number)
}
