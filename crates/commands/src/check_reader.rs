//! The check that words ask for: its name or what it rolls on, fields, and what goes with it.

use std::iter;

use super::{ParseError, clock_named, cut, find, number};
use crate::roll_request::RollRequest;
use tableside_dice::Face;
use tableside_dice::notation::{Notation, ascii_form, compact, resembles_dice};
use tableside_game::{self, CharacterId, CommandError};
use tableside_rules::{CheckSpec, Field, Kind, Refused, Whose};
use tableside_table::SeatView;
use tableside_text::{is_same_name, join};

/// The most words of one name on a sheet.
const LONGEST_PICK: usize = 8;

/// The free dice that words say; `None` if they say none. Refuses faces that are given twice.
pub(super) fn dice(words: &str, seen: &SeatView<'_>) -> Result<Option<RollRequest>, ParseError> {
    let mut request = RollRequest::default();
    let mut notation = String::new();
    let mut faces_given = 0;
    let words: Vec<&str> = words.split_whitespace().collect();
    let mut rest = words.as_slice();
    while let [word, ..] = rest {
        let small = word.to_lowercase();
        // In a comment, words such as hidden count only at the very end, where they may have been meant for the roll.
        let may_be_aside = !notation.contains('#') || are_asides(rest, seen);
        let taken = if may_be_aside {
            take_aside(&mut request, rest, seen)
        } else {
            0
        };
        if taken > 0 {
            rest = &rest[taken..];
            continue;
        }
        rest = &rest[1..];
        if let Some(given) = small.strip_prefix("faces=") {
            let ascii_given: String = given.chars().map(ascii_form).collect();
            let faces: Result<Vec<i32>, _> = ascii_given.split(',').map(str::parse).collect();
            let Ok(faces) = faces else {
                return Ok(None);
            };
            request.free_faces = Some(faces);
            faces_given += 1;
        } else if small != "dice" || !notation.is_empty() {
            if !notation.is_empty() {
                notation.push(' ');
            }
            notation.push_str(word);
        }
    }

    // A bare number is the number of a check.
    let rolls_dice = notation
        .parse::<Notation>()
        .is_ok_and(|notation| notation.rolls_dice());
    if !rolls_dice {
        return Ok(None);
    }
    if faces_given > 1 {
        return Err(given_twice("faces"));
    }

    request.dice = Some(compact(&notation));
    Ok(Some(request))
}

/// The mistake in the dice of a roll: `roll Ana 7d6/2`, or `7d6/2` alone.
///
/// The first word that resembles dice begins the expression.
pub(super) fn dice_mistake(words: &str, seen: &SeatView<'_>) -> Option<ParseError> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let is_roll = words.first()?.eq_ignore_ascii_case("roll");
    let first = words.iter().position(|word| resembles_dice(word))?;
    if !is_roll && first > 0 {
        return None;
    }

    let mut dice_words = Vec::new();
    let mut rest = words.get(first..)?;
    while let [word, after @ ..] = rest {
        let taken = take_aside(&mut RollRequest::default(), rest, seen);
        if taken > 0 {
            rest = rest.get(taken..)?;
            continue;
        }
        if !word.to_lowercase().starts_with("faces=") {
            dice_words.push(*word);
        }
        rest = after;
    }

    let expression = dice_words.join(" ");
    let mistake = expression.parse::<Notation>().err()?;
    Some(ParseError::Dice {
        expression: cut(&expression),
        mistake,
    })
}

/// The first field that is given twice, so that it is not clear which value counts. An aspect and the points spent on it
/// are both given to the same field, as in `aspect=captain aspect=1`.
fn twice_given_field<'a>(check: &CheckSpec, fields: &'a [(String, String)]) -> Option<&'a str> {
    for (place, (name, value)) in fields.iter().enumerate() {
        let mut earlier = fields[..place].iter().filter(|(known, _)| known == name);
        let Some((_, first_value)) = earlier.next() else {
            continue;
        };

        let is_number = |value: &str| {
            let field = check.field(name);
            field.is_some_and(|field| field.parse(value).is_ok())
        };
        let spends = check
            .field(name)
            .is_some_and(|field| field.spends.is_some());
        let is_name_and_number = is_number(value) != is_number(first_value);
        if !spends || !is_name_and_number || earlier.next().is_some() {
            return Some(name);
        }
    }
    None
}

