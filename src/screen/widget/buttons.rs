//! A row of buttons; it wraps, and the letter that presses one is underlined.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Look, columns};
use crate::screen::theme::Role;

/// One button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Button<'a> {
    /// What it says.
    pub label: &'a str,
    /// The letter that presses it.
    pub letter: Option<char>,
    /// What stands beside it, such as its odds.
    pub note: &'a str,
}

impl<'a> Button<'a> {
    /// A button that says this.
    pub const fn new(label: &'a str) -> Self {
        Self {
            label,
            letter: None,
            note: "",
        }
    }
}

/// Buttons side by side.
#[derive(Clone, Copy, Debug)]
pub struct Buttons<'a> {
    /// The buttons, the first one on the left.
    pub buttons: &'a [Button<'a>],
    /// The one that Enter would press.
    pub focus: Option<usize>,
    /// How the screen looks.
    pub look: Look<'a>,
}

impl Buttons<'_> {
    /// Rows that the buttons take in so many columns.
    pub fn height(&self, width: u16) -> u16 {
        let last = self
            .areas(Rect::new(0, 0, width, u16::MAX))
            .last()
            .map(|area| area.y + 1);
        last.unwrap_or(0)
    }

    /// Where each button is, for the mouse; those without room are empty.
    pub fn areas(&self, area: Rect) -> Vec<Rect> {
        let (mut x, mut y) = (area.x, area.y);
        let place = |button: &Button<'_>| {
            let width = self.face(button, false, u16::MAX).width();
            let width = u16::try_from(width).unwrap_or(u16::MAX).min(area.width);
            if x > area.x && x.saturating_add(width) > area.right() {
                (x, y) = (area.x, y.saturating_add(1));
            }
            let place = Rect::new(x, y, width, u16::from(y < area.bottom()));
            x = x.saturating_add(width + 2);
            place
        };
        self.buttons.iter().map(place).collect()
    }

    /// A button in at most so many columns; what it says is cut before its brackets are.
    fn face(&self, button: &Button<'_>, focused: bool, width: u16) -> Line<'static> {
        let role = if focused {
            Role::ButtonFocus
        } else {
            Role::Button
        };
        let style = self.look.style(role);
        let [left, right] = match (focused, self.look.ascii) {
            (false, _) => ["[ ", " ]"],
            (true, false) => ["[›", "‹]"],
            (true, true) => ["[>", "<]"],
        };
        let lined = style.add_modifier(Modifier::UNDERLINED);
        let mut line = Line::from(Span::styled(left, style));
        let same = |one: char| {
            button
                .letter
                .is_some_and(|letter| one.to_lowercase().eq(letter.to_lowercase()))
        };
        let apart = button.letter.filter(|_| !button.label.contains(same));
        let around = if apart.is_some() { 6 } else { 4 };
        let label = self
            .look
            .fit(button.label, width.saturating_sub(around).max(1));
        match (label.split_once(same), apart) {
            (Some((before, after)), _) => {
                let letter: String = label.chars().skip(before.chars().count()).take(1).collect();
                line.push_span(Span::styled(before.to_owned(), style));
                line.push_span(Span::styled(letter, lined));
                line.push_span(Span::styled(after.to_owned(), style));
            }
            (None, Some(letter)) => {
                line.push_span(Span::styled(format!("{label} "), style));
                line.push_span(Span::styled(letter.to_string(), lined));
            }
            // The letter has none, or is in what was cut off.
            (None, None) => line.push_span(Span::styled(label.into_owned(), style)),
        }
        line.push_span(Span::styled(right, style));
        if columns(button.note) > 0 {
            line.push_span(Span::styled(
                format!(" {}", button.note),
                self.look.style(Role::Muted),
            ));
        }
        line
    }
}

impl Widget for &Buttons<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        for ((index, button), spot) in self.buttons.iter().enumerate().zip(self.areas(area)) {
            if !spot.is_empty() {
                let face = self.face(button, self.focus == Some(index), spot.width);
                buffer.set_line(
                    spot.x,
                    spot.y,
                    &self.look.fit_line(&face, spot.width),
                    spot.width,
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_looks;
    use super::*;

    const BUTTONS: [Button<'static>; 3] = [
        Button {
            label: "Take the failure",
            letter: Some('f'),
            note: "",
        },
        Button {
            label: "Re-roll",
            letter: Some('r'),
            note: "58%",
        },
        Button {
            label: "Ask the GM",
            letter: Some('x'),
            note: "",
        },
    ];

    #[test]
    fn the_mouse_finds_every_button() {
        with_looks(|look, _| {
            let buttons = Buttons {
                buttons: &BUTTONS,
                focus: None,
                look,
            };
            let areas = buttons.areas(Rect::new(3, 4, 38, 2));
            assert_eq!(areas.len(), 3);
            assert!(
                areas
                    .iter()
                    .all(|area| Rect::new(3, 4, 38, 2).intersection(*area) == *area)
            );
        });
    }
}
