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

    /// The nearest colour that this depth can show. On sixteen colours themes name no others.
    pub fn reduce(self, color: Color) -> Color {
        match (self, color) {
            (Self::Mono, _) => Color::Reset,
            (Self::Ansi256, Color::Rgb(r, g, b)) => Color::Indexed(nearest_of_256([r, g, b])),
            (_, color) => color,
        }
    }
}

type Rgb = [u8; 3];

/// The levels of the 6×6×6 cube.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest colour of the cube, or the nearest grey.
fn nearest_of_256(wanted: Rgb) -> u8 {
    let [r, g, b] = wanted.map(|part| match part {
        0..48 => 0,
        48..115 => 1,
        _ => (part - 35) / 40,
    });
    let cube = 16 + 36 * r + 6 * g + b;
    let [red, green, blue] = wanted.map(u32::from);
    let brightness = (red * 299 + green * 587 + blue * 114) / 1000;
    let grey =
        232 + u8::try_from(brightness.saturating_sub(3) / 10).map_or(23, |step| step.min(23));
    let apart = |index| distance(rgb_of(index), wanted);
    if apart(grey) < apart(cube) {
        grey
    } else {
        cube
    }
}

/// A colour of the palette beyond the sixteen, which are every terminal's own.
pub(super) fn rgb_of(index: u8) -> Rgb {
    if index >= 232 {
        return [8 + 10 * (index - 232); 3];
    }
    let cube = usize::from(index.saturating_sub(16));
    [LEVELS[cube / 36], LEVELS[cube / 6 % 6], LEVELS[cube % 6]]
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

    #[test]
    fn the_environment_says_how_many_colours_there_are() {
        for ([term, colour, no_color], due) in [
            (["xterm-256color", "truecolor", ""], Depth::True),
            (["xterm-kitty", "", ""], Depth::True),
            (["tmux-256color", "", ""], Depth::Ansi256),
            (["linux", "", ""], Depth::Ansi16),
            (["", "", ""], Depth::Ansi16),
            (["vt220", "", ""], Depth::Mono),
            (["dumb", "", ""], Depth::Mono),
            (["", "truecolor", "1"], Depth::Mono),
        ] {
            let found = Depth::from_env(|name| match name {
                "TERM" => Some(term.to_owned()),
                "COLORTERM" => Some(colour.to_owned()),
                _ => Some(no_color.to_owned()),
            });
            assert_eq!(found, due, "{term} {colour} {no_color}");
        }
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
    fn without_colour_there_is_none() {
        assert_eq!(Depth::Mono.reduce(Color::Red), Color::Reset);
    }
}
