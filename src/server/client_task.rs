//! One screen of somebody who joined: it hears, draws, and sends whole frames, one packet each.

use std::future::{Future as _, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use russh::ChannelId;
use russh::keys::PublicKey;
use russh::server::Handle;
use tokio::task::yield_now;
use tokio::time::timeout;

use super::admission::{Place, Progress};
use super::mailbox::{CloseReason, Mailbox};
use super::state::ServerState;
use crate::screen::color_depth::Depth;
use crate::screen::terminal::{ENTER, LEAVE};
use crate::screen::{Flow, Input, Job, SavedState, Screen, Setup, Zone};
use crate::table::Seat;

/// How long a frame may wait for somebody who does not read.
const BACKLOG: Duration = Duration::from_secs(30);

/// How long the last words may.
const FAREWELL: Duration = Duration::from_secs(3);

/// So long a screen works at a stretch, before others have their turn.
const SLICE: Duration = Duration::from_millis(2);

/// So many bytes are heard at once: a few keys.
const PIECE: usize = 16;

/// What a screen begins with.
pub(super) struct Start {
    pub(super) state: Arc<ServerState>,
    pub(super) seat: Seat,
    pub(super) place: Arc<Place>,
    /// Whether it watches without a seat.
    pub(super) is_visitor: bool,
    /// The key that opened the seat.
    pub(super) key: Option<PublicKey>,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) handle: Handle,
    pub(super) channel: ChannelId,
    pub(super) term: String,
    pub(super) size: (u16, u16),
    pub(super) notices: Vec<String>,
}

/// Why a screen closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// The person wanted to.
    Quit,
    /// The far end or the table did.
    CloseReason(CloseReason),
    /// Nobody reads at the far end.
    Unread,
}

/// Shows a screen until it closes; then the far end's terminal is given back, with a word.
pub(super) async fn play(start: Start) {
    let (handle, channel) = (start.handle.clone(), start.channel);
    let course = start.place.course.clone();
    let _showing = start.state.show();
    let is_visitor = start.is_visitor;
    // A screen that panics ends alone: the task is its own.
    let left = tokio::spawn(attend(start)).await;
    let (words, status) = match left {
        Ok(Left::Quit) => ("", 0),
        Ok(Left::CloseReason(CloseReason::Cut) | Left::Unread) => {
            course.reach(Progress::Cut);
            return;
        }
        Ok(Left::CloseReason(CloseReason::Over)) => ("The table was closed.\r\n", 0),
        Ok(Left::CloseReason(CloseReason::Dismissed)) if is_visitor => {
            ("The GM sent you off.\r\n", 1)
        }
        Ok(Left::CloseReason(CloseReason::Dismissed)) => ("Your seat was taken away.\r\n", 1),
        Ok(Left::CloseReason(CloseReason::Changed)) => {
            ("Your seat was changed: join again.\r\n", 1)
        }
        Err(_) => (
            "This screen failed, and only this one: the game goes on. Join again; a report for whoever runs the table is in its terminal.\r\n",
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
        course.reach(Progress::Cut);
    }
    course.reach(Progress::Closed);
}

async fn attend(start: Start) -> Left {
    let Start {
        state,
        seat,
        mailbox,
        handle,
        channel,
        ..
    } = &start;
    let table = &state.table;
    let (number, kept, place) = match state.open_screen(&start) {
        Ok(opened) => opened,
        Err(why) => return Left::CloseReason(why),
    };
    let sitting = table.sit(seat);
    // Whatever happens, the screen is closed.
    let mut closing = Closing {
        state: Arc::clone(state),
        number,
        kept: None,
    };
    let mut screen = Screen::new(Arc::clone(table), setup(&start), start.size);
    match (kept, place) {
        (Some(kept), _) => screen.take_up(kept),
        (None, Some(place)) => screen.go_to(&place),
        (None, None) => {}
    }
    let told = Arc::clone(mailbox);
    let _watching = table.watch(Box::new(move |_| told.change()));
    let mut first = ENTER.to_vec();
    let mut wonders = Vec::new();
    let left = 'screen: loop {
        let frame = screen.frame();
        if !frame.is_empty() {
            let mut packet = std::mem::take(&mut first);
            packet.extend_from_slice(&frame);
            if let Err(why) = send(handle, *channel, packet).await {
                break why;
            }
        }
        match screen.patience(Instant::now()) {
            None => mailbox.listen().await,
            Some(patience) => {
                if timeout(patience, mailbox.listen()).await.is_err() {
                    screen.hear(Input::Silence);
                }
            }
        }
        let (inputs, closed) = mailbox.take(|| table.revision());
        if let Some(why) = closed {
            break Left::CloseReason(why);
        }
        let mut since = Instant::now();
        for input in inputs.into_iter().flat_map(in_pieces) {
            #[cfg(debug_assertions)]
            panic_if_told(&start, &input);
            if let Input::Changed(_) = input {
                reseat(&mut screen, &start);
                screen.hear(Input::Saving);
            }
            screen.hear(input);
            match screen.take_wish() {
                Flow::Stay => {}
                // There is no shell to step out to.
                Flow::Suspend | Flow::Resume => screen.resume(screen.state().size()),
                Flow::Leave(_) => break 'screen Left::Quit,
            }
            if since.elapsed() >= SLICE {
                yield_now().await;
                since = Instant::now();
            }
            if let Some(why) = mailbox.closed() {
                break 'screen Left::CloseReason(why);
            }
        }
        wonders.extend(std::iter::from_fn(|| screen.take_wonder()));
        if !wonders.is_empty() && mailbox.may_think() {
            think(std::mem::take(&mut wonders), mailbox);
        }
        state.note_place(number, screen.place());
    };
    if !start.is_visitor {
        closing.kept = Some(screen.keep(left == Left::Quit));
    }
    drop(sitting);
    left
}

