//! The registry of rule systems: those shipped with the program, and those read from files.

mod read_files;

use std::str::FromStr;
use std::sync::OnceLock;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use self::read_files::ReadFiles;
use super::code::Code;
use super::{CheckSpec, RuleError, System, SystemSpec, gnosis, heart_rush, hfrpg, system_file};

/// The definition that a [`System`] refers to. Each distinct text has one definition.
struct Definition {
    /// The id of a shipped system; `None` for other systems, whose id is in the compiled description.
    shipped: Option<&'static str>,
    /// The text of the system file.
    text: &'static str,
    sha256: OnceLock<String>,
    /// The compiled description, set on first use.
    spec: OnceLock<SystemSpec>,
    code: Code,
    sample: Option<SampleGame>,
}

/// The sample game of a shipped system.
#[derive(Clone, Copy, Debug)]
pub struct SampleGame {
    /// The game before the first command, as a game file in TOML.
    pub game: &'static str,
    /// The commands that play the sample game, one per line.
    pub commands: &'static str,
}

/// Defines a constant for each shipped system, and the list of all shipped systems in the order of menus and help. Each
/// line names the constant, the name of its files in the folders `systems` and `sessions`, and the part of its rules
/// that is Rust code.
macro_rules! shipped {
    ($($name:ident: $id:literal, $code:expr;)*) => {
        impl System {
            $(
                #[doc = concat!("The system of `systems/", $id, ".toml`.")]
                pub const $name: Self = {
                    static DEFINITION: Definition = Definition {
                        shipped: Some($id),
                        text: include_str!(concat!("../../../systems/", $id, ".toml")),
                        sha256: OnceLock::new(),
                        spec: OnceLock::new(),
                        code: $code,
                        sample: Some(SampleGame {
                            game: include_str!(concat!("../../../sessions/", $id, ".toml")),
                            commands: include_str!(concat!("../../../sessions/", $id, ".txt")),
                        }),
                    };
                    Self::new(&DEFINITION)
                };
            )*

            const SHIPPED: &[Self] = &[$(Self::$name),*];
        }
    };
}

shipped! {
    HEART_RUSH: "heart-rush", heart_rush::CODE;
    HEARTS: "hearts", Code::PLAIN;
    FRIDAY_NIGHT_DUNGEON: "friday-night-dungeon", Code::PLAIN;
    HFRPG: "hfrpg", hfrpg::CODE;
    GNOSIS: "gnosis", gnosis::CODE;
    FORGED_IN_THE_DARK: "forged-in-the-dark", Code::PLAIN;
    IRON_VOWS: "iron-vows", Code::PLAIN;
    TWO_DICE_MOVES: "two-dice-moves", Code::PLAIN;
    FOUR_DICE_ASPECTS: "four-dice-aspects", Code::PLAIN;
    PUSHED_POOLS: "pushed-pools", Code::PLAIN;
    FIVE_E: "5e", Code::PLAIN;
    PERCENTILE: "percentile", Code::PLAIN;
    TWENTY_FOUR_XX: "24xx", Code::PLAIN;
}

impl System {
    /// Returns the shipped systems, in the order of menus and help.
    pub fn shipped() -> impl ExactSizeIterator<Item = Self> + Clone {
        Self::SHIPPED.iter().copied()
    }

    /// Returns the system that the text of a system file describes. Equal texts give the same system, which stays in
    /// memory until the program ends.
    ///
    /// If `validates` is true, the examples of the file are played and its odds are computed first. Pass true for every file
    /// that does not come from a saved game.
    ///
    /// # Errors
    ///
    /// If the file has faults; the error lists all of them with their lines. If the file is larger than 256 KiB, or the
    /// process has read more than 32 MiB of different files.
    pub fn of_file(text: &str, validates: bool) -> Result<Self, RuleError> {
        if let Some(shipped) = Self::shipped().find(|system| system.text() == text) {
            return Ok(shipped);
        }

        let mut read_files = ReadFiles::lock();
        let file = read_files.read(text)?;
        let system = file.system.clone()?;

        if validates {
            // Hold the lock while validating, so that two threads never validate the same text.
            let validate = || system_file::validate(system.spec(), system.text());
            file.validated.get_or_insert_with(validate).clone()?;
        }
        Ok(system)
    }

    /// Returns the shipped system of that id.
    ///
    /// # Errors
    ///
    /// If no shipped system has the id. The message suggests the nearest id, or lists all shipped ids and those in
    /// `own`, which are the user's own systems.
    pub fn named<'a>(id: &'a str, own: impl Iterator<Item = &'a str>) -> Result<Self, RuleError> {
        if let Some(system) = Self::shipped().find(|system| system.id() == id) {
            return Ok(system);
        }

