//! The sample games: one evening of each system, written down as people would tell it.
//!
//! A script names characters, clocks and pools, and then what was played: rolls with their faces and
//! answers, ticks, tokens, notes. It is played through [`Session::decide`], the code of a real roll, so
//! that its log cannot grow stale; every time stands in the script.

mod script;

use chrono::{DateTime, Utc};
use thiserror::Error;

use crate::dice::Dice;
use crate::rules::{ChosenBy, Field, FieldError, Sheet, SheetError, System, Value};
use crate::session::{
    Attached, Character, CharacterId, Clock, ClockId, Command, CommandContext, CommandError, Event,
    EventKind, Faces, Link, PoolId, Prepared, RollCommand, Segments, Session, Then, TokenPool, Who,
};
use crate::table::{Entry, SeatId};
use script::{Amount, Filling, Person, Play, Progress, Ready, Script, Tokens};

/// A sample game: its name, how it stands, and what was played.
#[derive(Debug)]
pub struct Sample {
    /// What it is called.
    pub name: String,
    /// How it stands.
    pub session: Session,
    /// What was played, oldest first.
    pub entries: Vec<Entry>,
}

/// A script that cannot be played.
#[derive(Debug, Error)]
pub enum SampleError {
    /// It is no script.
    #[error("the sample game is no script: {0}")]
    Script(String),
    /// A name, a value or a time in it is wrong.
    #[error("the sample game, {place}: {problem}")]
    Wrong {
        /// Where.
        place: String,
        /// What is wrong.
        problem: String,
    },
}

const fn text(system: System) -> &'static str {
    match system {
        System::HeartRush => include_str!("../../sessions/heart-rush.toml"),
        System::Hearts => include_str!("../../sessions/hearts.toml"),
        System::FridayNightDungeon => include_str!("../../sessions/friday-night-dungeon.toml"),
        System::Hfrpg => include_str!("../../sessions/hfrpg.toml"),
        System::Gnosis => include_str!("../../sessions/gnosis.toml"),
    }
}

/// The sample game of a system.
pub fn sample(system: System) -> Result<Sample, SampleError> {
    play(text(system))
}

fn play(text: &str) -> Result<Sample, SampleError> {
    let script: Script =
        toml::from_str(text).map_err(|error| SampleError::Script(error.to_string()))?;
    let mut stage = Stage {
        session: Session::new(script.system),
        entries: Vec::new(),
        at: DateTime::UNIX_EPOCH,
    };
    for (rule, value) in &script.house {
        let (rule, value) = (rule.clone(), in_words(value));
        stage.prepare("house", &Command::SetHouse { rule, value })?;
    }
    for person in script.characters {
        stage.bring(person)?;
    }
    let mut links = Vec::new();
    for mut progress in script.clocks {
        let to = progress.to.take();
        links.extend(to.map(|to| (progress.name.clone(), progress.then, to)));
        stage.start(progress)?;
    }
    for (clock, then, to) in links {
        stage.tie(&clock, then, &to)?;
    }
    for ready in script.prepared {
        stage.keep(ready)?;
    }
    for tokens in script.pools {
        stage.lay_out(tokens)?;
    }
    // What was there before the first scene is no entry of the log.
    stage.session.entries = 0;
    for (index, step) in script.plays.iter().enumerate() {
        let place = format!("play {}", index + 1);
        let wrong = |problem: String| SampleError::Wrong {
            place: place.clone(),
            problem,
        };
        let at = format!("{}T{}Z", script.evening, step.at);
        let at = at.parse::<DateTime<Utc>>();
        stage.at = at.map_err(|error| wrong(format!("{}: {error}", step.at)))?;
        stage.play(step).map_err(wrong)?;
    }
    Ok(Sample {
        name: script.name,
        session: stage.session,
        entries: stage.entries,
    })
}

/// The game while its script is played.
struct Stage {
    session: Session,
    entries: Vec<Entry>,
    at: DateTime<Utc>,
}

/// A script says every face: nothing is left to luck.
struct NoLuck;

impl Dice for NoLuck {
    fn up_to(&mut self, _sides: u32) -> u32 {
        1
    }
}

impl Stage {
    /// What was there before the first scene: no entry of the log.
    fn prepare(&mut self, place: &str, command: &Command) -> Result<(), SampleError> {
        match self.decide(command) {
            Ok(event) => {
                self.session.apply(&event);
                Ok(())
            }
            Err(refusal) => Err(SampleError::Wrong {
                place: place.to_owned(),
                problem: refusal.to_string(),
            }),
        }
    }

    fn decide(&self, command: &Command) -> Result<Event, CommandError> {
        let moment = CommandContext {
            at: self.at,
            number: self.next(),
        };
        self.session.decide(command, &moment, &mut NoLuck)
    }

    fn next(&self) -> u64 {
        self.entries.len() as u64 + 1
    }

