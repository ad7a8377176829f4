//! Sorts the entries of an evening into scenes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, TimeDelta, Utc};

use super::cast::{find_cast, find_reader};
use super::characters::CharacterSums;
use super::clocks::{ClockMoves, ClockStep, gm_name, last_moves};
use super::dice::RollerSums;
use super::loose_ends::loose_ends;
use super::making::Making;
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

/// A pause of this many hours between two entries does not count as time at the table.
const LONGEST_PAUSE_HOURS: i64 = 3;

/// A scene with the entries that were added so far.
#[derive(Debug)]
struct SceneDraft {
    /// The number of the entry that began the scene.
    from: u64,
    name: String,
    played: TimeDelta,
    fights: u32,
    /// The rounds of the fights that ended.
    finished_rounds: u32,
    /// The round of the present fight, 0 between fights.
    round: u32,
    moments: Moments,
    clocks: ClockMoves,
    characters: CharacterSums,
}

/// The recap of the entries that were added so far.
struct Collector<'a> {
    view: &'a SeatView<'a>,
    scope: &'a RecapScope,
    scenes: Vec<SceneDraft>,
    tokens: TokenSums,
    rollers: RollerSums,
    making: Making,
    last_at: Option<DateTime<Utc>>,
    /// The clocks that were removed. Empty for players, whose entries do not contain removed clocks.
    removed: BTreeMap<ClockId, Clock>,
    /// The notes about each roll, by the number of the entry with its last result.
    notes: HashMap<u64, Vec<String>>,
}

