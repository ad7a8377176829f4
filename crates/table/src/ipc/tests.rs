//! Tests of the socket with well-behaved and badly behaved clients.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use tempfile::TempDir;

use super::client::call_within;
use super::server::LONGEST_REQUEST;
use super::*;
use crate::tests::{luck, new_table, noon};
use crate::{OnEdit, Opening, RequestError, Seat, Table, TableChange};
use tableside_game::{Command, NoteCommand};
use tableside_rules::System;
use tableside_store::Name;

/// A request for a note. The handler refuses an empty note.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteRequest {
    note: String,
}

/// Handles a request: writes the note, and answers with its text in the log.
fn take_note(table: &Arc<Table>, request: &[u8]) -> serde_json::Result<Vec<u8>> {
    let answer = match serde_json::from_slice::<NoteRequest>(request) {
        Ok(NoteRequest { note }) => {
            let command = Command::Note(NoteCommand {
                text: note,
                ..NoteCommand::default()
            });
            let entry = table.submit(&Seat::gm(), &command.into());
            entry
                .map(|entry| entry.event.text(System::HEART_RUSH))
                .map_err(RequestError::from)
        }
        Err(error) => Err(RequestError::failed(error.to_string())),
    };
    serde_json::to_vec(&answer)
}

/// Returns an open game that accepts requests, and its folder.
fn attended(home: &TempDir, name: &str) -> (Arc<Table>, PathBuf) {
    let table = new_table(name, System::HEART_RUSH);
    table.accept_requests(take_note);
    table
        .rename(&home.path().into(), &Name::new(name, &[]).unwrap())
        .unwrap();
    (table, home.path().join(name))
}

fn call_with_note(folder: &Path, note: &str) -> Result<String, CallError> {
    let note = note.to_owned();
    call(folder, &NoteRequest { note })
}

fn take_note_there(folder: &Path, note: &str) -> String {
    call_with_note(folder, note).unwrap()
}

