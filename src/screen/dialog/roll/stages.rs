//! What a person does with a check at each of its stages.

use super::faces::ByHand;
use super::setup::Setup;
use super::waiting::Pressed;
use super::{For, RollDialog, Stage};
use crate::screen::action::Action;
use crate::screen::dialog::explain::Next;
use crate::screen::dialog::form::Went;
use crate::screen::dialog::{DialogAction, DialogEvent};
use crate::screen::roll_requests;
use crate::session::{Command, Faces};
use crate::table::{Act, Role as SeatRole, SeatView};

impl RollDialog {
    pub(super) fn handle_setup(
        &mut self,
        event: &DialogEvent,
        seen: &SeatView<'_>,
    ) -> DialogAction {
        let setup = &mut self.setup;
        setup.refuse(None);
        match event {
            DialogEvent::Action(Action::RollNow) => return self.roll(seen),
            DialogEvent::Action(Action::PreviousCheck) => setup.step_check(-1, seen),
            DialogEvent::Action(Action::NextCheck) => setup.step_check(1, seen),
            DialogEvent::Action(Action::Closed) if seen.seat().role == SeatRole::Gm => {
                setup.turn_closed(seen);
            }
            DialogEvent::Action(Action::ByHand) => self.by_hand = !self.by_hand,
            DialogEvent::Action(Action::Toggle) if !setup.is_yes_or_no() => {}
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
        let Some(command) = self.setup.command(Faces::Rolled, seen) else {
            return DialogAction::Stay;
        };
        if self.by_hand
            && let Some(by_hand) = ByHand::after(&command.fields, seen.house(), &[])
        {
            self.stage = Stage::Faces(Box::new(by_hand), For::Roll);
            return DialogAction::Stay;
        }
        DialogAction::Submit(Command::Roll(Box::new(command)).into())
    }

    /// Rolls a resolved check again for a Favor.
    fn reroll(&mut self, seen: &SeatView<'_>) -> DialogAction {
        let Stage::Resolved(resolved) = &self.stage else {
            return DialogAction::Stay;
        };
        let number = resolved.number;
        let entry = seen.entry(number).filter(|_| self.by_hand);
        let by_hand = entry.as_ref().and_then(|entry| {
            let roll = entry.roll()?;
            let fields = roll.all_fields(self.setup.check.system).ok()?;
            ByHand::after(&fields, &roll.house, &[])
        });
        if let Some(by_hand) = by_hand {
            self.stage = Stage::Faces(Box::new(by_hand), For::Favor(number));
            return DialogAction::Stay;
        }
        DialogAction::Submit(Act::Reroll {
            entry: number,
            faces: Faces::Rolled,
        })
    }

    pub(super) fn handle_faces(
        &mut self,
        event: &DialogEvent,
        seen: &SeatView<'_>,
    ) -> DialogAction {
        let Stage::Faces(by_hand, purpose) = &mut self.stage else {
            return DialogAction::Stay;
        };
        match by_hand.handle(event) {
            Went::Left if by_hand.back() => {}
            Went::Left => match purpose {
                For::Roll => self.stage = Stage::SetUp,
                For::Answer(waiting) => self.stage = Stage::Waits(waiting.clone()),
                // Nothing is lost: it waits until somebody takes it up again. Without faces there is no
                // second roll, and the Favor is kept.
                For::Waiting(_) | For::Favor(_) => return DialogAction::Close,
            },
            Went::Submitted => {
                if let Some(faces) = by_hand.enter() {
                    return self.submit_faces(faces, seen);
                }
            }
            Went::On | Went::Changed | Went::Stepped(_) => {}
        }
        DialogAction::Stay
    }

    fn submit_faces(&mut self, faces: Vec<u8>, seen: &SeatView<'_>) -> DialogAction {
        let Stage::Faces(_, purpose) = &self.stage else {
            return DialogAction::Stay;
        };
        let command = match purpose {
            For::Roll => {
                let command = self.setup.command(Faces::Typed(faces), seen);
                command.map(|command| Command::Roll(Box::new(command)))
            }
            For::Favor(entry) => {
                return DialogAction::Submit(Act::Reroll {
                    entry: *entry,
                    faces: Faces::Typed(faces),
                });
            }
            For::Answer(waiting) => waiting.answer(Faces::Typed(faces), seen),
            For::Waiting(check) => Some(Command::TypeFaces {
                check: *check,
                faces,
            }),
        };
        if let Some(command) = command {
            DialogAction::Submit(command.into())
        } else {
            self.stage = Stage::SetUp;
            DialogAction::Stay
        }
    }

    pub(super) fn handle_choice(
        &mut self,
        event: &DialogEvent,
        seen: &SeatView<'_>,
    ) -> DialogAction {
        let Stage::Waits(waiting) = &mut self.stage else {
            return DialogAction::Stay;
        };
        let pressed = match event {
            // It waits until somebody takes it up again.
            DialogEvent::Action(Action::Close) => return DialogAction::Close,
            DialogEvent::Action(Action::ByHand) => {
                self.by_hand = !self.by_hand;
                None
            }
            event => waiting.press.handle(event).copied(),
        };
        match pressed {
            None => return DialogAction::Stay,
            Some(Pressed::Option) => {}
            Some(Pressed::Another) => {
                self.stage = Stage::SetUp;
                return DialogAction::Stay;
            }
            Some(Pressed::GiveUp) => {
                return DialogAction::SubmitAndClose(Command::Abandon(waiting.id()).into());
            }
        }
        if self.by_hand
            && let Some(by_hand) = waiting.by_hand(seen)
        {
            let waiting = waiting.clone();
            self.stage = Stage::Faces(Box::new(by_hand), For::Answer(waiting));
            return DialogAction::Stay;
        }
        let answer = waiting.answer(Faces::Rolled, seen);
        answer.map_or(DialogAction::Stay, |command| {
            DialogAction::Submit(command.into())
        })
    }

    pub(super) fn handle_resolved(
        &mut self,
        event: &DialogEvent,
        seen: &SeatView<'_>,
    ) -> DialogAction {
        let Stage::Resolved(resolved) = &mut self.stage else {
            return DialogAction::Stay;
        };
        if let Some(note) = &mut resolved.note {
            match note.handle(event) {
                Went::Left => resolved.note = None,
                Went::Submitted => {
                    let noted = resolved.noted();
                    return noted.map_or(DialogAction::Stay, |noted| {
                        DialogAction::Submit(noted.into())
                    });
                }
                Went::On | Went::Changed | Went::Stepped(_) => {}
            }
            return DialogAction::Stay;
        }
        let pressed = match event {
            DialogEvent::Action(Action::Undo) => {
                return match resolved.undoing(seen) {
                    Ok(act) => DialogAction::Submit(act),
                    Err(why) => {
                        resolved.problem = Some(why.to_owned());
                        DialogAction::Stay
                    }
                };
            }
            DialogEvent::Action(Action::Roll) => return self.next_roll(seen),
            DialogEvent::Action(Action::Repeat) => return self.again(seen),
            event => resolved.handle(event),
        };
        match pressed {
            None => DialogAction::Stay,
            Some(Next::Do(command)) => DialogAction::Submit(Act::Do(command)),
            Some(Next::Note) => {
                resolved.begin_note();
                DialogAction::Stay
            }
            Some(Next::Again) => self.again(seen),
            Some(Next::Favor) => self.reroll(seen),
            Some(Next::Called(_)) => self.next_roll(seen),
            Some(Next::Close) => DialogAction::Close,
        }
    }

    /// Sets the same check up again.
    fn again(&mut self, seen: &SeatView<'_>) -> DialogAction {
        if let Stage::Resolved(resolved) = &self.stage
            && let Some(entry) = seen.entry(resolved.number)
            && let Some(setup) = entry.roll().and_then(|roll| Setup::repeat(roll, seen))
        {
            self.setup = setup;
            self.stage = Stage::SetUp;
            self.weigh(seen);
        }
        DialogAction::Stay
    }

    /// Goes on with the check that is called for next, else with a new one by the same character.
    fn next_roll(&mut self, seen: &SeatView<'_>) -> DialogAction {
        let called = roll_requests::to_answer(seen).next();
        let called = called.and_then(|call| Self::called(call.id, seen));
        let next = called.unwrap_or_else(|| Self::open(self.setup.who, seen));
        let by_hand = self.by_hand;
        *self = Self { by_hand, ..next };
        DialogAction::Stay
    }
}
