//! The characters: as cards on the table, and as a list with sheets on the Party tab.

mod sheet;

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
    self, acted_before, column_width, in_words, is_stepped, name, on_turn, shown_value, state_parts,
};
use crate::view::layout::PanelLayout;
use crate::view::sheets::FactGroup;
use crate::view::{ItemView, Painter, ViewContext, fight, luck, own_sheet};
use crate::widget::{Column, Grid, GridColumns, join};
use sheet::{readable_notes, status_facts};
use tableside_game::{Character, EntityKind};
use tableside_rules::{CardEntry, Kind, SystemSpec};
use tableside_table::side_name;

pub(super) use sheet::sheet_groups;

/// The maximum number of stats without a group that stay together on a sheet.
const MOST_UNGROUPED: usize = 7;
/// The first column of the list that holds a value.
const FIRST_VALUE: usize = 2;

impl<'a> ItemView<'a> for &'a Character {
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self> {
        context.view.game().character(id.try_as_character()?)
    }

    fn pressable_columns(&self, context: ViewContext<'a>) -> Vec<(usize, Spot)> {
        // The list of combatants has other columns than the Party tab.
        if context.state.tab == Tab::Table {
            return Vec::new();
        }
        let value_count = rows::values(context.view.system()).len();
        let mut columns = Vec::new();
        for index in 0..value_count {
            let spot = Spot::Value(self.id, index);
            columns.push((FIRST_VALUE + index, spot));
        }
        columns
    }

    fn heading(&self, _: ViewContext<'a>) -> &'a str {
        side_name(self.side)
    }

    fn cursor_column(context: ViewContext<'a>) -> Option<usize> {
        if rows::values(context.view.system()).is_empty() {
            return None;
        }
        Some(FIRST_VALUE + context.state.party_column)
    }

    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self> {
        let mut columns = GridColumns::default();
        add_name_columns(&mut columns, width, context);
        add_value_columns(&mut columns, context);
        add_state_columns(&mut columns, width, context);
        add_text_columns(&mut columns, context);
        columns
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

/// Adds the names of the characters and of their players.
fn add_name_columns<'a>(
    columns: &mut GridColumns<'a, &'a Character>,
    width: u16,
    context: ViewContext<'a>,
) {
    let name_width = match width {
        ..60 => 11,
        60..110 => 16,
        110.. => 30,
    };
    let name_column = Column::new("Name", (11, 48)).at_first(name_width).ends();
    columns.add(name_column, move |character| {
        name(character, u16::MAX, context)
    });

    let player_column = Column::new("Player", (6, 14)).priority(9);
    columns.add(player_column, move |character| {
        context.line(character.player.as_str(), Role::Muted)
    });
}

/// Adds a column for each value that keys can change.
fn add_value_columns<'a>(columns: &mut GridColumns<'a, &'a Character>, context: ViewContext<'a>) {
    let system = context.view.system();
    let spec = system.spec();
    for (index, entry) in rows::values(system).into_iter().enumerate() {
        let is_selected = index == context.state.party_column;
        let priority = value_priority(entry, is_selected, spec);
        let width = column_width(entry, spec);
        if !is_selected && is_unused(entry, context) {
            // An empty column is dropped before all others.
            let empty_column = Column::new(entry.short(), (width, width)).priority(priority);
            columns.add(empty_column, |_| Line::default());
            continue;
        }
        let value_column = Column::constant(entry.short(), width)
            .right()
            .priority(priority);
        columns.add(value_column, move |character| {
            value_cell(character, entry, context)
        });
    }
}

/// Returns true for an optional pool without a token on any character, such as spell slots in a party without magic.
fn is_unused(entry: CardEntry, context: ViewContext<'_>) -> bool {
    let CardEntry::Pool(spec) = entry else {
        return false;
    };
    let view = context.view;
    let has_tokens = |character: &Character| {
        let pool = rows::rule_pool(view, character.id, spec);
        pool.is_some_and(|pool| view.tokens_in(pool) != 0)
    };
    spec.is_optional && !view.roster().any(has_tokens)
}

/// Adds the turns and the conditions.
fn add_state_columns<'a>(
    columns: &mut GridColumns<'a, &'a Character>,
    width: u16,
    context: ViewContext<'a>,
) {
    let on_turn = on_turn(context);
    let acted_column = Column::new("Acted", (5, 5)).priority(3);
    columns.add(acted_column, move |character| {
        acted_before(character, on_turn, context).into()
    });

    // Conditions are never dropped while a character has one.
    let mut roster = context.view.roster();
    let has_conditions = roster.any(|character| !state_parts(character, context).is_empty());
    let priority = if has_conditions { 0 } else { 3 };
    let first_width = if width < 60 { 10 } else { 24 };
    let conditions_column = Column::new("Conditions", (0, 40))
        .parts()
        .at_first(first_width)
        .priority(priority);
    columns.add(conditions_column, move |character| {
        join(state_parts(character, context), " ")
    });
}

/// Adds the ranks and the notes, if any character has them.
fn add_text_columns<'a>(columns: &mut GridColumns<'a, &'a Character>, context: ViewContext<'a>) {
    let view = context.view;

    let has_ranks = view
        .roster()
        .any(|character| !rows::ranks(character).is_empty());
    if has_ranks {
        let has_stats = rows::values(view.system())
            .iter()
            .any(|value| matches!(value, CardEntry::Stat(_)));
        // Without stats, the ranks are the most important part of a sheet.
        let priority = if has_stats { 10 } else { 5 };
        let ranks_column = Column::new(ranks_title(view.system().spec()), (0, 90))
            .at_first(12)
            .priority(priority);
        columns.add(ranks_column, move |character| {
            context.line(rows::ranks(character), Role::Muted)
        });
    }

    let has_notes = view
        .roster()
        .any(|character| readable_notes(character, context).is_some());
    if has_notes {
        let notes_column = Column::new("Notes", (0, 48)).at_first(16).priority(11);
        columns.add(notes_column, move |character| {
            let notes = readable_notes(character, context).unwrap_or_default();
            context.line(notes.replace('\n', " "), Role::Muted)
        });
    }
}

/// Returns the name of the first list of the sheet, such as `Skills`.
fn ranks_title(spec: &SystemSpec) -> &'static str {
    let mut stats = spec.stats.iter();
    let ranks = stats.find(|stat| matches!(stat.kind, Kind::Ranks { .. }));
    ranks.map_or("", |stat| stat.label)
}

/// Returns the priority of a value's column. The selected column stays, then the values that the card shows first.
fn value_priority(entry: CardEntry, is_selected: bool, spec: &SystemSpec) -> u8 {
    match entry {
        _ if is_selected => 0,
        _ if spec.card.puts_first(entry) => 1,
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
    // The counts of death saves have columns of their own here.
    match entry {
        CardEntry::Stat(stat) if shown.is_nameless => {
            let value = character.sheet.value(stat.id).map(in_words);
            context.line(value.unwrap_or_default(), Role::Muted)
        }
        _ => context.line(shown.text, role),
    }
}
