//! A check that a file describes, as a machine: one for all files.

use std::collections::HashSet;
use std::sync::Arc;

use super::effects::EffectRule;
use super::expression::{Expression, Known, Name};
use super::program::{Act, Choice, Program, Question, Throw};
use crate::dice::{Chain, DieRole, Face, Fold, Folded, Lying, Pool};
use crate::rules::words::joined;
use crate::rules::{
    Ask, Check, CheckSpec, ChoiceId, Choices, ChosenBy, Explanation, Fields, House, Key, OutcomeId,
    Picked, Refused, RuleError, ShownDie, Side, Tally, Value, Walk,
};

/// More steps than this are not weighed: they would take seconds.
const MOST_STEPS: usize = 1_000_000;

/// A check with everything known but the dice.
#[derive(Debug)]
pub(in crate::rules) struct FileCheck {
    spec: &'static CheckSpec,
    program: &'static Program,
    fields: Vec<Known>,
    house: Vec<(&'static str, Known)>,
}

/// Where a check stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::rules) struct Place {
    /// The step.
    step: usize,
    /// Whether the step's condition held: it waits for dice or an answer.
    is_in: bool,
    /// How often the step's question was answered.
    times: u8,
    /// What the readings and `let`s come to; empty before the first.
    names: Vec<Known>,
    /// The dice that lie there and may still be rolled again.
    rolled: Vec<Rolled>,
    /// The dice that are being rolled.
    rolling: Option<Rolling>,
}

/// Dice that lie on the table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Rolled {
    step: usize,
    fold: Arc<Fold>,
    lying: Lying,
}

/// Dice that are being rolled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Rolling {
    /// The step that describes them.
    step: usize,
    /// All that are to be rolled.
    fold: Arc<Fold>,
    lying: Lying,
    /// The place of the side that rolls now, among those that roll in this step.
    side: usize,
    /// The dice that this side rolls for faces that exploded; none before its first roll.
    open: Option<Vec<Vec<Chain>>>,
    /// Where they are rolled again, within which values each heap is.
    again: Vec<(DieRole, (i32, i32))>,
}

/// Whether an expression over fields alone holds for these; not where it can't be worked out.
pub(in crate::rules) fn holds(when: &Expression, fields: &Fields) -> bool {
    let values: Vec<Known> = fields
        .iter()
        .map(|(_, value)| value.map_or_else(Known::default, known))
        .collect();
    let of = |name| match name {
        Name::Field(at) => values.get(at).cloned().unwrap_or_default(),
        Name::Step(_) | Name::House(_) => Known::default(),
    };
    when.holds(of).unwrap_or(false)
}

/// The value of a field as an expression knows it.
fn known(value: &Value) -> Known {
    match value {
        Value::Flag(flag) => Known::Number(i64::from(*flag)),
        Value::Number(number) => Known::Number((*number).into()),
        Value::Die(die) => Known::Number(die.sides().into()),
        Value::Text(text) => Known::Word(text.into()),
        Value::Ranks(_) => Known::default(),
    }
}

impl FileCheck {
    /// The check of these fields, unless its own steps refuse it.
    pub(in crate::rules) fn new(
        program: &'static Program,
        fields: &Fields,
        house: &House,
    ) -> Result<Self, Refused> {
        let spec = fields.spec();
        let values = fields
            .iter()
            .map(|(_, value)| value.map_or_else(Known::default, known));
        let rules = spec.system.spec().house.iter();
        let check = Self {
            spec,
            program,
            fields: values.collect(),
            house: rules
                .map(|rule| (rule.id, known(&house.value(rule))))
                .collect(),
        };
        let mut place = Place::default();
        loop {
            let next = check.next(place, &mut Walk::with(None, &mut Explanation::silent()));
            match next {
                Ok(next) => place = next,
                Err(Ask::Refused(why)) => return Err(Refused(why.to_string())),
                Err(_) => return Ok(check),
            }
        }
    }

    /// What a name stands for at this place.
    fn of<'a>(&'a self, place: &'a Place) -> impl Fn(Name) -> Known + Copy + 'a {
        move |name| match name {
            Name::Field(at) => self.fields.get(at).cloned().unwrap_or_default(),
            Name::Step(at) => place.names.get(at).cloned().unwrap_or_default(),
            Name::House(id) => {
                let mut rules = self.house.iter();
                let found = rules.find(|(rule, _)| *rule == id);
                found.map(|(_, value)| value.clone()).unwrap_or_default()
            }
        }
    }

