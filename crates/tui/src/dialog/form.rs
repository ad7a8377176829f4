//! A form: rows of values, one of which is being entered. Every dialog in which something is filled in
//! is a table of such rows; moving, typing, the mouse and drawing are here.

mod draft;
mod draw;
mod entry;
mod row;

use std::collections::HashMap;

pub(crate) use self::draft::Draft;
pub(super) use self::entry::{TypedValue, around};
pub(super) use self::row::Row;
pub(super) use self::row::RowId;
use crate::dialog::button_row::ButtonRow;
use crate::dialog::typeahead::Jump;
use crate::dialog::{DialogEvent, Scroll, Touched};
use crate::{Action, Context, Theme};
use ratatui::layout::Position;
use tableside_game::{CallId, Faces, Initiative, NoteId, UnfinishedId};
use tableside_text;

/// The most columns of a refused paste that are shown.
const LONGEST_SHOWN: usize = 20;

/// So many values further is the next page.
const PAGE: usize = 8;

/// The result of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormResult {
    /// The form is as it was, but for what has the focus.
    Unchanged,
    Changed,
    /// A value that the dialog keeps is to be stepped.
    Stepped(i32),
    Submitted,
    /// The button of that place was pressed.
    Pressed(usize),
    Cancelled,
}

/// Rows of values, one of which has the focus; without any, something to be read, and buttons.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something that the others do not"
)]
#[derive(Debug, Default)]
pub struct Form {
    pub(super) title: String,
    /// What stands beside the title.
    pub(super) note: String,
    pub(super) rows: Vec<Row>,
    /// Rows that are not wanted now, with what was entered in them.
    pub(super) spare: Vec<Row>,
    /// Which row keys act on.
    pub(super) focus: usize,
    /// The letters that led to it.
    pub(super) jump: Jump,
    /// What is wrong with the whole.
    pub(super) problem: Option<String>,
    /// Whether what it would lead to is worked out while it is filled in.
    pub(super) has_preview: bool,
    /// What it would lead to if it were submitted as it is, or why that cannot be.
    pub(super) foretold: String,
    pub(super) against: Option<String>,
    /// Whether somebody wanted to be done with it: what is still missing is wrong from then on.
    pub(super) wants_all: bool,
    /// Whether it is only read so far: what is typed by mistake goes nowhere.
    pub(super) is_reading: bool,
    /// What Enter does while the form is only read, as words for its title. `None` if this seat may only read it.
    pub(super) enter_does: Option<&'static str>,
    /// Whether submitting it puts a suggestion before the GM.
    pub suggests: bool,
    /// What is said while there are no rows.
    pub(super) empty_text: &'static str,
    /// Whether what is read stands above the rows.
    pub(super) leads: bool,
    /// Lines that are wanted beneath: at the least, and for all of it.
    pub(super) lines_below: (u16, u16),
    /// Columns that are wanted; `None` for as many as what is told of a check wants.
    pub(super) width: Option<u16>,
    /// How far what is read is scrolled.
    pub(super) scroll: Scroll,
    pub(super) buttons: ButtonRow,
    /// The place whose keys count in it, if it is not that of all forms, or of all that is only read.
    pub(super) place: Option<Context>,
    /// The actions to name at the bottom, the most useful first; those without a key are left out there.
    pub(super) hinted_actions: &'static [Action],
    /// Whether letters are text here, whatever they are bound to.
    pub(super) takes_all: bool,
    /// Whether it shows figures of the whole log, so that older events are to be counted too.
    pub counts_everything: bool,
    /// Whether people roll real dice.
    pub by_hand: bool,
    /// The unfinished check that waits in it for a choice.
    pub waits: Option<UnfinishedId>,
    /// The call that it answers; one that comes in later changes nothing under anybody's fingers.
    pub call: Option<CallId>,
    /// The unread handout that it shows.
    pub handout: Option<NoteId>,
    /// What is copied out of it, where something is shown to be handed on.
    pub copied: Option<String>,
    /// The colours that are tried on while it is open.
    pub theme: Option<Theme>,
    /// Whether what was typed before it was left was just taken up again.
    pub is_taken_up: bool,
    /// What the rules say before one does what it is for: whether a check is needed at all.
    pub(super) advice: &'static [&'static str],
}

