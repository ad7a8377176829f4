//! The check that words ask for: its name or what it rolls on, fields, and what goes with it.

use super::names::{Found, find};
use super::reader::{characters, clocks, number, one};
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

/// The free dice that words say, thrown by nobody yet; nothing where they are none.
pub(super) fn dice(words: &[&str]) -> Option<ThrowCommand> {
    let mut faces = None;
    let mut asides = Vec::new();
    let mut notation = String::new();
    for word in words {
        let small = word.to_lowercase();
        match (
            small.strip_prefix("faces="),
            CLOSES.contains(&small.as_str()),
        ) {
            (Some(given), _) => {
                let given = given.split(',').map(str::parse);
                faces = Some(given.collect::<Result<Vec<i32>, _>>().ok()?);
            }
            (None, true) => asides.push(small),
            (None, false) if small == "dice" && notation.is_empty() => {}
            (None, false) => notation.push_str(word),
        }
    }
    // A bare number is the number of a check.
    let falls = notation
        .chars()
        .any(|letter| letter.eq_ignore_ascii_case(&'d'));
    let read: Option<Notation> = notation.parse().ok().filter(|_| falls);
    read.map(|_| ThrowCommand {
        who: Who::Nobody,
        notation,
        faces,
        noticed: asides.iter().any(|word| word == "noticed"),
        hidden_from: closed(!asides.is_empty()),
    })
}

/// From whom it is hidden.
fn closed(is_closed: bool) -> Vec<String> {
    if is_closed {
        vec!["*".to_owned()]
    } else {
        Vec::new()
    }
}

/// Reads what stands behind the one who rolls. With `fixed` the check is known already.
pub(super) fn ask(
    words: &str,
    who: Option<CharacterId>,
    fixed: Option<&'static CheckSpec>,
    seen: &SeatView<'_>,
) -> Result<Asked, ParseError> {
    let checks: Vec<&'static CheckSpec> = match fixed {
        Some(check) => vec![check],
        None => seen.system().spec().checks.to_vec(),
    };
    let (plain, pairs) = split(words, &checks);
    let mut asked = Asked {
        check: fixed
            .or_else(|| checks.first().copied())
            .ok_or(ParseError::Nothing)?,
        given: Vec::new(),
        faces: Faces::Rolled,
        choose: Vec::new(),
        clock: None,
        helpers: Vec::new(),
        asides: Vec::new(),
    };
    let mut settled = fixed.is_some();
    let plain = asked.take_asides(&plain, seen)?;
    asked.take_names(&plain, who, &checks, &mut settled, seen)?;
    for (name, value) in pairs {
        asked.take_pair(&name, &value, &checks, &mut settled, seen)?;
    }
    Ok(asked)
}

/// The words before the first `NAME=VALUE`, and each of those with the words of its value; what says how
/// the check is made may stand behind them, too.
fn split<'a>(
    words: &'a str,
    checks: &[&'static CheckSpec],
) -> (Vec<&'a str>, Vec<(String, String)>) {
    let is_flag = |word: &str| {
        let mut fields = checks.iter().filter_map(|check| check.field(word));
        fields.any(|field| field.kind == Kind::Flag)
    };
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '-')
    };
    let mut plain = Vec::new();
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut words = words.split_whitespace();
    while let Some(word) = words.next() {
        let pair = word.split_once('=').filter(|(name, _)| is_name(name));
        match (pair, pairs.last_mut()) {
            (Some((name, value)), _) => pairs.push((name.to_lowercase(), value.to_owned())),
            (None, Some(_)) if is_flag(word) || ASIDES.contains(&word) => plain.push(word),
            (None, Some(_)) if word == "for" => {
                plain.push(word);
                plain.extend(words.by_ref());
            }
            (None, Some((_, value))) => {
                value.push(' ');
                value.push_str(word);
            }
            (None, None) => plain.push(word),
        }
    }
    (plain, pairs)
}

/// Words that hide what is rolled.
const CLOSES: [&str; 3] = ["hidden", "closed", "noticed"];

/// Words that say how, not what.
const ASIDES: [&str; 6] = ["hidden", "closed", "noticed", "wait", "shown", "openly"];

