//! The rules of Gnosis in code: the attribute roll of a Strategy with Boons, the Pain Pool, and the effect table.

mod effect_table;
mod sheet;
mod strategy;

use super::Code;

/// The parts of the rules that the system file cannot express.
pub(super) const CODE: Code = Code {
    prepare: strategy::prepare,
    means: sheet::means,
    narration_themes: strategy::narration_themes::narration_themes,
    ..Code::PLAIN
};