    fn character(&self, person: Person) -> Result<Character, SampleError> {
        let place = person.name.clone();
        let wrong = |error: SheetError| SampleError::Wrong {
            place: place.clone(),
            problem: error.to_string(),
        };
        let mut sheet = Sheet::new(self.session.system);
        for (stat, value) in person.sheet {
            sheet.set(&stat, value).map_err(wrong)?;
        }
        Ok(Character {
            player: person.player,
            side: person.side,
            hidden: person.hidden,
            absent: person.absent,
            notes: person.notes,
            conditions: person.conditions,
            ..Character::new(person.name, sheet)
        })
    }

    fn bring(&mut self, mut person: Person) -> Result<(), SampleError> {
        let place = person.name.clone();
        let tokens = std::mem::take(&mut person.tokens);
        let character = self.character(person)?;
        self.prepare(&place, &Command::AddCharacter(Box::new(character)))?;
        for (name, to) in tokens {
            let pool = self.pool(&name, Some(&place));
            let pool = pool.map_err(|problem| SampleError::Wrong {
                place: place.clone(),
                problem,
            })?;
            self.prepare(&place, &Command::SetTokens { pool, to })?;
        }
        Ok(())
    }

    fn clock_of(&self, progress: Progress) -> Result<Clock, SampleError> {
        let place = progress.name.clone();
        let wrong = |problem: String| SampleError::Wrong {
            place: place.clone(),
            problem,
        };
        let segments = Segments::try_from(progress.segments);
        let segments = segments.map_err(|refusal| wrong(refusal.to_string()))?;
        let owner = progress.owner.as_deref().map(|name| self.who(name));
        let check = progress.check.map(|filling| self.attached(filling));
        let clock = Clock {
            of_scene: progress.of_scene,
            race: progress.race,
            ends: progress.ends,
            check: check.transpose().map_err(wrong)?.map(Box::new),
            kind: progress.kind,
            visibility: progress.visibility,
            owner: owner.transpose().map_err(wrong)?,
            filled: progress.filled,
            ..Clock::new(progress.name, segments)
        };
        Ok(clock)
    }

    fn start(&mut self, progress: Progress) -> Result<(), SampleError> {
        let place = progress.name.clone();
        let clock = self.clock_of(progress)?;
        self.prepare(&place, &Command::AddClock(Box::new(clock)))
    }

    /// Keeps a scene for later.
    fn keep(&mut self, ready: Ready) -> Result<(), SampleError> {
        let place = ready.name.clone();
        let mut scene = Prepared::new(ready.name);
        scene.notes = ready.notes;
        for person in ready.characters {
            scene.cast.push(self.character(person)?);
        }
        for progress in ready.clocks {
            scene.clocks.push(self.clock_of(progress)?);
        }
        self.prepare(&place, &Command::AddPrepared(Box::new(scene)))
    }

    /// Links a clock to another.
    fn tie(&mut self, name: &str, then: Then, to: &str) -> Result<(), SampleError> {
        let wrong = |problem: String| SampleError::Wrong {
            place: name.to_owned(),
            problem,
        };
        let id = self.clock(name).map_err(wrong)?;
        let to = self.clock(to).map_err(wrong)?;
        let Some(clock) = self.session.clock(id) else {
            return Ok(());
        };
        let linked = Clock {
            link: Some(Link { to, then }),
            ..clock.clone()
        };
        self.prepare(name, &Command::EditClock(Box::new(linked)))
    }

    fn attached(&self, filling: Filling) -> Result<Attached, String> {
        let fields = filling.fields.into_iter();
        let who = filling.who.as_deref().map(|name| self.who(name));
        Ok(Attached {
            check: filling.name,
            fields: fields
                .map(|(name, value)| (name, in_words(&value)))
                .collect(),
            who: who.transpose()?,
            named: Vec::new(),
            ticks: filling.ticks.into_iter().collect(),
        })
    }

    fn lay_out(&mut self, tokens: Tokens) -> Result<(), SampleError> {
        let place = tokens.name.clone();
        let owner = tokens.owner.as_deref().map(|name| self.who(name));
        let owner = owner.transpose().map_err(|problem| SampleError::Wrong {
            place: place.clone(),
            problem,
        })?;
        let pool = TokenPool {
            owner,
            tokens: tokens.held,
            floor: tokens.floor,
            cap: tokens.cap,
            start: tokens.start,
            reset: tokens.reset,
            thresholds: tokens.thresholds,
            ..TokenPool::new(tokens.name)
        };
        self.prepare(&place, &Command::AddPool(Box::new(pool)))
    }

    fn play(&mut self, step: &Play) -> Result<(), String> {
        let event = if step.undo {
            self.undo()?
        } else {
            let command = self.command(step)?;
            self.decide(&command)
                .map_err(|refusal| refusal.to_string())?
        };
        self.session.apply(&event);
        let number = self.next();
        let by = (&*step.seat, SeatId::NOBODY);
        let entry = Entry::new(number, self.at, by, event);
        self.entries.push(entry);
        Ok(())
    }

