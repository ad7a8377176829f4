//! What the store asks of the table whose state it saves.

use std::sync::Arc;

use super::{Entry, News, Table};
use crate::session::{Event, Session, What};
use crate::store::{Host, Report};

impl Host for Table {
    fn snapshot(&self) -> (String, u64) {
        // Written out after the lock is free: no key waits for it.
        let (session, last) = {
            let inner = self.inner();
            (inner.session.clone(), inner.history.last())
        };
        (session.to_toml(), last)
    }

    fn reread(&self, text: &str) -> Option<String> {
        Session::from_toml(text)
            .ok()
            .map(|session| session.to_toml())
    }

    fn report(&self, report: Report) {
        if let Report::Snapshotting(stamp) = &report {
            let mut inner = self.inner();
            let at = (self.clock)();
            let event = Event {
                what: What::Snapshotted { crc: stamp.crc },
                changes: Vec::new(),
            };
            let noted = inner
                .store
                .as_ref()
                .map(|store| store.note(at, "tableside", &event));
            if let Some(Ok(noted)) = noted {
                inner.history.push(Arc::new(Entry {
                    number: noted.n,
                    at,
                    by: "tableside".to_owned(),
                    event,
                }));
            }
        }
        self.tell(&News::Saving(report));
    }
}
