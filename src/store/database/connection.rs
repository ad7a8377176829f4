//! The connections: a thread with a runtime of its own speaks the protocol, everybody else waits for it.

use std::collections::HashSet;
use std::error::Error as _;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::runtime::{Builder, Handle, RuntimeFlavor};
use tokio::sync::mpsc::{
    Receiver as Notices, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel,
};
use tokio::sync::{oneshot, watch};
use tokio::task::{AbortHandle, block_in_place};
use tokio::time::{sleep, timeout};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{AsyncMessage, Client, Config, Error, NoTls, Socket, tls::NoTlsStream};

use super::{Append, Appended, Event, Row, SCHEMA, TABLES, Value};
use crate::store::error::StoreError;

/// The longest that connecting may take.
const CONNECTING: Duration = Duration::from_secs(5);
/// A connection that is silent for so long with an event on its way counts as lost.
const SILENCE: Duration = Duration::from_secs(5);
/// How long the next attempt to connect waits.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_secs(2)];
/// So many messages may wait.
const NOTICES: usize = 10_000;
/// So many events at most go in one statement.
const AT_ONCE: usize = 500;

/// Inserts events and tells of them; returns those that were inserted. In one order in every process, so that two
/// never wait for each other.
const APPEND: &str = "
with new as (
    insert into journal (game, n, line, act)
    select one.* from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) as one (game, n, line, act)
    join game on game.id = one.game and game.kept = 'open'
    order by one.game, one.n, one.act
    on conflict do nothing
    returning game, n, act)
select act, pg_notify('tableside', json_build_object('game', game, 'node', $5::bigint)::text)::text from new";

/// Which of these events are there.
const SETTLE: &str = "
select journal.act from journal join unnest($1::bigint[], $2::bigint[], $3::bigint[]) as one (game, n, act)
on journal.game = one.game and journal.n = one.n and journal.act = one.act";

/// An event that somebody waits for.
struct Waiting {
    append: Append,
    /// Whoever sets it decides: it is sent, or it is not any more.
    is_taken: Arc<AtomicBool>,
    until: Instant,
    answer: SyncSender<Appended>,
}

/// A connection that is there.
struct Live {
    client: Client,
    driver: AbortHandle,
}

/// Since when a connection is lost.
type Lost = Arc<Mutex<Option<Instant>>>;

/// A connection that is made again whenever it breaks.
#[derive(Clone)]
struct Link {
    live: watch::Receiver<Option<Arc<Live>>>,
}

/// Both connections of a process: one that asks, and one that appends and hears, which is made when it is needed.
pub(super) struct Connection {
    runtime: Handle,
    shown: String,
    asking: Link,
    appends: UnboundedSender<Waiting>,
    notices: Sender<String>,
    /// Begins the second connection.
    begin: watch::Sender<bool>,
    /// Since when the second one is lost.
    lost: Lost,
    /// Ends the thread with it.
    _end: oneshot::Sender<()>,
}

impl Link {
    /// The connection, once it is there.
    async fn live(&self) -> Option<Arc<Live>> {
        let mut live = self.live.clone();
        let there = live.wait_for(Option::is_some).await.ok()?;
        there.clone()
    }

    /// Waits until that connection is given up.
    async fn without(&self, gone: &Arc<Live>) {
        gone.driver.abort();
        let is_other =
            |now: &Option<Arc<Live>>| now.as_ref().is_none_or(|now| !Arc::ptr_eq(now, gone));
        self.live.clone().wait_for(is_other).await.ok();
    }
}

impl Connection {
    /// Connects once, so that what is wrong with the address is said.
    pub(super) fn open(url: &str) -> Result<(Self, String, Receiver<Event>), StoreError> {
        let config = configure(url)?;
        let shown = shown(&config);
        let (told, tell) = sync_channel(1);
        let (end, ended) = oneshot::channel::<()>();
        let (begin, begun) = watch::channel(false);
        let (appends, waiting) = unbounded_channel();
        let (notices, noted) = channel(NOTICES);
        let (events, heard) = mpsc::channel();
        let lost = Lost::default();
        let is_lost = Arc::clone(&lost);
        let name = shown.clone();
        let work = move || {
            let runtime = match Builder::new_current_thread().enable_all().build() {
                Ok(runtime) => runtime,
                Err(error) => {
                    let why = format!("cannot speak to the database {name}: {error}");
                    return told.send(Err(refused(why))).unwrap_or_default();
                }
            };
            let run = async move {
                let first = match connect(&config, &name).await {
                    Ok(first) => first,
                    Err(error) => return told.send(Err(error)).unwrap_or_default(),
                };
                let (asking, live) = watch::channel(None);
                tokio::spawn(keep(config.clone(), Some(first), asking, None));
                let asking = Link { live };
                let writing = write(config, begun, (waiting, noted), (is_lost, events));
                tokio::spawn(writing);
                told.send(Ok((Handle::current(), asking)))
                    .unwrap_or_default();
                ended.await.ok();
            };
            runtime.block_on(run);
        };
        let thread = thread::Builder::new().name("database".to_owned());
        thread
            .spawn(work)
            .map_err(|error| refused(format!("cannot speak to a database: {error}")))?;
        let silent = || refused("the database does not answer".to_owned());
        let (runtime, asking) = tell.recv().map_err(|_ended| silent())??;
        let connection = Self {
            runtime,
            shown: shown.clone(),
            asking,
            appends,
            notices,
            begin,
            lost,
            _end: end,
        };
        Ok((connection, shown, heard))
    }

