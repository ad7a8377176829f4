//! Whatever is pressed, whatever comes: the screen holds, and Esc leads back.

use proptest::prelude::*;
use tableside::cli::sample;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::screen::Input;
use tableside::table::Table;

use crate::bench::Bench;
use crate::dialogs::{OPENINGS, busy, press, strange};
use crate::games;

#[derive(Clone, Debug)]
enum Deed {
    Type(Vec<u8>),
    Resize(u16, u16),
    Click(u16, u16),
    Silence,
}

const KEYS: [&[u8]; 22] = [
    b"\x1b[A",
    b"\x1b[B",
    b"\x1b[C",
    b"\x1b[D",
    b"\x1b[5~",
    b"\x1b[6~",
    b"\x1b[H",
    b"\x1b[F",
    b"\x1b[Z",
    b"\x1bOP",
    b"\r",
    b"\t",
    b" ",
    b"\x7f",
    b"\x1b",
    b"\x0e",
    b"\x10",
    b"\x12",
    b"\x08",
    b"\x0c",
    b"\x1b[<64;9;9M",
    b"\x1b[<65;9;9M",
];

fn deed() -> impl Strategy<Value = Deed> {
    let paste = any::<String>()
        .prop_map(|text| Deed::Type(format!("\x1b[200~{text}\x1b[201~").into_bytes()));
    prop_oneof![
        10 => (b' '..=b'~').prop_map(|letter| Deed::Type(vec![letter])),
        8 => (0..KEYS.len()).prop_map(|key| Deed::Type(KEYS[key].to_vec())),
        1 => paste,
        1 => any::<Vec<u8>>().prop_map(Deed::Type),
        1 => (0_u16..220, 0_u16..70).prop_map(|(width, height)| Deed::Resize(width, height)),
        2 => (0_u16..120, 0_u16..40).prop_map(|(x, y)| Deed::Click(x, y)),
        2 => Just(Deed::Silence),
    ]
}

/// What people do, as they type it.
const ACTS: [&str; 24] = [
    "4+5",
    "4---5",
    "3+5",
    "u",
    "\x12",
    "Sx\r",
    "r\r\r\r\r\x1b\x1b",
    "r\x1b[C\x1b[B\x1b[C\x1b[C\r\r\r\x1b",
    "r]\x1b[B\x1b[D\r\r\r\x1b",
    "2+++",
    "2\x1b[C\x1b[C\x1b[C----",
    "5A",
    "5A\x1b[C\x1b[C\r",
    "5A\x1b[B\x1b[B\x1b[D\x1b[D\x1b[C\r",
    "note\r",
    "R\x1b[C\x1b[B\x1b[B\x1b[C\rU\r\r\x1b",
    "2p4\r",
    "2z\r",
    "2f\r\r",
    "H\x1b[C\x1b[B\x1b[C\r",
    "5y\r\r\x1b",
    "2N",
    "\x1b[B",
    "wab\r",
];

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
        deeds in proptest::collection::vec(deed(), 500),
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
        for _ in 0..12 {
            bench.press("Esc");
        }
        prop_assert!(bench.screen.state().is_browsing(), "{}", bench.text());
        prop_assert!(table.revision() < 10_000);
    }
    #[test]
    fn whatever_is_pressed_in_a_dialog_it_holds_and_esc_leads_back(
        deeds in proptest::collection::vec(deed(), 120),
        which in proptest::collection::vec(0..OPENINGS.len(), 12),
        is_strange in any::<bool>(),
    ) {
        let table = if is_strange { strange() } else { busy() };
        let mut bench = Bench::sit_down(&table, (80, 24));
        for (which, deeds) in which.into_iter().zip(deeds.chunks(10)) {
            bench.resize((80, 24));
            press(&mut bench, OPENINGS[which]);
            for deed in deeds.iter().cloned() {
                deed.be_done(&mut bench);
                bench.look();
            }
            bench.resize((80, 24));
            for _ in 0..12 {
                bench.press("Esc");
            }
            prop_assert!(bench.screen.state().is_browsing(), "{}", bench.text());
        }
    }

    #[test]
    fn whatever_people_do_in_any_system_it_holds_and_esc_leads_back(
        which in 0..System::shipped().len(),
        acts in proptest::collection::vec(0..ACTS.len(), 80),
        seed in any::<u8>(),
    ) {
        let sample = sample(System::shipped().nth(which).unwrap()).unwrap();
        let luck = Box::new(SystemDice::from_key([seed; 32]));
        let clock = || chrono::DateTime::UNIX_EPOCH;
        let table = Table::unsaved("game", sample.session, sample.entries, None, clock, luck);
        let mut bench = Bench::sit_down(&table, (80, 24));
        for act in acts {
            bench.screen.handle(Input::Bytes(ACTS[act].as_bytes().to_vec()));
            bench.screen.handle(Input::Silence);
            bench.look();
        }
        for _ in 0..12 {
            bench.press("Esc");
        }
        prop_assert!(bench.screen.state().is_browsing(), "{}", bench.text());
    }
}
