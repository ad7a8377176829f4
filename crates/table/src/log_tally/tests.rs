use super::*;
use tableside_game::{Game, Unfinished, UnfinishedId, differences};
use tableside_rules::Answer;

fn roll(who: u32, trail: Vec<Answer>, outcome: &str, luck: u16) -> Roll {
    Roll {
        who: format!("Character {who}"),
        id: Some(CharacterId(who)),
        check: "skill".into(),
        fields: [
            ("heart".into(), "d8".into()),
            ("ability".into(), "d6".into()),
            ("cn".into(), 9.into()),
        ]
        .into(),
        trail,
        outcome: outcome.into(),
        luck: Some(luck),
        ..Roll::default()
    }
}

fn event(what: EventKind) -> Event {
    Event::new(what, Vec::new())
}

fn rolled(who: u32, faces: [i16; 2], outcome: &str, luck: u16) -> Event {
    let trail = vec![Answer::Faces(faces.into())];
    event(EventKind::Rolled(Box::new(roll(who, trail, outcome, luck))))
}

fn tally(events: &[Event]) -> LogTally {
    let mut tally = LogTally::default();
    for (event, number) in events.iter().zip(1..) {
        tally.absorb(number, event, System::HEART_RUSH);
    }
    tally
}

fn figures(tally: &LogTally) -> (Figures, Vec<Figures>) {
    tally.figures(System::HEART_RUSH, |_, _| true)
}

fn faces(figures: &Figures, die: Die) -> Vec<u64> {
    let found = figures.dice.iter().find(|dice| dice.die == die);
    let found = found.expect("such dice fell");
    found.faces.iter().map(|(_, count)| *count).collect()
}

fn some_rolls() -> Vec<Event> {
    vec![
        rolled(1, [8, 6], "success", 990),
        rolled(2, [3, 2], "failure", 200),
        rolled(1, [3, 6], "success", 610),
        event(EventKind::Round {
            round: 2,
            over: String::new(),
        }),
    ]
}

#[test]
fn faces_luck_and_outcomes_are_counted_by_character() {
    let (all, each) = figures(&tally(&some_rolls()));
    assert_eq!(faces(&all, Die::D8), [0, 0, 2, 0, 0, 0, 0, 1]);
    assert_eq!(faces(&all, Die::D6), [0, 1, 0, 0, 0, 2]);
    assert_eq!(all.rolls, 3);
    assert_eq!(each.len(), 2);
    assert_eq!(each[0].who, "Character 1");
    assert_eq!(faces(&each[0], Die::D6), [0, 0, 0, 0, 0, 2]);
    let luck = each[0].luck.unwrap();
    assert_eq!(luck.rolls, 2);
    assert!((luck.mean - 0.8).abs() < 1e-12);
    assert!((luck.deviation - 24_f64.sqrt().recip()).abs() < 1e-12);
    let told: Vec<(&str, u64)> = all.checks[0]
        .outcomes
        .iter()
        .map(|(id, count)| (all.checks[0].check.outcome(*id).id, *count))
        .collect();
    assert_eq!(
        told,
        [
            ("success", 2),
            ("success-with-complication", 0),
            ("failure", 1),
            ("failure-with-complication", 0)
        ]
    );
}

#[test]
fn five_of_each_face_must_be_due_before_dice_are_judged() {
    let many = |count| {
        let one = |at: usize| rolled(1, [1, i16::try_from(at % 6 + 1).unwrap()], "failure", 1);
        let (all, _) = figures(&tally(&(0..count).map(one).collect::<Vec<_>>()));
        all.dice
    };
    assert!(many(29).iter().all(|dice| dice.test.is_none()));
    let dice = many(40);
    assert_eq!(dice[0].die, Die::D6);
    assert!(dice[0].test.unwrap().p > 0.99);
    assert_eq!(dice[1].thrown, 40);
    let loaded = dice[1].test.unwrap();
    // All 40 dice show one of eight faces, so the statistic is 35² / 5 + 7 · 5.
    assert!((loaded.statistic - 280.0).abs() < 1e-9);
    assert!(loaded.p < 1e-50);
}

