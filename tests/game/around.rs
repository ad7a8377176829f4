//! What the pages say around the dice, played at a table: help and groups, aspects, calls, harm and
//! rest, reading a roll again, and what each seat sees of it. Numbers come from the pages' examples.

mod again;
mod calls;
mod clocks;
mod harm;
mod scenes;
mod seats;
mod secrets;
mod together;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use tableside::dice::SystemDice;
use tableside::rules::{ChosenBy, Sheet, System, Value};
use tableside::session::{
    Character, CharacterId, Clock, ClockId, Command, Faces, RollCommand, Segments, Session,
};
use tableside::table::{Act, Entry, Seat, SeatId, SeatRole, Table};

fn noon() -> DateTime<Utc> {
    "2026-11-20T12:00:00Z".parse().unwrap()
}

/// A game in memory, run by its GM.
pub(super) struct Game {
    pub(super) table: Arc<Table>,
    pub(super) system: System,
}

/// A check to be made.
struct Try<'a> {
    who: &'a str,
    check: &'a str,
    fields: &'a [(&'a str, &'a str)],
    faces: &'a [i16],
    choose: &'a [&'a str],
    helpers: &'a [&'a str],
    hidden_from: &'a [&'a str],
    noticed: bool,
    clock: Option<ClockId>,
}

impl Default for Try<'_> {
    fn default() -> Self {
        Self {
            who: "Mira",
            check: "skill",
            fields: &[],
            faces: &[],
            choose: &[],
            helpers: &[],
            hidden_from: &[],
            noticed: false,
            clock: None,
        }
    }
}

impl Game {
    pub(super) fn new(system: System) -> Self {
        let dice = Box::new(SystemDice::from_key([7; 32]));
        let session = Session::new(system);
        let table = Table::unsaved("t", session, Vec::new(), None, noon, dice);
        Self { table, system }
    }

    /// A game with these characters, each stat as a form takes it.
    fn with(system: System, party: &[(&str, &[(&str, &str)])]) -> Self {
        let game = Self::new(system);
        for (name, stats) in party {
            let mut sheet = Sheet::new(system);
            for (stat, given) in *stats {
                let value = sheet.stat(stat).unwrap().parse(given).unwrap();
                sheet.set(stat, value).unwrap();
            }
            game.run(Command::add(Character::new(*name, sheet)));
        }
        game
    }

    fn act(&self, seat: &Seat, act: &Act) -> Result<Arc<Entry>, String> {
        let done = self.table.submit(seat, act);
        done.map_err(|problem| problem.to_string())
    }

    pub(super) fn run(&self, command: Command) -> Arc<Entry> {
        self.act(&Seat::gm(), &command.into()).unwrap()
    }

    fn refused(&self, command: Command) -> String {
        self.act(&Seat::gm(), &command.into()).unwrap_err()
    }

    pub(super) fn id(&self, name: &str) -> CharacterId {
        let found =
            |seen: &tableside::table::SeatView<'_>| seen.character_named(name).map(|one| one.id);
        self.table.read(&Seat::gm(), found).unwrap()
    }

    fn set(&self, name: &str, stat: &str, value: impl Into<Value>) {
        self.run(Command::SetStat {
            who: self.id(name),
            stat: stat.to_owned(),
            value: value.into(),
        });
    }

    fn clock(&self, name: &str, segments: u8) -> ClockId {
        let clock = Clock::new(name, Segments::try_from(i32::from(segments)).unwrap());
        self.run(Command::add(clock));
        self.find_clock(name).0
    }

    fn find_clock(&self, name: &str) -> (ClockId, u8) {
        self.table.read(&Seat::gm(), |seen| {
            let mut clocks = seen.clocks();
            let found = clocks.find(|one| one.clock.name == name).unwrap();
            (found.clock.id, found.clock.filled)
        })
    }

    fn acted(&self, name: &str) -> bool {
        self.table.read(&Seat::gm(), |seen| {
            seen.character_named(name).unwrap().acted
        })
    }

    fn command(&self, wish: &Try<'_>) -> Result<RollCommand, String> {
        let who = (!wish.who.is_empty()).then(|| self.id(wish.who));
        let check = self.system.check(wish.check).unwrap();
        let filled = self.table.read(&Seat::gm(), |seen| {
            let mut filled = seen.fill(check, who);
            for (field, given) in wish.fields {
                seen.fill_in(&mut filled, who, check.field(field).unwrap(), given)
                    .map_err(|refusal| refusal.to_string())?;
            }
            Ok::<_, String>(filled)
        })?;
        Ok(RollCommand {
            group: false,
            who,
            filled,
            faces: Faces::Typed(wish.faces.to_vec()),
            choose: wish.choose.iter().map(|one| (*one).to_owned()).collect(),
            by: ChosenBy::Gm,
            wait: false,
            hidden_from: wish
                .hidden_from
                .iter()
                .map(|one| (*one).to_owned())
                .collect(),
            noticed: wish.noticed,
            clock: wish.clock,
            helpers: wish.helpers.iter().map(|name| self.id(name)).collect(),
        })
    }

    fn roll_as(&self, seat: &Seat, wish: &Try<'_>) -> Result<Arc<Entry>, String> {
        let command = self.command(wish)?;
        self.act(seat, &Command::Roll(Box::new(command)).into())
    }

    fn roll(&self, wish: &Try<'_>) -> Arc<Entry> {
        self.roll_as(&Seat::gm(), wish).unwrap()
    }

    fn undo(&self) {
        self.act(&Seat::gm(), &Act::Undo).unwrap();
    }

    /// Everything that the GM sees of the state, as a text to compare.
    pub(super) fn state(&self) -> String {
        self.table.read(&Seat::gm(), |seen| {
            let roster: Vec<_> = seen.roster().collect();
            let clocks: Vec<_> = seen.clocks().map(|one| one.clock).collect();
            let pools: Vec<_> = seen.pools().collect();
            let calls: Vec<_> = seen.calls().collect();
            let locks: Vec<_> = seen.locks().map(|(who, about)| (who.id, about)).collect();
            format!("{roster:#?}{clocks:#?}{pools:#?}{calls:#?}{locks:#?}")
        })
    }

    /// The last line of the log.
    pub(super) fn last(&self) -> String {
        self.table.read(&Seat::gm(), |seen| {
            seen.log().next().unwrap().event.text(seen.system())
        })
    }

    pub(super) fn is_struck(&self, number: u64) -> bool {
        self.table.read(&Seat::gm(), |seen| seen.is_struck(number))
    }
}

pub(super) fn player(name: &str, characters: &[CharacterId]) -> Seat {
    Seat {
        id: SeatId(
            name.bytes()
                .fold(2, |id, letter| id * 31 + u64::from(letter)),
        ),
        name: name.to_owned(),
        role: SeatRole::Player,
        characters: characters.to_vec(),
    }
}

fn given(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = fields
        .iter()
        .map(|(field, given)| ((*field).to_owned(), (*given).to_owned()));
    owned.collect()
}

/// What followed a roll, in words.
pub(super) fn effects(entry: &Entry, system: System) -> Vec<String> {
    let roll = entry.roll().unwrap();
    let effects = roll.effects.iter();
    effects.map(|one| one.text(system)).collect()
}
