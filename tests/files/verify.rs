//! `verify` derives every roll again and names the one that does not hold, also where somebody mended
//! the checksums after changing it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use tableside::dice::SystemDice;
use tableside::rules::{ChosenBy, House, Sheet, System, Value};
use tableside::session::{
    Character, Command, Faces, RollCommand, Session, ThrowCommand, TokenPool, Who,
};
use tableside::store::Reader;
use tableside::table::{Act, OnEdit, Opening, Seat, Table, Verified, verify};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

/// A game with one skill check at advantage and an aspect: d8 5, d10 7, d8 2 (dropped), 2 DP spent.
fn game(data: &Path) -> PathBuf {
    let session = Session::new(System::HeartRush);
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let data = data.to_owned();
    let table = Table::unsaved("t", session, Vec::new(), Some(data.clone()), noon, dice);
    let mut sheet = Sheet::new(System::HeartRush);
    let guide = Value::Ranks(vec![("Mountain Guide".into(), 2)]);
    sheet.set("professions", guide).unwrap();
    let captain = Value::Ranks(vec![("Captain".into(), 2), ("Hot-headed".into(), 3)]);
    sheet.set("aspects", captain).unwrap();
    let mira = Command::AddCharacter(Box::new(Character::new("Mira", sheet)));
    table.submit(&Seat::gm(), &mira.into()).unwrap();
    roll(&table, &[5, 7, 2], "2");
    roll(&table, &[6, 6, 1], "0");
    let dice = ThrowCommand {
        who: Who::Nobody,
        notation: "3d6kh2+1".to_owned(),
        faces: Some(vec![2, 5, 4]),
        hidden_from: Vec::new(),
        noticed: false,
    };
    let dice = Command::Throw(Box::new(dice));
    table.submit(&Seat::gm(), &dice.into()).unwrap();
    table.flush(Duration::from_secs(5)).unwrap();
    data.join("unsaved-1")
}

fn roll(table: &Arc<Table>, faces: &[u8], aspect: &str) {
    roll_against(table, faces, (aspect, "0"));
}

fn roll_against(table: &Arc<Table>, faces: &[u8], (aspect, hindrance): (&str, &str)) {
    let command = table.read(&Seat::gm(), |seen| {
        let check = System::HeartRush.check("skill").unwrap();
        let who = seen.character_named("Mira").map(|one| one.id);
        let mut filled = seen.fill(check, who);
        let given = [
            ("cn", "12"),
            ("ability", "d10"),
            ("advantage", "1"),
            ("aspect", aspect),
            ("hindrance", hindrance),
        ];
        for (field, given) in given {
            seen.fill_in(&mut filled, who, check.field(field).unwrap(), given)
                .unwrap();
        }
        RollCommand {
            group: false,
            who: Who::Character(who.unwrap()),
            fields: filled.fields,
            sources: filled.sources,
            faces: Faces::Typed(faces.to_vec()),
            choose: Vec::new(),
            by: ChosenBy::Gm,
            wait: false,
            hidden_from: Vec::new(),
            noticed: false,
            clock: None,
            helpers: Vec::new(),
        }
    });
    table
        .submit(&Seat::gm(), &Command::Roll(Box::new(command)).into())
        .unwrap();
}

fn open(folder: &Path) -> Arc<Table> {
    let opening = Opening {
        clock: noon,
        dice: Box::new(SystemDice::from_key([2; 32])),
        view: false,
        on_edit: OnEdit::Ask,
    };
    Table::open(folder, opening).unwrap().0
}

/// The game, with the first roll read again: a modifier, and then a third die.
fn amended(data: &Path) -> PathBuf {
    let folder = game(data);
    let table = open(&folder);
    let mut entry = 2;
    for (field, given) in [("modifier", "1"), ("advantage", "2")] {
        let fields = vec![(field.to_owned(), given.to_owned())];
        let act = Act::Amend {
            entry,
            fields,
            faces: Faces::Rolled,
        };
        entry = table.submit(&Seat::gm(), &act).unwrap().number;
    }
    table.flush(Duration::from_secs(5)).unwrap();
    folder
}

fn verified(folder: &Path) -> Verified {
    verify(&Reader::new(folder), System::HeartRush, &House::default()).unwrap()
}

/// Changes the journal's lines and mends every checksum, as somebody would who knows how.
fn forge(folder: &Path, change: impl Fn(&mut Vec<String>)) {
    let path = folder.join("journal/000001.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| line.rsplit_once(",\"crc\"").unwrap().0.to_owned())
        .collect();
    change(&mut lines);
    let mut crc = 0;
    let mut forged = Vec::new();
    for line in &lines {
        crc = crc32c::crc32c_append(crc, line.as_bytes());
        forged.push(format!("{line},\"crc\":\"{crc:08x}\"}}\n"));
    }
    fs::write(path, forged.concat()).unwrap();
}

