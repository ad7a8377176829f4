//! One screen over SSH: it takes input, draws, and sends each frame as one packet.

use std::sync::Arc;
use std::time::{Duration, Instant};

use russh::ChannelId;
use russh::server::Handle;
use tokio::task::{JoinHandle, yield_now};
use tokio::time::{sleep, timeout};

use super::admission::LoginStage;
use super::mailbox::{CloseReason, Inbox};
use super::state::{Guest, ServerState};
use crate::screen::color_depth::Depth;
use crate::screen::terminal::{ENTER, LEAVE};
use crate::screen::{Flow, Input, Job, JobResult, SavedState, Screen, Setup, Zone};

/// How long a frame may wait for a client that does not read.
const BACKLOG: Duration = Duration::from_secs(30);

/// How long the goodbye may wait.
const FAREWELL: Duration = Duration::from_secs(3);

/// How long a screen may work before other tasks get a turn.
const SLICE: Duration = Duration::from_millis(2);

/// Bytes handled between two looks at the clock: a few keys.
const PIECE: usize = 16;

/// What a screen begins with.
pub(super) struct Start {
    pub(super) state: Arc<ServerState>,
    pub(super) guest: Arc<Guest>,
    pub(super) inbox: Inbox,
    pub(super) handle: Handle,
    pub(super) channel: ChannelId,
    pub(super) term: String,
    pub(super) notices: Vec<String>,
}

/// Runs a screen until it closes; then restores the client's terminal and says why.
pub(super) async fn play(start: Start) {
    let (handle, channel) = (start.handle.clone(), start.channel);
    let (state, guest) = (Arc::clone(&start.state), Arc::clone(&start.guest));
    let course = &guest.place.course;
    let _showing = state.showing.subscribe();
    // A screen that panics ends alone, because it is a task.
    let (ended, kept) = match tokio::spawn(run_screen(start)).await {
        Ok((left, kept)) => (Ok(left), kept),
        Err(failed) => (Err(failed), None),
    };
    state.close_screen(&guest, kept);
    let (words, status) = match ended {
        Ok(None) => ("", 0),
        Ok(Some(CloseReason::Cut)) => {
            course.reach(LoginStage::Cut);
            return;
        }
        Ok(Some(CloseReason::Over)) => ("The table was closed.\r\n", 0),
        Ok(Some(CloseReason::Dismissed)) if guest.is_visitor => ("The GM sent you off.\r\n", 1),
        Ok(Some(CloseReason::Dismissed)) => ("Your seat was taken away.\r\n", 1),
        Ok(Some(CloseReason::Changed)) => ("Your seat was changed: join again.\r\n", 1),
        Err(_) => (
            "This screen failed, and only this one: the game goes on. Join again; a report is in the terminal of the table.\r\n",
            1,
        ),
    };
    let farewell = async {
        handle
            .data(channel, [LEAVE, words.as_bytes()].concat())
            .await
            .ok()?;
        handle.exit_status_request(channel, status).await.ok()?;
        handle.eof(channel).await.ok()?;
        handle.close(channel).await.ok()
    };
    if timeout(FAREWELL, farewell).await.is_err() {
        course.reach(LoginStage::Cut);
    }
    course.reach(LoginStage::Closed);
}

