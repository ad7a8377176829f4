//! Notes, handouts, the X-card, lines and veils, and sessions: who reads them, and what is stored of whom.

use tableside::game::{
    Command, EditNoteCommand, EntityRef, Named, Note, NoteCommand, NoteId, Pin, Readers,
};
use tableside::rules::System;
use tableside::table::{Act, RecapScope, Seat, SeatId, SeatRole, SeatView};

use super::TestGame;

const SECRET: &str = "Xsmoke";

fn game() -> TestGame {
    TestGame::with(System::HEART_RUSH, &[("Mira", &[]), ("Bo", &[])])
}

fn write(readers: Readers) -> NoteCommand {
    NoteCommand {
        text: SECRET.to_owned(),
        readers,
        ..NoteCommand::default()
    }
}

fn handout(readers: Readers) -> Command {
    Command::Note(NoteCommand {
        handout: true,
        ..write(readers)
    })
}

fn players_of(game: &TestGame, names: &[&str]) -> Readers {
    let characters = names.iter().map(|name| Named::from(&game.named(name)));
    Readers::Characters(characters.collect())
}

/// True if the seat can find the text in its log or in its notes.
fn reads(game: &TestGame, seat: &Seat) -> bool {
    game.table.read(seat, |view| {
        let mut log = view.log().map(|entry| format!("{entry:?}"));
        let in_log = log.any(|entry| entry.contains(SECRET));
        let in_notes = view.written_notes().any(|note| note.text.contains(SECRET));
        let in_game = !seat.sees_all() && format!("{:?}", view.game()).contains(SECRET);
        assert_eq!(in_log, in_notes, "{}", seat.name);
        assert!(in_notes || !in_game, "{}", seat.name);
        in_log
    })
}

fn newest_note(game: &TestGame, seat: &Seat) -> Note {
    let last = |view: &SeatView<'_>| view.written_notes().next_back().cloned();
    game.table.read(seat, last).unwrap()
}

#[test]
fn a_note_is_read_by_its_readers_and_nobody_else() {
    let sample = game();
    let by_gm = [
        (Readers::Gm, [true, false, false]),
        (Readers::Everybody, [true, true, true]),
        (players_of(&sample, &["Mira"]), [true, true, false]),
        (players_of(&sample, &["Mira", "Bo"]), [true, true, true]),
    ];
    for (readers, expected) in by_gm {
        for is_handout in [false, true] {
            let game = game();
            game.run(Command::Note(NoteCommand {
                handout: is_handout,
                ..write(readers.clone())
            }));
            let seats = [Seat::gm(), game.player("Mira"), game.player("Bo")];
            assert_eq!(seats.map(|seat| reads(&game, &seat)), expected);
        }
    }
}

#[test]
fn the_gm_does_not_read_a_players_own_note_until_it_is_shared() {
    let game = game();
    let (mira, bo) = (game.player("Mira"), game.player("Bo"));
    let own = write(mira.default_readers());
    game.act(&mira, &Command::Note(own).into()).unwrap();
    assert!(reads(&game, &mira));
    assert!(!reads(&game, &Seat::gm()));
    assert!(!reads(&game, &bo));

    let note = newest_note(&game, &mira);
    let shared = Command::EditNote(EditNoteCommand {
        note: note.id,
        text: note.text,
        readers: Readers::Gm,
        pinned_to: None,
    });
    assert!(game.act(&bo, &shared.clone().into()).is_err());
    game.act(&mira, &shared.into()).unwrap();
    assert_eq!(newest_note(&game, &Seat::gm()).text, SECRET);
    let sees_note = |view: &SeatView<'_>| view.written_notes().next().is_some();
    assert!(!game.table.read(&bo, sees_note));
}

