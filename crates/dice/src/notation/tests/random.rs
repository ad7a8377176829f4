//! Tests of random dice expressions.

use proptest::prelude::*;

use super::odds::assert_odds_of_every_fall;
use super::*;

/// Dice, and the number of their falls.
fn dice_terms() -> impl Strategy<Value = (String, u64)> {
    let reroll = prop_oneof![Just(""), Just("r"), Just("r2"), Just("r>=3"), Just("ro<3")];
    let keep = prop_oneof![
        3 => Just(""),
        1 => Just("kh2"),
        1 => Just("kl1"),
        1 => Just("dh1"),
        1 => Just("d1"),
    ];
    let counted = prop_oneof![
        3 => Just(""),
        1 => Just(">=3"),
        1 => Just("<2"),
        1 => Just("=2"),
        1 => Just(">1"),
        1 => Just("<=3"),
    ];
    let sides = prop_oneof![
        Just("1"),
        Just("2"),
        Just("3"),
        Just("4"),
        Just("6"),
        Just("F")
    ];
    (2_u32..4, sides, reroll, keep, counted).prop_map(|(count, sides, reroll, keep, counted)| {
        let faces: u64 = if sides == "F" {
            3
        } else {
            sides.parse().unwrap()
        };
        let rolls = if reroll.is_empty() { 1 } else { 2 };
        let text = format!("{count}d{sides}{reroll}{keep}{counted}");
        (text, faces.pow(count * rolls))
    })
}

fn expressions() -> impl Strategy<Value = String> {
    let term = prop_oneof![
        3 => dice_terms(),
        1 => (0_u32..9).prop_map(|number| (number.to_string(), 1)),
        1 => Just(("dis".to_owned(), 400)),
    ];
    let operators = prop_oneof![
        Just("+"),
        Just(" - "),
        Just("*"),
        Just(" x "),
        Just("/"),
        Just("-")
    ];
    let parts = prop::collection::vec((operators, any::<bool>(), term), 1..4);
    parts.prop_map(|parts| {
        let mut text = String::new();
        let mut falls = 1;
        for (operator, is_bracketed, (term, more_falls)) in parts {
            falls *= more_falls;
            if falls > 2_000 {
                break;
            }
            if text.is_empty() {
                text = term;
            } else if is_bracketed {
                text = format!("({text}){operator}{term}");
            } else {
                text = format!("{text}{operator}{term}");
            }
        }
        text
    })
}

proptest! {
    #[test]
    fn odds_of_random_expressions_are_what_rolling_every_fall_gives(text in expressions()) {
        // A leading number before x repeats, and odds are those of one repetition.
        if let Ok(notation) = text.parse::<Notation>()
            && notation.repetitions() == 1
        {
            assert_odds_of_every_fall(&text);
            let (min, max) = notation.range();
            let odds = notation.odds().unwrap();
            prop_assert!(min <= odds.min.unwrap() && odds.max.unwrap() <= max, "{}", text);
        }
    }

    #[test]
    fn a_roll_read_from_its_faces_is_the_same_roll(text in expressions(), key in any::<[u8; 32]>()) {
        if let Ok(notation) = text.parse::<Notation>() {
            let rolled = notation.roll(&mut crate::SystemDice::from_key(key));
            let faces: Vec<i32> = rolled.dice.iter().map(|die| die.face).collect();
            prop_assert_eq!(notation.read(&faces), Ok(rolled));
        }
    }

    #[test]
    fn compact_text_is_the_same_expression(text in expressions(), repetitions in 1_u32..4) {
        for text in [text.clone(), format!("{repetitions}× {text} #  a  hit"), format!("{repetitions} x{text}")] {
            if let Ok(notation) = text.parse::<Notation>() {
                let compact: Notation = compact(&text).parse().unwrap();
                prop_assert_eq!(compact.root, notation.root);
                prop_assert_eq!(compact.repetitions, notation.repetitions);
            }
        }
    }

    #[test]
    fn no_text_stops_the_parser(text in "[0-9dDkhlr!<>=+*/x×()# advF%-]{0,30}") {
        if let Ok(notation) = text.parse::<Notation>() {
            let rolled = notation.roll(&mut crate::SystemDice::from_key([1; 32]));
            let (min, max) = notation.range();
            for total in rolled.totals() {
                prop_assert!((min..=max).contains(&total), "{}", text);
            }
        }
    }
}
