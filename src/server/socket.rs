//! What a connection reads: acknowledged at once. After the client's first words it waits for the connection's
//! turn, because the key exchange that follows costs work.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::tcp::OwnedReadHalf;

use super::admission::{Place, Progress};

/// Bytes of the first words: a version fits in, a key does not.
const FIRST_WORDS: usize = 64;

pub(super) struct Incoming {
    stream: OwnedReadHalf,
    place: Arc<Place>,
    /// Waits for the turn; `None` once it has come.
    turn: Option<Pin<Box<dyn Future<Output = bool> + Send>>>,
}

impl Incoming {
    pub(super) fn new(stream: OwnedReadHalf, place: Arc<Place>) -> Self {
        let waiting = Arc::clone(&place);
        Self {
            stream,
            place,
            turn: Some(Box::pin(async move { waiting.turn().await })),
        }
    }

    fn poll_some(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(turn) = &mut self.turn {
            let course = &self.place.course;
            if !course.has_reached(Progress::Spoke) {
                let mut words = [0; FIRST_WORDS];
                let room = buffer.remaining().min(FIRST_WORDS);
                let mut words = ReadBuf::new(words.get_mut(..room).unwrap_or_default());
                ready!(Pin::new(&mut self.stream).poll_read(context, &mut words))?;
                buffer.put_slice(words.filled());
                course.reach(Progress::Spoke);
                return Poll::Ready(Ok(()));
            }
            ready!(self.stream.poll_peek(context, &mut ReadBuf::new(&mut [0])))?;
            course.reach(Progress::Exchanging);
            if !ready!(turn.as_mut().poll(context)) {
                return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
            }
            self.turn = None;
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
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
            let stream: &tokio::net::TcpStream = self.stream.as_ref();
            stream.set_quickack(true).unwrap_or_default();
        }
        Poll::Ready(Ok(()))
    }
}
