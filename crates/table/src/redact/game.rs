//! Redacts the game for a seat.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::Redactor;
use crate::Seat;
use tableside_game::{
    Allegiance, Call, CharacterId, Clock, ClockId, ClockKind, Game, Readers, SharedList, TokenPool,
    UNNAMED_RACE, Visibility, WhenFull,
};

/// Returns the game without hidden characters and clocks, the GM's notes, the numbers of adversaries, the segments of
/// clocks whose existence alone is visible, and the thresholds that pools have not reached.
fn redact_game(game: &Game, seat: &Seat) -> Game {
    let redactor = Redactor::new(game, seat);
    let mut redacted = game.emptied();
    redactor.add_characters(&mut redacted);
    redactor.add_clocks(&mut redacted);
    redactor.add_pools(&mut redacted);
    redactor.add_rolls(&mut redacted);
    redactor.add_notes(&mut redacted);
    redacted
}

impl Redactor<'_> {
    fn add_characters(&self, redacted: &mut Game) {
        for character in self.game.roster.shared() {
            if !self.seat.knows(character) {
                continue;
            }
            let mut shown = Arc::clone(character);
            if !character.notes.is_empty() {
                Arc::make_mut(&mut shown).notes.clear();
            }
            if !self.reads_sheet(character) {
                let shown = Arc::make_mut(&mut shown);
                let health = character.sheet.health(&self.game.house);
                shown.health = Some(health);
                shown.sheet.forget_state();
                shown.fresh.clear();
            }
            redacted.roster.push_shared(shown);
        }

        for lock in &self.game.locks {
            if self.knows(lock.0) {
                redacted.locks.push(lock.clone());
            }
        }
        for lock in &self.game.gm_locks {
            if self.knows(lock.0) {
                redacted.gm_locks.push(lock.clone());
            }
        }
    }

    fn add_clocks(&self, redacted: &mut Game) {
        for clock in self.game.clocks.shared() {
            if clock.visibility != Visibility::Hidden && self.knows_clock(clock) {
                let mut shown = Arc::clone(clock);
                if !self.sees_whole_clock(clock) {
                    self.redact_clock(Arc::make_mut(&mut shown));
                }
                redacted.clocks.push_shared(shown);
            }
        }
        redact_races(&mut redacted.clocks);
    }

    /// True if no part of a visible clock refers to another entity that the seat may not know.
    fn sees_whole_clock(&self, clock: &Clock) -> bool {
        let sees_link = clock.link.is_none_or(|link| self.sees_clock(link.to));
        clock.visibility == Visibility::Visible && sees_link && clock.check.is_none()
    }

    /// If only the clock's existence is visible, removes everything except its name and its number of segments.
    /// Otherwise removes the check and the link if they refer to hidden entities.
    fn redact_clock(&self, clock: &mut Clock) {
        if clock.visibility != Visibility::Visible {
            clock.filled = 0;
            clock.link = None;
            clock.check = None;
            clock.turns = 0;
            clock.every.clear();
            clock.when_full = WhenFull::default();
            return;
        }

        clock.link = clock.link.filter(|link| self.sees_clock(link.to));
        if let Some(check) = &mut clock.check {
            if self.knows_check(check) {
                self.redact_fields(&mut check.fields, &mut check.named);
            } else {
                clock.check = None;
            }
        }
    }

    fn add_pools(&self, redacted: &mut Game) {
        for pool in self.game.pools.shared() {
            if self.sees_pool(pool) {
                let mut shown = Arc::clone(pool);
                if !pool.thresholds.is_empty() {
                    hide_unreached_thresholds(Arc::make_mut(&mut shown));
                }
                redacted.pools.push_shared(shown);
            }
        }
    }

    /// Adds the waiting rolls and the calls for rolls.
    fn add_rolls(&self, redacted: &mut Game) {
        for waiting in &self.game.unfinished {
            if self.sees_roll(&waiting.roll) {
                let mut shown = waiting.clone();
                self.redact_roll(&mut shown.roll);
                shown.unused_faces.clear();
                redacted.unfinished.push(shown);
            }
        }

        for call in &self.game.calls {
            if self.sees_call(call) {
                let mut shown = call.clone();
                shown.helpers.retain(|helper| self.knows(*helper));
                self.redact_fields(&mut shown.fields, &mut shown.named);
                redacted.calls.push(shown);
            }
        }
    }

    fn add_notes(&self, redacted: &mut Game) {
        let notes = self.game.notes.iter();
        let readable = notes.filter_map(|note| self.redact_note(note));
        redacted.notes = readable.collect();
    }

    fn sees_call(&self, call: &Call) -> bool {
        let is_own = self.seat.characters.contains(&call.who);
        self.knows(call.who) && (call.shown || is_own)
    }
}

