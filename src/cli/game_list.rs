//! The list of saved games, with a summary of each.

use std::time::SystemTime;

use super::CliError;
use super::open_game::system_dice;
use tableside_store::{GameLocation, Storage, StoreError};
use tableside_table::{GameSummary, OnEdit, Opening, Table, TimeSource};

/// A saved game in a list.
pub(super) struct ListedGame {
    pub(super) name: String,
    /// The time of the last snapshot.
    pub(super) last_saved: SystemTime,
    pub(super) contents: GameContents,
}

/// The contents of a saved game.
pub(super) enum GameContents {
    /// The game opens without remarks. Only such games are kept in the index.
    Complete(Box<GameSummary>),
    /// The game opens, but something in its files is wrong.
    Incomplete {
        summary: Box<GameSummary>,
        /// Why the game cannot be shown completely.
        problem: Option<String>,
        /// Sentences for the user.
        notices: Vec<String>,
    },
    /// The game cannot be opened, for this reason.
    Unreadable(String),
}

/// Lists all games, the last saved first. A game is only opened if it changed since it was listed before.
pub(super) fn list_games(
    storage: &Storage,
    clock: TimeSource,
) -> Result<Vec<ListedGame>, StoreError> {
    let games = storage.games()?;
    let summaries = storage.summaries(&games, |game| match read_contents(&game.location, clock) {
        GameContents::Complete(summary) => Ok(*summary),
        other => Err(other),
    });

    let mut listed = Vec::with_capacity(games.len());
    for (game, summary) in games.into_iter().zip(summaries) {
        listed.push(ListedGame {
            name: game.name,
            last_saved: game.last_saved,
            contents: match summary {
                Ok(summary) => GameContents::Complete(Box::new(summary)),
                Err(other) => other,
            },
        });
    }
    Ok(listed)
}

fn read_contents(location: &GameLocation, clock: TimeSource) -> GameContents {
    let (table, notices) = match open_to_read(location, clock) {
        Ok(opened) => opened,
        Err(error) => return GameContents::Unreadable(error.words()),
    };

    let summary = Box::new(table.summary());
    let problem = table.incomplete().map(|incomplete| incomplete.to_string());
    if problem.is_none() && notices.is_empty() {
        return GameContents::Complete(summary);
    }
    GameContents::Incomplete {
        summary,
        problem,
        notices,
    }
}

fn open_to_read(
    location: &GameLocation,
    clock: TimeSource,
) -> Result<super::open_game::Opened, CliError> {
    let opening = Opening {
        clock,
        dice: system_dice()?,
        view: true,
        on_edit: OnEdit::Ask,
    };
    Ok(Table::open(location, opening)?)
}
