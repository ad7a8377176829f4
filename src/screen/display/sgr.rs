//! The colours and weights that a terminal writes with, changed by the least that changes them.

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use rustc_hash::FxHashMap;

use super::{Depth, put_number};

/// What the terminal writes with now; unknown until the first reset.
#[derive(Debug)]
pub(super) struct Pen {
    depth: Depth,
    now: Option<Ink>,
    /// Colours brought down to the depth, ink and ground: a screen has a few dozen pairs of them.
    reduced: FxHashMap<(Color, Color), (Color, Color)>,
    scratch: Vec<u8>,
}

/// Colours and weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink {
    fg: Color,
    bg: Color,
    weight: Modifier,
}

impl Ink {
    const PLAIN: Self = Self {
        fg: Color::Reset,
        bg: Color::Reset,
        weight: Modifier::empty(),
    };
}

/// Weights with the numbers that turn them on and off; bold and dim share one.
const WEIGHTS: [(Modifier, u8, u8); 8] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::SLOW_BLINK, 5, 25),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

/// Weights that can be seen on a blank.
const SEEN_ON_BLANK: Modifier = Modifier::UNDERLINED
    .union(Modifier::REVERSED)
    .union(Modifier::CROSSED_OUT);

/// So many pairs of colours are remembered at most.
const MOST_REDUCED: usize = 256;

impl Pen {
    pub(super) fn new(depth: Depth) -> Self {
        Self {
            depth,
            now: None,
            reduced: FxHashMap::default(),
            scratch: Vec::new(),
        }
    }

    /// What the terminal writes with now, as far as that is known.
    pub(super) fn ink(&self) -> Option<Ink> {
        self.now
    }

    /// Takes the terminal to write with that instead; answers with what it was.
    pub(super) fn change_ink(&mut self, ink: Option<Ink>) -> Option<Ink> {
        std::mem::replace(&mut self.now, ink)
    }

    pub(super) fn forget(&mut self) {
        self.now = None;
    }

    /// Goes back to the terminal's own colours.
    pub(super) fn reset(&mut self, out: &mut Vec<u8>) {
        if self.now != Some(Ink::PLAIN) {
            out.extend_from_slice(b"\x1b[m");
            self.now = Some(Ink::PLAIN);
        }
    }

    /// Takes up the colours and weights of a cell.
    pub(super) fn take_up(&mut self, cell: &Cell, blank: bool, out: &mut Vec<u8>) {
        if self.now.is_none() {
            self.reset(out);
        }
        let now = self.now.unwrap_or(Ink::PLAIN);
        if self.reduced.len() >= MOST_REDUCED {
            // Other colours are on since a while ago: themes were tried.
            self.reduced.clear();
        }
        let pair = (cell.fg, cell.bg);
        let depth = self.depth;
        let reduce = || depth.reduce_pair(cell.fg, cell.bg);
        let (fg, bg) = *self.reduced.entry(pair).or_insert_with(reduce);
        let mut wanted = Ink {
            fg,
            bg,
            weight: cell.modifier & !Modifier::RAPID_BLINK,
        };
        if blank {
            // Nobody sees what a blank is written with, unless it is lined or turned around.
            let unseen = !SEEN_ON_BLANK;
            wanted.weight = (wanted.weight - unseen) | (now.weight & unseen);
            if !wanted.weight.intersects(SEEN_ON_BLANK) {
                wanted.fg = now.fg;
            }
        }
        if now == wanted {
            return;
        }
        self.scratch.clear();
        step(now, wanted, &mut self.scratch);
        let stepped = self.scratch.len();
        // Starting afresh may be shorter: "\e[m" turns everything off at once.
        self.scratch.push(b';');
        step(Ink::PLAIN, wanted, &mut self.scratch);
        let afresh = self.scratch.len() - stepped;
        out.extend_from_slice(b"\x1b[");
        let chosen = match afresh {
            1 => Some(..0),
            _ if afresh < stepped => None,
            _ => Some(..stepped),
        };
        match chosen {
            Some(part) => out.extend_from_slice(self.scratch.get(part).unwrap_or_default()),
            None => out.extend_from_slice(self.scratch.get(stepped..).unwrap_or_default()),
        }
        out.push(b'm');
        self.now = Some(wanted);
    }
}

/// Writes the parameters that lead from one ink to another.
fn step(from: Ink, to: Ink, out: &mut Vec<u8>) {
    let mut parts = Parts {
        out,
        is_first: true,
    };
    let mut on = to.weight - from.weight;
    let off = from.weight - to.weight;
    if off.intersects(Modifier::BOLD | Modifier::DIM) {
        on |= to.weight & (Modifier::BOLD | Modifier::DIM);
    }
    let mut last_off = 0;
    for (weight, _, number) in WEIGHTS {
        if off.contains(weight) && number != last_off {
            parts.put(number);
            last_off = number;
        }
    }
    for (weight, number, _) in WEIGHTS {
        if on.contains(weight) {
            parts.put(number);
        }
    }
    if from.fg != to.fg {
        parts.put_color(to.fg, 30);
    }
    if from.bg != to.bg {
        parts.put_color(to.bg, 40);
    }
}

/// Parameters of one sequence.
struct Parts<'a> {
    out: &'a mut Vec<u8>,
    is_first: bool,
}

impl Parts<'_> {
    fn put(&mut self, number: u8) {
        if !std::mem::take(&mut self.is_first) {
            self.out.push(b';');
        }
        put_number(self.out, number.into());
    }

    /// A colour: 30 is the base of the foreground, 40 of the ground.
    fn put_color(&mut self, color: Color, base: u8) {
        let index = match color {
            Color::Reset => return self.put(base + 9),
            Color::Rgb(r, g, b) => {
                let parts = [base + 8, 2, r, g, b].into_iter();
                return parts.for_each(|part| self.put(part));
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
        match index {
            0..8 => self.put(base + index),
            8..16 => self.put(base + 60 + index - 8),
            16.. => [base + 8, 5, index]
                .into_iter()
                .for_each(|part| self.put(part)),
        }
    }
}
