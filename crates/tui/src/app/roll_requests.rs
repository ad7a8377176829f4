//! The calls, pending rolls, questions, effects and newcomers that wait for a seat, and the choice of a roller for a group.

use crate::app::offered::is_own;
use crate::dialog::{
    QuestionId, WaitingEffects, all_waiting_effects, open_questions, question_text,
};
use crate::widget::odds::percent;
use tableside_commands::InitiativeGroup;
use tableside_dice::Fraction;
use tableside_game::{
    Call, CharacterId, EntityRef, EventKind, GroupKind, GroupPick, Part, Roll, Unfinished,
};
use tableside_rules::{Field, Side, System, Value, ValueSource};
use tableside_table::{Entry, SeatRole, SeatView};

/// Describes a call: the check, and the fields that the GM set.
pub(crate) fn describe_call(call: &Call, view: &SeatView<'_>) -> String {
    let Ok(check) = view.system().check(&call.check) else {
        return call.check.clone();
    };

    let mut description = check.label.to_owned();
    for (id, value) in &call.fields {
        if let Some(field) = check.field(id) {
            let value = describe_value(field, value);
            description.push_str(&format!(", {} {value}", field.label));
        }
    }
    description
}

/// Describes the typed value of a field, with the name that the rules give to a number.
fn describe_value(field: &Field, typed: &str) -> String {
    let number = typed.trim().parse().ok();
    let name = number.and_then(|number| field.name_of(number));
    let value = typed.replace('-', " ");
    match name {
        Some(name) => format!("{value} {name}"),
        None => value,
    }
}

/// The calls that this seat may answer. The oldest is the first.
pub(crate) fn to_answer<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = &'a Call> {
    let seat = view.seat();
    view.calls().filter(move |call| match seat.role {
        SeatRole::Gm => true,
        SeatRole::Player => seat.characters.contains(&call.who),
        SeatRole::Watcher => false,
    })
}

/// The pending rolls that this seat may continue.
pub(crate) fn to_resume<'a>(view: &'a SeatView<'_>) -> impl Iterator<Item = &'a Unfinished> {
    view.unfinished().filter(move |pending| {
        let waits_for_gm = view.game().decider(pending.id) == Some(Side::Gm);
        let may_answer = view.seat().sees_all() || !waits_for_gm;
        may_answer && is_own(pending.roll.id, false, view)
    })
}

/// Describes all pending rolls. `None` if there are none.
pub(crate) fn describe_pending(view: &SeatView<'_>) -> Option<String> {
    let rollers: Vec<&str> = view
        .unfinished()
        .map(|pending| pending.roll.who.as_str())
        .collect();
    match rollers.as_slice() {
        [] => None,
        [""] => Some("a roll waits".to_owned()),
        [roller] => Some(format!("{roller}'s roll waits")),
        rollers => Some(format!("{} rolls wait", rollers.len())),
    }
}

/// Something other than a roll that waits for this seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Waiting {
    /// A question of a sheet, such as the name of a trauma.
    Question(QuestionId),
    /// Effects of a roll that no character took yet, such as damage, with the number of its entry.
    Effects(u64),
    /// Characters that joined a fight without a place in the order of turns.
    Initiative,
}

/// Returns what waits for the GM besides rolls, each with its description.
pub(crate) fn waiting_for_gm(view: &SeatView<'_>) -> Vec<(Waiting, String)> {
    let mut waiting = Vec::new();
    if view.role() != SeatRole::Gm {
        return waiting;
    }

    for (id, _) in open_questions(view) {
        let text = question_text(id, view).unwrap_or_default();
        waiting.push((Waiting::Question(id), text));
    }
    for WaitingEffects { entry, text } in all_waiting_effects(view) {
        waiting.push((Waiting::Effects(entry), format!("waiting: {text}")));
    }
    if let Some(text) = describe_newcomers(view) {
        waiting.push((Waiting::Initiative, text));
    }
    waiting
}

/// Names the characters that joined the fight without a place in the order of turns: `Ogre has no initiative`.
fn describe_newcomers(view: &SeatView<'_>) -> Option<String> {
    let newcomers = newcomers_without_turn(view);
    let (first, others) = newcomers.split_first()?;
    let name = view.owner_name(Some(*first));
    Some(match others.len() {
        0 => format!("{name} has no initiative"),
        count => format!("{name} and {count} more have no initiative"),
    })
}

/// The characters without an initiative that joined since the order of turns was last set. The GM left out those that
/// were there before.
fn newcomers_without_turn(view: &SeatView<'_>) -> Vec<CharacterId> {
    if !view.has_turn_order() {
        return Vec::new();
    }
    let mut without_turn = InitiativeGroup::New.members(view);
    if without_turn.is_empty() {
        return without_turn;
    }

    let mut arrivals = Vec::new();
    for entry in view.log() {
        if view.is_struck(entry.number) {
            continue;
        }
        if matches!(entry.event.what, EventKind::Initiative { .. }) {
            break;
        }
        for change in &entry.event.changes {
            let is_return = change.part == Part::Absent;
            if let EntityRef::Character(id) = change.entity
                && (change.is_addition() || is_return)
            {
                arrivals.push(id);
            }
        }
    }
    without_turn.retain(|id| arrivals.contains(id));
    without_turn
}

