//! The lines of each list, as a seat sees them: one computation for the cursor and for the view.

use crate::rules::{ClockSpec, Field, Kind, PoolSpec, Purse, System, TokenKind};
use crate::session::{
    Allegiance, Character, CharacterId, Clock, ClockId, Command, PoolId, PoolKind, TokenPool,
};
use crate::table::SeatView;

/// So many rolls are on the table.
const ROLLS: usize = 30;

/// Whether a name has what is looked for, letter case aside.
fn has(name: &str, filter: &str) -> bool {
    filter.is_empty() || name.to_lowercase().contains(&filter.to_lowercase())
}

/// Everybody, by side; a heading before each side but the party's own.
pub(super) fn party(seen: &SeatView<'_>, filter: &str, headings: bool) -> Vec<Option<CharacterId>> {
    let mut lines = Vec::new();
    for side in Allegiance::ALL {
        let of_side = seen
            .roster()
            .filter(|one| one.side == side && (has(&one.name, filter) || has(&one.player, filter)));
        let ids: Vec<_> = of_side.map(|one| Some(one.id)).collect();
        if headings && side != Allegiance::Party && !ids.is_empty() {
            lines.push(None);
        }
        lines.extend(ids);
    }
    lines
}

/// The clocks in order: the table's own, then those that the rules gave to characters.
pub(super) fn clocks(seen: &SeatView<'_>, filter: &str) -> Vec<Option<ClockId>> {
    let named =
        |clock: &Clock| has(&clock.name, filter) || has(seen.owner_name(clock.owner), filter);
    let (own, given): (Vec<&Clock>, Vec<&Clock>) = seen
        .clocks()
        .map(|one| one.clock)
        .filter(|clock| named(clock))
        .partition(|clock| clock.rule.is_none());
    let all = own.into_iter().chain(given);
    all.map(|clock| Some(clock.id)).collect()
}

/// The clocks on the table: those that the rules gave to characters stand on their cards.
pub(super) fn table_clocks(seen: &SeatView<'_>) -> Vec<Option<ClockId>> {
    let own = seen.clocks().filter(|one| one.clock.rule.is_none());
    own.map(|one| Some(one.clock.id)).collect()
}

/// The pools by owner, the table's first; a heading before each owner's.
pub(super) fn tokens(seen: &SeatView<'_>, filter: &str, headings: bool) -> Vec<Option<PoolId>> {
    let owners = std::iter::once(None).chain(seen.roster().map(|one| Some(one.id)));
    let mut lines = Vec::new();
    for owner in owners {
        let name = seen.owner_name(owner);
        let pools = seen
            .pools_held_by(owner)
            .filter(|pool| has(&pool.name, filter) || has(name, filter));
        let ids: Vec<_> = pools.map(|pool| Some(pool.id)).collect();
        if headings && !ids.is_empty() {
            lines.push(None);
        }
        lines.extend(ids);
    }
    lines
}

/// The last rolls, newest first.
pub(super) fn rolls(seen: &SeatView<'_>) -> Vec<Option<u64>> {
    seen.rolled().take(ROLLS).map(Some).collect()
}

/// A value of a character that `+` and `-` step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// A stat of the sheet.
    Stat(&'static Field),
    /// A clock that the rules give everybody.
    Clock(&'static ClockSpec),
    /// A pool that the rules give everybody.
    Pool(&'static PoolSpec),
}

impl Value {
    /// Its heading.
    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::Stat(stat) => stat.short,
            Self::Clock(clock) => clock.name,
            Self::Pool(pool) => match pool.kind {
                TokenKind::Destiny => "DP",
                TokenKind::Tokens => "Tokens",
                TokenKind::Favor => "Favor",
                TokenKind::Logos => "Logos",
                TokenKind::WatchActions => "Watch",
            },
        }
    }

    /// The change that steps it.
    pub(super) fn step(self, who: CharacterId, by: i32, seen: &SeatView<'_>) -> Option<Command> {
        match self {
            Self::Stat(stat) => Some(Command::StepStat {
                who,
                stat: stat.id.to_owned(),
                by,
            }),
            Self::Clock(spec) => rule_clock(seen, who, spec).map(|clock| Command::Tick {
                clock: clock.id,
                by,
            }),
            Self::Pool(spec) => {
                rule_pool(seen, who, spec).map(|pool| Command::Tokens { pool: pool.id, by })
            }
        }
    }
}

/// What changes in play comes first where there is little room; the rest of the sheet stays as it is.
fn is_vital(stat: &Field) -> bool {
    let changes = matches!(stat.id, "heart-now" | "hit-points" | "wounds" | "traumas");
    changes && !stat.short.is_empty()
}

/// The columns of the party, in order.
pub(super) fn values(system: System) -> Vec<Value> {
    let spec = system.spec();
    let stats = spec.stats.iter().filter(|stat| !stat.short.is_empty());
    let steps = stats.filter(|stat| !matches!(stat.kind, Kind::Text | Kind::Ranks { .. }));
    let own = spec.pools.iter().filter(|pool| pool.purse != Purse::Table);
    steps
        .map(Value::Stat)
        .chain(spec.clocks.iter().map(Value::Clock))
        .chain(own.map(Value::Pool))
        .collect()
}

/// The stats that change most in play.
pub(super) fn vitals(system: System) -> impl Iterator<Item = &'static Field> {
    system.spec().stats.iter().filter(|stat| is_vital(stat))
}

/// What `+` and `-` step on a card of the table: what changes most.
pub(super) fn vital(system: System) -> Option<Value> {
    let spec = system.spec();
    let stat = vitals(system).next().map(Value::Stat);
    let pool = spec.pools.iter().find(|pool| pool.purse != Purse::Table);
    stat.or_else(|| pool.map(Value::Pool))
}

/// The clock that a rule gave to a character.
pub(super) fn rule_clock<'a>(
    seen: &SeatView<'a>,
    who: CharacterId,
    spec: &ClockSpec,
) -> Option<&'a Clock> {
    let own = |clock: &&Clock| clock.owner == Some(who) && clock.rule.as_deref() == Some(spec.id);
    seen.clocks().map(|one| one.clock).find(own)
}

/// The pool that a rule gave to a character.
pub(super) fn rule_pool<'a>(
    seen: &SeatView<'a>,
    who: CharacterId,
    spec: &PoolSpec,
) -> Option<&'a TokenPool> {
    let mut own = seen.pools_of(Some(who));
    own.find(|pool| pool.kind == PoolKind::Rule(spec.kind))
}

/// The values of a character in lists of ranks, where the sheet has no columns of its own.
pub(super) fn ranks(character: &Character) -> String {
    let lists = character.sheet.iter().filter_map(|(stat, value)| {
        let shown = value.to_string();
        (matches!(stat.kind, Kind::Ranks { .. }) && !shown.is_empty()).then_some(shown)
    });
    lists.collect::<Vec<_>>().join(", ")
}
