//! Aspects for and against, and awards.

use tableside::rules::{System, TokenKind};
use tableside::session::Command;
use tableside::table::Seat;

use super::{Game, Try};

fn game() -> Game {
    let mira: &[(&str, &str)] = &[
        ("aspects", "Hot-headed 3, Former City Guard Captain 2"),
        ("wounds", "Gash 12"),
        ("agility", "d10"),
    ];
    Game::with(System::HeartRush, &[("Mira", mira)])
}

#[test]
fn the_bank_limits_what_is_spent_and_what_a_name_offers() {
    let game = game();
    game.bank("Mira", TokenKind::Destiny, 1);
    let check = System::HeartRush.check("skill").unwrap();
    let who = Some(game.id("Mira"));
    let field = check.field("aspect").unwrap();
    let (most, offered, alone) = game.table.read(&Seat::gm(), |seen| {
        let mut filled = seen.fill(check, who);
        let alone = seen.most(&filled, who, field);
        seen.fill_in(&mut filled, who, field, "hot").unwrap();
        (
            seen.most(&filled, who, field),
            filled.fields.number("aspect"),
            alone,
        )
    });
    assert_eq!((most, offered, alone), (Some(1), 1, Some(1)));
    let wish = Try {
        fields: &[("cn", "9"), ("ability", "agility"), ("aspect", "2")],
        faces: &[4, 4],
        ..Try::default()
    };
    assert_eq!(
        game.roll_as(&Seat::gm(), &wish).unwrap_err(),
        "Mira has 1 in Destiny Points, and 2 would be spent; spend fewer or gain some first"
    );
}

#[test]
fn a_named_aspect_in_a_finished_command_is_checked_too() {
    let game = game();
    let wish = Try {
        fields: &[("cn", "9"), ("ability", "agility"), ("aspect", "former")],
        faces: &[4, 4],
        ..Try::default()
    };
    let mut command = game.command(&wish).unwrap();
    command.fields.set("aspect", 3.into()).unwrap();
    let refused = game.refused(Command::Roll(Box::new(command)));
    assert!(refused.contains("has rank 2"), "{refused}");
}