    /// Since when no event can be appended.
    pub(super) fn lost_since(&self) -> Option<Instant> {
        *self.lost.lock()
    }

    /// Begins the connection that appends and hears.
    pub(super) fn begin(&self) {
        self.begin.send_replace(true);
    }

    pub(super) fn query(
        &self,
        sql: &str,
        values: &[Value],
        is_read: bool,
        patience: [Duration; 2],
    ) -> Result<Vec<Row>, StoreError> {
        let (sql, values, link) = (sql.to_owned(), values.to_vec(), self.asking.clone());
        let is_there = link.live.borrow().is_some();
        let (answer, answered) = sync_channel(1);
        let task = self.runtime.spawn(async move {
            while let Some(live) = link.live().await {
                let asked = ask(&live.client, &sql, &values).await;
                match asked {
                    Err(error) if is_read && is_lost(&error) => link.without(&live).await,
                    asked => return answer.send(asked).unwrap_or_default(),
                }
            }
        });
        let shown = &self.shown;
        match waiting(|| answered.recv_timeout(patience[usize::from(is_there)])) {
            Ok(Ok(rows)) => Ok(rows),
            Ok(Err(error)) => Err(refused(format!("the database {shown}: {}", words(&error)))),
            Err(_) => {
                task.abort();
                Err(refused(format!("the database {shown} does not answer")))
            }
        }
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
        if self.appends.send(waits).is_err() {
            return Appended::NotSent;
        }
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

    pub(super) fn notify(&self, message: String) {
        // Who says more than that while nothing is heard says it again.
        self.notices.try_send(message).ok();
    }
}

/// Waits for what blocks; the other tasks of a runtime go on meanwhile.
fn waiting<T>(wait: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|handle| handle.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(wait),
        _ => wait(),
    }
}

fn configure(url: &str) -> Result<Config, StoreError> {
    let wrong = |why: &str| {
        let what = format!("--database: {why}; it should be like postgres://USER@HOST/NAME");
        StoreError::Database { what, hint: None }
    };
    let mut config: Config = url.parse().map_err(|error: Error| wrong(&words(&error)))?;
    if config.get_ssl_mode() == SslMode::Require {
        return Err(wrong(
            "sslmode=require is not spoken, only Unix sockets and unencrypted TCP",
        ));
    }
    config.connect_timeout(CONNECTING);
    config.tcp_user_timeout(SILENCE * 2);
    config.application_name("tableside");
    Ok(config)
}

/// Where a database is, without who asks.
fn shown(config: &Config) -> String {
    let name = config
        .get_dbname()
        .or_else(|| config.get_user())
        .unwrap_or_default();
    let host = match config.get_hosts().first() {
        Some(Host::Tcp(host)) => host.as_str(),
        Some(Host::Unix(_)) | None => "",
    };
    format!("postgres://{host}/{name}")
}

fn refused(what: String) -> StoreError {
    let hint = "look whether it runs and can be reached; what was saved in it is safe";
    StoreError::Database {
        what,
        hint: Some(hint),
    }
}

/// An error in a few words.
fn words(error: &Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(said), _) => said.message().to_owned(),
        (None, Some(source)) => source.to_string(),
        (None, None) => error.to_string(),
    }
}

/// Whether the connection is gone, or the database asks to try again: not the fault of what was asked.
fn is_lost(error: &Error) -> bool {
    let code = error.code().map_or("", SqlState::code);
    let passes = ["08", "40", "57P"];
    error.as_db_error().is_none() || passes.iter().any(|class| code.starts_with(class))
}

