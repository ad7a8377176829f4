//! How an event is written down: what happened under its own name, then the changes; and a check that
//! waited, of which the event holds the whole, only by how many of its answers it had.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};

use super::{Event, What};
use crate::rules::Value;
use crate::session::change::Part;
use crate::session::{
    Change, CharacterId, ClockId, Condition, PoolId, Roll, Unfinished, UnfinishedId,
};

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Written<'a> {
            #[serde(flatten)]
            what: &'a What,
            #[serde(skip_serializing_if = "Changes::are_none")]
            changes: Changes<'a>,
        }
        let changes = Changes {
            changes: &self.changes,
            roll: self.what.roll(),
        };
        Written {
            what: &self.what,
            changes,
        }
        .serialize(serializer)
    }
}

struct Changes<'a> {
    changes: &'a [Change],
    roll: Option<&'a Roll>,
}

impl Changes<'_> {
    fn are_none(&self) -> bool {
        self.changes.is_empty()
    }
}

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut rest = self.changes;
        while let Some((change, others)) = rest.split_first() {
            let all = run(rest);
            if all.len() > 1 {
                rest = &rest[all.len()..];
                if let Change::About { part, from, to, .. } = change {
                    let each = (all, *part, from, to);
                    list.serialize_element(&OnlyEach { each })?;
                }
                continue;
            }
            if let Some(harm) = Harm::of(change, others.first()) {
                rest = &others[1..];
                list.serialize_element(&OnlyHarm { harm })?;
                continue;
            }
            rest = others;
            match (change, self.roll) {
                (Change::Waiting { id, from, to }, Some(roll)) => {
                    let waiting = Waiting {
                        id: *id,
                        from: from.as_deref().map(|one| Held::of(one, *id, roll)),
                        to: to.as_deref().map(|one| Held::of(one, *id, roll)),
                    };
                    list.serialize_element(&Only { waiting })?;
                }
                (change, _) => match Short::of(change) {
                    Some(short) => list.serialize_element(&short)?,
                    None => list.serialize_element(change)?,
                },
            }
        }
        list.end()
    }
}

/// A change whose parts need no names, in their order: `{"tokens":[6,1,0]}`. It is read where it is read with
/// names, too.
#[derive(serde::Serialize)]
#[serde(rename_all = "kebab-case")]
enum Short<'a> {
    Stat(CharacterId, &'a str, &'a Value, &'a Value),
    About(CharacterId, Part, &'a Value, &'a Value),
    Conditions(CharacterId, Vec<Suffered<'a>>, Vec<Suffered<'a>>),
    Fresh(CharacterId, &'a str, usize, i32, i32),
    Filled(ClockId, u8, u8),
    Tokens(PoolId, i32, i32),
    Gained(PoolId, i32, i32),
    Round(u32, u32),
}

/// A condition, `["dazed",2,1]`; of one that fades `true` comes last.
struct Suffered<'a>(&'a Condition);

impl Serialize for Suffered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Condition {
            name,
            value,
            rounds,
            fades,
        } = self.0;
        let mut list = serializer.serialize_seq(None)?;
        list.serialize_element(name)?;
        list.serialize_element(value)?;
        list.serialize_element(rounds)?;
        if *fades {
            list.serialize_element(fades)?;
        }
        list.end()
    }
}

impl<'a> Short<'a> {
    /// The short form, where there is one.
    fn of(change: &'a Change) -> Option<Self> {
        let told = |conditions: &'a [Condition]| conditions.iter().map(Suffered).collect();
        Some(match change {
            Change::Stat {
                who,
                stat,
                from,
                to,
            } => Self::Stat(*who, stat, from, to),
            Change::About {
                who,
                part,
                from,
                to,
            } => Self::About(*who, *part, from, to),
            Change::Conditions { who, from, to } => Self::Conditions(*who, told(from), told(to)),
            Change::Fresh {
                who,
                stat,
                scene,
                from,
                to,
            } => Self::Fresh(*who, stat, *scene, *from, *to),
            Change::Filled { clock, from, to } => Self::Filled(*clock, *from, *to),
            Change::Tokens { pool, from, to } => Self::Tokens(*pool, *from, *to),
            Change::Gained { pool, from, to } => Self::Gained(*pool, *from, *to),
            Change::Round { from, to } => Self::Round(*from, *to),
            _ => return None,
        })
    }
}

/// The characters of which the first change and those right after it say the same.
fn run(changes: &[Change]) -> Vec<CharacterId> {
    let Some(Change::About { part, from, to, .. }) = changes.first() else {
        return Vec::new();
    };
    let said = (part, from, to);
    let same = |change: &Change| match change {
        Change::About {
            who,
            part,
            from,
            to,
        } => (said == (part, from, to)).then_some(*who),
        _ => None,
    };
    changes.iter().map_while(same).collect()
}

/// The same about several characters: that none has acted yet, in a new round.
#[derive(serde::Deserialize)]
struct Each {
    who: Vec<CharacterId>,
    part: Part,
    from: Value,
    to: Value,
}

#[derive(serde::Serialize)]
struct OnlyEach<'a> {
    each: (Vec<CharacterId>, Part, &'a Value, &'a Value),
}

