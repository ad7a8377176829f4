//! Exact odds: steps through a check with every possible answer instead of one.
//!
//! The computation steps all states forward together. A state holds only the values that later steps depend on, so
//! hundreds of thousands of paths merge into dozens of states.

pub(super) mod evaluate;
pub(super) mod policy;
mod total;

use std::cmp::Reverse;
use std::sync::Arc;

use super::{
    Answer, Ask, CheckSpec, ChosenBy, DynCheck, Fields, HouseRules, OutcomeId, Picked, Progress,
    RuleError, Score, Side, Tone, count_faces,
};
pub use policy::{Evaluation, Policy};
use tableside_dice::{Distribution, Fraction, Memo, Natural, ratio};
pub use total::TotalOdds;

/// The exact odds of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    spec: &'static CheckSpec,
    evaluation: Evaluation,
    /// Every outcome of the check in the order of its description, with its chance, even if that is 0.
    pub outcomes: Vec<(OutcomeId, Fraction)>,
    /// The chance of success, if the outcomes of the check have success.
    pub success: Option<Fraction>,
    /// The odds of the total, if the check has one.
    pub total: Option<TotalOdds>,
    /// The distribution of the segments that a clock is filled by.
    pub levels: Distribution,
}

impl Odds {
    /// Computes the odds of a check before anything is rolled.
    ///
    /// # Errors
    /// If the check refuses a step, if the dice can fall in too many ways, or if an answer of the policy is never an option.
    pub fn of(
        spec: &'static CheckSpec,
        check: &dyn DynCheck,
        policy: &Policy,
    ) -> Result<Self, RuleError> {
        Self::after(spec, check, &[], policy)
    }

    /// Computes the odds of a check after the answers of this trail.
    ///
    /// # Errors
    /// As for [`Self::of`], and if the trail does not fit the check.
    pub fn after(
        spec: &'static CheckSpec,
        check: &dyn DynCheck,
        trail: &[Answer],
        policy: &Policy,
    ) -> Result<Self, RuleError> {
        Ok(Self::read(spec, check.evaluate(trail, policy)?))
    }

    /// Returns the odds of the check with these fields under these house rules before anything is rolled, from a cache if
    /// possible: a dialog shows them, and a moment later the roll needs them for its luck.
    ///
    /// # Errors
    /// As for [`Self::of`].
    pub fn cached(
        check: &dyn DynCheck,
        fields: &Fields,
        house: &HouseRules,
        policy: &Policy,
    ) -> Result<Arc<Self>, RuleError> {
        // The size is the number of ways in which the cached checks can end. Ordinary checks have dozens, so the cache
        // takes a few megabytes at most.
        static CACHE: Memo<(Fields, HouseRules, Policy), Arc<Odds>> = Memo::new(50_000);

        let question = (fields.clone(), house.clone(), policy.clone());
        let compute = || Self::of(fields.spec(), check, policy).map(Arc::new);
        CACHE.get_or_compute(&question, compute, |odds| odds.evaluation.ends.len())
    }

    /// The number of steps that the computation took.
    pub(super) fn steps(&self) -> usize {
        self.evaluation.steps_taken
    }

    fn read(spec: &'static CheckSpec, evaluation: Evaluation) -> Self {
        let mut ways_to = vec![Natural::ZERO; spec.outcomes.len()];
        for (OutcomeId(index), _, ways) in &evaluation.ends {
            ways_to[usize::from(*index)] += ways;
        }

        let mut outcomes = Vec::with_capacity(ways_to.len());
        for (id, ways) in (0..).map(OutcomeId).zip(&ways_to) {
            outcomes.push((id, ratio(ways, &evaluation.total_ways)));
        }

        let success = if spec.has_success {
            Some(evaluation.chance(|_, score| score.is_success))
        } else {
            None
        };

        Self {
            spec,
            outcomes,
            success,
            total: TotalOdds::of(spec, &evaluation),
            levels: spread(&evaluation, |_, score| score.levels),
            evaluation,
        }
    }

    /// Returns the distribution of a number that `value_of` computes from the outcome and score of each way the check
    /// can end.
    pub fn spread(&self, value_of: impl Fn(OutcomeId, &Score) -> i32) -> Distribution {
        spread(&self.evaluation, value_of)
    }

