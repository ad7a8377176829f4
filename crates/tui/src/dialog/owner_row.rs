//! The row that selects the owner of a clock or a pool.

use crate::dialog::Row;
use tableside_game::CharacterId;
use tableside_table::SeatView;

/// A row that offers the table and all characters.
pub(super) struct OwnerRow<'a> {
    pub(super) id: &'static str,
    pub(super) label: &'static str,
    /// The options, from [`owner_choices`].
    pub(super) owners: &'a [Option<CharacterId>],
    /// The word for the option without a character.
    pub(super) without_owner: &'static str,
}

impl OwnerRow<'_> {
    pub(super) fn row(&self, owner: Option<CharacterId>, view: &SeatView<'_>) -> Row {
        let name = |owner: Option<CharacterId>| {
            if owner.is_some() {
                view.owner_name(owner)
            } else {
                self.without_owner
            }
        };
        Row::one_of(self.id, self.label, self.owners, owner, name).by_typing()
    }
}

/// Lists the owners that a form offers. The first option is no character.
pub(super) fn owner_choices(view: &SeatView<'_>) -> Vec<Option<CharacterId>> {
    let mut owners = vec![None];
    for character in view.roster() {
        owners.push(Some(character.id));
    }
    owners
}
