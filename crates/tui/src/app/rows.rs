//! The lines of each list, and the values of a character that keys step.
//!
//! The cursor and the view use the same lines. They contain only what the seat may see.

use std::collections::HashMap;

use crate::app::list::ListId;
use crate::app::state::Panel;
use crate::view::layout::OwnedClocks;
use crate::widget::columns;
use tableside_game::{
    Allegiance, Character, CharacterId, ClockId, Command, PoolId, PoolKind, TokenPool,
};
use tableside_rules::{CardEntry, ClockSpec, Field, Kind, PoolOwner, PoolSpec, System};
use tableside_table::{ClockView, SeatView};
use tableside_text::fold_keeping_spaces;

/// The maximum number of rolls in the list on the table.
const ROLLS: usize = 30;

/// The lines of a panel. A line without an id is a heading.
type Lines = Vec<Option<ListId>>;

/// Returns the lines of a panel's list.
///
/// `filter` is the filter of the panel's own tab. It is `None` on the table, which leaves out lines that its cards
/// show.
pub(crate) fn lines(panel: Panel, filter: Option<&str>, view: &SeatView<'_>) -> Lines {
    match panel {
        Panel::Party => party_lines(filter, view),
        Panel::Clocks => clock_lines(filter, view),
        Panel::Tokens => pool_lines(filter, view),
        Panel::Rolls => view
            .rolled()
            .take(ROLLS)
            .map(|number| Some(ListId::Roll(number)))
            .collect(),
    }
}

/// Lists the characters by side, under headings. During a fight the table lists all of them in the order of turns
/// instead.
fn party_lines(filter: Option<&str>, view: &SeatView<'_>) -> Lines {
    let is_on_table = filter.is_none();
    let is_one_list = is_on_table && is_in_turns(view);
    let own_characters = &view.seat().characters;

    let mut sorted = Vec::new();
    for side in Allegiance::ALL {
        let mut characters: Vec<&Character> = view
            .roster()
            .filter(|character| character.side == side && is_character_named(character, filter))
            .collect();
        characters.sort_by_key(|character| {
            let is_of_others = !own_characters.contains(&character.id);
            (character.place_in_turn(), is_of_others)
        });
        sorted.push((side, characters));
    }

    let mut lines = Vec::new();
    if is_one_list {
        let mut characters: Vec<&Character> = sorted
            .into_iter()
            .flat_map(|(_, characters)| characters)
            .collect();
        characters.sort_by_key(|character| character.place_in_turn());
        add_lines(&mut lines, character_ids(&characters));
        return lines;
    }

    for (side, characters) in sorted {
        // The party's own side needs no heading.
        if side != Allegiance::Party && !characters.is_empty() {
            lines.push(None);
        }
        add_lines(&mut lines, character_ids(&characters));
    }
    lines
}

fn character_ids(characters: &[&Character]) -> impl Iterator<Item = ListId> {
    characters
        .iter()
        .map(|character| ListId::Character(character.id))
}

/// Lists the clocks that players made, and then the clocks that the rules give to characters. On the table, the cards
/// of the characters show the clocks from the rules, so the list leaves them out.
fn clock_lines(filter: Option<&str>, view: &SeatView<'_>) -> Lines {
    let is_on_table = filter.is_none();
    let mut lines = Vec::new();

    for is_from_rules in [false, true] {
        if is_from_rules && is_on_table {
            continue;
        }

        let ids: Vec<ListId> = view
            .clocks()
            .map(|clock_view| clock_view.clock)
            .filter(|clock| clock.rule.is_some() == is_from_rules)
            .filter(|clock| {
                let owner = view.owner_name(clock.owner);
                matches_filter(&clock.name, filter) || matches_filter(owner, filter)
            })
            .map(|clock| ListId::Clock(clock.id))
            .collect();
        if is_from_rules && !ids.is_empty() {
            lines.push(None);
        }
        add_lines(&mut lines, ids);
    }
    lines
}

