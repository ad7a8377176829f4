//! Where files are and what the user set: merged once, then read; what is chosen on the screen is written back.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use etcetera::BaseStrategy as _;
use etcetera::base_strategy::Xdg;
use serde::Deserialize;
use thiserror::Error;
use toml_edit::DocumentMut;

use tableside_game::{Bestiary, RandomTables};
use tableside_rules::{Creature, RuleError, System};
use tableside_store::file::{self, Links};
use tableside_store::{StoreError, write_file};
use tableside_text::describe_toml_error;
use tableside_tui::Notify;

/// The folder's name under the platform's own folders.
const NAME: &str = "tableside";

/// The file of what the user chose on the screen.
const CHOSEN: &str = "config.toml";

/// The largest file of the user's that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads the environment.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Where files are and what the user set.
#[derive(Clone, Debug)]
pub struct Config {
    data: Option<PathBuf>,
    /// The database that games are kept in instead of the data folder, if one was given.
    pub database: Option<String>,
    own: Option<PathBuf>,
    /// The theme's name, if one was given.
    pub theme: Option<String>,
    /// Whether only ASCII is shown.
    pub ascii: bool,
    /// Whether the user wants no colour (`NO_COLOR`).
    pub no_colour: bool,
}

/// What the user chose, on the screen or by hand.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Chosen {
    /// The theme; `T` on the screen keeps it here.
    theme: Option<String>,
    /// How you are told that a roll or an answer is waited for: `bell`, `osc` (a notification of the desktop) or `off`.
    notify: Notify,
}

/// What the user set cannot be so: what is wrong, and what would be right.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ConfigError(String);

/// Reads the creatures of a file that is to be extended. Refuses a file for another system.
fn read_creatures_to_extend(
    path: &Path,
    text: &str,
    system: System,
) -> Result<Vec<Creature>, ConfigError> {
    let shown = path.display();
    let document: toml_edit::DocumentMut = text
        .parse()
        .map_err(|error| ConfigError(format!("{shown}: {error}")))?;
    let written = document.get("system").and_then(|id| id.as_str());
    if written != Some(system.id()) {
        let reason = format!(
            "{shown} has creatures for another system; choose another name, or delete that file"
        );
        return Err(ConfigError(reason));
    }
    Creature::read_file(text, system).map_err(|error| ConfigError(format!("{shown}: {error}")))
}

/// Writes a file of the user's own. With `replace`, an existing file is replaced. `what` names the content in errors.
fn write_own_file(
    path: &Path,
    text: &str,
    replace: bool,
    what: &'static str,
) -> Result<(), ConfigError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| failed("create", folder, &error))?;
    }
    let written = write_file(path, replace, |file| {
        let written = file.write_all(text.as_bytes());
        written.map_err(|error| StoreError::Unwritable {
            what,
            why: error.to_string(),
        })
    });
    written.map_err(|error| ConfigError(error.to_string()))
}

fn failed(act: &str, path: &Path, error: &io::Error) -> ConfigError {
    ConfigError(format!("cannot {act} {}: {error}", path.display()))
}

/// A rule system in a file of the user's.
#[derive(Clone, Debug)]
pub struct SystemFile {
    /// The name that the file gives it, else that of the file.
    pub id: String,
    /// The file.
    pub path: PathBuf,
}

impl SystemFile {
    /// The file at that path, whether or not it can be read.
    pub fn new(path: PathBuf) -> Self {
        let text = file::read(&path, LARGEST, Links::Follow).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        // The name stands above all tables, also in a file that is faulty further down.
        let mut head = text.lines().take_while(|line| !line.starts_with('['));
        let id = head.find_map(|line| {
            let (key, value) = line.split_once('=')?;
            let is_name = key.trim() == "id";
            let value = value.split('#').next().unwrap_or_default().trim();
            is_name.then(|| value.trim_matches(['"', '\'']).to_owned())
        });
        let stem = || Some(path.file_stem()?.to_string_lossy().into_owned());
        let id = id.filter(|id| !id.is_empty()).or_else(stem);
        Self {
            id: id.unwrap_or_default(),
            path,
        }
    }

