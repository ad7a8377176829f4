//! What one seat may see of a game and of its log. Drawing, listing, searching, previews and refusals get only
//! these, so that nothing hidden comes to light where somebody forgot to hide it.
//!
//! Characters are looked up by number, never by name. A character that was hidden when something happened stays
//! hidden in it until it is shown, also under a new name, and also after it was removed.

use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;

use super::{Entry, History, Seat, SeatId};
use tableside_game::{
    Allegiance, Attached, Call, Change, Character, CharacterId, Clock, ClockId, ClockKind,
    EntityRef, Event, EventKind, Game, HostAction, HostRequest, Link, Named, Origin, Part, PoolId,
    PoolKind, Roll, UNNAMED_RACE, Unfinished, Visibility, WhenFull, describe_host_tick, filled_of,
};
use tableside_rules::{Effect, Party};
use tableside_text::join;

/// What stands where a name is hidden.
pub(super) const SOMEBODY: &str = "somebody";

/// Stands for the number of an entry: numbers would tell how many entries are hidden.
const UNTOLD: u64 = 0;

/// The game as that seat sees it: without who and what is hidden from it, the GM's notes, how adversaries stand
/// in numbers, how full a clock is of which it only knows that it is there, and what pools will tell.
pub(super) fn view_for(game: &Game, seat: &Seat) -> Game {
    let lens = Lens::new(game, seat);
    let roster = game.roster.iter().filter(|one| seat.knows(one));
    let clocks = game.clocks.iter();
    let clocks = clocks.filter(|one| one.visibility != Visibility::Hidden);
    let clocks = clocks.filter(|clock| lens.knows_clock_of(clock));
    let pools = game.pools.iter().filter(|pool| lens.knows_pool(pool.id));
    let calls = game.calls.iter().filter(|call| lens.knows(call.who));
    let calls = calls.filter(|call| call.shown || seat.characters.contains(&call.who));
    let locks = game.locks.iter().filter(|(who, _)| lens.knows(*who));
    let waiting = game.unfinished.iter().filter(|one| lens.sees(&one.roll));
    let mut view = game.emptied();
    view.roster.extend(roster.cloned());
    view.clocks.extend(clocks.cloned());
    view.pools.extend(pools.cloned());
    view.calls.extend(calls.cloned());
    view.locks.extend(locks.cloned());
    let gm_locks = game.gm_locks.iter().filter(|(who, _)| lens.knows(*who));
    view.gm_locks.extend(gm_locks.cloned());
    view.unfinished.extend(waiting.cloned());
    for waiting in &mut view.unfinished {
        lens.roll(&mut waiting.roll);
        waiting.unused_faces.clear();
    }
    for character in &mut view.roster {
        character.notes.clear();
        if !lens.reads_sheet(character) {
            character.health = Some(character.sheet.health(&game.house));
            character.sheet.forget_state();
            character.fresh.clear();
        }
    }
    for clock in &mut view.clocks {
        lens.clock(clock);
    }
    redact_races(&mut view.clocks);
    for pool in &mut view.pools {
        let mut thresholds = std::mem::take(&mut pool.thresholds);
        thresholds.retain(|(at, _)| pool.reaches(*at, pool.tokens));
        pool.thresholds = thresholds;
    }
    for call in &mut view.calls {
        call.helpers.retain(|id| lens.knows(*id));
        lens.named(&mut call.fields, &mut call.named);
    }
    view
}

/// Gives every race a number for a name, and makes a clock that races no other visible clock an effort: the name of a
/// race, like the race itself, may tell of clocks that this reader does not see.
fn redact_races(clocks: &mut [Clock]) {
    let mut races: Vec<Vec<usize>> = Vec::new();
    for (index, clock) in clocks.iter().enumerate() {
        let is_open = clock.visibility == Visibility::Visible;
        let race = races.iter_mut().find(|race| {
            let first = race.first().and_then(|first| clocks.get(*first));
            is_open && first.is_some_and(|first| first.races(clock))
        });
        match race {
            Some(race) => race.push(index),
            None if is_open && clock.kind == ClockKind::Race => races.push(vec![index]),
            None => {}
        }
    }
    races.retain(|race| race.len() > 1);

    for (index, clock) in clocks.iter_mut().enumerate() {
        let race = races.iter().position(|race| race.contains(&index));
        if let Some(number) = race {
            clock.race = format!("{UNNAMED_RACE} {}", number + 1);
            continue;
        }

        clock.race.clear();
        if clock.kind == ClockKind::Race {
            clock.kind = ClockKind::Effort;
        }
    }
}

