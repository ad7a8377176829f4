//! The roles of dice in a roll.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The meaning of a die in a roll, such as "heart" or "tens", by which a display can distinguish dice.
///
/// Roles with the same name are equal. The label is the text for display.
#[derive(Clone, Copy, Debug)]
pub struct DieRole {
    name: &'static str,
    label: Option<&'static str>,
    label_beside_vs: Option<&'static str>,
    is_opposed: bool,
}

impl PartialEq for DieRole {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for DieRole {}

impl Hash for DieRole {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl PartialOrd for DieRole {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DieRole {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(other.name)
    }
}

impl DieRole {
    /// The tens of a d100.
    pub const TENS: Self = Self::new("tens", Some("tens"));
    /// The ones of a d100.
    pub const ONES: Self = Self::new("ones", Some("ones"));
    /// A die of an unnamed pool.
    pub const POOL: Self = Self::new("pool", None);

    /// Creates a role from its name and its label.
    pub const fn new(name: &'static str, label: Option<&'static str>) -> Self {
        Self {
            name,
            label,
            label_beside_vs: None,
            is_opposed: false,
        }
    }

    /// Returns the role of dice that the roller's result is compared with, such as those of the other side.
    pub const fn opposed(self) -> Self {
        Self {
            is_opposed: true,
            ..self
        }
    }

    /// Returns the role with a shorter label, which is enough beside a "vs".
    pub const fn with_label_beside_vs(self, label: &'static str) -> Self {
        Self {
            label_beside_vs: Some(label),
            ..self
        }
    }

    /// Creates a role from its name and its label. Without a label, the roles [`TENS`](Self::TENS) and
    /// [`ONES`](Self::ONES) keep their own labels.
    pub fn named(name: &'static str, label: Option<&'static str>) -> Self {
        let own_role = [Self::TENS, Self::ONES]
            .into_iter()
            .find(|role| role.name == name);
        match (label, own_role) {
            (None, Some(own_role)) => own_role,
            _ => Self::new(name, label),
        }
    }

    /// Returns the name, which is stored in JSON.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// True if the roller's result is compared with the dice, so that high faces are not good for the roller.
    pub const fn is_opposed(self) -> bool {
        self.is_opposed
    }

    /// Returns the text for display. `None` if the size of the die is enough.
    pub const fn label(self) -> Option<&'static str> {
        self.label
    }

    /// Returns the text for display behind a "vs", which separates opposed dice from the roller's.
    pub const fn label_beside_vs(self) -> Option<&'static str> {
        match self.label_beside_vs {
            Some(label) => Some(label),
            None => self.label,
        }
    }
}
