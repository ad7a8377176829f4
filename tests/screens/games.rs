//! Games to look at: one with nothing in it, one in full swing, one full of ugly words.

use std::sync::Arc;

use tableside::dice::{Die, SystemDice};
use tableside::rules::{ChosenBy, Sheet, System, Value};
use tableside::session::{
    Allegiance, Attached, Character, CharacterId, Clock, ClockKind, Command, Condition, Faces,
    PrepareCommand, Reset, RollCommand, Segments, Session, TokenPool, Visibility,
};
use tableside::table::{Act, Seat, Table};

use crate::opened::noon;

pub(crate) fn empty(system: System) -> Arc<Table> {
    let dice = Box::new(SystemDice::from_key([1; 32]));
    let session = Session::new(system);
    Table::unsaved("A quiet evening", session, Vec::new(), None, noon, dice)
}

pub(crate) fn run(table: &Arc<Table>, command: Command) {
    table.submit(&Seat::gm(), &command.into()).unwrap();
}

/// The number of a character.
pub(crate) fn id(table: &Table, name: &str) -> CharacterId {
    table.read(&Seat::gm(), |seen| seen.character_named(name).unwrap().id)
}

fn hero(name: &str, player: &str, dice: [Die; 5]) -> Character {
    let mut sheet = Sheet::new(System::HEART_RUSH);
    for (stat, die) in ["heart", "might", "agility", "cunning", "presence"]
        .into_iter()
        .zip(dice)
    {
        sheet.set(stat, Value::Die(die)).unwrap();
    }
    sheet.set("heart-now", Value::Die(dice[0])).unwrap();
    let mut character = Character::new(name, sheet);
    player.clone_into(&mut character.player);
    character
}

fn clock(name: &str, segments: u8, filled: u8) -> Clock {
    Clock {
        filled,
        ..Clock::new(name, Segments::try_from(i32::from(segments)).unwrap())
    }
}

fn skill(table: &Table, who: &str, cn: &str, faces: &[i16], choose: &[&str]) -> Command {
    let roll = table.read(&Seat::gm(), |seen| {
        let check = System::HEART_RUSH.check("skill").unwrap();
        let id = seen.character_named(who).map(|one| one.id);
        let mut filled = seen.fill(check, id);
        let field = check.field("cn").unwrap();
        seen.fill_in(&mut filled, id, field, cn).unwrap();
        RollCommand {
            group: false,
            who: id,
            filled,
            faces: Faces::Typed(faces.to_vec()),
            choose: choose.iter().map(|word| (*word).to_owned()).collect(),
            by: ChosenBy::Gm,
            wait: true,
            hidden_from: Vec::new(),
            noticed: false,
            clock: None,
            helpers: Vec::new(),
        }
    });
    Command::Roll(Box::new(roll))
}

/// A scene of Heart Rush in full swing.
pub(crate) fn full() -> Arc<Table> {
    use Die::{D4, D6, D8, D10};
    let table = empty(System::HEART_RUSH);
    let add = |character: Character| run(&table, Command::add(character));
    let mut mira = hero("Mira", "Ana", [D8, D6, D10, D6, D4]);
    mira.sheet
        .set(
            "professions",
            Value::Ranks(vec![("Mountain Guide".into(), 2), ("Forager".into(), 1)]),
        )
        .unwrap();
    mira.notes = "Owes the ferryman a favour; nobody has asked yet.".into();
    add(mira);
    add(hero("Torben", "Jakob", [D8, D6, D4, D4, D6]));
    add(hero("Wren", "Lea", [D8, D4, D8, D10, D4]));
    let mut absent = hero("Sir Alric", "Tom", [D10, D8, D4, D4, D6]);
    absent.absent = true;
    add(absent);
    let mut oske = hero("Sergeant Oske", "", [D8, D8, D6, D4, D6]);
    oske.side = Allegiance::Adversary;
    add(oske);
    let mut rusk = hero("Captain Rusk", "", [D10, D10, D8, D8, D8]);
    (rusk.side, rusk.hidden) = (Allegiance::Adversary, true);
    add(rusk);

    run(&table, Command::add(clock("Up the cliff", 4, 4)));
    let watch = Clock {
        kind: ClockKind::Countdown,
        ..clock("The watch wakes", 6, 3)
    };
    run(&table, Command::add(watch));
    let trust = Clock {
        visibility: Visibility::Known,
        owner: Some(id(&table, "Wren")),
        ..clock("The prisoner's trust", 4, 1)
    };
    run(&table, Command::add(trust));
    let rope = Clock {
        kind: ClockKind::TugOfWar,
        visibility: Visibility::Hidden,
        ..clock("Rusk rides home", 8, 3)
    };
    run(&table, Command::add(rope));

    let torches = TokenPool {
        tokens: 4,
        cap: Some(6),
        reset: Reset::Scene,
        start: 6,
        ..TokenPool::new("Torches")
    };
    run(&table, Command::add(torches));
    let suspicion = TokenPool {
        tokens: 3,
        thresholds: vec![(3, "the guards go in pairs".into())],
        ..TokenPool::new("Suspicion")
    };
    run(&table, Command::add(suspicion));

    let torben = id(&table, "Torben");
    let name = "Past the guards".to_owned();
    run(&table, skill(&table, "Wren", "12", &[2, 3], &[]));
    run(&table, Command::NextScene { name });
    run(&table, Command::NextRound);
    run(&table, skill(&table, "Mira", "9", &[5, 6], &[]));
    run(&table, skill(&table, "Torben", "9", &[1, 3], &["fail"]));
    run(&table, skill(&table, "Wren", "15", &[8, 3], &[]));
    table.submit(&Seat::gm(), &Act::Undo).unwrap();
    run(&table, skill(&table, "Wren", "9", &[8, 3], &[]));
    let step = Command::StepStat {
        who: torben,
        stat: "heart-now".into(),
        by: -1,
    };
    run(&table, step);
    let conditions = vec![
        Condition {
            name: "dazed".into(),
            value: Some(1),
            rounds: Some(2),
            fades: false,
        },
        Condition {
            name: "prone".into(),
            ..Condition::default()
        },
    ];
    let conditions = Command::SetConditions {
        who: torben,
        conditions,
    };
    run(&table, conditions);
    let mira = table.session().character_named("Mira").unwrap().clone();
    let acted = true;
    run(&table, Command::edit(Character { acted, ..mira }));
    let text = "The lantern swings, and somebody up there stops humming.".to_owned();
    run(&table, Command::Note { text, about: None });
    table
}

