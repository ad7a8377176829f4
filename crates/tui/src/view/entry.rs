//! The text of log entries: rolls, and whether an entry was undone or replaced.

use ratatui::text::{Line, Span};

use crate::Role;
use crate::dialog::roll_summary::die_boxes;
use crate::view::ViewContext;
use crate::view::tone;
use crate::widget::die::{DieBox, Extreme};
use crate::widget::{Appearance, join};
use tableside_dice::notation::{DieStatus, RolledDie};
use tableside_game::{EventKind, Roll, Tested, opponent_of, thrown_in_words};
use tableside_rules::{CheckSpec, Key, Outcome, OutcomeSpec};
use tableside_table::{Entry, SeatView};

/// The number of dice that are shown of a roll of free dice.
const FREE_DICE: usize = 30;

/// A resolved check and its outcome.
pub(super) struct RollView<'a> {
    pub(super) roll: &'a Roll,
    pub(super) spec: &'static CheckSpec,
    /// The tested value.
    pub(super) tested: Tested,
    /// The outcome, computed from the recorded faces.
    pub(super) outcome: &'a Outcome,
    /// How the entry was undone.
    pub(super) struck: Option<&'static str>,
}

impl<'a> RollView<'a> {
    /// Returns the check of an entry if it is resolved.
    pub(super) fn of(entry: &'a Entry, view: &SeatView<'_>) -> Option<Self> {
        let roll = entry.event.what.resolved()?;
        let system = view.system();
        Some(Self {
            roll,
            spec: roll.spec(system).ok()?,
            tested: roll.tested(system)?,
            outcome: entry.outcome(system)?,
            struck: struck(entry.number, view),
        })
    }

    /// Returns this role, or the role of undone entries.
    pub(super) fn role(&self, role: Role) -> Role {
        self.struck.map_or(role, |_| Role::Struck)
    }

