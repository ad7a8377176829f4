//! Hooks: other programs that are run, and addresses that are posted to, when something happens at the table.
//!
//! They stand in the game's `hooks.toml` and never hold up the table. Each hook has a thread with a queue of its own, so
//! that it gets what happened in order; `queue` says how long it tries.

mod message;
mod post;
mod program;
mod queue;

use std::fs;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::Deserialize;
use ureq::http::Uri;

use super::CliError;
use super::recap::local_time;
use message::KINDS;
use queue::HookQueue;
use tableside_store::file::{self, Links};
use tableside_table::{HookEventReader, Seat, Table, TimeSource, Watching};
use tableside_text::{describe_toml_error, sanitise};

/// The file in a game's folder.
const FILE: &str = "hooks.toml";

/// The largest file that is read.
const LARGEST: u64 = 64 * 1024;

/// The most hooks of a game.
const MOST: usize = 32;

/// How long hooks may run after the table has closed.
const CLOSING: Duration = Duration::from_secs(5);

/// The same, with the time that a hook may take to notice that it is over.
pub(super) const LONGEST_CLOSING: Duration = Duration::from_secs(6);

/// The most reports that are kept until the table closes.
const REPORTS: usize = 20;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hooks {
    #[serde(default)]
    hook: Vec<Hook>,
}

/// One hook as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hook {
    /// What it is told of.
    on: Vec<String>,
    /// A program with its arguments, no shell; `{text}` is what happened in words. It reads the entry as JSON.
    #[serde(default)]
    run: Vec<String>,
    /// An address that gets it.
    #[serde(default)]
    post: String,
    /// What is posted: `json`, the entry, or `discord`, a message of a group chat.
    #[serde(default, rename = "as")]
    form: Form,
    /// Whose eyes it has: `players`, which is usual, or `gm`.
    #[serde(default)]
    sees: Sees,
}

/// What is posted.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    /// The entry, as `log --json` writes it.
    #[default]
    Json,
    /// A message of a group chat.
    Discord,
}

/// What a hook is told of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Sees {
    /// What everybody at the table sees.
    #[default]
    Players,
    Gm,
}

impl Hook {
    /// The host that it posts to, without a user name and a path, which may be secrets.
    fn host(&self) -> Option<String> {
        let address = self.post.parse::<Uri>().ok()?;
        let host = address.host().filter(|host| !host.is_empty())?;
        Some(host.to_owned())
    }

    /// How messages name it: its place in the file, and its program or host. Arguments and paths may be secrets.
    fn name(&self, number: usize) -> String {
        let program = self.run.first().map(Path::new).and_then(Path::file_name);
        let program = program.map(|name| name.to_string_lossy().into_owned());
        let target = program.or_else(|| self.host()).unwrap_or_default();
        format!("hook {number} ({})", sanitise(&target, 60))
    }
}

/// Also gets each report of messages that were given up.
pub(super) type Echo = Arc<dyn Fn(&str) + Send + Sync>;

/// The end of a channel that every thread of some hooks holds: when the last one ends, the other end is disconnected.
pub(super) type Alive = Sender<()>;

/// Options for starting the hooks of a game.
pub(super) struct HookOptions {
    pub(super) clock: TimeSource,
    pub(super) echo: Option<Echo>,
    /// Held until all hooks have ended.
    pub(super) alive: Option<Alive>,
}

/// Hooks that run until this is dropped. [`RunningHooks::finish`] also waits for their pending messages.
pub(super) struct RunningHooks {
    watching: Option<Watching>,
    listener: Option<JoinHandle<()>>,
    queues: Vec<Arc<HookQueue>>,
    reporter: Arc<Reporter>,
    ended: Receiver<()>,
}

/// Reports lost messages to the GM.
struct Reporter {
    table: Weak<Table>,
    echo: Option<Echo>,
    /// The latest reports, the newest last.
    reports: Mutex<Vec<String>>,
}

