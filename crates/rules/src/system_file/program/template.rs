//! Words of a system's file with values in them: `Spend {score - skill} Luck`.

use crate::system_file::program::expression::{Expression, Fault, Known, Name};

/// Words with values in them.
#[derive(Debug, Default)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug)]
enum Piece {
    Words(String),
    Value(Expression),
}

impl Template {
    /// Reads words; what stands in braces is an expression.
    pub(crate) fn read(
        text: &str,
        read: impl Fn(&str) -> Result<Expression, Fault>,
    ) -> Result<Self, Fault> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((words, opened)) = rest.split_once('{') {
            let at = text.chars().count() - opened.chars().count();
            let Some((inside, after)) = until_closed(opened) else {
                let what = "a { is not closed".to_owned();
                return Err(Fault { at, what });
            };
            pieces.push(Piece::Words(words.to_owned()));
            let value = read(inside).map_err(|fault| Fault {
                at: at + fault.at,
                ..fault
            })?;
            pieces.push(Piece::Value(value));
            rest = after;
        }
        pieces.push(Piece::Words(rest.to_owned()));
        Ok(Self { pieces })
    }

    /// Where the values in it come from.
    pub(crate) fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.pieces.iter().flat_map(|piece| match piece {
            Piece::Words(_) => Vec::new(),
            Piece::Value(value) => value.names().collect(),
        })
    }

    /// The words, with a sign where a value stands.
    pub(crate) fn without_values(&self) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Words(words) => words,
            Piece::Value(_) => "…",
        });
        pieces.collect()
    }

    /// The words with the values of now.
    pub(crate) fn filled(&self, of: impl Fn(Name) -> Known + Copy) -> Result<String, String> {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Words(words) => Ok(words.clone()),
            Piece::Value(value) => value.value(of).map(|value| value.to_string()),
        });
        pieces.collect()
    }
}

/// What stands before the brace that closes this one, and what after it.
fn until_closed(opened: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let closes = |letter: char| {
        depth += match letter {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        depth < 0
    };
    let (inside, rest) = opened.split_at(opened.find(closes)?);
    Some((inside, rest.strip_prefix('}')?))
}
