//! Commands for characters: conditions, damage, rest, stats and sides.
#![expect(
    clippy::unnecessary_wraps,
    reason = "the functions of all commands have the same type"
)]

use super::conditions::{add_condition, end_conditions};
use super::error::{gone, refused};
use super::name_lookup::{KnownName, find_name_surely};
use super::spec::ActResult;
use super::{Args, CommandId, CommandSpec, Target};
use tableside_game::{Allegiance, Blow, Character, Command, CommandError, Rest};
use tableside_rules::{Id, Sheet};
use tableside_table::SeatView;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        CommandId::AddCondition,
        "condition WHO… ~is NAME [AMOUNT] [~for ROUNDS rounds/round/turns/turn] [until/to ~the start|end ~of ~its ~next turn]",
        "Give characters a condition; AMOUNT is its level, and ROUNDS is how many rounds it lasts, or how many of its turns if \
         it ends at the start or the end of a turn",
        add_condition,
    ),
    CommandSpec::new(
        CommandId::EndCondition,
        "cure/uncondition WHO… [~of NAME]",
        "End the condition NAME of characters, or all their conditions",
        end_conditions,
    )
    .applies_if(has_conditions),
    CommandSpec::new(
        CommandId::Damage,
        "damage WHO… AMOUNT [critical|knockout] [~and shrug ~off]",
        "Deal damage; add critical for a critical hit, knockout for a melee hit that leaves 1 hit point, or shrug to halve \
         the damage and shrink the heart die",
        damage,
    ),
    CommandSpec::new(
        CommandId::Damage,
        "WHO… takes/take AMOUNT ~points ~of ~damage [~and shrug ~off]",
        "Deal damage to characters",
        damage,
    ),
    CommandSpec::new(
        CommandId::Heal,
        "heal WHO… ~by AMOUNT",
        "Restore hit points, up to the maximum",
        heal,
    ),
    CommandSpec::new(
        CommandId::Heal,
        "WHO… heals/heal AMOUNT",
        "Restore hit points, up to the maximum",
        heal,
    ),
    CommandSpec::new(
        CommandId::Rest,
        "rest WHO… short|long|failed",
        "Let characters rest; the rules decide what they recover",
        rest,
    ),
    CommandSpec::new(
        CommandId::FirstAid,
        "aid WHO wounds|traumas LEVELS",
        "Give First Aid; each effect level removes one Wound or Trauma",
        give_first_aid,
    ),
    CommandSpec::new(
        CommandId::TreatWounds,
        "treat WHO ~with TOTAL",
        "Treat wounds: reduce the rank of each wound by TOTAL, the result of a medicine check",
        treat_wounds,
    ),
    CommandSpec::new(
        CommandId::Unlock,
        "unlock WHO [NAME]",
        "Let a character try a failed challenge again, for example after a clue or a rest",
        unlock,
    )
    .applies_if(has_locks),
    CommandSpec::new(
        CommandId::SetStat,
        "set WHO… STAT ~to VALUE",
        "Set a stat on the sheets of characters",
        set_stat,
    ),
    CommandSpec::new(
        CommandId::RaiseStat,
        "raise WHO… STAT [~by AMOUNT]",
        "Raise a stat by one step, or by AMOUNT steps",
        raise_stat,
    ),
    CommandSpec::new(
        CommandId::LowerStat,
        "lower WHO… STAT [~by AMOUNT]",
        "Lower a stat by one step, or by AMOUNT steps",
        lower_stat,
    ),
    CommandSpec::new(
        CommandId::SetSide,
        "side WHO… party|ally|adversary/enemy|neutral|crew",
        "Move characters to a side",
        set_side,
    ),
    CommandSpec::new(
        CommandId::SetPlayer,
        "player ~of WHO NAME",
        "Set the name of a character's player",
        set_player,
    ),
    CommandSpec::new(
        CommandId::SetNotes,
        "notes ~of WHO TEXT",
        "Replace the GM's notes on a character",
        set_notes,
    ),
    CommandSpec::new(
        CommandId::AddCharacter,
        "add/new character NAME [party|ally|adversary/enemy|neutral|crew] [hidden]",
        "Add a character with the system's default sheet",
        add_character,
    ),
];

