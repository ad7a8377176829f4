//! The terminal at this machine: taken over whole, heard by threads that only wait, and given back
//! however the program ends.
//!
//! There is one terminal to a process, so its state is kept once, and [`restore`] can be called from
//! anywhere: from the guard, the panic hook, or the thread that hears signals.

use std::env;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::panic;
use std::process::Command;
use std::sync::mpsc::Sender;
use std::sync::{Once, OnceLock};
use std::thread::{self, ThreadId};

use nix::unistd::{getpgrp, getsid};
use parking_lot::Mutex;
use ratatui::crossterm::terminal as raw;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use crate::Input;

/// Takes a terminal over: keeps its title, alternate screen, mouse (presses and the wheel, in SGR form), bracketed paste, no cursor. Also what a player's terminal is sent over SSH.
pub const ENTER: &[u8] = b"\x1b[22;2t\x1b[?1049h\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?25l";

/// Gives a terminal back: the opposite of [`ENTER`], and the end of a frame cut in two.
pub const LEAVE: &[u8] =
    b"\x1b[?2026l\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[m\x1b[?25h\x1b[?1049l\x1b[23;2t";

/// Room for a long paste in few pieces.
const CHUNK: usize = 64 * 1024;

/// The thread that draws on the terminal, while it is taken over.
static DRAWN_BY: Mutex<Option<ThreadId>> = Mutex::new(None);

/// What other threads had to say while their words would have torn the screen.
static LAST_WORDS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Wakes the thread that reads the terminal; it then waits for [`WRITING`].
static WAKE: OnceLock<UnixStream> = OnceLock::new();

/// Held while an editor has the terminal, which would lose keys to a second reader.
static WRITING: Mutex<()> = Mutex::new(());

/// Why the terminal could not be taken over.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// Input or output is a file or a pipe.
    #[error(
        "the screen needs a terminal, but standard {0} is none; `tableside --help` names the commands that need none"
    )]
    NoTerminal(&'static str),
    /// The system refused.
    #[error("cannot take over the terminal: {0}")]
    Refused(#[from] io::Error),
}

/// The terminal, taken over until this is dropped.
#[derive(Debug)]
pub struct LocalTerminal {
    out: File,
}

impl LocalTerminal {
    /// Takes the terminal over, and sees to it that a panic gives it back before it speaks.
    pub fn enter() -> Result<Self, TerminalError> {
        require(io::stdin().is_terminal(), "input")?;
        require(io::stdout().is_terminal(), "output")?;
        let terminal = Self { out: output()? };
        restore_on_panic();
        terminal.resume()?;
        Ok(terminal)
    }

    /// Shows a frame, in one write. An empty one writes nothing.
    pub fn show(&mut self, frame: &[u8]) -> io::Result<()> {
        self.out.write_all(frame)
    }

    /// Gives the terminal back and stops the process, as Ctrl-Z does; returns when it goes on.
    ///
    /// `SIGCONT` is then heard as a [`Input::Signal`], whatever the process was stopped by, and the
    /// listener answers it with [`LocalTerminal::resume`].
    pub fn suspend(&self) -> io::Result<()> {
        restore();
        low_level::raise(SIGSTOP)
    }

    /// Has a text written in the editor that `VISUAL` or `EDITOR` names, `vi` without one, and returns it; or says
    /// why that failed. The terminal is given back for it: [`LocalTerminal::resume`] follows.
    pub fn write(&self, text: &str) -> Result<String, String> {
        let _reading = WRITING.lock();
        if let Some(mut wake) = WAKE.get() {
            wake.write_all(b"!").unwrap_or_default();
        }
        restore();
        let named = ["VISUAL", "EDITOR"].map(|name| env::var(name).unwrap_or_default());
        let named = named.into_iter().find(|editor| !editor.trim().is_empty());
        let editor = named.unwrap_or_else(|| "vi".to_owned());
        written(&editor, text).map_err(|why| format!("{editor}: {why}; the note is as it was"))
    }

    /// Takes the terminal over again; the caller then asks its size and draws everything.
    pub fn resume(&self) -> io::Result<()> {
        let mut drawn_by = DRAWN_BY.lock();
        // The shell may have set the terminal up anew: what was saved before no longer counts.
        raw::disable_raw_mode()?;
        raw::enable_raw_mode()?;
        *drawn_by = Some(thread::current().id());
        (&self.out).write_all(ENTER)
    }
}

impl Drop for LocalTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// The terminal's columns and rows; a terminal that does not know is taken for 80×24.
pub fn size() -> (u16, u16) {
    match raw::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns, rows),
        _ => (80, 24),
    }
}

