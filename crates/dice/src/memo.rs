//! A bounded cache of computed answers, for questions that are asked again and again.

use std::fmt;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap};

/// Answers by question, shared between threads.
///
/// Each answer has a size. When the sizes add up to more than a limit, all answers are dropped at once.
pub struct Memo<K, V> {
    answers: RwLock<Answers<K, V>>,
    most: usize,
}

struct Answers<K, V> {
    by_question: FxHashMap<K, V>,
    size: usize,
}

impl<K, V> Answers<K, V> {
    const fn empty() -> Self {
        Self {
            by_question: FxHashMap::with_hasher(FxBuildHasher),
            size: 0,
        }
    }
}

/// The content is not shown, because questions can contain secrets of a game.
impl<K, V> fmt::Debug for Memo<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Memo")
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Memo<K, V> {
    /// Creates an empty cache for answers with a total size of at most `most`.
    pub const fn new(most: usize) -> Self {
        Self {
            answers: RwLock::new(Answers::empty()),
            most,
        }
    }

    /// Returns the cached answer to a question, or computes the answer and caches it.
    ///
    /// Several threads may compute the same answer at the same time. An answer larger than the limit is not cached.
    ///
    /// # Errors
    ///
    /// The error of `compute`, if it fails. Errors are not cached.
    pub fn get_or_compute<E>(
        &self,
        question: &K,
        compute: impl FnOnce() -> Result<V, E>,
        size_of: impl FnOnce(&V) -> usize,
    ) -> Result<V, E> {
        let answers = self.answers.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = answers.by_question.get(question) {
            return Ok(answer.clone());
        }
        drop(answers);

        let answer = compute()?;
        self.store(question, &answer, size_of(&answer));
        Ok(answer)
    }

    fn store(&self, question: &K, answer: &V, size: usize) {
        if size > self.most {
            return;
        }

        let mut answers = self.answers.write().unwrap_or_else(PoisonError::into_inner);
        if answers.size + size > self.most {
            *answers = Answers::empty();
        }
        let by_question = &mut answers.by_question;
        let previous = by_question.insert(question.clone(), answer.clone());
        if previous.is_none() {
            answers.size += size;
        }
    }

    /// Drops all answers.
    pub fn clear(&self) {
        let mut answers = self.answers.write().unwrap_or_else(PoisonError::into_inner);
        *answers = Answers::empty();
    }
}
