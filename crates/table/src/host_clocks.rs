//! A game as one of a host of many: clocks of the host tick at the host's own table, and every game follows.
//!
//! A game remembers up to which entry of the host it has followed, and what follows is decided against that: to
//! follow twice, or at two processes at once, does nothing the second time. No table is locked while another is asked.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::marks::{Mark, Marks, PlacedMark};
use super::view::{Lens, unread};
use super::{Act, Entry, Inner, Problem, Seat, SeatId, Table};
use tableside_game::{
    Change, Clock, Command, CommandError, EntityKind, EntityRef, Event, EventKind, GameActor,
    HostAction, HostRequest, HostRequestId, describe_differences, differences,
};
use tableside_rules::{Refused, System};
use tableside_store::StoreError;

/// So many entries of the host are followed one by one; of those before them only how they left the clocks.
const MOST_FOLLOWED: u64 = 10_000;

/// So many differences are told of what came while a game was closed.
const MOST_TOLD: usize = 8;

/// The table of the host, as the tables of its games know it.
pub trait HostTable: Send + Sync {
    /// Does what a game asks, and returns the number of the host's entry. [`Problem::Refused`] is final; anything
    /// else is tried again.
    fn ask(&self, request: &GameRequest) -> Result<u64, Problem>;
    /// What happened in the host after that entry; of a game that follows for the first time, how it stands.
    fn news(&self, after: u64) -> Result<HostChanges, Problem>;
}

/// What a game asks of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct GameRequest {
    /// Who asks, and where.
    pub at: GameActor,
    /// The seat there.
    pub seat: SeatId,
    pub act: HostAction,
}

/// What happened in a host.
#[derive(Debug)]
pub struct HostChanges {
    /// The entries, oldest first.
    pub entries: Vec<Arc<Entry>>,
    /// The clocks after the last of them.
    pub clocks: Vec<Clock>,
    /// The number of the last one.
    pub last: u64,
}

/// What a game takes over from the host in one event.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostBatch {
    entries: Vec<Arc<Entry>>,
    /// The host's clocks as these entries left them, where that is known.
    clocks: Option<Vec<Clock>>,
    /// The entry up to which the host is followed with it.
    last: u64,
    /// What was asked and is not done, with the reason.
    declined: Vec<(HostRequestId, String)>,
}

impl HostBatch {
    /// Who did it, which seat of this game that was, and in which other game it was done.
    fn by(&self, game: &str) -> (String, SeatId, Option<GameActor>) {
        let [entry] = self.entries.as_slice() else {
            return ("the host".to_owned(), SeatId::NOBODY, None);
        };
        match entry.event.at.as_deref().cloned() {
            Some(at) if at.game == game => (at.name, entry.seat, None),
            at => {
                let by_house = || GameActor {
                    name: entry.by.clone(),
                    ..GameActor::default()
                };
                let at = GameActor {
                    ask: None,
                    ..at.unwrap_or_else(by_house)
                };
                (at.to_string(), SeatId::NOBODY, Some(at))
            }
        }
    }
}

impl HostTable for Arc<Table> {
    fn ask(&self, request: &GameRequest) -> Result<u64, Problem> {
        let (by, act) = (request.at.to_string(), Act::ForGame(request.clone().into()));
        let entry = self.submit_by(&Seat::gm(), (&by, request.seat), &act, None)?;
        Ok(entry.number)
    }

    fn news(&self, after: u64) -> Result<HostChanges, Problem> {
        Ok(self.host_changes(after)?)
    }
}

impl Table {
    /// What happened at this table, that of a host, after that entry.
    pub fn host_changes(&self, after: u64) -> Result<HostChanges, StoreError> {
        let last = self.look().history.last();
        let from = match after {
            0 => last + 1,
            after => after.max(last.saturating_sub(MOST_FOLLOWED)) + 1,
        };
        self.reach_back(from.min(last))?;
        let inner = self.look();
        Ok(HostChanges {
            entries: inner.history.since(from).cloned().collect(),
            clocks: inner.game.clocks.clone(),
            last: inner.history.last(),
        })
    }

    /// Makes this game one of that host, and follows what came while it was closed: in one event, but for what took
    /// back something that was followed before.
    pub fn join_host(self: &Arc<Self>, host: Arc<dyn HostTable>) -> Result<(), Problem> {
        *self.host.lock() = Some(host);
        self.sync_with_host(true)
    }

    /// Follows what happened in the host since the last time, each entry by itself. To be called after every change
    /// of the host, on any thread, but never within a [watcher](Self::watch): what follows may ask the host.
    pub fn follow_host(self: &Arc<Self>) -> Result<(), Problem> {
        self.sync_with_host(false)
    }

