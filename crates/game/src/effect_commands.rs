//! Commands in plain words that apply the effects of a roll to a character.

use super::pending_effects::hit_points;
use super::{Blow, Game, PendingEffects};
use tableside_rules::{ConditionChange, Counted, Effect, NumberChange};
use tableside_text::pluralise;

impl Game {
    /// Commands in plain words that apply these effects to the character with this name. Effects without a command are
    /// left out.
    pub fn commands_in_words(&self, group: &PendingEffects, name: &str) -> Vec<String> {
        group
            .effects
            .iter()
            .filter_map(|effect| self.command_in_words(effect, group.blow, name))
            .collect()
    }

    fn command_in_words(&self, effect: &Effect, blow: Blow, name: &str) -> Option<String> {
        if let Some(points) = hit_points(effect) {
            return Some(hit_points_command(points, blow, name));
        }

        let spec = self.system.spec();
        match effect {
            Effect::Token { pool, amount, .. } => {
                let pool = spec.pool(*pool)?;
                Some(token_command(pool.name, *amount, name))
            }
            Effect::Number(change) => match change.what {
                Counted::Pool => self.pool_command(change, name),
                Counted::Stat => self.stat_command(change, name),
                Counted::Clock => {
                    let clock = spec.clock(change.id)?;
                    Some(format!("tick {name} {} by {}", clock.name, change.by?))
                }
            },
            Effect::Consequence { amount, of } => {
                let clock = spec.clock(*of)?;
                Some(format!("tick {name} {} by {amount}", clock.name))
            }
            Effect::Condition(change) => Some(condition_command(change, name)),
            _ => None,
        }
    }

    fn pool_command(&self, change: &NumberChange, name: &str) -> Option<String> {
        let pool = self.system.spec().pool(change.id)?;
        if let Some(amount) = change.by {
            return Some(token_command(pool.name, amount, name));
        }

        let tokens = change.to.unwrap_or(pool.start);
        Some(format!("set {name} {} to {tokens}", pool.name))
    }

    fn stat_command(&self, change: &NumberChange, name: &str) -> Option<String> {
        let id = change.id.as_str();
        let stats = self.system.spec().stats;
        let stat = stats.iter().find(|stat| stat.id == id)?;

        let command = match (change.by, change.to) {
            (Some(steps), _) if steps < 0 => {
                format!("lower {name} {id} by {}", steps.unsigned_abs())
            }
            (Some(steps), _) => format!("raise {name} {id} by {steps}"),
            (None, Some(number)) => {
                let value = stat.value_of(number)?;
                format!("set {name} {id} to {value}")
            }
            (None, None) => {
                let value = stat.at_first();
                format!("set {name} {id} to {value}")
            }
        };
        Some(command)
    }
}

fn hit_points_command(points: i32, blow: Blow, name: &str) -> String {
    if points >= 0 {
        return format!("heal {name} {points}");
    }

    let suffix = match blow {
        Blow::Ordinary => "",
        Blow::Critical => " critical",
        Blow::KnockOut => " knockout",
    };
    format!("damage {name} {}{suffix}", points.unsigned_abs())
}

fn token_command(pool: &str, amount: i32, name: &str) -> String {
    if amount < 0 {
        format!("spend {} {pool} of {name}", amount.unsigned_abs())
    } else {
        format!("gain {amount} {pool} for {name}")
    }
}

fn condition_command(change: &ConditionChange, name: &str) -> String {
    let condition = &change.name;
    if change.gone {
        return format!("cure {name} of {condition}");
    }

    let level = match change.level {
        1 => String::new(),
        level => format!(" {level}"),
    };
    let duration = match change.rounds {
        Some(rounds) => format!(" for {}", pluralise(rounds, "round")),
        None => String::new(),
    };
    format!("condition {name} {condition}{level}{duration}")
}
