//! The dialog of a roll that waits for a choice: a button for each option, with its odds.

use crate::dialog::button_row::{Button, ButtonRow};
use crate::dialog::roll::faces::{CheckToRoll, FacesDialog};
use crate::dialog::roll::{
    RollDialog, after_change, chosen_by, faces_source, follow, note_with_dice, roll_title,
    submit_after,
};
use crate::dialog::roll_summary::die_boxes;
use crate::dialog::{Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form};
use crate::widget::odds::percent;
use crate::{Action, Context};
use tableside_dice::Fraction;
use tableside_game::{Command, Unfinished, UnfinishedId};
use tableside_rules::{
    Answer, Ask, Buttons, CheckSpec, Choices, Odds, OutcomeId, Picked, Progress, Side, buttons,
};
use tableside_table::{Act, Entry, SeatView};

const HINTS: &[Action] = {
    use Action::{ByHand, NextButton, Press, PreviousButton};
    &[Press, PreviousButton, NextButton, ByHand]
};

pub(super) struct ChoiceDialog {
    unfinished: Unfinished,
    choices: Choices,
    /// The rolled dice, the question, and the side that decides.
    blocks: Vec<Block>,
    /// True if the player types the faces of real dice.
    by_hand: bool,
}

impl ChoiceDialog {
    /// Opens the choice that an unfinished roll waits for. Returns `None` if the roll waits for dice.
    pub(super) fn open(unfinished: &Unfinished, view: &SeatView<'_>) -> Option<Dialog> {
        let roll = &unfinished.roll;
        let spec = roll.spec(view.system()).ok()?;
        let machine = roll.machine(view.system()).ok()?;
        let Progress::Waits(Ask::Choose { choices, by }) = machine.after(&roll.trail).ok()? else {
            return None;
        };

        let odds = buttons(spec, &*machine, &roll.trail).ok().flatten();
        let dice = machine.outcome(&roll.trail).dice;
        let decider = match by {
            Side::Actor => "The rolling player decides.".to_owned(),
            Side::Opponent => "The other side decides.".to_owned(),
            Side::Gm => format!("The {} decides.", view.system().spec().gm),
        };
        let blocks = vec![
            Block::Dice(die_boxes(&dice)),
            Block::Gap,
            Block::text(question(spec, &choices)),
            Block::muted(decider),
        ];

        let mut form = Form {
            title: roll_title(roll, view),
            buttons: button_row(spec, &choices, odds.as_ref()),
            ..Form::default()
        }
        .with_context(Context::Choice, HINTS);
        // Any letter may press a button.
        form.keys.takes_all_letters = true;
        let dialog_spec = Self {
            unfinished: unfinished.clone(),
            choices: *choices,
            blocks,
            by_hand: unfinished.by_hand,
        };
        Some(Dialog::new(form, dialog_spec, view))
    }

    /// Submits an option. If the player rolls real dice, another dialog asks for the following faces first.
    fn answer(&self, option: &Picked, form: &Form, view: &SeatView<'_>) -> DialogAction {
        let by = chosen_by(view);
        let act = Act::from(Command::Answer {
            check: self.unfinished.id,
            chose: option.name.clone(),
            by,
            faces: faces_source(self.by_hand),
        });
        if !self.by_hand {
            return DialogAction::Submit(act);
        }

        let roll = &self.unfinished.roll;
        let Ok(fields) = roll.all_fields(view.system()) else {
            return DialogAction::Submit(act);
        };
        let mut trail = roll.trail.clone();
        trail.push(Answer::Chose {
            choice: self.choices.choice.to_owned(),
            chose: option.name.clone(),
            by,
        });
        let check = CheckToRoll {
            fields: &fields,
            house: &roll.house,
            trail,
            unfinished: Some(&self.unfinished),
        };
        let faces_dialog = FacesDialog::ask(form.title.clone(), &act, check);
        submit_after(act, faces_dialog)
    }

    /// Sets up another roll. This one stays unfinished until a player continues it.
    fn set_up_another(&self, view: &SeatView<'_>) -> DialogAction {
        let faces = self.by_hand.then(String::new);
        match RollDialog::prepared(&self.unfinished.roll, faces, view) {
            Some(dialog) => DialogAction::replace(dialog),
            None => DialogAction::Stay,
        }
    }
}

/// Returns the question of a choice, or its help if there is no question.
fn question(spec: &CheckSpec, choices: &Choices) -> String {
    let choice_spec = spec
        .choices
        .iter()
        .find(|choice| choice.id == choices.choice);
    let help = choice_spec.map_or("", |choice| choice.help);

    if choices.ask.is_empty() && !help.is_empty() {
        help.to_owned()
    } else {
        choices.question()
    }
}

impl DialogSpec for ChoiceDialog {
    fn refresh(&mut self, form: &mut Form, _view: &SeatView<'_>) {
        form.caption.note = note_with_dice(String::new(), self.by_hand, form);
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        _form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        if *event != DialogEvent::Action(Action::ByHand) {
            return None;
        }
        self.by_hand = !self.by_hand;
        Some(DialogAction::Stay)
    }