fn hide_unreached_thresholds(pool: &mut TokenPool) {
    let mut thresholds = std::mem::take(&mut pool.thresholds);
    thresholds.retain(|(at, _)| pool.reaches(*at, pool.tokens));
    pool.thresholds = thresholds;
}

/// Replaces the name of every race by a number, and makes a race clock without a visible opponent an effort clock.
///
/// Both the name and the existence of a race may reveal a hidden clock.
fn redact_races(clocks: &mut SharedList<Clock>) {
    let mut races: Vec<Vec<usize>> = Vec::new();
    for (index, clock) in clocks.iter().enumerate() {
        if clock.visibility != Visibility::Visible {
            continue;
        }
        let race = races.iter_mut().find(|race| {
            let first_clock = race.first().and_then(|first| clocks.get(*first));
            match first_clock {
                Some(first) => first.is_in_race_with(clock),
                None => false,
            }
        });
        match race {
            Some(race) => race.push(index),
            None if clock.kind == ClockKind::Race => races.push(vec![index]),
            None => {}
        }
    }
    races.retain(|race| race.len() > 1);

    let mut numbers: BTreeMap<ClockId, usize> = BTreeMap::new();
    for (race, number) in races.iter().zip(1..) {
        for index in race {
            numbers.insert(clocks[*index].id, number);
        }
    }
    let may_reveal_race = |clock: &Clock| !clock.race.is_empty() || clock.kind == ClockKind::Race;
    clocks.change_where(may_reveal_race, |clock| match numbers.get(&clock.id) {
        Some(number) => clock.race = format!("{UNNAMED_RACE} {number}"),
        None => {
            clock.race.clear();
            if clock.kind == ClockKind::Race {
                clock.kind = ClockKind::Effort;
            }
        }
    });
}

/// The redacted games that screens read, each made when a screen first needs it. A change of the game discards them all.
#[derive(Debug, Default)]
pub(crate) struct RedactedGames {
    /// The game for seats with the view of an onlooker. Most seats have this view.
    public: OnceLock<Arc<Game>>,
    /// The games for the other seats.
    by_seat: Mutex<Vec<(Seat, Arc<Game>)>>,
}

impl RedactedGames {
    /// The game as an onlooker sees it.
    pub(crate) fn public(&self, game: &Game) -> &Arc<Game> {
        self.public.get_or_init(|| {
            let onlooker = Seat::onlooker();
            Arc::new(redact_game(game, &onlooker))
        })
    }

    /// The game as a seat sees it. For the GM this is a copy of the whole game.
    pub(crate) fn of_seat(&self, game: &Game, seat: &Seat) -> Arc<Game> {
        if seat.sees_all() {
            return Arc::new(game.clone());
        }
        self.special(game, seat)
            .unwrap_or_else(|| Arc::clone(self.public(game)))
    }

    /// The redacted game of a seat that sees more than an onlooker and less than the GM. `None` for other seats.
    pub(crate) fn special(&self, game: &Game, seat: &Seat) -> Option<Arc<Game>> {
        if seat.sees_all() || !sees_more_than_onlookers(game, seat) {
            return None;
        }

        let mut by_seat = self.by_seat.lock();
        for (earlier_seat, redacted) in &*by_seat {
            if earlier_seat == seat {
                return Some(Arc::clone(redacted));
            }
        }
        let redacted = Arc::new(redact_game(game, seat));
        by_seat.push((seat.clone(), Arc::clone(&redacted)));
        Some(redacted)
    }
}

fn sees_more_than_onlookers(game: &Game, seat: &Seat) -> bool {
    let is_own = |id: CharacterId| seat.characters.contains(&id);
    let plays_hidden = game.roster.iter().any(|character| {
        let is_redacted = character.hidden || character.side == Allegiance::Adversary;
        is_redacted && is_own(character.id)
    });
    let is_called = game
        .calls
        .iter()
        .any(|call| !call.shown && is_own(call.who));
    let may_see_waiting = game
        .unfinished
        .iter()
        .any(|waiting| waiting.roll.is_closed());
    let reads_notes = game.notes.iter().any(|note| {
        let is_for_all = note.readers == Readers::Everybody && note.read_by.is_empty();
        !is_for_all && seat.reads_note(note)
    });
    plays_hidden || is_called || may_see_waiting || reads_notes
}
