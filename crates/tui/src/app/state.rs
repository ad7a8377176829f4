//! The state of a screen: its open tab, its cursors, and its open dialogs.

mod tab;

use std::collections::BTreeMap;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use ratatui::layout::Rect;
use rustc_hash::FxBuildHasher;

use crate::app::keymap::{KeyNames, Keymap};
use crate::app::list::{List, ListId};
use crate::app::notice::Notice;
use crate::app::update::log::LogPlace;
use crate::dialog::{Dialog, Draft, QuestionId};
use crate::view::MeasuredTable;
use crate::view::layout::{self, PanelLayout, TabLayout, TableContents, TableLayout};
use crate::{Action, Context};
use tableside_game::{CallId, CharacterId, ClockId, EntityRef, NoteId, UnfinishedId};
use tableside_table::{ClockView, Entry, SeatView};

pub use tab::Tab;
pub(crate) use tab::{Panel, cycle_from};

/// How the game got its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Naming {
    /// The user named it.
    #[default]
    Named,
    /// It is not saved yet, as an untouched sample.
    Unsaved,
    /// The program made up this name when it saved the game.
    MadeUp(String),
}

/// The name of the game as the screen shows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Label {
    pub(crate) name: String,
    pub(crate) naming: Naming,
    /// True if the game has no name and this screen can name it. The screen then shows the key for it.
    pub(crate) is_nameable: bool,
    /// True if other players are connected through this screen's process.
    pub(crate) serves: bool,
}

/// The layout of the table, and the sizes that it is computed from.
#[derive(Debug, Default)]
pub(crate) struct TableState {
    /// True if the panel with the focus fills the whole table.
    pub(crate) is_maximized: bool,
    /// True while the table shows a fight: the characters as a list in the order of turns.
    pub(crate) is_fight: bool,
    /// The sizes of the contents at the last frame.
    pub(crate) measured: MeasuredTable,
    /// The places of the panels. `None` if the screen is too small.
    pub(crate) layout: Option<TableLayout>,
    /// A hash of everything that the layout depends on.
    layout_key: u64,
}

/// The open tab and the log's filter before a filter on the table switched to the log.
#[derive(Debug)]
pub(crate) struct FilterOrigin {
    pub(crate) tab: Tab,
    pub(crate) log_filter: String,
}

/// The calls, questions, handouts and events that the screen has noticed, and those that it must still show.
#[derive(Debug, Default)]
pub(crate) struct Noticed {
    /// The calls for rolls that this seat had to answer at the last look.
    pub(crate) calls: Vec<CallId>,
    /// A new call whose roll dialog opens as soon as no dialog is open.
    pub(crate) call_to_show: Option<CallId>,
    /// The open questions of sheets at the last look, with the number of missing names. `None` before the first look.
    pub(crate) questions: Option<Vec<(QuestionId, usize)>>,
    /// A new question of a sheet whose form opens as soon as no dialog is open.
    pub(crate) question_to_show: Option<QuestionId>,
    /// The unread handouts at the last look.
    pub(crate) handouts: Vec<NoteId>,
    /// The handouts that were closed on this screen, even if the table could not mark them as read.
    pub(crate) closed_handouts: Vec<NoteId>,
    /// The last event that was checked for a request to pause. Screens do not show requests from before they opened.
    pub(crate) pause_checked_to: Option<u64>,
    /// The last event that was checked for rolls of other seats.
    pub(crate) rolls_checked_to: Option<u64>,
    /// The character whose turn it was at the last look.
    pub(crate) turn: Option<CharacterId>,
}

