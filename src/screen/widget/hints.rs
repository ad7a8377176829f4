//! The line of keys at the bottom: as many as there is room for.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Look, columns};
use crate::screen::theme::Role;

/// Keys with what they do, the most useful first. The last one (help) always stays.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// Keys as they are shown, and what they do in a word or two.
    pub keys: &'a [(String, &'a str)],
    /// How the screen looks.
    pub look: Look<'a>,
}

/// Between two hints, and where there is little room.
const GAPS: [u16; 2] = [3, 2];
/// Below so many columns there is little room.
const NARROW: u16 = 60;

impl Hints<'_> {
    /// The line in so many columns.
    pub fn line(&self, width: u16) -> Line<'_> {
        let own = |(key, does): &(String, &str)| columns(key) + 1 + columns(does);
        let gap = GAPS[usize::from(width < NARROW)];
        let Some((last, others)) = self.keys.split_last() else {
            return Line::default();
        };
        let mut left = width.saturating_sub(own(last));
        let fits = others
            .iter()
            .take_while(|hint| match left.checked_sub(own(hint) + gap) {
                Some(rest) => {
                    left = rest;
                    true
                }
                None => false,
            });
        let mut line = Line::default();
        for (key, does) in fits.chain([last]) {
            if !line.spans.is_empty() {
                line.push_span(" ".repeat(gap.into()));
            }
            line.push_span(Span::styled(key.as_str(), self.look.style(Role::Key)));
            line.push_span(Span::styled(
                format!(" {does}"),
                self.look.style(Role::KeyLabel),
            ));
        }
        line
    }
}

impl Widget for &Hints<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        self.look.put(&self.line(area.width), area, buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{shown, with_looks};
    use super::*;

    #[test]
    fn the_help_key_stays_when_others_go() {
        with_looks(|look, _| {
            let keys = [
                ("r", "roll"),
                ("u", "undo"),
                ("Ctrl-R", "redo"),
                ("?", "help"),
            ];
            let keys = keys.map(|(key, does)| (key.to_owned(), does));
            let hints = Hints { keys: &keys, look };
            assert_eq!(
                shown(&hints, 60, 1),
                "r roll   u undo   Ctrl-R redo   ? help\n"
            );
            assert_eq!(shown(&hints, 26, 1), "r roll  u undo  ? help\n");
            assert_eq!(shown(&hints, 8, 1), "? help\n");
        });
    }
}
