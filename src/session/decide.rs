//! From a command to the event that it leads to, or to a refusal. Pure: reads the state, takes dice and
//! time as arguments, changes nothing.

mod award;
mod batch;
mod call;
mod check;
mod clocks;
mod conditions;
mod harm;
mod party;
mod prepared;
mod tokens;

use super::change::Part;
use super::event::EntityKind;
use super::{
    Change, Character, CharacterId, Clock, ClockId, Command, CommandContext, CommandError, Event,
    EventKind, LONGEST_NAME, LONGEST_NOTE, PoolId, Scene, Session, TokenPool,
};
use crate::dice::Dice;
use crate::rules::{Value, hfrpg};
use crate::text::sanitise;

impl Session {
    /// What the command leads to. Undo, redo and striking read the history and are decided beside it.
    pub fn decide(
        &self,
        command: &Command,
        moment: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event, CommandError> {
        match command {
            Command::Roll(roll) => self.decide_roll(roll, dice),
            Command::Throw(throw) => self.decide_throw(throw, dice),
            Command::Answer {
                check,
                chose,
                by,
                faces,
            } => self.decide_answer(*check, chose, *by, faces, dice),
            Command::TypeFaces { check, faces } => self.decide_faces(*check, faces, dice),
            Command::Abandon(check) => self.decide_abandon(*check),
            Command::AddCharacter(character) => self.decide_add_character(character),
            Command::EditCharacter(character) => self.decide_edit_character(character),
            Command::RemoveCharacter(id) => self.decide_remove_character(*id),
            Command::DuplicateCharacter(id) => self.decide_duplicate_character(*id),
            Command::StepStat { who, stat, by } => self.decide_step_stat(*who, stat, *by),
            Command::SetStat { who, stat, value } => self.decide_set_stat(*who, stat, value),
            Command::SetConditions { who, conditions } => self.decide_conditions(*who, conditions),
            Command::SetActed { who, acted } => {
                let how = if *acted {
                    "has acted"
                } else {
                    "has yet to act"
                };
                self.decide_part(*who, Part::Acted, Value::Flag(*acted), how)
            }
            Command::SetAbsent { who, absent } => {
                let how = if *absent { "is absent" } else { "is here" };
                self.decide_part(*who, Part::Absent, Value::Flag(*absent), how)
            }
            Command::SetHidden { who, hidden } => {
                let how = if *hidden { "is hidden" } else { "is shown" };
                self.decide_part(*who, Part::Hidden, Value::Flag(*hidden), how)
            }
            Command::NextRound => Ok(self.decide_next_round()),
            Command::AddClock(clock) => self.decide_add_clock(clock),
            Command::EditClock(clock) => self.decide_edit_clock(clock),
            Command::RemoveClock(id) => self.decide_remove_clock(*id),
            Command::DuplicateClock(id) => self.decide_duplicate_clock(*id),
            Command::Tick { clock, by } => self.decide_tick(*clock, *by),
            Command::PrepareScene {
                name,
                notes,
                characters,
                clocks,
                put_away,
            } => {
                let mut kept = self.decide_prepare((name, notes), characters, clocks)?;
                if *put_away {
                    let going = self.put_away(characters, clocks);
                    let gone = self.decide_all(&going, moment, dice)?;
                    kept.changes.extend(gone.changes);
                }
                Ok(kept)
            }
            Command::AddPrepared(scene) => self.decide_add_prepared(scene),
            Command::EditPrepared { scene, name, notes } => {
                self.decide_edit_prepared(*scene, name, notes)
            }
            Command::RemovePrepared(id) => self.decide_remove_prepared(*id),
            Command::BringScene(id) => self.decide_bring(*id),
            Command::RevealScene(id) => self.decide_reveal(*id),
            Command::AddPool(pool) => self.decide_add_pool(pool),
            Command::EditPool(pool) => self.decide_edit_pool(pool),
            Command::RemovePool(id) => self.decide_remove_pool(*id),
            Command::DuplicatePool(id) => self.decide_duplicate_pool(*id),
            Command::Tokens { pool, by } => self.decide_tokens(*pool, *by),
            Command::SetTokens { pool, to } => self.decide_set_tokens(*pool, *to),
            Command::MoveTokens { from, to, amount } => self.decide_move(*from, *to, *amount),
            Command::Complicate { who, aspect } => self.decide_complicate(*who, aspect),
            Command::Award { pool, amount, why } => self.decide_award(*pool, *amount, why),
            Command::Call {
                who,
                check,
                fields,
                helpers,
                group,
                shown,
            } => self.decide_call(who, check, (fields, helpers, *group), *shown),
            Command::CancelCall(id) => self.decide_cancel_call(*id),
            Command::Damage {
                who,
                amount,
                shrug_off,
            } => self.decide_damage(*who, *amount, *shrug_off),
            Command::Rest { who, rest } => self.decide_rest(*who, *rest, dice),
            Command::TreatWounds { who, total } => self.decide_treatment(*who, *total),
            Command::FirstAid { who, of, levels } => self.decide_first_aid(*who, *of, *levels),
            Command::Unlock { who, about, why } => self.decide_unlock(*who, about, why),
            Command::NextScene { name } => Ok(self.decide_next_scene(name, moment)),
            Command::EndSession => Ok(self.decide_end()),
            Command::SetHouse { rule, value } => self.decide_house(rule, value),
            Command::Note { text, about } => decide_note(text, *about),
            Command::All(commands) => self.decide_all(commands, moment, dice),
        }
    }

    fn decide_unlock(
        &self,
        who: CharacterId,
        about: &str,
        why: &str,
    ) -> Result<Event, CommandError> {
        let name = self.known_character(who)?.name.clone();
        let lock = (who, about.to_owned());
        if !self.locks.contains(&lock) {
            return Err(CommandError::Unchanged);
        }
        Ok(Event {
            what: EventKind::Edited {
                kind: EntityKind::Lock,
                name,
                how: {
                    let about = if about.is_empty() { "it" } else { about };
                    let why = sanitise(why.trim(), LONGEST_NAME);
                    let why = match &*why {
                        "" => String::new(),
                        why => format!(" ({why})"),
                    };
                    format!("may try {about} again{why}")
                },
            },
            changes: vec![Change::Lock {
                who,
                about: about.to_owned(),
                on: false,
            }],
        })
    }

    fn decide_next_scene(&self, name: &str, moment: &CommandContext) -> Event {
        let name = sanitise(name.trim(), LONGEST_NAME).into_owned();
        let scene = Scene {
            name: name.clone(),
            began: Some(moment.at),
            from: moment.number,
        };
        // A game that has not begun yet has one scene without a name and without a beginning.
        let first = self.scenes.len() == 1 && self.scene().began.is_none();
        let begun = if first {
            Change::Scene {
                at: 0,
                from: Some(self.scene().clone()),
                to: Some(scene),
            }
        } else {
            Change::Scene {
                at: self.scenes.len(),
                from: None,
                to: Some(scene),
            }
        };
        let mut changes = vec![begun];
        changes.extend(self.cleared_by_scene());
        Event {
            what: EventKind::Scene { name },
            changes,
        }
    }

    /// What the rules clear between scenes: clocks of the rules, limits of a scene, the round.
    fn cleared_by_scene(&self) -> Vec<Change> {
        let mut changes = Vec::new();
        for clock in self
            .clocks
            .iter()
            .filter(|clock| clock.rule.is_some() && clock.filled > 0)
        {
            changes.push(Change::Filled {
                clock: clock.id,
                from: clock.filled,
                to: 0,
            });
        }
        for pool in &self.pools {
            if let Some(gains) = pool.gains.filter(|gains| gains.this_scene != 0) {
                changes.push(Change::Gained {
                    pool: pool.id,
                    from: gains.this_scene,
                    to: 0,
                });
            }
            if pool.reset == super::Reset::Scene {
                changes.extend(reset(pool));
            }
        }
        if self.round != 0 {
            changes.push(Change::Round {
                from: self.round,
                to: 0,
            });
        }
        changes.extend(self.nobody_has_acted());
        changes.extend(self.ended_with_scene());
        changes
    }

    /// The clocks of the scene end with it.
    fn ended_with_scene(&self) -> Vec<Change> {
        let of_scene = self.clocks.iter().enumerate();
        let of_scene = of_scene.filter(|(_, clock)| clock.of_scene);
        let going: Vec<ClockId> = of_scene.clone().map(|(_, clock)| clock.id).collect();
        let mut changes = self.untied(&going);
        // From the last one down, so that taking it back finds every place again.
        changes.extend(of_scene.rev().map(|(at, clock)| Change::Clock {
            at,
            from: Some(Box::new(clock.clone())),
            to: None,
        }));
        changes
    }

    fn decide_end(&self) -> Event {
        let mut changes = self.cleared_by_scene();
        for pool in &self.pools {
            match pool.reset {
                // Owed is owed, where the table says so (HFRPG, Bonuses & Penalties).
                super::Reset::Session
                    if pool.tokens < 0 && self.house.departs(&hfrpg::SESSION_PENALTIES) => {}
                super::Reset::Session => changes.extend(reset(pool)),
                super::Reset::AtLeastStart if pool.tokens < pool.start => {
                    changes.extend(reset(pool));
                }
                super::Reset::AtLeastStart | super::Reset::Never | super::Reset::Scene => {}
            }
        }
        Event {
            what: EventKind::Ended,
            changes,
        }
    }

    fn decide_house(&self, rule: &str, value: &str) -> Result<Event, CommandError> {
        let mut house = self.house.clone();
        let known = self
            .system
            .spec()
            .house
            .iter()
            .find(|known| known.id == rule);
        let Some(known) = known else {
            house.set(self.system, rule, Value::from(value))?;
            return Err(CommandError::Unchanged);
        };
        let to = known.parse(value)?;
        let from = house.value(known);
        if from == to {
            return Err(CommandError::Unchanged);
        }
        house.set(self.system, rule, to.clone())?;
        Ok(Event {
            what: EventKind::Edited {
                kind: EntityKind::House,
                name: known.id.to_owned(),
                how: format!("{from} to {to}"),
            },
            changes: vec![Change::House {
                rule: rule.to_owned(),
                from,
                to,
            }],
        })
    }

    pub(super) fn known_character(&self, id: CharacterId) -> Result<&Character, CommandError> {
        self.character(id).ok_or(CommandError::Gone("character"))
    }

    pub(super) fn known_clock(&self, id: ClockId) -> Result<&Clock, CommandError> {
        self.clock(id).ok_or(CommandError::Gone("clock"))
    }

    pub(super) fn known_pool(&self, id: PoolId) -> Result<&TokenPool, CommandError> {
        self.pool(id).ok_or(CommandError::Gone("pool"))
    }
}

fn reset(pool: &TokenPool) -> Option<Change> {
    (pool.tokens != pool.start).then_some(Change::Tokens {
        pool: pool.id,
        from: pool.tokens,
        to: pool.start,
    })
}

fn decide_note(text: &str, about: Option<u64>) -> Result<Event, CommandError> {
    let text = sanitise(text.trim(), LONGEST_NOTE).into_owned();
    if text.is_empty() {
        return Err(CommandError::Unchanged);
    }
    Ok(Event {
        what: EventKind::Noted { text, about },
        changes: Vec::new(),
    })
}

/// A name as it is kept: no control characters, not too long, not empty, not another's.
fn named<'a>(
    kind: &'static str,
    name: &str,
    mut others: impl Iterator<Item = &'a str>,
) -> Result<String, CommandError> {
    let name = sanitise(name.trim(), LONGEST_NAME).into_owned();
    if name.is_empty() {
        return Err(CommandError::NoName(kind));
    }
    let folded = name.to_lowercase();
    if others.any(|other| other.to_lowercase() == folded) {
        return Err(CommandError::Taken { kind, name });
    }
    Ok(name)
}

/// The name with the first number that nobody has: `Goblin`, `Goblin 2`, `Goblin 3`.
fn numbered<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> String {
    let stem = match name.rsplit_once(' ') {
        Some((stem, number)) if number.chars().all(|digit| digit.is_ascii_digit()) => stem,
        _ => name,
    };
    let taken: Vec<String> = others.map(str::to_lowercase).collect();
    (2..=taken.len() + 2)
        .map(|number| format!("{stem} {number}"))
        .find(|name| !taken.contains(&name.to_lowercase()))
        .unwrap_or_default()
}
