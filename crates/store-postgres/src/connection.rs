//! The connection: a thread with a runtime of its own speaks the protocol, everybody else waits for it.

use std::collections::HashSet;
use std::error::Error as _;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};
use tokio::runtime::{Builder, Handle, RuntimeFlavor};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{oneshot, watch};
use tokio::task::{AbortHandle, JoinHandle, block_in_place};
use tokio::time::{sleep, timeout};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{Append, Appended, Event, PATIENCE, Row, SCHEMA, TABLES};
use crate::error::StoreError;

/// The longest that connecting may take, or an event without an answer: then the connection counts as lost.
const SILENCE: Duration = Duration::from_secs(5);
/// How long what is asked waits for a slow answer.
const LONG_PATIENCE: Duration = Duration::from_secs(30);
/// How long the next attempt to connect waits, at least and at most.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];
/// So many events at most go in one statement.
const AT_ONCE: usize = 500;

/// Inserts events and tells of them; returns those that were inserted. In one order in every process, so that two
/// never wait for each other.
const APPEND: &str = "
with new as (
    insert into journal (game, n, line, act)
    select one.* from json_to_recordset($1::json) as one (game bigint, n bigint, line text, act bigint)
    join game on game.id = one.game and game.kept = 'open'
    order by one.game, one.n, one.act
    on conflict do nothing
    returning game, n, act)
select act::text, pg_notify('tableside', json_build_object('game', game, 'node', $2::bigint)::text)::text from new";

/// Which of these events are there.
const SETTLE: &str = "
select journal.act::text from journal
join json_to_recordset($1::json) as one (game bigint, n bigint, act bigint) using (game, n, act)";

/// An event that somebody waits for.
struct Waiting {
    append: Append,
    /// Whoever sets it decides: it is sent, or it is not any more.
    is_taken: Arc<AtomicBool>,
    until: Instant,
    answer: SyncSender<Appended>,
}

/// Where the database is, and whom it is believed to be.
struct Address {
    config: Config,
    tls: MakeRustlsConnect,
}

/// A connection that is there.
struct Live {
    client: Client,
    driver: AbortHandle,
}

/// A connection that is made again whenever it breaks.
#[derive(Clone)]
struct Link(watch::Receiver<Option<Arc<Live>>>);

/// What is known of a connection from outside.
#[derive(Clone)]
struct Health {
    lost: Arc<Mutex<Option<Instant>>>,
    listens: Arc<AtomicBool>,
    events: mpsc::Sender<Event>,
}

/// The connection of a process.
pub(super) struct Connection {
    runtime: Handle,
    link: Link,
    appends: UnboundedSender<Waiting>,
    health: Health,
    shown: String,
    /// Ends the thread with it.
    _end: oneshot::Sender<()>,
}

impl Link {
    /// The connection, once it is there.
    async fn live(&self) -> Option<Arc<Live>> {
        let mut live = self.0.clone();
        let there = live.wait_for(Option::is_some).await.ok()?;
        there.clone()
    }

    /// Gives that connection up.
    async fn without(&self, gone: &Arc<Live>) {
        gone.driver.abort();
        let is_other =
            |now: &Option<Arc<Live>>| now.as_ref().is_none_or(|now| !Arc::ptr_eq(now, gone));
        self.0.clone().wait_for(is_other).await.ok();
    }
}

impl Connection {
    /// Connects once, so that what is wrong with the address is said.
    pub(super) fn open(url: &str) -> Result<(Self, String, Receiver<Event>), StoreError> {
        let address = configure(url)?;
        let shown = shown(&address.config);
        let (told, tell) = sync_channel(1);
        let (end, ended) = oneshot::channel::<()>();
        let (appends, waiting) = unbounded_channel();
        let (events, heard) = mpsc::channel();
        let health = Health {
            lost: Arc::default(),
            listens: Arc::default(),
            events,
        };
        let (name, of_thread) = (shown.clone(), health.clone());
        let threadless = |error| refused(format!("cannot speak to a database: {error}"));
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(threadless)?;
        let work = move || {
            runtime.block_on(async move {
                let opened = connect(&address, &name, &of_thread).await;
                let answer = opened.map(|first| {
                    let (live, link) = watch::channel(None);
                    let link = Link(link);
                    tokio::spawn(append_all(link.clone(), waiting, of_thread.events.clone()));
                    tokio::spawn(keep(address, first, live, of_thread));
                    (Handle::current(), link)
                });
                if told.send(answer).is_ok() {
                    ended.await.ok();
                }
            });
        };
        let thread = thread::Builder::new().name("database".to_owned());
        thread.spawn(work).map_err(threadless)?;
        let silent = || refused(format!("the database {shown} does not answer"));
        let (runtime, link) = tell.recv().map_err(|_ended| silent())??;
        let connection = Self {
            runtime,
            link,
            appends,
            health,
            shown: shown.clone(),
            _end: end,
        };
        Ok((connection, shown, heard))
    }