#[test]
fn the_gm_cannot_undo_strike_or_change_what_the_gm_may_not_read() {
    let game = game();
    let mira = game.player("Mira");
    let named = game.run(Command::NextScene {
        name: "The docks".to_owned(),
    });
    let own = game.act(&mira, &Command::Note(write(Readers::Author)).into());
    let note = newest_note(&game, &mira).id;

    let strike = Act::Strike {
        entry: own.unwrap().number,
        reason: String::new(),
    };
    assert!(game.act(&Seat::gm(), &strike).is_err());
    let remove = Command::Remove(EntityRef::Note(note));
    assert!(game.act(&Seat::gm(), &remove.into()).is_err());
    game.act(&Seat::gm(), &Act::Undo).unwrap();
    assert!(game.is_struck(named.number));
    assert!(reads(&game, &mira));

    game.act(&mira, &Act::Undo).unwrap();
    let has_notes = |view: &SeatView<'_>| view.written_notes().next().is_some();
    assert!(!game.table.read(&mira, has_notes));
    assert!(!game.look(|view| format!("{:?}", view.log().collect::<Vec<_>>()).contains(SECRET)));
}

#[test]
fn a_handout_stays_unread_for_each_reader_until_that_reader_has_read_it() {
    let game = game();
    let (mira, bo) = (game.player("Mira"), game.player("Bo"));
    game.run(handout(Readers::Everybody));
    let note = newest_note(&game, &mira).id;
    let unread = |seat: &Seat| game.table.read(seat, |view| view.unread_handouts().count());
    assert_eq!([&mira, &bo].map(unread), [1, 1]);
    assert_eq!(unread(&Seat::gm()), 0);

    let length = game.look(|view| view.log().count());
    game.act(&mira, &Command::ReadHandout(note).into()).unwrap();
    assert_eq!([&mira, &bo].map(unread), [0, 1]);
    assert!(reads(&game, &mira));
    // The log does not show it, and undo goes back to what was done before.
    assert_eq!(game.look(|view| view.log().count()), length);
    game.act(&Seat::gm(), &Act::Undo).unwrap();
    assert!(!reads(&game, &mira));
    game.act(&Seat::gm(), &Act::Redo).unwrap();
    assert!(reads(&game, &mira));
}

#[test]
fn only_the_gm_hands_out_and_players_address_only_whom_they_know() {
    let game = game();
    let mira = game.player("Mira");
    assert!(
        game.act(&mira, &handout(Readers::Everybody).into())
            .is_err()
    );

    game.run(Command::edit(tableside::game::Character {
        hidden: true,
        ..game.named("Bo")
    }));
    let to_hidden = write(players_of(&game, &["Bo"]));
    assert!(game.act(&mira, &Command::Note(to_hidden).into()).is_err());
    let pinned_to_hidden = NoteCommand {
        pinned_to: Some(Pin::Character(game.id("Bo"))),
        ..write(Readers::Author)
    };
    assert!(
        game.act(&mira, &Command::Note(pinned_to_hidden).into())
            .is_err()
    );
}

#[test]
fn a_handout_names_no_reader_and_no_pin_that_is_hidden_from_the_other_readers() {
    let game = game();
    let mira = game.player("Mira");
    game.run(Command::Note(NoteCommand {
        handout: true,
        pinned_to: Some(Pin::Character(game.id("Bo"))),
        ..write(players_of(&game, &["Mira", "Bo"]))
    }));
    game.run(Command::edit(tableside::game::Character {
        hidden: true,
        ..game.named("Bo")
    }));
    let seen = game.table.read(&mira, |view| {
        let notes: Vec<&Note> = view.written_notes().collect();
        format!("{notes:?} {:?}", view.log().collect::<Vec<_>>())
    });
    assert!(seen.contains(SECRET) && !seen.contains("Bo"), "{seen}");
    assert_eq!(newest_note(&game, &mira).pinned_to, None);
}

#[test]
fn everybody_can_ask_for_a_pause_and_nobody_can_tell_who_did() {
    let game = game();
    let watcher = Seat::new(SeatId(77), "xavier", SeatRole::Watcher);
    for seat in [game.player("Mira"), watcher, Seat::gm()] {
        let paused = game.act(&seat, &Command::Pause.into()).unwrap();
        let (by, id) = (&paused.by, paused.seat);
        assert_eq!((by.as_str(), id), ("", SeatId::NOBODY));
        for reader in [game.player("Bo"), Seat::gm(), Seat::onlooker()] {
            let seen = game.table.read(&reader, |view| {
                let entry = view.log().next().unwrap();
                (entry.event.text(view.system()), format!("{entry:?}"))
            });
            assert_eq!(seen.0, "Let's pause");
            assert!(!seen.1.contains("xavier") && !seen.1.contains("mira"));
        }
    }
    // There is nothing to take back.
    assert!(game.act(&game.player("Mira"), &Act::Undo).is_err());
}

