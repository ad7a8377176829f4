//! The explanation of an entry, as a list of parts. A dialog draws the parts, and the command line prints them.

use super::{Entry, SeatView};
use tableside_game::{Event, EventKind, InitiativeRoll, Roll, sentence, thrown_in_words};
use tableside_rules::die_roles;
use tableside_rules::{CheckSpec, Key, Outcome, ShownDie, System, Tone};
use tableside_text::{join, join_with_and};

/// A part of the explanation of an entry.
#[derive(Clone, Debug)]
pub enum Part {
    /// The scene, the time and the author of the entry, or the fields of a check.
    Aside(String),
    /// A warning that the entry was undone, or that a cost was not paid.
    Warning(String),
    /// The players from whom the entry is hidden.
    Hidden(String),
    /// Another result of the same roll: the original, an amendment, or a reroll.
    Reading {
        /// The words before the headline: `Amended as #7: `.
        lead: String,
        headline: Headline,
        /// True if the explained entry replaces this result.
        is_struck: bool,
    },
    /// The dice.
    Dice(Vec<ShownDie>),
    /// The outcome with its total and its target.
    Headline(Headline),
    /// A numbered step of the rules.
    Step(usize, String),
    /// A hint for the narration.
    Narration(String),
    Heading(&'static str),
    /// An effect.
    Followed(String),
    /// The text of an entry that is no check.
    Text(String),
    /// An empty line.
    Gap,
}

/// An outcome with its numbers.
#[derive(Clone, Debug)]
pub struct Headline {
    pub tone: Tone,
    /// True if each outcome of the check is a success or a failure.
    pub has_success: bool,
    /// The name of the outcome, or that of the winner.
    pub label: String,
    /// The total and the target: `14 vs DC 12 (Hard)`. Empty if the check has no numbers.
    pub numbers: String,
}

impl Headline {
    /// Returns the headline of a roll.
    pub fn of(roll: &Roll, spec: &CheckSpec, outcome: &Outcome) -> Self {
        let outcome_spec = spec.told(outcome.outcome, outcome.success);
        let mut numbers = spec.describe_numbers(outcome);
        if let Some(name) = outcome.target_name
            && outcome.total.is_some()
        {
            numbers = format!("{numbers} ({name})");
        }

        Self {
            tone: outcome_spec.tone,
            has_success: spec.has_success,
            label: roll.outcome_words(outcome_spec, spec.system),
            numbers,
        }
    }

    /// The outcome and the numbers in a line.
    pub fn words(&self) -> String {
        let Self { label, numbers, .. } = self;
        if numbers.is_empty() {
            label.clone()
        } else {
            format!("{label}, {numbers}")
        }
    }
}

impl SeatView<'_> {
    /// Returns the text of an entry and its explanation. `None` if this seat may not read it.
    pub fn explain(&self, number: u64) -> Option<(String, Vec<Part>)> {
        let entry = self.entry(number)?;
        let system = self.system();

        let origin = self.describe_origin(&entry);
        let mut parts = vec![Part::Aside(origin), Part::Gap];
        if self.is_struck(number) && self.replaced_by(number).is_none() {
            let warning = "This entry was undone, and its effects were reversed.";
            parts.push(Part::Warning(warning.to_owned()));
            parts.push(Part::Gap);
        }

        let readings = self.other_readings(number);
        if !readings.is_empty() {
            parts.extend(readings);
            parts.push(Part::Gap);
        }

        let hidden = hidden_from(&entry.event.what);
        if !hidden.is_empty() {
            parts.push(Part::Hidden(sentence(&hidden)));
            parts.push(Part::Gap);
        }

        parts.extend(explain_event(&entry.event, system));
        let effects = entry.event.describe_effects(self, false);
        if !effects.is_empty() {
            parts.push(Part::Gap);
            parts.push(Part::Heading("Effects"));
            parts.extend(effects.into_iter().map(Part::Followed));
        }
        Some((entry.event.text(system), parts))
    }

    /// The scene, the time and the author of an entry.
    fn describe_origin(&self, entry: &Entry) -> String {
        let at = entry.at.format("%-d %b %Y %H:%M UTC");
        let by = &entry.by;
        match self.scene_of(entry.number).name.as_str() {
            "" => format!("{at}, by {by}"),
            scene => format!("{scene}, {at}, by {by}"),
        }
    }

