//! Helpers shared by the tests of several crates. Only tests depend on this crate, never the program.
//!
//! [`assert_mistakes`] checks a table of invalid inputs against the error messages that they must cause.

/// Checks the error messages for a table of invalid inputs.
///
/// Each input is followed by a line `=> MESSAGE`. `parse_error` returns the error for an input, and the error must
/// contain the message:
///
/// ```
/// tableside_testing::assert_mistakes(
///     "\
/// twelve
/// => invalid digit
/// 300
/// => too large",
///     |input| input.parse::<u8>().unwrap_err().to_string(),
/// );
/// ```
///
/// # Panics
///
/// If an error does not contain its message, or if no message follows the last input.
#[track_caller]
pub fn assert_mistakes(table: &str, parse_error: impl Fn(&str) -> String) {
    let mut input_lines = Vec::new();
    for line in table.lines() {
        let Some(message) = line.strip_prefix("=> ") else {
            input_lines.push(line);
            continue;
        };

        let input = input_lines.join("\n");
        let error = parse_error(&input);
        assert!(
            error.contains(message),
            "expected {message:?} for {input}, got: {error}"
        );
        input_lines.clear();
    }

    assert!(input_lines.is_empty(), "no message follows {input_lines:?}");
}
