//! Locks, and what ends of scenes and sessions reset.

use tableside::rules::{Answer, ChosenBy, System};
use tableside::session::{Command, Faces};
use tableside::table::{Entry, Seat};

use super::{Game, Try, effects, player};

fn lock(about: &'static str, kind: &'static str, faces: &'static [u8]) -> Try<'static> {
    // Leaked once for each test: fields are borrowed for the whole of it.
    let fields: &'static [(&str, &str)] = Box::leak(Box::new([
        ("competence", "trained"),
        ("difficulty", "moderate"),
        ("kind", kind),
        ("about", about),
    ]));
    Try {
        check: "challenge",
        fields,
        faces,
        ..Try::default()
    }
}

#[test]
fn charm_that_fails_is_the_dungeon_masters_to_decide() {
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[])]);
    let mira = player("Ana", &[game.id("Mira")]);
    let begun = |about| {
        let wish = Try {
            who: "Mira",
            ..lock(about, "charm", &[3, 3])
        };
        let mut command = game.command(&wish).unwrap();
        command.by = ChosenBy::Player;
        command.choose = vec!["allow".into()];
        game.act(&mira, &Command::Roll(Box::new(command)).into())
            .unwrap();
        game.table
            .read(&Seat::gm(), |seen| seen.unfinished().last().unwrap().id)
    };
    let answer = |check, chose: &str| Command::Answer {
        check,
        chose: chose.into(),
        by: ChosenBy::Gm,
        faces: Faces::Rolled,
    };
    let steps = |entry: &Entry| {
        let told = entry.roll().unwrap().derive(System::FridayNightDungeon);
        told.unwrap().steps.last().unwrap().clone()
    };
    // What the player said beforehand does not count, and the player's own button does not either.
    let guard = begun("the guard");
    assert_eq!(
        game.act(&mira, &answer(guard, "allow").into()).unwrap_err(),
        "the Dungeon Master decides this; the check waits for it"
    );
    let allowed = game.run(answer(guard, "allow"));
    assert_eq!(
        steps(&allowed),
        "The Dungeon Master lets it be tried again."
    );
    assert_eq!(effects(&allowed), Vec::<String>::new());
    game.roll(&lock("the guard", "charm", &[6, 5]));
    let forbidden = game.run(answer(begun("the queen"), "forbid"));
    assert_eq!(
        steps(&forbidden),
        "The Dungeon Master does not let it be tried again as it stands."
    );
    assert_eq!(
        game.roll_as(&Seat::gm(), &lock("the queen", "charm", &[6, 5]))
            .unwrap_err(),
        "Mira failed at this before (the queen); it takes inspiration, a clue or rest first"
    );
    let choices = forbidden.roll().unwrap().trail.iter();
    let by = choices.filter_map(|answer| match answer {
        Answer::Chose { by, .. } => Some(*by),
        Answer::Faces(_) => None,
    });
    assert_eq!(by.collect::<Vec<_>>(), [ChosenBy::Gm]);
}
