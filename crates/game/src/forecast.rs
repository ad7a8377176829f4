//! Forecasts of clocks: how soon a clock is full, by the exact odds of the check that fills it.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::{
    AttachedCheck, CharacterId, Clock, ClockKind, CommandError, Every, Filled, Game, Result,
};
use tableside_dice::{Distribution, Natural};
use tableside_rules::{CheckSpec, Fields, Forecast, Odds, Policy, Race, RuleError, Runner, Tug};
use tableside_text::{join, pluralise};

/// The source of repeated ticks.
#[derive(Clone, Copy, Debug)]
pub enum Filler {
    Check(&'static CheckSpec),
    /// Automatic ticks.
    Every(Every),
}

impl Filler {
    /// The name of the source in JSON.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Check(spec) => spec.id,
            Self::Every(every) => every.into_str(),
        }
    }

    /// The label of the source on screens.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Check(spec) => spec.label,
            Self::Every(_) => "itself",
        }
    }

    /// The unit in which the forecast counts: rolls, rounds, scenes or rests.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Check(_) => "roll",
            Self::Every(every) => every.into_str(),
        }
    }
}

/// The forecast of one clock: what fills it, and how soon it is full.
#[derive(Clone, Debug)]
pub struct ClockForecast {
    pub by: Filler,
    /// The rolling character, if the same character always rolls.
    pub who: Option<CharacterId>,
    /// The distribution of the segments that a roll fills.
    pub ticks: Distribution,
    /// The chances that the clock is full. For a tug-of-war, the chances that it has reached its right end.
    pub forecast: Arc<Forecast>,
    /// The chances that a tug-of-war reaches each of its ends.
    pub tug: Option<Tug>,
}

impl ClockForecast {
    /// Describes the forecast: `full in 2 to 4 rolls`. The clock is full by the first number with a chance of 10%, and by
    /// the last with 90%. `None` for a full clock and for a tug-of-war.
    pub fn in_short(&self) -> Option<String> {
        let is_full = self.forecast.mean == Some(0.0);
        if is_full || self.tug.is_some() {
            return None;
        }

        let unit = self.by.unit();
        let count = |rolls: usize| pluralise(rolls, unit);
        Some(match (self.rolls_until(0.1), self.rolls_until(0.9)) {
            (Some(first), Some(last)) if first == last => format!("full in {}", count(first)),
            (Some(first), Some(last)) => format!("full in {first} to {}", count(last)),
            (Some(first), None) => format!("full in {} or more", count(first)),
            (None, _) => "unlikely to become full".to_owned(),
        })
    }

    /// Returns the number of rolls after which the clock is full with at least this chance.
    fn rolls_until(&self, chance: f64) -> Option<usize> {
        let mut rolls = self.forecast.rolls.iter();
        let index = rolls.position(|full| full.to_f64().value() >= chance)?;
        Some(index + 1)
    }
}

/// The reason why a clock has no forecast.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoForecast {
    #[error("no check fills {0} yet")]
    NoCheck(String),
    /// A check fills the clock, but it cannot be rolled.
    #[error("{check} fills {clock}, but it cannot be rolled yet: {why}")]
    Unready {
        clock: String,
        check: String,
        /// The missing or wrong fields, in words.
        why: String,
    },
}

/// The ticks that fill a clock, and their source.
struct TickSource {
    by: Filler,
    who: Option<CharacterId>,
    ticks: Distribution,
}

/// The odds of the check that fills a clock.
struct AttachedOdds {
    spec: &'static CheckSpec,
    odds: Arc<Odds>,
}

impl Game {
    /// Fills in the fields of an attached check for a character.
    pub fn fill_attached(
        &self,
        attached: &AttachedCheck,
        who: Option<CharacterId>,
    ) -> Result<Filled> {
        let spec = self.system.check(&attached.check)?;
        let mut filled = self.fill(spec, who);
        for (name, text) in &attached.fields {
            let field = filled.field(name)?;
            self.fill_in(&mut filled, who, field, text)?;
        }
        Ok(filled)
    }

    /// Computes how soon a clock is full if its check is rolled again and again.
    pub fn forecast(&self, clock: &Clock) -> Result<ClockForecast, NoForecast> {
        let TickSource { by, who, ticks } = self.tick_source(clock)?;
        let filled = clock.filled;
        let segments = clock.segments.count();

        let tug = if clock.kind == ClockKind::TugOfWar {
            Some(tableside_rules::tug(&ticks, filled, segments))
        } else {
            None
        };
        let forecast = match &tug {
            Some(tug) => Arc::new(Forecast {
                rolls: tug.right.clone(),
                mean: None,
            }),
            None => Forecast::cached(&ticks, filled, segments),
        };
        Ok(ClockForecast {
            by,
            who,
            ticks,
            forecast,
            tug,
        })
    }

    /// Computes which of several clocks is full first, if the check of each is rolled once a round.
    pub fn race_forecast(&self, clocks: &[&Clock]) -> Result<Race, NoForecast> {
        if let [first, second] = *clocks
            && let Some(check) = shared_check(first, second)
        {
            return self.beside_forecast([first, second], check);
        }

        let mut distributions = Vec::new();
        for clock in clocks {
            let source = self.tick_source(clock)?;
            distributions.push(source.ticks);
        }
        let mut runners = Vec::new();
        for (clock, levels) in clocks.iter().zip(&distributions) {
            runners.push(Runner {
                levels,
                filled: clock.filled,
                segments: clock.segments.count(),
            });
        }
        Ok(tableside_rules::race(&runners))
    }

