//! One SSH connection and its requests. Every request gets an answer.

mod login;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use russh::server::{
    Auth, ChannelOpenHandle, Handler, Msg, PublicKeyOffer, Response, Session, VerifiedPublicKey,
};
use russh::{Channel, ChannelId, Pty};
use tokio::time::timeout;

use super::admission::{ConnectionSlot, LoginStage};
use super::client_task::{self, Arrival, ArrivalPlace, Start};
use super::door::{Door, Goal};
use super::mailbox::{CloseReason, Mailbox, bounded};
use login::Login;
use tableside_table::plain_status;
use tableside_text::{join, sanitise};
use tableside_tui::Library as _;

const NO_COMMANDS: &str = "This server opens the game and runs no commands. Without a command, `ssh` opens the game; with `-T` it prints its status.";
const NO_FILES: &str =
    "This server opens the game and transfers no files: sftp and scp are not available.";

const NO_WINDOWS: &str = "X11 is not forwarded here";
const NO_AGENT: &str = "agent forwarding is not used here";

/// How long a list of games that is printed once waits for the newest state of the files.
const LIST_PATIENCE: Duration = Duration::from_millis(250);

/// The longest line of a status.
const LONGEST: usize = 2000;

type Done = Result<(), russh::Error>;

pub(super) struct Connection {
    door: Arc<Door>,
    address: SocketAddr,
    slot: Arc<ConnectionSlot>,
    login: Login,
    channel: Option<ChannelId>,
    terminal: Option<(String, (u16, u16))>,
    /// Leads to its screen, once there is one.
    mailbox: Option<Arc<Mailbox>>,
    /// Refused requests that the person reads about when the screen opens.
    refused: BTreeSet<&'static str>,
    /// Why it may not stay, although the login succeeded.
    full: Option<String>,
}

impl Connection {
    pub(super) fn new(door: &Arc<Door>, address: SocketAddr, slot: Arc<ConnectionSlot>) -> Self {
        Self {
            door: Arc::clone(door),
            address,
            slot,
            login: Login::default(),
            channel: None,
            terminal: None,
            mailbox: None,
            refused: BTreeSet::new(),
            full: None,
        }
    }

    /// Prints a text and closes the channel with that exit status.
    fn say(&self, (channel, session): (ChannelId, &mut Session), text: &str, status: u32) -> Done {
        self.slot.progress.reach(LoginStage::Open);
        session.channel_success(channel)?;
        let text = format!("{text}\n");
        if status == 0 {
            session.data(channel, text)?;
        } else {
            session.extended_data(channel, 1, text)?;
        }
        session.exit_status_request(channel, status)?;
        session.eof(channel)?;
        session.close(channel)?;
        self.slot.progress.reach(LoginStage::Closed);
        Ok(())
    }

    fn seat_name(&self) -> &str {
        self.login.seat.as_ref().map_or("", |seat| &*seat.name)
    }

    fn note(&self, what: &str, name: &str, remark: &str) {
        let is_seated = self.login.seat.is_some() && !self.login.is_visitor;
        let (name, remark) = (sanitise(name, 80), sanitise(remark, 200));
        let mut line = format!("{what} seat={name:?}");
        if let Some(game) = self.login.goal.as_ref().and_then(Goal::game)
            && !game.name.is_empty()
        {
            write!(line, " game={:?}", game.name).unwrap_or_default();
        }
        write!(line, " address={}", self.address).unwrap_or_default();
        if let Some(key) = &self.login.key {
            write!(line, " key={key}").unwrap_or_default();
        }
        if !remark.is_empty() {
            write!(line, " ({remark})").unwrap_or_default();
        }
        let door = Arc::clone(&self.door);
        let write = move || {
            let place = door.place();
            door.shared.audit_log.lock().note(&place, is_seated, &line);
        };
        self.door.shared.worker.hand_in(write);
    }

    fn notices(&self) -> Vec<String> {
        let told = self.login.told.as_deref().into_iter();
        let told = told.chain(self.refused.iter().copied());
        told.map(str::to_owned).collect()
    }

    /// What is told without a screen: how the game stands, or which games there are.
    fn status(place: &ArrivalPlace) -> String {
        let lines: Vec<String> = match place {
            ArrivalPlace::Table { table, seat } => {
                let name = table.name();
                table.read(seat, |view| plain_status(&name, view))
            }
            ArrivalPlace::Lobby(lobby) => {
                let mut lines = vec![lobby.title()];
                for game in lobby.games(false) {
                    lines.push(format!("{}: {}", game.name, game.about));
                }
                lines
            }
        };
        join(lines.iter().map(|line| sanitise(line, LONGEST)), "\n")
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(mailbox) = &self.mailbox {
            mailbox.close(CloseReason::Cut);
        }
        self.slot.progress.reach(LoginStage::Closed);
        if let Some(seat) = &self.login.seat {
            let remark = ["", "before the answer whether to remember the key"];
            self.note(
                "left",
                &seat.name,
                remark[usize::from(self.login.is_asked())],
            );
        }
    }
}

impl Handler for Connection {
    type Error = russh::Error;

    async fn auth_publickey_offered(
        &mut self,
        user: &str,
        offer: PublicKeyOffer<'_>,
    ) -> Result<Auth, Self::Error> {
        self.slot.progress.reach(LoginStage::Proving);
        Ok(self.offer_key(user, offer.public_key).await)
    }

