//! What happens to bodies and minds, by a key: damage, rest, first aid, being taken out.

use super::Effect;
use crate::rules::System;
use crate::screen::action::Action;
use crate::screen::dialog::{Harm, HarmForm};
use crate::screen::state::ScreenState;
use crate::session::{Character, CharacterId, Command, Condition};
use crate::table::SeatView;

/// The condition of one who may be aided still (Friday Night Dungeon, Health, Healing, Wounds).
const DYING: &str = "dying";

/// The condition of one who is out of the scene (Gnosis, Consequences).
const TAKEN_OUT: &str = "taken out";

impl ScreenState {
    /// Opens what asks about harm; nothing where the action is another.
    pub(super) fn harm(
        &mut self,
        action: Action,
        chosen: &[CharacterId],
        seen: &SeatView<'_>,
    ) -> Option<Effect> {
        let what = match action {
            Action::Damage => Harm::Damage,
            Action::Rest => Harm::Rest,
            Action::FirstAid if seen.system() == System::FridayNightDungeon => {
                return Some(self.aid_the_dying(chosen, seen));
            }
            Action::FirstAid => Harm::Aid,
            Action::Unlock => Harm::Unlock,
            Action::TakenOut => return Some(self.take_out(chosen, seen)),
            _ => return None,
        };
        Some(match HarmForm::open(what, chosen.to_vec(), seen) {
            Ok(dialog) => self.open(dialog),
            Err(why) => self.refuse(why),
        })
    }

    /// Whoever is aided is dying no longer.
    fn aid_the_dying(&mut self, chosen: &[CharacterId], seen: &SeatView<'_>) -> Effect {
        let people = chosen.iter().filter_map(|id| seen.character(*id));
        let dying = people.filter(|one| has(one, DYING));
        let commands: Vec<Command> = dying.map(|one| without(one, DYING)).collect();
        if commands.is_empty() {
            return self.refuse("nobody here is dying; aid is for those who are");
        }
        Effect::Submit(Command::together(commands).into())
    }

    /// Out of the scene, or back in it, as the first of them says.
    fn take_out(&mut self, chosen: &[CharacterId], seen: &SeatView<'_>) -> Effect {
        let people: Vec<&Character> = chosen.iter().filter_map(|id| seen.character(*id)).collect();
        let Some(first) = people.first() else {
            return self.refuse("nobody is here yet");
        };
        let out = !has(first, TAKEN_OUT);
        let all = people.iter().map(|one| {
            if out {
                with(one, TAKEN_OUT)
            } else {
                without(one, TAKEN_OUT)
            }
        });
        Effect::Submit(Command::together(all.collect()).into())
    }
}

fn has(one: &Character, name: &str) -> bool {
    one.conditions.iter().any(|known| known.name == name)
}

fn with(one: &Character, name: &str) -> Command {
    let mut conditions = one.conditions.clone();
    if !has(one, name) {
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

fn without(one: &Character, name: &str) -> Command {
    let left = one.conditions.iter().filter(|known| known.name != name);
    Command::SetConditions {
        who: one.id,
        conditions: left.cloned().collect(),
    }
}
