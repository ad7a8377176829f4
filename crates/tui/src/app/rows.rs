//! The lines of each list, as a seat sees them: one computation for the cursor and for the view.

use std::collections::HashMap;

use crate::app::list::ListId;
use crate::app::state::Panel;
use tableside_game::{
    Allegiance, Character, CharacterId, Clock, ClockId, Command, PoolId, PoolKind, TokenPool,
};
use tableside_rules::{ClockSpec, Field, Kind, PoolOwner, PoolSpec, System};
use tableside_table::SeatView;
use tableside_text::fold_keeping_spaces;

/// So many rolls are on the table.
const ROLLS: usize = 30;

/// Whether a name has what is looked for, letter case aside.
fn has(name: &str, filter: &str) -> bool {
    filter.is_empty() || fold_keeping_spaces(name).contains(&fold_keeping_spaces(filter))
}

/// The lines of a panel's list: on its own tab in groups under headings, as far as the filter lets them through.
/// The party has them on the table too, unless it stands there in the order of turns.
pub(crate) fn lines(
    panel: Panel,
    filter: Option<&str>,
    view: &SeatView<'_>,
) -> Vec<Option<ListId>> {
    let is_tab = filter.is_some();
    let has_headings = is_tab || !is_in_turns(view);
    let is_let_through = |name: &str| has(name, filter.unwrap_or_default());
    let mut lines = Vec::new();
    let mut add = |has_heading: bool, group: Vec<ListId>| {
        lines.extend((has_headings && has_heading && !group.is_empty()).then_some(None));
        lines.extend(group.into_iter().map(Some));
    };
    match panel {
        // The party's own side needs no heading.
        Panel::Party => {
            for side in Allegiance::ALL {
                let of_side = view.roster().filter(|one| {
                    let is_named = is_let_through(&one.name) || is_let_through(&one.player);
                    one.side == side && is_named
                });
                let mut of_side: Vec<&Character> = of_side.collect();
                // A player's own come first, but for the order of turns.
                let own = &view.seat().characters;
                of_side.sort_by_key(|one| (one.place_in_turn(), !own.contains(&one.id)));
                let ids = of_side.into_iter().map(|one| ListId::Character(one.id));
                add(side != Allegiance::Party, ids.collect());
            }
            if !has_headings {
                let place = |id: &Option<ListId>| {
                    let one = id.and_then(ListId::try_as_character);
                    Some(view.character(one?)?.place_in_turn())
                };
                lines.sort_by_key(place);
            }
        }
        // The table's own, then those that the rules gave to characters: on the table they stand on the cards.
        Panel::Clocks => {
            for is_given in [false, true].into_iter().filter(|given| is_tab || !given) {
                let clocks = view.clocks().map(|one| one.clock).filter(|clock| {
                    let owner = view.owner_name(clock.owner);
                    let is_named = is_let_through(&clock.name) || is_let_through(owner);
                    clock.rule.is_some() == is_given && is_named
                });
                let ids = clocks.map(|clock| ListId::Clock(clock.id));
                add(is_given, ids.collect());
            }
        }
        // The table's first, then by owner. On the table those that the rules gave stand on the cards.
        Panel::Tokens => {
            let owners: HashMap<CharacterId, usize> = view
                .roster()
                .zip(0..)
                .map(|(character, place)| (character.id, place))
                .collect();
            let mut pools: Vec<(Option<usize>, ListId)> = Vec::new();
            for pool in view.pools() {
                let place = pool.owner.map(|owner| owners.get(&owner));
                let has_unknown_owner = place == Some(None);
                let is_here = is_tab || pool.owner.is_none() || pool.kind == PoolKind::Own;
                let owner_name = view.owner_name(pool.owner);
                let is_named = is_let_through(owner_name) || is_let_through(&pool.name);
                if is_here && is_named && !has_unknown_owner {
                    pools.push((place.flatten().copied(), ListId::Pool(pool.id)));
                }
            }
            pools.sort_by_key(|(place, _)| *place);
            add(false, pools.into_iter().map(|(_, id)| id).collect());
        }
        // Newest first.
        Panel::Rolls => add(false, view.rolled().take(ROLLS).map(ListId::Roll).collect()),
    }
    lines
}

/// Whether anybody has a place in the order of turns.
pub(crate) fn is_in_turns(view: &SeatView<'_>) -> bool {
    view.roster().any(|one| !one.place_in_turn().0)
}

/// How many of these lines are the table's own clocks, and how many clocks the rules gave to each owner.
pub(crate) fn clock_groups(lines: &[Option<ListId>], view: &SeatView<'_>) -> (usize, Vec<usize>) {
    let own = lines.iter().position(Option::is_none);
    let own = own.unwrap_or(lines.len());
    let given = lines.iter().skip(own + 1).flatten();
    let owners = given.map(|id| view.clock(id.try_as_clock()?)?.clock.owner);
    let owners: Vec<Option<CharacterId>> = owners.collect();
    let given = owners.chunk_by(|one, next| one == next);
    (own, given.map(<[_]>::len).collect())
}

