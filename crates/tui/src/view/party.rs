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
use crate::view::{ItemView, Painter, Source, clocks, luck, tokens};
use crate::widget::{Column, GridColumns, below, columns, join, left, line_columns, right};
use tableside_game::{Allegiance, Character, EntityKind, Pin};
use tableside_table::side_name;

/// The first column of the list that holds a value.
const FIRST_VALUE: usize = 2;
/// From so many columns on, a card of one row has room for the whole sheet.
const ROOMY: u16 = 48;

impl<'a> ItemView<'a> for &'a Character {
    fn find(from: Source<'a>, id: ListId) -> Option<Self> {
        from.view.game().character(id.try_as_character()?)
    }

    fn parts(&self, from: Source<'a>) -> Vec<(usize, Spot)> {
        let values = 0..rows::values(from.view.system()).len();
        let spots = values.map(|value| (FIRST_VALUE + value, Spot::Value(self.id, value)));
        spots.collect()
    }

    fn heading(&self, _: Source<'a>) -> &'a str {
        side_name(self.side)
    }

    fn cursor(from: Source<'a>) -> Option<usize> {
        let has_values = !rows::values(from.view.system()).is_empty();
        has_values.then_some(FIRST_VALUE + from.state.party_column)
    }

    /// Name, player, the system's values, whether it has acted, conditions, what it can do, notes.
    fn columns(from: Source<'a>, width: u16) -> GridColumns<'a, Self> {
        let system = from.view.system();
        let muted = move |words: String| from.say(words, Role::Muted);
        let mut all = GridColumns::default();
        let is_narrow = width < 60;
        let at_first = [11, 16, 30][usize::from(!is_narrow) + usize::from(width >= 110)];
        let named = Column::new("Name", (11, 48)).at_first(at_first);
        all.add(named.ends(), move |one: &Self| name(one, u16::MAX, from));
        let player = Column::new("Player", (6, 14)).priority(9);
        all.add(player, move |one| {
            from.say(one.player.as_str(), Role::Muted)
        });
        let mut has_stats = false;
        for (index, shown) in rows::values(system).into_iter().enumerate() {
            has_stats |= matches!(shown, PartyColumn::Stat(_));
            // What the cursor is on stays, then what changes most.
            let priority = match shown {
                _ if index == from.state.party_column => 0,
                PartyColumn::Stat(stat) if rows::is_vital(stat) => 1,
                PartyColumn::Clock(_) | PartyColumn::Pool(_) => 2,
                PartyColumn::Stat(_) => 4,
            };
            let column = Column::new(shown.heading(), (0, 8)).right();
            all.add(column.priority(priority), move |one| {
                value(one, shown, from).into()
            });
        }
        let acted_column = Column::fixed("Acted", 5).priority(3);
        let on_turn = on_turn(from);
        all.add(acted_column, move |one| {
            acted_before(one, on_turn, from).into()
        });
        // Where somebody suffers, they are what one has to know.
        let suffer = from.view.roster().any(|one| !marks(one, from).is_empty());
        let suffered = Column::new("Conditions", (0, 40)).at_first(if is_narrow { 10 } else { 24 });
        let suffered = suffered.priority(if suffer { 0 } else { 3 });
        all.add(suffered, move |one| join(marks(one, from), " "));
        if from.view.roster().any(|one| !rows::ranks(one).is_empty()) {
            // Where the sheet has no columns of its own, it comes before all else.
            let priority = if has_stats { 10 } else { 5 };
            let can_do = Column::new("Can do", (0, 90)).at_first(12);
            all.add(can_do.priority(priority), move |one| {
                muted(rows::ranks(one))
            });
        }
        if from.view.roster().any(|one| notes(one, from).is_some()) {
            let column = Column::new("Notes", (0, 48)).priority(11);
            all.add(column, move |one| {
                muted(notes(one, from).unwrap_or_default().replace('\n', " "))
            });
        }
        all
    }

    fn in_a_line(_: Source<'a>, _: &PanelLayout) -> Option<GridColumns<'a, Self>> {
        None
    }

    /// With which of its values keys step, if they step one, and what of its clocks is new.
    fn card_from(&self, from: Source<'a>) -> Option<u64> {
        let revision = from.view.revision_of(EntityKind::Character);
        let place = is_stepped(self, from).then_some(from.state.card_value);
        let own = from.view.clocks_of(self.id);
        let fresh: Vec<u8> = own.map(|clock| from.state.newly_filled(&clock)).collect();
        Some(FxBuildHasher.hash_one((revision, place, fresh)))
    }

    /// The name and whose; what is low or marked; then as much of the sheet as there is room for.
    fn card(&self, paint: &mut Painter<'a>, area: Rect) {
        let from = paint.from;
        let area = left(area, area.width.saturating_sub(1));
        // Whose turn it is stands whatever else is cut.
        let done = paint.line_right(area, &acted(self, from).into());
        let head = left(area, area.width - done - u16::from(done > 0));
        let own = line_columns(&name(self, u16::MAX, from));
        // A name has all of the line before whose it is, and a third of it before what matters most.
        let beside = head.width.saturating_sub(own + 2);
        let (room, aside) = if area.height < 2 {
            let mut told = in_a_row(self, from);
            let first = told.len();
            let wide: u16 = told.iter().map(|part| line_columns(part) + 1).sum();
            let least = head.width.saturating_sub(own.min(head.width / 3) + 1);
            let room = if wide > beside + 1 { least } else { beside };
            if told.is_empty() && self.health.is_none() {
                // Where a sheet has nothing that changes, it tells what somebody can do.
                told.push(from.say(rows::ranks(self), Role::Muted));
            } else if area.width >= ROOMY {
                told.extend(stats(self, false, from, |stat| !rows::is_vital(stat)));
            }
            let told = flow((&told, first), (room, 1), " ").pop();
            (room, told.unwrap_or_default())
        } else {
            // In the order of turns sides mix, and nobody stands under a heading.
            let is_told = self.side != Allegiance::Party && rows::is_in_turns(from.view);
            let whose = [&*self.player, self.side.into_str()][usize::from(is_told)];
            let whose = if columns(whose) <= beside { whose } else { "" };
            (beside, from.say(whose, Role::Muted))
        };
        let taken = paint.line_right(right(head, room.max(1)), &aside);
        let own = head.width.saturating_sub(taken + u16::from(taken > 0));
        paint.line(left(head, own), &name(self, own, from));
        let rows = area.height - 1;
        let mut notes = pinned_notes(Pin::Character(self.id), from);
        notes.truncate((rows / 2).into());
        let rows = rows - u16::try_from(notes.len()).unwrap_or(0);
        let layers = layers(self, (area.width, rows), from);
        let lines = layers.iter().chain(&notes);
        for (line, place) in lines.zip(below(area, 1).rows()) {
            paint.line(place, line);
        }
    }

    fn title(&self, _: Source<'a>) -> (&'a str, &'a str) {
        (&self.name, &self.player)
    }

    /// The whole sheet; of one that this seat does not read, no more than its conditions.
    fn facts(&self, from: Source<'a>) -> Vec<(&'a str, Line<'a>)> {
        let flags = [
            (true, self.side.into_str()),
            (self.hidden, "hidden from players"),
            (self.absent, "away"),
            (self.acted, "has acted"),
        ];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set);
        let flags: Vec<&str> = flags.map(|(_, words)| words).collect();
        let mut facts = vec![("", from.say(flags.join(", "), Role::Muted))];
        let suffered = suffered(self, from.view).into_iter();
        let suffered = join(suffered.map(|(words, role)| from.say(words, role)), ", ");
        facts.extend((!suffered.spans.is_empty()).then_some(("", suffered)));
        let pinned = pinned_notes(Pin::Character(self.id), from);
        facts.extend(pinned.into_iter().map(|note| ("", note)));
        if self.health.is_some() {
            return facts;
        }
        let standing = from.view.standing_of(self);
        facts.extend(standing.map(|standing| ("", from.say(standing.means, Role::Danger))));
        let locks = from.view.locks().filter(|(one, _)| one.id == self.id);
        facts.extend(locks.map(|(_, about)| {
            let about = if about.is_empty() { "it" } else { about };
            let words = format!("may not try again: {about}");
            ("", from.say(words, Role::Warning))
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
                facts.push(("", from.say(group, Role::Heading)));
            }
            facts.push((stat.label, from.say(value, Role::Text)));
        }
        facts.push(gap());
        facts.extend(from.view.pools_of(Some(self.id)).map(|pool| {
            let held = [tokens::pips(pool, 10, from), tokens::amount(pool, from)];
            (pool.name.as_str(), join(held, "  "))
        }));
        facts.extend(from.view.clocks_of(self.id).map(|view| {
            let face = clocks::face(&view, from);
            let count = from.say(face.count(), Role::Text);
            (view.clock.name.as_str(), join([face.bar(12), count], "  "))
        }));
        if let Some(notes) = notes(self, from) {
            let heading = from.say("Notes", Role::Heading);
            facts.extend([gap(), ("", heading), ("", from.say(notes, Role::Text))]);
        }
        facts
    }

    /// The last rolls.
    fn beside(&self, from: Source<'a>, lines: usize) -> Vec<Line<'a>> {
        luck::last_rolls(|_, id| id == Some(self.id), lines, from)
    }
}

/// The notes on a character, where this seat may read them and there are any.
fn notes<'a>(character: &'a Character, from: Source<'a>) -> Option<&'a str> {
    from.view.notes(character).filter(|notes| !notes.is_empty())
}
