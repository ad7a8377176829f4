//! The explanation of a log entry, step by step, with buttons for the next steps.
//!
//! It opens from the log, where the entry is only read, and as the result of a roll, where the next step is chosen.

mod buttons;
mod undo;

pub(super) use self::undo::undo_entry;
use crate::dialog::follow_ups::{ButtonKeys, CLOCK_LETTERS, DIGITS, FollowUp, open_question};
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
use tableside_game::Roll;
use tableside_table::{Act, Entry, Part, SeatView, condition_reasons};

const HINTS: &[Action] = {
    use Action::{NextButton, Press, PreviousButton, Repeat, Roll, Undo};
    &[Press, Roll, Undo, Repeat, PreviousButton, NextButton]
};

/// The width of an explanation without buttons, in columns.
const WIDTH: u16 = 72;

/// The number of parts at the start of an explanation, which name the roll, its time and its author.
const INTRODUCTION: usize = 2;

/// How an explanation was opened.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OpenedFrom {
    /// The entry is read from the log.
    Log,
    /// The entry is the result of a roll that was just made. `by_hand` is true if the player types the faces of real
    /// dice.
    Roll { by_hand: bool },
}

pub struct ExplainDialog {
    /// The number of the entry.
    number: u64,
    opened: OpenedFrom,
    /// True if the player types the faces of real dice.
    by_hand: bool,
    /// The action of each button.
    choices: Vec<FollowUp>,
    digits: ButtonKeys,
    clock_letters: ButtonKeys,
    /// The entries of the follow-ups that were done here.
    follow_up_entries: Vec<FollowUpEntry>,
}

struct FollowUpEntry {
    number: u64,
    text: String,
}

impl ExplainDialog {
    /// Explains an entry.
    pub fn open(number: u64, opened: OpenedFrom, view: &SeatView<'_>) -> Dialog {
        let spec = Self {
            number,
            opened,
            by_hand: opened == OpenedFrom::Roll { by_hand: true },
            choices: Vec::new(),
            digits: ButtonKeys::new(DIGITS),
            clock_letters: ButtonKeys::new(CLOCK_LETTERS),
            follow_up_entries: Vec::new(),
        };
        let mut form = Form::default();
        if spec.is_result() {
            form = form.with_context(Context::Result, HINTS);
        }
        Dialog::new(form, spec, view)
    }

    fn is_result(&self) -> bool {
        self.opened != OpenedFrom::Log
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
                return DialogAction::open(form);
            }
            FollowUp::Close => return DialogAction::Close,
            FollowUp::Question(id) => {
                return match sheet_question_form(id, view) {
                    Some(form) => DialogAction::open(form),
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
            Some(dialog) => DialogAction::replace(dialog),
            None => DialogAction::Stay,
        }
    }

    /// Returns the form for the faces of real dice, with which the entry is rolled again.
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
        form.caption.note = note_with_dice(view.tag(self.number), self.by_hand, form);
        form.layout.width = if form.buttons.is_empty() {
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
        if !self.is_result() {
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
        // An amended roll or a reroll replaces the entry, so explain the new entry.
        if view.replaces(entry.number) == Some(self.number) {
            let opened = match self.opened {
                OpenedFrom::Log => OpenedFrom::Log,
                OpenedFrom::Roll { .. } => OpenedFrom::Roll {
                    by_hand: self.by_hand,
                },
            };
            return Some(Self::open(entry.number, opened, view));
        }

        let is_undo = matches!(entry.event.what, Undone { .. } | Struck { .. });
        // The entry of the roll itself is passed here too.
        if !is_undo && entry.number != self.number {
            self.follow_up_entries.push(FollowUpEntry {
                number: entry.number,
                text: entry.event.text(view.system()),
            });
        }
        None
    }

    /// Returns the explanation, and then the follow-ups that were done here.
    ///
    /// Right after the roll, the player knows its time and its parameters, so these parts are left out.
    fn blocks(&self, _form: &Form, view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        let Some((_, parts)) = view.explain(self.number) else {
            let message = "You cannot read that entry.";
            return vec![Block::muted(message)];
        };

        let mut reasons = Vec::new();
        if self.is_result()
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
            if !(self.is_result() && is_known) {
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
