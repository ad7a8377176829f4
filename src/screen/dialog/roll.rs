//! The roll dialog: a check is set up, rolled, answered, and read.

mod amend;
mod chances;
mod choice;
mod faces;
mod setup;

use ratatui::layout::Position;

pub use amend::AmendDialog;
pub use chances::{Worths, Worthwhile};

use self::chances::Chances;
use self::choice::{Pressed, Waiting};
use self::faces::ByHand;
use self::setup::Setup;
use super::explain::{ExplainDialog, Next};
use super::form::Went;
use super::reading::Scroll;
use super::{Canvas, Dialog, DialogAction, DialogEvent};
use crate::screen::action::{Action, Context};
use crate::screen::roll_requests;
use crate::session::{
    CallId, CharacterId, ClockId, Command, EventKind, Roll, Subject, UnfinishedId,
};
use crate::table::{Act, Entry, Role, SeatView};

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
#[derive(Debug)]
enum Stage {
    SetUp,
    /// Faces are typed in; Esc goes back to the stage before, if there was one.
    Faces(Box<ByHand>, Option<Box<Self>>),
    /// It waits for a choice.
    Waits(Box<Waiting>),
    Resolved(Box<ExplainDialog>),
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

    /// Opens it on that character, or on the check that waits for that one or is called for.
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
        let first = checks.first().expect("every system has a check");
        Self::from_setup(Setup::open(who, first, seen), seen)
    }

    /// Opens the check that somebody is called on to make.
    pub fn called(call: CallId, seen: &SeatView<'_>) -> Option<Self> {
        let call = seen.call(call)?;
        let check = seen.system().check(&call.check).ok()?;
        let setup = Setup::open(Some(call.who), check, seen);
        Some(Self::from_setup(setup, seen))
    }

    /// Opens a check that waits for somebody.
    pub fn resume(check: UnfinishedId, seen: &SeatView<'_>) -> Option<Self> {
        let waiting = seen.unfinished().find(|waiting| waiting.id == check)?;
        let mut opened = Self::prepared(&waiting.roll, seen)?;
        opened.wait(check, seen).then_some(opened)
    }

    /// Opens the same check as that entry of the log was.
    pub fn repeat(entry: u64, seen: &SeatView<'_>) -> Option<Self> {
        Self::prepared(seen.entry(entry)?.roll()?, seen)
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
        let fields = self.setup.fields.filled.fields.clone();
        self.chances.weigh(fields, &seen.house);
    }

    /// Goes to where an unfinished check stands; returns whether it is one that this seat sees.
    fn wait(&mut self, check: UnfinishedId, seen: &SeatView<'_>) -> bool {
        let Some(waiting) = seen.unfinished().find(|waiting| waiting.id == check) else {
            return false;
        };
        if let Some(waiting) = Waiting::at(waiting, seen) {
            self.stage = Stage::Waits(Box::new(waiting));
            return true;
        }
        let (roll, faces) = (&waiting.roll, Vec::new());
        let act = Command::TypeFaces { check, faces }.into();
        let fields = roll.all_fields(seen.system()).ok();
        let by_hand =
            fields.and_then(|fields| ByHand::after(roll.trail.clone(), &fields, &roll.house, act));
        let Some(by_hand) = by_hand else {
            return false;
        };
        self.stage = Stage::Faces(Box::new(by_hand), None);
        true
    }

    /// Goes to where the check stands after that entry, whoever made it.
    fn follow(&mut self, entry: &Entry, seen: &SeatView<'_>) {
        match &entry.event.what {
            EventKind::Rolled(_) | EventKind::Amended { .. } | EventKind::Rerolled { .. } => {
                let title = Some(self.title(seen));
                let result = ExplainDialog::of(entry.number, title, seen);
                self.stage = Stage::Resolved(Box::new(result));
            }
            EventKind::Incomplete(_) => {
                let mut changes = entry.event.changes.iter();
                let begun = changes.find_map(|change| match change.of {
                    Subject::Unfinished(id) if !change.to.is_null() => Some(id),
                    _ => None,
                });
                if let Some(check) = begun {
                    self.wait(check, seen);
                }
            }
            _ => self.stage = Stage::SetUp,
        }
    }

    /// Submits an act; with real dice their faces are typed first.
    fn submit(&mut self, act: Act, by_hand: Option<ByHand>) -> DialogAction {
        let Some(by_hand) = by_hand.filter(|_| self.by_hand) else {
            return DialogAction::Submit(act);
        };
        let before = std::mem::replace(&mut self.stage, Stage::SetUp);
        self.stage = Stage::Faces(Box::new(by_hand), Some(Box::new(before)));
        DialogAction::Stay
    }

    fn handle_setup(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        let setup = &mut self.setup;
        match event {
            DialogEvent::Action(Action::RollNow) => return self.roll(seen),
            DialogEvent::Action(Action::PreviousCheck) => setup.step_check(-1, seen),
            DialogEvent::Action(Action::NextCheck) => setup.step_check(1, seen),
            DialogEvent::Action(Action::Closed) if seen.seat().role == Role::Gm => {
                setup.step_closed(seen);
            }
            DialogEvent::Action(Action::ByHand) => self.by_hand = !self.by_hand,
            DialogEvent::Action(Action::Toggle) if !setup.is_turned() => {}
            event => match setup.handle(event, seen) {
                Went::Left => return DialogAction::Close,
                Went::Submitted => return self.roll(seen),
                Went::On | Went::Changed | Went::Stepped(_) => {}
            },
        }
        self.weigh(seen);
        DialogAction::Stay
    }

    fn roll(&mut self, seen: &SeatView<'_>) -> DialogAction {
        let Some(command) = self.setup.command(seen) else {
            return DialogAction::Stay;
        };
        let fields = command.filled.fields.clone();
        let act: Act = Command::Roll(Box::new(command)).into();
        let by_hand = ByHand::after(Vec::new(), &fields, &seen.house, act.clone());
        self.submit(act, by_hand)
    }

    fn handle_faces(&mut self, event: &DialogEvent) -> DialogAction {
        let Stage::Faces(by_hand, before) = &mut self.stage else {
            return DialogAction::Stay;
        };
        match by_hand.handle(event) {
            Went::Left if by_hand.back() => {}
            Went::Left => match before.take() {
                Some(before) => self.stage = *before,
                // Nothing is lost: it waits until somebody takes it up again.
                None => return DialogAction::Close,
            },
            Went::Submitted => {
                if let Some(act) = by_hand.enter() {
                    return DialogAction::Submit(act);
                }
            }
            Went::On | Went::Changed | Went::Stepped(_) => {}
        }
        DialogAction::Stay
    }

    fn handle_choice(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        let Stage::Waits(waiting) = &mut self.stage else {
            return DialogAction::Stay;
        };
        match event {
            // It waits until somebody takes it up again.
            DialogEvent::Action(Action::Close) => return DialogAction::Close,
            DialogEvent::Action(Action::ByHand) => self.by_hand = !self.by_hand,
            event => match waiting.press.handle(event) {
                Some(Pressed::Option) => {
                    if let Some((answer, by_hand)) = waiting.answer(seen) {
                        return self.submit(answer, by_hand);
                    }
                }
                Some(Pressed::Another) => self.stage = Stage::SetUp,
                Some(Pressed::GiveUp) => return Command::Abandon(waiting.check.id).into(),
                None => {}
            },
        }
        DialogAction::Stay
    }

    fn handle_resolved(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        let Stage::Resolved(resolved) = &mut self.stage else {
            return DialogAction::Stay;
        };
        let entry = resolved.number;
        match resolved.next(event, seen) {
            None | Some(Next::Note) => {}
            Some(Next::Do(act @ Act::Reroll { .. })) => {
                let entry = seen.entry(entry);
                let by_hand = entry.as_ref().and_then(|entry| {
                    let roll = entry.roll()?;
                    let fields = roll.all_fields(seen.system()).ok()?;
                    ByHand::after(Vec::new(), &fields, &roll.house, act.clone())
                });
                return self.submit(act, by_hand);
            }
            Some(Next::Do(act)) => return DialogAction::Submit(act),
            Some(Next::Again) => self.go_on(Self::repeat(entry, seen)),
            Some(Next::Roll) => self.next_roll(seen),
            Some(Next::Close) => return DialogAction::Close,
        }
        DialogAction::Stay
    }

    /// Goes on with the check that is called for next, else with a new one by the same character.
    fn next_roll(&mut self, seen: &SeatView<'_>) {
        let called = roll_requests::to_answer(seen).next();
        let called = called.and_then(|call| Self::called(call.id, seen));
        self.go_on(called.or_else(|| Some(Self::open(self.setup.fields.who, seen))));
    }

    fn go_on(&mut self, next: Option<Self>) {
        if let Some(next) = next {
            let by_hand = self.by_hand;
            *self = Self { by_hand, ..next };
        }
    }

    /// `Mira: Skill check`.
    fn title(&self, seen: &SeatView<'_>) -> String {
        let fields = &self.setup.fields;
        let who = fields.who.and_then(|id| seen.character(id));
        match who {
            Some(who) => format!("{}: {}", who.name, fields.check.label),
            None => fields.check.label.to_owned(),
        }
    }

    /// How it is rolled, if that is not as usual.
    fn note(&self, seen: &SeatView<'_>) -> String {
        let setup = &self.setup;
        let words = [
            setup.call(seen).is_some().then_some("called for"),
            setup.group.is_some().then_some("for all"),
            self.by_hand.then_some("by hand"),
            (setup.form.choice("closed") > 0).then_some("closed"),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
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
            Stage::SetUp if !self.takes_letters() => Context::Roll.chain(),
            Stage::SetUp | Stage::Faces(..) => TYPING,
            Stage::Waits(_) => CHOOSING,
            Stage::Resolved(resolved) => resolved.contexts(),
        }
    }

    fn hints(&self) -> &'static [Action] {
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
            Stage::Resolved(resolved) => resolved.hints(),
        }
    }

    fn takes_letters(&self) -> bool {
        match &self.stage {
            Stage::SetUp => self.setup.form.takes_letters(),
            Stage::Faces(..) | Stage::Waits(_) => true,
            Stage::Resolved(resolved) => resolved.takes_letters(),
        }
    }

    fn handle(&mut self, event: &DialogEvent, seen: &SeatView<'_>) -> DialogAction {
        match self.stage {
            Stage::SetUp => self.handle_setup(event, seen),
            Stage::Faces(..) => self.handle_faces(event),
            Stage::Waits(_) => self.handle_choice(event, seen),
            Stage::Resolved(_) => self.handle_resolved(event, seen),
        }
    }

    fn on_result(&mut self, result: Result<&Entry, &str>, seen: &SeatView<'_>) {
        match (&mut self.stage, result) {
            (Stage::Resolved(resolved), result) => resolved.on_result(result, seen),
            (_, Ok(entry)) => self.follow(entry, seen),
            (Stage::SetUp, Err(problem)) => self.setup.refuse(problem),
            (Stage::Faces(by_hand, ..), Err(problem)) => by_hand.refuse(problem),
            (Stage::Waits(waiting), Err(problem)) => waiting.problem = Some(problem.to_owned()),
        }
    }

    fn on_change(&mut self, seen: &SeatView<'_>) {
        self.setup.refresh(seen);
        self.weigh(seen);
        let now = |id| seen.unfinished().find(|waiting| waiting.id == id);
        let (check, is_same) = match &mut self.stage {
            Stage::Resolved(resolved) => return resolved.on_change(seen),
            Stage::Waits(waiting) => {
                let check = &waiting.check;
                (check.id, now(check.id) == Some(check))
            }
            Stage::Faces(by_hand, _) => match by_hand.check() {
                Some(check) => (check, now(check).is_some()),
                None => return,
            },
            Stage::SetUp => return,
        };
        // Somebody else may have answered: then there is something new about the check.
        if !is_same {
            let concerns = |entry: &Entry| {
                let mut changes = entry.event.changes.iter();
                changes.any(|change| change.of == Subject::Unfinished(check))
            };
            match seen.log().find(|entry| concerns(entry)) {
                Some(entry) => self.follow(&entry.clone(), seen),
                None => self.stage = Stage::SetUp,
            }
        }
    }

    fn waits(&self) -> Option<(UnfinishedId, bool)> {
        match &self.stage {
            Stage::Waits(waiting) => Some((waiting.check.id, self.by_hand)),
            Stage::SetUp | Stage::Faces(..) | Stage::Resolved(_) => None,
        }
    }

    fn go_on_by_hand(&mut self) {
        self.by_hand = true;
    }

    fn wonder(&mut self) -> Option<Worthwhile> {
        self.chances.wonder()
    }

    fn learn(&mut self, answer: Worths) {
        self.chances.learn(answer);
    }

    fn advice(&self) -> &'static [&'static str] {
        match self.stage {
            Stage::SetUp => self.setup.fields.check.system.spec().when,
            Stage::Faces(..) | Stage::Waits(_) | Stage::Resolved(_) => &[],
        }
    }

    fn view(&self, seen: &SeatView<'_>, canvas: &mut Canvas<'_>) -> Option<Position> {
        let (title, note) = (self.title(seen), self.note(seen));
        match &self.stage {
            Stage::SetUp => {
                let Setup { fields, form, .. } = &self.setup;
                let blocks = self.chances.blocks(fields.check);
                form.draw_over((&title, &note), &blocks, &Scroll::default(), canvas)
            }
            Stage::Faces(by_hand, ..) => by_hand.draw(&title, canvas),
            Stage::Waits(waiting) => {
                waiting.draw(title, note, canvas);
                None
            }
            Stage::Resolved(resolved) => resolved.view(seen, canvas),
        }
    }
}
