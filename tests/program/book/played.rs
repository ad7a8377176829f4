//! A page is read as a person does who tries everything on it, from the top to the bottom.
//!
//! - A block `sh` is run line by line, and each line ends well. A line that opens a screen, a table or a connection
//!   stays open in a terminal of its own; `tableside` has one terminal at a time. `sh elsewhere` is not run: it is for
//!   another machine, or for its administrator.
//! - A block `console` prints what it shows. `BOOK_UPDATE=1 cargo test --test program book` writes it anew.
//! - A block with the name of a file behind its language is written there; where the file is there already, to its
//!   end. What is a rule system has no faults.
//! - `<!-- press r Enter -->` presses keys in the newest terminal, and `type:Bo` types; `_` is a blank, and CODE the
//!   code of the last invitation. `<!-- gm -->` goes back to the terminal of `tableside`.
//! - `<!-- see … -->` and a block `text` wait until the terminal shows these lines, in this order.
//! - `<!-- run … -->` is a line that the reader is spared.

use std::fmt::Write as _;
use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;

use rstest::rstest;

use super::is_due;
use super::reference::{commands, helps};
use crate::keys::sent;
use crate::machine::Machine;
use crate::pty::Pty;
use crate::ssh_client::{has_client, make_key};

/// What a person does next.
enum Step<'a> {
    /// A block of code: what stands behind its fence, and its text.
    Block(&'a str, &'a str),
    /// What a comment says.
    Comment(&'a str),
}

fn steps(page: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for (place, part) in page.split("```").enumerate() {
        if place % 2 == 1 {
            let (info, text) = part.split_once('\n').unwrap();
            steps.push(Step::Block(info.trim(), text));
            continue;
        }
        for comment in part.split("<!-- ").skip(1) {
            steps.push(Step::Comment(comment.split(" -->").next().unwrap()));
        }
    }
    steps
}

struct Reader {
    machine: Machine,
    /// Ports of the page, each with one that is free.
    ports: [(&'static str, String); 2],
    /// That of `tableside` first, the newest last.
    terminals: Vec<Pty>,
    /// The one that is looked at.
    at: usize,
    /// The code of the last invitation.
    code: String,
}

/// Whether a line opens a screen, a table or a connection.
fn stays(line: &str) -> bool {
    let line = line.split(" #").next().unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["ssh", ..] | ["tableside"] | ["tableside", "serve", ..] => true,
        ["tableside", "host", ..] => !words.contains(&"--status"),
        ["tableside", "log", ..] => words.contains(&"--follow"),
        ["tableside", word, ..] => !commands().any(|command| command == *word),
        _ => false,
    }
}

/// The code of an invitation that is told there, if any.
fn code(told: &str) -> Option<&str> {
    let is_code = |word: &&str| {
        let parts: Vec<&str> = word.split('-').collect();
        let fits = |part: &&str| {
            let mut letters = part.bytes();
            part.len() == 4 && letters.all(|one| one.is_ascii_digit() || one.is_ascii_uppercase())
        };
        parts.len() == 3 && parts.iter().all(fits)
    };
    told.split_whitespace().find(is_code)
}

/// Whether the screen shows these lines in this order, whatever stands beside them.
fn shows(screen: &str, due: &str) -> bool {
    let narrow = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rows = screen.lines().map(narrow);
    let mut due = due.lines().map(narrow).filter(|line| !line.is_empty());
    due.all(|line| rows.any(|row| row.contains(&line)))
}

impl Reader {
    fn new() -> Self {
        let free = || {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port().to_string()
        };
        Self {
            machine: Machine::new(),
            ports: [("2222", free()), ("8080", free())],
            terminals: Vec::new(),
            at: 0,
            code: String::new(),
        }
    }

    /// What the page says, as it is on this machine.
    fn here(&self, text: &str) -> String {
        let text = text.replace("@HOST", "@127.0.0.1");
        let ports = self.ports.iter();
        ports.fold(
            text.replace("0.0.0.0", "127.0.0.1"),
            |text, (port, free)| text.replace(port, free),
        )
    }

    /// Runs a line to its end; returns what it printed.
    fn run(&mut self, line: &str, ends_well: bool) -> String {
        let line = format!("unset TABLESIDE_DATA; {}", self.here(line));
        let ran = self.machine.shell(&line, "");
        assert!(!ends_well || ran.code == 0, "{line}: {ran:?}");
        let told = format!("{}{}", ran.out, ran.err);
        if let Some(code) = code(&told) {
            code.clone_into(&mut self.code);
        }
        self.machine.plain(&told)
    }

