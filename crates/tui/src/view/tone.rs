//! How good an outcome is, for the eye: a colour, and a sign for those who see none. One outcome has the
//! same everywhere.

use crate::theme::Role;
use tableside_rules::Tone;

/// How a tone looks.
pub(crate) const fn role(tone: Tone) -> Role {
    match tone {
        Tone::Triumph => Role::Triumph,
        Tone::Good => Role::Success,
        Tone::Mixed => Role::Partial,
        Tone::Bad => Role::Failure,
        Tone::Disaster => Role::Disaster,
    }
}

/// The sign of a tone.
pub(crate) const fn sign(tone: Tone) -> &'static str {
    match tone {
        Tone::Triumph => "★",
        Tone::Good => "✓",
        Tone::Mixed => "±",
        Tone::Bad => "✗",
        Tone::Disaster => "‼",
    }
}
