//! A command: its form, its help, what it does, and which key does it to what is in hand. A form has words, slots
//! for names and numbers, and what may be left out.

use super::{ActResult, Args, ParseError, Slots, Thing};
use tableside_table::{Act, SeatView};
use tableside_text::join;

/// What every command does, in a line: its form, a dash, and the help.
pub(super) const HELP: &str = include_str!("help.txt");

/// A command: how it is said, what it does, and which key does it to what is in hand.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    /// Its form.
    pub text: &'static str,
    /// The name of the key's action; empty where no key does it.
    pub key: &'static str,
    applies: fn(&Thing, &SeatView<'_>) -> bool,
    act: fn(&Args<'_>) -> ActResult,
}

/// The command of that form.
pub(super) const fn command(text: &'static str, act: fn(&Args<'_>) -> ActResult) -> CommandSpec {
    CommandSpec {
        text,
        key: "",
        applies: |_, _| true,
        act,
    }
}

impl PartialEq for CommandSpec {
    /// A form stands in the table once.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl CommandSpec {
    pub(super) const fn key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    pub(super) const fn when(self, applies: fn(&Thing, &SeatView<'_>) -> bool) -> Self {
        Self { applies, ..self }
    }

    /// One line of help.
    pub fn help(&self) -> &'static str {
        let of_form = |line: &'static str| line.strip_prefix(self.text)?.strip_prefix(" — ");
        HELP.lines().find_map(of_form).unwrap_or_default()
    }

    /// Its form, as a person reads it: `tick CLOCK [AMOUNT]`, without fillers, and with the first of several verbs
    /// alone.
    pub fn form(&self) -> String {
        let form = self.text;
        let (verbs, rest) = form.split_at(form.find(' ').unwrap_or(form.len()));
        let words = rest.split_whitespace().map(|word| {
            let brackets = word.chars().filter(|letter| "[]".contains(*letter));
            let filler = word.contains('~').then(|| brackets.collect());
            filler.unwrap_or_else(|| word.to_owned())
        });
        let words = verbs.split('|').take(1).map(str::to_owned).chain(words);
        let words = join(words.filter(|word| !word.is_empty()), " ");
        words.replace("[ ", "[").replace(" ]", "]")
    }

    pub(super) fn pieces(&self) -> Vec<Piece> {
        read(&mut { self.text })
    }

    /// The words that it may begin with; none where it begins with a name.
    pub fn verbs(&self) -> impl Iterator<Item = &'static str> {
        let first = self.text.split(' ').next().unwrap_or_default();
        let words = first.split('|');
        words.filter(|word| !word.starts_with(char::is_uppercase))
    }

    /// The words that say it of one thing, or `None` where it asks for more than that. Tokens come and go
    /// one by one.
    pub fn words_for(&self, thing: &Thing, name: &str) -> Option<String> {
        let mut words = vec![self.verbs().next()?];
        let mut is_named = false;
        for piece in self.pieces().into_iter().skip(1) {
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

    pub(super) fn takes(&self, thing: &Thing) -> bool {
        let takes = |piece| matches!(piece, &Piece::Slot(_, kind) if kind.takes(thing));
        self.pieces().iter().any(takes)
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

    pub(super) fn act(&self, slots: &Slots, seen: &SeatView<'_>) -> ActResult {
        (self.act)(&Args { slots, seen })
    }

    pub(super) fn misspoken(&self, what: impl Into<String>) -> ParseError {
        let (what, form) = (what.into(), self.form());
        ParseError::Form { what, form }
    }
}

/// What a slot takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotKind {
    Character,
    Characters,
    Clock,
    Pool,
    /// A character, a clock or a pool.
    Thing,
    /// Characters and clocks.
    Things,
    Scene,
    Stat,
    /// A character, or the table.
    Owner,
    Number,
    /// A number, or dice for it.
    Count,
    /// The number of an entry of the log.
    Entry,
    /// The number of a roll that waits, with its sign: other numbers are faces and answers.
    Waiting,
    /// One word or more.
    Name,
    Dice,
    /// All words to the end.
    Text,
}

impl SlotKind {
    fn named(name: &str) -> Self {
        match name {
            "WHO" => Self::Character,
            "WHO…" => Self::Characters,
            "CLOCK" | "NEXT" => Self::Clock,
            "POOL" => Self::Pool,
            "THING" => Self::Thing,
            "THINGS…" => Self::Things,
            "SCENE" => Self::Scene,
            "STAT" => Self::Stat,
            "OWNER" | "FROM" | "TO" => Self::Owner,
            "AMOUNT" | "SEGMENTS" | "ROUNDS" | "LEVELS" | "TOTAL" => Self::Number,
            "SIZE" | "FILLED" => Self::Count,
            "ENTRY" => Self::Entry,
            "#ENTRY" => Self::Waiting,
            "NAME" => Self::Name,
            "DICE…" => Self::Dice,
            // TEXT, WHY, VALUE, CHECK…, FIELD=VALUE…
            _ => Self::Text,
        }
    }

    /// Whether that may stand in it.
    pub(super) const fn takes(self, thing: &Thing) -> bool {
        match thing {
            Thing::Character(_) => matches!(self, Self::Character | Self::Characters | Self::Thing),
            Thing::Clock(_) => matches!(self, Self::Clock | Self::Thing),
            Thing::Pool(_) => matches!(self, Self::Pool | Self::Thing),
            Thing::Scene(_) => matches!(self, Self::Scene),
            Thing::Stat(_) | Thing::Table => false,
        }
    }

    /// What a name that is looked up for it should be the name of.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Clock => "clock",
            Self::Pool => "pool",
            Self::Thing => "character, clock or pool",
            Self::Things => "character or clock",
            Self::Scene => "prepared scene",
            Self::Stat => "stat",
            _ => "character",
        }
    }
}

/// A piece of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// One of these words, with bars between them.
    Word(&'static str),
    /// A word that may stand there and says nothing: `~by`.
    Filler(&'static str),
    /// What the form calls it, and what it takes.
    Slot(&'static str, SlotKind),
    /// What may be left out.
    Maybe(Vec<Self>),
}

/// The pieces of a form.
fn read(rest: &mut &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    loop {
        *rest = rest.trim_start();
        if let Some(inside) = rest.strip_prefix('[') {
            *rest = inside;
            pieces.push(Piece::Maybe(read(rest)));
            continue;
        }
        if let Some(after) = rest.strip_prefix(']') {
            *rest = after;
            return pieces;
        }
        let end = rest.find([' ', '[', ']']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        *rest = after;
        pieces.push(match word.strip_prefix('~') {
            Some(filler) => Piece::Filler(filler),
            None if word.is_empty() => return pieces,
            None if word.trim_start_matches('#').starts_with(char::is_uppercase) => {
                Piece::Slot(word, SlotKind::named(word))
            }
            None => Piece::Word(word),
        });
    }
}
