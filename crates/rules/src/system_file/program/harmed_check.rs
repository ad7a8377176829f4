//! The check that a condition asks for when its character takes damage.

use super::expression::{Expression, ExpressionValue};

/// A check that a character makes when it takes damage, such as the save that keeps concentration.
#[derive(Debug)]
pub struct HarmedCheck {
    /// The name of the condition.
    pub condition: &'static str,
    /// The id of the check.
    pub check: &'static str,
    /// The fields of the check with their values, which depend on the damage.
    pub(crate) with: Vec<(&'static str, Expression)>,
}

impl HarmedCheck {
    /// Returns the fields with their values as a player types them.
    pub fn fields(&self, damage: i32) -> Vec<(String, String)> {
        let mut fields = Vec::new();
        for (field, expression) in &self.with {
            // The only name in the expressions is the damage. The compiler has evaluated them, so they do not fail.
            let value = expression.value(|_| ExpressionValue::Number(i64::from(damage)));
            if let Ok(value) = value {
                fields.push(((*field).to_owned(), value.to_string()));
            }
        }
        fields
    }
}
