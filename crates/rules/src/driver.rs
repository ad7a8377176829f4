//! The drivers that walk a check with real answers: dice that fall, dice that are typed in, a trail
//! that was recorded. (The fourth, exact odds, weighs every answer.)

use std::collections::VecDeque;

use super::explanation::refusal;
use super::{Answer, Ask, ChosenBy, DynCheck, RuleError, Side};
use tableside_dice::{Dice, Face, FaceError};

/// The answers given so far.
pub type Trail = Vec<Answer>;

/// How far a check has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It waits for somebody: dice by hand, or a choice.
    Waits(Ask),
    /// It is resolved.
    Done,
}

/// Where answers come from.
pub struct AnswerSource<'a> {
    /// The dice; without them, faces come from `faces` alone.
    pub dice: Option<&'a mut dyn Dice>,
    /// Faces typed in, used before any die is rolled.
    pub faces: VecDeque<Face>,
    /// Answers given beforehand, in the order in which choices come up.
    pub answers: VecDeque<String>,
    /// Who gave those answers.
    pub by: ChosenBy,
    /// Whether a choice without an answer takes its default; else the check waits for it.
    pub defaults: bool,
}

impl<'a> AnswerSource<'a> {
    /// Rolls dice; choices wait.
    pub fn rolling(dice: &'a mut dyn Dice) -> Self {
        Self {
            dice: Some(dice),
            ..Self::by_hand(&[])
        }
    }

    /// Takes these faces and no others; choices wait.
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

/// Walks the check on from `trail` until it is resolved or has to wait. Faces typed in must be exactly
/// those that the walk asks for, unless it stops to wait for a choice.
pub fn resolve(
    check: &dyn DynCheck,
    trail: &mut Trail,
    source: &mut AnswerSource<'_>,
) -> Result<Progress, RuleError> {
    let faces_before: usize = count_faces(trail);
    let typed = source.faces.len();
    loop {
        match check.after(trail)? {
            Ask::Roll { pool, by } => {
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
            Ask::Choose { what, by } => {
                // What the GM decides is not answered, nor left to nobody, from a player's seat.
                let may = by != Side::Gm || source.by != ChosenBy::Player;
                let answer = may.then(|| source.answers.pop_front()).flatten();
                let (chose, by_whom) = match answer {
                    Some(answer) => (answer, source.by),
                    None if source.defaults && may => {
                        (what.fallback().name.clone(), ChosenBy::Default)
                    }
                    None => return Ok(Progress::Waits(Ask::Choose { what, by })),
                };
                trail.push(Answer::chose(what.choice, chose, by_whom));
            }
            Ask::Refused(error) => return Err(*error),
            Ask::Done(..) if source.faces.is_empty() => {
                let unused = source.answers.front();
                let refused =
                    unused.and_then(|answer| refusal(&check.outcome(trail).closed, answer));
                return refused.map_or(Ok(Progress::Done), Err);
            }
            Ask::Done(..) => {
                let given = faces_before + typed;
                return Err(FaceError::too_many(count_faces(trail), given).into());
            }
        }
    }
}

/// How many dice fell.
pub fn count_faces(trail: &[Answer]) -> usize {
    let counts = trail.iter().map(|answer| match answer {
        Answer::Faces(faces) => faces.len(),
        Answer::Chose { .. } => 0,
    });
    counts.sum()
}
