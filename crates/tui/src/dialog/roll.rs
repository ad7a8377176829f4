//! The roll dialog, in which the player sets up a check and rolls it.
//!
//! A check that waits for a choice continues in `choice`, and one that waits for real dice in `faces`.

mod amend;
mod chances;
mod choice;
mod faces;
mod open;
mod opponent;
mod question;
mod row_ids;
mod rows;
mod setup;
mod typed;
mod usual_check;
mod values;
mod visibility_rows;

use std::collections::BTreeSet;

pub use amend::AmendDialog;
pub use chances::{GainAnswer, GainQuestion};
pub(super) use faces::{CheckToRoll, FacesDialog};

use self::chances::Chances;
use self::question::{ask_before, question_before};
use self::row_ids::{MORE, SEEN_BY};
use self::typed::TypedLetters;
use crate::Action;
use crate::dialog::check_form::{CheckFields, FieldTexts};
use crate::dialog::explain::{ExplainDialog, OpenedFrom};
use crate::dialog::{
    Block, Canvas, Dialog, DialogAction, DialogEvent, DialogSpec, Form, FormResult,
};
use tableside_game::{
    CallId, CharacterId, ClockId, Command, EventKind, Faces, GroupKind, GroupPick, Roll, Tested,
    Unfinished, opponent_of,
};
use tableside_rules::ChosenBy;
use tableside_table::{Act, Entry, SeatRole, SeatView};

const HINTS: &[Action] = {
    use Action::{ByHand, Hidden, Lower, NextCheck, PreviousCheck, Raise, RollNow, Submit};
    &[
        RollNow,
        Submit,
        Lower,
        Raise,
        PreviousCheck,
        NextCheck,
        ByHand,
        Hidden,
    ]
};

/// A check that is being set up. The form holds the clock and the visibility of the roll.
pub struct RollDialog {
    /// The check, the rolling character and the values. In a group roll, the program selects the character.
    fields: CheckFields,
    /// The initial values, which stay the same while the player edits others.
    initial_values: FieldTexts,
    /// The kind of group roll, if one character rolls for the whole party.
    group: Option<GroupKind>,
    /// The character that rolls for the party.
    pick: Option<GroupPick>,
    /// The opponent whose sheet provides the other side's values.
    opponent: Option<CharacterId>,
    /// The character for which the dialog was opened, if a hero rolls in its place.
    in_place_of: Option<CharacterId>,
    /// The members of the party that stay out of a group roll.
    left_out: BTreeSet<CharacterId>,
    /// The helpers in a roll of a single character.
    chosen_helpers: BTreeSet<CharacterId>,
    /// The clock that is selected when the dialog opens.
    initial_clock: Option<ClockId>,
    /// The players from whom the roll is hidden when the dialog opens.
    initially_hidden_from: Vec<String>,
    /// True if those players see, when the dialog opens, that something is rolled.
    initially_noticed: bool,
    /// True if the rows that are seldom changed are shown.
    is_unfolded: bool,
    typed_letters: TypedLetters,
    /// The faces of real dice that were already typed.
    faces: String,
    chances: Chances,
    /// The call for a roll that this roll answers. A later call does not change it.
    call: Option<CallId>,
    /// True if the player types the faces of real dice.
    by_hand: bool,
}

impl RollDialog {
    /// Describes how this roll differs from a usual roll.
    fn note(&self, form: &Form) -> String {
        let mut remarks = Vec::new();
        if self.call.is_some() {
            remarks.push("called for");
        }
        if self.group.is_some() {
            remarks.push("for all");
        }
        if form.choice(SEEN_BY) > 0 {
            remarks.push("hidden");
        }
        note_with_dice(remarks.join(", "), self.by_hand, form)
    }

    /// Performs an action of this dialog. Returns false if the form handles the action.
    fn perform(&mut self, action: Action, form: &mut Form, view: &SeatView<'_>) -> bool {
        match action {
            Action::PreviousCheck => self.step_check(-1, form, view),
            Action::NextCheck => self.step_check(1, form, view),
            Action::ByHand => self.by_hand = !self.by_hand,
            Action::Hidden if view.role() == SeatRole::Gm => self.step_visibility(form, view),
            // Rows with many values are stepped, not toggled.
            Action::Toggle if !self.can_toggle(form) => {}
            _ => return false,
        }
        true
    }
}

impl DialogSpec for RollDialog {
    fn handle_event(
        &mut self,
        event: &DialogEvent,
        form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        if let DialogEvent::Key(key) = event
            && let Some(letter) = key.letter()
            && letter.is_alphabetic()
            && !form.takes_letters()
        {
            self.type_letter(letter, form, view);
            form.problem = None;
            return Some(DialogAction::Stay);
        }

        // A name such as `Goblin 2` continues with a space and a digit.
        if let DialogEvent::Key(key) = event
            && let Some(digit) = key.letter()
            && digit.is_ascii_digit()
            && self.type_digit_of_name(digit, form, view)
        {
            form.problem = None;
            return Some(DialogAction::Stay);
        }
        let is_blank = *event == DialogEvent::Action(Action::Toggle);
        if is_blank && self.typed_letters.is_name() && !self.can_toggle(form) {
            return Some(DialogAction::Stay);
        }

        // The next letter starts a new word.
        self.typed_letters = TypedLetters::default();

        let action = event.try_as_action_ref()?;
        if !self.perform(*action, form, view) {
            return None;
        }
        if *action != Action::ByHand {
            form.problem = None;
        }
        Some(DialogAction::Stay)
    }

