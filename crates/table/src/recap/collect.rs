//! Sorts the entries of an evening into scenes.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};

use super::characters::Fates;
use super::clocks::{ClockMoves, ClockStep, gm_name};
use super::loose_ends::loose_ends;
use super::markdown::in_sentence;
use super::moments::Moments;
use super::tokens::TokenSums;
use super::{Recap, RecapScene, RecapScope};
use crate::{Entry, Logged, Seat, SeatId, SeatView};
use tableside_game::{
    Change, CharacterId, Clock, ClockId, EntityRef, EventKind, NOTHING_FOLLOWS, PoolId, PoolKind,
    TokenPool,
};
use tableside_rules::Effect;

/// A pause of this many hours between two entries is no time at the table.
const LONGEST_PAUSE_HOURS: i64 = 3;

/// A scene, up to the present entry.
#[derive(Debug)]
struct SceneDraft {
    /// The number of the entry that began it.
    from: u64,
    name: String,
    played: TimeDelta,
    rounds: u32,
    moments: Moments,
    clocks: ClockMoves,
    fates: Fates,
}

/// The recap, up to the present entry.
struct Collector<'a> {
    view: &'a SeatView<'a>,
    scope: &'a RecapScope,
    scenes: Vec<SceneDraft>,
    tokens: TokenSums,
    last_at: Option<DateTime<Utc>>,
    /// Clocks that were removed, for the GM.
    removed: BTreeMap<ClockId, Clock>,
    /// The notes about each roll. They belong to its last reading.
    notes: HashMap<u64, Vec<String>>,
}

/// Makes a recap of log entries, oldest first.
pub(super) fn collect(view: &SeatView<'_>, scope: &RecapScope, entries: &[Logged]) -> Recap {
    let mut collector = Collector {
        view,
        scope,
        scenes: Vec::new(),
        tokens: TokenSums::default(),
        last_at: None,
        removed: BTreeMap::new(),
        notes: HashMap::new(),
    };
    let rolls = numbers_of_rolls(entries);
    collector.read_notes(entries, &rolls);
    for logged in entries {
        collector.add(logged, &rolls);
    }
    collector.finish(entries)
}

/// The entries that are resolved rolls, with the entry that holds instead if a roll was amended.
fn numbers_of_rolls(entries: &[Logged]) -> Vec<u64> {
    entries
        .iter()
        .filter(|logged| logged.entry.event.what.resolved().is_some())
        .map(|logged| logged.entry.number)
        .collect()
}

