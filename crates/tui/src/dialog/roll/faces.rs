//! Faces typed in by people who roll real dice, pool after pool.

use crate::app::action::Action;
use crate::dialog::roll::{after_change, follow};
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row};
use crate::widget::die::DieBox;
use tableside_dice::{Face, Measure, Pool};
use tableside_game::{Command, Faces, Origin, Unfinished, read_faces};
use tableside_rules::{Answer, Ask, DynCheck, Fields, HouseRules, Progress, Side, Whose};
use tableside_table::{Act, Entry, SeatView};

/// An act whose faces are typed in.
pub(crate) struct FacesDialog {
    act: Act,
    machine: Box<dyn DynCheck>,
    /// All answers so far, and how many of them were there before the first face typed here.
    trail: Vec<Answer>,
    before: usize,
    /// The dice that are asked for, and how many of them belong to each roll of the machine.
    pool: Pool,
    rolls: Vec<usize>,
    /// How many answers there were each time that dice were asked for.
    asked_at: Vec<usize>,
    /// How the other side is asked: `Wren rolls`.
    other_rolls: String,
    /// The unfinished check that it goes on with.
    check: Option<Unfinished>,
}

/// Faces typed at once take at most so many letters.
const LONGEST: usize = 200;
/// The dice of so many rolls are asked for at once.
const MOST_ROLLS: usize = 8;

impl FacesDialog {
    /// Asks for the dice that the check wants after these answers; none if it wants none.
    pub(crate) fn ask(
        title: String,
        act: &Act,
        trail: Vec<Answer>,
        (fields, house): (&Fields, &HouseRules),
        check: Option<&Unfinished>,
    ) -> Option<Dialog> {
        let sources = match act {
            Act::Do(command) => match &**command {
                Command::Roll(roll) => Some(&roll.filled.sources),
                _ => check.map(|check| &check.roll.sources),
            },
            _ => None,
        };
        let theirs = fields.spec().fields.iter();
        let mut theirs = theirs.filter(|field| field.whose == Whose::Opponent);
        let other =
            theirs.find_map(|field| sources?.get(field.id).filter(|of| of.owner().is_some()));
        let mut by_hand = Self {
            other_rolls: other.map_or_else(|| "The other side".to_owned(), Origin::owners)
                + " rolls",
            act: act.clone(),
            machine: fields.spec().prepare(fields, house).ok()?,
            before: trail.len(),
            trail,
            pool: Pool::all(Vec::new(), Measure::Sum),
            rolls: Vec::new(),
            asked_at: Vec::new(),
            check: check.cloned(),
        };
        let mut form = Form {
            title,
            by_hand: true,
            ..Form::default()
        };
        let asks = by_hand.ask_next("", &mut form);
        asks.then(|| Dialog::without_view(form, by_hand))
    }

    /// Asks for the dice that are wanted next; returns whether any are.
    fn ask_next(&mut self, typed: &str, form: &mut Form) -> bool {
        let Ok(Progress::Waits(Ask::Roll { pool, by })) = self.machine.after(&self.trail) else {
            return false;
        };
        self.asked_at.push(self.trail.len());
        self.ask_at_once(*pool, by == Side::Opponent);
        let rolls = match by {
            Side::Opponent => &self.other_rolls,
            Side::Actor | Side::Gm => "Roll",
        };
        let asked = self.asked();
        let help = format!("{rolls} {asked}. Type the faces in this order, a blank between them.");
        let row = Row::text("faces", "Faces", typed, LONGEST);
        form.rows = vec![row.hint("faces").help(help)];
        true
    }

    /// Asks for these dice and for those that the same people roll next, as long as they are the same whether the
    /// lowest faces fall or the highest.
    fn ask_at_once(&mut self, mut pool: Pool, is_theirs: bool) {
        let [mut low, mut high] = [self.trail.clone(), self.trail.clone()];
        self.pool = Pool::all(Vec::new(), Measure::Sum);
        self.rolls.clear();
        while self.rolls.len() < MOST_ROLLS {
            let lowest = pool.each_die().map(|(die, _)| die.lowest());
            low.push(Answer::Faces(lowest.collect()));
            let highest = pool.each_die().map(|(die, _)| die.highest());
            high.push(Answer::Faces(highest.collect()));
            self.rolls.push(pool.len());
            for group in pool.dice {
                match self.pool.dice.last_mut() {
                    Some(last) if (last.die, last.role) == (group.die, group.role) => {
                        last.count += group.count;
                    }
                    _ => self.pool.dice.push(group),
                }
            }
            let [low, high] = [&low, &high].map(|trail| self.machine.after(trail).ok());
            match low.filter(|low| high.as_ref() == Some(low)) {
                Some(Progress::Waits(Ask::Roll { pool: next, by }))
                    if (by == Side::Opponent) == is_theirs =>
                {
                    pool = *next;
                }
                _ => break,
            }
        }
    }