impl Reporter {
    fn report(&self, words: String) {
        if let Some(table) = self.table.upgrade() {
            table.message_gm(words.clone());
        }
        if let Some(echo) = &self.echo {
            echo(&words);
        }

        let mut reports = self.reports.lock();
        if reports.len() == REPORTS {
            reports.remove(0);
        }
        reports.push(words);
    }
}

/// Runs the hooks of the game for as long as the result is kept, if its folder has any. A game in a database has none: a
/// database must not choose programs.
pub(super) fn run(
    table: &Arc<Table>,
    options: HookOptions,
) -> Result<Option<RunningHooks>, CliError> {
    let Some(folder) = table.folder() else {
        return Ok(None);
    };
    let hooks = read_file(&folder.join(FILE))?;
    if hooks.is_empty() {
        return Ok(None);
    }

    let reporter = Arc::new(Reporter {
        table: Arc::downgrade(table),
        echo: options.echo,
        reports: Mutex::default(),
    });
    let (alive, ended) = channel();

    let mut queues = Vec::new();
    for (number, hook) in (1..).zip(hooks) {
        let queue = Arc::new(HookQueue::new(number, hook, options.clock));
        queues.push(Arc::clone(&queue));
        let (reporter, own_alive) = (Arc::clone(&reporter), alive.clone());
        let caller_alive = options.alive.clone();
        let work = move || {
            queue.work(&|words| reporter.report(words));
            drop((own_alive, caller_alive));
        };
        start("hook", work)?;
    }

    let (wake, woken) = sync_channel(1);
    let listener = Listener::new(table, &queues);
    let listener = start("hooks", move || listener.listen(&woken))?;
    let watching = table.watch(Box::new(move |_| {
        // A wake-up that already waits is enough.
        wake.try_send(()).ok();
    }));

    Ok(Some(RunningHooks {
        watching: Some(watching),
        listener: Some(listener),
        queues,
        reporter,
        ended,
    }))
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, CliError> {
    let started = thread::Builder::new().name(name.to_owned()).spawn(work);
    started.map_err(|error| CliError::failed(format!("hooks cannot be run: {error}")))
}

impl RunningHooks {
    /// Queues the events up to now and stops listening. The table must still exist.
    pub(super) fn stop_listening(&mut self) {
        drop(self.watching.take());
        if let Some(listener) = self.listener.take() {
            // If the listener panicked, its remaining events are lost.
            listener.join().ok();
        }
    }

    fn close(&mut self) {
        self.stop_listening();
        let until = Instant::now() + CLOSING;
        for queue in &self.queues {
            queue.close(until);
        }
    }

    /// Ends the hooks after delivering pending messages for at most [`CLOSING`], and returns the reports.
    pub(super) fn finish(mut self) -> Vec<String> {
        self.close();

        if self.ended.recv_timeout(LONGEST_CLOSING) == Err(RecvTimeoutError::Timeout) {
            // A post that waits for an answer cannot be interrupted.
            for queue in &self.queues {
                queue.abandon(&|words| self.reporter.report(words));
            }
        }
        std::mem::take(&mut *self.reporter.reports.lock())
    }
}

impl Drop for RunningHooks {
    fn drop(&mut self) {
        self.close();
    }
}

/// Puts each event into the queues of the hooks that ask for it.
struct Listener {
    table: Weak<Table>,
    players: HookEventReader,
    gm: HookEventReader,
    queues: Vec<Arc<HookQueue>>,
}

impl Listener {
    fn new(table: &Arc<Table>, queues: &[Arc<HookQueue>]) -> Self {
        Self {
            table: Arc::downgrade(table),
            players: HookEventReader::new(table, &Seat::onlooker()).with_time(local_time),
            gm: HookEventReader::new(table, &Seat::gm()).with_time(local_time),
            queues: queues.to_vec(),
        }
    }

    /// Listens until the table is gone or the watching ends; then it queues the last events.
    fn listen(mut self, woken: &Receiver<()>) {
        loop {
            let is_last = woken.recv().is_err();
            let Some(table) = self.table.upgrade() else {
                return;
            };
            self.queue_news(&table);
            if is_last {
                return;
            }
        }
    }

    fn queue_news(&mut self, table: &Table) {
        for (sees, reader) in [(Sees::Players, &mut self.players), (Sees::Gm, &mut self.gm)] {
            for news in reader.next(table) {
                let news = Arc::new(news);
                for queue in &self.queues {
                    if queue.hook.sees == sees && queue.hook.on.iter().any(|on| on == news.on) {
                        queue.push(&news);
                    }
                }
            }
        }
    }
}

/// Reads the hooks of a file; none if there is no file.
fn read_file(path: &Path) -> Result<Vec<Hook>, CliError> {
    let wrong = |why: String| CliError::failed(format!("{}: {why}", path.display()));
    if fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Ok(Vec::new());
    }
    if let Some(open) = file::open_to_others(path) {
        return Err(wrong(open.describe("what programs are run")));
    }
    match file::read(path, LARGEST, Links::Refuse) {
        Ok(bytes) => read(&bytes).map_err(wrong),
        Err(error) => Err(wrong(format!("it cannot be read: {error}"))),
    }
}

