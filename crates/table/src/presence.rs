//! Who sits at the table, what they suggest to the GM, and who else may come.
//!
//! Nothing of this is part of the game: it is not in the journal, and it is gone when the program ends.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Weak};
use std::time::Instant;

use chrono::{DateTime, Utc};

use super::{Act, Allowed, Problem, Seat, SeatId, SeatRole, SeatView, Table, TokenBucket};
use tableside_game::{Command, CommandError, EntityKind, Game, Throw};
use tableside_text::join;

/// So many answers to suggestions are remembered.
const ANSWERS: usize = 30;

/// So many suggestions of one person may wait for the GM.
const SUGGESTIONS_EACH: usize = 5;

/// So many may wait in all.
const SUGGESTIONS: usize = 30;

/// What a person would like to be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// Which one; they count up.
    pub id: u64,
    /// Whose it is.
    pub by: String,
    pub(super) seat: SeatId,
    /// What would be done, in words, as the GM reads it.
    pub words: String,
    pub(super) act: Suggested,
}

/// What would be done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Suggested {
    Here {
        act: Act,
        /// The game as the person saw it: what differs from it is what the person means.
        seen_as: Arc<Game>,
        /// The act in words, as the person may know it.
        own_words: String,
    },
    /// Another process knows it, under that number.
    At((i64, u64)),
}

impl Suggestion {
    /// The other process that it was made at, and its number there.
    pub(super) fn elsewhere(&self) -> Option<(i64, u64)> {
        match self.act {
            Suggested::Here { .. } => None,
            Suggested::At(of) => Some(of),
        }
    }

    /// The other process that it was made at.
    pub(super) fn node(&self) -> Option<i64> {
        self.elsewhere().map(|(node, _)| node)
    }
}

/// A seat as the list of those who may come has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSeat {
    /// Which one it is.
    pub id: SeatId,
    /// Whether it is none, but somebody who watches without one, and is gone with the connection.
    pub is_passing: bool,
    pub name: String,
    /// What the person is at the table.
    pub role: SeatRole,
    /// Whom the person plays.
    pub characters: Vec<String>,
    /// The fingerprints of the keys that open it.
    pub keys: Vec<String>,
    /// Until when an invitation to it holds.
    pub invited_until: Option<DateTime<Utc>>,
}

/// A fresh invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// The seat that it opens.
    pub name: String,
    pub role: SeatRole,
    /// Whom the seat plays, besides those whose player has its name.
    pub characters: Vec<String>,
    /// The code to be typed; it is told once, here.
    pub code: String,
    /// What the person types to come, or as much of it as is known here.
    pub command: String,
    /// Until when it holds.
    pub until: DateTime<Utc>,
    /// How the person knows that it is this table.
    pub fingerprint: String,
}

/// Lets people in and out: the server, as screens know it.
pub trait Gatekeeper: Send + Sync {
    /// Where people join, and the fingerprint of the host's key, in a sentence.
    fn describe(&self) -> String;
    /// Makes an invitation for a seat, and the seat if none has that name.
    fn invite(&self, name: &str, role: SeatRole) -> Result<Invited, String>;
    /// Takes a seat away, with its keys and its invitation; its screens close.
    fn dismiss(&self, seat: SeatId) -> Result<(), String>;
    /// Takes a seat's keys and its invitation away; its screens close.
    fn revoke(&self, seat: SeatId) -> Result<(), String>;
}

/// The page that shows the table in browsers, as screens know it.
pub trait PublicPage: Send + Sync {
    /// Where browsers find it.
    fn address(&self) -> String;
    /// Gives it another address, which it returns, and sends those away who came by the old one. A page that only this
    /// machine can open has one for good.
    fn renew(&self) -> Result<String, String>;
}

/// Who sits at it through other processes, by the process, and when that was heard last.
type Elsewhere = BTreeMap<i64, (Instant, Vec<Seat>)>;

/// Who sits at the table, what they suggest, and who may come.
#[derive(Default)]
pub struct Presence {
    /// Each with a number of its own.
    sitting: Vec<(u64, Seat)>,
    pub(super) elsewhere: Elsewhere,
    pub(super) suggestions: Vec<Suggestion>,
    /// What was told: to whom, or to every GM, and in what words.
    answers: Vec<(u64, Option<SeatId>, String)>,
    pub(super) allowed: Allowed,
    /// Who may come; none while the table is not open.
    pub(super) listed: Option<Vec<ListedSeat>>,
    gatekeeper: Option<Weak<dyn Gatekeeper>>,
    page: Option<Weak<dyn PublicPage>>,
    count: u64,
    /// How many acts are left to those who did something.
    acts: HashMap<SeatId, TokenBucket>,
}

