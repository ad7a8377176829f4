//! Effects of a roll that were not applied, because the roll does not say which character they are for.

use super::{Blow, Character, Event, Game, Roll, Subject, fill_fields::opponent_of, part};
use tableside_rules::{
    ConditionChange, Counted, Effect, Id, NumberChange, Party, PoolOwner, Whose,
};
use tableside_text::join;

/// The effects of a roll that wait for a GM to choose one character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingEffects {
    /// The role in the roll that no character fills: the roller or the opponent.
    pub missing: Party,
    pub effects: Vec<Effect>,
    /// How damage among them hits.
    pub blow: Blow,
}

impl Game {
    /// The effects of a recorded roll that have no recipient, grouped by the missing character.
    pub fn pending_effects(&self, roll: &Roll) -> Vec<PendingEffects> {
        let mut groups = Vec::new();

        for missing in [Party::Opponent, Party::Roller] {
            if !self.lacks(missing, roll) {
                continue;
            }

            let effects: Vec<Effect> = roll
                .effects
                .iter()
                .filter(|effect| self.recipient(effect, roll) == Some(missing))
                .cloned()
                .collect();

            if !effects.is_empty() {
                groups.push(PendingEffects {
                    missing,
                    effects,
                    blow: self.blow_of(roll),
                });
            }
        }

        groups
    }

    /// One remark for the opponent and one for the roller, if an effect is due to a character that the roll does not
    /// name.
    pub(super) fn missing_recipients(&self, roll: &Roll, due: &[Effect]) -> Vec<Effect> {
        let mut remarks = Vec::new();

        for missing in [Party::Opponent, Party::Roller] {
            let is_due = due
                .iter()
                .any(|effect| self.recipient(effect, roll) == Some(missing));

            if is_due && self.lacks(missing, roll) {
                let field = match missing {
                    Party::Opponent => self.opponent_field(roll).unwrap_or_default(),
                    Party::Roller | Party::Helpers | Party::Table => String::new(),
                };
                remarks.push(Effect::NotBooked { field });
            }
        }

        remarks
    }

    /// True if the roll was made without this character. A character that was named and deleted later is not missing.
    pub fn lacks(&self, party: Party, roll: &Roll) -> bool {
        match party {
            Party::Roller => roll.id.is_none(),
            Party::Opponent => {
                let Ok(check) = roll.spec(self.system) else {
                    return false;
                };
                opponent_of(check, &roll.sources).is_none()
            }
            Party::Helpers | Party::Table => false,
        }
    }

    /// The characters that may receive the effects of a roll without that character, the most likely first.
    pub fn candidates(&self, roll: &Roll, missing: Party) -> Vec<&Character> {
        let mut candidates = match missing {
            Party::Opponent => {
                let roller = roll.id.and_then(|id| self.character(id));
                let check = roll.spec(self.system).ok();
                let field = check.and_then(|check| {
                    let mut fields = check.fields.iter();
                    fields.find(|field| field.whose == Whose::Opponent)
                });
                match field {
                    Some(field) => self.others(roller, field).collect(),
                    None => Vec::new(),
                }
            }
            Party::Roller => {
                let mut present: Vec<&Character> =
                    self.roster.iter().filter(|one| one.is_here()).collect();
                present.sort_by_key(|one| one.side as u8);
                present
            }
            Party::Helpers | Party::Table => Vec::new(),
        };

        candidates.sort_by_key(|one| one.sheet.standing(&self.house).is_some());
        candidates
    }

    /// Commands in plain words that apply these effects to a character of that name. An effect that no command
    /// expresses is left out.
    pub fn commands_in_words(&self, group: &PendingEffects, name: &str) -> Vec<String> {
        let commands = group
            .effects
            .iter()
            .filter_map(|effect| self.command_in_words(effect, group.blow, name));
        commands.collect()
    }

