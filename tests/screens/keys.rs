//! What keys and the mouse do.

use tableside::rules::System;
use tableside::screen::{ExitReason, Flow, Tab};
use tableside::session::{Command, TokenPool, Visibility};
use tableside::table::{Act, Role, Seat, SeatId};

use crate::bench::Bench;
use crate::games::{self, destiny};

fn full() -> Bench {
    Bench::sit_down(&games::full(), (120, 40))
}

fn filled(bench: &Bench, name: &str) -> u8 {
    bench.table.read(&Seat::gm(), |seen| {
        let mut clocks = seen.clocks();
        clocks
            .find(|one| one.clock.name == name)
            .unwrap()
            .clock
            .filled
    })
}

fn heart(bench: &Bench, name: &str) -> String {
    bench.table.read(&Seat::gm(), |seen| {
        let one = seen.character_named(name).unwrap();
        one.sheet.value("heart-now").unwrap().to_string()
    })
}

#[test]
fn digits_and_tab_go_from_tab_to_tab() {
    let mut bench = full();
    for (key, tab) in ["1", "2", "3", "4", "5"].iter().zip(Tab::ALL) {
        bench.press(key);
        assert_eq!(bench.screen.state().tab(), tab);
    }
    bench.press("Tab");
    assert_eq!(bench.screen.state().tab(), Tab::Table);
    bench.press("BackTab");
    assert_eq!(bench.screen.state().tab(), Tab::Log);
}

#[test]
fn plus_steps_the_value_under_the_cursor() {
    let mut bench = full();
    bench.press("2 -");
    assert_eq!(heart(&bench, "Mira"), "d6");
    bench.press("+ +");
    assert_eq!(heart(&bench, "Mira"), "d8");
    assert!(bench.text().contains("goes no further"), "{}", bench.text());
    let before = destiny(&bench.table, "Mira");
    bench.press("Right Right Right Right Right Right Right Right Right -");
    assert_eq!(destiny(&bench.table, "Mira"), before - 1);
}

#[test]
fn plus_on_the_table_acts_on_what_is_in_hand() {
    let mut bench = full();
    bench.press("-");
    assert_eq!(heart(&bench, "Mira"), "d6");
    bench.press("o Down +");
    assert_eq!(filled(&bench, "The prisoner's trust"), 2);
    bench.press("u u");
    assert_eq!(filled(&bench, "The prisoner's trust"), 1);
    assert_eq!(heart(&bench, "Mira"), "d8");
    assert!(bench.text().contains("Took back #"), "{}", bench.text());
    bench.press("C-r");
    assert_eq!(heart(&bench, "Mira"), "d6");
}

#[test]
fn several_marked_are_one_act() {
    let mut bench = full();
    bench.press("2 Down m Down m Space");
    let acted = |bench: &Bench| {
        bench.table.read(&Seat::gm(), |seen| {
            let acted = seen.roster().filter(|one| one.acted);
            acted.map(|one| one.name.clone()).collect::<Vec<_>>()
        })
    };
    assert_eq!(acted(&bench), ["Mira", "Torben", "Wren"]);
    bench.press("u");
    assert_eq!(acted(&bench), ["Mira"]);
}

#[test]
fn the_bottom_line_says_how_many_are_marked_and_damage_falls_on_all() {
    let mut bench = full();
    bench.press("2 m Down m");
    assert!(bench.text().contains("2 marked"), "{}", bench.text());
    bench.press("p").type_text("4");
    bench.press("Enter");
    let points = |name: &str| {
        bench.table.read(&Seat::gm(), |seen| {
            let one = seen.character_named(name).unwrap();
            one.sheet.number("hit-points").unwrap()
        })
    };
    assert_eq!(
        (points("Mira"), points("Torben"), points("Wren")),
        (36, 36, 40)
    );
    bench.press("Esc");
    assert!(!bench.text().contains("2 marked"), "{}", bench.text());
    bench.press("u");
    assert_eq!(heart(&bench, "Mira"), "d8");
    assert!(bench.text().contains("Took back"), "{}", bench.text());
}

