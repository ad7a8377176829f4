//! What keys do in the list of games.

use super::{Mode, Naming, Picker, beginnings};
use crate::screen::action::Action;
use crate::screen::input::{ExitReason, Flow};
use crate::screen::list::List;
use crate::screen::widget::field::Field;

impl Picker<'_> {
    /// Does what a key means in the mode at hand.
    pub(super) fn act(&mut self, action: Action) {
        let page = isize::try_from(self.room()).unwrap_or(1);
        match action {
            Action::Up => return self.step(-1),
            Action::Down => return self.step(1),
            Action::PageUp => return self.step(-page),
            Action::PageDown => return self.step(page),
            _ => {}
        }
        match &mut self.mode {
            Mode::Browse => self.act_in_list(action),
            Mode::Search => match action {
                Action::Open | Action::Submit => {
                    self.mode = Mode::Browse;
                    self.open();
                }
                Action::Close => {
                    self.mode = Mode::Browse;
                    self.search.set("");
                    self.find();
                }
                action => {
                    self.search.apply(action);
                    self.find();
                }
            },
            Mode::Begin(list) => match action {
                Action::First => self.step(isize::MIN / 2),
                Action::Last => self.step(isize::MAX / 2),
                Action::Open => {
                    let at = list.id().unwrap_or(0);
                    if let Some((system, sample)) = beginnings().get(at).copied() {
                        let field = Field::new("", crate::store::LONGEST_NAME);
                        self.mode = Mode::Name(Naming::New(system, sample), field, None);
                    }
                }
                Action::Close | Action::Quit => self.mode = Mode::Browse,
                _ => {}
            },
            Mode::Name(_, field, problem) => match action {
                Action::Submit => self.give_name(),
                Action::Close => self.mode = Mode::Browse,
                action => {
                    field.apply(action);
                    *problem = None;
                }
            },
            Mode::Confirm(name) => match action {
                Action::Yes | Action::Press => {
                    let name = std::mem::take(name);
                    self.mode = Mode::Browse;
                    let done = self.shelf.archive(&name);
                    self.told(done, format!("{name} is in the archive"), None);
                }
                Action::No | Action::Close => self.mode = Mode::Browse,
                _ => {}
            },
        }
    }

    fn act_in_list(&mut self, action: Action) {
        let name = self.game().map(|game| game.name.clone());
        match (action, name) {
            (Action::First, _) => self.step(isize::MIN / 2),
            (Action::Last, _) => self.step(isize::MAX / 2),
            (Action::Open, _) => self.open(),
            (Action::Filter, _) => self.mode = Mode::Search,
            (Action::New, _) => {
                let mut list = List::default();
                list.find((0..beginnings().len()).map(Some).collect());
                self.mode = Mode::Begin(list);
            }
            (Action::Archived, _) => {
                self.in_archive = !self.in_archive;
                self.search.set("");
                self.look_again(None);
            }
            (Action::Close, _) if !self.search.value().is_empty() => {
                self.search.set("");
                self.find();
            }
            (Action::Close, _) if self.in_archive => {
                self.in_archive = false;
                self.look_again(None);
            }
            (Action::Quit | Action::Close, _) => self.wish = Flow::Leave(ExitReason::Quit),
            (Action::Archive | Action::Delete, Some(name)) if self.in_archive => {
                let done = self.shelf.restore(&name);
                self.told(done, format!("{name} is back"), None);
            }
            (Action::Archive | Action::Delete, Some(name)) => self.mode = Mode::Confirm(name),
            (Action::Duplicate, Some(name)) if !self.in_archive => {
                let field = Field::new(&format!("{name} 2"), crate::store::LONGEST_NAME);
                self.mode = Mode::Name(Naming::Duplicate(name), field, None);
            }
            (Action::Rename, Some(name)) if !self.in_archive => {
                let field = Field::new(&name, crate::store::LONGEST_NAME);
                self.mode = Mode::Name(Naming::Rename(name), field, None);
            }
            _ => {}
        }
    }
}
