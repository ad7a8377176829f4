//! The game as one seat sees it, with what stands around it: who is here, how saving stands, the log.
//! Everything that is shown is read through it.

use std::collections::BTreeSet;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::redact::{Lens, SOMEBODY};
use super::{
    Allowed, Entry, FindSystem, History, Inner, ListedSeat, PublicPage, Seat, SeatRole, Statistics,
    Suggestion,
};
use tableside_game::{
    Call, Character, CharacterId, Clock, ClockId, EntityKind, EventKind, Game, Prepared, Prospect,
    RandomTables, TokenPool, Unfinished, UnfinishedId, Unforeseen, Visibility,
};
use tableside_rules::{CheckSpec, Field, Race, System};
use tableside_store::{GameLocation, Reader, Saving};

/// A clock as a seat sees it.
#[derive(Clone, Copy, Debug)]
pub struct ClockView<'a> {
    /// The clock. Of one that the seat only knows to exist it is a copy that says nothing more.
    pub clock: &'a Clock,
    /// How many segments are filled; none where the seat only knows that it exists.
    pub filled: Option<u8>,
}

/// A game as one seat may see it, asked like the game itself.
#[derive(Clone, Copy, derive_more::Deref)]
pub struct SeatView<'a> {
    /// What is hidden from the seat is not in it.
    #[deref(forward)]
    game: &'a Game,
    /// With all that is hidden: asked only about what the seat may see.
    inner: &'a Inner,
    seat: &'a Seat,
    role: SeatRole,
}

impl<'a> SeatView<'a> {
    /// `own` is the view of a seat that sees more than everybody, and less than everything.
    pub(super) fn new(inner: &'a Inner, own: Option<&'a Game>, seat: &'a Seat) -> Self {
        let public = || inner.views.public(&inner.game);
        Self {
            game: match own {
                _ if seat.sees_all() => &inner.game,
                Some(own) => own,
                None => public(),
            },
            inner,
            seat,
            role: seat.role,
        }
    }

