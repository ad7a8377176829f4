//! Decides a command: turns it into the event that it causes, or refuses it.
//!
//! `decide` is pure: it reads the game, takes the dice and the time as arguments, and leaves the game unchanged. A command
//! is applied to a copy of the game, called `after`; the differences between the two are the changes of the event.

mod arrivals;
mod batch;
mod check;
mod clocks;
mod creatures;
mod entities;
mod harm;
mod party;
mod prepared;
mod receive;
mod rest;
mod rules;
mod session;
mod tokens;
mod turns;

use super::note::decline_follow_ups;
use check::ChoiceAnswer;
pub(super) use entities::free_name;
pub use entities::numbered_name;
use harm::DamageTaken;
pub use tokens::{ASPECTS, DESTINY};

use std::collections::BTreeSet;

use super::Part;
use super::{
    Change, Character, CharacterId, Clock, ClockId, Command, CommandContext, CommandError,
    EntityRef, Event, EventKind, Every, Game, LONGEST_NAME, PoolId, PoolKind, Reset, Scene,
    TokenPool, differences,
};
use super::{EntityKind, Result};
use tableside_dice::Dice;
use tableside_rules::{AtEnd, Value};
use tableside_text::{join, sanitise_name};

impl Game {
    /// Decides a command. Undo and redo need the history and are decided in the module `undo`.
    pub fn decide(
        &self,
        command: &Command,
        context: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        // An older program may have left waiting rolls whose tokens were not set aside.
        let event = if let Some(mut after) = self.with_all_set_aside() {
            let mut event = after.decide_command(command, context, dice)?;
            after.apply(&event);
            event.changes = differences(self, &after);
            event
        } else {
            self.decide_command(command, context, dice)?
        };
        Ok(self.with_turn_change(event, dice))
    }

    /// Decides a command, or one of the commands that another one consists of.
    pub(super) fn decide_command(
        &self,
        command: &Command,
        context: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        match command {
            Command::Roll(roll) => self.decide_roll(roll, dice),
            Command::FreeRoll(free_roll) => self.decide_free_roll(free_roll, dice),
            Command::Answer {
                check,
                chose,
                by,
                faces,
            } => {
                let answer = ChoiceAnswer {
                    option: chose,
                    by: *by,
                };
                self.decide_answer(*check, answer, faces, dice)
            }
            Command::TypeFaces { check, faces } => self.decide_faces(*check, faces, dice),
            Command::Abandon(check) => self.decide_abandon(*check),
            Command::Add(entity) => self.decide_add(entity.clone()),
            Command::AddCreatures(creatures) => self.decide_add_creatures(creatures),
            Command::AddClock(rolled) => self.decide_add_clock(rolled, dice),
            Command::TakeIn(arrivals) => self.decide_arrivals(arrivals),
            Command::Edit(entity) => self.decide_edit(entity),
            Command::Remove(EntityRef::Note(note)) => self.decide_remove_note(*note),
            Command::Remove(subject) => self.decide_remove(*subject),
            Command::Duplicate(subject) => self.decide_duplicate(*subject),
            Command::StepStat { who, stat, by } => self.decide_step_stat(*who, stat, *by),
            Command::SetStat { who, stat, value } => {
                self.change_character(*who, |character| character.sheet.set(stat, value.clone()))
            }
            Command::SetConditions { who, conditions } => {
                self.change_character(*who, |character| {
                    character.conditions.clone_from(conditions);
                    Ok(())
                })
            }
            Command::NextRound => Ok(self.decide_next_round()),
            Command::Initiative(order) => self.decide_initiative(order, dice),
            Command::EndTurn => self.decide_end_turn(),
            Command::EndFight => self.decide_end_fight(),
            Command::Tick { clock, by } => self.decide_tick(*clock, *by),
            Command::Race { clock, rival } => self.decide_race(*clock, *rival),
            Command::PrepareScene(scene) => self.decide_prepare(scene, context, dice),
            Command::BringScene(id) => self.decide_bring(*id),
            Command::RevealScene(id) => self.decide_reveal(*id),
            Command::Tokens { pool, by } => self.decide_tokens(*pool, *by),
            Command::SetTokens { pool, to } => self.decide_set_tokens(*pool, *to),
            Command::MoveTokens { from, to, amount } => self.decide_move(*from, *to, *amount),
            Command::Complicate { who, aspect } => self.decide_complicate(*who, aspect),
            Command::Award { pool, amount, why } => self.decide_award(*pool, *amount, why),
            Command::Call(call) => self.decide_call(call),
            Command::Damage {
                who,
                amount,
                shrug_off,
                blow,
            } => {
                let damage = DamageTaken {
                    amount: *amount,
                    blow: *blow,
                    shrugs_off: *shrug_off,
                };
                self.decide_damage(*who, damage)
            }
            Command::Receive { who, effects } => self.decide_receive(*who, effects),
            Command::Heal { who, amount } => self.decide_heal(*who, *amount),
            Command::EndStanding { who, word } => self.decide_end_standing(*who, word),
            Command::Rest { .. } => self.decide_all(std::slice::from_ref(command), context, dice),
            Command::TreatWounds { who, total } => self.decide_treatment(*who, *total),
            Command::FirstAid { who, of, levels } => self.decide_first_aid(*who, *of, *levels),
            Command::Unlock { who, about, why } => self.decide_unlock(*who, about, why),
            Command::NextScene { name } => Ok(self.decide_next_scene(name, context)),
            Command::EndSession => self.decide_end_session(context),
            Command::SetHouse { rule, value } => self.decide_house_rule(rule, value),
            Command::TakeRules { system, .. } => self.decide_rules(*system),
            Command::Note(note) => self.decide_note(note, context),
            Command::DeclineFollowUps(entry) => Ok(decline_follow_ups(*entry)),
            Command::EditNote(note) => self.decide_edit_note(note),
            Command::ReadHandout(note) => self.decide_read_note(*note, context),
            Command::SetLinesAndVeils { was, text } => {
                self.decide_lines_and_veils(was.as_deref(), text)
            }
            Command::Pause => Ok(Event::new(EventKind::Paused, Vec::new())),
            Command::Follow { entry, then } => {
                let event = self.decide_command(then, context, dice)?;
                Ok(Event {
                    follows: Some(*entry),
                    ..event
                })
            }
            Command::All(commands) => self.decide_all(commands, context, dice),
        }
    }

