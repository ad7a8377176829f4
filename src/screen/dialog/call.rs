//! A call for a roll: who, which check, against what, and before whose eyes. Calls that nobody has
//! answered yet are taken back here, too.

use super::DialogAction;
use super::field_row;
use super::form::{Form, FormDialog, FormSpec, Id, Row};
use super::roll::starts;
use crate::rules::{CheckSpec, Field, Kind, Source, Whose};
use crate::screen::roll_requests;
use crate::session::{
    Allegiance, Call, CallCommand, CallId, CharacterId, Command, GroupKind, GroupPick, Subject,
};
use crate::table::SeatView;

#[derive(Debug)]
pub struct CallDialog {
    check: &'static CheckSpec,
    /// Who could be called on, kept while the dialog is open.
    people: Vec<CharacterId>,
    /// Who is still to roll, as the first row offers it.
    waiting: Vec<CallId>,
    /// Whom it is for at first, and who is picked.
    begin: (usize, Vec<CharacterId>),
    /// Who of the group it would be.
    pick: Option<Result<GroupPick, String>>,
}

/// Whom a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// Everybody of the party who is here.
    Party,
    /// The one of the party who would roll for all.
    Group(GroupKind),
    Some,
    One(CharacterId),
}

/// The words for whom a call is for stand in this order, single characters after them.
const FOR: [For; 4] = [
    For::Party,
    For::Group(GroupKind::Worst),
    For::Group(GroupKind::Best),
    For::Some,
];

const WHO_HELP: &str = "Who is to roll. The worst and the best are found by their exact odds at this \
                        very check.";
/// Nobody's sheet gives a number.
const NOBODY: &str = "nobody's";
/// A field that everybody fills in from the own sheet.
const OWN: &str = "as each has it";

fn person(id: CharacterId) -> Id {
    Id::Nth("person", id.0)
}

impl CallDialog {
    /// Opens it on those, or if there are none on everybody of the party.
    ///
    /// # Panics
    /// When the system has no check; every system has.
    pub fn open(who: &[CharacterId], seen: &SeatView<'_>) -> FormDialog {
        let checks = seen.system().spec().checks;
        let here = seen.roster().filter(|one| one.is_here());
        let people: Vec<CharacterId> = here.map(|one| one.id).collect();
        let meant = match who {
            [] => 0,
            [one] => {
                let place = people.iter().position(|id| id == one);
                place.map_or(0, |place| FOR.len() + place)
            }
            _ => 3,
        };
        let spec = Self {
            check: checks.first().expect("every system has a check"),
            people,
            waiting: seen.calls().map(|call| call.id).collect(),
            begin: (meant, who.to_vec()),
            pick: None,
        };
        // Who is where one begins; what else could be done stands above.
        FormDialog::new(Form::new("", Vec::new()).wide(), spec, seen).at("who")
    }

    fn meant(&self, form: &Form) -> For {
        let at = form.row("who").map_or(self.begin.0, |_| form.choice("who"));
        let one = at.checked_sub(FOR.len());
        match one.and_then(|place| self.people.get(place)) {
            Some(id) => For::One(*id),
            None => FOR.get(at).copied().unwrap_or(For::Party),
        }
    }

    /// Those picked one by one.
    fn picked(&self, form: &Form) -> Vec<CharacterId> {
        let is_picked = |id: &&CharacterId| match form.row(person(**id)) {
            Some(_) => form.is_on(person(**id)),
            None => self.begin.1.contains(id),
        };
        self.people.iter().filter(is_picked).copied().collect()
    }

    /// Who is called on as things stand, and who helps.
    fn called(&self, form: &Form, seen: &SeatView<'_>) -> (Vec<CharacterId>, Vec<CharacterId>) {
        let who = match self.meant(form) {
            For::Party => {
                let here = seen.roster().filter(|one| one.is_here());
                let party = here.filter(|one| one.side == Allegiance::Party);
                party.map(|one| one.id).collect()
            }
            For::Group(_) => {
                return match &self.pick {
                    Some(Ok(pick)) => (vec![pick.who], pick.helpers.clone()),
                    _ => (Vec::new(), Vec::new()),
                };
            }
            For::Some => self.picked(form),
            For::One(id) => vec![id],
        };
        (who, Vec::new())
    }

