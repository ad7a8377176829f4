//! What stands in the place of the connection where the program was built without the feature `postgres`.

use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::{Append, Appended, Event, Row, Value};
use crate::store::error::StoreError;

/// There is none.
pub(super) enum Connection {}

impl Connection {
    pub(super) fn open(_url: &str) -> Result<(Self, String, Receiver<Event>), StoreError> {
        Err(StoreError::Database {
            what: "this tableside was built without the feature postgres, and knows no databases"
                .to_owned(),
            hint: None,
        })
    }

    pub(super) fn query(
        &self,
        _: &str,
        _: &[Value],
        _: bool,
        _: [Duration; 2],
    ) -> Result<Vec<Row>, StoreError> {
        match *self {}
    }

    pub(super) fn append(&self, _: Append, _: Instant) -> Appended {
        match *self {}
    }

    pub(super) fn notify(&self, _: String) {
        match *self {}
    }

    pub(super) fn lost_since(&self) -> Option<Instant> {
        match *self {}
    }

    pub(super) fn begin(&self) {
        match *self {}
    }
}
