//! Odds asked for lately: the dialog shows them, and a moment later the roll wants its luck among them.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::super::{DynCheck, Fields, House, WalkError};
use super::{Odds, Policy};

type Question = (Fields, House, Policy);

static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);

#[derive(Default)]
struct Known {
    odds: FxHashMap<Question, Arc<Odds>>,
    /// The ends of all of them, counted.
    held: usize,
}

/// A few megabytes at most; ordinary checks have dozens of ends.
const MOST_HELD: usize = 50_000;

impl Odds {
    /// The odds of a check, which is the machine of these fields under these house rules, before
    /// anything is rolled. They are worked out once for equal questions that follow each other closely.
    pub fn known(
        check: &dyn DynCheck,
        fields: &Fields,
        house: &House,
        policy: &Policy,
    ) -> Result<Arc<Self>, WalkError> {
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let question = (fields.clone(), house.clone(), policy.clone());
        if let Some(odds) = known().odds.get(&question) {
            return Ok(Arc::clone(odds));
        }
        let odds = Arc::new(Self::of(fields.spec(), check, policy)?);
        let mut known = known();
        if known.held + odds.weighed.ends.len() > MOST_HELD {
            *known = Known::default();
        }
        known.held += odds.weighed.ends.len();
        known.odds.insert(question, Arc::clone(&odds));
        Ok(odds)
    }
}
