//! What an act would do, in words that one seat may read.

use crate::session::{Command, CommandError, Who};
use crate::table::{Act, SeatView};

/// What would be done, as the log would tell it: `The cliff +2: 4 of 6`.
pub(super) fn describe(act: &Act, seen: &SeatView<'_>) -> Result<String, CommandError> {
    match act {
        Act::Do(command) => describe_command(command, seen),
        Act::Undo => Ok("take the last change back".to_owned()),
        Act::Redo => Ok("bring back what was taken back".to_owned()),
        Act::Strike { entry, .. } => Ok(format!("take back: {}", told(*entry, seen))),
        Act::Amend { entry, fields, .. } => {
            let fields = fields
                .iter()
                .map(|(field, value)| format!("{field} {value}"));
            let fields = fields.collect::<Vec<_>>().join(", ");
            Ok(format!("read again with {fields}: {}", told(*entry, seen)))
        }
        Act::Reroll { entry, .. } => Ok(format!("roll again: {}", told(*entry, seen))),
    }
}

fn told(entry: u64, seen: &SeatView<'_>) -> String {
    seen.entry(entry).map_or_else(
        || format!("#{entry}"),
        |entry| entry.event.text(seen.system()),
    )
}

fn describe_command(command: &Command, seen: &SeatView<'_>) -> Result<String, CommandError> {
    match command {
        // What the dice say is not known before.
        Command::Throw(throw) => Ok(format!("roll {}", throw.notation)),
        Command::Roll(roll) => {
            let check = roll.fields.spec().label;
            let who = match roll.who {
                Who::Character(id) => seen.character(id),
                Who::Nobody => None,
            };
            Ok(match who {
                Some(one) => format!("roll {check} for {}", one.name),
                None => format!("roll {check}"),
            })
        }
        Command::All(all) => {
            let all = all.iter().map(|one| describe_command(one, seen));
            Ok(all.collect::<Result<Vec<_>, _>>()?.join("; "))
        }
        command => seen.would(command),
    }
}
