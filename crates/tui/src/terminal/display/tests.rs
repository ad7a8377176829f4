use std::num::NonZeroU16;

use proptest::prelude::*;
use ratatui::buffer::{Buffer, CellWidth as _};
use ratatui::style::{Color, Modifier, Style};

use super::*;

fn remote_terminal(width: u16, height: u16) -> vt100::Parser {
    vt100::Parser::new(
        NonZeroU16::new(height).unwrap(),
        NonZeroU16::new(width).unwrap(),
        0,
    )
}

fn draw(display: &mut Display, picture: &Buffer) -> Vec<u8> {
    display.frame(|paper, _| {
        paper.reset();
        paper.merge(picture);
        (None, vec![paper.area])
    })
}

fn marked(row: u16) -> Buffer {
    let mut picture = Buffer::with_lines((0..12).map(|row| format!("   Hero number {row:<20}")));
    picture.set_style(
        picture.area,
        Style::new()
            .fg(Color::Rgb(220, 216, 208))
            .bg(Color::Rgb(21, 23, 28)),
    );
    picture.set_string(1, row, "›", Style::new().fg(Color::Rgb(226, 168, 92)));
    picture
}

#[test]
fn an_unchanged_frame_has_no_bytes() {
    let mut display = Display::new(40, 12);
    assert!(!draw(&mut display, &marked(4)).is_empty());
    assert_eq!(draw(&mut display, &marked(4)), b"");
}

#[test]
fn a_frame_is_synchronized() {
    let mut display = Display::new(40, 12);
    let frame = draw(&mut display, &marked(4));
    assert!(frame.starts_with(BEGIN) && frame.ends_with(END));
    // A frame with a few cells is shown at once in any case.
    let frame = draw(&mut display, &marked(5));
    assert!(!frame.starts_with(BEGIN) && !frame.is_empty());
}

#[test]
fn the_cursor_is_shown_at_its_position() {
    let mut display = Display::new(20, 5);
    let mut terminal = remote_terminal(20, 5);
    for (at, text) in [((3, 2), "a"), ((3, 2), "b"), ((19, 4), "b")] {
        terminal.process(&display.frame(|paper, _| {
            paper.set_string(0, 0, text, Style::new());
            (Some(at.into()), vec![paper.area])
        }));
        assert_eq!(terminal.screen().cursor_position(), (at.1, at.0));
        assert!(!terminal.screen().hide_cursor());
    }
    terminal.process(&draw(&mut display, &Buffer::with_lines(["b"])));
    assert!(terminal.screen().hide_cursor());
}

#[test]
fn an_escape_in_a_cell_is_not_sent() {
    let mut display = Display::new(10, 1);
    let mut picture = Buffer::with_lines(["abc"]);
    picture[(1, 0)].set_symbol("\u{1b}]0;evil\u{7}");
    picture[(2, 0)].set_symbol("\u{202E}");
    let frame = draw(&mut display, &picture);
    let text = String::from_utf8(frame).unwrap();
    assert!(
        !text.contains("evil") && !text.contains('\u{202E}'),
        "{text:?}"
    );
}

#[test]
fn an_ascii_terminal_gets_ascii() {
    let mut display = Display::new(12, 1).ascii(true);
    let frame = draw(&mut display, &Buffer::with_lines(["Zoë 美咲 ok"]));
    assert!(frame.is_ascii());
    let mut terminal = remote_terminal(12, 1);
    terminal.process(&frame);
    assert_eq!(terminal.screen().contents(), "Zo? ???? ok");
}

#[test]
fn after_forget_the_whole_screen_is_redrawn() {
    let mut display = Display::new(40, 12);
    draw(&mut display, &marked(4));
    display.forget();
    let mut terminal = remote_terminal(40, 12);
    terminal.process(b"\x1b[7;31mgarbage");
    terminal.process(&draw(&mut display, &marked(4)));
    assert_same(&terminal, &marked(4));
}

#[test]
fn a_new_size_redraws_the_whole_screen() {
    let mut display = Display::new(20, 6);
    draw(&mut display, &Buffer::with_lines(["a title"]));
    display.resize(40, 12);
    let mut terminal = remote_terminal(40, 12);
    terminal.process(&draw(&mut display, &marked(3)));
    assert_same(&terminal, &marked(3));
}

#[test]
fn wide_letters_do_not_shift_the_rest_of_the_line() {
    let mut display = Display::new(12, 2);
    let mut terminal = remote_terminal(12, 2);
    for lines in [
        ["美咲🐉ab", "x龍 y"],
        ["a咲🐉 b", "龍龍龍龍龍龍"],
        ["", "🐉"],
    ] {
        let picture = Buffer::with_lines(lines.map(|line| format!("{line:<6}")));
        terminal.process(&draw(&mut display, &picture));
        assert_same(&terminal, &picture);
    }
}

fn shown_color(color: vt100::Color) -> Color {
    match color {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(index) => Color::Indexed(index),
        vt100::Color::Rgb(r, g, b) => Color::Rgb(r, g, b),
    }
}

