//! The state machine that runs a compiled check, for dice, replay and odds alike.

mod dice;
mod evaluation;
mod question;
mod shown_dice;
pub(crate) mod state;

use tableside_dice::Observation;

pub(crate) use self::evaluation::{holds, looks_at};
use self::state::Stage;
use crate::system_file::program::effect_rule::{EffectAction, EffectRule};
use crate::system_file::program::expression::{Expression, ExpressionValue, ResolvedName};
use crate::system_file::program::{Program, StepAction, ThrowRule};
use crate::words::{capitalise, join};
use crate::{
    Check, CheckSpec, ChoiceId, Effect, Explanation, Fields, HouseRules, Key, MayLock, OutcomeId,
    Policy, Refused, RuleError, Score, Step,
};

/// The most steps that the odds of one check may take. A step takes about a microsecond.
const MAX_STEPS: usize = 1_000_000;

/// A compiled check with the values of its fields and the house rules.
#[derive(Debug)]
pub(crate) struct FileCheck {
    spec: &'static CheckSpec,
    program: &'static Program,
    fields: Vec<ExpressionValue>,
    house: Vec<ExpressionValue>,
    /// True if every question takes its default. Odds then skip the questions that change nothing, and merge the dice
    /// that only their other options tell apart.
    takes_defaults: bool,
}

impl FileCheck {
    /// Creates the check, and its state when it first asks for something. An error holds the refusal of its own steps.
    pub(crate) fn new(
        program: &'static Program,
        fields: &Fields,
        house: &HouseRules,
    ) -> Result<(Self, Stage), Refused> {
        let spec = fields.spec();
        let check = Self {
            spec,
            program,
            fields: evaluation::field_values(fields),
            house: (0..)
                .map_while(|place| house.known(spec.system, place))
                .collect(),
            takes_defaults: false,
        };

        let mut state = Stage::default();
        let mut silent = Explanation::silent();
        loop {
            match check.next(state.clone(), &mut silent) {
                Step::Continue(next_state) => state = next_state,
                Step::Ask(..) | Step::Done(..) => return Ok((check, state)),
                Step::Refuse(error) => return Err(Refused(error.to_string())),
            }
        }
    }

    /// Returns the locks that the roll may set. A condition that depends on dice may hold.
    pub(crate) fn locks(&self, state: &Stage) -> Vec<MayLock> {
        let value_of = self.values_in(state);
        let may_hold = |when: &Expression| {
            let depends_on_roll = when
                .names()
                .any(|name| matches!(name, ResolvedName::Step(_)));
            depends_on_roll || when.holds(value_of) == Ok(true)
        };
        let field = |name| match name {
            ResolvedName::Field(place) => self.spec.fields.get(place),
            _ => None,
        };

        let mut locks = Vec::new();
        for effect in self.program.effects() {
            if let EffectAction::Lock { about, until, .. } = &effect.what
                && effect.when.as_ref().is_none_or(may_hold)
                && let Ok(text) = about.filled(value_of)
            {
                locks.push(MayLock {
                    about: text,
                    until,
                    field: about.names().find_map(field),
                });
            }
        }
        locks
    }

    /// Returns the costs of fields and helpers that are known before the first roll. A cost that depends on dice fails
    /// here or is 0.
    pub(crate) fn costs(&self, state: &Stage) -> Vec<Effect> {
        let value_of = self.values_in(state);
        self.program
            .always
            .iter()
            .filter(|effect| effect.must)
            .filter_map(|cost| EffectRule::all([cost], value_of).ok())
            .flatten()
            .collect()
    }

