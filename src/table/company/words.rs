//! What an act would do, in words that one seat may read.

use crate::session::{CharacterId, ClockId, Command, PoolId, Who};
use crate::table::{Act, Seen};

/// What would be done, as one says it at the table: `tick The cliff by 2`.
pub(super) fn describe(act: &Act, seen: &Seen<'_>) -> String {
    match act {
        Act::Do(command) => describe_command(command, seen),
        Act::Undo => "take the last change back".to_owned(),
        Act::Redo => "bring back what was taken back".to_owned(),
        Act::Strike { entry, reason } if reason.is_empty() => format!("strike #{entry}"),
        Act::Strike { entry, reason } => format!("strike #{entry}: {reason}"),
        Act::Amend { entry, fields, .. } => {
            let fields = fields
                .iter()
                .map(|(field, value)| format!("{field} {value}"));
            let fields = fields.collect::<Vec<_>>().join(", ");
            format!("read #{entry} again with {fields}")
        }
        Act::Reroll { entry, .. } => format!("roll #{entry} again"),
    }
}

fn describe_command(command: &Command, seen: &Seen<'_>) -> String {
    let signed = |by: i32| format!("{by:+}").replace('-', "−");
    match command {
        Command::Throw(throw) => format!("roll {}", throw.notation),
        Command::Roll(roll) => {
            let check = roll.fields.spec().label;
            match roll.who {
                Who::Character(id) => format!("roll {check} for {}", character(id, seen)),
                Who::Nobody => format!("roll {check}"),
            }
        }
        Command::Tick { clock: id, by } => format!("{}: {}", clock(*id, seen), signed(*by)),
        Command::Tokens { pool: id, by } => format!("{}: {}", pool(*id, seen), signed(*by)),
        Command::SetTokens { pool: id, to } => format!("set {} to {to}", pool(*id, seen)),
        Command::MoveTokens { from, to, amount } => format!(
            "move {amount} from {} to {}",
            pool(*from, seen),
            pool(*to, seen)
        ),
        Command::Award {
            pool: id,
            amount,
            why,
        } => {
            let why = if why.is_empty() {
                String::new()
            } else {
                format!(" ({why})")
            };
            format!("award {amount} to {}{why}", pool(*id, seen))
        }
        Command::StepStat { who, stat, by } => {
            format!("{}: {stat} {}", character(*who, seen), signed(*by))
        }
        Command::SetStat { who, stat, value } => {
            format!("{}: {stat} {value}", character(*who, seen))
        }
        Command::SetConditions { who, conditions } => {
            let names: Vec<&str> = conditions.iter().map(|one| one.name.as_str()).collect();
            let names = if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(", ")
            };
            format!("{}: conditions {names}", character(*who, seen))
        }
        Command::SetActed { who, acted: true } => format!("{} has acted", character(*who, seen)),
        Command::SetActed { who, acted: false } => {
            format!("{} has not acted", character(*who, seen))
        }
        Command::NextRound => "begin the next round".to_owned(),
        Command::NextScene { name } if name.is_empty() => "end the scene".to_owned(),
        Command::NextScene { name } => format!("begin the scene {name}"),
        Command::EndSession => "end the session".to_owned(),
        Command::AddCharacter(one) | Command::EditCharacter(one) => {
            format!("the character {}", one.name)
        }
        Command::AddClock(one) | Command::EditClock(one) => format!("the clock {}", one.name),
        Command::AddPool(one) | Command::EditPool(one) => format!("the pool {}", one.name),
        Command::RemoveCharacter(id) => format!("take {} away", character(*id, seen)),
        Command::RemoveClock(id) => format!("take the clock {} away", clock(*id, seen)),
        Command::RemovePool(id) => format!("take the pool {} away", pool(*id, seen)),
        Command::DuplicateCharacter(id) => format!("another {}", character(*id, seen)),
        Command::DuplicateClock(id) => format!("another clock {}", clock(*id, seen)),
        Command::Complicate { who, aspect } => {
            format!("{}: {aspect} complicates", character(*who, seen))
        }
        Command::All(all) => {
            let all = all.iter().map(|one| describe_command(one, seen));
            all.collect::<Vec<_>>().join("; ")
        }
        // Rare ones; the GM sees in the log what came of it, and can take it back.
        _ => "a change to the game".to_owned(),
    }
}

fn character(id: CharacterId, seen: &Seen<'_>) -> String {
    let found = seen.character(id);
    found.map_or("somebody", |one| one.name.as_str()).to_owned()
}

fn clock(id: ClockId, seen: &Seen<'_>) -> String {
    let found = seen.clock(id);
    found
        .map_or("a clock", |one| one.clock.name.as_str())
        .to_owned()
}

fn pool(id: PoolId, seen: &Seen<'_>) -> String {
    let Some(pool) = seen.pools().find(|pool| pool.id == id) else {
        return "a pool".to_owned();
    };
    match pool.owner {
        Some(_) => format!("{} of {}", pool.name, seen.owner_name(pool.owner)),
        None => pool.name.clone(),
    }
}
