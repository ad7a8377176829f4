//! Forecasts asked for lately: a screen shows the same one with every frame.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::{Forecast, forecast};
use crate::dice::Distribution;

struct Known {
    levels: Distribution,
    place: (u8, u8),
    forecast: Arc<Forecast>,
}

static KNOWN: LazyLock<Mutex<VecDeque<Known>>> = LazyLock::new(Mutex::default);

/// So many are kept: every clock of a busy table.
const MOST: usize = 48;

impl Forecast {
    /// What [`forecast`] says, worked out once for equal questions that follow each other closely.
    pub fn known(levels: &Distribution, filled: u8, segments: u8) -> Arc<Self> {
        let place = (filled, segments);
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |one: &&Known| one.place == place && one.levels == *levels;
        if let Some(one) = known().iter().find(same) {
            return Arc::clone(&one.forecast);
        }
        let forecast = Arc::new(forecast(levels, filled, segments));
        let mut known = known();
        known.truncate(MOST - 1);
        known.push_front(Known {
            levels: levels.clone(),
            place,
            forecast: Arc::clone(&forecast),
        });
        forecast
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forecast_that_is_known_is_the_one_worked_out() {
        let coin = Distribution::new(vec![(0, 1_u8.into()), (1, 1_u8.into())], 2_u8.into());
        for filled in [0, 3, 0] {
            assert_eq!(
                *Forecast::known(&coin, filled, 4),
                forecast(&coin, filled, 4)
            );
        }
    }
}