    /// Follows the host, has it do what links and rolls here led to, and follows that.
    pub(super) fn sync_with_host(self: &Arc<Self>, sums_up: bool) -> Result<(), Problem> {
        let Some(host) = self.host.lock().clone() else {
            return Ok(());
        };
        loop {
            self.take_over(&*host, sums_up)?;
            let asked = self.look().game.asked.clone();
            let mut declined = Vec::new();
            for ask in &asked {
                let request = self.look().request(ask);
                match host.ask(&request) {
                    Ok(_) => {}
                    Err(Problem::Refused(why)) => declined.push((ask.id, why.to_string())),
                    Err(other) => return Err(other),
                }
            }
            if asked.is_empty() {
                return Ok(());
            }
            // What another process had done already is no longer asked for after this.
            self.take_over(&*host, sums_up)?;
            self.take_over_one(HostBatch {
                declined,
                ..HostBatch::default()
            })?;
        }
    }

    fn take_over(self: &Arc<Self>, host: &dyn HostTable, sums_up: bool) -> Result<(), Problem> {
        let since = self.look().game.followed;
        let mut news = host.news(since)?;
        let mark = |entry: &Arc<Entry>| Mark::of(&entry.event.what);
        if sums_up {
            // What was done and taken back meanwhile leaves nothing.
            let mut marks = Marks::default();
            let all = news.entries.iter();
            all.filter_map(|entry| PlacedMark::of(entry.number, &entry.event.what))
                .for_each(|placed| marks.add(placed));
            let is_over = |entry: &Arc<Entry>| mark(entry).is_some_and(|(of, _)| of > since);
            news.entries
                .retain(|entry| !is_over(entry) && !marks.is_ended(entry.number));
        }
        let is_plain = |entry: &Arc<Entry>| sums_up && mark(entry).is_none();
        let entries = &news.entries;
        let runs = entries.chunk_by(|one, next| is_plain(one) && is_plain(next));
        let mut all: Vec<HostBatch> = runs
            .map(|run| HostBatch {
                entries: run.to_vec(),
                last: run.last().map_or(since, |entry| entry.number),
                ..HostBatch::default()
            })
            .collect();
        all.extend(all.is_empty().then(HostBatch::default));
        if let Some(newest) = all.last_mut() {
            (newest.clocks, newest.last) = (Some(news.clocks), news.last);
        }
        all.into_iter().try_for_each(|one| self.take_over_one(one))
    }

    fn take_over_one(self: &Arc<Self>, followed: HostBatch) -> Result<(), Problem> {
        let (name, seat, _) = followed.by(&self.name());
        let act = Act::FollowHost(followed.into());
        match self.submit_here(&Seat::gm(), (&name, seat), &act, None) {
            // Somebody else was faster, or it says nothing to this game.
            Ok(_) | Err(Problem::Refused(CommandError::Unchanged)) => Ok(()),
            Err(problem) => Err(problem),
        }
    }

    /// Has an act done in the host if it belongs there, and follows; none where it belongs here.
    pub(super) fn submit_to_host(
        self: &Arc<Self>,
        seat: &Seat,
        by: (&str, SeatId),
        act: &Act,
    ) -> Result<Option<Arc<Entry>>, Problem> {
        if self.look().game.followed == 0 {
            return Ok(None);
        }
        let Some(asked) = self.inner().host_action_of(seat, act)? else {
            return Ok(None);
        };
        let host = self.host.lock().clone();
        let why = "that is the host's, and the host is not open here";
        let host = host.ok_or_else(|| CommandError::from(Refused(why.to_owned())))?;
        let at = GameActor {
            name: by.0.to_owned(),
            game: self.name(),
            ask: None,
        };
        let request = GameRequest {
            at,
            seat: by.1,
            act: asked,
        };
        let number = host.ask(&request).map_err(|problem| match problem {
            Problem::Refused(why) => self.look().told(seat, (act, self.now()), why).into(),
            problem => problem,
        })?;
        self.sync_with_host(false)?;
        let inner = self.look();
        let entries = inner.history.iter().rev();
        let follows = entries.filter(|entry| entry.event.host_entry().is_some());
        let ours = follows.take_while(|entry| entry.event.host_entry() >= Some(number));
        let ours = ours.last().ok_or(CommandError::Gone("entry"))?;
        let told = Lens::new(&inner.game, seat).entry(ours, &inner.history);
        Ok(Some(told.unwrap_or_else(|| Arc::new(unread(ours)))))
    }
}

/// How it is told that an entry is taken back, or brought back where it took back another.
pub(super) fn undoing(entry: &Entry, system: System) -> EventKind {
    match entry.event.what.clone() {
        EventKind::Undone { event, text } => EventKind::Redone { event, text },
        EventKind::Redone { event, text } => EventKind::Undone { event, text },
        _ => EventKind::Undone {
            event: entry.number,
            text: entry.event.text(system),
        },
    }
}

