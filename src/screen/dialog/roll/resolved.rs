//! A check that is resolved: what it came to, what followed, and what can be done about it.

mod after;

use self::after::follow_ups;
use crate::rules::Effect;
use crate::screen::dialog::button_row::Press;
use crate::screen::dialog::roll_summary::{dice_of, done, drawn, follows, headline, story};
use crate::screen::dialog::scroll::{Block, Scroll};
use crate::screen::roll_requests;
use crate::screen::theme::Role;
use crate::screen::widget::field::Field;
use crate::session::{CallId, Command, EventKind, LONGEST_NOTE, Roll};
use crate::table::{Act, Entry, SeatView, read_again};

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
    next: Vec<Next>,
    pub(super) press: Press,
    pub(super) scroll: Scroll,
    /// A note being written.
    pub(super) note: Option<Field>,
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
            next: Vec::new(),
            press: Press::default(),
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
            offered.push((Next::Note, word.to_owned(), Some('n')));
        }
        if seen.may_reroll(self.entry.number) {
            offered.push((Next::Favor, FAVOR.to_owned(), Some('f')));
        }
        if let Some(call) = roll_requests::to_answer(seen).next() {
            let who = seen.owner_name(Some(call.who));
            offered.push((Next::Called(call.id), format!("Roll for {who}"), Some('r')));
        }
        // Rolling again has its letter in the log, and has the same here.
        offered.push((Next::Again, "Again".to_owned(), Some('y')));
        offered.push((Next::Close, "Close".to_owned(), Some('c')));
        let marked = self.next.get(self.press.focus).cloned();
        let is =
            |wanted: &dyn Fn(&Next) -> bool| offered.iter().position(|(next, ..)| wanted(next));
        let hurts =
            |next: &Next| matches!(next, Next::Do(act) if matches!(**act, Command::Damage { .. }));
        let focus = is(&|next| Some(next) == marked.as_ref()).or_else(|| is(&hurts));
        let focus = focus.unwrap_or(offered.len() - 1);
        (self.next, self.press) = pressing(offered);
        self.press.focus = focus;
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

    /// What the button stands for.
    pub(super) fn pressed(&self, button: usize) -> Option<&Next> {
        self.next.get(button)
    }

    /// Begins a note.
    pub(super) fn begin_note(&mut self) {
        self.note = Some(Field::new("", LONGEST_NOTE));
    }

    /// The note that is written, ready to be kept.
    pub(super) fn noted(&self) -> Option<Command> {
        let text = self.note.as_ref()?.value().trim().to_owned();
        let about = Some(self.entry.number);
        (!text.is_empty()).then_some(Command::Note { text, about })
    }

    /// Learns what came of what was done about it.
    pub(super) fn told(&mut self, told: Result<&Entry, &str>, seen: &SeatView<'_>) {
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
            Err(problem) => self.problem = Some(problem.to_owned()),
        }
    }

    /// Everything there is to be read.
    pub(super) fn blocks(&self, seen: &SeatView<'_>, ascii: bool) -> Vec<Block> {
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
            blocks.push(headline(spec, &outcome, ascii));
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
}

/// A button: what it stands for, what it says, and what presses it.
pub(in crate::screen::dialog) type Offered<T> = (T, String, Option<char>);

/// What follows from that entry and was not done since: digits press it, for names would lend it any letter.
pub(in crate::screen::dialog) fn numbered(
    entry: &Entry,
    seen: &SeatView<'_>,
) -> Vec<Offered<Next>> {
    let doing = follow_ups(entry, seen).into_iter().zip('1'..='9');
    doing
        .map(|((command, label), digit)| {
            let next = Next::Do(Box::new(command));
            (next, format!("{digit} {label}"), Some(digit))
        })
        .collect()
}

/// Those buttons as a row.
pub(in crate::screen::dialog) fn pressing(offered: Vec<Offered<Next>>) -> (Vec<Next>, Press) {
    let (mut all, mut labels, mut letters) = (Vec::new(), Vec::new(), Vec::new());
    for (next, label, letter) in offered {
        all.push(next);
        labels.push(label);
        letters.push(letter);
    }
    (all, Press::lettered(labels, letters))
}
