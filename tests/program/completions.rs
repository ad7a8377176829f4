//! The completions in the shells that they are for: each is sourced where it is installed, and asked.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Machine {
    home: tempfile::TempDir,
}

impl Machine {
    /// With a session of which the shell is to know.
    fn new() -> Self {
        let machine = Self {
            home: tempfile::tempdir().unwrap(),
        };
        let new = ["new", "the den", "--system", "hearts"];
        let made = machine.run(env!("CARGO_BIN_EXE_tableside"), &new);
        assert!(made.starts_with("the den: HEARTS"), "{made}");
        machine
    }

    /// Where the script for that shell stands.
    fn script(&self, shell: &str) -> PathBuf {
        let program = Command::new(env!("CARGO_BIN_EXE_tableside"))
            .args(["completions", shell])
            .output()
            .unwrap();
        let path = self.home.path().join(format!("tableside.{shell}"));
        fs::write(&path, program.stdout).unwrap();
        path
    }

    /// What a program prints, on which channel ever.
    fn run(&self, program: &str, args: &[&str]) -> String {
        let own = Path::new(env!("CARGO_BIN_EXE_tableside"));
        let mut path = OsString::from(own.parent().unwrap());
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let output = Command::new(program)
            .args(args)
            .env_clear()
            .env("PATH", path)
            .env("HOME", self.home.path())
            .env("TABLESIDE_DATA", self.home.path().join("data"))
            .env("LANG", "C.UTF-8")
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// Whether the shell is installed; what is not is told.
fn has(shell: &str) -> bool {
    let found = Command::new(shell).arg("-c").arg("true").output().is_ok();
    if !found {
        println!("{shell} is not installed: its completions are not tried");
    }
    found
}

#[test]
fn bash_completes_commands_and_sessions() {
    if !has("bash") {
        return;
    }
    let machine = Machine::new();
    let script = machine.script("bash");
    let script = script.to_str().unwrap();
    assert_eq!(machine.run("bash", &["-n", script]), "");
    let ask = |words: &str, at: usize| {
        let asks = format!(
            "source {script}; COMP_WORDS=({words}); COMP_CWORD={at}; \
             $(complete -p tableside | sed 's/.*-F \\([^ ]*\\).*/\\1/') tableside \
             \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        machine.run("bash", &["--norc", "--noprofile", "-c", &asks])
    };
    assert!(ask("tableside sta", 1).contains("status"));
    assert_eq!(ask("tableside the", 1), "the\\ den\n");
    assert!(ask("tableside status ''", 2).contains("the\\ den"));
    assert!(ask("tableside status --", 2).contains("--json"));
    // Systems of one's own, too, whatever else stands in their files.
    let own = machine.home.path().join(".config/tableside/systems");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("mine.toml"), "id = \"lantern\"\n").unwrap();
    for (words, at) in [
        ("tableside odds lan", 2),
        ("tableside systems lan", 2),
        ("tableside new friday --system lan", 4),
    ] {
        assert!(ask(words, at).contains("lantern"), "{words}");
    }
}

#[test]
fn zsh_reads_its_completions_and_knows_the_sessions() {
    if !has("zsh") {
        return;
    }
    let machine = Machine::new();
    let script = machine.script("zsh");
    let script = script.to_str().unwrap();
    assert_eq!(machine.run("zsh", &["-n", script]), "");
    // What completes is a widget's; here it only tells what it was given.
    let asks = format!(
        "autoload -Uz compinit; compinit -D -u; source {script} 2>/dev/null; \
         print -r -- $_comps[tableside]; \
         compadd() {{ print -r -- \"${{(@P)@[-1]}}\" }}; _tableside_sessions"
    );
    let said = machine.run("zsh", &["-f", "-c", &asks]);
    assert_eq!(said, "_tableside\nthe den\n");
}

#[test]
fn fish_completes_commands_and_sessions() {
    if !has("fish") {
        return;
    }
    let machine = Machine::new();
    let script = machine.script("fish");
    let script = script.to_str().unwrap();
    assert_eq!(machine.run("fish", &["--no-execute", script]), "");
    let ask = |line: &str| {
        let asks = format!("source {script}; complete -C '{line}'");
        machine.run("fish", &["--no-config", "-c", &asks])
    };
    assert!(
        ask("tableside sta").contains("status"),
        "{}",
        ask("tableside sta")
    );
    assert!(ask("tableside status the").contains("the den"));
}
