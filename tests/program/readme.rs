//! What the README says is so: its keys are those of the keymap, its commands print what it shows.

use std::fmt::Write as _;
use std::fs;
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
        let mut place_name = place.name();
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

#[test]
fn the_commands_print_what_is_shown() {
    let readme = fs::read_to_string("README.md").unwrap();
    let data = tempfile::tempdir().unwrap();
    let mut run = 0;
    for block in readme.split("```console\n").skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        for example in block.split("$ tableside ").skip(1) {
            let (command, shown) = example.split_once('\n').unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_tableside"))
                .args(command.split(' '))
                .env_clear()
                .env("TABLESIDE_DATA", data.path())
                .output()
                .unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            assert_eq!(printed.trim(), shown.trim(), "{command}");
            run += 1;
        }
    }
    assert!(run > 1, "there are examples to run");
}