    /// Reads and tries it. Every fault is a line of the error, with its place.
    pub fn read(&self) -> Result<System, ConfigError> {
        let path = self.path.display();
        let bytes = file::read(&self.path, LARGEST, Links::Follow)
            .map_err(|error| failed("read", &self.path, &error))?;
        let text = String::from_utf8(bytes)
            .map_err(|_other| ConfigError(format!("{path}: it is not UTF-8 text")))?;
        let system = System::of_file(&text, true).map_err(|error| match error {
            RuleError::Faults(faults) => {
                let lines = faults.iter().map(|fault| {
                    let (line, column, what) = (fault.line, fault.column, &fault.what);
                    format!("{path}:{line}:{column}: {what}")
                });
                ConfigError(lines.collect::<Vec<_>>().join("\n"))
            }
            error => ConfigError(format!("{path}: {error}")),
        })?;
        match system.coded_checks().next() {
            Some(check) if !system.is_shipped() => Err(ConfigError(format!(
                "{path}:1:1: the check {check} has no steps; give it some, or begin with a system that is played by steps"
            ))),
            _ => Ok(system),
        }
    }
}

impl Config {
    /// Merges the options `--data`, `--theme` and `--ascii`, which go first, the environment, and the platform's
    /// folders. A locale without UTF-8 is as good as `--ascii`.
    pub fn new(
        (data, theme, ascii): (Option<PathBuf>, Option<String>, bool),
        lookup: Lookup<'_>,
    ) -> Self {
        let set = |name| lookup(name).filter(|value| !value.is_empty());
        // Where nothing is said of letters, the terminal is taken to know them all, as most do.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        let is_utf8 = |locale: String| locale.to_lowercase().replace('-', "").contains("utf8");
        let platform = etcetera::choose_base_strategy().ok();
        let ours = |folder: fn(&Xdg) -> PathBuf| platform.as_ref().map(folder);
        let data = data
            .or_else(|| set("TABLESIDE_DATA").map(PathBuf::from))
            .or_else(|| ours(|platform| platform.data_dir().join(NAME)));
        Self {
            data,
            database: set("TABLESIDE_DATABASE"),
            own: set("TABLESIDE_CONFIG")
                .map(PathBuf::from)
                .or_else(|| ours(|platform| platform.config_dir().join(NAME))),
            theme,
            ascii: ascii || !locale.is_none_or(is_utf8),
            no_colour: set("NO_COLOR").is_some(),
        }
    }

    /// The folder that game folders lie in.
    pub fn data(&self) -> Result<&Path, ConfigError> {
        let none = "there is no home folder for games; give a folder with --data or TABLESIDE_DATA";
        self.data
            .as_deref()
            .ok_or_else(|| ConfigError(none.to_owned()))
    }

    /// The user's own keys, if there are any.
    pub fn keys(&self) -> Result<Option<String>, ConfigError> {
        self.read(Path::new("keys.toml"))
    }

    /// Where the user's own keys are, or would be.
    pub fn keys_file(&self) -> Option<PathBuf> {
        self.own.as_ref().map(|folder| folder.join("keys.toml"))
    }

    /// The user's own theme of that name, if there is one.
    pub fn user_theme(&self, name: &str) -> Result<Option<String>, ConfigError> {
        let file = format!("{name}.toml");
        // A theme's name is a name, not a way to another folder.
        let mut parts = Path::new(&file).components();
        match (parts.next(), parts.next()) {
            (Some(Component::Normal(file)), None) => self.read(&Path::new("themes").join(file)),
            _ => Ok(None),
        }
    }

    /// The names of the user's own themes, in order.
    pub fn user_themes(&self) -> Vec<String> {
        self.own_files("themes").map(|(name, _)| name).collect()
    }

    /// The names and the paths of the user's own files in that folder.
    fn own_files(&self, folder: &str) -> impl Iterator<Item = (String, PathBuf)> {
        let folder = self.own.as_ref().map(|own| own.join(folder));
        let files = folder.map(|folder| file::named(&folder, "toml"));
        files.into_iter().flatten()
    }

    /// The folder of the user's own rule systems.
    pub fn systems_folder(&self) -> Option<PathBuf> {
        self.own.as_ref().map(|own| own.join("systems"))
    }

    /// The user's own rule systems, in the order of their files.
    pub fn own_systems(&self) -> impl Iterator<Item = SystemFile> {
        let files = self.own_files("systems");
        files.map(|(_, path)| SystemFile::new(path))
    }

    /// The file that is meant: a path that ends in `.toml`, or a system of the user's own by its name.
    pub fn system_file(&self, named: &str) -> Option<SystemFile> {
        if Path::new(named)
            .extension()
            .is_some_and(|end| end == "toml")
        {
            return Some(SystemFile::new(PathBuf::from(named)));
        }
        self.own_systems().find(|own| own.id == named)
    }

