//! The handle of a rule system.

use std::any::Any;
use std::hash::{Hash, Hasher};

/// A rule system: a handle to its definition. Each distinct text has one definition, which only the catalog can access.
#[derive(Clone, Copy, derive_more::Debug, derive_more::Display)]
#[debug("System({self})")]
#[display("{}", self.id())]
pub struct System(&'static (dyn Any + Send + Sync));

impl System {
    pub(super) const fn new(definition: &'static (dyn Any + Send + Sync)) -> Self {
        Self(definition)
    }

    pub(super) fn definition_as<T: Any>(self) -> Option<&'static T> {
        self.0.downcast_ref()
    }
}

impl PartialEq for System {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(self.0, other.0)
    }
}

impl Eq for System {}

impl Hash for System {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).cast::<()>().hash(state);
    }
}
