//! Draws the pictures of the book, and the film of the README: `cargo run --example pictures` plays `docs/pictures.txt`
//! on the sample games and writes an SVG for each of its lines. A film is one SVG, whose pictures follow each other.
//!
//! Times and dice are fixed, so that a picture changes only when the screen does.

#![expect(clippy::print_stdout, reason = "it is there to tell what it wrote")]
#![expect(
    clippy::unwrap_used,
    reason = "a script that cannot be played should say so loudly"
)]

use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroU16;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use tableside::cli::sample;
use tableside::dice::SystemDice;
use tableside::rules::System;
use tableside::screen::terminal::color_depth::Depth;
use tableside::screen::{Input, Job, Screen, Setup, Zone};
use tableside::table::Table;
use vt100::{Cell, Color, Parser};

/// The size of a cell, in pixels.
const CELL: (f64, f64) = (8.4, 18.0);
/// What a terminal shows where nothing is said.
const PLAIN: (&str, &str) = ("#d4d4d4", "#16161d");
/// How long a picture of a film stands where nothing is said, in tenths of a second.
const STANDS: u32 = 2;

fn main() {
    let script = fs::read_to_string("docs/pictures.txt").unwrap();
    for line in script.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [kind @ ("picture" | "film"), name, system, size, keys @ ..] = words.as_slice() else {
            continue;
        };
        let (width, height) = size.split_once('x').unwrap();
        let size = (width.parse().unwrap(), height.parse().unwrap());
        let mut play = Play::open(system.parse().unwrap(), size);
        let mut film = Vec::new();
        for key in keys {
            match key.strip_prefix("wait:") {
                Some(tenths) => film.push((play.drawn(), tenths.parse().unwrap())),
                None if *kind == "film" => {
                    film.push((play.drawn(), STANDS));
                    play.press(key);
                }
                None => play.press(key),
            }
        }
        film.push((play.drawn(), 15));
        let first = if *kind == "film" { 0 } else { film.len() - 1 };
        let svg = framed(size, &film[first..]);
        let folder = match *kind {
            "film" => "docs",
            _ => "docs/book/src/pictures",
        };
        let file = format!("{folder}/{name}.svg");
        fs::write(&file, &svg).unwrap();
        println!("{file}: {} KiB", svg.len() / 1024);
    }
}

/// A screen on a terminal in memory.
struct Play {
    screen: Screen,
    far: Parser,
}

impl Play {
    fn open(system: System, (width, height): (u16, u16)) -> Self {
        let game = sample(system).unwrap();
        let dice = Box::new(SystemDice::from_key([7; 32]));
        let table = Table::unsaved(&game.name, game.game, game.entries, None, now, dice);
        let setup = Setup {
            zone: Zone::Utc,
            depth: Depth::True,
            ..Setup::gm()
        };
        let side = |length| NonZeroU16::new(length).unwrap();
        let mut play = Self {
            screen: Screen::new(Arc::clone(&table), setup, (width, height)),
            far: Parser::new(side(height), side(width), 0),
        };
        play.look();
        play
    }

    fn press(&mut self, key: &str) {
        let bytes = match key {
            "Enter" => "\r".to_owned(),
            "Esc" => "\x1b".to_owned(),
            "Tab" => "\t".to_owned(),
            "Space" => " ".to_owned(),
            "Up" => "\x1b[A".to_owned(),
            "Down" => "\x1b[B".to_owned(),
            "Right" => "\x1b[C".to_owned(),
            "Left" => "\x1b[D".to_owned(),
            key if key.starts_with("C-") => {
                let letter = key.bytes().last().unwrap();
                String::from_utf8(vec![letter & 0x1f]).unwrap()
            }
            key => key.strip_prefix("type:").unwrap_or(key).replace('_', " "),
        };
        self.screen.handle(Input::Bytes(bytes.into_bytes()));
        self.screen.handle(Input::Silence);
        self.look();
    }

    /// Shows what there is to see, with what was worked out in the background.
    fn look(&mut self) {
        self.far.process(&self.screen.frame());
        while let Some(job) = self.screen.take_job() {
            self.screen.handle(Input::JobDone(Job::answer(job)));
            self.far.process(&self.screen.frame());
        }
    }

