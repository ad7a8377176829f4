//! The check that words ask for: its name or what it rolls on, fields, and what goes with it.

use super::ParseError;
use super::names::{Found, characters, clocks, cut, find, number, one};
use crate::dice::Face;
use crate::dice::notation::Notation;
use crate::rules::{CheckSpec, ChosenBy, Field, Kind, Preset};
use crate::session::{
    CharacterId, ClockId, CommandError, Faces, GroupKind, RollCommand, ThrowCommand, Who,
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
    let (plain, pairs) = asking.split(words)?;
    asking.take_names(&plain)?;
    for (name, value) in pairs {
        asking.take_pair(&name, &value)?;
    }
    Ok(asking.asked)
}

/// Names and values as they were written.
type Pairs = Vec<(String, String)>;

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
    /// Takes out what says how it is made, and tells names from each `NAME=VALUE` with the words of its
    /// value, behind which flags and words of how may stand, too.
    fn split<'w>(&mut self, words: &'w str) -> Result<(Vec<&'w str>, Pairs), ParseError> {
        let is_name = |name: &str| {
            let mut letters = name.chars();
            !name.is_empty() && letters.all(|letter| letter.is_alphanumeric() || letter == '-')
        };
        let mut plain = Vec::new();
        let mut pairs = Pairs::new();
        let mut words = words.split_whitespace();
        while let Some(word) = words.next() {
            let small = word.to_lowercase();
            let mut fields = self.checks.iter().filter_map(|check| check.field(word));
            let is_flag = fields.any(|field| field.kind == Kind::Flag);
            let pair = word.split_once('=').filter(|(name, _)| is_name(name));
            if small == "for" {
                let name = words.by_ref().collect::<Vec<_>>().join(" ");
                self.asked.clock = Some(one("clock", &name, &clocks(self.seen))?.0);
            } else if let Some(known) = ASIDES.into_iter().find(|known| *known == small) {
                self.asked.asides.push(known);
            } else if let Some((name, value)) = pair {
                pairs.push((name.to_lowercase(), value.to_owned()));
            } else if let Some((_, value)) = pairs.last_mut().filter(|_| !is_flag) {
                value.push(' ');
                value.push_str(word);
            } else {
                plain.push(word);
            }
        }
        Ok((plain, pairs))
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
        let mut best: Option<(u32, &'static CheckSpec, (String, &'static Field))> = None;
        let mut several = None;
        for check in self.considered() {
            let mut names = nameable(check, self.who, self.seen);
            let known = names.iter().enumerate();
            let known: Vec<_> = known.map(|(at, (name, _))| (name.clone(), at)).collect();
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
        if let Some((_, check, (value, field))) = best {
            self.settle(check);
            let value = if field.kind == Kind::Flag {
                String::new()
            } else {
                value
            };
            self.asked.given.push((field, value));
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
        let known = checks_too.chain(fields.map(|(name, _)| name));
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
        self,
        who: Option<CharacterId>,
        seen: &SeatView<'_>,
    ) -> Result<RollCommand, ParseError> {
        let plan = seen.plan(self.check, who, self.clock, &self.given)?;
        let roll = self.command(who, plan, false, seen);
        match roll.fields.complete() {
            Ok(()) => Ok(roll),
            Err(error) => Err(ParseError::Open {
                source: error.into(),
                begun: Box::new(roll),
            }),
        }
    }

    /// The roll that it asks of the worst or the best of the party.
    pub(super) fn by_group(
        self,
        kind: GroupKind,
        seen: &SeatView<'_>,
    ) -> Result<RollCommand, ParseError> {
        let pick = seen.group(self.check, kind, &self.as_words(), &[])?;
        let plan = Plan {
            filled: pick.filled,
            helpers: pick.helpers,
        };
        Ok(self.command(Some(pick.who), plan, kind == GroupKind::Worst, seen))
    }

    fn command(
        self,
        who: Option<CharacterId>,
        plan: Plan,
        group: bool,
        seen: &SeatView<'_>,
    ) -> RollCommand {
        let mut helpers = self.helpers;
        for helper in plan.helpers {
            if !helpers.contains(&helper) {
                helpers.push(helper);
            }
        }
        RollCommand {
            who: who.map_or(Who::Nobody, Who::Character),
            fields: plan.filled.fields,
            sources: plan.filled.sources,
            faces: self.faces,
            choose: self.choose,
            by: by(seen),
            wait: self.asides.contains(&"wait"),
            hidden_from: hidden_from(self.asides.iter().any(|word| CLOSES.contains(word))),
            noticed: self.asides.contains(&"noticed"),
            clock: self.clock,
            helpers,
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

/// What a word may name for a check: an entry of the sheet, a flag, a word that a field takes. Where two
/// fields know the same name, letter case aside, it is the first's.
fn nameable(
    check: &'static CheckSpec,
    who: Option<CharacterId>,
    seen: &SeatView<'_>,
) -> Vec<(String, &'static Field)> {
    let mut names: Vec<(String, &'static Field)> = Vec::new();
    for field in check.fields {
        let words: &[&str] = match &field.kind {
            Kind::Flag => &[field.id],
            Kind::Word(words) => words,
            Kind::Die | Kind::Number { .. } | Kind::Text | Kind::Ranks { .. } => &[],
        };
        let words = words.iter().map(|word| (*word).to_owned());
        let is_new = |name: &String| {
            let mut known = names.iter().map(|(known, _)| known.to_lowercase());
            known.all(|known| known != name.to_lowercase())
        };
        let own = words.chain(seen.picks(who, field)).filter(is_new);
        let own: Vec<(String, &'static Field)> = own.map(|name| (name, field)).collect();
        names.extend(own);
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