/// Lists the pools of the table, and then the pools of each character. On the table, the cards of the characters show
/// the pools from the rules, so the list leaves them out.
fn pool_lines(filter: Option<&str>, view: &SeatView<'_>) -> Lines {
    let is_on_table = filter.is_none();
    let places: HashMap<CharacterId, usize> = view
        .roster()
        .zip(0..)
        .map(|(character, place)| (character.id, place))
        .collect();

    let mut pools = Vec::new();
    for pool in view.pools() {
        let place = match pool.owner {
            None => None,
            Some(owner) => match places.get(&owner) {
                Some(place) => Some(*place),
                None => continue,
            },
        };
        let is_on_card = pool.owner.is_some() && pool.kind != PoolKind::Own;
        let is_listed = !is_on_table || !is_on_card;
        let is_named = matches_filter(view.owner_name(pool.owner), filter)
            || matches_filter(&pool.name, filter);
        if is_listed && is_named {
            pools.push((place, ListId::Pool(pool.id)));
        }
    }
    pools.sort_by_key(|(place, _)| *place);

    let mut lines = Vec::new();
    add_lines(&mut lines, pools.into_iter().map(|(_, id)| id));
    lines
}

fn add_lines(lines: &mut Lines, ids: impl IntoIterator<Item = ListId>) {
    lines.extend(ids.into_iter().map(Some));
}

/// True if the filter is a part of the name of the character or of the player.
fn is_character_named(character: &Character, filter: Option<&str>) -> bool {
    matches_filter(&character.name, filter) || matches_filter(&character.player, filter)
}

/// True if the filter is a part of the name, letter case aside. Without a filter every name matches.
fn matches_filter(name: &str, filter: Option<&str>) -> bool {
    match filter {
        None | Some("") => true,
        Some(filter) => fold_keeping_spaces(name).contains(&fold_keeping_spaces(filter)),
    }
}

/// True if any character has a place in the order of turns.
pub(crate) fn is_in_turns(view: &SeatView<'_>) -> bool {
    view.has_turn_order()
}

/// Counts the clocks that players made, and the clocks that the rules give to each owner.
pub(crate) fn clock_groups(lines: &[Option<ListId>], view: &SeatView<'_>) -> (usize, OwnedClocks) {
    let heading = lines.iter().position(Option::is_none);
    let own_count = heading.unwrap_or(lines.len());

    let owners: Vec<Option<CharacterId>> = lines
        .iter()
        .skip(own_count + 1)
        .flatten()
        .map(|id| view.clock(id.try_as_clock()?)?.clock.owner)
        .collect();
    let names = owners
        .iter()
        .flatten()
        .map(|owner| columns(view.owner_name(Some(*owner))));
    let owned = OwnedClocks {
        counts: owners
            .chunk_by(|owner, next_owner| owner == next_owner)
            .map(<[_]>::len)
            .collect(),
        longest_owner: names.max().unwrap_or(0),
    };
    (own_count, owned)
}

/// Returns the command that changes a value of a character. `None` if the character lacks the clock or the pool.
pub(crate) fn step_value(
    entry: CardEntry,
    character: CharacterId,
    by: i32,
    view: &SeatView<'_>,
) -> Option<Command> {
    let value = CardValue::of(entry, character, view)?;
    Some(value.step(character, by))
}

/// Returns the values that keys step, which are the columns of the party tab: first the values on the card, in its
/// order, and then all others.
pub(crate) fn values(system: System) -> Vec<CardEntry> {
    let spec = system.spec();
    let card = spec.card.first.iter().chain(spec.card.then).copied();
    let own_pools = spec
        .pools
        .iter()
        .filter(|pool| pool.purse != PoolOwner::Table);
    let all = spec
        .stats
        .iter()
        .map(CardEntry::Stat)
        .chain(spec.clocks.iter().map(CardEntry::Clock))
        .chain(own_pools.map(CardEntry::Pool));

    let mut values: Vec<CardEntry> = Vec::new();
    for entry in card.chain(all) {
        let is_known = values.iter().any(|value| value.id() == entry.id());
        if !is_known && is_stepped_by_keys(entry) {
            values.push(entry);
        }
    }
    values
}

fn is_stepped_by_keys(entry: CardEntry) -> bool {
    match entry {
        CardEntry::Stat(stat) => {
            let is_text = matches!(stat.kind, Kind::Text | Kind::Ranks { .. });
            !stat.short.is_empty() && !is_text
        }
        CardEntry::Pool(_) | CardEntry::Clock(_) => true,
        CardEntry::Conditions => false,
    }
}

/// A value on the card of a character that keys step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CardValue {
    /// A stat of the sheet.
    Stat(&'static Field),
    Clock(ClockId),
    Pool(PoolId),
}

impl CardValue {
    /// Returns the value of a character that an entry of the card shows.
    fn of(entry: CardEntry, character: CharacterId, view: &SeatView<'_>) -> Option<Self> {
        match entry {
            CardEntry::Stat(stat) => Some(Self::Stat(stat)),
            CardEntry::Clock(spec) => {
                let clock = rule_clock(view, character, spec)?;
                Some(Self::Clock(clock.clock.id))
            }
            CardEntry::Pool(spec) => {
                let pool = rule_pool(view, character, spec)?;
                Some(Self::Pool(pool.id))
            }
            CardEntry::Conditions => None,
        }
    }

