//! What commands are about, what the slots of a form are filled with, and what commands do with it.

use super::error::{ActResult, ParseError, gone};
use tableside_game::{
    Character, CharacterId, Clock, ClockId, Command, CommandError, Entity, EntityRef, PoolId,
    PreparedId, TokenPool, Visibility,
};
use tableside_table::SeatView;

/// Something that has a name.
#[derive(Clone, Copy, Debug, PartialEq, strum::EnumTryAs)]
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
    /// What is duplicated and deleted as a whole.
    pub const fn subject(self) -> Option<EntityRef> {
        match self {
            Self::Character(id) => Some(EntityRef::Character(id)),
            Self::Clock(id) => Some(EntityRef::Clock(id)),
            Self::Pool(id) => Some(EntityRef::Pool(id)),
            Self::Scene(_) | Self::Stat(_) | Self::Table => None,
        }
    }

    /// The character, if it is one that the seat knows of.
    pub fn character<'a>(&self, seen: &SeatView<'a>) -> Option<&'a Character> {
        seen.game().character(self.try_as_character()?)
    }

    /// The clock, if it is one that the seat knows of.
    pub fn clock<'a>(&self, seen: &SeatView<'a>) -> Option<&'a Clock> {
        Some(seen.clock(self.try_as_clock()?)?.clock)
    }

    /// What players see of it; `None` where it has no visibility of its own.
    pub(super) fn visibility(&self, seen: &SeatView<'_>) -> Option<Visibility> {
        match self.character(seen) {
            Some(one) if one.hidden => Some(Visibility::Hidden),
            Some(_) => Some(Visibility::Visible),
            None => self.clock(seen).map(|clock| clock.visibility),
        }
    }
}

/// What the slots of a form are filled with.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Slots {
    /// What names lead to, in the order of the form.
    pub(super) things: Vec<Thing>,
    pub(super) amount: Option<i32>,
    pub(super) rounds: Option<i32>,
    /// Numbers that may be dice, `6` or `4+d4`, in the order of the form.
    pub(super) counts: Vec<String>,
    /// The number of an entry of the log.
    pub(super) entry: Option<u64>,
    /// The number of a roll that waits.
    pub(super) waiting: Option<u64>,
    /// A text of its own; empty if none was given.
    pub(super) name: String,
    /// All words to the end; empty if none were given.
    pub(super) text: String,
    /// Words of the form that were said.
    pub(super) words: Vec<&'static str>,
}

impl Slots {
    pub(super) fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// The one of these whose word was said.
    pub(super) fn said<T: Copy>(
        &self,
        known: impl IntoIterator<Item = T>,
        word: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        known.into_iter().find(|one| self.has(word(*one)))
    }

    /// The word that the command began with.
    pub(super) fn verb(&self) -> &'static str {
        self.words.first().copied().unwrap_or_default()
    }

    pub(super) fn amount(&self) -> i32 {
        self.amount.unwrap_or(1)
    }

    pub(super) fn characters(&self) -> impl Iterator<Item = CharacterId> {
        let things = self.things.iter();
        things.filter_map(|thing| thing.try_as_character())
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
        let stat = self.things.iter().find_map(|thing| thing.try_as_stat());
        stat.ok_or(gone("stat"))
    }

    pub(super) fn entry(&self) -> Result<u64, ParseError> {
        self.entry.ok_or(gone("entry"))
    }

    /// The pools named.
    pub(super) fn pools(&self) -> impl Iterator<Item = PoolId> {
        self.things.iter().filter_map(|thing| thing.try_as_pool())
    }

    /// The same to each thing named that it makes a command of, as one act.
    pub(super) fn every(&self, command: impl Fn(Thing) -> Option<Command>) -> ActResult {
        all(self.things.iter().filter_map(|thing| command(*thing)))
    }

    /// The same to each character named, as one act.
    pub(super) fn each(&self, command: impl Fn(CharacterId) -> Command) -> ActResult {
        all(self.characters().map(command))
    }

    /// What is done to the prepared scene that was named.
    pub(super) fn scene(&self, command: fn(PreparedId) -> Command) -> ActResult {
        self.every(|thing| thing.try_as_scene().map(command))
    }
}

/// A command as it was said: what its slots are filled with, and at which table.
#[derive(Clone, Copy, derive_more::Deref)]
pub(super) struct Args<'a> {
    #[deref(forward)]
    pub(super) slots: &'a Slots,
    pub(super) seen: &'a SeatView<'a>,
}

impl<'a> Args<'a> {
    /// The characters named, as far as they are still there.
    pub(super) fn known(&self) -> impl Iterator<Item = &'a Character> {
        let things = self.slots.things.iter();
        things.filter_map(|thing| thing.character(self.seen))
    }

    /// The clocks named, as far as they are still there.
    pub(super) fn clocks(&self) -> impl Iterator<Item = &'a Clock> {
        let things = self.slots.things.iter();
        things.filter_map(|thing| thing.clock(self.seen))
    }

    /// Each character named with this changed.
    pub(super) fn edit(&self, change: impl Fn(&mut Character)) -> ActResult {
        edited(self.known(), change)
    }

    /// Each clock named with this changed.
    pub(super) fn edit_clocks(&self, change: impl Fn(&mut Clock)) -> ActResult {
        edited(self.clocks(), change)
    }

    /// The pool named, else the first of the owner named, with this changed.
    pub(super) fn edit_pool(&self, change: impl Fn(&mut TokenPool)) -> ActResult {
        edited(self.seen.pool(self.pool()?).into_iter(), change)
    }

    /// The pool named, else the first of the owner named.
    pub(super) fn pool(&self) -> Result<PoolId, ParseError> {
        let of_owner = || {
            let owner = self.owners().next()?.try_as_character();
            self.seen.pools_of(owner).next().map(|pool| pool.id)
        };
        self.pools().next().or_else(of_owner).ok_or(gone("pool"))
    }
}

/// Commands as one act.
pub(super) fn all(commands: impl Iterator<Item = Command>) -> ActResult {
    let commands: Vec<Command> = commands.collect();
    if commands.is_empty() {
        return Err(CommandError::NothingTo("do that to").into());
    }
    Ok(Command::together(commands).into())
}

fn edited<'a, T: Clone + Into<Entity> + 'a>(
    things: impl Iterator<Item = &'a T>,
    change: impl Fn(&mut T),
) -> ActResult {
    all(things.map(|thing| {
        let mut thing = thing.clone();
        change(&mut thing);
        Command::edit(thing)
    }))
}
