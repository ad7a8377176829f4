//! The thresholds of an ACS roll (HFRPG, Success/Failure Threshold).

use crate::OutcomeId;

pub(super) const CRITICAL_SUCCESS: OutcomeId = OutcomeId(0);
pub(super) const CLEAN_SUCCESS: OutcomeId = OutcomeId(1);
pub(super) const SCRAPED_BY: OutcomeId = OutcomeId(2);
pub(super) const ALMOST_THERE: OutcomeId = OutcomeId(3);
pub(super) const CLEAN_FAILURE: OutcomeId = OutcomeId(4);
pub(super) const CRITICAL_FAILURE: OutcomeId = OutcomeId(5);

/// The lowest total of a critical success.
pub(super) const CRITICAL_TOTAL: i32 = 16;

/// A row of the table of thresholds.
pub(super) struct AcsThreshold {
    lowest_total: i32,
    pub(super) outcome: OutcomeId,
    /// The totals of this row in words.
    pub(super) range: &'static str,
    /// The token that the roller gets: 1 for a bonus token, −1 for a penalty token.
    pub(super) token: i32,
}

const THRESHOLDS: [AcsThreshold; 5] = [
    AcsThreshold {
        lowest_total: CRITICAL_TOTAL,
        outcome: CRITICAL_SUCCESS,
        range: "16 or more",
        token: 1,
    },
    AcsThreshold {
        lowest_total: 13,
        outcome: CLEAN_SUCCESS,
        range: "13 to 15",
        token: 0,
    },
    AcsThreshold {
        lowest_total: 10,
        outcome: SCRAPED_BY,
        range: "10 to 12",
        token: -1,
    },
    AcsThreshold {
        lowest_total: 7,
        outcome: ALMOST_THERE,
        range: "7 to 9",
        token: 1,
    },
    AcsThreshold {
        lowest_total: 4,
        outcome: CLEAN_FAILURE,
        range: "4 to 6",
        token: 0,
    },
];

const LOWEST_THRESHOLD: AcsThreshold = AcsThreshold {
    lowest_total: i32::MIN,
    outcome: CRITICAL_FAILURE,
    range: "3 or less",
    token: -1,
};

/// Returns the row of the table for a total.
pub(super) fn threshold_of(total: i32) -> &'static AcsThreshold {
    THRESHOLDS
        .iter()
        .find(|row| total >= row.lowest_total)
        .unwrap_or(&LOWEST_THRESHOLD)
}

pub(super) fn is_success(outcome: OutcomeId) -> bool {
    outcome <= SCRAPED_BY
}
