//! The request to pause, over the whole screen.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::Role;
use crate::view::painter::Painter;
use crate::widget::{below, columns, left, row};

/// The words, in two lines.
const WORDS: [&str; 2] = ["Let's", "pause"];

/// The rows of a glyph, in dots.
const GLYPH_ROWS: usize = 8;

/// The columns between two glyphs, in dots.
const GLYPH_GAP: usize = 1;

/// From this size on, a dot is two columns wide and one row high.
const ROOMY: (u16, u16) = (70, 24);

/// The rows of the words in plain letters.
const PLAIN_ROWS: u16 = 2;

/// The letters as dots.
const GLYPHS: [(char, [&str; GLYPH_ROWS]); 8] = [
    (
        'L',
        [
            "#   ", "#   ", "#   ", "#   ", "#   ", "#   ", "####", "    ",
        ],
    ),
    (
        'e',
        [
            "    ", "    ", " ## ", "#  #", "####", "#   ", " ###", "    ",
        ],
    ),
    (
        't',
        [" # ", " # ", "###", " # ", " # ", " # ", "  #", "   "],
    ),
    ('\'', ["#", "#", " ", " ", " ", " ", " ", " "]),
    (
        's',
        [
            "    ", "    ", " ###", "#   ", " ## ", "   #", "### ", "    ",
        ],
    ),
    (
        'p',
        [
            "    ", "    ", "### ", "#  #", "#  #", "#  #", "### ", "#   ",
        ],
    ),
    (
        'a',
        [
            "    ", "    ", " ## ", "   #", " ###", "#  #", " ###", "    ",
        ],
    ),
    (
        'u',
        [
            "    ", "    ", "#  #", "#  #", "#  #", "#  #", " ###", "    ",
        ],
    ),
];

/// Draws the words in large letters, and below them in plain ones, which can be read aloud.
pub(super) fn draw(painter: &mut Painter<'_>, screen: Rect) {
    let large = if painter.look.ascii {
        Vec::new()
    } else {
        large_words(screen)
    };
    let large_rows = u16::try_from(large.len()).unwrap_or(u16::MAX);
    let gap = u16::from(!large.is_empty());
    let rows = large_rows.saturating_add(gap + PLAIN_ROWS);

    let top = screen.height.saturating_sub(rows) / 2;
    let mut free = below(screen, top);
    for line in &large {
        put_centred(painter, free, line, Role::Info);
        free = below(free, 1);
    }
    free = below(free, gap);

    put_centred(painter, free, "Let's pause", Role::Title);
    let keys = painter.context.state.key_names();
    let key_line = below(free, 1);
    put_centred(
        painter,
        key_line,
        &keys.fill_in("⟨form.submit⟩ or ⟨close⟩: continue"),
        Role::Muted,
    );
}

fn put_centred(painter: &mut Painter<'_>, area: Rect, words: &str, role: Role) {
    let width = columns(words).min(area.width);
    let indent = (area.width - width) / 2;
    let line = Rect {
        x: area.x + indent,
        ..left(row(area, 0), width)
    };
    let styled: Line<'_> = painter.line(words, role);
    painter.draw_line(line, &styled);
}

/// The words in large letters, as lines of equal width for each word. Empty if the screen is too small for them.
fn large_words(screen: Rect) -> Vec<String> {
    let is_roomy = screen.width >= ROOMY.0 && screen.height >= ROOMY.1;
    let mut lines = Vec::new();
    for word in WORDS {
        let dots = dots_of(word);
        if is_roomy {
            lines.extend(dots.iter().map(|row| wide_line(row)));
        } else {
            lines.extend(dots.chunks(2).map(half_block_line));
        }
    }

    let width = lines.iter().map(|line| columns(line)).max().unwrap_or(0);
    let has_room = width <= screen.width && lines.len() + 3 <= usize::from(screen.height);
    if has_room { lines } else { Vec::new() }
}

/// The rows of dots of a word.
fn dots_of(word: &str) -> Vec<String> {
    let mut rows = vec![String::new(); GLYPH_ROWS];
    for letter in word.chars() {
        let glyph = GLYPHS.iter().find(|(known, _)| *known == letter);
        let Some((_, dots)) = glyph else {
            continue;
        };
        for (row, part) in rows.iter_mut().zip(dots) {
            if !row.is_empty() {
                row.push_str(&" ".repeat(GLYPH_GAP));
            }
            row.push_str(part);
        }
    }
    rows
}

/// A row of dots, each two columns wide.
fn wide_line(row: &str) -> String {
    row.chars()
        .map(|dot| if dot == '#' { "██" } else { "  " })
        .collect()
}

/// Two rows of dots in one line of half blocks.
fn half_block_line(rows: &[String]) -> String {
    let upper = rows.first().map_or("", |row| row);
    let lower = rows.get(1).map_or("", |row| row);

    let mut line = String::new();
    for (upper_dot, lower_dot) in upper.chars().zip(lower.chars()) {
        line.push(match (upper_dot, lower_dot) {
            ('#', '#') => '█',
            ('#', _) => '▀',
            (_, '#') => '▄',
            _ => ' ',
        });
    }
    line
}
