//! What `roll` and `odds` are asked for: a check, its fields, house rules, answers.

use std::str::FromStr;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::{CliError, open};
use crate::dice::{Dice, Face, Luck};
use crate::rules::{CheckSpec, Field, Fields, House, HouseError, Kind, System, Value};

/// What is to be rolled, as the command line says it.
pub(super) struct Order<'a> {
    pub(super) check: &'static CheckSpec,
    /// Every field that was given, as it was written.
    pub(super) fields: Vec<(&'static Field, &'a str)>,
    pub(super) rules: Vec<&'a str>,
    pub(super) choose: Vec<String>,
    pub(super) faces: Option<Vec<Face>>,
    pub(super) seed: Option<&'a str>,
    pub(super) json: bool,
    pub(super) session: Option<&'a str>,
    pub(super) who: Option<&'a str>,
    pub(super) clock: Option<&'a str>,
}

impl<'a> Order<'a> {
    /// Reads the command line.
    pub(super) fn read(
        check: &'static CheckSpec,
        matches: &'a ArgMatches,
    ) -> Result<Self, CliError> {
        // `odds` has fewer options than `roll`.
        let one = |id| {
            let value = matches.try_get_one::<String>(id).ok().flatten();
            value.map(String::as_str)
        };
        let many = |id| {
            let values = matches.try_get_many::<String>(id).ok().flatten();
            values.unwrap_or_default().map(String::as_str)
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
            return Err(CliError::usage(
                "--rule and --session do not go together: a session has its own house rules",
            ));
        }
        Ok(order)
    }

    /// The system.
    pub(super) fn system(&self) -> System {
        self.check.system
    }

    /// The fields as they were written, the presets beneath them.
    pub(super) fn plain_fields(&self) -> Result<Fields, CliError> {
        let mut fields = Fields::presets(self.check);
        for (field, written) in &self.fields {
            fields.set(field.id, field.parse(written)?)?;
        }
        fields.complete()?;
        Ok(fields)
    }

    /// The house rules as they were written.
    pub(super) fn house(&self) -> Result<House, CliError> {
        let mut house = House::default();
        for rule in &self.rules {
            let (id, value) = rule.split_once('=').ok_or_else(|| {
                CliError::usage(format!(
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
    pub(super) fn luck(&self) -> Result<Box<dyn Dice + Send>, CliError> {
        seeded(self.seed)
    }
}

fn example(system: System) -> String {
    let rule = system.spec().house.first();
    rule.map_or_else(String::new, |rule| {
        format!("{}={}", rule.id, rule.default_value())
    })
}

/// Faces with commas between them.
pub(super) fn read_faces<F: FromStr>(written: &str) -> Result<Vec<F>, CliError> {
    if written.trim().is_empty() {
        return Ok(Vec::new());
    }
    let faces = written.split(',').map(|face| {
        let face = face.trim();
        face.parse().map_err(|_no_number| {
            CliError::usage(format!(
                "--faces takes numbers with commas between them, as in 5,7, and {face:?} is no face"
            ))
        })
    });
    faces.collect()
}

/// The dice of a seed, or else the system's.
pub(super) fn seeded(seed: Option<&str>) -> Result<Box<dyn Dice + Send>, CliError> {
    match seed.map(Luck::from_hex) {
        Some(Ok(luck)) => Ok(Box::new(luck)),
        Some(Err(error)) => Err(CliError::usage(error.to_string())),
        None => open::luck(),
    }
}
