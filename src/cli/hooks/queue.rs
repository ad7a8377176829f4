//! The queue of one hook. Messages are delivered one after the other, in the order of what happened.
//!
//! If a message cannot be delivered now, it is retried, and later messages wait. The number of waiting messages, the age
//! of a message and the time for closing the table are limited. A report tells the GM how many messages were given up, and
//! the reason for the last one.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::Hook;
use super::message::Message;
use super::post::{Attempt, post};
use super::program::execute;
use tableside_table::{HookEvent, TimeSource};
use tableside_text::pluralise;

/// The most messages that wait; those that come later are given up.
const WAITING: usize = 1000;

/// How long after the event a message is given up.
const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// The pause after the first attempt if the answer has no `Retry-After`. It doubles with each attempt.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause if the answer has no `Retry-After`.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The shortest pause, even if `Retry-After` is 0.
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);

/// The shortest time between two reports of one hook. Losses in between are counted in the second report.
const BETWEEN_REPORTS: Duration = Duration::from_secs(10);

/// A hook and its pending messages.
pub(super) struct HookQueue {
    number: usize,
    pub(super) hook: Hook,
    clock: TimeSource,
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    waiting: VecDeque<Message>,
    /// True while a message is being delivered. That message is no longer in `waiting`.
    is_delivering: bool,
    /// The deadline for all work, set when the table closes.
    end: Option<Instant>,
    /// True if the table closed without waiting for the thread. All losses are reported by then.
    is_abandoned: bool,
    losses: Losses,
}

/// The messages that were given up since the last report.
#[derive(Default)]
struct Losses {
    count: usize,
    why: String,
    reported: Option<Instant>,
}

impl Losses {
    fn add(&mut self, count: usize, why: &str) {
        self.count += count;
        why.clone_into(&mut self.why);
    }

    /// When the next report is due; `None` without losses.
    fn due(&self) -> Option<Instant> {
        if self.count == 0 {
            return None;
        }
        let earliest = self.reported.map(|reported| reported + BETWEEN_REPORTS);
        Some(earliest.unwrap_or_else(Instant::now))
    }
}

/// A time without posts.
struct Pause {
    until: Instant,
    why: String,
}

impl Pause {
    fn new(why: String, length: Duration) -> Self {
        let now = Instant::now();
        // No message waits an hour, so that is as good as a pause too long for the clock.
        let until = now.checked_add(length);
        Self {
            until: until.unwrap_or(now + Duration::from_hours(1)),
            why,
        }
    }
}

