//! A check that a file describes, as a machine: one for all files.

mod dice;
pub(crate) mod state;

use std::sync::Arc;

use crate::system_file::program::effect_rule::{EffectRule, What};
use crate::system_file::program::expression::{Expression, Known, Name};
use crate::system_file::program::template::Template;
use crate::system_file::program::{Act, Choice, Lets, Program, ProgramStep, Question, Throw};
use crate::system_file::run::state::Stage;
use crate::words::{capitalise, join};
use crate::{
    Ask, Check, CheckSpec, ChoiceId, Choices, Effect, Explanation, Fields, HouseRules, Key,
    MayLock, OutcomeId, Picked, Policy, Refused, RuleError, Score, Step,
};
use tableside_dice::Observation;

/// More steps than this are not computed: each takes about a microsecond.
const MOST_WEIGHED: usize = 1_000_000;

/// How often a question counts as answered once it is not put again.
const ANSWERED: u8 = u8::MAX;

/// A check with everything known but the dice.
#[derive(Debug)]
pub(crate) struct FileCheck {
    pub(super) spec: &'static CheckSpec,
    pub(super) program: &'static Program,
    fields: Vec<Known>,
    house: Vec<Known>,
    /// True if every question takes its default. Odds then skip the questions that change nothing, and merge the dice
    /// that only their other options tell apart.
    takes_defaults: bool,
}

/// Whether an expression over fields alone holds for these; not where it can't be worked out.
pub(crate) fn holds(when: &Expression, fields: &Fields) -> bool {
    let values = known(fields);
    when.holds(|name| of_field(fields.spec(), &values, name).unwrap_or_default())
        .unwrap_or(false)
}

/// Whether an expression looks at the field at that place.
pub(crate) fn looks_at(when: &Expression, field: usize) -> bool {
    let mut names = when.names();
    names.any(|name| matches!(name, Name::Field(at) | Name::Place(at) if at == field))
}

/// The values of fields as expressions know them.
fn known(fields: &Fields) -> Vec<Known> {
    let known = |(_, value): (_, Option<_>)| value.map_or_else(Known::default, Known::from);
    fields.iter().map(known).collect()
}

/// What a name stands for that looks at a field.
fn of_field(spec: &CheckSpec, values: &[Known], name: Name) -> Option<Known> {
    match name {
        Name::Field(at) => values.get(at).cloned(),
        Name::Place(at) => match values.get(at)? {
            Known::Word(word) => Some(Known::Number(spec.fields.get(at)?.kind.place(word).into())),
            Known::Number(_) | Known::Truth(_) => None,
        },
        Name::Step(_) | Name::HouseRule(_) | Name::Sum(_) => None,
    }
}

impl FileCheck {
    /// The check of these fields and where it asks for something first, unless its own steps refuse it.
    pub(crate) fn new(
        program: &'static Program,
        fields: &Fields,
        house: &HouseRules,
    ) -> Result<(Self, Stage), Refused> {
        let spec = fields.spec();
        let check = Self {
            spec,
            program,
            fields: known(fields),
            house: (0..).map_while(|at| house.known(spec.system, at)).collect(),
            takes_defaults: false,
        };
        let mut state = Stage::default();
        let mut silent = Explanation::silent();
        loop {
            match check.next(state.clone(), &mut silent) {
                Step::Continue(next) => state = next,
                Step::Ask(..) | Step::Done(..) => return Ok((check, state)),
                Step::Refuse(error) => return Err(Refused(error.to_string())),
            }
        }
    }

    /// What the roll may lock, where it stands as far as it has come.
    pub(crate) fn locks(&self, state: &Stage) -> Vec<MayLock> {
        let of = self.of(state);
        let field = |name| match name {
            Name::Field(at) => self.spec.fields.get(at),
            _ => None,
        };
        // What the dice say is not known yet.
        let may_hold = |when: &Expression| {
            when.names().any(|name| matches!(name, Name::Step(_))) || when.holds(of) == Ok(true)
        };
        let effects = self.program.effects();
        let locks = effects.filter(|effect| effect.when.as_ref().is_none_or(may_hold));
        let locks = locks.filter_map(|effect| match &effect.what {
            What::Lock { about, until, .. } => Some(MayLock {
                about: about.filled(of).ok()?,
                until,
                field: about.names().find_map(field),
            }),
            _ => None,
        });
        locks.collect()
    }

