//! Finds the pending roll that a command refers to: by its number, by its character, or as the only pending roll.

use super::error::{ParseError, refused};
use super::slots::Args;
use tableside_game::{CharacterId, Unfinished, UnfinishedId};
use tableside_rules::Answer;
use tableside_table::SeatView;
use tableside_text::join;

/// Finds the pending roll with the typed number. Without a number, exactly one roll must be pending; if a character was
/// named, only that character's rolls count.
pub(super) fn find_pending_roll(args: &Args<'_>) -> Result<UnfinishedId, ParseError> {
    let roller = args.first_character();
    let mut pending = Vec::new();
    for roll in args.view.unfinished() {
        if roller.is_none() || roll.roll.id == roller {
            pending.push(roll);
        }
    }

    if let Some(number) = args.slots.entry_tag {
        return find_by_number(number, roller, &pending, args.view);
    }
    match pending.as_slice() {
        [] => {
            let reason = describe_none_pending(roller, args.view);
            Err(refused(reason))
        }
        [only] => Ok(only.id),
        [first, ..] => {
            let tag = args.view.waiting_tag(first.id);
            let command = args.slots.words.join(" ");
            let example = format!("{command} {tag} {}", args.text());
            Err(ParseError::AmbiguousRoll {
                rolls: describe_each(&pending, args.view),
                example: example.trim_end().to_owned(),
            })
        }
    }
}

/// Finds the roll with this number among the pending rolls of `roller`, or of all characters.
fn find_by_number(
    number: u64,
    roller: Option<CharacterId>,
    pending: &[&Unfinished],
    view: &SeatView<'_>,
) -> Result<UnfinishedId, ParseError> {
    let id = view.waiting_numbered(number);
    if let Some(roll) = pending.iter().find(|roll| Some(roll.id) == id) {
        return Ok(roll.id);
    }

    let of_roller = match roller {
        Some(_) => format!(" of {}", view.owner_name(roller)),
        None => String::new(),
    };
    let alternatives = if pending.is_empty() {
        describe_none_pending(roller, view)
    } else {
        let rolls = describe_each(pending, view).join(", ");
        format!("the pending rolls are {rolls}")
    };
    let reason = format!("#{number} is not a pending roll{of_roller}; {alternatives}");
    Err(refused(reason))
}

fn describe_none_pending(roller: Option<CharacterId>, view: &SeatView<'_>) -> String {
    match roller {
        Some(_) => format!("{} has no pending roll", view.owner_name(roller)),
        None => "no roll is pending".to_owned(),
    }
}

fn describe_each(pending: &[&Unfinished], view: &SeatView<'_>) -> Vec<String> {
    pending
        .iter()
        .map(|roll| describe_pending_roll(roll, view))
        .collect()
}

/// Describes a pending roll with its number: `#12 (Mira, Skill check: 1, 5)`.
fn describe_pending_roll(pending: &Unfinished, view: &SeatView<'_>) -> String {
    let roll = &pending.roll;
    let mut description = String::new();

    if !roll.who.is_empty() {
        description.push_str(&roll.who);
        description.push_str(", ");
    }
    if let Ok(check) = roll.spec(view.system()) {
        description.push_str(check.label);
    }

    let faces = roll.trail.iter().filter_map(|answer| match answer {
        Answer::Faces(faces) => Some(join(faces, ", ")),
        Answer::Chose { .. } => None,
    });
    let faces = join(faces, ", ");
    if !faces.is_empty() {
        description.push_str(": ");
        description.push_str(&faces);
    }

    let tag = view.waiting_tag(pending.id);
    format!("{tag} ({description})")
}
