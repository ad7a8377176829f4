//! Stores the parts of rule descriptions that stay in memory until the program ends.
//!
//! Descriptions of rule systems are used through `&'static` references, and only this file leaks memory for them. Each
//! distinct text and each distinct list of texts is stored once, so that reading many similar files takes little
//! memory. [`crate::System::of_file`] bounds how much a process may read.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// Returns the permanent copy of a text.
pub(crate) fn intern(text: &str) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());

    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stored) = texts.get(text) {
        return stored;
    }

    let permanent = text.to_owned().leak();
    texts.insert(permanent);
    permanent
}

/// Returns the permanent copy of a list of texts.
pub(crate) fn intern_list(list: Vec<&'static str>) -> &'static [&'static str] {
    static LISTS: Mutex<BTreeSet<&[&str]>> = Mutex::new(BTreeSet::new());

    let mut lists = LISTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stored) = lists.get(list.as_slice()) {
        return stored;
    }

    let permanent: &'static [&'static str] = list.leak();
    lists.insert(permanent);
    permanent
}

/// Keeps a list of parts of a description until the program ends.
pub(crate) fn keep_list<T>(list: Vec<T>) -> &'static [T] {
    list.leak()
}

/// Keeps one part of a description until the program ends.
pub(crate) fn keep<T>(part: T) -> &'static T {
    Box::leak(Box::new(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_equal_text_or_list_is_stored_once() {
        let first = intern(&format!("{}-text", "same"));
        let second = intern(&format!("same-{}", "text"));
        assert!(std::ptr::eq(first, second));

        let first_list = intern_list(vec![first, "other"]);
        let second_list = intern_list(vec![second, "other"]);
        assert!(std::ptr::eq(first_list, second_list));
        assert_ne!(intern_list(vec!["other", first]), first_list);
    }
}