impl Inner {
    /// What the host has to do for an act of this game; none where it is this game's own.
    fn host_action_of(
        &mut self,
        seat: &Seat,
        act: &Act,
    ) -> Result<Option<HostAction>, CommandError> {
        seat.may(&self.game, self.presence.allowed, act)?;
        let entry = match act {
            Act::Do(command) => {
                let Command::Tick { clock, by } = **command else {
                    return Ok(None);
                };
                let Some(clock) = self.game.clock(clock).and_then(|clock| clock.follows) else {
                    return Ok(None);
                };
                self.presence.count_act(seat)?;
                return Ok(Some(HostAction::Tick { clock, by }));
            }
            Act::Undo => self.find_undoable(seat).ok(),
            Act::Redo => self.history.to_redo(seat).map(|(_, undoing)| undoing),
            Act::Strike { entry, .. } => Some(self.find(*entry)?),
            _ => None,
        };
        let Some((entry, of)) = entry.and_then(|entry| Some((entry.event.host_entry()?, entry)))
        else {
            return Ok(None);
        };
        if !of.is_host_step() {
            let why = "says what came from the host; it is taken back there";
            let why = format!("#{} {why}: `tableside do --host undo`", of.number);
            return Err(Refused(why).into());
        }
        self.history.holds(of.number)?;
        self.presence.count_act(seat)?;
        Ok(Some(HostAction::TakeBack { entry }))
    }

    /// What is to be asked of the host, in the name of the one whose act led to it.
    fn request(&self, ask: &HostRequest) -> GameRequest {
        let led = |entry: &&Arc<Entry>| {
            let mut changes = entry.event.changes.iter();
            changes.any(|change| change.entity == EntityRef::HostRequest(ask.id))
        };
        let led = self.history.iter().rev().find(led);
        let own = led.filter(|entry| entry.event.at.is_none());
        let gm = Seat::gm();
        let (name, seat) = own.map_or((gm.name, gm.id), |entry| (entry.by.clone(), entry.seat));
        let (game, ask, act) = (self.game_name(), Some(ask.id), ask.act.clone());
        let at = GameActor { name, game, ask };
        GameRequest { at, seat, act }
    }

    /// What a game of this host asks, as an event of the host.
    pub(super) fn do_for_game(
        &mut self,
        request: &GameRequest,
        decide: impl FnOnce(&Self, &Command) -> Result<Event, CommandError>,
    ) -> Result<Event, CommandError> {
        let GameActor { game, ask, .. } = &request.at;
        // Two processes may have the same game open, and ask for the same.
        let same = |at: &GameActor| at.ask == *ask && at.game == *game;
        let is_same = |entry: &Arc<Entry>| entry.event.at.as_deref().is_some_and(same);
        if ask.is_some() && self.history.iter().rev().any(is_same) {
            return Err(CommandError::Unchanged);
        }
        let event = match request.act {
            HostAction::Tick { clock, by } => decide(self, &Command::Tick { clock, by })?,
            HostAction::TakeBack { entry } => {
                let entry = self.find(entry)?;
                self.history.holds(entry.number)?;
                let what = undoing(&entry, self.game.system);
                self.back(entry.number, &entry.event, what)?
            }
        };
        let at = Some(Box::new(request.at.clone()));
        Ok(Event { at, ..event })
    }

