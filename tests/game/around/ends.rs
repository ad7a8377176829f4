//! Locks, and what ends of scenes and sessions reset.

use tableside::rules::{Answer, ChosenBy, System, TokenKind};
use tableside::session::{Command, Faces, Rest};
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
fn a_failed_mental_challenge_is_locked_until_a_clue_or_rest() {
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[]), ("Bo", &[])]);
    let try_it = |wish: &Try<'_>| game.roll_as(&Seat::gm(), wish);
    try_it(&lock("the cipher", "mental", &[3, 3])).unwrap();
    assert_eq!(
        try_it(&lock("The cipher", "mental", &[6, 5])).unwrap_err(),
        "Mira failed at this before (the cipher); it takes inspiration, a clue or rest first"
            .replace("the cipher", "The cipher")
    );
    // Somebody else, something else, and brute force are free.
    try_it(&Try {
        who: "Bo",
        ..lock("the cipher", "mental", &[6, 5])
    })
    .unwrap();
    try_it(&lock("the riddle", "mental", &[6, 5])).unwrap();
    try_it(&lock("the cipher", "physical", &[6, 5])).unwrap();
    let who = game.id("Mira");
    game.run(Command::Unlock {
        who,
        about: "the cipher".into(),
        why: "a clue".into(),
    });
    assert_eq!(game.last(), "Mira: may try the cipher again (a clue)");
    try_it(&lock("the cipher", "mental", &[3, 3])).unwrap();
    game.run(Command::Rest {
        who,
        rest: Rest::Long,
    });
    try_it(&lock("the cipher", "mental", &[6, 5])).unwrap();
}

#[test]
fn what_locks_needs_a_name_and_what_does_not_needs_none() {
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[])]);
    game.roll(&lock("the riddle", "mental", &[3, 3]));
    game.roll(&lock("", "physical", &[6, 5]));
    game.roll(&Try {
        check: "combat",
        faces: &[1, 2, 3],
        ..Try::default()
    });
    for kind in ["mental", "charm"] {
        let refused = game
            .roll_as(&Seat::gm(), &lock(" ", kind, &[6, 5]))
            .unwrap_err();
        assert_eq!(
            refused,
            format!(
                "about is missing: say in a word or two what is tried, for a {kind} challenge that fails is locked by \
                 that name"
            )
        );
    }
}

#[test]
fn physical_challenges_are_repeated_freely_and_undoing_a_failure_unlocks() {
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[])]);
    game.roll(&lock("the wall", "physical", &[3, 3]));
    game.roll(&lock("the wall", "physical", &[3, 3]));
    game.roll(&lock("the cipher", "mental", &[3, 3]));
    game.undo();
    game.roll(&lock("the cipher", "mental", &[3, 4]));
    assert!(
        game.table
            .read(&Seat::gm(), |seen| seen.locks().next().is_none())
    );
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

#[test]
fn mind_and_charm_say_of_what_kind_a_challenge_is() {
    let skills = ("skills", "Lore 3");
    let game = Game::with(System::FridayNightDungeon, &[("Mira", &[skills])]);
    let kind = |competence: &str| {
        let fields = [("competence", competence), ("difficulty", "easy")];
        let wish = Try {
            check: "challenge",
            fields: &fields,
            ..Try::default()
        };
        game.command(&wish).unwrap().fields.text("kind").to_owned()
    };
    assert_eq!(kind("mind"), "mental");
    assert_eq!(kind("Charm"), "charm");
    assert_eq!(kind("strength"), "physical");
    // The better of both is what is tested.
    assert_eq!(kind("mind+lore"), "physical");
}

#[test]
fn at_the_end_unused_tokens_vanish_bonuses_and_penalties_alike() {
    let game = Game::with(System::Hfrpg, &[("Mira", &[]), ("Bo", &[])]);
    game.bank("Mira", TokenKind::Tokens, 4);
    game.bank("Bo", TokenKind::Tokens, -2);
    game.run(Command::NextScene { name: "On".into() });
    assert_eq!(game.tokens("Mira", TokenKind::Tokens), 4);
    game.run(Command::EndSession);
    assert_eq!(
        (
            game.tokens("Mira", TokenKind::Tokens),
            game.tokens("Bo", TokenKind::Tokens)
        ),
        (0, 0)
    );
    game.undo();
    assert_eq!(
        (
            game.tokens("Mira", TokenKind::Tokens),
            game.tokens("Bo", TokenKind::Tokens)
        ),
        (4, -2)
    );
}

#[test]
fn at_the_end_fewer_than_three_destiny_points_are_three_and_more_stay() {
    let aspects: &[(&str, &str)] = &[("aspects", "Hot-headed 3")];
    let game = Game::with(System::HeartRush, &[("Mira", aspects), ("Bo", aspects)]);
    game.bank("Mira", TokenKind::Destiny, 1);
    game.bank("Bo", TokenKind::Destiny, 7);
    let complicate = || Command::Complicate {
        who: game.id("Bo"),
        aspect: "hot".into(),
    };
    game.run(complicate());
    game.run(Command::EndSession);
    assert_eq!(
        (
            game.tokens("Mira", TokenKind::Destiny),
            game.tokens("Bo", TokenKind::Destiny)
        ),
        (3, 10)
    );
    // What the scene gave is forgotten: three more fit under its limit, were there room in the bank.
    game.bank("Bo", TokenKind::Destiny, 0);
    game.run(complicate());
    assert_eq!(game.tokens("Bo", TokenKind::Destiny), 3);
    game.run(complicate());
    assert_eq!(game.tokens("Bo", TokenKind::Destiny), 5);
}

#[test]
fn a_scene_clears_stress_and_blood_and_leaves_wounds() {
    let game = Game::with(System::Gnosis, &[("Mira", &[])]);
    let fall = || {
        game.roll(&Try {
            check: "strategy",
            fields: &[("difficulty", "16"), ("disadvantage", "0")],
            faces: &[1, 1, 1],
            ..Try::default()
        })
    };
    fall();
    fall();
    assert_eq!(
        (game.find_clock("Stress").1, game.stat("Mira", "traumas")),
        (3, "1".into())
    );
    game.run(Command::NextScene {
        name: "Later".into(),
    });
    assert_eq!(
        (game.find_clock("Stress").1, game.stat("Mira", "traumas")),
        (0, "1".into())
    );
}

#[test]
fn penalties_are_forgotten_with_the_session_unless_the_table_says_so() {
    let game = Game::with(System::Hfrpg, &[("Mira", &[]), ("Bo", &[])]);
    for (name, to) in [("Mira", -2), ("Bo", 3)] {
        let pool = game.pool(name, TokenKind::Tokens);
        game.run(Command::SetTokens { pool, to });
    }
    let held = |game: &Game| ["Mira", "Bo"].map(|name| game.tokens(name, TokenKind::Tokens));
    game.run(Command::EndSession);
    assert_eq!(held(&game), [0, 0]);
    game.undo();
    game.run(Command::SetHouse {
        rule: "session-penalties".into(),
        value: "stay".into(),
    });
    game.run(Command::EndSession);
    assert_eq!(held(&game), [-2, 0]);
}
