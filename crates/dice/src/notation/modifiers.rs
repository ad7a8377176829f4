//! Parses the modifiers of dice: re-rolls, explosions, kept and counted dice.

use super::error::NotationError;
use super::parse::{LARGEST_NUMBER, NotationParser, is_single_d20, roll_with_advantage};
use super::syntax::{DiceTerm, FaceRange};
use crate::Keep;

/// The highest probability of an explosion. Dice that explode more often would reach the longest chain of rolls, at which
/// rolling stops, and the odds do not consider this end.
const HIGHEST_EXPLOSION_CHANCE: f64 = 0.97;

#[derive(Clone, Copy)]
enum Comparison {
    Above,
    AtLeast,
    Below,
    AtMost,
    Equal,
}

impl Comparison {
    /// Returns the faces that satisfy the comparison with this face.
    fn range(self, face: i32) -> FaceRange {
        let (from, to) = match self {
            Self::Above => (face + 1, i32::MAX),
            Self::AtLeast => (face, i32::MAX),
            Self::Below => (i32::MIN, face - 1),
            Self::AtMost => (i32::MIN, face),
            Self::Equal => (face, face),
        };
        FaceRange { from, to }
    }
}

impl NotationParser<'_> {
    /// Parses all modifiers of a dice term.
    pub(super) fn modifiers(&mut self, term: &mut DiceTerm) -> Result<(), NotationError> {
        let mut explosion_start = None;

        loop {
            self.skip_blanks_before_modifier(term);
            let start = self.position();
            match self.peek() {
                Some('!') => {
                    self.explosion(term)?;
                    explosion_start = Some(start);
                }
                Some('r' | 'R') => self.reroll(term)?,
                Some('>' | '<' | '=' | '≥' | '≤') => self.counted(term)?,
                Some('c' | 'C') if matches!(self.peek_at(1), Some('s' | 'S')) => {
                    self.skip(2);
                    self.counted(term)?;
                }
                Some('a' | 'A' | 'd' | 'D') if self.peek_advantage().is_some() => {
                    if !is_single_d20(term) {
                        break;
                    }
                    self.advantage(term)?;
                }
                Some('k' | 'K' | 'd' | 'D') => self.keep(term)?,
                _ => break,
            }
        }

        if let Some(start) = explosion_start {
            check_explosion(term, start)?;
        }
        Ok(())
    }

    /// Parses a word such as `adv`, which rolls a second d20.
    fn advantage(&mut self, term: &mut DiceTerm) -> Result<(), NotationError> {
        let start = self.position();
        if let Some((advantage, length)) = self.peek_advantage() {
            self.skip(length);
            roll_with_advantage(term, advantage);
            self.count_dice(start, 1)?;
        }
        Ok(())
    }

    /// Skips blanks if a modifier follows them, as in `4d6 kh3`. The `d4` in `4d6 d4` is no modifier but a die without an
    /// operator before it.
    fn skip_blanks_before_modifier(&mut self, term: &DiceTerm) {
        let blanks = self.blanks();
        let second = self.peek_at(blanks + 1);
        let is_modifier = match self.peek_at(blanks) {
            Some('!' | 'r' | 'R' | 'k' | 'K' | '>' | '<' | '=' | '≥' | '≤') => true,
            Some('c' | 'C') => matches!(second, Some('s' | 'S')),
            Some('d' | 'D') if matches!(second, Some('h' | 'H' | 'l' | 'L')) => true,
            Some('a' | 'A' | 'd' | 'D') => self.peek_advantage().is_some() && is_single_d20(term),
            _ => false,
        };
        if is_modifier {
            self.skip(blanks);
        }
    }

    /// Parses `!`, `!!`, `!5` or `!>=5`.
    fn explosion(&mut self, term: &mut DiceTerm) -> Result<(), NotationError> {
        let start = self.position();
        self.skip(1);
        term.compounds = self.take('!');

        if term.digits > 1 {
            return Err(digits_cannot("explode", start));
        }
        if term.sides == 1 {
            let problem = "a die with one side would explode for ever";
            return Err(NotationError::new(start, problem));
        }

        let faces = self
            .faces(term, start, "2d6!>=5")?
            .unwrap_or_else(|| FaceRange {
                from: term.highest(),
                to: term.highest(),
            });
        let exploding = faces.intersect(term.all_faces());
        if exploding.is_empty() {
            let problem = format!("a d{} never explodes on that", term.sides);
            return Err(NotationError::new(start, problem)
                .suggest("a comparison before ! counts dice, as in 5d6>=5!"));
        }
        if exploding.from < 1 {
            let problem = "a die explodes only on faces from 1 up";
            return Err(NotationError::new(start, problem));
        }

        match term.explode.replace(exploding) {
            None => Ok(()),
            Some(_) => Err(given_twice("explosion", start)),
        }
    }

    /// Parses `r`, `r2` or `r<3`. `ro` is another way to write `r`.
    fn reroll(&mut self, term: &mut DiceTerm) -> Result<(), NotationError> {
        let start = self.position();
        self.skip(1);
        // `ro` re-rolls once in other programs, as `r` does here.
        if matches!(self.peek(), Some('o' | 'O')) {
            self.skip(1);
        }
        if term.digits > 1 {
            return Err(digits_cannot("be re-rolled", start));
        }

        let faces = self.faces(term, start, "2d6r<3")?.unwrap_or(FaceRange {
            from: term.lowest,
            to: term.lowest,
        });
        match term.reroll.replace(faces) {
            None => Ok(()),
            Some(_) => Err(given_twice("re-roll", start)),
        }
    }

    /// Parses `>=8` and other comparisons, which count dice.
    fn counted(&mut self, term: &mut DiceTerm) -> Result<(), NotationError> {
        let start = self.position();
        let Some(faces) = self.faces(term, start, "10d10>=8")? else {
            return Err(self.misplaced());
        };
        match term.counted.replace(faces) {
            None => Ok(()),
            Some(_) => Err(given_twice("comparison", start)),
        }
    }

    /// Parses `kh3`, `kl1`, `dh1`, `dl1` and their short forms. `k` is `kh` and `d` is `dl`: both keep the highest.
    fn keep(&mut self, term: &mut DiceTerm) -> Result<(), NotationError> {
        let start = self.position();
        let keeps = matches!(self.peek(), Some('k' | 'K'));
        self.skip(1);

        let says_high = self.take('h') || self.take('H');
        let says_low = !says_high && (self.take('l') || self.take('L'));
        let keeps_highest = if keeps { !says_low } else { !says_high };

        let amount = self.number().unwrap_or(1);
        let kept = if keeps {
            amount
        } else {
            term.count.saturating_sub(amount)
        };
        if kept == 0 && term.count > 0 {
            return Err(NotationError::new(start, "at least one die must be kept"));
        }
        if term.keep != Keep::All {
            return Err(given_twice("keep or drop", start));
        }

        term.keep = if keeps_highest {
            Keep::Highest(kept)
        } else {
            Keep::Lowest(kept)
        };
        Ok(())
    }

    /// Parses a comparison and a face, or a face alone. `None` if neither follows.
    fn faces(
        &mut self,
        term: &DiceTerm,
        start: usize,
        example: &str,
    ) -> Result<Option<FaceRange>, NotationError> {
        let comparison = self.comparison();
        if comparison.is_some() {
            self.skip_blanks();
        }

        let is_negative =
            term.lowest < 0 && matches!(self.peek_at(1), Some('0'..='9')) && self.take('-');
        let Some(number) = self.number() else {
            if comparison.is_none() {
                return Ok(None);
            }
            let problem = format!("a face is missing here, as in {example}");
            return Err(NotationError::new(self.position().max(start), problem));
        };

        let size = number.min(LARGEST_NUMBER).cast_signed();
        let face = if is_negative { -size } else { size };
        let comparison = comparison.unwrap_or(Comparison::Equal);
        Ok(Some(comparison.range(face)))
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let (length, comparison) = match (self.peek()?, self.peek_at(1)) {
            ('>', Some('=')) | ('=', Some('>')) => (2, Comparison::AtLeast),
            ('<', Some('=')) | ('=', Some('<')) => (2, Comparison::AtMost),
            ('=', Some('=')) => (2, Comparison::Equal),
            ('>', _) => (1, Comparison::Above),
            ('<', _) => (1, Comparison::Below),
            ('=', _) => (1, Comparison::Equal),
            ('≥', _) => (1, Comparison::AtLeast),
            ('≤', _) => (1, Comparison::AtMost),
            _ => return None,
        };
        self.skip(length);
        Some(comparison)
    }
}

