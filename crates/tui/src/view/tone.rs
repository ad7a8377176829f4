//! The colours and signs of outcomes. A sign repeats the meaning of the colour.

use crate::theme::Role;
use tableside_rules::Tone;

/// Returns the role of a tone.
pub(crate) const fn role(tone: Tone) -> Role {
    match tone {
        Tone::Triumph => Role::Triumph,
        Tone::Good => Role::Success,
        Tone::Mixed => Role::Partial,
        Tone::Bad => Role::Failure,
        Tone::Disaster => Role::Disaster,
    }
}

/// Returns the sign of a tone. The outcomes of a check without success have a sign that means neither success nor
/// failure.
pub(crate) const fn sign(tone: Tone, has_success: bool) -> &'static str {
    if !has_success {
        return "•";
    }
    match tone {
        Tone::Triumph => "★",
        Tone::Good => "✓",
        Tone::Mixed => "±",
        Tone::Bad => "✗",
        Tone::Disaster => "‼",
    }
}
