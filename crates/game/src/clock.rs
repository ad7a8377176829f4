//! A progress clock.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{CharacterId, ClockId, CommandError, Origin, Result};
use tableside_rules::{CheckSpec, Id, OutcomeId};
use tableside_text::is_same_name;

/// How many segments a clock has: 2–128.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    derive_more::Into,
    Serialize,
    Deserialize,
)]
#[serde(into = "u8", try_from = "i32")]
pub struct Segments(u8);

impl Segments {
    /// The fewest.
    pub const MIN: u8 = 2;
    /// The most.
    pub const MAX: u8 = 128;

    pub const fn count(self) -> u8 {
        self.0
    }

    /// So many more or fewer, as far as clocks go.
    pub fn stepped(self, by: i32) -> Self {
        let count = (i32::from(self.0) + by).clamp(i32::from(Self::MIN), i32::from(Self::MAX));
        Self(u8::try_from(count).unwrap_or(Self::MAX))
    }
}

impl Default for Segments {
    fn default() -> Self {
        Self(Self::MIN)
    }
}

impl TryFrom<i32> for Segments {
    type Error = CommandError;

    fn try_from(count: i32) -> Result<Self> {
        let known = u8::try_from(count).ok();
        let known = known.filter(|count| (Self::MIN..=Self::MAX).contains(count));
        known.map(Self).ok_or(CommandError::Segments(count))
    }
}

/// What a clock counts.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum ClockKind {
    /// Fills on success.
    #[default]
    Effort,
    /// Fills on trouble.
    Countdown,
    /// One of several side by side; the first full wins.
    Race,
    /// Between two ends; `filled` counts from the left.
    TugOfWar,
}

impl ClockKind {
    /// All kinds, in order.
    pub const ALL: [Self; 4] = [Self::Effort, Self::Countdown, Self::Race, Self::TugOfWar];

    /// What it does, in a few words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Effort => "fills on success",
            Self::Countdown => "fills on trouble",
            Self::Race => "first full wins",
            Self::TugOfWar => "between two ends",
        }
    }

    /// What it does, in a sentence.
    pub const fn explain(self) -> &'static str {
        match self {
            Self::Effort => "Each success fills it; full, it is overcome.",
            Self::Countdown => "Each failure or complication fills it; full, it happens.",
            Self::Race => {
                "Two or more of one race stand side by side: the first full wins, the others stop."
            }
            Self::TugOfWar => "It starts in the middle: success pulls right, failure left.",
        }
    }
}

/// Who may see a clock.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Visibility {
    /// Everybody sees it whole.
    #[default]
    Visible,
    /// Everybody knows that it exists, not how full it is.
    Known,
    /// Only the GM sees it.
    Hidden,
}

impl Visibility {
    /// All, from open to hidden.
    pub const ALL: [Self; 3] = [Self::Visible, Self::Known, Self::Hidden];
}

/// What a full clock does to another.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum LinkEffect {
    /// It advances by one, and by what is left over.
    #[default]
    Advances,
    /// Players see it from then on; what is left over rolls on into it.
    Reveals,
    /// It stands still before, and runs from then on; what is left over rolls on into it.
    Starts,
    /// It stands beside: what is rolled for the one counts for the other too, as its kind says.
    Beside,
}

impl LinkEffect {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Advances, Self::Reveals, Self::Starts, Self::Beside];

    /// What it does, in a sentence.
    pub const fn explain(self) -> &'static str {
        match self {
            Self::Advances => "Full, it advances the other by what is left over, by one at least.",
            Self::Reveals => "Full, it shows the other to the players; what is left over rolls on.",
            Self::Starts => {
                "The other stands still until this one is full; what is left over rolls on into it."
            }
            Self::Beside => {
                "What is rolled for this one counts for the other too: an effort and its countdown."
            }
        }
    }
}

/// What a clock does when it is full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenFull {
    /// It stays so.
    #[default]
    Stays,
    /// It is empty again; what is left over counts on.
    StartsAgain,
    /// It is empty again, and has a segment more.
    Grows,
    /// It is empty again, and has a segment less.
    Shrinks,
}

