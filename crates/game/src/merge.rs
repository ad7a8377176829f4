//! Merging a change into a value that others changed in the meantime, for undo and for edits of an older state.

use serde_json::Value as Json;

use super::Part;

/// Adds the difference from `old` to `new` to a counter, and keeps it within its bounds. A missing counter is 0.
///
/// A counter that is still `old` becomes `new`. Otherwise all three values must be numbers; if they are not, returns
/// `None`.
pub(super) fn shift_number(part: &Part, now: &Json, old: &Json, new: &Json) -> Option<Json> {
    // A stat without a value is derived from others, so it must not become 0.
    if now == old {
        return Some(new.clone());
    }

    let (Some(now_count), Some(old_count), Some(new_count)) = (count(now), count(old), count(new))
    else {
        return None;
    };

    // A damaged journal may contain any number.
    let shifted = now_count.saturating_add(new_count.saturating_sub(old_count));
    let lowest = match part {
        Part::Tokens | Part::Stat(_) => i32::MIN,
        _ => 0,
    };
    let bounded = shifted.clamp(lowest.into(), i32::MAX.into());

    if bounded == 0 && matches!(part, Part::RecentHarm(_)) {
        Some(Json::Null)
    } else {
        Some(bounded.into())
    }
}

fn count(value: &Json) -> Option<i64> {
    match value {
        Json::Null => Some(0),
        value => value.as_i64(),
    }
}

/// Applies the difference between two lists to `now`: removes the elements that only `old` has, and adds those that
/// only `new` has.
pub(super) fn merge_list(now: &Json, old: &Json, new: &Json) -> Json {
    let (now, old, new) = (elements(now), elements(old), elements(new));

    let mut merged = Vec::new();
    for element in now {
        if new.contains(element) || !old.contains(element) {
            merged.push(element.clone());
        }
    }
    for element in new {
        if !old.contains(element) && !now.contains(element) {
            merged.push(element.clone());
        }
    }
    Json::Array(merged)
}

fn elements(list: &Json) -> &[Json] {
    list.as_array().map_or(&[], Vec::as_slice)
}
