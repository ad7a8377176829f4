//! The ACS roll (HFRPG, Attribute + Competency + Specialisation).

use super::placing::{Open, Tokens, parse};
use super::reading::{Base, Explosion, Rules, read};
use crate::dice::{Die, Face, Group, Pool, Reading, Role, See};
use crate::rules::{
    Answer, Ask, Check, ChoiceId, Choices, Fields, Heard, House, Outcome, OutcomeId, Picked,
    Refused, Side, Tally,
};

mod foreseen;
mod spec;
mod told;

use foreseen::{Dealt, Placed};

pub(super) use spec::SPEC;

const CRITICAL_SUCCESS: OutcomeId = OutcomeId(0);
const CLEAN_SUCCESS: OutcomeId = OutcomeId(1);
const SCRAPED_BY: OutcomeId = OutcomeId(2);
const ALMOST_THERE: OutcomeId = OutcomeId(3);
const CLEAN_FAILURE: OutcomeId = OutcomeId(4);
const CRITICAL_FAILURE: OutcomeId = OutcomeId(5);

/// The difficulties, from the easiest.
const DIFFICULTIES: &[&str] = &[
    "certain",
    "very-easy",
    "easy",
    "normal",
    "hard",
    "very-hard",
    "impossible",
];

/// The result at which success is critical.
const CRITICAL: i32 = 16;

/// The most further rolls of one check.
const MOST_CHAINED: u16 = 1_000;

/// One row of the thresholds (HFRPG, Success/Failure Threshold).
struct Threshold {
    from: i32,
    outcome: OutcomeId,
    /// The result in words.
    words: &'static str,
    /// The token given: 1 a bonus, −1 a penalty.
    token: i32,
}

const fn threshold(from: i32, outcome: OutcomeId, words: &'static str, token: i32) -> Threshold {
    Threshold {
        from,
        outcome,
        words,
        token,
    }
}

const THRESHOLDS: [Threshold; 5] = [
    threshold(CRITICAL, CRITICAL_SUCCESS, "16 or more", 1),
    threshold(13, CLEAN_SUCCESS, "13 to 15", 0),
    threshold(10, SCRAPED_BY, "10 to 12", -1),
    threshold(7, ALMOST_THERE, "7 to 9", 1),
    threshold(4, CLEAN_FAILURE, "4 to 6", 0),
];

const LOWEST: Threshold = threshold(i32::MIN, CRITICAL_FAILURE, "3 or less", -1);

/// The row of the thresholds that a result falls into.
fn threshold_of(total: i32) -> &'static Threshold {
    let found = THRESHOLDS.iter().find(|row| total >= row.from);
    found.unwrap_or(&LOWEST)
}

/// An ACS roll with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Acs {
    /// The outcome of a check that is not rolled, with the reason.
    automatic: Option<(OutcomeId, &'static str)>,
    die: Die,
    attribute: u8,
    competency: i32,
    specialisation: i32,
    group: i32,
    tokens: Tokens,
    /// Where the tokens go whatever falls, for odds alone.
    placed: Option<Placed>,
    rules: Rules,
    /// A single die's 1 and the Critical Failure that it is give one penalty token, not two (house rule
    /// `lone-one`).
    one_penalty: bool,
    /// A bonus token takes no penalty token away, and is lost beside one (house rule `open-penalties`).
    penalties_stay: bool,
}

/// What later steps can still see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Not rolled at all.
    Automatic,
    /// Nothing rolled yet.
    Start,
    /// The dice fall heap by heap, for where the tokens go is known.
    Dealt(Dealt),
    /// Tokens are to be placed; this is what the pool can be brought to. How many tokens that takes is
    /// seen by nobody but the one who placed them.
    Place { open: Open },
    /// So many dice are still to be rolled further; resolved when there are none.
    Chain {
        fixed: i32,
        exploding: u8,
        rolled: u16,
    },
}

