//! How many colours a terminal shows, and how ours are brought down to them.

use ratatui::style::Color;

/// How many colours a terminal shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Depth {
    /// No colour: bold, underline and reverse carry the meaning.
    Mono,
    /// The sixteen named colours.
    Ansi16,
    /// The palette of 256.
    #[default]
    Ansi256,
    /// Every colour.
    True,
}

/// Terminals that show every colour, and say so in `TERM` alone (`COLORTERM` does not cross SSH).
const TRUE_COLOUR: [&str; 7] = [
    "kitty",
    "alacritty",
    "foot",
    "wezterm",
    "ghostty",
    "contour",
    "rio",
];

impl Depth {
    /// Reads the depth off an environment: `NO_COLOR`, `COLORTERM`, `TERM`.
    pub fn from_env(lookup: impl Fn(&str) -> Option<String>) -> Self {
        if lookup("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            return Self::Mono;
        }
        let term = lookup("TERM").unwrap_or_default();
        if term == "dumb" || term.starts_with("vt1") || term.starts_with("vt2") {
            return Self::Mono;
        }
        let colour = lookup("COLORTERM").unwrap_or_default();
        let speaks_true = matches!(colour.as_str(), "truecolor" | "24bit")
            || term.ends_with("-direct")
            || TRUE_COLOUR.iter().any(|name| term.contains(name));
        if speaks_true {
            Self::True
        } else if term.contains("256color") {
            Self::Ansi256
        } else {
            Self::Ansi16
        }
    }

    /// The nearest colour that this depth can show.
    pub fn reduce(self, color: Color) -> Color {
        match (self, color) {
            (Self::Mono, _) => Color::Reset,
            (Self::Ansi256, Color::Rgb(r, g, b)) => Color::Indexed(nearest_of_256([r, g, b])),
            (Self::Ansi16, Color::Rgb(r, g, b)) => Color::Indexed(nearest_of_16([r, g, b])),
            (Self::Ansi16, Color::Indexed(index @ 16..)) => {
                Color::Indexed(nearest_of_16(rgb_of(index)))
            }
            (_, color) => color,
        }
    }

    /// Brings a foreground and its ground down together, so that what was read is still read: one of
    /// sixteen may be all but lost on another, as yellow is on white.
    pub fn reduce_pair(self, fg: Color, bg: Color) -> (Color, Color) {
        let (ink, paper) = (self.reduce(fg), self.reduce(bg));
        match (ink, paper) {
            (Color::Indexed(text @ 0..16), Color::Indexed(ground @ 0..16)) if fg != bg => {
                let reads = |text: &u8| contrast(rgb_of(*text), rgb_of(ground)) >= READABLE;
                // Its darker or brighter twin keeps the hue.
                let near = [text, text ^ 8].into_iter().find(reads);
                let plain = if luminance(rgb_of(ground)) > 0.18 {
                    0
                } else {
                    15
                };
                (Color::Indexed(near.unwrap_or(plain)), paper)
            }
            apart => apart,
        }
    }
}

/// How much brighter one colour is than another, 1 to 21, as WCAG 2 counts it; `None` where the terminal
/// alone knows.
#[cfg(test)]
pub(super) fn contrast_of(one: Color, other: Color) -> Option<f64> {
    let fixed = |color| match color {
        Color::Rgb(r, g, b) => Some([r, g, b]),
        Color::Indexed(index) => Some(rgb_of(index)),
        _ => None,
    };
    Some(contrast(fixed(one)?, fixed(other)?))
}

fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    one.max(other) / one.min(other)
}

