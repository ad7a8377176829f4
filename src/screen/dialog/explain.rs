//! An entry of the log, step by step, and what can be done about it: read from the log, or right after
//! the roll.

use ratatui::layout::Position;

use super::follow_ups::follow_ups;
use super::form::{Form, Row, Went};
use super::press::{Button, Press};
use super::reading::{Block, Reading, Scroll, wanted};
use super::roll_summary::drawn;
use super::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::rules::Effect;
use crate::screen::action::{Action, Context};
use crate::screen::roll_requests;
use crate::screen::theme::Role;
use crate::screen::widget::columns;
use crate::session::{Command, EventKind, Faces, LONGEST_NOTE, Roll};
use crate::table::{Act, Entry, Part, SeatView};

/// What can be done about an entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Next {
    Do(Act),
    /// Begins a note.
    Note,
    /// Sets the same check up again.
    Again,
    /// Goes on with the next check.
    Roll,
    Close,
}

/// An entry of the log, step by step, and what was done about it.
#[derive(Debug)]
pub struct ExplainDialog {
    pub(super) number: u64,
    /// Its title, if it is the result of a check just made: then one may go on from it.
    result: Option<String>,
    press: Press<Next>,
    scroll: Scroll,
    /// A note being written.
    note: Option<Form>,
    /// What was done about it: the entries, in words.
    said: Vec<(u64, String)>,
    problem: Option<String>,
}

/// Columns that an explanation wants without buttons.
const WIDTH: u16 = 72;

impl ExplainDialog {
    /// Explains that entry.
    pub fn new(number: u64, seen: &SeatView<'_>) -> Self {
        Self::of(number, None, seen)
    }

    /// The result of a check just made, under that title.
    pub(super) fn of(number: u64, result: Option<String>, seen: &SeatView<'_>) -> Self {
        let mut explanation = Self {
            number,
            result,
            press: Press::new(Vec::new()),
            scroll: Scroll::default(),
            note: None,
            said: Vec::new(),
            problem: None,
        };
        explanation.offer(seen);
        explanation
    }

    /// Draws an entry beside the log, where stands already when it was and by whom.
    pub fn draw_beside(number: u64, seen: &SeatView<'_>, canvas: &mut Canvas<'_>) {
        let told = seen
            .explain(number)
            .into_iter()
            .flat_map(|(_, parts)| parts);
        let blocks = told.skip(2).map(drawn);
        let area = canvas.area;
        Scroll::default().draw(&blocks.collect::<Vec<_>>(), area, canvas);
    }

    /// Offers what can be done now. After a roll Enter deals the damage that is still to be dealt, and
    /// then leaves; whoever reads presses nothing with Enter but the way out.
    fn offer(&mut self, seen: &SeatView<'_>) {
        let entry = seen.entry(self.number);
        let follow_ups = entry.as_ref().map(|entry| follow_ups(entry, seen));
        // Digits press them, for names would lend them any letter.
        let numbered = follow_ups.into_iter().flatten().zip('1'..='9');
        let mut offered: Vec<Button<Next>> = numbered
            .map(|((command, label), digit)| {
                let next = Next::Do(command.into());
                Button::new(next, format!("{digit} {label}"), digit)
            })
            .collect();
        let roll = entry.as_ref().and_then(|entry| entry.roll());
        if let Some(roll) = roll.filter(|_| self.result.is_some()) {
            offered.push(Button::new(Next::Note, note_word(roll), 'n'));
        }
        if seen.may_reroll(self.number) {
            let (entry, faces) = (self.number, Faces::Rolled);
            let favor = Next::Do(Act::Reroll { entry, faces });
            offered.push(Button::new(favor, "Favor: roll again", 'f'));
        }
        if self.result.is_some() {
            if let Some(call) = roll_requests::to_answer(seen).next() {
                let who = seen.owner_name(Some(call.who));
                offered.push(Button::new(Next::Roll, format!("Roll for {who}"), 'r'));
            }
            // Rolling again has its letter in the log, and has the same here.
            offered.push(Button::new(Next::Again, "Again", 'y'));
        }
        if !offered.is_empty() {
            offered.push(Button::new(Next::Close, "Close", 'c'));
        }
        let before = std::mem::replace(&mut self.press, Press::new(offered));
        let is_damage = |next: &Next| match next {
            Next::Do(Act::Do(command)) => matches!(**command, Command::Damage { .. }),
            _ => false,
        };
        if !self.press.mark(|next| before.marked() == Some(next)) && self.result.is_some() {
            self.press.mark(is_damage);
        }
    }

