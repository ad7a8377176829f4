//! The state machine that runs a compiled check, for dice, replay and odds alike.

mod cost;
mod dice;
mod evaluation;
mod question;
mod shown_dice;
pub(crate) mod state;

use tableside_dice::Observation;

pub(crate) use self::evaluation::{holds, looks_at};
use self::state::FileCheckState;
use crate::system_file::program::effect_rule::{EffectAction, EffectRule};
use crate::system_file::program::expression::{Expression, ExpressionValue, ResolvedName};
use crate::system_file::program::{Program, ProgramStep, StepAction, ThrowRule};
use crate::words::capitalise;
use crate::{
    Check, CheckSpec, ChoiceId, Effect, Explanation, Field, Fields, HouseRules, Key, MayLock,
    OutcomeId, Policy, Refused, RuleError, Score, Step,
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
    /// True if every question takes its default. Odds then skip the questions whose default has no effect, and merge the
    /// dice that only the other options of these questions distinguish.
    takes_defaults: bool,
}

impl FileCheck {
    /// Creates the check, and runs it until it first asks for dice or a decision. Returns the check with that state.
    ///
    /// The error is the reason if a step refuses the check before that.
    pub(crate) fn new(
        program: &'static Program,
        fields: &Fields,
        house: &HouseRules,
    ) -> Result<(Self, FileCheckState), Refused> {
        let spec = fields.spec();
        let house_values = (0..).map_while(|place| house.expression_value(spec.system, place));
        let check = Self {
            spec,
            program,
            fields: evaluation::field_values(fields),
            house: house_values.collect(),
            takes_defaults: false,
        };

        let mut state = FileCheckState::default();
        let mut silent = Explanation::silent();
        loop {
            match check.next(state.clone(), &mut silent) {
                Step::Continue(next_state) => state = next_state,
                Step::Ask(..) | Step::Done(..) => break,
                Step::Refuse(error) => {
                    let reason = error.to_string();
                    return Err(Refused(reason));
                }
            }
        }
        Ok((check, state))
    }

    /// Returns the locks that the roll may set, including those whose condition depends on the dice.
    pub(crate) fn locks(&self, state: &FileCheckState) -> Vec<MayLock> {
        let mut locks = Vec::new();
        for effect in self.program.effects() {
            let EffectAction::Lock { about, until, .. } = &effect.what else {
                continue;
            };
            let Ok(text) = about.filled(self.values_in(state)) else {
                continue;
            };

            if self.may_hold(effect.when.as_ref(), state) {
                locks.push(MayLock {
                    about: text,
                    until,
                    field: about.names().find_map(|name| self.field_of(name)),
                });
            }
        }
        locks
    }

    /// True if a condition holds or depends on the dice.
    fn may_hold(&self, when: Option<&Expression>, state: &FileCheckState) -> bool {
        let Some(when) = when else {
            return true;
        };
        let mut names = when.names();
        let depends_on_dice = names.any(|name| matches!(name, ResolvedName::Step(_)));
        depends_on_dice || when.holds(self.values_in(state)) == Ok(true)
    }

