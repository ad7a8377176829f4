//! The roll dialog: a check is set up, rolled, answered, and read.

mod amend;
mod chances;
mod faces;
mod setup;
mod stages;
mod value;
mod waiting;

use ratatui::layout::Position;

pub use amend::AmendDialog;
pub use chances::{Worths, Worthwhile};
pub(super) use value::starts;

use self::chances::Chances;
use self::faces::ByHand;
use self::setup::{Closed, Setup};
use self::waiting::{Stands, Waiting};
use super::explain::Explanation;
use super::reading::Scroll;
use super::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::rules::ChosenBy;
use crate::screen::action::{Action, Context};
use crate::screen::roll_requests;
use crate::session::{
    CallId, Change, CharacterId, ClockId, EventKind, Roll, Subject, UnfinishedId,
};
use crate::table::{Entry, Role as SeatRole, SeatView};

/// A check: set up, rolled, answered, read.
#[derive(Debug)]
pub struct RollDialog {
    setup: Setup,
    chances: Chances,
    /// Whether people roll real dice.
    by_hand: bool,
    stage: Stage,
}

/// Where the check stands.
#[derive(Clone, Debug)]
enum Stage {
    SetUp,
    /// Faces are typed in, for a check that is new, answered, or waiting.
    Faces(Box<ByHand>, For),
    /// It waits for a choice.
    Waits(Box<Waiting>),
    Resolved(Box<Explanation>),
}

/// What faces are typed in for.
#[derive(Clone, Debug)]
enum For {
    Roll,
    /// The answer to a choice, which is given with them.
    Answer(Box<Waiting>),
    /// A check that waits for them.
    Waiting(UnfinishedId),
    /// That roll, repeated for a Favor.
    Favor(u64),
}

/// Who answers from this seat.
fn by(seen: &SeatView<'_>) -> ChosenBy {
    match seen.seat().role {
        SeatRole::Gm => ChosenBy::Gm,
        SeatRole::Player | SeatRole::Watcher => ChosenBy::Player,
    }
}

impl RollDialog {
    fn from_setup(setup: Setup, seen: &SeatView<'_>) -> Self {
        let mut opened = Self {
            setup,
            chances: Chances::default(),
            by_hand: false,
            stage: Stage::SetUp,
        };
        opened.weigh(seen);
        opened
    }

    /// Opens it on that character, or where that one has a check that waits or is called for, on that
    /// check.
    ///
    /// # Panics
    /// When the system has no check; every system has.
    pub fn open(who: Option<CharacterId>, seen: &SeatView<'_>) -> Self {
        let mut own = seen.unfinished().filter(|one| one.roll.id.is_some());
        let waiting = own.find(|one| one.roll.id == who);
        if let Some(waiting) = waiting.and_then(|waiting| Self::resume(waiting.id, seen)) {
            return waiting;
        }
        let called = roll_requests::to_answer(seen).find(|call| who == Some(call.who));
        if let Some(called) = called.and_then(|call| Self::called(call.id, seen)) {
            return called;
        }
        let checks = seen.system().spec().checks;
        let check = checks.first().expect("every system has a check");
        Self::from_setup(Setup::new(who, check, seen), seen)
    }

    /// Opens the check that somebody is called on to make.
    pub fn called(call: CallId, seen: &SeatView<'_>) -> Option<Self> {
        let call = seen.call(call)?;
        let setup = Setup::called(call, seen)?;
        Some(Self::from_setup(setup, seen))
    }

    /// Opens a check that waits for somebody.
    pub fn resume(check: UnfinishedId, seen: &SeatView<'_>) -> Option<Self> {
        let waiting = seen.unfinished().find(|waiting| waiting.id == check)?;
        let setup = Setup::repeat(&waiting.roll, seen)?;
        let mut opened = Self::from_setup(setup, seen);
        opened.wait(check, seen).then_some(opened)
    }

    /// Opens the same check as that entry of the log was.
    pub fn repeat(entry: u64, seen: &SeatView<'_>) -> Option<Self> {
        let entry = seen.entry(entry)?;
        let setup = Setup::repeat(entry.roll()?, seen)?;
        Some(Self::from_setup(setup, seen))
    }

    pub fn prepared(roll: &Roll, seen: &SeatView<'_>) -> Option<Self> {
        Some(Self::from_setup(Setup::repeat(roll, seen)?, seen))
    }

