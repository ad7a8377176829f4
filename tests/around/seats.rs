//! What a seat sees: nothing that is hidden from it, in no list, no word of the log and no refusal.

use proptest::prelude::*;
use tableside::rules::System;
use tableside::session::{
    Allegiance, Attached, Clock, ClockKind, Command, Faces, Link, Segments, Then, TokenPool,
    Visibility,
};
use tableside::table::{Act, Entry, Seat, Seen};

use super::{Game, Try, player};

pub(crate) fn game() -> Game {
    let game = Game::with(
        System::HeartRush,
        &[
            ("Mira", &[("agility", "d10")]),
            ("Bo", &[]),
            ("Xhulk", &[("might", "d12")]),
        ],
    );
    let mut hulk = game.table.read(&Seat::gm(), |seen| {
        seen.character_named("Xhulk").unwrap().clone()
    });
    hulk.side = Allegiance::Adversary;
    hulk.hidden = true;
    hulk.notes = "Xsecret".into();
    game.run(Command::EditCharacter(Box::new(hulk)));
    game
}

const CLIFF: &[(&str, &str)] = &[("cn", "12"), ("ability", "agility")];

fn lines(game: &Game, seat: &Seat) -> Vec<String> {
    game.table.read(seat, |seen| {
        let log = seen.log();
        log.map(|entry| entry.event.text(seen.system())).collect()
    })
}

#[test]
fn a_roll_closed_to_all_or_to_one_is_not_in_their_log() {
    let game = game();
    let (mira, bo) = (
        player("mira", &[game.id("Mira")]),
        player("bo", &[game.id("Bo")]),
    );
    let roll = |hidden_from: &'static [&'static str]| {
        game.roll(&Try {
            fields: CLIFF,
            faces: &[6, 6],
            hidden_from,
            ..Try::default()
        })
        .number
    };
    let (open, all, one) = (roll(&[]), roll(&["*"]), roll(&["Bo"]));
    let sees = |seat: &Seat| {
        [open, all, one].map(|number| game.table.read(seat, |seen| seen.entry(number).is_some()))
    };
    assert_eq!(sees(&Seat::gm()), [true, true, true]);
    assert_eq!(sees(&mira), [true, false, true]);
    assert_eq!(sees(&bo), [true, false, false]);
    assert_eq!(sees(&Seat::onlooker()), [true, false, true]);
    assert_eq!(lines(&game, &bo).len(), 1);
}

#[test]
fn a_closed_check_that_waits_is_not_shown_to_them_either() {
    let game = game();
    let bo = player("bo", &[game.id("Bo")]);
    let wish = Try {
        fields: CLIFF,
        faces: &[1, 6],
        hidden_from: &["bo"],
        ..Try::default()
    };
    let mut command = game.command(&wish).unwrap();
    command.wait = true;
    game.run(Command::Roll(Box::new(command)));
    let waiting = |seat: &Seat| game.table.read(seat, |seen| seen.unfinished().count());
    assert_eq!(
        (
            waiting(&Seat::gm()),
            waiting(&bo),
            waiting(&Seat::onlooker())
        ),
        (1, 0, 1)
    );
    assert!(lines(&game, &bo).is_empty());
}

#[test]
fn whoever_may_only_notice_a_roll_reads_that_there_was_one_and_nothing_else() {
    let game = game();
    let roll = |noticed| {
        game.roll(&Try {
            fields: CLIFF,
            faces: &[6, 6],
            hidden_from: &["Bo"],
            noticed,
            ..Try::default()
        })
        .number
    };
    let (noticed, hidden) = (roll(true), roll(false));
    let bo = player("bo", &[game.id("Bo")]);
    assert_eq!(lines(&game, &bo), ["Something was rolled in secret."]);
    game.table.read(&bo, |seen| {
        let entry = seen.entry(noticed).unwrap();
        assert_eq!((entry.roll(), entry.by.as_str()), (None, "somebody"));
        assert!(entry.event.changes.is_empty());
        assert_eq!((seen.rolls(), seen.statistics().all.rolls), (0, 0));
        assert_eq!(seen.entry(hidden), None);
    });
    let entry = game
        .table
        .read(&Seat::gm(), |seen| seen.entry(noticed))
        .unwrap();
    let json = tableside::table::log_json(&entry, "", false, game.system);
    assert_eq!(json["noticed"], true);
    assert_eq!(json["hidden-from"], serde_json::json!(["Bo"]));
    // Read again, nothing more is heard of it.
    let amend = Act::Amend {
        entry: noticed,
        fields: super::given(&[("modifier", "1")]),
        faces: Faces::Rolled,
    };
    let amended = game.act(&Seat::gm(), &amend).unwrap().number;
    game.table.read(&bo, |seen| {
        assert_eq!(seen.entry(amended), None);
        assert_eq!(seen.replaced_by(noticed), None);
    });
}

