//! What the README says is so: its keys are those of the keymap, its commands print what it shows.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use tableside::screen::action::Context;
use tableside::screen::keymap::Keymap;

const PLACES: [Context; 8] = [
    Context::Everywhere,
    Context::List,
    Context::Party,
    Context::Clocks,
    Context::Tokens,
    Context::Log,
    Context::Roll,
    Context::Result,
];

fn keys() -> String {
    let keymap = Keymap::default();
    let mut table = String::from("| where | key | does |\n|---|---|---|\n");
    for place in PLACES {
        let mut place_name = place.into_str();
        for binding in keymap.bindings(place) {
            if binding.keys.is_empty() {
                continue;
            }
            let labels: Vec<String> = binding
                .keys
                .iter()
                .map(|key| format!("`{}`", key.label(false)))
                .collect();
            let labels = labels.join(" ");
            let words = binding.action.describe();
            writeln!(table, "| {place_name} | {labels} | {words} |").unwrap();
            place_name = "";
        }
    }
    table
}

/// `README_UPDATE=1 cargo test --test program readme` writes the table anew.
#[test]
fn the_keys_are_those_of_the_keymap() {
    let readme = fs::read_to_string("README.md").unwrap();
    let (before, rest) = readme.split_once("<!-- keys -->\n").unwrap();
    let (found, after) = rest.split_once("<!-- /keys -->").unwrap();
    let due = keys();
    if std::env::var_os("README_UPDATE").is_some() {
        let whole = format!("{before}<!-- keys -->\n{due}<!-- /keys -->{after}");
        fs::write("README.md", whole).unwrap();
    } else {
        assert_eq!(
            found, due,
            "README_UPDATE=1 cargo test --test program readme mends it"
        );
    }
}

/// Runs a line of the README with games in that folder; it ends well, and prints what is returned.
fn run(line: &str, data: &Path) -> String {
    let output = Command::new("bash")
        .args(["-c", line])
        .env_clear()
        .env("PATH", format!("{}:/bin:/usr/bin", programs().display()))
        .env("TABLESIDE_DATA", data)
        .output()
        .unwrap();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {problem}");
    String::from_utf8(output.stdout).unwrap()
}

/// Where the program lies that is tested.
fn programs() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tableside")).parent().unwrap()
}

/// Only what needs a terminal, a port or a person is not run.
fn is_run(line: &str) -> bool {
    let needs = ["--listen", "FILE", "SESSION", "tableside friday "];
    line.starts_with("tableside ") && !needs.iter().any(|word| line.contains(word))
}

#[test]
fn the_commands_print_what_is_shown() {
    let readme = fs::read_to_string("README.md").unwrap();
    let data = tempfile::tempdir().unwrap();
    let mut examples = 0;
    for block in readme.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        for example in block.split("$ ").skip(1) {
            let (command, shown) = example.split_once('\n').unwrap();
            assert_eq!(run(command, data.path()).trim(), shown.trim(), "{command}");
            examples += 1;
        }
    }
    assert!(examples > 1, "there are examples to run");
    let blocks = readme.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
    let lines: Vec<&str> = lines.filter(|line| is_run(line)).collect();
    for line in &lines {
        run(line, data.path());
    }
    assert!(lines.len() > 9, "{lines:?} are run");
}
