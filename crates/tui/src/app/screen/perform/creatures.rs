//! Templates of creatures that are saved from the screen.

use crate::Screen;
use tableside_rules::Creature;

impl Screen {
    /// Writes a template into the user's own file for the system.
    pub(super) fn save_creature(&mut self, creature: &Creature) {
        let system = self.read_view(|view| view.system());
        let result = match &self.setup.memory {
            Some(memory) => memory.save_creature(system, creature),
            None => Err("templates are saved only on the screen of the host".to_owned()),
        };
        self.table.reload_creatures();

        let name = &creature.name;
        let message =
            format!("Saved the template {name}; type 4 {name} in a new character for four.");
        self.finish(result.map(|()| message));
    }
}
