//! An ACS roll in words: what cancelled, what exploded, what counted, and the tokens that follow.

use super::{Acs, CRITICAL_FAILURE, SPEC, State, Tokens, parse, threshold_of};
use crate::dice::{Face, Role};
use crate::rules::hfrpg::reading::{Base, Beside, Explosion, how_many, judge};
use crate::rules::{Answer, Check, Effect, Outcome, ShownDie, Story, TokenKind};

/// What a trail holds: the pool, the tokens on it, the further rolls.
struct Told<'a> {
    rolled: &'a [Face],
    /// The faces with the tokens on them, in rolled order.
    values: Vec<Face>,
    chained: Vec<Face>,
    /// Whether somebody was asked where the tokens go.
    asked: bool,
}

impl Told<'_> {
    /// How many tokens the pool took.
    fn used(&self) -> i32 {
        let dice = self.rolled.iter().zip(&self.values);
        dice.map(|(rolled, value)| i32::from(rolled.abs_diff(*value)))
            .sum()
    }

    /// What the tokens did, in words.
    fn changed(&self) -> String {
        let dice = self.rolled.iter().zip(&self.values);
        let words: Vec<String> = dice
            .filter(|(rolled, value)| rolled != value)
            .map(|(rolled, value)| format!("the {rolled} becomes {value}"))
            .collect();
        words.join(", ")
    }
}

impl Acs {
    /// What a whole trail means.
    pub(super) fn tell(&self, trail: &[Answer]) -> Outcome {
        let mut story = Story::default();
        if let Some((outcome, why)) = self.automatic {
            story.say(why);
            return Outcome {
                outcome,
                success: Some(SPEC.outcome(outcome).success),
                total: None,
                target: None,
                dice: Vec::new(),
                keys: Vec::new(),
                effects: Vec::new(),
                steps: story.steps,
            };
        }
        let told = self.gather(trail);
        let base = self.read(&told.values);
        let mut effects = Vec::new();
        if self.start() == State::Start {
            self.tell_pool(&mut story, &told, base);
            effects.extend(self.tokens_used(&told));
        } else {
            story.say("An Attribute of 0 rolls no die.");
        }
        self.tell_chains(&mut story, &told, base);
        let chained: i32 = told.chained.iter().copied().map(i32::from).sum();
        let dice = base.fixed(self.top()) + chained;
        story.sum(
            dice,
            &[
                ("Competency", self.competency),
                ("Specialisation", self.specialisation),
                ("group", self.group),
            ],
        );
        let total = dice + self.added();
        let row = threshold_of(total);
        let lone_one = told.values == [1];
        let mut tokens = row.token;
        if lone_one {
            story.say("A single die that shows 1 gives a penalty token.");
            effects.push(token(-1));
            if self.one_penalty && row.outcome == CRITICAL_FAILURE {
                tokens = 0;
            }
        }
        let gained = match tokens {
            1 => ", and a bonus token",
            -1 => ", and a penalty token",
            _ => "",
        };
        story.say(format!(
            "{total} is {}: {}{gained}.",
            row.words,
            SPEC.outcome(row.outcome).label
        ));
        let open = self.left_open(&told) + i32::from(lone_one);
        if tokens > 0 && open > 0 && self.penalties_stay {
            story.say("Beside open penalty tokens the bonus token is lost at this table.");
            tokens = 0;
        }
        if tokens != 0 {
            effects.push(token(tokens));
        }
        Outcome {
            outcome: row.outcome,
            success: Some(SPEC.outcome(row.outcome).success),
            total: Some(total),
            target: None,
            dice: story.dice,
            keys: Vec::new(),
            effects,
            steps: story.steps,
        }
    }

