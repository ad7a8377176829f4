//! A bar in one line that shows how much of a value is left.

use ratatui::text::Line;

use crate::theme::Role;
use crate::widget::Appearance;

/// The value that a bar shows.
#[derive(Clone, Copy, Debug)]
pub struct BarLevel {
    pub current: i32,
    pub maximum: i32,
}

impl BarLevel {
    /// Returns the number of full cells. Only 0 has no full cell, and only the maximum has no empty cell.
    fn full_cells(self, cells: u16) -> usize {
        let cell_count = i32::from(cells);
        let full_cells = if self.current <= 0 || self.maximum <= 0 {
            0
        } else if self.current >= self.maximum {
            cell_count
        } else {
            let share = self.current * cell_count / self.maximum;
            share.clamp(1, (cell_count - 1).max(1))
        };
        usize::try_from(full_cells).unwrap_or(0)
    }
}

/// Returns a bar with this number of cells.
pub fn bar(level: BarLevel, cells: u16, role: Role, look: Appearance<'_>) -> Line<'static> {
    let full_cells = level.full_cells(cells);
    let empty_cells = usize::from(cells).saturating_sub(full_cells);
    Line::from(vec![
        look.span("▰".repeat(full_cells), role),
        look.span("▱".repeat(empty_cells), Role::TokenEmpty),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widget::tests::with_looks;

    #[test]
    fn a_bar_is_full_or_empty_only_where_nothing_is_missing_or_left() {
        with_looks(|look, _| {
            let drawn = |current| {
                let maximum = 40;
                let level = BarLevel { current, maximum };
                bar(level, 5, Role::Success, look).to_string()
            };
            for (current, due) in [
                (-3, "▱▱▱▱▱"),
                (0, "▱▱▱▱▱"),
                (1, "▰▱▱▱▱"),
                (20, "▰▰▱▱▱"),
                (39, "▰▰▰▰▱"),
                (40, "▰▰▰▰▰"),
                (99, "▰▰▰▰▰"),
            ] {
                assert_eq!(drawn(current), due, "{current}");
            }
        });
    }
}
