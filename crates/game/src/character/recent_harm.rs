//! Records the scenes in which characters took harm, because First Aid removes only recent harm (Gnosis, First Aid).

use super::Character;
use crate::Game;

/// The key of a scene's harm in [`Character::fresh`].
fn harm_key(scene: usize, stat: &str) -> String {
    format!("{scene} {stat}")
}

impl Game {
    /// Returns how much harm First Aid can remove: the harm of this scene and of the scene before, because First Aid is
    /// given after a scene.
    pub fn treatable(&self, character: &Character, stat: &str) -> i32 {
        let present_scene = self.scenes.len().saturating_sub(1);
        let previous_scene = present_scene.saturating_sub(1);
        (previous_scene..=present_scene)
            .filter_map(|scene| character.fresh.get(&harm_key(scene, stat)))
            .sum()
    }

    /// Updates the recent harm of a character after its sheet changed. New harm belongs to the present scene. Removed
    /// harm is subtracted from the newest scenes first.
    pub(crate) fn count_recent_harm(&mut self, before: &Character) {
        let scene = self.scenes.len().saturating_sub(1);
        let clocks = self.system.spec().clocks;
        let Some(character) = self.character_mut(before.id) else {
            return;
        };

        for clock in clocks {
            let stat = clock.overflow;
            let old = before.sheet.number(stat);
            let new = character.sheet.number(stat);
            if let (Some(old), Some(new)) = (old, new) {
                character.count_harm(stat, scene, new - old);
            }
        }
    }
}

impl Character {
    fn count_harm(&mut self, stat: &str, scene: usize, by: i32) {
        if by > 0 {
            *self.fresh.entry(harm_key(scene, stat)).or_default() += by;
        }

        let mut to_remove = (-by).max(0);
        for scene in (0..=scene).rev() {
            if to_remove == 0 {
                break;
            }
            if let Some(amount) = self.fresh.get_mut(&harm_key(scene, stat)) {
                let removed = to_remove.min(*amount);
                *amount -= removed;
                to_remove -= removed;
            }
        }
        self.fresh.retain(|_, amount| *amount > 0);
    }
}
