//! Which room may use which: the arrows of ARCHITECTURE.md, read off the source.

use std::fs;
use std::path::{Path, PathBuf};

/// Each room with the rooms that it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("file", &[]),
    ("dice", &["text"]),
    ("rules", &["dice", "text"]),
    ("session", &["rules", "dice", "text"]),
    ("store", &["session", "rules", "dice", "text", "file"]),
    ("config", &["session", "rules", "dice", "text", "file"]),
    (
        "table",
        &[
            "store", "config", "session", "rules", "dice", "text", "file",
        ],
    ),
    (
        "screen",
        &[
            "table", "store", "config", "session", "rules", "dice", "text", "file",
        ],
    ),
    (
        "server",
        &[
            "screen", "table", "store", "config", "session", "rules", "dice", "text", "file",
        ],
    ),
    (
        "cli",
        &[
            "server", "screen", "table", "store", "config", "session", "rules", "dice", "text",
            "file",
        ],
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn room_of(path: &Path) -> Option<String> {
    let inside = path.strip_prefix("src").ok()?;
    let room = inside.components().next()?.as_os_str().to_str()?;
    Some(room.trim_end_matches(".rs").to_owned())
}

#[test]
fn no_room_uses_one_that_stands_above_it() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    assert!(files.len() > 20, "the test runs in the package's folder");
    let mut wrong = Vec::new();
    for file in files {
        let Some(room) = room_of(&file).filter(|room| room != "main" && room != "lib") else {
            continue;
        };
        let allowed = MAY_USE.iter().find(|(name, _)| *name == room);
        let Some((_, allowed)) = allowed else {
            wrong.push(format!("{} is in no known room", file.display()));
            continue;
        };
        let text = fs::read_to_string(&file).unwrap_or_default();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for used in code.split("crate::").skip(1) {
                let used: String = used
                    .chars()
                    .take_while(|letter| letter.is_alphanumeric())
                    .collect();
                let known = MAY_USE.iter().any(|(name, _)| *name == used);
                if known && used != room && !allowed.contains(&used.as_str()) {
                    wrong.push(format!(
                        "{}:{}: {room} uses {used}",
                        file.display(),
                        number + 1
                    ));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_rules_know_no_files_no_clock_no_terminal_and_no_luck_of_their_own() {
    let mut files = Vec::new();
    for room in ["dice", "rules", "session"] {
        sources(&Path::new("src").join(room), &mut files);
        files.push(Path::new("src").join(format!("{room}.rs")));
    }
    let banned = [
        "std::fs",
        "std::net",
        "thread::spawn",
        "thread::Builder",
        "thread::sleep",
        "thread_local",
        "std::env",
        "std::process",
        "SystemTime",
        "Instant",
        "Utc::now",
        "ratatui",
        "crossterm",
        "tokio",
    ];
    for file in files {
        let text = fs::read_to_string(&file).unwrap_or_default();
        for word in banned {
            assert!(!text.contains(word), "{} uses {word}", file.display());
        }
    }
}
