//! The odds of the check as it stands, and what one more of something would be worth.

use std::sync::Arc;

use crate::Role;
use crate::dialog::reading::{Block, OddsBlock, StyledText};
use crate::view::tone;
use crate::widget::odds::{Chance, percent};
use crate::widget::wrap::HARD_BLANK;
use tableside_rules::{
    self, CheckSpec, Fields, HouseRules, MarginalOdds, NarrationTheme, Policy, marginal_odds,
};
use tableside_text;

/// What one more of something would be worth: a question whose answer may take longer than a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GainQuestion {
    fields: Fields,
    house: HouseRules,
}

impl GainQuestion {
    pub fn answer(self) -> GainAnswer {
        let policy = Policy::default();
        GainAnswer {
            worth: marginal_odds(self.fields.spec(), &self.fields, &self.house, &policy),
            of: self,
        }
    }
}

/// The answer to a [`GainQuestion`].
#[derive(Clone, Debug)]
pub struct GainAnswer {
    of: GainQuestion,
    worth: Vec<MarginalOdds>,
}

#[derive(Debug, Default)]
pub(super) struct Chances {
    /// The check as it stands.
    of: Option<GainQuestion>,
    odds: Option<Arc<tableside_rules::Odds>>,
    /// How likely each theme of the narration is, the likeliest first, where the check has any.
    themes: Vec<NarrationTheme>,
    /// What one more is worth, the most first, once it is known.
    worth: Vec<MarginalOdds>,
    is_asked: bool,
}

impl Chances {
    /// Weighs the check, unless it is the same as before.
    pub(super) fn weigh(&mut self, mut fields: Fields, house: &HouseRules) {
        fields.decide(house);
        let house = house.clone();
        let of = GainQuestion { fields, house };
        if self.of.as_ref() == Some(&of) {
            return;
        }
        let GainQuestion { fields, house } = &of;
        let spec = fields.spec();
        let mut themes = (spec.system.code().narration_themes)(fields, house);
        themes.sort_by(|one, other| other.share.total_cmp(&one.share));
        let is_complete = fields.complete().is_ok();
        let check = is_complete.then(|| spec.prepare(fields, house).ok());
        // What is shown here is known when the roll wants its luck a moment later.
        let policy = Policy::default();
        let odds = check.flatten();
        let odds = odds
            .and_then(|check| tableside_rules::Odds::cached(&*check, fields, house, &policy).ok());
        *self = Self {
            of: Some(of),
            odds,
            themes,
            ..Self::default()
        };
    }

    /// The question that is still open, once.
    pub(super) fn take_question(&mut self) -> Option<GainQuestion> {
        let is_asked = std::mem::replace(&mut self.is_asked, true);
        self.of.clone().filter(|_| !is_asked && self.odds.is_some())
    }

    /// Takes an answer, if it is about the check as it stands.
    pub(super) fn take_answer(&mut self, answer: GainAnswer) {
        if Some(answer.of) == self.of {
            self.worth = answer.worth;
            self.worth.sort_by(|one, other| other.gain.cmp(&one.gain));
        }
    }

    /// The odds of every outcome, the impossible ones too; none has a chance while the check cannot be made or weighed.
    /// With it the chance of success and the worth of one more; then the themes.
    pub(super) fn blocks(&self, spec: &'static CheckSpec) -> Vec<Block> {
        let odds = self.odds.as_ref();
        // The bar goes from the best to the worst, in whatever order the rules test for them.
        let mut outcomes: Vec<_> = spec.outcomes.iter().enumerate().collect();
        outcomes.sort_by_key(|(_, outcome)| outcome.tone);
        let chances = outcomes.into_iter().map(|(index, outcome)| {
            let share = odds.and_then(|odds| odds.outcomes.get(index));
            Chance {
                label: outcome.label,
                share: share.map_or(0.0, |(_, share)| share.to_f64().value()),
                role: tone::role(outcome.tone),
                sign: tone::sign(outcome.tone),
            }
        });
        let success = odds.and_then(|odds| odds.success.as_ref());
        let success = success.map(|success| percent(success.to_f64().value()));
        let more = self.worth.iter().filter_map(|step| {
            let label = spec.field(step.field)?.label;
            Some(format!("{label} +{}", percent(step.gain.to_f64().value())))
        });
        let beneath = joined("one more: ", Role::Info, more);
        let mut blocks = vec![Block::Odds(OddsBlock {
            success,
            chances: chances.collect(),
            beneath,
        })];
        if !self.themes.is_empty() {
            let themes = self.themes.iter();
            let themes = themes.map(|theme| format!("{} {}", theme.name, percent(theme.share)));
            blocks.push(Block::Parts(joined("theme: ", Role::Text, themes)));
        }
        blocks
    }
}

/// Words with a lead before them and dots between them; each holds together.
fn joined(lead: &str, role: Role, words: impl Iterator<Item = String>) -> Vec<StyledText> {
    let words = words.map(|words| words.replace(' ', HARD_BLANK));
    let words = tableside_text::join(words, &format!(" ·{HARD_BLANK}"));
    if words.is_empty() {
        return Vec::new();
    }
    vec![(Role::Muted, lead.to_owned()), (role, words)]
}
