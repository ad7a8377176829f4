//! A resolved check once more: the same faces read under other fields, or the same check rolled again.
//!
//! Either way the reading before it holds no longer: in one event what followed from it is taken back
//! and what follows now is booked.

use std::collections::{HashMap, VecDeque};

use super::Part;
use super::{
    Change, Clock, ClockId, CommandError, EntityRef, Event, EventKind, Faces, Game, Link,
    LinkEffect, Result, Roll,
};
use tableside_dice::{Dice, Die, DieRole, Face, FaceError};
use tableside_rules::{
    Answer, Ask, ChosenBy, DynCheck, Effect, Field, Id, Progress, RuleError, Side, System,
    ValueSource,
};

/// The name under which an amendment answers choices, as on the command line.
const CHOOSE: &str = "choose";

/// What a die was, by which another reading finds it again: its size, its role, and whether it was the opponent's.
type DieKind = (Die, DieRole, bool);

/// The faces that a check rolled, by what the dice were, in rolled order.
type Rolled = HashMap<DieKind, VecDeque<Face>>;

impl Game {
    /// The event that reads a resolved check again with these fields, given as a person writes them; those named
    /// `choose` answer its choices, in order. It refuses fields that change nothing.
    ///
    /// `event` has what all its readings so far changed. `before` are those readings, the ones taken back too: a die
    /// that fell once is never rolled again. Dice that none of them has come from `faces`.
    pub fn amend(
        &self,
        entry: u64,
        event: &Event,
        before: &[&Roll],
        given: &[(String, String)],
        faces: &Faces,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let old = resolved(entry, event)?;
        let spec = old.spec(self.system)?;
        let mut filled = old.filled(self.system)?;
        let unchanged = filled.clone();
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
        let all = filled.fields.clone();
        let recorded = filled.recorded();
        let roll = Roll {
            fields: recorded.values,
            sources: recorded.sources,
            ..old.clone()
        };
        let (mut after, led) = self.without(entry, event)?;
        after.validate_attempt(&roll, &all)?;
        // The pools have moved on since, so only a claim that this reading changes is asked about.
        let claims = spec.token_claims(&unchanged.fields, &roll.house);
        after.require_claimed_tokens(&roll, &all, |claim| !claims.contains(claim))?;
        // The pool has moved on since: what was owed then is owed still, and only a change is asked about.
        let owed = |field: &Field| matches!(field.source, ValueSource::Tokens { owed: true, .. });
        let mut owed = spec.fields.iter().filter(|field| owed(field));
        if owed.any(|field| all.value(field.id) != unchanged.fields.value(field.id)) {
            after.require_owed_tokens(old.id, &all)?;
        }
        let known = all_dice(before.iter().copied().chain([old]), self.system)?;
        let table = DiceOnTable::new(known, faces, dice);
        let is_paid = price_of(old).is_some();
        let (roll, fresh) = after.walk_again((entry, roll), table, answers, is_paid, led)?;
        Ok(self.event(EventKind::Amended { entry, roll, fresh }, &after))
    }

    /// The event that rolls a check again for 1 Favor; the second roll is accepted (Gnosis, Favor).
    pub fn reroll(
        &self,
        entry: u64,
        event: &Event,
        faces: &Faces,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let roll = resolved(entry, event)?.clone();
        let (mut after, led) = self.without(entry, event)?;
        let table = DiceOnTable::new(Rolled::new(), faces, dice);
        let (roll, _) = after.walk_again((entry, roll), table, VecDeque::new(), true, led)?;
        Ok(self.event(EventKind::Rerolled { entry, roll }, &after))
    }

    /// Walks a check again with the dice of that table, keeping the answers that still fit, and books what
    /// follows; returns it with the places of the dice that fell only now.
    fn walk_again(
        &mut self,
        (entry, mut roll): (u64, Roll),
        mut table: DiceOnTable<'_>,
        answers: VecDeque<String>,
        is_paid: bool,
        led: Vec<(ClockId, Link)>,
    ) -> Result<(Box<Roll>, Vec<usize>)> {
        let machine = roll.machine(self.system)?;
        roll.trail = read_again(&*machine, &mut table, answers, &roll.trail)?;
        let fresh = table.settle()?;
        let reached = if is_paid {
            self.pay(entry, &roll)?
        } else {
            None
        };
        self.conclude(&mut roll, &*machine)?;
        self.clamp_pools();
        for (id, link) in led {
            if let Some(clock) = self.clock_mut(id) {
                clock.link = Some(link);
            }
        }
        let price = is_paid.then(|| price(&roll.who));
        roll.effects.splice(0..0, price);
        roll.effects.extend(reached);
        Ok((Box::new(roll), fresh))
    }