    /// Opens the check that fills that clock, if one does.
    pub fn for_clock(
        clock: ClockId,
        who: Option<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Option<Self> {
        let setup = Setup::for_clock(seen.clock(clock)?.clock, who, seen)?;
        Some(Self::from_setup(setup, seen))
    }

    fn weigh(&mut self, seen: &SeatView<'_>) {
        let mut fields = self.setup.fields().clone();
        fields.decide(seen.house());
        self.chances.weigh(&fields, seen.house());
    }

    /// Goes to where an unfinished check stands; whether it is one that this seat sees.
    fn wait(&mut self, check: UnfinishedId, seen: &SeatView<'_>) -> bool {
        let waiting = seen.unfinished().find(|waiting| waiting.id == check);
        match waiting.and_then(|waiting| Waiting::at(waiting, seen)) {
            Some(Stands::Choice(waiting)) => self.stage = Stage::Waits(waiting),
            Some(Stands::Dice(by_hand)) => {
                self.stage = Stage::Faces(by_hand, For::Waiting(check));
            }
            None => return false,
        }
        true
    }

    /// Takes in what became of the check, whoever did it.
    fn take_in(&mut self, entry: &Entry, seen: &SeatView<'_>) {
        match &entry.event.what {
            EventKind::Rolled(_) | EventKind::Amended { .. } | EventKind::Rerolled { .. } => {
                let result = Explanation::new(entry.number, true, seen);
                self.stage = Stage::Resolved(Box::new(result));
            }
            EventKind::Incomplete(_) => {
                if let Some(check) = entry.event.changes.iter().find_map(begun) {
                    self.wait(check, seen);
                }
            }
            _ => self.stage = Stage::SetUp,
        }
    }
}

/// The check that an event let wait.
fn begun(change: &Change) -> Option<UnfinishedId> {
    match change.of {
        Subject::Unfinished(id) if !change.to.is_null() => Some(id),
        _ => None,
    }
}

/// Whether an event ended that check, or led it on.
fn concerns(entry: &Entry, check: UnfinishedId) -> bool {
    let mut changes = entry.event.changes.iter();
    changes.any(|change| change.of == Subject::Unfinished(check))
}

impl Dialog for RollDialog {
    fn contexts(&self) -> &'static [Context] {
        const CHOOSING: &[Context] = &[
            Context::Choice,
            Context::Roll,
            Context::Help,
            Context::Always,
        ];
        const TYPING: &[Context] = &[Context::Field, Context::Roll, Context::Always];
        match &self.stage {
            Stage::SetUp if self.takes_letters() => TYPING,
            Stage::SetUp => Context::Roll.chain(),
            Stage::Faces(..) => TYPING,
            Stage::Resolved(resolved) if resolved.note.is_some() => Context::Field.chain(),
            Stage::Waits(_) => CHOOSING,
            Stage::Resolved(_) => Context::Result.chain(),
        }
    }

