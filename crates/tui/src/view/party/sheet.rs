//! The sheet of a character as groups of facts.

use ratatui::text::Line;

use crate::Role;
use crate::view::card::{in_words, mark_stepped, suffered};
use crate::view::pinned::pinned_notes;
use crate::view::sheets::{Fact, FactGroup};
use crate::view::{ViewContext, clocks, tokens};
use crate::widget::join;
use tableside_game::{Character, Pin, PoolKind};
use tableside_rules::{CardEntry, Id};

/// Returns the values of a character in groups, and the notes on it.
///
/// `omitted` has the values that are shown elsewhere. Stats without a group are divided into groups of
/// `most_ungrouped`.
pub(in crate::view) fn sheet_groups<'a>(
    character: &'a Character,
    omitted: &[CardEntry],
    most_ungrouped: usize,
    context: ViewContext<'a>,
) -> Vec<FactGroup<'a>> {
    let mut groups = sheet_facts(character, omitted, most_ungrouped, context);
    groups.push(holding_facts(character, omitted, context));
    if let Some(notes) = readable_notes(character, context) {
        let notes = Fact::unnamed(context.line(notes, Role::Text));
        groups.push(FactGroup::new("Notes", vec![notes]));
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Returns the side, the conditions, the pinned notes and the locks of a character.
pub(super) fn status_facts<'a>(
    character: &'a Character,
    context: ViewContext<'a>,
) -> FactGroup<'a> {
    let mut flags = vec![character.side.into_str()];
    if character.hidden {
        flags.push("hidden from players");
    }
    if character.absent {
        flags.push("away");
    }
    if character.acted {
        flags.push("has acted");
    }
    let mut lines = vec![context.line(flags.join(", "), Role::Muted)];

    let mut conditions = Vec::new();
    for (text, role) in suffered(character, context.view) {
        conditions.push(context.line(text, role));
    }
    let conditions_line = join(conditions, ", ");
    if !conditions_line.spans.is_empty() {
        lines.push(conditions_line);
    }
    lines.extend(pinned_notes(Pin::Character(character.id), context));

    let may_read_sheet = character.health.is_none();
    if may_read_sheet {
        if let Some(standing) = context.view.standing_of(character)
            && standing.means != standing.word
        {
            lines.push(context.line(standing.means, Role::Danger));
        }
        lines.extend(lock_lines(character, context));
    }
    FactGroup::new("", lines.into_iter().map(Fact::unnamed).collect())
}

/// Returns the tasks that the character may not try again.
fn lock_lines(character: &Character, context: ViewContext<'_>) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for (locked, about) in context.view.locks() {
        if locked.id == character.id {
            let task = if about.is_empty() { "it" } else { about };
            let text = format!("cannot try again: {task}");
            lines.push(context.line(text, Role::Warning));
        }
    }
    lines
}

/// Returns the values of the sheet in the groups of the system. A stat and its maximum are one value.
fn sheet_facts<'a>(
    character: &'a Character,
    omitted: &[CardEntry],
    most_ungrouped: usize,
    context: ViewContext<'a>,
) -> Vec<FactGroup<'a>> {
    let mut groups = Vec::new();
    let mut heading = "";
    let mut facts = Vec::new();

    for (stat, value) in character.sheet.iter() {
        let number = in_words(value);
        let is_omitted = omitted.iter().any(|entry| entry.id() == stat.id);
        if number.is_empty() || is_omitted || character.sheet.is_maximum(stat.id) {
            continue;
        }
        // Stats without a group are divided, so that they take several columns.
        let is_full = heading.is_empty() && facts.len() == most_ungrouped;
        if stat.group != heading || is_full {
            let group_facts = std::mem::take(&mut facts);
            groups.push(FactGroup::new(heading, group_facts));
            heading = stat.group;
        }

        let text = match character.sheet.most(stat) {
            Some(most) => format!("{number}/{most}"),
            None => number,
        };
        let line = context.line(text, Role::Text);
        let line = mark_stepped(line, character, Some(CardEntry::Stat(stat)), context);
        facts.push(Fact::new(stat.label, line));
    }
    groups.push(FactGroup::new(heading, facts));
    groups
}

/// Returns the pools and clocks of a character.
fn holding_facts<'a>(
    character: &'a Character,
    omitted: &[CardEntry],
    context: ViewContext<'a>,
) -> FactGroup<'a> {
    let is_omitted = |rule: Id| omitted.iter().any(|entry| rule.as_str() == entry.id());
    let mut facts = Vec::new();
    for pool in context.view.pools_of(Some(character.id)) {
        if let PoolKind::Rule(rule) = pool.kind
            && is_omitted(rule)
        {
            continue;
        }
        let pips = tokens::pips(pool, 10, context);
        let amount = tokens::amount(pool, context);
        facts.push(Fact::new(&pool.name, join([pips, amount], "  ")));
    }
    for view in context.view.clocks_of(character.id) {
        if view.clock.rule.is_some_and(is_omitted) {
            continue;
        }
        let face = clocks::face(&view, context);
        let count = context.line(face.count(), Role::Text);
        let bar = join([face.bar(12), count], "  ");
        facts.push(Fact::new(&view.clock.name, bar));
    }
    FactGroup::new("", facts)
}

/// Returns the notes on a character if this seat may read them and they are not empty.
pub(super) fn readable_notes<'a>(
    character: &'a Character,
    context: ViewContext<'a>,
) -> Option<&'a str> {
    context
        .view
        .notes(character)
        .filter(|notes| !notes.is_empty())
}