#[test]
fn conditions_of_several_leave_what_each_has_alone() {
    let mut bench = full();
    bench.press("2 m Down m c").type_text("shaken");
    bench.press("Enter");
    let conditions = |name: &str| {
        bench.table.read(&Seat::gm(), |seen| {
            let one = seen.character_named(name).unwrap();
            let names = one.conditions.iter().map(|one| one.name.clone());
            names.collect::<Vec<_>>()
        })
    };
    assert!(conditions("Mira").contains(&"shaken".to_owned()));
    assert!(conditions("Torben").contains(&"shaken".to_owned()));
    assert!(!conditions("Wren").contains(&"shaken".to_owned()));
    let before = conditions("Torben").len();
    bench.press("u");
    let after = bench.table.read(&Seat::gm(), |seen| {
        let one = seen.character_named("Torben").unwrap();
        one.conditions.len()
    });
    assert_eq!(after, before - 1, "{}", bench.text());
}

#[test]
fn a_clock_changes_its_segments_and_who_sees_it() {
    let mut bench = full();
    bench.press("3 Right ] v");
    bench.table.read(&Seat::gm(), |seen| {
        let watch = seen.clocks().nth(1).unwrap().clock;
        assert_eq!(watch.segments.count(), 7);
        assert_eq!(watch.visibility, Visibility::Known);
    });
}

#[test]
fn words_that_mean_nothing_stay_in_the_palette_with_what_is_wrong() {
    let mut bench = full();
    for words in ["frobnicate", "Mira takes 5 frogs", "damage mira"] {
        let revision = bench.table.revision();
        bench.press(":").type_text(words).press("Enter");
        let told = bench.table.read(&Seat::gm(), |seen| {
            tableside::table::command_language::read(words, seen)
                .err()
                .unwrap()
                .to_string()
        });
        let text = bench.text();
        assert!(text.contains(words), "{text}");
        let first: Vec<&str> = told.split_whitespace().take(4).collect();
        assert!(text.contains(&first.join(" ")), "{told}: {text}");
        assert_eq!(bench.table.revision(), revision);
        bench.press("Backspace");
        assert!(!bench.text().contains(&first.join(" ")), "{}", bench.text());
        bench.press("Esc");
    }
}

#[test]
fn a_choice_waits_for_real_dice_where_it_was_left() {
    let mut bench = full();
    bench.press("r C-h Enter").type_text("1 3").press("Enter");
    assert!(bench.text().contains("─ by hand ╮"), "{}", bench.text());
    bench.press("Esc U");
    assert!(bench.text().contains("─ by hand ╮"), "{}", bench.text());
    bench.press("C-h Esc r");
    assert!(bench.text().contains("Re-roll"), "{}", bench.text());
    assert!(!bench.text().contains("─ by hand ╮"), "{}", bench.text());
}

#[test]
fn what_runs_out_with_the_round_is_told_and_in_the_log() {
    let mut bench = full();
    bench.press("N");
    assert!(bench.line("Round 2").trim().ends_with("Round 2"));
    bench.press("N");
    let told = "Round 3: Torben is no longer dazed";
    assert!(bench.text().contains(told), "{}", bench.text());
    bench.press("Down 5");
    assert!(bench.line("26").contains(told), "{}", bench.text());
}

#[test]
fn a_scene_without_a_name_goes_by_its_number() {
    let mut bench = Bench::sit_down(&games::empty(System::HeartRush), (120, 40));
    let told = |bench: &Bench| {
        bench.table.read(&Seat::gm(), |seen| {
            let lines = tableside::table::status("t", seen);
            lines
                .iter()
                .map(|line| line.plain.clone())
                .collect::<String>()
        })
    };
    assert!(bench.text().contains("No scene has begun"));
    assert!(told(&bench).contains("No scene has begun."));
    bench
        .press("S")
        .type_text("The yard")
        .press("Enter S Enter S Enter");
    for tab in ["1", "2"] {
        bench.press(tab);
        let text = bench.text();
        assert!(
            text.contains("Scene 3") && !text.contains("first"),
            "{text}"
        );
    }
    assert!(told(&bench).contains("Scene 3."), "{}", told(&bench));
}

