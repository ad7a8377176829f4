//! Harm that a scene brought: First Aid removes no more of it than that scene did (Gnosis, First Aid).

use super::{Character, Session};

/// Under what name the harm of a scene stands in [`Character::fresh`].
fn key(scene: usize, stat: &str) -> String {
    format!("{scene} {stat}")
}

impl Session {
    /// How much harm of that kind First Aid may remove: what this scene brought, and the one before,
    /// for First Aid comes after the scene.
    pub fn treatable(&self, character: &Character, stat: &str) -> i32 {
        let now = self.scenes.len().saturating_sub(1);
        let scenes = now.saturating_sub(1)..=now;
        let harm = scenes.filter_map(|scene| character.fresh.get(&key(scene, stat)));
        harm.sum()
    }

    /// Counts what became of a character's harm since: harm taken is of this scene, and harm that goes was the
    /// newest, for what First Aid removed it cannot remove again.
    pub(super) fn count_recent_harm(&mut self, before: &Character) {
        let scene = self.scenes.len().saturating_sub(1);
        let clocks = self.system.spec().clocks;
        let Some(character) = self.character_mut(before.id) else {
            return;
        };
        for stat in clocks.iter().map(|clock| clock.overflow) {
            let both = (before.sheet.number(stat), character.sheet.number(stat));
            if let (Some(before), Some(now)) = both {
                character.count_harm(stat, scene, now - before);
            }
        }
    }
}

impl Character {
    fn count_harm(&mut self, stat: &str, scene: usize, by: i32) {
        if by > 0 {
            *self.fresh.entry(key(scene, stat)).or_default() += by;
        }
        let mut left = (-by).max(0);
        for scene in (0..=scene).rev() {
            if left == 0 {
                break;
            }
            if let Some(amount) = self.fresh.get_mut(&key(scene, stat)) {
                let gone = left.min(*amount);
                *amount -= gone;
                left -= gone;
            }
        }
        self.fresh.retain(|_, amount| *amount > 0);
    }
}
