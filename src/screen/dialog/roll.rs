//! The roll dialog: a check is set up, rolled, answered, and read.

mod chances;
mod faces;
mod resolved;
mod rows;
mod setup;
mod value;
mod view;
mod waiting;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

pub use chances::{Wonder, Wondered};

use self::chances::Chances;
use self::faces::{ByHand, Next as NextFaces};
use self::resolved::{Next, Resolved};
use self::setup::Setup;
use self::waiting::{Stands, Waiting};
use super::{Heard, Manner, Reply};
use crate::rules::ChosenBy;
use crate::screen::action::{Action, Context};
use crate::screen::widget::Look;
use crate::session::{Change, CharacterId, Command, Faces, UnfinishedId, What};
use crate::table::{Entry, Role as SeatRole, Seen};

/// A check: set up, rolled, answered, read.
#[derive(Clone, Debug)]
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
    /// It is being set up.
    SetUp,
    /// Faces are typed in, for a check that is new, answered, or waiting.
    Faces(Box<ByHand>, For),
    /// It waits for a choice.
    Waits(Box<Waiting>),
    /// It is resolved.
    Resolved(Box<Resolved>),
}

/// What faces are typed in for.
#[derive(Clone, Debug)]
enum For {
    /// The check that is set up.
    Roll,
    /// The answer to a choice, which is given with them.
    Answer(Box<Waiting>),
    /// A check that waits for them.
    Waiting(UnfinishedId),
}

/// Who answers from this seat.
fn by(seen: &Seen<'_>) -> ChosenBy {
    match seen.seat().role {
        SeatRole::Gm => ChosenBy::Gm,
        SeatRole::Player | SeatRole::Watcher => ChosenBy::Player,
    }
}

impl RollDialog {
    fn from_setup(setup: Setup, seen: &Seen<'_>) -> Self {
        let mut opened = Self {
            setup,
            chances: Chances::default(),
            by_hand: false,
            stage: Stage::SetUp,
        };
        opened.weigh(seen);
        opened
    }

    /// Opens it on that character, or where that one has a check that waits, on that check.
    ///
    /// # Panics
    /// When the system has no check; every system has.
    pub fn open(who: Option<CharacterId>, seen: &Seen<'_>) -> Self {
        let mut own = seen.unfinished().filter(|one| one.roll.id.is_some());
        let waiting = own.find(|one| one.roll.id == who);
        if let Some(waiting) = waiting.and_then(|waiting| Self::resume(waiting.id, seen)) {
            return waiting;
        }
        let checks = seen.system().spec().checks;
        let check = checks.first().expect("every system has a check");
        Self::from_setup(Setup::new(who, check, seen), seen)
    }

    /// Opens a check that waits for somebody.
    pub fn resume(check: UnfinishedId, seen: &Seen<'_>) -> Option<Self> {
        let waiting = seen.unfinished().find(|waiting| waiting.id == check)?;
        let setup = Setup::again(&waiting.roll, seen)?;
        let mut opened = Self::from_setup(setup, seen);
        opened.wait(check, seen).then_some(opened)
    }

    /// Opens the same check as that entry of the log was.
    pub fn repeat(entry: u64, seen: &Seen<'_>) -> Option<Self> {
        let entry = seen.entry(entry)?;
        let setup = Setup::again(entry.roll()?, seen)?;
        Some(Self::from_setup(setup, seen))
    }

    /// What is to be worked out beside the screen.
    pub fn wonder(&mut self) -> Option<Wonder> {
        self.chances.wonder()
    }

    /// Takes what was worked out beside the screen.
    pub fn learn(&mut self, wondered: Wondered) {
        self.chances.learn(wondered);
    }

    fn weigh(&mut self, seen: &Seen<'_>) {
        let mut fields = self.setup.fields().clone();
        fields.decide(seen.house());
        self.chances.weigh(&fields, seen.house());
    }