#[test]
fn a_suggestion_calls_a_stat_what_the_sheet_calls_it() {
    let mut bench = full();
    let who = games::id(&bench.table, "Mira");
    let step = Command::StepStat {
        who,
        stat: "heart-now".into(),
        by: -1,
    };
    let ana = Seat {
        id: SeatId(2),
        name: "Ana".into(),
        role: Role::Player,
        characters: Vec::new(),
    };
    bench.table.suggest(&ana, &step.into()).unwrap();
    bench.press("2");
    let words = "Ana suggests: Mira: Heart die now";
    assert!(bench.text().contains(words), "{}", bench.text());
}

#[test]
fn a_roll_that_was_taken_back_is_no_headline_that_holds() {
    let mut bench = full();
    let lead = |bench: &Bench| {
        let text = bench.text();
        let lines: Vec<&str> = text
            .lines()
            .skip_while(|line| !line.contains("Last rolls"))
            .collect();
        lines[1..4].join("\n")
    };
    assert!(lead(&bench).contains("11 against 9") && !lead(&bench).contains("taken back"));
    bench
        .table
        .submit(
            &Seat::gm(),
            &Act::Strike {
                entry: bench
                    .table
                    .read(&Seat::gm(), |seen| seen.rolled().next().unwrap()),
                reason: String::new(),
            },
        )
        .unwrap();
    bench.press("1");
    assert!(lead(&bench).contains("taken back"), "{}", lead(&bench));
}

#[test]
fn what_is_deleted_comes_back() {
    let mut bench = full();
    bench.press("3 d");
    assert!(bench.text().contains("Removed the clock Up the cliff"));
    bench.press("u");
    bench.press("Z");
    assert!(bench.line("Up the cliff").contains("4/4"));
}

#[test]
fn the_cursor_stays_with_its_thing_while_others_come_and_go() {
    let mut bench = full();
    bench.press("3 Z Down Down");
    let first = bench
        .table
        .read(&Seat::gm(), |seen| seen.clocks().next().unwrap().clock.id);
    games::run(
        &bench.table,
        tableside::session::Command::RemoveClock(first),
    );
    bench
        .screen
        .hear(tableside::screen::Input::Changed(bench.table.revision()));
    bench.look();
    assert!(bench.line("The prisoner's trust").starts_with('›'));
}

#[test]
fn what_others_do_is_drawn_around_an_open_dialog() {
    let mut bench = full();
    bench.press("1 r");
    assert!(!bench.screen.state().is_browsing());
    games::run(&bench.table, tableside::session::Command::NextRound);
    bench
        .screen
        .hear(tableside::screen::Input::Changed(bench.table.revision()));
    bench.look();
    assert!(bench.text().contains("round 2"), "{}", bench.text());
    assert!(!bench.screen.state().is_browsing());
}

#[test]
fn a_frame_is_drawn_only_when_something_is_otherwise() {
    let mut bench = full();
    let revision = bench.table.revision();
    bench
        .screen
        .hear(tableside::screen::Input::Changed(revision));
    bench.screen.hear(tableside::screen::Input::Saving);
    bench.look();
    assert_eq!(bench.sent, 0);
    assert_eq!(bench.screen.patience(std::time::Instant::now()), None);
    bench.press("1");
    assert_eq!(bench.sent, 0);
}

#[test]
fn covered_the_screen_shows_what_players_may_see() {
    let mut bench = full();
    let _sitting = bench.table.sit(&Seat::gm());
    bench.press("C");
    for tab in ["1", "2", "3", "4", "5"] {
        bench.press(tab);
        let text = bench.text();
        assert!(!text.contains("Rusk"), "{text}");
        assert!(!text.contains("ferryman"), "{text}");
        assert!(text.contains("covered"), "{text}");
        assert!(!text.contains("with gm"), "{text}");
    }
    bench.press("3 Z");
    assert!(bench.line("The prisoner's trust").contains("?/4"));
    bench.press("C 2");
    assert!(bench.text().contains("Captain Rusk"));
}