    fn gather<'a>(&self, trail: &'a [Answer]) -> Told<'a> {
        let rolled = Self::rolled(trail).unwrap_or_default();
        let mut placing = None;
        let mut chained = Vec::new();
        for answer in trail.iter().skip(1) {
            match answer {
                Answer::Faces(faces) => chained.extend_from_slice(faces),
                Answer::Chose { chose, .. } => placing = parse(chose),
            }
        }
        let asked = placing.is_some();
        // Nobody is asked where all ways come to the same: bonuses stay in the pool, penalties do not.
        let placing = placing.or_else(|| match self.tokens {
            Tokens::None | Tokens::Bonus(_) => None,
            Tokens::Penalty(_) => {
                let ways = self.tokens.ways(self.rules, rolled, self.top());
                ways.into_iter().next().map(|way| way.tokens)
            }
        });
        let values = placing.and_then(|placing| self.tokens.place(rolled, &placing, self.top()));
        Told {
            rolled,
            values: values.unwrap_or_else(|| rolled.to_vec()),
            chained,
            asked,
        }
    }

    /// The penalty tokens that found no die to lower.
    fn left_open(&self, told: &Told<'_>) -> i32 {
        match self.tokens {
            Tokens::Penalty(count) => i32::from(count) - told.used(),
            Tokens::None | Tokens::Bonus(_) => 0,
        }
    }

    /// The tokens that the pool took, as they change the signed pool.
    fn tokens_used(&self, told: &Told<'_>) -> Option<Effect> {
        let used = told.used();
        match self.tokens {
            Tokens::None | Tokens::Bonus(_) | Tokens::Penalty(_) if used == 0 => None,
            Tokens::None => None,
            Tokens::Bonus(_) => Some(token(-used)),
            Tokens::Penalty(_) => Some(token(used)),
        }
    }

    fn tell_pool(&self, story: &mut Story, told: &Told<'_>, base: Base) {
        let pool = self.pool();
        let faces: Vec<String> = told.rolled.iter().map(Face::to_string).collect();
        story.say(format!("Rolled {}: {}.", pool.describe(), faces.join(", ")));
        self.tell_tokens(story, told);
        let kept = self.counting(&told.values);
        let dice = pool.order().zip(told.rolled).zip(&told.values).zip(kept);
        story
            .dice
            .extend(dice.map(|((((die, role), &face), &value), kept)| ShownDie {
                die,
                face,
                kept,
                role,
                value: (value != face).then_some(value),
                replaces: None,
            }));
        story.say(self.why(&told.values, base));
    }

    fn tell_tokens(&self, story: &mut Story, told: &Told<'_>) {
        let (used, changed) = (told.used(), told.changed());
        let tokens = |kind: &str| match used {
            1 => format!("1 {kind} token"),
            _ => format!("{used} {kind} tokens"),
        };
        match self.tokens {
            Tokens::Bonus(_) if used > 0 => {
                story.say(format!("{} spent: {changed}.", tokens("bonus")));
            }
            Tokens::Bonus(_) if told.asked => story.say("No bonus token is spent."),
            Tokens::Penalty(_) if used == 0 => {
                story.say("Every die shows 1: the penalty tokens stay in the pool.");
            }
            Tokens::Penalty(count) => {
                story.say(format!("{} used: {changed}.", tokens("penalty")));
                if used < i32::from(count) {
                    story.say("The other penalty tokens do not fit and stay in the pool.");
                }
            }
            Tokens::None | Tokens::Bonus(_) => {}
        }
    }

    /// Which dice count, in rolled order.
    fn counting(&self, values: &[Face]) -> Vec<bool> {
        let mut ranked: Vec<usize> = (0..values.len()).collect();
        ranked.sort_by(|&a, &b| values[b].cmp(&values[a]));
        let (exploding, beside) = self.judge(values);
        let mut kept = vec![false; values.len()];
        let beside = match beside {
            Beside::At(at) => Some(at),
            // A cancelled maximum; an exploding one that counts again is kept already.
            Beside::Top if values.contains(&1) => Some(exploding),
            Beside::Top | Beside::Nothing => None,
        };
        for place in (0..exploding).chain(beside) {
            if let Some(&index) = ranked.get(place) {
                kept[index] = true;
            }
        }
        kept
    }

    fn judge(&self, values: &[Face]) -> (usize, Beside) {
        let (tops, ones) = (how_many(values, self.top()), how_many(values, 1));
        judge(self.rules, values.len(), tops, ones)
    }

    /// Why the pool comes to what it does.
    fn why(&self, values: &[Face], base: Base) -> String {
        let top = self.top();
        let (tops, ones) = (how_many(values, top), how_many(values, 1));
        if self.rules.one_of_two && (values.len(), tops, ones) == (2, 1, 1) {
            return "Of two dice only the 1 counts at this table.".to_owned();
        }
        let cancelled = tops.min(ones);
        let cancels = (cancelled > 0).then(|| {
            format!(
                "{} and {} cancel each other",
                some(cancelled, tops, &top.to_string()),
                some(cancelled, ones, "1").to_lowercase()
            )
        });
        let beside = base.beside;
        let end = if ones > tops && self.rules.top_stays && tops > 0 {
            format!("the {top} stays, and counts: {beside}")
        } else if ones > tops && beside == 0 {
            "the 1s implode and leave no die: nothing counts".to_owned()
        } else if ones > tops {
            why_imploding(values, ones - tops, beside)
        } else if tops > ones {
            let explode = match (cancelled, tops - ones) {
                (0, 1) => format!("the {top} explodes"),
                (_, 1) => format!("one {top} explodes"),
                (_, number) => format!("{} {top}s explode", words(number).to_lowercase()),
            };
            let mut parts = vec![top.to_string(); tops - ones];
            let how = match (self.rules.explosion, cancelled) {
                _ if beside == 0 => "",
                (Explosion::Twice, 0) => " on top of the highest die",
                (Explosion::Apart, 0) => " on top of the best other die",
                (Explosion::Once | Explosion::Apart | Explosion::Twice, _) => "",
            };
            if beside > 0 {
                parts.insert(0, beside.to_string());
            }
            format!("{explode}{how}: {}", parts.join(" + "))
        } else if cancelled > 0 {
            format!("the {top} does not explode but still counts")
        } else {
            format!("the highest counts: {beside}")
        };
        capital(&match cancels {
            Some(cancels) => format!("{cancels}; {end}."),
            None => format!("{end}."),
        })
    }

    fn tell_chains(&self, story: &mut Story, told: &Told<'_>, base: Base) {
        story.dice.extend(told.chained.iter().map(|&face| ShownDie {
            die: self.die,
            face,
            kept: true,
            role: Role::Chain,
            value: None,
            replaces: None,
        }));
        let top = self.top();
        let chains = told.chained.split_inclusive(|&face| face != top);
        for chain in chains.take(usize::from(base.exploding)) {
            let faces: Vec<String> = chain.iter().map(Face::to_string).collect();
            story.say(format!(
                "The {top} rolled again: {}.",
                faces.join(", then ")
            ));
        }
    }
}

