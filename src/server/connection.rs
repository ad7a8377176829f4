//! One SSH connection and its requests. Every request gets an answer.

mod login;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use russh::server::{
    Auth, ChannelOpenHandle, Handler, Msg, PublicKeyOffer, Response, Session, VerifiedPublicKey,
};
use russh::{Channel, ChannelId, Pty};

use super::admission::{ConnectionSlot, LoginStage};
use super::client_task::{self, Start};
use super::mailbox::{CloseReason, Mailbox, bounded};
use super::state::{Guest, ServerState};
use crate::table::{Seat, status};
use crate::text::sanitise;
use login::Login;

const NO_COMMANDS: &str = "This server opens the game's table, and runs no commands. Without a command, `ssh` opens the table; with `-T` it prints how it stands.";
const NO_FILES: &str =
    "This server opens the game's table, and moves no files: there is no sftp and no scp.";

const NO_WINDOWS: &str = "X11 is not forwarded here";
const NO_AGENT: &str = "your key agent is not asked for here, and was left alone";

/// The longest line of a status.
const LONGEST: usize = 2000;

type Done = Result<(), russh::Error>;

pub(super) struct Connection {
    state: Arc<ServerState>,
    address: SocketAddr,
    place: Arc<ConnectionSlot>,
    login: Login,
    channel: Option<ChannelId>,
    terminal: Option<(String, (u16, u16))>,
    guest: Option<Arc<Guest>>,
    /// Refused requests that the person reads about when the screen opens.
    refused: BTreeSet<&'static str>,
    /// Why it may not stay, although the login succeeded.
    full: Option<String>,
}

impl Connection {
    pub(super) fn new(
        state: &Arc<ServerState>,
        address: SocketAddr,
        place: Arc<ConnectionSlot>,
    ) -> Self {
        Self {
            state: Arc::clone(state),
            address,
            place,
            login: Login::default(),
            channel: None,
            terminal: None,
            guest: None,
            refused: BTreeSet::new(),
            full: None,
        }
    }

    /// Prints a text and closes the channel with that exit status.
    fn say(&self, (channel, session): (ChannelId, &mut Session), text: &str, status: u32) -> Done {
        self.place.course.reach(LoginStage::Open);
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
        self.place.course.reach(LoginStage::Closed);
        Ok(())
    }

    fn note(&self, what: &str, name: &str, remark: &str) {
        let is_seated = self.login.seat.is_some() && !self.login.is_visitor;
        let (name, remark) = (sanitise(name, 80), sanitise(remark, 200));
        let mut line = format!("{what} seat={name:?} address={}", self.address);
        if let Some(key) = &self.login.key {
            write!(line, " key={key}").unwrap_or_default();
        }
        if !remark.is_empty() {
            write!(line, " ({remark})").unwrap_or_default();
        }
        let write = move |state: &ServerState| state.audit_log.lock().note(is_seated, &line);
        self.state.worker.hand_in(write);
    }

    fn notices(&self) -> Vec<String> {
        let told = self.login.told.as_deref().into_iter();
        let told = told.chain(self.refused.iter().copied());
        told.map(str::to_owned).collect()
    }

    fn status(&self, seat: &Seat) -> String {
        let name = self.state.table.name();
        let lines = self.state.table.read(seat, |seen| status(&name, seen));
        let lines = lines.iter().map(|line| {
            let line = format!("{}{}", line.strong, line.plain);
            sanitise(&line, LONGEST).into_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(guest) = &self.guest {
            guest.mailbox.close(CloseReason::Cut);
        }
        self.place.course.reach(LoginStage::Closed);
        if let Some(seat) = &self.login.seat {
            self.note("left", &seat.name, "");
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
        self.place.course.reach(LoginStage::Proving);
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
        self.place.course.reach(LoginStage::Proving);
        let auth = self.answer(user, typed).await;
        if let Auth::Partial { .. } = auth {
            self.place.course.reach(LoginStage::Asked);
        }
        Ok(auth)
    }

    async fn auth_succeeded(&mut self, _: &mut Session) -> Done {
        let seat = self.login.seat.as_ref();
        let name = seat.map_or("", |seat| &*seat.name);
        let role = seat.map(|seat| seat.role);
        let role = role.filter(|_| !self.login.is_visitor);
        self.full = self.place.enter(role).err();
        self.place.course.reach(LoginStage::In);
        match &self.full {
            Some(why) => self.note("refused", name, why),
            None => self.note("joined", name, self.login.how),
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
        if let Some(guest) = &self.guest {
            guest.mailbox.resize(size);
        }
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
        if self.guest.is_some() {
            return session.channel_failure(channel);
        }
        if let Some(why) = &self.full {
            return self.say((channel, session), &why.clone(), 1);
        }
        let Some(seat) = self.sit_down().await else {
            return self.say((channel, session), "This seat was taken away.", 1);
        };
        let Some((term, size)) = self.terminal.clone() else {
            let mut text = self.status(&seat);
            for notice in self.notices() {
                text = format!("{text}\n({notice})");
            }
            return self.say((channel, session), &text, 0);
        };
        session.channel_success(channel)?;
        self.place.course.reach(LoginStage::Open);
        let limits = self.state.access().limits;
        let (mailbox, inbox) = Mailbox::new(limits.input_bytes_per_second, size);
        let guest = Arc::new(Guest {
            seat,
            is_visitor: self.login.is_visitor,
            key: self.login.opened_by.clone(),
            place: Arc::clone(&self.place),
            mailbox,
            whereabouts: Mutex::default(),
        });
        self.guest = Some(Arc::clone(&guest));
        let start = Start {
            state: Arc::clone(&self.state),
            guest,
            inbox,
            handle: session.handle(),
            channel,
            term,
            notices: self.notices(),
        };
        drop(self.state.painters.spawn(client_task::play(start)));
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
        if let Some(guest) = &self.guest {
            guest.mailbox.type_in(data);
        }
        Ok(())
    }

    async fn channel_eof(&mut self, _: ChannelId, _: &mut Session) -> Done {
        if let Some(guest) = &self.guest {
            guest.mailbox.close(CloseReason::Cut);
        }
        Ok(())
    }

    async fn channel_close(&mut self, channel: ChannelId, session: &mut Session) -> Done {
        self.channel_eof(channel, session).await?;
        self.place.course.reach(LoginStage::Closed);
        Ok(())
    }
}