#[test]
fn a_roll_that_is_open_is_not_noticed_but_seen() {
    let game = game();
    let wish = Try {
        fields: CLIFF,
        faces: &[6, 6],
        noticed: true,
        ..Try::default()
    };
    assert!(!game.roll(&wish).roll().unwrap().noticed);
}

#[test]
fn an_amended_closed_roll_stays_closed() {
    let game = game();
    let wish = Try {
        fields: CLIFF,
        faces: &[5, 6],
        hidden_from: &["*"],
        ..Try::default()
    };
    let entry = game.roll(&wish).number;
    let amend = Act::Amend {
        entry,
        fields: super::given(&[("modifier", "1")]),
        faces: Faces::Rolled,
    };
    game.act(&Seat::gm(), &amend).unwrap();
    assert!(lines(&game, &player("bo", &[])).is_empty());
    let replaced = game
        .table
        .read(&player("bo", &[]), |seen| seen.replaced_by(entry));
    assert_eq!(replaced, None);
}

#[test]
fn a_save_against_somebody_hidden_is_read_without_the_name() {
    let game = game();
    let fields: &[_] = &[("cn", "Xhulk: might")];
    let entry = game.roll(&Try {
        check: "save",
        fields,
        faces: &[6, 6],
        ..Try::default()
    });
    let mira = player("mira", &[game.id("Mira")]);
    let sources = |seat: &Seat| {
        let entry = game
            .table
            .read(seat, |seen| seen.entry(entry.number))
            .unwrap();
        entry.roll().unwrap().sources.last().unwrap().1.clone()
    };
    assert_eq!(sources(&Seat::gm()), "Xhulk: Might Challenge Number");
    assert_eq!(sources(&mira), "somebody: Might Challenge Number");
    let check = System::HeartRush.check("save").unwrap();
    let field = check.field("cn").unwrap();
    let who = Some(game.id("Mira"));
    game.table.read(&mira, |seen| {
        assert!(
            seen.picks(who, field)
                .iter()
                .all(|pick| !pick.contains("Xhulk"))
        );
        let mut filled = seen.fill(check, who);
        let known = seen
            .fill_in(&mut filled, who, field, "Xhulk: might")
            .unwrap_err();
        let unknown = seen
            .fill_in(&mut filled, who, field, "Nobody: might")
            .unwrap_err();
        let words = known.to_string().replace("Xhulk", "Nobody");
        assert_eq!(words, unknown.to_string());
    });
    let hulk = game.id("Xhulk");
    let name = game
        .table
        .read(&mira, |seen| seen.owner_name(Some(hulk)).to_owned());
    assert_eq!(name, "somebody");
}

