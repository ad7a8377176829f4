//! `access.toml`: who may join, and how much anybody may ask of the server.
//!
//! People edit it by hand; the program rewrites only its seats. Keys are lines of OpenSSH's `authorized_keys`.

mod file;

use std::time::Duration;

use chrono::{DateTime, Utc};
use rand::RngExt as _;
use russh::keys::{HashAlg, PublicKey};
use serde::{Deserialize, Serialize};

use super::invitation::Invitation;
use tableside_table::{Allowed, ListedSeat, RequestError, Seat, SeatId, SeatRole, SeatView};
use tableside_text::{is_same_name, is_spelling_mark, sanitise, sanitise_name};

pub(super) use file::{AccessFile, WrongCode, read_access, wrong};

/// The most games of a host that are open at once.
const OPEN_GAMES: u32 = 1000;

/// The most games of a host, where `host.toml` does not say.
const MOST_GAMES: u32 = 10_000;

/// The most games that one person begins in a minute, where `host.toml` does not say.
const NEW_GAMES_PER_MINUTE: u32 = 5;

/// The longest name of a seat, in characters.
pub(super) const LONGEST_SEAT: usize = 40;

/// The largest id of a seat.
const LARGEST_ID: u64 = (1 << 53) - 1;

/// The most seats of a game.
const SEATS: usize = 200;

/// The most keys of a seat.
const KEYS: usize = 20;

/// Who may join, and how much anybody may ask.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Access {
    /// Of a host: the names of those who may begin a game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gms: Vec<String>,
    /// Of a host: how many games may be open at once.
    #[serde(rename = "open-games", skip_serializing_if = "Option::is_none")]
    pub open_games: Option<u32>,
    /// Of a host: the number of games from which on nobody may begin one in the lobby.
    #[serde(rename = "most-games", skip_serializing_if = "Option::is_none")]
    pub most_games: Option<u32>,
    /// Of a host: how many games one person may begin in a minute.
    #[serde(
        rename = "new-games-per-minute",
        skip_serializing_if = "Option::is_none"
    )]
    pub new_games_per_minute: Option<u32>,
    /// How much anybody may ask.
    pub limits: Limits,
    /// What players may do beyond their own.
    pub players: Players,
    /// What watchers may do.
    pub watchers: Watchers,
    /// Who may join.
    #[serde(rename = "seat", skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<SeatEntry>,
}

/// How much anybody may ask of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// Connections of people with a seat, in all.
    pub connections: u32,
    /// The same of one address.
    pub connections_per_address: u32,
    /// Connections of people who watch without a seat. They are counted apart.
    pub watchers: u32,
    /// Connections that have not logged in yet, in all.
    pub logging_in: u32,
    /// The same of one address.
    pub logging_in_per_address: u32,
    /// New connections of one address a second; those that lead to a login do not count.
    pub new_per_second: u32,
    /// Invitation codes that may be typed on one connection. Keys that a client offers do not count.
    pub login_tries: u32,
    /// Seconds that a login may take; somebody who types a code gets five times as long.
    pub login_seconds: u32,
    /// Invitations in a minute.
    pub invitations_per_minute: u32,
    /// Hours for which an invitation holds.
    pub invitation_hours: u32,
    /// Bytes a second that one person may type or paste.
    pub input_bytes_per_second: u32,
    /// Changes to the game that a seat may make in a second.
    pub acts_per_second: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 64,
            connections_per_address: 32,
            watchers: 16,
            logging_in: 64,
            logging_in_per_address: 32,
            new_per_second: 10,
            login_tries: 6,
            login_seconds: 20,
            invitations_per_minute: 10,
            invitation_hours: 48,
            input_bytes_per_second: 32_768,
            acts_per_second: 20,
        }
    }
}

impl Limits {
    /// How long a connection may take to log in.
    pub fn grace(&self) -> Duration {
        Duration::from_secs(self.login_seconds.clamp(1, 600).into())
    }

