//! The task of one client over SSH: it shows the lobby, a table, or one after the other.
//!
//! Its screen takes input and draws, and each frame is sent as one packet.

mod arrival;
mod screen_loop;

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use russh::ChannelId;
use russh::server::Handle;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::admission::{ConnectionSlot, LoginStage};
use super::door::{Door, Goal};
use super::game::{Guest, HostedGame};
use super::lobby::Lobby;
use super::mailbox::{CloseReason, Inbox, Mailbox};
use screen_loop::{EndedScreen, ScreenLoop};
use tableside_table::{Seat, Table};
use tableside_tui::terminal::color_depth::Depth;
use tableside_tui::terminal::{ENTER, LEAVE};
use tableside_tui::{ExitReason, SavedState, Screen, Setup, Zone};

pub(super) use arrival::{Arrival, ArrivalPlace};

/// How long the farewell may take.
const FAREWELL: Duration = Duration::from_secs(3);

/// The prefixes of terminals that show only ASCII.
const ASCII_TERMINALS: [&str; 5] = ["dumb", "ansi", "vt1", "vt2", "cons"];

/// Everything that the task of a client starts with.
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

/// The reason why a screen ended.
enum Departure {
    /// The server closed it.
    Closed(CloseReason),
    /// The client left.
    Left(ExitReason),
    /// The client picked this game.
    ToGame(String),
}

/// The last words for a client.
struct Farewell {
    message: &'static str,
    exit_status: u32,
}

/// Shows screens until the client or the table is gone. Then it restores the client's terminal and shows the reason.
pub(super) async fn play(start: Start) {
    let handle = start.handle.clone();
    let channel = start.channel;
    let slot = Arc::clone(&start.slot);
    let is_visitor = start.arrival.is_visitor;
    // The door waits until this receiver is dropped.
    let closing = start.door.closing.subscribe();

    // A screen that panics ends alone, because it is a task.
    let ended = tokio::spawn(show(start, closing.clone())).await;
    let farewell = match ended {
        Ok(Departure::Left(_) | Departure::ToGame(_)) => Farewell {
            message: "",
            exit_status: 0,
        },
        Ok(Departure::Closed(CloseReason::Cut)) => {
            slot.progress.reach(LoginStage::Cut);
            return;
        }
        Ok(Departure::Closed(reason)) => farewell_after(reason, is_visitor),
        Err(_panic) => Farewell {
            message: "This screen failed. The game continues: join again. A report is in the terminal of the host.",
            exit_status: 1,
        },
    };

    let saying = say_farewell(&handle, channel, &farewell);
    if timeout(FAREWELL, saying).await.is_err() {
        slot.progress.reach(LoginStage::Cut);
    }
    slot.progress.reach(LoginStage::Closed);
    drop(closing);
}

/// Restores the terminal, shows the message, and closes the channel. Returns `None` if the client is gone.
async fn say_farewell(handle: &Handle, channel: ChannelId, farewell: &Farewell) -> Option<()> {
    let mut bytes = LEAVE.to_vec();
    if !farewell.message.is_empty() {
        bytes.extend_from_slice(farewell.message.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }

    let exit_status = farewell.exit_status;
    handle.data(channel, bytes).await.ok()?;
    handle
        .exit_status_request(channel, exit_status)
        .await
        .ok()?;
    handle.eof(channel).await.ok()?;
    handle.close(channel).await.ok()
}

/// Returns the last words after the server closed a screen.
fn farewell_after(reason: CloseReason, is_visitor: bool) -> Farewell {
    let message = match reason {
        CloseReason::Cut => "",
        CloseReason::Over => "The table was closed.",
        CloseReason::Dismissed if is_visitor => "The GM disconnected you.",
        CloseReason::Dismissed => "Your seat was removed.",
        CloseReason::Changed => "Your seat was changed. Join again.",
        CloseReason::Full => "The table is full. Try again later.",
    };
    let exit_status = match reason {
        CloseReason::Cut | CloseReason::Over => 0,
        CloseReason::Dismissed | CloseReason::Changed | CloseReason::Full => 1,
    };
    Farewell {
        message,
        exit_status,
    }
}

/// Shows the table to which the login leads, or the lobby and one table after the other.
async fn show(start: Start, closing: watch::Receiver<bool>) -> Departure {
    let arrived = start.arrival.arrive(&start.door, &start.goal).await;
    let mut client = Client {
        start,
        closing,
        first_bytes: ENTER.to_vec(),
    };

    match arrived {
        Ok(ArrivalPlace::Table { table, seat }) => {
            let Goal::Game(game) = client.start.goal.clone() else {
                return Departure::Closed(CloseReason::Dismissed);
            };
            client.sit_at(&game, table, seat).await
        }
        Ok(ArrivalPlace::Lobby(lobby)) => client.visit_games(&Arc::new(lobby)).await,
        Err(_) => Departure::Closed(CloseReason::Dismissed),
    }
}

/// A client, from one screen to the next.
struct Client {
    start: Start,
    closing: watch::Receiver<bool>,
    /// Bytes that are sent before the next frame.
    first_bytes: Vec<u8>,
}

/// A screen in the list of a game's screens. It is removed when this is dropped.
struct ListedScreen<'a> {
    game: &'a HostedGame,
    guest: Arc<Guest>,
    /// The state to restore when the client returns.
    saved_state: Option<SavedState>,
}

impl Drop for ListedScreen<'_> {
    fn drop(&mut self) {
        self.game.close_screen(&self.guest, self.saved_state.take());
    }
}