    /// Spends the Favor that a roll is repeated for; returns what the pool tells at what is left.
    fn pay(&mut self, entry: u64, roll: &Roll) -> Result<Option<Effect>> {
        let favor_of = |id| self.pool_of(FAVOR, Some(id));
        let favor = roll.id.and_then(favor_of);
        let favor =
            favor.ok_or_else(|| not_holding(entry, "is no roll that tokens could repeat"))?;
        if favor.tokens < PRICE {
            return Err(self.not_enough(favor, &roll.who, favor.tokens.max(0), PRICE));
        }
        let (id, left) = (favor.id, favor.tokens - PRICE);
        let reached = favor.reached_at(left);
        self.set_tokens(id, left, 0);
        Ok(reached)
    }

    /// The state without what followed from a roll. That it was asked for, answered and helped with stays; so does
    /// what a clock led to that something else has filled since, and its link, taken off, does not lead there again.
    fn without(&self, entry: u64, event: &Event) -> Result<(Self, Vec<(ClockId, Link)>)> {
        let of_the_asking = |change: &Change| match change.entity {
            EntityRef::Call(_) | EntityRef::Unfinished(_) => true,
            _ => change.part == Part::Acted,
        };
        let followed = event.changes.iter();
        let followed = followed.filter(|change| !of_the_asking(change));
        let followed = Event::new(event.what.clone(), followed.cloned().collect());
        let back = self.undo_event(entry, &followed, event.what.clone())?;
        let mut after = self.clone();
        after.apply(&back);
        // A roll that waited paid out of what was set aside for it; that is to be had again.
        for change in &event.changes {
            if let Some(waiting) = change.waiting_before() {
                after.release_set_aside(&waiting);
            }
        }
        let moved = |id| {
            event
                .changes
                .iter()
                .any(|one| one.entity == EntityRef::Clock(id))
        };
        let mut led = Vec::new();
        for clock in &mut after.clocks {
            let was_full = self.clock(clock.id).is_some_and(Clock::is_full) && !clock.is_full();
            let stands =
                |link: &mut Link| was_full && link.effect != LinkEffect::Beside && !moved(link.to);
            let link = clock.link.take_if(stands);
            led.extend(link.map(|link| (clock.id, link)));
        }
        Ok((after, led))
    }
}

/// What is spent to roll a check again (Gnosis, Favor).
pub const FAVOR: Id = Id::new("favor");
const PRICE: i32 = 1;

/// The effect that spends it.
fn price(who: &str) -> Effect {
    Effect::Token {
        pool: FAVOR,
        owner: Some(who.to_owned()),
        amount: -PRICE,
    }
}

/// The effect that spent Favor to roll again, if this roll, or the one that it reads again, was one. It stands first,
/// and no check has such an effect by itself.
pub fn price_of(roll: &Roll) -> Option<&Effect> {
    let first = roll.effects.first();
    first.filter(|effect| **effect == price(&roll.who))
}

/// The resolved check that an event is; refuses any other.
pub fn resolved(entry: u64, event: &Event) -> Result<&Roll> {
    let resolved = event.what.resolved();
    resolved.ok_or_else(|| not_holding(entry, "is no roll whose dice could be read again"))
}

fn not_holding(entry: u64, state: &str) -> CommandError {
    let state = state.to_owned();
    CommandError::NotHolding { entry, state }
}

fn kind_of(die: Die, role: DieRole, by: Side) -> DieKind {
    (die, role, by == Side::Opponent)
}

/// Every die of a reading with what it was.
fn dice_of(roll: &Roll, system: System) -> Result<Rolled> {
    let machine = roll.machine(system)?;
    let mut dice = Rolled::new();
    for (step, answer) in roll.trail.iter().enumerate() {
        let asked = machine.after(&roll.trail[..step])?;
        let (Answer::Faces(faces), Progress::Waits(Ask::Roll { pool, by })) = (answer, asked)
        else {
            continue;
        };
        for ((die, role), face) in pool.each_die().zip(faces) {
            let row = dice.entry(kind_of(die, role, by)).or_default();
            row.push_back(*face);
        }
    }
    Ok(dice)
}

