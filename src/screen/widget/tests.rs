use super::*;
use ratatui::buffer::Buffer;
use ratatui::widgets::Widget;

/// Draws a widget and gives back what one would read, one line for a line.
pub(super) fn shown(widget: impl Widget, width: u16, height: u16) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    widget.render(area, &mut buffer);
    text_of(&buffer)
}

pub(super) fn text_of(buffer: &Buffer) -> String {
    use ratatui::buffer::CellWidth as _;
    let mut text = String::new();
    for y in buffer.area.y..buffer.area.bottom() {
        let (mut line, mut x) = (String::new(), buffer.area.x);
        while x < buffer.area.right() {
            let cell = &buffer[(x, y)];
            line.push_str(cell.symbol());
            x += cell.cell_width().max(1);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The default look and the same in ASCII.
pub(super) fn with_looks(mut draw: impl FnMut(Look<'_>, &str)) {
    let theme = Theme::default();
    let look = Look::new(&theme, Depth::True);
    draw(look, "unicode");
    draw(
        Look {
            ascii: true,
            ..look
        },
        "ascii",
    );
}

#[test]
fn ascii_looks_are_ascii() {
    let Glyphs {
        marker,
        marked,
        cut,
        arrow,
        dot,
        done,
        hidden,
        above,
        below,
        rule,
        wall,
    } = &ASCII;
    for glyph in [
        marker, marked, cut, arrow, dot, done, hidden, above, below, rule, wall,
    ] {
        assert!(glyph.is_ascii());
    }
}
