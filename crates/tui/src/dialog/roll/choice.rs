//! A check that waits for a choice: buttons, each with its odds.

use crate::dialog::button_row::{Button, ButtonRow};
use crate::dialog::roll::faces::FacesDialog;
use crate::dialog::roll::{RollDialog, after_change, by, follow, roll_title, submit};
use crate::dialog::roll_summary::die_boxes;
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogSpec, Form};
use crate::widget::odds::percent;
use crate::{Action, Context, Role};
use tableside_game::{Command, Unfinished};
use tableside_rules::{
    Answer, Ask, Buttons, CheckSpec, Choices, Odds, Picked, Progress, Side, buttons,
};
use tableside_table::{Act, Entry, SeatView};

const HINTS: &[Action] = {
    use Action::{ByHand, NextButton, Press, PreviousButton};
    &[Press, PreviousButton, NextButton, ByHand]
};

pub(super) struct Waiting {
    check: Unfinished,
    what: Choices,
    /// The dice so far, what is asked, and whose decision it is.
    told: Vec<Block>,
}

impl Waiting {
    /// The choice that the check waits for; none where it waits for dice.
    pub(super) fn open(check: &Unfinished, view: &SeatView<'_>) -> Option<Dialog> {
        let roll = &check.roll;
        let spec = roll.spec(view.system()).ok()?;
        let machine = roll.machine(view.system()).ok()?;
        let Progress::Waits(Ask::Choose { choices, by }) = machine.after(&roll.trail).ok()? else {
            return None;
        };
        let choice = spec
            .choices
            .iter()
            .find(|choice| choice.id == choices.choice);
        let help = choice.map_or("", |choice| choice.help);
        let ask = match (choices.ask.as_str(), help) {
            ("", help) if !help.is_empty() => help.to_owned(),
            _ => choices.question(),
        };
        let whose = match by {
            Side::Actor => "The one who rolls decides.".to_owned(),
            Side::Opponent => "The other side decides.".to_owned(),
            Side::Gm => format!("The {} decides.", view.system().spec().gm),
        };
        let odds = buttons(spec, &*machine, &roll.trail).ok().flatten();
        let form = Form {
            title: roll_title(roll, view),
            buttons: press(spec, &choices, odds.as_ref()),
            by_hand: check.by_hand,
            waits: Some(check.id),
            place: Some(Context::Choice),
            hinted_actions: HINTS,
            // Every letter may press a button.
            takes_all: true,
            ..Form::default()
        };
        let spec = Self {
            check: check.clone(),
            what: *choices,
            told: vec![
                Block::Dice(die_boxes(&machine.outcome(&roll.trail).dice)),
                Block::Gap,
                Block::words(Role::Text, ask),
                Block::words(Role::Muted, whose),
            ],
        };
        Some(Dialog::new(form, spec, view))
    }

    /// Takes that option; with real dice, those that follow it are asked for first.
    fn answer(&self, option: &Picked, form: &Form, view: &SeatView<'_>) -> DialogAction {
        let (by, roll, chose) = (by(view), &self.check.roll, option.name.clone());
        let act: Act = Command::Answer {
            check: self.check.id,
            chose: chose.clone(),
            by,
            faces: form.faces(),
        }
        .into();
        let choice = self.what.choice.to_owned();
        let answer = Answer::Chose { choice, chose, by };
        let trail = roll.trail.iter().cloned().chain([answer]).collect();
        let fields = roll.all_fields(view.system()).ok();
        let asked = fields.filter(|_| form.by_hand).and_then(|fields| {
            let (title, check) = (form.title.clone(), Some(&self.check));
            FacesDialog::ask(title, &act, trail, (&fields, &roll.house), check)
        });
        submit(act, asked)
    }
}

impl DialogSpec for Waiting {
    fn press(&mut self, button: usize, form: &mut Form, view: &SeatView<'_>) -> DialogAction {
        match self.what.options.get(button) {
            Some(option) => self.answer(option, form, view),
            // Another check; this one goes on waiting until somebody takes it up again.
            None if button == self.what.options.len() => {
                let faces = form.by_hand.then(String::new);
                let another = RollDialog::prepared(&self.check.roll, faces, view);
                another.map_or(DialogAction::Stay, |another| {
                    DialogAction::Replace(another.into())
                })
            }
            None => Command::Abandon(self.check.id).into(),
        }
    }

    fn after_submit(
        &mut self,
        entry: &Entry,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        follow(entry, form.by_hand, view)
    }

    /// Somebody else may have answered: then there is something new about the check.
    fn on_change(&mut self, form: &mut Form, view: &SeatView<'_>) -> Option<Dialog> {
        let is_same = view.unfinished().any(|one| *one == self.check);
        let after = || after_change(&self.check, form.by_hand, view);
        (!is_same).then(after).flatten()
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        self.told.clone()
    }
}

/// The options as buttons; the default is marked where the odds are not known.
fn press(spec: &CheckSpec, what: &Choices, odds: Option<&Buttons>) -> ButtonRow {
    let options = what.options.iter().enumerate().map(|(index, one)| Button {
        note: odds.map_or_else(String::new, |odds| note(spec, odds, index)),
        ..Button::new(&one.label, None)
    });
    let beside = ["Another check", "Give it up"].map(|label| Button::new(label, None));
    let mut press = ButtonRow::new(options.chain(beside).collect()).lettered();
    press.focus = odds.map_or(what.default, |odds| odds.marked);
    press
}

/// What an option leads to: its chance of success, or what is likeliest.
fn note(spec: &CheckSpec, odds: &Buttons, index: usize) -> String {
    let Some((_, after)) = odds.options.get(index) else {
        return String::new();
    };
    let outcomes_differ = odds
        .options
        .iter()
        .any(|(_, other)| other.outcomes != after.outcomes);
    // A choice of the GM that changes no outcome, as whether a charm may be tried again, has no harshest answer.
    let is_marked = outcomes_differ || odds.by != Side::Gm;
    let is_best = odds.best == index && odds.options.len() > 1 && is_marked;
    let best = match odds.by {
        _ if !is_best => "",
        Side::Gm => ", harshest",
        Side::Actor | Side::Opponent => ", best",
    };
    let same = |(_, other): &(Picked, Odds)| other.success == after.success;
    // Where all succeed alike, what is likeliest tells them apart.
    let alike = odds.options.len() > 1 && odds.options.iter().all(same);
    if let Some(success) = after.success.as_ref().filter(|_| !alike) {
        return format!("{} succeed{best}", percent(success.to_f64().value()));
    }
    let likeliest = |odds: &Odds| odds.outcomes.iter().max_by_key(|(_, share)| share).cloned();
    let likely = likeliest(after);
    let is_same = |(_, other): &(Picked, Odds)| {
        likeliest(other).map(|(id, _)| id) == likely.as_ref().map(|(id, _)| *id)
    };
    // Where the same is likeliest after all, the best outcome that is not as likely tells them apart.
    let differs = |at: &usize| {
        let mut all = odds.options.iter();
        all.any(|(_, other)| other.outcomes[*at].1 != after.outcomes[*at].1)
    };
    let apart = odds.options.iter().all(is_same);
    let apart = (0..after.outcomes.len()).find(|at| apart && differs(at));
    let apart = apart.and_then(|at| after.outcomes.get(at).cloned());
    let likely = apart.or(likely);
    likely.map_or_else(String::new, |(id, share)| {
        let label = spec.outcome(id).label;
        format!("{} {label}{best}", percent(share.to_f64().value()))
    })
}
