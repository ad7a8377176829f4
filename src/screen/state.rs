//! What a screen remembers between two keys.

use chrono::{DateTime, Utc};

use super::action::{Action, Context};
use super::dialog::Dialog;
use super::list::{Cursor, List};
use super::rows;
use super::theme::Role;
use super::update::log::LogPlace;
use super::update::palette::Palette;
use super::update::themes::Themes;
use super::widget::field::Field;
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

    /// The tab so many further, round and round.
    pub(super) fn after(self, by: usize) -> Self {
        let place = Self::ALL.iter().position(|tab| *tab == self).unwrap_or(0);
        let next = Self::ALL.iter().cycle().nth(place + by);
        next.copied().unwrap_or(self)
    }
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

    /// The panel so many further, round and round.
    pub(super) fn after(self, by: usize) -> Self {
        let place = Self::ALL.iter().position(|one| *one == self).unwrap_or(0);
        let next = Self::ALL.iter().cycle().nth(place + by);
        next.copied().unwrap_or(self)
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

/// What keys go to.
#[derive(Debug, Default)]
pub(super) enum Mode {
    /// The tab.
    #[default]
    Browse,
    /// The tab, with the first hints shown until a key is pressed.
    Greeting,
    /// The line that a filter is typed in; what it was before.
    Filter(Field, String),
    /// The keys of this place.
    Help {
        /// The first line in sight.
        top: u16,
        /// What they are the keys of; one comes back to it.
        under: Box<Self>,
    },
    /// The list of all actions.
    Palette(Palette),
    /// The list of all themes.
    Themes(Themes),
    /// What asks for something.
    Dialog(Box<dyn Dialog>),
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
    /// What keys go to.
    pub(super) mode: Mode,
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
    pub(super) filters: Filters,
    /// The checks that were left waiting for real dice.
    pub(super) by_hand: Vec<UnfinishedId>,
    /// What was done from the palette, the newest first.
    pub(super) recent: Vec<String>,
}

/// What lists of names are filtered by; nothing where empty.
#[derive(Debug, Default)]
pub(super) struct Filters {
    /// The party.
    pub(super) party: String,
    /// The clocks.
    pub(super) clocks: String,
    /// The tokens.
    pub(super) tokens: String,
}

impl ScreenState {
    /// The places whose keys count now, the nearest first.
    pub fn contexts(&self) -> &'static [Context] {
        self.contexts_of(&self.mode)
    }

    /// The same where that is on top.
    pub(super) fn contexts_of(&self, mode: &Mode) -> &'static [Context] {
        match mode {
            Mode::Browse | Mode::Greeting => self.tab_contexts(),
            Mode::Filter(..) => Context::Field.chain(),
            Mode::Help { .. } => Context::Help.chain(),
            Mode::Palette(_) | Mode::Themes(_) => Context::Picker.chain(),
            Mode::Dialog(dialog) => dialog.contexts(),
        }
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
        matches!(self.mode, Mode::Browse | Mode::Greeting)
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
        match self.tab {
            Tab::Table => "",
            Tab::Party => &self.filters.party,
            Tab::Clocks => &self.filters.clocks,
            Tab::Tokens => &self.filters.tokens,
            Tab::Log => self.log.filter(),
        }
    }

    /// Filters the tab by that.
    pub(super) fn set_filter(&mut self, filter: String) {
        match self.tab {
            Tab::Table => {}
            Tab::Party => self.filters.party = filter,
            Tab::Clocks => self.filters.clocks = filter,
            Tab::Tokens => self.filters.tokens = filter,
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
        match self.tab {
            Tab::Party => rows::party(seen, &self.filters.party, true),
            Tab::Table | Tab::Clocks | Tab::Tokens | Tab::Log => rows::party(seen, "", false),
        }
    }

    /// The lines of the clocks as the open tab shows them.
    pub(super) fn clock_lines(&self, seen: &SeatView<'_>) -> Vec<Option<ClockId>> {
        match self.tab {
            Tab::Clocks => rows::clocks(seen, &self.filters.clocks),
            Tab::Table | Tab::Party | Tab::Tokens | Tab::Log => rows::table_clocks(seen),
        }
    }

    /// The lines of the tokens as the open tab shows them.
    pub(super) fn token_lines(&self, seen: &SeatView<'_>) -> Vec<Option<PoolId>> {
        match self.tab {
            Tab::Tokens => rows::tokens(seen, &self.filters.tokens, true),
            Tab::Table | Tab::Party | Tab::Clocks | Tab::Log => rows::tokens(seen, "", false),
        }
    }
}