/// Refuses dice that explode too often, and combinations of modifiers that no game uses.
fn check_explosion(term: &DiceTerm, start: usize) -> Result<(), NotationError> {
    if term.counted.is_some() && term.keep != Keep::All {
        let problem = "exploding dice are kept or counted, not both";
        return Err(NotationError::new(start, problem));
    }

    let explode = term.explode.unwrap_or(FaceRange::EMPTY);
    let reroll = term.reroll.unwrap_or(FaceRange::EMPTY);
    let exploding = share_of_faces(term, explode);
    let rerolled = share_of_faces(term, reroll);
    let exploding_and_rerolled = share_of_faces(term, explode.intersect(reroll));

    let explodes_at_once = exploding - exploding_and_rerolled;
    let explodes_after_reroll = rerolled * exploding;
    if explodes_at_once + explodes_after_reroll > HIGHEST_EXPLOSION_CHANCE {
        let problem = "these dice would explode almost every time";
        return Err(NotationError::new(start, problem));
    }
    Ok(())
}

/// Returns the probability that a die shows one of these faces.
fn share_of_faces(term: &DiceTerm, faces: FaceRange) -> f64 {
    let shown = faces.intersect(term.all_faces());
    if shown.is_empty() {
        return 0.0;
    }
    f64::from(shown.to - shown.from + 1) / f64::from(term.sides)
}

fn digits_cannot(what: &str, start: usize) -> NotationError {
    let problem = format!("d66 and d666 are read from several d6, which cannot {what}");
    NotationError::new(start, problem)
}

fn given_twice(modifier: &str, start: usize) -> NotationError {
    let problem = format!("these dice have a second {modifier}; one is allowed");
    NotationError::new(start, problem)
}
