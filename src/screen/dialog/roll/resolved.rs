//! A check that is resolved: what it came to, what followed, and what can be done about it.

mod after;

use crate::rules::{Ask, Effect};
use crate::screen::calls;
use crate::screen::dialog::press::Press;
use crate::screen::dialog::scroll::{Block, Scroll};
use crate::screen::dialog::telling::{dice_of, drawn, follows, headline, story};
use crate::screen::theme::Role;
use crate::screen::widget::field::Field;
use crate::session::{CallId, ClockKind, Command, LONGEST_NOTE, Roll};
use crate::table::{Entry, Role as SeatRole, Seen, read_again};

/// What can be done about a resolved check.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Next {
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
    /// What was done about it, in words.
    said: Vec<String>,
    /// The buttons that were pressed for it, by what they say: what is done is offered once.
    done: Vec<String>,
    pub(super) problem: Option<String>,
}

/// What a Favor does, on a button.
pub(in crate::screen::dialog) const FAVOR: &str = "Favor: roll again";

/// So many clocks are offered to be ticked.
const MOST_CLOCKS: usize = 3;

impl Resolved {
    /// The check of that entry.
    pub(super) fn new(entry: &Entry, seen: &Seen<'_>) -> Self {
        let mut resolved = Self {
            entry: entry.clone(),
            next: Vec::new(),
            press: Press::default(),
            scroll: Scroll::default(),
            note: None,
            said: Vec::new(),
            done: Vec::new(),
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

    /// Offers what can be done now; leaving it is what Enter does.
    pub(super) fn offer(&mut self, seen: &Seen<'_>) {
        let mut offered: Vec<(Next, String)> = Vec::new();
        if let Some(roll) = self.entry.roll() {
            let mut doing = after::follow_ups(roll, seen);
            doing.extend(ticks(roll, seen));
            doing.retain(|(_, label)| !self.done.contains(label));
            offered.extend(doing.into_iter().map(|(command, label)| {
                let command = Box::new(command);
                (Next::Do(command), label)
            }));
            let word = if roll.effects.contains(&Effect::Complication) {
                "Note the complication"
            } else if roll.effects.contains(&Effect::AtACost) {
                "Note the cost"
            } else {
                "Note"
            };
            offered.push((Next::Note, word.to_owned()));
        }
        if seen.may_reroll(self.entry.number) {
            offered.push((Next::Favor, FAVOR.to_owned()));
        }
        if let Some(call) = calls::to_answer(seen).next() {
            let who = seen.owner_name(Some(call.who));
            offered.push((Next::Called(call.id), format!("Roll for {who}")));
        }
        offered.push((Next::Again, "Again".to_owned()));
        offered.push((Next::Close, "Close".to_owned()));
        let marked = self.next.get(self.press.focus).cloned();
        let labels;
        (self.next, labels) = offered.into_iter().unzip();
        self.press = Press::new(labels);
        let marked = self
            .next
            .iter()
            .position(|next| Some(next) == marked.as_ref());
        self.press.focus = marked.unwrap_or(self.press.focus);
        // Rolling again has its letter in the log, and has the same here.
        let again = self.next.iter().position(|next| *next == Next::Again);
        if let Some(letter) = again.and_then(|at| self.press.letters.get_mut(at)) {
            *letter = Some('y');
        }
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
    pub(super) fn told(&mut self, told: Result<&Entry, &str>, seen: &Seen<'_>) {
        match told {
            // The check itself, taken in already when the table changed.
            Ok(entry) if entry.number == self.entry.number => {}
            Ok(entry) => {
                self.said.push(entry.event.text(seen.system()));
                self.problem = None;
                self.note = None;
                let pressed = self.press.labels.get(self.press.focus);
                self.done.extend(pressed.cloned());
                // Damage is taken once, whole or half of it.
                let hurts = |next: &Next| matches!(next, Next::Do(act) if matches!(**act, Command::Damage { .. }));
                if self.next.get(self.press.focus).is_some_and(hurts) {
                    let both = self.next.iter().zip(&self.press.labels);
                    let both = both.filter(|(next, _)| hurts(next));
                    self.done.extend(both.map(|(_, label)| label.clone()));
                }
                self.offer(seen);
            }
            Err(problem) => self.problem = Some(problem.to_owned()),
        }
    }

    /// Everything there is to be read.
    pub(super) fn blocks(&self, seen: &Seen<'_>, ascii: bool) -> Vec<Block> {
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
        if !self.said.is_empty() {
            blocks.push(Block::Gap);
        }
        let done = if ascii { "x " } else { "✓ " };
        blocks.extend(self.said.iter().map(|words| Block::Words {
            role: Role::Info,
            lead: done.to_owned(),
            words: words.clone(),
        }));
        blocks
    }
}

/// The clocks that what came of it would fill, where it was rolled for none.
fn ticks(roll: &Roll, seen: &Seen<'_>) -> Vec<(Command, String)> {
    let wounding = roll
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Damage { .. }));
    if roll.clock.is_some() || wounding || seen.seat().role != SeatRole::Gm {
        return Vec::new();
    }
    let Some((_, outcome)) = read_again(roll, seen.system()) else {
        return Vec::new();
    };
    let machine = roll.machine(seen.system()).ok();
    let end = machine.and_then(|machine| machine.after(&roll.trail).ok());
    let levels = match end {
        Some(Ask::Done(_, tally)) => tally.levels.max(0),
        _ => 0,
    };
    let trouble = outcome.success == Some(false) || roll.effects.contains(&Effect::Complication);
    let by = |kind| match kind {
        ClockKind::Countdown => i32::from(trouble),
        ClockKind::TugOfWar if outcome.success == Some(false) => -1,
        ClockKind::Effort | ClockKind::Race | ClockKind::TugOfWar => levels,
    };
    let clocks = seen.clocks().map(|seen| seen.clock);
    let open = clocks.filter(|clock| {
        let moves = clock.after(by(clock.kind)) != clock.filled;
        clock.rule.is_none() && moves
    });
    open.take(MOST_CLOCKS)
        .map(|clock| {
            let by = by(clock.kind);
            let tick = Command::Tick {
                clock: clock.id,
                by,
            };
            let sign = if by < 0 { '−' } else { '+' };
            (tick, format!("{} {sign}{}", clock.name, by.abs()))
        })
        .collect()
}
