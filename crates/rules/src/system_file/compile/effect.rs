//! Reads what follows a roll.

use crate::system_file::compile::scope::{CheckReader, in_expressions};
use crate::system_file::program::effect_rule::{Amount, EffectRule, What, number_of};
use crate::system_file::program::expression::{Expression, Known};
use crate::system_file::read::{Given, Table, unknown};
use crate::{Counted, Field, Id, Kind, Party, Value, Whose};

impl CheckReader<'_> {
    /// What a field spends, and what each helper does.
    pub(crate) fn spends(&self, table: &Table<'_>) -> Option<EffectRule> {
        let id = table.text("id")?;
        let each = table.get("each");
        let spent = table.table(if each.is_some() { "each" } else { "spends" })?;
        let mut rule = self.effect(&spent, Some(id))?;
        if each.is_some() {
            rule.of = Party::Helpers;
        }
        let is_given = || self.read(&format!("{} != 0", in_expressions(id)));
        rule.when = rule.when.or_else(|| is_given().ok());
        Some(rule)
    }

    /// What a table says that follows.
    pub(crate) fn effects(&self, table: &Table<'_>) -> Vec<EffectRule> {
        let effects = table.list("effects").into_iter();
        let effects = effects.filter_map(|given| self.effect(&given.table("the effect")?, None));
        effects.collect()
    }

    /// What one table says, for that field where it must be paid.
    fn effect(&self, table: &Table<'_>, payer: Option<&str>) -> Option<EffectRule> {
        let of = table.variant("of").unwrap_or_default();
        let is_opponents = |field: &Field| field.whose == Whose::Opponent;
        let has_one = self.fields.borrow().iter().any(is_opponents) || self.is_partial.get();
        if of == Party::Opponent && !has_one {
            table.fault("nobody is the opponent: a field needs whose = \"opponent\"");
        }
        Some(EffectRule {
            when: self.worked(table, "when"),
            of,
            what: self.what(table, payer)?,
            must: payer.is_some(),
        })
    }

    fn what(&self, table: &Table<'_>, payer: Option<&str>) -> Option<What> {
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
                return self.number(table, what, id, payer);
            }
        }
        if let Some(given) = table.get("condition") {
            return Some(What::Condition {
                name: given.known("there is no condition", around.condition_names())?,
                level: self
                    .worked(table, "level")
                    .unwrap_or_else(|| Expression::number(1)),
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
        if let Some(about) = self.template(table, "lock") {
            let until = table.text("until").unwrap_or("a change");
            let by_gm = table.text("lifted_by") == Some("gm");
            return Some(What::Lock {
                about,
                until,
                by_gm,
            });
        }
        if let Some(given) = table.get("offer") {
            return self.offer(table, given);
        }
        table.lacks(
            "an effect is one of pool, stat, clock, condition, consequence, tell, offer, lock",
        );
        None
    }

    fn number(
        &self,
        table: &Table<'_>,
        what: Counted,
        id: &'static str,
        payer: Option<&str>,
    ) -> Option<What> {
        let mut stats = self.around.stats.iter().filter(|_| what == Counted::Stat);
        let stat = stats.find(|stat| stat.id == id);
        let (add, set) = (table.get("add"), table.get("set"));
        let is_start = set.is_some_and(|set| set.value() == Value::from("start"));
        let is_fixed = |kind| !is_start && matches!(kind, Kind::Text | Kind::Ranks { .. });
        if let Some(stat) = stat.filter(|stat| is_fixed(stat.kind)) {
            let takes = stat.describe();
            table.fault(format!(
                "{id} is {takes}; an effect changes a number, a die, a word or a flag"
            ));
            return None;
        }
        let to = match (add, set, payer) {
            (Some(add), None, _) => Amount::By(self.expression(add)?),
            (None, Some(_), _) if is_start => Amount::Start,
            // Without an amount the field's number is paid.
            (None, None, Some(field)) => {
                Amount::By(self.read(&format!("-{}", in_expressions(field))).ok()?)
            }
            (None, Some(set), _) => match stat {
                Some(stat) if !matches!(stat.kind, Kind::Number { .. }) => self.set(set, stat)?,
                _ => Amount::To(self.expression(set)?, None),
            },
            _ => {
                table.lacks(format!("{id} needs either add or set"));
                return None;
            }
        };
        let id = Id::new(id);
        Some(What::Number { what, id, to })
    }

    /// What a stat becomes; what is the same always is tried at once.
    fn set(&self, given: Given<'_>, stat: &'static Field) -> Option<Amount> {
        let to = self.word_or_expression(given)?;
        if to.names().next().is_none() {
            let number = to.value(|_| Known::default());
            let number = number.and_then(|to| number_of(to, Some(stat)));
            number.map_err(|why| given.fault(why)).ok()?;
        }
        Some(Amount::To(to, Some(stat)))
    }

    /// A word that is no name stands for itself.
    fn word_or_expression(&self, given: Given<'_>) -> Option<Expression> {
        let is_word = |text: &str| {
            let fits = |letter: char| letter.is_alphanumeric() || letter == '-';
            let begins = text.starts_with(char::is_alphabetic);
            begins && text.chars().all(fits) && self.find(&in_expressions(text)).is_none()
        };
        match given.value() {
            Value::Text(text) if is_word(&text) => Some(Expression::word(&text)),
            _ => self.expression(given),
        }
    }

    fn offer(&self, table: &Table<'_>, given: Given<'_>) -> Option<What> {
        let checks = self.around.checks.iter();
        let check = given.known("there is no check", checks.clone().map(|(id, _)| *id))?;
        let offered = checks.clone().find(|(known, _)| *known == check);
        let with = table.entries("with").into_iter();
        let with = with.filter_map(|(field, given)| {
            if let Some((_, fields)) = offered.filter(|(_, all)| !all.contains(&field)) {
                let no = format!("{check} has no field");
                given.fault(unknown(&no, field, fields.iter().copied()));
            }
            Some((field, self.word_or_expression(given)?))
        });
        let with = with.collect();
        Some(What::Offer { check, with })
    }
}
