//! The table as a page for everybody in the room: on a television, in a stream, on a phone.
//!
//! [`Page::open`] shows to browsers what a watcher's screen shows, and takes nothing from them. The view is made once
//! a change, on a thread of its own, and shared by all who look; browsers draw it. Connections have a runtime of their
//! own, with one thread, so that a thousand of them leave the table its processors.

mod door;
mod feed;
mod looks;
mod page_key;
mod routes;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

pub use door::{Bounds, MOST_VIEWERS};

use feed::Feed;
use looks::Looks;
use tableside_server::listen;
use tableside_table::{PublicPage, RequestError, Table, TableChange, Watching};
use tableside_tui::Theme;

/// The screens draw first.
const HEAD_START: Duration = Duration::from_millis(3);

/// How often the page looks whether another process gave it another key.
const KEY_LOOK: Duration = Duration::from_secs(2);

/// How long closing waits for the connections.
const FAREWELL: Duration = Duration::from_millis(200);

/// How the page is opened.
pub struct PageOpening {
    /// Where browsers find it.
    pub address: SocketAddr,
    /// Whether only those find it who were told the address: by a long random part of the path, which belongs to the
    /// game. Else only this machine finds it.
    pub has_key: bool,
    /// What a connection may take.
    pub limits: Bounds,
    /// The colours of a page that asks for no others.
    pub theme: Theme,
    /// What else it may ask for, beside the themes that come along.
    pub themes: Vec<Theme>,
}

/// A page that shows the table, until this is dropped.
pub struct Page {
    /// The first to go: without it the thread ends.
    watching: Option<Watching>,
    thread: Option<JoinHandle<()>>,
    runtime: Option<Runtime>,
    feed: Arc<Feed>,
}

impl Page {
    /// Opens the page of a table.
    pub fn open(table: &Arc<Table>, opening: &PageOpening) -> Result<Self, RequestError> {
        let failed = |error| RequestError::failed(format!("cannot open the page: {error}"));
        let mut runtime = Builder::new_multi_thread();
        runtime.worker_threads(1).thread_name("page").enable_all();
        let runtime = runtime.build().map_err(failed)?;
        let (listener, address) = listen(&runtime, opening.address)?;
        let feed = Arc::new(Feed::new(Arc::clone(table), address, opening.has_key)?);
        let routes = routes::routes(&feed, Looks::new(&opening.theme, &opening.themes));
        runtime.spawn(door::accept(listener, routes, opening.limits));
        let (tell, heard) = sync_channel(1);
        let told = tell.clone();
        let watching = table.watch(Box::new(move |news| {
            if news == TableChange::Changed {
                told.try_send(()).unwrap_or_default();
            }
        }));
        // What happened before anybody watched.
        tell.try_send(()).unwrap_or_default();
        let shown = Arc::clone(&feed);
        let thread = thread::Builder::new().name("page".to_owned());
        let thread = thread.spawn(move || {
            let mut next_look = Instant::now();
            loop {
                match heard.recv_timeout(next_look.saturating_duration_since(Instant::now())) {
                    Ok(()) => {
                        thread::sleep(HEAD_START);
                        shown.show();
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                if next_look <= Instant::now() {
                    shown.follow_key();
                    next_look = Instant::now() + KEY_LOOK;
                }
            }
        });
        let keeper: Arc<dyn PublicPage> = Arc::clone(&feed) as _;
        table.set_page(Arc::downgrade(&keeper));
        Ok(Self {
            watching: Some(watching),
            thread: Some(thread.map_err(failed)?),
            runtime: Some(runtime),
            feed,
        })
    }

    /// Where browsers find it, with the part of the path that nobody guesses.
    pub fn address(&self) -> String {
        self.feed.address()
    }

    /// The same in a sentence.
    pub fn describe(&self) -> String {
        format!("The page is at {}", self.address())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        drop(self.watching.take());
        self.thread.take().map(JoinHandle::join);
        let runtime = self.runtime.take().into_iter();
        runtime.for_each(|runtime| runtime.shutdown_timeout(FAREWELL));
    }
}
