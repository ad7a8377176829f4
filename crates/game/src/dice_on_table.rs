//! The dice that a roll has already shown, for an amendment of the roll.

use std::collections::{HashMap, VecDeque};

use super::{Faces, Result, Roll};
use tableside_dice::{Dice, Die, DieRole, Face, FaceError};
use tableside_rules::{Answer, Ask, Progress, RuleError, Side, System};

/// The properties that identify a die in different readings of a roll.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct DieKind {
    die: Die,
    role: DieRole,
    is_opponents: bool,
}

/// The faces of a check by kind of die, in rolled order.
pub(super) type KnownDice = HashMap<DieKind, VecDeque<Face>>;

impl DieKind {
    fn new(die: Die, role: DieRole, by: Side) -> Self {
        Self {
            die,
            role,
            is_opponents: by == Side::Opponent,
        }
    }
}

/// Returns the dice of one reading.
fn dice_of(roll: &Roll, system: System) -> Result<KnownDice> {
    let machine = roll.machine(system)?;
    let mut dice = KnownDice::new();
    for (step, answer) in roll.trail.iter().enumerate() {
        let Answer::Faces(faces) = answer else {
            continue;
        };
        let Progress::Waits(Ask::Roll { pool, by }) = machine.after(&roll.trail[..step])? else {
            continue;
        };

        for ((die, role), face) in pool.each_die().zip(faces) {
            let same_kind = dice.entry(DieKind::new(die, role, by)).or_default();
            same_kind.push_back(*face);
        }
    }
    Ok(dice)
}

/// Returns all dice that appear in any reading of one roll.
pub(super) fn known_dice<'a>(
    readings: impl Iterator<Item = &'a Roll>,
    system: System,
) -> Result<KnownDice> {
    let mut all_dice = KnownDice::new();
    for reading in readings {
        for (kind, faces) in dice_of(reading, system)? {
            // Readings take faces in order, so the longer list begins with the shorter one.
            let longest = all_dice.entry(kind).or_default();
            if faces.len() > longest.len() {
                *longest = faces;
            }
        }
    }
    Ok(all_dice)
}

/// True if two readings of one roll show the same faces on the dice that both have.
pub fn same_faces(roll: &Roll, other: &Roll, system: System) -> Result<bool> {
    let other_dice = dice_of(other, system)?;
    for (kind, faces) in dice_of(roll, system)? {
        if let Some(other_faces) = other_dice.get(&kind) {
            let mut pairs = faces.iter().zip(other_faces);
            if pairs.any(|(face, other)| face != other) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The dice that were already rolled, and the source of missing dice.
pub(super) struct DiceOnTable<'a> {
    known: KnownDice,
    typed: &'a Faces,
    dice: &'a mut dyn Dice,
    /// The number of dice that the check has asked for.
    asked: usize,
    /// The indices of the dice that were missing.
    fresh: Vec<usize>,
}

impl<'a> DiceOnTable<'a> {
    pub(super) fn new(known: KnownDice, typed: &'a Faces, dice: &'a mut dyn Dice) -> Self {
        Self {
            known,
            typed,
            dice,
            asked: 0,
            fresh: Vec::new(),
        }
    }

    /// Returns the face of the next die of a kind. A missing die is rolled, or takes the next typed face.
    pub(super) fn face(&mut self, die: Die, role: DieRole, by: Side) -> Result<Face, RuleError> {
        let index = self.asked;
        self.asked += 1;
        let same_kind = self.known.get_mut(&DieKind::new(die, role, by));
        if let Some(face) = same_kind.and_then(VecDeque::pop_front) {
            return Ok(face);
        }

        self.fresh.push(index);
        let Faces::Typed(typed) = self.typed else {
            return Ok(self.dice.roll(die));
        };
        let needed = self.fresh.len();
        let Some(face) = typed.get(needed - 1) else {
            return Err(FaceError::too_few(needed, typed.len(), die.name()).into());
        };
        let face = die.face_from_printed(*face);
        die.check(face, needed)?;
        Ok(face)
    }

    /// Returns the indices of the dice that were missing.
    ///
    /// # Errors
    /// Returns an error if more faces were typed than dice were missing.
    pub(super) fn finish(self) -> Result<Vec<usize>, RuleError> {
        match self.typed {
            Faces::Typed(typed) if typed.len() > self.fresh.len() => {
                Err(FaceError::too_many(self.fresh.len(), typed.len()).into())
            }
            _ => Ok(self.fresh),
        }
    }
}
