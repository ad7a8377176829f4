//! The values of a character as short texts, with their bars.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::Role;
use crate::app::rows;
use crate::view::card::value_width::token_signs;
use crate::view::{ViewContext, clocks, tokens};
use crate::widget::{BarLevel, bar, columns, line_columns};
use tableside_game::{Character, PoolKind, TokenPool};
use tableside_rules::{CardEntry, Field, HIT_POINTS, Id, Kind, PoolSpec, Value, Zeros};
use tableside_table::{ClockView, SeatView};

/// A value as text, with the role of its colour.
#[derive(Clone, Debug)]
pub(crate) struct ShownValue {
    pub(crate) text: String,
    pub(crate) role: Role,
    /// True for a 0 in a value that starts at 0.
    is_idle: bool,
    /// True for the die that a new character has, such as the die of an untrained skill.
    is_die_at_start: bool,
    /// True if a card shows the value without the abbreviation.
    pub(crate) is_nameless: bool,
}

impl ShownValue {
    fn new(text: impl Into<String>, role: Role) -> Self {
        Self {
            text: text.into(),
            role,
            is_idle: false,
            is_die_at_start: false,
            is_nameless: false,
        }
    }

    /// Returns true if the card of the system leaves the value out: if zeros are hidden, a 0 or an unraised die in
    /// `then`.
    pub(crate) fn is_hidden(&self, entry: CardEntry, view: &SeatView<'_>) -> bool {
        let card = &view.system().spec().card;
        let is_idle = self.is_idle || self.is_die_at_start;
        is_idle && card.zeros == Zeros::Hide && !card.puts_first(entry)
    }
}

/// The room for a value on a card or in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueSlot {
    pub(crate) entry: CardEntry,
    /// The cells of its bar; 0 if it has none.
    pub(crate) bar_cells: u16,
    /// The columns of the abbreviation, the bar and the value.
    pub(crate) width: u16,
}

impl ValueSlot {
    /// Returns the slot with a bar that leaves room for this text.
    fn shortened_for(self, text: &str) -> Self {
        let label_columns = columns(self.entry.short()) + 1;
        let room = self.width.saturating_sub(label_columns + columns(text) + 1);
        match self.entry {
            CardEntry::Stat(_) => Self {
                bar_cells: self.bar_cells.min(room),
                ..self
            },
            CardEntry::Pool(_) | CardEntry::Clock(_) | CardEntry::Conditions => self,
        }
    }
}

/// Returns the short text of a value. `None` if the seat may not read it, or if the character lacks it.
pub(crate) fn shown_value(
    character: &Character,
    entry: CardEntry,
    view: &SeatView<'_>,
) -> Option<ShownValue> {
    // If the seat sees only a word for the health, it sees no values.
    if character.health.is_some() {
        return None;
    }

    match entry {
        CardEntry::Stat(stat) => shown_stat(character, stat, view),
        CardEntry::Pool(spec) => {
            let pool = rows::rule_pool(view, character.id, spec)?;
            Some(shown_pool(pool, view.tokens_in(pool), spec))
        }
        CardEntry::Clock(spec) => {
            let clock = rows::rule_clock(view, character.id, spec)?;
            Some(shown_clock(&clock))
        }
        CardEntry::Conditions => None,
    }
}