    /// Runs a line in a terminal of its own, and waits until it shows something.
    fn open(&mut self, line: &str) {
        let home = self.machine.home.path();
        let mut line = self.here(line);
        if let Some(rest) = line.strip_prefix("ssh ") {
            let (before, _) = rest.split_once('@').unwrap();
            let who = before.rsplit([' ', '+']).next().unwrap();
            let key = home.join(format!("key-of-{who}"));
            if !key.exists() {
                make_key(home, &format!("key-of-{who}"), "ed25519");
            }
            // Nothing of this machine's own counts.
            let (key, known) = (key.display(), home.join("known_hosts"));
            line = format!(
                "ssh -F none -i {key} -o IdentitiesOnly=yes -o IdentityAgent=none -o GlobalKnownHostsFile=/dev/null \
                 -o UserKnownHostsFile={} {rest}",
                known.display()
            );
        } else {
            for mut ended in self.terminals.drain(..) {
                let pid = ended.child.process_id().unwrap().to_string();
                let _told = self.machine.shell(&format!("kill -TERM {pid}"), "");
                ended.end();
            }
        }
        let mut command = self.machine.line(&format!("exec {line}"));
        let mut terminal = Pty::run(command.env_remove("TABLESIDE_DATA"), (80, 24));
        terminal.read_until(&line, |terminal| !terminal.shown().trim().is_empty());
        self.at = self.terminals.len();
        self.terminals.push(terminal);
    }

    fn terminal(&mut self) -> &mut Pty {
        let terminal = self.terminals.get_mut(self.at);
        terminal.expect("a line has opened one")
    }

    fn press(&mut self, key: &str) {
        let keys = match (key.strip_prefix("type:"), key.strip_prefix("Ctrl-")) {
            (Some(text), _) => text.replace('_', " ").replace("CODE", &self.code),
            (_, Some(letter)) => sent(&format!("C-{letter}")),
            _ => sent(key),
        };
        let terminal = self.terminal();
        let before = terminal.all.len();
        terminal.press(&keys);
        // A code is not shown where it is typed.
        if !key.contains("CODE") {
            let what = format!("something after {key}");
            terminal.read_until(&what, |terminal| terminal.all.len() > before);
        }
    }

    fn see(&mut self, due: &str) {
        let due = self.here(due);
        let terminal = self.terminal();
        let shown = terminal.read_until(&due, |terminal| shows(&terminal.shown(), &due));
        if let Some(code) = code(&shown) {
            code.clone_into(&mut self.code);
        }
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.machine.home.path().join(file.trim_start_matches("~/"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let before = fs::read_to_string(&path).unwrap_or_default();
        let is_new = before.is_empty() || text.starts_with("format = ");
        let whole = if is_new {
            text.to_owned()
        } else {
            format!("{before}\n{text}")
        };
        fs::write(&path, &whole).unwrap();
        if whole.starts_with("format = 1") {
            let ran = self.machine.run(&format!("systems check {file}"));
            assert_eq!(ran.code, 0, "{whole}\n{}", ran.err);
        }
    }

    fn line(&mut self, line: &str) {
        if stays(line) {
            self.open(line);
        } else {
            self.run(line, true);
        }
    }
}

#[rstest]
fn a_page_does_what_it_says(
    #[files("README.md")]
    #[files("docs/book/src/*.md")]
    page: PathBuf,
) {
    let text = fs::read_to_string(&page).unwrap();
    let mut now = text.clone();
    let mut reader = Reader::new();
    for step in steps(&text) {
        match step {
            Step::Comment(comment) => match comment.split_once(' ').unwrap_or((comment, "")) {
                ("press", keys) => keys.split(' ').for_each(|key| reader.press(key)),
                ("see", due) => reader.see(due),
                ("run", line) => reader.line(line),
                ("gm", "") => reader.at = 0,
                _ => {}
            },
            Step::Block("sh", lines) => {
                for line in lines.lines().filter(|line| !line.is_empty()) {
                    if line.starts_with("ssh ") && !has_client() {
                        return;
                    }
                    reader.line(line);
                }
            }
            Step::Block("console", shown) => {
                let mut printed = String::new();
                for example in shown.split("$ ").skip(1) {
                    let (command, _) = example.split_once('\n').unwrap();
                    let told = reader.run(command, false);
                    let shown = format!("$ {command}\n{}", told.trim());
                    writeln!(printed, "{}\n", shown.trim()).unwrap();
                }
                let printed = format!("{}\n", printed.trim_end());
                now = now.replacen(shown, &printed, 1);
            }
            Step::Block("text", due) if !reader.terminals.is_empty() => reader.see(due),
            Step::Block(info, text) => match info.split_once(' ') {
                Some((_, "elsewhere")) | None => {}
                Some((_, file)) => reader.write(file, text),
            },
        }
    }
    is_due(&page, &text, &now);
}

/// Each command's help ends with two examples, and both do what they say.
#[test]
fn the_examples_of_every_help_run() {
    let mut reader = Reader::new();
    reader.line("tableside new friday --system heart-rush --sample");
    let party = reader.machine.home.path().join("party.csv");
    fs::write(party, "name,player\nOda,Ana\n").unwrap();
    let list = reader.machine.home.path().join("road.md");
    fs::write(list, "- dust\n- rain\n").unwrap();
    let goods = reader.machine.home.path().join("goods.csv");
    fs::write(goods, "d4,goods\n1-3,salt\n4,silk\n").unwrap();
    for (command, help) in helps() {
        let (_, examples) = help.rsplit_once("\n\nExamples:\n").expect(&command);
        let examples: Vec<&str> = examples.lines().map(str::trim).collect();
        assert_eq!(examples.len(), 2, "{command}");
        for example in examples {
            let named = format!("tableside {command}");
            assert!(example.starts_with(named.trim_end()), "{example}");
            reader.line(example);
        }
    }
}
