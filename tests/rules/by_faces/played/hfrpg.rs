//! HFRPG: one signed pool for each player, bonuses as the player likes, penalties as they are owed and as the
//! GM says.

use tableside::rules::{Ask, System, Value};
use tableside::session::Command;
use tableside::table::Seat;

use super::{Flow, Party, Play, evenings, shared, told};

const NAMES: [&str; 3] = ["Mira", "Tom", "Wren"];

const PARTY: Party = &[
    ("Mira", "Ana", &[("competencies", "Stealth 3, Craft 1")]),
    ("Tom", "Ana", &[("competencies", "Stealth 1")]),
    ("Wren", "Bo", &[("competencies", "Craft 4")]),
];

fn competency(name: &str, of: &str) -> i32 {
    match (name, of) {
        ("Mira", "stealth") => 3,
        ("Wren", "craft") => 4,
        ("Mira", "craft") | ("Tom", "stealth") => 1,
        _ => 0,
    }
}

/// Who holds the pool of that one's player.
fn purse(name: &str) -> &'static str {
    if name == "Wren" { "Wren" } else { "Mira" }
}

fn options(play: &Play) -> Vec<String> {
    play.table.read(&Seat::gm(), |seen| {
        let waiting = seen.unfinished().next().unwrap();
        let machine = waiting.roll.machine(System::HFRPG).unwrap();
        match machine.after(&waiting.roll.trail).unwrap() {
            Ask::Choose { what, .. } => what.options.into_iter().map(|one| one.name).collect(),
            ask => panic!("{ask:?}"),
        }
    })
}

fn acs(play: &mut Play) {
    let of = play.one_of(&["stealth", "craft"]);
    let who = play.one_of(&NAMES);
    let attribute = 1 + play.below(4);
    let pool = *play.tokens(purse(who));
    let mut fields = vec![
        ("attribute", attribute.to_string()),
        ("competency", of.to_owned()),
    ];
    let mut allowed = competency(who, of) > 0;
    let (mut bonus, penalty) = (pool.max(0), -pool.min(0));
    if play.one_in(4) {
        let given = i32::try_from(play.below(4)).unwrap();
        fields.push(("penalty", given.to_string()));
        allowed &= given == penalty;
    } else if pool >= 0 && play.one_in(3) {
        bonus = i32::try_from(play.below(4)).unwrap();
        fields.push(("bonus", bonus.to_string()));
        allowed &= bonus <= pool;
    }
    let helpers = play.some(&NAMES, who);
    let done = play.roll(&Flow {
        who,
        check: "acs",
        fields,
        helpers: helpers.clone(),
        by_a_player: true,
        ..Flow::default()
    });
    assert_eq!(done.is_ok(), allowed, "pool {pool}: {done:?}");
    let Ok(mut entry) = done else { return };
    if let Some(check) = play.waiting() {
        let options = options(play);
        let chose = options[play.below(options.len())].clone();
        entry = if penalty > 0 {
            play.gm_answers(check, who, &chose)
        } else {
            let answer = Command::Answer {
                check,
                chose,
                by: tableside::rules::ChosenBy::Player,
                faces: tableside::session::Faces::Rolled,
            };
            play.act(&play.seat(who), answer).unwrap()
        };
    }
    let (roll, outcome) = told(&entry, System::HFRPG);
    let dice: Vec<(i32, i32)> = outcome
        .dice
        .iter()
        .filter(|die| die.role.name() == "pool")
        .map(|die| {
            (
                i32::from(die.face),
                i32::from(die.value.unwrap_or(die.face)),
            )
        })
        .collect();
    assert_eq!(dice.len(), attribute);
    let moved: i32 = dice.iter().map(|(face, value)| value - face).sum();
    if penalty > 0 {
        let fits: i32 = dice.iter().map(|(face, _)| face - 1).sum();
        assert_eq!(-moved, penalty.min(fits), "all that fit must be used");
    } else {
        assert!((0..=bonus).contains(&moved), "{moved} of {bonus}");
    }
    // What was used is gone: a bonus lowers the pool, a penalty raises it.
    let token = match roll.outcome.as_str() {
        "critical-success" | "almost-there" => 1,
        "scraped-by" | "critical-failure" => -1,
        _ => 0,
    };
    let lone_one = i32::from(matches!(dice[..], [(_, 1)]));
    *play.tokens(purse(who)) += token - moved - lone_one;
    let others: i32 = helpers.iter().map(|name| competency(name, of)).sum();
    let group = roll.fields.get("group").cloned();
    let group = group.unwrap_or(Value::Number(0));
    assert_eq!(group, Value::Number(others));
    assert_eq!(shared(roll), Vec::<String>::new());
}

fn act(play: &mut Play) {
    match play.below(10) {
        0 => {
            play.run(Command::EndSession);
            play.world
                .tokens
                .values_mut()
                .for_each(|tokens| *tokens = 0);
        }
        1 | 2 => {
            let who = play.one_of(&["Mira", "Wren"]);
            let to = i32::try_from(play.below(9)).unwrap() - 4;
            let pool = play.table.read(&Seat::gm(), |seen| {
                let id = seen.character_named(who).unwrap().id;
                seen.pools_of(Some(id)).next().unwrap().id
            });
            play.act(&Seat::gm(), Command::SetTokens { pool, to }).ok();
            *play.tokens(who) = to;
        }
        _ => acs(play),
    }
}

#[test]
fn evenings_of_hfrpg_go_by_the_page() {
    evenings(System::HFRPG, PARTY, |_| {}, act);
}
