use super::*;
use crate::terminal::color_depth::Depth;
use crate::theme::{Role, Theme};
use ratatui::buffer::Buffer;
use ratatui::widgets::Widget;

/// Draws a widget and returns the text on the screen.
pub(super) fn shown(widget: impl Widget, width: u16, height: u16) -> String {
    drawn(width, height, |area, buffer| widget.render(area, buffer))
}

/// Draws with a function and returns the text on the screen.
pub(super) fn drawn(width: u16, height: u16, draw: impl FnOnce(Rect, &mut Buffer)) -> String {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    draw(area, &mut buffer);
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
pub(super) fn with_looks(mut draw: impl FnMut(Appearance<'_>, &str)) {
    let theme = Theme::default();
    let look = Appearance::new(&theme, Depth::True);
    draw(look, "unicode");
    draw(
        Appearance {
            ascii: true,
            ..look
        },
        "ascii",
    );
}

/// One of each widget, one beneath the other.
fn everything(look: Appearance<'_>, width: u16, height: u16) -> String {
    use crate::widget::panel::*;
    use crate::widget::{clock, dialog::*, die::*, field::*, odds::*};
    let chance = |label, role| Chance {
        sign: "",
        label,
        share: 0.5,
        role,
    };
    let dice = [
        DieBox {
            was: Some("10".to_owned()),
            ..DieBox::new("d8", "8".to_owned())
        },
        DieBox {
            is_dropped: true,
            is_exploded: true,
            ..DieBox::new("d100", "77".to_owned())
        },
    ];
    let chances = [
        chance("A long label", Role::Triumph),
        chance("美咲", Role::Failure),
    ];
    let field = Field::new("美咲 the Quiet", 40);

    let panel = PanelFrame {
        note: "note",
        ..PanelFrame::new("Title", look)
    };
    let dialog = DialogFrame {
        panel: PanelFrame {
            focused: true,
            ..PanelFrame::new("Title", look)
        },
        size: (30, 9),
        keeps_top: false,
    };
    let view = FieldView {
        focused: true,
        ..FieldView::new(&field, look)
    };
    [
        shown(&DiceRow { dice: &dice, look }, width, height),
        shown(&clock::tests::clock(Some(3), 8, look), width, height),
        shown(&clock::tests::clock(None, 8, look), width, height),
        shown(
            &OddsBar {
                chances: &chances,
                look,
            },
            width,
            height,
        ),
        grid::tests::party(look, width, height),
        shown(&panel, width, height),
        shown(&dialog, width, height),
        shown(&view, width, height),
    ]
    .concat()
}

#[test]
fn nothing_breaks_at_any_size() {
    with_looks(|look, _| {
        for (width, height) in (0..40).flat_map(|width| (0..8).map(move |height| (width, height))) {
            everything(look, width, height);
        }
    });
}
