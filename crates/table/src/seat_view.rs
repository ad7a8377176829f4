//! The game and everything around it as one seat sees it: the other seats, the state of saving, the log.
//!
//! Every screen, list and command reads the game through a [`SeatView`].

mod clocks;
mod log;

use std::collections::BTreeSet;
use std::hash::BuildHasher as _;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

pub use clocks::ClockView;

use super::redact::{Redactor, SOMEBODY};
use super::{
    Allowed, FindSystem, History, Inner, ListedSeat, PublicPage, Seat, SeatRole, Suggestion,
};
use tableside_game::{
    Bestiary, Call, Character, CharacterId, ClockId, EntityKind, Game, Note, NoteId, Prepared,
    RandomTables, SeatId, TokenPool, Unfinished,
};
use tableside_rules::{CheckSpec, Field, System};
use tableside_store::{GameLocation, Reader, Saving};

/// A game as one seat may see it. It dereferences to the redacted [`Game`].
#[derive(Clone, Copy, derive_more::Deref)]
pub struct SeatView<'a> {
    /// The redacted game.
    #[deref(forward)]
    game: &'a Game,
    /// The table with everything that is hidden. Methods read from it only what the seat may see.
    inner: &'a Inner,
    seat: &'a Seat,
    role: SeatRole,
}

/// Methods of the view itself.
impl<'a> SeatView<'a> {
    /// Returns the view of a seat. `special` is the redacted game of a seat that sees more than an onlooker and less
    /// than everything.
    pub(super) fn new(inner: &'a Inner, special: Option<&'a Game>, seat: &'a Seat) -> Self {
        let game = if seat.sees_all() {
            &inner.game
        } else {
            special.unwrap_or_else(|| inner.views.public(&inner.game))
        };
        Self {
            game,
            inner,
            seat,
            role: seat.role,
        }
    }

    /// Returns the view of an onlooker, for a screen that others can see. The seat of this view still does the acts.
    pub fn covered<'b>(&self, onlooker: &'b Seat) -> SeatView<'b>
    where
        'a: 'b,
    {
        SeatView {
            game: self.inner.views.public(&self.inner.game),
            seat: onlooker,
            ..*self
        }
    }

    /// The game without everything that is hidden from the seat.
    pub fn game(&self) -> &'a Game {
        self.game
    }

    pub fn system(&self) -> System {
        self.game.system
    }

    /// The role in which acts are done. On a covered screen it is the role of the seat whose screen is covered.
    pub fn role(&self) -> SeatRole {
        self.role
    }

    /// The seat whose view this is.
    pub fn seat(&self) -> &'a Seat {
        self.seat
    }

    pub(super) fn history(&self) -> &'a History {
        &self.inner.history
    }

    /// Returns a reader of the journal, if the game is saved.
    pub(super) fn reader(&self) -> Option<Reader> {
        self.inner.reader()
    }

    pub(super) fn redactor(&self) -> Redactor<'a> {
        Redactor::new(&self.inner.game, self.seat)
    }

    /// The number of changes since the game was opened.
    pub fn revision(&self) -> u64 {
        self.inner.revision.latest
    }

    /// The revision of the last change that may affect entities of a kind. For characters, this means the values on
    /// their sheets. For all kinds other than characters, clocks and pools, changes of values on sheets, of clocks and of
    /// pools do not count.
    pub fn revision_of(&self, kind: EntityKind) -> u64 {
        let revision = self.inner.revision;
        let of_sheets = revision.sheets.max(revision.others);
        match kind {
            EntityKind::Clock => revision.clocks.max(of_sheets),
            EntityKind::Pool => revision.pools.max(of_sheets),
            EntityKind::Character => of_sheets,
            _ => revision.others,
        }
    }

    /// A hash of everything that decides which entries the seat may read, and in which form. If the hash changes, the log
    /// must be read again.
    pub fn visibility_hash(&self) -> u64 {
        // Entries about own notes stay readable.
        let notes: Vec<NoteId> = self
            .written_notes()
            .filter(|note| note.seat != self.seat.id)
            .map(|note| note.id)
            .collect();
        if self.seat.sees_all() {
            return FxBuildHasher.hash_one(notes);
        }

        let characters: Vec<CharacterId> = self.roster().map(|character| character.id).collect();
        let clocks: Vec<(ClockId, bool)> = self
            .clocks()
            .map(|view| (view.clock.id, view.filled.is_some()))
            .collect();
        let pools: Vec<_> = self.pools().map(|pool| pool.id).collect();
        FxBuildHasher.hash_one((notes, characters, clocks, pools))
    }
}

