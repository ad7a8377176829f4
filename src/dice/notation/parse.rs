//! Text to program: one pass, operators on a stack of their own, no recursion.

use std::iter::Peekable;
use std::str::CharIndices;

use thiserror::Error;

use super::{KeepDice, MOST_DICE, MOST_SIDES, Notation, Op, Stack, Term, Value};

/// The longest expression, in bytes.
const LONGEST_TEXT: usize = 10_000;
/// The largest number that may be written.
const LARGEST_NUMBER: u64 = 1_000_000_000;

/// So many brackets may stand in each other.
const DEEPEST: u32 = 100;

/// An expression that cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem} (column {column})")]
pub struct NotationError {
    /// The character at which it shows, counted from 1.
    column: usize,
    /// What is wrong, as a sentence.
    problem: String,
}

const MISSING: &str = "a number or dice are missing here; dice are written like 4d6kh3 + 2";

/// Reads an expression.
pub(super) fn parse(text: &str) -> Result<Notation, NotationError> {
    let error = |(at, problem): Trouble| NotationError {
        column: text.get(..at).map_or(0, |before| before.chars().count()) + 1,
        problem,
    };
    if text.len() > LONGEST_TEXT {
        let problem = "a dice expression has at most 10,000 characters";
        return Err(error((0, problem.to_owned())));
    }
    let parser = Parser {
        text: text.char_indices().peekable(),
        end: text.len(),
        dice: 0,
        depth: 0,
        program: Vec::new(),
        ranges: Stack(Vec::new()),
    };
    parser.whole().map_err(error)
}

/// The byte at which a problem shows, and what is wrong.
type Trouble = (usize, String);

fn trouble<T>(at: usize, problem: &str) -> Result<T, Trouble> {
    Err((at, problem.to_owned()))
}

fn stranger<T>(at: usize, letter: char) -> Result<T, Trouble> {
    let problem = format!("{letter:?} does not belong here; dice are written like 4d6kh3 + 2");
    Err((at, problem))
}

struct Parser<'a> {
    text: Peekable<CharIndices<'a>>,
    end: usize,
    dice: u32,
    /// How many brackets are open.
    depth: u32,
    program: Vec<Op>,
    /// The smallest and largest of each value that is open.
    ranges: Stack<Range>,
}