    /// Returns the description of the outcome.
    pub(super) fn told(&self) -> &'static OutcomeSpec {
        self.spec.told(self.outcome.outcome, self.outcome.success)
    }

    /// Returns the sign and the name of the outcome, in the colour of its tone.
    pub(super) fn outcome_span(&self, look: Appearance<'_>) -> Span<'static> {
        let (words, role) = self.headline();
        Span::styled(words, look.style(role))
    }

    /// Returns the sign and the name of the outcome, and their role.
    pub(super) fn headline(&self) -> (String, Role) {
        let spec = self.told();
        let words = format!("{} {}", tone::sign(spec.tone), spec.label);
        (words, self.role(tone::role(spec.tone)))
    }

    /// Returns the player's remark, in brackets.
    pub(super) fn about(&self) -> String {
        let fields = self.roll.all_fields(self.spec.system);
        let about = fields.map_or(String::new(), |fields| fields.text("about").to_owned());
        // The tested value is shown anyway.
        let about = Some(about).filter(|about| !about.is_empty() && *about != self.tested.words);
        about.map_or_else(String::new, |about| format!("({about})"))
    }

    /// Returns the roll in one line. `is_named` adds the name of the character.
    fn line(&self, is_named: bool, context: ViewContext<'_>) -> Line<'static> {
        let who = if is_named { &*self.roll.who } else { "" };
        let who = context.look.fit_name(who, context.state.size.0 / 4);
        let title = self.tested.title(&who);
        let role = self.role(Role::Text);
        let lead = context.span(title + ": ", role);
        let mut line = Line::from(vec![lead, self.outcome_span(context.look)]);
        let numbers = self.numbers();
        if !numbers.is_empty() {
            line.push_span(context.span(format!(", {numbers}"), role));
        }
        // The remark comes last because the end of a line is cut first.
        join([line, context.line(self.about(), Role::Muted)], " ")
    }

    /// Returns the effects in one line, or how the entry was undone.
    pub(super) fn followed(&self, entry: &Entry, context: ViewContext<'_>) -> Line<'static> {
        let remark = remark(entry, self.struck.is_some(), context);
        let remark = remark.map(|words| context.line(words, Role::Muted));
        let effects = self.struck.is_none().then(|| self.effects(context));
        join(effects.into_iter().flatten().chain(remark), "  ")
    }

    /// Returns the total and its target.
    pub(super) fn numbers(&self) -> String {
        // An opposed check has the totals of both sides in keys.
        let key = |name: &str| {
            let mut keys = self.outcome.keys.iter().filter(|(key, _)| *key == name);
            keys.find_map(|(_, key)| match key {
                Key::Number(number) => Some(*number),
                _ => None,
            })
        };
        let total = self.outcome.total.or_else(|| key("aggressor"));
        let target = self.outcome.target.or_else(|| key("defender"));
        let numbers = match (total, target) {
            (Some(total), Some(target)) => format!("{total} against {target}"),
            (Some(total), None) => total.to_string(),
            (None, _) => String::new(),
        };
        numbers.replace('-', "−")
    }

    /// Returns the dice.
    pub(super) fn dice(&self) -> Vec<DieBox> {
        die_boxes(&self.outcome.dice)
    }

    /// Returns the effects without the name of the rolling character, which stands beside them.
    pub(super) fn effects(&self, context: ViewContext<'_>) -> Vec<Line<'static>> {
        let own = format!("{}: ", self.roll.who);
        let opponent = opponent_of(self.spec, &self.roll.sources);
        let opponent = opponent.and_then(|id| context.view.character(id));
        let opponent = opponent.map_or("opponent", |one| &one.name);
        let effects = self.roll.effects.iter().map(|effect| {
            let words = effect.text(context.view.system());
            let words = words.replacen("opponent: ", &format!("{opponent}: "), 1);
            let words = words.strip_prefix(&own).unwrap_or(&words).to_owned();
            let arrow = context.line("→", Role::Muted);
            join([arrow, context.line(words, Role::Text)], " ")
        });
        effects.collect()
    }
}

/// Returns the dice of a check, or free dice.
pub(super) fn dice_as_they_lie(entry: &Entry, view: &SeatView<'_>) -> Vec<DieBox> {
    if let EventKind::Thrown(thrown) = &entry.event.what {
        let Some(rolled) = thrown.rolled() else {
            return Vec::new();
        };
        let mut dice = Vec::new();
        for (index, die) in rolled.dice.iter().take(FREE_DICE).enumerate() {
            dice.push(DieBox {
                starts_later_repetition: rolled.starts_later_repetition(index),
                ..free_die(die)
            });
        }
        return dice;
    }
    RollView::of(entry, view).map_or_else(Vec::new, |roll| roll.dice())
}

/// Returns a free die.
fn free_die(die: &RolledDie) -> DieBox {
    let is_kept = die.status == DieStatus::Kept;
    let extreme = match die.face {
        1 => Some(Extreme::Lowest),
        face if face.unsigned_abs() == die.sides => Some(Extreme::Highest),
        _ => None,
    };
    DieBox {
        // The faces of a Fate die are signs and have no extremes.
        extreme: extreme.filter(|_| is_kept && die.sides > 3),
        is_dropped: !is_kept,
        ..DieBox::new(&format!("d{}", die.sides), die.face.to_string())
    }
}

/// Returns a word for an entry that was undone, or `None` if it is valid.
pub(super) fn struck(number: u64, view: &SeatView<'_>) -> Option<&'static str> {
    view.is_struck(number).then_some("undone")
}

/// Returns an entry in one line. Undone entries are struck out and have a remark.
pub(super) fn entry_line(entry: &Entry, is_named: bool, context: ViewContext<'_>) -> Line<'static> {
    let is_struck = context.view.is_struck(entry.number);
    let role = match entry.event.what {
        _ if is_struck => Role::Struck,
        _ if entry.event.raises_named_stat(context.view.system()) => Role::Danger,
        EventKind::Scene { .. } | EventKind::SessionEnded { .. } | EventKind::Ended => {
            Role::Heading
        }
        _ => Role::Text,
    };
    let roll = RollView::of(entry, context.view).map(|roll| roll.line(is_named, context));
    let text = || context.line(entry.event.text(context.view.system()), role);
    let mut line = roll.unwrap_or_else(text);
    if let EventKind::Thrown(thrown) = &entry.event.what {
        let dice = format!("  {}", thrown_in_words(thrown));
        line.push_span(context.span(dice, Role::Muted));
    }
    let remark = remark(entry, is_struck, context);
    let remark = remark.map(|words| context.line(format!("({words})"), Role::Muted));
    // The remark comes first because the end of a line is cut first.
    let parts = [closed(entry, context), remark, Some(line)];
    join(parts.into_iter().flatten(), " ")
}

/// Returns a word for an entry that is hidden from players.
pub(super) fn closed(entry: &Entry, context: ViewContext<'_>) -> Option<Line<'static>> {
    let is_closed = !entry.event.what.hidden_from().0.is_empty();
    is_closed.then(|| context.line("hidden", Role::Hidden))
}

/// Returns whether an entry was undone, was replaced, or replaces another one.
pub(super) fn remark(entry: &Entry, is_struck: bool, context: ViewContext<'_>) -> Option<String> {
    let rolled = |entry: &Entry| matches!(entry.event.what, EventKind::Rerolled { .. });
    let later = context.view.replaced_by(entry.number);
    let (before_tag, alone, number) = match later.and_then(|later| context.view.entry(later)) {
        Some(later) if rolled(&later) => ("rolled again: ", "rolled again", later.number),
        Some(later) => ("read again: ", "read again", later.number),
        None if is_struck => return struck(entry.number, context.view).map(str::to_owned),
        None => {
            let before = context.view.replaces(entry.number)?;
            ("instead of ", "once more", before)
        }
    };
    Some(match context.view.tag(number).as_str() {
        "" => alone.to_owned(),
        tag => format!("{before_tag}{tag}"),
    })
}
