//! Commands in plain words: one table for the command line, the palette, and the keys that act on what is
//! in hand.
//!
//! A command is its form, one line of help, and what it does. Reading, help and errors come
//! from the form. Names are found letter case aside, by their beginning, or by some of their letters in
//! order; where several could be meant, the error names them, and for an unknown one the nearest.

mod characters;
mod check_reader;
mod clocks;
mod error;
mod game;
mod matcher;
mod name_lookup;
mod request;
mod roll_request;
mod rolls;
mod slots;
mod spec;
mod tokens;

pub use characters::with_conditions;
pub use error::ParseError;
use error::{ActResult, cut, gone, one_of};
use matcher::Matcher;
pub use name_lookup::{character_named, clock_named};
use name_lookup::{find, known, number, surely, table_named};
pub use request::{Request, Response, act_in_words, handle_request};
pub use roll_request::RollRequest;
pub use slots::Thing;
use slots::{Args, Slots, all};
pub use spec::CommandSpec;
use spec::{Piece, SlotKind, command};
use tableside_table::{Act, SeatView};
use tableside_text::{did_you_mean, nearest};

/// The most words of a command.
const MOST_WORDS: usize = 1_000;

/// Every command by what it acts on, in the order of the help.
pub const PLACES: [(&str, &[CommandSpec]); 5] = [
    ("Checks", rolls::COMMANDS),
    ("Clocks", clocks::COMMANDS),
    ("Party", characters::COMMANDS),
    ("Tokens", tokens::COMMANDS),
    ("The game", game::COMMANDS),
];

/// Every command, in the order of the help.
pub fn commands() -> impl Iterator<Item = &'static CommandSpec> + Clone {
    PLACES.into_iter().flat_map(|(_, commands)| commands)
}

/// What a key does to these things: the first command of its action that applies to the first of them, or
/// the last, which then says why not. `None` where the key does nothing of that kind.
pub fn command_of_key(
    key: &str,
    thing: Option<&Thing>,
    seen: &SeatView<'_>,
) -> Option<&'static CommandSpec> {
    let fits = |spec: &&CommandSpec| thing.is_none_or(|thing| spec.takes(thing));
    let applies = |spec: &&CommandSpec| thing.is_none_or(|thing| spec.applies(thing, seen));
    let mut fitting = commands().filter(|spec| spec.key == key && fits(spec));
    let last = fitting.clone().last();
    fitting.find(applies).or(last)
}

/// A command that words say, and what they fill its form with.
#[derive(Debug)]
pub struct Parsed {
    spec: &'static CommandSpec,
    slots: Slots,
}

impl Parsed {
    /// The act that it is.
    pub fn act(&self, seen: &SeatView<'_>) -> Result<Act, ParseError> {
        self.spec.act(&self.slots, seen)
    }

    /// The command and its thing, where the words name one thing and say no more.
    pub fn of_thing(&self) -> Option<(&'static CommandSpec, Thing)> {
        let [thing] = self.slots.things.as_slice() else {
            return None;
        };
        let bare = Slots {
            things: vec![*thing],
            words: self.slots.words.clone(),
            ..Slots::default()
        };
        (self.slots == bare).then_some((self.spec, *thing))
    }
}

/// The command that the words say.
pub fn parse(words: &str, seen: &SeatView<'_>) -> Result<Parsed, ParseError> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let Some(verb) = words.first().map(|verb| verb.to_lowercase()) else {
        let nothing = "say what is to be done, as in: tick The alarm";
        return Err(ParseError::Verb(nothing.to_owned()));
    };
    if words.len() > MOST_WORDS {
        return Err(ParseError::Form {
            what: format!("at most {MOST_WORDS} words make an act"),
            form: "note TEXT".to_owned(),
        });
    }
    let fit = |matcher: Matcher<'_>| {
        let (spec, slots) = matcher.finish()?;
        Ok(Parsed { spec, slots })
    };
    let mut matcher = Matcher::new(&words, seen);
    let begun = commands().filter(|spec| spec.verbs().any(|known| known == verb));
    if begun.clone().next().is_none() {
        let dice = words.join(" ");
        if check_reader::dice(&dice, seen)?.is_some() {
            return parse(&format!("roll {dice}"), seen);
        }
        let named = commands().filter(|spec| spec.verbs().next().is_none());
        named.for_each(|spec| matcher.try_spec(spec));
        let near = nearest(&verb, commands().flat_map(CommandSpec::verbs));
        match (fit(matcher), near) {
            (Ok(parsed), _) => return Ok(parsed),
            // A name and no verb: the rest of the form is told.
            (Err(why @ ParseError::Form { .. }), None) => return Err(why),
            (Err(_), _) => {}
        }
        let (given, near) = (error::cut(&verb), did_you_mean(near));
        let what = format!("no action begins with {given:?}{near}");
        return Err(ParseError::Verb(what));
    }
    begun.for_each(|spec| matcher.try_spec(spec));
    fit(matcher)
}

/// The act that the words say.
///
/// Words that are no act but resemble a roll of dice get an error about the dice.
pub fn read(words: &str, seen: &SeatView<'_>) -> Result<Act, ParseError> {
    let act = parse(words, seen).and_then(|parsed| parsed.act(seen));
    match act {
        Err(error) if error.may_be_about_dice() => {
            Err(check_reader::dice_mistake(words, seen).unwrap_or(error))
        }
        act => act,
    }
}

#[cfg(test)]
mod tests;
