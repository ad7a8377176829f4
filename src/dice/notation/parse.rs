//! Text to program: one pass, operators on a stack of their own, no recursion.

use std::iter::Peekable;
use std::str::CharIndices;

use thiserror::Error;

use super::{KeepDice, MOST_DICE, MOST_SIDES, Notation, Op, Stack, Term, Value};

/// The longest expression, in bytes.
const LONGEST_TEXT: usize = 10_000;
/// The largest number that may be written.
const LARGEST_NUMBER: u64 = 1_000_000_000;

/// An expression that cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem} (column {column})")]
pub struct NotationError {
    /// The character at which it shows, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// It is too long.
    #[error("a dice expression has at most 10,000 characters")]
    TooLong,
    /// A character that does not belong there.
    #[error("{0:?} does not belong here; dice are written like 4d6kh3 + 2")]
    Stranger(char),
    /// It ends too early.
    #[error("a number or dice are missing here; dice are written like 4d6kh3 + 2")]
    Missing,
    /// A bracket that is never closed.
    #[error("this bracket is never closed")]
    Unclosed,
    /// A bracket that was never opened.
    #[error("this bracket was never opened")]
    Unopened,
    /// Too many dice.
    #[error("one expression rolls at most 10,000 dice")]
    TooManyDice,
    /// Too few or too many sides.
    #[error("a die has from 1 to 1,000,000 sides")]
    Sides,
    /// A number that is too large.
    #[error("numbers go up to 1,000,000,000")]
    NumberTooLarge,
    /// The total could become too large.
    #[error("the total could become too large to count")]
    TotalTooLarge,
    /// The same thing said twice of the same dice.
    #[error("these dice are told twice what to do with {0}")]
    Twice(&'static str),
    /// A die that would explode for ever.
    #[error("a die with one side would explode for ever")]
    EndlessChain,
    /// Nothing is kept.
    #[error("at least one die must be kept")]
    NothingKept,
}

/// What waits on the stack of operators.
#[derive(Clone, Copy)]
enum Waiting {
    Bracket(usize),
    Operator(Op, usize),
}

/// Reads an expression.
pub(super) fn parse(text: &str) -> Result<Notation, NotationError> {
    if text.len() > LONGEST_TEXT {
        return Err(NotationError {
            column: LONGEST_TEXT,
            problem: Problem::TooLong,
        });
    }
    let parser = Parser {
        text: text.char_indices().peekable(),
        end: text.len(),
        dice: 0,
        waiting: Vec::new(),
        program: Vec::new(),
        ranges: Stack(Vec::new()),
    };
    parser.expression().map_err(|(at, problem)| NotationError {
        column: text.get(..at).map_or(0, |before| before.chars().count()) + 1,
        problem,
    })
}

/// A problem and the byte at which it shows.
type Trouble = (usize, Problem);

struct Parser<'a> {
    text: Peekable<CharIndices<'a>>,
    end: usize,
    dice: u32,
    waiting: Vec<Waiting>,
    program: Vec<Op>,
    /// The smallest and largest of each value that is open.
    ranges: Stack<Range>,
}

