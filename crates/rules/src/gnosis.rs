//! Gnosis: three attributes with Boons against a Pain Pool, and two clocks that fill with consequences.

mod effect_table;
mod sheet;
mod strategy;

use super::Code;

/// The rules of Gnosis that are no description.
pub(super) const CODE: Code = Code {
    prepare: strategy::prepare,
    means: sheet::means,
    narration_themes: strategy::narration_themes::of,
    ..Code::PLAIN
};
