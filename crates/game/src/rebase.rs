//! Rebasing an edit onto a game that others changed while the edit was prepared.

use super::differences::compare;
use super::merge::{merge_list, shift_number};
use super::{Command, Entity, Game, Part, Result, refused};

impl Game {
    /// Rebases a command whose author saw an older state of the game. An edit then changes only the parts that differ
    /// from that state, so that the changes of other seats stay.
    ///
    /// # Errors
    ///
    /// If the edit and a change of another seat do not fit together, for example two dice of a sheet.
    pub fn rebase(&self, seen: &Self, command: &Command) -> Result<Command> {
        Ok(match command {
            Command::Edit(edited) => Command::Edit(self.rebase_edit(seen, edited)?),
            Command::All(commands) => {
                let mut rebased = Vec::new();
                for command in commands {
                    rebased.push(self.rebase(seen, command)?);
                }
                Command::All(rebased)
            }
            command => command.clone(),
        })
    }

    /// Returns the present entity with the changes that an edit made to the seen entity.
    fn rebase_edit(&self, seen: &Self, edited: &Entity) -> Result<Entity> {
        let entity = edited.entity_ref();
        let mut stored = self.stored(entity);
        let stored_when_seen = seen.stored(entity);
        if stored.is_null() {
            return Ok(edited.clone());
        }

        let mut edits = Vec::new();
        if !stored_when_seen.is_null() {
            compare(entity, &stored_when_seen, &edited.to_stored(), &mut edits);
        }

        for edit in edits {
            let now = edit.part.value_in(&stored);
            let rebased = match &edit.part {
                Part::Filled | Part::Tokens => {
                    shift_number(&edit.part, &now, &edit.from, &edit.to).unwrap_or(edit.to)
                }
                Part::Thresholds => merge_list(&now, &edit.from, &edit.to),
                _ => edit.to,
            };
            edit.part.set_in(&mut stored, rebased);
        }

        edited
            .read_same_kind(&stored)
            .map_err(|error| refused(error.to_string()))
    }
}
