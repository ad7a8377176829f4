//! What was worked out lately, so that equal questions that follow each other closely are answered once.

use std::fmt;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap};

/// Answers by question, until together they weigh too much.
pub struct Memo<K, V> {
    known: RwLock<Known<K, V>>,
    most: usize,
}

struct Known<K, V> {
    answers: FxHashMap<K, V>,
    weight: usize,
}

impl<K, V> Known<K, V> {
    const fn none() -> Self {
        Self {
            answers: FxHashMap::with_hasher(FxBuildHasher),
            weight: 0,
        }
    }
}

/// What was asked is nobody's business: it is not shown.
impl<K, V> fmt::Debug for Memo<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Memo")
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Memo<K, V> {
    /// Answers are forgotten, all at once, before they weigh more than `most`.
    pub const fn new(most: usize) -> Self {
        let known = RwLock::new(Known::none());
        Self { known, most }
    }

    /// The answer to that question, worked out unless it is known. What alone weighs too much is not kept.
    pub fn get_or_compute<E>(
        &self,
        question: &K,
        work_out: impl FnOnce() -> Result<V, E>,
        weigh: impl FnOnce(&V) -> usize,
    ) -> Result<V, E> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known.answers.get(question) {
            return Ok(answer.clone());
        }
        drop(known);
        let answer = work_out()?;
        let weight = weigh(&answer);
        if weight <= self.most {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            if known.weight + weight > self.most {
                *known = Known::none();
            }
            let before = known.answers.insert(question.clone(), answer.clone());
            known.weight += if before.is_none() { weight } else { 0 };
        }
        Ok(answer)
    }

    /// Forgets everything, for a bench that wants to know what the first time costs.
    pub fn clear(&self) {
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Known::none();
    }
}
