//! The number of colours that a terminal shows.

/// The number of colours that a terminal shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Depth {
    /// No colours. Text is bold, underlined or reversed instead.
    Mono,
    /// The sixteen named colours.
    Ansi16,
    /// The palette of 256 colours.
    #[default]
    Ansi256,
    /// 16 million colours.
    True,
}

/// Terminals with 16 million colours that can be recognised by `TERM`. SSH does not pass on `COLORTERM`.
const TRUE_COLOUR: &str = "alacritty contour foot ghostty kitty rio wezterm";

impl Depth {
    /// Reads the number of colours from the variables `NO_COLOR`, `COLORTERM` and `TERM`.
    pub fn from_env(lookup: impl Fn(&str) -> Option<String>) -> Self {
        if lookup("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            return Self::Mono;
        }
        let term = lookup("TERM").unwrap_or_default();
        let is_old = term.starts_with("vt1") || term.starts_with("vt2");
        if is_old || term == "dumb" {
            return Self::Mono;
        }

        let colorterm = lookup("COLORTERM").unwrap_or_default();
        let mut true_colour_names = TRUE_COLOUR.split(' ');
        let has_true_colour = matches!(colorterm.as_str(), "truecolor" | "24bit")
            || term.ends_with("-direct")
            || true_colour_names.any(|name| term.contains(name));
        if has_true_colour {
            Self::True
        } else if term.contains("256color") {
            Self::Ansi256
        } else {
            Self::Ansi16
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_sets_the_number_of_colours() {
        for ([term, colorterm, no_color], expected) in [
            (["xterm-256color", "truecolor", ""], Depth::True),
            (["xterm-kitty", "", ""], Depth::True),
            (["tmux-256color", "", ""], Depth::Ansi256),
            (["linux", "", ""], Depth::Ansi16),
            (["", "", ""], Depth::Ansi16),
            (["vt220", "", ""], Depth::Mono),
            (["dumb", "", ""], Depth::Mono),
            (["", "truecolor", "1"], Depth::Mono),
        ] {
            let depth = Depth::from_env(|name| match name {
                "TERM" => Some(term.to_owned()),
                "COLORTERM" => Some(colorterm.to_owned()),
                _ => Some(no_color.to_owned()),
            });
            assert_eq!(depth, expected, "{term} {colorterm} {no_color}");
        }
    }
}