    /// Goes to where an unfinished check stands; whether it is one that this seat sees.
    fn wait(&mut self, check: UnfinishedId, seen: &Seen<'_>) -> bool {
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

    fn hear_setup(&mut self, heard: &Heard, seen: &Seen<'_>) -> Reply {
        let reply = match heard {
            Heard::Action(Action::Close) => return Reply::Close,
            Heard::Action(Action::RollNow | Action::Submit) => self.roll(seen),
            Heard::Action(action) => {
                self.act(*action, seen);
                Reply::Stay
            }
            Heard::Key(key) => {
                self.setup.type_key(*key, seen);
                Reply::Stay
            }
            Heard::Paste(text) => {
                self.setup.paste(text, seen);
                Reply::Stay
            }
            Heard::Click { at, area } => {
                self.click_row(*at, *area, seen);
                Reply::Stay
            }
        };
        self.weigh(seen);
        reply
    }

    /// What the mouse pressed: the focus goes there, and a press on the focus steps it.
    fn click_row(&mut self, at: Position, area: Rect, seen: &Seen<'_>) {
        let Some((pressed, values)) = view::row_at(self, seen, area, at) else {
            return;
        };
        if pressed != self.setup.focus {
            self.setup.go(pressed);
        } else if let Some(line) = self.setup.line_mut() {
            line.click(values, at.x);
        } else if at.x >= values.x {
            let by = if at.x == values.x { -1 } else { 1 };
            self.setup.step(by, seen);
        }
    }

    fn act(&mut self, action: Action, seen: &Seen<'_>) {
        let setup = &mut self.setup;
        match action {
            Action::PreviousCheck => setup.step_check(-1, seen),
            Action::NextCheck => setup.step_check(1, seen),
            Action::PreviousField | Action::Up => setup.walk(-1, seen),
            Action::NextField | Action::Down => setup.walk(1, seen),
            Action::Lower | Action::Left => setup.step(-1, seen),
            Action::Raise | Action::Right | Action::Toggle => setup.step(1, seen),
            Action::Closed if seen.seat().role == SeatRole::Gm => setup.step_closed(1, seen),
            Action::ByHand => self.by_hand = !self.by_hand,
            editing => {
                if let Some(line) = setup.line_mut() {
                    line.apply(editing);
                    setup.fill(seen);
                }
            }
        }
    }

    fn roll(&mut self, seen: &Seen<'_>) -> Reply {
        let Some(command) = self.setup.command(Faces::Rolled, seen) else {
            return Reply::Stay;
        };
        if self.by_hand
            && let Some(by_hand) = ByHand::after(&command.fields, seen.house(), &[])
        {
            self.stage = Stage::Faces(Box::new(by_hand), For::Roll);
            return Reply::Stay;
        }
        Reply::Submit(Command::Roll(Box::new(command)).into())
    }

    fn hear_faces(&mut self, heard: &Heard, seen: &Seen<'_>) -> Reply {
        let Stage::Faces(by_hand, purpose) = &mut self.stage else {
            return Reply::Stay;
        };
        match heard {
            Heard::Action(Action::Close) => {
                if by_hand.back() {
                    return Reply::Stay;
                }
                match purpose {
                    For::Roll => self.stage = Stage::SetUp,
                    For::Answer(waiting) => self.stage = Stage::Waits(waiting.clone()),
                    // Nothing is lost: it waits until somebody takes it up again.
                    For::Waiting(_) => return Reply::Close,
                }
                return Reply::Stay;
            }
            Heard::Action(Action::Submit | Action::RollNow) => {
                if let NextFaces::All(faces) = by_hand.enter() {
                    return self.submit_faces(faces, seen);
                }
                return Reply::Stay;
            }
            Heard::Action(action) => {
                by_hand.typed.apply(*action);
            }
            Heard::Key(key) => {
                key.letter().map(|letter| by_hand.typed.insert(letter));
            }
            Heard::Paste(text) => {
                by_hand.typed.paste(text);
            }
            Heard::Click { .. } => {}
        }
        by_hand.check();
        Reply::Stay
    }

    fn submit_faces(&mut self, faces: Vec<u8>, seen: &Seen<'_>) -> Reply {
        let Stage::Faces(_, purpose) = &self.stage else {
            return Reply::Stay;
        };
        let command = match purpose {
            For::Roll => {
                let command = self.setup.command(Faces::Typed(faces), seen);
                command.map(|command| Command::Roll(Box::new(command)))
            }
            For::Answer(waiting) => waiting.answer(Faces::Typed(faces), seen),
            For::Waiting(check) => Some(Command::TypeFaces {
                check: *check,
                faces,
            }),
        };
        match command {
            Some(command) => Reply::Submit(command.into()),
            None => {
                self.stage = Stage::SetUp;
                Reply::Stay
            }
        }
    }

    fn hear_choice(&mut self, heard: &Heard, seen: &Seen<'_>) -> Reply {
        let Stage::Waits(waiting) = &mut self.stage else {
            return Reply::Stay;
        };
        let pressed = match heard {
            // It waits until somebody takes it up again.
            Heard::Action(Action::Close) => return Reply::Close,
            Heard::Action(Action::ByHand) => {
                self.by_hand = !self.by_hand;
                None
            }
            Heard::Action(action) => waiting.press.act(*action),
            Heard::Key(key) => waiting.press.key(*key),
            Heard::Click { at, area } => {
                let spot = view::waiting_buttons(waiting, *area);
                waiting.press.at(*at, spot)
            }
            Heard::Paste(_) => None,
        };
        if pressed.is_none() {
            return Reply::Stay;
        }
        if self.by_hand
            && let Some(by_hand) = waiting.by_hand(seen)
        {
            let waiting = waiting.clone();
            self.stage = Stage::Faces(Box::new(by_hand), For::Answer(waiting));
            return Reply::Stay;
        }
        let answer = waiting.answer(Faces::Rolled, seen);
        answer.map_or(Reply::Stay, |command| Reply::Submit(command.into()))
    }

    fn hear_resolved(&mut self, heard: &Heard, seen: &Seen<'_>) -> Reply {
        let Stage::Resolved(resolved) = &mut self.stage else {
            return Reply::Stay;
        };
        if let Some(note) = &mut resolved.note {
            match heard {
                Heard::Action(Action::Close) => resolved.note = None,
                Heard::Action(Action::Submit | Action::Press) => {
                    return match resolved.noted() {
                        Some(command) => Reply::Submit(command.into()),
                        None => Reply::Stay,
                    };
                }
                Heard::Action(action) => {
                    note.apply(*action);
                }
                Heard::Key(key) => {
                    key.letter().map(|letter| note.insert(letter));
                }
                Heard::Paste(text) => {
                    note.paste(text);
                }
                Heard::Click { .. } => {}
            }
            return Reply::Stay;
        }
        let pressed = match heard {
            Heard::Action(Action::Close) => return Reply::Close,
            Heard::Action(action) => {
                let pressed = resolved.press.act(*action);
                if pressed.is_none() {
                    resolved.scroll.apply(*action);
                }
                pressed
            }
            Heard::Key(key) => resolved.press.key(*key),
            Heard::Click { at, area } => {
                let spot = view::resolved_buttons(resolved, seen, *area);
                resolved.press.at(*at, spot)
            }
            Heard::Paste(_) => None,
        };
        let Some(next) = pressed.and_then(|button| resolved.pressed(button)) else {
            return Reply::Stay;
        };
        match next {
            Next::Tick { clock, by } => {
                let (clock, by) = (*clock, *by);
                return Reply::Submit(Command::Tick { clock, by }.into());
            }
            Next::Note => resolved.begin_note(),
            Next::Again => {
                let again = resolved.roll().and_then(|roll| Setup::again(roll, seen));
                if let Some(setup) = again {
                    self.setup = setup;
                    self.stage = Stage::SetUp;
                    self.weigh(seen);
                }
            }
            Next::Close => return Reply::Close,
        }
        Reply::Stay
    }

    /// Takes in what became of the check, whoever did it.
    fn take_in(&mut self, entry: &Entry, seen: &Seen<'_>) {
        match &entry.event.what {
            What::Rolled(_) => {
                self.stage = Stage::Resolved(Box::new(Resolved::new(entry, seen)));
            }
            What::Begun(_) => {
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
    match change {
        Change::Waiting {
            id, to: Some(_), ..
        } => Some(*id),
        _ => None,
    }
}

/// Whether an event ended that check, or led it on.
fn concerns(entry: &Entry, check: UnfinishedId) -> bool {
    let changes = entry.event.changes.iter();
    let mut waits = changes.filter(|change| matches!(change, Change::Waiting { .. }));
    waits.any(|change| matches!(change, Change::Waiting { id, .. } if *id == check))
}

impl Manner for RollDialog {
    fn contexts(&self) -> &'static [Context] {
        const READING: &[Context] = &[
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
            Stage::Waits(_) => READING,
            Stage::Resolved(resolved) if resolved.note.is_some() => Context::Field.chain(),
            Stage::Resolved(_) => READING,
        }
    }

    fn takes_letters(&self) -> bool {
        match &self.stage {
            Stage::SetUp => match self.setup.focus {
                setup::RowId::Field(id) => self.setup.line(id).is_some(),
                _ => false,
            },
            Stage::Faces(..) | Stage::Waits(_) | Stage::Resolved(_) => true,
        }
    }

    fn hear(&mut self, heard: &Heard, seen: &Seen<'_>) -> Reply {
        match self.stage {
            Stage::SetUp => self.hear_setup(heard, seen),
            Stage::Faces(..) => self.hear_faces(heard, seen),
            Stage::Waits(_) => self.hear_choice(heard, seen),
            Stage::Resolved(_) => self.hear_resolved(heard, seen),
        }
    }

    fn told(&mut self, told: Result<&Entry, &str>, seen: &Seen<'_>) {
        match (&mut self.stage, told) {
            (Stage::Resolved(resolved), told) => resolved.told(told, seen),
            (_, Ok(entry)) => self.take_in(entry, seen),
            (Stage::SetUp, Err(problem)) => self.setup.problem = Some(problem.to_owned()),
            (Stage::Faces(by_hand, _), Err(problem)) => by_hand.refuse(problem),
            (Stage::Waits(waiting), Err(problem)) => waiting.problem = Some(problem.to_owned()),
        }
    }

    fn changed(&mut self, seen: &Seen<'_>) {
        self.setup.fill(seen);
        self.weigh(seen);
        let check = match &mut self.stage {
            Stage::SetUp | Stage::Faces(_, For::Roll) => return,
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

    fn view(
        &self,
        seen: &Seen<'_>,
        look: &Look<'_>,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        view::draw(self, seen, *look, area, buffer)
    }
}
