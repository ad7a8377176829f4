//! The odds of the check with its current values, and the gain of one more point in a field.

use std::sync::Arc;

use crate::Role;
use crate::dialog::reading::{Block, OddsBlock, labelled_list};
use crate::view::tone;
use crate::widget::odds::{Chance, percent};
use tableside_dice::Fraction;
use tableside_rules::{
    Answer, Ask, CheckSpec, ChosenBy, Fields, HouseRules, MarginalOdds, NarrationTheme, Odds,
    Policy, Progress, TotalOdds, Value, marginal_odds,
};

/// A question for a background thread: the gain of one more point in each field of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GainQuestion {
    fields: Fields,
    house: HouseRules,
}

impl GainQuestion {
    pub fn answer(self) -> GainAnswer {
        let spec = self.fields.spec();
        let gains = marginal_odds(spec, &self.fields, &self.house, &Policy::default());
        GainAnswer {
            question: self,
            gains,
        }
    }
}

/// The answer to a [`GainQuestion`].
#[derive(Clone, Debug)]
pub struct GainAnswer {
    question: GainQuestion,
    gains: Vec<MarginalOdds>,
}

#[derive(Debug, Default)]
pub(super) struct Chances {
    /// The check whose odds these are.
    question: Option<GainQuestion>,
    odds: Option<Arc<Odds>>,
    /// True if the check is resolved without dice.
    is_without_dice: bool,
    /// The chances of the narration themes, the likeliest first.
    themes: Vec<NarrationTheme>,
    /// The gains, the largest first. Empty until the background thread has computed them.
    gains: Vec<MarginalOdds>,
    /// True if the background thread received the question.
    was_asked: bool,
}

impl Chances {
    /// Computes the odds of a check, unless they are those of the same check as before.
    pub(super) fn update(&mut self, mut fields: Fields, house: &HouseRules) {
        fields.decide(house);
        let question = GainQuestion {
            fields,
            house: house.clone(),
        };
        if self.question.as_ref() == Some(&question) {
            return;
        }

        let fields = &question.fields;
        let narration_themes = fields.spec().system.code().narration_themes;
        let mut themes = narration_themes(fields, house);
        themes.sort_by(|left, right| right.share.total_cmp(&left.share));

        let odds = cached_odds(fields, house);
        *self = Self {
            is_without_dice: odds.is_some() && is_without_dice(fields, house),
            odds,
            question: Some(question),
            themes,
            ..Self::default()
        };
    }

    /// Returns the question for the background thread, once.
    pub(super) fn take_gain_question(&mut self) -> Option<GainQuestion> {
        let was_asked = std::mem::replace(&mut self.was_asked, true);
        if was_asked || self.odds.is_none() {
            return None;
        }
        self.question.clone()
    }

    /// Stores an answer, if it belongs to the current question.
    pub(super) fn on_gains(&mut self, answer: GainAnswer) {
        if self.question.as_ref() != Some(&answer.question) {
            return;
        }
        self.gains = answer.gains;
        self.gains.sort_by(|left, right| right.gain.cmp(&left.gain));
    }

    /// Returns the chances of all outcomes and of success, the gains, and the themes.
    ///
    /// Without odds, every outcome has the chance 0.
    pub(super) fn blocks(&self, spec: &'static CheckSpec) -> Vec<Block> {
        let odds = self.odds.as_ref();
        let success = odds
            .and_then(|odds| odds.success.as_ref())
            .map(|chance| percent(chance.to_f64().value()));

        let odds_block = Block::Odds(OddsBlock {
            success,
            chances: self.outcome_chances(spec),
            helps: self.gain_texts(spec),
        });
        let mut blocks = match (self.certain_result(spec), self.amount(spec)) {
            // As many rows as large figures have, so that the fields do not move.
            (Some(result), _) => vec![Block::heading(result), Block::Gap, Block::Gap],
            (None, Some(amount)) => vec![odds_block, Block::muted(amount)],
            (None, None) => vec![odds_block],
        };

        if !self.themes.is_empty() {
            let themes: Vec<String> = self
                .themes
                .iter()
                .map(|theme| format!("{} {}", theme.name, percent(theme.share)))
                .collect::<Vec<String>>();
            blocks.push(Block::Parts(labelled_list("theme:", Role::Text, &themes)));
        }
        blocks
    }