/// Returns why the screen closed, `None` if the person quit, and the state for the next screen of the seat.
async fn run_screen(mut start: Start) -> (Option<CloseReason>, Option<SavedState>) {
    let (state, guest) = (Arc::clone(&start.state), Arc::clone(&start.guest));
    let table = &state.table;
    let (kept, place) = match state.open_screen(&guest) {
        Ok(opened) => opened,
        Err(why) => return (Some(why), None),
    };
    let _sitting = table.sit(&guest.seat);
    let mut signals = *start.inbox.signals.borrow_and_update();
    let mut screen = Screen::new(Arc::clone(table), setup(&start), signals.size);
    match (kept, place) {
        (Some(kept), _) => screen.take_up(kept),
        (None, Some(place)) => screen.go_to(&place),
        (None, None) => {}
    }
    let told = Arc::clone(&guest);
    let _watching = table.watch(Box::new(move |_| told.mailbox.change()));
    let mut first = ENTER.to_vec();
    // Slow questions are worked out in the background, one batch at a time.
    let mut jobs = Vec::new();
    let mut working: Option<JoinHandle<Vec<JobResult>>> = None;
    let left = 'screen: loop {
        let frame = screen.frame();
        if !frame.is_empty() {
            let mut packet = std::mem::take(&mut first);
            packet.extend_from_slice(&frame);
            let sent = timeout(BACKLOG, start.handle.data(start.channel, packet)).await;
            if !matches!(sent, Ok(Ok(()))) {
                break Some(CloseReason::Cut);
            }
        }
        let patience = screen.patience(Instant::now());
        let inbox = &mut start.inbox;
        let mut inputs = Vec::new();
        let mut bytes = Vec::new();
        tokio::select! {
            biased;
            Some(results) = async { Some(working.as_mut()?.await) } => {
                working = None;
                // A job that panicked has no result.
                inputs.extend(results.unwrap_or_default().into_iter().map(Input::Learned));
            }
            _ = inbox.signals.changed() => {}
            Some(more) = inbox.typed.recv() => bytes = more,
            () = sleep(patience.unwrap_or_default()), if patience.is_some() => {
                inputs.push(Input::Silence);
            }
        }
        while let Ok(more) = inbox.typed.try_recv() {
            bytes.extend(more);
        }
        let before = std::mem::replace(&mut signals, *inbox.signals.borrow_and_update());
        if let Some(why) = signals.closed {
            break Some(why);
        }
        if signals.size != before.size {
            inputs.push(Input::Resize(signals.size.0, signals.size.1));
        }
        if signals.changes != before.changes {
            // The characters of a seat change as the game does.
            if !guest.is_visitor
                && let Some(seat) = state.seat(guest.seat.id)
            {
                screen.reseat(seat);
            }
            inputs.push(Input::Changed(table.revision()));
        }
        let pieces = bytes.chunks(PIECE);
        inputs.extend(pieces.map(|piece| Input::Bytes(piece.to_vec())));
        let mut since = Instant::now();
        for input in inputs {
            #[cfg(debug_assertions)]
            panic_if_told(&start, &input);
            screen.handle(input);
            match screen.take_flow() {
                Flow::Stay => {}
                // There is no shell to step out to, and no editor.
                Flow::Suspend | Flow::Resume | Flow::Write => screen.resume(screen.state().size()),
                Flow::Leave(_) => break 'screen None,
            }
            if since.elapsed() >= SLICE {
                yield_now().await;
                since = Instant::now();
            }
            let closed = start.inbox.signals.borrow().closed;
            if let Some(why) = closed {
                break 'screen Some(why);
            }
        }
        jobs.extend(std::iter::from_fn(|| screen.take_job()));
        if working.is_none() && !jobs.is_empty() {
            // Of each matter what was asked last.
            let jobs = std::mem::take(&mut jobs);
            working = Some(tokio::task::spawn_blocking(move || {
                let open = Job::still_open(jobs.into_iter());
                open.map(Job::answer).collect()
            }));
        }
        *guest.whereabouts.lock() = screen.place();
    };
    let is_kept = !guest.is_visitor;
    (left, is_kept.then(|| screen.keep(left.is_none())))
}

fn setup(start: &Start) -> Setup {
    let term = start.term.as_str();
    let lookup = |name: &str| (name == "TERM").then(|| term.to_owned());
    let plain = ["dumb", "ansi", "vt1", "vt2", "cons"];
    Setup {
        seat: start.guest.seat.clone(),
        depth: Depth::from_env(lookup),
        ascii: plain.iter().any(|prefix| term.starts_with(prefix)),
        zone: Zone::Local,
        data: None,
        serves: false,
        notices: start.notices.clone(),
        // Choices kept on this machine are the GM's.
        memory: None,
        ..start.state.opening.setup.clone()
    }
}

#[cfg(debug_assertions)]
fn panic_if_told(start: &Start, input: &Input) {
    let is_meant = start.state.opening.panic_seat.as_ref() == Some(&start.guest.seat.name);
    let told = matches!(input, Input::Bytes(bytes) if bytes.contains(&0x1c));
    assert!(!(is_meant && told), "told to panic");
}
