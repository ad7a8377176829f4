//! A value for each of the four panels.

use std::ops::{Index, IndexMut};

use crate::app::state::Panel;

/// A value for each panel of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct PerPanel<T> {
    /// The values, in the order of [`Panel::ALL`].
    values: [T; 4],
}

impl<T> PerPanel<T> {
    /// Takes the values in the order of [`Panel::ALL`].
    pub(crate) const fn new(values: [T; 4]) -> Self {
        Self { values }
    }

    pub(crate) fn from_fn(value_of: impl FnMut(Panel) -> T) -> Self {
        Self::new(Panel::ALL.map(value_of))
    }

    /// Returns the values in the order of [`Panel::ALL`].
    pub(crate) fn into_values(self) -> [T; 4] {
        self.values
    }
}

impl<T> Index<Panel> for PerPanel<T> {
    type Output = T;

    fn index(&self, panel: Panel) -> &T {
        &self.values[panel as usize]
    }
}

impl<T> IndexMut<Panel> for PerPanel<T> {
    fn index_mut(&mut self, panel: Panel) -> &mut T {
        &mut self.values[panel as usize]
    }
}
