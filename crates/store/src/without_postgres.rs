//! What stands in the place of the connection where the program was built without the feature `postgres`.

use std::sync::mpsc::Receiver;
use std::time::Instant;

use super::{Append, Appended, Event, Row};
use crate::error::StoreError;

/// There is none.
pub(super) enum Connection {}

impl Connection {
    pub(super) fn open(_url: &str) -> Result<(Self, String, Receiver<Event>), StoreError> {
        let what = "this tableside was built without the feature postgres, and knows no databases";
        Err(StoreError::Database {
            what: what.to_owned(),
            hint: None,
        })
    }

    pub(super) fn query(&self, _: &str, _: &[&str], _: bool) -> Result<Vec<Row>, StoreError> {
        match *self {}
    }

    pub(super) fn append(&self, _: Append, _: Instant) -> Appended {
        match *self {}
    }

    pub(super) fn notify(&self, _: String) {
        match *self {}
    }

    pub(super) fn listen(&self) {
        match *self {}
    }

    pub(super) fn lost_since(&self) -> Option<Instant> {
        match *self {}
    }
}
