//! The odds of the check with its current values, and the gain of one more point in a field.

use std::sync::Arc;

use crate::Role;
use crate::dialog::reading::{Block, OddsBlock, StyledText};
use crate::view::tone;
use crate::widget::odds::{Chance, percent};
use crate::widget::wrap::HARD_BLANK;
use tableside_rules::{
    CheckSpec, Fields, HouseRules, MarginalOdds, NarrationTheme, Policy, marginal_odds,
};
use tableside_text::join;

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
    odds: Option<Arc<tableside_rules::Odds>>,
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

        *self = Self {
            odds: cached_odds(fields, house),
            question: Some(question),
            themes,
            ..Self::default()
        };
    }

    /// Returns the question for the background thread, once.
    pub(super) fn take_question(&mut self) -> Option<GainQuestion> {
        let was_asked = std::mem::replace(&mut self.was_asked, true);
        if was_asked || self.odds.is_none() {
            return None;
        }
        self.question.clone()
    }

    /// Stores an answer, if it belongs to the current question.
    pub(super) fn take_answer(&mut self, answer: GainAnswer) {
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

        let mut gains = Vec::new();
        for step in &self.gains {
            if let Some(field) = spec.field(step.field) {
                let gain = whole_percent(step.gain.to_f64().value());
                gains.push(format!("{} +{gain}", field.label));
            }
        }

        let mut blocks = vec![Block::Odds(OddsBlock {
            success,
            chances: self.outcome_chances(spec),
            beneath: labelled_list("What would help: ", Role::Info, &gains),
        })];

        if !self.themes.is_empty() {
            let themes: Vec<String> = self
                .themes
                .iter()
                .map(|theme| format!("{} {}", theme.name, percent(theme.share)))
                .collect::<Vec<String>>();
            blocks.push(Block::Parts(labelled_list("theme: ", Role::Text, &themes)));
        }
        blocks
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
                sign: tone::sign(outcome.tone),
            });
        }
        chances
    }
}

/// Returns the odds of a check, or `None` if the check is incomplete or refused.
///
/// They are cached, because the roll itself needs the same odds a moment later.
fn cached_odds(fields: &Fields, house: &HouseRules) -> Option<Arc<tableside_rules::Odds>> {
    fields.complete().ok()?;
    let check = fields.spec().prepare(fields, house).ok()?;
    tableside_rules::Odds::cached(&*check, fields, house, &Policy::default()).ok()
}

/// Formats a gain as a whole percentage, so that the gains in a list look alike. A gain below one half gets a decimal.
fn whole_percent(share: f64) -> String {
    let percentage = share * 100.0;
    if percentage < 0.5 {
        percent(share)
    } else {
        format!("{percentage:.0}%")
    }
}

/// Returns a label and the items after it, with dots between them. A line never breaks within an item.
fn labelled_list(label: &str, role: Role, items: &[String]) -> Vec<StyledText> {
    if items.is_empty() {
        return Vec::new();
    }
    let unbroken_items = items.iter().map(|item| item.replace(' ', HARD_BLANK));
    let list = join(unbroken_items, &format!(" ·{HARD_BLANK}"));
    vec![(Role::Muted, label.to_owned()), (role, list)]
}
