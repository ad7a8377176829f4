//! Parses dice expressions by recursive descent.

use super::error::NotationError;
use super::letters::{Advantage, advantage_word, ascii_form, repeat_prefix};
use super::syntax::{DiceTerm, Factor, FactorOperator, Node};
use super::{MOST_DICE, MOST_REPETITIONS, MOST_SIDES, Notation, TotalRange, suggest};
use crate::Keep;

/// The longest expression, in characters.
const LONGEST_TEXT: usize = 10_000;
/// The longest comment, in characters.
const LONGEST_COMMENT: usize = 200;
/// The largest number that may be written.
pub(super) const LARGEST_NUMBER: u32 = 1_000_000_000;
/// The deepest nesting of brackets. It bounds the recursion of the parser and of all functions that visit the tree.
const DEEPEST: u32 = 100;

/// Parses an expression. An error suggests a correction.
pub(super) fn parse(text: &str) -> Result<Notation, NotationError> {
    parse_plainly(text).map_err(|error| suggest::suggest_correction(text, error))
}

/// Parses an expression. An error has no correction.
pub(super) fn parse_plainly(text: &str) -> Result<Notation, NotationError> {
    if text.len() > LONGEST_TEXT && text.chars().nth(LONGEST_TEXT).is_some() {
        return Err(NotationError::new(
            0,
            "a dice expression has at most 10,000 characters",
        ));
    }

    let (expression, comment) = match text.split_once('#') {
        Some((expression, comment)) => (expression, comment.trim()),
        None => (text, ""),
    };
    let mut letters: Vec<char> = expression.chars().collect();
    if comment.chars().nth(LONGEST_COMMENT).is_some() {
        return Err(NotationError::new(
            letters.len(),
            "a comment has at most 200 characters",
        ));
    }

    let repeat = repeat_prefix(&letters);
    for letter in &mut letters {
        *letter = ascii_form(*letter);
    }

    let mut parser = NotationParser {
        letters: &letters,
        position: 0,
        repetitions: 1,
        dice: 0,
        depth: 0,
    };
    if let Some(prefix) = repeat {
        parser.repetitions(prefix.end)?;
    }
    parser.expression(comment)
}

/// A parsed part of an expression.
struct Operand {
    node: Node,
    range: TotalRange,
}

pub(super) struct NotationParser<'a> {
    /// The expression, mapped to ASCII, without the comment.
    pub(super) letters: &'a [char],
    pub(super) position: usize,
    /// How often the expression is rolled.
    repetitions: u32,
    /// The number of parsed dice, in one repetition.
    dice: u32,
    /// The number of open brackets.
    depth: u32,
}