    /// The faces typed so far: the 0 on a ten-sided die is its 10.
    fn faces(&self, form: &Form) -> Result<Vec<Face>, String> {
        Ok(self
            .pool
            .faces_from_printed(&read_faces(&form.text("faces"))?))
    }

    /// The same, if they are what was asked for.
    fn checked(&self, form: &Form) -> Result<Vec<Face>, String> {
        let faces = self.faces(form)?;
        let checked = self.pool.check(&faces, 0);
        checked.map_err(|error| error.to_string())?;
        Ok(faces)
    }

    /// The act with every face that was typed.
    fn with_faces(&self) -> Act {
        let typed = typed(&self.trail[self.before..]);
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
        act
    }

    /// Goes back to the dice before; returns whether there were any.
    fn back(&mut self, form: &mut Form) -> bool {
        self.asked_at.pop();
        let Some(asked_at) = self.asked_at.pop() else {
            return false;
        };
        let typed = typed(&self.trail.split_off(asked_at));
        let words: Vec<String> = typed.iter().map(ToString::to_string).collect();
        self.ask_next(&words.join(" "), form)
    }

    /// The dice in words: `heart d8, then 2 × ability d10`.
    fn asked(&self) -> String {
        let groups = self.pool.dice.iter().filter(|group| group.count > 0);
        let words = groups.map(|group| {
            let name = match group.role.label() {
                None => group.die.to_string(),
                Some(label) => format!("{label} {}", group.die),
            };
            match group.count {
                1 => name,
                count => format!("{count} × {name}"),
            }
        });
        words.collect::<Vec<_>>().join(", then ")
    }
}

impl DialogSpec for FacesDialog {
    /// Says what is wrong with what is typed so far.
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        let is_begun = |faces: &Vec<Face>| faces.len() < self.pool.len();
        let problem = match self.faces(form) {
            Ok(faces) if is_begun(&faces) => None,
            _ => self.checked(form).err(),
        };
        form.rows[0].problem = problem;
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let closes = matches!(event, DialogEvent::Action(Action::Close));
        (closes && self.back(form)).then_some(DialogAction::Stay)
    }

    /// Takes what is typed, and asks for the next dice until that is all.
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        let mut faces = self.checked(form)?;
        let before = self.trail.len();
        for count in &self.rolls {
            let rest = faces.split_off(*count);
            self.trail
                .push(Answer::Faces(std::mem::replace(&mut faces, rest)));
        }
        if self.ask_next("", form) {
            return Ok(DialogAction::Stay);
        }
        let act = self.with_faces();
        // If the table refuses, the faces stay to be mended.
        self.trail.truncate(before);
        Ok(DialogAction::Submit(act))
    }

    fn after_submit(&mut self, entry: &Entry, _: &mut Form, view: &SeatView<'_>) -> Option<Dialog> {
        follow(entry, true, view)
    }

    fn on_change(&mut self, _form: &mut Form, view: &SeatView<'_>) -> Option<Dialog> {
        let check = self.check.as_ref()?;
        let is_gone = view.unfinished().all(|one| one.id != check.id);
        is_gone.then(|| after_change(check, true, view)).flatten()
    }

    fn blocks(&self, form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        // Each die with the face typed for it, those still to come without.
        let faces = self.faces(form).unwrap_or_default().into_iter();
        let faces = faces.map(|face| face.to_string());
        let faces = faces.chain(std::iter::repeat("?".to_owned()));
        let dice = self.pool.each_die().zip(faces);
        let dice = dice.map(|((die, _), face)| DieBox::new(die.name(), face));
        vec![Block::Dice(dice.collect())]
    }
}

/// The faces among these answers.
fn typed(answers: &[Answer]) -> Vec<Face> {
    let faces = answers.iter().filter_map(|answer| match answer {
        Answer::Faces(faces) => Some(faces.as_slice()),
        Answer::Chose { .. } => None,
    });
    faces.collect::<Vec<_>>().concat()
}
