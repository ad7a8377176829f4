//! Which file describes which system, and which code plays it.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use super::code::Code;
use super::{
    CheckSpec, RuleError, System, SystemSpec, friday_night_dungeon, gnosis, heart_rush, hearts,
    hfrpg,
};

/// A system that comes with the program.
struct BuiltIn {
    id: &'static str,
    /// Its description, in the form of `systems/*.toml`.
    text: &'static str,
    /// The sample game: how it stands at first, and the commands that it is played with.
    sample: (&'static str, &'static str),
    code: Code,
    /// The description once it was asked for.
    spec: OnceLock<SystemSpec>,
}

/// Those of `System::ALL`, in its order.
static BUILT_IN: [BuiltIn; 5] = [
    BuiltIn {
        id: "heart-rush",
        text: include_str!("../../systems/heart-rush.toml"),
        sample: (
            include_str!("../../sessions/heart-rush.toml"),
            include_str!("../../sessions/heart-rush.txt"),
        ),
        code: heart_rush::CODE,
        spec: OnceLock::new(),
    },
    BuiltIn {
        id: "hearts",
        text: include_str!("../../systems/hearts.toml"),
        sample: (
            include_str!("../../sessions/hearts.toml"),
            include_str!("../../sessions/hearts.txt"),
        ),
        code: hearts::CODE,
        spec: OnceLock::new(),
    },
    BuiltIn {
        id: "friday-night-dungeon",
        text: include_str!("../../systems/friday-night-dungeon.toml"),
        sample: (
            include_str!("../../sessions/friday-night-dungeon.toml"),
            include_str!("../../sessions/friday-night-dungeon.txt"),
        ),
        code: friday_night_dungeon::CODE,
        spec: OnceLock::new(),
    },
    BuiltIn {
        id: "hfrpg",
        text: include_str!("../../systems/hfrpg.toml"),
        sample: (
            include_str!("../../sessions/hfrpg.toml"),
            include_str!("../../sessions/hfrpg.txt"),
        ),
        code: hfrpg::CODE,
        spec: OnceLock::new(),
    },
    BuiltIn {
        id: "gnosis",
        text: include_str!("../../systems/gnosis.toml"),
        sample: (
            include_str!("../../sessions/gnosis.toml"),
            include_str!("../../sessions/gnosis.txt"),
        ),
        code: gnosis::CODE,
        spec: OnceLock::new(),
    },
];

impl System {
    fn built_in(self) -> &'static BuiltIn {
        &BUILT_IN[self as usize]
    }

    /// Its name on the command line and in files.
    pub fn id(self) -> &'static str {
        self.built_in().id
    }

    /// Its description, read when it is asked for the first time.
    pub fn spec(self) -> &'static SystemSpec {
        let own = self.built_in();
        let read = || SystemSpec::read(self, own.text);
        own.spec
            .get_or_init(|| read().expect("a test reads every file that comes with the program"))
    }

    /// Its rules, as code.
    pub fn code(self) -> &'static Code {
        &self.built_in().code
    }

    /// The sample game: how it stands at first, and the commands that it is played with.
    pub fn sample(self) -> (&'static str, &'static str) {
        self.built_in().sample
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
        formatter.pad(self.id())
    }
}

impl FromStr for System {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let found = Self::ALL.into_iter().find(|system| system.id() == text);
        let known = Self::ALL.into_iter().map(Self::id);
        found
            .ok_or_else(|| RuleError::unknown("there is no system", text, "the systems are", known))
    }
}