    /// A refusal that names the step, from 1, or the outcome.
    fn refused(&self, step: usize, why: &str) -> Ask {
        let step = match self.program.steps.get(step) {
            Some(_) => format!("step {}", step + 1),
            None => "the outcome".to_owned(),
        };
        let check = self.spec.id;
        Ask::Refused(RuleError::Said(format!("{step} of {check}: {why}")).into())
    }

    fn holds(&self, when: Option<&Expression>, place: &Place) -> Result<bool, Ask> {
        let Some(when) = when else { return Ok(true) };
        let holds = when.holds(self.of(place));
        holds.map_err(|why| self.refused(place.step, &why))
    }

    fn set(&self, place: &mut Place, lets: &[(usize, Expression)]) -> Result<(), Ask> {
        for (name, to) in lets {
            let value = to.value(self.of(place));
            let value = value.map_err(|why| self.refused(place.step, &why))?;
            self.name(place, *name, value);
        }
        Ok(())
    }

    fn name(&self, place: &mut Place, name: usize, value: Known) {
        place
            .names
            .resize(self.program.names.len(), Known::default());
        place.names[name] = value;
    }

    /// Goes on to the next step. While odds are weighed what no later step looks at is forgotten.
    fn leave(&self, place: &mut Place, walk: &Walk<'_>) {
        place.step += 1;
        (place.is_in, place.times) = (false, 0);
        if !walk.why.is_weighing {
            return;
        }
        let live = &self.program.live[place.step];
        for (name, _) in place.names.iter_mut().zip(live).filter(|(_, live)| !**live) {
            *name = Known::default();
        }
        let step = place.step;
        place.rolled.retain(|rolled| {
            let Some(throw) = self.throw(rolled.step) else {
                return false;
            };
            let mut again = throw.heaps.iter().flat_map(|heap| &heap.again);
            again.any(|((question, ..), _)| *question >= step)
        });
    }

    fn throw(&self, step: usize) -> Option<&'static Throw> {
        match &self.program.steps.get(step)?.act {
            Act::Roll(throw) => Some(throw),
            _ => None,
        }
    }

    /// The end: the first outcome whose condition holds.
    fn end(&self, place: &Place, walk: &mut Walk<'_>) -> Ask {
        let of = self.of(place);
        let found = (|| {
            let mut endings = (0..).zip(&self.program.endings);
            let found = endings.find_map(|(id, ending)| {
                let holds = ending.when.as_ref().map_or(Ok(true), |when| when.holds(of));
                match holds {
                    Ok(false) => None,
                    holds => Some(holds.map(|_| (OutcomeId(id), ending))),
                }
            });
            let (id, ending) = found.ok_or("no outcome fits")??;
            let amount = |what: &Option<Expression>| {
                let what = what.as_ref();
                what.map(|what| what.amount(of)).transpose()
            };
            let mut tally = Tally::new(amount(&self.program.total)?, ending.ticks.amount(of)?);
            tally.is_success = self.spec.outcome(id).success;
            if !walk.why.is_weighing {
                let target = amount(&self.program.target)?;
                let effects = self.program.spends.iter().chain(&ending.effects);
                let effects = EffectRule::all(effects, of)?;
                walk.tell(|why| {
                    why.target = target;
                    let help = self.spec.outcome(id).help;
                    if !help.is_empty() {
                        why.say(help);
                    }
                    why.effects.extend(effects);
                    let names = self.program.names.iter().zip(&place.names);
                    let told = names.filter(|((_, is_told), _)| *is_told);
                    why.keys = told
                        .filter_map(|((name, _), value)| key(name, value))
                        .collect();
                });
            }
            Ok::<_, String>((id, tally))
        })();
        match found {
            Ok((id, tally)) => Ask::Done(id, tally),
            Err(why) => self.refused(place.step, &why),
        }
    }
}

/// A name and its value as JSON shows it.
fn key(name: &'static str, value: &Known) -> Option<(&'static str, Key)> {
    Some((
        name,
        match value {
            Known::Number(number) => Key::Number(i32::try_from(*number).ok()?),
            Known::Truth(truth) => Key::Flag(*truth),
            Known::Word(_) => return None,
        },
    ))
}

impl Check for FileCheck {
    type State = Place;

