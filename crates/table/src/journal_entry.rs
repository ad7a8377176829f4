//! The event in a line of the journal, written with its text, and read whole or no further than somebody asks; the line
//! around it is the store's (`store/journal/line.rs`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hash};
use std::sync::LazyLock;

use foldhash::quality::RandomState;
use memchr::memchr_iter;
use memchr::memmem::Finder;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::history::Mark;
use super::{Entry, SeatId};
use tableside_game::{Change, CharacterId, Event, EventKind, GameActor, Origin};
use tableside_rules::System;
use tableside_store::Record;

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
        at: Option<Box<GameActor>>,
    }
    let Found {
        what,
        changes,
        follows,
        at,
        ..
    } = begin(json)?;
    Some(Event {
        follows,
        at,
        ..Event::new(what, changes)
    })
}

/// A line of the journal, of which no more is read than somebody asks for.
pub(super) struct LazyEntry<'a> {
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

impl<'a> LazyEntry<'a> {
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

    /// As much of the roll as is asked for.
    pub(super) fn roll<T: Deserialize<'a>>(&self) -> Option<T> {
        begin(self.roll?)
    }

    /// How a roll begins that is hidden from nobody: no further than who rolled.
    pub(super) fn open_roller(&self) -> Option<&'a [u8]> {
        let (start, _) = split(self.roll?, &CHECK)?;
        HIDDEN.find(self.what).is_none().then_some(start)
    }

    /// Whether it may be what an entry of the house came to here.
    pub(super) fn is_of_host(&self) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_game::{Roll, Thrown};

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
            let line = LazyEntry::at(line.as_bytes()).unwrap();
            assert_eq!(line.text().unwrap(), text);
            assert_eq!(line.by().unwrap(), "\",\"event\":{");
            assert_eq!(line.seat(), Some(SeatId(12)));
            let rolled: Rolled = line.roll().unwrap();
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
            .map(|line| LazyEntry::at(line.as_bytes()).unwrap());
        let [one, alike, other] = lines.map(|line| line.dice_from().unwrap());
        assert_eq!(one, alike);
        assert_ne!(one, other);
    }
}
