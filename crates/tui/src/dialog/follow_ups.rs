//! The follow-ups of a roll: the actions that the rules ask for next and that a key can perform.
//!
//! Examples are damage, treating wounds, First Aid, the condition of a stance, and ticks of clocks.

use std::sync::Arc;

use crate::dialog::follow_ups::checks::{check_label, checks_of_candidates, offered_checks};
use crate::dialog::follow_ups::commands::offered_commands;
use crate::dialog::sheet_question::QuestionId;
use tableside_game::{
    Change, CharacterId, Command, EntityRef, EventKind, NOTHING_FOLLOWS, Part, PendingEffects,
    Roll, hit_points,
};
use tableside_rules::{CheckSpec, Effect, Party};
use tableside_table::{Act, Entry, SeatRole, SeatView};

mod area;
mod checks;
mod clocks;
mod commands;
mod keys;
mod questions;
mod waiting;

pub(super) use clocks::clock_follow_ups;
pub(super) use commands::{effect_levels, hit};
pub(super) use keys::{ButtonKeys, CLOCK_LETTERS, DIGITS, OfferedButton};
pub(super) use questions::questions_of;
pub(crate) use waiting::{WaitingDamage, all_waiting_damage, waiting_damage};

/// A command, and the label of its button.
pub(super) type Offer = (Command, String);

/// A further check that a roll offers, with the values that it starts with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfferedCheck {
    pub(super) check: &'static CheckSpec,
    pub(super) who: Option<CharacterId>,
    /// The role of that character in the roll.
    pub(super) of: Party,
    pub(super) with: Vec<(String, String)>,
}

/// The action of a button below an entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FollowUp {
    Do(Act),
    /// Opens a new note about the entry.
    Note,
    /// Sets up the same check again.
    Again,
    /// Opens the next roll.
    Roll,
    /// Sets up a check that the roll offers.
    Check(OfferedCheck),
    /// Asks a question of a sheet that the roll raised, such as the name of a trauma.
    Question(QuestionId),
    Close,
}

/// A follow-up that is `None` if it was done already, and its label.
pub(super) type LabelledFollowUp = (Option<FollowUp>, String);

/// A roll, and the entries after it that may have done its follow-ups.
struct RollHistory<'a> {
    roll: &'a Roll,
    /// The number of the entry of the roll.
    number: u64,
    /// The numbers of the entry and of those that it amends or re-rolls, the newest first.
    readings: Vec<u64>,
    /// The other entries since the first reading, except undone ones.
    later: Vec<Arc<Entry>>,
}

impl<'a> RollHistory<'a> {
    fn of(number: u64, roll: &'a Roll, view: &SeatView<'_>) -> Self {
        let readings: Vec<u64> =
            std::iter::successors(Some(number), |reading| view.replaces(*reading)).collect();
        let first_reading = readings.last().copied().unwrap_or(number);
        let later = view
            .log_since(first_reading + 1)
            .filter(|entry| entry.number != number && !view.is_struck(entry.number))
            .collect();
        Self {
            roll,
            number,
            readings,
            later,
        }
    }

    /// True if an event is a follow-up of one of the readings.
    fn is_followed_by(&self, follows: Option<u64>) -> bool {
        follows.is_some_and(|number| self.readings.contains(&number))
    }

    /// True if the GM declined all follow-ups.
    fn is_declined(&self) -> bool {
        self.later.iter().any(|entry| {
            let EventKind::Noted { text, about, .. } = &entry.event.what else {
                return false;
            };
            *about == Some(self.number) && text == NOTHING_FOLLOWS
        })
    }

    /// True if a command was done since, as a follow-up of one of the readings or, for a tick, by hand.
    fn is_done(&self, command: &Command, view: &SeatView<'_>) -> bool {
        let is_tick = matches!(command, Command::Tick { .. });

        self.later.iter().any(|entry| {
            let event = &entry.event;
            let is_tick_by_hand = is_tick && matches!(event.what, EventKind::Ticked { .. });
            if !is_tick_by_hand && !self.is_followed_by(event.follows) {
                return false;
            }
            event
                .changes
                .iter()
                .any(|change| touches(command, change, view))
        })
    }