    fn check(&self) -> Result<(), String> {
        let fields = toml::Table::try_from(self).map_err(|error| error.to_string())?;
        for (name, value) in fields {
            let most = match &*name {
                "input-bytes-per-second" => 10_000_000,
                "login-seconds" => 600,
                _ => 10_000,
            };
            if !value
                .as_integer()
                .is_some_and(|value| (1..=most).contains(&value))
            {
                return Err(format!("limits.{name} is {value}; it may be 1 to {most}"));
            }
        }
        Ok(())
    }
}

/// What players may do beyond their own characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Players {
    /// Gain and spend tokens of the table's pools.
    pub table_pools: bool,
    /// Tick the table's clocks.
    pub table_clocks: bool,
}

/// What watchers may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Watchers {
    /// Suggest something to the GM.
    pub suggest: bool,
}

/// A seat as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SeatEntry {
    /// What the person types before the `@`.
    pub name: String,
    /// Stays when the name changes; the program gives each seat its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<SeatId>,
    /// `gm`, `player` or `watcher`.
    pub role: SeatRole,
    /// The names of the characters that the person plays, besides those whose player has the seat's name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub characters: Vec<String>,
    /// The keys that open it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// An invitation that nobody has used yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invitation: Option<Invitation>,
}

impl SeatEntry {
    /// A seat that nobody plays anybody on yet.
    pub(super) fn new(name: &str, id: SeatId, role: SeatRole) -> Self {
        Self {
            name: name.to_owned(),
            id: Some(id),
            role,
            ..Self::default()
        }
    }

    pub fn is_called(&self, name: &str) -> bool {
        is_same_name(&self.name, name.trim())
    }

    pub(super) fn knows(&self, key: &PublicKey) -> bool {
        let Ok(wanted) = key.to_openssh() else {
            return false;
        };
        let Some(wanted) = wanted.split(' ').nth(1) else {
            return false;
        };

        // Most lines are told apart by their letters, which costs far less than reading each as a key.
        self.keys
            .iter()
            .filter(|line| line.contains(wanted))
            .filter_map(|line| read_key(line))
            .any(|known| known.key_data() == key.key_data())
    }

    /// The keys that open it.
    pub(super) fn public_keys(&self) -> impl Iterator<Item = PublicKey> + '_ {
        self.keys.iter().filter_map(|line| read_key(line))
    }

    /// [`SeatId::NOBODY`] while it has none.
    pub fn id(&self) -> SeatId {
        self.id.unwrap_or(SeatId::NOBODY)
    }

    /// The seat with its characters in the game as it is now.
    pub fn seat(&self, seen: &SeatView<'_>) -> Seat {
        let own = seen.roster().filter(|character| {
            let listed = self.characters.iter();
            let mut listed = listed.filter(|name| is_same_name(name, &character.name));
            listed.next().is_some() || self.is_called(&character.player)
        });
        Seat {
            id: self.id(),
            name: self.name.clone(),
            role: self.role,
            characters: own.map(|character| character.id).collect(),
        }
    }

    /// The seat as the GM reads it.
    pub(super) fn listed(&self) -> ListedSeat {
        let keys = self.keys.iter().filter_map(|line| read_key(line));
        let invitation = self.invitation.as_ref();
        ListedSeat {
            id: self.id(),
            is_passing: false,
            name: self.name.clone(),
            role: self.role,
            characters: self.characters.clone(),
            keys: keys.map(|key| fingerprint(&key)).collect(),
            invited_until: invitation.map(|invitation| invitation.expires),
        }
    }
}

/// Reads a line of `authorized_keys`, without options.
pub(super) fn read_key(line: &str) -> Option<PublicKey> {
    PublicKey::from_openssh(line.trim()).ok()
}

/// A key's fingerprint, as `ssh-keygen -l` shows it.
pub(super) fn fingerprint(key: &PublicKey) -> String {
    key.fingerprint(HashAlg::Sha256).to_string()
}

/// A random id, so that no seat ever had it; at most 2^53, which every JSON reader takes.
pub(super) fn fresh_id() -> SeatId {
    let mut luck: rand::rngs::StdRng = rand::make_rng();
    SeatId(luck.random_range(2..=LARGEST_ID))
}