#[test]
fn dice_that_fell_before_an_answer_count_once_however_often_it_is_answered() {
    let begun = roll(1, vec![Answer::Faces(vec![1, 5])], "", 0);
    let mut trail = begun.trail.clone();
    trail.push(Answer::Chose {
        choice: "complication".into(),
        chose: "complication".into(),
        by: tableside_rules::ChosenBy::Gm,
    });
    trail.push(Answer::Faces(vec![7]));
    let before = Game::new(System::HEART_RUSH);
    let mut waiting = before.clone();
    waiting.unfinished.push(Unfinished {
        id: UnfinishedId(4),
        roll: begun.clone(),
        by_hand: false,
        set_aside: None,
        unused_faces: Vec::new(),
    });
    let asked = Event::new(
        EventKind::Incomplete(Box::new(begun.clone())),
        differences(&before, &waiting),
    );
    let done = roll(1, trail, "success-with-complication", 500);
    let answered = Event::new(
        EventKind::Rolled(Box::new(done)),
        differences(&waiting, &before),
    );
    let given_up = Event::new(
        EventKind::Abandoned(Box::new(begun)),
        differences(&waiting, &before),
    );
    let (all, _) = figures(&tally(&[asked, answered.clone(), answered, given_up]));
    assert_eq!(faces(&all, Die::D6), [0, 0, 0, 0, 1, 0]);
    assert_eq!(
        faces(&all, Die::D8),
        [1, 0, 0, 0, 0, 0, 2, 0],
        "the second answer rolled another die"
    );
}

#[test]
fn the_ten_sided_dice_of_a_hundred_are_ten_sided_dice() {
    let mut hundred = roll(1, vec![Answer::Faces(vec![0, 7])], "failure", 100);
    hundred.fields = [("skill".into(), 40.into())].into();
    let mut tally = LogTally::default();
    let rolled = event(EventKind::Rolled(Box::new(hundred)));
    tally.absorb(1, &rolled, System::HEARTS);
    let (all, _) = tally.figures(System::HEARTS, |_, _| true);
    assert_eq!(faces(&all, Die::D10), [0, 0, 0, 0, 0, 0, 1, 0, 0, 1]);
}

#[test]
fn a_die_that_an_amendment_reads_again_counts_once_and_one_that_was_missing_counts() {
    let first = rolled(1, [5, 6], "success", 500);
    let mut advantage = roll(1, vec![Answer::Faces(vec![5, 6, 2])], "success", 400);
    advantage.fields.insert("advantage".into(), 1.into());
    let amended = event(EventKind::Amended {
        entry: 1,
        roll: Box::new(advantage.clone()),
        fresh: vec![2],
    });
    // The third reading needs no further dice.
    let again = event(EventKind::Amended {
        entry: 2,
        roll: Box::new(advantage),
        fresh: Vec::new(),
    });
    let undone = event(EventKind::Undone {
        event: 2,
        text: String::new(),
    });
    let luck = |events: &[Event]| {
        figures(&tally(events))
            .0
            .luck
            .map(|luck| (luck.mean, luck.rolls))
    };
    assert_eq!(luck(&[first.clone(), amended.clone()]), Some((0.4, 1)));
    assert_eq!(
        luck(&[first.clone(), amended.clone(), undone]),
        Some((0.5, 1))
    );
    let (all, _) = figures(&tally(&[first, amended, again]));
    assert_eq!(faces(&all, Die::D6), [0, 1, 0, 0, 0, 1]);
    assert_eq!(faces(&all, Die::D8), [0, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(all.rolls, 1, "a second reading is not a second roll");
}

#[test]
fn the_parts_of_a_log_counted_apart_give_the_same_figures_as_the_whole() {
    let mut renamed = roll(1, vec![Answer::Faces(vec![8, 8])], "success", 700);
    renamed.who = "A new name".to_owned();
    let mut amended = roll(1, vec![Answer::Faces(vec![8, 6])], "failure", 100);
    amended.hidden_from = vec!["*".to_owned()];
    let text = String::new();
    let mut events = some_rolls();
    events.extend([
        event(EventKind::Amended {
            entry: 1,
            roll: Box::new(amended),
            fresh: Vec::new(),
        }),
        event(EventKind::Rolled(Box::new(renamed))),
        event(EventKind::Undone {
            event: 5,
            text: text.clone(),
        }),
        event(EventKind::Redone { event: 5, text }),
    ]);
    let whole = figures(&tally(&events));

    for length in 1..=events.len() {
        let mut joined = LogTally::default();
        for (index, part) in events.chunks(length).enumerate() {
            let mut counted = LogTally::default();
            let first = index * length + 1;
            for (event, number) in part.iter().zip(first as u64..) {
                counted.count(number, event, System::HEART_RUSH);
            }
            joined.append(counted);
        }
        joined.apply_corrections();
        assert_eq!(figures(&joined), whole, "{length} events in each part");
    }
}
