//! The notes that are pinned to a character, a clock or a scene.

use ratatui::text::Line;

use crate::Role;
use crate::view::ViewContext;
use tableside_game::Pin;

/// Returns the titles of the pinned notes that the seat may read, newest first.
pub(super) fn pinned_notes(pin: Pin, context: ViewContext<'_>) -> Vec<Line<'static>> {
    context
        .view
        .written_notes()
        .rev()
        .filter(|note| note.pinned_to == Some(pin))
        .map(|note| context.line(format!("✎ {}", note.title()), Role::Notice))
        .collect()
}
