//! Visibility and redaction: removes everything that a seat may not see from a game, an entry or a roll.
//!
//! Every screen, list, search, preview and refusal reads only redacted values. Three rules hold everywhere:
//!
//! - Characters are identified by id, never by name.
//! - A character that was hidden when an event happened stays hidden in that event until the GM shows the character, even
//!   if it is renamed or removed.
//! - A stored text may contain a hidden name. It is shown only if the changes prove that it contains none; otherwise a new text
//!   is written from the visible changes.

mod entry;
mod game;
mod reword;
mod roll;

use super::Seat;
use tableside_game::{
    Allegiance, AttachedCheck, Call, Change, Character, CharacterId, Clock, ClockId, EntityRef,
    Game, HostAction, HostRequest, Link, Named, Note, NoteId, Origin, Part, Pin, PoolId, PoolKind,
    Readers, Roll, TokenPool, Unfinished, Visibility,
};

pub(super) use entry::{HIDDEN_NUMBER, done_unseen};
pub(super) use game::RedactedGames;

/// Replaces a hidden name.
pub(super) const SOMEBODY: &str = "somebody";

/// Decides what a seat may see of the whole game, and redacts the rest.
#[derive(Clone, Copy)]
pub(super) struct Redactor<'a> {
    /// The whole game, including everything that is hidden.
    game: &'a Game,
    seat: &'a Seat,
}

/// Methods that decide the visibility of characters, clocks, pools and rolls.
impl<'a> Redactor<'a> {
    pub(super) fn new(game: &'a Game, seat: &'a Seat) -> Self {
        Self { game, seat }
    }

    /// The present name of a character, or its last name if it was removed. `None` if the character is hidden from the seat.
    pub(super) fn name(&self, id: CharacterId) -> Option<&'a str> {
        if let Some(character) = self.game.character(id) {
            if !self.seat.knows(character) {
                return None;
            }
            return Some(&character.name);
        }

        let mut removed = self.game.departed.iter();
        let character = removed.find(|character| character.id == id)?;
        if character.hidden && !self.seat.sees_all() {
            return None;
        }
        Some(&character.name)
    }

    /// Replaces a recorded name by the present one. False if the character is hidden from the seat.
    fn update_name(&self, named: &mut Named) -> bool {
        let Some(name) = self.name(named.id) else {
            return false;
        };
        name.clone_into(&mut named.name);
        true
    }

    pub(super) fn knows(&self, id: CharacterId) -> bool {
        self.name(id).is_some()
    }

    fn knows_all(&self, mut ids: impl Iterator<Item = CharacterId>) -> bool {
        ids.all(|id| self.knows(id))
    }

    fn knows_owner(&self, owner: Option<CharacterId>) -> bool {
        owner.is_none_or(|owner| self.knows(owner))
    }

    /// True if the seat may see rolls of a character that are hidden from these players.
    pub(super) fn sees_rolls_of(&self, who: Option<CharacterId>, hidden_from: &[String]) -> bool {
        !self.seat.is_closed(hidden_from) && self.knows_owner(who)
    }

    /// True if the seat may see the roll with its result, and not only notice that dice were rolled.
    pub(super) fn sees_roll(&self, roll: &Roll) -> bool {
        self.sees_rolls_of(roll.id, &roll.hidden_from)
    }

    /// True if the seat sees the clock with its segments.
    fn sees_clock(&self, id: ClockId) -> bool {
        let Some(clock) = self.game.clock(id) else {
            return false;
        };
        clock.visibility == Visibility::Visible && self.knows_clock(clock)
    }

    /// True if the owner of a clock does not hide it from the seat.
    fn knows_clock(&self, clock: &Clock) -> bool {
        if clock.rule.is_some() {
            // A clock of the rules, such as wounds, shows the state of its owner.
            return self.knows_owner(clock.owner) && self.knows_state_of(clock.owner);
        }
        self.knows_owner(clock.owner)
    }

    /// True if the seat may read the sheet of a character. Of an adversary, players see only how healthy it is, unless a
    /// house rule opens the sheets of adversaries.
    fn reads_sheet(&self, character: &Character) -> bool {
        character.side != Allegiance::Adversary
            || self.seat.sees_all()
            || self.seat.characters.contains(&character.id)
            || self.game.house.is("adversaries", "open")
    }

    /// True if the seat may read the state of an owner. The side of a removed character is unknown, so its state is hidden.
    fn knows_state_of(&self, owner: Option<CharacterId>) -> bool {
        let Some(owner) = owner else {
            return true;
        };
        let Some(character) = self.game.character(owner) else {
            return false;
        };
        self.seat.knows(character) && self.reads_sheet(character)
    }

    fn knows_pool(&self, id: PoolId) -> bool {
        self.game.pool(id).is_some_and(|pool| self.sees_pool(pool))
    }

    fn sees_pool(&self, pool: &TokenPool) -> bool {
        let is_own = pool.kind == PoolKind::Own;
        self.knows_owner(pool.owner) && (is_own || self.knows_state_of(pool.owner))
    }

    /// True if no character that a check of a clock names is hidden from the seat.
    fn knows_check(&self, check: &AttachedCheck) -> bool {
        let origins = check.named.iter().map(|(_, origin)| origin);
        self.knows_owner(check.who) && self.knows_origins(origins)
    }

    fn knows_call(&self, call: &Call) -> bool {
        let origins = call.named.iter().map(|(_, origin)| origin);
        let helpers = call.helpers.iter().copied();
        self.knows(call.who) && self.knows_all(helpers) && self.knows_origins(origins)
    }

    /// True if no character from whose sheet a value comes is hidden from the seat.
    fn knows_origins<'o>(&self, origins: impl Iterator<Item = &'o Origin>) -> bool {
        let named = origins.flat_map(|origin| &origin.of);
        self.knows_all(named.map(|named| named.id))
    }

    /// True if a request to the host's game names no hidden clock.
    fn knows_request(&self, request: &HostRequest) -> bool {
        match request.action {
            HostAction::Tick { clock, .. } => {
                let copy = self.game.host_copy(clock);
                copy.is_some_and(|copy| self.sees_clock(copy.id))
            }
            HostAction::Undo { .. } => true,
        }
    }
}

