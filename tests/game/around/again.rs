//! A roll that a Favor repeats, where the pool starts higher than words can say.

use tableside::rules::System;
use tableside::session::{Command, Faces, TokenPool};
use tableside::table::{Act, Seat};

use super::{Game, Try, effects};

#[test]
fn the_favor_that_a_roll_is_repeated_for_is_told_where_the_pool_tells_of_it() {
    let game = Game::with(System::GNOSIS, &[("Mira", &[])]);
    let pool = game.table.read(&Seat::gm(), |seen| {
        let mut pools = seen.pools();
        pools
            .find(|pool| pool.id_word() == "favor")
            .unwrap()
            .clone()
    });
    game.run(Command::edit(TokenPool {
        tokens: 1,
        start: 1,
        thresholds: vec![(0, "nobody owes her anything".to_owned())],
        ..pool
    }));
    let roll = game.roll(&Try {
        check: "strategy",
        fields: &[("difficulty", "16")],
        faces: &[5, 3, 2],
        ..Try::default()
    });
    let repeat = Act::Reroll {
        entry: roll.number,
        faces: Faces::Typed(vec![9, 6, 3]),
    };
    let entry = game.act(&Seat::gm(), &repeat).unwrap();
    assert_eq!(
        effects(&entry, System::GNOSIS),
        [
            "Mira: spends 1 Favor",
            "1 effect level",
            "Favor now 0: nobody owes her anything"
        ]
    );
}
