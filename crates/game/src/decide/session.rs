//! The end of a session: the rules reset pools, and the next act begins a new session.

use crate::error::refused;
use crate::{CommandContext, EndedSession, Event, EventKind, Game, Reset, Result};

impl Game {
    pub(super) fn decide_end_session(&self, context: &CommandContext) -> Result<Event> {
        let session = self.session_number();
        if self.last_session().is_some() {
            let previous = session - 1;
            return Err(refused(format!(
                "session {previous} has ended already, and nothing has happened since"
            )));
        }

        let mut after = self.with_session_ended();
        let consequences = self.describe_endings(&after);
        after.sessions.push(EndedSession {
            ended: context.at,
            scene: self.scene().name.clone(),
            last_entry: context.number,
        });
        let act = EventKind::SessionEnded {
            session,
            then: consequences.join(", "),
        };
        Ok(self.event(act, &after))
    }

    fn with_session_ended(&self) -> Self {
        let mut after = self.clone();
        after.end_scene();

        // A house rule can keep penalty tokens for the next session (HFRPG, Bonuses & Penalties).
        let keeps_penalties = self.house.is("session-penalties", "stay");
        for pool in &mut after.pools {
            let is_kept_penalty = keeps_penalties && pool.tokens < 0;
            match pool.reset {
                Reset::Session if !is_kept_penalty => pool.tokens = pool.start,
                Reset::AtLeastStart => pool.tokens = pool.tokens.max(pool.start),
                _ => {}
            }
        }
        after
    }
}
