//! Dice as they lie on the table: boxes where there is room, a line of text where there is not.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::{Look, columns};
use crate::screen::theme::Role;

/// One die with the face that it shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Die<'a> {
    kind: Cow<'a, str>,
    face: Cow<'a, str>,
    role: Role,
    dropped: bool,
    exploded: bool,
    was: Option<Cow<'a, str>>,
}

impl<'a> Die<'a> {
    /// A die of a kind (`d8`, `wild`) that shows a face (`5`, or `?` before it has fallen).
    pub fn new(kind: impl Into<Cow<'a, str>>, face: impl Into<Cow<'a, str>>) -> Self {
        let (kind, face) = (kind.into(), face.into());
        Self {
            kind,
            face,
            role: Role::Die,
            dropped: false,
            exploded: false,
            was: None,
        }
    }

    /// It shows its highest face.
    #[must_use]
    pub fn highest(self) -> Self {
        Self {
            role: Role::DieMax,
            ..self
        }
    }

    /// It shows a 1.
    #[must_use]
    pub fn lowest(self) -> Self {
        Self {
            role: Role::DieMin,
            ..self
        }
    }

    /// It does not count.
    #[must_use]
    pub fn dropped(self) -> Self {
        Self {
            dropped: true,
            ..self
        }
    }

    /// It exploded: another die was rolled for it.
    #[must_use]
    pub fn exploded(self) -> Self {
        Self {
            exploded: true,
            ..self
        }
    }

    /// It was rolled again and showed another face before.
    #[must_use]
    pub fn rerolled(self, was: impl Into<Cow<'a, str>>) -> Self {
        let role = if self.role == Role::Die {
            Role::DieChanged
        } else {
            self.role
        };
        Self {
            was: Some(was.into()),
            role,
            ..self
        }
    }

    fn style(&self, look: Look<'_>) -> Style {
        look.style(if self.dropped {
            Role::DieDropped
        } else {
            self.role
        })
    }

    /// The face with the signs of what happened to the die.
    fn inscription(&self) -> String {
        let bang = if self.exploded { "!" } else { "" };
        if self.dropped {
            format!("({}{bang})", self.face)
        } else {
            format!("{}{bang}", self.face)
        }
    }

    fn history(&self, look: Look<'_>) -> String {
        self.was
            .as_ref()
            .map_or_else(String::new, |was| format!("{was}{}", look.glyphs().arrow))
    }

    fn width(&self, look: Look<'_>) -> u16 {
        let widest = [&*self.kind, &self.inscription(), &self.history(look)].map(columns);
        widest.into_iter().max().unwrap_or(0).max(3) + 2
    }

    fn token(&self, look: Look<'_>) -> String {
        let (history, inscription) = (self.history(look), self.inscription());
        if self.dropped {
            history + &inscription
        } else {
            format!("[{history}{inscription}]")
        }
    }

    fn draw(&self, look: Look<'_>, area: Rect, buffer: &mut Buffer) {
        let [left_top, right_top, left_low, right_low, level, upright] =
            match (look.ascii, self.dropped) {
                (false, false) => ["╭", "╮", "╰", "╯", "─", "│"],
                (false, true) => ["╭", "╮", "╰", "╯", "┄", "┆"],
                (true, false) => ["+", "+", "+", "+", "-", "|"],
                (true, true) => [".", ".", "'", "'", ".", ":"],
            };
        let inner = area.width - 2;
        let style = self.style(look);
        let edge = look.style(if self.dropped {
            Role::Border
        } else {
            Role::Muted
        });
        let framed = |left: String, fill: &str, text: &str, style, right| {
            let spare = inner.saturating_sub(columns(text));
            Line::from(vec![
                Span::styled(left + &fill.repeat((spare / 2).into()), edge),
                Span::styled(text.to_owned(), style),
                Span::styled(fill.repeat(spare.div_ceil(2).into()) + right, edge),
            ])
        };
        let changed = look.style(Role::DieChanged);
        for (line, y) in [
            framed(
                left_top.to_owned(),
                level,
                &self.history(look),
                changed,
                right_top,
            ),
            framed(upright.to_owned(), " ", &self.inscription(), style, upright),
            framed(left_low.to_owned(), level, &self.kind, edge, right_low),
        ]
        .iter()
        .zip(area.y..)
        {
            buffer.set_line(area.x, y, line, area.width);
        }
    }
}