/// The error for a value that stands there twice, so that it is not clear which one counts.
fn given_twice(name: &str) -> ParseError {
    let why = format!("{name} is given twice; once is enough");
    CommandError::from(Refused(why)).into()
}

/// Takes the first word, and maybe more, if it says how a roll is made and not what is rolled. Returns the number of words
/// taken.
fn take_aside(request: &mut RollRequest, words: &[&str], seen: &SeatView<'_>) -> usize {
    let Some((word, after)) = words.split_first() else {
        return 0;
    };
    match word.to_lowercase().as_str() {
        "hidden" | "closed" => {
            request.closed = true;
            return 1 + take_players(request, after, seen);
        }
        "noticed" => (request.closed, request.noticed) = (true, true),
        "wait" => request.wait = true,
        "shown" | "openly" => request.shown = true,
        _ => return 0,
    }
    1
}

/// Phrases for all players, as in `hidden from all players`.
const ALL_PLAYERS: [&str; 7] = [
    "all players",
    "all the players",
    "all",
    "the players",
    "players",
    "everybody",
    "everyone",
];

/// Returns the number of words at the start of `words` that say `from all players`, or 0.
fn count_words_for_all_players(words: &[&str]) -> usize {
    let Some((first, after_first)) = words.split_first() else {
        return 0;
    };
    let (from, rest) = if first.eq_ignore_ascii_case("from") {
        (1, after_first)
    } else {
        (0, words)
    };

    for phrase in ALL_PLAYERS {
        let length = phrase.split(' ').count();
        // Without "from", a single word may be the name of what is rolled.
        if from + length > 1
            && let Some(spoken) = rest.get(..length)
            && spoken.join(" ").eq_ignore_ascii_case(phrase)
        {
            return from + length;
        }
    }

    0
}

/// Takes the names of the players whom a roll is hidden from, as in `hidden from Kim and Lee`. Returns the number of
/// words taken.
fn take_players(request: &mut RollRequest, words: &[&str], seen: &SeatView<'_>) -> usize {
    let words_for_all = count_words_for_all_players(words);
    if words_for_all > 0 {
        request.hidden_from.clear();
        return words_for_all;
    }

    let players = seen.players();
    let mut taken = 0;
    loop {
        let is_joint = |word: &&&str| ["from", "and", ","].contains(&&*word.to_lowercase());
        let joints = words[taken..].iter().take_while(is_joint).count();
        let names = &words[taken + joints..];
        let longest = names.len().min(LONGEST_PICK);
        let found = (1..=longest).rev().find_map(|length| {
            let name = names[..length].join(" ");
            let name = name.trim_end_matches(',');
            let player = players.iter().find(|player| is_same_name(player, name))?;
            Some((player, length))
        });
        let Some((player, length)) = found else {
            return taken;
        };

        if !request.hidden_from.contains(player) {
            request.hidden_from.push(player.clone());
        }
        taken += joints + length;
    }
}

/// Reads what stands behind the one who rolls; what nobody in particular rolls is named as on anybody's sheet.
/// With `fixed` the check is known already.
pub(super) fn ask(
    words: &str,
    who: Option<CharacterId>,
    fixed: Option<&'static CheckSpec>,
    seen: &SeatView<'_>,
) -> Result<RollRequest, ParseError> {
    let rolls = who.and_then(|id| seen.character(id));
    if rolls.is_some_and(|one| one.health.is_some()) {
        return Err(seen.seat().refusal(seen.system()).into());
    }
    let all = seen.system().spec().checks;
    let mut reader = Reader {
        who: who.or_else(|| seen.roster().next().map(|one| one.id)),
        seen,
        checks: fixed.map_or_else(|| all.to_vec(), |check| vec![check]),
        is_settled: fixed.is_some(),
        request: RollRequest::default(),
        twice: None,
    };
    let (plain, pairs) = reader.split(words);
    reader.take_names(&plain)?;
    for (name, value) in pairs {
        reader.take_pair(&name, &value)?;
    }
    let check = reader.checks.first().expect("every system has a check");
    check.id.clone_into(&mut reader.request.check);
    if let Some(name) = twice_given_field(check, &reader.request.fields) {
        return Err(given_twice(name));
    }
    if let Some(name) = reader.twice {
        return Err(given_twice(name));
    }
    Ok(reader.request)
}

