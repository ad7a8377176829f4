//! The event in a line of the journal. The store defines the line around it (`journal/line.rs` in the crate `store`).

use std::sync::LazyLock;

use memchr::memchr;
use memchr::memmem::Finder;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{Entry, SeatId};
use tableside_game::{Author, Change, Event, EventKind, GameActor};
use tableside_rules::System;
use tableside_store::Record;

/// An event as the journal stores it: with its text, so that `grep` can search the file.
#[derive(Debug, Serialize)]
pub struct WithText<'a> {
    text: String,
    #[serde(flatten)]
    event: &'a Event,
}

impl<'a> WithText<'a> {
    /// Returns the event with its text.
    pub fn new(event: &'a Event, system: System) -> Self {
        let text = event.text(system);
        Self { text, event }
    }
}

/// Reads the entry in a record. `None` if a newer version of the program wrote it.
pub(super) fn read(record: &Record) -> Option<Entry> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct StoredEvent {
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

    let json = record.event.get();
    let stored: StoredEvent = serde_json::from_str(json).ok()?;
    let event = Event {
        follows: stored.follows,
        at: stored.at,
        ..Event::new(stored.what, stored.changes)
    };
    let author = Author::new(&*record.by, SeatId(record.seat));
    Some(Entry::new(record.n, record.at, author, event))
}

/// Reads the entry in a line of the journal, without checking the line's checksum.
pub(super) fn read_line(line: &[u8]) -> Option<Entry> {
    let record = Record::parse(line)?;
    read(&record)
}

/// True if the event in a line may have changed a note, which even the GM may be unable to read.
pub(super) fn changes_note(line: &[u8]) -> bool {
    static NOTE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"{\"note\":"));

    NOTE.find(line).is_some()
}

/// Reads the kind of event in a line without parsing the line: `rolled`, `undone`.
///
/// `None` if another program formatted the line differently, or if the event is only a word. Quotation marks inside a
/// text are escaped, so a text cannot be mistaken for the key.
pub(super) fn kind_of(line: &[u8]) -> Option<&str> {
    static KEY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b",\"what\":{\""));

    let key_start = KEY.find(line)?;
    let start = key_start + KEY.needle().len();
    let after_quote = line.get(start..)?;
    let end = memchr(b'"', after_quote)?;
    let kind = after_quote.get(..end)?;
    str::from_utf8(kind).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_game::Thrown;

    #[test]
    fn the_kind_of_a_line_is_read_past_texts_that_look_like_it() {
        let thrown = Thrown {
            who: ",\"what\":{\"undone\"".to_owned(),
            ..Thrown::default()
        };
        let event = Event::new(EventKind::Thrown(Box::new(thrown)), Vec::new());
        let stored = WithText {
            text: ",\"what\":{\"struck\"".to_owned(),
            event: &event,
        };
        let json = serde_json::to_string(&stored).unwrap();
        let line = format!(r#"{{"n":7,"by":"\",\"what\":{{\"","event":{json}}}"#);
        assert_eq!(kind_of(line.as_bytes()), Some("thrown"));
        assert_eq!(kind_of(b"{\"n\":7,\"event\":{\"what\":\"ended\"}}"), None);
    }
}
