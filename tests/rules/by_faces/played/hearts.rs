//! HEARTS: assistance by those who have the skill, success by what remains, Watch Actions, clocks.

use tableside::rules::{Key, System};
use tableside::session::{Clock, Command, Segments};

use super::{Flow, Party, Play, evenings, shared, told};

const NAMES: [&str; 3] = ["Ann", "Rope", "Cy"];

const PARTY: Party = &[
    (
        "Ann",
        "",
        &[
            ("skills", "Athletics 44, Stealth 60"),
            ("traits", "Brave 11"),
        ],
    ),
    (
        "Rope",
        "",
        &[("skills", "Brawn 67, Athletics 30"), ("traits", "Brave 9")],
    ),
    (
        "Cy",
        "",
        &[("skills", "Stealth 81"), ("traits", "Brave 14")],
    ),
];

fn has(name: &str, skill: &str) -> Option<i32> {
    match (name, skill) {
        ("Ann", "Athletics") => Some(44),
        ("Ann", "Stealth") => Some(60),
        ("Rope", "Athletics") => Some(30),
        ("Cy", "Stealth") => Some(81),
        _ => None,
    }
}

fn begin(play: &mut Play) {
    let clock = Clock::new("The wall", Segments::try_from(8).unwrap());
    play.run(Command::add(clock));
}

fn act(play: &mut Play) {
    if play.one_in(8) {
        let refused = play.roll(&Flow {
            who: "Ann",
            check: "trait",
            fields: vec![("value", "brave".to_owned())],
            helpers: vec!["Cy"],
            ..Flow::default()
        });
        assert!(refused.unwrap_err().contains("nobody can help"));
        return;
    }
    if play.one_in(8) {
        let name = String::new();
        play.run(Command::NextScene { name });
        return;
    }
    let skill = play.one_of(&["Athletics", "Stealth"]);
    let who = play.one_of(&NAMES);
    let own = has(who, skill);
    let helpers = play.some(&NAMES, who);
    let add = i32::try_from(play.below(7)).unwrap() - 3;
    let times = 1 + i32::try_from(play.below(2)).unwrap();
    let watch = play.one_in(3);
    let clock = play.table.read(&tableside::table::Seat::gm(), |seen| {
        seen.clocks().next().unwrap().clock.id
    });
    let done = play.roll(&Flow {
        who,
        check: "skill",
        fields: vec![
            ("skill", skill.to_owned()),
            ("successes-add", add.to_string()),
            ("successes-times", times.to_string()),
            ("watch", if watch { "yes" } else { "no" }.to_owned()),
        ],
        helpers: helpers.clone(),
        clock: Some(clock),
        ..Flow::default()
    });
    let skills = helpers.iter().map(|name| has(name, skill));
    let allowed = own.is_some() && skills.clone().all(|one| one.is_some());
    assert_eq!(done.is_ok(), allowed, "{done:?}");
    let Ok(entry) = done else { return };
    let (roll, outcome) = told(&entry, System::HEARTS);
    let best = skills.flatten().max().unwrap_or(0);
    assert_eq!(outcome.target, Some(own.unwrap() + best / 10));
    let level = match roll.outcome.as_str() {
        "heroic" => 3,
        "hard" => 2,
        "success" => 1,
        "failure" => 0,
        _ => -1,
    };
    let rest = if level > 0 { level * times } else { level } + add;
    assert_eq!(outcome.success, Some(rest >= 1));
    assert!(outcome.keys.contains(&("successes", Key::Number(rest))));
    // What people read goes by what remains.
    let words = match (rest >= 1, level) {
        (true, 3) => "Heroic Success",
        (true, 2) => "Hard Success",
        (true, _) => "Success",
        (false, -1) => "Fumble",
        (false, _) => "Failure",
    };
    let line = play.last();
    assert!(
        line.contains(&format!("check: {words}, ")),
        "{line} ({rest})"
    );
    assert_eq!(shared(roll), Vec::<String>::new());
    if watch {
        *play.tokens("") += rest.max(0);
    }
    let wall = (String::new(), "The wall".to_owned());
    let filled = play.world.clocks.get_mut(&wall).unwrap();
    *filled = (*filled + u8::try_from(rest.max(0)).unwrap()).min(8);
}

#[test]
fn evenings_of_hearts_go_by_the_page() {
    evenings(System::HEARTS, PARTY, begin, act);
}
