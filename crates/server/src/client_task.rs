//! What one person sees over SSH: the lobby, a table, or one after the other. It takes input, draws, and sends each
//! frame as one packet.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use russh::ChannelId;
use russh::keys::PublicKey;
use russh::server::Handle;
use tokio::sync::watch;
use tokio::task::{JoinHandle, spawn_blocking, yield_now};
use tokio::time::{sleep, timeout};

use super::access::SeatEntry;
use super::admission::{ConnectionSlot, LoginStage};
use super::door::{Behind, Door, Goal};
use super::game::{Guest, HostedGame};
use super::lobby::Lobby;
use super::mailbox::{CloseReason, Inbox, Mailbox};
use tableside_table::{Seat, Table};
use tableside_tui::terminal::color_depth::Depth;
use tableside_tui::terminal::{ENTER, LEAVE};
use tableside_tui::{ExitReason, Flow, Input, Job, JobResult, SavedState, Screen, Setup, Zone};

/// How long a frame may wait for a client that does not read.
const BACKLOG: Duration = Duration::from_secs(30);

/// How long the goodbye may wait.
const FAREWELL: Duration = Duration::from_secs(3);

/// How long a screen may work before other tasks get a turn.
const SLICE: Duration = Duration::from_millis(2);

/// Bytes handled between two looks at the clock: a few keys.
const PIECE: usize = 16;

/// Who has come in.
#[derive(Clone)]
pub(super) struct Arrival {
    pub(super) name: String,
    /// The seat, or in a lobby whoever the person is in the host.
    pub(super) seat: Option<SeatEntry>,
    /// Whether the person watches without a seat.
    pub(super) is_visitor: bool,
    /// The key that proved it.
    pub(super) key: Option<PublicKey>,
}

/// What a screen begins with.
pub(super) struct Start {
    pub(super) door: Arc<Door>,
    pub(super) goal: Goal,
    pub(super) arrival: Arrival,
    pub(super) slot: Arc<ConnectionSlot>,
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) inbox: Inbox,
    pub(super) handle: Handle,
    pub(super) channel: ChannelId,
    pub(super) term: String,
    pub(super) notices: Vec<String>,
}

/// Why somebody sees a screen no more.
enum Left {
    /// It was closed.
    Closed(CloseReason),
    /// The person went.
    Went(ExitReason),
    /// The person goes to that game.
    To(String),
}

impl Arrival {
    /// Goes where the login leads to: to a table, which is opened where it is not, or to a lobby; or says why that
    /// cannot be.
    pub(super) async fn arrive(
        &self,
        door: &Arc<Door>,
        goal: &Goal,
    ) -> Result<Result<(Arc<Table>, Seat), Lobby>, String> {
        let gone = || "This seat was removed.".to_owned();
        match goal {
            Goal::Nowhere => Err(gone()),
            Goal::Lobby(host) => Ok(Err(Lobby {
                shared: Arc::clone(&door.shared),
                host: Arc::clone(host),
                name: self.name.clone(),
                key: self.key.clone(),
            })),
            Goal::Game(game) => {
                let mut entry = self.seat.clone();
                if !self.is_visitor {
                    let access = game.access_now().await;
                    entry = entry.and_then(|entry| access.by_id(entry.id()).cloned());
                }
                let entry = entry.ok_or_else(gone)?;
                let table = open(door, game).await?;
                let seat = table.read(&Seat::gm(), |seen| entry.seat(seen));
                Ok(Ok((table, seat)))
            }
        }
    }
}

/// A game's table, opened where it is not.
async fn open(door: &Arc<Door>, game: &Arc<HostedGame>) -> Result<Arc<Table>, String> {
    if let Some(table) = game.table() {
        return Ok(table);
    }
    let Behind::Host(host) = &door.behind else {
        return Err("The table was closed.".to_owned());
    };
    let (host, game) = (Arc::clone(host), Arc::clone(game));
    let opened = spawn_blocking(move || host.open(&game)).await;
    let fault = "the game could not be opened because of a fault in Tableside";
    opened.map_or_else(
        |_panic| Err(fault.to_owned()),
        |opened| opened.map_err(|error| error.what),
    )
}

