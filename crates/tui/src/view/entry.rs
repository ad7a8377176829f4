//! An entry of the log in words: a roll as it is told, and what became of an entry.

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

/// So many later entries are looked through for what struck one.
const LATER: usize = 200;

/// So many free dice are shown of a throw.
const FREE_DICE: usize = 30;

/// A check with what it says.
pub(super) struct RollView<'a> {
    /// The check as it was recorded.
    pub(super) roll: &'a Roll,
    /// Which check.
    pub(super) spec: &'static CheckSpec,
    /// What it is about.
    pub(super) tested: Tested,
    /// What it says, read again from its faces.
    pub(super) outcome: &'a Outcome,
    /// Why it holds no longer, if it does not.
    pub(super) struck: Option<&'static str>,
}

impl<'a> RollView<'a> {
    /// The check of an entry, where it is a resolved one.
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

    /// The role of its words.
    pub(super) fn role(&self, role: Role) -> Role {
        self.struck.map_or(role, |_| Role::Struck)
    }

    /// What is told of its outcome.
    pub(super) fn told(&self) -> &'static OutcomeSpec {
        self.spec.told(self.outcome.outcome, self.outcome.success)
    }

    /// Its outcome: a sign and a word, in the colour of the tone.
    pub(super) fn outcome_span(&self, look: Appearance<'_>) -> Span<'static> {
        let (words, role) = self.headline();
        Span::styled(words, look.style(role))
    }

    /// The same words, and their role.
    pub(super) fn headline(&self) -> (String, Role) {
        let spec = self.told();
        let words = format!("{} {}", tone::sign(spec.tone), spec.label);
        (words, self.role(tone::role(spec.tone)))
    }

    /// What somebody wrote about it, in brackets.
    pub(super) fn about(&self) -> String {
        let fields = self.roll.all_fields(self.spec.system);
        let about = fields.map_or(String::new(), |fields| fields.text("about").to_owned());
        // What was tested is told anyway.
        let about = Some(about).filter(|about| !about.is_empty() && *about != self.tested.words);
        about.map_or_else(String::new, |about| format!("({about})"))
    }

    /// Who rolled what, unless that is told already, and what came of it.
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
        // Last, for where there is no room for everything, the outcome counts more.
        join([line, context.line(self.about(), Role::Muted)], " ")
    }

    /// What followed in one line; of what holds no longer, why.
    pub(super) fn followed(&self, entry: &Entry, context: ViewContext<'_>) -> Line<'static> {
        let remark = remark(entry, self.struck.is_some(), context);
        let remark = remark.map(|words| context.line(words, Role::Muted));
        let effects = self.struck.is_none().then(|| self.effects(context));
        join(effects.into_iter().flatten().chain(remark), "  ")
    }

    /// The total, and what it was rolled against.
    pub(super) fn numbers(&self) -> String {
        // What both sides of an opposed check came to stands in keys of its own.
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

    /// Its dice as they lie.
    pub(super) fn dice(&self) -> Vec<DieBox> {
        die_boxes(&self.outcome.dice)
    }

    /// What followed, as it was booked, without the roller's name, which stands beside it.
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

/// The dice of a check or free dice, as they lie.
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

/// A free die as it lies.
fn free_die(die: &RolledDie) -> DieBox {
    let is_kept = die.status == DieStatus::Kept;
    let extreme = match die.face {
        1 => Some(Extreme::Lowest),
        face if face.unsigned_abs() == die.sides => Some(Extreme::Highest),
        _ => None,
    };
    DieBox {
        // The faces of a Fate die are no numbers of pips.
        extreme: extreme.filter(|_| is_kept && die.sides > 3),
        is_dropped: !is_kept,
        ..DieBox::new(&format!("d{}", die.sides), die.face.to_string())
    }
}

/// Why an entry holds no longer, if it does not.
pub(super) fn struck(number: u64, view: &SeatView<'_>) -> Option<&'static str> {
    let by = |later: &Entry| matches!(later.event.what, EventKind::Struck { entry, .. } if entry == number);
    // What was struck long after it is told as what it is like.
    let mut later = view.log_since(number + 1).take(LATER);
    view.is_struck(number).then(|| {
        let is_struck = later.any(|later| by(&later) && !view.is_struck(later.number));
        ["undone", "struck"][usize::from(is_struck)]
    })
}

/// An entry in one line. The outcome of a roll has its colour; what holds no longer is struck out, and says so.
pub(super) fn entry_line(entry: &Entry, is_named: bool, context: ViewContext<'_>) -> Line<'static> {
    let is_struck = context.view.is_struck(entry.number);
    let role = match entry.event.what {
        _ if is_struck => Role::Struck,
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
    // At the end it would be the first to be cut.
    let parts = [closed(entry, context), remark, Some(line)];
    join(parts.into_iter().flatten(), " ")
}

/// That players do not see an entry.
pub(super) fn closed(entry: &Entry, context: ViewContext<'_>) -> Option<Line<'static>> {
    let is_closed = !entry.event.what.hidden_from().0.is_empty();
    is_closed.then(|| context.line("closed", Role::Hidden))
}

/// What became of an entry, and of what it stands in the place.
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
