//! The explanation of a log entry, step by step, with buttons for what can be done about it.
//!
//! It opens from the log, where the entry is only read, and as the result of a roll, where the next step is chosen.

use crate::app::roll_requests;
use crate::dialog::button_row::ButtonRow;
use crate::dialog::follow_ups::{
    ButtonKeys, CLOCK_LETTERS, DIGITS, FollowUp, OfferedButton, clock_follow_ups,
    decline_follow_ups, follow_ups, hit, open_question, questions_of,
};
use crate::dialog::note_form::note_form;
use crate::dialog::roll::{
    CheckToRoll, FacesDialog, RollDialog, note_with_dice, roll_title, submit_after,
};
use crate::dialog::roll_summary::part_block;
use crate::dialog::sheet_question::sheet_question_form;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Scroll, blocks_height,
};
use crate::widget::{Appearance, columns};
use crate::{Action, Context, Role};
use tableside_game::EventKind::{Struck, Undone};
use tableside_game::{Command, Faces, Roll};
use tableside_rules::Effect;
use tableside_table::{Act, Entry, Part, SeatView, condition_reasons};

const HINTS: &[Action] = {
    use Action::{NextButton, Press, PreviousButton, Repeat, Roll, Undo};
    &[Press, Roll, Undo, Repeat, PreviousButton, NextButton]
};

/// The most follow-ups that have a button, including those without a key.
const MOST_BUTTONS: usize = 24;

/// The columns of an explanation without buttons.
const WIDTH: u16 = 72;

/// The number of parts at the beginning of an explanation that name the roll, its time and its author.
const INTRODUCTION: usize = 2;

pub struct ExplainDialog {
    number: u64,
    /// True if the entry is the result of a roll that was just made.
    is_result: bool,
    /// True if the player types the faces of real dice.
    by_hand: bool,
    /// What each button does.
    choices: Vec<FollowUp>,
    digits: ButtonKeys,
    clock_letters: ButtonKeys,
    /// The entries that the buttons made.
    follow_up_entries: Vec<FollowUpEntry>,
}

struct FollowUpEntry {
    number: u64,
    text: String,
}

impl ExplainDialog {
    /// Explains an entry.
    ///
    /// `result` is `None` if the entry is read from the log. After a roll, it is true if the table rolls real dice.
    pub fn open(number: u64, result: Option<bool>, view: &SeatView<'_>) -> Dialog {
        let spec = Self {
            number,
            is_result: result.is_some(),
            by_hand: result.unwrap_or(false),
            choices: Vec::new(),
            digits: ButtonKeys::new(DIGITS),
            clock_letters: ButtonKeys::new(CLOCK_LETTERS),
            follow_up_entries: Vec::new(),
        };
        let mut form = Form::default();
        if result.is_some() {
            form = form.with_context(Context::Result, HINTS);
        }
        Dialog::new(form, spec, view)
    }

    /// Explains an entry next to the log, which shows its time and its author. Also returns the height in rows.
    pub fn beside(
        number: u64,
        view: &SeatView<'_>,
        width: u16,
        look: Appearance<'_>,
    ) -> (Vec<Block>, u16) {
        let blocks: Vec<Block> = match view.explain(number) {
            Some((_, parts)) => parts
                .into_iter()
                .skip(INTRODUCTION)
                .map(part_block)
                .collect(),
            None => Vec::new(),
        };
        let height = blocks_height(&blocks, width, look);
        (blocks, height)
    }

    pub fn draw_beside(blocks: &[Block], canvas: &mut Canvas<'_>) {
        Scroll::default().draw(blocks, canvas.area, canvas);
    }

    /// Offers what can be done now, and keeps the focus on the same button if it is still there.
    fn update_buttons(&mut self, press: &mut ButtonRow, view: &SeatView<'_>) {
        let focused_choice = self.choices.get(press.focus).cloned();
        let entry = view.entry(self.number);
        let roll = entry.as_ref().and_then(|entry| entry.roll());

        let mut offers = Vec::new();
        if let Some(entry) = &entry {
            offers = self.offer_follow_ups(entry, view);
        }
        self.offer_other_steps(&mut offers, roll, view);

        let mut buttons = Vec::new();
        self.choices.clear();
        for offer in offers {
            self.choices.push(offer.next);
            buttons.push(offer.button);
        }
        *press = ButtonRow::new(buttons);

        let same_choice = self
            .choices
            .iter()
            .position(|next| Some(next) == focused_choice.as_ref());
        if let Some(index) = same_choice.or_else(|| self.damage_button(roll, view)) {
            press.focus = index;
        }
    }

    /// Offers the follow-ups of the entry, with a digit each, and then ticks of clocks, with a letter each.
    fn offer_follow_ups(&mut self, entry: &Entry, view: &SeatView<'_>) -> Vec<OfferedButton> {
        let mut with_digits = questions_of(entry, view);
        with_digits.extend(follow_ups(entry, view));

        let mut offers = self.digits.buttons_of(with_digits);
        let ticks = clock_follow_ups(entry, view);
        offers.extend(self.clock_letters.buttons_of(ticks));
        offers.truncate(MOST_BUTTONS);
        offers
    }

