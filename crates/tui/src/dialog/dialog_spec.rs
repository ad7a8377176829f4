//! A dialog: a form of rows, what stands beneath them, and buttons. What tells it from the others is its
//! [`DialogSpec`].

use ratatui::layout::Position;

use crate::app::action::Context;
use crate::app::background::DiceOdds;
use crate::dialog::{Block, Canvas, DialogAction, DialogEvent, Form, FormResult, Row, RowId};
use crate::dialog::{GainAnswer, GainQuestion};
use tableside_dice::notation::Notation;
use tableside_game::{Command, CommandError};
use tableside_table::{Act, Entry, SeatView};

/// What tells one dialog from the others.
pub trait DialogSpec: Send {
    /// Lays the rows out, and says what is wrong and what stands beside them: after the dialog opened,
    /// something was entered, or the table changed.
    fn refresh(&mut self, _form: &mut Form, _view: &SeatView<'_>) {}

    /// Does what an event means here alone; `None` where it means what it does in every dialog.
    fn handle_event(
        &mut self,
        _event: &DialogEvent,
        _form: &mut Form,
        _view: &SeatView<'_>,
    ) -> Option<DialogAction> {
        None
    }

    /// Takes what was entered or stepped, before the rows are laid out anew.
    fn take_input(&mut self, _went: FormResult, _form: &mut Form, _view: &SeatView<'_>) {}

    /// What is to be done, or what is still wrong.
    fn submit(&mut self, _form: &mut Form, _view: &SeatView<'_>) -> Result<DialogAction, String> {
        Ok(DialogAction::Stay)
    }

    /// What that button does, counted from 0.
    fn press(&mut self, _button: usize, _form: &mut Form, _view: &SeatView<'_>) -> DialogAction {
        DialogAction::Close
    }

    /// Takes in what was done with what it submitted. Returns the dialog that takes its place, if one does.
    fn after_submit(&mut self, _: &Entry, _: &mut Form, _: &SeatView<'_>) -> Option<Dialog> {
        None
    }

    /// Called after every change of the table. Returns the dialog that takes its place, if one does.
    fn on_change(&mut self, _form: &mut Form, _view: &SeatView<'_>) -> Option<Dialog> {
        None
    }

    /// What it wants worked out in the background, once for each question; the answer goes to
    /// [`DialogSpec::take_answer`].
    fn take_question(&mut self) -> Option<GainQuestion> {
        None
    }

    /// Takes an answer worked out in the background; one that comes too late is dropped.
    fn take_answer(&mut self, _answer: GainAnswer) {}

    /// Returns dice whose odds take too long for a key, once for each expression.
    fn take_dice_question(&mut self, _form: &Form) -> Option<Notation> {
        None
    }

    /// Takes the odds of dice that [`DialogSpec::take_dice_question`] returned.
    fn take_dice_odds(&mut self, _odds: &DiceOdds) {}

    /// What is read beneath the rows; paging scrolls it.
    fn blocks(&self, _form: &Form, _view: &SeatView<'_>, _canvas: &Canvas<'_>) -> Vec<Block> {
        Vec::new()
    }

    /// Draws it; returns where the terminal's cursor belongs.
    fn draw(&self, form: &Form, blocks: Vec<Block>, canvas: &mut Canvas<'_>) -> Option<Position> {
        form.draw(blocks, canvas)
    }
}

/// What most forms are: how they are laid out, and what is done with them.
impl<L, S> DialogSpec for (L, S)
where
    L: Fn(&mut Form, &SeatView<'_>) + Send,
    S: Fn(&Form, &SeatView<'_>) -> Result<DialogAction, String> + Send,
{
    fn refresh(&mut self, form: &mut Form, view: &SeatView<'_>) {
        (self.0)(form, view);
    }

    fn submit(&mut self, form: &mut Form, view: &SeatView<'_>) -> Result<DialogAction, String> {
        (self.1)(form, view)
    }
}

/// A form with its `DialogSpec`, on top of the table.
pub struct Dialog {
    pub form: Form,
    pub spec: Box<dyn DialogSpec>,
    /// What it goes back to, where it only asks for something in between.
    before: Option<Box<Self>>,
}

/// Lines for what a form would lead to: at the least, and at most.
const FORESEEN: (u16, u16) = (1, 3);

/// More commands than that are not worked out beforehand.
const MOST_FORESEEN: usize = 20;

/// A form of these rows, and what is done with them.
pub(super) fn ask(
    title: impl Into<String>,
    rows: Vec<Row>,
    view: &SeatView<'_>,
    submit: impl Fn(&Form, &SeatView<'_>) -> Result<DialogAction, String> + Send + 'static,
) -> Dialog {
    ask_over(Form::new(title, rows), view, |_, _| {}, submit)
}

/// A form that is laid out anew whenever something is entered, and what is done with it.
pub(super) fn ask_over(
    mut form: Form,
    view: &SeatView<'_>,
    refresh: impl Fn(&mut Form, &SeatView<'_>) + Send + 'static,
    submit: impl Fn(&Form, &SeatView<'_>) -> Result<DialogAction, String> + Send + 'static,
) -> Dialog {
    form.has_preview = true;
    Dialog::new(form, (refresh, submit), view)
}

impl Dialog {
    pub(super) fn new(form: Form, spec: impl DialogSpec + 'static, view: &SeatView<'_>) -> Self {
        let mut dialog = Self::without_view(form, spec);
        dialog.refresh(view);
        dialog
    }

    /// One that needs nothing of the table to be laid out.
    pub(super) fn without_view(form: Form, spec: impl DialogSpec + 'static) -> Self {
        let (spec, before) = (Box::new(spec), None);
        Self { form, spec, before }
    }

    /// Says beneath the rows what they would lead to.
    pub(super) fn with_preview_lines(mut self) -> Self {
        self.form.lines_below = FORESEEN;
        self
    }

    /// The same with the focus on that row.
    pub(super) fn with_focus(mut self, id: impl Into<RowId>) -> Self {
        self.form.focus_row(id);
        self
    }

    /// The same with the focus on that row, counted from 0.
    pub(super) fn with_focus_index(mut self, place: usize) -> Self {
        self.form.focus_index(place);
        self
    }

    /// The places whose keys count in it now, the nearest first.
    pub fn contexts(&self) -> &'static [Context] {
        let place = self.form.context();
        if self.form.takes_letters() {
            place.chain_of_text()
        } else {
            place.chain()
        }
    }

    /// Handles what a person did. `Close` goes back a step, from the first one out.
    pub fn handle(&mut self, event: &DialogEvent, view: &SeatView<'_>) -> DialogAction {
        match (self.react(event, view), self.before.take()) {
            (DialogAction::Close, Some(before)) => {
                *self = *before;
                self.on_change(view);
            }
            // Closes this one alone, once the table has taken it.
            (
                DialogAction::SubmitAndClose(act) | DialogAction::SubmitAndReturn(act),
                Some(before),
            ) => {
                self.before = Some(before);
                return DialogAction::Submit(act);
            }
            (DialogAction::Replace(next), _) => *self = *next,
            (DialogAction::AskFirst(next), _) => {
                let before = std::mem::replace(self, *next);
                self.before = Some(Box::new(before));
            }
            (action, before) => {
                self.before = before;
                return action;
            }
        }
        DialogAction::Stay
    }

    fn react(&mut self, event: &DialogEvent, view: &SeatView<'_>) -> DialogAction {
        let form = &mut self.form;
        if form.is_only_read(event) {
            return DialogAction::Stay;
        }
        let done = match self.spec.handle_event(event, form, view) {
            Some(done) => done,
            None => match form.handle(event) {
                FormResult::Cancelled => DialogAction::Close,
                FormResult::Submitted => self.submit(view),
                FormResult::Pressed(button) => self.spec.press(button, form, view),
                // What is only read changes with the table alone.
                FormResult::Unchanged if form.rows.is_empty() => return DialogAction::Stay,
                went => {
                    self.spec.take_input(went, form, view);
                    DialogAction::Stay
                }
            },
        };
        if matches!(done, DialogAction::Stay) {
            self.refresh(view);
        }
        done
    }

    fn refresh(&mut self, view: &SeatView<'_>) {
        let form = &mut self.form;
        (form.foretold, form.against) = (String::new(), None);
        for row in &mut form.rows {
            row.problem = None;
        }
        self.spec.refresh(form, view);
        for row in &mut form.rows {
            let number = row.number_problem();
            row.problem = row.problem.take().or(number);
        }
        let is_whole = |row: &Row| row.problem.is_none() && !row.is_missing();
        if form.has_preview && form.rows.iter().all(is_whole) {
            let submitted = self.spec.submit(form, view);
            match submitted.and_then(|action| foresee(&action, view)) {
                Ok(words) => form.foretold = words.unwrap_or_default(),
                Err(why) => form.against = Some(why),
            }
        }
        // What is needed and is not there is missing, once somebody wanted to be done.
        let is_missing = |row: &&mut Row| form.wants_all && row.is_missing();
        for row in form.rows.iter_mut().filter(is_missing) {
            row.problem = Some(format!("{} is still to be said", row.label));
        }
    }

    fn submit(&mut self, view: &SeatView<'_>) -> DialogAction {
        self.form.wants_all = true;
        self.refresh(view);
        let form = &mut self.form;
        let is_wrong = |row: &Row| row.problem.is_some() && !row.is_item;
        if let Some(wrong) = form.rows.iter().position(is_wrong) {
            form.focus_index(wrong);
            return DialogAction::Stay;
        }
        form.wants_all = false;
        let submitted = self.spec.submit(form, view);
        let foreseen = submitted.and_then(|action| Ok((foresee(&action, view)?, action)));
        match foreseen {
            // Nothing would be otherwise.
            Ok((None, _)) => DialogAction::Close,
            Ok((Some(_), action)) => action,
            Err(problem) => {
                form.problem = Some(problem);
                DialogAction::Stay
            }
        }
    }

    /// Takes in the result of what it submitted: the entry, or the reason of a refusal.
    pub fn on_result(&mut self, result: Result<&Entry, &str>, view: &SeatView<'_>) {
        let entry = match result {
            Ok(entry) => entry,
            Err(problem) => {
                self.form.problem = Some(problem.to_owned());
                return self.refresh(view);
            }
        };
        self.form.problem = None;
        if let Some(next) = self.spec.after_submit(entry, &mut self.form, view) {
            *self = next;
        } else if let Some(before) = self.before.take() {
            *self = *before;
            self.on_result(result, view);
        } else {
            self.refresh(view);
        }
    }

    /// Takes the text of a filter, and lays the rows out by it.
    pub fn filter(&mut self, text: String, view: &SeatView<'_>) {
        self.form.note = text;
        self.refresh(view);
    }

    /// Called after every change of the table.
    pub fn on_change(&mut self, view: &SeatView<'_>) {
        match self.spec.on_change(&mut self.form, view) {
            Some(next) => *self = next,
            None => self.refresh(view),
        }
    }

    /// Whether the call that it is for was answered or taken back meanwhile.
    pub fn is_answered(&self, view: &SeatView<'_>) -> bool {
        let is_gone = self.form.call.is_some_and(|call| view.call(call).is_none());
        let before = self.before.as_ref();
        is_gone || before.is_some_and(|before| before.is_answered(view))
    }

    /// Draws it; returns where the terminal's cursor belongs.
    pub fn view(&self, view: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let blocks = self.spec.blocks(&self.form, view, canvas);
        self.spec.draw(&self.form, blocks, canvas)
    }
}

/// What it would lead to, `None` if to nothing. What this seat may not do, it may still suggest.
fn foresee(action: &DialogAction, view: &SeatView<'_>) -> Result<Option<String>, String> {
    let (DialogAction::SubmitAndClose(act) | DialogAction::SubmitAndReturn(act)) = action else {
        return Ok(Some(String::new()));
    };
    let Act::Do(command) = act else {
        return Ok(Some(String::new()));
    };
    if matches!(&**command, Command::All(all) if all.len() > MOST_FORESEEN) {
        return Ok(Some(String::new()));
    }
    match view.preview(command) {
        Ok(words) => Ok(Some(words)),
        Err(CommandError::Unchanged) => Ok(None),
        Err(CommandError::NotAllowed(_)) => Ok(Some(String::new())),
        Err(refusal) => Err(refusal.to_string()),
    }
}