    fn next(&self, mut place: Place, walk: &mut Walk<'_>) -> Result<Place, Ask> {
        if place.rolling.is_some() {
            return self.roll(place, walk);
        }
        let mut has_moved = false;
        loop {
            let Some(step) = self.program.steps.get(place.step) else {
                return Err(self.end(&place, walk));
            };
            if !place.is_in && !self.holds(step.when.as_ref(), &place)? {
                self.leave(&mut place, walk);
                has_moved = true;
                continue;
            }
            match &step.act {
                Act::Let(lets) => self.set(&mut place, lets)?,
                Act::Refuse(words) => {
                    let why = words.filled(self.of(&place));
                    let why = why.map_err(|why| self.refused(place.step, &why))?;
                    return Err(Ask::Refused(RuleError::Said(why).into()));
                }
                Act::Say(words) if walk.why.is_weighing || words.is_empty() => {}
                Act::Say(words) => {
                    let told = words.filled(self.of(&place));
                    let told = told.map_err(|why| self.refused(place.step, &why))?;
                    walk.tell(|why| why.say(told));
                }
                // States are told apart where something is asked for, and nowhere else.
                Act::Roll(_) | Act::Choose(_) if has_moved || !place.is_in => {
                    place.is_in = true;
                    if let Act::Roll(throw) = &step.act {
                        let fold = throw.fold(self.of(&place));
                        let fold = fold.map_err(|why| self.refused(place.step, &why))?;
                        let lying = fold.nothing();
                        place.rolling = Some(Rolling {
                            step: place.step,
                            fold,
                            lying,
                            side: 0,
                            open: None,
                            again: Vec::new(),
                        });
                    }
                    return Ok(place);
                }
                Act::Roll(_) => {}
                Act::Choose(question) => match self.choose(&mut place, question, walk)? {
                    Asked::Over => {}
                    Asked::Again => return Ok(place),
                },
            }
            self.leave(&mut place, walk);
            has_moved = true;
        }
    }

    fn most_steps(&self) -> usize {
        MOST_STEPS
    }
}

/// How a question goes on.
enum Asked {
    /// With the next step.
    Over,
    /// With itself, or with dice that are rolled again.
    Again,
}

impl FileCheck {
    /// Puts a question, and does what its answer says.
    fn choose(
        &self,
        place: &mut Place,
        question: &Question,
        walk: &mut Walk<'_>,
    ) -> Result<Asked, Ask> {
        let step = place.step;
        let mut open = Vec::new();
        for option in (0..).zip(&question.options) {
            if self.holds(option.1.when.as_ref(), place)? {
                open.push(option);
            }
        }
        let refused = |why: String| self.refused(step, &why);
        let Some(first) = open.first() else {
            return Ok(Asked::Over);
        };
        let taken = if open.len() == 1 {
            first.0
        } else {
            let times = question.times.amount(self.of(place)).map_err(refused)?;
            if i32::from(place.times) >= times {
                return Ok(Asked::Over);
            }
            let labels = open.iter().map(|(id, option)| {
                let label = if walk.why.is_weighing || option.label.is_empty() {
                    Ok(option.id.to_owned())
                } else {
                    option.label.filled(self.of(place))
                };
                let (id, name) = (ChoiceId(*id), option.id.to_owned());
                label.map(|label| Picked { id, name, label })
            });
            let options = labels
                .collect::<Result<Vec<Picked>, _>>()
                .map_err(refused)?;
            let default = open
                .iter()
                .position(|(id, _)| *id as usize == question.default);
            let choice = question.id;
            let default = default.unwrap_or(0);
            let mut ask = String::new();
            if !walk.why.is_weighing {
                ask = question.ask.filled(self.of(place)).map_err(refused)?;
            }
            walk.choose(question.by, |_| Choices {
                choice,
                ask,
                options,
                default,
            })?
            .0
        };
        let Some(option) = question.options.get(taken as usize) else {
            return Ok(Asked::Over);
        };
        if !walk.why.is_weighing {
            let label = option.label.filled(self.of(place)).map_err(refused)?;
            if open.len() > 1 {
                walk.tell(|why| tell_choice(why, &label, option.id));
            }
            let effects = EffectRule::all(&option.effects, self.of(place)).map_err(refused)?;
            walk.tell(|why| why.effects.extend(effects));
        }
        self.set(place, &option.lets)?;
        place.times = place.times.saturating_add(1);
        let is_last = taken == 0 || open.len() == 1;
        if self.roll_again(place, taken as usize, option) {
            return Ok(Asked::Again);
        }
        let times = question.times.amount(self.of(place)).map_err(refused)?;
        Ok(if is_last || i32::from(place.times) >= times {
            Asked::Over
        } else {
            Asked::Again
        })
    }

