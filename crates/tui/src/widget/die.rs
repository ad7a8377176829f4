//! Dice as they lie on the table: boxes where there is room, a line of text where there is not.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::theme::Role;
use crate::widget::{Appearance, after, below, columns, join, left, line_columns, row, top};

/// One die with the face that it shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DieBox {
    /// Its kind: `d8`, `wild`.
    pub kind: String,
    /// What it and those behind it are for; empty where that was said.
    pub part: String,
    /// Its face: `5`, or `?` before it has fallen.
    pub face: String,
    /// The face that it showed before it was rolled again.
    pub was: Option<String>,
    /// Whether the face is its best or its worst.
    pub extreme: Option<Extreme>,
    /// Whether it does not count.
    pub is_dropped: bool,
    /// Whether another die was rolled for it.
    pub is_exploded: bool,
    /// Whether it is the first die of another repetition, as in `6x 4d6`. A semicolon stands before it.
    pub starts_later_repetition: bool,
}

/// What is special about a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    /// The best one.
    Highest,
    /// A 1.
    Lowest,
}

impl DieBox {
    /// A die of that kind with nothing special about its face.
    pub fn new(kind: &str, face: String) -> Self {
        Self {
            kind: kind.to_owned(),
            face,
            ..Self::default()
        }
    }

    fn style(&self, look: Appearance<'_>) -> Style {
        look.style(self.role())
    }

    /// How it looks.
    pub fn role(&self) -> Role {
        match (self.extreme, &self.was) {
            _ if self.is_dropped => Role::DieDropped,
            (Some(Extreme::Highest), _) => Role::DieMax,
            (Some(Extreme::Lowest), _) => Role::DieMin,
            (None, Some(_)) => Role::DieChanged,
            (None, None) => Role::Die,
        }
    }

    /// The face, with a sign if another die was rolled for it, in brackets if it does not count.
    pub fn inscription(&self) -> String {
        let bang = if self.is_exploded { "!" } else { "" };
        if self.is_dropped {
            format!("({}{bang})", self.face)
        } else {
            format!("{}{bang}", self.face)
        }
    }

    fn history(&self) -> String {
        let was = self.was.as_ref();
        was.map_or_else(String::new, |was| format!("{was}→"))
    }

    /// What stands on its upper edge.
    pub fn above(&self) -> String {
        let parts = [&*self.part, &self.history()].map(str::to_owned);
        let has_gap = !parts.iter().any(String::is_empty);
        parts.join(if has_gap { " " } else { "" })
    }

    fn width(&self) -> u16 {
        let words = [&*self.kind, &self.inscription(), &self.above()];
        words.map(columns).into_iter().fold(3, u16::max) + 2
    }

    /// The die as text, with its kind before it unless that was said, and what it is for if that is wanted.
    fn word(&self, (is_kind_said, is_named): (bool, bool), look: Appearance<'_>) -> Line<'static> {
        let face = self.history() + self.inscription().as_str();
        let face = if self.is_dropped {
            face
        } else {
            format!("[{face}]")
        };
        let kind = Span::styled(self.kind.clone(), look.style(Role::Muted));
        let kind = Some(kind).filter(|_| !is_kind_said && !self.kind.is_empty());
        let part = Span::styled(self.part.clone(), look.style(Role::Muted));
        let part = Some(part).filter(|_| is_named && !self.part.is_empty());
        let parts = [part, kind, Some(Span::styled(face, self.style(look)))];
        join(parts.into_iter().flatten().map(Line::from), " ")
    }

    fn draw(&self, look: Appearance<'_>, area: Rect, buffer: &mut Buffer) {
        let ([level, upright], edge) = if self.is_dropped {
            (["┄", "┆"], look.style(Role::Border))
        } else {
            (["─", "│"], look.style(Role::Muted))
        };
        let style = self.style(look);
        let was = self.was.as_ref();
        let changed = was.map_or(edge, |_| look.style(Role::DieChanged));
        let rows = [
            ("╭", level, self.above(), changed, "╮"),
            (upright, " ", self.inscription(), style, upright),
            ("╰", level, self.kind.clone(), edge, "╯"),
        ];
        for ((left, fill, text, style, right), line) in rows.into_iter().zip(area.rows()) {
            let spare = usize::from(area.width.saturating_sub(2 + columns(&text)));
            let line_of = Line::from(vec![
                Span::styled(left.to_owned() + fill.repeat(spare / 2).as_str(), edge),
                Span::styled(text, style),
                Span::styled(fill.repeat(spare.div_ceil(2)) + right, edge),
            ]);
            look.put(&line_of, line, buffer);
        }
    }
}

/// A throw of dice: boxes if they fit, else text.
#[derive(Clone, Copy, Debug)]
pub struct DiceRow<'a> {
    /// The dice in the order in which they are told.
    pub dice: &'a [DieBox],
    /// How the screen looks.
    pub look: Appearance<'a>,
}

/// Rows that a box takes.
const BOX: u16 = 3;

/// Stands between two repetitions, as in the output of `tableside roll`.
const SEPARATOR: &str = ";";

/// Columns that the separator takes behind a box, with the blank before it.
const SEPARATOR_WIDTH: u16 = 2;

