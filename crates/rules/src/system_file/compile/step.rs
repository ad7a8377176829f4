//! Compiles the steps and outcomes of a check.

use tableside_dice::DieRole;

use super::reroll::Reroll;
use super::scope::{CheckScope, MAX_LISTED, NamedValue};
use crate::permanent::{intern, intern_list};
use crate::system_file::program::expression::Expression;
use crate::system_file::program::{
    Ending, OptionPlace, OptionRule, Program, ProgramStep, QuestionRule, StepAction,
};
use crate::system_file::read::{TomlTable, TomlValue, unknown_name};
use crate::{ChoiceSpec, OutcomeSpec, Side, Tone};

/// The compiled steps of a check.
pub(super) struct CompiledSteps {
    pub(super) program: Program,
    pub(super) outcomes: Vec<OutcomeSpec>,
    pub(super) choices: Vec<ChoiceSpec>,
}

impl CheckScope<'_> {
    /// Compiles the steps, outcomes and effects of a check. A check without steps is code of the program.
    pub(super) fn compile_steps(
        &self,
        table: &TomlTable<'_>,
        field_tables: &[TomlTable<'_>],
    ) -> CompiledSteps {
        let own_steps = table.list("step").len();
        table.check_count("steps", own_steps, MAX_LISTED);
        let step_tables = self.step_tables(table);
        let has_steps = !step_tables.is_empty();
        let mut program = Program::default();
        let mut choices = Vec::new();
        let mut rerolls = Vec::new();

        self.collect_names(table);
        for (place, step_table) in step_tables.iter().enumerate() {
            self.step.set(place);
            let when = self.expression_at(step_table, "when");
            let action = self.action(step_table, place, &mut choices, &mut rerolls);
            if let Some(act) = action {
                program.steps.push(ProgramStep {
                    at: step_table.position,
                    when,
                    act,
                });
            }
        }
        self.step.set(usize::MAX);
        self.compile_rerolls(&mut program, rerolls);

        let outcomes = self.outcomes(table, has_steps, &mut program);
        program.total = self.expression_at(table, "total");
        program.target = self.expression_at(table, "target");
        program.area_damage = self.expression_at(table, "area_damage");
        program.numbers = self.template_at(table, "numbers");
        program.always = field_tables
            .iter()
            .filter_map(|field| self.cost(field))
            .collect();
        program.always.extend(self.effects(table));

        let values = self.values.take();
        let shown = self.shown_names(table, has_steps, &values);
        program.names = values
            .into_iter()
            .map(|value| (value.name, value.is_shown || shown.contains(&value.name)))
            .collect();
        program.compute_liveness();

        CompiledSteps {
            program,
            outcomes,
            choices,
        }
    }

    /// Returns the names in `shown`. Each must be a reading or a `let`.
    fn shown_names(
        &self,
        table: &TomlTable<'_>,
        has_steps: bool,
        values: &[NamedValue],
    ) -> Vec<&'static str> {
        // The values of a check in code are not known here.
        if self.is_partial.get() || !has_steps {
            return Vec::new();
        }

        let names: Vec<&str> = values.iter().map(|value| value.name).collect();
        let mut shown = Vec::new();

        if table.get("shown").is_some_and(TomlValue::is_table) {
            for (name, words) in table.entries_of("shown") {
                if names.contains(&name) {
                    shown.push(name);
                } else {
                    words.fault(unknown_name("unknown reading or let", name, &names));
                }
            }
        } else {
            for value in table.list("shown") {
                shown.extend(value.name_among("unknown reading or let", &names));
            }
        }
        shown
    }

    /// Returns the tables of the steps, with shared steps inserted.
    fn step_tables<'t>(&'t self, table: &'t TomlTable<'t>) -> Vec<TomlTable<'t>> {
        let shared_steps = self.declared.shared_steps;
        let mut shared_ids = Vec::new();
        for shared in shared_steps {
            shared_ids.extend(shared.text("id"));
        }
        let mut steps = Vec::new();

        for step in table.tables("step") {
            let Some(used) = step.get("use") else {
                steps.push(step);
                continue;
            };

            let id = used.name_among("unknown shared steps", &shared_ids);
            let mut candidates = shared_steps.iter();
            match candidates.find(|shared| shared.text("id") == id) {
                Some(shared) => steps.extend(shared.tables("step")),
                None => self.is_partial.set(true),
            }
        }
        steps
    }

    /// Collects the names that the steps define. A name from an option's `let` is 0 until the option is chosen, so it is
    /// known from its own step on. All others are known after their step.
    fn collect_names(&self, table: &TomlTable<'_>) {
        for (place, step) in self.step_tables(table).iter().enumerate() {
            step.ignore_other_keys();

            for option in step.tables_again("option") {
                self.collect_names_under(&option, "let", place);
            }
            self.collect_names_under(step, "let", place + 1);
            self.collect_names_under(step, "read", place + 1);
        }
    }

    /// Collects the names in the table under a key. They are known from the step at `known_from` on.
    fn collect_names_under(&self, table: &TomlTable<'_>, key: &'static str, known_from: usize) {
        let Some(definitions) = table.get(key) else {
            return;
        };
        if !definitions.is_table() {
            return;
        }

        let mut values = self.values.borrow_mut();
        for (name, _) in table.entries_of(key) {
            let is_new = values.iter().all(|known| known.name != name);
            if is_new {
                values.push(NamedValue {
                    name,
                    is_shown: false,
                    known_from,
                });
            }
        }
    }

    /// Compiles what a step does. Its choices and re-rolls are added to the lists.
    fn action<'t>(
        &self,
        table: &TomlTable<'t>,
        place: usize,
        choices: &mut Vec<ChoiceSpec>,
        rerolls: &mut Vec<Reroll<'t>>,
    ) -> Option<StepAction> {
        if let Some(roll) = table.table("roll") {
            return Some(StepAction::Roll(self.throw(table, &roll)));
        }
        if let Some(id) = table.text("choose") {
            let question = self.question(table, id, place, rerolls);
            let answers = question.options.iter().map(|option| option.id);
            choices.push(ChoiceSpec {
                id,
                answers: intern_list(answers.collect()),
                written: "",
                help: intern(&question.ask.without_values()),
            });
            return Some(StepAction::Choose(question));
        }
        if let Some(words) = self.template_at(table, "refuse") {
            return Some(StepAction::Refuse(words));
        }
        if let Some(words) = self.template_at(table, "say") {
            return Some(StepAction::Say(words));
        }
        if table.get("let").is_some() {
            return Some(StepAction::Let(self.assignments(table)));
        }

        table.report_missing(format!(
            "{} needs one of roll, let, choose, refuse, say",
            table.title
        ));
        None
    }

    fn question<'t>(
        &self,
        table: &TomlTable<'t>,
        id: &'static str,
        step: usize,
        rerolls: &mut Vec<Reroll<'t>>,
    ) -> QuestionRule {
        let mut options = Vec::new();
        let mut default = None;

        for (place, option) in table.tables("option").iter().enumerate() {
            let is_second_default = option.flag("default") && default.replace(place).is_some();
            if is_second_default {
                option.fault(format!(
                    "{id} has two default options; only one may be the default"
                ));
            }
            for (name, value) in option.entries_of("reroll") {
                rerolls.push(Reroll {
                    option: OptionPlace {
                        question: step,
                        option: place,
                    },
                    role: DieRole::named(name, None),
                    value,
                });
            }
            options.push(self.option(option));
        }

        if options.len() < 2 {
            table.fault(format!("{id} needs at least two options"));
        }
        table.check_count("options", options.len(), MAX_LISTED);

        QuestionRule {
            id,
            ask: self.template_at(table, "ask").unwrap_or_default(),
            by: table.variant("by").unwrap_or(Side::Actor),
            times: self
                .expression_at(table, "times")
                .unwrap_or_else(|| Expression::number(1)),
            options,
            default: default.unwrap_or(0),
        }
    }

    fn option(&self, table: &TomlTable<'_>) -> OptionRule {
        let when_as_written = match table.get("when") {
            Some(when) => when.field_value().to_string(),
            None => String::new(),
        };
        OptionRule {
            id: table.id(),
            when: self.expression_at(table, "when"),
            opens: intern(&when_as_written),
            label: self.template_at(table, "label").unwrap_or_default(),
            cost: self.template_at(table, "cost").unwrap_or_default(),
            lets: self.assignments(table),
            effects: self.effects(table),
        }
    }

    fn outcomes(
        &self,
        table: &TomlTable<'_>,
        has_steps: bool,
        program: &mut Program,
    ) -> Vec<OutcomeSpec> {
        let tables = table.tables("outcome");
        if tables.is_empty() {
            table.report_missing(format!("{} needs an outcome", table.title));
        }

        let last = tables.len().saturating_sub(1);
        let mut outcomes = Vec::new();
        for (place, outcome_table) in tables.iter().enumerate() {
            if has_steps {
                check_when(outcome_table, place == last);
            }
            let outcome = outcome(outcome_table);
            program.endings.push(self.ending(outcome_table, &outcome));
            outcomes.push(outcome);
        }
        outcomes
    }

    fn ending(&self, table: &TomlTable<'_>, outcome: &OutcomeSpec) -> Ending {
        let ticks = self.expression_at(table, "ticks");
        Ending {
            when: self.expression_at(table, "when"),
            ticks: ticks.unwrap_or_else(|| Expression::number(outcome.success.into())),
            effects: self.effects(table),
        }
    }
}

/// Reports a fault if the last outcome has a condition, or another outcome has none.
fn check_when(table: &TomlTable<'_>, is_last: bool) {
    let id = table.id();
    match table.get("when") {
        Some(when) if is_last => when.fault(format!(
            "{id} is the last outcome and must have no when; it applies if no other outcome does"
        )),
        None if !is_last => {
            table.report_missing(format!(
                "{id} needs a when; only the last outcome can do without it"
            ));
        }
        _ => {}
    }
}

fn outcome(table: &TomlTable<'_>) -> OutcomeSpec {
    let id = table.id();
    let success = table
        .require("success")
        .and_then(TomlValue::flag)
        .unwrap_or(false);
    let default_tone = if success { Tone::Good } else { Tone::Bad };

    OutcomeSpec {
        id,
        label: table.label(id),
        help: table.text_or_empty("help"),
        success,
        tone: table.variant("tone").unwrap_or(default_tone),
        winner: table.variant("winner"),
    }
}