    /// The event by which this game follows the host.
    pub(super) fn follow_host(&mut self, followed: &HostBatch) -> Result<Event, CommandError> {
        let (before, since) = (self.game.clone(), self.game.followed);
        let (mut after, game) = (before.clone(), self.game_name());
        let entries = followed.entries.iter().filter(|one| one.number > since);
        let entries: Vec<&Arc<Entry>> = entries.collect();
        let is_new = followed.last > since;
        let is_one = followed.entries.len() == 1;
        let (mut what, mut meant) = (None, None);
        let (mut then, mut touched) = (Vec::new(), Vec::new());
        for (id, why) in &followed.declined {
            if after.asked.iter().any(|ask| ask.id == *id) {
                after.asked.retain(|ask| ask.id != *id);
                then.push(format!("what was asked of it was not done: {why}"));
            }
        }
        for entry in &entries {
            let done = entry.event.at.as_deref().filter(|at| at.game == game);
            let done = done.and_then(|at| at.ask);
            after.asked.retain(|ask| Some(ask.id) != done);
            let mut taken = self.taken_back(entry);
            let back = taken
                .as_ref()
                .map(|(ours, what)| self.back(ours.number, &ours.event, what.clone()));
            if let Some(Ok(back)) = back {
                after.apply(&back);
            } else {
                let came = after.follow_ticks(&entry.event);
                if let Some((_, EventKind::Undone { text, .. } | EventKind::Redone { text, .. })) =
                    &mut taken
                {
                    text.push_str("; what followed stays, for it was changed since");
                }
                if let (Some((id, name)), true) = (came.ticked, is_one) {
                    then.extend(came.then);
                    meant = Some(EntityRef::Clock(id));
                    what = Some(entry.event.what.clone().ticked_as(name, then.join("; ")));
                }
                touched.extend(came.touched);
            }
            what = taken.map(|(_, what)| what).or(what).filter(|_| is_one);
        }
        if let Some(clocks) = followed.clocks.iter().find(|_| is_new) {
            after.mirror_host_clocks(clocks);
        }
        let differ = differences(&before, &after);
        touched.sort_unstable();
        touched.dedup();
        touched.retain(|id| differ.iter().all(|one| one.entity != EntityRef::Clock(*id)));
        let mut changes = after.touch_clocks(&touched);
        if differ.is_empty() && changes.is_empty() {
            return Err(CommandError::Unchanged);
        }
        let what = what.unwrap_or_else(|| {
            let is_told = |of| !matches!(of, EntityRef::HostRequest(_) | EntityRef::HostLog);
            let all = changes.iter().chain(&differ);
            let told: Vec<Change> = all.filter(|one| is_told(one.entity)).cloned().collect();
            let mut how = describe_differences(&after, &told);
            let more = how.len().saturating_sub(MOST_TOLD);
            how.truncate(MOST_TOLD);
            how.extend((more > 0).then(|| format!("and {more} more")));
            how.extend(then);
            let (kind, name) = (EntityKind::Clock, "The host".to_owned());
            let how = how.join("; ");
            EventKind::Edited { kind, name, how }
        });
        after.followed = followed.last.max(since);
        changes.extend(differences(&before, &after));
        let (.., at) = followed.by(&game);
        let mut event = Event::new(what, changes);
        event.at = at.map(Box::new);
        meant.inspect(|of| event.begin_with(*of));
        Ok(event)
    }

    /// The entry here that is taken back with what an entry of the host took back, and how that is told; none where
    /// there is none by itself.
    fn taken_back(&mut self, entry: &Entry) -> Option<(Arc<Entry>, EventKind)> {
        let (of, mark) = Mark::of(&entry.event.what)?;
        let ours = self.own_entry(of)?;
        let undid = |one: &&Arc<Entry>| matches!(one.event.what, EventKind::Undone { event, .. } if event == ours.number);
        let taken = match mark {
            Mark::Undone | Mark::Struck => ours,
            Mark::Redone => self.history.iter().rev().find(undid).cloned()?,
            Mark::Replaced => return None,
        };
        let what = undoing(&taken, self.game.system);
        Some((taken, what))
    }

    /// What that entry of the host came to here, where it came by itself.
    fn own_entry(&mut self, of: u64) -> Option<Arc<Entry>> {
        loop {
            let follows = self.history.iter().rev();
            let mut follows = follows.filter(|entry| entry.event.host_entry().is_some());
            let newest = follows.find(|entry| entry.event.host_entry() <= Some(of));
            if let Some(newest) = newest.cloned() {
                let is_it = newest.event.host_entry() == Some(of) && newest.is_host_step();
                return Some(newest).filter(|_| is_it);
            }
            drop(follows);
            let first = self.history.first();
            self.reach_back(first.saturating_sub(1)).ok()?;
            (self.history.first() < first).then_some(())?;
        }
    }

    /// The event with what the host did because of another that it takes back, to be taken back there.
    pub(super) fn undo_on_host(&self, taken: &Event, event: Event) -> Event {
        let asked = taken
            .changes
            .iter()
            .filter_map(|change| match change.entity {
                EntityRef::HostRequest(id) if !change.to.is_null() => Some(id),
                _ => None,
            });
        let waits = |id: HostRequestId| self.game.asked.iter().any(|ask| ask.id == id);
        let entries = asked.filter(|id| !waits(*id)).filter_map(|id| {
            let is_done = |entry: &&Arc<Entry>| {
                let mut changes = entry.event.changes.iter();
                changes.any(|change| {
                    change.entity == EntityRef::HostRequest(id) && change.to.is_null()
                })
            };
            let done = self.history.iter().rev().find(is_done)?;
            let holds = done.is_host_step() && !self.history.is_struck(done.number);
            done.event.host_entry().filter(|_| holds)
        });
        let entries: Vec<u64> = entries.collect();
        match entries.as_slice() {
            [] => event,
            _ => self.game.request_host_undo(event, entries),
        }
    }
}