/// What is asked for, as far as it was read.
struct Reader<'a> {
    who: Option<CharacterId>,
    seen: &'a SeatView<'a>,
    /// The checks that it can be still.
    checks: Vec<&'static CheckSpec>,
    /// Whether it is clear which.
    is_settled: bool,
    request: RollRequest,
    /// A value beside the fields that was given twice.
    twice: Option<&'static str>,
}

impl Reader<'_> {
    /// Takes out what says how it is made, and tells names from each `NAME=VALUE` with the words of its
    /// value, behind which flags and words of how may stand, too.
    fn split<'w>(&mut self, words: &'w str) -> (Vec<&'w str>, Vec<(String, String)>) {
        let is_name = |name: &str| {
            let mut letters = name.chars();
            !name.is_empty() && letters.all(|letter| letter.is_alphanumeric() || letter == '-')
        };
        let mut plain = Vec::new();
        let mut pairs: Vec<(String, String)> = Vec::new();
        let pair = |word: &'w str| word.split_once('=').filter(|(name, _)| is_name(name));
        let all: Vec<&'w str> = words.split_whitespace().collect();
        let mut words = all.iter().copied().peekable();
        // A value is whole before an opponent's name where it is one as it stands; words of a text may be any.
        let checks = self.checks.clone();
        let is_whole = |(name, value): &(String, String)| {
            let mut fields = checks.iter().filter_map(|check| check.field(name));
            fields.any(|field| field.kind != Kind::Text && field.parse(value).is_ok())
        };
        // Whether the words before are of a value.
        let mut in_value = false;
        while let Some(word) = words.next() {
            let mut fields = self.checks.iter().filter_map(|check| check.field(word));
            let is_flag = fields.any(|field| field.kind == Kind::Flag);
            // The words of how it is made stand in `all` just before those that are left.
            let here = all.len() - words.len() - 1;
            let taken = take_aside(&mut self.request, &all[here..], self.seen);
            if taken > 0 {
                words.by_ref().take(taken - 1).for_each(drop);
                continue;
            }
            let is_opponent = ["against", "vs"].contains(&&*word.to_lowercase());
            in_value &= !(is_opponent && pairs.last().is_some_and(is_whole));
            if word.eq_ignore_ascii_case("for") {
                let named = iter::from_fn(|| words.next_if(|word| pair(word).is_none()));
                self.take_clock(&named.collect::<Vec<_>>());
            } else if let Some((name, value)) = pair(word) {
                pairs.push((name.to_lowercase(), value.to_owned()));
                in_value = true;
            } else if let Some((_, value)) = pairs.last_mut().filter(|_| in_value && !is_flag) {
                value.push(' ');
                value.push_str(word);
            } else {
                plain.push(word);
            }
        }
        (plain, pairs)
    }

    /// Takes the name of the clock that it is for, and words of how behind it that are none of the name.
    fn take_clock(&mut self, named: &[&str]) {
        let seen = self.seen;
        let is_clock = |words: &[&str]| clock_named(&words.join(" "), seen).is_ok();
        let are_asides = |words: &[&str]| take_asides(&mut RollRequest::default(), words, seen);
        let mut parts = (1..=named.len()).rev().map(|length| named.split_at(length));
        let found = parts.find(|(clock, rest)| is_clock(clock) && are_asides(rest));
        let (clock, rest) = found.unwrap_or((named, &[]));
        take_asides(&mut self.request, rest, seen);
        self.name_clock(clock.join(" "));
    }

    fn name_clock(&mut self, clock: String) {
        if self.request.clock.replace(clock).is_some() {
            self.twice = Some("the clock");
        }
    }

    /// Takes names of checks, flags, and what stands on the sheet, the longest first.
    fn take_names(&mut self, mut words: &[&str]) -> Result<(), ParseError> {
        while !words.is_empty() {
            let mut several = None;
            let spans = (1..=words.len().min(LONGEST_PICK)).rev();
            let mut parts = spans.filter_map(|span| words.split_at_checked(span));
            let rest = parts.find_map(|(name, rest)| {
                let taken = self.take_name(&name.join(" "));
                match taken {
                    Ok(true) => return Some(rest),
                    Ok(false) => {}
                    Err(problem) => several = Some(problem),
                }
                None
            });
            // A word before what is rolled on, or before an opponent's name, names nothing itself.
            let before = ["with", "against", "vs", "on"];
            let is_before =
                |(word, rest): &(&&str, &[&str])| before.contains(word) && !rest.is_empty();
            let beyond = words.split_first().filter(is_before).map(|(_, rest)| rest);
            let mut rest = rest.or(beyond);
            if let (None, [name, value, after @ ..]) = (rest, words)
                && self.checks.iter().any(|check| check.field(name).is_some())
            {
                self.take_pair(name, value)?;
                rest = Some(after);
            }
            let unknown = || several.unwrap_or_else(|| self.unknown(&words.join(" ")));
            words = rest.ok_or_else(unknown)?;
        }
        Ok(())
    }

    fn settle(&mut self, check: &'static CheckSpec) {
        self.checks = vec![check];
        self.is_settled = true;
    }

    /// Takes one name, if it is one.
    fn take_name(&mut self, name: &str) -> Result<bool, ParseError> {
        // A check is named by its beginning at most: what stands on a sheet goes before guesses.
        if let (false, Ok((at, 0..=2))) = (self.is_settled, find("check", name, &self.labels()))
            && let Some(check) = self.checks.get(at)
        {
            self.settle(check);
            return Ok(true);
        }
        let mut best: Option<(u32, &'static CheckSpec, (String, &'static Field))> = None;
        let mut several = None;
        for check in &self.checks {
            let mut names = self.nameable(check);
            let known = names.iter().enumerate();
            let known: Vec<_> = known.map(|(at, (name, _))| (name.clone(), at)).collect();
            match find("field", name, &known) {
                // Some letters in order are too little to choose an opponent by.
                Ok((at, 4..)) if names[at].1.whose == Whose::Opponent => {}
                Ok((at, unsure)) if best.as_ref().is_none_or(|(known, ..)| unsure < *known) => {
                    best = Some((unsure, check, names.swap_remove(at)));
                }
                Err(problem @ ParseError::Several { .. }) => several = Some(problem),
                Ok(_) | Err(_) => {}
            }
        }
        if let Some((_, check, (value, field))) = best {
            self.settle(check);
            let is_flag = field.kind == Kind::Flag;
            self.put(field, if is_flag { "" } else { &value });
            return Ok(true);
        }
        if let Some(several) = several {
            return Err(several);
        }
        // A bare number is the one that has to be given.
        let Some((check, number)) = self.checks.first().zip(number(name)) else {
            return Ok(false);
        };
        let filled = self.seen.fill(check, self.who).fields;
        let given = &self.request.fields;
        let open = check.fields.iter().find(|field| {
            field.start.is_none()
                && matches!(field.kind, Kind::Number { .. })
                && given.iter().all(|(known, _)| known != field.id)
                && filled.value(field.id).is_none()
        });
        open.inspect(|field| self.put(field, &number.to_string()));
        Ok(open.is_some())
    }

    /// Keeps a field as it was written; a flag without a value is on.
    fn put(&mut self, field: &Field, value: &str) {
        let is_on = field.kind == Kind::Flag && value.is_empty();
        let value = if is_on { "yes" } else { value };
        let written = (field.id.to_owned(), value.to_owned());
        self.request.fields.push(written);
    }

    /// The names of the checks that it can be still, with their places.
    fn labels(&self) -> Vec<(String, usize)> {
        let checks = self.checks.iter().enumerate();
        let labels = checks
            .flat_map(|(at, check)| [check.id, check.label].map(|label| (label.to_owned(), at)));
        labels.collect()
    }

    /// What a word may name for a check: an entry of the sheet, a flag, a word that a field takes. Where two
    /// fields know the same name, letter case aside, it is the first's.
    fn nameable(&self, check: &'static CheckSpec) -> Vec<(String, &'static Field)> {
        let mut names: Vec<(String, &'static Field)> = Vec::new();
        for field in check.fields {
            let words: &[&str] = match &field.kind {
                Kind::Flag => &[field.id],
                Kind::Word(words) => words,
                Kind::Die | Kind::Number { .. } | Kind::Text | Kind::Ranks { .. } => &[],
            };
            let words = words.iter().map(|word| (*word).to_owned());
            for name in words.chain(self.seen.picks(self.who, field)) {
                let mut known = names.iter();
                if known.all(|(known, _)| !is_same_name(known, &name)) {
                    names.push((name, field));
                }
            }
        }
        names
    }

    fn unknown(&self, given: &str) -> ParseError {
        let kind = "check, skill or field";
        let fields = self.checks.iter().flat_map(|check| self.nameable(check));
        let checks = self.checks.iter().map(|check| check.id.to_owned());
        let known = checks.filter(|_| !self.is_settled);
        let known = known.chain(fields.map(|(name, _)| name));
        let known: Vec<(String, usize)> = known.map(|name| (name, 0)).collect();
        let near = match find(kind, given, &known) {
            Err(ParseError::Unknown { near, .. }) if !near.is_empty() => near,
            _ => {
                let checks = self.seen.system().spec().checks.iter();
                let checks = join(checks.map(|check| check.id), ", ");
                format!("; the checks are {checks}")
            }
        };
        let given = cut(given);
        ParseError::Unknown { kind, given, near }
    }

    /// Takes `NAME=VALUE`.
    fn take_pair(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        match name {
            "faces" => {
                let faces = read_faces(value)?;
                if self.request.faces.replace(faces).is_some() {
                    self.twice = Some("faces");
                }
            }
            "hidden" if self.checks.iter().all(|check| check.field(name).is_none()) => {
                self.request.closed = true;
                let players = value.split(',').map(str::trim);
                let players = players.filter(|player| !player.is_empty());
                self.request.hidden_from.extend(players.map(str::to_owned));
            }
            "choose" => {
                let chosen = value.split(';').map(str::to_owned);
                self.request.choose.extend(chosen);
            }
            "clock" => self.name_clock(value.to_owned()),
            "help" => {
                let helpers = value.split(',').map(|name| name.trim().to_owned());
                self.request.helpers.extend(helpers);
            }
            _ => {
                let mut checks = self.checks.iter();
                let check = checks.find(|check| check.field(name).is_some());
                let check = check.or_else(|| self.checks.first()).copied();
                let check = check.expect("every system has a check");
                self.settle(check);
                self.put(self.seen.fill(check, None).field(name)?, value);
            }
        }
        Ok(())
    }
}

/// Takes all these words, if each of them says how a roll is made. Returns false if one does not.
fn take_asides(request: &mut RollRequest, words: &[&str], seen: &SeatView<'_>) -> bool {
    let mut rest = words;
    while !rest.is_empty() {
        let taken = take_aside(request, rest, seen);
        if taken == 0 {
            return false;
        }
        rest = &rest[taken..];
    }
    true
}

/// True if all these words say how a roll is made. Faces given by hand may stand between them.
fn are_asides(words: &[&str], seen: &SeatView<'_>) -> bool {
    let mut asides = words.to_vec();
    asides.retain(|word| !word.to_lowercase().starts_with("faces="));

    take_asides(&mut RollRequest::default(), &asides, seen)
}

/// Faces with commas or blanks between them.
pub(super) fn read_faces(written: &str) -> Result<Vec<Face>, ParseError> {
    tableside_game::read_faces(written).map_err(|what| {
        let form = "faces=5,7".to_owned();
        ParseError::Form { what, form }
    })
}