    fn command_in_words(&self, effect: &Effect, blow: Blow, name: &str) -> Option<String> {
        let spec = self.system.spec();

        if let Some(points) = hit_points(effect) {
            return Some(if points < 0 {
                let how = match blow {
                    Blow::Ordinary => "",
                    Blow::Critical => " critical",
                    Blow::KnockOut => " knockout",
                };
                format!("damage {name} {}{how}", points.unsigned_abs())
            } else {
                format!("heal {name} {points}")
            });
        }

        match effect {
            Effect::Token { pool, amount, .. } => {
                Some(tokens_in_words(spec.pool(*pool)?.name, *amount, name))
            }
            Effect::Number(change) => match change.what {
                Counted::Pool => {
                    let pool = spec.pool(change.id)?;
                    Some(if let Some(by) = change.by {
                        tokens_in_words(pool.name, by, name)
                    } else {
                        let to = change.to.unwrap_or(pool.start);
                        format!("set {name} {} to {to}", pool.name)
                    })
                }
                Counted::Stat => {
                    let mut stats = spec.stats.iter();
                    let stat = stats.find(|stat| stat.id == change.id.as_str())?;
                    Some(match (change.by, change.to) {
                        (Some(by), _) if by < 0 => {
                            format!("lower {name} {} by {}", stat.id, by.unsigned_abs())
                        }
                        (Some(by), _) => format!("raise {name} {} by {by}", stat.id),
                        (None, Some(to)) => {
                            format!("set {name} {} to {}", stat.id, stat.value_of(to)?)
                        }
                        (None, None) => format!("set {name} {} to {}", stat.id, stat.at_first()),
                    })
                }
                Counted::Clock => {
                    let clock = spec.clock(change.id)?;
                    Some(format!("tick {name} {} by {}", clock.name, change.by?))
                }
            },
            Effect::Consequence { amount, of } => {
                let clock = spec.clock(*of)?;
                Some(format!("tick {name} {} by {amount}", clock.name))
            }
            Effect::Condition(change) if change.gone => {
                Some(format!("cure {name} of {}", change.name))
            }
            Effect::Condition(change) => {
                let level = match change.level {
                    1 => String::new(),
                    level => format!(" {level}"),
                };
                let rounds = match change.rounds {
                    Some(rounds) => format!(" for {rounds} rounds"),
                    None => String::new(),
                };
                Some(format!("condition {name} {}{level}{rounds}", change.name))
            }
            _ => None,
        }
    }

    /// True if this event applied the effects to some character, without saying which roll they come from.
    pub fn applies_by_hand(&self, effects: &[Effect], event: &Event) -> bool {
        let mut effects = effects
            .iter()
            .filter(|effect| !matches!(effect, Effect::Offer { .. }));
        effects.any(|effect| {
            let mut changes = event.changes.iter();
            changes
                .any(|change| self.is_changed_by(effect, change) && amount_matches(effect, change))
        })
    }

    /// True if an event that follows from the roll changed what the effects change.
    pub fn applies(&self, effects: &[Effect], event: &Event) -> bool {
        effects.iter().any(|effect| {
            let mut changes = event.changes.iter();
            changes.any(|change| self.is_changed_by(effect, change))
        })
    }

    fn is_changed_by(&self, effect: &Effect, change: &super::Change) -> bool {
        let is_stat = |id: &str| change.stat().is_some_and(|(_, stat)| stat == id);
        let is_pool = |id: Id| match change.of {
            Subject::Pool(pool) if [part::TOKENS, part::GAINED].contains(&&*change.part) => self
                .pool(pool)
                .is_some_and(|pool| pool.kind == super::PoolKind::Rule(id)),
            _ => false,
        };
        let is_clock = |id: Id| match change.of {
            Subject::Clock(clock) if change.part == part::FILLED => self
                .clock(clock)
                .is_some_and(|clock| clock.rule == Some(id)),
            _ => {
                let spec = self.system.spec().clock(id);
                spec.is_some_and(|spec| is_stat(spec.overflow))
            }
        };

        match effect {
            Effect::Damage { .. } => is_stat("hit-points"),
            Effect::Token { pool, .. } => is_pool(*pool),
            Effect::Consequence { of, .. } => is_clock(*of),
            Effect::Number(NumberChange { what, id, .. }) => match what {
                Counted::Pool => is_pool(*id),
                Counted::Stat => is_stat(id.as_str()),
                Counted::Clock => is_clock(*id),
            },
            Effect::Condition(_) => {
                matches!(change.of, Subject::Character(_)) && change.part == part::CONDITIONS
            }
            _ => false,
        }
    }