    /// Adds the buttons that do not depend on the effects of the roll.
    fn offer_other_steps(
        &self,
        offers: &mut Vec<OfferedButton>,
        roll: Option<&Roll>,
        view: &SeatView<'_>,
    ) {
        // Right after the roll, closing the dialog is enough to decline the follow-ups for now.
        if !offers.is_empty() && !self.is_result && view.seat().sees_all() {
            let (command, label) = decline_follow_ups(self.number);
            let decline = FollowUp::Do(command.into());
            offers.push(OfferedButton::new(decline, format!("0 {label}"), '0'));
        }
        if let Some(roll) = roll
            && self.is_result
        {
            offers.push(OfferedButton::new(FollowUp::Note, note_label(roll), 'n'));
        }
        if view.may_reroll(self.number) {
            let reroll = Act::Reroll {
                entry: self.number,
                faces: Faces::Rolled,
            };
            offers.push(OfferedButton::new(
                FollowUp::Do(reroll),
                "Favor: roll again",
                'f',
            ));
        }
        if self.is_result {
            if let Some(call) = roll_requests::to_answer(view).next() {
                let name = view.owner_name(Some(call.who));
                offers.push(OfferedButton::new(
                    FollowUp::Roll,
                    format!("Roll for {name}"),
                    'r',
                ));
            }
            // The log uses the same letter to roll again.
            offers.push(OfferedButton::new(FollowUp::Again, "Again", 'y'));
        }
        if !offers.is_empty() {
            offers.push(OfferedButton::new(FollowUp::Close, "Close", 'c'));
        }
    }

    /// The button that deals the damage of a roll that was just made. `None` if a target is to be chosen first.
    fn damage_button(&self, roll: Option<&Roll>, view: &SeatView<'_>) -> Option<usize> {
        // The damage of an area is never dealt to a further character by default.
        let has_target = hit(roll?, view).is_some();
        if self.is_result && has_target {
            self.choices.iter().position(deals_damage)
        } else {
            None
        }
    }

    fn roll(&self, view: &SeatView<'_>) -> Option<Roll> {
        Some(view.entry(self.number)?.roll()?.clone())
    }

    fn perform(&self, next: FollowUp, view: &SeatView<'_>) -> DialogAction {
        let by_hand = self.by_hand;
        let roll_dialog = match next {
            FollowUp::Do(act @ Act::Reroll { .. }) if by_hand => {
                let faces_form = self.ask_faces(&act, view);
                return submit_after(act, faces_form);
            }
            FollowUp::Do(act) => return DialogAction::Submit(act),
            FollowUp::Note => {
                let form = note_form(Some(self.number), None, view);
                return DialogAction::Open(form.into());
            }
            FollowUp::Close => return DialogAction::Close,
            FollowUp::Question(id) => {
                return match sheet_question_form(id, view) {
                    Some(form) => DialogAction::Open(form.into()),
                    None => DialogAction::Stay,
                };
            }
            FollowUp::Check(offer) => self
                .roll(view)
                .map(|roll| RollDialog::offered(&offer, &roll, by_hand, view)),
            FollowUp::Again => RollDialog::again(self.number, by_hand, view),
            FollowUp::Roll => {
                let roller = self.roll(view).and_then(|roll| roll.id);
                Some(RollDialog::next(roller, by_hand, view))
            }
        };
        match roll_dialog {
            Some(dialog) => DialogAction::Replace(dialog.into()),
            None => DialogAction::Stay,
        }
    }

    /// The form in which the faces of real dice are typed, to roll the entry again.
    fn ask_faces(&self, act: &Act, view: &SeatView<'_>) -> Option<Dialog> {
        let roll = self.roll(view)?;
        let fields = roll.all_fields(view.system()).ok()?;
        let title = roll_title(&roll, view);
        let check = CheckToRoll {
            fields: &fields,
            house: &roll.house,
            trail: Vec::new(),
            unfinished: None,
        };
        FacesDialog::ask(title, act, check)
    }

