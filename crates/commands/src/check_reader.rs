//! Reads a check, its fields and the options of its roll: `agility cn=12 help=Bo for The alarm hidden`.

use super::check_candidates::CheckCandidates;
use super::free_dice::given_twice;
use super::known_names::{clock_named, parse_number};
use super::roll_options::are_options;
use super::{ParseError, RollRequest};
use tableside_dice::Face;
use tableside_game::CharacterId;
use tableside_rules::{CheckSpec, Field, Kind};
use tableside_table::SeatView;

/// The maximum number of words in a name on a sheet.
const MAX_NAME_WORDS: usize = 8;

/// Reads the words after the roller's name. The check is `fixed` if that is given; otherwise the words name it.
///
/// Without a roller, names are looked up on the sheet of the first character in the roster.
pub(super) fn read_check(
    words: &str,
    roller: Option<CharacterId>,
    fixed: Option<&'static CheckSpec>,
    view: &SeatView<'_>,
) -> Result<RollRequest, ParseError> {
    refuse_unreadable_sheet(roller, view)?;

    let mut reader = CheckReader {
        view,
        candidates: CheckCandidates::new(roller, fixed, view),
        request: RollRequest::default(),
        given_twice: None,
    };
    let sorted = reader.sort_words(words);
    reader.take_names(&sorted.names)?;
    for field in sorted.fields {
        reader.take_field(&field.name, &field.value)?;
    }
    reader.finish()
}

/// Refuses a roll of a character whose sheet the seat may not read.
pub(super) fn refuse_unreadable_sheet(
    roller: Option<CharacterId>,
    view: &SeatView<'_>,
) -> Result<(), ParseError> {
    let character = roller.and_then(|id| view.character(id));
    // A redacted character has a description of its health instead of a sheet.
    let is_unreadable = character.is_some_and(|character| character.health.is_some());
    if is_unreadable {
        return Err(view.seat().refusal(view.system()).into());
    }
    Ok(())
}

/// Reads faces that are separated by commas or spaces.
pub(super) fn read_faces(typed: &str) -> Result<Vec<Face>, ParseError> {
    tableside_game::read_faces(typed).map_err(|mistake| ParseError::WrongForm {
        mistake,
        form: "faces=5,7".to_owned(),
    })
}

/// The words of a roll, separated into names and fields.
#[derive(Default)]
struct SortedWords<'w> {
    /// Names of checks, of flags and of entries on a sheet.
    names: Vec<&'w str>,
    fields: Vec<TypedField>,
}

/// A typed field: `cn=12`.
struct TypedField {
    name: String,
    value: String,
}

impl TypedField {
    fn parse(word: &str) -> Option<Self> {
        let (name, value) = word.split_once('=')?;
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '-');
        if !is_name {
            return None;
        }

        Some(Self {
            name: name.to_lowercase(),
            value: value.to_owned(),
        })
    }
}

/// Builds the request for a roll from typed words, one step at a time.
struct CheckReader<'a> {
    view: &'a SeatView<'a>,
    candidates: CheckCandidates<'a>,
    request: RollRequest,
    /// The faces or the clock, if one of them was typed twice. Fields that were typed twice are found at the end.
    given_twice: Option<&'static str>,
}

