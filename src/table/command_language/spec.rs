//! A command: its form, its help, what it does, and which key does it to what is in hand.

use super::error::{Made, ParseError};
use super::form::{self, Piece, SlotKind};
use super::slots::{Said, Slots};
use super::thing::Thing;
use crate::table::{Act, SeatView};

/// The commands on one kind of things.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub title: &'static str,
    pub commands: &'static [CommandSpec],
}

/// A command: how it is said, what it does, and which key does it to what is in hand.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    pub(super) form: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The name of the key's action; empty where no key does it.
    pub key: &'static str,
    applies: fn(&Thing, &SeatView<'_>) -> bool,
    act: fn(&Said<'_>) -> Made,
}

pub(super) const fn command(
    form: &'static str,
    help: &'static str,
    act: fn(&Said<'_>) -> Made,
) -> CommandSpec {
    CommandSpec {
        form,
        help,
        key: "",
        applies: |_, _| true,
        act,
    }
}

impl PartialEq for CommandSpec {
    /// A form stands in the table once.
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form
    }
}

impl CommandSpec {
    pub(super) const fn key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    pub(super) const fn when(self, applies: fn(&Thing, &SeatView<'_>) -> bool) -> Self {
        Self { applies, ..self }
    }

    /// Its form, as a person reads it: `tick CLOCK [AMOUNT]`.
    pub fn form(&self) -> String {
        form::shown(self.form)
    }

    /// The words that it may begin with.
    pub fn verbs(&self) -> impl Iterator<Item = &'static str> {
        let first = self.form.split(' ').next().unwrap_or_default();
        first.split('|')
    }

    /// The words that say it of one thing, or `None` where it asks for more than that. Tokens come and go
    /// one by one.
    pub fn words_for(&self, thing: &Thing, name: &str) -> Option<String> {
        let mut words: Vec<&str> = self.verbs().take(1).collect();
        let mut is_named = false;
        for piece in form::pieces(self.form).into_iter().skip(1) {
            match piece {
                Piece::Filler(_) | Piece::Maybe(_) => {}
                Piece::Word(word) if !word.contains('|') => words.push(word),
                Piece::Slot(_, kind) if !is_named && kind.takes(thing) => {
                    words.push(name);
                    is_named = true;
                }
                Piece::Slot(_, SlotKind::Number) if !self.key.is_empty() => words.push("1"),
                Piece::Word(_) | Piece::Slot(..) => return None,
            }
        }
        is_named.then(|| words.join(" "))
    }

    /// Whether it is for anything with a name, not for things of one kind.
    pub fn is_general(&self) -> bool {
        self.form.contains("THING")
    }

    pub(super) fn takes(&self, thing: &Thing) -> bool {
        let pieces = form::pieces(self.form);
        let takes = |piece| matches!(piece, &Piece::Slot(_, kind) if kind.takes(thing));
        pieces.iter().any(takes)
    }

    /// Whether there is something to do to that thing.
    pub fn applies(&self, thing: &Thing, seen: &SeatView<'_>) -> bool {
        (self.applies)(thing, seen)
    }

    /// Does it to these things.
    pub fn act_on(&self, things: Vec<Thing>, seen: &SeatView<'_>) -> Result<Act, ParseError> {
        let slots = Slots {
            things,
            ..Slots::default()
        };
        self.act(&slots, seen)
    }

    pub(super) fn act(&self, slots: &Slots, seen: &SeatView<'_>) -> Made {
        (self.act)(&Said { slots, seen })
    }

    pub(super) fn misspoken(&self, what: impl Into<String>) -> ParseError {
        let (what, form) = (what.into(), self.form());
        ParseError::Form { what, form }
    }
}
