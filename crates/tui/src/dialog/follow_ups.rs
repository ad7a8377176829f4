//! The follow-ups of a roll: the actions that the rules ask for next and that a key can perform.
//!
//! Examples are damage, treating wounds, First Aid, the condition of a stance, and ticks of clocks.

use crate::dialog::check_form::FieldTexts;
use crate::dialog::follow_ups::checks::{check_label, checks_of_candidates, offered_checks};
use crate::dialog::follow_ups::commands::offered_commands;
use crate::dialog::follow_ups::history::RollHistory;
use crate::dialog::sheet_question::QuestionId;
use tableside_game::{CharacterId, Command, NOTHING_FOLLOWS, PendingEffects, Roll, hit_points};
use tableside_rules::{CheckSpec, Effect, Party};
use tableside_table::{Act, Entry, SeatRole, SeatView};

mod area;
mod checks;
mod clocks;
mod commands;
mod history;
mod keys;
mod questions;
mod waiting;

pub(super) use clocks::clock_follow_ups;
pub(super) use commands::{demanded_command, effect_levels};
pub(super) use keys::{ButtonKeys, CLOCK_LETTERS, DIGITS, OfferedButton};
pub(super) use questions::questions_of;
pub(crate) use waiting::{WaitingEffects, all_waiting_effects, waiting_effects};

/// A command that a roll offers.
pub(super) struct OfferedCommand {
    pub(super) command: Command,
    /// The label of its button.
    pub(super) label: String,
}

/// A further check that a roll offers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfferedCheck {
    pub(super) check: &'static CheckSpec,
    pub(super) who: Option<CharacterId>,
    /// The role of that character in the roll.
    pub(super) role: Party,
    /// The initial values of fields, as a player writes them.
    pub(super) texts: FieldTexts,
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
    /// Asks a question that the roll raised on a sheet, such as the name of a trauma.
    Question(QuestionId),
    Close,
}

/// A follow-up with the label of its button.
pub(super) struct LabelledFollowUp {
    pub(super) label: String,
    /// `None` if it was done already.
    pub(super) open: Option<FollowUp>,
}

impl LabelledFollowUp {
    fn open(label: String, follow_up: FollowUp) -> Self {
        Self {
            label,
            open: Some(follow_up),
        }
    }
}

/// Everything that a roll offers, except ticks of clocks.
#[derive(Default)]
struct RollOffers {
    commands: Vec<OfferedCommand>,
    /// Effects without a target.
    pending: Vec<PendingEffects>,
    checks: Vec<OfferedCheck>,
    /// True if the damage of the roll may hit several characters.
    may_hit_area: bool,
}

impl RollOffers {
    /// Returns the offers to this seat. Only the GM is offered commands.
    fn of(roll: &Roll, view: &SeatView<'_>) -> Self {
        let mut checks = offered_checks(roll, view);
        if view.seat().role != SeatRole::Gm {
            return Self {
                checks,
                ..Self::default()
            };
        }

        checks.extend(checks_of_candidates(roll, view));
        Self {
            commands: offered_commands(roll, view),
            pending: view.pending_effects(roll),
            checks,
            may_hit_area: roll
                .effects
                .iter()
                .any(|effect| hit_points(effect).is_some()),
        }
    }

    fn is_empty(&self) -> bool {
        self.commands.is_empty()
            && self.pending.is_empty()
            && self.checks.is_empty()
            && !self.may_hit_area
    }
}

/// Returns the follow-ups of an entry, except ticks of clocks.
pub(super) fn follow_ups(entry: &Entry, view: &SeatView<'_>) -> Vec<LabelledFollowUp> {
    let Some(roll) = entry.event.what.resolved() else {
        return Vec::new();
    };
    if view.is_struck(entry.number) {
        return Vec::new();
    }

    let offers = RollOffers::of(roll, view);
    let is_first_reading = view.replaces(entry.number).is_none();
    if is_first_reading && offers.is_empty() {
        return Vec::new();
    }
    let history = RollHistory::of(entry.number, roll, view);
    if history.is_declined() {
        return Vec::new();
    }

    let mut follow_ups = damage_follow_ups(&offers, &history, view);
    if view.seat().role == SeatRole::Gm {
        follow_ups.extend(undo_effects_of_old_readings(&history, view));
    }
    for offer in offers.commands {
        follow_ups.push(history.labelled(offer, view));
    }
    for offer in offers.checks {
        let is_open = !history.is_rolled(&offer, view);
        follow_ups.push(LabelledFollowUp {
            label: check_label(&offer, roll, view),
            open: is_open.then_some(FollowUp::Check(offer)),
        });
    }
    follow_ups
}

/// Returns the damage of an area for each character, or the pending effects for each candidate.
fn damage_follow_ups(
    offers: &RollOffers,
    history: &RollHistory<'_>,
    view: &SeatView<'_>,
) -> Vec<LabelledFollowUp> {
    if offers.may_hit_area
        && let Some(follow_ups) = area::follow_ups_of_area(history, view)
    {
        return follow_ups;
    }

    let mut follow_ups = Vec::new();
    for group in &offers.pending {
        if history.is_applied(group, view) {
            continue;
        }
        for offer in offers_to_candidates(group, history.roll, view) {
            let follow_up = history.as_follow_up(offer.command);
            follow_ups.push(LabelledFollowUp::open(offer.label, follow_up));
        }
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
        if is_old && history.is_follow_up(&entry.event) {
            let act = Act::Strike {
                entry: entry.number,
                reason: String::new(),
            };
            let label = format!("Undo {}", entry.event.text(view.system()));
            follow_ups.push(LabelledFollowUp::open(label, FollowUp::Do(act)));
        }
    }
    follow_ups
}

/// Offers the effects to each candidate, and then half of the damage to each candidate.
fn offers_to_candidates(
    group: &PendingEffects,
    roll: &Roll,
    view: &SeatView<'_>,
) -> Vec<OfferedCommand> {
    let mut whole_offers = Vec::new();
    let mut half_offers = Vec::new();

    for candidate in view.candidates(roll, group.missing) {
        whole_offers.push(OfferedCommand {
            command: command_to_apply(group, candidate.id, false),
            label: group.label(&candidate.name, view.system()),
        });

        let deals_damage = group
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Damage { .. }));
        if deals_damage {
            half_offers.push(OfferedCommand {
                command: command_to_apply(group, candidate.id, true),
                label: format!("{} shrugs off half", candidate.name),
            });
        }
    }

    let mut offers = whole_offers;
    offers.append(&mut half_offers);
    offers.retain(|offer| view.preview(&offer.command).is_ok());
    offers
}

/// Asks who takes the damage of a roll without a target, unless it was applied: `No target was chosen. Who takes the 8
/// damage?`
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
    let reason = match open.missing {
        Party::Opponent => "No target was chosen.",
        Party::Roller | Party::Helpers | Party::Table => "No character was chosen.",
    };
    let damage = open.effects.iter().find_map(hit_points);
    Some(match damage {
        Some(points) if points < 0 => {
            format!("{reason} Who takes the {} damage?", points.unsigned_abs())
        }
        Some(points) => format!("{reason} Who regains the {points} hit points?"),
        None => format!("{reason} Whom does it affect?"),
    })
}

/// Returns the command that applies the effects to one character.
fn command_to_apply(group: &PendingEffects, who: CharacterId, shrug_off: bool) -> Command {
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
pub(super) fn decline_follow_ups(entry: u64) -> OfferedCommand {
    OfferedCommand {
        command: Command::DeclineFollowUps(entry),
        label: NOTHING_FOLLOWS.to_owned(),
    }
}
