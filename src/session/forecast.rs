//! How soon a clock is full, from the exact odds of the check that fills it.

use std::sync::Arc;

use thiserror::Error;

use super::{Attached, CharacterId, Clock, ClockKind, Filled, Result, Session};
use crate::dice::{Distribution, Fraction};
use crate::rules::{
    self, CheckSpec, Fields, Forecast, Odds, OutcomeId, Policy, Race, Runner, Tally, Tug,
};

/// How soon a clock is full.
#[derive(Clone, Debug)]
pub struct Prospect {
    /// The check that fills it.
    pub check: &'static CheckSpec,
    /// Who rolls it, if it is always the same.
    pub who: Option<CharacterId>,
    /// How a roll's worth is spread.
    pub ticks: Distribution,
    /// The chances of being full; of a tug-of-war, those of the right end.
    pub forecast: Arc<Forecast>,
    /// The chances of both ends of a tug-of-war.
    pub tug: Option<Tug>,
}

impl Prospect {
    /// "full in 2 to 4 rolls": one in ten is full by the first, nine in ten by the last. Nothing of what is full, or is
    /// pulled both ways.
    pub fn in_short(&self) -> Option<String> {
        let Forecast { rolls, mean } = &*self.forecast;
        let is_full = mean.as_ref().is_some_and(Fraction::is_zero);
        if is_full || self.tug.is_some() {
            return None;
        }
        let by = |chance: f64| {
            let after = rolls
                .iter()
                .position(|full| full.to_f64().value() >= chance);
            after.map(|before| before + 1)
        };
        Some(match (by(0.1), by(0.9)) {
            (Some(1), Some(1)) => "full in 1 roll".to_owned(),
            (Some(first), Some(last)) if first == last => format!("full in {first} rolls"),
            (Some(first), Some(last)) => format!("full in {first} to {last} rolls"),
            (Some(first), None) => format!("full in {first} rolls or more"),
            (None, _) => "no end in sight".to_owned(),
        })
    }
}

/// Why nothing is foreseen.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unforeseen {
    /// Nobody said which check fills it.
    #[error("no check fills {0} yet")]
    NoCheck(String),
    /// Its check cannot be made as it stands.
    #[error("{clock} is filled by {check}, and {why}")]
    Unready {
        clock: String,
        check: String,
        /// What is missing or wrong.
        why: String,
    },
}

impl Session {
    /// The fields of an attached check, as they are rolled by that character.
    pub(crate) fn fill_attached(
        &self,
        attached: &Attached,
        who: Option<CharacterId>,
    ) -> Result<Filled> {
        let spec = self.system.check(&attached.check)?;
        let mut filled = self.fill(spec, who);
        for (name, given) in &attached.fields {
            let field = filled.field(name)?;
            self.fill_in(&mut filled, who, field, given)?;
        }
        Ok(filled)
    }

    /// How soon a clock is full when its check is rolled again and again.
    pub fn forecast(&self, clock: &Clock) -> Result<Prospect, Unforeseen> {
        let (check, ticks) = self.ticks(clock)?;
        let who = clock.check.as_ref().and_then(|attached| attached.who);
        let (filled, of) = (clock.filled, clock.segments.count());
        let tug = (clock.kind == ClockKind::TugOfWar).then(|| rules::tug(&ticks, filled, of));
        let forecast = match &tug {
            Some(tug) => Arc::new(Forecast {
                rolls: tug.right.clone(),
                mean: None,
            }),
            None => Forecast::known(&ticks, filled, of),
        };
        Ok(Prospect {
            check,
            who,
            ticks,
            forecast,
            tug,
        })
    }

    /// Who of these clocks is full first, when each rolls its check once a round.
    pub fn race_forecast(&self, clocks: &[&Clock]) -> Result<Race, Unforeseen> {
        let spreads = clocks.iter().map(|clock| Ok(self.ticks(clock)?.1));
        let spreads: Vec<Distribution> = spreads.collect::<Result<_, Unforeseen>>()?;
        let runners = clocks.iter().zip(&spreads).map(|(clock, levels)| Runner {
            levels,
            filled: clock.filled,
            segments: clock.segments.count(),
        });
        Ok(rules::race(&runners.collect::<Vec<_>>()))
    }

    /// How the worth of a roll is spread, for a clock.
    fn ticks(&self, clock: &Clock) -> Result<(&'static CheckSpec, Distribution), Unforeseen> {
        let attached = clock.check.as_deref();
        let attached = attached.ok_or_else(|| Unforeseen::NoCheck(clock.name.clone()))?;
        let unready = |why: String| Unforeseen::Unready {
            clock: clock.name.clone(),
            check: attached.check.clone(),
            why,
        };
        let odds = self
            .fill_attached(attached, attached.who)
            .and_then(|filled| {
                filled.fields.complete()?;
                let check = filled.fields.spec();
                Ok((check, self.odds_of(filled.fields)?))
            });
        let (check, odds) = odds.map_err(|refusal| unready(refusal.to_string()))?;
        let worth =
            |outcome: OutcomeId, tally: &Tally| clock.ticks_of(check, outcome, tally.levels);
        Ok((check, odds.spread(worth)))
    }

    /// What a check with these fields, complete, may come to.
    pub(super) fn odds_of(&self, mut fields: Fields) -> Result<Arc<Odds>> {
        fields.decide(&self.house);
        let spec = fields.spec();
        let machine = spec.prepare(&fields, &self.house)?;
        Ok(Odds::known(
            &*machine,
            &fields,
            &self.house,
            &Policy::default(),
        )?)
    }
}
