//! The loop of a screen: it draws a frame, waits for input and changes, and handles them.

use std::iter;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_blocking, yield_now};
use tokio::time::{sleep, timeout};

use super::{Departure, Start};
use crate::mailbox::{CloseReason, Signals};
use tableside_table::Table;
use tableside_tui::{Flow, Input, Job, JobResult, Screen};

/// How long a frame may wait for a client that does not read.
const BACKLOG: Duration = Duration::from_secs(30);

/// How long a screen may work before other tasks get a turn.
const SLICE: Duration = Duration::from_millis(2);

/// The bytes that are handled between two looks at the time: a few keys.
const PIECE: usize = 16;

/// Runs a screen of a client until the client leaves it.
pub(super) struct ScreenLoop<'a> {
    pub(super) start: &'a mut Start,
    pub(super) closing: &'a mut watch::Receiver<bool>,
    /// Bytes that are sent before the next frame.
    pub(super) first_bytes: &'a mut Vec<u8>,
    pub(super) screen: Screen,
}

/// A departed screen, and the reason.
pub(super) struct EndedScreen {
    pub(super) departure: Departure,
    pub(super) screen: Screen,
}

/// The state between two frames.
struct LoopState {
    /// The signals that the screen handles.
    signals: Signals,
    /// The time at which the oldest input arrived that no frame shows yet.
    typed_at: Option<Instant>,
    background: BackgroundJobs,
}

/// Slow questions of a screen, which are answered one batch at a time.
#[derive(Default)]
struct BackgroundJobs {
    waiting: Vec<Job>,
    running: Option<JoinHandle<Vec<JobResult>>>,
}

/// The results of a wait.
#[derive(Default)]
struct Arrived {
    bytes: Vec<u8>,
    job_results: Vec<JobResult>,
}

