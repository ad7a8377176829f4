//! The form of a command: its words, its slots for typed values, and its optional parts.
//!
//! A form is written like `tick/advance CLOCK [~by AMOUNT]`:
//!
//! - `tick/advance` is a word and its synonyms. Help shows the word.
//! - `short|long` is a choice between words. Help shows all of them.
//! - `~by` is a filler: a word that may be typed but has no meaning. Help leaves it out.
//! - `CLOCK` is a slot. The name of a slot determines its kind; see [`SlotKind::named`].
//! - Brackets enclose an optional part.

use super::Target;

/// The kind of value that a slot accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotKind {
    Character,
    Characters,
    Clock,
    Pool,
    /// A character, a clock or a pool.
    CharacterClockOrPool,
    /// Characters and clocks.
    CharactersAndClocks,
    PreparedScene,
    Stat,
    /// A character, or the table.
    Owner,
    Number,
    /// A number, or dice whose total is the number.
    NumberOrDice,
    /// The number of a log entry.
    Entry,
    /// The number of a log entry with its sign, as in `#12`. A number without the sign would be a face or an answer.
    EntryTag,
    /// One or more words.
    Name,
    Dice,
    /// The readers of a note: characters, players, `gm`, `all`, `party` or `me`.
    Readers,
    /// The entity to which a note is pinned: a character, a clock, or the scene.
    Pin,
    /// A note, typed by the beginning of its text.
    Note,
    /// All words up to the end of the command.
    Text,
}

impl SlotKind {
    /// Returns the kind of the slot with this name.
    fn named(name: &str) -> Self {
        match name {
            "WHO" => Self::Character,
            "WHO…" => Self::Characters,
            "CLOCK" | "NEXT" => Self::Clock,
            "POOL" => Self::Pool,
            "THING" => Self::CharacterClockOrPool,
            "THINGS…" => Self::CharactersAndClocks,
            "SCENE" => Self::PreparedScene,
            "STAT" => Self::Stat,
            "OWNER" | "FROM" | "TO" => Self::Owner,
            "AMOUNT" | "SEGMENTS" | "ROUNDS" | "LEVELS" | "TOTAL" => Self::Number,
            "SIZE" | "FILLED" => Self::NumberOrDice,
            "ENTRY" => Self::Entry,
            "#ENTRY" => Self::EntryTag,
            "NAME" => Self::Name,
            "DICE…" => Self::Dice,
            "WHOM…" => Self::Readers,
            "WHAT" => Self::Pin,
            "NOTE" => Self::Note,
            // TEXT, WHY, VALUE, CHECK…, FACES and FIELD=VALUE… accept any words.
            _ => Self::Text,
        }
    }

    /// True if this target can fill the slot.
    pub(super) const fn accepts(self, target: &Target) -> bool {
        match target {
            Target::Character(_) => {
                matches!(
                    self,
                    Self::Character | Self::Characters | Self::CharacterClockOrPool
                )
            }
            Target::Clock(_) => matches!(self, Self::Clock | Self::CharacterClockOrPool),
            Target::Pool(_) => matches!(self, Self::Pool | Self::CharacterClockOrPool),
            Target::PreparedScene(_) => matches!(self, Self::PreparedScene),
            Target::Stat(_) | Target::Table => false,
        }
    }

    /// The noun for a value of the slot in error messages.
    pub(super) const fn noun(self) -> &'static str {
        match self {
            Self::Clock => "clock",
            Self::Pool => "pool",
            Self::CharacterClockOrPool => "character, clock or pool",
            Self::CharactersAndClocks => "character or clock",
            Self::PreparedScene => "prepared scene",
            Self::Stat => "stat",
            _ => "character",
        }
    }
}

