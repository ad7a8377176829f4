//! Whose a thing is: nobody's, or one of the characters'.

use super::entry::Entry;
use crate::session::CharacterId;
use crate::table::SeatView;

/// The owners that a form offers, nobody first, kept while it is open.
#[derive(Clone, Debug)]
pub(super) struct Owners(Vec<(Option<CharacterId>, String)>);

impl Owners {
    /// The table and everybody at it.
    pub(super) fn of(seen: &SeatView<'_>, nobody: &str) -> Self {
        let everybody = seen.roster().map(|one| (Some(one.id), one.name.clone()));
        let nobody = (None, nobody.to_owned());
        Self([nobody].into_iter().chain(everybody).collect())
    }

    /// A choice among them, that one chosen.
    pub(super) fn entry(&self, owner: Option<CharacterId>) -> Entry {
        let at = self.0.iter().position(|(id, _)| *id == owner);
        let names = self.0.iter().map(|(_, name)| name.as_str());
        Entry::word(names, at.unwrap_or(0))
    }

    /// The one in that place.
    pub(super) fn at(&self, place: usize) -> Option<CharacterId> {
        self.0.get(place).and_then(|(id, _)| *id)
    }
}