type Made = (Client, tokio_postgres::Connection<Socket, NoTlsStream>);

async fn try_connect(config: &Config) -> Result<Made, Option<Error>> {
    let connected = timeout(CONNECTING, config.connect(NoTls)).await;
    connected.map_err(|_elapsed| None)?.map_err(Some)
}

/// Connects, and makes the tables where they are missing.
async fn connect(config: &Config, shown: &str) -> Result<(Arc<Live>, Driver), StoreError> {
    let failed = |error: &Error| {
        let words = words(error);
        match error.code() {
            Some(code) if code.code().starts_with("28") || code.code() == "3D000" => {
                let what = format!("the database {shown} lets nobody in: {words}");
                let hint = "see to the user, the password and the name in --database";
                StoreError::Database {
                    what,
                    hint: Some(hint),
                }
            }
            Some(_) => refused(format!("the database {shown}: {words}")),
            None => refused(format!("the database {shown} cannot be reached: {words}")),
        }
    };
    let silent = || refused(format!("the database {shown} does not answer"));
    let made = try_connect(config).await;
    let made = made.map_err(|error| error.map_or_else(silent, |error| failed(&error)))?;
    let (live, driver) = start(made, None);
    let number = |rows: Vec<Row>| rows.first().map_or(0, |row| row.number(0));
    let found = "select count(*) from pg_class where oid in (to_regclass('tableside'), to_regclass('file'))";
    let client = &live.client;
    let found = ask(client, found, &[])
        .await
        .map_err(|error| failed(&error))?;
    if number(found) < 2 {
        let make = format!("begin; select pg_advisory_xact_lock(7236587265); {TABLES}; commit");
        let made = client.batch_execute(&make).await;
        made.map_err(|error| failed(&error))?;
    }
    let schema = ask(client, "select max(schema) from tableside", &[]).await;
    match number(schema.map_err(|error| failed(&error))?) {
        SCHEMA => Ok((live, driver)),
        newer => Err(StoreError::Database {
            what: format!(
                "the database {shown} has schema {newer}; this version knows schema {SCHEMA}"
            ),
            hint: Some("open it with a newer version of tableside"),
        }),
    }
}

type Driver = tokio::task::JoinHandle<()>;

/// Has a connection driven, and what it hears passed on.
fn start(
    (client, mut connection): Made,
    events: Option<mpsc::Sender<Event>>,
) -> (Arc<Live>, Driver) {
    let driver = tokio::spawn(async move {
        while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
            if let (AsyncMessage::Notification(one), Some(events)) = (message, &events) {
                events.send(Event::Notified(one.payload().to_owned())).ok();
            }
        }
    });
    let live = Live {
        client,
        driver: driver.abort_handle(),
    };
    (Arc::new(live), driver)
}

/// Keeps a connection, and makes it again when it breaks. One that passes on events hears what is told to all.
async fn keep(
    config: Config,
    mut first: Option<(Arc<Live>, Driver)>,
    live: watch::Sender<Option<Arc<Live>>>,
    hearing: Option<(Lost, mpsc::Sender<Event>)>,
) {
    let [shortest, longest] = PAUSES;
    let mut pause = shortest;
    let events = hearing.as_ref().map(|(_, events)| events);
    let tell = |event| {
        if let Some((lost, events)) = &hearing {
            match event {
                Event::Lost => *lost.lock().get_or_insert_with(Instant::now),
                _ => lost.lock().take().unwrap_or_else(Instant::now),
            };
            events.send(event).ok();
        }
    };
    loop {
        let made = if let Some(first) = first.take() {
            Some(first)
        } else {
            let made = try_connect(&config).await.ok();
            made.map(|made| start(made, events.cloned()))
        };
        if let Some((there, driver)) = made {
            let prepare = "set synchronous_commit = on; listen tableside";
            let prepared = match events {
                Some(_) => timeout(CONNECTING, there.client.batch_execute(prepare)).await,
                None => Ok(Ok(())),
            };
            if matches!(prepared, Ok(Ok(()))) {
                live.send_replace(Some(Arc::clone(&there)));
                tell(Event::Back);
                drop(there);
                driver.await.ok();
                pause = shortest;
            } else {
                driver.abort();
            }
            live.send_replace(None);
        }
        tell(Event::Lost);
        sleep(pause).await;
        pause = longest.min(pause * 2);
    }
}