    /// The user's own random tables, and the included ones for a system, or for all systems without one.
    pub fn random_tables(&self, system: Option<&str>) -> RandomTables {
        let files = self.own_files("tables").map(|(name, path)| {
            let text = self.read(&path).map_err(|error| error.to_string());
            (name, text.map(Option::unwrap_or_default))
        });
        RandomTables::with_included(files, system)
    }

    /// The files of the user's own random tables.
    pub fn table_files(&self) -> impl Iterator<Item = PathBuf> {
        self.own_files("tables").map(|(_, path)| path)
    }

    /// The templates of creatures for a system: those of its file, and the user's own.
    pub fn creatures(&self, system: System) -> Bestiary {
        let mut own = Vec::new();
        let mut unreadable = Vec::new();
        for (_, path) in self.own_files("creatures") {
            let read = self.read(&path).map_err(|error| error.to_string());
            let creatures = read.and_then(|text| {
                let text = text.unwrap_or_default();
                Creature::read_file(&text, system)
                    .map_err(|error| format!("{}: {error}", path.display()))
            });
            match creatures {
                Ok(creatures) => own.extend(creatures),
                Err(reason) => unreadable.push(reason),
            }
        }
        Bestiary::new(system, own, unreadable)
    }

    /// The files of the user's own creatures.
    pub fn creature_files(&self) -> impl Iterator<Item = PathBuf> {
        self.own_files("creatures").map(|(_, path)| path)
    }

    /// Adds creatures to a file of the user's own and returns its path. A creature of the same name in that file is
    /// replaced.
    pub fn save_creatures(
        &self,
        name: &str,
        system: System,
        creatures: &[Creature],
    ) -> Result<PathBuf, ConfigError> {
        let path = self.own_file("creatures", name)?;
        let text = self.read(&path)?.unwrap_or_default();
        let mut all = if text.trim().is_empty() {
            Vec::new()
        } else {
            read_creatures_to_extend(&path, &text, system)?
        };
        for creature in creatures {
            match all.iter_mut().find(|known| known.name == creature.name) {
                Some(known) => known.clone_from(creature),
                None => all.push(creature.clone()),
            }
        }
        write_own_file(
            &path,
            &Creature::write_file(system, &all),
            true,
            "the creatures",
        )?;
        Ok(path)
    }

    /// Writes the file of a random table and returns its path. With `replace`, an existing file is replaced.
    pub fn save_table(
        &self,
        name: &str,
        text: &str,
        replace: bool,
    ) -> Result<PathBuf, ConfigError> {
        let path = self.own_file("tables", name)?;
        write_own_file(&path, text, replace, "the random table")?;
        Ok(path)
    }

    /// Deletes the file of a random table.
    pub fn delete_table(&self, name: &str) -> Result<(), ConfigError> {
        let path = self.own_file("tables", name)?;
        fs::remove_file(&path).map_err(|error| failed("delete", &path, &error))
    }

    /// The path of a file of the user's own in that folder.
    fn own_file(&self, folder: &str, name: &str) -> Result<PathBuf, ConfigError> {
        let Some(own) = &self.own else {
            let message =
                format!("there is no folder for {folder}; give one with TABLESIDE_CONFIG");
            return Err(ConfigError(message));
        };
        // The name is the name of a file in that folder, not a path to another folder.
        if name.contains(['/', '\\']) || name.starts_with('.') || name.is_empty() {
            return Err(ConfigError(format!(
                "{name:?} cannot be the name of a file"
            )));
        }
        Ok(own.join(folder).join(format!("{name}.toml")))
    }

    /// The theme that the user chose on the screen, if any.
    pub fn kept_theme(&self) -> Result<Option<String>, ConfigError> {
        Ok(self.chosen()?.1.theme)
    }

    /// How the user is told of calls.
    pub fn notify(&self) -> Result<Notify, ConfigError> {
        Ok(self.chosen()?.1.notify)
    }

    /// Keeps the theme that the user chose on the screen; everything else in the file stays as it is.
    pub fn keep_theme(&self, name: &str) -> Result<(), ConfigError> {
        self.keep("theme", toml_edit::value(name))
    }