    /// Returns every way the check can end, an outcome with a score, and the chance of each. If dice still explode
    /// after the outcome is certain, the total is the one without their further rolls.
    pub fn ends(&self) -> impl Iterator<Item = (OutcomeId, &Score, Fraction)> + '_ {
        let Evaluation {
            ends, total_ways, ..
        } = &self.evaluation;
        ends.iter().map(|(outcome, score, ways)| {
            let chance = ratio(ways, total_ways);
            (*outcome, score, chance)
        })
    }

    /// Returns the luck of a result, from 0 to 1: the chance of a worse result, plus half the chance of an equally good one.
    /// The mean over all results is exactly one half.
    ///
    /// Results are compared by the tone of the outcome, then by the segments for a clock, then by the total.
    pub fn percentile(&self, outcome: OutcomeId, score: &Score) -> Fraction {
        let rank = self.rank(outcome, score);
        let evaluation = &self.evaluation;
        let worse = evaluation.chance(|outcome, score| self.rank(outcome, score) < rank);
        let not_better = evaluation.chance(|outcome, score| self.rank(outcome, score) <= rank);

        let half = ratio(&Natural::ONE, &Natural::from(2_u128));
        &(&worse + &not_better) * &half
    }

    /// Returns the rank of a result for its luck. Better results have higher ranks.
    fn rank(&self, outcome: OutcomeId, score: &Score) -> (Reverse<Tone>, i32, i32) {
        let total = score.total.unwrap_or(0);
        let comparable_total = if self.spec.explodes {
            // Totals are incomplete while dice still explode.
            0
        } else if self.spec.rolls_under {
            -total
        } else {
            total
        };

        let tone = self.spec.outcome(outcome).tone;
        (Reverse(tone), score.levels, comparable_total)
    }

    /// Returns the value of these odds to the roller.
    fn merit(&self) -> Merit {
        // Better tones compare as lower. The chance of at least a disaster is always 1, so it is omitted.
        let tones = [Tone::Triumph, Tone::Good, Tone::Mixed, Tone::Bad];
        let chance_of_at_least = |tone| {
            self.evaluation.chance(|outcome, _| {
                let outcome_tone = self.spec.outcome(outcome).tone;
                outcome_tone <= tone
            })
        };
        let mean_total = self.total.as_ref().map(|total| &total.mean);

        Merit {
            success: self.success.clone(),
            tones: tones.map(chance_of_at_least),
            levels: self.levels.mean(),
            total: mean_total.cloned(),
        }
    }
}

/// The value of odds to the roller. Options are compared by the first field that differs.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Merit {
    success: Option<Fraction>,
    /// The chances of outcomes with at least each tone, from the best tone down.
    tones: [Fraction; 4],
    /// The mean of the segments for a clock.
    levels: Fraction,
    /// The mean of the total.
    total: Option<Fraction>,
}

fn spread(evaluation: &Evaluation, value_of: impl Fn(OutcomeId, &Score) -> i32) -> Distribution {
    let mut ways_to = Vec::with_capacity(evaluation.ends.len());
    for (outcome, score, ways) in &evaluation.ends {
        let value = i64::from(value_of(*outcome, score));
        ways_to.push((value, ways.clone()));
    }
    Distribution::new(ways_to, evaluation.total_ways.clone())
}

/// Returns the luck of a roll with these fields under these house rules: its percentile among all results of the same dice
/// with the same decisions. `None` if the roll is not resolved, has no dice, or has too many possible results.
///
/// # Errors
/// If the trail does not fit the check.
pub fn luck(
    check: &dyn DynCheck,
    fields: &Fields,
    house: &HouseRules,
    trail: &[Answer],
) -> Result<Option<Fraction>, RuleError> {
    let Progress::Done(outcome, score) = check.after(trail)? else {
        return Ok(None);
    };

    let has_dice = count_faces(trail) > 0;
    if !has_dice {
        return Ok(None);
    }

    let policy = Policy::of(trail);
    match Odds::cached(check, fields, house, &policy) {
        Ok(odds) => {
            let luck = odds.percentile(outcome, &score);
            Ok(Some(luck))
        }
        Err(_) => Ok(None),
    }
}