impl Presence {
    /// Everybody once, in the order of coming.
    pub(super) fn present(&self) -> impl Iterator<Item = &Seat> + '_ {
        let elsewhere = self.elsewhere.values().flat_map(|(_, seats)| seats);
        let all = self.sitting().chain(elsewhere);
        all.clone().enumerate().filter_map(move |(place, one)| {
            let mut before = all.clone().take(place);
            (!before.any(|other| other.id == one.id)).then_some(one)
        })
    }

    /// Who sits at it through this process.
    pub(super) fn sitting(&self) -> impl Iterator<Item = &Seat> + Clone + '_ {
        self.sitting.iter().map(|(_, seat)| seat)
    }

    /// The page that shows the table, while it is open.
    pub(super) fn page(&self) -> Option<Arc<dyn PublicPage>> {
        self.page.as_ref().and_then(Weak::upgrade)
    }

    /// What that person was told last, since that number.
    pub(super) fn answer(&self, to: &Seat, since: u64) -> Option<(u64, &str)> {
        let mut answers = self.answers.iter().rev();
        let is_meant = |seat: &Option<SeatId>| seat.map_or(to.sees_all(), |seat| seat == to.id);
        let found = answers.find(|(number, seat, _)| *number > since && is_meant(seat));
        found.map(|(number, _, words)| (*number, words.as_str()))
    }

    /// Counts an act of a seat: it may do so much in a second, and four times as much at once.
    pub(super) fn count_act(&mut self, seat: &Seat) -> Result<(), CommandError> {
        let is_bound = seat.id != SeatId::HOST;
        let most = self.allowed.acts_per_second.filter(|_| is_bound);
        let Some(most) = most.map(f64::from) else {
            return Ok(());
        };
        let (now, at_once) = (Instant::now(), 4.0 * most);
        let full = || TokenBucket::full(at_once, now);
        let acts = self.acts.entry(seat.id).or_insert_with(full);
        let is_left = acts.take(1.0, (most, at_once), now);
        is_left.then_some(()).ok_or(CommandError::TooFast)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// Has somebody told something, or every GM.
    fn tell(&mut self, to: Option<SeatId>, words: String) {
        let number = self.next();
        self.answers.push((number, to, words));
        if self.answers.len() > ANSWERS {
            self.answers.remove(0);
        }
    }
}

/// Somebody sits at the table for as long as this is kept.
#[derive(Debug)]
#[must_use = "dropping it is getting up at once"]
pub struct PresenceGuard {
    table: Weak<Table>,
    number: u64,
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        if let Some(table) = self.table.upgrade() {
            table.change_presence(|presence| {
                let sitting = &mut presence.sitting;
                sitting.retain(|(number, _)| *number != self.number);
            });
            table.say_who_sits();
        }
    }
}

impl Table {
    /// Changes something about the presence, and has every screen told.
    pub(super) fn change_presence<T>(&self, change: impl FnOnce(&mut Presence) -> T) -> T {
        let mut inner = self.inner();
        let answer = change(&mut inner.presence);
        self.tell_change(inner, EntityKind::Game);
        answer
    }

    /// Sits somebody down at the table until the answer is dropped.
    pub fn sit(self: &Arc<Self>, seat: &Seat) -> PresenceGuard {
        let number = self.change_presence(|presence| {
            let number = presence.next();
            presence.sitting.push((number, seat.clone()));
            number
        });
        self.say_who_sits();
        let table = Arc::downgrade(self);
        PresenceGuard { table, number }
    }

    /// How many sit at the table; the screens of one person count each.
    pub fn sitting(&self) -> usize {
        // Who holds the table and waits for the one who asks this is not waited for.
        self.inner.read_recursive().presence.sitting.len()
    }

    /// Has every screen look anew at what stands beside the game.
    pub fn look_anew(&self) {
        self.change_presence(|_| ());
    }

    /// Says what players and watchers may do beyond their own.
    pub fn allow(&self, allowed: Allowed) {
        if self.inner().presence.allowed != allowed {
            self.change_presence(|presence| presence.allowed = allowed);
        }
    }

