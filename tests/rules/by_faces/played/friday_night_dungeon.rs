//! Friday Night Dungeon: what may be tried again, who decides it, and aid that costs nothing.

use tableside::rules::{ChosenBy, System, Value};
use tableside::session::{Command, Rest};

use super::{Flow, Party, Play, evenings, shared, told};

const NAMES: [&str; 3] = ["Tess", "Hob", "Wyn"];

const PARTY: Party = &[
    ("Tess", "", &[("skills", "Climbing 2"), ("charm", "1")]),
    ("Hob", "", &[("mind", "1"), ("skills", "Lore 2")]),
    ("Wyn", "", &[]),
];

fn challenge(play: &mut Play) {
    let who = play.one_of(&NAMES);
    let (competence, kind) = play.one_of(&[
        ("strength", "physical"),
        ("mind", "mental"),
        ("charm", "charm"),
    ]);
    // The ability that is tested says of what kind it is, unless somebody says otherwise.
    let mut fields = vec![
        ("competence", competence.to_owned()),
        ("difficulty", "moderate".to_owned()),
    ];
    let kind = if play.one_in(3) {
        let said = play.one_of(&["physical", "mental", "charm"]);
        fields.push(("kind", said.to_owned()));
        said
    } else {
        kind
    };
    let about = play.one_of(&["", "the door", "the riddle", "The Door"]);
    fields.push(("about", about.to_owned()));
    let helpers = play.some(&NAMES, who);
    let by_a_player = play.one_in(2);
    let decision = play.one_of(&["allow", "forbid"]);
    let done = play.roll(&Flow {
        who,
        check: "challenge",
        fields,
        choose: vec![decision.to_owned()],
        helpers: helpers.clone(),
        by_a_player,
        ..Flow::default()
    });
    // What nobody says it is about is about what is tested.
    let about = if about.is_empty() { competence } else { about };
    let lock = (who.to_owned(), about.to_lowercase());
    let locks = kind != "physical";
    let allowed = !locks || !play.world.locks.contains(&lock);
    assert_eq!(done.is_ok(), allowed, "{done:?}");
    let Ok(mut entry) = done else { return };
    if let Some(check) = play.waiting() {
        assert!(by_a_player && kind == "charm");
        entry = play.gm_answers(check, who, decision);
    }
    let (roll, outcome) = told(&entry, System::FRIDAY_NIGHT_DUNGEON);
    assert_eq!(
        roll.fields.get("aided") == Some(&Value::Flag(true)),
        !helpers.is_empty()
    );
    assert_eq!(shared(roll), Vec::<String>::new());
    let failed = outcome.success == Some(false);
    let decided = roll.trail.iter().any(|answer| {
        matches!(
            answer,
            tableside::rules::Answer::Chose {
                by: ChosenBy::Gm,
                ..
            }
        )
    });
    assert_eq!(decided, failed && kind == "charm");
    if failed && (kind == "mental" || kind == "charm" && decision == "forbid") {
        play.world.locks.insert(lock);
    }
}

fn act(play: &mut Play) {
    match play.below(8) {
        0 => {
            let who = play.one_of(&NAMES);
            play.act(
                &tableside::table::Seat::gm(),
                Command::Rest {
                    who: play.id(who),
                    rest: Rest::Long,
                },
            )
            .ok();
            play.world.locks.retain(|(name, _)| name != who);
        }
        1 => {
            let known = play.table.read(&tableside::table::Seat::gm(), |seen| {
                let first = seen.locks().next();
                first.map(|(who, about)| (who.id, who.name.clone(), about.to_owned()))
            });
            if let Some((who, name, about)) = known {
                play.world.locks.remove(&(name, about.to_lowercase()));
                let why = "a clue".to_owned();
                play.run(Command::Unlock { who, about, why });
            }
        }
        _ => challenge(play),
    }
}

#[test]
fn evenings_of_friday_night_dungeon_go_by_the_page() {
    evenings(System::FRIDAY_NIGHT_DUNGEON, PARTY, |_| {}, act);
}