/// The connection that appends and hears, once it is wanted.
async fn write(
    config: Config,
    mut begun: watch::Receiver<bool>,
    (mut appends, mut notices): (UnboundedReceiver<Waiting>, Notices<String>),
    (lost, events): (Lost, mpsc::Sender<Event>),
) {
    if begun.wait_for(|begun| *begun).await.is_err() {
        return;
    }
    let (link, live) = watch::channel(None);
    let link_of = Link { live };
    tokio::spawn(keep(config, None, link, Some((lost, events.clone()))));
    let telling = link_of.clone();
    tokio::spawn(async move {
        while let Some(message) = notices.recv().await {
            if let Some(live) = telling.live().await {
                let say = "select pg_notify('tableside', $1)::text";
                ask(&live.client, say, &[Value::Text(message)]).await.ok();
            }
        }
    });
    let mut batch = Vec::new();
    while appends.recv_many(&mut batch, AT_ONCE).await > 0 {
        append_all(&link_of, &mut batch, &events).await;
    }
}

/// Appends all that waits, in one statement, and answers.
async fn append_all(link: &Link, batch: &mut Vec<Waiting>, events: &mpsc::Sender<Event>) {
    let mut is_again = false;
    while !batch.is_empty() {
        let last = batch.iter().map(|one| one.until).max();
        let patience = last.map_or(Duration::ZERO, |last| {
            last.saturating_duration_since(Instant::now())
        });
        let live = timeout(patience, link.live()).await.ok().flatten();
        let now = Instant::now();
        // Who has waited too long is told; what was sent before is not sent a second time then.
        batch.retain(|one| {
            if live.is_some()
                && one.until > now
                && (is_again || !one.is_taken.swap(true, Ordering::AcqRel))
            {
                return true;
            }
            if is_again {
                one.answer.send(Appended::Unknown).ok();
            }
            false
        });
        let Some(live) = live else { return };
        if batch.is_empty() {
            return;
        }
        let done = match timeout(SILENCE, insert(&live.client, batch, is_again)).await {
            Ok(Ok(done)) => done,
            Ok(Err(error)) if !is_lost(&error) => {
                for one in batch.drain(..) {
                    one.answer.send(Appended::Refused(words(&error))).ok();
                }
                return;
            }
            _ => {
                is_again = true;
                link.without(&live).await;
                continue;
            }
        };
        for one in batch.drain(..) {
            let is_done = done.contains(&one.append.act);
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
}

/// Inserts events, and returns which are there. Where an answer was lost, those of then are there already.
async fn insert(client: &Client, batch: &[Waiting], is_again: bool) -> Result<HashSet<i64>, Error> {
    let numbers =
        |of: fn(&Append) -> i64| Value::Numbers(batch.iter().map(|one| of(&one.append)).collect());
    let (games, acts) = (numbers(|one| one.game), numbers(|one| one.act));
    let ns = numbers(|one| super::signed(one.n));
    let lines = Value::Texts(batch.iter().map(|one| one.append.line.clone()).collect());
    let node = batch.first().map_or(0, |one| one.append.node);
    let values = [
        games.clone(),
        ns.clone(),
        lines,
        acts.clone(),
        Value::Number(node),
    ];
    let mut rows = ask(client, APPEND, &values).await?;
    if is_again {
        rows.extend(ask(client, SETTLE, &[games, ns, acts]).await?);
    }
    Ok(rows.iter().map(|row| row.number(0)).collect())
}

async fn ask(client: &Client, sql: &str, values: &[Value]) -> Result<Vec<Row>, Error> {
    let none: Option<String> = None;
    let values: Vec<(&(dyn ToSql + Sync), Type)> = values
        .iter()
        .map(|value| match value {
            Value::Nothing => (&none as &(dyn ToSql + Sync), Type::TEXT),
            Value::Number(one) => (one as _, Type::INT8),
            Value::Text(one) => (one as _, Type::TEXT),
            Value::Numbers(all) => (all as _, Type::INT8_ARRAY),
            Value::Texts(all) => (all as _, Type::TEXT_ARRAY),
        })
        .collect();
    let rows = client.query_typed(sql, &values).await?;
    let read = |row: &tokio_postgres::Row| {
        let columns = row.columns().iter().enumerate();
        let values = columns.map(|(at, column)| match *column.type_() {
            Type::INT8 => row
                .try_get::<_, Option<i64>>(at)
                .map(|one| one.map(Value::Number)),
            _ => row
                .try_get::<_, Option<String>>(at)
                .map(|one| one.map(Value::Text)),
        });
        let values = values.map(|value| Ok(value?.unwrap_or(Value::Nothing)));
        Ok(Row(values.collect::<Result<_, Error>>()?))
    };
    rows.iter().map(read).collect()
}