    fn field_of(&self, name: ResolvedName) -> Option<&'static Field> {
        match name {
            ResolvedName::Field(place) => self.spec.fields.get(place),
            _ => None,
        }
    }

    /// Returns the costs of fields and helpers that are known before the first roll.
    ///
    /// A cost that depends on the dice is left out: its values are still 0, so it is 0 or cannot be evaluated.
    pub(crate) fn costs(&self, state: &FileCheckState) -> Vec<Effect> {
        let mut costs = Vec::new();
        for effect in &self.program.always {
            if !effect.must {
                continue;
            }
            if let Ok(cost) = EffectRule::all([effect], self.values_in(state)) {
                costs.extend(cost);
            }
        }
        costs
    }

    /// Returns the dice that the step with this index rolls; `None` if the step does not roll dice.
    fn throw(&self, step: usize) -> Option<&'static ThrowRule> {
        match &self.program.steps.get(step)?.act {
            StepAction::Roll(throw) => Some(throw),
            _ => None,
        }
    }

    /// True if a step that was just reached must be run: its condition holds, and the computation of odds does not skip
    /// it.
    #[inline]
    fn enters(
        &self,
        step: &ProgramStep,
        state: &FileCheckState,
        why: &Explanation,
    ) -> Result<bool, RuleError> {
        if why.is_for_odds {
            let is_text = matches!(step.act, StepAction::Say(_));
            if is_text || self.is_skipped(state.step) {
                return Ok(false);
            }
        }
        self.holds(step.when.as_ref(), state)
    }

    /// Runs the steps up to the next one that asks for dice or a decision, or to the end. For odds it also stops after each
    /// `let`, so that states that became equal can be merged.
    fn run_steps(
        &self,
        mut state: FileCheckState,
        why: &mut Explanation,
    ) -> Result<Step<FileCheckState>, RuleError> {
        loop {
            let Some(step) = self.program.steps.get(state.step) else {
                return self.end(&state, why);
            };

            if !state.has_entered_step && !self.enters(step, &state, why)? {
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
                // Stop before asking, so that the computation of odds can merge equal states.
                StepAction::Roll(_) | StepAction::Choose(_) if !state.has_entered_step => {
                    state.has_entered_step = true;
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

    /// Moves the state to the next step. For odds, drops the values and dice that no later step needs.
    fn leave(&self, state: &mut FileCheckState, why: &Explanation) {
        state.step += 1;
        state.has_entered_step = false;
        state.times_answered = 0;
        if !why.is_for_odds {
            return;
        }

        let live = &self.live()[state.step];
        let default = ExpressionValue::default();
        state
            .values
            .retain(|(place, value)| live[*place] && *value != default);

        let step = state.step;
        state.rolled.retain(|rolled| {
            let throw = self.throw(rolled.step);
            throw.is_some_and(|throw| self.is_rolled_again(throw, step))
        });
    }

    /// Returns, for each step and for the end, a list that marks the values which odds still need from there on.
    fn live(&self) -> &'static [Vec<bool>] {
        if self.takes_defaults {
            &self.program.live_by_default
        } else {
            &self.program.live
        }
    }

    /// True if odds skip this step, because it is a question whose default has no effect.
    fn is_skipped(&self, step: usize) -> bool {
        self.takes_defaults && self.program.is_idle_by_default[step]
    }

    /// True if an option of that step or a later one re-rolls some of the dice.
    fn is_rolled_again(&self, throw: &ThrowRule, from: usize) -> bool {
        let mut steps = throw.rerolling_steps();
        steps.any(|step| step >= from && !self.is_skipped(step))
    }

    /// Returns the first outcome whose condition holds.
    fn outcome(&self, state: &FileCheckState) -> Result<(OutcomeId, Score), RuleError> {
        for (place, ending) in (0..).zip(&self.program.endings) {
            if !self.holds(ending.when.as_ref(), state)? {
                continue;
            }

            let level = OutcomeId(place);
            let ticks = ending.ticks.amount(self.values_in(state));
            let ticks = self.locate_error(state, ticks)?;
            let total = self.optional_number(self.program.total.as_ref(), state)?;
            let mut score = Score::new(total, ticks);
            if self.spec.success_after.is_none() {
                score.is_success = self.spec.outcome(level).success;
            }
            let outcome = self.spec.after_modifiers(level, score.is_success);
            return Ok((outcome, score));
        }
        Err(self.error_at_step(state.step, "no outcome applies"))
    }

    /// Ends the check and explains its outcome.
    fn end(
        &self,
        state: &FileCheckState,
        why: &mut Explanation,
    ) -> Result<Step<FileCheckState>, RuleError> {
        let value_of = self.values_in(state);
        let (id, score) = match &self.program.remembered_outcomes {
            Some(remembered_outcomes) => {
                remembered_outcomes.get_or_compute(value_of, |_| self.outcome(state))?
            }
            None => self.outcome(state)?,
        };
        if why.is_for_odds {
            return Ok(Step::Done(id, score));
        }

        let help = self.spec.outcome(id).help;
        let target = self.optional_number(self.program.target.as_ref(), state)?;
        let area_damage = self.optional_number(self.program.area_damage.as_ref(), state)?;
        let numbers = match &self.program.numbers {
            Some(numbers) => Some(self.filled(numbers, state)?),
            None => None,
        };
        let ending = &self.program.endings[usize::from(id.0)];
        let rules = self.program.always.iter().chain(&ending.effects);
        let effects = EffectRule::all(rules, value_of);
        let effects = self.locate_error(state, effects)?;
        why.tell(|why| {
            why.target = target;
            why.area_damage = area_damage;
            why.numbers = numbers;
            if !help.is_empty() {
                why.say(help);
            }
            why.effects.extend(effects);
            why.keys = self.shown_values(state);
        });
        Ok(Step::Done(id, score))
    }

    /// Returns the values that JSON shows, with their names.
    fn shown_values(&self, state: &FileCheckState) -> Vec<(&'static str, Key)> {
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
                ExpressionValue::Truth(truth) => {
                    shown.push((*name, Key::Flag(truth)));
                }
                ExpressionValue::Word(_) => {}
            }
        }
        shown
    }
}

impl Check for FileCheck {
    type State = FileCheckState;

    fn next(&self, state: FileCheckState, why: &mut Explanation) -> Step<FileCheckState> {
        let step = if state.rolling.is_some() {
            self.next_roll(state, why)
        } else {
            self.run_steps(state, why)
        };
        step.unwrap_or_else(|error| Step::Refuse(Box::new(error)))
    }

    fn after_roll(
        &self,
        state: FileCheckState,
        dice: &Observation,
        why: &mut Explanation,
    ) -> Step<FileCheckState> {
        let step = self.take_roll(state, dice, why);
        step.unwrap_or_else(|error| Step::Refuse(Box::new(error)))
    }

    fn after_choice(
        &self,
        state: FileCheckState,
        choice: ChoiceId,
        why: &mut Explanation,
    ) -> Step<FileCheckState> {
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
        let mut used_readings = Vec::new();
        for (place, _) in program.throws().flat_map(|throw| &throw.readings) {
            let is_used = self.live().iter().any(|live| live[*place]);
            if is_used {
                let (name, _) = program.names[*place];
                used_readings.push(name);
            }
        }
        let readings = used_readings.join(", ");

        let mut dice_groups = program.throws().flat_map(|throw| &throw.dice_groups);
        let has_long_explosions = dice_groups.any(|group| group.most_explosions() > 3);
        let hint = if has_long_explosions {
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
        let can_skip_questions = self.program.is_idle_by_default.contains(&true);
        if !policy.takes_defaults() || !can_skip_questions {
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
