//! The log in memory: its tail, and as much before it as somebody asked for; and which entries do not hold any
//! more. What says so are a few events of a log, and they alone must be known.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher as _, Hash};
use std::sync::{Arc, LazyLock};

use foldhash::quality::RandomState;
use memchr::memchr_iter;
use memchr::memmem::Finder;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{Entry, LogTally, Seat, SeatId};
use crate::rules::System;
use crate::session::{
    AtGame, Change, CharacterId, CommandError, Event, EventKind, Origin, Subject,
};
use crate::store::{Reader, Record, StoreError};

/// So many events at least are read when the history reaches further back.
const STEP: u64 = 500;
/// At most so many entries from further back are in memory at a time.
const MOST_FAR: usize = 1_000;

/// The newest events without gaps, some from further back, and which of them do not hold any more.
#[derive(Debug, Default)]
pub struct History {
    /// Those from further back are here one by one, because somebody looks at them.
    entries: BTreeMap<u64, Arc<Entry>>,
    /// The oldest from which on there are no gaps.
    first: Option<u64>,
    /// Which of those from there on tell of a roll, so that the last thirty need not be looked for.
    rolls: BTreeSet<u64>,
    /// Which entries do not hold any more.
    marks: Marks,
    /// The event from which on all were asked what they say about entries, where that lies before those in
    /// memory.
    marked_from: Option<u64>,
    /// The number of the last event, also while none is in memory.
    last: u64,
    /// The figures of all events, once somebody has asked for them.
    tally: Option<LogTally>,
}

impl History {
    /// A history whose last event has that number, with none in memory.
    pub(super) fn after(last: u64) -> Self {
        Self {
            last,
            ..Self::default()
        }
    }

    /// The number of the last event, 0 before the first.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The number of the oldest event in memory, the next one's if none is.
    pub fn first(&self) -> u64 {
        self.first.unwrap_or(self.last + 1)
    }