/// A throw of dice: boxes if they fit, else text.
#[derive(Clone, Copy, Debug)]
pub struct Dice<'a> {
    /// The dice in the order in which they are told.
    pub dice: &'a [Die<'a>],
    /// How the screen looks.
    pub look: Look<'a>,
}

/// Rows that a box takes.
const BOX: u16 = 3;

impl Dice<'_> {
    /// Rows that boxes take in so many columns.
    pub fn height(&self, width: u16) -> u16 {
        let last = self.places(width).last().map_or(0, |(_, y)| *y);
        if self.dice.is_empty() { 0 } else { last + BOX }
    }

    /// The dice in one line of text: `d8 [8] (5) d6 [6!]`.
    pub fn line(&self) -> Line<'static> {
        let mut line = Line::default();
        let words = self.words().into_iter().flatten();
        for word in words {
            if !line.spans.is_empty() {
                line.push_span(" ");
            }
            line.push_span(word);
        }
        line
    }

    /// Each die as text, with its kind before it where the kind changes.
    fn words(&self) -> Vec<Vec<Span<'static>>> {
        let mut kind = "";
        let mut words = Vec::with_capacity(self.dice.len());
        for die in self.dice {
            let token = Span::styled(die.token(self.look), die.style(self.look));
            let named = Span::styled(die.kind.to_string(), self.look.style(Role::Muted));
            words.push(if die.kind == kind {
                vec![token]
            } else {
                vec![named, token]
            });
            kind = &die.kind;
        }
        words
    }

    /// Where each box stands, from the top left.
    fn places(&self, width: u16) -> Vec<(u16, u16)> {
        let (mut x, mut y) = (0_u16, 0_u16);
        let place = |die: &Die<'_>| {
            let own = die.width(self.look);
            if x > 0 && x + own > width {
                (x, y) = (0, y + BOX);
            }
            let place = (x, y);
            x += own + 1;
            place
        };
        self.dice.iter().map(place).collect()
    }

    fn draw_text(&self, area: Rect, buffer: &mut Buffer) {
        let (mut x, mut y) = (area.x, area.y);
        for word in self.words() {
            let own: u16 = word.iter().map(|span| columns(&span.content) + 1).sum();
            if x > area.x && x + own - 1 > area.right() {
                (x, y) = (area.x, y + 1);
            }
            if y >= area.bottom() {
                return;
            }
            for span in word {
                x = buffer
                    .set_span(x, y, &span, area.right().saturating_sub(x))
                    .0
                    + 1;
            }
        }
    }
}

impl Widget for &Dice<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        let widest = self
            .dice
            .iter()
            .map(|die| die.width(self.look))
            .max()
            .unwrap_or(0);
        if self.height(area.width) > area.height || widest > area.width {
            return self.draw_text(area, buffer);
        }
        for (die, (x, y)) in self.dice.iter().zip(self.places(area.width)) {
            let spot = Rect::new(area.x + x, area.y + y, die.width(self.look), BOX);
            die.draw(self.look, spot, buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{shown, with_looks};
    use super::*;
    use std::fmt::Write as _;

    fn throw() -> Vec<Die<'static>> {
        vec![
            Die::new("d8", "8").highest(),
            Die::new("d8", "5").dropped(),
            Die::new("d6", "6").highest().exploded(),
            Die::new("d6", "3").rerolled("1"),
            Die::new("d10", "10"),
            Die::new("d100", "77"),
            Die::new("d20", "1").lowest(),
        ]
    }

    #[test]
    fn dice_lie_in_boxes_or_in_a_line() {
        with_looks(|look, name| {
            let throw = throw();
            let dice = Dice { dice: &throw, look };
            let mut text = String::new();
            for (width, height) in [(60, 3), (24, 9), (60, 1), (20, 3)] {
                write!(text, "{width}x{height}\n{}\n", shown(&dice, width, height)).unwrap();
            }
            insta::assert_snapshot!(format!("dice_{name}"), text);
        });
    }

    #[test]
    fn the_height_is_that_of_the_boxes() {
        with_looks(|look, _| {
            let throw = throw();
            let dice = Dice { dice: &throw, look };
            assert_eq!(dice.height(60), 3);
            assert_eq!(dice.height(24), 6);
            assert_eq!(Dice { dice: &[], look }.height(60), 0);
        });
    }
}
