//! Hooks: other programs that are run, and addresses that are told, when something happens at the table. They stand in
//! the game's `hooks.toml`, and never hold up the table: a slow one is stopped, and of too many some are left out.

use std::io::{self, Seek as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use rustix::process::{Pid, Signal, kill_process_group};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::CliError;
use crate::file::{self, Links};
use crate::table::{CLOCK_FULL, HookNews, HookNewsReader, Seat, Table, Watching};
use crate::text::{escape_json, escaped, sanitise, toml_fault};

/// The file in a game's folder.
const FILE: &str = "hooks.toml";

/// The largest file that is read.
const LARGEST: u64 = 64 * 1024;

/// The most hooks of a game.
const MOST: usize = 32;

/// So many run at once.
const AT_ONCE: usize = 4;

/// So many wait at most; what comes when all are there is left out.
const WAITING: usize = 200;

/// A hook that takes longer is stopped.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often it is looked whether a program has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// The longest text that an argument or a message holds, in characters.
const LONGEST: usize = 1900;

/// What may stand at `on`.
const KINDS: [&str; 10] = [
    "roll",
    "dice",
    "scene",
    CLOCK_FULL,
    "clock",
    "tokens",
    "character",
    "round",
    "note",
    "undo",
];

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

/// Runs the hooks of the game for as long as the result is kept, if it has a folder with any: what stands in a database
/// never names a program.
pub(super) fn run(table: &Arc<Table>) -> Result<Option<Watching>, CliError> {
    let Some(folder) = table.folder() else {
        return Ok(None);
    };
    let path = folder.join(FILE);
    let hooks = match file::read(&path, LARGEST, Links::Refuse) {
        Ok(bytes) => read(&bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => Err(format!("it cannot be read: {error}")),
    };
    let hooks = hooks.map_err(|why| CliError::failed(format!("{}: {why}", path.display())))?;
    if hooks.is_empty() {
        return Ok(None);
    }
    let start = |name: &str, work: Box<dyn FnOnce() + Send>| {
        let thread = thread::Builder::new().name(name.into());
        let started = thread.spawn(work).map(drop);
        started.map_err(|error| CliError::failed(format!("hooks cannot be run: {error}")))
    };
    let (give, take) = sync_channel(WAITING);
    let take = Arc::new(Mutex::new(take));
    let trouble = Arc::new(Trouble {
        table: Arc::downgrade(table),
        told: Mutex::default(),
    });
    for _ in 0..AT_ONCE {
        let (take, trouble) = (Arc::clone(&take), Arc::clone(&trouble));
        start("hook", Box::new(move || work(&take, &trouble)))?;
    }
    let (wake, woken) = sync_channel(1);
    let readers = [Sees::Players, Sees::Gm].map(|sees| {
        let seat = match sees {
            Sees::Players => Seat::onlooker(),
            Sees::Gm => Seat::gm(),
        };
        (sees, HookNewsReader::new(table, &seat))
    });
    let weak = Arc::downgrade(table);
    let tell = move || announce(&weak, readers, &hooks, (&woken, &give), &trouble);
    start("hooks", Box::new(tell))?;
    let watching = table.watch(Box::new(move |_| {
        // One that waits already is enough.
        wake.try_send(()).ok();
    }));
    Ok(Some(watching))
}

/// Reads the file, or says what is wrong with it.
fn read(bytes: &[u8]) -> Result<Vec<Hook>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_error| "it is not UTF-8 text".to_owned())?;
    let hooks: Hooks = toml::from_str(text).map_err(|error| toml_fault(text, &error))?;
    if hooks.hook.len() > MOST {
        return Err(format!("a game has at most {MOST} hooks"));
    }
    for (number, hook) in (1..).zip(&hooks.hook) {
        let is_known = |on: &String| KINDS.contains(&on.as_str());
        if hook.on.is_empty() || !hook.on.iter().all(is_known) {
            let (on, known) = (&hook.on, KINDS.join(", "));
            return Err(format!("hook {number}: on = {on:?}; it takes {known}"));
        }
        let is_address = hook.post.starts_with("https://") || hook.post.starts_with("http://");
        match (hook.run.is_empty(), hook.post.is_empty()) {
            (true, true) => return Err(format!("hook {number} needs run or post")),
            (false, false) => return Err(format!("hook {number} has run and post; it takes one")),
            (true, false) if !is_address => {
                return Err(format!(
                    "hook {number}: post begins with https:// or http://"
                ));
            }
            _ => {}
        }
    }
    Ok(hooks.hook)
}

/// One thing for one hook.
type Job = (Hook, HookNews);

/// Hands what happens to the hooks that want it, until the table is left.
fn announce(
    table: &Weak<Table>,
    mut readers: [(Sees, HookNewsReader); 2],
    hooks: &[Hook],
    (woken, give): (&Receiver<()>, &SyncSender<Job>),
    trouble: &Trouble,
) {
    while woken.recv().is_ok() {
        let Some(table) = table.upgrade() else { return };
        for (sees, reader) in &mut readers {
            for told in reader.next(&table) {
                let meant =
                    |hook: &&Hook| hook.sees == *sees && hook.on.iter().any(|on| on == told.on);
                for hook in hooks.iter().filter(meant) {
                    let given = give.try_send((hook.clone(), told.clone()));
                    if matches!(given, Err(TrySendError::Full(_))) {
                        trouble.tell(hook, "too much waits for it; some is left out");
                    }
                }
            }
        }
    }
}

/// Runs one after the other.
fn work(jobs: &Mutex<Receiver<Job>>, trouble: &Trouble) {
    loop {
        let job = jobs.lock().recv();
        let Ok((hook, told)) = job else { return };
        let done = if hook.post.is_empty() {
            execute(&hook.run, &told)
        } else {
            post(&hook, &told)
        };
        if let Err(why) = done {
            trouble.tell(&hook, &why);
        }
    }
}

