//! A resolved check as it is shown: dice, outcome, what followed.

use ratatui::text::{Line, Span};

use super::painter::Source;
use crate::rules::{CheckSpec, Outcome};
use crate::screen::dialog::roll_summary::dice_of;
use crate::screen::theme::Role;
use crate::screen::tone;
use crate::screen::widget::Look;
use crate::screen::widget::die::Die;
use crate::session::{EventKind, Roll, thrown_in_words};
use crate::table::{Entry, SeatView};

/// A check with what it says.
pub(super) struct RollView<'a> {
    /// The check as it was recorded.
    pub(super) roll: &'a Roll,
    /// Which check.
    pub(super) spec: &'static CheckSpec,
    /// What it says, read again from its faces.
    pub(super) outcome: &'a Outcome,
}

impl<'a> RollView<'a> {
    /// The check of an entry, where it is a resolved one.
    pub(super) fn of(entry: &'a Entry, seen: &SeatView<'_>) -> Option<Self> {
        let roll = entry.event.what.resolved()?;
        let system = seen.system();
        Some(Self {
            roll,
            spec: roll.spec(system).ok()?,
            outcome: entry.reading(system)?,
        })
    }

    /// Its outcome: a sign and a word, in the colour of the tone.
    pub(super) fn outcome_span(&self, look: Look<'_>, is_struck: bool) -> Span<'static> {
        let spec = self.spec.told(self.outcome.outcome, self.outcome.success);
        let role = if is_struck {
            Role::Struck
        } else {
            tone::role(spec.tone)
        };
        let sign = tone::sign(spec.tone, look.ascii);
        Span::styled(format!("{sign} {}", spec.label), look.style(role))
    }

    /// Who rolled what, and what came of it.
    fn line(&self, is_brief: bool, is_struck: bool, from: Source<'_>) -> Line<'static> {
        let role = if is_struck { Role::Struck } else { Role::Text };
        let system = from.seen.system();
        let fields = self.roll.all_fields(system);
        let about = fields.map_or(String::new(), |fields| fields.text("about").to_owned());
        let is_usual = is_brief && system.spec().checks.first() == Some(&self.spec);
        let check = if is_usual { "" } else { self.spec.label };
        let words = [self.roll.who.as_str(), check];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let words = match words.as_slice() {
            [] => String::new(),
            words => format!("{}: ", words.join(", ")),
        };
        let outcome = self.outcome_span(from.look, is_struck);
        let mut line = Line::from(vec![from.span(words, role), outcome]);
        let numbers = self.numbers();
        if !numbers.is_empty() {
            line.push_span(from.span(format!(", {numbers}"), role));
        }
        // Last, for where there is no room for everything, the outcome counts more.
        if !about.is_empty() {
            line.push_span(from.span(format!(" ({about})"), Role::Muted));
        }
        line
    }

    /// The total, and what it was rolled against.
    pub(super) fn numbers(&self) -> String {
        let numbers = match (self.outcome.total, self.outcome.target) {
            (Some(total), Some(target)) => format!("{total} against {target}"),
            (Some(total), None) => total.to_string(),
            (None, _) => String::new(),
        };
        numbers.replace('-', "−")
    }

    /// Its dice as they lie.
    pub(super) fn dice(&self) -> Vec<Die> {
        dice_of(&self.outcome.dice)
    }

    /// What followed, as it was booked; whoever rolled stands beside it already.
    pub(super) fn effects(&self, from: Source<'_>) -> Vec<Line<'static>> {
        let arrow = from.look.glyphs().arrow;
        let own = format!("{}: ", self.roll.who);
        let effects = self.roll.effects.iter().map(ToString::to_string);
        effects
            .map(|effect| {
                let words = effect.strip_prefix(&own).unwrap_or(&effect).to_owned();
                Line::from(vec![
                    from.span(format!("{arrow} "), Role::Muted),
                    from.span(words, Role::Text),
                ])
            })
            .collect()
    }
}

/// An entry in one line, or in a brief one without what one takes for granted: the check that a system asks
/// for most. The outcome of a roll has its colour; what was taken back is struck out, and says so.
pub(super) fn entry_line(entry: &Entry, is_brief: bool, from: Source<'_>) -> Line<'static> {
    let is_struck = from.seen.is_struck(entry.number);
    let role = match entry.event.what {
        _ if is_struck => Role::Struck,
        EventKind::Scene { .. } | EventKind::Ended => Role::Heading,
        _ => Role::Text,
    };
    let mut line = match RollView::of(entry, from.seen) {
        Some(told) => told.line(is_brief, is_struck, from),
        None => Line::from(found(&entry.event.text(from.seen.system()), role, from)),
    };
    if let EventKind::Thrown(thrown) = &entry.event.what {
        let dice = format!("  {}", thrown_in_words(thrown));
        line.push_span(from.span(dice, Role::Muted));
    }
    if !entry.event.what.hidden_from().0.is_empty() {
        line.spans.insert(0, from.span("closed ", Role::Hidden));
    }
    if let Some(words) = remark(entry, is_struck, from) {
        line.push_span(from.span(words, Role::Muted));
    }
    line
}

/// What became of an entry, and of what it stands in the place.
fn remark(entry: &Entry, is_struck: bool, from: Source<'_>) -> Option<String> {
    let rolled = |entry: &Entry| matches!(entry.event.what, EventKind::Rerolled { .. });
    let told = |words: &str, number| match from.seen.tag(number).as_str() {
        "" => format!(" ({words})"),
        tag => format!(" ({words}: {tag})"),
    };
    let later = from.seen.replaced_by(entry.number);
    match later.and_then(|later| from.seen.entry(later)) {
        Some(later) if rolled(&later) => {
            return Some(told("rolled again", later.number));
        }
        Some(later) => return Some(told("read again", later.number)),
        None if is_struck => return Some(" (taken back)".to_owned()),
        None => {}
    }
    let before = from.seen.replaces(entry.number)?;
    Some(match from.seen.tag(before).as_str() {
        "" => " (once more)".to_owned(),
        tag => format!(" (instead of {tag})"),
    })
}

/// A text in which what the log is filtered by stands out.
fn found(text: &str, role: Role, from: Source<'_>) -> Vec<Span<'static>> {
    let plain = |text: &str| from.span(text.to_owned(), role);
    let small = text.to_lowercase();
    // Only where small letters stand in the same places as the others.
    let place = from.state.log.parsed().words().find_map(|word| {
        let from = small.find(word).filter(|_| small.len() == text.len())?;
        text.split_at_checked(from)
            .and_then(|(before, rest)| Some((before, rest.split_at_checked(word.len())?)))
    });
    match place {
        Some((before, (word, after))) => vec![
            plain(before),
            from.span(word.to_owned(), Role::Found),
            plain(after),
        ],
        None => vec![plain(text)],
    }
}
