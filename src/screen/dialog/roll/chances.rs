//! The odds of the check as it stands, and what one more of something would be worth.

use std::sync::Arc;

use crate::rules::{CheckSpec, Fields, House, Odds, Policy, Theme, Worth, worth};
use crate::screen::dialog::reading::{Block, Part};
use crate::screen::theme::Role;
use crate::screen::tone;
use crate::screen::widget::Look;
use crate::screen::widget::odds::{Chance, percent};

/// A question whose answer may take longer than a key: what one more of something would be worth.
#[derive(Clone, Debug)]
pub struct Worthwhile {
    ticket: u64,
    fields: Fields,
    house: House,
}

impl Worthwhile {
    pub fn answer(self) -> Worths {
        let Self {
            ticket,
            fields,
            house,
        } = self;
        let worth = worth(fields.spec(), &fields, &house, &Policy::default());
        Worths { ticket, worth }
    }
}

/// The answer to a [`Worthwhile`].
#[derive(Clone, Debug)]
pub struct Worths {
    ticket: u64,
    worth: Vec<Worth>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Chances {
    known: Option<(Fields, House)>,
    odds: Option<Arc<Odds>>,
    worth: Vec<Worth>,
    /// How likely each theme of the narration is, where the check has any.
    themes: Vec<Theme>,
    /// Counts the questions, so that a late answer is known as late.
    ticket: u64,
    asked: bool,
}

impl Chances {
    /// Weighs the check, unless it is the same as before.
    pub(super) fn weigh(&mut self, fields: &Fields, house: &House) {
        let known = self.known.as_ref();
        if known.is_some_and(|(of, under)| of == fields && under == house) {
            return;
        }
        self.known = Some((fields.clone(), house.clone()));
        self.worth.clear();
        self.themes = (fields.spec().system.spec().themes)(fields, house);
        self.ticket += 1;
        self.asked = false;
        let spec = fields.spec();
        let complete = fields.complete().is_ok();
        let check = complete
            .then(|| (spec.prepare)(fields, house).ok())
            .flatten();
        // What is shown here is known when the roll wants its luck a moment later.
        let policy = Policy::default();
        self.odds = check.and_then(|check| Odds::known(&*check, fields, house, &policy).ok());
    }

    /// The question that is still open, once.
    pub(super) fn wonder(&mut self) -> Option<Worthwhile> {
        if std::mem::replace(&mut self.asked, true) || self.odds.is_none() {
            return None;
        }
        let (fields, house) = self.known.clone()?;
        Some(Worthwhile {
            ticket: self.ticket,
            fields,
            house,
        })
    }

    /// Takes an answer, if it is to the question asked last.
    pub(super) fn learn(&mut self, wondered: Worths) {
        if wondered.ticket == self.ticket {
            self.worth = wondered.worth;
        }
    }

    /// The odds, the chance of success with the worth of one more, and the themes.
    pub(super) fn blocks(&self, spec: &'static CheckSpec, look: Look<'_>) -> Vec<Block> {
        let chances = self.chances(spec);
        let shares = shares(spec, &chances, look);
        let mut blocks = vec![Block::Odds(chances, shares)];
        blocks.push(Block::Parts(self.beneath(spec, look)));
        if !self.themes.is_empty() {
            blocks.push(Block::Parts(self.dominant(look)));
        }
        blocks
    }

    /// Every outcome, the impossible ones too; none has a chance while the check cannot be made.
    fn chances(&self, spec: &'static CheckSpec) -> Vec<Chance<'static>> {
        let outcomes = spec.outcomes.iter().enumerate();
        outcomes
            .map(|(index, outcome)| {
                let odds = self.odds.as_ref();
                let share = odds.and_then(|odds| odds.outcomes.get(index));
                Chance {
                    label: outcome.label,
                    share: share.map_or(0.0, |(_, share)| share.to_f64()),
                    role: tone::role(outcome.tone),
                }
            })
            .collect()
    }

    /// What stands beneath the bar: the chance of success, and the worth of one more, the most first.
    fn beneath(&self, spec: &CheckSpec, look: Look<'_>) -> Vec<Part> {
        let Some(odds) = &self.odds else {
            return Vec::new();
        };
        let mut parts = Vec::new();
        if let Some(success) = &odds.success {
            parts.push((Role::Heading, percent(success.to_f64())));
            parts.push((Role::Muted, " to succeed".to_owned()));
        }
        let mut steps: Vec<&Worth> = self.worth.iter().collect();
        steps.sort_by(|one, other| other.gain.cmp(&one.gain));
        let more = steps.iter().filter_map(|step| {
            let label = spec.field(step.field)?.label;
            Some(format!("{label} +{}", percent(step.gain.to_f64())))
        });
        parts.extend(joined("   one more: ", Role::Info, more, look));
        parts
    }

    /// How likely each theme is to dominate the narration, the likeliest first.
    fn dominant(&self, look: Look<'_>) -> Vec<Part> {
        let mut themes: Vec<&Theme> = self.themes.iter().collect();
        themes.sort_by(|one, other| other.share.total_cmp(&one.share));
        let themes = themes.into_iter();
        let themes = themes.map(|theme| format!("{} {}", theme.name, percent(theme.share)));
        joined("theme: ", Role::Text, themes, look)
    }
}

/// The shares of what can happen, with the signs and in the colours that outcomes have everywhere.
fn shares(spec: &CheckSpec, chances: &[Chance<'_>], look: Look<'_>) -> Vec<Part> {
    let tones = spec.outcomes.iter().map(|outcome| outcome.tone);
    let possible = chances.iter().zip(tones);
    let possible = possible.filter(|(chance, _)| chance.share > 0.0);
    let shares = possible.map(|(chance, tone)| {
        let sign = tone::sign(tone, look.ascii);
        (chance.role, format!("{sign} {}  ", percent(chance.share)))
    });
    shares.collect()
}

/// Words with a lead before them and dots between them.
fn joined(
    lead: &str,
    role: Role,
    words: impl Iterator<Item = String>,
    look: Look<'_>,
) -> Vec<Part> {
    let dot = format!(" {} ", look.glyphs().dot);
    let leads = std::iter::once(lead).chain(std::iter::repeat(dot.as_str()));
    let both = leads.zip(words);
    both.flat_map(|(lead, words)| [(Role::Muted, lead.to_owned()), (role, words)])
        .collect()
}
