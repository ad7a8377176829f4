//! The name and the checks of a system file, found by its lines alone.
//!
//! Lists and help show only these for most systems, and compiling the file would take about a hundred times as long.
//! The result is right only for files in the layout of the shipped ones: one key per line, and `id` first among a
//! check's keys that begin a line with `id`.

/// Returns the value of `name` at the top of the file.
pub(crate) fn name(text: &'static str) -> Option<&'static str> {
    text.lines()
        .take_while(|line| !line.starts_with('['))
        .find_map(|line| quoted_value(line, "name"))
}

/// Returns the id of each `[[check]]`, in the order of the file.
pub(crate) fn check_ids(text: &'static str) -> Vec<&'static str> {
    let mut ids = Vec::new();
    let mut in_check = false;

    for line in text.lines() {
        if line.starts_with('[') {
            in_check = line == "[[check]]";
        } else if in_check && let Some(id) = quoted_value(line, "id") {
            ids.push(id);
            in_check = false;
        }
    }

    ids
}

/// Returns the text between the quotes of a line such as `id = "save"`.
fn quoted_value<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    line.strip_prefix(key)?
        .strip_prefix(" = \"")?
        .strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use crate::System;

    #[test]
    fn the_outline_of_each_shipped_file_agrees_with_its_description() {
        for system in System::shipped() {
            let spec = system.spec();
            let ids: Vec<&str> = spec.checks.iter().map(|check| check.id).collect();

            assert_eq!(super::name(system.text()), Some(spec.name), "{system}");
            assert_eq!(super::check_ids(system.text()), ids, "{system}");
        }
    }
}
