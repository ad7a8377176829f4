//! An entry of the log, step by step, and what can be done about it: read from the log, or right after
//! the roll.

use crate::app::roll_requests;
use crate::dialog::button_row::{Button, ButtonRow};
use crate::dialog::follow_ups::{FollowUp, decline_follow_ups, follow_ups};
use crate::dialog::note_form::note_form;
use crate::dialog::roll::{FacesDialog, RollDialog, roll_title, submit};
use crate::dialog::roll_summary::part_block;
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, Scroll, blocks_height,
};
use crate::widget::{Appearance, columns};
use crate::{Action, Context, Role};
use tableside_game::EventKind::{Struck, Undone};
use tableside_game::{Command, Faces, Roll};
use tableside_rules::Effect;
use tableside_table::{Act, Entry, Part, SeatView};

const HINTS: &[Action] = {
    use Action::{NextButton, Press, PreviousButton, Repeat, Roll, Undo};
    &[Press, Roll, Undo, Repeat, PreviousButton, NextButton]
};

/// An entry of the log, step by step, and what was done about it.
pub struct ExplainDialog {
    number: u64,
    /// Whether it is the result of a check just made: then one may go on from it.
    is_result: bool,
    /// What its buttons do.
    offered: Vec<FollowUp>,
    /// What followed from it since it was opened, each at the place of its number: what was done keeps that.
    numbered: Vec<String>,
    /// What was done about it: the entries, in words.
    said: Vec<(u64, String)>,
}

/// The most buttons that a result offers, those without a digit included.
const MOST_BUTTONS: usize = 24;

/// What presses what follows from a roll; so many are offered at once.
const DIGITS: &str = "123456789";

/// Columns that an explanation wants without buttons.
const WIDTH: u16 = 72;

impl ExplainDialog {
    /// Explains that entry; `result` is whether people roll real dice, where it is the result of a check that
    /// was just made.
    pub fn open(number: u64, result: Option<bool>, view: &SeatView<'_>) -> Dialog {
        let spec = Self {
            number,
            is_result: result.is_some(),
            offered: Vec::new(),
            numbered: Vec::new(),
            said: Vec::new(),
        };
        let mut form = Form::default();
        if let Some(by_hand) = result {
            form = form.with_context(Context::Result, HINTS);
            form.by_hand = by_hand;
        }
        Dialog::new(form, spec, view)
    }

    /// What is told of an entry beside the log, where stands already when it was and by whom, and the rows that it
    /// takes in so many columns.
    pub fn beside(
        number: u64,
        view: &SeatView<'_>,
        width: u16,
        look: Appearance<'_>,
    ) -> (Vec<Block>, u16) {
        let told = view.explain(number).into_iter();
        let told = told.flat_map(|(_, parts)| parts);
        let blocks: Vec<Block> = told.skip(2).map(part_block).collect();
        let rows = blocks_height(&blocks, width, look);
        (blocks, rows)
    }

    /// Draws it.
    pub fn draw_beside(blocks: &[Block], canvas: &mut Canvas<'_>) {
        Scroll::default().draw(blocks, canvas.area, canvas);
    }

