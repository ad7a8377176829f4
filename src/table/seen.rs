//! The lens: a session as one seat may see it. Whoever shows anything reads through it.

mod foresee;
mod group;
mod log;

use std::borrow::Cow;
use std::sync::OnceLock;

use super::redact::{self, Redact};
use super::veil::veiled;
use super::{
    Allowed, Company, Entry, Figures, History, Inner, Listed, Present, Revisions, Seat, Statistics,
    Suggestion,
};
use crate::rules::{CheckSpec, Field, House, System};
use crate::session::{
    Call, CallId, Character, CharacterId, Clock, ClockId, Filled, Prepared, Prospect, RaceProspect,
    Refusal, Roll, Scene, Session, TokenPool, Unfinished, Unforeseen, Visibility,
};
use crate::store::Saving;

/// A clock as a seat sees it.
#[derive(Clone, Copy, Debug)]
pub struct ClockSeen<'a> {
    /// The clock. Of one that the seat only knows to exist it is a copy that says nothing more.
    pub clock: &'a Clock,
    /// How many segments are filled; nothing where the seat only knows that it exists.
    pub filled: Option<u8>,
}

/// A session as one seat may see it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    session: &'a Session,
    /// What whoever does not see everything is lent instead, once somebody asks.
    veiled: &'a OnceLock<Session>,
    history: &'a History,
    seat: &'a Seat,
    saving: &'a Saving,
    company: &'a Company,
    revision: u64,
    revisions: &'a Revisions,
}

impl<'a> Seen<'a> {
    pub(super) fn new(inner: &'a Inner, seat: &'a Seat, saving: &'a Saving) -> Self {
        Self {
            session: &inner.session,
            veiled: &inner.veiled,
            history: &inner.history,
            seat,
            saving,
            company: &inner.company,
            revision: inner.revision,
            revisions: &inner.revisions,
        }
    }

