//! `verify` derives every roll again and names the one that does not hold, also where somebody mended
//! the checksums after changing it.

use std::fs;
use std::path::{Path, PathBuf};

use tableside::game::Command;
use tableside::rules::System;
use tableside::store::Reader;
use tableside::table::{Seat, Table, Verified, verify};

use super::opened::open;
use super::played::{PATIENCE, begin, run_command, run_command_as};

/// What Mira rolls at advantage; faces and aspects follow.
const ROLL: &str = "roll Mira skill cn=12 ability=d10 advantage=1";

/// A game with one skill check at advantage and an aspect: d8 5, d10 7, d8 2 (dropped), 2 DP spent.
fn game(data: &Path) -> PathBuf {
    let table = begin(data, System::HEART_RUSH);
    for words in [
        "add character Mira",
        "set Mira aspects Captain 2, Hot-headed 3",
        &format!("{ROLL} aspect=2 faces=5,7,2"),
        &format!("{ROLL} faces=6,6,1"),
        "roll 3d6kh2+1 faces=2,5,4",
    ] {
        run_command(&table, words);
    }
    table.flush(PATIENCE).unwrap();
    data.join("unsaved-1")
}

fn verified(folder: &Path) -> Verified {
    verify(&Reader::new(folder), System::HEART_RUSH).unwrap()
}

/// What the last roll led to.
fn told(table: &Table) -> Vec<String> {
    table.read(&Seat::gm(), |seen| {
        let entry = seen.log().next().unwrap();
        let effects = entry.roll().unwrap().effects.iter();
        effects.map(|one| one.text(seen.system())).collect()
    })
}

/// Changes the journal's lines and mends every checksum, as somebody would who knows how.
fn forge(folder: &Path, change: impl Fn(&mut Vec<String>)) {
    let path = folder.join("journal/000001.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let lines = text
        .lines()
        .map(|line| line.rsplit_once(",\"crc\"").unwrap().0.to_owned());
    let mut lines: Vec<String> = lines.collect();
    change(&mut lines);
    let mut crc = 0;
    let mut forged = Vec::new();
    for line in &lines {
        crc = crc32c::crc32c_append(crc, line.as_bytes());
        forged.push(format!("{line},\"crc\":\"{crc:08x}\"}}\n"));
    }
    fs::write(path, forged.concat()).unwrap();
}

/// The first line with both words has the second one replaced.
fn replaced<'a>(with: &'a str, from: &'a str, to: &'a str) -> impl Fn(&mut Vec<String>) + 'a {
    move |lines| {
        let mut lines = lines.iter_mut();
        let line = lines.find(|line| line.contains(with) && line.contains(from));
        let line = line.unwrap();
        *line = line.replace(from, to);
    }
}

fn wrong(change: impl Fn(&mut Vec<String>)) -> Vec<String> {
    let data = tempfile::tempdir().unwrap();
    let folder = game(data.path());
    let honest = verified(&folder);
    assert_eq!((honest.rolls, honest.wrong), (2, Vec::new()));
    forge(&folder, change);
    let wrong = verified(&folder).wrong.into_iter();
    wrong
        .map(|(number, what)| format!("#{number}: {what}"))
        .collect()
}

/// Behind `->` stands what is put in the place of what is recorded, behind `!!` what is said of it.
#[test]
fn what_was_changed_is_named() {
    for line in include_str!("changed.txt").lines() {
        let (change, due) = line.split_once(" !! ").unwrap();
        let (from, to) = change.split_once(" -> ").unwrap();
        assert_eq!(wrong(replaced("", from, to)), [due], "{line}");
    }
}

#[test]
fn a_line_that_was_removed_or_moved_is_named() {
    assert_ne!(wrong(|lines| drop(lines.remove(2))), Vec::<String>::new());
    assert_ne!(wrong(|lines| lines.swap(2, 3)), Vec::<String>::new());
}

#[test]
fn a_changed_line_without_a_mended_checksum_is_named() {
    let data = tempfile::tempdir().unwrap();
    let folder = game(data.path());
    let path = folder.join("journal/000001.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    // A dropped die's face that changes nothing else: only the checksum knows.
    fs::write(&path, text.replace("[5,7,2]", "[5,7,3]")).unwrap();
    let wrong = verified(&folder).wrong;
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert_eq!(wrong[0].0, 3);
}

#[test]
fn a_roll_that_was_read_again_holds_and_shows_the_faces_that_fell() {
    let data = tempfile::tempdir().unwrap();
    let folder = game(data.path());
    let table = open(&folder);
    let once = run_command(&table, "amend 3 modifier=1");
    run_command(&table, &format!("amend {once} advantage=2"));
    table.flush(PATIENCE).unwrap();
    drop(table);
    let found = verified(&folder);
    assert_eq!((found.rolls, found.wrong), (4, Vec::new()));
    // Only the amended reading shows another dropped die.
    forge(&folder, replaced("amended", "[5,7,2]", "[5,7,3]"));
    let why = "the faces differ from those of the roll that the entry amends";
    assert_eq!(verified(&folder).wrong[0].1, why);
}

#[test]
fn a_roll_repeated_for_a_favor_and_read_again_holds_and_its_price_must_be_paid() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), System::GNOSIS);
    run_command(&table, "add character Mira");
    run_command(&table, "give Mira 2 Favor");
    let roll = run_command(&table, "roll Mira strategy difficulty=16 faces=1,1,1");
    let second = run_command(&table, &format!("reroll {roll} faces=5,5,5"));
    run_command(&table, &format!("amend {second} difficulty=22"));
    table.flush(PATIENCE).unwrap();
    let favor = table.read(&Seat::gm(), |seen| {
        let mut pools = seen.pools();
        pools.find(|pool| pool.name == "Favor").unwrap().tokens
    });
    // Two, one paid; 15 against 22 is a critical failure, which brings one.
    assert_eq!(favor, 2);
    let folder = data.path().join("unsaved-1");
    let verify = || verify(&Reader::new(&folder), System::GNOSIS).unwrap();
    assert_eq!((verify().rolls, verify().wrong), (3, Vec::new()));
    let price = r#"{"kind":"token","pool":"favor","owner":"Mira","amount":-1},"#;
    forge(&folder, replaced("rerolled", price, ""));
    let (_, what) = &verify().wrong[0];
    assert_eq!(
        what,
        "the entry does not record the Favor that was paid to roll again"
    );
}

