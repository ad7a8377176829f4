//! What the slots of a form are filled with.

use super::{Made, ParseError};
use crate::session::{
    Character, CharacterId, Clock, ClockId, Command, CommandError, PoolId, PreparedId, Visibility,
};
use crate::table::SeatView;

/// Something that has a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thing {
    Character(CharacterId),
    Clock(ClockId),
    Pool(PoolId),
    /// A prepared scene.
    Scene(PreparedId),
    /// A stat, by its name in files.
    Stat(&'static str),
    /// The table itself, as the owner of something.
    Table,
}

impl Thing {
    /// The character, if it is one that the seat knows of.
    pub fn character<'a>(&self, seen: &SeatView<'a>) -> Option<&'a Character> {
        match self {
            Self::Character(id) => seen.session().character(*id),
            _ => None,
        }
    }

    /// Who owns what belongs to it; `None` for the table.
    pub(super) const fn owner(self) -> Option<CharacterId> {
        match self {
            Self::Character(id) => Some(id),
            _ => None,
        }
    }

    /// The clock, if it is one that the seat knows of.
    pub fn clock<'a>(&self, seen: &SeatView<'a>) -> Option<&'a Clock> {
        match self {
            Self::Clock(id) => seen.clock(*id).map(|one| one.clock),
            _ => None,
        }
    }

    /// What players see of it; `None` where it has no visibility of its own.
    pub(super) fn visibility(&self, seen: &SeatView<'_>) -> Option<Visibility> {
        let of_character = self.character(seen).map(|one| {
            if one.hidden {
                Visibility::Hidden
            } else {
                Visibility::Visible
            }
        });
        of_character.or_else(|| self.clock(seen).map(|clock| clock.visibility))
    }
}

/// What the slots of a form are filled with.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Slots {
    /// What names lead to, in the order of the form.
    pub(super) things: Vec<Thing>,
    pub(super) amount: Option<i32>,
    pub(super) rounds: Option<i32>,
    /// The number of an entry of the log.
    pub(super) entry: Option<u64>,
    /// A text of its own; empty where there is none.
    pub(super) name: String,
    /// All words to the end; empty where there are none.
    pub(super) text: String,
    /// Words of the form that were said.
    pub(super) words: Vec<&'static str>,
}

impl Slots {
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    pub(super) fn amount(&self) -> i32 {
        self.amount.unwrap_or(1)
    }

    pub(super) fn characters(&self) -> impl Iterator<Item = CharacterId> + Clone {
        self.things.iter().filter_map(|thing| match thing {
            Thing::Character(id) => Some(*id),
            _ => None,
        })
    }

    pub(super) fn clocks(&self) -> impl Iterator<Item = ClockId> {
        self.things.iter().filter_map(|thing| match thing {
            Thing::Clock(id) => Some(*id),
            _ => None,
        })
    }

    pub(super) fn pools(&self) -> impl Iterator<Item = PoolId> {
        self.things.iter().filter_map(|thing| match thing {
            Thing::Pool(id) => Some(*id),
            _ => None,
        })
    }

    /// The owners named: characters, or the table.
    pub(super) fn owners(&self) -> impl Iterator<Item = Thing> {
        let is_owner = |thing: &Thing| matches!(thing, Thing::Character(_) | Thing::Table);
        self.things.iter().copied().filter(is_owner)
    }

    /// The first character named, where one was.
    pub(super) fn who(&self) -> Option<CharacterId> {
        self.characters().next()
    }

    pub(super) fn stat(&self) -> Result<&'static str, ParseError> {
        let mut stats = self.things.iter().filter_map(|thing| match thing {
            Thing::Stat(stat) => Some(*stat),
            _ => None,
        });
        stats.next().ok_or(gone("stat"))
    }

    pub(super) fn scene(&self) -> Result<PreparedId, ParseError> {
        let mut scenes = self.things.iter().filter_map(|thing| match thing {
            Thing::Scene(id) => Some(*id),
            _ => None,
        });
        scenes.next().ok_or(gone("prepared scene"))
    }

    /// The same to each character named, as one act.
    pub(super) fn each(&self, command: impl Fn(CharacterId) -> Command) -> Made {
        all(self.characters().map(command))
    }

    /// Each character named with this changed.
    pub(super) fn edit(&self, seen: &SeatView<'_>, change: impl Fn(&mut Character)) -> Made {
        all(self.known(seen).map(|one| {
            let mut one = one.clone();
            change(&mut one);
            Command::edit(one)
        }))
    }

    /// The characters named, as far as they are still there.
    pub(super) fn known<'a>(&self, seen: &SeatView<'a>) -> impl Iterator<Item = &'a Character> {
        self.characters()
            .filter_map(|id| seen.session().character(id))
    }

    /// Each clock named with this changed.
    pub(super) fn edit_clocks(&self, seen: &SeatView<'_>, change: impl Fn(&mut Clock)) -> Made {
        all(self.known_clocks(seen).map(|clock| {
            let mut clock = clock.clone();
            change(&mut clock);
            Command::edit(clock)
        }))
    }

    /// The clocks named, as far as they are still there.
    pub(super) fn known_clocks<'a>(&self, seen: &SeatView<'a>) -> impl Iterator<Item = &'a Clock> {
        self.things.iter().filter_map(|thing| thing.clock(seen))
    }
}

/// Commands as one act.
pub(super) fn all(commands: impl Iterator<Item = Command>) -> Made {
    let commands: Vec<Command> = commands.collect();
    if commands.is_empty() {
        return Err(CommandError::NothingTo("do that to").into());
    }
    Ok(Command::together(commands).into())
}

/// What a form promised and is not there any more.
pub(super) const fn gone(what: &'static str) -> ParseError {
    ParseError::Refused(CommandError::Gone(what))
}
