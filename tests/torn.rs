//! A journal cut at any byte opens, loses at most the event that the cut goes through, and says so.

#![cfg(test)]

use std::fs;
use std::path::Path;

use chrono::{DateTime, Utc};
use tableside::dice::Luck;
use tableside::rules::{Sheet, System};
use tableside::session::{Character, Clock, Command, Segments, Session};
use tableside::table::{OnEdit, Opening, Seat, Seen, Table};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

fn opening() -> Opening {
    Opening {
        clock: noon,
        dice: Box::new(Luck::from_key([1; 32])),
        view: false,
        on_edit: OnEdit::Ask,
    }
}

/// Plays a little and leaves a folder as a killed process leaves it: no last snapshot.
fn killed(data: &Path) {
    let session = Session::new(System::Hfrpg);
    let dice = Box::new(Luck::from_key([1; 32]));
    let kept = data.join("kept");
    fs::create_dir(&kept).unwrap();
    let table = Table::unsaved("t", session, Vec::new(), Some(kept.clone()), noon, dice);
    let shannon = Character::new("Shannon", Sheet::new(System::Hfrpg));
    let bridge = Clock::new("The bridge", Segments::try_from(8).unwrap());
    let commands = [
        Command::AddCharacter(Box::new(shannon)),
        Command::AddClock(Box::new(bridge)),
        Command::Note {
            text: "“It holds.” — for now".to_owned(),
            about: None,
        },
    ];
    for command in commands {
        table.submit(&Seat::gm(), &command.into()).unwrap();
    }
    let clock = table.read(&Seat::gm(), |seen| seen.clocks().next().unwrap().clock.id);
    for by in [1, 2, -1, 3] {
        table
            .submit(&Seat::gm(), &Command::Tick { clock, by }.into())
            .unwrap();
    }
    copy(&kept.join("unsaved-1"), &data.join("killed"));
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.join("journal")).unwrap();
    for file in ["session.toml", "journal/000001.jsonl"] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
}

#[test]
fn a_journal_cut_at_any_byte_opens_with_every_whole_event_and_says_what_was_torn() {
    let data = tempfile::tempdir().unwrap();
    killed(data.path());
    let journal = fs::read(data.path().join("killed/journal/000001.jsonl")).unwrap();
    for length in 0..=journal.len() {
        let cut = data.path().join("cut");
        copy(&data.path().join("killed"), &cut);
        fs::write(cut.join("journal/000001.jsonl"), &journal[..length]).unwrap();
        let whole = memchr::memchr_iter(b'\n', &journal[..length]).count();
        let torn = length > 0 && journal[length - 1] != b'\n';

        let (table, notices) = Table::open(&cut, opening()).unwrap();

        let last = table.read(&Seat::gm(), |seen: &Seen<'_>| {
            let last = seen.last_event();
            usize::try_from(last).unwrap()
        });
        assert_eq!(last, whole, "cut at {length}");
        let told = notices.iter().any(|notice| notice.contains(".torn"));
        assert_eq!(told, torn, "cut at {length}: {notices:?}");
        if torn {
            let evidence = fs::read(cut.join("journal/000001.jsonl.torn")).unwrap();
            let start = journal[..length].iter().rposition(|&byte| byte == b'\n');
            let start = start.map_or(0, |newline| newline + 1);
            assert_eq!(evidence, &journal[start..length], "cut at {length}");
        }
        let clocks = table.read(&Seat::gm(), |seen| seen.clocks().count());
        assert_eq!(
            clocks,
            usize::from(whole >= 3),
            "the stamp, Shannon, the bridge"
        );
        drop(table);
        fs::remove_dir_all(&cut).unwrap();
    }
}
