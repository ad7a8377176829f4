//! An attribute roll in words: what counted, what it achieves and costs, and the theme.

use super::{
    ATTRIBUTES, Against, CRITICAL_FAILURE, CRITICAL_SUCCESS, SPEC, State, Strategy, TIE,
    effect_table, signed,
};
use crate::dice::{Face, Keep, Pool};
use crate::rules::{
    Answer, Ask, Check, Consequence, Effect, Heard, Key, Outcome, OutcomeId, ShownDie, TokenKind,
};

/// What has been told so far.
#[derive(Default)]
struct Told {
    dice: Vec<ShownDie>,
    steps: Vec<String>,
    /// The highest counting die of each pool that rolled: id, name, face.
    highest: Vec<(&'static str, &'static str, Face)>,
}

impl Told {
    fn roll(&mut self, (id, name): (&'static str, &'static str), pool: &Pool, faces: &[Face]) {
        let kept = pool.kept(faces);
        let counting = || {
            let both = faces.iter().zip(&kept);
            both.filter(|&(_, &kept)| kept).map(|(&face, _)| face)
        };
        self.highest
            .push((id, name, counting().max().unwrap_or_default()));
        let words = |faces: &[Face], between: &str| {
            let words: Vec<String> = faces.iter().map(Face::to_string).collect();
            words.join(between)
        };
        let rolled = format!("{name}, {}: {}", pool.describe(), words(faces, ", "));
        let mut counted: Vec<Face> = counting().collect();
        counted.sort_unstable_by(|a, b| b.cmp(a));
        let sum: i32 = counted.iter().copied().map(i32::from).sum();
        let all = words(&counted, " + ");
        self.steps.push(match pool.keep {
            Keep::All => format!("{rolled}."),
            Keep::Highest(1) | Keep::HighestOfSmaller(1) => {
                format!("{rolled}; the highest counts: {all}.")
            }
            Keep::Lowest(_) | Keep::LowestOfSmaller(_) => {
                format!("{rolled}; the lowest counts: {all}.")
            }
            Keep::Highest(_) | Keep::HighestOfSmaller(_) => {
                format!("{rolled}; the highest three count: {all} = {sum}.")
            }
        });
        let shown = pool.order().zip(faces).zip(&kept);
        self.dice
            .extend(shown.map(|(((die, role), &face), &kept)| ShownDie {
                die,
                face,
                kept,
                role,
                value: None,
                replaces: None,
            }));
    }
}

impl Strategy {
    /// What a whole trail means.
    pub(super) fn tell(&self, trail: &[Answer]) -> Outcome {
        let mut told = Told::default();
        let mut tiers = self.tiers;
        let mut left = self.disadvantage;
        let mut state = self.start();
        lower_until(&mut told, &mut tiers, &mut left, &state);
        for answer in trail {
            state = match (state, answer) {
                (State::Levels { .. }, Answer::Chose { chose, .. }) => {
                    let found = match self.ask(&state) {
                        Ask::Choose { what, .. } => self.understand(&[], &what, chose),
                        Ask::Roll { .. } | Ask::Response(..) => None,
                    };
                    let Some(id) = found else { continue };
                    let next = self.hear(state, &Heard::Chose(id));
                    if let Some(index) = ATTRIBUTES.iter().position(|(known, ..)| known == chose) {
                        lower(
                            &mut told,
                            &mut tiers,
                            &mut left,
                            index,
                            if self.stacks {
                                "as chosen"
                            } else {
                                "as chosen among equals"
                            },
                        );
                    }
                    lower_until(&mut told, &mut tiers, &mut left, &next);
                    next
                }
                (State::Hero { at, tiers, .. }, Answer::Faces(faces)) => {
                    let index = usize::from(at);
                    let pool = self.attribute(index, tiers[index]);
                    let (id, name, _) = ATTRIBUTES[index];
                    told.roll((id, name), &pool, faces);
                    self.hear(state, &Heard::Dice(pool.read(faces)))
                }
                (State::Pain { .. }, Answer::Faces(faces)) => {
                    let pool = self.pain();
                    told.roll(("pain", "Pain"), &pool, faces);
                    self.hear(state, &Heard::Dice(pool.read(faces)))
                }
                (state, _) => state,
            };
        }
        let (hero, target) = match state {
            State::Response { hero, target } => (hero, target),
            State::Levels { .. } | State::Hero { .. } | State::Pain { .. } => (0, 0),
        };
        self.conclude(told, hero, target)
    }

    fn conclude(&self, told: Told, hero: i32, target: i32) -> Outcome {
        let margin = hero - target;
        let outcome = self.judge(margin);
        let cell = effect_table::cell(&self.row, outcome);
        let theme = self.theme(&told);
        let Told {
            dice, mut steps, ..
        } = told;
        steps.push(self.sum_up(&dice, hero, target));
        steps.push(self.why(outcome, margin));
        steps.push(self.achieved(outcome, cell));
        steps.extend(describe_theme(&theme));
        let mut effects = Vec::new();
        if cell.levels > 0 {
            effects.push(Effect::EffectLevels {
                amount: cell.levels,
            });
        }
        if cell.at_a_cost {
            effects.push(Effect::AtACost);
        }
        if cell.consequences > 0 {
            effects.push(Effect::Consequence {
                amount: cell.consequences,
                of: self.risk,
            });
        }
        if outcome == CRITICAL_FAILURE && cell.consequences > 0 {
            steps.push("Consequences from a critical failure bring 1 Favor.".to_owned());
            effects.push(Effect::Token {
                pool: TokenKind::Favor,
                owner: None,
                amount: 1,
            });
        }
        Outcome {
            outcome,
            success: Some(cell.levels > 0),
            total: Some(hero),
            target: Some(target),
            dice,
            keys: vec![
                ("margin", Key::Number(margin)),
                ("effect-levels", Key::Number(cell.levels)),
                ("consequences", Key::Number(cell.consequences)),
                ("at-a-cost", Key::Flag(cell.at_a_cost)),
                (
                    "theme",
                    Key::Words(theme.iter().map(|(id, ..)| *id).collect()),
                ),
            ],
            effects,
            steps,
        }
    }

