//! Rebasing an edit onto a game that others changed while the edit was prepared.

use super::differences::compare;
use super::merge::{merge_list, shift_number};
use super::{Command, Entity, Game, Part};

impl Game {
    /// Rebases a command whose author saw an older state of the game. An edit then changes only the parts that differ
    /// from that state, so that changes of others stay.
    pub fn rebase(&self, seen: &Self, command: &Command) -> Command {
        match command {
            Command::Edit(edited) => Command::Edit(self.rebase_edit(seen, edited)),
            Command::All(commands) => {
                let rebased = commands.iter().map(|command| self.rebase(seen, command));
                Command::All(rebased.collect())
            }
            command => command.clone(),
        }
    }

    /// Returns the present entity with the changes that an edit made to the entity as it was seen.
    fn rebase_edit(&self, seen: &Self, edited: &Entity) -> Entity {
        let mut stored = self.stored(edited.entity);
        let stored_when_seen = seen.stored(edited.entity);
        if stored.is_null() {
            return edited.clone();
        }

        let mut edits = Vec::new();
        if !stored_when_seen.is_null() {
            compare(edited.entity, &stored_when_seen, &edited.stored, &mut edits);
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

        Entity {
            entity: edited.entity,
            stored,
        }
    }
}