    /// The rows of the screen as parts of an SVG.
    fn drawn(&self) -> Vec<String> {
        let screen = self.far.screen();
        let (rows, columns) = screen.size();
        let drawn = (0..rows.get()).map(|row| {
            let cells = (0..columns.get()).filter_map(|column| screen.cell(row, column));
            let cells: Vec<&Cell> = cells.collect();
            let mut svg = String::new();
            grounds(&mut svg, &cells, row);
            letters(&mut svg, &cells, row);
            svg
        });
        drawn.collect()
    }
}

fn now() -> DateTime<Utc> {
    "2026-11-20T20:48:00Z".parse().unwrap()
}

/// The colours of a cell: of its letter, and behind it where it has a ground of its own.
fn colours(cell: &Cell) -> (String, Option<String>) {
    let (letter, ground) = (named(cell.fgcolor()), named(cell.bgcolor()));
    if cell.inverse() {
        let letter = letter.unwrap_or_else(|| PLAIN.0.to_owned());
        (ground.unwrap_or_else(|| PLAIN.1.to_owned()), Some(letter))
    } else {
        (letter.unwrap_or_else(|| PLAIN.0.to_owned()), ground)
    }
}

fn named(colour: Color) -> Option<String> {
    match colour {
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Default | Color::Idx(_) => None,
    }
}

/// The stretches of equal things in a row: where each begins, and how long it is.
fn stretches<T: PartialEq>(of: &[T]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    of.chunk_by(PartialEq::eq).map(move |same| {
        at += same.len();
        (at - same.len(), same.len())
    })
}

fn x(column: usize) -> f64 {
    CELL.0 * f64::from(u16::try_from(column).unwrap())
}

fn grounds(svg: &mut String, cells: &[&Cell], row: u16) {
    let grounds: Vec<Option<String>> = cells.iter().map(|cell| colours(cell).1).collect();
    let (top, height) = (CELL.1 * f64::from(row), CELL.1);
    for (at, length) in stretches(&grounds) {
        if let Some(ground) = &grounds[at] {
            let (left, width) = (x(at), x(length));
            write!(svg, "<rect x='{left:.1}' y='{top:.1}' width='{width:.1}' height='{height:.1}' fill='{ground}'/>").unwrap();
        }
    }
}

fn letters(svg: &mut String, cells: &[&Cell], row: u16) {
    let looks = cells.iter().map(|cell| {
        let kind = if cell.contents().trim().is_empty() {
            0
        } else {
            1 + u8::from(blocks(cell).is_some())
        };
        (
            kind,
            colours(cell).0,
            cell.bold(),
            cell.italic(),
            cell.dim(),
            cell.underline(),
        )
    });
    let looks: Vec<_> = looks.collect();
    let top = CELL.1 * f64::from(row);
    for (at, length) in stretches(&looks) {
        let (kind, colour, bold, italic, dim, lined) = &looks[at];
        let opacity = if *dim { " opacity='.6'" } else { "" };
        match kind {
            0 => {}
            2 => {
                write!(svg, "<g fill='{colour}'{opacity}>").unwrap();
                for (column, cell) in cells.iter().enumerate().skip(at).take(length) {
                    for (left, above, width, height, shade) in blocks(cell).unwrap_or_default() {
                        let shade = if shade < 1.0 {
                            format!(" opacity='{shade}'")
                        } else {
                            String::new()
                        };
                        let (left, above) = (x(column) + left * CELL.0, top + above * CELL.1);
                        // A hair wider, so that no seam is seen between neighbours.
                        let (width, height) = (width * CELL.0 + 0.2, height * CELL.1 + 0.2);
                        write!(svg, "<rect x='{left:.1}' y='{above:.1}' width='{width:.1}' height='{height:.1}'{shade}/>").unwrap();
                    }
                }
                svg.push_str("</g>");
            }
            _ => {
                let text: String = cells[at..at + length]
                    .iter()
                    .map(|cell| cell.contents())
                    .collect();
                let text = text.replace('&', "&amp;").replace('<', "&lt;");
                let (left, base, width) = (x(at), top + 13.5, x(length));
                let bold = if *bold { " font-weight='bold'" } else { "" };
                let italic = if *italic { " font-style='italic'" } else { "" };
                let lined = if *lined {
                    " text-decoration='underline'"
                } else {
                    ""
                };
                write!(svg, "<text x='{left:.1}' y='{base:.1}' textLength='{width:.1}' fill='{colour}'{bold}{italic}{lined}{opacity}>{text}</text>").unwrap();
            }
        }
    }
}