/// Methods about the seats and services around the game.
impl<'a> SeatView<'a> {
    /// The names of the players of all characters, and of the player at this seat.
    pub fn players(&self) -> Vec<String> {
        let mut names: BTreeSet<&str> = self
            .roster()
            .map(|character| character.player.as_str())
            .collect();
        if self.seat.role == SeatRole::Player {
            names.insert(&self.seat.name);
        }
        names.remove("");
        names.into_iter().map(str::to_owned).collect()
    }

    /// Every seat at the table once, in the order of joining.
    pub fn present(&self) -> impl Iterator<Item = &'a Seat> {
        self.inner.presence.present()
    }

    /// The seats that may join. `None` while the table is closed, and for everyone but the GM.
    pub fn listed(&self) -> Option<&'a [ListedSeat]> {
        if self.seat.sees_all() {
            self.inner.presence.listed.as_deref()
        } else {
            None
        }
    }

    /// The web page that shows the table, while the page is open. `None` for everyone but the GM.
    pub fn page(&self) -> Option<Arc<dyn PublicPage>> {
        if self.seat.sees_all() {
            self.inner.presence.page()
        } else {
            None
        }
    }

    /// The suggestions of players that wait for the GM, oldest first.
    pub fn suggestions(&self) -> &'a [Suggestion] {
        if self.seat.sees_all() {
            &self.inner.presence.suggestions
        } else {
            &[]
        }
    }

    /// The last message to this seat after number `since`, with its number.
    pub fn answer_since(&self, since: u64) -> Option<(u64, &'a str)> {
        self.inner.presence.message_to(self.seat, since)
    }

    /// The rights that players and watchers have in addition to those for their own characters.
    pub fn allowed(&self) -> Allowed {
        self.inner.presence.allowed
    }

    /// The random tables that the GM can roll on.
    pub fn random_tables(&self) -> Arc<RandomTables> {
        if self.seat.sees_all() {
            Arc::clone(&self.inner.random_tables)
        } else {
            Arc::default()
        }
    }

    /// The templates of creatures that the GM can add to the game.
    pub fn creatures(&self) -> Arc<Bestiary> {
        if self.seat.sees_all() {
            Arc::clone(&self.inner.creatures)
        } else {
            Arc::default()
        }
    }

    /// The function that finds rule systems for the process that opened the game.
    pub(super) fn find_system(&self) -> Option<&'a FindSystem> {
        self.inner.find_system.as_ref()
    }

    /// The location of the game, if it is saved.
    pub(super) fn place(&self) -> Option<GameLocation> {
        let store = self.inner.store.as_ref()?;
        Some(store.location())
    }

    /// True if the game is open read-only.
    pub fn is_view(&self) -> bool {
        let store = self.inner.store.as_ref();
        store.is_some_and(|store| store.is_view())
    }

    /// The progress of saving.
    pub fn saving(&self) -> Saving {
        let store = self.inner.store.as_ref();
        store.map_or(Saving::Quiet, |store| store.saving())
    }
}

