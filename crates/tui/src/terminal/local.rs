//! The terminal of this machine. It is taken over as a whole, and given back however the program ends.
//!
//! A process has one terminal, so its state is global. [`restore`] can be called from anywhere: by the guard, by the
//! panic hook, or by the thread that waits for signals.

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

/// Takes over a terminal: saves its title, and turns on the alternate screen, mouse reports, and bracketed paste. It is
/// also sent to the terminals of players over SSH.
pub const ENTER: &[u8] = b"\x1b[22;2t\x1b[?1049h\x1b[?1000h\x1b[?1006h\x1b[?2004h\x1b[?25l";

/// Gives back a terminal: undoes [`ENTER`], and ends an unfinished frame.
pub const LEAVE: &[u8] =
    b"\x1b[?2026l\x1b[?2004l\x1b[?1006l\x1b[?1000l\x1b[m\x1b[?25h\x1b[?1049l\x1b[23;2t";

/// The number of bytes to read at a time. A long paste then arrives in a few pieces.
const CHUNK: usize = 64 * 1024;

/// The thread that draws on the terminal. `None` while the terminal is not taken over.
static DRAWN_BY: Mutex<Option<ThreadId>> = Mutex::new(None);

/// Messages of panics on other threads. They are printed when the terminal is given back.
static PANIC_MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Wakes the thread that reads the terminal. It then waits until [`EDITOR`] is released.
static WAKE: OnceLock<UnixStream> = OnceLock::new();

/// Held while an editor uses the terminal, so that no other thread reads its keys.
static EDITOR: Mutex<()> = Mutex::new(());

/// The reason why the terminal could not be taken over.
#[derive(Debug, thiserror::Error)]
pub enum TerminalError {
    /// Input or output is a file or a pipe.
    #[error(
        "the screen needs a terminal, but standard {0} is not one; `tableside --help` lists commands that work without it"
    )]
    NoTerminal(&'static str),
    /// A system call failed.
    #[error("cannot take over the terminal: {0}")]
    Refused(#[from] io::Error),
}

/// The terminal while it is taken over. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct LocalTerminal {
    out: File,
}

impl LocalTerminal {
    /// Takes over the terminal. A panic gives it back before it prints its message.
    pub fn enter() -> Result<Self, TerminalError> {
        require(io::stdin().is_terminal(), "input")?;
        require(io::stdout().is_terminal(), "output")?;

        let terminal = Self { out: output()? };
        restore_on_panic();
        terminal.resume()?;
        Ok(terminal)
    }

    /// Writes a frame in one piece.
    pub fn show(&mut self, frame: &[u8]) -> io::Result<()> {
        self.out.write_all(frame)
    }

    /// Gives back the terminal and stops the process, as Ctrl-Z does. Returns when the process continues.
    ///
    /// The process then gets `SIGCONT` as an [`Input::Signal`], and the caller calls [`LocalTerminal::resume`].
    pub fn suspend(&self) -> io::Result<()> {
        restore();
        low_level::raise(SIGSTOP)
    }

    /// Opens a text in the editor of the variables `VISUAL` or `EDITOR`, by default `vi`, and returns the edited text.
    /// The error is a message for the user.
    ///
    /// This gives back the terminal. The caller calls [`LocalTerminal::resume`] afterwards.
    pub fn write(&self, text: &str) -> Result<String, String> {
        let _editor_guard = EDITOR.lock();
        if let Some(mut wake) = WAKE.get() {
            // If the reading thread cannot be woken, it reads one chunk of the editor's keys.
            wake.write_all(b"!").unwrap_or_default();
        }
        restore();

        let editor = editor_command();
        edit_text(&editor, text)
            .map_err(|error| format!("{editor}: {error}; the note is unchanged"))
    }

    /// Takes over the terminal again. The caller then asks for its size and redraws the screen.
    pub fn resume(&self) -> io::Result<()> {
        let mut drawn_by = DRAWN_BY.lock();
        // The shell may have changed the modes of the terminal, so the modes saved earlier are outdated.
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

/// The columns and rows of the terminal, or 80×24 if it does not report them.
pub fn size() -> (u16, u16) {
    match raw::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns, rows),
        _ => (80, 24),
    }
}

/// True if the terminal was closed: its file reports `EIO`, and opening the terminal of the process reports `ENXIO`.
pub fn is_gone(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EIO | libc::ENXIO))
}

/// Gives back the terminal if it is taken over. Errors are ignored, because the program ends or continues anyway.
pub fn restore() {
    let mut drawn_by = DRAWN_BY.lock();
    if drawn_by.take().is_none() {
        return;
    }

    if let Ok(mut out) = output() {
        out.write_all(LEAVE).unwrap_or_default();
    }
    raw::disable_raw_mode().unwrap_or_default();
    for message in PANIC_MESSAGES.lock().drain(..) {
        writeln!(io::stderr(), "{message}").unwrap_or_default();
    }
}

