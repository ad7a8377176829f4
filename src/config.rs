//! Where files are and what the user set: merged once, then only read.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use etcetera::BaseStrategy as _;
use etcetera::base_strategy::Xdg;
use thiserror::Error;

/// The folder's name under the platform's own folders.
const NAME: &str = "tableside";

/// Reads the environment.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What was given on the command line; it goes before the environment.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// `--data`.
    pub data: Option<PathBuf>,
    /// `--theme`.
    pub theme: Option<String>,
    /// `--ascii`.
    pub ascii: bool,
}

/// Where files are and what the user set.
#[derive(Clone, Debug)]
pub struct Config {
    data: Option<PathBuf>,
    own: Option<PathBuf>,
    theme: Option<String>,
    ascii: bool,
    no_colour: bool,
}

/// What the user set cannot be so.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// There is no folder for sessions.
    #[error(
        "there is no home folder to keep sessions in; give a folder with --data or TABLESIDE_DATA"
    )]
    NoData,
    /// A file of the user's cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Config {
    /// Merges what was given, the environment, and the platform's folders.
    pub fn new(given: Given, lookup: Lookup<'_>) -> Self {
        let set = |name| lookup(name).filter(|value| !value.is_empty());
        let platform = etcetera::choose_base_strategy().ok();
        let ours = |folder: fn(&Xdg) -> PathBuf| platform.as_ref().map(folder);
        let data = given
            .data
            .or_else(|| set("TABLESIDE_DATA").map(PathBuf::from))
            .or_else(|| ours(|platform| platform.data_dir().join(NAME)));
        Self {
            data,
            own: ours(|platform| platform.config_dir().join(NAME)),
            theme: given.theme,
            ascii: given.ascii,
            no_colour: set("NO_COLOR").is_some(),
        }
    }

    /// The folder that session folders lie in.
    pub fn data(&self) -> Result<&Path, ConfigError> {
        self.data.as_deref().ok_or(ConfigError::NoData)
    }

    /// The theme's name, if one was given.
    pub fn theme(&self) -> Option<&str> {
        self.theme.as_deref()
    }

    /// Whether only ASCII is shown.
    pub fn ascii(&self) -> bool {
        self.ascii
    }

    /// Whether the user wants no colour (`NO_COLOR`).
    pub fn no_colour(&self) -> bool {
        self.no_colour
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

    /// A file of the user's; nothing where there is none.
    fn read(&self, name: &Path) -> Result<Option<String>, ConfigError> {
        let Some(path) = self.own.as_ref().map(|folder| folder.join(name)) else {
            return Ok(None);
        };
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(ConfigError::Read { path, source }),
        }
    }
}
