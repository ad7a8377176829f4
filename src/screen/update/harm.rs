//! What happens to bodies and minds, by a key: damage, rest, first aid, being taken out.

use super::Effect;
use crate::rules::FirstAid;
use crate::screen::action::Action;
use crate::screen::dialog::harm_form;
use crate::screen::state::ScreenState;
use crate::session::{Character, CharacterId, Command, Condition};
use crate::table::SeatView;

/// The condition of one who may be aided still (Friday Night Dungeon, Health, Healing, Wounds).
const DYING: &str = "dying";

/// The condition of one who is out of the scene (Gnosis, Consequences).
const TAKEN_OUT: &str = "taken out";

impl ScreenState {
    /// Opens what asks about harm, or ends or begins the condition that it is.
    pub(super) fn harm(
        &mut self,
        action: Action,
        who: Vec<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Effect {
        let people = who.iter().filter_map(|id| seen.character(*id));
        let commands: Vec<Command> = match action {
            Action::FirstAid if seen.system().spec().first_aid == FirstAid::EndsDying => {
                let dying = people.filter(|one| has(one, DYING));
                dying.map(|one| with(one, DYING, false)).collect()
            }
            Action::TakenOut => {
                let out = !people.clone().next().is_some_and(|one| has(one, TAKEN_OUT));
                people.map(|one| with(one, TAKEN_OUT, out)).collect()
            }
            _ => {
                return match harm_form(action, who, seen) {
                    Ok(dialog) => self.open(dialog),
                    Err(why) => self.refuse(why),
                };
            }
        };
        if commands.is_empty() {
            return self.refuse("nobody here is dying; aid is for those who are");
        }
        Effect::Submit(Command::together(commands).into())
    }
}

fn has(one: &Character, name: &str) -> bool {
    one.conditions.iter().any(|known| known.name == name)
}

/// With that condition, or without it.
fn with(one: &Character, name: &str, on: bool) -> Command {
    let mut conditions = one.conditions.clone();
    if !on {
        conditions.retain(|known| known.name != name);
    } else if !has(one, name) {
        conditions.push(Condition {
            name: name.to_owned(),
            ..Condition::default()
        });
    }
    Command::SetConditions {
        who: one.id,
        conditions,
    }
}