/// A part of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FormPiece {
    /// A word with its synonyms, or a choice between such words: `tick/advance`, `short|long`.
    Word(&'static str),
    Filler(&'static str),
    Slot {
        name: &'static str,
        kind: SlotKind,
    },
    Optional(Vec<Self>),
}

pub(super) fn parse_form(form: &'static str) -> Vec<FormPiece> {
    let mut remaining = form;
    parse_pieces(&mut remaining)
}

/// Parses pieces up to a closing bracket or the end.
fn parse_pieces(remaining: &mut &'static str) -> Vec<FormPiece> {
    let mut pieces = Vec::new();
    loop {
        *remaining = remaining.trim_start();
        if remaining.is_empty() {
            return pieces;
        }

        if let Some(inside) = remaining.strip_prefix('[') {
            *remaining = inside;
            pieces.push(FormPiece::Optional(parse_pieces(remaining)));
        } else if let Some(after) = remaining.strip_prefix(']') {
            *remaining = after;
            return pieces;
        } else {
            let end = remaining.find([' ', '[', ']']).unwrap_or(remaining.len());
            let (word, after) = remaining.split_at(end);
            *remaining = after;
            pieces.push(parse_piece(word));
        }
    }
}

fn parse_piece(word: &'static str) -> FormPiece {
    if let Some(filler) = word.strip_prefix('~') {
        return FormPiece::Filler(filler);
    }

    let is_slot = word.trim_start_matches('#').starts_with(char::is_uppercase);
    if is_slot {
        FormPiece::Slot {
            name: word,
            kind: SlotKind::named(word),
        }
    } else {
        FormPiece::Word(word)
    }
}

/// Returns other orders of optional parts: `piece` is optional, and another optional part that follows it without a required
/// one between them begins with the typed word.
pub(super) fn reorder<'a>(
    piece: &'a FormPiece,
    rest: &[&'a FormPiece],
    typed: &str,
) -> Vec<Vec<&'a FormPiece>> {
    let mut orders = Vec::new();
    for (place, other) in rest.iter().enumerate() {
        let FormPiece::Optional(inner) = other else {
            break;
        };
        let begins_here = match inner.first() {
            Some(FormPiece::Word(choice)) => choose_word(choice, typed).is_some(),
            _ => false,
        };
        if begins_here {
            let mut order: Vec<&FormPiece> = inner.iter().collect();
            order.push(piece);
            order.extend(&rest[..place]);
            order.extend(&rest[place + 1..]);
            orders.push(order);
        }
    }
    orders
}

/// Renders a form for help, without fillers and with only the first of several synonyms.
pub(super) fn render_pieces(pieces: &[FormPiece]) -> String {
    let mut shown = Vec::new();
    for piece in pieces {
        match piece {
            FormPiece::Word(choice) => shown.push(render_choice(choice)),
            FormPiece::Filler(_) => {}
            FormPiece::Slot { name, .. } => shown.push((*name).to_owned()),
            FormPiece::Optional(inner) => shown.push(format!("[{}]", render_pieces(inner))),
        }
    }
    shown.join(" ")
}

fn render_choice(choice: &str) -> String {
    let mut shown = Vec::new();
    for option in choice.split('|') {
        let (word, _synonyms) = option.split_once('/').unwrap_or((option, ""));
        shown.push(word);
    }
    shown.join("|")
}

/// Finds a typed word in a choice of words. For a synonym, returns the word that it stands for.
pub(super) fn choose_word(choice: &'static str, typed: &str) -> Option<&'static str> {
    for option in choice.split('|') {
        let mut synonyms = option.split('/');
        let word = synonyms.next()?;
        if word == typed || synonyms.any(|synonym| synonym == typed) {
            return Some(word);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_shows_a_form_without_fillers_and_synonyms() {
        let pieces = parse_form("tick/advance CLOCK [~by AMOUNT] [short|long/night]");
        let shown = "tick CLOCK [AMOUNT] [short|long]";
        assert_eq!(render_pieces(&pieces), shown);
    }

    #[test]
    fn a_synonym_means_its_word() {
        assert_eq!(
            choose_word("ally|adversary/enemy", "enemy"),
            Some("adversary")
        );
        assert_eq!(choose_word("ally|adversary/enemy", "ally"), Some("ally"));
        assert_eq!(choose_word("ally|adversary/enemy", "adv"), None);
    }
}