    fn keep(&self, key: &str, value: toml_edit::Item) -> Result<(), ConfigError> {
        let Some(folder) = &self.own else {
            return Ok(());
        };
        let (text, _) = self.chosen()?;
        let mut document: DocumentMut = text.parse().expect("it was read as TOML just now");
        document.insert(key, value);
        // It may be a link to where somebody keeps all settings.
        let path = folder.join(CHOSEN);
        let path = fs::canonicalize(&path).unwrap_or(path);
        let draft = path.with_extension("toml.new");
        let written = fs::create_dir_all(folder)
            .and_then(|()| fs::write(&draft, document.to_string()))
            .and_then(|()| fs::rename(&draft, &path));
        written.map_err(|error| failed("write", &path, &error))
    }

    /// The file of what the user chose on the screen, and what it says.
    fn chosen(&self) -> Result<(String, Chosen), ConfigError> {
        let text = self.read(Path::new(CHOSEN))?.unwrap_or_default();
        match toml::from_str(&text) {
            Ok(chosen) => Ok((text, chosen)),
            Err(error) => {
                let path = self.own.clone().unwrap_or_default().join(CHOSEN);
                let (path, fault) = (path.display(), describe_toml_error(&text, &error));
                Err(ConfigError(format!("{path}, {fault}")))
            }
        }
    }

    /// A file of the user's, if there is one.
    fn read(&self, name: &Path) -> Result<Option<String>, ConfigError> {
        let Some(path) = self.own.as_ref().map(|folder| folder.join(name)) else {
            return Ok(None);
        };
        let read = file::read(&path, LARGEST, Links::Follow).and_then(|bytes| {
            String::from_utf8(bytes).map_err(|_other| io::Error::other("it is not UTF-8 text"))
        });
        match read {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("read", &path, &error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(own: &Path) -> Config {
        let own = own.to_str().unwrap().to_owned();
        let lookup = move |name: &str| (name == "TABLESIDE_CONFIG").then(|| own.clone());
        Config::new((None, None, false), &lookup)
    }

    #[test]
    fn a_theme_is_kept_and_the_rest_of_the_file_stays() {
        let own = tempfile::tempdir().unwrap();
        let config = config(own.path());
        assert_eq!(config.kept_theme().unwrap(), None);
        config.keep_theme("sea").unwrap();
        assert_eq!(config.kept_theme().unwrap().as_deref(), Some("sea"));
        let file = own.path().join(CHOSEN);
        fs::write(&file, "# mine\nother = 3\ntheme = \"sea\" # cool\n").unwrap();
        config.keep_theme("candle").unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(
            text.contains("# mine\nother = 3") && text.contains("\"candle\""),
            "{text}"
        );
    }

    #[test]
    fn a_locale_without_utf8_asks_for_ascii() {
        let ascii = |said: &[(&str, &str)]| {
            let lookup = |name: &str| {
                let found = said.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            Config::new((None, None, false), &lookup).ascii
        };
        assert!(!ascii(&[]));
        assert!(!ascii(&[("LANG", "de_DE.UTF-8")]));
        assert!(!ascii(&[
            ("LC_ALL", ""),
            ("LC_CTYPE", "C.utf8"),
            ("LANG", "C")
        ]));
        assert!(ascii(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
        assert!(ascii(&[("LANG", "de_DE.ISO-8859-1")]));
    }

    #[test]
    fn a_mistaken_file_is_named_with_the_line() {
        let own = tempfile::tempdir().unwrap();
        let config = config(own.path());
        let file = own.path().join(CHOSEN);
        for text in ["# first\ntheme = 3\n", "# first\ntheme = \n"] {
            fs::write(&file, text).unwrap();
            let told = config.kept_theme().unwrap_err().to_string();
            assert!(told.contains("config.toml, line 2: "), "{told}");
        }
        assert!(config.keep_theme("sea").is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "# first\ntheme = \n");
    }

    #[test]
    fn the_users_themes_are_found_by_their_files() {
        let own = tempfile::tempdir().unwrap();
        let folder = own.path().join("themes");
        fs::create_dir(&folder).unwrap();
        for file in ["tavern.toml", "moor.toml", "notes.txt"] {
            fs::write(folder.join(file), "base = \"light\"").unwrap();
        }
        let config = config(own.path());
        assert_eq!(config.user_themes(), ["moor", "tavern"]);
        assert!(config.user_theme("tavern").unwrap().is_some());
        assert_eq!(config.user_theme("../config").unwrap(), None);
    }
}