    /// What fields and helpers cost, as far as it is known before any die.
    pub(crate) fn costs(&self, state: &Stage) -> Vec<Effect> {
        let of = self.of(state);
        let costs = self.program.always.iter().filter(|effect| effect.must);
        // A cost that only the dice decide is not known yet, and fails here or comes to 0.
        costs
            .filter_map(|cost| EffectRule::all([cost], of).ok())
            .flatten()
            .collect()
    }

    /// What a name stands for as far as the check has come.
    pub(super) fn of<'a>(&'a self, state: &'a Stage) -> impl Fn(Name) -> Known + Copy + 'a {
        move |name| {
            let value = match name {
                Name::Field(at) => self.fields.get(at),
                Name::Place(_) | Name::Sum(_) => {
                    return of_field(self.spec, &self.fields, name).unwrap_or_default();
                }
                Name::Step(place) => state.find(place).ok().map(|at| &state.names[at].1),
                Name::HouseRule(at) => self.house.get(at),
            };
            value.cloned().unwrap_or_default()
        }
    }

    /// A refusal that names the step, from 1, or the outcome.
    fn refused(&self, step: usize, why: &str) -> RuleError {
        let check = self.spec.id;
        let place = self.program.steps.get(step).map(|ProgramStep { at, .. }| {
            let before = self.spec.system.text().get(..*at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            format!("step {} of {check}, line {line}", step + 1)
        });
        let place = place.unwrap_or_else(|| format!("the outcome of {check}"));
        RuleError::Said(format!("{place}: {why}"))
    }

    /// What was worked out as far as the check has come, else the refusal.
    pub(super) fn worked<T>(
        &self,
        state: &Stage,
        worked: Result<T, String>,
    ) -> Result<T, RuleError> {
        worked.map_err(|why| self.refused(state.step, &why))
    }

    fn holds(&self, when: Option<&Expression>, state: &Stage) -> Result<bool, RuleError> {
        let Some(when) = when else { return Ok(true) };
        self.worked(state, when.holds(self.of(state)))
    }

    /// Words with the values of now.
    fn filled(&self, words: &Template, state: &Stage) -> Result<String, RuleError> {
        self.worked(state, words.filled(self.of(state)))
    }

    /// Whether a question may be put no more.
    pub(super) fn is_over(&self, question: &Question, state: &Stage) -> Result<bool, RuleError> {
        let times = self.worked(state, question.times.amount(self.of(state)))?;
        Ok(state.times == ANSWERED || i32::from(state.times) >= times)
    }

    fn set(&self, state: &mut Stage, lets: &Lets) -> Result<(), RuleError> {
        let known = lets.known.answer(self.of(state), |_| {
            let mut then = state.clone();
            let values = lets.each.iter().map(|(name, to)| {
                let value = self.worked(&then, to.value(self.of(&then)))?;
                then.set(*name, value.clone());
                Ok(value)
            });
            values.collect::<Result<Arc<[Known]>, RuleError>>()
        })?;
        for ((name, _), value) in lets.each.iter().zip(&*known) {
            state.set(*name, value.clone());
        }
        Ok(())
    }

    /// Goes on to the next step. While odds are computed what no later step looks at is forgotten.
    pub(super) fn leave(&self, state: &mut Stage, why: &Explanation) {
        state.step += 1;
        (state.is_in, state.times) = (false, 0);
        if !why.is_for_odds {
            return;
        }
        let live = &self.live()[state.step];
        let is_seen = |(at, value): &(usize, Known)| live[*at] && *value != Known::default();
        state.names.retain(is_seen);
        let step = state.step;
        state.rolled.retain(|rolled| {
            let throw = self.throw(rolled.step);
            throw.is_some_and(|throw| self.is_rolled_again(throw, step))
        });
    }

    /// For each step and for the end, which names odds still look at.
    pub(super) fn live(&self) -> &'static [Vec<bool>] {
        if self.takes_defaults {
            &self.program.live_by_default
        } else {
            &self.program.live
        }
    }

