//! Actions on the game that need no target: rolls, rounds, undo, notes, scenes and house rules.

use crate::Action;
use crate::app::list::ListId;
use crate::app::roll_requests::{self, Waiting};
use crate::app::state::{Naming, ScreenState};
use crate::dialog::{
    Dialog, DialogAction, ExplainDialog, OpenedFrom, RollDialog, ask_default_no, dice_form,
    game_name_form, handout_form, house_rules_form, lines_and_veils_form, note_form, purse_form,
    scene_form, sheet_question_form, turn_order_form,
};
use tableside_commands::CommandId;
use tableside_game::Command;
use tableside_table::SeatView;
use tableside_text::capitalise;

impl ScreenState {
    /// Performs an action that needs no target. Returns `None` for other actions.
    pub(super) fn act_on_game(
        &mut self,
        action: Action,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let result = match action {
            Action::EndSession => self.end_session(view),
            Action::Undo => self.run_command(CommandId::Undo, view),
            Action::Redo => self.run_command(CommandId::Redo, view),
            Action::NextRound => self.begin_round(view),
            Action::TurnOrder => self.open_turn_order(view),
            Action::EndTurn => self.end_turn(view),
            Action::EndFight => self.end_fight(view),
            Action::Notes => DialogAction::ShowNotes,
            Action::Note => self.open(note_form(None, self.pin_under_cursor(), view)),
            Action::Handout => self.open(handout_form("", self.pin_under_cursor(), view)),
            Action::LinesAndVeils => self.open(lines_and_veils_form(view)),
            Action::HouseRules => self.open(house_rules_form(view)),
            Action::NextScene => self.open(scene_form(view)),
            Action::NameGame => self.open_game_name(view),
            Action::Roll => self.open_roll(view),
            Action::Dice => self.open(dice_form(view)),
            Action::Resume => self.resume_roll(view),
            Action::CallRoll => self.call_for_roll(view),
            Action::Purse => {
                let form = purse_form(self.roller(view), view);
                self.open_or(form, "there is no pool of tokens here")
            }
            _ => return None,
        };
        Some(result)
    }

    /// Runs a command without a target.
    pub(super) fn run_command(&mut self, command: CommandId, view: &SeatView<'_>) -> DialogAction {
        self.submit_or_show(command.act_on(Vec::new(), view))
    }

    /// Opens the roll dialog, for the clock under the cursor if a roll fills that clock.
    fn open_roll(&mut self, view: &SeatView<'_>) -> DialogAction {
        let roller = self.roller(view);
        let selected = self.list(self.active_panel()).id();
        let clock = selected.and_then(ListId::try_as_clock);

        let for_clock = clock.and_then(|clock| RollDialog::for_clock(clock, roller, view));
        match for_clock {
            Some(dialog) => self.open(dialog),
            None => self.open(RollDialog::open(roller, view)),
        }
    }

    /// Opens the oldest pending roll, or else the next call for a roll, or else the first question or damage that waits
    /// for the GM.
    fn resume_roll(&mut self, view: &SeatView<'_>) -> DialogAction {
        let pending = roll_requests::to_resume(view).next();
        let dialog = pending
            .and_then(|pending| RollDialog::resume(pending.id, view))
            .or_else(|| self.next_call(view))
            .or_else(|| open_waiting(view));
        self.open_or(
            dialog,
            "nothing waits, and no character is called on to roll",
        )
    }

    /// Ends the session. Asks first if a fight goes on, or if something waits for an answer.
    fn end_session(&mut self, view: &SeatView<'_>) -> DialogAction {
        let mut reasons = Vec::new();
        if view.has_turn_order() {
            reasons.push(format!("the fight is in round {}", view.round));
        }
        reasons.extend(roll_requests::describe_pending(view));
        reasons.extend(roll_requests::describe_waiting(
            &roll_requests::waiting_for_gm(view),
        ));
        if reasons.is_empty() || !view.seat().sees_all() {
            return Command::EndSession.into();
        }

        let reasons = capitalise(&reasons.join("; "));
        let question = format!("{reasons}. End the session all the same?");
        self.open(ask_default_no(question, Command::EndSession.into()))
    }

    fn open_game_name(&mut self, view: &SeatView<'_>) -> DialogAction {
        let name = match self.label.naming {
            Naming::Named => self.label.name.clone(),
            Naming::Unsaved | Naming::MadeUp(_) => String::new(),
        };
        self.open(game_name_form(&name, view))
    }
}

/// Opens what waits first for the GM.
fn open_waiting(view: &SeatView<'_>) -> Option<Dialog> {
    let (waiting, _) = roll_requests::waiting_for_gm(view).into_iter().next()?;
    match waiting {
        Waiting::Question(id) => sheet_question_form(id, view),
        Waiting::Effects(entry) => Some(ExplainDialog::open(
            entry,
            OpenedFrom::Roll { by_hand: false },
            view,
        )),
        Waiting::Initiative => Some(turn_order_form(view)),
    }
}