impl Asked {
    /// Takes out what says how: hidden, for which clock, waiting for an answer.
    fn take_asides<'a>(
        &mut self,
        words: &[&'a str],
        seen: &SeatView<'_>,
    ) -> Result<Vec<&'a str>, ParseError> {
        let mut left = Vec::new();
        for (at, word) in words.iter().enumerate() {
            match word.to_lowercase().as_str() {
                "for" => {
                    let name = words.get(at + 1..).unwrap_or_default().join(" ");
                    self.clock = Some(one("clock", &name, &clocks(seen))?.0);
                    return Ok(left);
                }
                other => match ASIDES.into_iter().find(|known| *known == other) {
                    Some(known) => self.asides.push(known),
                    None => left.push(*word),
                },
            }
        }
        Ok(left)
    }

    /// Takes names of checks, flags, and what stands on the sheet, the longest first.
    fn take_names(
        &mut self,
        words: &[&str],
        who: Option<CharacterId>,
        checks: &[&'static CheckSpec],
        settled: &mut bool,
        seen: &SeatView<'_>,
    ) -> Result<(), ParseError> {
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let longest = rest.len().min(LONGEST_PICK);
            let spans = (1..=longest).rev();
            let mut trouble = None;
            let mut taken = None;
            for span in spans {
                let name = rest
                    .iter()
                    .take(span)
                    .copied()
                    .collect::<Vec<_>>()
                    .join(" ");
                match self.take_name(&name, who, checks, settled, seen) {
                    Ok(true) => {
                        taken = Some(span);
                        break;
                    }
                    Ok(false) => {}
                    Err(several) => trouble = Some(several),
                }
            }
            match (taken, trouble) {
                (Some(span), _) => at += span,
                (None, Some(several)) => return Err(several),
                (None, None) => {
                    return Err(self.unknown(&rest.join(" "), who, checks, *settled, seen));
                }
            }
        }
        Ok(())
    }

    /// Takes one name, if it is one.
    fn take_name(
        &mut self,
        name: &str,
        who: Option<CharacterId>,
        checks: &[&'static CheckSpec],
        settled: &mut bool,
        seen: &SeatView<'_>,
    ) -> Result<bool, ParseError> {
        if !*settled {
            let labels: Vec<(String, &'static str)> = checks
                .iter()
                .flat_map(|check| [check.id, check.label].map(|label| (label.to_owned(), check.id)))
                .collect();
            // A check is named by its beginning at most: what stands on a sheet goes before guesses.
            if let Found::One(id, 0..=2) = find(name, &labels) {
                let known = checks.iter().find(|check| check.id == id);
                self.check = known.copied().unwrap_or(self.check);
                *settled = true;
                return Ok(true);
            }
        }
        let considered = if *settled {
            vec![self.check]
        } else {
            checks.to_vec()
        };
        let mut best: Option<(u32, &'static CheckSpec, &'static Field, String)> = None;
        let mut several = None;
        for check in considered {
            let names = nameable(check, who, seen);
            let known: Vec<(String, usize)> = names
                .iter()
                .enumerate()
                .map(|(index, (name, ..))| (name.clone(), index))
                .collect();
            match find(name, &known) {
                Found::One(index, unsure) => {
                    let surer = best.as_ref().is_none_or(|(known, ..)| unsure < *known);
                    if let Some((_, field, value)) = names.get(index).filter(|_| surer) {
                        best = Some((unsure, check, field, value.clone()));
                    }
                }
                Found::Several(names) => several = Some(names),
                Found::Nothing(_) => {}
            }
        }
        if let Some((_, check, field, value)) = best {
            self.check = check;
            *settled = true;
            self.given.push((field, value));
            return Ok(true);
        }
        if let Some(names) = several {
            return Err(ParseError::Several {
                given: name.to_owned(),
                names,
            });
        }
        // A bare number is the one that has to be given.
        let open = self.check.fields.iter().find(|field| {
            let open = matches!(field.preset, Preset::Required | Preset::Optional);
            let number = matches!(field.kind, Kind::Number { .. });
            let given = self.given.iter().any(|(known, _)| known.id == field.id);
            open && number && !given && seen.fill(self.check, who).fields.value(field.id).is_none()
        });
        Ok(match (number(name), open) {
            (Some(number), Some(field)) => {
                self.given.push((field, number.to_string()));
                true
            }
            _ => false,
        })
    }

    fn unknown(
        &self,
        given: &str,
        who: Option<CharacterId>,
        checks: &[&'static CheckSpec],
        settled: bool,
        seen: &SeatView<'_>,
    ) -> ParseError {
        let considered = if settled {
            vec![self.check]
        } else {
            checks.to_vec()
        };
        let mut known: Vec<(String, usize)> = Vec::new();
        if !settled {
            known.extend(checks.iter().map(|check| (check.id.to_owned(), 0)));
        }
        for check in considered {
            let names = nameable(check, who, seen);
            known.extend(names.into_iter().map(|(name, ..)| (name, 0)));
        }
        let near = if let Found::Nothing(Some(near)) = find(given, &known) {
            format!("; did you mean {near}?")
        } else {
            let checks = checks.iter().map(|check| check.id).collect::<Vec<_>>();
            format!("; the checks are {}", checks.join(", "))
        };
        ParseError::Unknown {
            kind: "check, skill or field",
            given: given.chars().take(60).collect(),
            near,
        }
    }

    /// Takes `NAME=VALUE`.
    fn take_pair(
        &mut self,
        name: &str,
        value: &str,
        checks: &[&'static CheckSpec],
        settled: &mut bool,
        seen: &SeatView<'_>,
    ) -> Result<(), ParseError> {
        match name {
            "faces" => {
                self.faces = Faces::Typed(read_faces(value)?);
                return Ok(());
            }
            "choose" => {
                self.choose.extend(value.split(';').map(str::to_owned));
                return Ok(());
            }
            "clock" => {
                self.clock = Some(one("clock", value, &clocks(seen))?.0);
                return Ok(());
            }
            "help" => {
                for name in value.split(',').map(str::trim) {
                    self.helpers
                        .push(one("character", name, &characters(seen))?.0);
                }
                return Ok(());
            }
            _ => {}
        }
        if self.check.field(name).is_none() && !*settled {
            let other = checks.iter().find(|check| check.field(name).is_some());
            self.check = other.copied().unwrap_or(self.check);
        }
        *settled = true;
        let Some(field) = self.check.field(name) else {
            // Says which fields there are.
            let mut fields = crate::rules::Fields::presets(self.check);
            return Ok(fields.set(name, value.into()).map_err(CommandError::from)?);
        };
        self.given.push((field, value.to_owned()));
        Ok(())
    }

    /// Whether that was said of how it is made.
    pub(super) fn is(&self, word: &str) -> bool {
        self.asides.contains(&word)
    }

    /// The fields as they were written, for whom they are kept as words.
    pub(super) fn as_words(&self) -> Vec<(String, String)> {
        let given = self.given.iter();
        given
            .map(|(field, value)| {
                let flag = field.kind == Kind::Flag && value.is_empty();
                let value = if flag { "yes" } else { value };
                (field.id.to_owned(), value.to_owned())
            })
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
        let said = |word: &&str| self.asides.contains(word);
        let is_closed = CLOSES.iter().any(said);
        let (wait, noticed) = (said(&"wait"), said(&"noticed"));
        RollCommand {
            who: who.map_or(Who::Nobody, Who::Character),
            fields: filled.fields,
            sources: filled.sources,
            faces: self.faces,
            choose: self.choose,
            by: by(seen),
            wait,
            hidden_from: closed(is_closed),
            noticed,
            clock: self.clock,
            helpers: self.helpers,
            group,
        }
    }
}

/// What a word may name for a check: an entry of the sheet, a flag, a word that a field takes. Where two
/// fields know the same name, letter case aside, it is the first's.
fn nameable(
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    seen: &SeatView<'_>,
) -> Vec<(String, &'static Field, String)> {
    let mut names: Vec<(String, &'static Field, String)> = Vec::new();
    for field in check.fields {
        let known = |name: &String| {
            let mut names = names.iter();
            names.all(|(known, ..)| known.to_lowercase() != name.to_lowercase())
        };
        let more: Vec<(String, &'static Field, String)> = match field.kind {
            Kind::Flag => vec![(field.id.to_owned(), field, "yes".to_owned())],
            Kind::Word(words) => {
                let words = words.iter().map(|word| (*word).to_owned());
                let all = words.chain(seen.picks(who, field));
                all.map(|word| (word.clone(), field, word)).collect()
            }
            Kind::Die | Kind::Number { .. } | Kind::Text => seen
                .picks(who, field)
                .into_iter()
                .map(|pick| (pick.clone(), field, pick))
                .collect(),
        };
        names.extend(
            more.into_iter()
                .filter(|(name, ..)| known(name))
                .collect::<Vec<_>>(),
        );
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
                what: format!(
                    "{:?} is no face of a die",
                    face.chars().take(20).collect::<String>()
                ),
                form: "faces=5,7".to_owned(),
            })
        });
    faces.collect()
}
