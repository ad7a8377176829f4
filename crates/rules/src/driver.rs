//! Resolves a check with real answers: rolled dice, typed faces and decisions.
//!
//! [`super::Odds`] steps through all possible answers instead.

use std::collections::VecDeque;

use super::explanation::refusal;
use super::{Answer, Ask, Choices, ChosenBy, DynCheck, OutcomeId, RuleError, Score, Side};
use tableside_dice::{Dice, Face, FaceError, Pool};

/// The answers to a check, in the order of its questions.
pub type Trail = Vec<Answer>;

/// The progress of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The check waits for dice or a decision.
    Waits(Ask),
    /// The check is resolved.
    Done(OutcomeId, Score),
}

/// The dice, faces and answers that resolve a check.
pub struct AnswerSource<'a> {
    /// The dice to roll. Without dice, all faces come from `faces`.
    pub dice: Option<&'a mut dyn Dice>,
    /// Faces of real dice, typed by a player, in rolled order.
    pub faces: VecDeque<Face>,
    /// Answers to choices, given in advance, in the order of the choices.
    pub answers: VecDeque<String>,
    /// The source of the answers, for the log.
    pub by: ChosenBy,
    /// True if a choice without an answer takes its default. Otherwise the check waits for the answer.
    pub defaults: bool,
}

impl<'a> AnswerSource<'a> {
    /// Rolls these dice. The check waits at each choice.
    pub fn rolling(dice: &'a mut dyn Dice) -> Self {
        Self {
            dice: Some(dice),
            ..Self::by_hand(&[])
        }
    }

    /// Uses these typed faces instead of rolling dice. The check waits at each choice.
    pub fn by_hand(faces: &[Face]) -> Self {
        Self {
            dice: None,
            faces: faces.iter().copied().collect(),
            answers: VecDeque::new(),
            by: ChosenBy::Command,
            defaults: false,
        }
    }

    /// Rolls the pool, or takes as many of the typed faces as it has dice. `faces_before` is the number of faces that
    /// earlier pools took, for error messages.
    fn take_faces(&mut self, pool: &Pool, faces_before: usize) -> Result<Vec<Face>, RuleError> {
        if let Some(dice) = &mut self.dice {
            let mut faces = Vec::new();
            for (die, _) in pool.each_die() {
                faces.push(dice.roll(die));
            }
            return Ok(faces);
        }

        let count = pool.len().min(self.faces.len());
        let printed: Vec<Face> = self.faces.drain(..count).collect();
        let faces = pool.faces_from_printed(&printed);
        pool.check(&faces, faces_before)?;
        Ok(faces)
    }

    /// Takes the next of the given answers, or the default of the choice. `None` if the check has to wait for an
    /// answer.
    fn take_answer(&mut self, choices: &Choices, decider: Side) -> Option<Answer> {
        // A player may not decide for the GM, and may not leave the GM's decision to the default.
        if decider == Side::Gm && self.by == ChosenBy::Player {
            return None;
        }

        if let Some(name) = self.answers.pop_front() {
            return Some(Answer::chose(choices.choice, name, self.by));
        }
        if self.defaults {
            let name = choices.fallback().name.clone();
            return Some(Answer::chose(choices.choice, name, ChosenBy::Default));
        }
        None
    }
}

/// Continues a check from the end of `trail` until it is resolved or has to wait, and adds the answers to the trail.
///
/// # Errors
/// If a face or an answer does not fit, if faces are missing, if faces are left over once the check is resolved, or if the
/// rules forbid the check.
pub fn resolve(
    check: &dyn DynCheck,
    trail: &mut Trail,
    source: &mut AnswerSource<'_>,
) -> Result<Progress, RuleError> {
    let faces_before = count_faces(trail);
    let typed = source.faces.len();

    loop {
        match check.after(trail)? {
            Progress::Waits(Ask::Roll { pool, by }) => {
                let has_no_faces = source.dice.is_none() && typed == 0;
                if has_no_faces && !pool.is_empty() {
                    return Ok(Progress::Waits(Ask::Roll { pool, by }));
                }
                let faces = source.take_faces(&pool, count_faces(trail))?;
                trail.push(Answer::Faces(faces));
            }
            Progress::Waits(Ask::Choose { choices, by }) => {
                match source.take_answer(&choices, by) {
                    Some(answer) => trail.push(answer),
                    None => return Ok(Progress::Waits(Ask::Choose { choices, by })),
                }
            }
            done @ Progress::Done(..) => {
                if !source.faces.is_empty() {
                    let needed = count_faces(trail);
                    let given = faces_before + typed;
                    return Err(FaceError::too_many(needed, given).into());
                }
                if let Some(unused) = source.answers.front() {
                    let closed = check.outcome(trail).closed;
                    if let Some(error) = refusal(&closed, unused) {
                        return Err(error);
                    }
                }
                return Ok(done);
            }
        }
    }
}

/// Returns the number of faces in a trail.
pub fn count_faces(trail: &[Answer]) -> usize {
    trail
        .iter()
        .map(|answer| match answer {
            Answer::Faces(faces) => faces.len(),
            Answer::Chose { .. } => 0,
        })
        .sum()
}