fn shown_stat(
    character: &Character,
    stat: &'static Field,
    view: &SeatView<'_>,
) -> Option<ShownValue> {
    if let Some(counts) = death_save_counts(character, stat, view) {
        return Some(ShownValue {
            is_nameless: true,
            ..ShownValue::new(counts, Role::Danger)
        });
    }
    let value = character.sheet.value(stat.id)?;
    let mut text = in_words(value);
    text.push_str(&absorbing_tokens(character, stat, view));
    let number = value.number().unwrap_or(0);

    if let Some(most) = character.sheet.most(stat) {
        let role = if number * 2 > most {
            Role::Text
        } else {
            health_role(number, most)
        };
        return Some(ShownValue::new(format!("{text}/{most}"), role));
    }

    let starts_at_zero = stat.start == Some(Value::Number(0));
    let is_reduced = is_reduced_die(character, stat);
    let is_harm = stat.state && starts_at_zero && number > 0;
    let role = if is_reduced || is_harm {
        Role::Warning
    } else {
        Role::Text
    };
    let is_idle = match value {
        Value::Number(0) => starts_at_zero,
        Value::Flag(false) => true,
        _ => false,
    };
    let is_die = matches!(value, Value::Die(_));
    let is_at_start = stat.start.as_ref() == Some(value);
    Some(ShownValue {
        is_idle,
        is_die_at_start: is_die && is_at_start,
        ..ShownValue::new(text, role)
    })
}

/// Returns the counts of the saves of a dying character, which replace the stat that the system names.
fn death_save_counts(
    character: &Character,
    stat: &'static Field,
    view: &SeatView<'_>,
) -> Option<String> {
    let rules = view.system().spec().dying.as_ref()?;
    let is_dying = || {
        let standing = view.standing_of(character);
        standing.is_some_and(|standing| standing.check == rules.save)
    };
    if stat.id != rules.counts_in || !is_dying() {
        return None;
    }

    let count = |id: Id| {
        let mut pools = view.pools_of(Some(character.id));
        let pool = pools.find(|pool| pool.kind == PoolKind::Rule(id));
        pool.map_or(0, |pool| view.tokens_in(pool))
    };
    let successes = count(rules.successes);
    let failures = count(rules.failures);
    Some(rules.describe_counts(successes, failures))
}

/// Returns the tokens that lose damage before the hit points do: `+8`. Empty for other stats, and without such tokens.
fn absorbing_tokens(character: &Character, stat: &'static Field, view: &SeatView<'_>) -> String {
    if stat.id != HIT_POINTS {
        return String::new();
    }

    let mut absorbing = 0;
    for spec in view.system().spec().pools {
        if spec.absorbs_damage
            && let Some(pool) = rows::rule_pool(view, character.id, spec)
        {
            absorbing += view.tokens_in(pool);
        }
    }
    if absorbing > 0 {
        format!("+{absorbing}")
    } else {
        String::new()
    }
}

/// Leaves out the maximum of a value that is wider than this number of columns.
fn fit_value(text: &str, width: u16) -> &str {
    match text.split_once('/') {
        Some((current, _)) if columns(text) > width => current,
        _ => text,
    }
}

/// Returns true for a die below its maximum.
fn is_reduced_die(character: &Character, stat: &Field) -> bool {
    let Some(die) = character.sheet.die(stat.id) else {
        return false;
    };
    let maximum = stat.at_most.and_then(|id| character.sheet.die(id));
    maximum.is_some_and(|maximum| die < maximum)
}

fn shown_pool(pool: &TokenPool, tokens: i32, spec: &PoolSpec) -> ShownValue {
    let mut thresholds = spec.at.iter();
    let reaches_threshold = thresholds
        .any(|threshold| !threshold.say.is_empty() && pool.reaches(threshold.value, tokens));
    let role = match tokens {
        // Such as no health, or all harm that a character can bear.
        _ if reaches_threshold => Role::Danger,
        0 => Role::Muted,
        ..0 => Role::TokenDebt,
        1.. => Role::Token,
    };
    let number = tokens::number(tokens);
    let text = match pool.cap {
        Some(cap) if token_signs(spec) > 0 => format!("{number}/{cap}"),
        _ => number,
    };
    ShownValue {
        is_idle: tokens == 0 && spec.start == 0,
        ..ShownValue::new(text, role)
    }
}