    /// The fields that were given, as a person writes them.
    fn given(&self, form: &Form) -> Vec<(String, String)> {
        let fields = self.check.fields.iter().filter(|field| is_asked(field));
        fields
            .filter_map(|field| {
                let named = form.rows.iter().find(|row| row.id == Id::Nth(field.id, 0));
                let named = named.map(Row::words).filter(|name| name != NOBODY);
                let given = || field_row::given(field, form.row(Id::Field(field.id))?, OWN);
                Some((field.id.to_owned(), named.or_else(given)?))
            })
            .collect()
    }

    /// The calls that are to be taken back, if that is what the first row says.
    fn to_cancel(&self, form: &Form) -> &[CallId] {
        match form.choice("do").checked_sub(1) {
            None => &[],
            Some(place) if place < self.waiting.len() => &self.waiting[place..=place],
            Some(_) => &self.waiting,
        }
    }

    /// The rows: another check has other fields, and whom it is for asks for more or less.
    fn rows(&self, form: &Form, seen: &SeatView<'_>) -> Vec<Row> {
        let open: Vec<&Call> = self
            .waiting
            .iter()
            .filter_map(|id| seen.call(*id))
            .collect();
        let mut rows = Vec::new();
        if !open.is_empty() {
            rows.push(what_to_do(&open, seen));
        }
        if !self.to_cancel(form).is_empty() {
            return rows;
        }
        let name = |id: &CharacterId| seen.owner_name(Some(*id)).to_owned();
        let words = FOR.map(|one| match one {
            For::Party => "everybody of the party".to_owned(),
            For::Group(kind) => roll_requests::group_name(seen.system(), kind).to_owned(),
            For::Some | For::One(_) => "several, picked below".to_owned(),
        });
        let words = words.into_iter().chain(self.people.iter().map(name));
        rows.push(Row::choice("who", "Who", words, self.begin.0));
        let (meant, picked) = (self.meant(form), self.picked(form));
        if meant == For::Some {
            let people = self.people.iter().filter_map(|id| seen.character(*id));
            rows.extend(people.map(|one| {
                let label = format!("  {}", one.name);
                Row::flag(person(one.id), label, picked.contains(&one.id))
                    .beside(&one.player)
                    .help("Whether this one is to roll.")
            }));
        }
        let checks = seen.system().spec().checks;
        let labels = checks.iter().map(|check| check.label);
        rows.push(Row::choice("check", "Check", labels, 0).help(self.check.help));
        let asked = match meant {
            For::Some => picked,
            For::Party | For::Group(_) => self.people.clone(),
            For::One(id) => vec![id],
        };
        let starts = starts(self.check, None, seen);
        let mut is_named = false;
        for field in self.check.fields.iter().filter(|field| is_asked(field)) {
            let start = starts.iter().find(|(id, _)| *id == field.id);
            let start = start.filter(|_| !(from_a_sheet(field) && field.whose == Whose::Own));
            let start = start.map(|(_, value)| value.to_string());
            // A number of somebody else's has a row of its own to be read from a sheet.
            let by_name =
                field.whose == Whose::Opponent && matches!(field.kind, Kind::Number { .. });
            let names = field_row::names(field, &asked, seen);
            let (names, sheets) = if by_name {
                (Vec::new(), names)
            } else {
                (names, Vec::new())
            };
            rows.push(field_row::row(field, names, start.as_deref(), OWN));
            if !sheets.is_empty() && !std::mem::replace(&mut is_named, true) {
                let words = [NOBODY.to_owned()].into_iter().chain(sheets);
                let row = Row::choice(Id::Nth(field.id, 0), "  or from a sheet", words, 0);
                rows.push(row.help(
                    "Whose number it is, read from that sheet; it counts before the number above.",
                ));
            }
        }
        let words = ["those who are to roll", "all players"];
        let help = "Whether the others see that it is called for, and against what.";
        rows.push(Row::choice("shown", "Shown to", words, 0).help(help));
        rows
    }

