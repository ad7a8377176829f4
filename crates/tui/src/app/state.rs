//! What a screen remembers between two keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use ratatui::layout::Rect;

use crate::app::keymap::Keymap;
use crate::app::list::{List, ListId};
use crate::app::notice::Notice;
use crate::app::update::log::LogPlace;
use crate::dialog::{Dialog, Draft};
use crate::view::layout::{self, TabLayout};
use crate::{Action, Context};
use tableside_game::{CallId, ClockId, EntityKind, EntityRef, NoteId, UnfinishedId};
use tableside_table::{ClockView, Entry, SeatView};

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

    /// What goes to it, the place that its keys belong to, and the panel that they act on; the table has several.
    const fn about(self) -> (Action, Context, Option<Panel>) {
        match self {
            Self::Table => (Action::TabTable, Context::Table, None),
            Self::Party => (Action::TabParty, Context::Party, Some(Panel::Party)),
            Self::Clocks => (Action::TabClocks, Context::Clocks, Some(Panel::Clocks)),
            Self::Tokens => (Action::TabTokens, Context::Tokens, Some(Panel::Tokens)),
            Self::Log => (Action::TabLog, Context::Log, Some(Panel::Rolls)),
        }
    }

    /// What goes to it.
    pub const fn action(self) -> Action {
        self.about().0
    }

    /// The place that its keys belong to.
    pub(crate) const fn context(self) -> Context {
        self.about().1
    }
}

/// The one so many further among all, round and round.
pub(crate) fn after<T: Copy + PartialEq>(one: T, by: isize, all: &[T]) -> T {
    let place = all.iter().position(|known| *known == one).unwrap_or(0);
    let count = isize::try_from(all.len()).unwrap_or(1).max(1);
    let further = usize::try_from(by.rem_euclid(count)).unwrap_or(0);
    let next = all.iter().cycle().nth(place + further);
    next.copied().unwrap_or(one)
}

