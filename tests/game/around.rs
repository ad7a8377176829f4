//! What the pages say around the dice, played at a table: help and groups, aspects, calls, harm and
//! rest, reading a roll again, and what each seat sees of it. Numbers come from the pages' examples.

mod calls;
mod seats;
mod secrets;

use std::sync::Arc;

use tableside::dice::SystemDice;
use tableside::rules::{ChosenBy, Sheet, System};
use tableside::session::{
    Character, CharacterId, Clock, ClockId, Command, Faces, RollCommand, Segments, Session,
};
use tableside::table::{Act, Entry, Seat, SeatId, SeatRole, Table};

use super::opened::noon;

/// A game in memory, run by its GM.
#[derive(Clone)]
pub(super) struct Game {
    pub(super) table: Arc<Table>,
    pub(super) system: System,
}

/// A check to be made.
pub(super) struct Try<'a> {
    pub(super) who: &'a str,
    pub(super) check: &'a str,
    pub(super) fields: &'a [(&'a str, &'a str)],
    pub(super) faces: &'a [i16],
    pub(super) choose: &'a [&'a str],
    pub(super) helpers: &'a [&'a str],
    pub(super) hidden_from: &'a [&'a str],
    pub(super) noticed: bool,
    pub(super) clock: Option<ClockId>,
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
        Self::begin("t", Session::new(system))
    }

    pub(super) fn begin(name: &str, session: Session) -> Self {
        let system = session.system;
        let dice = Box::new(SystemDice::from_key([7; 32]));
        let table = Table::unsaved(name, session, Vec::new(), None, noon, dice);
        Self { table, system }
    }

    /// A game with these characters, each stat as a form takes it.
    pub(super) fn with(system: System, party: &[(&str, &[(&str, &str)])]) -> Self {
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

    pub(super) fn act(&self, seat: &Seat, act: &Act) -> Result<Arc<Entry>, String> {
        let done = self.table.submit(seat, act);
        done.map_err(|problem| problem.to_string())
    }

    pub(super) fn run(&self, command: Command) -> Arc<Entry> {
        self.act(&Seat::gm(), &command.into()).unwrap()
    }

    pub(super) fn id(&self, name: &str) -> CharacterId {
        let found =
            |seen: &tableside::table::SeatView<'_>| seen.character_named(name).map(|one| one.id);
        self.table.read(&Seat::gm(), found).unwrap()
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

    pub(super) fn command(&self, wish: &Try<'_>) -> Result<RollCommand, String> {
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

    pub(super) fn roll(&self, wish: &Try<'_>) -> Arc<Entry> {
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
