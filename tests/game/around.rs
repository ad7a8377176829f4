//! What the pages say around the dice, played at a table: help and groups, aspects, calls, harm and
//! rest, reading a roll again, and what each seat sees of it. Numbers come from the pages' examples.

mod calls;
mod notes;
mod seats;
mod secrets;

use std::sync::Arc;

use tableside::dice::SystemDice;
use tableside::game::{
    Character, CharacterId, ClockId, Command, Faces, Game, NoteCommand, Readers, RollCommand,
};
use tableside::rules::{ChosenBy, Sheet, System};
use tableside::table::{Act, Entry, Seat, SeatId, SeatRole, SeatView, Table};

use super::opened::noon;

/// A game in memory, run by its GM.
#[derive(Clone)]
pub(super) struct TestGame {
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

impl TestGame {
    pub(super) fn new(system: System) -> Self {
        Self::begin("t", Game::new(system))
    }

    pub(super) fn begin(name: &str, game: Game) -> Self {
        let system = game.system;
        let dice = Box::new(SystemDice::from_key([7; 32]));
        let table = Table::unsaved(name, game, Vec::new(), None, noon, dice);
        Self { table, system }
    }

    /// A game with these characters, each stat as a form takes it.
    pub(super) fn with(system: System, party: &[(&str, &[(&str, &str)])]) -> Self {
        let game = Self::new(system);
        for (name, stats) in party {
            game.add(name, stats.iter().copied());
        }
        game
    }

    pub(super) fn add<'a>(&self, name: &str, stats: impl Iterator<Item = (&'a str, &'a str)>) {
        let mut sheet = Sheet::new(self.system);
        for (stat, given) in stats {
            let value = sheet.stat(stat).unwrap().parse(given).unwrap();
            sheet.set(stat, value).unwrap();
        }
        self.run(Command::add(Character::new(name, sheet)));
    }

    /// The seat of the player of that character. The seat has the character's name in small letters.
    fn player(&self, name: &str) -> Seat {
        player(&name.to_lowercase(), &[self.id(name)])
    }

    pub(super) fn act(&self, seat: &Seat, act: &Act) -> Result<Arc<Entry>, String> {
        let done = self.table.submit(seat, act);
        done.map_err(|problem| problem.to_string())
    }

    pub(super) fn run(&self, command: Command) -> Arc<Entry> {
        self.act(&Seat::gm(), &command.into()).unwrap()
    }

    /// What the GM sees.
    pub(super) fn look<T>(&self, look: impl FnOnce(&SeatView<'_>) -> T) -> T {
        self.table.read(&Seat::gm(), look)
    }

    pub(super) fn named(&self, name: &str) -> Character {
        self.look(|seen| seen.character_named(name).unwrap().clone())
    }

    pub(super) fn id(&self, name: &str) -> CharacterId {
        self.named(name).id
    }

    pub(super) fn command(&self, wish: &Try<'_>) -> Result<RollCommand, String> {
        let who = (!wish.who.is_empty()).then(|| self.id(wish.who));
        let check = self.system.check(wish.check).unwrap();
        let filled = self.look(|seen| {
            let mut filled = seen.fill(check, who);
            for (field, given) in wish.fields {
                seen.fill_in(&mut filled, who, check.field(field).unwrap(), given)
                    .map_err(|refusal| refusal.to_string())?;
            }
            Ok::<_, String>(filled)
        })?;
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Ok(RollCommand {
            group: false,
            who,
            filled,
            faces: Faces::Typed(wish.faces.to_vec()),
            choose: owned(wish.choose),
            by: ChosenBy::Gm,
            wait: false,
            hidden_from: owned(wish.hidden_from),
            noticed: wish.noticed,
            clock: wish.clock,
            helpers: wish.helpers.iter().map(|name| self.id(name)).collect(),
        })
    }

    pub(super) fn roll(&self, wish: &Try<'_>) -> Arc<Entry> {
        let command = self.command(wish).unwrap();
        self.run(Command::Roll(Box::new(command)))
    }

    /// Everything that the GM sees of the state, as a text to compare.
    pub(super) fn state(&self) -> String {
        self.look(|seen| {
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
        self.look(|seen| seen.log().next().unwrap().event.text(seen.system()))
    }

    pub(super) fn is_struck(&self, number: u64) -> bool {
        self.look(|seen| seen.is_struck(number))
    }
}

pub(super) fn player(name: &str, characters: &[CharacterId]) -> Seat {
    let letters = name.bytes().map(u64::from);
    Seat {
        id: SeatId(letters.fold(2, |id, letter| id * 31 + letter)),
        name: name.to_owned(),
        role: SeatRole::Player,
        characters: characters.to_vec(),
    }
}

pub(super) fn note(text: &str) -> Command {
    Command::Note(NoteCommand {
        text: text.to_owned(),
        readers: Readers::Gm,
        ..NoteCommand::default()
    })
}

/// Reads that entry again with a modifier.
fn with_modifier(entry: u64) -> Act {
    Act::Amend {
        entry,
        fields: vec![("modifier".into(), "1".into())],
        faces: Faces::Rolled,
    }
}