    /// True if odds may skip this step, as nothing depends on it.
    fn is_skipped(&self, step: usize) -> bool {
        self.takes_defaults && self.program.is_idle_by_default[step]
    }

    /// True if these dice may be rolled again at that step or later.
    pub(super) fn is_rolled_again(&self, throw: &Throw, from: usize) -> bool {
        let mut steps = throw.rerolling_steps();
        steps.any(|step| step >= from && !self.is_skipped(step))
    }

    pub(super) fn throw(&self, step: usize) -> Option<&'static Throw> {
        match &self.program.steps.get(step)?.act {
            Act::Roll(throw) => Some(throw),
            _ => None,
        }
    }

    /// The number of a total or a target; a word says that there is none.
    fn amount(&self, what: Option<&Expression>, state: &Stage) -> Result<Option<i32>, RuleError> {
        let value = what.map(|what| what.value(self.of(state)));
        let value = self.worked(state, value.transpose())?;
        let number = value.filter(|value| !matches!(value, Known::Word(_)));
        self.worked(state, number.map(Known::amount).transpose())
    }

    /// The end: the first outcome whose condition holds.
    fn ending(&self, state: &Stage) -> Result<(OutcomeId, Score), RuleError> {
        for (id, ending) in (0..).zip(&self.program.endings) {
            if self.holds(ending.when.as_ref(), state)? {
                let ticks = self.worked(state, ending.ticks.amount(self.of(state)))?;
                let total = self.amount(self.program.total.as_ref(), state)?;
                let mut score = Score::new(total, ticks);
                if self.spec.success_after.is_none() {
                    score.is_success = self.spec.outcome(OutcomeId(id)).success;
                }
                let outcome = self.spec.after_modifiers(OutcomeId(id), score.is_success);
                return Ok((outcome, score));
            }
        }
        Err(self.refused(state.step, "no outcome fits"))
    }

    /// Ends the check, and explains the end.
    fn end(&self, state: &Stage, why: &mut Explanation) -> Result<Step<Stage>, RuleError> {
        let (of, program) = (self.of(state), self.program);
        let (id, score) = match &program.known_ends {
            Some(known) => known.answer(of, |_| self.ending(state))?,
            None => self.ending(state)?,
        };
        if !why.is_for_odds {
            let outcome = self.spec.outcome(id);
            let target = self.amount(program.target.as_ref(), state)?;
            let ending = &program.endings[usize::from(id.0)];
            let effects = program.always.iter().chain(&ending.effects);
            let effects = self.worked(state, EffectRule::all(effects, of))?;
            why.tell(|why| {
                why.target = target;
                if !outcome.help.is_empty() {
                    why.say(outcome.help);
                }
                why.effects.extend(effects);
                let names = (0..).zip(&program.names);
                let told = names.filter(|(_, (_, is_told))| *is_told);
                let keys = told.filter_map(|(at, (name, _))| key(name, &of(Name::Step(at))));
                why.keys = keys.collect();
            });
        }
        Ok(Step::Done(id, score))
    }
}

/// A name and its value as JSON shows it.
fn key(name: &'static str, value: &Known) -> Option<(&'static str, Key)> {
    let key = match value {
        Known::Number(number) => Key::Number(i32::try_from(*number).ok()?),
        Known::Truth(truth) => Key::Flag(*truth),
        Known::Word(_) => return None,
    };
    Some((name, key))
}

impl Check for FileCheck {
    type State = Stage;

    fn next(&self, state: Stage, why: &mut Explanation) -> Step<Stage> {
        let step = if state.rolling.is_some() {
            self.next_roll(state, why)
        } else {
            self.run_steps(state, why)
        };
        step.unwrap_or_else(|error| Step::Refuse(Box::new(error)))
    }

