//! `tableside roll`: resolves one check, by itself or in a session.

mod alone;
mod seated;
mod shown;

pub(super) use shown::dice_in_words;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::ask::Answer;
use super::new::system_named;
use super::output::Ink;
use super::{Desk, Trouble, open};
use crate::dice::{Dice, Face, Luck};
use crate::rules::{
    Answer as Given, CheckSpec, Choices, Field, Fields, House, HouseError, Kind, System, Value,
    Walk, WalkError,
};

/// What is to be rolled, as the command line says it.
struct Order<'a> {
    check: &'static CheckSpec,
    /// Every field that was given, as it was written.
    fields: Vec<(&'static Field, &'a str)>,
    rules: Vec<&'a str>,
    choose: Vec<String>,
    faces: Option<Vec<Face>>,
    seed: Option<&'a str>,
    json: bool,
    session: Option<&'a str>,
    who: Option<&'a str>,
    clock: Option<&'a str>,
}

/// Resolves a check.
pub(super) fn run(desk: &mut Desk<'_>, matches: &ArgMatches) -> Result<(), Trouble> {
    let (system, matches) = matches.subcommand().unwrap_or(("", matches));
    let (check, matches) = matches.subcommand().unwrap_or(("", matches));
    let order = Order::read(system_named(system)?.check(check)?, matches)?;
    match order.session {
        Some(session) => seated::roll(desk, &order, session),
        None => alone::roll(desk, &order),
    }
}

impl<'a> Order<'a> {
    fn read(check: &'static CheckSpec, matches: &'a ArgMatches) -> Result<Self, Trouble> {
        let one = |id| matches.get_one::<String>(id).map(String::as_str);
        let many = |id| {
            let values = matches.get_many::<String>(id).unwrap_or_default();
            values.map(String::as_str)
        };
        let mut fields = Vec::new();
        for field in check.fields {
            if matches.value_source(field.id) != Some(ValueSource::CommandLine) {
                continue;
            }
            let written = match field.kind {
                Kind::Flag => Some("yes"),
                Kind::Die | Kind::Number { .. } | Kind::Word(_) | Kind::Text => one(field.id),
            };
            fields.extend(written.map(|written| (field, written)));
        }
        let order = Self {
            check,
            fields,
            rules: many("rule").collect(),
            choose: many("choose").map(ToOwned::to_owned).collect(),
            faces: one("faces").map(read_faces).transpose()?,
            seed: one("seed"),
            json: matches.get_flag("json"),
            session: one("session"),
            who: one("as"),
            clock: one("clock"),
        };
        if order.session.is_some() && !order.rules.is_empty() {
            return Err(Trouble::usage(
                "--rule and --session do not go together: a session has its own house rules",
            ));
        }
        Ok(order)
    }

    fn system(&self) -> System {
        self.check.system
    }

    /// The fields as they were written, the presets beneath them.
    fn plain_fields(&self) -> Result<Fields, Trouble> {
        let mut fields = Fields::presets(self.check);
        for (field, written) in &self.fields {
            fields.set(field.id, field.parse(written)?)?;
        }
        fields.complete()?;
        Ok(fields)
    }

    /// The house rules as they were written.
    fn house(&self) -> Result<House, Trouble> {
        let mut house = House::default();
        for rule in &self.rules {
            let (id, value) = rule.split_once('=').ok_or_else(|| {
                Trouble::usage(format!(
                    "--rule takes ID=VALUE, as in --rule {}, and {rule:?} was given",
                    example(self.system())
                ))
            })?;
            let known = self.system().spec().house.iter();
            let known = known.clone().find(|known| known.id == id);
            let value = known.map_or_else(
                || Ok::<_, HouseError>(Value::from(value)),
                |known| known.parse(value),
            )?;
            house.set(self.system(), id, value)?;
        }
        Ok(house)
    }

    /// The dice: the system's, or those of a seed.
    fn luck(&self) -> Result<Box<dyn Dice + Send>, Trouble> {
        match self.seed {
            Some(seed) => match Luck::from_hex(seed) {
                Ok(luck) => Ok(Box::new(luck)),
                Err(error) => Err(Trouble::usage(error.to_string())),
            },
            None => open::luck(),
        }
    }
}

fn example(system: System) -> String {
    let rule = system.spec().house.first();
    rule.map_or_else(String::new, |rule| {
        format!("{}={}", rule.id, rule.default_value())
    })
}

fn read_faces(written: &str) -> Result<Vec<Face>, Trouble> {
    if written.trim().is_empty() {
        return Ok(Vec::new());
    }
    let faces = written.split(',').map(|face| {
        let face = face.trim();
        face.parse().map_err(|_no_number| {
            Trouble::usage(format!(
                "--faces takes numbers with commas between them, as in 5,7, and {face:?} is no face"
            ))
        })
    });
    faces.collect()
}

impl Desk<'_> {
    /// Whether choices are asked for: only on a terminal, and not among JSON.
    fn asks(&self, order: &Order<'_>) -> bool {
        self.can_ask && !order.json
    }

    /// Puts a choice to whoever sits at the terminal, with the dice so far.
    fn put(
        &mut self,
        machine: &dyn Walk,
        trail: &[Given],
        what: &Choices,
    ) -> Result<String, Trouble> {
        let outcome = machine.outcome(trail);
        self.out
            .inked(&[(Ink::Plain, &shown::dice_in_words(&outcome.dice))])?;
        let answers: Vec<Answer<'_>> = what
            .options
            .iter()
            .map(|option| Answer {
                word: &option.name,
                label: &option.label,
            })
            .collect();
        let index = self.choose(&format!("{}?", what.choice), &answers, what.default)?;
        let picked = what.options.get(index).unwrap_or_else(|| what.fallback());
        Ok(picked.name.clone())
    }
}

/// The faces that are still missing where typed ones ran out.
fn too_few(pool: &crate::dice::Pool, trail: &[Given]) -> Trouble {
    let before = trail.iter().map(|answer| match answer {
        Given::Faces(faces) => faces.len(),
        Given::Chose { .. } => 0,
    });
    match pool.check(&[], before.sum()) {
        Err(error) => WalkError::Faces(error).into(),
        Ok(()) => Trouble::usage("faces are missing"),
    }
}