/// The name that a person of that role types before the `@`, checked.
pub(super) fn seat_name(given: &str, role: SeatRole) -> Result<String, String> {
    let name = sanitise_name(given, usize::MAX);
    let name = name.as_str();
    let fits = |letter: char| {
        let is_sign = matches!(letter, '-' | '_' | '.' | ' ');
        is_sign || letter.is_alphanumeric() || is_spelling_mark(letter)
    };
    if name.is_empty() {
        Err("a seat needs a name, such as mira".to_owned())
    } else if name.chars().count() > LONGEST_SEAT {
        Err(format!("a seat's name has at most {LONGEST_SEAT} letters"))
    } else if name == "*" || !name.chars().all(fits) {
        Err(format!(
            "{:?} cannot be the name of a seat: use letters, digits, spaces and - _ .",
            sanitise(name, LONGEST_SEAT)
        ))
    } else if is_same_name(name, "gm") && role != SeatRole::Gm {
        Err(
            "only a seat with the role gm can be called gm; choose that role or another name"
                .to_owned(),
        )
    } else if is_same_name(name, "watcher") {
        Err("a seat cannot be called watcher, the word for viewers without a seat; choose another name".to_owned())
    } else {
        Ok(name.to_owned())
    }
}

impl Access {
    /// What a new `host.toml` says: a convention comes from one address, and nobody has been named yet.
    fn of_host() -> Self {
        Self {
            open_games: Some(OPEN_GAMES),
            most_games: Some(MOST_GAMES),
            new_games_per_minute: Some(NEW_GAMES_PER_MINUTE),
            limits: Limits {
                connections: 4096,
                connections_per_address: 1024,
                watchers: 1024,
                logging_in: 256,
                logging_in_per_address: 64,
                new_per_second: 50,
                ..Limits::default()
            },
            ..Self::default()
        }
    }

    /// The seat of this host that opens with that key, if it may begin a game. A seat in one of its games is not
    /// enough: its GM gives it any name.
    pub(super) fn gm_seat(&self, key: &PublicKey, name: &str) -> Option<&SeatEntry> {
        let seat = self.by_key(key, name)?;
        let is_gm = self.gms.iter().any(|gm| seat.is_called(gm));
        if is_gm { Some(seat) } else { None }
    }

    /// How many games there may be before nobody begins another in the lobby.
    pub(super) fn most_games(&self) -> u32 {
        self.most_games.unwrap_or(MOST_GAMES)
    }

    /// How many games one person may begin in a minute.
    pub(super) fn new_games_per_minute(&self) -> u32 {
        self.new_games_per_minute.unwrap_or(NEW_GAMES_PER_MINUTE)
    }

    /// True if it says something that only a host has.
    fn is_of_host(&self) -> bool {
        !self.gms.is_empty()
            || self.open_games.is_some()
            || self.most_games.is_some()
            || self.new_games_per_minute.is_some()
    }

    /// Checks what a person may have edited.
    pub(super) fn check(&self) -> Result<(), String> {
        self.limits.check()?;
        if self.open_games == Some(0) {
            let why = "open-games must be at least 1; with 0, no game could be opened";
            return Err(why.to_owned());
        }
        if self.seats.len() > SEATS {
            return Err(format!("there are at most {SEATS} seats"));
        }
        for (place, entry) in self.seats.iter().enumerate() {
            seat_name(&entry.name, entry.role)?;
            let name = &entry.name;
            let mut before = self.seats.iter().take(place);
            if before.clone().any(|other| other.is_called(name)) {
                return Err(format!(
                    "there are two seats named {name:?}; names must differ"
                ));
            }
            if let Some(id) = entry.id {
                if !(2..=LARGEST_ID).contains(&id.0) {
                    return Err(format!(
                        "seat {name:?}: its id may be 2 to {LARGEST_ID}; take the line away, and it gets one"
                    ));
                }
                if let Some(other) = before.find(|other| other.id == Some(id)) {
                    return Err(format!(
                        "the seats {:?} and {name:?} have the same id; take the line away from the newer one, and it gets its own",
                        other.name
                    ));
                }
            }
            for line in &entry.keys {
                let wrong = match read_key(line) {
                    Some(key) if !key.algorithm().is_rsa() => continue,
                    Some(_) => "RSA keys are not accepted; make one with `ssh-keygen -t ed25519`"
                        .to_owned(),
                    None => {
                        let line = sanitise(line, 60);
                        format!(
                            "{line:?} is no public key; it should look like \"ssh-ed25519 AAAA… comment\""
                        )
                    }
                };
                return Err(format!("seat {name:?}: {wrong}"));
            }
        }
        Ok(())
    }