    fn after_roll(&self, state: Stage, dice: &Observation, why: &mut Explanation) -> Step<Stage> {
        let step = self.take_roll(state, dice, why);
        step.unwrap_or_else(|error| Step::Refuse(Box::new(error)))
    }

    fn after_choice(&self, state: Stage, choice: ChoiceId, why: &mut Explanation) -> Step<Stage> {
        let step = match self.question(&state) {
            Some(question) => self.take_choice(state, question, choice, why),
            None => return self.next(state, why),
        };
        step.unwrap_or_else(|error| Step::Refuse(Box::new(error)))
    }

    fn most_steps(&self) -> usize {
        MOST_WEIGHED
    }

    fn told_apart(&self) -> String {
        let (live, names) = (self.live(), &self.program.names);
        let readings = self.program.throws().flat_map(|throw| &throw.readings);
        let seen = readings.filter(|(name, _)| live.iter().any(|live| live[*name]));
        let seen = join(seen.map(|(name, _)| names[*name].0), ", ");
        let mut heaps = self.program.throws().flat_map(|throw| &throw.heaps);
        let fewer = "; fewer are left by explode = { most = 3 }";
        let is_long = heaps.any(|heap| heap.most_explosions() > 3);
        let fewer = if is_long { fewer } else { "" };
        format!(": they are told apart by {seen}{fewer}")
    }

    fn step_cost(&self) -> usize {
        1 + self.program.length / 100
    }

    fn for_policy(&self, policy: &Policy) -> Option<Self> {
        if !policy.takes_defaults() || !self.program.is_idle_by_default.contains(&true) {
            return None;
        }
        Some(Self {
            spec: self.spec,
            program: self.program,
            fields: self.fields.clone(),
            house: self.house.clone(),
            takes_defaults: true,
        })
    }
}

impl FileCheck {
    /// Runs the steps of the file up to the next that asks for something, or to the end. Odds stop after each `let`, where
    /// different dice may have come to the same.
    pub(super) fn run_steps(
        &self,
        mut state: Stage,
        why: &mut Explanation,
    ) -> Result<Step<Stage>, RuleError> {
        loop {
            let Some(step) = self.program.steps.get(state.step) else {
                return self.end(&state, why);
            };
            // Odds need no words.
            let is_silent =
                why.is_for_odds && (matches!(step.act, Act::Say(_)) || self.is_skipped(state.step));
            if !state.is_in && (is_silent || !self.holds(step.when.as_ref(), &state)?) {
                self.leave(&mut state, why);
                continue;
            }

            match &step.act {
                Act::Let(lets) => self.set(&mut state, lets)?,
                Act::Refuse(words) => {
                    let words = self.filled(words, &state)?;
                    return Err(RuleError::Said(words));
                }
                Act::Say(words) => {
                    let words = capitalise(&self.filled(words, &state)?);
                    why.tell(|why| why.say(words));
                }
                // Odds merge the states that ask for something.
                Act::Roll(_) | Act::Choose(_) if !state.is_in => {
                    state.is_in = true;
                    if let Act::Roll(throw) = &step.act {
                        self.begin_roll(&mut state, throw, why)?;
                    }
                    return Ok(Step::Continue(state));
                }
                Act::Roll(_) => {}
                Act::Choose(question) => return self.ask(state, question, why),
            }

            self.leave(&mut state, why);
            if why.is_for_odds && matches!(step.act, Act::Let(_)) {
                return Ok(Step::Continue(state));
            }
        }
    }

