//! A program that runs beside the test, and the lines that it prints.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Runs until it is dropped.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) lines: Receiver<String>,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (give, lines) = channel();
        // What it says is taken from it, whether anybody reads that or not.
        let take = move || {
            for line in out.lines().map_while(Result::ok) {
                give.send(line).unwrap_or_default();
            }
        };
        thread::Builder::new().spawn(take).unwrap();
        Self { child, lines }
    }

    /// The next line; a slow machine is waited for.
    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(Duration::from_mins(1)).unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
        self.child.wait().unwrap();
    }
}