    /// The result that replaces this entry, and the result that this entry replaces.
    pub fn other_readings(&self, number: u64) -> Vec<Part> {
        let mut parts = Vec::new();
        if let Some(later) = self.replaced_by(number)
            && let Some(later) = self.entry(later)
        {
            let verb = reading_verb(&later);
            let lead = match self.tag(later.number).as_str() {
                "" => format!("{verb}: "),
                tag => format!("{verb} as {tag}: "),
            };
            parts.extend(self.reading(&later, lead, false));
        }
        if let Some(replaced) = self.replaces(number)
            && let Some(entry) = self.entry(number)
            && let Some(replaced) = self.entry(replaced)
        {
            let verb = reading_verb(&entry);
            let lead = match self.tag(replaced.number).as_str() {
                "" => format!("{verb}; the earlier result was: "),
                tag => format!("{verb}; replaces {tag}, which was: "),
            };
            parts.extend(self.reading(&replaced, lead, true));
        }
        parts
    }

    fn reading(&self, entry: &Entry, lead: String, is_struck: bool) -> Option<Part> {
        let roll = entry.roll()?;
        let (spec, outcome) = read_again(roll, self.system())?;
        Some(Part::Reading {
            lead,
            headline: Headline::of(roll, spec, &outcome),
            is_struck,
        })
    }
}

fn reading_verb(entry: &Entry) -> &'static str {
    match entry.event.what {
        EventKind::Rerolled { .. } => "Rolled again",
        _ => "Amended",
    }
}

/// Names the players from whom an event is hidden. Empty if the event is hidden from no player.
pub(super) fn hidden_from(what: &EventKind) -> String {
    let (names, noticed) = what.hidden_from();
    if names.is_empty() {
        return String::new();
    }

    let is_hidden_from_all = names.iter().any(|name| name == "*");
    let players = if is_hidden_from_all {
        "all players".to_owned()
    } else {
        names.join(", ")
    };
    if noticed {
        format!("hidden from {players}; they saw only that dice were rolled")
    } else {
        format!("hidden from {players}")
    }
}

/// Explains an event without its effects.
fn explain_event(event: &Event, system: System) -> Vec<Part> {
    if let Some(roll) = event.what.resolved()
        && let Some((spec, outcome)) = read_again(roll, system)
    {
        return explain_roll(roll, spec, &outcome, system);
    }

    let text = event.text(system);
    let mut parts = vec![Part::Text(text)];
    if let EventKind::Initiative { rolls, .. } = &event.what {
        for rolled in rolls {
            parts.push(Part::Gap);
            parts.extend(explain_initiative(rolled, system));
        }
    }
    if let EventKind::Thrown(thrown) = &event.what {
        parts.push(Part::Text(thrown_in_words(thrown) + "."));
    }
    parts
}

/// Explains the roll of one character for initiative: its name, its dice, and the steps.
fn explain_initiative(rolled: &InitiativeRoll, system: System) -> Vec<Part> {
    let roll = &rolled.roll;
    let heading = format!("{}: {}", roll.who, rolled.initiative);
    let mut parts = vec![Part::Text(heading)];
    let Some((_, outcome)) = read_again(roll, system) else {
        return parts;
    };

    let fields = fields(roll, system);
    if !fields.is_empty() {
        parts.push(Part::Aside(fields));
    }
    parts.push(Part::Dice(outcome.dice));
    for (index, step) in outcome.steps.into_iter().enumerate() {
        parts.push(Part::Step(index + 1, step));
    }
    parts
}

fn explain_roll(
    roll: &Roll,
    spec: &'static CheckSpec,
    outcome: &Outcome,
    system: System,
) -> Vec<Part> {
    let mut parts = Vec::new();
    let fields = fields(roll, system);
    if !fields.is_empty() {
        parts.push(Part::Aside(fields));
    }
    if !outcome.dice.is_empty() {
        parts.push(Part::Dice(outcome.dice.clone()));
    }
    parts.push(Part::Headline(Headline::of(roll, spec, outcome)));
    parts.push(Part::Gap);
    for (index, step) in outcome.steps.iter().enumerate() {
        parts.push(Part::Step(index + 1, step.clone()));
    }
    if let Some(unpaid) = roll.unpaid(outcome) {
        let warning = unpaid.describe(system);
        parts.push(Part::Warning(sentence(&warning)));
    }
    parts.extend(narration(outcome).map(Part::Narration));
    parts
}

