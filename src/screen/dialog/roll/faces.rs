//! Faces typed in by people who roll real dice, pool after pool.

use crate::dice::{Face, Pool};
use crate::rules::{Answer, Ask, DynCheck, Fields, House};
use crate::screen::dialog::form::{Form, Row, Went};
use crate::screen::dialog::reading::{Block, Scroll};
use crate::screen::dialog::{Canvas, DialogEvent};
use crate::screen::widget::die::Die;
use ratatui::layout::Position;

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
    /// The row that they are typed in.
    pub(super) form: Form,
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
            form: Form::new("", Vec::new()),
        };
        by_hand.pool = by_hand.next_pool()?;
        by_hand.ask("");
        Some(by_hand)
    }

    /// Asks for the faces of the pool in hand.
    fn ask(&mut self, typed: &str) {
        let asked = self.asked();
        let help = format!("Roll {asked}. Type the faces in this order, a blank between them.");
        let row = Row::text("faces", "Faces", typed, LONGEST);
        self.form.rows = vec![row.hint("faces").help(help)];
    }

    fn say(&mut self, problem: Option<String>) {
        if let Some(row) = self.form.row_mut("faces") {
            row.problem = problem;
        }
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
        let printed = read_faces(&self.form.text("faces"))?;
        Ok(self.pool.as_read(&printed))
    }

    /// Reads what is typed: faces that the dice have, and no more than there are dice.
    fn read(&self) -> Result<Vec<Face>, String> {
        let faces = self.faces()?;
        let mut dice = self.pool.order().zip(&faces);
        if let Some(((die, _), face)) = dice.find(|((die, _), face)| !die.has(**face)) {
            let (lowest, highest) = (die.lowest(), die.highest());
            return Err(format!(
                "a {die} has the faces {lowest} to {highest}, and {face} was typed"
            ));
        }
        match (self.pool.len(), faces.len()) {
            (wanted, given) if given > wanted => {
                Err(format!("{wanted} are asked for, and {given} were typed"))
            }
            _ => Ok(faces),
        }
    }

    /// Handles an event of its form; says what is wrong with what is typed.
    pub(super) fn handle(&mut self, event: &DialogEvent) -> Went {
        let went = self.form.handle(event);
        self.say(self.read().err());
        went
    }

    /// Takes what is typed, if it is what was asked for; every face in order, if that is all.
    pub(super) fn enter(&mut self) -> Option<Vec<Face>> {
        let faces = self.read().and_then(|faces| {
            let (wanted, given) = (self.pool.len(), faces.len());
            let few = || format!("{wanted} faces are asked for, and {given} typed so far");
            (given >= wanted).then_some(faces).ok_or_else(few)
        });
        match faces {
            Ok(faces) => self.done.push(faces),
            Err(problem) => {
                self.say(Some(problem));
                return None;
            }
        }
        let Some(pool) = self.next_pool() else {
            return Some(self.done.concat());
        };
        self.pool = pool;
        self.ask("");
        None
    }

    /// Takes in why the table refused: the faces stay to be mended.
    pub(super) fn refuse(&mut self, problem: &str) {
        self.back();
        self.say(Some(problem.to_owned()));
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
        self.ask(&words.join(" "));
        true
    }

    /// The dice in words: `heart d8, ability d10`.
    fn asked(&self) -> String {
        let mut named: Vec<(String, u32)> = Vec::new();
        for (die, role) in self.pool.order() {
            let name = match role {
                crate::dice::Role::POOL => die.to_string(),
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
    fn dice(&self) -> Vec<Die> {
        let faces = self.faces().unwrap_or_default();
        let all = faces.into_iter().map(Some).chain(std::iter::repeat(None));
        let dice = self.pool.order().zip(all);
        dice.map(|((die, _), face)| {
            let shown = face.map_or_else(|| "?".to_owned(), |face| face.to_string());
            Die::new(die.name(), shown)
        })
        .collect()
    }

    pub(super) fn draw(&self, title: &str, canvas: &mut Canvas<'_>) -> Option<Position> {
        let blocks = [Block::Dice(self.dice())];
        let scroll = Scroll::default();
        self.form
            .draw_over((title, "by hand"), &blocks, &scroll, canvas)
    }
}

/// Faces as they are typed, with blanks or signs between them.
pub(super) fn read_faces(typed: &str) -> Result<Vec<Face>, String> {
    let words = typed.split([' ', ',', ';', '+']);
    let face = |word: &str| {
        word.parse()
            .map_err(|_no_face| format!("{word:?} is no face of a die"))
    };
    words.filter(|word| !word.is_empty()).map(face).collect()
}
