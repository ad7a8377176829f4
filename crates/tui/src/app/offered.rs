//! The actions that a seat is offered: by the line of keys, the help and the palette.

use crate::app::action::Action;
use tableside_game::{CharacterId, Command, Every, Reset};
use tableside_rules::FirstAid;
use tableside_table::{SeatId, SeatRole, SeatView};

/// True if the action has a use under these rules and for this seat. With the keys of other actions, a player can
/// suggest changes to the GM.
pub(crate) fn is_offered(action: Action, view: &SeatView<'_>) -> bool {
    if !has_use_in_system(action, view) {
        return false;
    }

    match action {
        Action::Pause => !view.is_view(),
        Action::Games | Action::Editor => view.seat().id == SeatId::HOST,
        _ if view.is_view() => is_offered_to_watchers(action),
        _ => match view.role() {
            SeatRole::Gm => true,
            SeatRole::Player => is_offered_to_players(action, view),
            SeatRole::Watcher => is_offered_to_watchers(action),
        },
    }
}

/// False for an action that the system lacks, or that the present state of the game has no use for.
fn has_use_in_system(action: Action, view: &SeatView<'_>) -> bool {
    let spec = view.system().spec();
    let has_stat = |id: &str| {
        let mut stats = spec.stats.iter();
        stats.any(|stat| stat.id == id)
    };
    let has_locks = || view.locks().next().is_some();

    match action {
        Action::Damage => has_stat("hit-points"),
        Action::Rest => {
            let has_recovery = spec.has_rest_rules() || has_stat("heart-now");
            has_recovery || has_pools_for_rests(view) || has_locks() || has_clocks_for_rests(view)
        }
        Action::FirstAid => {
            let has_several_characters = view.roster().nth(1).is_some();
            has_several_characters && spec.first_aid != FirstAid::None
        }
        Action::Unlock => has_locks(),
        Action::EndFight => view.has_turn_order() || view.round > 0,
        Action::TakenOut => spec.taken_out,
        _ => true,
    }
}

/// True if a rest ticks any clock.
fn has_clocks_for_rests(view: &SeatView<'_>) -> bool {
    view.clocks()
        .any(|clock_view| clock_view.clock.every.contains_key(&Every::Rest))
}

/// True if a rest refills any pool.
fn has_pools_for_rests(view: &SeatView<'_>) -> bool {
    view.pools()
        .any(|pool| matches!(pool.reset, Reset::ShortRest | Reset::LongRest))
}

fn is_offered_to_players(action: Action, view: &SeatView<'_>) -> bool {
    match action {
        Action::Gain => view.allowed().table_pools || may_gain_any(view),
        Action::EndTurn => view.may(&Command::EndTurn.into()),
        Action::Spend => plays_character(view) || view.allowed().table_pools,
        Action::Advance | Action::Back => plays_character(view) || view.allowed().table_clocks,
        _ if needs_character(action) => plays_character(view),
        _ => !is_for_gm(action),
    }
}

fn is_offered_to_watchers(action: Action) -> bool {
    let changes_game = matches!(
        action,
        Action::Gain
            | Action::Spend
            | Action::Advance
            | Action::Back
            | Action::DeleteNote
            | Action::Edit
            | Action::Mark
            | Action::Note
            | Action::NoteAbout
            | Action::Open
            | Action::Redo
            | Action::Share
            | Action::Undo
    );
    !(changes_game || needs_character(action) || is_for_gm(action))
}

/// True for actions that a player needs a character for.
fn needs_character(action: Action) -> bool {
    matches!(
        action,
        Action::Dice
            | Action::NextValue
            | Action::PreviousValue
            | Action::Purse
            | Action::Repeat
            | Action::Resume
            | Action::Roll
            | Action::StepDown
            | Action::StepUp
    )
}

/// True for actions that only the GM is offered.
fn is_for_gm(action: Action) -> bool {
    matches!(
        action,
        Action::Absent
            | Action::Accept
            | Action::Acted
            | Action::Amend
            | Action::Amount
            | Action::Award
            | Action::BringScene
            | Action::CallRoll
            | Action::Handout
            | Action::Hidden
            | Action::Conditions
            | Action::Cover
            | Action::Damage
            | Action::Decline
            | Action::Delete
            | Action::Duplicate
            | Action::DuplicateMany
            | Action::EndFight
            | Action::EndSession
            | Action::EndTurn
            | Action::Export
            | Action::FewerSegments
            | Action::FirstAid
            | Action::HouseRules
            | Action::Invite
            | Action::Link
            | Action::MoreSegments
            | Action::MoveTokens
            | Action::NameGame
            | Action::New
            | Action::NextRound
            | Action::NextScene
            | Action::RandomTables
            | Action::Rest
            | Action::SaveTemplate
            | Action::Seats
            | Action::Side
            | Action::UndoEntry
            | Action::Suspend
            | Action::TakenOut
            | Action::TurnOrder
            | Action::Unlock
            | Action::Visibility
    )
}

/// True if the player may mark tokens in any pool.
fn may_gain_any(view: &SeatView<'_>) -> bool {
    view.pools().any(|pool| {
        let gain = Command::Tokens {
            pool: pool.id,
            by: 1,
        };
        view.may(&gain.into())
    })
}

/// True if a character of the player is in the game.
fn plays_character(view: &SeatView<'_>) -> bool {
    let own_characters = &view.seat().characters;
    view.roster()
        .any(|character| own_characters.contains(&character.id))
}

/// True if the entry is a roll that the seat may make again.
pub(crate) fn may_repeat(entry: u64, view: &SeatView<'_>) -> bool {
    let Some(entry) = view.entry(entry) else {
        return false;
    };
    match entry.roll() {
        Some(roll) => roll.id.is_none() || is_own(roll.id, false, view),
        None => false,
    }
}

/// True if the seat may change an entity of this owner. Entities without an owner belong to the table, where
/// `is_table_allowed` decides for players.
pub(crate) fn is_own(
    owner: Option<CharacterId>,
    is_table_allowed: bool,
    view: &SeatView<'_>,
) -> bool {
    if view.is_view() {
        return false;
    }
    if view.role() == SeatRole::Gm {
        return true;
    }
    match owner {
        Some(owner) => view.seat().characters.contains(&owner),
        None => is_table_allowed,
    }
}