/// Columns that most forms want, and those that hold lists and sentences.
const WIDTH: u16 = 68;
const WIDE: u16 = 100;

/// Whether an event moves the focus, scrolls or closes the form.
fn moves_or_closes(event: &DialogEvent) -> bool {
    use Action::{Close, Copy, Down, First, Last, NextField, PageDown, PageUp, PreviousField, Up};
    match event {
        DialogEvent::Action(action) => matches!(
            action,
            Close | Copy | Down | First | Last | NextField | PageDown | PageUp | PreviousField | Up
        ),
        DialogEvent::Click { touched, .. } => matches!(touched, Some(Touched::Row(_)) | None),
        _ => false,
    }
}

impl Form {
    /// A form with the focus on its first row.
    pub(super) fn new(title: impl Into<String>, rows: Vec<Row>) -> Self {
        Self {
            title: title.into(),
            rows,
            width: Some(WIDTH),
            ..Self::default()
        }
    }

    /// It holds lists and sentences.
    pub(super) fn wide(self) -> Self {
        self.with_width(WIDE)
    }

    pub(super) fn with_width(self, width: u16) -> Self {
        let width = Some(width);
        Self { width, ..self }
    }

    /// A list, where these keys count and are named at the bottom.
    pub(super) fn with_context(
        mut self,
        place: Context,
        hinted_actions: &'static [Action],
    ) -> Self {
        self.place = Some(place);
        self.hinted_actions = hinted_actions;
        self
    }

    /// Shows these rows from now on. What was entered in a row stays with its id, also while the row is
    /// not shown; so does the focus.
    pub(super) fn lay_out(&mut self, rows: Vec<Row>) {
        let focused = self.focused();
        let mut known_rows: Vec<Option<Row>> = self
            .rows
            .drain(..)
            .chain(self.spare.drain(..))
            .map(Some)
            .collect();
        let mut known_places = HashMap::with_capacity(known_rows.len());
        for (place, row) in known_rows.iter().flatten().enumerate() {
            known_places.entry(row.id).or_insert(place);
        }

        for mut row in rows {
            let known_place = known_places.remove(&row.id);
            if let Some(before) = known_place.and_then(|place| known_rows[place].take()) {
                // A value that nobody touched gives way where the row begins with another one.
                let gives_way = matches!(before.entry, TypedValue::Choice(_))
                    && before.value() == before.before
                    && before.before != row.before;
                if before.bounds == row.bounds && !gives_way {
                    before.entry.carry_into(&mut row.entry);
                    row.before = before.before;
                }
            }
            self.rows.push(row);
        }
        self.spare = known_rows.into_iter().flatten().collect();
        let place = self.rows.iter().position(|row| Some(row.id) == focused);
        self.focus = place.unwrap_or_else(|| self.focus.min(self.rows.len().saturating_sub(1)));
    }

    /// Forgets what is typed over shown values.
    pub(super) fn untype(&mut self, of: impl Fn(RowId) -> bool) {
        for row in self.rows.iter_mut().chain(&mut self.spare) {
            if of(row.id) {
                row.entry.untype();
            }
        }
    }

    /// The row of that id, also while it is not shown.
    pub(super) fn row(&self, id: impl Into<RowId>) -> Option<&Row> {
        let id = id.into();
        self.rows.iter().chain(&self.spare).find(|row| row.id == id)
    }

    pub(super) fn row_mut(&mut self, id: impl Into<RowId>) -> Option<&mut Row> {
        let id = id.into();
        self.rows.iter_mut().find(|row| row.id == id)
    }