/// The options of a choice with their odds.
#[derive(Clone, Debug, PartialEq)]
pub struct Buttons {
    /// The options in their order, each with the odds of the check once it is chosen. Later choices take their
    /// defaults.
    pub options: Vec<(Picked, Odds)>,
    /// The index of the best option for the roller, or of the worst if another side decides.
    pub best: usize,
    /// The index of the option that dialogs mark. It never costs anything if another option is free: it is `best`, or
    /// the default if the GM decides or if `best` has a cost.
    pub marked: usize,
    /// The side that decides.
    pub by: Side,
}

/// Computes the odds of each option of the choice that a check offers after this trail. `None` if it does not offer one
/// then.
///
/// # Errors
/// If the trail does not fit the check, or as for [`Odds::of`].
pub fn buttons(
    spec: &'static CheckSpec,
    check: &dyn DynCheck,
    trail: &[Answer],
) -> Result<Option<Buttons>, RuleError> {
    let Progress::Waits(Ask::Choose { choices, by }) = check.after(trail)? else {
        return Ok(None);
    };

    let mut options = Vec::new();
    let mut longer_trail = trail.to_vec();
    for option in choices.options {
        let name = option.name.clone();
        let answer = Answer::chose(choices.choice, name, ChosenBy::Default);
        longer_trail.push(answer);

        let odds = Odds::after(spec, check, &longer_trail, &Policy::default())?;
        options.push((option, odds));
        longer_trail.pop();
    }

    let default = choices.default;
    let best = best_option(&options, default, by);
    let marked = marked_option(&options, default, best, by);

    Ok(Some(Buttons {
        options,
        best,
        marked,
        by,
    }))
}

/// Returns the index of the option that dialogs mark.
fn marked_option(options: &[(Picked, Odds)], default: usize, best: usize, by: Side) -> usize {
    let is_free = |index: &usize| {
        let option = options.get(*index);
        option.is_some_and(|(option, _)| !option.has_cost())
    };

    let preferred = if by == Side::Gm {
        [default, best]
    } else {
        [best, default]
    };
    let mut candidates = preferred.into_iter().chain(0..options.len());
    candidates.find(is_free).unwrap_or(preferred[0])
}

