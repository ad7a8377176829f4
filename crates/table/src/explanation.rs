//! An entry explained step by step. A dialog draws these parts, the command line prints them line by line.

use super::{Entry, SeatView};
use tableside_game::{Event, EventKind, Roll, sentence, thrown_in_words};
use tableside_rules::die_roles;
use tableside_rules::{CheckSpec, Key, Outcome, OutcomeSpec, ShownDie, System};
use tableside_text::join;

/// A part of what is told about an entry.
#[derive(Clone, Debug)]
pub enum Part {
    /// What is good to know beside it: where and when, the fields of a check.
    Aside(String),
    /// That it holds no longer.
    Warning(String),
    /// From whom it is hidden.
    Hidden(String),
    /// Another reading of the same entry: which, what it says, and whether it held before this one.
    Reading {
        /// Which, and whether it came later or before: `Read again as #7: `.
        lead: String,
        /// What it says.
        headline: Headline,
        /// Whether this entry holds instead of it.
        is_struck: bool,
    },
    /// The dice as they lie.
    Dice(Vec<ShownDie>),
    /// What they came to.
    Headline(Headline),
    /// How, step by step.
    Step(usize, String),
    /// A sentence to tell it by.
    Narration(String),
    /// What stands over what follows.
    Heading(&'static str),
    /// What followed.
    Followed(String),
    /// What happened, where it was no check.
    Text(String),
    /// Nothing, for the eye.
    Gap,
}

/// An outcome with its total and its target, each as far as there is one.
#[derive(Clone, Copy, Debug)]
pub struct Headline {
    /// The outcome.
    pub outcome: &'static OutcomeSpec,
    total: Option<i32>,
    target: Option<i32>,
    /// What a target of that number is called: `Hard`.
    name: Option<&'static str>,
}

impl Headline {
    /// That of a check.
    pub fn of(spec: &'static CheckSpec, outcome: &Outcome) -> Self {
        Self {
            outcome: spec.told(outcome.outcome, outcome.success),
            total: outcome.total,
            target: outcome.target,
            name: outcome.target_name,
        }
    }

    /// The numbers: `14 against 12 (Hard)`; empty where there are none.
    pub fn numbers(&self) -> String {
        let name = self.name.map(|name| format!(" ({name})"));
        let name = name.unwrap_or_default();
        match (self.total, self.target) {
            (Some(total), Some(target)) => format!("{total} against {target}{name}"),
            (Some(total), None) => total.to_string(),
            (None, _) => String::new(),
        }
    }

    /// All of it in a line.
    pub fn words(&self) -> String {
        let (label, numbers) = (self.outcome.label, self.numbers());
        let comma = if numbers.is_empty() { "" } else { ", " };
        format!("{label}{comma}{numbers}")
    }
}

impl SeatView<'_> {
    /// An entry step by step, and in one line; none where this seat may not read it.
    pub fn explain(&self, number: u64) -> Option<(String, Vec<Part>)> {
        let entry = self.entry(number)?;
        let system = self.system();
        let scene = match self.scene_of(number).name.as_str() {
            "" => String::new(),
            scene => format!("{scene}, "),
        };
        let at = entry.at.format("%-d %b %Y %H:%M UTC");
        let mut parts = vec![
            Part::Aside(format!("{scene}{at}, by {}", entry.by)),
            Part::Gap,
        ];
        if self.is_struck(number) && self.replaced_by(number).is_none() {
            let words = "Struck or taken back: what followed from it was returned.";
            parts.extend([Part::Warning(words.to_owned()), Part::Gap]);
        }
        let readings = self.other_readings(number);
        if !readings.is_empty() {
            parts.extend(readings);
            parts.push(Part::Gap);
        }
        let hidden = hidden_from(&entry.event.what);
        if !hidden.is_empty() {
            parts.extend([Part::Hidden(sentence(&hidden)), Part::Gap]);
        }
        parts.extend(tell(&entry.event, system));
        let follows = entry.event.followed(self, false);
        if !follows.is_empty() {
            parts.extend([Part::Gap, Part::Heading("What followed")]);
            parts.extend(follows.into_iter().map(Part::Followed));
        }
        Some((entry.event.text(system), parts))
    }

    /// What an entry was read instead of, and what holds instead of it.
    pub fn other_readings(&self, number: u64) -> Vec<Part> {
        let told = |entry: &Entry, lead: String, is_struck: bool| {
            let (spec, outcome) = read_again(entry.roll()?, self.system())?;
            Some(Part::Reading {
                lead,
                headline: Headline::of(spec, &outcome),
                is_struck,
            })
        };
        let verb = |entry: &Entry| match entry.event.what {
            EventKind::Rerolled { .. } => "Rolled again",
            _ => "Read again",
        };
        let later = self.replaced_by(number).and_then(|later| self.entry(later));
        let later = later.and_then(|later| {
            let tag = self.tag(later.number);
            let as_what = if tag.is_empty() { "" } else { " as " };
            let lead = format!("{}{as_what}{tag}: ", verb(&later));
            told(&later, lead, false)
        });
        let before = self.entry(number).and_then(|entry| {
            let before = self.entry(self.replaces(number)?)?;
            let tag = self.tag(before.number);
            let before_it = if tag.is_empty() { "this" } else { &tag };
            let lead = format!("{} instead of {before_it}: ", verb(&entry));
            told(&before, lead, true)
        });
        later.into_iter().chain(before).collect()
    }
}

