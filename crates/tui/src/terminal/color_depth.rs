//! How many colours a terminal shows.

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
const TRUE_COLOUR: &str = "alacritty contour foot ghostty kitty rio wezterm";

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
            || TRUE_COLOUR.split(' ').any(|name| term.contains(name));
        if speaks_true {
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
}