/// Shows screens until the person or the table is gone; then restores the client's terminal and says why.
pub(super) async fn play(start: Start) {
    let (handle, channel) = (start.handle.clone(), start.channel);
    let (slot, is_visitor) = (Arc::clone(&start.slot), start.arrival.is_visitor);
    // The door waits for this one.
    let closing = start.door.closing.subscribe();
    // A screen that panics ends alone, because it is a task.
    let ended = tokio::spawn(show(start, closing.clone())).await;
    let (words, status) = match ended {
        Ok(Left::Went(_) | Left::To(_)) => ("", 0),
        Ok(Left::Closed(CloseReason::Cut)) => {
            slot.progress.reach(LoginStage::Cut);
            return;
        }
        Ok(Left::Closed(why)) => farewell(why, is_visitor),
        Err(_) => (
            "This screen failed. The game continues: join again. A report is in the terminal of the host.",
            1,
        ),
    };
    let line = if words.is_empty() { "" } else { "\r\n" };
    let farewell = async {
        handle
            .data(channel, [LEAVE, words.as_bytes(), line.as_bytes()].concat())
            .await
            .ok()?;
        handle.exit_status_request(channel, status).await.ok()?;
        handle.eof(channel).await.ok()?;
        handle.close(channel).await.ok()
    };
    if timeout(FAREWELL, farewell).await.is_err() {
        slot.progress.reach(LoginStage::Cut);
    }
    slot.progress.reach(LoginStage::Closed);
    drop(closing);
}

/// What somebody is told whose screen was closed, and the exit status.
fn farewell(why: CloseReason, is_visitor: bool) -> (&'static str, u32) {
    match why {
        CloseReason::Cut => ("", 0),
        CloseReason::Over => ("The table was closed.", 0),
        CloseReason::Dismissed if is_visitor => ("The GM disconnected you.", 1),
        CloseReason::Dismissed => ("Your seat was removed.", 1),
        CloseReason::Changed => ("Your seat was changed. Join again.", 1),
        CloseReason::Full => ("The table is full. Try again later.", 1),
    }
}

/// Shows the table that somebody came for, or the lobby and one table after the other.
async fn show(start: Start, closing: watch::Receiver<bool>) -> Left {
    let arrived = start.arrival.arrive(&start.door, &start.goal).await;
    let mut shown = Shown {
        start,
        closing,
        first: ENTER.to_vec(),
    };
    let (lobby, mut game) = match (arrived, &shown.start.goal) {
        (Ok(Ok((table, seat))), Goal::Game(game)) => {
            let game = Arc::clone(game);
            return shown.sit_at(&game, table, seat).await;
        }
        (Ok(Err(lobby)), _) => (Arc::new(lobby), None),
        _ => return Left::Closed(CloseReason::Dismissed),
    };
    loop {
        let name = match shown.stay_in(&lobby, game.take()).await {
            Left::To(name) => name,
            Left::Went(ExitReason::Games) => continue,
            left => return left,
        };
        game = Some(name.clone());
        if let Err(why) = shown.visit(&lobby, &name).await {
            match why {
                Left::Closed(why @ (CloseReason::Cut | CloseReason::Over)) => {
                    return Left::Closed(why);
                }
                Left::Closed(why) => {
                    let (words, _) = farewell(why, false);
                    shown.start.notices.push(words.to_owned());
                }
                Left::Went(_) | Left::To(_) => {}
            }
            shown.start.mailbox.reopen();
        }
    }
}

/// One person's connection, from one screen to the next.
struct Shown {
    start: Start,
    closing: watch::Receiver<bool>,
    /// What goes before the next frame.
    first: Vec<u8>,
}

/// Takes a screen off the list of a game's, however it ends.
struct Showing<'a> {
    game: &'a HostedGame,
    guest: Arc<Guest>,
    kept: Option<SavedState>,
}

impl Drop for Showing<'_> {
    fn drop(&mut self) {
        self.game.close_screen(&self.guest, self.kept.take());
    }
}

