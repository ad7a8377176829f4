//! The tutorial `docs/write-a-system.md`: its files are good, its commands print what it shows.

use std::fmt::Write as _;
use std::fs;

use crate::machine::Machine;

const PAGE: &str = "docs/write-a-system.md";

/// What the pieces of the cookbook stand beneath.
const HEAD: &str = "format = 1\nid = \"recipe\"\nname = \"Recipe\"\n";

/// The blocks of code of a text, each with its language.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let blocks = text.split("```").skip(1).step_by(2);
    blocks.filter_map(|block| block.split_once('\n')).collect()
}

fn checked(machine: &Machine, file: &str, text: &str) {
    fs::write(machine.home.path().join(file), text).unwrap();
    let ran = machine.run(&format!("systems check {file}"));
    assert_eq!(ran.code, 0, "{text}\n{}", ran.err);
}

/// A whole file is written under its id, what stands alone goes to its end, and each command is run where they lie.
/// `README_UPDATE=1 cargo test --test program tutorial` writes anew what the commands print.
#[test]
fn the_game_of_ten_minutes_is_made_and_played() {
    let page = fs::read_to_string(PAGE).unwrap();
    let (minutes, cookbook) = page.split_once("## Cookbook").unwrap();
    let machine = Machine::new();
    let (mut name, mut file, mut commands) = (String::new(), String::new(), 0);
    let mut now = minutes.to_owned();
    for (language, block) in blocks(minutes) {
        if language == "toml" {
            if block.starts_with("format") {
                let (_, id) = block.split_once("id = \"").unwrap();
                name = format!("{}.toml", id.split_once('"').unwrap().0);
                file.clear();
            }
            file.push('\n');
            file.push_str(block);
            checked(&machine, &name, &file);
            continue;
        }
        assert_eq!(language, "console", "{block}");
        let mut printed = String::new();
        for example in block.split("$ ").skip(1) {
            let (command, _) = example.split_once('\n').unwrap();
            let ran = machine.shell(command, "");
            let told = machine.plain(&format!("{}{}", ran.out, ran.err));
            writeln!(printed, "$ {command}\n{}", told.trim()).unwrap();
            commands += 1;
        }
        let printed = printed.replace("\n\n", "\n");
        now = now.replace(block, &printed);
    }
    assert!(commands > 9, "{commands} commands are run");
    if std::env::var_os("README_UPDATE").is_some() {
        fs::write(PAGE, format!("{now}## Cookbook{cookbook}")).unwrap();
    } else {
        assert_eq!(
            minutes, now,
            "README_UPDATE=1 cargo test --test program tutorial mends it"
        );
    }
}

#[test]
fn every_piece_of_the_cookbook_is_a_good_system() {
    let page = fs::read_to_string(PAGE).unwrap();
    let (_, cookbook) = page.split_once("## Cookbook").unwrap();
    let machine = Machine::new();
    let pieces = blocks(cookbook);
    for (language, piece) in &pieces {
        assert_eq!(*language, "toml", "{piece}");
        assert!(piece.contains("example = ["), "{piece}");
        checked(&machine, "recipe.toml", &format!("{HEAD}\n{piece}"));
    }
    assert!(pieces.len() >= 8, "{} pieces", pieces.len());
}
