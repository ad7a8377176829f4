//! Faces typed in by people who roll real dice, pool after pool.

use ratatui::layout::Position;

use crate::dice::{Face, Pool, Projection, Role};
use crate::rules::{Answer, Ask, DynCheck, Fields, House};
use crate::screen::dialog::form::{Form, Row, Went};
use crate::screen::dialog::reading::{Block, Scroll};
use crate::screen::dialog::{Canvas, DialogEvent};
use crate::screen::widget::die::Die;
use crate::session::{Command, Faces, UnfinishedId};
use crate::table::Act;

/// An act whose faces are typed in.
#[derive(Debug)]
pub(super) struct ByHand {
    act: Act,
    machine: Box<dyn DynCheck>,
    /// All answers so far, and how many of them were there before the first face typed here.
    trail: Vec<Answer>,
    before: usize,
    /// The dice that are asked for.
    pool: Pool,
    /// The row that they are typed in.
    form: Form,
}

/// Faces typed at once take at most so many letters.
const LONGEST: usize = 200;

impl ByHand {
    /// Asks for the dice that the check wants after these answers; none if it wants none.
    pub(super) fn after(
        trail: Vec<Answer>,
        fields: &Fields,
        house: &House,
        act: Act,
    ) -> Option<Self> {
        let mut by_hand = Self {
            act,
            machine: fields.spec().prepare(fields, house).ok()?,
            before: trail.len(),
            trail,
            pool: Pool::all(Vec::new(), Projection::Sum),
            form: Form::new("", Vec::new()),
        };
        by_hand.ask("").then_some(by_hand)
    }

    /// The unfinished check that it goes on with.
    pub(super) fn check(&self) -> Option<UnfinishedId> {
        let Act::Do(command) = &self.act else {
            return None;
        };
        match **command {
            Command::Answer { check, .. } | Command::TypeFaces { check, .. } => Some(check),
            _ => None,
        }
    }

    /// Asks for the dice that are wanted next; returns whether any are.
    fn ask(&mut self, typed: &str) -> bool {
        let Ok(Ask::Roll { pool, .. }) = self.machine.after(&self.trail) else {
            return false;
        };
        self.pool = pool;
        let asked = self.asked();
        let help = format!("Roll {asked}. Type the faces in this order, a blank between them.");
        let row = Row::text("faces", "Faces", typed, LONGEST);
        self.form.rows = vec![row.hint("faces").help(help)];
        true
    }

    fn say(&mut self, problem: Option<String>) {
        if let Some(row) = self.form.row_mut("faces") {
            row.problem = problem;
        }
    }

    /// The faces typed so far: the 0 on a ten-sided die is its 10.
    fn faces(&self) -> Result<Vec<Face>, String> {
        let printed = read_faces(&self.form.text("faces"))?;
        Ok(self.pool.as_read(&printed))
    }

    /// Handles an event of its form; says what is wrong with what is typed so far.
    pub(super) fn handle(&mut self, event: &DialogEvent) -> Went {
        let went = self.form.handle(event);
        let problem = self.faces().and_then(|faces| {
            let is_begun = faces.len() < self.pool.len();
            let checked = self.pool.check(&faces, 0);
            let checked = checked.map_err(|error| error.to_string());
            if is_begun { Ok(()) } else { checked }
        });
        self.say(problem.err());
        went
    }

    /// Takes what is typed, if it is what was asked for; returns the act with every face, if that is all.
    pub(super) fn enter(&mut self) -> Option<Act> {
        let checked = self.faces().and_then(|faces| {
            let checked = self.pool.check(&faces, 0);
            checked.map(|()| faces).map_err(|error| error.to_string())
        });
        match checked {
            Ok(faces) => self.trail.push(Answer::Faces(faces)),
            Err(problem) => {
                self.say(Some(problem));
                return None;
            }
        }
        if self.ask("") {
            return None;
        }
        let typed = self.trail[self.before..].iter();
        let typed = typed.filter_map(|answer| match answer {
            Answer::Faces(faces) => Some(faces.as_slice()),
            Answer::Chose { .. } => None,
        });
        let typed = typed.collect::<Vec<_>>().concat();
        let mut act = self.act.clone();
        match &mut act {
            Act::Reroll { faces, .. } => *faces = Faces::Typed(typed),
            Act::Do(command) => match &mut **command {
                Command::Roll(roll) => roll.faces = Faces::Typed(typed),
                Command::Answer { faces, .. } => *faces = Faces::Typed(typed),
                Command::TypeFaces { faces, .. } => *faces = typed,
                _ => {}
            },
            _ => {}
        }
        Some(act)
    }

    /// Takes in why the table refused: the faces stay to be mended.
    pub(super) fn refuse(&mut self, problem: &str) {
        self.back();
        self.say(Some(problem.to_owned()));
    }

    /// Goes back to the dice before; returns whether there were any.
    pub(super) fn back(&mut self) -> bool {
        if self.trail.len() == self.before {
            return false;
        }
        let Some(Answer::Faces(faces)) = self.trail.pop() else {
            return false;
        };
        let words: Vec<String> = faces.iter().map(ToString::to_string).collect();
        self.ask(&words.join(" "))
    }

    /// The dice in words: `heart d8, then 2 × ability d10`.
    fn asked(&self) -> String {
        let groups = self.pool.dice.iter().filter(|group| group.count > 0);
        let words = groups.map(|group| {
            let name = match group.role {
                Role::POOL => group.die.to_string(),
                role => format!("{} {}", role.name().replace('-', " "), group.die),
            };
            match group.count {
                1 => name,
                count => format!("{count} × {name}"),
            }
        });
        words.collect::<Vec<_>>().join(", then ")
    }

    pub(super) fn draw(&self, title: &str, canvas: &mut Canvas<'_>) -> Option<Position> {
        // Each die with the face typed for it, those still to come without.
        let faces = self.faces().unwrap_or_default().into_iter();
        let faces = faces.map(|face| face.to_string());
        let faces = faces.chain(std::iter::repeat("?".to_owned()));
        let dice = self.pool.order().zip(faces);
        let dice = dice.map(|((die, _), face)| Die::new(die.name(), face));
        let blocks = [Block::Dice(dice.collect())];
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
