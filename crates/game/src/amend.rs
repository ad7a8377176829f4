//! Amending a resolved check, and rolling it again.
//!
//! An amendment keeps the dice and changes the fields or answers; a reroll keeps the fields and rolls new dice. In both
//! cases, a single event undoes the effects of the old entry and applies the new ones. The recorded results of one
//! roll, the original and its amendments, are called readings.

use std::collections::VecDeque;

use super::dice_on_table::{DiceOnTable, KnownDice, known_dice};
use super::{
    Change, Clock, ClockId, CommandError, EntityRef, Event, EventKind, Faces, Game, Link,
    LinkEffect, Part, Result, Roll,
};
use tableside_dice::Dice;
use tableside_rules::{
    Answer, Ask, Choices, ChosenBy, DynCheck, Effect, Fields, Id, Progress, ValueSource,
};

/// The name under which an amendment answers choices, as on the command line.
const CHOOSE: &str = "choose";

/// The pool that pays for rolling again (Gnosis, Favor).
pub const FAVOR: Id = Id::new("favor");
const PRICE: i32 = 1;

/// A game without the effects of a roll, in which the roll can be resolved again.
struct Unresolved {
    game: Game,
    /// Links that were removed so that a clock does not trigger another a second time.
    removed_links: Vec<(ClockId, Link)>,
}

/// A check that is resolved again.
struct Repetition<'a> {
    entry: u64,
    roll: Roll,
    dice: DiceOnTable<'a>,
    /// Answers to choices, in order.
    answers: VecDeque<String>,
    /// True if the roll costs 1 Favor.
    is_paid: bool,
}

/// The fields and answers of an amendment.
struct Amendment {
    fields: Fields,
    answers: VecDeque<String>,
    roll: Roll,
}

impl Game {
    /// Returns the event that amends a resolved check with other fields, given as text. Fields named `choose`
    /// answer the choices of the check, in order.
    ///
    /// `event` contains the changes of all earlier readings of the roll. `readings` are these readings, including
    /// undone ones, because a die that was rolled once is never rolled again. `faces` supplies the dice that no reading
    /// contains.
    ///
    /// # Errors
    /// Returns an error if the fields are the same as before, or if the rules forbid the check with these fields.
    pub fn amend(
        &self,
        entry: u64,
        event: &Event,
        readings: &[&Roll],
        given: &[(String, String)],
        faces: &Faces,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let old = resolved(entry, event)?;
        let Amendment {
            fields,
            answers,
            roll,
        } = self.read_amendment(old, given)?;
        let mut unresolved = self.without_effects(entry, event)?;
        unresolved.game.check_amended_fields(old, &roll, &fields)?;

        let all_readings = readings.iter().copied().chain([old]);
        let dice_on_table = known_dice(all_readings, self.system)?;
        let repetition = Repetition {
            entry,
            roll,
            dice: DiceOnTable::new(dice_on_table, faces, dice),
            answers,
            is_paid: price_of(old).is_some(),
        };
        let (roll, fresh) = unresolved.resolve(repetition)?;
        let kind = EventKind::Amended { entry, roll, fresh };
        Ok(self.event(kind, &unresolved.game))
    }

    /// Returns the event that rolls a check again for 1 Favor. The second roll counts (Gnosis, Favor).
    ///
    /// # Errors
    ///
    /// Returns an error if the entry is not a resolved check, or if the character has no Favor.
    pub fn reroll(
        &self,
        entry: u64,
        event: &Event,
        faces: &Faces,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let roll = resolved(entry, event)?.clone();
        let mut unresolved = self.without_effects(entry, event)?;
        let repetition = Repetition {
            entry,
            roll,
            dice: DiceOnTable::new(KnownDice::new(), faces, dice),
            answers: VecDeque::new(),
            is_paid: true,
        };
        let (roll, _) = unresolved.resolve(repetition)?;
        let kind = EventKind::Rerolled { entry, roll };
        Ok(self.event(kind, &unresolved.game))
    }