/// How hooks failed: of each what goes wrong is told once.
struct Trouble {
    table: Weak<Table>,
    told: Mutex<Vec<String>>,
}

impl Trouble {
    fn tell(&self, hook: &Hook, why: &str) {
        // It has only one of them.
        let name = hook.run.join(" ") + hook.post.as_str();
        let words = format!("the hook {} fails: {why}", sanitise(&name, 60));
        let mut told = self.told.lock();
        if told.contains(&words) {
            return;
        }
        told.push(words.clone());
        if let Some(table) = self.table.upgrade() {
            table.tell_gm(words);
        }
    }
}

/// Runs a program: no shell, the text in its arguments, the entry on its standard input.
fn execute(run: &[String], told: &HookNews) -> Result<(), String> {
    let text = sanitise(&told.text, LONGEST);
    let filled = run.iter().map(|part| {
        let is_said = part.starts_with("{text}");
        let part = part.replace("{text}", &text);
        // A name is no option.
        let rest = part.strip_prefix('-').filter(|_| is_said);
        rest.map_or_else(|| part.clone(), |rest| format!("−{rest}"))
    });
    let words: Vec<String> = filled.collect();
    let (program, args) = words.split_first().ok_or("it names no program")?;
    let failed = |error: io::Error| error.to_string();
    // A file, because a program that does not read would fill a pipe.
    let mut input = tempfile::tempfile().map_err(failed)?;
    writeln!(input, "{}", escape_json(&told.json.to_string())).map_err(failed)?;
    input.rewind().map_err(failed)?;
    let mut command = Command::new(program);
    command.args(args).process_group(0).stdin(input);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(failed)?;
    let until = Instant::now() + PATIENCE;
    loop {
        match child.try_wait().map_err(failed)? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(format!("it ended with {status}")),
            None if Instant::now() < until => thread::sleep(PAUSE),
            None => {
                kill_process_group(Pid::from_child(&child), Signal::KILL).ok();
                child.wait().map_err(failed)?;
                return Err(format!("it took longer than {PATIENCE:?}"));
            }
        }
    }
}

/// Posts it.
fn post(hook: &Hook, told: &HookNews) -> Result<(), String> {
    let body = match hook.form {
        Form::Json => told.json.clone(),
        Form::Discord => discord(&told.text),
    };
    if hook.post.starts_with("https://") && SystemTime::now() < SystemTime::UNIX_EPOCH {
        return Err(
            "this machine's clock is before 1970, so that no certificate can be checked; set the clock"
                .to_owned(),
        );
    }
    let config = ureq::Agent::config_builder().timeout_global(Some(PATIENCE));
    let agent = config.max_redirects(0).build().new_agent();
    let request = agent.post(&hook.post).content_type("application/json");
    let sent = request.send(body.to_string());
    let status = sent.map_err(|error| error.to_string())?.status();
    // An address that has moved loses what is posted.
    let why = || format!("it answers {status}");
    status.is_success().then_some(()).ok_or_else(why)
}

/// A message that pings nobody and is no markup.
fn discord(text: &str) -> Json {
    let safe = escaped(text, "\\`*_~|>#[]<@");
    json!({"content": sanitise(&safe, LONGEST), "allowed_mentions": {"parse": []}})
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::text::mistakes;

    #[test]
    fn a_mistaken_file_says_what_would_be_right() {
        mistakes(include_str!("hooks/mistakes.txt"), |text| {
            read(text.as_bytes()).unwrap_err()
        });
    }

    #[test]
    fn a_message_is_no_markup() {
        let message = discord("**Mira** @everyone <b>");
        assert_eq!(message["content"], "\\*\\*Mira\\*\\* \\@everyone \\<b\\>");
        let long = discord(&"*".repeat(5000));
        assert!(long["content"].as_str().unwrap().len() <= 2000);
    }

    #[test]
    fn words_are_no_options_and_no_shell_reads_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        let told = HookNews {
            on: "roll",
            text: "--help; $(touch x) `x`".to_owned(),
            json: json!({"text": "a"}),
        };
        let script = "printf %s \"$1\" > \"$2\"; cat >> \"$2\"";
        let run = ["sh", "-c", script, "sh", "{text}", file.to_str().unwrap()];
        execute(&run.map(str::to_owned), &told).unwrap();
        let out = std::fs::read_to_string(&file).unwrap();
        assert_eq!(out, "−-help; $(touch x) `x`{\"text\":\"a\"}\n");
        let fails = execute(&["false".to_owned()], &told).unwrap_err();
        assert_eq!(fails, "it ended with exit status: 1");
    }

    #[test]
    fn an_address_that_has_moved_is_told_so() {
        let door = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let hook = Hook {
            on: vec!["roll".to_owned()],
            run: Vec::new(),
            post: format!("http://{}", door.local_addr().unwrap()),
            form: Form::Json,
            sees: Sees::Players,
        };
        let answer = move || {
            for status in ["301 Moved Permanently", "204 No Content"] {
                let (mut asked, _) = door.accept().unwrap();
                let mut begun = [0; 1000];
                let read = asked.read(&mut begun).unwrap();
                assert!(begun[..read].starts_with(b"POST / HTTP/1.1"));
                write!(
                    asked,
                    "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                )
                .unwrap();
            }
        };
        let answers = thread::Builder::new().spawn(answer).unwrap();
        let told = HookNews {
            on: "roll",
            text: "a".to_owned(),
            json: json!({}),
        };
        let moved = post(&hook, &told).unwrap_err();
        assert_eq!(moved, "it answers 301 Moved Permanently");
        post(&hook, &told).unwrap();
        answers.join().unwrap();
    }
}