    /// The events in memory without gaps, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        self.since(0)
    }

    /// The same from that one on.
    pub fn since(&self, number: u64) -> impl DoubleEndedIterator<Item = &Arc<Entry>> {
        let entries = self.entries.range(number.max(self.first())..);
        entries.map(|(_, entry)| entry)
    }

    /// Those of them that tell of a roll, the newest first.
    pub(super) fn rolls(&self) -> impl Iterator<Item = &Arc<Entry>> {
        let rolls = self.rolls.iter().rev();
        rolls.filter_map(|number| self.entries.get(number))
    }

    /// The event of that number, if it is in memory.
    pub fn entry(&self, number: u64) -> Option<Arc<Entry>> {
        self.entries.get(&number).cloned()
    }

    /// Holds entries from further back, among them those that are looked at now.
    pub(super) fn hold(&mut self, entries: Vec<Arc<Entry>>) {
        let first = self.first();
        if self.entries.range(..first).count() + entries.len() > MOST_FAR {
            self.entries = self.entries.split_off(&first);
        }
        let entries = entries.into_iter().map(|entry| (entry.number, entry));
        self.entries.extend(entries);
    }

    /// The event from which on it is known what became of entries.
    pub(super) fn marked_from(&self) -> u64 {
        self.marked_from.unwrap_or(u64::MAX).min(self.first())
    }

    /// Takes in what the events from `from` up to `below` say about entries.
    pub(super) fn learn_marks(&mut self, from: u64, below: u64, marks: Vec<(u64, (u64, Mark))>) {
        // Somebody else may have gone through them meanwhile, and there must be no gap.
        let known = self.marked_from();
        if from < known && known <= below {
            self.marked_from = Some(from);
            for (event, mark) in marks {
                self.marks.take(event, mark);
            }
        }
    }

    /// Whether the entry holds no longer: it was struck, taken back, or read or rolled again.
    pub fn is_struck(&self, number: u64) -> bool {
        self.marks.has_ended(number)
    }

    /// The entry that holds instead of this one, which was amended or rolled again.
    pub fn replaced_by(&self, number: u64) -> Option<u64> {
        self.marks.replaced_by(number)
    }

    /// Refuses what does not hold any more: only what holds is read or rolled again.
    pub(super) fn holds(&self, entry: u64) -> Result<(), CommandError> {
        let state = match self.replaced_by(entry) {
            Some(later) => format!("was read or rolled again; #{later} holds instead"),
            None if self.is_struck(entry) => "was struck or taken back".to_owned(),
            None => return Ok(()),
        };
        Err(CommandError::NotHolding { entry, state })
    }

    /// Refuses what was rolled again before.
    pub(super) fn may_reroll(&self, entry: u64) -> Result<(), CommandError> {
        self.holds(entry)?;
        let mut readings = self.readings(entry).into_iter();
        if readings.any(|entry| matches!(entry.event.what, EventKind::Rerolled { .. })) {
            return Err(CommandError::NotHolding {
                entry,
                state: "was rolled again already, and the second roll is accepted".into(),
            });
        }
        Ok(())
    }

    /// The readings of one roll up to this entry, the first one first.
    pub(super) fn readings(&self, number: u64) -> Vec<Arc<Entry>> {
        let mut readings: Vec<Arc<Entry>> = self.entry(number).into_iter().collect();
        while let Some(before) = readings
            .last()
            .and_then(|entry| entry.event.what.replaces())
        {
            match self.entry(before).filter(|entry| entry.number < number) {
                Some(entry) => readings.push(entry),
                None => break,
            }
        }
        readings.reverse();
        readings
    }

    /// An entry with all that its readings changed, so that it is taken back whole.
    pub(super) fn whole(&self, number: u64, what: EventKind) -> Event {
        let readings = self.readings(number);
        let changes = readings.iter().flat_map(|entry| &entry.event.changes);
        Event::new(what, changes.cloned().collect())
    }

    /// Every reading of the faces that this entry reads, those taken back too, oldest first.
    pub(super) fn all_readings(&self, number: u64) -> Vec<Arc<Entry>> {
        let chain = self.readings(number);
        // What was rolled again has faces of its own.
        let rolled = |entry: &&Arc<Entry>| !matches!(entry.event.what, EventKind::Amended { .. });
        let Some(first) = chain.iter().rev().find(rolled) else {
            return Vec::new();
        };
        let mut numbers = HashSet::from([first.number]);
        let mut readings = vec![Arc::clone(first)];
        for entry in self.since(first.number + 1) {
            let what = &entry.event.what;
            if matches!(what, EventKind::Amended { entry, .. } if numbers.contains(entry)) {
                numbers.insert(entry.number);
                readings.push(Arc::clone(entry));
            }
        }
        readings
    }

    pub(super) fn push(&mut self, entry: Arc<Entry>, system: System) {
        self.last = entry.number;
        self.learn(&entry);
        if let Some(tally) = &mut self.tally {
            tally.absorb(entry.number, &entry.event, system);
        }
        self.first.get_or_insert(entry.number);
        self.entries.insert(entry.number, entry);
    }

    /// Takes in the figures of all events up to and with `through`.
    pub(super) fn counted(&mut self, mut tally: LogTally, through: u64, system: System) {
        for entry in self.since(through + 1) {
            tally.absorb(entry.number, &entry.event, system);
        }
        self.tally = Some(tally);
    }

    /// The event from which on everything is counted, and the figures.
    pub(super) fn tally(&self, system: System) -> (u64, Cow<'_, LogTally>) {
        let in_memory = || {
            let mut tally = LogTally::default();
            for entry in self.iter() {
                tally.absorb(entry.number, &entry.event, system);
            }
            (self.first(), Cow::Owned(tally))
        };
        self.tally
            .as_ref()
            .map_or_else(in_memory, |tally| (1, Cow::Borrowed(tally)))
    }

    /// The newest act that holds and that somebody allowed to take back did.
    pub(super) fn to_undo(&self, may: impl Fn(&Entry) -> bool) -> Option<Arc<Entry>> {
        let mut acts = self.iter().rev();
        let found =
            acts.find(|entry| may(entry) && entry.is_an_act() && !self.is_struck(entry.number));
        found.cloned()
    }

    /// What that seat took back last and has not brought back, if it did nothing else since: that it is brought
    /// back, and the event that took it back.
    pub(super) fn to_redo(&self, seat: &Seat) -> Option<(EventKind, Arc<Entry>)> {
        let mut brought_back = HashSet::new();
        for entry in self.iter().rev().filter(|entry| seat.did(entry)) {
            match &entry.event.what {
                EventKind::Redone { event, .. } => {
                    brought_back.insert(*event);
                }
                EventKind::Undone { event, .. } if brought_back.remove(event) => {}
                EventKind::Undone { event, text } => {
                    let (event, text) = (*event, text.clone());
                    return Some((EventKind::Redone { event, text }, Arc::clone(entry)));
                }
                _ if entry.is_an_act() => return None,
                _ => {}
            }
        }
        None
    }

    /// The newest event after that one which changed the same: why it cannot be taken back.
    pub(super) fn later_change(&self, number: u64, about: &(Subject, String)) -> Option<u64> {
        let mut later = self.since(number + 1).rev();
        let found = later.find(|entry| {
            let mut changes = entry.event.changes.iter();
            changes.any(|change| change.touches(about))
        });
        found.map(|entry| entry.number)
    }

    /// Reads older events until the history reaches back to that one, or to the first.
    pub(super) fn reach_back(&mut self, reader: &Reader, number: u64) -> Result<(), StoreError> {
        let first = self.first();
        if number >= first || first <= 1 {
            return Ok(());
        }
        let from = number.min(first.saturating_sub(STEP)).max(1);
        let records = reader.read(from..first)?;
        for entry in records.iter().rev().filter_map(read) {
            self.learn(&entry);
            self.first = Some(entry.number);
            self.entries.insert(entry.number, Arc::new(entry));
        }
        Ok(())
    }

    fn learn(&mut self, entry: &Entry) {
        if entry.event.what.roller().is_some() {
            self.rolls.insert(entry.number);
        }
        if let Some(mark) = Mark::of(&entry.event.what) {
            self.marks.take(entry.number, mark);
        }
    }
}

