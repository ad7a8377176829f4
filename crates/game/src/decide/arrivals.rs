//! Takes in what comes from outside, as one act.

use crate::{
    Arrivals, Character, Clock, ClockId, CommandError, Entity, Event, EventKind, Game, Link,
    PoolId, Result, TokenPool, refused,
};
use tableside_dice::Dice;

/// The state while things arrive, and what was done so far.
struct Arriving<'a> {
    after: Game,
    done: Vec<EventKind>,
    changes: Vec<crate::Change>,
    dice: &'a mut dyn Dice,
}

impl Arriving<'_> {
    /// Takes over what came of one thing. That a thing is so already is no refusal.
    fn take(&mut self, decided: Result<Event>) -> Result<()> {
        match decided {
            Ok(event) => {
                self.after.apply(&event);
                self.changes.extend(event.changes);
                self.done.push(event.what);
                Ok(())
            }
            Err(CommandError::Unchanged) => Ok(()),
            Err(refusal) => Err(refusal),
        }
    }

    fn add(&mut self, entity: Entity) -> Result<()> {
        let decided = self.after.decide_add(entity, self.dice);
        self.take(decided)
    }

    fn edit(&mut self, entity: &Entity) -> Result<()> {
        let decided = self.after.decide_edit(entity);
        self.take(decided)
    }
}

impl Game {
    pub(super) fn decide_arrivals(
        &self,
        arrivals: &Arrivals,
        dice: &mut dyn Dice,
    ) -> Result<Event> {
        let mut arriving = Arriving {
            after: self.clone(),
            done: Vec::new(),
            changes: Vec::new(),
            dice,
        };

        for character in &arrivals.characters {
            arriving.add(Character::clone(character).into())?;
        }

        for one in &arrivals.pools {
            let thing = format!("the pool {}", one.pool.name);
            let owner = arriving
                .after
                .arriving_owner(&thing, one.owner.as_deref())?;
            let before = arriving.after.pool_like(owner, &one.pool);
            let pool = TokenPool {
                id: before.map_or_else(PoolId::default, |before| before.id),
                owner,
                ..one.pool.clone()
            };
            if before.is_some() {
                arriving.edit(&pool.into())?;
            } else {
                arriving.add(pool.into())?;
            }
        }

        for one in &arrivals.clocks {
            let clock = arriving.after.arriving_clock(one)?;
            if clock.id == ClockId::default() {
                arriving.add(clock.into())?;
            } else {
                arriving.edit(&clock.into())?;
            }
        }

        // Links last: the other clock may have come later.
        for one in &arrivals.clocks {
            let Some(link) = &one.link else {
                continue;
            };
            let name = &one.clock.name;
            let thing = format!("the clock {name}");
            let after = &arriving.after;
            let owner = after.arriving_owner(&thing, one.owner.as_deref())?;
            let other_owner = after.arriving_owner(&thing, link.owner.as_deref())?;
            let Some(other) = after.clock_named(other_owner, &link.to) else {
                return Err(refused(format!(
                    "{thing} is linked to {}, and there is no clock of that name; import it as well",
                    link.to
                )));
            };
            let Some(clock) = after.clock_named(owner, name) else {
                continue;
            };
            let linked = Clock {
                link: Some(Link {
                    to: other.id,
                    effect: link.effect,
                }),
                ..clock.clone()
            };
            arriving.edit(&linked.into())?;
        }

        let Arriving { done, changes, .. } = arriving;
        let what = self.summarise(done).ok_or(CommandError::Unchanged)?;
        Ok(Event::new(what, changes))
    }
}
