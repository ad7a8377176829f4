//! How many keys the commonest acts take: those that `docs/book/src/keystrokes.md` counts are pressed, from the table,
//! with the cursor on the first card. `strokes.txt` says how many there may be, and what comes of them.

use std::collections::BTreeMap;
use std::fs;

use crate::scripts::Play;

/// The line of `strokes.txt` from which on the acts are those of a fight.
const FIGHT: &str = "# An act of a fight in 5e";

/// A game of Heart Rush in full swing.
fn full() -> Play {
    let mut play = Play::new("full");
    for words in [
        "set Mira hit-points-most 30",
        "set Mira hit-points 20",
        "untick Up the cliff",
    ] {
        assert!(play.play(&format!("do {words}")));
    }
    play
}

/// A game of 5e with four heroes and four goblins, in the order of turns if there is one.
fn fight(has_order: bool) -> Play {
    let mut play = Play::new("5e");
    for number in 1..5 {
        let hero = ["Mira", "Bo", "Cael", "Dara"][number - 1];
        for (name, side, initiative) in [
            (hero.to_owned(), "party", 30 - 2 * number),
            (format!("Goblin {number}"), "adversary", 29 - 2 * number),
        ] {
            assert!(play.play(&format!("do add character {name} {side}")));
            if has_order {
                assert!(play.play(&format!("do initiative {name} {initiative}")));
            }
        }
    }
    play
}

#[test]
fn the_keys_that_the_book_counts_are_few_and_do_what_it_says() {
    let lines = include_str!("strokes.txt");
    let (_, fights) = lines.split_once(FIGHT).unwrap();
    let acts = lines.lines().filter(|line| !line.starts_with('#'));
    let acts = acts.map(|line| {
        let mut parts = line.split(" | ");
        let (act, most) = (parts.next().unwrap(), parts.next().unwrap());
        (act, (most.parse().unwrap(), parts.collect::<Vec<_>>()))
    });
    let mut acts: BTreeMap<&str, (usize, Vec<&str>)> = acts.collect();
    let book = fs::read_to_string("docs/book/src/keystrokes.md").unwrap();
    for row in book.lines().filter_map(|line| line.strip_prefix("| ")) {
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let [act, keys, count] = cells[..] else {
            panic!("{row}")
        };
        if act == "act" {
            continue;
        }
        let (most, due) = acts
            .remove(act)
            .unwrap_or_else(|| panic!("{act} is no act"));
        let is_of_fight = fights.contains(&format!("\n{act} | "));
        let mut play = if is_of_fight {
            fight(!act.contains("initiative"))
        } else {
            full()
        };
        assert!(!play.play(due[0]), "{act} changes what is looked at");
        // Keys stand between backticks, what is typed between stars.
        let mut pressed = 0;
        for (place, part) in keys.split('`').enumerate() {
            let typed = part.trim().trim_matches('*');
            if place % 2 == 1 {
                pressed += 1;
                play.play(&format!("press {part}"));
            } else if !typed.is_empty() {
                play.play(&format!("type {typed}"));
            }
        }
        assert_eq!(pressed.to_string(), count, "{act}");
        assert!(pressed <= most, "{act}");
        for line in due {
            assert!(play.play(line), "{act}: {line}\n{}", play.told());
        }
    }
    assert!(acts.is_empty(), "the book lacks {acts:?}");
}
