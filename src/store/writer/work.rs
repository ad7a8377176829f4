//! The saving thread: one step of work at a time, the most urgent first; asleep when there is none.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Shared;
use super::state::{Life, Need, State};
use super::step::{carry_out, snapshot};
use super::trouble::Trouble;

/// So long after an event its sync begins; what else happens meanwhile goes along with it.
pub(super) const GATHERING: Duration = Duration::from_millis(3);

/// What is to be done now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing, until woken, or until then.
    Wait(Option<Instant>),
    /// A new game's files and folders are synced.
    Settle,
    /// Lines that the system did not take are offered again.
    Push,
    /// The open file is synced.
    Sync,
    /// The open file is not to be trusted, or not there any more, and is written afresh.
    Rewrite,
    Snapshot,
    /// Everything possible was tried for those who flush.
    Answer,
    Stop,
}

/// Works until the store is dropped, also where a fault of this program stops it in the middle: the state
/// is whole all the same, what was being done is told to have failed, and it is tried again.
pub(super) fn run_on(shared: &Arc<Shared>) {
    while panic::catch_unwind(AssertUnwindSafe(|| run(shared))).is_err() {
        if !go_on(shared) {
            return;
        }
    }
}

/// Tells that something failed; whether the game still needs this thread.
fn go_on(shared: &Shared) -> bool {
    let mut state = shared.state();
    let of_snapshot = state.need == Need::Writing;
    let before = if of_snapshot {
        state.snapshot_trouble.as_ref()
    } else {
        state.trouble.as_ref()
    };
    let reason = "this program has a fault, and stumbled".to_owned();
    let mut trouble = Trouble::grown(before, reason);
    let report = trouble.tell();
    if of_snapshot {
        state.need = Need::Wanted;
        state.due = Some(trouble.again);
        state.snapshot_trouble = Some(trouble);
    } else {
        state.trouble = Some(trouble);
    }
    state.answered = state.asked;
    let goes_on = state.life == Life::Running;
    if !goes_on {
        state.life = Life::Ended;
    }
    drop(state);
    shared.done.notify_all();
    if let Some(report) = report {
        shared.tell(report);
    }
    goes_on
}

/// Works until the store is dropped.
fn run(shared: &Arc<Shared>) {
    // While somebody flushes, each thing is tried once, however recently it failed.
    let mut attempt = Attempt::default();
    loop {
        let state = shared.state();
        let step = next(&state, attempt, Instant::now());
        match step {
            Step::Wait(until) => {
                attempt = Attempt::default();
                sleep(shared, state, until);
            }
            Step::Answer => {
                attempt = Attempt::default();
                answer(shared, state);
            }
            Step::Stop => {
                stop(shared, state);
                return;
            }
            Step::Snapshot => {
                drop(state);
                attempt.snapshot |= snapshot(shared).is_err();
            }
            Step::Settle | Step::Push | Step::Sync | Step::Rewrite => {
                drop(state);
                attempt.journal |= carry_out(shared, step).is_err();
            }
        }
    }
}

/// It did not work, and the state says so.
#[derive(Debug)]
pub(super) struct Failed;

fn sleep(shared: &Shared, state: MutexGuard<'_, State>, until: Option<Instant>) {
    match until {
        Some(until) => {
            let pause = until.saturating_duration_since(Instant::now());
            drop(
                shared
                    .work
                    .wait_timeout(state, pause)
                    .unwrap_or_else(PoisonError::into_inner),
            );
        }
        None => drop(
            shared
                .work
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner),
        ),
    }
}

fn answer(shared: &Shared, mut state: MutexGuard<'_, State>) {
    state.answered = state.asked;
    drop(state);
    shared.done.notify_all();
}

fn stop(shared: &Shared, mut state: MutexGuard<'_, State>) {
    state.life = Life::Ended;
    drop(state);
    shared.done.notify_all();
}

/// What has failed since it was last asked to hurry.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Attempt {
    journal: bool,
    snapshot: bool,
}

pub(super) fn next(state: &State, attempt: Attempt, now: Instant) -> Step {
    let hurry = state.asked > state.answered || state.life != Life::Running;
    let may_try = |trouble: Option<&Trouble>, failed: bool| match trouble {
        Some(_) if hurry => !failed,
        Some(trouble) => trouble.again <= now,
        None => true,
    };
    let urgent = urgent(state);
    let all_synced = urgent.is_none();
    // What is shown goes first: a sync would take a processor from whoever paints and sends it.
    let gathering = state
        .queue
        .front()
        .map(|waiting| waiting.since + GATHERING)
        .filter(|until| urgent == Some(Step::Sync) && !hurry && now < *until);
    if let Some(step) = urgent
        && gathering.is_none()
        && may_try(state.trouble.as_ref(), attempt.journal)
    {
        return step;
    }
    let wants_snapshot = state.need == Need::Wanted;
    let is_due = state.due.is_some_and(|due| due <= now) || state.asked > state.answered;
    if wants_snapshot && is_due && may_try(state.snapshot_trouble.as_ref(), attempt.snapshot) {
        // A snapshot must not know more than the journal on the disk.
        if all_synced {
            return Step::Snapshot;
        }
    }
    if state.asked > state.answered {
        return Step::Answer;
    }
    if state.life != Life::Running {
        return Step::Stop;
    }
    let again = state
        .trouble
        .as_ref()
        .filter(|_| !all_synced)
        .map(|trouble| trouble.again);
    let due = state
        .due
        .filter(|_| wants_snapshot && all_synced)
        .map(|due| {
            state
                .snapshot_trouble
                .as_ref()
                .map_or(due, |trouble| due.max(trouble.again))
        });
    Step::Wait(gathering.into_iter().chain(again).chain(due).min())
}

/// What brings the next events to the disk; nothing if all are there.
pub(super) fn urgent(state: &State) -> Option<Step> {
    if !state.fresh.is_empty() {
        return Some(Step::Settle);
    }
    if state.queue.is_empty() {
        return None;
    }
    Some(match &state.open {
        Some(open) if open.is_burnt => Step::Rewrite,
        _ if state.taken < state.queue.len() => Step::Push,
        _ => Step::Sync,
    })
}
