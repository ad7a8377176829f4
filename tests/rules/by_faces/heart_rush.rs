//! Heart Rush, as its page puts it.

use super::fall::{Counted, Fall, both, count};
use super::{End, Given, every_setting_agrees};

/// One die on the table.
#[derive(Clone, Copy)]
struct OnTable {
    sides: i32,
    face: i32,
    kept: bool,
}

/// Rolls these dice with what advantage adds.
fn roll(fall: &mut Fall, dice: &[i32], net: i32) -> Vec<OnTable> {
    let mut sizes = dice.to_vec();
    let extra = if net > 0 {
        dice.iter().min()
    } else {
        dice.iter().max()
    };
    sizes.extend((0..net.abs()).map(|_| extra.unwrap()));
    let mut table: Vec<OnTable> = sizes
        .into_iter()
        .map(|sides| OnTable {
            sides,
            face: fall.die(sides),
            kept: true,
        })
        .collect();
    for _ in 0..net.abs() {
        // The lowest result, or the highest; of equal ones the smaller die, then the later one.
        let mut worst: Option<usize> = None;
        for (index, die) in table.iter().enumerate().filter(|(_, die)| die.kept) {
            let beats = worst.is_none_or(|worst| {
                let other = table[worst];
                let further = if net > 0 {
                    die.face < other.face
                } else {
                    die.face > other.face
                };
                further || die.face == other.face && die.sides <= other.sides
            });
            if beats {
                worst = Some(index);
            }
        }
        table[worst.unwrap()].kept = false;
    }
    table
}

fn kept(table: &[OnTable]) -> i32 {
    table
        .iter()
        .filter(|die| die.kept)
        .map(|die| die.face)
        .sum()
}

fn modifiers(given: &Given) -> i32 {
    let rank = given.number("profession");
    let rank = if given.flag("tangential") {
        rank / 2
    } else {
        rank
    };
    rank + given.number("aspect") - given.number("hindrance") + given.number("modifier")
}

fn net(given: &Given) -> i32 {
    given.number("advantage") - given.number("disadvantage") + i32::from(given.flag("helped"))
}

fn skill(given: &Given) -> Counted<End> {
    let dice = [given.sides("heart"), given.sides("ability")];
    let low = 1 + given.number("vulnerability");
    count(|fall| {
        let mut table = roll(fall, &dice, net(given));
        let any = given.text("rule:ones") == "any";
        let ones: Vec<usize> = (0..table.len())
            .filter(|&index| table[index].face <= low && (any || table[index].kept))
            .collect();
        let mut complication = false;
        let mut fails = false;
        match ones.as_slice() {
            [] => {}
            [_, _, ..] => (complication, fails) = (true, true),
            _ if given.text("choose") == "fail" => fails = true,
            [one] => {
                complication = true;
                table[*one].face = fall.die(table[*one].sides);
            }
        }
        let total = kept(&table) + modifiers(given);
        let success = !fails && total >= given.number("cn");
        let outcome = match (success, complication) {
            (true, false) => "success",
            (true, true) => "success-with-complication",
            (false, false) => "failure",
            (false, true) => "failure-with-complication",
        };
        End {
            outcome,
            success,
            total: Some(total),
        }
    })
}

#[test]
fn skill_checks_have_the_odds_of_their_faces() {
    every_setting_agrees("heart-rush skill", skill);
}

fn plain(given: &Given, dice: [i32; 2], cn: i32) -> Counted<End> {
    count(|fall| {
        let total = kept(&roll(fall, &dice, net(given))) + modifiers(given);
        let success = total >= cn;
        End {
            outcome: if success { "success" } else { "failure" },
            success,
            total: Some(total),
        }
    })
}

#[test]
fn saving_throws_have_the_odds_of_their_faces() {
    every_setting_agrees("heart-rush save", |given| {
        plain(
            given,
            [given.sides("heart"), given.sides("ability")],
            given.number("cn"),
        )
    });
}

#[test]
fn stratagems_have_the_odds_of_their_faces() {
    every_setting_agrees("heart-rush stratagem", |given| {
        let shift = given.number("hindrances") - given.number("assets");
        plain(
            given,
            [8, given.sides("ability")],
            given.number("cn") + 3 * shift,
        )
    });
}

fn attack(given: &Given) -> Counted<End> {
    let mut dice = vec![
        given.sides("heart"),
        given.sides("ability"),
        given.sides("weapon"),
    ];
    if given.flag("matching") {
        dice.push(given.sides("weapon"));
    }
    let attacks = count(|fall| kept(&roll(fall, &dice, net(given))) + modifiers(given));
    let mut dice = vec![given.sides("defense-heart"), given.sides("defense-ability")];
    let mut worn = given.number("defense-modifier");
    if given.flag("same-stance") {
        // Both attack: the opponent's weapon counts, and armour does not.
        dice.push(given.sides("defense-weapon"));
    } else {
        worn += match given.text("armor") {
            "light" => 2,
            "medium" => 4,
            "heavy" => 6,
            _ => 0,
        };
        worn += match given.text("shield") {
            "light" => 1,
            "heavy" => 2,
            _ => 0,
        };
    }
    worn += given.number("defense-aspect") - given.number("defense-hindrance");
    let net = given.number("defense-advantage") - given.number("defense-disadvantage");
    let defenses = count(|fall| kept(&roll(fall, &dice, net)) + worn);
    both(&attacks, &defenses, |&attack, &defense| {
        let mut damage = (attack - defense).max(0);
        if given.flag("defensive") {
            damage -= damage / 2;
        }
        let outcome = match damage {
            0 => "miss",
            _ if damage >= given.number("rule:wound-at") => "wound",
            _ => "hit",
        };
        End {
            outcome,
            success: damage > 0,
            total: Some(attack),
        }
    })
}

#[test]
fn attacks_have_the_odds_of_their_faces() {
    every_setting_agrees("heart-rush attack", attack);
}