impl DiceRow<'_> {
    /// Rows that boxes take in so many columns.
    pub fn height(&self, width: u16) -> u16 {
        let boxes = self.boxes(Rect::new(0, 0, width, u16::MAX));
        boxes.last().map_or(0, |place| place.bottom())
    }

    /// Columns that boxes take side by side.
    pub fn width(&self) -> u16 {
        let widths = self.box_widths().map(|width| width + 1);
        widths.fold(0, u16::saturating_add).saturating_sub(1)
    }

    /// The dice in one line of text: `d8 [8] (5) d6 [6!]`, or `d6 [4] [2]; [3] [5]` for `2x 2d6`.
    pub fn line(&self) -> Line<'static> {
        join(self.words(false), " ")
    }

    /// Each die as text, with its kind before it where the kind changes.
    fn words(&self, is_named: bool) -> Vec<Line<'static>> {
        let mut words = Vec::new();
        let mut kind_before = None;
        for (index, die) in self.dice.iter().enumerate() {
            let is_kind_said = kind_before == Some(&die.kind);
            let mut word = die.word((is_kind_said, is_named), self.look);
            if self.ends_repetition(index) {
                word.push_span(self.separator());
            }
            words.push(word);
            kind_before = Some(&die.kind);
        }
        words
    }

    /// True if the next die begins another repetition.
    fn ends_repetition(&self, index: usize) -> bool {
        let next_die = self.dice.get(index + 1);
        next_die.is_some_and(|die| die.starts_later_repetition)
    }

    fn separator(&self) -> Span<'static> {
        Span::styled(SEPARATOR, self.look.style(Role::Muted))
    }

    /// Columns of each box, and of the separator behind it if there is one.
    fn box_widths(&self) -> impl Iterator<Item = u16> {
        self.dice.iter().enumerate().map(|(index, die)| {
            if self.ends_repetition(index) {
                die.width() + SEPARATOR_WIDTH
            } else {
                die.width()
            }
        })
    }

    /// Where each box stands, row by row, with the separator behind it.
    fn boxes(&self, area: Rect) -> Vec<Rect> {
        in_rows(area, self.box_widths(), 1, BOX)
    }

    fn draw_box(&self, index: usize, place: Rect, buffer: &mut Buffer) {
        let die = &self.dice[index];
        die.draw(self.look, left(place, die.width()), buffer);

        if self.ends_repetition(index) {
            let behind_box = after(place, die.width() + SEPARATOR_WIDTH - 1);
            let separator = Line::from(self.separator());
            self.look.put(&separator, row(behind_box, 1), buffer);
        }
    }
}

/// Where things of these widths stand side by side, in as many rows as they need, with a gap between two and
/// each so high.
pub fn in_rows(area: Rect, widths: impl Iterator<Item = u16>, gap: u16, height: u16) -> Vec<Rect> {
    let (mut x, mut y) = (0_u16, 0_u16);
    let place = |width: u16| {
        if x > 0 && x.saturating_add(width) > area.width {
            (x, y) = (0, y.saturating_add(height));
        }
        let place = top(left(below(after(area, x), y), width), height);
        x = x.saturating_add(width + gap);
        place
    };
    widths.map(place).collect()
}

impl Widget for &DiceRow<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        let mut widths = self.box_widths();
        if self.height(area.width) <= area.height && widths.all(|width| width <= area.width) {
            for (index, place) in self.boxes(area).into_iter().enumerate() {
                self.draw_box(index, place, buffer);
            }
            return;
        }
        let words = self.words(true);
        let places = in_rows(area, words.iter().map(line_columns), 1, 1);
        for (word, place) in words.iter().zip(places) {
            self.look.put(word, place, buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widget::tests::{shown, with_looks};
    use std::fmt::Write as _;

    #[test]
    fn dice_lie_in_boxes_or_in_a_line() {
        let die = |kind, face: &str| DieBox::new(kind, face.to_owned());
        let throw = [
            DieBox {
                extreme: Some(Extreme::Highest),
                ..die("d8", "8")
            },
            DieBox {
                is_dropped: true,
                ..die("d8", "5")
            },
            DieBox {
                is_exploded: true,
                ..die("d6", "6")
            },
            DieBox {
                was: Some("1".to_owned()),
                ..die("d6", "3")
            },
            die("d10", "10"),
        ];
        with_looks(|look, name| {
            let dice = DiceRow { dice: &throw, look };
            let mut text = String::new();
            for (width, height) in [(60, 3), (24, 9), (60, 1), (20, 3)] {
                write!(text, "{width}x{height}\n{}\n", shown(&dice, width, height)).unwrap();
            }
            if !look.ascii {
                insta::assert_snapshot!(format!("dice_{name}"), text);
            }
            assert_eq!((dice.height(60), dice.height(24)), (3, 6));
            assert_eq!(DiceRow { dice: &[], look }.height(60), 0);
        });
    }

    #[test]
    fn a_semicolon_separates_the_repetitions_of_a_roll() {
        let mut dice = ["4", "2", "3", "5"].map(|face| DieBox::new("d6", face.to_owned()));
        dice[2].starts_later_repetition = true;
        with_looks(|look, _| {
            let row = DiceRow { dice: &dice, look };
            assert_eq!(row.line().to_string(), "d6 [4] [2]; [3] [5]");

            let boxes = shown(&row, row.width(), BOX);
            if !look.ascii {
                let faces = "│ 4 │ │ 2 │ ; │ 3 │ │ 5 │";
                assert_eq!(boxes.lines().nth(1), Some(faces));
            }
            assert_eq!(shown(&row, 14, 2), "d6 [4] [2];\n[3] [5]\n");
        });
    }
}
