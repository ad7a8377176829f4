//! The text of log entries: rolls, and whether an entry was undone or replaced.

use ratatui::text::{Line, Span};

use crate::Role;
use crate::dialog::roll_summary::die_boxes;
use crate::dialog::waiting_effects;
use crate::view::ViewContext;
use crate::view::tone;
use crate::widget::die::{DieBox, DieSeparator, Extreme};
use crate::widget::{Appearance, join};
use tableside_dice::notation::{DieStatus, RolledDie};
use tableside_game::{Event, EventKind, Roll, Tested, opponent_of, thrown_in_words};
use tableside_rules::{CheckSpec, Effect, Outcome, OutcomeSpec};
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
    event: &'a Event,
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
            event: &entry.event,
        })
    }

    /// Returns this role, or the role of undone entries.
    pub(super) fn role(&self, role: Role) -> Role {
        if self.struck.is_some() {
            Role::Struck
        } else {
            role
        }
    }

    /// Returns the description of the outcome.
    pub(super) fn told(&self) -> &'static OutcomeSpec {
        self.spec.told(self.outcome.outcome, self.outcome.success)
    }

    /// Returns the name of the outcome, or of the winner.
    pub(super) fn outcome_words(&self) -> String {
        self.roll.outcome_words(self.told(), self.spec.system)
    }

    /// Returns the sign and the name of the outcome, in the colour of its tone.
    pub(super) fn outcome_span(&self, look: Appearance<'_>) -> Span<'static> {
        let (text, role) = self.headline();
        Span::styled(text, look.style(role))
    }

    /// Returns the sign and the name of the outcome, and their role.
    pub(super) fn headline(&self) -> (String, Role) {
        let spec = self.told();
        let sign = tone::sign(spec.tone, self.spec.has_success);
        let text = format!("{sign} {}", self.outcome_words());
        (text, self.role(tone::role(spec.tone)))
    }

    /// Returns the player's remark, in brackets.
    pub(super) fn about(&self) -> String {
        let remark = match self.roll.all_fields(self.spec.system) {
            Ok(fields) => fields.text("about").to_owned(),
            Err(_) => String::new(),
        };
        // The tested value is shown anyway.
        if remark.is_empty() || remark == self.tested.words {
            String::new()
        } else {
            format!("({remark})")
        }
    }

    /// Returns the roll in one line. `is_named` adds the name of the character.
    fn line(&self, is_named: bool, context: ViewContext<'_>) -> Line<'static> {
        let (screen_width, _) = context.state.size;
        let full_name = if is_named { &*self.roll.who } else { "" };
        let name = context.look.fit_name(full_name, screen_width / 4);
        let role = self.role(Role::Text);
        let title = self.tested.title(&name) + ": ";

        let mut line = context.line(title, role);
        line.push_span(self.outcome_span(context.look));
        let numbers = self.numbers();
        if !numbers.is_empty() {
            line.push_span(context.span(format!(", {numbers}"), role));
        }

        // The remark comes last because the end of a line is cut first.
        let remark = context.line(self.about(), Role::Muted);
        join([line, remark], " ")
    }

    /// Returns the effects in one line, or how the entry was undone.
    pub(super) fn followed(&self, entry: &Entry, context: ViewContext<'_>) -> Line<'static> {
        let is_struck = self.struck.is_some();
        let mut parts = if is_struck {
            Vec::new()
        } else {
            self.effects(context)
        };
        if let Some(remark) = remark(entry, is_struck, context) {
            parts.push(context.line(remark, Role::Muted));
        }
        if let Some(effects) = waiting_effects(entry, context.view) {
            let text = format!("waiting: {}", effects.text);
            parts.push(context.line(text, Role::Warning));
        }
        join(parts, "  ")
    }

    /// Returns the total and its target.
    pub(super) fn numbers(&self) -> String {
        self.spec.describe_numbers(self.outcome).replace('-', "−")
    }

    /// Returns the dice.
    pub(super) fn dice(&self) -> Vec<DieBox> {
        die_boxes(&self.outcome.dice)
    }

    /// Returns the effects without the name of the rolling character, which is shown before them.
    pub(super) fn effects(&self, context: ViewContext<'_>) -> Vec<Line<'static>> {
        let own_prefix = format!("{}: ", self.roll.who);
        let opponent_prefix = format!("{}: ", self.opponent_name(context));

        let mut lines = Vec::new();
        for effect in &self.roll.effects {
            // A button beneath the entry offers the check.
            if matches!(effect, Effect::Offer { .. }) {
                continue;
            }
            let description = match context.view.describe_state(effect) {
                Some(state) => state,
                None => effect.text(context.view.system()),
            };
            let named = description.replacen("opponent: ", &opponent_prefix, 1);
            let mut text = named.strip_prefix(&own_prefix).unwrap_or(&named).to_owned();
            if let Some(hit_points) = self.event.describe_damaged(effect, context.view) {
                text = format!("{text}, {hit_points}");
            }

            let arrow = context.line("→", Role::Muted);
            let effect_line = context.line(text, Role::Text);
            lines.push(join([arrow, effect_line], " "));
        }
        lines
    }

    fn opponent_name<'g>(&self, context: ViewContext<'g>) -> &'g str {
        let opponent = opponent_of(self.spec, &self.roll.sources);
        match opponent.and_then(|id| context.view.character(id)) {
            Some(character) => &character.name,
            None => "opponent",
        }
    }
}

/// Returns the dice of a check, or free dice.
pub(super) fn dice_as_they_lie(entry: &Entry, view: &SeatView<'_>) -> Vec<DieBox> {
    let EventKind::Thrown(thrown) = &entry.event.what else {
        return match RollView::of(entry, view) {
            Some(roll) => roll.dice(),
            None => Vec::new(),
        };
    };
    let Some(rolled) = thrown.rolled() else {
        return Vec::new();
    };

    let mut dice = Vec::new();
    for (index, rolled_die) in rolled.dice.iter().take(FREE_DICE).enumerate() {
        let mut die = free_die(rolled_die);
        if rolled.starts_later_repetition(index) {
            die.separator = Some(DieSeparator::Repetition);
        }
        dice.push(die);
    }
    dice
}

/// Returns a free die.
fn free_die(die: &RolledDie) -> DieBox {
    let is_kept = die.status == DieStatus::Kept;
    let extreme = match die.face {
        1 => Some(Extreme::Lowest),
        face if face.unsigned_abs() == die.sides => Some(Extreme::Highest),
        _ => None,
    };
    // The faces of a Fate die are signs and have no extremes.
    let has_extremes = is_kept && die.sides > 3;
    DieBox {
        extreme: if has_extremes { extreme } else { None },
        is_dropped: !is_kept,
        ..DieBox::new(&format!("d{}", die.sides), die.face.to_string())
    }
}

/// Returns a word for an entry that was undone, or `None` if it is valid.
pub(super) fn struck(number: u64, view: &SeatView<'_>) -> Option<&'static str> {
    if view.is_struck(number) {
        Some("undone")
    } else {
        None
    }
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

    let mut line = match RollView::of(entry, context.view) {
        Some(roll) => roll.line(is_named, context),
        None => context.line(entry.event.text(context.view.system()), role),
    };
    if let EventKind::Thrown(thrown) = &entry.event.what {
        let dice = format!("  {}", thrown_in_words(thrown));
        line.push_span(context.span(dice, Role::Muted));
    }

    // The remarks come first because the end of a line is cut first.
    let mut parts = Vec::new();
    parts.extend(closed(entry, context));
    if let Some(remark) = remark(entry, is_struck, context) {
        parts.push(context.line(format!("({remark})"), Role::Muted));
    }
    parts.push(line);
    join(parts, " ")
}

/// Returns the text of an entry after the effects that wait for the GM, if any.
pub(super) fn line_with_waiting(entry: &Entry, context: ViewContext<'_>) -> Line<'static> {
    let line = entry_line(entry, true, context);
    match waiting_effects(entry, context.view) {
        Some(effects) => {
            let text = format!("(waiting: {})", effects.text);
            join([context.line(text, Role::Warning), line], " ")
        }
        None => line,
    }
}

/// Returns a word for an entry that is hidden from players.
pub(super) fn closed(entry: &Entry, context: ViewContext<'_>) -> Option<Line<'static>> {
    let (hidden_from, ..) = entry.event.what.hidden_from();
    if hidden_from.is_empty() {
        None
    } else {
        Some(context.line("hidden", Role::Hidden))
    }
}

/// Returns whether an entry was undone, was replaced, or replaces another one.
pub(super) fn remark(entry: &Entry, is_struck: bool, context: ViewContext<'_>) -> Option<String> {
    let view = context.view;
    let replacement = view
        .replaced_by(entry.number)
        .and_then(|number| view.entry(number));
    if let Some(replacement) = replacement {
        return Some(describe_replacement(&replacement, view));
    }

    if is_struck {
        return struck(entry.number, view).map(str::to_owned);
    }
    let replaced = view.replaces(entry.number)?;
    Some(match view.tag(replaced).as_str() {
        "" => "once more".to_owned(),
        tag => format!("instead of {tag}"),
    })
}

fn describe_replacement(replacement: &Entry, view: &SeatView<'_>) -> String {
    let is_rolled_again = matches!(replacement.event.what, EventKind::Rerolled { .. });
    let text = if is_rolled_again {
        "rolled again"
    } else {
        "read again"
    };
    match view.tag(replacement.number).as_str() {
        "" => text.to_owned(),
        tag => format!("{text}: {tag}"),
    }
}