/// The game as seats see it, each view made when it is first asked for, and gone with the next change.
#[derive(Debug, Default)]
pub(super) struct Views {
    /// As those see it who see nothing that is not for all. Most do.
    public: OnceLock<Arc<Game>>,
    /// As each of the others does.
    own: Mutex<Vec<(Seat, Arc<Game>)>>,
}

impl Views {
    /// As everybody may see it.
    pub(super) fn public(&self, game: &Game) -> &Arc<Game> {
        self.public
            .get_or_init(|| Arc::new(view_for(game, &Seat::onlooker())))
    }

    /// As that seat sees it, to be kept.
    pub(super) fn of(&self, game: &Game, seat: &Seat) -> Arc<Game> {
        if seat.sees_all() {
            return Arc::new(game.clone());
        }
        let own = self.own(game, seat);
        own.unwrap_or_else(|| Arc::clone(self.public(game)))
    }

    /// As that seat sees it; none if that is everything, or what everybody sees.
    pub(super) fn own(&self, game: &Game, seat: &Seat) -> Option<Arc<Game>> {
        let is_own = |id: CharacterId| seat.characters.contains(&id);
        let mut calls = game.calls.iter();
        let mut waiting = game.unfinished.iter();
        let mut roster = game.roster.iter();
        let has_own = roster
            .any(|one| (one.hidden || one.side == Allegiance::Adversary) && is_own(one.id))
            || calls.any(|call| !call.shown && is_own(call.who))
            || waiting.any(|one| one.roll.is_closed());
        if seat.sees_all() || !has_own {
            return None;
        }
        let mut known = self.own.lock();
        if let Some((_, view)) = known.iter().find(|(one, _)| one == seat) {
            return Some(Arc::clone(view));
        }
        let view = Arc::new(view_for(game, seat));
        known.push((seat.clone(), Arc::clone(&view)));
        Some(view)
    }
}

/// Whether one notices that something was rolled of which one may see nothing: dice fell, and the one
/// who rolled them lets it be heard.
pub(super) fn is_noticed(what: &EventKind) -> bool {
    use EventKind::{Rerolled, Rolled, Thrown};
    let has_fallen = matches!(what, Rolled(_) | Rerolled { .. } | Thrown(_));
    has_fallen && what.hidden_from().1
}

/// All that is to be read of a roll that one may notice, and not see.
fn noticed(entry: &Entry) -> Entry {
    let by = (SOMEBODY, SeatId::NOBODY);
    in_words("Something was rolled in secret.", entry, by)
}

/// What is told of an act to the person who did it, where all that came of it is hidden.
pub(super) fn unread(entry: &Entry) -> Entry {
    in_words("Done.", entry, (&entry.by, entry.seat))
}

/// An entry of which nothing else is told.
fn in_words(text: &str, entry: &Entry, by: (&str, SeatId)) -> Entry {
    let (text, about) = (text.to_owned(), None);
    let what = EventKind::Noted { text, about };
    Entry::new(entry.number, entry.at, by, Event::new(what, Vec::new()))
}

/// Decides what a seat may see, by the whole game.
#[derive(Clone, Copy)]
pub(super) struct Lens<'a> {
    game: &'a Game,
    seat: &'a Seat,
}

impl<'a> Lens<'a> {
    pub(super) fn new(game: &'a Game, seat: &'a Seat) -> Self {
        Self { game, seat }
    }

