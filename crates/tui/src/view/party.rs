//! The characters: cards on the table, everybody in columns on a tab, and a whole sheet beside them.

use std::hash::BuildHasher as _;

use ratatui::layout::Rect;
use ratatui::text::Line;
use rustc_hash::FxBuildHasher;

use crate::Role;
use crate::app::list::ListId;
use crate::app::rows::{self, PartyColumn};
use crate::app::update::mouse::Spot;
use crate::view::card::{
    acted, acted_before, flow, in_a_row, in_words, is_stepped, layers, marks, name, on_turn, stats,
    suffered, value,
};
use crate::view::layout::PanelLayout;
use crate::view::pinned::pinned_notes;
use crate::view::{ItemView, Painter, ViewContext, clocks, luck, tokens};
use crate::widget::{Column, GridColumns, below, columns, join, left, line_columns, right};
use tableside_game::{Allegiance, Character, EntityKind, Pin};
use tableside_table::side_name;

/// The first column of the list that holds a value.
const FIRST_VALUE: usize = 2;
/// From so many columns on, a card of one row has room for the whole sheet.
const ROOMY: u16 = 48;

impl<'a> ItemView<'a> for &'a Character {
    fn find(context: ViewContext<'a>, id: ListId) -> Option<Self> {
        context.view.game().character(id.try_as_character()?)
    }

    fn parts(&self, context: ViewContext<'a>) -> Vec<(usize, Spot)> {
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

    /// Name, player, the system's values, whether it has acted, conditions, what it can do, notes.
    fn columns(context: ViewContext<'a>, width: u16) -> GridColumns<'a, Self> {
        let system = context.view.system();
        let muted = move |words: String| context.line(words, Role::Muted);
        let mut all = GridColumns::default();
        let is_narrow = width < 60;
        let at_first = [11, 16, 30][usize::from(!is_narrow) + usize::from(width >= 110)];
        let named = Column::new("Name", (11, 48)).at_first(at_first);
        all.add(named.ends(), move |one: &Self| name(one, u16::MAX, context));
        let player = Column::new("Player", (6, 14)).priority(9);
        all.add(player, move |one| {
            context.line(one.player.as_str(), Role::Muted)
        });
        let mut has_stats = false;
        for (index, shown) in rows::values(system).into_iter().enumerate() {
            has_stats |= matches!(shown, PartyColumn::Stat(_));
            // What the cursor is on stays, then what changes most.
            let priority = match shown {
                _ if index == context.state.party_column => 0,
                PartyColumn::Stat(stat) if rows::is_vital(stat) => 1,
                PartyColumn::Clock(_) | PartyColumn::Pool(_) => 2,
                PartyColumn::Stat(_) => 4,
            };
            let column = Column::new(shown.heading(), (0, 8)).right();
            all.add(column.priority(priority), move |one| {
                value(one, shown, context).into()
            });
        }
        let acted_column = Column::fixed("Acted", 5).priority(3);
        let on_turn = on_turn(context);
        all.add(acted_column, move |one| {
            acted_before(one, on_turn, context).into()
        });
        // Where somebody suffers, they are what one has to know.
        let suffer = context
            .view
            .roster()
            .any(|one| !marks(one, context).is_empty());
        let suffered = Column::new("Conditions", (0, 40)).at_first(if is_narrow { 10 } else { 24 });
        let suffered = suffered.priority(if suffer { 0 } else { 3 });
        all.add(suffered, move |one| join(marks(one, context), " "));
        if context
            .view
            .roster()
            .any(|one| !rows::ranks(one).is_empty())
        {
            // Where the sheet has no columns of its own, it comes before all else.
            let priority = if has_stats { 10 } else { 5 };
            let can_do = Column::new("Can do", (0, 90)).at_first(12);
            all.add(can_do.priority(priority), move |one| {
                muted(rows::ranks(one))
            });
        }
        if context
            .view
            .roster()
            .any(|one| notes(one, context).is_some())
        {
            let column = Column::new("Notes", (0, 48)).priority(11);
            all.add(column, move |one| {
                muted(notes(one, context).unwrap_or_default().replace('\n', " "))
            });
        }
        all
    }

    fn panel_columns(_: ViewContext<'a>, _: &PanelLayout) -> Option<GridColumns<'a, Self>> {
        None
    }

    /// With which of its values keys step, if they step one, and what of its clocks is new.
    fn card_key(&self, context: ViewContext<'a>) -> Option<u64> {
        let revision = context.view.revision_of(EntityKind::Character);
        let place = is_stepped(self, context).then_some(context.state.card_value);
        let own = context.view.clocks_of(self.id);
        let fresh: Vec<u8> = own
            .map(|clock| context.state.newly_filled(&clock))
            .collect();
        Some(FxBuildHasher.hash_one((revision, place, fresh)))
    }

    /// The name and whose; what is low or marked; then as much of the sheet as there is room for.
    fn draw_card(&self, painter: &mut Painter<'a>, area: Rect) {
        let context = painter.context;
        let area = left(area, area.width.saturating_sub(1));
        // Whose turn it is stands whatever else is cut.
        let done = painter.draw_line_right(area, &acted(self, context).into());
        let head = left(area, area.width - done - u16::from(done > 0));
        let own = line_columns(&name(self, u16::MAX, context));
        // A name has all of the line before whose it is, and a third of it before what matters most.
        let beside = head.width.saturating_sub(own + 2);
        let (room, aside) = if area.height < 2 {
            let mut told = in_a_row(self, context);
            let first = told.len();
            let wide: u16 = told.iter().map(|part| line_columns(part) + 1).sum();
            let least = head.width.saturating_sub(own.min(head.width / 3) + 1);
            let room = if wide > beside + 1 { least } else { beside };
            if told.is_empty() && self.health.is_none() {
                // Where a sheet has nothing that changes, it tells what somebody can do.
                told.push(context.line(rows::ranks(self), Role::Muted));
            } else if area.width >= ROOMY {
                told.extend(stats(self, false, context, |stat| !rows::is_vital(stat)));
            }
            let told = flow((&told, first), (room, 1), " ").pop();
            (room, told.unwrap_or_default())
        } else {
            // In the order of turns sides mix, and nobody stands under a heading.
            let is_told = self.side != Allegiance::Party && rows::is_in_turns(context.view);
            let whose = [&*self.player, self.side.into_str()][usize::from(is_told)];
            let whose = if columns(whose) <= beside { whose } else { "" };
            (beside, context.line(whose, Role::Muted))
        };
        let taken = painter.draw_line_right(right(head, room.max(1)), &aside);
        let own = head.width.saturating_sub(taken + u16::from(taken > 0));
        painter.draw_line(left(head, own), &name(self, own, context));
        let rows = area.height - 1;
        let mut notes = pinned_notes(Pin::Character(self.id), context);
        notes.truncate((rows / 2).into());
        let rows = rows - u16::try_from(notes.len()).unwrap_or(0);
        let layers = layers(self, (area.width, rows), context);
        let lines = layers.iter().chain(&notes);
        for (line, place) in lines.zip(below(area, 1).rows()) {
            painter.draw_line(place, line);
        }
    }

    fn title(&self, _: ViewContext<'a>) -> (&'a str, &'a str) {
        (&self.name, &self.player)
    }

    /// The whole sheet; of one that this seat does not read, no more than its conditions.
    fn facts(&self, context: ViewContext<'a>) -> Vec<(&'a str, Line<'a>)> {
        let flags = [
            (true, self.side.into_str()),
            (self.hidden, "hidden from players"),
            (self.absent, "away"),
            (self.acted, "has acted"),
        ];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set);
        let flags: Vec<&str> = flags.map(|(_, words)| words).collect();
        let mut facts = vec![("", context.line(flags.join(", "), Role::Muted))];
        let suffered = suffered(self, context.view).into_iter();
        let suffered = join(
            suffered.map(|(words, role)| context.line(words, role)),
            ", ",
        );
        facts.extend((!suffered.spans.is_empty()).then_some(("", suffered)));
        let pinned = pinned_notes(Pin::Character(self.id), context);
        facts.extend(pinned.into_iter().map(|note| ("", note)));
        if self.health.is_some() {
            return facts;
        }
        let standing = context.view.standing_of(self);
        facts.extend(standing.map(|standing| ("", context.line(standing.means, Role::Danger))));
        let locks = context.view.locks().filter(|(one, _)| one.id == self.id);
        facts.extend(locks.map(|(_, about)| {
            let about = if about.is_empty() { "it" } else { about };
            let words = format!("may not try again: {about}");
            ("", context.line(words, Role::Warning))
        }));
        let gap = || ("", Line::default());
        facts.push(gap());
        let mut group = "";
        for (stat, value) in self.sheet.iter() {
            let value = in_words(value);
            if value.is_empty() {
                continue;
            }
            if stat.group != group {
                group = stat.group;
                facts.push(("", context.line(group, Role::Heading)));
            }
            facts.push((stat.label, context.line(value, Role::Text)));
        }
        facts.push(gap());
        facts.extend(context.view.pools_of(Some(self.id)).map(|pool| {
            let held = [
                tokens::pips(pool, 10, context),
                tokens::amount(pool, context),
            ];
            (pool.name.as_str(), join(held, "  "))
        }));
        facts.extend(context.view.clocks_of(self.id).map(|view| {
            let face = clocks::face(&view, context);
            let count = context.line(face.count(), Role::Text);
            (view.clock.name.as_str(), join([face.bar(12), count], "  "))
        }));
        if let Some(notes) = notes(self, context) {
            let heading = context.line("Notes", Role::Heading);
            facts.extend([gap(), ("", heading), ("", context.line(notes, Role::Text))]);
        }
        facts
    }

    /// The last rolls.
    fn aside(&self, context: ViewContext<'a>, lines: usize) -> Vec<Line<'a>> {
        luck::last_rolls(|_, id| id == Some(self.id), lines, context)
    }
}

/// The notes on a character, where this seat may read them and there are any.
fn notes<'a>(character: &'a Character, context: ViewContext<'a>) -> Option<&'a str> {
    context
        .view
        .notes(character)
        .filter(|notes| !notes.is_empty())
}
