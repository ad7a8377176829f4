//! How a roll is written down: nothing twice, and nothing that can be told from the rest. A field stands
//! beside where it came from, an effect is a word with its number, and the roller's name is not repeated.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize, de};

use super::{Roll, pairs};
use crate::rules::{Answer, Consequence, Effect, House, Source, System, TokenKind, Value};
use crate::session::{CharacterId, ClockId};

/// A roll as the journal and `session.toml` hold it.
#[derive(Serialize, Deserialize)]
pub(super) struct Written {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    who: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<CharacterId>,
    check: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    fields: Vec<(String, Given)>,
    /// Sources of fields that are not recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "pairs")]
    sources: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "House::is_plain")]
    house: House,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trail: Vec<Answer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<ClockId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    helpers: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hidden_from: Vec<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    noticed: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total: Option<i32>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    luck: Option<u16>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    effects: Vec<Followed>,
}

impl From<Roll> for Written {
    fn from(roll: Roll) -> Self {
        let mut sources = roll.sources;
        let fields = roll.fields.into_iter().map(|(name, value)| {
            let at = sources.iter().position(|(field, _)| *field == name);
            let source = match at.map(|at| sources.remove(at).1) {
                None => Came::Nowhere,
                Some(source) if own_stat(&roll.check, &name) == Some(&source) => Came::OwnStat,
                Some(source) => Came::Words(source),
            };
            (name, Given { value, source })
        });
        let fields = fields.collect();
        let effects = roll.effects.into_iter();
        let effects = effects.map(|effect| Followed::of(effect, &roll.who));
        Self {
            effects: effects.collect(),
            who: roll.who,
            id: roll.id,
            check: roll.check,
            fields,
            sources,
            house: roll.house,
            trail: roll.trail,
            clock: roll.clock,
            helpers: roll.helpers,
            hidden_from: roll.hidden_from,
            noticed: roll.noticed,
            total: roll.total,
            outcome: roll.outcome,
            luck: roll.luck,
        }
    }
}

impl From<Written> for Roll {
    fn from(written: Written) -> Self {
        let mut sources = Vec::new();
        let mut fields = Vec::with_capacity(written.fields.len());
        for (name, given) in written.fields {
            match given.source {
                Came::Nowhere => {}
                Came::OwnStat => {
                    let label = own_stat(&written.check, &name).unwrap_or_default();
                    sources.push((name.clone(), label.to_owned()));
                }
                Came::Words(source) => sources.push((name.clone(), source)),
            }
            fields.push((name, given.value));
        }
        sources.extend(written.sources);
        let effects = written.effects.into_iter();
        let effects = effects.map(|followed| followed.effect(&written.who));
        Self {
            effects: effects.collect(),
            who: written.who,
            id: written.id,
            check: written.check,
            fields,
            sources,
            house: written.house,
            trail: written.trail,
            clock: written.clock,
            helpers: written.helpers,
            hidden_from: written.hidden_from,
            noticed: written.noticed,
            total: written.total,
            outcome: written.outcome,
            luck: written.luck,
        }
    }
}

/// The stat that a field of a check is always read from, by its label, whatever the system; nothing
/// where that leaves a doubt.
fn own_stat(check: &str, field: &str) -> Option<&'static str> {
    let mut labels = System::ALL.iter().filter_map(|system| {
        let field = system.check(check).ok()?.field(field)?;
        let Source::Stat(id) = field.source else {
            return None;
        };
        let mut stats = system.spec().stats.iter();
        stats.find(|stat| stat.id == id).map(|stat| stat.label)
    });
    let label = labels.next()?;
    labels.all(|other| other == label).then_some(label)
}

/// A field's value: `12`, or with where it came from, `["d10","Agility"]`, or `["d10"]` where it came
/// from the one stat that is its own.
struct Given {
    value: Value,
    source: Came,
}

enum Came {
    /// A person gave it.
    Nowhere,
    OwnStat,
    Words(String),
}

impl Serialize for Given {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.source {
            Came::Nowhere => self.value.serialize(serializer),
            Came::OwnStat => (&self.value,).serialize(serializer),
            Came::Words(source) => (&self.value, source).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyGiven)
    }
}

struct AnyGiven;

impl AnyGiven {
    fn plain<'de, E: de::Error>(value: impl IntoDeserializer<'de, E>) -> Result<Given, E> {
        let value = Value::deserialize(value.into_deserializer())?;
        Ok(Given {
            value,
            source: Came::Nowhere,
        })
    }
}