impl Acs {
    fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        let small = |id| u8::try_from(fields.number(id)).unwrap_or_default();
        let attribute = small("attribute");
        let tokens = match (small("bonus"), small("penalty")) {
            (0, 0) => Tokens::None,
            (bonus, 0) => Tokens::Bonus(bonus),
            (0, penalty) => Tokens::Penalty(penalty),
            (_, _) => {
                return Err(Refused(
                    "bonus and penalty tokens are one pool: only one of them can be above 0"
                        .to_owned(),
                ));
            }
        };
        let impaired = attribute == 0 && house.is("attribute-zero", "failure");
        let automatic = match fields.text("difficulty") {
            "certain" => Some((CLEAN_SUCCESS, "Certain: an automatic success, not rolled.")),
            "impossible" => Some((
                CLEAN_FAILURE,
                "Impossible: an automatic failure, not rolled.",
            )),
            _ if impaired => Some((
                CLEAN_FAILURE,
                "An Attribute of 0 is an automatic failure at this table.",
            )),
            _ => None,
        };
        Ok(Self {
            automatic,
            die: match fields.text("difficulty") {
                "very-easy" => Die::D12,
                "easy" => Die::D10,
                "hard" => Die::D6,
                "very-hard" => Die::D4,
                _ => Die::D8,
            },
            attribute,
            competency: fields.number("competency"),
            specialisation: fields.number("specialisation"),
            group: fields.number("group"),
            tokens,
            placed: None,
            rules: Rules {
                explosion: if house.is("explosion", "apart") {
                    Explosion::Apart
                } else if house.is("explosion", "twice") {
                    Explosion::Twice
                } else {
                    Explosion::Once
                },
                last_goes: house.is("last-die", "none"),
                one_of_two: house.is("two-dice", "one"),
                top_stays: house.is("removed", "uncancelled"),
            },
            one_penalty: house.is("lone-one", "one"),
            penalties_stay: house.is("open-penalties", "stay"),
        })
    }

    fn top(&self) -> Face {
        self.die.highest()
    }

    fn added(&self) -> i32 {
        self.competency + self.specialisation + self.group
    }

    fn pool(&self) -> Pool {
        let dice = vec![Group {
            die: self.die,
            count: self.attribute,
            role: Role::Pool,
        }];
        Pool::all(dice, See::Counts)
    }

    /// The state in which the pool counts for this.
    fn count(&self, base: Base) -> State {
        State::Chain {
            fixed: base.fixed(self.top()),
            exploding: base.exploding,
            rolled: 0,
        }
    }

    /// The rolled pool of a trail, in rolled order.
    fn rolled(trail: &[Answer]) -> Option<&[Face]> {
        trail.iter().find_map(|answer| match answer {
            Answer::Faces(faces) => Some(faces.as_slice()),
            Answer::Chose { .. } => None,
        })
    }

    /// What these faces, in rolled order, come to.
    fn read(&self, faces: &[Face]) -> Base {
        let mut faces = faces.to_vec();
        faces.sort_unstable_by(|a, b| b.cmp(a));
        read(self.rules, &faces, self.top())
    }

    fn end(&self, fixed: i32, open: Option<(Die, u8)>) -> (OutcomeId, Tally) {
        let total = fixed + self.added();
        let outcome = threshold_of(total).outcome;
        let tally = Tally {
            total: Some(total),
            levels: i32::from(outcome <= SCRAPED_BY),
            open,
        };
        (outcome, tally)
    }
}

/// A result as a button has it, before anybody knows which die is which: `16+1` is 16 and one chain.
fn name(base: Base, top: Face) -> String {
    match base.exploding {
        0 => base.beside.to_string(),
        chains => format!("{}+{chains}", base.fixed(top)),
    }
}

impl Check for Acs {
    type State = State;

    fn start(&self) -> State {
        match (self.automatic, self.attribute) {
            (Some(_), _) => State::Automatic,
            (None, 0) => self.count(Base {
                exploding: 0,
                beside: 0,
            }),
            (None, _) if self.placed.is_some() => State::Dealt(Dealt::default()),
            (None, _) => State::Start,
        }
    }

    fn ask(&self, state: &State) -> Ask {
        match *state {
            State::Automatic => {
                let outcome = self.automatic.map_or(CLEAN_FAILURE, |(outcome, _)| outcome);
                Ask::Done(
                    outcome,
                    Tally {
                        total: None,
                        levels: i32::from(outcome <= SCRAPED_BY),
                        open: None,
                    },
                )
            }
            State::Start => Ask::Roll {
                pool: self.pool(),
                by: Side::Actor,
            },
            State::Dealt(dealt) => Ask::Roll {
                pool: self.next_alike(dealt),
                by: Side::Actor,
            },
            State::Place { open } => {
                let top = self.top();
                let option = |rank| Picked {
                    id: ChoiceId(rank),
                    name: name(Base::of_rank(rank, top), top),
                    label: String::new(),
                };
                let options: Vec<Picked> = open.ranks().map(option).collect();
                let (default, by) = match self.tokens {
                    Tokens::None | Tokens::Bonus(_) => (0, Side::Actor),
                    Tokens::Penalty(_) => (options.len() - 1, Side::Gm),
                };
                let what = Choices {
                    choice: "placing",
                    options,
                    default,
                };
                Ask::Choose { what, by }
            }
            State::Chain {
                fixed,
                exploding: 0,
                ..
            } => {
                let (outcome, tally) = self.end(fixed, None);
                Ask::Done(outcome, tally)
            }
            State::Chain { .. } => Ask::Roll {
                pool: Pool::one(self.die, Role::Chain),
                by: Side::Actor,
            },
        }
    }

