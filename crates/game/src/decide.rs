//! From a command to the event that it leads to, or to a refusal. Pure: reads the state, takes dice and
//! time as arguments, changes nothing. What a command does is done to a copy, and the differences are the event's.

mod arrivals;
mod batch;
mod check;
mod clocks;
mod entities;
mod harm;
mod party;
mod prepared;
mod receive;
mod rules;
mod tokens;

pub(super) use entities::free;
pub use entities::numbered;
pub use tokens::{ASPECTS, DESTINY};

use std::collections::BTreeSet;

use super::change::part;
use super::{
    Character, CharacterId, Clock, ClockId, Command, CommandContext, CommandError, Event,
    EventKind, Every, Game, LONGEST_NAME, LONGEST_NOTE, PoolId, PoolKind, Reset, Scene, TokenPool,
    differences,
};
use super::{EntityKind, Result};
use tableside_dice::Dice;
use tableside_rules::{AtEnd, Value};
use tableside_text::{join, sanitise, sanitise_name};

impl Game {
    /// What the command leads to. Undo, redo and striking read the history and are decided beside it.
    pub fn decide(
        &self,
        command: &Command,
        moment: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        // An older program left rolls that wait without having set their tokens aside.
        if let Some(mut after) = self.with_all_set_aside() {
            let mut event = after.decide_command(command, moment, dice)?;
            after.apply(&event);
            event.changes = differences(self, &after);
            return Ok(event);
        }
        self.decide_command(command, moment, dice)
    }