    /// What was entered there, in words.
    pub(super) fn text(&self, id: impl Into<RowId>) -> String {
        self.row(id).map_or_else(String::new, Row::value)
    }

    /// Which word stands there.
    pub(super) fn choice(&self, id: impl Into<RowId>) -> usize {
        let row = self.row(id);
        let choice = row.and_then(|row| row.entry.try_as_choice_ref());
        choice.map_or(0, |choice| choice.at)
    }

    /// Which of these stands there.
    pub(super) fn picked<T: Copy>(&self, id: impl Into<RowId>, all: &[T]) -> T {
        let picked = all.get(self.choice(id)).or_else(|| all.first());
        *picked.expect("there is something to pick")
    }

    /// Whether it is on.
    pub(super) fn is_on(&self, id: impl Into<RowId>) -> bool {
        self.choice(id) == 1
    }

    /// The number there, `None` while it is empty.
    pub(super) fn maybe_number(&self, id: impl Into<RowId>) -> Result<Option<i32>, String> {
        self.row(id).map_or(Ok(None), Row::maybe_number)
    }

    /// The number in the order of turns there, `None` while it is empty.
    pub(super) fn initiative(&self, id: impl Into<RowId>) -> Result<Option<Initiative>, String> {
        self.row(id).map_or(Ok(None), Row::maybe_initiative)
    }

    /// The number that is needed there.
    pub(super) fn number(&self, id: impl Into<RowId>) -> Result<i32, String> {
        self.maybe_number(id)?
            .ok_or_else(|| "a number is still to be said".to_owned())
    }