    fn on_input(&mut self, result: FormResult, form: &mut Form, view: &SeatView<'_>) {
        // A typed number for the opponent does not change who the opponent is.
        let current_opponent = opponent_of(self.fields.check, &self.fields.filled.sources);
        if matches!(result, FormResult::Changed) && current_opponent.is_some() {
            self.opponent = current_opponent;
        }
        self.fields.on_input(result, form, view);
        if let FormResult::Stepped(steps) = result
            && let Some(row) = form.focused()
        {
            self.step(row, steps, form, view);
        }
    }

    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        if form.focused() == Some(MORE) {
            self.is_unfolded = true;
        }
        self.fill(form, view);
        self.lay_out(form, view);

        let character = self.fields.who.and_then(|id| view.character(id));
        let name = character.map_or("", |character| &character.name);
        let tested = Tested::of(&self.fields.filled.fields, &self.fields.filled.sources);
        form.title = tested.title(name);
        form.caption.note = self.note(form);

        let fields = self.fields.filled.fields.clone();
        self.chances.update(fields, &view.house);
    }

    /// Returns the roll. If the player rolls real dice, another dialog asks for their faces first.
    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        if let Some(refusal) = &self.fields.refusal {
            return Err(refusal.clone());
        }

        let command = self.command(form, view);
        let fields = command.filled.fields.clone();
        let question = question_before(&command, view);
        let act = Act::from(Command::Roll(Box::new(command)));
        if !self.by_hand {
            return Ok(ask_before(question, DialogAction::Submit(act)));
        }

        let check = CheckToRoll {
            fields: &fields,
            house: &view.house,
            trail: Vec::new(),
            unfinished: None,
        };
        let mut faces_dialog = FacesDialog::ask(form.title.clone(), &act, check);
        if let Some(dialog) = &mut faces_dialog {
            dialog.handle(&DialogEvent::Paste(self.faces.clone()), view);
        }
        Ok(ask_before(question, submit_after(act, faces_dialog)))
    }

    fn after_submit(
        &mut self,
        entry: &Entry,
        _form: &mut Form,
        view: &SeatView<'_>,
    ) -> Option<Dialog> {
        follow(entry, self.by_hand, view)
    }

    fn take_gain_question(&mut self) -> Option<GainQuestion> {
        self.chances.take_gain_question()
    }

    fn on_gains(&mut self, answer: GainAnswer) {
        self.chances.on_gains(answer);
    }

    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        self.chances.blocks(self.fields.check)
    }

    fn answered_call(&self) -> Option<CallId> {
        self.call
    }

    fn rolls_by_hand(&self) -> bool {
        self.by_hand
    }

    fn set_by_hand(&mut self, by_hand: bool, form: &mut Form) {
        self.by_hand = by_hand;
        form.caption.note = self.note(form);
    }

    fn advice(&self) -> &'static [&'static str] {
        self.fields.check.system.spec().when
    }
}

/// Submits an act, or opens a dialog that asks for its dice first.
pub(super) fn submit_after(act: Act, faces_dialog: Option<Dialog>) -> DialogAction {
    match faces_dialog {
        Some(dialog) => DialogAction::interpose(dialog),
        None => DialogAction::Submit(act),
    }
}

/// Returns the source of the faces of a roll.
fn faces_source(by_hand: bool) -> Faces {
    if by_hand {
        Faces::Typed(Vec::new())
    } else {
        Faces::Rolled
    }
}

/// Appends to the note of a form that the player rolls real dice.
pub(super) fn note_with_dice(note: String, by_hand: bool, form: &Form) -> String {
    if !by_hand {
        return note;
    }

    let has_fields = form.rows.len() > 1;
    let dice = if has_fields {
        "by hand: faces after ⟨roll-now⟩"
    } else {
        "by hand"
    };
    if note.is_empty() {
        dice.to_owned()
    } else {
        format!("{note}, {dice}")
    }
}

/// Returns the dialog for the next step of a check after an entry.
fn follow(entry: &Entry, by_hand: bool, view: &SeatView<'_>) -> Option<Dialog> {
    match &entry.event.what {
        EventKind::Rolled(_) | EventKind::Amended { .. } | EventKind::Rerolled { .. } => {
            let opened = OpenedFrom::Roll { by_hand };
            Some(ExplainDialog::open(entry.number, opened, view))
        }
        EventKind::Incomplete(_) => RollDialog::resume(entry.waits()?, view),
        _ => None,
    }
}

/// Returns the dialog for the next step of an unfinished roll after another player changed it. If there is no such
/// step, the check is set up again.
fn after_change(unfinished: &Unfinished, by_hand: bool, view: &SeatView<'_>) -> Option<Dialog> {
    let entry = view
        .log()
        .find(|entry| entry.waits() == Some(unfinished.id));
    if let Some(dialog) = entry.and_then(|entry| follow(&entry, by_hand, view)) {
        return Some(dialog);
    }

    let faces = by_hand.then(String::new);
    RollDialog::prepared(&unfinished.roll, faces, view)
}

/// Returns the role in which this seat makes choices.
fn chosen_by(view: &SeatView<'_>) -> ChosenBy {
    match view.role() {
        SeatRole::Gm => ChosenBy::Gm,
        SeatRole::Player | SeatRole::Watcher => ChosenBy::Player,
    }
}

/// Returns the title of a roll, for example `Mira · Locks`.
pub(super) fn roll_title(roll: &Roll, view: &SeatView<'_>) -> String {
    let Some(tested) = roll.tested(view.system()) else {
        return String::new();
    };
    let character = roll.id.and_then(|id| view.character(id));
    tested.title(character.map_or("", |character| &character.name))
}
