//! What keys send.

/// What a terminal sends for the key of that name; `C-` is with Ctrl, and all other words are letters.
pub(crate) fn sent(key: &str) -> String {
    let sent = match key {
        "Up" => "\x1b[A",
        "Down" => "\x1b[B",
        "Right" => "\x1b[C",
        "Left" => "\x1b[D",
        "PgUp" => "\x1b[5~",
        "PgDn" => "\x1b[6~",
        "Home" => "\x1b[H",
        "End" => "\x1b[F",
        "Enter" => "\r",
        "Esc" => "\x1b",
        "Tab" => "\t",
        "BackTab" => "\x1b[Z",
        "Space" => " ",
        "Backspace" => "\x7f",
        "F1" => "\x1bOP",
        "WheelUp" => "\x1b[<64;10;10M",
        "WheelDown" => "\x1b[<65;10;10M",
        key => match key.strip_prefix("C-").map(str::as_bytes) {
            Some([letter]) => return char::from(letter & 0x1f).to_string(),
            _ => key,
        },
    };
    sent.to_owned()
}
