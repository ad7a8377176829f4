//! Takes connections, gives each its time to log in, and sees it out.

use std::future::Future;
use std::io;
use std::net::{self, Shutdown, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use russh::server::{Config, run_stream};
use tokio::io::{AsyncRead, ReadBuf, join};
use tokio::net::tcp::OwnedReadHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::admission::{ConnectionSlot, LoginProgress, LoginStage, arrive};
use super::connection::Connection;
use super::door::Door;

/// Somebody who types a code gets so many times as long as a key.
const TYPING: u32 = 5;

/// How long a client may wait after the login before it opens a screen.
const IDLE: Duration = Duration::from_secs(20);

/// How long a closed connection may linger.
const LINGER: Duration = Duration::from_secs(5);

/// The pause after an error of the system, such as too many open files.
const BREATH: Duration = Duration::from_millis(50);

/// Bytes that a turn pays for before the login: a key exchange and some thirty keys that an agent offers. Whatever a
/// client sends costs work, so that a client that sends more waits for another turn.
const BYTES_PER_TURN: usize = 8 * 1024;

/// Bytes of the first words: a version fits in, a key does not.
const FIRST_WORDS: usize = 64;

/// Takes connections for ever; an error of the system does not end the table.
pub(super) async fn accept(listener: TcpListener, config: Arc<Config>, door: Arc<Door>) {
    loop {
        match listener.accept().await {
            Ok((socket, address)) => {
                let serving = serve(socket, address, Arc::clone(&config), Arc::clone(&door));
                drop(tokio::spawn(serving));
            }
            Err(_) => sleep(BREATH).await,
        }
    }
}

async fn serve(socket: TcpStream, address: SocketAddr, config: Arc<Config>, door: Arc<Door>) {
    if socket.set_nodelay(true).is_err() {
        return;
    }
    // An IPv4 address may come in the form of IPv6.
    let address = SocketAddr::new(address.ip().to_canonical(), address.port());
    let slot = Arc::new(arrive(&door.shared.admission, address.ip()));
    let progress = slot.progress.clone();
    let grace = door.limits().grace();
    let Ok((socket, closing)) = doubled(socket) else {
        return;
    };
    let (incoming, outgoing) = socket.into_split();
    let socket = join(Incoming::new(incoming, Arc::clone(&slot)), outgoing);
    let connection = Connection::new(&door, address, slot);
    let talk = async {
        if let Ok(running) = run_stream(config, socket, connection).await {
            // The end of the connection closes its screen, for any reason.
            drop(running.await);
        }
    };
    tokio::select! {
        () = talk => {}
        () = watch(&progress, grace) => {}
        () = progress.wait_for(LoginStage::Cut) => {}
    }
    // Whatever still waits, reads or writes there, also in the middle of a write, ends with an error.
    progress.reach(LoginStage::Cut);
    closing.shutdown(Shutdown::Both).unwrap_or_default();
}

/// The socket, and another handle of it by which it is closed.
fn doubled(socket: TcpStream) -> io::Result<(TcpStream, net::TcpStream)> {
    let socket = socket.into_std()?;
    let closing = socket.try_clone()?;
    Ok((TcpStream::from_std(socket)?, closing))
}

/// Cuts a connection that takes too long to get in, to open a screen, or to be gone.
async fn watch(progress: &LoginProgress, grace: Duration) {
    let began = Instant::now();
    let is_in = async |times| {
        let limit = began + grace * times;
        timeout_at(limit, progress.wait_for(LoginStage::In))
            .await
            .is_ok()
    };
    let gets_in =
        is_in(1).await || (progress.has_reached(LoginStage::Asked) && is_in(TYPING).await);
    if gets_in
        && timeout(IDLE, progress.wait_for(LoginStage::Open))
            .await
            .is_ok()
    {
        progress.wait_for(LoginStage::Closed).await;
        sleep(LINGER).await;
    }
}

/// What a connection reads: acknowledged at once. After the client's first words it waits for the connection's
/// turn, because the key exchange that follows costs work; and again after each [`BYTES_PER_TURN`] before the login.
struct Incoming {
    stream: OwnedReadHalf,
    slot: Arc<ConnectionSlot>,
    /// Waits for the turn; `None` once it has come.
    turn: Option<Pin<Box<dyn Future<Output = bool> + Send>>>,
    /// Bytes that were read since the last turn.
    since_turn: usize,
}

impl Incoming {
    fn new(stream: OwnedReadHalf, slot: Arc<ConnectionSlot>) -> Self {
        let mut incoming = Self {
            stream,
            slot,
            turn: None,
            since_turn: 0,
        };
        incoming.wait_for_turn();
        incoming
    }

    fn wait_for_turn(&mut self) {
        let slot = Arc::clone(&self.slot);
        self.turn = Some(Box::pin(async move { slot.turn().await }));
        self.since_turn = 0;
    }

    fn poll_some(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let is_outside = !self.slot.progress.has_reached(LoginStage::In);
        if is_outside && self.since_turn >= BYTES_PER_TURN {
            self.wait_for_turn();
        }
        if let Some(turn) = &mut self.turn {
            let progress = &self.slot.progress;
            if !progress.has_reached(LoginStage::Spoke) {
                let mut words = [0; FIRST_WORDS];
                let room = buffer.remaining().min(FIRST_WORDS);
                let mut words = ReadBuf::new(words.get_mut(..room).unwrap_or_default());
                ready!(Pin::new(&mut self.stream).poll_read(context, &mut words))?;
                buffer.put_slice(words.filled());
                progress.reach(LoginStage::Spoke);
                return Poll::Ready(Ok(()));
            }
            ready!(self.stream.poll_peek(context, &mut ReadBuf::new(&mut [0])))?;
            progress.reach(LoginStage::Exchanging);
            if !ready!(turn.as_mut().poll(context)) {
                return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
            }
            self.turn = None;
        }

        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.since_turn += buffer.filled().len() - before;
        read
    }
}

impl AsyncRead for Incoming {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.poll_some(context, buffer))?;
        // The client holds its next packet back until this one is acknowledged. Linux forgets the setting after
        // each read.
        #[cfg(target_os = "linux")]
        {
            let stream: &TcpStream = self.stream.as_ref();
            stream.set_quickack(true).unwrap_or_default();
        }
        Poll::Ready(Ok(()))
    }
}