    /// Describes the result of a check whose outcome is certain: the total if that varies, otherwise the outcome if no
    /// dice are rolled.
    fn certain_result(&self, spec: &'static CheckSpec) -> Option<String> {
        let odds = self.odds.as_ref()?;
        let (certain_outcome, _) = odds
            .outcomes
            .iter()
            .find(|(_, share)| *share == Fraction::ONE)?;
        let label = spec.outcome(*certain_outcome).label;

        match &odds.total {
            Some(total) if !spec.has_success && total.max != Some(total.min) => {
                Some(format!("{label} {}", describe_total(total)))
            }
            _ if self.is_without_dice => Some(format!("{label}; no dice are rolled")),
            _ => None,
        }
    }

    /// Describes the amount of damage, if the check deals damage.
    fn amount(&self, spec: &'static CheckSpec) -> Option<String> {
        let total = self.odds.as_ref()?.total.as_ref()?;
        let deals_damage = spec.affects_opponent() && !spec.has_success;
        if !deals_damage || total.max == Some(total.min) {
            return None;
        }
        Some(format!("{} {}", spec.label, describe_total(total)))
    }

    /// Returns the gains as text. If the check cannot succeed yet, they name the values with which it can.
    fn gain_texts(&self, spec: &'static CheckSpec) -> Vec<String> {
        let mut texts = Vec::new();
        for step in &self.gains {
            let Some(field) = spec.field(step.field) else {
                continue;
            };
            if step.gain == step.success {
                let success = percent(step.success.to_f64().value());
                let value = match &step.to {
                    Value::Flag(_) => field.label.to_owned(),
                    value => format!("{} {value}", field.label),
                };
                texts.push(format!("{value}: {success}"));
            } else {
                let gain = whole_percent(step.gain.to_f64().value());
                texts.push(format!("{} +{gain}", field.label));
            }
        }
        texts
    }

    /// Returns the chance of each outcome, from the best outcome to the worst.
    fn outcome_chances(&self, spec: &'static CheckSpec) -> Vec<Chance<'static>> {
        let mut outcomes: Vec<_> = spec.outcomes.iter().enumerate().collect();
        outcomes.sort_by_key(|(_, outcome)| outcome.tone);

        let mut chances = Vec::new();
        for (index, outcome) in outcomes {
            let odds = self.odds.as_ref();
            let share = match odds.and_then(|odds| odds.outcomes.get(index)) {
                Some((_, share)) => share.to_f64().value(),
                None => 0.0,
            };
            chances.push(Chance {
                label: outcome.label,
                share,
                role: tone::role(outcome.tone),
                sign: tone::sign(outcome.tone, spec.has_success),
            });
        }
        chances
    }
}

/// Returns the range and the mean of a total: `3–10, 6.5 on average`.
fn describe_total(total: &TotalOdds) -> String {
    let min = total.min;
    let range = match total.max {
        Some(max) => format!("{min}–{max}"),
        None => format!("{min} or more"),
    };
    let mean = total.mean.to_f64().value();
    format!("{range}, {mean:.1} on average")
}

/// Returns true if a complete check is resolved without dice, by the usual answers to its choices.
fn is_without_dice(fields: &Fields, house: &HouseRules) -> bool {
    let Ok(check) = fields.spec().prepare(fields, house) else {
        return false;
    };

    let mut trail = Vec::new();
    loop {
        match check.after(&trail) {
            Ok(Progress::Waits(Ask::Choose { choices, .. })) => {
                let chosen = &choices.options[choices.default];
                trail.push(Answer::Chose {
                    choice: choices.choice.to_owned(),
                    chose: chosen.name.clone(),
                    by: ChosenBy::Player,
                });
            }
            Ok(Progress::Done(..)) => return true,
            Ok(Progress::Waits(Ask::Roll { .. })) | Err(_) => return false,
        }
    }
}

/// Returns the odds of a check, or `None` if the check is incomplete or refused.
///
/// The odds are cached, because the roll needs the same odds a moment later.
fn cached_odds(fields: &Fields, house: &HouseRules) -> Option<Arc<Odds>> {
    fields.complete().ok()?;
    let check = fields.spec().prepare(fields, house).ok()?;
    Odds::cached(&*check, fields, house, &Policy::default()).ok()
}

/// Formats a gain in whole percentage points, so that gains in one line are easy to compare.
fn whole_percent(gain: f64) -> String {
    if gain < 0.005 {
        "<1%".to_owned()
    } else {
        format!("{:.0}%", gain * 100.0)
    }
}