    /// The same session as another seat sees it: covered from onlookers, for one.
    #[must_use]
    pub fn as_seat<'b>(&self, seat: &'b Seat) -> Seen<'b>
    where
        'a: 'b,
    {
        Seen { seat, ..*self }
    }

    pub(super) fn session(&self) -> &'a Session {
        self.session
    }

    pub(super) fn history(&self) -> &'a History {
        self.history
    }

    /// How often the session changed since it was opened.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// How often it had changed when each part of it last did.
    pub fn revisions(&self) -> &'a Revisions {
        self.revisions
    }

    /// The rule system.
    pub fn system(&self) -> System {
        self.session.system
    }

    /// Whose eyes these are.
    pub fn seat(&self) -> &'a Seat {
        self.seat
    }

    /// The house rules; they are no secret.
    pub fn house(&self) -> &'a House {
        &self.session.house
    }

    /// Who sits at the table, each once, in the order of coming.
    pub fn present(&self) -> impl Iterator<Item = &'a Present> + '_ {
        self.company.present()
    }

    /// Who may come, as the GM sees it; nothing where the table is not open, or for anybody else.
    pub fn listed(&self) -> Option<&'a [Listed]> {
        let listed = self.company.listed.as_deref();
        listed.filter(|_| self.seat.sees_all())
    }

    /// What players suggest, for the GM to accept or decline, the oldest first.
    pub fn suggestions(&self) -> &'a [Suggestion] {
        if self.seat.sees_all() {
            &self.company.suggestions
        } else {
            &[]
        }
    }

    /// What the GM answered to the last suggestion of this seat since that number, with its own number.
    pub fn answer_since(&self, number: u64) -> Option<(u64, &'a str)> {
        self.company.answer(&self.seat.name, number)
    }

    /// What players and watchers may do beyond their own.
    pub fn allowed(&self) -> Allowed {
        self.company.allowed
    }

    /// How saving stands.
    pub fn saving(&self) -> &'a Saving {
        self.saving
    }

    /// The present scene.
    pub fn scene(&self) -> &'a Scene {
        self.session.scene()
    }

    /// The scene in which an event happened.
    pub fn scene_of(&self, event: u64) -> &'a Scene {
        self.session.scene_of(event)
    }

    /// The round, 0 before the first.
    pub fn round(&self) -> u32 {
        self.session.round
    }

    /// The session whose things are lent: as they are, or without what this seat may not see of them.
    fn lent(&self) -> &'a Session {
        if self.seat.sees_all() {
            self.session
        } else {
            self.veiled.get_or_init(|| veiled(self.session))
        }
    }

    fn knows(&self, character: &Character) -> bool {
        self.seat.knows(character)
    }

    fn knows_owner(&self, owner: Option<CharacterId>) -> bool {
        owner.is_none_or(|owner| {
            let owner = self.session.character(owner);
            owner.is_some_and(|owner| self.knows(owner))
        })
    }

    /// The characters that the seat knows of, in the order of the roster.
    pub fn roster(&self) -> impl Iterator<Item = &'a Character> + '_ {
        self.lent()
            .roster
            .iter()
            .filter(|character| self.knows(character))
    }

    /// A character, if the seat knows of it.
    pub fn character(&self, id: CharacterId) -> Option<&'a Character> {
        self.lent()
            .character(id)
            .filter(|character| self.knows(character))
    }

    /// The character of that name, if the seat knows of it.
    pub fn character_named(&self, name: &str) -> Option<&'a Character> {
        self.lent()
            .character_named(name)
            .filter(|character| self.knows(character))
    }

    /// A character's private notes: the GM's alone.
    pub fn notes(&self, character: &'a Character) -> Option<&'a str> {
        self.seat.sees_all().then_some(character.notes.as_str())
    }

    /// How much harm of that kind First Aid may remove, as [`Session::treatable`] says.
    pub fn treatable(&self, character: &Character, stat: &str) -> i32 {
        self.session.treatable(character, stat)
    }

    /// The name of an owner, or the table's; of one that the seat does not know, none.
    pub fn owner_name(&self, owner: Option<CharacterId>) -> &'a str {
        if self.knows_owner(owner) {
            self.session.owner_name(owner)
        } else {
            redact::SOMEBODY
        }
    }

    /// The clocks that the seat knows of, in order.
    pub fn clocks(&self) -> impl Iterator<Item = ClockSeen<'a>> + '_ {
        self.lent()
            .clocks
            .iter()
            .filter_map(|clock| self.see_clock(clock))
    }

    /// A clock, if the seat knows of it.
    pub fn clock(&self, id: ClockId) -> Option<ClockSeen<'a>> {
        self.lent()
            .clock(id)
            .and_then(|clock| self.see_clock(clock))
    }

    fn see_clock(&self, clock: &'a Clock) -> Option<ClockSeen<'a>> {
        let full = ClockSeen {
            clock,
            filled: Some(clock.filled),
        };
        if self.seat.sees_all() {
            return Some(full);
        }
        match clock.visibility {
            _ if !self.knows_owner(clock.owner) => None,
            Visibility::Visible => Some(full),
            Visibility::Known => Some(ClockSeen {
                clock,
                filled: None,
            }),
            Visibility::Hidden => None,
        }
    }

    /// The clocks of a clock's race that the seat sees whole, itself among them; none where it runs alone.
    pub fn race(&self, clock: &Clock) -> Vec<&'a Clock> {
        let same = |other: &&Clock| other.id == clock.id || clock.races(other);
        let seen = self.clocks().filter(|one| one.filled.is_some());
        let all: Vec<&Clock> = seen.map(|one| one.clock).filter(same).collect();
        if all.len() > 1 { all } else { Vec::new() }
    }

    /// The clock that was first in that one's race, as far as the seat sees.
    pub fn winner(&self, clock: &Clock) -> Option<&'a Clock> {
        self.race(clock).into_iter().find(|one| one.is_full())
    }

    /// The clock that has to be full before that one runs, if the seat sees both.
    pub fn waits_for(&self, clock: &Clock) -> Option<&'a Clock> {
        let before = self.lent().waits_for(clock)?;
        self.clock(before.id).map(|one| one.clock)
    }

    /// How soon a clock is full; nothing where the seat may not know how full it is.
    pub fn forecast(&self, id: ClockId) -> Option<Result<Prospect, Unforeseen>> {
        let clock = self.clock(id).filter(|one| one.filled.is_some())?.clock;
        Some(self.lent().forecast(clock))
    }

    /// Who wins a clock's race; nothing where it runs alone, or where the seat may not see it.
    pub fn race_forecast(&self, id: ClockId) -> Option<Result<RaceProspect, Unforeseen>> {
        let clock = self.clock(id).filter(|one| one.filled.is_some())?.clock;
        let race = self.race(clock);
        (!race.is_empty()).then(|| self.lent().race_forecast(&race))
    }

    /// The prepared scenes: the GM's alone.
    pub fn prepared(&self) -> impl Iterator<Item = &'a Prepared> + '_ {
        self.lent().prepared.iter()
    }

    /// The pools that the seat knows of, in order.
    pub fn pools(&self) -> impl Iterator<Item = &'a TokenPool> + '_ {
        self.session
            .pools
            .iter()
            .filter(|pool| self.knows_owner(pool.owner))
    }

    /// The pools of one owner, or of the table; a player's pool is that of each of the characters.
    pub fn pools_of(&self, owner: Option<CharacterId>) -> impl Iterator<Item = &'a TokenPool> + '_ {
        let session = self.session;
        self.pools().filter(move |pool| {
            let shares = |id| session.shares(id, pool);
            pool.owner == owner || owner.is_some_and(shares)
        })
    }

    /// The pools that stand under that owner, each under one alone.
    pub fn pools_held_by(
        &self,
        owner: Option<CharacterId>,
    ) -> impl Iterator<Item = &'a TokenPool> + '_ {
        self.pools().filter(move |pool| pool.owner == owner)
    }

    /// The checks that wait, as far as the seat may see them.
    pub fn unfinished(&self) -> impl Iterator<Item = Cow<'a, Unfinished>> + '_ {
        let waiting = self.session.unfinished.iter();
        let seen = waiting.filter(|waiting| self.may_see_roll(&waiting.roll));
        seen.map(|waiting| self.redact().waiting(waiting))
    }

    /// Who is still to roll: all calls for the GM, else the seat's own and those that all may see.
    pub fn calls(&self) -> impl Iterator<Item = &'a Call> + '_ {
        self.session.calls.iter().filter(|call| {
            let own = self.seat.characters.contains(&call.who);
            let known = self.character(call.who).is_some();
            known && (self.seat.sees_all() || own || call.shown)
        })
    }

    /// A call, if the seat sees it.
    pub fn call(&self, id: CallId) -> Option<&'a Call> {
        self.calls().find(|call| call.id == id)
    }

    /// What may not be tried again: who, and about what.
    pub fn locks(&self) -> impl Iterator<Item = (&'a Character, &'a str)> + '_ {
        self.session.locks.iter().filter_map(|(who, about)| {
            self.character(*who)
                .map(|character| (character, about.as_str()))
        })
    }

    fn may_see_roll(&self, roll: &Roll) -> bool {
        self.may_read_roll(roll.id, &roll.hidden_from)
    }

    pub(super) fn redact(&self) -> Redact<'a> {
        Redact::new(self.session, self.seat)
    }

    /// The dice and the luck of everyone, of the rolls that this seat may read;
    /// [`super::Table::count_back`] brings in those of before the session was opened.
    pub fn statistics(&self) -> Statistics {
        let (all, mut each) = self
            .history
            .tally()
            .figures(self.system(), |id, hidden_from| {
                self.may_read_roll(id, hidden_from)
            });
        let place = |figures: &Figures| {
            let mut roster = self.session.roster.iter();
            let at = figures
                .id
                .map(|id| roster.position(|character| character.id == id));
            // Nobody's come last, after those of characters that are gone.
            at.map_or((2, 0), |at| at.map_or((1, 0), |at| (0, at)))
        };
        each.sort_by_key(place);
        Statistics {
            from: self.history.counted_from(),
            all,
            each,
        }
    }

    fn may_read_roll(&self, who: Option<CharacterId>, hidden_from: &[String]) -> bool {
        let who = who.and_then(|id| self.session.character(id));
        !self.seat.is_closed(hidden_from) && who.is_none_or(|character| self.knows(character))
    }

    pub(super) fn may_read(&self, entry: &Entry) -> bool {
        if !entry.is_shown() {
            return false;
        }
        if self.seat.sees_all() {
            return true;
        }
        // What is not a roll may name what is hidden; players read rolls, scenes and what they did.
        let what = &entry.event.what;
        if let Some((_, id)) = what.roller() {
            return self.may_read_roll(id, what.hidden_from().0) || redact::is_noticed(what);
        }
        let own = entry.by == self.seat.name && self.redact().knows_all_of(entry);
        own || entry.event.what.kind() == "scene"
    }

    /// The fields of a check as a character's sheet fills them.
    pub fn fill(&self, check: &'static CheckSpec, who: Option<CharacterId>) -> Filled {
        self.session
            .fill(check, who.filter(|id| self.character(*id).is_some()))
    }

    /// Gives a field what a person wrote, as [`Session::fill_in`] does.
    pub fn fill_in(
        &self,
        filled: &mut Filled,
        who: Option<CharacterId>,
        field: &'static Field,
        given: &str,
    ) -> Result<(), Refusal> {
        let who = who.filter(|id| self.character(*id).is_some());
        let known = |one: &Character| self.knows(one);
        self.session
            .fill_in_knowing(filled, who, field, given, &known)
    }

    /// The names that a person may give for a field.
    pub fn picks(&self, who: Option<CharacterId>, field: &Field) -> Vec<String> {
        let who = who.and_then(|id| self.character(id));
        let known = |one: &Character| self.knows(one);
        self.session.picks_knowing(who, field, &known)
    }

    /// The most that a field may be, as [`Session::most`] says.
    pub fn most(&self, filled: &Filled, who: Option<CharacterId>, field: &Field) -> Option<i32> {
        let who = who.filter(|id| self.character(*id).is_some());
        self.session.most(filled, who, field)
    }
}
