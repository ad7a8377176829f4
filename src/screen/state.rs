//! What a screen remembers between two keys.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::action::{Action, Context};
use super::dialog::Dialog;
use super::keymap::Keymap;
use super::list::{Cursor, List};
use super::rows;
use super::theme::Role;
use super::update::log::LogPlace;
use crate::rules::FirstAid;
use crate::session::{CallId, CharacterId, ClockId, PoolId, UnfinishedId};
use crate::table::SeatView;

/// A tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// Everything at a glance.
    #[default]
    Table,
    /// Who is in the game.
    Party,
    /// The progress clocks.
    Clocks,
    /// The token pools.
    Tokens,
    /// What happened.
    Log,
}

impl Tab {
    /// All tabs, from the left.
    pub const ALL: [Self; 5] = [
        Self::Table,
        Self::Party,
        Self::Clocks,
        Self::Tokens,
        Self::Log,
    ];

    /// What goes to it.
    pub const fn action(self) -> Action {
        match self {
            Self::Table => Action::TabTable,
            Self::Party => Action::TabParty,
            Self::Clocks => Action::TabClocks,
            Self::Tokens => Action::TabTokens,
            Self::Log => Action::TabLog,
        }
    }

    /// The place that its keys belong to.
    pub(super) const fn context(self) -> Context {
        match self {
            Self::Table => Context::Table,
            Self::Party => Context::Party,
            Self::Clocks => Context::Clocks,
            Self::Tokens => Context::Tokens,
            Self::Log => Context::Log,
        }
    }
}

/// The one so many further among all, round and round.
pub(super) fn after<T: Copy + PartialEq>(one: T, by: isize, all: &[T]) -> T {
    let place = all.iter().position(|known| *known == one).unwrap_or(0);
    let count = isize::try_from(all.len()).unwrap_or(1).max(1);
    let further = usize::try_from(by.rem_euclid(count)).unwrap_or(0);
    let next = all.iter().cycle().nth(place + further);
    next.copied().unwrap_or(one)
}

/// A panel of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Panel {
    /// The characters.
    #[default]
    Party,
    /// The clocks.
    Clocks,
    /// The pools.
    Tokens,
    /// The last rolls.
    Rolls,
}

impl Panel {
    /// All panels, in the order in which one walks them.
    pub(super) const ALL: [Self; 4] = [Self::Party, Self::Clocks, Self::Tokens, Self::Rolls];

    /// Its name.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Party => "Party",
            Self::Clocks => "Clocks",
            Self::Tokens => "Tokens",
            Self::Rolls => "Last rolls",
        }
    }

    const fn contexts(self) -> &'static [Context] {
        use Context::{Always, Clocks, Everywhere, List, Log, Party, Table, Tokens};
        match self {
            Self::Party => &[Table, Party, List, Everywhere, Always],
            Self::Clocks => &[Table, Clocks, List, Everywhere, Always],
            Self::Tokens => &[Table, Tokens, List, Everywhere, Always],
            Self::Rolls => &[Table, Log, List, Everywhere, Always],
        }
    }
}

/// A word from the program in passing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Notice {
    /// What it says.
    pub(super) text: String,
    /// What it is.
    pub(super) role: Role,
}

impl Notice {
    /// Something good to know.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            role: Role::Notice,
        }
    }

    /// Something that did not happen, and why.
    pub(super) fn warning(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            role: Role::Warning,
        }
    }
}

/// What the game is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Label {
    /// The name.
    pub(super) name: String,
    /// Whether nobody has named it.
    pub(super) is_unnamed: bool,
    /// Whether it may only be looked at.
    pub(super) is_view: bool,
    /// Whether others leave when this screen does.
    pub(super) serves: bool,
}

/// How saving stands, as far as anybody is to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Unsaved {
    /// All is well, and nothing is said.
    #[default]
    No,
    /// It takes longer than it should.
    Slow,
    /// It fails, since then and for that reason.
    Failing {
        /// When the oldest event that is not on the disk happened.
        since: Option<DateTime<Utc>>,
        /// In plain words.
        reason: String,
    },
}

/// What a screen remembers between two keys.
#[derive(Debug, Default)]
pub struct ScreenState {
    /// The open tab.
    pub(super) tab: Tab,
    /// What lies over the tab, the topmost last: keys go there.
    pub(super) layers: Vec<Box<dyn Dialog>>,
    pub(super) keymap: Arc<Keymap>,
    /// Whether a game is still to be picked: there is no table to see.
    pub(super) is_picking: bool,
    /// How many things each panel of the table shows, in the order of [`Panel::ALL`].
    pub(super) counts: [usize; 4],
    /// Whether everything hidden is covered.
    pub(super) covered: bool,
    /// The last word in passing.
    pub(super) notice: Option<Notice>,
    /// How saving stands.
    pub(super) unsaved: Unsaved,
    /// The terminal's columns and rows.
    pub(super) size: (u16, u16),
    /// What the game is called.
    pub(super) label: Label,
    /// The panel of the table that keys go to.
    pub(super) panel: Panel,
    /// Whether all about the thing under the cursor stands beside its list.
    pub(super) details: bool,
    /// The characters; the same cursor on the table and in the party.
    pub(super) party: List<CharacterId>,
    /// The stat under the cursor.
    pub(super) stat: usize,
    /// The clocks.
    pub(super) clocks: List<ClockId>,
    /// The pools.
    pub(super) tokens: List<PoolId>,
    /// The last rolls on the table.
    pub(super) rolls: List<u64>,
    /// The log.
    pub(super) log: LogPlace,
    /// The calls for a roll that this seat's characters had when it last looked.
    pub(super) called: Vec<CallId>,
    /// The last event when it last looked.
    pub(super) heard: Option<u64>,
    /// What the party, the clocks and the tokens are filtered by.
    pub(super) filters: [String; 3],
    /// The checks that were left waiting for real dice.
    pub(super) by_hand: Vec<UnfinishedId>,
    /// What was done from the palette, the newest first.
    pub(super) recent: Vec<String>,
}