/// An event as the journal holds it: with its line of the log, for a search, and for people with `grep`.
#[derive(Debug, Serialize)]
pub struct WithText<'a> {
    text: String,
    #[serde(flatten)]
    event: &'a Event,
}

impl<'a> WithText<'a> {
    /// The event with its line of the log.
    pub fn new(event: &'a Event, system: System) -> Self {
        let text = event.text(system);
        Self { text, event }
    }
}

/// Reads an entry of the journal; none where this program does not know it.
pub(super) fn read(record: &Record) -> Option<Entry> {
    let event = read_event(record.event.get().as_bytes())?;
    let by = (&*record.by, SeatId(record.seat));
    Some(Entry::new(record.n, record.at, by, event))
}

fn read_event(json: &[u8]) -> Option<Event> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Found {
        #[serde(default, rename = "text")]
        _text: IgnoredAny,
        what: EventKind,
        #[serde(default)]
        changes: Vec<Change>,
        #[serde(default)]
        follows: Option<u64>,
        #[serde(default)]
        at: Option<Box<AtGame>>,
    }
    let Found {
        what,
        changes,
        follows,
        at,
        ..
    } = begin(json)?;
    let event = Event::new(what, changes);
    Some(Event {
        follows,
        at,
        ..event
    })
}

/// A line of the journal, of which no more is read than somebody asks for.
pub(super) struct Glance<'a> {
    /// What comes before the event.
    head: &'a [u8],
    event: &'a [u8],
    /// What happened, from the name of its kind on.
    what: &'a [u8],
    /// The roll, where it is one and of no entry before it.
    roll: Option<&'a [u8]>,
}

/// Who rolled, from whom that is hidden, and which check it was.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Rolled {
    pub(super) who: String,
    pub(super) id: Option<CharacterId>,
    pub(super) check: String,
    pub(super) hidden_from: Vec<String>,
    pub(super) noticed: bool,
}

/// What a roll is about: its check, and what its values were picked by.
#[derive(Deserialize)]
pub(super) struct Picked {
    #[serde(default)]
    pub(super) rules: Option<System>,
    pub(super) check: String,
    #[serde(default)]
    pub(super) sources: BTreeMap<String, Origin>,
}