/// Whether an error says that the terminal has hung up: what was one answers `EIO`, and a process that
/// lost its own finds none (`ENXIO`).
pub fn is_gone(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EIO | libc::ENXIO))
}

/// Gives the terminal back, if it is taken over. Nothing that fails here can be mended.
pub fn restore() {
    let mut drawn_by = DRAWN_BY.lock();
    if drawn_by.take().is_none() {
        return;
    }
    if let Ok(mut out) = output() {
        out.write_all(LEAVE).unwrap_or_default();
    }
    raw::disable_raw_mode().unwrap_or_default();
    for words in LAST_WORDS.lock().drain(..) {
        writeln!(io::stderr(), "{words}").unwrap_or_default();
    }
}

/// A panic on the drawing thread ends the screen. One elsewhere (a player's connection) does not:
/// what it says waits until the terminal is given back.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let drawn_by = *DRAWN_BY.lock();
            if drawn_by.is_some_and(|drawer| drawer != thread::current().id()) {
                LAST_WORDS.lock().push(info.to_string());
            } else {
                restore();
                before(info);
            }
        }));
    });
}

/// Standard output without its buffer: the buffer would cut a frame into lines.
fn output() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

fn require(is_terminal: bool, stream: &'static str) -> Result<(), TerminalError> {
    let refusal = TerminalError::NoTerminal(stream);
    is_terminal.then_some(()).ok_or(refusal)
}

/// Whether a shell would bring this process back once it stopped: a shell that can does not put it into its own group.
///
/// Asked of nix: in a container the leader of the game may be outside, its number is 0 then, and rustix panics at it.
pub(crate) fn has_shell() -> bool {
    getsid(None).is_ok_and(|session| session != getpgrp())
}

/// What that editor makes of a text.
fn written(editor: &str, text: &str) -> io::Result<String> {
    let mut file = tempfile::Builder::new().suffix(".txt").tempfile()?;
    writeln!(file, "{text}")?;
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{editor} \"$1\""), "sh"]);
    let child = command.arg(file.path()).spawn()?;
    let id = Pid::from_child(&child);
    // Nobody would bring an editor back that stopped itself.
    while let Some((_, status)) = waitpid(Some(id), WaitOptions::UNTRACED)? {
        if status.stopped() {
            kill_process(id, Signal::CONT)?;
        } else if status.exit_status() == Some(0) {
            break;
        } else {
            return Err(io::Error::other("it failed"));
        }
    }
    std::fs::read_to_string(file.path())
}

/// Starts the two threads that hear the terminal: one waits for bytes, one for signals, and neither polls.
///
/// `SIGTERM`, `SIGHUP`, `SIGINT` and `SIGQUIT` say to leave, `SIGTSTP` to suspend, `SIGCONT` to resume.
pub fn listen(inputs: Sender<Input>) -> io::Result<()> {
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let signals = Signals::new([SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])?;
    let typed = inputs.clone();
    thread::Builder::new()
        .name("input".into())
        .spawn(move || read_bytes(input, &typed))?;
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || read_signals(signals, &inputs))?;
    Ok(())
}

fn read_bytes(mut terminal: File, inputs: &Sender<Input>) {
    let mut chunk = vec![0; CHUNK];
    let woken = UnixStream::pair().ok().and_then(|(woken, wake)| {
        WAKE.set(wake).ok()?;
        Some(woken)
    });
    loop {
        if let Some(mut woken) = woken.as_ref() {
            let mut either = [&woken as &dyn AsFd, &terminal]
                .map(|one| PollFd::from_borrowed_fd(one.as_fd(), PollFlags::IN));
            // A wait that is interrupted begins again.
            if poll(&mut either, None).is_err() {
                continue;
            }
            if !either[0].revents().is_empty() {
                woken.read(&mut [0]).unwrap_or_default();
                drop(WRITING.lock());
                continue;
            }
        }
        let input = match terminal.read(&mut chunk) {
            Ok(0) => Input::Closed,
            Ok(count) => Input::Bytes(chunk.iter().take(count).copied().collect()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => Input::Closed,
        };
        let is_closed = matches!(input, Input::Closed);
        if inputs.send(input).is_err() || is_closed {
            return;
        }
    }
}

fn read_signals(mut signals: Signals, inputs: &Sender<Input>) {
    for signal in signals.forever() {
        let input = if signal == SIGWINCH {
            let (columns, rows) = size();
            Input::Resize(columns, rows)
        } else {
            Input::Signal(signal)
        };
        if inputs.send(input).is_err() {
            // Nobody listens any more, so the signal does what it always does.
            restore();
            low_level::emulate_default_handler(signal).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_refused_in_plain_words() {
        let refusal = require(false, "input").unwrap_err().to_string();
        assert!(refusal.contains("needs a terminal"), "{refusal}");
    }
}