    /// Sets who may come; `None` if the table is closed. Suggestions of others are removed.
    pub fn list(&self, listed: Option<Vec<ListedSeat>>) {
        if self.inner().presence.listed != listed {
            self.change_presence(|presence| {
                if let Some(listed) = &listed {
                    let may_come = |seat| listed.iter().any(|one| one.id == seat);
                    presence.suggestions.retain(|one| may_come(one.seat));
                    presence.acts.retain(|seat, _| may_come(*seat));
                }
                presence.listed = listed;
            });
        }
    }

    /// Has every GM told something.
    pub fn tell_gm(&self, words: String) {
        self.change_presence(|presence| presence.tell(None, words));
    }

    /// Says who lets people in and out.
    pub fn set_gatekeeper(&self, door: Weak<dyn Gatekeeper>) {
        self.inner().presence.gatekeeper = Some(door);
    }

    /// Says which page shows the table.
    pub fn set_page(&self, page: Weak<dyn PublicPage>) {
        self.inner().presence.page = Some(page);
    }

    /// Who lets people in and out, for a seat that may ask for it.
    pub fn gatekeeper(&self, seat: &Seat) -> Result<Arc<dyn Gatekeeper>, String> {
        if !seat.sees_all() {
            return Err("only the GM decides who sits at the table".to_owned());
        }
        let inner = self.inner();
        let door = inner.presence.gatekeeper.as_ref();
        door.and_then(Weak::upgrade).ok_or_else(|| {
            "nobody can join: the game is not open to others; start it with --listen, or with `tableside serve`".to_owned()
        })
    }
}

/// What players suggest to the GM, who does it or not.
impl Table {
    /// What a suggestion says, as the seat may know it.
    pub fn wording(&self, seat: &Seat, act: &Act) -> Result<String, CommandError> {
        self.read(seat, |seen| describe(&meant(act, seen)?, seen))
    }

    /// Puts something that the seat may not do before the GM.
    pub fn suggest(&self, seat: &Seat, act: &Act) -> Result<(), Problem> {
        let inner = self.inner();
        if !seat.may_suggest(inner.presence.allowed) {
            return Err(seat.refusal(inner.game.system).into());
        }
        let waiting = &inner.presence.suggestions;
        let own = waiting.iter().filter(|one| one.seat == seat.id).count();
        if own >= SUGGESTIONS_EACH || waiting.len() >= SUGGESTIONS {
            let gm = inner.game.system.spec().gm;
            let words =
                format!("the {gm} has not answered the last suggestions yet; wait for that");
            return Err(CommandError::NotAllowed(words).into());
        }
        let seen_as = inner.views.of(&inner.game, seat);
        drop(inner);
        let act = self.read(seat, |seen| meant(act, seen))?;
        let own_words = self.read(seat, |seen| describe(&act, seen))?;
        let all = Seat::gm();
        let words = self.read(&all, |seen| {
            describe(&rebased(&act, &seen_as, seen.game()), seen)
        });
        let suggestion = self.change_presence(|presence| {
            let suggestion = Suggestion {
                id: presence.next(),
                by: seat.name.clone(),
                seat: seat.id,
                words: words.unwrap_or_else(|why| format!("{own_words}: {why}")),
                act: Suggested::Here {
                    act,
                    seen_as,
                    own_words,
                },
            };
            presence.suggestions.push(suggestion.clone());
            suggestion
        });
        self.say_suggested(&suggestion);
        Ok(())
    }

    /// Does what was suggested, or has the process do it at which it was; it is recorded as done by the one who
    /// suggested it. Where a rule says no, the suggestion stays. Returns what was done, in words.
    pub fn accept(self: &Arc<Self>, seat: &Seat, id: u64) -> Result<String, Problem> {
        let _one = self.answering.lock();
        let suggestion = self.suggested(seat, id)?;
        let mut words = suggestion.words.clone();
        if let Suggested::Here { act, seen_as, .. } = &suggestion.act {
            let act = self.read(seat, |seen| rebased(act, seen_as, seen.game()));
            let done = self.submit_by(seat, (&suggestion.by, suggestion.seat), &act, None)?;
            words = done.event.text(self.look().game.system);
        }
        self.settle(&suggestion, true);
        Ok(words)
    }

