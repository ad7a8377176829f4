//! A skill check in words: the 1s, what was rolled again, and how the total compares.

use super::super::basic::compare;
use super::{FAILURE, FAILURE_WITH_COMPLICATION, SPEC, SUCCESS_WITH_COMPLICATION, Skill, State};
use crate::dice::Face;
use crate::rules::{Answer, Effect, Outcome, OutcomeId, Story};

impl Skill {
    /// Lets a dropped die count in the place of the one rolled again, where it is better (house rule
    /// `kept-again`).
    pub(super) fn choose_again(
        &self,
        story: &mut Story,
        state: &State,
        (again, face): (usize, Face),
    ) {
        let State::Again {
            die: Some(_), next, ..
        } = *state
        else {
            return;
        };
        let better = self.better(face, next);
        if better == face {
            return;
        }
        let rolled = self.pool.len();
        let mut first = story.dice.iter_mut().take(rolled).enumerate();
        let dropped = first.find(|(at, die)| *at != again && !die.kept && die.face == better);
        let Some((_, dropped)) = dropped else { return };
        dropped.kept = true;
        if let Some(last) = story.dice.last_mut() {
            last.kept = false;
        }
        story.say(format!(
            "The dice are chosen anew at this table: the {better} that was dropped counts in its place."
        ));
    }

    /// Whether more than one die of the first roll counts as a 1.
    pub(super) fn several(&self, trail: &[Answer]) -> bool {
        let Some(Answer::Faces(faces)) = trail.first() else {
            return false;
        };
        let both = faces.iter().zip(self.pool.kept(faces));
        let low = both.filter(|(face, kept)| **face <= self.low && (*kept || self.any_one));
        low.count() > 1
    }

    /// Which die counted as a 1, at the head of a sentence.
    pub(super) fn what_came_up(&self, trail: &[Answer]) -> String {
        let face = match (trail.first(), self.find_one(trail)) {
            (Some(Answer::Faces(faces)), Some(index)) => faces.get(index).copied().unwrap_or(1),
            _ => 1,
        };
        match face {
            _ if self.several(trail) => "More than one die counts as a 1".to_owned(),
            1 => "A 1 came up".to_owned(),
            face => format!("A {face} came up, which Vulnerability makes count like a 1"),
        }
    }

    /// What a whole trail means; `two` says that two 1s failed it.
    pub(super) fn tell(
        &self,
        mut story: Story,
        outcome: OutcomeId,
        kept: i32,
        two: bool,
    ) -> Outcome {
        let total = kept + self.modifiers.sum();
        story.sum(kept, &self.modifiers.named);
        story.say(compare(total, self.cn));
        if two && self.low > 1 {
            story.say(format!(
                "Two dice count like a 1, for Vulnerability reaches up to {}: it fails whatever the total, with a \
                 complication.",
                self.low
            ));
        } else if two {
            story.say("Two 1s fail whatever the total, with a complication.");
        } else if outcome == FAILURE && total >= self.cn {
            story.say("Failing was chosen, so the total does not matter.");
        }
        let mut effects = self.modifiers.effects();
        if [SUCCESS_WITH_COMPLICATION, FAILURE_WITH_COMPLICATION].contains(&outcome) {
            effects.push(Effect::Complication);
        }
        Outcome {
            outcome,
            success: Some(SPEC.outcome(outcome).success),
            total: Some(total),
            target: Some(self.cn),
            dice: story.dice,
            keys: Vec::new(),
            effects,
            steps: story.steps,
        }
    }
}