/// Methods about the contents of the game.
impl<'a> SeatView<'a> {
    /// The visible characters, in the order of the roster.
    pub fn roster(&self) -> impl Iterator<Item = &'a Character> {
        self.game.roster.iter()
    }

    /// The private notes on a character, for the GM.
    pub fn notes(&self, character: &'a Character) -> Option<&'a str> {
        if self.seat.sees_all() {
            Some(&character.notes)
        } else {
            None
        }
    }

    /// The name of an owner, or of the table. Returns "somebody" for a hidden owner.
    pub fn owner_name(&self, owner: Option<CharacterId>) -> &'a str {
        let Some(owner) = owner else {
            return self.game.owner_name(None);
        };
        match self.game.character(owner) {
            Some(character) => &character.name,
            None => SOMEBODY,
        }
    }

    /// The notes and handouts that the seat may read, oldest first.
    pub fn written_notes(&self) -> impl DoubleEndedIterator<Item = &'a Note> {
        let notes = self.game().notes.iter();
        notes.filter(|note| self.seat().reads_note(note))
    }

    /// The handouts that the seat got and has not read yet, oldest first.
    pub fn unread_handouts(&self) -> impl Iterator<Item = &'a Note> {
        let seat = self.seat();
        self.written_notes().filter(move |note| {
            let is_for_seat = note.handout && note.seat != seat.id;
            // The GM need not mark handouts as read, and an onlooker without a seat cannot.
            let marks_read = !seat.sees_all() && seat.id != SeatId::NOBODY;
            is_for_seat && marks_read && !note.read_by.contains(&seat.id)
        })
    }

    /// The prepared scenes, for the GM.
    pub fn prepared(&self) -> impl Iterator<Item = &'a Prepared> {
        self.game.prepared.iter()
    }

    /// The visible pools, in order.
    pub fn pools(&self) -> impl Iterator<Item = &'a TokenPool> {
        self.game.pools.iter()
    }

    /// The pools of an owner or of the table, including pools that the characters of a player share.
    pub fn pools_of(&self, owner: Option<CharacterId>) -> impl Iterator<Item = &'a TokenPool> {
        let shared = match owner {
            Some(owner) => self.game.shared_pools(owner),
            None => Vec::new(),
        };
        self.pools().filter(move |pool| {
            let is_shared = shared.contains(&pool.id);
            pool.owner == owner || is_shared
        })
    }

    /// The waiting rolls that the seat may see.
    pub fn unfinished(&self) -> impl Iterator<Item = &'a Unfinished> {
        self.game.unfinished.iter()
    }

    /// Returns the tokens of a pool, with those that waiting rolls have set aside: these are not spent yet.
    pub fn tokens_in(&self, pool: &TokenPool) -> i32 {
        let set_aside = self.unfinished().flat_map(|waiting| &waiting.set_aside);
        let waiting_tokens: i32 = set_aside
            .flatten()
            .filter(|set_aside| set_aside.pool == pool.id)
            .map(|set_aside| set_aside.tokens)
            .sum();
        pool.tokens + waiting_tokens
    }

    /// The calls for rolls: all calls for the GM, otherwise the seat's own calls and the open calls.
    pub fn calls(&self) -> impl Iterator<Item = &'a Call> {
        self.game.calls.iter()
    }

    /// Attempts that may not be repeated: the character, and the attempt.
    pub fn locks(&self) -> impl Iterator<Item = (&'a Character, &'a str)> {
        let game = self.game;
        game.locks.iter().filter_map(|(who, attempt)| {
            let character = game.character(*who)?;
            Some((character, attempt.as_str()))
        })
    }

    /// The names that a player can give for a field.
    pub fn picks(&self, who: Option<CharacterId>, field: &Field) -> Vec<String> {
        let character = who.and_then(|id| self.character(id));
        self.game.picks(character, field)
    }

    /// The names in the fields of a call, such as skills, that a character does not have.
    pub fn lacking(
        &self,
        check: &'static CheckSpec,
        who: CharacterId,
        given: &[(String, String)],
    ) -> Vec<String> {
        match self.game.adapt_call(check, who, given) {
            Ok(trained) => trained.lacking,
            Err(_) => Vec::new(),
        }
    }
}