fn has_conditions(target: &Target, view: &SeatView<'_>) -> bool {
    let Some(character) = target.character(view) else {
        return false;
    };
    let standing = view.standing_of(character);
    let can_end_state = standing.is_some_and(|standing| standing.can_end);
    can_end_state || !character.conditions.is_empty()
}

fn has_locks(target: &Target, view: &SeatView<'_>) -> bool {
    let mut locks = view.locks();
    locks.any(|(character, _)| *target == Target::Character(character.id))
}

fn damage(args: &Args<'_>) -> ActResult {
    let blow = if args.has("critical") {
        Blow::Critical
    } else if args.has("knockout") {
        Blow::KnockOut
    } else {
        Blow::Ordinary
    };

    args.for_each_character(|who| Command::Damage {
        who,
        amount: args.amount(),
        shrug_off: args.has("shrug"),
        blow,
    })
}

fn heal(args: &Args<'_>) -> ActResult {
    args.for_each_character(|who| Command::Heal {
        who,
        amount: args.amount(),
    })
}

fn rest(args: &Args<'_>) -> ActResult {
    let kind = if args.has("short") {
        Rest::Short
    } else if args.has("long") {
        Rest::Long
    } else {
        Rest::LongFailed
    };
    args.for_each_character(|who| Command::Rest { who, rest: kind })
}

fn give_first_aid(args: &Args<'_>) -> ActResult {
    let track = if args.has("wounds") {
        Id::new("blood")
    } else {
        Id::new("stress")
    };
    args.for_each_character(|who| Command::FirstAid {
        who,
        of: track,
        levels: args.amount(),
    })
}

fn treat_wounds(args: &Args<'_>) -> ActResult {
    args.for_each_character(|who| Command::TreatWounds {
        who,
        total: args.amount(),
    })
}

fn unlock(args: &Args<'_>) -> ActResult {
    let who = args.first_character().ok_or(gone("character"))?;

    let mut challenges = Vec::new();
    for (character, challenge) in args.view.locks() {
        if character.id == who {
            challenges.push(KnownName::new(challenge, challenge));
        }
    }

    let challenge = match challenges.as_slice() {
        [] => {
            let name = args.view.owner_name(Some(who));
            let reason = format!("{name} has no failed challenge to unlock");
            return Err(refused(reason));
        }
        [only] if args.name().is_empty() => only.value,
        _ => find_name_surely("locked challenge", args.name(), &challenges)?,
    };
    let command = Command::Unlock {
        who,
        about: challenge.to_owned(),
        why: String::new(),
    };
    Ok(command.into())
}

fn set_stat(args: &Args<'_>) -> ActResult {
    let id = args.stat()?;
    let sheet = Sheet::new(args.view.system());
    let stat = sheet.stat(id).map_err(CommandError::from)?;
    let value = stat
        .kind
        .parse(stat.label, args.text())
        .map_err(CommandError::from)?;

    args.for_each_character(|who| Command::SetStat {
        who,
        stat: id.to_owned(),
        value: value.clone(),
    })
}

fn raise_stat(args: &Args<'_>) -> ActResult {
    step_stat(args, args.amount())
}

fn lower_stat(args: &Args<'_>) -> ActResult {
    step_stat(args, args.negative_amount())
}

fn step_stat(args: &Args<'_>, by: i32) -> ActResult {
    let stat = args.stat()?;
    args.for_each_character(|who| Command::StepStat {
        who,
        stat: stat.to_owned(),
        by,
    })
}

fn chosen_side(args: &Args<'_>) -> Allegiance {
    if args.has("ally") {
        Allegiance::Ally
    } else if args.has("adversary") {
        Allegiance::Adversary
    } else if args.has("neutral") {
        Allegiance::Neutral
    } else if args.has("crew") {
        Allegiance::Crew
    } else {
        Allegiance::Party
    }
}

fn set_side(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| character.side = chosen_side(args))
}

fn set_player(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| args.name().clone_into(&mut character.player))
}

fn set_notes(args: &Args<'_>) -> ActResult {
    args.edit_characters(|character| args.text().clone_into(&mut character.notes))
}

fn add_character(args: &Args<'_>) -> ActResult {
    let sheet = Sheet::new(args.view.system());
    let character = Character {
        side: chosen_side(args),
        hidden: args.has("hidden"),
        ..Character::new(args.name(), sheet)
    };
    Ok(Command::add(character).into())
}
