//! Harm that a scene brought: First Aid removes no more of it than that scene did (Gnosis, First Aid).

use super::{Change, Character, CharacterId, Fresh, Session};
use crate::rules::Value;

impl Character {
    /// How much harm of that kind the scene brought and nobody removed.
    pub(super) fn fresh_of(&self, stat: &str, scene: usize) -> i32 {
        let found = self
            .fresh
            .iter()
            .find(|fresh| fresh.stat == stat && fresh.scene == scene);
        found.map_or(0, |fresh| fresh.amount)
    }

    /// Notes how much of it there is.
    pub(super) fn record_fresh(&mut self, stat: &str, scene: usize, amount: i32) {
        self.fresh
            .retain(|fresh| fresh.stat != stat || fresh.scene != scene);
        if amount > 0 {
            // In one order, so that what was taken back is what was.
            let before = |fresh: &Fresh| (fresh.scene, fresh.stat.as_str()) < (scene, stat);
            let at = self.fresh.partition_point(before);
            let stat = stat.to_owned();
            self.fresh.insert(
                at,
                Fresh {
                    stat,
                    scene,
                    amount,
                },
            );
        }
    }
}

impl Session {
    /// How much harm of that kind First Aid may remove: what this scene brought, and the one before,
    /// for First Aid comes after the scene.
    pub fn treatable(&self, character: &Character, stat: &str) -> i32 {
        let now = self.scenes.len().saturating_sub(1);
        let scenes = now.saturating_sub(1)..=now;
        scenes.map(|scene| character.fresh_of(stat, scene)).sum()
    }

    /// What follows for First Aid from changes of stats: harm taken is of this scene, and harm that goes
    /// was the newest: what First Aid removed it cannot remove again.
    pub(super) fn freshened(&self, changes: &[Change]) -> Vec<Change> {
        let mut more = Vec::new();
        for change in changes {
            let Change::Stat {
                who,
                stat,
                from: Value::Number(from),
                to: Value::Number(to),
            } = change
            else {
                continue;
            };
            let mut clocks = self.system.spec().clocks.iter();
            if clocks.any(|clock| clock.overflow == stat) {
                more.extend(self.freshened_by(*who, stat, to - from));
            }
        }
        more
    }

    /// The same for one stat that grew or shrank by so much.
    pub(super) fn freshened_by(&self, who: CharacterId, stat: &str, by: i32) -> Vec<Change> {
        let Some(character) = self.character(who) else {
            return Vec::new();
        };
        let change = |scene, from, to| Change::Fresh {
            who,
            stat: stat.to_owned(),
            scene,
            from,
            to,
        };
        let now = self.scenes.len().saturating_sub(1);
        if by > 0 {
            let from = character.fresh_of(stat, now);
            return vec![change(now, from, from + by)];
        }
        let mut left = -by;
        let mut changes = Vec::new();
        let mut known = character.fresh.iter().filter(|fresh| fresh.stat == stat);
        while let Some(fresh) = known.next_back() {
            let gone = fresh.amount.min(left);
            left -= gone;
            if gone > 0 {
                changes.push(change(fresh.scene, fresh.amount, fresh.amount - gone));
            }
        }
        changes
    }
}
