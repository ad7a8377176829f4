//! Friday Night Dungeon, as its page puts it.

use super::fall::{Counted, count};
use super::{End, Given, every_setting_agrees};

const COMPETENCES: &str = "unskilled novice trained expert master legend";
const DIFFICULTIES: &str = "trivial easy moderate difficult heroic legendary";

fn challenge(given: &Given) -> Counted<End> {
    let rank = |among: &str, name: &str| {
        let at = among.split(' ').position(|known| known == name).unwrap();
        i32::try_from(at).unwrap()
    };
    let difficulty = rank(DIFFICULTIES, given.text("difficulty")) + given.number("harder");
    let mut steps = difficulty - rank(COMPETENCES, given.text("competence"));
    match given.text("rule:far-below") {
        "one-step" => steps = steps.max(-1),
        "seven" if steps < -1 => steps = 0,
        _ => {}
    }
    let target = 7 + 3 * steps;
    count(|fall| {
        let mut dice = vec![fall.die(6), fall.die(6)];
        let bare = given.flag("no-bonuses");
        match (given.flag("advantage"), given.flag("disadvantage")) {
            (true, false) => {
                dice.push(fall.die(6));
                dice.sort_unstable();
                dice.remove(0);
            }
            (false, true) => {
                dice.push(fall.die(6));
                dice.sort_unstable();
                dice.pop();
            }
            _ => {}
        }
        let aid = match (given.flag("aided"), given.flag("hindered")) {
            (true, false) => i32::from(!bare),
            (false, true) => -1,
            _ => 0,
        };
        let total = dice[0] + dice[1] + aid - given.number("penalty");
        let reaches = given.text("rule:double-six") != "reaching" || total >= target;
        let outcome = if dice == [6, 6] && reaches {
            "critical"
        } else if total < target {
            "failure"
        } else if total == target {
            "consequence"
        } else {
            "success"
        };
        End {
            outcome,
            success: outcome != "failure",
            total: Some(total),
        }
    })
}

#[test]
fn challenges_have_the_odds_of_their_faces() {
    every_setting_agrees("friday-night-dungeon challenge", challenge);
}

#[test]
fn combat_dice_have_the_odds_of_their_faces() {
    every_setting_agrees("friday-night-dungeon combat", |given| {
        count(|fall| {
            let faces: Vec<i32> = (0..given.number("dice")).map(|_| fall.die(6)).collect();
            let same = |of: fn(i32) -> i32| {
                let first = of(faces[0]);
                faces.len() == 3 && faces.iter().all(|&face| of(face) == first)
            };
            let triple = match given.text("rule:triple") {
                "face" => same(|face| face),
                _ => same(|face| (face + 1) / 2),
            };
            let outcome = match ((faces[0] + 1) / 2, triple) {
                (_, false) => "mixed",
                (1, true) => "three-shields",
                (2, true) => "three-talents",
                (_, true) => "three-swords",
            };
            End {
                outcome,
                success: false,
                total: None,
            }
        })
    });
}
