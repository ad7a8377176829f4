//! Deciding rolls: starting a check, answering a waiting one, and rolling free dice.

use crate::{
    CharacterId, CommandError, Event, EventKind, Faces, Filled, FreeRoll, FreeRollCommand, Game,
    Named, Result, Roll, RollCommand, Thrown, Unfinished, UnfinishedId, refused,
};
use tableside_dice::notation::Notation;
use tableside_dice::{Dice, Face};
use tableside_rules::{
    AnswerSource, Ask, ChosenBy, DynCheck, Fields, Progress, RuleError, Side, resolve,
};
use tableside_text::sanitise;

/// The maximum number of dice of one free roll that the log stores.
const MOST_FREE_DICE: usize = 1_000;
/// The longest comment of free dice, in characters.
const LONGEST_COMMENT: usize = 200;

/// An answer to a choice of a waiting check.
#[derive(Clone, Copy)]
pub(super) struct ChoiceAnswer<'a> {
    pub(super) option: &'a str,
    pub(super) by: ChosenBy,
}

impl Game {
    pub(super) fn decide_roll(&self, command: &RollCommand, dice: &mut dyn Dice) -> Result<Event> {
        let filled = self.complete_fields(command)?;
        let fields = filled.fields.clone();
        let roll = self.new_roll(command, filled)?;
        self.validate_roll(&roll, &fields)
            .map_err(|error| self.mention_call(roll.id, &roll.check, error))?;

        let mut answers = answer_source(&command.faces, dice);
        answers.answers = command.choose.iter().cloned().collect();
        answers.by = command.by;
        answers.defaults = !command.wait;
        self.run_check(roll, &mut answers, None)
    }

    /// Returns the fields of a roll, including the help and the fields that the rules fill in.
    pub(super) fn complete_fields(&self, command: &RollCommand) -> Result<Filled> {
        if let Some(roller) = command.who {
            self.known_character(roller)?;
        }
        let mut filled = command.filled.clone();
        self.help(&mut filled, command.who, &command.helpers)?;
        self.validate_helpers(&filled, command.who, &command.helpers)?;
        self.validate_named_characters(&filled, command.who)?;

        filled.fields.decide(&self.house);
        filled.fields.complete()?;
        filled.name_attempts(&self.house)?;
        Ok(filled)
    }

    /// Creates the record of a roll before its first die is rolled.
    pub(super) fn new_roll(&self, command: &RollCommand, filled: Filled) -> Result<Roll> {
        let id = command.who;
        let spec = filled.fields.spec();
        let helpers = self.valid_helpers(id, spec, &command.helpers)?;
        let recorded = filled.recorded();

        let call = id.and_then(|id| self.call_for(id, spec.id));
        let is_called_as_group = call.is_some_and(|call| call.group);
        let has_companions = self
            .roster
            .iter()
            .any(|other| Some(other.id) != id && other.is_in_party());
        let rules = if self.system.is_kept() {
            Some(self.system)
        } else {
            None
        };

        Ok(Roll {
            who: self.roller_name(id)?,
            id,
            rules,
            check: spec.id.to_owned(),
            fields: recorded.values,
            sources: recorded.sources,
            house: self.house.clone(),
            clock: command.clock,
            helpers: helpers.into_iter().map(Named::from).collect(),
            group: (command.group || is_called_as_group) && has_companions,
            hidden_from: command.hidden_from.clone(),
            noticed: command.noticed && !command.hidden_from.is_empty(),
            ..Roll::default()
        })
    }

    /// Refuses a roll that the rules or the tokens of the roller do not allow.
    fn validate_roll(&self, roll: &Roll, fields: &Fields) -> Result<()> {
        self.validate_attempt(roll, fields)?;
        self.validate_state_for(&roll.check, roll.id)?;
        self.require_claimed_tokens(roll, fields, |_| true)?;
        self.require_owed_tokens(roll.id, fields)
    }