    /// The same game as an onlooker sees it: covered from those who look over a shoulder, while acts stay
    /// those of the one who sits here.
    pub fn covered<'b>(&self, onlooker: &'b Seat) -> SeatView<'b>
    where
        'a: 'b,
    {
        SeatView {
            game: self.inner.views.public(&self.inner.game),
            seat: onlooker,
            ..*self
        }
    }

    /// The names of all players of characters, and of the player at this seat.
    pub fn players(&self) -> Vec<String> {
        let seat = self.seat();
        let own_name = match seat.role {
            SeatRole::Player => seat.name.as_str(),
            SeatRole::Gm | SeatRole::Watcher => "",
        };

        let mut names = BTreeSet::from([own_name]);
        names.extend(self.roster().map(|character| character.player.as_str()));
        names.remove("");
        names.into_iter().map(str::to_owned).collect()
    }

    /// The game, without what is hidden from the seat.
    pub fn game(&self) -> &'a Game {
        self.game
    }

    pub(super) fn history(&self) -> &'a History {
        &self.inner.history
    }

    /// Reads the journal, if the game is saved.
    pub(super) fn reader(&self) -> Option<Reader> {
        self.inner.reader()
    }

    /// Returns an entry as the seat may read it. `None` if the seat may not read it at all.
    pub(super) fn redact_entry(&self, entry: &Arc<Entry>) -> Option<Arc<Entry>> {
        self.lens().entry(entry, self.history())
    }

    pub(super) fn lens(&self) -> Lens<'a> {
        Lens::new(&self.inner.game, self.seat)
    }

    /// How often the game changed since it was opened.
    pub fn revision(&self) -> u64 {
        self.inner.revision.latest
    }

    /// How often it had changed when what is of that kind was last touched, of a character also a value on a sheet; of
    /// other kinds, when anything but clocks, pools and such values was.
    pub fn revision_of(&self, kind: EntityKind) -> u64 {
        let revision = self.inner.revision;
        let of_sheets = revision.sheets.max(revision.others);
        match kind {
            EntityKind::Clock => revision.clocks.max(of_sheets),
            EntityKind::Pool => revision.pools.max(of_sheets),
            EntityKind::Character => of_sheets,
            _ => revision.others,
        }
    }

    pub fn system(&self) -> System {
        self.game.system
    }

    /// As what acts are done here: on a covered screen the GM's, too.
    pub fn role(&self) -> SeatRole {
        self.role
    }

    /// Whose eyes these are.
    pub fn seat(&self) -> &'a Seat {
        self.seat
    }

    /// Who sits at the table, each once, in the order of coming.
    pub fn present(&self) -> impl Iterator<Item = &'a Seat> + '_ {
        self.inner.presence.present()
    }

    /// Who may come, as the GM sees it; none where the table is not open, or for anybody else.
    pub fn listed(&self) -> Option<&'a [ListedSeat]> {
        let listed = self.inner.presence.listed.as_deref();
        listed.filter(|_| self.seat.sees_all())
    }

    /// The page that shows the table in browsers, for the GM, while it is open.
    pub fn page(&self) -> Option<Arc<dyn PublicPage>> {
        self.inner.presence.page().filter(|_| self.seat.sees_all())
    }

    /// What players suggest, for the GM to accept or decline, the oldest first.
    pub fn suggestions(&self) -> &'a [Suggestion] {
        if self.seat.sees_all() {
            &self.inner.presence.suggestions
        } else {
            &[]
        }
    }

    /// What the GM answered to the last suggestion of this seat since that number, with its own number.
    pub fn answer_since(&self, number: u64) -> Option<(u64, &'a str)> {
        self.inner.presence.answer(self.seat, number)
    }

    /// Whether the game may only be looked at.
    pub fn is_view(&self) -> bool {
        let store = self.inner.store.as_ref();
        store.is_some_and(|store| store.is_view())
    }

    /// What players and watchers may do beyond their own.
    pub fn allowed(&self) -> Allowed {
        self.inner.presence.allowed
    }

    /// The tables that can be rolled on: the GM's own.
    pub fn random_tables(&self) -> Arc<RandomTables> {
        let is_own = self.seat.sees_all();
        let tables = is_own.then(|| Arc::clone(&self.inner.random_tables));
        tables.unwrap_or_default()
    }

    /// How the one who opened the game finds rule systems.
    pub(super) fn find_system(&self) -> Option<&'a FindSystem> {
        self.inner.find_system.as_ref()
    }

    /// Where the game is kept, once it is.
    pub(super) fn place(&self) -> Option<GameLocation> {
        self.inner.store.as_ref().map(|store| store.place())
    }

    /// How saving stands.
    pub fn saving(&self) -> Saving {
        let store = self.inner.store.as_ref();
        store.map_or(Saving::Quiet, |store| store.saving())
    }

    /// The characters that the seat knows of, in the order of the roster.
    pub fn roster(&self) -> impl Iterator<Item = &'a Character> + '_ {
        self.game.roster.iter()
    }

    /// Another number where the seat sees others, or more or less of their clocks and pools, than before: what was
    /// told of the log holds no longer then. Of one who sees all it stays.
    pub fn sight(&self) -> u64 {
        if self.seat.sees_all() {
            return 0;
        }
        let who = self.roster().map(|one| one.id);
        let clocks = self.clocks();
        let clocks = clocks.map(|one| (one.clock.id, one.filled.is_some()));
        let pools = self.pools().map(|pool| pool.id);
        let all: (Vec<_>, Vec<_>, Vec<_>) = (who.collect(), clocks.collect(), pools.collect());
        FxBuildHasher.hash_one(all)
    }

    /// A character's private notes: the GM's alone.
    pub fn notes(&self, character: &'a Character) -> Option<&'a str> {
        self.seat.sees_all().then_some(character.notes.as_str())
    }

    /// The name of an owner, or the table's; of one that the seat does not know, none.
    pub fn owner_name(&self, owner: Option<CharacterId>) -> &'a str {
        match owner.map(|id| self.game.character(id)) {
            Some(None) => SOMEBODY,
            Some(Some(character)) => &character.name,
            None => self.game.owner_name(None),
        }
    }

    /// The clocks that the seat knows of, in order.
    pub fn clocks(&self) -> impl Iterator<Item = ClockView<'a>> + '_ {
        let clocks = self.game.clocks.iter();
        clocks.map(|clock| self.see_clock(clock))
    }

    /// Those of a character.
    pub fn clocks_of(&self, owner: CharacterId) -> impl Iterator<Item = ClockView<'a>> + '_ {
        let clocks = self.clocks();
        clocks.filter(move |one| one.clock.owner == Some(owner))
    }

    /// A clock, if the seat knows of it.
    pub fn clock(&self, id: ClockId) -> Option<ClockView<'a>> {
        self.game.clock(id).map(|clock| self.see_clock(clock))
    }

    fn see_clock(&self, clock: &'a Clock) -> ClockView<'a> {
        let is_told = self.seat.sees_all() || clock.visibility == Visibility::Visible;
        let filled = is_told.then_some(clock.filled);
        ClockView { clock, filled }
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

    /// How soon a clock is full; none where the seat may not know how full it is.
    pub fn forecast(&self, id: ClockId) -> Option<Result<Prospect, Unforeseen>> {
        let clock = self.clock(id).filter(|one| one.filled.is_some())?.clock;
        Some(self.game.forecast(clock))
    }

    /// The clocks that the seat sees whole of which one is full first: those of a clock's race, else the one beside
    /// it, itself among them; none where it is alone.
    pub fn runners(&self, clock: &Clock) -> Vec<&'a Clock> {
        let seen = self.clocks().filter(|one| one.filled.is_some());
        let is_one = |one: &&Clock| {
            let pair = [(clock, *one), (*one, clock)];
            one.id == clock.id || pair.iter().any(|(one, other)| one.stands_beside(other.id))
        };
        let mut pair: Vec<&Clock> = seen.map(|one| one.clock).filter(is_one).collect();
        pair.truncate(2);
        match self.race(clock) {
            race if race.is_empty() && pair.len() == 2 => pair,
            race => race,
        }
    }

    /// Who of a clock's runners is full first; none where it is alone, or where the seat may not see it.
    pub fn race_forecast(&self, id: ClockId) -> Option<Result<Race, Unforeseen>> {
        let clock = self.clock(id).filter(|one| one.filled.is_some())?.clock;
        let runners = self.runners(clock);
        (!runners.is_empty()).then(|| self.game.race_forecast(&runners))
    }

    /// The prepared scenes: the GM's alone.
    pub fn prepared(&self) -> impl Iterator<Item = &'a Prepared> + '_ {
        self.game.prepared.iter()
    }

    /// The pools that the seat knows of, in order.
    pub fn pools(&self) -> impl Iterator<Item = &'a TokenPool> + '_ {
        self.game.pools.iter()
    }

    /// The pools of one owner, or of the table; a player's pool is that of each of the characters.
    pub fn pools_of(&self, owner: Option<CharacterId>) -> impl Iterator<Item = &'a TokenPool> + '_ {
        let shared = owner.map_or_else(Vec::new, |owner| self.game.shared_pools(owner));
        self.pools()
            .filter(move |pool| pool.owner == owner || shared.contains(&pool.id))
    }

    /// The checks that wait, as far as the seat may see them.
    pub fn unfinished(&self) -> impl Iterator<Item = &'a Unfinished> + '_ {
        self.game.unfinished.iter()
    }

    /// Who is still to roll: all calls for the GM, else the seat's own and those that all may see.
    pub fn calls(&self) -> impl Iterator<Item = &'a Call> + '_ {
        self.game.calls.iter()
    }

    /// What may not be tried again: who, and about what.
    pub fn locks(&self) -> impl Iterator<Item = (&'a Character, &'a str)> + '_ {
        let game = self.game;
        let locks = game.locks.iter();
        locks.filter_map(|(who, about)| Some((game.character(*who)?, about.as_str())))
    }

    /// The dice and the luck of everyone, of the rolls that this seat may read: of those in memory, and of all
    /// after [`super::Table::count_all`].
    pub fn statistics(&self) -> Statistics {
        let lens = self.lens();
        let (from, tally) = self.inner.history.tally(self.system());
        let (all, mut each) = tally.figures(self.system(), |id, hidden_from| {
            lens.sees_rolls_of(id, hidden_from)
        });
        // A name from when somebody was hidden is a secret still.
        for figures in each.iter_mut().filter(|_| !self.seat.sees_all()) {
            let name = figures.id.and_then(|id| lens.name(id));
            name.inspect(|name| (*name).clone_into(&mut figures.who));
        }
        let roster = self.game.roster.iter().map(|one| one.id);
        let place = |id| {
            let place = roster.clone().position(|one| one == id);
            place.unwrap_or(usize::MAX)
        };
        // Nobody's come last, after those of characters that are gone.
        each.sort_by_key(|figures| (figures.id.is_none(), figures.id.map_or(0, place)));
        Statistics { from, all, each }
    }

    /// The names that a person may give for a field.
    pub fn picks(&self, who: Option<CharacterId>, field: &Field) -> Vec<String> {
        let who = who.and_then(|id| self.character(id));
        self.game.picks(who, field)
    }

    /// What of a call's fields that one lacks, by name.
    pub fn lacking(
        &self,
        check: &'static CheckSpec,
        who: CharacterId,
        given: &[(String, String)],
    ) -> Vec<String> {
        let trained = self.game.as_far_as_trained(check, who, given);
        trained.map_or_else(|_| Vec::new(), |trained| trained.lacking)
    }
}