/// Everything that a lens gives, as one text.
fn everything(seen: &Seen<'_>) -> String {
    let mut said = String::new();
    let mut say = |text: String| {
        said.push_str(&text);
        said.push('\n');
    };
    for one in seen.roster() {
        say(format!(
            "{} {} {:?} {:?}",
            one.name, one.player, one.conditions, one.sheet
        ));
        say(format!("{:?} {}", seen.notes(one), one.notes));
        say(seen.owner_name(Some(one.id)).to_owned());
    }
    for id in 0..24 {
        let id = tableside::session::CharacterId(id);
        say(format!("{:?}", seen.character(id).map(|one| &one.name)));
        say(seen.owner_name(Some(id)).to_owned());
        for check in seen.system().spec().checks {
            let mut filled = seen.fill(check, Some(id));
            say(format!("{filled:?}"));
            for field in check.fields {
                say(format!("{:?}", seen.picks(Some(id), field)));
                for given in ["?", "Xhulk: might"] {
                    let refused = seen.fill_in(&mut filled, Some(id), field, given);
                    say(refused
                        .map_err(|no| no.to_string().replace(given, ""))
                        .err()
                        .unwrap_or_default());
                }
            }
        }
    }
    for clock in seen.clocks() {
        say(format!("{:?} {:?}", clock.clock, clock.filled));
        say(format!(
            "{:?}",
            seen.forecast(clock.clock.id).map(|told| told.is_ok())
        ));
        say(format!("{:?}", seen.race_forecast(clock.clock.id)));
        say(format!(
            "{:?} {:?}",
            seen.winner(clock.clock),
            seen.waits_for(clock.clock)
        ));
        say(seen.owner_name(clock.clock.owner).to_owned());
    }
    for pool in seen.pools() {
        say(format!(
            "{} {:?} {}",
            pool.name,
            pool.thresholds,
            seen.owner_name(pool.owner)
        ));
    }
    say(format!("{:?}", seen.unfinished().collect::<Vec<_>>()));
    say(format!("{:?}", seen.calls().collect::<Vec<_>>()));
    say(format!(
        "{:?}",
        seen.locks()
            .map(|(who, about)| (&who.name, about))
            .collect::<Vec<_>>()
    ));
    let tell = |entry: &Entry| {
        let json = tableside::table::log_json(entry, "", false, seen.system());
        format!("{entry:?} {} {json}", entry.event.text(seen.system()))
    };
    for entry in seen.log() {
        say(tell(&entry));
        say(seen
            .entry(entry.number)
            .map(|entry| tell(&entry))
            .unwrap_or_default());
    }
    said
}

/// One thing that happens, by number; what is hidden has an X in its name.
pub(crate) fn happens(game: &Game, kind: u8, which: usize) {
    let hulk = game.table.read(&Seat::gm(), |seen| {
        seen.character_named("Xhulk").map(|one| one.id)
    });
    let Some(hulk) = hulk else { return };
    let who = ["Mira", "Bo", "Xhulk"][which % 3];
    let seat = [
        Seat::gm(),
        player("mira", &[game.id("Mira")]),
        player("bo", &[game.id("Bo")]),
    ][which % 3]
        .clone();
    let segments = Segments::try_from(4).unwrap();
    let command = match kind {
        0 => {
            let mut clock = Clock::new(format!("Xclock {which}"), segments);
            clock.visibility = Visibility::Hidden;
            Command::AddClock(Box::new(clock))
        }
        1 => {
            let mut clock = Clock::new(format!("Xowned {which}"), segments);
            clock.owner = Some(hulk);
            Command::AddClock(Box::new(clock))
        }
        16 | 17 => {
            // Something that players know of, filled by a check and linked to what they do not see.
            let mut clock = Clock::new(format!("Known {which}"), segments);
            clock.visibility = Visibility::ALL[which % 2];
            clock.kind = ClockKind::ALL[which % 4];
            clock.filled = if clock.visibility == Visibility::Known {
                3
            } else {
                1
            };
            clock.check = Some(Box::new(Attached {
                who: which.is_multiple_of(3).then_some(hulk),
                fields: super::given(&[("cn", "Xhulk: might")]),
                ..Attached::new("save")
            }));
            let hidden = game.table.read(&Seat::gm(), |seen| {
                let mut clocks = seen.clocks().map(|one| one.clock);
                clocks
                    .find(|clock| clock.name.starts_with('X'))
                    .map(|clock| clock.id)
            });
            clock.link = hidden.map(|to| Link {
                to,
                // Not one that would bring it into the open.
                then: [Then::Advances, Then::Starts][which % 2],
            });
            Command::AddClock(Box::new(clock))
        }
        2 => {
            let mut pool = TokenPool::new(format!("Xpool {which}"));
            pool.owner = Some(hulk);
            pool.thresholds = vec![(1, "Xwakes".into())];
            Command::AddPool(Box::new(pool))
        }
        3 => Command::Note {
            text: "Xnote".into(),
            about: None,
        },
        4 => Command::Damage {
            who: hulk,
            amount: 12,
            shrug_off: false,
        },
        5 => Command::Call {
            group: false,
            who: vec![game.id(who), hulk],
            check: "skill".into(),
            fields: Vec::new(),
            helpers: Vec::new(),
            shown: which.is_multiple_of(2),
        },
        6 => Command::SetConditions {
            who: hulk,
            conditions: vec![tableside::session::Condition {
                name: "Xdazed".into(),
                value: None,
                rounds: None,
                fades: false,
            }],
        },
        7 => {
            // The GM's would bring the hidden one into the open.
            if !seat.sees_all() {
                game.act(&seat, &Act::Undo).ok();
            }
            return;
        }
        8 => Command::DuplicateCharacter(hulk),
        9 => Command::NextScene {
            name: "The gate".into(),
        },
        _ => return rolls(game, who, which, &seat),
    };
    let noted = matches!(command, Command::Note { .. });
    let seat = if noted { &Seat::gm() } else { &seat };
    // A refusal tells no more than the rest.
    if let Err(refused) = game.act(seat, &command.clone().into()) {
        assert!(seat.sees_all() || !refused.contains('X'), "{refused}");
        game.act(&Seat::gm(), &command.into()).ok();
    }
}

