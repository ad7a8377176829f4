//! Reads dice that were rolled by hand.

use super::Notation;
use super::roll::RolledNotation;
use super::syntax::DiceTerm;
use crate::FaceError;

impl Notation {
    /// Computes the result of faces that were rolled by hand. They are given in rolled order: a die with its re-roll and
    /// its explosions, then the next die. A printed 0 is a 10 on a d10 and a 100 on a d100. A d100 may also be two faces,
    /// tens and ones: `7,2` or `70,2` is 72, and `0,0` is 100.
    ///
    /// # Errors
    /// If there are too few or too many faces, or a die does not have its face.
    pub fn read(&self, faces: &[i32]) -> Result<RolledNotation, FaceError> {
        let result = self.read_faces(faces);
        if result.is_err()
            && let Some(joined) = self.join_hundreds(faces)
            && let Ok(rolled) = self.read_faces(&joined)
        {
            return Ok(rolled);
        }
        result
    }

    /// Returns the faces with the tens and the ones of each d100 joined to one number. `None` if a d100 has no such
    /// pair, or if faces are missing.
    fn join_hundreds(&self, faces: &[i32]) -> Option<Vec<i32>> {
        let mut remaining = faces.iter().copied();
        let mut joined = Vec::new();
        let mut is_wrong = false;

        let mut next_face = |term: &DiceTerm| {
            let face = if term.is_hundred() {
                let pair = remaining.next().zip(remaining.next());
                pair.and_then(|(tens, ones)| join_digits(tens, ones))
            } else {
                remaining.next()
            };
            is_wrong |= face.is_none();
            let face = face.unwrap_or(term.lowest);
            joined.push(face);
            term.face_from_printed(face)
        };
        self.resolve(&mut next_face, &mut RolledNotation::default());

        joined.extend(remaining);
        if is_wrong { None } else { Some(joined) }
    }

    /// Computes the result of faces, one for each die.
    fn read_faces(&self, faces: &[i32]) -> Result<RolledNotation, FaceError> {
        let mut used = 0;
        let mut first_error = None;
        let mut rolled = RolledNotation::default();

        let mut next_face = |term: &DiceTerm| {
            let printed = faces.get(used);
            let face = printed.map(|face| term.face_from_printed(*face));
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

    /// Translates the face printed on a real die: the 0 of a d10 is 10, and the 00 of a d100 is 100.
    const fn face_from_printed(&self, printed: i32) -> i32 {
        match (self.lowest, self.sides, printed) {
            (1, 10, 0) => 10,
            (1, 100, 0) => 100,
            _ => printed,
        }
    }

    /// A face that ends a chain of explosions. It replaces an impossible face, so that a wrong list of faces does not
    /// explode endlessly.
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

/// Returns the number from 1 to 100 that two ten-sided dice show as tens and ones. The tens may be printed as 70 or as 7.
fn join_digits(tens: i32, ones: i32) -> Option<i32> {
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