/// Describes what waits for the GM: the first item, and the number of the others.
pub(crate) fn describe_waiting(waiting: &[(Waiting, String)]) -> Option<String> {
    let ((_, first), others) = waiting.split_first()?;
    Some(match others.len() {
        0 => first.clone(),
        count => format!("{first} (and {count} more)"),
    })
}

/// Describes all pending rolls. `None` if this seat may not continue any of them.
pub(crate) fn describe_pending_for_seat(view: &SeatView<'_>) -> Option<String> {
    to_resume(view).next()?;
    describe_pending(view)
}

/// The system's name for the roller of a group.
pub(crate) fn group_name(system: System, kind: GroupKind) -> &'static str {
    let group = &system.spec().group;
    match kind {
        GroupKind::Worst => group.worst,
        GroupKind::Best => group.best,
    }
}

/// Names the roller of a group, with the reason: `Bo has the lowest chance: Bo 23%, Mira 41%.`
pub(crate) fn describe_pick(pick: &GroupPick, kind: GroupKind, view: &SeatView<'_>) -> String {
    let roller = view.owner_name(Some(pick.who));
    if pick.chances.len() < 2 {
        return format!("{roller} is alone.");
    }

    let mut own_chance = Vec::new();
    let mut other_chances = Vec::new();
    for (id, chance) in &pick.chances {
        let description = describe_chance(*id, chance.as_ref(), view);
        if *id == pick.who {
            own_chance.push(description);
        } else {
            other_chances.push(description);
        }
    }
    let mut chances = own_chance;
    chances.extend(other_chances);

    let reason = reason_for_pick(pick, kind, view.system());
    format!("{roller} {reason}: {}.", chances.join(", "))
}

fn describe_chance(id: CharacterId, chance: Option<&Fraction>, view: &SeatView<'_>) -> String {
    let name = view.owner_name(Some(id));
    match chance {
        Some(chance) => format!("{name} {}", percent(chance.to_f64().value())),
        None => name.to_owned(),
    }
}

fn reason_for_pick(pick: &GroupPick, kind: GroupKind, system: System) -> &'static str {
    if kind == GroupKind::Best
        && let Some(highest) = system.spec().group.highest
    {
        return highest;
    }

    match (kind, is_tie(pick)) {
        (GroupKind::Worst, true) => "is among those with the lowest chance",
        (GroupKind::Best, true) => "is among those with the highest chance",
        (GroupKind::Worst, false) => "has the lowest chance",
        (GroupKind::Best, false) => "has the highest chance",
    }
}

/// True if another character has the same chance as the roller.
fn is_tie(pick: &GroupPick) -> bool {
    let mut chances = pick.chances.iter();
    let own_chance = match chances.find(|(id, _)| *id == pick.who) {
        Some((_, chance)) => chance.as_ref(),
        None => None,
    };
    for (id, chance) in &pick.chances {
        if *id != pick.who && chance.as_ref() == own_chance {
            return true;
        }
    }
    false
}

/// Describes the tokens that a roll spent on an aspect, which the GM has to approve (Heart Rush, "Positive
/// Invocation"). `None` for an entry without them.
pub(crate) fn spent_on_an_aspect(entry: &Entry, view: &SeatView<'_>) -> Option<String> {
    let (EventKind::Rolled(roll) | EventKind::Incomplete(roll)) = &entry.event.what else {
        return None;
    };

    let spec = roll.spec(view.system()).ok()?;
    let mut fields = spec.fields.iter();
    let spent = fields.find_map(|field| spent_on(field, roll, view))?;
    let roller = &roll.who;
    let number = entry.number;
    Some(format!(
        "{roller} spends {spent}: amend or undo #{number} if it does not apply"
    ))
}

/// Describes the tokens that a field spends on an aspect: `2 Destiny Points on Quick-witted`.
fn spent_on(field: &Field, roll: &Roll, view: &SeatView<'_>) -> Option<String> {
    let pool = field.spends?;
    if !matches!(field.source, ValueSource::Ranked { .. }) {
        return None;
    }
    let Value::Number(tokens) = roll.fields.get(field.id)? else {
        return None;
    };
    if *tokens <= 0 {
        return None;
    }

    let aspect = match roll.sources.get(field.id) {
        Some(source) => source.to_string(),
        None => "an aspect".to_owned(),
    };
    let tokens = view.system().spec().tokens(pool, *tokens);
    Some(format!("{tokens} on {aspect}"))
}
