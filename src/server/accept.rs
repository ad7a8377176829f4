//! Takes connections, gives each its time to log in, and sees it out.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use russh::server::{Config, run_stream};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, sleep_until, timeout};

use super::admission::{Course, Progress};
use super::connection::Connection;
use super::socket::Socket;
use super::state::ServerState;

/// How long a connection may take to say its first word, before it waits for its turn as a silent one.
const FIRST_WORD: Duration = Duration::from_millis(400);

/// Who types a code gets so many times the time that a key gets.
const TYPING: u32 = 5;

/// How long somebody who is in may do nothing before it opens a screen.
const IDLE: Duration = Duration::from_secs(20);

/// How long a closed connection may linger.
const LINGER: Duration = Duration::from_secs(5);

/// After an error of the system, such as too many open files.
const BREATH: Duration = Duration::from_millis(50);

/// Takes connections for ever. An error of the system is none of the table's: it goes on.
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
    let began = Instant::now();
    // An IPv4 address is the same one, however it came.
    let address = SocketAddr::new(address.ip().to_canonical(), address.port());
    let place = Arc::new(state.admission.arrive(address.ip()));
    let course = place.course.clone();
    let grace = state.access().limits.grace();
    let talk = async {
        socket.set_nodelay(true).ok()?;
        let mut first = [0];
        match timeout(FIRST_WORD, socket.peek(&mut first)).await {
            Ok(Ok(0) | Err(_)) => return None,
            Ok(Ok(_)) => {}
            Err(_) if place.turn().await => {}
            Err(_) => return None,
        }
        let socket = Socket::new(socket, Arc::clone(&place));
        let connection = Connection::new(&state, address, place);
        run_stream(config, socket, connection).await.ok()
    };
    let started = tokio::select! {
        started = timeout(grace, talk) => started.ok().flatten(),
        () = course.wait_for(Progress::Cut) => None,
    };
    let Some(running) = started else {
        return;
    };
    tokio::select! {
        // Whatever ended it, its screen is told by the connection's end.
        ended = running => drop(ended),
        () = watch(&course, (began, grace)) => {}
    }
}

/// Cuts a connection that takes too long to get in, to open a screen, or to be gone.
async fn watch(course: &Course, (began, grace): (Instant, Duration)) {
    let limit = |times| sleep_until((began + grace * times).into());
    tokio::select! {
        () = course.wait_for(Progress::In) => {}
        () = async {
            limit(1).await;
            if course.has_reached(Progress::Asked) {
                limit(TYPING).await;
            }
        } => course.reach(Progress::Cut),
    }
    if timeout(IDLE, course.wait_for(Progress::Open)).await.is_ok() {
        course.wait_for(Progress::Closed).await;
        sleep(LINGER).await;
    }
    course.reach(Progress::Cut);
    std::future::pending::<()>().await;
}