    /// Rolls dice without a check. The roll is logged and has no effects.
    pub(super) fn decide_free_roll(
        &self,
        command: &FreeRollCommand,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let who = self.roller_name(command.who)?;
        let thrown = match &command.what {
            FreeRoll::Dice { notation, faces } => {
                let typed_faces = faces.as_deref();
                roll_free_dice(notation, typed_faces, dice)?
            }
            FreeRoll::Table { tables, name } => {
                tables.roll(name, dice).ok_or(CommandError::Gone("table"))?
            }
        };

        let mut count = 0;
        for thrown in thrown.all() {
            count += thrown.faces.len();
        }
        if count > MOST_FREE_DICE {
            return Err(refused(format!(
                "a roll can have at most {MOST_FREE_DICE} dice, not {count}; split it into several rolls"
            )));
        }

        let thrown = Thrown {
            who,
            id: command.who,
            hidden_from: command.hidden_from.clone(),
            noticed: command.noticed && !command.hidden_from.is_empty(),
            ..thrown
        };
        let act = EventKind::Thrown(Box::new(thrown));
        Ok(Event::new(act, Vec::new()))
    }

    /// The name of the roller. Empty if the GM rolls for no character.
    fn roller_name(&self, who: Option<CharacterId>) -> Result<String> {
        match who {
            Some(id) => {
                let character = self.known_character(id)?;
                Ok(character.name.clone())
            }
            None => Ok(String::new()),
        }
    }

    fn known_unfinished(&self, id: UnfinishedId) -> Result<&Unfinished> {
        self.unfinished(id).ok_or(CommandError::Gone("check"))
    }

    pub(super) fn decide_answer(
        &self,
        id: UnfinishedId,
        answer: ChoiceAnswer<'_>,
        faces: &Faces,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let waiting = self.known_unfinished(id)?;

        // Unused faces that were typed with the roll come first. If there are any, the roll continues with real dice.
        let unused = &waiting.unused_faces;
        let all_faces = match faces {
            Faces::Typed(typed) => {
                let mut faces = unused.clone();
                faces.extend(typed);
                Faces::Typed(faces)
            }
            Faces::Rolled if unused.is_empty() => Faces::Rolled,
            Faces::Rolled => Faces::Typed(unused.clone()),
        };

        let mut answers = answer_source(&all_faces, dice);
        answers.answers = [answer.option.to_owned()].into();
        answers.by = answer.by;
        self.run_check(waiting.roll.clone(), &mut answers, Some(id))
    }

    pub(super) fn decide_faces(
        &self,
        id: UnfinishedId,
        faces: &[Face],
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let waiting = self.known_unfinished(id)?;
        if self.decider(id).is_some() {
            return Err(refused(
                "this roll waits for a choice; answer the choice before you enter faces",
            ));
        }

        let typed_faces = Faces::Typed(faces.to_vec());
        let mut answers = answer_source(&typed_faces, dice);
        self.run_check(waiting.roll.clone(), &mut answers, Some(id))
    }

    pub(super) fn decide_abandon(&self, id: UnfinishedId) -> Result<Event> {
        let waiting = self.known_unfinished(id)?;
        let act = EventKind::Abandoned(Box::new(waiting.roll.clone()));

        let mut after = self.clone();
        after.unfinished.retain(|other| other.id != id);
        after.return_set_aside(waiting);
        Ok(self.event(act, &after))
    }

    /// Returns the side that answers the open choice of a waiting check. `None` if the check waits for dice.
    pub fn decider(&self, id: UnfinishedId) -> Option<Side> {
        let roll = &self.unfinished(id)?.roll;
        let machine = roll.machine(self.system).ok()?;
        match machine.after(&roll.trail).ok()? {
            Progress::Waits(Ask::Choose { by, .. }) => Some(by),
            Progress::Waits(Ask::Roll { .. }) | Progress::Done(..) => None,
        }
    }

