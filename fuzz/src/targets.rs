//! All fuzz targets.

mod command_line;
mod files;
mod play;
mod ssh;
mod text;

/// A function under test that takes any bytes, and panics if it finds a fault.
#[derive(Debug)]
pub struct Target {
    /// The name on the command line and of the folder in `corpus`.
    pub name: &'static str,
    function: fn(&[u8]),
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target::new("game", files::read_game),
    Target::new("event", files::read_event),
    Target::new("folder", files::open_folder),
    Target::new("system", files::read_system),
    Target::new("keymap", files::read_keymap),
    Target::new("theme", files::read_theme),
    Target::new("notation", text::parse_notation),
    Target::new("text", text::sanitise),
    Target::new("keys", text::parse_keys),
    Target::new("fields", play::fill_fields),
    Target::new("phrase", play::run_phrases),
    Target::new("screen", play::use_screen),
    Target::new("arguments", command_line::run_arguments),
    Target::new("ssh", ssh::connect),
];

impl Target {
    const fn new(name: &'static str, function: fn(&[u8])) -> Self {
        Self { name, function }
    }

    /// Returns the target of a name.
    pub fn find(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// Runs the target with one input.
    ///
    /// # Panics
    ///
    /// If the input reveals a fault.
    pub fn run(&self, input: &[u8]) {
        (self.function)(input);
    }
}
