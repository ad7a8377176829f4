//! Accepts browsers' connections, one request each, and limits how many there are and how long each may take.
//!
//! A connection that has not asked for a path of this page yet gives way to a newcomer. It gets one of the lasting places
//! only after [`routes`](super::routes) has checked its path.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, SystemTime};

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use tokio::io::{AsyncWrite, join};
use tokio::net::tcp::OwnedWriteHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::yield_now;
use tokio::time::{Sleep, sleep};

use tableside_server::{Admission, ConnectionSlot, Limits, LoginStage, arrive};

/// Bytes that the first line and the headers may have.
const HEADERS: usize = 16 * 1024;

/// The pause after an error of the system, such as too many open files.
const BREATH: Duration = Duration::from_millis(50);

/// The most browsers that may be allowed at once.
pub const MOST_VIEWERS: usize = 10_000;

/// The number of browsers that one address may always have, for example a household behind one router.
const FEW: u32 = 16;

/// The most connections that have not asked for anything yet.
const UNASKED: u32 = 256;

/// The most connections of one address that have not asked for anything yet.
const UNASKED_PER_ADDRESS: u32 = 64;

/// What a connection may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most browsers that look at the page at once. One address gets half of the places, or `FEW` if that is more.
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

impl Bounds {
    /// The same as limits of an [`Admission`], which counts browsers as watchers.
    fn limits(self) -> Limits {
        let watchers = u32::try_from(self.connections).unwrap_or(u32::MAX);
        Limits {
            watchers,
            connections_per_address: watchers.div_ceil(2).max(FEW),
            logging_in: UNASKED,
            logging_in_per_address: UNASKED_PER_ADDRESS,
            ..Limits::default()
        }
    }
}

/// What is answered while the clock shows a time that HTTP cannot write.
const BAD_CLOCK: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n\
    The clock of this machine is before 1970 or after 9999, and there is no page until it is set.\n";

/// True if HTTP can write that time: hyper renders the date of each answer, and panics outside of these years.
fn has_http_date(now: SystemTime) -> bool {
    // The first second of the year 10000.
    let too_late = 253_402_300_800;
    now.duration_since(SystemTime::UNIX_EPOCH)
        .is_ok_and(|since_1970| since_1970.as_secs() < too_late)
}

/// Takes connections for ever; an error of the system does not end the page.
pub(super) async fn accept(listener: TcpListener, routes: Router, bounds: Bounds) {
    let admission = Arc::new(Mutex::new(Admission::default()));
    admission.lock().limits = bounds.limits();

    loop {
        match listener.accept().await {
            Ok((socket, _)) if !has_http_date(SystemTime::now()) => {
                drop(socket.try_write(BAD_CLOCK));
            }
            Ok((socket, address)) => {
                // An IPv4 address may come in the form of IPv6.
                let slot = Arc::new(arrive(&admission, address.ip().to_canonical()));
                drop(tokio::spawn(serve(socket, routes.clone(), bounds, slot)));
                // The connections that are open already are read before the next one can push them out.
                yield_now().await;
            }
            Err(_) => sleep(BREATH).await,
        }
    }
}

async fn serve(socket: TcpStream, routes: Router, bounds: Bounds, slot: Arc<ConnectionSlot>) {
    if socket.set_nodelay(true).is_err() {
        return;
    }

    let (incoming, socket) = socket.into_split();
    let outgoing = Outgoing {
        socket,
        patience: bounds.reading,
        stalled: None,
    };
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(bounds.asking)
        .max_buf_size(HEADERS)
        .keep_alive(false);

    let routes = TowerToHyperService::new(routes);
    let slot_of_request = Arc::clone(&slot);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request
            .extensions_mut()
            .insert(Arc::clone(&slot_of_request));
        routes.call(request)
    });
    let talk = http.serve_connection(TokioIo::new(join(incoming, outgoing)), service);

    tokio::select! {
        // The connection is closed, so an error cannot be reported to the browser.
        _ended = talk => {}
        () = slot.progress.wait_for(LoginStage::Cut) => {}
    }
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
