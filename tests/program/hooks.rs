//! Hooks when something goes wrong: a busy or broken other side, programs that do not end, files that others may write.

use std::fs::{self, Permissions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::doing::PATIENCE;
use crate::machine::{Machine, Ran};
use crate::running::Running;

/// A post that arrived.
#[derive(Debug)]
struct Post {
    text: String,
    key: String,
}

/// Takes posts. Each gets the next of these answers, status and headers; an empty one closes the connection. After the
/// last one all posts are taken with 204.
fn other_side(answers: Vec<&'static str>) -> (String, Receiver<Post>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mut answers = answers.into_iter();
    let (give, take) = channel();

    let answer = move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let lines = stream.by_ref().lines().map(Result::unwrap);
            let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let header = |name: &str| {
                let mut lines = head.iter().filter_map(|line| line.split_once(": "));
                let found = lines.find(|(header, _)| header.eq_ignore_ascii_case(name));
                found.unwrap().1.to_owned()
            };

            let mut body = vec![0; header("content-length").parse().unwrap()];
            stream.read_exact(&mut body).unwrap();
            let entry: Json = serde_json::from_slice(&body).unwrap();
            let post = Post {
                text: entry["text"].as_str().unwrap().to_owned(),
                key: header("idempotency-key"),
            };
            give.send(post).unwrap_or_default();

            match answers.next().unwrap_or("204 No Content") {
                "" => {}
                answer => {
                    let words = format!(
                        "HTTP/1.1 {answer}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
                    );
                    stream.get_mut().write_all(words.as_bytes()).unwrap();
                }
            }
        }
    };
    thread::Builder::new().spawn(answer).unwrap();
    (format!("http://user:SECRET@127.0.0.1:{port}/SECRET"), take)
}

/// Writes a file with one hook, which gets every note.
fn write_hook(machine: &Machine, does: &str) {
    write_hook_on(machine, "note", &format!("sees = \"gm\"\n{does}"));
}

/// Writes a file with one hook, which gets these events.
fn write_hook_on(machine: &Machine, on: &str, does: &str) {
    let hook = format!("[[hook]]\non = [\"{on}\"]\n{does}\n");
    fs::write(machine.data().join("demo/hooks.toml"), hook).unwrap();
}

fn serve(machine: &Machine) -> Running {
    let words = ["serve", "demo", "--listen", "127.0.0.1:0"];
    let serving = Running::start(machine.command(&words).stderr(Stdio::null()));
    for _ in 0..2 {
        serving.line();
    }
    serving
}

/// Asks the program to end, as a service manager does.
fn ask_to_end(serving: &Running) {
    let pid = serving.child.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(sent.unwrap().success());
}

fn terminate(mut serving: Running) {
    ask_to_end(&serving);
    assert!(serving.child.wait().unwrap().success());
}

fn note(machine: &Machine, text: &str) -> Ran {
    let ran = machine.run(&format!("do demo note {text}"));
    assert_eq!(ran.code, 0, "{ran:?}");
    ran
}

#[test]
fn the_end_of_a_session_posts_the_recap_of_the_players() {
    let machine = Machine::with_demo();
    let (address, posts) = other_side(Vec::new());
    write_hook_on(&machine, "session-ended", &format!("post = '{address}'"));
    note(&machine, "Rusk is the traitor");
    let ran = machine.run("do demo end session");
    assert_eq!(ran.code, 0, "{ran:?}");

    let post = posts.recv_timeout(PATIENCE).unwrap();
    assert!(post.text.starts_with("# demo, session 1\n"), "{post:?}");
    assert!(post.text.contains("## The portcullis\n"), "{post:?}");
    assert!(!post.text.contains("traitor"), "{post:?}");
}

#[test]
fn a_busy_or_broken_other_side_gets_each_message_once_and_in_order() {
    let machine = Machine::with_demo();
    let (address, posts) = other_side(vec![
        "429 Too Many Requests\r\nRetry-After: 1",
        "503 Service Unavailable\r\nRetry-After: 0",
        "503 Service Unavailable\r\nDate: Sun, 06 Nov 1994 08:49:36 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT",
        "502 Bad Gateway\r\nRetry-After: soon",
        "",
        "200 OK",
        "500 Internal Server Error\r\nRetry-After: 0",
    ]);
    write_hook(&machine, &format!("post = '{address}'"));
    let serving = serve(&machine);
    for number in 0..4 {
        note(&machine, &number.to_string());
    }

    // The first one is taken at the sixth attempt, the second one at its second.
    let mut keys = Vec::new();
    for number in [0, 0, 0, 0, 0, 0, 1, 1, 2, 3] {
        let post = posts.recv_timeout(PATIENCE).unwrap();
        assert_eq!(post.text, number.to_string());
        keys.push(post.key);
    }
    keys.dedup();
    assert_eq!(keys.len(), 4, "each message has a key of its own: {keys:?}");
    terminate(serving);
    assert!(posts.try_recv().is_err());
}

