//! What of a frame is to be painted anew: on the table most keys change a panel and a line or two.

use ratatui::layout::Rect;

use crate::screen::layout::{self, Deck};
use crate::screen::list::List;
use crate::screen::state::{Mode, Panel, ScreenState, Tab};
use crate::session::{CharacterId, ClockId, PoolId};
use crate::table::{Revisions, Section, Seen};

/// All that the panels of the table were painted from, but for the looks of the screen.
#[derive(Debug)]
pub(in crate::screen) struct Basis {
    size: (u16, u16),
    covered: bool,
    panel: Panel,
    revisions: Revisions,
    decks: [Deck; 4],
    party: List<CharacterId>,
    clocks: List<ClockId>,
    tokens: List<PoolId>,
    rolls: List<u64>,
}

/// What is to be painted anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::screen) struct Damage {
    size: (u16, u16),
    decks: [Option<Rect>; 4],
}

impl Basis {
    /// What the table is painted from; nothing where it is not the table alone that is shown.
    pub(in crate::screen) fn of(seen: &Seen<'_>, state: &ScreenState) -> Option<Self> {
        let parts = layout::parts(state.size)?;
        if state.tab != Tab::Table || !matches!(state.mode, Mode::Browse) {
            return None;
        }
        Some(Self {
            size: state.size,
            covered: state.covered,
            panel: state.panel,
            revisions: seen.revisions(),
            decks: layout::decks(parts.body, ScreenState::counts(seen), state.panel),
            party: state.party.clone(),
            clocks: state.clocks.clone(),
            tokens: state.tokens.clone(),
            rolls: state.rolls.clone(),
        })
    }

    /// What is otherwise than it was; nothing where everything may be.
    pub(in crate::screen) fn since(&self, before: &Self) -> Option<Damage> {
        let ground = |basis: &Self| (basis.size, basis.covered, basis.decks);
        let rolls = |basis: &Self| basis.revisions.of(Section::Rolls);
        // A new roll moves lines, which is looked for in whole pictures.
        if ground(self) != ground(before) || rolls(self) != rolls(before) {
            return None;
        }
        let focus = |basis: &Self, panel| basis.panel == panel;
        let is_stale = |panel| {
            let (section, moved) = match panel {
                Panel::Party => (Section::Party, self.party != before.party),
                Panel::Clocks => (Section::Clocks, self.clocks != before.clocks),
                Panel::Tokens => (Section::Tokens, self.tokens != before.tokens),
                Panel::Rolls => (Section::Rolls, self.rolls != before.rolls),
            };
            moved
                || self.revisions.of(section) != before.revisions.of(section)
                || focus(self, panel) != focus(before, panel)
        };
        Some(Damage {
            size: self.size,
            decks: self
                .decks
                .map(|deck| is_stale(deck.panel).then_some(deck.frame)),
        })
    }
}

impl Damage {
    /// Whether this panel is among it.
    pub(super) fn has(&self, deck: &Deck) -> bool {
        self.decks.contains(&Some(deck.frame))
    }

    /// The areas to paint, from the top: the lines around the panels cost little, and are always among
    /// them.
    pub(in crate::screen) fn areas(&self) -> Vec<Rect> {
        let Some(parts) = layout::parts(self.size) else {
            return Vec::new();
        };
        let (scene, _) = layout::scene_line(parts.body);
        let mut areas = vec![parts.title, parts.tabs, scene];
        areas.extend(self.decks.iter().flatten());
        areas.push(parts.notice);
        if parts.keys != parts.notice {
            areas.push(parts.keys);
        }
        areas
    }
}