    /// True if the effects were applied after the roll: by a button, or by hand before the next roll.
    fn is_applied(&self, group: &PendingEffects, view: &SeatView<'_>) -> bool {
        let next_roll = self
            .later
            .iter()
            .filter(|entry| entry.number > self.number && entry.roll().is_some())
            .map(|entry| entry.number)
            .min();

        self.later.iter().any(|entry| {
            if entry.event.follows.is_some() {
                return self.is_followed_by(entry.event.follows)
                    && view.applies(&group.effects, &entry.event);
            }
            let is_by_hand = entry.roll().is_none();
            let is_before_next_roll = next_roll.is_none_or(|next| entry.number < next);
            is_by_hand && is_before_next_roll && view.applies_by_hand(&group.effects, &entry.event)
        })
    }

    /// True if the offered check was rolled since. A check that is offered to several candidates is rolled once.
    fn is_rolled(&self, offer: &OfferedCheck, view: &SeatView<'_>) -> bool {
        let has_candidates = view.lacks(offer.of, self.roll);
        self.later
            .iter()
            .filter_map(|entry| entry.roll())
            .any(|roll| roll.check == offer.check.id && (roll.id == offer.who || has_candidates))
    }

    fn follow(&self, command: Command) -> FollowUp {
        let then = Box::new(command);
        let entry = self.number;
        FollowUp::Do(Command::Follow { entry, then }.into())
    }
}

/// Returns the follow-ups of an entry with their labels, except ticks of clocks. Only the GM is offered commands.
pub(super) fn follow_ups(entry: &Entry, view: &SeatView<'_>) -> Vec<LabelledFollowUp> {
    let Some(roll) = entry.event.what.resolved() else {
        return Vec::new();
    };
    if view.is_struck(entry.number) {
        return Vec::new();
    }

    let is_gm = view.seat().role == SeatRole::Gm;
    let mut commands = Vec::new();
    let mut pending = Vec::new();
    let mut checks = offered_checks(roll, view);
    if is_gm {
        commands = offered_commands(roll, view);
        pending = view.pending_effects(roll);
        checks.extend(checks_of_candidates(roll, view));
    }

    let is_first_reading = view.replaces(entry.number).is_none();
    let is_area = is_gm
        && roll
            .effects
            .iter()
            .any(|effect| hit_points(effect).is_some());
    let has_none = commands.is_empty() && checks.is_empty() && pending.is_empty() && !is_area;
    if is_first_reading && has_none {
        return Vec::new();
    }
    let history = RollHistory::of(entry.number, roll, view);
    if history.is_declined() {
        return Vec::new();
    }
    let area = if is_area {
        area::offers_of_area(roll, &history, view)
    } else {
        None
    };

    let mut follow_ups = Vec::new();
    if let Some(area) = &area {
        for ((command, label), is_done) in area {
            let follow_up = (!is_done).then(|| history.follow(command.clone()));
            follow_ups.push((follow_up, label.clone()));
        }
    }
    for group in pending.iter().filter(|_| area.is_none()) {
        if !history.is_applied(group, view) {
            for (command, label) in offers_to_candidates(group, roll, view) {
                follow_ups.push((Some(history.follow(command)), label));
            }
        }
    }
    if is_gm {
        follow_ups.extend(undo_effects_of_old_readings(&history, view));
    }
    for (command, label) in commands {
        let is_open = !history.is_done(&command, view);
        let follow_up = is_open.then(|| history.follow(command));
        follow_ups.push((follow_up, label));
    }
    for offer in checks {
        let label = check_label(&offer, roll, view);
        let is_open = !history.is_rolled(&offer, view);
        follow_ups.push((is_open.then_some(FollowUp::Check(offer)), label));
    }
    follow_ups
}

/// Returns an offer to undo each effect of an earlier reading of the roll, which stays in force until then.
fn undo_effects_of_old_readings(
    history: &RollHistory<'_>,
    view: &SeatView<'_>,
) -> Vec<LabelledFollowUp> {
    let mut follow_ups = Vec::new();
    for entry in &history.later {
        let is_old = entry.number < history.number;
        if is_old && history.is_followed_by(entry.event.follows) {
            let act = Act::Strike {
                entry: entry.number,
                reason: String::new(),
            };
            let label = format!("Undo {}", entry.event.text(view.system()));
            follow_ups.push((Some(FollowUp::Do(act)), label));
        }
    }
    follow_ups
}

