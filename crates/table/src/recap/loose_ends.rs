//! The loose ends of a game: unfinished rolls, clocks in play, wounds and conditions.

use std::collections::BTreeSet;

use serde::Serialize;

use super::ListEntry;
use super::characters::{entries_of, is_in_party};
use crate::{ClockView, SeatView};
use tableside_game::{Character, ClockId, ClockKind};
use tableside_rules::Kind;

/// The unfinished matters at the end of a recap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct LooseEnds {
    /// Rolls that wait for an answer.
    pub rolls: Vec<WaitingRoll>,
    /// Rolls that the GM called for.
    pub calls: Vec<WaitingRoll>,
    /// Clocks in play.
    pub clocks: Vec<OpenClock>,
    /// The conditions, wounds and states of the party.
    pub characters: Vec<OpenState>,
    /// Attempts that may not be repeated yet.
    pub locks: Vec<LockedAttempt>,
}

impl LooseEnds {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A roll that is not finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct WaitingRoll {
    pub who: String,
    pub check: String,
}

/// A clock in play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct OpenClock {
    pub clock: String,
    pub owner: Option<String>,
    pub filled: u8,
    pub segments: u8,
}

/// The lasting state of a character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct OpenState {
    pub name: String,
    /// The conditions and states, such as `dying`.
    pub states: Vec<String>,
    /// The lists that describe the present state, such as wounds.
    pub lists: Vec<OpenList>,
}

/// A list on a sheet that describes the present state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct OpenList {
    pub stat: String,
    pub label: String,
    pub entries: Vec<ListEntry>,
}

/// An attempt that a character may not repeat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct LockedAttempt {
    pub who: String,
    pub about: String,
}

/// Returns the loose ends of the game in its present state. `moved` contains the clocks that moved during the evening.
pub(super) fn loose_ends(view: &SeatView<'_>, moved: &BTreeSet<ClockId>) -> LooseEnds {
    let system = view.system();
    let rolls = view.unfinished().map(|waiting| WaitingRoll {
        who: waiting.roll.who.clone(),
        check: match waiting.roll.tested_value(system) {
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
        clocks: open_clocks(view, moved),
        characters: view
            .roster()
            .filter(|character| is_in_party(view, character.id))
            .filter_map(|character| open_state(character, view))
            .collect(),
        locks: locks.collect(),
    }
}

/// The clocks in play. Clocks of the rules are among them only if they moved or are nearly full.
fn open_clocks(view: &SeatView<'_>, moved: &BTreeSet<ClockId>) -> Vec<OpenClock> {
    let mut open = Vec::new();
    for clock_view in view.clocks() {
        let clock = clock_view.clock;
        let Some(filled) = clock_view.filled else {
            continue;
        };
        let segments = clock.segments.count();
        let is_in_play = filled > 0 && filled < segments;
        let is_relevant =
            clock.rule.is_none() || moved.contains(&clock.id) || is_nearly_full(&clock_view);
        if is_in_play && is_relevant && filled != untouched_tug_of_war(clock.kind, segments) {
            open.push(OpenClock {
                clock: clock.name.clone(),
                owner: clock.owner.map(|_| view.owner_name(clock.owner).to_owned()),
                filled,
                segments,
            });
        }
    }
    open
}

/// The filled segments of a tug-of-war that has not moved. 0 for other clocks.
fn untouched_tug_of_war(kind: ClockKind, segments: u8) -> u8 {
    match kind {
        ClockKind::TugOfWar => segments / 2,
        ClockKind::Effort | ClockKind::Countdown | ClockKind::Race => 0,
    }
}

/// True if at most a third of the clock's segments are empty, and at most two segments or a tenth of all segments.
fn is_nearly_full(clock_view: &ClockView<'_>) -> bool {
    let clock = clock_view.clock;
    let segments = clock.segments.count();
    let missing = segments.saturating_sub(clock_view.filled.unwrap_or(0));
    let share = |parts: u32| u32::from(missing) * parts <= u32::from(segments);
    let lacks_few = share(3) && (missing <= 2 || share(10));
    lacks_few && clock.kind != ClockKind::TugOfWar
}

/// The lasting state of a character. `None` for an unharmed character.
fn open_state(character: &Character, view: &SeatView<'_>) -> Option<OpenState> {
    let mut states = Vec::new();
    if let Some(standing) = view.standing_of(character) {
        states.push(standing.word.to_owned());
    }
    for condition in view.conditions_by_severity(character) {
        let is_known = states.contains(&condition.name);
        if !condition.fades && !is_known {
            let name = match condition.value {
                Some(level) if level > 1 => format!("{} {level}", condition.name),
                _ => condition.name.clone(),
            };
            states.push(match condition.duration() {
                Some(duration) => format!("{name} ({duration})"),
                None => name,
            });
        }
    }

    let mut lists = Vec::new();
    for (field, value) in character.sheet.iter() {
        let is_list = matches!(field.kind, Kind::Ranks { .. } | Kind::Text);
        // The card shows harm first. Other lists, such as supplies, are no loose ends.
        let is_harm = view
            .system()
            .spec()
            .card
            .first
            .iter()
            .any(|entry| entry.id() == field.id);
        if !field.state || !is_list || !is_harm {
            continue;
        }
        let entries: Vec<ListEntry> = entries_of(value);
        if !entries.is_empty() {
            lists.push(OpenList {
                stat: field.id.to_owned(),
                label: field.label.to_owned(),
                entries,
            });
        }
    }

    if states.is_empty() && lists.is_empty() {
        return None;
    }
    Some(OpenState {
        name: character.name.clone(),
        states,
        lists,
    })
}
