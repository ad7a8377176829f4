//! Parses the modifiers of dice: re-rolls, explosions, kept and counted dice.

use super::error::NotationError;
use super::parse::{LARGEST_NUMBER, NotationParser, is_single_d20, roll_with_advantage};
use super::syntax::{DiceTerm, FaceRange};
use crate::Keep;

/// Dice that explode more often would reach the longest chain of rolls, and their odds would not be exact.
const MOST_EXPLOSIONS: f64 = 0.97;

#[derive(Clone, Copy)]
enum Comparison {
    Above,
    AtLeast,
    Below,
    AtMost,
    Equal,
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
                    let Some((advantage, length)) = self.peek_advantage() else {
                        break;
                    };
                    if !is_single_d20(term) {
                        break;
                    }
                    self.skip(length);
                    roll_with_advantage(term, advantage);
                    self.count_dice(start, 1)?;
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

    /// Skips blanks if a modifier follows them, as in `4d6 kh3`. In `4d6 d4` an operator is missing, so these blanks
    /// stay.
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
        let exploding = FaceRange {
            from: faces.from.max(term.lowest),
            to: faces.to.min(term.highest()),
        };
        if exploding.from > exploding.to {
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
        if self.take('o') || self.take('O') {
            // `ro` re-rolls once in other programs, as `r` does here.
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
        Ok(Some(match comparison.unwrap_or(Comparison::Equal) {
            Comparison::Above => FaceRange {
                from: face + 1,
                to: i32::MAX,
            },
            Comparison::AtLeast => FaceRange {
                from: face,
                to: i32::MAX,
            },
            Comparison::Below => FaceRange {
                from: i32::MIN,
                to: face - 1,
            },
            Comparison::AtMost => FaceRange {
                from: i32::MIN,
                to: face,
            },
            Comparison::Equal => FaceRange {
                from: face,
                to: face,
            },
        }))
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

/// Refuses dice that explode too often, and combinations that no game defines.
fn check_explosion(term: &DiceTerm, start: usize) -> Result<(), NotationError> {
    if term.counted.is_some() && term.keep != Keep::All {
        let problem = "exploding dice are kept or counted, not both";
        return Err(NotationError::new(start, problem));
    }

    let faces = term.lowest..=term.highest();
    let sides = f64::from(term.sides);
    let exploding = count_within(&faces, term.explode);
    let rerolled = count_within(&faces, term.reroll);
    let both = match (term.explode, term.reroll) {
        (Some(explode), Some(reroll)) => count_within(
            &faces,
            Some(FaceRange {
                from: explode.from.max(reroll.from),
                to: explode.to.min(reroll.to),
            }),
        ),
        _ => 0.0,
    };
    let chance = (exploding - both) / sides + rerolled / sides * exploding / sides;
    if chance > MOST_EXPLOSIONS {
        let problem = "these dice would explode almost every time";
        return Err(NotationError::new(start, problem));
    }
    Ok(())
}

fn count_within(faces: &std::ops::RangeInclusive<i32>, within: Option<FaceRange>) -> f64 {
    let Some(within) = within else {
        return 0.0;
    };
    let from = within.from.max(*faces.start());
    let to = within.to.min(*faces.end());
    f64::from((to.saturating_add(1)).saturating_sub(from).max(0))
}

fn digits_cannot(what: &str, start: usize) -> NotationError {
    let problem = format!("d66 and d666 are read from several d6, which cannot {what}");
    NotationError::new(start, problem)
}

fn given_twice(modifier: &str, start: usize) -> NotationError {
    let problem = format!("these dice have a second {modifier}; one is allowed");
    NotationError::new(start, problem)
}
