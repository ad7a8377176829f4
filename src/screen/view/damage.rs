//! What of a frame is to be painted anew: on the table most keys change a card or two and a line.

use ratatui::layout::Rect;

use super::table::cells;
use crate::screen::layout::{self, Deck};
use crate::screen::list::List;
use crate::screen::state::{Label, Mode, Panel, ScreenState, Tab};
use crate::session::{CharacterId, ClockId, PoolId};
use crate::table::{Section, Seen};

/// All that the table was painted from, but for the looks of the screen.
#[derive(Debug)]
pub(in crate::screen) struct Basis {
    size: (u16, u16),
    covered: bool,
    label: Label,
    panel: Panel,
    revision: u64,
    has_undo: bool,
    decks: [Deck; 4],
    party: List<CharacterId>,
    clocks: List<ClockId>,
    tokens: List<PoolId>,
    rolls: List<u64>,
}

/// What is to be painted anew.
#[derive(Debug)]
pub(in crate::screen) struct Damage {
    size: (u16, u16),
    /// The title and the tabs.
    pub(super) top: bool,
    /// The line above the panels.
    pub(super) scene: bool,
    /// The line of keys.
    pub(super) keys: bool,
    /// Whole panels.
    panels: Vec<Rect>,
    /// Cells of others.
    cells: Vec<(Panel, Rect)>,
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
            revision: seen.revision(),
            has_undo: seen.has_undo(),
            decks: layout::decks(parts.body, state.counts, state.panel),
            party: state.party.clone(),
            clocks: state.clocks.clone(),
            tokens: state.tokens.clone(),
            rolls: state.rolls.clone(),
        })
    }

    /// Whether the table has the things that it had, whatever is otherwise about them.
    pub(in crate::screen) fn has_same_things(&self, seen: &Seen<'_>) -> bool {
        let sections = [
            Section::Party,
            Section::Clocks,
            Section::Tokens,
            Section::Rolls,
        ];
        let mut revisions = sections
            .map(|section| seen.revisions().section(section))
            .into_iter();
        revisions.all(|revision| revision <= self.revision)
    }

    /// What is otherwise than it was; nothing where everything may be.
    pub(in crate::screen) fn since(
        &self,
        before: &Self,
        seen: &Seen<'_>,
        state: &ScreenState,
    ) -> Option<Damage> {
        let ground = |basis: &Self| (basis.size, basis.covered, basis.decks);
        let revisions = seen.revisions();
        let changed = |section| revisions.section(section) > before.revision;
        // A new roll moves lines, which is looked for in whole pictures.
        if ground(self) != ground(before) || changed(Section::Rolls) {
            return None;
        }
        let mut damage = Damage {
            size: self.size,
            top: changed(Section::Around) || self.label != before.label,
            scene: changed(Section::Around) || changed(Section::Party),
            keys: changed(Section::Around)
                || (self.panel, self.has_undo) != (before.panel, before.has_undo),
            panels: Vec::new(),
            cells: Vec::new(),
        };
        for deck in &self.decks {
            let focus = |basis: &Self| basis.panel == deck.panel;
            let refocused = focus(self) != focus(before);
            let cells = match deck.panel {
                Panel::Party if !refocused && !changed(Section::Party) => {
                    let lines = state.party_lines(seen);
                    let moved = moved(&self.party, &before.party);
                    moved.map(|moved| {
                        let is_stale = |id| {
                            moved.contains(&Some(id)) || revisions.character(id) > before.revision
                        };
                        stale(deck, &lines, self.party.top(), is_stale)
                    })
                }
                Panel::Clocks if !refocused && !changed(Section::Clocks) => {
                    let lines = state.clock_lines(seen);
                    let moved = moved(&self.clocks, &before.clocks);
                    moved.map(|moved| {
                        let is_stale =
                            |id| moved.contains(&Some(id)) || revisions.clock(id) > before.revision;
                        stale(deck, &lines, self.clocks.top(), is_stale)
                    })
                }
                Panel::Party | Panel::Clocks => None,
                Panel::Tokens => {
                    let same = self.tokens == before.tokens && !changed(Section::Tokens);
                    (same && !refocused).then(Vec::new)
                }
                Panel::Rolls => (self.rolls == before.rolls && !refocused).then(Vec::new),
            };
            match cells {
                Some(cells) => {
                    let cells = cells.into_iter().map(|area| (deck.panel, area));
                    damage.cells.extend(cells);
                }
                None => damage.panels.push(deck.frame),
            }
        }
        Some(damage)
    }
}

/// Between which things the cursor moved, if nothing else is otherwise about a list.
fn moved<Id: Copy + Eq>(now: &List<Id>, before: &List<Id>) -> Option<[Option<Id>; 2]> {
    let same = now.top() == before.top() && now.marked() == before.marked();
    same.then(|| {
        if now.id() == before.id() {
            [None, None]
        } else {
            [now.id(), before.id()]
        }
    })
}

/// The cells in sight with something stale in them.
fn stale<Id: Copy + Eq>(
    deck: &Deck,
    lines: &[Option<Id>],
    top: usize,
    is_stale: impl Fn(Id) -> bool,
) -> Vec<Rect> {
    let cells = cells(deck, lines, top).into_iter();
    let stale = cells.filter(|(_, id)| is_stale(*id));
    stale.map(|(area, _)| area).collect()
}

impl Damage {
    /// Whether this panel is to be painted whole.
    pub(super) fn has_panel(&self, deck: &Deck) -> bool {
        self.panels.contains(&deck.frame)
    }

    /// Whether anything in this panel is to be painted.
    pub(super) fn is_in(&self, deck: &Deck) -> bool {
        self.has_panel(deck) || self.cells.iter().any(|(panel, _)| *panel == deck.panel)
    }

    /// Whether this cell of a panel is to be painted.
    pub(super) fn has_cell(&self, deck: &Deck, area: Rect) -> bool {
        self.has_panel(deck) || self.cells.contains(&(deck.panel, area))
    }

    /// The areas to paint: the words in passing are always among them.
    pub(in crate::screen) fn areas(&self) -> Vec<Rect> {
        let Some(parts) = layout::parts(self.size) else {
            return Vec::new();
        };
        let (scene, _) = layout::scene_line(parts.body);
        let top = [parts.title, parts.tabs].into_iter().filter(|_| self.top);
        let scene = self.scene.then_some(scene);
        let cells = self.cells.iter().map(|(_, area)| *area);
        let panels = self.panels.iter().copied();
        let keys = (self.keys && parts.keys != parts.notice).then_some(parts.keys);
        let beneath = [parts.notice].into_iter().chain(keys);
        let inside = cells.chain(panels);
        top.chain(scene).chain(inside).chain(beneath).collect()
    }
}