    /// Since when there is none.
    pub(super) fn lost_since(&self) -> Option<Instant> {
        *self.health.lost.lock()
    }

    /// Has it hear what other processes tell, from now on.
    pub(super) fn listen(&self) {
        self.health.listens.store(true, Ordering::Relaxed);
        self.spawn("listen tableside".to_owned(), Vec::new());
    }

    /// Tells all processes something; what is said while there is no connection is not heard.
    pub(super) fn notify(&self, message: String) {
        self.spawn(
            "select pg_notify('tableside', $1)::text".to_owned(),
            vec![message],
        );
    }

    fn spawn(&self, sql: String, values: Vec<String>) {
        let live = self.link.0.borrow().clone();
        if let Some(live) = live {
            self.runtime
                .spawn(async move { ask(&live.client, &sql, &values).await.map(drop) });
        }
    }

    pub(super) fn query(
        &self,
        sql: &str,
        values: &[&str],
        is_read: bool,
    ) -> Result<Vec<Row>, StoreError> {
        let (sql, link) = (sql.to_owned(), self.link.clone());
        let values: Vec<String> = values.iter().map(|&value| value.to_owned()).collect();
        let (answer, answered) = sync_channel(1);
        let task = self.runtime.spawn(async move {
            while let Some(live) = link.live().await {
                match ask(&live.client, &sql, &values).await {
                    Err(error) if is_read && is_lost(&error) => link.without(&live).await,
                    asked => return answer.send(asked).unwrap_or_default(),
                }
            }
        });
        let patience = self.lost_since().map_or(LONG_PATIENCE, |_| PATIENCE);
        let failed = |what: &str| refused(format!("the database {}{what}", self.shown));
        if let Ok(asked) = waiting(|| answered.recv_timeout(patience)) {
            return asked.map_err(|error| failed(&format!(": {}", words(&error))));
        }
        task.abort();
        Err(failed(" does not answer"))
    }

    pub(super) fn append(&self, append: Append, until: Instant) -> Appended {
        let (answer, answered) = sync_channel(1);
        let is_taken = Arc::new(AtomicBool::new(false));
        let waits = Waiting {
            append,
            is_taken: Arc::clone(&is_taken),
            until,
            answer,
        };
        self.appends.send(waits).ok();
        let patience = until.saturating_duration_since(Instant::now());
        waiting(|| match answered.recv_timeout(patience) {
            Ok(appended) => appended,
            Err(_) if !is_taken.swap(true, Ordering::AcqRel) => Appended::NotSent,
            // It is on its way, and may still be answered.
            Err(_) => answered
                .recv_timeout(SILENCE * 2)
                .unwrap_or(Appended::Unknown),
        })
    }
}

impl Address {
    /// True if the clock is before 1970 and the connection is encrypted: certificates cannot be checked then, and rustls
    /// would panic.
    fn needs_later_clock(&self) -> bool {
        let is_encrypted = self.config.get_ssl_mode() != SslMode::Disable;
        is_encrypted && SystemTime::now() < SystemTime::UNIX_EPOCH
    }
}

/// Waits for what blocks; the other tasks of a runtime go on meanwhile.
fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(wait),
        _ => wait(),
    }
}

/// Reads an address; `sslrootcert` and `verify-full` are PostgreSQL's own words, which the driver does not know.
fn configure(url: &str) -> Result<Address, StoreError> {
    let wrong = |why: &str| {
        let what = format!("--database: {why}; it should be like postgres://USER@HOST/NAME");
        StoreError::Database { what, hint: None }
    };
    let mut options = url.split(['?', '&', ' ']);
    let file = options.find_map(|option| option.strip_prefix("sslrootcert="));
    let mut plain = url.replace("sslmode=verify-full", "sslmode=require");
    if let Some(file) = file {
        plain = plain.replace(&format!("sslrootcert={file}"), "application_name=tableside");
    }
    let parsed = plain.parse();
    let mut config: Config = parsed.map_err(|error: Error| wrong(&words(&error)))?;
    // There is no half way: with TLS the server has to prove who it is, and who names its certificate wants TLS.
    if config.get_ssl_mode() == SslMode::Prefer {
        let mode = file.map_or(SslMode::Disable, |_| SslMode::Require);
        config.ssl_mode(mode);
    }
    let roots = roots(file).map_err(|why| StoreError::Database {
        what: format!("--database: {why}"),
        hint: Some("sslrootcert names the file with the certificate of the server"),
    })?;
    let tls = ClientConfig::builder().with_root_certificates(roots);
    let tls = MakeRustlsConnect::new(tls.with_no_client_auth());
    // What is answered must be on the disk, however the server is set.
    let options = config.get_options().unwrap_or_default().to_owned();
    config.options(options + " -c synchronous_commit=on");
    config
        .tcp_user_timeout(SILENCE * 2)
        .application_name("tableside");
    let address = Address { config, tls };
    if address.needs_later_clock() {
        let what = "--database: this machine's clock is before 1970, so that no certificate can be checked";
        return Err(StoreError::Database {
            what: what.to_owned(),
            hint: Some("set the clock"),
        });
    }
    Ok(address)
}

