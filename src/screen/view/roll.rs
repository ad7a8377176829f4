//! A resolved check as it is shown: dice, outcome, what followed.

use ratatui::text::{Line, Span};

use super::painter::Source;
use crate::rules::{CheckSpec, Outcome};
use crate::screen::dialog::roll_summary::dice_of;
use crate::screen::theme::Role;
use crate::screen::tone;
use crate::screen::widget::die::Die;
use crate::screen::widget::{Look, join};
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
        let words = [self.roll.who.as_str(), check].into_iter();
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let lead = if words.is_empty() { "" } else { ": " };
        let lead = from.span(words.join(", ") + lead, role);
        let mut line = Line::from(vec![lead, self.outcome_span(from.look, is_struck)]);
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
        let effects = self.roll.effects.iter().map(|effect| {
            let words = effect.to_string();
            let words = words.strip_prefix(&own).unwrap_or(&words).to_owned();
            join(
                [from.say(arrow, Role::Muted), from.say(words, Role::Text)],
                " ",
            )
        });
        effects.collect()
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
        None => from.say(entry.event.text(from.seen.system()), role),
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
    let later = from.seen.replaced_by(entry.number);
    let (before_tag, alone, number) = match later.and_then(|later| from.seen.entry(later)) {
        Some(later) if rolled(&later) => ("rolled again: ", "rolled again", later.number),
        Some(later) => ("read again: ", "read again", later.number),
        None if is_struck => return Some(" (taken back)".to_owned()),
        None => (
            "instead of ",
            "once more",
            from.seen.replaces(entry.number)?,
        ),
    };
    Some(match from.seen.tag(number).as_str() {
        "" => format!(" ({alone})"),
        tag => format!(" ({before_tag}{tag})"),
    })
}
