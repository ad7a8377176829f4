//! A machine with nothing on it but a home folder, and the program run there as a shell runs it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A machine with nothing on it but a home folder.
pub(crate) struct Machine {
    pub(crate) home: TempDir,
}

/// What a run of the program left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        Self { home }
    }

    /// A machine with the sample game of Heart Rush under the name `demo`.
    pub(crate) fn with_demo() -> Self {
        let machine = Self::new();
        let ran = machine.run("new demo --system heart-rush --sample");
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        machine
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    /// A program of this machine, in the home folder.
    pub(crate) fn program(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command
            .env_clear()
            .env("HOME", self.home.path())
            .env("TABLESIDE_DATA", self.data())
            .env("TZ", "UTC")
            .current_dir(self.home.path())
            .stdin(Stdio::null());
        command
    }

    /// Tableside with these words.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_tableside"));
        command.args(words);
        command
    }

    /// The text with what differs from run to run replaced.
    pub(crate) fn plain(&self, text: &str) -> String {
        text.replace(self.home.path().to_str().unwrap(), "HOME")
    }

    /// Runs the words between blanks.
    pub(crate) fn run(&self, words: &str) -> Ran {
        self.run_words(&words.split_whitespace().collect::<Vec<_>>())
    }

    pub(crate) fn run_words(&self, words: &[&str]) -> Ran {
        self.ran(self.command(words).output().unwrap())
    }

    pub(crate) fn ran(&self, output: Output) -> Ran {
        Ran {
            code: output.status.code().unwrap(),
            out: self.plain(&String::from_utf8(output.stdout).unwrap()),
            err: self.plain(&String::from_utf8(output.stderr).unwrap()),
        }
    }
}
