//! The dialog for the faces of real dice, which the player types roll after roll.

use crate::app::action::Action;
use crate::dialog::roll::{after_change, follow, note_with_dice};
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Row};
use crate::widget::die::DieBox;
use tableside_dice::{Face, Measure, Pool};
use tableside_game::{Command, Faces, Origin, Unfinished, read_faces};
use tableside_rules::{Answer, Ask, DynCheck, Fields, HouseRules, Progress, Side, Whose};
use tableside_table::{Act, Entry, SeatView};

/// Asks for the faces of an act, and submits the act with them.
pub(crate) struct FacesDialog {
    act: Act,
    machine: Box<dyn DynCheck>,
    /// The answers of the check, including the faces typed here.
    trail: Vec<Answer>,
    /// The number of answers before the first face was typed here.
    first_typed: usize,
    /// The dice that the player is asked for.
    pool: Pool,
    /// The number of dice of each roll in `pool`.
    rolls: Vec<usize>,
    /// The number of answers before each question for dice.
    asked_at: Vec<usize>,
    /// The start of the help while the opponent rolls, for example `Wren rolls`.
    opponent_rolls: String,
    /// The unfinished roll that these dice continue.
    unfinished: Option<Unfinished>,
}

/// The check whose dice a [`FacesDialog`] asks for.
pub(crate) struct CheckToRoll<'a> {
    pub(crate) fields: &'a Fields,
    pub(crate) house: &'a HouseRules,
    /// The previous answers.
    pub(crate) trail: Vec<Answer>,
    /// The unfinished roll, if the check was begun before.
    pub(crate) unfinished: Option<&'a Unfinished>,
}

/// The maximum length of the typed faces, in characters.
const MAX_FACES_CHARS: usize = 200;

/// The maximum number of rolls whose dice are asked for at once.
const MAX_ROLLS: usize = 8;

impl FacesDialog {
    /// Asks for the next dice of the check. Returns `None` if the check needs no dice.
    pub(crate) fn ask(title: String, act: &Act, check: CheckToRoll<'_>) -> Option<Dialog> {
        let opponent_rolls = format!("{} rolls", opponent_name(act, &check));
        let mut spec = Self {
            act: act.clone(),
            machine: check
                .fields
                .spec()
                .prepare(check.fields, check.house)
                .ok()?,
            first_typed: check.trail.len(),
            trail: check.trail,
            pool: Pool::all(Vec::new(), Measure::Sum),
            rolls: Vec::new(),
            asked_at: Vec::new(),
            opponent_rolls,
            unfinished: check.unfinished.cloned(),
        };

        let mut form = Form {
            title,
            ..Form::default()
        }
        .with_submit_label("use");
        if !spec.ask_next("", &mut form) {
            return None;
        }
        form.caption.note = note_with_dice(String::new(), true, &form);
        Some(Dialog::without_view(form, spec))
    }

    /// Asks for the next dice. Returns false if the check needs none.
    fn ask_next(&mut self, typed: &str, form: &mut Form) -> bool {
        let Ok(Progress::Waits(Ask::Roll { pool, by })) = self.machine.after(&self.trail) else {
            return false;
        };
        self.asked_at.push(self.trail.len());
        self.collect_pool(*pool, by == Side::Opponent);

        let rolls = match by {
            Side::Opponent => &self.opponent_rolls,
            Side::Actor | Side::Gm => "Roll",
        };
        let dice = self.describe_pool();
        let help =
            format!("{rolls} {dice}. Type the faces in this order, with spaces between them.");
        let row = Row::text("faces", "Faces", typed, MAX_FACES_CHARS)
            .hint("faces")
            .help(help)
            .of_numbers();
        form.rows = vec![row];
        true
    }

    /// Collects the dice of one question: the dice of `pool`, and of the following rolls of the same side.
    ///
    /// A following roll is included if it needs the same dice after the lowest faces as after the highest faces.
    fn collect_pool(&mut self, first_pool: Pool, is_opponent: bool) {
        let mut lowest_trail = self.trail.clone();
        let mut highest_trail = self.trail.clone();
        let mut next_pool = Some(first_pool);
        self.pool = Pool::all(Vec::new(), Measure::Sum);
        self.rolls.clear();

        while let Some(pool) = next_pool.take() {
            let lowest = pool.each_die().map(|(die, _)| die.lowest()).collect();
            lowest_trail.push(Answer::Faces(lowest));
            let highest = pool.each_die().map(|(die, _)| die.highest()).collect();
            highest_trail.push(Answer::Faces(highest));

            self.rolls.push(pool.len());
            self.append(pool);
            if self.rolls.len() == MAX_ROLLS {
                return;
            }

            let after_lowest = self.machine.after(&lowest_trail).ok();
            let after_highest = self.machine.after(&highest_trail).ok();
            if after_lowest == after_highest
                && let Some(Progress::Waits(Ask::Roll { pool, by })) = after_lowest
                && (by == Side::Opponent) == is_opponent
            {
                next_pool = Some(*pool);
            }
        }
    }

    /// Appends dice to the pool. Equal dice with the same role form one group.
    fn append(&mut self, pool: Pool) {
        for group in pool.dice {
            match self.pool.dice.last_mut() {
                Some(last) if last.die == group.die && last.role == group.role => {
                    last.count += group.count;
                }
                _ => self.pool.dice.push(group),
            }
        }
    }

