//! The entry under the cursor: its text for the clipboard, and the character that it belongs to.

use crate::app::list::ListId;
use crate::app::state::{Panel, ScreenState};
use tableside_game::{CharacterId, Pin};
use tableside_table::{SeatView, clock_line};

impl ScreenState {
    /// The entry under the cursor of the active list.
    fn id_under_cursor(&self) -> Option<ListId> {
        match self.active_panel() {
            Panel::Rolls => self.entry().map(ListId::Roll),
            panel => self.list(panel).id(),
        }
    }

    /// The text to copy: the text of the topmost dialog, or else a description of the entry under the cursor.
    pub(super) fn text_under_cursor(&self, view: &SeatView<'_>) -> Option<String> {
        if let Some(dialog) = self.layers.last() {
            return dialog.form.copyable_text.clone();
        }

        match self.id_under_cursor()? {
            ListId::Roll(number) => {
                let entry = view.entry(number)?;
                Some(entry.event.text(view.system()))
            }
            ListId::Clock(id) => Some(clock_line(&view.clock(id)?)),
            ListId::Pool(id) => {
                let pool = view.pool(id)?;
                let owner = view.owner_name(pool.owner);
                Some(format!("{owner}: {} {}", pool.name, pool.tokens))
            }
            ListId::Character(id) => Some(view.character(id)?.name.clone()),
        }
    }

    /// The character or the clock under the cursor, to which a new note can be pinned.
    pub(super) fn pin_under_cursor(&self) -> Option<Pin> {
        match self.list(self.active_panel()).id()? {
            ListId::Character(id) => Some(Pin::Character(id)),
            ListId::Clock(id) => Some(Pin::Clock(id)),
            ListId::Pool(_) | ListId::Roll(_) => None,
        }
    }

    /// The character that rolls: the owner of the entry under the cursor, or else the character under the party's
    /// cursor, or else the first present character. The seat may roll for this character.
    pub(super) fn roller(&self, view: &SeatView<'_>) -> Option<CharacterId> {
        let under_cursors = [self.owner_under_cursor(view), self.character_in_party()];
        for character in under_cursors.into_iter().flatten() {
            if may_roll_for(character, view) {
                return Some(character);
            }
        }

        let first_present = view
            .roster()
            .find(|character| character.is_here() && may_roll_for(character.id, view))?;
        Some(first_present.id)
    }

    /// The owner of the entry under the cursor.
    fn owner_under_cursor(&self, view: &SeatView<'_>) -> Option<CharacterId> {
        match self.id_under_cursor()? {
            ListId::Character(id) => Some(id),
            ListId::Clock(id) => view.clock(id)?.clock.owner,
            ListId::Pool(id) => view.game().pool(id)?.owner,
            ListId::Roll(number) => view.entry(number)?.roll()?.id,
        }
    }

    /// The character under the party's cursor, even if another list is active.
    pub(super) fn character_in_party(&self) -> Option<CharacterId> {
        self.list(Panel::Party).id()?.try_as_character()
    }
}

/// True for a character whose sheet the seat can read, and which belongs to the player if the seat is a player's.
fn may_roll_for(id: CharacterId, view: &SeatView<'_>) -> bool {
    let Some(character) = view.character(id) else {
        return false;
    };
    let can_read_sheet = character.health.is_none();
    let own_characters = &view.seat().characters;
    let is_own = own_characters.is_empty() || own_characters.contains(&id);
    can_read_sheet && is_own
}
