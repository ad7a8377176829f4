//! A disk that is really full: a small one in memory, where that can be had. Else the fault is the store's
//! own, behind its seam (`crates/store/src/folder/writer/tests.rs`).

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use super::*;

/// A small disk, given back at the end.
struct Small(PathBuf);

impl Small {
    /// 512 KiB; `None` if one may not mount.
    fn mount(folder: &Path) -> Option<Self> {
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=512k", "tmpfs"])
            .arg(folder)
            .output();
        let is_there = mounted.is_ok_and(|told| told.status.success());
        is_there.then(|| Self(folder.to_owned()))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        // A process that is still there keeps the disk, and lets it go when it ends.
        let _told = Command::new("umount").arg("-l").arg(&self.0).output();
    }
}

/// Takes all the room there is.
fn fill(folder: &Path) -> PathBuf {
    let path = folder.join("filler");
    let mut file = fs::File::create(&path).unwrap();
    for piece in [4096, 1] {
        while file.write_all(&vec![b'x'; piece]).is_ok() {}
    }
    path
}

/// Presses a key and takes in what comes until nothing does for a moment: what the saving has to say comes
/// between the frames that keys ask for.
fn play(terminal: &mut Terminal, key: &str) {
    terminal.press(key);
    while let Ok(bytes) = terminal.bytes.recv_timeout(Duration::from_millis(100)) {
        terminal.take(&bytes);
    }
}

#[test]
fn on_a_disk_that_is_full_play_goes_on_and_is_saved_when_there_is_room() {
    let around = tempfile::tempdir().unwrap();
    let Some(_small) = Small::mount(around.path()) else {
        println!("no disk can be mounted here: the full disk is the store's own fault alone");
        return;
    };
    let data = around.path();
    run(data, &["new", "demo", "--system", "heart-rush", "--sample"]);
    let before = status(data);
    let mut terminal = Terminal::play(data);
    let filler = fill(data);
    play(&mut terminal, "4");
    // What is in the file's last page fits still: one plays until nothing does.
    let mut played: u64 = 0;
    while !terminal.shown().contains("NOT SAVED") {
        let key = if played.is_multiple_of(2) { "+" } else { "-" };
        play(&mut terminal, key);
        played += 1;
        assert!(played < 200, "the disk is never full");
    }
    let shown = terminal.shown();
    assert!(shown.contains("the disk is full"), "{shown}");
    for keys in ["+", "-", "+"] {
        play(&mut terminal, keys);
        played += 1;
    }
    // Nobody leaves and loses something unasked.
    terminal.press("q");
    terminal.wait(|shown| shown.contains("Quit?"));
    terminal.press("\r");
    terminal.wait(|shown| !shown.contains("Quit?"));
    fs::remove_file(filler).unwrap();
    terminal.wait(|shown| !shown.contains("NOT SAVED"));
    terminal.quit("q");
    let log = |status: &Json| status["log"].as_u64().unwrap();
    assert_eq!(log(&status(data)), log(&before) + played);
    run(data, &["verify", "demo"]);
}

/// A folder in which nothing new may be made, until this is dropped.
struct Closed(PathBuf);

impl Closed {
    /// `None` if even that is beyond us: root may write anywhere but in what is immutable, and not
    /// every file system knows that.
    fn close(folder: &Path) -> Option<Self> {
        let closed = Self(folder.to_owned());
        closed.set("u-w", "+i");
        fs::write(folder.join("new"), "").is_err().then_some(closed)
    }

    fn set(&self, mode: &str, attribute: &str) {
        for (program, how) in [("chmod", mode), ("chattr", attribute)] {
            let _told = Command::new(program).arg(how).arg(&self.0).output();
        }
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        // The way back the other way round: an immutable folder's mode cannot be changed.
        self.set("u+w", "-i");
        self.set("u+w", "-i");
    }
}

#[test]
fn in_a_folder_that_becomes_read_only_the_journal_goes_on_and_the_end_says_what_is_behind() {
    let data = new_game("heart-rush");
    let folder = data.path().join("demo");
    let log = |status: &Json| status["log"].as_u64().unwrap();
    let before = log(&status(data.path()));
    let mut terminal = Terminal::play(data.path());
    let Some(closed) = Closed::close(&folder) else {
        println!("no folder can be closed to its owner here");
        return;
    };
    // The journal is open, and takes what comes; the state would be a new file.
    play(&mut terminal, "4");
    play(&mut terminal, "+");
    let shown = terminal.shown();
    assert!(!shown.contains("NOT SAVED"), "{shown}");
    terminal.press("q");
    assert_eq!(terminal.end(), 1);
    let said = String::from_utf8_lossy(&terminal.all).into_owned();
    assert!(said.contains("the journal contains every event"), "{said}");
    drop(closed);
    assert_eq!(log(&status(data.path())), before + 1);
    run(data.path(), &["verify", "demo"]);
}
