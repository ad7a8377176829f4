//! Compiles the effects of a roll.

use super::scope::{CheckScope, name_in_expressions};
use crate::system_file::program::effect_rule::{Amount, EffectAction, EffectRule, number_of};
use crate::system_file::program::expression::{Expression, ExpressionValue};
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{Counted, Field, Id, Kind, Party, Value, Whose};

impl CheckScope<'_> {
    /// Compiles what a field costs: its `spends`, or the `each` of its helpers.
    pub(super) fn cost(&self, table: &TomlTable<'_>) -> Option<EffectRule> {
        let field = table.text("id")?;
        let is_of_helpers = table.get("each").is_some();
        let key = if is_of_helpers { "each" } else { "spends" };
        let cost = table.table(key)?;

        let mut rule = self.effect(&cost, Some(field))?;
        if is_of_helpers {
            rule.of = Party::Helpers;
        }
        if rule.when.is_none() {
            let field_is_given = format!("{} != 0", name_in_expressions(field));
            rule.when = self.parse(&field_is_given).ok();
        }
        Some(rule)
    }

    /// Compiles the `effects` of a table.
    pub(super) fn effects(&self, table: &TomlTable<'_>) -> Vec<EffectRule> {
        let mut effects = Vec::new();
        for value in table.list("effects") {
            if let Some(effect_table) = value.table("the effect") {
                effects.extend(self.effect(&effect_table, None));
            }
        }
        effects
    }

    /// Compiles one effect. An effect with a `payer`, the field that it pays for, must be possible or the roll is
    /// refused.
    fn effect(&self, table: &TomlTable<'_>, payer: Option<&str>) -> Option<EffectRule> {
        let party = table.variant("of").unwrap_or_default();
        let lacks_opponent = party == Party::Opponent && !self.has_opponent();
        if lacks_opponent {
            table.fault("the check has no opponent; give one of its fields whose = \"opponent\"");
        }

        Some(EffectRule {
            when: self.expression_at(table, "when"),
            of: party,
            what: self.effect_action(table, payer)?,
            must: payer.is_some(),
        })
    }

    /// True if a field is read from the opponent's sheet, or may be: the missing parts of a partial check may have one.
    fn has_opponent(&self) -> bool {
        let fields = self.fields.borrow();
        let reads_opponent = fields.iter().any(|field| field.whose == Whose::Opponent);
        reads_opponent || self.is_partial.get()
    }

    /// Compiles what an effect does. Its first key decides: `pool`, `stat`, `clock`, `condition` and so on.
    fn effect_action(&self, table: &TomlTable<'_>, payer: Option<&str>) -> Option<EffectAction> {
        let declared = self.declared;

        if let Some(value) = table.get("pool") {
            let id = value.name_among("unknown pool", &declared.pool_ids())?;
            return self.number_change(table, Counted::Pool, id, payer);
        }
        if let Some(value) = table.get("stat") {
            let id = value.name_among("unknown stat", &declared.stat_ids())?;
            return self.number_change(table, Counted::Stat, id, payer);
        }
        if let Some(value) = table.get("clock") {
            let id = value.name_among("unknown clock", &declared.clock_ids())?;
            return self.number_change(table, Counted::Clock, id, payer);
        }
        if let Some(value) = table.get("condition") {
            let name = value.name_among("unknown condition", &declared.condition_names())?;
            let level = self.expression_at(table, "level");
            return Some(EffectAction::Condition {
                name,
                level: level.unwrap_or_else(|| Expression::number(1)),
                rounds: self.expression_at(table, "rounds"),
                is_gone: table.flag("remove"),
            });
        }
        if let Some(amount) = self.expression_at(table, "consequence") {
            return Some(EffectAction::Consequence(amount));
        }
        if let Some(words) = self.template_at(table, "tell") {
            return Some(EffectAction::Tell(words));
        }
        if let Some(about) = self.template_at(table, "lock") {
            return Some(EffectAction::Lock {
                about,
                until: table.text("until").unwrap_or("a change"),
                by_gm: table.text("lifted_by") == Some("gm"),
            });
        }
        if let Some(value) = table.get("offer") {
            return self.offer(table, value);
        }

        table.report_missing(
            "an effect needs one of pool, stat, clock, condition, consequence, tell, offer, lock",
        );
        None
    }

    /// Compiles the change of a pool, a stat or a clock.
    fn number_change(
        &self,
        table: &TomlTable<'_>,
        what: Counted,
        id: &'static str,
        payer: Option<&str>,
    ) -> Option<EffectAction> {
        let stat = match what {
            Counted::Stat => self.declared.stat(id),
            Counted::Pool | Counted::Clock => None,
        };
        let add = table.get("add");
        let set = table.get("set");
        let is_reset = set.is_some_and(|set| set.field_value() == Value::from("start"));

        if let Some(stat) = stat
            && is_unchangeable(stat)
            && !is_reset
        {
            let takes = stat.describe();
            table.fault(format!(
                "{id} is {takes}; an effect can only change a number, a die, a word or a flag"
            ));
            return None;
        }

        let amount = match (add, set, payer) {
            (Some(add), None, _) => {
                let added = self.expression(add)?;
                Amount::By(added)
            }
            (None, Some(_), _) if is_reset => Amount::Start,
            (None, Some(set), _) => self.new_amount(set, stat)?,
            // Without an amount the number of the field is paid.
            (None, None, Some(field)) => {
                let paid = format!("-{}", name_in_expressions(field));
                Amount::By(self.parse(&paid).ok()?)
            }
            _ => {
                table.report_missing(format!("{id} needs either add or set"));
                return None;
            }
        };

        Some(EffectAction::Number {
            what,
            id: Id::new(id),
            to: amount,
        })
    }

    /// Compiles the new value of a number: a number, or a value of the stat if that is of another kind.
    ///
    /// A constant value of such a stat is checked now, and everything else at the roll.
    fn new_amount(&self, value: TomlValue<'_>, stat: Option<&'static Field>) -> Option<Amount> {
        let stat = match stat {
            Some(stat) if !matches!(stat.kind, Kind::Number { .. }) => stat,
            _ => {
                let number = self.expression(value)?;
                return Some(Amount::To(number, None));
            }
        };

        let new_value = self.word_or_expression(value)?;
        let is_constant = new_value.names().next().is_none();
        if is_constant {
            let constant = new_value.value(|_| ExpressionValue::default());
            let number = constant.and_then(|constant| number_of(constant, Some(stat)));
            if let Err(error) = number {
                value.fault(error);
                return None;
            }
        }
        Some(Amount::To(new_value, Some(stat)))
    }

    /// Compiles an expression. A word that does not resolve to a name is a constant.
    pub(super) fn word_or_expression(&self, value: TomlValue<'_>) -> Option<Expression> {
        if let Value::Text(text) = value.field_value() {
            let name = name_in_expressions(&text);
            if is_single_word(&text) && self.resolve(&name).is_none() {
                return Some(Expression::word(&text));
            }
        }
        self.expression(value)
    }

    /// Compiles the offer of a further check, with values for its fields.
    fn offer(&self, table: &TomlTable<'_>, value: TomlValue<'_>) -> Option<EffectAction> {
        let checks = self.declared.checks;
        let check = value.name_among("unknown check", &self.declared.check_ids())?;
        let offered = checks.iter().find(|outline| outline.id == check);

        let mut with = Vec::new();
        for (field, field_value) in table.entries_of("with") {
            if let Some(offered) = offered
                && !offered.fields.contains(&field)
            {
                let problem = format!("{check} has no field");
                field_value.fault(unknown_name(&problem, field, &offered.fields));
            }
            if let Some(expression) = self.word_or_expression(field_value) {
                with.push((field, expression));
            }
        }
        Some(EffectAction::Offer { check, with })
    }
}

/// True if effects cannot change the stat, because it is a text or a list.
fn is_unchangeable(stat: &Field) -> bool {
    matches!(stat.kind, Kind::Text | Kind::Ranks { .. })
}

fn is_single_word(text: &str) -> bool {
    let is_word_letter = |letter: char| letter.is_alphanumeric() || letter == '-';
    text.starts_with(char::is_alphabetic) && text.chars().all(is_word_letter)
}
