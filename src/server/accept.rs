//! Takes connections, gives each its time to log in, and sees it out.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use russh::server::{Config, run_stream};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, sleep_until, timeout};

use super::connection::Connection;
use super::host::Host;
use super::login::Stage;
use super::socket::{Cut, Line};

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
pub(super) async fn accept(listener: TcpListener, config: Arc<Config>, host: Arc<Host>) {
    loop {
        match listener.accept().await {
            Ok((socket, address)) => {
                let serving = serve(socket, address, Arc::clone(&config), Arc::clone(&host));
                drop(tokio::spawn(serving));
            }
            Err(_) => sleep(BREATH).await,
        }
    }
}

async fn serve(socket: TcpStream, address: SocketAddr, config: Arc<Config>, host: Arc<Host>) {
    let began = Instant::now();
    // An IPv4 address is the same one, however it came.
    let address = SocketAddr::new(address.ip().to_canonical(), address.port());
    let cut = Cut::default();
    let place = Arc::new(host.gate.arrive(address.ip(), cut.clone()));
    let grace = host.access().limits.grace();
    let talk = async {
        socket.set_nodelay(true).ok()?;
        let mut first = [0];
        match timeout(FIRST_WORD, socket.peek(&mut first)).await {
            Ok(Ok(0) | Err(_)) => return None,
            Ok(Ok(_)) => {}
            Err(_) if place.turn().await => {}
            Err(_) => return None,
        }
        let stage = Arc::new(Stage::default());
        let line = Line::new(socket, cut.clone(), Arc::clone(&place));
        let guest = Connection::new(&host, address, place, (Arc::clone(&stage), cut.clone()));
        let running = run_stream(config, line, guest).await.ok()?;
        Some((running, stage))
    };
    let started = tokio::select! {
        started = timeout(grace, talk) => started.ok().flatten(),
        () = cut.wait() => None,
    };
    let Some((running, stage)) = started else {
        return;
    };
    let watch = watch(&stage, &cut, (began, grace));
    tokio::select! {
        // Whatever ended it, its screen is told by the guest's end.
        ended = running => drop(ended),
        () = watch => {}
    }
}

/// Cuts a connection that takes too long to get in, to open a screen, or to be gone.
async fn watch(stage: &Stage, cut: &Cut, (began, grace): (Instant, Duration)) {
    while !stage.is_in() {
        let limit = if stage.is_typing() {
            grace * TYPING
        } else {
            grace
        };
        let limit = tokio::time::Instant::from_std(began + limit);
        tokio::select! {
            () = stage.next() => {}
            () = sleep_until(limit) => {
                cut.cut();
                std::future::pending::<()>().await;
            }
        }
    }
    if timeout(IDLE, stage.opened()).await.is_ok() {
        stage.closed().await;
        sleep(LINGER).await;
    }
    cut.cut();
    std::future::pending::<()>().await;
}
