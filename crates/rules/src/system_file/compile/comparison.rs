//! Finds the name that a quoted word in an expression is compared with.

/// Returns the name that a word is compared with. `before` is the text of the expression before the word, such as
/// `mood ==` or `switch mood {`.
pub(super) fn compared_name(before: &str) -> Option<&str> {
    let left_side = before
        .strip_suffix("==")
        .or_else(|| before.strip_suffix("!="));
    if let Some(left_side) = left_side {
        return last_name(left_side.trim_end());
    }

    let begins_arm = before.ends_with(['{', ',', '|']) && !before.ends_with("||");
    if begins_arm {
        name_of_open_switch(before)
    } else {
        None
    }
}

/// Returns the name at the end of a text.
fn last_name(text: &str) -> Option<&str> {
    let is_outside_name = |letter: char| !letter.is_alphanumeric() && !"_.".contains(letter);
    text.rsplit(is_outside_name).next()
}

/// Returns the name of the innermost `switch` whose braces are not closed yet.
fn name_of_open_switch(text: &str) -> Option<&str> {
    for (start, keyword) in text.rmatch_indices("switch ") {
        let after_keyword = text.get(start + keyword.len()..)?;
        let Some((name, arms)) = after_keyword.split_once('{') else {
            continue;
        };
        let is_open = arms.matches('{').count() == arms.matches('}').count();
        if is_open {
            return Some(name.trim());
        }
    }
    None
}
