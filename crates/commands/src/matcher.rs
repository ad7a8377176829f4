//! Fits typed words into the forms of commands, and picks the most certain fit.

use std::cmp::Reverse;

use super::error::shorten;
use super::fit_failure::{
    FailedFit, Failure, Progress, classify_failure, describe_choice, describe_slot,
};
use super::form::{FormPiece, SlotKind, choose_word, reorder};
use super::name_lookup::Resemblance;
use super::slot_values::{
    fill_with_name, take_dice, take_entry, take_entry_tag, take_number, take_number_or_dice,
};
use super::target_lookup::look_up_targets;
use super::{CommandSpec, ParseError, Slots};
use tableside_table::SeatView;

/// The maximum number of words in the name of a known target, such as a clock.
const MAX_NAME_WORDS: usize = 24;

/// The maximum number of names that are tried for one line, known and free names together. Without a limit, words that
/// fit in many ways would take exponential time.
const MAX_ATTEMPTS: usize = 400;

/// The uncertainty of a fit. The matcher chooses the fit with the smallest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Doubt {
    /// The sum of the uncertainties of all names.
    names: u32,
    /// The number of words in free names, such as the name of a new clock.
    free_words: usize,
    /// The number of words of the form and of known names. Longer names are less uncertain, and a word of the form is as
    /// certain as a name: `roll initiative for all` is about all, and not about the party, which `all` names elsewhere.
    known_words: Reverse<usize>,
}

/// A command whose form fits the words.
struct Fit {
    doubt: Doubt,
    spec: &'static CommandSpec,
    slots: Slots,
}

/// A form whose first pieces fit the words before a position.
#[derive(Clone)]
struct PartialFit {
    spec: &'static CommandSpec,
    /// The index of the next word.
    position: usize,
    slots: Slots,
    doubt: Doubt,
}

