//! Importing characters, clocks and pools as one act.

use crate::{
    Arrivals, ArrivingClock, ArrivingPool, Change, Clock, ClockId, CommandError, Entity, Event,
    EventKind, Game, Link, Result, TokenPool, refused,
};

/// The state of an import: the game with the entities imported so far, and the events that imported them.
struct Import {
    game: Game,
    kinds: Vec<EventKind>,
    changes: Vec<Change>,
}

impl Import {
    /// Applies the event of one entity. An entity that the game already has in this form needs no event.
    fn apply(&mut self, decided: Result<Event>) -> Result<()> {
        match decided {
            Ok(event) => {
                self.game.apply(&event);
                self.changes.extend(event.changes);
                self.kinds.push(event.what);
                Ok(())
            }
            Err(CommandError::Unchanged) => Ok(()),
            Err(refusal) => Err(refusal),
        }
    }

    fn add(&mut self, entity: Entity) -> Result<()> {
        let decided = self.game.decide_add(entity);
        self.apply(decided)
    }

    fn edit(&mut self, entity: &Entity) -> Result<()> {
        let decided = self.game.decide_edit(entity);
        self.apply(decided)
    }

    fn import_pool(&mut self, arriving: &ArrivingPool) -> Result<()> {
        let belongs_to = format!("the pool {} belongs to", arriving.pool.name);
        let owner = self
            .game
            .arriving_character(&belongs_to, arriving.owner.as_deref())?;
        let present = self.game.pool_like(owner, &arriving.pool);
        let id = present.map(|pool| pool.id);
        let pool = TokenPool {
            id: id.unwrap_or_default(),
            owner,
            ..arriving.pool.clone()
        };
        if id.is_some() {
            self.edit(&pool.into())
        } else {
            self.add(pool.into())
        }
    }

    fn import_clock(&mut self, arriving: &ArrivingClock) -> Result<()> {
        let clock = self.game.arriving_clock(arriving)?;
        if clock.id == ClockId::default() {
            self.add(clock.into())
        } else {
            self.edit(&clock.into())
        }
    }

    /// Links an imported clock to another clock, which may have been imported after it.
    fn import_link(&mut self, arriving: &ArrivingClock) -> Result<()> {
        let Some(link) = &arriving.link else {
            return Ok(());
        };
        let name = &arriving.clock.name;
        let belongs_to = format!("the clock {name} belongs to");
        let is_linked_to = format!("the clock {name} is linked to a clock of");
        let game = &self.game;
        let owner = game.arriving_character(&belongs_to, arriving.owner.as_deref())?;
        let target_owner = game.arriving_character(&is_linked_to, link.owner.as_deref())?;
        let Some(target) = game.clock_named(target_owner, &link.to) else {
            return Err(refused(format!(
                "the clock {name} is linked to {}, and this game has no clock of that name; import it as well",
                link.to
            )));
        };
        let Some(clock) = game.clock_named(owner, name) else {
            return Ok(());
        };

        let linked = Clock {
            link: Some(Link {
                to: target.id,
                effect: link.effect,
            }),
            ..clock.clone()
        };
        self.edit(&linked.into())
    }
}

impl Game {
    /// Imports characters, then pools, then clocks, then the links of the clocks.
    pub(super) fn decide_arrivals(&self, arrivals: &Arrivals) -> Result<Event> {
        let mut import = Import {
            game: self.clone(),
            kinds: Vec::new(),
            changes: Vec::new(),
        };
        for character in &arrivals.characters {
            import.add(character.clone().into())?;
        }
        for pool in &arrivals.pools {
            import.import_pool(pool)?;
        }
        for clock in &arrivals.clocks {
            import.import_clock(clock)?;
        }
        for clock in &arrivals.clocks {
            import.import_link(clock)?;
        }

        match self.summarise(import.kinds) {
            Some(kind) => Ok(Event::new(kind, import.changes)),
            None => Err(CommandError::Unchanged),
        }
    }
}
