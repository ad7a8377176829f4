//! Which description is which system's.

use std::fmt;
use std::str::FromStr;

use super::{
    CheckSpec, RuleError, System, SystemSpec, friday_night_dungeon, gnosis, heart_rush, hearts,
    hfrpg,
};

impl System {
    /// Its description.
    pub fn spec(self) -> &'static SystemSpec {
        match self {
            Self::HeartRush => &heart_rush::SYSTEM,
            Self::Hearts => &hearts::SYSTEM,
            Self::FridayNightDungeon => &friday_night_dungeon::SYSTEM,
            Self::Hfrpg => &hfrpg::SYSTEM,
            Self::Gnosis => &gnosis::SYSTEM,
        }
    }

    /// Its check of that name.
    pub fn check(self, id: &str) -> Result<&'static CheckSpec, RuleError> {
        let spec = self.spec();
        let found = spec.checks.iter().find(|check| check.id == id);
        found.copied().ok_or_else(|| {
            let no = format!("{} has no check", spec.id);
            let known = spec.checks.iter().map(|check| check.id);
            RuleError::unknown(&no, id, "its checks are", known)
        })
    }
}

impl fmt::Display for System {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.spec().id)
    }
}

impl FromStr for System {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let ids = Self::ALL.map(|system| system.spec().id);
        let found = Self::ALL.into_iter().zip(ids).find(|(_, id)| *id == text);
        let known = "the systems are";
        found
            .map(|(system, _)| system)
            .ok_or_else(|| RuleError::unknown("there is no system", text, known, ids.into_iter()))
    }
}
