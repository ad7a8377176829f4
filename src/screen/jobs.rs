//! What is worked out beside a screen: what it asks for, and what it does with the answer.

use std::sync::Arc;

use super::Screen;
use crate::screen::background::{Job, JobResult, LogJob};
use crate::screen::state::{Mode, Notice, ScreenState, Tab};

impl Screen {
    /// Asks for what the screen shows next and somebody else works out.
    pub(super) fn ask_beside(&mut self) {
        if matches!(&self.state.mode, Mode::Dialog(dialog) if dialog.counts_everything()) {
            self.table.count_in_background();
        }
        match &mut self.state.mode {
            Mode::Dialog(dialog) => {
                if let Some(wonder) = dialog.wonder() {
                    self.wonder = Some(Job::Worth(wonder));
                }
            }
            _ if self.state.tab == Tab::Log => self.ask_log(),
            _ => {}
        }
    }

    /// Asks for what the log has before what is known of it, if it is wanted.
    fn ask_log(&mut self) {
        let Some(question) = self.look(ScreenState::ask_log) else {
            return;
        };
        let seat = if self.state.covered {
            &self.onlooker
        } else {
            &self.setup.seat
        };
        self.log_wonder = Some(Job::Log(LogJob {
            table: Arc::clone(&self.table),
            seat: seat.clone(),
            question,
        }));
    }

    /// Takes in what was worked out.
    pub(super) fn learn(&mut self, wondered: JobResult) {
        match wondered {
            JobResult::Worth(worths) => {
                if let Mode::Dialog(dialog) = &mut self.state.mode {
                    dialog.learn(worths);
                    self.is_stale = true;
                }
            }
            JobResult::Log(question, found) => {
                if let Some(why) = &found.unread {
                    let text = format!("a part of the log cannot be read: {why}");
                    self.state.notice = Some(Notice::warning(text));
                }
                if self.state.log.learn(&question, found) {
                    self.is_stale = true;
                    self.ask_log();
                }
            }
        }
    }
}
