//! What of a frame is to be painted anew: on the table most keys change a panel and a line or two.

use ratatui::layout::Rect;

use crate::screen::layout::{self, Deck};
use crate::screen::list::List;
use crate::screen::state::{Label, Mode, Panel, ScreenState, Tab};
use crate::session::{CharacterId, ClockId, PoolId};
use crate::table::{Revisions, Section, Seen};

/// All that the panels of the table were painted from, but for the looks of the screen.
#[derive(Debug)]
pub(in crate::screen) struct Basis {
    size: (u16, u16),
    covered: bool,
    label: Label,
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
    /// The title and the tabs.
    pub(super) top: bool,
    /// The line above the panels.
    pub(super) scene: bool,
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
            label: state.label.clone(),
            panel: state.panel,
            revisions: seen.revisions(),
            decks: layout::decks(parts.body, state.counts, state.panel),
            party: state.party.clone(),
            clocks: state.clocks.clone(),
            tokens: state.tokens.clone(),
            rolls: state.rolls.clone(),
        })
    }

    /// What is otherwise than it was; nothing where everything may be.
    pub(in crate::screen) fn since(&self, before: &Self) -> Option<Damage> {
        let ground = |basis: &Self| (basis.size, basis.covered, basis.decks);
        let changed = |section| self.revisions.of(section) != before.revisions.of(section);
        // A new roll moves lines, which is looked for in whole pictures.
        if ground(self) != ground(before) || changed(Section::Rolls) {
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
            moved || changed(section) || focus(self, panel) != focus(before, panel)
        };
        Some(Damage {
            size: self.size,
            top: changed(Section::Around) || self.label != before.label,
            scene: changed(Section::Around) || changed(Section::Party),
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

    /// The areas to paint, from the top: the lines beneath the panels are always among them.
    pub(in crate::screen) fn areas(&self) -> Vec<Rect> {
        let Some(parts) = layout::parts(self.size) else {
            return Vec::new();
        };
        let (scene, _) = layout::scene_line(parts.body);
        let top = [parts.title, parts.tabs].into_iter().filter(|_| self.top);
        let scene = self.scene.then_some(scene);
        let panels = self.decks.iter().flatten().copied();
        let keys = (parts.keys != parts.notice).then_some(parts.keys);
        let beneath = [parts.notice].into_iter().chain(keys);
        top.chain(scene).chain(panels).chain(beneath).collect()
    }
}