    /// Fills the given fields into a roll.
    fn read_amendment(&self, old: &Roll, given: &[(String, String)]) -> Result<Amendment> {
        let spec = old.spec(self.system)?;
        let unchanged = old.filled(self.system)?;
        let mut filled = unchanged.clone();
        let mut answers = VecDeque::new();
        for (name, text) in given {
            if name == CHOOSE && spec.field(name).is_none() {
                answers.push_back(text.clone());
            } else {
                let field = filled.field(name)?;
                self.fill_in(&mut filled, old.id, field, text)?;
            }
        }
        filled.fields.complete()?;

        if filled.sources != unchanged.sources {
            self.validate_named_characters(&filled, old.id)?;
        }
        if answers.is_empty() && filled == unchanged {
            return Err(CommandError::Unchanged);
        }

        let fields = filled.fields.clone();
        let recorded = filled.recorded();
        Ok(Amendment {
            fields,
            answers,
            roll: Roll {
                fields: recorded.values,
                sources: recorded.sources,
                ..old.clone()
            },
        })
    }

    /// Checks that the rules and the pools allow the amended fields.
    ///
    /// Pools may have changed since the roll, so this checks only tokens that the amendment claims or owes in addition.
    fn check_amended_fields(&self, old: &Roll, roll: &Roll, fields: &Fields) -> Result<()> {
        self.validate_attempt(roll, fields)?;

        let spec = old.spec(self.system)?;
        let old_fields = old.filled(self.system)?.fields;
        let old_claims = spec.token_claims(&old_fields, &roll.house);
        self.require_claimed_tokens(roll, fields, |claim| !old_claims.contains(claim))?;

        let owes_more = spec.fields.iter().any(|field| {
            let is_owed = matches!(field.source, ValueSource::Tokens { owed: true, .. });
            let old_value = old_fields.value(field.id);
            is_owed && fields.value(field.id) != old_value
        });
        if owes_more {
            self.require_owed_tokens(old.id, fields)?;
        }
        Ok(())
    }

    /// Spends the Favor for rolling again. Returns the note of a threshold that the pool reaches.
    fn pay(&mut self, entry: u64, roll: &Roll) -> Result<Option<Effect>> {
        let favor = roll.id.and_then(|id| self.pool_of(FAVOR, Some(id)));
        let Some(favor) = favor else {
            return Err(not_holding(
                entry,
                "cannot be rolled again; only a character with a Favor pool can pay for it",
            ));
        };
        if favor.tokens < PRICE {
            let available = favor.tokens.max(0);
            return Err(self.not_enough(favor, &roll.who, available, PRICE));
        }

        let id = favor.id;
        let remaining = favor.tokens - PRICE;
        let reached = favor.reached_at(remaining);
        self.set_tokens(id, remaining, 0);
        Ok(reached)
    }

    /// Returns the game without the effects of a roll. Changes of calls, of waiting rolls and of the marks of helpers
    /// stay. If a later event filled a clock that this roll ticked, the clock has triggered its linked clock already.
    /// The link of that clock is then removed, so that the clock does not trigger the other a second time.
    fn without_effects(&self, entry: u64, event: &Event) -> Result<Unresolved> {
        let effects = event
            .changes
            .iter()
            .filter(|change| !belongs_to_request(change))
            .cloned()
            .collect();
        let effects = Event::new(event.what.clone(), effects);
        let undo = self.undo_event(entry, &effects, event.what.clone())?;
        let mut game = self.clone();
        game.apply(&undo);

        // A roll that waited was paid with the tokens that were set aside for it. These tokens are available again.
        for change in &event.changes {
            if let Some(waiting) = change.waiting_before() {
                game.release_set_aside(&waiting);
            }
        }

        let is_changed = |id: ClockId| {
            let mut changes = event.changes.iter();
            changes.any(|change| change.entity == EntityRef::Clock(id))
        };
        let mut removed_links = Vec::new();
        for clock in &mut game.clocks {
            let was_full = self.clock(clock.id).is_some_and(Clock::is_full);
            if was_full
                && !clock.is_full()
                && let Some(link) = clock.link
                && link.effect != LinkEffect::Beside
                && !is_changed(link.to)
            {
                clock.link = None;
                removed_links.push((clock.id, link));
            }
        }
        Ok(Unresolved {
            game,
            removed_links,
        })
    }
}

