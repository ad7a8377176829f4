//! The tabs of the screen, and the panels of the table.

use crate::app::list::ListId;
use crate::{Action, Context};
use tableside_game::EntityKind;

/// A tab of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// The overview, with one panel for each of the other tabs.
    #[default]
    Table,
    Party,
    Clocks,
    Tokens,
    Log,
}

impl Tab {
    /// All tabs, from left to right.
    pub const ALL: [Self; 5] = [
        Self::Table,
        Self::Party,
        Self::Clocks,
        Self::Tokens,
        Self::Log,
    ];

    /// The action that opens the tab.
    pub const fn action(self) -> Action {
        match self {
            Self::Table => Action::TabTable,
            Self::Party => Action::TabParty,
            Self::Clocks => Action::TabClocks,
            Self::Tokens => Action::TabTokens,
            Self::Log => Action::TabLog,
        }
    }

    /// The context of the tab's keys.
    pub(crate) const fn context(self) -> Context {
        match self {
            Self::Table => Context::Table,
            Self::Party => Context::Party,
            Self::Clocks => Context::Clocks,
            Self::Tokens => Context::Tokens,
            Self::Log => Context::Log,
        }
    }

    /// The panel that the tab shows alone. `None` for the table, which has several panels.
    pub(super) const fn panel(self) -> Option<Panel> {
        match self {
            Self::Table => None,
            Self::Party => Some(Panel::Party),
            Self::Clocks => Some(Panel::Clocks),
            Self::Tokens => Some(Panel::Tokens),
            Self::Log => Some(Panel::Rolls),
        }
    }
}

/// Returns the item `by` places after `current`, or before it if `by` is negative. The first item follows the last one.
pub(crate) fn cycle_from<T: Copy + PartialEq>(current: T, by: isize, items: &[T]) -> T {
    let Ok(count) = isize::try_from(items.len()) else {
        return current;
    };
    if count == 0 {
        return current;
    }

    let place = items.iter().position(|item| *item == current).unwrap_or(0);
    let distance = usize::try_from(by.rem_euclid(count)).unwrap_or(0);
    items[(place + distance) % items.len()]
}

/// A panel of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Panel {
    #[default]
    Party,
    Clocks,
    Tokens,
    /// The newest rolls.
    Rolls,
}

impl Panel {
    /// All panels, in the order in which keys go from one to the next.
    pub(crate) const ALL: [Self; 4] = [Self::Party, Self::Clocks, Self::Tokens, Self::Rolls];

    /// The kind of entity whose changes the panel shows. Any change of the game can contain a roll.
    pub(crate) const fn kind(self) -> EntityKind {
        match self {
            Self::Party => EntityKind::Character,
            Self::Clocks => EntityKind::Clock,
            Self::Tokens => EntityKind::Pool,
            Self::Rolls => EntityKind::Game,
        }
    }

    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Party => "Party",
            Self::Clocks => "Clocks",
            Self::Tokens => "Tokens",
            Self::Rolls => "Last rolls",
        }
    }

    /// The panel that lists an entry.
    pub(crate) const fn of(id: ListId) -> Self {
        match id {
            ListId::Character(_) => Self::Party,
            ListId::Clock(_) => Self::Clocks,
            ListId::Pool(_) => Self::Tokens,
            ListId::Roll(_) => Self::Rolls,
        }
    }

    /// The tab that shows the panel's list alone.
    pub(crate) const fn tab(self) -> Tab {
        match self {
            Self::Party => Tab::Party,
            Self::Clocks => Tab::Clocks,
            Self::Tokens => Tab::Tokens,
            Self::Rolls => Tab::Log,
        }
    }

    /// The contexts of the keys while the panel has the focus.
    pub(crate) const fn contexts(self) -> &'static [Context] {
        use Context::{Always, Clocks, Everywhere, List, Log, Party, Table, Tokens};
        match self {
            Self::Party => &[Table, Party, List, Everywhere, Always],
            Self::Clocks => &[Table, Clocks, List, Everywhere, Always],
            Self::Tokens => &[Table, Tokens, List, Everywhere, Always],
            Self::Rolls => &[Table, Log, List, Everywhere, Always],
        }
    }
}