/// What stands before a part of a line. Within a text its quotation marks would be escaped.
type Key = LazyLock<Finder<'static>>;
static EVENT: Key = LazyLock::new(|| Finder::new(b",\"event\":"));
static WHAT: Key = LazyLock::new(|| Finder::new(b",\"what\":"));
pub(super) static BY: Key = LazyLock::new(|| Finder::new(b",\"by\":"));
static SEAT: Key = LazyLock::new(|| Finder::new(b",\"seat\":"));
static CHECK: Key = LazyLock::new(|| Finder::new(b"\"check\":"));
static RULES: Key = LazyLock::new(|| Finder::new(b"\"rules\":"));
static SOURCES: Key = LazyLock::new(|| Finder::new(b",\"sources\":"));
static AT: Key = LazyLock::new(|| Finder::new(b",\"at\":{"));
static OUTCOME: Key = LazyLock::new(|| Finder::new(b",\"outcome\":"));
static TRAIL: Key = LazyLock::new(|| Finder::new(b",\"trail\":"));
/// What stands behind a list of lists.
static NEXT: Key = LazyLock::new(|| Finder::new(b"],\""));
static HIDDEN: Key = LazyLock::new(|| Finder::new(b"hidden_from"));
static WAITED: Key = LazyLock::new(|| Finder::new(b"unfinished"));

impl<'a> Glance<'a> {
    /// How rolls begin in the journal that are told as they were stored, but for the names of now.
    pub(super) const ROLLS: [&'static [u8]; 4] =
        [b"rolled\"", b"incomplete\"", b"abandoned\"", b"thrown\""];

    /// Looks at a line; none where it is not laid out as this program does it.
    pub(super) fn at(line: &'a [u8]) -> Option<Self> {
        let (head, event) = split(line, &EVENT)?;
        let what = split(event, &WHAT)?.1.strip_prefix(b"{\"")?;
        let of_kind = |kind: &[u8]| what.strip_prefix(kind)?.strip_prefix(b":");
        let roll = Self::ROLLS.into_iter().find_map(of_kind);
        Some(Self {
            head,
            event,
            what,
            roll,
        })
    }

    /// The event's line of the log, as it was stored.
    pub(super) fn text(&self) -> Option<Cow<'a, str>> {
        text_in(self.event.strip_prefix(b"{\"text\":")?)
    }

    /// Who did it.
    pub(super) fn by(&self) -> Option<Cow<'a, str>> {
        text_in(split(self.head, &BY)?.1)
    }

    /// The seat that did it.
    pub(super) fn seat(&self) -> Option<SeatId> {
        split(self.head, &SEAT).map_or(Some(SeatId::HOST), |(_, seat)| begin(seat))
    }

    /// Whether what happened is of one of these kinds, as the journal names them.
    pub(super) fn is(&self, kinds: &[&[u8]]) -> bool {
        kinds.iter().any(|kind| self.what.starts_with(kind))
    }

    /// The event, if it may be that of a roll; without its changes, unless they say what waited before it.
    pub(super) fn if_rolled(&self) -> Option<Event> {
        if !self.is(&Self::ROLLS) && !self.is(&Mark::KINDS) {
            return None;
        }
        if WAITED.find(self.what).is_some() {
            return read_event(self.event);
        }
        let (what, changes) = (begin(split(self.event, &WHAT)?.1)?, Vec::new());
        Some(Event::new(what, changes))
    }

    /// Who rolled what.
    pub(super) fn rolled(&self) -> Option<Rolled> {
        begin(self.roll?)
    }

    /// What the roll is about.
    pub(super) fn picked(&self) -> Option<Picked> {
        begin(self.roll?)
    }

    /// How a roll begins that is hidden from nobody: no further than who rolled.
    pub(super) fn open_roller(&self) -> Option<&'a [u8]> {
        let (start, _) = split(self.roll?, &CHECK)?;
        HIDDEN.find(self.what).is_none().then_some(start)
    }

    /// Whether it may be what an entry of the house came to here.
    pub(super) fn is_of_house(&self) -> bool {
        AT.find(self.event).is_some()
    }

    /// What came of a roll, by its name; it stands behind the dice.
    pub(super) fn outcome(&self) -> Option<Cow<'a, str>> {
        text_in(split(split(self.roll?, &TRAIL)?.1, &OUTCOME)?.1)
    }

    /// What the dice of a roll follow from: the rules where it names them, its check with all that is known of it, and
    /// its answers; the faces of a single one say nothing about the dice.
    pub(super) fn dice_from(&self) -> Option<[&'a [u8]; 3]> {
        let (start, rest) = split(self.roll?, &CHECK)?;
        // They stand last there, and are a text.
        let may_name = start.ends_with(b"\",");
        let rules = split(start, &RULES).filter(|_| may_name);
        let (_, rules) = rules.unwrap_or_default();
        let (asked, answers) = split(rest, &TRAIL)?;
        let answers = split(answers, &NEXT).map_or(answers, |(answers, _)| answers);
        let is_one = !answers.contains(&b'{') && memchr_iter(b'[', answers).count() == 2;
        Some([rules, asked, if is_one { &[] } else { answers }])
    }

    /// Where the fields of a roll come from: skills, abilities, opponents by their names.
    pub(super) fn sources(&self) -> &'a [u8] {
        let found = self.roll.and_then(|roll| split(roll, &SOURCES));
        let (_, rest) = found.unwrap_or_default();
        split(rest, &TRAIL).map_or(rest, |(sources, _)| sources)
    }
}