/// Every die that any of these readings of one roll has.
fn all_dice<'a>(readings: impl Iterator<Item = &'a Roll>, system: System) -> Result<Rolled> {
    let mut all = Rolled::new();
    for reading in readings {
        for (kind, faces) in dice_of(reading, system)? {
            // Faces are used from the first on: of two rows of equal dice the longer begins with the shorter.
            let row = all.entry(kind).or_default();
            if faces.len() > row.len() {
                *row = faces;
            }
        }
    }
    Ok(all)
}

/// Whether two readings of one roll show the same faces, as far as both have a die.
pub fn same_faces(roll: &Roll, other: &Roll, system: System) -> Result<bool> {
    let (dice, others) = (dice_of(roll, system)?, dice_of(other, system)?);
    let same = |(kind, faces): (_, &VecDeque<Face>)| {
        let row = others.get(kind).into_iter().flatten();
        faces.iter().zip(row).all(|(face, other)| face == other)
    };
    Ok(dice.iter().all(same))
}

/// The dice that lie on the table, and where those that are missing come from.
struct DiceOnTable<'a> {
    known: Rolled,
    faces: &'a Faces,
    dice: &'a mut dyn Dice,
    /// How many dice were asked for so far.
    read: usize,
    /// The places, among those asked for, of the dice that were missing.
    fresh: Vec<usize>,
}

impl<'a> DiceOnTable<'a> {
    fn new(known: Rolled, faces: &'a Faces, dice: &'a mut dyn Dice) -> Self {
        Self {
            known,
            faces,
            dice,
            read: 0,
            fresh: Vec::new(),
        }
    }

    /// The face of the next die of that kind.
    fn face(&mut self, die: Die, role: DieRole, by: Side) -> Result<Face, RuleError> {
        let place = self.read;
        self.read += 1;
        let row = self.known.get_mut(&kind_of(die, role, by));
        if let Some(face) = row.and_then(VecDeque::pop_front) {
            return Ok(face);
        }
        self.fresh.push(place);
        let Faces::Typed(typed) = self.faces else {
            return Ok(self.dice.roll(die));
        };
        let needed = self.fresh.len();
        let Some(face) = typed.get(needed - 1) else {
            return Err(FaceError::too_few(needed, typed.len(), die.name()).into());
        };
        let face = die.face_from_printed(*face);
        die.check(face, needed)?;
        Ok(face)
    }

    /// The places of the dice that were missing; refuses typed faces that are more than those.
    fn settle(self) -> Result<Vec<usize>, RuleError> {
        match self.faces {
            Faces::Typed(typed) if typed.len() > self.fresh.len() => {
                Err(FaceError::too_many(self.fresh.len(), typed.len()).into())
            }
            _ => Ok(self.fresh),
        }
    }
}

/// Walks a check with dice that fell already, rolls those that are missing, and keeps the answers that
/// still fit; other choices take their default.
fn read_again(
    machine: &dyn DynCheck,
    table: &mut DiceOnTable<'_>,
    mut given: VecDeque<String>,
    before: &[Answer],
) -> Result<Vec<Answer>> {
    let mut kept = before.to_vec();
    let mut trail = Vec::new();
    loop {
        match machine.after(&trail)? {
            Progress::Waits(Ask::Roll { pool, by }) => {
                let faces = pool.each_die().map(|(die, role)| table.face(die, role, by));
                trail.push(Answer::Faces(faces.collect::<Result<_, _>>()?));
            }
            Progress::Waits(Ask::Choose { choices, .. }) => {
                let same = |answer: &Answer| matches!(answer, Answer::Chose { choice, .. } if choice == choices.choice);
                let place = kept.iter().position(same);
                let old = place.map(|place| kept.remove(place));
                let fits = |old: &Answer| {
                    let mut with_old = trail.clone();
                    with_old.push(old.clone());
                    machine.after(&with_old).is_ok()
                };
                let answer = |chose, by| Answer::chose(choices.choice, chose, by);
                let next = given.pop_front().map(|chose| answer(chose, ChosenBy::Gm));
                let next = next.or_else(|| old.filter(fits));
                let default = || answer(choices.fallback().name.clone(), ChosenBy::Default);
                trail.push(next.unwrap_or_else(default));
            }
            Progress::Done(..) => return Ok(trail),
        }
    }
}
