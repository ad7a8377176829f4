//! A pseudo-terminal with a program in it, and what its screen shows.

use std::io::{Read, Write};
use std::num::NonZero;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long anything may take; nothing waits that long unless it failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(40);

/// A pseudo-terminal with a program in it.
pub(crate) struct Pty {
    pub(crate) child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    pub(crate) bytes: Receiver<Vec<u8>>,
    pub(crate) screen: vt100::Parser,
    /// All that the program has written.
    pub(crate) all: Vec<u8>,
}

impl Pty {
    /// Runs that in a terminal of so many columns and rows, with all colours and with no other environment than its own.
    pub(crate) fn run(program: &Command, size: (u16, u16)) -> Self {
        let mut command = CommandBuilder::new(program.get_program());
        command.args(program.get_args());
        command.env_clear();
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        for (name, value) in program.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        if let Some(folder) = program.get_current_dir() {
            command.cwd(folder);
        }
        let pair = native_pty_system().openpty(sized(size)).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, bytes) = channel();
        thread::Builder::new()
            .spawn(move || {
                let mut buffer = vec![0; 65536];
                while let Ok(count) = reader.read(&mut buffer) {
                    if count == 0 || sender.send(buffer[..count].to_vec()).is_err() {
                        break;
                    }
                }
            })
            .unwrap();
        let writer = pair.master.take_writer().unwrap();
        Self {
            child,
            master: pair.master,
            writer,
            bytes,
            screen: vt100::Parser::new(cells(size.1), cells(size.0), 0),
            all: Vec::new(),
        }
    }

    /// What the screen shows.
    pub(crate) fn shown(&self) -> String {
        self.screen.screen().contents()
    }

    /// Takes in what the program wrote.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.all.extend_from_slice(bytes);
    }

    /// Reads until it is as wanted, for the sake of what is named; returns what the screen shows.
    pub(crate) fn read_until(&mut self, what: &str, wanted: impl Fn(&Self) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        while !wanted(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.bytes.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(error) => panic!("{what} never came ({error}):\n{}", self.shown()),
            }
        }
        self.shown()
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Makes the terminal so many columns and rows large; what it showed is gone.
    pub(crate) fn resize(&mut self, size: (u16, u16)) {
        let screen = self.screen.screen_mut();
        screen.set_size(cells(size.1), cells(size.0));
        self.screen.process(b"\x1b[2J");
        self.master.resize(sized(size)).unwrap();
    }

    /// Waits for the end; returns the exit code, or 128 and the signal's number.
    pub(crate) fn end(&mut self) -> u32 {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            while let Ok(bytes) = self.bytes.try_recv() {
                self.take(&bytes);
            }
            if let Some(status) = self.child.try_wait().unwrap() {
                while let Ok(bytes) = self.bytes.recv_timeout(Duration::from_millis(200)) {
                    self.take(&bytes);
                }
                return status.exit_code();
            }
            thread::yield_now();
        }
        panic!("it goes on:\n{}", self.shown());
    }

    /// Whether lines are edited and echoed again, the main screen is back, and no mode is left on.
    pub(crate) fn is_given_back(&self) -> Result<(), String> {
        let screen = self.screen.screen();
        let told = |wrong: bool, what: &str| if wrong { Err(what.to_owned()) } else { Ok(()) };
        told(screen.alternate_screen(), "the alternate screen is left")?;
        told(screen.hide_cursor(), "the cursor is hidden")?;
        told(screen.bracketed_paste(), "bracketed paste is on")?;
        let mouse = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
        told(mouse, "the mouse is taken")?;
        // Titles are kept and put back in pairs.
        let times = |sequence: &[u8]| {
            let windows = self.all.windows(sequence.len());
            windows.filter(|part| *part == sequence).count()
        };
        let is_kept = times(b"\x1b[22;2t") > times(b"\x1b[23;2t");
        told(is_kept, "the title is left")?;
        let modes = self.master.get_termios().ok_or("no modes")?;
        let local = format!("{:?}", modes.local_flags);
        told(
            !local.contains("ICANON") || !local.contains("ECHO"),
            "it is left raw",
        )
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        self.child.kill().unwrap_or_default();
    }
}

fn sized((cols, rows): (u16, u16)) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}
