//! Jobs for the background thread, and their results.

use std::sync::Arc;

use crate::Screen;
use crate::app::background::{Job, JobResult, LogQuestion};
use crate::app::state::{ScreenState, Tab};
use tableside_table::LogChunk;

impl Screen {
    /// Queues the jobs that the open dialogs and the log need.
    pub(crate) fn queue_jobs(&mut self) {
        for dialog in &mut self.state.layers {
            if dialog.spec.needs_whole_log() {
                self.table.count_in_background();
            }
            if let Some(question) = dialog.spec.take_gain_question() {
                self.jobs.push_back(Job::Worth(question));
            }
            if let Some(dice) = dialog.spec.take_dice_question(&dialog.form) {
                self.jobs.push_back(Job::DiceOdds(dice));
            }
        }

        if self.state.tab == Tab::Log {
            self.request_log();
        }
    }

    /// Requests older entries, if the log needs any.
    fn request_log(&mut self) {
        if let Some(question) = self.with_view(ScreenState::ask_log) {
            self.jobs.push_back(Job::Log {
                table: Arc::clone(&self.table),
                seat: self.log_seat().clone(),
                question,
            });
        }
    }

    /// Passes the result of a job to the dialogs, or to the log.
    pub(crate) fn take_result(&mut self, result: JobResult) {
        match result {
            JobResult::Worth(answer) => {
                for dialog in &mut self.state.layers {
                    dialog.spec.on_gains(answer.clone());
                }
                self.is_stale = true;
            }
            JobResult::DiceOdds(odds) => {
                for dialog in &mut self.state.layers {
                    dialog.spec.on_dice_odds(&odds);
                }
                self.is_stale = true;
            }
            JobResult::Log(question, chunk) => self.take_log_chunk(&question, &chunk),
        }
    }

    fn take_log_chunk(&mut self, question: &LogQuestion, chunk: &LogChunk) {
        if let Some(error) = &chunk.error {
            let message = format!("cannot read a part of the log: {error}");
            self.state.warn(message);
        }

        let is_taken = self.with_view(|state, view| state.log.take_found(question, chunk, view));
        if is_taken {
            self.is_stale = true;
            self.request_log();
        }
    }
}
