//! Helpers shared by the tests of several crates. The program itself never depends on this crate.

/// Checks the error messages of a table of invalid inputs.
///
/// A line `=> MESSAGE` follows the lines of each input. `refuse` returns the error for an input, which must contain
/// the message.
///
/// # Panics
///
/// If an error does not contain its message, or if the last input has no message.
#[track_caller]
pub fn assert_mistakes(table: &str, refuse: impl Fn(&str) -> String) {
    let mut input = Vec::new();
    for line in table.lines() {
        if let Some(expected) = line.strip_prefix("=> ") {
            let text = input.join("\n");
            let error = refuse(&text);
            assert!(error.contains(expected), "{text}: {error}");
            input.clear();
        } else {
            input.push(line);
        }
    }

    assert!(input.is_empty(), "no message follows {input:?}");
}
