//! Reads dice that were rolled by hand.

use super::Notation;
use super::roll::RolledNotation;
use super::syntax::DiceTerm;
use crate::FaceError;

impl Notation {
    /// Adds up faces that were rolled by hand, in rolled order: each die with its re-roll and its explosions, before
    /// the next die. A printed 0 is a 10 on a d10 and a 100 on a d100. A d100 may also be two faces, tens and ones:
    /// `7,2` or `70,2` is 72, and `0,0` is 100.
    ///
    /// # Errors
    /// If there are too few or too many faces, or a die does not have its face.
    pub fn read(&self, faces: &[i32]) -> Result<RolledNotation, FaceError> {
        let result = self.read_faces(faces);
        if result.is_ok() {
            return result;
        }

        let as_pairs = self
            .join_hundreds(faces)
            .and_then(|joined| self.read_faces(&joined).ok());
        as_pairs.map_or(result, Ok)
    }

    /// Returns the faces with the tens and ones of each d100 as one number. `None` if they are no such pairs, or too few.
    fn join_hundreds(&self, faces: &[i32]) -> Option<Vec<i32>> {
        let mut remaining = faces.iter().copied();
        let mut joined = Vec::new();
        let mut is_wrong = false;

        let mut next_face = |term: &DiceTerm| {
            let mut face = remaining.next();
            if term.is_hundred() {
                face = face
                    .zip(remaining.next())
                    .and_then(|(tens, ones)| hundred(tens, ones));
            }
            is_wrong |= face.is_none();
            let face = face.unwrap_or(term.lowest);
            joined.push(face);
            term.as_read(face)
        };
        self.resolve(&mut next_face, &mut RolledNotation::default());

        joined.extend(remaining);
        if is_wrong { None } else { Some(joined) }
    }

    /// Adds up faces, one for each die.
    fn read_faces(&self, faces: &[i32]) -> Result<RolledNotation, FaceError> {
        let mut used = 0;
        let mut first_error = None;
        let mut rolled = RolledNotation::default();

        let mut next_face = |term: &DiceTerm| {
            let face = faces.get(used).map(|face| term.as_read(*face));
            used += 1;
            match term.check_face(face, used, faces.len()) {
                Ok(face) => face,
                Err(error) => {
                    first_error.get_or_insert(error);
                    term.harmless_face()
                }
            }
        };
        self.resolve(&mut next_face, &mut rolled);

        match first_error {
            Some(error) => Err(error),
            None if used < faces.len() => Err(FaceError::too_many(used, faces.len())),
            None => Ok(rolled),
        }
    }
}

impl DiceTerm {
    const fn is_hundred(&self) -> bool {
        self.lowest == 1 && self.sides == 100
    }

    /// Returns the face that a printed one means: a d10 has a 0 for 10, and a d100 has 00 for 100.
    const fn as_read(&self, printed: i32) -> i32 {
        match (self.lowest, self.sides, printed) {
            (1, 10, 0) => 10,
            (1, 100, 0) => 100,
            _ => printed,
        }
    }

    /// A face that ends a chain, so that the rest of an expression with a wrong face is read quickly.
    fn harmless_face(&self) -> i32 {
        match self.explode {
            Some(faces) if faces.contains(self.lowest.into()) => faces.to.saturating_add(1),
            _ => self.lowest,
        }
    }

    /// Checks the face at a position, counted from 1, among `given` faces.
    fn check_face(
        &self,
        face: Option<i32>,
        position: usize,
        given: usize,
    ) -> Result<i32, FaceError> {
        let name = match self.lowest {
            1 => format!("d{}", self.sides),
            _ => "Fate die".to_owned(),
        };
        let (lowest, highest) = (self.lowest, self.highest());

        let Some(face) = face else {
            return Err(FaceError::too_few(position, given, &name));
        };
        if (lowest..=highest).contains(&face) {
            Ok(face)
        } else {
            Err(FaceError::no_such_face(
                position,
                face,
                &name,
                (lowest, highest),
            ))
        }
    }
}

/// Returns the number that two ten-sided dice make as tens and ones. The tens may be printed as 70 or as 7.
fn hundred(tens: i32, ones: i32) -> Option<i32> {
    let tens = match tens {
        0..=9 => tens,
        10..=90 if tens % 10 == 0 => tens / 10,
        _ => return None,
    };
    match (tens, ones) {
        (0, 0) => Some(100),
        (_, 0..=9) => Some(10 * tens + ones),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_testing::assert_mistakes;

    #[test]
    fn wrong_faces_are_explained() {
        assert_mistakes(include_str!("faces.txt"), |text| {
            let (notation, faces) = text.split_once(" as ").unwrap();
            let notation: Notation = notation.parse().unwrap();
            let faces: Vec<i32> = faces.split(' ').map(|face| face.parse().unwrap()).collect();
            notation.read(&faces).unwrap_err().to_string()
        });
    }
}