/// A value of a character that `+` and `-` step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PartyColumn {
    /// A stat of the sheet.
    Stat(&'static Field),
    /// A clock that the rules give everybody.
    Clock(&'static ClockSpec),
    /// A pool that the rules give everybody.
    Pool(&'static PoolSpec),
}

impl PartyColumn {
    /// Its heading.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Stat(stat) => stat.short,
            Self::Clock(clock) => clock.name,
            Self::Pool(pool) => pool.short.unwrap_or(pool.name),
        }
    }

    /// The change that steps it.
    pub(crate) fn step(self, who: CharacterId, by: i32, view: &SeatView<'_>) -> Option<Command> {
        let value = match self {
            Self::Stat(stat) => CardValue::Stat(stat),
            Self::Clock(spec) => CardValue::Clock(rule_clock(view, who, spec)?.id),
            Self::Pool(spec) => CardValue::Pool(rule_pool(view, who, spec)?.id),
        };
        Some(value.step(who, by))
    }
}

/// The stats that `+` and `-` step.
pub(crate) fn stats(system: System) -> impl Iterator<Item = &'static Field> {
    let stats = system.spec().stats.iter();
    let stats = stats.filter(|stat| !stat.short.is_empty());
    stats.filter(|stat| !matches!(stat.kind, Kind::Text | Kind::Ranks { .. }))
}

/// The columns of the party, in order.
pub(crate) fn values(system: System) -> Vec<PartyColumn> {
    let spec = system.spec();
    let own = spec.pools.iter();
    let own = own.filter(|pool| pool.purse != PoolOwner::Table);
    stats(system)
        .map(PartyColumn::Stat)
        .chain(spec.clocks.iter().map(PartyColumn::Clock))
        .chain(own.map(PartyColumn::Pool))
        .collect()
}

/// Whether a stat is one of those that change most in play: they come first where there is little room.
pub(crate) fn is_vital(stat: &Field) -> bool {
    matches!(stat.id, "heart-now" | "hit-points" | "wounds" | "traumas")
}

/// What `+` and `-` step on the card of a character.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CardValue {
    /// A stat of the sheet.
    Stat(&'static Field),
    Clock(ClockId),
    Pool(PoolId),
}

impl CardValue {
    /// All of that character, in the order of the card: the sheet, its own clocks, its pools.
    pub(crate) fn all(who: CharacterId, view: &SeatView<'_>) -> Vec<Self> {
        let clocks = view.clocks_of(who).map(|one| Self::Clock(one.clock.id));
        let pools = view.pools_of(Some(who)).map(|pool| Self::Pool(pool.id));
        let stats = stats(view.system()).map(Self::Stat);
        stats.chain(clocks).chain(pools).collect()
    }

    /// The one at that place of the card, else what changes most; `None` where there is nothing to step.
    pub(crate) fn at(
        place: Option<usize>,
        who: CharacterId,
        view: &SeatView<'_>,
    ) -> Option<(usize, Self)> {
        let all = Self::all(who, view);
        let vital = stats(view.system()).find(|stat| is_vital(stat));
        let is_vital = |value: &Self| match (value, vital) {
            (Self::Stat(stat), Some(vital)) => stat.id == vital.id,
            (Self::Pool(_), None) => true,
            _ => false,
        };
        let usual = all.iter().position(is_vital).unwrap_or(0);
        let at = place.unwrap_or(usual).min(all.len().checked_sub(1)?);
        Some((at, *all.get(at)?))
    }

    /// What it is called, and how it stands.
    pub(crate) fn words(self, who: CharacterId, view: &SeatView<'_>) -> Option<String> {
        Some(match self {
            Self::Stat(stat) => {
                let one = view.character(who)?;
                let value = one.sheet.value(stat.id).filter(|_| one.health.is_none());
                let value = value.map_or_else(String::new, ToString::to_string);
                format!("{} {value}", stat.label)
            }
            Self::Clock(id) => {
                let clock = view.clock(id)?.clock;
                format!("{} {}/{}", clock.name, clock.filled, clock.segments.count())
            }
            Self::Pool(id) => {
                let pool = view.pool(id)?;
                format!("{} {}", pool.name, pool.tokens)
            }
        })
    }

    /// The change that steps it.
    pub(crate) fn step(self, who: CharacterId, by: i32) -> Command {
        match self {
            Self::Stat(stat) => Command::StepStat {
                who,
                stat: stat.id.to_owned(),
                by,
            },
            Self::Clock(clock) => Command::Tick { clock, by },
            Self::Pool(pool) => Command::Tokens { pool, by },
        }
    }
}

/// The clock that a rule gave to a character.
pub(crate) fn rule_clock<'a>(
    view: &SeatView<'a>,
    who: CharacterId,
    spec: &ClockSpec,
) -> Option<&'a Clock> {
    let mut own = view.clocks_of(who).map(|one| one.clock);
    own.find(|clock| clock.rule == Some(spec.id))
}

/// The pool that a rule gave to a character.
pub(crate) fn rule_pool<'a>(
    view: &SeatView<'a>,
    who: CharacterId,
    spec: &PoolSpec,
) -> Option<&'a TokenPool> {
    let mut own = view.pools_of(Some(who));
    own.find(|pool| pool.kind == PoolKind::Rule(spec.id))
}

/// The values of a character in lists of ranks, where the sheet has no columns of its own.
pub(crate) fn ranks(character: &Character) -> String {
    let sheet = character.sheet.iter();
    let sheet = sheet.filter(|_| character.health.is_none());
    let lists = sheet.filter_map(|(stat, value)| {
        let shown = value.to_string();
        (matches!(stat.kind, Kind::Ranks { .. }) && !shown.is_empty()).then_some(shown)
    });
    lists.collect::<Vec<_>>().join(", ")
}
