//! The check that words ask for: its name or what it rolls on, fields, and what goes with it.

use super::names::{Found, characters, clocks, cut, find, number, one};
use super::{Incomplete, ParseError};
use crate::dice::Face;
use crate::dice::notation::Notation;
use crate::rules::{CheckSpec, ChosenBy, Field, Kind, Preset};
use crate::session::{
    CharacterId, ClockId, CommandError, Faces, Filled, GroupKind, RollCommand, ThrowCommand, Who,
};
use crate::table::request::Plan;
use crate::table::{Role, SeatView};

/// The most words of one name on a sheet.
const LONGEST_PICK: usize = 8;

/// Words that hide what is rolled.
const CLOSES: [&str; 3] = ["hidden", "closed", "noticed"];

/// Words that say how, not what.
const ASIDES: [&str; 6] = ["hidden", "closed", "noticed", "wait", "shown", "openly"];

/// What is asked for.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) check: &'static CheckSpec,
    /// Fields as they were written.
    pub(super) given: Vec<(&'static Field, String)>,
    pub(super) faces: Faces,
    pub(super) choose: Vec<String>,
    pub(super) clock: Option<ClockId>,
    pub(super) helpers: Vec<CharacterId>,
    /// Words that say how it is made.
    asides: Vec<&'static str>,
}

/// The free dice that words say, thrown by nobody yet; `None` where they are none.
pub(super) fn dice(words: &[&str]) -> Option<ThrowCommand> {
    let mut faces = None;
    let (mut is_closed, mut noticed) = (false, false);
    let mut notation = String::new();
    for word in words {
        let small = word.to_lowercase();
        if let Some(given) = small.strip_prefix("faces=") {
            let given = given.split(',').map(str::parse);
            faces = Some(given.collect::<Result<Vec<i32>, _>>().ok()?);
        } else if CLOSES.contains(&small.as_str()) {
            is_closed = true;
            noticed |= small == "noticed";
        } else if small != "dice" || !notation.is_empty() {
            notation.push_str(word);
        }
    }
    // A bare number is the number of a check.
    let falls = notation.contains(['d', 'D']) && notation.parse::<Notation>().is_ok();
    falls.then(|| ThrowCommand {
        who: Who::Nobody,
        notation,
        faces,
        noticed,
        hidden_from: hidden_from(is_closed),
    })
}

fn hidden_from(is_closed: bool) -> Vec<String> {
    is_closed.then(|| "*".to_owned()).into_iter().collect()
}

/// Reads what stands behind the one who rolls. With `fixed` the check is known already.
pub(super) fn ask(
    words: &str,
    who: Option<CharacterId>,
    fixed: Option<&'static CheckSpec>,
    seen: &SeatView<'_>,
) -> Result<Asked, ParseError> {
    let checks = fixed.map_or_else(|| seen.system().spec().checks.to_vec(), |check| vec![check]);
    let mut asking = Asking {
        who,
        seen,
        is_settled: fixed.is_some(),
        asked: Asked {
            check: checks.first().copied().ok_or(ParseError::Nothing)?,
            given: Vec::new(),
            faces: Faces::Rolled,
            choose: Vec::new(),
            clock: None,
            helpers: Vec::new(),
            asides: Vec::new(),
        },
        checks,
    };
    let (plain, pairs) = asking.split(words);
    let plain = asking.take_asides(&plain)?;
    asking.take_names(&plain)?;
    for (name, value) in pairs {
        asking.take_pair(&name, &value)?;
    }
    Ok(asking.asked)
}

/// What is asked for, as far as it was read.
struct Asking<'a> {
    who: Option<CharacterId>,
    seen: &'a SeatView<'a>,
    /// The checks that it can be.
    checks: Vec<&'static CheckSpec>,
    /// Whether it is clear which.
    is_settled: bool,
    asked: Asked,
}