/// A check against somebody hidden, with help or for a clock.
fn rolls(game: &Game, who: &str, which: usize, seat: &Seat) {
    let clocks = game.table.read(&Seat::gm(), |seen| {
        seen.clocks().map(|one| one.clock.id).collect::<Vec<_>>()
    });
    let wish = Try {
        who,
        check: if which.is_multiple_of(2) {
            "save"
        } else {
            "skill"
        },
        fields: if which.is_multiple_of(2) {
            &[("cn", "Xhulk: might")]
        } else {
            &[("cn", "9")]
        },
        helpers: if which.is_multiple_of(5) && who != "Xhulk" {
            &["Xhulk"]
        } else {
            &[]
        },
        hidden_from: if which.is_multiple_of(7) {
            &["mira"]
        } else {
            &[]
        },
        noticed: which.is_multiple_of(14),
        clock: clocks.get(which % (clocks.len() + 1)).copied(),
        ..Try::default()
    };
    let Ok(mut roll) = game.command(&wish) else {
        return;
    };
    roll.faces = Faces::Rolled;
    roll.wait = which.is_multiple_of(4);
    let seat = if which.is_multiple_of(11) {
        seat
    } else {
        &Seat::gm()
    };
    game.act(seat, &Command::Roll(Box::new(roll)).into()).ok();
}

#[test]
fn how_full_a_known_clock_is_and_private_notes_are_out_of_reach() {
    let game = game();
    let mut clock = Clock::new("The tide", Segments::try_from(6).unwrap());
    clock.visibility = Visibility::Known;
    clock.filled = 5;
    clock.check = Some(Box::new(Attached::new("skill")));
    game.run(Command::AddClock(Box::new(clock)));
    let reached = |seat: &Seat| {
        game.table.read(seat, |seen| {
            let clock = seen.clocks().last().unwrap();
            let notes: String = seen.roster().map(|one| one.notes.as_str()).collect();
            let told = seen.forecast(clock.clock.id).is_some();
            (clock.clock.filled, clock.clock.check.is_some(), told, notes)
        })
    };
    assert_eq!(reached(&Seat::gm()), (5, true, true, "Xsecret".to_owned()));
    let player = player("mira", &[game.id("Mira")]);
    assert_eq!(reached(&player), (0, false, false, String::new()));
    // Covered from onlookers, the GM's own screen reaches no more.
    game.table.read(&Seat::gm(), |seen| {
        let onlooker = Seat::onlooker();
        let covered = seen.as_seat(&onlooker);
        assert_eq!(covered.clocks().last().unwrap().clock.filled, 0);
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_nothing_hidden_is_in_what_a_seat_sees(
        acts in prop::collection::vec((0_u8..18, 0_usize..1000), 1..25),
    ) {
        let game = game();
        for (kind, which) in acts {
            happens(&game, kind, which);
        }
        let mut seats = vec![Seat::onlooker(), player("mira", &[game.id("Mira")]), player("bo", &[game.id("Bo")])];
        seats.push(player("nobody", &[]));
        for seat in seats {
            let seen = game.table.read(&seat, everything);
            let known_filled = |line: &&str| line.contains("visibility: Known") && !line.contains("filled: 0,");
            let leak = seen.lines().find(|line| line.contains('X') || known_filled(line));
            prop_assert_eq!(leak, None, "{}", seat.name);
        }
        let all = game.table.read(&Seat::gm(), everything);
        prop_assert!(all.contains("Xhulk") && all.contains("Xsecret"));
    }
}