impl NotationParser<'_> {
    /// Parses the number before a repeated expression, and skips the `x` after it. `end` is the position after the `x`.
    fn repetitions(&mut self, end: usize) -> Result<(), NotationError> {
        self.skip_blanks();
        let start = self.position;
        let repetitions = self.number().unwrap_or(0);
        if !(1..=MOST_REPETITIONS).contains(&repetitions) {
            let problem = "an expression is repeated from 1 to 100 times";
            return Err(NotationError::new(start, problem));
        }

        self.repetitions = repetitions;
        self.position = end;
        Ok(())
    }

    fn expression(&mut self, comment: &str) -> Result<Notation, NotationError> {
        let mut root = self.sum()?;

        self.skip_blanks();
        if let Some(letters) = self.letters.get(self.position..)
            && let Some((advantage, length)) = advantage_word(letters)
        {
            self.apply_advantage(&mut root.node, advantage)?;
            self.position += length;
            self.skip_blanks();
        }

        match self.peek() {
            None => {}
            Some(')') => {
                let problem = "this bracket was never opened";
                return Err(NotationError::new(self.position, problem));
            }
            Some(_) => return Err(self.misplaced()),
        }

        let repetitions = TotalRange::of_number(self.repetitions.into());
        if root.range.times(repetitions).is_none() {
            return Err(too_large(0));
        }

        Ok(Notation {
            root: root.node,
            range: root.range,
            repetitions: self.repetitions,
            comment: comment.to_owned(),
        })
    }

    /// Gives advantage to the only d20 of an expression, as in `d20+5 adv`.
    fn apply_advantage(
        &mut self,
        root: &mut Node,
        advantage: Advantage,
    ) -> Result<(), NotationError> {
        let mut candidates = 0;
        root.visit_dice(&mut |term| candidates += u32::from(is_single_d20(term)));
        if candidates != 1 {
            let problem = "advantage needs exactly one d20";
            return Err(
                NotationError::new(self.position, problem).suggest("write it as in d20+5 adv")
            );
        }

        self.count_dice(self.position, 1)?;
        root.visit_dice_mut(&mut |term| {
            if is_single_d20(term) {
                roll_with_advantage(term, advantage);
            }
        });
        Ok(())
    }

    fn sum(&mut self) -> Result<Operand, NotationError> {
        let first = self.product()?;
        let mut range = first.range;
        let mut parts = vec![first.node];

        loop {
            let start = self.position_after_blanks();
            let is_difference = match self.peek() {
                Some('+') => false,
                Some('-') => true,
                _ => break,
            };
            self.position += 1;

            let mut part = self.product()?;
            if is_difference {
                part = negate(part);
            }
            range = range.plus(part.range).ok_or_else(|| too_large(start))?;
            parts.push(part.node);
        }

        let node = match parts.len() {
            1 => parts.remove(0),
            _ => Node::Sum(parts),
        };
        Ok(Operand { node, range })
    }

    fn product(&mut self) -> Result<Operand, NotationError> {
        let first = self.operand()?;
        let mut range = first.range;
        let mut factors = Vec::new();

        loop {
            let start = self.position_after_blanks();
            let operator = match self.peek() {
                Some('*' | 'x' | 'X') => FactorOperator::Multiply,
                Some('/') => FactorOperator::Divide,
                _ => break,
            };
            self.position += 1;

            let operand = self.operand()?;
            let result = match operator {
                FactorOperator::Multiply => range.times(operand.range),
                FactorOperator::Divide if operand.range.contains_zero() => {
                    let problem = "this divides by something that can be 0";
                    return Err(NotationError::new(start, problem));
                }
                FactorOperator::Divide => range.divided_by(operand.range),
            };
            range = result.ok_or_else(|| too_large(start))?;
            factors.push(Factor {
                operator,
                operand: operand.node,
            });
        }

        let node = if factors.is_empty() {
            first.node
        } else {
            Node::Product(Box::new(first.node), factors)
        };
        Ok(Operand { node, range })
    }

    /// Parses signs, and then a number, dice or brackets.
    fn operand(&mut self) -> Result<Operand, NotationError> {
        let mut is_negative = false;
        loop {
            self.skip_blanks();
            match self.peek() {
                Some('+') => {}
                Some('-') => is_negative = !is_negative,
                _ => break,
            }
            self.position += 1;
        }

        let operand = self.unsigned_operand()?;
        Ok(if is_negative {
            negate(operand)
        } else {
            operand
        })
    }

    fn unsigned_operand(&mut self) -> Result<Operand, NotationError> {
        let start = self.position;
        if self.take('(') {
            return self.brackets(start);
        }

        if let Some((advantage, length)) = advantage_word(&self.letters[start..]) {
            self.position += length;
            self.count_dice(start, 2)?;
            let mut term = DiceTerm::new(1, 1, 20);
            roll_with_advantage(&mut term, advantage);
            return Ok(dice_operand(term));
        }

        let number = self.number();
        if self.take('d') || self.take('D') {
            return self.dice(start, number.unwrap_or(1));
        }
        match number {
            Some(number) if number > LARGEST_NUMBER => {
                Err(NotationError::new(start, "numbers go up to 1,000,000,000"))
            }
            Some(number) => Ok(Operand {
                node: Node::Number(number.into()),
                range: TotalRange::of_number(number.into()),
            }),
            None => Err(self.missing_or_misplaced()),
        }
    }

    /// Parses the inside of brackets and the closing bracket. The opening bracket is at `start`.
    fn brackets(&mut self, start: usize) -> Result<Operand, NotationError> {
        if self.depth == DEEPEST {
            let problem = "brackets can be nested at most 100 deep";
            return Err(NotationError::new(start, problem));
        }

        self.depth += 1;
        let inside = self.sum()?;
        self.depth -= 1;

        self.skip_blanks();
        match self.peek() {
            Some(')') => {
                self.position += 1;
                Ok(inside)
            }
            Some(_) => Err(self.misplaced()),
            None => Err(NotationError::new(start, "this bracket is never closed")),
        }
    }

    /// Parses the rest of a dice term, after the `d`. The term begins at `start`.
    fn dice(&mut self, start: usize, count: u32) -> Result<Operand, NotationError> {
        self.count_dice(start, count)?;

        let mut term = self.die(count)?;
        self.count_dice(start, term.dice_count() - count)?;

        self.modifiers(&mut term)?;
        Ok(dice_operand(term))
    }

    /// Parses the sides of a die: a number, `%` or `F`.
    fn die(&mut self, count: u32) -> Result<DiceTerm, NotationError> {
        if self.take('%') {
            return Ok(DiceTerm::new(count, 1, 100));
        }
        if self.take('F') || self.take('f') {
            return Ok(DiceTerm::new(count, -1, 3));
        }

        let start = self.position;
        match self.number() {
            Some(66) => Ok(DiceTerm {
                digits: 2,
                ..DiceTerm::new(count, 1, 6)
            }),
            Some(666) => Ok(DiceTerm {
                digits: 3,
                ..DiceTerm::new(count, 1, 6)
            }),
            Some(sides @ 1..=MOST_SIDES) => Ok(DiceTerm::new(count, 1, sides)),
            Some(_) => {
                let problem = "a die has from 1 to 1,000,000 sides";
                Err(NotationError::new(start, problem))
            }
            None => Err(self.missing_or_misplaced()),
        }
    }

    /// Adds dice, written at `start`, to the number of dice in the expression.
    pub(super) fn count_dice(&mut self, start: usize, count: u32) -> Result<(), NotationError> {
        self.dice = self.dice.saturating_add(count);
        if self.dice.saturating_mul(self.repetitions) > MOST_DICE {
            let problem = "one expression rolls at most 10,000 dice";
            return Err(NotationError::new(start, problem));
        }
        Ok(())
    }
}

fn negate(operand: Operand) -> Operand {
    Operand {
        node: Node::Negative(Box::new(operand.node)),
        range: operand.range.negative(),
    }
}

fn dice_operand(term: DiceTerm) -> Operand {
    Operand {
        node: Node::Dice(term),
        range: term.range(),
    }
}

fn too_large(index: usize) -> NotationError {
    NotationError::new(index, "the total could become too large to count")
}

/// True if advantage can apply to these dice.
pub(super) fn is_single_d20(term: &DiceTerm) -> bool {
    term.count == 1 && term.sides == 20 && term.keep == Keep::All
}

/// Changes a d20 into two d20 of which one is kept.
pub(super) fn roll_with_advantage(term: &mut DiceTerm, advantage: Advantage) {
    term.count = 2;
    term.keep = match advantage {
        Advantage::Advantage => Keep::Highest(1),
        Advantage::Disadvantage => Keep::Lowest(1),
    };
}