/// Names the conditions that changed fields of a roll: `Disadvantage: blinded, poisoned.`
pub fn condition_reasons(roll: &Roll, system: System) -> Vec<String> {
    let Ok(spec) = roll.spec(system) else {
        return Vec::new();
    };

    let conditions = system.spec().conditions;
    let mut reasons = Vec::new();
    for (id, source) in &roll.sources {
        let (Some(field), Some(names)) = (spec.field(id), source.name()) else {
            continue;
        };
        let mut condition_names = Vec::new();
        for name in names.split(", ") {
            if conditions
                .iter()
                .any(|condition| name.starts_with(condition.name))
            {
                // Most conditions have no levels, so level 1 is left out.
                condition_names.push(name.strip_suffix(" 1").unwrap_or(name));
            }
        }
        if !condition_names.is_empty() {
            reasons.push(format!("{}: {}.", field.label, condition_names.join(", ")));
        }
    }
    reasons
}

/// Computes the outcome of a recorded check again from its fields and its dice.
pub fn read_again(roll: &Roll, system: System) -> Option<(&'static CheckSpec, Outcome)> {
    let spec = roll.spec(system).ok()?;
    let outcome = roll.derive(system).ok()?;
    Some((spec, outcome))
}

/// Describes the fields of a check that differ from their presets, each with its source.
pub(super) fn fields(roll: &Roll, system: System) -> String {
    let Ok(fields) = roll.all_fields(system) else {
        return String::new();
    };

    let mut descriptions = Vec::new();
    for (field, value) in fields.iter() {
        let Some(value) = value else {
            continue;
        };
        let source = roll.sources.get(field.id);
        let is_preset = Some(value) == field.start.as_ref();
        let is_recorded = roll.fields.contains_key(field.id);
        let is_decided_by_table = field.house.is_some() && is_recorded;
        if is_preset && !is_decided_by_table && source.is_none() {
            continue;
        }

        let mut description = format!("{} {value}", field.label);
        if let Some(source) = source {
            description += &format!(" ({source})");
        } else if let Some(number) = value.number()
            && let Some(name) = field.name_of(number)
        {
            description += &format!(" ({name})");
        }
        descriptions.push(description);
    }
    join(descriptions, ", ")
}

/// A hint for the narration, from the pool with the highest die (Gnosis, Resolution: dominant narration theme). `None` if
/// the check has no theme.
fn narration(outcome: &Outcome) -> Option<String> {
    const THEMES: [&str; 3] = ["Power", "Precision", "Possibility"];
    const PAIN: &str = "Pain";

    let mut keys = outcome.keys.iter();
    let theme_key = keys.find(|(name, _)| *name == "theme");
    let Some((_, Key::Words(highest))) = theme_key else {
        return None;
    };

    let mut themes = THEMES.to_vec();
    // Pain has dice only if something opposes the Hero.
    let mut roles = outcome.dice.iter().map(|die| die.role);
    if roles.any(|role| role == die_roles::PAIN) {
        themes.push(PAIN);
    }

    let mut dominant = Vec::new();
    let mut lesser = Vec::new();
    for theme in themes {
        if highest.contains(&&*theme.to_lowercase()) {
            dominant.push(theme);
        } else {
            lesser.push(theme);
        }
    }

    match dominant.as_slice() {
        [] => None,
        [PAIN] => Some(
            "Narrate with Pain: the opposition shapes the scene more than \
             Power, Precision and Possibility."
                .to_owned(),
        ),
        [theme] => {
            let lesser_themes = join_with_and(&lesser);
            Some(format!(
                "Narrate with {theme}: it shapes the scene more than {lesser_themes}."
            ))
        }
        themes => {
            let shared = themes.join(" and ");
            Some(format!(
                "Narrate with {shared}, which share the highest die: choose one, or combine them."
            ))
        }
    }
}