/// How much light comes from a colour, 0 to 1.
fn luminance(color: Rgb) -> f64 {
    let [r, g, b] = color.map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// So much apart is a text that one can read: WCAG 2, level AA.
pub(super) const READABLE: f64 = 4.5;

type Rgb = [u8; 3];

/// The levels of the 6×6×6 cube.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The sixteen as xterm shows them; every terminal has its own, but these are the common ground.
const SIXTEEN: [Rgb; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

fn nearest_of_256(wanted: Rgb) -> u8 {
    let steps = wanted.map(|part| match part {
        0..48 => 0,
        48..115 => 1,
        _ => (part - 35) / 40,
    });
    let cube = 16 + 36 * steps[0] + 6 * steps[1] + steps[2];
    let grey = brightness(wanted).saturating_sub(3) / 10;
    let grey = 232 + u8::try_from(grey.min(23)).unwrap_or(23);
    if distance(rgb_of(grey), wanted) < distance(rgb_of(cube), wanted) {
        grey
    } else {
        cube
    }
}

/// The nearest of sixteen. A pale colour keeps its hue: red, green and gold must not all be grey.
fn nearest_of_16(wanted: Rgb) -> u8 {
    let most = wanted.into_iter().max().unwrap_or(0);
    let least = wanted.into_iter().min().unwrap_or(0);
    if most - least < 48 {
        return match brightness(wanted) {
            0..64 => 0,
            64..150 => 8,
            150..220 => 7,
            _ => 15,
        };
    }
    // A little above the middle, so that olive counts as green and terracotta as red.
    let threshold = u16::from(least) + u16::from(most - least) * 58 / 100;
    let [r, g, b] = wanted.map(|part| u8::from(u16::from(part) > threshold));
    let hue = r | g << 1 | b << 2;
    if most > 170 { hue + 8 } else { hue }
}

fn rgb_of(index: u8) -> Rgb {
    match index {
        0..16 => SIXTEEN[usize::from(index)],
        16..232 => {
            let cube = usize::from(index - 16);
            [LEVELS[cube / 36], LEVELS[cube / 6 % 6], LEVELS[cube % 6]]
        }
        232.. => [8 + 10 * (index - 232); 3],
    }
}

/// How bright a colour looks, 0–255.
fn brightness([r, g, b]: Rgb) -> u32 {
    (u32::from(r) * 299 + u32::from(g) * 587 + u32::from(b) * 114) / 1000
}

fn distance(one: Rgb, other: Rgb) -> u32 {
    // The eye is sharpest in green and dullest in blue.
    let part = |index: usize, weight: u32| {
        let apart = u32::from(one[index].abs_diff(other[index]));
        weight * apart * apart
    };
    part(0, 3) + part(1, 4) + part(2, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(pairs: &[(&str, &str)]) -> Depth {
        Depth::from_env(|name| {
            let found = pairs.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        assert_eq!(
            depth(&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")]),
            Depth::True
        );
        assert_eq!(depth(&[("TERM", "xterm-kitty")]), Depth::True);
        assert_eq!(depth(&[("TERM", "tmux-256color")]), Depth::Ansi256);
        assert_eq!(depth(&[("TERM", "xterm")]), Depth::Ansi16);
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Ansi16);
        assert_eq!(depth(&[]), Depth::Ansi16);
        assert_eq!(depth(&[("TERM", "vt220")]), Depth::Mono);
        assert_eq!(depth(&[("TERM", "dumb")]), Depth::Mono);
        assert_eq!(
            depth(&[("NO_COLOR", "1"), ("COLORTERM", "truecolor")]),
            Depth::Mono
        );
        assert_eq!(
            depth(&[("NO_COLOR", ""), ("COLORTERM", "truecolor")]),
            Depth::True
        );
    }

    #[test]
    fn colours_of_the_palette_stay_themselves() {
        for index in 16..=255_u8 {
            let [r, g, b] = rgb_of(index);
            let Color::Indexed(found) = Depth::Ansi256.reduce(Color::Rgb(r, g, b)) else {
                panic!("{index} is not indexed");
            };
            assert_eq!(rgb_of(found), rgb_of(index));
        }
    }

    #[test]
    fn sixteen_colours_keep_the_hue() {
        let reduced = |r, g, b| Depth::Ansi16.reduce(Color::Rgb(r, g, b));
        assert_eq!(reduced(0x15, 0x17, 0x1c), Color::Indexed(0));
        assert_eq!(reduced(0xe0, 0xde, 0xd8), Color::Indexed(15));
        assert_eq!(reduced(0xe0, 0x6c, 0x75), Color::Indexed(9));
        assert_eq!(reduced(0x8f, 0xb5, 0x73), Color::Indexed(10));
        assert_eq!(reduced(0xe5, 0xc0, 0x7b), Color::Indexed(11));
    }

    #[test]
    fn text_never_sinks_into_its_ground() {
        let (fg, bg) = (Color::Rgb(10, 10, 10), Color::Rgb(30, 30, 34));
        assert_eq!(
            Depth::Ansi16.reduce_pair(fg, bg),
            (Color::Indexed(8), Color::Indexed(0))
        );
        // Its darker twin keeps the hue; where there is none that can be read, it is black or white.
        let (red, gold) = (Color::Rgb(255, 60, 60), Color::Rgb(240, 220, 80));
        let paper = Color::Rgb(255, 255, 255);
        let on_paper = |ink| Depth::Ansi16.reduce_pair(ink, paper).0;
        assert_eq!(on_paper(red), Color::Indexed(1));
        assert_eq!(on_paper(gold), Color::Indexed(0));
    }

    #[test]
    fn without_colour_there_is_none() {
        assert_eq!(Depth::Mono.reduce(Color::Red), Color::Reset);
    }
}
