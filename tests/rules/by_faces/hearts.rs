//! HEARTS, as its page puts it.

use super::fall::{Counted, Fall, both, count};
use super::{End, Given, every_setting_agrees};

fn up(value: i32, by: i32) -> i32 {
    value.div_euclid(by) + i32::from(value.rem_euclid(by) > 0)
}

/// One side of a check.
struct Side {
    automatic: bool,
    target: i32,
    hard: i32,
    times: i32,
    divided: i32,
    add: i32,
    /// Whether the highest roll fails whatever the target.
    highest_fails: bool,
}

impl Side {
    /// The side whose fields begin so; `value` is the name of the first.
    fn new(given: &Given, before: &str, value: &str) -> Self {
        let number = |name: &str| given.number(&format!("{before}{name}"));
        let value = given.number(value);
        let helper = number("assist");
        let added = number("bonus") + helper / 10;
        let challenge = given.text(&format!("{before}challenge"));
        let multiply = |value: i32| match challenge {
            "easy" => value * 2,
            "difficult" => up(value, 2),
            "heroic" => up(value, 10),
            _ => value,
        };
        let target = multiply(value + added).max(0);
        Self {
            automatic: challenge == "automatic",
            target,
            hard: up(target, 2),
            times: number("successes-times").max(1),
            divided: number("successes-divided").max(1),
            add: number("successes-add"),
            highest_fails: given.text("rule:maximum") != "counts",
        }
    }

    fn hits(&self, roll: i32, highest: i32) -> bool {
        roll <= self.target && !(self.highest_fails && roll == highest)
    }

    /// The level of a 1D100, with its successes.
    fn level(&self, roll: i32) -> (&'static str, i32) {
        match (self.hits(roll, 100), roll % 10 == 0) {
            (true, true) => ("heroic", 3),
            (true, false) if roll <= self.hard => ("hard", 2),
            (true, false) => ("success", 1),
            (false, true) => ("fumble", -1),
            (false, false) => ("failure", 0),
        }
    }

    /// The end of a check that is not opposed. The check succeeds if a success remains after the modifiers, and the level
    /// of the dice is its outcome unless the modifiers decided otherwise.
    fn end(&self, level: &'static str, successes: i32, total: Option<i32>) -> End {
        let success = self.modified(successes) >= 1;
        let outcome = match (successes >= 1, success) {
            (true, false) => "failure",
            (false, true) => "success",
            _ => level,
        };
        End {
            outcome,
            success,
            total,
        }
    }

    fn modified(&self, successes: i32) -> i32 {
        let successes = if successes > 0 {
            up(successes * self.times, self.divided)
        } else {
            successes
        };
        successes + self.add
    }
}

/// Two ten-sided dice read as digits; 00 and 0 make 100.
fn hundred(fall: &mut Fall) -> i32 {
    match (fall.die(10) - 1) * 10 + fall.die(10) - 1 {
        0 => 100,
        roll => roll,
    }
}

fn skill(given: &Given) -> Counted<End> {
    let side = Side::new(given, "", "skill");
    count(|fall| {
        if side.automatic {
            return side.end("success", 1, None);
        }
        let roll = hundred(fall);
        let (level, successes) = side.level(roll);
        side.end(level, successes, Some(roll))
    })
}

#[test]
fn skill_checks_have_the_odds_of_their_faces() {
    every_setting_agrees("hearts skill", skill);
}

fn plain(given: &Given, dice: fn(&Given, &mut Fall) -> i32, highest: i32) -> Counted<End> {
    let side = Side::new(given, "", "value");
    count(|fall| {
        let roll = (!side.automatic).then(|| dice(given, fall));
        let hit = roll.is_none_or(|roll| side.hits(roll, highest));
        let level = if hit { "success" } else { "failure" };
        side.end(level, i32::from(hit), roll)
    })
}

#[test]
fn trait_checks_have_the_odds_of_their_faces() {
    every_setting_agrees("hearts trait", |given| {
        plain(given, |_, fall| fall.die(10) + fall.die(10), 20)
    });
}

#[test]
fn quantity_checks_have_the_odds_of_their_faces() {
    every_setting_agrees("hearts quantity", |given| {
        match given.text("rule:quantity-zero") {
            "zero" => plain(given, |_, fall| fall.die(10) - 1, 9),
            _ => plain(given, |_, fall| fall.die(10), 10),
        }
    });
}

fn opposed(mine: &Counted<i32>, yours: &Counted<i32>) -> Counted<End> {
    both(mine, yours, |mine, yours| End {
        outcome: match (mine - yours).signum() {
            1 => "aggressor",
            0 => "tie",
            _ => "defender",
        },
        success: mine > yours,
        total: None,
    })
}

/// The successes of one side of an opposed check that is made of this kind.
fn successes(given: &Given, side: &Side, check: &str) -> Counted<i32> {
    count(|fall| {
        if side.automatic {
            return side.modified(1);
        }
        let hit = |hit| i32::from(hit);
        let scored = match check {
            "skill" => side.level(hundred(fall)).1,
            "trait" => hit(side.hits(fall.die(10) + fall.die(10), 20)),
            _ if given.text("rule:quantity-zero") == "zero" => hit(side.hits(fall.die(10) - 1, 9)),
            _ => hit(side.hits(fall.die(10), 10)),
        };
        let zero = given.text("rule:opposed-fumble") == "zero";
        side.modified(if zero { scored.max(0) } else { scored })
    })
}

#[test]
fn opposed_skills_have_the_odds_of_their_faces() {
    every_setting_agrees("hearts opposed", |given| {
        let mine = successes(given, &Side::new(given, "", "skill"), "skill");
        let theirs = Side::new(given, "against-", "against");
        opposed(
            &mine,
            &successes(given, &theirs, given.text("against-check")),
        )
    });
}

#[test]
fn opposed_traits_have_the_odds_of_their_faces() {
    every_setting_agrees("hearts opposed-trait", |given| {
        let mine = Side::new(given, "", "value");
        let theirs = Side::new(given, "against-", "against");
        let mine = successes(given, &mine, given.text("own-check"));
        opposed(
            &mine,
            &successes(given, &theirs, given.text("against-check")),
        )
    });
}