    fn decide_command(
        &self,
        command: &Command,
        moment: &CommandContext,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
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
            Command::Add(entity) => self.decide_add(entity.clone(), dice),
            Command::TakeIn(arrivals) => self.decide_arrivals(arrivals, dice),
            Command::Edit(entity) => self.decide_edit(entity),
            Command::Remove(of) => self.decide_remove(*of),
            Command::Duplicate(of) => self.decide_duplicate(*of, dice),
            Command::StepStat { who, stat, by } => self.decide_step_stat(*who, stat, *by),
            Command::SetStat { who, stat, value } => {
                self.change_one(*who, |one| one.sheet.set(stat, value.clone()))
            }
            Command::SetConditions { who, conditions } => self.change_one(*who, |one| {
                one.conditions.clone_from(conditions);
                Ok(())
            }),
            Command::NextRound => Ok(self.decide_next_round()),
            Command::Tick { clock, by } => self.decide_tick(*clock, *by),
            Command::Race { clock, rival } => self.decide_race(*clock, *rival),
            Command::PrepareScene(scene) => self.decide_prepare(scene, moment, dice),
            Command::BringScene(id) => self.decide_bring(*id),
            Command::RevealScene(id) => self.decide_reveal(*id),
            Command::Tokens { pool, by } => self.decide_tokens(*pool, *by),
            Command::SetTokens { pool, to } => self.counted(self.known_pool(*pool)?, *to, 0, ""),
            Command::MoveTokens { from, to, amount } => self.decide_move(*from, *to, *amount),
            Command::Complicate { who, aspect } => self.decide_complicate(*who, aspect),
            Command::Award { pool, amount, why } => self.decide_award(*pool, *amount, why),
            Command::Call(call) => self.decide_call(call),
            Command::Damage {
                who,
                amount,
                shrug_off,
                blow,
            } => self.decide_damage(*who, (*amount, *blow), *shrug_off),
            Command::Receive { who, effects } => self.decide_receive(*who, effects),
            Command::Heal { who, amount } => self.decide_heal(*who, *amount),
            Command::Rest { .. } => self.decide_all(std::slice::from_ref(command), moment, dice),
            Command::TreatWounds { who, total } => self.decide_treatment(*who, *total),
            Command::FirstAid { who, of, levels } => self.decide_first_aid(*who, *of, *levels),
            Command::Unlock { who, about, why } => self.decide_unlock(*who, about, why),
            Command::NextScene { name } => Ok(self.decide_next_scene(name, moment)),
            Command::EndSession => Ok(self.event(EventKind::Ended, &self.ended())),
            Command::SetHouse { rule, value } => self.decide_house(rule, value),
            Command::TakeRules { system, .. } => self.decide_rules(*system),
            Command::Note { text, about } => decide_note(text, *about),
            Command::Follow { entry, then } => Ok(Event {
                follows: Some(*entry),
                ..self.decide(then, moment, dice)?
            }),
            Command::All(commands) => self.decide_all(commands, moment, dice),
        }
    }

    /// The event that makes this game into `after`.
    pub(super) fn event(&self, what: EventKind, after: &Self) -> Event {
        Event::new(what, differences(self, after))
    }

    /// The event of an edit, with its words; refused if nothing differs.
    fn edited(
        &self,
        (kind, name): (EntityKind, &str),
        how: &[String],
        after: &Self,
    ) -> Result<Event> {
        let (name, how) = (name.to_owned(), how.join(", "));
        let is_told = !how.is_empty();
        let event = self.event(EventKind::Edited { kind, name, how }, after);
        let is_told = is_told && !event.changes.is_empty();
        is_told.then_some(event).ok_or(CommandError::Unchanged)
    }

    /// The next number that nothing has.
    pub(super) fn take_id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id - 1
    }

    fn decide_unlock(&self, who: CharacterId, about: &str, why: &str) -> Result<Event> {
        let name = &self.known_character(who)?.name;
        let mut after = self.clone();
        let lifted = (who, about.to_owned());
        after.locks.retain(|lock| *lock != lifted);
        after.gm_locks.retain(|lock| *lock != lifted);
        let about = if about.is_empty() { "it" } else { about };
        let why = match &*sanitise_name(why, LONGEST_NAME) {
            "" => String::new(),
            why => format!(" ({why})"),
        };
        let how = format!("may try {about} again{why}");
        self.edited((EntityKind::Lock, name), &[how], &after)
    }

    fn decide_next_scene(&self, name: &str, moment: &CommandContext) -> Event {
        let mut name = sanitise_name(name, LONGEST_NAME);
        let has_begun = self.scenes.len() > 1 || self.scene().began.is_some();
        if name.is_empty() {
            let number = 1 + self.scenes.len() * usize::from(has_begun);
            name = format!("Scene {number}");
        }
        let scene = Scene {
            name: name.clone(),
            began: Some(moment.at),
            from: moment.number,
        };
        let mut after = self.clone();
        // A game that has not begun yet has one scene without a name and without a beginning.
        if !has_begun {
            after.scenes.clear();
        }
        after.scenes.push(scene);
        after.end_scene();
        let over = self.over_by(&after).into_iter();
        let then = join(over.chain(after.tick_every(Every::Scene)), ", ");
        self.event(EventKind::Scene { name, then }, &after)
    }

    /// What is over in a later state, by name: `ends Ambush`, `resets Blood, Stress`.
    fn over_by(&self, after: &Self) -> Vec<String> {
        let changes = differences(self, after);
        let over = [
            ("ends", &[""][..]),
            ("resets", &[part::FILLED, part::TOKENS]),
        ];
        let over = over.into_iter().filter_map(|(how, parts)| {
            let over = changes.iter().filter(|one| parts.contains(&&*one.part));
            let names = over.filter_map(|one| self.named(one.of).ok());
            let names: BTreeSet<String> = names.map(|(_, name)| name).collect();
            (!names.is_empty()).then(|| format!("{how} {}", join(names, ", ")))
        });
        over.collect()
    }

    /// What the end of the session ends and resets, in words.
    pub fn over_at_the_end(&self) -> String {
        join(self.over_by(&self.ended()), ", ")
    }

    /// What the rules clear between scenes: clocks of the rules, limits of a scene, the round. The clocks of
    /// the scene end with it.
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
            match rule.map_or(AtEnd::Stay, |rule| rule.at_scene_end) {
                AtEnd::Stay => {}
                AtEnd::Reset => pool.tokens = pool.start,
                AtEnd::AtLeastStart => pool.tokens = pool.tokens.max(pool.start),
            }
            pool.gains.iter_mut().for_each(|gains| gains.this_scene = 0);
            if pool.reset == Reset::Scene {
                pool.tokens = pool.start;
            }
        }
        self.round = 0;
        for one in &mut self.roster {
            (one.acted, one.initiative) = (false, None);
        }
        self.remove_clocks(|clock| clock.of_scene);
    }

    fn ended(&self) -> Self {
        let mut after = self.clone();
        after.end_scene();
        // Owed is owed, where the table says so (HFRPG, Bonuses & Penalties).
        let stays = |tokens: i32| tokens < 0 && self.house.is("session-penalties", "stay");
        for pool in &mut after.pools {
            pool.tokens = match pool.reset {
                Reset::Session if !stays(pool.tokens) => pool.start,
                Reset::AtLeastStart => pool.tokens.max(pool.start),
                Reset::Session | Reset::Never | Reset::Scene => pool.tokens,
            };
        }
        after
    }

    fn decide_house(&self, rule: &str, value: &str) -> Result<Event> {
        let mut after = self.clone();
        let mut rules = self.system.spec().house.iter();
        let Some(known) = rules.find(|known| known.id == rule) else {
            after.house.set(self.system, rule, Value::from(value))?;
            return Err(CommandError::Unchanged);
        };
        let (from, to) = (self.house.value(known), known.parse(value)?);
        let how = format!("{from} to {to}");
        after.house.set(self.system, rule, to)?;
        self.edited((EntityKind::House, known.id), &[how], &after)
    }

    pub(super) fn known_character(&self, id: CharacterId) -> Result<&Character> {
        self.character(id).ok_or(CommandError::Gone("character"))
    }

    pub(super) fn known_clock(&self, id: ClockId) -> Result<&Clock> {
        self.clock(id).ok_or(CommandError::Gone("clock"))
    }

    pub(super) fn known_pool(&self, id: PoolId) -> Result<&TokenPool> {
        self.pool(id).ok_or(CommandError::Gone("pool"))
    }
}

fn decide_note(text: &str, about: Option<u64>) -> Result<Event> {
    let lines = text.trim().lines();
    let lines = lines.map(|line| sanitise(line.trim_end(), LONGEST_NOTE));
    let text = join(lines, "\n");
    let text: String = text.chars().take(LONGEST_NOTE).collect();
    if text.is_empty() {
        return Err(CommandError::Unchanged);
    }
    Ok(Event::new(EventKind::Noted { text, about }, Vec::new()))
}