    fn suggested(&self, seat: &Seat, id: u64) -> Result<Suggestion, Problem> {
        let inner = self.inner();
        if !seat.sees_all() {
            return Err(seat.refusal(inner.game.system).into());
        }
        let found = inner.presence.suggestions.iter().find(|one| one.id == id);
        Ok(found.cloned().ok_or(CommandError::Gone("suggestion"))?)
    }

    /// Takes a suggestion off the list.
    pub fn decline(&self, seat: &Seat, id: u64) -> Result<Suggestion, Problem> {
        let suggestion = self.suggested(seat, id)?;
        self.settle(&suggestion, false);
        Ok(suggestion)
    }

    /// Takes a suggestion off the list, and has the person told.
    fn settle(&self, suggestion: &Suggestion, yes: bool) {
        let gm = self.inner().game.system.spec().gm;
        let how = if yes { "accepted" } else { "declined" };
        self.change_presence(|presence| {
            presence.suggestions.retain(|one| one.id != suggestion.id);
            if let Suggested::Here { own_words, .. } = &suggestion.act {
                let words = format!("the {gm} {how}: {own_words}");
                presence.tell(Some(suggestion.seat), words);
            }
        });
        self.say_settled(suggestion, yes);
    }
}

/// What a person means who suggests it: to take back the newest act that the person can read of, whatever
/// happens until the GM agrees.
fn meant(act: &Act, seen: &SeatView<'_>) -> Result<Act, CommandError> {
    match act {
        Act::Undo | Act::UndoSeveral(_) => {
            let mut acts = seen.log();
            let newest = acts.find(|entry| entry.is_an_act() && !seen.is_struck(entry.number));
            let newest = newest.ok_or(CommandError::NothingTo("take back"))?;
            let (entry, reason) = (newest.number, String::new());
            Ok(Act::Strike { entry, reason })
        }
        Act::Redo => Err(CommandError::NothingTo("bring back")),
        act => Ok(act.clone()),
    }
}

/// The act of somebody who saw the game so, for the game as it is: with all that was hidden, and all
/// that happened since.
fn rebased(act: &Act, seen_as: &Game, now: &Game) -> Act {
    match act {
        Act::Do(command) => now.rebase(seen_as, command).into(),
        act => act.clone(),
    }
}

/// What would be done, as the log would tell it: `The cliff +2: 4 of 6`.
fn describe(act: &Act, seen: &SeatView<'_>) -> Result<String, CommandError> {
    match act {
        Act::Do(command) => describe_command(command, seen),
        Act::Undo | Act::UndoSeveral(_) => Ok("take the last change back".to_owned()),
        Act::Redo => Ok("bring back what was taken back".to_owned()),
        Act::Strike { entry, .. } => Ok(format!("take back: {}", told(*entry, seen))),
        Act::Amend { entry, fields, .. } => {
            let fields = fields.iter().map(|(name, value)| format!("{name} {value}"));
            let fields = join(fields, ", ");
            Ok(format!("read again with {fields}: {}", told(*entry, seen)))
        }
        Act::Reroll { entry, .. } => Ok(format!("roll again: {}", told(*entry, seen))),
        Act::ForGame(_) | Act::FollowHost(_) => Ok("follow the host".to_owned()),
    }
}

fn told(entry: u64, seen: &SeatView<'_>) -> String {
    seen.entry(entry).map_or_else(
        || format!("#{entry}"),
        |entry| entry.event.text(seen.system()),
    )
}

fn describe_command(command: &Command, seen: &SeatView<'_>) -> Result<String, CommandError> {
    match command {
        // What the dice say is not known before.
        Command::Throw(throw) => Ok(match &throw.what {
            Throw::Dice { notation, .. } => format!("roll {notation}"),
            Throw::Table { name, .. } => format!("roll on the table {name}"),
        }),
        Command::Roll(roll) => {
            let check = roll.filled.fields.spec().label;
            let who = roll.who.and_then(|id| seen.character(id));
            let whose = who.map(|one| format!(" for {}", one.name));
            Ok(format!("roll {check}{}", whose.unwrap_or_default()))
        }
        Command::All(all) => {
            let all = all.iter().map(|one| describe_command(one, seen));
            Ok(all.collect::<Result<Vec<_>, _>>()?.join("; "))
        }
        // It may be refused only for what stands on sheets that the seat does not read.
        command => seen.preview_unchecked(command).or_else(|why| {
            let hides = seen.roster().any(|one| one.health.is_some());
            let words = || "a change that you cannot see".to_owned();
            hides.then(words).ok_or(why)
        }),
    }
}
