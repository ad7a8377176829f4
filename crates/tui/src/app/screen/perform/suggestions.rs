//! Suggestions of players, and the GM's answers to them.

use super::describe_problem;
use crate::Screen;
use crate::dialog::{DialogAction, ask_default_yes};
use tableside_game::CommandError;
use tableside_table::{Act, Problem};

impl Screen {
    /// True if the seat may suggest an act that the table refused.
    pub(super) fn may_suggest(&mut self, problem: &Problem) -> bool {
        let is_permission_missing =
            matches!(problem, Problem::Refused(CommandError::NotAllowed(_)));
        let allowed = self.read_view(|view| view.allowed());
        is_permission_missing && self.setup.seat.may_suggest(allowed)
    }

    /// Asks the player whether to suggest the act to the GM.
    pub(super) fn ask_to_suggest(&mut self, act: Act) {
        let wording = match self.table.wording(&self.setup.seat, &act) {
            Ok(words) => format!(": {words}"),
            Err(_) => String::new(),
        };
        let gm = self.gm();
        let question = format!("Suggest this to the {gm}{wording}?");
        let dialog = ask_default_yes(question, DialogAction::Suggest(act));
        self.state.notice = None;
        self.state.open(dialog);
    }

    /// Suggests the act to the GM.
    pub(super) fn suggest(&mut self, act: &Act) {
        let result = match self.table.suggest(&self.setup.seat, act) {
            Ok(()) => Ok(format!("suggested; waiting for the {}", self.gm())),
            Err(problem) => Err(describe_problem(&problem)),
        };
        self.finish(result);
    }

    /// Accepts or declines the oldest suggestion.
    pub(super) fn answer_suggestion(&mut self, is_accepted: bool) {
        let result = self.try_answer_suggestion(is_accepted);
        self.finish(result);
    }

    /// Accepts or declines the oldest suggestion. Returns the message to show.
    fn try_answer_suggestion(&mut self, is_accepted: bool) -> Result<String, String> {
        let oldest = self.read_view(|view| view.suggestions().first().cloned());
        let suggestion = oldest.ok_or("no suggestions")?;

        let seat = &self.setup.seat;
        let player = &suggestion.by;
        if is_accepted {
            match self.table.accept(seat, suggestion.id) {
                Ok(effect) => Ok(format!("accepted {player}'s suggestion: {effect}")),
                Err(problem) => Err(describe_problem(&problem)),
            }
        } else {
            let text = &suggestion.words;
            match self.table.decline(seat, suggestion.id) {
                Ok(_) => Ok(format!("declined {player}'s suggestion: {text}")),
                Err(problem) => Err(describe_problem(&problem)),
            }
        }
    }

    /// Shows the GM's answer to a suggestion of this seat.
    pub(crate) fn notice_answer(&mut self) {
        let last_known = self.answered;
        let answer = self.read_view(|view| {
            let (number, message) = view.answer_since(last_known)?;
            Some((number, message.to_owned()))
        });
        if let Some((number, message)) = answer {
            self.answered = number;
            self.state.inform(message);
        }
    }
}
