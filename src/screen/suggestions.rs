//! What a screen has to do with the others at the table: suggestions, invitations, seats.

use super::{Screen, words};
use crate::screen::dialog::{ConfirmDialog, DialogAction, DoorAct, InvitedDialog, SeatsDialog};
use crate::screen::state::{Mode, Notice};
use crate::session::CommandError;
use crate::table::{Act, Problem, Role};

impl Screen {
    /// Whether something that was refused can be put before the GM instead.
    fn may_suggest(&mut self, problem: &Problem) -> bool {
        let is_not_theirs = matches!(problem, Problem::Refused(CommandError::NotAllowed(_)));
        is_not_theirs
            && match self.setup.seat.role {
                Role::Gm => false,
                Role::Player => true,
                Role::Watcher => self.look(|_, seen| seen.allowed().watchers_suggest),
            }
    }

    /// Says why something was refused; or asks whether it is to be suggested, where it can be.
    pub(super) fn refused(&mut self, act: &Act, problem: &Problem) -> bool {
        if !self.may_suggest(problem) {
            return false;
        }
        let gm = self.look(|_, seen| seen.system().spec().gm);
        let question = format!("Not yours to change. Suggest it to the {gm}?");
        let dialog = ConfirmDialog::new(question, DialogAction::Suggest(act.clone()));
        self.state.mode = Mode::Dialog(dialog.into());
        true
    }

    /// Puts something before the GM.
    pub(super) fn suggest(&mut self, act: &Act) {
        let suggested = self.table.suggest(&self.setup.seat, act);
        self.take_in();
        self.state.mode = Mode::Browse;
        let gm = self.look(|_, seen| seen.system().spec().gm);
        self.state.notice = Some(match suggested {
            Ok(()) => Notice::plain(format!("suggested; the {gm} decides")),
            Err(problem) => Notice::warning(words(&problem)),
        });
    }

    /// Answers the suggestion that waits longest.
    pub(super) fn answer(&mut self, yes: bool) {
        let first = self.look(|_, seen| seen.suggestions().first().cloned());
        let Some(suggestion) = first else {
            self.state.notice = Some(Notice::warning("nobody suggests anything"));
            return;
        };
        let seat = &self.setup.seat;
        let (by, what) = (&suggestion.by, &suggestion.words);
        let answered = if yes {
            let done = self.table.accept(seat, suggestion.id);
            done.map(|_| format!("done, for {by}: {what}"))
        } else {
            let declined = self.table.decline(seat, suggestion.id);
            declined.map(|_| format!("declined, to {by}: {what}"))
        };
        self.take_in();
        self.watch_saving();
        self.state.notice = Some(match answered {
            Ok(told) => Notice::plain(told),
            Err(problem) => Notice::warning(words(&problem)),
        });
    }

    /// Has the door do something.
    pub(super) fn ask_door(&mut self, act: &DoorAct) {
        let asked = self.table.gatekeeper(&self.setup.seat);
        let done = asked.and_then(|door| match act {
            DoorAct::Invite { name, role } => door.invite(name, *role).map(Some),
            DoorAct::Revoke(seat) => door.revoke(*seat).map(|()| None),
            DoorAct::Dismiss(seat) => door.dismiss(*seat).map(|()| None),
        });
        self.take_in();
        let role = match act {
            DoorAct::Invite { role, .. } => *role,
            DoorAct::Revoke(_) | DoorAct::Dismiss(_) => Role::Player,
        };
        self.look(|state, seen| {
            let Mode::Dialog(dialog) = &mut state.mode else {
                return;
            };
            match done {
                Ok(Some(invited)) => *dialog = InvitedDialog::open(invited, role).into(),
                Ok(None) => *dialog = SeatsDialog::new(seen).into(),
                Err(problem) => dialog.on_result(Err(&problem), seen),
            }
        });
    }

    /// Tells what the GM answered to a suggestion of this seat.
    pub(super) fn hear_answer(&mut self) {
        let since = self.answered;
        let answer = self.look(|_, seen| {
            let answer = seen.answer_since(since);
            answer.map(|(number, words)| (number, words.to_owned()))
        });
        if let Some((number, words)) = answer {
            self.answered = number;
            self.state.notice = Some(Notice::plain(words));
        }
    }
}