/// Returns the index of the option that the deciding side should choose: the best for the roller, or the worst if another
/// side decides.
///
/// If the default has the same odds as the best option, it is preferred, since it spends the least. Among other equal
/// options the first is preferred.
fn best_option(options: &[(Picked, Odds)], default: usize, by: Side) -> usize {
    let mut merits = Vec::new();
    for (_, odds) in options {
        merits.push(odds.merit());
    }

    // Of equal options `max_by_key` returns the last and `min_by_key` the first.
    let indices = 0..merits.len();
    let best = match by {
        Side::Actor => indices.rev().max_by_key(|&index| &merits[index]),
        Side::Opponent | Side::Gm => indices.min_by_key(|&index| &merits[index]),
    };
    let best = best.unwrap_or(0);

    let outcomes = |index: usize| options.get(index).map(|(_, odds)| &odds.outcomes);
    if outcomes(default) == outcomes(best) {
        default
    } else {
        best
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::{MarginalOdds, System, marginal_odds};

    /// Prepares a check from words like those of the command line.
    fn prepare(words: &str) -> (&'static CheckSpec, Fields, Box<dyn DynCheck>) {
        let mut words = words.split(' ');
        let system: System = words.next().unwrap().parse().unwrap();
        let spec = system.check(words.next().unwrap()).unwrap();
        let mut fields = Fields::presets(spec);
        for word in words {
            let (name, value) = word.split_once('=').unwrap();
            let value = spec.field(name).unwrap().parse(value).unwrap();
            fields.set(name, value).unwrap();
        }
        let check = spec.prepare(&fields, &HouseRules::default()).unwrap();
        (spec, fields, check)
    }

    const CLIFF: &str = "heart-rush skill heart=d8 ability=d6 cn=9";

    #[rstest]
    #[case::skill(CLIFF)]
    #[case::attack(
        "heart-rush attack heart=d8 ability=d6 weapon=d8 defense-heart=d8 defense-ability=d6"
    )]
    #[case::hundred("hearts skill skill=45")]
    #[case::challenge("friday-night-dungeon challenge competence=trained difficulty=difficult")]
    #[case::combat("friday-night-dungeon combat")]
    #[case::acs("hfrpg acs attribute=3 competency=5")]
    #[case::strategy("gnosis strategy pain=5 power-tier=1")]
    fn luck_is_one_half_in_the_mean(#[case] words: &str) {
        let (spec, _, check) = prepare(words);
        let odds = Odds::of(spec, &*check, &Policy::default()).unwrap();
        let mean =
            odds.evaluation
                .ends
                .iter()
                .fold(Fraction::ZERO, |mean, (outcome, score, ways)| {
                    let chance = ratio(ways, &odds.evaluation.total_ways);
                    &mean + &(&chance * &odds.percentile(*outcome, score))
                });
        assert_eq!(mean.to_string(), "1/2");
    }

    #[test]
    fn a_low_roll_is_lucky_if_the_check_rolls_under() {
        let (_, fields, check) = prepare("hearts skill skill=45");
        let luck = |tens, ones| {
            let trail = [Answer::Faces(vec![tens, ones])];
            let luck = luck(&*check, &fields, &HouseRules::default(), &trail);
            luck.unwrap().unwrap()
        };
        assert!(luck(2, 4) > luck(4, 1));
        assert!(luck(4, 1) > luck(4, 4));
        assert!(luck(4, 4) > luck(4, 6));
        assert!(luck(9, 9) > luck(0, 0), "a fumble is the worst of all");
    }

    #[test]
    fn each_button_has_its_odds_and_the_best_is_marked() {
        let (spec, _, check) = prepare(CLIFF);
        let trail = [Answer::Faces(vec![1, 5])];
        let buttons = buttons(spec, &*check, &trail).unwrap().unwrap();
        let successes: Vec<(&str, String)> = buttons
            .options
            .iter()
            .map(|(option, odds)| {
                let success = odds.success.as_ref().unwrap();
                (option.name.as_str(), success.to_string())
            })
            .collect();
        // The 5 stays and the d8 is rolled again: 4 or more reaches 9.
        assert_eq!(
            successes,
            [("fail", "0".to_owned()), ("complication", "5/8".to_owned())]
        );
        assert_eq!(buttons.best, 1);
        assert_eq!(super::buttons(spec, &*check, &[]), Ok(None));
    }

    #[rstest]
    #[case::luck("percentile skill skill=40 difficulty=hard luck=50", &[2, 7], "luck", "accept")]
    #[case::risk("percentile skill skill=40", &[7, 3], "push", "accept")]
    #[case::inspiration("5e check ability=10 inspiration=1", &[2], "again", "keep")]
    #[case::advantage("5e attack ability=10 ac=15 advantage=1 inspiration=1", &[9, 2], "second", "keep")]
    #[case::fate("four-dice-aspects act skill=1 opposition=2 fate=3", &[0, 0, 0, 0], "invoke", "keep")]
    #[case::free("four-dice-aspects act skill=1 opposition=2 free=1", &[0, 0, 0, 0], "free", "free")]
    #[case::momentum("iron-vows action stat=2 momentum=8", &[1, 7, 5], "burn", "keep")]
    #[case::stress("pushed-pools test attribute=2", &[2, 4], "push", "keep")]
    #[case::contest("pushed-pools contest dice=2 against=0", &[2, 4], "push", "keep")]
    #[case::pool_of_tokens("hfrpg acs attribute=2 competency=5 tokens=2", &[6, 3], "2,0", "0,0")]
    #[case::set_tokens("hfrpg acs attribute=2 competency=5 bonus=2", &[6, 3], "2,0", "0,0")]
    #[case::penalty("hfrpg acs attribute=2 competency=5 penalty=1", &[8, 3], "1,0", "1,0")]
    #[case::complication(CLIFF, &[1, 5], "complication", "complication")]
    fn an_option_with_a_cost_is_not_marked_while_another_is_free(
        #[case] words: &str,
        #[case] faces: &[i16],
        #[case] best: &str,
        #[case] marked: &str,
    ) {
        let (spec, _, check) = prepare(words);
        let trail = [Answer::Faces(faces.to_vec())];
        let buttons = buttons(spec, &*check, &trail).unwrap().unwrap();
        let option = |index: usize| &buttons.options[index].0;

        assert_eq!(option(buttons.best).name, best);
        assert_eq!(option(buttons.marked).name, marked);
        assert!(!option(buttons.marked).has_cost());
    }

    #[test]
    fn a_button_names_the_cost_of_its_option() {
        let label = |words: &str, faces: &[i16], name: &str| {
            let (spec, _, check) = prepare(words);
            let trail = [Answer::Faces(faces.to_vec())];
            let buttons = buttons(spec, &*check, &trail).unwrap().unwrap();
            let mut options = buttons.options.into_iter();
            let (option, _) = options.find(|(option, _)| option.name == name).unwrap();
            option.button_label()
        };

        let skill = "percentile skill skill=40 luck=33";
        assert_eq!(
            label(skill, &[6, 0], "luck"),
            "Make it 40 with luck (20 luck)"
        );
        assert_eq!(
            label(skill, &[7, 3], "luck"),
            "Make it 40 with luck (all 33 luck)"
        );
        assert_eq!(label(skill, &[7, 3], "accept"), "Let it fail");
        let test = "pushed-pools test attribute=2";
        assert_eq!(label(test, &[2, 4], "push"), "Push (+1 stress)");
        let act = "four-dice-aspects act skill=1 opposition=2 fate=1";
        assert_eq!(label(act, &[0, 0, 0, 0], "invoke"), "+2 (1 fate point)");
        let acs = "hfrpg acs attribute=2 competency=5 tokens=2";
        assert_eq!(label(acs, &[6, 3], "2,0"), "8 and 1 explosion (2 tokens)");
    }

    #[test]
    fn an_answer_that_is_not_an_option_is_refused_if_the_check_asks() {
        let odds = |words, answer: &str| {
            let (spec, _, check) = prepare(words);
            Odds::of(spec, &*check, &Policy::new([answer.to_owned()]))
        };
        let error = odds(CLIFF, "maybe").unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"maybe\" is not an answer to complication; the answers are fail, complication"
        );
        assert!(odds("heart-rush save heart=d8 ability=d6 cn=9", "maybe").is_ok());
    }

    #[test]
    fn marginal_odds_list_each_field_whose_next_step_helps() {
        let (spec, fields, _) = prepare("heart-rush skill heart=d8 ability=d20 cn=12");
        let marginal = marginal_odds(spec, &fields, &HouseRules::default(), &Policy::default());
        let fields: Vec<&str> = marginal.iter().map(|odds| odds.field).collect();
        // The d20 is the largest die, and the heart die is seldom asked for.
        assert_eq!(
            fields,
            ["advantage", "helped", "profession", "aspect", "modifier"]
        );
        let odds_of = |field: &str| -> &MarginalOdds {
            marginal.iter().find(|odds| odds.field == field).unwrap()
        };
        assert_eq!(odds_of("advantage").success, odds_of("helped").success);
        assert_eq!(odds_of("profession").gain, odds_of("modifier").gain);
        assert!(odds_of("profession").gain > Fraction::ZERO);
    }

    #[test]
    fn exploding_dice_add_their_mean_and_leave_no_largest_total() {
        // The modifier is 9. A d8 has the mean 9/2, and with chance 1/8 it adds further rolls with the mean 9/2 · 8/7.
        let (spec, _, check) = prepare("hfrpg acs attribute=1 competency=9");
        let odds = Odds::of(spec, &*check, &Policy::default()).unwrap();
        let total = odds.total.unwrap();
        assert_eq!(total.mean.to_string(), "99/7");
        assert_eq!((total.min, total.max), (10, None));
    }

    #[rstest]
    #[case::impaired("hfrpg acs attribute=0 competency=9", (9, None))]
    #[case::pressed_down("hfrpg acs attribute=1 competency=5 difficulty=hard penalty=7", (6, None))]
    #[case::two_dice("heart-rush save heart=d8 ability=d6 cn=9", (2, Some(14)))]
    fn a_check_whose_dice_may_explode_has_no_largest_total_whatever_its_fields(
        #[case] words: &str,
        #[case] expected: (i64, Option<i64>),
    ) {
        let (spec, _, check) = prepare(words);
        let odds = Odds::of(spec, &*check, &Policy::default()).unwrap();
        let total = odds.total.unwrap();
        assert_eq!((total.min, total.max), expected);
    }
}
