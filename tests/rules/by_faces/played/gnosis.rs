//! Gnosis: effect levels that fill wedges, consequences that are split among all who work together.

use tableside::rules::{Key, System, Value};
use tableside::session::{Clock, Command, Link, Segments, Then};
use tableside::table::Seat;

use super::{Flow, Party, Play, evenings, shared, told};

const NAMES: [&str; 3] = ["Max", "Zoe", "Ida"];

const PARTY: Party = &[("Max", "", &[]), ("Zoe", "", &[]), ("Ida", "", &[])];

const SCALES: [&str; 6] = [
    "unheroic",
    "punching-down",
    "similar-power",
    "punching-up",
    "severe-underdog",
    "impossible",
];

/// Effect levels and consequences, from critical success to critical failure.
fn table_of(scale: &str) -> [(i32, i32); 5] {
    match scale {
        "unheroic" => [(3, 0), (3, 0), (2, 0), (1, 0), (1, 0)],
        "punching-down" => [(3, 0), (2, 0), (1, 0), (1, 0), (0, 1)],
        "punching-up" => [(1, 0), (1, 0), (0, 1), (0, 2), (0, 3)],
        "severe-underdog" => [(1, 0), (0, 1), (0, 2), (0, 3), (0, 3)],
        "impossible" => [(0, 1), (0, 2), (0, 3), (0, 3), (0, 3)],
        _ => [(2, 0), (1, 0), (1, 0), (0, 1), (0, 2)],
    }
}

fn clock_of(play: &Play, name: &str) -> tableside::session::ClockId {
    play.table.read(&Seat::gm(), |seen| {
        let mut clocks = seen.clocks();
        clocks.find(|one| one.clock.name == name).unwrap().clock.id
    })
}

fn begin(play: &mut Play) {
    for (name, segments) in [("Outer", 2), ("Core", 12)] {
        let clock = Clock::new(name, Segments::try_from(segments).unwrap());
        play.run(Command::add(clock));
    }
    let (outer, core) = (clock_of(play, "Outer"), clock_of(play, "Core"));
    let mut clock = play.table.read(&Seat::gm(), |seen| {
        let mut clocks = seen.clocks();
        clocks
            .find(|one| one.clock.id == outer)
            .unwrap()
            .clock
            .clone()
    });
    clock.link = Some(Link {
        to: core,
        then: Then::Advances,
    });
    play.run(Command::edit(clock));
}

fn set(play: &Play, name: &str, stat: &str, to: i32) {
    let command = Command::SetStat {
        who: play.id(name),
        stat: stat.to_owned(),
        value: Value::Number(to),
    };
    play.act(&Seat::gm(), command).ok();
}

/// One after another fills a segment; on a full clock each is a Wound, or a Trauma.
fn suffer(play: &mut Play, name: &str, clock: &str, many: i32) -> i32 {
    let filled = play
        .world
        .clocks
        .get_mut(&(name.to_owned(), clock.to_owned()))
        .unwrap();
    let mut wounds = 0;
    for _ in 0..many {
        if *filled < 3 {
            *filled += 1;
        } else {
            wounds += 1;
        }
    }
    wounds
}

fn strategy(play: &mut Play) {
    let who = play.one_of(&NAMES);
    let helpers = play.some(&NAMES, who);
    let scale = play.one_of(&SCALES);
    let risk = play.one_of(&["safe", "stressful", "bloody"]);
    let hurt = play.stat(who, "wounds") + play.stat(who, "traumas");
    let before: Vec<(&str, i32, i32)> = NAMES
        .iter()
        .map(|name| (*name, play.stat(name, "wounds"), play.stat(name, "traumas")))
        .collect();
    let outer = clock_of(play, "Outer");
    let done = play.roll(&Flow {
        who,
        check: "strategy",
        fields: vec![
            ("difficulty", "16".to_owned()),
            ("scale", scale.to_owned()),
            ("risk", risk.to_owned()),
        ],
        helpers: helpers.clone(),
        clock: Some(outer),
        ..Flow::default()
    });
    // Each Wound and Trauma takes a level from an attribute; with all three below 0 nobody rolls.
    assert_eq!(done.is_ok(), hurt < 3, "{done:?}");
    let Ok(entry) = done else { return };
    let (roll, outcome) = told(&entry, System::GNOSIS);
    let at = [
        "critical-success",
        "success",
        "tie",
        "failure",
        "critical-failure",
    ];
    let at = at.iter().position(|id| *id == roll.outcome).unwrap();
    let (levels, consequences) = table_of(scale)[at];
    assert!(
        outcome
            .keys
            .contains(&("effect-levels", Key::Number(levels)))
    );
    assert!(
        outcome
            .keys
            .contains(&("consequences", Key::Number(consequences)))
    );
    play.have_acted(&helpers);
    // Evenly, and what does not divide begins with the one who rolled.
    let all: Vec<&str> = [who].into_iter().chain(helpers.iter().copied()).collect();
    let mut shares = vec![0; all.len()];
    for place in 0..usize::try_from(consequences).unwrap() {
        shares[place % all.len()] += 1;
    }
    let took = all
        .iter()
        .zip(&shares)
        .skip(1)
        .filter(|(_, share)| **share > 0);
    assert_eq!(
        shared(roll),
        took.map(|(name, _)| *name).collect::<Vec<_>>()
    );
    for (name, share) in all.iter().zip(shares) {
        let (clock, place) = match risk {
            "stressful" => ("Stress", 2),
            "bloody" => ("Blood", 1),
            _ => continue,
        };
        let more = suffer(play, name, clock, share);
        let (_, wounds, traumas) = *before.iter().find(|(known, ..)| known == name).unwrap();
        let (was, stat) = if place == 1 {
            (wounds, "wounds")
        } else {
            (traumas, "traumas")
        };
        assert_eq!(play.stat(name, stat), was + more, "{name} {stat}");
    }
    if roll.outcome == "critical-failure" && consequences > 0 {
        *play.tokens(who) = 3.min(*play.tokens(who) + 1);
    }
    // Each effect level fills one wedge; a full clock advances the other, by what is left over where
    // there is any.
    let outer = (String::new(), "Outer".to_owned());
    let filled = i32::from(play.world.clocks[&outer]);
    let now = (filled + levels).min(2);
    let left = filled + levels - now;
    let advance = match (filled < 2 && now == 2, left) {
        (true, left) => left.max(1),
        (false, left) => left,
    };
    play.world.clocks.insert(outer, u8::try_from(now).unwrap());
    let core = (String::new(), "Core".to_owned());
    let core_now = (i32::from(play.world.clocks[&core]) + advance).min(12);
    play.world
        .clocks
        .insert(core, u8::try_from(core_now).unwrap());
}

fn act(play: &mut Play) {
    match play.below(10) {
        0 => {
            let name = String::new();
            play.run(Command::NextScene { name });
            for ((owner, _), filled) in &mut play.world.clocks {
                if !owner.is_empty() {
                    *filled = 0;
                }
            }
            play.world.acted.clear();
        }
        1 => {
            for name in NAMES {
                set(play, name, "wounds", 0);
                set(play, name, "traumas", 0);
            }
        }
        _ => strategy(play),
    }
}

#[test]
fn evenings_of_gnosis_go_by_the_page() {
    evenings(System::GNOSIS, PARTY, begin, act);
}