    async fn auth_publickey(
        &mut self,
        user: &str,
        key: VerifiedPublicKey<'_>,
    ) -> Result<Auth, Self::Error> {
        Ok(self.accept_key(user, key.public_key).await)
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, Self::Error> {
        let typed = response.map(|mut answers| {
            let answer = answers.next().unwrap_or_default();
            let answer = answer.get(..200).unwrap_or(&answer);
            String::from_utf8_lossy(answer).into_owned()
        });
        self.slot.progress.reach(LoginStage::Proving);
        let auth = self.answer(user, typed).await;
        if let Auth::Partial { .. } = auth {
            self.slot.progress.reach(LoginStage::Asked);
        }
        Ok(auth)
    }

    async fn auth_succeeded(&mut self, _: &mut Session) -> Done {
        let name = self.seat_name().to_owned();
        let role = self.login.seat.as_ref().map(|seat| seat.role);
        let role = role.filter(|_| !self.login.is_visitor);
        self.full = self.slot.enter(role).err();
        self.slot.progress.reach(LoginStage::In);
        match &self.full {
            Some(why) => self.note("refused", &name, why),
            None => self.note("joined", &name, self.login.how),
        }
        Ok(())
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _: &mut Session,
    ) -> Done {
        if self.channel.is_none() {
            self.channel = Some(channel.id());
            reply.accept().await;
        }
        // The channel object is dropped: if nobody drained it, the connection would stop.
        Ok(())
    }

    async fn pty_request(
        &mut self,
        channel: ChannelId,
        term: &str,
        columns: u32,
        rows: u32,
        _: u32,
        _: u32,
        _: &[(Pty, u32)],
        session: &mut Session,
    ) -> Done {
        let term = sanitise(term, 100).into_owned();
        self.terminal = Some((term, bounded(columns, rows)));
        session.channel_success(channel)
    }

    async fn window_change_request(
        &mut self,
        _: ChannelId,
        columns: u32,
        rows: u32,
        _: u32,
        _: u32,
        _: &mut Session,
    ) -> Done {
        let size = bounded(columns, rows);
        if let Some(terminal) = &mut self.terminal {
            terminal.1 = size;
        }
        self.mailbox.iter().for_each(|mailbox| mailbox.resize(size));
        Ok(())
    }

    async fn env_request(
        &mut self,
        channel: ChannelId,
        _: &str,
        _: &str,
        session: &mut Session,
    ) -> Done {
        // Most clients send their language unasked.
        session.channel_failure(channel)
    }

    async fn x11_request(
        &mut self,
        channel: ChannelId,
        _: bool,
        _: &str,
        _: &str,
        _: u32,
        session: &mut Session,
    ) -> Done {
        self.refused.insert(NO_WINDOWS);
        session.channel_failure(channel)
    }

    async fn agent_request(&mut self, _: ChannelId, _: &mut Session) -> Result<bool, Self::Error> {
        self.refused.insert(NO_AGENT);
        Ok(false)
    }

    async fn shell_request(&mut self, channel: ChannelId, session: &mut Session) -> Done {
        if self.mailbox.is_some() {
            return session.channel_failure(channel);
        }
        if let Some(why) = &self.full {
            return self.say((channel, session), &why.clone(), 1);
        }
        let Some(goal) = self.login.goal.clone() else {
            return self.say((channel, session), "This seat was removed.", 1);
        };
        let arrival = Arrival {
            name: self.seat_name().to_owned(),
            seat: self.login.seat.clone(),
            is_visitor: self.login.is_visitor,
            key: self.login.opened_by.clone(),
        };
        if let Goal::Lobby(host) = &goal
            && self.terminal.is_none()
        {
            // A list that is printed once cannot follow. Where the wait is long, the index was refreshed a moment ago.
            drop(timeout(LIST_PATIENCE, host.seats_refreshed()).await);
        }
        let arrived = arrival.arrive(&self.door, &goal).await;
        let (Some((term, size)), Ok(_)) = (self.terminal.clone(), &arrived) else {
            let place = match arrived {
                Ok(place) => place,
                Err(problem) => return self.say((channel, session), &problem, 1),
            };
            let mut text = Self::status(&place);
            for notice in self.notices() {
                text = format!("{text}\n({notice})");
            }
            return self.say((channel, session), &text, 0);
        };
        session.channel_success(channel)?;
        self.slot.progress.reach(LoginStage::Open);
        let (mailbox, inbox) = Mailbox::new(self.door.limits().input_bytes_per_second, size);
        let mailbox = Arc::new(mailbox);
        self.mailbox = Some(Arc::clone(&mailbox));
        let start = Start {
            door: Arc::clone(&self.door),
            goal,
            arrival,
            slot: Arc::clone(&self.slot),
            mailbox,
            inbox,
            handle: session.handle(),
            channel,
            term,
            notices: self.notices(),
        };
        drop(self.door.shared.runtime.spawn(client_task::play(start)));
        Ok(())
    }

    async fn exec_request(&mut self, channel: ChannelId, _: &[u8], session: &mut Session) -> Done {
        self.say((channel, session), NO_COMMANDS, 1)
    }

    async fn subsystem_request(
        &mut self,
        channel: ChannelId,
        _: &str,
        session: &mut Session,
    ) -> Done {
        self.say((channel, session), NO_FILES, 1)
    }

    async fn data(&mut self, _: ChannelId, data: &[u8], _: &mut Session) -> Done {
        if let Some(mailbox) = &self.mailbox {
            mailbox.type_in(data);
        }
        Ok(())
    }

    async fn channel_eof(&mut self, _: ChannelId, _: &mut Session) -> Done {
        if let Some(mailbox) = &self.mailbox {
            mailbox.close(CloseReason::Cut);
        }
        Ok(())
    }

    async fn channel_close(&mut self, channel: ChannelId, session: &mut Session) -> Done {
        self.channel_eof(channel, session).await?;
        self.slot.progress.reach(LoginStage::Closed);
        Ok(())
    }
}