impl Shown {
    /// The lobby, until the person goes somewhere, with the game before under the cursor.
    async fn stay_in(&mut self, lobby: &Arc<Lobby>, before: Option<String>) -> Left {
        let table = Arc::clone(&lobby.host.table);
        let seat = Seat {
            name: lobby.name.clone(),
            ..Seat::onlooker()
        };
        let setup = self.setup(seat.clone());
        let _sitting = table.sit(&seat);
        let host = Arc::clone(&lobby.host);
        // It wakes the worker, which then reads the file each second.
        let worker = &self.start.door.shared.worker;
        worker.hand_in(move || host.read_access());
        // The list of games is shown as it is known, and again where it has changed.
        lobby.host.refresh_seats();
        let size = self.start.inbox.signals.borrow().size;
        let library = Arc::clone(lobby);
        let screen = Screen::picking(Arc::clone(&table), library, before.as_deref(), setup, size);
        self.drive(&table, screen, |_| {}).await.0
    }

    /// Goes from the lobby to a table, and comes back; why, is told.
    async fn visit(&mut self, lobby: &Lobby, name: &str) -> Result<(), Left> {
        let (host, asked) = (Arc::clone(&lobby.host), name.to_owned());
        let game = spawn_blocking(move || host.game(&asked)).await;
        let found = game.ok().flatten().and_then(|game| {
            let entry = lobby.seat_in(&game)?;
            Some((game, entry))
        });
        let Some((game, entry)) = found else {
            return Err(Left::Closed(CloseReason::Dismissed));
        };
        let arrival = Arrival {
            seat: Some(entry),
            ..self.start.arrival.clone()
        };
        let goal = Goal::Game(Arc::clone(&game));
        match arrival.arrive(&self.start.door, &goal).await {
            Ok(Ok((table, seat))) => Err(self.sit_at(&game, table, seat).await),
            Ok(Err(_)) => Ok(()),
            Err(why) => {
                self.start.notices.push(why);
                Ok(())
            }
        }
    }

    /// A table, until the person gets up.
    async fn sit_at(&mut self, game: &Arc<HostedGame>, table: Arc<Table>, seat: Seat) -> Left {
        let start = &self.start;
        let is_visitor = start.arrival.is_visitor;
        let guest = Arc::new(Guest {
            seat: seat.clone(),
            is_visitor,
            key: start.arrival.key.clone(),
            slot: Arc::clone(&start.slot),
            mailbox: Arc::clone(&start.mailbox),
            cursor_position: Mutex::default(),
        });
        let (kept, place) = match game.open_screen(&guest) {
            Ok(opened) => opened,
            Err(why) => return Left::Closed(why),
        };
        let mut showing = Showing {
            game,
            guest: Arc::clone(&guest),
            kept: None,
        };
        let _sitting = table.sit(&seat);
        let size = start.inbox.signals.borrow().size;
        let mut screen = Screen::new(Arc::clone(&table), self.setup(seat), size);
        match (kept, place) {
            (Some(kept), _) => screen.restore(kept),
            (None, Some(place)) => screen.move_to(&place),
            (None, None) => {}
        }
        let look = |screen: &mut Screen| {
            // The characters of a seat change as the game does.
            if !is_visitor && let Some(seat) = game.seat(guest.seat.id, &table) {
                screen.set_seat(seat);
            }
            *guest.cursor_position.lock() = screen.cursor_position();
        };
        let (left, screen) = self.drive(&table, screen, look).await;
        if !is_visitor {
            showing.kept = Some(screen.into_saved_state(matches!(left, Left::Went(_))));
        }
        left
    }

