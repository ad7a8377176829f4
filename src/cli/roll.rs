//! `tableside roll`: resolves one check or rolls free dice, in a game or at a table of its own.

use std::sync::Arc;

use clap::ArgMatches;

use super::roll_args::{RollArgs, Subject};
use super::{App, CliError, Ink, Output, system_dice};
use tableside_commands::{Request, Response};
use tableside_dice::notation::Notation;
use tableside_dice::{Face, SystemDice};
use tableside_game::{EventKind, default_answers, die_in_words, free_dice_in_words};
use tableside_rules::{
    Answer, AnswerSource, Ask, CheckSpec, Choices, ChosenBy, DynCheck, Key, Outcome, Progress,
    ShownDie, System, resolve,
};
use tableside_store::Name;
use tableside_table::{FreeDiceJson, RollJson, Seat, Table};
use tableside_text::{join, sanitise};

/// The longest comment of free dice, in characters.
const LONGEST_COMMENT: usize = 200;

/// Where a check is rolled.
pub(super) enum Venue<'a> {
    Game(&'a Name),
    /// At a table of its own, logged nowhere.
    Alone(Arc<Table>),
}

/// Resolves a check, or rolls free dice.
pub(super) fn run(app: &mut App<'_>, matches: &ArgMatches) -> Result<(), CliError> {
    let args = RollArgs::read(app, matches)?;
    match &args.subject {
        Subject::Dice(notation) => roll_dice(app, &args, notation),
        Subject::Check(check) => roll_check(app, &args, check.system),
    }
}

fn roll_check(app: &mut App<'_>, args: &RollArgs, system: System) -> Result<(), CliError> {
    let game = args.game.as_ref().map(|game| app.name(game));
    let game = game.transpose()?;
    let place = match &game {
        Some(game) => Venue::Game(game),
        None => Venue::Alone(args.table(app, system)?),
    };
    // Choices are asked for only on a terminal, and not among JSON.
    let asks = app.can_ask && !args.json;
    let mut request = args.request.clone();
    request.options.wait = asks && request.faces.is_none();
    if let (Some(faces), true) = (&args.request.faces, asks) {
        request.choose = look_ahead(app, args, &place, faces)?;
    }
    let mut done = place.send(app, &Request::Roll(Box::new(request)))?;
    if asks {
        done = app.put_choices(&place, done)?;
    }
    if let Some(roll) = done.entry.roll() {
        let system = done.system;
        let mut outcome = roll.derive(system)?;
        if args.game.is_some() {
            // The roll has the effects that were applied, with their owners and within limits.
            outcome.effects.clone_from(&roll.effects);
        }
        if args.json {
            app.out.json(&RollJson {
                fields: &roll.all_fields(system)?,
                sources: &roll.sources,
                outcome: &outcome,
                effects: &outcome.effects,
                trail: &roll.trail,
            })?;
        } else {
            print_roll(&mut app.out, roll.spec(system)?, &outcome)?;
            let defaults = default_answers(&*roll.machine(system)?, &roll.trail);
            app.out.lines(&defaults)?;
        }
    }
    app.out.finish()?;
    Ok(done.saved()?)
}

/// The outcome with total and target; the dice, and what they say beside it; an effect a line.
fn print_roll(out: &mut Output<'_>, check: &CheckSpec, outcome: &Outcome) -> Result<(), CliError> {
    let level = check.outcome(outcome.outcome);
    let told = check.told(outcome.outcome, outcome.success);
    let numbers = match (outcome.total, outcome.target) {
        (None, Some(target)) if outcome.numbers.is_none() => format!("  vs {target}"),
        (None, None) if outcome.numbers.is_none() => String::new(),
        _ => format!("  {}", check.describe_numbers(outcome)),
    };
    out.inked(&[(Ink::Outcome(told.tone), level.id), (Ink::Plain, &numbers)])?;
    let keys = outcome.keys.iter();
    let keys = keys.filter_map(|(name, key)| describe_key(check.words_of(name)?, key));
    let keys: Vec<String> = keys.collect();
    let mut dice = pieces(&outcome.dice);
    dice.extend((!keys.is_empty()).then(|| (Ink::Plain, format!("; {}", keys.join(", ")))));
    let dice = dice.iter().map(|(ink, text)| (*ink, text.as_str()));
    out.inked(&dice.collect::<Vec<_>>())?;
    out.lines(outcome.describe_effects(check.system))
}

fn describe_key(name: &str, key: &Key) -> Option<String> {
    Some(match key {
        Key::Number(number) => format!("{name} {number}").replace('-', "−"),
        Key::Flag(true) => name.to_owned(),
        Key::Flag(false) => return None,
        Key::Words(words) => format!("{name} {}", words.join(" and ")),
    })
}

fn pieces(dice: &[ShownDie]) -> Vec<(Ink, String)> {
    if dice.is_empty() {
        return vec![(Ink::Plain, "no dice".to_owned())];
    }
    let pieces = dice.iter().enumerate().flat_map(|(at, die)| {
        let gap = if at == 0 { "" } else { ", " };
        let ink = if die.kept { Ink::Plain } else { Ink::Faint };
        [(Ink::Plain, gap.to_owned()), (ink, die_in_words(die))]
    });
    pieces.collect()
}