/// Stands for what is too long to compare, a few hundred bytes of each line of a search. Nobody else knows its key.
pub(super) fn hash(of: impl Hash) -> u64 {
    static KEY: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    KEY.hash_one(of)
}

/// The bytes before a key and those after it.
fn split<'a>(bytes: &'a [u8], key: &Key) -> Option<(&'a [u8], &'a [u8])> {
    let at = key.find(bytes)?;
    Some((bytes.get(..at)?, bytes.get(at + key.needle().len()..)?))
}

/// The value that the bytes begin with.
fn begin<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    T::deserialize(&mut serde_json::Deserializer::from_slice(bytes)).ok()
}

/// The text that the bytes begin with.
fn text_in(bytes: &[u8]) -> Option<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
    begin(bytes).map(|Text(text)| text)
}

/// What an event says about an entry before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It was taken back.
    Undone,
    /// It was brought back.
    Redone,
    /// It was struck.
    Struck,
    /// It was read or rolled again.
    Replaced,
}

impl Mark {
    /// How events that say so begin in the journal.
    pub(super) const KINDS: [&[u8]; 5] = [
        b"undone\"",
        b"redone\"",
        b"struck\"",
        b"amended\"",
        b"rerolled\"",
    ];

    /// The entry that an event says something about, and what.
    pub(super) fn of(what: &EventKind) -> Option<(u64, Self)> {
        match what {
            EventKind::Undone { event, .. } => Some((*event, Self::Undone)),
            EventKind::Redone { event, .. } => Some((*event, Self::Redone)),
            EventKind::Struck { entry, .. } => Some((*entry, Self::Struck)),
            what => what.replaces().map(|entry| (entry, Self::Replaced)),
        }
    }
}

/// What is said about each entry, by the number of the event that says it.
#[derive(Debug, Default)]
pub(super) struct Marks(HashMap<u64, BTreeMap<u64, Mark>>);

impl Marks {
    /// Takes in what an event says, whatever is known before.
    pub(super) fn take(&mut self, event: u64, (entry, mark): (u64, Mark)) {
        self.0.entry(entry).or_default().insert(event, mark);
    }