impl<'de> Visitor<'de> for AnyGiven {
    type Value = Given;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value, or a list of a value and where it came from")
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Given, E> {
        Self::plain(flag)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Given, E> {
        Self::plain(number)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Given, E> {
        Self::plain(number)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Given, E> {
        Self::plain(text)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Given, A::Error> {
        let value = Value::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Given {
            value,
            source: Came::Nowhere,
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Given, A::Error> {
        let missing = || de::Error::invalid_length(0, &self);
        Ok(Given {
            value: list.next_element()?.ok_or_else(missing)?,
            source: list.next_element()?.map_or(Came::OwnStat, Came::Words),
        })
    }
}

/// An effect: `{"destiny":-2}`, `"complication"`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Followed {
    /// The roller's Destiny Points.
    Destiny(i32),
    /// The roller's bonus or penalty tokens.
    Tokens(i32),
    /// The roller's Favor.
    Favor(i32),
    /// The roller's Logos.
    Logos(i32),
    /// The roller's Watch Actions.
    WatchActions(i32),
    /// Somebody else's tokens.
    Token {
        pool: TokenKind,
        owner: Option<String>,
        amount: i32,
    },
    Complication,
    SharedWith(Vec<String>),
    EffectLevels(i32),
    AtACost,
    Stress(i32),
    Blood(i32),
    /// Consequences that are told only.
    Consequences(i32),
    Damage(i32),
    DamageTaken(i32),
    Wound(i32),
    WoundTaken(i32),
    TakenOut,
    Lock(String),
}

impl Followed {
    fn of(effect: Effect, who: &str) -> Self {
        match effect {
            Effect::Token {
                pool,
                owner,
                amount,
            } => {
                if owner.as_deref().unwrap_or("") != who {
                    return Self::Token {
                        pool,
                        owner,
                        amount,
                    };
                }
                match pool {
                    TokenKind::Destiny => Self::Destiny(amount),
                    TokenKind::Tokens => Self::Tokens(amount),
                    TokenKind::Favor => Self::Favor(amount),
                    TokenKind::Logos => Self::Logos(amount),
                    TokenKind::WatchActions => Self::WatchActions(amount),
                }
            }
            Effect::Complication => Self::Complication,
            Effect::SharedWith { names } => Self::SharedWith(names),
            Effect::EffectLevels { amount } => Self::EffectLevels(amount),
            Effect::AtACost => Self::AtACost,
            Effect::Consequence { amount, of } => match of {
                Consequence::Stress => Self::Stress(amount),
                Consequence::Blood => Self::Blood(amount),
                Consequence::None => Self::Consequences(amount),
            },
            Effect::Damage { amount, own: false } => Self::Damage(amount),
            Effect::Damage { amount, own: true } => Self::DamageTaken(amount),
            Effect::Wound { rank, own: false } => Self::Wound(rank),
            Effect::Wound { rank, own: true } => Self::WoundTaken(rank),
            Effect::TakenOut => Self::TakenOut,
            Effect::Lock { about } => Self::Lock(about),
        }
    }

    fn effect(self, who: &str) -> Effect {
        let token = |pool, amount| Effect::Token {
            pool,
            owner: (!who.is_empty()).then(|| who.to_owned()),
            amount,
        };
        let consequence = |amount, of| Effect::Consequence { amount, of };
        match self {
            Self::Destiny(amount) => token(TokenKind::Destiny, amount),
            Self::Tokens(amount) => token(TokenKind::Tokens, amount),
            Self::Favor(amount) => token(TokenKind::Favor, amount),
            Self::Logos(amount) => token(TokenKind::Logos, amount),
            Self::WatchActions(amount) => token(TokenKind::WatchActions, amount),
            Self::Token {
                pool,
                owner,
                amount,
            } => Effect::Token {
                pool,
                owner,
                amount,
            },
            Self::Complication => Effect::Complication,
            Self::SharedWith(names) => Effect::SharedWith { names },
            Self::EffectLevels(amount) => Effect::EffectLevels { amount },
            Self::AtACost => Effect::AtACost,
            Self::Stress(amount) => consequence(amount, Consequence::Stress),
            Self::Blood(amount) => consequence(amount, Consequence::Blood),
            Self::Consequences(amount) => consequence(amount, Consequence::None),
            Self::Damage(amount) => Effect::Damage { amount, own: false },
            Self::DamageTaken(amount) => Effect::Damage { amount, own: true },
            Self::Wound(rank) => Effect::Wound { rank, own: false },
            Self::WoundTaken(rank) => Effect::Wound { rank, own: true },
            Self::TakenOut => Effect::TakenOut,
            Self::Lock(about) => Effect::Lock { about },
        }
    }
}
