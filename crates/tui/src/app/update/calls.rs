//! Calls for a roll: making one, answering one, and opening ready when one comes in.

use crate::Role;
use crate::app::notice::Notice;
use crate::app::roll_requests;
use crate::app::state::{Panel, ScreenState, Tab};
use crate::dialog::{CallDialog, Dialog, DialogAction, RollDialog};
use tableside_game::{CallId, EventKind};
use tableside_table::{Entry, Headline, SeatRole, SeatView, read_again};

impl ScreenState {
    /// Opens the call for a roll, on those who are marked.
    pub(super) fn call(&mut self, view: &SeatView<'_>) -> DialogAction {
        let gm = view.system().spec().gm;
        if view.role() != SeatRole::Gm {
            return self.refuse(format!("only the {gm} calls for a roll"));
        }
        if view.roster().all(|one| !one.is_here()) {
            return self.refuse("nobody is here to be called on");
        }
        let marked = self.list(self.active_panel()).marked().iter();
        let marked: Vec<_> = marked.filter_map(|id| id.try_as_character()).collect();
        self.open(CallDialog::open(&marked, view))
    }

    /// The check that is to be made next: by the character in hand if it is called on, else by the one who
    /// was called first.
    pub(super) fn next_call(&self, view: &SeatView<'_>) -> Option<Dialog> {
        let mut open = roll_requests::to_answer(view);
        let own = |who| roll_requests::to_answer(view).find(|call| Some(call.who) == who);
        let led = || self.list(Panel::Party).id()?.try_as_character();
        let call = own(led()).or_else(|| open.next())?;
        RollDialog::called(call.id, view)
    }

    /// Takes in who is called on. A player's screen on which nothing else is going on opens the check
    /// ready; who is typing is told, and sees it afterwards. What was ready for a call that somebody else answered closes.
    pub(crate) fn notice_calls(&mut self, view: &SeatView<'_>) {
        let open = self.layers.len();
        self.layers.retain(|dialog| !dialog.is_answered(view));
        if self.layers.len() < open {
            self.notice = Some(Notice::plain("that call was answered or withdrawn"));
        }
        if view.seat().role != SeatRole::Player {
            return;
        }
        let known: Vec<CallId> = roll_requests::to_answer(view).map(|call| call.id).collect();
        let new = known.iter().find(|id| !self.called.contains(id)).copied();
        self.called = known;
        let Some(call) = new.and_then(|id| view.calls().find(|call| call.id == id)) else {
            return;
        };
        let gm = view.system().spec().gm;
        let who = view.owner_name(Some(call.who));
        let told = roll_requests::describe_call(call, view);
        let words = format!("the {gm} calls on {who}: {told}");
        self.rings = Some(words.clone());
        self.notice = Some(Notice::plain(words));
        self.to_show = Some(call.id);
        self.show_call(view);
    }

    /// Opens the check that somebody is called on for, as soon as nothing else is going on.
    pub(crate) fn show_call(&mut self, view: &SeatView<'_>) {
        let call = self.to_show.take_if(|_| self.layers.is_empty());
        if let Some(dialog) = call.and_then(|id| RollDialog::called(id, view)) {
            self.notice = None;
            self.open(dialog);
        }
    }

    /// Takes in what others rolled: the GM is told of it where the rolls do not stand, and of points spent on an
    /// aspect, which the GM approves, first of all.
    pub(crate) fn notice_rolls(&mut self, view: &SeatView<'_>) {
        let last = view.last_event();
        let heard = self.heard.replace(last);
        let Some(heard) = heard.filter(|_| view.seat().role == SeatRole::Gm) else {
            return;
        };
        let own = view.seat();
        let stands = self.is_browsing() && matches!(self.tab, Tab::Table | Tab::Log);
        for entry in view.log_since(heard + 1).filter(|entry| !own.did(entry)) {
            let refuses = |notice: &Notice| notice.role == Role::Warning;
            if let Some(words) = roll_requests::spent_on_an_aspect(&entry, view) {
                self.notice = Some(Notice::warning(words));
            } else if !stands
                && !self.notice.as_ref().is_some_and(refuses)
                && let Some(words) = rolled(&entry, view)
            {
                self.notice = Some(Notice::plain(words));
            }
        }
    }
}

/// Who rolled what, and what came of it.
fn rolled(entry: &Entry, view: &SeatView<'_>) -> Option<String> {
    let what = &entry.event.what;
    let Some(roll) = what.resolved() else {
        let is_dice = matches!(what, EventKind::Thrown(_));
        return is_dice.then(|| entry.event.text(view.system()));
    };
    let (spec, outcome) = read_again(roll, view.system())?;
    let title = roll.tested(view.system())?.title(&roll.who);
    Some(format!("{title}: {}", Headline::of(spec, &outcome).words()))
}
