//! A theme brought down to sixteen colours, so that what differs still differs.

use ratatui::style::{Color, Modifier, Style};

use super::{Role, Theme};
use crate::screen::color_depth::Depth;

/// Roles that stand beside each other and mean different things.
pub(super) const APART: [&[Role]; 8] = [
    &[
        Role::Triumph,
        Role::Success,
        Role::Partial,
        Role::Failure,
        Role::Disaster,
    ],
    &[Role::Die, Role::DieMax, Role::DieMin, Role::DieDropped],
    &[Role::Die, Role::DieChanged],
    &[Role::ClockFill, Role::CountdownFill],
    &[Role::Token, Role::TokenDebt],
    &[Role::Text, Role::Ally, Role::Adversary, Role::Hidden],
    &[Role::Info, Role::Warning, Role::Danger],
    &[Role::Border, Role::BorderFocus],
];

/// What sets two roles of one colour apart, the quietest first.
const WEIGHTS: [Modifier; 4] = [
    Modifier::empty(),
    Modifier::BOLD,
    Modifier::UNDERLINED,
    Modifier::BOLD.union(Modifier::UNDERLINED),
];

impl Theme {
    /// Works out the styles for sixteen colours: the nearest ones, and where two roles that must differ
    /// have come to the same, a brighter twin or a weight sets them apart.
    pub(super) fn brought_down(mut self) -> Self {
        let depth = Depth::Ansi16;
        let reduced = |style: &Style| {
            let ground = style.bg.unwrap_or(self.ground);
            let (fg, bg) = depth.reduce_pair(style.fg.unwrap_or(Color::Reset), ground);
            Style {
                fg: style.fg.map(|_| fg),
                bg: style.bg.map(|_| bg),
                ..*style
            }
        };
        let mut few: Vec<Style> = self.styles.iter().map(reduced).collect();
        for group in APART {
            let mut taken: Vec<(Option<Color>, Option<Color>, Modifier)> = Vec::new();
            for role in group {
                let Some(style) = few.get_mut(*role as usize) else {
                    continue;
                };
                let own = *style;
                let free = choices(own, self.ground)
                    .find(|one| !taken.contains(&(one.fg, one.bg, one.add_modifier)));
                *style = free.unwrap_or(own);
                taken.push((style.fg, style.bg, style.add_modifier));
            }
        }
        self.few = few;
        self
    }
}

/// The style itself, then its brighter or darker twin where that can be read, each with more weight.
fn choices(own: Style, ground: Color) -> impl Iterator<Item = Style> {
    let bg = own.bg.unwrap_or(ground);
    let twin = own.fg.and_then(|fg| match fg {
        Color::Indexed(index @ 0..16) => {
            let twin = Color::Indexed(index ^ 8);
            (Depth::Ansi16.reduce_pair(twin, bg).0 == twin).then_some(twin)
        }
        _ => None,
    });
    let twin = twin.map(|fg| Style {
        fg: Some(fg),
        ..own
    });
    WEIGHTS.into_iter().flat_map(move |weight| {
        std::iter::once(own)
            .chain(twin)
            .map(move |style| style.add_modifier(weight))
    })
}