#[test]
fn a_changed_roll_for_initiative_is_named() {
    let data = tempfile::tempdir().unwrap();
    let table = begin(data.path(), System::FIVE_E);
    run_command(&table, "add character Mira");
    run_command(&table, "add character Bo");
    run_command(&table, "roll initiative");
    table.flush(PATIENCE).unwrap();
    let total = table.read(&Seat::gm(), |seen| {
        let mira = seen.character_named("Mira").unwrap();
        mira.initiative.unwrap().to_string()
    });
    drop(table);
    let folder = data.path().join("unsaved-1");
    let verify = || verify(&Reader::new(&folder), System::FIVE_E).unwrap();
    assert_eq!((verify().rolls, verify().wrong), (2, Vec::new()));

    let honest = fs::read_to_string(folder.join("journal/000001.jsonl")).unwrap();
    let recorded = format!("\"initiative\":{total},\"roll\":{{\"who\":\"Mira\"");
    forge(
        &folder,
        replaced(
            "Mira",
            &recorded,
            "\"initiative\":40,\"roll\":{\"who\":\"Mira\"",
        ),
    );
    let due = format!("Mira rolled {total}, but the entry records the initiative 40");
    assert_eq!(verify().wrong[0].1, due);
    fs::write(folder.join("journal/000001.jsonl"), honest).unwrap();

    // With Dexterity 10 the die is the total.
    let trail = format!("\"trail\":[[{total}]]");
    forge(
        &folder,
        replaced("\"initiative\"", &trail, "\"trail\":[[21]]"),
    );
    assert_eq!(verify().wrong.len(), 1);
}

#[test]
fn what_a_pool_tells_and_what_a_limit_kept_back_holds() {
    let data = tempfile::tempdir().unwrap();
    let folder = game(data.path());
    let table = open(&folder);
    run_command(&table, "threshold destiny 0 out of luck");
    run_command(&table, &format!("{ROLL} aspect=1 faces=6,6,1"));
    let last = told(&table).pop();
    assert_eq!(last.as_deref(), Some("Destiny Points now 0: out of luck"));
    run_command(&table, "undo");
    run_command(&table, "threshold destiny 0 none");
    // One point is left; each roll spends one and gains three, until the scene gives no more.
    let roll = format!("{ROLL} aspect=captain 1 hindrance=hot faces=6,6,1");
    for _ in 0..3 {
        run_command(&table, &roll);
    }
    assert_eq!(
        told(&table),
        [
            "Mira: spends 1 Destiny Point",
            "Destiny Points now 3: 0 of 3 gained, because a scene gives at most 5"
        ]
    );
    // The scene gives Mira nothing more. What comes next is what another spends.
    run_command(&table, "add character Guard");
    run_command(&table, "set Guard aspects Watchful 1");
    run_command(
        &table,
        "roll Mira attack ability=d10 weapon=d8 hindrance=hot defense-heart=Guard defense-ability=d6 \
         defense-aspect=watchful faces=1,6,2,3,4",
    );
    assert_eq!(told(&table)[0], "Guard: spends 1 Destiny Point");
    // The Guard gains as many as were due to Mira, and fewer than were due.
    run_command(&table, "set Guard aspects Watchful 1, Slow 3");
    for hindrance in ["hot", "captain"] {
        let words = format!(
            "roll Mira attack ability=d10 weapon=d8 hindrance={hindrance} defense-heart=Guard defense-ability=d6 \
             defense-hindrance=slow faces=1,6,2,3,4"
        );
        run_command(&table, &words);
    }
    // What the table keeps as a minimum is not there to be spent.
    let mut pool = table.read(&Seat::gm(), |seen| seen.pools().next().unwrap().clone());
    pool.floor = 2;
    let kept = table.submit(&Seat::gm(), &Command::edit(pool).into());
    kept.unwrap();
    let roll = format!("{ROLL} aspect=captain 2 faces=6,6,1");
    let why = run_command_as(&table, &Seat::gm(), &roll).unwrap_err();
    let words = "Mira has 1 in Destiny Points and cannot spend 2";
    assert!(why.contains(words), "{why}");
    table.flush(PATIENCE).unwrap();
    drop(table);
    let verified = verified(&folder);
    assert_eq!((verified.rolls, verified.wrong), (9, Vec::new()));
}
