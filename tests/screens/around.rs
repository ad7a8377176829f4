//! What stands around a roll: calls that reach a player's screen.

use std::sync::Arc;

use tableside::rules::{System, Value};
use tableside::screen::{Input, Tab};
use tableside::session::{CallCommand, Command, ThrowCommand, Who};
use tableside::table::{Role, Seat, SeatId, Table};

use crate::bench::{Bench, SIZES};
use crate::games;

fn player(table: &Arc<Table>, size: (u16, u16)) -> Bench {
    let mira = games::id(table, "Mira");
    Bench::with(table, size, |setup| {
        setup.seat = Seat {
            id: SeatId(7),
            name: "Ana".into(),
            role: Role::Player,
            characters: vec![mira],
        };
    })
}

fn call(table: &Arc<Table>, who: &[&str]) {
    games::run(
        table,
        Command::Call(CallCommand {
            group: false,
            who: who.iter().map(|name| games::id(table, name)).collect(),
            check: "skill".into(),
            fields: vec![("cn".into(), "15".into())],
            helpers: Vec::new(),
            shown: false,
        }),
    );
}

#[test]
fn free_dice_stand_among_the_last_rolls_and_in_the_log() {
    let table = games::full();
    let dice = ThrowCommand {
        who: Who::Character(games::id(&table, "Mira")),
        notation: "2d6+1".into(),
        faces: Some(vec![3, 4]),
        hidden_from: Vec::new(),
        noticed: false,
    };
    games::run(&table, Command::Throw(Box::new(dice)));
    for size in SIZES {
        let mut gm = Bench::sit_down(&table, size);
        for keys in ["", "5", "Enter"] {
            gm.press(keys);
            let told = gm.text().contains("Mira, dice, 2d6+1: 8");
            // At the smallest size the Table has no room for rolls.
            assert!(
                told || (keys.is_empty() && size == SIZES[0]),
                "{keys}: {}",
                gm.text()
            );
        }
    }
}

fn hear(bench: &mut Bench) {
    bench.screen.hear(Input::Changed(bench.table.revision()));
    bench.look();
}

#[test]
fn a_players_screen_opens_a_call_ready_and_the_gm_sees_it_answered() {
    let table = games::full();
    let mut gm = Bench::sit_down(&table, (120, 40));
    let mut ana = player(&table, (80, 24));
    gm.press("R");
    assert!(gm.text().contains("Call for a roll"), "{}", gm.text());
    gm.press("Enter");
    assert!(gm.text().contains("more to roll: U"), "{}", gm.text());
    hear(&mut ana);
    let shown = ana.text();
    assert!(
        shown.contains("Mira: Skill check") && shown.contains("called for"),
        "{shown}"
    );
    ana.press("Enter");
    hear(&mut gm);
    assert!(
        gm.text().contains("Torben, Wren to roll: U"),
        "{}",
        gm.text()
    );
    gm.press("2");
    assert!(gm.line("Torben").contains("to roll"), "{}", gm.text());
    assert!(!gm.line("Mira").contains("to roll"), "{}", gm.text());
}

#[test]
fn whoever_is_typing_is_only_told_and_finds_it_with_one_key() {
    let table = games::full();
    let mut ana = player(&table, (80, 24));
    ana.press("r").type_text("1");
    let before = ana.text();
    call(&table, &["Mira", "Wren"]);
    hear(&mut ana);
    let shown = ana.text();
    assert!(
        shown.contains("the GM calls on Mira: Skill check"),
        "{shown}"
    );
    assert!(!shown.contains("called for"), "{shown}");
    let typed = |text: &str| {
        let line = text.lines().find(|line| line.contains("› Challenge"));
        line.expect("the field is still there").to_owned()
    };
    assert_eq!(typed(&before), typed(&shown));
    ana.press("Esc");
    assert!(ana.screen.state().is_browsing());
    ana.press("U");
    assert!(ana.text().contains("called for"), "{}", ana.text());
    ana.press("Esc");
    call(&table, &["Wren"]);
    hear(&mut ana);
    assert!(ana.screen.state().is_browsing(), "not hers: {}", ana.text());
    assert_eq!(ana.screen.state().tab(), Tab::Table);
    assert!(!ana.text().contains("Wren to roll"), "{}", ana.text());
}

#[test]
fn who_joins_while_called_on_finds_the_check_ready() {
    let table = games::full();
    call(&table, &["Mira"]);
    let ana = player(&table, (80, 24));
    assert!(ana.text().contains("called for"), "{}", ana.text());
}

#[test]
fn a_player_calls_for_nothing() {
    let mut ana = player(&games::full(), (80, 24));
    ana.press("R");
    assert!(
        ana.text().contains("only the GM calls for a roll"),
        "{}",
        ana.text()
    );
}

#[test]
fn who_is_still_to_roll_is_seen_at_every_size() {
    let table = games::full();
    call(&table, &["Mira", "Wren"]);
    for size in SIZES {
        let mut bench = Bench::sit_down(&table, size);
        // The smallest size has no room for it.
        let is_small = size == SIZES[0];
        let told = bench.text().contains("to roll");
        assert!(told || is_small, "{}", bench.text());
        bench.press("2");
        let told = bench.line("Wren").contains("to roll");
        assert!(told || is_small, "{}", bench.text());
    }
}

#[test]
fn a_players_aspect_is_put_before_the_gm() {
    let table = games::full();
    let mut gm = Bench::sit_down(&table, (120, 40));
    let mira = games::id(&table, "Mira");
    games::run(
        &table,
        Command::SetStat {
            who: mira,
            stat: "aspects".into(),
            value: Value::Ranks(vec![("Captain".into(), 2)]),
        },
    );
    hear(&mut gm);
    let mut ana = player(&table, (80, 24));
    ana.press("r").type_text("as");
    ana.press("Right Enter");
    hear(&mut gm);
    let shown = gm.text();
    assert!(shown.contains("Mira spends"), "{shown}");
    assert!(shown.contains("on Captain: amend or strike #"), "{shown}");
    // What the GM rolls needs nobody's approval.
    gm.press("1 r").type_text("as");
    gm.press("Right Enter Esc");
    assert!(!gm.text().contains("amend or strike"), "{}", gm.text());
}

#[test]
fn help_says_first_whether_a_check_is_needed_at_all() {
    for system in System::ALL {
        let mut bench = Bench::sit_down(&games::empty(system), (80, 40));
        bench.press("2 r").type_text("\x1bOP");
        let shown = bench.text();
        assert!(shown.contains("Is a check needed at all?"), "{shown}");
    }
    let mut bench = Bench::sit_down(&games::empty(System::Hearts), (40, 12));
    bench.press("2 r").type_text("\x1bOP");
    assert!(
        bench.text().contains("Most actions need no check"),
        "{}",
        bench.text()
    );
    bench.press("PgDn");
    assert!(
        bench.text().contains("Reason and Worth"),
        "{}",
        bench.text()
    );
    bench.press("Esc Esc");
    assert!(bench.screen.state().is_browsing());
}

#[test]
fn both_readings_of_a_roll_stay_in_the_log() {
    let mut bench = Bench::sit_down(&games::full(), (80, 24));
    bench.press("5 /").type_text("who:wren");
    bench.press("Enter A");
    assert!(bench.text().contains("read again"), "{}", bench.text());
    bench.press("Right Enter Esc");
    let text = bench.text();
    let both = text.contains("(instead of #20)") && text.contains("(read again: #25)");
    assert!(both, "{text}");
}