    /// Returns true if an entry of the card shows this value.
    pub(crate) fn shows(self, entry: CardEntry, view: &SeatView<'_>) -> bool {
        match (self, entry) {
            (Self::Stat(stat), CardEntry::Stat(shown)) => stat.id == shown.id,
            (Self::Clock(id), CardEntry::Clock(spec)) => match view.clock(id) {
                Some(clock_view) => clock_view.clock.rule == Some(spec.id),
                None => false,
            },
            (Self::Pool(id), CardEntry::Pool(spec)) => match view.pool(id) {
                Some(pool) => pool.kind == PoolKind::Rule(spec.id),
                None => false,
            },
            _ => false,
        }
    }

    /// Returns all values of a character: the values on the card, in its order, and then the clocks and pools that
    /// players made for the character.
    pub(crate) fn all(character: CharacterId, view: &SeatView<'_>) -> Vec<Self> {
        let mut all = Vec::new();
        for entry in values(view.system()) {
            all.extend(Self::of(entry, character, view));
        }
        for clock_view in view.clocks_of(character) {
            if clock_view.clock.rule.is_none() {
                all.push(Self::Clock(clock_view.clock.id));
            }
        }
        for pool in view.pools_of(Some(character)) {
            if pool.kind == PoolKind::Own {
                all.push(Self::Pool(pool.id));
            }
        }
        all
    }

    /// Returns the value at an index among the values of a character, with its index: the first value if there is no
    /// index, and the last value if the index is too large.
    pub(crate) fn at(
        place: Option<usize>,
        character: CharacterId,
        view: &SeatView<'_>,
    ) -> Option<(usize, Self)> {
        let values = Self::all(character, view);
        let last = values.len().checked_sub(1)?;

        let place = place.unwrap_or(0).min(last);
        Some((place, *values.get(place)?))
    }

    /// Describes the value in words, such as `The alarm 3/6`.
    pub(crate) fn words(self, character: CharacterId, view: &SeatView<'_>) -> Option<String> {
        match self {
            Self::Stat(stat) => {
                let character = view.character(character)?;
                let number = match (character.health, character.sheet.value(stat.id)) {
                    (None, Some(value)) => value.to_string(),
                    _ => String::new(),
                };
                Some(format!("{} {number}", stat.label))
            }
            Self::Clock(id) => {
                let clock = view.clock(id)?.clock;
                let segments = clock.segments.count();
                Some(format!("{} {}/{segments}", clock.name, clock.filled))
            }
            Self::Pool(id) => {
                let pool = view.pool(id)?;
                Some(format!("{} {}", pool.name, pool.tokens))
            }
        }
    }

    /// Returns the command that changes the value.
    pub(crate) fn step(self, character: CharacterId, by: i32) -> Command {
        match self {
            Self::Stat(stat) => Command::StepStat {
                who: character,
                stat: stat.id.to_owned(),
                by,
            },
            Self::Clock(clock) => Command::Tick { clock, by },
            Self::Pool(pool) => Command::Tokens { pool, by },
        }
    }
}

/// Returns the clock that a rule gives to a character.
pub(crate) fn rule_clock<'a>(
    view: &SeatView<'a>,
    character: CharacterId,
    spec: &ClockSpec,
) -> Option<ClockView<'a>> {
    view.clocks_of(character)
        .find(|clock_view| clock_view.clock.rule == Some(spec.id))
}

/// Returns the pool that a rule gives to a character.
pub(crate) fn rule_pool<'a>(
    view: &SeatView<'a>,
    character: CharacterId,
    spec: &PoolSpec,
) -> Option<&'a TokenPool> {
    view.pools_of(Some(character))
        .find(|pool| pool.kind == PoolKind::Rule(spec.id))
}

/// The ranked lists of a character, such as skills, in one line. Empty if the seat may not read the sheet.
pub(crate) fn ranks(character: &Character) -> String {
    if character.health.is_some() {
        return String::new();
    }

    let lists: Vec<String> = character
        .sheet
        .iter()
        .filter(|(stat, _)| matches!(stat.kind, Kind::Ranks { .. }))
        .map(|(_, value)| value.to_string())
        .filter(|list| !list.is_empty())
        .collect();
    lists.join(", ")
}
