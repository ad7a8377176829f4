//! Rolled dice, as boxes if they fit, and otherwise as text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::theme::Role;
use crate::widget::{Appearance, after, below, columns, join, left, line_columns, row, top};

/// A die and its face.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DieBox {
    /// The kind: `d8`, `wild`.
    pub kind: String,
    /// The purpose of this die and the following dice. Empty if the previous die has the same purpose.
    pub part: String,
    /// The face: `5`, or `?` before the roll.
    pub face: String,
    /// The face before a reroll.
    pub was: Option<String>,
    /// Set if the face is the highest or the lowest.
    pub extreme: Option<Extreme>,
    /// True if the die does not count.
    pub is_dropped: bool,
    /// True if the die exploded.
    pub is_exploded: bool,
    /// The text before the die.
    pub separator: Option<DieSeparator>,
}

/// What separates a die from the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DieSeparator {
    /// The die is the first of a later repetition, as in `6x 4d6`.
    Repetition,
    /// The die is the first of those that the previous dice are compared with.
    Versus,
}

impl DieSeparator {
    /// Returns the text, as in the output of `tableside roll`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Repetition => ";",
            Self::Versus => "vs",
        }
    }
}

/// The highest or the lowest face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extreme {
    Highest,
    Lowest,
}

impl DieBox {
    /// Returns a die that counts and whose face is neither the highest nor the lowest.
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

    /// Returns the role of the face.
    pub fn role(&self) -> Role {
        match (self.extreme, &self.was) {
            _ if self.is_dropped => Role::DieDropped,
            (Some(Extreme::Highest), _) => Role::DieMax,
            (Some(Extreme::Lowest), _) => Role::DieMin,
            (None, Some(_)) => Role::DieChanged,
            (None, None) => Role::Die,
        }
    }

    /// Returns the face, with a `!` if the die exploded, and in brackets if it does not count.
    pub fn inscription(&self) -> String {
        let bang = if self.is_exploded { "!" } else { "" };
        if self.is_dropped {
            format!("({}{bang})", self.face)
        } else {
            format!("{}{bang}", self.face)
        }
    }

    /// Returns the face before a reroll, with an arrow, or an empty string.
    fn history(&self) -> String {
        match &self.was {
            Some(face) => format!("{face}→"),
            None => String::new(),
        }
    }

    /// Returns the text on the upper edge of the box: the purpose and the face before a reroll.
    pub fn above(&self) -> String {
        match &self.was {
            None => self.part.clone(),
            Some(face) if self.part.is_empty() => format!("was {face}"),
            Some(face) => format!("{}, was {face}", self.part),
        }
    }

    fn width(&self) -> u16 {
        let text_width = columns(&self.kind)
            .max(columns(&self.inscription()))
            .max(columns(&self.above()))
            .max(3);
        text_width + 2
    }

    /// Returns the die as text, with its kind and its purpose on request.
    fn word(&self, shows_kind: bool, shows_part: bool, look: Appearance<'_>) -> Line<'static> {
        let label = |text: &str| Line::styled(text.to_owned(), look.style(Role::Muted));
        let mut face = format!("{}{}", self.history(), self.inscription());
        if !self.is_dropped {
            face = format!("[{face}]");
        }

        let mut parts = Vec::new();
        if shows_part {
            parts.push(label(&self.part));
        }
        if shows_kind {
            parts.push(label(&self.kind));
        }
        parts.push(Line::from(Span::styled(face, self.style(look))));
        join(parts, " ")
    }

    /// Draws the die as a box. A dropped die has a dashed edge.
    fn draw(&self, look: Appearance<'_>, area: Rect, buffer: &mut Buffer) {
        let (level, upright, edge_role) = if self.is_dropped {
            ("┄", "┆", Role::Border)
        } else {
            ("─", "│", Role::Muted)
        };
        let edge = look.style(edge_role);
        let above_style = if self.was.is_some() {
            look.style(Role::DieChanged)
        } else {
            edge
        };

        let rows = [
            BoxRow {
                corners: ("╭", "╮"),
                fill: level,
                text: Span::styled(self.above(), above_style),
            },
            BoxRow {
                corners: (upright, upright),
                fill: " ",
                text: Span::styled(self.inscription(), self.style(look)),
            },
            BoxRow {
                corners: ("╰", "╯"),
                fill: level,
                text: Span::styled(self.kind.clone(), edge),
            },
        ];
        for (row, place) in rows.into_iter().zip(area.rows()) {
            look.put(&row.line(area.width, edge), place, buffer);
        }
    }
}

/// A row of a box with a centred text.
struct BoxRow {
    corners: (&'static str, &'static str),
    fill: &'static str,
    text: Span<'static>,
}

impl BoxRow {
    fn line(self, width: u16, edge: Style) -> Line<'static> {
        let (left_corner, right_corner) = self.corners;
        let used = 2 + columns(&self.text.content);
        let free = usize::from(width.saturating_sub(used));
        let left_fill = self.fill.repeat(free / 2);
        let right_fill = self.fill.repeat(free.div_ceil(2));

        Line::from(vec![
            Span::styled(format!("{left_corner}{left_fill}"), edge),
            self.text,
            Span::styled(format!("{right_fill}{right_corner}"), edge),
        ])
    }
}

/// Dice side by side, as boxes if they fit, and otherwise as text.
#[derive(Clone, Copy, Debug)]
pub struct DiceRow<'a> {
    pub dice: &'a [DieBox],
    pub look: Appearance<'a>,
}

