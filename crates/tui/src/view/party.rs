//! The characters: as cards on the table, and as a list with sheets on the Party tab.

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use ratatui::text::Line;
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::ListId;
use crate::app::rows;
use crate::app::state::Tab;
use crate::app::update::mouse::Spot;
use crate::view::card::{
    self, acted_before, column_width, in_words, is_stepped, mark_stepped, name, on_turn,
    shown_value, state_parts, suffered,
};
use crate::view::layout::PanelLayout;
use crate::view::pinned::pinned_notes;
use crate::view::sheets::{Fact, FactGroup};
use crate::view::{ItemView, Painter, ViewContext, clocks, fight, luck, own_sheet, tokens};
use crate::widget::{Column, Grid, GridColumns, join};
use tableside_game::{Character, EntityKind, Pin, PoolKind};
use tableside_rules::{CardEntry, Id, SystemSpec};
use tableside_table::side_name;

/// The most stats without a group that stay together on a sheet.
const MOST_UNGROUPED: usize = 7;
/// The first column of the list that holds a value.
const FIRST_VALUE: usize = 2;

impl<'a> ItemView<'a> for &'a Character {
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self> {
        context.view.game().character(id.try_as_character()?)
    }

    fn parts(&self, context: ViewContext<'a>) -> Vec<(usize, Spot)> {
        // The list of combatants has other columns than the Party tab.
        if context.state.tab == Tab::Table {
            return Vec::new();
        }
        let values = 0..rows::values(context.view.system()).len();
        let spots = values.map(|value| (FIRST_VALUE + value, Spot::Value(self.id, value)));
        spots.collect()
    }

    fn heading(&self, _: ViewContext<'a>) -> &'a str {
        side_name(self.side)
    }

    fn cursor(context: ViewContext<'a>) -> Option<usize> {
        let has_values = !rows::values(context.view.system()).is_empty();
        has_values.then_some(FIRST_VALUE + context.state.party_column)
    }

    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self> {
        let view = context.view;
        let is_narrow = width < 60;
        let mut grid = GridColumns::default();

        let name_width = match width {
            ..60 => 11,
            60..110 => 16,
            110.. => 30,
        };
        let name_column = Column::new("Name", (11, 48)).at_first(name_width).ends();
        grid.add(name_column, move |character: &Self| {
            name(character, u16::MAX, context)
        });
        let player_column = Column::new("Player", (6, 14)).priority(9);
        grid.add(player_column, move |character| {
            context.line(character.player.as_str(), Role::Muted)
        });

        let spec = view.system().spec();
        let values = rows::values(view.system());
        let has_stats = values
            .iter()
            .any(|value| matches!(value, CardEntry::Stat(_)));
        for (index, entry) in values.into_iter().enumerate() {
            let is_selected = index == context.state.party_column;
            let width = column_width(entry, spec);
            let column = Column::constant(entry.short(), width)
                .right()
                .priority(value_priority(entry, is_selected, spec));
            grid.add(column, move |character| {
                value_cell(character, entry, context)
            });
        }

        let acted_column = Column::fixed("Acted", 5).priority(3);
        let on_turn = on_turn(context);
        grid.add(acted_column, move |character| {
            acted_before(character, on_turn, context).into()
        });
        // Conditions are never dropped while a character has one.
        let has_marks = view
            .roster()
            .any(|character| !state_parts(character, context).is_empty());
        let conditions_column = Column::new("Conditions", (0, 40))
            .at_first(if is_narrow { 10 } else { 24 })
            .priority(if has_marks { 0 } else { 3 });
        grid.add(conditions_column, move |character| {
            join(state_parts(character, context), " ")
        });

        if view
            .roster()
            .any(|character| !rows::ranks(character).is_empty())
        {
            // Without stats, the ranks are the most important part of a sheet.
            let ranks_column = Column::new("Can do", (0, 90))
                .at_first(12)
                .priority(if has_stats { 10 } else { 5 });
            grid.add(ranks_column, move |character| {
                context.line(rows::ranks(character), Role::Muted)
            });
        }
        if view
            .roster()
            .any(|character| readable_notes(character, context).is_some())
        {
            let notes_column = Column::new("Notes", (0, 48)).priority(11);
            grid.add(notes_column, move |character| {
                let notes = readable_notes(character, context).unwrap_or_default();
                context.line(notes.replace('\n', " "), Role::Muted)
            });
        }
        grid
    }

    /// Returns the columns of the fight, in which each character is a row. Otherwise the panel shows cards.
    fn panel_columns(
        context: ViewContext<'a>,
        panel: &PanelLayout,
    ) -> Option<GridColumns<'a, Self>> {
        fight::fight_columns(context, panel)
    }

    fn emphasise(&self, grid: &Grid, painter: &mut Painter<'a>, line: Rect) {
        fight::emphasise_turn(self, grid, painter, line);
    }

    fn card_key(&self, context: ViewContext<'a>) -> Option<u64> {
        let revision = context.view.revision_of(EntityKind::Character);
        let selected_value = if is_stepped(self, context) {
            Some(context.state.card_value)
        } else {
            None
        };
        let fresh_segments: Vec<u8> = context
            .view
            .clocks_of(self.id)
            .map(|clock| context.state.newly_filled(&clock))
            .collect();
        Some(FxBuildHasher.hash_one((revision, selected_value, fresh_segments)))
    }

    fn draw_card(&self, painter: &mut Painter<'a>, area: Rect) {
        card::draw_card(self, painter, area);
    }

    fn title(&self, _: ViewContext<'a>) -> (&'a str, &'a str) {
        (&self.name, &self.player)
    }

    fn draw_large(&self, painter: &mut Painter<'a>, area: Rect) {
        own_sheet::draw(self, painter, area);
    }

    /// Returns the whole sheet, or only the conditions of a character whose sheet this seat may not read.
    fn fact_groups(&self, context: ViewContext<'a>) -> Vec<FactGroup<'a>> {
        let status = status_facts(self, context);
        if self.health.is_some() {
            return vec![status];
        }

        let mut groups = vec![status];
        groups.extend(sheet_groups(self, &[], MOST_UNGROUPED, context));
        groups
    }

    /// Returns the last rolls of the character.
    fn aside(&self, context: ViewContext<'a>, max_lines: usize) -> Vec<Line<'a>> {
        luck::last_rolls(|_, id| id == Some(self.id), max_lines, context)
    }
}

/// Returns the priority of a value's column. The selected column stays, then the values that the card shows first.
fn value_priority(entry: CardEntry, is_selected: bool, spec: &SystemSpec) -> u8 {
    let is_first = spec.card.first.iter().any(|first| first.id() == entry.id());
    match entry {
        _ if is_selected => 0,
        _ if is_first => 1,
        CardEntry::Clock(_) | CardEntry::Pool(_) => 2,
        CardEntry::Stat(_) | CardEntry::Conditions => 4,
    }
}

fn value_cell<'a>(character: &Character, entry: CardEntry, context: ViewContext<'a>) -> Line<'a> {
    let Some(shown) = shown_value(character, entry, context.view) else {
        return Line::default();
    };
    let role = if character.absent {
        Role::Muted
    } else {
        shown.role
    };
    context.line(shown.text, role)
}

