//! Takes connections, gives each its time to log in, and sees it out.

use std::io;
use std::net::{self, Shutdown, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use russh::server::{Config, run_stream};
use tokio::io::join;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::admission::{Course, Progress, arrive};
use super::connection::Connection;
use super::socket::Incoming;
use super::state::ServerState;

/// Somebody who types a code gets so many times as long as a key.
const TYPING: u32 = 5;

/// How long a client may wait after the login before it opens a screen.
const IDLE: Duration = Duration::from_secs(20);

/// How long a closed connection may linger.
const LINGER: Duration = Duration::from_secs(5);

/// The pause after an error of the system, such as too many open files.
const BREATH: Duration = Duration::from_millis(50);

/// Takes connections for ever; an error of the system does not end the table.
pub(super) async fn accept(listener: TcpListener, config: Arc<Config>, state: Arc<ServerState>) {
    loop {
        match listener.accept().await {
            Ok((socket, address)) => {
                let serving = serve(socket, address, Arc::clone(&config), Arc::clone(&state));
                drop(tokio::spawn(serving));
            }
            Err(_) => sleep(BREATH).await,
        }
    }
}

async fn serve(
    socket: TcpStream,
    address: SocketAddr,
    config: Arc<Config>,
    state: Arc<ServerState>,
) {
    if socket.set_nodelay(true).is_err() {
        return;
    }
    // An IPv4 address may come in the form of IPv6.
    let address = SocketAddr::new(address.ip().to_canonical(), address.port());
    let place = Arc::new(arrive(&state.admission, address.ip()));
    let course = place.course.clone();
    let grace = state.access().limits.grace();
    let Ok((socket, closing)) = doubled(socket) else {
        return;
    };
    let (incoming, outgoing) = socket.into_split();
    let socket = join(Incoming::new(incoming, Arc::clone(&place)), outgoing);
    let connection = Connection::new(&state, address, place);
    let talk = async {
        if let Ok(running) = run_stream(config, socket, connection).await {
            // The end of the connection closes its screen, for any reason.
            drop(running.await);
        }
    };
    tokio::select! {
        () = talk => {}
        () = watch(&course, grace) => {}
        () = course.wait_for(Progress::Cut) => {}
    }
    // Whatever still reads or writes there, also in the middle of a write, ends with an error.
    closing.shutdown(Shutdown::Both).unwrap_or_default();
}

/// The socket, and another handle of it by which it is closed.
fn doubled(socket: TcpStream) -> io::Result<(TcpStream, net::TcpStream)> {
    let socket = socket.into_std()?;
    let closing = socket.try_clone()?;
    Ok((TcpStream::from_std(socket)?, closing))
}

/// Cuts a connection that takes too long to get in, to open a screen, or to be gone.
async fn watch(course: &Course, grace: Duration) {
    let began = Instant::now();
    let is_in = async |times| {
        let limit = began + grace * times;
        timeout_at(limit, course.wait_for(Progress::In))
            .await
            .is_ok()
    };
    let gets_in = is_in(1).await || (course.has_reached(Progress::Asked) && is_in(TYPING).await);
    if gets_in && timeout(IDLE, course.wait_for(Progress::Open)).await.is_ok() {
        course.wait_for(Progress::Closed).await;
        sleep(LINGER).await;
    }
}