#[test]
fn a_request_is_run_and_every_screen_shows_its_event() {
    let home = tempfile::tempdir().unwrap();
    let (table, folder) = attended(&home, "friday");
    let (heard, changes) = std::sync::mpsc::channel();
    let _watching = table.watch(Box::new(move |change| {
        heard.send(change).unwrap_or_default();
    }));
    assert_eq!(take_note_there(&folder, "The alarm"), "The alarm");
    let change = changes.recv().unwrap();
    assert!(matches!(change, TableChange::Changed | TableChange::Saving));
    table.read(&Seat::gm(), |seen| {
        assert_eq!(seen.log().next().unwrap().by, "gm");
    });
    let refused = call_with_note(&folder, "").unwrap_err();
    assert!(matches!(refused, CallError::Refused(_)), "{refused}");
    let socket = fs::metadata(folder.join("socket")).unwrap();
    assert_eq!(socket.permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_socket_with_a_long_path_is_reached_through_a_link() {
    let home = tempfile::Builder::new()
        .prefix("in-a-folder-of-a-long-name-")
        .tempdir()
        .unwrap();
    let name = "a very long name ".repeat(5).trim().to_owned();
    let (table, folder) = attended(&home, &name);
    assert!(folder.join("socket").as_os_str().len() > 108);
    assert_eq!(take_note_there(&folder, "Long"), "Long");
    table.retire();
    assert!(!has_server(&folder));
}

#[test]
fn the_socket_follows_a_renamed_game_and_closes_with_it() {
    let home = tempfile::tempdir().unwrap();
    let (table, _) = attended(&home, "before");
    table
        .rename(&home.path().into(), &Name::new("after", &[]).unwrap())
        .unwrap();
    let folder = home.path().join("after");
    assert_eq!(take_note_there(&folder, "Here"), "Here");
    table.retire();
    assert!(!has_server(&folder));
    let gone = call_with_note(&folder, "There").unwrap_err();
    assert!(matches!(gone, CallError::NoAnswer), "{gone}");
}

#[test]
fn a_socket_of_a_killed_process_is_replaced() {
    let home = tempfile::tempdir().unwrap();
    let (table, folder) = attended(&home, "friday");
    table.flush(Duration::from_mins(1)).unwrap();
    drop(table);
    // Leave a socket behind that no process serves.
    drop(UnixListener::bind(folder.join("socket")).unwrap());
    let gone = call_with_note(&folder, "x").unwrap_err();
    assert!(matches!(gone, CallError::NoAnswer), "{gone}");
    let opening = Opening {
        clock: noon,
        dice: luck(),
        view: false,
        on_edit: OnEdit::Ask,
    };
    let (table, _) = Table::open(&folder, opening).unwrap();
    table.accept_requests(take_note);
    assert_eq!(take_note_there(&folder, "x"), "x");
    drop(table);
}

#[test]
fn silent_calls_are_replaced_by_calls_with_requests() {
    let home = tempfile::tempdir().unwrap();
    let (_table, folder) = attended(&home, "friday");
    let mut silent = Vec::new();
    for _ in 0..100 {
        let stream = UnixStream::connect(folder.join("socket")).unwrap();
        // The server greets each call that it serves. If it has replaced a call, reading from that call ends.
        let mut greeting = [0];
        (&stream).read_exact(&mut greeting).unwrap();
        silent.push(stream);
    }

    // Each request is run at the first attempt, although no silent client has closed its connection.
    for number in 0..40 {
        assert_eq!(
            take_note_there(&folder, &number.to_string()),
            number.to_string()
        );
    }
    drop(silent);
}

#[test]
fn malformed_requests_have_no_effect() {
    let home = tempfile::tempdir().unwrap();
    let (table, folder) = attended(&home, "friday");
    let bombs: [&[u8]; 7] = [
        b"\n",
        b"{}\n",
        b"\xff\xfe\x00\n",
        b"{\"note\":\"Late\",\"more\":1}\n",
        &vec![b'['; 100_000],
        &vec![b'x'; 5 << 20],
        b"{\"note\":",
    ];
    for bomb in bombs {
        let mut stream = UnixStream::connect(folder.join("socket")).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        // The server may close the connection before it has read everything.
        stream.write_all(bomb).unwrap_or_default();
        stream
            .shutdown(std::net::Shutdown::Write)
            .unwrap_or_default();
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).unwrap_or_default();
        assert!(heard.starts_with(b"{\"tableside\":1}\n") || heard.is_empty());
    }
    // One client stays connected without a request, and another one disconnects.
    let _stands = UnixStream::connect(folder.join("socket")).unwrap();
    drop(UnixStream::connect(folder.join("socket")).unwrap());
    assert_eq!(take_note_there(&folder, "All is well"), "All is well");
    assert_eq!(table.read(&Seat::gm(), |seen| (seen.log_length(),)).0, 1);
}

#[test]
fn a_request_after_the_game_was_closed_is_not_accepted() {
    let home = tempfile::tempdir().unwrap();
    let (table, folder) = attended(&home, "friday");
    let mut stream = UnixStream::connect(folder.join("socket")).unwrap();
    let mut reader = BufReader::new(&stream);
    read_line(&mut reader, 1024, LINE_TIMEOUT).unwrap();
    // The client has the greeting. Close the game before the request arrives.
    table.retire();
    stream
        .write_all(b"{\"note\":\"Late\"}\n")
        .unwrap_or_default();
    let heard = read_line(&mut BufReader::new(&stream), 1024, LINE_TIMEOUT);
    assert!(heard.is_err(), "a closed server accepted the request");
    assert_eq!(table.read(&Seat::gm(), |seen| (seen.log_length(),)).0, 0);
}

#[test]
fn a_request_cannot_be_accepted_after_its_client_gave_up() {
    let home = tempfile::tempdir().unwrap();
    let listener = UnixListener::bind(home.path().join("socket")).unwrap();
    let (given_up, goes_on) = std::sync::mpsc::channel();
    let holder = thread::Builder::new().spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        send_line(&stream, &Greeting { tableside: VERSION }).unwrap();
        read_line(&mut BufReader::new(&stream), LONGEST_REQUEST, LINE_TIMEOUT).unwrap();
        goes_on.recv().unwrap();
        send_line(&stream, &Acceptance { taken: true })
    });
    let request = NoteRequest {
        note: "Late".to_owned(),
    };
    let answer = call_within::<String>(home.path(), &request, Duration::from_millis(1));
    assert!(matches!(answer, Err(CallError::NoAnswer)), "{answer:?}");
    given_up.send(()).unwrap();
    // The server cannot send its acceptance any more, so it does not run the request.
    assert!(holder.unwrap().join().unwrap().is_err());
}