    /// The seat that this key opens; if it opens several, the one of that name.
    pub fn by_key(&self, key: &PublicKey, user: &str) -> Option<&SeatEntry> {
        let mut open = self.seats.iter().filter(|entry| entry.knows(key));
        let first = open.next()?;
        let named = open.chain([first]).find(|entry| entry.is_called(user));
        Some(named.unwrap_or(first))
    }

    pub fn by_name(&self, name: &str) -> Option<&SeatEntry> {
        self.seats.iter().find(|entry| entry.is_called(name))
    }

    /// Whether a seat of that name waits for somebody with a code.
    pub(super) fn expects(&self, name: &str, now: DateTime<Utc>) -> bool {
        let invitation = self
            .by_name(name)
            .and_then(|entry| entry.invitation.as_ref());
        invitation.is_some_and(|invitation| invitation.holds(now))
    }

    /// True if that is the code of the invitation that a seat of that name has.
    pub(super) fn has_code(&self, name: &str, code: &str, now: DateTime<Utc>) -> bool {
        let invitation = self
            .by_name(name)
            .and_then(|entry| entry.invitation.as_ref());
        invitation.is_some_and(|invitation| invitation.holds(now) && invitation.is(code))
    }

    pub(super) fn by_name_mut(&mut self, name: &str) -> Option<&mut SeatEntry> {
        self.seats.iter_mut().find(|entry| entry.is_called(name))
    }

    pub fn by_id(&self, id: SeatId) -> Option<&SeatEntry> {
        self.seats.iter().find(|entry| entry.id == Some(id))
    }

    pub(super) fn by_id_mut(&mut self, id: SeatId) -> Result<&mut SeatEntry, RequestError> {
        let found = self.seats.iter_mut().find(|entry| entry.id == Some(id));
        found.ok_or_else(|| RequestError::usage("this seat was removed".to_owned()))
    }

    /// Gives an id to each seat that has none; returns whether there was any.
    pub(super) fn number(&mut self) -> bool {
        let is_new = self.seats.iter().any(|entry| entry.id.is_none());
        for entry in &mut self.seats {
            entry.id.get_or_insert_with(fresh_id);
        }
        is_new
    }

    /// Adds a key to a seat.
    pub fn remember(&mut self, seat: SeatId, key: &PublicKey) -> Result<(), RequestError> {
        let entry = self.by_id_mut(seat)?;
        if entry.knows(key) {
            return Ok(());
        }
        if entry.keys.len() >= KEYS {
            let words = format!("a seat has at most {KEYS} keys");
            return Err(RequestError::usage(words));
        }
        let line = key
            .to_openssh()
            .map_err(|error| RequestError::usage(error.to_string()))?;
        entry.keys.push(sanitise(&line, 2000).into_owned());
        Ok(())
    }

    /// Takes a key away from a seat.
    pub fn forget(&mut self, seat: SeatId, key: &PublicKey) -> Result<(), RequestError> {
        let entry = self.by_id_mut(seat)?;
        entry
            .keys
            .retain(|line| read_key(line).as_ref() != Some(key));
        Ok(())
    }

    /// What players and watchers may do beyond their own.
    pub fn allowed(&self) -> Allowed {
        Allowed {
            table_pools: self.players.table_pools,
            table_clocks: self.players.table_clocks,
            watchers_suggest: self.watchers.suggest,
            acts_per_second: Some(self.limits.acts_per_second),
        }
    }

    /// The seats as the GM reads them.
    pub fn listed(&self) -> Vec<ListedSeat> {
        self.seats.iter().map(SeatEntry::listed).collect()
    }
}

#[cfg(test)]
mod tests;