    fn hints(&self) -> &'static [Action] {
        const PRESSING: &[Action] = &[
            Action::Press,
            Action::Roll,
            Action::Undo,
            Action::Repeat,
            Action::PreviousButton,
            Action::NextButton,
            Action::Close,
            Action::PageDown,
        ];
        match &self.stage {
            Stage::SetUp => &[
                Action::RollNow,
                Action::Submit,
                Action::Lower,
                Action::Raise,
                Action::PreviousCheck,
                Action::NextCheck,
                Action::ByHand,
                Action::Closed,
                Action::Help,
                Action::Close,
            ],
            Stage::Faces(..) => &[Action::Submit, Action::DeleteLine, Action::Close],
            Stage::Waits(_) => &[
                Action::Press,
                Action::PreviousButton,
                Action::NextButton,
                Action::ByHand,
                Action::Close,
            ],
            Stage::Resolved(resolved) if resolved.note.is_some() => {
                &[Action::Submit, Action::Close]
            }
            Stage::Resolved(resolved) if resolved.scroll.has_more() => PRESSING,
            Stage::Resolved(_) => PRESSING.split_last().map_or(PRESSING, |(_, all)| all),
        }
    }

    fn takes_letters(&self) -> bool {
        match &self.stage {
            Stage::SetUp => self.setup.form.takes_letters(),
            Stage::Faces(..) | Stage::Waits(_) => true,
            Stage::Resolved(resolved) => resolved.note.is_some(),
        }
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        match self.stage {
            Stage::SetUp => self.handle_setup(event, seen),
            Stage::Faces(..) => self.handle_faces(event, seen),
            Stage::Waits(_) => self.handle_choice(event, seen),
            Stage::Resolved(_) => self.handle_resolved(event, seen),
        }
    }

    fn on_result(&mut self, told: Result<&Entry, &str>, seen: &SeatView<'_>) {
        match (&mut self.stage, told) {
            (Stage::Resolved(resolved), told) => resolved.on_result(told, seen),
            (_, Ok(entry)) => self.take_in(entry, seen),
            (Stage::SetUp, Err(problem)) => self.setup.refuse(Some(problem.to_owned())),
            (Stage::Faces(by_hand, _), Err(problem)) => by_hand.refuse(problem),
            (Stage::Waits(waiting), Err(problem)) => waiting.problem = Some(problem.to_owned()),
        }
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.setup.refresh(seen);
        self.weigh(seen);
        let check = match &mut self.stage {
            Stage::SetUp | Stage::Faces(_, For::Roll | For::Favor(_)) => return,
            Stage::Resolved(resolved) => return resolved.offer(seen),
            Stage::Faces(_, For::Waiting(check)) => *check,
            Stage::Waits(waiting) | Stage::Faces(_, For::Answer(waiting)) => waiting.id(),
        };
        // Somebody else may have answered: then there is something new about the check.
        let now = seen.unfinished().find(|waiting| waiting.id == check);
        let same = match &self.stage {
            Stage::Waits(waiting) | Stage::Faces(_, For::Answer(waiting)) => {
                now.is_some_and(|now| *now == waiting.check)
            }
            Stage::SetUp | Stage::Faces(..) | Stage::Resolved(_) => now.is_some(),
        };
        if !same {
            let newest = seen.log().find(|entry| concerns(entry, check));
            match newest {
                Some(entry) => self.take_in(&entry.clone(), seen),
                None => self.stage = Stage::SetUp,
            }
        }
    }

    fn waits(&self) -> Option<(UnfinishedId, bool)> {
        match &self.stage {
            Stage::Waits(waiting) => Some((waiting.id(), self.by_hand)),
            Stage::SetUp | Stage::Faces(..) | Stage::Resolved(_) => None,
        }
    }

    fn go_on_by_hand(&mut self) {
        self.by_hand = true;
    }

    fn wonder(&mut self) -> Option<Worthwhile> {
        self.chances.wonder()
    }

    fn learn(&mut self, wondered: Worths) {
        self.chances.learn(wondered);
    }

    fn advice(&self) -> &'static [&'static str] {
        match self.stage {
            Stage::SetUp => self.setup.check.system.spec().when,
            Stage::Faces(..) | Stage::Waits(_) | Stage::Resolved(_) => &[],
        }
    }

    fn view(&self, seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let title = self.title(seen);
        match &self.stage {
            Stage::SetUp => self.draw_setup(&title, seen, canvas),
            Stage::Faces(by_hand, _) => by_hand.draw(&title, canvas),
            Stage::Waits(waiting) => {
                waiting.draw(&title, &self.note(seen), seen, canvas);
                None
            }
            Stage::Resolved(resolved) => resolved.draw(Some(&title), seen, canvas),
        }
    }
}

impl RollDialog {
    /// `Mira: Skill check`.
    fn title(&self, seen: &SeatView<'_>) -> String {
        let who = self.setup.who.and_then(|id| seen.character(id));
        match who {
            Some(who) => format!("{}: {}", who.name, self.setup.check.label),
            None => self.setup.check.label.to_owned(),
        }
    }

    /// How it is rolled, if that is not as usual.
    fn note(&self, seen: &SeatView<'_>) -> String {
        let setup = &self.setup;
        let call = setup.call.and_then(|call| seen.call(call));
        let is_called = call.is_some_and(|call| call.check == setup.check.id);
        let words = [
            is_called.then_some("called for"),
            setup.group.is_some().then_some("for all"),
            self.by_hand.then_some("by hand"),
            (setup.closed != Closed::Open).then_some("closed"),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn draw_setup(
        &self,
        title: &str,
        seen: &SeatView<'_>,
        canvas: &mut Canvas<'_>,
    ) -> Option<Position> {
        let blocks = self.chances.blocks(self.setup.check, canvas.look);
        let note = self.note(seen);
        let form = &self.setup.form;
        form.draw_over((title, &note), &blocks, &Scroll::default(), canvas)
    }
}
