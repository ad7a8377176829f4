//! A list of entities that copies of a game share.

use std::fmt;
use std::iter::Map;
use std::ops::Index;
use std::slice;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list whose copies share its elements. A copy costs no more than a pointer. Changing an element copies that element if
/// another list shares it.
///
/// A command is decided by changing a copy of the game, and each seat reads a redacted copy. Both leave most characters,
/// clocks and pools as they are.
#[derive(Clone)]
pub struct SharedList<T>(Arc<Vec<Arc<T>>>);

/// Iterates over the elements of a [`SharedList`].
pub type SharedIter<'a, T> = Map<slice::Iter<'a, Arc<T>>, fn(&'a Arc<T>) -> &'a T>;

/// Iterates over the elements of a [`SharedList`] to change all of them.
pub type SharedIterMut<'a, T> = Map<slice::IterMut<'a, Arc<T>>, fn(&'a mut Arc<T>) -> &'a mut T>;

/// Reading.
impl<T> SharedList<T> {
    pub fn iter(&self) -> SharedIter<'_, T> {
        self.0.iter().map(Arc::as_ref)
    }

    /// Iterates over the elements in the form in which lists share them.
    pub fn shared(&self) -> slice::Iter<'_, Arc<T>> {
        self.0.iter()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        self.0.get(index).map(Arc::as_ref)
    }

    pub fn first(&self) -> Option<&T> {
        self.get(0)
    }

    pub fn last(&self) -> Option<&T> {
        self.0.last().map(Arc::as_ref)
    }

    /// True if both lists are unchanged copies of the same list. Equal lists need not be.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Finds the index of the element with this key, which no other element has.
    ///
    /// Entities are usually in the order of their ids, so that a binary search finds them. After an edit of the file they
    /// may be in any order.
    pub(crate) fn position_of<K: Ord>(&self, key: &K, key_of: impl Fn(&T) -> K) -> Option<usize> {
        let in_order = self.0.binary_search_by(|element| key_of(element).cmp(key));
        match in_order {
            Ok(index) => Some(index),
            Err(_) => self.iter().position(|element| key_of(element) == *key),
        }
    }

    /// Finds the element with this key, which no other element has.
    pub(crate) fn find<K: Ord>(&self, key: &K, key_of: impl Fn(&T) -> K) -> Option<&T> {
        self.get(self.position_of(key, key_of)?)
    }
}

/// Changing.
impl<T: Clone> SharedList<T> {
    pub fn push(&mut self, element: T) {
        self.push_shared(Arc::new(element));
    }

    /// Adds an element that other lists share.
    pub fn push_shared(&mut self, element: Arc<T>) {
        self.own().push(element);
    }

    pub(crate) fn insert(&mut self, index: usize, element: T) {
        self.own().insert(index, Arc::new(element));
    }

    pub(crate) fn replace(&mut self, index: usize, element: T) {
        self.own()[index] = Arc::new(element);
    }

    pub(crate) fn remove(&mut self, index: usize) {
        self.own().remove(index);
    }

    /// Removes the elements for which `is_kept` is false.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&T) -> bool) {
        if !self.iter().all(&is_kept) {
            self.own().retain(|element| is_kept(element));
        }
    }

    /// Iterates over all elements to change them.
    pub fn iter_mut(&mut self) -> SharedIterMut<'_, T> {
        self.own().iter_mut().map(Arc::make_mut)
    }

    /// Finds the element with this key, which no other element has, to change it.
    pub(crate) fn find_mut<K: Ord>(&mut self, key: &K, key_of: impl Fn(&T) -> K) -> Option<&mut T> {
        let index = self.position_of(key, key_of)?;
        self.own().get_mut(index).map(Arc::make_mut)
    }

    /// Changes the elements for which `is_affected` is true. The other elements stay shared.
    pub fn change_where(
        &mut self,
        is_affected: impl Fn(&T) -> bool,
        mut change: impl FnMut(&mut T),
    ) {
        for index in 0..self.len() {
            if is_affected(&self.0[index]) {
                change(Arc::make_mut(&mut self.own()[index]));
            }
        }
    }

    fn own(&mut self) -> &mut Vec<Arc<T>> {
        Arc::make_mut(&mut self.0)
    }
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> FromIterator<T> for SharedList<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let shared = elements.into_iter().map(Arc::new).collect();
        Self(Arc::new(shared))
    }
}

impl<'a, T> IntoIterator for &'a SharedList<T> {
    type Item = &'a T;
    type IntoIter = SharedIter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Clone> IntoIterator for &'a mut SharedList<T> {
    type Item = &'a mut T;
    type IntoIter = SharedIterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T> Index<usize> for SharedList<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.0[index]
    }
}

impl<T: PartialEq> PartialEq for SharedList<T> {
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(left, right): (&Arc<T>, &Arc<T>)| Arc::ptr_eq(left, right) || left == right;
        self.is_copy_of(other)
            || (self.len() == other.len() && self.shared().zip(other.shared()).all(is_same))
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedList<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self).finish()
    }
}

impl<T: Serialize> Serialize for SharedList<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for SharedList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let elements = Vec::<T>::deserialize(deserializer)?;
        Ok(elements.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> SharedList<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_change_of_one_element_leaves_the_others_shared() {
        let before = words("ann bo cy");
        let mut after = before.clone();
        assert!(after.is_copy_of(&before));

        let is_bo = |word: &String| word == "bo";
        after.change_where(is_bo, |word| word.push('b'));
        assert_eq!(after, words("ann bob cy"));
        assert_eq!(before, words("ann bo cy"));

        let is_shared: Vec<bool> = before
            .shared()
            .zip(after.shared())
            .map(|(old, new)| Arc::ptr_eq(old, new))
            .collect();
        assert_eq!(is_shared, [true, false, true]);
    }

    #[test]
    fn a_change_that_affects_no_element_leaves_the_list_a_copy() {
        let before = words("ann bo");
        let mut after = before.clone();
        after.retain(|_| true);
        after.change_where(String::is_empty, String::clear);
        assert!(after.is_copy_of(&before));
    }

    #[test]
    fn an_element_is_found_by_its_key_in_any_order() {
        let key_of = |word: &String| word.len();
        for text in ["a bb ccc dddd", "dddd ccc bb a", "ccc a dddd bb"] {
            let list = words(text);
            assert_eq!(list.find(&2, key_of).map(String::as_str), Some("bb"));
            assert_eq!(list.find(&5, key_of), None);
        }
    }
}