/// The state of a screen between two inputs.
#[derive(Default)]
pub struct ScreenState {
    pub(crate) tab: Tab,
    /// The open dialogs. Keys go to the last one, which is drawn on top.
    pub(crate) layers: Vec<Dialog>,
    pub(crate) keymap: Arc<Keymap>,
    /// True while the list of games is open and no table is visible.
    pub(crate) is_picking: bool,
    /// True while the screen shows only what players may see.
    pub(crate) is_covered: bool,
    /// The message on the bottom line.
    pub(crate) notice: Option<Notice>,
    /// The warning that saving is slow or fails. Its role is [`Role::Danger`](crate::Role::Danger) if a change could be
    /// lost.
    pub(crate) unsaved: Option<Notice>,
    /// The columns and rows of the terminal.
    pub(crate) size: (u16, u16),
    pub(crate) label: Label,
    /// The panel of the table that keys act on.
    pub(crate) panel: Panel,
    pub(crate) table: TableState,
    /// True for each tab whose details the user opened, or closed if they are open by default.
    pub(crate) toggled_details: [bool; Tab::ALL.len()],
    /// The list of each panel, in the order of [`Panel::ALL`]. The table and the panel's own tab share it.
    pub(crate) lists: [List; 4],
    /// The revision of the table at the last update of the lists. `None` after a key, which may have changed them.
    pub(crate) listed_revision: Option<u64>,
    /// The index of the party tab's column whose values keys step.
    pub(crate) party_column: usize,
    /// The index of the value on a card that keys step. `None` for the first value.
    pub(crate) card_value: Option<usize>,
    pub(crate) filter_origin: Option<FilterOrigin>,
    /// The values typed into closed forms. The newest draft is the last.
    pub(crate) drafts: Vec<Draft>,
    pub(crate) log: LogPlace,
    /// The changes of the table that the screen has shown already.
    pub(crate) noticed: Noticed,
    /// The text of the notification to send. `None` if there is none.
    pub(crate) bell_reason: Option<String>,
    /// True while the request to pause covers the screen.
    pub(crate) is_paused: bool,
    /// The number of filled segments of each clock before the last key. Segments filled since then are drawn bright.
    pub(crate) filled_before: Vec<(ClockId, u8)>,
    /// True for each pending roll whose dice are rolled by hand, false for the other pending rolls that this screen
    /// showed.
    pub(crate) by_hand: BTreeMap<UnfinishedId, bool>,
    /// The newest choices of the palette, the newest one first.
    pub(crate) recent: Vec<String>,
}