    /// The question that is asked in this state, if one is.
    fn question(&self, state: &Stage) -> Option<&'static Question> {
        if !state.is_in || state.rolling.is_some() {
            return None;
        }
        match &self.program.steps.get(state.step)?.act {
            Act::Choose(question) => Some(question),
            _ => None,
        }
    }

    /// Asks a question. A question with a single open option is answered by it, and one without any is skipped.
    fn ask(
        &self,
        mut state: Stage,
        question: &Question,
        why: &mut Explanation,
    ) -> Result<Step<Stage>, RuleError> {
        let mut open = Vec::new();
        let mut closed = Vec::new();
        for (id, option) in (0..).zip(&question.options) {
            if self.holds(option.when.as_ref(), &state)? {
                open.push((id, option));
            } else {
                closed.push((option.id, option.opens));
            }
        }
        if open.len() < 2 {
            why.closed.extend(closed);
        }

        match open.as_slice() {
            [] => {}
            [(only, _)] => {
                let id = *only;
                return self.apply_option(state, question, id, true, why);
            }
            _ if self.is_over(question, &state)? => {}
            _ => {
                let choices = self.choices(&state, question, &open, why.is_for_odds)?;
                return Ok(Step::Ask(state, Ask::choose(choices, question.by)));
            }
        }
        self.leave(&mut state, why);
        self.run_steps(state, why)
    }

    /// Takes the answer to a question.
    fn take_choice(
        &self,
        state: Stage,
        question: &Question,
        choice: ChoiceId,
        why: &mut Explanation,
    ) -> Result<Step<Stage>, RuleError> {
        if !why.is_for_odds
            && let Some(option) = question.options.get(choice.0 as usize)
        {
            let choices = self.choices(&state, question, &[(choice.0, option)], false)?;
            why.tell(|why| tell_choice(why, &choices, choice.0));
        }
        self.apply_option(state, question, choice.0, false, why)
    }

    /// Applies an option of a question: its values, its effects and the dice that it rolls again. `is_only` is true if no
    /// other option was open.
    fn apply_option(
        &self,
        mut state: Stage,
        question: &Question,
        taken: u32,
        is_only: bool,
        why: &mut Explanation,
    ) -> Result<Step<Stage>, RuleError> {
        if let Some(option) = question.options.get(taken as usize) {
            if !why.is_for_odds {
                let effects = EffectRule::all(&option.effects, self.of(&state));
                let effects = self.worked(&state, effects)?;
                why.tell(|why| why.effects.extend(effects));
            }
            self.set(&mut state, &option.lets)?;
            state.times = if taken == 0 || is_only {
                ANSWERED
            } else {
                state.times.saturating_add(1)
            };

            let is_over = self.is_over(question, &state)?;
            // What is rolled now may be what says how often it is asked.
            let is_last = is_over && why.is_for_odds && question.times.length == 0;
            let from = state.step + usize::from(is_last);
            if self.roll_again(&mut state, taken as usize, from) || !is_over {
                return Ok(Step::Continue(state));
            }
        }
        self.leave(&mut state, why);
        self.run_steps(state, why)
    }

    /// A question between these options, in words unless odds are computed.
    fn choices(
        &self,
        state: &Stage,
        question: &Question,
        open: &[(u32, &Choice)],
        is_for_odds: bool,
    ) -> Result<Choices, RuleError> {
        let filled = |words: &Template| {
            if is_for_odds {
                return Ok(String::new());
            }
            self.filled(words, state)
        };
        let options = open.iter().map(|(id, option)| {
            let (id, name) = (ChoiceId(*id), option.id.to_owned());
            let mut label = filled(&option.label)?;
            if label.is_empty() {
                label.clone_from(&name);
            }
            Ok(Picked { id, name, label })
        });
        let mut places = open.iter().map(|(id, _)| *id as usize);
        Ok(Choices {
            choice: question.id,
            ask: filled(&question.ask)?,
            options: options.collect::<Result<_, RuleError>>()?,
            default: places.position(|id| id == question.default).unwrap_or(0),
        })
    }
}

fn tell_choice(why: &mut Explanation, asked: &Choices, taken: u32) {
    let picked = asked.options.iter().find(|option| option.id.0 == taken);
    let by = why.chosen.as_ref().map(|(_, by)| *by);
    if let Some((picked, by)) = picked.zip(by) {
        why.say(format!("{}.", asked.told(&picked.label, by)));
    }
}
