//! What may stand in `access.toml`, and what is said about what may not.

use super::*;
use tableside_testing::assert_mistakes;
use tempfile::TempDir;

const KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJdD7y3aLq454yWBdwLWbieU1ebz9/cu7/QEXn9OIeZJ mira@laptop";

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn write(folder: &TempDir, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.path().join("access.toml");
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

/// What it says now.
fn now(file: &AccessFile, folder: &TempDir) -> std::sync::Arc<Access> {
    file.reread(&folder.path().into());
    file.known()
}

fn problem(text: &str) -> String {
    let folder = folder();
    write(&folder, text);
    AccessFile::open(&folder.path().into()).unwrap_err().what
}

#[test]
fn a_new_file_says_everything_as_it_comes_and_is_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let file = AccessFile::open(&folder.path().into()).unwrap();
    assert_eq!(*now(&file, &folder), Access::default());
    let path = folder.path().join("access.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    for word in ["[limits]", "[players]", "[watchers]", "connections = 64"] {
        assert!(text.contains(word), "{text}");
    }
    let mode = std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_cannot_be_is_named_with_what_would_be_right() {
    assert_mistakes(include_str!("mistakes.txt"), problem);
}

#[test]
fn what_is_written_by_hand_stays_when_seats_change() {
    let folder = folder();
    write(
        &folder,
        "# ours\n[limits]\nconnections = 7 # enough\n\n[[seat]]\nname = \"bo\"\n",
    );
    let file = AccessFile::open(&folder.path().into()).unwrap();
    let key = read_key(KEY).unwrap();
    let remember = |access: &mut Access| {
        access.seats.push(SeatEntry {
            name: "Mira".into(),
            id: Some(SeatId(77)),
            ..SeatEntry::default()
        });
        access.remember(SeatId(77), &key)
    };
    file.change(&folder.path().into(), remember).unwrap();
    let text = std::fs::read_to_string(folder.path().join("access.toml")).unwrap();
    assert!(
        text.starts_with("# ours\n[limits]\nconnections = 7 # enough\n"),
        "{text}"
    );
    let again = AccessFile::open(&folder.path().into()).unwrap();
    let access = now(&again, &folder);
    assert_eq!(access.by_key(&key, "whoever").unwrap().name, "Mira");
    assert_eq!(access.limits.connections, 7);
    assert!(access.by_name("bo").is_some());
}

#[test]
fn every_seat_has_an_id_that_stays_and_a_later_seat_of_the_same_name_has_another() {
    let folder = folder();
    write(&folder, "[[seat]]\nname = \"bo\"\n");
    let file = AccessFile::open(&folder.path().into()).unwrap();
    let id = |name: &str| now(&file, &folder).by_name(name).unwrap().id.unwrap();
    let bo = id("bo");
    let text = std::fs::read_to_string(folder.path().join("access.toml")).unwrap();
    write(
        &folder,
        &format!("{}[[seat]]\nname = \"new\"\n", text.replace("bo", "Robert")),
    );
    assert_eq!(id("robert"), bo);
    let new = id("new");
    assert_ne!(new, bo);
    write(&folder, "[[seat]]\nname = \"Robert\"\n");
    assert!(![bo, new].contains(&id("robert")));
    // What it was given is what the file says, for the next reader.
    let again = AccessFile::open(&folder.path().into()).unwrap();
    let read = now(&again, &folder).by_name("robert").unwrap().id;
    assert_eq!(read, Some(id("robert")));
}

#[test]
fn neither_what_others_could_change_nor_a_broken_edit_is_believed() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    write(&folder, "[[seat]]\nname = \"bo\"\n");
    let allow = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let path = folder.path().join("access.toml");
    let file = AccessFile::open(&folder.path().into()).unwrap();
    for (path, mode, usual) in [(&*path, 0o666, 0o600), (folder.path(), 0o777, 0o700)] {
        allow(path, mode);
        let error = AccessFile::open(&folder.path().into()).unwrap_err().what;
        let words = format!("`chmod go-w {}`", path.display());
        assert!(error.contains(&words), "{error}");
        allow(path, usual);
    }
    // And while the table is open.
    write(&folder, "[[seat]]\nname = \"anna\"\n");
    allow(&path, 0o620);
    assert!(now(&file, &folder).by_name("anna").is_none());
    assert!(file.problem().unwrap().contains("chmod go-w"));
    allow(&path, 0o600);
    assert!(now(&file, &folder).by_name("anna").is_some());
    // An edit counts from then on, and a broken one does not.
    write(&folder, "[[seat]\nname = \"carla\"\n");
    assert!(now(&file, &folder).by_name("anna").is_some());
    assert!(file.problem().unwrap().contains("access.toml"));
}

#[test]
fn a_key_of_two_seats_opens_the_one_that_is_asked_for() {
    let text = format!(
        "[[seat]]\nname = \"gm\"\nrole = \"gm\"\nkeys = [\"{KEY}\"]\n[[seat]]\nname = \"mira\"\nkeys = [\"{KEY}\"]\n"
    );
    let folder = folder();
    write(&folder, &text);
    let access = now(&AccessFile::open(&folder.path().into()).unwrap(), &folder);
    let key = read_key(KEY).unwrap();
    let opens = |user: &str| access.by_key(&key, user).unwrap().name.clone();
    assert_eq!(
        (opens("Mira"), opens("gm"), opens("x")),
        ("mira".into(), "gm".into(), "gm".into())
    );
}
