//! A check that is resolved: what it came to, what followed, and what can be done about it.

mod after;

use self::after::follow_ups;
use crate::rules::Effect;
use crate::screen::dialog::Canvas;
use crate::screen::dialog::form::{Form, Row};
use crate::screen::dialog::press::{Button, Press};
use crate::screen::dialog::reading::{Block, Reading, Scroll, wanted};
use crate::screen::dialog::roll_summary::{dice_of, done, drawn, follows, headline, story};
use crate::screen::roll_requests;
use crate::screen::theme::Role;
use crate::session::{CallId, Command, EventKind, LONGEST_NOTE, Roll};
use crate::table::{Act, Entry, SeatView, read_again};
use ratatui::layout::Position;

/// What can be done about a resolved check.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::screen::dialog) enum Next {
    /// Does that.
    Do(Box<Command>),
    /// Writes something down about it.
    Note,
    /// Rolls it again for a Favor, and accepts what comes.
    Favor,
    /// Sets the same check up again.
    Again,
    /// Goes on with the next check that is called for.
    Called(CallId),
    /// Leaves it.
    Close,
}

/// A check that is resolved.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    entry: Entry,
    pub(super) press: Press<Next>,
    pub(super) scroll: Scroll,
    /// A note being written.
    pub(super) note: Option<Form>,
    /// What was done about it: the entries, in words.
    said: Vec<(u64, String)>,
    pub(super) problem: Option<String>,
}

/// What a Favor does, on a button.
pub(in crate::screen::dialog) const FAVOR: &str = "Favor: roll again";

impl Resolved {
    /// The check of that entry.
    pub(super) fn new(entry: &Entry, seen: &SeatView<'_>) -> Self {
        let mut resolved = Self {
            entry: entry.clone(),
            press: Press::new(Vec::new()),
            scroll: Scroll::default(),
            note: None,
            said: Vec::new(),
            problem: None,
        };
        resolved.offer(seen);
        resolved
    }

    /// The check.
    pub(super) fn roll(&self) -> Option<&Roll> {
        self.entry.roll()
    }

    /// The entry's number.
    pub(super) fn number(&self) -> u64 {
        self.entry.number
    }

    /// Offers what can be done now. Enter deals the damage that is still to be dealt, and then leaves.
    pub(super) fn offer(&mut self, seen: &SeatView<'_>) {
        let mut offered = numbered(&self.entry, seen);
        if let Some(roll) = self.entry.roll() {
            let word = if roll.effects.contains(&Effect::Complication) {
                "Note the complication"
            } else if roll.effects.contains(&Effect::AtACost) {
                "Note the cost"
            } else {
                "Note"
            };
            offered.push(Button::new(Next::Note, word, 'n'));
        }
        if seen.may_reroll(self.entry.number) {
            offered.push(Button::new(Next::Favor, FAVOR, 'f'));
        }
        if let Some(call) = roll_requests::to_answer(seen).next() {
            let who = seen.owner_name(Some(call.who));
            let next = Next::Called(call.id);
            offered.push(Button::new(next, format!("Roll for {who}"), 'r'));
        }
        // Rolling again has its letter in the log, and has the same here.
        offered.push(Button::new(Next::Again, "Again", 'y'));
        offered.push(Button::new(Next::Close, "Close", 'c'));
        let before = std::mem::replace(&mut self.press, Press::new(offered));
        if !self.press.mark(|next| before.marked() == Some(next)) {
            self.press.mark(
                |next| matches!(next, Next::Do(act) if matches!(**act, Command::Damage { .. })),
            );
        }
    }

    /// The act that takes back what was done here last, and then the check itself, or why it cannot be by
    /// one key. What others did after it stays: it is struck out from under that.
    pub(super) fn undoing(&self, seen: &SeatView<'_>) -> Result<Act, &'static str> {
        let mut all = self.said.iter().rev().map(|(number, _)| *number);
        let done = all.find(|number| !seen.is_struck(*number));
        let entry = done.unwrap_or(self.entry.number);
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

    /// Begins a note.
    pub(super) fn begin_note(&mut self) {
        let row = Row::text("note", "Note", "", LONGEST_NOTE).hint("what happens");
        self.note = Some(Form::new("", vec![row.help("Enter keeps it.")]));
    }

    /// The note that is written, ready to be kept.
    pub(super) fn noted(&self) -> Option<Command> {
        let text = self.note.as_ref()?.text("note");
        let about = Some(self.entry.number);
        (!text.is_empty()).then_some(Command::Note { text, about })
    }

    /// Learns what came of what was done about it.
    pub(super) fn on_result(&mut self, told: Result<&Entry, &str>, seen: &SeatView<'_>) {
        match told {
            // The check itself, taken in already when the table changed.
            Ok(entry) if entry.number == self.entry.number => {}
            Ok(entry) => {
                if !matches!(
                    entry.event.what,
                    EventKind::Undone { .. } | EventKind::Struck { .. }
                ) {
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

    /// Everything there is to be read.
    fn blocks(&self, seen: &SeatView<'_>, ascii: bool) -> Vec<Block> {
        let mut blocks = Vec::new();
        let others = seen.other_readings(self.entry.number);
        let is_replaced = seen.replaced_by(self.entry.number).is_some();
        if !others.is_empty() {
            blocks.extend(others.into_iter().map(|part| drawn(part, ascii)));
            blocks.push(Block::Gap);
        }
        if seen.is_struck(self.entry.number) && !is_replaced {
            let words = "Taken back: what followed was returned.";
            blocks.push(Block::words(Role::Warning, words));
        }
        let read = self.roll().and_then(|roll| read_again(roll, seen.system()));
        if let Some((spec, outcome)) = read {
            if !outcome.dice.is_empty() {
                blocks.push(Block::Dice(dice_of(&outcome.dice)));
            }
            blocks.push(Block::Parts(headline(spec, &outcome, ascii)));
            blocks.push(Block::Gap);
            blocks.extend(story(&outcome, ascii));
        }
        let follows = follows(&self.entry.event, seen, ascii);
        if !follows.is_empty() {
            blocks.push(Block::Gap);
            blocks.extend(follows);
        }
        let said = self.said.iter();
        let said = said.filter(|(number, _)| !seen.is_struck(*number));
        let said: Vec<String> = said.map(|(_, words)| words.clone()).collect();
        blocks.extend(done(&said, ascii));
        blocks
    }

    pub(super) fn draw(
        &self,
        title: &str,
        seen: &SeatView<'_>,
        canvas: &mut Canvas<'_>,
    ) -> Option<Position> {
        let (tag, blocks) = (
            seen.tag(self.number()),
            self.blocks(seen, canvas.look.ascii),
        );
        if let Some(note) = &self.note {
            return note.draw_over((title, &tag), &blocks, &self.scroll, canvas);
        }
        let reading = Reading {
            title,
            note: &tag,
            blocks: &blocks,
            press: Some(&self.press),
            problem: self.problem.as_deref(),
            width: wanted(canvas.area),
        };
        reading.draw(&self.scroll, canvas);
        None
    }
}

/// What follows from that entry and was not done since: digits press it, for names would lend it any letter.
pub(in crate::screen::dialog) fn numbered(entry: &Entry, seen: &SeatView<'_>) -> Vec<Button<Next>> {
    let doing = follow_ups(entry, seen).into_iter().zip('1'..='9');
    doing
        .map(|((command, label), digit)| {
            let next = Next::Do(Box::new(command));
            Button::new(next, format!("{digit} {label}"), digit)
        })
        .collect()
}