/// Makes a recap of log entries, oldest first.
pub(super) fn collect(view: &SeatView<'_>, scope: &RecapScope, entries: &[Logged]) -> Recap {
    let mut collector = Collector {
        view,
        scope,
        scenes: Vec::new(),
        tokens: TokenSums::default(),
        rollers: RollerSums::default(),
        making: Making::default(),
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

/// Returns the numbers of the entries that are resolved rolls.
fn numbers_of_rolls(entries: &[Logged]) -> Vec<u64> {
    entries
        .iter()
        .filter(|logged| logged.entry.event.what.resolved().is_some())
        .map(|logged| logged.entry.number)
        .collect()
}

impl Collector<'_> {
    /// The entry with the last result of a roll: its newest amendment or reroll, otherwise the entry itself.
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

    /// Collects the notes about rolls.
    fn read_notes(&mut self, entries: &[Logged], rolls: &[u64]) {
        for logged in entries {
            if logged.is_struck {
                continue;
            }
            if let EventKind::Noted { text, about, .. } = &logged.entry.event.what
                && let Some(about) = about
                && rolls.binary_search(about).is_ok()
                && text != NOTHING_FOLLOWS
            {
                let roll = self.last_reading(*about);
                self.notes.entry(roll).or_default().push(text.clone());
            }
        }
    }

    fn add(&mut self, logged: &Logged, rolls: &[u64]) {
        let entry = &logged.entry;
        self.add_time(entry);
        self.making.read(entry);

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
        let last_at = self.last_at.replace(entry.at);
        let Some(pause) = last_at.map(|last_at| entry.at - last_at) else {
            return;
        };
        let is_at_table = pause < TimeDelta::hours(LONGEST_PAUSE_HOURS);
        if let Some(scene) = self.scenes.last_mut()
            && is_at_table
        {
            scene.played += pause;
        }
    }

    /// Begins a draft if the entry is in another scene than the previous entry.
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
            fights: 0,
            finished_rounds: 0,
            round: 0,
            moments: Moments::default(),
            clocks: ClockMoves::default(),
            characters: CharacterSums::default(),
        });
    }

    fn add_changes(&mut self, entry: &Entry, holds: bool) {
        if self.scenes.is_empty() {
            self.begin_scene(entry);
        }
        // The GM also reads undos, so the GM's last value is always the present one.
        let counts = holds || self.view.seat().sees_all();
        let is_reset = entry.event.what.ends_a_scene();
        let ends_session = is_end_of_session(&entry.event.what);
        let goes_back = is_undo(&entry.event.what);
        let by = self.mover(entry);

        for change in &entry.event.changes {
            self.keep_removed(change);
            let holds = holds && !goes_back;
            // What a pool goes back to at the end of a session belongs to the next one.
            if counts && !ends_session {
                self.tokens.add(change, holds && !is_reset);
            }
            let Some(scene) = self.scenes.last_mut() else {
                continue;
            };
            if counts && !(is_reset && is_decrease(change)) {
                let by = if is_reset { "" } else { &by };
                scene.clocks.add(&ClockStep { change, by, holds });
            }
            if holds && !is_reset && !self.making.fills_in(change, entry) {
                scene.characters.add(change);
            }
        }
    }

    /// The name of the roller or of the acting seat. Empty for the start of a new round, which no seat caused.
    fn mover(&self, entry: &Entry) -> String {
        match &entry.event.what {
            EventKind::Round { .. } | EventKind::Turn { .. } => String::new(),
            what => match what.roller() {
                Some((who, _)) if !who.is_empty() => who.to_owned(),
                _ if entry.seat == SeatId::HOST || entry.by == Seat::gm().name => {
                    gm_name(self.view)
                }
                _ => entry.by.clone(),
            },
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

    /// Adds an entry that was not undone or replaced.
    fn add_entry(&mut self, entry: &Entry, rolls: &[u64]) {
        let notes = self.notes.remove(&entry.number).unwrap_or_default();
        let Some(scene) = self.scenes.last_mut() else {
            return;
        };
        match &entry.event.what {
            EventKind::Rolled(_) | EventKind::Amended { .. } | EventKind::Rerolled { .. } => {
                self.rollers.add(entry, self.view.system());
                scene.moments.add_roll(entry, notes, self.view);
                scene.add_messages(entry, self.view);
            }
            EventKind::Thrown(_) => scene.moments.add_thrown(entry),
            EventKind::Noted { about, .. } => {
                let is_about_roll = about.is_some_and(|about| rolls.binary_search(&about).is_ok());
                // For players, a note without a seat stands for a secret roll.
                let is_placeholder = entry.seat == SeatId::NOBODY && !self.view.seat().sees_all();
                if !is_about_roll && !is_placeholder {
                    scene.moments.add_note(entry, self.view);
                }
            }
            EventKind::Round { round, .. }
            | EventKind::Turn {
                round: Some(round), ..
            } => scene.reach_round(*round),
            EventKind::Initiative { .. } => scene.reach_round(1),
            EventKind::FightEnded { .. } => scene.end_fight(),
            // The recap shows other events only through their changes.
            _ => {}
        }
    }

    fn finish(self, entries: &[Logged]) -> Recap {
        let Self {
            view,
            scope,
            scenes,
            tokens,
            rollers,
            removed,
            ..
        } = self;

        // Hidden later entries must make no difference to the recap of a player.
        let is_latest = view.log_since(scope.range.last + 1).next().is_none();
        let moved: Vec<BTreeSet<ClockId>> =
            scenes.iter().map(|scene| scene.clocks.moved()).collect();
        let last_moves = last_moves(&moved);
        let moved = moved.into_iter().flatten().collect();
        let mut finished = Vec::with_capacity(scenes.len());
        for (draft, mut present_of) in scenes.into_iter().zip(last_moves) {
            // The GM reads every tick, so the last movement already shows the present state.
            if !is_latest || view.seat().sees_all() {
                present_of.clear();
            }
            let scene = draft.finish(view, scope.range.first, &removed, &present_of);
            if scene.is_worth_a_heading() {
                finished.push(scene);
            }
        }

        let last_entry = entries.last().map(|logged| &logged.entry.event.what);
        let ends_session = last_entry.is_some_and(is_end_of_session);
        let open = if is_latest {
            Some(loose_ends(view, &moved))
        } else {
            None
        };
        let rollers = rollers.finish(view);
        Recap {
            game: String::new(),
            session: scope.session,
            began: entries.first().map(|logged| logged.entry.at),
            ended: entries.last().map(|logged| logged.entry.at),
            gm: gm_name(view),
            gm_title: view.system().spec().gm,
            reader: find_reader(view),
            cast: find_cast(view, &rollers, scope),
            scenes: finished,
            tokens: tokens.finish(view, is_latest && !ends_session),
            rollers,
            open,
        }
    }
}

fn is_end_of_session(what: &EventKind) -> bool {
    matches!(what, EventKind::SessionEnded { .. } | EventKind::Ended)
}

impl SceneDraft {
    /// Returns the finished scene. `present_of` contains the clocks whose present state the scene shows.
    fn finish(
        self,
        view: &SeatView<'_>,
        first_entry: u64,
        removed: &BTreeMap<ClockId, Clock>,
        present_of: &BTreeSet<ClockId>,
    ) -> RecapScene {
        let (rolls, moments) = self.moments.finish();
        let moves = self.clocks.finish(view, removed, present_of);
        let mut characters = self.characters;
        for (owner, clock) in moves.states {
            characters.add_clock(owner, clock);
        }
        RecapScene {
            name: self.name,
            is_continued: first_entry > 1 && self.from < first_entry,
            minutes: self.played.num_minutes(),
            fights: self.fights,
            rounds: self.finished_rounds + self.round,
            rolls,
            moments,
            clocks: moves.clocks,
            characters: characters.finish(view),
        }
    }

    /// Begins a fight if there is none.
    fn reach_round(&mut self, round: u32) {
        if self.round == 0 {
            self.fights += 1;
        }
        self.round = self.round.max(round);
    }

    fn end_fight(&mut self) {
        self.finished_rounds += self.round;
        self.round = 0;
    }

    /// Adds the messages of thresholds that pools of characters reached, such as `harm: dying`.
    fn add_messages(&mut self, entry: &Entry, view: &SeatView<'_>) {
        let effects = entry.roll().map(|roll| roll.effects.iter());
        for effect in effects.into_iter().flatten() {
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
                self.characters.add_message(CharacterId(*of), message);
            }
        }
    }
}

/// True if a message belongs to a threshold of the pool that has no effects. Other messages repeat changes that the
/// recap already describes.
fn is_threshold(message: &str, pool: &TokenPool, view: &SeatView<'_>) -> bool {
    let is_own = pool.thresholds.iter().any(|(_, told)| told == message);
    let PoolKind::Rule(kind) = pool.kind else {
        return is_own;
    };
    let spec = view.system().spec().pool(kind);
    let mut thresholds = spec.into_iter().flat_map(|spec| spec.at);
    let is_of_rules =
        thresholds.any(|threshold| threshold.say == message && threshold.effects().is_empty());
    is_own || is_of_rules
}

impl RecapScene {
    /// False for an empty scene that has no name or began before the recap.
    fn is_worth_a_heading(&self) -> bool {
        let is_new = !self.name.is_empty() && !self.is_continued;
        let has_contents =
            !self.moments.is_empty() || !self.clocks.is_empty() || !self.characters.is_empty();
        is_new || has_contents || self.rolls.count > 0
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