    /// Those that somebody changed.
    pub(super) fn changed(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.is_changed())
    }

    /// What is being typed over a shown value.
    pub(super) fn typed(&self, id: impl Into<RowId>) -> Option<&str> {
        Some(self.row(id)?.entry.being_typed()?.value())
    }

    /// The row that has the focus.
    pub(super) fn focused(&self) -> Option<RowId> {
        Some(self.rows.get(self.focus)?.id)
    }

    pub(super) fn context(&self) -> Context {
        let usual = [Context::Form, Context::Help][usize::from(self.rows.is_empty())];
        self.place.unwrap_or(usual)
    }

    /// Where the faces of what is rolled come from: real ones are asked for.
    pub fn faces(&self) -> Faces {
        let asked = Faces::Typed(Vec::new());
        if self.by_hand { asked } else { Faces::Rolled }
    }

    /// What matters in it now.
    pub fn hints(&self) -> &'static [Action] {
        use Action::{
            Close, Copy, DeleteLine, Down, Lower, NextButton, NextField, PageDown, Press, Raise,
            Submit, Up,
        };
        if !self.hinted_actions.is_empty() || self.place.is_some() {
            return self.hinted_actions;
        }
        let Some(focused) = self.rows.get(self.focus) else {
            return match (self.buttons.is_empty(), self.scroll.has_more()) {
                (false, _) => &[Press, NextButton],
                (true, _) if self.copied.is_some() => &[Copy],
                (true, true) => &[Up, Down, PageDown],
                (true, false) => &[Close],
            };
        };
        let all: &[Action] = match (self.takes_letters(), self.rows.len() > 1) {
            _ if self.is_reading && self.enter_does.is_none() => return &[NextField],
            _ if self.is_reading => return &[NextField, Lower, Raise],
            (true, true) => &[Submit, NextField, DeleteLine],
            (true, false) => &[Submit, DeleteLine],
            (false, true) => return &[Submit, NextField, Lower, Raise],
            (false, false) if self.scroll.has_more() => return &[Lower, Raise, PageDown],
            (false, false) => return &[Submit, Lower, Raise],
        };
        &all[..all.len() - usize::from(focused.entry.text().is_empty())]
    }

    /// Whether an event would write into what is only read so far; any other begins to edit it.
    pub(super) fn is_only_read(&mut self, event: &DialogEvent) -> bool {
        let typed = matches!(event, DialogEvent::Key(_) | DialogEvent::Paste(_));
        let begins = matches!(event, DialogEvent::Action(Action::Submit));
        if self.is_reading && self.enter_does.is_none() {
            return !moves_or_closes(event);
        }
        let was_reading = self.is_reading;
        self.is_reading &= typed;
        was_reading && (typed || begins)
    }

    /// True if a dialog on top of it would get keys that are meant as text.
    pub fn is_being_written(&self) -> bool {
        self.takes_letters() || self.changed().next().is_some()
    }

    /// Whether keys that write a letter write it.
    pub(super) fn takes_letters(&self) -> bool {
        let focused = self.rows.get(self.focus);
        self.takes_all || focused.is_some_and(|row| row.entry.is_text())
    }

    /// Whether a key that writes this letter writes it; among figures there is no question mark.
    pub fn takes(&self, letter: char) -> bool {
        let of_figures = matches!(self.focused(), Some(RowId::Row("faces" | "missing")));
        self.takes_letters() && !(of_figures && letter == '?')
    }

    pub(super) fn handle(&mut self, event: &DialogEvent) -> FormResult {
        if let DialogEvent::Action(action) = event
            && self.scrolls(*action)
        {
            return FormResult::Unchanged;
        }
        if self.rows.is_empty()
            && let Some(button) = self.buttons.handle(event)
        {
            return FormResult::Pressed(button);
        }
        let went = match event {
            DialogEvent::Action(action) => match action {
                // What is only read has nothing else to press.
                Action::Close | Action::Press => return FormResult::Cancelled,
                Action::Submit | Action::RollNow | Action::Open => return FormResult::Submitted,
                Action::ByHand => {
                    self.by_hand = !self.by_hand;
                    FormResult::Unchanged
                }
                Action::PreviousField | Action::Up => self.walk(-1),
                Action::NextField | Action::Down => self.walk(1),
                Action::Lower | Action::Left => self.step(-1),
                Action::Raise | Action::Right | Action::Toggle => self.step(1),
                action => match action.distance(PAGE) {
                    Some(by) => self.focus_index(self.focus.saturating_add_signed(by)),
                    None => self.enter(event),
                },
            },
            DialogEvent::Click { at, touched } => self.click(*touched, *at),
            event => self.enter(event),
        };
        if !matches!(went, FormResult::Unchanged) {
            self.problem = None;
        }
        went
    }

    /// Scrolls what is read, where no row is walked to by that.
    fn scrolls(&mut self, action: Action) -> bool {
        let is_page = matches!(action, Action::PageUp | Action::PageDown);
        let scrolls = self.scroll.has_more() && (is_page || self.rows.len() < 2);
        scrolls && self.scroll.apply(action)
    }

    /// Whether a letter behind the digits of a number leads to another row instead of belonging to the number. It never
    /// does among the names of the turn order, where `1e2` would go to somebody else.
    fn leads_from_number(&self, letter: char) -> bool {
        let Some(row) = self.rows.get(self.focus) else {
            return false;
        };
        let is_number = row
            .entry
            .digits()
            .is_some_and(|digits| !digits.is_initiative());
        let begins = |row: &Row| {
            let first = row.label.trim().chars().next();
            first.is_some_and(|first| {
                tableside_text::is_same_name(&first.to_string(), &letter.to_string())
            })
        };
        is_number && letter.is_alphabetic() && self.rows.iter().any(begins)
    }

    fn enter(&mut self, event: &DialogEvent) -> FormResult {
        let leads = match event {
            DialogEvent::Key(key) => key
                .letter()
                .is_some_and(|letter| self.leads_from_number(letter)),
            _ => false,
        };
        let Some(row) = self.rows.get_mut(self.focus) else {
            return FormResult::Unchanged;
        };
        let changed = match event {
            DialogEvent::Action(action) => row.entry.apply(*action),
            DialogEvent::Key(key) => {
                // The letters that led to an empty text may go on: `sk` leads to the skills and is no skill.
                let letter = key.letter().filter(|_| row.entry.text().is_empty());
                let leads_on = letter.is_some_and(|letter| self.jump.goes_on(letter, &row.label));
                let typed = !leads_on && !leads && row.entry.type_key(*key);
                if !typed && let Some(letter) = key.letter() {
                    self.jump_to(letter);
                }
                typed
            }
            DialogEvent::Paste(text) => {
                let is_taken = row.entry.paste(text);
                if !is_taken && row.entry.digits().is_some() {
                    let shown = tableside_text::fit(text.trim(), LONGEST_SHOWN).into_owned();
                    self.problem = Some(format!("{shown:?} is no number that fits there"));
                }
                is_taken
            }
            DialogEvent::Click { .. } | DialogEvent::Written(_) => false,
        };
        if changed {
            self.jump.forget();
            FormResult::Changed
        } else {
            FormResult::Unchanged
        }
    }

    fn step(&mut self, by: i32) -> FormResult {
        self.jump.forget();
        let Some(row) = self.rows.get_mut(self.focus) else {
            return FormResult::Unchanged;
        };
        row.entry.step(by, row.bounds);
        self.scroll = Scroll::default();
        if row.entry.is_kept() {
            FormResult::Stepped(by)
        } else {
            FormResult::Changed
        }
    }

    fn walk(&mut self, by: i32) -> FormResult {
        self.focus_index(around(self.focus, by, self.rows.len()))
    }

    /// Moves to a row whose label begins with all letters typed so far, else to the next one that begins
    /// with the last letter alone.
    fn jump_to(&mut self, letter: char) {
        let labels: Vec<&str> = self.rows.iter().map(|row| &*row.label).collect();
        let mut jump = std::mem::take(&mut self.jump);
        if let Some(place) = jump.to(letter, self.focus, &labels) {
            self.focus_index(place);
        }
        self.jump = jump;
    }

    /// Moves the focus to that row, or to the last one.
    pub(super) fn focus_index(&mut self, place: usize) -> FormResult {
        let place = place.min(self.rows.len().saturating_sub(1));
        self.jump.forget();
        if place != self.focus {
            self.scroll = Scroll::default();
        }
        if place != self.focus
            && let Some(row) = self.rows.get_mut(self.focus)
        {
            // What was typed and understood is the value from now on.
            if row.problem.is_none() {
                row.entry.untype();
            }
            row.entry.freshen();
        }
        self.focus = place;
        FormResult::Unchanged
    }

    /// Moves the focus to that row, if it is there.
    pub(super) fn focus_row(&mut self, id: impl Into<RowId>) {
        let id = id.into();
        if let Some(place) = self.rows.iter().position(|row| row.id == id) {
            self.focus_index(place);
        }
    }

    /// What the mouse pressed: the focus goes there, and a press on the focus steps or opens it.
    fn click(&mut self, touched: Option<Touched>, at: Position) -> FormResult {
        let is_item = self.rows.get(self.focus).is_some_and(|row| row.is_item);
        match touched {
            Some(Touched::Row(row) | Touched::Value(row, _)) if row == self.focus && is_item => {
                FormResult::Submitted
            }
            Some(Touched::Value(row, by)) if row == self.focus => self.step(by),
            Some(Touched::Row(row) | Touched::Value(row, _)) => self.focus_index(row),
            Some(Touched::Text(row, area)) => {
                self.focus_index(row);
                let row = self.rows.get_mut(row);
                if let Some(field) = row.and_then(|row| row.entry.try_as_text_mut()) {
                    field.click(area, at.x);
                }
                FormResult::Unchanged
            }
            _ => FormResult::Unchanged,
        }
    }
}
