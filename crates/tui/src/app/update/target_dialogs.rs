//! Dialogs about one target, or about all marked targets.

use crate::Action;
use crate::app::state::ScreenState;
use crate::app::update::targets::characters_of;
use crate::dialog::{
    Dialog, DialogAction, ForecastDialog, RollDialog, amount_form, award_form, character_form,
    clock_check_form, clock_form, conditions_form, duplicate_form, health_form, link_form,
    pool_form, transfer_form,
};
use tableside_commands::{Target, with_conditions};
use tableside_game::{Character, CharacterId, ClockId, Command, Condition, DYING, PoolId};
use tableside_rules::FirstAid;
use tableside_table::SeatView;
use tableside_text::is_same_name;

/// The condition of a character who has left the scene (Gnosis, "Consequences").
const TAKEN_OUT: &str = "taken out";

impl ScreenState {
    /// Opens the dialog of an action for the selected target or for all targets. Returns `None` if the action has no
    /// dialog.
    pub(super) fn open_for_target(
        &mut self,
        action: Action,
        selected: &Target,
        targets: &[Target],
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        if let Some(result) = self.open_for_all(action, targets, view) {
            return Some(result);
        }
        match *selected {
            Target::Character(id) => self.open_for_character(action, id, view),
            Target::Clock(id) => self.open_for_clock(action, id, view),
            Target::Pool(id) => self.open_for_pool(action, id, view),
            Target::PreparedScene(_) | Target::Stat(_) | Target::Table => None,
        }
    }

    /// Opens the dialog of an action that changes all targets, or performs the action if it needs no dialog.
    fn open_for_all(
        &mut self,
        action: Action,
        targets: &[Target],
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        match action {
            Action::DuplicateMany => Some(self.open(duplicate_form(targets, view))),
            Action::Damage | Action::Rest | Action::Unlock => {
                let form = health_form(action, character_ids(targets, view), view);
                Some(self.open_or_show(form))
            }
            Action::FirstAid => Some(self.give_first_aid(targets, view)),
            Action::TakenOut => Some(toggle_condition(TAKEN_OUT, targets, view).into()),
            Action::Conditions => {
                let form = conditions_form(character_ids(targets, view), view);
                Some(self.open(form))
            }
            Action::Amount => {
                let pools = targets.iter().filter_map(|target| target.try_as_pool());
                Some(self.open(amount_form(pools.collect(), view)))
            }
            _ => None,
        }
    }

    fn open_for_character(
        &mut self,
        action: Action,
        id: CharacterId,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        match action {
            Action::Roll => Some(self.open(RollDialog::open(Some(id), view))),
            Action::Open => {
                let character = view.character(id)?;
                if character.health.is_some() {
                    Some(self.refuse(describe_closed_sheet(character, view)))
                } else {
                    Some(self.open(character_form(Some(id), view)))
                }
            }
            Action::SaveTemplate => {
                let creature = view.game().creature_of(id)?;
                Some(DialogAction::SaveCreature(Box::new(creature)))
            }
            Action::Award => {
                if view.pools().next().is_none() {
                    return Some(self.refuse("there is no pool of tokens here"));
                }
                let pool = view.game().award_pool(id);
                Some(self.open(award_form(pool, Some(id), view)))
            }
            _ => None,
        }
    }

    fn open_for_clock(
        &mut self,
        action: Action,
        id: ClockId,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        match action {
            Action::Open => Some(self.open(clock_form(Some(id), view))),
            Action::Link => {
                let form = link_form(id, view);
                Some(self.open_or(form, "there is no other clock to link"))
            }
            Action::Forecast => {
                view.clock(id)?;
                let dialog = forecast_dialog(id, view);
                Some(self.open_or(dialog, "players do not see its progress"))
            }
            _ => None,
        }
    }

    fn open_for_pool(
        &mut self,
        action: Action,
        id: PoolId,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let dialog = match action {
            Action::Open => pool_form(Some(id), view),
            Action::MoveTokens => transfer_form(id, view),
            Action::Award => award_form(Some(id), None, view),
            _ => return None,
        };
        Some(self.open(dialog))
    }

    /// Opens the form for first aid. In systems where first aid ends the condition "dying", ends that condition
    /// instead.
    fn give_first_aid(&mut self, targets: &[Target], view: &SeatView<'_>) -> DialogAction {
        if view.system().spec().first_aid != FirstAid::EndsDying {
            let form = health_form(Action::FirstAid, character_ids(targets, view), view);
            return self.open_or_show(form);
        }

        let characters = characters_of(targets, view);
        let is_any_dying = characters.iter().any(|character| character.suffers(DYING));
        if is_any_dying {
            toggle_condition(DYING, targets, view).into()
        } else {
            self.refuse("no character is dying")
        }
    }
}

fn character_ids(targets: &[Target], view: &SeatView<'_>) -> Vec<CharacterId> {
    characters_of(targets, view)
        .iter()
        .map(|character| character.id)
        .collect()
}

/// Describes the health and the conditions of a character whose sheet the seat may not read.
fn describe_closed_sheet(character: &Character, view: &SeatView<'_>) -> String {
    let mut state: Vec<String> = character
        .health
        .into_iter()
        .map(str::to_owned)
        .chain(
            view.conditions_by_severity(character)
                .into_iter()
                .map(ToString::to_string),
        )
        .collect();
    state.retain(|word| !word.is_empty());

    let name = &character.name;
    let gm = view.system().spec().gm;
    if state.is_empty() {
        format!("{name}: only the {gm} sees the sheet")
    } else {
        let state = state.join(", ");
        format!("{name}: {state}. Only the {gm} sees the sheet")
    }
}

/// Returns the dialog with the forecast of a clock. If the clock has no roll yet, the GM gets the form that adds a
/// roll. Returns `None` if the seat cannot see the progress of the clock.
fn forecast_dialog(id: ClockId, view: &SeatView<'_>) -> Option<Dialog> {
    let clock = view.clock(id)?.clock;
    let is_own_clock = clock.rule.is_none();
    let can_get_roll = view.seat().sees_all() && is_own_clock && !clock.is_full();
    match view.forecast(id) {
        Some(Err(reason)) if can_get_roll => Some(clock_check_form(id, &reason.to_string(), view)),
        _ => ForecastDialog::open(id, view),
    }
}

/// Ends a condition of all characters with it. If no character has the condition, all characters get it.
fn toggle_condition(name: &str, targets: &[Target], view: &SeatView<'_>) -> Command {
    let characters = characters_of(targets, view);
    let ends = characters.iter().any(|character| character.suffers(name));

    let mut commands = Vec::new();
    for character in characters {
        if character.suffers(name) != ends {
            continue;
        }
        commands.push(with_conditions(character, |conditions| {
            conditions.retain(|condition| !is_same_name(&condition.name, name));
            if !ends {
                conditions.push(Condition::new(name, None, None));
            }
        }));
    }
    Command::together(commands)
}