#[test]
fn what_is_given_up_is_told_without_the_address() {
    let machine = Machine::with_demo();
    for (answer, why) in [
        ("404 Not Found", "it answers 404 Not Found"),
        ("301 Moved Permanently", "it answers 301 Moved Permanently"),
        (
            "429 Too Many Requests\r\nRetry-After: 3600",
            "it answers 429 Too Many Requests, and not to come again for 3600 s",
        ),
    ] {
        let due = format!("hook 1 (127.0.0.1) fails: {why}; 1 message was given up");
        let (address, posts) = other_side(vec![answer, answer]);
        write_hook(&machine, &format!("post = '{address}'"));

        // The table is open elsewhere.
        let serving = serve(&machine);
        note(&machine, "one");
        assert_eq!(serving.line(), due);
        terminate(serving);

        // The command opens it itself.
        let ran = note(&machine, "two");
        assert_eq!(ran.err.trim_end(), due);
        assert_eq!(posts.try_iter().count(), 2);
    }

    // The connection is refused, and the table closes before the next attempt.
    write_hook(&machine, "post = 'http://user:SECRET@127.0.0.1:1/SECRET'");
    let serving = serve(&machine);
    note(&machine, "one");
    ask_to_end(&serving);
    let why = "the connection failed: connection refused";
    let due = format!("hook 1 (127.0.0.1) fails: {why}; 1 message was given up");
    assert_eq!(serving.line(), due);
    drop(serving);

    // A program is named without its arguments.
    write_hook(&machine, "run = ['/bin/sh', '-c', 'exit 3', 'SECRET']");
    let ran = note(&machine, "three");
    let due = "hook 1 (sh) fails: it ended with exit status: 3; 1 message was given up";
    assert_eq!(ran.err.trim_end(), due);
}

/// Waits until that process is gone, or only waits to be reaped by its parent.
fn wait_until_gone(pid: &str) {
    let began = Instant::now();
    loop {
        let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if status.is_empty() || status.contains(") Z ") {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "process {pid} still runs");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_program_ends_with_the_table_and_so_does_what_it_started() {
    let machine = Machine::with_demo();
    let pids = machine.home.path().join("pids");
    let script = format!(
        "sleep 600 & echo $! $$ > {0}.new; mv {0}.new {0}; ",
        pids.display()
    );
    let read_pids = || {
        let began = Instant::now();
        while !pids.exists() {
            assert!(began.elapsed() < PATIENCE, "the program never ran");
            thread::sleep(Duration::from_millis(20));
        }
        let text = fs::read_to_string(&pids).unwrap();
        fs::remove_file(&pids).unwrap();
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };

    // A program that keeps running, and one that leaves a child behind.
    for end in ["sleep 600", "exit 0"] {
        write_hook(&machine, &format!("run = ['sh', '-c', '{script}{end}']"));
        let serving = serve(&machine);
        note(&machine, "one");
        let started = read_pids();
        assert_eq!(started.len(), 2);
        terminate(serving);
        for pid in &started {
            wait_until_gone(pid);
        }
    }
}

#[test]
fn hooks_that_others_may_write_are_refused() {
    let machine = Machine::with_demo();
    let written = machine.home.path().join("written");
    write_hook(
        &machine,
        &format!("run = ['touch', '{}']", written.display()),
    );
    let folder = machine.data().join("demo");
    let file = folder.join("hooks.toml");
    let chmod =
        |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();

    for (path, closed, mode) in [
        (file.as_path(), 0o644, 0o666),
        (&file, 0o644, 0o664),
        (&folder, 0o700, 0o777),
        (&folder, 0o700, 0o720),
        (&machine.data(), 0o755, 0o777),
        (machine.home.path(), 0o700, 0o777),
    ] {
        chmod(path, mode);
        let refusal = "hooks.toml: other users can change what programs are run; run `chmod go-w";
        let serving = machine.run("serve demo --listen 127.0.0.1:0");
        assert_eq!(serving.code, 1, "{path:?} {serving:?}");
        assert!(serving.err.contains(refusal), "{serving:?}");
        // The note is written all the same, without the hook.
        let ran = note(&machine, "on we go");
        assert!(ran.err.contains(refusal), "{ran:?}");
        assert!(!written.exists(), "{path:?} {mode:o}");
        chmod(path, closed);
    }

    note(&machine, "now it runs");
    assert!(written.exists());
}