impl Parser<'_> {
    fn expression(mut self) -> Result<Notation, Trouble> {
        loop {
            self.operand()?;
            if !self.operator()? {
                break;
            }
        }
        while let Some(waiting) = self.waiting.pop() {
            match waiting {
                Waiting::Bracket(at) => return Err((at, Problem::Unclosed)),
                Waiting::Operator(op, at) => self.emit(op, at)?,
            }
        }
        Ok(Notation {
            range: self.ranges.result().0,
            program: self.program,
        })
    }

    /// Reads signs and opening brackets, and then a number or dice.
    fn operand(&mut self) -> Result<(), Trouble> {
        loop {
            self.skip_spaces();
            let Some(&(at, next)) = self.text.peek() else {
                return Err((self.end, Problem::Missing));
            };
            match next {
                '(' => self.waiting.push(Waiting::Bracket(at)),
                '-' => self.waiting.push(Waiting::Operator(Op::Negate, at)),
                '+' => {}
                '0'..='9' => {
                    let number = self.number();
                    if self.take(&['d', 'D']) {
                        return self.dice(at, number);
                    }
                    if number > LARGEST_NUMBER {
                        return Err((at, Problem::NumberTooLarge));
                    }
                    return self.emit(Op::Number(i64::try_from(number).unwrap_or(i64::MAX)), at);
                }
                'd' | 'D' => {
                    self.text.next();
                    return self.dice(at, 1);
                }
                ')' => return Err((at, Problem::Missing)),
                stranger => return Err((at, Problem::Stranger(stranger))),
            }
            self.text.next();
        }
    }

    /// Reads closing brackets and then an operator; `false` at the end.
    fn operator(&mut self) -> Result<bool, Trouble> {
        loop {
            self.skip_spaces();
            let Some((at, next)) = self.text.next() else {
                return Ok(false);
            };
            let op = match next {
                ')' => {
                    self.close(at)?;
                    continue;
                }
                '+' => Op::Add,
                '-' | '−' => Op::Subtract,
                '*' | '×' => Op::Multiply,
                stranger => return Err((at, Problem::Stranger(stranger))),
            };
            while let Some(&Waiting::Operator(before, before_at)) = self.waiting.last()
                && binds(before) >= binds(op)
            {
                self.waiting.pop();
                self.emit(before, before_at)?;
            }
            self.waiting.push(Waiting::Operator(op, at));
            return Ok(true);
        }
    }

    fn close(&mut self, at: usize) -> Result<(), Trouble> {
        loop {
            match self.waiting.pop() {
                Some(Waiting::Operator(op, op_at)) => self.emit(op, op_at)?,
                Some(Waiting::Bracket(_)) => return Ok(()),
                None => return Err((at, Problem::Unopened)),
            }
        }
    }

    /// Appends a step, following how small and how large values can become.
    fn emit(&mut self, op: Op, at: usize) -> Result<(), Trouble> {
        self.ranges
            .step(&op, |term| Ok(Range(term.range())))
            .map_err(|problem| (at, problem))?;
        self.program.push(op);
        Ok(())
    }

    /// Reads dice after their `d`.
    fn dice(&mut self, at: usize, count: u64) -> Result<(), Trouble> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        self.dice = self.dice.saturating_add(count);
        if self.dice > MOST_DICE {
            return Err((at, Problem::TooManyDice));
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
                (1, sides.ok_or((sides_at, Problem::Sides))?)
            }
            Some(&(at, stranger)) => return Err((at, Problem::Stranger(stranger))),
            None => return Err((sides_at, Problem::Missing)),
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
                return Err((at, Problem::EndlessChain));
            }
            if std::mem::replace(&mut term.explodes, true) {
                return Err((at, Problem::Twice("their highest face")));
            }
        } else if self.take(&['r', 'R']) {
            let faces = self.reroll(term);
            if term.reroll.replace(faces).is_some() {
                return Err((at, Problem::Twice("faces to roll again")));
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
        return Err((at, Problem::Twice("which of them count")));
    }
    if keep == 0 && term.count > 0 {
        return Err((at, Problem::NothingKept));
    }
    term.keep = if highest {
        KeepDice::Highest(keep)
    } else {
        KeepDice::Lowest(keep)
    };
    Ok(true)
}

/// How strongly an operator holds what stands beside it.
fn binds(op: Op) -> u8 {
    match op {
        Op::Add | Op::Subtract => 1,
        Op::Multiply => 2,
        Op::Negate => 3,
        Op::Number(_) | Op::Roll(_) => 4,
    }
}

/// The smallest and the largest total.
struct Range((i64, i64));

impl Range {
    fn within(range: Option<(i64, i64)>) -> Result<Self, Problem> {
        let range = range.filter(|(low, high)| *low > -i64::MAX && *high < i64::MAX);
        range.map(Self).ok_or(Problem::TotalTooLarge)
    }
}

impl Value for Range {
    type Error = Problem;

    fn number(number: i64) -> Self {
        Self((number, number))
    }

    fn negated(self) -> Self {
        let (low, high) = self.0;
        Self((-high, -low))
    }

    fn plus(self, Self((low_b, high_b)): Self) -> Result<Self, Problem> {
        let (low, high) = self.0;
        Self::within(low.checked_add(low_b).zip(high.checked_add(high_b)))
    }

    fn times(self, Self((low_b, high_b)): Self) -> Result<Self, Problem> {
        let (low, high) = self.0;
        let corners = [(low, low_b), (low, high_b), (high, low_b), (high, high_b)];
        let products = corners.map(|(a, b)| a.checked_mul(b));
        let all: Option<Vec<i64>> = products.into_iter().collect();
        let all = all.unwrap_or_default();
        Self::within(all.iter().min().copied().zip(all.iter().max().copied()))
    }
}
