//! Compiles `[card]`: the values on the card of a character.

use crate::permanent::keep_list;
use crate::system_file::read::{TomlTable, TomlValue};
use crate::{CardEntry, CardOrder, CardSpec, ClockSpec, Field, Kind, PoolOwner, PoolSpec, Zeros};

/// The word for the conditions in a list of values.
const CONDITIONS: &str = "conditions";

/// The stats that a card without `[card]` shows first. They change most in play.
const USUALLY_FIRST: [&str; 4] = ["heart-now", "hit-points", "wounds", "traumas"];

/// The declared values that a card can show.
#[derive(Clone, Copy)]
pub(super) struct CardValues {
    pub(super) stats: &'static [Field],
    pub(super) pools: &'static [PoolSpec],
    pub(super) clocks: &'static [ClockSpec],
}

/// Compiles `[card]`. Without it, the card shows every value that has an abbreviation.
pub(super) fn card(file: &TomlTable<'_>, values: CardValues) -> CardSpec {
    let Some(table) = file.table("card") else {
        return values.default_card();
    };

    let mut seen = Vec::new();
    let mut first = values.entries(&table, "first", &mut seen);
    let then = values.entries(&table, "then", &mut seen);
    if first.is_empty() && then.is_empty() {
        table.report_missing("[card] needs first or then");
    }

    // Every card shows that a character is down.
    if !seen.contains(&CONDITIONS) {
        first.push(CardEntry::Conditions);
    }

    CardSpec {
        first: keep_list(first),
        then: keep_list(then),
        order: table.variant("order").unwrap_or_default(),
        zeros: table.variant("zeros").unwrap_or_default(),
    }
}

impl CardValues {
    /// Compiles the entries of a list, and adds their ids to `seen`.
    fn entries(
        self,
        table: &TomlTable<'_>,
        key: &'static str,
        seen: &mut Vec<&'static str>,
    ) -> Vec<CardEntry> {
        let mut entries = Vec::new();
        for value in table.list(key) {
            let Some(entry) = self.entry(value) else {
                continue;
            };
            if seen.contains(&entry.id()) {
                value.fault(format!("{} is on the card twice", entry.id()));
                continue;
            }
            seen.push(entry.id());
            entries.push(entry);
        }
        entries
    }

    fn entry(self, value: TomlValue<'_>) -> Option<CardEntry> {
        let id = value.name_among("unknown value of a character", &self.ids())?;
        if id == CONDITIONS {
            return Some(CardEntry::Conditions);
        }

        if let Some(stat) = self.stats.iter().find(|stat| stat.id == id) {
            if let Some(owner) = self.stats.iter().find(|owner| owner.most == Some(id)) {
                let owner = owner.id;
                value.fault(format!(
                    "{id} is the maximum of {owner} and is shown with it; list {owner}"
                ));
            }
            return Some(CardEntry::Stat(stat));
        }

        if let Some(pool) = self.pools.iter().find(|pool| pool.id.as_str() == id) {
            if pool.purse == PoolOwner::Table {
                value.fault(format!(
                    "the pool {id} belongs to the table, so no card shows it"
                ));
            }
            return Some(CardEntry::Pool(pool));
        }

        let mut clocks = self.clocks.iter();
        let clock = clocks.find(|clock| clock.id.as_str() == id)?;
        Some(CardEntry::Clock(clock))
    }

    fn ids(self) -> Vec<&'static str> {
        let mut ids = vec![CONDITIONS];
        ids.extend(self.stats.iter().map(|stat| stat.id));
        ids.extend(self.pools.iter().map(|pool| pool.id.as_str()));
        ids.extend(self.clocks.iter().map(|clock| clock.id.as_str()));
        ids
    }

    /// The card of a file without `[card]`.
    fn default_card(self) -> CardSpec {
        let mut first = Vec::new();
        let mut other_stats = Vec::new();
        for stat in self.stats {
            let is_list = matches!(stat.kind, Kind::Ranks { .. });
            let is_abbreviated = !stat.short.is_empty() && stat.kind != Kind::Text;
            if !is_list && !is_abbreviated {
                continue;
            }
            let entry = CardEntry::Stat(stat);
            if USUALLY_FIRST.contains(&stat.id) {
                first.push(entry);
            } else {
                other_stats.push(entry);
            }
        }
        first.push(CardEntry::Conditions);

        let own_pools = self
            .pools
            .iter()
            .filter(|pool| pool.purse != PoolOwner::Table);
        let mut then: Vec<CardEntry> = self.clocks.iter().map(CardEntry::Clock).collect();
        then.extend(own_pools.map(CardEntry::Pool));
        then.extend(other_stats);

        CardSpec {
            first: keep_list(first),
            then: keep_list(then),
            order: CardOrder::AsListed,
            zeros: Zeros::Show,
        }
    }
}

/// Checks the `most` of each stat: it names another stat, and both are numbers.
pub(super) fn check_maxima(file: &TomlTable<'_>, stats: &[Field]) {
    let numbers: Vec<&str> = stats
        .iter()
        .filter(|stat| matches!(stat.kind, Kind::Number { .. }))
        .map(|stat| stat.id)
        .collect();

    for table in file.tables_again("stat") {
        let Some(value) = table.get("most") else {
            continue;
        };
        let id = table.text_or_empty("id");
        if !numbers.contains(&id) {
            value.fault("only a stat of the kind number can have a maximum");
        }
        let Some(most) = value.name_among("unknown stat of the kind number", &numbers) else {
            continue;
        };

        let names_other = stats
            .iter()
            .any(|stat| stat.id == most && stat.most.is_some());
        if most == id {
            value.fault(format!("{id} cannot be its own maximum"));
        } else if names_other {
            value.fault(format!(
                "{most} has a maximum itself, so it cannot be a maximum"
            ));
        }
    }
}
