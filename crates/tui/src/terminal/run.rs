//! The event loop for the terminal of this machine. It sleeps until an input arrives.

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

/// How long the program waits at the end until all events are saved.
const SAVING_LIMIT: Duration = Duration::from_secs(5);

/// The reason why the screen could not run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The terminal could not be taken over.
    #[error(transparent)]
    Terminal(#[from] TerminalError),
    /// Writing to the terminal failed.
    #[error("cannot write to the terminal: {0}")]
    Output(#[from] io::Error),
}

/// The result of a run that has ended.
#[derive(Debug)]
pub struct Ended {
    /// The reason why the screen ended.
    pub why: ExitReason,
    /// The reason why the last events could not be saved. `None` if everything is saved.
    pub unsaved: Option<StoreError>,
}

/// The channel of all inputs of this process.
///
/// Two threads that read the terminal would take keys from each other. Therefore one thread reads for the whole
/// process, and each screen continues with the same channel.
struct Inputs {
    sender: Sender<Input>,
    receiver: Mutex<Receiver<Input>>,
}

static INPUTS: LazyLock<io::Result<Inputs>> = LazyLock::new(|| {
    let (sender, receiver) = mpsc::channel();
    local::listen(sender.clone())?;
    Ok(Inputs {
        sender,
        receiver: Mutex::new(receiver),
    })
});

fn inputs() -> io::Result<&'static Inputs> {
    match INPUTS.as_ref() {
        Ok(inputs) => Ok(inputs),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

/// Shows the table until the user leaves. All events are saved afterwards, unless [`Ended::unsaved`] reports an error.
pub fn run(table: &Arc<Table>, setup: Setup) -> Result<Ended, RunError> {
    let mut terminal = LocalTerminal::enter()?;
    let inputs = inputs()?;
    let mut screen = Screen::new(Arc::clone(table), setup, local::size());
    terminal.show(&screen.frame())?;

    let _sitting = table.sit(screen.seat());
    let _watching = watch_table(table, inputs.sender.clone());
    table.accept_requests(handle_request);
    // The table may have changed before it was watched.
    screen.handle(Input::Changed);
    let result = event_loop(&mut screen, &mut terminal, inputs);

    // Later requests of other processes find the game closed and open it themselves.
    table.retire();
    let unsaved = table.flush(SAVING_LIMIT).err();
    drop(terminal);
    let why = exit_reason(result)?;
    Ok(Ended { why, unsaved })
}

/// Shows the list of games with the cursor on one of them, and returns the game that the user picked, or the reason why
/// the user left without a game. The table is not visible.
pub fn pick(
    table: &Arc<Table>,
    library: Arc<dyn Library>,
    selected: Option<&str>,
    setup: Setup,
) -> Result<Result<String, ExitReason>, RunError> {
    let mut terminal = LocalTerminal::enter()?;
    let table = Arc::clone(table);
    let mut screen = Screen::picking(table, library, selected, setup, local::size());
    let result = event_loop(&mut screen, &mut terminal, inputs()?);
    let reason = exit_reason(result)?;
    Ok(screen.take_picked().ok_or(reason))
}

/// Returns the reason why a screen ended. A closed terminal is a reason, and not an error.
fn exit_reason(result: Result<ExitReason, RunError>) -> Result<ExitReason, RunError> {
    match result {
        Err(RunError::Output(error)) if local::is_gone(&error) => Ok(ExitReason::InputClosed),
        result => result,
    }
}

/// Handles inputs and draws frames until the screen ends. All inputs that have arrived share the next frame.
fn event_loop(
    screen: &mut Screen,
    terminal: &mut LocalTerminal,
    inputs: &Inputs,
) -> Result<ExitReason, RunError> {
    let receiver = inputs.receiver.lock();
    let mut job_thread = JobThread {
        jobs: None,
        results: inputs.sender.clone(),
    };
    loop {
        terminal.show(&screen.frame())?;
        handle_inputs(screen, &receiver);
        while let Some(job) = screen.take_job() {
            job_thread.start(job)?;
        }
        match screen.take_flow() {
            Flow::Stay => {}
            Flow::Suspend => terminal.suspend()?,
            Flow::Resume => {
                terminal.resume()?;
                screen.resume(local::size());
            }
            Flow::Write => open_editor(screen, terminal, &receiver)?,
            Flow::Leave(reason) => return Ok(reason),
        }
    }
}

/// Waits for an input, and handles it and all others that have arrived.
fn handle_inputs(screen: &mut Screen, receiver: &Receiver<Input>) {
    let patience = screen.patience(Instant::now());
    screen.handle(next_input(receiver, patience));

    // Keys after the choice of a game are for the screen of that game.
    while !screen.is_leaving()
        && let Ok(input) = receiver.try_recv()
    {
        screen.handle(input);
    }

    // Other inputs may arrive so fast that the wait for bytes never ends in silence.
    if screen.is_silence_due(Instant::now()) {
        screen.handle(Input::Silence);
    }
}

/// Opens a text of the screen in the user's editor.
fn open_editor(
    screen: &mut Screen,
    terminal: &LocalTerminal,
    receiver: &Receiver<Input>,
) -> Result<(), RunError> {
    let written = terminal.write(&screen.take_text_to_edit());
    for input in receiver.try_iter() {
        // Signals of the keyboard were meant for the editor.
        if !matches!(input, Input::Signal(SIGTSTP | SIGINT | SIGQUIT)) {
            screen.handle(input);
        }
    }

    terminal.resume()?;
    screen.resume(local::size());
    screen.take_written(written);
    Ok(())
}

/// The background thread for jobs. The first job starts it.
struct JobThread {
    jobs: Option<Sender<Job>>,
    results: Sender<Input>,
}

impl JobThread {
    /// Passes a job to the thread.
    fn start(&mut self, job: Job) -> io::Result<()> {
        let jobs = match &self.jobs {
            Some(jobs) => jobs,
            None => self.jobs.insert(spawn_job_thread(self.results.clone())?),
        };
        // If the thread has ended, the job is dropped.
        jobs.send(job).unwrap_or_default();
        Ok(())
    }
}

/// Spawns a thread that runs the jobs it receives. Of the waiting jobs of a kind, it runs only the newest.
fn spawn_job_thread(results: Sender<Input>) -> io::Result<Sender<Job>> {
    let (jobs, waiting) = mpsc::channel::<Job>();
    thread::Builder::new()
        .name("jobs".into())
        .spawn(move || run_jobs(&waiting, &results))?;
    Ok(jobs)
}

fn run_jobs(waiting: &Receiver<Job>, results: &Sender<Input>) {
    while let Ok(first) = waiting.recv() {
        let jobs = iter::once(first).chain(waiting.try_iter());
        for job in Job::newest_of_each_kind(jobs) {
            if results.send(Input::JobDone(job.answer())).is_err() {
                return;
            }
        }
    }
}

/// Waits for the next input. Returns [`Input::Silence`] if none arrives in time.
fn next_input(receiver: &Receiver<Input>, patience: Option<Duration>) -> Input {
    match patience {
        None => receiver.recv().unwrap_or(Input::Closed),
        Some(patience) => match receiver.recv_timeout(patience) {
            Ok(input) => input,
            Err(RecvTimeoutError::Timeout) => Input::Silence,
            Err(RecvTimeoutError::Disconnected) => Input::Closed,
        },
    }
}

fn watch_table(table: &Arc<Table>, inputs: Sender<Input>) -> Watching {
    table.watch(Box::new(move |change| {
        let input = match change {
            TableChange::Changed => Input::Changed,
            TableChange::Saving => Input::Saving,
        };
        // A closed screen needs no updates.
        inputs.send(input).unwrap_or_default();
    }))
}

/// Panics if the variable `TABLESIDE_PANIC` names this place. Tests use it to check that the terminal is given back.
#[cfg(debug_assertions)]
pub(crate) fn panic_if_told(place: &str) {
    let is_requested = std::env::var("TABLESIDE_PANIC").is_ok_and(|requested| requested == place);
    assert!(!is_requested, "told to panic in {place}");
}