/// From whom an event is hidden, in words; empty where it is open.
pub(super) fn hidden_from(what: &EventKind) -> String {
    let (names, noticed) = what.hidden_from();
    let whom = match names {
        [] => return String::new(),
        names if names.iter().any(|name| name == "*") => "all players".to_owned(),
        names => names.join(", "),
    };
    let but = if noticed {
        "; they saw that something was rolled"
    } else {
        ""
    };
    format!("hidden from {whom}{but}")
}

/// What happened, without what followed.
fn tell(event: &Event, system: System) -> Vec<Part> {
    let mut parts = Vec::new();
    let read = event.what.resolved().and_then(|roll| {
        let (spec, outcome) = read_again(roll, system)?;
        Some((roll, spec, outcome))
    });
    let Some((roll, spec, outcome)) = read else {
        parts.push(Part::Text(event.text(system)));
        if let EventKind::Thrown(thrown) = &event.what {
            parts.push(Part::Text(thrown_in_words(thrown) + "."));
        }
        return parts;
    };
    let given = fields(roll, system);
    parts.extend((!given.is_empty()).then_some(Part::Aside(given)));
    parts.extend((!outcome.dice.is_empty()).then(|| Part::Dice(outcome.dice.clone())));
    parts.extend([Part::Headline(Headline::of(spec, &outcome)), Part::Gap]);
    let numbered = outcome.steps.iter().zip(1..);
    parts.extend(numbered.map(|(step, number)| Part::Step(number, step.clone())));
    if let Some(unpaid) = roll.unpaid(&outcome) {
        parts.push(Part::Warning(sentence(&unpaid.describe(system))));
    }
    parts.extend(narration(&outcome).map(Part::Narration));
    parts
}

/// What a recorded check says, derived again.
pub fn read_again(roll: &Roll, system: System) -> Option<(&'static CheckSpec, Outcome)> {
    Some((roll.spec(system).ok()?, roll.derive(system).ok()?))
}

/// The fields of a check that were not left as they are, each with where it came from.
pub(super) fn fields(roll: &Roll, system: System) -> String {
    let Ok(fields) = roll.all_fields(system) else {
        return String::new();
    };
    let told = fields.iter();
    let told = told.filter(|(field, value)| {
        let is_plain = value.is_none() || *value == field.start.as_ref();
        let is_decided = field.house.is_some() && roll.fields.contains_key(field.id);
        !is_plain || is_decided || roll.sources.contains_key(field.id)
    });
    let told = told.filter_map(|(field, value)| {
        let value = value?;
        let source = roll.sources.get(field.id);
        let name = value.number().and_then(|number| field.name_of(number));
        let words = source.map(ToString::to_string);
        let words = words.or_else(|| name.map(str::to_owned));
        let beside = words.map_or_else(String::new, |words| format!(" ({words})"));
        Some(format!("{} {value}{beside}", field.label))
    });
    join(told, ", ")
}

/// A sentence to tell it by, from the pool that had the highest die (Gnosis, Resolution: dominant
/// narration theme); none where the check has no theme.
fn narration(outcome: &Outcome) -> Option<String> {
    const ALL: [&str; 4] = ["Power", "Precision", "Possibility", "Pain"];
    let theme = outcome.keys.iter().find(|(name, _)| *name == "theme");
    let Some((_, Key::Words(themes))) = theme else {
        return None;
    };
    let has_pain = outcome.dice.iter().any(|die| die.role == die_roles::PAIN);
    let rolled = ALL.into_iter().filter(|name| has_pain || *name != "Pain");
    let is_theme = |name: &&str| themes.contains(&&*name.to_lowercase());
    let (of_theme, others): (Vec<_>, Vec<_>) = rolled.partition(is_theme);
    Some(match of_theme.as_slice() {
        [] => return None,
        ["Pain"] => "Tell it by Pain: what stands against the Hero shapes the scene, more than \
                     Power, Precision or Possibility."
            .to_owned(),
        [one] => {
            let others = others.join(", ");
            format!("Tell it by {one}: the scene is about that, more than about {others}.")
        }
        many => format!(
            "Tell it by {}, which share the highest die: pick one, or let them meet.",
            many.join(" and ")
        ),
    })
}
