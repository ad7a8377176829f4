//! Tests of dice notation.

use rstest::rstest;

use super::*;
use crate::Dice;
use tableside_testing::assert_mistakes;

mod odds;
mod random;

fn read(text: &str) -> Notation {
    text.parse().unwrap()
}

/// Faces that fall in this order, over and over.
struct Scripted(Vec<u32>, usize);

impl Dice for Scripted {
    fn up_to(&mut self, sides: u32) -> u32 {
        let face = self.0[self.1 % self.0.len()];
        self.1 += 1;
        assert!((1..=sides).contains(&face), "{face} on a d{sides}");
        face
    }
}

fn roll(text: &str, faces: &[u32]) -> RolledNotation {
    let mut luck = Scripted(faces.to_vec(), 0);
    let rolled = read(text).roll(&mut luck);
    assert_eq!(luck.1, faces.len(), "faces used by {text}");
    rolled
}

/// Each line has an expression, the rolled faces, the total, and a description.
#[test]
fn an_expression_adds_up() {
    for line in include_str!("totals.txt").lines() {
        let columns: Vec<&str> = line.split(" | ").collect();
        let faces = columns[1].split_whitespace();
        let faces: Vec<u32> = faces.map(|face| face.parse().unwrap()).collect();
        assert_eq!(
            roll(columns[0], &faces).total.to_string(),
            columns[2],
            "{line}"
        );
    }
}

#[test]
fn every_die_says_what_became_of_it() {
    let rolled = roll("3d6!r1kh2", &[1, 2, 6, 3, 5]);
    let dice: Vec<(i32, DieStatus, bool)> = rolled
        .dice
        .iter()
        .map(|rolled| (rolled.face, rolled.status, rolled.chain))
        .collect();
    assert_eq!(
        dice,
        [
            (1, DieStatus::Rerolled, false),
            (2, DieStatus::Dropped, false),
            (6, DieStatus::Kept, false),
            (3, DieStatus::Kept, true),
            (5, DieStatus::Kept, false),
        ]
    );
    assert_eq!(rolled.total, 14);
}

#[test]
fn an_error_names_the_column_and_a_correction() {
    assert_mistakes(include_str!("mistakes.txt"), |text| {
        text.parse::<Notation>().unwrap_err().to_string()
    });
}

#[test]
fn no_nesting_exhausts_the_stack_and_no_length_the_memory() {
    let deep = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(roll(&deep(100), &[]).total, 1);
    let error = deep(4_999).parse::<Notation>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "brackets can be nested at most 100 deep (column 101)"
    );
    assert_eq!(roll(&format!("{}1", "-".repeat(9_998)), &[]).total, 1);
    let error = "(".repeat(10_001).parse::<Notation>().unwrap_err();
    let error = error.to_string();
    assert!(error.contains("at most 10,000 characters"), "{error}");
}

#[test]
fn a_repeated_expression_keeps_each_total() {
    let rolled = roll("3x 2d6kh1 + 1 # stats", &[1, 2, 6, 3, 5, 5]);
    assert_eq!(rolled.totals(), [3, 7, 6]);
    assert_eq!(rolled.total, 16);
    assert!(
        rolled
            .repetitions
            .iter()
            .all(|repetition| repetition.dice == 2)
    );

    let notation = read("3x 2d6kh1 + 1 # stats");
    assert_eq!(notation.repetitions(), 3);
    assert_eq!(notation.comment(), "stats");
    assert_eq!(notation.odds(), read("2d6kh1 + 1").odds());
}

#[test]
fn a_logged_expression_has_no_blanks_outside_its_comment() {
    assert_eq!(compact("2d6 + 1"), "2d6+1");
    assert_eq!(compact("2dFr - 1"), "2dFr - 1");
    assert_eq!(
        compact(" 6 x 4d6 kh3  #  str,  dex "),
        "6x 4d6kh3 # str, dex"
    );
    assert_eq!(compact("6× 4d6"), "6x 4d6");
    assert_eq!(compact("2 × 3d6"), "2×3d6");
}

#[test]
fn dropped_dice_are_the_same_for_few_and_for_many() {
    // More dice are sorted instead of searched.
    for count in [10_usize, 40] {
        let text = format!("{count}d6kh{}", count / 2);
        let faces: Vec<u32> = (0..count)
            .map(|index| u32::try_from(index * index % 5 + 1).unwrap())
            .collect();
        let rolled = roll(&text, &faces);

        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|index| std::cmp::Reverse(faces[*index]));
        for (place, index) in order.into_iter().enumerate() {
            let is_kept = rolled.dice[index].status == DieStatus::Kept;
            assert_eq!(is_kept, place < count / 2, "die {index} of {text}");
        }
    }
}

#[test]
fn a_d66_that_was_logged_as_one_die_is_read_as_one() {
    let rolled = read("d66 + 1").with_d66_as_one_die().read(&[17]).unwrap();
    assert_eq!(rolled.total, 18);
}

#[rstest]
#[case("7d6/2", true)]
#[case(" (d20 oops", true)]
#[case("10d10>=8", true)]
#[case("−2d8", true)]
#[case("3d", true)]
#[case("4dF", true)]
#[case("d%", true)]
#[case("２ｄ６", true)]
#[case("D4rk", true)]
#[case("dF", false)]
#[case("Dara", false)]
#[case("5e", false)]
#[case("d", false)]
#[case("12", false)]
#[case("3dogs", false)]
#[case("", false)]
#[case("6x 4d6kh3z", true)]
#[case("6 x (d20", true)]
#[case("adv+", true)]
#[case("dis-1z", true)]
#[case("6x", true)]
#[case("x", false)]
#[case("adv", false)]
#[case("advance", false)]
#[case("Dis", false)]
fn text_that_begins_like_dice_is_told_from_names(#[case] text: &str, #[case] expected: bool) {
    assert_eq!(resembles_dice(text), expected);
}