/// Returns the values of a character in groups, and the notes on it. `omitted` are values that are shown elsewhere, and
/// more than `most_ungrouped` stats without a group are divided.
pub(super) fn sheet_groups<'a>(
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
fn status_facts<'a>(character: &'a Character, context: ViewContext<'a>) -> FactGroup<'a> {
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

    let conditions = suffered(character, context.view)
        .into_iter()
        .map(|(text, role)| context.line(text, role));
    let conditions = join(conditions, ", ");
    if !conditions.spans.is_empty() {
        lines.push(conditions);
    }
    lines.extend(pinned_notes(Pin::Character(character.id), context));

    if character.health.is_none() {
        if let Some(standing) = context.view.standing_of(character) {
            lines.push(context.line(standing.means, Role::Danger));
        }
        for (locked, about) in context.view.locks() {
            if locked.id == character.id {
                let about = if about.is_empty() { "it" } else { about };
                let text = format!("cannot try again: {about}");
                lines.push(context.line(text, Role::Warning));
            }
        }
    }
    FactGroup::new("", lines.into_iter().map(Fact::unnamed).collect())
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
            groups.push(FactGroup::new(heading, std::mem::take(&mut facts)));
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
fn readable_notes<'a>(character: &'a Character, context: ViewContext<'a>) -> Option<&'a str> {
    context
        .view
        .notes(character)
        .filter(|notes| !notes.is_empty())
}