/// A Wound or a Trauma with the scene that brought it: what First Aid may remove, and the stat that counts
/// it, where both went the same way.
#[derive(serde::Serialize, serde::Deserialize)]
struct Harm(CharacterId, String, usize, i32, i32);

#[derive(serde::Serialize)]
struct OnlyHarm {
    harm: Harm,
}

impl Harm {
    fn of(change: &Change, next: Option<&Change>) -> Option<Self> {
        let Change::Fresh {
            who,
            stat,
            scene,
            from,
            to,
        } = change
        else {
            return None;
        };
        let counted = Change::Stat {
            who: *who,
            stat: stat.clone(),
            from: Value::Number(*from),
            to: Value::Number(*to),
        };
        (next == Some(&counted)).then(|| Self(*who, stat.clone(), *scene, *from, *to))
    }

    fn changes(self) -> [Change; 2] {
        let Self(who, stat, scene, from, to) = self;
        let fresh = Change::Fresh {
            who,
            stat: stat.clone(),
            scene,
            from,
            to,
        };
        let counted = Change::Stat {
            who,
            stat,
            from: Value::Number(from),
            to: Value::Number(to),
        };
        [fresh, counted]
    }
}

/// Changes as they are read.
struct Told(Vec<Change>);

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(AnyTold)
    }
}

struct AnyTold;

impl<'de> Visitor<'de> for AnyTold {
    type Value = Told;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of changes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Told, A::Error> {
        #[derive(serde::Deserialize)]
        #[serde(untagged)]
        enum OneOrSeveral {
            Each { each: Each },
            Harm { harm: Harm },
            One(Change),
        }
        let mut changes = Vec::new();
        while let Some(told) = list.next_element()? {
            match told {
                OneOrSeveral::One(change) => changes.push(change),
                OneOrSeveral::Harm { harm } => changes.extend(harm.changes()),
                OneOrSeveral::Each { each } => {
                    let Each {
                        who,
                        part,
                        from,
                        to,
                    } = each;
                    changes.extend(who.into_iter().map(|who| Change::About {
                        who,
                        part,
                        from: from.clone(),
                        to: to.clone(),
                    }));
                }
            }
        }
        Ok(Told(changes))
    }
}

#[derive(serde::Serialize)]
struct Only<'a> {
    waiting: Waiting<'a>,
}

#[derive(serde::Serialize)]
struct Waiting<'a> {
    id: UnfinishedId,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<Held<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<Held<'a>>,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Held<'a> {
    /// The roll of the event, with its first so many answers.
    Beginning(usize),
    Whole(&'a Unfinished),
}

impl<'a> Held<'a> {
    fn of(one: &'a Unfinished, id: UnfinishedId, roll: &Roll) -> Self {
        let answers = one.roll.trail.len();
        if one.id == id && one.roll == roll.beginning(answers) {
            Self::Beginning(answers)
        } else {
            Self::Whole(one)
        }
    }
}

/// Reads one side of a waiting check. Where it is a number of answers, the check's name stays empty until
/// the whole event is read.
pub(in crate::session) fn held<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Box<Unfinished>>, D::Error> {
    struct AnyHeld;

    impl<'de> Visitor<'de> for AnyHeld {
        type Value = Unfinished;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a check that waits, or how many answers it had")
        }

        fn visit_u64<E: de::Error>(self, answers: u64) -> Result<Unfinished, E> {
            // The number alone, kept where nothing else is.
            let roll = Roll {
                total: Some(i32::try_from(answers).map_err(E::custom)?),
                ..Roll::default()
            };
            Ok(Unfinished {
                id: UnfinishedId(0),
                roll,
            })
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Unfinished, A::Error> {
            Unfinished::deserialize(MapAccessDeserializer::new(map))
        }
    }

    let held = deserializer.deserialize_any(AnyHeld)?;
    Ok(Some(Box::new(held)))
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AnEvent)
    }
}

struct AnEvent;

impl<'de> Visitor<'de> for AnEvent {
    type Value = Event;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("what happened, and then what it changed")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Event, A::Error> {
        let what = What::deserialize(MapAccessDeserializer::new(&mut map))?;
        let mut changes: Vec<Change> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if key != "changes" {
                return Err(de::Error::unknown_field(&key, &["changes"]));
            }
            let Told(told) = map.next_value()?;
            changes = told;
        }
        for change in &mut changes {
            if let Change::Waiting { id, from, to } = change {
                for held in from.iter_mut().chain(to.iter_mut()) {
                    complete(held, *id, &what)?;
                }
            }
        }
        Ok(Event { what, changes })
    }
}

/// Fills in a waiting check of which only the number of answers is known.
fn complete<E: de::Error>(held: &mut Unfinished, id: UnfinishedId, what: &What) -> Result<(), E> {
    if !held.roll.check.is_empty() {
        return Ok(());
    }
    let roll = what
        .roll()
        .ok_or_else(|| E::custom("a check waits, and the event does not say which"))?;
    let answers = held
        .roll
        .total
        .and_then(|count| usize::try_from(count).ok());
    *held = Unfinished {
        id,
        roll: roll.beginning(answers.unwrap_or(0)),
    };
    Ok(())
}

#[cfg(test)]
mod tests;
