//! How much of something is left, in a line.

use ratatui::text::{Line, Span};

use crate::theme::Role;
use crate::widget::Appearance;

/// A bar of so many cells: as many are full as `part` is of `whole`. One is full while anything is left, and one
/// empty while anything is missing.
pub fn bar(
    (part, whole): (i32, i32),
    cells: u16,
    role: Role,
    look: Appearance<'_>,
) -> Line<'static> {
    let cells_of = i32::from(cells);
    let full = match (part, whole) {
        (..=0, _) | (_, ..=0) => 0,
        (part, whole) if part >= whole => cells_of,
        (part, whole) => (part * cells_of / whole).clamp(1, (cells_of - 1).max(1)),
    };
    let full = usize::try_from(full).unwrap_or(0);
    let empty = usize::from(cells).saturating_sub(full);
    Line::from(vec![
        Span::styled("▰".repeat(full), look.style(role)),
        Span::styled("▱".repeat(empty), look.style(Role::TokenEmpty)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widget::tests::with_looks;

    #[test]
    fn a_bar_is_full_or_empty_only_where_nothing_is_missing_or_left() {
        with_looks(|look, _| {
            let drawn = |part, whole| bar((part, whole), 5, Role::Success, look).to_string();
            for (part, due) in [
                (-3, "▱▱▱▱▱"),
                (0, "▱▱▱▱▱"),
                (1, "▰▱▱▱▱"),
                (20, "▰▰▱▱▱"),
                (39, "▰▰▰▰▱"),
                (40, "▰▰▰▰▰"),
                (99, "▰▰▰▰▰"),
            ] {
                assert_eq!(drawn(part, 40), due, "{part}");
            }
        });
    }
}
