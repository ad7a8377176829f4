//! One difference between two states of a session, with what was before and what is after.

use serde::{Deserialize, Serialize};

use super::{
    Attached, Call, CallId, Character, CharacterId, Clock, ClockId, Condition, Link, PoolId,
    Prepared, PreparedId, Scene, TokenPool, Unfinished, UnfinishedId, Visibility,
};
use crate::rules::Value;

/// A part of a character beside its sheet and its conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The name, a text.
    Name,
    /// Who plays it, a text.
    Player,
    /// Whose side it is on, a word.
    Side,
    /// Whether players may not know of it, a flag.
    Hidden,
    /// Whether it is not here today, a flag.
    Absent,
    /// Whether it has acted this round, a flag.
    Acted,
    /// The GM's notes, a text.
    Notes,
}

impl Part {
    /// All, in the order in which an edit tells them.
    pub(super) const ALL: [Self; 7] = [
        Self::Name,
        Self::Player,
        Self::Side,
        Self::Hidden,
        Self::Absent,
        Self::Acted,
        Self::Notes,
    ];

    /// What it is for a character.
    pub(super) fn of(self, character: &Character) -> Value {
        match self {
            Self::Name => Value::Text(character.name.clone()),
            Self::Player => Value::Text(character.player.clone()),
            Self::Notes => Value::Text(character.notes.clone()),
            Self::Side => Value::from(character.side.id()),
            Self::Hidden => Value::Flag(character.hidden),
            Self::Absent => Value::Flag(character.absent),
            Self::Acted => Value::Flag(character.acted),
        }
    }
}

/// One difference. Numbers are differences too: taking one back adds what it took away, whatever
/// happened since.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// A character came or went.
    Character {
        /// Its place in the roster.
        at: usize,
        /// What was; nothing if it came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Character>>,
        /// What is; nothing if it went.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Character>>,
    },
    /// A clock came, went, or has other terms.
    Clock {
        /// Its place among the clocks.
        at: usize,
        /// What was; nothing if it came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Clock>>,
        /// What is; nothing if it went.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Clock>>,
    },
    /// A pool came, went, or has other terms.
    Pool {
        /// Its place among the pools.
        at: usize,
        /// What was; nothing if it came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<TokenPool>>,
        /// What is; nothing if it went.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<TokenPool>>,
    },
    /// A prepared scene came, went, or has other terms.
    Prepared {
        /// Its place among the prepared scenes.
        at: usize,
        /// What was; nothing if it came.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Prepared>>,
        /// What is; nothing if it went.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Prepared>>,
    },
    /// What a prepared scene brought, by the numbers of characters and clocks.
    Brought {
        /// Which scene.
        scene: PreparedId,
        /// What it had brought.
        from: Vec<u32>,
        /// What it has brought.
        to: Vec<u32>,
    },
    /// A stat of a sheet.
    Stat {
        /// Whose.
        who: CharacterId,
        /// Which.
        stat: String,
        /// What it was.
        from: Value,
        /// What it is.
        to: Value,
    },
    /// Something about a character beside its sheet.
    About {
        /// Whose.
        who: CharacterId,
        /// What.
        part: Part,
        /// What it was.
        from: Value,
        /// What it is.
        to: Value,
    },
    /// A character's conditions.
    Conditions {
        /// Whose.
        who: CharacterId,
        /// What they were.
        from: Vec<Condition>,
        /// What they are.
        to: Vec<Condition>,
    },
    /// What a scene brought that First Aid may remove.
    Fresh {
        /// To whom.
        who: CharacterId,
        /// The stat that counts it.
        stat: String,
        /// Which scene, by its place among all.
        scene: usize,
        /// How much it was.
        from: i32,
        /// How much it is.
        to: i32,
    },
    /// A clock's filled segments.
    Filled {
        /// Which clock.
        clock: ClockId,
        /// How many there were.
        from: u8,
        /// How many there are.
        to: u8,
    },
    /// Who may see a clock.
    Shown {
        /// Which clock.
        clock: ClockId,
        /// Who might.
        from: Visibility,
        /// Who may.
        to: Visibility,
    },
    /// What a full clock does to another.
    Link {
        /// Which clock.
        clock: ClockId,
        /// What it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Link>,
        /// What it does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Link>,
    },
    /// The check that fills a clock.
    Attached {
        /// Which clock.
        clock: ClockId,
        /// What it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Attached>>,
        /// What it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Attached>>,
    },
    /// A pool's tokens.
    Tokens {
        /// Which pool.
        pool: PoolId,
        /// How many there were.
        from: i32,
        /// How many there are.
        to: i32,
    },
    /// What a pool gained in this scene under its limit.
    Gained {
        /// Which pool.
        pool: PoolId,
        /// How much it was.
        from: i32,
        /// How much it is.
        to: i32,
    },
    /// A scene began, or has another name.
    Scene {
        /// Its place among the scenes.
        at: usize,
        /// What was; nothing if it began.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Scene>,
        /// What is; nothing if it is taken back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Scene>,
    },
    /// The round.
    Round {
        /// What it was.
        from: u32,
        /// What it is.
        to: u32,
    },
    /// A house rule.
    House {
        /// Which.
        rule: String,
        /// What it was.
        from: Value,
        /// What it is.
        to: Value,
    },
    /// Whether something may not be tried again.
    Lock {
        /// By whom.
        who: CharacterId,
        /// About what.
        about: String,
        /// Whether it may not, now; before, it was the other way.
        on: bool,
    },
    /// A character was called on to roll, or is no longer.
    Called {
        /// Which call.
        id: CallId,
        /// What was called for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Call>>,
        /// What is called for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Call>>,
    },
    /// A check waits, or waits no longer.
    Waiting {
        /// Which.
        id: UnfinishedId,
        /// What waited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Unfinished>>,
        /// What waits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Box<Unfinished>>,
    },
}

