//! Text to program, in one pass: recursive descent, at most 100 brackets deep.

use std::iter::{Map, Peekable};
use std::str::CharIndices;

use thiserror::Error;

use super::{MOST_DICE, MOST_SIDES, Notation, Op, Range, Stack, Term, TotalTooLarge};
use crate::Keep;

/// The longest expression, in characters.
const LONGEST_TEXT: usize = 10_000;
/// The largest number that may be written.
const LARGEST_NUMBER: u32 = 1_000_000_000;

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
    if text.chars().nth(LONGEST_TEXT).is_some() {
        let problem = "a dice expression has at most 10,000 characters";
        return Err(error((0, problem.to_owned())));
    }
    let parser = Parser {
        text: text
            .char_indices()
            .map(to_ascii_form as ToAsciiForm)
            .peekable(),
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

fn misplaced<T>(at: usize, letter: char) -> Result<T, Trouble> {
    let problem = format!("{letter:?} does not belong here; dice are written like 4d6kh3 + 2");
    Err((at, problem))
}

/// Maps a letter, with its byte offset, to the one that the grammar uses.
type ToAsciiForm = fn((usize, char)) -> (usize, char);

fn to_ascii_form((at, letter): (usize, char)) -> (usize, char) {
    (at, ascii_form(letter))
}

/// The ASCII sign for the typographic and full-width signs that keyboards and web pages use in dice.
pub fn ascii_form(letter: char) -> char {
    match letter {
        // Hyphens, dashes and minus signs.
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' => '-',
        // Multiplication signs, dots and asterisks.
        '×' | '✕' | '✖' | '·' | '⋅' | '∙' | '∗' | '•' => '*',
        '\u{2044}' | '\u{2215}' | '÷' => '/',
        // The full-width forms of ASCII: digits, letters, signs and brackets.
        '\u{ff01}'..='\u{ff5e}' => {
            let ascii = u32::from(letter) - 0xff01 + u32::from('!');
            char::from_u32(ascii).unwrap_or(letter)
        }
        _ => letter,
    }
}

struct Parser<'a> {
    text: Peekable<Map<CharIndices<'a>, ToAsciiForm>>,
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
            None => {
                let Range(least, most) = self.ranges.pop();
                Ok(Notation {
                    range: (least, most),
                    program: self.program,
                })
            }
            Some((at, ')')) => trouble(at, "this bracket was never opened"),
            Some((at, letter)) => misplaced(at, letter),
        }
    }

    fn sum(&mut self) -> Result<(), Trouble> {
        self.product()?;
        while let Some((at, sign)) = self.operator("+-") {
            self.product()?;
            if sign != '+' {
                self.negate(at)?;
            }
            self.emit(Op::Add, at)?;
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), Trouble> {
        self.operand()?;
        while let Some((at, _)) = self.operator("*") {
            self.operand()?;
            self.emit(Op::Multiply, at)?;
        }
        Ok(())
    }

    /// The next of these operators, with its place, if one comes next.
    fn operator(&mut self, any: &str) -> Option<(usize, char)> {
        let text = &mut self.text;
        while text.next_if(|(_, next)| next.is_whitespace()).is_some() {}
        text.next_if(|(_, next)| any.contains(*next))
    }

    /// Reads signs, and then a number, dice or brackets.
    fn operand(&mut self) -> Result<(), Trouble> {
        let mut is_negative = false;
        while let Some((_, sign)) = self.operator("+-") {
            is_negative ^= sign != '+';
        }
        let at = self.at();
        if self.take("(") {
            self.brackets(at)?;
        } else if let Some(number) = self.number() {
            if self.take("dD") {
                self.dice(at, number)?;
            } else if number > LARGEST_NUMBER {
                return trouble(at, "numbers go up to 1,000,000,000");
            } else {
                self.emit(Op::Number(number.into()), at)?;
            }
        } else if self.take("dD") {
            self.dice(at, 1)?;
        } else {
            return match self.text.peek() {
                Some((_, ')')) | None => trouble(at, MISSING),
                Some(&(at, letter)) => misplaced(at, letter),
            };
        }
        if is_negative {
            self.negate(at)?;
        }
        Ok(())
    }

    /// Reads what stands in a bracket, and its end.
    fn brackets(&mut self, at: usize) -> Result<(), Trouble> {
        if self.depth == DEEPEST {
            return trouble(at, "brackets stand in each other at most 100 deep");
        }
        self.depth += 1;
        self.sum()?;
        self.depth -= 1;
        match self.text.next() {
            Some((_, ')')) => Ok(()),
            Some((at, letter)) => misplaced(at, letter),
            None => trouble(at, "this bracket is never closed"),
        }
    }

    fn negate(&mut self, at: usize) -> Result<(), Trouble> {
        self.emit(Op::Number(-1), at)?;
        self.emit(Op::Multiply, at)
    }

    /// Appends a step, following how small and how large values can become.
    fn emit(&mut self, op: Op, at: usize) -> Result<(), Trouble> {
        let stepped = self.ranges.step(&op, |term| Ok(term.range()));
        let problem = "the total could become too large to count";
        stepped.or_else(|TotalTooLarge| trouble(at, problem))?;
        self.program.push(op);
        Ok(())
    }

    /// Reads dice after their `d`.
    fn dice(&mut self, at: usize, count: u32) -> Result<(), Trouble> {
        self.count_dice(at, count)?;
        let sides_at = self.at();
        let mut digits = 1;
        let (lowest, sides) = if self.take("%") {
            (1, 100)
        } else if self.take("Ff") {
            (-1, 3)
        } else {
            match (self.number(), self.text.peek()) {
                (Some(66), _) => {
                    digits = 2;
                    (1, 6)
                }
                (Some(666), _) => {
                    digits = 3;
                    (1, 6)
                }
                (Some(sides @ 1..=MOST_SIDES), _) => (1, sides),
                (Some(_), _) => return trouble(sides_at, "a die has from 1 to 1,000,000 sides"),
                (None, Some(&(at, letter))) => return misplaced(at, letter),
                (None, None) => return trouble(sides_at, MISSING),
            }
        };
        let mut term = Term {
            count,
            lowest,
            sides,
            digits,
            reroll: None,
            explodes: false,
            keep: Keep::All,
        };
        self.count_dice(at, term.dice_count() - count)?;

        while self.modifier(&mut term)? {}
        self.emit(Op::Roll(term), at)
    }

    /// Reads one thing said of dice, if there is one.
    fn modifier(&mut self, term: &mut Term) -> Result<bool, Trouble> {
        self.skip_blanks_before_modifier();
        let at = self.at();
        let Some((_, letter)) = self.text.next_if(|(_, next)| "!rRkKdD".contains(*next)) else {
            return Ok(false);
        };
        let again = match letter.to_ascii_lowercase() {
            '!' | 'r' if term.digits > 1 => {
                return trouble(
                    at,
                    "d66 and d666 are read from several d6, which cannot explode or be re-rolled",
                );
            }
            '!' if term.sides == 1 => {
                return trouble(at, "a die with one side would explode for ever");
            }
            '!' => std::mem::replace(&mut term.explodes, true).then_some("their highest face"),
            'r' => {
                let faces = self.reroll(term)?;
                let before = term.reroll.replace(faces);
                before.map(|_| "faces to roll again")
            }
            letter => {
                // `k` alone is `kh`, and `d` alone is `dl`: both keep the highest.
                let keeps = letter == 'k';
                let high = self.take("hH");
                let low = !high && self.take("lL");
                let highest = if keeps { !low } else { !high };
                let amount = self.number().unwrap_or(1);
                let keep = if keeps {
                    amount
                } else {
                    term.count.saturating_sub(amount)
                };
                if keep == 0 && term.count > 0 {
                    return trouble(at, "at least one die must be kept");
                }
                let keep = if highest {
                    Keep::Highest(keep)
                } else {
                    Keep::Lowest(keep)
                };
                let before = std::mem::replace(&mut term.keep, keep);
                (before != Keep::All).then_some("which of them count")
            }
        };
        let twice = |what| format!("these dice are told twice what to do with {what}");
        again.map_or(Ok(true), |what| Err((at, twice(what))))
    }

    /// Adds to the number of dice in the expression, which is bounded.
    fn count_dice(&mut self, at: usize, count: u32) -> Result<(), Trouble> {
        self.dice = self.dice.saturating_add(count);
        if self.dice > MOST_DICE {
            return trouble(at, "one expression rolls at most 10,000 dice");
        }
        Ok(())
    }

    /// Skips blanks if a modifier follows them, as in `4d6 kh3`. In `4d6 d4` an operator is missing, so these blanks stay.
    fn skip_blanks_before_modifier(&mut self) {
        let mut ahead = self.text.clone();
        while ahead.next_if(|(_, next)| next.is_whitespace()).is_some() {}

        let is_modifier = match ahead.next() {
            Some((_, '!' | 'r' | 'R' | 'k' | 'K')) => true,
            Some((_, 'd' | 'D')) => matches!(ahead.next(), Some((_, 'h' | 'H' | 'l' | 'L'))),
            _ => false,
        };
        if is_modifier {
            while self
                .text
                .next_if(|(_, next)| next.is_whitespace())
                .is_some()
            {}
        }
    }

    /// Reads which faces are rolled once more, after the `r`.
    fn reroll(&mut self, term: &Term) -> Result<(i32, i32), Trouble> {
        self.take("oO");
        let below = self.take("<");
        let above = !below && self.take(">");
        let beside = i32::from(!self.take("="));
        let at = self.at();
        let face = self.number().map(|face| face.min(MOST_SIDES + 1));
        if face.is_none() && (below || above) {
            return trouble(at, "a face is missing here, as in 2d6r<3");
        }
        let face = face.map_or(term.lowest, u32::cast_signed);
        Ok(match (below, above) {
            (true, _) => (term.lowest, face - beside),
            (false, true) => (face + beside, term.highest()),
            (false, false) => (face, face),
        })
    }

    /// Reads a number, if one comes next; what is too large for any purpose stays too large.
    fn number(&mut self) -> Option<u32> {
        let mut number: Option<u32> = None;
        while let Some(digit) = self.text.peek().and_then(|(_, next)| next.to_digit(10)) {
            self.text.next();
            let before = number.unwrap_or(0).saturating_mul(10);
            number = Some(before.saturating_add(digit));
        }
        number
    }

    fn take(&mut self, any: &str) -> bool {
        self.text.next_if(|(_, next)| any.contains(*next)).is_some()
    }

    fn at(&mut self) -> usize {
        self.text.peek().map_or(self.end, |&(at, _)| at)
    }
}