impl Collector<'_> {
    /// The last reading of an entry: the entry itself, unless a roll was amended or rolled again.
    fn last_reading(&self, number: u64) -> u64 {
        let mut last = number;
        while let Some(later) = self.view.history().replaced_by(last) {
            if later <= last {
                break;
            }
            last = later;
        }
        last
    }

    /// Keeps the notes about rolls, for the rolls.
    fn read_notes(&mut self, entries: &[Logged], rolls: &[u64]) {
        for logged in entries {
            if logged.is_struck {
                continue;
            }
            let kind = &logged.entry.event.what;
            if let EventKind::Noted { text, about, .. } = kind
                && let Some(about) = about
                && rolls.binary_search(about).is_ok()
                && text != NOTHING_FOLLOWS
            {
                let roll = self.last_reading(*about);
                let notes = self.notes.entry(roll).or_default();
                notes.push(text.clone());
            }
        }
    }

    fn add(&mut self, logged: &Logged, rolls: &[u64]) {
        let entry = &logged.entry;
        self.add_time(entry);

        let holds = !self
            .view
            .history()
            .is_struck(self.last_reading(entry.number));
        // Changes that the rules make between two scenes belong to the scene that ends.
        let ends_scene = entry.event.what.ends_a_scene();
        if ends_scene {
            self.add_changes(entry, holds);
        }
        self.begin_scene(entry);
        if !ends_scene {
            self.add_changes(entry, holds);
        }
        if !logged.is_struck {
            self.add_entry(entry, rolls);
        }
    }

    /// Adds the time since the last entry to the scene of that entry.
    fn add_time(&mut self, entry: &Entry) {
        let Some(last_at) = self.last_at.replace(entry.at) else {
            return;
        };
        let pause = entry.at - last_at;
        let is_at_table = pause < TimeDelta::hours(LONGEST_PAUSE_HOURS);
        if let Some(scene) = self.scenes.last_mut()
            && is_at_table
        {
            scene.played += pause;
        }
    }

    /// Begins a draft if the entry is in another scene than the one before.
    fn begin_scene(&mut self, entry: &Entry) {
        let scene = self.view.scene_of(entry.number);
        if self
            .scenes
            .last()
            .is_some_and(|draft| draft.from == scene.from)
        {
            return;
        }
        self.scenes.push(SceneDraft {
            from: scene.from,
            name: scene.name.clone(),
            played: TimeDelta::zero(),
            rounds: 0,
            moments: Moments::default(),
            clocks: ClockMoves::default(),
            fates: Fates::default(),
        });
    }

    fn add_changes(&mut self, entry: &Entry, holds: bool) {
        if self.scenes.is_empty() {
            self.begin_scene(entry);
        }
        // The GM also reads the undoing of an act, so the GM's last value is always the present one.
        let counts = holds || self.view.seat().sees_all();
        let is_reset = entry.event.what.ends_a_scene();
        let goes_back = is_undo(&entry.event.what);
        let by = self.mover(entry);

        for change in &entry.event.changes {
            self.keep_removed(change);
            let holds = holds && !goes_back;
            if counts && !is_reset {
                self.tokens.add(change, holds);
            }
            let Some(scene) = self.scenes.last_mut() else {
                continue;
            };
            if counts && !(is_reset && is_decrease(change)) {
                let by = if is_reset { "" } else { &by };
                scene.clocks.add(&ClockStep { change, by, holds });
            }
            if holds && !is_reset {
                scene.fates.add(change);
            }
        }
    }

    /// The name of the roller or of the acting seat. Empty for a new round.
    fn mover(&self, entry: &Entry) -> String {
        let kind = &entry.event.what;
        if matches!(kind, EventKind::Round { .. }) {
            return String::new();
        }
        if let Some((roller, _)) = kind.roller()
            && !roller.is_empty()
        {
            return roller.to_owned();
        }

        let has_gm_name = entry.by == Seat::gm().name;
        if entry.seat == SeatId::HOST || has_gm_name {
            gm_name(self.view)
        } else {
            entry.by.clone()
        }
    }

    fn keep_removed(&mut self, change: &Change) {
        if let EntityRef::Clock(id) = change.entity
            && change.is_removal()
            && let Some(clock) = change.before()
        {
            self.removed.insert(id, clock);
        }
    }

    /// Adds an entry that holds.
    fn add_entry(&mut self, entry: &Entry, rolls: &[u64]) {
        let notes = self.notes.remove(&entry.number).unwrap_or_default();
        let Some(scene) = self.scenes.last_mut() else {
            return;
        };
        match &entry.event.what {
            EventKind::Rolled(_) | EventKind::Amended { .. } | EventKind::Rerolled { .. } => {
                scene.moments.add_roll(entry, notes, self.view);
                scene.add_messages(entry, self.view);
            }
            EventKind::Thrown(_) => scene.moments.add_thrown(entry),
            EventKind::Noted { about, .. } => {
                let is_about_roll = match about {
                    Some(about) => rolls.binary_search(about).is_ok(),
                    None => false,
                };
                // For players, a note without a seat is the placeholder of a secret roll.
                let reads_all = self.view.seat().sees_all();
                let is_placeholder = entry.seat == SeatId::NOBODY && !reads_all;
                if !is_about_roll && !is_placeholder {
                    scene.moments.add_note(entry, self.view);
                }
            }
            EventKind::Round { round, .. } => {
                scene.rounds = scene.rounds.max(*round);
            }
            EventKind::Incomplete(_)
            | EventKind::Abandoned(_)
            | EventKind::Ticked { .. }
            | EventKind::Tokens { .. }
            | EventKind::Added { .. }
            | EventKind::Removed { .. }
            | EventKind::Edited { .. }
            | EventKind::Scene { .. }
            | EventKind::SessionEnded { .. }
            | EventKind::Ended
            | EventKind::HandoutRead
            | EventKind::LinesAndVeils
            | EventKind::Paused
            | EventKind::Struck { .. }
            | EventKind::Undone { .. }
            | EventKind::Redone { .. } => {}
        }
    }

    fn finish(self, entries: &[Logged]) -> Recap {
        let Self {
            view,
            scope,
            scenes,
            tokens,
            removed,
            ..
        } = self;

        let first_entry = scope.range.first;
        let mut finished = Vec::with_capacity(scenes.len());
        for draft in scenes {
            let is_continued = first_entry > 1 && draft.from < first_entry;
            let (rolls, moments) = draft.moments.finish();
            let moves = draft.clocks.finish(view, &removed);
            let mut fates = draft.fates;
            for (owner, clock) in &moves.states {
                let state = in_sentence(&clock.clock);
                let steps = clock.describe_steps();
                fates.add_message(*owner, format!("{state} {steps}"));
            }
            let scene = RecapScene {
                name: draft.name,
                is_continued,
                minutes: draft.played.num_minutes(),
                rounds: draft.rounds,
                rolls,
                moments,
                clocks: moves.clocks,
                characters: fates.finish(view),
            };
            if scene.is_worth_a_heading() {
                finished.push(scene);
            }
        }

        // Whether only hidden entries follow must make no difference to players.
        let mut later_entries = view.log_since(scope.range.last + 1);
        let is_latest = later_entries.next().is_none();
        let open = if is_latest {
            Some(loose_ends(view))
        } else {
            None
        };
        Recap {
            game: String::new(),
            session: scope.session,
            began: entries.first().map(|logged| logged.entry.at),
            ended: entries.last().map(|logged| logged.entry.at),
            scenes: finished,
            tokens: tokens.finish(view),
            open,
        }
    }
}

