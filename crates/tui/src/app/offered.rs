//! Which actions a seat is offered: on the line of keys, in the help and in the palette. What only the GM does, nobody
//! else is shown.

use crate::app::action::Action;
use tableside_game::{CharacterId, Every};
use tableside_table::{ClockView, SeatId, SeatRole, SeatView};

/// Whether an action leads somewhere under these rules and for the one who sits here. A player may still press the
/// other keys, and suggest to the GM what they do.
pub(crate) fn is_offered(action: Action, view: &SeatView<'_>) -> bool {
    use Action::{
        Absent, Accept, Acted, Advance, Amend, Amount, Award, Back, BringScene, CallRoll, Closed,
        Conditions, Cover, Damage, Decline, Delete, DeleteNote, Dice, Duplicate, DuplicateMany,
        Edit, EndSession, EndTurn, Export, FewerSegments, FirstAid, Gain, HouseRules, Invite, Link,
        Mark, MoreSegments, MoveTokens, NameGame, New, NextRound, NextScene, NextValue, Note,
        NoteAbout, Open, Pause, PreviousValue, Purse, RandomTables, Redo, Repeat, Rest, Resume,
        Roll, Seats, Share, Side, Spend, StepDown, StepUp, Strike, Suspend, TakenOut, TurnOrder,
        Undo, Unlock, Visibility,
    };
    let role = if view.is_view() {
        SeatRole::Watcher
    } else {
        view.role()
    };
    let spec = view.system().spec();
    let knows = |stat: &str| spec.stats.iter().any(|one| one.id == stat);
    let has_locks = || view.locks().next().is_some();
    let ticks = |one: ClockView<'_>| one.clock.every.contains_key(&Every::Rest);
    let has_rests = || view.clocks().any(ticks);
    let is_alone = view.roster().nth(1).is_none();
    match action {
        Damage if !knows("hit-points") => false,
        Rest if !(knows("heart-now") || has_locks() || has_rests()) => false,
        FirstAid if is_alone || spec.first_aid == tableside_rules::FirstAid::None => false,
        Unlock if !has_locks() => false,
        TakenOut if !spec.taken_out => false,
        Pause if view.is_view() => false,
        Action::Games | Action::Editor => view.seat().id == SeatId::HOST,
        _ if role == SeatRole::Gm => true,
        Accept | Acted | Amend | Amount | Award | BringScene | CallRoll | Closed | Conditions
        | Cover | Damage | Decline | Delete | Duplicate | DuplicateMany | EndSession | Export
        | FewerSegments | FirstAid | HouseRules | Invite | Link | MoreSegments | MoveTokens
        | NameGame | New | NextRound | NextScene | RandomTables | Rest | Seats | Side | Strike
        | Suspend | TakenOut | TurnOrder | EndTurn | Unlock | Visibility | Absent => false,
        Gain => role == SeatRole::Player && view.allowed().table_pools,
        Spend => role == SeatRole::Player && (has_own(view) || view.allowed().table_pools),
        Advance | Back => {
            role == SeatRole::Player && (has_own(view) || view.allowed().table_clocks)
        }
        Dice | NextValue | PreviousValue | Purse | Repeat | Resume | Roll | StepDown | StepUp => {
            role == SeatRole::Player && has_own(view)
        }
        DeleteNote | Edit | Mark | Note | NoteAbout | Open | Redo | Share | Undo => {
            role == SeatRole::Player
        }
        // What is not named above leads somewhere for everybody.
        _ => true,
    }
}

/// Whether the person plays somebody who is here.
fn has_own(view: &SeatView<'_>) -> bool {
    let own = &view.seat().characters;
    view.roster().any(|one| own.contains(&one.id))
}

/// Whether that entry is a roll that the seat may make again.
pub(crate) fn may_repeat(entry: u64, view: &SeatView<'_>) -> bool {
    let entry = view.entry(entry);
    let roll = entry.as_ref().and_then(|entry| entry.roll());
    roll.is_some_and(|roll| roll.id.is_none() || is_own(roll.id, false, view))
}

/// Whether things of that owner are the seat's to change; of the table's own, the GM says so.
pub(crate) fn is_own(owner: Option<CharacterId>, is_allowed: bool, view: &SeatView<'_>) -> bool {
    let own = &view.seat().characters;
    let is_player = || owner.map_or(is_allowed, |owner| own.contains(&owner));
    !view.is_view() && (view.role() == SeatRole::Gm || is_player())
}
