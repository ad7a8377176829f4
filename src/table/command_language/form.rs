//! The form of a phrase: words, places for names and numbers, and what may be left out.

/// A piece of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// One of these words, with bars between them.
    Word(&'static str),
    /// A word that may stand there and says nothing: `~by`.
    Filler(&'static str),
    /// A name, a number or a text, by what the form calls it.
    Slot(&'static str),
    /// What may be left out.
    Maybe(Vec<Self>),
}

/// The pieces of a form.
pub(super) fn pieces(form: &'static str) -> Vec<Piece> {
    let mut rest = form;
    read(&mut rest)
}

fn read(rest: &mut &'static str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    loop {
        *rest = rest.trim_start();
        if let Some(inside) = rest.strip_prefix('[') {
            *rest = inside;
            pieces.push(Piece::Maybe(read(rest)));
            continue;
        }
        if let Some(after) = rest.strip_prefix(']') {
            *rest = after;
            return pieces;
        }
        let end = rest.find([' ', '[', ']']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        *rest = after;
        if word.is_empty() {
            return pieces;
        }
        pieces.push(match word.strip_prefix('~') {
            Some(filler) => Piece::Filler(filler),
            None if word.starts_with(char::is_uppercase) => Piece::Slot(word),
            None => Piece::Word(word),
        });
    }
}

/// The form as a person reads it: without fillers, of words for the same only the first.
pub(super) fn shown(form: &'static str) -> String {
    let mut words = Vec::new();
    let mut verb = true;
    for piece in pieces(form) {
        match piece {
            Piece::Word(word) if verb => words.extend(word.split('|').next().map(str::to_owned)),
            piece => {
                verb = false;
                words.extend(show(&piece));
            }
        }
    }
    words.join(" ")
}

fn show(piece: &Piece) -> Option<String> {
    match piece {
        Piece::Word(word) | Piece::Slot(word) => Some((*word).to_owned()),
        Piece::Filler(_) => None,
        Piece::Maybe(inside) => {
            let inside: Vec<String> = inside.iter().filter_map(show).collect();
            (!inside.is_empty()).then(|| format!("[{}]", inside.join(" ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_piece_by_piece() {
        let read = pieces("tick|advance CLOCK [~by AMOUNT]");
        let due = [
            Piece::Word("tick|advance"),
            Piece::Slot("CLOCK"),
            Piece::Maybe(vec![Piece::Filler("by"), Piece::Slot("AMOUNT")]),
        ];
        assert_eq!(read, due);
    }

    #[test]
    fn a_person_reads_what_matters() {
        assert_eq!(
            shown("tick|advance CLOCK [~by AMOUNT]"),
            "tick CLOCK [AMOUNT]"
        );
        assert_eq!(
            shown("rest WHO short|long [~for [X]]"),
            "rest WHO short|long [[X]]"
        );
    }
}
