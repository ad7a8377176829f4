//! A check that a file describes, as a machine: one for all files.

use std::sync::Arc;

use super::program::effect_rule::{EffectRule, What};
use super::program::expression::{Expression, Known, Name};
use super::program::template::Template;
use super::program::{Act, Choice, Lets, Program, Question, Step, Throw};
use super::stage::{Rolling, Stage};
use crate::words::{capitalise, join};
use crate::{
    Answered, Ask, Check, CheckSpec, ChoiceId, Choices, Effect, Explanation, Fields, HouseRules,
    Key, MayLock, OutcomeId, Picked, Refused, RuleError, Tally, Walk,
};

/// More steps than this are not weighed: each takes about a microsecond.
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
        };
        let mut state = Stage::default();
        loop {
            let mut silent = Explanation::silent();
            match check.next(state.clone(), &mut Walk::with(None, &mut silent)) {
                Ok(next) => state = next,
                Err(Ask::Refused(why)) => return Err(Refused(why.to_string())),
                Err(_) => return Ok((check, state)),
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
    fn refused(&self, step: usize, why: &str) -> Ask {
        let check = self.spec.id;
        let place = self.program.steps.get(step).map(|Step { at, .. }| {
            let before = self.spec.system.text().get(..*at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            format!("step {} of {check}, line {line}", step + 1)
        });
        let place = place.unwrap_or_else(|| format!("the outcome of {check}"));
        Ask::Refused(RuleError::Said(format!("{place}: {why}")).into())
    }

    /// What was worked out as far as the check has come, else the refusal.
    fn worked<T>(&self, state: &Stage, worked: Result<T, String>) -> Result<T, Ask> {
        worked.map_err(|why| self.refused(state.step, &why))
    }

    fn holds(&self, when: Option<&Expression>, state: &Stage) -> Result<bool, Ask> {
        let Some(when) = when else { return Ok(true) };
        self.worked(state, when.holds(self.of(state)))
    }

    /// Words with the values of now.
    fn filled(&self, words: &Template, state: &Stage) -> Result<String, Ask> {
        self.worked(state, words.filled(self.of(state)))
    }

    /// Whether a question may be put no more.
    pub(super) fn is_over(&self, question: &Question, state: &Stage) -> Result<bool, Ask> {
        let times = self.worked(state, question.times.amount(self.of(state)))?;
        Ok(state.times == ANSWERED || i32::from(state.times) >= times)
    }

    fn set(&self, state: &mut Stage, lets: &Lets) -> Result<(), Ask> {
        let known = lets.known.answer(self.of(state), |_| {
            let mut then = state.clone();
            let values = lets.each.iter().map(|(name, to)| {
                let value = self.worked(&then, to.value(self.of(&then)))?;
                then.set(*name, value.clone());
                Ok(value)
            });
            values.collect::<Result<Arc<[Known]>, Ask>>()
        })?;
        for ((name, _), value) in lets.each.iter().zip(&*known) {
            state.set(*name, value.clone());
        }
        Ok(())
    }

    /// Goes on to the next step. While odds are weighed what no later step looks at is forgotten.
    pub(super) fn leave(&self, state: &mut Stage, walk: &Walk<'_>) {
        state.step += 1;
        (state.is_in, state.times) = (false, 0);
        if !walk.why.is_weighing {
            return;
        }
        let live = &self.program.live[state.step];
        let is_seen = |(at, value): &(usize, Known)| live[*at] && *value != Known::default();
        state.names.retain(is_seen);
        let step = state.step;
        state.rolled.retain(|rolled| {
            let throw = self.throw(rolled.step);
            throw.is_some_and(|throw| throw.is_rolled_again(step))
        });
    }

    pub(super) fn throw(&self, step: usize) -> Option<&'static Throw> {
        match &self.program.steps.get(step)?.act {
            Act::Roll(throw) => Some(throw),
            _ => None,
        }
    }

    /// The number of a total or a target; a word says that there is none.
    fn amount(&self, what: Option<&Expression>, state: &Stage) -> Result<Option<i32>, Ask> {
        let value = what.map(|what| what.value(self.of(state)));
        let value = self.worked(state, value.transpose())?;
        let number = value.filter(|value| !matches!(value, Known::Word(_)));
        self.worked(state, number.map(Known::amount).transpose())
    }

    /// The end: the first outcome whose condition holds.
    fn ending(&self, state: &Stage) -> Result<(OutcomeId, Tally), Ask> {
        for (id, ending) in (0..).zip(&self.program.endings) {
            if self.holds(ending.when.as_ref(), state)? {
                let ticks = self.worked(state, ending.ticks.amount(self.of(state)))?;
                let total = self.amount(self.program.total.as_ref(), state)?;
                let mut tally = Tally::new(total, ticks);
                if self.spec.success_after.is_none() {
                    tally.is_success = self.spec.outcome(OutcomeId(id)).success;
                }
                let outcome = self.spec.after_modifiers(OutcomeId(id), tally.is_success);
                return Ok((outcome, tally));
            }
        }
        Err(self.refused(state.step, "no outcome fits"))
    }

    /// Ends the check, and says why.
    fn end(&self, state: &Stage, walk: &mut Walk<'_>) -> Result<Stage, Ask> {
        let (of, program) = (self.of(state), self.program);
        let known = program.known_ends.as_ref();
        let known = known.map(|known| known.answer(of, |_| self.ending(state)));
        let (id, tally) = known.unwrap_or_else(|| self.ending(state))?;
        if !walk.why.is_weighing {
            let outcome = self.spec.outcome(id);
            let target = self.amount(program.target.as_ref(), state)?;
            let ending = &program.endings[usize::from(id.0)];
            let effects = program.always.iter().chain(&ending.effects);
            let effects = self.worked(state, EffectRule::all(effects, of))?;
            walk.tell(|why| {
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
        Err(Ask::Done(id, tally))
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

    fn next(&self, mut state: Stage, walk: &mut Walk<'_>) -> Result<Stage, Ask> {
        if state.rolling.is_some() {
            return self.roll(state, walk);
        }
        let mut has_moved = false;
        loop {
            let Some(step) = self.program.steps.get(state.step) else {
                return self.end(&state, walk);
            };
            // Nobody hears what is said while odds are weighed.
            let is_silent = walk.why.is_weighing && matches!(step.act, Act::Say(_));
            if !state.is_in && (is_silent || !self.holds(step.when.as_ref(), &state)?) {
                self.leave(&mut state, walk);
                has_moved = true;
                continue;
            }
            match &step.act {
                Act::Let(lets) => self.set(&mut state, lets)?,
                Act::Refuse(words) => {
                    let why = self.filled(words, &state)?;
                    return Err(Ask::Refused(RuleError::Said(why).into()));
                }
                Act::Say(words) => {
                    let told = capitalise(&self.filled(words, &state)?);
                    walk.tell(|why| why.say(told));
                }
                // States are told apart where something is asked for, and nowhere else.
                Act::Roll(_) | Act::Choose(_) if has_moved || !state.is_in => {
                    state.is_in = true;
                    if let Act::Roll(throw) = &step.act {
                        let live = &self.program.live[state.step + 1];
                        let live = walk.why.is_weighing.then_some(&live[..]);
                        let fold = self.worked(&state, throw.fold(self.of(&state), live))?;
                        let lying = fold.empty_state();
                        state.rolling = Some(Arc::new(Rolling {
                            step: state.step,
                            fold,
                            lying,
                            side: 0,
                            open: None,
                            again: Vec::new(),
                        }));
                    }
                    return Ok(state);
                }
                Act::Roll(_) => {}
                Act::Choose(question) => {
                    if !self.choose(&mut state, question, walk)? {
                        return Ok(state);
                    }
                }
            }
            self.leave(&mut state, walk);
            // What many dice come to may be the same.
            if walk.why.is_weighing && matches!(step.act, Act::Let(_)) {
                return Ok(state);
            }
            has_moved = true;
        }
    }

    fn most_steps(&self) -> usize {
        MOST_WEIGHED
    }

    fn told_apart(&self) -> String {
        let Program { live, names, .. } = self.program;
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
}

impl FileCheck {
    /// Puts a question, and does what its answer says; returns whether the check goes on with the next step.
    fn choose(
        &self,
        state: &mut Stage,
        question: &Question,
        walk: &mut Walk<'_>,
    ) -> Result<bool, Ask> {
        let mut open = Vec::new();
        for option in (0..).zip(&question.options) {
            open.extend((self.holds(option.1.when.as_ref(), state)?).then_some(option));
        }
        if open.len() < 2 {
            let is_open = |at| open.iter().any(|(open, _)| *open == at);
            let closed = (0..).zip(&question.options).filter(|(at, _)| !is_open(*at));
            let closed = closed.map(|(_, option)| (option.id, option.opens));
            walk.why.closed.extend(closed);
        }
        let Some(first) = open.first() else {
            return Ok(true);
        };
        let mut asked = None;
        let taken = if open.len() == 1 {
            first.0
        // It was asked from this very state, so it is not over; and nobody reads its words.
        } else if walk.why.is_weighing
            && let Some(Answered::Chose(ChoiceId(taken))) = walk.answer.take()
        {
            taken
        } else {
            if self.is_over(question, state)? {
                return Ok(true);
            }
            let choices = self.choices(state, question, &open, walk.why.is_weighing)?;
            asked = (!walk.why.is_weighing).then(|| choices.clone());
            walk.choose(question.by, |_| choices)?.0
        };
        let Some(option) = question.options.get(taken as usize) else {
            return Ok(true);
        };
        if !walk.why.is_weighing {
            if let Some(asked) = asked {
                walk.tell(|why| tell_choice(why, &asked, taken));
            }
            let effects = EffectRule::all(&option.effects, self.of(state));
            let effects = self.worked(state, effects)?;
            walk.tell(|why| why.effects.extend(effects));
        }
        self.set(state, &option.lets)?;
        state.times = if taken == 0 || open.len() == 1 {
            ANSWERED
        } else {
            state.times.saturating_add(1)
        };
        let is_over = self.is_over(question, state)?;
        // What is rolled now may be what says how often it is asked.
        let is_last = is_over && walk.why.is_weighing && question.times.length == 0;
        let from = state.step + usize::from(is_last);
        if self.roll_again(state, taken as usize, from) {
            return Ok(false);
        }
        Ok(is_over)
    }

    /// A question between these options, in words unless odds are weighed.
    fn choices(
        &self,
        state: &Stage,
        question: &Question,
        open: &[(u32, &Choice)],
        is_weighing: bool,
    ) -> Result<Choices, Ask> {
        let filled = |words: &Template| {
            if is_weighing {
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
            options: options.collect::<Result<_, Ask>>()?,
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
