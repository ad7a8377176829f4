//! What of a frame is to be painted anew: on the table most keys change a card or two and a line.

use ratatui::layout::Rect;

use super::table::cells;
use crate::screen::layout::{self, Deck};
use crate::screen::list::List;
use crate::screen::state::{Label, Mode, Notice, Panel, ScreenState, Tab, Unsaved};
use crate::session::{CharacterId, ClockId, PoolId};
use crate::table::{SeatView, Section};

/// All that the table was painted from, but for the looks of the screen.
#[derive(Debug)]
pub(in crate::screen) struct Basis {
    size: (u16, u16),
    covered: bool,
    label: Label,
    /// What the words in passing tell: how many things are marked, too.
    words: (Option<Notice>, Unsaved, usize),
    panel: Panel,
    revision: u64,
    has_undo: bool,
    decks: [Deck; 4],
    party: List<CharacterId>,
    clocks: List<ClockId>,
    tokens: List<PoolId>,
    rolls: List<u64>,
}

/// What stands around the panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// The title and the tabs.
    Top,
    /// The line above the panels.
    Scene,
    /// The words in passing.
    Words,
    /// The line of keys.
    Keys,
}

/// What is to be painted anew.
#[derive(Debug)]
pub(in crate::screen) struct Damage {
    size: (u16, u16),
    /// What stands around the panels.
    edges: [bool; 4],
    /// Whole panels.
    panels: Vec<Rect>,
    /// Cells of others.
    cells: Vec<(Panel, Rect)>,
}

impl Basis {
    /// What the table is painted from; nothing where it is not the table alone that is shown.
    pub(in crate::screen) fn of(seen: &SeatView<'_>, state: &ScreenState) -> Option<Self> {
        let parts = layout::parts(state.size)?;
        if state.tab != Tab::Table || !matches!(state.mode, Mode::Browse) {
            return None;
        }
        Some(Self {
            size: state.size,
            covered: state.covered,
            label: state.label.clone(),
            words: (state.notice.clone(), state.unsaved.clone(), state.marked()),
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
    pub(in crate::screen) fn has_same_things(&self, seen: &SeatView<'_>) -> bool {
        seen.revisions().has_same_things_since(self.revision)
    }

    /// What is otherwise than it was; nothing where everything may be.
    pub(in crate::screen) fn since(
        &self,
        before: &Self,
        seen: &SeatView<'_>,
        state: &ScreenState,
    ) -> Option<Damage> {
        let ground = |basis: &Self| (basis.size, basis.covered, basis.decks);
        let revisions = seen.revisions();
        let changed = |section| revisions.section(section) > before.revision;
        // A new roll moves lines, which is looked for in whole pictures.
        if ground(self) != ground(before) || changed(Section::Rolls) {
            return None;
        }
        let edges = [
            self.label != before.label,
            changed(Section::Party),
            self.words != before.words,
            (self.panel, self.has_undo) != (before.panel, before.has_undo),
        ];
        let around = changed(Section::Around);
        let edges = edges.map(|edge| edge || around);
        let mut damage = Damage {
            size: self.size,
            edges,
            panels: Vec::new(),
            cells: Vec::new(),
        };
        for deck in &self.decks {
            let focus = |basis: &Self| basis.panel == deck.panel;
            let refocused = focus(self) != focus(before);
            let cells = match deck.panel {
                Panel::Party if !refocused && !changed(Section::Party) => {
                    let touched = revisions.characters_since(before.revision);
                    let touched = moved(&self.party, &before.party, touched);
                    let lines = || state.party_lines(seen);
                    touched.map(|touched| cells_of(deck, lines, self.party.top(), &touched))
                }
                Panel::Clocks if !refocused && !changed(Section::Clocks) => {
                    let touched = revisions.clocks_since(before.revision);
                    let touched = moved(&self.clocks, &before.clocks, touched);
                    let lines = || state.clock_lines(seen);
                    touched.map(|touched| cells_of(deck, lines, self.clocks.top(), &touched))
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

/// What was touched, and between which things the cursor moved; nothing if anything else is otherwise about a
/// list.
fn moved<Id: Copy + Eq>(
    now: &List<Id>,
    before: &List<Id>,
    touched: impl Iterator<Item = Id>,
) -> Option<Vec<Id>> {
    let same = now.top() == before.top() && now.marked() == before.marked();
    same.then(|| {
        let cursors = [now.id(), before.id()].into_iter().flatten();
        let moved = cursors.filter(|_| now.id() != before.id());
        touched.chain(moved).collect()
    })
}

/// The cells in sight with something stale in them.
fn cells_of<Id: Copy + Eq>(
    deck: &Deck,
    lines: impl FnOnce() -> Vec<Option<Id>>,
    top: usize,
    stale: &[Id],
) -> Vec<Rect> {
    if stale.is_empty() {
        return Vec::new();
    }
    let cells = cells(deck, &lines(), top).into_iter();
    let stale = cells.filter(|(_, id)| stale.contains(id));
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

    /// Whether this of what stands around the panels is to be painted.
    pub(super) fn has_edge(&self, edge: Edge) -> bool {
        self.edges[edge as usize]
    }

    /// The areas to paint.
    pub(in crate::screen) fn areas(&self) -> Vec<Rect> {
        let Some(parts) = layout::parts(self.size) else {
            return Vec::new();
        };
        let (scene, _) = layout::scene_line(parts.body);
        let top = [parts.title, parts.tabs].into_iter();
        let top = top.filter(|_| self.has_edge(Edge::Top));
        let scene = self.has_edge(Edge::Scene).then_some(scene);
        let cells = self.cells.iter().map(|(_, area)| *area);
        let panels = self.panels.iter().copied();
        // Where they share a row, they are one.
        let shared = parts.notice == parts.keys;
        let [words, keys] = [Edge::Words, Edge::Keys].map(|edge| self.has_edge(edge));
        let words = (words || shared && keys).then_some(parts.notice);
        let keys = (keys && !shared).then_some(parts.keys);
        let beneath = words.into_iter().chain(keys);
        let inside = cells.chain(panels);
        top.chain(scene).chain(inside).chain(beneath).collect()
    }
}