/// A panel of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Panel {
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
    pub(crate) const ALL: [Self; 4] = [Self::Party, Self::Clocks, Self::Tokens, Self::Rolls];

    /// What is in it. Rolls come with any change but those of clocks and pools alone.
    pub(crate) const fn kind(self) -> EntityKind {
        match self {
            Self::Party => EntityKind::Character,
            Self::Clocks => EntityKind::Clock,
            Self::Tokens => EntityKind::Pool,
            Self::Rolls => EntityKind::Game,
        }
    }

    /// Its name.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Party => "Party",
            Self::Clocks => "Clocks",
            Self::Tokens => "Tokens",
            Self::Rolls => "Last rolls",
        }
    }

    /// The one that lists such a thing.
    pub(crate) const fn of(id: ListId) -> Self {
        match id {
            ListId::Character(_) => Self::Party,
            ListId::Clock(_) => Self::Clocks,
            ListId::Pool(_) => Self::Tokens,
            ListId::Roll(_) => Self::Rolls,
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

/// What the game is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    /// The name.
    pub(crate) name: String,
    /// Whether nobody has named it.
    pub(crate) is_unnamed: bool,
    /// Whether it may only be looked at.
    pub(crate) is_view: bool,
    /// Whether others leave when this screen does.
    pub(crate) serves: bool,
}

/// What a screen remembers between two keys.
#[derive(Default)]
pub struct ScreenState {
    /// The open tab.
    pub(crate) tab: Tab,
    /// What lies over the tab, the topmost last: keys go there.
    pub(crate) layers: Vec<Dialog>,
    pub(crate) keymap: Arc<Keymap>,
    /// Whether a game is still to be picked: there is no table to see.
    pub(crate) is_picking: bool,
    /// Whether everything hidden is covered.
    pub(crate) is_covered: bool,
    /// The last word in passing.
    pub(crate) notice: Option<Notice>,
    /// That saving takes long or fails: the latter is a danger where something would be lost.
    pub(crate) unsaved: Option<Notice>,
    /// The terminal's columns and rows.
    pub(crate) size: (u16, u16),
    /// What the game is called.
    pub(crate) label: Label,
    /// The panel of the table that keys go to.
    pub(crate) panel: Panel,
    /// The tabs on which all about the thing under the cursor was asked for, or hidden where it stands unasked.
    pub(crate) toggled_details: [bool; Tab::ALL.len()],
    /// The list of each panel, in the order of [`Panel::ALL`]; the same cursor on the table and on its own tab.
    pub(crate) lists: [List; 4],
    /// The value of a character under the cursor.
    pub(crate) party_column: usize,
    /// The place of the value under the cursor of a card, once somebody went to one; else what changes most.
    pub(crate) card_value: Option<usize>,
    /// Where one was before `/` led to the log, and the log's filter then.
    pub(crate) before_filter: Option<(Tab, String)>,
    /// What was typed into forms that were left, the newest last.
    pub(crate) drafts: Vec<Draft>,
    /// The log.
    pub(crate) log: LogPlace,
    /// The calls for a roll that this seat's characters had when it last looked.
    pub(crate) called: Vec<CallId>,
    /// The newest of them that is not shown yet.
    pub(crate) to_show: Option<CallId>,
    /// What is to ring at this screen, in words.
    pub(crate) rings: Option<String>,
    /// The unread handouts when it last looked.
    pub(crate) known_handouts: Vec<NoteId>,
    /// The handouts that were closed here, whether or not the table could mark them as read.
    pub(crate) closed_handouts: Vec<NoteId>,
    /// True while the request to pause covers the screen.
    pub(crate) is_paused: bool,
    /// The last event that was checked for a request to pause. Screens do not show requests from before they opened.
    pub(crate) pause_checked_to: Option<u64>,
    /// The last event when it last looked.
    pub(crate) heard: Option<u64>,
    /// How full each clock was when the last key came: what was filled since is bright.
    pub(crate) filled_before: Vec<(ClockId, u8)>,
    /// Whether the checks that were seen waiting go on with real dice.
    pub(crate) by_hand: BTreeMap<UnfinishedId, bool>,
    /// What was done from the palette, the newest first.
    pub(crate) recent: Vec<String>,
}

impl ScreenState {
    /// The places whose keys count now, the nearest first.
    pub fn contexts(&self) -> &'static [Context] {
        let dialog = self.layers.last();
        dialog.map_or_else(|| self.tab_contexts(), Dialog::contexts)
    }

    /// The first key of an action here; empty where it has none.
    pub(crate) fn key(&self, action: Action) -> String {
        let keys = self.keymap.keys_for(action, self.contexts());
        keys.first().map_or_else(String::new, |key| key.label(true))
    }

    /// The places whose keys count in the open tab.
    pub(crate) fn tab_contexts(&self) -> &'static [Context] {
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
    pub(crate) fn active_panel(&self) -> Panel {
        self.tab.about().2.unwrap_or(self.panel)
    }

    /// Whether all about the thing under the cursor was asked for on a tab, or hidden where it stands unasked.
    pub(crate) fn are_details_toggled(&self, tab: Tab) -> bool {
        self.toggled_details[tab as usize]
    }

    /// How the open tab shares its body.
    pub(crate) fn tab_layout(&self, body: Rect) -> TabLayout {
        let lines = self.list(self.active_panel()).lines().len();
        layout::tab_layout(self.tab, body, self.are_details_toggled(self.tab), lines)
    }

    /// The list of a panel.
    pub(crate) fn list(&self, panel: Panel) -> &List {
        &self.lists[panel as usize]
    }

    /// The list of a panel, to be changed.
    pub(crate) fn list_mut(&mut self, panel: Panel) -> &mut List {
        &mut self.lists[panel as usize]
    }

    /// The lines of each panel.
    pub(crate) fn lines(&self) -> [&[Option<ListId>]; 4] {
        self.lists.each_ref().map(List::lines)
    }

    /// Puts the cursor on what came with that entry: a character, else a clock, else a pool.
    pub(crate) fn select_new(&mut self, entry: &Entry) {
        let changes = entry.event.changes.iter();
        let new = changes.filter(|change| change.part.is_whole() && change.from.is_null());
        let ids = new.filter_map(|change| match change.entity {
            EntityRef::Character(id) => Some(ListId::Character(id)),
            EntityRef::Clock(id) => Some(ListId::Clock(id)),
            EntityRef::Pool(id) => Some(ListId::Pool(id)),
            _ => None,
        });
        if let Some(id) = ids.min_by_key(|id| Panel::of(*id) as usize) {
            self.list_mut(Panel::of(id)).select_new(id);
        }
    }

    /// What the tab is filtered by; the table is not.
    pub(crate) fn filter(&self) -> &str {
        match self.tab {
            Tab::Table => "",
            Tab::Log => self.log.filter(),
            Tab::Party | Tab::Clocks | Tab::Tokens => &self.list(self.active_panel()).filter,
        }
    }

    /// Filters the tab by that.
    pub(crate) fn set_filter(&mut self, filter: String) {
        match self.tab {
            Tab::Table => {}
            Tab::Log => self.log.set_filter(filter),
            Tab::Party | Tab::Clocks | Tab::Tokens => {
                self.list_mut(self.active_panel()).filter = filter;
            }
        }
    }

    /// Notes how full each clock is, where one looks at them.
    pub(crate) fn note_clocks(&mut self, view: &SeatView<'_>) {
        if self.is_browsing() {
            let clocks = view.clocks();
            let told = clocks.filter_map(|one| Some((one.clock.id, one.filled?)));
            self.filled_before = told.collect();
        }
    }

    /// How many segments of a clock were filled since the last key.
    pub(crate) fn newly_filled(&self, view: &ClockView<'_>) -> u8 {
        let mut before = self.filled_before.iter();
        let before = before.find(|(id, _)| *id == view.clock.id);
        let fresh = before.zip(view.filled);
        fresh.map_or(0, |((_, before), filled)| filled.saturating_sub(*before))
    }

    /// The entry that keys act on.
    pub(crate) fn entry(&self) -> Option<u64> {
        match self.tab {
            Tab::Log => self.log.selected(),
            _ => self.list(Panel::Rolls).id().and_then(ListId::try_as_roll),
        }
    }
}
