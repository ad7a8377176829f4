//! Describes errors in TOML files by their line.

/// Returns the number of the line, counted from 1, that contains the byte at `offset`.
pub fn line_number(text: &str, offset: usize) -> usize {
    let line_ends = text
        .bytes()
        .take(offset)
        .filter(|byte| *byte == b'\n')
        .count();

    line_ends + 1
}

/// Describes an error of the TOML parser on one line, beginning with the number of the faulty line.
pub fn describe_toml_error(text: &str, error: &toml::de::Error) -> String {
    let offset = error.span().map_or(0, |span| span.start);
    let line = line_number(text, offset);
    let message = error.message().trim().replace('\n', ", ");

    format!("line {line}: {message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(line_number("a\nb\n", 0), 1);
        assert_eq!(line_number("a\nb\n", 1), 1);
        assert_eq!(line_number("a\nb\n", 2), 2);
        assert_eq!(line_number("", 0), 1);
    }

    #[test]
    fn an_error_names_its_line() {
        let text = "name = \"Mira\"\nlevel = = 2\n";
        let error = toml::from_str::<toml::Table>(text).unwrap_err();
        let description = describe_toml_error(text, &error);
        assert!(description.starts_with("line 2: "), "{description}");
        assert!(!description.contains('\n'), "{description}");
    }
}
