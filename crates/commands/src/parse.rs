//! Parses commands in plain words.

use super::error::{ParseError, shorten};
use super::free_dice::{find_dice_mistake, request_free_dice};
use super::matcher::Matcher;
use super::slots::Slots;
use super::{CommandId, CommandSpec, Target, commands};
use tableside_table::{Act, SeatView};
use tableside_text::{did_you_mean, nearest};

/// The maximum number of words in a command.
const MAX_WORDS: usize = 1_000;

/// A typed command with the values of its slots.
#[derive(Debug)]
pub struct ParsedCommand {
    spec: &'static CommandSpec,
    slots: Slots,
}

impl ParsedCommand {
    /// Builds the act of the command.
    pub fn act(&self, view: &SeatView<'_>) -> Result<Act, ParseError> {
        self.spec.act(&self.slots, view)
    }

    /// Returns the command and its target, if the words contain a single target and no other value.
    pub fn of_target(&self) -> Option<(CommandId, Target)> {
        let [target] = self.slots.targets.as_slice() else {
            return None;
        };

        let only_target = Slots {
            targets: vec![*target],
            words: self.slots.words.clone(),
            ..Slots::default()
        };
        if self.slots == only_target {
            Some((self.spec.id, *target))
        } else {
            None
        }
    }
}

/// Parses the words of a command.
pub fn parse(words: &str, view: &SeatView<'_>) -> Result<ParsedCommand, ParseError> {
    parse_with_text(words, None, view)
}

/// Parses the words of a command. `text` is the value of the slot TEXT if it was not typed among the words.
fn parse_with_text(
    words: &str,
    text: Option<&str>,
    view: &SeatView<'_>,
) -> Result<ParsedCommand, ParseError> {
    let typed_words: Vec<&str> = words.split_whitespace().collect();
    let Some(first) = typed_words.first() else {
        let error = "type a command, for example: tick The alarm";
        return Err(ParseError::UnknownCommand(error.to_owned()));
    };
    if typed_words.len() > MAX_WORDS {
        return Err(ParseError::WrongForm {
            mistake: format!("a command has at most {MAX_WORDS} words"),
            form: "note TEXT".to_owned(),
        });
    }

    let verb = first.to_lowercase();
    let mut with_verb = Vec::new();
    for spec in commands() {
        if spec.verbs().any(|known| known == verb) {
            with_verb.push(spec);
        }
    }
    if with_verb.is_empty() {
        return parse_without_verb(&typed_words, view);
    }

    fit_best(&typed_words, text, with_verb, view)
}

/// Parses words without a verb at the start: dice such as `2d6`, or a name as in `Mira takes 5 damage`.
fn parse_without_verb(words: &[&str], view: &SeatView<'_>) -> Result<ParsedCommand, ParseError> {
    let dice = words.join(" ");
    if request_free_dice(&dice, view)?.is_some() {
        return parse(&format!("roll {dice}"), view);
    }

    let mut begin_with_name = Vec::new();
    for spec in commands() {
        if spec.verbs().next().is_none() {
            begin_with_name.push(spec);
        }
    }
    let fit = fit_best(words, None, begin_with_name, view);

    let typed = words.first().copied().unwrap_or_default().to_lowercase();
    let similar_verb = nearest(&typed, commands().flat_map(CommandSpec::verbs));
    match (fit, similar_verb) {
        (Ok(parsed), _) => Ok(parsed),
        // The words begin with a character's name, so the error about the rest is more helpful than "no action begins with".
        (Err(error @ ParseError::WrongForm { .. }), None) => Err(error),
        (Err(_), similar_verb) => {
            let typed = shorten(&typed);
            let suggestion = did_you_mean(similar_verb);
            let error = format!("no action begins with \"{typed}\"{suggestion}");
            Err(ParseError::UnknownCommand(error))
        }
    }
}

/// Fits the words into these forms and returns the best fit.
fn fit_best(
    words: &[&str],
    text: Option<&str>,
    specs: Vec<&'static CommandSpec>,
    view: &SeatView<'_>,
) -> Result<ParsedCommand, ParseError> {
    let mut matcher = Matcher::new(words, text, view);
    for spec in specs {
        matcher.try_command(spec);
    }

    let (spec, slots) = matcher.finish()?;
    Ok(ParsedCommand { spec, slots })
}

/// Parses the words of a command into an act.
///
/// If the words are not a command but resemble a roll of dice, the error describes the mistake in the dice.
pub fn parse_act(words: &str, view: &SeatView<'_>) -> Result<Act, ParseError> {
    parse_act_with_text(words, None, view)
}

/// Parses the words of a command into an act. `text` is the value of the slot TEXT if it was not typed among the words.
pub(super) fn parse_act_with_text(
    words: &str,
    text: Option<&str>,
    view: &SeatView<'_>,
) -> Result<Act, ParseError> {
    let result = parse_with_text(words, text, view).and_then(|parsed| parsed.act(view));
    match result {
        Err(error) if error.may_be_about_dice() => match find_dice_mistake(words, view) {
            Some(dice_mistake) => Err(dice_mistake),
            None => Err(error),
        },
        result => result,
    }
}
