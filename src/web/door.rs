//! Takes connections, as many as may be and each for as long as it reads, one question each.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncWrite, join};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// Bytes that the first line and the headers may have.
const HEADERS: usize = 16 * 1024;

/// The pause after an error of the system, such as too many open files.
const BREATH: Duration = Duration::from_millis(50);

/// The answer to one too many.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/// What a connection may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// So many at once.
    pub connections: usize,
    /// How long one may take to ask.
    pub asking: Duration,
    /// How long one that has something to read may read nothing.
    pub reading: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 256,
            asking: Duration::from_secs(5),
            reading: Duration::from_secs(20),
        }
    }
}

/// Takes connections for ever; an error of the system does not end the page.
pub(super) async fn accept(listener: TcpListener, routes: Router, limits: Bounds) {
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        match listener.accept().await {
            Ok((socket, _)) => match Arc::clone(&places).try_acquire_owned() {
                Ok(place) => {
                    drop(tokio::spawn(serve(socket, routes.clone(), limits, place)));
                }
                Err(_full) => drop(socket.try_write(FULL)),
            },
            Err(_) => sleep(BREATH).await,
        }
    }
}

async fn serve(socket: TcpStream, routes: Router, limits: Bounds, _place: OwnedSemaphorePermit) {
    if socket.set_nodelay(true).is_err() {
        return;
    }
    let (incoming, socket) = socket.into_split();
    let outgoing = Outgoing {
        socket,
        patience: limits.reading,
        stalled: None,
    };
    let mut http = http1::Builder::new();
    // The date that hyper would add is a panic where the clock is before 1970 or after 9999, and no browser needs it.
    http.timer(TokioTimer::new())
        .auto_date_header(false)
        .header_read_timeout(limits.asking)
        .max_buf_size(HEADERS)
        .keep_alive(false);
    let service = TowerToHyperService::new(routes);
    let talk = http.serve_connection(TokioIo::new(join(incoming, outgoing)), service);
    // Whatever went wrong, nobody is left to be told.
    talk.await.unwrap_or_default();
}

/// The way out of a connection; it fails when the other end reads nothing for too long.
struct Outgoing {
    socket: OwnedWriteHalf,
    patience: Duration,
    /// Runs while something waits to be read.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl AsyncWrite for Outgoing {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.patience;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