fn assert_same(terminal: &vt100::Parser, picture: &Buffer) {
    let (rows, columns) = terminal.screen().size();
    for y in 0..rows.get().min(picture.area.height) {
        let mut x = 0;
        while x < columns.get().min(picture.area.width) {
            let (view, drawn) = (terminal.screen().cell(y, x).unwrap(), &picture[(x, y)]);
            let text = if view.has_contents() {
                view.contents()
            } else {
                " "
            };
            assert_eq!(text, drawn.symbol(), "text at {x},{y}");
            let (fg, bg) = (drawn.fg, drawn.bg);
            assert_eq!(shown_color(view.bgcolor()), bg, "ground at {x},{y}");
            assert_eq!(view.inverse(), drawn.modifier.contains(Modifier::REVERSED));
            assert_eq!(
                view.underline(),
                drawn.modifier.contains(Modifier::UNDERLINED)
            );
            if text != " " {
                assert_eq!(shown_color(view.fgcolor()), fg, "colour at {x},{y}");
                assert_eq!(view.bold(), drawn.modifier.contains(Modifier::BOLD));
                assert_eq!(view.dim(), drawn.modifier.contains(Modifier::DIM));
                assert_eq!(view.italic(), drawn.modifier.contains(Modifier::ITALIC));
            }
            x += drawn.cell_width().max(1);
        }
    }
}

fn any_color() -> impl Strategy<Value = Color> {
    prop_oneof![
        Just(Color::Reset),
        any::<u8>().prop_map(Color::Indexed),
        any::<[u8; 3]>().prop_map(|[r, g, b]| Color::Rgb(r, g, b)),
    ]
}

fn any_style() -> impl Strategy<Value = Style> {
    // The emulated terminal has one intensity at a time: bold or dim.
    let intensity = prop::sample::select(vec![Modifier::empty(), Modifier::BOLD, Modifier::DIM]);
    let others = vec![Modifier::ITALIC, Modifier::UNDERLINED, Modifier::REVERSED];
    let others = prop::sample::subsequence(others, 0..=3);
    let painted = any_color().prop_filter("a painted ground", |color| *color != Color::Reset);
    (any_color(), painted, intensity, others).prop_map(|(fg, bg, intensity, others)| {
        let others: Modifier = others.into_iter().collect();
        Style::reset()
            .fg(fg)
            .bg(bg)
            .add_modifier(intensity | others)
    })
}

/// Pictures with a background colour, like those of the program. Without one, terminals differ in what they show in the
/// other half of a wide letter that is overwritten.
fn any_picture() -> impl Strategy<Value = Buffer> {
    let word = (0_u16..24, 0_u16..8, "[ -~─●▓é龍美🐉]{1,9}", any_style());
    prop::collection::vec(word, 0..14).prop_map(|words| {
        let mut picture = Buffer::empty(ratatui::layout::Rect::new(0, 0, 24, 8));
        picture.set_style(picture.area, Style::new().bg(Color::Rgb(21, 23, 28)));
        for (x, y, word, style) in words {
            picture.set_string(x, y, word, style);
        }
        // A word may cover half of a wide letter. A real frame never shows the other half.
        for y in 0..8 {
            for x in 0..24_u16 {
                let covered = x > 0 && picture[(x - 1, y)].cell_width() == 2;
                let cell = &mut picture[(x, y)];
                if covered {
                    cell.reset();
                } else if cell.bg == Color::Reset {
                    cell.set_bg(Color::Rgb(21, 23, 28));
                }
            }
        }
        picture
    })
}

proptest! {
    #[test]
    fn the_terminal_shows_any_picture_as_it_was_drawn(
        pictures in prop::collection::vec(any_picture(), 1..4),
    ) {
        let mut display = Display::new(24, 8);
        let mut terminal = remote_terminal(24, 8);
        for picture in &pictures {
            terminal.process(&draw(&mut display, picture));
            assert_same(&terminal, picture);
        }
    }
}

#[test]
fn only_the_painted_areas_change() {
    let mut display = Display::new(40, 12);
    let mut terminal = remote_terminal(40, 12);
    let mut whole = marked(3);
    terminal.process(&draw(&mut display, &whole));
    let areas = [Rect::new(0, 0, 34, 1), Rect::new(5, 4, 9, 3)];
    for words in ["美咲🐉ab", "", "龍"] {
        let paint = |paper: &mut Buffer, _: &Buffer| {
            for position in areas.iter().flat_map(|area| area.positions()) {
                paper[position].reset();
                paper[position].set_bg(Color::Rgb(1, 2, 3));
            }
            paper.set_string(5, 5, words, Style::new().bold());
            (None, areas.to_vec())
        };
        terminal.process(&display.frame(paint));
        paint(&mut whole, &Buffer::default());
        assert_same(&terminal, &whole);
        assert_eq!(draw(&mut display, &whole), b"");
    }
}
