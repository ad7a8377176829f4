//! A socket that acknowledges at once and can be cut from outside, also in the middle of a write. After the
//! client's first words it waits for the connection's turn, because the key exchange that follows costs work.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::admission::{Place, Progress};

/// Bytes of the first words: a version fits in, a key does not.
const FIRST_WORDS: usize = 64;

pub(super) struct Socket {
    stream: TcpStream,
    cut: Pin<Box<dyn Future<Output = ()> + Send>>,
    place: Arc<Place>,
    spoke: bool,
    /// Waits for the turn; `None` once it has come.
    turn: Option<Pin<Box<dyn Future<Output = bool> + Send>>>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, place: Arc<Place>) -> Self {
        let (waiting, course) = (Arc::clone(&place), place.course.clone());
        Self {
            stream,
            cut: Box::pin(async move { course.wait_for(Progress::Cut).await }),
            place,
            spoke: false,
            turn: Some(Box::pin(async move { waiting.turn().await })),
        }
    }

    /// Reads the first words, then waits for the turn.
    fn poll_turn(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Some(turn) = &mut self.turn else {
            return Poll::Ready(Ok(()));
        };
        if !self.spoke {
            let mut words = [0; FIRST_WORDS];
            let room = buffer.remaining().min(FIRST_WORDS);
            let mut words = ReadBuf::new(words.get_mut(..room).unwrap_or_default());
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut words))?;
            buffer.put_slice(words.filled());
            self.place.course.reach(Progress::Spoke);
            self.spoke = true;
            return Poll::Ready(Ok(()));
        }
        ready!(self.stream.poll_peek(context, &mut ReadBuf::new(&mut [0])))?;
        self.place.course.reach(Progress::Exchanging);
        if ready!(turn.as_mut().poll(context)) {
            self.turn = None;
            Poll::Ready(Ok(()))
        } else {
            Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()))
        }
    }

    fn poll_cut(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        // A future that is done is not asked again.
        let is_cut = self.place.course.has_reached(Progress::Cut);
        if is_cut || self.cut.as_mut().poll(context).is_ready() {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Ok(())
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.poll_cut(context)?;
        let had = buffer.filled().len();
        ready!(self.poll_turn(context, buffer))?;
        if buffer.filled().len() == had {
            ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        }
        // The client holds its next packet back until this one is acknowledged. Linux forgets the setting after
        // each read.
        #[cfg(target_os = "linux")]
        self.stream.set_quickack(true).unwrap_or_default();
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_cut(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_cut(context)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_cut(context)?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
