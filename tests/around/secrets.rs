//! Nothing hidden is on the screen of who may not see it: on no tab, in no dialog, list, search, statistics
//! or word in passing, also not where the person suggests something and the GM agrees.

use std::num::NonZero;
use std::sync::Arc;

use proptest::prelude::*;
use tableside::screen::{Input, Screen, Setup, Zone};
use tableside::session::{Command, Condition};
use tableside::table::{Act, Seat, status};

use super::seats::{game, happens};
use super::{Game, player};

const SIZE: (u16, u16) = (110, 34);

/// Somebody's screen, and the terminal it is on.
struct Place {
    screen: Screen,
    far: vt100::Parser,
}

impl Place {
    fn open(game: &Game, seat: &Seat) -> Self {
        let setup = Setup {
            seat: seat.clone(),
            zone: Zone::Utc,
            ..Setup::gm()
        };
        let side = |length| NonZero::new(length).unwrap();
        let mut place = Self {
            screen: Screen::new(Arc::clone(&game.table), setup, SIZE),
            far: vt100::Parser::new(side(SIZE.1), side(SIZE.0), 0),
        };
        place.look();
        place
    }

    fn look(&mut self) {
        self.screen.hear(Input::Silence);
        let frame = self.screen.frame();
        self.far.process(&frame);
    }

    fn press(&mut self, keys: &str) {
        self.screen.hear(Input::Bytes(keys.as_bytes().to_vec()));
        if let Some(wonder) = self.screen.take_wonder() {
            self.screen.hear(Input::Learned(wonder.answer()));
        }
        self.look();
    }

    /// What is hidden begins with an X and a small letter.
    fn leak(&self) -> Option<String> {
        let shown = self.far.screen().contents();
        let letters: Vec<char> = shown.chars().collect();
        let found = letters
            .windows(2)
            .any(|pair| pair[0] == 'X' && pair[1].is_ascii_lowercase());
        found.then_some(shown)
    }
}

/// Looks into every corner; answers with the first screen that shows what is hidden.
fn tour(place: &mut Place) -> Option<String> {
    let corners = [
        // The tabs, with what is under the cursor, and what opens on it.
        "1", "o", "o", "o", "o", "2", "j", "j", "j", "\r", "\x1b", "c", "\x1b", "+", "\x1b", "3",
        "j", "j", "\r", "\x1b", "f", "\x1b", "+", "\x1b", "L", "\x1b", "4", "j", "j", "\r", "\x1b",
        "+", "\x1b", "M", "\x1b", "5", "j", "\r", "\x1b", "j", "\r", "\x1b", "s", "\x1b", "A",
        "\x1b", "y", "\x1b", "x", "\x1b", // Search, in the log and in lists.
        "/", "X", "\r", "\x1b", "3", "/", "X", "\r", "\x1b", "2", "/", "X", "\r", "\x1b",
        // The roll dialog: every check, its fields, and who it may be against.
        "2", "r", "]", "\x1b[B", "\x1b[C", "\x1b[C", "]", "\x1b[B", "\x1b[C", "\x1b[D", "]", "\r",
        "\x1b", "\x1b", "U", "\x1b", "R", "\x1b",
        // What everybody has, and what is taken back.
        ":", "clock", "\x1b", "?", "\x1b", "W", "\x1b", "i", "\x1b", "u", "\x1b", "\x12", "\x1b",
    ];
    let mut found = place.leak();
    for keys in corners {
        if found.is_none() {
            place.press(keys);
            found = place.leak();
        }
    }
    for _ in 0..4 {
        place.press("\x1b");
    }
    found.or_else(|| place.leak())
}

/// Somebody suggests something about what is hidden, and the GM agrees.
fn suggest(game: &Game, seat: &Seat, which: usize) {
    let commands = game.table.read(&Seat::gm(), |seen| {
        let clock = seen.clocks().nth(which % 5).map(|one| one.clock.id);
        let pool = seen.pools().nth(which % 4).map(|pool| pool.id);
        let hulk = seen.character_named("Xhulk").map(|one| one.id);
        [
            clock.map(|clock| Command::Tick { clock, by: 1 }),
            pool.map(|pool| Command::Tokens { pool, by: 1 }),
            hulk.map(|who| Command::SetConditions {
                who,
                conditions: vec![Condition {
                    name: "slow".into(),
                    value: None,
                    rounds: None,
                }],
            }),
        ]
    });
    let [clock, pool, hulk] = commands;
    let Some(command) = [clock, pool, hulk].into_iter().nth(which % 3).flatten() else {
        return;
    };
    let act: Act = command.into();
    game.table.suggest(seat, &act).unwrap();
    let id = game
        .table
        .read(&Seat::gm(), |seen| seen.suggestions()[0].id);
    if game.table.accept(&Seat::gm(), id).is_err() {
        game.table.decline(&Seat::gm(), id).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn nothing_hidden_is_on_any_screen_of_who_may_not_see_it(
        acts in prop::collection::vec((0_u8..20, 0_usize..1000), 1..18),
    ) {
        let game = game();
        let mira = player("mira", &[game.id("Mira")]);
        let seats = [Seat::onlooker(), mira.clone(), player("nobody", &[])];
        let mut places: Vec<Place> = seats.iter().map(|seat| Place::open(&game, seat)).collect();
        for (kind, which) in acts {
            if kind < 16 {
                happens(&game, kind, which);
            } else {
                suggest(&game, &mira, which);
            }
            // What is told in passing is looked at as it comes.
            for place in &mut places {
                place.screen.hear(Input::Changed(game.table.revision()));
                place.look();
                prop_assert_eq!(place.leak(), None);
            }
        }
        for (place, seat) in places.iter_mut().zip(&seats) {
            prop_assert_eq!(tour(place), None, "{}", seat.name);
            let lines = game.table.read(seat, |seen| status("t", seen));
            let told = lines.iter().find(|line| line.plain.contains('X') || line.strong.contains('X'));
            prop_assert_eq!(told, None, "{}", seat.name);
        }
        // The GM sees it, or there would be nothing to find.
        let mut gm = Place::open(&game, &Seat::gm());
        gm.press("2");
        prop_assert!(gm.leak().is_some());
    }
}