/// Sets the panic hook. A panic on the drawing thread gives back the terminal. The message of a panic on another
/// thread, such as the thread of a player's connection, waits until the terminal is given back.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let drawing_thread = *DRAWN_BY.lock();
            let is_on_other_thread =
                drawing_thread.is_some_and(|drawer| drawer != thread::current().id());
            if is_on_other_thread {
                PANIC_MESSAGES.lock().push(info.to_string());
            } else {
                restore();
                default_hook(info);
            }
        }));
    });
}

/// Returns standard output without its buffer, which would write a frame line by line.
fn output() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

fn require(is_terminal: bool, stream: &'static str) -> Result<(), TerminalError> {
    if is_terminal {
        Ok(())
    } else {
        Err(TerminalError::NoTerminal(stream))
    }
}

/// True if the process was started by a shell with job control, which can continue a stopped process. Such a shell puts
/// the process into a process group of its own.
///
/// In a container the leader of the session may be outside. Its id is then 0, for which rustix panics, but nix does
/// not.
pub(crate) fn has_shell() -> bool {
    getsid(None).is_ok_and(|session| session != getpgrp())
}

fn editor_command() -> String {
    for variable in ["VISUAL", "EDITOR"] {
        if let Ok(command) = env::var(variable)
            && !command.trim().is_empty()
        {
            return command;
        }
    }
    "vi".to_owned()
}

/// Opens a temporary file with the text in the editor, and returns the contents of the file when the editor has exited.
fn edit_text(editor: &str, text: &str) -> io::Result<String> {
    let mut file = tempfile::Builder::new().suffix(".txt").tempfile()?;
    writeln!(file, "{text}")?;

    let script = format!("{editor} \"$1\"");
    let child = Command::new("sh")
        .args(["-c", &script, "sh"])
        .arg(file.path())
        .spawn()?;
    let id = Pid::from_child(&child);
    while let Some((_, status)) = waitpid(Some(id), WaitOptions::UNTRACED)? {
        if status.stopped() {
            // No shell would continue an editor that suspends itself.
            kill_process(id, Signal::CONT)?;
        } else if status.exit_status() == Some(0) {
            break;
        } else {
            return Err(io::Error::other("it failed"));
        }
    }
    std::fs::read_to_string(file.path())
}

/// Starts a thread that waits for bytes from the terminal, and one that waits for signals.
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
    let wake_receiver = install_wake();
    loop {
        if let Some(wake_receiver) = &wake_receiver
            && wait_for_bytes(&terminal, wake_receiver) == Waited::Interrupted
        {
            continue;
        }

        let input = match terminal.read(&mut chunk) {
            Ok(0) => Input::Closed,
            Ok(count) => Input::Bytes(chunk[..count].to_vec()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => Input::Closed,
        };
        let is_closed = matches!(input, Input::Closed);
        if inputs.send(input).is_err() || is_closed {
            return;
        }
    }
}

/// Creates the socket that wakes the reading thread. `None` if that fails, or if another thread reads the terminal.
fn install_wake() -> Option<UnixStream> {
    let (receiver, sender) = UnixStream::pair().ok()?;
    WAKE.set(sender).ok()?;
    Some(receiver)
}

/// The end of a wait for bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waited {
    /// The terminal has bytes.
    Ready,
    /// An editor or a signal interrupted the wait.
    Interrupted,
}

/// Waits until the terminal has bytes. If an editor wakes the thread, waits until the editor has exited.
fn wait_for_bytes(terminal: &File, wake_receiver: &UnixStream) -> Waited {
    let mut polled = [
        PollFd::from_borrowed_fd(wake_receiver.as_fd(), PollFlags::IN),
        PollFd::from_borrowed_fd(terminal.as_fd(), PollFlags::IN),
    ];
    if poll(&mut polled, None).is_err() {
        return Waited::Interrupted;
    }

    let is_woken = !polled[0].revents().is_empty();
    if !is_woken {
        return Waited::Ready;
    }
    let mut wake_receiver = wake_receiver;
    wake_receiver.read(&mut [0]).unwrap_or_default();
    drop(EDITOR.lock());
    Waited::Interrupted
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
            // The screen has ended, so the signal has its default effect.
            restore();
            low_level::emulate_default_handler(signal).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_refused_with_a_reason() {
        let refusal = require(false, "input").unwrap_err().to_string();
        assert!(refusal.contains("needs a terminal"), "{refusal}");
    }
}
