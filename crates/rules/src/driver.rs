//! Resolves a check with real answers: rolled dice, typed faces and decisions. [`super::Odds`] is the driver that takes
//! every answer instead.

use std::collections::VecDeque;

use super::explanation::refusal;
use super::{Answer, Ask, ChosenBy, DynCheck, OutcomeId, RuleError, Score, Side};
use tableside_dice::{Dice, Face, FaceError};

/// The answers to a check, in the order in which it asked.
pub type Trail = Vec<Answer>;

/// How far a check is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The check waits for dice or a decision.
    Waits(Ask),
    /// The check is resolved.
    Done(OutcomeId, Score),
}

/// Where answers come from.
pub struct AnswerSource<'a> {
    /// The dice to roll. Without dice, all faces come from `faces`.
    pub dice: Option<&'a mut dyn Dice>,
    /// Typed faces, in rolled order.
    pub faces: VecDeque<Face>,
    /// Answers to choices, given in advance, in the order in which the choices come up.
    pub answers: VecDeque<String>,
    /// Who gave the answers.
    pub by: ChosenBy,
    /// True if a choice without an answer takes its default. Otherwise the check waits for the answer.
    pub defaults: bool,
}

impl<'a> AnswerSource<'a> {
    /// Rolls dice. Choices wait.
    pub fn rolling(dice: &'a mut dyn Dice) -> Self {
        Self {
            dice: Some(dice),
            ..Self::by_hand(&[])
        }
    }

    /// Takes these faces instead of rolling. Choices wait.
    pub fn by_hand(faces: &[Face]) -> Self {
        Self {
            dice: None,
            faces: faces.iter().copied().collect(),
            answers: VecDeque::new(),
            by: ChosenBy::Command,
            defaults: false,
        }
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
    let faces_before: usize = count_faces(trail);
    let typed = source.faces.len();
    loop {
        match check.after(trail)? {
            Progress::Waits(Ask::Roll { pool, by }) => {
                let needed = pool.len();
                let faces: Vec<Face> = match &mut source.dice {
                    Some(dice) => pool.each_die().map(|(die, _)| dice.roll(die)).collect(),
                    None if source.faces.is_empty() && typed == 0 && needed > 0 => {
                        return Ok(Progress::Waits(Ask::Roll { pool, by }));
                    }
                    None => {
                        let count = needed.min(source.faces.len());
                        let given: Vec<Face> = source.faces.drain(..count).collect();
                        let given = pool.faces_from_printed(&given);
                        pool.check(&given, count_faces(trail))?;
                        given
                    }
                };
                trail.push(Answer::Faces(faces));
            }
            Progress::Waits(Ask::Choose { choices, by }) => {
                // A player neither answers a decision of the GM nor leaves it to the default.
                let may = by != Side::Gm || source.by != ChosenBy::Player;
                let answer = may.then(|| source.answers.pop_front()).flatten();
                let (chose, by_whom) = match answer {
                    Some(answer) => (answer, source.by),
                    None if source.defaults && may => {
                        (choices.fallback().name.clone(), ChosenBy::Default)
                    }
                    None => return Ok(Progress::Waits(Ask::Choose { choices, by })),
                };
                trail.push(Answer::chose(choices.choice, chose, by_whom));
            }
            Progress::Done(..) if !source.faces.is_empty() => {
                let given = faces_before + typed;
                return Err(FaceError::too_many(count_faces(trail), given).into());
            }
            done @ Progress::Done(..) => {
                if let Some(unused) = source.answers.front()
                    && let Some(error) = refusal(&check.outcome(trail).closed, unused)
                {
                    return Err(error);
                }
                return Ok(done);
            }
        }
    }
}

/// Returns the number of faces in a trail.
pub fn count_faces(trail: &[Answer]) -> usize {
    let counts = trail.iter().map(|answer| match answer {
        Answer::Faces(faces) => faces.len(),
        Answer::Chose { .. } => 0,
    });
    counts.sum()
}