fn why_imploding(values: &[Face], imploding: usize, left: Face) -> String {
    if values.len() == 1 {
        return "the single die shows 1".to_owned();
    }
    let mut faces = values.to_vec();
    faces.sort_unstable_by(|a, b| b.cmp(a));
    let removed: Vec<String> = faces
        .iter()
        .take(imploding.min(values.len() - 1))
        .map(|face| format!("the {face}"))
        .collect();
    let verb = if imploding == 1 {
        "one 1 implodes and removes".to_owned()
    } else {
        format!("{} 1s implode and remove", words(imploding).to_lowercase())
    };
    let removed = match removed.as_slice() {
        [before @ .., last] if !before.is_empty() => {
            format!("{} and {last}", before.join(", "))
        }
        all => all.concat(),
    };
    let alone = if imploding >= values.len() {
        " (one die is always left)"
    } else {
        ""
    };
    format!("{verb} {removed}{alone}; the highest left counts: {left}")
}

fn token(amount: i32) -> Effect {
    Effect::Token {
        pool: TokenKind::Tokens,
        owner: None,
        amount,
    }
}

/// `One 4` of several, `The 4` where there is no other, `Two 4s`.
fn some(number: usize, of: usize, face: &str) -> String {
    match (number, of) {
        (1, 1) => format!("The {face}"),
        (1, _) => format!("One {face}"),
        _ => format!("{} {face}s", words(number)),
    }
}

/// A small number in words.
fn words(number: usize) -> &'static str {
    const WORDS: [&str; 9] = [
        "No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight",
    ];
    WORDS.get(number).copied().unwrap_or("Many")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