    /// Returns the event that turns this game into `after`.
    pub(super) fn event(&self, what: EventKind, after: &Self) -> Event {
        Event::new(what, differences(self, after))
    }

    /// Returns the event of an edit, with its description. Refuses an edit without any changes.
    pub(super) fn edit_event(
        &self,
        kind: EntityKind,
        name: &str,
        description: String,
        after: &Self,
    ) -> Result<Event> {
        edit_event_of(kind, name, description, differences(self, after))
    }

    /// Returns the next free id, and marks it as used.
    pub(super) fn take_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }

    fn decide_unlock(&self, id: CharacterId, attempt: &str, reason: &str) -> Result<Event> {
        let name = &self.known_character(id)?.name;

        let mut after = self.clone();
        let lifted = (id, attempt.to_owned());
        after.locks.retain(|lock| *lock != lifted);
        after.gm_locks.retain(|lock| *lock != lifted);

        let mut description = if attempt.is_empty() {
            "may try again".to_owned()
        } else {
            format!("may try {attempt} again")
        };
        let reason = sanitise_name(reason, LONGEST_NAME);
        if !reason.is_empty() {
            description = format!("{description} ({reason})");
        }
        self.edit_event(EntityKind::Lock, name, description, &after)
    }

    fn decide_next_scene(&self, name: &str, context: &CommandContext) -> Event {
        // A game that has not begun has one scene without a name and without a start time.
        let has_begun = self.scenes.len() > 1 || self.scene().began.is_some();
        let mut name = sanitise_name(name, LONGEST_NAME);
        if name.is_empty() {
            let number = if has_begun { self.scenes.len() + 1 } else { 1 };
            name = format!("Scene {number}");
        }

        let mut after = self.clone();
        if !has_begun {
            after.scenes.clear();
        }
        after.scenes.push(Scene {
            name: name.clone(),
            began: Some(context.at),
            from: context.number,
        });
        after.end_scene();

        let mut consequences = self.describe_endings(&after);
        consequences.extend(after.tick_every(Every::Scene));
        let act = EventKind::Scene {
            name,
            then: consequences.join(", "),
        };
        self.event(act, &after)
    }

    /// Describes the clocks and pools that a later state has ended or reset: `ends Ambush`, `resets Blood, Stress`.
    fn describe_endings(&self, after: &Self) -> Vec<String> {
        let mut ended = BTreeSet::new();
        let mut reset = BTreeSet::new();
        for change in differences(self, after) {
            let names = match &change.part {
                Part::Whole => &mut ended,
                Part::Filled | Part::Tokens => &mut reset,
                _ => continue,
            };
            // Scenes and other parts of the game have no names and are left out.
            if let Ok((_, name)) = self.named(change.entity) {
                names.insert(name);
            }
        }

        let mut descriptions = Vec::new();
        if !ended.is_empty() {
            let names = join(ended, ", ");
            descriptions.push(format!("ends {names}"));
        }
        if !reset.is_empty() {
            let names = join(reset, ", ");
            descriptions.push(format!("resets {names}"));
        }
        descriptions
    }

    /// Ends the scene: clears the clocks and limits that the rules clear, the round and the turn order, and removes the
    /// clocks of the scene.
    fn end_scene(&mut self) {
        let spec = self.system.spec();
        for clock in &mut self.clocks {
            let rule = clock.rule.and_then(|rule| spec.clock(rule));
            if rule.is_some_and(|rule| rule.ends_with_scene) {
                clock.filled = 0;
            }
        }

        for pool in &mut self.pools {
            let rule = match pool.kind {
                PoolKind::Rule(id) => spec.pool(id),
                PoolKind::Own => None,
            };
            let at_end = rule.map_or(AtEnd::Stay, |rule| rule.at_scene_end);
            end_scene_of_pool(pool, at_end);
        }

        self.clear_turns();
        self.remove_clocks(|clock| clock.of_scene);
    }

    fn decide_house_rule(&self, rule: &str, value: &str) -> Result<Event> {
        let mut after = self.clone();
        let house_rules = self.system.spec().house;
        let Some(known) = house_rules.iter().find(|known| known.id == rule) else {
            // Setting an unknown rule fails with an error that lists the known ones.
            after.house.set(self.system, rule, Value::from(value))?;
            return Err(CommandError::Unchanged);
        };

        let from = self.house.value(known);
        let to = known.parse(value)?;
        let description = format!("{from} to {to}");
        after.house.set(self.system, rule, to)?;
        self.edit_event(EntityKind::House, known.id, description, &after)
    }

    pub(super) fn known_character(&self, id: CharacterId) -> Result<&Character> {
        self.character(id).ok_or(CommandError::Gone("character"))
    }

    /// The character with this id, if there is an id.
    pub(super) fn optional_character(&self, id: Option<CharacterId>) -> Option<&Character> {
        self.character(id?)
    }

    pub(super) fn known_clock(&self, id: ClockId) -> Result<&Clock> {
        self.clock(id).ok_or(CommandError::Gone("clock"))
    }

    pub(super) fn known_pool(&self, id: PoolId) -> Result<&TokenPool> {
        self.pool(id).ok_or(CommandError::Gone("pool"))
    }
}

/// The event of an edit that made these changes. Refuses an edit without any changes.
fn edit_event_of(
    kind: EntityKind,
    name: &str,
    description: String,
    changes: Vec<Change>,
) -> Result<Event> {
    if description.is_empty() || changes.is_empty() {
        return Err(CommandError::Unchanged);
    }

    let act = EventKind::Edited {
        kind,
        name: name.to_owned(),
        how: description,
    };
    Ok(Event::new(act, changes))
}

/// Resets the tokens and the gains of a pool at the end of a scene.
fn end_scene_of_pool(pool: &mut TokenPool, at_end: AtEnd) {
    match at_end {
        AtEnd::Stay => {}
        AtEnd::Reset => pool.tokens = pool.start,
        AtEnd::AtLeastStart => pool.tokens = pool.tokens.max(pool.start),
    }
    if pool.reset == Reset::Scene {
        pool.tokens = pool.start;
    }
    if let Some(gains) = &mut pool.gains {
        gains.this_scene = 0;
    }
}
