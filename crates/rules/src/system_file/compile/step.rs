//! Reads the steps and outcomes of a check.

use crate::permanent::{intern, intern_list};
use crate::system_file::compile::scope::{CheckReader, MOST_LISTED};
use crate::system_file::program::expression::{Expression, Name};
use crate::system_file::program::{Act, AgainId, Choice, Ending, Program, ProgramStep, Question};
use crate::system_file::read::{Given, Table, unknown};
use crate::{ChoiceSpec, OutcomeSpec, Side, Tone};
use tableside_dice::DieRole;

/// The most options that roll dice of one group again: what lies on the table has twice as many parts for each.
const MOST_AGAIN: usize = 6;

/// The dice that options roll again.
type Again<'t> = Vec<(AgainId, DieRole, Given<'t>)>;

impl CheckReader<'_> {
    /// Its program, its outcomes and its questions; without steps it is code.
    pub(crate) fn program<'t>(
        &self,
        table: &Table<'t>,
        fields: &[Table<'t>],
    ) -> (Program, Vec<OutcomeSpec>, Vec<ChoiceSpec>) {
        table.check_count("steps", table.list("step").len(), MOST_LISTED);
        let tables = self.steps(table);
        let mut program = Program::default();
        let (mut choices, mut again) = (Vec::new(), Vec::new());
        let mut others: Vec<((usize, usize), Option<usize>)> = Vec::new();
        self.find_names(table);
        for (at, table) in tables.iter().enumerate() {
            self.step.set(at);
            let when = self.worked(table, "when");
            if let Some(act) = self.act(table, at, &mut choices, &mut again) {
                let at = table.at;
                program.steps.push(ProgramStep { at, when, act });
            }
        }
        self.step.set(usize::MAX);
        for (id, name, given) in again {
            // Those that an option rolls again lie there from one roll.
            let rolls_it = |step: &ProgramStep| match &step.act {
                Act::Roll(throw) => throw.heaps.iter().any(|heap| heap.name == name),
                _ => false,
            };
            let at = program.steps.iter().position(rolls_it);
            let beside = others.iter().find(|(other, _)| *other == (id.0, id.1));
            match beside {
                Some((_, known)) if *known != at && at.is_some() => given.fault(
                    "an option rolls dice of one step again; roll these together with the others of it",
                ),
                Some(_) => {}
                None => others.push(((id.0, id.1), at)),
            }
            self.rolled_again(&mut program, id, name, given);
        }
        let outcomes = table.tables("outcome");
        let last = outcomes.len().saturating_sub(1);
        if outcomes.is_empty() {
            table.lacks(format!("{} needs an outcome", table.what));
        }
        let outcomes = outcomes.iter().enumerate();
        let outcomes = outcomes
            .map(|(at, table)| self.outcome(table, at == last, !tables.is_empty(), &mut program));
        let outcomes = outcomes.collect();
        program.total = self.worked(table, "total");
        program.target = self.worked(table, "target");
        let spent = fields.iter().filter_map(|field| self.spends(field));
        program.always = spent.collect();
        program.always.extend(self.effects(table));
        let names = self.names.take().into_iter();
        let known = names.clone().map(|(name, ..)| name);
        // A check in code has values of its own, which the file only names.
        let is_read_here = !self.is_partial.get() && !tables.is_empty();
        let is_table = table.get("shown").is_some_and(Given::is_table);
        let mut shown: Vec<&str> = Vec::new();
        if is_table && is_read_here {
            for (name, given) in table.entries("shown") {
                if known.clone().any(|known| known == name) {
                    shown.push(name);
                } else {
                    given.fault(unknown("nothing is called", name, known.clone()));
                }
            }
        } else if is_read_here {
            let listed = table.list("shown").into_iter();
            let listed = listed.filter_map(|given| given.known("nothing is called", known.clone()));
            shown.extend(listed);
        }
        let names = names.map(|(name, is_told, _)| (name, is_told || shown.contains(&name)));
        program.names = names.collect();
        program.find_what_lives();
        (program, outcomes, choices)
    }

    /// The steps of a check; where it uses those of the system, these.
    fn steps<'t>(&'t self, table: &'t Table<'t>) -> Vec<Table<'t>> {
        let shared = self.around.steps.iter();
        let ids = shared.clone().filter_map(|one| one.text("id"));
        let steps = table.tables("step").into_iter().flat_map(|step| {
            let Some(given) = step.get("use") else {
                return vec![step];
            };
            let name = given.known("there are no steps", ids.clone());
            let used = shared.clone().find(|one| one.text("id") == name);
            self.is_partial.update(|is| is || used.is_none());
            used.map_or_else(Vec::new, |used| used.tables("step"))
        });
        steps.collect()
    }

    /// Finds what the steps name. What an option names is 0 until it is chosen; all else is known after its step.
    fn find_names(&self, table: &Table<'_>) {
        for (at, step) in self.steps(table).iter().enumerate() {
            step.leave_rest();
            let options = step.tables_again("option").into_iter();
            let lets = options.filter_map(|option| Some((option.get("let")?, at)));
            let after = ["let", "read"].into_iter();
            let after = after.filter_map(|key| Some((step.get(key)?, at + 1)));
            for (given, from) in lets.chain(after).filter(|(given, _)| given.is_table()) {
                let named = given.table("");
                for (name, _) in named.iter().flat_map(Table::all) {
                    let mut names = self.names.borrow_mut();
                    if names.iter().all(|(known, ..)| *known != name) {
                        names.push((name, false, from));
                    }
                }
            }
        }
    }

    fn act<'t>(
        &self,
        table: &Table<'t>,
        at: usize,
        choices: &mut Vec<ChoiceSpec>,
        again: &mut Again<'t>,
    ) -> Option<Act> {
        if let Some(roll) = table.table("roll") {
            return Some(Act::Roll(self.throw(table, &roll)));
        }
        if let Some(id) = table.text("choose") {
            let question = self.question(table, (id, at), again);
            let answers = question.options.iter().map(|option| option.id);
            choices.push(ChoiceSpec {
                id,
                answers: intern_list(answers.collect()),
                written: "",
                help: intern(&question.ask.without_values()),
            });
            return Some(Act::Choose(question));
        }
        if let Some(words) = self.template(table, "refuse") {
            return Some(Act::Refuse(words));
        }
        if let Some(words) = self.template(table, "say") {
            return Some(Act::Say(words));
        }
        if table.get("let").is_some() {
            return Some(Act::Let(self.lets(table)));
        }
        table.lacks(format!(
            "{} does nothing; it is one of roll, let, choose, refuse, say",
            table.what
        ));
        None
    }

    fn question<'t>(
        &self,
        table: &Table<'t>,
        (id, at): (&'static str, usize),
        again: &mut Again<'t>,
    ) -> Question {
        let (mut options, mut default) = (Vec::new(), None);
        for (place, option) in table.tables("option").iter().enumerate() {
            if option.flag("default") && default.replace(place).is_some() {
                option.fault(format!("{id} has two defaults, and one is right"));
            }
            for (nth, (name, bounds)) in option.entries("reroll").into_iter().enumerate() {
                again.push(((at, place, nth), DieRole::named(name, None), bounds));
            }
            let opens = option.get("when").map(|when| when.value().to_string());
            options.push(Choice {
                id: option.id(),
                when: self.worked(option, "when"),
                opens: intern(&opens.unwrap_or_default()),
                label: self.template(option, "label").unwrap_or_default(),
                lets: self.lets(option),
                effects: self.effects(option),
            });
        }
        if options.len() < 2 {
            table.fault(format!("{id} needs two options or more"));
        }
        table.check_count("options", options.len(), MOST_LISTED);
        Question {
            id,
            ask: self.template(table, "ask").unwrap_or_default(),
            by: table.variant("by").unwrap_or(Side::Actor),
            times: self
                .worked(table, "times")
                .unwrap_or_else(|| Expression::number(1)),
            options,
            default: default.unwrap_or(0),
        }
    }

    /// Notes within which bounds an option rolls dice again, with the roll that they lie there from.
    fn rolled_again(&self, program: &mut Program, id: AgainId, name: DieRole, given: Given<'_>) {
        let Some(table) = given.table("reroll") else {
            return;
        };
        let mut is_known = false;
        for (at, step) in program.steps.iter_mut().enumerate() {
            let Act::Roll(throw) = &mut step.act else {
                continue;
            };
            let mut heaps = throw.heaps.iter_mut();
            let Some(heap) = heaps.find(|heap| heap.name == name) else {
                continue;
            };
            is_known = true;
            let bounds = self.bounds(&table);
            let names = self.names.borrow();
            let is_later = |name| matches!(name, Name::Step(place) if names[place].2 >= at);
            if bounds.each().flat_map(Expression::names).any(is_later) {
                given.fault("the bounds of a reroll are worked out when the dice are rolled first; only earlier names stand in them");
            }
            heap.again.push((id, bounds));
            if heap.again.len() > MOST_AGAIN {
                given.fault(format!(
                    "at most {MOST_AGAIN} options roll the same dice again"
                ));
            }
        }
        if !is_known && !self.is_partial.get() {
            given.fault(format!("no dice are called {:?}", name.name()));
        }
        let _asked = self.bounds(&table);
    }

    fn outcome(
        &self,
        table: &Table<'_>,
        is_last: bool,
        has_steps: bool,
        program: &mut Program,
    ) -> OutcomeSpec {
        let id = table.id();
        let when = table.get("when");
        match (when, is_last && has_steps) {
            (Some(when), true) => when.fault(format!(
                "{id} is the last outcome and must have no when: what fits nowhere comes here"
            )),
            (None, false) if has_steps => {
                table.lacks(format!("{id} needs a when; only the last outcome has none"));
            }
            _ => {}
        }
        let success = table.must("success").and_then(Given::flag).unwrap_or(false);
        let ticks = self.worked(table, "ticks");
        program.endings.push(Ending {
            when: when.and_then(|given| self.expression(given)),
            ticks: ticks.unwrap_or_else(|| Expression::number(success.into())),
            effects: self.effects(table),
        });
        let tone = table.variant("tone");
        OutcomeSpec {
            help: table.words("help"),
            id,
            label: table.label(id),
            success,
            tone: tone.unwrap_or(if success { Tone::Good } else { Tone::Bad }),
        }
    }
}
