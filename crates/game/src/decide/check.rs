//! Making a check: walking it, waiting where somebody has to answer, booking what follows.

use crate::{
    CharacterId, CommandError, Event, EventKind, Faces, Game, Named, Result, Roll, RollCommand,
    Throw, ThrowCommand, Thrown, Unfinished, UnfinishedId, refused,
};
use tableside_dice::notation::Notation;
use tableside_dice::{Dice, Face};
use tableside_rules::{AnswerSource, Ask, ChosenBy, DynCheck, Progress, RuleError, Side, resolve};
use tableside_text::sanitise;

/// The most dice of one free roll that a log keeps.
const MOST_THROWN: usize = 1_000;
/// The longest comment of free dice, in characters.
const LONGEST_COMMENT: usize = 200;

impl Game {
    pub(super) fn decide_roll(&self, command: &RollCommand, dice: &mut dyn Dice) -> Result<Event> {
        let (who, id) = (self.roller(command.who)?, command.who);
        let mut filled = command.filled.clone();
        self.help(&mut filled, id, &command.helpers)?;
        self.may_help(&filled, id, &command.helpers)?;
        self.may_all_be_named(&filled, id)?;
        filled.fields.decide(&self.house);
        filled.fields.complete()?;
        filled.name_what_locks(&self.house)?;
        let spec = filled.fields.spec();
        let all = filled.fields.clone();
        let (fields, sources) = filled.recorded();
        let helpers = self.helping(id, spec, &command.helpers)?.into_iter();
        let called = id.and_then(|id| self.call_for(id, spec.id));
        let is_for_others = self
            .roster
            .iter()
            .any(|other| Some(other.id) != id && other.is_in_party());
        let roll = Roll {
            who,
            id,
            rules: Some(self.system).filter(|system| system.is_kept()),
            check: spec.id.to_owned(),
            fields,
            sources,
            house: self.house.clone(),
            clock: command.clock,
            helpers: helpers.map(Named::from).collect(),
            group: is_for_others && (command.group || called.is_some_and(|call| call.group)),
            hidden_from: command.hidden_from.clone(),
            noticed: command.noticed && !command.hidden_from.is_empty(),
            ..Roll::default()
        };
        self.may_be_tried(&roll, &all)
            .and_then(|()| self.may_save_from_death(&roll))
            .and_then(|()| self.may_pay(&roll, &all, |_| true))
            .and_then(|()| self.owes(id, &all))
            .map_err(|error| self.name_call(id, spec.id, error))?;
        let mut dealer = dealer(&command.faces, dice);
        dealer.answers = command.choose.iter().cloned().collect();
        dealer.by = command.by;
        dealer.defaults = !command.wait;
        self.run_check(roll, &mut dealer, None)
    }

    /// Free dice: they are written down, and nothing follows.
    pub(super) fn decide_throw(
        &self,
        command: &ThrowCommand,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let (who, id) = (self.roller(command.who)?, command.who);
        let thrown = match &command.what {
            Throw::Dice { notation, faces } => {
                let read: Notation = notation.parse()?;
                let rolled = match faces {
                    Some(faces) => read.read(faces).map_err(RuleError::from)?,
                    None => read.roll(dice),
                };
                Thrown {
                    notation: with_clean_comment(notation),
                    faces: rolled.dice.iter().map(|die| die.face).collect(),
                    total: rolled.total,
                    ..Thrown::default()
                }
            }
            Throw::Table { tables, name } => {
                let rolled = tables.roll(name, dice);
                rolled.ok_or(CommandError::Gone("table"))?
            }
        };
        let fell = thrown.all().map(|one| one.faces.len()).sum::<usize>();
        if fell > MOST_THROWN {
            return Err(refused(format!(
                "a log keeps at most {MOST_THROWN} dice of one roll, and {fell} fell"
            )));
        }
        let thrown = Thrown {
            who,
            id,
            hidden_from: command.hidden_from.clone(),
            noticed: command.noticed && !command.hidden_from.is_empty(),
            ..thrown
        };
        Ok(Event::new(EventKind::Thrown(Box::new(thrown)), Vec::new()))
    }

    /// The name of the one who rolls; nobody has none.
    fn roller(&self, who: Option<CharacterId>) -> Result<String> {
        let name = |id| Ok(self.known_character(id)?.name.clone());
        who.map_or_else(|| Ok(String::new()), name)
    }

    pub(super) fn decide_answer(
        &self,
        id: UnfinishedId,
        chose: &str,
        by: ChosenBy,
        faces: &Faces,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let waiting = self.unfinished(id).ok_or(CommandError::Gone("check"))?;
        // Dice typed by hand go on by hand: without faces, the roll asks for them. Faces typed with the roll come first.
        let all_faces = match faces {
            Faces::Typed(typed) => Faces::Typed([&waiting.unused_faces[..], typed].concat()),
            Faces::Rolled if !waiting.unused_faces.is_empty() => {
                Faces::Typed(waiting.unused_faces.clone())
            }
            Faces::Rolled => Faces::Rolled,
        };

        let mut dealer = dealer(&all_faces, dice);
        dealer.answers = [chose.to_owned()].into();
        dealer.by = by;
        self.run_check(waiting.roll.clone(), &mut dealer, Some(id))
    }