        let shipped_ids = Self::shipped().map(|system| -> &str { system.id() });
        Err(RuleError::unknown(
            "there is no system",
            id,
            "the systems are",
            shipped_ids.chain(own),
        ))
    }

    fn definition(self) -> &'static Definition {
        self.definition_as::<Definition>()
            .expect("only this module makes systems")
    }

    /// True if the system is part of the program.
    pub fn is_shipped(self) -> bool {
        self.definition().shipped.is_some()
    }

    /// Returns the id, as on the command line and in files: 2 to 40 of a to z, 0 to 9 and `-`.
    pub fn id(self) -> &'static str {
        self.definition().shipped.unwrap_or_else(|| self.spec().id)
    }

    /// Returns the name for screens. For a shipped system it is read without compiling the file.
    pub fn name(self) -> &'static str {
        let definition = self.definition();
        if definition.shipped.is_some()
            && let Some(name) = system_file::outline::name(definition.text)
        {
            return name;
        }
        self.spec().name
    }

    /// Returns the ids of the checks, in the order of the file. For a shipped system they are read without compiling
    /// the file.
    pub fn check_ids(self) -> Vec<&'static str> {
        let definition = self.definition();
        match definition.shipped {
            Some(_) => system_file::outline::check_ids(definition.text),
            None => self.spec().checks.iter().map(|check| check.id).collect(),
        }
    }

    /// Returns the text of the system file.
    pub fn text(self) -> &'static str {
        self.definition().text
    }

    /// Returns the SHA-256 of the file, as 64 hexadecimal digits in lower case.
    pub fn sha256(self) -> &'static str {
        let hash = || base16ct::lower::encode_string(&Sha256::digest(self.text()));
        self.definition().sha256.get_or_init(hash)
    }

    /// True if saved games keep a copy of the system file. They do if the file holds all rules, so that none of its
    /// checks is Rust code.
    pub fn is_kept(self) -> bool {
        self.coded_checks().next().is_none()
    }

    /// Returns the ids of the checks that are Rust code instead of steps in the file.
    pub fn coded_checks(self) -> impl Iterator<Item = &'static str> {
        self.spec()
            .checks
            .iter()
            .filter(|check| check.program.is_none())
            .map(|check| check.id)
    }

    /// Returns the text that games store for this system: its id, and the SHA-256 of its file if games keep a copy of
    /// the file. The SHA-256 keeps a different file with the same id from being used instead.
    fn reference(self) -> String {
        if self.is_kept() {
            format!("{}@{}", self.id(), self.sha256())
        } else {
            self.id().to_owned()
        }
    }

    /// Finds a system by its id and SHA-256, among the shipped systems and the files that were read.
    fn of_sha256(id: &str, sha256: &str) -> Result<Self, RuleError> {
        let read_files = ReadFiles::lock();

        let system = Self::shipped()
            .filter(|system| system.id() == id)
            .chain(read_files.systems())
            .find(|system| system.sha256() == sha256);

        system.ok_or_else(|| {
            let short: String = sha256.chars().take(12).collect();
            RuleError::Said(format!(
                "the rule file of {id} with SHA-256 {short}… was not found; put it into the folder of the game as system.toml"
            ))
        })
    }

    /// Returns the description, which is compiled on first use.
    pub fn spec(self) -> &'static SystemSpec {
        let definition = self.definition();
        definition.spec.get_or_init(|| {
            system_file::compile(self, definition.text).expect("a test compiles every shipped file")
        })
    }

    /// Returns the part of the rules that is Rust code.
    pub fn code(self) -> &'static Code {
        &self.definition().code
    }

    /// Returns the sample game; `None` for systems of the user's own.
    pub fn sample(self) -> Option<SampleGame> {
        self.definition().sample
    }

    /// Returns the check of that id.
    ///
    /// # Errors
    ///
    /// If the system has no such check. The message suggests the nearest id, or lists all checks of the system.
    pub fn check(self, id: &str) -> Result<&'static CheckSpec, RuleError> {
        let spec = self.spec();
        if let Some(check) = spec.checks.iter().find(|check| check.id == id) {
            return Ok(check);
        }

        let problem = format!("{} has no check", spec.id);
        let ids = spec.checks.iter().map(|check| check.id);
        Err(RuleError::unknown(&problem, id, "its checks are", ids))
    }
}

/// The default system is Heart Rush.
impl Default for System {
    fn default() -> Self {
        Self::HEART_RUSH
    }
}

impl Serialize for System {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.reference())
    }
}

impl<'de> Deserialize<'de> for System {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let reference = String::deserialize(from)?;
        reference.parse().map_err(D::Error::custom)
    }
}

impl FromStr for System {
    type Err = RuleError;

    fn from_str(reference: &str) -> Result<Self, RuleError> {
        match reference.split_once('@') {
            Some((id, sha256)) => Self::of_sha256(id, sha256),
            None => Self::named(reference, std::iter::empty()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_the_same_system() {
        let shipped = System::of_file(System::GNOSIS.text(), true);
        assert_eq!(shipped, Ok(System::GNOSIS));

        let text = format!("# Ours.\n{}", System::GNOSIS.text());
        let own = System::of_file(&text, true).unwrap();
        assert_eq!(System::of_file(&text, true), Ok(own));
        assert_ne!(own, System::GNOSIS);
        assert_eq!((own.id(), own.is_shipped()), ("gnosis", false));

        let check = own.check("strategy").unwrap();
        assert!(std::ptr::eq(own.spec().checks[0], check));
        assert_eq!(check.system, own);

        let broken = System::of_file("format = 1", true);
        assert!(broken.is_err());
        assert_eq!(System::of_file("format = 1", true), broken);
    }

    #[test]
    fn a_file_is_known_by_its_sha_256() {
        let text = format!("{}\n", System::HFRPG.text());
        let own = System::of_file(&text, false).unwrap().sha256();
        let shipped = System::HFRPG.sha256();
        assert_ne!(own, shipped);

        for hash in [own, shipped] {
            let is_hex = hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(hash.len() == 64 && is_hex, "{hash}");
        }
    }
}