    /// Handles an event; returns what is to be done, if that is what was pressed.
    pub(super) fn next(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> Option<Next> {
        if let Some(note) = &mut self.note {
            match note.handle(event) {
                Went::Left => self.note = None,
                Went::Submitted => return self.noted(),
                Went::On | Went::Changed | Went::Stepped(_) => {}
            }
            return None;
        }
        match event {
            DialogEvent::Action(Action::Close) => return Some(Next::Close),
            DialogEvent::Action(Action::Open | Action::Press) if self.press.buttons.is_empty() => {
                return Some(Next::Close);
            }
            DialogEvent::Action(Action::Roll) if self.result.is_some() => return Some(Next::Roll),
            DialogEvent::Action(Action::Repeat) if self.result.is_some() => {
                return Some(Next::Again);
            }
            DialogEvent::Action(Action::Undo) if self.result.is_some() => {
                let undoing = self.undoing(seen);
                self.problem = undoing.as_ref().err().map(|why| (*why).to_owned());
                return undoing.ok().map(Next::Do);
            }
            DialogEvent::Action(action) => self.scroll.apply(*action),
            _ => {}
        }
        let pressed = self.press.handle(event).cloned();
        if pressed == Some(Next::Note) {
            let row = Row::text("note", "Note", "", LONGEST_NOTE).hint("what happens");
            self.note = Some(Form::new("", vec![row.help("Enter keeps it.")]));
            return None;
        }
        pressed
    }

    /// The act that takes back what was done here last, and then the check itself, or why it cannot be by
    /// one key. What others did after it stays: it is struck out from under that.
    fn undoing(&self, seen: &SeatView<'_>) -> Result<Act, &'static str> {
        let mut all = self.said.iter().rev().map(|(number, _)| *number);
        let done = all.find(|number| !seen.is_struck(*number));
        let entry = done.unwrap_or(self.number);
        if seen.is_struck(entry) {
            return Err("it is taken back already");
        }
        let seat = seen.seat();
        let acts = |later: &Entry| later.event.what.is_an_act() && !seen.is_struck(later.number);
        let own = |later: &Entry| seat.sees_all() || later.by == seat.name;
        let mut later = seen.log_since(entry + 1);
        if !later.any(|later| acts(&later) && own(&later)) {
            return Ok(Act::Undo);
        }
        let reason = String::new();
        let struck = seat.sees_all().then_some(Act::Strike { entry, reason });
        struck.ok_or("what you did after it is taken back first, on the table")
    }

    /// The note that is written, ready to be kept.
    fn noted(&self) -> Option<Next> {
        let text = self.note.as_ref()?.text("note");
        let about = Some(self.number);
        (!text.is_empty()).then(|| Next::Do(Command::Note { text, about }.into()))
    }

    /// Its title, and everything there is to be read. Whoever just rolled knows when and with what.
    fn blocks(&self, seen: &SeatView<'_>) -> (String, Vec<Block>) {
        let Some((title, parts)) = seen.explain(self.number) else {
            let gone = "That entry is not to be read from here.";
            return (String::new(), vec![Block::words(Role::Muted, gone)]);
        };
        let is_known = |part: &Part| matches!(part, Part::Aside(_) | Part::Heading(_));
        let parts = parts
            .into_iter()
            .skip(if self.result.is_some() { 2 } else { 0 });
        let parts = parts.filter(|part| !(self.result.is_some() && is_known(part)));
        let mut blocks: Vec<Block> = parts.map(drawn).collect();
        let said = self.said.iter();
        let mut said = said
            .filter(|(number, _)| !seen.is_struck(*number))
            .peekable();
        if said.peek().is_some() {
            blocks.push(Block::Gap);
        }
        blocks.extend(said.map(|(_, words)| Block::led(Role::Info, "✓ ", words)));
        (title, blocks)
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

impl Dialog for ExplainDialog {
    fn contexts(&self) -> &'static [Context] {
        match (&self.note, self.result.is_some()) {
            (Some(_), _) => Context::Field.chain(),
            (None, true) => Context::Result.chain(),
            (None, false) => &[Context::Help, Context::Choice, Context::Always],
        }
    }

    fn hints(&self) -> &'static [Action] {
        const RESULT: &[Action] = &[
            Action::Press,
            Action::Roll,
            Action::Undo,
            Action::Repeat,
            Action::PreviousButton,
            Action::NextButton,
            Action::Close,
            Action::PageDown,
        ];
        match (self.result.is_some(), self.scroll.has_more()) {
            _ if self.note.is_some() => &[Action::Submit, Action::Close],
            (true, true) => RESULT,
            (true, false) => &RESULT[..RESULT.len() - 1],
            _ if !self.press.buttons.is_empty() => {
                &[Action::Press, Action::NextButton, Action::Close]
            }
            (false, true) => &[Action::Up, Action::Down, Action::PageDown, Action::Close],
            (false, false) => &[Action::Close],
        }
    }

    fn takes_letters(&self) -> bool {
        self.note.is_some()
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        match self.next(event, seen) {
            Some(Next::Do(act)) => DialogAction::Submit(act),
            Some(_) => DialogAction::Close,
            None => DialogAction::Stay,
        }
    }

    fn on_result(&mut self, result: Result<&Entry, &str>, seen: &SeatView<'_>) {
        match result {
            // What holds now is explained.
            Ok(entry) if seen.replaces(entry.number) == Some(self.number) => {
                *self = Self::of(entry.number, self.result.take(), seen);
            }
            // The check itself, taken in already when the table changed.
            Ok(entry) if entry.number == self.number => {}
            Ok(entry) => {
                let is_taken_back = matches!(
                    entry.event.what,
                    EventKind::Undone { .. } | EventKind::Struck { .. }
                );
                if !is_taken_back {
                    let words = entry.event.text(seen.system());
                    self.said.push((entry.number, words));
                }
                self.problem = None;
                self.note = None;
                self.offer(seen);
            }
            Err(problem) => {
                let note = self.note.as_mut().map(|note| &mut note.problem);
                *note.unwrap_or(&mut self.problem) = Some(problem.to_owned());
            }
        }
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.offer(seen);
    }

    fn view(&self, seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let tag = seen.tag(self.number);
        let (own, blocks) = self.blocks(seen);
        let title = self.result.as_ref().unwrap_or(&own);
        if let Some(note) = &self.note {
            return note.draw_over((title, &tag), &blocks, &self.scroll, canvas);
        }
        let reading = Reading {
            width: if self.press.buttons.is_empty() {
                WIDTH.max(columns(title) + 8)
            } else {
                wanted(canvas.area)
            },
            title: title.clone(),
            note: tag,
            blocks,
        };
        reading.draw(&self.press, self.problem.as_deref(), &self.scroll, canvas);
        None
    }
}
