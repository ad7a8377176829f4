//! Heart Rush: aspects and Destiny Points, the limit of a scene and of the bank, help that costs an action.

use tableside::rules::System;
use tableside::session::Command;

use super::{Flow, Party, Play, evenings, shared, told};

const NAMES: [&str; 3] = ["Ana", "Bo", "Cy"];

const PARTY: Party = &[
    ("Ana", "", &[("aspects", "Captain 2, Quick 3")]),
    (
        "Bo",
        "",
        &[("aspects", "Proud 1, Loyal 4"), ("agility", "d10")],
    ),
    ("Cy", "", &[]),
];

fn ranks(name: &str) -> &'static [(&'static str, i32)] {
    match name {
        "Ana" => &[("Captain", 2), ("Quick", 3)],
        "Bo" => &[("Proud", 1), ("Loyal", 4)],
        _ => &[],
    }
}

/// Points are gained as far as the scene gives them and the bank holds them.
fn gain(play: &mut Play, name: &str, rank: i32) -> i32 {
    let room = (5 - *play.gained(name)).min(10 - *play.tokens(name));
    let gained = rank.min(room);
    *play.gained(name) += gained;
    *play.tokens(name) += gained;
    gained
}

fn skill(play: &mut Play) {
    let who = play.one_of(&NAMES);
    let known = ranks(who);
    let most = known.iter().map(|(_, rank)| *rank).max();
    let bank = *play.tokens(who);
    let mut fields = vec![("ability", "agility".to_owned()), ("cn", "11".to_owned())];
    let mut allowed = true;
    let (mut spent, mut spent_on) = (0, None);
    match (play.below(4), known.is_empty()) {
        (0, false) => {
            // Named, it brings its rank as far as the bank reaches.
            let (name, rank) = play.one_of(known);
            fields.push(("aspect", name.to_owned()));
            spent = if bank > 0 { rank.min(bank) } else { rank };
            spent_on = Some(name);
        }
        (1, false) => {
            let (name, rank) = play.one_of(known);
            spent = 1 + i32::try_from(play.below(5)).unwrap();
            fields.push(("aspect", format!("{name} {spent}")));
            allowed &= spent <= rank;
            spent_on = Some(name);
        }
        (2, _) => {
            spent = i32::try_from(play.below(6)).unwrap();
            fields.push(("aspect", spent.to_string()));
            allowed &= spent == 0 || most.is_some_and(|most| spent <= most);
        }
        _ => {}
    }
    allowed &= spent <= bank;
    let mut taken = 0;
    match (play.below(4), known.is_empty()) {
        (0 | 1, false) => {
            let (name, rank) = play.one_of(known);
            fields.push(("hindrance", name.to_owned()));
            taken = rank;
            allowed &= spent_on != Some(name) || spent == 0;
        }
        (2, _) => {
            taken = i32::try_from(play.below(6)).unwrap();
            fields.push(("hindrance", taken.to_string()));
            allowed &= taken == 0 || known.iter().any(|(_, rank)| *rank == taken);
        }
        _ => {}
    }
    let helpers = play.some(&NAMES, who);
    let choose = play.one_of(&["fail", "complication"]).to_owned();
    let done = play.roll(&Flow {
        who,
        check: "skill",
        fields,
        choose: vec![choose],
        helpers: helpers.clone(),
        ..Flow::default()
    });
    assert_eq!(done.is_ok(), allowed, "{done:?}");
    let Ok(entry) = done else { return };
    let (roll, outcome) = told(&entry, System::HEART_RUSH);
    *play.tokens(who) -= spent;
    let gained = gain(play, who, taken);
    play.have_acted(&helpers);
    let wrong = roll.outcome != "success";
    let expected = if wrong { helpers.clone() } else { Vec::new() };
    assert_eq!(shared(roll), expected);
    // One extra die, however many help.
    let extra = outcome.dice.iter().filter(|die| die.role.name() == "extra");
    let again = outcome
        .dice
        .iter()
        .filter(|die| die.replaces.is_some() && die.role.name() == "extra");
    assert_eq!(
        extra.count() - again.count(),
        usize::from(!helpers.is_empty())
    );
    let why = roll.effects.iter().map(|one| one.text(System::HEART_RUSH));
    let kept_back = why.filter(|why| why.contains(&format!("{gained} of {taken} gained")));
    assert_eq!(kept_back.count(), usize::from(gained < taken));
}

fn act(play: &mut Play) {
    match play.below(12) {
        0..6 => skill(play),
        6 => {
            let check = play.one_of(&["save", "stratagem"]);
            let refused = play.roll(&Flow {
                who: "Ana",
                check,
                fields: vec![("cn", "9".to_owned())],
                helpers: vec!["Bo"],
                ..Flow::default()
            });
            assert!(refused.unwrap_err().contains("nobody can help"));
        }
        7 | 8 => {
            let who = play.one_of(&NAMES[..2]);
            let (aspect, rank) = play.one_of(ranks(who));
            let command = Command::Complicate {
                who: play.id(who),
                aspect: aspect.to_owned(),
            };
            let done = play.act(&tableside::table::Seat::gm(), command);
            assert_eq!(done.is_ok(), gain(play, who, rank) > 0, "{done:?}");
        }
        9 => {
            let name = String::new();
            play.run(Command::NextScene { name });
            play.world
                .gained
                .values_mut()
                .for_each(|gained| *gained = 0);
            play.world.acted.clear();
        }
        10 => {
            play.run(Command::NextRound);
            play.world.acted.clear();
        }
        _ => {
            play.run(Command::EndSession);
            play.world
                .gained
                .values_mut()
                .for_each(|gained| *gained = 0);
            play.world
                .tokens
                .values_mut()
                .for_each(|tokens| *tokens = 3.max(*tokens));
            play.world.acted.clear();
        }
    }
}

#[test]
fn evenings_of_heart_rush_go_by_the_page() {
    evenings(System::HEART_RUSH, PARTY, |_| {}, act);
}