#[test]
fn the_log_is_filtered_while_one_types() {
    let mut bench = full();
    bench.press("5 /").type_text("who:torben");
    assert!(bench.text().contains("Torben, Skill check"));
    assert!(!bench.text().contains("Mira, Skill check"));
    bench.press("Enter Esc");
    assert!(bench.text().contains("Mira, Skill check"));
    bench.press("/").type_text("nonsense");
    assert!(bench.text().contains("Nothing here is like that"));
    bench.press("Esc");
    assert!(bench.text().contains("Mira, Skill check"));
}

#[test]
fn names_are_filtered_too() {
    let mut bench = full();
    bench.press("2 /").type_text("wr");
    bench.press("Enter");
    assert!(bench.text().contains("Wren") && !bench.text().contains("Torben"));
    assert!(bench.text().contains("filter: wr"));
}

#[test]
fn the_palette_finds_and_does() {
    let mut bench = full();
    bench.press(":").type_text("next round");
    bench.press("Enter");
    assert!(bench.text().contains("round 2"), "{}", bench.text());
    bench.press("2 :").type_text("segment more");
    bench.press("Enter");
    assert_eq!(bench.screen.state().tab(), Tab::Clocks);
    assert!(bench.text().contains("] is the key to"), "{}", bench.text());
}

#[test]
fn help_tells_the_keys_of_where_one_is_and_goes_back_there() {
    let mut bench = full();
    bench.press("3 ?");
    assert!(bench.text().contains("advance the clock"));
    bench.press("Esc r");
    bench.type_text("\x1bOP");
    assert!(
        bench.text().contains("In the roll dialog"),
        "{}",
        bench.text()
    );
    bench.press("Esc");
    assert!(!bench.screen.state().is_browsing());
    bench.press("Esc");
    assert!(bench.screen.state().is_browsing());
}

#[test]
fn help_names_a_key_once_and_pages_only_where_there_is_more() {
    let mut bench = Bench::sit_down(&games::full(), (120, 60));
    for place in ["2 n", "2 Enter Enter", "r", "5 a", ":", "/"] {
        bench.press(place).press("F1");
        let text = bench.text();
        let (keys, rest) = ("Enter Enter", "Ctrl-Z Ctrl-Z");
        assert!(!text.contains(keys) && !text.contains(rest), "{text}");
        assert!(!text.contains("PgDn page down"), "{place}: {text}");
        bench.press("Esc Esc Esc");
    }
    bench.resize((80, 24)).press("?");
    assert!(bench.text().contains("PgDn page down"), "{}", bench.text());
}

#[test]
fn next_among_the_tokens_is_what_comes_next() {
    let table = games::full();
    let doom = TokenPool {
        tokens: 4,
        cap: Some(9),
        thresholds: vec![(3, "it stirs".into()), (6, "it wakes".into())],
        ..TokenPool::new("Doom")
    };
    games::run(&table, Command::AddPool(Box::new(doom)));
    let mut bench = Bench::sit_down(&table, (160, 45));
    bench.press("4");
    assert!(
        bench.line("Doom").contains("at 6: it wakes"),
        "{}",
        bench.text()
    );
    bench.press("Down Down + +");
    assert!(
        bench.line("Doom").contains("reached 6: it wakes"),
        "{}",
        bench.text()
    );
}

#[test]
fn the_mouse_opens_tabs_and_ticks_clocks() {
    let mut bench = full();
    let row = |bench: &Bench, word: &str| {
        let text = bench.text();
        let row = text.lines().position(|line| line.contains(word)).unwrap();
        u16::try_from(row).unwrap()
    };
    let tabs = row(&bench, "3 Clocks");
    bench.click(24, tabs);
    assert_eq!(bench.screen.state().tab(), Tab::Clocks);
    let watch = row(&bench, "The watch wakes");
    let line = bench.line("The watch wakes");
    let (before, _) = line.split_once("The watch wakes").unwrap();
    let name = u16::try_from(before.chars().count()).unwrap();
    bench.click(name, watch);
    assert_eq!(filled(&bench, "The watch wakes"), 3);
    // A face is ticked where it is touched.
    bench.click(name - 4, watch);
    assert_eq!(filled(&bench, "The watch wakes"), 4);
}

