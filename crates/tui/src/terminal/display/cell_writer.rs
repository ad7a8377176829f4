//! Cells as bytes for a terminal: positions, styles and symbols.
//!
//! crossterm formats each part of a style as a command of its own, which takes a quarter of the time of a frame.

use ratatui::buffer::Cell;
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier};

/// An attribute, and the parameters of the escape sequence SGR that switch it on and off.
struct Attribute {
    modifier: Modifier,
    on: u16,
    off: u16,
}

const fn attribute(modifier: Modifier, on: u16, off: u16) -> Attribute {
    Attribute { modifier, on, off }
}

const ATTRIBUTES: [Attribute; 9] = [
    attribute(Modifier::BOLD, 1, 22),
    attribute(Modifier::DIM, 2, 22),
    attribute(Modifier::ITALIC, 3, 23),
    attribute(Modifier::UNDERLINED, 4, 24),
    attribute(Modifier::SLOW_BLINK, 5, 25),
    attribute(Modifier::RAPID_BLINK, 6, 25),
    attribute(Modifier::REVERSED, 7, 27),
    attribute(Modifier::HIDDEN, 8, 28),
    attribute(Modifier::CROSSED_OUT, 9, 29),
];
/// The parameters that begin a colour. The next parameter, plus one, sets the colour of the terminal itself.
const FOREGROUND: u16 = 38;
const BACKGROUND: u16 = 48;

/// Appends cells to the bytes of a frame.
///
/// The terminal must show text without attributes and colours before the first cell, and does so after
/// [`CellWriter::finish`].
pub(super) struct CellWriter<'b> {
    bytes: &'b mut Vec<u8>,
    style: CellStyle,
    /// The position of the terminal's cursor. `None` if it is not known.
    cursor: Option<Position>,
}

/// The style of a cell. The default is the style of a terminal after a reset.
#[derive(Clone, Copy, Default, PartialEq)]
struct CellStyle {
    foreground: Color,
    background: Color,
    modifier: Modifier,
}

impl<'b> CellWriter<'b> {
    pub(super) fn new(bytes: &'b mut Vec<u8>) -> Self {
        Self {
            bytes,
            style: CellStyle::default(),
            cursor: None,
        }
    }

    pub(super) fn write(&mut self, position: Position, cell: &Cell) {
        if self.cursor != Some(position) {
            self.move_to(position);
        }
        // After a wide letter, the next cell is further right, so it gets a position of its own.
        self.cursor = Some(Position::new(position.x + 1, position.y));

        self.set_style(CellStyle {
            foreground: cell.fg,
            background: cell.bg,
            modifier: cell.modifier,
        });
        self.bytes.extend_from_slice(cell.symbol().as_bytes());
    }

    /// Switches all attributes and colours off.
    pub(super) fn finish(mut self) {
        self.set_style(CellStyle::default());
    }

    fn move_to(&mut self, position: Position) {
        self.bytes.extend_from_slice(b"\x1b[");
        self.push_number(position.y + 1);
        self.bytes.push(b';');
        self.push_number(position.x + 1);
        self.bytes.push(b'H');
    }

    /// Sends the difference between the present style and a new one.
    fn set_style(&mut self, style: CellStyle) {
        if style == self.style {
            return;
        }

        self.bytes.extend_from_slice(b"\x1b[");
        if style.modifier != self.style.modifier {
            self.push_attributes(style.modifier);
        }
        if style.foreground != self.style.foreground {
            self.push_color(FOREGROUND, style.foreground);
        }
        if style.background != self.style.background {
            self.push_color(BACKGROUND, style.background);
        }

        // The letter replaces the separator after the last parameter.
        self.bytes.pop();
        self.bytes.push(b'm');
        self.style = style;
    }

    fn push_attributes(&mut self, wanted: Modifier) {
        let mut present = self.style.modifier;
        for removed in ATTRIBUTES {
            let is_removed =
                present.contains(removed.modifier) && !wanted.contains(removed.modifier);
            if is_removed {
                self.push_parameter(removed.off);
                // One parameter switches off bold and dim text, and another one both kinds of blinking.
                for attribute in ATTRIBUTES {
                    if attribute.off == removed.off {
                        present.remove(attribute.modifier);
                    }
                }
            }
        }
        for added in ATTRIBUTES {
            if wanted.contains(added.modifier) && !present.contains(added.modifier) {
                self.push_parameter(added.on);
            }
        }
    }

    fn push_color(&mut self, ground: u16, color: Color) {
        let index = match color {
            Color::Reset => {
                self.push_parameter(ground + 1);
                return;
            }
            Color::Rgb(red, green, blue) => {
                self.push_parameter(ground);
                for number in [2, red, green, blue] {
                    self.push_parameter(number.into());
                }
                return;
            }
            Color::Indexed(index) => index,
            Color::Black => 0,
            Color::Red => 1,
            Color::Green => 2,
            Color::Yellow => 3,
            Color::Blue => 4,
            Color::Magenta => 5,
            Color::Cyan => 6,
            Color::Gray => 7,
            Color::DarkGray => 8,
            Color::LightRed => 9,
            Color::LightGreen => 10,
            Color::LightYellow => 11,
            Color::LightBlue => 12,
            Color::LightMagenta => 13,
            Color::LightCyan => 14,
            Color::White => 15,
        };
        self.push_parameter(ground);
        self.push_parameter(5);
        self.push_parameter(index.into());
    }

    fn push_parameter(&mut self, parameter: u16) {
        self.push_number(parameter);
        self.bytes.push(b';');
    }

    fn push_number(&mut self, number: u16) {
        if number >= 10 {
            self.push_number(number / 10);
        }
        let digit = usize::from(number % 10);
        self.bytes.push(b"0123456789"[digit]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn written(cells: &[(u16, &'static str, Style)]) -> String {
        let mut bytes = Vec::new();
        let mut writer = CellWriter::new(&mut bytes);
        for (x, symbol, style) in cells {
            let mut cell = Cell::new(symbol);
            cell.set_style(*style);
            writer.write(Position::new(*x, 11), &cell);
        }
        writer.finish();
        String::from_utf8(bytes).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn only_the_difference_of_two_styles_is_sent() {
        let plain = Style::new()
            .fg(Color::Rgb(9, 80, 255))
            .bg(Color::Indexed(7));
        let bold = plain.add_modifier(Modifier::BOLD | Modifier::DIM);
        let dim = plain.add_modifier(Modifier::DIM);
        let red = plain.fg(Color::LightRed);
        let terminal_text = red.fg(Color::Reset);
        assert_eq!(
            written(&[
                (0, "a", plain),
                (1, "b", plain),
                (2, "c", bold),
                (3, "d", dim),
                (4, "e", red),
                (5, "f", terminal_text),
            ]),
            "^[12;1H^[38;2;9;80;255;48;5;7mab^[1;2mc^[22;2md^[22;38;5;9me^[39mf^[49m"
        );
    }

    #[test]
    fn the_cursor_moves_after_a_gap_and_after_a_wide_letter() {
        let style = Style::new();
        let cells = [(8, "a", style), (9, "美", style), (11, "b", style)];
        assert_eq!(written(&cells), "^[12;9Ha美^[12;12Hb");
    }
}