    /// Runs a check as far as there are answers: a new check, or the one with the id `waiting`.
    fn run_check(
        &self,
        mut roll: Roll,
        answers: &mut AnswerSource<'_>,
        waiting: Option<UnfinishedId>,
    ) -> Result<Event> {
        let machine = roll.machine(self.system)?;
        let progress = resolve(&*machine, &mut roll.trail, answers)?;
        let before = waiting.and_then(|id| self.unfinished(id));

        let mut after = self.clone();
        after.unfinished.retain(|other| Some(other.id) != waiting);
        if waiting.is_none() {
            after.remove_answered_call(&roll);
        }

        let act = match progress {
            Progress::Waits(_) => {
                let set_aside = match before {
                    Some(before) => after.update_set_aside(before, &roll)?,
                    None => Some(after.set_tokens_aside(&roll)?),
                };
                let id = waiting.unwrap_or_else(|| UnfinishedId(after.take_id()));
                after.insert_unfinished(Unfinished {
                    id,
                    roll: roll.clone(),
                    by_hand: answers.dice.is_none(),
                    set_aside,
                    unused_faces: answers.faces.iter().copied().collect(),
                });
                EventKind::Incomplete(Box::new(roll))
            }
            Progress::Done(..) => {
                if let Some(before) = before {
                    // The roll pays with its set-aside tokens; the others go back.
                    let outcome = machine.outcome(&roll.trail);
                    self.require_set_aside(before, &outcome)?;
                    after.release_set_aside(before);
                }
                after.conclude(&mut roll, &*machine)?;
                after.clamp_pools();
                let spec = roll.spec(self.system)?;
                roll.acted_before = after.mark_helpers_as_acted(spec, &roll.helpers);
                EventKind::Rolled(Box::new(roll))
            }
        };
        self.event(act, &after).with_luck(self.system)
    }

    /// Removes the call that a roll answers.
    fn remove_answered_call(&mut self, roll: &Roll) {
        if let Some(roller) = roll.id
            && let Some(call) = self.call_for(roller, &roll.check)
        {
            let answered = call.id;
            self.calls.retain(|call| call.id != answered);
        }
    }

    /// Inserts a waiting check in the order of ids.
    fn insert_unfinished(&mut self, unfinished: Unfinished) {
        let index = self
            .unfinished
            .partition_point(|other| other.id < unfinished.id);
        self.unfinished.insert(index, unfinished);
    }

    /// Records the outcome of a finished check, and applies its effects.
    pub(crate) fn conclude(&mut self, roll: &mut Roll, machine: &dyn DynCheck) -> Result<()> {
        let outcome = machine.outcome(&roll.trail);
        let levels = match machine.after(&roll.trail)? {
            Progress::Done(_, score) => score.levels,
            Progress::Waits(_) => 0,
        };

        let spec = roll.spec(self.system)?;
        roll.outcome = spec.outcome(outcome.outcome).id.to_owned();
        roll.effects = self.apply_effects(roll, &outcome, levels)?;
        roll.total = outcome.total;
        Ok(())
    }
}

fn answer_source<'a>(faces: &Faces, dice: &'a mut dyn Dice) -> AnswerSource<'a> {
    match faces {
        Faces::Rolled => AnswerSource::rolling(dice),
        Faces::Typed(faces) => AnswerSource::by_hand(faces),
    }
}

/// Rolls dice in dice notation, or reads the typed faces of real dice.
fn roll_free_dice(notation: &str, faces: Option<&[i32]>, dice: &mut dyn Dice) -> Result<Thrown> {
    let parsed: Notation = notation.parse()?;
    let rolled = match faces {
        Some(faces) => parsed.read(faces).map_err(RuleError::from)?,
        None => parsed.roll(dice),
    };
    let faces = rolled.dice.iter().map(|die| die.face);
    Ok(Thrown {
        notation: with_clean_comment(notation),
        faces: faces.collect(),
        total: rolled.total,
        ..Thrown::default()
    })
}

/// Removes control characters from the comment of an expression.
fn with_clean_comment(notation: &str) -> String {
    match notation.split_once('#') {
        Some((dice, comment)) => {
            let clean_comment = sanitise(comment.trim(), LONGEST_COMMENT);
            let dice = dice.trim();
            format!("{dice} # {clean_comment}")
        }
        None => notation.to_owned(),
    }
}