fn replaced(from: &'static str, to: &'static str) -> impl Fn(&mut Vec<String>) {
    move |lines| {
        let line = lines.iter_mut().find(|line| line.contains(from)).unwrap();
        *line = line.replace(from, to);
    }
}

fn wrong(change: impl Fn(&mut Vec<String>)) -> Vec<String> {
    let data = tempfile::tempdir().unwrap();
    let folder = game(data.path());
    assert_eq!(verified(&folder).wrong, []);
    forge(&folder, change);
    let wrong = verified(&folder).wrong;
    wrong
        .into_iter()
        .map(|(number, what)| format!("#{number}: {what}"))
        .collect()
}

#[test]
fn an_honest_journal_holds() {
    let data = tempfile::tempdir().unwrap();
    let folder = game(data.path());
    let verified = verified(&folder);
    assert_eq!((verified.rolls, verified.wrong), (2, Vec::new()));
}

#[test]
fn a_changed_face_is_named() {
    assert_eq!(
        wrong(replaced("[5,7,2]", "[5,8,2]")),
        ["#2: the total is 15, and 14 is recorded"]
    );
}

#[test]
fn free_dice_that_do_not_add_up_are_named() {
    assert_eq!(
        wrong(replaced("[2,5,4]", "[2,5,3]")),
        ["#4: 10 is not what its dice come to"]
    );
    // A face that the die does not have adds up to nothing.
    assert_eq!(wrong(replaced("[2,5,4]", "[2,5,7]")).len(), 1);
}

#[test]
fn a_changed_face_of_a_dropped_die_is_named_where_it_would_be_kept() {
    assert_eq!(
        wrong(replaced("[5,7,2]", "[5,7,6]")),
        ["#2: the total is 15, and 14 is recorded"]
    );
}

#[test]
fn a_changed_total_outcome_or_effect_is_named() {
    assert_eq!(
        wrong(replaced("\"total\":14", "\"total\":24")),
        ["#2: the total is 14, and 24 is recorded"]
    );
    assert_eq!(
        wrong(replaced(
            "\"outcome\":\"success\"",
            "\"outcome\":\"failure\""
        )),
        ["#2: the outcome is success, and failure is recorded"]
    );
    assert_eq!(
        wrong(replaced("\"amount\":-2}", "\"amount\":-1}")),
        ["#2: the effect is -2 Destiny Points; recorded is -1 Destiny Point"]
    );
}

#[test]
fn a_face_that_the_die_does_not_have_and_a_wrong_number_of_dice_are_named() {
    assert_eq!(
        wrong(replaced("[5,7,2]", "[5,11,2]")),
        ["#2: face 2 is 11, and a d10 has the faces 1–10"]
    );
    assert_eq!(
        wrong(replaced("[5,7,2]", "[5,7]")),
        ["#2: too few faces: 3 needed so far (2d8 + d10), 2 given"]
    );
    assert_eq!(
        wrong(replaced("[5,7,2]", "[5,7,2,2]")),
        ["#2: too many faces: 3 needed, 4 given"]
    );
}

#[test]
fn a_line_that_was_removed_or_moved_is_named() {
    assert!(
        !wrong(|lines| {
            lines.remove(1);
        })
        .is_empty()
    );
    assert!(!wrong(|lines| lines.swap(1, 2)).is_empty());
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
    assert_eq!(wrong[0].0, 2);
}

#[test]
fn a_roll_that_was_read_again_holds_and_shows_the_faces_that_fell() {
    let data = tempfile::tempdir().unwrap();
    let folder = amended(data.path());
    let found = verified(&folder);
    assert_eq!((found.rolls, found.wrong), (4, Vec::new()));
    // The journal is forged so that only the amended reading shows another dropped die.
    forge(&folder, |lines| {
        let line = lines
            .iter_mut()
            .find(|line| line.contains("amended") && line.contains("[5,7,2]"));
        let line = line.unwrap();
        *line = line.replace("[5,7,2]", "[5,7,3]");
    });
    let wrong = verified(&folder).wrong;
    let words = "its faces are not those of the roll that it reads again";
    assert_eq!(
        wrong.first().map(|(_, what)| what.as_str()),
        Some(words),
        "{wrong:?}"
    );
}

