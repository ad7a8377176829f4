//! What a person does with a check at each of its stages.

use ratatui::layout::{Position, Rect};

use super::faces::{ByHand, Next as NextFaces};
use super::resolved::Next;
use super::setup::Setup;
use super::waiting::Pressed;
use super::{For, RollDialog, Stage, view};
use crate::screen::action::Action;
use crate::screen::dialog::page::text_area;
use crate::screen::dialog::{Heard, Reply};
use crate::screen::roll_requests;
use crate::session::{Command, Faces};
use crate::table::{Act, Role as SeatRole, SeatView};

impl RollDialog {
    pub(super) fn hear_setup(&mut self, heard: &Heard, seen: &SeatView<'_>) -> Reply {
        self.setup.refused = None;
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
    fn click_row(&mut self, at: Position, area: Rect, seen: &SeatView<'_>) {
        let Some((pressed, values)) = view::row_at(self, seen, area, at) else {
            return;
        };
        if pressed != self.setup.focus {
            self.setup.go(pressed);
        } else if let Some(line) = self.setup.line_mut() {
            line.click(text_area(values, ""), at.x);
        } else if at.x >= values.x {
            let by = if at.x == values.x { -1 } else { 1 };
            self.setup.step(by, seen);
        }
    }

    fn act(&mut self, action: Action, seen: &SeatView<'_>) {
        let setup = &mut self.setup;
        match action {
            Action::PreviousCheck => setup.step_check(-1, seen),
            Action::NextCheck => setup.step_check(1, seen),
            Action::PreviousField | Action::Up => setup.walk(-1, seen),
            Action::NextField | Action::Down => setup.walk(1, seen),
            Action::Lower | Action::Left => setup.step(-1, seen),
            Action::Raise | Action::Right => setup.step(1, seen),
            Action::Toggle if setup.is_yes_or_no() => setup.step(1, seen),
            Action::Closed if seen.seat().role == SeatRole::Gm => setup.turn_closed(seen),
            Action::ByHand => self.by_hand = !self.by_hand,
            editing => {
                if let Some(line) = setup.line_mut() {
                    line.apply(editing);
                    setup.fill(seen);
                }
            }
        }
    }

    fn roll(&mut self, seen: &SeatView<'_>) -> Reply {
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

    /// Rolls a resolved check again for a Favor.
    fn reroll(&mut self) -> Reply {
        let Stage::Resolved(resolved) = &self.stage else {
            return Reply::Stay;
        };
        let entry = resolved.number();
        let fields = resolved.roll().filter(|_| self.by_hand);
        let by_hand = fields.and_then(|roll| {
            let fields = roll.all_fields(self.setup.check.system).ok()?;
            ByHand::after(&fields, &roll.house, &[])
        });
        if let Some(by_hand) = by_hand {
            self.stage = Stage::Faces(Box::new(by_hand), For::Favor(entry));
            return Reply::Stay;
        }
        Reply::Submit(Act::Reroll {
            entry,
            faces: Faces::Rolled,
        })
    }

    pub(super) fn hear_faces(&mut self, heard: &Heard, seen: &SeatView<'_>) -> Reply {
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
                    // Nothing is lost: it waits until somebody takes it up again. Without faces there is
                    // no second roll, and the Favor is kept.
                    For::Waiting(_) | For::Favor(_) => return Reply::Close,
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

    fn submit_faces(&mut self, faces: Vec<u8>, seen: &SeatView<'_>) -> Reply {
        let Stage::Faces(_, purpose) = &self.stage else {
            return Reply::Stay;
        };
        let command = match purpose {
            For::Roll => {
                let command = self.setup.command(Faces::Typed(faces), seen);
                command.map(|command| Command::Roll(Box::new(command)))
            }
            For::Favor(entry) => {
                return Reply::Submit(Act::Reroll {
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
            Reply::Submit(command.into())
        } else {
            self.stage = Stage::SetUp;
            Reply::Stay
        }
    }

    pub(super) fn hear_choice(&mut self, heard: &Heard, seen: &SeatView<'_>) -> Reply {
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
                let spot = view::waiting_buttons(waiting, seen, *area);
                waiting.press.at(*at, spot)
            }
            Heard::Paste(_) => None,
        };
        match pressed.map(|button| waiting.pressed(button)) {
            None => return Reply::Stay,
            Some(Pressed::Option) => {}
            Some(Pressed::Another) => {
                self.stage = Stage::SetUp;
                return Reply::Stay;
            }
            Some(Pressed::GiveUp) => {
                return Reply::SubmitAndClose(Command::Abandon(waiting.id()).into());
            }
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

    pub(super) fn hear_resolved(&mut self, heard: &Heard, seen: &SeatView<'_>) -> Reply {
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
            Heard::Action(Action::Undo) => {
                return match resolved.undoing(seen) {
                    Ok(act) => Reply::Submit(act),
                    Err(why) => {
                        resolved.problem = Some(why.to_owned());
                        Reply::Stay
                    }
                };
            }
            Heard::Action(Action::Roll) => return self.next_roll(seen),
            Heard::Action(Action::Repeat) => return self.again(seen),
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
        match pressed.and_then(|button| resolved.pressed(button)) {
            None => Reply::Stay,
            Some(Next::Do(command)) => Reply::Submit(Act::Do(command.clone())),
            Some(Next::Note) => {
                resolved.begin_note();
                Reply::Stay
            }
            Some(Next::Again) => self.again(seen),
            Some(Next::Favor) => self.reroll(),
            Some(Next::Called(_)) => self.next_roll(seen),
            Some(Next::Close) => Reply::Close,
        }
    }

    /// Sets the same check up again.
    fn again(&mut self, seen: &SeatView<'_>) -> Reply {
        if let Stage::Resolved(resolved) = &self.stage
            && let Some(setup) = resolved.roll().and_then(|roll| Setup::again(roll, seen))
        {
            self.setup = setup;
            self.stage = Stage::SetUp;
            self.weigh(seen);
        }
        Reply::Stay
    }

    /// Goes on with the check that is called for next, else with a new one by the same character.
    fn next_roll(&mut self, seen: &SeatView<'_>) -> Reply {
        let called = roll_requests::to_answer(seen).next();
        let called = called.and_then(|call| Self::called(call.id, seen));
        let next = called.unwrap_or_else(|| Self::open(self.setup.who, seen));
        let by_hand = self.by_hand;
        *self = Self { by_hand, ..next };
        Reply::Stay
    }
}