    /// Offers what can be done now. After a roll, Enter deals the damage that is still to be dealt, and then
    /// closes. When an entry is only read, Enter closes it.
    fn offer(&mut self, press: &mut ButtonRow, view: &SeatView<'_>) {
        let entry = view.entry(self.number);
        let roll = entry.as_ref().and_then(|entry| entry.roll());
        let follow_ups = entry.as_ref().map(|entry| follow_ups(entry, view));
        let mut free: Vec<usize> = (0..self.numbered.len()).collect();
        let follow_ups = follow_ups.into_iter().flatten();
        let numbered = follow_ups.filter_map(|(next, label)| {
            let known = free.iter().position(|at| self.numbered[*at] == label);
            let at = known.map_or(self.numbered.len(), |known| free.remove(known));
            self.numbered.extend(known.is_none().then(|| label.clone()));
            // Digits press them, for names would lend them any letter.
            let digit = DIGITS.chars().nth(at);
            let lead = digit.map_or_else(String::new, |digit| format!("{digit} "));
            Some((next?, Button::new(lead + label.as_str(), digit)))
        });
        let mut offered: Vec<(FollowUp, Button)> = numbered.take(MOST_BUTTONS).collect();
        // Right after the roll one closes it instead.
        if !offered.is_empty() && !self.is_result && view.seat().sees_all() {
            let (command, label) = decline_follow_ups(self.number);
            let button = Button::new(format!("0 {label}"), '0');
            offered.push((FollowUp::Do(command.into()), button));
        }
        let result = roll.filter(|_| self.is_result);
        offered.extend(result.map(|roll| (FollowUp::Note, Button::new(note_word(roll), 'n'))));
        if view.may_reroll(self.number) {
            let (entry, faces) = (self.number, Faces::Rolled);
            let favor = FollowUp::Do(Act::Reroll { entry, faces });
            offered.push((favor, Button::new("Favor: roll again", 'f')));
        }
        if self.is_result {
            if let Some(call) = roll_requests::to_answer(view).next() {
                let who = view.owner_name(Some(call.who));
                offered.push((FollowUp::Roll, Button::new(format!("Roll for {who}"), 'r')));
            }
            // Rolling again has its letter in the log, and has the same here.
            offered.push((FollowUp::Again, Button::new("Again", 'y')));
        }
        offered.extend((!offered.is_empty()).then(|| (FollowUp::Close, Button::new("Close", 'c'))));
        let marked = self.offered.get(press.focus).cloned();
        let buttons: Vec<Button>;
        (self.offered, buttons) = offered.into_iter().unzip();
        *press = ButtonRow::new(buttons);
        let is_damage = |next: &FollowUp| match next {
            FollowUp::Do(Act::Do(command)) => match &**command {
                Command::Follow { then, .. } => matches!(**then, Command::Damage { .. }),
                _ => false,
            },
            _ => false,
        };
        let mut all = self.offered.iter();
        let before = all.position(|next| Some(next) == marked.as_ref());
        // Enter never chooses a target.
        let has_target = roll.is_some_and(|roll| view.pending_effects(roll).is_empty());
        let damage = || {
            let mut offered = self.offered.iter();
            offered.position(|next| has_target && is_damage(next))
        };
        let place = before.or_else(|| damage().filter(|_| self.is_result));
        press.focus = place.unwrap_or(press.focus);
    }

    /// Does what can be done about the entry.
    fn go_on(&self, next: FollowUp, form: &Form, view: &SeatView<'_>) -> DialogAction {
        let roll = || Some(view.entry(self.number)?.roll()?.clone());
        let by_hand = form.by_hand;
        let set_up = match next {
            FollowUp::Do(act @ Act::Reroll { .. }) if by_hand => {
                let asked = roll().and_then(|roll| {
                    let fields = roll.all_fields(view.system()).ok()?;
                    let title = roll_title(&roll, view);
                    FacesDialog::ask(title, &act, Vec::new(), (&fields, &roll.house), None)
                });
                return submit(act, asked);
            }
            FollowUp::Do(act) => return DialogAction::Submit(act),
            FollowUp::Note => {
                return DialogAction::Open(note_form(Some(self.number), None, view).into());
            }
            FollowUp::Close => return DialogAction::Close,
            FollowUp::Check(offer) => {
                roll().map(|roll| RollDialog::offered(&offer, &roll, by_hand, view))
            }
            FollowUp::Again => RollDialog::again(self.number, by_hand, view),
            FollowUp::Roll => {
                let who = roll().and_then(|roll| roll.id);
                Some(RollDialog::next(who, by_hand, view))
            }
        };
        set_up.map_or(DialogAction::Stay, |dialog| {
            DialogAction::Replace(dialog.into())
        })
    }