impl WhenFull {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Stays, Self::StartsAgain, Self::Grows, Self::Shrinks];

    /// What it does, in a few words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Stays => "stays full",
            Self::StartsAgain => "starts again",
            Self::Grows => "starts again and grows",
            Self::Shrinks => "starts again and shrinks",
        }
    }
}

/// What ends before clocks tick by themselves.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Every {
    Round,
    Scene,
    /// A rest of anybody.
    Rest,
}

impl Every {
    /// All of them, from short to long.
    pub const ALL: [Self; 3] = [Self::Round, Self::Scene, Self::Rest];
}

/// A clock's link to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Link {
    /// The other one.
    pub to: ClockId,
    /// What happens to it.
    #[serde(rename = "then")]
    pub effect: LinkEffect,
}

/// The check that fills a clock: how it is rolled, and what each outcome is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AttachedCheck {
    /// The check's name within the system.
    pub check: String,
    /// Fields as a person writes them: `cn` is `12`, `ability` is `agility`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<(String, String)>,
    /// On whose sheets the fields are that name somebody, by field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub named: Vec<(String, Origin)>,
    /// The character who rolls it, if it is always the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<CharacterId>,
    /// The outcomes that are worth something else than the rules say, each with its segments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ticks: Vec<(String, i32)>,
    /// Whether rolls of the check count that were made for something else, too.
    #[serde(
        default,
        rename = "hears_all",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub counts_all_rolls: bool,
}

/// An outcome is worth at most so many segments, either way.
pub const MAX_TICKS: i32 = 9;

impl AttachedCheck {
    /// That check with nothing said about it.
    pub fn new(check: impl Into<String>) -> Self {
        Self {
            check: check.into(),
            ..Self::default()
        }
    }
}

/// How many segments of how many are filled: `4 of 6`; `6 of 6, full`.
pub fn filled_of(filled: u8, of: u8) -> String {
    let full = if filled == of { ", full" } else { "" };
    format!("{filled} of {of}{full}")
}

/// A progress clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The number that events know it by.
    pub id: ClockId,
    pub name: String,
    /// What it counts.
    #[serde(default)]
    pub kind: ClockKind,
    /// How many segments it has.
    pub segments: Segments,
    /// How many are filled, never more than it has.
    #[serde(default)]
    pub filled: u8,
    /// How often it was full and started again.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub turns: u32,
    /// Who may see it.
    #[serde(default)]
    pub visibility: Visibility,
    /// The character that it belongs to, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<CharacterId>,
    /// The clock of the host's own game that this clock is a copy of. Such a clock ticks only at the host.
    #[serde(default, rename = "follows", skip_serializing_if = "Option::is_none")]
    pub host_clock: Option<ClockId>,
    /// The rule that fills it and clears it at the end of a scene: Gnosis, `stress` and `blood`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Id>,
    /// Whether it belongs to the present scene, and ends with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_scene: bool,
    /// The race that it is in: clocks of that kind and of one name stand side by side.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub race: String,
    /// The names of a tug-of-war's ends, the left one first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<[String; 2]>,
    /// What happens to another clock when this one is full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// The check that fills it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<Box<AttachedCheck>>,
    /// What it does when it is full; of an effort or a countdown.
    #[serde(default, skip_serializing_if = "tableside_rules::is_default")]
    pub when_full: WhenFull,
    /// By how much it ticks by itself, or back below 0; never 0.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub every: BTreeMap<Every, i32>,
}

impl Clock {
    /// An empty clock; its number is given when it is started.
    pub fn new(name: impl Into<String>, segments: Segments) -> Self {
        Self {
            name: name.into(),
            segments,
            ..Self::default()
        }
    }

    /// Whether what is rolled for it counts for that one too.
    pub fn stands_beside(&self, other: ClockId) -> bool {
        let link = self.link.filter(|link| link.effect == LinkEffect::Beside);
        link.is_some_and(|link| link.to == other)
    }

    /// Whether it is the one that this rule gave to that character.
    pub fn is_given(&self, rule: Id, to: CharacterId) -> bool {
        self.rule == Some(rule) && self.owner == Some(to)
    }