    /// Takes up the dice that an option has rolled again; returns whether there are any.
    fn roll_again(&self, place: &mut Place, option: usize, choice: &Choice) -> bool {
        for rolled in place.rolled.iter().rev() {
            let Some(throw) = self.throw(rolled.step) else {
                continue;
            };
            let mut lying = rolled.lying.clone();
            let (mut counts, mut again) = (Vec::new(), Vec::new());
            for (heap, rule) in throw.heaps.iter().enumerate() {
                let mut bounds = rule.again.iter();
                let mine = (place.step, option);
                let bounds = bounds.position(|((step, chosen, _), _)| (*step, *chosen) == mine);
                let is_meant = choice.again.contains(&rule.name);
                let taken = bounds.filter(|_| is_meant).map_or(0, |bounds| {
                    let (taken, left) = rolled.fold.take_up(&lying, heap, bounds);
                    lying = left;
                    let bounds = rolled.fold.heaps[heap].again.get(bounds);
                    again.extend(bounds.map(|bounds| (rule.name, *bounds)));
                    taken
                });
                counts.push((
                    taken,
                    rule.explodes.as_ref().map_or(0, |(_, most, _)| *most),
                ));
            }
            if counts.iter().all(|(count, _)| *count == 0) {
                continue;
            }
            place.rolling = Some(Rolling {
                step: rolled.step,
                fold: Arc::new(rolled.fold.again(&counts)),
                lying,
                side: 0,
                open: None,
                again,
            });
            return true;
        }
        false
    }

    /// Rolls the dice of the side that is next, then the next side's, and reads them at the end.
    fn roll(&self, mut place: Place, walk: &mut Walk<'_>) -> Result<Place, Ask> {
        let Some(mut rolling) = place.rolling.take() else {
            return Ok(place);
        };
        let Some(throw) = self.throw(rolling.step) else {
            return Ok(place);
        };
        let sides = sides(throw);
        let mut fold = Fold::clone(&rolling.fold);
        fold.is_whole = walk.why.is_weighing;
        while let Some(&side) = sides.get(rolling.side) {
            for (at, (heap, rule)) in fold.heaps.iter_mut().zip(&throw.heaps).enumerate() {
                let chains = match &rolling.open {
                    None => rolling.fold.heaps[at].chains.clone(),
                    Some(open) => open[at].clone(),
                };
                heap.chains = if rule.by == side { chains } else { Vec::new() };
            }
            if fold.heaps.iter().all(|heap| heap.chains.is_empty()) {
                rolling.side += 1;
                rolling.open = None;
                continue;
            }
            let can_roll_again = throw.heaps.iter().any(|heap| !heap.again.is_empty());
            fold.is_final =
                fold.is_whole && sides.len() == 1 && !can_roll_again && rolling.open.is_none();
            let names: Vec<DieRole> = throw.heaps.iter().map(|heap| heap.name).collect();
            let is_final = fold.is_final;
            let fallen = walk.roll(side, || Pool::of_heaps(fold, &names))?.folded();
            let Some(Folded { lying, open }) = fallen else {
                return Ok(place);
            };
            walk.tell(|why| {
                show(
                    why,
                    if rolling.open.is_none() {
                        &rolling.again
                    } else {
                        &[]
                    },
                );
            });
            if is_final {
                self.read(&mut place, throw, lying);
                self.leave(&mut place, walk);
                return Ok(place);
            }
            rolling.lying = rolling.fold.together(&rolling.lying, lying);
            rolling.open = Some(open.clone());
            if open.iter().all(Vec::is_empty) {
                rolling.side += 1;
                rolling.open = None;
            }
            break;
        }
        if rolling.side < sides.len() {
            place.rolling = Some(rolling);
            return Ok(place);
        }
        let readings = rolling.fold.finish(&rolling.lying);
        self.read(&mut place, throw, &readings);
        walk.tell(|why| self.tell_readings(why, (throw, &rolling.fold), &place));
        let is_again = !rolling.again.is_empty();
        if throw.heaps.iter().any(|heap| !heap.again.is_empty()) {
            place.rolled.retain(|rolled| rolled.step != rolling.step);
            let Rolling {
                step, fold, lying, ..
            } = rolling;
            let fold = Arc::new(fold.again(&[]));
            place.rolled.push(Rolled { step, fold, lying });
        }
        if !is_again {
            self.leave(&mut place, walk);
            return Ok(place);
        }
        // The question that had them rolled again is put once more, or left.
        if let Some(Act::Choose(question)) =
            self.program.steps.get(place.step).map(|step| &step.act)
        {
            let times = question.times.amount(self.of(&place));
            let times = times.map_err(|why| self.refused(place.step, &why))?;
            if i32::from(place.times) >= times {
                self.leave(&mut place, walk);
            }
        }
        Ok(place)
    }