impl Asking<'_> {
    /// The words before the first `NAME=VALUE`, and each of those with the words of its value; what says
    /// how the check is made may stand behind them, too.
    fn split<'w>(&self, words: &'w str) -> (Vec<&'w str>, Vec<(String, String)>) {
        let is_flag = |word: &str| {
            let mut fields = self.checks.iter().filter_map(|check| check.field(word));
            fields.any(|field| field.kind == Kind::Flag)
        };
        let is_name = |name: &str| {
            let mut letters = name.chars();
            !name.is_empty() && letters.all(|letter| letter.is_alphanumeric() || letter == '-')
        };
        let mut plain = Vec::new();
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut words = words.split_whitespace();
        while let Some(word) = words.next() {
            let pair = word.split_once('=').filter(|(name, _)| is_name(name));
            match (pair, pairs.last_mut()) {
                (Some((name, value)), _) => pairs.push((name.to_lowercase(), value.to_owned())),
                (None, Some(_)) if word == "for" => {
                    plain.push(word);
                    plain.extend(words.by_ref());
                }
                (None, Some((_, value))) if !is_flag(word) && !ASIDES.contains(&word) => {
                    value.push(' ');
                    value.push_str(word);
                }
                (None, _) => plain.push(word),
            }
        }
        (plain, pairs)
    }

    /// Takes out what says how: hidden, for which clock, waiting for an answer.
    fn take_asides<'w>(&mut self, words: &[&'w str]) -> Result<Vec<&'w str>, ParseError> {
        let mut left = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let small = word.to_lowercase();
            if small == "for" {
                let name = words.get(at + 1..).unwrap_or_default().join(" ");
                self.asked.clock = Some(one("clock", &name, &clocks(self.seen))?.0);
                break;
            }
            match ASIDES.into_iter().find(|known| *known == small) {
                Some(known) => self.asked.asides.push(known),
                None => left.push(*word),
            }
        }
        Ok(left)
    }

    /// Takes names of checks, flags, and what stands on the sheet, the longest first.
    fn take_names(&mut self, words: &[&str]) -> Result<(), ParseError> {
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let mut problem = None;
            let mut taken = None;
            for span in (1..=rest.len().min(LONGEST_PICK)).rev() {
                match self.take_name(&rest.get(..span).unwrap_or_default().join(" ")) {
                    Ok(true) => {
                        taken = Some(span);
                        break;
                    }
                    Ok(false) => {}
                    Err(several) => problem = Some(several),
                }
            }
            match (taken, problem) {
                (Some(span), _) => at += span,
                (None, Some(several)) => return Err(several),
                (None, None) => return Err(self.unknown(&rest.join(" "))),
            }
        }
        Ok(())
    }

    /// The checks that a name may belong to.
    fn considered(&self) -> Vec<&'static CheckSpec> {
        if self.is_settled {
            vec![self.asked.check]
        } else {
            self.checks.clone()
        }
    }

    fn settle(&mut self, check: &'static CheckSpec) {
        self.asked.check = check;
        self.is_settled = true;
    }

    /// Takes one name, if it is one.
    fn take_name(&mut self, name: &str) -> Result<bool, ParseError> {
        if !self.is_settled {
            let checks = self.checks.iter().enumerate();
            let labels = checks.flat_map(|(at, check)| {
                [check.id, check.label].map(|label| (label.to_owned(), at))
            });
            // A check is named by its beginning at most: what stands on a sheet goes before guesses.
            if let Found::One(at, 0..=2) = find(name, &labels.collect::<Vec<_>>())
                && let Some(check) = self.checks.get(at)
            {
                self.settle(check);
                return Ok(true);
            }
        }
        let mut best: Option<(u32, &'static CheckSpec, Nameable)> = None;
        let mut several = None;
        for check in self.considered() {
            let mut names = nameable(check, self.who, self.seen);
            let known = names.iter().enumerate();
            let known: Vec<_> = known.map(|(at, one)| (one.name.clone(), at)).collect();
            match find(name, &known) {
                Found::One(at, unsure) => {
                    if best.as_ref().is_none_or(|(known, ..)| unsure < *known) {
                        best = Some((unsure, check, names.swap_remove(at)));
                    }
                }
                Found::Several(names) => several = Some(names),
                Found::Nothing(_) => {}
            }
        }
        if let Some((_, check, named)) = best {
            self.settle(check);
            self.asked.given.push((named.field, named.value));
            return Ok(true);
        }
        if let Some(names) = several {
            let given = name.to_owned();
            return Err(ParseError::Several { given, names });
        }
        // A bare number is the one that has to be given.
        let asked = &mut self.asked;
        let filled = self.seen.fill(asked.check, self.who).fields;
        let open = asked.check.fields.iter().find(|field| {
            let given = asked.given.iter().any(|(known, _)| known.id == field.id);
            matches!(field.preset, Preset::Required | Preset::Optional)
                && matches!(field.kind, Kind::Number { .. })
                && !given
                && filled.value(field.id).is_none()
        });
        let found = number(name).zip(open);
        let pushed = found.map(|(number, field)| asked.given.push((field, number.to_string())));
        Ok(pushed.is_some())
    }

    fn unknown(&self, given: &str) -> ParseError {
        let checks = || self.checks.iter().map(|check| check.id.to_owned());
        let fields = self.considered().into_iter();
        let fields = fields.flat_map(|check| nameable(check, self.who, self.seen));
        let checks_too = checks().filter(|_| !self.is_settled);
        let known = checks_too.chain(fields.map(|one| one.name));
        let near = match find(given, &known.map(|name| (name, 0)).collect::<Vec<_>>()) {
            Found::Nothing(Some(near)) => format!("; did you mean {near}?"),
            _ => format!(
                "; the checks are {}",
                checks().collect::<Vec<_>>().join(", ")
            ),
        };
        ParseError::Unknown {
            kind: "check, skill or field",
            given: cut(given),
            near,
        }
    }

    /// Takes `NAME=VALUE`.
    fn take_pair(&mut self, name: &str, value: &str) -> Result<(), ParseError> {
        match name {
            "faces" => self.asked.faces = Faces::Typed(read_faces(value)?),
            "choose" => {
                let chosen = value.split(';').map(str::to_owned);
                self.asked.choose.extend(chosen);
            }
            "clock" => self.asked.clock = Some(one("clock", value, &clocks(self.seen))?.0),
            "help" => {
                let known = characters(self.seen);
                for name in value.split(',').map(str::trim) {
                    let (helper, _) = one("character", name, &known)?;
                    self.asked.helpers.push(helper);
                }
            }
            _ => {
                let has_field = |check: &&&CheckSpec| check.field(name).is_some();
                let other = self.checks.iter().find(has_field).copied();
                let check = other.filter(|_| !self.is_settled && !has_field(&&self.asked.check));
                self.settle(check.unwrap_or(self.asked.check));
                let Some(field) = self.asked.check.field(name) else {
                    // Says which fields there are.
                    let mut fields = crate::rules::Fields::presets(self.asked.check);
                    return Ok(fields.set(name, value.into()).map_err(CommandError::from)?);
                };
                self.asked.given.push((field, value.to_owned()));
            }
        }
        Ok(())
    }
}