impl Parser<'_> {
    fn whole(mut self) -> Result<Notation, Trouble> {
        self.sum()?;
        match self.text.next() {
            None => Ok(Notation {
                range: self.ranges.result().0,
                program: self.program,
            }),
            Some((at, ')')) => trouble(at, "this bracket was never opened"),
            Some((at, letter)) => stranger(at, letter),
        }
    }

    fn sum(&mut self) -> Result<(), Trouble> {
        self.product()?;
        while let Some((at, sign)) = self.operator(&['+', '-', '−']) {
            self.product()?;
            let op = if sign == '+' { Op::Add } else { Op::Subtract };
            self.emit(op, at)?;
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), Trouble> {
        self.operand()?;
        while let Some((at, _)) = self.operator(&['*', '×']) {
            self.operand()?;
            self.emit(Op::Multiply, at)?;
        }
        Ok(())
    }

    /// The next of these operators, with its place, if one comes next.
    fn operator(&mut self, any: &[char]) -> Option<(usize, char)> {
        self.skip_spaces();
        self.text.next_if(|(_, next)| any.contains(next))
    }

    /// Reads signs, and then a number, dice or brackets.
    fn operand(&mut self) -> Result<(), Trouble> {
        let mut is_negative = false;
        while let Some((_, sign)) = self.operator(&['+', '-']) {
            is_negative ^= sign == '-';
        }
        let at = self.at();
        match self.text.peek().map(|(_, next)| *next) {
            Some('(') => self.brackets(at)?,
            Some('0'..='9') => {
                let number = self.number();
                if self.take(&['d', 'D']) {
                    self.dice(at, number)?;
                } else if number > LARGEST_NUMBER {
                    return trouble(at, "numbers go up to 1,000,000,000");
                } else {
                    self.emit(Op::Number(number.cast_signed()), at)?;
                }
            }
            Some('d' | 'D') => {
                self.text.next();
                self.dice(at, 1)?;
            }
            Some(')') | None => return trouble(at, MISSING),
            Some(letter) => return stranger(at, letter),
        }
        if is_negative {
            self.emit(Op::Negate, at)?;
        }
        Ok(())
    }

    fn brackets(&mut self, at: usize) -> Result<(), Trouble> {
        if self.depth == DEEPEST {
            return trouble(at, "brackets stand in each other at most 100 deep");
        }
        self.text.next();
        self.depth += 1;
        self.sum()?;
        self.depth -= 1;
        match self.text.next() {
            Some((_, ')')) => Ok(()),
            Some((at, letter)) => stranger(at, letter),
            None => trouble(at, "this bracket is never closed"),
        }
    }

    /// Appends a step, following how small and how large values can become.
    fn emit(&mut self, op: Op, at: usize) -> Result<(), Trouble> {
        let stepped = self.ranges.step(&op, |term| Ok(Range(term.range())));
        let too_large = |TotalTooLarge| "the total could become too large to count".to_owned();
        stepped.map_err(|error| (at, too_large(error)))?;
        self.program.push(op);
        Ok(())
    }

    /// Reads dice after their `d`.
    fn dice(&mut self, at: usize, count: u64) -> Result<(), Trouble> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.dice = self.dice.saturating_add(count);
        if self.dice > MOST_DICE {
            return trouble(at, "one expression rolls at most 10,000 dice");
        }
        let sides_at = self.at();
        let (lowest, sides) = match self.text.peek() {
            Some((_, '%')) => {
                self.text.next();
                (1, 100)
            }
            Some((_, 'F' | 'f')) => {
                self.text.next();
                (-1, 3)
            }
            Some((_, '0'..='9')) => {
                let sides = u32::try_from(self.number()).ok();
                let sides = sides.filter(|sides| (1..=MOST_SIDES).contains(sides));
                match sides {
                    Some(sides) => (1, sides),
                    None => return trouble(sides_at, "a die has from 1 to 1,000,000 sides"),
                }
            }
            Some(&(at, letter)) => return stranger(at, letter),
            None => return trouble(sides_at, MISSING),
        };
        let mut term = Term {
            count,
            lowest,
            sides,
            reroll: None,
            explodes: false,
            keep: KeepDice::All,
        };
        while self.modifier(&mut term)? {}
        self.emit(Op::Roll(term), at)
    }

    /// Reads one thing said of dice, if there is one.
    fn modifier(&mut self, term: &mut Term) -> Result<bool, Trouble> {
        let at = self.at();
        if self.take(&['!']) {
            if term.sides == 1 {
                return trouble(at, "a die with one side would explode for ever");
            }
            if std::mem::replace(&mut term.explodes, true) {
                return twice(at, "their highest face");
            }
        } else if self.take(&['r', 'R']) {
            let faces = self.reroll(term);
            if term.reroll.replace(faces).is_some() {
                return twice(at, "faces to roll again");
            }
        } else if self.take(&['k', 'K']) {
            let highest = !self.take(&['l', 'L']);
            if highest {
                self.take(&['h', 'H']);
            }
            let keep = self.amount(1);
            return keep_dice(term, at, highest, keep);
        } else if self.take(&['d', 'D']) {
            let lowest = !self.take(&['h', 'H']);
            if lowest {
                self.take(&['l', 'L']);
            }
            let keep = term.count.saturating_sub(self.amount(1));
            return keep_dice(term, at, lowest, keep);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads which faces are rolled once more, after the `r`.
    fn reroll(&mut self, term: &Term) -> (i32, i32) {
        self.take(&['o', 'O']);
        let side = [('<', true), ('>', false)]
            .into_iter()
            .find(|&(sign, _)| self.take(&[sign]));
        let included = self.take(&['=']);
        let face = match self.text.peek() {
            Some((_, '0'..='9')) => self.amount(1).min(MOST_SIDES + 1).cast_signed(),
            _ => term.lowest,
        };
        match side {
            Some((_, true)) => (term.lowest, if included { face } else { face - 1 }),
            Some((_, false)) => (if included { face } else { face + 1 }, term.highest()),
            None => (face, face),
        }
    }

    /// Reads a number that may be left out.
    fn amount(&mut self, unless: u32) -> u32 {
        match self.text.peek() {
            Some((_, '0'..='9')) => u32::try_from(self.number()).unwrap_or(u32::MAX),
            _ => unless,
        }
    }

    /// Reads digits; what is too large for any purpose stays too large.
    fn number(&mut self) -> u64 {
        let mut number: u64 = 0;
        while let Some(digit) = self.text.peek().and_then(|(_, next)| next.to_digit(10)) {
            self.text.next();
            number = number.saturating_mul(10).saturating_add(digit.into());
        }
        number
    }

    fn take(&mut self, any: &[char]) -> bool {
        self.text.next_if(|(_, next)| any.contains(next)).is_some()
    }

    fn skip_spaces(&mut self) {
        while self
            .text
            .next_if(|(_, next)| next.is_whitespace())
            .is_some()
        {}
    }

    fn at(&mut self) -> usize {
        self.text.peek().map_or(self.end, |&(at, _)| at)
    }
}

fn keep_dice(term: &mut Term, at: usize, highest: bool, keep: u32) -> Result<bool, Trouble> {
    if term.keep != KeepDice::All {
        return twice(at, "which of them count");
    }
    if keep == 0 && term.count > 0 {
        return trouble(at, "at least one die must be kept");
    }
    term.keep = if highest {
        KeepDice::Highest(keep)
    } else {
        KeepDice::Lowest(keep)
    };
    Ok(true)
}

fn twice<T>(at: usize, what: &str) -> Result<T, Trouble> {
    Err((
        at,
        format!("these dice are told twice what to do with {what}"),
    ))
}

/// A total that no 64 bits hold.
struct TotalTooLarge;

/// The smallest and the largest total.
struct Range((i64, i64));

impl Range {
    fn within(range: Option<(i64, i64)>) -> Result<Self, TotalTooLarge> {
        let range = range.filter(|(low, high)| *low > -i64::MAX && *high < i64::MAX);
        range.map(Self).ok_or(TotalTooLarge)
    }
}

impl Value for Range {
    type Error = TotalTooLarge;

    fn number(number: i64) -> Self {
        Self((number, number))
    }

    fn negated(self) -> Self {
        let (low, high) = self.0;
        Self((-high, -low))
    }

    fn plus(self, Self((low_b, high_b)): Self) -> Result<Self, TotalTooLarge> {
        let (low, high) = self.0;
        Self::within(low.checked_add(low_b).zip(high.checked_add(high_b)))
    }

    fn times(self, Self((low_b, high_b)): Self) -> Result<Self, TotalTooLarge> {
        let (low, high) = self.0;
        let corners = [(low, low_b), (low, high_b), (high, low_b), (high, high_b)];
        let products = corners.map(|(a, b)| a.checked_mul(b));
        let all: Option<Vec<i64>> = products.into_iter().collect();
        let all = all.unwrap_or_default();
        Self::within(all.iter().min().copied().zip(all.iter().max().copied()))
    }
}
