//! The screen at this machine's terminal: one loop on one receiver, which sleeps until something comes.

use std::io;
use std::iter;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use signal_hook::consts::{SIGINT, SIGQUIT, SIGTSTP};
use thiserror::Error;

use crate::app::background::Job;
use crate::app::setup::Setup;
use crate::terminal::input::{ExitReason, Flow, Input};
use crate::terminal::local::{self, LocalTerminal, TerminalError};
use crate::{Library, Screen};
use tableside_commands::handle_request;
use tableside_store::StoreError;
use tableside_table::{Table, TableChange, Watching};

/// How long the end waits for the disk.
const PATIENCE: Duration = Duration::from_secs(5);

/// Why the screen could not run.
#[derive(Debug, Error)]
pub enum RunError {
    /// There is no terminal, or it refused.
    #[error(transparent)]
    Terminal(#[from] TerminalError),
    /// The terminal stopped listening.
    #[error("cannot write to the terminal: {0}")]
    Output(#[from] io::Error),
}

/// How a run ended.
#[derive(Debug)]
pub struct Ended {
    /// Why.
    pub why: ExitReason,
    /// What could not be brought to the disk, and why.
    pub unsaved: Option<StoreError>,
}

/// What the terminal says, and where it is heard. One thread of a process reads the terminal, for a second one
/// would take keys from it: it outlives a screen, and the next one goes on with it.
struct Inputs {
    to: Sender<Input>,
    waiting: Mutex<Receiver<Input>>,
}

static INPUTS: LazyLock<io::Result<Inputs>> = LazyLock::new(|| {
    let (to, waiting) = mpsc::channel();
    local::listen(to.clone())?;
    let waiting = Mutex::new(waiting);
    Ok(Inputs { to, waiting })
});

fn inputs() -> io::Result<&'static Inputs> {
    let inputs = INPUTS.as_ref();
    inputs.map_err(|error| io::Error::new(error.kind(), error.to_string()))
}

/// Shows the table at this terminal until the person leaves it; then everything is on the disk, or
/// the end says what is not.
pub fn run(table: &Arc<Table>, setup: Setup) -> Result<Ended, RunError> {
    let mut terminal = LocalTerminal::enter()?;
    let inputs = inputs()?;
    let mut screen = Screen::new(Arc::clone(table), setup, local::size());
    terminal.show(&screen.frame())?;
    let _sitting = table.sit(screen.seat());
    let _watching = watch_table(table, inputs.to.clone());
    table.accept_requests(handle_request);
    // Somebody may have done something while nobody told us.
    screen.handle(Input::Changed);
    let shown = event_loop(&mut screen, &mut terminal, inputs);
    // What is handed in from now on finds the game closed, and opens it itself.
    table.retire();
    let unsaved = table.flush(PATIENCE).err();
    drop(terminal);
    let why = reason(shown)?;
    Ok(Ended { why, unsaved })
}

/// Lets the person pick a game from a list, coming from one of them; or says why none was. Nothing is seen of the
/// table.
pub fn pick(
    table: &Arc<Table>,
    games: (Arc<dyn Library>, Option<&str>),
    setup: Setup,
) -> Result<Result<String, ExitReason>, RunError> {
    let mut terminal = LocalTerminal::enter()?;
    let mut screen = Screen::picking(Arc::clone(table), games, setup, local::size());
    let why = reason(event_loop(&mut screen, &mut terminal, inputs()?))?;
    Ok(screen.take_picked().ok_or(why))
}

/// Why a screen was left; a terminal that is gone is one reason.
fn reason(shown: Result<ExitReason, RunError>) -> Result<ExitReason, RunError> {
    match shown {
        Err(RunError::Output(error)) if local::is_gone(&error) => Ok(ExitReason::InputClosed),
        shown => shown,
    }
}

/// Hears and draws until the screen leaves: once for all that came meanwhile, and not at all if
/// nothing changed.
fn event_loop(
    screen: &mut Screen,
    terminal: &mut LocalTerminal,
    inputs: &Inputs,
) -> Result<ExitReason, RunError> {
    let waiting = inputs.waiting.lock();
    let mut beside = None;
    loop {
        terminal.show(&screen.frame())?;
        screen.handle(next(&waiting, screen.patience(Instant::now())));
        // What is typed after a game was picked is meant for its screen.
        while !screen.is_leaving()
            && let Ok(input) = waiting.try_recv()
        {
            screen.handle(input);
        }
        // All bytes that came were handled. Other inputs may come so fast that the wait above never ends in silence.
        if screen.is_silence_due(Instant::now()) {
            screen.handle(Input::Silence);
        }
        while let Some(job) = screen.take_job() {
            let beside = match &beside {
                Some(beside) => beside,
                None => beside.insert(start_job_thread(inputs.to.clone())?),
            };
            // Where the thread has ended, the job is dropped.
            beside.send(job).unwrap_or_default();
        }
        match screen.take_flow() {
            Flow::Stay => {}
            Flow::Suspend => terminal.suspend()?,
            Flow::Resume => {
                terminal.resume()?;
                screen.resume(local::size());
            }
            Flow::Write => {
                let written = terminal.write(&screen.take_text_to_edit());
                // What the keyboard said of it was meant for the editor.
                for input in waiting.try_iter() {
                    if !matches!(input, Input::Signal(SIGTSTP | SIGINT | SIGQUIT)) {
                        screen.handle(input);
                    }
                }
                terminal.resume()?;
                screen.resume(local::size());
                screen.take_written(written);
            }
            Flow::Leave(why) => return Ok(why),
        }
    }
}

/// Starts a thread that works out what takes too long for a key; of questions that wait it takes the
/// last about each matter alone.
fn start_job_thread(inputs: Sender<Input>) -> io::Result<Sender<Job>> {
    let (questions, waiting) = mpsc::channel::<Job>();
    thread::Builder::new().name("jobs".into()).spawn(move || {
        while let Ok(first) = waiting.recv() {
            for job in Job::newest_of_each_kind(iter::once(first).chain(waiting.try_iter())) {
                if inputs.send(Input::JobDone(job.answer())).is_err() {
                    return;
                }
            }
        }
    })?;
    Ok(questions)
}

/// What comes next; [`Input::Silence`] where nothing does in time.
fn next(waiting: &Receiver<Input>, patience: Option<Duration>) -> Input {
    match patience {
        None => waiting.recv().unwrap_or(Input::Closed),
        Some(patience) => match waiting.recv_timeout(patience) {
            Ok(input) => input,
            Err(RecvTimeoutError::Timeout) => Input::Silence,
            Err(RecvTimeoutError::Disconnected) => Input::Closed,
        },
    }
}

fn watch_table(table: &Arc<Table>, inputs: Sender<Input>) -> Watching {
    // A screen that has closed needs no news.
    table.watch(Box::new(move |news| {
        let input = match news {
            TableChange::Changed => Input::Changed,
            TableChange::Saving => Input::Saving,
        };
        inputs.send(input).unwrap_or_default();
    }))
}

/// Panics where a test says so, to see that the terminal is given back: `TABLESIDE_PANIC=draw`.
#[cfg(debug_assertions)]
pub(crate) fn panic_if_told(place: &str) {
    let told = std::env::var("TABLESIDE_PANIC").is_ok_and(|told| told == place);
    assert!(!told, "told to panic in {place}");
}