    fn hear(&self, state: State, heard: &Heard) -> State {
        let top = self.top();
        match (state, heard) {
            (State::Start, Heard::Dice(Reading::Counts(faces))) => {
                if self.tokens == Tokens::None {
                    return self.count(read(self.rules, faces, top));
                }
                let open = self.tokens.open(self.rules, faces, top);
                match open.only() {
                    Some(rank) => self.count(Base::of_rank(rank, top)),
                    None => State::Place { open },
                }
            }
            (State::Dealt(dealt), Heard::Dice(Reading::Counts(fell))) => self.deal(dealt, fell),
            (State::Place { .. }, Heard::Chose(ChoiceId(rank))) => {
                self.count(Base::of_rank(*rank, top))
            }
            (
                State::Chain {
                    fixed,
                    exploding,
                    rolled,
                },
                Heard::Dice(Reading::Sum(face)),
            ) => {
                let rolled = rolled + 1;
                let goes_on = *face == i32::from(top);
                State::Chain {
                    fixed: fixed + face,
                    exploding: match (goes_on, rolled < MOST_CHAINED) {
                        (_, false) => 0,
                        (true, true) => exploding,
                        (false, true) => exploding - 1,
                    },
                    rolled,
                }
            }
            (state, _) => state,
        }
    }

    fn settled(&self, state: &State) -> Option<(OutcomeId, Tally)> {
        match *state {
            State::Chain {
                fixed, exploding, ..
            } if exploding > 0 && fixed + self.added() >= CRITICAL => {
                Some(self.end(fixed, Some((self.die, exploding))))
            }
            State::Automatic
            | State::Start
            | State::Dealt(_)
            | State::Place { .. }
            | State::Chain { .. } => None,
        }
    }

    fn report(&self, trail: &[Answer]) -> Outcome {
        self.tell(trail)
    }

    fn put(&self, trail: &[Answer], what: Choices) -> Choices {
        let Some(rolled) = Self::rolled(trail) else {
            return what;
        };
        let top = self.top();
        let ways = self.tokens.ways(self.rules, rolled, top);
        let options = what.options.into_iter().map(|option| {
            match ways.iter().find(|way| way.rank == option.id.0) {
                Some(way) => Picked {
                    name: way.name(),
                    label: label(Base::of_rank(way.rank, top), top, way.spent()),
                    ..option
                },
                None => option,
            }
        });
        Choices {
            options: options.collect(),
            ..what
        }
    }

    fn foreseen(&self, answers: &[String]) -> Option<Self> {
        self.placed(answers.first()?)
    }

    fn understand(&self, trail: &[Answer], what: &Choices, answer: &str) -> Option<ChoiceId> {
        let id = match Self::rolled(trail) {
            Some(rolled) => {
                let values = self.tokens.place(rolled, &parse(answer)?, self.top())?;
                ChoiceId(self.read(&values).rank(self.top()))
            }
            None => what.options.iter().find(|option| option.name == answer)?.id,
        };
        let known = what.options.iter().any(|option| option.id == id);
        known.then_some(id)
    }
}