    fn opponent_field(&self, roll: &Roll) -> Option<String> {
        let mut fields = roll.spec(self.system).ok()?.fields.iter();
        let field = fields.find(|field| field.whose == Whose::Opponent)?;
        Some(field.id.to_owned())
    }
}

impl PendingEffects {
    /// The effects as the label of a button: `Goblin takes 8, prone`.
    pub fn label(&self, name: &str, system: tableside_rules::System) -> String {
        let mut parts = Vec::new();
        let mut lost = None;

        for effect in &self.effects {
            match hit_points(effect) {
                Some(points) if points < 0 => lost = Some(points.unsigned_abs()),
                _ => parts.push(of_recipient(effect).text(system)),
            }
        }

        match lost {
            Some(lost) => {
                parts.insert(0, format!("{name} takes {lost}"));
                join(parts, ", ")
            }
            None => format!("{name}: {}", join(parts, ", ")),
        }
    }
}

/// The change of hit points that an effect makes.
pub fn hit_points(effect: &Effect) -> Option<i32> {
    match effect {
        Effect::Damage { amount, .. } => Some(-amount),
        Effect::Number(change)
            if change.what == Counted::Stat && change.id.as_str() == "hit-points" =>
        {
            change.by
        }
        _ => None,
    }
}

/// The effect as it reads beside the name of its recipient.
pub(super) fn of_recipient(effect: &Effect) -> Effect {
    let mut effect = effect.clone();
    match &mut effect {
        Effect::Number(NumberChange { of, .. })
        | Effect::Condition(ConditionChange { of, .. })
        | Effect::Offer { of, .. } => *of = Party::Roller,
        Effect::Token { owner, .. } => *owner = None,
        _ => {}
    }
    effect
}

impl Game {
    /// The character of the roll that an effect is for, if one character receives it.
    fn recipient(&self, effect: &Effect, roll: &Roll) -> Option<Party> {
        let pool = match effect {
            Effect::Token { pool, .. } => Some(*pool),
            Effect::Number(change) if change.what == Counted::Pool => Some(change.id),
            _ => None,
        };
        let pool = pool.and_then(|pool| self.system.spec().pool(pool));
        if pool.is_some_and(|pool| pool.purse == PoolOwner::Table) {
            return None;
        }

        match effect {
            Effect::Number(NumberChange { of, .. })
            | Effect::Condition(ConditionChange { of, .. }) => Some(*of),
            Effect::Damage { own: true, .. } | Effect::Token { owner: None, .. } => {
                Some(Party::Roller)
            }
            Effect::Token {
                owner: Some(owner), ..
            } if *owner == roll.who => Some(Party::Roller),
            Effect::Damage { own: false, .. } | Effect::Token { owner: Some(_), .. } => {
                Some(Party::Opponent)
            }
            // Helpers share the consequences, so they have a recipient.
            Effect::Consequence { of, .. } if *of != Id::NONE && roll.helpers.is_empty() => {
                Some(Party::Roller)
            }
            _ => None,
        }
    }
}

fn tokens_in_words(pool: &str, amount: i32, name: &str) -> String {
    if amount < 0 {
        format!("spend {} {pool} of {name}", amount.unsigned_abs())
    } else {
        format!("gain {amount} {pool} for {name}")
    }
}

/// True if a change has the size of the effect. A bound of the sheet may have cut it short.
fn amount_matches(effect: &Effect, change: &super::Change) -> bool {
    if let Effect::Condition(condition) = effect {
        let has = |side: &serde_json::Value| side.to_string().contains(&condition.name);
        return has(&change.from) == condition.gone && has(&change.to) != condition.gone;
    }

    let due = match effect {
        Effect::Damage { amount, .. } => Some(-i64::from(*amount)),
        Effect::Token { amount, .. } | Effect::Consequence { amount, .. } => {
            Some(i64::from(*amount))
        }
        Effect::Number(NumberChange { by, .. }) => by.map(i64::from),
        _ => None,
    };
    let (Some(from), Some(to)) = (change.from.as_i64(), change.to.as_i64()) else {
        return false;
    };

    match due {
        Some(due) => {
            let stepped = to - from;
            stepped == due || (to == 0 && due < stepped && stepped < 0)
        }
        None => true,
    }
}
