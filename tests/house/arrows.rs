//! Which part may use which: the arrows of ARCHITECTURE.md, read off the source as the compiler reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::source::{Source, Tree, read_all};

/// The rooms, each of which may use those before it only. `store` and `config` do not know each other.
const ROOMS: [&str; 12] = [
    "text", "file", "dice", "rules", "session", "store", "config", "table", "screen", "server",
    "web", "cli",
];

/// What a room may not use although it stands before it.
const APART: [(&str, &str); 5] = [
    ("file", "text"),
    ("dice", "file"),
    ("rules", "file"),
    ("session", "file"),
    ("config", "store"),
];

fn may_use(room: &str, other: &str) -> bool {
    let place = |name: &str| ROOMS.iter().position(|room| *room == name);
    other == room || (place(other) < place(room) && !APART.contains(&(room, other)))
}

#[test]
fn no_room_uses_one_that_stands_above_it() {
    let tree = Tree::new(read_all());
    let mut wrong = Vec::new();
    for source in tree.sources.values().filter(|source| source.room() != "") {
        let room = source.room();
        if !ROOMS.contains(&room) {
            wrong.push(format!("{} is in no known room", source.path.display()));
        }
        for used in &source.paths {
            let Some(path) = tree.absolute(source, &used.path) else {
                continue;
            };
            let other = path.first().map_or("", String::as_str);
            if ROOMS.contains(&other) && !may_use(room, other) {
                let place = format!("{}:{}", source.path.display(), used.line);
                wrong.push(format!("{place}: {room} uses {other}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// For each file the files that it uses. What it shares with those above it in the tree is no arrow: a type
/// with its parts in a folder of its name is one thing.
fn arrows(tree: &Tree) -> BTreeMap<&Path, BTreeSet<&Path>> {
    let of = |source: &Source| {
        let used = source.paths.iter();
        let used = used.filter_map(|used| tree.file_of(&tree.absolute(source, &used.path)?));
        let others = used.filter(|other| !source.path.starts_with(other.with_extension("")));
        let others =
            others.filter(|other| *other != source.path && *other != Path::new("src/lib.rs"));
        others.collect()
    };
    let sources = tree.sources.values().filter(|source| !source.is_test());
    let all = sources.map(|source| (source.path.as_path(), of(source)));
    all.collect()
}

/// All that a file uses, however far away.
fn reach<'a>(
    arrows: &BTreeMap<&'a Path, BTreeSet<&'a Path>>,
    from: &'a Path,
) -> BTreeSet<&'a Path> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        for next in arrows.get(file).into_iter().flatten() {
            if found.insert(*next) {
                open.push(next);
            }
        }
    }
    found
}

#[test]
fn files_do_not_import_each_other_in_larger_circles() {
    let tree = Tree::new(read_all());
    let arrows = arrows(&tree);
    let reach: BTreeMap<_, _> = arrows
        .keys()
        .map(|file| (*file, reach(&arrows, file)))
        .collect();
    let circle = |file: &Path| -> BTreeSet<&Path> {
        let to = reach[file].iter();
        to.filter(|other| reach.get(*other).is_some_and(|back| back.contains(file)))
            .copied()
            .collect()
    };
    let circles: BTreeSet<_> = arrows.keys().map(|file| circle(file)).collect();
    let larger: Vec<_> = circles.iter().filter(|circle| circle.len() > 2).collect();
    assert!(larger.is_empty(), "{larger:#?}");
}

#[test]
fn what_one_system_alone_knows_is_said_in_its_own_folder() {
    let mut places = Vec::new();
    for source in read_all() {
        if source.is_test() || source.room() == "rules" {
            continue;
        }
        for (place, token) in source.tokens.iter().enumerate() {
            let next = |ahead: usize| source.tokens.get(place + ahead).map_or("", |it| &it.text);
            let is_constant = |name: &str| name.chars().all(|one| one.is_uppercase() || one == '_');
            let names = token.text == "System" && next(1) == "::" && is_constant(next(2));
            let asks = token.text == "match" && next(1) == "system" && next(2) == "{";
            if names || asks {
                places.push(format!("{}:{}", source.path.display(), token.line));
            }
        }
    }
    assert_eq!(places, Vec::<String>::new());
}

#[test]
fn the_rules_know_no_files_no_clock_no_terminal_and_no_luck_of_their_own() {
    let banned = "std::fs std::net std::env std::process thread::spawn thread::Builder thread::sleep \
        thread_local SystemTime Instant Utc::now ratatui crossterm tokio";
    for source in read_all() {
        if ["dice", "rules", "session"].contains(&source.room()) {
            let text = std::fs::read_to_string(&source.path).unwrap();
            for word in banned.split(' ') {
                let name = source.path.display();
                assert!(!text.contains(word), "{name} uses {word}");
            }
        }
    }
}
