//! Deciding to continue a game under other rules, after the file of its system was changed.

use crate::error::{Result, refused};
use crate::summary::describe_check;
use crate::{
    CharacterId, Clock, CommandError, EntityKind, Event, EventKind, Gains, Game, LONGEST_NOTE,
    PoolId, PoolKind, TokenPool,
};
use tableside_rules::{PoolOwner, System, rule_changes};
use tableside_text::sanitise;

impl Game {
    pub(super) fn decide_rules(&self, system: System) -> Result<Event> {
        if system == self.system {
            return Err(CommandError::Unchanged);
        }
        if let Some(waiting) = self.unfinished.first() {
            let check = describe_check(&waiting.roll, self.system);
            return Err(refused(format!(
                "the roll {check} still waits under the old rules; answer or cancel the roll first"
            )));
        }

        let after = self.with_rules(system)?;
        let description = rule_changes(self.system, system).join("; ");
        let act = EventKind::Edited {
            kind: EntityKind::Game,
            name: "New rules".to_owned(),
            how: sanitise(&description, LONGEST_NOTE).into_owned(),
        };
        Ok(self.event(act, &after))
    }

    /// Returns the game under other rules. No value is lost: sheets keep values that the new rules do not have, and so do
    /// pools.
    fn with_rules(&self, system: System) -> Result<Self> {
        let mut after = self.clone();
        after.system = system;
        after.house = self.house.under(system);

        let prepared_cast = after.prepared.iter_mut().flat_map(|scene| &mut scene.cast);
        for character in after.roster.iter_mut().chain(prepared_cast) {
            character.sheet = character.sheet.convert_to(system);
        }

        for pool in &mut after.pools {
            pool.adopt_rules(self.system, system);
        }
        after.add_missing_table_pools();
        let characters: Vec<CharacterId> =
            after.roster.iter().map(|character| character.id).collect();
        for id in characters {
            after.give_possessions(id)?;
        }

        after.calls.retain(|call| system.check(&call.check).is_ok());
        let prepared_clocks = after
            .prepared
            .iter_mut()
            .flat_map(|scene| &mut scene.clocks);
        for clock in after.clocks.iter_mut().chain(prepared_clocks) {
            remove_unknown_check(clock, system);
        }
        Ok(after)
    }

    fn add_missing_table_pools(&mut self) {
        for spec in self.system.spec().pools {
            let kind = PoolKind::Rule(spec.id);
            let mut pools = self.pools.iter();
            let exists = pools.any(|pool| pool.kind == kind);
            if spec.purse == PoolOwner::Table && !exists {
                let id = PoolId(self.take_id());
                self.pools.push(TokenPool {
                    id,
                    ..TokenPool::from_rules(spec, None)
                });
            }
        }
    }
}

/// Removes the check of a clock if the system has no such check.
fn remove_unknown_check(clock: &mut Clock, system: System) {
    clock.check = clock
        .check
        .take()
        .filter(|attached| system.check(&attached.check).is_ok());
}

impl TokenPool {
    /// Adopts the settings of the new rules, except for those that the table changed.
    ///
    /// The pool keeps its tokens, even if the new bounds are narrower.
    fn adopt_rules(&mut self, old_system: System, new_system: System) {
        let PoolKind::Rule(id) = self.kind else {
            return;
        };
        let Some(old_spec) = old_system.spec().pool(id) else {
            return;
        };
        let Some(new_spec) = new_system.spec().pool(id) else {
            return;
        };
        let old = Self::from_rules(old_spec, None);
        let new = Self::from_rules(new_spec, None);

        adopt(&mut self.name, &old.name, new.name);
        adopt(&mut self.floor, &old.floor, new.floor);
        adopt(&mut self.cap, &old.cap, new.cap);
        adopt(&mut self.start, &old.start, new.start);
        adopt(&mut self.reset, &old.reset, new.reset);
        if gain_limit(self.gains) == gain_limit(old.gains) {
            let this_scene = self.gains.map_or(0, |gains| gains.this_scene);
            self.gains = new.gains.map(|gains| Gains {
                this_scene,
                ..gains
            });
        }

        self.floor = self.floor.min(self.tokens);
        if let Some(cap) = &mut self.cap {
            *cap = self.tokens.max(*cap);
        }
    }
}

/// Replaces a setting by that of the new rules, unless the table changed it.
fn adopt<T: PartialEq>(setting: &mut T, old: &T, new: T) {
    if setting == old {
        *setting = new;
    }
}

fn gain_limit(gains: Option<Gains>) -> Option<i32> {
    gains.map(|gains| gains.most)
}