impl SceneDraft {
    /// Adds the messages of characters' pools that reached a number, such as `harm: dying`.
    fn add_messages(&mut self, entry: &Entry, view: &SeatView<'_>) {
        let Some(roll) = entry.roll() else {
            return;
        };
        for effect in &roll.effects {
            if let Effect::Reached {
                told,
                of: Some(of),
                pool_id: Some(pool_id),
                ..
            } = effect
                && let Some(pool) = view.pool(PoolId(*pool_id))
                && is_threshold(told, pool, view)
            {
                let message = format!("{}: {told}", in_sentence(&pool.name));
                self.fates.add_message(CharacterId(*of), message);
            }
        }
    }
}

/// True if a message belongs to a number that the pool reached. Other messages repeat what the scene tells anyway, such
/// as the change of another number.
fn is_threshold(message: &str, pool: &TokenPool, view: &SeatView<'_>) -> bool {
    let mut own_messages = pool.thresholds.iter().map(|(_, message)| message);
    if own_messages.any(|own_message| own_message == message) {
        return true;
    }

    let PoolKind::Rule(kind) = pool.kind else {
        return false;
    };
    let Some(spec) = view.system().spec().pool(kind) else {
        return false;
    };
    spec.at.iter().any(|threshold| {
        let changes_nothing = threshold.effects().is_empty();
        threshold.say == message && changes_nothing
    })
}

impl RecapScene {
    /// False for an empty scene that has no name or began earlier.
    fn is_worth_a_heading(&self) -> bool {
        let is_new = !self.name.is_empty() && !self.is_continued;
        let has_changes = !self.clocks.is_empty() || !self.characters.is_empty();
        let has_moments = !self.moments.is_empty() || self.rolls.count > 0;
        is_new || has_changes || has_moments
    }
}

/// True for events that restore earlier values.
fn is_undo(what: &EventKind) -> bool {
    matches!(
        what,
        EventKind::Undone { .. } | EventKind::Redone { .. } | EventKind::Struck { .. }
    )
}

/// True if a change lowers a number, as a reset does.
fn is_decrease(change: &Change) -> bool {
    change.to.as_i64() < change.from.as_i64()
}