    fn read(&self, place: &mut Place, throw: &Throw, readings: &[i32]) {
        for ((name, _), reading) in throw.readings.iter().zip(readings) {
            self.name(place, *name, Known::Number((*reading).into()));
        }
    }

    /// Says what the dice come to.
    fn tell_readings(&self, why: &mut Explanation, (throw, fold): (&Throw, &Fold), place: &Place) {
        recount(why, throw, fold);
        let told = throw
            .readings
            .iter()
            .map(|(name, _)| (self.program.names[*name], &place.names[*name]));
        let told = told.filter(|((_, is_told), _)| *is_told);
        let told =
            told.map(|((name, _), value)| format!("{} {value}", name.replace(['-', '_'], " ")));
        let told = joined(told, ", ");
        if !told.is_empty() {
            why.say(format!("That is {told}."));
        }
    }
}

/// The sides that roll in a step, in the order in which they are asked.
fn sides(throw: &Throw) -> Vec<Side> {
    let mut known = HashSet::new();
    let sides = throw.heaps.iter().map(|heap| heap.by);
    sides.filter(|side| known.insert(*side)).collect()
}

fn tell_choice(why: &mut Explanation, label: &str, id: &str) {
    let nobody = why
        .chosen
        .as_ref()
        .is_some_and(|(_, by)| *by == ChosenBy::Default);
    let label = if label.is_empty() { id } else { label };
    why.say(if nobody {
        format!("Nobody chose, so that it is: {label}.")
    } else {
        format!("Chosen: {label}.")
    });
}

/// Shows the last roll. Dice that were rolled again take the places of those that lay there within these bounds.
fn show(why: &mut Explanation, again: &[(DieRole, (i32, i32))]) {
    if again.is_empty() {
        why.roll();
        return;
    }
    let Some((pool, faces)) = why.rolls.last().cloned() else {
        return;
    };
    let before = why.dice.len();
    for ((die, role), face) in pool.order().zip(faces) {
        let is_replaced = |at| why.dice.iter().any(|die| die.replaces == Some(at));
        let lies = |at: &usize| {
            let die = &why.dice[*at];
            let is_meant = |(name, (from, to)): &(DieRole, (i32, i32))| {
                *name == role && (*from..=*to).contains(&die.face.into())
            };
            die.role == role && again.iter().any(is_meant) && !is_replaced(*at)
        };
        match (0..before).find(lies) {
            Some(at) => why.roll_again(at, face.into()),
            None => why.dice.push(ShownDie::new(die, role, face, true)),
        }
    }
}

/// Marks the dice that count among all that lie there now.
fn recount(why: &mut Explanation, throw: &Throw, fold: &Fold) {
    let mut lying = Vec::new();
    let mut fold = fold.clone();
    for (heap, rule) in fold.heaps.iter_mut().zip(&throw.heaps) {
        let is_replaced = |at| why.dice.iter().any(|die| die.replaces == Some(at));
        let mine =
            (0..why.dice.len()).filter(|at| why.dice[*at].role == rule.name && !is_replaced(*at));
        let before = lying.len();
        lying.extend(mine);
        let dice = (lying.len() - before) / if heap.is_hundred { 2 } else { 1 };
        heap.chains = vec![Chain { sum: 0, left: 0 }; dice];
    }
    let faces: Vec<Face> = lying.iter().map(|at| why.dice[*at].face).collect();
    for (at, kept) in lying.into_iter().zip(fold.kept(&faces)) {
        why.dice[at].kept = kept;
    }
}
