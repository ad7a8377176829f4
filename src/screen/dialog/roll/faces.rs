//! Faces typed in by people who roll real dice, pool after pool.

use crate::dice::{Face, Pool};
use crate::rules::{Answer, Ask, DynCheck, Fields, House};
use crate::screen::widget::die::Die;
use crate::screen::widget::field::Field;

/// Faces being typed in.
#[derive(Clone, Debug)]
pub(super) struct ByHand {
    fields: Fields,
    house: House,
    /// The answers before the first face asked for here.
    before: Vec<Answer>,
    /// The faces of the pools that are done.
    done: Vec<Vec<Face>>,
    /// The dice that are asked for.
    pool: Pool,
    pub(super) typed: Field,
    /// What is wrong with what is typed.
    pub(super) problem: Option<String>,
}

/// What comes after the faces of a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// More faces, or other ones.
    More,
    /// That is all: every face, in order.
    All(Vec<Face>),
}

/// Faces typed at once take at most so many letters.
const LONGEST: usize = 200;

impl ByHand {
    /// Asks for the dice that the check wants after these answers; nothing if it wants none.
    pub(super) fn after(fields: &Fields, house: &House, before: &[Answer]) -> Option<Self> {
        let mut by_hand = Self {
            fields: fields.clone(),
            house: house.clone(),
            before: before.to_vec(),
            done: Vec::new(),
            pool: Pool::all(Vec::new(), crate::dice::Projection::Sum),
            typed: Field::new("", LONGEST),
            problem: None,
        };
        by_hand.pool = by_hand.next_pool()?;
        Some(by_hand)
    }

    fn machine(&self) -> Option<Box<dyn DynCheck>> {
        (self.fields.spec().prepare)(&self.fields, &self.house).ok()
    }

    fn next_pool(&self) -> Option<Pool> {
        let mut trail = self.before.clone();
        trail.extend(self.done.iter().cloned().map(Answer::Faces));
        match self.machine()?.after(&trail).ok()? {
            Ask::Roll { pool, .. } => Some(pool),
            Ask::Choose { .. } | Ask::Done(..) => None,
        }
    }

    /// The faces typed so far, as far as they are numbers: the 0 on a ten-sided die is its 10.
    fn faces(&self) -> Result<Vec<Face>, String> {
        let words = self.typed.value().split([' ', ',', ';', '+']);
        let printed: Result<Vec<Face>, String> = words
            .filter(|word| !word.is_empty())
            .map(|word| {
                let face = word.parse();
                face.map_err(|_no_face| format!("{word:?} is no face of a die"))
            })
            .collect();
        printed.map(|printed| self.pool.as_read(&printed))
    }

    /// Reads what is typed, and says what is wrong with it.
    pub(super) fn check(&mut self) {
        let read = self.faces().and_then(|faces| {
            let wrong = self
                .pool
                .order()
                .zip(&faces)
                .find(|((die, _), face)| !die.has(**face));
            if let Some(((die, _), face)) = wrong {
                let (lowest, highest) = (die.lowest(), die.highest());
                return Err(format!(
                    "a {die} has the faces {lowest} to {highest}, and {face} was typed"
                ));
            }
            if faces.len() > self.pool.len() {
                let (wanted, given) = (self.pool.len(), faces.len());
                return Err(format!("{wanted} are asked for, and {given} were typed"));
            }
            Ok(())
        });
        self.problem = read.err();
    }

    /// Takes what is typed, if it is what was asked for.
    pub(super) fn enter(&mut self) -> Next {
        self.check();
        if self.problem.is_some() {
            return Next::More;
        }
        let faces = self.faces().unwrap_or_default();
        let (wanted, given) = (self.pool.len(), faces.len());
        if given < wanted {
            self.problem = Some(format!(
                "{wanted} faces are asked for, and {given} typed so far"
            ));
            return Next::More;
        }
        self.done.push(faces);
        match self.next_pool() {
            Some(pool) => {
                self.pool = pool;
                self.typed.set("");
                Next::More
            }
            None => Next::All(self.done.concat()),
        }
    }

    /// Takes in why the table refused: the faces stay to be mended.
    pub(super) fn refuse(&mut self, problem: &str) {
        self.back();
        self.problem = Some(problem.to_owned());
    }

    /// Goes back to the dice before; whether there were any.
    pub(super) fn back(&mut self) -> bool {
        let Some(faces) = self.done.pop() else {
            return false;
        };
        if let Some(pool) = self.next_pool() {
            self.pool = pool;
        }
        let words: Vec<String> = faces.iter().map(ToString::to_string).collect();
        self.typed.set(&words.join(" "));
        self.check();
        true
    }

    /// The dice in words: `heart d8, ability d10`.
    pub(super) fn asked(&self) -> String {
        let mut named: Vec<(String, u32)> = Vec::new();
        for (die, role) in self.pool.order() {
            let name = match role {
                crate::dice::Role::Pool => die.to_string(),
                role => format!("{} {die}", role.name().replace('-', " ")),
            };
            match named.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += 1,
                None => named.push((name, 1)),
            }
        }
        let words = named.into_iter().map(|(name, count)| match count {
            1 => name,
            count => format!("{count} × {name}"),
        });
        words.collect::<Vec<_>>().join(", then ")
    }

    /// The dice, each with the face typed for it, those still to come without.
    pub(super) fn dice(&self) -> Vec<Die> {
        let faces = self.faces().unwrap_or_default();
        let all = faces.into_iter().map(Some).chain(std::iter::repeat(None));
        let dice = self.pool.order().zip(all);
        dice.map(|((die, _), face)| {
            let shown = face.map_or_else(|| "?".to_owned(), |face| face.to_string());
            Die::new(die.name(), shown)
        })
        .collect()
    }
}
