//! How soon a clock is full, from the exact odds of the check that fills it.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::{AttachedCheck, CharacterId, Clock, ClockKind, Every, Filled, Game, Result};
use tableside_dice::{Distribution, Natural};
use tableside_rules::{self, CheckSpec, Fields, Forecast, Odds, Policy, Race, Runner, Score, Tug};
use tableside_text::join;

/// What fills a clock, again and again.
#[derive(Clone, Copy, Debug)]
pub enum Filler {
    /// A check.
    Check(&'static CheckSpec),
    /// It ticks by itself.
    Every(Every),
}

impl Filler {
    /// Its name in files.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Check(spec) => spec.id,
            Self::Every(every) => every.into_str(),
        }
    }

    /// Its name for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Check(spec) => spec.label,
            Self::Every(_) => "itself",
        }
    }

    /// What is counted until the clock is full.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Check(_) => "roll",
            Self::Every(every) => every.into_str(),
        }
    }
}

/// How soon a clock is full.
#[derive(Clone, Debug)]
pub struct Prospect {
    /// What fills it.
    pub by: Filler,
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
    /// `full in 2 to 4 rolls`: one in ten is full by the first, nine in ten by the last. Nothing of what is full, or is
    /// pulled both ways.
    pub fn in_short(&self) -> Option<String> {
        let Forecast { rolls, mean } = &*self.forecast;
        if *mean == Some(0.0) || self.tug.is_some() {
            return None;
        }
        let by = |chance: f64| {
            let mut rolls = rolls.iter();
            let after = rolls.position(|full| full.to_f64().value() >= chance);
            after.map(|before| before + 1)
        };
        let unit = self.by.unit();
        Some(match (by(0.1), by(0.9)) {
            (Some(1), Some(1)) => format!("full in 1 {unit}"),
            (Some(first), Some(last)) if first == last => format!("full in {first} {unit}s"),
            (Some(first), Some(last)) => format!("full in {first} to {last} {unit}s"),
            (Some(first), None) => format!("full in {first} {unit}s or more"),
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

impl Game {
    /// The fields of an attached check, as they are rolled by that character.
    pub fn fill_attached(
        &self,
        attached: &AttachedCheck,
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
        let (by, who, ticks) = self.ticks(clock)?;
        let (filled, of) = (clock.filled, clock.segments.count());
        let tug =
            (clock.kind == ClockKind::TugOfWar).then(|| tableside_rules::tug(&ticks, filled, of));
        let mean = None;
        let rolls = tug.as_ref().map(|tug| tug.right.clone());
        let pulled = rolls.map(|rolls| Arc::new(Forecast { rolls, mean }));
        let forecast = pulled.unwrap_or_else(|| Forecast::cached(&ticks, filled, of));
        Ok(Prospect {
            by,
            who,
            ticks,
            forecast,
            tug,
        })
    }

    /// Who of these clocks is full first, when each rolls its check once a round.
    pub fn race_forecast(&self, clocks: &[&Clock]) -> Result<Race, Unforeseen> {
        if let [one, other] = clocks
            && let Some(check) = shared_check(one, other)
        {
            return self.beside_forecast([one, other], check);
        }
        let spreads = clocks.iter().map(|clock| Ok(self.ticks(clock)?.2));
        let spreads: Vec<Distribution> = spreads.collect::<Result<_, Unforeseen>>()?;
        let runners = clocks.iter().zip(&spreads).map(|(clock, levels)| Runner {
            levels,
            filled: clock.filled,
            segments: clock.segments.count(),
        });
        Ok(tableside_rules::race(&runners.collect::<Vec<_>>()))
    }

    /// Which of two clocks beside each other is full first, when each roll counts for both.
    fn beside_forecast(
        &self,
        clocks: [&Clock; 2],
        check: &AttachedCheck,
    ) -> Result<Race, Unforeseen> {
        let (spec, odds) = self.attached_odds(clocks[0], check)?;
        let mut ends: BTreeMap<[i32; 2], f64> = BTreeMap::new();
        for (outcome, score, chance) in odds.ends() {
            let by = clocks.map(|clock| clock.ticks_of(spec, outcome, score.levels));
            *ends.entry(by).or_default() += chance.to_f64().value();
        }
        let stand = clocks.map(|clock| (clock.filled, clock.segments.count()));
        Ok(tableside_rules::side_by_side(&Vec::from_iter(ends), stand))
    }

    /// What fills a clock, who does, and how the worth of it is spread: the check that it has, else that of the
    /// clock that it stands beside, else what it does by itself.
    fn ticks(
        &self,
        clock: &Clock,
    ) -> Result<(Filler, Option<CharacterId>, Distribution), Unforeseen> {
        let beside = || self.clocks.iter().find(|one| one.is_beside(clock.id));
        let attached = clock.check.as_deref();
        let attached = attached.or_else(|| beside()?.check.as_deref());
        if let Some(attached) = attached {
            let (check, odds) = self.attached_odds(clock, attached)?;
            let worth = |outcome, score: &Score| clock.ticks_of(check, outcome, score.levels);
            let who = attached.who.or(clock.owner);
            return Ok((Filler::Check(check), who, odds.spread(worth)));
        }
        let by_itself = clock.every.iter().find(|(_, by)| **by > 0);
        let (every, by) = by_itself.ok_or_else(|| Unforeseen::NoCheck(clock.name.clone()))?;
        let one = Natural::ONE;
        let ticks = Distribution::new(vec![(i64::from(*by), one.clone())], one);
        Ok((Filler::Every(*every), None, ticks))
    }

    /// The odds of that check as the clock is rolled for.
    fn attached_odds(
        &self,
        clock: &Clock,
        attached: &AttachedCheck,
    ) -> Result<(&'static CheckSpec, Arc<Odds>), Unforeseen> {
        let who = attached.who.or(clock.owner);
        let odds = self.fill_attached(attached, who).and_then(|filled| {
            filled.fields.complete()?;
            let check = filled.fields.spec();
            Ok((check, self.odds_of(filled.fields)?))
        });
        let spec = self.system.check(&attached.check).ok();
        odds.map_err(|refusal| Unforeseen::Unready {
            clock: clock.name.clone(),
            check: spec.map_or(&*attached.check, |spec| spec.label).to_owned(),
            why: match refusal {
                super::CommandError::Rule(tableside_rules::RuleError::Missing(open)) => {
                    let fields = open.iter().filter_map(|(name, _)| spec?.field(name));
                    let roller = who.is_none().then_some("who rolls it").into_iter();
                    let open = join(roller.chain(fields.map(|field| field.label)), ", ");
                    format!("it is still to be said: {open}")
                }
                refusal => refusal.to_string(),
            },
        })
    }

    /// What a check with these fields, complete, may come to.
    pub(super) fn odds_of(&self, mut fields: Fields) -> Result<Arc<Odds>> {
        fields.decide(&self.house);
        let spec = fields.spec();
        let machine = spec.prepare(&fields, &self.house)?;
        Ok(Odds::cached(
            &*machine,
            &fields,
            &self.house,
            &Policy::default(),
        )?)
    }
}

/// The check whose rolls count for both, where they stand beside each other.
fn shared_check<'a>(one: &'a Clock, other: &'a Clock) -> Option<&'a AttachedCheck> {
    let pair = [(one, other), (other, one)];
    let first = pair.iter().find(|(one, other)| one.is_beside(other.id));
    first?.0.check.as_deref()
}