    /// The name of a character, as it is now or was when it went; none where the seat does not know it.
    pub(super) fn name(&self, id: CharacterId) -> Option<&'a str> {
        let known = self.game.character(id);
        let known = known.map(|one| (one.name.as_str(), self.seat.knows(one)));
        let gone = || {
            let gone = self.game.departed.iter().find(|one| one.id == id)?;
            Some((gone.name.as_str(), self.seat.sees_all() || !gone.hidden))
        };
        let (name, is_known) = known.or_else(gone)?;
        is_known.then_some(name)
    }

    /// Gives somebody the name of now; false where the seat does not know who it is.
    fn rename(&self, one: &mut Named) -> bool {
        let name = self.name(one.id);
        name.inspect(|name| (*name).clone_into(&mut one.name))
            .is_some()
    }

    pub(super) fn knows(&self, id: CharacterId) -> bool {
        self.name(id).is_some()
    }

    fn knows_all(&self, mut ids: impl Iterator<Item = CharacterId>) -> bool {
        ids.all(|id| self.knows(id))
    }

    fn knows_owner(&self, owner: Option<CharacterId>) -> bool {
        owner.is_none_or(|owner| self.knows(owner))
    }

    /// Whether the seat may see rolls of that one, hidden from these people.
    pub(super) fn sees_rolls_of(&self, who: Option<CharacterId>, hidden_from: &[String]) -> bool {
        !self.seat.is_closed(hidden_from) && self.knows_owner(who)
    }

    /// Whether the seat may see that roll, and not only that there was one.
    pub(super) fn sees(&self, roll: &Roll) -> bool {
        self.sees_rolls_of(roll.id, &roll.hidden_from)
    }

    fn knows_clock(&self, id: ClockId) -> bool {
        self.game.clock(id).is_some_and(|clock| {
            clock.visibility == Visibility::Visible && self.knows_clock_of(clock)
        })
    }

    /// Whether the seat knows whose clock it is; one that the rules gave tells how that one stands.
    fn knows_clock_of(&self, clock: &Clock) -> bool {
        let is_state = clock.rule.is_some();
        self.knows_owner(clock.owner) && (!is_state || self.knows_state_of(clock.owner))
    }

    /// Whether the seat reads that sheet; else a word says how well its owner is, and checks against it read the rest.
    fn reads_sheet(&self, one: &Character) -> bool {
        let is_told = self.game.house.is("adversaries", "open") || self.seat.sees_all();
        one.side != Allegiance::Adversary || is_told || self.seat.characters.contains(&one.id)
    }

    /// Whether the seat knows how the owner stands. Of somebody who went, nobody knows any more on which side that was.
    fn knows_state_of(&self, owner: Option<CharacterId>) -> bool {
        let of = |id| self.game.character(id);
        let is_read = |id| of(id).is_some_and(|one| self.seat.knows(one) && self.reads_sheet(one));
        owner.is_none_or(is_read)
    }

    fn knows_pool(&self, id: PoolId) -> bool {
        self.game.pool(id).is_some_and(|pool| {
            let is_own = pool.kind == PoolKind::Own;
            self.knows_owner(pool.owner) && (is_own || self.knows_state_of(pool.owner))
        })
    }

    fn knows_check(&self, check: &Attached) -> bool {
        let named = check.named.iter().flat_map(|(_, origin)| &origin.of);
        self.knows_owner(check.who) && self.knows_all(named.map(|one| one.id))
    }

    /// Takes out of a clock what the seat may not know of it.
    fn clock(&self, clock: &mut Clock) {
        let is_open = clock.visibility == Visibility::Visible;
        clock.filled = if is_open { clock.filled } else { 0 };
        let link = clock.link.filter(|_| is_open);
        clock.link = link.filter(|link| self.knows_clock(link.to));
        let check = clock.check.take();
        let mut check = check.filter(|check| is_open && self.knows_check(check));
        if let Some(check) = &mut check {
            self.named(&mut check.fields, &mut check.named);
        }
        clock.check = check;
        if !is_open {
            clock.turns = 0;
            clock.every.clear();
            clock.when_full = WhenFull::default();
        }
    }

    /// The entry as the seat reads it; none where it does not read it. Players read rolls, scenes, what they did
    /// themselves, and ticks of host clocks.
    pub(super) fn entry(&self, entry: &Arc<Entry>, history: &History) -> Option<Arc<Entry>> {
        use EntityRef::{Call, HostRequest, Unfinished};
        if self.seat.sees_all() {
            return Some(Arc::clone(entry));
        }
        let Event {
            what, changes, at, ..
        } = &entry.event;
        let is_of_host = at.is_some() && entry.is_host_step();
        if let Some((_, who)) = what.roller() {
            if !self.sees_rolls_of(who, what.hidden_from().0) {
                return is_noticed(what).then(|| Arc::new(noticed(entry)));
            }
        } else if what.kind() != "scene" && !self.seat.did(entry) && !is_of_host {
            return None;
        }
        let knows_all = changes.iter().all(|change| self.may_see(change));
        // Calls and what waits are read elsewhere; of what waits, which it is leads there.
        let seen = changes.iter().filter(|one| self.may_see(one));
        let seen = seen.filter_map(|one| match one.entity {
            Call(_) | HostRequest(_) => None,
            _ if self.tells_of_others(one) => None,
            of if one.part == Part::Name => {
                // Not the name before: that may be one from while it was hidden.
                let no_name = serde_json::Value::Null;
                Some(Change::new(of, Part::Name, no_name, one.to.clone()))
            }
            Unfinished(_) => Some(Change::new(one.entity, Part::Whole, (), ())),
            _ => Some(one.clone()),
        });
        let mut what = what.clone();
        match &mut what {
            EventKind::Rolled(roll) | EventKind::Incomplete(roll) | EventKind::Abandoned(roll) => {
                self.roll(roll);
            }
            EventKind::Amended { roll, entry, .. } | EventKind::Rerolled { roll, entry } => {
                self.roll(roll);
                *entry = UNTOLD;
            }
            EventKind::Thrown(thrown) => {
                let now = thrown.id.and_then(|id| self.name(id));
                thrown.who = now.map_or_else(|| thrown.who.clone(), str::to_owned);
            }
            EventKind::Undone { event, text } | EventKind::Redone { event, text } => {
                let before = history.entry(*event);
                let before = before.and_then(|entry| self.entry(&entry, history));
                before
                    .as_ref()
                    .or_else(|| self.seat.did(entry).then_some(entry))?;
                *text = before.map_or_else(
                    || "an earlier change".to_owned(),
                    |entry| entry.event.text(self.game.system),
                );
                *event = UNTOLD;
            }
            EventKind::Noted { about, .. } => *about = None,
            EventKind::Struck { entry, .. } => *entry = UNTOLD,
            EventKind::Ended => {}
            EventKind::Ticked { .. }
            | EventKind::Tokens { .. }
            | EventKind::Round { .. }
            | EventKind::Scene { .. }
            | EventKind::Added { .. }
            | EventKind::Removed { .. }
            | EventKind::Edited { .. } => self.retell(&mut what, changes, knows_all)?,
        }
        let mut event = Event::new(what, seen.collect());
        event.at.clone_from(at);
        Some(Arc::new(Entry::new(
            entry.number,
            entry.at,
            (&*entry.by, entry.seat),
            event,
        )))
    }

    /// Writes what happened to things anew, from the changes and in the names of now. The stored words may name
    /// somebody who is hidden now, or by a name that the person had while hidden. `None` if nothing is left to read.
    fn retell(&self, what: &mut EventKind, changes: &[Change], knows_all: bool) -> Option<()> {
        match what {
            EventKind::Ticked { clock, then, .. } => {
                // The clock that the person meant stands first. What it led to is told only if nothing is hidden.
                let of_clock = |change: &&Change| matches!(change.entity, EntityRef::Clock(_));
                let meant = changes.iter().find(of_clock)?;
                if !knows_all && !changes.first().is_some_and(|first| self.may_see(first)) {
                    return None;
                }
                *clock = self.game.named(meant.entity).ok()?.1;
                let mut told = Vec::new();
                if knows_all {
                    for change in changes {
                        let is_meant = change.entity == meant.entity;
                        told.extend(self.clock_steps(change, is_meant));
                    }
                }
                *then = told.join("; ");
            }
            EventKind::Tokens {
                owner, pool, note, ..
            } => {
                let meant = changes.first()?;
                if !self.may_see(meant) {
                    return None;
                }
                if let EntityRef::Pool(id) = meant.entity {
                    let now = self.game.pool(id)?;
                    self.game.owner_name(now.owner).clone_into(owner);
                    now.name.clone_into(pool);
                }
                let mut others = changes.iter().map(|change| change.entity);
                if !knows_all || others.any(|of| of != meant.entity) {
                    note.clear();
                }
            }
            EventKind::Round { over: then, .. } | EventKind::Scene { then, .. } => {
                then.clear();
                // Requests to the host are described separately, without those for hidden clocks.
                let knows_things = changes
                    .iter()
                    .filter(|change| !matches!(change.entity, EntityRef::HostRequest(_)))
                    .all(|change| self.may_see(change));
                if knows_things {
                    *then = self.over_by(changes);
                }
            }
            EventKind::Added { .. } | EventKind::Removed { .. } if !knows_all => return None,
            EventKind::Edited { name, how, .. } => {
                if !knows_all {
                    return None;
                }
                if !self.is_about_one(name, changes) {
                    name.clear();
                    *how = self.edits(changes);
                    if how.is_empty() {
                        return None;
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    /// What a change of a clock did, in words: a step, a reveal, the end of a race. Of the clock that the person meant,
    /// the entry itself tells the step.
    fn clock_steps(&self, change: &Change, is_meant: bool) -> Vec<String> {
        let mut told = Vec::new();
        told.extend(self.host_request_words(change));
        let EntityRef::Clock(id) = change.entity else {
            return told;
        };
        let Some(clock) = self.game.clock(id) else {
            return told;
        };
        let name = &clock.name;

        match &change.part {
            Part::Filled => {
                let mut sides = change.sides::<u8>();
                let (Some(from), Some(to)) = (sides.next(), sides.next()) else {
                    return told;
                };
                if from == to {
                    told.push(format!("{name} starts"));
                } else if !is_meant {
                    let step = i32::from(to) - i32::from(from);
                    let now = filled_of(to, clock.segments.count());
                    let how = if step < 0 { "goes back" } else { "advances" };
                    told.push(format!("{name} {how} by {}: {now}", step.abs()));
                }
                told.extend(self.ended(clock, from, to));
            }
            Part::Turns => told.push(format!("{name} starts again")),
            Part::Visibility => told.push(format!("{name} is revealed")),
            _ => {}
        }
        told
    }

    /// The end of a race or of a tug-of-war, as far as the seat sees the clocks of the race.
    fn ended(&self, clock: &Clock, from: u8, to: u8) -> Option<String> {
        if clock.kind != ClockKind::Race {
            return self.game.describe_clock_end(clock, from, to);
        }
        if to <= from || to < clock.segments.count() {
            return None;
        }

        let race = self.race_seen(clock)?;
        Some(format!("it wins the race: {race}"))
    }

    /// The clocks of a clock's race that the seat sees, as the name of the race. `None` if it sees only one.
    fn race_seen(&self, clock: &Clock) -> Option<String> {
        let members: Vec<&str> = self
            .game
            .clocks
            .iter()
            .filter(|other| other.id == clock.id || clock.races(other))
            .filter(|member| self.knows_clock(member.id))
            .map(|member| member.name.as_str())
            .collect();
        (members.len() > 1).then(|| members.join(" against "))
    }

    /// Describes a requested tick of a host clock, with the name of its copy in this game.
    fn host_request_words(&self, change: &Change) -> Option<String> {
        let asked = change.sides::<HostRequest>().next()?;
        let HostAction::Tick { clock, by } = asked.action else {
            return None;
        };
        let copy = self.game.host_copy(clock)?;
        Some(describe_host_tick(&copy.name, by))
    }

    /// True if the seat may see the copies of all clocks in a request to the host.
    fn may_see_host_request(&self, change: &Change) -> bool {
        change
            .sides::<HostRequest>()
            .all(|asked| match asked.action {
                HostAction::Tick { clock, .. } => self
                    .game
                    .host_copy(clock)
                    .is_some_and(|copy| self.knows_clock(copy.id)),
                HostAction::Undo { .. } => true,
            })
    }

    /// What the end of a round or of a scene changed, in words.
    fn over_by(&self, changes: &[Change]) -> String {
        let mut reset: Vec<String> = Vec::new();
        let mut steps = Vec::new();
        for change in changes.iter().filter(|change| self.may_see(change)) {
            let is_reset = match &change.part {
                Part::Tokens => true,
                Part::Filled => change.to == 0,
                _ => false,
            };
            if change.part == Part::Conditions {
                steps.push(self.edits(std::slice::from_ref(change)));
            } else if !is_reset {
                steps.extend(self.clock_steps(change, false));
            } else if let Ok((_, name)) = self.game.named(change.entity)
                && !reset.contains(&name)
            {
                reset.push(name);
            }
        }

        reset.sort();
        if !reset.is_empty() {
            steps.insert(0, format!("resets {}", reset.join(", ")));
        }
        steps.join(", ")
    }

    /// Whether an edit changed one thing, which has the name still that the entry gives it, and nothing that tells of
    /// another thing: then the stored words hold no other name.
    fn is_about_one(&self, name: &str, changes: &[Change]) -> bool {
        let Some(first) = changes.first() else {
            return false;
        };
        let now = match first.entity {
            EntityRef::Lock(who) => self.name(who).map(str::to_owned),
            of => self.game.named(of).ok().map(|(_, now)| now),
        };
        let is_named_so = now.is_some_and(|now| now == name);
        let is_alone = changes.iter().all(|change| {
            let names_another = [Part::Link, Part::Owner].contains(&change.part);
            change.entity == first.entity && !names_another && !self.tells_of_others(change)
        });
        is_named_so && is_alone
    }

    /// What an edit changed, by the names of now.
    fn edits(&self, changes: &[Change]) -> String {
        let mut told = Vec::new();
        for change in changes {
            told.extend(self.host_request_words(change));
            if let (EntityRef::Clock(id), Part::Race) = (change.entity, &change.part)
                && let Some(clock) = self.game.clock(id)
                && let Some(race) = self.race_seen(clock)
            {
                told.push(format!("{}: in the race {race}", clock.name));
            }
            if self.tells_of_others(change) {
                continue;
            }
            let named = self.game.named(change.entity).ok();
            let words = change.describe(self.game, true);
            if let (Some((_, name)), Some(words)) = (named, words) {
                told.push(format!("{name}: {words}"));
            }
        }
        join(told, "; ")
    }

    /// Whether a change holds the name of a race, or a name that something had before: those may be secrets.
    fn tells_of_others(&self, change: &Change) -> bool {
        match (change.entity, &change.part) {
            (_, Part::Race) => true,
            (of, Part::Name) => {
                let now = self.game.named(of).map(|(_, name)| name);
                change.to.as_str() != now.ok().as_deref()
            }
            (EntityRef::Clock(_), Part::Kind) => {
                let race = <&str>::from(ClockKind::Race);
                change.from == race || change.to == race
            }
            _ => false,
        }
    }

    /// Takes out of a roll whom the seat does not know, and tells the others by the names they have now: a name
    /// that somebody had while hidden is a secret still.
    pub(super) fn roll(&self, roll: &mut Roll) {
        let rolled_as = std::mem::take(&mut roll.who);
        let now = roll.id.and_then(|id| self.name(id));
        roll.who = now.map_or_else(|| rolled_as.clone(), str::to_owned);
        // Effects name those who stand in the roll by their names of then.
        let sources = roll.sources.values().flat_map(|origin| &origin.of);
        let others = roll.helpers.iter().chain(sources);
        let others = others.map(|one| (one.name.clone(), self.name(one.id)));
        let others: Vec<(String, Option<&str>)> = others.collect();
        let name = |then: &str| {
            let known = others.iter().find(|(name, _)| name == then);
            known.map_or(Some(then), |(_, now)| *now).map(str::to_owned)
        };
        for effect in &mut roll.effects {
            match effect {
                Effect::SharedWith { names } => {
                    *names = names.iter().filter_map(|one| name(one)).collect();
                }
                Effect::Token {
                    owner: Some(owner), ..
                } if *owner == rolled_as => owner.clone_from(&roll.who),
                Effect::Token {
                    owner: Some(owner), ..
                } => *owner = name(owner).unwrap_or_else(|| SOMEBODY.to_owned()),
                // A pool's name from the time when it was hidden is still a secret.
                Effect::Reached {
                    pool,
                    pool_id: Some(id),
                    ..
                } => {
                    if let Some(now) = self.game.pool(PoolId(*id)) {
                        *pool = with_present_name(pool, &now.name);
                    }
                }
                Effect::Token { owner: None, .. }
                | Effect::Complication
                | Effect::EffectLevels { .. }
                | Effect::AtACost
                | Effect::Consequence { .. }
                | Effect::Damage { .. }
                | Effect::Wound { .. }
                | Effect::TakenOut
                | Effect::Reached { pool_id: None, .. }
                | Effect::Led { .. }
                | Effect::Number(_)
                | Effect::Condition(_)
                | Effect::NotBooked { .. }
                | Effect::Told { .. }
                | Effect::Offer { .. }
                | Effect::Lock { .. } => {}
            }
        }
        roll.effects.retain(|effect| match effect {
            Effect::SharedWith { names } => !names.is_empty(),
            // The changes tell it, in the names of now.
            Effect::Led { .. } => false,
            Effect::Reached { pool_id, of, .. } => {
                self.knows_state_of(of.map(CharacterId))
                    && pool_id.is_none_or(|id| self.knows_pool(PoolId(id)))
            }
            _ => true,
        });
        roll.helpers.retain_mut(|helper| self.rename(helper));
        roll.acted_before
            .retain(|id| roll.helpers.iter().any(|helper| helper.id == *id));
        for origin in roll.sources.values_mut() {
            self.origin(origin);
        }
        roll.clock = roll.clock.filter(|id| self.knows_clock(*id));
    }

    /// Takes out of fields, as a person wrote them, those that name somebody whom the seat does not know, and
    /// writes the others with the names of now.
    fn named(&self, fields: &mut Vec<(String, String)>, named: &mut Vec<(String, Origin)>) {
        for (field, mut origin) in std::mem::take(named) {
            if self.knows_all(origin.of.iter().map(|one| one.id)) {
                self.origin(&mut origin);
                let text = fields.iter_mut().find(|(known, _)| *known == field);
                if let Some((_, text)) = text {
                    *text = origin.to_string();
                }
                named.push((field, origin));
            } else {
                fields.retain(|(known, _)| *known != field);
            }
        }
    }

    /// The same of what one value was picked by.
    pub(super) fn origin(&self, origin: &mut Origin) {
        let count = origin.of.len();
        origin.of.retain_mut(|named| self.rename(named));
        // Of several who help the known ones are told; a trait of somebody hidden is as secret as the name.
        if origin.of.len() < count && (origin.of.is_empty() || !origin.what.is_empty()) {
            *origin = Origin::from(SOMEBODY);
        }
    }

    fn may_see(&self, change: &Change) -> bool {
        let mut owners = change.sides::<CharacterId>();
        let is_owner = change.part == Part::Owner;
        if is_owner && !owners.all(|owner| self.knows(owner)) {
            return false;
        }
        match (change.entity, &change.part) {
            (
                EntityRef::Scene(_)
                | EntityRef::Round
                | EntityRef::House
                | EntityRef::Rules
                | EntityRef::HostLog,
                _,
            ) => true,
            (EntityRef::HostRequest(_), _) => self.may_see_host_request(change),
            (EntityRef::Lock(who), _) => self.knows(who),
            // What came or went whole has all in it that is hidden.
            (EntityRef::Prepared(_), _)
            | (EntityRef::Character(_) | EntityRef::Clock(_) | EntityRef::Pool(_), Part::Whole) => {
                false
            }
            (EntityRef::Character(who), name) => {
                let tells = change.tells_state(self.game.system);
                let may = *name != Part::Notes && (!tells || self.knows_state_of(Some(who)));
                may && self.knows(who)
            }
            (EntityRef::Clock(id), Part::Link) => {
                let mut links = change.sides::<Link>();
                self.knows_clock(id) && links.all(|link| self.knows_clock(link.to))
            }
            (EntityRef::Clock(id), Part::Check) => {
                let mut checks = change.sides::<Attached>();
                self.knows_clock(id) && checks.all(|check| self.knows_check(&check))
            }
            (EntityRef::Clock(id), _) => self.knows_clock(id),
            (EntityRef::Pool(id), name) => self.knows_pool(id) && *name != Part::Thresholds,
            (EntityRef::Call(_), _) => change.sides::<Call>().all(|call| {
                let named = call.named.iter().flat_map(|(_, origin)| &origin.of);
                let named = named.map(|one| one.id);
                let all = named.chain(call.helpers.iter().copied());
                self.knows_all(all.chain([call.who]))
            }),
            (EntityRef::Unfinished(_), Part::Whole) => {
                change.sides::<Unfinished>().all(|one| self.sees(&one.roll))
            }
            (EntityRef::Unfinished(_), _) => change.sides::<Roll>().all(|roll| self.sees(&roll)),
        }
    }
}

/// Replaces the name of a pool in an effect, and keeps the side before it: `opponent: Wounds`.
fn with_present_name(recorded: &str, name: &str) -> String {
    let sides = [Party::Opponent, Party::Helpers, Party::Table].map(|side| side.to_string());
    match sides.iter().find(|side| recorded.starts_with(*side)) {
        Some(side) => format!("{side}{name}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_renamed_pool_is_told_by_its_present_name() {
        for (recorded, name, told) in [
            ("Old secret", "Blood debt", "Blood debt"),
            ("opponent: Old secret", "Blood debt", "opponent: Blood debt"),
            ("opponents: 2", "Blood debt", "Blood debt"),
        ] {
            assert_eq!(with_present_name(recorded, name), told);
        }
    }
}
