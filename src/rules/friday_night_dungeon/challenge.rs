//! The challenge roll (Friday Night Dungeon, Challenge Rolls).

use crate::dice::{Die, DieRole, Group, Keep, Pool, Projection};
use crate::rules::words::capital;
use crate::rules::{
    Ask, Check, ChoiceId, Choices, ChosenBy, Effect, Explanation, Fields, House, Id, OutcomeId,
    Refused, Side, Tally, Walk,
};

const CRITICAL: OutcomeId = OutcomeId(0);
const SUCCESS: OutcomeId = OutcomeId(1);
const CONSEQUENCE: OutcomeId = OutcomeId(2);
const FAILURE: OutcomeId = OutcomeId(3);

/// The question whether a failed charm challenge may be tried again, and its answers.
const AGAIN: &str = "again";
const ALLOW: &str = "allow";
const FORBID: &str = "forbid";
const FORBIDDEN: ChoiceId = ChoiceId(1);

/// A challenge with everything known but the dice.
#[derive(Clone, Debug)]
pub(super) struct Challenge {
    pool: Pool,
    named: Vec<(&'static str, i32)>,
    target: i32,
    target_words: String,
    /// Whether aid adds nothing, for two wounds allow no bonuses.
    in_vain: bool,
    /// Physical, mental or charm: whether it may be tried again.
    kind: String,
    about: String,
    /// Double sixes must reach the target number too, by a house rule.
    six_must_reach: bool,
}

impl Challenge {
    pub(super) fn new(fields: &Fields, house: &House) -> Result<Self, Refused> {
        let (competence, difficulty) = (fields.text("competence"), fields.text("difficulty"));
        let harder = fields.number("harder");
        let asked = fields.place("difficulty") + harder;
        let steps = asked - fields.place("competence");
        let harder = match harder {
            0 => String::new(),
            harder => format!(", which counts {harder} higher,"),
        };
        if steps > 1 {
            return Err(Refused(format!(
                "{difficulty}{harder} is {steps} steps above {competence}; nobody may try what is more than one step \
                 above their competence"
            )));
        }
        let one_step = house.is("far-below", "one-step");
        let target = 7 + 3 * if one_step { steps.max(-1) } else { steps };
        let where_it_is = match steps {
            1 => "one step above".to_owned(),
            0 => "level with".to_owned(),
            -1 => "one step below".to_owned(),
            steps => format!("{} steps below", -steps),
        };
        let target_words =
            format!("{difficulty}{harder} is {where_it_is} {competence}: target number {target}.");
        let net = |more, less| i32::from(fields.flag(more)) - i32::from(fields.flag(less));
        let bare = fields.flag("no-bonuses");
        let (count, keep) = match net("advantage", "disadvantage") {
            0 => (2, Keep::All),
            1 => (3, Keep::Highest(2)),
            _ => (3, Keep::Lowest(2)),
        };
        let dice = vec![Group::new(Die::D6, count, DieRole::POOL)];
        let help = net("aided", "hindered");
        let in_vain = bare && help > 0;
        let help = if in_vain { 0 } else { help };
        Ok(Self {
            pool: Pool::new(dice, keep, Projection::Sum),
            named: vec![
                (if help < 0 { "hindered" } else { "aided" }, help),
                ("penalty", -fields.number("penalty")),
            ],
            target,
            target_words: capital(&target_words),
            in_vain,
            kind: fields.text("kind").to_owned(),
            about: fields.text("about").to_owned(),
            six_must_reach: house.is("double-six", "reaching"),
        })
    }

    fn total(&self, kept: i32) -> i32 {
        kept + self.named.iter().map(|(_, amount)| amount).sum::<i32>()
    }

    fn judge(&self, kept: i32) -> OutcomeId {
        let total = self.total(kept);
        // Two kept dice that make 12 are double sixes.
        if kept == 12 && (total >= self.target || !self.six_must_reach) {
            return CRITICAL;
        }
        match total - self.target {
            ..0 => FAILURE,
            0 => CONSEQUENCE,
            _ => SUCCESS,
        }
    }
}

/// Whether a failed charm challenge may be tried again.
fn may_try_again() -> Choices {
    let options = [
        (ChoiceId(0), ALLOW, "It may be tried again"),
        (FORBIDDEN, FORBID, "Not as it stands"),
    ];
    Choices::between(AGAIN, options, 0)
}

impl Check for Challenge {
    /// The sum of the kept dice, where it failed and the Dungeon Master decides what that means.
    type State = Option<i32>;

    fn next(&self, failed: Option<i32>, walk: &mut Walk<'_>) -> Result<Option<i32>, Ask> {
        let kept = if let Some(kept) = failed {
            let decision = walk.choose(Side::Gm, |_| may_try_again())?;
            walk.tell(|why| self.explain_decision(decision, why));
            kept
        } else {
            walk.tell(|why| why.say(&self.target_words));
            let kept = walk.roll(Side::Actor, || self.pool.clone())?.sum();
            walk.tell(|why| self.explain_roll(kept, why));
            if self.kind == "charm" && self.judge(kept) == FAILURE {
                return Ok(Some(kept));
            }
            kept
        };
        let outcome = self.judge(kept);
        let tally = Tally::new(Some(self.total(kept)), (outcome != FAILURE).into());
        Err(Ask::Done(outcome, tally))
    }
}

impl Challenge {
    fn explain_roll(&self, kept: i32, why: &mut Explanation) {
        let (outcome, total) = (self.judge(kept), self.total(kept));
        why.target = Some(self.target);
        why.roll();
        if self.in_vain {
            why.say("Two wounds allow no bonuses: the aid adds nothing.");
        }
        why.sum(kept, &self.named);
        why.say(match outcome {
            CRITICAL => "Double sixes: a critical success.".to_owned(),
            SUCCESS => format!("{total} is above {}: success.", self.target),
            CONSEQUENCE => format!(
                "{total} is exactly {}: success, but with a consequence.",
                self.target
            ),
            _ => format!("{total} is below {}: failure.", self.target),
        });
        if outcome == CONSEQUENCE {
            why.effects.push(Effect::Consequence {
                amount: 1,
                of: Id::NONE,
            });
        }
        if outcome == FAILURE && self.kind == "mental" {
            why.say(
                "A failed mental challenge may not be tried again before inspiration, a clue or rest.",
            );
            why.effects.push(self.lock());
        }
    }

    fn explain_decision(&self, id: ChoiceId, why: &mut Explanation) {
        let nobody = why
            .chosen
            .as_ref()
            .is_some_and(|(_, by)| *by == ChosenBy::Default);
        if id == FORBIDDEN {
            why.say("The Dungeon Master does not let it be tried again as it stands.");
            why.effects.push(self.lock());
        } else if nobody {
            why.say("The Dungeon Master decides whether it may be tried again.");
        } else {
            why.say("The Dungeon Master lets it be tried again.");
        }
    }

    fn lock(&self) -> Effect {
        Effect::Lock {
            about: self.about.clone(),
        }
    }
}
