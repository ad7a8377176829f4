//! Texts with expressions in braces: `Spend {score - skill} Luck`.

use super::expression::{Expression, ExpressionFault, ExpressionValue, ResolvedName};

/// A text with values that are inserted at the roll.
#[derive(Debug, Default)]
pub(crate) struct Template {
    pieces: Vec<TemplatePart>,
}

#[derive(Debug)]
enum TemplatePart {
    Words(String),
    Value(Expression),
}

impl Template {
    /// Parses a template. `parse_expression` parses the text inside a pair of braces.
    pub(crate) fn parse(
        text: &str,
        parse_expression: impl Fn(&str) -> Result<Expression, ExpressionFault>,
    ) -> Result<Self, ExpressionFault> {
        let mut pieces = Vec::new();
        let mut remaining = text;

        while let Some((words, opened)) = remaining.split_once('{') {
            let characters = text.chars().count() - opened.chars().count();
            let Some((inside, after)) = split_at_closing_brace(opened) else {
                return Err(ExpressionFault {
                    characters,
                    message: "this { has no closing }".to_owned(),
                });
            };

            let value = parse_expression(inside).map_err(|fault| ExpressionFault {
                characters: characters + fault.characters,
                ..fault
            })?;
            pieces.push(TemplatePart::Words(words.to_owned()));
            pieces.push(TemplatePart::Value(value));
            remaining = after;
        }

        pieces.push(TemplatePart::Words(remaining.to_owned()));
        Ok(Self { pieces })
    }

    /// Returns the names in the expressions.
    pub(crate) fn names(&self) -> impl Iterator<Item = ResolvedName> + '_ {
        self.pieces
            .iter()
            .filter_map(|piece| match piece {
                TemplatePart::Words(_) => None,
                TemplatePart::Value(value) => Some(value),
            })
            .flat_map(Expression::names)
    }

    /// Returns the text with `…` in place of each value.
    pub(crate) fn without_values(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| match piece {
                TemplatePart::Words(words) => words,
                TemplatePart::Value(_) => "…",
            })
            .collect()
    }

    /// Returns the text with the current values.
    pub(crate) fn filled(
        &self,
        value_of: impl Fn(ResolvedName) -> ExpressionValue + Copy,
    ) -> Result<String, String> {
        self.pieces
            .iter()
            .map(|piece| match piece {
                TemplatePart::Words(words) => Ok(words.clone()),
                TemplatePart::Value(value) => Ok(value.value(value_of)?.to_string()),
            })
            .collect()
    }
}

/// Splits the text behind an opening brace at the brace that closes it.
fn split_at_closing_brace(opened: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let closing = opened.find(|letter: char| {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        depth < 0
    })?;
    let (inside, rest) = opened.split_at(closing);
    Some((inside, rest.strip_prefix('}')?))
}