/// Fits words into forms, one command after the other.
pub(super) struct Matcher<'a> {
    words: &'a [&'a str],
    /// The value of the slot TEXT if it was not typed among the words, such as the text of a file.
    attached_text: Option<&'a str>,
    view: &'a SeatView<'a>,
    best: Option<Fit>,
    furthest_failure: Option<FailedFit>,
    /// The number of names tried so far, known and free names together.
    attempts: usize,
    /// The command that was being fitted when [`MAX_ATTEMPTS`] was exceeded.
    exhausted_at: Option<&'static CommandSpec>,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(
        words: &'a [&'a str],
        attached_text: Option<&'a str>,
        view: &'a SeatView<'a>,
    ) -> Self {
        Self {
            words,
            attached_text,
            view,
            best: None,
            furthest_failure: None,
            attempts: 0,
            exhausted_at: None,
        }
    }

    /// Tries to fit the words into the form of a command.
    pub(super) fn try_command(&mut self, spec: &'static CommandSpec) {
        let pieces = spec.pieces();
        let pieces: Vec<&FormPiece> = pieces.iter().collect();
        let fit = PartialFit {
            spec,
            position: 0,
            slots: Slots::default(),
            doubt: Doubt::default(),
        };
        self.fit_pieces(&pieces, fit);
    }

    /// Returns the best fit, or the error of the attempt with the most progress.
    pub(super) fn finish(self) -> Result<(&'static CommandSpec, Slots), ParseError> {
        if let Some(spec) = self.exhausted_at {
            return Err(spec.wrong_form("these words can be read in too many ways"));
        }
        if let Some(fit) = self.best {
            return Ok((fit.spec, fit.slots));
        }
        if let Some(failure) = self.furthest_failure {
            return Err(failure.error);
        }

        let error = "type a command, for example: tick The alarm";
        Err(ParseError::UnknownCommand(error.to_owned()))
    }

    fn words_from(&self, position: usize) -> &'a [&'a str] {
        self.words.get(position..).unwrap_or_default()
    }

    /// Keeps the error of a failed attempt if the attempt made more progress than all earlier ones.
    fn fail(&mut self, progress: Progress, error: impl FnOnce() -> ParseError) {
        let is_furthest = match &self.furthest_failure {
            Some(known) => progress > known.progress,
            None => true,
        };
        if is_furthest {
            self.furthest_failure = Some(FailedFit {
                progress,
                error: error(),
            });
        }
    }

    /// Reports that the word at `position` is missing, or that the form expects another one.
    fn fail_expecting(&mut self, spec: &'static CommandSpec, position: usize, expected: &str) {
        let progress = Progress {
            word: position,
            is_delimited: false,
            failure: Failure::WordExpected,
            name_words: 0,
        };

        // Position 0 means that a free text took all words. Then the expected word is missing, and no typed word is
        // unexpected.
        let unexpected = match self.words.get(position) {
            Some(word) if position > 0 => Some(shorten(word)),
            _ => None,
        };
        self.fail(progress, || match unexpected {
            Some(word) => spec.wrong_form(format!("expected {expected} instead of \"{word}\"")),
            None => spec.wrong_form(format!("{expected} is missing")),
        });
    }

    /// Fits the remaining words into the remaining pieces of a form.
    fn fit_pieces(&mut self, pieces: &[&FormPiece], fit: PartialFit) {
        let Some((piece, rest)) = pieces.split_first() else {
            return self.complete(fit);
        };

        match piece {
            FormPiece::Word(choice) => self.fit_word(choice, rest, fit),
            FormPiece::Filler(filler) => {
                let next_word = self.words.get(fit.position);
                if next_word.is_some_and(|word| word.to_lowercase() == *filler) {
                    let mut with_filler = fit.clone();
                    with_filler.position += 1;
                    self.fit_pieces(rest, with_filler);
                }
                self.fit_pieces(rest, fit);
            }
            FormPiece::Optional(inner) => {
                let with_inner: Vec<&FormPiece> =
                    inner.iter().chain(rest.iter().copied()).collect();
                self.fit_pieces(&with_inner, fit.clone());
                self.fit_pieces(rest, fit.clone());

                let next_word = self.words.get(fit.position).map(|word| word.to_lowercase());
                for order in reorder(piece, rest, &next_word.unwrap_or_default()) {
                    self.fit_pieces(&order, fit.clone());
                }
            }
            FormPiece::Slot { name, kind } => {
                let has_no_words = self.words_from(fit.position).is_empty();
                if has_no_words && let Some(text) = self.attached_text.filter(|_| *name == "TEXT") {
                    let mut with_text = fit;
                    text.clone_into(&mut with_text.slots.text);
                    self.fit_pieces(rest, with_text);
                } else if has_no_words {
                    self.fail_at_end(name, &fit);
                } else {
                    self.fit_slot(name, *kind, rest, fit);
                }
            }
        }
    }

    /// Keeps a completely fitted form if it used all words and fits better than earlier forms.
    fn complete(&mut self, fit: PartialFit) {
        let left_over = self.words_from(fit.position);
        let progress = Progress {
            word: fit.position,
            is_delimited: false,
            failure: Failure::UnknownWords,
            name_words: 0,
        };
        if !left_over.is_empty() {
            let left_over = shorten(&left_over.join(" "));
            self.fail(progress, || {
                fit.spec.wrong_form(format!("unexpected \"{left_over}\""))
            });
            return;
        }

        if let Some(text) = self.attached_text
            && fit.slots.text != text
        {
            self.fail(progress, || {
                fit.spec
                    .wrong_form("this command does not accept the text of a file")
            });
            return;
        }

        let is_best = self.best.as_ref().is_none_or(|best| fit.doubt < best.doubt);
        if is_best {
            self.best = Some(Fit {
                doubt: fit.doubt,
                spec: fit.spec,
                slots: fit.slots,
            });
        }
    }

    fn fit_word(&mut self, choice: &'static str, rest: &[&FormPiece], mut fit: PartialFit) {
        let next_word = self.words.get(fit.position).map(|word| word.to_lowercase());
        if let Some(word) = next_word
            .as_deref()
            .and_then(|typed| choose_word(choice, typed))
        {
            fit.slots.words.push(word);
            fit.position += 1;
            fit.doubt.known_words.0 += 1;
            self.fit_pieces(rest, fit);
            return;
        }

        let free_text_took_all = next_word.is_none() && fit.doubt.free_words > 0;
        let position = if free_text_took_all { 0 } else { fit.position };
        self.fail_expecting(fit.spec, position, &describe_choice(choice));
    }

    /// Reports that no words are left for a slot. Words that a free text took do not count as progress.
    fn fail_at_end(&mut self, slot: &str, fit: &PartialFit) {
        let progress = Progress {
            word: fit.position.saturating_sub(fit.doubt.free_words),
            is_delimited: false,
            failure: Failure::WordExpected,
            name_words: 0,
        };
        self.fail(progress, || {
            fit.spec.wrong_form(format!("{slot} is missing"))
        });
    }

    fn fit_slot(&mut self, slot: &str, kind: SlotKind, rest: &[&FormPiece], mut fit: PartialFit) {
        let is_free_text = kind == SlotKind::Name || slot == "CHECK…";
        if is_free_text && self.continues_list(&fit) {
            return;
        }
        if kind == SlotKind::Text && self.continues_readers(&fit) {
            return;
        }

        let remaining_words = self.words_from(fit.position);
        let taken = match kind {
            SlotKind::Text => {
                fit.slots.text = remaining_words.join(" ");
                remaining_words.len()
            }
            SlotKind::Dice => take_dice(remaining_words, &mut fit.slots, self.view),
            SlotKind::Number => take_number(slot, remaining_words, &mut fit.slots),
            SlotKind::NumberOrDice => take_number_or_dice(remaining_words, &mut fit.slots),
            SlotKind::Entry => take_entry(remaining_words, &mut fit.slots, self.view),
            SlotKind::EntryTag => take_entry_tag(remaining_words, &mut fit.slots),
            SlotKind::Name => return self.fit_free_name(rest, &fit),
            SlotKind::Character
            | SlotKind::Characters
            | SlotKind::Clock
            | SlotKind::Pool
            | SlotKind::CharacterClockOrPool
            | SlotKind::CharactersAndClocks
            | SlotKind::PreparedScene
            | SlotKind::Stat
            | SlotKind::Owner
            | SlotKind::Readers
            | SlotKind::Pin
            | SlotKind::Note => return self.fit_known_name(kind, rest, &fit),
        };

        if taken == 0 {
            let expected = describe_slot(slot, kind);
            self.fail_expecting(fit.spec, fit.position, &expected);
            return;
        }
        fit.position += taken;
        self.fit_pieces(rest, fit);
    }

    /// True if the next word continues a list of names, as in `Mira, Bo` or `Mira and Bo`, and therefore does not begin a
    /// free text.
    fn continues_list(&self, fit: &PartialFit) -> bool {
        let Some(next_word) = self.words.get(fit.position) else {
            return false;
        };
        let previous_position = fit.position.wrapping_sub(1);
        let previous = self.words.get(previous_position).copied().unwrap_or("");

        let follows_name =
            !fit.slots.targets.is_empty() && fit.slots.words.last() != Some(&previous);
        if !follows_name {
            return false;
        }

        if next_word.eq_ignore_ascii_case("and") {
            return true;
        }
        if !previous.ends_with(',') {
            return false;
        }
        match look_up_targets(SlotKind::Character, next_word, None, self.view) {
            Ok(found) => found.uncertainty < Resemblance::Contained.uncertainty(),
            Err(_) => false,
        }
    }

    /// True if the next word continues a list of readers with `and`. All names in the list must be known, so that a
    /// misspelled name does not become a part of the text.
    fn continues_readers(&self, fit: &PartialFit) -> bool {
        let next_word = self.words.get(fit.position);
        let is_and = next_word.is_some_and(|word| word.eq_ignore_ascii_case("and"));
        is_and && fit.slots.readers.is_some()
    }

    /// Tries to fit a free name of one word, then of two words, and so on.
    fn fit_free_name(&mut self, rest: &[&FormPiece], fit: &PartialFit) {
        let remaining_words = self.words_from(fit.position);
        for length in 1..=remaining_words.len() {
            if !self.count_attempt(fit.spec) {
                return;
            }

            let mut longer = fit.clone();
            longer.position += length;
            longer.slots.name = remaining_words[..length].join(" ");
            longer.doubt.free_words += length;
            self.fit_pieces(rest, longer);
        }
    }

    /// Tries to fit the name of a known target with one word, then with two words, and so on.
    fn fit_known_name(&mut self, kind: SlotKind, rest: &[&FormPiece], fit: &PartialFit) {
        let remaining_words = self.words_from(fit.position);
        for length in 1..=remaining_words.len().min(MAX_NAME_WORDS) {
            if !self.count_attempt(fit.spec) {
                return;
            }

            let name = remaining_words[..length].join(" ");
            let mut longer = fit.clone();
            let filled = match unquote(&name) {
                Some(unquoted) => fill_with_name(kind, unquoted, &mut longer.slots, self.view),
                None => fill_with_name(kind, &name, &mut longer.slots, self.view),
            };
            match filled {
                Ok(uncertainty) => {
                    longer.position += length;
                    longer.doubt.names += uncertainty;
                    longer.doubt.known_words.0 += length;
                    self.fit_pieces(rest, longer);
                }
                Err(error) => {
                    let failure = classify_failure(&error);
                    let next_word = remaining_words.get(length);
                    let progress = Progress {
                        word: fit.position,
                        is_delimited: failure >= Failure::AmbiguousName
                            || is_expected_next(rest, next_word),
                        failure,
                        name_words: length,
                    };
                    self.fail(progress, || error);
                }
            }
        }
    }

    /// Counts an attempt to fit a name. Returns false if the limit is exceeded.
    fn count_attempt(&mut self, spec: &'static CommandSpec) -> bool {
        self.attempts += 1;
        if self.attempts > MAX_ATTEMPTS {
            self.exhausted_at = Some(spec);
            return false;
        }
        true
    }
}

/// True if the form continues with a word and this is that word.
fn is_expected_next(rest: &[&FormPiece], next_word: Option<&&str>) -> bool {
    match (rest.first(), next_word) {
        (Some(FormPiece::Word(choice)), Some(word)) => {
            choose_word(choice, &word.to_lowercase()).is_some()
        }
        _ => false,
    }
}

/// Returns the name between quotation marks. `None` if it has none.
fn unquote(name: &str) -> Option<&str> {
    const MARKS: [(char, char); 4] = [('\'', '\''), ('"', '"'), ('“', '”'), ('‘', '’')];

    for (open, close) in MARKS {
        let inner = name
            .strip_prefix(open)
            .and_then(|name| name.strip_suffix(close));
        if let Some(inner) = inner
            && !inner.is_empty()
        {
            return Some(inner);
        }
    }
    None
}