/// The number of rows of a die that is drawn as a box.
pub const DIE_ROWS: u16 = 3;

impl DiceRow<'_> {
    /// Returns the number of rows that boxes need at this width.
    pub fn height(&self, width: u16) -> u16 {
        let boxes = self.boxes(Rect::new(0, 0, width, u16::MAX));
        boxes.last().map_or(0, |place| place.bottom())
    }

    /// Returns the number of columns that boxes need in one row.
    pub fn width(&self) -> u16 {
        let widths = self.box_widths().map(|width| width + 1);
        widths.fold(0, u16::saturating_add).saturating_sub(1)
    }

    /// Returns the dice as one line of text: `d8 [8] (5) d6 [6!]`, or `d6 [4] [2]; [3] [5]` for `2x 2d6`.
    pub fn line(&self) -> Line<'static> {
        join(self.words(false), " ")
    }

    /// Returns each die as text. The kind stands before the first die of that kind.
    fn words(&self, shows_parts: bool) -> Vec<Line<'static>> {
        let mut words = Vec::new();
        let mut kind_before = None;
        for (index, die) in self.dice.iter().enumerate() {
            let shows_kind = kind_before != Some(&die.kind);
            let mut word = die.word(shows_kind, shows_parts, self.look);
            match self.separator_after(index) {
                Some(DieSeparator::Repetition) => word.push_span(self.look.span(";", Role::Muted)),
                Some(DieSeparator::Versus) => word.push_span(self.look.span(" vs", Role::Muted)),
                None => {}
            }
            words.push(word);
            kind_before = Some(&die.kind);
        }
        words
    }

    /// Returns the separator between a die and the next one.
    fn separator_after(&self, index: usize) -> Option<DieSeparator> {
        self.dice.get(index + 1)?.separator
    }

    /// Returns the width of each box with the separator after it, and the blank between them.
    pub fn box_widths(&self) -> impl Iterator<Item = u16> {
        self.dice.iter().enumerate().map(|(index, die)| {
            let separator_width = match self.separator_after(index) {
                Some(separator) => 1 + columns(separator.text()),
                None => 0,
            };
            die.width() + separator_width
        })
    }

    /// Returns the place of each box, with the separator after it.
    fn boxes(&self, area: Rect) -> Vec<Rect> {
        in_rows(area, self.box_widths(), 1, DIE_ROWS)
    }

    fn draw_box(&self, index: usize, place: Rect, buffer: &mut Buffer) {
        let die = &self.dice[index];
        die.draw(self.look, left(place, die.width()), buffer);

        if let Some(separator) = self.separator_after(index) {
            let behind_box = after(place, die.width() + 1);
            let text = self.look.span(separator.text(), Role::Muted);
            self.look.put(&Line::from(text), row(behind_box, 1), buffer);
        }
    }
}

/// Returns the places of boxes with these widths, side by side in as many rows as they need.
pub fn in_rows(area: Rect, widths: impl Iterator<Item = u16>, gap: u16, height: u16) -> Vec<Rect> {
    let mut places = Vec::new();
    let mut x = 0_u16;
    let mut y = 0_u16;
    for width in widths {
        if x > 0 && x.saturating_add(width) > area.width {
            x = 0;
            y = y.saturating_add(height);
        }

        let free = below(after(area, x), y);
        places.push(top(left(free, width), height));
        x = x.saturating_add(width + gap);
    }
    places
}

impl Widget for &DiceRow<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let area = area.intersection(buffer.area);
        let fits_in_width = self.box_widths().all(|width| width <= area.width);
        let fits_in_height = self.height(area.width) <= area.height;
        if fits_in_width && fits_in_height {
            for (index, place) in self.boxes(area).into_iter().enumerate() {
                self.draw_box(index, place, buffer);
            }
            return;
        }

        let dice_texts = self.words(true);
        let places = in_rows(area, dice_texts.iter().map(line_columns), 1, 1);
        for (text, place) in dice_texts.iter().zip(places) {
            self.look.put(text, place, buffer);
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
    fn opposed_dice_stand_behind_vs() {
        let mut dice = ["4", "2", "3"].map(|face| DieBox::new("d6", face.to_owned()));
        dice[1].separator = Some(DieSeparator::Versus);
        with_looks(|look, _| {
            let row = DiceRow { dice: &dice, look };
            assert_eq!(row.line().to_string(), "d6 [4] vs [2] [3]");

            let boxes = shown(&row, row.width(), DIE_ROWS);
            if !look.ascii {
                assert_eq!(boxes.lines().nth(1), Some("│ 4 │ vs │ 2 │ │ 3 │"));
            }
        });
    }

    #[test]
    fn a_semicolon_separates_the_repetitions_of_a_roll() {
        let mut dice = ["4", "2", "3", "5"].map(|face| DieBox::new("d6", face.to_owned()));
        dice[2].separator = Some(DieSeparator::Repetition);
        with_looks(|look, _| {
            let row = DiceRow { dice: &dice, look };
            assert_eq!(row.line().to_string(), "d6 [4] [2]; [3] [5]");

            let boxes = shown(&row, row.width(), DIE_ROWS);
            if !look.ascii {
                let faces = "│ 4 │ │ 2 │ ; │ 3 │ │ 5 │";
                assert_eq!(boxes.lines().nth(1), Some(faces));
            }
            assert_eq!(shown(&row, 14, 2), "d6 [4] [2];\n[3] [5]\n");
        });
    }
}