/// Words that strangers write: too long, too wide, and full of tricks.
pub(crate) fn ugly() -> Arc<Table> {
    let table = empty(System::HEART_RUSH);
    let long = "Bartholomew ".repeat(16) + "the Very Last";
    let names = [
        long.as_str(),
        "美咲さん・龍の娘・北風の王国から来た旅人",
        "🐉🔥🎲 Dragon 👩‍👩‍👧‍👦 Family",
        "Evil\u{1b}[31mRed\u{202E}drawkcab\u{200B}",
        "Z\u{300}\u{301}\u{302}\u{303}\u{304}algo \u{1F1E9}\u{1F1EA}",
    ];
    for name in names {
        let mut character = hero(name, name, [Die::D8; 5]);
        character.conditions = vec![Condition {
            name: name.into(),
            value: Some(i32::MAX),
            rounds: Some(u32::MAX),
            fades: false,
        }];
        character.notes = format!("{name}\n{name}");
        run(&table, Command::add(character));
        run(&table, Command::add(clock(name, 128, 77)));
        let pool = TokenPool {
            tokens: -9_999,
            floor: -9_999,
            thresholds: vec![(-9_999, name.to_owned())],
            ..TokenPool::new(name)
        };
        run(&table, Command::add(pool));
        let text = format!("{name} {name}");
        run(&table, Command::Note { text, about: None });
    }
    let name = "霧の中の城 ".repeat(30);
    run(&table, Command::NextScene { name });
    table
}

/// Has the usual check fill a clock.
pub(crate) fn attach(table: &Arc<Table>, name: &str) {
    let place = table.read(&Seat::gm(), |seen| {
        let mut clocks = seen.clocks();
        clocks.position(|one| one.clock.name == name).unwrap()
    });
    attach_to(table, place, "Mira");
}

/// The names of all characters.
pub(crate) fn names(table: &Arc<Table>) -> Vec<String> {
    table.read(&Seat::gm(), |seen| {
        seen.roster().map(|one| one.name.clone()).collect()
    })
}

/// Has the usual check by that character fill the clock in that place.
pub(crate) fn attach_to(table: &Arc<Table>, place: usize, who: &str) {
    let clock = table.read(&Seat::gm(), |seen| {
        seen.clocks().nth(place).unwrap().clock.clone()
    });
    let check = Attached {
        fields: vec![("cn".into(), "12".into())],
        who: Some(id(table, who)),
        ..Attached::new("skill")
    };
    let clock = Clock {
        check: Some(Box::new(check)),
        ..clock
    };
    run(table, Command::edit(clock));
}

/// Keeps a scene with these people for later.
pub(crate) fn put_away(table: &Arc<Table>, name: &str, cast: &[&str]) {
    let keep = Command::PrepareScene(PrepareCommand {
        name: name.to_owned(),
        notes: String::new(),
        characters: cast.iter().map(|name| id(table, name)).collect(),
        clocks: Vec::new(),
        put_away: true,
    });
    run(table, keep);
}

/// Begins a check of that character that waits for an answer.
pub(crate) fn begin_a_check_of(table: &Arc<Table>, name: &str) {
    run(table, skill(table, name, "9", &[1, 3], &[]));
}

/// Rolls a check of that character to its end.
pub(crate) fn one_more_roll_of(table: &Arc<Table>, name: &str) {
    run(table, skill(table, name, "9", &[4, 3], &[]));
}
