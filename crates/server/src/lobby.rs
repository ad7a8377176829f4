//! The lobby of a host: the list of games that a connection without a game sees.

use std::sync::Arc;

use russh::keys::PublicKey;

use super::access::{Access, SeatEntry};
use super::game::HostedGame;
use super::game_host::{GameHost, NewGm};
use super::invitation::TRIES;
use super::shared::Shared;
use tableside_rules::System;
use tableside_store::date_of;
use tableside_table::{Seat, SeatRole, Table, scene};
use tableside_text::join_with_and;
use tableside_tui::app::action::Action;
use tableside_tui::{AboutGame, GameEntry, GamePreview, Library, NewGame};

/// The refusal of changes to whole games.
const OWNERS: &str = "only the administrator of the host can do that";

/// The games of one person.
#[derive(derive_more::Debug)]
#[debug("Lobby({name})")]
pub(super) struct Lobby {
    pub(super) shared: Arc<Shared>,
    pub(super) host: Arc<GameHost>,
    /// The name of the person's seat at the host.
    pub(super) name: String,
    /// The key by which the person came; who came by a code alone has only that game.
    pub(super) key: Option<PublicKey>,
}

impl Lobby {
    /// The person's seat in that game.
    pub(super) fn seat_in(&self, game: &HostedGame) -> Option<SeatEntry> {
        GameHost::seat_in(game, self.key.as_ref()?, &self.name)
    }
}

impl Library for Lobby {
    fn title(&self) -> String {
        format!("The lobby: {}", self.name)
    }

    fn offers(&self, action: Action) -> bool {
        match action {
            Action::New => {
                let access = self.host.access();
                let key = self.key.as_ref();
                key.is_some_and(|key| access.gm_seat(key, &self.name).is_some())
            }
            Action::Code => self.key.is_some(),
            _ => matches!(action, Action::Open | Action::Filter | Action::Quit),
        }
    }

    fn games(&self, in_archive: bool) -> Vec<GameEntry> {
        if in_archive {
            return Vec::new();
        }
        let Some(key) = &self.key else {
            return Vec::new();
        };

        let mut games = Vec::new();
        for seat in self.host.seats_of(key, &self.name) {
            // The folder of a game may be gone before the index knows.
            let Some(played) = self.host.last_saved(&seat.game) else {
                continue;
            };
            let table = self.host.open_table(&seat.game);
            games.push(GameEntry {
                about: AboutGame::Text(about(table.as_deref(), seat.role)),
                played: date_of(played),
                name: seat.game,
            });
        }
        games.sort_by(|a, b| b.played.cmp(&a.played).then_with(|| a.name.cmp(&b.name)));
        games
    }

    fn preview(&self, name: &str, _: bool) -> GamePreview {
        let found = self.host.game(name);
        let Some((entry, game)) = found.and_then(|game| Some((self.seat_in(&game)?, game))) else {
            return GamePreview::default();
        };
        let Some(table) = game.table() else {
            return GamePreview::text("No player is connected. Open the game to see it.");
        };
        let seat = table.read(&Seat::gm(), |seen| entry.seat(seen));
        table.read(&seat, GamePreview::of)
    }

    fn systems(&self) -> Vec<(String, Result<System, String>)> {
        self.host.library().systems()
    }

    fn create(&self, game: &NewGame) -> Result<(), String> {
        let gm = NewGm {
            name: &self.name,
            key: self.key.as_ref(),
        };
        self.host.create_game(game, &gm)
    }

    fn duplicate(&self, _: &str, _: &str) -> Result<(), String> {
        Err(OWNERS.to_owned())
    }

    fn rename(&self, _: &str, _: &str) -> Result<(), String> {
        Err(OWNERS.to_owned())
    }

    fn archive(&self, _: &str) -> Result<String, String> {
        Err(OWNERS.to_owned())
    }

    fn restore(&self, _: &str) -> Result<(), String> {
        Err(OWNERS.to_owned())
    }

    fn redeem(&self, code: &str) -> Result<(), String> {
        let unknown = || format!("no invitation for {} has this code", self.name);
        let Some(own_key) = &self.key else {
            return Err("log in with an SSH key to enter a code".to_owned());
        };
        if !self.host.take_code_try(own_key) {
            return Err(format!(
                "{TRIES} wrong codes in a minute; wait a minute, then enter the code again"
            ));
        }
        self.host.wait_for_seats();
        let silent = || "the folder of the games does not respond".to_owned();
        let worker = &self.shared.worker;
        let (host, name, typed) = (Arc::clone(&self.host), self.name.clone(), code.to_owned());
        let key = self.key.clone();
        // Both in one go: a code that is used up has led to a seat.
        let redeem = move || {
            let redeemed = host.redeem(&name, &typed)?;
            let seat = redeemed.seat.id();
            let remember = |access: &mut Access| match &key {
                Some(key) => access.remember(seat, key),
                None => Ok(()),
            };
            let done = match redeemed.game {
                Some(game) => game.change(remember),
                None => host.change(remember),
            };
            Some(done.map_err(|error| error.what))
        };
        let redeemed = worker.ask_and_wait(redeem).ok_or_else(silent)?;
        let remembered = redeemed.ok_or_else(unknown)?;
        self.host.return_code_try(own_key);
        remembered
    }
}

/// What stands beside a game: whom one plays, the scene, who is there.
fn about(table: Option<&Table>, role: SeatRole) -> String {
    let role = role.into_str();
    let Some(table) = table else {
        return format!("you are {role}; no player is connected");
    };
    let there = table.read(&Seat::gm(), |seen| {
        let names: Vec<&str> = seen.present().map(|seat| &*seat.name).collect();
        (join_with_and(&names), scene(seen))
    });
    match there {
        (names, scene) if names.is_empty() => {
            format!("you are {role}; {scene}; no player is connected")
        }
        (names, scene) => format!("you are {role}; {scene}; connected: {names}"),
    }
}