/// Whose certificates are believed: those of that file, else those that browsers believe.
fn roots(file: Option<&str>) -> Result<RootCertStore, String> {
    let Some(file) = file else {
        return Ok(webpki_roots::TLS_SERVER_ROOTS.iter().cloned().collect());
    };
    let mut roots = RootCertStore::empty();
    let all = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let all = all.map_err(|error| format!("{file} cannot be read: {error}"))?;
    match roots.add_parsable_certificates(all) {
        (0, _) => Err(format!("{file} holds no certificate")),
        _ => Ok(roots),
    }
}

/// Where a database is, without who asks.
fn shown(config: &Config) -> String {
    let name = config.get_dbname().or_else(|| config.get_user());
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.as_str(),
        Some(Host::Unix(_)) | None => "",
    };
    format!("postgres://{host}/{}", name.unwrap_or_default())
}

fn refused(what: String) -> StoreError {
    let hint = Some("look whether it runs and can be reached; what was saved in it is safe");
    StoreError::Database { what, hint }
}

/// An error in a few words.
fn words(error: &Error) -> String {
    let said = error.as_db_error().map(|said| said.message().to_owned());
    let source = || error.source().map(ToString::to_string);
    said.or_else(source).unwrap_or_else(|| error.to_string())
}

/// Whether the connection is gone, or the database asks to try again: not the fault of what was asked.
fn is_lost(error: &Error) -> bool {
    let code = error.code().map_or("", SqlState::code);
    error.as_db_error().is_none()
        || ["08", "40", "57P"]
            .iter()
            .any(|class| code.starts_with(class))
}

type Made = (Arc<Live>, JoinHandle<()>);

/// Connects, and has what is heard passed on.
async fn try_connect(address: &Address, health: &Health) -> Result<Made, Option<Error>> {
    if address.needs_later_clock() {
        return Err(None);
    }
    let connected = timeout(SILENCE, address.config.connect(address.tls.clone())).await;
    let (client, mut connection) = connected.map_err(|_elapsed| None)?.map_err(Some)?;
    let events = health.events.clone();
    let driver = tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(one) = message {
                events.send(Event::Notified(one.payload().to_owned())).ok();
            }
        }
    });
    if health.listens.load(Ordering::Relaxed) {
        ask(&client, "listen tableside", &[]).await?;
    }
    let live = Live {
        client,
        driver: driver.abort_handle(),
    };
    Ok((Arc::new(live), driver))
}

/// Connects for the first time, and makes the tables where they are missing.
async fn connect(address: &Address, shown: &str, health: &Health) -> Result<Made, StoreError> {
    let failed = |error: Option<Error>| {
        let Some(error) = error else {
            return refused(format!("the database {shown} does not answer"));
        };
        let words = words(&error);
        match error.code().map(SqlState::code) {
            Some(code) if code.starts_with("28") || code == "3D000" => StoreError::Database {
                what: format!("the database {shown} lets nobody in: {words}"),
                hint: Some("see to the user, the password and the name in --database"),
            },
            None if words.contains("certificate") => StoreError::Database {
                what: format!("the database {shown} cannot be trusted: {words}"),
                hint: Some(
                    "name the server as its certificate does, and its file with sslrootcert=FILE",
                ),
            },
            Some(_) => refused(format!("the database {shown}: {words}")),
            None => refused(format!("the database {shown} cannot be reached: {words}")),
        }
    };
    let made = try_connect(address, health).await.map_err(failed)?;
    let client = &made.0.client;
    let found = "select 1::text from pg_class where oid = to_regclass('file')";
    if ask(client, found, &[])
        .await
        .map_err(|error| failed(Some(error)))?
        .is_empty()
    {
        let make = format!("begin; select pg_advisory_xact_lock(7236587265); {TABLES}; commit");
        let made = client.batch_execute(&make).await;
        made.map_err(|error| failed(Some(error)))?;
    }
    let schema = ask(client, "select max(schema)::text from tableside", &[]).await;
    let schema = schema.map_err(|error| failed(Some(error)))?;
    match schema.first().map_or("", |row| row.text(0)) {
        SCHEMA => Ok(made),
        newer => Err(StoreError::Database {
            what: format!(
                "the database {shown} has schema {newer}; this version knows schema {SCHEMA}"
            ),
            hint: Some("open it with a newer version of tableside"),
        }),
    }
}