    /// Lets a screen hear and draw until it is left. It is asked to look about itself when the table has changed.
    async fn drive(
        &mut self,
        table: &Arc<Table>,
        mut screen: Screen,
        mut look: impl FnMut(&mut Screen),
    ) -> (Left, Screen) {
        let start = &mut self.start;
        let mut signals = *start.inbox.signals.borrow_and_update();
        let mailbox = Arc::clone(&start.mailbox);
        let told = Arc::clone(&mailbox);
        let _watching = table.watch(Box::new(move |_| told.change()));
        let [of_keys, of_changes] = &start.door.shared.latency;
        // Slow questions are worked out in the background, one batch at a time.
        let mut jobs = Vec::new();
        let mut working: Option<JoinHandle<Vec<JobResult>>> = None;
        let mut typed_at = None;
        let left = 'screen: loop {
            let changed_at = mailbox.shows();
            let frame = screen.frame();
            let typed = typed_at.take();
            if !frame.is_empty() {
                let mut packet = std::mem::take(&mut self.first);
                packet.extend_from_slice(&frame);
                let sent = timeout(BACKLOG, start.handle.data(start.channel, packet)).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break Left::Closed(CloseReason::Cut);
                }
                for (since, latency) in [(typed, of_keys), (changed_at, of_changes)] {
                    since.inspect(|since: &Instant| latency.count(since.elapsed()));
                }
            }
            let patience = screen.patience(Instant::now());
            let inbox = &mut start.inbox;
            let mut inputs = Vec::new();
            let mut bytes = Vec::new();
            let mut hear = |(at, more): (Instant, Vec<u8>)| {
                typed_at.get_or_insert(at);
                bytes.extend(more);
            };
            tokio::select! {
                biased;
                Some(results) = async { Some(working.as_mut()?.await) } => {
                    working = None;
                    // A job that panicked has no result.
                    inputs.extend(results.unwrap_or_default().into_iter().map(Input::JobDone));
                }
                _ = inbox.signals.changed() => {}
                _ = self.closing.wait_for(|closing| *closing) => {
                    break Left::Closed(CloseReason::Over);
                }
                Some(more) = inbox.typed.recv() => hear(more),
                () = sleep(patience.unwrap_or_default()), if patience.is_some() => {}
            }
            while let Ok(more) = inbox.typed.try_recv() {
                hear(more);
            }
            let before = std::mem::replace(&mut signals, *inbox.signals.borrow_and_update());
            if let Some(why) = signals.closed {
                break Left::Closed(why);
            }
            if signals.size != before.size {
                inputs.push(Input::Resize(signals.size.0, signals.size.1));
            }
            if signals.changes != before.changes {
                look(&mut screen);
                inputs.push(Input::Changed);
            }
            // Changes of the table may come so fast that the wait above never ends in silence.
            if bytes.is_empty() && screen.is_silence_due(Instant::now()) {
                inputs.push(Input::Silence);
            }
            let pieces = bytes.chunks(PIECE);
            inputs.extend(pieces.map(|piece| Input::Bytes(piece.to_vec())));
            let mut since = Instant::now();
            for input in inputs {
                #[cfg(debug_assertions)]
                panic_if_told(start, &input);
                screen.handle(input);
                match screen.take_flow() {
                    Flow::Stay => {}
                    // There is no shell to step out to, and no editor.
                    Flow::Suspend | Flow::Resume | Flow::Write => {
                        screen.resume(screen.state().size());
                    }
                    Flow::Leave(why) => {
                        let to = screen.take_picked();
                        break 'screen to.map_or(Left::Went(why), Left::To);
                    }
                }
                if since.elapsed() >= SLICE {
                    yield_now().await;
                    since = Instant::now();
                }
                let closed = start.inbox.signals.borrow().closed;
                if let Some(why) = closed {
                    break 'screen Left::Closed(why);
                }
            }
            jobs.extend(std::iter::from_fn(|| screen.take_job()));
            if working.is_none() && !jobs.is_empty() {
                // Of each matter what was asked last.
                let jobs = std::mem::take(&mut jobs);
                working = Some(spawn_blocking(move || {
                    Job::newest_of_each_kind(jobs.into_iter())
                        .map(Job::answer)
                        .collect()
                }));
            }
        };
        look(&mut screen);
        (left, screen)
    }

    fn setup(&mut self, seat: Seat) -> Setup {
        let start = &mut self.start;
        let term = start.term.as_str();
        let lookup = |name: &str| (name == "TERM").then(|| term.to_owned());
        let plain = ["dumb", "ansi", "vt1", "vt2", "cons"];
        Setup {
            seat,
            depth: Depth::from_env(lookup),
            ascii: plain.iter().any(|prefix| term.starts_with(prefix)),
            zone: Zone::Local,
            storage: None,
            serves: false,
            notices: std::mem::take(&mut start.notices),
            // Choices kept on this machine are the GM's.
            memory: None,
            ..start.door.opening.setup.clone()
        }
    }
}

#[cfg(debug_assertions)]
fn panic_if_told(start: &Start, input: &Input) {
    let is_meant = start.door.opening.panic_seat.as_ref() == Some(&start.arrival.name);
    let told = matches!(input, Input::Bytes(bytes) if bytes.contains(&0x1c));
    assert!(!(is_meant && told), "told to panic");
}