    /// What is said about an entry, the newest first.
    fn said_about(&self, entry: u64) -> impl Iterator<Item = (u64, Mark)> + '_ {
        let said = self.0.get(&entry).into_iter().flatten().rev();
        said.map(|(event, mark)| (*event, *mark))
    }

    fn is_undone(&self, entry: u64) -> bool {
        let mut said = self.said_about(entry).map(|(_, mark)| mark);
        said.find(|mark| matches!(mark, Mark::Undone | Mark::Redone)) == Some(Mark::Undone)
    }

    /// Whether the entry holds no longer.
    pub(super) fn has_ended(&self, entry: u64) -> bool {
        let ends =
            |(event, mark)| matches!(mark, Mark::Struck | Mark::Replaced) && !self.is_undone(event);
        self.is_undone(entry) || self.said_about(entry).any(ends)
    }

    /// The entry that holds instead of this one.
    fn replaced_by(&self, entry: u64) -> Option<u64> {
        let mut said = self.said_about(entry);
        let found = said.find(|(event, mark)| *mark == Mark::Replaced && !self.is_undone(*event));
        found.map(|(event, _)| event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Roll, Thrown};

    #[test]
    fn events_that_say_so_are_known_by_how_they_begin() {
        let (text, roll) = (String::new(), Box::default());
        let reason = text.clone();
        let events = [
            EventKind::Undone {
                event: 1,
                text: text.clone(),
            },
            EventKind::Redone { event: 1, text },
            EventKind::Struck { entry: 1, reason },
            EventKind::Amended {
                entry: 1,
                roll: Box::clone(&roll),
                fresh: Vec::new(),
            },
            EventKind::Rerolled { entry: 1, roll },
        ];
        for event in events {
            let json = serde_json::to_string(&event).unwrap();
            let kind = json.strip_prefix("{\"").unwrap().as_bytes();
            assert!(Mark::KINDS.iter().any(|known| kind.starts_with(known)));
            assert!(Mark::of(&event).is_some());
        }
    }

    #[test]
    fn rolls_are_known_by_how_they_begin_and_tell_who_rolled() {
        let (who, id) = ("Mira \"what\"", Some(CharacterId(3)));
        let kinds = [Vec::new(), vec!["bo".to_owned()]]
            .into_iter()
            .flat_map(|hidden_from| {
                let roll = Box::new(Roll {
                    who: who.into(),
                    id,
                    hidden_from: hidden_from.clone(),
                    check: "skill".into(),
                    ..Roll::default()
                });
                let thrown = Thrown {
                    who: who.into(),
                    id,
                    hidden_from: hidden_from.clone(),
                    ..Thrown::default()
                };
                let kinds = [
                    EventKind::Rolled(roll.clone()),
                    EventKind::Incomplete(roll.clone()),
                    EventKind::Abandoned(roll),
                    EventKind::Thrown(Box::new(thrown)),
                ];
                kinds.map(|what| (what, hidden_from.clone()))
            });
        for (what, hidden_from) in kinds {
            let (changes, text) = (Vec::new(), ",\"what\":{\"".to_owned());
            let event = Event::new(what, changes);
            let event = serde_json::to_string(&WithText {
                text: text.clone(),
                event: &event,
            });
            let head = r#"{"n":7,"at":"","by":"\",\"event\":{","seat":12,"event":"#;
            let line = format!("{head}{}}}", event.unwrap());
            let line = Glance::at(line.as_bytes()).unwrap();
            assert_eq!(line.text().unwrap(), text);
            assert_eq!(line.by().unwrap(), "\",\"event\":{");
            assert_eq!(line.seat(), Some(SeatId(12)));
            let rolled = line.rolled().unwrap();
            assert_eq!((&*rolled.who, rolled.id), (who, id));
            let is_open = hidden_from.is_empty() && !line.is(&[b"thrown\""]);
            assert_eq!(line.open_roller().is_some(), is_open);
            assert_eq!(rolled.hidden_from, hidden_from);
            assert!(line.if_rolled().is_some());
        }
    }

    #[test]
    fn dice_follow_from_the_rules_that_a_roll_was_made_under() {
        let line = |rules: &str, face: u8| {
            let roll =
                format!(r#"{{"rules":"lantern@{rules}","check":"attempt","trail":[[{face}]]}}"#);
            format!(r#"{{"n":1,"by":"gm","event":{{"text":"","what":{{"rolled":{roll}}}}}}}"#)
        };
        let lines = [line("a", 1), line("a", 2), line("b", 2)];
        let lines = lines
            .each_ref()
            .map(|line| Glance::at(line.as_bytes()).unwrap());
        let [one, alike, other] = lines.map(|line| line.dice_from().unwrap());
        assert_eq!(one, alike);
        assert_ne!(one, other);
    }
}