impl Client {
    /// Shows the lobby and the games that the client picks, in turn.
    async fn visit_games(&mut self, lobby: &Arc<Lobby>) -> Departure {
        let mut previous_game = None;
        loop {
            let name = match self.stay_in(lobby, previous_game.take()).await {
                Departure::ToGame(name) => name,
                Departure::Left(ExitReason::Games) => continue,
                departure => return departure,
            };
            previous_game = Some(name.clone());

            match self.visit(lobby, &name).await {
                Some(Departure::Closed(reason @ (CloseReason::Cut | CloseReason::Over))) => {
                    return Departure::Closed(reason);
                }
                Some(Departure::Closed(reason)) => {
                    let farewell = farewell_after(reason, false);
                    self.start.notices.push(farewell.message.to_owned());
                    self.start.mailbox.reopen();
                }
                Some(Departure::Left(_) | Departure::ToGame(_)) => self.start.mailbox.reopen(),
                // The notices tell why the game did not open.
                None => {}
            }
        }
    }

    /// Shows the lobby, with the cursor on the previous game, until the client leaves it.
    async fn stay_in(&mut self, lobby: &Arc<Lobby>, previous_game: Option<String>) -> Departure {
        let table = Arc::clone(&lobby.host.table);
        let seat = Seat {
            name: lobby.name.clone(),
            ..Seat::onlooker()
        };
        let setup = self.setup(seat.clone());
        let _sitting = table.sit(&seat);

        // This wakes the worker, which then reads the file each second.
        let host = Arc::clone(&lobby.host);
        let worker = &self.start.door.shared.worker;
        worker.hand_in(move || host.read_access());
        // The list shows the known games at once, and is drawn again if they have changed.
        lobby.host.refresh_seats();

        let size = self.start.inbox.signals.borrow().size;
        let library = Arc::clone(lobby);
        let screen = Screen::picking(
            Arc::clone(&table),
            library,
            previous_game.as_deref(),
            setup,
            size,
        );
        self.run(&table, screen, |_| {}).await.departure
    }

    /// Shows a game of the host. Returns `None` if it could not be opened.
    async fn visit(&mut self, lobby: &Lobby, name: &str) -> Option<Departure> {
        let host = Arc::clone(&lobby.host);
        let game_name = name.to_owned();
        let found_game = spawn_blocking(move || host.game(&game_name)).await;
        let Some(game) = found_game.ok().flatten() else {
            return Some(Departure::Closed(CloseReason::Dismissed));
        };
        let Some(entry) = lobby.seat_in(&game) else {
            return Some(Departure::Closed(CloseReason::Dismissed));
        };

        let arrival = Arrival {
            seat: Some(entry),
            ..self.start.arrival.clone()
        };
        let goal = Goal::Game(Arc::clone(&game));
        match arrival.arrive(&self.start.door, &goal).await {
            Ok(ArrivalPlace::Table { table, seat }) => Some(self.sit_at(&game, table, seat).await),
            Ok(ArrivalPlace::Lobby(_)) => None,
            Err(problem) => {
                self.start.notices.push(problem);
                None
            }
        }
    }

    /// Shows a table until the client leaves it.
    async fn sit_at(&mut self, game: &Arc<HostedGame>, table: Arc<Table>, seat: Seat) -> Departure {
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
        let (saved_state, cursor_position) = match game.open_screen(&guest) {
            Ok(opened) => opened,
            Err(reason) => return Departure::Closed(reason),
        };
        let mut listed_screen = ListedScreen {
            game,
            guest: Arc::clone(&guest),
            saved_state: None,
        };

        let _sitting = table.sit(&seat);
        let size = start.inbox.signals.borrow().size;
        let mut screen = Screen::new(Arc::clone(&table), self.setup(seat), size);
        if let Some(saved_state) = saved_state {
            screen.restore(saved_state);
        } else if let Some(position) = cursor_position {
            screen.move_to(&position);
        }

        let refresh = |screen: &mut Screen| {
            // The characters of a seat change with the game.
            if !is_visitor && let Some(seat) = game.seat(guest.seat.id, &table) {
                screen.set_seat(seat);
            }
            *guest.cursor_position.lock() = screen.cursor_position();
        };
        let EndedScreen { departure, screen } = self.run(&table, screen, refresh).await;
        if !is_visitor {
            let has_left = matches!(departure, Departure::Left(_));
            listed_screen.saved_state = Some(screen.into_saved_state(has_left));
        }
        departure
    }

    async fn run(
        &mut self,
        table: &Arc<Table>,
        screen: Screen,
        refresh: impl FnMut(&mut Screen),
    ) -> EndedScreen {
        let screen_loop = ScreenLoop {
            start: &mut self.start,
            closing: &mut self.closing,
            first_bytes: &mut self.first_bytes,
            screen,
        };
        screen_loop.run(table, refresh).await
    }

    /// Returns the settings of a screen on the client's terminal.
    fn setup(&mut self, seat: Seat) -> Setup {
        let start = &mut self.start;
        let term = start.term.as_str();
        let lookup = |name: &str| {
            if name == "TERM" {
                Some(term.to_owned())
            } else {
                None
            }
        };
        Setup {
            seat,
            depth: Depth::from_env(lookup),
            ascii: ASCII_TERMINALS
                .iter()
                .any(|prefix| term.starts_with(prefix)),
            zone: Zone::Local,
            storage: None,
            serves: false,
            notices: std::mem::take(&mut start.notices),
            // The choices that are stored on this machine are those of the GM.
            memory: None,
            ..start.door.opening.setup.clone()
        }
    }
}
