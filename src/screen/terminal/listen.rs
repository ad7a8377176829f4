//! The two threads that hear the terminal: one waits for bytes, one for signals. Neither polls.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::thread;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

/// Room for a long paste in few pieces.
const CHUNK: usize = 64 * 1024;

/// Something that the terminal said, or somebody about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Bytes for the [parser](crate::screen::input::Parser).
    Bytes(Vec<u8>),
    /// The new columns and rows.
    Resize(u16, u16),
    /// `SIGTERM`, `SIGHUP`, `SIGINT` or `SIGQUIT` (leave), `SIGTSTP` (suspend) or `SIGCONT` (resume).
    Signal(i32),
    /// No more bytes will come.
    InputClosed,
}

/// Starts both threads. Each tells what it hears to `tell`, until that answers that nobody listens.
pub fn listen(tell: impl Fn(Heard) -> bool + Clone + Send + 'static) -> io::Result<()> {
    let input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let signals = Signals::new([SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])?;
    let tell_bytes = tell.clone();
    thread::Builder::new()
        .name("input".into())
        .spawn(move || hear_bytes(input, tell_bytes))?;
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || hear_signals(signals, tell))?;
    Ok(())
}

fn hear_bytes(mut input: File, tell: impl Fn(Heard) -> bool) {
    let mut chunk = vec![0; CHUNK];
    loop {
        let heard = match input.read(&mut chunk) {
            Ok(0) => Heard::InputClosed,
            Ok(count) => Heard::Bytes(chunk.iter().take(count).copied().collect()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => Heard::InputClosed,
        };
        let closed = heard == Heard::InputClosed;
        if !tell(heard) || closed {
            return;
        }
    }
}

fn hear_signals(mut signals: Signals, tell: impl Fn(Heard) -> bool) {
    for signal in signals.forever() {
        let heard = if signal == SIGWINCH {
            let (columns, rows) = super::size();
            Heard::Resize(columns, rows)
        } else {
            Heard::Signal(signal)
        };
        if !tell(heard) {
            // Nobody listens any more, so the signal does what it always does.
            super::restore();
            low_level::emulate_default_handler(signal).unwrap_or_default();
        }
    }
}