    fn sum_up(&self, dice: &[ShownDie], hero: i32, target: i32) -> String {
        let counted: Vec<String> = ATTRIBUTES
            .iter()
            .filter_map(|(_, _, role)| dice.iter().find(|die| die.kept && die.role == *role))
            .map(|die| die.face.to_string())
            .collect();
        let (against, named) = match self.against {
            Against::Pain(count) => (
                "the Pain Pool's",
                SPEC.field("pain")
                    .and_then(|field| field.name_of(i32::from(count))),
            ),
            Against::Difficulty(_) => (
                "the difficulty",
                SPEC.field("difficulty")
                    .and_then(|field| field.name_of(target)),
            ),
        };
        let named = named.map(|name| format!(" ({name})")).unwrap_or_default();
        format!(
            "{} makes {hero} for the Hero, against {against} {target}{named}.",
            counted.join(" + ")
        )
    }

    fn why(&self, outcome: OutcomeId, margin: i32) -> String {
        let label = SPEC.outcome(outcome).label;
        let by = margin.abs();
        if outcome == TIE {
            return format!("Both are equal: {label}.");
        }
        if margin == 0 {
            return format!("Both are equal, which at this table is a {label}.");
        }
        let side = if margin > 0 { "above" } else { "below" };
        match self.critical {
            Some(least) if outcome == CRITICAL_SUCCESS || outcome == CRITICAL_FAILURE => {
                format!("{by} {side}, and {least} or more is a critical: {label}.")
            }
            Some(_) | None => format!("{by} {side}: {label}."),
        }
    }

    fn achieved(&self, outcome: OutcomeId, cell: effect_table::Cell) -> String {
        let what = match (cell.levels, cell.consequences) {
            (1, _) if cell.at_a_cost => "1 effect level, at a cost".to_owned(),
            (1, _) => "1 effect level".to_owned(),
            (0, 1) => format!("the Intent fails, and 1 consequence{}", self.kind()),
            (0, count) => format!("the Intent fails, and {count} consequences{}", self.kind()),
            (levels, _) => format!("{levels} effect levels"),
        };
        let label = SPEC.outcome(outcome).label;
        format!("{label} at {}: {what}.", words_of(&self.scale))
    }

    fn kind(&self) -> &'static str {
        match self.risk {
            Consequence::Stress => " of Stress",
            Consequence::Blood => " of Blood",
            Consequence::None => ", told only",
        }
    }

    /// The pools that share the highest counting die (Gnosis, Resolution: dominant narration theme).
    fn theme(&self, told: &Told) -> Vec<(&'static str, &'static str, Face)> {
        let highest = told.highest.iter().map(|(.., face)| *face).max();
        let sharing = told
            .highest
            .iter()
            .filter(|(.., face)| Some(*face) == highest);
        let most = if self.first_theme { 1 } else { usize::MAX };
        sharing.take(most).copied().collect()
    }
}

fn lower(told: &mut Told, tiers: &mut [i8; 3], left: &mut u8, index: usize, why: &str) {
    let before = tiers[index];
    tiers[index] -= 1;
    *left -= 1;
    told.steps.push(format!(
        "A level of disadvantage goes to {}, {why}: tier {} becomes {}.",
        ATTRIBUTES[index].1,
        signed(before),
        signed(tiers[index])
    ));
}

/// Says which levels went without a question on the way to `state`.
fn lower_until(told: &mut Told, tiers: &mut [i8; 3], left: &mut u8, state: &State) {
    let until = match state {
        State::Levels { left, .. } => *left,
        State::Hero { .. } | State::Pain { .. } | State::Response { .. } => 0,
    };
    while *left > until {
        let Some(index) = super::greatest(*tiers).next() else {
            return;
        };
        lower(told, tiers, left, index, "the greatest advantage");
    }
}

fn describe_theme(theme: &[(&'static str, &'static str, Face)]) -> Option<String> {
    let names: Vec<&str> = theme.iter().map(|(_, name, _)| *name).collect();
    let (.., face) = theme.first()?;
    Some(match names.as_slice() {
        [one] => format!("The highest die is {face}, of {one}: the dominant theme."),
        several => format!(
            "The highest die, {face}, is shared by {}: the table picks the theme.",
            several.join(", ")
        ),
    })
}

/// A scale as the table's heading has it: `similar-power` is Similar Power.
fn words_of(scale: &str) -> String {
    let words: Vec<String> = scale
        .split('-')
        .map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters).collect()
        })
        .collect();
    words.join(" ")
}