#[test]
fn a_roll_repeated_for_a_favor_and_read_again_holds_and_its_price_must_be_paid() {
    let data = tempfile::tempdir().unwrap();
    let session = Session::new(System::Gnosis);
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let table = Table::unsaved(
        "t",
        session,
        Vec::new(),
        Some(data.path().to_owned()),
        noon,
        dice,
    );
    let submit = |act: Act| table.submit(&Seat::gm(), &act).unwrap().number;
    let mira = Character::new("Mira", Sheet::new(System::Gnosis));
    submit(Command::AddCharacter(Box::new(mira)).into());
    let (who, favor) = table.read(&Seat::gm(), |seen| {
        let who = seen.roster().next().unwrap().id;
        let mut pools = seen.pools();
        (who, pools.find(|pool| pool.name == "Favor").unwrap().id)
    });
    submit(Command::Tokens { pool: favor, by: 2 }.into());
    let check = System::Gnosis.check("strategy").unwrap();
    let fields = table.read(&Seat::gm(), |seen| {
        let mut filled = seen.fill(check, Some(who));
        let field = check.field("difficulty").unwrap();
        seen.fill_in(&mut filled, Some(who), field, "16").unwrap();
        filled
    });
    let roll = Command::Roll(Box::new(RollCommand {
        group: false,
        who: Who::Character(who),
        fields: fields.fields,
        sources: fields.sources,
        faces: Faces::Typed(vec![1, 1, 1]),
        choose: Vec::new(),
        by: ChosenBy::Gm,
        wait: false,
        hidden_from: Vec::new(),
        noticed: false,
        clock: None,
        helpers: Vec::new(),
    }));
    let entry = submit(roll.into());
    let faces = Faces::Typed(vec![5, 5, 5]);
    let entry = submit(Act::Reroll { entry, faces });
    let fields = vec![("difficulty".to_owned(), "22".to_owned())];
    submit(Act::Amend {
        entry,
        fields,
        faces: Faces::Rolled,
    });
    table.flush(Duration::from_secs(5)).unwrap();
    let tokens = table.read(&Seat::gm(), |seen| {
        seen.pools().find(|pool| pool.id == favor).unwrap().tokens
    });
    // Two, one paid; 15 against 22 is a critical failure, which brings one.
    assert_eq!(tokens, 2);
    let folder = data.path().join("unsaved-1");
    let verify = || verify(&Reader::new(&folder), System::Gnosis, &House::default()).unwrap();
    assert_eq!((verify().rolls, verify().wrong), (3, Vec::new()));
    let price = r#"{"kind":"token","pool":"favor","owner":"Mira","amount":-1},"#;
    forge(&folder, |lines| {
        let line = lines
            .iter_mut()
            .find(|line| line.contains("rerolled"))
            .unwrap();
        assert!(line.contains(price), "{line}");
        *line = line.replace(price, "");
    });
    let wrong = verify().wrong;
    let words = "the Favor that it was repeated for is not recorded";
    assert_eq!(
        wrong.first().map(|(_, what)| what.as_str()),
        Some(words),
        "{wrong:?}"
    );
}

#[test]
fn what_a_pool_tells_at_a_number_is_the_tables_and_holds() {
    let data = tempfile::tempdir().unwrap();
    let folder = game(data.path());
    let table = open(&folder);
    let pool = table.read(&Seat::gm(), |seen| seen.pools().next().unwrap().clone());
    let tells = Command::EditPool(Box::new(TokenPool {
        thresholds: vec![(0, "out of luck".to_owned())],
        ..pool
    }));
    table.submit(&Seat::gm(), &tells.into()).unwrap();
    roll(&table, &[6, 6, 1], "1");
    table.flush(Duration::from_secs(5)).unwrap();
    let told = table.read(&Seat::gm(), |seen| {
        let entry = seen.log().next().unwrap();
        let effects = &entry.roll().unwrap().effects;
        effects.last().unwrap().to_string()
    });
    assert_eq!(told, "Destiny Points now 0: out of luck");
    drop(table);
    let verified = verified(&folder);
    assert_eq!((verified.rolls, verified.wrong), (3, Vec::new()));
}

#[test]
fn what_a_limit_kept_back_holds_beside_points_that_were_spent() {
    let data = tempfile::tempdir().unwrap();
    let folder = game(data.path());
    let table = open(&folder);
    // One point is left; each roll spends one and gains three, until the scene gives no more.
    for _ in 0..3 {
        roll_against(&table, &[6, 6, 1], ("1", "3"));
    }
    table.flush(Duration::from_secs(5)).unwrap();
    let told = table.read(&Seat::gm(), |seen| {
        let entry = seen.log().next().unwrap();
        let effects = entry.roll().unwrap().effects.iter();
        effects.map(ToString::to_string).collect::<Vec<_>>()
    });
    assert_eq!(
        told,
        [
            "Mira: spends 1 Destiny Point",
            "Destiny Points now 3: 0 of 3 gained, for a scene gives 5 at most"
        ]
    );
    drop(table);
    let verified = verified(&folder);
    assert_eq!((verified.rolls, verified.wrong), (5, Vec::new()));
}