    /// Returns the typed faces. The 0 of a ten-sided die counts as 10.
    fn faces(&self, form: &Form) -> Result<Vec<Face>, String> {
        let typed = form.text("faces");
        let is_single_digit = self
            .pool
            .each_die()
            .all(|(die, _)| die.lowest() >= 0 && die.highest() <= 9);
        let printed = if is_single_digit {
            read_faces(&space_digits(&typed))?
        } else {
            read_faces(&typed)?
        };
        Ok(self.pool.faces_from_printed(&printed))
    }

    /// Returns the typed faces, if they fit the dice.
    fn checked_faces(&self, form: &Form) -> Result<Vec<Face>, String> {
        let faces = self.faces(form)?;
        match self.pool.check(&faces, 0) {
            Ok(()) => Ok(faces),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns the act with all typed faces.
    fn act_with_faces(&self) -> Act {
        let typed = faces_in(&self.trail[self.first_typed..]);
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

    /// Returns to the previous question. Returns false on the first question.
    fn go_back(&mut self, form: &mut Form) -> bool {
        self.asked_at.pop();
        let Some(asked_at) = self.asked_at.pop() else {
            return false;
        };
        let removed_answers = self.trail.split_off(asked_at);
        let faces: Vec<String> = faces_in(&removed_answers)
            .iter()
            .map(ToString::to_string)
            .collect();
        self.ask_next(&faces.join(" "), form)
    }

    /// Describes the dice, for example `heart d8, then 2 × ability d10`.
    fn describe_pool(&self) -> String {
        let mut groups = Vec::new();
        for group in &self.pool.dice {
            let die = match group.role.label() {
                Some(label) => format!("{label} {}", group.die),
                None => group.die.to_string(),
            };
            match group.count {
                ..=0 => {}
                1 => groups.push(die),
                count => groups.push(format!("{count} × {die}")),
            }
        }
        groups.join(", then ")
    }
}

/// Adds a space after each digit, because faces of one digit can be typed without spaces: `36` is two dice.
fn space_digits(typed: &str) -> String {
    let mut spaced = String::new();
    for letter in typed.chars() {
        spaced.push(letter);
        if letter.is_numeric() {
            spaced.push(' ');
        }
    }
    spaced
}

/// Returns the name of the opponent whose sheet a value comes from.
fn opponent_name(act: &Act, check: &CheckToRoll<'_>) -> String {
    let sources = match act {
        Act::Do(command) => match &**command {
            Command::Roll(roll) => Some(&roll.filled.sources),
            _ => check.unfinished.map(|unfinished| &unfinished.roll.sources),
        },
        _ => None,
    };

    if let Some(sources) = sources {
        for field in check.fields.spec().fields {
            let origin = sources.get(field.id);
            if field.whose == Whose::Opponent
                && let Some(origin) = origin.filter(|origin| origin.owner().is_some())
            {
                return Origin::owners(origin);
            }
        }
    }
    "The other side".to_owned()
}

impl DialogSpec for FacesDialog {
    /// Reports errors in the typed faces. Missing faces are no error yet.
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        let is_incomplete = match self.faces(form) {
            Ok(faces) => faces.len() < self.pool.len(),
            Err(_) => false,
        };
        form.rows[0].problem = if is_incomplete {
            None
        } else {
            self.checked_faces(form).err()
        };
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        if *event == DialogEvent::Action(Action::Close) && self.go_back(form) {
            return Some(DialogAction::Stay);
        }
        None
    }

    /// Takes the typed faces. Asks for the next dice, or submits the act if there are no more.
    fn submit(&mut self, form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        let faces = self.checked_faces(form)?;
        let old_length = self.trail.len();

        let mut faces_left = faces.as_slice();
        for count in &self.rolls {
            let (roll, next_rolls) = faces_left.split_at(*count);
            self.trail.push(Answer::Faces(roll.to_vec()));
            faces_left = next_rolls;
        }

        if self.ask_next("", form) {
            return Ok(DialogAction::Stay);
        }

        let act = self.act_with_faces();
        // If the table refuses the act, the player can correct the faces.
        self.trail.truncate(old_length);
        Ok(DialogAction::Submit(act))
    }

    fn after_submit(
        &mut self,
        entry: &Entry,
        _form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        follow(entry, true, view)
    }

    fn on_change(&mut self, _form: &mut Form, view: &SeatView<'_>) -> Option<Dialog> {
        let unfinished = self.unfinished.as_ref()?;
        let still_waits = view.unfinished().any(|known| known.id == unfinished.id);
        if still_waits {
            return None;
        }
        after_change(unfinished, true, view)
    }

    fn rolls_by_hand(&self) -> bool {
        true
    }

    /// Draws each die with its typed face. A question mark stands for a missing face.
    fn blocks(&self, form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let faces = self.faces(form).unwrap_or_default();
        let dice = self.pool.each_die().enumerate().map(|(index, (die, _))| {
            let face = match faces.get(index) {
                Some(face) => face.to_string(),
                None => "?".to_owned(),
            };
            DieBox::new(die.name(), face)
        });
        vec![Block::Dice(dice.collect())]
    }
}

/// Returns the faces in these answers.
fn faces_in(answers: &[Answer]) -> Vec<Face> {
    let mut faces = Vec::new();
    for answer in answers {
        if let Answer::Faces(rolled) = answer {
            faces.extend_from_slice(rolled);
        }
    }
    faces
}