    /// Whether every segment is filled.
    pub fn is_full(&self) -> bool {
        self.filled >= self.segments.count()
    }

    /// Where it stands before anything has happened: empty, or a tug-of-war in the middle.
    pub fn begins_at(&self) -> u8 {
        match self.kind {
            ClockKind::TugOfWar => self.segments.count() / 2,
            ClockKind::Effort | ClockKind::Countdown | ClockKind::Race => 0,
        }
    }

    /// The names of a tug-of-war's two ends.
    pub fn end_names(&self) -> [&str; 2] {
        let named = |index: usize, otherwise: &'static str| {
            let name = self.ends.as_ref().map(|ends| ends[index].as_str());
            name.filter(|name| !name.is_empty()).unwrap_or(otherwise)
        };
        [named(0, "left"), named(1, "right")]
    }

    /// Whether both are in the same race.
    pub fn races(&self, other: &Self) -> bool {
        let both = self.kind == ClockKind::Race && other.kind == ClockKind::Race;
        both && is_same_name(&self.race, &other.race)
    }

    /// What it does by itself, in words: `starts again`, `+1 every round`.
    pub fn acts(&self) -> impl Iterator<Item = String> + '_ {
        let again = Some(self.when_full).filter(|when| *when != WhenFull::Stays);
        let again = again.map(|when| when.describe().to_owned());
        let every = self.every.iter();
        again
            .into_iter()
            .chain(every.map(|(every, by)| format!("{by:+} every {}", every.into_str())))
    }

    /// How many segments it has and how many are filled when it starts again after so many more; none where it
    /// does not: it has as many left, or stays full.
    pub(super) fn again(&self, by: i32) -> Option<(Segments, u8)> {
        let steps = match self.when_full {
            WhenFull::Stays => return None,
            WhenFull::StartsAgain => 0,
            WhenFull::Grows => 1,
            WhenFull::Shrinks => -1,
        };
        let (mut segments, mut filled) = (self.segments, i32::from(self.filled).saturating_add(by));
        if filled < segments.count().into() {
            return None;
        }
        // Beyond so many turns a clock neither grows nor shrinks any more.
        for _ in Segments::MIN..=Segments::MAX {
            if filled < segments.count().into() {
                break;
            }
            filled -= i32::from(segments.count());
            segments = segments.stepped(steps);
        }
        let filled = u8::try_from(filled % i32::from(segments.count()));
        Some((segments, filled.unwrap_or_default()))
    }

    /// How many segments would be filled after so many more, or fewer.
    pub fn after(&self, by: i32) -> u8 {
        let filled = i32::from(self.filled).saturating_add(by);
        let filled = filled.clamp(0, i32::from(self.segments.count()));
        u8::try_from(filled).unwrap_or(self.filled)
    }

    /// How many segments an outcome of that check fills, or empties.
    pub fn ticks_of(&self, spec: &CheckSpec, outcome: OutcomeId, levels: i32) -> i32 {
        let id = spec.outcome(outcome).id;
        let own = self.check.iter().filter(|own| own.check == spec.id);
        let mut said = own.flat_map(|own| &own.ticks);
        match said.find(|(known, _)| known == id) {
            Some((_, ticks)) => *ticks,
            None => usual_ticks(self.kind, spec, outcome, levels),
        }
    }
}

/// What an outcome is worth to a clock of that kind when nobody says otherwise: an effort takes what the
/// rules give for a success, a countdown one for trouble (Gnosis, Progress: effort clocks fill on success,
/// countdown clocks on failure).
fn usual_ticks(kind: ClockKind, spec: &CheckSpec, outcome: OutcomeId, levels: i32) -> i32 {
    let failed = spec.has_success && levels <= 0;
    // Trouble comes with some successes, too.
    let troubles = ["success-with-complication", "consequence"];
    let complicates = troubles.contains(&spec.outcome(outcome).id);
    match kind {
        ClockKind::Countdown => i32::from(failed || complicates),
        ClockKind::TugOfWar if failed => -1,
        ClockKind::Effort | ClockKind::Race | ClockKind::TugOfWar => levels.max(0),
    }
}
