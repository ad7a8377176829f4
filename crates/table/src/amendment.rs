//! Previews of amending a resolved check.

use std::sync::Arc;

use super::{Entry, SeatView};
use tableside_dice::{Dice, Die, Face};
use tableside_game::{CommandError, Event, EventKind, FAVOR, Faces, Roll, resolved};
use tableside_rules::{Answer, Ask, Choices, Picked, Progress};

/// The result that an amendment would have.
#[derive(Clone, Debug)]
pub struct Amendment {
    /// The event of the amendment. Missing dice show their lowest faces in it, because they are not rolled yet.
    pub event: Event,
    /// The dice that must still be rolled, because neither the roll nor an earlier amendment has them.
    pub missing: Vec<Die>,
    /// The choices of the check, up to the first missing die.
    pub questions: Vec<Question>,
}

/// A choice of a check, with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The id of the choice.
    pub choice: &'static str,
    pub options: Vec<Picked>,
    /// The index of the answer.
    pub chose: usize,
}

impl Question {
    fn new(choices: Choices, chosen: &str) -> Self {
        let place = choices
            .options
            .iter()
            .position(|option| option.name == chosen);
        Self {
            choice: choices.choice,
            chose: place.unwrap_or(choices.default),
            options: choices.options,
        }
    }
}

/// Records the requested dice instead of rolling them. Every die shows its lowest face.
#[derive(Default)]
struct MissingDice(Vec<Die>);

impl Dice for MissingDice {
    fn up_to(&mut self, sides: u32) -> u32 {
        let mut ladder = Die::LADDER.into_iter();
        let die = ladder.find(|die| u32::from(die.sides()) == sides);
        self.0.extend(die);
        1
    }

    fn roll(&mut self, die: Die) -> Face {
        self.0.push(die);
        die.lowest()
    }
}

impl SeatView<'_> {
    /// Previews an amendment with these fields, which have the form of [`super::Act::Amend`]. Fails if the amendment is
    /// refused.
    pub fn amendment(
        &self,
        number: u64,
        fields: &[(String, String)],
    ) -> Result<Amendment, CommandError> {
        self.may_amend(number)?;
        let entry = self.existing_entry(number)?;
        let history = self.history();
        let readings = history.all_readings(number);
        let rolls: Vec<&Roll> = readings.iter().filter_map(|entry| entry.roll()).collect();
        let combined = history.combined_event(number, entry.event.what.clone());

        let mut dice = MissingDice::default();
        let faces = Faces::Rolled;
        let event = self
            .game()
            .amend(number, &combined, &rolls, fields, &faces, &mut dice)?;
        let questions = match &event.what {
            EventKind::Amended { roll, fresh, .. } => self.questions(roll, fresh),
            _ => Vec::new(),
        };
        Ok(Amendment {
            questions,
            event,
            missing: dice.0,
        })
    }

    /// Fails if this seat may not amend the entry, or if the entry cannot be amended.
    pub fn may_amend(&self, number: u64) -> Result<(), CommandError> {
        if !self.seat().sees_all() {
            return Err(self.seat().refusal(self.system()));
        }
        let entry = self.existing_entry(number)?;
        resolved(number, &entry.event)?;
        self.history().check_holds(number)
    }

    fn existing_entry(&self, number: u64) -> Result<Arc<Entry>, CommandError> {
        match self.entry(number) {
            Some(entry) => Ok(entry),
            None => Err(CommandError::Gone("entry")),
        }
    }

    /// The choices of a resolved check with their answers.
    pub fn questions_of(&self, number: u64) -> Vec<Question> {
        if let Some(entry) = self.entry(number)
            && let Some(roll) = entry.event.what.resolved()
        {
            self.questions(roll, &[])
        } else {
            Vec::new()
        }
    }

    /// The choices of a roll up to its first missing die. `missing` has the indices of missing faces.
    fn questions(&self, roll: &Roll, missing: &[usize]) -> Vec<Question> {
        let Ok(machine) = roll.machine(self.system()) else {
            return Vec::new();
        };

        let mut questions = Vec::new();
        let mut face_count = 0;
        for (step, answer) in roll.trail.iter().enumerate() {
            match answer {
                Answer::Faces(faces) => {
                    face_count += faces.len();
                    if missing.iter().any(|index| *index < face_count) {
                        break;
                    }
                }
                Answer::Chose { chose, .. } => {
                    let asked = machine.after(&roll.trail[..step]);
                    if let Ok(Progress::Waits(Ask::Choose { choices, .. })) = asked {
                        questions.push(Question::new(*choices, chose));
                    }
                }
            }
        }
        questions
    }

    /// True if this seat may roll a check again for a Favor: the check was not undone or replaced, has not been rolled again before,
    /// and its character has a Favor (Gnosis, Favor).
    pub fn may_reroll(&self, number: u64) -> bool {
        let Some(entry) = self.entry(number) else {
            return false;
        };
        let Some(roll) = entry.event.what.resolved() else {
            return false;
        };

        let seat = self.seat();
        let game = self.game();
        let may_roll = seat.sees_all() || seat.may_roll_again(roll);
        let favor = roll.id.and_then(|id| game.pool_of(FAVOR, Some(id)));
        let has_favor = favor.is_some_and(|favor| favor.tokens > 0);
        may_roll && has_favor && self.history().check_reroll(number).is_ok()
    }
}