#[test]
fn the_wheel_walks_the_list() {
    let mut bench = full();
    bench.press("5").type_text("\x1b[<65;10;10M");
    assert!(
        bench.text().lines().nth(7).unwrap().starts_with('›'),
        "{}",
        bench.text()
    );
}

#[test]
fn quitting_asks_only_where_a_check_waits() {
    let mut bench = full();
    bench.press("q");
    assert_eq!(bench.wish(), Flow::Leave(ExitReason::Quit));
    let table = games::full();
    let mut bench = Bench::sit_down(&table, (80, 24));
    games::begin_a_check(&table);
    bench.press("q");
    assert_eq!(bench.wish(), Flow::Stay);
    assert!(
        bench.text().contains("waits for an answer"),
        "{}",
        bench.text()
    );
    bench.press("y");
    assert_eq!(bench.wish(), Flow::Leave(ExitReason::Quit));
}

#[test]
fn control_c_leaves_from_anywhere() {
    for open in ["1", "r", "3 n", "?", ":", "5 /"] {
        let mut bench = full();
        bench.press(open).press("C-c");
        assert_eq!(bench.wish(), Flow::Leave(ExitReason::Quit), "{open}");
    }
}

#[test]
fn the_first_words_go_with_the_first_key() {
    let mut bench = Bench::sit_down(&games::empty(System::Hearts), (80, 24));
    assert!(bench.text().contains("Welcome to the table"));
    bench.press("2");
    assert!(!bench.text().contains("Welcome to the table"));
    assert_eq!(bench.screen.state().tab(), Tab::Party);
}

#[test]
fn the_dice_and_the_luck_of_everyone_are_a_key_away() {
    let mut bench = full();
    bench.press("5 s");
    let shown = bench.text();
    assert!(shown.contains("Dice and luck"), "{shown}");
    assert!(shown.contains("Everybody"), "{shown}");
    bench.press("Esc");
    assert!(!bench.text().contains("Dice and luck"));
}

#[test]
fn an_empty_tab_offers_to_make_the_first_and_nothing_that_needs_one() {
    for size in crate::bench::SIZES {
        let mut bench = Bench::sit_down(&games::empty(System::HeartRush), size);
        for (tab, says) in [
            ("1", "Nobody is here yet. n makes"),
            ("2", "Nobody is here yet. n makes"),
            ("3", "No clock is running. n starts"),
            ("4", "No tokens yet. n makes"),
            ("5", "Nothing has happened yet. r rolls"),
        ] {
            bench.press(tab);
            let shown = bench.text();
            assert!(shown.contains(says), "{shown}");
            let keys = shown.lines().last().unwrap_or_default();
            let offers = if tab == "5" { "a note" } else { "n new" };
            assert!(keys.contains(offers), "{keys}");
            for needs_one in ["tick", "open", "delete", "filter", "explain", "acted"] {
                assert!(!keys.contains(needs_one), "{keys}");
            }
        }
    }
}

/// The keys that the bottom line names, the first of each pair.
fn named_keys(bench: &Bench) -> Vec<String> {
    let text = bench.text();
    let line = text.lines().last().unwrap_or_default();
    let hints = line.trim().split("   ");
    let keys = hints.map(|hint| hint.split(' ').next().unwrap_or_default());
    keys.map(str::to_owned).collect()
}

#[test]
fn every_key_that_the_bottom_line_names_does_something_there() {
    let mut pressed = 0;
    for place in ["1", "1 o", "1 o o", "1 o o o", "2", "3 Right", "4", "5"] {
        let sit_down = || {
            let mut bench = Bench::sit_down(&crate::dialogs::busy(), (160, 45));
            bench.press(place);
            bench
        };
        for key in named_keys(&sit_down()) {
            let mut bench = sit_down();
            let before = bench.text();
            bench.press(&key);
            let after = bench.text();
            assert_ne!(after, before, "{place}: {key} does nothing");
            for refusal in ["are not", "nothing to", "no such"] {
                assert!(!after.contains(refusal), "{place}, {key}: {after}");
            }
            pressed += 1;
        }
    }
    assert!(pressed > 80, "{pressed}");
}
