//! The form of a command: words, slots for names and numbers, and what may be left out.

use super::thing::Thing;

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
    /// The number of an entry of the log.
    Entry,
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
            "ENTRY" => Self::Entry,
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
pub(super) fn pieces(mut form: &'static str) -> Vec<Piece> {
    read(&mut form)
}

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
            None if word.starts_with(char::is_uppercase) => {
                Piece::Slot(word, SlotKind::named(word))
            }
            None => Piece::Word(word),
        });
    }
}

/// The form as a person reads it: without fillers, and with the first of several verbs alone.
pub(super) fn shown(form: &'static str) -> String {
    let (verbs, rest) = form.split_at(form.find(' ').unwrap_or(form.len()));
    let words = rest.split_whitespace().map(|word| {
        let brackets = word.chars().filter(|letter| "[]".contains(*letter));
        let filler = word.contains('~').then(|| brackets.collect());
        filler.unwrap_or_else(|| word.to_owned())
    });
    let words = verbs.split('|').take(1).map(str::to_owned).chain(words);
    let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ").replace("[ ", "[").replace(" ]", "]")
}