impl CheckReader<'_> {
    fn finish(mut self) -> Result<RollRequest, ParseError> {
        let check = self.candidates.first();
        check.id.clone_into(&mut self.request.check);

        if let Some(name) = find_field_given_twice(check, &self.request.fields) {
            return Err(given_twice(name));
        }
        if let Some(name) = self.given_twice {
            return Err(given_twice(name));
        }
        Ok(self.request)
    }

    /// Separates names from fields, and puts the options of the roll and its clock into the request.
    ///
    /// The value of a field can have several words: `profession=mountain guide`. The value ends at a flag or at an
    /// option. A complete value also ends at `against` or `vs`.
    fn sort_words<'w>(&mut self, words: &'w str) -> SortedWords<'w> {
        let typed_words: Vec<&str> = words.split_whitespace().collect();
        let mut sorted = SortedWords::default();
        let mut is_in_value = false;

        let mut remaining = typed_words.as_slice();
        while let [word, after @ ..] = remaining {
            let taken = self.request.options.take(remaining, self.view);
            if taken > 0 {
                remaining = &remaining[taken..];
                continue;
            }
            remaining = after;

            if begins_opponent(word)
                && let Some(field) = sorted.fields.last()
                && self.candidates.is_complete(&field.name, &field.value)
            {
                is_in_value = false;
            }

            if word.eq_ignore_ascii_case("for") {
                let is_name_word = |word: &&&str| TypedField::parse(word).is_none();
                let name_length = remaining.iter().take_while(is_name_word).count();
                let (clock, behind_clock) = remaining.split_at(name_length);
                self.take_clock(clock);
                remaining = behind_clock;
            } else if let Some(field) = TypedField::parse(word) {
                sorted.fields.push(field);
                is_in_value = true;
            } else if is_in_value
                && !self.candidates.is_flag(&word.to_lowercase())
                && let Some(field) = sorted.fields.last_mut()
            {
                field.value.push(' ');
                field.value.push_str(word);
            } else {
                sorted.names.push(*word);
            }
        }
        sorted
    }

    /// Takes the name of the clock that the roll is for, and the options after the name.
    fn take_clock(&mut self, words: &[&str]) {
        for length in (1..=words.len()).rev() {
            let (name_words, options) = words.split_at(length);
            let name = name_words.join(" ");
            if clock_named(&name, self.view).is_ok() && are_options(options, self.view) {
                self.request.options.take_all(options, self.view);
                self.set_clock(name);
                return;
            }
        }

        // No clock has this name. The lookup of the roll's clock reports the error later.
        self.set_clock(words.join(" "));
    }

    fn set_clock(&mut self, name: String) {
        if self.request.clock.replace(name).is_some() {
            self.given_twice = Some("the clock");
        }
    }

    /// Takes names of checks, flags and entries of the sheet, the longest name first.
    fn take_names(&mut self, words: &[&str]) -> Result<(), ParseError> {
        let mut remaining = words;
        while !remaining.is_empty() {
            remaining = self.take_next_name(remaining)?;
        }
        Ok(())
    }

    /// Takes a name from the start of `words`, and returns the words after it.
    fn take_next_name<'w>(&mut self, words: &'w [&'w str]) -> Result<&'w [&'w str], ParseError> {
        let mut ambiguous = None;
        for length in (1..=words.len().min(MAX_NAME_WORDS)).rev() {
            let (name, after) = words.split_at(length);
            match self.take_name(&name.join(" ")) {
                Ok(true) => return Ok(after),
                Ok(false) => {}
                Err(error) => ambiguous = Some(error),
            }
        }

        // A preposition before a name is skipped, as in `attack with might against Goblin`.
        if let [first, after @ ..] = words
            && begins_name(first)
            && !after.is_empty()
        {
            return Ok(after);
        }

        // A field can be typed without its equals sign, as in `cn 12`.
        if let [name, value, after @ ..] = words {
            let name = name.to_lowercase();
            if self.candidates.with_field(&name).is_some() {
                self.take_field(&name, value)?;
                return Ok(after);
            }
        }

        Err(match ambiguous {
            Some(error) => error,
            None => self.candidates.unknown_name(&words.join(" ")),
        })
    }

    /// Takes the name of a check, the value of a field, or a bare number. Returns false for any other word.
    fn take_name(&mut self, name: &str) -> Result<bool, ParseError> {
        if let Some(check) = self.candidates.find_check(name) {
            self.candidates.settle(check);
            return Ok(true);
        }

        if let Some(found) = self.candidates.find_field_value(name)? {
            self.candidates.settle(found.check);
            let value = match found.field.kind {
                Kind::Flag => "",
                _ => found.value.as_str(),
            };
            self.set_field(found.field, value);
            return Ok(true);
        }

        // A bare number fills the first number field without a value, for example the difficulty.
        let Some(number) = parse_number(name) else {
            return Ok(false);
        };
        let entered = &self.request.fields;
        let Some(field) = self.candidates.find_missing_number(entered) else {
            return Ok(false);
        };
        self.set_field(field, &number.to_string());
        Ok(true)
    }

    /// Adds a typed field to the request. A flag without a value is on.
    fn set_field(&mut self, field: &Field, value: &str) {
        let is_bare_flag = field.kind == Kind::Flag && value.is_empty();
        let value = if is_bare_flag { "yes" } else { value };
        let field = (field.id.to_owned(), value.to_owned());
        self.request.fields.push(field);
    }

    /// Takes a field of the check, or a value that every check accepts, such as `faces` or `help`.
    fn take_field(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        match name {
            "faces" => {
                let faces = read_faces(value)?;
                if self.request.faces.replace(faces).is_some() {
                    self.given_twice = Some("faces");
                }
            }
            "hidden" if self.candidates.with_field(name).is_none() => {
                let options = &mut self.request.options;
                options.hidden = true;
                let players = value.split(',').map(str::trim);
                for player in players.filter(|player| !player.is_empty()) {
                    options.hidden_from.push(player.to_owned());
                }
            }
            "choose" => {
                let answers = value.split(';').map(str::to_owned);
                self.request.choose.extend(answers);
            }
            "clock" => self.set_clock(value.to_owned()),
            "help" => {
                let helpers = value.split(',').map(|name| name.trim().to_owned());
                self.request.helpers.extend(helpers);
            }
            _ => {
                let with_field = self.candidates.with_field(name);
                let check = with_field.unwrap_or_else(|| self.candidates.first());
                self.candidates.settle(check);

                let field = self.view.fill(check, None).field(name)?;
                self.set_field(field, value);
            }
        }
        Ok(())
    }
}

/// True if the word introduces an opponent, as in `against Goblin`.
fn begins_opponent(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "against" | "vs")
}

/// True if the word is a preposition that can precede a name.
fn begins_name(word: &str) -> bool {
    begins_opponent(word) || matches!(word.to_lowercase().as_str(), "with" | "on")
}

/// Finds the first field that is given twice. A field may be given twice if one value names an aspect and the other is
/// the number of points to spend on it, as in `aspect=captain aspect=1`.
fn find_field_given_twice<'f>(
    check: &CheckSpec,
    fields: &'f [(String, String)],
) -> Option<&'f str> {
    for (index, (name, value)) in fields.iter().enumerate() {
        let mut earlier = fields[..index]
            .iter()
            .filter(|(earlier, _)| earlier == name);
        let Some((_, first_value)) = earlier.next() else {
            continue;
        };

        let Some(field) = check.field(name) else {
            return Some(name);
        };
        let is_number = field.parse(value).is_ok();
        let was_number = field.parse(first_value).is_ok();
        let is_name_and_number = is_number != was_number;
        if field.spends.is_none() || !is_name_and_number || earlier.next().is_some() {
            return Some(name);
        }
    }
    None
}