/// What a change is about: something with a number, or the table itself, and the part of it; no part where it
/// came or went whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    pub(super) id: Option<u32>,
    pub(super) part: String,
}

impl Subject {
    /// Something that came or went.
    pub(super) fn whole(id: u32) -> Self {
        Self {
            id: Some(id),
            part: String::new(),
        }
    }

    /// A stat of a character's sheet.
    pub(super) fn stat(who: CharacterId, stat: &str) -> Self {
        Self {
            id: Some(who.0),
            part: format!("stat {stat}"),
        }
    }

    /// Whether the change is about the same part, or made the whole come or go.
    pub(crate) fn is_touched_by(&self, change: &Change) -> bool {
        let mut touched = change.subjects().into_iter();
        touched
            .any(|other| other.id == self.id && (other.part == self.part || other.part.is_empty()))
    }
}

impl Change {
    /// What it is about, first of all.
    pub(super) fn subject(&self) -> Subject {
        self.subjects().into_iter().next().unwrap_or_default()
    }

    /// Everything that it is about.
    fn subjects(&self) -> Vec<Subject> {
        let part = |id: u32, part: String| {
            let id = Some(id);
            vec![Subject { id, part }]
        };
        let of_table = |part: String| vec![Subject { id: None, part }];
        match self {
            Self::Character { from, to, .. } => match (from.as_deref(), to.as_deref()) {
                (Some(from), Some(to)) => parts_of_character(from, to),
                (from, to) => whole(from.or(to).map(|one| one.id.0)),
            },
            Self::Clock { from, to, .. } => match (from.as_deref(), to.as_deref()) {
                (Some(from), Some(to)) => {
                    let id = from.id.0;
                    let mut subjects = part(id, "terms".to_owned());
                    if from.visibility != to.visibility {
                        subjects.extend(part(id, "visibility".to_owned()));
                    }
                    if from.link != to.link {
                        subjects.extend(part(id, "link".to_owned()));
                    }
                    if from.check != to.check {
                        subjects.extend(part(id, "check".to_owned()));
                    }
                    subjects
                }
                (from, to) => whole(from.or(to).map(|one| one.id.0)),
            },
            Self::Pool { from, to, .. } => match (from.as_deref(), to.as_deref()) {
                (Some(from), Some(_)) => part(from.id.0, "terms".to_owned()),
                (from, to) => whole(from.or(to).map(|one| one.id.0)),
            },
            Self::Prepared { from, to, .. } => match (from.as_deref(), to.as_deref()) {
                (Some(from), Some(_)) => part(from.id.0, "terms".to_owned()),
                (from, to) => whole(from.or(to).map(|one| one.id.0)),
            },
            Self::Brought { scene, .. } => part(scene.0, "brought".to_owned()),
            Self::Stat { who, stat, .. } => vec![Subject::stat(*who, stat)],
            Self::About { who, part: of, .. } => part(who.0, format!("{of:?}")),
            Self::Conditions { who, .. } => part(who.0, "conditions".to_owned()),
            Self::Fresh { who, stat, .. } => part(who.0, format!("fresh {stat}")),
            Self::Filled { clock, .. } => part(clock.0, "filled".to_owned()),
            Self::Shown { clock, .. } => part(clock.0, "visibility".to_owned()),
            Self::Link { clock, .. } => part(clock.0, "link".to_owned()),
            Self::Attached { clock, .. } => part(clock.0, "check".to_owned()),
            Self::Tokens { pool, .. } => part(pool.0, "tokens".to_owned()),
            Self::Gained { pool, .. } => part(pool.0, "gained".to_owned()),
            Self::Scene { at, .. } => of_table(format!("scene {at}")),
            Self::Round { .. } => of_table("round".to_owned()),
            Self::House { rule, .. } => of_table(format!("house {rule}")),
            Self::Lock { who, about, .. } => part(who.0, format!("lock {about}")),
            Self::Called { id, .. } => whole(Some(id.0)),
            Self::Waiting { id, .. } => whole(Some(id.0)),
        }
    }
}

fn whole(id: Option<u32>) -> Vec<Subject> {
    id.map(Subject::whole).into_iter().collect()
}

/// What an edit by hand did to a character.
fn parts_of_character(from: &Character, to: &Character) -> Vec<Subject> {
    let id = Some(from.id.0);
    let part = "terms".to_owned();
    let mut subjects = vec![Subject { id, part }];
    for part in Part::ALL {
        if part.of(from) != part.of(to) {
            let part = format!("{part:?}");
            subjects.push(Subject { id, part });
        }
    }
    if from.conditions != to.conditions {
        let part = "conditions".to_owned();
        subjects.push(Subject { id, part });
    }
    for ((stat, before), (_, after)) in from.sheet.iter().zip(to.sheet.iter()) {
        if before != after {
            subjects.push(Subject::stat(from.id, stat.id));
        }
    }
    subjects
}