    fn throw(&self, step: usize) -> Option<&'static ThrowRule> {
        match &self.program.steps.get(step)?.act {
            StepAction::Roll(throw) => Some(throw),
            _ => None,
        }
    }

    /// Runs the steps up to the next that asks for something, or to the end. Odds also stop after each `let`, where
    /// different dice may lead to equal states.
    fn run_steps(&self, mut state: Stage, why: &mut Explanation) -> Result<Step<Stage>, RuleError> {
        loop {
            let Some(step) = self.program.steps.get(state.step) else {
                return self.end(&state, why);
            };

            let is_unneeded = why.is_for_odds
                && (matches!(step.act, StepAction::Say(_)) || self.is_skipped(state.step));
            if !state.is_in && (is_unneeded || !self.holds(step.when.as_ref(), &state)?) {
                self.leave(&mut state, why);
                continue;
            }

            match &step.act {
                StepAction::Let(lets) => self.set(&mut state, lets)?,
                StepAction::Refuse(words) => {
                    let words = self.filled(words, &state)?;
                    return Err(RuleError::Said(words));
                }
                StepAction::Say(words) => {
                    let words = capitalise(&self.filled(words, &state)?);
                    why.tell(|why| why.say(words));
                }
                // Odds merge the states that ask for something.
                StepAction::Roll(_) | StepAction::Choose(_) if !state.is_in => {
                    state.is_in = true;
                    if let StepAction::Roll(throw) = &step.act {
                        self.begin_roll(&mut state, throw, why)?;
                    }
                    return Ok(Step::Continue(state));
                }
                StepAction::Roll(_) => {}
                StepAction::Choose(question) => return self.ask(state, question, why),
            }

            self.leave(&mut state, why);
            if why.is_for_odds && matches!(step.act, StepAction::Let(_)) {
                return Ok(Step::Continue(state));
            }
        }
    }

    /// Goes on to the next step. For odds, drops the values and dice that no later step needs.
    fn leave(&self, state: &mut Stage, why: &Explanation) {
        state.step += 1;
        state.is_in = false;
        state.times = 0;
        if !why.is_for_odds {
            return;
        }

        let live = &self.live()[state.step];
        state
            .names
            .retain(|(place, value)| live[*place] && *value != ExpressionValue::default());

        let step = state.step;
        state.rolled.retain(|rolled| {
            let throw = self.throw(rolled.step);
            throw.is_some_and(|throw| self.is_rolled_again(throw, step))
        });
    }

    /// Returns the values that odds still need, for each step and for the end.
    fn live(&self) -> &'static [Vec<bool>] {
        if self.takes_defaults {
            &self.program.live_by_default
        } else {
            &self.program.live
        }
    }

    /// True if odds skip this step, because its default changes nothing.
    fn is_skipped(&self, step: usize) -> bool {
        self.takes_defaults && self.program.is_idle_by_default[step]
    }

    /// True if an option of that step or a later one re-rolls some of the dice.
    fn is_rolled_again(&self, throw: &ThrowRule, from: usize) -> bool {
        let mut steps = throw.rerolling_steps();
        steps.any(|step| step >= from && !self.is_skipped(step))
    }

    /// Returns the first outcome whose condition holds.
    fn outcome(&self, state: &Stage) -> Result<(OutcomeId, Score), RuleError> {
        for (place, ending) in (0..).zip(&self.program.endings) {
            if !self.holds(ending.when.as_ref(), state)? {
                continue;
            }

            let level = OutcomeId(place);
            let ticks = self.worked(state, ending.ticks.amount(self.values_in(state)))?;
            let total = self.optional_number(self.program.total.as_ref(), state)?;
            let mut score = Score::new(total, ticks);
            if self.spec.success_after.is_none() {
                score.is_success = self.spec.outcome(level).success;
            }
            let outcome = self.spec.after_modifiers(level, score.is_success);
            return Ok((outcome, score));
        }
        Err(self.refused(state.step, "no outcome applies"))
    }

    /// Ends the check and explains its outcome.
    fn end(&self, state: &Stage, why: &mut Explanation) -> Result<Step<Stage>, RuleError> {
        let value_of = self.values_in(state);
        let (id, score) = match &self.program.remembered_outcomes {
            Some(remembered_outcomes) => {
                remembered_outcomes.answer(value_of, |_| self.outcome(state))?
            }
            None => self.outcome(state)?,
        };
        if why.is_for_odds {
            return Ok(Step::Done(id, score));
        }

        let help = self.spec.outcome(id).help;
        let target = self.optional_number(self.program.target.as_ref(), state)?;
        let ending = &self.program.endings[usize::from(id.0)];
        let rules = self.program.always.iter().chain(&ending.effects);
        let effects = self.worked(state, EffectRule::all(rules, value_of))?;
        why.tell(|why| {
            why.target = target;
            if !help.is_empty() {
                why.say(help);
            }
            why.effects.extend(effects);
            why.keys = self.shown_values(state);
        });
        Ok(Step::Done(id, score))
    }

    /// Returns the values that JSON shows, with their names.
    fn shown_values(&self, state: &Stage) -> Vec<(&'static str, Key)> {
        let value_of = self.values_in(state);
        let mut shown = Vec::new();

        for (place, (name, is_shown)) in self.program.names.iter().enumerate() {
            if !is_shown {
                continue;
            }
            match value_of(ResolvedName::Step(place)) {
                ExpressionValue::Number(number) => {
                    if let Ok(number) = i32::try_from(number) {
                        shown.push((*name, Key::Number(number)));
                    }
                }
                ExpressionValue::Truth(truth) => shown.push((*name, Key::Flag(truth))),
                ExpressionValue::Word(_) => {}
            }
        }
        shown
    }
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
        let Some(question) = self.open_question(&state) else {
            return self.next(state, why);
        };
        let step = self.take_choice(state, question, choice, why);
        step.unwrap_or_else(|error| Step::Refuse(Box::new(error)))
    }

    fn most_steps(&self) -> usize {
        MAX_STEPS
    }

    fn describe_distinctions(&self) -> String {
        let program = self.program;
        let is_ever_live = |place: usize| self.live().iter().any(|live| live[place]);
        let live_readings = program
            .throws()
            .flat_map(|throw| &throw.readings)
            .filter(|(place, _)| is_ever_live(*place))
            .map(|(place, _)| program.names[*place].0);
        let readings = join(live_readings, ", ");

        let mut dice_groups = program.throws().flat_map(|throw| &throw.dice_groups);
        let hint = if dice_groups.any(|group| group.most_explosions() > 3) {
            "; limit explosions, as in explode = { most = 3 }"
        } else {
            ""
        };
        format!(": the rules depend on {readings}{hint}")
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
