//! Games to look at: one with nothing in it, one in full swing, one full of ugly words.

use std::sync::{Arc, LazyLock};

use tableside::dice::{Die, SystemDice};
use tableside::game::{
    AttachedCheck, Character, CharacterId, Clock, Command, Condition, Game, NoteCommand,
    PrepareCommand, Reset, Segments, TokenPool,
};
use tableside::rules::{Sheet, System, Value};
use tableside::table::{Entry, Seat, SeatView, Table};

use crate::opened::noon;
use crate::played::run_command;

pub(crate) fn empty(system: System) -> Arc<Table> {
    resumed(Game::new(system), Vec::new())
}

fn resumed(game: Game, log: Vec<Entry>) -> Arc<Table> {
    let dice = Box::new(SystemDice::from_key([1; 32]));
    Table::unsaved("A quiet evening", game, log, None, noon, dice)
}

fn run(table: &Arc<Table>, command: Command) {
    table.submit(&Seat::gm(), &command.into()).unwrap();
}

/// The number of a character.
fn id(table: &Table, name: &str) -> CharacterId {
    table.read(&Seat::gm(), |seen| seen.character_named(name).unwrap().id)
}

/// The GM says each of these lines.
fn say_all(table: &Arc<Table>, lines: &str) {
    for line in lines.lines() {
        run_command(table, line);
    }
}

/// A scene of Heart Rush in full swing: played once, and looked at often.
pub(crate) fn full() -> Arc<Table> {
    static PLAYED: LazyLock<(Game, Vec<Entry>)> = LazyLock::new(|| {
        let table = play();
        let log = |seen: &SeatView<'_>| seen.log().rev().map(Arc::unwrap_or_clone).collect();
        (table.game(), table.read(&Seat::gm(), log))
    });
    let (game, log) = PLAYED.clone();
    resumed(game, log)
}

fn play() -> Arc<Table> {
    let table = empty(System::HEART_RUSH);
    // What was done elsewhere to the people stands in no log here.
    let elsewhere = empty(System::HEART_RUSH);
    say_all(&elsewhere, include_str!("games/people.txt"));
    for character in &elsewhere.game().roster {
        run(&table, Command::add(character.clone()));
    }
    say_all(&table, include_str!("games/clocks.txt"));
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
    say_all(&table, include_str!("games/evening.txt"));
    let dazed = Condition {
        name: "dazed".into(),
        value: Some(1),
        rounds: Some(2),
        ..Condition::default()
    };
    let prone = Condition {
        name: "prone".into(),
        ..Condition::default()
    };
    let (who, conditions) = (id(&table, "Torben"), vec![dazed, prone]);
    run(&table, Command::SetConditions { who, conditions });
    run_command(&table, "acted Mira");
    run_command(
        &table,
        "note The lantern swings, and somebody up there stops humming.",
    );
    table
}

/// Words that strangers write: too long, too wide, and full of tricks.
pub(crate) fn ugly() -> Arc<Table> {
    let table = empty(System::HEART_RUSH);
    let mut sheet = Sheet::new(System::HEART_RUSH);
    for stat in [
        "heart",
        "heart-now",
        "might",
        "agility",
        "cunning",
        "presence",
    ] {
        sheet.set(stat, Value::Die(Die::D8)).unwrap();
    }
    let long = "Bartholomew ".repeat(16) + "the Very Last";
    let names = [
        long.as_str(),
        "美咲さん・龍の娘・北風の王国から来た旅人",
        "🐉🔥🎲 Dragon 👩‍👩‍👧‍👦 Family",
        "Evil\u{1b}[31mRed\u{202E}drawkcab\u{200B}",
        "Z\u{300}\u{301}\u{302}\u{303}\u{304}algo \u{1F1E9}\u{1F1EA}",
    ];
    for name in names {
        let condition = Condition {
            name: name.into(),
            value: Some(i32::MAX),
            rounds: Some(u32::MAX),
            ..Condition::default()
        };
        let character = Character {
            player: name.to_owned(),
            conditions: vec![condition],
            notes: format!("{name}\n{name}"),
            ..Character::new(name, sheet.clone())
        };
        run(&table, Command::add(character));
        let clock = Clock {
            filled: 77,
            ..Clock::new(name, Segments::try_from(128).unwrap())
        };
        run(&table, Command::add(clock));
        let pool = TokenPool {
            tokens: -9_999,
            floor: -9_999,
            thresholds: vec![(-9_999, name.to_owned())],
            ..TokenPool::new(name)
        };
        run(&table, Command::add(pool));
        let text = format!("{name} {name}");
        let note = NoteCommand {
            text,
            ..NoteCommand::default()
        };
        run(&table, Command::Note(note));
    }
    let name = "霧の中の城 ".repeat(30);
    run(&table, Command::NextScene { name });
    table
}

/// Has the usual check by that character fill a clock.
pub(crate) fn attach(table: &Arc<Table>, clock: &Clock, who: &Character) {
    let check = AttachedCheck {
        fields: vec![("cn".into(), "12".into())],
        who: Some(who.id),
        ..AttachedCheck::new("skill")
    };
    let clock = Clock {
        check: Some(Box::new(check)),
        ..clock.clone()
    };
    run(table, Command::edit(clock));
}

/// Keeps a scene with that one in it for later.
pub(crate) fn put_away(table: &Arc<Table>, name: &str, who: &str) {
    let keep = PrepareCommand {
        name: name.to_owned(),
        notes: String::new(),
        characters: vec![id(table, who)],
        clocks: Vec::new(),
        creatures: Vec::new(),
        put_away: true,
    };
    run(table, Command::PrepareScene(keep));
}