/// One button for each candidate that takes the effects, and one for each that shrugs off half of the damage.
fn offers_to_candidates(group: &PendingEffects, roll: &Roll, view: &SeatView<'_>) -> Vec<Offer> {
    let mut whole_offers = Vec::new();
    let mut half_offers = Vec::new();

    for candidate in view.candidates(roll, group.missing) {
        let label = group.label(&candidate.name, view.system());
        whole_offers.push((receive(group, candidate.id, false), label));

        let deals_damage = group
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Damage { .. }));
        if deals_damage {
            let label = format!("{} shrugs off half", candidate.name);
            half_offers.push((receive(group, candidate.id, true), label));
        }
    }

    let mut offers = whole_offers;
    offers.append(&mut half_offers);
    offers.retain(|(command, _)| view.preview(command).is_ok());
    offers
}

/// Asks who takes the damage of a roll that named no target, while it was not applied: `No target was chosen. Who takes
/// the 8 damage?`
pub(super) fn open_question(entry: &Entry, view: &SeatView<'_>) -> Option<String> {
    let roll = entry.event.what.resolved()?;
    let pending = view.pending_effects(roll);
    if pending.is_empty() || view.is_struck(entry.number) {
        return None;
    }

    let history = RollHistory::of(entry.number, roll, view);
    if history.is_declined() {
        return None;
    }
    let open = pending
        .iter()
        .find(|group| !history.is_applied(group, view))?;
    let who = match open.missing {
        Party::Opponent => "No target was chosen.",
        Party::Roller | Party::Helpers | Party::Table => "No character was chosen.",
    };
    let damage = open.effects.iter().find_map(hit_points);
    Some(match damage {
        Some(points) if points < 0 => {
            format!("{who} Who takes the {} damage?", points.unsigned_abs())
        }
        Some(points) => format!("{who} Who regains the {points} hit points?"),
        None => format!("{who} Whom does it affect?"),
    })
}

/// The command that applies the effects to one character.
fn receive(group: &PendingEffects, who: CharacterId, shrug_off: bool) -> Command {
    let mut commands = Vec::new();
    let mut others = Vec::new();

    for effect in &group.effects {
        match hit_points(effect) {
            Some(points) if points < 0 => commands.push(Command::Damage {
                who,
                amount: -points,
                shrug_off,
                blow: group.blow,
            }),
            Some(amount) => commands.push(Command::Heal { who, amount }),
            None => others.push(effect.clone()),
        }
    }

    if !others.is_empty() {
        let effects = others;
        commands.push(Command::Receive { who, effects });
    }
    Command::together(commands)
}

/// Returns the offer to decline all follow-ups of an entry.
pub(super) fn decline_follow_ups(entry: u64) -> Offer {
    (Command::DeclineFollowUps(entry), NOTHING_FOLLOWS.to_owned())
}

/// True if a change affects the value that a command would change.
fn touches(command: &Command, change: &Change, view: &SeatView<'_>) -> bool {
    let is_stat = |who: CharacterId, name: &str| change.stat() == Some((who, name));
    match command {
        Command::SetConditions { who, .. } => {
            change.is_of(EntityRef::Character(*who), &Part::Conditions)
        }
        Command::SetStat { who, stat, .. } => is_stat(*who, stat),
        Command::Damage { who, .. } => is_stat(*who, "hit-points"),
        Command::TreatWounds { who, .. } => is_stat(*who, "wounds"),
        Command::FirstAid { who, of, .. } => {
            let clock = view.system().spec().clock(*of);
            clock.is_some_and(|clock| is_stat(*who, clock.overflow))
        }
        Command::Tick { clock, .. } => change.is_of(EntityRef::Clock(*clock), &Part::Filled),
        Command::All(commands) => commands
            .iter()
            .any(|command| touches(command, change, view)),
        _ => false,
    }
}