    /// Takes the last event back, as the table does.
    fn undo(&self) -> Result<Event, String> {
        let last = self.entries.last().ok_or("there is nothing to take back")?;
        let what = EventKind::Undone {
            event: last.number,
            text: last.event.text(self.session.system),
        };
        let taken = self.session.take_back(last.number, &last.event, what);
        taken.map_err(|refusal| refusal.to_string())
    }

    fn command(&self, step: &Play) -> Result<Command, String> {
        let who = || self.who(step.who.as_deref().unwrap_or_default());
        let by = step.by.unwrap_or(1);
        Ok(match step {
            Play {
                scene: Some(name), ..
            } => Command::NextScene { name: name.clone() },
            Play {
                roll: Some(check), ..
            } => self.roll(step, check)?,
            Play {
                note: Some(text), ..
            } => Command::Note {
                text: text.clone(),
                about: step.about,
            },
            Play {
                tick: Some(clock), ..
            } => Command::Tick {
                clock: self.clock(clock)?,
                by,
            },
            Play {
                tokens: Some(pool), ..
            } => Command::Tokens {
                pool: self.pool(pool, step.who.as_deref())?,
                by,
            },
            Play {
                stat: Some(stat),
                to: Some(to),
                ..
            } => Command::SetStat {
                who: who()?,
                stat: stat.clone(),
                value: to.clone(),
            },
            Play {
                stat: Some(stat), ..
            } => Command::StepStat {
                who: who()?,
                stat: stat.clone(),
                by,
            },
            Play {
                conditions: Some(conditions),
                ..
            } => Command::SetConditions {
                who: who()?,
                conditions: conditions.clone(),
            },
            Play {
                unlock: Some(about),
                ..
            } => Command::Unlock {
                who: who()?,
                about: about.clone(),
                why: String::new(),
            },
            Play { round: true, .. } => Command::NextRound,
            Play { acted: true, .. } => Command::SetActed {
                who: who()?,
                acted: true,
            },
            _ => return Err("nothing is said to be done".to_owned()),
        })
    }

    fn roll(&self, step: &Play, check: &str) -> Result<Command, String> {
        let refused = |refusal: CommandError| refusal.to_string();
        let spec = self.session.system.check(check);
        let spec = spec.map_err(|unknown| unknown.to_string())?;
        let id = step.who.as_deref().map(|name| self.who(name)).transpose()?;
        let mut filled = self.session.fill(spec, id);
        for (name, value) in &step.fields {
            let field: &'static Field = spec.field(name).ok_or_else(|| {
                let unknown = FieldError::Unknown {
                    check: spec.id,
                    field: name.clone(),
                    known: String::new(),
                };
                unknown.to_string()
            })?;
            self.session
                .fill_in(&mut filled, id, field, &in_words(value))
                .map_err(refused)?;
        }
        let helpers = step.helpers.iter().map(|name| self.who(name));
        Ok(Command::Roll(Box::new(RollCommand {
            who: id.map_or(Who::Nobody, Who::Character),
            fields: filled.fields,
            sources: filled.sources,
            faces: Faces::Typed(step.faces.clone()),
            choose: step.choose.clone(),
            // What nobody answers here is left to nobody, also where the GM decides.
            by: if step.choose.is_empty() {
                ChosenBy::Gm
            } else {
                ChosenBy::Player
            },
            wait: false,
            hidden_from: step.hidden_from.clone(),
            noticed: false,
            clock: step
                .clock
                .as_deref()
                .map(|name| self.clock(name))
                .transpose()?,
            helpers: helpers.collect::<Result<_, _>>()?,
            group: false,
        })))
    }

    fn who(&self, name: &str) -> Result<CharacterId, String> {
        let found = self.session.character_named(name);
        found
            .map(|character| character.id)
            .ok_or_else(|| format!("there is no character {name:?}"))
    }

    fn clock(&self, name: &str) -> Result<ClockId, String> {
        let found = self.session.clocks.iter().find(|clock| clock.name == name);
        found
            .map(|clock| clock.id)
            .ok_or_else(|| format!("there is no clock {name:?}"))
    }

    fn pool(&self, name: &str, owner: Option<&str>) -> Result<PoolId, String> {
        let owner = owner.map(|name| self.who(name)).transpose()?;
        let mut pools = self.session.pools.iter();
        let found =
            pools.find(|pool| pool.owner == owner && (pool.name == name || pool.id_word() == name));
        found
            .map(|pool| pool.id)
            .ok_or_else(|| format!("there is no pool {name:?}"))
    }
}

/// A value as a person writes it.
fn in_words(value: &Amount) -> String {
    match value {
        Value::Flag(true) => "yes".to_owned(),
        Value::Flag(false) => "no".to_owned(),
        Value::Number(_) | Value::Die(_) | Value::Text(_) | Value::Ranks(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests;