/// Methods that decide the visibility of notes.
impl Redactor<'_> {
    /// Updates the names of the readers of a note, and removes those that are hidden from the seat.
    fn redact_readers(&self, readers: &mut Readers) {
        if let Readers::Characters(characters) = readers {
            characters.retain_mut(|named| self.update_name(named));
        }
    }

    /// Returns a note as the seat reads it. `None` if the seat may not read it.
    fn redact_note(&self, note: &Note) -> Option<Note> {
        if !self.seat.reads_note(note) {
            return None;
        }

        let mut redacted = note.clone();
        self.redact_readers(&mut redacted.readers);
        redacted.pinned_to = note.pinned_to.filter(|pin| self.knows_pin(*pin));
        redacted.read_by.retain(|seat| *seat == self.seat.id);
        // The number would reveal how many hidden entries lie before it.
        redacted.about = None;
        Some(redacted)
    }

    fn knows_pin(&self, pin: Pin) -> bool {
        match pin {
            Pin::Character(id) => self.knows(id),
            Pin::Clock(id) => match self.game.clock(id) {
                Some(clock) => {
                    let is_shown = clock.visibility != Visibility::Hidden;
                    is_shown && self.knows_clock(clock)
                }
                None => false,
            },
            Pin::Scene(_) => true,
        }
    }
}

/// Methods that decide the visibility of changes.
impl Redactor<'_> {
    /// True if the seat may see the value of a change before and after it.
    fn sees_change(&self, change: &Change) -> bool {
        let part = &change.part;
        if *part == Part::Owner {
            let owners = change.sides::<CharacterId>();
            if !self.knows_all(owners) {
                return false;
            }
        }

        match change.entity {
            EntityRef::Note(id) => self.reads_note_change(id, change),
            EntityRef::Scene(_)
            | EntityRef::Session(_)
            | EntityRef::LinesAndVeils
            | EntityRef::Round
            | EntityRef::House
            | EntityRef::Rules
            | EntityRef::HostLog => true,
            EntityRef::HostRequest(_) => {
                let mut requests = change.sides::<HostRequest>();
                requests.all(|request| self.knows_request(&request))
            }
            EntityRef::Lock(who) => self.knows(who),
            EntityRef::Prepared(_) => false,
            // The value of an added or removed entity includes its hidden parts.
            EntityRef::Character(_) | EntityRef::Clock(_) | EntityRef::Pool(_)
                if part.is_whole() =>
            {
                false
            }
            EntityRef::Character(who) => self.sees_character_change(who, change),
            EntityRef::Clock(id) => self.sees_clock(id) && self.knows_linked(change),
            EntityRef::Pool(id) => self.knows_pool(id) && *part != Part::Thresholds,
            EntityRef::Call(_) => {
                let mut calls = change.sides::<Call>();
                calls.all(|call| self.knows_call(&call))
            }
            EntityRef::Unfinished(_) if part.is_whole() => {
                let mut waiting_rolls = change.sides::<Unfinished>();
                waiting_rolls.all(|waiting| self.sees_roll(&waiting.roll))
            }
            EntityRef::Unfinished(_) => {
                let mut rolls = change.sides::<Roll>();
                rolls.all(|roll| self.sees_roll(&roll))
            }
        }
    }

    fn reads_note_change(&self, id: NoteId, change: &Change) -> bool {
        if change.part.is_whole() {
            return change
                .sides::<Note>()
                .all(|note| self.seat.reads_note(&note));
        }
        self.game
            .note(id)
            .is_some_and(|note| self.seat.reads_note(note))
    }

    fn sees_character_change(&self, who: CharacterId, change: &Change) -> bool {
        if change.part == Part::Notes || !self.knows(who) {
            return false;
        }
        !change.tells_state(self.game.system) || self.knows_state_of(Some(who))
    }

    /// True if no clock or character that a change of a clock refers to is hidden from the seat.
    fn knows_linked(&self, change: &Change) -> bool {
        match &change.part {
            Part::Link => {
                let mut links = change.sides::<Link>();
                links.all(|link| self.sees_clock(link.to))
            }
            Part::Check => {
                let mut checks = change.sides::<AttachedCheck>();
                checks.all(|check| self.knows_check(&check))
            }
            _ => true,
        }
    }
}