    pub(super) fn decide_faces(
        &self,
        id: UnfinishedId,
        faces: &[Face],
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let waiting = self.unfinished(id).ok_or(CommandError::Gone("check"))?;
        if self.decider(id).is_some() {
            let why = "the check waits for an answer before any dice; nothing was entered";
            return Err(refused(why));
        }
        let mut dealer = dealer(&Faces::Typed(faces.to_vec()), dice);
        self.run_check(waiting.roll.clone(), &mut dealer, Some(id))
    }

    pub(super) fn decide_abandon(&self, id: UnfinishedId) -> Result<Event> {
        let waiting = self.unfinished(id).ok_or(CommandError::Gone("check"))?;
        let what = EventKind::Abandoned(Box::new(waiting.roll.clone()));
        let mut after = self.clone();
        after.unfinished.retain(|waiting| waiting.id != id);
        after.return_set_aside(waiting);
        Ok(self.event(what, &after))
    }

    /// Who decides what a waiting check asks; nobody where it asks for dice.
    pub fn decider(&self, id: UnfinishedId) -> Option<Side> {
        let roll = &self.unfinished(id)?.roll;
        match roll.machine(self.system).ok()?.after(&roll.trail).ok()? {
            Progress::Waits(Ask::Choose { by, .. }) => Some(by),
            Progress::Waits(Ask::Roll { .. }) | Progress::Done(..) => None,
        }
    }

    /// Makes a check as far as there are answers: a new one, or the one that waits under that number.
    fn run_check(
        &self,
        mut roll: Roll,
        dealer: &mut AnswerSource<'_>,
        waiting: Option<UnfinishedId>,
    ) -> Result<Event> {
        let machine = roll.machine(self.system)?;
        let stand = resolve(&*machine, &mut roll.trail, dealer)?;
        let mut after = self.clone();
        let begun = waiting.and_then(|id| self.unfinished(id));
        after.unfinished.retain(|one| Some(one.id) != waiting);
        if waiting.is_none() {
            let called = roll.id.and_then(|id| self.call_for(id, &roll.check));
            after.calls.retain(|call| Some(call) != called);
        }
        let what = match stand {
            Progress::Waits(_) => {
                let id = waiting.unwrap_or_else(|| UnfinishedId(after.take_id()));
                let at = after.unfinished.partition_point(|one| one.id < id);
                let set_aside = match begun {
                    Some(begun) => after.keep_set_aside(begun, &roll)?,
                    None => Some(after.set_aside(&roll)?),
                };
                let waits = Unfinished {
                    id,
                    roll: roll.clone(),
                    by_hand: dealer.dice.is_none(),
                    set_aside,
                    unused_faces: dealer.faces.iter().copied().collect(),
                };
                after.unfinished.insert(at, waits);
                EventKind::Incomplete
            }
            Progress::Done(..) => {
                // The roll pays out of what was set aside for it; the rest goes back.
                if let Some(begun) = begun {
                    self.has_set_aside(begun, &machine.outcome(&roll.trail))?;
                    after.unset_aside(begun);
                }
                after.conclude(&mut roll, &*machine)?;
                after.bound_pools();
                roll.acted_before = after.have_acted(roll.spec(self.system)?, &roll.helpers);
                EventKind::Rolled
            }
        };
        self.event(what(Box::new(roll)), &after)
            .with_luck(self.system)
    }

    /// Writes down what a walked check came to, and books what follows.
    pub(crate) fn conclude(&mut self, roll: &mut Roll, machine: &dyn DynCheck) -> Result<()> {
        let outcome = machine.outcome(&roll.trail);
        let levels = match machine.after(&roll.trail)? {
            Progress::Done(_, score) => score.levels,
            Progress::Waits(_) => 0,
        };
        let word = roll.spec(self.system)?.outcome(outcome.outcome).id;
        word.clone_into(&mut roll.outcome);
        roll.effects = self.book(roll, &outcome, levels)?;
        roll.total = outcome.total;
        Ok(())
    }
}

fn dealer<'a>(faces: &Faces, dice: &'a mut dyn Dice) -> AnswerSource<'a> {
    match faces {
        Faces::Rolled => AnswerSource::rolling(dice),
        Faces::Typed(faces) => AnswerSource::by_hand(faces),
    }
}

/// Returns an expression as it is logged: its comment without control characters.
fn with_clean_comment(notation: &str) -> String {
    match notation.split_once('#') {
        Some((dice, comment)) => {
            let comment = sanitise(comment.trim(), LONGEST_COMMENT);
            format!("{} # {comment}", dice.trim())
        }
        None => notation.to_owned(),
    }
}
