//! Reads what a file works out of a sheet.

use crate::permanent::keep_list;
use crate::system_file::compile::scope::{Around, CheckReader};
use crate::system_file::program::sheet_rules::{DerivedStat, SheetPart, SheetRules};
use crate::system_file::read::{Given, Table};
use crate::{Kind, Standing};

impl Around<'_> {
    /// What the value of a field adds up from.
    pub(crate) fn parts(&self, table: &Table<'_>) -> &'static [SheetPart] {
        let reader = CheckReader::of_sheet(self);
        let parts = table.list("from").into_iter();
        let parts = parts.filter(|given| given.is_table()).filter_map(|given| {
            let part = given.table("what a field adds up from")?;
            Some(SheetPart {
                told: reader.template(&part, "told").unwrap_or_default(),
                is: reader.expression(part.must("is")?)?,
            })
        });
        let parts = keep_list(parts.collect());
        reader.check_looked_up(table, self.stats.len(), "the sheet");
        parts
    }

    /// How somebody stands, and how much harm there is.
    pub(crate) fn sheet_rules(&self, file: &Table<'_>) -> SheetRules {
        let reader = CheckReader::of_sheet(self);
        let standings = file.each("standing", |table| {
            let checks = self.checks.iter().map(|(id, _)| *id);
            let check = table.get("check");
            let check = check.and_then(|given| given.known("there is no check", checks));
            let asks = table.entries("asks").into_iter();
            let asks = asks.filter_map(|(field, given)| {
                self.check_asked(field, |why| given.fault(why));
                Some((field, given.text()?))
            });
            let standing = Standing {
                word: table.must("word").and_then(Given::text)?,
                means: table.words("means"),
                check: check.unwrap_or_default(),
                asks: keep_list(asks.collect()),
            };
            Some((reader.expression(table.must("when")?)?, standing))
        });
        let mut derived = Vec::new();
        for (place, table) in file.tables_again("stat").iter().enumerate() {
            let Some(given) = table.get("derived") else {
                continue;
            };
            let is_number = self
                .stats
                .get(place)
                .is_some_and(|stat| matches!(stat.kind, Kind::Number { .. }));
            if !is_number {
                given.fault("only a number is derived from other stats");
            }
            if let Some(value) = reader.expression(given) {
                derived.push(DerivedStat { place, value });
            }
        }
        let harm = file.table("harm").and_then(|table| {
            let [is, most] = ["is", "most"].map(|key| reader.expression(table.must(key)?));
            Some([is?, most?])
        });
        reader.check_looked_up(file, self.stats.len(), "the sheet");
        SheetRules {
            derived,
            standings,
            harm,
        }
    }
}