impl ScreenState {
    /// The places whose keys count now, the nearest first.
    pub fn contexts(&self) -> &'static [Context] {
        match self.layers.last() {
            Some(dialog) => dialog.contexts(),
            None => self.tab_contexts(),
        }
    }

    /// The first key of an action here; empty where it has none.
    pub(super) fn key(&self, action: Action) -> String {
        let keys = self.keymap.keys_for(action, self.contexts());
        keys.first().map_or_else(String::new, |key| key.label(true))
    }

    /// The places whose keys count in the open tab.
    pub(super) fn tab_contexts(&self) -> &'static [Context] {
        match self.tab {
            Tab::Table => self.panel.contexts(),
            tab => tab.context().chain(),
        }
    }

    /// The terminal's columns and rows.
    pub fn size(&self) -> (u16, u16) {
        self.size
    }

    /// The open tab.
    pub fn tab(&self) -> Tab {
        self.tab
    }

    /// Whether keys go to the tab itself, and nothing is on top of it.
    pub fn is_browsing(&self) -> bool {
        self.layers.is_empty()
    }

    /// The panel that keys act on: in the table the focused one, else the tab's own.
    pub(super) fn in_hand(&self) -> Panel {
        match self.tab {
            Tab::Table => self.panel,
            Tab::Party => Panel::Party,
            Tab::Clocks => Panel::Clocks,
            Tab::Tokens => Panel::Tokens,
            Tab::Log => Panel::Rolls,
        }
    }

    /// The cursor of a panel.
    pub(super) fn cursor(&mut self, panel: Panel) -> &mut dyn Cursor {
        match panel {
            Panel::Party => &mut self.party,
            Panel::Clocks => &mut self.clocks,
            Panel::Tokens => &mut self.tokens,
            Panel::Rolls => &mut self.rolls,
        }
    }

    /// How many things are marked in the list that keys act on.
    pub(super) fn marked(&self) -> usize {
        match self.in_hand() {
            Panel::Party => self.party.marked_count(),
            Panel::Clocks => self.clocks.marked_count(),
            Panel::Tokens => self.tokens.marked_count(),
            Panel::Rolls => 0,
        }
    }

    /// What the tab is filtered by; the table is not.
    pub(super) fn filter(&self) -> &str {
        let [party, clocks, tokens] = &self.filters;
        match self.tab {
            Tab::Table => "",
            Tab::Party => party,
            Tab::Clocks => clocks,
            Tab::Tokens => tokens,
            Tab::Log => self.log.filter(),
        }
    }

    /// Filters the tab by that.
    pub(super) fn set_filter(&mut self, filter: String) {
        let [party, clocks, tokens] = &mut self.filters;
        match self.tab {
            Tab::Table => {}
            Tab::Party => *party = filter,
            Tab::Clocks => *clocks = filter,
            Tab::Tokens => *tokens = filter,
            Tab::Log => self.log.set_filter(filter),
        }
    }

    /// The entry that keys act on.
    pub(super) fn entry(&self) -> Option<u64> {
        match self.tab {
            Tab::Log => self.log.selected(),
            Tab::Table | Tab::Party | Tab::Clocks | Tab::Tokens => self.rolls.id(),
        }
    }

    /// The lines of the party as the open tab shows it.
    pub(super) fn party_lines(&self, seen: &SeatView<'_>) -> Vec<Option<CharacterId>> {
        let is_tab = self.tab == Tab::Party;
        let filter = if is_tab { self.filter() } else { "" };
        rows::party(seen, filter, is_tab)
    }

    /// The lines of the clocks as the open tab shows them.
    pub(super) fn clock_lines(&self, seen: &SeatView<'_>) -> Vec<Option<ClockId>> {
        match self.tab {
            Tab::Clocks => rows::clocks(seen, self.filter()),
            _ => rows::table_clocks(seen),
        }
    }

    /// The lines of the tokens as the open tab shows them.
    pub(super) fn token_lines(&self, seen: &SeatView<'_>) -> Vec<Option<PoolId>> {
        let is_tab = self.tab == Tab::Tokens;
        let filter = if is_tab { self.filter() } else { "" };
        rows::tokens(seen, filter, is_tab)
    }

    /// Whether there is something for that key to do; where not, it says why when it is pressed.
    pub(super) fn is_available(&self, action: Action, seen: &SeatView<'_>) -> bool {
        let system = seen.system();
        let knows = |stat: &str| system.spec().stats.iter().any(|one| one.id == stat);
        let has_locks = || seen.locks().next().is_some();
        match action {
            Action::Undo => seen.has_undo(),
            Action::Damage => knows("hit-points"),
            Action::Rest => knows("heart-now") || knows("hit-points-most") || has_locks(),
            Action::FirstAid => system.spec().first_aid != FirstAid::None,
            Action::Unlock => has_locks(),
            Action::TakenOut => system.spec().taken_out,
            Action::Award => seen.pools().next().is_some(),
            Action::StepUp | Action::StepDown if self.in_hand() == Panel::Party => {
                !rows::values(system).is_empty()
            }
            _ => true,
        }
    }
}