impl HookQueue {
    pub(super) fn new(number: usize, hook: Hook, clock: TimeSource) -> Self {
        Self {
            number,
            hook,
            clock,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Queues an event.
    pub(super) fn push(&self, news: &Arc<HookEvent>) {
        let mut state = self.state.lock();
        if state.waiting.len() >= WAITING {
            state.losses.add(1, "too many messages wait for it");
        } else {
            state.waiting.push_back(Message::new(news));
        }
        self.changed.notify_all();
    }

    /// Makes the thread end when all messages are delivered, and at `end` at the latest.
    pub(super) fn close(&self, end: Instant) {
        self.state.lock().end.get_or_insert(end);
        self.changed.notify_all();
    }

    /// Reports all undelivered messages after the deadline. From then on the thread sends no reports.
    pub(super) fn abandon(&self, report: &dyn Fn(String)) {
        let mut state = self.state.lock();
        let undelivered = state.waiting.len() + usize::from(state.is_delivering);
        if undelivered > 0 {
            let why = "it had not answered when the table closed; a message may have arrived";
            state.losses.add(undelivered, why);
        }
        self.report_losses(&mut state, report);
        state.is_abandoned = true;
    }

    /// Delivers messages until the queue is closed.
    pub(super) fn work(&self, report: &dyn Fn(String)) {
        let mut pause = None;
        while let Some(message) = self.next(report) {
            let delivered = self.deliver(&message, &mut pause);

            let mut state = self.state.lock();
            state.is_delivering = false;
            if state.is_abandoned {
                return;
            }
            if let Err(why) = delivered {
                state.losses.add(1, &why);
            }
        }
    }

    /// Waits for the next message, and sends reports that are due. Returns `None` if the queue is closed and empty.
    fn next(&self, report: &dyn Fn(String)) -> Option<Message> {
        let mut state = self.state.lock();
        loop {
            let is_closing = state.end.is_some();
            let due = state.losses.due();
            let is_over = is_closing && state.waiting.is_empty();
            if is_over || due.is_some_and(|due| due <= Instant::now()) {
                self.report_losses(&mut state, report);
            }
            if let Some(message) = state.waiting.pop_front() {
                state.is_delivering = true;
                return Some(message);
            }
            if is_closing {
                return None;
            }
            match state.losses.due() {
                Some(due) => {
                    self.changed.wait_until(&mut state, due);
                }
                None => self.changed.wait(&mut state),
            }
        }
    }

    fn report_losses(&self, state: &mut MutexGuard<'_, QueueState>, report: &dyn Fn(String)) {
        if state.losses.count == 0 || state.is_abandoned {
            return;
        }
        let losses = &state.losses;
        let verb = if losses.count == 1 { "was" } else { "were" };
        let messages = pluralise(losses.count, "message");
        let name = self.hook.name(self.number);
        let words = format!("{name} fails: {}; {messages} {verb} given up", losses.why);
        state.losses = Losses {
            reported: Some(Instant::now()),
            ..Losses::default()
        };
        // The queue is unlocked for the report, because the listener may be queueing an event.
        MutexGuard::unlocked(state, || report(words));
    }

    fn end(&self) -> Option<Instant> {
        self.state.lock().end
    }

    /// Retries until the message is delivered or its time is over. The last pause also applies to the messages after it.
    fn deliver(&self, message: &Message, pause: &mut Option<Pause>) -> Result<(), String> {
        if self.hook.post.is_empty() {
            let is_over = self.end().is_some_and(|end| Instant::now() >= end);
            if is_over || message.queued.elapsed() >= LONGEST_WAIT {
                return Err("it takes too long for what happens".to_owned());
            }
            return execute(&self.hook.run, &message.news, &|| self.end());
        }

        let last_moment = message.queued + LONGEST_WAIT;
        let mut usual_length = FIRST_PAUSE;
        loop {
            let resumes = pause
                .as_ref()
                .map_or_else(Instant::now, |pause| pause.until);
            if !self.wait_until(resumes, last_moment) {
                let why = pause.as_ref().map(|pause| pause.why.clone());
                return Err(why.unwrap_or_else(|| "it takes too long for what happens".to_owned()));
            }

            match post(&self.hook, message, (self.clock)()) {
                Attempt::Delivered => return Ok(()),
                Attempt::Failed(why) => return Err(why),
                Attempt::Later {
                    mut why,
                    pause: asked,
                } => {
                    if let Some(asked) = asked
                        && asked > LONGEST_WAIT
                    {
                        why = format!("{why}, and not to come again for {} s", asked.as_secs());
                    }
                    let length = asked.unwrap_or(usual_length).max(SHORTEST_PAUSE);
                    *pause = Some(Pause::new(why, length));
                }
            }
            usual_length = (usual_length * 2).min(LONGEST_PAUSE);
        }
    }

    /// Waits for `moment`. Returns false at once if that is after `last_moment` or after the deadline of the table.
    fn wait_until(&self, moment: Instant, last_moment: Instant) -> bool {
        let mut state = self.state.lock();
        loop {
            let last = state.end.map_or(last_moment, |end| end.min(last_moment));
            if moment > last || Instant::now() > last {
                return false;
            }
            if moment <= Instant::now() {
                return true;
            }
            self.changed.wait_until(&mut state, moment);
        }
    }
}
