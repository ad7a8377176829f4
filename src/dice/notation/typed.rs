//! Faces that are typed in for a parsed expression.

use super::throw::Source;
use super::{Notation, Rolled, Term};
use crate::dice::FaceError;

/// The faces in rolled order, and the first thing wrong with them.
struct Typed<'a> {
    faces: &'a [i32],
    used: usize,
    wrong: Option<FaceError>,
}

impl Source for Typed<'_> {
    fn face(&mut self, term: &Term) -> i32 {
        if self.wrong.is_some() {
            return term.lowest;
        }
        let position = self.used + 1;
        let die = || match term.lowest {
            1 => format!("d{}", term.sides),
            _ => "Fate die".to_owned(),
        };
        let given = self.faces.get(self.used).copied();
        self.wrong = match given {
            None => Some(FaceError::TooFew {
                needed: position,
                given: self.faces.len(),
                asked: die(),
            }),
            Some(face) if !(term.lowest..=term.highest()).contains(&face) => {
                Some(FaceError::NoSuchFace {
                    position,
                    face,
                    die: die(),
                    lowest: term.lowest,
                    highest: term.highest(),
                })
            }
            Some(_) => None,
        };
        self.used = position;
        given.unwrap_or(term.lowest)
    }
}

impl Notation {
    /// Adds up faces that were rolled by hand, in rolled order: each die with what follows from it, its
    /// re-roll and its chain, before the next.
    ///
    /// # Errors
    /// When there are too few or too many, or a die does not have its face.
    pub fn read(&self, faces: &[i32]) -> Result<Rolled, FaceError> {
        let mut typed = Typed {
            faces,
            used: 0,
            wrong: None,
        };
        let rolled = self.resolve(&mut typed);
        match typed.wrong {
            Some(wrong) => Err(wrong),
            None if typed.used < faces.len() => Err(FaceError::TooMany {
                needed: typed.used,
                given: faces.len(),
            }),
            None => Ok(rolled),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn read(text: &str, faces: &[i32]) -> Result<i64, String> {
        let notation: Notation = text.parse().unwrap();
        let rolled = notation.read(faces).map_err(|error| error.to_string())?;
        Ok(rolled.total)
    }

    #[rstest]
    #[case("2d6", &[3], "too few faces: 2 needed so far (d6), 1 given")]
    #[case("d6!", &[6], "too few faces: 2 needed so far (d6), 1 given")]
    #[case("2d6", &[3, 4, 5], "too many faces: 2 needed, 3 given")]
    #[case("2d6", &[3, 7], "face 2 is 7, and a d6 has the faces 1–6")]
    #[case("2d6", &[0, 9], "face 1 is 0, and a d6 has the faces 1–6")]
    #[case("dF", &[2], "face 1 is 2, and a Fate die has the faces -1 to 1")]
    fn faces_that_are_not_the_dice_say_why(
        #[case] text: &str,
        #[case] faces: &[i32],
        #[case] message: &str,
    ) {
        assert_eq!(read(text, faces), Err(message.to_owned()));
    }
}
