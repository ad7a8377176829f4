//! Which file describes a rule system, and which code plays it: those that come with the program, and those read from a
//! file.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use super::code::Code;
use super::{CheckSpec, RuleError, System, SystemSpec, gnosis, heart_rush, hfrpg, system_file};

/// What a [`System`] stands for; there is one for each text.
struct Definition {
    /// Its name, where it comes with the program; else only its description has it.
    shipped: Option<&'static str>,
    /// Its description, in the form of `systems/*.toml`.
    text: &'static str,
    sha256: OnceLock<String>,
    /// The description once it was asked for.
    spec: OnceLock<SystemSpec>,
    code: Code,
    /// The sample game, if there is one.
    sample: Option<(&'static str, &'static str)>,
}

/// The systems that come with the program, in the order in which they are listed: how the code calls each, the name
/// of its file in `systems` and its sample game in `sessions`, and its code.
macro_rules! shipped {
    ($($name:ident: $id:literal, $code:expr;)*) => {
        impl System {
            $(
                #[doc = concat!("That of `systems/", $id, ".toml`.")]
                pub const $name: Self = {
                    static DEFINITION: Definition = Definition {
                        shipped: Some($id),
                        text: include_str!(concat!("../../../systems/", $id, ".toml")),
                        sha256: OnceLock::new(),
                        spec: OnceLock::new(),
                        code: $code,
                        sample: Some((
                            include_str!(concat!("../../../sessions/", $id, ".toml")),
                            include_str!(concat!("../../../sessions/", $id, ".txt")),
                        )),
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

/// What was read from files: what each text describes, and what came of trying it.
type Read = BTreeMap<&'static str, (Result<System, RuleError>, Option<Result<(), RuleError>>)>;
static READ: Mutex<Read> = Mutex::new(BTreeMap::new());

impl System {
    /// Those that come with the program, in the order in which they are listed.
    pub fn shipped() -> impl ExactSizeIterator<Item = Self> + Clone {
        Self::SHIPPED.iter().copied()
    }

    /// The system that this text describes. It stays for as long as the program runs, and the same text is the same
    /// system.
    ///
    /// With `tries` its examples and odds are tried first, as is due for every file that the program did not keep
    /// itself.
    pub fn of_file(text: &str, tries: bool) -> Result<Self, RuleError> {
        if let Some(shipped) = Self::shipped().find(|known| known.text() == text) {
            return Ok(shipped);
        }
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if !read.contains_key(text) {
            let text = text.to_owned().leak();
            let own = Self::new(Box::leak(Box::new(Definition {
                shipped: None,
                text,
                sha256: OnceLock::new(),
                spec: OnceLock::new(),
                code: Code::PLAIN,
                sample: None,
            })));
            let system = system_file::read(own, text).map(|spec| {
                own.definition().spec.get_or_init(|| spec);
                own
            });
            read.insert(text, (system, None));
        }
        let (system, tried) = read.get_mut(text).expect("it was put there");
        let system = system.clone()?;
        if tries {
            // Others wait meanwhile: nobody tries the same text twice.
            let try_out = || system_file::try_out(system.spec(), system.text());
            tried.get_or_insert_with(try_out).clone()?;
        }
        Ok(system)
    }

    /// The one of that name that comes with the program; an error lists `own` beside them.
    pub fn named<'a>(name: &'a str, own: impl Iterator<Item = &'a str>) -> Result<Self, RuleError> {
        let found = Self::shipped().find(|system| system.id() == name);
        let shipped = Self::shipped().map(|system| -> &str { system.id() });
        let known = shipped.chain(own);
        found
            .ok_or_else(|| RuleError::unknown("there is no system", name, "the systems are", known))
    }

    fn definition(self) -> &'static Definition {
        let definition = self.definition_as::<Definition>();
        definition.expect("a system is made here alone")
    }

    /// Whether it comes with the program.
    pub fn is_shipped(self) -> bool {
        self.definition().shipped.is_some()
    }

    /// Its name on the command line and in files.
    pub fn id(self) -> &'static str {
        self.definition().shipped.unwrap_or_else(|| self.spec().id)
    }

    /// The name on the screen. A shipped system is not compiled for it.
    pub fn name(self) -> &'static str {
        let definition = self.definition();
        let outlined = match definition.shipped {
            Some(_) => system_file::outline::name(definition.text),
            None => None,
        };
        outlined.unwrap_or_else(|| self.spec().name)
    }

    /// The ids of the checks, in the order of the file. A shipped system is not compiled for them.
    pub fn check_ids(self) -> Vec<&'static str> {
        let definition = self.definition();
        match definition.shipped {
            Some(_) => system_file::outline::check_ids(definition.text),
            None => self.spec().checks.iter().map(|check| check.id).collect(),
        }
    }

    /// The file that describes it.
    pub fn text(self) -> &'static str {
        self.definition().text
    }

    /// The SHA-256 of the file, in hexadecimal.
    pub fn sha256(self) -> &'static str {
        let hash = || base16ct::lower::encode_string(&Sha256::digest(self.text()));
        self.definition().sha256.get_or_init(hash)
    }

    /// Whether a game keeps a copy of the file: it holds all the rules, and no check needs the program's own code.
    pub fn is_kept(self) -> bool {
        self.coded_checks().next().is_none()
    }

    /// The checks that are no steps of the file, but the program's own code.
    pub fn coded_checks(self) -> impl Iterator<Item = &'static str> {
        let checks = self.spec().checks.iter();
        let coded = checks.filter(|check| check.program.is_none());
        coded.map(|check| check.id)
    }

    /// Its name in the files of a game: with the SHA-256 of the copy where one is kept, so that another file of the
    /// same name is never taken for it.
    fn reference(self) -> String {
        if self.is_kept() {
            format!("{}@{}", self.id(), self.sha256())
        } else {
            self.id().to_owned()
        }
    }

    /// The system whose file has this SHA-256, among those that come along and those that were read.
    fn of_sha256(id: &str, sha256: &str) -> Result<Self, RuleError> {
        let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        let read = read.values().filter_map(|(system, _)| system.clone().ok());
        let mut all = Self::shipped().filter(|one| one.id() == id).chain(read);
        let found = all.find(|one| one.sha256() == sha256);
        found.ok_or_else(|| {
            let short = sha256.chars().take(12).collect::<String>();
            RuleError::Said(format!(
                "the rules {id:?} with the SHA-256 {short}… are not here; they should be system.toml beside the game"
            ))
        })
    }

    /// Its description, read when it is asked for the first time.
    pub fn spec(self) -> &'static SystemSpec {
        let read = || system_file::read(self, self.definition().text);
        let spec = &self.definition().spec;
        spec.get_or_init(|| read().expect("a test reads every file that comes with the program"))
    }

    /// Its rules, as code.
    pub fn code(self) -> &'static Code {
        &self.definition().code
    }

    /// The sample game, if there is one: how it stands at first, and the commands that it is played with.
    pub fn sample(self) -> Option<(&'static str, &'static str)> {
        self.definition().sample
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

/// The one that a first start begins with.
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
        let id = String::deserialize(from)?;
        id.parse().map_err(D::Error::custom)
    }
}

impl FromStr for System {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        if let Some((id, sha256)) = text.split_once('@') {
            return Self::of_sha256(id, sha256);
        }
        Self::named(text, std::iter::empty())
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
        assert!(std::ptr::eq(
            own.spec().checks[0],
            own.check("strategy").unwrap()
        ));
        assert_eq!(own.spec().checks[0].system, own);
        let broken = System::of_file("format = 1", true);
        assert!(broken.is_err());
        assert_eq!(System::of_file("format = 1", true), broken);
    }

    #[test]
    fn a_file_is_known_by_its_sha_256() {
        let own = System::of_file(&format!("{}\n", System::HFRPG.text()), false).unwrap();
        let (own, shipped) = (own.sha256(), System::HFRPG.sha256());
        assert_ne!(own, shipped);
        let is_hex =
            |hash: &str| hash.len() == 64 && hash.bytes().all(|one| one.is_ascii_hexdigit());
        assert!(is_hex(own) && is_hex(shipped), "{own} {shipped}");
    }
}