impl ScreenLoop<'_> {
    /// Runs the screen. `refresh` is called when the table has changed, and at the end.
    pub(super) async fn run(
        mut self,
        table: &Arc<Table>,
        mut refresh: impl FnMut(&mut Screen),
    ) -> EndedScreen {
        let mut state = LoopState {
            signals: *self.start.inbox.signals.borrow_and_update(),
            typed_at: None,
            background: BackgroundJobs::default(),
        };
        let mailbox = Arc::clone(&self.start.mailbox);
        let _watching = table.watch(Box::new(move |_| mailbox.change()));

        let departure = loop {
            if let ControlFlow::Break(departure) = self.step(&mut state, &mut refresh).await {
                break departure;
            }
        };

        refresh(&mut self.screen);
        EndedScreen {
            departure,
            screen: self.screen,
        }
    }

    async fn step(
        &mut self,
        state: &mut LoopState,
        refresh: &mut impl FnMut(&mut Screen),
    ) -> ControlFlow<Departure> {
        self.send_frame(state).await?;
        let arrived = self.wait(state).await?;
        let inputs = self.collect_inputs(arrived, state, refresh)?;
        self.handle_inputs(inputs).await?;
        state.background.start_jobs(&mut self.screen);
        ControlFlow::Continue(())
    }

    /// Sends the next frame in one packet, and counts how long the input and the change waited for it.
    async fn send_frame(&mut self, state: &mut LoopState) -> ControlFlow<Departure> {
        let changed_at = self.start.mailbox.shows();
        let typed_at = state.typed_at.take();
        let frame = self.screen.frame();
        if frame.is_empty() {
            return ControlFlow::Continue(());
        }

        let mut packet = mem::take(self.first_bytes);
        packet.extend_from_slice(&frame);
        let sending = self.start.handle.data(self.start.channel, packet);
        if !matches!(timeout(BACKLOG, sending).await, Ok(Ok(()))) {
            return ControlFlow::Break(Departure::Closed(CloseReason::Cut));
        }

        let [latency_of_keys, latency_of_changes] = &self.start.door.shared.latency;
        if let Some(typed_at) = typed_at {
            latency_of_keys.count(typed_at.elapsed());
        }
        if let Some(changed_at) = changed_at {
            latency_of_changes.count(changed_at.elapsed());
        }
        ControlFlow::Continue(())
    }

    /// Waits for input, a signal, the results of jobs, or the end of the screen's patience.
    async fn wait(&mut self, state: &mut LoopState) -> ControlFlow<Departure, Arrived> {
        let patience = self.screen.patience(Instant::now());
        let inbox = &mut self.start.inbox;
        let running = &mut state.background.running;
        let mut arrived = Arrived::default();

        tokio::select! {
            biased;
            Some(results) = async { Some(running.as_mut()?.await) } => {
                *running = None;
                // A job that panicked has no result.
                arrived.job_results = results.unwrap_or_default();
            }
            _ = inbox.signals.changed() => {}
            _ = self.closing.wait_for(|closing| *closing) => {
                return ControlFlow::Break(Departure::Closed(CloseReason::Over));
            }
            Some((typed_at, bytes)) = inbox.typed.recv() => {
                state.typed_at.get_or_insert(typed_at);
                arrived.bytes.extend(bytes);
            }
            () = sleep(patience.unwrap_or_default()), if patience.is_some() => {}
        }
        while let Ok((typed_at, bytes)) = inbox.typed.try_recv() {
            state.typed_at.get_or_insert(typed_at);
            arrived.bytes.extend(bytes);
        }

        ControlFlow::Continue(arrived)
    }

    /// Returns the inputs for the screen, in the order in which it handles them.
    fn collect_inputs(
        &mut self,
        arrived: Arrived,
        state: &mut LoopState,
        refresh: &mut impl FnMut(&mut Screen),
    ) -> ControlFlow<Departure, Vec<Input>> {
        let signals = *self.start.inbox.signals.borrow_and_update();
        let signals_before = mem::replace(&mut state.signals, signals);
        if let Some(reason) = signals.closed {
            return ControlFlow::Break(Departure::Closed(reason));
        }

        let mut inputs: Vec<Input> = arrived
            .job_results
            .into_iter()
            .map(Input::JobDone)
            .collect();
        if signals.size != signals_before.size {
            let (columns, rows) = signals.size;
            inputs.push(Input::Resize(columns, rows));
        }
        if signals.changes != signals_before.changes {
            refresh(&mut self.screen);
            inputs.push(Input::Changed);
        }
        // Changes of the table may come so fast that the wait never ends in silence.
        if arrived.bytes.is_empty() && self.screen.is_silence_due(Instant::now()) {
            inputs.push(Input::Silence);
        }
        for piece in arrived.bytes.chunks(PIECE) {
            inputs.push(Input::Bytes(piece.to_vec()));
        }
        ControlFlow::Continue(inputs)
    }

    /// Lets the screen handle inputs. Other tasks get a turn between them.
    async fn handle_inputs(&mut self, inputs: Vec<Input>) -> ControlFlow<Departure> {
        let mut working_since = Instant::now();
        for input in inputs {
            #[cfg(debug_assertions)]
            panic_if_told(self.start, &input);
            self.screen.handle(input);
            self.follow_flow()?;

            if working_since.elapsed() >= SLICE {
                yield_now().await;
                working_since = Instant::now();
            }
            let closed = self.start.inbox.signals.borrow().closed;
            if let Some(reason) = closed {
                return ControlFlow::Break(Departure::Closed(reason));
            }
        }
        ControlFlow::Continue(())
    }

    /// Does what the screen asks of its terminal.
    fn follow_flow(&mut self) -> ControlFlow<Departure> {
        match self.screen.take_flow() {
            Flow::Stay => ControlFlow::Continue(()),
            // Over SSH there is no shell to suspend to, and no editor.
            Flow::Suspend | Flow::Resume | Flow::Write => {
                let size = self.screen.state().size();
                self.screen.resume(size);
                ControlFlow::Continue(())
            }
            Flow::Leave(reason) => {
                let departure = match self.screen.take_picked() {
                    Some(game) => Departure::ToGame(game),
                    None => Departure::Left(reason),
                };
                ControlFlow::Break(departure)
            }
        }
    }
}

impl BackgroundJobs {
    /// Takes the jobs of the screen, and starts a batch unless one is running.
    fn start_jobs(&mut self, screen: &mut Screen) {
        self.waiting.extend(iter::from_fn(|| screen.take_job()));
        if self.running.is_some() || self.waiting.is_empty() {
            return;
        }

        let jobs = mem::take(&mut self.waiting);
        self.running = Some(spawn_blocking(move || {
            // Newer questions replace older ones of the same kind.
            Job::newest_of_each_kind(jobs.into_iter())
                .map(Job::answer)
                .collect()
        }));
    }
}

#[cfg(debug_assertions)]
fn panic_if_told(start: &Start, input: &Input) {
    let is_meant = start.door.opening.panic_seat.as_ref() == Some(&start.arrival.name);
    let is_told = matches!(input, Input::Bytes(bytes) if bytes.contains(&0x1c));
    assert!(!(is_meant && is_told), "told to panic");
}