/// A result on a button.
fn label(base: Base, top: Face, spent: i32) -> String {
    let counts = match base.exploding {
        0 => format!("{} counts", base.beside),
        1 => format!("{} and 1 explosion", base.fixed(top)),
        chains => format!("{} and {chains} explosions", base.fixed(top)),
    };
    match spent {
        0 => format!("{counts}, no token"),
        1 => format!("{counts}, 1 token"),
        _ => format!("{counts}, {spent} tokens"),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::rules::{Dealer, Stand, System, Value, Walk, resolve};

    fn acs(given: &[(&str, i32)], difficulty: &str, explosion: &str) -> Acs {
        let given = given
            .iter()
            .map(|&(name, number)| (name, Value::Number(number)))
            .chain([("difficulty", Value::from(difficulty))]);
        let mut house = House::default();
        house
            .set(System::Hfrpg, "explosion", Value::from(explosion))
            .unwrap();
        Acs::new(&Fields::new(&SPEC, given).unwrap(), &house).unwrap()
    }

    #[rstest]
    #[case(40, "critical-success", 1)]
    #[case(16, "critical-success", 1)]
    #[case(15, "clean-success", 0)]
    #[case(13, "clean-success", 0)]
    #[case(12, "scraped-by", -1)]
    #[case(10, "scraped-by", -1)]
    #[case(9, "almost-there", 1)]
    #[case(7, "almost-there", 1)]
    #[case(6, "clean-failure", 0)]
    #[case(4, "clean-failure", 0)]
    #[case(3, "critical-failure", -1)]
    #[case(0, "critical-failure", -1)]
    fn a_result_falls_into_its_threshold(
        #[case] total: i32,
        #[case] outcome: &str,
        #[case] token: i32,
    ) {
        let row = threshold_of(total);
        assert_eq!((SPEC.outcome(row.outcome).id, row.token), (outcome, token));
    }

    fn steps(check: &Acs, faces: &[Face], answer: Option<&str>) -> Vec<String> {
        let mut trail = Vec::new();
        let mut dealer = Dealer::by_hand(faces);
        dealer.answers.extend(answer.map(str::to_owned));
        dealer.defaults = true;
        assert_eq!(resolve(check, &mut trail, &mut dealer), Ok(Stand::Done));
        check.outcome(&trail).steps
    }

    #[test]
    fn shannon_is_told_in_the_words_of_the_rules() {
        let check = acs(
            &[("attribute", 3), ("competency", 2), ("specialisation", 1)],
            "very-hard",
            "once",
        );
        assert_eq!(
            steps(&check, &[4, 4, 1, 4, 2], None),
            [
                "Rolled 3d4: 4, 4, 1.",
                "One 4 and the 1 cancel each other; one 4 explodes: 4 + 4.",
                "The 4 rolled again: 4, then 2.",
                "14 from the kept dice + 2 (Competency) + 1 (Specialisation) makes 17.",
                "17 is 16 or more: Critical Success, and a bonus token.",
            ]
        );
    }

    #[test]
    fn massimo_is_told_in_the_words_of_the_rules() {
        let check = acs(&[("attribute", 4), ("competency", 3)], "easy", "once");
        assert_eq!(
            steps(&check, &[1, 4, 5, 8], None),
            [
                "Rolled 4d10: 1, 4, 5, 8.",
                "One 1 implodes and removes the 8; the highest left counts: 5.",
                "5 from the kept dice + 3 (Competency) makes 8.",
                "8 is 7 to 9: Almost There, and a bonus token.",
            ]
        );
    }

    #[test]
    fn tokens_are_told_with_what_they_did() {
        let check = acs(
            &[("attribute", 2), ("competency", 0), ("bonus", 3)],
            "normal",
            "once",
        );
        assert_eq!(
            steps(&check, &[6, 1, 3], Some("2,1"))[1..3],
            [
                "3 bonus tokens spent: the 6 becomes 8, the 1 becomes 2.",
                "The 8 explodes: 8.",
            ]
        );
    }

    #[test]
    fn a_button_says_what_it_comes_to_and_what_it_costs() {
        let check = acs(
            &[("attribute", 2), ("competency", 0), ("bonus", 3)],
            "normal",
            "once",
        );
        let Ask::Choose { what, by } = check.after(&[Answer::Faces(vec![6, 1])]).unwrap() else {
            panic!("no choice is put");
        };
        let buttons: Vec<(&str, &str)> = what
            .options
            .iter()
            .map(|option| (option.name.as_str(), option.label.as_str()))
            .collect();
        assert_eq!(by, Side::Actor);
        assert_eq!(what.default, 0);
        assert_eq!(
            buttons,
            [
                ("2,1", "8 and 1 explosion, 3 tokens"),
                ("2,0", "8 counts, 2 tokens"),
                ("1,1", "7 counts, 2 tokens"),
                ("0,1", "6 counts, 1 token"),
                ("0,0", "1 counts, no token"),
            ]
        );
    }

    #[test]
    fn a_chain_ends_after_a_thousand_further_rolls() {
        let check = acs(&[("attribute", 1), ("competency", 0)], "very-hard", "once");
        let mut trail = vec![Answer::Faces(vec![4]); 1_000];
        assert!(matches!(check.after(&trail), Ok(Ask::Roll { .. })));
        trail.push(Answer::Faces(vec![4]));
        assert!(matches!(
            check.after(&trail),
            Ok(Ask::Done(
                CRITICAL_SUCCESS,
                Tally {
                    total: Some(4_004),
                    ..
                }
            ))
        ));
    }

    /// The chances of the outcomes in the given number of ways, by walking every face of the pool and
    /// then the chains through the machine.
    fn ways(check: &Acs) -> Vec<(OutcomeId, u128, u128)> {
        let mut found = Vec::new();
        let len = check.pool().len();
        let sides = u128::from(check.top());
        let mut faces = vec![1; len];
        loop {
            let heard = Heard::Dice(check.pool().read(&faces));
            let mut open = vec![(check.hear(check.start(), &heard), sides.pow(5))];
            while let Some((state, ways)) = open.pop() {
                if let Some((outcome, _)) = check.settled(&state) {
                    found.push((outcome, ways, sides.pow(5)));
                    continue;
                }
                match check.ask(&state) {
                    Ask::Done(outcome, _) => found.push((outcome, ways, sides.pow(5))),
                    Ask::Choose { what, .. } => {
                        let id = what.fallback().id;
                        open.push((check.hear(state, &Heard::Chose(id)), ways));
                    }
                    Ask::Roll { pool, .. } => {
                        assert_eq!((pool.len(), ways % sides), (1, 0));
                        for face in 1..=check.top() {
                            let heard = Heard::Dice(pool.read(&[face]));
                            open.push((check.hear(state, &heard), ways / sides));
                        }
                    }
                }
            }
            let Some(at) = faces.iter().position(|&face| face < check.top()) else {
                return found;
            };
            faces[at] += 1;
            faces[..at].fill(1);
        }
    }

    #[rstest]
    #[case::r1(3, 0, "normal", "once", [(71, 1024), (81, 1024), (81, 1024), (287, 1024), (81, 256), (45, 256)])]
    #[case(1, 3, "normal", "once", [(1, 16), (3, 64), (9, 64), (3, 8), (3, 8), (0, 1)])]
    #[case(2, 4, "normal", "once", [(17, 128), (9, 128), (11, 32), (15, 64), (7, 32), (0, 1)])]
    #[case(3, 5, "normal", "once", [(103, 512), (63, 512), (27, 64), (27, 128), (11, 256), (0, 1)])]
    #[case(3, 5, "hard", "once", [(4, 27), (1, 9), (1, 3), (1, 3), (2, 27), (0, 1)])]
    #[case(4, 6, "easy", "once", [(3339, 10000), (831, 2000), (69, 400), (781, 10000), (0, 1), (0, 1)])]
    #[case(3, 6, "very-hard", "once", [(23, 128), (9, 128), (9, 32), (15, 32), (0, 1), (0, 1)])]
    fn the_published_chances_hold(
        #[case] attribute: i32,
        #[case] competency: i32,
        #[case] difficulty: &str,
        #[case] explosion: &str,
        #[case] expected: [(u128, u128); 6],
    ) {
        let given = [("attribute", attribute), ("competency", competency)];
        let check = acs(&given, difficulty, explosion);
        let found = ways(&check);
        let sides = u128::from(check.top());
        let whole = sides.pow(u32::try_from(attribute).unwrap() + 5);
        for (index, (over, under)) in (0..).zip(expected) {
            let of = found.iter().filter(|(id, ..)| *id == OutcomeId(index));
            let ways: u128 = of.map(|(_, ways, _)| ways).sum();
            assert_eq!(ways * under, over * whole, "outcome {index}");
        }
    }

    #[rstest]
    #[case::r2("apart", 875, 4096)]
    #[case::r3("twice", 65, 256)]
    fn the_other_readings_of_an_explosion_have_their_own_chance_of_a_critical_success(
        #[case] explosion: &str,
        #[case] over: u128,
        #[case] under: u128,
    ) {
        let check = acs(&[("attribute", 3), ("competency", 0)], "normal", explosion);
        let found = ways(&check);
        let of = found.iter().filter(|(id, ..)| *id == CRITICAL_SUCCESS);
        let ways: u128 = of.map(|(_, ways, _)| ways).sum();
        assert_eq!(ways * under, over * 8_u128.pow(8));
    }
}