fn shown_clock(view: &ClockView<'_>) -> ShownValue {
    let segments = view.clock.segments.count();
    let role = match view.filled {
        _ if view.clock.is_full() => Role::Danger,
        Some(0) => Role::Muted,
        _ => Role::CountdownFill,
    };
    let filled = match view.filled {
        Some(filled) => filled.to_string(),
        None => "?".to_owned(),
    };
    ShownValue {
        is_idle: view.filled == Some(0),
        ..ShownValue::new(format!("{filled}/{segments}"), role)
    }
}

/// Returns the role of a number with a maximum.
fn health_role(number: i32, most: i32) -> Role {
    let quarters = number.saturating_mul(4);
    if quarters <= most {
        Role::Danger
    } else if quarters <= most * 2 {
        Role::Warning
    } else {
        Role::Success
    }
}

pub(crate) fn in_words(value: &Value) -> String {
    match value.number() {
        Some(number) => tokens::number(number),
        None => value.to_string(),
    }
}

/// Returns the text of a slot: the abbreviation, the bar, and the value. The line is empty if the card hides
/// the value.
pub(super) fn value_line(
    character: &Character,
    slot: ValueSlot,
    context: ViewContext<'_>,
) -> Line<'static> {
    let entry = slot.entry;
    let Some(shown) = shown_value(character, entry, context.view) else {
        return Line::default();
    };
    if shown.is_hidden(entry, context.view) {
        return Line::default();
    }

    // The counts of death saves need no name.
    let label = if shown.is_nameless {
        String::new()
    } else {
        format!("{} ", entry.short())
    };
    let mut line = context.line(label, Role::Muted);
    let slot = slot.shortened_for(&shown.text);
    if slot.bar_cells > 0 {
        let bar = value_bar(character, slot, context);
        line.spans.extend(bar);
        line.push_span(" ");
    }

    // Numbers end in the same column.
    let has_maximum = slot.bar_cells > 0 || shown.text.contains('/');
    if is_number(entry) && !has_maximum {
        let used = line_columns(&line) + columns(&shown.text);
        let padding = usize::from(slot.width.saturating_sub(used));
        line.push_span(" ".repeat(padding));
    }
    let text = if slot.width > 0 {
        let room = slot.width.saturating_sub(line_columns(&line));
        fit_value(&shown.text, room).to_owned()
    } else {
        shown.text
    };
    line.push_span(context.span(text, shown.role));

    let zeros = context.view.system().spec().card.zeros;
    let is_idle_zero = shown.is_idle && zeros != Zeros::Show;
    if character.absent || is_idle_zero {
        for span in &mut line.spans {
            span.style = context.look.style(Role::Muted).add_modifier(Modifier::DIM);
        }
    }
    line
}

fn is_number(entry: CardEntry) -> bool {
    match entry {
        CardEntry::Stat(stat) => matches!(stat.kind, Kind::Number { .. }),
        CardEntry::Pool(_) => true,
        CardEntry::Clock(_) | CardEntry::Conditions => false,
    }
}

fn value_bar(
    character: &Character,
    slot: ValueSlot,
    context: ViewContext<'_>,
) -> Vec<Span<'static>> {
    let cells = slot.bar_cells;
    match slot.entry {
        CardEntry::Stat(stat) => {
            let number = character.sheet.number(stat.id).unwrap_or(0);
            let most = character.sheet.most(stat).unwrap_or(0);
            let role = health_role(number, most);
            let level = BarLevel {
                current: number,
                maximum: most,
            };
            bar(level, cells, role, context.look).spans
        }
        CardEntry::Pool(spec) => match rows::rule_pool(context.view, character.id, spec) {
            Some(pool) => tokens::pips(pool, cells, context).spans,
            None => Vec::new(),
        },
        CardEntry::Clock(spec) => match rows::rule_clock(context.view, character.id, spec) {
            Some(clock) => clocks::face(&clock, context).bar(cells).spans,
            None => Vec::new(),
        },
        CardEntry::Conditions => Vec::new(),
    }
}