/// Walks typed faces to the last of them before anything is logged; returns the answers that were chosen.
fn look_ahead(
    app: &mut App<'_>,
    args: &RollArgs,
    place: &Venue<'_>,
    faces: &[Face],
) -> Result<Vec<String>, CliError> {
    let machine = match place {
        Venue::Game(game) => args.prepare(&app.open(game, true)?.0)?.0,
        Venue::Alone(table) => args.prepare(table)?.0,
    };
    let mut source = AnswerSource::by_hand(faces);
    source.answers = args.request.choose.iter().cloned().collect();
    source.by = ChosenBy::Command;
    source.defaults = false;
    let mut trail = Vec::new();
    // Where faces are missing, the roll itself says so.
    while let Progress::Waits(Ask::Choose { choices, .. }) =
        resolve(&*machine, &mut trail, &mut source)?
    {
        let (chose, by) = (app.put(&*machine, &trail, &choices)?, ChosenBy::Command);
        let choice = choices.choice.to_owned();
        trail.push(Answer::Chose { choice, chose, by });
    }
    let chosen = trail.into_iter().filter_map(|answer| match answer {
        Answer::Chose { chose, .. } => Some(chose),
        Answer::Faces(_) => None,
    });
    Ok(chosen.collect())
}

/// Rolls free dice; in a game the throw is logged.
fn roll_dice(app: &mut App<'_>, args: &RollArgs, notation: &str) -> Result<(), CliError> {
    let dice = notation_of(notation)?;
    let faces = args.faces::<i32>()?;
    let seed = args.request.seed.clone();
    let mut sent = None;
    // A log keeps fewer dice of one roll than may fall at once: alone they are rolled without a table.
    let rolled = match (&args.game, &faces, &seed) {
        (Some(game), ..) => {
            let mut request = args.request.clone();
            (request.dice, request.free_faces) = (Some(notation.to_owned()), faces);
            let request = Request::Roll(Box::new(request));
            let done = sent.insert(app.send(&app.name(game)?, &request)?);
            let rolled = match &done.entry.event.what {
                EventKind::Thrown(thrown) => thrown.rolled(),
                _ => None,
            };
            rolled.ok_or_else(|| CliError::failed("the dice differ from the log"))?
        }
        (None, Some(faces), _) => {
            let read = dice.read(faces);
            read.map_err(|error| CliError::usage(error.to_string()))?
        }
        (None, None, Some(seed)) => {
            let seeded = SystemDice::from_hex(seed);
            dice.roll(&mut seeded.map_err(|error| CliError::usage(error.to_string()))?)
        }
        (None, None, None) => dice.roll(&mut *system_dice()?),
    };
    if args.json {
        app.out.json(&FreeDiceJson {
            notation,
            rolled: &rolled,
        })?;
    } else {
        app.out
            .inked(&[(Ink::Strong, &join(rolled.totals(), ", "))])?;
        app.out.line(&free_dice_in_words(&rolled))?;
        if !dice.comment().is_empty() {
            app.out
                .line(&format!("# {}", sanitise(dice.comment(), LONGEST_COMMENT)))?;
        }
    }
    app.out.finish()?;
    Ok(sent.map_or(Ok(()), |done| done.saved())?)
}

/// Reads free dice.
pub(super) fn notation_of(written: &str) -> Result<Notation, CliError> {
    let read = written.parse::<Notation>();
    read.map_err(|error| CliError::usage(format!("{written:?}: {error}")))
}

impl Venue<'_> {
    fn send(&self, app: &mut App<'_>, request: &Request) -> Result<Response, CliError> {
        match self {
            Self::Game(game) => app.send(game, request),
            Self::Alone(table) => Ok(request.run(table, &Seat::gm())?),
        }
    }
}

impl App<'_> {
    /// Puts a choice to the person at the terminal, with the dice so far.
    fn put(
        &mut self,
        machine: &dyn DynCheck,
        trail: &[Answer],
        what: &Choices,
    ) -> Result<String, CliError> {
        let dice = pieces(&machine.outcome(trail).dice);
        let dice: String = dice.into_iter().map(|(_, text)| text).collect();
        self.out.line(&dice)?;
        let answers = what.options.iter();
        let answers = answers.map(|option| (option.name.as_str(), option.label.as_str()));
        let answers: Vec<(&str, &str)> = answers.collect();
        let index = self.choose(&what.question(), &answers, what.default)?;
        let picked = what.options.get(index).unwrap_or_else(|| what.fallback());
        Ok(picked.name.clone())
    }

    /// Puts the choices that a check waits for, one after the other.
    pub(super) fn put_choices(
        &mut self,
        place: &Venue<'_>,
        mut done: Response,
    ) -> Result<Response, CliError> {
        while let (EventKind::Incomplete(roll), Some(check)) =
            (&done.entry.event.what, done.entry.waits())
        {
            let machine = roll.machine(done.system)?;
            let Progress::Waits(Ask::Choose { choices, .. }) = machine.after(&roll.trail)? else {
                break;
            };
            let chose = self.put(&*machine, &roll.trail, &choices)?;
            done = place.send(self, &Request::Answer { check, chose })?;
        }
        Ok(done)
    }
}