/// From the left, from the top, how wide, how high, how thick.
type Part = (f64, f64, f64, f64, f64);

/// The parts of a cell that a block element fills, each from the left and the top with its size in cells and how
/// thick it is: fonts leave gaps between them.
fn blocks(cell: &Cell) -> Option<Vec<Part>> {
    let quarters = |lit: [bool; 4]| {
        let places = [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)];
        let lit = places.into_iter().zip(lit).filter(|(_, lit)| *lit);
        lit.map(|((left, top), _)| (left, top, 0.5, 0.5, 1.0))
            .collect()
    };
    let (on, off) = (true, false);
    Some(match cell.contents() {
        "│" => vec![(0.45, 0.0, 0.1, 1.0, 1.0)],
        "█" => vec![(0.0, 0.0, 1.0, 1.0, 1.0)],
        "▀" => quarters([on, on, off, off]),
        "▄" => quarters([off, off, on, on]),
        "▌" => quarters([on, off, on, off]),
        "▐" => quarters([off, on, off, on]),
        "▘" => quarters([on, off, off, off]),
        "▝" => quarters([off, on, off, off]),
        "▖" => quarters([off, off, on, off]),
        "▗" => quarters([off, off, off, on]),
        "▚" => quarters([on, off, off, on]),
        "▞" => quarters([off, on, on, off]),
        "▛" => quarters([on, on, on, off]),
        "▜" => quarters([on, on, off, on]),
        "▙" => quarters([on, off, on, on]),
        "▟" => quarters([off, on, on, on]),
        "░" => vec![(0.0, 0.0, 1.0, 1.0, 0.25)],
        "▒" => vec![(0.0, 0.0, 1.0, 1.0, 0.5)],
        "▓" => vec![(0.0, 0.0, 1.0, 1.0, 0.75)],
        _ => return None,
    })
}

/// The whole SVG: one picture, or several that follow each other for ever.
fn framed((columns, rows): (u16, u16), film: &[(Vec<String>, u32)]) -> String {
    let (width, height) = (CELL.0 * f64::from(columns), CELL.1 * f64::from(rows));
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-8 -8 {:.1} {:.1}' font-family='DejaVu Sans Mono, Menlo, Consolas, monospace' font-size='14' shape-rendering='crispEdges' xml:space='preserve'>\n<rect x='-8' y='-8' width='100%' height='100%' rx='8' fill='{}'/>\n",
        width + 16.0,
        height + 16.0,
        PLAIN.1
    );
    let total: u32 = film.iter().map(|(_, tenths)| tenths).sum();
    let seconds = f64::from(total) / 10.0;
    let begins = |at: usize| {
        let before: u32 = film[..at].iter().map(|(_, tenths)| tenths).sum();
        100.0 * f64::from(before) / f64::from(total)
    };
    // A row stands as long as it stays the same.
    let mut spans = Vec::new();
    for row in 0..usize::from(rows) {
        let same: Vec<&String> = film.iter().map(|(picture, _)| &picture[row]).collect();
        for (at, length) in stretches(&same) {
            let drawn = same[at];
            if length == film.len() {
                svg += drawn;
            } else if !drawn.is_empty() {
                let span = (at, at + length);
                if !spans.contains(&span) {
                    spans.push(span);
                }
                write!(svg, "<g class='p{}-{}'>{drawn}</g>", span.0, span.1).unwrap();
            }
        }
        svg.push('\n');
    }
    svg.push_str("<style>");
    for (at, end) in spans {
        let (from, to) = (begins(at), begins(end));
        let name = format!("p{at}-{end}");
        let before = if at == 0 {
            String::new()
        } else {
            "0%{visibility:hidden}".to_owned()
        };
        let after = if end == film.len() {
            String::new()
        } else {
            format!("{to:.3}%,100%{{visibility:hidden}}")
        };
        write!(svg, "@keyframes {name}{{{before}{from:.3}%{{visibility:visible}}{after}}}.{name}{{animation:{name} {seconds}s step-end infinite}}").unwrap();
    }
    svg.push_str("</style>");
    svg + "</svg>\n"
}