impl Asked {
    /// Whether that was said of how it is made.
    pub(super) fn is(&self, word: &str) -> bool {
        self.asides.contains(&word)
    }

    /// The fields as they were written, for whom they are kept as words.
    pub(super) fn as_words(&self) -> Vec<(String, String)> {
        let given = self.given.iter();
        given
            .map(|(field, value)| (field.id.to_owned(), written(field, value).to_owned()))
            .collect()
    }

    /// The roll that it asks of somebody.
    pub(super) fn by(
        mut self,
        who: Option<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Result<RollCommand, ParseError> {
        let Plan { filled, helpers } = seen.plan(self.check, who, self.clock, &self.given)?;
        for helper in helpers {
            if !self.helpers.contains(&helper) {
                self.helpers.push(helper);
            }
        }
        if let Err(error) = filled.fields.complete() {
            return Err(ParseError::Open {
                source: error.into(),
                begun: Box::new(Incomplete { who, filled }),
            });
        }
        Ok(self.with(who, filled, false, seen))
    }

    /// The roll that it asks of the worst or the best of the party.
    pub(super) fn by_group(
        self,
        kind: GroupKind,
        seen: &SeatView<'_>,
    ) -> Result<RollCommand, ParseError> {
        let pick = seen.group(self.check, kind, &self.as_words(), &[])?;
        let is_group = kind == GroupKind::Worst;
        let mut roll = self.with(Some(pick.who), pick.filled, is_group, seen);
        for helper in pick.helpers {
            if !roll.helpers.contains(&helper) {
                roll.helpers.push(helper);
            }
        }
        Ok(roll)
    }

    fn with(
        self,
        who: Option<CharacterId>,
        filled: Filled,
        group: bool,
        seen: &SeatView<'_>,
    ) -> RollCommand {
        RollCommand {
            who: who.map_or(Who::Nobody, Who::Character),
            fields: filled.fields,
            sources: filled.sources,
            faces: self.faces,
            choose: self.choose,
            by: by(seen),
            wait: self.asides.contains(&"wait"),
            hidden_from: hidden_from(self.asides.iter().any(|word| CLOSES.contains(word))),
            noticed: self.asides.contains(&"noticed"),
            clock: self.clock,
            helpers: self.helpers,
            group,
        }
    }
}

/// What a field takes when it is given without a value: a flag is on.
fn written<'a>(field: &Field, value: &'a str) -> &'a str {
    if field.kind == Kind::Flag && value.is_empty() {
        "yes"
    } else {
        value
    }
}