/// Keeps the connection, and makes it again when it breaks.
async fn keep(
    address: Address,
    first: Made,
    live: watch::Sender<Option<Arc<Live>>>,
    health: Health,
) {
    let [shortest, longest] = PAUSES;
    let (mut made, mut pause) = (Some(first), shortest);
    loop {
        if let Some((there, driver)) = made {
            live.send_replace(Some(there));
            *health.lost.lock() = None;
            health.events.send(Event::Back).ok();
            driver.await.ok();
            live.send_replace(None);
            pause = shortest;
        }
        health.lost.lock().get_or_insert_with(Instant::now);
        health.events.send(Event::Lost).ok();
        sleep(pause).await;
        pause = longest.min(pause * 2);
        made = try_connect(&address, &health).await.ok();
    }
}

/// Appends what waits, all of it in one statement, and answers.
async fn append_all(
    link: Link,
    mut appends: UnboundedReceiver<Waiting>,
    events: mpsc::Sender<Event>,
) {
    let mut batch = Vec::new();
    let mut is_again = false;
    loop {
        if batch.is_empty() {
            is_again = false;
            if appends.recv_many(&mut batch, AT_ONCE).await == 0 {
                return;
            }
        }
        let lasts = batch.iter().map(|one| one.until);
        let last = lasts.max().unwrap_or_else(Instant::now);
        let live = timeout(last.saturating_duration_since(Instant::now()), link.live()).await;
        let live = live.ok().flatten();
        let now = Instant::now();
        // Who has waited too long is told so; what was sent before is not sent a second time then.
        batch.retain(|one: &Waiting| {
            let is_due = live.is_some() && one.until > now;
            if is_again && !is_due {
                one.answer.send(Appended::Unknown).ok();
            }
            is_due && (is_again || !one.is_taken.swap(true, Ordering::AcqRel))
        });
        let Some(live) = live.filter(|_| !batch.is_empty()) else {
            batch.clear();
            continue;
        };
        match timeout(SILENCE, insert(&live.client, &batch, is_again)).await {
            Ok(Ok(done)) => {
                for one in batch.drain(..) {
                    let is_done = done.contains(&one.append.attempt.to_string());
                    let answer = if is_done {
                        Appended::Done
                    } else {
                        Appended::Moved
                    };
                    if one.answer.send(answer).is_err() && is_done {
                        events.send(Event::Late(one.append.game)).ok();
                    }
                }
            }
            Ok(Err(error)) if !is_lost(&error) => {
                for one in batch.drain(..) {
                    one.answer.send(Appended::Refused(words(&error))).ok();
                }
            }
            _ => {
                is_again = true;
                link.without(&live).await;
            }
        }
    }
}

/// Inserts events, and returns which are there. Where an answer was lost, those of then are there already.
async fn insert(
    client: &Client,
    batch: &[Waiting],
    is_again: bool,
) -> Result<HashSet<String>, Error> {
    let all: Vec<&Append> = batch.iter().map(|one| &one.append).collect();
    let all = serde_json::to_string(&all).unwrap_or_default();
    let node = batch.first().map_or(0, |one| one.append.node).to_string();
    let mut rows = ask(client, APPEND, &[all.clone(), node]).await?;
    if is_again {
        rows.extend(ask(client, SETTLE, &[all]).await?);
    }
    Ok(rows.iter().map(|row| row.text(0).to_owned()).collect())
}

/// Asks for rows of texts, all values being texts, too.
async fn ask(client: &Client, sql: &str, values: &[String]) -> Result<Vec<Row>, Error> {
    let values = values
        .iter()
        .map(|one| (one as &(dyn ToSql + Sync), Type::TEXT));
    let rows = client.query_typed(sql, &values.collect::<Vec<_>>()).await?;
    let texts = |row: tokio_postgres::Row| {
        let all =
            (0..row.len()).map(|at| Ok(row.try_get::<_, Option<String>>(at)?.unwrap_or_default()));
        all.collect::<Result<_, Error>>().map(Row)
    };
    rows.into_iter().map(texts).collect()
}
