//! Reads what follows a roll.

use super::check_reader::{CheckReader, in_expressions};
use super::effects::{Change, EffectRule, What};
use super::expression::Expression;
use super::reader::{Given, Table, unknown};
use crate::rules::{Counted, Id, Party, Value};

const PARTIES: [(&str, Party); 4] = [
    ("roller", Party::Roller),
    ("opponent", Party::Opponent),
    ("helpers", Party::Helpers),
    ("table", Party::Table),
];

impl CheckReader<'_> {
    /// What a field spends, and what each helper does.
    pub(super) fn spends(&self, table: &Table<'_>) -> Option<EffectRule> {
        let id = table.text("id")?;
        let each = table.get("each");
        let given = each.or_else(|| table.get("spends"))?;
        let spent = given.table("what is spent")?;
        let mut rule = if spent.get("add").is_some() {
            self.effect(&spent, true)?
        } else {
            // Without an amount the field's number is spent.
            let by = self.read(&format!("-{}", in_expressions(id))).ok()?;
            EffectRule {
                when: self.worked(&spent, "when"),
                of: Party::Roller,
                what: What::Number {
                    what: Counted::Pool,
                    id: Id::new(spent.text("pool")?),
                    to: Change::By(by),
                },
                must: true,
            }
        };
        if each.is_some() {
            rule.of = Party::Helpers;
        }
        let is_given = || self.read(&format!("{} != 0", in_expressions(id)));
        rule.when = rule.when.or_else(|| is_given().ok());
        Some(rule)
    }

    /// What a table says that follows.
    pub(super) fn effects(&self, table: &Table<'_>, must: bool) -> Vec<EffectRule> {
        let effects = table.list("effects").into_iter();
        let effects = effects.filter_map(|given| self.effect(&given.table("the effect")?, must));
        effects.collect()
    }

    fn effect(&self, table: &Table<'_>, must: bool) -> Option<EffectRule> {
        let of = table.get("of").and_then(|given| given.one_of(&PARTIES));
        Some(EffectRule {
            when: self.worked(table, "when"),
            of: of.unwrap_or_default(),
            what: self.what(table)?,
            must,
        })
    }

    fn what(&self, table: &Table<'_>) -> Option<What> {
        let around = self.around;
        let clocks = around.clocks.iter().map(|clock| clock.id.as_str());
        let numbers: [(_, _, Vec<&str>); 3] = [
            ("pool", Counted::Pool, around.pool_ids().collect()),
            ("stat", Counted::Stat, around.stat_ids().collect()),
            ("clock", Counted::Clock, clocks.collect()),
        ];
        for (key, what, known) in numbers {
            if let Some(given) = table.get(key) {
                let id = given.known(&format!("there is no {key}"), known.iter().copied())?;
                return self.number(table, what, id);
            }
        }
        if let Some(given) = table.get("condition") {
            return Some(What::Condition {
                name: given.known("there is no condition", around.condition_names())?,
                level: self.worked(table, "level").unwrap_or(Expression::number(1)),
                rounds: self.worked(table, "rounds"),
                is_gone: table.flag("remove"),
            });
        }
        if let Some(amount) = self.worked(table, "consequence") {
            return Some(What::Consequence(amount));
        }
        if let Some(words) = self.template(table, "tell") {
            return Some(What::Tell(words));
        }
        if let Some(words) = self.template(table, "lock") {
            return Some(What::Lock(words));
        }
        if let Some(given) = table.get("offer") {
            return self.offer(table, given);
        }
        table.fault(
            "an effect is one of pool, stat, clock, condition, consequence, tell, offer, lock",
        );
        None
    }

    fn number(&self, table: &Table<'_>, what: Counted, id: &'static str) -> Option<What> {
        let to = match (table.get("add"), table.get("set")) {
            (Some(add), None) => Change::By(self.expression(add)?),
            (None, Some(set)) if set.value() == Value::from("start") => Change::Start,
            (None, Some(set)) => Change::To(self.expression(set)?),
            _ => {
                table.fault(format!("{id} needs either add or set"));
                return None;
            }
        };
        let id = Id::new(id);
        Some(What::Number { what, id, to })
    }

    fn offer(&self, table: &Table<'_>, given: Given<'_>) -> Option<What> {
        let checks = self.around.checks.iter();
        let check = given.known("there is no check", checks.clone().map(|(id, _)| *id))?;
        let offered = checks.clone().find(|(known, _)| *known == check);
        let with = table.table("with");
        let with = with.iter().flat_map(Table::all);
        let with = with.filter_map(|(field, given)| {
            if let Some((_, fields)) = offered.filter(|(_, all)| !all.contains(&field)) {
                let no = format!("{check} has no field");
                given.fault(unknown(&no, field, fields.iter().copied()));
            }
            let is_word = |text: &str| {
                let mut letters = text.chars();
                self.find(&in_expressions(text)).is_none()
                    && letters.all(|letter| letter.is_alphabetic() || letter == '-')
            };
            let value = match given.value() {
                Value::Text(text) if is_word(&text) => Expression::word(&text),
                _ => self.expression(given)?,
            };
            Some((field, value))
        });
        let with = with.collect();
        Some(What::Offer { check, with })
    }
}
