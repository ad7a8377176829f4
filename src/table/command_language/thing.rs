//! What commands are about.

use crate::session::{
    Character, CharacterId, Clock, ClockId, PoolId, PreparedId, Subject, Visibility,
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
    /// What is duplicated and deleted as a whole.
    pub const fn subject(self) -> Option<Subject> {
        match self {
            Self::Character(id) => Some(Subject::Character(id)),
            Self::Clock(id) => Some(Subject::Clock(id)),
            Self::Pool(id) => Some(Subject::Pool(id)),
            Self::Scene(_) | Self::Stat(_) | Self::Table => None,
        }
    }

    /// The character, if it is one that the seat knows of.
    pub fn character<'a>(&self, seen: &SeatView<'a>) -> Option<&'a Character> {
        match self {
            Self::Character(id) => seen.session().character(*id),
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

    /// Who owns what belongs to it; `None` for the table.
    pub(super) const fn owner(self) -> Option<CharacterId> {
        match self {
            Self::Character(id) => Some(id),
            _ => None,
        }
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