/// Reads the file, or says what is wrong with it.
fn read(bytes: &[u8]) -> Result<Vec<Hook>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_error| "it is not UTF-8 text".to_owned())?;
    let hooks: Hooks = toml::from_str(text).map_err(|error| describe_toml_error(text, &error))?;
    if hooks.hook.len() > MOST {
        return Err(format!("a game has at most {MOST} hooks"));
    }
    for (number, hook) in (1..).zip(&hooks.hook) {
        let is_known = |on: &String| KINDS.contains(&on.as_str());
        if hook.on.is_empty() || !hook.on.iter().all(is_known) {
            let (on, known) = (&hook.on, KINDS.join(", "));
            return Err(format!("hook {number}: on = {on:?}; it takes {known}"));
        }
        let begins = hook.post.starts_with("https://") || hook.post.starts_with("http://");
        match (hook.run.is_empty(), hook.post.is_empty()) {
            (true, true) => return Err(format!("hook {number} needs run or post")),
            (false, false) => return Err(format!("hook {number} has run and post; it takes one")),
            (true, false) if !begins => {
                return Err(format!(
                    "hook {number}: post begins with https:// or http://"
                ));
            }
            // The address is not repeated: it is a secret.
            (true, false) if hook.host().is_none() => {
                return Err(format!(
                    "hook {number}: post is no address; it should be like https://HOST/PATH"
                ));
            }
            _ => {}
        }
    }
    Ok(hooks.hook)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_testing::assert_mistakes;

    #[test]
    fn a_mistaken_file_says_what_would_be_right() {
        assert_mistakes(include_str!("hooks/mistakes.txt"), |text| {
            read(text.as_bytes()).unwrap_err()
        });
    }

    #[test]
    fn a_hook_is_named_without_its_secrets() {
        let hook = |text: &str| read(text.as_bytes()).unwrap().remove(0);
        for (line, name) in [
            (
                "post = 'https://example.org/api/SECRET?a=SECRET'",
                "hook 3 (example.org)",
            ),
            (
                "post = 'http://user:SECRET@example.org:81/x'",
                "hook 3 (example.org)",
            ),
            ("post = 'http://[::1]:81/SECRET'", "hook 3 ([::1])"),
            (
                "run = ['/usr/bin/curl', 'https://example.org/SECRET']",
                "hook 3 (curl)",
            ),
        ] {
            assert_eq!(
                hook(&format!("[[hook]]\non = ['roll']\n{line}")).name(3),
                name
            );
        }
    }
}
