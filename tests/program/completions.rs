//! The completions in the shells that they are for: each is sourced where it is installed, and asked.

use std::fs;
use std::process::Command;

use crate::machine::Machine;

/// A machine with a game of which the shell is to know, and the script for that shell. None where it is not installed,
/// which is told.
fn with_script(shell: &str) -> Option<Machine> {
    if Command::new(shell).arg("-c").arg("true").output().is_err() {
        println!("{shell} is not installed: its completions are not tried");
        return None;
    }
    let machine = Machine::new();
    machine.run_words(&["new", "the den", "--system", "hearts"]);
    machine.shell(&format!("tableside completions {shell} > script"), "");
    assert_eq!(said(&machine, &format!("{shell} -n script"), ""), "");
    Some(machine)
}

/// What that line prints, on which channel ever.
fn said(machine: &Machine, line: &str, input: &str) -> String {
    let ran = machine.shell(&format!("LANG=C.UTF-8 {line}"), input);
    [ran.out, ran.err].concat()
}

#[test]
fn bash_completes_commands_and_sessions() {
    let Some(machine) = with_script("bash") else {
        return;
    };
    let ask = |words: &str, at: usize| {
        let asks = format!(
            "source ./script; COMP_WORDS=({words}); COMP_CWORD={at}; \
             $(complete -p tableside | sed 's/.*-F \\([^ ]*\\).*/\\1/') tableside \
             \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        said(&machine, "bash --norc --noprofile", &asks)
    };
    assert!(ask("tableside sta", 1).contains("status"));
    assert_eq!(ask("tableside the", 1), "the\\ den\n");
    assert!(ask("tableside status ''", 2).contains("the\\ den"));
    assert!(ask("tableside status --", 2).contains("--json"));
    // Systems of one's own, too, whatever else stands in their files.
    let own = machine.home.path().join(".config/tableside/systems");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("mine.toml"), "id = \"lantern\"\n").unwrap();
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
    let Some(machine) = with_script("zsh") else {
        return;
    };
    // What completes is a widget's; here it only tells what it was given.
    let asks = "autoload -Uz compinit; compinit -D -u; source ./script 2>/dev/null; \
         print -r -- $_comps[tableside]; \
         compadd() { print -r -- \"${(@P)@[-1]}\" }; _tableside_sessions";
    let said = said(&machine, "zsh -f", asks);
    assert_eq!(said, "_tableside\nthe den\n");
}

#[test]
fn fish_completes_commands_and_sessions() {
    let Some(machine) = with_script("fish") else {
        return;
    };
    let ask = |line: &str| {
        let asks = format!("source ./script; complete -C '{line}'");
        said(&machine, "fish --no-config", &asks)
    };
    assert!(
        ask("tableside sta").contains("status"),
        "{}",
        ask("tableside sta")
    );
    assert!(ask("tableside status the").contains("the den"));
}