    /// Finds out who is meant: what stands beside that row, its help, or what is wrong with it.
    fn who(&mut self, form: &Form, seen: &SeatView<'_>) -> (String, String, Option<String>) {
        let (given, help) = (self.given(form), WHO_HELP.to_owned());
        self.pick = None;
        if let For::Group(kind) = self.meant(form) {
            let pick = seen.group(self.check, kind, &given, &[]);
            let pick = pick.map_err(|refusal| refusal.to_string());
            return match self.pick.insert(pick) {
                Ok(pick) => {
                    let why = roll_requests::found(pick, kind, seen);
                    let who = seen.owner_name(Some(pick.who)).to_owned();
                    (who, format!("{why} The others help."), None)
                }
                Err(problem) => (String::new(), help, Some(problem.clone())),
            };
        }
        let (who, _) = self.called(form, seen);
        let mut lacks = false;
        let names = who.iter().map(|id| {
            let name = seen.owner_name(Some(*id));
            match seen.lacking(self.check, *id, &given).as_slice() {
                [] => name.to_owned(),
                lacking => {
                    lacks = true;
                    format!("{name} (without {})", lacking.join(", "))
                }
            }
        });
        let names: Vec<String> = names.collect();
        let nobody = names.is_empty().then(|| "nobody is picked yet".to_owned());
        let is_told = names.len() > 1 || lacks;
        let beside = if is_told {
            names.join(", ")
        } else {
            String::new()
        };
        (beside, help, nobody)
    }
}

fn from_a_sheet(field: &Field) -> bool {
    !matches!(field.source, Source::Table)
}

/// What each one spends, and who helps, is each one's own affair.
fn is_asked(field: &Field) -> bool {
    field.spends.is_none() && field.whose != Whose::Helper
}

/// To call, or to take back what nobody has answered yet.
fn what_to_do(open: &[&Call], seen: &SeatView<'_>) -> Row {
    let who = |call: &&Call| seen.owner_name(Some(call.who)).to_owned();
    let each = open.iter().map(|call| {
        let told = roll_requests::told(call, seen);
        format!("take back: {}, {told}", who(call))
    });
    let all = (open.len() > 1).then(|| format!("take back all {}", open.len()));
    let words = ["call for a roll".to_owned()]
        .into_iter()
        .chain(each)
        .chain(all);
    let names: Vec<String> = open.iter().map(who).collect();
    Row::choice("do", "Do", words, 0).help(format!("Still to roll: {}.", names.join(", ")))
}

impl FormSpec for CallDialog {
    fn advice(&self) -> &'static [&'static str] {
        self.check.system.spec().when
    }

    fn refresh(&mut self, form: &mut Form, seen: &SeatView<'_>) {
        let checks = seen.system().spec().checks;
        self.check = checks.get(form.choice("check")).unwrap_or(&self.check);
        form.lay_out(self.rows(form, seen));
        let is_call = self.to_cancel(form).is_empty();
        let title = if is_call {
            "Call for a roll"
        } else {
            "Take a call back"
        };
        title.clone_into(&mut form.title);
        for row in &mut form.rows {
            if let Id::Field(id) = row.id
                && let Some(field) = self.check.field(id)
            {
                let number = row.words().parse().ok();
                let name = number.and_then(|number| field.name_of(number));
                row.beside = name.unwrap_or_default().to_owned();
                row.problem = row.maybe_number().err();
            }
        }
        if is_call {
            let (beside, help, problem) = self.who(form, seen);
            if let Some(row) = form.row_mut("who") {
                (row.beside, row.help, row.problem) = (beside, help.into(), problem);
            }
        }
    }

    fn submit(&mut self, form: &Form, seen: &SeatView<'_>) -> Result<DialogAction, String> {
        let cancel = self.to_cancel(form);
        if !cancel.is_empty() {
            let open = cancel.iter().filter(|id| seen.call(**id).is_some());
            let commands: Vec<Command> =
                open.map(|id| Command::Remove(Subject::Call(*id))).collect();
            if commands.is_empty() {
                return Ok(DialogAction::Close);
            }
            return Ok(Command::together(commands).into());
        }
        let (who, helpers) = self.called(form, seen);
        let given = self.given(form);
        let fields = match &self.pick {
            Some(Ok(pick)) => seen.called_with(pick, &given),
            Some(Err(_)) | None => given,
        };
        let call = Command::Call(CallCommand {
            who,
            check: self.check.id.to_owned(),
            fields,
            helpers,
            group: self.meant(form) == For::Group(GroupKind::Worst),
            shown: form.choice("shown") == 1,
        });
        Ok(call.into())
    }
}
