//! The values of an event that is no roll, as keys of its entry.

use serde::ser::SerializeMap;

use tableside_game::EventKind;

/// Adds the values of an event that is no roll. A value that is among the entry's own keys, such as its text, is left out.
pub(super) fn serialize_event_keys<M: SerializeMap>(
    map: &mut M,
    kind: &EventKind,
) -> Result<(), M::Error> {
    match kind {
        EventKind::Ticked {
            clock,
            by,
            filled,
            of,
            then,
        } => {
            map.serialize_entry("clock", clock)?;
            // The key `by` already names the player.
            map.serialize_entry("amount", by)?;
            map.serialize_entry("filled", filled)?;
            map.serialize_entry("of", of)?;
            serialize_text(map, "then", then)
        }
        EventKind::Tokens {
            owner,
            pool,
            by,
            now,
            note,
        } => {
            map.serialize_entry("owner", owner)?;
            map.serialize_entry("pool", pool)?;
            map.serialize_entry("amount", by)?;
            map.serialize_entry("now", now)?;
            serialize_text(map, "note", note)
        }
        EventKind::Added { name, how, .. } => {
            map.serialize_entry("name", name)?;
            serialize_text(map, "how", how)
        }
        EventKind::Removed { name, .. } => map.serialize_entry("name", name),
        EventKind::Edited { name, how, .. } => {
            map.serialize_entry("name", name)?;
            map.serialize_entry("how", how)
        }
        EventKind::Round { round, over } => {
            map.serialize_entry("round", round)?;
            serialize_text(map, "over", over)
        }
        EventKind::Initiative { over, .. } => serialize_text(map, "over", over),
        EventKind::Turn {
            begins,
            round,
            over,
        } => {
            if let Some(named) = begins {
                map.serialize_entry("name", &named.name)?;
            }
            if let Some(round) = round {
                map.serialize_entry("round", round)?;
            }
            serialize_text(map, "over", over)
        }
        EventKind::FightEnded { rounds } => map.serialize_entry("rounds", rounds),
        EventKind::Scene { name, then } => {
            map.serialize_entry("name", name)?;
            serialize_text(map, "then", then)
        }
        EventKind::SessionEnded { then, .. } => serialize_text(map, "then", then),
        EventKind::Struck { entry, reason } => {
            map.serialize_entry("entry", entry)?;
            serialize_text(map, "reason", reason)
        }
        EventKind::Undone { event, .. } | EventKind::Redone { event, .. } => {
            map.serialize_entry("event", event)
        }
        EventKind::Rolled(_)
        | EventKind::Incomplete(_)
        | EventKind::Abandoned(_)
        | EventKind::Amended { .. }
        | EventKind::Rerolled { .. }
        | EventKind::Thrown(_)
        | EventKind::Noted { .. }
        | EventKind::Ended
        | EventKind::HandoutRead
        | EventKind::LinesAndVeils
        | EventKind::Paused => Ok(()),
    }
}

/// Adds a text unless it is empty.
fn serialize_text<M: SerializeMap>(
    map: &mut M,
    key: &'static str,
    text: &str,
) -> Result<(), M::Error> {
    if text.is_empty() {
        return Ok(());
    }
    map.serialize_entry(key, text)
}

#[cfg(test)]
mod tests {
    use serde::ser::{Serialize, Serializer};
    use serde_json::{Map, Value as Json};

    use super::*;
    use tableside_game::EntityKind;

    /// The keys of the entry itself, which an event does not repeat.
    const ENTRY_KEYS: [&str; 8] = [
        "number",
        "at",
        "scene",
        "session",
        "kind",
        "hidden-from",
        "struck",
        "text",
    ];

    struct EventKeys<'a>(&'a EventKind);

    impl Serialize for EventKeys<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            serialize_event_keys(&mut map, self.0)?;
            map.end()
        }
    }

    /// The keys as the journal has them, with the new name of `by`.
    fn keys_in_journal(kind: &EventKind) -> Map<String, Json> {
        let Json::Object(kinds) = serde_json::to_value(kind).unwrap() else {
            // A kind without values is written as a text, not as a map.
            return Map::new();
        };
        let mut keys = Map::new();
        for values in kinds.into_iter().map(|(_, values)| values) {
            for (key, value) in values.as_object().unwrap() {
                let key = if key == "by" { "amount" } else { key };
                if !ENTRY_KEYS.contains(&key) {
                    keys.insert(key.to_owned(), value.clone());
                }
            }
        }
        keys
    }

    /// An event of each kind, with these texts.
    fn events(text: &str) -> Vec<EventKind> {
        let text = text.to_owned();
        vec![
            EventKind::Ticked {
                clock: text.clone(),
                by: -1,
                filled: 2,
                of: 6,
                then: text.clone(),
            },
            EventKind::Tokens {
                owner: text.clone(),
                pool: text.clone(),
                by: 3,
                now: 4,
                note: text.clone(),
            },
            EventKind::Added {
                kind: EntityKind::Clock,
                name: text.clone(),
                how: text.clone(),
            },
            EventKind::Removed {
                kind: EntityKind::Pool,
                name: text.clone(),
            },
            EventKind::Edited {
                kind: EntityKind::Character,
                name: text.clone(),
                how: text.clone(),
            },
            EventKind::Round {
                round: 2,
                over: text.clone(),
            },
            EventKind::Scene {
                name: text.clone(),
                then: text.clone(),
            },
            EventKind::SessionEnded {
                session: 3,
                then: text.clone(),
            },
            EventKind::Ended,
            EventKind::HandoutRead,
            EventKind::LinesAndVeils,
            EventKind::Paused,
            EventKind::Struck {
                entry: 5,
                reason: text.clone(),
            },
            EventKind::Undone {
                event: 6,
                text: text.clone(),
            },
            EventKind::Redone { event: 7, text },
        ]
    }

    #[test]
    fn an_entry_has_the_values_that_the_journal_has_in_the_same_order() {
        for kind in events("The \"old\" bridge").iter().chain(&events("")) {
            let written = serde_json::to_string(&EventKeys(kind)).unwrap();
            let expected = serde_json::to_string(&keys_in_journal(kind)).unwrap();
            assert_eq!(written, expected);
        }
    }
}
