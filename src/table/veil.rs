//! The session without what no player may see of things that players do see.

use crate::session::{Change, Clock, Event, Session, Visibility};

/// The same session as it is lent to whoever does not see everything: without private notes, without how
/// full a clock is of which players only know that it is there, and without links and checks that name
/// what is hidden.
pub(super) fn veiled(session: &Session) -> Session {
    let mut veiled = session.clone();
    for character in &mut veiled.roster {
        character.notes.clear();
    }
    veil_clocks(&mut veiled, session);
    veiled.prepared.clear();
    veiled
}

/// Brings a veiled session to where the session came with this event, if that takes less than to veil it
/// anew; nothing otherwise.
pub(super) fn renewed(mut veiled: Session, session: &Session, event: &Event) -> Option<Session> {
    for change in &event.changes {
        match change {
            Change::Filled { .. } => {}
            Change::Stat { who, .. } | Change::Conditions { who, .. } => {
                let found = veiled.roster.iter_mut().find(|one| one.id == *who)?;
                found.clone_from(session.character(*who)?);
                found.notes.clear();
            }
            _ => return None,
        }
    }
    veiled.clocks.clone_from(&session.clocks);
    veil_clocks(&mut veiled, session);
    veiled.round = session.round;
    (veiled.entries, veiled.rolls) = (session.entries, session.rolls);
    #[cfg(debug_assertions)]
    assert_eq!(veiled, self::veiled(session), "{event:?} lifts the veil");
    Some(veiled)
}

/// Leaves of the clocks what everybody may know.
fn veil_clocks(veiled: &mut Session, session: &Session) {
    let is_open = |clock: &Clock| {
        let owner = clock.owner.and_then(|id| session.character(id));
        clock.visibility == Visibility::Visible && owner.is_none_or(|owner| !owner.hidden)
    };
    let hidden = session.roster.iter().filter(|one| one.hidden);
    let hidden: Vec<String> = hidden.map(|one| one.name.to_lowercase()).collect();
    for clock in &mut veiled.clocks {
        if clock.visibility != Visibility::Visible {
            clock.filled = 0;
            clock.check = None;
            clock.link = None;
        }
        let link = clock
            .link
            .filter(|link| session.clock(link.to).is_some_and(is_open));
        clock.link = link;
        clock.check = clock.check.take().filter(|check| {
            let who = check.who.and_then(|id| session.character(id));
            let named = check.fields.iter().any(|(_, given)| {
                let given = given.to_lowercase();
                hidden.iter().any(|name| given.contains(name))
            });
            who.is_none_or(|who| !who.hidden) && !named
        });
    }
}