/// What came, in pieces of which each takes a moment.
fn in_pieces(input: Input) -> Vec<Input> {
    match input {
        Input::Bytes(bytes) => {
            let pieces = bytes.chunks(PIECE);
            pieces.map(|piece| Input::Bytes(piece.to_vec())).collect()
        }
        input => vec![input],
    }
}

/// Works out beside the screen what takes too long for a key: of each matter what was asked last.
fn think(wonders: Vec<Job>, mailbox: &Arc<Mailbox>) {
    let mailbox = Arc::clone(mailbox);
    drop(tokio::task::spawn_blocking(move || {
        let open = Job::still_open(wonders.into_iter());
        mailbox.learn(open.map(Job::answer).collect());
    }));
}

/// Hands a frame to the connection.
async fn send(handle: &Handle, channel: ChannelId, packet: Vec<u8>) -> Result<(), Left> {
    let mut sending = pin!(handle.data(channel, packet));
    // As a rule there is room for it, and no clock has to be set.
    let at_once = poll_fn(|context| Poll::Ready(sending.as_mut().poll(context))).await;
    let sent = match at_once {
        Poll::Ready(sent) => sent,
        Poll::Pending => timeout(BACKLOG, sending)
            .await
            .map_err(|_too_long| Left::Unread)?,
    };
    sent.map_err(|_gone| Left::CloseReason(CloseReason::Cut))
}

/// The characters of a seat change as the game does.
fn reseat(screen: &mut Screen, start: &Start) {
    if !start.is_visitor
        && let Some(seat) = start.state.seat(start.seat.id)
    {
        screen.reseat(seat);
    }
}

struct Closing {
    state: Arc<ServerState>,
    number: u64,
    kept: Option<SavedState>,
}

impl Drop for Closing {
    fn drop(&mut self) {
        self.state.close_screen(self.number, self.kept.take());
    }
}

/// What the screen of somebody who joined brings along.
fn setup(start: &Start) -> Setup {
    let term = start.term.as_str();
    let lookup = |name: &str| (name == "TERM").then(|| term.to_owned());
    let plain = ["dumb", "ansi", "vt1", "vt2", "cons"];
    Setup {
        seat: start.seat.clone(),
        depth: Depth::from_env(lookup),
        ascii: plain.iter().any(|prefix| term.starts_with(prefix)),
        zone: Zone::Local,
        data: None,
        serves: false,
        notices: start.notices.clone(),
        // What the GM keeps on this machine is the GM's.
        memory: None,
        ..start.state.setup.clone()
    }
}

#[cfg(debug_assertions)]
fn panic_if_told(start: &Start, input: &Input) {
    let is_meant = start.state.panic_seat.as_ref() == Some(&start.seat.name);
    let told = matches!(input, Input::Bytes(bytes) if bytes.contains(&0x1c));
    assert!(!(is_meant && told), "told to panic");
}