    /// Presses an option, or one of the two buttons after the options: set up a different roll, or cancel this roll.
    fn press(&mut self, button: usize, form: &mut Form, view: &SeatView<'_>) -> DialogAction {
        let option_count = self.choices.options.len();
        match self.choices.options.get(button) {
            Some(option) => self.answer(option, form, view),
            None if button == option_count => self.set_up_another(view),
            None => Command::Abandon(self.unfinished.id).into(),
        }
    }

    fn after_submit(
        &mut self,
        entry: &Entry,
        _form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        follow(entry, self.by_hand, view)
    }

    /// Replaces the dialog if another player answered.
    fn on_change(&mut self, _form: &mut Form, view: &SeatView<'_>) -> Option<Dialog> {
        let is_same = view.unfinished().any(|known| *known == self.unfinished);
        if is_same {
            return None;
        }
        after_change(&self.unfinished, self.by_hand, view)
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        self.blocks.clone()
    }

    fn unfinished_roll(&self) -> Option<UnfinishedId> {
        Some(self.unfinished.id)
    }

    fn rolls_by_hand(&self) -> bool {
        self.by_hand
    }

    fn set_by_hand(&mut self, by_hand: bool, form: &mut Form) {
        self.by_hand = by_hand;
        form.caption.note = note_with_dice(String::new(), by_hand, form);
    }
}

/// Returns a button for each option. An option with a cost is selected only if no option is free.
fn button_row(spec: &CheckSpec, choices: &Choices, odds: Option<&Buttons>) -> ButtonRow {
    let mut row = Vec::new();
    for (index, option) in choices.options.iter().enumerate() {
        let mut button = Button::new(option.button_label(), None);
        if let Some(odds) = odds {
            button.note = note(spec, odds, index);
        }
        row.push(button);
    }
    row.push(Button::new("Different roll", None));
    row.push(Button::new("Cancel this roll", None));

    let mut buttons = ButtonRow::new(row).lettered();
    buttons.focus = odds.map_or(choices.default, |odds| odds.marked);
    buttons
}

/// Describes the result of an option: its chance of success, or its likeliest outcome.
fn note(spec: &CheckSpec, buttons: &Buttons, index: usize) -> String {
    let Some((_, odds)) = buttons.options.get(index) else {
        return String::new();
    };
    let has_several_options = buttons.options.len() > 1;
    let all_odds = buttons.options.iter().map(|(_, odds)| odds);
    let success_is_equal = all_odds.clone().all(|other| other.success == odds.success);
    let outcomes_are_equal = all_odds
        .clone()
        .all(|other| other.outcomes == odds.outcomes);
    if has_several_options && success_is_equal && outcomes_are_equal {
        return String::new();
    }

    let suffix = best_suffix(buttons, index, odds);
    if let Some(success) = &odds.success
        && !(has_several_options && success_is_equal)
    {
        let chance = percent(success.to_f64().value());
        return format!("{chance} succeed{suffix}");
    }

    let Some((id, chance)) = telling_outcome(buttons, odds) else {
        return String::new();
    };
    let chance = percent(chance.to_f64().value());
    format!("{chance} {}{suffix}", spec.outcome(*id).label)
}

/// Returns the mark of the best option for a player, or of the harshest option for the GM.
fn best_suffix(buttons: &Buttons, index: usize, odds: &Odds) -> &'static str {
    let outcomes_differ = buttons
        .options
        .iter()
        .any(|(_, other)| other.outcomes != odds.outcomes);
    let is_best = buttons.best == index && buttons.options.len() > 1;
    let has_cost = buttons
        .options
        .get(index)
        .is_some_and(|(option, _)| option.has_cost());

    match buttons.by {
        _ if !is_best => "",
        // Some choices of the GM do not affect the outcome, for example whether a charm can be tried again.
        Side::Gm if outcomes_differ => ", harshest",
        Side::Gm => "",
        // Players decide themselves whether a better chance is worth its cost.
        Side::Actor | Side::Opponent if has_cost => "",
        Side::Actor | Side::Opponent => ", best",
    }
}

/// Returns the outcome that distinguishes an option from the others, with its chance. Usually this is the likeliest
/// outcome. If it is the same for all options, it is the first outcome whose chances differ.
fn telling_outcome<'a>(buttons: &Buttons, odds: &'a Odds) -> Option<&'a (OutcomeId, Fraction)> {
    let likeliest = likeliest_outcome(odds)?;
    let (likeliest_id, _) = likeliest;
    for (_, other) in &buttons.options {
        let other_likeliest = likeliest_outcome(other).map(|(id, _)| id);
        if other_likeliest != Some(likeliest_id) {
            return Some(likeliest);
        }
    }

    for (index, outcome) in odds.outcomes.iter().enumerate() {
        let is_different = buttons
            .options
            .iter()
            .any(|(_, other)| other.outcomes[index].1 != outcome.1);
        if is_different {
            return Some(outcome);
        }
    }
    Some(likeliest)
}

fn likeliest_outcome(odds: &Odds) -> Option<&(OutcomeId, Fraction)> {
    odds.outcomes.iter().max_by_key(|(_, chance)| chance)
}
