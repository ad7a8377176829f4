//! The text of a file that another program saved, such as a spreadsheet: whatever its encoding, or a sentence that
//! says how to save it.

/// How the files of other kinds of programs begin, and what to do with them.
const OTHER_KINDS: [(&[u8], &str); 9] = [
    (b"PK\x03\x04", SPREADSHEET),
    (b"\xD0\xCF\x11\xE0", SPREADSHEET),
    (
        b"%PDF",
        "it is a PDF; copy its table into a spreadsheet and save that as CSV",
    ),
    (b"\x89PNG", PICTURE),
    (b"\xFF\xD8\xFF", PICTURE),
    (b"GIF8", PICTURE),
    (b"\x1F\x8B", ARCHIVE),
    (b"7z\xBC\xAF", ARCHIVE),
    (
        b"SQLite format 3",
        "it is a database; export its characters as CSV",
    ),
];

const SPREADSHEET: &str =
    "it is a spreadsheet or an archive; open it, save the sheet as CSV (UTF-8), and import that";
const PICTURE: &str = "it is a picture; a party is read from CSV, TOML or JSON";
const ARCHIVE: &str = "it is an archive; unpack it, and import a file of it";

/// The characters that Windows-1252 has at 0x80 to 0x9F; `\u{FFFD}` where it has none.
const WINDOWS: &str = "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ";

/// A text that was read, with `\n` at the end of each line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileText {
    pub(super) text: String,
    /// Whether the encoding was guessed, so that names are better looked at.
    pub(super) is_guessed: bool,
}

/// Decodes UTF-8, UTF-16 and, for a table of cells, Windows-1252. The error says in which line the text is damaged, or
/// what kind of file it is instead.
pub(super) fn decode(bytes: &[u8], is_table: bool) -> Result<FileText, String> {
    if let Some((_, advice)) = OTHER_KINDS
        .iter()
        .find(|(begin, _)| bytes.starts_with(begin))
    {
        return Err((*advice).to_owned());
    }

    let (text, is_guessed) = if let Some(units) = utf16(bytes) {
        let text = String::from_utf16(&units);
        let text = text.map_err(|_error| {
            "it is damaged UTF-16 text; save it again as CSV (UTF-8)".to_owned()
        })?;
        (text, false)
    } else {
        match str::from_utf8(bytes) {
            Ok(text) => (text.to_owned(), false),
            Err(error) => (decode_windows(bytes, error.valid_up_to(), is_table)?, true),
        }
    };

    if text.contains('\0') {
        return Err("it is no text; a party is read from CSV, TOML or JSON".to_owned());
    }

    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    Ok(FileText { text, is_guessed })
}

/// The units of a UTF-16 text: one with a byte order mark, or one that begins with a letter in two bytes.
fn utf16(bytes: &[u8]) -> Option<Vec<u16>> {
    let is_little = match bytes {
        [0xFF, 0xFE, ..] | [1..=255, 0, 1..=255, 0, ..] => true,
        [0xFE, 0xFF, ..] | [0, 1..=255, 0, 1..=255, ..] => false,
        _ => return None,
    };
    let pairs = bytes.chunks(2).map(|pair| {
        let (first, second) = (pair[0], pair.get(1).copied().unwrap_or(0));
        if is_little {
            u16::from_le_bytes([first, second])
        } else {
            u16::from_be_bytes([first, second])
        }
    });
    Some(pairs.collect())
}

/// Decodes what spreadsheets on Windows save as "CSV"; `valid` bytes at its beginning are UTF-8, too.
fn decode_windows(bytes: &[u8], valid: usize, is_table: bool) -> Result<String, String> {
    let line_of = |at: usize| {
        let before = bytes.get(..at).unwrap_or(bytes);
        let feeds = memchr::memchr_iter(b'\n', before).count();
        let returns = memchr::memchr_iter(b'\r', before).count();
        1 + feeds.max(returns)
    };
    let fault = |at: usize| {
        let line = line_of(at);
        format!("line {line}: it is not UTF-8 text; save it as UTF-8 (in a spreadsheet: CSV UTF-8)")
    };

    // Letters in several bytes at its beginning show that it is a UTF-8 file that was damaged.
    let is_damaged = !bytes.get(..valid).unwrap_or(bytes).is_ascii();
    if !is_table || is_damaged {
        return Err(fault(valid));
    }

    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for (at, byte) in bytes.iter().enumerate() {
        let letter = match byte {
            0x80..=0x9F => WINDOWS.chars().nth(usize::from(byte - 0x80)),
            _ => Some(char::from(*byte)),
        };
        match letter {
            Some('\u{FFFD}') | None => return Err(fault(at)),
            Some(letter) => text.push(letter),
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<String, String> {
        decode(bytes, true).map(|decoded| decoded.text)
    }

    #[test]
    fn each_encoding_of_a_spreadsheet_is_read() {
        let due = Ok("name\nJürgen “J”\n".to_owned());
        let windows = b"name\r\nJ\xFCrgen \x93J\x94\r\n";
        assert_eq!(read(windows), due);
        assert!(decode(windows, true).unwrap().is_guessed);
        let text = "name\rJürgen “J”\r";
        assert_eq!(read(text.as_bytes()), due);
        assert_eq!(read(format!("\u{FEFF}{text}").as_bytes()), due);
        for mark in ["\u{FEFF}", ""] {
            let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            assert_eq!(read(&little), due);
            assert_eq!(read(&big), due);
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_advice() {
        for (bytes, advice) in [
            (b"PK\x03\x04rest".as_slice(), "save the sheet as CSV"),
            (b"%PDF-1.7", "is a PDF"),
            (b"\x89PNG\r\n", "is a picture"),
            (b"\x1F\x8B\x08", "unpack it"),
            (b"name\nJ\x81rgen\n", "line 2: it is not UTF-8"),
            (
                "name\nJürgen\n\u{FF}".as_bytes().split_last().unwrap().1,
                "line 3: it is not UTF-8",
            ),
            (b"name\0\0\x01", "it is no text"),
            (b"\xFF\xFE\x00\xD8", "damaged UTF-16"),
        ] {
            let said = read(bytes).unwrap_err();
            assert!(said.contains(advice), "{said}");
        }
        let toml = decode(b"name = 'J\xFCrgen'", false).unwrap_err();
        assert!(toml.contains("line 1"), "{toml}");
    }
}