/// The log as a seat may read it.
impl<'a> SeatView<'a> {
    /// The log as far as it is in memory, newest first: what people want to read, and this seat may.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = Arc<Entry>> + '_ {
        let lens = self.lens();
        let entries = self.inner.history.iter().rev();
        entries.filter_map(move |entry| lens.entry(entry, self.history()))
    }

    /// The numbers of the resolved checks and of the free dice among it, newest first.
    pub fn rolled(&self) -> impl Iterator<Item = u64> + '_ {
        let fell =
            |what: &EventKind| what.resolved().is_some() || matches!(what, EventKind::Thrown(_));
        let rolls = self.readable_rolls();
        let fallen = rolls.filter(move |entry| fell(&entry.event.what));
        fallen.map(|entry| entry.number)
    }

    /// Rolls of which this seat reads more than that there was one.
    fn readable_rolls(&self) -> impl Iterator<Item = &'a Arc<Entry>> + '_ {
        let lens = self.lens();
        self.inner.history.rolls().filter(move |entry| {
            let what = &entry.event.what;
            let sees = |who| lens.sees_rolls_of(who, what.hidden_from().0);
            what.roller().is_some_and(|(_, who)| sees(who))
        })
    }

    /// The log from that event on, as far as it is in memory, oldest first.
    pub fn log_since(&self, number: u64) -> impl DoubleEndedIterator<Item = Arc<Entry>> + '_ {
        let lens = self.lens();
        let entries = self.inner.history.since(number);
        entries.filter_map(move |entry| lens.entry(entry, self.history()))
    }

    /// True if the seat may undo an act, or might be able to undo one that is not in memory.
    pub fn has_undo(&self) -> bool {
        let history = &self.inner.history;
        self.seat.role != SeatRole::Watcher
            && (history.first() > 1 || history.to_undo(self.seat).is_some())
    }

    /// How many entries the log has, also those that are not in memory; for players those that they
    /// may read and that are.
    pub fn log_length(&self) -> u64 {
        if self.seat.sees_all() {
            self.game.entries
        } else {
            self.log().count() as u64
        }
    }

    /// True if the journal could not be read whole, so that the log lacks entries of the state.
    pub fn is_incomplete(&self) -> bool {
        self.inner.incomplete.is_some()
    }

    /// Whether the log has nothing for this seat.
    pub fn is_log_empty(&self) -> bool {
        if self.seat.sees_all() {
            self.game.entries == 0
        } else {
            // The oldest: of the newest there may be thousands that players do not read.
            self.log().next_back().is_none()
        }
    }

    /// How many resolved checks the log has, as [`log_length`](Self::log_length) counts.
    pub fn rolls(&self) -> u64 {
        if self.seat.sees_all() {
            self.game.rolls
        } else {
            let checks = self.readable_rolls();
            checks.filter(|entry| entry.roll().is_some()).count() as u64
        }
    }

    /// An entry of the log.
    pub fn entry(&self, number: u64) -> Option<Arc<Entry>> {
        let entry = self.inner.history.entry(number)?;
        self.lens().entry(&entry, self.history())
    }

    /// Whether that event is in memory.
    pub fn has(&self, number: u64) -> bool {
        self.inner.history.entry(number).is_some()
    }

    /// The number of the oldest event in memory; 1 where the whole log is.
    pub fn log_reaches_to(&self) -> u64 {
        self.inner.history.first()
    }

    /// The number of the last event.
    pub fn last_event(&self) -> u64 {
        self.inner.history.last()
    }

    /// The number of an entry as it is told: players are told none, for a gap between two tells of what is
    /// hidden.
    pub fn tag(&self, number: u64) -> String {
        if self.seat.sees_all() {
            format!("#{number}")
        } else {
            String::new()
        }
    }

    /// The number by which a roll that waits is named: that of the entry that left it waiting. Players, who are told no
    /// numbers of entries, count the rolls that they see waiting.
    pub fn waiting_tag(&self, id: UnfinishedId) -> String {
        if self.seat.sees_all() {
            let left_waiting = |entry: &Arc<Entry>| entry.waits() == Some(id);
            let entry = self.log().find(left_waiting);
            if let Some(entry) = entry {
                return self.tag(entry.number);
            }
        }
        let place = self.unfinished().position(|waiting| waiting.id == id);
        place.map_or_else(String::new, |place| format!("#{}", place + 1))
    }

    /// The roll that waits under that number.
    pub fn waiting_numbered(&self, number: u64) -> Option<UnfinishedId> {
        if self.seat.sees_all()
            && let Some(id) = self.entry(number).and_then(|entry| entry.waits())
            && self.unfinished().any(|waiting| waiting.id == id)
        {
            return Some(id);
        }
        let mut all = self.unfinished();
        let tag = format!("#{number}");
        all.find(|waiting| self.waiting_tag(waiting.id) == tag)
            .map(|waiting| waiting.id)
    }

    /// The entry that holds no longer because of this one, which reads or rolls it again.
    pub fn replaces(&self, number: u64) -> Option<u64> {
        self.inner.history.entry(number)?.event.what.replaces()
    }

    /// Whether an entry holds no longer: it was struck, taken back, or read or rolled again.
    pub fn is_struck(&self, number: u64) -> bool {
        self.inner.history.is_struck(number)
    }

    /// The entry that holds instead of this one, which was amended or rolled again.
    pub fn replaced_by(&self, number: u64) -> Option<u64> {
        let roll = self.entry(number).filter(|entry| entry.roll().is_some());
        self.inner.history.replaced_by(roll?.number)
    }
}