/// What a word may name for a check.
struct Nameable {
    name: String,
    field: &'static Field,
    value: String,
}

/// An entry of the sheet, a flag, a word that a field takes. Where two fields know the same name, letter
/// case aside, it is the first's.
fn nameable(
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    seen: &SeatView<'_>,
) -> Vec<Nameable> {
    let mut names: Vec<Nameable> = Vec::new();
    let mut known: Vec<String> = Vec::new();
    for field in check.fields {
        let own = match field.kind {
            Kind::Flag => vec![(field.id.to_owned(), "yes".to_owned())],
            Kind::Word(words) => {
                let words = words.iter().map(|word| (*word).to_owned());
                let all = words.chain(seen.picks(who, field));
                all.map(|word| (word.clone(), word)).collect()
            }
            Kind::Die | Kind::Number { .. } | Kind::Text => {
                let picks = seen.picks(who, field).into_iter();
                picks.map(|pick| (pick.clone(), pick)).collect()
            }
        };
        for (name, value) in own {
            if !known.contains(&name.to_lowercase()) {
                names.push(Nameable { name, field, value });
            }
        }
        known.extend(names.iter().map(|one| one.name.to_lowercase()));
    }
    names
}

/// Who answers, as it is recorded.
pub(super) fn by(seen: &SeatView<'_>) -> ChosenBy {
    match seen.seat().role {
        Role::Player => ChosenBy::Player,
        Role::Gm | Role::Watcher => ChosenBy::Command,
    }
}

/// Faces with commas or blanks between them.
pub(super) fn read_faces(written: &str) -> Result<Vec<Face>, ParseError> {
    let faces = written
        .split([',', ' '])
        .filter(|face| !face.is_empty())
        .map(|face| {
            face.parse().map_err(|_no_number| ParseError::Form {
                what: format!("{:?} is no face of a die", cut(face)),
                form: "faces=5,7".to_owned(),
            })
        });
    faces.collect()
}