impl Unresolved {
    /// Resolves the check again and applies its effects. Returns the roll, and the indices of newly rolled dice.
    fn resolve(&mut self, repetition: Repetition<'_>) -> Result<(Box<Roll>, Vec<usize>)> {
        let Repetition {
            entry,
            mut roll,
            mut dice,
            answers,
            is_paid,
        } = repetition;
        let machine = roll.machine(self.game.system)?;
        roll.trail = repeat_trail(&*machine, &mut dice, answers, &roll.trail)?;
        let fresh = dice.finish()?;

        let reached = if is_paid {
            self.game.pay(entry, &roll)?
        } else {
            None
        };
        self.game.conclude(&mut roll, &*machine)?;
        self.game.clamp_pools();
        for (id, link) in self.removed_links.drain(..) {
            if let Some(clock) = self.game.clock_mut(id) {
                clock.link = Some(link);
            }
        }

        if is_paid {
            roll.effects.insert(0, price(&roll.who));
        }
        roll.effects.extend(reached);
        Ok((Box::new(roll), fresh))
    }
}

/// True for a change that stays when the effects of a roll are undone: a change of a call, of a waiting roll, or of the
/// mark of a helper that acted.
fn belongs_to_request(change: &Change) -> bool {
    match change.entity {
        EntityRef::Call(_) | EntityRef::Unfinished(_) => true,
        _ => change.part == Part::Acted,
    }
}

/// The effect that spends Favor to roll again.
fn price(who: &str) -> Effect {
    Effect::Token {
        pool: FAVOR,
        owner: Some(who.to_owned()),
        amount: -PRICE,
    }
}

/// Returns the effect that spent Favor, if this roll or an earlier reading was rolled again for Favor. That effect
/// comes first, and no check has such an effect of its own.
pub fn price_of(roll: &Roll) -> Option<&Effect> {
    let first = roll.effects.first()?;
    if *first == price(&roll.who) {
        Some(first)
    } else {
        None
    }
}

/// Returns the resolved check of an event.
///
/// # Errors
///
/// Returns an error if the event is not a resolved check.
pub fn resolved(entry: u64, event: &Event) -> Result<&Roll> {
    match event.what.resolved() {
        Some(roll) => Ok(roll),
        None => Err(not_holding(
            entry,
            "is not a finished roll; only a finished roll can be amended or rolled again",
        )),
    }
}

fn not_holding(entry: u64, state: &str) -> CommandError {
    CommandError::NotHolding {
        entry,
        state: state.to_owned(),
    }
}

/// Steps through a check again: takes the known dice, rolls missing ones, and keeps the old answers that still fit.
/// Answers in `given` take precedence. A choice without an answer takes its default.
fn repeat_trail(
    machine: &dyn DynCheck,
    dice: &mut DiceOnTable<'_>,
    mut given: VecDeque<String>,
    old_trail: &[Answer],
) -> Result<Vec<Answer>> {
    let mut old_answers = old_trail.to_vec();
    let mut trail = Vec::new();
    loop {
        match machine.after(&trail)? {
            Progress::Waits(Ask::Roll { pool, by }) => {
                let mut faces = Vec::new();
                for (die, role) in pool.each_die() {
                    faces.push(dice.face(die, role, by)?);
                }
                trail.push(Answer::Faces(faces));
            }
            Progress::Waits(Ask::Choose { choices, .. }) => {
                let old = take_answer(&mut old_answers, &choices);
                let answer = match (given.pop_front(), old) {
                    (Some(chose), _) => Answer::chose(choices.choice, chose, ChosenBy::Gm),
                    (None, Some(old)) if still_fits(machine, &trail, &old) => old,
                    (None, _) => {
                        let fallback = choices.fallback().name.clone();
                        Answer::chose(choices.choice, fallback, ChosenBy::Default)
                    }
                };
                trail.push(answer);
            }
            Progress::Done(..) => return Ok(trail),
        }
    }
}

/// Removes the old answer to a choice, and returns it.
fn take_answer(old_answers: &mut Vec<Answer>, choices: &Choices) -> Option<Answer> {
    let index = old_answers.iter().position(|answer| match answer {
        Answer::Chose { choice, .. } => choice == choices.choice,
        Answer::Faces(_) => false,
    })?;
    Some(old_answers.remove(index))
}

fn still_fits(machine: &dyn DynCheck, trail: &[Answer], answer: &Answer) -> bool {
    let mut with_answer = trail.to_vec();
    with_answer.push(answer.clone());
    machine.after(&with_answer).is_ok()
}