impl ScreenState {
    /// The contexts of the keys that are bound now, in the order of precedence.
    pub fn contexts(&self) -> &'static [Context] {
        match self.layers.last() {
            Some(dialog) => dialog.contexts(),
            None => self.tab_contexts(),
        }
    }

    /// The label of the first key of an action. Empty if the action has no key here.
    pub(crate) fn key(&self, action: Action) -> String {
        self.key_names().name(action)
    }

    /// The names of the keys that are bound now.
    pub(crate) fn key_names(&self) -> KeyNames<'_> {
        KeyNames {
            keymap: &self.keymap,
            contexts: self.contexts(),
        }
    }

    /// The contexts of the open tab's keys.
    pub(crate) fn tab_contexts(&self) -> &'static [Context] {
        match self.tab {
            Tab::Table => self.panel.contexts(),
            tab => tab.context().chain(),
        }
    }

    /// The columns and rows of the terminal.
    pub fn size(&self) -> (u16, u16) {
        self.size
    }

    pub fn tab(&self) -> Tab {
        self.tab
    }

    /// True if no dialog is open, so that keys act on the tab.
    pub fn is_browsing(&self) -> bool {
        self.layers.is_empty()
    }

    /// The panel that keys act on.
    pub(crate) fn active_panel(&self) -> Panel {
        self.tab.panel().unwrap_or(self.panel)
    }

    /// True if the user opened the details of a tab, or closed them if they are open by default.
    pub(crate) fn are_details_toggled(&self, tab: Tab) -> bool {
        self.toggled_details[tab as usize]
    }

    /// Divides the body of the open tab into its list and its details.
    pub(crate) fn tab_layout(&self, body: Rect) -> TabLayout {
        let lines = self.list(self.active_panel()).lines().len();
        layout::tab_layout(self.tab, body, self.are_details_toggled(self.tab), lines)
    }

    pub(crate) fn list(&self, panel: Panel) -> &List {
        &self.lists[panel as usize]
    }

    pub(crate) fn list_mut(&mut self, panel: Panel) -> &mut List {
        &mut self.lists[panel as usize]
    }

    /// The lines of each panel, in the order of [`Panel::ALL`].
    pub(crate) fn lines(&self) -> [&[Option<ListId>]; 4] {
        self.lists.each_ref().map(List::lines)
    }

    /// Computes the places of the table's panels if their contents or the screen changed.
    pub(crate) fn update_panel_layouts(&mut self, view: &SeatView<'_>) {
        let layout_key = self.layout_key(view);
        if self.table.layout_key == layout_key {
            return;
        }

        let parts = layout::screen_layout(self.size);
        self.table.layout = parts.map(|parts| {
            let contents = TableContents {
                lines: self.lines(),
                spec: view.system().spec(),
                newest_dice: &self.table.measured.newest_dice,
                card_lists: &self.table.measured.card_lists,
                longest_clock_name: self.table.measured.longest_clock_name,
                own_sheet: self.table.measured.own_sheet.as_ref(),
                focus: self.panel,
                is_maximized: self.table.is_maximized,
                is_fight: self.table.is_fight,
            };
            layout::table_layout(parts.body, &contents)
        });
        self.table.layout_key = layout_key;
    }

    /// Returns a hash of everything that the places of the panels depend on.
    fn layout_key(&self, view: &SeatView<'_>) -> u64 {
        let mut line_shapes: Vec<Vec<bool>> = Vec::new();
        for list in &self.lists {
            let lines = list.lines().iter();
            line_shapes.push(lines.map(Option::is_some).collect());
        }
        FxBuildHasher.hash_one((
            self.size,
            view.system(),
            self.table.measured.key,
            self.panel as usize,
            self.table.is_maximized,
            self.table.is_fight,
            line_shapes,
        ))
    }

    /// The place of the panel with the focus. `None` if the screen is too small.
    pub(crate) fn active_layout(&self) -> Option<PanelLayout> {
        let layout = self.table.layout.as_ref()?;
        Some(layout.panels[self.panel as usize])
    }

    /// Puts the cursor on an entity that a log entry created: on a character, or else on a clock, or else on a pool.
    pub(crate) fn select_new(&mut self, entry: &Entry) {
        let new_id = entry
            .event
            .changes
            .iter()
            .filter(|change| change.part.is_whole() && change.from.is_null())
            .filter_map(|change| match change.entity {
                EntityRef::Character(id) => Some(ListId::Character(id)),
                EntityRef::Clock(id) => Some(ListId::Clock(id)),
                EntityRef::Pool(id) => Some(ListId::Pool(id)),
                _ => None,
            })
            .min_by_key(|id| Panel::of(*id) as usize);
        if let Some(id) = new_id {
            self.list_mut(Panel::of(id)).select_new(id);
        }
    }

    /// The filter of the open tab. The table has no filter.
    pub(crate) fn filter(&self) -> &str {
        match self.tab {
            Tab::Table => "",
            Tab::Log => self.log.filter(),
            Tab::Party | Tab::Clocks | Tab::Tokens => &self.list(self.active_panel()).filter,
        }
    }

    /// Sets the filter of the open tab.
    pub(crate) fn set_filter(&mut self, filter: String) {
        match self.tab {
            Tab::Table => {}
            Tab::Log => self.log.set_filter(filter),
            Tab::Party | Tab::Clocks | Tab::Tokens => {
                self.list_mut(self.active_panel()).filter = filter;
            }
        }
    }

    /// Stores the filled segments of each clock, unless a dialog covers the clocks.
    pub(crate) fn remember_clocks(&mut self, view: &SeatView<'_>) {
        if self.is_browsing() {
            self.filled_before = view
                .clocks()
                .filter_map(|clock_view| Some((clock_view.clock.id, clock_view.filled?)))
                .collect();
        }
    }

    /// Counts the segments of a clock that were filled since the last key.
    pub(crate) fn newly_filled(&self, view: &ClockView<'_>) -> u8 {
        let before = self
            .filled_before
            .iter()
            .find(|(id, _)| *id == view.clock.id);
        match (before, view.filled) {
            (Some((_, before)), Some(filled)) => filled.saturating_sub(*before),
            _ => 0,
        }
    }

    /// The number of the log entry that keys act on.
    pub(crate) fn entry(&self) -> Option<u64> {
        match self.tab {
            Tab::Log => self.log.selected(),
            _ => self.list(Panel::Rolls).id()?.try_as_roll(),
        }
    }
}