#[test]
fn everybody_may_change_the_lines_and_veils_but_not_overwrite_what_they_have_not_read() {
    let game = game();
    let watcher = Seat::new(SeatId(77), "xavier", SeatRole::Watcher);
    let change = |was: Option<&str>, text: &str| Command::SetLinesAndVeils {
        was: was.map(str::to_owned),
        text: text.to_owned(),
    };
    let first = game.act(&watcher, &change(Some(""), "No spiders").into());
    assert_eq!(first.unwrap().by, "");
    let late = game.act(&game.player("Mira"), &change(Some(""), "No fire").into());
    assert!(late.unwrap_err().contains("another seat changed"));

    for seat in [game.player("Bo"), Seat::onlooker(), Seat::gm()] {
        let text = game.table.read(&seat, |view| view.lines_and_veils.clone());
        assert_eq!(text, "No spiders");
    }
    game.act(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(game.look(|view| view.lines_and_veils.clone()), "");
}

#[test]
fn sessions_are_numbered_and_can_be_taken_back() {
    let game = game();
    game.run(Command::NextScene {
        name: "The docks".to_owned(),
    });
    let ended = game.run(Command::EndSession);
    assert_eq!(game.last(), "Session 1 ended");
    let last = game.look(|view| view.last_session().cloned()).unwrap();
    assert_eq!(
        (last.scene.as_str(), last.last_entry),
        ("The docks", ended.number)
    );
    assert_eq!(game.look(|view| view.session_number()), 2);
    assert_eq!(game.look(|view| view.session_of(ended.number)), 1);

    game.act(&Seat::gm(), &Act::Undo).unwrap();
    assert_eq!(game.look(|view| view.session_number()), 1);
    game.act(&Seat::gm(), &Act::Redo).unwrap();
    game.run(Command::EndSession);
    assert_eq!(game.last(), "Session 2 ended");
}

#[test]
fn a_note_without_words_or_with_too_many_is_refused_with_its_length() {
    let game = game();
    let refusal = |text: String| {
        let note = NoteCommand {
            text,
            ..NoteCommand::default()
        };
        game.act(&Seat::gm(), &Command::Note(note).into())
            .unwrap_err()
    };
    assert!(refusal("x".repeat(20_001)).contains("20001 characters"));
    refusal(" \n ".to_owned());
    let gone = Command::Remove(EntityRef::Note(NoteId(9_999)));
    assert!(game.act(&Seat::gm(), &gone.into()).is_err());
}

#[test]
fn the_answer_to_a_suggestion_does_not_repeat_a_handout_that_is_gone() {
    let game = game();
    let mira = game.player("Mira");
    game.run(handout(players_of(&game, &["Mira"])));
    game.table.suggest(&mira, &Act::Undo).unwrap();
    let suggestion = game.look(|view| view.suggestions()[0].clone());
    assert!(suggestion.words.contains(SECRET), "{}", suggestion.words);

    game.table.accept(&Seat::gm(), suggestion.id).unwrap();
    let answer = |view: &SeatView<'_>| view.answer_since(0).map(|(_, text)| text.to_owned());
    let answer = game.table.read(&mira, answer).unwrap();
    assert!(answer.ends_with("undo: a note"), "{answer}");
    assert!(!reads(&game, &mira));
}

#[test]
fn a_secret_note_after_a_session_changes_nothing_for_players() {
    let game = game();
    game.run(Command::NextScene {
        name: "The docks".to_owned(),
    });
    game.run(Command::EndSession);
    game.run(Command::Note(NoteCommand {
        text: SECRET.to_owned(),
        ..NoteCommand::default()
    }));

    let player = Seat::onlooker();
    let is_between_sessions =
        |seat: &Seat| game.table.read(seat, |view| view.last_session().is_some());
    assert!(is_between_sessions(&player));
    assert!(!is_between_sessions(&Seat::gm()));
    let session = |seat: &Seat| game.table.read(seat, RecapScope::newest_session).session;
    assert_eq!(session(&player), Some(1));
    assert_eq!(session(&Seat::gm()), Some(2));
}
