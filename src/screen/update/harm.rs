//! What happens to bodies and minds, by a key: damage, rest, first aid, being taken out.

use crate::rules::FirstAid;
use crate::screen::action::Action;
use crate::screen::dialog::{DialogAction, harm_form};
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
    ) -> DialogAction {
        let name = match action {
            Action::FirstAid if seen.system().spec().first_aid == FirstAid::EndsDying => DYING,
            Action::TakenOut => TAKEN_OUT,
            _ => {
                return match harm_form(action, who, seen) {
                    Ok(dialog) => self.open(dialog),
                    Err(why) => self.refuse(why),
                };
            }
        };
        let people = || who.iter().filter_map(|id| seen.character(*id));
        let has = |one: &Character| one.conditions.iter().any(|known| known.name == name);
        let ends = people().any(has);
        if !ends && name == DYING {
            return self.refuse("nobody here is dying; aid is for those who are");
        }
        let each = people().filter(|one| has(one) == ends).map(|one| {
            let mut conditions = one.conditions.clone();
            conditions.retain(|known| known.name != name);
            if !ends {
                conditions.push(Condition {
                    name: name.to_owned(),
                    ..Condition::default()
                });
            }
            Command::SetConditions {
                who: one.id,
                conditions,
            }
        });
        Command::together(each.collect()).into()
    }
}
