//! What a resolved check would come to, read again under other fields: tried before it is done.

use super::SeatView;
use tableside_dice::{Dice, Die};
use tableside_game::{CommandError, Event, EventKind, FAVOR, Faces, Roll, resolved};
use tableside_rules::{Answer, Ask, Picked, Progress};

/// What reading a resolved check again would come to.
#[derive(Clone, Debug)]
pub struct Amendment {
    /// The event, as far as it is known: while dice are missing, their faces are not.
    pub event: Event,
    /// The dice that none of the readings so far has.
    pub missing: Vec<Die>,
    /// The choices on the way, up to the first die that is missing.
    pub questions: Vec<Question>,
}

/// A choice that a reading comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Which.
    pub choice: &'static str,
    /// What can be answered.
    pub options: Vec<Picked>,
    /// The answer as it is read now.
    pub chose: usize,
}

/// Dice that never fall, and remember which were asked for.
#[derive(Default)]
struct Missing(Vec<Die>);

impl Dice for Missing {
    fn up_to(&mut self, sides: u32) -> u32 {
        let mut ladder = Die::LADDER.into_iter();
        let die = ladder.find(|die| u32::from(die.sides()) == sides);
        self.0.extend(die);
        1
    }

    fn roll(&mut self, die: Die) -> tableside_dice::Face {
        self.0.push(die);
        die.lowest()
    }
}

impl SeatView<'_> {
    /// What the entry would come to, read again with these fields, as [`super::Act::Amend`] takes them;
    /// or why it would not.
    pub fn amendment(
        &self,
        number: u64,
        fields: &[(String, String)],
    ) -> Result<Amendment, CommandError> {
        self.may_amend(number)?;
        let entry = self.entry(number).ok_or(CommandError::Gone("entry"))?;
        let before = self.history().all_readings(number);
        let before: Vec<&Roll> = before.iter().filter_map(|entry| entry.roll()).collect();
        let whole = self.history().whole(number, entry.event.what.clone());
        let mut dice = Missing::default();
        let game = self.game();
        let event = game.amend(number, &whole, &before, fields, &Faces::Rolled, &mut dice)?;
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

    /// Refuses an entry that this seat may not read again, or that is none to be read again.
    pub fn may_amend(&self, number: u64) -> Result<(), CommandError> {
        if !self.seat().sees_all() {
            return Err(self.seat().refusal(self.system()));
        }
        let entry = self.entry(number).ok_or(CommandError::Gone("entry"))?;
        resolved(number, &entry.event)?;
        self.history().holds(number)
    }

    /// The choices of a resolved check, as they were answered.
    pub fn questions_of(&self, number: u64) -> Vec<Question> {
        let entry = self.entry(number);
        let roll = entry.as_ref().and_then(|entry| entry.event.what.resolved());
        roll.map_or_else(Vec::new, |roll| self.questions(roll, &[]))
    }

    fn questions(&self, roll: &Roll, fresh: &[usize]) -> Vec<Question> {
        let Ok(machine) = roll.machine(self.system()) else {
            return Vec::new();
        };
        let mut questions = Vec::new();
        let mut read = 0;
        for (step, answer) in roll.trail.iter().enumerate() {
            match (answer, machine.after(&roll.trail[..step])) {
                (Answer::Faces(faces), _) => {
                    read += faces.len();
                    if fresh.iter().any(|place| *place < read) {
                        break;
                    }
                }
                (Answer::Chose { chose, .. }, Ok(Progress::Waits(Ask::Choose { choices, .. }))) => {
                    let place = choices.options.iter().position(|one| one.name == *chose);
                    questions.push(Question {
                        choice: choices.choice,
                        chose: place.unwrap_or(choices.default),
                        options: choices.options,
                    });
                }
                (Answer::Chose { .. }, _) => {}
            }
        }
        questions
    }

    /// Whether that roll may still be repeated for a Favor, by this seat: a resolved check that holds,
    /// was not repeated before, and whose character has the Favor (Gnosis, Favor).
    pub fn may_reroll(&self, number: u64) -> bool {
        let entry = self.entry(number);
        let Some(roll) = entry.as_ref().and_then(|entry| entry.event.what.resolved()) else {
            return false;
        };
        let favor = |id| self.game().pool_of(FAVOR, Some(id));
        let favor = roll.id.and_then(favor);
        let seat = self.seat();
        (seat.sees_all() || seat.may_roll_again(roll))
            && favor.is_some_and(|favor| favor.tokens > 0)
            && self.history().may_reroll(number).is_ok()
    }
}
