//! The values of the slots of a form, and functions that build acts from them.

use super::error::{gone, refused};
use super::spec::ActResult;
use super::{ParseError, Target};
use tableside_game::{
    Character, CharacterId, Clock, Command, Entity, Note, NoteId, Pin, PoolId, PreparedId, Readers,
    TokenPool,
};
use tableside_table::SeatView;

/// The values of a form's slots.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Slots {
    /// The named characters, clocks and other targets, in the order of the form.
    pub(super) targets: Vec<Target>,
    pub(super) amount: Option<i32>,
    pub(super) rounds: Option<i32>,
    /// The typed numbers of a new clock, its segments and then its filled segments, as numbers or dice: `6`, `4+d4`.
    pub(super) counts: Vec<String>,
    /// The number of a log entry.
    pub(super) entry: Option<u64>,
    /// The number of a log entry that was typed with its sign, `#12`.
    pub(super) entry_tag: Option<u64>,
    /// The readers of a note.
    pub(super) readers: Option<Readers>,
    pub(super) pin: Option<Pin>,
    pub(super) note: Option<NoteId>,
    /// A free name, such as the name of a new clock. Empty if none was typed.
    pub(super) name: String,
    /// The free text at the end of the words. Empty if none was typed.
    pub(super) text: String,
    /// The typed words of the form. A synonym is stored as the word that it stands for.
    pub(super) words: Vec<&'static str>,
}

impl Slots {
    /// The first named owner: a character, or the table.
    pub(super) fn owner(&self) -> Option<Target> {
        let mut targets = self.targets.iter().copied();
        targets.find(|target| matches!(target, Target::Character(_) | Target::Table))
    }
}

/// The arguments of a command's function: the values of its slots, and the game as the seat sees it.
#[derive(Clone, Copy)]
pub(super) struct Args<'a> {
    pub(super) slots: &'a Slots,
    pub(super) view: &'a SeatView<'a>,
}

impl<'a> Args<'a> {
    /// The typed number, by default 1.
    pub(super) fn amount(&self) -> i32 {
        self.slots.amount.unwrap_or(1)
    }

    /// The typed number with the opposite sign, by default −1.
    pub(super) fn negative_amount(&self) -> i32 {
        self.amount().saturating_neg()
    }

    pub(super) fn name(&self) -> &'a str {
        &self.slots.name
    }

    pub(super) fn text(&self) -> &'a str {
        &self.slots.text
    }

    /// True if this word of the form, or a synonym of it, was typed.
    pub(super) fn has(&self, word: &str) -> bool {
        self.slots.words.contains(&word)
    }

    /// Returns the first of these values whose word was typed.
    pub(super) fn chosen<T: Copy + Into<&'static str>>(
        &self,
        values: impl IntoIterator<Item = T>,
    ) -> Option<T> {
        values.into_iter().find(|value| self.has((*value).into()))
    }

    pub(super) fn character_ids(&self) -> impl Iterator<Item = CharacterId> + use<'a> {
        let targets = self.slots.targets.iter();
        targets.filter_map(|target| target.try_as_character())
    }

    /// The first named character.
    pub(super) fn first_character(&self) -> Option<CharacterId> {
        self.character_ids().next()
    }

    /// The named characters that the seat can see.
    pub(super) fn characters(&self) -> impl Iterator<Item = &'a Character> + use<'a> {
        let view = self.view;
        let targets = self.slots.targets.iter();
        targets.filter_map(|target| target.character(view))
    }

    /// The named clocks that the seat can see.
    pub(super) fn clocks(&self) -> impl Iterator<Item = &'a Clock> + use<'a> {
        let view = self.view;
        let targets = self.slots.targets.iter();
        targets.filter_map(|target| target.clock(view))
    }

    pub(super) fn two_clocks(&self) -> Result<[&'a Clock; 2], ParseError> {
        let mut clocks = self.clocks();
        match (clocks.next(), clocks.next()) {
            (Some(first), Some(second)) => Ok([first, second]),
            _ => Err(gone("clock")),
        }
    }

    /// The named owners: characters, or the table.
    pub(super) fn owners(&self) -> Vec<Target> {
        let mut owners = self.slots.targets.clone();
        owners.retain(|target| matches!(target, Target::Character(_) | Target::Table));
        owners
    }

    pub(super) fn stat(&self) -> Result<&'static str, ParseError> {
        let mut targets = self.slots.targets.iter();
        let stat = targets.find_map(|target| target.try_as_stat());
        stat.ok_or(gone("stat"))
    }

    pub(super) fn entry(&self) -> Result<u64, ParseError> {
        let entry = self.slots.entry.or(self.slots.entry_tag);
        entry.ok_or(gone("entry"))
    }

    /// The named note, if the seat may still read it.
    pub(super) fn note(&self) -> Result<&'a Note, ParseError> {
        let mut notes = self.view.written_notes();
        let named = notes.find(|note| Some(note.id) == self.slots.note);
        named.ok_or(gone("note"))
    }

    pub(super) fn pool_ids(&self) -> impl Iterator<Item = PoolId> + use<'a> {
        let targets = self.slots.targets.iter();
        targets.filter_map(|target| target.try_as_pool())
    }

    /// The named pool, or the first pool of the named owner.
    pub(super) fn pool(&self) -> Result<PoolId, ParseError> {
        if let Some(pool) = self.pool_ids().next() {
            return Ok(pool);
        }

        let owner = self.slots.owner().ok_or(gone("pool"))?;
        let mut pools = self.view.pools_of(owner.try_as_character());
        let first = pools.next().ok_or(gone("pool"))?;
        Ok(first.id)
    }

    /// Makes a command for each named character, and combines them into one act.
    pub(super) fn for_each_character(&self, command: impl Fn(CharacterId) -> Command) -> ActResult {
        combine(self.character_ids().map(command))
    }

    /// Makes a command for the named prepared scene.
    pub(super) fn for_prepared_scene(&self, command: fn(PreparedId) -> Command) -> ActResult {
        let targets = self.slots.targets.iter();
        let scenes = targets.filter_map(|target| target.try_as_prepared_scene());
        combine(scenes.map(command))
    }

    /// Changes each named character.
    pub(super) fn edit_characters(&self, change: impl Fn(&mut Character)) -> ActResult {
        edit_each(self.characters(), change)
    }

    /// Changes each named clock.
    pub(super) fn edit_clocks(&self, change: impl Fn(&mut Clock)) -> ActResult {
        edit_each(self.clocks(), change)
    }

    /// Changes the named pool, or the first pool of the named owner.
    pub(super) fn edit_pool(&self, change: impl Fn(&mut TokenPool)) -> ActResult {
        let pool = self.view.pool(self.pool()?);
        edit_each(pool.into_iter(), change)
    }
}

/// Combines commands into one act, which is undone as a whole.
pub(super) fn combine(commands: impl Iterator<Item = Command>) -> ActResult {
    let commands: Vec<Command> = commands.collect();
    if commands.is_empty() {
        let reason = "the command names no character, clock or pool that is in play";
        return Err(refused(reason));
    }
    Ok(Command::together(commands).into())
}

fn edit_each<'a, T: Clone + Into<Entity> + 'a>(
    entities: impl Iterator<Item = &'a T>,
    change: impl Fn(&mut T),
) -> ActResult {
    let mut commands = Vec::new();
    for entity in entities {
        let mut edited = entity.clone();
        change(&mut edited);
        commands.push(Command::edit(edited));
    }
    combine(commands.into_iter())
}