    /// Computes which of two clocks is full first, if each roll counts for both.
    fn beside_forecast(
        &self,
        clocks: [&Clock; 2],
        check: &AttachedCheck,
    ) -> Result<Race, NoForecast> {
        let AttachedOdds { spec, odds } = self.attached_odds(clocks[0], check)?;

        let mut chances: BTreeMap<[i32; 2], f64> = BTreeMap::new();
        for (outcome, score, chance) in odds.ends() {
            let ticks = clocks.map(|clock| clock.ticks_of(spec, outcome, score.levels));
            *chances.entry(ticks).or_default() += chance.to_f64().value();
        }
        let chances = Vec::from_iter(chances);
        let present = clocks.map(|clock| (clock.filled, clock.segments.count()));
        Ok(tableside_rules::side_by_side(&chances, present))
    }

    /// Returns the ticks that fill a clock: by its own check, by the check of the paired clock, or automatically.
    fn tick_source(&self, clock: &Clock) -> Result<TickSource, NoForecast> {
        let attached = match clock.check.as_deref() {
            Some(own) => Some(own),
            None => self.check_beside(clock),
        };
        if let Some(attached) = attached {
            let AttachedOdds { spec, odds } = self.attached_odds(clock, attached)?;
            let ticks = odds.spread(|outcome, score| clock.ticks_of(spec, outcome, score.levels));
            return Ok(TickSource {
                by: Filler::Check(spec),
                who: attached.who.or(clock.owner),
                ticks,
            });
        }

        let mut automatic = clock.every.iter();
        match automatic.find(|(_, ticks)| **ticks > 0) {
            Some((every, ticks)) => {
                let certain = vec![(i64::from(*ticks), Natural::ONE)];
                Ok(TickSource {
                    by: Filler::Every(*every),
                    who: None,
                    ticks: Distribution::new(certain, Natural::ONE),
                })
            }
            None => Err(NoForecast::NoCheck(clock.name.clone())),
        }
    }

    /// The check of a clock whose rolls count for this clock, too.
    fn check_beside(&self, clock: &Clock) -> Option<&AttachedCheck> {
        let mut clocks = self.clocks.iter();
        let paired = clocks.find(|other| other.is_beside(clock.id))?;
        paired.check.as_deref()
    }

    /// Computes the odds of an attached check.
    fn attached_odds(
        &self,
        clock: &Clock,
        attached: &AttachedCheck,
    ) -> Result<AttachedOdds, NoForecast> {
        let who = attached.who.or(clock.owner);
        let odds = self.fill_attached(attached, who).and_then(|filled| {
            filled.fields.complete()?;
            Ok(AttachedOdds {
                spec: filled.fields.spec(),
                odds: self.odds_of(filled.fields)?,
            })
        });
        odds.map_err(|refusal| {
            let spec = self.system.check(&attached.check).ok();
            let label = match spec {
                Some(spec) => spec.label,
                None => &attached.check,
            };
            NoForecast::Unready {
                clock: clock.name.clone(),
                check: label.to_owned(),
                why: describe_unready(&refusal, spec, who),
            }
        })
    }

    /// Computes the odds of a check with complete fields.
    pub(super) fn odds_of(&self, mut fields: Fields) -> Result<Arc<Odds>> {
        fields.decide(&self.house);
        let machine = fields.spec().prepare(&fields, &self.house)?;
        let policy = Policy::default();
        let odds = Odds::cached(&*machine, &fields, &self.house, &policy)?;
        Ok(odds)
    }
}

/// Describes why an attached check cannot be rolled.
fn describe_unready(
    refusal: &CommandError,
    spec: Option<&CheckSpec>,
    who: Option<CharacterId>,
) -> String {
    let CommandError::Rule(RuleError::Missing(missing)) = refusal else {
        return refusal.to_string();
    };

    let mut labels = Vec::new();
    if who.is_none() {
        labels.push("the rolling character");
    }
    for value in missing {
        if let Some(field) = spec.and_then(|spec| spec.field(value.id)) {
            labels.push(field.label);
        }
    }
    format!("set {} first", join(labels, ", "))
}

/// Returns the check whose rolls count for both clocks, if the clocks are a pair.
fn shared_check<'a>(first: &'a Clock, second: &'a Clock) -> Option<&'a AttachedCheck> {
    if first.is_beside(second.id) {
        first.check.as_deref()
    } else if second.is_beside(first.id) {
        second.check.as_deref()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tableside_dice::{Fraction, ratio};

    fn forecast(rolls: Vec<Fraction>) -> ClockForecast {
        ClockForecast {
            by: Filler::Every(Every::Round),
            who: None,
            ticks: Distribution::constant(1),
            forecast: Arc::new(Forecast { rolls, mean: None }),
            tug: None,
        }
    }

    #[test]
    fn a_forecast_counts_one_round_in_the_singular() {
        let half = || ratio(&Natural::ONE, &Natural::from(2_usize));
        let certain = || ratio(&Natural::ONE, &Natural::ONE);
        for (rolls, words) in [
            (vec![half()], "full in 1 round or more"),
            (vec![certain()], "full in 1 round"),
            (vec![half(), certain()], "full in 1 to 2 rounds"),
            (Vec::new(), "unlikely to become full"),
        ] {
            assert_eq!(forecast(rolls).in_short().as_deref(), Some(words));
        }
    }
}