    /// The act that takes back what was done here last, and then the check itself, or why it cannot be by
    /// one key. What others did after it stays: it is struck out from under that.
    fn undoing(&self, view: &SeatView<'_>) -> Result<Act, &'static str> {
        let mut all = self.said.iter().rev().map(|(number, _)| *number);
        let done = all.find(|number| !view.is_struck(*number));
        let entry = done.unwrap_or(self.number);
        if view.is_struck(entry) {
            return Err("it is taken back already");
        }
        let seat = view.seat();
        let acts = |later: &Entry| later.is_an_act() && !view.is_struck(later.number);
        let own = |later: &Entry| seat.sees_all() || later.by == seat.name;
        let mut later = view.log_since(entry + 1);
        if !later.any(|later| acts(&later) && own(&later)) {
            return Ok(Act::Undo);
        }
        let reason = String::new();
        let struck = seat.sees_all().then_some(Act::Strike { entry, reason });
        struck.ok_or("what you did after it is taken back first, on the table")
    }
}

/// What the page wants to be noted about a check.
fn note_word(roll: &Roll) -> &'static str {
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
        self.offer(&mut form.buttons, view);
        let entry = view.entry(self.number);
        let roll = entry.as_ref().and_then(|entry| entry.roll());
        let title = roll.map(|roll| roll_title(roll, view));
        let own = || view.explain(self.number).map(|(title, _)| title);
        form.title = title.or_else(own).unwrap_or_default();
        form.note = view.tag(self.number);
        let narrow = WIDTH.max(columns(&form.title) + 8);
        form.width = form.buttons.is_empty().then_some(narrow);
    }

    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        let action = event.try_as_action_ref()?;
        let next = match action {
            _ if !self.is_result => return None,
            Action::Roll => FollowUp::Roll,
            Action::Repeat => FollowUp::Again,
            Action::Undo => match self.undoing(view) {
                Ok(act) => FollowUp::Do(act),
                Err(why) => {
                    form.problem = Some(why.to_owned());
                    return Some(DialogAction::Stay);
                }
            },
            _ => return None,
        };
        Some(self.go_on(next, form, view))
    }

    fn press(&mut self, button: usize, form: &mut Form, view: &SeatView<'_>) -> DialogAction {
        let next = self.offered.get(button).cloned();
        self.go_on(next.unwrap_or(FollowUp::Close), form, view)
    }

    fn after_submit(
        &mut self,
        entry: &Entry,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        // What holds now is explained.
        if view.replaces(entry.number) == Some(self.number) {
            let result = self.is_result.then_some(form.by_hand);
            return Some(Self::open(entry.number, result, view));
        }
        let is_taken_back = matches!(entry.event.what, Undone { .. } | Struck { .. });
        // The check itself was taken in already when the table changed.
        if !is_taken_back && entry.number != self.number {
            let words = entry.event.text(view.system());
            self.said.push((entry.number, words));
        }
        None
    }

    /// Everything there is to be read. The roller knows already when it was rolled, and with what.
    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let Some((_, parts)) = view.explain(self.number) else {
            let gone = "That entry is not to be read from here.";
            return vec![Block::words(Role::Muted, gone)];
        };
        let is_known = |part: &Part| matches!(part, Part::Aside(_) | Part::Heading(_));
        let parts = parts.into_iter().skip(if self.is_result { 2 } else { 0 });
        let parts = parts.filter(|part| !(self.is_result && is_known(part)));
        let mut blocks: Vec<Block> = parts.map(part_block).collect();
        let said = self.said.iter();
        let said = said.filter(|(number, _)| !view.is_struck(*number));
        let mut said = said.peekable();
        blocks.extend(said.peek().map(|_| Block::Gap));
        blocks.extend(said.map(|(_, words)| Block::led(Role::Info, "✓ ", words)));
        blocks
    }
}
