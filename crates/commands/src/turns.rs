//! Commands for fights, rounds, the turn order and attendance.
#![expect(
    clippy::unnecessary_wraps,
    reason = "the functions of all commands have the same type"
)]

use super::error::{refused, shorten};
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec, Target};
use tableside_game::{
    Allegiance, CharacterId, Command, Initiative, InitiativeCommand, InitiativeError,
    SIDE_INITIATIVES,
};
use tableside_table::SeatView;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::MarkActed,
        "acted WHO…",
        "Mark characters as having acted this round",
        mark_acted,
    )
    .applies_if(has_not_acted),
    CommandSpec::new(
        CommandId::MarkWaiting,
        "waits/unacted WHO…",
        "Mark characters as not having acted this round",
        mark_waiting,
    )
    .applies_if(has_acted),
    CommandSpec::new(
        CommandId::RollInitiative,
        "roll initiative [~for all|enemies/adversaries|new]",
        "Roll initiative and begin the fight: for all, for enemies, or for those without an initiative; neutral characters take no \
         turn",
        roll_initiative_of_group,
    ),
    CommandSpec::new(
        CommandId::RollInitiative,
        "roll initiative ~for WHO…",
        "Roll initiative for these characters",
        roll_initiative,
    ),
    CommandSpec::new(
        CommandId::SetInitiative,
        "initiative by side ~first party|enemies/adversaries",
        "Let one side act before the other; neutral characters take no turn",
        set_initiative_by_side,
    ),
    // This form precedes the one with a value, because a value is a text and accepts the word `none` as well.
    CommandSpec::new(
        CommandId::ClearInitiative,
        "initiative ~of WHO… none",
        "Remove characters from the turn order",
        clear_initiative,
    )
    .applies_if(has_initiative),
    CommandSpec::new(
        CommandId::SetInitiative,
        "initiative ~of WHO… ~is VALUE",
        "Set the initiative of characters; the highest initiative acts first",
        set_initiative,
    ),
    CommandSpec::new(
        CommandId::EndTurn,
        "end/next ~the turn",
        "End the current turn; after the last turn a new round starts",
        end_turn,
    ),
    CommandSpec::new(
        CommandId::EndFight,
        "end/stop ~the fight/combat",
        "End the fight: clear the turn order, the round, and the marks of those that have acted",
        end_fight,
    ),
    CommandSpec::new(
        CommandId::NextRound,
        "next/new round",
        "Start the next round: characters can act again, and conditions lose one round",
        next_round,
    ),
    CommandSpec::new(
        CommandId::MarkAbsent,
        "absent WHO…",
        "Mark characters as absent today",
        mark_absent,
    )
    .applies_if(is_present),
    CommandSpec::new(
        CommandId::MarkPresent,
        "present/here WHO…",
        "Mark characters as present again",
        mark_present,
    )
    .applies_if(is_absent),
];

fn has_not_acted(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| !character.acted)
}

fn has_acted(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| character.acted)
}

fn has_initiative(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| character.initiative.is_some())
}

fn is_present(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| !character.absent)
}

fn is_absent(target: &Target, view: &SeatView<'_>) -> bool {
    let character = target.character(view);
    character.is_some_and(|character| character.absent)
}

fn mark_acted(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.acted = true)
}

fn mark_waiting(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.acted = false)
}

fn mark_absent(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.absent = true)
}

fn mark_present(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.absent = false)
}

/// The characters for which the GM rolls initiative at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitiativeGroup {
    All,
    Enemies,
    /// The characters without a place in the turn order.
    New,
}

impl InitiativeGroup {
    /// The characters of the group that take turns. Neutral characters and those that are out of the fight are left out.
    pub fn members(self, view: &SeatView<'_>) -> Vec<CharacterId> {
        view.roster()
            .filter(|character| character.is_combatant() && view.takes_turn(character))
            .filter(|character| match self {
                Self::All => character.side != Allegiance::Neutral,
                Self::Enemies => character.side == Allegiance::Adversary,
                Self::New => {
                    character.side != Allegiance::Neutral && character.initiative.is_none()
                }
            })
            .map(|character| character.id)
            .collect()
    }
}

fn roll_initiative_of_group(args: &Args<'_>) -> ActResult {
    let group = if args.has("enemies") {
        InitiativeGroup::Enemies
    } else if args.has("new") {
        InitiativeGroup::New
    } else {
        InitiativeGroup::All
    };

    let rolls = group.members(args.view);
    if rolls.is_empty() {
        return Err(refused("no such character is here to roll initiative"));
    }
    roll_for(rolls)
}

fn roll_initiative(args: &Args<'_>) -> ActResult {
    roll_for(args.character_ids().collect())
}

fn roll_for(rolls: Vec<CharacterId>) -> ActResult {
    let set = Vec::new();
    Ok(Command::Initiative(InitiativeCommand { rolls, set }).into())
}

fn clear_initiative(args: &Args<'_>) -> ActResult {
    set_all(args, None)
}

fn set_all(args: &Args<'_>, initiative: Option<Initiative>) -> ActResult {
    let set = args.character_ids().map(|who| (who, initiative)).collect();
    let rolls = Vec::new();
    Ok(Command::Initiative(InitiativeCommand { rolls, set }).into())
}

/// Gives all characters of a side the same initiative. The allies of the party act with it.
fn set_initiative_by_side(args: &Args<'_>) -> ActResult {
    let adversaries_are_first = args.has("enemies");
    let [first, second] = SIDE_INITIATIVES.map(Initiative::from);

    let mut set = Vec::new();
    for who in InitiativeGroup::All.members(args.view) {
        let Some(character) = args.view.character(who) else {
            continue;
        };
        let is_adversary = character.side == Allegiance::Adversary;
        let initiative = if is_adversary == adversaries_are_first {
            first
        } else {
            second
        };
        set.push((who, Some(initiative)));
    }
    if set.is_empty() {
        return Err(refused("no character is here to take turns"));
    }
    let rolls = Vec::new();
    Ok(Command::Initiative(InitiativeCommand { rolls, set }).into())
}

/// Sets the initiative of characters. If no round is running, also starts the first round.
fn set_initiative(args: &Args<'_>) -> ActResult {
    let initiative: Initiative = args.text().parse().map_err(|error: InitiativeError| {
        let typed = shorten(args.text());
        let reason = format!("initiative {error}, not \"{typed}\"");
        refused(reason)
    })?;
    set_all(args, Some(initiative))
}

fn end_turn(_: &Args<'_>) -> ActResult {
    Ok(Command::EndTurn.into())
}

fn end_fight(_: &Args<'_>) -> ActResult {
    Ok(Command::EndFight.into())
}

fn next_round(_: &Args<'_>) -> ActResult {
    Ok(Command::NextRound.into())
}
