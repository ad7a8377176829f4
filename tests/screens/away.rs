//! Whatever is pressed, whatever comes: the screen holds, and Esc leads back.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tableside::cli::sample;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::screen::Input;
use tableside::table::Table;

use crate::bench::Bench;
use crate::dialogs::{busy, openings, press, strange};
use crate::games;
use crate::keys::sent;

#[derive(Clone, Debug)]
enum Deed {
    Type(Vec<u8>),
    Resize(u16, u16),
    Click(u16, u16),
    Silence,
}

const KEYS: &str = "Up Down Right Left PgUp PgDn Home End BackTab F1 Enter Tab Space Backspace \
    Esc C-n C-p C-r C-h C-l WheelUp WheelDown";

fn deed() -> impl Strategy<Value = Deed> {
    let paste = any::<String>()
        .prop_map(|text| Deed::Type(format!("\x1b[200~{text}\x1b[201~").into_bytes()));
    let keys: Vec<&str> = KEYS.split(' ').collect();
    prop_oneof![
        10 => (b' '..=b'~').prop_map(|letter| Deed::Type(vec![letter])),
        8 => select(keys).prop_map(|key| Deed::Type(sent(key).into_bytes())),
        1 => paste,
        1 => any::<Vec<u8>>().prop_map(Deed::Type),
        1 => (0_u16..220, 0_u16..70).prop_map(|(width, height)| Deed::Resize(width, height)),
        2 => (0_u16..120, 0_u16..40).prop_map(|(x, y)| Deed::Click(x, y)),
        2 => Just(Deed::Silence),
    ]
}

/// What people do, a line each.
fn acts() -> Vec<&'static str> {
    include_str!("acts.txt").lines().collect()
}

impl Deed {
    fn be_done(self, bench: &mut Bench) {
        match self {
            Self::Type(bytes) => bench.screen.handle(Input::Bytes(bytes)),
            Self::Resize(width, height) => {
                bench.resize((width, height));
            }
            Self::Click(x, y) => {
                bench.click(x, y);
            }
            Self::Silence => bench.screen.handle(Input::Silence),
        }
        // Leaving is somebody else's business here.
        bench.wish();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_pressed_the_screen_holds_and_esc_leads_back(
        deeds in vec(deed(), 500),
        is_ugly in any::<bool>(),
    ) {
        let table = if is_ugly { games::ugly() } else { games::full() };
        let mut bench = Bench::sit_down(&table, (80, 24));
        for (number, deed) in deeds.into_iter().enumerate() {
            deed.be_done(&mut bench);
            if number % 3 == 0 {
                bench.look();
            }
        }
        let leads_back = bench.press(&"Esc ".repeat(12)).screen.state().is_browsing();
        prop_assert!(leads_back, "{}", bench.text());
        prop_assert!(table.revision() < 10_000);
    }
    #[test]
    fn whatever_is_pressed_in_a_dialog_it_holds_and_esc_leads_back(
        deeds in vec(deed(), 120),
        openings in vec(select(openings()), 12),
        is_strange in any::<bool>(),
    ) {
        let table = if is_strange { strange() } else { busy() };
        let mut bench = Bench::sit_down(&table, (80, 24));
        for (opening, deeds) in openings.into_iter().zip(deeds.chunks(10)) {
            bench.resize((80, 24));
            press(&mut bench, opening);
            for deed in deeds.iter().cloned() {
                deed.be_done(&mut bench);
                bench.look();
            }
            bench.resize((80, 24));
            let leads_back = bench.press(&"Esc ".repeat(12)).screen.state().is_browsing();
            prop_assert!(leads_back, "{}", bench.text());
        }
    }

    #[test]
    fn whatever_people_do_in_any_system_it_holds_and_esc_leads_back(
        system in select(System::shipped().collect::<Vec<_>>()),
        acts in vec(select(acts()), 80),
        seed in any::<u8>(),
    ) {
        let sample = sample(system).unwrap();
        let luck = Box::new(SystemDice::from_key([seed; 32]));
        let clock = || chrono::DateTime::UNIX_EPOCH;
        let table = Table::unsaved("game", sample.game, sample.entries, None, clock, luck);
        let mut bench = Bench::sit_down(&table, (80, 24));
        for act in acts {
            bench.press(act);
        }
        let leads_back = bench.press(&"Esc ".repeat(12)).screen.state().is_browsing();
        prop_assert!(leads_back, "{}", bench.text());
    }
}
