//! The target of a command.

use tableside_game::{
    Character, CharacterId, Clock, ClockId, EntityRef, PoolId, PreparedId, Visibility,
};
use tableside_table::SeatView;

/// An entity, a stat or the table, on which a command acts.
#[derive(Clone, Copy, Debug, PartialEq, strum::EnumTryAs)]
pub enum Target {
    Character(CharacterId),
    Clock(ClockId),
    Pool(PoolId),
    PreparedScene(PreparedId),
    /// A stat, by its id in system files.
    Stat(&'static str),
    /// The table itself, as the owner of a clock or a pool.
    Table,
}

impl Target {
    /// The entity that `duplicate` and `delete` act on. `None` for a target that cannot be duplicated or deleted.
    pub const fn subject(self) -> Option<EntityRef> {
        match self {
            Self::Character(id) => Some(EntityRef::Character(id)),
            Self::Clock(id) => Some(EntityRef::Clock(id)),
            Self::Pool(id) => Some(EntityRef::Pool(id)),
            Self::PreparedScene(_) | Self::Stat(_) | Self::Table => None,
        }
    }

    /// Returns the character if the seat can see it.
    pub fn character<'a>(&self, view: &SeatView<'a>) -> Option<&'a Character> {
        let id = self.try_as_character()?;
        view.game().character(id)
    }

    /// Returns the clock if the seat can see it.
    pub fn clock<'a>(&self, view: &SeatView<'a>) -> Option<&'a Clock> {
        let id = self.try_as_clock()?;
        Some(view.clock(id)?.clock)
    }

    /// The visibility of a character or a clock.
    pub(super) fn visibility(&self, view: &SeatView<'_>) -> Option<Visibility> {
        match self.character(view) {
            Some(character) if character.hidden => Some(Visibility::Hidden),
            Some(_) => Some(Visibility::Visible),
            None => self.clock(view).map(|clock| clock.visibility),
        }
    }
}