    /// The act that undoes the last follow-up, or the roll itself if no follow-up is left.
    fn undo_act(&self, view: &SeatView<'_>) -> Result<Act, &'static str> {
        let last_follow_up = self
            .follow_up_entries
            .iter()
            .rev()
            .find(|entry| !view.is_struck(entry.number));
        undo_entry(
            last_follow_up.map_or(self.number, |entry| entry.number),
            view,
        )
    }
}

/// The act that undoes an entry.
///
/// An entry that is not the last one is struck out by the GM. A player has to undo the later entries first.
pub(super) fn undo_entry(entry: u64, view: &SeatView<'_>) -> Result<Act, &'static str> {
    if view.is_struck(entry) {
        return Err("it is already undone");
    }

    let has_later_act = view
        .log_since(entry + 1)
        .any(|later| is_own_act(&later, view));
    if !has_later_act {
        return Ok(Act::Undo);
    }
    if view.seat().sees_all() {
        let reason = String::new();
        return Ok(Act::Strike { entry, reason });
    }
    Err("undo your later changes first, on the table")
}

/// True if an entry is an act that Undo of this seat would undo.
fn is_own_act(entry: &Entry, view: &SeatView<'_>) -> bool {
    let seat = view.seat();
    let is_own = seat.sees_all() || entry.by == seat.name;
    is_own && entry.is_an_act() && !view.is_struck(entry.number)
}

fn deals_damage(next: &FollowUp) -> bool {
    let FollowUp::Do(Act::Do(command)) = next else {
        return false;
    };
    match &**command {
        Command::Follow { then, .. } => matches!(**then, Command::Damage { .. }),
        _ => false,
    }
}

/// The label of the button for a note. The rules want complications and costs to be noted.
fn note_label(roll: &Roll) -> &'static str {
    if roll.effects.contains(&Effect::Complication) {
        "Note the complication"
    } else if roll.effects.contains(&Effect::AtACost) {
        "Note the cost"
    } else {
        "Note"
    }
}

impl DialogSpec for ExplainDialog {
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        self.update_buttons(&mut form.buttons, view);

        form.title = match self.roll(view) {
            Some(roll) => roll_title(&roll, view),
            None => match view.explain(self.number) {
                Some((title, _)) => title,
                None => String::new(),
            },
        };
        form.note = note_with_dice(view.tag(self.number), self.by_hand, form);
        form.width = if form.buttons.is_empty() {
            Some(WIDTH.max(columns(&form.title) + 8))
        } else {
            None
        };
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let action = event.try_as_action_ref()?;
        if *action == Action::ByHand {
            self.by_hand = !self.by_hand;
            return Some(DialogAction::Stay);
        }
        if !self.is_result {
            return None;
        }

        let next = match action {
            Action::Roll => FollowUp::Roll,
            Action::Repeat => FollowUp::Again,
            Action::Undo => match self.undo_act(view) {
                Ok(act) => FollowUp::Do(act),
                Err(reason) => {
                    form.problem = Some(reason.to_owned());
                    return Some(DialogAction::Stay);
                }
            },
            _ => return None,
        };
        Some(self.perform(next, view))
    }

    fn press(&mut self, button: usize, _form: &mut Form, view: &SeatView<'_>) -> DialogAction {
        let next = self.choices.get(button).cloned();
        self.perform(next.unwrap_or(FollowUp::Close), view)
    }

    fn after_submit(
        &mut self,
        entry: &Entry,
        _form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        // An amended roll or a reroll replaces the entry: explain the new one.
        if view.replaces(entry.number) == Some(self.number) {
            let result = self.is_result.then_some(self.by_hand);
            return Some(Self::open(entry.number, result, view));
        }

        let is_undo = matches!(entry.event.what, Undone { .. } | Struck { .. });
        // The entry of the roll itself arrives here too.
        if !is_undo && entry.number != self.number {
            self.follow_up_entries.push(FollowUpEntry {
                number: entry.number,
                text: entry.event.text(view.system()),
            });
        }
        None
    }

    /// The explanation, then the follow-ups that were done here.
    ///
    /// Right after the roll, its time and its parameters are familiar, so these parts are left out.
    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let Some((_, parts)) = view.explain(self.number) else {
            let message = "You cannot read that entry.";
            return vec![Block::words(Role::Muted, message)];
        };

        let mut reasons = Vec::new();
        if self.is_result
            && let Some(roll) = self.roll(view)
        {
            reasons = condition_reasons(&roll, view.system());
        }

        let mut blocks = Vec::new();
        for (index, part) in parts.into_iter().enumerate() {
            if matches!(part, Part::Step(..)) {
                for reason in reasons.drain(..) {
                    blocks.push(Block::words(Role::Info, reason));
                }
            }
            let is_known =
                index < INTRODUCTION || matches!(part, Part::Aside(_) | Part::Heading(_));
            if !(self.is_result && is_known) {
                blocks.push(part_block(part));
            }
        }

        let entry = view.entry(self.number);
        if view.seat().sees_all()
            && let Some(question) = entry.and_then(|entry| open_question(&entry, view))
        {
            blocks.push(Block::Gap);
            blocks.push(Block::words(Role::Warning, question));
        }

        let mut follow_ups = Vec::new();
        for entry in &self.follow_up_entries {
            if !view.is_struck(entry.number) {
                follow_ups.push(Block::led(Role::Info, "✓ ", &entry.text));
            }
        }
        if !follow_ups.is_empty() {
            blocks.push(Block::Gap);
            blocks.extend(follow_ups);
        }
        blocks
    }
}
