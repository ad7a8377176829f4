//! Playing on by other rules: those of a file that was changed while the game goes on.

use crate::error::{Result, refused};
use crate::{
    CommandError, EntityKind, Event, EventKind, Gains, Game, LONGEST_NOTE, PoolId, PoolKind,
    TokenPool,
};
use tableside_rules::{PoolOwner, System, rule_changes};
use tableside_text::sanitise;

impl Game {
    pub(super) fn decide_rules(&self, system: System) -> Result<Event> {
        if system == self.system {
            return Err(CommandError::Unchanged);
        }
        if let Some(waits) = self.unfinished.first() {
            let (who, check) = (&waits.roll.who, &waits.roll.check);
            return Err(refused(format!(
                "{check} of {who} waits under the old rules; answer it or give it up first"
            )));
        }
        let after = self.under(system)?;
        let how = rule_changes(self.system, system).join("; ");
        let how = sanitise(&how, LONGEST_NOTE).into_owned();
        let kind = EntityKind::Game;
        let name = "New rules".to_owned();
        Ok(self.event(EventKind::Edited { kind, name, how }, &after))
    }

    /// The same game under other rules. No value is lost: sheets keep aside what these do not know, and a pool that
    /// they do not know stays as it is.
    fn under(&self, system: System) -> Result<Self> {
        let mut after = self.clone();
        (after.system, after.house) = (system, self.house.under(system));
        let cast = after.prepared.iter_mut().flat_map(|scene| &mut scene.cast);
        for one in after.roster.iter_mut().chain(cast) {
            one.sheet = one.sheet.convert_to(system);
        }
        for pool in &mut after.pools {
            let PoolKind::Rule(id) = pool.kind else {
                continue;
            };
            let was = self.system.spec().pool(id);
            if let (Some(was), Some(is)) = (was, system.spec().pool(id)) {
                let [was, is] = [was, is].map(|spec| TokenPool::from_rules(spec, None));
                pool.follow(&was, &is);
            }
        }
        for spec in system.spec().pools {
            let kind = PoolKind::Rule(spec.id);
            let is_there = after.pools.iter().any(|pool| pool.kind == kind);
            if spec.purse == PoolOwner::Table && !is_there {
                let id = PoolId(after.take_id());
                let pool = TokenPool::from_rules(spec, None);
                after.pools.push(TokenPool { id, ..pool });
            }
        }
        let everybody: Vec<_> = after.roster.iter().map(|one| one.id).collect();
        for who in everybody {
            after.give_all(who)?;
        }
        after.calls.retain(|call| system.check(&call.check).is_ok());
        let prepared = after.prepared.iter_mut();
        let prepared = prepared.flat_map(|scene| &mut scene.clocks);
        for clock in after.clocks.iter_mut().chain(prepared) {
            let check = clock.check.take();
            clock.check = check.filter(|check| system.check(&check.check).is_ok());
        }
        Ok(after)
    }
}

impl TokenPool {
    /// Takes over what the rules say of it now, where the table did not decide otherwise. What it holds, it still
    /// may hold.
    fn follow(&mut self, was: &Self, is: &Self) {
        fn take<T: PartialEq + Clone>(own: &mut T, was: &T, is: &T) {
            if own == was {
                own.clone_from(is);
            }
        }
        take(&mut self.name, &was.name, &is.name);
        take(&mut self.floor, &was.floor, &is.floor);
        take(&mut self.cap, &was.cap, &is.cap);
        take(&mut self.start, &was.start, &is.start);
        take(&mut self.reset, &was.reset, &is.reset);
        let most = |gains: Option<Gains>| gains.map(|gains| gains.most);
        if most(self.gains) == most(was.gains) {
            let this_scene = self.gains.map_or(0, |gains| gains.this_scene);
            self.gains = is.gains.map(|gains| Gains {
                this_scene,
                ..gains
            });
        }
        self.floor = self.floor.min(self.tokens);
        self.cap = self.cap.map(|cap| cap.max(self.tokens));
    }
}
